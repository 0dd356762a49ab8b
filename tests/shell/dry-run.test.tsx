import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Action } from '#commands/command.ts'
import { commissionActions } from '#commands/distribution/settlementDetails.ts'
import { actions } from '#commands/index.ts'
import { bulksActions } from '#commands/order/bulks.ts'
import { eRefundActions } from '#commands/order/refund.ts'
import { visitorActions } from '#commands/order/visitor.ts'
import { partnerActions } from '#commands/redeemCode/partner.ts'
import { levelRuleActions } from '#commands/vip/rules.ts'
import { AskDialog } from '#src/kit/ask.tsx'
import { rowName, rowTitle } from '#src/kit/dry-run.tsx'
import { WorkbenchContext } from '#src/kit/workbench.ts'
import { Desk } from '#src/shell/desk.ts'
import { makeStore } from '#src/shell/store.ts'

afterEach(cleanup)
const store = makeStore()
const desk = new Desk(store, { id: 1, name: '林岚', account: 'admin', can: () => true })
const kit = {
  me: desk.me,
  run: desk.run,
  open: () => {},
  toast: () => 0,
  keysOf: () => undefined,
  ariaKeysOf: () => undefined,
  historyFrom: () => undefined,
}
const asked = (n: number, cents: number) => {
  const submit = vi.fn(async () => true as const)
  const rows = Array.from({ length: n }, (_, i) => ({
    id: i + 1,
    version: 1,
    title: `售后 ${i + 1}`,
    amount_cents: cents,
  }))
  render(
    <Provider store={store}>
      <WorkbenchContext.Provider value={kit as never}>
        <AskDialog
          action={eRefundActions.batchApprove}
          rows={rows}
          submit={submit}
          cancel={() => {}}
        />
      </WorkbenchContext.Provider>
    </Provider>,
  )
  return { submit, go: () => fireEvent.click(screen.getByRole('button', { name: /批量同意/ })) }
}

describe('before money of several rows moves', () => {
  test('it is said how many, how much in all, and which are the first five with what each is worth', async () => {
    const { submit, go } = asked(7, 12_050)
    expect(screen.getByText('共 7 项')).toBeTruthy()
    expect(screen.getByText('7 单，合计退回 ¥843.50')).toBeTruthy()
    expect(screen.getAllByRole('listitem').map(one => one.textContent)).toEqual([
      '售后 1 ¥120.50',
      '售后 2 ¥120.50',
      '售后 3 ¥120.50',
      '售后 4 ¥120.50',
      '售后 5 ¥120.50',
      '还有 2 项',
    ])
    go()
    await vi.waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
  })
  test('from 10,000 yuan, and from more rows than a page, the count is typed, full-width too; another one is refused at its field', async () => {
    const { submit, go } = asked(80, 100)
    const count = screen.getByLabelText('输入项数 80 以确认')
    expect(document.activeElement).toBe(count)
    go()
    fireEvent.change(count, { target: { value: '79' } })
    go()
    expect(screen.getByRole('alert').textContent).toBe('与所选项数不一致：本次共 80 项')
    expect(submit).not.toHaveBeenCalled()
    fireEvent.change(count, { target: { value: '８０' } })
    go()
    await vi.waitFor(() => expect(submit).toHaveBeenCalledTimes(1))
    cleanup()
    asked(2, 500_000)
    expect(screen.getByLabelText('输入项数 2 以确认')).toBeTruthy()
  })
})

describe('every command', () => {
  const writes = actions.filter(action => action.call?.kind === 'write')
  /**
   * Done to several, and undone by its neighbour in the same menu, or it changes nothing that
   * anyone else sees.
   */
  const opposite =
    /\.(?:unclaim|batch(?:Un)?[rR]ecommend|(?:un)?recommend|setRecommend|batchCancel|pick|remove|moveStores|batchCheck|batchPrint|batchSetRole|batchUpdateStartAndCheckTime|delReStore)$/
  test('that is done to several and can’t be taken back tells what it comes to', () => {
    expect(
      writes
        .filter(
          one =>
            one.takes === 'rows' &&
            one.call?.kind === 'write' &&
            !one.call.undo &&
            !one.tells &&
            !opposite.test(one.id),
        )
        .map(({ id }) => id),
    ).toEqual([])
  })
  /**
   * Where the amount is asked for itself; where it is a whole group's or campaign's, which the page
   * shows; where a refund was decided before and is only sent again; where nothing was paid yet.
   */
  const elsewhere =
    /\.(?:changeAmount|adjustPrice|setLivePrice|setRefundLimit|decideRefund|retryRefund|refundFare|forceFail|closeRaise)$/
  test('that pays money back says how much', () => {
    const pays = writes.filter(one =>
      /(?:^|\.)(?:refund\w*|batchRefund|approveRefund|refuseRefund|retryRefund|secondApprove|retryPay|offlinePay|adjustPrice|changeAmount|decideRefund|setLivePrice|closeRaise|forceFail)$/.test(
        one.id,
      ),
    )
    expect(pays.length).toBeGreaterThan(40)
    expect(pays.filter(one => !one.tells && !elsewhere.test(one.id)).map(({ id }) => id)).toEqual(
      [],
    )
  })
})

describe('before money of one order moves', () => {
  const dialog = (action: Action, row: object) =>
    render(
      <Provider store={store}>
        <WorkbenchContext.Provider value={kit as never}>
          <AskDialog action={action} rows={[row]} submit={vi.fn()} cancel={() => {}} />
        </WorkbenchContext.Provider>
      </Provider>,
    )
  const order = {
    id: 1,
    version: 1,
    title: '双人餐',
    order_no: 'BU1',
    member_name: '于思远',
    paid_cents: 60_000,
    refunded_cents: 7_200,
    sub_kind: 'code',
    left_cents: 52_800,
    promise: null,
    tags: [],
  }
  test('its number, who gets it and what it is made of are said, and the button says the sum', () => {
    dialog(bulksActions.refund, order)
    const facts = screen.getAllByRole('term').map(one => one.parentElement!.textContent)
    expect(facts).toEqual(['订单号BU1', '退给于思远', '实付¥600.00', '已退¥72.00', '可退¥528.00'])
    expect(screen.getByRole('button', { name: /^发起退款 ¥528\.00/ })).toBeTruthy()
  })
  test('where the sum may be less, the most of it stands in the field, and the button follows what is typed', () => {
    dialog(visitorActions.refund, order)
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: /退款金额/ })
    expect(field.value).toBe('528.00')
    expect(screen.getByRole('button', { name: /^发起退款 ¥528\.00/ })).toBeTruthy()
    fireEvent.change(field, { target: { value: '30' } })
    expect(screen.getByRole('button', { name: /^发起退款 ¥30\.00/ })).toBeTruthy()
    // All of it is asked for without a sum, as a bill must be.
    const { input } = visitorActions.refund
    const asked = { amount: 52_800, consent: undefined, reason: '顾客要求' }
    expect(input!([order as never], asked as never)).toEqual({
      id: 1,
      version: 1,
      reason: '顾客要求',
    })
  })
})
test('a dialog names what it changes: the version of rules, the partner, the seller of a commission', () => {
  const named = (action: Action, row: object) => rowName(action, row as never, 'en')
  expect(named(levelRuleActions.publish, { id: 1, name: '银卡', ladder_no: 3 })).toBe('Version 3')
  expect(named(levelRuleActions.editLevel, { id: 1, name: '银卡', ladder_no: 3 })).toBe('银卡')
  expect(named(partnerActions.stop, { id: 1, name: '周三礼', partner: '招行' })).toBe('招行')
  const line = { id: 1, title: '', name: '佣金 1', seller: '林晓' }
  expect(named(commissionActions.clawBack, line)).toBe('佣金 1 · 林晓')
  expect(rowTitle({ id: 7, title: '', name: '' })).toBe('#7')
})
