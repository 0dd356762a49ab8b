import { and, asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { ROOM_LOW, roomOf } from '#src/areas/wecom/groups.ts'
import { followMasses, sendMasses } from '#src/areas/wecom/massSending.server.ts'
import { sendTransfers } from '#src/areas/wecom/transferring.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import {
  wecom_send_part,
  wecom_send_result,
  wecom_send_task,
} from '#src/areas/wecom/wecomSend.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { groupsPage as calls, type GroupRow } from '#src/modules/vip/contract/weChatGroupManage.ts'
import { groupsServer } from '#src/modules/vip/server/weChatGroupManage.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wecomPair } from '../../help/wecom.ts'

let database: Database
let app: App
let client: WecomClient
let me: Awaited<ReturnType<typeof addStaff>>
let ahead = 0
const clock = () => unixNow() + ahead
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  client = wecomPair(database, { now: clock }).client
  me = await addStaff(database, { perms: ['vip.weChatGroupManage.*'] })
  // The demo's own texts are not what these tests count.
  await database.db.delete(wecom_send_result)
  await database.db.delete(wecom_send_part)
  await database.db.delete(wecom_send_task)
}, 120_000)
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const list = async (filters: object = {}, token = me.token): Promise<GroupRow[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data.list
const one = async (id: number) => (await list({ id }))[0]!
const held = ({ id, version }: { id: number; version: number }) => ({ id, version })
const running = () => ({
  database,
  client,
  now: clock(),
  picture: app.install.picture,
  origin: null,
})
const well = async () =>
  (await list({ status: 'normal' })).filter(
    row => row.mall_id !== null && row.owner?.status === 'active',
  )
const setGroup = (id: number, set: Partial<typeof wecom_group.$inferInsert>) =>
  database.db.update(wecom_group).set(set).where(eq(wecom_group.id, id))
/** Colleagues who may own a chat. */
const able = () =>
  database.db
    .select()
    .from(wecom_staff)
    .where(and(eq(wecom_staff.status, 'active'), eq(wecom_staff.has_contact_right, true)))
    .orderBy(asc(wecom_staff.id))

describe('group chats', () => {
  it('are listed with what is wrong with each, and counted by it', async () => {
    expect(groupsServer.calls).toBe(calls)
    const [filled] = await well()
    await setGroup(filled!.id, { max_members: filled!.member_count + 3 })
    const { data } = await call(calls.lst, { pageSize: 200 })
    for (const quick of ['owner_left', 'full', 'silent', 'unbound'] as const) {
      const rows = await list({ quick })
      expect(rows.length, quick).toBe(data.stat[quick])
      expect(rows.length, quick).toBeGreaterThan(0)
      for (const row of rows) expect(row.faults).toContain(quick)
      const others = (data.list as GroupRow[]).filter(row => !row.faults.includes(quick))
      expect(others.length + rows.length).toBe(data.total)
    }
    for (const row of await list({ quick: 'full' }))
      expect(roomOf(row)).toBeLessThanOrEqual(ROOM_LOW)
    const [gone] = await list({ status: 'dismissed' })
    expect(gone!.faults).toEqual([])
    const fill = (await list({ sort: 'fill' })).map(row => row.member_count)
    expect(fill).toEqual(fill.toSorted((a, b) => b - a))
    expect((await list({ mid: 0 })).every(row => row.mall_id === null)).toBe(true)
    const tagged = (await list()).find(row => row.tags.length > 0)!
    for (const row of await list({ tag_id: tagged.tags[0]!.id }))
      expect(row.tags.map(tag => tag.id)).toContain(tagged.tags[0]!.id)
  })
  it('without a mall are seen by headquarters alone', async () => {
    const [free] = await list({ quick: 'unbound' })
    const [bound] = await well()
    const local = await addStaff(database, {
      perms: ['vip.weChatGroupManage.*'],
      role: { scope_type: 'mall', scope_ids: [bound!.mall_id!] },
    })
    const mine = await list({}, local.token)
    expect(mine.length).toBeGreaterThan(0)
    expect(new Set(mine.map(row => row.mall_id))).toEqual(new Set([bound!.mall_id]))
    const foreign = await call(
      calls.bindMall,
      { ...held(free!), mid: bound!.mall_id! },
      local.token,
    )
    expect(foreign.status).toBe(404)
    const told = await call(calls.bindMall, { ...held(free!), mid: bound!.mall_id! })
    expect(told.status, told.message).toBe(200)
    expect(await list({ id: free!.id }, local.token)).toHaveLength(1)
    const again = await call(calls.bindMall, {
      ...held(await one(free!.id)),
      mid: bound!.mall_id!,
    })
    expect(again.data.rule).toBe('same_mall')
  })
  it('that were dismissed are only looked at', async () => {
    const [gone] = await list({ status: 'dismissed' })
    const [to] = await able()
    const tries: [Call, object][] = [
      [calls.changeOwner, { to_staff_id: to!.id, reason: '已解散' }],
      [calls.inherit, { to_staff_id: to!.id }],
      [calls.bindMall, { mid: 1 }],
      [calls.tagGroup, { tag_ids: [] }],
      [calls.setJoinCode, { auto_create: false }],
      [calls.sendMass, { content: '你好' }],
    ]
    for (const [what, input] of tries) {
      const said = await call(what, { ...held(gone!), ...input })
      expect(said.status, what.path).toBe(422)
      expect(said.message).toContain('已解散')
    }
  })
  it('get a new owner by the rules of hand-overs, once WeCom says so', async () => {
    const [row] = await well()
    const [to] = (await able()).filter(other => other.id !== row!.owner!.id)
    const wrong = await call(calls.inherit, { ...held(row!), to_staff_id: to!.id })
    expect(wrong.data.rule).toBe('group_inherit')
    const [off] = await database.db.select().from(wecom_staff).where(eq(wecom_staff.status, 'left'))
    const left = await call(calls.changeOwner, {
      ...held(row!),
      to_staff_id: off!.id,
      reason: '调岗',
    })
    expect(left.data.rule).toBe('receiver')
    const asked = await call(calls.changeOwner, {
      ...held(row!),
      to_staff_id: to!.id,
      reason: '调岗',
    })
    expect(asked.status, asked.message).toBe(200)
    expect(await one(row!.id)).toMatchObject({ status: 'transferring', waiting_count: 1 })
    const twice = await call(calls.changeOwner, {
      ...held(await one(row!.id)),
      to_staff_id: to!.id,
      reason: '再来一次',
    })
    expect(twice.data.rule).toBe('group_changeOwner')
    await sendTransfers(running())
    expect((await one(row!.id)).owner!.id).toBe(to!.id)
    expect(await one(row!.id)).toMatchObject({ status: 'normal' })

    // Whoever owns the fewest of the same mall comes first.
    const near = await call(calls.owners, { mall_id: row!.mall_id!, pageSize: 50 })
    expect(near.data.list.find((of: { id: number }) => of.id === to!.id).group_count).toBe(
      (await list({ owner_id: to!.id })).filter(of => of.status !== 'dismissed').length,
    )

    const [orphan] = await list({ quick: 'owner_left' })
    const kept = await call(calls.changeOwner, {
      ...held(orphan!),
      to_staff_id: to!.id,
      reason: '离职',
    })
    expect(kept.data.rule).toBe('group_changeOwner')
    const handed = await call(calls.inherit, { ...held(orphan!), to_staff_id: to!.id })
    expect(handed.status, handed.message).toBe(200)
    await sendTransfers(running())
    expect(await one(orphan!.id)).toMatchObject({ status: 'normal', owner: { id: to!.id } })
  })
  it('are tagged with tags that WeCom knows, and keep those that it forgot', async () => {
    const [row] = await well()
    const { list: tags } = (await call(calls.tags, { pageSize: 50 })).data
    const [first, second] = tags as { id: number }[]
    const set = await call(calls.tagGroup, { ...held(row!), tag_ids: [first!.id, second!.id] })
    expect(set.status).toBe(200)
    expect((await one(row!.id)).tags.map(tag => tag.id)).toEqual([first!.id, second!.id])
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from wecom_tag where status = 'invalid' limit 1`,
    )
    const refused = await call(calls.tagGroup, {
      ...held(await one(row!.id)),
      tag_ids: [rows[0]!.id],
    })
    expect(refused.data.rule).toBe('tag_invalid')
    await setGroup(row!.id, { tag_ids: [rows[0]!.id] })
    const kept = await call(calls.tagGroup, {
      ...held(await one(row!.id)),
      tag_ids: [rows[0]!.id, first!.id],
    })
    expect(kept.status).toBe(200)
  })
})

describe('texts to a chat', () => {
  it('are as many in a month as it has days, and the owner confirms each', async () => {
    const [row] = (await well()).toReversed()
    const month = dateOf(clock()).slice(0, 7)
    const [year, of] = month.split('-').map(Number)
    const days = new Date(Date.UTC(year!, of!, 0)).getUTCDate()
    const text = await call(calls.sendMass, { ...held(row!), content: '周五会员日' })
    expect(text.data, text.message).toMatchObject({ count: 1, most: days })
    await sendMasses(running())
    ahead += 120
    await followMasses(running())
    const [result] = await database.db
      .select()
      .from(wecom_send_result)
      .where(eq(wecom_send_result.group_id, row!.id))
    expect(['sent', 'unsent']).toContain(result!.status)
    const [part] = await database.db
      .select()
      .from(wecom_send_part)
      .where(eq(wecom_send_part.task_id, result!.task_id))
    expect(part!.msgid).not.toBeNull()
    const [task] = await database.db.select().from(wecom_send_task).limit(1)
    for (let n = 1; n < days; n++) {
      const [copy] = await database.db
        .insert(wecom_send_task)
        .values({ ...task!, id: undefined as never })
        .returning()
      await database.db.insert(wecom_send_result).values({
        task_id: copy!.id,
        staff_id: part!.staff_id,
        group_id: row!.id,
        month,
      })
    }
    const over = await call(calls.sendMass, { ...held(await one(row!.id)), content: '再发一次' })
    expect([over.status, over.data.rule]).toEqual([422, 'group_masses'])
    // The next month begins anew.
    const next = await call(calls.sendMass, {
      ...held(await one(row!.id)),
      content: '下月见',
      schedule_at: clock() + 32 * DAY,
    })
    expect(next.data).toMatchObject({ count: 1 })
    const late = await call(calls.sendMass, {
      ...held(await one(row!.id)),
      content: '太晚',
      schedule_at: clock() + 120 * DAY,
    })
    expect(late.data.rule).toBe('send_time')
  })
})
