import { and, asc, eq, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { policyAtFirst } from '#src/areas/afterSalePolicy/policy.ts'
import { verify_record } from '#src/areas/code/code.table.ts'
import { partsOf, policyAgainst, soldCombo } from '#src/areas/combo/comboParts.server.ts'
import { returnGift, unclaimedGifts } from '#src/areas/ecard/gifts.server.ts'
import { failGroup, refundFailed } from '#src/areas/group/groupFails.server.ts'
import { payReward, rewardsDue } from '#src/areas/group/groupRewards.server.ts'
import { holdGroup, holdWithGroup } from '#src/areas/group/groups.server.ts'
import { expirePoints } from '#src/areas/points/points.server.ts'
import { moveRaises } from '#src/areas/raise/raise.server.ts'
import {
  endBalance,
  endRaise,
  owedByFailed,
  refundFailedRaise,
} from '#src/areas/raise/raiseFails.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { policyRefusesCase } from '#src/areas/refund/refundBundle.server.ts'
import { approveRefund, closeRefund } from '#src/areas/refund/refundCases.server.ts'
import type { Wanted } from '#src/areas/refund/refundLines.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { receive } from '#src/areas/shipping/shipping.server.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { order } from './order.table.ts'
import { expireCodes } from './orderCodes.server.ts'
import * as due from './orderDue.server.ts'
import { SOME } from './orderDue.server.ts'
import { holdOrder, rulesOf, system, type Order } from './orderFacts.server.ts'
import { shopScopes } from './orderRules.ts'
import { remindExpiring, toRemind } from './reminders.server.ts'
import { reviewOrder, toReview } from './reviews.server.ts'
import { confirmDelivered, warnPickup } from './storeGoods.server.ts'
import { closeUnpaid } from './trade.server.ts'

/** A campaign ends with all of its buyers at once, however many they are. */
const ALL_BUYERS_MS = 60_000
type Clock = { database: Database; now: number; failed: Failed | undefined }
/**
 * Each in a transaction of its own; what is refused was done by somebody faster. Answers how many
 * were done.
 */
const each = (
  { database, failed }: Clock,
  ids: readonly number[],
  act: (tx: Db, id: number) => Promise<unknown>,
  options?: { deadlineMs: number },
) =>
  oneByOne(
    ids.map(id => ({ id })),
    ({ id }) =>
      database
        .transaction(tx => act(tx, id), options)
        .catch((error: unknown) => {
          if (error instanceof Refusal) return false
          throw error
        }),
    failed,
  )

const receiveBySystem = (tx: Db, order_id: number, now: number) =>
  receive(tx, { order_id, actor: system, now })
const payFailedGroup = async (tx: Db, id: number, now: number) => {
  await holdGroup(tx, id)
  return (await refundFailed(tx, id, { now, actor: system })) > 0
}
const refundUnpicked = (tx: Db, order_id: number, now: number) =>
  openRefund(tx, {
    order_id,
    wanted: 'all',
    source: 'system',
    cause: 'pickup_timeout',
    reason: joined(['逾期未提货，自动退款', 'Not picked up in time: refunded by itself']),
    actor: system,
    idem_key: `pickup:${order_id}`,
    now,
  })
/**
 * Tells whose codes are about to expire, some at every call, each once. Answers how many orders.
 */
export const remindOrders = async (
  database: Database,
  now: number,
  failed?: Failed,
): Promise<number> =>
  each({ database, now, failed }, await toRemind(database.db, now, SOME), (tx, id) =>
    remindExpiring(tx, id, now),
  )
/** What of a bundle expired long enough ago, or false where its policy keeps it. */
const expiredParts = async (tx: Db, row: Order, now: number): Promise<Wanted | false> => {
  const { expired_refund_days } = await rulesOf(tx, row)
  const parts = await partsOf(tx, row.id)
  const gone = parts
    .flatMap(part => part.codes)
    .filter(
      code =>
        code.state === 'expired' &&
        code.left_times > 0 &&
        code.gift_state !== 'sent' &&
        expired_refund_days !== null &&
        code.valid_until + expired_refund_days * DAY <= now,
    )
  return (
    gone.length > 0 &&
    policyAgainst(
      (await soldCombo(tx, row, parts)).policy,
      parts,
      new Set(gone.map(code => code.item_id)),
      false,
    ) === undefined && { codes: gone.map(({ id }) => ({ id })) }
  )
}
/**
 * Once for what expired; again for what expired or came back since, because its redemption was
 * taken back. Two clocks at once name it the same.
 */
const refundExpired = async (tx: Db, order_id: number, now: number) => {
  const { row } = await holdWithGroup(tx, order_id)
  const wanted = row.kind === 'combo' ? await expiredParts(tx, row, now) : 'all'
  if (wanted === false) return false
  const before = await tx.$count(
    refund,
    and(eq(refund.order_id, order_id), eq(refund.cause, 'expired')),
  )
  return openRefund(tx, {
    order_id,
    wanted,
    source: 'system',
    cause: 'expired',
    reason: joined(['过期未使用，自动退款', 'Not used before it expired: refunded by itself']),
    actor: system,
    idem_key: `expired:${order_id}${before === 0 ? '' : `:${before}`}`,
    now,
  })
}
/**
 * Nothing of a case was sent or issued, and no second person sent it back: what it is of may go
 * back without anybody's word.
 */
const harmless = sql<boolean>`exists (select 1 from refund_item l where l.refund_id = ${refund.id}) and not exists (select 1 from refund_item l join order_item i on i.id = l.item_id where l.refund_id = ${refund.id} and (l.shipped_qty > 0 or i.fulfil = 'virtual')) and not exists (select 1 from order_log g where g.order_id = ${refund.order_id} and g.event = 'refund_decide' and g.data->>'verb' = 'secondReject' and (g.data->>'refund_id')::int = ${refund.id})`
/** Something of the policies that the goods of a case were sold under. */
const ofPolicies = (what: SQL) =>
  sql`(select ${what} from refund_item l join order_item i on i.id = l.item_id join after_sale_config p on p.id = i.policy_id where l.refund_id = ${refund.id})`
const lateRefunds = (db: Db, now: number) =>
  db
    .select({
      row: refund,
      harmless,
      /** The policy says it for e-commerce; the rules say it for other kinds and what was sold before. */
      limit_cents: sql<number>`coalesce(case when ${inArray(order.kind, [...shopScopes])} then ${ofPolicies(sql`min(p.auto_agree_cents)::int`)} end, (select (c.fields->>'auto_approve_limit_cents')::int from order_config c where c.scope = ${order.kind} and c.version_no = ${order.config_version}), 0)`,
      /** The platform's hours, once the merchant's are over. */
      more_h: sql<number>`coalesce(${ofPolicies(sql`min(p.platform_h - p.merchant_h)`)}, ${policyAtFirst.platform_h - policyAtFirst.merchant_h})`,
    })
    .from(refund)
    .innerJoin(order, eq(order.id, refund.order_id))
    .where(
      and(
        lte(refund.deadline_at, now),
        or(
          eq(refund.state, 'wait_return'),
          and(eq(refund.state, 'applied'), eq(refund.intervened, false)),
        ),
        eq(order.frozen, false),
      ),
    )
    .orderBy(asc(refund.deadline_at))
    .limit(SOME)
type LateRefund = Awaited<ReturnType<typeof lateRefunds>>[number]
/**
 * Whether a refund past its time is agreed to. What a store made ready is not, over its head, nor
 * an exception by the clock: the platform decides.
 */
const isAgreed = async (tx: Db, { row, harmless, limit_cents }: LateRefund): Promise<boolean> =>
  harmless &&
  row.order_kind !== 'goods' &&
  row.type === 'refund_only' &&
  !row.policy_override &&
  row.amount_cents <= limit_cents &&
  (row.order_kind !== 'combo' || (await policyRefusesCase(tx, row)) === undefined)
const answerRefund = async (tx: Db, late: LateRefund, now: number) => {
  const { id, version, state } = late.row
  if (state === 'wait_return')
    return closeRefund(tx, {
      id,
      version,
      by: { id: 0, limit_cents: 0 },
      reason: joined(['7 天未寄回，自动关闭', 'Not sent back within 7 days: closed by itself']),
      now,
    })
  if (await isAgreed(tx, late))
    return approveRefund(tx, { id, version, by: { id: 0, limit_cents: late.limit_cents }, now })
  await tx
    .update(refund)
    .set({
      intervened: true,
      deadline_at: now + late.more_h * HOUR,
      version: version + 1,
      updated_at: now,
    })
    .where(and(eq(refund.id, id), eq(refund.version, version)))
  return true
}
/**
 * Refunds past their time: nothing sent and within what is agreed to alone → agreed; not posted
 * back → closed; the others are handed up to the platform.
 */
const answerLate = async (clock: Clock): Promise<number> => {
  let n = 0
  for (const late of await lateRefunds(clock.database.db, clock.now))
    n += await each(clock, [late.row.id], tx => answerRefund(tx, late, clock.now))
  return n
}

/** A thing that time does: to which ids it is due, and what is done to each. */
type Tick = {
  due: (db: Db, now: number) => Promise<readonly number[]>
  act: (tx: Db, id: number, now: number) => Promise<unknown>
  options?: { deadlineMs: number }
}
/** What time does to orders, in the order in which it is done. */
const ticks: readonly Tick[] = [
  { due: due.unpaid, act: closeUnpaid },
  {
    due: due.unformedGroups,
    act: (tx, id, now) => failGroup(tx, id, { end_by: 'timeout', now }),
  },
  { due: due.failedGroups, act: payFailedGroup },
  { due: (db, now) => rewardsDue(db, now, SOME), act: payReward },
  { due: due.endedRaises, act: endRaise, options: { deadlineMs: ALL_BUYERS_MS } },
  {
    due: async db => (await owedByFailed(db, SOME)).map(row => row.id),
    act: (tx, order_id, now) => refundFailedRaise(tx, { order_id, actor: system, now }),
  },
  { due: due.unpaidBalances, act: endBalance },
  { due: due.endedCodes, act: expireCodes },
  { due: due.expiredToRefund, act: refundExpired },
  { due: due.shipped, act: receiveBySystem },
  {
    due: due.delivering,
    act: async (tx, id, now) =>
      confirmDelivered(tx, await holdOrder(tx, id), { actor: system, now }),
  },
  {
    due: due.unpickedToWarn,
    act: async (tx, id, now) => warnPickup(tx, await holdOrder(tx, id), now),
  },
  { due: due.unpickedToRefund, act: refundUnpicked },
  { due: due.sentParts, act: receiveBySystem },
  {
    due: (db, now) => toReview(db, now, SOME),
    act: (tx, order_id, now) => reviewOrder(tx, { order_id, by: 'auto', now }),
  },
  { due: (db, now) => unclaimedGifts(db, now, SOME), act: returnGift },
]
/** Money on hold whose time has come. Answers how many redemptions it was of. */
const freeHeld = async (db: Db, now: number): Promise<number> => {
  const freed = await db
    .update(verify_record)
    .set({ settle_state: 'available' })
    .where(
      and(
        eq(verify_record.settle_state, 'holding'),
        lte(verify_record.hold_until, now),
        sql`not exists (select 1 from "order" o where o.id = ${verify_record.order_id} and o.frozen)`,
        // What a frozen merchant is owed is withheld as long as the freeze lasts.
        sql`not exists (select 1 from store s join merchant m on m.id = s.merchant_id where s.id = ${verify_record.store_id} and m.status = 'frozen')`,
      ),
    )
    .returning({ id: verify_record.id })
  return freed.length
}

/**
 * What time does to orders, a piece of each at every call: unpaid ones close, groups that did not
 * form fail, whoever led one that is through has the reward, campaigns end and balances run out,
 * codes expire and are refunded where that was promised, parcels and deliveries count as received
 * and are reviewed by themselves, whoever does not pick up is told and then refunded, refunds
 * nobody answered are agreed to or handed up, cards that nobody took go back to their givers, money
 * on hold becomes free. Doing it again does no
 * harm. One that can't be done (`failed` is told its id) holds up no other. Answers how many rows
 * moved.
 */
export const tickOrders = async (
  database: Database,
  now: number,
  failed?: Failed,
): Promise<number> => {
  const { db } = database
  const clock = { database, now, failed }
  let n = 0
  for (const { due, act, options } of ticks)
    n += await each(clock, await due(db, now), (tx, id) => act(tx, id, now), options)
  n += await answerLate(clock)
  n += await database.transaction(tx => moveRaises(tx, now))
  n += await database.transaction(tx => expirePoints(tx, now))
  return n + (await freeHeld(db, now))
}
