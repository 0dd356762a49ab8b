import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useMemo, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { action, ask, page, type Ask } from '#commands/command.ts'
import { write } from '#src/contract/call.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { AskDialog } from '#src/kit/ask.tsx'
import { ConflictDialog, type Settling } from '#src/kit/conflict.tsx'
import { FormField, FormNotes, useForm } from '#src/kit/form.tsx'
import type { Chosen } from '#src/kit/merge.ts'
import { refusedBy } from '#src/kit/refused.ts'
import { WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'
import { kept as drafts } from '../farm/idb-keyval.ts'

const rulesPage = page('/manage/test/rule', '规则', 'Rules', { object: 'warning_rule' })
const asks = {
  name: ask.text({ label: ['名称', 'Name'], max: 20, initial: rows => rows[0]?.name }),
  fee: ask.money({ label: ['费用', 'Fee'], min: 0, initial: rows => rows[0]?.fee }),
  on: ask.flag({ label: ['启用', 'On'], initial: rows => rows[0]?.on }),
}
type Row = { id: number; version: number; name: string; fee: number; on: boolean; level?: string }
const row: Row = { id: 3, version: 1, name: '退款率', fee: 1200, on: true }
let there: Row
let sent: any[]
let late: ChangedBy
const submit = vi.fn(async (answers: Record<string, unknown>, [now]: readonly Row[]) => {
  sent.push({ version: now!.version, ...answers })
  if (now!.version !== there.version)
    return refusedBy(
      {
        status: 409,
        message: '已被修改',
        data: { rule: 'stale', by: late },
      },
      { newest: async () => [there] },
    )
  return true as const
})
beforeEach(() => {
  there = { ...row }
  sent = []
  late = { name: '李四', at: 1_795_000_000 }
  drafts.clear()
  localStorage.clear()
  vi.clearAllMocks()
})
afterEach(cleanup)

const Bench = ({ children }: { children: React.ReactNode }) => {
  const [of, setOf] = useState<
    { of: Settling; answer: (chosen: Chosen | undefined) => void } | undefined
  >(undefined)
  const workbench = useMemo(
    () =>
      ({
        me: { id: 1, name: '周', account: 'zhou', can: () => true },
        open: () => {},
        run: async () => true,
        toast: () => {},
        keysOf: () => undefined,
        ariaKeysOf: () => undefined,
        pageAt: () => rulesPage,
        recent: () => [],
        historyFrom: () => undefined,
        settle: (settling: Settling) =>
          new Promise<Chosen | undefined>(done =>
            setOf({
              of: settling,
              answer: chosen => {
                setOf(undefined)
                done(chosen)
              },
            }),
          ),
      }) as unknown as Workbench,
    [],
  )
  return (
    <WorkbenchContext value={workbench}>
      {children}
      {of && <ConflictDialog of={of.of} answer={of.answer} />}
    </WorkbenchContext>
  )
}
const Form = ({ rows, more }: { rows: readonly Row[]; more?: Record<string, Ask> }) => {
  const form = useForm({ asks: { ...asks, ...more }, rows, draft: 'rule:3', submit })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        form.go()
      }}
    >
      {Object.keys({ ...asks, ...more }).map(name => (
        <FormField key={name} of={form} name={name} />
      ))}
      <FormNotes of={form} />
      <button type="submit">save</button>
    </form>
  )
}
const Screen = ({ now = row, ...more }: { now?: Row; more?: Record<string, Ask> }) => (
  <Bench>
    <Form rows={useMemo(() => [now], [now])} {...more} />
  </Bench>
)
const type = async (label: string, words: string) => {
  const field = await screen.findByLabelText(label)
  act(() => {
    fireEvent.change(field, { target: { value: words } })
  })
}
const save = () =>
  act(async () => {
    fireEvent.click(screen.getByText('save'))
  })
const press = (key: string, more: object = {}) =>
  act(async () => {
    fireEvent.keyDown(document.activeElement!, { key, ...more })
  })
const line = (name: string) =>
  screen.getByRole('rowheader', { name: new RegExp(name) }).parentElement!

test('of a save that was refused as stale both changes are shown in words, one is chosen by keys, and the newest version is saved', async () => {
  render(<Screen />)
  await type('名称', '团购退款率')
  await type('费用', '20')
  there = { ...row, version: 2, name: '全部退款率', on: false }
  await save()
  expect(screen.getByRole('dialog').textContent).toContain('李四')
  expect(line('名称').textContent).toBe('名称退款率全部退款率团购退款率')
  expect(line('启用').textContent).toBe('启用已合并是否是')
  expect(line('费用').textContent).toBe('费用已合并¥12.00¥12.00¥20.00')
  // Nothing is chosen for anybody: Enter says what is missing.
  await press('Enter')
  expect([sent.length, screen.getByRole('alert').textContent]).toEqual([1, '还有 1 项没有选择'])
  await press('ArrowRight')
  await press('Enter')
  await waitFor(() =>
    expect(sent.at(-1)).toEqual({ version: 2, name: '团购退款率', fee: 2000, on: false }),
  )
  expect(sent).toHaveLength(2)
})
test('what only the person changed meanwhile is settled without a question: what they typed last stands', async () => {
  render(<Screen />)
  await type('名称', '团购退款率')
  there = { ...row, version: 2, name: '全部退款率', on: false }
  late = { ...late, own: 1 }
  await save()
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() =>
    expect(sent.at(-1)).toEqual({ version: 2, name: '团购退款率', fee: 1200, on: false }),
  )
})
test('going back loses nothing that was typed, and what was theirs can be taken later', async () => {
  render(<Screen />)
  await type('名称', '我的')
  there = { ...row, version: 2, name: '他的' }
  await save()
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: /返回修改/ }))
  })
  expect((screen.getByLabelText('名称') as HTMLInputElement).value).toBe('我的')
  await save()
  await press('ArrowLeft', { shiftKey: true })
  await press('Enter')
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ version: 2, name: '他的' }))
})
test('a third save meanwhile is settled once more, and never overwritten', async () => {
  render(<Screen />)
  await type('名称', '我的')
  there = { ...row, version: 2, name: '他的' }
  await save()
  there = { ...row, version: 3, name: '她的' }
  await press('ArrowRight')
  await press('Enter')
  await waitFor(() => expect(line('名称').textContent).toBe('名称他的她的我的'))
  await press('ArrowRight')
  await press('Enter')
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ version: 3, name: '我的' }))
})
test('where the newest reading comes to an open form, what is untouched follows it and what both changed is settled before anything is sent', async () => {
  const { rerender } = render(<Screen />)
  await type('名称', '我的')
  there = { ...row, version: 2, name: '他的', fee: 900 }
  rerender(<Screen now={there} />)
  expect((screen.getByLabelText('费用') as HTMLInputElement).value).toBe('9.00')
  expect(screen.getByText('他人刚改了 2 项')).toBeTruthy()
  await save()
  expect(sent).toEqual([])
  await press('ArrowLeft')
  await press('Enter')
  await waitFor(() => expect(sent).toEqual([{ version: 2, name: '他的', fee: 900, on: true }]))
})
test('a draft that comes back on a row that changed meanwhile does not overwrite it', async () => {
  localStorage.setItem('draft:zhou:rule:3', '1')
  drafts.set('draft:zhou:rule:3', {
    saved_at: 1,
    value: { changed: { name: '草稿' }, based: { name: '退款率' }, named: {} },
  })
  there = { ...row, version: 5, name: '他的' }
  render(<Screen now={there} />)
  expect(((await screen.findByLabelText('名称')) as HTMLInputElement).value).toBe('草稿')
  await save()
  expect(sent).toEqual([])
  expect(line('名称').textContent).toBe('名称退款率他的草稿')
})
test('a question without fields is asked again with what changed in the row, and is then about the newest', async () => {
  const off = action(
    write('test/off', ['停用', 'Off'], {
      input: z.object({ id: z.int(), version: z.int() }),
      output: z.object({}),
      touches: [],
      scope: 'all',
      permit: 'test.off',
    }),
    {
      title: '停用',
      en: 'Off',
      danger: true,
      at: rulesPage,
      on: z.object({ id: z.int(), version: z.int() }),
      takes: 'row',
      input: rows => ({ id: rows[0]!.id, version: rows[0]!.version }),
    },
  )
  there = { ...row, version: 2, name: '全部退款率', level: 'urgent' }
  render(
    <Bench>
      <AskDialog
        action={off}
        rows={[{ ...row, level: 'warn' }]}
        submit={submit as never}
        cancel={() => {}}
      />
    </Bench>,
  )
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: /停用/ }))
  })
  const told = await screen.findByRole('alert')
  expect(told.textContent).toContain('李四')
  expect(told.textContent).toContain('名称 退款率 → 全部退款率')
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: /停用/ }))
  })
  expect(sent).toEqual([{ version: 1 }, { version: 2 }])
})

test('a proposal that moves with the clock is nobody’s change, whether it is taken or changed', async () => {
  let moment = 1_795_000_000
  const more = {
    until: ask.time({ label: ['截止', 'Until'], initial: () => moment }),
    from: ask.time({ label: ['开始', 'From'], initial: () => moment }),
  }
  render(<Screen more={more} />)
  await type('名称', '团购退款率')
  await type('截止', '2027-01-01 08:00')
  moment += 1
  await save()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ name: '团购退款率', until: 1_798_761_600 })
})
