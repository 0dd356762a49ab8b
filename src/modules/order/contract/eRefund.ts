import { z } from 'zod'
import {
  postedKinds,
  refundStates,
  returnConditions,
  type PostedKind,
  type RefundState,
  type RefundVerb,
  type ReturnCondition,
} from '#src/areas/refund/refund.ts'
import { returnNews, type ReturnNews } from '#src/areas/shipping/track.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import {
  state,
  type,
  reasonCode,
  rejectCode,
  picture,
  eRefundRow,
  eRefundDetail,
} from './eRefundRow.ts'

export const BATCH_MAX = 100

/** Tabs: stages, with `open` for all that waits and `mine` for what I hold. */
const filters = {
  state: z
    .enum(['open', 'mine', ...Object.keys(refundStates)] as ['open', 'mine', ...RefundState[]])
    .default('open'),
  /** Every case of e-commerce; what is to come back of groups and campaigns. */
  kind: z.enum(postedKinds).default('elist'),
  /** Number of a case, of an order, or of a parcel that came back. */
  keyword: searched(40).optional(),
  type: type.optional(),
  reason_code: reasonCode.optional(),
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  merchant_id: id.optional(),
  /** Cents, both ends counted. */
  amount_from: cents.min(0).optional(),
  amount_to: cents.min(0).optional(),
  channel_failed: z.boolean().optional(),
  overdue: z.boolean().optional(),
  parcel: keysOf<ReturnNews>(returnNews).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const one = { id, version }
const changed = z.object({ id, state, version })
const touches = ['refund', 'order'] as const
const reason = lines(500, 2)
const images = z.array(picture).max(9).optional()
const act = <S extends z.ZodRawShape>(
  verb: RefundVerb,
  title: readonly [string, string],
  more: S,
  at = 'order.eRefund',
) =>
  write(`order/eRefund/${verb}`, title, {
    input: z.object({ ...one, ...more }),
    output: changed,
    touches,
    scope: placed('refund', 'id'),
    permit: `${at}.${verb}`,
  })
const DETAIL = 'order.eRefund.detail'

export const eRefund = {
  lst: read('order/eRefund/lst', ['电商售后单', 'E-commerce after-sales'], {
    input: z.object({
      ...filters,
      sort: z.enum(['deadline', 'newest', 'amount']).default('deadline'),
      ...page,
    }),
    output: listOf(eRefundRow),
    touches,
    scope: placed('refund'),
    permit: 'order.eRefund.view',
  }),
  /** How many rows each tab has, within the other filters. */
  counts: read('order/eRefund/counts', ['售后单计数', 'Counts of cases'], {
    input: z.object(filters).omit({ state: true }),
    output: z.record(z.string(), z.int()),
    touches,
    scope: placed('refund'),
    permit: 'order.eRefund.view',
  }),
  /** How many cases of each kind are open. */
  kinds: read('order/eRefund/kinds', ['各类待处理售后', 'Open cases by kind'], {
    input: z.object({}),
    output: z.object(
      Object.fromEntries(postedKinds.map(kind => [kind, z.int()])) as Record<PostedKind, z.ZodInt>,
    ),
    touches,
    scope: placed('refund'),
    permit: 'order.eRefund.view',
  }),
  detail: read('order/eRefund/detail', ['电商售后详情', 'After-sale detail'], {
    input: z.object({ id }),
    output: eRefundDetail,
    touches,
    scope: placed('refund', 'id'),
    permit: 'order.eRefund.view',
  }),
  /** Merchants who have cases of mine, for the filter. */
  merchants: read('order/eRefund/merchants', ['售后商户', 'Merchants of cases'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['merchant'],
    scope: placed('merchant'),
    permit: 'order.eRefund.view',
  }),
  /** Where the goods of a case may be returned to. */
  addresses: read('order/eRefund/addresses', ['可选退货地址', 'Return addresses'], {
    input: z.object({ refund_id: id, keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['merchant'],
    scope: placed('merchant', { refund_id: 'refund' }),
    permit: 'order.eRefund.view',
  }),
  /** Couriers in use. */
  couriers: read('order/eRefund/couriers', ['可选快递', 'Couriers'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string(), sample: z.string() })),
    touches: ['courier'],
    scope: 'all',
    permit: 'order.eRefund.view',
  }),

  claim: act('claim', ['领取售后单', 'Claim a case'], {}),
  approve: act('approve', ['同意退款', 'Approve a refund'], {}),
  approveReturn: act('approveReturn', ['同意退货', 'Approve a return'], { address_id: id }),
  reject: act('reject', ['拒绝售后', 'Reject a case'], { reason_code: rejectCode, reason, images }),
  confirmReceive: act('confirmReceive', ['确认收到退货', 'Confirm return'], {
    condition: keysOf<ReturnCondition>(returnConditions).optional(),
  }),
  refuseReceive: act('refuseReceive', ['拒收退货', 'Refuse the goods'], { reason, images }),
  /** `consent`: the buyer's own words that agree to it. */
  changeAmount: act('changeAmount', ['协商改金额', 'Agree on another amount'], {
    amount_cents: cents.min(1),
    reason,
    consent: lines(500, 2),
    images,
  }),
  secondApprove: act('secondApprove', ['复核通过', 'Second approval'], {}),
  secondReject: act('secondReject', ['复核驳回', 'Second rejection'], { reason }),
  retryPay: act('retryPay', ['重试退款打款', 'Retry payment'], {}),
  intervene: act('intervene', ['平台介入', 'The platform decides'], { reason }),
  remark: act('remark', ['添加售后备注', 'Note on a case'], { text: lines(500) }),
  batchApprove: write('order/eRefund/batchApprove', ['批量同意售后', 'Approve several'], {
    input: z.object({ cases: z.array(z.object(one)).min(1).max(BATCH_MAX) }),
    output: batchResult,
    touches,
    scope: placed('refund', { 'cases.id': 'refund' }),
    permit: 'order.eRefund.batchApprove',
  }),
  export: write('order/eRefund/export', ['导出售后单', 'Export'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('refund'),
    permit: 'order.eRefund.export',
  }),

  fillReturnTracking: act(
    'fillReturnTracking',
    ['代填退货单号', 'Return tracking number'],
    {
      /** By its number where it is not named. */ courier_id: id.optional(),
      tracking_no: text(40, 6),
    },
    DETAIL,
  ),
  offlinePay: act(
    'offlinePay',
    ['转线下打款', 'Pay by hand'],
    { account: text(120, 4), proof: picture.min(1), reason },
    DETAIL,
  ),
  extendDeadline: act(
    'extendDeadline',
    ['延长时限', 'More time'],
    { hours: z.int().min(1).max(168), reason },
    DETAIL,
  ),
  reply: act('reply', ['回复买家', 'Reply to the buyer'], { text: lines(500), images }, DETAIL),
  close: act('close', ['关闭售后', 'Close a case'], { reason }, DETAIL),
}
