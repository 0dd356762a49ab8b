import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group, wecom_group_move } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import { sendNotices, tellTemplates } from '#src/areas/welcome/groupTelling.server.ts'
import {
  wecom_group_welcome,
  wecom_group_welcome_chat,
  wecom_group_welcome_notice,
} from '#src/areas/welcome/groupWelcome.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { groupsWelcome as calls } from '#src/modules/channel/contract/groupsWelcome.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshAdvisers } from '../../help/wecomRows.ts'

const t = wecom_group_welcome
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let advisers: Awaited<ReturnType<typeof freshAdvisers>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['channel.groupsWelcome.*'] })
  advisers = await freshAdvisers(database, 2)
  await database.db.insert(wecom_corp_object).values(
    advisers.map(({ userid, name }) => ({
      kind: 'user' as const,
      key: userid,
      body: { userid, name, department: [1], status: 1 },
    })),
  )
}, 120_000)
beforeEach(async () => {
  await database.db.delete(wecom_group_welcome_chat)
  await database.db.delete(t)
})

let keys = 0
const call = (what: Call, input: object, token = me.token) =>
  send(app, what, input, { token, key: `group-welcome-${++keys}` })
const done = async (what: Call, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const written = (more: object = {}) => ({
  name: '测试群欢迎',
  mall_id: null,
  text: '欢迎{客户昵称}',
  attachment: null,
  notify: false,
  ...more,
})
const now = async (id: number) => (await database.db.select().from(t).where(eq(t.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await now(id)).version })
const made = async (more: object = {}): Promise<number> =>
  (await done(calls.create, written(more))).id
let chats = 0
const freshChat = async (more: object = {}): Promise<number> => {
  const [chat] = await database.db
    .insert(wecom_group)
    .values({
      chat_id: `wrOwn${++chats}`,
      name: `自建群${chats}`,
      owner_id: advisers[0]!.id,
      opened_at: unixNow(),
      synced_at: unixNow(),
      ...more,
    })
    .returning({ id: wecom_group.id })
  return chat!.id
}
const running = (at = unixNow()) => ({
  database,
  client: app.install.wecom,
  picture: async () => Buffer.alloc(64),
  now: at,
})
const row = async (id: number) => (await done(calls.lst, { id })).list[0]

describe('a template', () => {
  it('is told to WeCom as it stands, changed there, and deleted there', async () => {
    const id = await made()
    expect((await now(id)).work).toBe('waiting')
    expect(await tellTemplates(running())).toBe(1)
    const first = await now(id)
    expect(first).toMatchObject({ work: 'done', told_n: 1 })
    const body = async () =>
      (
        await database.db
          .select({ body: wecom_corp_object.body })
          .from(wecom_corp_object)
          .where(eq(wecom_corp_object.key, first.template_id!))
      )[0]?.body
    expect(await body()).toMatchObject({ text: { content: '欢迎%NICKNAME%' } })
    const link = { kind: 'link', title: '活动', desc: '', url: 'https://m.example.com' }
    await done(calls.edit, { ...(await held(id)), ...written({ attachment: link }) })
    await tellTemplates(running())
    expect(await body()).toMatchObject({ link: { title: '活动' } })
    expect(await now(id)).toMatchObject({ work: 'done', content_n: 2, told_n: 2 })
    await done(calls.del, { ...(await held(id)), reason: '不再使用' })
    expect((await done(calls.lst, { id })).list).toEqual([])
    expect((await call(calls.copy, await held(id))).status).toBe(404)
    await tellTemplates(running())
    expect(await body()).toBeUndefined()
    expect(await now(id)).toBeUndefined()
    const logs = await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.action, 'channel.groupsWelcome.del'))
    expect(logs.some(log => log.object_id === id && log.reason === '不再使用')).toBe(true)
  })
  it('that WeCom refuses says why; one that was not answered is told again', async () => {
    const id = await made()
    const embedded = app.wecom.embedded!
    embedded.misbehave({ does: 'refuse', code: 41065, path: '/group_welcome_template/add' })
    await tellTemplates(running())
    expect(await row(id)).toMatchObject({ work: 'failed', errcode: 41065 })
    expect((await row(id)).why).toContain('附件')
    expect(
      (await call(calls.apply, { ...(await held(id)), chat_ids: [await freshChat()] })).status,
    ).toBe(422)
    await done(calls.edit, { ...(await held(id)), ...written() })
    embedded.misbehave({ does: 'drop', path: '/group_welcome_template/add' })
    await tellTemplates(running())
    expect((await now(id)).work).toBe('waiting')
    expect((await row(id)).why).toContain('没有应答')
    await tellTemplates(running(unixNow() + 4000))
    expect((await now(id)).work).toBe('done')
  })
  it('says what a group can be told, and no more than one card', async () => {
    const faults = async (more: object) => {
      const said = await call(calls.create, written(more))
      expect(said.status).toBe(400)
      return said.data.fields as Record<string, string>
    }
    expect((await faults({ text: '我是{员工姓名}' }))['text']).toContain('{员工姓名}')
    expect((await faults({ text: '你好{昵称}' }))['text']).toContain('{昵称}')
    expect((await faults({ text: '' }))['text']).toBeTruthy()
    expect((await faults({ text: '好'.repeat(1001) }))['text']).toContain('3000')
    const link = { kind: 'link', title: '活动', desc: '', url: 'http://m.example.com' }
    expect((await faults({ attachment: link }))['attachment']).toContain('https')
    expect((await call(calls.create, written({ text: '好'.repeat(1000) }))).status).toBe(200)
  })
  it('is the hundredth at most', async () => {
    const at = unixNow()
    await database.db.insert(t).values(
      Array.from({ length: 99 }, (_, of) => ({
        name: `第 ${of}`,
        text: '欢迎',
        next_at: at,
        edited_at: at,
      })),
    )
    const last = await made()
    const said = await call(calls.create, written())
    expect(said.status).toBe(422)
    expect(said.message).toContain('已有 100 个')
    expect((await call(calls.copy, await held(last))).status).toBe(422)
  })
})

describe('chats', () => {
  it('get one template each, and turn from the one that they had', async () => {
    const [a, b] = [await made(), await made({ name: '另一条' })]
    const [one, two] = [await freshChat(), await freshChat()]
    await done(calls.apply, { ...(await held(a)), chat_ids: [one, two] })
    expect((await row(a)).chats.map((chat: { id: number }) => chat.id)).toEqual([one, two])
    const offered = (await done(calls.chats, { id: b, keyword: '自建群' })).list
    expect(offered.find((chat: { id: number }) => chat.id === one)).toMatchObject({
      now: '测试群欢迎',
    })
    await done(calls.apply, { ...(await held(b)), chat_ids: [two] })
    expect((await row(a)).chats_n).toBe(1)
    expect((await done(calls.applied, { id: b })).list).toMatchObject([{ id: two }])
    const wrong = await call(calls.unapply, { ...(await held(b)), chat_ids: [one] })
    expect(wrong.status).toBe(422)
    await done(calls.unapply, { ...(await held(b)), chat_ids: [two] })
    expect((await call(calls.unapply, { ...(await held(b)), chat_ids: [two] })).status).toBe(422)
  })
  it('of an owner out of service, of another mall or dismissed get none', async () => {
    const id = await made({ mall_id: 1 })
    const [gone] = await freshAdvisers(database, 1)
    await database.db
      .update(wecom_staff)
      .set({ status: 'left' })
      .where(eq(wecom_staff.id, gone!.id))
    const why = async (more: object) => {
      const chat_ids = [await freshChat(more)]
      const said = await call(calls.apply, { ...(await held(id)), chat_ids })
      expect(said.status).toBe(422)
      return said.message
    }
    expect(await why({ mall_id: 1, owner_id: gone!.id })).toContain('群主不在职')
    expect(await why({ mall_id: 2 })).toContain('商场')
    expect(await why({ mall_id: 1, status: 'dismissed' })).toContain('解散')
    const chat = await freshChat({ mall_id: 1 })
    await done(calls.apply, { ...(await held(id)), chat_ids: [chat] })
    const moved = await call(calls.edit, { ...(await held(id)), ...written({ mall_id: 2 }) })
    expect(moved.data.fields['mall_id']).toContain('自建群')
  })
  it('keep a template from going until they get another', async () => {
    const [a, b] = [await made(), await made({ name: '接替' })]
    const chat = await freshChat()
    await done(calls.apply, { ...(await held(a)), chat_ids: [chat] })
    const said = await call(calls.del, { ...(await held(a)), reason: '换季' })
    expect(said.status).toBe(422)
    expect(said.message).toContain('自建群')
    const itself = { ...(await held(a)), reason: '换季', replace_id: a }
    expect((await call(calls.del, itself)).status).toBe(422)
    await done(calls.del, { ...(await held(a)), reason: '换季', replace_id: b })
    expect((await row(b)).chats.map((one: { id: number }) => one.id)).toEqual([chat])
  })
  it('get one message for joins that follow each other closely', async () => {
    const id = await made()
    const chat = await freshChat()
    await done(calls.apply, { ...(await held(id)), chat_ids: [chat] })
    const at = unixNow()
    await database.db
      .update(wecom_group_welcome_chat)
      .set({ applied_at: at - 3 * DAY })
      .where(eq(wecom_group_welcome_chat.group_id, chat))
    const join = (userid: string, ago: number) => ({
      group_id: chat,
      userid,
      kind: 'join' as const,
      scene: 'qrcode' as const,
      day: dateOf(at - ago),
      at: at - ago,
    })
    await database.db
      .insert(wecom_group_move)
      .values([
        join('a', 5000),
        join('b', 4900),
        join('c', 4400),
        join('d', 100),
        join('e', 4 * DAY),
      ])
    expect(await row(id)).toMatchObject({ joins_7d: 4, sends_7d: 2 })
  })
})

describe('owners', () => {
  it('are reminded once for all their chats, and again after an hour', async () => {
    const id = await made({ notify: true })
    const [one, two] = [await freshChat(), await freshChat()]
    const applied = await done(calls.apply, { ...(await held(id)), chat_ids: [one, two] })
    expect(applied.reminded).toBe(1)
    expect(await sendNotices(running())).toBe(1)
    expect(await sendNotices(running())).toBe(0)
    expect((await done(calls.notices, { id })).list).toMatchObject([
      { state: 'sent', owner: advisers[0]!.name, why: '' },
    ])
    expect((await done(calls.notifyOwner, await held(id))).reminded).toBe(1)
    const again = await call(calls.notifyOwner, await held(id))
    expect(again.status).toBe(422)
    expect(again.message).toContain('1 小时内')
    await database.db
      .update(t)
      .set({ notified_at: unixNow() - 3601 })
      .where(eq(t.id, id))
    await done(calls.notifyOwner, await held(id))
    app.wecom.embedded!.misbehave({ does: 'refuse', code: 81013, path: '/message/send' })
    await sendNotices(running())
    const states = (await done(calls.notices, { id })).list.map(
      (notice: { state: string }) => notice.state,
    )
    expect(states.toSorted()).toEqual(['failed', 'sent', 'sent'])
  })
  it('of no chat are none, and one that a process left is not reminded again', async () => {
    const id = await made()
    expect((await call(calls.notifyOwner, await held(id))).status).toBe(422)
    await done(calls.apply, { ...(await held(id)), chat_ids: [await freshChat()] })
    await done(calls.notifyOwner, await held(id))
    await database.db
      .update(wecom_group_welcome_notice)
      .set({ state: 'sending', taken_at: unixNow() })
    expect(await sendNotices(running())).toBe(0)
    expect(await sendNotices(running(unixNow() + 400))).toBe(1)
    expect((await done(calls.notices, { id })).list[0].state).toBe('unknown')
  })
})

describe('whoever sees a mall alone', () => {
  it('keeps to templates and chats of it', async () => {
    const local = await addStaff(database, {
      perms: ['channel.groupsWelcome.*'],
      role: { scope_type: 'mall', scope_ids: [1] },
    })
    const [house, mine] = [await made(), await made({ mall_id: 1 })]
    const list = (await call(calls.lst, { pageSize: 100 }, local.token)).data.list
    expect(list.map((one: { id: number }) => one.id)).toEqual([mine])
    expect((await call(calls.copy, await held(house), local.token)).status).toBe(404)
    expect((await call(calls.create, written(), local.token)).status).toBe(403)
    const chat_ids = [await freshChat({ mall_id: 2 })]
    const input = { ...(await held(mine)), chat_ids }
    expect((await call(calls.apply, input, local.token)).status).toBe(404)
  })
  it('is told who was quicker', async () => {
    const id = await made()
    const before = await held(id)
    await done(calls.edit, { ...before, ...written({ name: '先改的' }) })
    expect((await call(calls.edit, { ...before, ...written() })).status).toBe(409)
  })
})
