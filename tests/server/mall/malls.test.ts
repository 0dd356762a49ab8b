import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { mall_category, mall_floor, mall_recommend } from '#src/areas/mall/mall.table.ts'
import { usualOptions } from '#src/areas/mall/mall.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { hotMallAtFirst } from '#src/areas/place/city.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { mallList, mallPicker } from '#src/contract/malls.ts'
import { places } from '#src/contract/places.ts'
import { unjoined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { category } from '#src/modules/mall/contract/category.ts'
import { floor } from '#src/modules/mall/contract/floor.ts'
import { mall as calls } from '#src/modules/mall/contract/index.ts'
import { settings as citySettings } from '#src/modules/system/contract/citySettings.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenOfAccount, type Said } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let admin: string
let local: { id: number; token: string }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  admin = await tokenOfAccount(database, 'admin')
  local = await addStaff(database, {
    perms: ['mall.*'],
    role: { scope_type: 'city', scope_ids: [1] },
  })
})
const ok = (said: Said) => {
  expect([said.message, said.status, JSON.stringify(said.data)?.slice(0, 200)]).toEqual([
    said.message,
    200,
    expect.anything(),
  ])
  return said.data
}
const ask = (call: Parameters<typeof send>[1], input: object = {}, token = admin) =>
  send(app, call, input, { token })
const ruleOf = (said: Said) => [said.status, said.data?.rule]
const mallRow = async (mid: number) =>
  (await database.db.select().from(mall).where(eq(mall.id, mid)))[0]!
const logsOf = (type: string, id: number) =>
  database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_type, type), eq(op_log.object_id, id)))
    .orderBy(op_log.id)
let made = 0
const HOT_MALLS = hotMallAtFirst.limit_count
const centre = async (city_id: number) => {
  const [row] = await database.db.select().from(city).where(eq(city.id, city_id))
  return { lng_e6: Math.round(Number(row!.lng) * 1e6), lat_e6: Math.round(Number(row!.lat) * 1e6) }
}
/** A draft of a test's own; `ready` has all that an online mall needs. */
const freshMall = async (ready = true, city_id = 1) => {
  const name = `测试Q商场${++made}`
  const { mid, version } = ok(
    await ask(calls.create, {
      name,
      city_id,
      kind: 'mall',
      address: '测试路 1 号',
      ...(ready
        ? {
            ...(await centre(city_id)),
            covers: ['demo/dish-1.webp'],
            logo: 'demo/dish-2.webp',
            phone: '021-51234567',
          }
        : {}),
    }),
  )
  if (ready) ok(await ask(floor.create, { mid, name: '1F', level_no: 1 }))
  return { mid: mid as number, version: version as number, name }
}
const onlineMall = async (city_id = 1) => {
  const one = await freshMall(true, city_id)
  return {
    ...one,
    version: ok(await ask(calls.publish, { mid: one.mid, version: one.version })).version as number,
  }
}
const openStores = (mid: number) =>
  database.db
    .select()
    .from(store)
    .where(and(eq(store.mall_id, mid), eq(store.status, 'open')))
const freshStore = async (mid: number, more: Partial<typeof store.$inferInsert> = {}) => {
  const [like] = await database.db
    .select()
    .from(store)
    .where(and(eq(store.kind, 'offline'), eq(store.status, 'open')))
    .limit(1)
  const { id: _, ...columns } = like!
  const [one] = await database.db
    .insert(store)
    .values({
      ...columns,
      store_no: `TQ${++made}`,
      mall_id: mid,
      city_id: (await mallRow(mid)).city_id,
      floor_id: null,
      ...more,
    })
    .returning()
  return one!
}

describe('the list of malls', () => {
  it('gives pickers four fields, up to a thousand, without drafts', async () => {
    const { list, total } = ok(await ask(places.malls, { page: 1, limit: 1000 }))
    expect(total).toBe(list.length)
    expect(Object.keys(list[0]).sort()).toEqual(['city_id', 'city_name', 'mid', 'name'])
    const drafts = await database.db.select().from(mall).where(eq(mall.status, 'draft'))
    expect(list.some((row: { mid: number }) => drafts.some(one => one.id === row.mid))).toBe(false)
  })
  it('gives the four fields alone from 101 rows on', async () => {
    expect(Object.keys(ok(await ask(mallList, { limit: 101 })).list[0]).sort()).toEqual([
      'city_id',
      'city_name',
      'mid',
      'name',
    ])
    expect(ok(await ask(mallList, { limit: 100 })).list[0]).toHaveProperty('completeness')
  })
  it('is written to a file, by the right to it, with as many rows as the list has', async () => {
    const { total } = ok(await ask(mallList, { city_id: 1, status: 'online' }, local.token))
    expect(
      ok(await ask(calls.export, { city_id: 1, status: 'online' }, local.token)).rows_expected,
    ).toBe(total)
    const reader = await addStaff(database, { perms: ['mall.view'] })
    expect((await ask(calls.export, {}, reader.token)).status).toBe(403)
  })
  it('counts stores, floors and products, and names what is missing', async () => {
    const { list, total, stat } = ok(await ask(mallList, { pageSize: 100 }))
    expect(stat.online + stat.draft + stat.offline + stat.closed).toBe(total)
    const [first] = list.filter((row: { mid: number }) => row.mid === 1)
    const [counted] = (
      await database.db.execute<{ stores: number; floors: number }>(
        sql`select (select count(*)::int from store where mall_id = 1 and status <> 'closed') stores, (select count(*)::int from mall_floor where mid = 1) floors`,
      )
    ).rows
    expect([first.store_count, first.floor_count]).toEqual([counted!.stores, counted!.floors])
    const incomplete = ok(await ask(mallList, { pageSize: 100, incomplete: true })).list as {
      missing: string[]
    }[]
    expect(incomplete.length).toBeGreaterThan(0)
    expect(incomplete.every(row => row.missing.length > 0)).toBe(true)
    const whole = list.filter((row: { missing: string[] }) => row.missing.length === 0)
    expect(whole.length + incomplete.length).toBe(total)
  })
  it('filters by city, kind, status, heat, and mine; orders by turnover', async () => {
    const own = await freshMall(false)
    expect(
      ok(await ask(mallList, { mine: true, pageSize: 200 })).list.map(
        (row: { mid: number }) => row.mid,
      ),
    ).toContain(own.mid)
    for (const row of ok(await ask(mallList, { city_id: 1, status: 'online', pageSize: 200 })).list)
      expect([row.city_id, row.status]).toEqual([1, 'online'])
    expect(
      ok(await ask(mallList, { is_hot: true })).list.every(
        (row: { is_hot: boolean }) => row.is_hot,
      ),
    ).toBe(true)
    const sums = ok(await ask(mallList, { order_by: 'gmv_30d', pageSize: 200 })).list.map(
      (row: { gmv_30d_cents: number }) => row.gmv_30d_cents,
    )
    expect(sums).toEqual([...sums].sort((a: number, b: number) => b - a))
  })
  it('offers pickers online malls by pinyin, and what was chosen already even when it is off', async () => {
    const [off] = await database.db.select().from(mall).where(eq(mall.status, 'offline'))
    const { list } = ok(await ask(mallPicker, { include: [off!.id], include_outside: true }))
    expect(list[0]).toMatchObject({ mid: 0 })
    expect(list.find((row: { mid: number }) => row.mid === off!.id).disabled_reason).toBeTruthy()
    expect(
      list.filter((row: { mid: number; status: string }) => row.mid > 0 && row.status !== 'online'),
    ).toHaveLength(1)
  })
  it('shows an operator only malls of the own cities, and another one is not found', async () => {
    const list = ok(await ask(mallList, { pageSize: 200 }, local.token)).list as {
      city_id: number
    }[]
    expect(list.length).toBeGreaterThan(0)
    expect(list.every(row => row.city_id === 1)).toBe(true)
    const [elsewhere] = await database.db
      .select()
      .from(mall)
      .where(sql`${mall.city_id} <> 1`)
      .limit(1)
    const one = { mid: elsewhere!.id, version: elsewhere!.version }
    for (const said of [
      await ask(calls.detail, { mid: one.mid }, local.token),
      await ask(calls.publish, one, local.token),
      await ask(calls.edit, { ...one, name: '改名' }, local.token),
      await ask(floor.lst, { mid: one.mid }, local.token),
      await ask(category.lst, { mid: one.mid }, local.token),
    ])
      expect(said.status).toBe(404)
    // 0 is outside any mall: there is nothing of it to show, to edit or to delete.
    expect((await ask(calls.detail, { mid: 0 }, admin)).status).toBe(404)
    for (const said of [
      await ask(calls.edit, { mid: 0, version: 1, name: '商场外' }),
      await ask(calls.del, { mid: 0 }),
      await ask(calls.publish, { mid: 0, version: 1 }),
    ])
      expect(said.status).toBe(400)
  })
})

describe('a mall', () => {
  it('goes online only with city, pin, cover and a shown floor, and says what is missing', async () => {
    const bare = await freshMall(false)
    const refused = await ask(calls.publish, { mid: bare.mid, version: bare.version })
    expect(ruleOf(refused)).toEqual([422, 'publish_incomplete'])
    expect(refused.data.missing).toEqual(['pin', 'cover', 'floor'])
    const ready = await freshMall()
    expect(ok(await ask(calls.publish, { mid: ready.mid, version: ready.version })).status).toBe(
      'online',
    )
    expect((await logsOf('mall', ready.mid)).at(-1)).toMatchObject({
      before: { status: 'draft' },
      after: { status: 'online' },
      result: 'ok',
    })
  })
  it('has a name that no other mall of its city has, though one elsewhere may', async () => {
    const one = await freshMall()
    expect(
      ruleOf(await ask(calls.create, { name: one.name, city_id: 1, kind: 'mall', address: 'x' })),
    ).toEqual([422, 'name_taken_in_city'])
    expect(
      (await ask(calls.create, { name: one.name, city_id: 2, kind: 'mall', address: 'x' })).status,
    ).toBe(200)
  })
  it('has a name of 2 to 40 characters, a Chinese one counting as 2, and a phone that is one', async () => {
    expect(
      (await ask(calls.create, { name: '长'.repeat(21), city_id: 1, kind: 'mall' })).data.fields
        .name,
    ).toBeTruthy()
    expect(
      (await ask(calls.create, { name: '长'.repeat(20), city_id: 1, kind: 'mall' })).status,
    ).toBe(200)
    const there = { name: `区县${made}`, city_id: 1, kind: 'mall', district: '没有区' }
    expect((await ask(calls.create, there)).data.fields).toHaveProperty('district')
    const whole = await ask(calls.create, { ...there, district: '黄浦区' })
    expect(whole.status).toBe(200)
    expect(
      (await ask(calls.edit, { mid: whole.data.mid, version: 0, district: '西湖区' })).data.fields,
    ).toHaveProperty('district')
    expect(
      (await ask(calls.create, { name: `电话${made}`, city_id: 1, kind: 'mall', phone: '12345' }))
        .data.fields.phone,
    ).toBeTruthy()
    for (const phone of ['13812345678', '021-51234567', '400-820-6100'])
      expect(
        (await ask(calls.create, { name: `号${phone}`, city_id: 1, kind: 'mall', phone })).status,
      ).toBe(200)
  })
  it('has its pin inside the city, or somebody stands by it with a reason', async () => {
    const far = await centre(2)
    const input = { name: `远${++made}`, city_id: 5, kind: 'mall' as const, ...far }
    expect(ruleOf(await ask(calls.create, input))).toEqual([422, 'pin_outside_city'])
    expect(ruleOf(await ask(calls.create, { ...input, confirm_pin: true }))).toEqual([
      422,
      'pin_outside_city',
    ])
    const { mid } = ok(
      await ask(calls.create, { ...input, confirm_pin: true, reason: '飞地项目，已与当地核实' }),
    )
    expect((await logsOf('mall', mid))[0]).toMatchObject({ reason: '飞地项目，已与当地核实' })
  })
  it('stays in its city once it has stores', async () => {
    const one = await freshMall()
    expect(
      (
        await ask(calls.edit, {
          mid: one.mid,
          version: one.version,
          city_id: 2,
          ...(await centre(2)),
        })
      ).status,
    ).toBe(200)
    const row = await mallRow(one.mid)
    await freshStore(one.mid)
    expect(
      ruleOf(
        await ask(calls.edit, {
          mid: one.mid,
          version: row.version,
          city_id: 1,
          ...(await centre(1)),
        }),
      ),
    ).toEqual([422, 'city_locked'])
  })
  it('closes only from offline, without an open store, a product on sale or an unredeemed code', async () => {
    const [busy] = (
      await database.db.execute<{ id: number; version: number }>(
        sql`select m.id, m.version from mall m where m.status = 'online' and exists (select 1 from store s where s.mall_id = m.id and s.status = 'open') order by m.id desc limit 1`,
      )
    ).rows
    expect(
      ruleOf(await ask(calls.close, { mid: busy!.id, version: busy!.version, reason: '闭店' })),
    ).toEqual([422, 'wrong_state'])
    const off = ok(
      await ask(calls.offline, { mid: busy!.id, version: busy!.version, reason: '升级改造' }),
    )
    const refused = await ask(calls.close, { mid: busy!.id, version: off.version, reason: '闭店' })
    expect(ruleOf(refused)).toEqual([422, 'has_open_store'])
    const empty = await onlineMall()
    const down = ok(
      await ask(calls.offline, { mid: empty.mid, version: empty.version, reason: '租约到期' }),
    )
    const held = await freshStore(empty.mid)
    expect(
      ruleOf(await ask(calls.close, { mid: empty.mid, version: down.version, reason: '租约到期' })),
    ).toEqual([422, 'has_open_store'])
    await database.db.update(store).set({ status: 'closed' }).where(eq(store.id, held.id))
    expect(
      ok(await ask(calls.close, { mid: empty.mid, version: down.version, reason: '租约到期' }))
        .status,
    ).toBe('closed')
    expect(
      ruleOf(await ask(calls.edit, { mid: empty.mid, version: down.version + 1, intro: 'x' })),
    ).toEqual([422, 'wrong_state'])
    expect(ruleOf(await ask(floor.create, { mid: empty.mid, name: '9F', level_no: 9 }))).toEqual([
      422,
      'mall_closed',
    ])
  })
  it('is deleted as a draft without anything in it; again answers the same', async () => {
    const one = await freshMall()
    const [level] = await database.db.select().from(mall_floor).where(eq(mall_floor.mid, one.mid))
    const refused = await ask(calls.del, { mid: one.mid })
    expect([ruleOf(refused), refused.data.children.floors]).toEqual([[422, 'has_children'], 1])
    ok(await ask(floor.del, { id: level!.id }))
    expect(ok(await ask(calls.del, { mid: one.mid, reason: '重复创建' }))).toEqual({
      mid: one.mid,
      deleted: true,
    })
    expect(ok(await ask(calls.del, { mid: one.mid }))).toEqual({
      mid: one.mid,
      deleted: true,
      already: true,
    })
    const online = await onlineMall()
    expect(ruleOf(await ask(calls.del, { mid: online.mid }))).toEqual([422, 'not_draft'])
  })
  it('is hot only where its city has room, or in another’s place', async () => {
    const some = []
    for (let at = 0; at <= HOT_MALLS; at++) some.push(await onlineMall())
    await database.db.update(mall).set({ is_hot: false }).where(eq(mall.city_id, 1))
    for (const one of some.slice(0, HOT_MALLS))
      ok(await ask(calls.setHot, { mid: one.mid, version: one.version, is_hot: true }))
    const last = some.at(-1)!
    const refused = await ask(calls.setHot, { mid: last.mid, version: last.version, is_hot: true })
    expect([ruleOf(refused), refused.data.current_hot.length]).toEqual([
      [422, 'hot_full'],
      HOT_MALLS,
    ])
    ok(
      await ask(calls.setHot, {
        mid: last.mid,
        version: last.version,
        is_hot: true,
        replace_mid: some[0]!.mid,
      }),
    )
    expect([(await mallRow(last.mid)).is_hot, (await mallRow(some[0]!.mid)).is_hot]).toEqual([
      true,
      false,
    ])
  })
  it('is hot as often as its city shows hot malls, whatever that number is', async () => {
    const city_id = 2
    const some = [await onlineMall(city_id), await onlineMall(city_id), await onlineMall(city_id)]
    const [place] = await database.db.select().from(city).where(eq(city.id, city_id))
    await database.db
      .update(mall)
      .set({ is_hot: false, hot_sort: 0 })
      .where(eq(mall.city_id, city_id))
    await database.db
      .update(city)
      .set({ hot_mall: { ...hotMallAtFirst, limit_count: 2 } })
      .where(eq(city.id, city_id))
    for (const one of some.slice(0, 2))
      ok(await ask(calls.setHot, { mid: one.mid, version: one.version, is_hot: true }))
    const third = { mid: some[2]!.mid, version: some[2]!.version, is_hot: true }
    expect(ruleOf(await ask(calls.setHot, third))).toEqual([422, 'hot_full'])
    await database.db
      .update(city)
      .set({ hot_mall: { ...hotMallAtFirst, limit_count: 9 } })
      .where(eq(city.id, city_id))
    ok(await ask(calls.setHot, third))
    await database.db.update(city).set({ hot_mall: place!.hot_mall }).where(eq(city.id, city_id))
  })
  it('is in the list of a city that chooses its hot malls by hand, and gone from it with its mark', async () => {
    const city_id = 3
    const inCity = async () => {
      const { malls, mode, version } = ok(await ask(citySettings.getHotMallSettings, { city_id }))
      return { mode, version, mids: malls.map((row: { mid: number }) => row.mid) }
    }
    const marked = async () =>
      (
        await database.db
          .select({ id: mall.id })
          .from(mall)
          .where(and(eq(mall.city_id, city_id), eq(mall.is_hot, true)))
          .orderBy(mall.hot_sort)
      ).map(row => row.id)
    const before = await inCity()
    expect([before.mode, before.mids]).toEqual(['manual', await marked()])
    const one = await onlineMall(city_id)
    const hot = ok(await ask(calls.setHot, { mid: one.mid, version: one.version, is_hot: true }))
    expect(await inCity()).toEqual({
      mode: 'manual',
      version: before.version + 1,
      mids: [...before.mids, one.mid],
    })
    ok(await ask(calls.setHot, { mid: one.mid, version: hot.version, is_hot: false }))
    expect((await inCity()).mids).toEqual(before.mids)
  })
  it('refuses a stale version, with the row as it is and who changed it', async () => {
    const one = await freshMall()
    ok(await ask(calls.edit, { mid: one.mid, version: one.version, intro: '第一稿' }))
    const refused = await ask(calls.edit, { mid: one.mid, version: one.version, intro: '第二稿' })
    expect([refused.status, refused.data.current.intro]).toEqual([409, '第一稿'])
    expect(refused.message).toContain('林知远')
  })
  it('takes its modules in an order that holds each once', async () => {
    const one = await freshMall()
    expect(
      (
        await ask(calls.setMallOptions, {
          mid: one.mid,
          version: one.version,
          options: { ...usualOptions, block_order: ['hot', 'hot'] },
        })
      ).status,
    ).toBe(400)
    const options = {
      ...usualOptions,
      show_hot: false,
      block_order: [...usualOptions.block_order].reverse(),
    }
    expect(
      ok(await ask(calls.setMallOptions, { mid: one.mid, version: one.version, options })).options,
    ).toEqual(options)
    expect(ok(await ask(calls.detail, { mid: one.mid })).options).toEqual(options)
  })
  it('names whose goods its stores do not distribute, each once and known', async () => {
    const one = await freshMall()
    const { list } = ok(await ask(calls.rivals, { pageSize: 2 }))
    const [a, b] = list.map(({ id }: { id: number }) => id)
    const set = (version: number, rival_ids: number[]) =>
      ask(calls.setRivals, { mid: one.mid, version, rival_ids, reason: '同业排他' })
    const { version } = ok(await set(one.version, [b, a, b]))
    const told = ok(await ask(calls.detail, { mid: one.mid }))
    expect(told.rival_ids).toEqual([a, b])
    expect(Object.keys(told.rival_names)).toEqual([String(a), String(b)])
    expect((await set(version, [2_000_000_000])).status).toBe(400)
    expect((await set(one.version, [])).status).toBe(409)
    expect(ok(await set(version, [])).version).toBe(version + 1)
  })
  it('says whose customers stay when a guide moves, once', async () => {
    const one = await freshMall()
    const set = (version: number, guide_rule: string) =>
      ask(calls.setGuideRule, { mid: one.mid, version, guide_rule, reason: '商场约定' })
    const { version } = ok(await set(one.version, 'store'))
    expect(ok(await ask(calls.detail, { mid: one.mid })).guide_rule).toBe('store')
    expect((await set(one.version, 'guide')).status).toBe(409)
    expect((await set(version, 'nobody')).status).toBe(400)
  })
  it('goes offline in bulk, each by itself', async () => {
    const [a, draft] = [await onlineMall(), await freshMall()]
    const result = ok(
      await ask(calls.batchOffline, {
        malls: [a, draft].map(({ mid, version }) => ({ mid, version })),
        reason: '台风停业',
      }),
    )
    expect([result.ok, result.failed[0].id]).toEqual([[a.mid], draft.mid])
  })
  it('finds what stands within 500 m or has its name', async () => {
    const one = await freshMall()
    const at = await centre(1)
    expect(
      ok(await ask(calls.checkDuplicate, { lng_e6: at.lng_e6 + 3000, lat_e6: at.lat_e6 })).list.map(
        (row: { mid: number }) => row.mid,
      ),
    ).toContain(one.mid)
    expect(
      ok(
        await ask(calls.checkDuplicate, {
          lng_e6: at.lng_e6 + 60_000,
          lat_e6: at.lat_e6,
          mid: one.mid,
        }),
      ).list.map((row: { mid: number }) => row.mid),
    ).not.toContain(one.mid)
    expect(
      ok(await ask(calls.checkDuplicate, { city_id: 1, name: one.name })).list[0],
    ).toMatchObject({ mid: one.mid, same_name: true })
  })
  it('asks the right of each change that the one call can make', async () => {
    const editor = await addStaff(database, { perms: ['mall.view', 'mall.edit'] })
    const one = await freshMall()
    expect(
      (
        await ask(
          calls.edit,
          { mid: one.mid, version: one.version, to_status: 'online' },
          editor.token,
        )
      ).status,
    ).toBe(403)
    expect(
      (await ask(calls.edit, { mid: one.mid, version: one.version, is_hot: true }, editor.token))
        .status,
    ).toBe(403)
    expect(
      (await ask(calls.edit, { mid: one.mid, version: one.version, intro: '好' }, editor.token))
        .status,
    ).toBe(200)
    expect(
      ok(await ask(calls.edit, { mid: one.mid, version: one.version + 1, to_status: 'online' }))
        .status,
    ).toBe('online')
  })
})

describe('floors', () => {
  it('have one name in a mall and a level from -5 to 99; the order follows the level until it is sorted by hand', async () => {
    const one = await freshMall()
    expect(ruleOf(await ask(floor.create, { mid: one.mid, name: '1F', level_no: 2 }))).toEqual([
      422,
      'name_taken',
    ])
    expect((await ask(floor.create, { mid: one.mid, name: 'X', level_no: 100 })).status).toBe(400)
    expect((await ask(floor.create, { mid: one.mid, name: 'X', level_no: -6 })).status).toBe(400)
    ok(await ask(floor.create, { mid: one.mid, name: '3F', level_no: 3 }))
    ok(await ask(floor.create, { mid: one.mid, name: 'B1', level_no: -1 }))
    ok(await ask(floor.create, { mid: one.mid, name: '2F', level_no: 2 }))
    const { list, list_version } = ok(await ask(floor.lst, { mid: one.mid }))
    expect(list.map((row: { name: string }) => row.name)).toEqual(['B1', '1F', '2F', '3F'])
    const order = list.map((row: { id: number }) => row.id).reverse()
    ok(await ask(floor.edit, { mid: one.mid, order, list_version }))
    expect(
      ok(await ask(floor.lst, { mid: one.mid })).list.map((row: { id: number }) => row.id),
    ).toEqual(order)
    const refused = await ask(floor.sort, {
      mid: one.mid,
      order: [...order].reverse(),
      list_version,
    })
    expect([refused.status, refused.data.current.order]).toEqual([409, order])
    expect(
      (
        await ask(floor.sort, {
          mid: one.mid,
          order: order.slice(1),
          list_version: list_version + 1,
        })
      ).status,
    ).toBe(409)
  })
  it('go where their new level puts them, unless somebody sorted the list by hand', async () => {
    const { mid } = await freshMall()
    for (const level_no of [2, 3])
      ok(await ask(floor.create, { mid, name: `${level_no}F`, level_no }))
    const names = async () =>
      ok(await ask(floor.lst, { mid })).list.map((row: { name: string }) => row.name)
    const row = async (name: string) =>
      (
        await database.db
          .select()
          .from(mall_floor)
          .where(and(eq(mall_floor.mid, mid), eq(mall_floor.name, name)))
      )[0]!
    const { id, version } = await row('1F')
    ok(await ask(floor.edit, { id, version, name: '9F', level_no: 9 }))
    expect(await names()).toEqual(['2F', '3F', '9F'])
    const { list, list_version } = ok(await ask(floor.lst, { mid }))
    ok(
      await ask(floor.sort, {
        mid,
        list_version,
        order: list.map((one: { id: number }) => one.id).reverse(),
      }),
    )
    ok(await ask(floor.edit, { id, version: version + 1, name: 'B1', level_no: -1 }))
    expect(await names()).toEqual(['B1', '3F', '2F'])
  })
  it('with stores are not deleted but offer to move them, and hide without hiding their stores', async () => {
    const one = await freshMall()
    const second = ok(await ask(floor.create, { mid: one.mid, name: '2F', level_no: 2 }))
    const stores = [
      await freshStore(one.mid, { floor_id: second.id }),
      await freshStore(one.mid, { floor_id: second.id }),
    ]
    const refused = await ask(floor.del, { id: second.id })
    expect([ruleOf(refused), refused.data.store_count]).toEqual([[422, 'has_stores'], 2])
    ok(await ask(floor.hide, { id: second.id, version: second.version }))
    expect(ok(await ask(floor.stores, { mid: one.mid, floor_id: second.id })).total).toBe(2)
    const [first] = await database.db
      .select()
      .from(mall_floor)
      .where(and(eq(mall_floor.mid, one.mid), eq(mall_floor.level_no, 1)))
    expect(ok(await ask(floor.del, { id: second.id, move_to: first!.id }))).toMatchObject({
      deleted: true,
      moved: 2,
    })
    expect(
      (await database.db.select().from(store).where(eq(store.id, stores[0]!.id)))[0],
    ).toMatchObject({ floor_id: first!.id, floor: '1F' })
    expect(ok(await ask(floor.del, { id: second.id }))).toMatchObject({
      deleted: true,
      already: true,
    })
  })
  it('take stores of their own mall only', async () => {
    const [one, two] = [await freshMall(), await freshMall()]
    const [mine, theirs] = [await freshStore(one.mid), await freshStore(two.mid)]
    const [level] = await database.db.select().from(mall_floor).where(eq(mall_floor.mid, one.mid))
    const said = ok(
      await ask(floor.moveStores, { store_ids: [mine.id, theirs.id], floor_id: level!.id }),
    )
    expect([said.ok, said.failed[0].store_id, said.failed[0].reason]).toEqual([
      [mine.id],
      theirs.id,
      'other_mall',
    ])
    expect(ruleOf(await ask(floor.edit, { id: level!.id, move_store_ids: [theirs.id] }))).toEqual([
      422,
      'other_mall',
    ])
    expect(ok(await ask(floor.lst, { mid: one.mid })).list[0].store_count).toBe(1)
  })
})

describe('guide categories', () => {
  const leaf = async () =>
    (
      await database.db.execute<{ id: number }>(
        sql`select s.category_id id from store s where s.mall_id = 1 and s.status = 'open' limit 1`,
      )
    ).rows[0]!.id
  const fields = async (name: string) => ({
    name,
    icon: 'demo/goods-1.webp',
    jump_kind: 'stores' as const,
    shop_category_ids: [await leaf()],
  })
  it('have two levels at most, and one name under one parent', async () => {
    const { mid } = await freshMall()
    const top = ok(await ask(category.create, { mid, ...(await fields('餐饮')) }))
    const sub = ok(
      await ask(category.create, { mid, parent_id: top.id, ...(await fields('餐饮')) }),
    )
    expect(
      ruleOf(await ask(category.create, { mid, parent_id: sub.id, ...(await fields('三级')) })),
    ).toEqual([422, 'too_deep'])
    expect(ruleOf(await ask(category.create, { mid, ...(await fields('餐饮')) }))).toEqual([
      422,
      'name_taken',
    ])
    expect(
      (await ask(category.create, { mid, ...(await fields('九个字的分类名称啊')) })).status,
    ).toBe(400)
    expect(
      ruleOf(await ask(category.edit, { id: top.id, version: top.version, parent_id: top.id })),
    ).toEqual([422, 'too_deep'])
    expect(ruleOf(await ask(category.del, { id: top.id }))).toEqual([422, 'has_children'])
    ok(await ask(category.del, { id: sub.id }))
    expect(ok(await ask(category.del, { id: top.id })).deleted).toBe(true)
    expect(ok(await ask(category.del, { id: top.id })).already).toBe(true)
  })
  it('that are put under another one stand last there, and no two have one place', async () => {
    const { mid } = await freshMall()
    const [a, b] = [
      ok(await ask(category.create, { mid, ...(await fields('甲')) })),
      ok(await ask(category.create, { mid, ...(await fields('乙')) })),
    ]
    ok(await ask(category.create, { mid, parent_id: a.id, ...(await fields('甲一')) }))
    const before = ok(await ask(category.lst, { mid })).list_version
    ok(await ask(category.edit, { id: b.id, version: b.version, parent_id: a.id }))
    const after = ok(await ask(category.lst, { mid }))
    expect(
      after.list[0].children.map((row: { name: string; sort: number }) => [row.name, row.sort]),
    ).toEqual([
      ['甲一', 1],
      ['乙', 2],
    ])
    expect(after.list_version).toBeGreaterThan(before)
  })
  it('tell how many open stores and products stand behind each, and which would open an empty page', async () => {
    const { list } = ok(await ask(category.lst, { mid: 1 }))
    const empty = list.filter((row: { is_empty: boolean }) => row.is_empty)
    expect(
      list.some(
        (row: { is_empty: boolean; store_count: number }) => !row.is_empty && row.store_count > 0,
      ),
    ).toBe(true)
    for (const row of empty)
      expect(row.jump_kind === 'link' ? row.link_ok : row.store_count).toBeFalsy()
    const [one] = list
    const [n] = (
      await database.db.execute<{ n: number }>(
        sql`select count(*)::int n from store where mall_id = 1 and status = 'open' and category_id in ${one.shop_category_ids}`,
      )
    ).rows
    expect(one.store_count).toBeGreaterThanOrEqual(n!.n)
  })
  it('refuse a link whose target is gone', async () => {
    const { mid } = await freshMall()
    expect(
      (await ask(category.create, { mid, name: '链接', icon: 'x', jump_kind: 'link' })).status,
    ).toBe(400)
    expect(
      ruleOf(
        await ask(category.create, {
          mid,
          name: '链接',
          icon: 'x',
          jump_kind: 'link',
          page_link_id: 2_000_000_000,
        }),
      ),
    ).toEqual([422, 'link_target_gone'])
    expect(
      ruleOf(
        await ask(category.create, {
          mid,
          name: '无',
          icon: 'x',
          jump_kind: 'stores',
          shop_category_ids: [2_000_000_000],
        }),
      ),
    ).toEqual([422, 'target_gone'])
  })
  it('with recommended stores go only when those are cleared', async () => {
    const [row] = await database.db
      .select()
      .from(mall_recommend)
      .where(
        and(
          eq(mall_recommend.block, 'shop'),
          eq(mall_recommend.is_recommend, true),
          sql`${mall_recommend.mid} > 2`,
        ),
      )
      .limit(1)
    const refused = await ask(category.del, { id: row!.category_id! })
    expect([ruleOf(refused), refused.data.store_count > 0]).toEqual([[422, 'has_recommend'], true])
    ok(await ask(category.del, { id: row!.category_id!, clear_recommend: true }))
    expect(
      await database.db
        .select()
        .from(mall_recommend)
        .where(eq(mall_recommend.category_id, row!.category_id!)),
    ).toEqual([])
  })
  it('have settings with defaults, four or five a row, and a limit that no chosen set is over', async () => {
    const { mid } = await freshMall()
    const settings = ok(await ask(category.settings, { mid }))
    expect(settings).toMatchObject({ version: 0, per_row: 5, store_limit: 10 })
    const { mall_name: _, ...sent } = settings
    expect((await ask(category.saveSettings, { ...sent, per_row: 6 })).status).toBe(400)
    expect(ok(await ask(category.saveSettings, { ...sent, per_row: 4 })).version).toBe(1)
    expect((await ask(category.saveSettings, { ...sent, per_row: 5 })).status).toBe(409)
    const [full] = (
      await database.db.execute<{ mid: number; n: number }>(
        sql`select mid, count(*)::int n from mall_recommend where block = 'shop' and is_recommend group by mid, category_id order by 2 desc limit 1`,
      )
    ).rows
    const of = ok(await ask(category.settings, { mid: full!.mid }))
    const { mall_name: __, ...low } = of
    const refused = await ask(category.saveSettings, { ...low, store_limit: full!.n - 1 })
    expect([ruleOf(refused), refused.data.categories.length > 0]).toEqual([
      [422, 'over_limit'],
      true,
    ])
  })
  it('are copied over another mall’s only when that is confirmed, and what was there can be brought back', async () => {
    const { mid } = await freshMall()
    const own = ok(await ask(category.create, { mid, ...(await fields('自己的')) }))
    expect(ruleOf(await ask(category.create, { mid, copy_from_mid: 1 }))).toEqual([
      422,
      'confirm_replace',
    ])
    const done = ok(await ask(category.copy, { mid, copy_from_mid: 1, confirm: true }))
    const names = ok(await ask(category.lst, { mid })).list.map((row: { name: string }) => row.name)
    expect([done.created > 5, names.includes('自己的')]).toEqual([true, false])
    expect(ok(await ask(category.backups, { mid })).list[0]).toMatchObject({
      backup_no: done.backup_no,
      names: ['自己的'],
    })
    ok(await ask(category.restore, { mid, backup_no: done.backup_no }))
    expect(
      (await database.db.select().from(mall_category).where(eq(mall_category.mid, mid))).map(
        row => row.id,
      ),
    ).toEqual([own.id])
  })
})

describe('the system', () => {
  it('takes off what closed or froze, logs it under its own name, and finds nothing the second time', async () => {
    const [row] = (
      await database.db.execute<{ id: number; ref_id: number; category_id: number }>(
        sql`select r.id, r.ref_id, r.category_id from mall_recommend r join store s on s.id = r.ref_id and s.status = 'open' where r.block = 'shop' and r.is_recommend order by r.id desc limit 1`,
      )
    ).rows
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.id, row!.ref_id))
    const [offer] = (
      await database.db.execute<{ id: number; ref_id: number; merchant_id: number }>(
        sql`select r.id, r.ref_id, p.merchant_id from mall_recommend r join product p on p.id = r.ref_id join merchant m on m.id = p.merchant_id and m.status = 'active' where r.block = 'voucher' and r.is_recommend order by r.id desc limit 1`,
      )
    ).rows
    await database.db
      .update(merchant)
      .set({ status: 'frozen' })
      .where(eq(merchant.id, offer!.merchant_id))
    const run = () =>
      timerNamed('mall.drop')({ database, events: app.events, now: unixNow() } as never)
    await run()
    const after = async (id: number) =>
      (await database.db.select().from(mall_recommend).where(eq(mall_recommend.id, id)))[0]!
    expect(await after(row!.id)).toMatchObject({
      is_recommend: false,
      drop_reason: 'store_not_open',
    })
    expect(await after(offer!.id)).toMatchObject({
      is_recommend: false,
      drop_reason: 'merchant_frozen',
    })
    const logged = (await logsOf('mall_category', row!.category_id)).at(-1)!
    expect([logged.admin_id, logged.admin_name, unjoined(logged.reason!)[0]]).toEqual([
      null,
      systemName,
      '门店未营业',
    ])
    const before = await database.db.select({ n: sql<number>`count(*)::int` }).from(op_log)
    await run()
    expect(await database.db.select({ n: sql<number>`count(*)::int` }).from(op_log)).toEqual(before)
    expect((await openStores(1)).length).toBeGreaterThan(0)
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
