import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { corpIn } from '#src/areas/wecom/corp.channel.ts'
import { liveOn } from '#src/areas/wecom/corpLife.channel.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_join_group } from '#src/areas/wecom/wecomJoin.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import type { Call } from '#src/contract/call.ts'
import { joinCodes as calls } from '#src/modules/channel/contract/customerGroup.ts'
import { joinCodesServer } from '#src/modules/channel/server/customerGroup.ts'
import { addStaff } from '../../help/app.ts'
import {
  app,
  call,
  clock,
  corpWay,
  database,
  freshChat,
  freshCode,
  held,
  inDb,
  lastTurn,
  later,
  leave,
  list,
  mall_id,
  one,
  openJoinBench,
  setChat,
  tick,
  wecom,
} from '../../help/joinCodes.ts'

beforeAll(openJoinBench, 120_000)
const scan = async (state: string) =>
  (
    await app.fastify.inject({
      method: 'GET',
      url: `/q/${state}`,
      headers: { 'user-agent': 'Mozilla/5.0 MicroMessenger', 'accept-language': 'zh-CN' },
    })
  ).body

describe('a join code', () => {
  it('is made of one to five chats of one mall, which no other code in use leads to', async () => {
    expect(joinCodesServer.calls).toBe(calls)
    const [a, b, c] = [await freshChat(), await freshChat(), await freshChat()]
    const row = await freshCode([b.id, a.id], { name: '会员入群' })
    expect(row).toMatchObject({ name: '会员入群', status: 'enabled', mall_id, work: 'done' })
    expect(row.chats.map(chat => chat.id)).toEqual([b.id, a.id])
    expect(row.chats[0]).toMatchObject({ is_current: true, staff_count: 1, member_count: 4 })
    const way = await inDb(row.id)
    expect((await corpWay(way.config_id))!.chat_id_list).toEqual([b.chat_id, a.chat_id])
    const make = (chat_ids: number[], of: object = {}) =>
      call(calls.create, { name: '另一个', chat_ids, auto_create: false, ...of })
    const taken = await make([c.id, a.id])
    expect([taken.status, taken.data.rule]).toEqual([422, 'group_has_code'])
    expect(taken.message).toContain('会员入群')
    expect((await make([1, 2, 3, 4, 5, 6])).status).toBe(400)
    expect((await make([])).status).toBe(400)
    const away = await freshChat({ mall_id: null })
    expect((await make([c.id, away.id])).data.rule).toBe('other_mall')
    await setChat(c.id, { status: 'dismissed', dismissed_at: clock() })
    expect((await make([c.id])).data.rule).toBe('group_dismissed')
    expect((await make([2_000_000_000])).status).toBe(404)
    const full = await freshChat()
    await leave(full.id, 0)
    expect((await make([full.id])).data.rule).toBe('no_room')
    const fifth = await call(calls.addChat, { ...held(row), chat_ids: [1, 2, 3, 4] })
    expect([404, 422]).toContain(fifth.status)
  })
  it('holds five chats, and refuses the sixth', async () => {
    const chats = []
    for (let n = 0; n < 6; n++) chats.push(await freshChat())
    const ids = chats.map(chat => chat.id)
    const row = await freshCode(ids.slice(0, 3))
    const more = await call(calls.addChat, { ...held(row), chat_ids: ids.slice(3) })
    expect(more.data.rule).toBe('join_groups')
    const five = await call(calls.addChat, { ...held(row), chat_ids: ids.slice(3, 5) })
    expect(five.status, five.message).toBe(200)
    const sixth = await call(calls.addChat, { ...held(five.data), chat_ids: ids.slice(5) })
    expect([sixth.status, sixth.data.rule]).toEqual([422, 'join_addChat'])
    const sorted = await call(calls.sortChat, {
      ...held(five.data),
      ids: ids.slice(0, 5).toReversed(),
    })
    expect(sorted.status, sorted.message).toBe(200)
    expect((await one(row.id)).chats.map(chat => chat.id)).toEqual(ids.slice(0, 5).toReversed())
    // It stays where it leads to.
    expect((await one(row.id)).chats.find(chat => chat.is_current)!.id).toBe(ids[0])
    const other = await call(calls.sortChat, { ...held(sorted.data), ids: ids.slice(1, 6) })
    expect(other.data.rule).toBe('join_order')
    const stale = await call(calls.sortChat, { ...held(row), ids: ids.slice(0, 5) })
    expect([stale.status, stale.data.rule]).toEqual([409, 'stale'])
  })
  it('turns at its line in the order of its chats, and skips what has no owner or is no more', async () => {
    const chats = []
    for (let n = 0; n < 4; n++) chats.push(await freshChat())
    const [a, b, c, d] = chats.map(chat => chat.id) as [number, number, number, number]
    const row = await freshCode([a, b, c, d], { room_low: 30 })
    await leave(a, 31)
    await tick()
    expect((await inDb(row.id)).current_group_id).toBe(a)
    await leave(a, 30)
    await setChat(b, { status: 'owner_left' })
    await setChat(c, { status: 'dismissed', dismissed_at: clock() })
    await tick()
    const turned = await inDb(row.id)
    expect(turned.current_group_id).toBe(d)
    expect(await lastTurn(row.id)).toMatchObject({
      from_group_id: a,
      to_group_id: d,
      why: 'full',
      by_id: null,
    })
    expect((await corpWay(turned.config_id))!.chat_id_list).toEqual([chats[3]!.chat_id])
    expect((await one(row.id)).faults).toEqual(['owner_left', 'dismissed'])
    for (const quick of ['owner_left', 'dismissed'] as const)
      expect((await list({ quick })).map(of => of.id)).toContain(row.id)
  })
  it('says that all are full, offers the live code instead, and goes on once there is room', async () => {
    const a = await freshChat()
    const row = await freshCode([a.id])
    const { state_key, qr_url } = await inDb(row.id)
    expect(await scan(state_key)).toContain(qr_url)
    await leave(a.id, 3)
    await tick()
    expect((await one(row.id)).status).toBe('enabled')
    await leave(a.id, 0)
    await tick()
    const full = await one(row.id)
    expect(full).toMatchObject({ status: 'full', faults: ['full'] })
    expect((await list({ quick: 'full' })).map(of => of.id)).toContain(row.id)
    const [live] = await database.db
      .select()
      .from(channel_code)
      .where(and(eq(channel_code.status, 'enabled'), eq(channel_code.health, 'ok')))
    await database.db.update(channel_code).set({ mall_id }).where(eq(channel_code.id, live!.id))
    const chosen = await call(calls.edit, {
      ...held(full),
      name: full.name,
      auto_create: false,
      staff_code_id: live!.id,
    })
    expect(chosen.status, chosen.message).toBe(200)
    expect((await one(row.id)).offer).toMatchObject({
      id: live!.id,
      is_live: true,
      is_chosen: true,
    })
    const shown = await scan(state_key)
    expect(shown).toContain('群已满')
    expect(shown).toContain(`/q/${live!.state_key}`)
    // A code that takes nobody is not offered.
    await database.db
      .update(channel_code)
      .set({ status: 'paused' })
      .where(eq(channel_code.id, live!.id))
    const closed = await scan(state_key)
    expect(closed).toContain('群已满')
    expect(closed).not.toContain('/q/')
    await database.db
      .update(channel_code)
      .set({ status: 'enabled' })
      .where(eq(channel_code.id, live!.id))
    await leave(a.id, 50)
    await tick()
    expect((await one(row.id)).status).toBe('enabled')
  })
  it('is turned by hand, but to no chat that is full or not of it', async () => {
    const [a, b, c] = [await freshChat(), await freshChat(), await freshChat()]
    const row = await freshCode([a.id, b.id])
    const to = (chat_id: number, of = row) => call(calls.switchNow, { ...held(of), chat_id })
    expect((await to(a.id)).data.rule).toBe('join_to')
    expect((await to(c.id)).status).toBe(404)
    await leave(b.id, 0)
    const full = await to(b.id)
    expect([full.status, full.data.rule]).toEqual([422, 'join_to'])
    expect(full.message).toContain('已满员')
    await leave(b.id, 4)
    expect((await to(b.id)).message).toContain('切换线')
    await leave(b.id, 80)
    const turned = await to(b.id)
    expect(turned.status, turned.message).toBe(200)
    await tick()
    expect((await inDb(row.id)).current_group_id).toBe(b.id)
    expect(await lastTurn(row.id)).toMatchObject({ why: 'manual', to_group_id: b.id })
    const now = await one(row.id)
    const both = await Promise.all([to(a.id, now), to(a.id, now)])
    expect(both.map(said => said.status).toSorted()).toEqual([200, 409])
    const logs = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'wecom_join_way'), eq(op_log.object_id, row.id)))
    expect(logs.length).toBeGreaterThan(2)
  })
  it('that is paused leaves its chats to others, and is not resumed while one has them', async () => {
    const a = await freshChat()
    const row = await freshCode([a.id])
    const { state_key } = await inDb(row.id)
    const paused = await call(calls.pause, held(row))
    expect(await scan(state_key)).toContain('暂停入群')
    expect((await call(calls.pause, held(paused.data))).data.rule).toBe('join_pause')
    const other = await freshCode([a.id])
    const back = await call(calls.resume, held(paused.data))
    expect([back.status, back.data.rule]).toEqual([422, 'group_has_code'])
    const gone = await call(calls.archive, { ...held(other), reason: '活动结束' })
    expect(gone.status, gone.message).toBe(200)
    const on = await call(calls.resume, held(paused.data))
    expect(on.status, on.message).toBe(200)
    expect(await one(row.id)).toMatchObject({ status: 'enabled' })
    const of = await inDb(other.id)
    expect(await corpWay(of.config_id)).toBeDefined()
    await tick()
    // WeCom has it no more, and what is printed says so.
    expect(await corpWay(of.config_id)).toBeUndefined()
    expect(await scan(of.state_key)).toContain('已失效')
    const after = await one(other.id)
    expect(after.reason).toBe('活动结束')
    for (const what of [calls.resume, calls.pause] as Call[])
      expect((await call(what, held(after))).status).toBe(422)
    const held_n = await database.db.$count(
      wecom_join_group,
      and(eq(wecom_join_group.group_id, a.id), eq(wecom_join_group.is_held, true)),
    )
    expect(held_n).toBe(1)
  })
  it('of a chat is one in use, of two that are made at once', async () => {
    const a = await freshChat()
    const make = () => call(calls.create, { name: '同时', chat_ids: [a.id], auto_create: false })
    const both = await Promise.all([make(), make()])
    expect(both.map(said => said.status).toSorted()).toEqual([200, 422])
  })
  it('takes up the chats that WeCom makes, whose numbers grow and are not used twice', async () => {
    const a = await freshChat()
    const code = { auto_create: true, base_name: '自动群' }
    const nameless = await call(calls.create, {
      name: '缺名称',
      chat_ids: [a.id],
      auto_create: true,
    })
    expect([nameless.status, Object.keys(nameless.data.fields)]).toEqual([400, ['base_name']])
    await freshChat({ name: '自动群4' })
    const used = await call(calls.create, {
      name: '编号已用',
      chat_ids: [a.id],
      ...code,
      base_id: 4,
    })
    expect([used.status, Object.keys(used.data.fields)]).toEqual([400, ['base_id']])
    const row = await freshCode([a.id], { ...code, base_id: 5 })
    await setChat(a.id, { max_members: a.member_count })
    await tick()
    // WeCom makes room: such a code is never full.
    expect((await one(row.id)).status).toBe('enabled')
    const { config_id } = await inDb(row.id)
    expect(await corpWay(config_id)).toMatchObject({ auto_create_room: 1, room_base_id: 5 })
    const corp = { kind: 'group_chat' as const, key: 'wrMadeByWecom5' }
    await database.db.insert(wecom_corp_object).values({
      ...corp,
      body: {
        chat_id: corp.key,
        name: '自动群5',
        owner: 'nobody',
        create_time: clock(),
        member_list: [],
      } as never,
    })
    const way = await corpWay(config_id)
    await database.db
      .update(wecom_corp_object)
      .set({ body: { ...way!, chat_id_list: [...way!.chat_id_list, corp.key] } as never })
      .where(eq(wecom_corp_object.key, config_id!))
    later(700)
    await tick()
    const [made] = await database.db
      .select()
      .from(wecom_group)
      .where(eq(wecom_group.chat_id, corp.key))
    expect(made).toMatchObject({ name: '自动群5', mall_id })
    const after = await one(row.id)
    expect(after.chats.map(chat => chat.id)).toEqual([a.id, made!.id])
    expect(after.base_id).toBe(6)
    const lower = await call(calls.edit, {
      ...held(after),
      name: after.name,
      ...code,
      base_id: 2,
    })
    expect([lower.status, Object.keys(lower.data.fields)]).toEqual([400, ['base_id']])
    const on = await call(calls.edit, { ...held(after), name: after.name, ...code, base_id: 9 })
    expect(on.status, on.message).toBe(200)
  })
  it('says what WeCom refused, and is sent anew once it is changed', async () => {
    const a = await freshChat()
    wecom.misbehave({ path: 'add_join_way', does: 'refuse', code: 41045 })
    const row = await freshCode([a.id])
    expect(row).toMatchObject({ work: 'failed', errcode: 41045, faults: ['refused'] })
    expect((await list({ quick: 'refused' })).map(of => of.id)).toContain(row.id)
    const early = await scan((await inDb(row.id)).state_key)
    expect(early).toContain('正在生成')
    await call(calls.edit, { ...held(row), name: '重试', auto_create: false })
    await tick()
    expect(await one(row.id)).toMatchObject({ name: '重试', work: 'done', has_qr: true })
  })
  it('is kept where it was changed while WeCom made it', async () => {
    const a = await freshChat()
    const made = await call(calls.create, { name: '慢', chat_ids: [a.id], auto_create: false })
    const edited = await call(calls.edit, { ...made.data, name: '改名', auto_create: false })
    expect(edited.status).toBe(200)
    await tick()
    const way = await inDb(made.data.id)
    expect(way).toMatchObject({ name: '改名', work: 'done' })
    expect((await corpWay(way.config_id))!.remark).toBe('改名')
  })
  it('reads its chats anew when it is asked', async () => {
    const a = await freshChat({ people: 2 })
    const row = await freshCode([a.id])
    await database.db
      .update(wecom_corp_object)
      .set({
        body: {
          chat_id: a.chat_id,
          name: '改了群名',
          owner: 'nobody',
          create_time: clock(),
          member_list: [{ userid: 'wmNew', type: 2, join_time: clock(), join_scene: 2 }],
        } as never,
      })
      .where(eq(wecom_corp_object.key, a.chat_id))
    const said = await call(calls.sync, { ids: [row.id, 2_000_000_000] })
    expect(said.data, said.message).toMatchObject({
      ok: [row.id],
      failed: [{ id: 2_000_000_000 }],
    })
    expect((await one(row.id)).reading).toBe(true)
    await tick()
    const after = await one(row.id)
    expect(after.reading).toBe(false)
    expect(after.chats[0]).toMatchObject({ name: '改了群名', member_count: 1, owner: null })
    expect(after.joins_7d).toBe(1)
    expect(after.synced_at).not.toBeNull()
  })
  it('is seen where its mall is, and drawn as a picture of its own page', async () => {
    const a = await freshChat()
    const row = await freshCode([a.id])
    const local = (scope_ids: number[]) =>
      addStaff(database, {
        perms: ['channel.customerGroup.*'],
        role: { scope_type: 'mall', scope_ids },
      })
    const [here, there] = [await local([mall_id]), await local([mall_id + 1])]
    expect(await list({ id: row.id }, here.token)).toHaveLength(1)
    expect(await list({ id: row.id }, there.token)).toHaveLength(0)
    const foreign = await call(calls.pause, held(row), there.token)
    expect(foreign.status).toBe(404)
    const { data } = await call(calls.pictures, { ids: [row.id], origin: 'https://m.test' })
    expect(data.list[0].link).toBe(`https://m.test/q/${(await inDb(row.id)).state_key}`)
    const bad = await call(calls.pictures, { ids: [row.id], origin: 'javascript:1' })
    expect(bad.status).toBe(400)
    const inside = await call(calls.chats, { way_id: row.id, inside: true })
    expect(inside.data.list).toMatchObject([{ id: a.id }])
    const free = await call(calls.chats, { way_id: row.id, pageSize: 200 })
    expect(free.data.list.map((of: { id: number }) => of.id)).not.toContain(a.id)
    const codes = await call(calls.staffCodes, { with_id: a.id })
    expect(codes.status).toBe(200)
  })
})
describe('the embedded WeCom', () => {
  it('makes the next chat of a code all of whose chats are full', async () => {
    const room: string[] = []
    const a = await freshChat({ people: 200, max_members: 500 })
    const row = await freshCode([a.id], { auto_create: true, base_name: '满员群', base_id: 3 })
    const { config_id } = await inDb(row.id)
    const life = {
      corp: corpIn(database.db, clock()),
      random: { weighted: () => 'makeRoom' } as never,
      corp_id: 'ww',
      welcomeCode: () => '',
    }
    for (const event of await liveOn(life)) room.push(event['ChatId']!)
    expect(room).toHaveLength(1)
    expect(await corpWay(config_id)).toMatchObject({
      chat_id_list: [a.chat_id, room[0]],
      room_base_id: 4,
    })
  })
})
