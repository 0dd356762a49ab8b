import { and, count, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import type { CodeState } from '#src/areas/order/order.ts'
import {
  holdOrder,
  recount,
  rulesOf,
  system,
  type Actor,
  type Order,
  type OrderCode,
} from '#src/areas/order/orderFacts.server.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { codeStateOf } from '#src/areas/order/orderUnits.ts'
import { reverseRefusal } from '#src/areas/order/orderVerbs.ts'
import { termsOf } from '#src/areas/settle/settleMerchant.server.ts'
import { refuseWhileShared } from '#src/areas/split/splitRefund.server.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { order_code, verify_record } from './code.table.ts'

export type Redemption = typeof verify_record.$inferSelect
/** Locks a bill: a store, a number and a Shanghai day. Two tills at one come one after the other. */
export const lockBill = (
  tx: Db,
  { store_id, no, at }: { store_id: number; no: string; at: number },
) =>
  tx.execute(
    sql`select pg_advisory_xact_lock(hashtext(${`bill:${store_id}:${no}:${dayStart(at)}`}))`,
  )
/**
 * Writes into each redemption of a bill whether the bill holds several, after one came or went. The
 * bill must be locked.
 */
const countBill = async (
  tx: Db,
  { store_id, bill_no, verified_at }: Pick<Redemption, 'store_id' | 'bill_no' | 'verified_at'>,
) => {
  if (bill_no === null) return
  const from = dayStart(verified_at)
  const onIt = and(
    eq(verify_record.store_id, store_id),
    eq(verify_record.bill_no, bill_no),
    gte(verify_record.verified_at, from),
    lt(verify_record.verified_at, from + DAY),
    eq(verify_record.state, 'valid'),
  )
  const [{ n } = { n: 0 }] = await tx.select({ n: count() }).from(verify_record).where(onIt)
  await tx
    .update(verify_record)
    .set({ bill_many: n > 1 })
    .where(and(onIt, eq(verify_record.bill_many, n <= 1)))
}
/** How long the last of an order's codes is valid. */
const latestValidity = async (tx: Db, order_id: number): Promise<number> =>
  Number(
    (
      await tx
        .select({ at: sql<string>`max(${order_code.valid_until})` })
        .from(order_code)
        .where(eq(order_code.order_id, order_id))
    )[0]!.at,
  )

export type Redeeming = {
  code_id: number
  store_id: number
  now: number
  times?: number
  way?: Redemption['way']
  by?: { verifier_id?: number; admin_id?: number }
  bill?: { no?: string | undefined; cents: number }
  distance_m?: number
}
/** What some uses of a code are worth (cents), and how many of them were paid for. */
type UseShare = {
  paid_times: number
  pay_cents: number
  platform_cents: number
  settle_cents: number
}
/** Uses of a code that were neither used nor refunded and are in no refund. */
const usable = (code: OrderCode): number =>
  code.times_total + code.times_bonus - code.times_used - code.times_refunding - code.times_refunded
/** The paid uses go first; the last use takes all that is left. */
const shareOf = (code: OrderCode, times: number): UseShare => {
  const paid_times = times === usable(code) ? code.left_times : Math.min(times, code.left_times)
  const part = (cents: number) => partOf(cents, code.left_times, paid_times)
  return {
    paid_times,
    pay_cents: part(code.left_pay_cents),
    platform_cents: part(code.left_platform_cents),
    settle_cents: part(code.left_settle_cents),
  }
}
/** The validity of some codes begins with their first use. */
const isFirstUse = (code: OrderCode): boolean =>
  code.times_used === 0 && code.first_use_days !== null
/** Takes uses of a code by one guarded UPDATE; undefined where a guard fails. */
const takeUses = async (
  tx: Db,
  code: OrderCode,
  of: { times: number; share: UseShare; now: number },
): Promise<OrderCode | undefined> => {
  const { times, share, now } = of
  const c = order_code
  const first = isFirstUse(code)
  const [used] = await tx
    .update(c)
    .set({
      times_used: sql`${c.times_used} + ${times}`,
      left_times: sql`${c.left_times} - ${share.paid_times}`,
      left_pay_cents: sql`${c.left_pay_cents} - ${share.pay_cents}`,
      left_platform_cents: sql`${c.left_platform_cents} - ${share.platform_cents}`,
      left_settle_cents: sql`${c.left_settle_cents} - ${share.settle_cents}`,
      state: codeStateOf({ ...code, times_used: code.times_used + times }, now),
      valid_until: first
        ? Math.min(code.valid_until, now + code.first_use_days! * DAY)
        : code.valid_until,
      ...(first && { valid_before_use: code.valid_until }),
      version: sql`${c.version} + 1`,
      updated_at: now,
    })
    .where(
      and(
        eq(c.id, code.id),
        eq(c.version, code.version),
        inArray(c.state, ['unused', 'part_used'] satisfies CodeState[]),
        sql`${c.valid_from} <= ${now} and ${c.valid_until} > ${now}`,
        sql`${c.times_used} + ${c.times_refunding} + ${c.times_refunded} + ${times} <= ${c.times_total} + ${c.times_bonus}`,
      ),
    )
    .returning()
  return used
}
/** The money is on hold as long as the order's rules say, or longer by its merchant's terms. */
const holdDays = async (tx: Db, row: Order): Promise<number> => {
  const { hold_days } = await rulesOf(tx, row)
  const terms = await termsOf(tx, [row.merchant_id])
  return Math.max(hold_days, terms.get(row.merchant_id)!.freeze_days)
}
const writeRecord = async (
  tx: Db,
  row: Order,
  of: Redeeming & { times: number; code: OrderCode; share: UseShare },
): Promise<Redemption> => {
  const { now, code, share } = of
  const hold_days = await holdDays(tx, row)
  const [record] = await tx
    .insert(verify_record)
    .values({
      code_id: code.id,
      order_id: row.id,
      ordered_at: row.created_at,
      item_id: code.item_id,
      product_id: code.product_id,
      kind: row.kind,
      city_id: row.city_id,
      mall_id: row.mall_id,
      store_id: of.store_id,
      way: of.way ?? 'scan',
      times: of.times,
      ...of.by,
      ...share,
      commission_cents: share.pay_cents + share.platform_cents - share.settle_cents,
      bill_no: of.bill?.no ?? null,
      bill_cents: of.bill?.cents ?? null,
      distance_m: of.distance_m ?? null,
      state: 'valid',
      verified_at: now,
      hold_until: now + hold_days * DAY,
      created_at: now,
      updated_at: now,
    })
    .returning()
  return record!
}
const redeemerOf = (by: Redeeming['by']): Actor => {
  if (by?.admin_id) return { type: 'staff', id: by.admin_id }
  return by?.verifier_id ? { type: 'merchant', id: by.verifier_id } : system
}
/**
 * Redeems uses of a code, one unless said otherwise, and answers the record; undefined when it
 * can't be redeemed (any more). The order is held, then one UPDATE with every guard in its
 * condition takes the uses and their share of the payment: no two tills use one twice, and whoever
 * freezes the order comes wholly before or after.
 */
export const redeem = async (tx: Db, of: Redeeming): Promise<Redemption | undefined> => {
  const { now, times = 1 } = of
  const [known] = await tx
    .select({ order_id: order_code.order_id })
    .from(order_code)
    .where(eq(order_code.id, of.code_id))
  if (!known) return undefined
  const row = await holdOrder(tx, known.order_id)
  const [code] = await tx.select().from(order_code).where(eq(order_code.id, of.code_id))
  if (row.frozen || row.pay_state !== 'paid' || times < 1 || times > usable(code!)) return undefined
  const share = shareOf(code!, times)
  const used = await takeUses(tx, code!, { times, share, now })
  if (!used) return undefined
  if (of.bill?.no !== undefined)
    await lockBill(tx, { store_id: of.store_id, no: of.bill.no, at: now })
  const record = await writeRecord(tx, row, { ...of, times, code: used, share })
  await countBill(tx, record)
  await recount(tx, row, {
    event: 'redeem',
    actor: redeemerOf(of.by),
    now,
    data: { record_id: record.id, store_id: of.store_id, times, pay_cents: share.pay_cents },
    ...(isFirstUse(code!) && { set: { valid_until: await latestValidity(tx, row.id) } }),
  })
  return record
}

export type Reversing = {
  record_id: number
  by: { admin_id: number } | { verifier_id: number }
  reason: string
  now: number
  /** Its window does not bind: a bill that its store agrees to give back. */
  late?: boolean
}
const refuseReversal = (record: Redemption, row: Order, rules: OrderRules, of: Reversing): void => {
  const admin_id = 'admin_id' in of.by ? of.by.admin_id : null
  const window_h = admin_id === null ? rules.merchant_reverse_h : rules.platform_reverse_h
  const why = reverseRefusal(record, {
    now: of.now,
    window_h: of.late ? Infinity : window_h,
    admin_id,
    frozen: row.frozen,
  })
  if (why) throw ruled('not_reversible', why)
}
const markReversed = async (tx: Db, of: Reversing): Promise<Redemption> => {
  const [after] = await tx
    .update(verify_record)
    .set({
      state: 'reversed',
      settle_state: 'reversed',
      reversed_at: of.now,
      reversed_by: 'admin_id' in of.by ? of.by.admin_id : null,
      reverse_reason: of.reason,
      version: sql`${verify_record.version} + 1`,
      updated_at: of.now,
    })
    .where(
      and(
        eq(verify_record.id, of.record_id),
        eq(verify_record.state, 'valid'),
        inArray(verify_record.settle_state, ['holding', 'available']),
      ),
    )
    .returning()
  if (!after)
    throw ruled('not_reversible', ['已撤销或已结算，不能撤销', 'It was taken back or settled'])
  return after
}
/**
 * How long a code is valid once a use of it is no more. A validity that began with that use begins
 * with the next, or is again what it was; one that was extended since stays.
 */
const validityWithout = async (tx: Db, code: OrderCode): Promise<number> => {
  const { valid_before_use } = code
  if (valid_before_use === null) return code.valid_until
  const [next] = await tx
    .select({ at: verify_record.verified_at })
    .from(verify_record)
    .where(and(eq(verify_record.code_id, code.id), eq(verify_record.state, 'valid')))
    .orderBy(verify_record.verified_at)
    .limit(1)
  const begun = next
    ? Math.min(valid_before_use, next.at + code.first_use_days! * DAY)
    : valid_before_use
  return Math.max(code.valid_until, begun)
}
/** Gives uses and their share of the payment back to their code. Answers the code as it was. */
const giveUsesBack = async (tx: Db, after: Redemption, now: number): Promise<OrderCode> => {
  const [found] = await tx.select().from(order_code).where(eq(order_code.id, after.code_id))
  const code = found!
  const times_used = code.times_used - after.times
  const valid_until = await validityWithout(tx, code)
  await tx
    .update(order_code)
    .set({
      times_used,
      left_times: code.left_times + after.paid_times,
      left_pay_cents: code.left_pay_cents + after.pay_cents,
      left_platform_cents: code.left_platform_cents + after.platform_cents,
      left_settle_cents: code.left_settle_cents + after.settle_cents,
      state: codeStateOf({ ...code, times_used, valid_until }, now),
      valid_until,
      valid_before_use: times_used === 0 ? null : code.valid_before_use,
      version: code.version + 1,
      updated_at: now,
    })
    .where(eq(order_code.id, code.id))
  return code
}
/**
 * Takes a redemption back: its uses and exactly its share of the payment return to the code, which
 * may be past its time by now. Only inside the window of whoever does it (the merchant's or the
 * platform's, in hours), before it is settled, and never by the one who redeemed it for the store.
 * Throws 404 for an unknown record and 422 for one that can't be taken back.
 */
export const reverseRedemption = async (tx: Db, of: Reversing): Promise<Redemption> => {
  const { now } = of
  const [known] = await tx.select().from(verify_record).where(eq(verify_record.id, of.record_id))
  if (!known) throw missing()
  const row = await holdOrder(tx, known.order_id)
  const [record] = await tx.select().from(verify_record).where(eq(verify_record.id, of.record_id))
  refuseReversal(record!, row, await rulesOf(tx, row), of)
  await refuseWhileShared(tx, row.id)
  if (record!.bill_no !== null)
    await lockBill(tx, { store_id: record!.store_id, no: record!.bill_no, at: record!.verified_at })
  const after = await markReversed(tx, of)
  await countBill(tx, after)
  const code = await giveUsesBack(tx, after, now)
  await recount(tx, row, {
    event: 'reverse',
    actor:
      'admin_id' in of.by
        ? { type: 'staff', id: of.by.admin_id }
        : { type: 'merchant', id: of.by.verifier_id },
    now,
    memo: of.reason,
    data: { record_id: after.id },
    ...(code.valid_before_use !== null && {
      set: { valid_until: await latestValidity(tx, row.id) },
    }),
  })
  return after
}

/** A bill paid at the store was used the moment it was paid, and has no validity of its own. */
export const redeemBill = async (tx: Db, row: Order, now: number): Promise<void> => {
  await tx
    .update(order_code)
    .set({
      valid_until: sql`greatest(${order_code.valid_until}, ${now + DAY}::bigint)`,
      state: 'unused',
    })
    .where(
      and(
        eq(order_code.order_id, row.id),
        eq(order_code.times_used, 0),
        inArray(order_code.state, ['unused', 'expired']),
      ),
    )
  for (const { id } of await tx
    .select({ id: order_code.id })
    .from(order_code)
    .where(eq(order_code.order_id, row.id)))
    await redeem(tx, { code_id: id, store_id: row.store_id, now, way: 'auto' })
}
