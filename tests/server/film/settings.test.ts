import { eq, isNull } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { film_cinema, film_setting } from '#src/areas/film/film.table.ts'
import { termsAtFirst } from '#src/areas/film/filmSettings.ts'
import { filmTermsOf } from '#src/areas/film/filmTerms.server.ts'
import { embeddedProviders, type TicketProviders } from '#src/areas/film/provider.channel.ts'
import { watchDeposits } from '#src/areas/filmSetting/deposits.server.ts'
import { message } from '#src/areas/message/message.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { filmSettings as calls } from '#src/modules/film/contract/settings.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let cinema: typeof film_cinema.$inferSelect
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  cinema = (await database.db.select().from(film_cinema).limit(1))[0]!
})
const reason = '按运营计划调整'
/** Only the default, as an installation begins. */
beforeEach(async () => {
  await database.db.delete(film_setting)
  await database.db
    .insert(film_setting)
    .values({ ...termsAtFirst, providers: [...termsAtFirst.providers], city_id: null })
})
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const standard = async () => {
  const [row] = await database.db.select().from(film_setting).where(isNull(film_setting.city_id))
  return row!
}
const inherits = Object.fromEntries(Object.keys(termsAtFirst).map(key => [key, null]))
/** The default as it is sent, with some of its terms. */
const all = (of: object = {}) => ({
  ...termsAtFirst,
  providers: ['provider_a', 'provider_b'],
  reason,
  ...of,
})
const saved = async (of: object = {}) => {
  const { id, version } = await standard()
  return call(calls.save, { id, version, ...all(of) })
}
const cityRow = async (of: object = {}, token = me.token) => {
  const made = await call(calls.addOverride, { city_id: cinema.city_id }, token)
  expect(made.status, made.message).toBe(200)
  const { id, version } = made.data
  if (Object.keys(of).length === 0) return { id, version }
  const said = await call(calls.save, { id, version, ...inherits, ...of, reason }, token)
  expect(said.status, said.message).toBe(200)
  return { id, version: said.data.version }
}

describe('a city', () => {
  it('says what is its own, and the default the rest, also of later changes', async () => {
    await cityRow({ service_fee_cents: 100 })
    await saved({ service_fee_cents: 500, seat_limit: 4 })
    const { terms } = await filmTermsOf(database.db, cinema.city_id)
    expect([terms.service_fee_cents, terms.seat_limit]).toEqual([100, 4])
    const { list } = (await call(calls.lst)).data
    expect(list[1].terms.service_fee_cents).toEqual({ value: 100, own: true })
    expect(list[1].terms.seat_limit).toEqual({ value: 4, own: false })
  })
  it('has settings of its own once; without them the default holds again', async () => {
    const row = await cityRow({ seat_limit: 2 })
    const again = await call(calls.addOverride, { city_id: cinema.city_id })
    expect(again.message).toContain('请直接修改')
    expect((await call(calls.removeOverride, row)).status).toBe(200)
    expect((await filmTermsOf(database.db, cinema.city_id)).terms.seat_limit).toBe(6)
  })
  it('that is paused keeps its settings, and the default always', async () => {
    const row = await cityRow()
    const paused = await call(calls.pauseSale, { ...row, reason })
    const now = { id: row.id, version: paused.data.version }
    expect((await call(calls.removeOverride, now)).data.rule).toBe('paused')
    const { id, version } = await standard()
    expect((await call(calls.removeOverride, { id, version })).data.rule).toBe('standard')
  })
  it('is changed by its own people alone, who read the default', async () => {
    const local = await addStaff(database, {
      perms: ['film.settings.*'],
      role: { scope_type: 'city', scope_ids: [cinema.city_id] },
    })
    const { id, version } = await standard()
    expect((await call(calls.save, { id, version, ...all() }, local.token)).status).not.toBe(200)
    const row = await cityRow({ seat_limit: 3 }, local.token)
    expect((await call(calls.lst, {}, local.token)).data.list).toHaveLength(2)
    const far = await addStaff(database, {
      perms: ['film.settings.*'],
      role: { scope_type: 'city', scope_ids: [cinema.city_id === 1 ? 2 : 1] },
    })
    expect((await call(calls.pauseSale, { ...row, reason }, far.token)).status).toBe(404)
    expect((await call(calls.lst, {}, far.token)).data.list).toHaveLength(1)
  })
})

describe('terms', () => {
  it.each([
    ['service_fee_cents', 1001],
    ['lock_minutes', 4],
    ['lock_minutes', 16],
    ['seat_limit', 7],
    ['refund_before_minutes', 1441],
    ['freeze_days', 31],
  ])('%s of %s are refused at the field', async (key, value) => {
    const said = await saved({ [key]: value })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, [key]])
  })
  it('of the default say all', async () => {
    const said = await saved({ seat_limit: null })
    expect(Object.keys(said.data.fields)).toEqual(['seat_limit'])
  })
  it('keep no seat longer than a provider that is on does', async () => {
    expect((await saved({ lock_minutes: 15, providers: ['provider_a'] })).status).toBe(200)
    const said = await saved({ lock_minutes: 11 })
    expect(said.data.fields.lock_minutes).toContain('10 分钟')
  })
  it('that sell below a provider’s lowest price are refused, with the number of shows', async () => {
    const said = await saved({ subsidy_cents: 5000 })
    expect(said.data.fields.subsidy_cents).toMatch(/有 \d+ 场/)
  })
  it('leave a provider on, unless the sale is paused', async () => {
    expect(Object.keys((await saved({ providers: [] })).data.fields)).toEqual(['providers'])
    const { id, version } = await standard()
    await call(calls.pauseSale, { id, version, reason })
    expect((await saved({ providers: [] })).status).toBe(200)
    const now = await standard()
    const resumed = await call(calls.resumeSale, { id, version: now.version, reason })
    expect(resumed.data.rule).toBe('no_provider')
  })
  it('are changed as they were read: whoever is late is told who was quicker', async () => {
    const { id, version } = await standard()
    expect((await call(calls.save, { id, version, ...all() })).status).toBe(200)
    const late = await call(calls.save, { id, version, ...all() })
    expect([late.status, late.message]).toEqual([409, expect.stringContaining(me.account)])
  })
})

describe('a provider', () => {
  it('that is switched to is asked first, and is on', async () => {
    const { id, version } = await standard()
    const said = await call(calls.switchProvider, { id, version, provider: 'provider_b', reason })
    expect(said.status, said.message).toBe(200)
    expect((await standard()).providers![0]).toEqual({ key: 'provider_b', on: true })
    const again = { id, version: said.data.version, provider: 'provider_b', reason }
    expect((await call(calls.switchProvider, again)).data.rule).toBe('unchanged')
  })
  it('says how it is', async () => {
    const said = await call(calls.testProvider, { provider: 'provider_a' })
    expect(said.data).toMatchObject({ ok: true, deposit_cents: 86_000_00 })
    expect((await call(calls.testProvider, { provider: 'direct' })).data.ok).toBe(false)
  })
})

describe('a cinema', () => {
  it('is blocked once, in its own city, and free again', async () => {
    const row = await cityRow()
    const block = { ...row, cinema_no: cinema.no, reason }
    const blocked = await call(calls.blockCinema, block)
    expect(blocked.status, blocked.message).toBe(200)
    expect((await filmTermsOf(database.db, cinema.city_id)).blocked).toHaveLength(1)
    const now = { id: row.id, version: blocked.data.version, cinema_no: cinema.no }
    expect((await call(calls.blockCinema, { ...now, reason })).data.rule).toBe('blocked')
    expect((await call(calls.unblockCinema, now)).status).toBe(200)
    expect((await filmTermsOf(database.db, cinema.city_id)).blocked).toEqual([])
  })
  it('of another city, or of none, is not there', async () => {
    const row = await cityRow()
    const all = await database.db.select().from(film_cinema)
    const other = all.find(one => one.city_id !== cinema.city_id)!
    for (const cinema_no of [other.no, 'C999999'])
      expect((await call(calls.blockCinema, { ...row, cinema_no, reason })).status).toBe(404)
  })
})

describe('the money that lies with providers', () => {
  const holding = (cents: number): TicketProviders => {
    const of = (key: 'provider_a' | 'provider_b' | 'direct') => ({
      ...embeddedProviders[key],
      ping: async () => ({ ok: true, ms: 1, deposit_cents: cents, text: '' }),
    })
    return { provider_a: of('provider_a'), provider_b: of('provider_b'), direct: of('direct') }
  }
  const told = () => database.db.select().from(message).where(eq(message.kind, 'film_deposit_low'))
  it('is told of below the alarm, once a day', async () => {
    const now = unixNow()
    const before = (await told()).length
    await watchDeposits(database, { tickets: holding(20_000_00), now })
    expect((await told()).length).toBe(before)
    await watchDeposits(database, { tickets: holding(19_999_99), now })
    const after = await told()
    expect(after.length).toBeGreaterThan(before)
    expect(after.some(one => one.admin_id === me.id)).toBe(true)
    await watchDeposits(database, { tickets: holding(19_999_99), now: now + 60 })
    expect((await told()).length).toBe(after.length)
    expect((await standard()).paused_at).toBeNull()
  })
  it('pauses the sale when it is gone', async () => {
    const now = unixNow()
    expect(await watchDeposits(database, { tickets: holding(-1), now })).toBe(true)
    expect((await filmTermsOf(database.db, cinema.city_id)).paused?.reason).toContain('预存款不足')
    expect(await watchDeposits(database, { tickets: holding(-1), now })).toBe(false)
  })
})
