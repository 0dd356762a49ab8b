/**
 * Live changes. `GET /api/manageback/events` answers a stream of server-sent events (the token
 * travels in the header, so it is read with fetch):
 *
 * ```text
 * id: 17
 * event: change
 * data: {"tags":["audit","product"],"by":3}
 *
 * id: 18
 * event: reset
 * data: {}
 *
 * event: ended
 * data: {"status":410000}
 *
 * : beat
 * ```
 *
 * `change`: what touches a tag is fetched again; `by` is who changed it. `reset`: changes may have
 * been missed, so everything open is fetched again. `ended`: the session is over, and the stream
 * closes. A beat comes every 15 s.
 *
 * `Last-Event-ID` resumes: what came since is sent again, or `reset` when that is not known any
 * more.
 */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { Db } from '#src/server/call/implement.ts'

type Change = { tags: readonly string[]; by?: number }
type Message = Change & { /** Sessions that ended. */ ended?: readonly number[] }
export type Heard =
  | { id: string; event: 'change' | 'reset'; data: string }
  | { event: 'ended'; sessions: readonly number[] }

const CHANNEL = 'mallet_change'
const KEPT = 500
/** PostgreSQL takes 8,000 bytes in a notification. */
const MAX_BYTES = 7000

export type Events = {
  /** Inside a transaction: other processes hear of it when, and only when, it commits. */
  announce: (tx: Db, message: Message) => Promise<void>
  /** After the commit: this process's streams hear of it. */
  emit: (message: Message) => void
  listen: (hear: (heard: Heard) => void) => () => void
  /** What came after the event `id`; undefined when that is not known. */
  since: (id: string) => Heard[] | undefined
  listeners: () => number
  /** True when other processes' changes arrive, or there are none. */
  connected: () => boolean
  close: () => Promise<void>
}

/** One connection that hears what other processes tell, made anew when it is lost. */
const listenAt = async (
  url: string,
  { hear, again }: { hear: (payload: string) => void; again: () => void },
) => {
  let closing = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const connect = async (first: boolean): Promise<void> => {
    const mine = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 3000,
      application_name: 'mallet events',
      keepAlive: true,
    })
    let told = false
    // A loss is told several times, and late, so each connection asks for one successor only.
    const lost = () => {
      if (client === mine) client = undefined
      if (told) return
      told = true
      mine.end().catch(() => {})
      if (!closing && !retry)
        retry = setTimeout(() => {
          retry = undefined
          void connect(false)
        }, 1000)
    }
    mine.on('error', lost)
    mine.on('end', lost)
    mine.on('notification', ({ payload }) => {
      hear(payload ?? '{}')
    })
    try {
      await mine.connect()
      await mine.query(`listen ${CHANNEL}`)
    } catch (error) {
      if (first) throw error
      return lost()
    }
    client = mine
    if (!first) again()
  }
  await connect(true)
  return {
    connected: () => client !== undefined,
    close: async () => {
      closing = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}

/** Changes within this process and, with the address of a PostgreSQL, among all that share it. */
export const openEvents = async (url?: string): Promise<Events> => {
  const me = randomUUID().slice(0, 8)
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const kept: (Heard & { id: string })[] = []
  let serial = 0
  const tell = (event: 'change' | 'reset', data: object) => {
    const heard = { id: `${me}.${++serial}`, event, data: JSON.stringify(data) }
    kept.push(heard)
    if (kept.length > KEPT) kept.shift()
    emitter.emit('heard', heard)
  }
  const emit = (message: Message) => {
    if (message.tags.length > 0)
      tell('change', { tags: [...new Set(message.tags)], by: message.by })
    if (message.ended?.length)
      emitter.emit('heard', { event: 'ended', sessions: message.ended } satisfies Heard)
  }

  const line = url
    ? await listenAt(url, {
        hear: payload => {
          const { from, ...message } = JSON.parse(payload) as Message & { from: string }
          if (from !== me) emit(message)
        },
        // What happened while nobody listened is unknown.
        again: () => tell('reset', {}),
      })
    : undefined

  return {
    announce: async (tx, message) => {
      if (!url || (message.tags.length === 0 && !message.ended?.length)) return
      const payload = JSON.stringify({ from: me, ...message })
      await tx.execute(
        sql`select pg_notify(${CHANNEL}, ${payload.length < MAX_BYTES ? payload : JSON.stringify({ from: me, tags: message.tags })})`,
      )
    },
    emit,
    listen: hear => {
      emitter.on('heard', hear)
      return () => emitter.off('heard', hear)
    },
    since: id => {
      const [from, n] = id.split('.')
      if (from !== me || !(Number(n) >= serial - kept.length && Number(n) <= serial))
        return undefined
      return kept.filter(heard => Number(heard.id.split('.')[1]) > Number(n))
    },
    listeners: () => emitter.listenerCount('heard'),
    connected: () => !line || line.connected(),
    close: async () => {
      emitter.removeAllListeners()
      await line?.close()
    },
  }
}
