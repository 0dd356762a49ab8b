// Fifty clients that ask for a list without a pause, over HTTP with session, rights and scope, on both
// databases: the cities, which is one short query, and a queue with its total. Beside it the same bytes
// from a server that does nothing else, which is what asking and sending alone cost on this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { urlOf } from '#src/contract/call.ts'
import { cityList } from '#src/contract/places.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { atEnd } from '../farm/ends.ts'
import { ended, freePort } from '../farm/postgres.ts'
import { benchPostgres } from './postgres.ts'
import { serveBuilt } from './server.ts'
import { atLeast, atMost, bench, quantile, told, type Line } from './table.ts'

const CLIENTS = 50
const WARM_MS = 10_000
const ASKED_MS = 15_000
/** Answers a second, and the p99 of one, that the goal of the product is. */
const GOAL = { rate: 900, p99_ms: 100 }
const LISTS = {
  cities: `${urlOf(cityList)}?simp=1&page=1&pageSize=100`,
  'a queue': `${urlOf(queues.bulks.lst)}?page=1&pageSize=20`,
}

/** Asks an address; answers how long it took to the last byte, ms, and how many bytes it was. */
const ask = (agent: Agent, address: string, token: string) =>
  new Promise<{ ms: number; bytes: number }>((done, fail) => {
    const began = performance.now()
    request(
      address,
      { agent, headers: { 'authori-zation': `Bearer ${token}`, region: 'pro' } },
      answer => {
        let bytes = 0
        answer
          .on('data', (part: Buffer) => {
            bytes += part.length
          })
          .on('error', fail)
          .on('end', () => {
            if (answer.statusCode !== 200) fail(new Error(`${address}: ${answer.statusCode}`))
            else done({ ms: performance.now() - began, bytes })
          })
      },
    )
      .on('error', fail)
      .end()
  })
/** How long each answer took while all clients ask for so long. */
const allAsk = async (address: string, token: string, ms: number): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const until = performance.now() + ms
  const took: number[] = []
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < until) took.push((await ask(agent, address, token)).ms)
    }),
  )
  agent.destroy()
  return took
}
const perSecond = (took: readonly number[]) => (took.length * 1000) / ASKED_MS

/** What the lists take, and how many bytes the last of them is. */
const measured = async (name: string, url?: string): Promise<{ lines: Line[]; bytes: number }> => {
  const served = await serveBuilt(undefined, undefined, { url })
  const answer = await fetch(`${served.address}/api/manageback/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'admin', password: 'Mallet#2026' }),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  const lines: Line[] = []
  let bytes = 0
  for (const [list, path] of Object.entries(LISTS)) {
    const address = `${served.address}${path}`
    bytes = (await ask(new Agent(), address, data.token)).bytes
    await allAsk(address, data.token, WARM_MS)
    const took = await allAsk(address, data.token, ASKED_MS)
    lines.push(
      atLeast(`${name}: ${list}`, perSecond(took), GOAL.rate, '/s'),
      atMost(`${name}: ${list}, p99`, quantile(took, 0.99), GOAL.p99_ms, 'ms'),
      told(`${name}: ${list}, p50`, quantile(took, 0.5), 'ms'),
    )
  }
  await served.close()
  return { lines, bytes }
}

/** How long a server that only sends so many bytes takes. */
const bare = async (bytes: number): Promise<number[]> => {
  const port = await freePort()
  const server = spawn(
    process.execPath,
    [fileURLToPath(new URL('bare.mjs', import.meta.url)), String(port), String(bytes)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const close = () => ended(server, 'SIGTERM')
  atEnd(close)
  await once(server.stdout, 'data')
  const address = `http://127.0.0.1:${port}/`
  await allAsk(address, '', WARM_MS / 2)
  const took = await allAsk(address, '', ASKED_MS)
  await close()
  return took
}

await bench(`lists among ${CLIENTS} clients`, async note => {
  const embedded = await measured('pglite')
  const postgres = await benchPostgres()
  const url = postgres.url('postgres')
  const database = await openDatabase({ url })
  await migrate(database)
  await seedDemo(database.db, { seed: 7, scale: 0.02 })
  await database.close()
  const separate = await measured('postgres', url)
  await postgres.stop()
  note(...embedded.lines, ...separate.lines)
  const took = await bare(embedded.bytes)
  note(
    told(`${embedded.bytes} bytes by a bare server`, perSecond(took), '/s'),
    told('the same, p99', quantile(took, 0.99), 'ms'),
  )
})
