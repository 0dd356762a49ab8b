import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { useMemo, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dutyOf, rosterDays, rosterOf, type Shift } from '#src/areas/notice/warning.ts'
import { ConflictDialog, type Settling } from '#src/kit/conflict.tsx'
import type { Chosen } from '#src/kit/merge.ts'
import { WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'
import type { NotifyGroupRow } from '#src/modules/system/contract/group.ts'
import { Roster } from '#src/modules/system/parts/Roster.tsx'
import { settleParts } from '#src/modules/system/parts/settle.ts'

const save = vi.hoisted(() => vi.fn())
vi.mock('#src/kit/data.ts', () => ({ useWrite: () => [save, { isLoading: false }] }))
vi.mock('#src/kit/fields.tsx', () => ({ Field: () => null }))

const shift = (weekdays: number[], from: string, to: string, admin_id: number) => ({
  weekdays,
  from,
  to,
  admin_id,
  name: `员工${admin_id}`,
})
const group = (version: number, roster: ReturnType<typeof shift>[]) =>
  ({ id: 4, name: '客服值班', version, roster }) as unknown as NotifyGroupRow
let there: NotifyGroupRow
let sent: { version: number; roster: Shift[] }[]
const closed = vi.fn()
beforeEach(() => {
  sent = []
  vi.clearAllMocks()
  save.mockImplementation(async (input: { version: number; roster: Shift[] }) => {
    sent.push(input)
    if (input.version !== there.version)
      throw {
        status: 409,
        message: '已被修改',
        data: { rule: 'stale', current: there, by: { name: '李四', at: 1_795_000_000 } },
      }
  })
})
afterEach(cleanup)
const Bench = ({ children }: { children: React.ReactNode }) => {
  const [of, setOf] = useState<
    { of: Settling; answer: (chosen: Chosen | undefined) => void } | undefined
  >(undefined)
  const workbench = useMemo(
    () =>
      ({
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
const begun = group(1, [shift([1, 2, 3, 4, 5], '09:00', '18:00', 7)])
/**
 * Saturday is taken off by me; meanwhile somebody gave Monday to another person and Sunday somebody
 * at all.
 */
const open = (theirs: ReturnType<typeof shift>[]) => {
  there = group(2, theirs)
  render(
    <Bench>
      <Roster of={begun} close={closed} />
    </Bench>,
  )
}
const tick = (day: string) =>
  act(async () => {
    fireEvent.click(screen.getByRole('checkbox', { name: day }))
  })
const press = (key: string) =>
  act(async () => {
    fireEvent.keyDown(document.activeElement!, { key })
  })
const go = () =>
  act(async () => {
    fireEvent.click(screen.getByRole('button', { name: /保存值班表/ }))
  })
const line = (name: string) =>
  screen.getByRole('rowheader', { name: new RegExp(name) }).parentElement!

test('a roster that somebody else saved meanwhile is merged day by day; of a day that both changed one is chosen, and the newest version is saved', async () => {
  open([shift([1, 2], '09:00', '18:00', 8), shift([3, 4, 5], '09:00', '18:00', 7)])
  await tick('周一')
  await tick('周六')
  await go()
  expect(screen.getByRole('dialog', { name: /李四/ })).toBeTruthy()
  expect(line('周一').textContent).toBe('周一09:00–18:00 员工709:00–18:00 员工8无人')
  expect(line('周二').textContent).toBe(
    '周二已合并09:00–18:00 员工709:00–18:00 员工809:00–18:00 员工7',
  )
  expect(line('周六').textContent).toBe('周六已合并无人无人09:00–18:00 员工7')
  await press('ArrowRight')
  await press('Enter')
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1))
  expect(sent.map(one => one.version)).toEqual([1, 2])
  expect(rosterDays(sent[1]!.roster)).toEqual(
    rosterDays([shift([2], '09:00', '18:00', 8), shift([3, 4, 5, 6], '09:00', '18:00', 7)]),
  )
})
test('whoever goes back keeps what they typed, and nothing is saved', async () => {
  open([shift([1, 2, 3, 4, 5], '10:00', '18:00', 7)])
  await tick('周一')
  await go()
  await press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /李四/ })).toBeNull())
  expect([
    sent.length,
    closed.mock.calls.length,
    (screen.getByRole('checkbox', { name: '周一' }) as HTMLInputElement).checked,
  ]).toEqual([1, 0, false])
})
test('field rights of a role: what only one changed is merged without a word, of what both did one is chosen', async () => {
  const asked: Settling[] = []
  const settle = async (of: Settling) => {
    asked.push(of)
    return { phone: 'theirs' } as const
  }
  const parts = {
    base: { phone: 'mask', bank: 'hide', idcard: 'mask' },
    by: { name: '李四', at: 1 },
    label: (name: string) => [name, name] as const,
    told: (mode: string | undefined) => mode ?? '默认',
  }
  expect(
    await settleParts(settle, {
      ...parts,
      now: { ...parts.base, phone: 'hide' },
      mine: { ...parts.base, phone: 'show', bank: 'show' },
    }),
  ).toEqual({ phone: 'hide', bank: 'show', idcard: 'mask' })
  expect(asked[0]!.lines).toMatchObject([
    { name: 'bank', how: 'mine', mine: 'show' },
    { name: 'phone', how: 'both', was: 'mask', theirs: 'hide', mine: 'show' },
  ])
  // Back to the default is a change too; where nobody else changed anything nothing is asked.
  expect(
    await settleParts(settle, {
      ...parts,
      now: parts.base,
      mine: { bank: 'hide', idcard: 'mask' },
    }),
  ).toEqual({ phone: undefined, bank: 'hide', idcard: 'mask' })
  expect(asked).toHaveLength(1)
  expect(
    await settleParts(async () => undefined, {
      ...parts,
      now: { ...parts.base, phone: 'hide' },
      mine: { ...parts.base, phone: 'show' },
    }),
  ).toBeUndefined()
})
test('a roster by its days is the same roster: at every moment the same person has the duty', () => {
  const time = fc.constantFrom('00:00', '08:00', '12:00', '20:00')
  const shifts = fc.array(
    fc.record({
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: time,
      to: time,
      admin_id: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(shifts, roster => {
      const again = rosterOf(rosterDays(roster))
      expect(rosterDays(again)).toEqual(rosterDays(roster))
      // No moment within a day, since shifts that run into the next meet those in an order that
      // days do not tell.
      if (roster.every(one => one.from < one.to))
        for (let hour = 0; hour < 7 * 24; hour += 3)
          expect(dutyOf(again, hour * 3600)).toBe(dutyOf(roster, hour * 3600))
    }),
    { numRuns: 60 },
  )
})
