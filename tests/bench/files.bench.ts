// Measures GET /healthz while twenty of the worst files come in at once, on the built server; and
// how the time to read grows with the length of what is read.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { zipSync } from 'fflate'
import { readSearch } from '#src/areas/order/orderSearch.ts'
import { headOf } from '#src/areas/sheet/heads.ts'
import { trackingOf } from '#src/areas/shipping/courier.ts'
import { urlOf } from '#src/contract/call.ts'
import { elist } from '#src/modules/order/contract/elist.ts'
import { session } from '#src/modules/session/contract.ts'
import { serveBuilt } from './server.ts'
import { atMost, bench, exactly, quantile, told, within } from './table.ts'

const sheet = (inside: string, level: 0 | 9) =>
  Buffer.from(
    zipSync(
      { 'xl/worksheets/sheet1.xml': Buffer.from(`<worksheet><sheetData><row><c>${inside}`) },
      { level },
    ),
  )
const text = (letters: number) => sheet(`<is><t>${'x'.repeat(letters)}</t></is></c>`, 9)
/** Files of some kilobytes that unpack to megabytes. */
const small = [sheet('<'.repeat(8_000_000), 9), text(8_000_000), text(4_000_000), text(900_000)]
/** Files as large as may be that are slow to read. */
const large = [
  sheet('<'.repeat(1_900_000), 0),
  sheet('<c '.repeat(600_000), 0),
  Buffer.from(`a,b\n${',"a'.repeat(600_000)}`),
]
const bodyOf = (file: Buffer) => JSON.stringify({ file: file.toString('base64') })
/** So many files are on their way at any time. */
const AT_ONCE = 20
const ROUNDS = 6
const ROUND_MS = 2000
/** Others wait no longer, 99 times of 100. */
const HEALTH_MS = 50
/** The least time of the processor to do something to a text: others use the machine too. */
const timeOf = (run: (text: string) => unknown, text: string) =>
  Math.min(
    ...Array.from({ length: 9 }, () => {
      const before = process.cpuUsage()
      run(text)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }),
  )
const LONG = 20_000
/** Each with the text that it is slowest at. */
const patterns: readonly (readonly [string, (text: string) => unknown, string])[] = [
  ['a head in brackets', headOf, '('],
  ['a tracking number', trackingOf, '.'],
  ['spaces in a search', text => readSearch(`x${text}x`), ' '],
  ['words in a search', text => readSearch(`x${text}x`), '订'],
  ['a search by label', readSearch, '订单'],
]

/** How long each `GET /healthz` takes while something is done, asked by a thread of its own. */
const watching = (address: string) => {
  const thread = new Worker(new URL('health.mjs', import.meta.url), { workerData: address })
  const during = async (work: () => Promise<unknown>): Promise<number[]> => {
    thread.postMessage('begin')
    await work()
    const told = once(thread, 'message')
    thread.postMessage('end')
    return (await told)[0] as number[]
  }
  return { during, close: () => thread.terminate() }
}
/** The p99 of the round that the rest of the machine disturbed least. */
const quietest = (rounds: readonly number[][]) =>
  Math.min(...rounds.map(times => quantile(times, 0.99)))

await bench('files', async note => {
  const { address, probe, close } = await serveBuilt()
  const post = async (path: string, body: string, token?: string) =>
    (
      await fetch(`${address}${path}`, {
        method: 'POST',
        headers: {
          region: 'pro',
          'content-type': 'application/json',
          ...(token && { 'authori-zation': `Bearer ${token}` }),
        },
        body,
      })
    ).json() as Promise<{ status: number; data: { token: string; fault: string | null } }>
  const signedIn = await post(
    urlOf(session.login),
    JSON.stringify({ account: 'admin', password: 'Mallet#2026' }),
  )
  const { token } = signedIn.data
  const read = (body: string) => post(urlOf(elist.readSheet), body, token)
  // The asking itself must not hold up the probe: what is sent is written before.
  const good = bodyOf(Buffer.from('订单号,快递单号\nEL1795000000000001,SF1438270956123'))
  await read(good)
  const health = watching(address)
  /** Twenty on their way at any time, until the round is over; answers how many were read. */
  const flood = async (bodies: readonly string[]) => {
    let taken = 0
    const until = performance.now() + ROUND_MS
    const one = async (at: number) => {
      for (let next = at; performance.now() < until; next += AT_ONCE) {
        const said = await read(bodies[next % bodies.length]!)
        if (said.status === 200 && said.data.fault === null) taken++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => one(at)))
    return taken
  }
  const measured = async (work: () => Promise<number>) => {
    const rounds: number[][] = []
    let taken = 0
    await probe('watch')
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await health.during(async () => (taken += await work())))
    return { p99: quietest(rounds), taken, held_ms: (await probe()).held_ms }
  }
  const bodies = { small: small.map(bodyOf), large: large.map(bodyOf) }
  const idle = await measured(() => sleep(ROUND_MS, 0))
  const byGood = await measured(() => flood([good]))
  const bySmall = await measured(() => flood(bodies.small))
  const byLarge = await measured(() => flood(bodies.large))
  const after = await read(good)
  await health.close()
  await close()
  note(
    exactly('of the worst files, read', bySmall.taken + byLarge.taken, 0),
    exactly('a good file behind them, refused', after.data.fault === null ? 0 : 1, 0),
    told('GET /healthz while nothing else is asked, p99', idle.p99, 'ms'),
    told('GET /healthz beside 20 good files at once, p99', byGood.p99, 'ms'),
    // What twenty calls at once cost is no fault of the files: a good one of two lines costs it too.
    within(
      'GET /healthz beside 20 of the worst files at once, against 20 good ones',
      bySmall.p99,
      byGood.p99,
      2,
    ),
    atMost('GET /healthz beside 20 of the worst files at once, p99', bySmall.p99, HEALTH_MS, 'ms'),
    atMost('GET /healthz beside 20 files of 2 MB at once, p99', byLarge.p99, HEALTH_MS, 'ms'),
    told('event loop held beside good files, p99', byGood.held_ms, 'ms'),
    atMost('event loop held beside the worst files, p99', bySmall.held_ms, HEALTH_MS, 'ms'),
    told('event loop held beside files of 2 MB, p99', byLarge.held_ms, 'ms'),
    ...patterns.map(([what, run, sign]) => {
      const [short, long] = [sign.repeat(LONG), sign.repeat(LONG * 4)]
      // Four times as long takes four times as long; sixteen would be the square.
      return within(`${what}, four times as long`, timeOf(run, long), timeOf(run, short), 8)
    }),
  )
})
