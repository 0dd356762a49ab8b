import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { docsPage, openApiOf } from '#src/server/call/openapi.ts'
import { callerOf, signIn, type Core } from '#src/server/call/pipeline.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import type { openMetrics } from './metrics.ts'
import { refuse } from './refusing.ts'

/** Whether a request carries the operators' token. No address proves anything: a proxy has ours. */
const isOperators = ({ headers }: FastifyRequest, token = ''): boolean =>
  token !== '' && isSameSecret(headers.authorization ?? '', `Bearer ${token}`)

/** Whether the server and its database answer. */
export const healthRoute = (
  fastify: FastifyInstance,
  core: Pick<Core, 'database' | 'events'>,
): void => {
  fastify.get('/healthz', async (_, reply) => {
    try {
      await core.database.answers()
      return reply
        .header('cache-control', 'no-store')
        .send({ ok: true, ...core.database.state(), events: core.events.connected() })
    } catch {
      return reply
        .code(503)
        .header('retry-after', '3')
        .header('cache-control', 'no-store')
        .send({ ok: false, ...core.database.state(), answering: false })
    }
  })
}
/** Figures and the description of the calls, for whoever has the operators' token or a session. */
export const operatorRoutes = (
  fastify: FastifyInstance,
  core: Core,
  {
    calls,
    metrics,
    token,
  }: {
    calls: readonly Call[]
    metrics: ReturnType<typeof openMetrics>
    token: string | undefined
  },
): void => {
  fastify.get('/metrics', async (request, reply) =>
    isOperators(request, token)
      ? reply.header('content-type', metrics.type).send(await metrics.text())
      : refuse(request, reply, 403),
  )
  const readers = async (request: FastifyRequest) => {
    if (!isOperators(request, token)) await signIn(core, callerOf(request), unixNow())
  }
  let documented: object | undefined
  const openApi = () => (documented ??= openApiOf(calls))
  fastify.get('/api/docs.json', { onRequest: readers }, async () => openApi())
  fastify.get('/api/docs', { onRequest: readers }, async (request, reply) =>
    (request.headers.accept ?? '').includes('text/html')
      ? reply.type('text/html; charset=utf-8').send(docsPage(calls))
      : openApi(),
  )
}
