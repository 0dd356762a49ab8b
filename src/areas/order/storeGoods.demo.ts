import { sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'

/**
 * Where stores stand and how far they deliver, what each has of its goods, and how store goods
 * reach their buyers. Made by the database from the rows that are there.
 */
export const dressStoreGoods = async (db: Db, now: number): Promise<void> => {
  await db.execute(sql`
    update store s set lng_e6 = (c.lng::numeric * 1e6)::int + (s.id::bigint * 7919) % 24000 - 12000, lat_e6 = (c.lat::numeric * 1e6)::int + (s.id::bigint * 104729) % 20000 - 10000, delivery_radius_m = case when s.id % 4 = 3 and not exists (select 1 from "order" o where o.store_id = s.id and o.sub_kind = 'store_delivery') then null else 3000 + 1000 * (s.id % 3) end
    from city c where c.id = s.city_id and s.kind = 'offline'`)
  await db.execute(
    sql`update store s set lng_e6 = m.lng_e6 + s.id % 900 - 450, lat_e6 = m.lat_e6 + s.id % 700 - 350 from mall m where m.id = s.mall_id and m.lng_e6 is not null and s.kind = 'offline'`,
  )
  // Within three kilometres of the store that brings it.
  await db.execute(
    sql`update "order" o set receiver = o.receiver || jsonb_build_object('lng_e6', s.lng_e6 + (o.id::bigint * 7919) % 36000 - 18000, 'lat_e6', s.lat_e6 + (o.id::bigint * 104729) % 32000 - 16000) from store s where s.id = o.store_id and o.kind = 'goods' and o.sub_kind = 'store_delivery' and o.receiver is not null and s.lng_e6 is not null`,
  )
  await db.execute(sql`
    update "order" set ready_at = case when sub_kind = 'store_delivery' and (fulfil_state in ('delivering', 'finished') or id % 3 > 0) then least(${now} - 300, paid_at + 5400) when ready_at is not null then least(ready_at, ${now} - 300) end,
      dispatched_at = case when sub_kind = 'store_delivery' and fulfil_state in ('delivering', 'finished') then least(${now} - 120, paid_at + 7200) end, receive_by = case when fulfil_state = 'delivering' then ${now} + 864000 else receive_by end,
      rider = case when sub_kind = 'store_delivery' and fulfil_state in ('delivering', 'finished') then jsonb_build_object('name', (array['王师傅', '李强', '赵小东', '陈姐', '周师傅'])[1 + id % 5], 'phone', '135' || lpad(((id::bigint * 7919) % 100000000)::text, 8, '0')) end
    where kind = 'goods' and paid_at is not null`)
  await db.execute(sql`
    insert into store_stock (product_id, sku_id, store_id, stock) select p.id, k.id, s.store_id, case when (p.id * 31 + s.store_id * 17 + coalesce(k.id, 0)) % 9 = 4 then 0 else 4 + (p.id * 13 + s.store_id * 7 + coalesce(k.id, 0) * 3) % 56 end
    from product p join product_store s on s.product_id = p.id left join product_sku k on k.product_id = p.id where p.kind = 'goods' order by 1, 2, 3`)
  await db.execute(
    sql`update order_item i set sku_id = k.id from "order" o, (select product_id, name, min(id) id from product_sku group by 1, 2) k where o.id = i.order_id and o.kind = 'goods' and k.product_id = i.product_id and k.name = i.snapshot->>'sku'`,
  )
  await db.execute(
    sql`update order_item i set store_stock_id = t.id from "order" o, store_stock t where o.id = i.order_id and o.kind = 'goods' and t.product_id = i.product_id and t.sku_id is not distinct from i.sku_id and t.store_id = i.store_id`,
  )
  // What is not paid yet is held; what was sold is counted.
  await db.execute(
    sql`update product_sku k set held = k.held + s.n, stock = k.stock + s.n from (select i.sku_id, sum(i.qty)::int n from order_item i join "order" o on o.id = i.order_id where o.kind = 'goods' and o.pay_state = 'unpaid' group by 1) s where s.sku_id = k.id`,
  )
  await db.execute(
    sql`update store_stock t set held = s.held, stock = t.stock + s.held, sold = s.sold from (select i.store_stock_id, coalesce(sum(i.qty) filter (where o.pay_state = 'unpaid'), 0)::int held, coalesce(sum(i.qty - i.stock_returned) filter (where o.pay_state = 'paid'), 0)::int sold from order_item i join "order" o on o.id = i.order_id where i.store_stock_id is not null group by 1) s where s.store_stock_id = t.id`,
  )
  // Once it is ready the store is asked, and has a day.
  await db.execute(
    sql`update refund r set deadline_at = r.created_at + 86400, intervened = r.created_at + 86400 <= ${now} from "order" o where o.id = r.order_id and r.order_kind = 'goods' and r.state = 'applied' and o.ready_at is not null`,
  )
  await db.execute(sql`
    insert into order_log (order_id, event, actor_type, memo, at)
    select id, 'ready', 'merchant', '', ready_at from "order" where kind = 'goods' and ready_at is not null
    union all select id, 'dispatch', 'merchant', (rider->>'name') || ' ' || (rider->>'phone'), dispatched_at from "order" where kind = 'goods' and dispatched_at is not null
    union all select id, 'deliver', 'merchant', '', finished_at from "order" where kind = 'goods' and sub_kind = 'store_delivery' and fulfil_state = 'finished' order by 5`)
}
