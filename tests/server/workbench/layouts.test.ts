import { readFileSync } from 'node:fs'
import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { admin, department, role } from '#src/areas/people/people.table.ts'
import { layout, layout_link } from '#src/areas/workbench/layout.table.ts'
import { PANES_MAX } from '#src/areas/workbench/layout.ts'
import type { Call } from '#src/contract/call.ts'
import { layouts as calls, type LayoutRow } from '#src/modules/workbench/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
type Person = Awaited<ReturnType<typeof addStaff>>
let anna: Person
let bert: Person
let chief: Person
let clerk: Person
/** A department with one below it, and one beside. */
let upper: number
let lower: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const [top] = await database.db
    .insert(department)
    .values({ name: '布局测试部', path: '' })
    .returning()
  upper = top!.id
  await database.db
    .update(department)
    .set({ path: `/${upper}/` })
    .where(eq(department.id, upper))
  const [below] = await database.db
    .insert(department)
    .values({ name: '布局测试组', parent_id: upper, path: '' })
    .returning()
  lower = below!.id
  await database.db
    .update(department)
    .set({ path: `/${upper}/${lower}/` })
    .where(eq(department.id, lower))
  anna = await addStaff(database, { staff: { department_id: lower } })
  bert = await addStaff(database)
  chief = await addStaff(database, {
    perms: ['home.publishLayout'],
    staff: { department_id: upper },
  })
  clerk = await addStaff(database, { perms: ['home.recommendLayout'] })
})
const call = (what: Call, input: object, who: Person) =>
  send(app, what, input, { token: who.token })
const two = {
  v: 2,
  panes: [{ at: '/manage/order/bulks?phone=13812345678', channel: 1 }, { at: '/manage' }],
  tree: 'r(30.,70.)',
  focus: 1,
  maximised: false,
} as const
const lone = { v: 2, panes: [{ at: '/manage' }], tree: '.', focus: 0, maximised: false } as const
const listOf = async (who: Person): Promise<LayoutRow[]> =>
  (await call(calls.lst, {}, who)).data.list
const named = async (name: string, who: Person) =>
  (await listOf(who)).find(row => row.name === name)
const lastLog = async (who: Person) =>
  (
    await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.admin_id, who.id), eq(op_log.object_type, 'layout')))
      .orderBy(desc(op_log.id))
      .limit(1)
  )[0]

describe('one’s own', () => {
  it('is saved, renamed, overwritten and deleted by its owner, and seen by nobody else', async () => {
    const made = (await call(calls.save, { name: '早班', state: two }, anna)).data as LayoutRow
    expect(made).toMatchObject({
      name: '早班',
      kind: 'mine',
      state: two,
      version: 0,
      may_change: true,
      start: false,
    })
    expect([
      await named('早班', anna),
      await named('早班', bert),
      await named('早班', chief),
    ]).toMatchObject([{ id: made.id }, undefined, undefined])
    const renamed = (await call(calls.rename, { id: made.id, version: 0, name: '夜班' }, anna))
      .data as LayoutRow
    expect(
      (await call(calls.overwrite, { id: made.id, version: renamed.version, state: lone }, anna))
        .data,
    ).toMatchObject({ name: '夜班', state: lone, version: 2 })
    expect((await call(calls.del, { id: made.id, version: 2 }, anna)).data).toEqual({
      id: made.id,
      deleted: true,
    })
    expect(await named('夜班', anna)).toBeUndefined()
  })
  it('is to nobody else there: opening, overwriting, deleting answer as for one that is not', async () => {
    const made = (await call(calls.save, { name: '私有', state: two }, anna)).data as LayoutRow
    for (const [what, more] of [
      [calls.overwrite, { state: lone }],
      [calls.rename, { name: 'x' }],
      [calls.del, {}],
    ] as const)
      expect(
        (await call(what, { id: made.id, version: made.version, ...more }, chief)).status,
      ).toBe(404)
  })
  it('has a name once, said at the field', async () => {
    await call(calls.save, { name: '同名', state: two }, anna)
    expect(await call(calls.save, { name: '同名', state: lone }, anna)).toMatchObject({
      status: 400,
      data: { fields: { name: '已有同名布局，请换一个名称' } },
    })
    expect((await call(calls.save, { name: '同名', state: lone }, bert)).status).toBe(200)
  })
  it('is not overwritten by a window that saw an older one: the loser is told who and when', async () => {
    const made = (await call(calls.save, { name: '两个窗口', state: two }, anna)).data as LayoutRow
    const both = await Promise.all([
      call(calls.overwrite, { id: made.id, version: 0, state: lone }, anna),
      call(calls.overwrite, { id: made.id, version: 0, state: two }, anna),
    ])
    expect(both.map(one => one.status).sort()).toEqual([200, 409])
    expect(both.find(one => one.status === 409)!.message).toMatch(
      /^「两个窗口」已被你在另一个窗口于 \d{4}-.* 修改/,
    )
  })
  it('leaves in the log which pages it has, and nothing of what was searched for in them', async () => {
    const made = (await call(calls.save, { name: '留痕', state: two }, anna)).data as LayoutRow
    const line = await lastLog(anna)
    expect(line).toMatchObject({
      object_id: made.id,
      object_label: '留痕',
      after: { name: '留痕', kind: 'mine', pages: ['/manage/order/bulks', '/manage'] },
    })
    expect(JSON.stringify(line)).not.toContain('13812345678')
  })
})

describe('the team’s', () => {
  it('is published by whoever may, and seen in the department and below it, not beside it', async () => {
    expect((await call(calls.publish, { name: '早会', state: two }, anna)).status).toBe(403)
    const made = (await call(calls.publish, { name: '早会', state: two }, chief)).data as LayoutRow
    expect(made).toMatchObject({ kind: 'team', for_name: '布局测试部', may_change: true })
    expect([await named('早会', anna), await named('早会', bert)]).toMatchObject([
      { id: made.id, may_change: false },
      undefined,
    ])
    expect(
      (await call(calls.overwrite, { id: made.id, version: 0, state: lone }, anna)).status,
    ).toBe(403)
    expect(
      (await call(calls.overwrite, { id: made.id, version: 0, state: lone }, bert)).status,
    ).toBe(404)
  })
  it('needs a team', async () => {
    const alone = await addStaff(database, { perms: ['home.publishLayout'] })
    expect(await call(calls.publish, { name: 'x', state: two }, alone)).toMatchObject({
      status: 422,
      message: '你还没有所属部门，无法发布给团队；请联系管理员设置部门',
    })
  })
})

describe('the recommended', () => {
  it('begins the workbench of its role: of several roles the first that has one', async () => {
    const [other] = await database.db
      .insert(role)
      .values({ name: '布局第二角色', code: 'layout_second', perms: [] })
      .returning()
    const person = await addStaff(database)
    await database.db
      .update(admin)
      .set({ role_ids: [person.role_id, other!.id] })
      .where(eq(admin.id, person.id))
    expect(
      (await call(calls.recommend, { role_id: other!.id, name: '推荐二', state: two }, chief))
        .status,
    ).toBe(403)
    expect(
      (await call(calls.recommend, { role_id: other!.id, name: '推荐二', state: two }, clerk))
        .status,
    ).toBe(200)
    expect(await listOf(person)).toMatchObject([
      { name: '推荐二', kind: 'role', for_name: '布局第二角色', start: true, may_change: false },
    ])
    await call(calls.recommend, { role_id: person.role_id, name: '推荐一', state: lone }, clerk)
    expect((await listOf(person)).map(row => [row.name, row.start])).toEqual([
      ['推荐一', true],
      ['推荐二', false],
    ])
    expect(await named('推荐一', bert)).toBeUndefined()
  })
  it('gives way to another one only for whoever has seen it', async () => {
    const first = (
      await call(calls.recommend, { role_id: bert.role_id, name: '甲', state: two }, clerk)
    ).data as LayoutRow
    expect(
      (await call(calls.recommend, { role_id: bert.role_id, name: '乙', state: lone }, clerk))
        .status,
    ).toBe(409)
    expect(
      (
        await call(
          calls.recommend,
          { role_id: bert.role_id, name: '乙', state: lone, version: first.version },
          clerk,
        )
      ).data,
    ).toMatchObject({ id: first.id, name: '乙', version: 1 })
  })
  it('is for a role that is there', async () => {
    expect(
      (await call(calls.recommend, { role_id: 2147483647, name: 'x', state: lone }, clerk)).data
        .fields.role_id,
    ).toBe('没有这个角色，请重新选择')
  })
})

describe('a link', () => {
  it('is short, the same for the same layout, and opened by every colleague', async () => {
    const { code } = (await call(calls.link, { state: two }, anna)).data as { code: string }
    expect(code).toMatch(/^\w{12}$/)
    expect((await call(calls.link, { state: two }, anna)).data).toEqual({ code })
    expect((await call(calls.link, { state: lone }, anna)).data).not.toEqual({ code })
    expect((await call(calls.linked, { code }, bert)).data).toMatchObject({
      state: two,
      by_name: anna.account,
    })
    expect((await send(app, calls.linked, { code })).status).toBe(410000)
  })
  it('that is unknown or not whole says so in clear words', async () => {
    expect(await call(calls.linked, { code: 'AAAAAAAAAAAA' }, bert)).toMatchObject({
      status: 404,
      message: '布局链接不存在或已失效，请向分享者要一个新的',
    })
    expect(await call(calls.linked, { code: 'x' }, bert)).toMatchObject({
      status: 400,
      data: { fields: { code: '格式不正确' } },
    })
  })
  it('written by an older version is answered as it is: the console brings it up to date', async () => {
    const old = JSON.parse(readFileSync('tests/shell/layout-v1.json', 'utf8')) as Record<
      string,
      unknown
    >
    await database.db
      .insert(layout_link)
      .values({ code: 'oLdLinkCodeA', admin_id: anna.id, state: old, hash: 'old', used_at: 0 })
    await database.db
      .insert(layout)
      .values({ kind: 'mine', admin_id: bert.id, changed_by: bert.id, name: '旧版', state: old })
    expect((await call(calls.linked, { code: 'oLdLinkCodeA' }, bert)).data.state).toEqual(old)
    expect((await named('旧版', bert))!.state).toEqual(old)
  })
})

describe('rubbish', () => {
  const more = (state: object) => ({ ...two, ...state })
  const bad: [string, object, string][] = [
    ['a tree that can’t be read', more({ tree: 'r(50.,50' }), 'state.tree'],
    ['more places than panes', more({ tree: 'r(30.,30.,40.)' }), 'state.tree'],
    ['a focus outside', more({ focus: 2 }), 'state.focus'],
    ['no panes', more({ panes: [], tree: '.' }), 'state.panes'],
    [
      'a page outside the console',
      more({ panes: [{ at: 'https://evil.example' }, { at: '/manage' }] }),
      'state.panes.0.at',
    ],
    [
      'a channel that is none',
      more({ panes: [{ at: '/manage', channel: 7 }, { at: '/manage' }] }),
      'state.panes.0.channel',
    ],
    ['a version that is not written', more({ v: 1 }), 'state.v'],
    ['a field that is unknown', more({ owner: 1 }), 'state.owner'],
    [
      'more panes than fit',
      {
        ...two,
        panes: Array.from({ length: PANES_MAX + 1 }, () => ({ at: '/manage' })),
        tree: '.',
      },
      'state.panes',
    ],
    [
      'a tree without end',
      more({ tree: `${'r(50.,50'.repeat(120)}.${')'.repeat(120)}` }),
      'state.tree',
    ],
  ]
  it.each(bad)('is refused at its field: %s', async (_, state, field) => {
    for (const what of [calls.save, calls.link]) {
      const said = await call(what, { ...(what === calls.save && { name: '坏' }), state }, anna)
      expect([said.status, Object.keys(said.data.fields)]).toEqual([
        400,
        expect.arrayContaining([field]),
      ])
      expect(said.data.fields[field]).toMatch(/[一-鿿]/)
    }
  })
})
