import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { myExports } from '#commands/shell.ts'
import { api, connect } from '#src/kit/data.ts'
import { download } from '#src/kit/download.ts'
import type { RowJobRow } from '#src/modules/job/contract.ts'
import { Desk, DeskContext } from '#src/shell/desk.ts'
import { Exports } from '#src/shell/exports.tsx'
import { allLines, endedSince, endTold, failedCsv } from '#src/shell/row-jobs.ts'
import { makeStore, type Store } from '#src/shell/store.ts'
import { dismiss, Toasts } from '#src/shell/toasts.tsx'

vi.mock('#src/kit/download.ts', () => ({ download: vi.fn() }))
const job = (more: Partial<RowJobRow> = {}): RowJobRow => ({
  id: 7,
  title: '批量生成短链',
  state: 'running',
  rows_total: 1200,
  rows_done: 300,
  rows_failed: 2,
  error: null,
  created_at: 1_795_000_000,
  version: 1,
  ...more,
})
const file = {
  id: 3,
  page: 'x',
  title: '团购订单',
  filters_text: '待使用',
  format: 'csv',
  rows_expected: 9,
  rows_done: 9,
  runs: 1,
  size_bytes: 2048,
  state: 'done',
  error: null,
  created_at: 1_795_000_100,
  done_at: 1_795_000_101,
  expires_at: null,
  downloads: 0,
  version: 1,
}

let store: Store
let desk: Desk
let there: { files: object[]; jobs: RowJobRow[]; fails?: boolean }
let asked: string[]
beforeEach(() => {
  there = { files: [], jobs: [] }
  asked = []
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) => {
      asked.push(url)
      const said = (data: unknown) =>
        new Response(JSON.stringify({ status: 200, message: '', data }))
      if (url.includes('job/failed'))
        return said(
          url.includes('page=2')
            ? { list: [{ line: 700, code: 'x', msg: '=坏' }], total: 2 }
            : { list: [{ line: 5, code: 'link_target_gone', msg: '目标已下架，请换' }], total: 2 },
        )
      if (there.fails)
        return new Response(
          JSON.stringify({ status: 503, message: '数据库暂时不可用', data: null }),
        )
      if (url.includes('job/cancel')) return said(job({ state: 'cancelled' }))
      const list = url.includes('job/mine') ? there.jobs : there.files
      return said({ list, total: list.length })
    }),
  )
  store = makeStore()
  desk = new Desk(store, { id: 1, name: '林岚', account: 'admin', can: () => true })
})
afterEach(() => {
  cleanup()
  for (let id = 0; id < 50; id++) dismiss(id)
  vi.unstubAllGlobals()
  vi.mocked(download).mockClear()
})
const opened = async () => {
  render(
    <Provider store={store}>
      <DeskContext.Provider value={desk}>
        <Exports />
        <Toasts />
      </DeskContext.Provider>
    </Provider>,
  )
  await waitFor(() => expect(asked.filter(url => url.includes('mine'))).toHaveLength(2))
  act(() => desk.perform({ action: myExports, rows: [] }))
  const mine = await screen.findByRole('region', { name: myExports.title })
  await waitFor(() => expect(within(mine).queryByRole('status', { name: '加载中' })).toBeNull())
  return mine
}
const again = () =>
  act(async () => {
    store.dispatch(api.util.invalidateTags(['job', 'export'] as never))
  })

test('exports and jobs stand in one list, the newest first, each with how far it is and what can be done', async () => {
  there = {
    files: [file],
    jobs: [
      job(),
      job({
        id: 6,
        state: 'failed',
        rows_done: 300,
        rows_failed: 1,
        error: '账号已停用，其余的行没有处理',
        created_at: 1_794_000_000,
      }),
    ],
  }
  const mine = await opened()
  const lines = within(mine)
    .getAllByRole('listitem')
    .map(line => line.textContent)
  expect(lines[0]).toMatch(/^团购订单 待使用.*导出 · 已完成 · 9 行 · 2 KB下载$/)
  expect(lines[1]).toMatch(/^批量生成短链.*批量任务 · 处理中 · 300 \/ 1,200 · 未完成 2 行取消$/)
  expect(lines[2]).toMatch(
    /批量任务 · 已中止 · 完成 299 行 · 未完成 1 行 · 900 行没有处理 · 账号已停用，其余的行没有处理下载未完成明细$/,
  )
  expect(
    within(mine).getByRole('progressbar', { name: '批量生成短链' }).getAttribute('aria-valuenow'),
  ).toBe('25')
  expect(document.activeElement).toBe(within(mine).getByRole('button', { name: '下载 团购订单' }))
  fireEvent.click(within(mine).getByRole('button', { name: '取消 批量生成短链' }))
  await waitFor(() => expect(asked.some(url => url.includes('job/cancel'))).toBe(true))
})
test('what was not done is fetched page by page, as a file with lines and reasons', async () => {
  there.jobs = [job({ state: 'done', rows_done: 1200 })]
  const mine = await opened()
  fireEvent.click(within(mine).getByRole('button', { name: '下载未完成明细 批量生成短链' }))
  await waitFor(() => expect(download).toHaveBeenCalledTimes(1))
  expect(vi.mocked(download).mock.calls[0]).toEqual([
    '批量生成短链-7.csv',
    "\uFEFF行号,原因\r\n5,目标已下架，请换\r\n700,'=坏\r\n",
    'text/csv',
  ])
})
test('the end of a job that was under way is told with its counts; the keys stay in the list when its button goes', async () => {
  there.jobs = [job()]
  const mine = await opened()
  expect(document.activeElement).toBe(
    within(mine).getByRole('button', { name: '取消 批量生成短链' }),
  )
  there.jobs = [job({ state: 'done', rows_done: 1200 })]
  await again()
  expect(
    (await screen.findByText('批量生成短链：完成 1,198 行，未完成 2 行')).closest('[role=status]')!
      .textContent,
  ).toContain('看明细')
  there.jobs = [job({ state: 'done', rows_done: 1200, rows_failed: 0 })]
  await again()
  await waitFor(() => expect(within(mine).queryByRole('button')).toBeNull())
  expect(mine.contains(document.activeElement)).toBe(true)
})
test('says so when there is nothing, and offers to try again when it can’t be read', async () => {
  const mine = await opened()
  expect(mine.textContent).toContain('还没有导出或批量任务')
  cleanup()
  store = makeStore()
  desk = new Desk(store, { id: 1, name: '林岚', account: 'admin', can: () => true })
  asked = []
  there.fails = true
  const broken = await opened()
  const alert = await within(broken).findByRole('alert')
  there = { files: [], jobs: [job()] }
  fireEvent.click(within(alert).getByRole('button', { name: '重试' }))
  await within(broken).findByText('批量生成短链')
})

test('only what was seen under way has just ended', () => {
  const before = new Map<number, string>()
  expect(
    endedSince(before, [
      { id: 1, state: 'running' },
      { id: 2, state: 'done' },
    ]),
  ).toEqual([])
  expect(
    endedSince(before, [
      { id: 1, state: 'failed' },
      { id: 2, state: 'done' },
      { id: 3, state: 'done' },
    ]),
  ).toEqual([{ id: 1, state: 'failed' }])
  expect(endedSince(before, [{ id: 1, state: 'failed' }])).toEqual([])
})
test('an end is told by what became of the rows', () => {
  expect(endTold(job({ state: 'done', rows_done: 1200, rows_failed: 0 }), 'zh')).toEqual({
    message: '批量生成短链：完成 1,200 行，未完成 0 行',
    tone: 'success',
    details: false,
  })
  expect(endTold(job({ state: 'failed', error: '账号已停用' }), 'zh')).toEqual({
    message: '批量生成短链：完成 298 行，未完成 2 行，900 行没有处理。账号已停用',
    tone: 'danger',
    details: true,
  })
  expect(endTold(job({ state: 'cancelled' }), 'zh')).toBeUndefined()
})
test('all pages are fetched, also when there are fewer lines than were counted', async () => {
  const pages = [[1, 2], [3], []]
  expect(await allLines(async n => ({ list: pages[n - 1]!, total: 9 }))).toEqual([1, 2, 3])
  expect(failedCsv([{ line: 2, msg: 'a,b' }], 'en')).toBe('\uFEFFLine,Reason\r\n2,"a,b"\r\n')
})
