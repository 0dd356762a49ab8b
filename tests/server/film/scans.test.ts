import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_pull_promoter, film_pull_record } from '#src/areas/filmPull/pull.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { DAY } from '#src/domain/time.ts'
import { filmApp as calls } from '#src/modules/film/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { aCampaign } from '../../help/pulls.ts'
import { freshSeller } from '../../help/sellers.ts'

let database: Database
let app: App
let maker_id: number
let made = 0
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker_id = (await addStaff(database, { perms: ['*'] })).id
})
const deviceOf = () => `device-Q${String(++made).padStart(10, '0')}`
/** Nobody is signed in. */
const ask = async (call: (typeof calls)[keyof typeof calls], input: object) => {
  const said = await send(app, call, input)
  expect([said.status, said.message]).toEqual([200, said.message])
  return said.data
}
const promoted = async (of: object = {}) => {
  const campaign = await aCampaign(database, { maker_id, ...of })
  const seller = await freshSeller(database)
  const code = `FT9041${String(++made).padStart(4, '0')}`
  await database.db
    .insert(film_pull_promoter)
    .values({ activity_id: campaign.id, distributor_id: seller.id, code })
  return { campaign, seller, code }
}
const recordsOf = (activity_id: number) =>
  database.db.select().from(film_pull_record).where(eq(film_pull_record.activity_id, activity_id))
const phoneOf = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!.phone

describe('a code', () => {
  it('counts a device once a day, and tells how its campaign stands', async () => {
    const { campaign, code } = await promoted()
    const device = deviceOf()
    const told = { state: 'running', name: campaign.name, price_cents: 990 }
    expect(await ask(calls.scanCode, { code, device })).toEqual(told)
    expect(await ask(calls.scanCode, { code, device })).toEqual(told)
    await ask(calls.scanCode, { code, device: deviceOf() })
    expect(await recordsOf(campaign.id)).toHaveLength(2)
  })
  it('that nobody has, or whose promoter is banned, is none', async () => {
    const { campaign, code } = await promoted()
    await database.db
      .update(film_pull_promoter)
      .set({ banned_at: 1 })
      .where(eq(film_pull_promoter.code, code))
    for (const one of [code, 'NOBODY'])
      expect((await ask(calls.scanCode, { code: one, device: deviceOf() })).state).toBe('none')
    expect(await recordsOf(campaign.id)).toEqual([])
  })
  it('of a campaign that is over or paused counts nothing', async () => {
    const { campaign, code } = await promoted({ status: 'paused' })
    expect((await ask(calls.scanCode, { code, device: deviceOf() })).state).toBe('over')
    expect(await recordsOf(campaign.id)).toEqual([])
  })
})
describe('whoever scanned', () => {
  it('is who the last scan of seven days counts for', async () => {
    const { campaign, code } = await promoted()
    const device = deviceOf()
    await ask(calls.scanCode, { code, device })
    const buyer = await aBuyer(database)
    await ask(calls.registerScan, { code, device, phone: await phoneOf(buyer.id) })
    const [record] = await recordsOf(campaign.id)
    expect(record).toMatchObject({ member_id: buyer.id, status: 'registered', flags: [] })
  })
  it('is told the same whether or not anybody has the phone', async () => {
    const { code } = await promoted()
    const device = deviceOf()
    await ask(calls.scanCode, { code, device })
    const stranger = await ask(calls.registerScan, { code, device, phone: '19900000001' })
    const phone = await phoneOf((await aBuyer(database)).id)
    expect(await ask(calls.registerScan, { code, device, phone })).toEqual(stranger)
  })
  it('counts for nobody by a scan that is older', async () => {
    const { campaign, code } = await promoted()
    const device = deviceOf()
    await ask(calls.scanCode, { code, device })
    const [old] = await recordsOf(campaign.id)
    await database.db
      .update(film_pull_record)
      .set({ scan_at: old!.scan_at - 8 * DAY })
      .where(eq(film_pull_record.id, old!.id))
    const phone = await phoneOf((await aBuyer(database)).id)
    await ask(calls.registerScan, { code, device, phone })
    expect((await recordsOf(campaign.id))[0]!.member_id).toBeNull()
  })
  it('is marked as the promoter, or as one of many accounts of a device', async () => {
    const { campaign, seller, code } = await promoted()
    const own = deviceOf()
    await ask(calls.scanCode, { code, device: own })
    await ask(calls.registerScan, { code, device: own, phone: await phoneOf(seller.member_id!) })
    const flags = async () => (await recordsOf(campaign.id)).map(one => one.flags)
    expect(await flags()).toEqual([['self_scan']])
    const shared = deviceOf()
    for (let at = 0; at < 4; at++) {
      const { code: other } = await promoted()
      await ask(calls.scanCode, { code: other, device: shared })
      const phone = await phoneOf((await aBuyer(database)).id)
      await ask(calls.registerScan, { code: other, device: shared, phone })
    }
    const rows = await database.db
      .select()
      .from(film_pull_record)
      .where(eq(film_pull_record.device, shared))
    expect(rows.filter(one => one.flags.includes('same_device'))).toHaveLength(1)
  })
})
