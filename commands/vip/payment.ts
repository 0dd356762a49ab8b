import {
  EXTEND_ALONE,
  EXTEND_MOST,
  paidCan,
  RETRY_MOST,
  type PaidVerb,
} from '#src/areas/vipCard/renewal.ts'
import { yuan } from '#src/domain/money.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  paidMembers as calls,
  paidRow,
  type PaidRow as Row,
} from '#src/modules/vip/contract/payment.ts'
import { ask, called, inAll, type Me, type Told } from '../command.ts'
import { paidMembersPage as at } from '../pages/vip.ts'
import { asking, exportAction, idOf, idsOf, one, reason, rowActions } from '../record.ts'

const can = (verb: PaidVerb) => (of: Row, me: Me) =>
  paidCan(verb, of, { me: me.id, now: unixNow() })
const days = ask.number({
  label: ['延长天数', 'Days'],
  min: 1,
  max: EXTEND_MOST,
  initial: () => 30,
  hint: [
    `超过 ${EXTEND_ALONE} 天须另一人复核；已过期的从现在起算`,
    `Over ${EXTEND_ALONE} days needs a second approver; expired memberships restart now`,
  ],
})
/** What waits to be decided of a membership. */
const waiting = ([of]: readonly Row[]): Told | undefined =>
  of?.asked
    ? [
        ['{who} 申请延期 {days} 天：{why}', '{who} requests {days} days: {why}'],
        { who: of.asked.asker, days: of.asked.days, why: of.asked.reason },
      ]
    : undefined
const { row } = rowActions<Row>(at, paidRow)
called(paidRow, of => [of.member_name, of.uid].filter(Boolean).join(' · '))
/** What is done with paid members. */
export const paidActions = {
  approveExtend: row(calls.approveExtend, ['同意延期', 'Approve the extension'], {
    key: 'a',
    main: 'plain',
    danger: true,
    when: can('approveExtend'),
    tells: waiting,
    input: one,
    takenBack: 'final',
  }),
  rejectExtend: row(calls.rejectExtend, ['驳回延期', 'Reject the extension'], {
    key: 'shift+a',
    danger: true,
    when: can('rejectExtend'),
    tells: waiting,
    asks: { reason },
    input: asking(asked => asked),
  }),
  extend: row(calls.extend, ['延长有效期', 'Extend'], {
    key: 't',
    main: 'plain',
    when: can('extend'),
    asks: { days, reason },
    input: asking(asked => asked),
    takenBack: 'final',
    alias: ['延期', '补天数', 'extend'],
  }),
  batchExtend: row(calls.batchExtend, ['批量延期', 'Extend selected'], {
    key: 'shift+t',
    takes: 'rows',
    most: 200,
    when: can('extend'),
    tells: inAll,
    asks: { days, reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  retryCharge: row(calls.retryCharge, ['重新扣款', 'Charge again'], {
    key: 'p',
    main: 'plain',
    danger: true,
    when: can('retryCharge'),
    tells: ([of]) =>
      of && [
        [
          '上次失败：{why}。7 天内最多 {most} 次，已用 {n} 次',
          'Last failure: {why}. At most {most} tries in 7 days, {n} used',
        ],
        { why: of.charge_error || '—', most: RETRY_MOST, n: of.retries },
      ],
    input: one,
    takenBack: 'final',
    alias: ['代扣', '补扣', 'charge'],
  }),
  stopRenew: row(calls.stopRenew, ['关闭自动续费', 'Stop auto-renewal'], {
    key: 'o',
    danger: true,
    when: can('stopRenew'),
    tells: () => [
      [
        '同时向渠道解约；后台不能代用户重新开启',
        'Also ends the contract with the channel; staff can’t turn it on again',
      ],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
    alias: ['解约', '取消续费', '关闭代扣', 'cancel renewal'],
  }),
  refundRemain: row(calls.refundRemain, ['退会退款', 'Refund and end membership'], {
    key: 'r',
    danger: true,
    when: can('refundRemain'),
    tells: ([of]) =>
      of && [
        [
          '按规则退 {cents} 元，退款到账后会员立即结束，赠送天数与未用礼券一并收回',
          '¥{cents} will be refunded; the membership then ends at once, and bonus days and unused coupons are taken back',
        ],
        { cents: yuan(of.refundable.cents) },
      ],
    asks: { reason },
    input: asking(asked => asked),
    alias: ['退会', '退卡', '注销会员', 'refund'],
  }),
  sendRenewRemind: row(calls.sendRenewRemind, ['发送续费提醒', 'Send a reminder'], {
    key: 'm',
    when: can('sendRenewRemind'),
    input: idOf,
    takenBack: 'nothing',
    alias: ['短信', '提醒', 'remind'],
  }),
  export: exportAction(calls.export, ['导出付费会员', 'Export paid members'], at),
}
