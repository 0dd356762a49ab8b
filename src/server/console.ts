import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import statics from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const packs = { br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }), gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }) }

/** Writes `.br` and `.gz` beside the built files that gain from it and have none; a folder that can't be written is served as it is. */
export const compressAssets = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.(js|css|html|svg|json|webmanifest)$/.test(entry.name) || (await stat(path)).size < 1024) continue
    for (const [ending, pack] of Object.entries(packs)) {
      const there = await stat(`${path}.${ending}`).then(() => true, () => false)
      if (!there) await writeFile(`${path}.${ending}`, await pack(await readFile(path)))
    }
  }
}

/** The built console: hashed assets for ever, everything else asked for each time; an address of the console answers index.html. */
export const consoleRoutes = async (app: FastifyInstance, folder: string): Promise<void> => {
  await app.register(statics, {
    root: folder, prefix: '/', wildcard: true, preCompressed: true, decorateReply: true, index: ['index.html'], cacheControl: false, serveDotFiles: false,
    setHeaders: (reply, path) => { reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache') },
  })
}
/** True for what a browser asks as a page, rather than a file or a call. */
export const isPage = (method: string, url: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && !/^\/(assets|uploads)\//.test(url) && (accept === undefined || /text\/html|\*\/\*/.test(accept))
