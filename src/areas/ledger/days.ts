import type { Text } from '#src/domain/text.ts'

/** How far the books of a day are (domain D, settle_day). */
export const dayStates = {
  open: ['未日结', 'Open'],
  checking: ['已检查', 'Checked'],
  closed: ['已日结', 'Closed'],
  reopened: ['已反日结', 'Opened again'],
} as const satisfies Record<string, Text>
export type DayState = keyof typeof dayStates

/** What is looked at before a day is closed; those with `must` keep it open. */
export const dayChecks = {
  over: { title: ['当日已结束（北京时间）', 'The day is over in Beijing'], must: true },
  previous: { title: ['前一日已日结', 'The day before is closed'], must: true },
  trial: { title: ['试算平衡为 0', 'Debits and credits are even'], must: true },
  wechat_bill: { title: ['微信账单已导入', 'WeChat’s bill is imported'], must: true },
  open_items: { title: ['对账差异已处理', 'No difference is open'], must: true },
  bank_bill: { title: ['银行流水已导入', 'The bank’s statement is imported'], must: false },
  payouts: { title: ['没有卡住的打款', 'No payout is stuck'], must: false },
} as const satisfies Record<string, { title: Text; must: boolean }>
export type DayCheckKey = keyof typeof dayChecks
/** How to mend what keeps a day open. */
export const dayMends: Readonly<Record<DayCheckKey, Text>> = {
  over: ['当日结束后才能日结', 'It is closed once it is over'],
  previous: [
    '请按日期顺序日结，先结前一日',
    'Days are closed in their order: close the earlier first',
  ],
  trial: ['请到资金流水核对并调账', 'Look in the journal and adjust it'],
  wechat_bill: [
    '请到资金流水的“对账”导入当日账单',
    'Import it under reconciliation in the journal',
  ],
  open_items: [
    '请到资金流水的“对账”逐项处理',
    'Deal with each under reconciliation in the journal',
  ],
  bank_bill: ['请到资金流水的“对账”导入银行流水', 'Import it under reconciliation in the journal'],
  payouts: ['请到结算提现查询渠道结果', 'Ask the channel on the page of withdrawals'],
}

type Day = { status: DayState; asked_by: number | null }
/** True, or why nobody can close a day of this state. */
export const mayClose = ({ status }: Pick<Day, 'status'>): true | Text =>
  status !== 'closed' || ['当日已日结', 'It is closed already']
/** True, or why nobody can ask for a day to be opened again. */
export const mayAskReopen = ({ status, asked_by }: Day): true | Text => {
  if (status !== 'closed')
    return ['只有已日结的日期可以反日结', 'Only a closed day is opened again']
  return (
    asked_by === null || [
      '已有人申请反日结，请由另一人复核',
      'It is asked for: another person decides',
    ]
  )
}
/** True, or why this person does not decide about opening a day again. */
export const mayReopen = ({ asked_by }: Day, me: number): true | Text => {
  if (asked_by === null) return ['没有待复核的反日结申请', 'Nobody asked for it']
  return (
    asked_by !== me || [
      '申请人不能复核自己的反日结，请由另一人处理',
      'You asked for it: another person decides',
    ]
  )
}
