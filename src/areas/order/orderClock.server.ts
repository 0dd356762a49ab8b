import { and, asc, eq, inArray, isNotNull, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { policyAtFirst } from '#src/areas/afterSalePolicy/policy.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { partsOf, policyAgainst, soldCombo } from '#src/areas/combo/comboParts.server.ts'
import { returnGift, unclaimedGifts } from '#src/areas/ecard/gifts.server.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { failGroup, refundFailed } from '#src/areas/group/groupFails.server.ts'
import { payReward, rewardsDue } from '#src/areas/group/groupRewards.server.ts'
import { holdGroup, holdWithGroup } from '#src/areas/group/groups.server.ts'
import { expirePoints } from '#src/areas/points/points.server.ts'
import { moveRaises } from '#src/areas/raise/raise.server.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
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
import { order, order_item } from './order.table.ts'
import { PICKUP_WARN_DAYS } from './order.ts'
import { expireCodes } from './orderCodes.server.ts'
import { holdOrder, rulesOf, system, type Order } from './orderFacts.server.ts'
import { shopScopes } from './orderRules.ts'
import { remindExpiring, toRemind } from './reminders.server.ts'
import { reviewOrder, toReview } from './reviews.server.ts'
import { confirmDelivered, warnPickup } from './storeGoods.server.ts'
import { closeUnpaid } from './trade.server.ts'
import { order_config } from './trail.table.ts'

const SOME = 200
/** A campaign ends with all of its buyers at once, however many they are. */
const ALL_BUYERS_MS = 60_000
/**
 * Each in a transaction of its own; what is refused was done by somebody faster. Answers how many
 * were done.
 */
const each = (
  database: Database,
  failed: Failed | undefined,
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
const ids = (rows: readonly { id: number }[]) => rows.map(row => row.id)

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
  let n = 0
  n += await each(
    database,
    failed,
    ids(
      await db
        .select({ id: order.id })
        .from(order)
        .where(and(eq(order.pay_state, 'unpaid'), lte(order.expire_pay_at, now)))
        .orderBy(asc(order.expire_pay_at))
        .limit(SOME),
    ),
    (tx, id) => closeUnpaid(tx, id, now),
  )
  n += await each(
    database,
    failed,
    ids(
      await db
        .select({ id: roll_group.id })
        .from(roll_group)
        .where(and(eq(roll_group.state, 'forming'), lte(roll_group.expire_at, now)))
        .limit(SOME),
    ),
    (tx, id) => failGroup(tx, id, { end_by: 'timeout', now }),
  )
  // A frozen order of a failed group is paid back once it is free.
  n += await each(
    database,
    failed,
    ids(
      await db
        .selectDistinct({ id: roll_group.id })
        .from(roll_group)
        .innerJoin(order, eq(order.roll_group_id, roll_group.id))
        .where(
          and(
            eq(order.kind, 'roll_buy'),
            eq(order.fulfil_state, 'waiting_group'),
            eq(roll_group.state, 'failed'),
            inArray(order.refund_state, ['none', 'part_refunded']),
            eq(order.frozen, false),
          ),
        )
        .limit(SOME),
    ),
    async (tx, id) => {
      await holdGroup(tx, id)
      return (await refundFailed(tx, id, { now, actor: system })) > 0
    },
  )
  n += await each(database, failed, await rewardsDue(db, now, SOME), (tx, id) =>
    payReward(tx, id, now),
  )
  n += await each(
    database,
    failed,
    ids(
      await db
        .select({ id: raise_batch.id })
        .from(raise_batch)
        .where(and(eq(raise_batch.state, 'raising'), lte(raise_batch.end_at, now)))
        .limit(SOME),
    ),
    (tx, id) => endRaise(tx, id, now),
    { deadlineMs: ALL_BUYERS_MS },
  )
  n += await each(database, failed, ids(await owedByFailed(db, SOME)), (tx, id) =>
    refundFailedRaise(tx, { order_id: id, actor: system, now }),
  )
  n += await each(
    database,
    failed,
    ids(
      await db
        .select({ id: order.id })
        .from(order)
        .where(
          and(
            eq(order.balance_due, true),
            lte(order.expire_pay_at, now),
            eq(order.frozen, false),
            eq(order.refund_state, 'none'),
          ),
        )
        .orderBy(asc(order.expire_pay_at))
        .limit(SOME),
    ),
    (tx, id) => endBalance(tx, id, now),
  )
  n += await each(
    database,
    failed,
    ids(
      await db
        .selectDistinct({ id: order_code.order_id })
        .from(order_code)
        .where(
          and(
            inArray(order_code.state, ['unused', 'part_used']),
            ne(order_code.kind, 'pickup'),
            lte(order_code.valid_until, now),
          ),
        )
        .limit(SOME),
    ),
    (tx, id) => expireCodes(tx, id, now),
  )
  n += await each(database, failed, ids(await expiredToRefund(db, now)), (tx, id) =>
    refundExpired(tx, id, now),
  )
  n += await each(
    database,
    failed,
    ids(
      await db
        .select({ id: order.id })
        .from(order)
        .where(
          and(
            eq(order.fulfil_state, 'shipped'),
            lte(order.receive_by, now),
            eq(order.frozen, false),
            sql`${order.refund_state} <> 'refunding'`,
          ),
        )
        .limit(SOME),
    ),
    (tx, id) => receive(tx, { order_id: id, actor: system, now }),
  )
  n += await each(
    database,
    failed,
    ids(
      await db
        .select({ id: order.id })
        .from(order)
        .where(
          and(
            eq(order.fulfil_state, 'delivering'),
            lte(order.receive_by, now),
            eq(order.frozen, false),
            sql`${order.refund_state} <> 'refunding'`,
          ),
        )
        .limit(SOME),
    ),
    async (tx, id) => confirmDelivered(tx, await holdOrder(tx, id), { actor: system, now }),
  )
  n += await each(
    database,
    failed,
    ids(
      await unpicked(
        db,
        now,
        sql`${PICKUP_WARN_DAYS}::int`,
        sql`select 1 from order_message m where m.order_id = ${order.id} and m.kind = 'pickup' and m.created_at >= ${order.promise_at}`,
        sql`${order.ready_at} is not null`,
      ),
    ),
    async (tx, id) => warnPickup(tx, await holdOrder(tx, id), now),
  )
  n += await each(
    database,
    failed,
    ids(
      await unpicked(
        db,
        now,
        sql`(${order_config.fields}->>'pickup_refund_days')::int`,
        sql`select 1 from refund r where r.idem_key = 'pickup:' || ${order.id}`,
      ),
    ),
    (tx, id) =>
      openRefund(tx, {
        order_id: id,
        wanted: 'all',
        source: 'system',
        cause: 'pickup_timeout',
        reason: joined(['逾期未提货，自动退款', 'Not picked up in time: refunded by itself']),
        actor: system,
        idem_key: `pickup:${id}`,
        now,
      }),
  )
  // What of a bundle was sent counts as received too, though its codes are not all used.
  n += await each(
    database,
    failed,
    ids(
      await db
        .select({ id: order.id })
        .from(order)
        .where(
          and(
            eq(order.kind, 'combo'),
            inArray(order.fulfil_state, ['waiting_use', 'part_used']),
            lte(order.receive_by, now),
            eq(order.frozen, false),
            sql`${order.refund_state} <> 'refunding'`,
            sql`exists (select 1 from order_item i where i.order_id = ${order.id} and i.shipped_qty > i.received_qty)`,
            sql`not exists (select 1 from order_item i where i.order_id = ${order.id} and i.fulfil = 'express' and i.shipped_qty + i.refunded_qty < i.qty)`,
          ),
        )
        .limit(SOME),
    ),
    (tx, id) => receive(tx, { order_id: id, actor: system, now }),
  )
  n += await each(database, failed, await toReview(db, now, SOME), (tx, id) =>
    reviewOrder(tx, { order_id: id, by: 'auto', now }),
  )
  n += await each(database, failed, await unclaimedGifts(db, now, SOME), (tx, id) =>
    returnGift(tx, id, now),
  )
  n += await answerLate(database, now, failed)
  n += await database.transaction(tx => moveRaises(tx, now))
  n += await database.transaction(tx => expirePoints(tx, now))
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
  return n + freed.length
}
/**
 * Tells whose codes are about to expire, some at every call, each once. Answers how many orders.
 */
export const remindOrders = async (
  database: Database,
  now: number,
  failed?: Failed,
): Promise<number> =>
  each(database, failed, await toRemind(database.db, now, SOME), (tx, id) =>
    remindExpiring(tx, id, now),
  )
/**
 * Orders whose codes expired long enough ago for the refund that their rules promise: counted from
 * the order's validity, of a bundle from each part's own. A code under way to another person waits
 * until it has arrived or is called back; one of a bundle that goes back only whole, until all of
 * it has expired and nothing was used or sent.
 */
const expiredToRefund = (db: Db, now: number) =>
  // From the few codes that lie expired and are worth something, not from all orders that are over.
  db
    .selectDistinct({ id: order.id })
    .from(order_code)
    .innerJoin(order, eq(order.id, order_code.order_id))
    .innerJoin(order_item, eq(order_item.id, order_code.item_id))
    .innerJoin(
      order_config,
      and(
        eq(sql`${order_config.scope}`, order.kind),
        eq(order_config.version_no, order.config_version),
      ),
    )
    .where(
      and(
        eq(order_code.state, 'expired'),
        sql`${order_code.left_times} > 0`,
        ne(order_code.gift_state, 'sent'),
        eq(order.frozen, false),
        inArray(order.refund_state, ['none', 'part_refunded']),
        sql`${order_config.fields}->>'refund_policy' = 'anytime'`,
        or(
          and(
            inArray(order.kind, ['bulks', 'voucher', 'roll_buy', 'visitor']),
            inArray(order.fulfil_state, ['expired', 'finished']),
            sql`coalesce(${order_item.snapshot}->>'refund_policy', 'anytime') = 'anytime'`,
            isNotNull(order.valid_until),
            sql`${days} + ${order.valid_until} <= ${now}`,
          ),
          and(
            eq(order.kind, 'combo'),
            sql`${days} + ${order_code.valid_until} <= ${now}`,
            or(
              sql`${order_item.snapshot}->'combo'->>'policy' is distinct from 'whole'`,
              sql`not exists (select 1 from order_code c where c.order_id = ${order.id} and (c.times_used > 0 or c.state in ('unused', 'part_used'))) and not exists (select 1 from order_item i where i.order_id = ${order.id} and i.fulfil <> 'code' and i.refunded_qty < i.qty)`,
            ),
          ),
        ),
      ),
    )
    .limit(SOME)
const days = sql`(${order_config.fields}->>'expired_refund_days')::int * ${DAY}`
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
 * Store goods that nobody has picked up for so many days past their promise, and that `done` does
 * not find dealt with.
 */
const unpicked = (db: Db, now: number, days: SQL, done: SQL, also?: SQL) =>
  db
    .select({ id: order.id })
    .from(order)
    .innerJoin(
      order_config,
      and(
        eq(sql`${order_config.scope}`, order.kind),
        eq(order_config.version_no, order.config_version),
      ),
    )
    .where(
      and(
        eq(order.kind, 'goods'),
        eq(order.sub_kind, 'pickup'),
        inArray(order.fulfil_state, ['waiting_pickup', 'part_used', 'expired']),
        eq(order.frozen, false),
        inArray(order.refund_state, ['none', 'part_refunded']),
        sql`${order.promise_at} + ${days} * ${DAY} <= ${now}`,
        also,
        sql`not exists (${done})`,
      ),
    )
    .limit(SOME)
/**
 * Nothing of a case was sent or issued, and no second person sent it back: what it is of may go
 * back without anybody's word.
 */
const harmless = sql<boolean>`exists (select 1 from refund_item l where l.refund_id = ${refund.id}) and not exists (select 1 from refund_item l join order_item i on i.id = l.item_id where l.refund_id = ${refund.id} and (l.shipped_qty > 0 or i.fulfil = 'virtual')) and not exists (select 1 from order_log g where g.order_id = ${refund.order_id} and g.event = 'refund_decide' and g.data->>'verb' = 'secondReject' and (g.data->>'refund_id')::int = ${refund.id})`
/** Something of the policies that the goods of a case were sold under. */
const ofPolicies = (what: SQL) =>
  sql`(select ${what} from refund_item l join order_item i on i.id = l.item_id join after_sale_config p on p.id = i.policy_id where l.refund_id = ${refund.id})`
/**
 * Refunds past their time: nothing sent and within what is agreed to alone → agreed; not posted
 * back → closed; the others are handed up to the platform.
 */
const answerLate = async (
  database: Database,
  now: number,
  failed: Failed | undefined,
): Promise<number> => {
  const { db } = database
  const late = await db
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
  const by = { id: 0, limit_cents: 0 }
  let n = 0
  for (const { row, harmless: may, limit_cents, more_h } of late) {
    n += await each(database, failed, [row.id], async (tx, id) => {
      if (row.state === 'wait_return')
        return closeRefund(tx, {
          id,
          version: row.version,
          by,
          reason: joined(['7 天未寄回，自动关闭', 'Not sent back within 7 days: closed by itself']),
          now,
        })
      // What a store made ready is not agreed to over its head, nor an exception by the clock: the
      // platform decides.
      if (
        may &&
        row.order_kind !== 'goods' &&
        row.type === 'refund_only' &&
        !row.policy_override &&
        row.amount_cents <= limit_cents &&
        (row.order_kind !== 'combo' || (await policyRefusesCase(tx, row)) === undefined)
      )
        return approveRefund(tx, { id, version: row.version, by: { id: 0, limit_cents }, now })
      await tx
        .update(refund)
        .set({
          intervened: true,
          deadline_at: now + more_h * HOUR,
          version: row.version + 1,
          updated_at: now,
        })
        .where(and(eq(refund.id, id), eq(refund.version, row.version)))
      return true
    })
  }
  return n
}
