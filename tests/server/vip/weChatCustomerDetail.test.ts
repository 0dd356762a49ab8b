import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { takeGroup } from '#src/areas/wecom/syncGroups.server.ts'
import { runTasks } from '#src/areas/wecom/tasks.server.ts'
import { followTransfers, sendTransfers } from '#src/areas/wecom/transferring.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_note, wecom_transfer } from '#src/areas/wecom/wecomWork.table.ts'
import type { Call, Result } from '#src/contract/call.ts'
import type { TimelineEntry } from '#src/contract/wecom.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { customerDetail as calls } from '#src/modules/vip/contract/weChatCustomerDetail.ts'
import { customersPage } from '#src/modules/vip/contract/weChatCustomerList.ts'
import { customerDetailServer } from '#src/modules/vip/server/weChatCustomerDetail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { corpExternal, corpObjects, corpUser, wecomPair } from '../../help/wecom.ts'
import { freshAdvisers, freshCustomer } from '../../help/wecomRows.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let client: ReturnType<typeof wecomPair>['client']
let ahead = 0
const clock = () => unixNow() + ahead
const running = () => ({ database, client, now: clock() })
const now = unixNow()
let malls: { id: number }[]
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  client = wecomPair(database, { now: clock }).client
  me = await addStaff(database, { perms: ['vip.weChatCustomerList.*'] })
  await database.db
    .update(wecom_transfer)
    .set({ status: 'canceled', done_at: now })
    .where(eq(wecom_transfer.status, 'waiting'))
  malls = (await database.db.execute<{ id: number }>(sql`select id from mall order by id limit 2`))
    .rows
}, 120_000)
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
type Facts = Result<(typeof calls)['facts']>
const facts = async (id: number, token = me.token): Promise<Facts> =>
  (await call(calls.facts, { id }, token)).data
const held = async (id: number) => ({ id, version: (await facts(id)).row.version })
const timeline = async (id: number, token = me.token): Promise<TimelineEntry[]> =>
  (await call(calls.timeline, { id, pageSize: 100 }, token)).data.list
const kinds = (list: TimelineEntry[]) => list.map(one => one.kind).toSorted()
/** A customer whom an adviser follows since a time, here and in WeCom. */
const followed = async (at: number, of: Partial<typeof wecom_customer.$inferInsert> = {}) => {
  const [adviser, other] = await freshAdvisers(database, 2)
  const customer = await freshCustomer(database, of)
  await corpObjects(database, 'user', [corpUser(adviser!.userid), corpUser(other!.userid)])
  await corpObjects(database, 'external', [
    corpExternal(customer.external_userid, [adviser!.userid]),
  ])
  await database.transaction(tx =>
    applyRelations(tx, [{ customer_id: customer.id, staff_id: adviser!.id, kind: 'add', at }]),
  )
  const [follow] = await database.db
    .select()
    .from(wecom_follow)
    .where(eq(wecom_follow.customer_id, customer.id))
  return { id: customer.id, customer, adviser: adviser!, other: other!, follow: follow! }
}

describe('the page of a customer', () => {
  it('tells of each thing once, however many told of it', async () => {
    expect(customerDetailServer.calls).toBe(calls)
    const { id, customer, adviser, other, follow } = await followed(now - 9 * DAY)
    // WeCom's callback and the sync both tell of it, at times of their own.
    await database.transaction(tx =>
      applyRelations(tx, [
        { customer_id: id, staff_id: adviser.id, kind: 'add', at: now - 9 * DAY + 3 },
      ]),
    )
    expect(kinds(await timeline(id))).toEqual(['added'])
    const asked = await call(calls.transfer, {
      ...(await held(id)),
      follow_id: follow.id,
      to_staff_id: other.id,
      reason: '调岗',
    })
    expect(asked.status, asked.message).toBe(200)
    expect(kinds(await timeline(id))).toEqual(['added', 'transfer'])
    await sendTransfers(running())
    ahead += 90
    await followTransfers(running())
    const [row] = await database.db
      .select()
      .from(wecom_transfer)
      .where(eq(wecom_transfer.customer_id, id))
    expect(['done', 'refused']).toContain(row!.status)
    if (row!.status === 'done') {
      const { relations } = await facts(id)
      expect(relations.map(one => one.status).toSorted()).toEqual(['following', 'transferred'])
    }
    // The end of one relation and the start of the other are the hand-over itself.
    expect(kinds(await timeline(id))).toEqual(['added', 'transfer'])
    const chat = {
      chat_id: `wrTimeline${id}`,
      name: '时间线群',
      owner: other.userid,
      create_time: now - 99 * DAY,
      member_list: [
        { userid: other.userid, type: 1, join_time: now - 99 * DAY },
        { userid: customer.external_userid, type: 2, join_time: now - DAY, join_scene: 3 },
      ],
    }
    await database.transaction(tx => takeGroup(tx, chat, now - DAY + 60))
    await database.transaction(tx => takeGroup(tx, chat, now))
    const noted = await call(calls.addFollow, {
      ...(await held(id)),
      content: '周末到店',
      next_at: clock() + DAY,
    })
    expect(noted.status, noted.message).toBe(200)
    const list = await timeline(id)
    expect(kinds(list)).toEqual(['added', 'joined', 'note', 'transfer'])
    expect(new Set(list.map(one => one.key)).size).toBe(list.length)
    expect(list.map(one => one.at)).toEqual(list.map(one => one.at).toSorted((a, b) => b - a))
    expect((await facts(id)).next).toMatchObject({ content: '周末到店' })
    expect((await facts(id)).chats).toMatchObject([{ name: '时间线群', left_at: null }])
  })
  it('pages its timeline without a gap or a repeat', async () => {
    const { id } = await followed(now - 9 * DAY)
    await database.db.insert(wecom_note).values(
      Array.from({ length: 25 }, (_, n) => ({
        customer_id: id,
        content: `第 ${n} 次`,
        by_id: me.id,
        // Several at one moment: their order is still one.
        at: now - Math.floor(n / 5) * 60,
      })),
    )
    const seen: string[] = []
    for (let page = 1, more = true; more; page++) {
      const { data } = await call(calls.timeline, { id, page, pageSize: 7 })
      seen.push(...data.list.map((one: TimelineEntry) => one.key))
      ;({ more } = data)
    }
    expect(seen).toHaveLength(26)
    expect(new Set(seen).size).toBe(26)
    const [demo] = (
      await database.db.execute<{ id: number }>(sql`
        select c.id from wecom_customer c where c.member_id is not null
          and exists (select 1 from wecom_transfer w where w.customer_id = c.id)
        order by c.id limit 1`)
    ).rows
    const keys = (await timeline(demo!.id)).map(one => one.key)
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('takes notes with words, and a next time that lies ahead', async () => {
    const { id } = await followed(now - DAY)
    const empty = await call(calls.addFollow, { ...(await held(id)), content: '' })
    expect(empty.status).toBe(400)
    const past = await call(calls.addFollow, {
      ...(await held(id)),
      content: '昨天聊过',
      next_at: unixNow() - 60,
    })
    expect([past.status, past.data.rule]).toEqual([422, 'next_past'])
    expect(await database.db.$count(wecom_note, eq(wecom_note.customer_id, id))).toBe(0)
  })
  it('writes remarks and tags for the adviser that is named', async () => {
    const { id, customer, other } = await followed(now - 9 * DAY)
    await database.transaction(tx =>
      applyRelations(tx, [{ customer_id: id, staff_id: other.id, kind: 'add', at: now - DAY }]),
    )
    await database.db
      .execute(sql`update wecom_corp_object set body = jsonb_set(body, '{follow_user}',
      body -> 'follow_user' || ${JSON.stringify([{ userid: other.userid, createtime: now - DAY, tags: [] }])}::jsonb)
      where kind = 'external' and key = ${customer.external_userid}`)
    const second = (await facts(id)).relations.find(one => one.staff_id === other.id)!
    const said = await call(calls.remark, {
      ...(await held(id)),
      follow_id: second.id,
      remark: '张总',
    })
    expect(said.status, said.message).toBe(200)
    const tags = (await call(customersPage.tags, { pageSize: 5 })).data.list as { id: number }[]
    await call(calls.tag, {
      ...(await held(id)),
      follow_id: second.id,
      tag_ids: [tags[0]!.id],
    })
    ahead += 60
    await runTasks(running())
    await runTasks(running())
    const { relations } = await facts(id)
    expect(relations.find(one => one.staff_id === other.id)!.remark).toBe('张总')
    expect(relations.find(one => one.staff_id === other.id)!.tags).toHaveLength(1)
    expect(relations.find(one => one.staff_id !== other.id)!.remark).toBe('')
    expect(kinds(await timeline(id))).toEqual(['added', 'added', 'remark', 'tag'])
    const none = await call(calls.remark, { ...(await held(id)), follow_id: 1, remark: '别人' })
    expect(none.status).toBe(404)
  })
  it('hands over by the rules of the staff page', async () => {
    const { id, adviser, other, follow } = await followed(now - DAY)
    const ask = async (to_staff_id: number) =>
      call(calls.transfer, {
        ...(await held(id)),
        follow_id: follow.id,
        to_staff_id,
        reason: '调岗',
      })
    expect((await ask(adviser.id)).data.rule).toBe('same_staff')
    await database.db
      .update(wecom_staff)
      .set({ has_contact_right: false })
      .where(eq(wecom_staff.id, other.id))
    expect((await ask(other.id)).data.rule).toBe('receiver')
    await database.db
      .update(wecom_staff)
      .set({ has_contact_right: true })
      .where(eq(wecom_staff.id, other.id))
    expect((await ask(other.id)).status).toBe(200)
    expect((await ask(other.id)).data.rule).toBe('transfer_waits')
    // A leaver's customer is handed down.
    const left = await followed(now - DAY)
    await database.db
      .update(wecom_staff)
      .set({ status: 'left', left_at: now })
      .where(eq(wecom_staff.id, left.adviser.id))
    const handed = await call(calls.transfer, {
      ...(await held(left.id)),
      follow_id: left.follow.id,
      to_staff_id: left.other.id,
      reason: '离职',
    })
    expect(handed.status, handed.message).toBe(200)
    const [row] = await database.db
      .select()
      .from(wecom_transfer)
      .where(eq(wecom_transfer.customer_id, left.id))
    expect(row!.kind).toBe('resigned')
  })
  it('gives a coupon to the member alone, once matched and in order', async () => {
    const { id } = await followed(now - DAY)
    const { list } = (await call(calls.coupons, { pageSize: 50 })).data
    const free = (list as { id: number; left: number }[]).find(one => one.left > 0)!
    const give = async () =>
      call(calls.grantCoupon, { ...(await held(id)), coupon_id: free.id, reason: '回访答谢' })
    expect((await give()).data.rule).toBe('customer_grantCoupon')
    const who = await freshMember(database, { account_state: 'banned' })
    await database.db
      .update(wecom_customer)
      .set({ member_id: who.id, matched_by: 'hand' })
      .where(eq(wecom_customer.id, id))
    expect((await give()).data.rule).toBe('customer_grantCoupon')
    await database.db.execute(sql`update member set account_state = 'normal' where id = ${who.id}`)
    const given = await give()
    expect(given.status, given.message).toBe(200)
    expect(
      await database.db.$count(
        coupon_grant,
        and(eq(coupon_grant.member_id, who.id), eq(coupon_grant.coupon_id, free.id)),
      ),
    ).toBe(1)
    expect(kinds(await timeline(id))).toEqual(['added', 'coupon'])
    const { standing } = await facts(id)
    expect(standing).toMatchObject({ coupons_unused: 1, order_count: 0, card: '' })
  })
  it('is masked for an adviser of another mall, who can do nothing', async () => {
    const { id, customer, adviser, follow, other } = await followed(now - 9 * DAY, {
      phone: '13800001234',
    })
    await database.db
      .update(wecom_follow)
      .set({ remark: '王女士', description: '两个孩子' })
      .where(eq(wecom_follow.id, follow.id))
    const [here, there] = malls
    const place = (staff_id: number, mall_id: number) =>
      database.db
        .update(wecom_staff)
        .set({ mall_ids: [mall_id] })
        .where(eq(wecom_staff.id, staff_id))
    await place(adviser.id, here!.id)
    await place(other.id, there!.id)
    const stranger = await addStaff(database, {
      perms: ['vip.weChatCustomerList.*'],
      role: { scope_type: 'mall', scope_ids: [there!.id] },
    })
    // Nobody of theirs ever followed: there is no such customer.
    expect((await call(calls.facts, { id }, stranger.token)).status).toBe(404)
    await database.transaction(tx =>
      applyRelations(tx, [
        { customer_id: id, staff_id: other.id, kind: 'add', at: now - 8 * DAY },
        { customer_id: id, staff_id: other.id, kind: 'del_customer', at: now - 7 * DAY },
      ]),
    )
    const seen = await facts(id, stranger.token)
    expect(seen).toMatchObject({
      row: { others: true, remark: '', tags: [], member: null, phone: '' },
      standing: null,
      chats: [],
    })
    const text = JSON.stringify(seen)
    expect(text).not.toContain('王女士')
    expect(text).not.toContain('两个孩子')
    expect(text).not.toContain(customer.external_userid)
    const [mine] = seen.relations.filter(one => one.staff_id === other.id)
    expect(mine).toMatchObject({ hidden: false })
    const { version } = seen.row
    const tries: [Call, object][] = [
      [calls.addFollow, { content: '你好' }],
      [calls.syncOne, {}],
      [calls.transfer, { follow_id: follow.id, to_staff_id: other.id, reason: '抢客户' }],
    ]
    for (const [what, input] of tries) {
      const said = await call(what, { id, version, ...input }, stranger.token)
      expect(said.data.rule, what.path).toBe('customer_others')
    }
    expect(kinds(await timeline(id, stranger.token))).toEqual([
      'added',
      'added',
      'deleted_by_customer',
    ])
    // What a colleague of another mall noted stays hidden.
    await database.transaction(tx =>
      applyRelations(tx, [{ customer_id: id, staff_id: other.id, kind: 'add', at: now - DAY }]),
    )
    const own = await facts(id, stranger.token)
    expect(own.row.others).toBe(false)
    expect(own.relations.find(one => one.staff_id === adviser.id)).toMatchObject({
      hidden: true,
      remark: '',
    })
    const foreign = await call(
      calls.remark,
      { id, version: own.row.version, follow_id: follow.id, remark: '改' },
      stranger.token,
    )
    expect(foreign.status).toBe(404)
  })
  it('says that its facts are old, and reads them anew', async () => {
    const { id } = await followed(now - DAY, { synced_at: now - 2 * DAY })
    expect((await facts(id)).row.is_stale).toBe(true)
    const asked = await call(calls.syncOne, await held(id))
    expect(asked.status, asked.message).toBe(200)
    ahead += 30
    await runTasks(running())
    expect((await facts(id)).row.is_stale).toBe(false)
  })
})
