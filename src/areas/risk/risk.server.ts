import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { FAR_M } from '#src/areas/code/verifier.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder } from '#src/areas/order/freeze.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { system } from '#src/areas/order/orderFacts.server.ts'
import { canFreeze } from '#src/areas/order/orderVerbs.ts'
import { headed, joined } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db, Scope } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { blackOf } from './blacklisting.server.ts'
import { cardEvents } from './cardEvents.server.ts'
import { isCardMetric } from './cardMetrics.ts'
import { risk_hit, risk_list, risk_rule, type DryRun } from './risk.table.ts'
import {
  BLOCK_S,
  MERGE_S,
  levelOf,
  measuredNote,
  scoreOf,
  type Measured,
  type RiskMetric,
  type RiskScene,
} from './risk.ts'

type Rule = typeof risk_rule.$inferSelect
export type Hit = typeof risk_hit.$inferSelect
/** A hit shows so many of its orders; a flood is told by its numbers. */
const ORDERS_MAX = 200

/** Hits of a person's places; the others do not exist for them. */
export const hitsOf = (scope: Scope): SQL | undefined =>
  within(scope, {
    city: risk_hit.city_id,
    mall: risk_hit.mall_id,
    owner: sql`(select m.bd_admin_id from ${merchant} m where m.id = ${risk_hit.merchant_id})`,
  })
/** How often a rule hit each Shanghai day, by what became of the hits. */
export const hitsByDay = async (
  db: Db,
  scope: Scope,
  of: { rule_id: number; days: number },
  now: number,
): Promise<{ day: string; waiting: number; released: number; confirmed: number }[]> => {
  const from = dayStart(now) - (of.days - 1) * DAY
  const { hit_at, state } = risk_hit
  const rows = await db
    .select({
      nth: sql<number>`((${hit_at} - ${from}) / ${DAY})::int`,
      waiting: sql<number>`count(*) filter (where ${hitWaits})::int`,
      released: sql<number>`count(*) filter (where ${state} = 'released')::int`,
      confirmed: sql<number>`count(*) filter (where ${state} = 'confirmed')::int`,
    })
    .from(risk_hit)
    .where(and(eq(risk_hit.rule_id, of.rule_id), gte(hit_at, from), hitsOf(scope)))
    .groupBy(sql`1`)
  const found = new Map(rows.map(({ nth, ...counted }) => [nth, counted]))
  const none = { waiting: 0, released: 0, confirmed: 0 }
  return Array.from({ length: of.days }, (_, nth) => ({
    day: dateOf(from + nth * DAY),
    ...(found.get(nth) ?? none),
  }))
}
/** Hits that wait for a decision: the same on the page's first tab and on the workbench's card. */
export const hitWaits = inArray(risk_hit.state, ['open', 'claimed'])

/**
 * What counts for a rule: one row an event between two moments. `w` is its weight, `x` what is
 * counted once, `sets_off` whether it can set the rule off.
 */
const eventsOf = ({ scene, condition }: Measured, from: number, to: number): SQL => {
  const kind = scene === 'ecard' || scene === 'points' ? sql`and o.kind = ${scene}` : sql``
  const columns = (of: {
    subject: SQL
    at: SQL
    w?: SQL
    x?: SQL
    code?: SQL
    store?: SQL
    sets_off?: SQL
  }) => sql`
    ${of.subject} subject, ${of.at} as at, ${of.w ?? sql`1`} w, ${of.x ?? sql`null::int`} x, ${of.sets_off ?? sql`true`} sets_off, o.id order_id, ${of.code ?? sql`null::int`} code_id, o.member_id, o.device_id, o.city_id, o.mall_id, ${of.store ? sql`o.merchant_id` : sql`null::int`} merchant_id, ${of.store ?? sql`null::int`} store_id`
  if (isCardMetric(condition.metric)) return cardEvents(condition.metric, from, to)
  const during = (at: SQL) => sql`${at} > ${from} and ${at} <= ${to}`
  const [byMember, made, paid] = [sql`o.member_id::text`, sql`o.created_at`, sql`o.paid_at`]
  switch (condition.metric) {
    case 'member_orders':
      return sql`select ${columns({ subject: byMember, at: made })} from "order" o where ${during(made)} and o.member_id is not null ${kind}`
    case 'phone_orders':
      return sql`select ${columns({ subject: sql`coalesce(m.phone, o.visitor_phone)`, at: made })} from "order" o left join member m on m.id = o.member_id where ${during(made)} and coalesce(m.phone, o.visitor_phone) is not null ${kind}`
    case 'device_orders':
      return sql`select ${columns({ subject: sql`o.device_id`, at: made })} from "order" o where ${during(made)} and o.device_id is not null ${kind}`
    // However it was spaced: people write one address in several ways.
    case 'address_orders':
      return sql`select ${columns({ subject: sql`regexp_replace((o.receiver->>'area') || (o.receiver->>'address'), '\\s', '', 'g')`, at: made })} from "order" o where ${during(made)} and o.receiver is not null ${kind}`
    case 'device_accounts':
      return sql`select ${columns({ subject: sql`o.device_id`, at: made, x: sql`o.member_id` })} from "order" o where ${during(made)} and o.device_id is not null and o.member_id is not null`
    case 'member_paid':
      return sql`select ${columns({ subject: byMember, at: paid, w: sql`o.paid_cents` })} from "order" o where ${during(paid)} and o.member_id is not null ${kind}`
    case 'new_voucher':
      return sql`select ${columns({ subject: byMember, at: paid, w: sql`o.paid_cents` })} from "order" o join member m on m.id = o.member_id where ${during(paid)} and o.kind = 'voucher' and m.register_at > o.paid_at - ${(condition.new_days ?? 0) * DAY}`
    case 'member_vouchers':
      return sql`select ${columns({ subject: byMember, at: paid, w: sql`(select sum(i.qty) from order_item i where i.order_id = o.id)` })} from "order" o where ${during(paid)} and o.kind = 'voucher' and o.member_id is not null`
    case 'cash_out':
      return sql`select ${columns({ subject: sql`o.member_id || ':' || v.store_id`, at: sql`v.verified_at`, w: sql`v.times`, code: sql`v.code_id`, store: sql`v.store_id` })} from verify_record v join "order" o on o.id = v.order_id where ${during(sql`v.verified_at`)} and v.state = 'valid' and o.member_id is not null`
    case 'redeem_cities':
      return sql`select ${columns({ subject: byMember, at: sql`v.verified_at`, x: sql`v.city_id`, code: sql`v.code_id` })} from verify_record v join "order" o on o.id = v.order_id where ${during(sql`v.verified_at`)} and v.state = 'valid' and o.member_id is not null`
    case 'far_redeems':
      return sql`select ${columns({ subject: sql`v.store_id::text`, at: sql`v.verified_at`, code: sql`v.code_id`, store: sql`v.store_id` })} from verify_record v join "order" o on o.id = v.order_id where ${during(sql`v.verified_at`)} and v.state = 'valid' and v.distance_m > ${FAR_M}`
    case 'refunds':
      return sql`select ${columns({ subject: byMember, at: sql`r.created_at` })} from refund r join "order" o on o.id = r.order_id where ${during(sql`r.created_at`)} and r.source = 'member' and r.type <> 'resend' and o.member_id is not null`
    // Orders and the refunds asked for stand side by side; only a refund can set it off.
    case 'refund_rate':
      return sql`
      select ${columns({ subject: byMember, at: sql`r.created_at` })} from refund r join "order" o on o.id = r.order_id where ${during(sql`r.created_at`)} and r.source = 'member' and r.type <> 'resend' and o.member_id is not null
      union all select ${columns({ subject: byMember, at: paid, w: sql`0`, sets_off: sql`false` })} from "order" o where ${during(paid)} and o.member_id is not null`
    case 'coupon_grants':
      return sql`
      select g.member_id::text subject, g.created_at as at, 1 w, null::int x, true sets_off, null::int order_id, null::int code_id, g.member_id, null::varchar device_id, m.city_id, 0 mall_id, null::int merchant_id, null::int store_id
      from coupon_grant g join member m on m.id = g.member_id where ${during(sql`g.created_at`)} and g.grant_kind not in ('admin', 'compensate')`
  }
}
/** Metrics that count each `x` once, however often it comes. */
const countedOnce: ReadonlySet<string> = new Set<RiskMetric>([
  'device_accounts',
  'redeem_cities',
  'card_payers',
  'card_cashed',
])
/**
 * What a rule measures over the window before an event: first what is drawn together over it, then
 * the figure.
 */
const valueOf = ({
  condition: { metric, min_sample },
}: Measured): readonly [over: SQL, value: SQL] => {
  if (countedOnce.has(metric))
    return [sql`array_agg(x) over win xs`, sql`(select count(distinct one) from unnest(xs) one)`]
  if (metric === 'refund_rate')
    return [
      sql`count(*) filter (where sets_off) over win asked, count(*) filter (where not sets_off) over win made`,
      sql`case when made >= ${min_sample ?? 2} then least(10000, 10000 * asked / made) else 0 end`,
    ]
  return [sql`sum(w) over win total`, sql`total`]
}
/**
 * Whether a subject may reach the threshold at all: one that does not over the whole time can't in
 * one window; a rate can.
 */
const mayReach = ({ condition: { metric }, threshold }: Measured): SQL => {
  if (metric === 'refund_rate') return sql`bool_or(sets_off) over whole`
  return countedOnce.has(metric)
    ? sql`count(x) over whole >= ${threshold}`
    : sql`sum(w) over whole >= ${threshold}`
}

export type Found = {
  subject: string
  at: number
  value: number
  order_id: number | null
  code_id: number | null
  member_id: number | null
  device_id: string | null
  city_id: number
  mall_id: number
  merchant_id: number | null
  store_id: number | null
  order_ids: number[]
  code_ids: number[]
}
/**
 * Every event after `from` at which the rule's condition held, over its window before that event;
 * by subject, then time.
 */
export const measureRule = async (
  db: Db,
  rule: Measured,
  from: number,
  to: number,
): Promise<Found[]> => {
  const [drawn, value] = valueOf(rule)
  const over = sql`window win as (partition by subject order by at range between ${rule.window_s - 1}::bigint preceding and current row)`
  const holds = sql`sets_off and at > ${from} and value >= ${rule.threshold}`
  // By windows over sorted events, never by joining them with themselves: of what is made on the
  // way the database knows no sizes, and would compare all with all.
  const { rows } = await db.execute<
    Omit<Found, 'order_ids' | 'code_ids'> & {
      at: string
      value: string
      orders: (number | null)[]
      codes: (number | null)[]
    }
  >(sql`
    with e as (select f.*, row_number() over () k, ${mayReach(rule)} may from (${eventsOf(rule, from - rule.window_s, to)}) f window whole as (partition by subject)),
      m as (select e.*, ${drawn} from e where may ${over}),
      v as (select m.*, ${value} as value from m),
      h as (select v.*, bool_or(${holds}) over (partition by subject) hit from v),
      s as (select h.*, array_agg(order_id) over win orders, array_agg(code_id) over win codes from h where hit ${over})
    select subject, at, value, order_id, code_id, member_id, device_id, city_id, mall_id, merchant_id, store_id, orders, codes from s where ${holds} order by subject, at, k`)
  const ids = (some: (number | null)[]) =>
    [...new Set(some.filter(id => id !== null))].toSorted((one, two) => one - two)
  return rows.map(({ orders, codes, ...row }) => ({
    ...row,
    at: Number(row.at),
    value: Math.min(2_147_483_647, Number(row.value)),
    order_ids: ids(orders),
    code_ids: ids(codes),
  }))
}

/** Events of one subject within ten minutes of each other are one. */
export const merged = (
  found: readonly Found[],
): {
  first: Found
  last: Found
  value: number
  n: number
  order_ids: number[]
  code_ids: number[]
}[] => {
  const groups: Found[][] = []
  for (const one of found) {
    const open = groups.at(-1)
    const before = open?.at(-1)
    if (open && before && before.subject === one.subject && one.at - before.at <= MERGE_S)
      open.push(one)
    else groups.push([one])
  }
  return groups.map(group => ({
    first: group[0]!,
    last: group.at(-1)!,
    value: Math.max(...group.map(one => one.value)),
    n: group.length,
    order_ids: [...new Set(group.flatMap(one => one.order_ids))],
    code_ids: [...new Set(group.flatMap(one => one.code_ids))],
  }))
}

/**
 * Tries a rule on the real orders of the last days: how many it would have stopped, whose, and
 * worth how much. Nothing is made of it.
 */
export const dryRun = async (
  db: Db,
  rule: Measured,
  days: number,
  now: number,
): Promise<DryRun & { sample: number[] }> => {
  const from = now - days * DAY
  const found = await measureRule(db, rule, from, now)
  const orders = [...new Set(found.flatMap(one => one.order_id ?? []))]
  const amount =
    orders.length === 0
      ? 0
      : (
          await db
            .select({ sum: sql<string>`coalesce(sum(${order.pay_cents}), 0)` })
            .from(order)
            .where(sql`${order.id} = any(${sql.param(orders)}::int[])`)
        )[0]!.sum
  const [all] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(order)
    .where(and(gt(order.created_at, from), lte(order.created_at, now)))
  return {
    days,
    from,
    to: now,
    orders: orders.length,
    members: new Set(found.map(one => one.member_id ?? one.subject)).size,
    hits: merged(found).length,
    amount_cents: Number(amount),
    orders_in_all: all!.n,
    sample: orders.slice(-10),
  }
}

/** What of these is on a list now, in a scene. */
const standing = (list: 'black' | 'white', scene: RiskScene, now: number) =>
  and(
    eq(risk_list.list, list),
    eq(risk_list.status, 'on'),
    inArray(risk_list.scene, ['all', scene]),
    or(isNull(risk_list.until_at), gt(risk_list.until_at, now)),
  )
const phonesOf = async (
  db: Db,
  of: { member_id: number | null; phone?: string | null },
): Promise<{ phone: string }[]> => {
  if (of.member_id === null) return of.phone ? [{ phone: of.phone }] : []
  return db.select({ phone: member.phone }).from(member).where(eq(member.id, of.member_id))
}
const isWhite = async (
  db: Db,
  of: { member_id: number | null; phone?: string | null; device_id: string | null },
  scene: RiskScene,
  now: number,
): Promise<boolean> => {
  const [who] = await phonesOf(db, of)
  const values = [
    ...(of.member_id === null
      ? []
      : [sql`(${risk_list.type} = 'member' and ${risk_list.value} = ${String(of.member_id)})`]),
    ...(who ? [sql`(${risk_list.type} = 'phone' and ${risk_list.value} = ${who.phone})`] : []),
    ...(of.device_id === null
      ? []
      : [sql`(${risk_list.type} = 'device' and ${risk_list.value} = ${of.device_id})`]),
  ]
  if (values.length === 0) return false
  const [found] = await db
    .select({ id: risk_list.id })
    .from(risk_list)
    .where(and(standing('white', scene, now), or(...values)))
    .limit(1)
  return found !== undefined
}

/**
 * An order must not be: its member or visitor, phone or device is on the black list, or a blocking
 * rule hit it and nobody released it yet. Where the rule wants a captcha, it may be once its buyer
 * has read one (`proved`), which whoever takes the order has had done.
 */
export const refuseRisky = async (
  tx: Db,
  of: {
    member_id: number | null
    phone?: string | null
    device_id: string | null
    proved?: boolean | undefined
    now: number
  },
): Promise<void> => {
  const [who] =
    of.member_id === null
      ? [{ id: 0, phone: of.phone ?? null }]
      : await tx
          .select({ id: member.id, phone: member.phone })
          .from(member)
          .where(eq(member.id, of.member_id))
  if (!who || (of.member_id === null && !who.phone && of.device_id === null)) return
  const blocked: readonly [string, readonly [string, string]] = [
    'risk_blocked',
    [
      '该账号或设备暂时不能下单，请联系客服',
      'This account or device can’t order now: ask customer service',
    ],
  ]
  if ((await blackOf(tx, [{ ...who, device_id: of.device_id }], of.now)).size > 0)
    throw ruled(...blocked)
  const [hit] = await tx
    .select({ action: risk_hit.action })
    .from(risk_hit)
    .where(
      and(
        // What a phone did as a visitor is known by the orders of the hit.
        or(
          of.member_id === null ? undefined : eq(risk_hit.member_id, of.member_id),
          of.device_id === null ? undefined : eq(risk_hit.device_id, of.device_id),
          of.member_id === null && of.phone
            ? sql`exists (select 1 from "order" o where o.visitor_phone = ${of.phone} and ${risk_hit.order_ids} @> to_jsonb(o.id))`
            : undefined,
        ),
        inArray(risk_hit.action, of.proved ? ['block'] : ['block', 'captcha']),
        ne(risk_hit.state, 'released'),
        gt(risk_hit.last_at, of.now - BLOCK_S),
      ),
    )
    .orderBy(asc(risk_hit.action))
    .limit(1)
  if (!hit || (await isWhite(tx, of, 'order', of.now))) return
  throw hit.action === 'block'
    ? ruled(...blocked)
    : ruled('captcha', ['请先完成图形验证再下单', 'Read the captcha first, then order'])
}

/** What a store's clerks do is the store's: no buyer is held to it. */
const byStore = (rule: Measured) => rule.condition.metric === 'far_redeems'
const byDevice = (rule: Measured) =>
  rule.condition.metric === 'device_orders' || rule.condition.metric === 'device_accounts'
const facesOf = async (tx: Db, code_ids: readonly number[]) =>
  Number(
    (
      await tx
        .select({ sum: sql<string>`coalesce(sum(${ecard_code.face_cents}), 0)` })
        .from(ecard_code)
        .where(inArray(ecard_code.id, [0, ...code_ids]))
    )[0]!.sum,
  )
/** What the orders came to; of cards without an order, what they are good for. */
const amountOf = async (tx: Db, order_ids: readonly number[], code_ids: readonly number[]) =>
  order_ids.length === 0
    ? facesOf(tx, code_ids)
    : Number(
        (
          await tx
            .select({ sum: sql<string>`coalesce(sum(${order.pay_cents}), 0)` })
            .from(order)
            .where(inArray(order.id, [...order_ids]))
        )[0]!.sum,
      )
/** Orders that a hit may hold up, held up: those that can't be are left as they are. */
const holdOrders = async (tx: Db, hit: Hit, reason: string, now: number): Promise<void> => {
  const rows =
    hit.order_ids.length === 0
      ? []
      : await tx
          .select()
          .from(order)
          .where(inArray(order.id, hit.order_ids))
          .orderBy(order.id)
          .for('update')
  const froze = [...hit.froze]
  for (const row of rows)
    if (canFreeze(row) === true)
      froze.push(
        (
          await freezeOrder(tx, {
            order_id: row.id,
            by: 'risk',
            actor: system,
            reason,
            hit_id: hit.id,
            now,
          })
        ).id,
      )
  if (froze.length > hit.froze.length)
    await tx.update(risk_hit).set({ froze }).where(eq(risk_hit.id, hit.id))
}

/**
 * Measures one rule since it was last measured, and makes hits of what it found or adds them to
 * those that are open. Answers how many.
 */
export const runRule = async (tx: Db, id: number, now: number): Promise<number> => {
  // Two processes, or a run again after a crash: the one that comes second finds the time measured
  // already.
  const [rule] = await tx
    .select()
    .from(risk_rule)
    .where(and(eq(risk_rule.id, id), eq(risk_rule.status, 'on')))
    .for('update')
  if (!rule || (rule.measured_until ?? 0) >= now) return 0
  let made = 0
  for (const group of merged(await measureRule(tx, rule, rule.measured_until ?? now - 600, now))) {
    const { first } = group
    const last = byStore(rule) ? { ...group.last, member_id: null, device_id: null } : group.last
    if (
      await isWhite(
        tx,
        { member_id: last.member_id, device_id: byDevice(rule) ? last.device_id : null },
        rule.scene,
        now,
      )
    )
      continue
    made += 1
    await keepHit(tx, rule, { group, first, last }, now)
  }
  await tx.update(risk_rule).set({ measured_until: now }).where(eq(risk_rule.id, id))
  return made
}
type Events = ReturnType<typeof merged>[number]
/** The open hit that events of a rule go on with, locked; a decided hit never changes. */
const openHit = async (tx: Db, rule: Rule, first: Found, last: Found) => {
  const device_id = byDevice(rule) ? last.device_id : null
  const same = byStore(rule)
    ? eq(risk_hit.store_id, last.store_id!)
    : or(
        last.member_id === null ? undefined : eq(risk_hit.member_id, last.member_id),
        device_id === null ? undefined : eq(risk_hit.device_id, device_id),
      )
  if (same === undefined) return undefined
  const [open] = await tx
    .select()
    .from(risk_hit)
    .where(
      and(eq(risk_hit.rule_id, rule.id), same, hitWaits, gte(risk_hit.last_at, first.at - MERGE_S)),
    )
    .orderBy(desc(risk_hit.last_at))
    .limit(1)
    .for('update')
  return open
}
const confirmedBefore = async (tx: Db, member_id: number | null): Promise<number> => {
  if (member_id === null) return 0
  const [before] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(risk_hit)
    .where(and(eq(risk_hit.member_id, member_id), eq(risk_hit.state, 'confirmed')))
  return before!.n
}
const keepHit = async (
  tx: Db,
  rule: Rule,
  { group, first, last }: { group: Events; first: Found; last: Found },
  now: number,
): Promise<void> => {
  const open = await openHit(tx, rule, first, last)
  const before = await confirmedBefore(tx, last.member_id)
  const order_ids = [...new Set([...(open?.order_ids ?? []), ...group.order_ids])].slice(
    -ORDERS_MAX,
  )
  const code_ids = [...new Set([...(open?.code_ids ?? []), ...group.code_ids])].slice(-ORDERS_MAX)
  const value = Math.max(open?.value ?? 0, group.value)
  const score = scoreOf(value, rule.threshold, before)
  const common = {
    order_ids,
    code_ids,
    value,
    score,
    level: levelOf(score),
    amount_cents: await amountOf(tx, order_ids, rule.scene === 'ecard' ? code_ids : []),
    note: measuredNote(rule, value),
    last_at: Math.max(open?.last_at ?? 0, last.at),
  }
  const [hit] = open
    ? await tx
        .update(risk_hit)
        .set({
          ...common,
          merged_count: open.merged_count + group.n,
          version: open.version + 1,
          updated_at: now,
        })
        .where(eq(risk_hit.id, open.id))
        .returning()
    : await tx
        .insert(risk_hit)
        .values({
          ...common,
          domain: rule.scene === 'ecard' ? 'ecard' : 'platform',
          rule: rule.condition.metric,
          rule_id: rule.id,
          scene: rule.scene,
          action: rule.action,
          city_id: last.city_id,
          mall_id: last.mall_id,
          merchant_id: last.merchant_id,
          store_id: last.store_id,
          member_id: last.member_id,
          device_id: last.device_id,
          state: 'open',
          hit_at: first.at,
          merged_count: group.n,
          created_at: now,
          updated_at: now,
        })
        .returning()
  if (rule.action === 'hold')
    await holdOrders(tx, hit!, joined(headed(['风控规则', 'Risk rule'], rule.name)), now)
}

/** What can still be on its way into the database when the clock has struck. */
const LATE_S = 5
/**
 * Measures every rule that is on, each in a transaction of its own: one that can't be measured
 * stops no other.
 */
export const runRules = async (
  database: Database,
  now: number,
): Promise<{ made: number; faults: { rule_id: number; fault: unknown }[] }> => {
  const on = await database.db
    .select({ id: risk_rule.id })
    .from(risk_rule)
    .where(eq(risk_rule.status, 'on'))
    .orderBy(risk_rule.id)
  let made = 0
  const faults: { rule_id: number; fault: unknown }[] = []
  for (const { id } of on) {
    try {
      made += await database.transaction(tx => runRule(tx, id, now - LATE_S))
    } catch (fault) {
      faults.push({ rule_id: id, fault })
    }
  }
  return { made, faults }
}

/** Devices that a member of staff orders on as a member themselves, known by their phone. */
export const ownDevices = async (db: Db, phone: string): Promise<string[]> =>
  (
    await db
      .selectDistinct({ device_id: order.device_id })
      .from(order)
      .innerJoin(member, eq(member.id, order.member_id))
      .where(and(eq(member.phone, phone), isNotNull(order.device_id)))
  ).map(one => one.device_id!)
