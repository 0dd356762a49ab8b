import type { FastifyInstance } from 'fastify'
import { sessionCodes } from '#src/contract/envelope.ts'
import { unixNow } from '#src/domain/time.ts'
import { callerOf, refused, signIn, type Core } from '#src/server/call/pipeline.ts'
import { findSession } from '#src/server/sessions/sessions.ts'
import type { Heard } from './events.ts'

const BEAT_MS = 15_000
/** A reader that has let so much pile up is gone, or will resume. */
const BEHIND_BYTES = 256 * 1024

/** Streams of one session: a browser holds six. One more ends the oldest, which may be a dead one. */
const STREAMS_MAX = 20

/**
 * `GET /api/manageback/events`: the live stream of events.ts. Its header is asked at every beat
 * again: a session that ended ends its stream.
 */
export const liveRoute = (app: FastifyInstance, core: Core): void => {
  const open = new Set<() => void>()
  const bySession = new Map<number, Set<() => void>>()
  app.addHook('preClose', async () => open.forEach(close => close()))
  app.get('/api/manageback/events', async (request, reply) => {
    const caller = callerOf({ headers: request.headers, ip: request.ip })
    let signed
    try {
      signed = await signIn(core, caller, unixNow())
    } catch (error) {
      const { http, envelope, headers } = refused(core, error, {
        request_id: request.id,
        lang: caller.lang,
      })
      return reply
        .code(http)
        .headers(headers ?? {})
        .send(envelope)
    }
    const { session_id } = signed
    reply.hijack()
    const out = reply.raw
    out.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    const close = () => {
      clearInterval(beat)
      forget()
      open.delete(close)
      own.delete(close)
      if (own.size === 0) bySession.delete(session_id)
      out.end()
    }
    const own = bySession.get(session_id) ?? new Set()
    const [oldest] = own
    if (own.size >= STREAMS_MAX) oldest?.()
    const put = (text: string) => {
      if (out.writableLength > BEHIND_BYTES) out.destroy()
      else out.write(text)
    }
    const end = (status: number) => {
      put(`event: ended\ndata: ${JSON.stringify({ status })}\n\n`)
      close()
    }
    const hear = (heard: Heard) => {
      if (heard.event !== 'ended')
        put(`id: ${heard.id}\nevent: ${heard.event}\ndata: ${heard.data}\n\n`)
      else if (heard.sessions.includes(session_id)) end(sessionCodes.none)
    }
    const forget = core.events.listen(hear)
    let passed = 0
    const beat = setInterval(() => {
      const sent = out.socket?.bytesWritten ?? 0
      // Something waited for a whole beat, and nothing of it went out: nobody reads.
      if (out.writableLength > 0 && sent === passed) return void out.destroy()
      passed = sent
      put(': beat\n\n')
      findSession(core.database.db, caller.token!, caller.lang, unixNow()).then(
        found => {
          if (typeof found === 'string') end(sessionCodes[found])
        },
        // The database is away just now: the stream stays, the next beat asks again.
        () => {},
      )
    }, BEAT_MS)
    open.add(close)
    bySession.set(session_id, own.add(close))
    out.on('close', close)
    put(': welcome\n\n')
    const last = request.headers['last-event-id']
    if (typeof last === 'string' && last) {
      const missed = core.events.since(last)
      if (missed) missed.forEach(hear)
      else put('event: reset\ndata: {}\n\n')
    }
  })
}
