import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { and, eq, inArray, notExists, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BANNER_LIVE_MAX } from '#src/areas/content/banner.ts'
import {
  banner as banners,
  banner_city,
  city_setting,
  page_link,
  service_contact,
  share_card,
  share_visit,
} from '#src/areas/content/content.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { linkPicks } from '#src/contract/link.ts'
import { places } from '#src/contract/places.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { banner } from '#src/modules/system/contract/banner.ts'
import { city as cityCalls } from '#src/modules/system/contract/city.ts'
import { settings } from '#src/modules/system/contract/citySettings.ts'
import { customer } from '#src/modules/system/contract/customer.ts'
import { hlink } from '#src/modules/system/contract/hlink.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import { share } from '#src/modules/system/contract/share.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenOfAccount, type Said } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let admin: string
/** The token of a person of Hangzhou alone. */
let local: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  admin = await tokenOfAccount(database, 'admin')
  local = (await addStaff(database, { perms: ['*'], role: { scope_type: 'city', scope_ids: [2] } }))
    .token
})
const now = unixNow()
const DAY = 86_400
const ok = (said: Said) => {
  expect([said.status, said.message, JSON.stringify(said.data).slice(0, 300)]).toEqual([
    200,
    expect.any(String),
    expect.any(String),
  ])
  return said.data
}
const call = (of: Parameters<typeof send>[1], input: object = {}, token = admin) =>
  send(app, of, input, { token })
const rule = (said: Said) => [said.status, said.data?.rule]
const cityOf = async (id: number) =>
  (await database.db.select().from(city).where(eq(city.id, id)))[0]!
const logsOf = (object_type: string, id: number) =>
  database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_type, object_type), eq(op_log.object_id, id)))
    .orderBy(op_log.id)
let pictures = 0
const picture = async (width: number, height: number, size_bytes = 60_000) => {
  const file_key = `test/p${++pictures}.webp`
  await database.db.insert(upload).values({
    file_key,
    mime: 'image/webp',
    size_bytes,
    width,
    height,
    sha256: `${pictures}`.padStart(64, '0'),
  })
  return file_key
}
const plainLink = async () =>
  (
    await database.db
      .select()
      .from(page_link)
      .where(and(eq(page_link.path, 'pages/coupon/index')))
  )[0]!

describe('cities', () => {
  it('offer filters the open and paused ones by pinyin as a plain array of id and name, and managers the whole list', async () => {
    const simple = ok(await call(places.cities, { simp: 1, page: 1, pageSize: 100 })) as {
      id: number
      city_name: string
    }[]
    expect(simple.map(one => Object.keys(one))).toEqual(simple.map(() => ['id', 'city_name']))
    const rows = await database.db.select().from(city)
    expect(new Set(simple.map(one => one.id))).toEqual(
      new Set(rows.filter(row => row.status !== 'preparing').map(row => row.id)),
    )
    expect(simple.map(one => rows.find(row => row.id === one.id)!.pinyin)).toEqual(
      rows
        .filter(row => row.status !== 'preparing')
        .map(row => row.pinyin)
        .sort(),
    )
    const list = ok(await call(cityCalls.list, { pageSize: 100 }))
    expect(list.total).toBe(rows.length)
    expect(list.list[0]).toMatchObject({
      id: 1,
      city_id: 1,
      city_name: '上海',
      adcode: '310000',
      is_default: true,
      status: 'open',
      checklist: [
        { key: 'mall', ok: true },
        { key: 'banner', ok: true },
        { key: 'home', ok: true },
        { key: 'contact', ok: true },
      ],
    })
    expect(list.list[0].mall_count).toBe(
      (await database.db.select().from(mall).where(eq(mall.city_id, 1))).length,
    )
    const nobody = (await addStaff(database, { perms: ['audit.bulks.view'] })).token
    expect(ok(await call(cityCalls.list, {}, nobody))).toEqual(simple)
    expect((await call(places.cities, { simp: 1 }, nobody)).status).toBe(200)
    expect(
      ok(await call(cityCalls.list, {}, local)).list.map((row: { id: number }) => row.id),
    ).toEqual([2])
  })
  it('know the division table, and which of it is added', async () => {
    const table = ok(await call(cityCalls.getCityData)) as {
      name: string
      children: {
        adcode: string
        city_name: string
        initial: string
        lng: string | null
        city_id: number
      }[]
    }[]
    const all = table.flatMap(one => one.children)
    expect(all.length).toBeGreaterThan(337)
    expect(all.find(one => one.adcode === '330100')).toMatchObject({
      city_name: '杭州',
      initial: 'H',
      city_id: 2,
    })
    expect(all.find(one => one.adcode === '500000')).toMatchObject({
      city_name: '重庆',
      initial: 'C',
      city_id: 0,
    })
  })
  it('show one city with its settings and who looks after it', async () => {
    const data = ok(await call(cityCalls.getCityData, { id: 2 }))
    expect(data).toMatchObject({
      id: 2,
      city_name: '杭州',
      settings: { block_order: expect.any(Array) },
    })
    expect(data.admin_names).toEqual(expect.any(Array))
    expect((await call(cityCalls.getCityData, { id: 1 }, local)).status).toBe(404)
  })
  const add = (more: object = {}) =>
    call(cityCalls.add, {
      adcode: '370200',
      city_name: '青岛',
      initial: 'Q',
      lng: '120.383',
      lat: '36.067',
      ...more,
    })
  it('are added once by code and by name, with a pin inside China, and begin in preparation', async () => {
    const made = ok(await add())
    expect(made.status).toBe('preparing')
    expect(await cityOf(made.id)).toMatchObject({ pinyin: 'qingdao', status: 'preparing' })
    expect(rule(await add({ city_name: '青岛二' }))).toEqual([422, 'city_exists'])
    expect(rule(await add({ adcode: '370300' }))).toEqual([422, 'city_exists'])
    expect(
      (await add({ adcode: '370400', city_name: '枣庄', lng: '2.35', lat: '48.85' })).status,
    ).toBe(400)
    expect((await add({ adcode: '999999', city_name: '无此地' })).status).toBe(400)
    expect(
      (
        await call(
          cityCalls.add,
          { adcode: '370600', city_name: '烟台', initial: 'Y', lng: '121.4', lat: '37.4' },
          local,
        )
      ).status,
    ).toBe(422)
  })
  it('open only with a mall on shelf, a banner, saved settings and a contact: what is missing is listed; and then they do', async () => {
    const [fresh] = await database.db.select().from(city).where(eq(city.adcode, '370200'))
    const refused = await call(cityCalls.open, {
      id: fresh!.id,
      version: fresh!.version,
      reason: '开城准备就绪',
    })
    expect(rule(refused)).toEqual([422, 'checklist'])
    // National contacts serve it already.
    expect(refused.data.missing).toEqual(['mall', 'banner', 'home'])
    await database.db.insert(mall).values({
      name: '青岛中心',
      pinyin: 'qingdaozhongxin',
      short_name: '青岛中心',
      kind: 'mall',
      city_id: fresh!.id,
      district: '市南区',
      address: '香港中路 1 号',
      open_hours: [],
      status: 'online',
    })
    const data = ok(await call(cityCalls.getCityData, { id: fresh!.id }))
    ok(
      await call(settings.edit, {
        city_id: fresh!.id,
        version: data.settings_version,
        settings: data.settings,
      }),
    )
    const link = await plainLink()
    ok(
      await call(banner.create, {
        title: '青岛开城',
        position: 'home',
        image: await picture(800, 400),
        page_link_id: link.id,
        city_ids: [fresh!.id],
        start_at: now,
        end_at: now + 30 * DAY,
        status: 'online',
      }),
    )
    const opened = ok(
      await call(cityCalls.open, {
        id: fresh!.id,
        version: fresh!.version,
        reason: '开城准备就绪',
      }),
    )
    expect(opened.status).toBe('open')
    expect(await cityOf(fresh!.id)).toMatchObject({ status: 'open', opened_at: expect.any(Number) })
    expect((await logsOf('city', fresh!.id)).at(-1)).toMatchObject({
      action: 'system.city.open',
      before: { status: 'preparing' },
      after: { status: 'open' },
      reason: '开城准备就绪',
    })
    // Opened again, it says so; and whoever read it before is told who was quicker.
    expect(
      rule(
        await call(cityCalls.open, { id: fresh!.id, version: opened.version, reason: '再来一次' }),
      ),
    ).toEqual([422, 'wrong_state'])
    const late = await call(cityCalls.pause, {
      id: fresh!.id,
      version: fresh!.version,
      reason: '装修',
    })
    expect(rule(late)).toEqual([409, 'stale'])
    expect(late.message).toContain('林知远')
    expect(late.data.current.id).toBe(fresh!.id)
  })
  it("lack a contact while any scene has nobody, own or national; another city's and a mall's do not count", async () => {
    const contactOk = async (id: number) =>
      (
        ok(await call(cityCalls.getCityData, { id })).checklist as { key: string; ok: boolean }[]
      ).find(one => one.key === 'contact')!.ok
    const national = await database.db
      .update(service_contact)
      .set({ status: 'off' })
      .where(
        and(
          eq(service_contact.scene, 'complaint'),
          sql`city_id is null`,
          eq(service_contact.status, 'on'),
        ),
      )
      .returning({ id: service_contact.id })
    expect(national.length).toBeGreaterThan(0)
    expect(await contactOk(8)).toBe(false)
    const [row] = await database.db.select().from(city).where(eq(city.id, 8))
    expect(
      (await call(cityCalls.open, { id: 8, version: row!.version, reason: '开城准备就绪' })).data
        .missing,
    ).toContain('contact')
    const [own] = await database.db
      .insert(service_contact)
      .values({ scene: 'complaint', city_id: 8, mall_id: 99, type: 'phone', value: '13800138000' })
      .returning()
    expect(await contactOk(8)).toBe(false)
    await database.db
      .update(service_contact)
      .set({ mall_id: 0 })
      .where(eq(service_contact.id, own!.id))
    expect(await contactOk(8)).toBe(true)
    await database.db.delete(service_contact).where(eq(service_contact.id, own!.id))
    await database.db
      .update(service_contact)
      .set({ status: 'on' })
      .where(
        inArray(
          service_contact.id,
          national.map(one => one.id),
        ),
      )
  })
  it('paused are hidden from buyers, but stay in every filter and their codes stay redeemable', async () => {
    const nanjing = await cityOf(3)
    const before = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from order_code c join "order" o on o.id = c.order_id where o.city_id = 3 and c.state = 'unused'`,
    )
    ok(await call(cityCalls.pause, { id: 3, version: nanjing.version, reason: '商场整修' }))
    expect((await cityOf(3)).status).toBe('paused')
    expect(
      (ok(await call(places.cities, { simp: 1 })) as { id: number }[]).map(one => one.id),
    ).toContain(3)
    const after = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from order_code c join "order" o on o.id = c.order_id where o.city_id = 3 and c.state = 'unused'`,
    )
    expect(after.rows).toEqual(before.rows)
    ok(
      await call(cityCalls.edit, {
        id: 3,
        version: (await cityOf(3)).version,
        to_status: 'open',
        reason: '恢复',
      }),
    )
  })
  it('have exactly one default, which is open: another takes it over, and it can neither be paused nor given away to none', async () => {
    const wuhan = await cityOf(7)
    expect(rule(await call(cityCalls.setDefault, { id: 7, version: wuhan.version }))).toEqual([
      422,
      'wrong_state',
    ])
    ok(await call(cityCalls.setDefault, { id: 2, version: (await cityOf(2)).version }))
    expect(
      (await database.db.select({ id: city.id }).from(city).where(eq(city.is_default, true))).map(
        row => row.id,
      ),
    ).toEqual([2])
    expect(
      rule(
        await call(cityCalls.pause, { id: 2, version: (await cityOf(2)).version, reason: '测试' }),
      ),
    ).toEqual([422, 'wrong_state'])
    expect(
      rule(
        await call(cityCalls.edit, {
          id: 2,
          version: (await cityOf(2)).version,
          is_default: false,
        }),
      ),
    ).toEqual([422, 'one_default'])
    ok(await call(cityCalls.edit, { id: 1, version: (await cityOf(1)).version, is_default: true }))
    expect(
      (await database.db.select({ id: city.id }).from(city).where(eq(city.is_default, true))).map(
        row => row.id,
      ),
    ).toEqual([1])
  })
  it("change their state by the verb's own right only", async () => {
    const editor = (await addStaff(database, { perms: ['system.city.edit'] })).token
    const row = await cityOf(4)
    expect(
      (
        await call(
          cityCalls.edit,
          { id: 4, version: row.version, to_status: 'paused', reason: '测试' },
          editor,
        )
      ).status,
    ).toBe(403)
    expect((await cityOf(4)).version).toBe(row.version)
    ok(
      await call(
        cityCalls.edit,
        { id: 4, version: row.version, lng: '120.6', lat: '31.3' },
        editor,
      ),
    )
  })
  it('are deleted only in preparation and without malls, stores, orders or scopes, which are counted; and deleting again is no fault', async () => {
    expect(rule(await call(cityCalls.del, { id: 2 }))).toEqual([422, 'not_preparing'])
    expect(rule(await call(cityCalls.del, { id: 1 }))).toEqual([422, 'is_default'])
    const refused = await call(cityCalls.del, { id: 8 })
    expect(rule(refused)).toEqual([422, 'has_data'])
    expect(refused.data.malls).toBeGreaterThan(0)
    const made = ok(
      await call(cityCalls.add, {
        adcode: '370700',
        city_name: '潍坊',
        initial: 'W',
        lng: '119.16',
        lat: '36.7',
      }),
    )
    const manager = await addStaff(database, {
      perms: [],
      role: { scope_type: 'city', scope_ids: [made.id] },
    })
    expect((await call(cityCalls.del, { id: made.id })).data.staff).toBe(1)
    await database.db.execute(sql`update role set scope_ids = '[]' where id = ${manager.role_id}`)
    // Whatever refers to a city is data of it, of modules that come later too.
    await database.db.execute(
      sql`update merchant set city_id = ${made.id} where id = (select max(id) from merchant)`,
    )
    expect((await call(cityCalls.del, { id: made.id })).data).toMatchObject({
      rule: 'has_data',
      merchants: 1,
    })
    await database.db.execute(sql`update merchant set city_id = 1 where city_id = ${made.id}`)
    await database.db.execute(
      sql`update live_room set city_id = ${made.id} where id = (select max(id) from live_room)`,
    )
    expect((await call(cityCalls.del, { id: made.id })).data).toMatchObject({
      rule: 'has_data',
      banners: 1,
    })
    await database.db.execute(sql`update live_room set city_id = 1 where city_id = ${made.id}`)
    expect(ok(await call(cityCalls.del, { id: made.id }))).toEqual({ id: made.id, deleted: true })
    expect(ok(await call(cityCalls.del, { id: made.id }))).toEqual({
      id: made.id,
      deleted: true,
      already: true,
    })
  })
  it('are arranged as a whole, against the order that was read', async () => {
    const { list, list_version } = ok(await call(cityCalls.list, { pageSize: 100 }))
    const order = list.map((row: { id: number }) => row.id)
    const turned = [order.at(-1), ...order.slice(0, -1)]
    ok(await call(cityCalls.sort, { order: turned, list_version }))
    expect(
      ok(await call(cityCalls.list, { pageSize: 100 })).list.map((row: { id: number }) => row.id),
    ).toEqual(turned)
    const stale = await call(cityCalls.sort, { order, list_version })
    expect(rule(stale)).toEqual([409, 'stale'])
    expect(stale.data.current.order).toEqual(turned)
    expect(
      (
        await call(cityCalls.sort, {
          order: turned.slice(1),
          list_version: sequenceVersion(turned),
        })
      ).status,
    ).toBe(400)
    ok(await call(cityCalls.sort, { order, list_version: sequenceVersion(turned) }))
  })
})

describe('city settings', () => {
  const stores = async (city_id: number, n: number) =>
    (ok(await call(settings.stores, { city_id, pageSize: 50 })).list as { id: number }[])
      .slice(0, n)
      .map(one => one.id)
  it('recommend open stores of the city once at a time; others fail with their reason', async () => {
    const [mine] = await stores(2, 1)
    const [foreign] = await database.db
      .select({ id: store.id })
      .from(store)
      .where(and(eq(store.city_id, 1), eq(store.status, 'open')))
      .limit(1)
    const [closed] = await database.db
      .select({ id: store.id })
      .from(store)
      .where(and(eq(store.city_id, 2), sql`${store.status} <> 'open'`))
      .limit(1)
    const done = ok(
      await call(settings.setReStore, {
        city_id: 2,
        store_ids: [mine, foreign!.id, ...(closed ? [closed.id] : []), mine],
        start_at: now + DAY,
        end_at: now + 5 * DAY,
      }),
    )
    expect(done.ok).toEqual([mine])
    expect(done.failed.map((one: { reason: string }) => one.reason)).toEqual(
      expect.arrayContaining(['门店不在本城市', '重复选择']),
    )
    const again = await call(settings.setReStore, {
      city_id: 2,
      store_ids: [mine],
      start_at: now + 4 * DAY,
      end_at: now + 9 * DAY,
    })
    expect([again.status, again.data.failed[0].reason]).toEqual([422, '该门店在此时段已在推荐位'])
    // The next turn begins where the first ends.
    ok(
      await call(settings.setReStore, {
        city_id: 2,
        store_ids: [mine],
        start_at: now + 5 * DAY,
        end_at: now + 9 * DAY,
      }),
    )
    expect(
      rule(
        await call(settings.setReStore, {
          city_id: 2,
          store_ids: [mine],
          start_at: now + 20 * DAY,
          end_at: now + 19 * DAY,
        }),
      ),
    ).toEqual([422, 'end_before_start'])
    expect(
      (await call(settings.setReStore, { city_id: 1, store_ids: [foreign!.id] }, local)).status,
    ).toBe(404)
  })
  it('change a period only where it does not meet another of the same store', async () => {
    const { list } = ok(await call(settings.getReStoreList, { city_id: 2, pageSize: 100 })) as {
      list: { id: number; store_id: number; start_at: number | null; version: number }[]
    }
    const two = list.filter(one =>
      list.some(other => other.id !== one.id && other.store_id === one.store_id),
    )
    const later = two.find(one => one.start_at === now + 5 * DAY)!
    expect(
      rule(
        await call(settings.setReStore, {
          id: later.id,
          version: later.version,
          start_at: now + 4 * DAY,
          end_at: now + 9 * DAY,
        }),
      ),
    ).toEqual([422, 'period_overlap'])
    expect(
      ok(
        await call(settings.setReStore, {
          id: later.id,
          version: later.version,
          start_at: now + 6 * DAY,
          end_at: now + 9 * DAY,
        }),
      ).version,
    ).toBe(later.version + 1)
    expect(
      rule(
        await call(settings.setReStore, {
          id: later.id,
          version: later.version,
          start_at: null,
          end_at: null,
        }),
      ),
    ).toEqual([409, 'stale'])
  })
  it('recommend at most 20 stores live at once', async () => {
    const [source] = await database.db
      .select()
      .from(store)
      .where(and(eq(store.status, 'open'), eq(store.kind, 'offline')))
      .limit(1)
    const { id: _, store_no: __, ...columns } = source!
    const many = await database.db
      .insert(store)
      .values(
        Array.from({ length: 24 }, (_, at) => ({
          ...columns,
          store_no: `T-${at}`,
          city_id: 6,
          mall_id: 0,
        })),
      )
      .returning({ id: store.id })
    const done = await call(settings.setReStore, { city_id: 6, store_ids: many.map(one => one.id) })
    const rows = await database.db
      .select()
      .from(city_setting)
      .where(and(eq(city_setting.city_id, 6), eq(city_setting.type, 're_store')))
    expect(
      rows.filter(row => (row.start_at ?? 0) <= now && (row.end_at ?? Infinity) > now).length,
    ).toBeLessThanOrEqual(20)
    expect(done.data.failed.at(-1).reason).toContain('20')
  })
  it('flag a store that went off shelf later, which drops out of what consumers see', async () => {
    const { list } = ok(await call(settings.getReStoreList, { city_id: 5, pageSize: 100 })) as {
      list: { store_id: number; is_live: boolean; blocked_reason: string }[]
    }
    const live = list.find(one => one.is_live)!
    const broken = async () =>
      ok(await call(settings.lst, { pageSize: 100 })).list.find(
        (row: { city_id: number }) => row.city_id === 5,
      ).broken_count as number
    const before = await broken()
    await database.db.update(store).set({ status: 'closed' }).where(eq(store.id, live.store_id))
    const after = ok(await call(settings.getReStoreList, { city_id: 5, pageSize: 100 })) as {
      list: { store_id: number; is_live: boolean; blocked_reason: string }[]
    }
    expect(after.list.find(one => one.store_id === live.store_id)).toMatchObject({
      is_live: false,
      blocked_reason: '门店未营业或已下架',
    })
    expect(await broken()).toBe(before + 1)
  })
  it('arrange and remove against the order that was read', async () => {
    const { list, list_version } = ok(
      await call(settings.getReStoreList, { city_id: 3, pageSize: 100 }),
    )
    const order = list.map((row: { id: number }) => row.id).reverse()
    ok(await call(settings.sortReStore, { city_id: 3, order, list_version }))
    expect(
      ok(await call(settings.getReStoreList, { city_id: 3, pageSize: 100 })).list.map(
        (row: { id: number }) => row.id,
      ),
    ).toEqual(order)
    expect(rule(await call(settings.setReStore, { city_id: 3, order, list_version }))).toEqual([
      409,
      'stale',
    ])
    const gone = ok(await call(settings.delReStore, { city_id: 3, id: order[0] }))
    expect(gone).toEqual({ deleted: [order[0]], list_version: sequenceVersion(order.slice(1)) })
    expect(ok(await call(settings.delReStore, { city_id: 3, ids: [order[0]] })).deleted).toEqual([])
  })
  const area = async (more: object = {}) => ({
    city_id: 4,
    title: '测试专区',
    image: await picture(800, 400),
    page_link_id: (await plainLink()).id,
    start_at: now + 100 * DAY,
    end_at: now + 110 * DAY,
    ...more,
  })
  it('have at most four areas live at once, whose end is after their start, and no two of one target at a time', async () => {
    const links = await database.db
      .select()
      .from(page_link)
      .where(
        and(eq(page_link.type, 'page'), eq(page_link.health, 'ok'), eq(page_link.params_key, '')),
      )
      .limit(5)
    for (const link of links.slice(0, 4))
      ok(await call(settings.setActArea, await area({ page_link_id: link.id })))
    expect(
      rule(await call(settings.setActArea, await area({ page_link_id: links[4]!.id }))),
    ).toEqual([422, 'full'])
    expect(
      rule(
        await call(
          settings.setActArea,
          await area({
            page_link_id: links[0]!.id,
            start_at: now + 105 * DAY,
            end_at: now + 120 * DAY,
          }),
        ),
      ),
    ).toEqual([422, 'period_overlap'])
    expect(
      rule(await call(settings.setActArea, await area({ start_at: now + 9, end_at: now + 9 }))),
    ).toEqual([422, 'end_before_start'])
    expect(
      rule(
        await call(
          settings.setActArea,
          await area({
            image: 'not/uploaded.webp',
            start_at: now + 200 * DAY,
            end_at: now + 201 * DAY,
          }),
        ),
      ),
    ).toEqual([422, 'image_ratio'])
  })
  it('edit, arrange and delete areas; a later reader is told; deleting again is no fault', async () => {
    const { list, list_version } = ok(await call(settings.getActAreaList, { city_id: 4 }))
    const first = list[0]
    const edited = ok(
      await call(
        settings.setActArea,
        await area({
          id: first.id,
          version: first.version,
          title: '改过',
          page_link_id: first.page_link_id,
          start_at: first.start_at,
          end_at: first.end_at,
        }),
      ),
    )
    expect(edited.version).toBe(first.version + 1)
    expect(
      rule(
        await call(
          settings.setActArea,
          await area({
            id: first.id,
            version: first.version,
            title: '晚了',
            page_link_id: first.page_link_id,
            start_at: first.start_at,
            end_at: first.end_at,
          }),
        ),
      ),
    ).toEqual([409, 'stale'])
    const order = list.map((row: { id: number }) => row.id).reverse()
    ok(await call(settings.sortActArea, { city_id: 4, order, list_version }))
    expect(rule(await call(settings.setActArea, { city_id: 4, order, list_version }))).toEqual([
      409,
      'stale',
    ])
    expect(ok(await call(settings.delActArea, { id: first.id })).deleted).toBe(true)
    expect(ok(await call(settings.delActArea, { id: first.id })).already).toBe(true)
  })
  it('flag an area whose target is gone', async () => {
    const { list } = ok(await call(settings.getActAreaList, { city_id: 1 })) as {
      list: { title: string; link_ok: boolean; is_live: boolean }[]
    }
    expect(list.find(one => one.title === '老字号专场')).toMatchObject({
      link_ok: false,
      is_live: false,
    })
    expect(
      ok(await call(settings.getActAreaList, { city_id: 1, live: 1 })).list.every(
        (one: { is_live: boolean }) => one.is_live,
      ),
    ).toBe(true)
  })
  it('order hot malls by hand with exactly the malls chosen, all online and of the city; and tell malls their place', async () => {
    const present = ok(await call(settings.getHotMallSettings, { city_id: 1 }))
    const mids = (
      ok(await call(settings.getMallListByCity, { city_id: 1, status: 'online' })).list as {
        mid: number
      }[]
    ).map(one => one.mid)
    const [off] = await database.db
      .select()
      .from(mall)
      .where(and(eq(mall.city_id, 1), sql`${mall.status} <> 'online'`))
      .limit(1)
    const [away] = await database.db
      .select()
      .from(mall)
      .where(and(eq(mall.city_id, 2), eq(mall.status, 'online')))
      .limit(1)
    const set = (chosen: readonly number[], version = present.version) =>
      call(settings.setHotMallSettings, {
        city_id: 1,
        version,
        title: '热门商圈',
        show: true,
        mode: 'manual',
        limit_count: 6,
        style: 'card',
        mids: [...chosen],
      })
    expect(rule(await set([mids[0]!, mids[0]!]))).toEqual([422, 'repeated'])
    expect(rule(await set([away!.id]))).toEqual([422, 'mall_not_online'])
    if (off) expect(rule(await set([off.id]))).toEqual([422, 'mall_not_online'])
    const chosen = [mids[2]!, mids[0]!, mids[1]!]
    ok(await set(chosen))
    expect(
      ok(await call(settings.getHotMallSettings, { city_id: 1 })).malls.map(
        (one: { mid: number }) => one.mid,
      ),
    ).toEqual(chosen)
    expect(
      (
        await database.db
          .select({ id: mall.id })
          .from(mall)
          .where(and(eq(mall.city_id, 1), eq(mall.is_hot, true)))
          .orderBy(mall.hot_sort)
      ).map(row => row.id),
    ).toEqual(chosen)
    expect(rule(await set(mids.slice(0, 2)))).toEqual([409, 'stale'])
  })
  it('show by sales what sold most, and the list of malls with their sales', async () => {
    const present = ok(await call(settings.getHotMallSettings, { city_id: 4 }))
    ok(
      await call(settings.setHotMallSettings, {
        city_id: 4,
        version: present.version,
        title: '热门',
        show: true,
        mode: 'gmv',
        limit_count: 3,
        style: 'list',
        mids: [],
      }),
    )
    const malls = ok(await call(settings.getMallListByCity, { city_id: 4 })).list as {
      mid: number
      gmv_30d_cents: number
      status: string
    }[]
    const best = malls
      .filter(one => one.status === 'online')
      .sort((a, b) => b.gmv_30d_cents - a.gmv_30d_cents)
    expect(ok(await call(settings.getHotMallSettings, { city_id: 4 })).malls[0].mid).toBe(
      best[0]!.mid,
    )
  })
  it('are saved with a default mall that is online and of the city, three blocks in an order, and a phone number', async () => {
    const row = ok(await call(settings.lst, { keyword: '苏州' })).list[0]
    const save = (more: object) =>
      call(settings.edit, {
        city_id: 4,
        version: row.version,
        settings: { ...row.settings, ...more },
      })
    expect(rule(await save({ default_mid: 1 }))).toEqual([422, 'mall_not_online'])
    expect((await save({ block_order: ['hot_mall', 'hot_mall', 'act_area'] })).status).toBe(400)
    expect((await save({ service_phone: '12345' })).status).toBe(400)
    ok(await save({ home_title: '苏式生活' }))
    expect(rule(await save({ home_title: '晚了' }))).toEqual([409, 'stale'])
  })
  it('are copied from another city without its stores and malls, and say how many were skipped', async () => {
    const target = 7
    const from = await database.db.select().from(city_setting).where(eq(city_setting.city_id, 1))
    const done = ok(await call(settings.copyFrom, { city_id: target, from_city_id: 1 }))
    expect(done).toMatchObject({
      skipped_stores: from.filter(row => row.type === 're_store').length,
      skipped_malls: from.filter(row => row.type === 'hot_mall').length,
      settings: true,
    })
    expect(done.copied_areas).toBe(
      (
        await database.db
          .select()
          .from(city_setting)
          .where(and(eq(city_setting.city_id, target), eq(city_setting.type, 'act_area')))
      ).length,
    )
    expect(done.copied_areas).toBeGreaterThan(0)
    expect(done.skipped_areas).toEqual([
      { title: '老字号专场', reason: expect.stringContaining('链接目标不可用') },
    ])
    expect((await cityOf(target)).settings).toMatchObject({ default_mid: 0 })
  })
  it('copied from a city that has saved nothing yet stay as they are', async () => {
    await database.db.update(city).set({ settings: null, hot_mall: null }).where(eq(city.id, 8))
    const before = await cityOf(7)
    expect(ok(await call(settings.copyFrom, { city_id: 7, from_city_id: 8 }))).toMatchObject({
      settings: false,
    })
    expect((await cityOf(7)).settings).toEqual(before.settings)
  })
})

describe('banners', () => {
  const one = async (more: object = {}) => ({
    title: '测试轮播',
    position: 'home',
    image: await picture(800, 400),
    page_link_id: (await plainLink()).id,
    city_ids: [8],
    start_at: now - DAY,
    end_at: now + 10 * DAY,
    ...more,
  })
  const make = async (more: object = {}) => {
    const { id, version } = ok(await call(banner.create, await one(more))) as {
      id: number
      version: number
    }
    return { id, version }
  }
  it("need a picture of their position's ratio and at most 500 KB, an end after the start, and a target that leads somewhere", async () => {
    expect(rule(await call(banner.create, await one({ image: await picture(800, 800) })))).toEqual([
      422,
      'image_ratio',
    ])
    expect(
      rule(await call(banner.create, await one({ image: await picture(800, 400, 600_000) }))),
    ).toEqual([422, 'image_ratio'])
    expect(rule(await call(banner.create, await one({ image: await picture(400, 200) })))).toEqual([
      422,
      'image_ratio',
    ])
    expect(rule(await call(banner.create, await one({ image: 'nowhere.webp' })))).toEqual([
      422,
      'image_ratio',
    ])
    expect(rule(await call(banner.create, await one({ end_at: now - DAY })))).toEqual([
      422,
      'end_before_start',
    ])
    const [dead] = await database.db
      .select()
      .from(page_link)
      .where(eq(page_link.path, 'pages/old/page1'))
    expect(rule(await call(banner.create, await one({ page_link_id: dead!.id })))).toEqual([
      422,
      'link_target_gone',
    ])
    const [template] = await database.db
      .select()
      .from(page_link)
      .where(
        and(
          eq(page_link.type, 'object'),
          eq(page_link.params_key, ''),
          sql`path like 'pages/store/%'`,
        ),
      )
    expect(rule(await call(banner.create, await one({ page_link_id: template!.id })))).toEqual([
      422,
      'param_missing',
    ])
    const [closed] = await database.db
      .select()
      .from(store)
      .where(eq(store.status, 'closed'))
      .limit(1)
    expect(
      (
        await call(
          banner.create,
          await one({ page_link_id: template!.id, link_params: { id: closed!.id } }),
        )
      ).data,
    ).toMatchObject({ rule: 'link_target_gone', health: 'off_shelf' })
    const [open] = await database.db.select().from(store).where(eq(store.status, 'open')).limit(1)
    ok(
      await call(
        banner.create,
        await one({ page_link_id: template!.id, link_params: { id: open!.id } }),
      ),
    )
  })
  it('are at most eight live at any moment in one position and city', async () => {
    const place = { city_ids: [9], status: 'online' }
    for (let at = 0; at < BANNER_LIVE_MAX; at++) await make(place)
    const refused = await call(banner.create, await one(place))
    expect([rule(refused), refused.data.live.length]).toEqual([
      [422, 'place_full'],
      BANNER_LIVE_MAX,
    ])
    // Afterwards, in another city, in another position and as a draft there is room.
    await make({ ...place, start_at: now + 10 * DAY, end_at: now + 20 * DAY })
    await make({ ...place, city_ids: [8] })
    await make({ ...place, position: 'category', image: await picture(810, 270) })
    const draft = await make({ city_ids: [9] })
    expect(rule(await call(banner.online, draft))).toEqual([422, 'place_full'])
    // Nine cities wide it needs room in each of them.
    expect(rule(await call(banner.create, await one({ ...place, city_ids: [8, 9] })))).toEqual([
      422,
      'place_full',
    ])
  })
  it('go online and offline by their state, the reason kept, and end by themselves', async () => {
    const draft = await make()
    const up = ok(await call(banner.online, draft))
    expect(rule(await call(banner.online, up))).toEqual([422, 'wrong_state'])
    const down = ok(await call(banner.offline, { ...up, reason: '素材过期' }))
    expect((await logsOf('banner', draft.id)).at(-1)).toMatchObject({
      before: { status: 'online' },
      after: { status: 'offline' },
      reason: '素材过期',
    })
    ok(await call(banner.online, down))
    await database.db
      .update(banners)
      .set({ start_at: now - 9 * DAY, end_at: now - 1 })
      .where(eq(banners.id, draft.id))
    const { list } = ok(await call(banner.lst, { city_id: 8, status: 'ended', pageSize: 100 }))
    const ended = list.find((row: { id: number }) => row.id === draft.id)
    expect(ended).toMatchObject({ status: 'ended', is_live: false })
    expect(
      rule(await call(banner.offline, { id: draft.id, version: ended.version, reason: '测试' })),
    ).toEqual([422, 'wrong_state'])
  })
  it('are not taken online when their target went off shelf meanwhile', async () => {
    const [sold] = await database.db
      .select()
      .from(product)
      .where(and(eq(product.state, 'on_sale'), sql`${product.sale_end_at} > ${now + DAY}`))
      .limit(1)
    const [template] = await database.db
      .select()
      .from(page_link)
      .where(
        and(
          eq(page_link.type, 'object'),
          eq(page_link.params_key, ''),
          sql`path like 'pages/deal/%'`,
        ),
      )
    const draft = await make({ page_link_id: template!.id, link_params: { id: sold!.id } })
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, sold!.id))
    expect(rule(await call(banner.online, draft))).toEqual([422, 'link_target_gone'])
    const { list } = ok(await call(banner.lst, { city_id: 8, pageSize: 100 }))
    expect(list.find((row: { id: number }) => row.id === draft.id).link_ok).toBe(false)
    await database.db.update(product).set({ state: 'on_sale' }).where(eq(product.id, sold!.id))
  })
  it('are deleted only when not online, clicks kept; and again without a fault', async () => {
    const up = await make({ status: 'online' })
    expect(rule(await call(banner.del, { id: up.id }))).toEqual([422, 'online'])
    const down = ok(await call(banner.offline, { id: up.id, version: up.version, reason: '测试' }))
    await database.db.insert(click_log).values({
      device_id: 'd1',
      object_type: 'banner',
      object_id: down.id,
      object_name: '测试轮播',
      entry: 'home',
      city_id: 8,
      at: now,
    })
    expect(ok(await call(banner.del, { id: up.id })).deleted).toBe(true)
    expect(ok(await call(banner.del, { id: up.id })).already).toBe(true)
    expect(
      (
        await database.db
          .select()
          .from(click_log)
          .where(and(eq(click_log.object_type, 'banner'), eq(click_log.object_id, up.id)))
      ).length,
    ).toBe(1)
  })
  it('keep an order of their own in each city: arranging one changes no other', async () => {
    const place = { position: 'search' as const, city_id: 1, mid: 0 }
    const lists = async (city_id: number) =>
      (
        await database.db
          .select({ id: banner_city.banner_id, sort: banner_city.sort })
          .from(banner_city)
          .innerJoin(banners, eq(banners.id, banner_city.banner_id))
          .where(and(eq(banner_city.city_id, city_id), eq(banners.position, 'search')))
          .orderBy(banner_city.sort)
      ).map(row => row.id)
    const elsewhere = await lists(2)
    const { list, list_version } = ok(await call(banner.lst, { ...place, pageSize: 100 }))
    const order = list.map((row: { id: number }) => row.id).reverse()
    ok(await call(banner.sort, { ...place, order, list_version }))
    expect(await lists(1)).toEqual(order)
    expect(await lists(2)).toEqual(elsewhere)
    const stale = await call(banner.edit, { ...place, order, list_version })
    expect([rule(stale), stale.data.current.order]).toEqual([[409, 'stale'], order])
    expect((await call(banner.sort, { ...place, order, list_version: 0 }, local)).status).toBe(404)
  })
  it('take "outside any mall" for a choice and a missing mall for all of them', async () => {
    const outside = ok(await call(banner.lst, { mid: 0, pageSize: 100 }))
    const all = ok(await call(banner.lst, { pageSize: 100 }))
    expect(outside.list.every((row: { mid: number }) => row.mid === 0)).toBe(true)
    expect(all.total).toBeGreaterThan(outside.total)
    expect((await call(banner.create, await one({ position: 'mall', mid: 0 }))).status).toBe(400)
  })
  it('are copied to cities that do not show them yet, as a draft', async () => {
    const from = await make()
    const copied = ok(await call(banner.copy, { id: from.id, city_ids: [8, 5, 6] }))
    expect(copied.city_ids).toEqual([5, 6])
    expect(
      (await database.db.select().from(banners).where(eq(banners.id, copied.id)))[0],
    ).toMatchObject({ status: 'draft', title: '测试轮播' })
    expect(rule(await call(banner.copy, { id: from.id, city_ids: [8] }))).toEqual([
      422,
      'already_there',
    ])
  })
  it("count a person's repeated clicks within 30 seconds once", async () => {
    const mine = await make()
    const noon = dayStart(now) - DAY / 2
    const click = (member_id: number | null, device_id: string, at: number) => ({
      member_id,
      device_id,
      object_type: 'banner' as const,
      object_id: mine.id,
      object_name: '测试轮播',
      entry: 'home',
      city_id: 8,
      at: noon + at,
    })
    await database.db
      .insert(click_log)
      .values([
        click(1, 'a', 0),
        click(1, 'a', 12),
        click(1, 'b', 29),
        click(1, 'a', 70),
        click(null, 'x', 5),
        click(null, 'x', 20),
        click(null, 'y', 6),
        click(2, 'x', 7),
      ])
    const told = ok(await call(banner.clicks, { banner_id: mine.id }))
    // Member 1 twice (0 and 70), the anonymous devices x and y, member 2.
    expect([told.total, told.pv, told.uv, told.list.length]).toEqual([5, 5, 4, 5])
    expect(told.list[0]).toMatchObject({
      banner_id: mine.id,
      banner_title: '测试轮播',
      position: 'home',
      at: noon + 70,
    })
    expect(
      told.list.find((row: { member_id: number | null }) => row.member_id === 1).phone_masked,
    ).toMatch(/^\d{3}\*{4}\d{4}$/)
    const { list } = ok(await call(banner.lst, { city_id: 8, pageSize: 100 }))
    expect(list.find((row: { id: number }) => row.id === mine.id)).toMatchObject({
      clicks: 5,
      users: 4,
    })
    expect((await call(banner.clicks, { start_at: now - 100 * DAY, end_at: now })).status).toBe(400)
    expect((await call(banner.clicks, { keyword: '1391' })).status).toBe(400)
    expect(ok(await call(banner.clicks, { banner_id: mine.id }, local)).total).toBe(0)
    const clicked = async (by?: typeof local) =>
      ok(await call(banner.clickDays, { banner_id: mine.id }, by)).days as {
        day: string
        clicks: number
        users: number
      }[]
    const [days, theirs] = [await clicked(), await clicked(local)]
    expect(days).toHaveLength(30)
    expect(days.find(({ day }) => day === dateOf(noon))).toMatchObject({ clicks: 5, users: 4 })
    expect(theirs.every(day => day.clicks === 0)).toBe(true)
    // By position, by person, and by a period that begins between two clicks of one: what went
    // before makes a repeat of the second.
    expect([
      ok(await call(banner.clicks, { banner_id: mine.id, position: 'home' })).total,
      ok(await call(banner.clicks, { banner_id: mine.id, position: 'category' })).total,
      ok(await call(banner.clicks, { banner_id: mine.id, member_id: 1 })).total,
    ]).toEqual([5, 0, 2])
    expect(
      ok(await call(banner.clicks, { banner_id: mine.id, start_at: noon + 10, end_at: now })).pv,
    ).toBe(1)
    const [one, two] = [
      ok(await call(banner.clicks, { banner_id: mine.id, pageSize: 3 })),
      ok(await call(banner.clicks, { banner_id: mine.id, pageSize: 3, page: 2 })),
    ]
    expect([...one.list, ...two.list].map((row: { id: number }) => row.id)).toEqual(
      told.list.map((row: { id: number }) => row.id),
    )
  })
  it('tell nobody the phone of who clicked whose role hides it', async () => {
    const mine = await make()
    await database.db.insert(click_log).values({
      member_id: 1,
      device_id: 'a',
      object_type: 'banner',
      object_id: mine.id,
      object_name: '测试轮播',
      entry: 'home',
      city_id: 8,
      at: now - 60,
    })
    const hidden = (
      await addStaff(database, {
        perms: ['system.banner.*'],
        role: { field_rules: { 'member.phone': 'hide' } },
      })
    ).token
    const [row] = ok(await call(banner.clicks, { banner_id: mine.id }, hidden)).list
    expect([row.member_id, 'phone_masked' in row]).toEqual([1, false])
  })
  it('go offline in a batch, each by its own version, the reason with each', async () => {
    const [a, b] = [
      await make({ status: 'online', position: 'vip', image: await picture(810, 270) }),
      await make({ position: 'vip', image: await picture(810, 270) }),
    ]
    const done = ok(
      await call(banner.batchOffline, {
        rows: [a, b, { id: 2_000_000_000, version: 0 }],
        reason: '位置改版',
      }),
    )
    expect(done.ok).toEqual([a.id])
    expect(done.failed.map((one: { id: number; code: string }) => [one.id, one.code])).toEqual([
      [b.id, 'wrong_state'],
      [2_000_000_000, '404'],
    ])
  })
  it("shown beyond a person's cities are seen but not changed; those wholly elsewhere do not exist", async () => {
    const wide = await make({ city_ids: [1, 2] })
    const away = await make({ city_ids: [1] })
    expect(
      ok(await call(banner.lst, { pageSize: 100 }, local)).list.map(
        (row: { id: number }) => row.id,
      ),
    ).toContain(wide.id)
    expect(rule(await call(banner.edit, { ...wide, title: '改' }, local))).toEqual([
      422,
      'other_cities',
    ])
    expect((await call(banner.edit, { ...away, title: '改' }, local)).status).toBe(404)
    expect((await call(banner.del, { id: away.id }, local)).status).toBe(404)
    expect(rule(await call(banner.create, await one({ city_ids: [1] }), local))).toEqual([
      422,
      'other_cities',
    ])
  })
})

describe('a banner that somebody changed', () => {
  it('is taken back from the operation log, by the rules an edit obeys; a newer change stands in the way', async () => {
    const { list } = ok(await call(banner.lst, { position: 'vip', city_id: 3, pageSize: 100 }))
    const row = list[0] as { id: number; version: number; title: string; end_at: number }
    const edited = ok(
      await call(banner.edit, {
        id: row.id,
        version: row.version,
        title: '改错的标题',
        end_at: row.end_at + DAY,
      }),
    )
    const [entry] = (await logsOf('banner', row.id)).slice(-1)
    expect(entry).toMatchObject({
      before: { title: row.title, end_at: row.end_at },
      after: { title: '改错的标题', end_at: row.end_at + DAY },
    })
    ok(await call(logs.revert, { id: entry!.id, reason: '标题写错了' }))
    const [after] = await database.db.select().from(banners).where(eq(banners.id, row.id))
    expect(after).toMatchObject({
      title: row.title,
      end_at: row.end_at,
      version: edited.version + 1,
    })
    expect(rule(await call(logs.revert, { id: entry!.id, reason: '再撤一次' }))).toEqual([
      422,
      'reverted_already',
    ])
    const second = ok(
      await call(banner.edit, { id: row.id, version: after!.version, title: '第二次' }),
    )
    const [older] = (await logsOf('banner', row.id)).slice(-1)
    ok(await call(banner.edit, { id: row.id, version: second.version, title: '第三次' }))
    expect(rule(await call(logs.revert, { id: older!.id, reason: '撤回旧的' }))).toEqual([
      409,
      'stale',
    ])
  })
})

describe('the link library', () => {
  const create = (more: object) =>
    call(hlink.create, {
      name: '测试链接',
      type: 'page',
      path: 'pages/coupon/index',
      params: [],
      appid: '',
      ...more,
    })
  it('takes paths that begin with pages/ or a package, once with their parameters; H5 of allowed domains; an AppID for another mini-program', async () => {
    expect(rule(await create({}))).toEqual([422, 'link_exists'])
    for (const bad of [
      { path: 'coupon/index' },
      { path: '/pages/x' },
      { type: 'h5', path: 'https://evil.example/x' },
      { type: 'h5', path: 'http://mallet.example/x' },
      { type: 'h5', path: 'https://mallet.example.evil.example/' },
      { type: 'mini_program', path: 'pages/index/index', appid: 'wx12' },
      { path: 'pages/a/b?id={id}' },
    ])
      expect([bad, (await create(bad)).status]).toEqual([bad, 400])
    const param = { key: 'id', label: '门店', target: 'text', required: true }
    ok(await create({ path: 'pages/coupon/index', params: [{ ...param, value: 'a' }] }))
    ok(await create({ path: 'pages/coupon/index', params: [{ ...param, value: 'b' }] }))
    expect(
      rule(await create({ path: 'pages/coupon/index', params: [{ ...param, value: 'b' }] })),
    ).toEqual([422, 'link_exists'])
    ok(await create({ type: 'h5', path: 'https://sub.mallet.example/p' }))
    ok(
      await create({
        type: 'mini_program',
        path: 'pages/index/index',
        appid: 'wxabcdef0123456789',
      }),
    )
    ok(await create({ path: 'packageShop/pages/index', params: [{ ...param, value: 'z' }] }))
  })
  it('marks dead and off-shelf targets when checked, and removes nothing', async () => {
    const [shop] = await database.db.select().from(store).where(eq(store.status, 'open')).limit(1)
    const made = ok(
      await create({
        name: '一家门店',
        type: 'object',
        path: 'pages/store/detail?id={id}',
        params: [{ key: 'id', label: '门店', target: 'store', required: true, value: shop!.id }],
      }).then(async said =>
        said.status === 200
          ? said
          : {
              ...said,
              status: 200,
              data: {
                id: (
                  await database.db
                    .select()
                    .from(page_link)
                    .where(sql`params_key = ${`id=${shop!.id}`} and path like 'pages/store%'`)
                )[0]!.id,
              },
            },
      ),
    )
    const health = async () =>
      (ok(await call(hlink.check, { id: made.id })) as { health: string }).health
    expect(await health()).toBe('ok')
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.id, shop!.id))
    expect(await health()).toBe('off_shelf')
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, shop!.id))
    const before = ok(await call(hlink.lst, { pageSize: 1 })).total
    const dead = await database.db
      .select()
      .from(page_link)
      .where(sql`path like 'pages/old/%'`)
    const batch = ok(await call(hlink.batchCheck, { ids: [made.id, ...dead.map(row => row.id)] }))
    expect(batch).toMatchObject({ failed: [], dead: dead.length, off_shelf: 0 })
    expect(ok(await call(hlink.lst, { pageSize: 1 })).total).toBe(before)
  })
  it('says where a link is used, the live ones first, as many as its count', async () => {
    const { list } = ok(await call(hlink.lst, { pageSize: 200 })) as {
      list: { id: number; used_count: number; live_count: number }[]
    }
    const used = list.find(row => row.used_count > 2)!
    const where = ok(await call(hlink.whereUsed, { id: used.id })) as {
      list: { live: boolean }[]
      total: number
    }
    expect([where.total, where.list.filter(one => one.live).length]).toEqual([
      used.used_count,
      used.live_count,
    ])
    expect(where.list.map(one => one.live)).toEqual(
      where.list.map(one => one.live).sort((a, b) => Number(b) - Number(a)),
    )
  })
  it('replaces a link everywhere in one transaction and lists what it changed; one that lacks a parameter stops it all', async () => {
    const [from] = await database.db
      .select()
      .from(page_link)
      .where(eq(page_link.path, 'pages/coupon/index'))
      .orderBy(page_link.id)
      .limit(1)
    const [to] = await database.db
      .select()
      .from(page_link)
      .where(eq(page_link.path, 'pages/points/index'))
    const [template] = await database.db
      .select()
      .from(page_link)
      .where(
        and(
          eq(page_link.type, 'object'),
          eq(page_link.params_key, ''),
          sql`path like 'pages/store/%'`,
        ),
      )
    const uses = ok(await call(hlink.whereUsed, { id: from!.id })).total as number
    expect(uses).toBeGreaterThan(3)
    expect(
      rule(
        await call(hlink.replace, {
          id: from!.id,
          new_link_id: template!.id,
          reason: '换成门店页',
        }),
      ),
    ).toEqual([422, 'param_missing'])
    expect(ok(await call(hlink.whereUsed, { id: from!.id })).total).toBe(uses)
    const done = ok(
      await call(hlink.replace, { id: from!.id, new_link_id: to!.id, reason: '活动改到积分商城' }),
    )
    expect([done.replaced, done.uses.length]).toEqual([uses, uses])
    expect(ok(await call(hlink.whereUsed, { id: from!.id })).total).toBe(0)
    expect(
      await database.db.select().from(banners).where(eq(banners.page_link_id, from!.id)),
    ).toEqual([])
    ok(await call(hlink.replace, { id: to!.id, new_link_id: from!.id, reason: '改回' }))
  })
  it('is not replaced by one that would lead live content nowhere: another kind of object, or one off shelf', async () => {
    const param = (target: string, more: object = {}) => [
      { key: 'id', label: '对象', target, required: true, ...more },
    ]
    const [shop] = await database.db.select().from(store).where(eq(store.status, 'open')).limit(1)
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, shop!.id))
    const [stores, products, shut] = [
      ok(
        await create({
          type: 'object',
          path: 'pages/store/detail?from=r&id={id}',
          params: param('store'),
        }),
      ),
      ok(
        await create({
          type: 'object',
          path: 'pages/deal/detail?from=r&id={id}',
          params: param('product'),
        }),
      ),
      ok(
        await create({
          type: 'object',
          path: 'pages/deal/detail?from=s&id={id}',
          params: param('product', { value: shop!.id }),
        }),
      ),
    ]
    const made = ok(
      await call(banner.create, {
        title: '换链接',
        position: 'search',
        image: await picture(1000, 200),
        page_link_id: stores.id,
        link_params: { id: shop!.id },
        city_ids: [8],
        start_at: now,
        end_at: now + DAY,
        status: 'online',
      }),
    )
    const linked = async () =>
      (
        await database.db
          .select({ id: banners.page_link_id })
          .from(banners)
          .where(eq(banners.id, made.id))
      )[0]!.id
    expect(
      rule(
        await call(hlink.replace, {
          id: stores.id,
          new_link_id: products.id,
          reason: '换成商品页',
        }),
      ),
    ).toEqual([422, 'link_target_gone'])
    expect(
      rule(
        await call(hlink.replace, { id: stores.id, new_link_id: shut.id, reason: '换成下架商品' }),
      ),
    ).toEqual([422, 'link_target_gone'])
    expect(await linked()).toBe(stores.id)
    // What nobody sees may be put right later; going online asks for it.
    ok(await call(banner.offline, { id: made.id, version: made.version, reason: '先下线' }))
    expect(
      ok(
        await call(hlink.replace, {
          id: stores.id,
          new_link_id: products.id,
          reason: '换成商品页',
        }),
      ).replaced,
    ).toBe(1)
    expect(rule(await call(banner.online, { id: made.id, version: made.version + 2 }))).toEqual([
      422,
      'link_target_gone',
    ])
  })
  it("is not edited so that live content it leads somewhere would lead nowhere; its name is, and what was dead before stands in nobody's way", async () => {
    const param = (target: string, more: object = {}) => ({
      key: 'id',
      label: '对象',
      target,
      required: true,
      ...more,
    })
    const shops = await database.db
      .select()
      .from(store)
      .where(eq(store.status, 'open'))
      .orderBy(store.id)
      .limit(2)
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, shops[0]!.id))
    const fields = {
      name: '编辑中',
      type: 'object',
      path: 'pages/store/detail?from=e&id={id}',
      params: [param('store')],
      appid: '',
    }
    const link = ok(await create(fields))
    ok(
      await call(banner.create, {
        title: '在线的',
        position: 'search',
        image: await picture(1000, 200),
        page_link_id: link.id,
        link_params: { id: shops[0]!.id },
        city_ids: [8],
        start_at: now,
        end_at: now + DAY,
        status: 'online',
      }),
    )
    const edit = (more: object, version = link.version) =>
      call(hlink.edit, { id: link.id, version, ...fields, ...more })
    expect(rule(await edit({ params: [param('product')] }))).toEqual([422, 'link_target_gone'])
    expect(
      rule(await edit({ params: [param('store'), { ...param('text'), key: 'from' }] })),
    ).toEqual([422, 'param_missing'])
    const renamed = ok(await edit({ name: '新名称' }))
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.id, shops[0]!.id))
    ok(await edit({ params: [param('product')] }, renamed.version))
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, shops[0]!.id))
  })
  it('is not disabled while live content uses it, unless a replacement is given; a disabled one is offered to nobody', async () => {
    const [from] = await database.db
      .select()
      .from(page_link)
      .where(eq(page_link.path, 'pages/coupon/index'))
      .orderBy(page_link.id)
      .limit(1)
    const [to] = await database.db
      .select()
      .from(page_link)
      .where(eq(page_link.path, 'pages/points/index'))
    const refused = await call(hlink.disable, {
      id: from!.id,
      version: from!.version,
      reason: '页面下线',
    })
    expect([rule(refused), refused.data.uses.every((use: { live: boolean }) => use.live)]).toEqual([
      [422, 'in_use'],
      true,
    ])
    const done = ok(
      await call(hlink.disable, {
        id: from!.id,
        version: from!.version,
        reason: '页面下线',
        new_link_id: to!.id,
      }),
    )
    expect(done.replaced).toBeGreaterThan(0)
    expect(
      ok(await call(linkPicks.options, { pageSize: 100, keyword: '优惠券中心' })).list.map(
        (one: { id: number }) => one.id,
      ),
    ).not.toContain(from!.id)
    expect(
      rule(
        await call(banner.create, {
          title: '用停用的',
          position: 'home',
          image: await picture(800, 400),
          page_link_id: from!.id,
          city_ids: [8],
          start_at: now,
          end_at: now + DAY,
        }),
      ),
    ).toEqual([422, 'link_target_gone'])
    ok(await call(hlink.enable, { id: from!.id, version: done.version }))
    expect(
      rule(
        await call(hlink.edit, {
          id: from!.id,
          version: from!.version,
          name: '晚了',
          type: 'page',
          path: 'pages/coupon/index',
          params: [],
          appid: '',
        }),
      ),
    ).toEqual([409, 'stale'])
  })
})

describe('share cards', () => {
  const at = async (page_type: string, city_id: number) =>
    (
      ok(await call(share.lst)).list as {
        page_type: string
        city_id: number
        version: number
        title_tpl: string
        id: number
      }[]
    ).find(one => one.page_type === page_type && one.city_id === city_id)
  it('take the placeholders of their page and no other, and a picture of 5:4', async () => {
    const card = (await at('store', 0))!
    const save = (more: object) =>
      call(share.save, {
        page_type: 'store',
        city_id: 0,
        version: card.version,
        title_tpl: '{store}欢迎你',
        image: '',
        poster: {},
        status: 'on',
        ...more,
      })
    const refused = await save({ title_tpl: '{store}只要{price}元' })
    expect([rule(refused), refused.message]).toEqual([
      [422, 'unknown_placeholder'],
      expect.stringContaining('{price}'),
    ])
    expect(rule(await save({ image: await picture(800, 400) }))).toEqual([422, 'image_ratio'])
    ok(await save({ image: await picture(750, 600) }))
    expect(rule(await save({}))).toEqual([409, 'stale'])
  })
  it('are one a page type and city; a city without one, or with it switched off, shows the default, and that the built-in words', async () => {
    const preview = async (city_id: number) =>
      ok(await call(share.preview, { page_type: 'home', city_id })) as {
        from: string
        title: string
      }
    expect((await preview(2)).from).toBe('city')
    expect((await preview(3)).from).toBe('default')
    const own = (await at('home', 2))!
    ok(
      await call(share.save, {
        page_type: 'home',
        city_id: 2,
        version: own.version,
        title_tpl: own.title_tpl,
        image: '',
        poster: {},
        status: 'off',
      }),
    )
    expect((await preview(2)).from).toBe('default')
    const general = (await at('home', 0))!
    ok(
      await call(share.save, {
        page_type: 'home',
        city_id: 0,
        version: general.version,
        title_tpl: general.title_tpl,
        image: '',
        poster: {},
        status: 'off',
      }),
    )
    expect(await preview(2)).toMatchObject({ from: 'built_in', title: '杭州本地好店，都在这里' })
    ok(
      await call(share.restoreDefault, {
        page_type: 'home',
        city_id: 0,
        version: general.version + 1,
      }),
    )
    expect((await preview(3)).from).toBe('default')
    ok(
      await call(share.restoreDefault, { page_type: 'home', city_id: 2, version: own.version + 1 }),
    )
    expect(await at('home', 2)).toBeUndefined()
  })
  it('are previewed cut at 30 double-byte characters, with the values of the object asked for', async () => {
    const [shop] = await database.db
      .select()
      .from(store)
      .where(and(eq(store.city_id, 2), eq(store.status, 'open')))
      .limit(1)
    const told = ok(
      await call(share.preview, {
        page_type: 'store',
        city_id: 2,
        object_id: shop!.id,
        title_tpl: `{store}${'很'.repeat(40)}`,
      }),
    )
    expect(told).toMatchObject({ cut: true, full_title: `${shop!.name}${'很'.repeat(40)}` })
    expect(told.title.length).toBe(30)
    expect(
      (await call(share.preview, { page_type: 'store', city_id: 2, object_id: 2_000_000_000 }))
        .status,
    ).toBe(404)
  })
  it("reward distinct visitors only, never the sharer's own devices, within a daily limit and a budget that are above 0", async () => {
    const reward = (more: object) =>
      call(share.setReward, {
        page_type: 'activity',
        city_id: 0,
        version: 0,
        reward_points: 5,
        daily_limit: 2,
        reward_budget: 100,
        ...more,
      })
    const card = (await at('activity', 0))!
    expect(rule(await reward({ version: card.version, daily_limit: 0 }))).toEqual([
      422,
      'reward_limits',
    ])
    expect(rule(await reward({ version: card.version, reward_budget: 0 }))).toEqual([
      422,
      'reward_limits',
    ])
    expect(rule(await reward({ version: card.version, reward_budget: 4 }))).toEqual([
      422,
      'reward_limits',
    ])
    ok(await reward({ version: card.version }))
    await database.db.delete(share_visit).where(eq(share_visit.share_card_id, card.id))
    const visit = (visitor_device: string, visitor_id: number | null, more: object = {}) => ({
      share_card_id: card.id,
      sharer_id: 1,
      sharer_device: 'mine',
      visitor_id,
      visitor_device,
      at: now - 60,
      ...more,
    })
    await database.db
      .insert(share_visit)
      .values([
        visit('a', 5),
        visit('a', 5),
        visit('b', 5),
        visit('mine', null),
        visit('z', 1),
        visit('c', null, { order_id: 9 }),
        visit('d', 7),
      ])
    const row = (
      ok(await call(share.lst)).list as {
        id: number
        visits: number
        rewarded: number
        orders: number
        points_given: number
      }[]
    ).find(one => one.id === card.id)
    // Three distinct ones (a, c, d), of which the daily limit pays two.
    expect(row).toMatchObject({ visits: 7, rewarded: 3, orders: 1, points_given: 10 })
  })
  it('are applied to cities, each of which answers for itself', async () => {
    const done = ok(
      await call(share.copyToCities, {
        page_type: 'mall',
        city_id: 2,
        city_ids: [2, 3, 4, 2_000_000_000],
      }),
    )
    expect(done.ok).toEqual([3, 4])
    expect(done.failed.map((one: { id: number; code: string }) => [one.id, one.code])).toEqual([
      [2, 'same_city'],
      [2_000_000_000, '404'],
    ])
    expect((await at('mall', 3))!.title_tpl).toBe((await at('mall', 2))!.title_tpl)
    expect(
      (
        await call(
          share.save,
          {
            page_type: 'mall',
            city_id: 3,
            version: 1,
            title_tpl: '{mall}',
            image: '',
            poster: {},
            status: 'on',
          },
          local,
        )
      ).status,
    ).toBe(404)
    expect(
      rule(await call(share.restoreDefault, { page_type: 'card', city_id: 0, version: 0 }, local)),
    ).toEqual([422, 'all_cities'])
    expect(
      (await database.db.select().from(share_card).where(eq(share_card.page_type, 'mall'))).filter(
        row => row.city_id === 3,
      ),
    ).toHaveLength(1)
  })
})

describe('service contacts', () => {
  const contact = (more: object = {}) => ({
    scene: 'after_sale',
    city_id: 8,
    mall_id: 0,
    type: 'phone',
    value: '0731-88886666',
    qr: '',
    hours: [{ weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }],
    auto_reply: '',
    ...more,
  })
  const make = async (more: object = {}) =>
    ok(await call(customer.create, contact(more))) as { id: number; version: number }
  it('have a phone of a known pattern, a WeCom link of the bound corp, and hours that do not overlap', async () => {
    for (const value of ['12345', '10086', '2391234567', '10000000000', '400-12-3456'])
      expect([value, (await call(customer.create, contact({ value }))).status]).toEqual([
        value,
        400,
      ])
    for (const value of [
      'https://work.weixin.qq.com/kfid/kfcother00000000',
      'https://evil.example/kfid/kfc3f1a0b2c9d8e7f6',
      'http://work.weixin.qq.com/kfid/kfc3f1a0b2c9d8e7f6',
    ])
      expect([
        value,
        (await call(customer.create, contact({ type: 'wecom', value }))).status,
      ]).toEqual([value, 400])
    expect(
      (
        await call(
          customer.create,
          contact({
            hours: [
              { weekdays: [1], from: '09:00', to: '18:00' },
              { weekdays: [1, 2], from: '17:00', to: '20:00' },
            ],
          }),
        )
      ).status,
    ).toBe(400)
    const first = await make()
    expect(
      rule(
        await call(
          customer.create,
          contact({
            value: '13912345678',
            hours: [{ weekdays: [5, 6], from: '17:00', to: '20:00' }],
          }),
        ),
      ),
    ).toEqual([422, 'hours_overlap'])
    await make({ value: '13912345678', hours: [{ weekdays: [5, 6], from: '18:00', to: '20:00' }] })
    await make({ type: 'wecom', value: 'https://work.weixin.qq.com/kfid/kfc3f1a0b2c9d8e7f6' })
    expect((await logsOf('service_contact', first.id)).at(-1)).toMatchObject({
      action: 'system.customer.create',
      result: 'ok',
    })
  })
  it('route mall before city before national, by hours and priority, and explain it', async () => {
    const [place] = await database.db
      .select()
      .from(mall)
      .where(
        and(
          eq(mall.city_id, 1),
          eq(mall.status, 'online'),
          notExists(
            database.db
              .select({ id: service_contact.id })
              .from(service_contact)
              .where(eq(service_contact.mall_id, mall.id)),
          ),
        ),
      )
      .orderBy(mall.id)
      .limit(1)
    await make({
      scene: 'pre_sale',
      city_id: 1,
      mall_id: place!.id,
      hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '20:00' }],
    })
    const route = async (mall_id: number, city_id: number, time: number) =>
      ok(await call(customer.testRoute, { scene: 'pre_sale', city_id, mall_id, time }))
    // Today at 11:00 and 23:30 in Shanghai: on no day of the week is anybody there at night.
    const [day, night] = [dayStart(now) + 11 * 3600, dayStart(now) + 23.5 * 3600]
    const mallRoute = await route(place!.id, 1, day)
    expect(mallRoute).toMatchObject({
      level: 'mall',
      in_hours: true,
      chosen: { mall_id: place!.id },
    })
    expect(mallRoute.steps.map((step: { level: string }) => step.level)).toEqual([
      'mall',
      'city',
      'national',
    ])
    expect(await route(0, 1, day)).toMatchObject({
      level: 'city',
      chosen: { type: 'wecom', city_id: 1 },
    })
    expect(await route(0, 1, night)).toMatchObject({
      level: 'city',
      in_hours: false,
      reply: '现在是非工作时间，稍后由专人回复您。',
    })
    // The QR of Chengdu ran out: its contact is passed over.
    const passed = await route(0, 5, day)
    expect(passed.level).toBe('national')
    expect(passed.steps[0].expired.length).toBe(1)
    expect(
      (
        await call(
          customer.testRoute,
          { scene: 'pre_sale', city_id: 1, mall_id: 0, time: day },
          local,
        )
      ).status,
    ).toBe(404)
  })
  it('flag a QR three days before it runs out', async () => {
    const soon = ok(await call(customer.lst, { qr_state: 'expiring' })).list
    expect(soon.map((row: { city_id: number }) => row.city_id)).toEqual([2])
    expect(
      ok(await call(customer.lst, { qr_state: 'expired' })).list.map(
        (row: { city_id: number }) => row.city_id,
      ),
    ).toEqual([5])
  })
  it('leave every open city somebody in every scene: the last fallback is neither switched off nor deleted nor moved away', async () => {
    const nationals = await database.db
      .select()
      .from(service_contact)
      .where(and(eq(service_contact.scene, 'after_sale'), sql`city_id is null`))
      .orderBy(service_contact.id)
    expect(nationals.length).toBe(2)
    ok(
      await call(customer.disable, {
        id: nationals[0]!.id,
        version: nationals[0]!.version,
        reason: '合并',
      }),
    )
    const last = nationals[1]!
    expect(
      rule(await call(customer.disable, { id: last.id, version: last.version, reason: '合并' })),
    ).toEqual([422, 'last_contact'])
    expect(rule(await call(customer.del, { id: last.id, version: last.version }))).toEqual([
      422,
      'last_contact',
    ])
    expect(
      rule(
        await call(customer.edit, {
          id: last.id,
          version: last.version,
          ...contact({ city_id: 1, type: 'chat', value: 'x', hours: [] }),
        }),
      ),
    ).toEqual([422, 'last_contact'])
    // A contact whose QR ran out reaches nobody: it is no fallback.
    const [run] = await database.db
      .insert(service_contact)
      .values({
        scene: 'after_sale',
        type: 'wecom',
        value: 'https://work.weixin.qq.com/kfid/kfc3f1a0b2c9d8e7f6',
        expires_at: now - 60,
      })
      .returning()
    expect(
      rule(await call(customer.disable, { id: last.id, version: last.version, reason: '合并' })),
    ).toEqual([422, 'last_contact'])
    await database.db.delete(service_contact).where(eq(service_contact.id, run!.id))
    ok(await call(customer.enable, { id: nationals[0]!.id, version: nationals[0]!.version + 1 }))
    expect(ok(await call(customer.lst)).uncovered).toEqual([])
  })
  it('are tried in the order set for their place', async () => {
    const { list, list_version } = ok(
      await call(customer.group, { scene: 'after_sale', city_id: 8 }),
    )
    const order = list.map((row: { id: number }) => row.id).reverse()
    ok(await call(customer.sort, { scene: 'after_sale', city_id: 8, order, list_version }))
    expect(
      ok(await call(customer.group, { scene: 'after_sale', city_id: 8 })).list.map(
        (row: { id: number }) => row.id,
      ),
    ).toEqual(order)
    expect(
      rule(await call(customer.sort, { scene: 'after_sale', city_id: 8, order, list_version })),
    ).toEqual([409, 'stale'])
  })
  it("set their automatic reply, are seen by a city's people together with the national ones, and changed only where they are theirs", async () => {
    const rows = ok(await call(customer.lst, { pageSize: 200 }, local)).list as {
      id: number
      city_id: number
      version: number
    }[]
    expect(new Set(rows.map(row => row.city_id))).toEqual(new Set([0, 2]))
    const national = rows.find(row => row.city_id === 0)!
    expect(
      rule(
        await call(
          customer.setAutoReply,
          { id: national.id, version: national.version, text: '改' },
          local,
        ),
      ),
    ).toEqual([422, 'all_cities'])
    const own = rows.find(row => row.city_id === 2)!
    ok(
      await call(
        customer.setAutoReply,
        { id: own.id, version: own.version, text: '稍后回复' },
        local,
      ),
    )
    const foreign = (
      await database.db
        .select()
        .from(service_contact)
        .where(eq(service_contact.city_id, 1))
        .limit(1)
    )[0]!
    expect(
      (
        await call(
          customer.setAutoReply,
          { id: foreign.id, version: foreign.version, text: '改' },
          local,
        )
      ).status,
    ).toBe(404)
  })
})

describe('codes', () => {
  it('draw a QR of a text', async () => {
    const drawn = ok(await call(linkPicks.getQrImg, { text: 'https://mallet.example/p/1' }))
    expect(drawn).toMatchObject({ real: true, caption: 'https://mallet.example/p/1' })
    expect(Buffer.from(drawn.image.split(',')[1], 'base64').subarray(1, 4).toString()).toBe('PNG')
  })
  it("stand in for WeChat's where it is not set up, and say so", async () => {
    expect(ok(await call(linkPicks.getMpImg, { path: 'pages/store/detail?id=3' }))).toMatchObject({
      real: false,
      caption: expect.stringContaining('未配置微信'),
    })
  })

  let server: Server
  const asked: {
    tokens: number
    bodies: { page: string; scene: string }[]
    dead: Set<string>
    broken: boolean
  } = { tokens: 0, bodies: [], dead: new Set(), broken: false }
  let connected: App
  beforeAll(async () => {
    const faultAt = (url: URL) => {
      if (asked.broken) return { errcode: 41030, errmsg: 'invalid page' }
      return asked.dead.has(url.searchParams.get('access_token')!)
        ? { errcode: 40001, errmsg: 'invalid credential' }
        : undefined
    }
    server = createServer((request, reply) => {
      const url = new URL(request.url!, 'http://wechat')
      if (url.pathname === '/cgi-bin/token') {
        const answer =
          url.searchParams.get('secret') === 'f'.repeat(32)
            ? { access_token: `token-${++asked.tokens}`, expires_in: 7200 }
            : { errcode: 40125, errmsg: 'invalid appsecret' }
        return void setTimeout(
          () => reply.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
          30,
        )
      }
      const chunks: Buffer[] = []
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          asked.bodies.push(
            JSON.parse(Buffer.concat(chunks).toString()) as { page: string; scene: string },
          )
          const fault = faultAt(url)
          // WeChat answers an error with HTTP 200.
          if (fault)
            reply
              .setHeader('content-type', 'application/json; encoding=utf-8')
              .end(JSON.stringify(fault))
          else
            reply.setHeader('content-type', 'image/jpeg').end(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
        })
    }).listen(0, '127.0.0.1')
    await new Promise(done => server.once('listening', done))
    connected = await openApp(database, {
      wechat: {
        appid: 'wx0123456789abcdef',
        secret: 'f'.repeat(32),
        api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      },
    })
  })
  afterAll(
    () =>
      new Promise<void>(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  const draw = (input: object, of = connected) =>
    send(of, linkPicks.getMpImg, input, { token: admin })
  it('come from WeChat where it is set up, by one token for all who ask at once', async () => {
    const drawn = await Promise.all(
      Array.from({ length: 5 }, (_, at) => draw({ path: 'pages/store/detail', scene: `id=${at}` })),
    )
    expect(drawn.map(one => [one.status, one.data.real, one.data.image.slice(0, 23)])).toEqual(
      drawn.map(() => [200, true, 'data:image/jpeg;base64,']),
    )
    expect(asked.tokens).toBe(1)
    expect(asked.bodies[0]).toMatchObject({
      page: 'pages/store/detail',
      scene: expect.stringMatching(/^id=\d$/),
    })
    expect(
      (await database.db.select().from(setting).where(eq(setting.key, 'wechat.access_token')))[0]!
        .value,
    ).toMatchObject({ token: 'token-1' })
  })
  it('ask for a new token when the kept one is dead', async () => {
    asked.dead.add('token-1')
    expect((await draw({ path: 'pages/home/index' })).status).toBe(200)
    expect(asked.tokens).toBe(2)
  })
  it('tell of an error that WeChat answers with HTTP 200, without the secret', async () => {
    asked.broken = true
    const said = await draw({ path: 'pages/none/index' })
    expect([rule(said), said.message]).toEqual([[422, 'wechat'], expect.stringContaining('41030')])
    expect(said.text).not.toContain('f'.repeat(32))
    expect(rule(await draw({ path: 'pages/a/b?x=1', scene: 'x'.repeat(32) }))).toEqual([
      422,
      'wechat',
    ])
    asked.broken = false
  })
})

describe('every change', () => {
  it('needs its own right: a reader of the pages may change nothing', async () => {
    const reader = (
      await addStaff(database, {
        perms: [
          'system.city.view',
          'system.city.config.view',
          'system.banner.view',
          'system.hlink.view',
          'system.share.view',
          'system.customer.view',
        ],
      })
    ).token
    for (const module of [cityCalls, settings, banner, hlink, share, customer]) {
      for (const one of Object.values(module)) {
        if (one.permit === 'signed-in') continue
        const said = await call(one, {}, reader)
        expect([one.path, said.status === 403]).toEqual([one.path, !one.permit.endsWith('.view')])
      }
    }
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
