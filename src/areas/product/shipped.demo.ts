import { sql } from 'drizzle-orm'
import type { DemoStep } from '#src/server/demo/step.ts'

/**
 * Goods of online shops as merchandisers find them: a few taken off by hand that could sell again,
 * some that are distributed or limited, and variants that run out. Goods in an audit or a bundle
 * stay as they are.
 */
const step: DemoStep = {
  place: 86,
  branch: 'shipped',
  run: async db => {
    await db.execute(sql`
      update product set distribution_bp = case when id % 4 = 1 then least(300, commission_bp) end, limit_per_member = case when id % 7 = 2 then 5 end where kind = 'elist' and live_version > 0`)
    await db.execute(sql`
      update product_sku k set stock = k.held + k.id % 6 from product p where p.id = k.product_id and p.kind = 'elist' and p.state = 'on_sale' and k.id % 17 = 3`)
    await db.execute(sql`
      update product p set state = 'off_sale', off_reason = '换季清点库存' from (
        select p.id, row_number() over (order by p.id desc) n, count(*) over () all_n from product p join merchant m on m.id = p.merchant_id
        where p.kind = 'elist' and p.state = 'on_sale' and m.status = 'active' and p.stock > p.held
          and exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.status = 'open')
          and (select count(*) from product_store ps join product o on o.id = ps.product_id where ps.status = 'on' and o.state = 'on_sale' and ps.store_id in (select store_id from product_store x where x.product_id = p.id)) > 1
          and not exists (select 1 from audit_task t where t.product_id = p.id and t.state in ('pending', 'claimed', 'need_more', 'second_audit'))
          and not exists (select 1 from combo c where c.parts @> jsonb_build_array(jsonb_build_object('product_id', p.id)))) o
      where o.id = p.id and o.n <= 1 + o.all_n / 40`)
  },
}
export const demo: readonly DemoStep[] = [step]
