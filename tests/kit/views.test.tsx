import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useMemo } from 'react'
import { Provider } from 'react-redux'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { z } from 'zod'
import { page } from '#commands/command.ts'
import { listViews } from '#commands/list.ts'
import { beginOf } from '#src/areas/workbench/view.ts'
import { read } from '#src/contract/call.ts'
import type { View } from '#src/contract/views.ts'
import { unixNow } from '#src/domain/time.ts'
import { AskDialog } from '#src/kit/asking.tsx'
import { connect } from '#src/kit/data.ts'
import { Stage } from '#src/kit/stage.ts'
import { useList } from '#src/kit/uselist.ts'
import { Views, useView } from '#src/kit/views.tsx'
import {
  PaneContext,
  PaneFocused,
  WorkbenchContext,
  type Pane,
  type Workbench,
} from '#src/kit/workbench.ts'
import { makeStore } from '#src/shell/store.ts'

const here = page('/manage/test/rows', '表', 'Rows')
const rows = read('views-test/lst', ['表', 'Rows'], {
  input: z.object({
    page: z.int().default(1),
    pageSize: z.int().default(50),
    state: z.enum(['on', 'off']).optional(),
    from: z.int().optional(),
  }),
  output: z.object({ list: z.array(z.object({ id: z.int() })), total: z.int() }),
  touches: ['row'],
  scope: 'all',
  permit: 'test.rows.view',
})
const view = (id: number, more: Partial<View>): View => ({
  id,
  version: 0,
  page: here.path,
  name: `视图${id}`,
  pinyin: '',
  search: '',
  look: null,
  share: 'mine',
  mine: true,
  owner: '周',
  audience: '',
  role_id: null,
  is_default: false,
  ...more,
})
// The dialog's code takes longer to come than a test waits, on a machine that has much to do.
beforeAll(async () => {
  await AskDialog.preload()
})
let known: View[]
let sent: { path: string; body: any }[]
let stage: Stage
beforeEach(() => {
  stage = new Stage()
  sent = []
  known = [
    view(1, { name: '近期启用', search: 'from=7d&state=on' }),
    view(2, { name: '停用的', search: 'state=off', share: 'team', mine: false, audience: '一组' }),
  ]
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init: RequestInit) => {
      const path = url.replace('/api/manageback/', '')
      sent.push({ path, body: init.body ? JSON.parse(String(init.body)) : undefined })
      if (path.startsWith('views/save')) known.push(view(3, { ...JSON.parse(String(init.body)) }))
      const said = (data: unknown) => new Response(JSON.stringify({ status: 200, data }))
      if (path.startsWith('views/lst')) return said(known)
      if (path.startsWith('views/save')) return said(known.at(-1))
      return said({ list: [], total: path.includes('state=off') ? 4 : 9 })
    }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const kept = new Map<string, unknown>()
const workbench = {
  me: { id: 1, name: '周', account: 'zhou', can: () => false },
  open: () => {},
  run: async () => true,
  toast: () => {},
  keysOf: () => undefined,
  ariaKeysOf: () => undefined,
  pageAt: () => here,
  recent: () => [],
  historyFrom: () => undefined,
  setting: (_: string, __: unknown, initial: unknown) => {
    const one = {
      get: () => kept.get('look') ?? initial,
      set: (next: unknown) => void kept.set('look', next),
      subscribe: () => () => {},
    }
    return one
  },
} as unknown as Workbench
const List = () => {
  const of = useList(rows)
  const at = useView()
  return (
    <>
      <Views of={of} at={at} />
      <i data-testid="input">{JSON.stringify(of.input)}</i>
    </>
  )
}
const Screen = ({ hook }: { hook: ReturnType<typeof memoryLocation> }) => {
  const pane = useMemo<Pane>(
    () => ({ id: 'p', stage, visible: true, memo: { get: () => undefined, set: () => {} } }),
    [],
  )
  return (
    <Router hook={hook.hook} searchHook={hook.searchHook!}>
      <WorkbenchContext value={workbench}>
        <PaneContext value={pane}>
          <PaneFocused value={true}>
            <List />
          </PaneFocused>
        </PaneContext>
      </WorkbenchContext>
    </Router>
  )
}
const show = (at = here.path as string) => {
  const hook = memoryLocation({ path: at, record: true })
  const store = makeStore()
  render(
    <Provider store={store}>
      <Screen hook={hook} />
    </Provider>,
  )
  return hook as typeof hook & { history: string[] }
}
const input = () => JSON.parse(screen.getByTestId('input').textContent!)
const press = (key: string, code = key) =>
  act(async () => {
    fireEvent.keyDown(document.activeElement!, { key, code })
  })
const menu = async () => {
  await waitFor(() => expect(sent.some(one => one.path.startsWith('views/lst'))).toBe(true))
  await act(async () => stage.performer(listViews.id)!([]))
  await screen.findByRole('option', { name: /停用的/ })
}

test('a view is opened by its digit: its filters stand in the address, its days relative to today, with what each finds beside it', async () => {
  const hook = show()
  await menu()
  await waitFor(() =>
    expect(screen.getByRole('option', { name: /停用的/ }).textContent).toContain('4'),
  )
  await press('1', 'Digit1')
  expect(hook.history.at(-1)).toContain('from=7d&state=on&view=1')
  expect(input()).toEqual({ page: 1, pageSize: 50, state: 'on', from: beginOf('7d', unixNow()) })
  expect(screen.getByRole('button', { name: '视图：近期启用' })).toBeTruthy()
})
test('an address names its view, and filters that are not the view’s say so', async () => {
  show(`${here.path}?state=off&view=1`)
  await screen.findByRole('button', { name: '视图：近期启用（已改动）' })
})
test('a list that nothing was asked of begins with its default, one that was asked does not', async () => {
  known.push(
    view(9, { name: '默认', search: 'state=on', is_default: true, share: 'role', mine: false }),
  )
  const bare = show()
  await waitFor(() => expect(bare.history.at(-1)).toContain('state=on&view=9'))
  cleanup()
  const asked = show(`${here.path}?state=off`)
  await screen.findByRole('button', { name: '视图' })
  expect(asked.history).toEqual([`${here.path}?state=off`])
})
test('what stands is saved under a name by keys alone, and is the view from then on', async () => {
  const hook = show(`${here.path}?state=off&page=2`)
  await menu()
  await press('s')
  fireEvent.change(await screen.findByLabelText('视图名称'), { target: { value: '我的停用' } })
  await press('Enter')
  await waitFor(() => expect(hook.history.at(-1)).toContain('view=3'))
  expect(sent.find(one => one.path === 'views/save')!.body).toMatchObject({
    page: here.path,
    name: '我的停用',
    search: 'state=off',
    is_default: false,
  })
})
