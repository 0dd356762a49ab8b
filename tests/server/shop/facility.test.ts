import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { upload } from '#src/areas/export/job.table.ts'
import { facility, mall_facility, store_facility } from '#src/areas/merchant/facility.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { mall as malls } from '#src/modules/mall/contract/index.ts'
import { shopFacility as calls } from '#src/modules/shop/contract/facility.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type Held = { id: number; version: number }
let database: Database
let app: App
let token: string
const ICON = 'test/square.png'
const picture = { size_bytes: 10, sha256: 'x', mime: 'image/png', width: 64, height: 64 }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
  await database.db.insert(upload).values([
    { ...picture, file_key: ICON },
    { ...picture, file_key: 'test/wide.png', width: 65 },
    { ...picture, file_key: 'test/square.webp', mime: 'image/webp' },
  ])
})
const call = (what: Parameters<typeof send>[1], input: object = {}, as = token) =>
  send(app, what, input, { token: as })
const done = async (what: Parameters<typeof send>[1], input: object, as = token) => {
  const said = await call(what, input, as)
  expect(said.status, said.message).toBe(200)
  return said.data
}
let made = 0
const fields = (more: object = {}) => ({
  name: `测设${++made}`,
  icon: ICON,
  group: 'other',
  scope: 'both',
  ...more,
})
const add = (more: object = {}): Promise<Held> => done(calls.create, fields(more))
const rowOf = async (id: number) =>
  (await database.db.select().from(facility).where(eq(facility.id, id)))[0]!
const held = async ({ id }: { id: number }): Promise<Held> => ({
  id,
  version: (await rowOf(id)).version,
})
/** A store of its own. */
const addStore = async (more: Partial<typeof store.$inferInsert> = {}): Promise<number> => {
  const [one] = await database.db.select().from(store).where(eq(store.kind, 'offline')).limit(1)
  const { id: _, ...values } = one!
  const [copy] = await database.db
    .insert(store)
    .values({ ...values, store_no: `F${++made}`, name: `测试门店${made}`, status: 'open', ...more })
    .returning({ id: store.id })
  return copy!.id
}
const mark = (of: Held, store_ids: number[]) =>
  done(calls.batchTagStores, { facility_id: of.id, store_ids })
const storesOf = (id: number) =>
  database.db.$count(store_facility, eq(store_facility.facility_id, id))
const listed = async () => done(calls.lst, {})
const ids = async () => (await listed()).list.map((row: Held) => row.id)

describe('a facility', () => {
  it('has a name of its own of at most eight characters, and a square PNG', async () => {
    const one = fields()
    await done(calls.create, one)
    const same = await call(calls.create, fields({ name: one.name }))
    expect(Object.keys(same.data.fields)).toEqual(['name'])
    const long = await call(calls.create, fields({ name: '一二三四五六七八九' }))
    expect(Object.keys(long.data.fields)).toEqual(['name'])
    for (const icon of ['test/wide.png', 'test/square.webp', 'test/gone.png']) {
      const wrong = await call(calls.create, fields({ icon }))
      expect([icon, Object.keys(wrong.data.fields)]).toEqual([icon, ['icon']])
    }
  })
  it('that is in use is not deleted, nor taken from whom has it', async () => {
    const one = await add()
    await mark(one, [await addStore()])
    expect((await call(calls.del, await held(one))).data.rule).toBe('in_use')
    const { name, icon, group } = await rowOf(one.id)
    const taken = await call(calls.edit, {
      ...(await held(one)),
      name,
      icon,
      group,
      scope: 'mall',
    })
    expect(Object.keys(taken.data.fields)).toEqual(['scope'])
    await done(calls.edit, { ...(await held(one)), name, icon, group, scope: 'store' })
    await done(calls.hide, await held(one))
    expect((await call(calls.hide, await held(one))).data.rule).toBe('wrong_state')
    await done(calls.show, await held(one))
    const free = await add()
    await done(calls.del, await held(free))
    expect(await rowOf(free.id)).toBeUndefined()
  })
  it('is ordered as a whole list; an order made from an older list is refused', async () => {
    const [one, two] = [await add(), await add()]
    const { list_version } = await listed()
    const order = (await ids()).filter((id: number) => id !== two.id)
    order.splice(order.indexOf(one.id), 0, two.id)
    await done(calls.sort, { order, list_version })
    expect(await ids()).toEqual(order)
    const stale = await call(calls.sort, { order, list_version })
    expect(stale.status).toBe(409)
    const fresh = (await listed()).list_version
    const short = await call(calls.sort, { order: order.slice(1), list_version: fresh })
    expect(short.status).toBe(400)
    expect(await ids()).toEqual(order)
  })
})

describe('marks of a facility', () => {
  it('are set for many at once, and each row says what became of it', async () => {
    const one = await add()
    const [open, shut] = [await addStore(), await addStore({ status: 'closed' })]
    const said = await mark(one, [open, shut, 2_000_000_000, open])
    expect(said.ok).toEqual([open])
    expect(said.failed.map((row: Held) => row.id)).toEqual([shut, 2_000_000_000])
    expect(await storesOf(one.id)).toBe(1)
    // Marking it again changes nothing.
    expect((await mark(one, [open])).ok).toEqual([open])
    expect(await storesOf(one.id)).toBe(1)
    await done(calls.batchUntagStores, { facility_id: one.id, store_ids: [open] })
    expect(await storesOf(one.id)).toBe(0)
  })
  it('are of stores or of malls, as its scope says', async () => {
    const [malls, stores] = [await add({ scope: 'mall' }), await add({ scope: 'store' })]
    const refused = await mark(malls, [await addStore()])
    expect(refused.failed.map((row: { code: string }) => row.code)).toEqual(['wrong_scope'])
    const [place] = await database.db.select().from(mall).where(eq(mall.status, 'online')).limit(1)
    await done(calls.batchTagStores, { facility_id: malls.id, mall_ids: [place!.id] })
    expect(
      await database.db.$count(
        mall_facility,
        and(eq(mall_facility.facility_id, malls.id), eq(mall_facility.mall_id, place!.id)),
      ),
    ).toBe(1)
    const wrong = await done(calls.batchTagStores, {
      facility_id: stores.id,
      mall_ids: [place!.id],
    })
    expect(wrong.failed.map((row: { code: string }) => row.code)).toEqual(['wrong_scope'])
  })
  it('of a mall go with it', async () => {
    const one = await add({ scope: 'mall' })
    const [place] = await database.db.select().from(mall).limit(1)
    const { id: _, ...values } = place!
    const [draft] = await database.db
      .insert(mall)
      .values({ ...values, name: '测试草稿商场', short_name: '测试草稿', status: 'draft' })
      .returning({ id: mall.id })
    await done(calls.batchTagStores, { facility_id: one.id, mall_ids: [draft!.id] })
    await done(malls.del, { mid: draft!.id })
    await done(calls.del, await held(one))
  })
  it('of stores elsewhere are neither set, shown nor counted', async () => {
    const [here, there] = await database.db
      .select({ id: sql<number>`id` })
      .from(sql`city`)
      .limit(2)
    const one = await add()
    const [mine, others] = [
      await addStore({ city_id: here!.id, mall_id: 0 }),
      await addStore({ city_id: there!.id, mall_id: 0 }),
    ]
    const local = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city', scope_ids: [here!.id] },
    })
    const said = await done(
      calls.batchTagStores,
      { facility_id: one.id, store_ids: [mine, others] },
      local.token,
    )
    expect([said.ok, said.failed.map((row: Held) => row.id)]).toEqual([[mine], [others]])
    await mark(one, [others])
    const { list } = await done(calls.lst, {}, local.token)
    expect(list.find((row: Held) => row.id === one.id)).toMatchObject({ store_count: 1 })
    const shown = await done(
      calls.holders,
      { facility_id: one.id, of: 'store', marked: true },
      local.token,
    )
    expect(shown.list.map((row: Held) => row.id)).toEqual([mine])
    expect(shown.total).toBe(1)
  })
})

describe('a merge of facilities', () => {
  it('keeps one mark a store, and leads the old number on', async () => {
    const [from, to, first] = [await add(), await add(), await add()]
    const [both, only] = [await addStore(), await addStore()]
    await mark(from, [both, only])
    await mark(to, [both])
    await done(calls.merge, { ...(await held(first)), target_id: from.id, reason: '先合并一次' })
    const said = await done(calls.merge, {
      ...(await held(from)),
      target_id: to.id,
      reason: '同一种设施',
    })
    expect(said).toMatchObject({ moved: 1, had: 1 })
    expect([await storesOf(from.id), await storesOf(to.id)]).toEqual([0, 2])
    expect((await rowOf(first.id)).merged_into).toBe(to.id)
    expect(await ids()).not.toContain(from.id)
    expect((await call(calls.edit, { ...(await held(from)), ...fields() })).status).toBe(404)
    expect((await call(calls.del, await held(to))).data.rule).toBe('in_use')
  })
  it('is refused where the target is not for those that have it', async () => {
    const [from, to] = [await add(), await add({ scope: 'mall' })]
    await mark(from, [await addStore()])
    const wrong = await call(calls.merge, {
      ...(await held(from)),
      target_id: to.id,
      reason: '适用不同',
    })
    expect(Object.keys(wrong.data.fields)).toEqual(['target_id'])
    expect(await storesOf(from.id)).toBe(1)
  })
})
