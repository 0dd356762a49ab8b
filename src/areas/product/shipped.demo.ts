import { sql } from 'drizzle-orm'
import type { DemoStep } from '#src/server/demo/step.ts'

/**
 * Goods of online shops as merchandisers find them: list prices cover the dearest variant, a shop of
 * the platform's own is supplied by others, a few goods that could sell again were taken off by hand,
 * some are distributed or limited, and variants run out. Goods in an audit or a bundle stay on sale.
 */
const step: DemoStep = {
  place: 86,
  branch: 'shipped',
  run: async db => {
    const dearest = sql`(select max(k.price_cents) from product_sku k where k.product_id = p.id and k.status = 'on')`
    const settled = sql`p.kind = 'elist' and p.list_price_cents < ${dearest} and not exists (select 1 from audit_task t where t.product_id = p.id and t.state in ('pending', 'claimed', 'need_more', 'second_audit'))`
    await db.execute(
      sql`update product_version v set body = v.body || jsonb_build_object('list_price_cents', ${dearest}) from product p where p.id = v.product_id and v.state = 'live' and ${settled}`,
    )
    await db.execute(sql`update product p set list_price_cents = ${dearest} where ${settled}`)
    await db.execute(sql`
      update store set shop_type = 'self_run', category_ids = (select coalesce(jsonb_agg(k.id), store.category_ids) from (select distinct p.category_id id from product p where p.kind = 'elist' and p.state = 'on_sale' order by 1 limit 5) k)
      where id = (select max(s.id) from store s join merchant m on m.id = s.merchant_id where s.kind = 'online' and s.status = 'open' and s.mall_id = 0 and m.status = 'active')`)
    await db.execute(sql`
      update product set distribution_bp = case when id % 4 = 1 then least(300, commission_bp) end, limit_per_member = case when state = 'off_sale' then 5 end where kind = 'elist' and live_version > 0`)
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
