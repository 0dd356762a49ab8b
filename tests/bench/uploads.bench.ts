// Measures how long a picture takes that lies among many: a list shows fifty of them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { folderRoutes } from '#src/server/http/console.ts'
import { bench, median, within } from './table.ts'

const FEW = 20
const MANY = 20_000
const ASKED = 400

/** A server of a folder with so many pictures. */
const serverOf = async (folder: string, files: number) => {
  mkdirSync(folder)
  for (let at = 0; at < files; at++) writeFileSync(join(folder, `${at}.webp`), 'x')
  const app = Fastify()
  await folderRoutes(app, { root: folder, prefix: '/uploads/' })
  return app
}
/** Milliseconds that one picture takes, in turn from the one and the other. */
const times = async (servers: readonly Awaited<ReturnType<typeof serverOf>>[]) => {
  const taken: number[][] = servers.map(() => [])
  for (let at = 0; at < ASKED; at++)
    for (const [which, app] of servers.entries()) {
      const began = performance.now()
      const { statusCode } = await app.inject({ url: `/uploads/${at % FEW}.webp` })
      if (statusCode !== 200) throw new Error(`a picture was answered by ${statusCode}`)
      taken[which]!.push(performance.now() - began)
    }
  return taken.map(median)
}

await bench('a picture among many', async note => {
  const folder = mkdtempSync(join(tmpdir(), 'mallet-uploads-'))
  const servers = [
    await serverOf(join(folder, 'few'), FEW),
    await serverOf(join(folder, 'many'), MANY),
  ]
  const [few, many] = await times(servers)
  for (const app of servers) await app.close()
  rmSync(folder, { recursive: true })
  note(within(`one of ${MANY} against one of ${FEW}`, many!, few!, 1.5))
})
