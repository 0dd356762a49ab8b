import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { followMasses, sendMasses } from '#src/areas/wecom/massSending.server.ts'
import { matchByUnionid, moveCustomer } from '#src/areas/wecom/matching.server.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { runTasks } from '#src/areas/wecom/tasks.server.ts'
import { wecom_customer, wecom_follow, wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import {
  wecom_send_part,
  wecom_send_result,
  wecom_send_task,
} from '#src/areas/wecom/wecomSend.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  customersPage as calls,
  type CustomerRow,
} from '#src/modules/vip/contract/weChatCustomerList.ts'
import { customersServer } from '#src/modules/vip/server/weChatCustomerList.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { corpExternal, corpObjects, corpUser, wecomPair } from '../../help/wecom.ts'
import { freshAdvisers, freshCustomer, wecomSums } from '../../help/wecomRows.ts'

let database: Database
let app: App
let client: WecomClient
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  client = wecomPair(database).client
  me = await addStaff(database, { perms: ['vip.weChatCustomerList.*'] })
}, 120_000)
const files = () => ({ picture: app.install.picture, origin: null })
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const list = async (filters: object = {}, token = me.token): Promise<CustomerRow[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data.list
const one = async (id: number) => (await list({ id }))[0]!
const held = ({ id, version }: { id: number; version: number }) => ({ id, version })
/** A customer of an adviser's, here and in WeCom. */
const followed = async () => {
  const [adviser] = await freshAdvisers(database, 1)
  const customer = await freshCustomer(database)
  await corpObjects(database, 'user', [
    corpUser(adviser!.userid, { name: adviser!.name, department: [1] }),
  ])
  await corpObjects(database, 'external', [
    corpExternal(customer.external_userid, [adviser!.userid]),
  ])
  await database.transaction(tx =>
    applyRelations(tx, [
      { customer_id: customer.id, staff_id: adviser!.id, kind: 'add', at: unixNow() - 1000 },
    ]),
  )
  return { adviser: adviser!, customer: await one(customer.id) }
}
const run = () => runTasks({ database, client, now: unixNow() + 5 })
const corpOf = async (customer: { id: number }) => {
  const [row] = await database.db
    .select({ body: wecom_corp_object.body })
    .from(wecom_corp_object)
    .innerJoin(wecom_customer, eq(wecom_customer.external_userid, wecom_corp_object.key))
    .where(eq(wecom_customer.id, customer.id))
  return row!.body as { follow_user: { remark: string; tags?: { tag_id: string }[] }[] }
}

describe('customers in WeCom', () => {
  it('are listed with members, advisers and tags, and never by their whole id', async () => {
    expect(customersServer.calls).toBe(calls)
    const all = await list()
    expect(all.length).toBeGreaterThan(100)
    for (const row of all) expect(row.external_short).toMatch(/^.{4}\*{4}.{4}$/)
    expect(JSON.stringify(all)).not.toContain('external_userid')
    for (const row of await list({ quick: 'unmatched' })) expect(row.member).toBeNull()
    for (const row of await list({ quick: 'several' })) expect(row.follow_count).toBeGreaterThan(1)
    expect((await list({ quick: 'clash' }))[0]!.clash).not.toBeNull()
    expect((await list({ quick: 'refused' }))[0]!.refused).toMatchObject({ errcode: 84061 })
    for (const row of await list({ state: 'lost' })) expect(row.advisers).toEqual([])
    const quiet = await list({ sort: 'active' })
    expect(quiet.map(row => row.last_active_at)).toEqual(
      quiet.map(row => row.last_active_at).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
    )
    const [tag] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.status, 'active'))
    for (const row of await list({ tag_id: tag!.id }))
      expect(row.tags.map(of => of.id)).toContain(tag!.id)
  })
  it('hide phones from whoever may not see them, and rows of other malls', async () => {
    const [row] = await database.db
      .select()
      .from(wecom_customer)
      .where(and(sql`phone <> ''`, eq(wecom_customer.state, 'following')))
    const masked = await addStaff(database, {
      perms: ['vip.weChatCustomerList.*'],
      role: { field_rules: { 'member.phone': 'mask' } },
    })
    const [seen] = await list({ id: row!.id }, masked.token)
    expect(seen!.phone).not.toBe(row!.phone)
    const ofCity = await addStaff(database, {
      perms: ['vip.weChatCustomerList.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const some = await list({}, ofCity.token)
    expect(some.length).toBeGreaterThan(0)
    const { customer } = await followed()
    expect((await call(calls.syncOne, held(customer), ofCity.token)).status).toBe(404)
  })
  it('one member has one customer: by unionid first, and a second match names both', async () => {
    const who = await freshMember(database, { unionid: 'oTestOfOneMember' })
    const first = await freshCustomer(database, { unionid: 'oTestOfOneMember' })
    const second = await freshCustomer(database, { unionid: 'oTestOfOneMember' })
    await database.transaction(tx => matchByUnionid(tx))
    expect(await one(first.id)).toMatchObject({ member_id: who.id, matched_by: 'unionid' })
    expect(await one(second.id)).toMatchObject({ member: null, clash: { id: who.id } })
    const refused = await call(calls.matchMember, {
      ...held(await one(second.id)),
      member_id: who.id,
    })
    expect([refused.status, refused.data.rule]).toEqual([422, 'matched_already'])
    expect(refused.message).toContain(first.name)
    expect(refused.message).toContain(second.name)
    // What somebody undid, no sync makes again.
    const undone = await call(calls.unmatch, { ...held(await one(first.id)), reason: '核对有误' })
    expect(undone.status).toBe(200)
    await database.transaction(tx => matchByUnionid(tx, [first.id]))
    expect((await one(first.id)).member).toBeNull()
    const matched = await call(calls.matchMember, {
      ...held(await one(second.id)),
      member_id: who.id,
    })
    expect(matched.status).toBe(200)
    expect(await one(second.id)).toMatchObject({ matched_by: 'hand', clash: null })
    const off = await freshMember(database, { account_state: 'banned' })
    const bad = await call(calls.matchMember, { ...held(await one(first.id)), member_id: off.id })
    expect([bad.status, bad.data.rule]).toEqual([422, 'member_off'])
  })
  it('of two who match one member at once, one is refused', async () => {
    const who = await freshMember(database)
    const both = [await freshCustomer(database), await freshCustomer(database)]
    const answers = await Promise.all(
      both.map(row => call(calls.matchMember, { ...held(row), member_id: who.id })),
    )
    expect(answers.map(one => one.status).toSorted()).toEqual([200, 422])
  })
  it('go along when their member is merged, unless the other has a customer', async () => {
    const [from, to, third] = [
      await freshMember(database),
      await freshMember(database),
      await freshMember(database),
    ]
    const customer = await freshCustomer(database, { member_id: from.id, matched_by: 'hand' })
    await database.transaction(tx => moveCustomer(tx, from.id, to.id))
    expect((await one(customer.id)).member_id).toBe(to.id)
    await freshCustomer(database, { member_id: third.id, matched_by: 'hand' })
    await database.transaction(tx => moveCustomer(tx, to.id, third.id))
    expect(await one(customer.id)).toMatchObject({ member_id: null, clash: { id: third.id } })
  })
  it('tags and remarks are there once WeCom has answered', async () => {
    const { customer } = await followed()
    const [tag] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.status, 'active'))
    const asked = await call(calls.tag, { ...held(customer), tag_ids: [tag!.id] })
    expect(asked.status, asked.message).toBe(200)
    expect(
      (await call(calls.remark, { ...held(await one(customer.id)), remark: '王女士' })).status,
    ).toBe(200)
    expect(await one(customer.id)).toMatchObject({ tags: [], remark: '', waiting_count: 2 })
    await run()
    expect(await one(customer.id)).toMatchObject({
      tags: [{ id: tag!.id }],
      remark: '王女士',
      waiting_count: 0,
    })
    expect((await corpOf(customer)).follow_user[0]).toMatchObject({
      remark: '王女士',
      tags: [{ tag_id: tag!.tag_id }],
    })
    await call(calls.untag, { ...held(await one(customer.id)), tag_ids: [tag!.id] })
    await run()
    expect((await one(customer.id)).tags).toEqual([])
    const [gone] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.status, 'invalid'))
    const wrong = await call(calls.tag, { ...held(await one(customer.id)), tag_ids: [gone!.id] })
    expect([wrong.status, wrong.data.rule]).toEqual([422, 'tag_invalid'])
  })
  it('what WeCom refuses is told with its code; what it is silent about is sent again', async () => {
    const { customer } = await followed()
    await database.db.execute(sql`delete from wecom_corp_object where kind = 'external' and key = (
      select external_userid from wecom_customer where id = ${customer.id})`)
    await call(calls.remark, { ...held(customer), remark: '没有了' })
    const silent: WecomClient = {
      ...client,
      remark: async () => ({
        fault: { kind: 'silent', code: 0, text: ['无回应', 'No answer'], unknown: true },
      }),
    }
    await runTasks({ database, client: silent, now: unixNow() + 5 })
    expect(await one(customer.id)).toMatchObject({ waiting_count: 1 })
    await runTasks({ database, client, now: unixNow() + 120 })
    expect(await one(customer.id)).toMatchObject({
      waiting_count: 0,
      refused: { kind: 'remark', errcode: 40096 },
    })
  })
  it('one is read anew: relations that are gone end, and the profile is new', async () => {
    const { customer } = await followed()
    await database.db.execute(sql`update wecom_corp_object set body = jsonb_set(
      body, '{external_contact,name}', '"改名了"') where kind = 'external' and key = (
      select external_userid from wecom_customer where id = ${customer.id})`)
    await call(calls.syncOne, held(customer))
    await run()
    expect(await one(customer.id)).toMatchObject({ name: '改名了', state: 'following' })
    await database.db.execute(sql`delete from wecom_corp_object where kind = 'external' and key = (
      select external_userid from wecom_customer where id = ${customer.id})`)
    await call(calls.syncOne, held(await one(customer.id)))
    await run()
    expect(await one(customer.id)).toMatchObject({ state: 'lost', advisers: [] })
    expect(await wecomSums(database)).toEqual({ customers: 0, staff: 0, groups: 0, twice: 0 })
  })
  it('several are tagged at once; of each that can’t be it is said why', async () => {
    const { customer } = await followed()
    const [lost] = await list({ state: 'lost' })
    const [tag] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.status, 'active'))
    const done = await call(calls.batchTag, { ids: [customer.id, lost!.id], tag_ids: [tag!.id] })
    expect(done.data.ok).toEqual([customer.id])
    expect(done.data.failed).toMatchObject([{ id: lost!.id, code: 'customer_tag' }])
  })
  it('a text goes to who may get it: not to the lost, nor beyond the month’s share', async () => {
    const { customer, adviser } = await followed()
    const { customer: often } = await followed()
    const [lost] = await list({ state: 'lost' })
    for (let n = 0; n < 4; n++) {
      const sent = await call(calls.createMass, { ids: [often.id], content: `活动 ${n}` })
      expect(sent.data.ok).toEqual([often.id])
    }
    const ids = [customer.id, often.id, lost!.id]
    const planned = await call(calls.createMass, { ids, content: '会员日' })
    expect(planned.status, planned.message).toBe(200)
    expect(planned.data.ok).toEqual([customer.id])
    expect(planned.data.failed.map((of: { id: number; code: string }) => [of.id, of.code])).toEqual(
      expect.arrayContaining([
        [often.id, 'over_limit'],
        [lost!.id, 'lost'],
      ]),
    )
    const past = await call(calls.createMass, {
      ids,
      content: '过去',
      schedule_at: unixNow() - 9999,
    })
    expect([past.status, past.data.rule]).toEqual([422, 'send_time'])
    const now = unixNow() + 5
    await sendMasses({ ...files(), database, client, now })
    const [part] = await database.db
      .select()
      .from(wecom_send_part)
      .where(eq(wecom_send_part.task_id, planned.data.task_id))
    expect(part).toMatchObject({ state: 'asked', staff_id: adviser.id })
    // Until the adviser has confirmed it nothing is sent.
    await followMasses({ database, client, now: now + 60 })
    const confirmed: WecomClient = {
      ...client,
      messageResults: async (of, page) => {
        const answer = await client.messageResults(of, page)
        if ('fault' in answer) return answer
        const rows = answer.said.rows.map(row => ({ ...row, status: 1, send_time: now }))
        return { said: { ...answer.said, rows } }
      },
    }
    await followMasses({ database, client: confirmed, now: now + 200 })
    const [result] = await database.db
      .select()
      .from(wecom_send_result)
      .where(
        and(
          eq(wecom_send_result.task_id, planned.data.task_id),
          eq(wecom_send_result.customer_id, customer.id),
        ),
      )
    expect(result).toMatchObject({ status: 'sent', sent_at: now })
    const [task] = await database.db
      .select()
      .from(wecom_send_task)
      .where(eq(wecom_send_task.id, planned.data.task_id))
    expect(task).toMatchObject({ status: 'finished' })
  })
  it('a text whose answer was lost is not sent twice', async () => {
    const { customer } = await followed()
    const planned = await call(calls.createMass, { ids: [customer.id], content: '只发一次' })
    let asked = 0
    const lost: WecomClient = {
      ...client,
      addMessage: async () => {
        asked++
        return { fault: { kind: 'silent', code: 0, text: ['无回应', 'No answer'], unknown: true } }
      },
    }
    await sendMasses({ ...files(), database, client: lost, now: unixNow() + 5 })
    await sendMasses({ ...files(), database, client: lost, now: unixNow() + 3600 })
    expect(asked).toBe(1)
    const parts = await database.db
      .select()
      .from(wecom_send_part)
      .where(eq(wecom_send_part.task_id, planned.data.task_id))
      .orderBy(asc(wecom_send_part.id))
    expect(parts.map(part => part.state)).toEqual(['unknown'])
  })
  it('has no relation without an event, nor a match without a way', async () => {
    const strays = await database.db
      .select({ id: wecom_follow.id })
      .from(wecom_follow)
      .where(
        sql`not exists (select 1 from wecom_follow_event e where e.customer_id = ${wecom_follow.customer_id}
          and e.staff_id = ${wecom_follow.staff_id} and e.at = ${wecom_follow.added_at})`,
      )
    expect(strays).toEqual([])
    const ways = await database.db
      .select({ id: wecom_customer.id })
      .from(wecom_customer)
      .where(and(isNotNull(wecom_customer.member_id), isNull(wecom_customer.matched_by)))
    expect(ways).toEqual([])
  })
})
