import { yuan } from '#src/domain/money.ts'
import {
  logRow,
  subsidyLogs as calls,
  type LogRow,
} from '#src/modules/settle/contract/subsidyLogs.ts'
import { called, inAll, type Me, type Told } from '../command.ts'
import { subsidyLogs } from '../pages/settle.ts'
import { exportAction, idOf, idsOf, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(subsidyLogs, logRow)
// A row is of a plan and of a member: what flags the member has to name them too.
called(logRow, ({ plan_name, nickname }) => [plan_name, nickname].filter(Boolean).join(' · '))
const claimed = ([of]: readonly LogRow[]): Told | undefined =>
  of?.claim
    ? [
        [
          '{who} 申请追回：{reason}；将记为商户欠款 {cents} 元',
          '{who} requests a clawback: {reason}. The merchant will owe ¥{cents}',
        ],
        { who: of.claim.maker, reason: of.claim.reason, cents: yuan(of.left_cents) },
      ]
    : undefined
const decides = ({ claim }: LogRow, me: Me) => {
  if (claim?.state !== 'asked')
    return ['没有待复核的追回申请', 'No clawback awaits approval'] as const
  return (
    claim.maker_id !== me.id ||
    (['申请人不能复核自己的追回', 'Applicants can’t approve their own clawback'] as const)
  )
}
const ofMember = ({ member_id }: LogRow) =>
  member_id !== null || (['这一行没有会员', 'No member on this row'] as const)

/** What is done with rows of the subsidy log. */
export const subsidyLogActions = {
  approveClaim: row.row(calls.approveClaim, ['复核追回', 'Approve clawback'], {
    key: 'a',
    main: true,
    tells: claimed,
    when: decides,
    input: idOf,
    takenBack: 'final',
  }),
  rejectClaim: row.row(calls.rejectClaim, ['驳回追回', 'Reject clawback'], {
    key: 'r',
    main: 'plain',
    danger: true,
    tells: claimed,
    when: decides,
    asks: { reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  clawback: row.row(calls.clawback, ['申请追回', 'Request clawback'], {
    key: 'c',
    main: 'plain',
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: ({ kind, left_cents, claim }: LogRow) => {
      if (kind !== 'grant')
        return ['只有发放的补贴可以追回', 'Only granted subsidies can be clawed back']
      if (claim?.state === 'asked')
        return ['已有待复核的追回申请', 'A clawback already awaits approval']
      return left_cents > 0 || ['已全部退回或追回', 'Already returned or clawed back in full']
    },
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  flag: row.row(calls.flag, ['标记可疑', 'Flag the member'], {
    key: 'm',
    takes: 'rows',
    most: 100,
    tells: inAll,
    danger: true,
    when: of => {
      if (of.flagged) return ['该会员已标记', 'Already flagged']
      return ofMember(of)
    },
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  unflag: row.row(calls.unflag, ['取消可疑标记', 'Remove the flag'], {
    key: 'shift+m',
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: ({ flagged }: LogRow) => flagged || ['该会员未标记', 'Not flagged'],
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  groupBy: pageAction('settle.subsidyLogs.groupBy', ['汇总与套现排查', 'Subtotals'], subsidyLogs, {
    key: 's',
    main: 'plain',
    permit: calls.groups.permit,
  }),
  export: exportAction(calls.export, ['导出补贴记录', 'Export the log'], subsidyLogs),
}
