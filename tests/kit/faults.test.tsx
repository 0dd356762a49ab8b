import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useMemo } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask } from '#commands/command.ts'
import { FormField, useForm } from '#src/kit/form.tsx'
import { FormFields, FormPart, PageForm } from '#src/kit/formpage.tsx'
import { HoursField } from '#src/kit/hours.tsx'
import type { Refused } from '#src/kit/refused.ts'
import { PaneFocused, WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'
import { kept as drafts } from '../farm/idb-keyval.ts'

const asks = {
  name: ask.text({ label: ['名称', 'Name'], max: 20, initial: () => '甲' }),
  ways: ask.choices({
    label: ['渠道', 'Ways'],
    options: { app: ['应用', 'App'], shop: ['门店', 'Shop'] },
    initial: () => ['app'],
  }),
  fee: ask.money({ label: ['费用', 'Fee'], min: 0, initial: () => 1200 }),
  note: ask.text({ label: ['备注', 'Note'], max: 20, initial: () => '原文' }),
}
const hours = { week: [{ weekdays: [1], from: '10:00', to: '22:00' }], holidays: [] }
const nobody: readonly unknown[] = []
const besides = { hours, lines: [] }
const workbench = {
  me: { id: 1, name: '周', account: 'zhou', can: () => true },
  keysOf: () => undefined,
  ariaKeysOf: () => undefined,
  pageAt: () => undefined,
} as unknown as Workbench

let refuse: (of: Refused) => void
const submit = vi.fn(
  () =>
    new Promise<true | Refused>(done => {
      refuse = done
    }),
)
const Form = () => {
  const form = useForm({ asks, rows: nobody, given: besides, draft: 'faults', submit })
  if (!form.answers) return null
  return (
    <PageForm of={form} label="表单">
      <FormFields of={form} names={['name', 'ways', 'fee']} />
      <HoursField
        id={form.idOf('hours')}
        value={hours}
        change={() => {}}
        fault={form.refused?.fields?.['hours']}
      />
      <FormPart of={form} name="lines">
        <p>没有成员</p>
      </FormPart>
      <FormField of={form} name="note" />
      <button type="submit">保存</button>
    </PageForm>
  )
}
const Screen = () => {
  const bench = useMemo(() => workbench, [])
  return (
    <WorkbenchContext value={bench}>
      <section data-pane="p1" tabIndex={-1} aria-label="窗格">
        <Form />
      </section>
      <input aria-label="别处" />
    </WorkbenchContext>
  )
}
const field = (label: string) => screen.getByRole('textbox', { name: label })
const has = () => document.activeElement
const send = () =>
  act(async () => {
    fireEvent.submit(screen.getByRole('form'))
  })
const refused = (of: Refused) =>
  act(async () => {
    refuse(of)
  })
const type = (into: Element, value: string) =>
  act(async () => fireEvent.input(into, { target: { value } }))
const seen = vi.fn()

beforeEach(async () => {
  drafts.clear()
  vi.clearAllMocks()
  Element.prototype.scrollIntoView = function (this: Element) {
    seen(this)
  }
  render(<Screen />)
  await screen.findByRole('form')
})
afterEach(cleanup)

describe('a form that is refused gives the focus to its first fault', () => {
  test('which the form finds itself, in sight and with its reason', async () => {
    await type(field('费用'), '-1')
    act(() => field('备注').focus())
    await send()
    expect(has()).toBe(field('费用'))
    expect(submit).not.toHaveBeenCalled()
    expect(seen).toHaveBeenCalledWith(field('费用').closest('[data-kind]'))
    const reason = document.querySelector('[role=alert]')!
    expect(reason.textContent).not.toBe('')
    expect(field('费用').getAttribute('aria-describedby')?.split(' ')).toContain(reason.id)
  })
  test('which the server found, the first on the page whatever the order of the answer', async () => {
    act(() => field('备注').focus())
    await send()
    await refused({ fields: { note: '太长', fee: '超出预算', ways: '至少两个' } })
    const first = screen.getByRole('checkbox', { name: '应用' })
    expect(has()).toBe(first)
    expect(document.getElementById(first.getAttribute('aria-describedby')!)?.textContent).toBe(
      '至少两个',
    )
  })
  test('which is no question: hours, and a part of its own', async () => {
    await send()
    await refused({ fields: { hours: '时段重叠', note: '太长' } })
    const opens = field('开门')
    expect(has()).toBe(opens)
    expect(document.getElementById(opens.getAttribute('aria-describedby')!)?.textContent).toBe(
      '时段重叠',
    )
    await send()
    await refused({ fields: { lines: '至少一名成员' } })
    expect(has()?.textContent).toContain('没有成员')
    expect(document.getElementById(has()!.getAttribute('aria-describedby')!)?.textContent).toBe(
      '至少一名成员',
    )
  })
  test('shows a refusal that has no place, and leaves the focus', async () => {
    act(() => field('备注').focus())
    await send()
    await refused({ message: '今天不能保存' })
    expect(has()).toBe(field('备注'))
    expect(seen).toHaveBeenCalledWith(screen.getByText('今天不能保存'))
  })
})

describe('the focus stays with a person who went on while it was sent', () => {
  test('writing in another field', async () => {
    act(() => field('费用').focus())
    await send()
    fireEvent.keyDown(field('费用'), { key: 'Tab' })
    act(() => field('备注').focus())
    await type(field('备注'), '接着写')
    await refused({ fields: { name: '已被使用' } })
    expect(has()).toBe(field('备注'))
  })
  test('writing on in the same field', async () => {
    act(() => field('费用').focus())
    await send()
    await type(field('费用'), '13')
    await refused({ fields: { name: '已被使用' } })
    expect(has()).toBe(field('费用'))
  })
  test('going elsewhere', async () => {
    await send()
    fireEvent.pointerDown(screen.getByLabelText('别处'))
    act(() => screen.getByLabelText('别处').focus())
    await refused({ fields: { name: '已被使用' } })
    expect(has()).toBe(screen.getByLabelText('别处'))
  })
  test('but not with one who only pressed Enter again', async () => {
    act(() => field('费用').focus())
    await send()
    fireEvent.keyDown(field('费用'), { key: 'Enter' })
    await refused({ fields: { name: '已被使用' } })
    expect(has()).toBe(field('名称'))
  })
  test('nor is it taken from a question that came over the form', async () => {
    act(() => field('费用').focus())
    await send()
    render(
      <div className="bp6-dialog">
        <button>好</button>
      </div>,
    )
    act(() => screen.getByText('好').focus())
    await refused({ fields: { name: '已被使用' } })
    expect(has()).toBe(screen.getByText('好'))
  })
})

describe('a form page that opens', () => {
  const open = async () => {
    cleanup()
    const screenOf = (isFront: boolean, isOpen: boolean) => (
      <WorkbenchContext value={workbench}>
        <PaneFocused value={isFront}>
          <section data-pane="p1" tabIndex={-1} aria-label="窗格">
            <button>工具</button>
            {isOpen && <Form />}
          </section>
        </PaneFocused>
        <button>菜单</button>
      </WorkbenchContext>
    )
    const { rerender } = render(screenOf(true, false))
    return {
      at: (name: string) => act(() => screen.getByText(name).focus()),
      come: async (isFront = true) => {
        rerender(screenOf(isFront, true))
        await screen.findByRole('form')
      },
    }
  }
  test('has the focus in its first field', async () => {
    const page = await open()
    page.at('菜单')
    await page.come()
    expect(has()).toBe(field('名称'))
  })
  test('does not take it from what the person is at in its pane', async () => {
    const page = await open()
    page.at('工具')
    await page.come()
    expect(has()).toBe(screen.getByText('工具'))
  })
  test('waits until its pane has the keys, and takes it once', async () => {
    const page = await open()
    await page.come(false)
    expect(has()).toBe(document.body)
    await page.come()
    expect(has()).toBe(field('名称'))
    act(() => field('名称').blur())
    await page.come(false)
    await page.come()
    expect(has()).toBe(document.body)
  })
})
