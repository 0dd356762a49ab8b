import { sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'

/**
 * Makes refunds of bundles believable: some ask for one part of a bundle of which the other is
 * used, stores have their say, and what goes against a policy waits for a second person. From the
 * rows' own numbers, so that no other demo data changes with it.
 */
export const dressCombos = async (db: Db, now: number): Promise<void> => {
  // One unused part of orders that are not in refund yet: each bundle has one unit of a part.
  const asked = sql`
    select distinct on (o.id) o.id order_id, c.id code_id, c.item_id from "order" o join order_code c on c.order_id = o.id and c.state = 'unused' and c.valid_until > ${now}
    where o.kind = 'combo' and o.refund_state = 'none' and not o.frozen and o.status in ('part_used', 'pending_use', 'pending_ship') and (o.status = 'part_used' or o.id % 4 = 1) and o.id % 5 <> 3 order by o.id, c.id desc`
  await db.execute(sql`
    insert into refund (id, refund_no, order_id, order_kind, city_id, mall_id, merchant_id, member_id, type, source, cause, reason, amount_cents, cap_cents, state, deadline_at, created_at, updated_at)
    select (select coalesce(max(id), 0) from refund) + row_number() over (order by o.id), 'RF' || a.at || lpad(o.id::text, 6, '0'), o.id, 'combo', o.city_id, o.mall_id, o.merchant_id, o.member_id, 'refund_only', 'member', 'apply', w.reason, c.pay_cents, c.pay_cents, 'applied', a.at + 172800, a.at, a.at
    from (${asked}) x join "order" o on o.id = x.order_id join order_code c on c.id = x.code_id, lateral (select greatest(o.paid_at + 600, ${now} - 2700 * (1 + o.id % 60)) at) a, lateral (select (array['门店排队太久', '预约不上', '朋友已买', '与描述不符'])[1 + o.id % 4] reason) w`)
  const open = sql`r.order_kind = 'combo' and r.state = 'applied' and not exists (select 1 from refund_item l where l.refund_id = r.id)`
  await db.execute(sql`
    insert into refund_item (refund_id, item_id, code_id, qty, paid_times, share_cents, amount_cents, platform_cents, settle_cents)
    select r.id, c.item_id, c.id, 1, 1, c.pay_cents, c.pay_cents, c.platform_cents, c.settle_cents from refund r join order_code c on c.id = (select max(d.id) from order_code d where d.order_id = r.order_id and d.state = 'unused') where ${open} order by r.id`)
  const ours = sql`select l.code_id from refund_item l join refund r on r.id = l.refund_id join order_code c on c.id = l.code_id where r.order_kind = 'combo' and r.state = 'applied' and c.state = 'unused'`
  await db.execute(
    sql`update order_item set refunding_qty = 1 where id in (select c.item_id from order_code c where c.id in (${ours}))`,
  )
  await db.execute(
    sql`update "order" o set refund_state = 'refunding', status = 'refunding' where o.kind = 'combo' and o.id in (select c.order_id from order_code c where c.id in (${ours}))`,
  )
  await db.execute(
    sql`update order_code set times_refunding = 1, left_times = 0, left_pay_cents = 0, left_platform_cents = 0, left_settle_cents = 0, state = 'refunding' where id in (${ours})`,
  )

  const used = sql`exists (select 1 from order_code c where c.order_id = r.order_id and c.times_used > 0)`
  const whole = sql`(select i.snapshot->'combo'->>'policy' from order_item i where i.order_id = r.order_id limit 1) = 'whole'`
  // Every third exception has been asked for; another person has to agree.
  await db.execute(
    sql`update refund r set state = 'second_audit', first_by = 4, policy_override = true where r.order_kind = 'combo' and r.state = 'applied' and ${whole} and ${used} and r.id % 3 = 0`,
  )
  await db.execute(sql`
    update refund r set reason_code = case reason when '门店排队太久' then 'no_slot' when '预约不上' then 'no_slot' when '朋友已买' then 'too_many' when '与描述不符' then 'not_as_described' else coalesce(reason_code, 'changed_mind') end where r.order_kind = 'combo' and r.cause = 'apply'`)
  await db.execute(sql`
    update refund r set messages = jsonb_build_array(jsonb_build_object('by', 'member', 'name', '买家', 'text', case r.reason_code when 'no_slot' then '周末一直约不上，剩下的不想用了' when 'not_as_described' then '到店发现和套餐介绍不一样，只用了一项' when 'too_many' then '朋友也买了，这一项用不上' else '计划有变，用不了了' end, 'at', r.created_at + 60))
      || coalesce((select jsonb_agg(jsonb_build_object('by', 'merchant', 'name', s.name, 'text', case when i.used_qty > 0 then '本店项目已核销，不参与退款' when r.id % 3 = 0 then '未预约过，同意退' else '可以退，请平台处理' end, 'at', r.created_at + 3600 + i.id % 900) order by i.id) from order_item i join store s on s.id = i.store_id where i.order_id = r.order_id), '[]'::jsonb)
    where r.order_kind = 'combo' and r.cause = 'apply' and r.id % 4 <> 1`)
  await db.execute(sql`
    update refund r set merchant_id = m.id from (select l.refund_id, min(p.merchant_id) id from refund_item l join order_item i on i.id = l.item_id join product p on p.id = i.product_id where i.kind = 'combo' group by 1 having count(distinct p.merchant_id) = 1) m where m.refund_id = r.id and r.merchant_id <> m.id`)
}
