import { withdrawalCan } from '#src/areas/payout/withdrawing.ts'
import { withdrawalRow, type WithdrawalRow as Row } from '#src/contract/withdrawals.ts'
import { filmWithdrawals as calls } from '#src/modules/film/contract/withdrawal.ts'
import { ask, byKeyword, recordFinder, type Action } from '../command.ts'
import { filmWithdrawalDetail as detail, filmWithdrawalPage as page } from '../pages/film.ts'
import { asking, exportAction, one, rowActions } from '../record.ts'
import { actionsOfWithdrawals, exportsPayouts, revealsAccount } from '../withdrawals.ts'

/** What is decided of one is decided on its own page too. */
const onBoth = <A extends Readonly<Record<string, Action>>>(actions: A): A =>
  Object.fromEntries(
    Object.entries(actions).map(([key, action]) => [
      key,
      action.takes === 'row' ? { ...action, also: [detail] } : action,
    ]),
  ) as A
const { row } = rowActions<Row>(page, withdrawalRow)

/** What finance does with the income that film owners ask for. */
export const filmWithdrawalActions = {
  ...onBoth({
    ...actionsOfWithdrawals(page, calls),
    uploadInvoice: row(calls.uploadInvoice, ['上传发票', 'Upload an invoice'], {
      key: 'i',
      when: (of, me) => withdrawalCan('uploadInvoice', of, me.id),
      asks: {
        image: ask.images({ label: ['发票图片', 'Picture of the invoice'], max: 1 }),
        amount_cents: ask.money({
          label: ['发票金额', 'Made out for'],
          min: 1,
          initial: rows => (rows[0] as Row | undefined)?.amount_cents ?? undefined,
        }),
      },
      input: asking(({ image, amount_cents }) => ({ image: image[0] ?? '', amount_cents })),
    }),
    revealAccount: revealsAccount(page, calls.revealAccount),
  }),
  export: exportsPayouts(page, calls),
}
/** What the page of one request has besides. */
export const filmWithdrawalDetailActions = {
  recheck: rowActions<Row>(detail, withdrawalRow).row(
    calls.recheck,
    ['重新核对流水', 'Check again'],
    { key: 'c', input: one, takenBack: 'again' },
  ),
  export: exportAction(calls.exportStatement, ['导出对账明细', 'Export the statement'], detail),
}

/** A request of its own page, found by its number or its payee. */
export const filmWithdrawalsFound = recordFinder({
  pages: [detail],
  hint: ['提现单号或收款人', 'Number or payee of a withdrawal'],
  find: calls.lst,
  asked: words => ({ ...byKeyword(words), status: 'all' as const }),
  given: row => ({ type: 'withdrawal', id: row.id, row }),
  title: row => row.no,
  more: row => [row.payee_name, row.payee_name],
})
