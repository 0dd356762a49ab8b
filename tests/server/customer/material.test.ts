import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { wecom_send_task } from '#src/areas/wecom/wecomSend.table.ts'
import { wecom_material, wecom_material_content } from '#src/areas/wecomMaterial/material.table.ts'
import { renewWanted } from '#src/areas/wecomMaterial/media.server.ts'
import { wecom_media } from '#src/areas/wecomMaterial/media.table.ts'
import { wecom_group_welcome } from '#src/areas/welcome/groupWelcome.table.ts'
import { wecom_welcome, wecom_welcome_content } from '#src/areas/welcome/welcome.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { channelWelcome } from '#src/modules/channel/contract/welcome.ts'
import {
  customerMaterials as calls,
  type MaterialRow,
} from '#src/modules/customer/contract/material.ts'
import { addStaff } from '../../help/app.ts'
import { FILE, materialDesk } from '../../help/materialDesk.ts'

const { desk, call, done, row, one, made, on, link, written } = materialDesk()
const welcomed = async (ids: number[], more: object = {}): Promise<number> => {
  const said = await done(channelWelcome.create, {
    name: '带素材的欢迎语',
    scope: 'code',
    mall_id: null,
    department_ids: [],
    staff_ids: [],
    priority: 100,
    hours: [],
    text: '你好',
    attachments: ids.map(id => ({ kind: 'material', id })),
    coupon_id: null,
    ...more,
  })
  return said.id
}
const welcome = async (id: number) =>
  (await desk.database.db.select().from(wecom_welcome).where(eq(wecom_welcome.id, id)))[0]!
const turnOn = async (id: number) =>
  done(channelWelcome.enable, { id, version: (await welcome(id)).version })
const reason = '换新素材'

describe('a material', () => {
  it('is written as a draft of its kind, with the fault of each field told', async () => {
    const id = await made()
    expect(await row(id)).toMatchObject({ status: 'draft', kind: 'link', content_n: 1, uses_n: 0 })
    const faulty = async (more: object) =>
      Object.keys((await call(calls.create, written(more))).data.fields)
    expect(await faulty({ body: link('国家级') })).toEqual(['body'])
    expect(await faulty({ title: '绝对划算' })).toEqual(['title'])
    expect(await faulty({ body: link('好', 'http://a.cn') })).toEqual(['body'])
    expect(await faulty({ body: { kind: 'image', key: 'test/nowhere.png' } })).toEqual(['body'])
    expect(await faulty({ body: { kind: 'file', key: 'test/large.pdf' } })).toEqual(['body'])
    expect(await faulty({ valid_to_at: unixNow() - 5 })).toEqual(['valid_to_at'])
    expect(await faulty({ category: '' })).toEqual(['category'])
  })
  it('says a new version after an edit, and keeps what it said', async () => {
    const id = await on()
    await done(calls.edit, { ...(await one(id)), ...written({ body: link('二稿') }) })
    expect((await row(id)).content_n).toBe(2)
    // Where it stands is no version.
    await done(calls.edit, {
      ...(await one(id)),
      ...written({ body: link('二稿'), category: '别处' }),
    })
    expect((await row(id)).content_n).toBe(2)
    const { list } = await done(calls.versions, { id })
    expect(list.map((at: { n: number; body: { title: string } }) => [at.n, at.body.title])).toEqual(
      [
        [2, '二稿'],
        [1, '活动'],
      ],
    )
    const other = { ...(await one(id)), ...written({ body: { kind: 'text', text: '好' } }) }
    expect(Object.keys((await call(calls.edit, other)).data.fields)).toEqual(['body'])
  })
  it('tells who was quicker', async () => {
    const id = await made()
    const held = await one(id)
    await done(calls.edit, { ...held, ...written({ title: '先改' }) })
    const late = await call(calls.edit, { ...held, ...written({ title: '后改' }) })
    expect(late.status).toBe(409)
    expect((await row(id)).title).toBe('先改')
  })
  it('is changed once by two at the same time, and its versions stay in a row', async () => {
    const id = await on()
    const held = await one(id)
    const said = await Promise.all(
      ['甲稿', '乙稿', '丙稿'].map(title =>
        call(calls.edit, { ...held, ...written({ body: link(title) }) }),
      ),
    )
    expect(said.map(answer => answer.status).toSorted()).toEqual([200, 409, 409])
    const now = await row(id)
    const kept = await desk.database.db
      .select()
      .from(wecom_material_content)
      .where(eq(wecom_material_content.material_id, id))
    expect(kept.map(content => content.n).toSorted()).toEqual([1, 2])
    expect(kept.find(content => content.n === 2)!.body).toEqual(now.body)
  })
  it('is turned off or changed, whichever is first, and never both', async () => {
    const id = await on()
    const held = await one(id)
    const [edited, off] = await Promise.all([
      call(calls.edit, { ...held, ...written({ body: link('改稿') }) }),
      call(calls.disable, { ...held, reason }),
    ])
    expect([edited!.status, off!.status].toSorted()).toEqual([200, 409])
    expect(await row(id)).toMatchObject(
      off!.status === 200
        ? { status: 'disabled', content_n: 1 }
        : { status: 'enabled', content_n: 2 },
    )
  })
  it('is turned on unless its end is over, copied as a draft, and moved with others', async () => {
    const id = await made()
    await desk.database.db
      .update(wecom_material)
      .set({ valid_to_at: unixNow() - DAY })
      .where(eq(wecom_material.id, id))
    expect((await call(calls.enable, await one(id))).data.rule).toBe('material_enable')
    const copy = (await done(calls.copy, await one(id))).id
    expect(await row(copy)).toMatchObject({
      status: 'draft',
      valid_to_at: null,
      title: '试用素材 副本',
    })
    const moved = await done(calls.move, { ids: [id, copy], category: '归档' })
    expect(moved.ok).toEqual([id, copy])
    const again = await done(calls.move, { ids: [id], category: '归档' })
    expect(again.failed[0].code).toBe('same_category')
  })
  it('is kept by its owner: others than headquarters change their own', async () => {
    const id = await made()
    const local = await addStaff(desk.database, {
      perms: ['customer.material.*', 'channel.welcome.*', 'channel.groupsWelcome.*'],
      role: { scope_type: 'mall', scope_ids: [1] },
    })
    const held = await one(id)
    const refused = await call(calls.edit, { ...held, ...written() }, local.token)
    expect([refused.status, refused.data.rule]).toEqual([422, 'not_yours'])
    const own = await call(calls.create, written(), local.token)
    expect(own.status).toBe(200)
    const edited = await call(
      calls.edit,
      { id: own.data.id, version: own.data.version, ...written({ title: '自己的' }) },
      local.token,
    )
    expect(edited.status).toBe(200)
  })
})

describe('what carries a material', () => {
  it('is named, keeps it from being deleted or turned off, and turns to another one', async () => {
    const [id, other, text] = [
      await on(),
      await on({ title: '替身' }),
      await on({ body: { kind: 'text', text: '好' } }),
    ]
    const greeting = await welcomed([id])
    await turnOn(greeting)
    expect((await row(id)).uses).toMatchObject([
      { holder: 'welcome', id: greeting, live: true, name: '带素材的欢迎语' },
    ])
    for (const what of [calls.del, calls.disable]) {
      const said = await call(what, { ...(await one(id)), reason })
      expect([said.status, said.data.rule]).toEqual([422, 'material_used'])
      expect(said.message).toContain('带素材的欢迎语')
    }
    const odd = await call(calls.replace, { ...(await one(id)), replace_id: text })
    expect(Object.keys(odd.data.fields)).toEqual(['replace_id'])
    const said = await done(calls.del, { ...(await one(id)), reason, replace_id: other })
    expect(said).toEqual({ id, deleted: true })
    expect((await done(calls.lst, { id })).list).toEqual([])
    const after = await welcome(greeting)
    expect(after.attachments).toEqual([{ kind: 'material', id: other }])
    // It is a version of the message, and a line of its log.
    const contents = await desk.database.db
      .select()
      .from(wecom_welcome_content)
      .where(eq(wecom_welcome_content.welcome_id, greeting))
    expect(contents.map(of => of.n)).toContain(after.content_n)
    const log = await desk.database.db.select().from(op_log).where(eq(op_log.object_id, greeting))
    expect(
      log.some(line => line.object_type === 'wecom_welcome' && line.fields.includes('attachments')),
    ).toBe(true)
  })
  it('carries each material once when two become one', async () => {
    const [id, other] = [await on(), await on()]
    const greeting = await welcomed([id, other])
    await done(calls.replace, { ...(await one(id)), replace_id: other })
    expect((await welcome(greeting)).attachments).toEqual([{ kind: 'material', id: other }])
    expect((await row(id)).uses_n).toBe(0)
  })
  it('takes none that is off, past its end, or not there', async () => {
    const draft = await made()
    const refused = async (ids: number[]) => {
      const said = await call(channelWelcome.create, {
        name: '不可用',
        scope: 'code',
        mall_id: null,
        department_ids: [],
        staff_ids: [],
        priority: 100,
        hours: [],
        text: '你好',
        attachments: ids.map(id => ({ kind: 'material', id })),
        coupon_id: null,
      })
      return said.data.fields.attachments as string
    }
    expect(await refused([draft])).toContain('未启用')
    expect(await refused([2_000_000_000])).toContain('已删除')
    const twice = await on()
    expect(await refused([twice, twice])).toContain('一次')
  })
  it('may not grow beyond what a welcome with it may say, and the welcome is named', async () => {
    const text = (n: number) => ({ kind: 'text', text: '字'.repeat(n) })
    const [id, long] = [await on({ body: text(10) }), await on({ body: text(1200) })]
    await welcomed([id], { name: '容不下的欢迎语', text: '好'.repeat(500) })
    const growing = { ...(await one(id)), ...written({ body: text(900) }) }
    const said = await call(calls.edit, growing)
    expect(said.status).toBe(400)
    expect(said.data.fields.body).toContain('容不下的欢迎语')
    const replaced = await call(calls.replace, { ...(await one(id)), replace_id: long })
    expect([replaced.status, Object.keys(replaced.data.fields)]).toEqual([400, ['replace_id']])
    expect((await row(id)).body).toEqual(text(10))
    await done(calls.edit, { ...(await one(id)), ...written({ body: text(800) }) })
    // Without a welcome it may say as much as WeCom takes.
    await done(calls.edit, { ...(await one(long)), ...written({ body: text(1300) }) })
  })
  it('is told to WeCom anew where it is a template of groups', async () => {
    const id = await on()
    const [group] = await desk.database.db
      .insert(wecom_group_welcome)
      .values({
        name: '带素材的群欢迎语',
        attachment: { kind: 'material', id },
        work: 'done',
        next_at: 0,
        edited_at: 0,
      })
      .returning()
    await done(calls.edit, { ...(await one(id)), ...written({ body: link('新版') }) })
    const [after] = await desk.database.db
      .select()
      .from(wecom_group_welcome)
      .where(eq(wecom_group_welcome.id, group!.id))
    expect(after).toMatchObject({ work: 'waiting', content_n: group!.content_n + 1 })
    await desk.database.db.delete(wecom_group_welcome).where(eq(wecom_group_welcome.id, group!.id))
  })
  it('is a text to many, too, until it is over', async () => {
    const id = await on()
    const [task] = await desk.database.db
      .insert(wecom_send_task)
      .values({
        target: 'customer',
        content: '周末见',
        materials: [{ id, n: null }],
        send_at: unixNow() + DAY,
        created_by: desk.me.id,
      })
      .returning()
    expect((await row(id)).uses).toMatchObject([{ holder: 'mass', live: true }])
    await desk.database.db
      .update(wecom_send_task)
      .set({ status: 'canceled', finished_at: unixNow() })
      .where(eq(wecom_send_task.id, task!.id))
    expect((await row(id)).uses).toEqual([])
  })
})

describe('the file of a material in WeCom', () => {
  const around = (picture: () => Promise<Buffer>) => ({
    db: desk.database.db,
    client: desk.app.install.wecom,
    picture,
    now: unixNow(),
  })
  const nobody = async () => new Map<string, string>()
  it('is put there when it is written or wanted, and says why it was not taken', async () => {
    await desk.database.db.update(wecom_media).set({ wanted_at: null })
    const id = await on({ title: '手册', body: { kind: 'file', key: FILE } })
    expect((await row(id)).media).toMatchObject({ state: 'absent', waiting: true })
    expect(
      await renewWanted(
        around(async () => Buffer.alloc(64)),
        nobody,
      ),
    ).toBe(1)
    expect((await row(id)).media).toMatchObject({ state: 'valid', waiting: false })
    await done(calls.refreshMedia, await one(id))
    await renewWanted(
      around(async () => {
        throw new Error('gone')
      }),
      nobody,
    )
    expect((await row(id)).media).toMatchObject({ state: 'failed', error: '文件已不在库中' })
    const failed = await done(calls.lst, { media: 'failed', keyword: String(id) })
    expect(failed.list.map((of: MaterialRow) => of.id)).toEqual([id])
    const preview = await done(calls.preview, { id })
    expect(preview.problems[0]).toContain('文件已不在库中')
    expect(preview.pieces[0].name).toBe('手册.pdf')
  })
  it('is none of a text or a link', async () => {
    const id = await on()
    expect((await call(calls.refreshMedia, await one(id))).data.rule).toBe('material_refreshMedia')
  })
})
