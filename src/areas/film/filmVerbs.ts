import type { OrderFacts } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { STUCK_S, type TicketState } from './film.ts'

/** What the rules ask of an order of films. */
export type FilmLook = Pick<OrderFacts, 'pay_state' | 'refund_state' | 'frozen'> & {
  ticket_state: TicketState
  waiting_since: number | null
  /** Whether its money was settled; left out where nobody asks. */
  settled?: boolean
  compensated_at?: number | null
  now: number
}
export type FilmVerb =
  | 'syncTicket'
  | 'reTicket'
  | 'refund'
  | 'cancelUnpaid'
  | 'freeze'
  | 'unfreeze'
  | 'resendCode'
  | 'revealCode'
  | 'compensate'

/** Paid, and not issued for five minutes: somebody must look after it. */
export const isStuck = (
  of: Pick<FilmLook, 'pay_state' | 'refund_state' | 'ticket_state' | 'waiting_since' | 'now'>,
): boolean => isWaiting(of) && of.waiting_since !== null && of.now - of.waiting_since > STUCK_S
/** Paid, neither issued nor given back. */
export const isWaiting = (
  of: Pick<FilmLook, 'pay_state' | 'refund_state' | 'ticket_state'>,
): boolean =>
  of.pay_state === 'paid' &&
  of.refund_state !== 'refunding' &&
  of.refund_state !== 'refunded' &&
  (of.ticket_state === 'issuing' || of.ticket_state === 'issue_failed')

type Rule = (of: FilmLook) => Text | undefined
const refuseIf =
  (refuses: (of: FilmLook) => boolean, why: Text): Rule =>
  of =>
    refuses(of) ? why : undefined
const cold = refuseIf(of => of.frozen, ['订单已冻结，请先解冻', 'It is frozen: unfreeze it first'])
const paid = [
  refuseIf(of => of.pay_state === 'closed', ['订单已取消', 'It was cancelled']),
  refuseIf(of => of.pay_state === 'unpaid', ['订单未付款', 'It is not paid']),
]
const kept = [
  ...paid,
  refuseIf(of => of.refund_state === 'refunded', ['订单已退款', 'It was refunded']),
  refuseIf(
    of => of.refund_state === 'refunding',
    ['订单退款中，请等退款结束', 'It is being refunded: wait until that ends'],
  ),
]
const issued = refuseIf(of => of.ticket_state !== 'issued', ['尚未出票', 'It is not issued yet'])
const done = refuseIf(of => of.ticket_state === 'issued', ['已出票', 'It is issued already'])
/** What each verb asks of an order, in turn: the first rule that refuses says why. */
const rules: Readonly<Record<FilmVerb, readonly Rule[]>> = {
  syncTicket: [...kept, done],
  reTicket: [
    ...kept,
    done,
    cold,
    refuseIf(
      of => of.ticket_state !== 'issue_failed' && !isStuck(of),
      [
        '正在出票，付款 5 分钟后仍未出票才能重新出票',
        'Being issued: it can be asked for anew 5 minutes after it was paid',
      ],
    ),
  ],
  refund: [...kept, cold],
  cancelUnpaid: [
    refuseIf(
      of => of.pay_state !== 'unpaid',
      ['只能取消未支付的订单', 'Only an unpaid order can be cancelled'],
    ),
  ],
  freeze: [
    ...kept,
    refuseIf(of => of.frozen, ['订单已被冻结', 'It is frozen already']),
    refuseIf(
      of => of.settled === true,
      ['订单已结算，款项已转给经营主体，不能冻结', 'It is settled: its money is with its owner'],
    ),
  ],
  unfreeze: [refuseIf(of => !of.frozen, ['订单未冻结', 'It is not frozen'])],
  resendCode: [...kept, issued],
  revealCode: [...kept, issued],
  compensate: [
    ...paid,
    refuseIf(
      of => (of.compensated_at ?? null) !== null,
      [
        '该订单已补偿过一次，再次补偿请走客诉审批',
        'It was compensated once: more needs the approval of complaints',
      ],
    ),
  ],
}
/** True, or why an order can't have this now. */
export const filmCan = (verb: FilmVerb, of: FilmLook): true | Text => {
  for (const rule of rules[verb]) {
    const why = rule(of)
    if (why) return why
  }
  return true
}
