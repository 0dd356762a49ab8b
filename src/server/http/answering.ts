import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyError, FastifyInstance } from 'fastify'
import { urlOf } from '#src/contract/call.ts'
import { SERVER_TIME } from '#src/contract/envelope.ts'
import { langOf, refused, type Core } from '#src/server/call/pipeline.ts'
import { isPage } from './console.ts'
import type { openMetrics } from './metrics.ts'
import { refuse, send } from './refusing.ts'

/** Every answer has its number and the server's time, is counted, and stands in the log. */
export const noteAnswers = (
  fastify: FastifyInstance,
  { log }: Pick<Core, 'log'>,
  metrics: ReturnType<typeof openMetrics>,
): void => {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, [SERVER_TIME]: Date.now() })
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  fastify.addHook('onResponse', async (request, reply) => {
    // The route, never the address: addresses carry what people searched for.
    const route = request.prepared ? urlOf(request.prepared.call) : request.routeOptions.url
    metrics.answered(request.method, route ?? 'unknown', reply.statusCode, reply.elapsedTime)
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(request.staff_id && { staff_id: request.staff_id }),
      },
      'answered',
    )
  })
}
/** Words for what fails before or outside a call; any page's address is the console's (`folder`). */
export const answerFaults = (
  fastify: FastifyInstance,
  core: Core,
  folder: string | undefined,
): void => {
  fastify.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 400 && status < 500) return refuse(request, reply, status)
    if (error.code === 'FST_ERR_REOPENED_CLOSE_SERVER' || status === 503)
      return refuse(request, reply, 503, [
        '服务正在重启，请稍后重试',
        'The server is restarting, try again shortly',
      ])
    const answered = refused(core, error, {
      request_id: request.id,
      lang: langOf(request.headers['accept-language']),
    })
    return send(
      request,
      reply.code(answered.http).headers(answered.headers ?? {}),
      answered.envelope,
    )
  })
  fastify.setNotFoundHandler((request, reply) => {
    if (
      folder &&
      isPage(request.method, request.url, request.headers.accept) &&
      existsSync(join(folder, 'index.html'))
    )
      reply.header('cache-control', 'no-cache').sendFile('index.html', folder)
    // Nothing is returned: fastify listens once more to each reply that is, and Node warns of so many.
    else refuse(request, reply, 404)
  })
}
