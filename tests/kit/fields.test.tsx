import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ask, type Ask } from '#commands/command.ts'
import { FormField, type FormState } from '#src/kit/form.tsx'
import { WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'

vi.mock('idb-keyval', () => ({
  get: async () => undefined,
  set: async () => {},
  del: async () => {},
}))
vi.mock('#src/kit/data.ts', async original => ({
  ...(await original<object>()),
  useRead: () => ({ data: { list: [] }, isFetching: false }),
}))
vi.mock('react-redux', () => ({ useDispatch: () => () => {} }))
afterEach(cleanup)

const finding = {
  find: { path: 'city/list', input: { shape: {} } },
  labelOf: () => '',
  by: ['名称', 'name'],
} as unknown as Pick<Parameters<typeof ask.entity>[0], 'find' | 'labelOf' | 'by'>
const options = { a: ['甲', 'A'], b: ['乙', 'B'] } as const
/** Each kind of question, and the role of what a fault of it must be told at. */
const kinds: readonly (readonly [role: string, ask: Ask])[] = [
  ['textbox', ask.text({ label: ['标题', 'Title'], max: 10 })],
  ['textbox', ask.text({ label: ['说明', 'Note'], max: 10, lines: 3 })],
  ['textbox', ask.money({ label: ['金额', 'Amount'] })],
  ['textbox', ask.number({ label: ['排序', 'Sort'], min: 0, max: 9 })],
  ['textbox', ask.time({ label: ['时间', 'Time'] })],
  ['radiogroup', ask.reason({ label: ['原因', 'Reason'], codes: options })],
  ['group', ask.reason({ label: ['多个原因', 'Reasons'], codes: options, several: true })],
  ['checkbox', ask.flag({ label: ['启用', 'On'] })],
  ['combobox', ask.choice({ label: ['类型', 'Kind'], options })],
  ['group', ask.choices({ label: ['渠道', 'Channels'], options })],
  ['group', ask.marks({ label: ['标注', 'Marks'], fields: options })],
  ['list', ask.order({ label: ['顺序', 'Order'] })],
  ['button', ask.images({ label: ['图片', 'Pictures'], max: 3 })],
  ['combobox', ask.entity({ label: ['城市', 'City'], ...finding })],
  ['combobox', ask.entities({ label: ['商场', 'Malls'], max: 3, ...finding })],
]
/** What can itself be called wrong; a group or a list can't, but what stands in it can. */
const SELF = ['textbox', 'combobox', 'radiogroup', 'checkbox']
const show = (of: Ask, fault: string | undefined) => (
  <WorkbenchContext value={{} as Workbench}>
    <FormField
      name="one"
      of={
        {
          asks: { one: of },
          rows: [],
          answers: of.kind === 'order' ? { one: ['x'] } : {},
          fault: () => fault,
          idOf: () => 'one',
          namesOf: () => ({}),
        } as unknown as FormState
      }
    />
  </WorkbenchContext>
)

describe.each(kinds.map(([role, of]) => [`${of.kind} ${of.label[0]}`, role, of] as const))(
  'a fault of %s',
  (_, role, of) => {
    test('describes the field, marks it wrong, and leaves its name as it was', () => {
      const name = of.label[0]
      const { rerender } = render(show(of, undefined))
      const field = screen.getByRole(role, { name })
      expect(document.querySelector('[aria-invalid=true]')).toBeNull()
      rerender(show(of, '这里不对'))
      expect(screen.getByRole(role, { name, description: /这里不对/ })).toBe(field)
      const wrong = [...document.querySelectorAll('[aria-invalid=true]')]
      if (SELF.includes(role)) expect(wrong).toContain(field)
      else if (role !== 'list') expect(wrong.length).toBeGreaterThan(0)
      for (const one of wrong)
        if (one.matches('input, textarea, select'))
          expect(one.getAttribute('aria-describedby')).toContain('one-error')
    })
  },
)
test('a field refers to its hint only where it has one', () => {
  const described = () =>
    (screen.getByRole('textbox').getAttribute('aria-describedby') ?? '').split(' ')
  render(show(ask.text({ label: ['标题', 'Title'], max: 10 }), undefined))
  expect(described().every(id => document.getElementById(id))).toBe(true)
  cleanup()
  render(show(ask.text({ label: ['标题', 'Title'], max: 10, hint: ['短', 'Short'] }), undefined))
  expect(described()).toContain('one-hint')
})
