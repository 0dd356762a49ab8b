import { daysFor, vipOrderCan, type VipOrderVerb } from '#src/areas/vipCard/vipOrder.ts'
import { yuan } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import {
  vipOrderRow,
  vipOrders as calls,
  type VipOrderRow as Row,
} from '#src/modules/vip/contract/cardOrder.ts'
import { ask, type Me, type Told } from '../command.ts'
import { vipOrderPage as at } from '../pages/vip.ts'
import { asking, exportAction, idOf, reason, rowActions } from '../record.ts'

const can = (verb: VipOrderVerb) => (of: Row, me: Me) => vipOrderCan(verb, of, me.id)
/** The refund of a purchase that waits, as the row shows it. */
const which = ([of]: readonly Row[]) => ({
  id: of!.id,
  refund_id: of!.open_refund!.id,
  refund_version: of!.open_refund!.version,
})
const waiting = ([of]: readonly Row[]): Told | undefined =>
  of?.open_refund
    ? [['退款 {cents} 元', 'Refund of ¥{cents}'], { cents: yuan(of.open_refund.amount_cents) }]
    : undefined
/** What may go back, and what goes with all of it. */
const givesBack = ([of]: readonly Row[]): Told | undefined =>
  of && [
    [
      '按退款规则最多可退 {most} 元，收回 {days} 天；少退按比例收回整天。未使用的礼券一并收回{gift}',
      'Up to ¥{most} by the refund rules, taking back {days} days; a smaller refund takes whole days pro rata. Unused coupons are taken back too{gift}',
    ],
    {
      most: yuan(of.refundable.cents),
      days: daysFor(of.refundable.cents, {
        most_cents: of.refundable.cents,
        days: of.days,
        left: of.days_left,
      }),
      gift:
        of.gift_used_cents > 0
          ? joined([`（-${yuan(of.gift_used_cents)}）`, ` (-${yuan(of.gift_used_cents)})`])
          : '',
    },
  ]
const { row } = rowActions<Row>(at, vipOrderRow)
/** What is done with purchases of memberships. */
export const vipOrderActions = {
  refund: row(calls.refund, ['退款', 'Refund'], {
    key: 'r',
    main: 'plain',
    danger: true,
    when: can('refund'),
    tells: givesBack,
    asks: {
      amount: ask.money({
        label: ['退款金额（元）', 'Amount (yuan)'],
        min: 1,
        optional: true,
        field: 'amount_cents',
        hint: ['留空：退全部可退金额', 'Empty: the full refundable amount'],
      }),
      reason,
    },
    input: asking(({ amount, reason: why }) => ({
      ...(amount && { amount_cents: amount }),
      reason: why,
    })),
    alias: ['退会', '退卡', 'refund'],
  }),
  approveRefund: row(calls.approveRefund, ['同意退款', 'Approve the refund'], {
    key: 'a',
    when: can('approveRefund'),
    tells: waiting,
    input: which,
    takenBack: 'final',
  }),
  rejectRefund: row(calls.rejectRefund, ['驳回退款', 'Reject the refund'], {
    key: 'shift+a',
    danger: true,
    when: can('rejectRefund'),
    tells: waiting,
    asks: { reason },
    input: (rows, asked) => ({ ...which(rows), ...asked }),
  }),
  retryRefund: row(calls.retryRefund, ['重新打款', 'Retry refund payment'], {
    key: 'p',
    danger: true,
    when: can('retryRefund'),
    tells: waiting,
    input: which,
    takenBack: 'final',
  }),
  closeUnpaid: row(calls.closeUnpaid, ['关闭未支付', 'Close unpaid'], {
    key: 'shift+x',
    danger: true,
    when: can('closeUnpaid'),
    tells: () => [
      ['名额与升级抵扣立即释放', 'Its stock and upgrade credit are released at once'],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  syncPay: row(calls.syncPay, ['同步支付结果', 'Sync the payment'], {
    key: 'q',
    main: 'plain',
    when: can('syncPay'),
    input: idOf,
    takenBack: 'nothing',
    alias: ['查单', '掉单', 'sync'],
  }),
  resendGift: row(calls.resendGift, ['补发开卡礼券', 'Reissue missing coupons'], {
    key: 'i',
    when: can('resendGift'),
    input: idOf,
    takenBack: 'final',
    alias: ['礼券', '没收到券', 'gift'],
  }),
  addNote: row(calls.addNote, ['备注', 'Note'], {
    key: 'b',
    asks: {
      note: ask.text({
        label: ['备注', 'Note'],
        max: 500,
        lines: 3,
        optional: true,
        initial: rows => (rows[0] as Row | undefined)?.note,
      }),
    },
    input: asking(({ note }) => ({ note: note ?? '' })),
  }),
  export: exportAction(calls.export, ['导出购卡订单', 'Export VIP card orders'], at),
}
