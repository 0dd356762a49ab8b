import { Button } from '@blueprintjs/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mayTakeFocus, pressesEndWhereTheyBegan } from '#src/kit/focus.ts'

afterEach(cleanup)

describe('a key that comes up elsewhere than it went down', () => {
  const pressed = vi.fn()
  let end: () => void
  beforeEach(() => { pressed.mockClear(); end = pressesEndWhereTheyBegan(); render(<><input aria-label="palette" /><Button onClick={pressed}>refund</Button></>) })
  afterEach(() => end())
  const [enter, space] = [{ key: 'Enter', code: 'Enter' }, { key: ' ', code: 'Space' }]
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
    expect([pressed.mock.calls.length, heard.mock.calls.map(([event]) => event.key)]).toEqual([1, ['a', 'Enter']])
  })
})

describe('a part that just came takes the focus', () => {
  const at = (name: string) => { screen.getByLabelText(name).focus(); return mayTakeFocus(screen.getByTestId('part')) }
  beforeEach(() => void render(
    <><nav><input aria-label="menu" /></nav><section data-pane="p1" tabIndex={-1} aria-label="pane"><input aria-label="filter" /><div data-testid="part" /></section><div role="alertdialog"><input aria-label="question" /></div></>,
  ))
  test('from nowhere, from its pane as a whole, from outside', () => {
    expect(mayTakeFocus(screen.getByTestId('part'))).toBe(true)
    expect([at('pane'), at('menu')]).toEqual([true, true])
  })
  test('not from a field of its pane, not from a question', () => expect([at('filter'), at('question')]).toEqual([false, false]))
  test('but from one of a page that is hidden', () => {
    Object.assign(screen.getByLabelText('filter'), { checkVisibility: () => false })
    expect(at('filter')).toBe(true)
  })
})
