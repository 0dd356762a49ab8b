import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_pull_promoter, film_pull_record } from '#src/areas/filmPull/pull.table.ts'
import type { PullRecordState } from '#src/areas/filmPull/pull.ts'
import { stepsOf } from '#src/areas/filmPull/pullRules.ts'
import { pullStatBy, type PullStatBy } from '#src/areas/filmPull/pullStat.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { pullStats as calls } from '#src/modules/film/contract/pullNewStat.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aCampaign, recordOf } from '../../help/pulls.ts'
import { freshSeller } from '../../help/sellers.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const PAGE = { page: 1, pageSize: 200 }
const reason = '同设备多账号'
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const told = async (of: object = {}) => {
  const said = await call(calls.lst, { ...PAGE, ...of })
  expect([said.status, said.message]).toEqual([200, said.message])
  return said.data
}
const views = Object.keys(pullStatBy) as PullStatBy[]
type Steps = { register: boolean; ticket: boolean; valid: boolean; second: boolean; gone: boolean }
const statusOf = (of: Steps): PullRecordState => {
  if (of.gone) return 'void'
  if (of.valid) return 'valid'
  if (of.ticket) return 'ticketed'
  return of.register ? 'registered' : 'scanned'
}
/** A record that went through steps in whatever order somebody wrote them down. */
const recordFor = async (activity_id: number, distributor_id: number, of: Partial<Steps> = {}) => {
  const steps = { register: true, ticket: true, valid: true, second: false, gone: false, ...of }
  const at = unixNow() - 5 * DAY
  const [row] = await database.db
    .insert(film_pull_record)
    .values({
      activity_id,
      distributor_id,
      city_id: 1,
      scan_at: at,
      register_at: steps.register ? at + 60 : null,
      ticketed_at: steps.ticket ? at + 120 : null,
      valid_at: steps.valid ? at + DAY : null,
      second_paid_at: steps.second ? at + 2 * DAY : null,
      reward_cents: 500,
      status: statusOf(steps),
    })
    .returning()
  return row!
}
const promoted = async () => {
  const campaign = await aCampaign(database, { maker_id: me.id })
  const seller = await freshSeller(database)
  await database.db
    .insert(film_pull_promoter)
    .values({ activity_id: campaign.id, distributor_id: seller.id })
  return { activity_id: campaign.id, distributor_id: seller.id }
}

describe('a funnel', () => {
  it('only narrows, whatever was written down', () =>
    fc.assert(
      fc.property(
        fc.record({
          register_at: fc.option(fc.nat(100)),
          ticketed_at: fc.option(fc.nat(100)),
          valid_at: fc.option(fc.nat(100)),
          second_paid_at: fc.option(fc.nat(100)),
          status: fc.constantFrom('scanned', 'valid', 'rewarded', 'void'),
        }),
        of => {
          const { registered, ticketed, valid, second } = stepsOf(of as never)
          expect(!ticketed || registered).toBe(true)
          expect(!valid || ticketed).toBe(true)
          expect(!second || valid).toBe(true)
        },
      ),
    ))
  it('counts what the rows say, step by step', async () => {
    const { activity_id, distributor_id } = await promoted()
    const all: Partial<Steps>[] = [
      {},
      { second: true },
      { valid: false },
      { valid: false, ticket: false },
      { valid: false, ticket: false, register: false },
      { gone: true },
      // Bought without an account on record: it counts for no step after the scan.
      { register: false },
    ]
    for (const of of all) await recordFor(activity_id, distributor_id, of)
    const { sums } = await told({ activity_id })
    expect(sums).toMatchObject({
      scans: 7,
      registered: 5,
      ticketed: 4,
      valid: 2,
      second: 1,
      due_cents: 1500,
    })
  })
  it('comes to the same totals in every view, and to its records', async () => {
    const whole = { from: unixNow() - 100 * DAY, to: unixNow() }
    const [first, ...others] = await Promise.all(views.map(by => told({ by, ...whole })))
    expect(first.sums.scans).toBeGreaterThan(0)
    for (const one of others) expect(one.sums).toEqual(first.sums)
    const { rows } = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from film_pull_record where scan_at >= ${dayStart(whole.from)}`,
    )
    expect(rows[0]!.n).toBe(first.sums.scans)
    expect((await call(calls.records, { ...PAGE, ...whole })).data.total).toBe(rows[0]!.n)
  })
})

describe('a referral', () => {
  it('is voided once, and the loser of two is told', async () => {
    const { activity_id, distributor_id } = await promoted()
    const { id, version } = await recordFor(activity_id, distributor_id)
    const said = await Promise.all([0, 1].map(() => call(calls.void, { id, version, reason })))
    expect(said.map(one => one.status).sort()).toEqual([200, 409])
    expect(await recordOf(database, id)).toMatchObject({ status: 'void', before_void: 'valid' })
  })
  it('is restored to what it was, unless its promoter was banned since', async () => {
    const { activity_id, distributor_id } = await promoted()
    const row = await recordFor(activity_id, distributor_id, { ticket: false, valid: false })
    const gone = await call(calls.void, { id: row.id, version: row.version, reason })
    const one = { id: row.id, version: gone.data.version, reason }
    const back = await call(calls.restore, one)
    expect([back.status, back.message]).toEqual([200, back.message])
    expect((await recordOf(database, row.id)).status).toBe('registered')
    const again = await call(calls.void, { ...one, version: back.data.version })
    const ban = await call(calls.banPromoter, { ...one, version: again.data.version })
    expect([ban.status, ban.message]).toEqual([200, ban.message])
    const refused = await call(calls.restore, { ...one, version: again.data.version })
    expect(refused.data.rule).toBe('banned')
  })
  it('whose ticket was given back stays void', async () => {
    const { activity_id, distributor_id } = await promoted()
    const row = await recordFor(activity_id, distributor_id)
    await database.db
      .update(film_pull_record)
      .set({ status: 'void', before_void: 'ticketed' })
      .where(eq(film_pull_record.id, row.id))
    const said = await call(calls.restore, { id: row.id, version: row.version, reason })
    expect(said.data.rule).toBe('refunded')
  })
  it('of a banned promoter earns nothing', async () => {
    const { activity_id, distributor_id } = await promoted()
    const row = await recordFor(activity_id, distributor_id)
    await call(calls.banPromoter, { id: row.id, version: row.version, reason })
    const period = { activity_id, from: unixNow() - 30 * DAY, to: unixNow() }
    expect((await call(calls.settleReward, period)).data.rule).toBe('no_reward')
  })
  it('is rewarded once of two who ask at once', async () => {
    const { activity_id, distributor_id } = await promoted()
    await recordFor(activity_id, distributor_id)
    const period = { activity_id, from: unixNow() - 30 * DAY, to: unixNow() }
    const said = await Promise.all([0, 1].map(() => call(calls.settleReward, period)))
    expect(said.map(one => one.data.count ?? one.data.rule).sort()).toEqual([1, 'no_reward'])
  })
  it('of another city is not there', async () => {
    const { activity_id, distributor_id } = await promoted()
    const { id, version } = await recordFor(activity_id, distributor_id)
    const far = await addStaff(database, {
      perms: ['film.pullNewStat.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    expect((await call(calls.void, { id, version, reason }, far.token)).status).toBe(404)
  })
})
