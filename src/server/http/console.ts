import statics, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/**
 * Serves the files of a folder below a prefix that ends in a slash. The package's own route lists
 * the whole folder for each file that is asked for, which takes the longer the more lie there: here
 * a file is opened by its name alone.
 */
export const folderRoutes = async (
  app: FastifyInstance,
  options: FastifyStaticOptions & { root: string; prefix: string },
): Promise<void> => {
  await app.register(statics, { ...options, serve: false })
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: `${options.prefix}*`,
    handler: (request, reply) => {
      const path = request.params['*']
      const leadsOut = path.split(/[\\/]/).includes('..')
      return leadsOut ? reply.callNotFound() : reply.sendFile(path, options.root)
    },
  })
}
/**
 * The built console: hashed assets for ever, everything else asked for each time; an address of the
 * console answers index.html.
 */
export const consoleRoutes = (app: FastifyInstance, folder: string): Promise<void> =>
  folderRoutes(app, {
    root: folder,
    prefix: '/',
    preCompressed: true,
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
/** True for what a browser asks as a page, rather than a file or a call. */
export const isPage = (method: string, url: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !url.startsWith('/api/') &&
  !/^\/(assets|uploads)\//.test(url) &&
  (accept === undefined || /text\/html|\*\/\*/.test(accept))
