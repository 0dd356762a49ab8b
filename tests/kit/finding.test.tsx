import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { Provider } from 'react-redux'
import { afterEach, expect, test, vi } from 'vitest'
import { ask, byAccount } from '#commands/command.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityOptions } from '#src/contract/places.ts'
import { Among, AmongOptions } from '#src/kit/among.tsx'
import { FormField, useForm } from '#src/kit/form.tsx'
import { Stage } from '#src/kit/stage.ts'
import type { ListState } from '#src/kit/uselist.ts'
import { PaneContext, WorkbenchContext, type Pane, type Workbench } from '#src/kit/workbench.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { makeStore } from '#src/shell/store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const asks = {
  city: ask.entity({
    label: ['城市（留空为全部）', 'City (empty for all)'],
    find: cityOptions,
    labelOf: row => row.city_name,
  }),
  malls: ask.entities({
    label: ['商场', 'Malls'],
    max: 9,
    find: mallPicker,
    labelOf: row => row.name,
  }),
  leader: ask.entity({
    label: ['负责人', 'Leader'],
    find: mallPicker,
    by: byAccount,
    labelOf: row => row.name,
  }),
  store: ask.entity({
    label: ['门店', 'Store'],
    find: bulks.stores,
    none: ['没有营业中的门店', 'No store is open'],
    labelOf: row => row.name,
  }),
}
const Form = () => {
  const form = useForm({ asks, rows: [], draft: 'finding', submit: async () => true as const })
  return (
    <form>
      {Object.keys(asks).map(name => (
        <FormField key={name} of={form} name={name} />
      ))}
    </form>
  )
}
const workbench = {
  me: { id: 1, name: '周', account: 'zhou', can: () => true },
  keysOf: () => undefined,
  ariaKeysOf: () => undefined,
  toast: () => {},
} as unknown as Workbench

test('a picker says what it picks and by what that is found: an account only where people have one, pinyin only where the server knows it', () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ status: 200, data: { list: [], total: 0 } }))),
  )
  render(
    <Provider store={makeStore()}>
      <WorkbenchContext value={workbench}>
        <Form />
      </WorkbenchContext>
    </Provider>,
  )
  expect(screen.getAllByRole('combobox').map(field => field.getAttribute('placeholder'))).toEqual([
    '城市：输入名称或拼音',
    '商场：输入名称或拼音，回车选择',
    '负责人：输入姓名、账号或拼音',
    '门店：输入名称',
  ])
})

test('a picker that has nothing to choose from says why, until something is typed', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ status: 200, data: { list: [], total: 0 } }))),
  )
  render(
    <Provider store={makeStore()}>
      <WorkbenchContext value={workbench}>
        <Form />
      </WorkbenchContext>
    </Provider>,
  )
  expect(await screen.findByText('没有营业中的门店')).toBeTruthy()
  await act(async () => {
    fireEvent.change(screen.getByPlaceholderText('门店：输入名称'), { target: { value: '一店' } })
  })
  expect(screen.queryByText('没有营业中的门店')).toBeNull()
})

test('a look for rows that fails says why, not that there is none, and is begun again', async () => {
  let fails = true
  const answer = (status: number, body: object) =>
    new Response(JSON.stringify({ status, ...body }), { status })
  vi.stubGlobal(
    'fetch',
    vi.fn(async () =>
      fails
        ? answer(503, { message: '系统繁忙，请稍后重试' })
        : answer(200, { data: { list: [{ id: 1, name: '万象城', city_name: '福州' }], total: 1 } }),
    ),
  )
  render(
    <Provider store={makeStore()}>
      <WorkbenchContext value={workbench}>
        <Form />
      </WorkbenchContext>
    </Provider>,
  )
  const told = await screen.findAllByText('系统繁忙，请稍后重试')
  expect(told).toHaveLength(Object.keys(asks).length)
  expect(screen.queryByText('没有匹配')).toBeNull()
  fails = false
  await act(async () => {
    for (const retry of screen.getAllByRole('button', { name: '重试' })) fireEvent.click(retry)
  })
  expect((await screen.findAllByRole('option', { name: /万象城|福州/ })).length).toBeGreaterThan(0)
})

test('a filter by one of many rows says by what the server finds them: a name, or more where it is more', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ status: 200, data: { list: [], total: 0 } }))),
  )
  const list = { input: {}, filter: () => {} } as unknown as ListState<unknown>
  const pane: Pane = {
    id: 'p',
    stage: new Stage(),
    visible: true,
    memo: { get: () => undefined, set: () => {} },
  }
  render(
    <Provider store={makeStore()}>
      <WorkbenchContext value={workbench}>
        <PaneContext value={pane}>
          <Among of={list} by="mid" label="商场" find={mallPicker} labelOf={row => row.name} />
          <Among
            of={list}
            by="person"
            label="人员"
            find={mallPicker}
            words={byAccount}
            labelOf={row => row.name}
          />
        </PaneContext>
      </WorkbenchContext>
    </Provider>,
  )
  for (const [label, placeholder] of [
    ['商场', '商场：输入名称或拼音'],
    ['人员', '人员：输入姓名、账号或拼音'],
  ]) {
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: label! }))
    })
    expect(
      (await screen.findByRole('combobox', { name: label! })).getAttribute('placeholder'),
    ).toBe(placeholder)
  }
})

test('a filter by one of many options stands as one button; typing finds by words and by pinyin, keys take one, and it can be given back', async () => {
  const options = [
    ...Array.from({ length: 600 }, (_, at) => ({
      value: `other.${at}`,
      label: `其他 ${at}`,
      latin: 'qita|qt',
    })),
    { value: 'order.refund', label: '通过退款', latin: 'tongguotuikuan|tgtk' },
    { value: 'audit.approve', label: '通过审核', latin: 'tongguoshenhe|tgsh' },
  ]
  const Screen = () => {
    const [input, filter] = useState<object>({})
    return (
      <>
        <AmongOptions
          of={{ input, filter } as unknown as ListState<unknown>}
          by="action"
          label="操作"
          options={options}
        />
        <output>{JSON.stringify(input)}</output>
      </>
    )
  }
  const { container } = render(<Screen />)
  expect(container.querySelectorAll('button, option')).toHaveLength(1)
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: '操作' }))
  })
  const line = await screen.findByRole('combobox', { name: '操作' })
  const found = (typed: string) => {
    act(() => {
      fireEvent.input(line, { target: { value: typed } })
    })
    return screen.queryAllByRole('option').map(option => option.textContent)
  }
  expect(screen.getAllByRole('option')).toHaveLength(20)
  expect([found('tg'), found('通过 tk'), found('无')]).toEqual([
    ['通过退款', '通过审核'],
    ['通过退款'],
    [],
  ])
  found('tg')
  fireEvent.keyDown(line, { key: 'ArrowDown' })
  await act(async () => {
    fireEvent.keyDown(line, { key: 'Enter' })
  })
  expect([
    container.querySelector('output')!.textContent,
    screen.getByText('操作: 通过审核') !== null,
  ]).toEqual(['{"action":"audit.approve"}', true])
  fireEvent.click(screen.getByRole('button', { name: '清除操作' }))
  expect(container.querySelector('output')!.textContent).toBe('{}')
})

const mall = {
  label: ['商场', 'Mall'] as const,
  find: mallPicker,
  labelOf: (row: { name: string }) => row.name,
  optional: true,
}
const optional = {
  mall: ask.entity(mall),
  more: ask.entities({ ...mall, label: ['其他商场', 'More malls'], max: 3 }),
}
/** Questions that may be left out; `name` is the one that is drawn. */
const Optional = ({
  name = 'mall',
  draft = 'optional',
  submit = () => {},
}: {
  name?: keyof typeof optional
  draft?: string
  submit?: (answers: unknown) => void
}) => {
  const form = useForm({
    asks: optional,
    rows: [],
    draft,
    submit: async answers => {
      submit(answers)
      return true as const
    },
  })
  return (
    <div onKeyDown={event => event.ctrlKey && event.key === 'Enter' && form.go()}>
      <FormField of={form} name={name} />
    </div>
  )
}
test('what may be left out is chosen only once somebody steps to it: until then Enter goes on', async () => {
  const list = [
    { id: 1, name: '临江天街' },
    { id: 2, name: '青禾广场' },
  ]
  const answer = { status: 200, data: { list, total: 2, page: 1, pageSize: 20 } }
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify(answer))),
  )
  render(
    <Provider store={makeStore()}>
      <WorkbenchContext value={workbench}>
        <Optional />
      </WorkbenchContext>
    </Provider>,
  )
  const field = screen.getByRole<HTMLInputElement>('combobox')
  await screen.findByRole('option', { name: '临江天街' })
  expect(field.getAttribute('aria-activedescendant')).toBeNull()
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(true)
  expect(field.value).toBe('')
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  expect(field.getAttribute('aria-activedescendant')).toMatch(/-1$/)
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(false)
  expect(field.value).toBe('临江天街')
})

test.each(['mall', 'more'] as const)(
  'what was typed into %s and found nothing is not left out in silence: it is told, and kept',
  async name => {
    const answer = { status: 200, data: { list: [], total: 0, page: 1, pageSize: 20 } }
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => new Response(JSON.stringify(answer))),
    )
    const submit = vi.fn()
    render(
      <Provider store={makeStore()}>
        <WorkbenchContext value={workbench}>
          <Optional name={name} draft={`typed ${name}`} submit={submit} />
        </WorkbenchContext>
      </Provider>,
    )
    const field = await screen.findByRole<HTMLInputElement>('combobox')
    const goOn = () =>
      act(async () => {
        fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
      })
    fireEvent.input(field, { target: { value: '没有这家' } })
    await screen.findByText('没有匹配')
    await goOn()
    expect([screen.getByRole('alert').textContent, field.value, submit.mock.calls]).toEqual([
      '输入的内容没有选中任何一项：请从列表中选择，或清空',
      '没有这家',
      [],
    ])
    fireEvent.input(field, { target: { value: '' } })
    await goOn()
    expect([screen.queryByRole('alert'), submit.mock.calls.length]).toEqual([null, 1])
  },
)
