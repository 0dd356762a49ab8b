import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reportPeriod } from '#src/areas/figures/report.ts'
import { runDue } from '#src/areas/figures/reportSending.server.ts'
import { report_run, report_send, report_sub } from '#src/areas/figures/stat.table.ts'
import { notify_group, notify_message } from '#src/areas/notice/duty.table.ts'
import { sendQueued } from '#src/areas/notice/notify.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { yuan } from '#src/domain/money.ts'
import { dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { home } from '#src/modules/home/contract.ts'
import { group as groupCalls } from '#src/modules/system/contract/group.ts'
import { report as calls } from '#src/modules/system/contract/report.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let cityId: number
let groupId: number
const mails: { to: string[]; text: string }[] = []
let status = 200
const gateway = createServer((request, response) => {
  let body = ''
  request.on('data', part => {
    body += part
  })
  request.on('end', () => {
    mails.push(JSON.parse(body) as { to: string[]; text: string })
    response.statusCode = status
    response.end('said the gateway')
  })
})
beforeAll(async () => {
  await new Promise<void>(done => gateway.listen(0, '127.0.0.1', done))
  database = await openCopy()
  app = await openApp(database, {
    gateways: {
      robot: null,
      mail: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`,
      sms: null,
    },
  })
  me = await addStaff(database, { perms: ['*'] })
  cityId = (
    await database.db.execute<{ city_id: number }>(
      sql`select city_id from daily_stat group by 1 order by sum(gmv_cents) desc limit 1`,
    )
  ).rows[0]!.city_id
  groupId = (
    await send(
      app,
      groupCalls.create,
      { name: '报表群', channel: 'email', target: 'group@mallet.example' },
      { token: me.token },
    )
  ).data.id
})
afterAll(() => new Promise(done => gateway.close(done)))
// What another test subscribed to may be due by its day and hour: on a Monday morning the weekly
// one is.
beforeEach(async () => {
  mails.length = 0
  status = 200
  await database.db.update(report_sub).set({ status: 'paused' })
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let made = 0
const fields = (more: object = {}) => ({
  name: `交易日报${++made}`,
  template: 'trade',
  scope: {},
  schedule: 'daily 09:00',
  receivers: { emails: ['boss@mallet.example'] },
  ...more,
})
const subscribe = async (more: object = {}, token = me.token) =>
  (await call(calls.create, fields(more), token)).data as { id: number; version: number }
const due = async (id: number, at: number) => {
  await database.db.update(report_sub).set({ next_run_at: at }).where(eq(report_sub.id, id))
}
const runs = (id: number) =>
  database.db.select().from(report_run).where(eq(report_run.sub_id, id)).orderBy(report_run.id)
const now = dayStart(unixNow()) + 9 * 3600

describe('a subscription', () => {
  it('has a rhythm of a day at least often, somebody who gets it, and correct addresses', async () => {
    const refused = async (more: object) => {
      const said = await call(calls.create, fields(more))
      return [said.status, Object.keys(said.data?.fields ?? {})[0]]
    }
    expect(await refused({ schedule: 'hourly' })).toEqual([400, 'schedule'])
    expect(await refused({ receivers: {} })).toEqual([400, 'receivers'])
    expect(await refused({ receivers: { emails: ['nobody'] } })).toEqual([400, 'receivers.emails'])
    expect(await refused({ receivers: { group_ids: [999_999] } })).toEqual([
      400,
      'receivers.group_ids',
    ])
    expect(await refused({ schedule: 'weekly 1 09:00' })).toEqual([200, undefined])
  })
  it('is sent once a period, also when the server starts again in between', async () => {
    const { id } = await subscribe()
    await due(id, now)
    await runDue(database, app.install, now + 5)
    await due(id, now)
    await runDue(database, app.install, now + 10)
    expect(await runs(id)).toEqual([
      expect.objectContaining({ period: dateOf(dayStart(now) - 86_400), resend: 0, state: 'ok' }),
    ])
    expect(mails).toHaveLength(1)
    expect(
      (await database.db.select().from(report_sub).where(eq(report_sub.id, id)))[0],
    ).toMatchObject({ last_result: 'ok', last_run_at: now + 5, next_run_at: now + 86_400 })
  })
  it('tells what the owner may see, in the owner’s places only', async () => {
    const manager = await addStaff(database, {
      perms: ['system.report.*', 'system.dataIndex.view'],
      role: { scope_type: 'city', scope_ids: [cityId] },
    })
    const { id } = await subscribe({}, manager.token)
    const period = reportPeriod('daily', unixNow())
    const { rows } = await database.db.execute<{ gmv: string }>(
      sql`select coalesce(sum(gmv_cents), 0) gmv from daily_stat where date = ${period.from} and city_id = ${cityId}`,
    )
    expect((await call(calls.preview, { id }, manager.token)).data.figures[0]).toEqual({
      label: '成交额',
      value: `¥${yuan(Number(rows[0]!.gmv))}`,
    })
    // Whoever sees all reads the owner's numbers, not more.
    expect((await call(calls.preview, { id })).data.figures[0].value).toBe(
      `¥${yuan(Number(rows[0]!.gmv))}`,
    )
    const other = (
      await database.db.execute<{ id: number }>(
        sql`select id from city where id <> ${cityId} limit 1`,
      )
    ).rows[0]!.id
    expect(
      (await call(calls.create, fields({ scope: { city_ids: [other] } }), manager.token)).data
        .fields,
    ).toHaveProperty('scope')
    const blind = await addStaff(database, {
      perms: ['system.report.*', 'system.dataIndex.view'],
      role: { field_rules: { 'stat.amount_cents': 'hide' } },
    })
    const hidden = await subscribe({}, blind.token)
    expect((await call(calls.preview, { id: hidden.id }, blind.token)).data.figures[0].value).toBe(
      '（无权限）',
    )
    expect(
      (await call(calls.lst, { pageSize: 200 }, manager.token)).data.list.map(
        (row: { id: number }) => row.id,
      ),
    ).toEqual([id])
  })
  it('whose owner left is paused with a notice, and can not be resumed', async () => {
    const owner = await addStaff(database, { perms: ['system.report.*', 'system.dataIndex.view'] })
    const { id } = await subscribe({ receivers: { group_ids: [groupId] } }, owner.token)
    await database.db.update(admin).set({ status: 'disabled' }).where(eq(admin.id, owner.id))
    await due(id, now)
    await runDue(database, app.install, now + 5)
    const [sub] = await database.db.select().from(report_sub).where(eq(report_sub.id, id))
    expect([sub!.status, await runs(id)]).toEqual(['paused', []])
    const notices = await database.db
      .select()
      .from(notify_message)
      .where(and(eq(notify_message.group_id, groupId), sql`${notify_message.text} like '%已暂停%'`))
    expect(notices).toHaveLength(1)
    expect((await call(calls.resume, { id, version: sub!.version })).data.rule).toBe('owner')
  })
  /** A minute of the clock: what is due is begun or asked after, then the queue of groups is sent. */
  const minute = async (at: number) => {
    await runDue(database, app.install, now + at * 60)
    await sendQueued(database, app.install, now + at * 60)
  }
  const sends = (id: number) =>
    database.db
      .select({
        name: report_send.name,
        state: report_send.state,
        tries: report_send.tries,
        answer: report_send.answer,
      })
      .from(report_send)
      .innerJoin(report_run, eq(report_run.id, report_send.run_id))
      .where(eq(report_run.sub_id, id))
      .orderBy(report_send.id)
  const warned = async (group: number) =>
    (
      await database.db
        .select({ text: notify_message.text })
        .from(notify_message)
        .where(
          and(
            eq(notify_message.group_id, group),
            eq(notify_message.level, 'warn'),
            sql`${notify_message.text} like ${`%交易日报${made}%`}`,
          ),
        )
    ).map(one => one.text)
  it('is no success before its groups’ channel has answered', async () => {
    const { id } = await subscribe({ receivers: { group_ids: [groupId] } })
    await due(id, now)
    await runDue(database, app.install, now)
    expect((await runs(id))[0]).toMatchObject({ state: 'sending', sent_at: null })
    await sendQueued(database, app.install, now + 1)
    await runDue(database, app.install, now + 60)
    expect((await runs(id))[0]).toMatchObject({ state: 'ok', sent_at: now + 1 })
    expect(await sends(id)).toEqual([
      { name: '报表群', state: 'sent', tries: 1, answer: 'said the gateway' },
    ])
  })
  it('that reaches nobody is tried three times, later each time, and its owner is warned', async () => {
    const own = await addStaff(database, { perms: ['system.report.*', 'system.dataIndex.view'] })
    const ofOwner = (
      await call(groupCalls.create, {
        name: '订阅人群',
        channel: 'email',
        target: 'own@mallet.example',
        members: [own.id],
      })
    ).data.id as number
    const { id } = await subscribe(
      { receivers: { emails: ['boss@mallet.example'], group_ids: [groupId] } },
      own.token,
    )
    status = 500
    await due(id, now)
    const tried: number[] = []
    for (let at = 0; at < 8; at++) {
      await minute(at)
      tried.push(mails.filter(mail => mail.to[0] === 'boss@mallet.example').length)
    }
    expect(tried).toEqual([1, 2, 2, 3, 3, 3, 3, 3])
    expect(await sends(id)).toEqual([
      { name: '报表群', state: 'failed', tries: 3, answer: 'said the gateway' },
      { name: 'boss@mallet.example', state: 'failed', tries: 3, answer: 'said the gateway' },
    ])
    expect(await runs(id)).toEqual([
      expect.objectContaining({ state: 'failed', error: expect.stringContaining('报表群') }),
    ])
    expect(await warned(ofOwner)).toEqual([expect.stringContaining('发送失败')])
    const mine = async () =>
      (await call(home.todos, {}, own.token)).data.list.find(
        (card: { key: string }) => card.key === 'report_missed',
      )
    expect(await mine()).toMatchObject({ count: 1 })
    expect(
      (await call(calls.lst, { mine: true, missed: true }, own.token)).data.list,
    ).toMatchObject([{ id, last_missed: ['报表群', 'boss@mallet.example'] }])
    await database.db
      .update(notify_group)
      .set({ status: 'off' })
      .where(eq(notify_group.id, ofOwner))
  })
  it('that reaches some names whom it did not reach', async () => {
    const { id } = await subscribe({
      receivers: { emails: ['boss@mallet.example'], group_ids: [groupId] },
    })
    await due(id, now)
    await runDue(database, app.install, now)
    status = 500
    for (let at = 1; at < 8; at++) await minute(at)
    const [run] = (await call(calls.history, { id })).data.list
    expect([run.state, run.sends.map((one: { state: string }) => one.state)]).toEqual([
      'partial',
      ['failed', 'sent'],
    ])
    expect((await call(calls.lst, { pageSize: 200 })).data.list).toContainEqual(
      expect.objectContaining({ id, last_result: 'partial', last_missed: ['报表群'] }),
    )
    // The group that could not be reached is not told of it through the same channel.
    expect(await warned(groupId)).toEqual([])
  })
  it('for a group that is off by then has not reached it', async () => {
    const { id } = await subscribe({ receivers: { group_ids: [groupId] } })
    await due(id, now)
    await database.db
      .update(notify_group)
      .set({ status: 'off' })
      .where(eq(notify_group.id, groupId))
    for (let at = 0; at < 2; at++) await minute(at)
    await database.db.update(notify_group).set({ status: 'on' }).where(eq(notify_group.id, groupId))
    expect((await runs(id))[0]!.state).toBe('failed')
    const en = await send(app, calls.history, { id }, { token: me.token, lang: 'en' })
    expect(en.data.list[0].sends).toMatchObject([
      { state: 'failed', answer: 'The group is off or gone' },
    ])
  })
  it('sent again is marked so', async () => {
    const { id } = await subscribe()
    const yesterday = dateOf(dayStart(unixNow()) - 86_400)
    expect((await call(calls.sendNow, { id })).data).toMatchObject({ period: yesterday, resend: 0 })
    expect((await call(calls.resend, { id, date: yesterday })).data).toMatchObject({
      period: yesterday,
      resend: 1,
    })
    expect((await call(calls.resend, { id, date: dateOf(unixNow()) })).data.fields).toHaveProperty(
      'date',
    )
    await runDue(database, app.install, now)
    expect(mails.map(mail => mail.text.startsWith('【补发】'))).toEqual([false, true])
    expect(
      (await call(calls.history, { id })).data.list.map(
        (run: { resend: number; state: string }) => [run.resend, run.state],
      ),
    ).toEqual([
      [1, 'ok'],
      [0, 'ok'],
    ])
  })
  it('is changed by its owner only; anybody who sees it may have a copy', async () => {
    const owner = await addStaff(database, { perms: ['system.report.*', 'system.dataIndex.view'] })
    const one = await subscribe({}, owner.token)
    expect((await call(calls.edit, { ...one, ...fields() })).data.rule).toBe('not_mine')
    const copy = (await call(calls.copy, { id: one.id, name: '我的副本' })).data
    expect((await call(calls.edit, { ...copy, ...fields({ name: '改过' }) })).status).toBe(200)
    expect((await call(calls.edit, { ...copy, ...fields({ name: '又改' }) })).status).toBe(409)
    expect((await call(calls.del, { id: copy.id, version: copy.version + 1 })).data.deleted).toBe(
      true,
    )
  })
})
it('every template can be composed', async () => {
  for (const template of ['trade', 'verify', 'refund', 'store_rank', 'audit', 'settle']) {
    const { id } = await subscribe({ template, schedule: 'monthly 1 09:00' })
    const { data } = await call(calls.preview, { id })
    expect([
      template,
      data.columns.length > 1,
      data.rows.every((row: string[]) => row.length === data.columns.length),
      data.figures.length > 0,
    ]).toEqual([template, true, true, true])
  }
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
