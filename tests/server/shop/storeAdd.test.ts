import { and, eq, isNull } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { application } from '#src/areas/application/application.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { bd_assignment } from '#src/areas/merchant/bd.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { shopAudit } from '#src/modules/shop/contract/audit.ts'
import { storeAdd as calls } from '#src/modules/shop/contract/storeAdd.ts'
import { storeEdit } from '#src/modules/shop/contract/storeEdit.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshStore } from '../../help/merchants.ts'
import { freshCategory, freshMall, wholeStore } from '../../help/stores.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let bd: Person
let anna: Person
let ben: Person
let own: Awaited<ReturnType<typeof freshMerchant>>
let category_id: number
beforeAll(async () => {
  database = await openCopy({ poolSize: 20 })
  app = await openApp(database)
  bd = await addStaff(database, { perms: ['*'] })
  anna = await addStaff(database, { perms: ['*'] })
  ben = await addStaff(database, { perms: ['*'] })
  own = await freshMerchant(database, { bd_admin_id: bd.id })
  category_id = await freshCategory(database)
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object, who: Person = bd) =>
  send(app, what, input, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who: Person = bd) => {
  const said = await call(what, input, who)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const rowOf = async (id: number) =>
  (await database.db.select().from(store).where(eq(store.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const taskOf = async (id: number) =>
  (await database.db.select().from(application).where(eq(application.store_id, id))).at(-1)!
const whole = (more: object = {}) => ({
  ...wholeStore({ merchant_id: own.id, category_id }),
  ...more,
})
const submitted = async (more: object = {}) => {
  const { id } = await done(calls.submit, whole(more))
  return { id: id as number, task: await taskOf(id) }
}
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const currentBd = async (store_id: number) =>
  (
    await database.db
      .select()
      .from(bd_assignment)
      .where(and(eq(bd_assignment.store_id, store_id), isNull(bd_assignment.end_at)))
  )[0]

describe('a draft of a store', () => {
  it('is kept with what there is of it, and waits for nobody', async () => {
    const { merchant_id, city_id, name, mid } = whole()
    const made = await done(calls.saveDraft, { merchant_id, city_id, name, mid, category_id })
    expect(await rowOf(made.id)).toMatchObject({
      status: 'draft',
      name,
      store_no: `S${200_000 + made.id}`,
    })
    const again = await done(calls.saveDraft, { ...made, ...whole({ name }) })
    const row = await rowOf(again.id)
    expect(row).toMatchObject({
      open_hours: '10:00-22:00',
      logo: 'demo/a.webp',
      images: { length: 3 },
    })
    const said = await call(calls.saveDraft, { ...made, ...whole() })
    expect(said.status).toBe(409)
    expect((await done(calls.detail, { id: made.id })).hours.week).toHaveLength(1)
  })
  it('is submitted complete alone, and says what is missing', async () => {
    const said = await call(calls.submit, whole({ images: ['a', 'b'], address: '' }))
    expect([said.status, said.data.rule]).toEqual([422, 'incomplete'])
    expect(said.message).toContain('至少 3 张图片')
    expect(said.message).toContain('地址')
  })
  it('is of a leaf, whose licences its merchant has', async () => {
    const strict = await freshCategory(database, { licences: ['食品经营许可证'] })
    const lacks = await call(calls.submit, whole({ category_id: strict }))
    expect(lacks.data.fields.category_id).toContain('食品经营许可证')
    const over = [{ name: '食品经营许可证', no: 'A1', expire_at: now - 1 }]
    await database.db.update(merchant).set({ licenses: over }).where(eq(merchant.id, own.id))
    expect((await call(calls.submit, whole({ category_id: strict }))).status).toBe(400)
    const { rows } = await database.pool.query<{ id: number }>(
      'select parent_id id from shop_category where parent_id is not null limit 1',
    )
    const branch = await call(calls.submit, whole({ category_id: rows[0]!.id }))
    expect(branch.data.fields.category_id).toContain('末级分类')
    const standing = await done(calls.standing, {
      city_id: 1,
      merchant_id: own.id,
      category_id: strict,
    })
    expect(standing.licences).toEqual([{ name: '食品经营许可证', held: false }])
  })
  it('stands on a floor of a mall of its city; a pin far from that is asked about', async () => {
    const at = await freshMall(database)
    const far = { mid: at.id, floor_id: at.floor_id, door_no: '101', lng_e6: 121_480_000 }
    const said = await call(calls.submit, whole(far))
    expect(said.data.fields.confirm_pin).toMatch(/坐标距商场 9\d\d 米/)
    await done(calls.submit, whole({ ...far, confirm_pin: true }))
    const elsewhere = await freshMall(database, { city_id: 2 })
    expect(
      (await call(calls.saveDraft, whole({ mid: elsewhere.id }))).data.fields.mid,
    ).toBeDefined()
    const wrong = await call(calls.saveDraft, whole({ mid: at.id, floor_id: elsewhere.floor_id }))
    expect(wrong.data.fields.floor_id).toBeDefined()
    expect((await call(calls.saveDraft, whole({ floor_id: at.floor_id }))).status).toBe(400)
  })
  it('has hours that do not overlap, and a number to call', async () => {
    const line = { weekdays: [1], from: '20:00', to: '02:00' }
    const hours = { week: [line, { ...line, weekdays: [2], from: '01:00' }], holidays: [] }
    expect((await call(calls.saveDraft, whole({ hours }))).data.fields.hours).toContain('周二')
    expect((await call(calls.saveDraft, whole({ phone: '12345' }))).status).toBe(400)
  })
  it('is no second store of its merchant under one name and address', async () => {
    const first = whole()
    await done(calls.saveDraft, first)
    const same = { ...whole(), name: ` ${first.name}`, address: first.address }
    const said = await call(calls.saveDraft, same)
    expect([said.status, said.data.rule]).toEqual([422, 'same_store'])
    const { merchant_id, city_id, name, address, lng_e6, lat_e6 } = first
    const place = { merchant_id, city_id, name, address, lng_e6, lat_e6 }
    const near = await done(calls.checkDuplicate, place)
    expect(near.same.name).toBe(first.name)
    expect(near.list.map((twin: { name: string }) => twin.name)).toContain(first.name)
  })
  it('is of a merchant that trades', async () => {
    const gone = await freshMerchant(database, { status: 'frozen' })
    const said = await call(calls.saveDraft, whole({ merchant_id: gone.id }))
    expect(said.data.fields.merchant_id).toContain('商户')
  })
  it('has facilities that are for stores', async () => {
    const { list } = await done(calls.facilities, {})
    const facility_ids = list.slice(0, 2).map((of: { id: number }) => of.id)
    const { id } = await done(calls.saveDraft, whole({ facility_ids }))
    expect((await done(calls.detail, { id })).facility_ids.toSorted()).toEqual(
      facility_ids.toSorted(),
    )
    expect((await call(calls.saveDraft, whole({ facility_ids: [999_999] }))).status).toBe(400)
  })
})

describe('an application of a store', () => {
  it('keeps the draft as it is, beside those of its merchant', async () => {
    const { id, task } = await submitted()
    expect((await rowOf(id)).status).toBe('auditing')
    expect(task).toMatchObject({
      kind: 'store',
      state: 'pending',
      owner_id: bd.id,
      merchant_id: own.id,
    })
    expect((await call(calls.saveDraft, { ...(await held(id)), ...whole() })).status).toBe(422)
    await submitted()
    const detail = await done(shopAudit.detail, { id: task.id }, anna)
    expect(detail.store.body).toMatchObject({
      open_hours: '10:00-22:00',
      mall_id: '商场外',
      avg_price_cents: '¥88.00',
    })
    expect(detail.store.images).toHaveLength(3)
    // Two stand on one pin: whoever audits sees it.
    expect(detail.store.near.length).toBeGreaterThan(0)
  })
  it('makes the store open once it is approved, and gives it the BD of its merchant', async () => {
    const { id, task } = await submitted()
    expect((await call(shopAudit.approve, one(task), bd)).status).toBe(422)
    await done(shopAudit.approve, one(task), anna)
    expect((await rowOf(id)).status).toBe('open')
    expect(await currentBd(id)).toMatchObject({ admin_id: bd.id, by_id: anna.id })
    const lines = await database.db
      .select({ type: op_log.object_type })
      .from(op_log)
      .where(and(eq(op_log.admin_id, anna.id), eq(op_log.action, 'shop.audit.approve')))
    const types = lines.map(line => line.type)
    expect(types).toEqual(expect.arrayContaining(['application', 'store']))
    // Taken back within ten minutes it is in audit again, and nobody's.
    await done(shopAudit.undo, { ids: [task.id] }, anna)
    expect((await rowOf(id)).status).toBe('auditing')
    expect(await currentBd(id)).toBeUndefined()
    expect((await taskOf(id)).state).toBe('claimed')
  })
  it('gives the store to whoever submitted it where the merchant’s BD is gone, or to nobody', async () => {
    const gone = await addStaff(database, { perms: ['*'], staff: { status: 'disabled' } })
    const orphan = await freshMerchant(database, { bd_admin_id: gone.id })
    const { id, task } = await submitted({ merchant_id: orphan.id })
    await done(shopAudit.approve, one(task), anna)
    expect(await currentBd(id)).toMatchObject({ admin_id: bd.id })
    const filler = await addStaff(database, {
      perms: ['shop.stores.add.*', 'shop.stores.view', 'shop.stores.edit.*'],
    })
    const made = await done(calls.submit, whole({ merchant_id: orphan.id }), filler)
    await done(shopAudit.approve, one(await taskOf(made.id)), anna)
    expect(await currentBd(made.id)).toBeUndefined()
  })
  it('leaves a draft with the reason where it is refused, and comes again', async () => {
    const { id, task } = await submitted()
    const why = { reason_code: 'category', reason: '分类与实际经营不符' }
    await done(shopAudit.reject, { ...one(task), ...why }, anna)
    expect(await rowOf(id)).toMatchObject({ status: 'draft', status_reason: why.reason })
    await done(calls.submit, { ...(await held(id)), ...whole() })
    expect(await taskOf(id)).toMatchObject({ round: 2, state: 'pending' })
  })
  it('is a draft as long as more is asked for', async () => {
    const { id, task } = await submitted()
    const asked = { items: ['store_images'], reason: '门头照片不清晰' }
    await done(shopAudit.askMore, { ...one(task), ...asked }, anna)
    expect((await rowOf(id)).status).toBe('draft')
    const { application: open } = await done(calls.detail, { id })
    expect(open).toMatchObject({ state: 'need_more', asked: ['store_images'] })
    await done(calls.submit, { ...(await held(id)), ...whole() })
    expect(await taskOf(id)).toMatchObject({ id: task.id, round: 2, state: 'pending' })
  })
  it('is withdrawn while nobody has decided it', async () => {
    const { id, task } = await submitted()
    await done(storeEdit.withdrawChange, await held(id))
    expect((await rowOf(id)).status).toBe('draft')
    const late = await call(shopAudit.approve, one(task), anna)
    expect([late.status, late.data.rule]).toEqual([422, 'withdrawn'])
  })
  it('is judged anew at the approval: a merchant frozen meanwhile, a door taken', async () => {
    const at = await freshMall(database)
    const place = { mid: at.id, floor_id: at.floor_id, door_no: '8' }
    const { task } = await submitted(place)
    const taken = await freshStore(database, own, {
      floor_id: at.floor_id,
      door_no: '8',
      mall_id: at.id,
    })
    const said = await call(shopAudit.approve, one(task), anna)
    expect([said.status, said.data.rule]).toEqual([422, 'door_used'])
    await database.db.update(store).set({ door_no: '9' }).where(eq(store.id, taken.id))
    await database.db.update(merchant).set({ status: 'frozen' }).where(eq(merchant.id, own.id))
    const frozen = await call(shopAudit.approve, one(task), anna)
    await database.db.update(merchant).set({ status: 'active' }).where(eq(merchant.id, own.id))
    expect([frozen.status, frozen.data.rule]).toEqual([422, 'merchant_inactive'])
    await done(shopAudit.approve, one(task), anna)
  })
})

onlyOn('postgres')('of two who decide a store at once', () => {
  it('one does, and the other is told who it was', async () => {
    const { id, task } = await submitted()
    const said = await Promise.all([
      call(shopAudit.approve, one(task), anna),
      call(shopAudit.approve, one(task), ben),
    ])
    expect(said.map(answer => answer.status).toSorted()).toEqual([200, 422])
    const won = said.findIndex(answer => answer.status === 200)
    expect(said[1 - won]!.message).toContain([anna, ben][won]!.account)
    expect((await rowOf(id)).status).toBe('open')
  })
})
