import type { FastifyInstance } from 'fastify'
import { say } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { langOf, type Core } from '#src/server/call/pipeline.ts'
import { publicPage } from '#src/server/http/publicPage.ts'
import { openLink } from './links.server.ts'

/** Programs that fetch a link to show what is behind it: nobody opened it. */
const MACHINE = /bot|spider|crawl|curl|wget|preview|facebookexternalhit|monitor/i
/**
 * `GET /go/<token>`: a link of a message. Counts who opens it, and leads on to the address of the
 * version that was sent; to nowhere else. A token that is none of ours says so, and is never an error.
 */
export const linkRoute = (app: FastifyInstance, core: Core): void => {
  app.get<{ Params: { token: string } }>(
    '/go/:token',
    { config: { rateLimit: { max: 300, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const { token } = request.params
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      const isCounted =
        request.method === 'GET' && !MACHINE.test(request.headers['user-agent'] ?? '')
      const url = /^[\w-]{22}$/.test(token)
        ? await openLink(core.database.db, { token, now: unixNow(), isCounted })
        : undefined
      if (url !== undefined) return reply.redirect(url, 302)
      const lang = langOf(request.headers['accept-language'])
      return reply
        .type('text/html; charset=utf-8')
        .send(
          publicPage(
            lang,
            say(['链接已失效', 'This link is no longer used'], lang),
            say(['请联系发送给您的顾问。', 'Please ask the adviser who sent it.'], lang),
          ),
        )
    },
  )
}
