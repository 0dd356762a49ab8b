import type { Text } from '#src/domain/text.ts'

/** What a person does with the items of a queue: what it is called, and the actions it is done by. */
type Doing = readonly [name: Text, actions: readonly string[]]
/** Queues of work besides audits, which count their own. */
export const workQueues = {
  eRefund: [
    [
      ['同意', 'Approved'],
      ['order.eRefund.approve', 'order.eRefund.approveReturn', 'order.eRefund.batchApprove'],
    ],
    [
      ['拒绝', 'Rejected'],
      ['order.eRefund.reject', 'order.eRefund.refuseReceive'],
    ],
    [['退货验收', 'Returns received'], ['order.eRefund.confirmReceive']],
    [
      ['复核', 'Second approvals'],
      ['order.eRefund.secondApprove', 'order.eRefund.secondReject'],
    ],
  ],
  comboRefund: [
    [
      ['同意', 'Approved'],
      [
        'order.combo.refund.approve',
        'order.combo.refund.approvePartial',
        'order.combo.refund.batchApprove',
      ],
    ],
    [['拒绝', 'Rejected'], ['order.combo.refund.reject']],
    [
      ['复核', 'Second approvals'],
      ['order.combo.refund.secondApprove', 'order.combo.refund.secondReject'],
    ],
  ],
  risk: [
    [['确认风险', 'Confirmed'], ['system.risk.confirm']],
    [
      ['放行', 'Released'],
      ['system.risk.release', 'system.risk.batchRelease'],
    ],
    [['冻结订单', 'Orders frozen'], ['system.risk.freezeOrders']],
  ],
  alarm: [
    [
      ['确认', 'Acknowledged'],
      ['system.warning.logs.ack', 'system.warning.logs.batchAck'],
    ],
    [['处理完成', 'Mark handled'], ['system.warning.logs.handle']],
    [['忽略', 'Ignored'], ['system.warning.logs.ignore']],
  ],
} as const satisfies Record<string, readonly Doing[]>
export type WorkQueue = keyof typeof workQueues
export const workQueueNames = Object.keys(workQueues) as [WorkQueue, ...WorkQueue[]]
