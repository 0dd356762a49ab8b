import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { customer_attr, customer_attr_value } from '#src/areas/customerAttr/customerAttr.table.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { runTasks } from '#src/areas/wecom/tasks.server.ts'
import { wecom_follow, wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { wecom_transfer } from '#src/areas/wecom/wecomWork.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import {
  customerList as calls,
  type FileRow,
  type FileSide,
} from '#src/modules/customer/contract/list.ts'
import { customerListServer } from '#src/modules/customer/server/list.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { corpObjects, corpUser, wecomPair } from '../../help/wecom.ts'
import {
  freshAdvisers,
  freshCustomer,
  freshFollowed,
  type NewAdviser,
  type NewCustomer,
} from '../../help/wecomRows.ts'

let database: Database
let app: App
let client: WecomClient
let me: Awaited<ReturnType<typeof addStaff>>
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  client = wecomPair(database).client
  me = await addStaff(database, { perms: ['customer.list.*'] })
  // What the demo left waiting is not what these tests are about.
  await database.db
    .update(wecom_transfer)
    .set({ status: 'canceled', done_at: now })
    .where(eq(wecom_transfer.status, 'waiting'))
}, 120_000)
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const listed = async (filters: object = {}, token = me.token) =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data
const rows = async (filters: object = {}): Promise<FileRow[]> => (await listed(filters)).list
const one = async (id: number) => (await rows({ id }))[0]!
const side = async (id: number, token = me.token): Promise<FileSide> =>
  (await call(calls.side, { id }, token)).data
const held = ({ id, version }: { id: number; version: number }) => ({ id, version })
const said = ({ status, data }: { status: number; data: { rule?: string } }) => [status, data.rule]
/** A customer whom several advisers follow, and the row that the list has of them. */
const followed = async (count = 1, of: NewCustomer = {}, staff: NewAdviser = {}) => {
  const made = await freshFollowed(database, count, of, staff)
  return { ...made, row: await one(made.id) }
}
const someTags = (n: number) =>
  database.db
    .select()
    .from(wecom_tag)
    .where(eq(wecom_tag.status, 'active'))
    .orderBy(wecom_tag.id)
    .limit(n)
const run = () => runTasks({ database, client, now: unixNow() + 5 })
const tagsOf = async (id: number) =>
  (
    await database.db
      .select()
      .from(wecom_follow)
      .where(eq(wecom_follow.customer_id, id))
      .orderBy(wecom_follow.added_at)
  ).map(row => row.tag_ids)

describe('files of WeCom customers', () => {
  it('are listed as they stand, and counted once each', async () => {
    expect(customerListServer.calls).toBe(calls)
    const all = await rows()
    expect(all.length).toBeGreaterThan(100)
    for (const row of await rows({ rel: 'following' })) expect(row.rel).toBe('following')
    for (const rel of ['deleted_by_customer', 'deleted_by_staff'] as const) {
      const lost = await rows({ rel })
      expect(lost.length).toBeGreaterThan(0)
      for (const row of lost) expect(row).toMatchObject({ rel, advisers: [], state: 'lost' })
    }
    for (const row of await rows({ bound: 'no' }))
      expect(row).toMatchObject({ member: null, paid_cents: null })
    const { counters } = await listed({ pageSize: 1 })
    const union = { unionid: 'oOneAndTheSamePerson' }
    const [adviser] = await freshAdvisers(database, 1)
    for (const at of [now - 60, dayStart(now) - DAY]) {
      const customer = await freshCustomer(database, union)
      await database.transaction(tx =>
        applyRelations(tx, [{ customer_id: customer.id, staff_id: adviser!.id, kind: 'add', at }]),
      )
    }
    const after = (await listed({ pageSize: 1 })).counters
    expect([after.relations - counters.relations, after.people - counters.people]).toEqual([2, 1])
    expect(after.added - counters.added).toBe(now - 60 >= dayStart(now) ? 1 : 0)
  })
  it('are found by tags: any of them, all of them, or none', async () => {
    const [a, b] = await someTags(2)
    const tagged = async (tag_ids: number[]) => {
      const { id } = await followed()
      await database.db
        .update(wecom_follow)
        .set({ tag_ids })
        .where(eq(wecom_follow.customer_id, id))
      return id
    }
    const [first, both, none] = [
      await tagged([a!.id]),
      await tagged([a!.id, b!.id]),
      await tagged([]),
    ]
    const found = async (tags_how: string) =>
      (
        await Promise.all(
          [first, both, none].map(id => rows({ id, tags_how, tag_ids: `${a!.id},${b!.id}` })),
        )
      ).map(list => list.length)
    expect(await found('any')).toEqual([1, 1, 0])
    expect(await found('all')).toEqual([0, 1, 0])
    expect(await found('none')).toEqual([0, 0, 1])
  })
  it('are found by code, day of the first add, adviser and mall', async () => {
    const { id, advisers, follows } = await followed()
    const { rows: codes } = await database.db.execute<{
      id: number
      name: string
      state_key: string
    }>(
      sql`select id, name, state_key from channel_code where status = 'enabled' order by id limit 1`,
    )
    await database.db
      .update(wecom_follow)
      .set({ source_state: codes[0]!.state_key })
      .where(eq(wecom_follow.id, follows[0]!.id))
    expect(await rows({ id, code_id: codes[0]!.id })).toMatchObject([
      { code: { id: codes[0]!.id, name: codes[0]!.name } },
    ])
    expect(await rows({ id, from: now - 4000, to: now })).toHaveLength(1)
    expect(await rows({ id, from: now - 2000, to: now })).toHaveLength(0)
    expect(await rows({ id, staff_id: advisers[0]!.id })).toHaveLength(1)
    expect(await rows({ id, mid: 0 })).toHaveLength(1)
    expect(await rows({ id, mid: 1 })).toHaveLength(0)
  })
  it('mask phones, and show nothing of other malls', async () => {
    const who = await freshMember(database)
    const { id } = await followed(1, {
      member_id: who.id,
      matched_by: 'hand',
      phone: '13812345678',
    })
    const masked = await addStaff(database, {
      perms: ['customer.list.*'],
      role: { field_rules: { 'member.phone': 'mask' } },
    })
    expect((await listed({ id }, masked.token)).list[0].phone).toBe('138****5678')
    const ofCity = await addStaff(database, {
      perms: ['customer.list.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    expect((await listed({ id }, ofCity.token)).list).toEqual([])
    expect((await call(calls.side, { id }, ofCity.token)).status).toBe(404)
    const tag = (await someTags(1))[0]!
    const refused = await call(calls.addTag, { ids: [id], tag_ids: [tag.id] }, ofCity.token)
    expect([refused.data.ok, refused.data.failed[0].id]).toEqual([[], id])
  })
})

describe('tags and notes', () => {
  it('of a customer whom several follow are written for whom is said', async () => {
    const tag = (await someTags(1))[0]!
    const { id, follows } = await followed(2)
    const untold = await call(calls.addTag, { ids: [id], tag_ids: [tag.id] })
    expect(untold.data.failed).toMatchObject([{ id, code: 'which_follow' }])
    const second = { ids: [id], tag_ids: [tag.id], follow_id: follows[1]!.id }
    expect((await call(calls.addTag, second)).data.ok).toEqual([id])
    await run()
    expect(await tagsOf(id)).toEqual([[], [tag.id]])
    expect(
      (await call(calls.addTag, { ids: [id], tag_ids: [tag.id], which: 'all' })).data.ok,
    ).toEqual([id])
    await run()
    expect(await tagsOf(id)).toEqual([[tag.id], [tag.id]])
    const off = await call(calls.removeTag, { ids: [id], tag_ids: [tag.id], which: 'first' })
    expect(off.data.ok).toEqual([id])
    await run()
    expect(await tagsOf(id)).toEqual([[], [tag.id]])
  })
  it('are not for the lost, and one relation is not of several customers', async () => {
    const tag = (await someTags(1))[0]!
    const [lost] = await rows({ rel: 'deleted_by_customer' })
    const { id, follows } = await followed()
    const told = await call(calls.addTag, { ids: [lost!.id, id], tag_ids: [tag.id] })
    expect(told.data.ok).toEqual([id])
    expect(told.data.failed).toMatchObject([{ id: lost!.id, code: 'customer_tag' }])
    const both = await call(calls.addTag, {
      ids: [lost!.id, id],
      tag_ids: [tag.id],
      follow_id: follows[0]!.id,
    })
    expect(both.status).toBe(400)
    const none = await call(calls.removeTag, { ids: [id], tag_ids: [tag.id] })
    expect(none.data.failed).toMatchObject([{ code: 'no_such_tag' }])
  })
  it('remark and description go to WeCom for one adviser', async () => {
    const { id, follows, row } = await followed(2)
    const noted = {
      follow_id: follows[1]!.id,
      remark: '陈女士',
      description: '周末到店，喜欢亲子区',
    }
    expect((await call(calls.remark, { ...held(row), ...noted })).status).toBe(200)
    await run()
    const { relations } = await side(id)
    expect(relations.find(of => of.id === follows[1]!.id)).toMatchObject({
      remark: '陈女士',
      description: '周末到店，喜欢亲子区',
    })
    const long = await call(calls.remark, {
      ...held(await one(id)),
      ...noted,
      remark: '长'.repeat(21),
    })
    expect(long.status).toBe(400)
    const other = await followed()
    const wrong = await call(calls.remark, {
      ...held(await one(id)),
      ...noted,
      follow_id: other.follows[0]!.id,
    })
    expect(wrong.status).toBe(404)
  })
  it('attributes are kept as their type says, and a wrong one is told at its field', async () => {
    const { id, row } = await followed()
    const attrs = await database.db.select().from(customer_attr).orderBy(customer_attr.sort)
    const by = (type: string) => attrs.find(of => of.type === type && of.status === 'enabled')!
    const [choice, date, number] = [by('choice'), by('date'), by('number')]
    const saved = await call(calls.saveAttrs, {
      ...held(row),
      attrs: [
        { attr_id: choice.id, value: choice.options[0]!.label },
        { attr_id: date.id, value: '2020年3月9日' },
      ],
    })
    expect(saved.status, saved.message).toBe(200)
    const kept = (await side(id)).attrs
    expect(kept.find(of => of.id === choice.id)).toMatchObject({
      value: choice.options[0]!.key,
      shown: choice.options[0]!.label,
    })
    expect(kept.find(of => of.id === date.id)!.value).toBe('2020-03-09')
    const wrong = await call(calls.saveAttrs, {
      ...held(await one(id)),
      attrs: [{ attr_id: number.id, value: '不少' }],
    })
    expect([wrong.status, Object.keys(wrong.data.fields)]).toEqual([400, [`attr_${number.id}`]])
    const off = attrs.find(of => of.status === 'disabled')!
    const gone = await call(calls.saveAttrs, {
      ...held(await one(id)),
      attrs: [{ attr_id: off.id, value: '1' }],
    })
    expect(gone.status).toBe(400)
    await call(calls.saveAttrs, {
      ...held(await one(id)),
      attrs: [{ attr_id: date.id, value: '' }],
    })
    const left = await database.db
      .select()
      .from(customer_attr_value)
      .where(eq(customer_attr_value.customer_id, id))
    expect(left.map(of => of.attr_id)).toEqual([choice.id])
    expect(
      (await call(calls.saveAttrs, { ...held(row), attrs: [{ attr_id: date.id, value: '' }] }))
        .status,
    ).toBe(409)
  })
})

describe('members of customers', () => {
  it('a unionid that means another member speaks against it, with both named', async () => {
    const meant = await freshMember(database, { unionid: 'oMeansTheOtherOne' })
    const asked = await freshMember(database)
    const { row } = await followed(1, { unionid: 'oMeansTheOtherOne' })
    const refused = await call(calls.bindMember, { ...held(row), member_id: asked.id })
    expect(said(refused)).toEqual([422, 'unionid_other'])
    expect(refused.message).toContain(meant.uid)
    expect(refused.message).toContain(asked.uid)
    expect((await call(calls.bindMember, { ...held(row), member_id: meant.id })).status).toBe(200)
    const second = await followed()
    const twice = await call(calls.bindMember, { ...held(second.row), member_id: meant.id })
    expect(said(twice)).toEqual([422, 'matched_already'])
    const undone = await call(calls.unbindMember, {
      ...held(await one(row.id)),
      reason: '绑错人了',
    })
    expect(undone.status).toBe(200)
    expect((await one(row.id)).member).toBeNull()
  })
})

describe('hand-overs', () => {
  it('go by who follows: one of several must be named, and a stranger hands over nobody', async () => {
    const { id, advisers } = await followed(2)
    const single = await followed()
    const [to, stranger] = await freshAdvisers(database, 2)
    await corpObjects(database, 'user', [corpUser(to!.userid)])
    const both = { ids: [id, single.id], to_staff_id: to!.id }
    const some = await call(calls.transfer, both)
    expect(some.data.ok).toEqual([single.id])
    expect(some.data.failed).toMatchObject([{ id, code: 'which_follow' }])
    const strange = await call(calls.transfer, { ...both, ids: [id], from_staff_id: stranger!.id })
    expect(strange.data.failed).toMatchObject([{ id, code: 'not_follower' }])
    const named = { ...both, ids: [id], from_staff_id: advisers[1]!.id }
    expect((await call(calls.transfer, named)).data.ok).toEqual([id])
    const again = await call(calls.transfer, named)
    expect(again.data.failed).toMatchObject([{ id, code: 'waits' }])
    const [moved] = await database.db
      .select()
      .from(wecom_transfer)
      .where(and(eq(wecom_transfer.customer_id, id), eq(wecom_transfer.status, 'waiting')))
    expect(moved).toMatchObject({
      from_staff_id: advisers[1]!.id,
      to_staff_id: to!.id,
      kind: 'on_job',
    })
  })
  it('of leavers are handed down, and receivers must be able to take over', async () => {
    const left = await followed(1, {}, { status: 'left', has_contact_right: false, left_at: now })
    const active = await followed()
    const [to] = await freshAdvisers(database, 1)
    const [off] = await freshAdvisers(database, 1, { has_contact_right: false })
    const [full] = await freshAdvisers(database, 1, { customer_cap: 0 })
    const ids = [left.id, active.id]
    const down = await call(calls.transferResigned, { ids, to_staff_id: to!.id })
    expect(down.data.ok).toEqual([left.id])
    expect(down.data.failed).toMatchObject([{ id: active.id, code: 'in_service' }])
    const over = await call(calls.transfer, { ids, to_staff_id: full!.id })
    expect(over.data.failed).toMatchObject([
      { id: left.id, code: 'has_left' },
      { id: active.id, code: 'full' },
    ])
    expect(said(await call(calls.transfer, { ids, to_staff_id: off!.id }))).toEqual([
      422,
      'receiver',
    ])
    const [self] = active.advisers
    const same = { ids: [active.id], to_staff_id: self!.id, from_staff_id: self!.id }
    expect(said(await call(calls.transfer, same))).toEqual([422, 'same_staff'])
  })
  it('twice in ninety days and no more', async () => {
    const { id, follows, advisers } = await followed()
    const [to] = await freshAdvisers(database, 1)
    await database.db.insert(wecom_transfer).values(
      [5, 80].map(days => ({
        kind: 'on_job' as const,
        follow_id: follows[0]!.id,
        customer_id: id,
        from_staff_id: to!.id,
        to_staff_id: advisers[0]!.id,
        status: 'done' as const,
        next_at: now,
        done_at: now - days * DAY,
      })),
    )
    const told = await call(calls.transfer, { ids: [id], to_staff_id: to!.id })
    expect(told.data.failed).toMatchObject([{ id, code: 'often' }])
  })
})
