import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asc } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { couriersFor, fitsCourier, patternFault } from '#src/areas/shipping/courier.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { embeddedTrack, httpTrack, noTrack } from '#src/areas/shipping/track.channel.ts'
import { openCopy } from '../../farm.ts'

const HOUR = 3600
const shipped_at = 1_795_000_000
const of = (tracking_no: string, hours: number) => ({
  code: 'shunfeng',
  tracking_no,
  shipped_at,
  now: shipped_at + hours * HOUR,
  from: '杭州',
  to: '上海',
})
const many = Array.from({ length: 400 }, (_, at) => `SF${1_438_270_000_000 + at * 7919}`)

describe('the embedded tracking', () => {
  it('says the same of a number whoever asks, and only ever adds to it', async () => {
    for (const no of many.slice(0, 40)) {
      let before: readonly object[] = []
      for (let hours = 0; hours <= 80; hours += 4) {
        const answer = await embeddedTrack.query(of(no, hours))
        expect(answer).toEqual(await embeddedTrack.query(of(no, hours)))
        if (!answer.ok) throw new Error('no answer')
        expect(answer.traces.slice(0, before.length)).toEqual(before)
        expect(
          answer.traces.every(
            (one, at, all) =>
              one.at <= shipped_at + hours * HOUR && (at === 0 || all[at - 1]!.at < one.at),
          ),
        ).toBe(true)
        before = answer.traces
      }
    }
  })
  it('delivers most parcels within three days; a few stop moving, a few meet a problem', async () => {
    const ends = await Promise.all(
      many.map(async no => {
        const answer = await embeddedTrack.query(of(no, 72))
        return answer.ok ? answer.state : 'none'
      }),
    )
    const share = (state: string) => ends.filter(one => one === state).length / ends.length
    expect(share('signed')).toBeGreaterThan(0.9)
    expect(share('problem')).toBeGreaterThan(0)
    expect(share('transit')).toBeGreaterThan(0)
  })
})

describe('a tracking service', () => {
  let say: (response: ServerResponse) => void = () => {}
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    let body = ''
    request
      .on('data', part => (body += part))
      .on('end', () => {
        asked.push(JSON.parse(body))
        say(response)
      })
  }).listen(0, '127.0.0.1')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const query = (timeout_ms = 10_000) =>
    httpTrack(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { timeout_ms }).query({
      ...of('SF1', 1),
      phone: '13800001234',
    })
  it('is asked by code and number, and its traces are told oldest first', async () => {
    say = response =>
      response.end(
        JSON.stringify({
          state: 'transit',
          traces: [
            { at: 200, text: '到达' },
            { at: 100, text: '揽收' },
          ],
          more: 1,
        }),
      )
    expect(await query()).toEqual({
      ok: true,
      state: 'transit',
      traces: [
        { at: 100, text: '揽收' },
        { at: 200, text: '到达' },
      ],
    })
    expect(asked).toEqual([{ code: 'shunfeng', tracking_no: 'SF1', phone: '13800001234' }])
  })
  it.each<[string, (response: ServerResponse) => void, RegExp, number?]>([
    ['a fault', response => response.writeHead(502).end('x'), /HTTP 502/],
    ['no JSON', response => response.end('<html>'), /无法识别/],
    ['another shape', response => response.end('{"state":"lost","traces":[]}'), /无法识别/],
    ['silence', () => {}, /没有应答/, 150],
    ['a broken line', response => response.destroy(), /无法连接/],
    ['more than one can read', response => response.end(' '.repeat(300_000)), /过大/],
    ['a redirect', response => response.writeHead(302, { location: '/' }).end(), /无法连接/],
  ])('that answers with %s has failed, in words', async (_, answer, words, timeout) => {
    say = answer
    expect(await query(timeout)).toEqual({
      ok: false,
      text: [expect.stringMatching(words), expect.stringMatching(/^Tracking failed/)],
    })
  })
  it('that is not set up says so', async () =>
    expect(await noTrack.query(of('SF1', 1))).toMatchObject({ ok: false }))
})

it('the demo has 28 couriers, 11 of them enabled and one the default; every sample fits, and the first guess for it is right', async () => {
  const { db } = await openCopy()
  const all = await db.select().from(courier).orderBy(asc(courier.sort))
  expect([
    all.length,
    all.filter(one => one.status === 'on').length,
    all.filter(one => one.is_default).map(one => one.status),
  ]).toEqual([28, 11, ['on']])
  for (const one of all)
    expect([one.name, patternFault(one.pattern), fitsCourier(one.sample, one)]).toEqual([
      one.name,
      undefined,
      true,
    ])
  for (const one of all.filter(each => each.status === 'on'))
    expect(couriersFor(one.sample, all)[0]?.name).toBe(one.name)
})
