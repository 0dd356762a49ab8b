import { z } from 'zod'
import { placed, write } from '#src/contract/call.ts'
import { cents, id, lines, text, version } from '#src/contract/shapes.ts'
import { codeCalls, codeDetailCalls, decideCalls, orderCalls } from './shared.ts'

const reason = lines(255, 2)
const { verifyForStore: _, reverseVerify: __, ...detail } = codeDetailCalls('voucher')
export const voucher = {
  ...orderCalls('voucher', '代金券订单', 'Voucher orders'),
  ...decideCalls('voucher'),
  ...codeCalls('voucher'),
  /** Hands a suspicion of cashing out to risk control. */
  reportRisk: write('order/voucher/reportRisk', ['提交风控', 'Report to risk control'], {
    input: z.object({ id, version, reason }),
    output: z.object({ id, hit_id: id }),
    touches: ['order', 'risk_hit'],
    scope: placed('order', 'id'),
    permit: 'order.voucher.reportRisk',
  }),
}
export const voucherDetail = {
  ...detail,
  /**
   * Vouchers go on a bill: all of them or none. Without a number the bill is the platform's own.
   */
  verifyForStore: write(
    'order/voucher/detail/verifyForStore',
    ['平台代核销', 'Redeem for the store'],
    {
      input: z.object({
        id,
        code_ids: z.array(id).min(1).max(100),
        store_id: id,
        bill_cents: cents.min(1),
        bill_no: text(32, 0).optional(),
        reason,
      }),
      output: z.object({ id, record_ids: z.array(id) }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: 'order.voucher.detail.verifyForStore',
    },
  ),
  /** One voucher, or every one on its bill. */
  reverseVerify: write('order/voucher/detail/reverseVerify', ['撤销核销', 'Reverse a redemption'], {
    input: z.object({ id, verify_id: id, whole_bill: z.boolean().default(false), reason }),
    output: z.object({ id, verify_ids: z.array(id) }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.voucher.detail.reverseVerify',
  }),
  /**
   * `was_cents`: what the bill is, as its person saw it. Refused with who changed it where it is
   * something else by now.
   */
  fixBill: write('order/voucher/detail/fixBill', ['更正账单金额', 'Correct the bill'], {
    input: z.object({ id, verify_id: id, was_cents: cents, bill_cents: cents.min(1), reason }),
    output: z.object({ id, bill_cents: cents, vouchers: z.int() }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.voucher.detail.fixBill',
  }),
}
