import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { notify_group, notify_message } from '#src/areas/notice/duty.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { feature_switch } from '#src/areas/release/release.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { goodiesSwitch as calls } from '#src/modules/config/contract/goodiesSwitch.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let home: { city_id: number; mall_id: number }
let member_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  const [one] = await database.db.select().from(mall).limit(1)
  home = { city_id: one!.city_id, mall_id: one!.id }
  const [somebody] = await database.db.select().from(member).limit(1)
  member_id = somebody!.id
})
beforeEach(() => database.db.delete(feature_switch))
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const reason = '按计划放量'
const anywhere = { city_id: null, mall_id: null }
/** A switch of the channel for the country, unless said otherwise. */
const made = async (of: object = {}, token = me.token) => {
  const fields = { feature: 'goodies', ...anywhere, percent: 100, reason, ...of }
  const said = await call(calls.turnOn, fields, token)
  expect(said.status, said.message).toBe(200)
  return said.data as { id: number; version: number }
}
/** What the app is told is on; the process asks the database again after a second. */
const onFor = async (of: object = {}) => {
  await new Promise(done => setTimeout(done, 1010))
  return (await send(app, calls.features, of)).data.on
}

describe('a switch for a place', () => {
  it('is one: a second is refused, and says what to do', async () => {
    await made()
    const fields = { feature: 'goodies', ...anywhere, percent: 10, reason }
    expect((await call(calls.turnOn, fields)).message).toContain('调整放量')
    await made({ ...home, mall_id: null })
    await made(home)
  })
  it('is changed as it was read: whoever is late is told', async () => {
    const one = await made({ percent: 10 })
    const grow = (percent: number) => call(calls.setPercent, { ...one, percent, reason })
    expect((await grow(20)).status).toBe(200)
    expect((await grow(30)).status).toBe(409)
    const [row] = (await call(calls.lst)).data.list
    expect([row.percent, row.reason, row.by]).toEqual([20, reason, me.account])
  })
  it('of a mall in another city is refused at the field', async () => {
    const [other] = await database.db
      .select()
      .from(city)
      .limit(50)
      .then(all => all.filter(one => one.id !== home.city_id))
    const fields = {
      feature: 'goodies',
      city_id: other!.id,
      mall_id: home.mall_id,
      percent: 1,
      reason,
    }
    expect(Object.keys((await call(calls.turnOn, fields)).data.fields)).toEqual(['mall_id'])
  })
  it.each([-1, 101, 1.5])('at %s percent is none', async percent => {
    const said = await call(calls.turnOn, { feature: 'goodies', ...anywhere, percent, reason })
    expect(said.status).toBe(400)
  })
  it('is changed in one’s own city alone; the country’s is read, and others’ are not there', async () => {
    const elsewhere = (await database.db.select().from(city)).find(one => one.id !== home.city_id)!
    const country = await made()
    const other = await made({ city_id: elsewhere.id })
    const local = await addStaff(database, {
      perms: ['config.goodiesSwitch.*'],
      role: { scope_type: 'city', scope_ids: [home.city_id] },
    })
    const own = await made({ ...home, mall_id: null }, local.token)
    const off = (one: object) => call(calls.turnOff, { ...one, reason }, local.token)
    expect((await off(country)).status).not.toBe(200)
    expect((await off(other)).status).toBe(404)
    expect((await off(own)).status).toBe(200)
    const { list } = (await call(calls.lst, {}, local.token)).data
    expect(list.map((one: { id: number }) => one.id).sort()).toEqual([country.id, own.id].sort())
    const kill = { reason, typed: '关闭', group_ids: [] }
    expect((await call(calls.killAll, kill, local.token)).status).not.toBe(200)
  })
})

describe('what the app is told', () => {
  it('needs no session, and follows the switches within two seconds', async () => {
    const one = await made()
    await made({ feature: 'goodies_feed' })
    expect(await onFor()).toEqual(['goodies', 'goodies_feed'])
    await call(calls.turnOff, { ...one, reason })
    expect(await onFor()).toEqual([])
  })
  it('is what the preview tells of a member', async () => {
    await made()
    await made({ feature: 'goodies_share', percent: 50 })
    const { parts } = (await call(calls.preview, { member_id })).data
    const on = parts.flatMap((part: { on: boolean; feature: string }) =>
      part.on ? part.feature : [],
    )
    expect(await onFor({ member_id })).toEqual(on)
  })
  it('is told of members of one’s own cities alone', async () => {
    const all = await database.db.select().from(member).limit(200)
    const elsewhere = all.find(one => one.city_id !== home.city_id)!
    const here = all.find(one => one.city_id === home.city_id)!
    const local = await addStaff(database, {
      perms: ['config.goodiesSwitch.*'],
      role: { scope_type: 'city', scope_ids: [home.city_id] },
    })
    const asked = (of: number) => call(calls.preview, { member_id: of }, local.token)
    expect((await asked(elsewhere.id)).status).toBe(404)
    expect((await asked(here.id)).data.member).toBe(here.nickname)
  })
  it('has a bad question refused, and never fails', async () => {
    for (const asked of [{ version: '3.2' }, { member_id: -1 }, { city_id: 'x' }])
      expect((await send(app, calls.features, asked)).status).toBe(400)
  })
})

describe('all of it off', () => {
  it('is every switch of the channel, in the log one by one, and told to the groups; typed, not slipped', async () => {
    const [group] = await database.db
      .insert(notify_group)
      .values({ name: `值班${unixNow()}`, channel: 'sms', target: '13800138000' })
      .returning()
    const [country, local] = [await made(), await made(home)]
    await made({ feature: 'goodies_feed' })
    const kill = { reason: '支付异常', group_ids: [group!.id] }
    expect((await call(calls.killAll, { ...kill, typed: '关' })).status).toBe(400)
    const said = await call(calls.killAll, { ...kill, typed: '关闭' })
    expect(said.data).toEqual({ off: 2, told: [group!.name] })
    expect(await onFor({ ...home, member_id })).toEqual([])
    for (const { id } of [country, local]) {
      const [line] = await database.db
        .select()
        .from(op_log)
        .where(and(eq(op_log.object_type, 'feature_switch'), eq(op_log.object_id, id)))
        .orderBy(desc(op_log.id))
        .limit(1)
      expect([line!.action, line!.reason]).toEqual(['config.goodiesSwitch.killAll', '支付异常'])
    }
    const [queued] = await database.db
      .select()
      .from(notify_message)
      .where(eq(notify_message.group_id, group!.id))
    expect(queued!.text).toContain('支付异常')
    expect((await call(calls.killAll, { ...kill, typed: '关闭' })).message).toContain('已全部关闭')
  })
  it('holds the parts off, whatever they say, and shows that they are', async () => {
    await made({ percent: 100 })
    await made({ feature: 'goodies_feed' })
    await call(calls.killAll, { reason: '支付异常', typed: '关闭', group_ids: [] })
    const { list } = (await call(calls.lst, { feature: 'goodies_feed' })).data
    expect(list[0]).toMatchObject({ status: 'on', held_off: true })
  })
})

describe('testers', () => {
  it('are members, of the country’s switch', async () => {
    const [country, local] = [await made({ percent: 0 }), await made({ ...home, percent: 0 })]
    const set = (one: object, ids: number[]) => call(calls.addTester, { ...one, member_ids: ids })
    expect((await set(local, [member_id])).message).toContain('全国')
    expect(Object.keys((await set(country, [2_000_000_000])).data.fields)).toEqual(['member_ids'])
    expect((await set(country, [member_id, member_id])).status).toBe(200)
    expect(await onFor({ ...home, member_id })).toEqual(['goodies'])
    expect(await onFor({ ...home, member_id: member_id + 1 })).toEqual([])
  })
})
