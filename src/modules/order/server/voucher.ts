import { and, eq } from 'drizzle-orm'
import { fixBill, redeemOnBill, reportCashOut, reverseBill } from '#src/areas/code/bills.server.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { reverseRedemption } from '#src/areas/code/redemption.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { implement } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { voucher, voucherDetail } from '../contract/voucher.ts'
import { codeDetailHandlers, codeHandlers } from './codes.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { orderHandlers } from './shared.ts'

const kinds = ['voucher'] as const
exportOrders('voucher', kinds, ['代金券订单', 'Voucher orders'])
const list = orderHandlers('voucher', kinds)
const { refund, changeStore, queryPay, revealCode } = codeDetailHandlers(kinds)

const recordOf = async (tx: Db, order_id: number, id: number) => {
  const [record] = await tx
    .select()
    .from(verify_record)
    .where(and(eq(verify_record.id, id), eq(verify_record.order_id, order_id)))
  if (!record) throw missing()
  return record
}
export const voucherServer = implement(voucher, {
  ...decideHandlers(kinds),
  ...list,
  ...codeHandlers(kinds),
  refund: async (input, context) => {
    // A voucher goes back whole, at its own share.
    if (input.amount_cents !== undefined || input.items)
      throw ruled('whole_codes', [
        '代金券按券码整张退款，金额为其实付分摊，不能改',
        'Vouchers are refunded whole, at their own share',
      ])
    return list.refund(input, context)
  },
  reportRisk: async ({ reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    if (row.pay_state !== 'paid')
      throw ruled('not_paid', ['订单未付款，没有可核查的用券', 'It is not paid'])
    const codes = await tx
      .select({ id: order_code.id })
      .from(order_code)
      .where(eq(order_code.order_id, row.id))
      .orderBy(order_code.id)
    const { hit_id } = await reportCashOut(tx, {
      order_ids: [row.id],
      code_ids: codes.map(code => code.id),
      store_id: row.store_id,
      by: staff.name,
      reason,
      now,
    })
    log({ ...logged(row), after: { risk_hit: hit_id }, reason })
    return { id: row.id, hit_id }
  },
})
export const voucherDetailServer = implement(voucherDetail, {
  refund,
  changeStore,
  queryPay,
  revealCode,
  verifyForStore: async (
    { id, code_ids, store_id, bill_cents, bill_no, reason },
    { tx, staff, now, log },
  ) => {
    const row = await heldOrder(tx, kinds, { id }, staff)
    const made = await redeemOnBill(tx, row, {
      code_ids,
      store_id,
      bill: { no: bill_no, cents: bill_cents },
      admin_id: staff.id,
      now,
    })
    log({
      ...logged(row),
      after: { redeemed_times: made.length, store_id, bill_no: made[0]!.bill_no, bill_cents },
      reason,
    })
    return { id, record_ids: made.map(one => one.id) }
  },
  // Not held first: a bill may hold vouchers of several orders, which are held in the order of
  // their ids.
  reverseVerify: async ({ id, verify_id, whole_bill, reason }, { tx, staff, now, log }) => {
    const row = await findOrder(tx, kinds, id, staff)
    const record = await recordOf(tx, id, verify_id)
    const by = { admin_id: staff.id }
    const done = whole_bill
      ? await reverseBill(tx, { record, by, reason, now })
      : [await reverseRedemption(tx, { record_id: verify_id, by, reason, now })]
    log({ ...logged(row), after: { reversed_record: verify_id, reversed_n: done.length }, reason })
    return { id, verify_ids: done.map(one => one.id) }
  },
  fixBill: async ({ id, verify_id, was_cents, bill_cents, reason }, { tx, staff, now, log }) => {
    const row = await findOrder(tx, kinds, id, staff)
    const record = await recordOf(tx, id, verify_id)
    const after = await fixBill(tx, {
      record,
      was_cents,
      cents: bill_cents,
      reason,
      actor: staffActor(staff),
      now,
    })
    log({ ...logged(row), before: { bill_cents: was_cents }, after: { bill_cents }, reason })
    return { id, bill_cents, vouchers: after.length }
  },
})
