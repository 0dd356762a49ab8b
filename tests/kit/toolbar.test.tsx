import { cleanup, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Router } from 'wouter'
import { action, page } from '#commands/command.ts'
import { DetailContext } from '#src/kit/detail.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Stage } from '#src/kit/stage.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { PaneContext, WorkbenchContext } from '#src/kit/workbench.ts'

const at = page('/manage/x', '甲', 'X')
const row = { id: 1, open: true }
type Row = typeof row
const on = {} as never
const add = action('x.add', { title: '新增', en: 'New', at, main: true })
const pass = action<unknown, unknown, Row>('x.pass', {
  title: '通过',
  en: 'Pass',
  at,
  on,
  takes: 'row',
  main: true,
  when: one => one.open || ['已关闭', 'It is closed'],
})
const refuse = action('x.refuse', { title: '驳回', en: 'Refuse', at, on, main: true, danger: true })
const free = action('x.free', { title: '放行', en: 'Free', at, on, main: 'plain' })

afterEach(cleanup)
const workbench = {
  me: { id: 1, can: () => true },
  keysOf: () => undefined,
  ariaKeysOf: () => undefined,
  pageAt: () => undefined,
  historyFrom: () => undefined,
}
let stage: Stage
beforeEach(() => {
  stage = new Stage()
})
type Asked = { of: Row | undefined; beside?: boolean; plain?: boolean; behind?: boolean }
const Page = ({ of, behind = false, ...more }: Asked) => {
  const [pane] = useState({ id: 'p', stage, visible: true, memo: new Map() })
  return (
    <WorkbenchContext value={workbench as never}>
      <PaneContext value={pane as never}>
        <Router>
          <Toolbar actions={[free, pass, add, refuse]} rows={of ? [of] : []} {...more} />
          <DetailContext value={{ visible: !behind } as never}>
            <Inspector title="甲" />
          </DetailContext>
        </Router>
      </PaneContext>
    </WorkbenchContext>
  )
}
const blue = () =>
  screen
    .getAllByRole('button')
    .filter(button => button.classList.contains('bp6-intent-primary'))
    .map(button => button.textContent)

test('the pane is told which action is the blue one, and that there is none', () => {
  const { rerender, unmount } = render(<Page of={row} />)
  expect(stage.lead).toBe('x.pass')
  rerender(<Page of={undefined} />)
  expect(stage.lead).toBe('x.add')
  rerender(<Page of={row} plain />)
  expect(stage.lead).toBeUndefined()
  rerender(<Page of={row} />)
  unmount()
  expect(stage.lead).toBeUndefined()
})
test('the first main action that can be had is the blue one, and no other is', () => {
  const { rerender } = render(<Page of={row} />)
  expect(blue()).toEqual(['通过'])
  rerender(<Page of={{ ...row, open: false }} />)
  expect(blue()).toEqual(['新增'])
  expect(screen.getByRole('button', { name: '通过', description: '已关闭' })).toBeTruthy()
  rerender(<Page of={row} plain />)
  expect(blue()).toEqual([])
})
test('what is decided about the row in the detail stands in its head, and of a selection in the toolbar', () => {
  const { rerender } = render(<Page of={row} beside />)
  const named = (name: string) =>
    within(screen.getByRole('toolbar', { name }))
      .queryAllByRole('button')
      .map(button => button.textContent)
      .filter(Boolean)
  expect([named('处理'), named('操作')]).toEqual([['放行', '通过', '驳回'], ['新增']])
  rerender(<Page of={row} />)
  expect(named('操作')).toEqual(['放行', '通过', '新增', '驳回'])
})

test('what is decided about the row stands in the toolbar while the detail waits behind the list', () => {
  const { rerender } = render(<Page of={row} beside behind />)
  const bar = within(screen.getByRole('toolbar', { name: '操作' }))
  expect(bar.getByRole('button', { name: '通过' })).toBeTruthy()
  rerender(<Page of={row} beside />)
  expect(bar.queryByRole('button', { name: '通过' })).toBeNull()
})
