import { and, eq, gt, gte, inArray, lte, ne, or, desc, sql, type SQL } from 'drizzle-orm'
import { reasonNamed } from '#src/areas/afterSalePolicy/reasons.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { type order_log } from '#src/areas/order/trail.table.ts'
import { type payment } from '#src/areas/payment/payment.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import {
  openRefunds,
  postedKinds,
  refundStates,
  refundTypes,
  type PostedKind,
  type RefundState,
  type RefundType,
} from '#src/areas/refund/refund.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import type { Payout } from '#src/areas/refund/refundPay.server.ts'
import { returnNews, STUCK_S, type ReturnNews } from '#src/areas/shipping/track.ts'
import { yuan } from '#src/domain/money.ts'
import { clause, colon, say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { chosenRows, type Chosen } from '#src/server/exports/exports.ts'

/** What the queues of refund cases have in common, whatever orders the cases are of. */
export type CaseFilters = {
  keyword?: string | undefined
  type?: RefundType | undefined
  reason_code?: string | undefined
  city_id?: number | undefined
  mid?: number | undefined
  merchant_id?: number | undefined
  amount_from?: number | undefined
  amount_to?: number | undefined
  channel_failed?: boolean | undefined
  overdue?: boolean | undefined
  parcel?: ReturnNews | undefined
  from?: number | undefined
  to?: number | undefined
}
export const caseTabs = ['open', 'mine', ...Object.keys(refundStates)] as (
  | 'open'
  | 'mine'
  | RefundState
)[]
export type CaseTab = (typeof caseTabs)[number]
const t = refund
const isOpenCase = inArray(t.state, [...openRefunds])
/**
 * Which cases are meant: all of bundles, or what the queue of after-sales holds, of a kind or at
 * all.
 */
export type CaseSet = 'bundles' | PostedKind | 'posted'
const inSet = (set: CaseSet): SQL | undefined => {
  if (set === 'bundles') return eq(t.order_kind, 'combo')
  if (set === 'posted') return or(...postedKinds.map(inSet))
  if (set === 'elist') return eq(t.order_kind, 'elist')
  return and(eq(t.order_kind, set), eq(t.type, 'return_refund'))
}
/** Cases of a set inside a person's data; the others do not exist for them. */
export const casesOf = (set: CaseSet, staff: Pick<Staff, 'scope'>): SQL | undefined =>
  and(
    inSet(set),
    within(staff.scope, {
      city: t.city_id,
      mall: t.mall_id,
      owner: sql`(select m.bd_admin_id from merchant m where m.id = ${t.merchant_id})`,
    }),
  )
const inTab = (tab: CaseTab, me: number, now: number): SQL | undefined => {
  if (tab === 'open') return isOpenCase
  if (tab === 'mine') return and(isOpenCase, eq(t.claimed_by, me), gt(t.claim_until, now))
  return eq(t.state, tab)
}
/** By the whole number of a case, an order or a parcel that came back: each has its index. */
const numbered = (keyword: string): SQL => {
  const no = keyword.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
  return sql`${t.id} in (select r.id from refund r where r.refund_no = ${no} union select r.id from refund r where r.return_tracking_no = ${no} union select r.id from refund r join "order" o on o.id = r.order_id where o.order_no = ${no})`
}
/** What comes back and is there, or does not move: `newsOf` in SQL. */
const inNews = (news: ReturnNews, now: number): SQL => {
  const state = sql`${t.return_track}->>'state'`
  return sql`${t.state} = 'returning' and ${news === 'arrived' ? sql`${state} = 'signed'` : sql`(${state} = 'problem' or (${state} <> 'signed' and coalesce((${t.return_track}->'traces'->-1->>'at')::bigint, (${t.return_track}->>'sent_at')::bigint) < ${now - STUCK_S}))`}`
}
/**
 * One tab, the filters and the reader's data: the list, its count, its tab's number and its export
 * all use this.
 */
export const caseWhere = (
  set: CaseSet,
  tab: CaseTab,
  of: CaseFilters & Chosen,
  { staff, now }: { staff: Staff; now: number },
): SQL | undefined =>
  and(
    casesOf(set, staff),
    chosenRows(t.id, of),
    inTab(tab, staff.id, now),
    of.keyword ? numbered(of.keyword) : undefined,
    of.type && eq(t.type, of.type),
    of.reason_code ? eq(t.reason_code, of.reason_code) : undefined,
    of.city_id === undefined ? undefined : eq(t.city_id, of.city_id),
    of.mid === undefined ? undefined : eq(t.mall_id, of.mid),
    of.merchant_id === undefined ? undefined : eq(t.merchant_id, of.merchant_id),
    of.amount_from === undefined ? undefined : gte(t.amount_cents, of.amount_from),
    of.amount_to === undefined ? undefined : lte(t.amount_cents, of.amount_to),
    of.channel_failed
      ? sql`exists (select 1 from payment p where p.refund_id = ${t.id} and p.fails > 0)`
      : undefined,
    of.overdue
      ? and(
          inArray(t.state, ['applied', 'second_audit', 'wait_return', 'returning']),
          lte(t.deadline_at, now),
        )
      : undefined,
    of.parcel && inNews(of.parcel, now),
    of.from === undefined ? undefined : gte(t.created_at, of.from),
    of.to === undefined ? undefined : lte(t.created_at, of.to),
  )
export const readCase = async (db: Db, set: CaseSet, id: number, staff: Staff): Promise<Refund> => {
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), casesOf(set, staff)))
  if (!row) throw missing()
  return row
}
/** Names of staff, by their ids. */
export const namesOf = async (db: Db, ids: readonly (number | null)[]) => {
  const people = [...new Set(ids.filter(id => id !== null))]
  return new Map(
    people.length === 0
      ? []
      : (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, people))
        ).map(one => [one.id, one.name]),
  )
}

/** The names of the merchants whose cases they are. */
export const sellersOf = async (
  db: Db,
  found: readonly Pick<Refund, 'merchant_id'>[],
): Promise<Map<number, string>> =>
  new Map(
    (
      await db
        .select({ id: merchant.id, name: merchant.name })
        .from(merchant)
        .where(inArray(merchant.id, [...new Set(found.map(row => row.merchant_id))]))
    ).map(one => [one.id, one.name]),
  )

/** How this buyer deals with us. */
export const buyerOf = async (db: Db, row: Refund, now: number) => {
  if (row.member_id === null) return null
  const {
    rows: [one],
  } = await db.execute<{
    name: string
    phone: string
    orders: number
    refunds: number
    refunds_90d: number
    refund_only: number
  }>(sql`
    select m.nickname as name, m.phone, (select count(*)::int from "order" o where o.member_id = m.id and o.paid_at is not null) orders, r.refunds, r.refunds_90d, r.refund_only
    from member m, lateral (select count(*)::int refunds, count(*) filter (where r.created_at > ${now - 90 * DAY})::int refunds_90d, count(*) filter (where r.type = 'refund_only')::int refund_only from refund r where r.member_id = m.id and r.source = 'member') r where m.id = ${row.member_id}`)
  return one ?? null
}
const PAST = 8
/** Earlier cases of this buyer that I may see, those of the same merchant or reason first. */
export const pastOf = async (db: Db, set: CaseSet, row: Refund, staff: Staff) => {
  if (row.member_id === null) return []
  const similar = sql<boolean>`(${t.merchant_id} = ${row.merchant_id} or ${t.reason_code} is not distinct from ${row.reason_code})`
  return db
    .select({
      id: t.id,
      refund_no: t.refund_no,
      title: sql<string>`coalesce((select i.title from refund_item l join order_item i on i.id = l.item_id where l.refund_id = "refund"."id" order by l.id limit 1), '')`,
      type: t.type,
      reason_code: t.reason_code,
      amount_cents: t.amount_cents,
      state: t.state,
      at: t.created_at,
      similar,
    })
    .from(t)
    .where(and(eq(t.member_id, row.member_id), ne(t.id, row.id), casesOf(set, staff)))
    .orderBy(desc(similar), desc(t.created_at))
    .limit(PAST)
}

export type CaseStep = {
  id: number
  version: number
  by: { id: number; limit_cents: number }
  now: number
}
const logged = [
  'state',
  'type',
  'amount_cents',
  'claimed_by',
  'claim_until',
  'first_by',
  'second_by',
  'reject_code',
  'reject_reason',
  'return_address_id',
  'return_courier',
  'return_tracking_no',
  'return_received_at',
  'return_condition',
  'deadline_at',
  'intervened',
  'offline',
  'offline_account',
  'offline_proof',
  'policy_override',
] as const satisfies readonly (keyof Refund)[]
/** A step of a case inside my data, carried out by its service, with a line of what it changed. */
export const actOn = async (
  set: CaseSet,
  { tx, staff, now, log }: WriteContext,
  { id, version }: { id: number; version: number },
  { run, ...more }: { run: (of: CaseStep) => Promise<Refund>; reason?: string; after?: object },
) => {
  const before = await readCase(tx, set, id, staff)
  const after = await run({
    id,
    version,
    by: { id: staff.id, limit_cents: staff.refund_limit_cents },
    now,
  })
  const names = logged.filter(name => before[name] !== after[name])
  const pick = (row: Refund) => Object.fromEntries(names.map(name => [name, row[name]]))
  log({
    object_type: 'refund',
    object_id: id,
    object_label: before.refund_no,
    before: pick(before),
    after: { ...pick(after), ...more.after },
    ...(more.reason && { reason: more.reason }),
  })
  return { id, state: after.state, version: after.version }
}

/** What a row of any queue shows of its case. */
export const caseLook = (
  row: Refund,
  of: { names: ReadonlyMap<number, string>; paid: Payout; now: number },
) => {
  const name = (id: number | null) => (id === null ? null : (of.names.get(id) ?? `#${id}`))
  const held = (row.claim_until ?? 0) > of.now
  return {
    id: row.id,
    refund_no: row.refund_no,
    order_id: row.order_id,
    type: row.type,
    source: row.source,
    reason_code: row.reason_code,
    reason: row.reason,
    amount_cents: row.amount_cents,
    cap_cents: row.cap_cents,
    state: row.state,
    deadline_at: row.deadline_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    done_at: row.done_at,
    merchant_id: row.merchant_id,
    city_id: row.city_id,
    mid: row.mall_id,
    opinion: row.messages.findLast(one => one.by === 'merchant')?.text ?? null,
    claimed_by: held ? row.claimed_by : null,
    claimer_name: held ? name(row.claimed_by) : null,
    claim_until: held ? row.claim_until : null,
    first_by: row.first_by,
    first_name: name(row.first_by),
    second_name: name(row.second_by),
    intervened: row.intervened,
    offline: row.offline,
    fails: of.paid.fails,
    fail_code: of.paid.fail_code,
    fail_text: of.paid.fail_text,
    reject_code: row.reject_code,
    reject_reason: row.reject_reason,
    version: row.version,
  }
}
/**
 * What was done with a case, oldest first. What was opened before the log knew of cases has its
 * beginning all the same.
 */
export const stepsOf = (
  row: Refund,
  logs: readonly (typeof order_log.$inferSelect)[],
  names: ReadonlyMap<number, string>,
) => [
  ...(logs.some(one => one.event === 'refund_open')
    ? []
    : [
        {
          event: 'refund_open' as const,
          verb: null,
          who: null,
          actor: row.source,
          memo: '',
          at: row.created_at,
        },
      ]),
  ...logs.map(one => ({
    event: one.event,
    verb: typeof one.data?.['verb'] === 'string' ? one.data['verb'] : null,
    who:
      one.actor_type === 'staff' && one.actor_id !== null
        ? (names.get(one.actor_id) ?? `#${one.actor_id}`)
        : null,
    actor: one.actor_type,
    memo: one.memo,
    at: one.at,
  })),
]
/** What was sent out for a case. */
export const payoutsIn = (row: Refund, payments: readonly (typeof payment.$inferSelect)[]) =>
  payments
    .filter(one => one.refund_id === row.id)
    .map(one => ({
      out_no: one.out_no,
      channel: one.channel,
      amount_cents: one.amount_cents,
      state: one.state,
      fails: one.fails,
      fail_code: one.fail_code,
      fail_text: one.fail_text,
      at: one.success_at ?? one.updated_at,
    }))

export const caseSorts = {
  deadline: t.deadline_at,
  newest: t.created_at,
  amount: t.amount_cents,
} as const
export const caseFilterNames = {
  keyword: ['编号', 'Number'],
  city_id: ['城市', 'City'],
  mid: ['商场', 'Mall'],
  merchant_id: ['商户', 'Merchant'],
  amount_from: ['金额不低于', 'At least'],
  amount_to: ['金额不高于', 'At most'],
  channel_failed: ['渠道失败', 'Channel failed'],
  overdue: ['已超时', 'Overdue'],
  from: ['申请自', 'From'],
  to: ['申请至', 'Until'],
} as const satisfies Record<string, Text>
const tabNames: Readonly<Record<CaseTab, Text>> = {
  open: ['未结束', 'Open'],
  mine: ['我领取的', 'Mine'],
  ...refundStates,
}
const valueWords = (key: string, value: string): string => {
  if (key.startsWith('amount')) return yuan(Number(value))
  return key === 'from' || key === 'to' ? timeFull(Number(value)) : value
}
/** The filters of an export in words, for whoever looks at the file later. */
export const caseFiltersText = async (
  db: Db,
  {
    state,
    type,
    reason_code,
    parcel,
    city_id,
    mid,
    merchant_id,
    ids: _,
    ...rest
  }: CaseFilters & Chosen & { state: CaseTab },
  lang: Lang,
): Promise<string> => {
  const named = async (
    name: Text,
    id: number | undefined,
    table: typeof city | typeof mall | typeof merchant,
    column: typeof city.city_name | typeof mall.name | typeof merchant.name,
  ) => {
    if (id === undefined) return []
    const [row] = await db.select({ name: column }).from(table).where(eq(table.id, id))
    return [`${say(name, lang)}${say(colon, lang)}${row?.name ?? id}`]
  }
  const words = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => {
      const name = say(caseFilterNames[key as keyof typeof caseFilterNames], lang)
      return value === true ? name : `${name}${say(colon, lang)}${valueWords(key, String(value))}`
    })
  return [
    say(tabNames[state], lang),
    ...(type ? [say(refundTypes[type], lang)] : []),
    ...(reason_code ? [await reasonNamed(db, reason_code, lang)] : []),
    ...(parcel ? [say(returnNews[parcel], lang)] : []),
    ...(await named(caseFilterNames.city_id, city_id, city, city.city_name)),
    ...(await named(caseFilterNames.mid, mid, mall, mall.name)),
    ...(await named(caseFilterNames.merchant_id, merchant_id, merchant, merchant.name)),
    ...words,
  ].join(say(clause, lang))
}
export const wordOf = (
  of: Readonly<Record<string, Text>>,
  key: string | null,
  lang: Lang,
): string | null => (key !== null && Object.hasOwn(of, key) ? say(of[key]!, lang) : key)
