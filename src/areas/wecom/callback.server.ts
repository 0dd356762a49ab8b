import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { openMessage, type WecomSeal, type WecomSigned } from './crypto.server.ts'
import { readFlatXml } from './flatXml.ts'
import { INBOX_TAG, takeEvent } from './inbox.server.ts'

export const CALLBACK_PATH = '/wecom/callback'
const BODY_MAX = 64 * 1024
/** WeCom tells of every change of every customer; a corp of ten thousand makes bursts. */
const PER_MINUTE = 6000
const text = (query: unknown, name: string): string => {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}
const signedIn = ({ query }: FastifyRequest): WecomSigned => ({
  timestamp: text(query, 'timestamp'),
  nonce: text(query, 'nonce'),
  msg_signature: text(query, 'msg_signature'),
})
/** An old message may have been recorded; what is within a day is known by its identity. */
const isFresh = ({ timestamp }: WecomSigned): boolean =>
  /^\d{9,10}$/.test(timestamp) && Math.abs(unixNow() - Number(timestamp)) <= DAY

const opened = (keys: WecomSeal, sealed: string, signed: WecomSigned): string | null => {
  if (!isFresh(signed) || sealed === '') return null
  try {
    return openMessage(keys, sealed, signed)
  } catch {
    // It was changed on the way, or sealed with another key.
    return null
  }
}

/**
 * `GET` and `POST /wecom/callback`: WeCom's check of the address, and what it tells. Only what it has
 * signed and sealed for this corp is heard. An event is written into the inbox and answered at once,
 * as WeCom waits five seconds and tells again what was not taken; whoever works it off comes later.
 */
export const wecomCallbackRoutes = async (
  app: FastifyInstance,
  core: Core,
  keys: WecomSeal | null,
): Promise<void> => {
  if (!keys) return
  const { database, events, log } = core
  const refused = (request: FastifyRequest, reply: FastifyReply) => {
    log.warn(
      { request_id: request.id },
      'a WeCom callback was refused: not signed by it, too old, or not for this corp',
    )
    return reply.code(401).type('text/plain').send('')
  }
  const take = async (fields: Readonly<Record<string, string>>) => {
    const message = { tags: [INBOX_TAG] }
    const isNew = await database.transaction(async tx => {
      const taken = await takeEvent(tx, fields, unixNow())
      if (taken) await events.announce(tx, message)
      return taken
    })
    if (isNew) events.emit(message)
  }
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX }, (_, body, done) =>
      done(null, body),
    )
    const config = { rateLimit: { max: PER_MINUTE, timeWindow: '1 minute' } }
    scope.get(CALLBACK_PATH, { config }, (request, reply) => {
      const echo = opened(keys, text(request.query, 'echostr'), signedIn(request))
      return echo === null
        ? refused(request, reply)
        : reply.type('text/plain; charset=utf-8').send(echo)
    })
    scope.post(CALLBACK_PATH, { bodyLimit: BODY_MAX, config }, async (request, reply) => {
      const outer = readFlatXml(typeof request.body === 'string' ? request.body : '')
      const plain = opened(keys, outer?.['Encrypt'] ?? '', signedIn(request))
      if (plain === null) return refused(request, reply)
      const fields = readFlatXml(plain)
      // It is WeCom's own, and telling it again would make it no more readable.
      if (!fields) log.error({ request_id: request.id }, 'a WeCom event could not be read')
      try {
        if (fields) await take(fields)
      } catch (error) {
        log.error({ err: error, request_id: request.id }, 'a WeCom event was not taken')
        return reply.code(faultOf(error)?.kind === 'unavailable' ? 503 : 500).send('')
      }
      return reply.type('text/plain').send('success')
    })
  })
}
