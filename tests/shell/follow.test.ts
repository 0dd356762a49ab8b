// It is @drawn: it listens to the window.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#src/kit/data.ts'
import { follow } from '#src/shell/session/follow.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
test('a change is fetched at once; those that follow closely are fetched together', async () => {
  let line!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      line = controller
    },
  })
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(body)),
  )
  const fetched: unknown[] = []
  const dispatch = (action: any) => {
    if (api.util.invalidateTags.match(action)) fetched.push(action.payload)
  }
  const stop = follow(
    dispatch,
    () => ({ api: {} }),
    () => {},
    () => {},
  )
  const tell = (...tags: string[]) => {
    const data = JSON.stringify({ tags })
    line.enqueue(new TextEncoder().encode(`event: change\ndata: ${data}\n\n`))
    return vi.advanceTimersByTimeAsync(1)
  }
  await tell('order')
  expect(fetched).toEqual([['order']])
  await tell('audit')
  await tell('order', 'audit')
  expect(fetched).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetched).toEqual([['order'], ['audit', 'order']])
  await tell('mall')
  expect(fetched.at(-1)).toEqual(['mall'])
  await tell('mall')
  stop()
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetched).toHaveLength(3)
})
