import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { application } from '#src/areas/application/application.table.ts'
import {
  freight_template,
  merchant,
  return_address,
  store,
} from '#src/areas/merchant/merchant.table.ts'
import { shopRate } from '#src/areas/merchant/onlineShops.server.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { freightFor } from '#src/areas/shipping/freight.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { eCategoryConfig } from '#src/modules/config/contract/eCategoryConfig.ts'
import { shopAudit } from '#src/modules/shop/contract/audit.ts'
import { shopAdd as add } from '#src/modules/stores/contract/addStores.ts'
import { shopEdit as edit } from '#src/modules/stores/contract/editStores.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshStore, sellAt } from '../../help/merchants.ts'
import { freshECategory, freshShipping, freshShop } from '../../help/shops.ts'
import { freshMall } from '../../help/stores.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let bd: Person
let anna: Person
beforeAll(async () => {
  database = await openCopy({ poolSize: 10 })
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
  (
    await database.db
      .select()
      .from(application)
      .where(eq(application.store_id, id))
      .orderBy(desc(application.id))
      .limit(1)
  )[0]!
const decided = async (id: number, how: 'approve' | 'reject' = 'approve') => {
  const task = await taskOf(id)
  const one = { id: task.id, version: task.version }
  const why = how === 'reject' ? { reason_code: 'other', reason: '店标不清晰' } : {}
  return done(shopAudit[how], { ...one, ...why }, anna)
}
let made = 0
const hours = {
  week: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '21:00' }],
  holidays: [],
}
const return_to = {
  name: '张仓',
  phone: '13700001111',
  area: '浙江省杭州市西湖区',
  address: '文三路 1 号',
}
/** The fields of a whole shop of a merchant, as its form sends them. */
const whole = async (
  own: Awaited<ReturnType<typeof freshMerchant>>,
  more: object = {},
  category: Parameters<typeof freshECategory>[1] = {},
) => ({
  merchant_id: own.id,
  city_id: 1,
  shop_type: 'flagship',
  name: `表单网店Q${++made}`,
  category_ids: [await freshECategory(database, category)],
  logo: 'demo/a.webp',
  phone: '021-55550000',
  hours,
  ship_area: '浙江省杭州市',
  freight_template_id: (await freshShipping(database, own)).freight_template_id,
  return_to,
  invoice: 'plain',
  ...more,
})
const owner = () => freshMerchant(database, { bd_admin_id: bd.id })

describe('a draft of an online shop', () => {
  it('is kept with what there is of it, is its maker’s alone, and is submitted complete', async () => {
    const own = await owner()
    const { merchant_id, city_id, shop_type, name, category_ids } = await whole(own)
    const bare = { merchant_id, city_id, shop_type, name, category_ids }
    const draft = await done(add.saveDraft, bare)
    expect(await rowOf(draft.id)).toMatchObject({
      kind: 'online',
      status: 'draft',
      draft_by: bd.id,
      category_id: category_ids[0],
    })
    expect((await call(add.detail, { id: draft.id }, anna)).status).toBe(404)
    const said = await call(add.submit, { ...bare, ...draft })
    expect([said.status, said.data.rule]).toEqual([422, 'incomplete'])
    expect(said.message).toContain('退货地址')
    const { id } = await done(add.submit, { ...(await whole(own)), ...draft, name })
    expect(await rowOf(id)).toMatchObject({ status: 'auditing', open_hours: '09:00-21:00' })
    expect(await taskOf(id)).toMatchObject({ kind: 'eshop', title: name, state: 'pending' })
  })
  it('has a return address from the province to the street, with a phone', async () => {
    const own = await owner()
    const wrong = { name: '', phone: '1', area: '浙江省杭州市', address: '' }
    const said = await call(add.saveDraft, await whole(own, { return_to: wrong }))
    expect(Object.keys(said.data.fields).sort()).toEqual([
      'return_address',
      'return_area',
      'return_name',
      'return_phone',
    ])
    const one = await done(add.saveDraft, await whole(own))
    const other = await done(add.saveDraft, await whole(own))
    const [first, second] = [await rowOf(one.id), await rowOf(other.id)]
    expect(first.return_address_id).toBe(second.return_address_id)
    const [to] = await database.db
      .select()
      .from(return_address)
      .where(eq(return_address.id, first.return_address_id!))
    expect(to).toMatchObject({ merchant_id: own.id, ...return_to })
  })
  it('is of a merchant that trades and has the licences of its categories', async () => {
    const own = await owner()
    const strict = await whole(own, {}, { licences: ['酒类流通备案'] })
    expect((await call(add.submit, strict)).data.fields.category_ids).toContain('酒类流通备案')
    const over = [{ name: '酒类流通备案', no: 'A1', expire_at: unixNow() - 1 }]
    await database.db.update(merchant).set({ licenses: over }).where(eq(merchant.id, own.id))
    expect((await call(add.submit, strict)).status).toBe(400)
    const standing = { merchant_id: own.id, category_ids: strict.category_ids }
    expect((await done(add.standing, standing)).licences).toEqual([
      { name: '酒类流通备案', held: false },
    ])
    await database.db.update(merchant).set({ status: 'frozen' }).where(eq(merchant.id, own.id))
    expect((await call(add.saveDraft, strict)).data.fields.merchant_id).toBeDefined()
  })
  it('gives a reason for a rate below that of its main category', async () => {
    const own = await owner()
    const low = await whole(own, { commission_bp: 500 }, { commission_bp: 800 })
    expect((await call(add.submit, low)).data.fields.commission_reason).toContain('8%')
    const { id } = await done(add.submit, { ...low, commission_reason: '首年扶持' })
    expect((await taskOf(id)).flags).toContain('rate_below')
    expect(await shopRate(database.db, id)).toEqual({ commission_bp: 500 })
    const usual = await done(add.submit, await whole(own, {}, { commission_bp: 800 }))
    expect(await shopRate(database.db, usual.id)).toEqual({})
  })
  it('is the one self-run shop of its mall, and the one of its name of its merchant', async () => {
    const [own, other] = [await owner(), await owner()]
    const at = await freshMall(database)
    const mine = await whole(own, { shop_type: 'self_run', mid: at.id })
    await done(add.submit, mine)
    const again = await whole(other, { shop_type: 'self_run', mid: at.id })
    expect((await call(add.saveDraft, again)).data.fields.mid).toContain('自营店')
    expect((await call(add.saveDraft, await whole(own, { shop_type: 'mall' }))).status).toBe(400)
    const named = await whole(own, { name: ` ${mine.name.toUpperCase()} ` })
    expect((await call(add.saveDraft, named)).data.fields.name).toContain('同名')
    expect(await done(add.checkName, { name: mine.name, merchant_id: own.id })).toMatchObject({
      same: { name: mine.name },
      others: [],
    })
    const theirs = await done(add.checkName, { name: mine.name, merchant_id: other.id })
    expect(theirs).toMatchObject({ same: null, others: [{ name: mine.name }] })
    await done(add.saveDraft, await whole(other, { name: mine.name }))
  })
  it('is one, whoever presses twice', async () => {
    const body = await whole(await owner())
    const said = await Promise.all([call(add.submit, body), call(add.submit, body)])
    expect(said.map(one => one.status).filter(status => status === 200)).toHaveLength(1)
    const rows = await database.db.select().from(store).where(eq(store.name, body.name))
    expect(rows).toHaveLength(1)
  })
  it('begins with the data of a store', async () => {
    const own = await owner()
    const from = await freshStore(database, own, { logo: 'demo/b.webp' })
    expect(await done(add.importFromStore, { store_id: from.id })).toMatchObject({
      merchant_id: own.id,
      name: from.name,
      logo: 'demo/b.webp',
      phone: from.phone,
    })
  })
})

describe('a decision of a new shop', () => {
  it('lets it rest until somebody opens it, or gives it back as a draft', async () => {
    const { id } = await done(add.submit, await whole(await owner()))
    await decided(id)
    expect(await rowOf(id)).toMatchObject({ status: 'resting' })
    const refused = await done(add.submit, await whole(await owner()))
    await decided(refused.id, 'reject')
    expect(await rowOf(refused.id)).toMatchObject({ status: 'draft', status_reason: '店标不清晰' })
    expect((await done(edit.viewHistory, { id: refused.id })).list).toMatchObject([
      { kind: 'eshop', state: 'rejected' },
    ])
  })
  it('reads as its auditor sees it, in words', async () => {
    const body = await whole(await owner())
    const { id } = await done(add.submit, body)
    const { store: shown, findings } = await done(
      shopAudit.detail,
      { id: (await taskOf(id)).id },
      anna,
    )
    expect(shown.body).toMatchObject({
      name: body.name,
      shop_type: '品牌旗舰店',
      return_address_id: '浙江省杭州市西湖区文三路 1 号 张仓 13700001111',
    })
    expect([shown.images, findings]).toEqual([['demo/a.webp'], []])
  })
})

/** An open shop with what its forms send of it. */
const trading = async (status: 'open' | 'closed' = 'open') => {
  const own = await owner()
  const shop = await freshShop(database, own, { status, logo: 'demo/a.webp' })
  const { name, category_ids, freight_template_id } = shop
  const live = {
    logo: 'demo/a.webp',
    phone: '021-55550000',
    hours,
    ship_area: '浙江省杭州市',
    freight_template_id,
    return_to,
    invoice: 'plain',
  }
  return { own, id: shop.id, live, audited: { name, category_ids } }
}
describe('a change of an online shop', () => {
  it('of what buyers are told holds at once, and is never left incomplete', async () => {
    const { id, live } = await trading()
    await done(edit.save, { ...(await held(id)), ...live, phone: '400-820-8820' })
    expect(await rowOf(id)).toMatchObject({ phone: '4008208820', open_hours: '09:00-21:00' })
    const said = await call(edit.save, { ...(await held(id)), ...live, return_to: null })
    expect(said.data.rule).toBe('incomplete')
    expect(await taskOf(id)).toBeUndefined()
  })
  it('of its name, categories or rate waits, one at a time, while the old stay live', async () => {
    const { id, audited } = await trading()
    const next = { ...audited, name: `${audited.name}新`, commission_bp: 900 }
    const none = await call(edit.submitChange, { ...(await held(id)), ...audited })
    expect(none.data.fields.name).toContain('没有修改')
    await done(edit.submitChange, { ...(await held(id)), ...next })
    expect((await rowOf(id)).name).toBe(audited.name)
    const again = await call(edit.submitChange, { ...(await held(id)), ...next, name: '另一个' })
    expect(again.data.rule).toBe('in_audit')
    expect((await done(edit.detail, { id })).application).toMatchObject({
      kind: 'eshop_change',
      body: { name: next.name, commission_bp: '9%' },
      live: { name: audited.name, commission_bp: '按分类默认' },
    })
    await done(edit.withdrawChange, await held(id))
    await done(edit.submitChange, { ...(await held(id)), ...next })
    await decided(id)
    expect(await rowOf(id)).toMatchObject({ name: next.name, commission_bp: 900, status: 'open' })
    const { list } = await done(edit.viewHistory, { id })
    expect(list).toMatchObject([
      { state: 'approved', live: { name: audited.name } },
      { state: 'withdrawn' },
    ])
  })
  it('takes no category away whose goods are on sale, also not when it is approved', async () => {
    const { own, id, audited } = await trading()
    const sold = await sellAt(database, own, [id])
    const category_ids = [await freshECategory(database)]
    const next = async () => ({ ...(await held(id)), ...audited, category_ids })
    await database.db
      .update(product)
      .set({ category_id: audited.category_ids[0]! })
      .where(eq(product.id, sold))
    expect((await call(edit.submitChange, await next())).data.fields.category_ids).toContain(
      '在售商品',
    )
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, sold))
    await done(edit.submitChange, await next())
    await database.db.update(product).set({ state: 'on_sale' }).where(eq(product.id, sold))
    const task = await taskOf(id)
    const said = await call(shopAudit.approve, { id: task.id, version: task.version }, anna)
    expect(said.data.rule).toBe('products_unfit')
  })
  it('is made by a merge of its categories, which stay in their order', async () => {
    const { id, audited } = await trading()
    const [first, second] = [await freshECategory(database), await freshECategory(database)]
    const category_ids = [first, audited.category_ids[0]!, second]
    await database.db
      .update(store)
      .set({ category_ids, category_id: first })
      .where(eq(store.id, id))
    await done(eCategoryConfig.mergeInto, {
      id: first,
      version: 0,
      target_id: second,
      reason: '重复',
    })
    expect(await rowOf(id)).toMatchObject({
      category_id: second,
      category_ids: [second, audited.category_ids[0]],
    })
  })
  it('is refused of a closed shop, and to whoever read it before somebody else saved', async () => {
    const closed = await trading('closed')
    const said = await call(edit.save, { ...(await held(closed.id)), ...closed.live })
    expect(said.data.rule).toBe('wrong_state')
    const { id, live } = await trading()
    const before = await held(id)
    await done(edit.save, { ...before, ...live, phone: '400-820-8820' })
    const late = await call(edit.save, { ...before, ...live }, anna)
    expect([late.status, late.data.rule]).toEqual([409, 'stale'])
  })
  it('of its template is what goods without one of their own are sent by from then on', async () => {
    const { own, id, live } = await trading()
    const sold = await sellAt(database, own, [id])
    const [like] = await database.db.select().from(product_version).limit(1)
    const { freight_template_id: _, ...body } = like!.body
    await database.db.insert(product_version).values({
      product_id: sold,
      no: 1,
      body: { ...body, store_ids: [id] },
      changed: [],
      state: 'live',
    })
    const asked = () =>
      freightFor(database.db, {
        rules: { no_delivery: [] },
        area: '浙江省杭州市西湖区',
        lines: [{ product_id: sold, qty: 1, price_cents: 1000 }],
      })
    expect(await asked()).toBe(700)
    const dear = await freshShipping(database, own)
    await database.db
      .update(freight_template)
      .set({ regions: sql`jsonb_set(regions, '{0,first_cents}', '1500')` })
      .where(
        and(
          eq(freight_template.id, dear.freight_template_id),
          eq(freight_template.merchant_id, own.id),
        ),
      )
    const next = { ...live, freight_template_id: dear.freight_template_id }
    await done(edit.save, { ...(await held(id)), ...next })
    expect(await asked()).toBe(1500)
    const theirs = await freshShipping(database, await owner())
    const foreign = { ...live, freight_template_id: theirs.freight_template_id }
    const said = await call(edit.save, { ...(await held(id)), ...foreign })
    expect(said.data.fields.freight_template_id).toBeDefined()
  })
})
