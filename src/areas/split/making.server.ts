import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { dist_split_order, dist_split_receiver } from './split.table.ts'
import { SHARE_S, SHARED_BP, sharesOf, splittableOf, type Share } from './split.ts'

/**
 * The orders that are shared now: paid through their one merchant's own number, whole by the channel,
 * all of it used or received and past its freeze, nothing of it held, in a batch or shared before,
 * and within the channel's ceiling. Any other is settled by batches.
 */
const ripe = (now: number, { limit, order_id }: { limit: number; order_id?: number }) => sql`
  select l.order_id id from settle_line l join settle_merchant t on t.merchant_id = l.merchant_id and t.profit_sharing
    where ${order_id === undefined ? sql`true` : sql`l.order_id = ${order_id}`} and l.status = 'freezing' and l.freeze_until_at <= ${now} and l.paid_at > ${now - SHARE_S}
      and not exists (select 1 from dist_split_order s where s.order_id = l.order_id)
      and (select bool_and(x.merchant_id = l.merchant_id and x.status in ('freezing', 'refunded') and x.held is false and x.batch_id is null and (x.freeze_until_at is null or x.freeze_until_at <= ${now} or x.status = 'refunded'))
        and sum(x.base_cents) = sum(x.cash_cents)
        and sum(x.commission_cents - x.gone_commission_cents - case x.distributor_bearer when 'platform' then x.distributor_cents - x.gone_distributor_cents else 0 end - case x.fee_bearer when 'platform' then x.fee_cents - x.gone_fee_cents else 0 end) >= 0
        and sum(x.merchant_cents - x.gone_merchant_cents) > 0
        and sum(x.base_cents - x.gone_base_cents - x.merchant_cents + x.gone_merchant_cents) * 10000 <= sum(x.cash_cents) * ${SHARED_BP}
        from settle_line x where x.order_id = l.order_id)
      and not exists (select 1 from dist_commission c where c.order_id = l.order_id and c.held)
      and (select count(*) = 1 from payment p where p.order_id = l.order_id and p.direction = 'in' and p.state = 'success' and p.channel in ('wechat', 'embedded') and p.channel_no is not null)
      and not exists (select 1 from payment p where p.order_id = l.order_id and p.direction = 'out' and p.state = 'pending')
    group by l.order_id order by min(l.paid_at) limit ${limit}`

const linesOf = (tx: Db, order_id: number) =>
  tx
    .select()
    .from(settle_line)
    .where(eq(settle_line.order_id, order_id))
    .orderBy(settle_line.id)
    .for('update')
/** Nobody switches sharing off between this look and the split; terms are held before lines. */
const holdTerms = (tx: Db, order_id: number) =>
  tx
    .select({ id: settle_merchant.id })
    .from(settle_merchant)
    .where(
      inArray(
        settle_merchant.merchant_id,
        tx
          .select({ id: settle_line.merchant_id })
          .from(settle_line)
          .where(eq(settle_line.order_id, order_id)),
      ),
    )
    .orderBy(settle_merchant.id)
    .for('share')
type Lines = Awaited<ReturnType<typeof linesOf>>
const sum = (lines: Lines, of: (line: Lines[number]) => number) =>
  lines.reduce((all, line) => all + of(line), 0)

/** What people earn of an order that is not paid out elsewhere; a store's goes to its merchant. */
const earnedOf = async (tx: Db, order_id: number) => {
  const rows = await tx
    .select()
    .from(dist_commission)
    .where(
      and(
        eq(dist_commission.order_id, order_id),
        inArray(dist_commission.role, ['direct', 'guide', 'leader']),
        inArray(dist_commission.status, ['frozen', 'settleable']),
        isNull(dist_commission.split_id),
      ),
    )
    .orderBy(dist_commission.id)
    .for('update')
  const earned: { role: 'seller' | 'leader'; distributor_id: number; cents: number }[] = []
  for (const row of rows) {
    const role = row.role === 'leader' ? ('leader' as const) : ('seller' as const)
    const cents = row.amount_cents - row.reversed_cents
    const own = earned.find(one => one.role === role && one.distributor_id === row.distributor_id)
    if (own) own.cents += cents
    else earned.push({ role, distributor_id: row.distributor_id, cents })
  }
  return {
    ids: rows.map(row => row.id),
    earned: earned.filter(one => one.cents > 0),
    // A guide's is borne by the merchant.
    borne_cents: rows.reduce(
      (all, row) => all + (row.role === 'guide' ? 0 : row.amount_cents - row.reversed_cents),
      0,
    ),
  }
}
/** The account of each at the channel, and whose name it bears. */
const accountsFor = async (tx: Db, merchant_id: number, { own, shares }: Accounted) => {
  const [seller] = await tx
    .select({ account: settle_merchant.sub_mchid, name: merchant.name })
    .from(settle_merchant)
    .innerJoin(merchant, eq(merchant.id, settle_merchant.merchant_id))
    .where(eq(settle_merchant.merchant_id, merchant_id))
  const ids = shares.flatMap(one => one.distributor_id ?? [])
  const people =
    ids.length === 0
      ? []
      : await tx
          .select({ id: distributor.id, name: distributor.name, account: member.uid })
          .from(distributor)
          .innerJoin(member, eq(member.id, distributor.member_id))
          .where(inArray(distributor.id, ids))
  return shares.map(one => {
    if (one.role === 'merchant') return { ...one, merchant_id, ...seller! }
    if (one.role === 'platform') return { ...one, merchant_id: null, account: own, name: '平台' }
    const { account, name } = people.find(person => person.id === one.distributor_id)!
    return { ...one, merchant_id: null, account, name }
  })
}
type Accounted = { own: string; shares: readonly Share[] }

/**
 * Makes the split of an order whose time has come, to be sent next; undefined where it is made, or
 * settled by batches after all. `own` is the house's number at the channel.
 */
export const makeSplit = async (
  tx: Db,
  order_id: number,
  { own, now }: { own: string; now: number },
): Promise<number | undefined> => {
  const [row] = await tx.select().from(order).where(eq(order.id, order_id)).for('update')
  await holdTerms(tx, order_id)
  const lines = await linesOf(tx, order_id)
  const used = lines.filter(line => line.status === 'freezing')
  const { rows: still } = await tx.execute<{ id: number }>(ripe(now, { limit: 1, order_id }))
  const { rows: paid } = await tx.execute<{ no: string; cents: string; at: string }>(
    sql`select max(channel_no) filter (where direction = 'in') no, sum(case direction when 'in' then amount_cents else -amount_cents end) cents, min(success_at) filter (where direction = 'in') at from payment where order_id = ${order_id} and state = 'success'`,
  )
  if (!row || still.length === 0) return undefined
  const { ids, earned, borne_cents } = await earnedOf(tx, order_id)
  const fee_cents = sum(used, line => line.fee_cents - line.gone_fee_cents)
  const bearsFee = used.some(line => line.fee_bearer === 'platform')
  const paid_cents = Number(paid[0]!.cents)
  const asked = {
    paid_cents,
    fee_cents,
    merchant_cents: sum(used, line => line.merchant_cents - line.gone_merchant_cents),
    commission_cents: sum(used, line => line.commission_cents - line.gone_commission_cents),
    borne_cents: borne_cents + (bearsFee ? fee_cents : 0),
    earned,
  }
  const shares = sharesOf(asked)
  if (!('map' in shares) || typeof shares[0] === 'string') return undefined
  const { merchant_id } = used[0]!
  const each = await accountsFor(tx, merchant_id, { own, shares: shares as Share[] })
  const [made] = await tx
    .insert(dist_split_order)
    .values({
      split_no: numberOf('FZ', now),
      order_id,
      order_no: row.order_no,
      merchant_id,
      city_id: row.city_id,
      mall_id: row.mall_id,
      transaction_no: paid[0]!.no,
      order_cents: paid_cents,
      splittable_cents: splittableOf(asked),
      total_cents: each.reduce((all, one) => all + one.cents, 0),
      deadline_at: Number(paid[0]!.at) + SHARE_S,
      ask_at: now,
      created_at: now,
    })
    .returning({ id: dist_split_order.id })
  await tx.insert(dist_split_receiver).values(
    each.map(({ cents, ...one }) => ({
      split_id: made!.id,
      role: one.role,
      merchant_id: one.merchant_id,
      distributor_id: one.distributor_id,
      account: one.account,
      name: one.name.slice(0, 60),
      amount_cents: cents,
      created_at: now,
    })),
  )
  if (ids.length > 0)
    await tx
      .update(dist_commission)
      .set({ split_id: made!.id })
      .where(inArray(dist_commission.id, ids))
  return made!.id
}

/** Makes the splits of all orders whose time has come; answers how many. */
export const makeSplits = async (
  database: Database,
  { own, now, limit = 100, failed }: { own: string; now: number; limit?: number; failed?: Failed },
): Promise<number> => {
  const { rows } = await database.db.execute<{ id: number }>(ripe(now, { limit }))
  return oneByOne(
    rows,
    async ({ id }) =>
      (await database.transaction(tx => makeSplit(tx, id, { own, now }))) !== undefined,
    failed,
  )
}
