import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'react-redux'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Root } from '#src/shell/root.tsx'
import { makeStore } from '#src/shell/store.ts'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('{"status":200,"data":{"demo":null}}')),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const opened = (at: string) => {
  history.replaceState(null, '', at)
  render(
    <Provider store={makeStore()}>
      <Root />
    </Provider>,
  )
}
const here = () => location.pathname + location.search

test.each([
  ['/nowhere', '/error?path=%2Fnowhere'],
  ['/managed?a=1', '/error?path=%2Fmanaged%3Fa%3D1'],
  ['/manage', '/'],
  ['/manage/audit/bulks?page=2', '/?to=%2Fmanage%2Faudit%2Fbulks%3Fpage%3D2'],
  ['/x/login', '/x/login'],
  ['/error', '/error'],
])('signed out, %s leads to %s', async (at, to) => {
  opened(at)
  await waitFor(() => expect(here()).toBe(to))
})
test('signed out, the error page names no page, and leads to the sign-in', async () => {
  opened('/nowhere')
  expect(
    await screen.findByRole('heading', { name: '没有这个页面' }, { timeout: 10_000 }),
  ).toBeTruthy()
  expect(screen.getAllByRole('link').map(link => link.getAttribute('href'))).toEqual(['/'])
}, 20_000)
