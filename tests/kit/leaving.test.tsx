import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useMemo } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ask, page } from '#commands/command.ts'
import { useTrail } from '#src/kit/changed.tsx'
import { FormField, useForm, useUnsaved } from '#src/kit/form.tsx'
import { LeavingDialog } from '#src/kit/leaving.tsx'
import { Stage } from '#src/kit/stage.ts'
import {
  PaneContext,
  PaneFocused,
  WorkbenchContext,
  type Pane,
  type Workbench,
} from '#src/kit/workbench.ts'
import { kept as drafts } from '../farm/idb-keyval.ts'

const asks = {
  city_name: ask.text({ label: ['城市名', 'Name'], max: 20, initial: rows => rows[0]?.city_name }),
  reason: ask.text({ label: ['原因', 'Reason'], max: 20, optional: true }),
}
const cities = page('/manage/test/city', '城市', 'Cities', { object: 'city' })
const open = vi.fn()
const may = vi.fn((_: string) => true)
const workbench = {
  me: { id: 1, name: '周', account: 'zhou', can: may },
  open,
  run: async () => true,
  toast: () => {},
  keysOf: () => undefined,
  ariaKeysOf: () => undefined,
  pageAt: () => undefined,
  recent: () => [],
  historyFrom: () => ({
    permit: 'system.logs.objectHistory',
    to: ([row]: readonly any[]) => `/manage/system/logs?object_type=city&object_id=${row.id}`,
  }),
} as unknown as Workbench
const rows = [{ id: 3, city_name: '西安' }]
const saved = vi.fn(async () => true as const)
let stage: Stage
beforeEach(() => {
  drafts.clear()
  may.mockReturnValue(true)
  stage = new Stage()
  vi.clearAllMocks()
})
afterEach(cleanup)
const Form = () => {
  const form = useForm({ asks, rows, draft: 'test', submit: saved, trail: useTrail(cities, rows) })
  useUnsaved(form)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        form.go()
      }}
    >
      <FormField of={form} name="city_name" />
      <FormField of={form} name="reason" />
      <button type="submit">save</button>
      <i>{String(form.dirty)}</i>
    </form>
  )
}
const Screen = () => {
  const pane = useMemo<Pane>(
    () => ({ id: 'p', stage, visible: true, memo: { get: () => undefined, set: () => {} } }),
    [],
  )
  return (
    <WorkbenchContext value={workbench}>
      <PaneContext value={pane}>
        <PaneFocused value={true}>
          <Form />
        </PaneFocused>
      </PaneContext>
    </WorkbenchContext>
  )
}
const type = async (words: string) => {
  const field = await screen.findByLabelText('城市名')
  act(() => {
    fireEvent.change(field, { target: { value: words } })
  })
}

test('a form holds its page while something is half written, and no longer', async () => {
  render(<Screen />)
  await screen.findByLabelText('城市名')
  expect(stage.unsaved).toEqual([])
  await type('长安')
  expect(stage.unsaved).toHaveLength(1)
  await type('西安')
  expect(stage.unsaved).toEqual([])
})
test('thrown away it is as it was; saved it is held no longer, at once', async () => {
  render(<Screen />)
  await type('长安')
  act(() => stage.unsaved[0]!.discard())
  expect(stage.unsaved).toEqual([])
  await waitFor(() =>
    expect((screen.getByLabelText('城市名') as HTMLInputElement).value).toBe('西安'),
  )
  await type('咸阳')
  await act(async () => {
    fireEvent.click(screen.getByText('save'))
  })
  expect([saved.mock.calls.length, stage.unsaved.length]).toEqual([1, 0])
})
test('each field of something that is there tells who changed it, by Alt+H too; a reason is no field', async () => {
  render(<Screen />)
  const field = await screen.findByLabelText('城市名')
  fireEvent.keyDown(field, { key: 'h', code: 'KeyH', altKey: true })
  expect(open).toHaveBeenCalledWith(
    '/manage/system/logs?object_type=city&object_id=3&field=city_name',
    'beside',
  )
  expect(screen.getAllByRole('button', { name: /谁改的/ })).toHaveLength(1)
  cleanup()
  may.mockReturnValue(false)
  render(<Screen />)
  await screen.findByLabelText('城市名')
  expect(screen.queryByRole('button', { name: /谁改的/ })).toBeNull()
})
test('the question: Enter keeps the draft, Esc stays', async () => {
  const answer = vi.fn()
  render(<LeavingDialog answer={answer} />)
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /保留草稿/ })),
  )
  fireEvent.click(document.activeElement!)
  fireEvent.keyDown(document.activeElement!, { key: 'Escape', code: 'Escape' })
  fireEvent.click(screen.getByText('放弃修改'))
  expect(answer.mock.calls).toEqual([['keep'], ['stay'], ['discard']])
})
