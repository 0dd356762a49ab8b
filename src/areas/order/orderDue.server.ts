import { and, asc, eq, inArray, isNotNull, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { order, order_item } from './order.table.ts'
import { PICKUP_WARN_DAYS } from './order.ts'
import { boughtUnder } from './orderFacts.server.ts'
import { order_config } from './trail.table.ts'

/** So many are done of each at a call. */
export const SOME = 200
const idsOf = async (rows: PromiseLike<readonly { id: number }[]>): Promise<number[]> =>
  (await rows).map(row => row.id)

export const unpaid = (db: Db, now: number) =>
  idsOf(
    db
      .select({ id: order.id })
      .from(order)
      .where(and(eq(order.pay_state, 'unpaid'), lte(order.expire_pay_at, now)))
      .orderBy(asc(order.expire_pay_at))
      .limit(SOME),
  )
export const unformedGroups = (db: Db, now: number) =>
  idsOf(
    db
      .select({ id: roll_group.id })
      .from(roll_group)
      .where(and(eq(roll_group.state, 'forming'), lte(roll_group.expire_at, now)))
      .limit(SOME),
  )
/** Failed groups whose orders wait still: a frozen one is paid back once it is free. */
export const failedGroups = (db: Db) =>
  idsOf(
    db
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
  )
export const endedRaises = (db: Db, now: number) =>
  idsOf(
    db
      .select({ id: raise_batch.id })
      .from(raise_batch)
      .where(and(eq(raise_batch.state, 'raising'), lte(raise_batch.end_at, now)))
      .limit(SOME),
  )
export const unpaidBalances = (db: Db, now: number) =>
  idsOf(
    db
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
  )
/** Orders that have codes whose time is over. */
export const endedCodes = (db: Db, now: number) =>
  idsOf(
    db
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
  )
const onTheWay = (db: Db, state: 'shipped' | 'delivering', now: number) =>
  idsOf(
    db
      .select({ id: order.id })
      .from(order)
      .where(
        and(
          eq(order.fulfil_state, state),
          lte(order.receive_by, now),
          eq(order.frozen, false),
          sql`${order.refund_state} <> 'refunding'`,
        ),
      )
      .limit(SOME),
  )
export const shipped = (db: Db, now: number) => onTheWay(db, 'shipped', now)
export const delivering = (db: Db, now: number) => onTheWay(db, 'delivering', now)
/** Bundles of which all that is sent has been: it counts as received too, though not all codes are used. */
export const sentParts = (db: Db, now: number) =>
  idsOf(
    db
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
  )
/**
 * Orders whose codes expired long enough ago for the refund that their rules promise: counted from
 * the order's validity, of a bundle from each part's own. A code under way to another person waits
 * until it has arrived or is called back; one of a bundle that goes back only whole, until all of
 * it has expired and nothing was used or sent.
 */
export const expiredToRefund = (db: Db, now: number) =>
  idsOf(
    // From the few codes that lie expired and are worth something, not from all orders that are over.
    db
      .selectDistinct({ id: order.id })
      .from(order_code)
      .innerJoin(order, eq(order.id, order_code.order_id))
      .innerJoin(order_item, eq(order_item.id, order_code.item_id))
      .innerJoin(order_config, boughtUnder)
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
      .limit(SOME),
  )
const days = sql`(${order_config.fields}->>'expired_refund_days')::int * ${DAY}`
/**
 * Store goods that nobody has picked up for so many days past their promise, and that `done` does
 * not find dealt with.
 */
const unpicked = (
  db: Db,
  now: number,
  { days, done, also }: { days: SQL; done: SQL; also?: SQL },
) =>
  db
    .select({ id: order.id })
    .from(order)
    .innerJoin(order_config, boughtUnder)
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
/** Those that the buyer was not told of since they were to be picked up. */
export const unpickedToWarn = (db: Db, now: number) =>
  idsOf(
    unpicked(db, now, {
      days: sql`${PICKUP_WARN_DAYS}::int`,
      done: sql`select 1 from order_message m where m.order_id = ${order.id} and m.kind = 'pickup' and m.created_at >= ${order.promise_at}`,
      also: sql`${order.ready_at} is not null`,
    }),
  )
export const unpickedToRefund = (db: Db, now: number) =>
  idsOf(
    unpicked(db, now, {
      days: sql`(${order_config.fields}->>'pickup_refund_days')::int`,
      done: sql`select 1 from refund r where r.idem_key = 'pickup:' || ${order.id}`,
    }),
  )
