import statics from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/**
 * The built console: hashed assets for ever, everything else asked for each time; an address of the
 * console answers index.html.
 */
export const consoleRoutes = async (app: FastifyInstance, folder: string): Promise<void> => {
  await app.register(statics, {
    root: folder,
    prefix: '/',
    wildcard: true,
    preCompressed: true,
    decorateReply: true,
    index: ['index.html'],
    cacheControl: false,
    serveDotFiles: false,
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
}
/** True for what a browser asks as a page, rather than a file or a call. */
export const isPage = (method: string, url: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !url.startsWith('/api/') &&
  !/^\/(assets|uploads)\//.test(url) &&
  (accept === undefined || /text\/html|\*\/\*/.test(accept))
