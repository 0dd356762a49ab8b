import { sql, type SQL } from 'drizzle-orm'
import type { Block } from '#src/areas/mall/recommend.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { implement } from '#src/server/call/implement.ts'
import { opening } from '../contract/opening.ts'
import { mallScope } from './shared.ts'

const onSale = (kind: SQL) =>
  sql`join product_store ps on ps.store_id = s.id and ps.status = 'on' join product p on p.id = ps.product_id and p.state = 'on_sale' and p.stock > p.held and ${kind}`
/** What a board chooses from, as joins of the open stores `s`; of coupons and stores these are it. */
const candidates: Readonly<Record<Block, SQL>> = {
  group: onSale(sql`p.kind = 'bulks'`),
  voucher: onSale(sql`p.kind = 'voucher'`),
  featured: onSale(sql`true`),
  coupon: sql``,
  shop: sql``,
}
export const openingServer = implement(opening, {
  mall: async ({ block }, { db, staff }) => {
    const { rows } = await db.execute<{ mid: number }>(
      sql`select ${mall.id} mid from ${mall} join store s on s.mall_id = ${mall.id} and s.status = 'open' ${candidates[block]} where ${mall.status} = 'online' and ${mallScope(staff) ?? sql`true`} group by ${mall.id} order by count(*) desc, ${mall.id} limit 1`,
    )
    return { mid: rows[0]?.mid ?? null }
  },
})
