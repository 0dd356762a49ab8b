import { and, desc, eq, gt, gte, inArray, isNotNull, lte, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { vip_charge, vip_extension, vip_notice } from './renewal.table.ts'
import { RETRY_IN, type ContractState } from './renewal.ts'
import type { SubscriptionState } from './subscription.ts'
import type { Subscription } from './subscriptions.server.ts'
import { vip_card, vip_card_order, vip_contract, vip_subscription as s } from './vipCard.table.ts'
import { vipOrderFacts, type VipOrderFacts } from './vipFacts.server.ts'
import { memberFound } from './vipOrderRows.server.ts'

const cityOfPaid = sql`(select m.city_id from member m where m.id = ${s.member_id})`
export const paidRecord = record(s, {
  object: 'vip_subscription',
  label: row => joined([`付费会员 ${row.id}`, `Paid membership ${row.id}`]),
  keys: ['end_at', 'auto_renew', 'status'],
  places: ({ scope }) => within(scope, { city: cityOfPaid }),
})
export type PaidWhere = {
  keyword?: string | undefined
  member_id?: number | undefined
  card_id?: number | undefined
  status?: SubscriptionState | undefined
  auto_renew?: 'on' | 'off' | undefined
  failing?: boolean | undefined
  asked?: boolean | undefined
  city_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
}
export const paidWhere = (of: PaidWhere): SQL | undefined =>
  and(
    of.member_id === undefined ? undefined : eq(s.member_id, of.member_id),
    of.card_id === undefined ? undefined : eq(s.card_id, of.card_id),
    of.status && eq(s.status, of.status),
    of.auto_renew && (of.auto_renew === 'on' ? sql`${s.auto_renew}` : sql`not ${s.auto_renew}`),
    of.failing ? sql`${s.charge_fail_count} > 0` : undefined,
    of.asked
      ? sql`${s.id} in (select x.subscription_id from vip_extension x where x.state = 'asked')`
      : undefined,
    of.city_id === undefined
      ? undefined
      : sql`${s.member_id} in (select m.id from member m where m.city_id = ${of.city_id})`,
    of.from === undefined ? undefined : gte(s.end_at, of.from),
    of.to === undefined ? undefined : lte(s.end_at, of.to),
    of.keyword ? sql`${s.member_id} in ${memberFound(of.keyword.trim())}` : undefined,
  )
const namesBeside = async (db: Db, ids: readonly number[]) =>
  new Map(
    (
      await db
        .select({
          id: s.id,
          card_name: vip_card.name,
          member_name: member.nickname,
          uid: member.uid,
          phone: member.phone,
          city_name: sql<string>`coalesce(${city.city_name}, '')`,
        })
        .from(s)
        .innerJoin(vip_card, eq(vip_card.id, s.card_id))
        .innerJoin(member, eq(member.id, s.member_id))
        .leftJoin(city, eq(city.id, member.city_id))
        .where(inArray(s.id, [...ids]))
    ).map(one => [one.id, one]),
  )
/** The contract that each member signed last. */
const contractsOf = async (
  db: Db,
  rows: readonly Subscription[],
): Promise<Map<number, ContractState>> =>
  new Map(
    (
      await db
        .selectDistinctOn([vip_contract.member_id], {
          member_id: vip_contract.member_id,
          state: vip_contract.state,
        })
        .from(vip_contract)
        .where(
          and(
            inArray(
              vip_contract.member_id,
              rows.map(row => row.member_id),
            ),
            isNotNull(vip_contract.signed_at),
          ),
        )
        .orderBy(vip_contract.member_id, desc(vip_contract.id))
    ).map(one => [one.member_id, one.state]),
  )
const chargesOf = async (db: Db, ids: readonly number[], now: number) =>
  new Map(
    (
      await db
        .select({
          id: vip_charge.subscription_id,
          charging: sql<boolean>`bool_or(${vip_charge.state} = 'pending')`,
          retries: sql<number>`(count(*) filter (where ${vip_charge.by_id} is not null
            and ${vip_charge.created_at} > ${now - RETRY_IN}))::int`,
        })
        .from(vip_charge)
        .where(inArray(vip_charge.subscription_id, [...ids]))
        .groupBy(vip_charge.subscription_id)
    ).map(one => [one.id, one]),
  )
const askedOf = async (db: Db, ids: readonly number[]) =>
  new Map(
    (
      await db
        .select({ one: vip_extension, asker: admin.name })
        .from(vip_extension)
        .innerJoin(admin, eq(admin.id, vip_extension.asker_id))
        .where(
          and(inArray(vip_extension.subscription_id, [...ids]), eq(vip_extension.state, 'asked')),
        )
    ).map(({ one, asker }) => [one.subscription_id, { ...one, asker, at: one.created_at }]),
  )
const remindedOf = async (db: Db, ids: readonly number[]) =>
  new Map(
    (
      await db
        .select({
          id: vip_notice.subscription_id,
          at: sql<string>`max(${vip_notice.created_at})`,
        })
        .from(vip_notice)
        .where(inArray(vip_notice.subscription_id, [...ids]))
        .groupBy(vip_notice.subscription_id)
    ).map(one => [one.id, Number(one.at)]),
  )
/** Answers the purchases of memberships that are not over yet: their money may go back. */
const openPurchases = async (db: Db, ids: readonly number[], now: number) => {
  const rows = await db
    .select({ id: vip_card_order.id, subscription_id: vip_card_order.subscription_id })
    .from(vip_card_order)
    .where(
      and(
        inArray(vip_card_order.subscription_id, [...ids]),
        isNotNull(vip_card_order.order_id),
        gt(vip_card_order.end_at, now),
      ),
    )
    .orderBy(vip_card_order.id)
  const facts = await vipOrderFacts(
    db,
    rows.map(row => row.id),
    now,
  )
  const byMembership = grouped(rows, row => row.subscription_id!)
  return new Map(
    ids.map(id => [id, (byMembership.get(id) ?? []).map(row => facts.get(row.id)!)] as const),
  )
}
/** What money of all purchases together may go back, and why it is nothing. */
const sumRefundable = (purchases: readonly VipOrderFacts[]): VipOrderFacts['refundable'] => {
  const cents = purchases.reduce((all, one) => all + one.refundable.cents, 0)
  if (cents > 0) return { cents }
  const why = purchases.map(one => one.refundable.why).find(Boolean)
  return { cents, why: why ?? ['没有可退的实付金额', 'Nothing that was paid is left'] }
}
/** Memberships as they are shown at a moment, in the order given. Money in cents. */
export const shownPaid = async (db: Db, rows: readonly Subscription[], now: number) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const names = await namesBeside(db, ids)
  const contracts = await contractsOf(db, rows)
  const charges = await chargesOf(db, ids, now)
  const asked = await askedOf(db, ids)
  const reminded = await remindedOf(db, ids)
  const purchases = await openPurchases(db, ids, now)
  return rows.map(row => ({
    ...row,
    ...names.get(row.id)!,
    contract: contracts.get(row.member_id) ?? null,
    charging: charges.get(row.id)?.charging ?? false,
    retries: charges.get(row.id)?.retries ?? 0,
    asked: asked.get(row.id) ?? null,
    reminded_at: reminded.get(row.id) ?? null,
    refundable: sumRefundable(purchases.get(row.id)!),
    refunding: purchases.get(row.id)!.some(one => one.state === 'refunding'),
  }))
}
/** How many memberships stand in each state, of those that a condition is true of. */
export const countPaid = async (db: Db, where: SQL | undefined): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await db
        .select({ status: s.status, n: sql<number>`count(*)::int` })
        .from(s)
        .where(where)
        .groupBy(s.status)
    ).map(one => [one.status, one.n]),
  )
