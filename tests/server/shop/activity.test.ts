import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { store_activity } from '#src/areas/storeActivity/activity.table.ts'
import { overlaps, weekdayNames, weekendEnd } from '#src/areas/storeActivity/activity.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import { shopActivity as calls } from '#src/modules/shop/contract/activity.ts'
import { stores as storeCalls } from '#src/modules/shop/contract/stores.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshStore } from '../../help/merchants.ts'
import { freshMall } from '../../help/stores.ts'

let database: Database
let app: App
let token: string
let owner: Awaited<ReturnType<typeof freshMerchant>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
  owner = await freshMerchant(database)
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, as = token) =>
  send(app, what, input, { token: as })
const done = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const refused = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status).toBe(422)
  return said.data.rule
}
const rowOf = async (id: number) =>
  (await database.db.select().from(store_activity).where(eq(store_activity.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const shop = async (of: Partial<typeof store.$inferInsert> = {}) =>
  (await freshStore(database, owner, of)).id
const fields = (more: object = {}) => ({
  kind: 'gift',
  title: '到店有礼',
  content: '到店即送小食',
  image: 'demo/a.webp',
  start_at: now - HOUR,
  end_at: now + 30 * DAY,
  ...more,
})
const make = async (store_id: number, more: object = {}): Promise<number> =>
  (await done(calls.create, { store_id, ...fields(more) })).id
const online = async (store_id: number, more: object = {}): Promise<number> => {
  const id = await make(store_id, more)
  await done(calls.approve, await held(id))
  return id
}
const state = async (id: number) => (await rowOf(id)).status
const faults = async (more: object) => {
  const said = await call(calls.create, { store_id: await shop(), ...fields(more) })
  expect(said.status).toBe(400)
  return Object.keys(said.data.fields)
}
const end = (at: number) => timerNamed('shop.activityOver')({ database, now: at } as never)
const shown = async (store_id: number) =>
  (await done(calls.shown, { store_id })).list.map((one: { id: number }) => one.id)

describe('an activity', () => {
  it('ends after it starts, within 180 days, and later than now', async () => {
    expect(await faults({ end_at: now - 2 * HOUR })).toEqual(['end_at'])
    expect(await faults({ start_at: now - 9 * DAY, end_at: now - DAY })).toEqual(['end_at'])
    expect(await faults({ end_at: now - HOUR + 181 * DAY })).toEqual(['end_at'])
    await make(await shop(), { end_at: now - HOUR + 180 * DAY })
  })
  it('has the numbers that its kind needs, and no others', async () => {
    const cut = { kind: 'full_reduce', threshold_cents: 5000, reduce_cents: 5000 }
    expect(await faults(cut)).toEqual(['threshold_cents'])
    expect(await faults({ kind: 'full_reduce' })).toEqual(['threshold_cents', 'reduce_cents'])
    for (const discount_x10 of [undefined, 9, 100])
      expect(await faults({ kind: 'discount', discount_x10 })).toEqual(['discount_x10'])
    const id = await make(await shop(), { kind: 'discount', discount_x10: 85, reduce_cents: 100 })
    expect(await rowOf(id)).toMatchObject({ discount_x10: 85, reduce_cents: null })
    await make(await shop(), { ...cut, threshold_cents: 5001 })
  })
  it('of a kind and a store overlaps no other; other days, stores and kinds do not meet', async () => {
    const here = await shop()
    await make(here, { weekdays: [1, 2] })
    expect(await refused(calls.create, { store_id: here, ...fields() })).toBe('overlap')
    await make(here, { weekdays: [6, 7] })
    await make(here, { kind: 'notice' })
    await make(here, { start_at: now + 30 * DAY, end_at: now + 31 * DAY })
    await make(await shop())
    const both = await Promise.all(
      [1, 2].map(() => call(calls.create, { store_id: here, ...fields({ kind: 'opening' }) })),
    )
    expect(both.map(one => one.status).sort()).toEqual([200, 422])
  })
  it('is of a store that is in trade and among one’s data', async () => {
    const closed = await shop({ status: 'closed' })
    expect(await refused(calls.create, { store_id: closed, ...fields() })).toBe('store_not_open')
    const { token: elsewhere } = await addStaff(database, {
      perms: ['shop.activity.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const said = await call(calls.create, { store_id: await shop(), ...fields() }, elsewhere)
    expect(said.status).toBe(404)
    const id = await make(await shop())
    expect((await call(calls.approve, await held(id), elsewhere)).status).toBe(404)
  })
})

describe('the audit of an activity', () => {
  it('shows it once it is approved, and is not given twice', async () => {
    const here = await shop()
    const id = await make(here)
    expect(await shown(here)).toEqual([])
    await done(calls.approve, await held(id))
    expect(await shown(here)).toEqual([id])
    expect(await refused(calls.approve, await held(id))).toBe('wrong_state')
    expect(await refused(calls.reject, { ...(await held(id)), reason: '不实' })).toBe('wrong_state')
  })
  it('rejects with a reason; what is edited goes to the audit again', async () => {
    const id = await make(await shop())
    await done(calls.reject, { ...(await held(id)), reason: '说明不清' })
    expect(await rowOf(id)).toMatchObject({ status: 'rejected', reason: '说明不清' })
    const said = await done(calls.edit, { ...(await held(id)), ...fields({ title: '改后' }) })
    expect(said.status).toBe('auditing')
    expect(await rowOf(id)).toMatchObject({ title: '改后', reason: '' })
  })
  it('is asked again for all of an online one but its picture, which stays shown meanwhile', async () => {
    const here = await shop()
    const id = await online(here)
    const picture = await done(calls.edit, { ...(await held(id)), ...fields({ image: 'demo/b' }) })
    expect(picture.status).toBe('online')
    expect(await shown(here)).toEqual([id])
    const words = { ...(await held(id)), ...fields({ image: 'demo/b', content: '改了' }) }
    expect((await done(calls.edit, words)).status).toBe('auditing')
    expect(await shown(here)).toEqual([])
    const stale = await call(calls.edit, words)
    expect(stale.status).toBe(409)
  })
  it('is given to several at once, each with its answer', async () => {
    const [a, b] = [await make(await shop()), await online(await shop())]
    const said = await done(calls.batchApprove, { ids: [a, b] })
    expect([said.ok, said.failed.map((one: { id: number }) => one.id)]).toEqual([[a], [b]])
    const off = await done(calls.batchOffline, { ids: [a, b], reason: '周末停业' })
    expect([off.ok, await state(a), await state(b)]).toEqual([[a, b], 'offline', 'offline'])
  })
})

describe('an activity that was taken offline', () => {
  it('goes online again, unless it is over or another one took its time', async () => {
    const here = await shop()
    const id = await online(here)
    expect(await refused(calls.online, await held(id))).toBe('wrong_state')
    await done(calls.offline, { ...(await held(id)), reason: '备货不足' })
    const other = await make(here)
    expect(await refused(calls.online, await held(id))).toBe('overlap')
    await done(calls.reject, { ...(await held(other)), reason: '重复了' })
    await done(calls.online, await held(id))
    expect(await state(id)).toBe('online')
  })
})

describe('the top of a mall', () => {
  it('has room for two, also for those who ask at once, and frees it when one goes offline', async () => {
    const { id: mall_id } = await freshMall(database)
    const ids = await Promise.all(
      [1, 2, 3].map(async () => online(await shop({ mall_id, city_id: 1 }))),
    )
    const said = await Promise.all(ids.map(async id => call(calls.setTop, await held(id))))
    expect(said.map(one => one.status).sort()).toEqual([200, 200, 422])
    const topped = (await done(calls.lst, { mid: mall_id, topped: true })).list
    await done(calls.offline, {
      id: topped[0].id,
      version: topped[0].version,
      reason: '不再置顶',
    })
    const left = ids.find(id => !topped.some((one: { id: number }) => one.id === id))!
    await done(calls.setTop, await held(left))
    expect(await refused(calls.setTop, await held(left))).toBe('already')
    await done(calls.unsetTop, await held(left))
    expect((await rowOf(left)).is_top).toBe(false)
  })
  it('is none outside malls, and no activity keeps it when its store moves', async () => {
    expect(await refused(calls.setTop, await held(await online(await shop())))).toBe('no_mall')
    const { id: mall_id } = await freshMall(database)
    const here = await shop({ mall_id, city_id: 1 })
    const id = await online(here)
    await done(calls.setTop, await held(id))
    const [{ version } = { version: 0 }] = await database.db
      .select({ version: store.version })
      .from(store)
      .where(eq(store.id, here))
    await done(storeCalls.moveMall, { id: here, version, mid: 0 })
    expect(await rowOf(id)).toMatchObject({ mall_id: 0, is_top: false, status: 'online' })
  })
})

describe('a copy to stores', () => {
  it('goes to the audit of each, and says which store could not have it', async () => {
    const [here, free, taken, closed] = [
      await shop(),
      await shop(),
      await shop(),
      await shop({ status: 'closed' }),
    ]
    const id = await online(here)
    await make(taken)
    const said = await done(calls.copyToStores, { id, store_ids: [here, free, taken, closed] })
    expect(said.made).toBe(1)
    expect(said.failed.map((one: { id: number }) => one.id).sort()).toEqual(
      [here, taken, closed].sort(),
    )
    expect(said.failed.every((one: { name: string }) => one.name !== '')).toBe(true)
    const [copy] = await database.db
      .select()
      .from(store_activity)
      .where(eq(store_activity.store_id, free))
    expect(copy).toMatchObject({ status: 'auditing', title: '到店有礼', is_top: false })
  })
})

describe('the clock', () => {
  it('ends what is over, and all that a closed store announces, in the name of the system', async () => {
    const [here, gone] = [await shop(), await shop()]
    const over = await online(here, { end_at: now + DAY })
    const stays = await online(here, { kind: 'notice', end_at: now + 9 * DAY })
    const [closing, waiting] = [await online(gone), await make(gone, { kind: 'notice' })]
    await done(calls.reject, { ...(await held(waiting)), reason: '重写' })
    await database.db.update(store).set({ status: 'closed' }).where(eq(store.id, gone))
    // What nobody has ended yet is told nobody all the same.
    expect(await shown(gone)).toEqual([])
    expect(await end(now)).toEqual(['store_activity'])
    expect([await state(closing), await state(waiting)]).toEqual(['ended', 'ended'])
    await end(now + DAY)
    expect([await state(over), await state(stays)]).toEqual(['ended', 'online'])
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'store_activity'), eq(op_log.object_id, closing)))
      .orderBy(op_log.id)
      .offset(2)
    expect(line).toMatchObject({ action: 'shop.activity.end', admin_id: null })
    expect(await refused(calls.edit, { ...(await held(over)), ...fields() })).toBe('wrong_state')
  })
})

describe('the list', () => {
  it('finds what misleads, and flags it alike', async () => {
    const { id: mid } = await freshMall(database)
    const there = { mall_id: mid, city_id: 1 }
    await online(await shop(there))
    const lie = await make(await shop(there), { content: '全城最低价' })
    const bare = await make(await shop(there), { image: '' })
    const resting = await make(await shop({ ...there, status: 'resting' }))
    const found = (await done(calls.lst, { mid, problem: true })).list
    expect(found.map((one: { id: number; problems: string[] }) => [one.id, one.problems])).toEqual([
      [resting, ['not_open']],
      [bare, ['no_image']],
      [lie, ['banned']],
    ])
    const all = (await done(calls.lst, { mid })).list
    expect(all.filter((one: { problems: string[] }) => one.problems.length > 0)).toHaveLength(3)
  })
  it('counts the open stores that announce nothing until Sunday, and finds what ends by then', async () => {
    const { id: mid } = await freshMall(database)
    const there = { mall_id: mid, city_id: 1 }
    const ending = await online(await shop(there), { end_at: now + 60 })
    await online(await shop(there))
    await shop(there)
    const said = await done(calls.lst, { mid, ending: true })
    expect(said.list.map((one: { id: number }) => one.id)).toEqual(
      weekendEnd(now) >= now + 60 ? [ending] : [],
    )
    expect([said.silent, said.stat]).toEqual([1, { online: 1 }])
  })
})

it('meets another one where their times and a day of the week do', () => {
  const of = (start_at: number, end_at: number, weekdays: number[] = []) => ({
    start_at,
    end_at,
    weekdays,
  })
  expect(overlaps(of(0, 10), of(10, 20))).toBe(false)
  expect(overlaps(of(0, 11), of(10, 20))).toBe(true)
  expect(overlaps(of(0, 20, [1]), of(10, 20, [2]))).toBe(false)
  expect(overlaps(of(0, 20, [1, 2]), of(10, 20, [2]))).toBe(true)
  expect(Object.keys(weekdayNames)).toHaveLength(7)
  // 2026-11-26 is a Thursday: its week ends on Sunday the 29th at midnight in Shanghai.
  expect(weekendEnd(1_795_660_000)).toBe(Date.UTC(2026, 10, 29, 16) / 1000)
})
