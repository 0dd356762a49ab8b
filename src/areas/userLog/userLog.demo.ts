import { sql, type SQL } from 'drizzle-orm'
import { DAY, dayStart, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'

/** How many orders and coupons of the latest the log of the demo tells of, at scale 1. */
const ORDERS = 1500
const COUPONS = 600
const SIGN_INS = 1200

/** What each source of lines says; the address, the city and the client are added to all of them. */
const line = (of: {
  request: SQL
  member: SQL
  kind: SQL
  device?: SQL
  risk?: SQL
  detail?: SQL
  at: SQL
  from: SQL
}): SQL => sql`(select ${of.request} as request_id, ${of.member} as member_id, ${of.kind} as kind,
  ${of.device ?? sql`''`} as device_id, ${of.risk ?? sql`0`} as risk, ${of.detail ?? sql`'{}'::jsonb`} as detail,
  ${of.at} as at from ${of.from})`
/** A number that stands in the text: as a parameter it would have no type. */
const num = (value: number): SQL => sql.raw(`${value}::bigint`)
const text = (value: string): SQL => sql`${sql.raw(`'${value}'`)}`
const own = sql`coalesce(o.device_id, '')`
/** Orders of members, their payments and refunds, and the sign-in before each. */
const traded = (n: number, now: number): SQL[] => {
  const latest = sql`(select * from "order" where member_id is not null and created_at between
    ${num(now - 170 * DAY)} and ${num(now)} order by created_at desc, id desc limit ${num(n)}) o`
  const member = sql`o.member_id`
  return [
    line({
      request: sql`'order:' || o.order_no`,
      member,
      kind: text('order'),
      device: own,
      detail: sql`jsonb_build_object('no', o.order_no, 'cents', o.pay_cents)`,
      at: sql`o.created_at`,
      from: latest,
    }),
    line({
      request: sql`'login:demo-o' || o.id`,
      member,
      kind: text('login'),
      device: own,
      at: sql`o.created_at - 60 - o.id % 900`,
      from: sql`${latest} where o.id % 3 = 0`,
    }),
    line({
      request: sql`'pay:' || o.order_no`,
      member,
      kind: text('pay'),
      device: own,
      detail: sql`jsonb_build_object('no', o.order_no, 'cents', o.paid_cents)`,
      at: sql`o.paid_at`,
      from: sql`${latest} where o.paid_at <= ${num(now)} and o.paid_cents > 0`,
    }),
    line({
      request: sql`'refund:' || r.refund_no`,
      member,
      kind: text('refund'),
      device: own,
      detail: sql`jsonb_build_object('no', r.refund_no, 'cents', r.amount_cents)`,
      at: sql`r.done_at`,
      from: sql`${latest} join refund r on r.order_id = o.id and r.state = 'done'
        and r.done_at <= ${num(now)}`,
    }),
  ]
}
/** Coupons taken, sign-ins, and what was done with accounts. */
const accounts = (scale: number, now: number): SQL[] => [
  line({
    request: sql`'coupon:' || g.id`,
    member: sql`g.member_id`,
    kind: text('coupon'),
    detail: sql`jsonb_build_object('coupon_id', g.coupon_id, 'qty', 1)`,
    at: sql`g.created_at`,
    from: sql`(select * from coupon_grant where member_id is not null and created_at between
      ${num(now - 170 * DAY)} and ${num(now)} order by id desc limit ${num(Math.ceil(COUPONS * scale))}) g`,
  }),
  line({
    request: sql`'login:demo-m' || m.id`,
    member: sql`m.id`,
    kind: text('login'),
    // Three of a household share a phone; everybody else has one of their own.
    device: sql`case when m.id > 40 and m.id % 40 < 3 then 'dev-home-' || m.id / 40 else 'd' || md5('m' || m.id) end`,
    risk: sql`case when m.id > 40 and m.id % 40 = 2 then 30 else 0 end`,
    detail: sql`case when m.id > 40 and m.id % 40 = 2 then '{"why":["shared"]}' else '{}' end::jsonb`,
    at: sql`${num(now)} - ${num(29 * DAY)} + m.id % 40 * ${num(HOUR)} + m.id * 977 % ${num(20 * DAY)}`,
    from: sql`(select * from member where account_state not in ('canceled', 'merged') order by id
      limit ${num(Math.ceil(SIGN_INS * scale))}) m`,
  }),
  line({
    request: sql`'login:demo-f' || m.id`,
    member: sql`m.id`,
    kind: text('login_fail'),
    device: sql`'d' || md5('m' || m.id)`,
    risk: sql`30`,
    detail: sql`'{"why":["barred"]}'::jsonb`,
    at: sql`${num(now)} - ${num(HOUR)} - m.id * 131 % ${num(9 * DAY)}`,
    from: sql`member m where m.account_state = 'banned'`,
  }),
  line({
    request: sql`'sanction:' || s.id || ':0'`,
    member: sql`s.member_id`,
    kind: text('sanction'),
    detail: sql`jsonb_build_object('sanction', s.kind, 'step', 'begin', 'until', s.end_at,
      'by', 'staff')`,
    at: sql`s.start_at`,
    from: sql`user_sanction s where s.start_at <= ${num(now)}`,
  }),
  line({
    request: sql`'sanction:' || s.id || ':1'`,
    member: sql`s.member_id`,
    kind: text('sanction'),
    detail: sql`jsonb_build_object('sanction', s.kind, 'step', 'lift', 'until', s.end_at,
      'by', 'staff')`,
    at: sql`s.ended_at`,
    from: sql`user_sanction s where s.status = 'lifted' and s.ended_at <= ${num(now)}`,
  }),
  line({
    request: sql`'cancel_apply:' || c.id`,
    member: sql`c.member_id`,
    kind: text('cancel_apply'),
    detail: sql`'{"by":"staff"}'::jsonb`,
    at: sql`c.asked_at`,
    from: sql`member_closing c where c.asked_at <= ${num(now)}`,
  }),
  line({
    request: sql`'cancel_done:demo-' || m.id`,
    member: sql`m.id`,
    kind: text('cancel_done'),
    detail: sql`'{"by":"rule"}'::jsonb`,
    at: sql`${num(now)} - ${num(DAY)} - m.id * 4099 % ${num(25 * DAY)}`,
    from: sql`member m where m.account_state = 'canceled'`,
  }),
]
/** Two devices on which rings of accounts sign in, and a phone changed at night before a withdrawal. */
const suspicious = (now: number): SQL[] => {
  const night = dayStart(now) - 2 * DAY + 2 * HOUR
  const victim = sql`(select id from member where account_state = 'normal' order by id offset 40
    limit 1) m`
  const device = text('dev-new-7f31')
  return [
    line({
      request: sql`'login:demo-r' || r.member_id`,
      member: sql`r.member_id`,
      kind: text('login'),
      device: sql`r.device_id`,
      risk: sql`case when r.nth > 7 then 60 when r.nth > 2 then 30 else 0 end`,
      detail: sql`case when r.nth > 7 then '{"why":["shared_many"]}'
        when r.nth > 2 then '{"why":["shared"]}' else '{}' end::jsonb`,
      at: sql`${num(now)} - ${num(2 * DAY)} + r.nth * 300`,
      from: sql`(select member_id, device_id, row_number() over (partition by device_id
        order by member_id) nth from (select distinct member_id, device_id from subsidy_log
        where device_id like 'dev-ring-%' and member_id is not null) d) r`,
    }),
    line({
      request: sql`'change_phone:demo-night'`,
      member: sql`m.id`,
      kind: text('change_phone'),
      device,
      risk: sql`30`,
      detail: sql`'{"why":["night","new_device"]}'::jsonb`,
      at: sql`${num(night + 1500)}`,
      from: victim,
    }),
    line({
      request: sql`'withdraw:demo-night'`,
      member: sql`m.id`,
      kind: text('withdraw'),
      device,
      risk: sql`80`,
      detail: sql`'{"cents":286000,"why":["moved_out","night"]}'::jsonb`,
      at: sql`${num(night + 3900)}`,
      from: victim,
    }),
  ]
}

/** What members of the demo did lately, grown from what its other steps told, in the order of time. */
const seedUserLog = async (db: Db, { now, scale }: Pick<World, 'now' | 'scale'>): Promise<void> => {
  const lines = [
    ...traded(Math.ceil(ORDERS * scale), now),
    ...accounts(scale, now),
    ...suspicious(now),
  ]
  // Rings share the address of one network; everybody else has one in the private range.
  await db.execute(sql`
    insert into user_log (request_id, member_id, kind, ip, region, device_id, client, risk, detail, at)
    select l.request_id, l.member_id, l.kind,
      case when l.kind in ('sanction', 'cancel_apply', 'cancel_done') then ''
        when l.device_id like 'dev-ring-%' then '203.0.113.' || right(l.device_id, 1)
        when l.device_id = 'dev-new-7f31' then '203.0.113.77'
        else '10.' || l.member_id % 200 || '.' || l.member_id / 200 % 250 || '.'
          || 1 + l.member_id % 250 end,
      case when l.kind in ('sanction', 'cancel_apply', 'cancel_done') then '' else c.city_name end,
      l.device_id,
      case when l.kind in ('sanction', 'cancel_apply', 'cancel_done') then ''
        else (array['小程序 8.0.52 · iOS 18', '小程序 8.0.50 · Android 15', '小程序 8.0.49 · HarmonyOS 5'])
          [1 + l.member_id % 3] end,
      l.risk, l.detail, l.at
    from (${sql.join(lines, sql` union all `)}) l
      join member m on m.id = l.member_id left join city c on c.id = m.city_id
    where l.at is not null order by l.at, l.request_id on conflict do nothing`)
}

/** After orders, coupons, subsidies and sanctions. */
export const demo: readonly DemoStep[] = [
  { place: 154, branch: 'user log', run: (db, _, world) => seedUserLog(db, world) },
]
