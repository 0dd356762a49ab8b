import { Button } from '@blueprintjs/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { memo, useRef, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  FirstFocus,
  mayTakeFocus,
  pressesEndWhereTheyBegan,
  useReturnFocus,
} from '#src/kit/focus.ts'
import { PaneFocused } from '#src/kit/workbench.ts'

afterEach(cleanup)

describe('a key that comes up elsewhere than it went down', () => {
  const pressed = vi.fn()
  let end: () => void
  beforeEach(() => {
    pressed.mockClear()
    end = pressesEndWhereTheyBegan()
    render(
      <>
        <input aria-label="palette" />
        <Button onClick={pressed}>refund</Button>
      </>,
    )
  })
  afterEach(() => end())
  const [enter, space] = [
    { key: 'Enter', code: 'Enter' },
    { key: ' ', code: 'Space' },
  ]
  const button = () => screen.getByRole('button')

  test.each([enter, space])('presses no button: $code', key => {
    fireEvent.keyDown(screen.getByLabelText('palette'), key)
    fireEvent.keyUp(button(), key)
    expect(pressed).not.toHaveBeenCalled()
  })
  test('nor one that was held down until the button had the focus', () => {
    fireEvent.keyDown(screen.getByLabelText('palette'), enter)
    fireEvent.keyDown(button(), { ...enter, repeat: true })
    fireEvent.keyUp(button(), enter)
    expect(pressed).not.toHaveBeenCalled()
  })
  test('the next press does, and other keys are not kept from anybody', () => {
    const heard = vi.fn()
    button().addEventListener('keyup', heard)
    fireEvent.keyUp(button(), enter)
    fireEvent.keyUp(button(), { key: 'a', code: 'KeyA' })
    fireEvent.keyDown(button(), enter)
    fireEvent.keyUp(button(), enter)
    expect([pressed.mock.calls.length, heard.mock.calls.map(([event]) => event.key)]).toEqual([
      1,
      ['a', 'Enter'],
    ])
  })
})

describe('a part that just came takes the focus', () => {
  const at = (name: string) => {
    screen.getByLabelText(name).focus()
    return mayTakeFocus(screen.getByTestId('part'))
  }
  beforeEach(
    () =>
      void render(
        <>
          <nav>
            <input aria-label="menu" />
          </nav>
          <section data-pane="p1" tabIndex={-1} aria-label="pane">
            <input aria-label="filter" />
            <div data-testid="part" />
          </section>
          <div role="alertdialog">
            <input aria-label="question" />
          </div>
          <div className="bp6-popover">
            <input aria-label="popover" />
          </div>
        </>,
      ),
  )
  test('from nowhere, from its pane as a whole, from outside', () => {
    expect(mayTakeFocus(screen.getByTestId('part'))).toBe(true)
    expect([at('pane'), at('menu')]).toEqual([true, true])
  })
  test('not from a field of its pane, not from a question, not from what opened at a button', () =>
    expect([at('filter'), at('question'), at('popover')]).toEqual([false, false, false]))
  test('but from one of a page that is hidden', () => {
    Object.assign(screen.getByLabelText('filter'), { checkVisibility: () => false })
    expect(at('filter')).toBe(true)
  })
})

test('of dialogs that lead one to the other, the last gives the focus back to where it was before the first', async () => {
  const First = ({ on }: { on: () => void }) => {
    useReturnFocus()
    return (
      <button ref={first} onClick={on}>
        去下一个
      </button>
    )
  }
  const Second = ({ on }: { on: () => void }) => {
    useReturnFocus()
    return (
      <button ref={first} onClick={on}>
        关闭
      </button>
    )
  }
  const Screen = () => {
    const [at, go] = useState(0)
    return (
      <>
        <button onClick={() => go(1)}>列表</button>
        {at === 1 && <First on={() => go(2)} />}
        {at === 2 && <Second on={() => go(0)} />}
      </>
    )
  }
  const first = (button: HTMLElement | null) => button?.focus()
  render(<Screen />)
  const list = screen.getByRole('button', { name: '列表' })
  act(() => list.focus())
  for (const name of ['列表', '去下一个', '关闭'])
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name }))
    })
  expect(document.activeElement).toBe(list)
})

describe('a step from pane to pane', () => {
  const drawn = vi.fn()
  const Page = memo(({ ready = true }: { ready?: boolean }) => {
    drawn()
    const rows = useRef<HTMLDivElement>(null)
    return (
      <div ref={rows} role="grid" tabIndex={0}>
        <FirstFocus ready={ready} part={rows} rows={rows} />
      </div>
    )
  })
  const pane = (front: boolean, ready = true) => (
    <div data-pane="p1">
      <PaneFocused value={front}>
        <Page ready={ready} />
      </PaneFocused>
      <input />
    </div>
  )
  beforeEach(() => drawn.mockClear())
  test('gives the rows the focus the first time, and draws the page no second time', () => {
    const { rerender } = render(pane(false))
    expect(document.activeElement).toBe(document.body)
    rerender(pane(true))
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    expect(drawn).toHaveBeenCalledTimes(1)
  })
  test('gives it once only, when there are rows, and not from under the person', () => {
    const { rerender } = render(pane(true, false))
    expect(document.activeElement).toBe(document.body)
    rerender(pane(true))
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    screen.getByRole('textbox').focus()
    rerender(pane(false))
    rerender(pane(true))
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })
  test('gives it to rows that come again, where it went with the last of them', () => {
    const List = ({ isBare }: { isBare: boolean }) => {
      const [part, rows] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
      return (
        <div ref={part} data-pane="p1">
          {isBare ? <p>没有记录</p> : <div ref={rows} role="grid" tabIndex={0} />}
          <FirstFocus ready isBare={isBare} part={part} rows={rows} />
        </div>
      )
    }
    const screenOf = (isBare: boolean) => (
      <PaneFocused value>
        <List isBare={isBare} />
        <input />
      </PaneFocused>
    )
    const { rerender } = render(screenOf(false))
    rerender(screenOf(true))
    expect(document.activeElement).toBe(document.body)
    rerender(screenOf(false))
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    rerender(screenOf(true))
    screen.getByRole('textbox').focus()
    rerender(screenOf(false))
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })
})
