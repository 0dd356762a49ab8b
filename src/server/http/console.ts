import statics, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keepsFiles } from './keptFiles.ts'

/** Answers the file of a folder that stands below a prefix. */
const fileOf =
  (root: string, below = '') =>
  (request: FastifyRequest, reply: FastifyReply) => {
    const path = (request.params as { '*': string })['*']
    const leadsOut = path.split(/[\\/]/).includes('..')
    return leadsOut ? reply.callNotFound() : reply.sendFile(`${below}${path}`, root)
  }

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
  app.route({
    method: ['GET', 'HEAD'],
    url: `${options.prefix}*`,
    handler: fileOf(options.root),
  })
}
/**
 * The built console: hashed assets for ever, everything else asked for each time; an address of the
 * console answers index.html.
 */
export const consoleRoutes = async (app: FastifyInstance, folder: string): Promise<void> => {
  await folderRoutes(app, {
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
  app.get('/assets/*', { ...keepsFiles(), handler: fileOf(folder, 'assets/') })
}
/** True for what a browser asks as a page, rather than a file or a call. */
export const isPage = (method: string, url: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !url.startsWith('/api/') &&
  !/^\/(assets|uploads)\//.test(url) &&
  (accept === undefined || /text\/html|\*\/\*/.test(accept))
