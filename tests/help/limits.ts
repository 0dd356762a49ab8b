import { eq } from 'drizzle-orm'
import { buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { freshProduct } from './trade.ts'

let made = 0
/** A rule of a test's own that is on: two pieces of anything for each member, in all. */
export const ruleOf = async (
  db: Db,
  of: Partial<typeof buy_limit_rule.$inferInsert> = {},
): Promise<typeof buy_limit_rule.$inferSelect> => {
  const now = unixNow()
  const [rule] = await db
    .insert(buy_limit_rule)
    .values({
      name: `测试限购Q第${++made}号`,
      scope_kind: 'all',
      product_kind: 'all',
      dimension: 'member',
      per: 'life',
      qty: 2,
      status: 'on',
      priority: 1000 + made,
      start_at: now - 3600,
      end_at: now + 90 * 86_400,
      ...of,
    })
    .returning()
  return rule!
}
/** Switches off what rules the demo has, so that a test knows all there are. */
export const onlyOwnRules = (database: Database) =>
  database.db.update(buy_limit_rule).set({ status: 'off' })
/** A product of a test's own that can be bought for long, and as often as one likes. */
export const lastingProduct = async (database: Database): Promise<typeof product.$inferSelect> => {
  const { item } = await database.transaction(tx => freshProduct(tx))
  const [after] = await database.db
    .update(product)
    .set({ stock: 100_000, sale_end_at: unixNow() + 300 * 86_400, limit_per_member: null })
    .where(eq(product.id, item.id))
    .returning()
  return after!
}
