import proxy from '@fastify/http-proxy'
import Fastify, { type FastifyInstance } from 'fastify'
import { say, type Text } from '#src/domain/text.ts'
import { langOf } from '#src/server/call/pipeline.ts'
import { consoleRoutes, isPage } from './console.ts'
import { shield } from './shields.ts'

const gone: Text = [
  '后台服务暂时无法连接，请稍后重试',
  'The server behind this console can not be reached, try again shortly',
]

/**
 * The console alone, for another manageback: `/api` is passed on to it, its answers come back as
 * they are. Opens no database.
 */
export const consoleOnly = async (folder: string, manageback: string): Promise<FastifyInstance> => {
  const app = Fastify({ logger: false, forceCloseConnections: 'idle' })
  await shield(app, {
    contentSecurityPolicy: {
      useDefaults: false,
      // That server decides where pictures are and where they are sent to: any https host.
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'", 'https:'],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  })
  app.setErrorHandler((_, request, reply) => {
    const message = say(gone, langOf(request.headers['accept-language']))
    return reply.code(502).send({ status: 502, msg: message, message, data: null })
  })
  await app.register(proxy, {
    upstream: manageback.replace(/\/$/, ''),
    prefix: '/api',
    rewritePrefix: '/api',
    disableRequestLogging: true,
    // That server counts wrong passwords by address; it believes this one as far as its
    // MALLET_TRUST_PROXY says.
    replyOptions: {
      rewriteRequestHeaders: (request, headers) => ({
        ...headers,
        'x-forwarded-for': [headers['x-forwarded-for'], request.socket.remoteAddress]
          .filter(Boolean)
          .join(', '),
      }),
    },
  })
  app.get('/healthz', async () => ({ ok: true, mode: 'console' }))
  app.setNotFoundHandler((request, reply) =>
    isPage(request.method, request.url, request.headers.accept)
      ? reply.header('cache-control', 'no-cache').sendFile('index.html', folder)
      : reply.code(404).send({ status: 404, msg: 'Not found', message: 'Not found', data: null }),
  )
  await consoleRoutes(app, folder)
  return app
}
