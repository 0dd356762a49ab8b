import { and, asc, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { holdCommission, takeCommission } from '#src/areas/commission/takingBack.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { distributors, lineOf, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf, holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { lastly } from '#src/server/db/database.ts'
import { film_pull_activity, film_pull_promoter, film_pull_record } from './pull.table.ts'
import { pullReasons } from './pullWords.ts'

type PullRecord = typeof film_pull_record.$inferSelect
type By = { admin_id: number; now: number }
/** Valid records of a period whose promoter is rewarded: active, and not banned. */
const dueIn = (
  tx: Db,
  of: { activity_id: number; from: number; to: number },
  { scope }: Pick<Staff, 'scope'>,
) => {
  const r = film_pull_record
  return tx
    .select({ record: r, seller: distributor })
    .from(r)
    .innerJoin(distributor, eq(distributor.id, r.distributor_id))
    .innerJoin(
      film_pull_promoter,
      and(
        eq(film_pull_promoter.activity_id, r.activity_id),
        eq(film_pull_promoter.distributor_id, r.distributor_id),
      ),
    )
    .where(
      and(
        eq(r.activity_id, of.activity_id),
        eq(r.status, 'valid'),
        gte(r.valid_at, of.from),
        lt(r.valid_at, of.to),
        eq(distributor.status, 'active'),
        isNull(film_pull_promoter.banned_at),
        within(scope, { city: r.city_id, mall: r.mall_id }),
      ),
    )
    .orderBy(asc(r.id))
    .for('update', { of: r })
}
type Due = Awaited<ReturnType<typeof dueIn>>[number]
/** A reward is commission of the role prize: into the balance, off what its seller owes first. */
const reward = async (tx: Db, { record, seller }: Due, { admin_id, now }: By): Promise<void> => {
  const amount_cents = record.reward_cents
  const [commission] = await tx
    .insert(dist_commission)
    .values({
      distributor_id: seller.id,
      group_id: seller.group_id,
      city_id: seller.city_id,
      mall_id: seller.mall_id,
      buyer_id: record.member_id,
      role: 'prize',
      base_cents: 0,
      rate_bp: 0,
      amount_cents,
      settled_at: now,
      reason: joined([`影票拉新奖励 #${record.id}`, `Film campaign reward #${record.id}`]),
      status: 'settled',
      created_at: now,
      updated_at: now,
    })
    .returning()
  const owes = distributors('distributor_debt', seller.id)
  const offset = Math.min(await balanceOf(tx, owes), amount_cents)
  const { id } = await post(tx, {
    biz: 'commission',
    biz_id: commission!.id,
    biz_no: commission!.commission_no,
    idem_key: `film_pull:${record.id}:${record.version}`,
    at: now,
    memo: joined(['影票拉新奖励', 'Film campaign reward']),
    place: { city_id: seller.city_id, mall_id: seller.mall_id },
    maker_id: admin_id,
    lines: [
      ...lineOf(ours('distribution_expense'), amount_cents),
      ...lineOf(owes, -offset),
      ...lineOf(distributors('distributor_balance', seller.id), offset - amount_cents),
    ],
  })
  await tx.update(dist_commission).set({ txn_id: id }).where(eq(dist_commission.id, commission!.id))
  await tx
    .update(film_pull_record)
    .set({
      status: 'rewarded',
      rewarded_at: now,
      commission_id: commission!.id,
      updated_at: now,
      version: sql`${film_pull_record.version} + 1`,
    })
    .where(eq(film_pull_record.id, record.id))
}
/**
 * Rewards every promoter of a campaign for the records that became valid within a period, each once
 * however often it is asked for. Throws 422 `no_reward` where nothing is due. Comes last in a
 * transaction, for accounts are held from here on. Answers how many, and what they came to (cents).
 */
export const settleRewards = async (
  tx: Db,
  of: { activity_id: number; from: number; to: number },
  { staff, now }: { staff: Pick<Staff, 'id' | 'scope'>; now: number },
): Promise<{ count: number; amount_cents: number }> => {
  const due = (await dueIn(tx, of, staff)).filter(one => one.record.reward_cents > 0)
  if (due.length === 0)
    throw ruled('no_reward', [
      '所选期间没有待结算的有效拉新（已结算、已作废，或推广人已停用、冻结）',
      'Nothing is due in that period: paid already, void, or its promoter is banned or frozen',
    ])
  await holdAccounts(tx, [
    ours('distribution_expense'),
    ...due.flatMap(({ seller }) => [
      distributors('distributor_balance', seller.id),
      distributors('distributor_debt', seller.id),
    ]),
  ])
  for (const one of due) await reward(tx, one, { admin_id: staff.id, now })
  return {
    count: due.length,
    amount_cents: due.reduce((sum, one) => sum + one.record.reward_cents, 0),
  }
}
/**
 * A record counts no more: what was paid for it is taken back, and what is short in the balance is
 * owed. Nothing changes of one that is void. Comes last in a transaction.
 */
export const voidRecord = async (
  tx: Db,
  record: PullRecord,
  of: { reason: string; admin_id?: number; now: number },
): Promise<void> => {
  if (record.status === 'void') return
  await tx
    .update(film_pull_record)
    .set({
      status: 'void',
      before_void: record.status,
      void_by: of.admin_id ?? null,
      reason: of.reason,
      updated_at: of.now,
      version: sql`${film_pull_record.version} + 1`,
    })
    .where(eq(film_pull_record.id, record.id))
  if (record.status !== 'rewarded' || record.commission_id === null) return
  const held = await holdCommission(tx, record.commission_id)
  if (!held || held.row.status !== 'settled') return
  await takeCommission(tx, held, {
    cents: held.row.amount_cents - held.row.reversed_cents,
    reason: of.reason,
    maker_id: of.admin_id,
    now: of.now,
  })
}
/**
 * A first ticket that was given back makes its record void, and its reward with it: at the end of the
 * transaction, for accounts are held from there on.
 */
export const voidByRefund = (tx: Db, order_id: number, now: number): Promise<void> =>
  lastly(tx, {
    key: 'film pulls',
    id: order_id,
    run: async (last, ids) => {
      for (const id of ids) {
        const [record] = await last
          .select()
          .from(film_pull_record)
          .where(eq(film_pull_record.order_id, id))
          .for('update')
        if (record) await voidRecord(last, record, { reason: pullReasons.refunded, now })
      }
    },
  })
/** Starts what is due, and ends what is over; by the timer. Answers how many changed. */
export const turnCampaigns = async (tx: Db, now: number): Promise<number> => {
  const a = film_pull_activity
  const started = await tx
    .update(a)
    .set({ status: 'running', started_at: now, version: sql`${a.version} + 1`, updated_at: now })
    .where(and(eq(a.status, 'waiting'), lt(a.start_at, now + 1)))
    .returning({ id: a.id })
  const ended = await tx
    .update(a)
    .set({
      status: 'ended',
      ended_at: now,
      reason: pullReasons.over,
      version: sql`${a.version} + 1`,
      updated_at: now,
    })
    .where(and(sql`${a.status} in ('running', 'paused')`, lt(a.end_at, now + 1)))
    .returning({ id: a.id })
  return started.length + ended.length
}
