import { sql } from 'drizzle-orm'
import type { DemoStep } from '#src/server/demo/step.ts'

/** Stores as they are kept: one open store a door, and nothing on sale that no open store takes. */
const step: DemoStep = {
  place: 85,
  branch: 'stores',
  run: async (db, _, { now }) => {
    await db.execute(sql`
      update store s set door_no = d.door_no || '-' || d.n from (select id, door_no, row_number() over (partition by floor_id, door_no order by id) n from store where floor_id is not null and door_no is not null) d where d.id = s.id and d.n > 1`)
    await db.execute(
      sql`update store s set brand_id = b.id from merchant m, brand b where m.id = s.merchant_id and s.kind = 'offline' and s.brand_id is null and s.id % 40 <> 4 and b.category_id = s.category_id and position(b.name in m.name) > 0`,
    )
    await db.execute(
      sql`update store set is_recommend = true where kind = 'offline' and status = 'open' and id % 23 = 5`,
    )
    await db.execute(
      sql`update store set rest_until_at = ${now} + 86400 * (2 + id % 20) where status = 'resting' and id % 3 > 0`,
    )
    await db.execute(sql`
      update product p set state = 'off_sale', off_reason = '没有营业中的适用门店', taken_off = array['no_open_store']
      where p.state = 'on_sale' and exists (select 1 from product_store ps where ps.product_id = p.id) and not exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.status = 'open')`)
    await db.execute(sql`
      update product_store ps set sort = o.n from (select id, row_number() over (partition by store_id order by id) n from product_store) o where o.id = ps.id`)
  },
}
export const demo: readonly DemoStep[] = [step]
