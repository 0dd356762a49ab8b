import { createParser } from 'eventsource-parser'
import { api } from '#src/kit/data.ts'
import { region, token } from '../stored.ts'

const EVENTS = '/api/manageback/events'
const FIRST_MS = 1000
const LONGEST_MS = 30_000
/** The server sends a heartbeat every 15 s; three missed ones mean a dead line. */
const SILENCE_MS = 45_000
/** What comes so soon after a change is fetched with what follows it: timers tell of fifty at once. */
const GATHER_MS = 1000
export type LineState = 'open' | 'lost'

/**
 * What the server says: tags that changed, that anything may have changed, or that the session is
 * over (`src/server/live/events.ts`).
 */
type Heard = { event: string; id?: string | undefined; data: string }
const tagsOf = (data: string): string[] => {
  try {
    const { tags } = JSON.parse(data) as { tags?: unknown }
    return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : []
  } catch {
    return []
  }
}
/** One line of events until it breaks. The token travels in the header, so EventSource won't do. */
const listen = async (
  signal: AbortSignal,
  after: string | undefined,
  opened: () => void,
  hear: (heard: Heard) => void,
): Promise<'ended' | 'lost'> => {
  const quiet = new AbortController()
  let timer = setTimeout(() => quiet.abort(), SILENCE_MS)
  try {
    const response = await fetch(EVENTS, {
      headers: {
        'Authori-zation': `Bearer ${token() ?? ''}`,
        region: region(),
        Accept: 'text/event-stream',
        ...(after ? { 'Last-Event-ID': after } : {}),
      },
      signal: AbortSignal.any([signal, quiet.signal]),
    })
    if (response.status === 401) return 'ended'
    if (!response.ok || !response.body) return 'lost'
    opened()
    const parser = createParser({
      onEvent: ({ event = 'change', id, data }) => hear({ event, id, data }),
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'lost'
      clearTimeout(timer)
      timer = setTimeout(() => quiet.abort(), SILENCE_MS)
      parser.feed(value)
    }
  } catch {
    return 'lost'
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Keeps open panes fresh: what others change is fetched again. Reconnects ever more slowly and
 * takes up where it left. Answers how to stop.
 */
export const follow = (
  dispatch: (action: any) => unknown,
  getState: () => { api: unknown },
  told: (line: LineState) => void,
  over: () => void,
): (() => void) => {
  const stop = new AbortController()
  let waiting: (() => void) | undefined
  let last: string | undefined
  const gathered = new Set<string>()
  let resting: ReturnType<typeof setTimeout> | undefined
  const invalidate = (tags: readonly string[]) => {
    for (const tag of tags) gathered.add(tag)
    if (resting !== undefined || gathered.size === 0) return
    const now = [...gathered]
    gathered.clear()
    api.enhanceEndpoints({ addTagTypes: now })
    dispatch(api.util.invalidateTags(now as never[]))
    resting = setTimeout(() => {
      resting = undefined
      invalidate([])
    }, GATHER_MS)
  }
  /** Everything that an open pane shows. */
  const everything = () =>
    Object.keys((getState().api as { provided: { tags: object } }).provided.tags)
  const hear = ({ event, id, data }: Heard) => {
    if (id) last = id
    if (event === 'change') invalidate(tagsOf(data))
    else if (event === 'reset') invalidate(everything())
    else if (event === 'ended') over()
  }
  const wake = () => waiting?.()
  // The browser knows sooner than a silent line tells.
  let line = new AbortController()
  const cut = () => line.abort()
  addEventListener('online', wake)
  addEventListener('offline', cut)
  void (async () => {
    let pause = FIRST_MS
    let missed = false
    while (!stop.signal.aborted) {
      line = new AbortController()
      const how = await listen(
        AbortSignal.any([stop.signal, line.signal]),
        last,
        () => {
          pause = FIRST_MS
          told('open')
          // Broken before the first event: nothing says where to take up, so everything is fetched
          // again.
          if (missed && last === undefined) invalidate(everything())
          missed = false
        },
        hear,
      )
      if (stop.signal.aborted) return
      if (how === 'ended') {
        over()
        return
      }
      missed = true
      told('lost')
      await new Promise<void>(go => {
        waiting = go
        setTimeout(go, pause * (0.75 + Math.random() / 2))
      })
      pause = Math.min(LONGEST_MS, pause * 2)
    }
  })()
  return () => {
    stop.abort()
    clearTimeout(resting)
    removeEventListener('online', wake)
    removeEventListener('offline', cut)
    wake()
  }
}
