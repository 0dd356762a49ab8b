import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'

/**
 * Makes visitors believable: some come again with the same phone and device, one device orders for
 * many phones, some are members who were not signed in, a few of these were bound to their member
 * since, and each code went out by SMS. From the rows' own numbers, so that no other demo data
 * changes with it.
 */
export const dressVisitors = async (db: Db, now: number): Promise<void> => {
  const visitors = sql`o.kind = 'visitor'`
  // About three orders a regular; the others come once. Bills are paid by the QR code on the table,
  // codes are bought by a link.
  const who = sql`case when o.id % 3 = 0 then o.id / 220 else 100000 + o.id end`
  await db.execute(sql`
    update "order" o set visitor_phone = '136' || lpad(((${who})::bigint * 7919 % 90000000 + 10000000)::text, 8, '0'), visitor_openid = 'oVis' || upper(substr(md5('w' || (${who})::text), 1, 20)), device_id = 'v' || substr(md5('d' || (${who})::text), 1, 12), source = case when o.sub_kind = 'pay_bill' then 'qr' when o.id % 5 = 1 then 'mini_program' else 'h5' end where ${visitors}`)
  await db.execute(
    sql`update "order" o set device_id = 'vfarm00c81d5e' where ${visitors} and o.id % 3 = 1 and o.created_at > ${now - 40 * DAY} and o.id % 4 = 1`,
  )
  await db.execute(
    sql`update "order" o set visitor_phone = m.phone from member m where ${visitors} and o.id % 9 = 4 and m.id = 1 + o.id % (select count(*)::int from member) and m.account_state = 'normal'`,
  )

  const binds = (
    where: ReturnType<typeof sql>,
    state: string,
    other: boolean,
    times: ReturnType<typeof sql>,
  ) => sql`
    insert into order_bind (order_id, ordered_at, city_id, mall_id, member_id, state, first_by, reason, second_by, second_reason, bound_at, created_at, updated_at)
    select o.id, o.created_at, o.city_id, o.mall_id, m.id, ${state}, 3 + o.id % 5, ${other ? '来电报出订单号与付款截图，手机号已换' : '来电核对手机号一致'}, ${other && state !== 'asked' ? sql`9 + o.id % 3` : sql`null::int`}, ${other && state !== 'asked' ? sql`${state === 'refused' ? '付款截图对不上，请补充' : '已核对付款截图'}` : sql`null::text`}, ${state === 'bound' || state === 'undone' ? times : sql`null::bigint`}, ${times}, ${times}
    from "order" o join member m on ${other ? sql`m.id = 1 + (o.id * 31) % (select count(*)::int from member) and m.phone <> o.visitor_phone` : sql`m.phone = o.visitor_phone`} and m.account_state = 'normal' where ${visitors} and o.pay_state = 'paid' and o.refund_state = 'none' and not o.frozen and ${where} and not exists (select 1 from order_bind b where b.order_id = o.id) order by o.id, m.id`
  const after = sql`least(${now} - 1800, o.paid_at + 5400)`
  // At any hour one was bound just now, and can be undone.
  await db.execute(
    binds(
      sql`o.id = (select w.id from "order" w where w.kind = 'visitor' and w.fulfil_state = 'waiting_use' and w.pay_state = 'paid' and w.refund_state = 'none' and not w.frozen and w.paid_at < ${now - 7200} order by w.paid_at desc, w.id limit 1)`,
      'bound',
      true,
      sql`${now - 3600}::bigint`,
    ),
  )
  // At any hour another waits to be bound.
  const waiting = sql`(select min(w.id) from "order" w where w.kind = 'visitor' and w.fulfil_state = 'waiting_use' and w.pay_state = 'paid' and w.refund_state = 'none' and not w.frozen and not exists (select 1 from order_bind b where b.order_id = w.id))`
  await db.execute(binds(sql`o.id % 2 = 0 and o.id % 9 = 4`, 'bound', false, after))
  await db.execute(
    binds(
      sql`o.fulfil_state in ('waiting_use', 'finished') and o.id % 17 = 3`,
      'bound',
      true,
      after,
    ),
  )
  await db.execute(
    binds(
      sql`o.fulfil_state = 'waiting_use' and (o.id % 4 = 1 or o.id = ${waiting})`,
      'asked',
      true,
      sql`greatest(o.paid_at + 60, ${now} - 600 * (1 + o.id % 50))`,
    ),
  )
  await db.execute(binds(sql`o.id % 41 = 7`, 'refused', true, after))
  await db.execute(
    sql`update "order" o set member_id = b.member_id, claimed_at = b.bound_at from order_bind b where b.order_id = o.id and b.state = 'bound'`,
  )
  await db.execute(sql`
    insert into order_log (order_id, event, actor_type, actor_id, memo, data, at)
    select order_id, case state when 'bound' then 'bind' when 'asked' then 'bind_ask' else 'bind_refuse' end, 'staff', coalesce(second_by, first_by), coalesce(second_reason, reason), jsonb_build_object('bind_id', id, 'member_id', member_id), created_at from order_bind`)

  await db.execute(sql`
    insert into order_message (order_id, kind, phone, text, state, tries, answer, sent_at, created_at, updated_at)
    select o.id, 'code', o.visitor_phone, '您的券码：' || (select string_agg(c.code, '、' order by c.id) from order_code c where c.order_id = o.id) || '。订单 ' || o.order_no, s.state, case s.state when 'failed' then 3 when 'sent' then 1 else 0 end, case s.state when 'failed' then '号码停机或关机' when 'sent' then 'OK' end, case when s.state = 'sent' then o.paid_at + 3 end, o.paid_at, o.paid_at + 3
    from "order" o, lateral (select case when o.paid_at > ${now - 900} then 'queued' when o.id % 23 = 2 then 'failed' else 'sent' end state) s where ${visitors} and o.sub_kind = 'code' and o.pay_state = 'paid' and o.paid_at is not null order by o.id`)
}
