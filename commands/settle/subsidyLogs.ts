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
called(logRow, of => of.plan_name)
const claimed = ([of]: readonly LogRow[]): Told | undefined =>
  of?.claim
    ? [
        [
          '{who} 申请追回：{reason}；将记为商户欠款 {cents} 元',
          '{who} asks: {reason}; its merchant will owe ¥{cents}',
        ],
        { who: of.claim.maker, reason: of.claim.reason, cents: yuan(of.left_cents) },
      ]
    : undefined
const decides = ({ claim }: LogRow, me: Me) => {
  if (claim?.state !== 'asked') return ['没有待复核的追回申请', 'No claim waits'] as const
  return (
    claim.maker_id !== me.id ||
    (['申请人不能复核自己的追回', 'Another person than asked decides'] as const)
  )
}
const ofMember = ({ member_id }: LogRow) =>
  member_id !== null || (['这一行没有会员', 'There is no member in it'] as const)

/** What is done with rows of the subsidy log. */
export const subsidyLogActions = {
  approveClaim: row.row(calls.approveClaim, ['复核追回', 'Approve clawback'], {
    key: 'a',
    main: true,
    danger: true,
    tells: claimed,
    when: decides,
    input: idOf,
  }),
  rejectClaim: row.row(calls.rejectClaim, ['驳回追回', 'Reject clawback'], {
    key: 'r',
    main: 'plain',
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
      if (kind !== 'grant') return ['只有发放的补贴可以追回', 'Only what was granted']
      if (claim?.state === 'asked') return ['已有待复核的追回申请', 'A claim of it waits']
      return left_cents > 0 || ['已全部退回或追回', 'Nothing of it is left']
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
      if (of.flagged) return ['该会员已标记', 'The member is flagged']
      return ofMember(of)
    },
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  unflag: row.row(calls.unflag, ['取消可疑标记', 'Take the flag away'], {
    key: 'shift+m',
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: ({ flagged }: LogRow) => flagged || ['该会员未标记', 'The member is not flagged'],
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
