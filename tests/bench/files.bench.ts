// Measures other calls while the worst files come in at once, on the built server; and how
// the time to read grows with the length of what is read.
import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { readSearch } from '#src/areas/order/orderSearch.ts'
import { trackingOf } from '#src/areas/shipping/courier.ts'
import { headOf } from '#src/areas/shipping/shipHead.ts'
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
/** Small files that unpack to much, and files as large as may be that are slow to read. */
const small = [sheet('<'.repeat(8_000_000), 9), sheet('x'.repeat(8_000_000), 9)]
const large = [
  sheet('<'.repeat(1_900_000), 0),
  sheet('<c '.repeat(600_000), 0),
  Buffer.from(`a,b\n${',"a'.repeat(600_000)}`),
]
const bodyOf = (file: Buffer) => JSON.stringify({ file: file.toString('base64') })
/** Rounds of twenty files, so that there are enough answers for a p99. */
const ROUNDS = { small: 60, large: 8 }
/** The least time to do something to a text, once it has been done: others use the machine too. */
const timeOf = (run: (text: string) => unknown, text: string) =>
  Math.min(
    ...Array.from({ length: 9 }, () => {
      const began = performance.now()
      run(text)
      return performance.now() - began
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

/** How long each `GET /healthz` takes, one after the other, while something is done. */
const watchHealth = async (address: string, during: () => Promise<unknown>): Promise<number[]> => {
  let over = false
  const times: number[] = []
  const asking = (async () => {
    while (!over) {
      const began = performance.now()
      await (await fetch(`${address}/healthz`)).text()
      times.push(performance.now() - began)
      await sleep(5)
    }
  })()
  await during()
  over = true
  await asking
  return times
}

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
  const idle = await watchHealth(address, () => sleep(3000))
  const measured = async (files: readonly Buffer[], rounds: number) => {
    const bodies = files.map(bodyOf)
    let taken = 0
    await probe('watch')
    const times = await watchHealth(address, async () => {
      for (let round = 0; round < rounds; round++) {
        const said = await Promise.all(
          Array.from({ length: 20 }, (_, at) => read(bodies[at % bodies.length]!)),
        )
        taken += said.filter(one => one.status === 200 && one.data.fault === null).length
      }
    })
    return { times, taken, held_ms: (await probe()).held_ms }
  }
  const [bySmall, byLarge] = [
    await measured(small, ROUNDS.small),
    await measured(large, ROUNDS.large),
  ]
  const after = await read(good)
  await close()
  const p99 = (times: readonly number[]) => quantile(times, 0.99)
  note(
    exactly('of the worst files, read', bySmall.taken + byLarge.taken, 0),
    exactly('a good file behind them, refused', after.data.fault === null ? 0 : 1, 0),
    told(`GET /healthz while nothing else is asked, p99 of ${idle.length}`, p99(idle), 'ms'),
    atMost(
      `GET /healthz beside small files, p99 of ${bySmall.times.length}`,
      p99(bySmall.times),
      50,
      'ms',
    ),
    atMost('event loop held beside small files, p99', bySmall.held_ms, 50, 'ms'),
    told(
      `GET /healthz beside files of 2 MB, p99 of ${byLarge.times.length}`,
      p99(byLarge.times),
      'ms',
    ),
    told('event loop held beside files of 2 MB, p99', byLarge.held_ms, 'ms'),
    ...patterns.map(([what, run, sign]) => {
      const [short, long] = [sign.repeat(LONG), sign.repeat(LONG * 4)]
      // Four times as long takes four times as long; sixteen would be the square.
      return within(`${what}, four times as long`, timeOf(run, long), timeOf(run, short), 8)
    }),
  )
})
