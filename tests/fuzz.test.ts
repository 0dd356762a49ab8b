import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { urlOf, type Call } from '#src/contract/call.ts'
import { toQuery } from '#src/contract/query.ts'
import { implementations } from '#src/implementations.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { flavour, openCopy } from './farm.ts'
import { SEED } from './farm/seed.ts'
import { addStaff, openApp, OPERATORS, tokenFor } from './help/app.ts'
import { brokenInput, inputFor, nasty } from './help/inputs.ts'

/** In every text that is sent; it may stand in a row, and nowhere else. */
const CANARY = 'CANARY7f3a'
/**
 * 20,000 in all: both databases see the same kinds of requests, most of them the one that answers
 * many at once. `FUZZ_REQUESTS=100000 npm run soak -- --file=tests/fuzz.test.ts` asks for more.
 */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? (flavour() === 'postgres' ? 17_000 : 3000))
const AT_ONCE = 16
/** Five minutes, and longer where more is asked than a run of all tests asks. */
const TIME_MS = Math.max(300_000, REQUESTS * 15)
/** What waits for a lock that nobody lets go ends after 30 s; a busy machine answers before. */
const HANG_MS = 20_000

/** What the server itself wrote about a request that failed. */
const whyOf = (id: string) =>
  log.find(line => line.includes(id) && line.includes('a call failed'))?.slice(0, 1500)

let database: Database
let app: App
const log: string[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { log: openLog('info', { write: line => void log.push(line) }) })
})

it(
  `survives ${REQUESTS} requests from the contracts without a 5xx, a hang or a leak (TEST_SEED=${SEED})`,
  async () => {
    const calls: Call[] = implementations
      .flat()
      .flatMap(module => Object.values(module.calls as Record<string, Call>))
    const ids = (
      await database.db.execute<{ id: number }>(
        sql`(select id from audit_task order by id limit 30) union (select id from product order by id limit 10) union (select id from admin order by id limit 5)`,
      )
    ).rows.map(row => row.id)
    const people = [
      await addStaff(database, { perms: ['*'] }),
      await addStaff(database, { perms: ['audit.*'] }),
      await addStaff(database, { perms: ['*'], role: { scope_type: 'city', scope_ids: [1] } }),
      await addStaff(database),
    ]
    const tokens = people.map(person => person.token)
    const each = Math.ceil(REQUESTS / calls.length)
    const requests = calls
      .flatMap((call, i) => {
        const good = fc.sample(inputFor(call.input, CANARY, ids), {
          numRuns: Math.ceil(each * 0.6),
          seed: SEED + i,
        })
        const bad = fc.sample(brokenInput(call.input, CANARY, ids), {
          numRuns: Math.floor(each * 0.4),
          seed: SEED - i,
        })
        return [...good, ...bad].map(input => ({ call, input }))
      })
      .slice(0, REQUESTS)
    // Calls in turn, so that they meet each other's rows; the same seed, the same order.
    const order = fc.sample(fc.shuffledSubarray(requests, { minLength: requests.length }), {
      numRuns: 1,
      seed: SEED,
    })[0]!
    const odd = nasty(CANARY)
    const headersFor = (i: number): Record<string, string> => ({
      region: i % 7 === 0 ? CANARY.repeat(3) : 'pro',
      'accept-language': i % 3 === 0 ? 'en' : `zh-CN,${CANARY}`,
      'user-agent': CANARY,
      ...(i % 5 === 0 && { 'x-forwarded-for': `${CANARY}, 1.2.3.4` }),
      ...(i % 4 === 0 && { 'idempotency-key': `fuzz-${i % 97}-key` }),
      ...(i % 11 === 0 && {
        'idempotency-key': odd[i % odd.length]!.replace(/[^\x20-\x7e]/g, '').slice(0, 400),
      }),
    })

    const statuses = new Map<number, number>()
    const faults: string[] = []
    const spent = new Map<string, [number, number]>()
    let worst = 0
    let next = 0
    let signedOut = 0
    const worker = async () => {
      for (let i = next++; i < order.length && faults.length < 5; i = next++) {
        const { call, input } = order[i]!
        const who = i % (tokens.length + 1)
        const token = i % 23 === 0 ? `${CANARY}${'x'.repeat(30)}` : tokens[who]
        const from = performance.now()
        const answered = await app.fastify.inject({
          method: call.method,
          url:
            urlOf(call) +
            (call.method === 'GET' && typeof input === 'object' && input !== null
              ? `?${toQuery(input).replace(/[^\x20-\x7e]/g, '')}`
              : ''),
          headers: {
            ...headersFor(i),
            ...(token && { 'authori-zation': `Bearer ${token}` }),
            ...(call.method === 'POST' && { 'content-type': 'application/json' }),
          },
          ...(call.method === 'POST' && { payload: JSON.stringify(input) ?? '' }),
        })
        const ms = performance.now() - from
        worst = Math.max(worst, ms)
        spent.set(call.path, [
          (spent.get(call.path)?.[0] ?? 0) + ms,
          (spent.get(call.path)?.[1] ?? 0) + 1,
        ])
        const tell = (what: string) =>
          faults.push(
            `${what}: ${call.method} ${call.path} ${JSON.stringify(input)?.slice(0, 600)} → ${answered.statusCode} ${answered.body.slice(0, 400)}`,
          )
        let envelope: { status?: unknown; message?: unknown; data?: unknown } = {}
        try {
          envelope = JSON.parse(answered.body)
        } catch {
          tell('no JSON')
        }
        if (answered.statusCode >= 500)
          tell(`5xx (${whyOf(String(answered.headers['x-request-id']))})`)
        if (ms > HANG_MS) tell(`took ${Math.round(ms)} ms`)
        if (
          typeof envelope.status !== 'number' ||
          typeof envelope.message !== 'string' ||
          envelope.message === ''
        )
          tell('no envelope')
        else if (answered.statusCode !== (envelope.status >= 410000 ? 401 : envelope.status))
          tell('HTTP status and envelope differ')
        if (/select |insert into|\bat .*\.ts|node_modules|DrizzleQuery/i.test(answered.body))
          tell('tells of our insides')
        if (answered.headers['cache-control'] !== 'no-store') tell('may be cached')
        if (envelope.status === 200) {
          const parsed = await call.output.safeParseAsync(envelope.data)
          if (!parsed.success)
            tell(
              `answers what its contract does not say (${parsed.error.issues[0]?.path.join('.')})`,
            )
        }
        statuses.set(answered.statusCode, (statuses.get(answered.statusCode) ?? 0) + 1)
        // Fuzzed sign-outs are meant; the next request signs in again.
        if (answered.statusCode === 401 && token && token === tokens[who]) {
          signedOut++
          tokens[who] = await tokenFor(database, people[who]!.id)
        }
        if (call.path === 'logout' && answered.statusCode === 200 && who < tokens.length)
          tokens[who] = await tokenFor(database, people[who]!.id)
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const seconds = (performance.now() - began) / 1000
    process.stderr.write(
      `fuzz: ${order.length} requests over ${calls.length} calls in ${seconds.toFixed(1)} s, worst ${Math.round(worst)} ms, ${JSON.stringify(Object.fromEntries([...statuses].sort()))}, sessions lost ${signedOut}\n`,
    )
    const slowest = [...spent]
      .sort(([, [a]], [, [b]]) => b - a)
      .slice(0, 5)
      .map(([path, [ms, n]]) => `${path} ${Math.round(ms / n)} ms`)
      .join(', ')
    process.stderr.write(`fuzz: most time went to ${slowest}\n`)
    expect(faults).toEqual([])
    // A fuzz that is refused at the door proves nothing.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(order.length * 0.05)
    expect(statuses.get(400) ?? 0).toBeGreaterThan(order.length * 0.1)

    expect(log.length).toBeGreaterThan(order.length * 0.9)
    expect(log.filter(line => line.includes(CANARY)).slice(0, 3)).toEqual([])
    expect(log.filter(line => tokens.some(token => line.includes(token)))).toEqual([])
    const headers = { authorization: `Bearer ${OPERATORS}` }
    const figures = await app.fastify.inject({ method: 'GET', url: '/metrics', headers })
    expect(figures.body).toContain('mallet_request_seconds')
    expect(figures.body).not.toContain(CANARY)
  },
  TIME_MS,
)

it('left no password, token or half character in any row, and every claim with its holder', async () => {
  const secrets = await database.db.execute<{ n: number }>(
    sql`select count(*)::int n from op_log where "after"::text ~ '"(old_password|new_password|password|token)": "[^*]'`,
  )
  expect(secrets.rows[0]!.n).toBe(0)
  const logged = await database.db.execute<{ n: number }>(sql`select count(*)::int n from op_log`)
  expect(logged.rows[0]!.n).toBeGreaterThan(100)
  const broken = await database.db.execute<{ n: number }>(
    sql`select count(*)::int n from audit_task where (claimed_by is null) <> (claim_until is null)`,
  )
  expect(broken.rows[0]!.n).toBe(0)
  const replaced = await database.db.execute<{ n: number }>(
    sql`select count(*)::int n from audit_task where reason like ${'%\ufffd%'}`,
  )
  expect(replaced.rows[0]!.n).toBe(0)
})
