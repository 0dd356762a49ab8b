import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { standardCouriers } from '#src/areas/shipping/standardCouriers.ts'
import { unixNow } from '#src/domain/time.ts'
import { courierCompany as calls } from '#src/modules/config/contract/courierCompany.ts'
import { settings } from '#src/modules/order/contract/settings.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
let made = 0
/** A courier of its own for a test, which nothing uses. */
const added = async (more: object = {}) => {
  const code = `made-${++made}`
  const said = await call(calls.create, { name: `测试快递${made}`, code, ...more })
  expect(said.status, said.message).toBe(200)
  const { id, version } = said.data as { id: number; version: number }
  return { id, code, name: `测试快递${made}`, held: { id, version } }
}
const rowOf = async (id: number) =>
  (await database.db.select().from(courier).where(eq(courier.id, id)))[0]!
/** A parcel that goes by a courier, `ago` seconds before now. */
const parcelBy = async (code: string, state: 'transit' | 'problem' | 'void', ago = 60) => {
  const [one] = await database.db.select().from(order).limit(1)
  await database.db.insert(shipment).values({
    order_id: one!.id,
    kind: one!.kind,
    ordered_at: one!.created_at,
    courier: code,
    tracking_no: `MADE${++made}`,
    items: [],
    state,
    shipped_at: now - ago,
  })
}
const DAY = 86_400

describe('a courier', () => {
  it.each([
    ['a pattern that can’t be read', { pattern: '(SF' }, 'pattern'],
    ['a pattern that runs away', { pattern: '(A+)+' }, 'pattern'],
    ['a sample of another form', { pattern: 'ZZ\\d{4}', sample: 'ZZ12' }, 'sample'],
    ['a form without a sample', { pattern: 'ZZ\\d{4}' }, 'sample'],
    ['a phone that is none', { phone: '12' }, 'phone'],
    ['a province that is none', { areas: ['999999'] }, 'areas'],
    ['the name of another', { name: '顺丰速运' }, 'name'],
    ['a code of other letters', { code: '顺丰' }, 'code'],
    ['the code of another', { code: 'shunfeng' }, 'code'],
  ])('with %s is refused at the field', async (_, fields, at) => {
    const said = await call(calls.create, { name: '没有的快递', code: 'nobody', ...fields })
    expect(said.status).toBeGreaterThanOrEqual(400)
    expect(Object.keys(said.data.fields)).toEqual([at])
  })
  it('is found by its name, its code, and a number of its form while it is in use', async () => {
    const own = await added({ pattern: 'QQX\\d{5}', sample: 'QQX12345' })
    const found = async (keyword: string) =>
      (await call(calls.lst, { keyword })).data.list.map((row: { id: number }) => row.id)
    expect(await found(own.name)).toEqual([own.id])
    expect(await found(own.code)).toContain(own.id)
    expect(await found('qqx 12345')).toEqual([own.id])
    await call(calls.disable, { ...own.held, reason: '不再合作' })
    expect(await found('QQX12345')).toEqual([])
  })
  it('counts the parcels of thirty days and those in trouble, and none that was taken back', async () => {
    const own = await added()
    for (const state of ['transit', 'transit', 'transit', 'problem', 'void'] as const)
      await parcelBy(own.code, state)
    await parcelBy(own.code, 'problem', 31 * DAY)
    const { list } = (await call(calls.lst, { keyword: own.code })).data
    expect([list[0].used_30d, list[0].failed_30d]).toEqual([4, 1])
  })
  it('changed by somebody else meanwhile is not overwritten', async () => {
    const own = await added()
    const edit = (name: string) => call(calls.edit, { ...own.held, name, phone: '95338' })
    expect((await edit('改名快递一')).status).toBe(200)
    expect((await edit('改名快递二')).status).toBe(409)
    expect((await rowOf(own.id)).name).toBe('改名快递一')
  })
  it('that parcels went by is disabled, and not deleted; one without is deleted', async () => {
    const used = await added()
    await parcelBy(used.code, 'transit')
    expect((await call(calls.del, used.held)).message).toContain('停用')
    const free = await added()
    expect((await call(calls.del, free.held)).status).toBe(200)
    expect(await rowOf(free.id)).toBeUndefined()
  })
  it('whose account a waybill names keeps its name', async () => {
    const own = await added()
    const sender = {
      name: '仓库',
      phone: '13800138000',
      area: '310000',
      address: '浦东新区世纪大道 1 号',
      courier: own.name,
      customer_no: '0210001',
      is_default: false,
    }
    const kinds = (await call(settings.lst)).data.list as { kind: string; version_no: number }[]
    const set = await call(settings.setSender, {
      kind: 'elist',
      version_no: kinds.find(one => one.kind === 'elist')!.version_no,
      at: null,
      sender,
      reason: '月结账号',
    })
    expect(set.status, set.message).toBe(200)
    const renamed = await call(calls.edit, { ...own.held, name: '另一个名称' })
    expect(renamed.message).toContain('订单设置')
    expect((await call(calls.del, own.held)).message).toContain('订单设置')
  })
})

describe('the default courier', () => {
  const theDefault = async () =>
    (await database.db.select().from(courier).where(eq(courier.is_default, true))).map(
      one => one.id,
    )
  it('is one, in use; the one before it is the default no more', async () => {
    const [one, other] = [await added(), await added()]
    await call(calls.setDefault, one.held)
    expect(await theDefault()).toEqual([one.id])
    expect((await call(calls.setDefault, other.held)).status).toBe(200)
    expect(await theDefault()).toEqual([other.id])
    const held = { id: other.id, version: (await rowOf(other.id)).version }
    expect((await call(calls.setDefault, held)).message).toContain('已是')
    expect((await call(calls.disable, { ...held, reason: '不再合作' })).message).toContain('默认')
    expect((await call(calls.del, held)).message).toContain('默认')
  })
  it('is none that is disabled', async () => {
    const own = await added()
    const off = await call(calls.disable, { ...own.held, reason: '不再合作' })
    const said = await call(calls.setDefault, { id: own.id, version: off.data.version })
    expect(said.message).toContain('启用')
    expect(await theDefault()).not.toContain(own.id)
  })
  it('is still one when two are chosen at once', async () => {
    const two = [await added(), await added()]
    await Promise.all(two.map(one => call(calls.setDefault, one.held)))
    expect(await theDefault()).toHaveLength(1)
  })
})

describe('the order of couriers', () => {
  it('is saved as a whole, from the order that was read', async () => {
    const { arranged, list_version } = (await call(calls.lst)).data
    const ids = arranged.map((one: { id: number }) => one.id)
    const turned = ids.toReversed()
    expect((await call(calls.sort, { order: ids.slice(1), list_version })).status).toBe(400)
    expect((await call(calls.sort, { order: turned, list_version })).status).toBe(200)
    expect((await call(calls.sort, { order: ids, list_version })).status).toBe(409)
    const { list } = (await call(calls.lst, { pageSize: 200 })).data
    expect(list.map((one: { id: number }) => one.id)).toEqual(turned)
  })
})

describe('a waybill account', () => {
  it('never shows its secret again, in no answer and no log; without a new one the old stays', async () => {
    const own = await added()
    const bound = await call(calls.bindAccount, {
      ...own.held,
      account_no: '0219876',
      account_secret: 'whisper-me-not',
    })
    const shown = (await call(calls.lst, { keyword: own.code })).text
    expect(shown).toContain('0219876')
    const logged = await database.db.select().from(op_log).where(eq(op_log.object_id, own.id))
    expect(bound.text + shown + JSON.stringify(logged)).not.toContain('whisper')
    const again = await call(calls.bindAccount, {
      id: own.id,
      version: bound.data.version,
      account_no: '0210000',
    })
    expect((await rowOf(own.id)).account_secret).toBe('whisper-me-not')
    await call(calls.bindAccount, { id: own.id, version: again.data.version, account_no: '' })
    expect(await rowOf(own.id)).toMatchObject({ account_no: '', account_secret: '' })
  })
})

describe('the standard couriers', () => {
  it('come disabled where they are missing; names and phones are corrected, forms stay', async () => {
    const [gone, wrong] = standardCouriers.slice(-2) as [
      (typeof standardCouriers)[number],
      (typeof standardCouriers)[number],
    ]
    await database.db.delete(courier).where(eq(courier.code, gone.code))
    await database.db
      .update(courier)
      .set({ name: '旧名称', pattern: 'OWN\\d{4}', sample: 'OWN1234' })
      .where(eq(courier.code, wrong.code))
    expect((await call(calls.sync, { correct: false })).data).toMatchObject({
      added: 1,
      renamed: 0,
    })
    expect((await call(calls.sync, { correct: true })).data).toMatchObject({ added: 0, renamed: 1 })
    const byCode = new Map((await database.db.select().from(courier)).map(one => [one.code, one]))
    expect(byCode.get(gone.code)).toMatchObject({ name: gone.name, status: 'off' })
    expect(byCode.get(wrong.code)).toMatchObject({ name: wrong.name, pattern: 'OWN\\d{4}' })
    expect((await call(calls.sync, { correct: true })).data).toMatchObject({ added: 0, renamed: 0 })
  })
})

describe('the tracking that is tried', () => {
  it('tells what the service says; a number that is none is refused at the field', async () => {
    const own = await added()
    const told = await call(calls.testTrack, { id: own.id, tracking_no: ' sf 1438270956123 ' })
    expect(told.data).toMatchObject({ ok: true, tracking_no: 'SF1438270956123' })
    const bad = await call(calls.testTrack, { id: own.id, tracking_no: '3.3E12' })
    expect(Object.keys(bad.data.fields)).toEqual(['tracking_no'])
    const [logged] = await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.object_id, own.id))
      .orderBy(op_log.id)
      .then(rows => rows.slice(-1))
    expect(logged!.action).toBe('config.courierCompany.testTrack')
  })
})
