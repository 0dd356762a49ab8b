import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { followsBy, page, type Given, type Section } from '../command.ts'

export const section: Section = {
  key: 'settle',
  title: '资金结算',
  en: 'Funds',
  place: 70,
  icon: 'money',
}

export const fundsPage = page('/manage/settle/data', '资金总览', 'Funds overview', {
  object: (row: { id: number; view: string }) =>
    row.view === 'figures' || row.view === 'rows' ? undefined : ['settle_day', row.id],
  keys: 'g f d',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['资金看板', '日结', '反日结', '账龄', '商户欠款', '微信结算到账', '资金日报', 'funds'],
})
/** Rows of the views that the log knows by another name; what nobody changes it does not know. */
const moneyRows: Readonly<Record<string, string | undefined>> = {
  adjust: 'ledger_ask',
  recon: 'recon_item',
  account: '',
  statement: '',
}
export const moneyJournal = page('/manage/settle/flow', '资金流水', 'Money journal', {
  object: (row: { id: number; view: string }) => {
    const type = moneyRows[row.view] ?? 'ledger_txn'
    return type ? [type, row.id] : undefined
  },
  keys: 'g f j',
  keepAlive: true,
  follows: ({ type, row }: Given) =>
    type === 'order' && typeof row['order_no'] === 'string'
      ? { view: 'trace', order_no: row['order_no'] }
      : undefined,
  alias: ['记账凭证', '分录', '明细账', '红冲', '调账', '对账', '账单', '钱在哪', 'ledger'],
})
/** What a row of each view is in the operation log. */
const settlementRows: Readonly<Record<string, string>> = {
  line: 'settle_line',
  merchant: 'settle_merchant',
}
export const settleDetail = page('/manage/settle/detail', '结算明细', 'Settlement', {
  search: z.looseObject({
    view: z.enum(['batches', 'lines', 'merchants']).optional(),
    /** With the lines of one batch alone. */ batch_id: id.optional(),
  }),
  object: (row: { kind?: string; id: number }) =>
    [settlementRows[row.kind ?? ''] ?? 'settle_batch', row.id] as const,
  keys: 'g f b',
  keepAlive: true,
  alias: ['结算批次', '结算单', '入账', '结算主体', '费率', 'settlement batches'],
})
export const withdrawPage = page('/manage/settle/withdraw', '结算提现', 'Withdrawals', {
  object: 'withdrawal',
  keys: 'g f w',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['提现审核', '打款', '付款', 'payouts'],
})
export const chargePage = page('/manage/settle/charge', '充值与扣费', 'Top-ups and charges', {
  object: 'fund_charge',
  keys: 'g f c',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['保证金', '扣款', '罚款', '广告费', '银行回单', 'deposits'],
})
export const subsidyPlans = page('/manage/settle/subsidy', '补贴计划', 'Subsidy plans', {
  object: 'subsidy_plan',
  keys: 'g f s',
  keepAlive: true,
  follows: followsBy('mid'),
  alias: ['补贴预算', '平台补贴', '补贴审批', '百亿补贴', 'subsidies'],
})
export const subsidyLogs = page('/manage/settle/subsidyLogs', '补贴记录', 'Subsidy log', {
  object: 'subsidy_log',
  keys: 'g f l',
  keepAlive: true,
  follows: ({ type, id: of }): Record<string, number> | undefined => {
    if (type === 'subsidy_plan') return { plan_id: of }
    return type === 'member' ? { member_id: of } : undefined
  },
  alias: ['补贴明细', '补贴流水', '追回补贴', '套现', 'subsidy log'],
})
