import { and, desc, eq, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { EmbeddedWecom } from '#src/areas/wecom/embeddedWecom.channel.ts'
import { ROOM_LOW, roomOf } from '#src/areas/wecom/groups.ts'
import { sendJoinWays, turnJoinWays } from '#src/areas/wecom/joinClock.server.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import {
  wecom_join_group,
  wecom_join_switch,
  wecom_join_way,
} from '#src/areas/wecom/wecomJoin.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { groupsPage as calls, type GroupRow } from '#src/modules/vip/contract/weChatGroupManage.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wecomPair } from '../../help/wecom.ts'

let database: Database
let app: App
let client: WecomClient
let wecom: EmbeddedWecom
let me: Awaited<ReturnType<typeof addStaff>>
let ahead = 0
const clock = () => unixNow() + ahead
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  ;({ client, wecom } = wecomPair(database, { now: clock }))
  me = await addStaff(database, { perms: ['vip.weChatGroupManage.*'] })
}, 120_000)
/** No chat serves a code: neither one of the demo's nor of the test before. */
beforeEach(async () => {
  await database.db.delete(wecom_join_switch)
  await database.db.delete(wecom_join_group)
  await database.db.delete(wecom_join_way)
})
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const list = async (filters: object = {}, token = me.token): Promise<GroupRow[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data.list
const one = async (id: number) => (await list({ id }))[0]!
const held = ({ id, version }: { id: number; version: number }) => ({ id, version })
const running = () => ({ database, client, now: clock() })
const well = async () =>
  (await list({ status: 'normal' })).filter(
    row => row.mall_id !== null && row.owner?.status === 'active',
  )
const setGroup = (id: number, set: Partial<typeof wecom_group.$inferInsert>) =>
  database.db.update(wecom_group).set(set).where(eq(wecom_group.id, id))
/** Chats of one mall that no code leads to, with room, the emptiest first. */
const mates = async () => {
  const rows = (await well()).filter(row => row.join === null && roomOf(row) > ROOM_LOW + 5)
  const by = new Map<number | null, GroupRow[]>()
  for (const row of rows) by.set(row.mall_id, [...(by.get(row.mall_id) ?? []), row])
  return [...by.values()].toSorted((a, b) => b.length - a.length)[0]!
}
const wayOf = async (group_id: number) => {
  const [row] = await database.db
    .select({ way: wecom_join_way })
    .from(wecom_join_group)
    .innerJoin(wecom_join_way, eq(wecom_join_way.id, wecom_join_group.way_id))
    .where(eq(wecom_join_group.group_id, group_id))
  return row!.way
}
const corpWay = async (config_id: string) => {
  const [row] = await database.db
    .select()
    .from(wecom_corp_object)
    .where(and(eq(wecom_corp_object.kind, 'join_way'), eq(wecom_corp_object.key, config_id)))
  return row!.body as { chat_id_list: string[]; auto_create_room: number }
}
describe('a join code', () => {
  it('is made by WeCom, turns to the next chat before one is full, and says when all are', async () => {
    const [first, second] = await mates()
    const asked = await call(calls.setJoinCode, {
      ...held(first!),
      auto_create: false,
      next_ids: [second!.id],
    })
    expect(asked.status, asked.message).toBe(200)
    const waits = await one(first!.id)
    expect(waits.join).toMatchObject({ work: 'waiting', qr_url: '', is_current: true })
    const early = await call(calls.setJoinCode, { ...held(waits), auto_create: false })
    expect(early.data.rule).toBe('group_setJoinCode')
    await sendJoinWays(running())
    const way = await wayOf(first!.id)
    expect(way).toMatchObject({ work: 'done', status: 'enabled' })
    expect((await one(first!.id)).join!.qr_url).toContain('https://work.weixin.qq.com/gm/')
    expect((await corpWay(way.config_id!)).chat_id_list).toHaveLength(2)

    // Nothing turns while there is room.
    expect(await turnJoinWays({ database, now: clock() })).toBe(0)
    await setGroup(first!.id, { max_members: first!.member_count + ROOM_LOW })
    expect(await turnJoinWays({ database, now: clock() })).toBe(1)
    expect(await turnJoinWays({ database, now: clock() })).toBe(0)
    await sendJoinWays(running())
    const turned = await one(second!.id)
    expect(turned.join).toMatchObject({ is_current: true, work: 'done' })
    const [chat] = await database.db
      .select()
      .from(wecom_group)
      .where(eq(wecom_group.id, second!.id))
    expect((await corpWay(way.config_id!)).chat_id_list).toEqual([chat!.chat_id])
    const [last] = await database.db
      .select()
      .from(wecom_join_switch)
      .where(eq(wecom_join_switch.way_id, way.id))
      .orderBy(desc(wecom_join_switch.id))
    expect(last).toMatchObject({
      from_group_id: first!.id,
      to_group_id: second!.id,
      why: 'full',
    })

    await setGroup(second!.id, { status: 'owner_left' })
    expect(await turnJoinWays({ database, now: clock() })).toBe(1)
    // The last places are used before the code is full.
    expect(await wayOf(first!.id)).toMatchObject({
      status: 'enabled',
      current_group_id: first!.id,
    })
    await setGroup(first!.id, { max_members: first!.member_count })
    expect(await turnJoinWays({ database, now: clock() })).toBe(1)
    expect(await wayOf(first!.id)).toMatchObject({ status: 'full' })
    await setGroup(first!.id, { max_members: first!.max_members })
    await turnJoinWays({ database, now: clock() })
    expect(await wayOf(first!.id)).toMatchObject({
      status: 'enabled',
      current_group_id: first!.id,
    })
    await setGroup(second!.id, { status: 'normal' })
    await sendJoinWays(running())
  })
  it('leads to chats of one mall that no other code leads to', async () => {
    const [own, third] = (await mates()) as [GroupRow, GroupRow]
    await call(calls.setJoinCode, { ...held(own), auto_create: false })
    const taken = await call(calls.setJoinCode, {
      ...held(third),
      auto_create: false,
      next_ids: [own.id],
    })
    expect(taken.data.rule).toBe('group_has_code')
    const other = (await well()).find(row => row.mall_id !== third.mall_id && row.join === null)!
    const away = await call(calls.setJoinCode, {
      ...held(third),
      auto_create: false,
      next_ids: [other.id],
    })
    expect(away.data.rule).toBe('other_mall')
    const nameless = await call(calls.setJoinCode, { ...held(third), auto_create: true })
    expect(nameless.status).toBe(400)
    const { list: nexts } = (await call(calls.nexts, { of: third.id, pageSize: 50 })).data
    const ids = (nexts as GroupRow[]).map(row => row.id)
    expect(ids).not.toContain(own.id)
    expect(ids).not.toContain(third.id)
    const most = await call(calls.setJoinCode, {
      ...held(third),
      auto_create: false,
      next_ids: [1, 2, 3, 4, 5],
    })
    expect(most.status).toBe(400)
  })
  it('of a full chat needs another one, or WeCom makes further ones', async () => {
    const [of] = await mates()
    await setGroup(of!.id, { max_members: of!.member_count })
    const row = await one(of!.id)
    const alone = await call(calls.setJoinCode, { ...held(row), auto_create: false })
    expect(alone.data.rule).toBe('no_room')
    const made = await call(calls.setJoinCode, {
      ...held(row),
      auto_create: true,
      room_base_name: '福利群',
    })
    expect(made.status, made.message).toBe(200)
    await sendJoinWays(running())
    const way = await wayOf(row.id)
    expect(await corpWay(way.config_id!)).toMatchObject({
      auto_create_room: 1,
      room_base_name: '福利群',
    })
    // WeCom makes room by itself: such a code is never full.
    expect(await turnJoinWays({ database, now: clock() })).toBe(0)
    expect((await wayOf(row.id)).status).toBe('enabled')
    await setGroup(row.id, { max_members: of!.max_members })
  })
  it('is asked for again while WeCom is busy, and says what WeCom refused', async () => {
    const row = (await mates())[0]!
    wecom.misbehave({ path: 'add_join_way', does: 'refuse', code: -1, times: 9 })
    await call(calls.setJoinCode, { ...held(row), auto_create: false })
    await sendJoinWays(running())
    expect((await one(row.id)).join).toMatchObject({ work: 'waiting', errcode: -1 })
    wecom.misbehave({ path: 'add_join_way', does: 'refuse', code: 41045 })
    ahead += 3600
    for (let n = 0; n < 12 && (await one(row.id)).join!.work === 'waiting'; n++) {
      ahead += 3600
      await sendJoinWays(running())
    }
    const { join } = await one(row.id)
    expect(['failed', 'done']).toContain(join!.work)
    if (join!.work === 'failed') expect(join!.errcode).toBe(41045)
    const again = await call(calls.setJoinCode, { ...held(await one(row.id)), auto_create: false })
    expect(again.status, again.message).toBe(200)
    ahead += 3600
    await sendJoinWays(running())
    expect((await one(row.id)).join).toMatchObject({ work: 'done', error: '' })
  })
  it('is one for a chat, of two who set it at once', async () => {
    const [first, second, third] = await mates()
    const both = await Promise.all([
      call(calls.setJoinCode, { ...held(first!), auto_create: false, next_ids: [third!.id] }),
      call(calls.setJoinCode, { ...held(second!), auto_create: false, next_ids: [third!.id] }),
    ])
    expect(both.map(said => said.status).toSorted()).toEqual([200, 422])
    const rows = await database.db
      .select()
      .from(wecom_join_group)
      .where(inArray(wecom_join_group.group_id, [first!.id, second!.id, third!.id]))
    expect(rows).toHaveLength(2)
  })
})
