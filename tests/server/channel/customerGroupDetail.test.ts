import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sceneMovesOf } from '#src/areas/wecom/groupPeople.server.ts'
import { takeGroup } from '#src/areas/wecom/syncGroups.server.ts'
import { wecom_customer, wecom_follow, wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group, wecom_group_member } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_send_result } from '#src/areas/wecom/wecomSend.table.ts'
import { wecom_task, wecom_transfer } from '#src/areas/wecom/wecomWork.table.ts'
import type { Result } from '#src/contract/call.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { joinDetail as calls } from '#src/modules/channel/contract/customerGroupDetail.ts'
import { joinDetailServer } from '#src/modules/channel/server/customerGroupDetail.ts'
import { addStaff } from '../../help/app.ts'
import {
  call,
  clock,
  database,
  freshChat,
  freshCode,
  held,
  inDb,
  lastTurn,
  leave,
  mall_id,
  one,
  openJoinBench,
  owners,
  setChat,
} from '../../help/joinCodes.ts'
import { freshAdvisers, freshCustomer } from '../../help/wecomRows.ts'

beforeAll(openJoinBench, 120_000)
type Facts = Result<(typeof calls)['facts']>
const facts = async (id: number): Promise<Facts> => (await call(calls.facts, { id })).data
/** A customer in a chat, whom an adviser follows where one is named. */
const inChat = async (group_id: number, staff_id?: number) => {
  const customer = await freshCustomer(
    database,
    staff_id ? { state: 'following', follow_count: 1 } : {},
  )
  await database.db.insert(wecom_group_member).values({
    group_id,
    userid: customer.external_userid,
    kind: 'customer',
    customer_id: customer.id,
    nickname: customer.name,
    join_scene: 'qrcode',
    joined_at: clock() - DAY,
  })
  if (staff_id)
    await database.db.insert(wecom_follow).values({
      customer_id: customer.id,
      staff_id,
      add_way: 'group_chat',
      added_at: clock() - DAY,
    })
  return customer
}

describe('the page of a join code', () => {
  it('shows its chats in their turn, and how it came to lead where it does', async () => {
    expect(joinDetailServer.calls).toBe(calls)
    const [a, b] = [await freshChat(), await freshChat()]
    const row = await freshCode([a.id, b.id])
    const told = await facts(row.id)
    expect(told.row.chats.map(chat => chat.id)).toEqual([a.id, b.id])
    expect(told.row.chats[0]).toMatchObject({
      owner: { id: owners[0]!.id },
      opened_at: a.opened_at,
      is_current: true,
    })
    expect(told.switches).toMatchObject([{ why: 'set', to_name: a.name, from_name: '' }])
    expect(told.masses).toEqual([
      { id: a.id, n: 0 },
      { id: b.id, n: 0 },
    ])
    expect((await call(calls.facts, { id: 2_000_000_000 })).status).toBe(404)
    expect((await call(calls.moves, { id: 2_000_000_000 })).status).toBe(404)
  })
  it('takes a chat out for a reason, turns away from it, and keeps one at least', async () => {
    const [a, b] = [await freshChat(), await freshChat()]
    const row = await freshCode([a.id, b.id])
    const out = (of: { id: number; version: number }, chat_id: number) =>
      call(calls.removeChat, { ...held(of), chat_id, reason: '改作老客群' })
    const gone = await out(row, a.id)
    expect(gone.status, gone.message).toBe(200)
    expect((await inDb(row.id)).current_group_id).toBe(b.id)
    expect(await lastTurn(row.id)).toMatchObject({ why: 'removed', reason: '改作老客群' })
    const last = await out(gone.data, b.id)
    expect([last.status, last.data.rule]).toEqual([422, 'join_removeChat'])
    // It may serve another code now.
    expect((await freshCode([a.id])).status).toBe('enabled')
  })
  it('is full once what it leads to is taken out and the rest has no room', async () => {
    const [a, b] = [await freshChat(), await freshChat()]
    const row = await freshCode([a.id, b.id])
    await leave(b.id, 0)
    const gone = await call(calls.removeChat, { ...held(row), chat_id: a.id, reason: '解散' })
    expect(gone.status, gone.message).toBe(200)
    expect((await one(row.id)).status).toBe('full')
  })
  it('hands a chat to an active colleague with the right, and to nobody else', async () => {
    const a = await freshChat()
    const row = await freshCode([a.id])
    const to = (to_staff_id: number) =>
      call(calls.transferOwner, { id: row.id, chat_id: a.id, to_staff_id, reason: '调岗' })
    const [lacks] = await freshAdvisers(database, 1, { has_group_right: false })
    const [left] = await freshAdvisers(database, 1, { status: 'left' })
    for (const who of [lacks!, left!]) {
      const said = await to(who.id)
      expect([said.status, said.data.rule]).toEqual([422, 'receiver'])
    }
    expect((await to(owners[0]!.id)).data.rule).toBe('same_staff')
    const list = (await call(calls.owners, { way_id: row.id, pageSize: 200 })).data.list
    expect(list.map((of: { id: number }) => of.id)).not.toContain(lacks!.id)
    const said = await to(owners[1]!.id)
    expect(said.status, said.message).toBe(200)
    expect((await facts(row.id)).row.chats[0]!.status).toBe('transferring')
    expect((await to(owners[2]!.id)).data.rule).toBe('group_changeOwner')
    // The new owner was given three hundred chats today.
    const b = await freshChat()
    const other = await freshCode([b.id])
    await database.db.execute(sql`
      insert into wecom_transfer (kind, group_id, from_staff_id, to_staff_id, status, next_at,
        done_at, created_at)
      select 'group_chat', ${a.id}, ${owners[0]!.id}, ${owners[2]!.id}, 'done', ${clock()},
        ${clock()}, ${clock()} from generate_series(1, 300)`)
    const over = await call(calls.transferOwner, {
      id: other.id,
      chat_id: b.id,
      to_staff_id: owners[2]!.id,
      reason: '调岗',
    })
    expect([over.status, over.data.rule]).toEqual([422, 'groups_a_day'])
    await database.db.delete(wecom_transfer).where(eq(wecom_transfer.to_staff_id, owners[2]!.id))
    await setChat(b.id, { owner_id: left!.id, status: 'owner_left' })
    const handed = await call(calls.transferOwner, {
      id: other.id,
      chat_id: b.id,
      to_staff_id: owners[2]!.id,
      reason: '离职',
    })
    expect(handed.status, handed.message).toBe(200)
  })
  it('tags the contacts of a chat, by its owner first, and nobody else', async () => {
    const a = await freshChat()
    const row = await freshCode([a.id])
    const [x, y] = [await inChat(a.id, owners[0]!.id), await inChat(a.id, owners[1]!.id)]
    await database.db.insert(wecom_follow).values({
      customer_id: x.id,
      staff_id: owners[2]!.id,
      add_way: 'card',
      added_at: clock() - 2 * DAY,
    })
    const [tag] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.status, 'active'))
    const [dead] = await database.db
      .select()
      .from(wecom_tag)
      .where(sql`${wecom_tag.status} <> 'active'`)
    const put = (tag_ids: number[]) =>
      call(calls.tagMembers, { id: row.id, chat_id: a.id, tag_ids })
    expect((await put([dead!.id])).data.rule).toBe('tag_invalid')
    const said = await put([tag!.id])
    // Three of the chat are strangers.
    expect(said.data, said.message).toMatchObject({ tagged: 2, had: 0, strangers: 3 })
    const tasks = await database.db
      .select()
      .from(wecom_task)
      .where(and(eq(wecom_task.kind, 'tag'), sql`${wecom_task.customer_id} in (${x.id}, ${y.id})`))
    expect(tasks.map(of => of.staff_id).toSorted()).toEqual(
      [owners[0]!.id, owners[1]!.id].toSorted(),
    )
    const b = await freshChat()
    const other = await freshCode([b.id])
    const none = await call(calls.tagMembers, { id: other.id, chat_id: b.id, tag_ids: [tag!.id] })
    expect([none.status, none.data.rule]).toEqual([422, 'tag_strangers'])
    await database.db
      .update(wecom_follow)
      .set({ tag_ids: [tag!.id] })
      .where(eq(wecom_follow.customer_id, x.id))
    expect((await put([tag!.id])).data).toMatchObject({ tagged: 1, had: 1 })
  })
  it('sends a text to its chats, not to one that is dismissed, nor once too often', async () => {
    const [a, b, c] = [await freshChat(), await freshChat(), await freshChat()]
    const row = await freshCode([a.id, b.id, c.id])
    await setChat(b.id, { status: 'dismissed', dismissed_at: clock() })
    const sent = (chat_ids: number[], of: object = {}) =>
      call(calls.sendGroup, { id: row.id, chat_ids, content: '周五会员日', ...of })
    const said = await sent([a.id, b.id])
    expect(said.data, said.message).toMatchObject({
      ok: [a.id],
      failed: [{ id: b.id, code: 'group_sendMass' }],
    })
    expect((await facts(row.id)).masses).toContainEqual({ id: a.id, n: 1 })
    expect((await sent([mall_id + 1_000_000])).status).toBe(404)
    expect((await sent([c.id], { send_at: clock() + 200 * DAY })).data.rule).toBe('send_time')
    const { mass_most } = await facts(row.id)
    const [result] = await database.db
      .select()
      .from(wecom_send_result)
      .where(eq(wecom_send_result.group_id, a.id))
    await database.db.execute(sql`
      with made as (insert into wecom_send_task (target, content, send_at, created_by, created_at)
        select target, content, send_at, created_by, created_at
        from wecom_send_task, generate_series(2, ${mass_most}) where id = ${result!.task_id}
        returning id)
      insert into wecom_send_result (task_id, staff_id, group_id, month)
      select id, ${result!.staff_id}, ${a.id}, ${result!.month} from made`)
    const over = await sent([a.id, c.id])
    expect(over.data).toMatchObject({ ok: [c.id], failed: [{ id: a.id, code: 'group_masses' }] })
  })
  it('marks who is in several chats, and tells what people bought since they joined', async () => {
    const [a, b] = [await freshChat(), await freshChat()]
    const row = await freshCode([a.id, b.id])
    const customer = await inChat(a.id)
    await database.db.insert(wecom_group_member).values({
      group_id: b.id,
      userid: customer.external_userid,
      kind: 'customer',
      customer_id: customer.id,
      nickname: customer.name,
      join_scene: 'invite',
      joined_at: clock() - DAY,
    })
    const said = await call(calls.markMulti, { id: row.id })
    expect(said.data, said.message).toMatchObject({ marked: 2, fresh: 2 })
    expect((await call(calls.markMulti, { id: row.id })).data).toMatchObject({ fresh: 0 })
    const people = await call(calls.people, { group_id: a.id, part: 'several' })
    expect(people.data.list).toMatchObject([
      { name: customer.name, is_double: true, groups_n: 1, orders_n: 0 },
    ])
    expect(people.data.stat).toMatchObject({ several: 1 })
    const { rows } = await database.db.execute<{ member_id: number; n: number; paid_at: string }>(
      sql`select member_id, count(*)::int n, min(paid_at) paid_at from "order"
        where paid_at is not null group by 1 having count(*) between 2 and 5 limit 1`,
    )
    await database.db
      .update(wecom_customer)
      .set({ member_id: null, matched_by: null })
      .where(eq(wecom_customer.member_id, rows[0]!.member_id))
    await database.db
      .update(wecom_customer)
      .set({ member_id: rows[0]!.member_id, matched_by: 'hand' })
      .where(eq(wecom_customer.id, customer.id))
    await database.db
      .update(wecom_group_member)
      .set({ joined_at: Number(rows[0]!.paid_at) })
      .where(eq(wecom_group_member.customer_id, customer.id))
    const after = await call(calls.people, { group_id: a.id, part: 'several' })
    expect(after.data.list[0].orders_n).toBe(rows[0]!.n)
  })
  it('keeps how many a chat holds, of the two kinds that there are', async () => {
    const a = await freshChat({ people: 4 })
    const row = await freshCode([a.id])
    const set = (max_members: string) =>
      call(calls.setLimit, { id: row.id, chat_id: a.id, max_members })
    expect((await set('300')).status).toBe(400)
    expect((await set('500')).status).toBe(200)
    expect((await facts(row.id)).row.chats[0]!.max_members).toBe(500)
    await database.db.execute(sql`update wecom_group set member_count = 201 where id = ${a.id}`)
    expect((await set('200')).data.rule).toBe('group_limit')
  })
  it('is of those alone who see its mall', async () => {
    const a = await freshChat()
    const row = await freshCode([a.id])
    const there = await addStaff(database, {
      perms: ['channel.customerGroup.*'],
      role: { scope_type: 'mall', scope_ids: [mall_id + 1] },
    })
    expect((await call(calls.facts, { id: row.id }, there.token)).status).toBe(404)
    expect((await call(calls.people, { group_id: a.id }, there.token)).status).toBe(404)
    expect((await call(calls.markMulti, { id: row.id }, there.token)).status).toBe(404)
  })
  it('shows its people to who sees its mall, with the orders of that mall', async () => {
    const a = await freshChat()
    await freshCode([a.id])
    await inChat(a.id)
    const here = await addStaff(database, {
      perms: ['channel.customerGroup.*'],
      role: { scope_type: 'mall', scope_ids: [mall_id] },
    })
    const told = await call(calls.people, { group_id: a.id }, here.token)
    expect(told.status).toBe(200)
    expect(told.data.list.map((row: { orders_n: number }) => row.orders_n)).toContain(0)
  })
})

const scenes = { invite: 1, invite_link: 2, qrcode: 3 } as const
type Scene = keyof typeof scenes
describe('joins less leaves', () => {
  it('are the change of the people of each day and scene, and one a person at most', async () => {
    const begun = dayStart(clock()) - 20 * DAY
    const step = fc.record({
      who: fc.integer({ min: 0, max: 2 }),
      scene: fc.constantFrom<Scene>('invite', 'invite_link', 'qrcode'),
      /** Comes again without anybody having told that they had left. */
      unseen: fc.boolean(),
      nextDay: fc.boolean(),
    })
    let made = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async steps => {
        const chat_id = `wrMoves${String(++made).padStart(6, '0')}`
        const inside = new Map<number, { scene: Scene; at: number }>()
        const byDay = new Map<string, Record<Scene, number>>()
        const take = (at: number) =>
          database.transaction(tx =>
            takeGroup(
              tx,
              {
                chat_id,
                name: chat_id,
                owner: 'nobody',
                create_time: begun,
                member_list: [...inside].map(([who, of]) => ({
                  userid: `wm${chat_id}${who}`,
                  type: 2,
                  join_time: of.at,
                  join_scene: scenes[of.scene],
                })),
              },
              at,
            ),
          )
        let at = begun + 3600
        let id = await take(at)
        for (const { who, scene, unseen, nextDay } of steps) {
          at = nextDay ? dayStart(at) + DAY + 3600 : at + 60
          const was = inside.get(who)
          const day = byDay.get(dateOf(at)) ?? { invite: 0, invite_link: 0, qrcode: 0 }
          if (was) day[was.scene]--
          if (was && !unseen) inside.delete(who)
          else {
            inside.set(who, { scene, at })
            day[scene]++
          }
          byDay.set(dateOf(at), day)
          id = await take(at)
        }
        const { days } = await sceneMovesOf(database.db, [id], { days: 30, now: clock() })
        for (const of of days) {
          const change = byDay.get(of.day) ?? { invite: 0, invite_link: 0, qrcode: 0 }
          for (const scene of Object.keys(scenes) as Scene[]) {
            const { joins, leaves } = of.scenes[scene]
            expect(joins - leaves, `${of.day} ${scene}`).toBe(change[scene])
          }
          expect(of.joins).toBeLessThanOrEqual(3)
          expect(of.leaves).toBeLessThanOrEqual(3)
        }
        const [row] = await database.db.select().from(wecom_group).where(eq(wecom_group.id, id))
        const net = days.reduce((sum, of) => sum + of.joins - of.leaves, 0)
        expect(row!.member_count).toBe(net)
      }),
      { numRuns: 25 },
    )
  }, 60_000)
})
