import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { login_log, op_log } from '#src/areas/log/log.table.ts'
import {
  notify_group,
  notify_message,
  warning_log,
  warning_rule,
} from '#src/areas/notice/duty.table.ts'
import { sendQueued, tell } from '#src/areas/notice/notify.server.ts'
import { escalateLate, evaluate, evaluateAll } from '#src/areas/notice/warning.server.ts'
import { ROBOT_PER_MINUTE } from '#src/areas/notice/warning.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Read } from '#src/contract/call.ts'
import { fromQuery } from '#src/contract/query.ts'
import { unixNow } from '#src/domain/time.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { combo } from '#src/modules/order/contract/combo.ts'
import { elist } from '#src/modules/order/contract/elist.ts'
import { goods } from '#src/modules/order/contract/goods.ts'
import { pointsShopList } from '#src/modules/order/contract/pointsShopList.ts'
import { raiseList } from '#src/modules/order/contract/raiseList.ts'
import { rollBuy } from '#src/modules/order/contract/rollBuy.ts'
import { group as groupCalls } from '#src/modules/system/contract/group.ts'
import {
  warning as ruleCalls,
  warningLogs as logCalls,
  type AlarmRow,
} from '#src/modules/system/contract/warning.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { toldTo } from '../../help/told.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let cityId: number
/** A robot of ours: what it heard, and what it answers next. */
const heard: { url: string; text: string }[] = []
let answers = '{"errcode":0,"errmsg":"ok"}'
let hangs = false
const robot = createServer((request, response) => {
  let body = ''
  request.on('data', part => {
    body += part
  })
  request.on('end', () => {
    heard.push({
      url: request.url!,
      text: (JSON.parse(body) as { text: { content: string } }).text.content,
    })
    if (!hangs) response.end(answers)
  })
})
beforeAll(async () => {
  await new Promise<void>(done => robot.listen(0, '127.0.0.1', done))
  database = await openCopy()
  app = await openApp(database, {
    gateways: {
      robot: `http://127.0.0.1:${(robot.address() as AddressInfo).port}`,
      mail: null,
      sms: null,
    },
  })
  me = await addStaff(database, { perms: ['*'] })
  const [row] = await database.db.select({ city_id: order.city_id }).from(order).limit(1)
  cityId = row!.city_id
})
afterAll(() => new Promise(done => robot.close(done)))
beforeEach(() => {
  heard.length = 0
  answers = '{"errcode":0,"errmsg":"ok"}'
})
const call = async (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
const KEY = 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key='
let made = 0
const newGroup = async (more: object = {}) =>
  (
    await call(groupCalls.create, {
      name: `测试群${++made}`,
      channel: 'wecom_robot',
      target: `${KEY}abcd1234-test-${made}`,
      ...more,
    })
  ).data as { id: number; version: number }
const condition = {
  name: '登录失败',
  metric: 'login_fail',
  operator: 'gt',
  threshold: 3,
  window_s: 600,
  min_sample: 1,
  level: 'warn',
  auto_recover: true,
} as const
const newRule = async (more: object = {}) => {
  const said = await call(ruleCalls.create, {
    ...condition,
    threshold: 1000 + ++made,
    group_ids: [(await newGroup()).id],
    ...more,
  })
  return said.data as { id: number; version: number }
}
const ruleRow = async (id: number) =>
  (await database.db.select().from(warning_rule).where(eq(warning_rule.id, id)))[0]!

describe('a group', () => {
  it('has a robot of WeCom’s own host, correct mail addresses or phone numbers, said at the field', async () => {
    const refused = async (channel: string, target: string) => {
      const said = await call(groupCalls.create, { name: `x${++made}`, channel, target })
      return [said.status, Object.keys(said.data?.fields ?? {})]
    }
    expect(
      await refused('wecom_robot', 'https://evil.example/cgi-bin/webhook/send?key=abcd1234-xx'),
    ).toEqual([400, ['target']])
    expect(await refused('email', 'ops@mallet.example, not-an-address')).toEqual([400, ['target']])
    expect(await refused('sms', '13800138001,2380')).toEqual([400, ['target']])
    expect(
      (
        await call(groupCalls.create, {
          name: `x${++made}`,
          channel: 'sms',
          target: '13800138001，13800138001 13900139001',
        })
      ).status,
    ).toBe(200)
  })
  it('shows its robot masked, in the list and in the log, and keeps it when the masked text is sent back', async () => {
    const one = await newGroup({ target: `${KEY}secret99-long-key-0000` })
    const row = (await call(groupCalls.lst, { pageSize: 200 })).data.list.find(
      (found: { id: number }) => found.id === one.id,
    )
    expect(row.target).toBe(`${KEY}secr****0000`)
    expect(
      (
        await call(groupCalls.edit, {
          ...one,
          name: `改名${made}`,
          target: row.target,
          members: [me.id],
        })
      ).status,
    ).toBe(200)
    expect(
      (await database.db.select().from(notify_group).where(eq(notify_group.id, one.id)))[0]!.target,
    ).toBe(`${KEY}secret99-long-key-0000`)
    const lines = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'notify_group'), eq(op_log.object_id, one.id)))
    expect(lines.length).toBe(2)
    expect(JSON.stringify(lines)).not.toContain('secret99-long')
  })
  it('tells what the channel itself answered to a test', async () => {
    const one = await newGroup()
    expect((await call(groupCalls.testSend, { id: one.id })).data).toMatchObject({
      ok: true,
      answer: '{"errcode":0,"errmsg":"ok"}',
    })
    expect(heard[0]!.text).toContain('测试')
    answers = '{"errcode":93000,"errmsg":"invalid webhook url"}'
    expect((await call(groupCalls.testSend, { id: one.id })).data).toMatchObject({
      ok: false,
      answer: answers,
    })
    const mail = (
      await call(groupCalls.create, {
        name: `mail${++made}`,
        channel: 'email',
        target: 'a@b.example',
      })
    ).data
    expect((await call(groupCalls.testSend, { id: mail.id })).data).toMatchObject({
      ok: false,
      answer: expect.stringContaining('MAIL_GATEWAY_URL'),
    })
  })
  it('whose channel does not answer to a test keeps nobody waiting for the database, and says so', async () => {
    const one = await newGroup()
    hangs = true
    const order: string[] = []
    const testing = call(groupCalls.testSend, { id: one.id }).then(said => {
      order.push('test')
      return said
    })
    const others = new Promise(done => setTimeout(done, 300))
      .then(() => call(groupCalls.lst, {}))
      .then(said => {
        order.push('list')
        return said.status
      })
    expect([await others, order]).toEqual([200, ['list']])
    const said = await testing
    hangs = false
    expect([said.status, said.data.ok]).toEqual([200, false])
    expect(said.data.answer).toMatch(/没有应答/)
    const rows = await database.db
      .select({ action: op_log.action, after: op_log.after, admin_id: op_log.admin_id })
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'notify_group'),
          eq(op_log.object_id, one.id),
          eq(op_log.action, 'system.group.testSend'),
        ),
      )
    expect(rows).toEqual([
      {
        action: 'system.group.testSend',
        after: { ok: false, answer: said.data.answer },
        admin_id: me.id,
      },
    ])
  })
  it('lists the gaps of a roster before it is saved', async () => {
    const one = await newGroup()
    const roster = [{ weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '18:00', admin_id: me.id }]
    const said = await call(groupCalls.setRoster, { ...one, roster })
    expect([said.status, said.data.rule, said.data.gaps.length]).toEqual([422, 'gaps', 12])
    expect((await call(groupCalls.setRoster, { ...one, roster, accept_gaps: true })).status).toBe(
      200,
    )
    // Whoever comes second is shown the roster as it is, with names, to bring both together.
    expect(
      (await call(groupCalls.setRoster, { ...one, roster: [], accept_gaps: true })).data,
    ).toMatchObject({
      rule: 'stale',
      current: { version: one.version + 1, roster: [{ ...roster[0], name: expect.any(String) }] },
    })
    expect(
      (
        await call(groupCalls.setRoster, {
          id: one.id,
          version: one.version + 1,
          roster: [{ ...roster[0], admin_id: 999_999 }],
          accept_gaps: true,
        })
      ).data.fields,
    ).toHaveProperty('roster')
  })
  it('can be neither switched off nor deleted while an enabled rule has no other', async () => {
    const [first, second] = [await newGroup(), await newGroup()]
    const rule = await newRule({ group_ids: [first.id] })
    expect((await call(groupCalls.disable, { ...first, reason: '换群' })).data.rule).toBe(
      'only_receiver',
    )
    expect((await call(groupCalls.del, first)).data.rule).toBe('only_receiver')
    expect((await call(groupCalls.whereUsed, { id: first.id })).data.rules).toEqual([
      expect.objectContaining({ id: rule.id, only: true }),
    ])
    const row = await ruleRow(rule.id)
    await call(ruleCalls.edit, {
      ...condition,
      id: rule.id,
      version: row.version,
      threshold: row.threshold,
      group_ids: [first.id, second.id],
    })
    const [sub] = await database.db
      .insert(report_sub)
      .values({
        name: '日报',
        template: 'trade',
        scope: { city_ids: [], mids: [] },
        schedule: 'daily 09:00',
        receivers: { group_ids: [first.id], emails: [] },
        owner_id: me.id,
      })
      .returning()
    expect((await call(groupCalls.disable, { ...first, reason: '换群' })).status).toBe(200)
    // Its reports wait: nobody would get them.
    expect(
      (await database.db.select().from(report_sub).where(eq(report_sub.id, sub!.id)))[0],
    ).toMatchObject({ status: 'paused', pause_reason: expect.stringContaining('已停用') })
    expect(
      (await call(groupCalls.del, { id: first.id, version: first.version + 1 })).data.deleted,
    ).toBe(true)
    expect((await ruleRow(rule.id)).group_ids).toEqual([second.id])
  })
  it('is told apart from the others by how much uses it and what it sent', async () => {
    const [one, other] = [await newGroup(), await newGroup()]
    const rule = await newRule({ group_ids: [one.id] })
    await database.transaction(tx => tell(tx, [one.id], 'warn', '一条'))
    await sendQueued(database, app.install, unixNow())
    await database.db.insert(warning_log).values({
      rule_id: rule.id,
      rule_name: 'x',
      metric: 'login_fail',
      scope: {},
      scope_key: 'all',
      value: 9,
      threshold: 3,
      operator: 'gt',
      level: 'warn',
      fired_at: unixNow(),
      last_at: unixNow(),
    })
    const rows = (await call(groupCalls.lst, { pageSize: 200 })).data.list as {
      id: number
      rules: number
      sent_24h: number
    }[]
    const of = (id: number) => {
      const row = rows.find(found => found.id === id)!
      return [row.rules, row.sent_24h]
    }
    expect([of(one.id), of(other.id)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    const rules = (await call(ruleCalls.lst, { pageSize: 200 })).data.list as {
      id: number
      open: number
      fired_7d: number
    }[]
    expect(rules.filter(row => row.id === rule.id).map(row => [row.open, row.fired_7d])).toEqual([
      [1, 1],
    ])
    const { rows: counted } = await database.db.execute<{ id: number; n: number }>(
      sql`select r.id, count(l.id)::int n from warning_rule r left join warning_log l on l.rule_id = r.id and l.state in ('open', 'acked') where not r.gone group by 1`,
    )
    expect(rules.map(row => [row.id, row.open])).toEqual(
      counted.map(row => [row.id, row.n]).sort((a, b) => a[0]! - b[0]!),
    )
  })
  it('changed by two keeps the first, and shows it to the second', async () => {
    const one = await newGroup()
    expect(
      (await call(groupCalls.setQuiet, { ...one, quiet: { from: '22:00', to: '08:00' } })).status,
    ).toBe(200)
    const late = await call(groupCalls.edit, { ...one, name: `晚到${made}`, members: [] })
    expect([late.status, late.data.current.quiet]).toEqual([409, { from: '22:00', to: '08:00' }])
  })
})

describe('what is told', () => {
  const queue = async (id: number, level: 'info' | 'warn' | 'serious', n: number) => {
    for (let at = 0; at < n; at++)
      await database.transaction(tx => tell(tx, [id], level, `第 ${at + 1} 条`))
  }
  const noon = Math.floor(unixNow() / 86_400) * 86_400 + 4 * 3600
  it('is at most twenty messages a minute to a robot: the excess is merged into one', async () => {
    const one = await newGroup()
    await queue(one.id, 'warn', 30)
    await sendQueued(database, app.install, noon)
    expect(heard.length).toBe(ROBOT_PER_MINUTE)
    expect(heard.at(-1)!.text).toMatch(/合并 11 条/)
    await queue(one.id, 'warn', 1)
    await sendQueued(database, app.install, noon + 30)
    expect(heard.length).toBe(ROBOT_PER_MINUTE)
    await sendQueued(database, app.install, noon + 90)
    expect(heard.length).toBe(ROBOT_PER_MINUTE + 1)
  })
  it('is never longer than a robot takes, 2048 bytes, and what a merged message has no room for waits for the next', async () => {
    const one = await newGroup()
    const long = '超时'.repeat(150)
    for (let at = 0; at < 30; at++)
      await database.transaction(tx => tell(tx, [one.id], 'warn', `第 ${at + 1} 条${long}`))
    for (let at = 0; at < 4; at++) await sendQueued(database, app.install, noon + at * 61)
    expect(heard.filter(message => Buffer.byteLength(message.text) > 2048)).toEqual([])
    const all = heard.map(message => message.text).join('\n')
    expect(
      Array.from({ length: 30 }, (_, at) => `第 ${at + 1} 条`).filter(text => !all.includes(text)),
    ).toEqual([])
    heard.length = 0
    await database.transaction(tx => tell(tx, [one.id], 'warn', '长'.repeat(1000)))
    await sendQueued(database, app.install, noon + 600)
    expect(
      heard.map(message => [Buffer.byteLength(message.text) <= 2048, message.text.endsWith('…')]),
    ).toEqual([[true, true]])
  })
  it('to a channel that does not answer is tried once a round, so that the other groups hear in time; nothing of it is lost', async () => {
    const [dead, well] = [
      await newGroup(),
      (
        await call(groupCalls.create, {
          name: `mail${++made}`,
          channel: 'email',
          target: 'a@b.example',
        })
      ).data as { id: number },
    ]
    await queue(dead.id, 'warn', 4)
    await queue(well.id, 'warn', 1)
    hangs = true
    await sendQueued(database, app.install, noon)
    hangs = false
    expect(heard).toHaveLength(1)
    expect(
      await database.db
        .select({ tries: notify_message.tries })
        .from(notify_message)
        .where(eq(notify_message.group_id, well.id)),
    ).toEqual([{ tries: 1 }])
    await sendQueued(database, app.install, noon + 61)
    expect(
      (
        await database.db
          .select({ state: notify_message.state })
          .from(notify_message)
          .where(eq(notify_message.group_id, dead.id))
      ).map(one => one.state),
    ).toEqual(['sent', 'sent', 'sent', 'sent'])
  })
  it('is not told to a group that was switched off meanwhile', async () => {
    const one = await newGroup()
    await call(groupCalls.setQuiet, { ...one, quiet: { from: '11:00', to: '13:00' } })
    await queue(one.id, 'warn', 1)
    expect(
      (
        await call(groupCalls.disable, {
          id: one.id,
          version: one.version + 1,
          reason: '机器人泄露',
        })
      ).status,
    ).toBe(200)
    await call(groupCalls.enable, { id: one.id, version: one.version + 2 })
    await sendQueued(database, app.install, noon + 2 * 3600)
    expect(heard).toEqual([])
  })
  it('waits for the end of quiet hours, unless it is serious', async () => {
    const one = await newGroup()
    await call(groupCalls.setQuiet, { ...one, quiet: { from: '11:00', to: '13:00' } })
    await queue(one.id, 'warn', 1)
    await queue(one.id, 'serious', 1)
    await sendQueued(database, app.install, noon)
    expect(heard.length).toBe(1)
    await sendQueued(database, app.install, noon + 3600)
    expect(heard.length).toBe(2)
  })
  it('is tried three times and then kept as failed, with the answer', async () => {
    const one = await newGroup()
    await queue(one.id, 'warn', 1)
    answers = '{"errcode":45009,"errmsg":"api freq out of limit"}'
    for (let at = 0; at < 4; at++) await sendQueued(database, app.install, noon + at * 61)
    expect(heard.length).toBe(3)
    const [message] = await database.db
      .select()
      .from(notify_message)
      .where(eq(notify_message.group_id, one.id))
    expect(message).toMatchObject({ state: 'failed', tries: 3, answer: answers })
  })
})

describe('a rule', () => {
  it('fits its metric, tells somebody who is on, and is there once', async () => {
    const refused = async (more: object) => {
      const said = await call(ruleCalls.create, {
        ...condition,
        threshold: 7,
        group_ids: [(await newGroup()).id],
        ...more,
      })
      return [said.status, said.data?.rule ?? Object.keys(said.data?.fields ?? {})[0]]
    }
    expect(await refused({ metric: 'refund_rate', threshold: 10_001 })).toEqual([400, 'threshold'])
    expect(await refused({ window_s: 30 })).toEqual([400, 'window_s'])
    expect(await refused({ window_s: 90_000 })).toEqual([400, 'window_s'])
    expect(await refused({ min_sample: 0 })).toEqual([400, 'min_sample'])
    expect(await refused({ group_ids: [] })).toEqual([400, 'group_ids'])
    const off = await newGroup()
    await call(groupCalls.disable, { ...off, reason: '停用' })
    expect(await refused({ group_ids: [off.id] })).toEqual([400, 'group_ids'])
    expect(await refused({})).toEqual([200, undefined])
    expect(await refused({ name: '另一个名字' })).toEqual([422, 'same_rule'])
  })
  it('of a store is its city’s too: it lies in the person’s places, in the city and mall that are named, and its alarm is seen there', async () => {
    const {
      rows: [shop],
    } = await database.db.execute<{ id: number; city_id: number; mall_id: number; name: string }>(
      sql`select id, city_id, mall_id, name from store where status = 'open' and mall_id > 0 order by id limit 1`,
    )
    const {
      rows: [away],
    } = await database.db.execute<{ id: number; city_id: number }>(
      sql`select id, city_id from store where status = 'open' and city_id <> ${shop!.city_id} order by id limit 1`,
    )
    const manager = await addStaff(database, {
      perms: ['system.warning.*'],
      role: { scope_type: 'city', scope_ids: [shop!.city_id] },
    })
    const group_ids = [(await newGroup()).id]
    const make = (more: object, token = manager.token) =>
      call(
        ruleCalls.create,
        { ...condition, metric: 'refund_rate', threshold: 100 + ++made, group_ids, ...more },
        token,
      )
    expect((await make({ store_id: away!.id })).data.fields).toHaveProperty('store_id')
    expect(
      (await make({ store_id: shop!.id, city_id: away!.city_id }, me.token)).data.fields,
    ).toHaveProperty('store_id')
    expect((await make({ store_id: 2_000_000_000 }, me.token)).data.fields).toHaveProperty(
      'store_id',
    )
    expect((await make({ city_id: 2_000_000_000 }, me.token)).data.fields).toHaveProperty('city_id')
    const rule = await make({ store_id: shop!.id })
    expect(rule.status).toBe(200)
    expect((await ruleRow(rule.data.id)).scope).toEqual({
      city_id: shop!.city_id,
      mid: shop!.mall_id,
      store_id: shop!.id,
    })
    expect((await call(ruleCalls.test, { id: rule.data.id }, manager.token)).status).toBe(200)
    const found = (
      await call(ruleCalls.stores, { keyword: shop!.name, pageSize: 200 }, manager.token)
    ).data.list as { id: number }[]
    expect(found.map(one => one.id)).toContain(shop!.id)
    expect(
      (
        (await call(ruleCalls.stores, { pageSize: 200 }, manager.token)).data.list as {
          id: number
        }[]
      ).map(one => one.id),
    ).not.toContain(away!.id)
  })
  it('of groups that fail counts those that ended in its window; of payments, deposits count as paid', async () => {
    const now = unixNow()
    const from = now - 86_400
    await database.db.execute(
      sql`update roll_group set ended_at = ${now - 60}, expire_at = ${now - 60} where id in (select id from roll_group where state = 'failed' order by id limit 2)`,
    )
    const failing = await newRule({
      metric: 'group_fail_rate',
      threshold: 1,
      window_s: 86_400,
      min_sample: 1,
    })
    const {
      rows: [groups],
    } = await database.db.execute<{ failed: number; n: number }>(
      sql`select count(*) filter (where state = 'failed')::int failed, count(*)::int n from roll_group where ended_at > ${from} and ended_at <= ${now}`,
    )
    expect(groups!.failed).toBeGreaterThan(0)
    expect((await call(ruleCalls.test, { id: failing.id })).data).toMatchObject({
      sample: groups!.n,
      value: Math.floor((groups!.failed * 10_000) / groups!.n),
    })
    const paying = await newRule({
      metric: 'pay_success_rate',
      operator: 'lt',
      threshold: 1,
      window_s: 86_400,
    })
    const {
      rows: [orders],
    } = await database.db.execute<{ paid: number; n: number }>(
      sql`select count(*) filter (where pay_state in ('paid', 'part_paid'))::int paid, count(*)::int n from "order" where created_at > ${from} and created_at <= ${now}`,
    )
    expect((await call(ruleCalls.test, { id: paying.id })).data).toMatchObject({
      sample: orders!.n,
      value: Math.floor((orders!.paid * 10_000) / orders!.n),
    })
  })
  it('is silent for 72 hours at most, and a switched-off one closes no open alarm', async () => {
    const rule = await newRule()
    const mute = async (hours: number, version = rule.version) =>
      (
        await call(ruleCalls.mute, {
          id: rule.id,
          version,
          until: unixNow() + hours * 3600,
          reason: '大促',
        })
      ).status
    expect([await mute(73), await mute(-1), await mute(71)]).toEqual([400, 400, 200])
    await database.db.insert(warning_log).values({
      rule_id: rule.id,
      rule_name: 'x',
      metric: 'login_fail',
      scope: {},
      scope_key: 'all',
      value: 9,
      threshold: 3,
      operator: 'gt',
      level: 'warn',
      fired_at: unixNow(),
      last_at: unixNow(),
    })
    expect(
      (await call(ruleCalls.disable, { id: rule.id, version: rule.version + 1, reason: '维护' }))
        .status,
    ).toBe(200)
    await evaluateAll(database, unixNow())
    expect(
      (await database.db.select().from(warning_log).where(eq(warning_log.rule_id, rule.id)))[0]!
        .state,
    ).toBe('open')
    expect((await call(ruleCalls.del, { id: rule.id, version: rule.version + 2 })).data).toEqual({
      id: rule.id,
      deleted: true,
    })
    // Its alarms stay, and name it.
    expect((await call(logCalls.lst, { rule_id: rule.id })).data.list).toHaveLength(1)
  })
  it('says on trial what it would say, and fires nothing', async () => {
    const rule = await newRule({
      metric: 'stock',
      operator: 'lt',
      threshold: 1_000_000,
      window_s: 300,
    })
    const said = (await call(ruleCalls.test, { id: rule.id })).data
    expect(said).toMatchObject({ fires: true, before: null })
    const { rows } = await database.db.execute<{ least: number; n: number }>(
      sql`select min(stock - held) least, count(*)::int n from product where state = 'on_sale'`,
    )
    expect([said.value, said.sample]).toEqual([rows[0]!.least, rows[0]!.n])
    expect(
      await database.db.select().from(warning_log).where(eq(warning_log.rule_id, rule.id)),
    ).toEqual([])
  })
})

describe('an alarm', () => {
  const now = unixNow()
  const failures = async (n: number, at: number) => {
    await database.db.insert(login_log).values(
      Array.from({ length: n }, () => ({
        account: 'x',
        event: 'login' as const,
        result: 'bad_password' as const,
        created_at: at,
      })),
    )
  }
  const alarms = (rule: number) =>
    database.db
      .select()
      .from(warning_log)
      .where(eq(warning_log.rule_id, rule))
      .orderBy(warning_log.id)
  const watch = async (id: number, at: number) =>
    database.transaction(async tx =>
      evaluate(tx, (await tx.select().from(warning_rule).where(eq(warning_rule.id, id)))[0]!, at),
    )
  /** Each test watches a stretch of time of its own. */
  let era = now + 1_000_000
  const nextEra = () => (era += 100_000)

  it('is open once a rule and place: repeats raise its count, a number back to normal ends it', async () => {
    const at = nextEra()
    const rule = await newRule({ threshold: 3, window_s: 600 + ++made })
    await failures(5, at - 10)
    await watch(rule.id, at)
    await watch(rule.id, at + 60)
    expect(await alarms(rule.id)).toEqual([
      expect.objectContaining({
        state: 'open',
        count: 2,
        value: 5,
        told: [expect.objectContaining({ at })],
      }),
    ])
    await watch(rule.id, at + 5000)
    expect((await alarms(rule.id))[0]).toMatchObject({
      state: 'recovered',
      recovered_at: at + 5000,
    })
    const [row] = (await call(logCalls.lst, { rule_id: rule.id, state: 'recovered' })).data.list
    // Recovered ones can still be handled, but not ignored.
    expect(
      (await call(logCalls.ignore, { id: row.id, version: row.version, reason: '已恢复' })).data
        .rule,
    ).toBe('state')
    expect(
      (await call(logCalls.handle, { id: row.id, version: row.version, result: '网络抖动' })).data
        .state,
    ).toBe('handled')
  })
  it('is acknowledged once, and the second is told by whom', async () => {
    const at = nextEra()
    const rule = await newRule({ threshold: 3, window_s: 600 + ++made })
    await failures(5, at - 10)
    await watch(rule.id, at)
    const [alarm] = await alarms(rule.id)
    expect((await call(logCalls.ack, alarm!)).status).toBe(400)
    const one = { id: alarm!.id, version: alarm!.version }
    expect((await call(logCalls.handle, { ...one, result: '跳过确认' })).data.rule).toBe('state')
    expect((await call(logCalls.ack, one)).data.state).toBe('acked')
    const other = await addStaff(database, { perms: ['system.warning.*'] })
    const late = await call(logCalls.ack, one, other.token)
    expect([late.status, late.data.current.acker_name]).toEqual([409, me.account])
    expect(late.message).toContain(me.account)
    expect(
      (await call(logCalls.handle, { id: one.id, version: one.version + 1, result: '' })).status,
    ).toBe(400)
  })
  it('ignored opens again only when its level rises, and a new one follows when the cause was gone in between', async () => {
    const at = nextEra()
    const rule = await newRule({ threshold: 3, window_s: 600 + ++made })
    await failures(5, at - 10)
    await watch(rule.id, at)
    const [alarm] = await alarms(rule.id)
    await call(logCalls.ignore, { id: alarm!.id, version: alarm!.version, reason: '演练' })
    await watch(rule.id, at + 60)
    expect((await alarms(rule.id)).map(one => one.state)).toEqual(['ignored'])
    await database.db
      .update(warning_rule)
      .set({ level: 'serious' })
      .where(eq(warning_rule.id, rule.id))
    await watch(rule.id, at + 120)
    expect((await alarms(rule.id)).map(one => [one.state, one.level])).toEqual([
      ['open', 'serious'],
    ])
    const [open] = await alarms(rule.id)
    await call(logCalls.ignore, { id: open!.id, version: open!.version, reason: '演练' })
    await watch(rule.id, at + 5000)
    await failures(5, at + 8000)
    await watch(rule.id, at + 8001)
    expect((await alarms(rule.id)).map(one => one.state)).toEqual(['ignored', 'open'])
  })
  it('that is serious and unacknowledged for a quarter of an hour goes to whoever has the duty, once', async () => {
    const at = nextEra()
    const groupId = await newGroup()
    await call(groupCalls.setRoster, {
      ...groupId,
      roster: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00', admin_id: me.id }],
    })
    const rule = await newRule({
      threshold: 3,
      window_s: 600 + ++made,
      level: 'serious',
      group_ids: [groupId.id],
    })
    await failures(5, at - 10)
    await watch(rule.id, at)
    await database.transaction(tx => escalateLate(tx, at + 899))
    expect((await alarms(rule.id))[0]!.escalated_at).toBeNull()
    await database.transaction(tx => escalateLate(tx, at + 900))
    await database.transaction(tx => escalateLate(tx, at + 2000))
    expect((await alarms(rule.id))[0]).toMatchObject({ escalated_at: at + 900, assigned_to: me.id })
    // Both the alarm and that it became theirs, each once.
    expect((await toldTo(database, me.id)).filter(([, to]) => to.endsWith(`=${rule.id}`))).toEqual([
      ['严重预警：登录失败', `/manage/system/warning/logs?rule_id=${rule.id}`],
      ['预警“登录失败”超时无人确认，已转给你', `/manage/system/warning/logs?rule_id=${rule.id}`],
    ])
    const messages = await database.db
      .select()
      .from(notify_message)
      .where(eq(notify_message.group_id, groupId.id))
    expect(messages.filter(message => message.text.includes('升级'))).toHaveLength(1)
  })
  it('raised to serious by hand goes to whoever has the duty at once; one that somebody raised or ignored before still does after a quarter of an hour', async () => {
    const at = nextEra()
    const duty = await addStaff(database, { perms: ['system.warning.*'] })
    const groupId = await newGroup()
    await call(groupCalls.setRoster, {
      ...groupId,
      roster: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00', admin_id: duty.id }],
    })
    const rule = await newRule({
      threshold: 3,
      window_s: 600 + ++made,
      level: 'info',
      group_ids: [groupId.id],
    })
    await failures(5, at - 10)
    await watch(rule.id, at)
    const raise = async () => {
      const [alarm] = await alarms(rule.id)
      return (
        await call(logCalls.escalate, {
          id: alarm!.id,
          version: alarm!.version,
          reason: '影响扩大',
        })
      ).status
    }
    expect(await raise()).toBe(200)
    expect((await alarms(rule.id))[0]).toMatchObject({ level: 'warn', assigned_to: null })
    expect(await raise()).toBe(200)
    expect((await alarms(rule.id))[0]).toMatchObject({ level: 'serious', assigned_to: duty.id })
    expect((await toldTo(database, duty.id)).at(-1)![0]).toBe(
      `${me.account}把预警“登录失败”指派给你`,
    )
    // Ignored and open again, as its level rose: nobody has acknowledged it anew.
    const other = await newRule({
      threshold: 3,
      window_s: 600 + ++made,
      level: 'info',
      group_ids: [groupId.id],
    })
    await watch(other.id, at)
    const [low] = await alarms(other.id)
    expect(
      (await call(logCalls.escalate, { id: low!.id, version: low!.version, reason: '影响扩大' }))
        .status,
    ).toBe(200)
    await call(logCalls.ignore, { id: low!.id, version: low!.version + 1, reason: '演练' })
    await database.db
      .update(warning_rule)
      .set({ level: 'serious' })
      .where(eq(warning_rule.id, other.id))
    await watch(other.id, at + 60)
    await database.transaction(tx => escalateLate(tx, at + 60 + 899))
    expect((await alarms(other.id))[0]).toMatchObject({
      state: 'open',
      level: 'serious',
      escalated_at: null,
    })
    await database.transaction(tx => escalateLate(tx, at + 60 + 900))
    expect((await alarms(other.id))[0]).toMatchObject({
      escalated_at: at + 960,
      assigned_to: duty.id,
    })
  })
  it('is given only to active people who may see it', async () => {
    const [alarm] = await database.db
      .select()
      .from(warning_log)
      .where(eq(warning_log.state, 'open'))
      .limit(1)
    const [stranger, gone] = [
      await addStaff(database, { perms: ['audit.*'] }),
      await addStaff(database, { perms: ['*'], staff: { status: 'disabled' } }),
    ]
    const give = async (admin_id: number) =>
      (await call(logCalls.assign, { id: alarm!.id, version: alarm!.version, admin_id })).status
    expect([await give(stranger.id), await give(gone.id), await give(me.id)]).toEqual([
      400, 400, 200,
    ])
  })
  it('is counted as it is listed, and one of another city is not there', async () => {
    const counts = (await call(logCalls.counts, {})).data
    for (const state of ['waiting', 'open', 'acked', 'handled', 'recovered', 'ignored'])
      expect([state, (await call(logCalls.lst, { state })).data.total]).toEqual([
        state,
        counts[state],
      ])
    const manager = await addStaff(database, {
      perms: ['system.warning.*'],
      role: { scope_type: 'city', scope_ids: [cityId] },
    })
    const mine = (await call(logCalls.lst, { state: 'handled', pageSize: 200 }, manager.token)).data
    const { rows } = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from warning_log where state = 'handled' and city_id = ${cityId}`,
    )
    expect(mine.total).toBe(rows[0]!.n)
    const [whole] = await database.db
      .select()
      .from(warning_log)
      .where(and(inArray(warning_log.state, ['open', 'acked']), sql`city_id is null`))
      .limit(1)
    expect(
      (await call(logCalls.ack, { id: whole!.id, version: whole!.version }, manager.token)).status,
    ).toBe(404)
  })
})
describe('the rows behind an alarm', () => {
  const lists: Record<string, Read> = {
    '/manage/order/elist': elist.lst,
    '/manage/order/goods': goods.lst,
    '/manage/order/raiseList': raiseList.lst,
    '/manage/order/pointsShopList': pointsShopList.lst,
    '/manage/order/rollBuy': rollBuy.lst,
    '/manage/order/combo': combo.lst,
    ...Object.fromEntries(
      Object.entries(queues).map(([queue, calls]) => [`/manage/audit/${queue}`, calls.lst]),
    ),
  }
  const behind = async (metric: string, token = me.token) =>
    ((await call(logCalls.lst, { metric }, token)).data.list as AlarmRow[])[0]!
  const fire = async (metric: string, more: object = {}) => {
    const rule = await ruleRow((await newRule({ metric, threshold: 0, ...more })).id)
    await database.transaction(tx => evaluate(tx, rule, unixNow()))
    return rule.id
  }
  it('are in the lists it leads to, with the count of each, and together as many as the alarm says', async () => {
    // Late ones of three lists, one of them half sent, and one that only the list of what waits to
    // be picked up may show.
    const late = await database.db.execute<{ kind: string }>(
      sql`update "order" set promise_at = ${unixNow() - 3600} where id in (select id from "order" where status in ('pending_ship', 'part_shipped') order by id limit 40) returning kind`,
    )
    expect(new Set(late.rows.map(row => row.kind)).size).toBeGreaterThan(1)
    await fire('ship_overdue')
    const alarm = await behind('ship_overdue')
    expect(alarm.behind.length).toBeGreaterThan(1)
    expect(alarm.behind.reduce((sum, one) => sum + one.count!, 0)).toBe(alarm.value)
    expect(alarm.behind.map(one => one.count)).toEqual(
      alarm.behind.map(one => one.count).sort((a, b) => b! - a!),
    )
  })
  it.each(['ship_overdue', 'audit_age'])(
    'of %s are counted as each list counts them',
    async metric => {
      if (metric === 'audit_age') await fire(metric)
      const alarm = await behind(metric)
      for (const { target, count } of alarm.behind) {
        const { pathname, search } = new URL(target, 'http://here')
        const list = lists[pathname]!
        expect([
          target,
          (
            await call(
              list,
              fromQuery(list.input, Object.fromEntries(new URLSearchParams(search))) as object,
            )
          ).data.total,
        ]).toEqual([target, count])
      }
      expect(alarm.behind.length).toBeGreaterThan(1)
    },
  )
  it('are led to only where one may look, and not counted beyond one’s own places', async () => {
    const keeper = await addStaff(database, { perms: ['system.warning.*', 'order.elist.view'] })
    expect(
      new Set(
        (await behind('ship_overdue', keeper.token)).behind.map(one => one.target.split('?')[0]),
      ),
    ).toEqual(new Set(['/manage/order/elist']))
    const {
      rows: [late],
    } = await database.db.execute<{ city_id: number }>(
      sql`select city_id from "order" where status = 'pending_ship' and promise_at < ${unixNow()} limit 1`,
    )
    const id = await fire('ship_overdue', { city_id: late!.city_id })
    const local = await addStaff(database, {
      perms: ['system.warning.*', 'order.*'],
      role: { scope_type: 'city', scope_ids: [late!.city_id] },
    })
    const alarms = (await call(logCalls.lst, { metric: 'ship_overdue', rule_id: id }, local.token))
      .data.list as AlarmRow[]
    expect(alarms).toHaveLength(1)
    expect(alarms.map(alarm => alarm.behind.reduce((sum, one) => sum + one.count!, 0))).toEqual(
      alarms.map(alarm => alarm.value),
    )
    for (const alarm of alarms)
      for (const one of alarm.behind)
        expect(new URLSearchParams(one.target.split('?')[1]).get('city_id')).toBe(
          String(late!.city_id),
        )
  })
  it('of exports are everybody’s for who may see them all', async () => {
    await database.db.insert(warning_log).values({
      rule_id: (await newRule({ metric: 'export_fail' })).id,
      rule_name: '导出失败',
      metric: 'export_fail',
      scope: {},
      scope_key: '',
      value: 3,
      threshold: 2,
      operator: 'gt',
      level: 'warn',
      fired_at: unixNow(),
      last_at: unixNow(),
      series: [],
      told: [],
    })
    const own = await addStaff(database, { perms: ['system.warning.*', 'system.exportLogs.view'] })
    expect([
      (await behind('export_fail')).behind[0]!.target,
      (await behind('export_fail', own.token)).behind[0]!.target,
    ]).toEqual([
      '/manage/system/exportLogs?state=failed&mine=0',
      '/manage/system/exportLogs?state=failed',
    ])
  })
})
it('several are acknowledged at once, each with its own answer', async () => {
  const rows = (await call(logCalls.lst, { state: 'waiting', pageSize: 200 })).data.list as {
    id: number
    state: string
  }[]
  const said = (await call(logCalls.batchAck, { ids: rows.map(row => row.id) })).data
  expect([...said.ok].sort()).toEqual(
    rows
      .filter(row => row.state === 'open')
      .map(row => row.id)
      .sort(),
  )
  expect(said.failed).toHaveLength(rows.filter(row => row.state === 'acked').length)
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
