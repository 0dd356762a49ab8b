import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  channel_add,
  channel_code,
  channel_code_version,
  channel_scan,
} from '#src/areas/channelCode/channelCode.table.ts'
import { expireCodes } from '#src/areas/channelCode/duties.server.ts'
import { markAdds } from '#src/areas/channelCode/marks.server.ts'
import { scanCode } from '#src/areas/channelCode/scans.server.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import { wecom_task } from '#src/areas/wecom/wecomWork.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import { channelCodes as calls, codeEdit } from '#src/modules/channel/contract/code.ts'
import {
  added,
  app,
  body,
  call,
  clock,
  database,
  held,
  inDb,
  list,
  one,
  openBench,
  people,
  published,
  push,
  userids,
  wayOf,
} from '../../help/channelCodes.ts'

beforeAll(openBench, 120_000)

describe('codes', () => {
  it('are paused, resumed and archived; one that is over needs a new end', async () => {
    const row = await published({ end_at: clock() + HOUR })
    await database.db.insert(channel_scan).values({ code_id: row.id, at: clock() - HOUR, n: 7 })
    expect((await one(row.id)).scans_7d).toBe(7)
    const early = await call(calls.archive, { ...held(row), reason: '撤场' })
    expect([early.status, early.data.rule]).toEqual([422, 'code_archive'])
    const paused = await call(calls.pause, held(row))
    const at = { state_key: row.state_key, now: clock(), isCounted: true }
    expect((await scanCode(database.db, at)).state).toBe('paused')
    const on = await call(calls.resume, held(paused.data))
    expect((await scanCode(database.db, at)).state).toBe('open')
    await expireCodes(database.db, clock() + 2 * HOUR)
    expect((await inDb(row.id)).status).toBe('expired')
    const now = await inDb(row.id)
    await database.db
      .update(channel_code)
      .set({ end_at: clock() - 120 })
      .where(eq(channel_code.id, row.id))
    expect(on.status).toBe(200)
    const old = await call(calls.resume, held(now))
    expect([old.status, Object.keys(old.data.fields)]).toEqual([400, ['end_at']])
    const fresh = await call(calls.resume, { ...held(now), end_at: clock() + DAY })
    expect(fresh.status).toBe(200)
    expect(await inDb(row.id)).toMatchObject({ status: 'enabled', end_at: clock() + DAY })
    const off = await call(calls.pause, held(fresh.data))
    const gone = await call(calls.archive, { ...held(off.data), reason: '撤场' })
    expect(gone.status).toBe(200)
    expect((await scanCode(database.db, at)).state).toBe('over')
    const change = await call(codeEdit.save, { ...held(gone.data), ...body() })
    expect([change.status, change.data.rule]).toEqual([422, 'code_edit'])
  })
  it('are scanned by anybody, counted by the hour, and nothing is kept of who did', async () => {
    const row = await published()
    const get = (agent: string) =>
      app.fastify.inject({
        method: 'GET',
        url: `/q/${row.state_key}`,
        headers: { 'user-agent': agent },
      })
    const page = await get('Mozilla/5.0 MicroMessenger')
    expect(page.body).toContain(row.qr_url)
    await get('Mozilla/5.0 MicroMessenger')
    await get('curl/8')
    const rows = await database.db
      .select()
      .from(channel_scan)
      .where(eq(channel_scan.code_id, row.id))
    expect(rows.reduce((sum, each) => sum + each.n, 0)).toBe(2)
    expect(Object.keys(rows[0]!).sort()).toEqual(['at', 'code_id', 'n'])
    const none = await app.fastify.inject({ method: 'GET', url: '/q/nothing' })
    expect(none.body).toContain('没有找到这个二维码')
  })
  it('give new contacts their tags and their suffix, once', async () => {
    const row = await published({ tag_ids: [1, 2], remark_suffix: '-台卡' })
    const follow = await added(row.state_key, clock() - 30, 0)
    await database.transaction(tx => markAdds(tx, clock()))
    await database.transaction(tx => markAdds(tx, clock()))
    const tasks = await database.db
      .select()
      .from(wecom_task)
      .where(eq(wecom_task.follow_id, follow.id))
    expect(tasks.map(each => each.kind).sort()).toEqual(['remark', 'tag'])
    expect(tasks.find(each => each.kind === 'tag')!.body).toEqual({ add: [1, 2] })
    expect(tasks.find(each => each.kind === 'remark')!.body).toEqual({
      remark: expect.stringMatching(/-台卡$/),
    })
    const marked = await database.db
      .select()
      .from(channel_add)
      .where(eq(channel_add.follow_id, follow.id))
    expect(marked).toHaveLength(1)
  })
  it('are compared with WeCom, which tells what differs and is put right', async () => {
    const row = await published()
    const way = await wayOf(row.config_id)
    await database.db
      .update(wecom_corp_object)
      .set({ body: { ...way, user: userids(3) } })
      .where(eq(wecom_corp_object.key, row.config_id!))
    const asked = await call(calls.sync, { ids: [row.id] })
    expect(asked.data).toEqual({ ok: [row.id], failed: [] })
    expect((await one(row.id)).checking).toBe(true)
    await push()
    const after = await one(row.id)
    expect(after.way_note).toContain(userids(3)[0]!)
    expect(after.checking).toBe(false)
    expect((await wayOf(row.config_id))!.user).toEqual(userids(0, 1))
    await call(calls.sync, { ids: [row.id] })
    await push()
    expect((await one(row.id)).way_note).toBe('')
    await database.db.delete(wecom_corp_object).where(eq(wecom_corp_object.key, row.config_id!))
    await call(calls.sync, { ids: [row.id] })
    await push()
    expect(await one(row.id)).toMatchObject({ health: 'wecom_error', way_errcode: 41044 })
    const again = await call(codeEdit.publish, { ...held(await inDb(row.id)), ...body() })
    expect(again.status, again.message).toBe(200)
    await push()
    const made = await inDb(row.id)
    expect(made.config_id).not.toBe(row.config_id)
    expect(await wayOf(made.config_id)).toMatchObject({ state: row.state_key })
  })
  it('take another member all at once; those that can’t say why', async () => {
    const [first, second] = [
      await published(),
      await published({ members: [{ userid: userids(4)[0]!, weight: 1, day_cap: null }] }),
    ]
    const answer = await call(calls.batchMember, {
      ids: [first.id, second.id],
      from: people[0]!.id,
      to: people[5]!.id,
    })
    expect(answer.data.ok).toEqual([first.id])
    expect(answer.data.failed).toMatchObject([{ id: second.id, code: 'not_in' }])
    await push()
    expect((await inDb(first.id)).userids).toEqual(userids(5, 1))
    const versions = await database.db
      .select()
      .from(channel_code_version)
      .where(eq(channel_code_version.code_id, first.id))
    expect(versions).toHaveLength(2)
  })
  it('are made for stores; a store without anybody able is named', async () => {
    const template = await published()
    const { rows } = await database.db.execute<{ id: number; able: boolean }>(sql`
      select s.id, exists (select 1 from wecom_staff w where w.mall_ids @> array[s.mall_id]
        and w.status = 'active' and w.is_verified and w.has_contact_right) able
      from store s where s.kind = 'offline' order by s.id`)
    const [good, bad] = [rows.find(row => row.able)!, rows.find(row => !row.able)!]
    const answer = await call(calls.batchCreate, {
      store_ids: [good.id, bad.id],
      template_id: template.id,
    })
    expect(answer.data.ok).toEqual([good.id])
    expect(answer.data.failed).toMatchObject([{ id: bad.id, code: 'no_staff' }])
    const [made] = await database.db
      .select()
      .from(channel_code)
      .where(eq(channel_code.store_id, good.id))
    expect(made!.way_state).toBe('waiting')
  })
  it('move to groups, are copied as drafts, and are pictures below an address', async () => {
    const row = await published()
    const moved = await call(calls.moveGroup, { ids: [row.id], group: '新分组' })
    expect(moved.data.ok).toEqual([row.id])
    expect((await list({ group: '新分组' })).map(each => each.id)).toEqual([row.id])
    const copy = await call(calls.copy, held(await inDb(row.id)))
    expect(await inDb(copy.data.id)).toMatchObject({ status: 'draft', config_id: null })
    expect((await inDb(copy.data.id)).state_key).not.toBe(row.state_key)
    const { list: pictures } = (
      await call(calls.pictures, { ids: [row.id, copy.data.id], origin: 'https://m.example' })
    ).data
    expect(pictures).toHaveLength(1)
    expect(pictures[0].link).toBe(`https://m.example/q/${row.state_key}`)
    const wrong = await call(calls.pictures, { ids: [row.id], origin: 'javascript:1' })
    expect(wrong.status).toBe(400)
  })
})
