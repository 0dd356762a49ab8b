import { diffs, gapOf, itemKinds, mayResolve, methods } from '#src/areas/reconcile/reconcile.ts'
import { yuan } from '#src/domain/money.ts'
import { recon as calls, reconRow, type ReconRow } from '#src/modules/settle/contract/recon.ts'
import { ask, to, type Me } from '../command.ts'
import { moneyJournal as at, withdrawPage } from '../pages/settle.ts'
import { asking, pageAction, rowActions } from '../record.ts'
import { only } from './flow.ts'

const row = rowActions(at, reconRow)
/** Bills of channels: imported, matched, and their differences resolved. */
export const reconActions = {
  importBill: pageAction('settle.flow.importBill', ['导入账单', 'Import a bill'], at, {
    key: 'i',
    main: true,
    permit: calls.importBill.permit,
    alias: ['微信账单', '银行流水', 'WeChat bill', 'bank statement'],
  }),
  fetchBills: pageAction('settle.flow.fetchBills', ['立即获取账单', 'Fetch the bills now'], at, {
    key: 'f',
    permit: calls.fetchBills.permit,
    alias: ['下载账单', '微信账单', 'download bill'],
  }),
  autoMatch: pageAction('settle.flow.autoMatch', ['自动对账', 'Match again'], at, {
    key: 'm',
    main: 'plain',
    permit: calls.autoMatch.permit,
  }),
  resolve: row.row(calls.resolve, ['处理差异', 'Resolve'], {
    key: 's',
    main: true,
    when: only<ReconRow, Me>(['recon'], of => mayResolve(of)),
    tells: ([of]) =>
      of && [
        [
          `${itemKinds[of.kind][0]} · ${diffs[of.diff][0]}：账单与平台相差 {gap} 元`,
          `${itemKinds[of.kind][1]}, ${diffs[of.diff][1]}: the bill differs from ours by ¥{gap}`,
        ],
        { gap: yuan(gapOf(of)) },
      ],
    asks: {
      method: ask.choice({
        label: ['处理方式', 'How'],
        options: methods,
        initial: () => 'take_over',
        hint: [
          '申请调账由另一人复核入账',
          'An adjustment is posted once a second person approves it',
        ],
      }),
      note: ask.text({ label: ['说明', 'Note'], max: 255, min: 2, lines: 2 }),
    },
    input: asking(asked => asked),
  }),
  openWithdrawal: row.row('settle.flow.openWithdrawal', ['查看提现单', 'View its withdrawal'], {
    key: 'p',
    permit: withdrawPage.permit,
    when: only<ReconRow, Me>(
      ['recon'],
      of =>
        (of.kind === 'transfer' && of.our_cents !== null) || [
          '不是平台的微信打款，没有对应的提现单',
          'Not a payout by the platform, so it has no withdrawal',
        ],
    ),
    to: rows => to(withdrawPage, { keyword: rows[0]!.our_no || rows[0]!.channel_no }),
  }),
}
