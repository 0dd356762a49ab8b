import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { limitConnections, usualConnections } from './connections.ts'
import type { AppOptions } from './options.ts'
import { BODY_MAX, refuse } from './refusing.ts'

const withoutSchemas = () => {
  throw new Error('Routes have no JSON schemas here: a contract says what a call takes')
}

/** Fastify with the limits of its connections, which reads JSON alone. */
export const openListener = (
  options: Pick<AppOptions, 'connections' | 'trustProxy'>,
): FastifyInstance => {
  const connections = { ...usualConnections, ...options.connections }
  const fastify = Fastify({
    logger: false,
    bodyLimit: BODY_MAX,
    requestTimeout: connections.request_ms,
    keepAliveTimeout: connections.kept_ms,
    connectionTimeout: connections.idle_ms,
    http: {
      headersTimeout: connections.headers_ms,
      connectionsCheckingInterval: connections.check_ms,
    },
    // An address that can't be read reaches no handler.
    frameworkErrors: (error, request, reply) =>
      void refuse(request, reply, error.statusCode ?? 400),
    trustProxy: options.trustProxy?.length ? [...options.trustProxy] : false,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    return503OnClosing: true,
    forceCloseConnections: true,
    // The contracts' own schemas check what comes and goes: Fastify's compilers, which take their
    // time to load, are never asked.
    schemaController: {
      compilersFactory: {
        buildValidator: () => withoutSchemas,
        buildSerializer: () => withoutSchemas,
      },
    },
    // Specification, section 2: doubled slashes are tolerated. The console reads the address as it
    // was typed; the file server refuses it.
    rewriteUrl: ({ url = '/' }) =>
      /^\/+api\//.test(url) ? url : url.replace(/^[^?]*/, path => path.replace(/\/{2,}/g, '/')),
  })
  limitConnections(fastify.server, {
    each: connections.each,
    trusted: options.trustProxy ?? [],
  })
  fastify.removeContentTypeParser('text/plain')
  fastify.removeContentTypeParser('application/json')
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  // A call without input may come without a body.
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, done),
  )
  return fastify
}
