import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listDetail } from '#commands/list.ts'
import { up } from '#commands/shell.ts'
import { useDetail, useFoldedIn } from '#src/kit/detail.ts'
import { FoldedFacts, Inspector } from '#src/kit/inspector.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import type { Setting } from '#src/kit/memory.ts'
import { Fact } from '#src/kit/show.tsx'
import { Stage } from '#src/kit/stage.ts'
import {
  PaneContext,
  PaneFocused,
  WorkbenchContext,
  type Pane,
  type Workbench,
} from '#src/kit/workbench.ts'

let room = 1200
let kept: Map<string, unknown>
/** Settings that stay through a second drawing, as those of an account do. */
const setting = <T,>(name: string, _: unknown, initial: T): Setting<T> => {
  const heard = new Set<() => void>()
  return {
    get: () => (kept.get(name) as T | undefined) ?? initial,
    set: next => {
      const before = (kept.get(name) as T | undefined) ?? initial
      kept.set(name, typeof next === 'function' ? (next as (was: T) => T)(before) : next)
      for (const tell of heard) tell()
    },
    subscribe: tell => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
  }
}
const made = new Map<string, Setting<unknown>>()
const nothing = () => undefined
const workbench = {
  me: { id: 1, name: '周', account: 'zhou', can: () => true },
  keysOf: nothing,
  ariaKeysOf: nothing,
  pageAt: () => ({ path: '/manage/test' }),
  setting: (name: string, fits: unknown, initial: unknown) => {
    if (!made.has(name)) made.set(name, setting(name, fits, initial))
    return made.get(name)
  },
} as unknown as Workbench

const columns = [
  { key: 'phone', title: ['手机号', 'Phone'] as const, width: 100, cell: () => '136****1201' },
]
const FOLDED = ['phone']
const Rows = () => {
  const [row] = useState({ id: 1 })
  useFoldedIn(useDetail(), columns, FOLDED, row)
  return <div className="m-grid" role="grid" tabIndex={0} aria-label="表" />
}
const memory = new Map<string, unknown>()
const drawn = (alone = false, facts?: ReactNode) => {
  const pane: Pane = {
    id: 'p',
    stage: new Stage(),
    visible: true,
    memo: { get: key => memory.get(key), set: (key, value) => void memory.set(key, value) },
  }
  render(
    <WorkbenchContext value={workbench}>
      <PaneContext value={pane}>
        <PaneFocused value>
          <ListDetail alone={alone}>
            {[
              <Rows key="list" />,
              <Inspector key="detail" title="订单">
                {facts}
              </Inspector>,
            ]}
          </ListDetail>
        </PaneFocused>
      </PaneContext>
    </WorkbenchContext>,
  )
  return pane.stage
}
const separator = () => screen.getByRole('separator')
const detail = () => screen.queryByRole('article', { name: '订单', hidden: true })
const run = (stage: Stage) => act(() => void stage.performer(listDetail.id)!([]))

beforeEach(() => {
  room = 1200
  kept = new Map()
  made.clear()
  memory.clear()
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => room)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('a detail beside its list', () => {
  test('is put away by its command, and stays so for this page', () => {
    const stage = drawn()
    expect(detail()).not.toBeNull()
    run(stage)
    expect(detail()).toBeNull()
    expect(separator().getAttribute('aria-valuenow')).toBe('100')
    cleanup()
    expect(kept.get('detail:/manage/test')).toMatchObject({ closed: true })
    drawn()
    expect(detail()).toBeNull()
  })
  test.each([
    ['a double click', () => fireEvent.doubleClick(separator())],
    ['Enter', () => fireEvent.keyDown(separator(), { key: 'Enter' })],
  ])('is put away and shown again by %s on the separator', (_, does) => {
    drawn()
    does()
    expect(detail()).toBeNull()
    does()
    expect(detail()).not.toBeNull()
  })
  test('is as wide as arrows make it, within bounds that the separator tells', () => {
    drawn()
    const now = () => Number(separator().getAttribute('aria-valuenow'))
    const before = now()
    fireEvent.keyDown(separator(), { key: 'ArrowLeft' })
    expect(now()).toBe(before - 2)
    fireEvent.keyDown(separator(), { key: 'ArrowRight' })
    expect(now()).toBe(before)
    fireEvent.keyDown(separator(), { key: 'Home' })
    expect(separator().getAttribute('aria-valuemin')).toBe(
      separator().getAttribute('aria-valuenow'),
    )
    fireEvent.keyDown(separator(), { key: 'End' })
    expect(separator().getAttribute('aria-valuemax')).toBe(
      separator().getAttribute('aria-valuenow'),
    )
  })
  test('tells of the row what the list has no room for', () => {
    drawn()
    expect(detail()!.textContent).toContain('手机号136****1201')
  })
})

describe('in a narrow pane', () => {
  beforeEach(() => {
    room = 620
  })
  test('the detail comes over the list with the focus, and one level up are the rows', () => {
    const stage = drawn()
    expect([detail(), screen.queryByRole('separator')]).toEqual([null, null])
    run(stage)
    expect(document.activeElement).toBe(detail())
    expect(screen.getByRole('grid', { hidden: true }).closest('[inert]')).not.toBeNull()
    act(() => void stage.performer(up.id)!([]))
    // It is kept as it was scrolled, behind the list, where no key comes to it.
    expect(detail()!.closest('[inert][data-behind]')).not.toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    expect(stage.performer(up.id)).toBeUndefined()
  })
  test('a detail that is all there is to see is there without a step', () => {
    drawn(true)
    expect(detail()).not.toBeNull()
    expect(screen.queryByRole('button', { name: '返回列表' })).toBeNull()
  })
})

test('columns that have room are told nowhere else', () => {
  render(<FoldedFacts />)
  expect(document.body.textContent).toBe('')
})

test('what the detail says itself is not said again for want of room, until it says it no more', () => {
  const Facts = () => {
    const [shown, setShown] = useState(true)
    return (
      <>
        <button type="button" onClick={() => setShown(false)}>
          收起
        </button>
        {shown && <Fact label="手机号">13612341201</Fact>}
      </>
    )
  }
  drawn(false, <Facts />)
  expect(screen.queryByText('列表中收起的列')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '收起' }))
  expect(screen.getByText('列表中收起的列')).not.toBeNull()
  expect(screen.getByText('136****1201')).not.toBeNull()
})
