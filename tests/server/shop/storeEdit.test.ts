import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { application } from '#src/areas/application/application.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { shopAudit } from '#src/modules/shop/contract/audit.ts'
import { storeEdit as calls } from '#src/modules/shop/contract/storeEdit.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshStore, sellAt, soldCode } from '../../help/merchants.ts'
import { freshCategory, freshMall, wholeStore } from '../../help/stores.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let bd: Person
let anna: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  bd = await addStaff(database, { perms: ['*'] })
  anna = await addStaff(database, { perms: ['*'] })
})
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
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
/** A store in trade in a category of its own, with what its form sends. */
const trading = async (status: 'open' | 'closed' | 'draft' = 'open') => {
  const own = await freshMerchant(database, { bd_admin_id: bd.id })
  const of = wholeStore({ merchant_id: own.id, category_id: await freshCategory(database) })
  const { id } = await freshStore(database, own, {
    name: of.name,
    category_id: of.category_id,
    address: of.address,
    lng_e6: of.lng_e6,
    lat_e6: of.lat_e6,
    images: of.images,
    status,
  })
  const { phone, hours, images, avg_price_cents, facility_ids } = of
  const { name, category_id, mid, door_no, address, lng_e6, lat_e6 } = of
  return {
    own,
    id,
    live: { phone, hours, images, avg_price_cents, facility_ids },
    audited: { name, category_id, mid, door_no, address, lng_e6, lat_e6 },
  }
}

describe('what customers are told of a store', () => {
  it('holds as soon as it is saved, and waits for no audit', async () => {
    const { id, live } = await trading()
    await done(calls.save, { ...(await held(id)), ...live, phone: '13800001234' })
    expect(await rowOf(id)).toMatchObject({ phone: '13800001234', logo: 'demo/a.webp' })
    expect(await taskOf(id)).toBeUndefined()
  })
  it('keeps three pictures, sound hours, and no holiday that is over', async () => {
    const { id, live } = await trading()
    const few = await call(calls.save, { ...(await held(id)), ...live, images: ['a', 'b'] })
    expect(few.data.fields.images).toContain('3')
    const twice = { ...live.hours, week: [...live.hours.week, ...live.hours.week] }
    const wrong = await call(calls.save, { ...(await held(id)), ...live, hours: twice })
    expect(wrong.data.fields.hours).toContain('重叠')
    const holidays = [-1, 1].map(n => ({ date: dateOf(unixNow() + n * DAY), from: '', to: '' }))
    await done(calls.save, { ...(await held(id)), ...live, hours: { ...live.hours, holidays } })
    expect((await rowOf(id)).hours!.holidays).toEqual(holidays.slice(1))
  })
  it('is not changed over somebody else’s change, nor of a closed store', async () => {
    const { id, live } = await trading()
    const old = await held(id)
    await done(calls.save, { ...old, ...live, phone: '13800001235' }, anna)
    const late = await call(calls.save, { ...old, ...live })
    expect([late.status, late.data.by.name]).toEqual([409, anna.account])
    const gone = await trading('closed')
    const said = await call(calls.save, { ...(await held(gone.id)), ...gone.live })
    expect([said.status, said.data.rule]).toEqual([422, 'wrong_state'])
    expect((await done(calls.detail, { id: gone.id })).status).toBe('closed')
  })
})

describe('another name, category or place of a store', () => {
  it('waits for its audit while the old one stays live, and then replaces it', async () => {
    const { id, audited } = await trading()
    const at = await freshMall(database)
    const next = { ...audited, name: `${audited.name}新`, mid: at.id, floor_id: at.floor_id }
    await done(calls.submitChange, { ...(await held(id)), ...next })
    expect((await rowOf(id)).name).toBe(audited.name)
    const task = await taskOf(id)
    expect(task).toMatchObject({ kind: 'store_change', changed: ['name', 'mall_id', 'floor_id'] })
    const { store: shown } = await done(shopAudit.detail, { id: task.id }, anna)
    expect(shown.live).toEqual({ name: audited.name, mall_id: '商场外', floor_id: '—' })
    expect(shown.body).toMatchObject({ name: next.name, mall_id: at.name, floor_id: '1F' })
    await done(shopAudit.approve, one(task), anna)
    expect(await rowOf(id)).toMatchObject({
      name: next.name,
      mall_id: at.id,
      floor: '1F',
      status: 'open',
    })
    const { list } = await done(calls.viewHistory, { id })
    expect(list[0]).toMatchObject({
      state: 'approved',
      decider_name: anna.account,
      live: { name: audited.name },
    })
    await done(shopAudit.undo, { ids: [task.id] }, anna)
    expect(await rowOf(id)).toMatchObject({ name: audited.name, mall_id: 0, floor: null })
  })
  it('is asked for once at a time, and may be withdrawn', async () => {
    const { id, audited } = await trading()
    const next = { ...audited, name: `${audited.name}改` }
    await done(calls.submitChange, { ...(await held(id)), ...next })
    const second = await call(calls.submitChange, { ...(await held(id)), ...next })
    expect([second.status, second.data.rule]).toEqual([422, 'in_audit'])
    expect((await done(calls.detail, { id })).application).toMatchObject({
      kind: 'store_change',
      body: { name: next.name },
      live: { name: audited.name },
    })
    await done(calls.withdrawChange, await held(id))
    expect((await taskOf(id)).state).toBe('withdrawn')
    await done(calls.submitChange, { ...(await held(id)), ...next })
    expect((await call(calls.withdrawChange, { id, version: 99 })).status).toBe(409)
  })
  it('is nothing where nothing differs', async () => {
    const { id, audited } = await trading()
    expect((await call(calls.submitChange, { ...(await held(id)), ...audited })).status).toBe(400)
  })
  it('is refused where a product on sale may not be sold in the category', async () => {
    const { id, own, audited } = await trading()
    const narrow = await freshCategory(database, { kinds: ['voucher'] })
    const offer = await sellAt(database, own, [id])
    const next = { ...audited, category_id: narrow }
    const said = await call(calls.submitChange, { ...(await held(id)), ...next })
    expect(said.data.fields.category_id).toContain('1 件在售商品')
    await soldCode(database, offer)
    const impact = await done(calls.previewImpact, { id, category_id: narrow, mid: 1 })
    expect(impact).toMatchObject({ on_sale: 1, codes: 1, only_here: 1, goes_along: 1 })
    expect(impact.deals[0]).toMatchObject({ id: offer, fits: false, codes: 1 })
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, offer))
    await done(calls.submitChange, { ...(await held(id)), ...next })
    // It came on sale again meanwhile: whoever audits is refused as well.
    await database.db.update(product).set({ state: 'on_sale' }).where(eq(product.id, offer))
    const late = await call(shopAudit.approve, one(await taskOf(id)), anna)
    expect([late.status, late.data.rule]).toEqual([422, 'products_unfit'])
  })
  it('is never another city', async () => {
    const { id, audited } = await trading()
    const far = await freshMall(database, { city_id: 2 })
    const said = await call(calls.submitChange, { ...(await held(id)), ...audited, mid: far.id })
    expect(said.data.fields.mid).toContain('同城')
  })
  it('begins with what was asked for where more of it was wanted', async () => {
    const { id, audited } = await trading()
    await done(calls.submitChange, { ...(await held(id)), ...audited, name: `${audited.name}甲` })
    const asked = { items: ['store_place'], reason: '请补门牌照片' }
    await done(shopAudit.askMore, { ...one(await taskOf(id)), ...asked }, anna)
    const { name, application: open } = await done(calls.detail, { id })
    expect([name, open.state]).toEqual([`${audited.name}甲`, 'need_more'])
    await done(calls.submitChange, { ...(await held(id)), ...audited, name: `${audited.name}乙` })
    const task = await taskOf(id)
    expect(task).toMatchObject({ round: 2, state: 'pending' })
    const { store: shown } = await done(shopAudit.detail, { id: task.id }, anna)
    expect(shown.last).toEqual({ name: `${audited.name}甲` })
    const refused = { reason_code: 'other', reason: '名称与门头不符' }
    await done(shopAudit.reject, { ...one(task), ...refused }, anna)
    expect(await rowOf(id)).toMatchObject({ name: audited.name, status: 'open' })
  })
})
