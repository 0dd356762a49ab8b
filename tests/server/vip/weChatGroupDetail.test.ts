import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { message } from '#src/areas/message/message.table.ts'
import { messageText } from '#src/areas/message/message.ts'
import { takeGroup } from '#src/areas/wecom/syncGroups.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import {
  wecom_group,
  wecom_group_member,
  wecom_group_move,
} from '#src/areas/wecom/wecomGroup.table.ts'
import type { WecomGroupChat } from '#src/areas/wecom/wire.channel.ts'
import type { Call, Result } from '#src/contract/call.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import {
  groupDetail as calls,
  type PersonRow,
} from '#src/modules/vip/contract/weChatGroupDetail.ts'
import { groupDetailServer } from '#src/modules/vip/server/weChatGroupDetail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { freshAdvisers, freshCustomer, wecomSums } from '../../help/wecomRows.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let owner: typeof wecom_staff.$inferSelect
let boss: Awaited<ReturnType<typeof addStaff>>
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.weChatGroupManage.*'] })
  boss = await addStaff(database)
  ;[owner] = (await freshAdvisers(database, 1, { admin_id: boss.id })) as [typeof owner]
}, 120_000)
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
type Facts = Result<(typeof calls)['facts']>
const facts = async (id: number): Promise<Facts> => (await call(calls.facts, { id })).data
const held = async (id: number) => {
  const { row } = await facts(id)
  return { id, version: row.version }
}
const people = async (group_id: number, part?: string): Promise<PersonRow[]> =>
  (await call(calls.people, { group_id, pageSize: 200, ...(part && { part }) })).data.list
type Told = { userid: string; at: number; type?: 1 | 2; scene?: number; by?: string }
let made = 0
/** A chat as WeCom tells it, of people who are no colleagues unless said. */
const chatOf = (chat_id: string, told: readonly Told[], more: Partial<WecomGroupChat> = {}) => ({
  chat_id,
  name: `测试群${chat_id.slice(-3)}`,
  owner: owner.userid,
  create_time: now - 200 * DAY,
  notice: '',
  member_list: told.map(one => ({
    userid: one.userid,
    type: one.type ?? 2,
    join_time: one.at,
    join_scene: one.scene ?? 3,
    name: `群友${one.userid}`,
    ...(one.by && { invitor: { userid: one.by } }),
  })),
  ...more,
})
const take = (chat: ReturnType<typeof chatOf>, at = now) =>
  database.transaction(tx => takeGroup(tx, chat, at))
const freshChat = () => `wrTestsOfOurOwn${String(++made).padStart(4, '0')}`

describe('the page of a chat', () => {
  it('keeps one row a person with the latest join, and who left with the time', async () => {
    expect(groupDetailServer.calls).toBe(calls)
    const chat_id = freshChat()
    const self = { userid: owner.userid, at: now - 100 * DAY, type: 1 as const }
    const id = await take(
      chatOf(chat_id, [
        self,
        { userid: 'wmA', at: now - 5 * DAY, by: owner.userid },
        { userid: 'wmB', at: now - 9 * DAY },
        // WeCom tells of the same person twice: the latest join is the one.
        { userid: 'wmB', at: now - 2 * DAY },
      ]),
      now - DAY,
    )
    expect((await people(id)).map(one => one.name)).toHaveLength(3)
    expect((await people(id)).find(one => one.name === '群友wmB')!.joined_at).toBe(now - 2 * DAY)
    expect((await people(id)).find(one => one.name === '群友wmA')!.inviter_name).toBe(owner.name)
    await take(chatOf(chat_id, [self, { userid: 'wmB', at: now - 2 * DAY }]), now - 3600)
    const [gone] = await people(id, 'left')
    expect(gone).toMatchObject({ name: '群友wmA', left_at: now - 3600 })
    const { row, parts } = await facts(id)
    expect(row).toMatchObject({ member_count: 2, staff_count: 1, customer_count: 1 })
    expect(parts).toMatchObject({ customers: 1, staff: 1, left: 1 })
    // Somebody who comes back is the same row.
    await take(
      chatOf(chat_id, [
        self,
        { userid: 'wmA', at: now - 60 },
        { userid: 'wmB', at: now - 2 * DAY },
      ]),
    )
    expect(await people(id, 'left')).toEqual([])
    expect(await people(id)).toHaveLength(3)
    expect((await wecomSums(database)).groups).toBe(0)
  })
  it('counts one join and one leave a person and day, and nothing beyond 180 days', async () => {
    const chat_id = freshChat()
    const noon = dayStart(now) - DAY + 12 * 3600
    const self = { userid: owner.userid, at: now - 199 * DAY, type: 1 as const }
    const inside = (at: number) => chatOf(chat_id, [self, { userid: 'wmC', at }])
    const id = await take(inside(noon), noon + 60)
    await take(chatOf(chat_id, [self]), noon + 120)
    await take(inside(noon + 180), noon + 240)
    const onDay = async () =>
      (await call(calls.moves, { id, days: '30' })).data.days.find(
        (one: { day: string }) => one.day === dateOf(noon),
      )
    // They are in it, as after their first join.
    expect(await onDay()).toMatchObject({ joins: 1, leaves: 0 })
    await take(chatOf(chat_id, [self]), noon + 300)
    const asked = await call(calls.moves, { id, days: '30' })
    expect(asked.data.days).toHaveLength(30)
    expect(asked.data.clipped).toBe(false)
    expect(asked.data.days.find((one: { day: string }) => one.day === dateOf(noon))).toMatchObject({
      joins: 1,
      leaves: 1,
    })
    const sum = (of: { days: { joins: number }[] }) =>
      of.days.reduce((all, one) => all + one.joins, 0)
    const whole = (await call(calls.moves, { id, days: '180' })).data
    const beyond = (await call(calls.moves, { id, days: '365' })).data
    expect(beyond).toMatchObject({ clipped: true, from: dateOf(dayStart(now) - 179 * DAY) })
    expect(beyond.days).toHaveLength(180)
    // The owner joined before that.
    expect([sum(whole), sum(beyond)]).toEqual([1, 1])
    await database.db.insert(wecom_group_move).values({
      group_id: id,
      userid: 'wmOld',
      kind: 'join',
      scene: 'qrcode',
      day: dateOf(now - 190 * DAY),
      at: now - 190 * DAY,
    })
    expect(sum((await call(calls.moves, { id, days: '365' })).data)).toBe(1)
  })
  it('names people who are in several chats, marks them, and finds advertisers', async () => {
    const ids: number[] = []
    const self = { userid: owner.userid, at: now - 9 * DAY, type: 1 as const }
    for (let n = 0; n < 3; n++)
      ids.push(
        await take(
          chatOf(freshChat(), [
            self,
            { userid: 'wmSpam', at: now - n * DAY - 60 },
            { userid: `wmOnly${n}`, at: now - DAY },
          ]),
        ),
      )
    const [first] = ids as [number]
    const spam = (await people(first, 'several'))[0]!
    expect(spam).toMatchObject({ name: '群友wmSpam', groups_n: 2, is_double: false })
    expect(spam.groups.map(one => one.id).toSorted()).toEqual(ids.slice(1).toSorted())
    expect((await facts(first)).suspects).toMatchObject([{ id: spam.id, groups: 2 }])
    const marked = await call(calls.markDuplicate, await held(first))
    expect(marked.data, marked.message).toMatchObject({ marked: 1, fresh: 1 })
    expect((await people(first, 'several'))[0]!.is_double).toBe(true)
    expect((await call(calls.markDuplicate, await held(first))).data).toMatchObject({
      marked: 1,
      fresh: 0,
    })
    // A chat that is dismissed counts no more, nor does one that they left.
    await database.db
      .update(wecom_group)
      .set({ status: 'dismissed', dismissed_at: now })
      .where(eq(wecom_group.id, ids[1]!))
    expect((await facts(first)).suspects).toEqual([])
    await database.db
      .update(wecom_group_member)
      .set({ left_at: now })
      .where(and(eq(wecom_group_member.group_id, ids[2]!), eq(wecom_group_member.userid, 'wmSpam')))
    expect((await call(calls.markDuplicate, await held(first))).data).toMatchObject({ marked: 0 })
    expect((await people(first))[0]!.is_double).toBe(false)
  })
  it('names no chat of a mall that the person does not see, and counts it', async () => {
    const self = { userid: owner.userid, at: now - 9 * DAY, type: 1 as const }
    const [own, other] = [
      await take(chatOf(freshChat(), [self, { userid: 'wmTwo', at: now - DAY }])),
      await take(chatOf(freshChat(), [self, { userid: 'wmTwo', at: now - DAY }])),
    ]
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select distinct mall_id id from wecom_group where mall_id is not null order by 1 limit 2`,
    )
    const [here, there] = rows
    const place = (id: number, mall_id: number) =>
      database.db.update(wecom_group).set({ mall_id }).where(eq(wecom_group.id, id))
    await place(own, here!.id)
    await place(other, there!.id)
    const local = await addStaff(database, {
      perms: ['vip.weChatGroupManage.*'],
      role: { scope_type: 'mall', scope_ids: [here!.id] },
    })
    const seen = await call(calls.people, { group_id: own, part: 'several' }, local.token)
    expect(seen.data.list).toMatchObject([{ groups: [], groups_n: 1 }])
    expect((await call(calls.people, { group_id: other }, local.token)).status).toBe(404)
    expect((await call(calls.facts, { id: other }, local.token)).status).toBe(404)
  })
  it('joins people with customers and members found meanwhile', async () => {
    const self = { userid: owner.userid, at: now - 9 * DAY, type: 1 as const }
    const id = await take(chatOf(freshChat(), [self, { userid: 'wmLateFriend', at: now - DAY }]))
    const who = await freshMember(database, { unionid: 'unionOfLateFriend' })
    const customer = await freshCustomer(database, {
      external_userid: 'wmLateFriend',
      unionid: 'unionOfLateFriend',
    })
    expect(await people(id, 'unmatched')).toHaveLength(1)
    const matched = await call(calls.matchMembers, await held(id))
    expect(matched.data, matched.message).toMatchObject({ linked: 1, matched: 1 })
    const [row] = await people(id, 'customers')
    expect(row).toMatchObject({ customer_id: customer.id, member: { id: who.id } })
    expect(await people(id, 'unmatched')).toEqual([])
    expect((await wecomSums(database)).customers).toBe(0)
    expect((await facts(id)).row).toMatchObject({ matched_count: 1, unmatched_count: 0 })
    expect(await database.db.$count(member, eq(member.id, who.id))).toBe(1)
  })
  it('asks the owner to remove people, and is done once they have left', async () => {
    const chat_id = freshChat()
    const self = { userid: owner.userid, at: now - 9 * DAY, type: 1 as const }
    const both = [self, { userid: 'wmAdA', at: now - DAY }, { userid: 'wmAdB', at: now - DAY }]
    const id = await take(chatOf(chat_id, both))
    const [one, two] = await people(id, 'customers')
    const [staff] = await people(id, 'staff')
    const ask = async (member_ids: number[]) =>
      call(calls.removeRemind, { ...(await held(id)), member_ids, reason: '发广告' })
    expect((await ask([staff!.id])).data.rule).toBe('removal_staff')
    expect((await ask([one!.id, 1])).status).toBe(404)
    const asked = await ask([one!.id, two!.id])
    expect(asked.data, asked.message).toMatchObject({ asked: 2, told: true })
    expect((await ask([one!.id])).data.rule).toBe('removal_open')
    expect((await facts(id)).row.removal_count).toBe(2)
    // Nobody is offered for a removal that was asked for.
    const offered = await call(calls.people, { group_id: id, part: 'customers', askable: true })
    expect(offered.data.list).toEqual([])
    expect((await people(id)).filter(of => of.removal === 'open')).toHaveLength(2)
    const [note] = await database.db.select().from(message).where(eq(message.admin_id, boss.id))
    expect(messageText(note!.kind, note!.facts, 'zh')).toContain('移除 2 位成员')
    // The owner does it in WeCom; the sync tells.
    await take(chatOf(chat_id, both.slice(0, 2)), now + 60)
    const { row, removals } = await facts(id)
    expect(row.removal_count).toBe(1)
    expect(removals.filter(of => of.done_at !== null)).toMatchObject([{ done_at: now + 60 }])
    const [left] = await people(id, 'left')
    expect(left!.removal).toBe('done')
    expect((await ask([left!.id])).data.rule).toBe('removal_left')
    // Done stays done when they come back.
    await take(chatOf(chat_id, [...both.slice(0, 2), { ...both[2]!, at: now + 120 }]), now + 180)
    expect((await facts(id)).row.removal_count).toBe(1)
  })
  it('keeps a draft of the notice until WeCom tells that it is out', async () => {
    const chat_id = freshChat()
    const self = { userid: owner.userid, at: now - 9 * DAY, type: 1 as const }
    const id = await take(chatOf(chat_id, [self], { notice: '旧公告' }))
    const saved = await call(calls.editNotice, { ...(await held(id)), notice: '新公告\n第二行' })
    expect(saved.status, saved.message).toBe(200)
    expect((await facts(id)).row).toMatchObject({
      notice: '旧公告',
      notice_draft: '新公告\n第二行',
    })
    await take(chatOf(chat_id, [self], { notice: '新公告\n第二行' }))
    expect((await facts(id)).row.notice).toBe('新公告\n第二行')
  })
  it('is only looked at once it was dismissed', async () => {
    const self = { userid: owner.userid, at: now - 9 * DAY, type: 1 as const }
    const id = await take(chatOf(freshChat(), [self, { userid: 'wmEnd', at: now - DAY }]))
    const [one] = await people(id, 'customers')
    await database.db
      .update(wecom_group)
      .set({ status: 'dismissed', dismissed_at: now })
      .where(eq(wecom_group.id, id))
    const tries: [Call, object][] = [
      [calls.editNotice, { notice: '公告' }],
      [calls.matchMembers, {}],
      [calls.markDuplicate, {}],
      [calls.removeRemind, { member_ids: [one!.id], reason: '广告' }],
    ]
    for (const [what, input] of tries) {
      const said = await call(what, { ...(await held(id)), ...input })
      expect(said.message, what.path).toContain('已解散')
    }
    expect(await people(id)).toHaveLength(2)
  })
  it('tells what members bought since they joined, to whoever may see it', async () => {
    const { rows } = await database.db.execute<{ id: number }>(sql`
      select p.group_id id from wecom_group_member p join wecom_customer c on c.id = p.customer_id
        join "order" o on o.member_id = c.member_id and o.paid_at >= p.joined_at
      where p.left_at is null and o.paid_at > ${now - 170 * DAY} limit 1`)
    if (rows[0]) {
      const { bought } = await facts(rows[0].id)
      expect(bought.orders).toBeGreaterThan(0)
      expect(bought.ordered).toBeLessThanOrEqual(bought.orders)
      expect(bought.gmv_cents).toBeGreaterThanOrEqual(0)
    }
    const self = { userid: owner.userid, at: now - 9 * DAY, type: 1 as const }
    const empty = await take(chatOf(freshChat(), [self]))
    expect((await facts(empty)).bought).toMatchObject({ ordered: 0, orders: 0 })
  })
})
