import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { useMemo } from 'react'
import { afterEach, expect, test } from 'vitest'
import { ask } from '#commands/command.ts'
import { widthOf } from '#src/domain/validate.ts'
import { FormField, useForm } from '#src/kit/form.tsx'
import { WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
})
const asks = {
  title: ask.text({ label: ['标题', 'Title'], max: 10, wide: 10 }),
  note: ask.text({ label: ['说明', 'Note'], max: 10, wide: 10, lines: 3 }),
  sort: ask.number({ label: ['排序', 'Sort'], min: 0, max: 9999 }),
  level: ask.number({ label: ['层号', 'Level'], min: -5, max: 99 }),
}
const Form = () => {
  const form = useForm({ asks, rows: [], draft: 'limited', submit: async () => true as const })
  return (
    <form>
      {Object.keys(asks).map(name => (
        <FormField key={name} of={form} name={name} />
      ))}
      <output>{JSON.stringify(form.answers)}</output>
    </form>
  )
}
const Screen = () => (
  <WorkbenchContext
    value={useMemo(
      () =>
        ({
          me: { id: 1, name: '周', account: 'zhou', can: () => true },
          keysOf: () => undefined,
          ariaKeysOf: () => undefined,
          toast: () => {},
        }) as unknown as Workbench,
      [],
    )}
  >
    <Form />
  </WorkbenchContext>
)
const type = (label: string, words: string, more: object = {}) => {
  const field = screen.getByLabelText<HTMLInputElement>(label)
  act(() => {
    fireEvent.input(field, { target: { value: words }, ...more })
  })
  return field.value
}
const answers = () =>
  JSON.parse(document.querySelector('output')!.textContent) as Record<string, unknown>

test('a limited input, of one line or more, is cut as it is typed, a double-byte character counting as 2', () => {
  render(<Screen />)
  expect([
    type('标题', '商场名称很长的'),
    type('标题', 'abcdefghijkl'),
    type('说明', '五个汉字满了'),
  ]).toEqual(['商场名称很', 'abcdefghij', '五个汉字满'])
  expect(answers()).toMatchObject({ title: 'abcdefghij', note: '五个汉字满' })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), words => {
      expect(widthOf(type('标题', words))).toBeLessThanOrEqual(10)
    }),
    { numRuns: 40 },
  )
})
test('a whole number takes digits only: what is none goes as it is typed, full-width digits become plain; below zero a sign is needed and stays', () => {
  render(<Screen />)
  expect([type('排序', '1a2-3'), type('排序', '１２'), type('排序', '-7')]).toEqual([
    '123',
    '12',
    '7',
  ])
  expect(answers()).toMatchObject({ sort: 7 })
  expect([type('层号', '-2'), answers()['level']]).toEqual(['-2', -2])
})
test('what is being composed is left alone until it is done', () => {
  render(<Screen />)
  expect(type('标题', "商场名称hen'chang", { isComposing: true })).toBe("商场名称hen'chang")
  const field = screen.getByLabelText<HTMLInputElement>('标题')
  act(() => {
    fireEvent.compositionEnd(field)
  })
  expect(field.value).toBe('商场名称he')
})
