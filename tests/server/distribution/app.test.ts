import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_invite, distributor } from '#src/areas/distribution/sellers.table.ts'
import { countHit, forgetHits } from '#src/areas/material/hits.server.ts'
import { dist_material, dist_material_hit } from '#src/areas/material/material.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { distributionApp as calls } from '#src/modules/distribution/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { openApp, send } from '../../help/app.ts'
import { freshSeller } from '../../help/sellers.ts'

let database: Database
let app: App
let maker_id: number
beforeAll(async () => {
  database = await openCopy({ poolSize: 4 })
  app = await openApp(database)
  maker_id = (await database.db.select({ id: admin.id }).from(admin).limit(1))[0]!.id
})
const now = unixNow()
let made = 0
const code = () => `T9041${String(++made).padStart(5, '0')}`
const invite = async (more: Partial<typeof dist_invite.$inferInsert> = {}) => {
  const values = { code: code(), city_id: 1, expire_at: now + 10 * DAY, maker_id, ...more }
  const [row] = await database.db
    .insert(dist_invite)
    .values({ created_at: now - DAY, ...values })
    .returning()
  return row!
}
const read = async (id: number) =>
  (await database.db.select().from(dist_invite).where(eq(dist_invite.id, id)))[0]!
/** Nobody is signed in. */
const ask = async (call: (typeof calls)[keyof typeof calls], input: object) => {
  const said = await send(app, call, input)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const applicant = (more: Partial<typeof distributor.$inferInsert> = {}) =>
  freshSeller(database, { status: 'pending', joined_at: null, ...more })

describe('an invitation', () => {
  it('is opened once, and tells whoever has its code how it stands, and nothing of anybody', async () => {
    const one = await invite({ phone: `166${String(now).slice(-8)}` })
    expect(await ask(calls.openInvite, { code: one.code })).toEqual({ state: 'active', why: '' })
    const { opened_at } = await read(one.id)
    expect(opened_at).toBeGreaterThanOrEqual(now)
    await database.db.update(dist_invite).set({ opened_at: 5 }).where(eq(dist_invite.id, one.id))
    await ask(calls.openInvite, { code: one.code })
    expect((await read(one.id)).opened_at).toBe(5)
  })
  it('says why it can’t be used, and is not opened then', async () => {
    const [stopped, late] = [await invite({ status: 'stopped' }), await invite({ expire_at: now })]
    expect(await ask(calls.openInvite, { code: stopped.code })).toMatchObject({ state: 'stopped' })
    const over = await ask(calls.openInvite, { code: late.code })
    expect(over).toMatchObject({ state: 'expired', why: expect.stringContaining('过期') })
    expect(await ask(calls.openInvite, { code: 'NOBODYS' })).toMatchObject({ state: 'none' })
    for (const { id } of [stopped, late]) expect((await read(id)).opened_at).toBeNull()
  })
  it('is used by whoever applied after it was made, once', async () => {
    const [one, two] = [await invite({ sms_state: 'queued' }), await invite()]
    const by = await applicant()
    const used = await ask(calls.useInvite, { code: one.code, phone: by.phone })
    expect(used.state).toBe('used')
    expect(Object.keys(used).toSorted()).toEqual(['state', 'why'])
    expect(await read(one.id)).toMatchObject({ status: 'used', used_by: by.id, sms_state: 'none' })
    const other = await applicant()
    await ask(calls.useInvite, { code: one.code, phone: other.phone })
    expect((await read(one.id)).used_by).toBe(by.id)
    // An expert who used one uses no second.
    expect(await ask(calls.useInvite, { code: two.code, phone: by.phone })).toMatchObject({
      state: 'active',
    })
  })
  it('is not used by another phone than it is bound to, an older applicant, or no applicant', async () => {
    const [by, old, active] = [
      await applicant(),
      await applicant({ created_at: now - 2 * DAY }),
      await freshSeller(database),
    ]
    const bound = await invite({ phone: `167${String(now).slice(-8)}` })
    const free = await invite()
    for (const [one, phone] of [
      [bound, by.phone],
      [free, old.phone],
      [free, active.phone],
      [free, `168${String(now).slice(-8)}`],
    ] as const)
      expect((await ask(calls.useInvite, { code: one.code, phone })).state).toBe('active')
    const late = await invite({ expire_at: now })
    expect((await ask(calls.useInvite, { code: late.code, phone: by.phone })).state).toBe('expired')
  })
  it('is used once, by one of two who use it at once', async () => {
    const one = await invite()
    const people = [await applicant(), await applicant()]
    await Promise.all(people.map(({ phone }) => ask(calls.useInvite, { code: one.code, phone })))
    expect(people.map(by => by.id)).toContain((await read(one.id)).used_by)
    expect((await read(one.id)).version).toBe(1)
  })
})

describe('material', () => {
  const material = async (more: Partial<typeof dist_material.$inferInsert> = {}) =>
    (
      await database.db
        .insert(dist_material)
        .values({ title: '测', kind: 'image', status: 'on', start_at: now - DAY, ...more })
        .returning()
    )[0]!
  const counts = async (id: number) => {
    const [row] = await database.db.select().from(dist_material).where(eq(dist_material.id, id))
    return [row!.view_count, row!.download_count, row!.share_count, row!.version]
  }
  const device = 'device-of-a-test-1'
  it('is counted once a device and day, each thing by itself, and stays at its version', async () => {
    const { id: material_id, version } = await material()
    const hit = (what: string, by = device) =>
      ask(calls.countMaterial, { material_id, what, device: by })
    expect(await hit('view')).toEqual({ counted: true })
    expect(await hit('view')).toEqual({ counted: false })
    await hit('view', `${device}2`)
    await hit('share')
    expect(await counts(material_id)).toEqual([2, 0, 1, version])
    const tomorrow = { material_id, what: 'view' as const, device, now: now + DAY }
    expect(await database.transaction(tx => countHit(tx, tomorrow))).toBe(true)
  })
  it('is counted by one of many at once', async () => {
    const { id: material_id } = await material()
    const hit = { material_id, what: 'download', device }
    const all = await Promise.all([1, 2, 3, 4].map(() => ask(calls.countMaterial, hit)))
    expect(all.filter(one => one.counted)).toHaveLength(1)
    expect((await counts(material_id))[1]).toBe(1)
  })
  it('is not counted while it is not published, and keeps what it had', async () => {
    for (const more of [
      { status: 'off' as const, view_count: 7 },
      { status: 'draft' as const },
      { start_at: now + DAY },
      { start_at: now - 2 * DAY, end_at: now - DAY },
    ]) {
      const { id: material_id, view_count } = await material(more)
      const said = await ask(calls.countMaterial, { material_id, what: 'view', device })
      expect([said.counted, (await counts(material_id))[0]]).toEqual([false, view_count])
    }
    const nobodys = { material_id: 2_000_000_000, what: 'view', device }
    expect(await ask(calls.countMaterial, nobodys)).toEqual({ counted: false })
  })
  it('forgets devices once their day is over', async () => {
    const { id: material_id } = await material()
    await ask(calls.countMaterial, { material_id, what: 'view', device })
    const left = () =>
      database.db.$count(dist_material_hit, eq(dist_material_hit.material_id, material_id))
    await forgetHits(database.db, now + DAY)
    expect(await left()).toBe(1)
    await forgetHits(database.db, now + 3 * DAY)
    expect(await left()).toBe(0)
  })
})
