import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bulksActions } from '#commands/order/bulks.ts'
import { connect } from '#src/kit/data.ts'
import { widest, type ExportAsk } from '#src/kit/exporting.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { eRefund } from '#src/modules/order/contract/eRefund.ts'
import { ExportDialog } from '#src/shell/exports-dialog.tsx'
import { closeSettings, openSettings } from '#src/shell/settings.ts'
import { makeStore } from '#src/shell/store.ts'

const columns = [
  { key: 'no', title: '订单号', shown: 'show' },
  { key: 'phone', title: '手机号', shown: 'mask' },
  { key: 'cost', title: '结算价', shown: 'hide' },
]
let rows: Record<string, number>
beforeEach(() => {
  rows = { selected: 2, filtered: 1204, all: 9084 }
  openSettings(2)
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (_: string, { body }: { body: string }) => {
      const { asked } = JSON.parse(body) as { asked?: { scope: string } }
      if (!asked) return new Response(JSON.stringify({ status: 200, message: '', data: null }))
      const data = { rows: rows[asked.scope], format: 'xlsx', columns }
      return new Response(JSON.stringify({ status: 200, message: '', data }))
    }),
  )
})
afterEach(() => {
  cleanup()
  closeSettings()
  localStorage.clear()
  vi.unstubAllGlobals()
})
const opened = (keys: readonly ExportAsk['scopes'][number]['key'][]) => {
  const begin = vi.fn(async (_: object) => true)
  const close = vi.fn()
  const of: ExportAsk = {
    action: bulksActions.export,
    path: `test/${keys.join('')}`,
    scopes: keys.map(key => ({ key, input: { scope: key } })),
    begin,
  }
  render(
    <Provider store={makeStore()}>
      <ExportDialog of={of} close={close} />
    </Provider>,
  )
  return { begin, close, dialog: screen.getByRole('dialog', { name: '导出订单' }) }
}
const submit = (dialog: HTMLElement) =>
  act(async () => {
    fireEvent.submit(dialog.querySelector('form')!)
  })

test('one Enter exports what is selected, in every column that the person may have', async () => {
  const { begin, close, dialog } = opened(['selected', 'filtered', 'all'])
  const first = within(dialog).getByRole('radio', { name: /^已选/ })
  expect(document.activeElement).toBe(first)
  // Before the server has told how many there are, too.
  await submit(dialog)
  await waitFor(() => expect(begin).toHaveBeenCalledWith({ scope: 'selected', format: 'xlsx' }))
  expect(begin).toHaveBeenCalledTimes(1)
  expect(close).toHaveBeenCalledTimes(1)
})

test('says how many rows each scope has, on the button too, and what is masked', async () => {
  const { begin, dialog } = opened(['filtered', 'all'])
  await within(dialog).findByRole('button', { name: /^导出 1,204 行/ })
  expect(within(dialog).getByRole('radio', { name: '当前筛选 1,204 行' })).toBeTruthy()
  expect(dialog.querySelector('[data-masks]')!.textContent).toBe(
    '按你的权限脱敏：手机号；无权查看，不导出：结算价',
  )
  fireEvent.click(within(dialog).getByRole('radio', { name: '全部 9,084 行' }))
  expect(within(dialog).getByRole('button', { name: /^导出 9,084 行/ })).toBeTruthy()
  expect(within(dialog).queryByRole('checkbox', { name: /结算价/ })).toBeNull()
  fireEvent.click(within(dialog).getByRole('checkbox', { name: /手机号/ }))
  fireEvent.click(within(dialog).getByRole('radio', { name: 'CSV (.csv)' }))
  await submit(dialog)
  expect(begin).toHaveBeenCalledWith({ scope: 'all', columns: ['no'], format: 'csv' })
  // The next time it begins so.
  cleanup()
  const again = opened(['filtered', 'all'])
  await within(again.dialog).findByRole('button', { name: /^导出 1,204 行/ })
  await submit(again.dialog)
  expect(again.begin).toHaveBeenCalledWith({ scope: 'filtered', columns: ['no'], format: 'csv' })
})

test('begins nothing without a row or a column, and says why', async () => {
  rows = { all: 0 }
  const { begin, dialog } = opened(['all'])
  expect((await within(dialog).findByRole('alert')).textContent).toBe('没有可导出的行')
  await submit(dialog)
  expect(begin).not.toHaveBeenCalled()
  cleanup()
  rows = { filtered: 3 }
  const other = opened(['filtered'])
  fireEvent.click(await within(other.dialog).findByRole('button', { name: '全不选' }))
  expect(within(other.dialog).getByRole('alert').textContent).toBe('请至少勾选一个字段')
  await submit(other.dialog)
  expect(other.begin).not.toHaveBeenCalled()
})

test('all of a list leaves every filter out, and a tab where the list has one for all', () => {
  const of = (call: typeof bulks.lst | typeof eRefund.lst, now: object) =>
    widest({
      call: call as never,
      input: call.input.parse(now) as never,
      inputOf: () => call.input.parse({}) as never,
    })
  expect(of(bulks.lst, { status: 'part_used', q: '林', page: 3 })).toEqual({
    input: { status: 'all' },
    ofTab: false,
  })
  const cases = of(eRefund.lst, { state: 'done', keyword: '林' })
  expect(cases.input).toMatchObject({ state: 'done' })
  expect(cases.input).not.toHaveProperty('keyword')
  expect(cases.ofTab).toBe(true)
})
