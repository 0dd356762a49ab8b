import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import { sendTrials } from '#src/areas/welcome/selfSending.server.ts'
import { wecom_welcome_trial } from '#src/areas/welcome/welcome.table.ts'
import { HOUR, unixNow } from '#src/domain/time.ts'
import { channelWelcome as calls } from '#src/modules/channel/contract/welcome.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { addStaff } from '../../help/app.ts'
import { freshAdvisers } from '../../help/wecomRows.ts'
import {
  adds,
  call,
  day,
  defaultAlone,
  done,
  held,
  made,
  night,
  now,
  on,
  openWelcomes,
  theDefault,
  written,
} from '../../help/welcomes.ts'

let database: Database
let app: App
let advisers: Awaited<ReturnType<typeof openWelcomes>>['advisers']
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  ;({ database, app, advisers, me } = await openWelcomes())
}, 120_000)
beforeEach(defaultAlone)

/** 2026-03-01 00:00 in Shanghai. */
const MIDNIGHT = 1_772_294_400
const said = (more: object = {}) => ({
  name: '夜间版',
  hours: [night],
  text: '夜里好',
  attachments: [],
  coupon_id: null,
  ...more,
})
const windowOf = async (id: number, more: object = {}): Promise<number> =>
  (await done(calls.addWindow, { ...(await held(id)), ...said(more) })).id
const codeNaming = async (welcome_id: number, state_key: string): Promise<number> => {
  const [made] = await database.db
    .insert(channel_code)
    .values({ state_key, name: state_key, kind: 'single', welcome_id, body: {} as never })
    .returning({ id: channel_code.id })
  return made!.id
}

describe('a message for some hours', () => {
  it('takes over from its rule in them, also from the default, and goes with it', async () => {
    const id = await on()
    const nights = await windowOf(id)
    expect(await now(nights)).toMatchObject({ base_id: id, status: 'enabled', priority: 100 })
    const winner = async (hour: number) =>
      (await done(calls.resolve, { staff_id: advisers[0]!.id, at: MIDNIGHT + hour * HOUR })).winner
        .id
    expect(await winner(23)).toBe(nights)
    expect(await winner(12)).toBe(id)
    const first = await theDefault()
    const house = await windowOf(first.id)
    await done(calls.disable, await held(id))
    expect(await winner(23)).toBe(house)
    expect(await winner(12)).toBe(first.id)
    const tried = await done(calls.resolve, {
      staff_id: advisers[0]!.id,
      at: MIDNIGHT + 23 * HOUR,
    })
    const why = Object.fromEntries(
      tried.verdicts.map((one: { id: number; verdict: string }) => [one.id, one.verdict]),
    )
    expect(why).toMatchObject({ [nights]: 'base_off', [id]: 'off', [first.id]: 'windowed' })
  })
  it('is sent in its hours, by the code that names its rule', async () => {
    const id = await on({ scope: 'code', staff_ids: [] })
    await codeNaming(id, 'window-code')
    const whole = await windowOf(id, {
      hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from_min: 0, to_min: 1440 }],
      text: '整天都在',
    })
    const { bodies, send } = await adds({ state: 'window-code' })
    expect(send.welcome_id).toBe(whole)
    expect(bodies[0]!.text).toEqual({ content: '整天都在' })
  })
  it('lies over no other one, has none below it, and keeps its people', async () => {
    const id = await on()
    const nights = await windowOf(id)
    const over = await call(calls.addWindow, { ...(await held(id)), ...said({ name: '再来' }) })
    expect(over.status).toBe(422)
    expect(over.message).toContain('时段重叠')
    await windowOf(id, { name: '白天', hours: [day] })
    expect((await call(calls.addWindow, { ...(await held(nights)), ...said() })).status).toBe(422)
    const timed = await on({ staff_ids: [advisers[1]!.id], hours: [day] })
    expect((await call(calls.addWindow, { ...(await held(timed)), ...said() })).status).toBe(422)
    const hours = await call(calls.edit, { ...(await held(id)), ...written({ hours: [day] }) })
    expect(hours.data.fields['hours']).toContain('全天')
    const other = written({ staff_ids: [advisers[1]!.id], priority: 7 })
    const bare = await call(calls.edit, { ...(await held(nights)), ...other })
    expect(bare.data.fields['hours']).toBeTruthy()
    await done(calls.edit, { ...(await held(nights)), ...other, hours: [night], text: '改过' })
    expect(await now(nights)).toMatchObject({
      text: '改过',
      priority: 100,
      staff_ids: [advisers[0]!.id],
    })
    await done(calls.edit, { ...(await held(id)), ...written({ priority: 9 }) })
    expect((await now(nights)).priority).toBe(9)
    const gone = { ...(await held(id)), reason: '不再使用' }
    expect((await call(calls.del, gone)).message).toContain('分时段')
  })
  it('is a draft while its rule is one', async () => {
    expect((await now(await windowOf(await made()))).status).toBe('draft')
  })
  it('stands with its rule when rules are arranged', async () => {
    const [a, b] = [await on(), await on({ priority: 50 })]
    const nights = await windowOf(a)
    const { list, list_version } = await done(calls.order, { scope: 'staff' })
    expect(list.map((one: { id: number }) => one.id)).toEqual([b, a])
    await done(calls.sortPriority, { scope: 'staff', order: [a, b], list_version })
    expect((await now(a)).priority).toBe(1)
    expect((await now(nights)).priority).toBe(1)
    const rows = (await done(calls.lst, { scope: 'staff' })).list
    expect(rows.map((one: { id: number }) => one.id)).toEqual([nights, a, b])
    expect(rows[0]).toMatchObject({ base_name: '测试欢迎语' })
    expect(rows[1].windows).toMatchObject([{ id: nights, hours: [night] }])
  })
})

describe('the checker', () => {
  it('asks for a friend of a code too, and tells why each other message would not go', async () => {
    const mine = await on()
    const id = await on({ scope: 'code', staff_ids: [] })
    const code_id = await codeNaming(id, 'checker-code')
    const asked = { staff_id: advisers[0]!.id, at: MIDNIGHT + 9 * HOUR }
    const byCode = await done(calls.resolve, { ...asked, code_id })
    expect(byCode).toMatchObject({ code: 'checker-code', winner: { id } })
    expect((await done(calls.resolve, asked)).winner.id).toBe(mine)
    expect((await call(calls.resolve, { ...asked, code_id: 2_000_000_000 })).status).toBe(404)
    expect((await done(calls.codes, { keyword: 'checker-code' })).list).toMatchObject([
      { id: code_id },
    ])
  })
})

describe('a message to oneself', () => {
  const run = (at = unixNow()) =>
    sendTrials({
      database,
      client: app.install.wecom,
      picture: async () => Buffer.alloc(64),
      now: at,
    })
  const bind = (admin_id: number | null) =>
    database.db.update(wecom_staff).set({ admin_id }).where(eq(wecom_staff.id, advisers[0]!.id))
  const trials = async (id: number) => (await done(calls.trials, { id })).list
  beforeAll(async () => {
    const { userid, name } = advisers[0]!
    await database.db
      .insert(wecom_corp_object)
      .values({ kind: 'user', key: userid, body: { userid, name, department: [1], status: 1 } })
  })
  beforeEach(() => bind(me.id))

  it('goes once to the account of who asks, words and cards', async () => {
    const link = { kind: 'link', title: '活动', desc: '', url: 'https://m.example.com/a' }
    const image = { kind: 'image', key: 'img/1/self.png' }
    const id = await on({ text: `{员工姓名}${'好'.repeat(900)}`, attachments: [link, image] })
    const before = app.wecom.embedded!.asked().length
    await done(calls.sendTest, await held(id))
    expect(await trials(id)).toMatchObject([{ state: 'waiting', account: advisers[0]!.name }])
    expect((await call(calls.sendTest, await held(id))).status).toBe(422)
    expect(await run()).toBe(1)
    expect(await run()).toBe(0)
    const asked = app.wecom.embedded!.asked().slice(before)
    expect(asked.filter(path => path === '/cgi-bin/message/send')).toHaveLength(4)
    expect(await trials(id)).toMatchObject([{ state: 'sent', why: '' }])
    const [log] = await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.action, 'channel.welcome.sendTest'))
      .limit(1)
    expect(log).toBeDefined()
  })
  it('is refused to who has no account, and tells what WeCom said', async () => {
    const id = await on()
    await bind(null)
    const none = await call(calls.sendTest, await held(id))
    expect(none.status).toBe(422)
    expect(none.message).toContain('企微通讯录')
    await bind(me.id)
    const embedded = app.wecom.embedded!
    embedded.misbehave({ does: 'refuse', code: 81013, path: '/message/send' })
    await done(calls.sendTest, await held(id))
    await run()
    embedded.misbehave({ does: 'lose', path: '/message/send' })
    await done(calls.sendTest, await held(id))
    await run()
    const list = await trials(id)
    expect(list.map((one: { state: string }) => one.state)).toEqual(['unknown', 'failed'])
    expect(list[1].why).toContain('可见范围')
    expect(list[0].why).toContain('没有应答')
  })
  it('that a process left is not sent again', async () => {
    const id = await on()
    await done(calls.sendTest, await held(id))
    await database.db
      .update(wecom_welcome_trial)
      .set({ state: 'sending', taken_at: unixNow() })
      .where(eq(wecom_welcome_trial.welcome_id, id))
    expect(await run()).toBe(0)
    expect(await run(unixNow() + 400)).toBe(1)
    expect(await trials(id)).toMatchObject([{ state: 'unknown' }])
  })
})

describe('a message goes away', () => {
  it('for a reason that the log keeps, and not while a code names it', async () => {
    const id = await on({ scope: 'code', staff_ids: [] })
    const code_id = await codeNaming(id, 'held-code')
    const reason = '活动已结束'
    const kept = await call(calls.del, { ...(await held(id)), reason })
    expect(kept.message).toContain('活码')
    await database.db.delete(channel_code).where(eq(channel_code.id, code_id))
    expect((await call(calls.del, { ...(await held(id)), reason: '' })).status).toBe(400)
    await done(calls.del, { ...(await held(id)), reason })
    const rows = await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.action, 'channel.welcome.del'))
    expect(rows.some(row => row.object_id === id && row.reason === reason)).toBe(true)
  })
  it('only by who sees it, and the default not at all', async () => {
    const first = await theDefault()
    const one = { id: first.id, version: first.version }
    expect((await call(calls.disable, one)).status).toBe(422)
    expect((await call(calls.del, { ...one, reason: '不要了' })).status).toBe(422)
    const [theirs] = await freshAdvisers(database, 1, { mall_ids: [] })
    const local = await addStaff(database, {
      perms: ['channel.welcome.*'],
      role: { scope_type: 'mall', scope_ids: [1] },
    })
    const id = await on({ staff_ids: [theirs!.id] })
    const gone = { ...(await held(id)), reason: '不要了' }
    expect((await call(calls.del, gone, local.token)).status).toBe(404)
    expect((await call(calls.sendTest, await held(id), local.token)).status).toBe(404)
    expect((await call(calls.order, { scope: 'staff' }, local.token)).status).toBe(403)
  })
})
