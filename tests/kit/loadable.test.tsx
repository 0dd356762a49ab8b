import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { loadable } from '#src/kit/loadable.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})
const Named = ({ name }: { name: string }) => <p>你好，{name}</p>
class Catch extends Component<{ children: ReactNode }, { said?: string }> {
  override state: { said?: string } = {}
  static getDerivedStateFromError(error: Error) {
    return { said: error.message }
  }
  override render() {
    return this.state.said ?? this.props.children
  }
}

test('its stand-in is shown until the code is there, and not a moment longer', async () => {
  let arrive: () => void = () => {}
  const Late = loadable(
    () =>
      new Promise<typeof Named>(done => {
        arrive = () => done(Named)
      }),
    <p>等待</p>,
  )
  render(<Late name="小林" />)
  expect(screen.getByText('等待')).toBeTruthy()
  await act(async () => arrive())
  expect(screen.getByText('你好，小林')).toBeTruthy()
})
test('what was fetched ahead, or shown before, is there at once and fetched once', async () => {
  const load = vi.fn(async () => Named)
  const Ahead = loadable(load, <p>等待</p>)
  await Ahead.preload()
  render(
    <>
      <Ahead name="甲" />
      <Ahead name="乙" />
    </>,
  )
  expect(screen.queryByText('等待')).toBeNull()
  expect(screen.getAllByText(/你好/)).toHaveLength(2)
  expect(load).toHaveBeenCalledTimes(1)
})
test('code that can’t be had reaches the error boundary; mounted anew it is asked for again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const load = vi.fn(async () => Named).mockRejectedValueOnce(new Error('断网'))
  const Broken = loadable(load, <p>等待</p>)
  const { rerender } = render(
    <Catch key="1">
      <Broken name="丙" />
    </Catch>,
  )
  await act(async () => {})
  expect(document.body.textContent).toBe('断网')
  rerender(
    <Catch key="2">
      <Broken name="丙" />
    </Catch>,
  )
  await act(async () => {})
  expect(document.body.textContent).toBe('你好，丙')
})
