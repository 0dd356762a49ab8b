import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { dist_group_member, distributor } from '#src/areas/distribution/sellers.table.ts'
import { distributors, lineOf, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf, holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { dist_rank, dist_rank_prize } from './ranking.table.ts'
import {
  placed,
  prizesFor,
  type Measure,
  type Prize,
  type Ranked,
  type RankRow,
  type RankValues,
} from './ranking.ts'

/** What is ranked: both ends of the period are moments in it. */
export type RankAsked = {
  who: Ranked
  measure: Measure
  from: number
  to: number
  city_id?: number | undefined
  mid?: number | undefined
}
type Seer = Pick<Staff, 'scope'>
const isSeller = (who: Ranked): who is 'expert' | 'guide' | 'store' =>
  who !== 'group' && who !== 'product'
const keyOf = (who: Ranked): SQL => {
  if (who === 'group') return sql`c.group_id`
  return who === 'product' ? sql`c.product_id` : sql`c.distributor_id`
}
const nameOf = (who: Ranked): SQL => {
  if (who === 'group') return sql`(select g.name from dist_group g where g.id = v.id)`
  if (who === 'product') return sql`(select p.title from product p where p.id = v.id)`
  return sql`(select d.name from distributor d where d.id = v.id)`
}
/** New customers of a period: those that were bound to a seller, or to one of a team, in it. */
const boundTo = ({ who, from, to }: RankAsked): SQL => {
  if (who === 'product') return sql`select null::int id, 0 n where false`
  const period = sql`b.bind_at between ${from} and ${to}`
  if (who === 'group')
    return sql`select m.group_id id, count(*)::int n from dist_binding b join dist_group_member m on m.distributor_id = b.distributor_id and b.bind_at >= m.start_at and b.bind_at < coalesce(m.end_at, ${to} + 1) where ${period} group by 1`
  return sql`select b.distributor_id id, count(*)::int n from dist_binding b join distributor d on d.id = b.distributor_id and d.kind = ${who} where ${period} group by 1`
}
/**
 * Everybody with a sale or a new customer in a period, with what they brought: sales that were paid
 * in it less what went back of them since, and commission less what was reversed.
 */
const rankValues = async (db: Db, asked: RankAsked, { scope }: Seer): Promise<RankValues[]> => {
  const { who, from, to, city_id, mid } = asked
  const seen = within(scope, { city: sql`c.city_id`, mall: sql`c.mall_id` })
  const where = and(
    sql`c.paid_at between ${from} and ${to}`,
    sql`c.line_id is not null`,
    city_id === undefined ? undefined : sql`c.city_id = ${city_id}`,
    mid === undefined ? undefined : sql`c.mall_id = ${mid}`,
    isSeller(who)
      ? sql`exists (select 1 from distributor d where d.id = c.distributor_id and d.kind = ${who})`
      : sql`${keyOf(who)} is not null`,
    seen,
  )
  // A customer belongs to no place of sale: whoever asks for one place sees who sold there.
  const everywhere = city_id === undefined && mid === undefined && seen === undefined
  const { rows } = await db.execute<RankValues>(sql`
    with sold as (
      select ${keyOf(who)} id,
        coalesce(sum(l.base_cents) filter (where c.role <> 'leader'), 0)::float8 paid_cents,
        coalesce(sum(l.base_cents - l.gone_base_cents) filter (where c.role <> 'leader'), 0)::float8 net_cents,
        count(distinct c.order_id) filter (where c.role <> 'leader')::int orders,
        sum(c.amount_cents - c.reversed_cents)::float8 commission_cents
      from dist_commission c join settle_line l on l.id = c.line_id where ${where} group by 1),
    bound as (${boundTo(asked)}),
    v as (
      select coalesce(s.id, b.id) id, coalesce(s.paid_cents, 0) paid_cents, coalesce(s.net_cents, 0) net_cents, coalesce(s.orders, 0) orders, coalesce(b.n, 0) customers, coalesce(s.commission_cents, 0) commission_cents
      from sold s ${everywhere ? sql`full join` : sql`left join`} bound b on b.id = s.id)
    select v.id, coalesce(${nameOf(who)}, '#' || v.id) as name, v.paid_cents, v.net_cents, v.orders, v.customers, v.commission_cents from v where v.id is not null`)
  return rows
}
/** The ranking as it stands now. */
export const rankNow = async (db: Db, asked: RankAsked, staff: Seer): Promise<RankRow[]> =>
  placed(await rankValues(db, asked, staff), asked.measure)

export type Rank = typeof dist_rank.$inferSelect
/** What a frozen list would be now, by the ids of its rows. */
export const rankedSince = async (db: Db, of: Rank, staff: Seer) =>
  new Map(
    (
      await rankValues(
        db,
        {
          who: of.who,
          measure: of.measure,
          from: of.from_at,
          to: of.to_at,
          city_id: of.city_id || undefined,
          mid: of.mall_id || undefined,
        },
        staff,
      )
    ).map(row => [row.id, row]),
  )
/** A list without one who was on it; those after move up. */
export const rankWithout = (of: Pick<Rank, 'rows' | 'measure'>, id: number): RankRow[] =>
  placed(
    of.rows.filter(row => row.id !== id),
    of.measure,
  )
/** Whom the prize of a row goes to: a team's goes to its leader. */
const receiversOf = async (tx: Db, of: Rank): Promise<Map<number, number>> => {
  if (of.who !== 'group') return new Map(of.rows.map(row => [row.id, row.id]))
  const leaders = await tx
    .select({ group_id: dist_group_member.group_id, id: dist_group_member.distributor_id })
    .from(dist_group_member)
    .where(
      and(
        eq(dist_group_member.is_leader, true),
        inArray(dist_group_member.group_id, [...of.rows.map(row => row.id), 0]),
        sql`${dist_group_member.start_at} <= ${of.to_at} and coalesce(${dist_group_member.end_at}, ${of.to_at} + 1) > ${of.to_at}`,
      ),
    )
  return new Map(leaders.map(one => [one.group_id, one.id]))
}
type Due = { place: number; to: typeof distributor.$inferSelect; amount_cents: number }
/** The people who are still to get a prize of a list: active ones, who had none of it. */
const duePrizes = async (tx: Db, of: Rank, prizes: readonly Prize[]): Promise<Due[]> => {
  const receivers = await receiversOf(tx, of)
  const given = await tx
    .select({ id: dist_rank_prize.distributor_id })
    .from(dist_rank_prize)
    .where(eq(dist_rank_prize.rank_id, of.id))
  const had = new Set(given.map(one => one.id))
  const people = await tx
    .select()
    .from(distributor)
    .where(
      and(inArray(distributor.id, [...receivers.values(), 0]), eq(distributor.status, 'active')),
    )
  const active = new Map(people.map(one => [one.id, one]))
  return prizesFor(of.rows, prizes)
    .flatMap(({ row, amount_cents }) => {
      const to = active.get(receivers.get(row.id) ?? 0)
      return to && to.kind !== 'store' && !had.has(to.id)
        ? [{ place: row.place, to, amount_cents }]
        : []
    })
    .toSorted((a, b) => a.to.id - b.to.id)
}
type Grant = { rank_id: number; me: number; now: number; reason: string }
/** Writes one prize down, and posts it: off what its seller owes first. */
const givePrize = async (
  tx: Db,
  { place, to, amount_cents }: Due,
  { rank_id, me, now, reason }: Grant,
): Promise<void> => {
  const [commission] = await tx
    .insert(dist_commission)
    .values({
      distributor_id: to.id,
      group_id: to.group_id,
      city_id: to.city_id,
      mall_id: to.mall_id,
      role: 'prize',
      base_cents: 0,
      rate_bp: 0,
      amount_cents,
      settled_at: now,
      reason,
      status: 'settled',
    })
    .returning()
  await tx.insert(dist_rank_prize).values({
    rank_id,
    distributor_id: to.id,
    place,
    amount_cents,
    commission_id: commission!.id,
    granted_by: me,
  })
  const owes = distributors('distributor_debt', to.id)
  const offset = Math.min(await balanceOf(tx, owes), amount_cents)
  const { id } = await post(tx, {
    biz: 'commission',
    biz_id: commission!.id,
    biz_no: commission!.commission_no,
    idem_key: `prize:${rank_id}:${to.id}`,
    at: now,
    memo: joined([`榜单奖励 第 ${place} 名`, `Prize of a ranking, place ${place}`]),
    place: { city_id: to.city_id, mall_id: to.mall_id },
    maker_id: me,
    lines: [
      ...lineOf(ours('distribution_expense'), amount_cents),
      ...lineOf(owes, -offset),
      ...lineOf(distributors('distributor_balance', to.id), offset - amount_cents),
    ],
  })
  await tx.update(dist_commission).set({ txn_id: id }).where(eq(dist_commission.id, commission!.id))
}
/**
 * Gives the prizes of a list, each seller's once however often it is asked for: into the balance, as
 * commission of the role prize. Throws 422 `no_prize` where nobody is left to get one. Comes last in
 * a transaction, for accounts are held from here on.
 */
export const grantPrizes = async (
  tx: Db,
  of: Rank,
  { prizes, ...by }: Omit<Grant, 'rank_id'> & { prizes: readonly Prize[] },
): Promise<{ count: number; amount_cents: number }> => {
  const due = await duePrizes(tx, of, prizes)
  if (due.length === 0)
    throw ruled('no_prize', [
      '没有可发放的人：名次无人、已发放过，或资格已冻结、清退（分销门店不发个人奖励）',
      'Nobody gets one: no such places, given already, or frozen or gone (stores get none)',
    ])
  await holdAccounts(tx, [
    ours('distribution_expense'),
    ...due.flatMap(({ to }) => [
      distributors('distributor_balance', to.id),
      distributors('distributor_debt', to.id),
    ]),
  ])
  for (const one of due) await givePrize(tx, one, { rank_id: of.id, ...by })
  return {
    count: due.length,
    amount_cents: due.reduce((sum, one) => sum + one.amount_cents, 0),
  }
}
