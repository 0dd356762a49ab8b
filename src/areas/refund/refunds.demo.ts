import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { refundReasons, refundRejects } from './refund.ts'

/** One of several by a number, in SQL. */
const oneOf = (by: ReturnType<typeof sql>, of: readonly string[]) =>
  sql`(array[${sql.join(
    of.map(one => sql`${one}`),
    sql`, `,
  )}]::text[])[1 + (${by}) % ${sql.raw(String(of.length))}]`
const wordsOf = (
  column: ReturnType<typeof sql>,
  of: Readonly<Record<string, readonly [string, string]>>,
) =>
  sql`case ${column} ${sql.join(
    Object.entries(of).map(([code, [zh]]) => sql`when ${code} then ${zh}`),
    sql` `,
  )} end`
const SENT = ['not_as_described', 'damaged', 'missing', 'wrong_item', 'changed_mind']
const UNSENT = ['changed_mind', 'too_many', 'late', 'changed_mind', 'other']

/** What buyers write, by their reason. */
const said = {
  changed_mind: ['买的时候没看清规格，现在不需要了，麻烦退一下', ''],
  too_many: ['手快多拍了一份，麻烦退掉', ''],
  not_as_described: ['和页面上的图不一样，颜色差很多', ''],
  damaged: ['收到时外包装已经压坏了，里面也破了，图片已上传', ''],
  missing: ['少了一件，打开就没有，图片已上传', ''],
  wrong_item: ['发错款式了，我买的不是这个', ''],
  late: ['等了好几天没有物流，不想要了', ''],
  other: ['麻烦尽快处理，谢谢', ''],
} as const
/**
 * Makes after-sale cases believable: goods of some were sent and arrived, reasons have codes,
 * buyers and merchants have their say, and finished orders had cases that were refused, withdrawn
 * or ask for a parcel again. From the rows' own numbers, so that no other demo data changes with
 * it.
 */
export const dressRefunds = async (db: Db, now: number): Promise<void> => {
  // Nobody sends back what can't have arrived yet.
  await db.execute(sql`
    update refund r set state = 'applied', type = 'refund_only', return_courier = null, return_tracking_no = null, deadline_at = r.created_at + ${2 * DAY} from "order" o
    where o.id = r.order_id and r.order_kind = 'elist' and r.state in ('wait_return', 'returning') and r.created_at - o.paid_at < ${DAY + DAY / 2}`)
  await db.execute(sql`
    update refund r set type = 'return_refund', return_address_id = case when r.state in ('wait_return', 'returning') then (select min(a.id) from return_address a where a.merchant_id = r.merchant_id and a.status = 'on') end, first_by = case when r.state in ('wait_return', 'returning') then 2 end from "order" o
    where o.id = r.order_id and r.order_kind = 'elist' and (r.state in ('wait_return', 'returning') or (r.state = 'applied' and r.id % 2 = 0 and r.created_at - o.paid_at >= ${DAY + DAY / 2}))`)
  const sent = sql`select r.order_id from refund r where r.order_kind = 'elist' and r.type = 'return_refund' union select r.order_id from refund r join "order" o on o.id = r.order_id where r.order_kind = 'elist' and r.state in ('applied', 'pay_failed') and r.id % 3 = 0 and r.created_at - o.paid_at >= ${DAY + DAY / 2}`
  await db.execute(
    sql`update order_item set shipped_qty = qty, received_qty = qty where refunded_qty = 0 and order_id in (${sent})`,
  )
  await db.execute(
    sql`update refund_item i set shipped_qty = i.qty from refund r where r.id = i.refund_id and r.order_id in (${sent})`,
  )
  await db.execute(
    sql`update "order" o set fulfil_state = 'finished', finished_at = r.created_at - 3600 * (1 + o.id % 12) from refund r where r.order_id = o.id and o.id in (${sent})`,
  )

  // Goods that arrived lately and are to go back.
  const lines = (of: ReturnType<typeof sql>) => sql`
    insert into refund_item (refund_id, item_id, qty, shipped_qty, share_cents, amount_cents, platform_cents)
    select r.id, i.id, i.qty, i.shipped_qty, r.cap_cents, r.amount_cents, case when r.type = 'resend' then 0 else i.platform_cents end from refund r join "order" o on o.id = r.order_id join lateral (select i.* from order_item i where i.order_id = o.id order by i.id limit 1) i on true
    where ${of} and not exists (select 1 from refund_item l where l.refund_id = r.id) order by r.id`
  const arrived = sql`o.kind = 'elist' and o.finished_at between ${now - 6 * DAY} and ${now - 7200} and not o.frozen`
  // The newest two in any case: by their numbers alone there are hours with none.
  const { rows: newest } = await db.execute<{ id: number }>(
    sql`select o.id from "order" o where ${arrived} and o.status = 'finished' and o.refund_state = 'none' order by o.finished_at desc, o.id limit 2`,
  )
  const lately = sql`${arrived} and (o.id % 2 = 0 or o.id = any(${sql.param(newest.map(one => one.id))}::int[]))`
  await db.execute(sql`
    insert into refund (id, refund_no, order_id, order_kind, city_id, mall_id, merchant_id, member_id, type, source, cause, reason, amount_cents, cap_cents, state, deadline_at, created_at, updated_at)
    select (select coalesce(max(id), 0) from refund) + row_number() over (order by o.id), 'RF' || (o.finished_at + 600) || lpad(o.id::text, 6, '0'), o.id, o.kind, o.city_id, o.mall_id, o.merchant_id, o.member_id, 'return_refund', 'member', 'apply', '', i.pay_cents, i.pay_cents, 'applied', asked + ${2 * DAY}, asked, asked
    from "order" o join lateral (select i.* from order_item i where i.order_id = o.id order by i.id limit 1) i on true, lateral (select greatest(o.finished_at + 600, ${now} - 3600 * (1 + o.id % 40)) asked) a where ${lately} and o.status = 'finished' and o.refund_state = 'none'`)
  await db.execute(lines(sql`${lately} and r.state = 'applied'`))
  await db.execute(
    sql`update order_item i set refunding_qty = l.qty from refund_item l join refund r on r.id = l.refund_id join "order" o on o.id = r.order_id where l.item_id = i.id and ${lately} and r.state = 'applied' and o.refund_state = 'none'`,
  )
  await db.execute(
    sql`update "order" o set refund_state = 'refunding', status = 'refunding' where ${lately} and o.status = 'finished' and exists (select 1 from refund r where r.order_id = o.id and r.state = 'applied')`,
  )

  // At any hour two buyers have just changed their mind before anything was sent.
  const unsent = sql`o.id in (select w.id from "order" w where w.kind = 'elist' and w.status = 'pending_ship' and w.refund_state = 'none' and not w.frozen and w.freight_cents = 0 and w.paid_at < ${now - 7200} and (select count(*) from order_item i where i.order_id = w.id) = 1 and not exists (select 1 from refund r where r.order_id = w.id) order by w.promise_at desc, w.id limit 2)`
  const { rows: minds } = await db.execute<{ order_id: number }>(sql`
    insert into refund (id, refund_no, order_id, order_kind, city_id, mall_id, merchant_id, member_id, type, source, cause, reason, amount_cents, cap_cents, state, deadline_at, created_at, updated_at)
    select (select coalesce(max(id), 0) from refund) + row_number() over (order by o.id), 'RF' || (${now}::bigint - 3600) || lpad(o.id::text, 6, '0'), o.id, o.kind, o.city_id, o.mall_id, o.merchant_id, o.member_id, 'refund_only', 'member', 'apply', '', i.pay_cents, i.pay_cents, 'applied', ${now}::bigint - 3600 + ${2 * DAY}, ${now}::bigint - 3600, ${now}::bigint - 3600
    from "order" o join order_item i on i.order_id = o.id where ${unsent} returning order_id`)
  const theirs = sql`o.id = any(${sql.param(minds.map(one => one.order_id))}::int[])`
  await db.execute(lines(theirs))
  await db.execute(
    sql`update order_item i set refunding_qty = i.qty from "order" o where o.id = i.order_id and ${theirs}`,
  )
  await db.execute(
    sql`update "order" o set refund_state = 'refunding', status = 'refunding' where ${theirs}`,
  )

  // Cases of finished orders that came to an end without money, and parcels that are asked for
  // again.
  const old = sql`o.kind = 'elist' and o.status = 'finished' and o.refund_state = 'none' and o.finished_at is not null and o.finished_at > ${now - 60 * DAY} and o.id % 9 = 4`
  const kindOf = sql`(o.id / 9) % 8`
  await db.execute(sql`
    insert into refund (id, refund_no, order_id, order_kind, city_id, mall_id, merchant_id, member_id, type, source, cause, reason, amount_cents, cap_cents, state, first_by, decided_at, reject_code, deadline_at, created_at, updated_at)
    select (select coalesce(max(id), 0) from refund) + row_number() over (order by o.id), 'RF' || (o.finished_at + 3600) || lpad(o.id::text, 6, '0'), o.id, o.kind, o.city_id, o.mall_id, o.merchant_id, o.member_id, case when ${kindOf} = 7 then 'resend' when ${kindOf} % 2 = 0 then 'return_refund' else 'refund_only' end, 'member', 'apply', '',
      case when ${kindOf} = 7 then 0 else i.pay_cents end, case when ${kindOf} = 7 then 0 else i.pay_cents end, case when ${kindOf} = 7 then 'applied' when ${kindOf} < 5 then 'rejected' else 'closed' end, case when ${kindOf} < 5 then 2 end, case when ${kindOf} < 7 then least(${now} - 60, o.finished_at + 20000) end,
      case when ${kindOf} < 5 then ${oneOf(sql`o.id / 9`, Object.keys(refundRejects).slice(0, 5))} end, case when ${kindOf} = 7 then ${now} + 3600 * (1 + o.id % 40) else o.finished_at + ${2 * DAY} end, case when ${kindOf} = 7 then ${now} - 3600 * (1 + o.id % 8) else least(${now} - 120, o.finished_at + 3600) end, case when ${kindOf} = 7 then ${now} - 3600 else least(${now} - 60, o.finished_at + 20000) end
    from "order" o join lateral (select i.* from order_item i where i.order_id = o.id order by i.id limit 1) i on true where ${old}`)
  await db.execute(lines(old))

  // A buyer who gives the whole order back has the coupon again, and the freight of what never left.
  const whole = sql`(select i.order_id, bool_or(i.shipped_qty > 0) sent from order_item i join "order" o on o.id = i.order_id where o.kind = 'elist' and o.refund_state = 'refunding' group by i.order_id having sum(i.qty - i.refunded_qty - i.refunding_qty) = 0) w`
  await db.execute(
    sql`update refund r set coupon_back = true from ${whole} where w.order_id = r.order_id and r.type <> 'resend' and r.state not in ('done', 'rejected', 'closed')`,
  )
  await db.execute(
    sql`update refund r set freight_cents = o.freight_cents, amount_cents = r.amount_cents + o.freight_cents, cap_cents = r.cap_cents + o.freight_cents from "order" o join ${whole} on w.order_id = o.id where r.order_id = o.id and not w.sent and r.type = 'refund_only' and r.state in ('applied', 'second_audit', 'paying', 'pay_failed')`,
  )

  await db.execute(sql`
    update refund r set reason_code = case when r.type = 'resend' then ${oneOf(sql`r.id`, ['missing', 'damaged', 'wrong_item'])} when exists (select 1 from refund_item i where i.refund_id = r.id and i.shipped_qty > 0) then ${oneOf(sql`r.id`, SENT)} else ${oneOf(sql`r.id`, UNSENT)} end where r.order_kind = 'elist' and r.cause = 'apply'`)
  await db.execute(sql`
    update refund set reason_code = case reason when '买多了' then 'too_many' when '朋友已买' then 'too_many' when '门店排队太久' then 'no_slot' when '预约不上' then 'no_slot' when '与描述不符' then 'not_as_described' when '未按时送达' then 'late' when '包装破损' then 'damaged' else 'changed_mind' end where order_kind <> 'elist' and cause = 'apply'`)
  await db.execute(
    sql`update refund set reason = ${wordsOf(sql`reason_code`, refundReasons)}, reject_reason = case when state = 'rejected' then ${wordsOf(sql`reject_code`, refundRejects)} || '，如有疑问可补充凭证后再次申请' else reject_reason end where order_kind = 'elist' and cause = 'apply'`,
  )
  // Whoever says that something is broken shows it.
  await db.execute(sql`
    update refund r set images = coalesce((select jsonb_agg(p) from (select jsonb_array_elements(i.snapshot->'images') p from refund_item l join order_item i on i.id = l.item_id where l.refund_id = r.id limit 3) found), '[]'::jsonb)
    where r.order_kind = 'elist' and r.reason_code in ('not_as_described', 'damaged', 'missing', 'wrong_item')`)
  await db.execute(sql`
    update refund r set messages = jsonb_build_array(jsonb_build_object('by', 'member', 'name', '买家', 'text', ${wordsOf(sql`r.reason_code`, said)}, 'at', least(${now} - 30, r.created_at + 60)))
      || case when r.id % 3 = 0 then '[]'::jsonb else jsonb_build_array(jsonb_build_object('by', 'merchant', 'name', (select m.name from merchant m where m.id = r.merchant_id), 'text', case when exists (select 1 from refund_item i where i.refund_id = r.id and i.shipped_qty > 0) then ${oneOf(sql`r.id / 3`, ['同意退货，运费由我们承担', '出库时完好，怀疑运输途中损坏，请平台核实', '可以补偿部分金额，不同意全额', '同意退货，收到后退款'])} else ${oneOf(sql`r.id / 3`, ['同意退款', '还没出库，可以退', '已打包待揽收，仓库已拦截，同意退'])} end, 'at', least(${now} - 20, r.created_at + 5400))) end
    where r.order_kind = 'elist' and r.cause = 'apply' and r.id % 5 <> 0`)
}
