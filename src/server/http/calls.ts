import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { urlOf, type Call } from '#src/contract/call.ts'
import {
  answer,
  httpOf,
  langOf,
  prepare,
  type Core,
  type Prepared,
} from '#src/server/call/pipeline.ts'
import { jsonBytes } from './jsonBytes.ts'
import type { openMetrics } from './metrics.ts'
import type { AppOptions } from './options.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, for the log. */
    staff_id?: number
    /** The call that is asked for; absent at any other way in. */
    prepared?: Prepared | undefined
  }
  interface FastifyContextConfig {
    /** The route is a way in for calls, which are listed by their own addresses. */
    ofCalls?: true
  }
}

/** Where calls stand, but for those whose contract names another place. */
const PREFIX = '/api/manageback/'
/** Whether a call has a route of its own: for its limits, or where it stands. */
const standsAlone = (call: Call): boolean =>
  call.permit === 'public' || call.body_max !== undefined || !urlOf(call).startsWith(PREFIX)

/** An encoded slash is decoded in what a route takes as a whole, and parts no address of a call. */
const hasEncodedSlash = (url: string): boolean => /^[^?#]*%2f/i.test(url)

/**
 * Makes every call of the modules a way in. Those under one prefix share one route and are found by
 * their address, as thousands of routes take their time to be made. Answers the calls; throws where
 * two stand at one address.
 */
export const callRoutes = (
  fastify: FastifyInstance,
  core: Core,
  {
    modules,
    metrics,
    publicRate = 300,
  }: {
    metrics: Pick<ReturnType<typeof openMetrics>, 'sessionRefused'>
  } & Pick<AppOptions, 'modules' | 'publicRate'>,
): Call[] => {
  const all = modules.flatMap(({ calls, handlers }) =>
    Object.entries(calls as Record<string, Call>).map(([name, call]) =>
      prepare(call, (handlers as Record<string, unknown>)[name]),
    ),
  )
  const handle = async (prepared: Prepared, request: FastifyRequest, reply: FastifyReply) => {
    const answered = await answer(core, prepared, {
      headers: request.headers,
      query: request.query as Record<string, unknown>,
      body: request.body,
      ip: request.ip,
      request_id: request.id,
    })
    if (answered.staff_id) request.staff_id = answered.staff_id
    if (httpOf(answered.envelope.status) === 401) metrics.sessionRefused(answered.envelope.status)
    return (
      reply
        .code(answered.http)
        .headers(answered.headers ?? {})
        .type('application/json; charset=utf-8')
        // As bytes: a text would be turned into them twice, once to count them.
        .send(jsonBytes(answered.envelope, langOf(request.headers['accept-language'])))
    )
  }

  const ways = new Map<string, Prepared>()
  for (const prepared of all) {
    const { call } = prepared
    const way = `${call.method} ${urlOf(call)}`
    if (ways.has(way)) throw new Error(`Two calls stand at ${way}`)
    ways.set(way, prepared)
    if (standsAlone(call))
      fastify.route({
        method: call.method,
        url: urlOf(call),
        ...(call.body_max && { bodyLimit: call.body_max }),
        config: {
          ofCalls: true,
          ...(call.permit === 'public' && {
            rateLimit: { max: publicRate, timeWindow: '1 minute' },
          }),
        },
        handler: (request, reply) => handle(prepared, request, reply),
      })
  }
  fastify.route<{ Params: { '*': string } }>({
    method: ['GET', 'POST'],
    url: `${PREFIX}*`,
    config: { ofCalls: true },
    onRequest: async request => {
      if (hasEncodedSlash(request.url)) return
      request.prepared = ways.get(`${request.method} ${PREFIX}${request.params['*']}`)
    },
    handler: (request, reply) => {
      if (request.prepared) return handle(request.prepared, request, reply)
      reply.callNotFound()
      return undefined
    },
  })
  return all.map(({ call }) => call)
}
