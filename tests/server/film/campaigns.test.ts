import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { film_pull_activity, film_pull_promoter } from '#src/areas/filmPull/pull.table.ts'
import { turnCampaigns } from '#src/areas/filmPull/rewards.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { pullCampaigns as calls } from '#src/modules/film/contract/pullNew.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aCampaign, campaignOf } from '../../help/pulls.ts'
import { freshSeller } from '../../help/sellers.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let other: Awaited<ReturnType<typeof addStaff>>
let home: { city_id: number; mall_id: number }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  other = await addStaff(database, { perms: ['*'] })
  const [one] = await database.db.select().from(mall).limit(1)
  home = { city_id: one!.city_id, mall_id: one!.id }
})
/** Nothing else runs, so that nothing overlaps. */
beforeEach(() => database.db.update(film_pull_activity).set({ status: 'ended' }))
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const reason = '按活动方案调整'
const fields = (of: object = {}) => ({
  name: `首票${unixNow()}`,
  city_ids: [],
  mall_ids: [],
  film_ids: [],
  cinema_ids: [],
  price_cents: 990,
  subsidy_cents: 3000,
  reward_cents: 500,
  quota: 100,
  quota_day: 20,
  start_at: unixNow() + DAY,
  end_at: unixNow() + 20 * DAY,
  ...of,
})
type One = { id: number; version: number }
const made = async (of: object = {}, token = me.token): Promise<One> => {
  const said = await call(calls.create, fields(of), token)
  expect([said.status, said.message]).toEqual([200, said.message])
  return said.data
}
const did = async (what: Parameters<typeof send>[1], input: object, token = me.token) => {
  const said = await call(what, input, token)
  expect([said.status, said.message]).toEqual([200, said.message])
  return said.data as One
}
const approved = async (of: object = {}): Promise<One> =>
  did(calls.approve, await did(calls.submit, await made(of)), other.token)

describe('a campaign', () => {
  it('costs at most its places times subsidy and reward', async () => {
    const { id } = await made({ quota: 7, quota_day: 7 })
    expect((await campaignOf(database, id)).budget_cents).toBe(7 * 3500)
  })
  it('is approved by another than its maker', async () => {
    const asked = await did(calls.submit, await made())
    const own = await call(calls.approve, asked)
    expect(own.data.rule).toBe('own_campaign')
    expect((await call(calls.reject, { ...asked, reason })).data.rule).toBe('own_campaign')
    await did(calls.approve, asked, other.token)
    expect(await campaignOf(database, asked.id)).toMatchObject({
      status: 'waiting',
      checker_id: other.id,
    })
  })
  it('that was rejected says why, and is asked for again', async () => {
    const asked = await did(calls.submit, await made())
    const back = await did(calls.reject, { ...asked, reason }, other.token)
    expect((await campaignOf(database, asked.id)).reason).toBe(reason)
    await did(calls.submit, back)
  })
  it('is started by its time or by hand, paused, and ended by its time', async () => {
    const one = await approved()
    const now = unixNow()
    expect(await database.transaction(tx => turnCampaigns(tx, now))).toBe(0)
    await database.transaction(tx => turnCampaigns(tx, now + 2 * DAY))
    expect((await campaignOf(database, one.id)).status).toBe('running')
    const { version } = await campaignOf(database, one.id)
    const paused = await did(calls.pause, { id: one.id, version, reason })
    await did(calls.start, paused)
    await database.transaction(tx => turnCampaigns(tx, now + 30 * DAY))
    expect((await campaignOf(database, one.id)).status).toBe('ended')
    const over = await campaignOf(database, one.id)
    expect((await call(calls.start, { id: one.id, version: over.version })).data.rule).toBe(
      'wrong_state',
    )
  })
  it('that runs gets more places or a later end, and nothing else', async () => {
    const one = await did(calls.start, await approved())
    const was = await campaignOf(database, one.id)
    const same = fields({ name: was.name, start_at: was.start_at, end_at: was.end_at })
    const edit = (of: object) => call(calls.edit, { ...one, ...same, ...of })
    for (const of of [{ price_cents: 1990 }, { quota: 99 }, { end_at: was.end_at - DAY }])
      expect([of, (await edit(of)).data.rule]).toEqual([of, 'promised'])
    await did(calls.edit, { ...one, ...same, quota: 120, end_at: was.end_at + DAY })
    expect(await campaignOf(database, one.id)).toMatchObject({ quota: 120, status: 'running' })
  })
  it('that was approved is approved anew once its terms change', async () => {
    const one = await approved()
    await did(calls.edit, { ...one, ...fields({ price_cents: 1990 }) })
    expect(await campaignOf(database, one.id)).toMatchObject({ status: 'draft', checker_id: null })
  })
  it('gets more places from another than its maker', async () => {
    const one = await did(calls.start, await approved())
    const more = { ...one, quantity: 50, reason }
    expect((await call(calls.addQuota, more)).data.rule).toBe('own_campaign')
    await did(calls.addQuota, more, other.token)
    expect(await campaignOf(database, one.id)).toMatchObject({
      quota: 150,
      budget_cents: 150 * 3500,
    })
  })
  it('of the same place and time as another is refused, and one beside it is not', async () => {
    const [near, far] = [{ mall_ids: [home.mall_id] }, { city_ids: [home.city_id === 1 ? 2 : 1] }]
    await approved(near)
    const clash = await call(calls.submit, await made({ city_ids: [home.city_id] }))
    expect(clash.data.rule).toBe('overlaps')
    await did(calls.submit, await made(far))
    const later = { ...near, start_at: unixNow() + 21 * DAY, end_at: unixNow() + 30 * DAY }
    await did(calls.submit, await made(later))
  })
  it('is refused at its fields where it can’t be', async () => {
    const faulty = async (of: object) =>
      Object.keys((await call(calls.create, fields(of))).data.fields)
    expect(await faulty({ end_at: unixNow() - 1 })).toEqual(['end_at'])
    expect(await faulty({ quota_day: 101 })).toEqual(['quota_day'])
    expect(await faulty({ price_cents: 0 })).toEqual(['price_cents'])
  })
  it('is of one’s own places: everywhere takes the scope of all', async () => {
    const local = await addStaff(database, {
      perms: ['film.pullNew.*'],
      role: { scope_type: 'city', scope_ids: [home.city_id] },
    })
    expect((await call(calls.create, fields(), local.token)).status).not.toBe(200)
    const far = { city_ids: [home.city_id === 1 ? 2 : 1] }
    expect((await call(calls.create, fields(far), local.token)).status).toBe(404)
    await made({ city_ids: [home.city_id] }, local.token)
    const theirs = await made(far)
    expect((await call(calls.submit, theirs, local.token)).status).toBe(404)
  })
  it('has promoters, each once, and codes that nobody else has', async () => {
    const { id, version } = await aCampaign(database, { maker_id: me.id })
    const sellers = [await freshSeller(database), await freshSeller(database)]
    const ids = { distributor_ids: sellers.map(one => one.id) }
    const added = await did(calls.addPromoters, { id, version, ...ids })
    expect((added as { added?: number }).added).toBe(2)
    const again = await did(calls.addPromoters, { id, version: added.version, ...ids })
    expect((again as { added?: number }).added).toBe(0)
    await did(calls.genCodes, { id, version: again.version })
    const rows = await database.db
      .select()
      .from(film_pull_promoter)
      .where(eq(film_pull_promoter.activity_id, id))
    expect(new Set(rows.map(row => row.code)).size).toBe(2)
    const gone = await freshSeller(database, { status: 'frozen' })
    const { version: now } = await campaignOf(database, id)
    const said = await call(calls.addPromoters, { id, version: now, distributor_ids: [gone.id] })
    expect(said.data.rule).toBe('not_active')
  })
})
