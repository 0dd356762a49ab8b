// What comes in from WeCom on PostgreSQL: callbacks are answered over HTTP, and printed codes are
// scanned two hundred times a second. Beside them the allocator, by itself.
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { candidatesAt, drawnOf, type StaffNow } from '#src/areas/channelCode/allocation.ts'
import { channel_code, channel_scan } from '#src/areas/channelCode/channelCode.table.ts'
import { scanCode } from '#src/areas/channelCode/scans.server.ts'
import { onWecomEvent } from '#src/areas/wecom/events.server.ts'
import { workInbox } from '#src/areas/wecom/inbox.server.ts'
import { callbackOf } from '#src/areas/wecom/tell.server.ts'
import { wecom_event } from '#src/areas/wecom/wecomPort.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openApp } from '../help/app.ts'
import { wecomKeys } from '../help/wecom.ts'
import { benchPostgres } from './postgres.ts'
import { atLeast, atMost, bench, exactly, quantile, told } from './table.ts'

const CALLBACK_MS = 50
const SCANS_A_SECOND = 200
const CALLBACKS = 500
const SCANS = 1000
/** WeCom sends a few callbacks at a time; scans come as they come. */
const CALLBACKS_AT_ONCE = 4
const SCANS_AT_ONCE = 8
const callback = { token: 'tokenOfBench', aes_key: `${'k'.repeat(42)}A` }

/** Runs `n` times, so many at a time; answers the milliseconds of each and of all. */
const many = async (n: number, lanes: number, run: (at: number) => Promise<unknown>) => {
  const each: number[] = []
  let next = 0
  const began = performance.now()
  const lane = async () => {
    while (next < n) {
      const at = next++
      const from = performance.now()
      await run(at)
      each.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { each, ms: performance.now() - began }
}
/** Ten members with caps take two hundred scans; answers how many of them passed theirs. */
const allocate = (): number => {
  const people = Array.from({ length: 10 }, (_, at) => `u${at}`)
  const now = new Map<string, StaffNow>(
    people.map(one => [one, { able: true, taken: 0, taken_in_all: 0, day_cap: 15 }]),
  )
  const plan = {
    members: people.map(userid => ({ userid, weight: 1, day_cap: 12 })),
    shifts: [],
    backup_userids: ['spare'],
  }
  now.set('spare', { able: true, taken: 0, taken_in_all: 0, day_cap: null })
  for (let scan = 0; scan < SCANS_A_SECOND; scan++) {
    const chosen = drawnOf(
      candidatesAt(plan, 1_750_000_000, one => now.get(one)),
      Math.random(),
    )!
    const one = now.get(chosen)!
    now.set(chosen, { ...one, taken: one.taken + 1, taken_in_all: one.taken_in_all + 1 })
  }
  return people.filter(one => now.get(one)!.taken > 12).length
}

await bench('what comes in from WeCom', async note => {
  const postgres = await benchPostgres()
  const database = await openDatabase({ url: postgres.url('postgres') })
  await migrate(database)
  await seedDemo(database.db, { seed: 7, scale: 0.02 })
  const app = await openApp(database, { wecom: { keys: wecomKeys, callback } })
  const base = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  const seal = { ...callback, corp_id: wecomKeys.corp_id }
  const tell = (at: number, more: Readonly<Record<string, string>> = {}) => {
    const { url, payload } = callbackOf(seal, {
      ToUserName: seal.corp_id,
      FromUserName: 'sys',
      CreateTime: String(unixNow()),
      MsgType: 'event',
      Event: 'change_external_contact',
      ChangeType: 'edit_external_contact',
      UserID: 'nobody',
      ExternalUserID: `wmBench${at}`,
      ...more,
    })
    return fetch(base + url, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: payload,
    }).then(answer => answer.text())
  }
  await many(50, CALLBACKS_AT_ONCE, at => tell(-1 - at))
  const before = await database.db.$count(wecom_event)
  const said = await many(CALLBACKS, CALLBACKS_AT_ONCE, at => tell(at))
  const taken = (await database.db.$count(wecom_event)) - before
  // More come in while this process works them off; nobody at WeCom's end is asked.
  await database.db.delete(wecom_event)
  let heard = 0
  onWecomEvent('bench_told', async () => void heard++)
  let isOver = false
  const work = (async () => {
    const { events, install } = app
    while (!isOver) {
      await workInbox({ database, events, install, log: openLog('silent'), now: unixNow() })
      await sleep(20)
    }
  })()
  const busy = await many(CALLBACKS, CALLBACKS_AT_ONCE, at =>
    tell(CALLBACKS + at, { Event: 'bench_told', ChangeType: '' }),
  )
  isOver = true
  await work
  const [code] = await database.db
    .select({ id: channel_code.id, state_key: channel_code.state_key })
    .from(channel_code)
    .where(eq(channel_code.status, 'enabled'))
    .limit(1)
  const scans = async () =>
    Number(
      (
        await database.db
          .select({ n: sql<number>`coalesce(sum(${channel_scan.n}), 0)` })
          .from(channel_scan)
          .where(eq(channel_scan.code_id, code!.id))
      )[0]!.n,
    )
  const counted = await scans()
  // The server limits scans by address, so the bench runs them without HTTP.
  const scanned = await many(SCANS, SCANS_AT_ONCE, () =>
    scanCode(database.db, { state_key: code!.state_key, now: unixNow(), isCounted: true }),
  )
  const began = performance.now()
  const passed = allocate()
  note(
    atMost('a callback is answered, p95', quantile(said.each, 0.95), CALLBACK_MS, 'ms'),
    atMost('while others are worked off, p95', quantile(busy.each, 0.95), CALLBACK_MS, 'ms'),
    told('of these worked off meanwhile', heard, ''),
    exactly('callbacks taken', taken, CALLBACKS),
    atLeast('scans a second', (SCANS * 1000) / scanned.ms, SCANS_A_SECOND, ''),
    exactly('scans counted', (await scans()) - counted, SCANS),
    told('a scan, p95', quantile(scanned.each, 0.95), 'ms'),
    exactly('members who passed their cap', passed, 0),
    atMost('two hundred scans are allocated', performance.now() - began, 1000, 'ms'),
  )
  await app.close()
  await database.close()
  await postgres.stop()
})
