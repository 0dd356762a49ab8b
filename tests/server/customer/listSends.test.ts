import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { segment, segment_person } from '#src/areas/segment/segment.table.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { cancelMasses } from '#src/areas/wecom/massCancel.server.ts'
import { planMass } from '#src/areas/wecom/masses.server.ts'
import { sendMasses } from '#src/areas/wecom/massSending.server.ts'
import { wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import {
  wecom_send_part,
  wecom_send_result,
  wecom_send_task,
} from '#src/areas/wecom/wecomSend.table.ts'
import { wecom_sync, wecom_transfer } from '#src/areas/wecom/wecomWork.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { customerList as calls, type FileRow } from '#src/modules/customer/contract/list.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { wecomPair } from '../../help/wecom.ts'
import { freshFollowed, type NewAdviser, type NewCustomer } from '../../help/wecomRows.ts'

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
const files = () => ({ picture: app.install.picture, origin: null })
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const listed = async (filters: object = {}, token = me.token) =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data
const rows = async (filters: object = {}): Promise<FileRow[]> => (await listed(filters)).list
const one = async (id: number) => (await rows({ id }))[0]!
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
describe('segments and texts', () => {
  it('filters become a rule; what no rule can say needs a fixed list', async () => {
    const tag = (await someTags(1))[0]!
    const rule = await call(calls.saveSegment, {
      name: '亲子好友',
      rel: 'following',
      tag_ids: [tag.id],
      tags_how: 'none',
    })
    expect(rule.status, rule.message).toBe(200)
    const [made] = await database.db.select().from(segment).where(eq(segment.id, rule.data.id))
    expect(made!.rule!.nodes).toMatchObject([
      { is: 'wecom_tag', not: true, ids: [tag.id] },
      { is: 'friend', picks: ['friend'] },
    ])
    const byDay = { name: '新增客户', from: now - 400 * DAY, to: now }
    const unsaid = await call(calls.saveSegment, byDay)
    expect(said(unsaid)).toEqual([422, 'segment_unsaid'])
    expect(unsaid.message).toContain('添加时间')
    const fixed = await call(calls.saveSegment, { ...byDay, as: 'static' })
    expect(fixed.status, fixed.message).toBe(200)
    const people = await database.db.$count(
      segment_person,
      eq(segment_person.segment_id, fixed.data.id),
    )
    expect([fixed.data.customer_count, people > 0]).toEqual([people, true])
    const unbound = await call(calls.saveSegment, { ...byDay, name: '没有会员', bound: 'no' })
    expect(said(unbound)).toEqual([422, 'segment_unbound'])
    const twice = await call(calls.saveSegment, { ...byDay, as: 'static' })
    expect([twice.status, Object.keys(twice.data.fields ?? {})]).toEqual([400, ['name']])
  })
  /** A text to customers of their own, as a segment would plan it. */
  const planned = async (count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => followed()))
    const context = {
      staff: { id: me.id, lang: 'zh', scope: { cities: 'all', malls: 'all', owners: [] } },
      now: unixNow(),
    }
    const plan = await database.transaction(tx =>
      planMass({ ...context, tx } as unknown as WriteContext, {
        ids: all.map(of => of.id),
        content: '会员日提前开场',
        send_at: unixNow(),
      }),
    )
    return { task_id: plan.task_id!, all }
  }
  it('a text that was stopped goes to nobody more: not what waits, nor what was asked', async () => {
    const { task_id } = await planned(2)
    const before = await call(calls.sends, {})
    expect(before.data.list.map((of: { id: number }) => of.id)).toContain(task_id)
    const stopped = await call(calls.cancelSend, { task_id, reason: '内容有误' })
    expect([stopped.status, stopped.data.stopped]).toEqual([200, 2])
    await sendMasses({ ...files(), database, client, now: unixNow() + 5 })
    const parts = await database.db
      .select()
      .from(wecom_send_part)
      .where(eq(wecom_send_part.task_id, task_id))
    expect(parts.map(part => part.state)).toEqual(['canceled', 'canceled'])
    expect(said(await call(calls.cancelSend, { task_id, reason: '再取消一次' }))).toEqual([
      422,
      'mass_over',
    ])

    const asked = await planned(1)
    await sendMasses({ ...files(), database, client, now: unixNow() + 5 })
    await call(calls.cancelSend, { task_id: asked.task_id, reason: '内容有误' })
    const taken: string[] = []
    const silent = {
      kind: 'silent',
      code: 0,
      text: ['无回应', 'No answer'],
      unknown: true,
    } as const
    const lost: WecomClient = { ...client, cancelMessage: async () => ({ fault: silent }) }
    const ending = (of: WecomClient) => cancelMasses({ database, client: of, now: unixNow() + 5 })
    expect(await ending(lost)).toBe(0)
    const hears: WecomClient = {
      ...client,
      cancelMessage: async msgid => {
        taken.push(msgid)
        return client.cancelMessage(msgid)
      },
    }
    expect(await ending(hears)).toBe(1)
    expect([await ending(hears), taken.length]).toEqual([0, 1])
    const results = await database.db
      .select({ status: wecom_send_result.status })
      .from(wecom_send_result)
      .where(eq(wecom_send_result.task_id, asked.task_id))
    expect(results).toEqual([{ status: 'canceled' }])
    const [task] = await database.db
      .select()
      .from(wecom_send_task)
      .where(eq(wecom_send_task.id, asked.task_id))
    expect(task!.status).toBe('canceled')
  })
  it('a text of another is not stopped by one who sees a part of the data', async () => {
    const { task_id } = await planned(1)
    const ofCity = await addStaff(database, {
      perms: ['customer.list.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const other = await call(calls.cancelSend, { task_id, reason: '不是我的' }, ofCity.token)
    expect(other.status).toBe(404)
  })
  it('of two who stop a text at once one is told that it is over', async () => {
    const { task_id } = await planned(1)
    const both = await Promise.all(
      [1, 2].map(at => call(calls.cancelSend, { task_id, reason: `同时取消 ${at}` })),
    )
    expect(both.map(of => of.status).toSorted()).toEqual([200, 422])
  })
  it('a text to a segment counts the month’s share before it is sent', async () => {
    const who = await freshMember(database)
    const { id } = await followed(1, { member_id: who.id, matched_by: 'hand' })
    const list = await call(calls.saveSegment, { name: '只有一位', as: 'static', id })
    const text = { segment_id: list.data.id, content: '会员日' }
    for (let n = 0; n < 4; n++)
      expect((await call(calls.groupSend, { ...text, content: `会员日 ${n}` })).data.sent_n).toBe(1)
    expect(said(await call(calls.groupSend, text))).toEqual([422, 'send_nobody'])
    const past = { ...text, send_at: now - 9 * DAY }
    expect(said(await call(calls.groupSend, past))).toEqual([422, 'send_time'])
  })
})

describe('the sync', () => {
  it('that runs is joined, not begun again', async () => {
    await database.db
      .update(wecom_sync)
      .set({ started_at: now - 9000, state: 'done', finished_at: now - 8000 })
      .where(eq(wecom_sync.kind, 'customers'))
    const first = await call(calls.sync, { scope: 'customers' })
    expect([first.status, first.data.joined]).toEqual([200, false])
    const second = await call(calls.sync, { scope: 'customers' })
    expect([second.data.joined, second.data.run.id]).toEqual([true, first.data.run.id])
  })
})
