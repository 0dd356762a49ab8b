import { eq, sql } from 'drizzle-orm'
import { redeemBill } from '#src/areas/code/redemption.server.ts'
import { spendCoupon } from '#src/areas/coupon/coupons.server.ts'
import { beginIssues } from '#src/areas/coupon/issue.server.ts'
import { issueCards } from '#src/areas/ecard/issuing.server.ts'
import { issueTickets } from '#src/areas/film/tickets.server.ts'
import { spendPull } from '#src/areas/filmPull/pulls.server.ts'
import {
  holdWithGroup,
  leadGroup,
  succeedGroup,
  takeSeat,
  type Group,
  type Seat,
} from '#src/areas/group/groups.server.ts'
import { growFor } from '#src/areas/level/growth.server.ts'
import { spendFrozen } from '#src/areas/points/orderPoints.server.ts'
import { moveStock } from '#src/areas/product/stock.server.ts'
import { oweBalance, raisedNow, type Batch } from '#src/areas/raise/raise.server.ts'
import { keepRates } from '#src/areas/settle/settleMerchant.server.ts'
import { grantSubsidies } from '#src/areas/subsidy/granting.server.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import { openPlan } from '#src/areas/vipCard/orderHooks.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { order_item } from './order.table.ts'
import { makeCodes } from './orderCodes.server.ts'
import { isWaiting, noteOrder, recount, rulesOf, type Order } from './orderFacts.server.ts'
import { sendFirstCodes } from './orderMessages.server.ts'
import type { OrderRules } from './orderRules.ts'

/** What came in for an order, and with what it is bound up; all held. */
type Paying = {
  row: Order
  batch: Batch | undefined
  seat: Seat | undefined
  rules: OrderRules
  /** Its group or campaign has not come about. */
  waiting: boolean
  /** It pays the balance of a campaign, after the deposit. */
  balance: boolean
}
/** A payment takes a seat of the group it was for, or opens a group of its own. */
const seatFor = async (
  tx: Db,
  row: Order,
  of: { group: Group | undefined; rules: OrderRules; now: number },
): Promise<Seat | undefined> => {
  if (of.group) return takeSeat(tx, of.group.id, of.rules, of.now)
  return row.kind === 'roll_buy' ? leadGroup(tx, row, of.rules, of.now) : undefined
}
/** Until when a paid order must be sent, or made ready; undefined where nothing is sent yet. */
const promiseFor = ({ row, batch, rules, waiting }: Paying, now: number): number | undefined => {
  const ships =
    ['express', 'full', 'deposit', 'pickup', 'store_delivery'].includes(row.sub_kind) ||
    (row.kind === 'combo' && row.receiver !== null)
  return ships && !waiting ? (batch?.ship_at ?? now + rules.ship_promise_h * 3600) : undefined
}
const writePaid = async (
  tx: Db,
  paying: Paying,
  of: { cents: number; deposit: boolean; valid_until: number | null; now: number },
): Promise<Order> => {
  const { row, seat, balance } = paying
  const { now } = of
  const promise_at = promiseFor(paying, now)
  return recount(tx, row, {
    event: balance ? 'pay_balance' : 'pay',
    actor: { type: 'channel' },
    now,
    set: {
      pay_state: of.deposit ? 'part_paid' : 'paid',
      balance_due: false,
      paid_cents: row.paid_cents + of.cents,
      paid_at: row.paid_at ?? now,
      valid_until: of.valid_until,
      ...(promise_at !== undefined && { promise_at }),
      ...(seat && { roll_group_id: seat.group_id, group_role: seat.role }),
    },
  })
}
/** The member joins the group; the last seat lets it succeed. */
const joinGroup = async (tx: Db, paid: Order, seat: Seat, now: number): Promise<void> => {
  await noteOrder(tx, {
    order_id: paid.id,
    event: 'group_join',
    actor: { type: 'member', id: paid.member_id },
    at: now,
    data: { group_id: seat.group_id, role: seat.role },
  })
  if (seat.full) await succeedGroup(tx, seat.group_id, { end_by: 'full', now })
}
/** Where the campaign stood when this order was paid stays with it. */
const keepRaised = async (tx: Db, order_id: number, batch: Batch) => {
  const at_pay = JSON.stringify(await raisedNow(tx, batch.id))
  await tx
    .update(order_item)
    .set({ snapshot: sql`jsonb_set(${order_item.snapshot}, '{raise,at_pay}', ${at_pay}::jsonb)` })
    .where(eq(order_item.order_id, order_id))
}
/** What somebody else issues is asked for as soon as it is paid. */
const issue = async (tx: Db, row: Order, now: number): Promise<void> => {
  if (row.kind === 'points') await beginIssues(tx, row.id, now)
  if (row.kind === 'ecard') await issueCards(tx, row, now)
  if (row.kind === 'vip_card') await openPlan(tx, row, now)
  if (row.kind === 'film') {
    await issueTickets(tx, row, now)
    await spendPull(tx, row, now)
  }
}
/** What follows once nothing is owed any more: its coupon is spent, subsidies and growth are given. */
const settleFollowUps = async (tx: Db, row: Order, paid: Order, now: number): Promise<void> => {
  await spendCoupon(tx, row, now)
  await grantSubsidies(tx, paid, now)
  if (paid.member_id === null) return
  await growFor(tx, {
    action: 'buy',
    member_id: paid.member_id,
    biz_no: paid.order_no,
    order_id: paid.id,
    paid_cents: paid.paid_cents,
    now,
  })
}
/**
 * Marks an order as paid, as its channel said: once, however often it says so
 * (`payment/payments.server.ts` sees to that). Codes come into being with their shares of the payment; a
 * seat of a group is taken. `cents` came in; `deposit`: the rest is still owed. Answers false where
 * nothing was due.
 */
export const markPaid = async (
  tx: Db,
  order_id: number,
  of: { cents: number; deposit: boolean; now: number },
): Promise<boolean> => {
  const { now } = of
  const { row, group, batch } = await holdWithGroup(tx, order_id)
  const balance = row.pay_state === 'part_paid' && row.balance_due
  if (row.pay_state !== 'unpaid' && !balance) return false
  const rules = await rulesOf(tx, row)
  const seat = await seatFor(tx, row, { group, rules, now })
  const waiting = seat !== undefined || isWaiting(undefined, batch?.state)
  await issue(tx, row, now)
  if (!balance) await keepRates(tx, order_id, now)
  const valid_until = balance ? row.valid_until : await makeCodes(tx, row, { rules, waiting, now })
  if (!balance) await moveStock(tx, order_id, 'sold')
  const paying = { row, batch, seat, rules, waiting, balance }
  const paid = await writePaid(tx, paying, { ...of, valid_until })
  if (seat) await joinGroup(tx, paid, seat, now)
  if (batch && !balance) await keepRaised(tx, order_id, batch)
  if (batch && of.deposit && !waiting) await oweBalance(tx, paid, batch, now)
  if (row.sub_kind === 'pay_bill') await redeemBill(tx, paid, now)
  else if (row.kind === 'visitor') await sendFirstCodes(tx, paid, now)
  // The member is held after the products, as everybody holds them.
  if (row.points_used > 0) await spendFrozen(tx, { order_id, now })
  // After a deposit the coupon stays taken until the balance is paid.
  if (!of.deposit) await settleFollowUps(tx, row, paid, now)
  await noteUser(tx, {
    kind: 'pay',
    member_id: paid.member_id,
    request_id: `pay:${paid.order_no}${balance ? ':balance' : ''}`,
    detail: { no: paid.order_no, cents: of.cents },
    from: { device_id: paid.device_id },
    at: now,
  })
  return true
}
