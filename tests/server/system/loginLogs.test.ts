import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { buy_limit_log } from '#src/areas/limit/limit.table.ts'
import { boughtOf, type Bought } from '#src/areas/limit/limits.ts'
import { spendRelease } from '#src/areas/limit/releases.server.ts'
import { dropOldClicks, joinVisitor } from '#src/areas/link/clicks.server.ts'
import { CLICKS_EXPORTED } from '#src/areas/link/clicks.ts'
import { login_log, op_log } from '#src/areas/log/log.table.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { warning_log, warning_rule } from '#src/areas/notice/duty.table.ts'
import { evaluate } from '#src/areas/notice/warning.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { admin, admin_session } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { risk_list } from '#src/areas/risk/risk.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { session } from '#src/modules/session/contract.ts'
import { buyLimitLog } from '#src/modules/system/contract/buyLimitLog.ts'
import { history } from '#src/modules/system/contract/history.ts'
import { loginLogs } from '#src/modules/system/contract/loginLogs.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

const [HOUR, DAY] = [3600, 86_400]
let database: Database
let app: App
let boss: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: implementations })
  boss = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_000 } })
})
type Person = { token: string }
const as = (one: Person) => ({ token: one.token })
const signIn = (
  account: string,
  password = 'Mallet#2026',
  ip = '10.0.0.9',
  ua = 'Mozilla/5.0 (Windows NT 10.0) Chrome/131.0',
) => send(app, session.login, { account, password }, { ip, headers: { 'user-agent': ua } })
const logins = async (input: object, one: Person = boss) =>
  (await send(app, loginLogs.lst, input, as(one))).data

describe('the sign-in log', () => {
  it('has every sign-in, sign-out and failure, of unknown accounts too', async () => {
    const one = await addStaff(database, { perms: ['audit.*'] })
    await signIn(one.account, 'wrong1')
    await signIn('nobody-here', 'wrong1')
    const { data } = await signIn(one.account)
    await send(app, session.signOut, {}, { token: data.token })
    expect(
      (await logins({ account: one.account })).list.map(
        (row: { event: string; result: string }) => `${row.event} ${row.result}`,
      ),
    ).toEqual(['logout ok', 'login ok', 'login bad_password'])
    expect((await logins({ account: 'nobody-here' })).list[0]).toMatchObject({
      result: 'unknown',
      admin_id: null,
      device: 'Chrome · Windows',
    })
  })
  it('marks a sign-in from a place or a device that is new to the person', async () => {
    const one = await addStaff(database, { perms: ['audit.*'] })
    const news = async () =>
      (await logins({ account: one.account, event: 'login' })).list.map(
        (row: { new_place: boolean }) => row.new_place,
      )
    await signIn(one.account)
    await signIn(one.account)
    await signIn(one.account, undefined, '10.9.9.9')
    await signIn(
      one.account,
      undefined,
      '10.0.0.9',
      'Mozilla/5.0 (X11; Linux x86_64) Firefox/132.0',
    )
    expect(await news()).toEqual([true, true, false, false])
    expect((await logins({ account: one.account, new_place: true })).total).toBe(2)
    // And an alarm is raised by the rule that watches for them.
    const [rule] = await database.db
      .select()
      .from(warning_rule)
      .where(eq(warning_rule.metric, 'login_new'))
    await database.transaction(tx => evaluate(tx, rule!, unixNow()))
    expect(
      await database.db
        .select()
        .from(warning_log)
        .where(and(eq(warning_log.rule_id, rule!.id), eq(warning_log.state, 'open'))),
    ).toMatchObject([{ metric: 'login_new' }])
    expect(
      (await send(app, loginLogs.stats, {}, as(boss))).data.places.find(
        (row: { account: string }) => row.account === one.account,
      ),
    ).toMatchObject({ times: 2 })
  })
  it('counts by the hour, failures apart, as many as the list has', async () => {
    const from = unixNow() - DAY
    const { data } = await send(app, loginLogs.stats, { from, to: unixNow() }, as(boss))
    expect(data.step).toBe(HOUR)
    expect(data.failed).toBe((await logins({ from, failed: true, event: 'login' })).total)
    expect(
      data.buckets.reduce(
        (sum: number, one: { failed: number; ok: number }) => sum + one.ok + one.failed,
        0,
      ),
    ).toBe((await logins({ from, event: 'login' })).total)
    expect(
      (await send(app, loginLogs.stats, { from: unixNow() - 30 * DAY, to: unixNow() }, as(boss)))
        .data.ips[0],
    ).toMatchObject({ ip: '203.0.113.77', failed: 40 })
  })
  it('opens from each figure as many rows as it says', async () => {
    const { data } = await send(
      app,
      loginLogs.stats,
      { from: unixNow() - 30 * DAY, to: unixNow() },
      as(boss),
    )
    const { from, to } = data
    expect([data.ips.length, data.places.length].every(n => n > 0)).toBe(true)
    for (const one of data.ips)
      expect([one.ip, one.failed]).toEqual([
        one.ip,
        (await logins({ event: 'login', from, to, ip: one.ip, failed: true })).total,
      ])
    for (const one of data.places)
      expect([one.account, one.times]).toEqual([
        one.account,
        (await logins({ event: 'login', from, to, account: one.account, new_place: true })).total,
      ])
    expect(data.ok).toBe((await logins({ event: 'login', from, to, result: 'ok' })).total)
  })
  it('refuses a period of more than 92 days, and shows only people in one’s data', async () => {
    expect(
      (await send(app, loginLogs.lst, { from: unixNow() - 93 * DAY, to: unixNow() }, as(boss)))
        .data,
    ).toMatchObject({ rule: 'period_too_long' })
    const narrow = await addStaff(database, {
      perms: ['system.loginLogs.*'],
      role: { scope_type: 'self' },
    })
    expect((await logins({}, narrow)).total).toBe(0)
    expect(
      (
        await send(
          app,
          loginLogs.lockAccount,
          { account: boss.account, reason: '试试' },
          as(narrow),
        )
      ).status,
    ).toBe(404)
  })
})

describe('forcing off, locking, banning', () => {
  it('a session that is forced off answers 410000 to its next call; one’s own is refused', async () => {
    const one = await addStaff(database, { perms: ['audit.bulks.view'] })
    const { data } = await signIn(one.account)
    const [row] = (await logins({ account: one.account, event: 'login' })).list
    expect(row).toMatchObject({ live: true, mine: false })
    expect(
      (
        await send(
          app,
          loginLogs.kick,
          { session_id: row.session_id, reason: '可疑登录' },
          as(boss),
        )
      ).status,
    ).toBe(200)
    expect((await send(app, session.me, {}, { token: data.token })).status).toBe(410000)
    expect((await logins({ account: one.account })).list[0]).toMatchObject({
      event: 'kicked',
      session_id: row.session_id,
    })
    expect(
      (await send(app, loginLogs.kick, { session_id: row.session_id, reason: '再来' }, as(boss)))
        .data,
    ).toMatchObject({ rule: 'session_over' })
    const [mine] = await database.db
      .select()
      .from(admin_session)
      .where(eq(admin_session.admin_id, boss.id))
    expect(
      (await send(app, loginLogs.kick, { session_id: mine!.id, reason: '自己' }, as(boss))).data,
    ).toMatchObject({ rule: 'own_session' })
    const small = await addStaff(database, { perms: ['system.loginLogs.*'] })
    expect(
      (await send(app, loginLogs.kick, { session_id: mine!.id, reason: '越级' }, as(small))).data,
    ).toMatchObject({ rule: 'above' })
  })
  it('a locked account can’t sign in and its sessions end; one’s own, and the last super administrator’s, is refused', async () => {
    const one = await addStaff(database, { perms: ['audit.bulks.view'] })
    const said = await send(
      app,
      loginLogs.lockAccount,
      { account: one.account, hours: 2, reason: '疑似被盗' },
      as(boss),
    )
    expect(said.data).toMatchObject({ sessions: 1 })
    expect((await send(app, session.me, {}, as(one))).status).toBe(410000)
    expect((await signIn(one.account)).data).toMatchObject({
      rule: 'locked',
      locked_until: said.data.locked_until,
    })
    expect(
      (await send(app, loginLogs.lockAccount, { account: boss.account, reason: '自己' }, as(boss)))
        .data,
    ).toMatchObject({ rule: 'own_account' })
    const supers = await database.db.execute<{ account: string }>(
      sql`select a.account from admin a join role r on r.code = 'super_admin' and a.role_ids @> to_jsonb(r.id) where a.status = 'active'`,
    )
    expect(supers.rows).toHaveLength(1)
    const last = await send(
      app,
      loginLogs.lockAccount,
      { account: supers.rows[0]!.account, reason: '最后一个' },
      as(boss),
    )
    expect(last.data).toMatchObject({ rule: 'last_super' })
    const [still] = await database.db
      .select()
      .from(admin)
      .where(eq(admin.account, supers.rows[0]!.account))
    expect(still!.locked_until ?? 0).toBeLessThan(unixNow())
    const small = await addStaff(database, { perms: ['system.loginLogs.*'] })
    expect(
      (await send(app, loginLogs.lockAccount, { account: boss.account, reason: '越级' }, as(small)))
        .data,
    ).toMatchObject({ rule: 'above' })
  })
  it('nobody signs in from a banned address until the ban ends or is lifted; one’s own is refused', async () => {
    const one = await addStaff(database, { perms: ['audit.bulks.view'] })
    const ip = '198.51.100.7'
    const said = await send(
      app,
      loginLogs.banIp,
      { ip: `::ffff:${ip}`, hours: 3, reason: '撞库' },
      as(boss),
    )
    expect(said.data.until_at).toBe(Math.floor(said.data.until_at))
    expect(await signIn(one.account, undefined, ip)).toMatchObject({
      http: 403,
      data: { rule: 'ip_banned' },
    })
    expect((await logins({ ip })).list[0]).toMatchObject({
      result: 'ip_banned',
      account: one.account,
      banned: true,
    })
    expect((await signIn(one.account, undefined, '198.51.100.8')).status).toBe(200)
    expect(
      (await send(app, loginLogs.banIp, { ip, hours: 3, reason: '再封' }, as(boss))).data,
    ).toMatchObject({ rule: 'banned_already' })
    expect((await send(app, loginLogs.unbanIp, { ip }, as(boss))).data).toMatchObject({
      already: false,
    })
    expect((await send(app, loginLogs.unbanIp, { ip }, as(boss))).data).toMatchObject({
      already: true,
    })
    expect((await signIn(one.account, undefined, ip)).status).toBe(200)
    await send(app, loginLogs.banIp, { ip, hours: 1, reason: '一小时' }, as(boss))
    await database.db.execute(
      sql`update ip_ban set until_at = ${unixNow() - 1} where ip = ${ip} and lifted_at is null`,
    )
    expect((await signIn(one.account, undefined, ip)).status).toBe(200)
    expect(
      (await send(app, loginLogs.banIp, { ip, hours: 1, reason: '又来' }, as(boss))).status,
    ).toBe(200)
    expect(
      (await send(app, loginLogs.banIp, { ip: '127.0.0.1', hours: 1, reason: '自己' }, as(boss)))
        .data,
    ).toMatchObject({ rule: 'own_ip' })
    for (const bad of [{ ip: 'x', hours: 1 }, { ip, hours: 0 }, { ip }])
      expect((await send(app, loginLogs.banIp, { reason: '坏的', ...bad }, as(boss))).status).toBe(
        400,
      )
  })
  it('each leaves its row in the operation log, with the reason', async () => {
    const rows = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.admin_id, boss.id),
          inArray(op_log.action, [
            'system.loginLogs.kick',
            'system.loginLogs.lockAccount',
            'system.loginLogs.banIp',
            'system.loginLogs.unbanIp',
          ]),
          eq(op_log.result, 'ok'),
        ),
      )
    expect(new Set(rows.map(row => row.object_type))).toEqual(
      new Set(['admin_session', 'admin', 'ip_ban']),
    )
    expect(
      rows
        .filter(row => row.action !== 'system.loginLogs.unbanIp')
        .every(row => (row.reason ?? '').length > 1),
    ).toBe(true)
  })
})

const clicks = async (input: object, one: Person = boss) =>
  send(app, history.lstClickLog, input, as(one))
const click = (of: Partial<typeof click_log.$inferInsert>) =>
  database.db
    .insert(click_log)
    .values({
      device_id: 'dev-1',
      object_type: 'page',
      entry: 'home',
      city_id: 1,
      mall_id: 1,
      at: unixNow() - 60,
      ...of,
    })
    .returning()
    .then(rows => rows[0]!)

describe('browsing history', () => {
  it('takes a week without a period, a month at most, and a quarter where somebody or something is named', async () => {
    const now = unixNow()
    const wide = { start_at: now - 60 * DAY, end_at: now }
    expect(
      (await clicks({})).data.list.every((row: { at: number }) => row.at > now - 7 * DAY - 60),
    ).toBe(true)
    expect((await clicks(wide)).data).toMatchObject({ rule: 'period_too_long' })
    expect((await clicks({ ...wide, start_at: now - 31 * DAY })).status).toBe(200)
    for (const named of [
      { member_id: 7 },
      { device_id: 'dev-1' },
      { object_type: 'product', object_id: 1 },
    ])
      expect((await clicks({ ...wide, ...named })).status).toBe(200)
    expect(
      (await clicks({ member_id: 7, start_at: now - 94 * DAY, end_at: now })).data,
    ).toMatchObject({ rule: 'period_too_long' })
    expect((await clicks({ start_at: now, end_at: now - 5 })).data).toMatchObject({
      rule: 'period_too_long',
    })
  })
  it('counts rows and visitors, and pages on from a row without repeats', async () => {
    await click({ object_type: 'entry', object_id: 990, member_id: 1 })
    await click({ object_type: 'entry', object_id: 990, member_id: 1, device_id: 'other' })
    await click({ object_type: 'entry', object_id: 990, device_id: 'v1' })
    await click({ object_type: 'entry', object_id: 990, device_id: 'v1' })
    const asked = { object_type: 'entry', object_id: 990, pageSize: 3 }
    const { data } = await clicks(asked)
    expect(data).toMatchObject({ total: 4, pv: 4, uv: 2 })
    expect(data.total_capped).toBeUndefined()
    const rest = (await clicks({ ...asked, before_id: data.list[2].id })).data
    expect([...data.list, ...rest.list].map((row: { id: number }) => row.id)).toEqual(
      [...new Set([...data.list, ...rest.list].map((row: { id: number }) => row.id))].sort(
        (a, b) => b - a,
      ),
    )
    expect(rest.list).toHaveLength(1)
  })
  it('finds by a whole phone number only, and by the beginning of a nickname', async () => {
    const [who] = await database.db.select().from(member).where(eq(member.id, 7))
    expect(
      (await clicks({ keyword: who!.phone, start_at: unixNow() - 31 * DAY })).data.list.every(
        (row: { member_id: number }) => row.member_id === 7,
      ),
    ).toBe(true)
    expect((await clicks({ keyword: who!.phone.slice(0, 7) })).data).toMatchObject({
      rule: 'phone_whole',
    })
    expect(
      (await clicks({ keyword: who!.nickname, start_at: unixNow() - 31 * DAY })).data.total,
    ).toBeGreaterThan(0)
    expect((await clicks({ keyword: '绝无此人' })).data.total).toBe(0)
  })
  it('masks the phone by the reader’s field rule, and leaves it out where it is hidden', async () => {
    const reader = async (rule: 'show' | 'mask' | 'hide') =>
      (
        await clicks(
          { member_id: 7 },
          await addStaff(database, {
            perms: ['system.history.view'],
            role: { field_rules: { 'member.phone': rule } },
          }),
        )
      ).data.list[0].phone_masked
    expect([await reader('show'), await reader('mask'), await reader('hide')]).toEqual([
      expect.stringMatching(/^1\d{10}$/),
      expect.stringMatching(/^1\d\d\*{4}\d{4}$/),
      undefined,
    ])
  })
  it('shows only the cities and malls in one’s data', async () => {
    const one = await addStaff(database, {
      perms: ['system.history.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const { data } = await clicks({ pageSize: 200, start_at: unixNow() - 31 * DAY }, one)
    expect(data.list.length).toBeGreaterThan(0)
    expect(data.list.every((row: { city_id: number }) => row.city_id === 2)).toBe(true)
    const [far] = await database.db.select().from(member).where(eq(member.city_id, 1)).limit(1)
    expect((await send(app, history.timeline, { member_id: far!.id }, as(one))).status).toBe(404)
  })
  it('joins what a visitor saw to the member at sign-up, marked as such', async () => {
    await click({ device_id: 'fresh', object_name: '首页', at: unixNow() - 500 })
    await click({ device_id: 'fresh', member_id: 5, at: unixNow() - 400 })
    await click({ device_id: 'fresh', member_id: 6, at: unixNow() - 300 })
    await database.transaction(tx => joinVisitor(tx, { device_id: 'fresh', member_id: 5 }))
    const rows = (await clicks({ device_id: 'fresh' })).data.list
    expect(
      rows.map((row: { member_id: number; visitor: boolean }) => [row.member_id, row.visitor]),
    ).toEqual([
      [6, false],
      [5, false],
      [5, true],
    ])
  })
  it('tells a member’s way by visits, with rests, orders and who shares the device', async () => {
    const [who] = await database.db
      .select()
      .from(member)
      .where(sql`not exists (select 1 from click_log c where c.member_id = ${member.id})`)
      .limit(1)
    const start = unixNow() - 5 * HOUR
    for (const at of [0, 40, 100, 3 * HOUR])
      await click({
        member_id: who!.id,
        device_id: 'way',
        at: start + at,
        entry: at ? 'search' : 'share',
      })
    await click({ member_id: 9, device_id: 'way', at: start - DAY })
    const [like] = await database.db.select().from(order).limit(1)
    const { id: _, ...columns } = like!
    await database.db.insert(order).values({
      ...columns,
      order_no: `T${Date.now()}`,
      member_id: who!.id,
      created_at: start + 200,
    })
    const { data } = await send(app, history.timeline, { member_id: who!.id }, as(boss))
    expect(data.visits.map((visit: { steps: unknown[] }) => visit.steps.length)).toEqual([1, 3])
    expect(data.visits[1]).toMatchObject({ entry: 'share', orders: [{ at: start + 200 }] })
    expect(data.visits[1].steps.map((step: { rest_s: number | null }) => step.rest_s)).toEqual([
      40,
      60,
      null,
    ])
    expect(data.devices[0].others.map((one: { id: number }) => one.id)).toEqual([9])
    expect(
      (
        await send(
          app,
          history.timeline,
          { member_id: who!.id, start_at: unixNow() - 32 * DAY, end_at: unixNow() },
          as(boss),
        )
      ).data,
    ).toMatchObject({ rule: 'period_too_long' })
  })
  it('ranks pages, the sums as the list counts them', async () => {
    const { data } = await send(
      app,
      history.topPages,
      { object_type: 'entry', start_at: unixNow() - 31 * DAY },
      as(boss),
    )
    expect(data.list[0].pv).toBeGreaterThanOrEqual(data.list[1]?.pv ?? 0)
    expect(data.entries.reduce((sum: number, one: { pv: number }) => sum + one.pv, 0)).toBe(
      (await clicks({ object_type: 'entry', start_at: unixNow() - 31 * DAY })).data.total,
    )
  })
  it('opens from each page and entry of the ranking as many rows as it says', async () => {
    const { data } = await send(app, history.topPages, {}, as(boss))
    const span = { start_at: data.from, end_at: data.to }
    for (const one of data.list.slice(0, 5))
      expect([one.object_name, one.pv]).toEqual([
        one.object_name,
        (
          await clicks({
            ...span,
            object_type: one.object_type,
            ...(one.object_id && { object_id: one.object_id }),
          })
        ).data.total,
      ])
    for (const one of data.entries)
      expect([one.entry, one.pv]).toEqual([
        one.entry,
        (await clicks({ ...span, entry: one.entry })).data.total,
      ])
  })
  it('refuses an export of more than 100,000 rows with how to narrow it', async () => {
    await database.unhurried(() =>
      database.db.execute(
        sql`insert into click_log (device_id, object_type, entry, city_id, at) select 'bulk', 'page', 'home', 1, ${unixNow()}::bigint - g from generate_series(1, ${CLICKS_EXPORTED + 1}) g`,
      ),
    )
    const said = await send(app, history.export, {}, as(boss))
    expect([said.status, said.data.rule]).toEqual([422, 'export_narrow'])
    expect(said.message).toContain('按会员')
    expect((await clicks({})).data).toMatchObject({
      total: 100_000,
      total_capped: true,
      pv: 100_000,
    })
    expect((await send(app, history.export, { member_id: 7 }, as(boss))).status).toBe(200)
    await database.unhurried(() =>
      database.db.delete(click_log).where(eq(click_log.device_id, 'bulk')),
    )
  })
  it('is kept for 180 days', async () => {
    const old = await click({ device_id: 'old', at: unixNow() - 181 * DAY })
    const kept = await click({ device_id: 'old', at: unixNow() - 179 * DAY })
    expect(await dropOldClicks(database.db, unixNow(), 1)).toBe(1)
    expect(
      (
        await database.db
          .select()
          .from(click_log)
          .where(inArray(click_log.id, [old.id, kept.id]))
      ).map(row => row.id),
    ).toEqual([kept.id])
  })
})

let people = 0
const block = async (of: Partial<typeof buy_limit_log.$inferInsert> = {}) => {
  const [item] = await database.db
    .select()
    .from(product)
    .where(and(eq(product.state, 'on_sale'), sql`${product.stock} > 20`))
    .limit(1)
  const [who] = await database.db
    .insert(member)
    .values({
      uid: `T${++people}`,
      nickname: '测试会员',
      phone: `199${String(people).padStart(8, '0')}`,
      city_id: 1,
      register_at: unixNow(),
    })
    .returning()
  const [row] = await database.db
    .insert(buy_limit_log)
    .values({
      member_id: who!.id,
      product_id: item!.id,
      city_id: item!.city_id,
      mall_id: item!.mall_id,
      rule: 'per_person',
      limit_n: 2,
      bought_n: 2,
      asked_n: 1,
      ...of,
    })
    .returning()
  return row!
}
const release = (row: { id: number; version: number }, more: object = {}, one: Person = boss) =>
  send(
    app,
    buyLimitLog.releaseOnce,
    {
      id: row.id,
      version: row.version,
      reason: '客诉安抚',
      expire_at: unixNow() + 24 * HOUR,
      ...more,
    },
    as(one),
  )

describe('purchase-limit blocks', () => {
  it('counted what the order list has: without cancelled and wholly refunded orders', async () => {
    const rows = await database.db
      .select()
      .from(buy_limit_log)
      .where(and(eq(buy_limit_log.rule, 'per_person'), eq(buy_limit_log.result, 'blocked')))
      .orderBy(desc(buy_limit_log.id))
      .limit(25)
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) {
      const lines = await database.db
        .select({
          order_id: order.id,
          status: order.status,
          refund_state: order.refund_state,
          created_at: order.created_at,
          qty: order_item.qty,
          refunded_qty: order_item.refunded_qty,
        })
        .from(order_item)
        .innerJoin(order, eq(order.id, order_item.order_id))
        .where(and(eq(order.member_id, row.member_id!), eq(order_item.product_id, row.product_id!)))
      const { data } = await send(app, buyLimitLog.explain, { id: row.id }, as(boss))
      expect([data.row.bought_n, data.bought_then, data.orders.length]).toEqual([
        boughtOf('per_person', lines as Bought[], row.created_at),
        row.bought_n,
        new Set(lines.map(line => line.order_id)).size,
      ])
      expect(
        data.orders
          .filter((one: { counts: boolean }) => one.counts)
          .reduce(
            (sum: number, one: { qty: number; refunded_qty: number }) =>
              sum + one.qty - one.refunded_qty,
            0,
          ),
      ).toBe(row.bought_n)
      for (const one of data.orders) expect(one.counts).toBe(one.why === null)
    }
  })
  it('lists the accounts that share a device', async () => {
    const [row] = await database.db
      .select()
      .from(buy_limit_log)
      .where(eq(buy_limit_log.rule, 'per_device'))
      .limit(1)
    const { data } = await send(app, buyLimitLog.explain, { id: row!.id }, as(boss))
    expect(data.accounts.length).toBeGreaterThanOrEqual(4)
    expect(data.accounts.map((one: { id: number }) => one.id)).toContain(row!.member_id)
  })
  it('can be released once, for at most 72 hours, one order and what was asked', async () => {
    const row = await block()
    for (const expire_at of [unixNow() + 72 * HOUR + 60, unixNow() - 1])
      expect((await release(row, { expire_at })).data).toMatchObject({ rule: 'release_period' })
    const said = await release(row)
    expect(said.status).toBe(200)
    expect((await release({ ...row, version: said.data.version })).data).toMatchObject({
      rule: 'not_releasable',
    })
    const [bought] = await database.db.select().from(order).limit(1)
    const used = (more: object = {}) =>
      database.transaction(tx =>
        spendRelease(
          tx,
          {
            member_id: row.member_id!,
            product_id: row.product_id!,
            order_id: bought!.id,
            qty: 1,
            ...more,
          },
          unixNow(),
        ),
      )
    await expect(used({ qty: 2 })).rejects.toMatchObject({ data: { rule: 'no_release' } })
    expect(await used()).toBe(row.id)
    await expect(used()).rejects.toMatchObject({ data: { rule: 'no_release' } })
    expect((await send(app, buyLimitLog.explain, { id: row.id }, as(boss))).data.row).toMatchObject(
      { result: 'used', release_order_id: bought!.id, release_by_name: boss.account },
    )
    expect((await release({ id: row.id, version: said.data.version + 1 })).data).toMatchObject({
      rule: 'not_releasable',
    })
  })
  it('is a block again when nobody used the release in time, and can’t be used then', async () => {
    const row = await block({
      result: 'released',
      release_by: boss.id,
      release_until: unixNow() - 5,
    })
    const listed = (await send(app, buyLimitLog.lst, { member_id: row.member_id }, as(boss))).data
      .list[0]
    expect(listed.result).toBe('blocked')
    expect(
      (await send(app, buyLimitLog.lst, { member_id: row.member_id, result: 'released' }, as(boss)))
        .data.total,
    ).toBe(0)
    expect(
      (await send(app, buyLimitLog.lst, { member_id: row.member_id, result: 'blocked' }, as(boss)))
        .data.total,
    ).toBe(1)
    await expect(
      database.transaction(tx =>
        spendRelease(
          tx,
          { member_id: row.member_id!, product_id: row.product_id!, order_id: 1, qty: 1 },
          unixNow(),
        ),
      ),
    ).rejects.toMatchObject({ data: { rule: 'no_release' } })
    expect((await release(row)).status).toBe(200)
  })
  it('can’t be released beyond the stock, twice for one member and product, or by an old version', async () => {
    const huge = await block({ asked_n: 2_000_000 })
    expect((await release(huge)).data).toMatchObject({ rule: 'release_stock' })
    const first = await block()
    const [second] = await database.db
      .insert(buy_limit_log)
      .values({ ...first, id: undefined })
      .returning()
    expect((await release(first, { version: 7 })).status).toBe(409)
    expect((await release(first)).status).toBe(200)
    expect((await release(second!)).data).toMatchObject({ rule: 'released_other' })
  })
  it('can’t be released for somebody on the black list, unless the white list has them too', async () => {
    const row = await block()
    const said = await send(
      app,
      buyLimitLog.addBlack,
      { id: row.id, reason: '黄牛', days: 30 },
      as(boss),
    )
    expect(said.data).toMatchObject({ member_id: row.member_id, already: false })
    expect(
      (await send(app, buyLimitLog.addBlack, { id: row.id, reason: '黄牛', days: 30 }, as(boss)))
        .data.already,
    ).toBe(true)
    expect((await release(row)).data).toMatchObject({ rule: 'blacklisted' })
    expect(
      (await send(app, buyLimitLog.lst, { member_id: row.member_id }, as(boss))).data.list[0].black,
    ).toBe(true)
    await database.db
      .insert(risk_list)
      .values({ list: 'white', type: 'member', value: String(row.member_id), reason: '误伤' })
    expect((await release(row)).status).toBe(200)
    const white = await block()
    await database.db
      .insert(risk_list)
      .values({ list: 'white', type: 'member', value: String(white.member_id), reason: '内部' })
    expect(
      (await send(app, buyLimitLog.addBlack, { id: white.id, reason: '误点', days: 30 }, as(boss)))
        .data,
    ).toMatchObject({ rule: 'white_listed' })
  })
  it('shows only one’s own cities, and ranks products and members by how often', async () => {
    const one = await addStaff(database, {
      perms: ['system.buyLimitLog.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    await block({ city_id: 2 })
    await block({ city_id: 1 })
    // The list tells of the last 92 days unless asked otherwise.
    const rows = await database.db
      .select()
      .from(buy_limit_log)
      .where(
        and(
          eq(buy_limit_log.city_id, 2),
          sql`${buy_limit_log.created_at} between ${unixNow() - 92 * 86_400} and ${unixNow()}`,
        ),
      )
    expect((await send(app, buyLimitLog.lst, {}, as(one))).data.total).toBe(rows.length)
    const [other] = await database.db
      .select()
      .from(buy_limit_log)
      .where(eq(buy_limit_log.city_id, 1))
      .limit(1)
    expect((await send(app, buyLimitLog.explain, { id: other!.id }, as(one))).status).toBe(404)
    expect((await release(other!, {}, one)).status).toBe(404)
    const { data } = await send(app, buyLimitLog.topProducts, {}, as(one))
    const [top] = data.products
    expect(top.blocks).toBe(rows.filter(row => row.product_id === top.id).length)
    expect(
      top.by_rule.reduce((sum: number, each: { blocks: number }) => sum + each.blocks, 0),
    ).toBe(top.blocks)
  })
  it('has rows that no call changes but by a release', async () => {
    const row = await block()
    const before = JSON.stringify(
      await database.db.select().from(buy_limit_log).where(eq(buy_limit_log.id, row.id)),
    )
    await send(app, buyLimitLog.explain, { id: row.id }, as(boss))
    await send(app, buyLimitLog.addBlack, { id: row.id, reason: '黄牛', days: 1 }, as(boss))
    expect(
      JSON.stringify(
        await database.db.select().from(buy_limit_log).where(eq(buy_limit_log.id, row.id)),
      ),
    ).toBe(before)
  })
  it('and the sign-in rows of a day are exported, failures alone where asked', async () => {
    expect((await send(app, loginLogs.export, { failed: true }, as(boss))).data.rows_expected).toBe(
      (
        await database.db
          .select()
          .from(login_log)
          .where(sql`result <> 'ok'`)
      ).length,
    )
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
