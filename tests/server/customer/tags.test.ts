import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { takeTags } from '#src/areas/wecom/syncTags.server.ts'
import { runTagRules } from '#src/areas/wecom/tagRules.server.ts'
import { runTasks } from '#src/areas/wecom/tasks.server.ts'
import { wecom_follow, wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { wecom_tag_hit } from '#src/areas/wecom/wecomTag.table.ts'
import { wecom_note, wecom_task } from '#src/areas/wecom/wecomWork.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { customerTags as calls, type TagRow } from '#src/modules/customer/contract/tags.ts'
import { customerTagsServer } from '#src/modules/customer/server/tags.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { corpExternal, corpObjects, corpUser, saidBy, wecomPair } from '../../help/wecom.ts'
import { freshAdvisers, freshCustomer } from '../../help/wecomRows.ts'

let database: Database
let app: App
let client: WecomClient
let me: Awaited<ReturnType<typeof addStaff>>
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  client = wecomPair(database).client
  me = await addStaff(database, { perms: ['customer.tags.*'] })
}, 120_000)
const call = (what: Call, input: object = {}) => send(app, what, input, { token: me.token })
const tree = async (): Promise<TagRow[]> => (await call(calls.lst)).data.list
const tagNow = async (id: number) => (await tree()).find(one => one.is === 'tag' && one.of === id)!
const held = ({ of, version }: TagRow) => ({ id: of, version })
const said = ({ status, data }: { status: number; data: { rule?: string } }) => [status, data.rule]
/** Runs what waits for WeCom until nothing does. */
const settle = async () => {
  for (let at = 1; at < 8; at++) await runTasks({ database, client, now: unixNow() + at * 60 })
}
let made = 0
/** A group of a test's own, made in WeCom too. */
const freshGroup = async (...names: string[]) => {
  const answer = await call(calls.createGroup, { name: `测试组 ${++made}`, tags: names })
  expect(answer.status, answer.message).toBe(200)
  await settle()
  const rows = (await tree()).filter(one => one.parent_id === -answer.data.id)
  return { id: answer.data.id as number, tags: rows }
}
/** A customer whom an adviser in service follows, with tags, here and in WeCom. */
const someone = async (tag_ids: number[]) => {
  const [adviser] = await freshAdvisers(database, 1)
  const { id, external_userid } = await freshCustomer(database)
  await corpObjects(database, 'user', [corpUser(adviser!.userid)])
  await corpObjects(database, 'external', [corpExternal(external_userid, [adviser!.userid])])
  await database.transaction(tx =>
    applyRelations(tx, [{ customer_id: id, staff_id: adviser!.id, kind: 'add', at: now - 5000 }]),
  )
  await database.db
    .update(wecom_follow)
    .set({ tag_ids, updated_at: now - 90_000 })
    .where(eq(wecom_follow.customer_id, id))
  return id
}
const tagsOf = async (customer_id: number): Promise<number[]> =>
  (
    await database.db.select().from(wecom_follow).where(eq(wecom_follow.customer_id, customer_id))
  )[0]!.tag_ids
const inWecom = async () => saidBy(await client.tagGroups())
/** Takes what WeCom tells now, as the sync does; answers what became invalid. */
const retaken = async () => {
  const groups = await inWecom()
  return database.transaction(tx => takeTags(tx, groups))
}

describe('the vocabulary of tags', () => {
  it('is told to WeCom: made, named, ordered, deleted', async () => {
    expect(customerTagsServer.calls).toBe(calls)
    const group = await freshGroup('早餐', '午餐', '晚餐')
    expect(group.tags.map(tag => [tag.name, tag.state])).toEqual([
      ['早餐', 'active'],
      ['午餐', 'active'],
      ['晚餐', 'active'],
    ])
    const [first, second, third] = group.tags
    expect((await call(calls.rename, { ...held(second!), name: '下午茶' })).status).toBe(200)
    const ids = [third!.of, first!.of, second!.of]
    expect((await call(calls.sort, { group_id: group.id, ids })).status).toBe(200)
    await settle()
    const own = async () =>
      (await inWecom())
        .find(one => one.group_name === `测试组 ${made}`)!
        .tag.toSorted((a, b) => (b.order ?? 0) - (a.order ?? 0))
        .map(one => one.name)
    expect(await own()).toEqual(['晚餐', '早餐', '下午茶'])
    expect((await tree()).filter(one => one.parent_id === -group.id).map(one => one.name)).toEqual([
      '晚餐',
      '早餐',
      '下午茶',
    ])
    const wrong = await call(calls.sort, { group_id: group.id, ids: ids.slice(1) })
    expect(wrong.status).toBe(409)
    const gone = await call(calls.del, { ...held(await tagNow(first!.of)), reason: '不再使用' })
    expect(gone.status, gone.message).toBe(200)
    await settle()
    expect(await own()).toEqual(['晚餐', '下午茶'])
  })
  it('has a name once in a group, however it is written, and a tag in each group', async () => {
    const group = await freshGroup('VIP 会员', '散客')
    const twice = await call(calls.create, { group_id: group.id, names: ['ｖｉｐ　会员'] })
    expect([twice.status, Object.keys(twice.data.fields)]).toEqual([400, ['names']])
    const [vip, other] = group.tags
    const renamed = await call(calls.rename, { ...held(other!), name: 'Vip 会员' })
    expect(renamed.status).toBe(400)
    const both = await Promise.all(
      ['团购客', '团购客'].map(name => call(calls.create, { group_id: group.id, names: [name] })),
    )
    expect(both.map(one => one.status).toSorted()).toEqual([200, 400])
    await settle()
    const merged = {
      from_ids: [vip!.of, other!.of],
      to_id: (await tree()).find(
        one => one.is === 'tag' && one.parent_id !== -group.id && one.state === 'active',
      )!.of,
      replace: true,
    }
    const third = (await tree()).find(one => one.parent_id === -group.id && one.name === '团购客')!
    const last = { ...merged, from_ids: [...merged.from_ids, third.of] }
    expect(said(await call(calls.merge, last))).toEqual([422, 'group_empty'])
  })
  it('a tag that was refused by WeCom says so, and one whose answer was lost is made once', async () => {
    const answer = await call(calls.createGroup, { name: '丢失应答组', tags: ['只建一次'] })
    const lost: WecomClient = {
      ...client,
      addTags: async of => {
        await client.addTags(of)
        return { fault: { kind: 'silent', code: 0, text: ['无回应', 'No answer'], unknown: true } }
      },
    }
    await runTasks({ database, client: lost, now: unixNow() + 5 })
    await runTasks({ database, client, now: unixNow() + 600 })
    const groups = (await inWecom()).filter(one => one.group_name === '丢失应答组')
    expect(groups.map(one => one.tag.length)).toEqual([1])
    const [tag] = (await tree()).filter(one => one.parent_id === -answer.data.id)
    expect(tag).toMatchObject({ state: 'active', waiting: false })
  })
})

describe('merging and moving', () => {
  it('keeps each customer’s tag once, here and in WeCom', async () => {
    const { tags } = await freshGroup('亲子', '亲子客', '爱亲子', '其他')
    const [to, a, b] = tags.map(tag => tag.of) as [number, number, number]
    const people = [
      await someone([a]),
      await someone([a, b]),
      await someone([to, b].sort((x, y) => x - y)),
    ]
    const answer = await call(calls.merge, { from_ids: [a, b], to_id: to })
    expect([answer.status, answer.data.moved]).toEqual([200, 3])
    await settle()
    for (const id of people) expect(await tagsOf(id)).toEqual([to])
    const rows = await database.db
      .select()
      .from(wecom_tag)
      .where(inArray(wecom_tag.id, [a, b]))
    for (const row of rows) expect(row).toMatchObject({ status: 'deleted', replaced_by_id: to })
    expect((await inWecom()).flatMap(one => one.tag.map(tag => tag.name))).not.toContain('亲子客')
    // What WeCom still told while it was on its way is not brought back.
    await retaken()
    expect((await tree()).filter(one => one.of === a && one.is === 'tag')).toEqual([])
  })
  it('to another group keeps the customers, with a new id in WeCom', async () => {
    const { tags } = await freshGroup('周末到店', '平日到店')
    const other = await freshGroup('其他')
    const [tag] = tags
    const [before] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.id, tag!.of))
    const id = await someone([tag!.of])
    const moved = await call(calls.move, { ...held(tag!), group_id: other.id })
    expect(moved.status, moved.message).toBe(200)
    await settle()
    const [after] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.id, tag!.of))
    expect(after).toMatchObject({ group_id: other.id, status: 'active' })
    expect(after!.tag_id).not.toBe(before!.tag_id)
    expect(await tagsOf(id)).toEqual([tag!.of])
    const known = (await inWecom()).flatMap(one => one.tag.map(each => each.id))
    expect([known.includes(before!.tag_id), known.includes(after!.tag_id)]).toEqual([false, true])
    const last = (await tree()).find(one => one.parent_id === tag!.parent_id)!
    expect(said(await call(calls.move, { ...held(last), group_id: other.id }))).toEqual([
      422,
      'tag_move',
    ])
  })
  it('of a used tag lists who uses it, and puts another in its place when told', async () => {
    const { tags } = await freshGroup('活码标签', '替换标签', '其他')
    const [used, other] = tags
    const [code] = await database.db
      .select()
      .from(channel_code)
      .where(eq(channel_code.status, 'enabled'))
      .limit(1)
    await database.db
      .update(channel_code)
      .set({ tag_ids: [used!.of], body: { ...code!.body, tag_ids: [used!.of] } })
      .where(eq(channel_code.id, code!.id))
    const row = await tagNow(used!.of)
    expect(row.uses).toMatchObject([{ kind: 'code', id: code!.id }])
    const refused = await call(calls.del, { ...held(row), reason: '不再使用' })
    expect(said(refused)).toEqual([422, 'tag_used'])
    expect(refused.message).toContain(code!.name)
    const merge = { from_ids: [used!.of], to_id: other!.of }
    expect(said(await call(calls.merge, merge))).toEqual([422, 'tag_used'])
    const done = await call(calls.del, { ...held(row), reason: '不再使用', replace_id: other!.of })
    expect(done.status, done.message).toBe(200)
    const [after] = await database.db
      .select()
      .from(channel_code)
      .where(eq(channel_code.id, code!.id))
    expect([after!.tag_ids, after!.body.tag_ids]).toEqual([[other!.of], [other!.of]])
  })
})

describe('the sync of tags', () => {
  it('deletes nothing: a lost tag is invalid, and itself again once WeCom has its name', async () => {
    const { tags } = await freshGroup('会回来', '一直在')
    const [tag] = tags
    const [row] = await database.db.select().from(wecom_tag).where(eq(wecom_tag.id, tag!.of))
    saidBy(await client.deleteTags({ tag_id: [row!.tag_id] }))
    const gone = await retaken()
    expect(gone).toContain('会回来')
    expect(await tagNow(tag!.of)).toMatchObject({ state: 'invalid' })
    const group = (await inWecom()).find(one => one.tag.some(each => each.name === '一直在'))!
    saidBy(await client.addTags({ group_id: group.group_id, tag: [{ name: '会回来' }] }))
    await retaken()
    expect(await tagNow(tag!.of)).toMatchObject({ state: 'active', name: '会回来' })
  })
  it('that runs is joined', async () => {
    const first = await call(calls.sync)
    expect([first.status, first.data.joined]).toEqual([200, false])
    expect((await call(calls.sync)).data.joined).toBe(true)
  })
})

describe('rules', () => {
  it('give a tag once for each thing that happens, and only from then on', async () => {
    const { tags } = await freshGroup('爱停车', '其他')
    const id = await someone([])
    const rule = { kind: 'keyword', on: true, words: ['充电桩位置'] }
    const set = await call(calls.setRule, { ...held(tags[0]!), rule })
    expect(set.status, set.message).toBe(200)
    const tag_id = tags[0]!.of
    const note = (at: number) =>
      database.db
        .insert(wecom_note)
        .values({ customer_id: id, content: '问过充电桩位置怎么走', by_id: me.id, at })
    await note(now - 86_400)
    const run = (at: number) => runTagRules({ database, now: at })
    await run(unixNow() + 60)
    const hits = () =>
      database.db.$count(
        wecom_tag_hit,
        and(eq(wecom_tag_hit.tag_id, tag_id), eq(wecom_tag_hit.customer_id, id)),
      )
    expect(await hits()).toBe(0)
    await note(unixNow())
    await run(unixNow() + 120)
    await run(unixNow() + 180)
    expect(await hits()).toBe(1)
    const tasks = await database.db.$count(
      wecom_task,
      and(
        eq(wecom_task.customer_id, id),
        eq(wecom_task.kind, 'tag'),
        sql`${wecom_task.body} -> 'add' @> ${String(tag_id)}::jsonb`,
      ),
    )
    expect(tasks).toBe(1)
    await settle()
    expect(await tagsOf(id)).toEqual([tag_id])
    // Run back it finds what lies before the rule, each customer once.
    const back = await call(calls.runRule, { ...held(await tagNow(tag_id)), days: 30 })
    expect([back.status, back.data.rows]).toEqual([200, 1])
    const wrong = await call(calls.setRule, {
      ...held(await tagNow(tag_id)),
      rule: { kind: 'keyword', on: true },
    })
    expect(wrong.status).toBe(400)
  })
  it('of every kind can be looked for', async () => {
    const { tags } = await freshGroup('规则试跑', '其他')
    const kinds = [
      { kind: 'spend', on: true, min_cents: 100, mall_ids: [1] },
      { kind: 'verify', on: true },
      { kind: 'visit', on: true },
      { kind: 'join', on: true, group_ids: [1] },
    ]
    for (const rule of kinds) {
      const set = await call(calls.setRule, { ...held(await tagNow(tags[0]!.of)), rule })
      expect(set.status, set.message).toBe(200)
      await runTagRules({ database, now: unixNow() + 60 })
      const back = await call(calls.runRule, { ...held(await tagNow(tags[0]!.of)), days: 365 })
      expect([200, 422]).toContain(back.status)
    }
    const off = await call(calls.setRule, { ...held(await tagNow(tags[0]!.of)), rule: null })
    expect(off.status).toBe(200)
    const none = await call(calls.runRule, { ...held(await tagNow(tags[0]!.of)), days: 7 })
    expect(said(none)).toEqual([422, 'tag_runRule'])
    expect(await database.db.$count(wecom_tag, sql`auto_rule is not null`)).toBeGreaterThan(0)
  })
})
