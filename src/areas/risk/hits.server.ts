/** Hits as the pages of risk control show, claim and decide them: one queue, whatever the scene. */
import { and, eq, gt, gte, inArray, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { unfreezeCodes } from '#src/areas/ecard/codeLife.server.ts'
import { codeLabel } from '#src/areas/ecard/codeLife.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { canFreeze } from '#src/areas/order/orderVerbs.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { headed, joined, keptWords, say } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { conflict, missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { hitsOf, hitWaits, type Hit } from './risk.server.ts'
import { risk_hit, risk_rule } from './risk.table.ts'
import {
  CLAIM_S,
  holderOf,
  metricTitle,
  riskCan,
  riskStates,
  stateAt,
  suggested,
  type RiskLevel,
  type RiskScene,
  type RiskVerb,
} from './risk.ts'

type Order = typeof order.$inferSelect
export type HitTab = 'waiting' | 'mine' | 'released' | 'confirmed' | 'all'
export type HitFilters = {
  keyword?: string | undefined
  scene?: RiskScene | undefined
  level?: RiskLevel | undefined
  rule_id?: number | undefined
  city_id?: number | undefined
  decided_by?: number | undefined
  from?: number | undefined
  to?: number | undefined
}
/** A moment has its person and its transaction. */
type At = { tx: Db; staff: Staff; now: number }

/** What a typed word names: a member by number or whole phone, else a device. */
const holding = (keyword: string): SQL => {
  const typed = keyword.normalize('NFKC').replace(/^#/, '')
  const phone = mobileOf(typed)
  if (phone)
    return sql`${risk_hit.member_id} in (select m.id from ${member} m where m.phone = ${phone})`
  return /^\d{1,9}$/.test(typed)
    ? eq(risk_hit.member_id, Number(typed))
    : eq(risk_hit.device_id, typed)
}
export const hitInTab = (tab: HitTab, me: number, now: number): SQL | undefined => {
  if (tab === 'all') return undefined
  if (tab === 'waiting') return hitWaits
  return tab === 'mine'
    ? and(eq(risk_hit.state, 'claimed'), eq(risk_hit.claimed_by, me), gt(risk_hit.claim_until, now))
    : eq(risk_hit.state, tab)
}
export const hitsMatching = (of: HitFilters, staff: Staff): SQL | undefined =>
  and(
    of.keyword ? holding(of.keyword) : undefined,
    of.scene && eq(risk_hit.scene, of.scene),
    of.level && eq(risk_hit.level, of.level),
    of.rule_id === undefined ? undefined : eq(risk_hit.rule_id, of.rule_id),
    of.city_id === undefined ? undefined : eq(risk_hit.city_id, of.city_id),
    of.decided_by === undefined ? undefined : eq(risk_hit.decided_by, of.decided_by),
    of.from === undefined ? undefined : gte(risk_hit.hit_at, of.from),
    of.to === undefined ? undefined : lte(risk_hit.hit_at, of.to),
    hitsOf(staff.scope),
  )
export const ordersSeen = (staff: Pick<Staff, 'scope'>) =>
  within(staff.scope, {
    city: order.city_id,
    mall: order.mall_id,
    owner: sql`(select m.bd_admin_id from ${merchant} m where m.id = ${order.merchant_id})`,
  })
export const byId = <R extends { id: number }>(rows: readonly R[]) =>
  new Map(rows.map(row => [row.id, row]))
export const given = (ids: readonly (number | null)[]) => [
  ...new Set(ids.filter(id => id !== null)),
]
/** How many hits stand in each tab. */
export const countTabs = async (db: Db, where: SQL | undefined, me: number, now: number) => {
  const of = (tab: HitTab) =>
    sql<number>`count(*) filter (where ${hitInTab(tab, me, now) ?? sql`true`})::int`
  const [row] = await db
    .select({
      waiting: of('waiting'),
      mine: of('mine'),
      released: of('released'),
      confirmed: of('confirmed'),
      all: of('all'),
    })
    .from(risk_hit)
    .where(where)
  return row!
}

/** Names of what hits point at, and the orders that each may still freeze. */
const besideHits = async (db: Db, hits: readonly Hit[], staff: Staff) => {
  const ids = given(hits.flatMap(hit => (hit.state === 'released' ? [] : hit.order_ids)))
  const [members, rules, stores, people] = [
    given(hits.map(hit => hit.member_id)),
    given(hits.map(hit => hit.rule_id)),
    given(hits.map(hit => hit.store_id)),
    given(hits.flatMap(hit => [hit.claimed_by, hit.decided_by])),
  ]
  const who = await db
    .select({ id: member.id, nickname: member.nickname, phone: member.phone })
    .from(member)
    .where(inArray(member.id, [0, ...members]))
  const named = <T extends typeof risk_rule | typeof store | typeof admin>(
    table: T,
    of: readonly number[],
  ) =>
    db
      .select({ id: table.id, name: table.name })
      .from(table as typeof store)
      .where(inArray(table.id, [0, ...of]))
  const places = await db
    .select({ id: city.id, name: city.city_name })
    .from(city)
    .where(inArray(city.id, [0, ...hits.map(hit => hit.city_id)]))
  const orders = await db
    .select()
    .from(order)
    .where(and(inArray(order.id, [0, ...ids]), ordersSeen(staff)))
  return {
    members: byId(who),
    rules: byId(await named(risk_rule, rules)),
    places: byId(places),
    stores: byId(await named(store, stores)),
    people: byId(await named(admin, people)),
    orders: byId(orders),
  }
}
type Beside = Awaited<ReturnType<typeof besideHits>>
/** A member's or a store's name, and what the reader's rules say of a phone. */
const aboutOf = (hit: Hit, { members, stores, places }: Beside) => {
  const who = hit.member_id === null ? undefined : members.get(hit.member_id)
  const shop = hit.store_id === null ? undefined : stores.get(hit.store_id)
  return {
    city_name: places.get(hit.city_id)?.name ?? '',
    nickname: who?.nickname ?? null,
    ...(who && { phone: who.phone }),
    store_name: shop?.name ?? null,
  }
}
const handlingOf = (hit: Hit, { people }: Beside, now: number) => {
  const holder = holderOf(hit, now)
  const name = (id: number | null) => (id === null ? null : (people.get(id)?.name ?? null))
  return {
    state: stateAt(hit, now),
    claimed_by: holder,
    claimer_name: name(holder),
    claim_until: holder === null ? null : hit.claim_until,
    decided_by: hit.decided_by,
    decider_name: name(hit.decided_by),
    decided_at: hit.decided_at,
    reason: hit.reason,
  }
}
const shownHit = (hit: Hit, beside: Beside, { staff, now }: { staff: Staff; now: number }) => {
  const freezable = hit.order_ids.flatMap(id => {
    const one = beside.orders.get(id)
    return one && canFreeze(one) === true ? [{ id, order_no: one.order_no }] : []
  })
  const rule = hit.rule_id === null ? undefined : beside.rules.get(hit.rule_id)
  const rule_name = rule?.name ?? say(metricTitle(hit.rule), staff.lang)
  const about = aboutOf(hit, beside)
  const { score, action } = hit
  const told = { score, action, freezable: freezable.length, frozen: hit.froze.length }
  return {
    kind: 'hit' as const,
    id: hit.id,
    title: [rule_name, about.nickname ?? about.store_name ?? hit.device_id]
      .filter(Boolean)
      .join(' · '),
    rule_id: hit.rule_id,
    rule_name,
    scene: hit.scene,
    level: hit.level,
    score,
    action,
    member_id: hit.member_id,
    device_id: hit.device_id,
    ...about,
    orders: hit.order_ids.length,
    frozen: hit.froze.length,
    freezable,
    amount_cents: hit.amount_cents,
    note: hit.note,
    suggested: say(suggested(told), staff.lang),
    hit_at: hit.hit_at,
    last_at: hit.last_at,
    merged_count: hit.merged_count,
    ...handlingOf(hit, beside, now),
    version: hit.version,
  }
}
export type ShownHit = ReturnType<typeof shownHit>
/** Hits as a page shows them; what each may still freeze lies in the reader's data. */
export const shownHits = async (
  db: Db,
  hits: readonly Hit[],
  asker: { staff: Staff; now: number },
): Promise<ShownHit[]> => {
  if (hits.length === 0) return []
  const beside = await besideHits(db, hits, asker.staff)
  return hits.map(hit => shownHit(hit, beside, asker))
}

/** A hit of the person's places, held where that is asked; 404 of others. */
export const readHit = async (tx: Db, id: number, staff: Staff, hold = false): Promise<Hit> => {
  const query = tx
    .select()
    .from(risk_hit)
    .where(and(eq(risk_hit.id, id), hitsOf(staff.scope)))
  const [hit] = await (hold ? query.for('update') : query)
  if (!hit) throw missing()
  return hit
}
/**
 * Why a verb comes too late: who decided it and when, who works on it, or that it changed since it
 * was read. Undefined when it may be done.
 */
export const whyNot = async (
  { tx, staff, now }: At,
  verb: RiskVerb,
  hit: Hit,
  version: number | undefined,
): Promise<Refusal | undefined> => {
  const may = riskCan(verb, hit, staff.id, now)
  if (may === true && (version === undefined || version === hit.version)) return undefined
  const [current] = await shownHits(tx, [hit], { staff, now })
  if (may === true) return staleRow(tx, 'risk_hit', current!)
  if (current!.decided_at !== null)
    return ruled(
      'decided',
      ['{who}已于 {when} 处理：{what}', '{who} decided it at {when}: {what}'],
      {
        who: current!.decider_name ?? systemName,
        when: timeFull(current!.decided_at),
        what: say(riskStates[hit.state], staff.lang),
      },
      { current },
    )
  if (current!.claim_until !== null)
    return ruled(
      'claimed',
      [
        '{who}正在处理，{when} 前未决定会退回',
        '{who} works on it; it comes back at {when} if undecided',
      ],
      { who: current!.claimer_name ?? '', when: timeFull(current!.claim_until).slice(11, 16) },
      { current },
    )
  return ruled('state', may, {}, { current })
}
/**
 * The one guarded UPDATE of every verb: it changes the row that was read, or none, and the loser is
 * told why.
 */
export const changeHit = async (
  at: At,
  verb: RiskVerb,
  hit: Hit,
  set: Partial<Hit>,
): Promise<Hit> => {
  const { tx, staff, now } = at
  const [after] = await tx
    .update(risk_hit)
    .set({ ...set, version: hit.version + 1, updated_at: now })
    .where(
      and(
        eq(risk_hit.id, hit.id),
        eq(risk_hit.version, hit.version),
        eq(risk_hit.state, hit.state),
        or(
          isNull(risk_hit.claimed_by),
          eq(risk_hit.claimed_by, staff.id),
          lte(risk_hit.claim_until, now),
          ne(risk_hit.state, 'claimed'),
        ),
      ),
    )
    .returning()
  if (after) return after
  const there = await readHit(tx, hit.id, staff)
  throw (
    (await whyNot(at, verb, there, hit.version)) ??
    conflict([
      '命中在你打开之后有变化，请重新读取',
      'It changed after you opened it, read it again',
    ])
  )
}
export const hitLabel = (hit: Hit) => joined([`命中 ${hit.id}`, `Hit ${hit.id}`])
/** One person works on a hit for some minutes. */
export const claimHit = async (context: WriteContext, id: number) => {
  const { tx, staff, now, log } = context
  const hit = await readHit(tx, id, staff)
  const refusal = await whyNot(context, 'claim', hit, undefined)
  if (refusal) throw refusal
  const claim_until = now + CLAIM_S
  const set = { state: 'claimed', claimed_by: staff.id, claim_until } as const
  const after = await changeHit(context, 'claim', hit, set)
  log({
    object_type: 'risk_hit',
    object_id: id,
    object_label: hitLabel(hit),
    before: { state: stateAt(hit, now), claimed_by: holderOf(hit, now) },
    after: { state: 'claimed', claimed_by: staff.id },
  })
  return { id, version: after.version, state: after.state, claim_until }
}
/** Sets free what this very hit froze, and only while nobody else holds it. */
const setFree = async ({ tx, staff, now }: WriteContext, hit: Hit, reason: string) => {
  const orders: Order[] = []
  for (const order_id of [...hit.froze].sort((a, b) => a - b)) {
    const free = await unfreezeOrder(tx, {
      order_id,
      by: 'risk',
      hit_id: hit.id,
      actor: { type: 'staff', id: staff.id },
      reason,
      now,
    })
    if (free) orders.push(free)
  }
  const mine = and(
    inArray(ecard_code.id, [0, ...hit.froze_codes]),
    sql`starts_with(${ecard_code.reason}, ${cardReason(hit.id)})`,
  )
  const { done: codes } = await unfreezeCodes(tx, mine!, { now })
  return { orders, codes }
}
/** How the reason of a card that a hit froze begins: another freeze says something else. */
export const cardReason = (hit_id: number): string => `风控命中 ${hit_id}：`
/** Why a hit froze a card, as the card keeps it. */
export const frozenCardReason = (hit_id: number, reason: string): string =>
  keptWords(headed([`风控命中 ${hit_id}`, `Risk hit ${hit_id}`], reason))
type Deciding = { id: number; version: number | undefined; reason: string }
/** Decides a hit, once; a release gives free exactly what the hit froze. */
export const decideHit = async (
  context: WriteContext,
  verb: 'release' | 'confirm',
  { id, version, reason }: Deciding,
) => {
  const { tx, staff, now, log } = context
  const hit = await readHit(tx, id, staff)
  const refusal = await whyNot(context, verb, hit, version)
  if (refusal) throw refusal
  const state = verb === 'release' ? ('released' as const) : ('confirmed' as const)
  const after = await changeHit(context, verb, hit, {
    state,
    decided_by: staff.id,
    decided_at: now,
    reason,
    claimed_by: null,
    claim_until: null,
  })
  const { orders, codes } =
    verb === 'release' ? await setFree(context, hit, reason) : { orders: [], codes: [] }
  const unfrozen = orders.length + codes.length
  log({
    object_type: 'risk_hit',
    object_id: id,
    object_label: hitLabel(hit),
    before: { state: stateAt(hit, now) },
    after: { state, ...(unfrozen > 0 && { unfrozen }) },
    reason,
  })
  for (const free of orders)
    log({
      object_type: 'order',
      object_id: free.id,
      object_label: free.order_no,
      before: { frozen: true },
      after: { frozen: false },
      reason,
    })
  for (const free of codes)
    log({
      object_type: 'ecard_code',
      object_id: free.id,
      object_label: codeLabel(free),
      before: { state: 'frozen' },
      after: { state: free.state },
      reason,
    })
  return { hit: after, unfrozen: orders, codes }
}
