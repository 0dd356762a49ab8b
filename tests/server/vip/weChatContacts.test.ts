import { and, asc, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { runTasks } from '#src/areas/wecom/tasks.server.ts'
import { followTransfers, sendTransfers } from '#src/areas/wecom/transferring.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import { wecom_task, wecom_transfer } from '#src/areas/wecom/wecomWork.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { advisersPage as calls, type AdviserRow } from '#src/modules/vip/contract/weChatContacts.ts'
import { advisersServer } from '#src/modules/vip/server/weChatContacts.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wecomPair } from '../../help/wecom.ts'
import { wecomSums } from '../../help/wecomRows.ts'

let database: Database
let app: App
let client: WecomClient
let me: Awaited<ReturnType<typeof addStaff>>
/** Seconds that these tests are ahead of the clock. */
let ahead = 0
const clock = () => unixNow() + ahead
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  client = wecomPair(database, { now: clock }).client
  me = await addStaff(database, { perms: ['vip.weChatContacts.*'] })
  // What the demo left on its way is not these tests' own.
  await database.db
    .update(wecom_transfer)
    .set({ status: 'canceled', done_at: clock() })
    .where(eq(wecom_transfer.status, 'waiting'))
  await database.db.delete(wecom_corp_object).where(eq(wecom_corp_object.kind, 'transfer'))
}, 120_000)
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const list = async (filters: object = {}, token = me.token): Promise<AdviserRow[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data.list
const held = ({ id, version }: { id: number; version: number }) => ({ id, version })
const one = async (id: number) => (await list({ id }))[0]!
/** Colleagues who may take over, those with the fewest customers first. */
const able = () =>
  database.db
    .select()
    .from(wecom_staff)
    .where(and(eq(wecom_staff.status, 'active'), eq(wecom_staff.has_contact_right, true)))
    .orderBy(asc(wecom_staff.customer_count), asc(wecom_staff.id))
/**
 * Two of them: one who takes, and one who has the most customers that are known as members and that
 * nobody has handed over. And these customers.
 */
const takerAndGiver = async () => {
  const may = await able()
  const ids = may.map(row => row.id)
  const [most] = await database.db
    .select({
      staff_id: wecom_follow.staff_id,
      free: sql<number[]>`array_agg(${wecom_follow.customer_id})`,
    })
    .from(wecom_follow)
    .innerJoin(wecom_customer, eq(wecom_customer.id, wecom_follow.customer_id))
    .leftJoin(wecom_transfer, eq(wecom_transfer.customer_id, wecom_follow.customer_id))
    .where(
      and(
        inArray(wecom_follow.staff_id, ids),
        eq(wecom_follow.status, 'following'),
        isNotNull(wecom_customer.member_id),
        isNull(wecom_transfer.id),
      ),
    )
    .groupBy(wecom_follow.staff_id)
    .orderBy(desc(count()), asc(wecom_follow.staff_id))
    .limit(1)
  const from = may.find(row => row.id === most!.staff_id)!
  return { to: may.find(row => row !== from)!, from, free: most!.free }
}
const running = () => ({ database, client, now: clock() })
const transfersOf = (from: number) =>
  database.db
    .select()
    .from(wecom_transfer)
    .where(and(eq(wecom_transfer.from_staff_id, from), sql`${wecom_transfer.asked_by} = ${me.id}`))
    .orderBy(wecom_transfer.id)
const allWell = { customers: 0, staff: 0, groups: 0, twice: 0 }

describe('advisers', () => {
  it('are listed with what they hold and how they do, by malls, departments and states', async () => {
    expect(advisersServer.calls).toBe(calls)
    const all = await list()
    expect(all).toHaveLength(60)
    const [gone] = await list({ quick: 'handover' })
    expect(gone).toMatchObject({ status: 'left' })
    expect(gone!.customer_count).toBeGreaterThan(0)
    for (const row of await list({ quick: 'no_right' }))
      expect(row).toMatchObject({ status: 'active', has_contact_right: false })
    const free = await list({ mid: 0 })
    expect(free.length).toBeGreaterThan(0)
    expect(free.filter(row => row.malls !== '')).toEqual([])
    expect(free.length).toBe(all.filter(row => row.malls === '').length)
    const most = await list({ sort: 'held' })
    expect(most.map(row => row.customer_count)).toEqual(
      most.map(row => row.customer_count).toSorted((a, b) => b - a),
    )
    const side = (await call(calls.side, { id: gone!.id })).data
    expect(side.days).toHaveLength(14)
  })
  it('hand customers over only to who may receive them', async () => {
    const [from] = (await able()).toReversed()
    const ask = (to_staff_id: number) =>
      call(calls.transferCustomers, { ...held(from!), to_staff_id, scope: 'all', reason: '调岗' })
    const [left] = await list({ status: 'left' })
    const [mute] = await list({ quick: 'no_right' })
    const [off] = await list({ status: 'disabled' })
    for (const to of [left!, mute!, off!]) {
      const refused = await ask(to.id)
      expect([refused.status, refused.data.rule]).toEqual([422, 'receiver'])
    }
    const self = await ask(from!.id)
    expect([self.status, self.data.rule]).toEqual([422, 'same_staff'])
    const [gone] = await list({ quick: 'handover' })
    const wrong = await call(calls.transferCustomers, {
      ...held(gone!),
      to_staff_id: from!.id,
      scope: 'all',
      reason: '离职',
    })
    expect([wrong.status, wrong.data.rule]).toEqual([422, 'staff_transferCustomers'])
  })
  it('a hand-over is done when WeCom says so, and tags and remark go along', async () => {
    const { to, from } = await takerAndGiver()
    const before = (await one(from!.id)).customer_count
    const asked = await call(calls.transferCustomers, {
      ...held(from!),
      to_staff_id: to!.id,
      scope: 'all',
      reason: '调岗',
    })
    expect(asked.status, asked.message).toBe(200)
    const { ok, failed } = asked.data
    expect(ok.length + failed.length).toBe(before)
    for (const of of failed) expect(['follows', 'waits', 'often']).toContain(of.code)
    expect(await one(from!.id)).toMatchObject({ customer_count: before, waiting_count: ok.length })
    // While it waits none of them is handed over again.
    const again = await call(calls.transferCustomers, {
      ...held(await one(from!.id)),
      to_staff_id: to!.id,
      scope: 'all',
      reason: '再来一次',
    })
    expect(again.data.ok).toEqual([])
    expect(again.data.failed.some((of: { code: string }) => of.code === 'waits')).toBe(true)
    await sendTransfers(running())
    expect((await transfersOf(from!.id)).every(row => row.sent_at !== null)).toBe(true)
    expect(await followTransfers(running())).toBe(0)
    ahead += 90
    expect(await followTransfers(running())).toBeGreaterThan(0)
    const rows = await transfersOf(from!.id)
    const done = rows.filter(row => row.status === 'done')
    expect(done.length + rows.filter(row => row.status === 'refused').length).toBe(ok.length)
    const [moved] = done
    const follows = await database.db
      .select()
      .from(wecom_follow)
      .where(eq(wecom_follow.customer_id, moved!.customer_id!))
    const given = follows.find(row => row.id === moved!.follow_id)!
    const taken = follows.find(row => row.taken_from_id === given.id)!
    expect(given.status).toBe('transferred')
    expect(taken).toMatchObject({
      staff_id: to!.id,
      status: 'following',
      tag_ids: given.tag_ids,
      remark: given.remark,
    })
    expect(await wecomSums(database)).toEqual(allWell)
  })
  it('an answer that was lost does no harm: what is under way counts as sent', async () => {
    const { to, from } = await takerAndGiver()
    const asked = await call(calls.transferCustomers, {
      ...held(from!),
      to_staff_id: to!.id,
      scope: 'matched',
      reason: '调岗',
    })
    const { ok } = asked.data
    await sendTransfers(running())
    await database.db
      .update(wecom_transfer)
      .set({ sent_at: null, next_at: clock() })
      .where(inArray(wecom_transfer.customer_id, ok))
    await sendTransfers(running())
    const rows = (await transfersOf(from!.id)).filter(row => ok.includes(row.customer_id))
    expect(rows.every(row => row.status === 'waiting' && row.sent_at !== null)).toBe(true)
    ahead += 120
    await followTransfers(running())
  })
  it('a customer is handed over twice in ninety days, and again when they are past', async () => {
    const { to, from, free } = await takerAndGiver()
    const [follow] = await database.db
      .select()
      .from(wecom_follow)
      .where(and(eq(wecom_follow.staff_id, from.id), eq(wecom_follow.customer_id, free[0]!)))
    const row = {
      kind: 'on_job' as const,
      follow_id: follow!.id,
      customer_id: follow!.customer_id,
      from_staff_id: from!.id,
      to_staff_id: to!.id,
      status: 'done' as const,
      next_at: clock(),
    }
    const past = await database.db
      .insert(wecom_transfer)
      .values([
        { ...row, done_at: clock() - DAY },
        { ...row, done_at: clock() - 60 * DAY },
      ])
      .returning({ id: wecom_transfer.id })
    const ask = async () =>
      (
        await call(calls.transferCustomers, {
          ...held(await one(from!.id)),
          to_staff_id: to!.id,
          scope: 'all',
          reason: '调岗',
        })
      ).data
    const first = await ask()
    expect(first.failed).toContainEqual(
      expect.objectContaining({ id: follow!.customer_id, code: 'often' }),
    )
    await database.db
      .update(wecom_transfer)
      .set({ done_at: unixNow() - 90 * DAY })
      .where(eq(wecom_transfer.id, past[1]!.id))
    expect((await ask()).ok).toEqual([follow!.customer_id])
  })
  it('what a colleague who left still holds goes to another, chats too', async () => {
    const [gone] = await list({ quick: 'handover' })
    const [to] = await able()
    const wrong = await call(calls.inheritCustomers, { ...held(to!), to_staff_id: gone!.id })
    expect([wrong.status, wrong.data.rule]).toEqual([422, 'staff_inheritCustomers'])
    const asked = await call(calls.inheritCustomers, { ...held(gone!), to_staff_id: to!.id })
    expect(asked.data.ok.length).toBeGreaterThan(0)
    await sendTransfers(running())
    ahead += 120
    await followTransfers(running())
    expect((await one(gone!.id)).customer_count).toBeLessThan(gone!.customer_count)
    const chats = (await call(calls.groups, { id: gone!.id })).data.list
    const owner =
      chats.length > 0 ? gone! : (await list({ status: 'left' })).find(row => row.group_count > 0)!
    const own = (await call(calls.groups, { id: owner.id })).data.list.map(
      (chat: { id: number }) => chat.id,
    )
    const moved = await call(calls.transferGroups, {
      ...held(await one(owner.id)),
      to_staff_id: to!.id,
      group_ids: own,
      reason: '离职继承',
    })
    expect(moved.data).toEqual({ ok: own, failed: [] })
    const twice = await call(calls.transferGroups, {
      ...held(await one(owner.id)),
      to_staff_id: to!.id,
      group_ids: own,
      reason: '离职继承',
    })
    expect(twice.data.failed[0].code).toBe('waits')
    await sendTransfers(running())
    const rows = await database.db.select().from(wecom_group).where(inArray(wecom_group.id, own))
    for (const row of rows) expect(row).toMatchObject({ status: 'normal', owner_id: to!.id })
    expect(await wecomSums(database)).toEqual(allWell)
  })
  it('a new owner takes at most three hundred chats a day', async () => {
    const [to, from] = (await able()).toReversed()
    const [chat] = await database.db
      .insert(wecom_group)
      .values({
        chat_id: 'wrTestOfDays',
        name: '上限群',
        owner_id: from!.id,
        opened_at: clock(),
        synced_at: clock(),
      })
      .returning()
    await database.db.insert(wecom_transfer).values(
      Array.from({ length: 300 }, () => ({
        kind: 'group_chat' as const,
        group_id: chat!.id,
        from_staff_id: from!.id,
        to_staff_id: to!.id,
        status: 'done' as const,
        done_at: clock(),
        created_at: clock(),
        next_at: clock(),
      })),
    )
    const refused = await call(calls.transferGroups, {
      ...held(await one(from!.id)),
      to_staff_id: to!.id,
      group_ids: [chat!.id],
      reason: '调岗',
    })
    expect([refused.status, refused.data.rule]).toEqual([422, 'groups_a_day'])
  })
  it('one account belongs to one colleague', async () => {
    const [first, second] = (await list({ quick: 'unbound' })).slice(0, 2)
    const account = await addStaff(database, { perms: [] })
    const bound = await call(calls.bindAdmin, { ...held(first!), admin_id: account.id })
    expect(bound.status, bound.message).toBe(200)
    const other = await call(calls.bindAdmin, { ...held(second!), admin_id: account.id })
    expect([other.status, other.data.rule]).toEqual([422, 'account_taken'])
    expect(other.message).toContain(first!.name)
  })
  it('a code is made through WeCom, once, even when its answer was lost', async () => {
    const of = (await list()).find(
      row => row.status === 'active' && row.has_contact_right && row.code_state === 'none',
    )!
    expect((await call(calls.genCode, held(of))).status).toBe(200)
    expect(await one(of.id)).toMatchObject({ code_state: 'waiting' })
    const twice = await call(calls.genCode, held(await one(of.id)))
    expect([twice.status, twice.data.rule]).toEqual([422, 'staff_genCode'])
    const ways = () =>
      database.db.$count(wecom_corp_object, eq(wecom_corp_object.kind, 'contact_way'))
    const before = await ways()
    const lost: WecomClient = {
      ...client,
      addContactWay: async way => {
        await client.addContactWay(way)
        return { fault: { kind: 'silent', code: 0, text: ['无回应', 'No answer'], unknown: true } }
      },
    }
    await runTasks({ database, client: lost, now: clock() })
    expect(await one(of.id)).toMatchObject({ code_state: 'waiting' })
    await runTasks({ database, client, now: clock() + 60 })
    expect(await one(of.id)).toMatchObject({
      code_state: 'done',
      code_qr: expect.stringMatching(/./),
    })
    expect(await ways()).toBe(before + 1)
    expect(await database.db.$count(wecom_task, eq(wecom_task.staff_id, of.id))).toBe(1)
  })
  it('a cap of the day is set and taken away', async () => {
    const [of] = await able()
    expect((await call(calls.setDailyCap, { ...held(of!), daily_add_cap: 40 })).status).toBe(200)
    expect(await one(of!.id)).toMatchObject({ daily_add_cap: 40 })
    expect((await call(calls.setDailyCap, held(await one(of!.id)))).status).toBe(200)
    expect((await one(of!.id)).daily_add_cap).toBeNull()
  })
})
