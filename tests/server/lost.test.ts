import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { copyOfTemplate, flavour } from '../farm.ts'

/** Losses in a run; `TEST_KILLS=100 npm run soak` asks for more. */
const kills = Number(process.env['TEST_KILLS'] ?? 3)
const GOES_ON_MS = 5000

const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

/** A process that does jobs, and all that it has said. */
const startJobber = (place: string) => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, '../farm/jobber.ts'), place],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  children.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += String(chunk)
    })
  const until = async (what: RegExp, from: number, ms = 60_000) => {
    for (const end = Date.now() + ms; !what.test(said.slice(from)); await later(5)) {
      if (child.exitCode !== null) throw new Error(`it ended (${child.exitCode}): ${said}`)
      if (Date.now() > end) throw new Error(`waited in vain for ${what}: ${said.slice(from)}`)
    }
  }
  return { child, said: () => said, until }
}
/** The job that runs at the end of what was said; none between two of them. */
const running = (said: string) => {
  const [, what, job] = [...said.matchAll(/^(begun|done) (\d+)$/gm)].at(-1)!
  return what === 'begun' ? job : undefined
}

const killEmbedded = (folder: string) => {
  const { pid } = JSON.parse(readFileSync(`${folder}.lock`, 'utf8')) as { pid: number }
  process.kill(pid, 'SIGKILL')
}
const DOWN_MS = 1000
/** Ends every connection of the database for a second, as a PostgreSQL does that starts again. */
const severPostgres = async (url: string) => {
  const client = new pg.Client(url)
  await client.connect()
  for (const end = Date.now() + DOWN_MS; Date.now() < end; await later(5))
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  await client.end()
}

it(
  `a server outlives ${kills} losses of its database, each in the middle of a job, which then goes on`,
  async () => {
    const { options, remove } = await copyOfTemplate()
    const server = startJobber(options.url ?? options.folder!)
    let from = 0
    for (let round = 0; round < kills; round++) {
      await server.until(/^begun \d+$/m, from)
      await later((round * 83) % 250)
      // A busy machine may have been away for longer than a job takes.
      while (running(server.said()) === undefined) await later(5)
      const interrupted = running(server.said())
      from = server.said().length
      if (flavour() === 'lite') {
        killEmbedded(options.folder!)
        await server.until(/the embedded database is back/, from)
      } else await severPostgres(options.url!)
      await server.until(new RegExp(`^done ${interrupted}$`, 'm'), from, GOES_ON_MS)
      from = server.said().length
    }
    expect(server.child.exitCode).toBeNull()
    expect(server.said()).not.toContain('the server ends')
    server.child.kill('SIGKILL')
    await remove()
  },
  60_000 + kills * 30_000,
)
