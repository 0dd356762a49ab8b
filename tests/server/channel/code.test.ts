import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { channel_code, channel_event } from '#src/areas/channelCode/channelCode.table.ts'
import type { CodeBody } from '#src/areas/channelCode/channelCode.ts'
import { refreshCodes } from '#src/areas/channelCode/duties.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { DAY } from '#src/domain/time.ts'
import { channelCodes as calls, codeEdit } from '#src/modules/channel/contract/code.ts'
import { channelCodesServer } from '#src/modules/channel/server/code.ts'
import {
  added,
  body,
  call,
  clock,
  database,
  held,
  inDb,
  later,
  list,
  one,
  openBench,
  published,
  push,
  userids,
  wayOf,
  waysOf,
  wecom,
} from '../../help/channelCodes.ts'
import { corpObjects, corpUser } from '../../help/wecom.ts'
import { freshAdvisers } from '../../help/wecomRows.ts'

beforeAll(openBench, 120_000)

describe('a code', () => {
  it('is live once WeCom has taken it, and its state is of it alone', async () => {
    expect(channelCodesServer.calls).toBe(calls)
    const made = await call(codeEdit.publish, body())
    const before = await inDb(made.data.id)
    expect(before).toMatchObject({ status: 'draft', way_state: 'waiting', rev: 0 })
    expect(before.state_key.length).toBeLessThanOrEqual(30)
    await push()
    const after = await inDb(made.data.id)
    expect(after).toMatchObject({ status: 'enabled', way_state: 'done', rev: 1, draft: null })
    expect(await wayOf(after.config_id)).toMatchObject({
      state: after.state_key,
      user: userids(0, 1),
      skip_verify: true,
    })
    await expect(
      database.db.insert(channel_code).values({ ...before, id: undefined, config_id: null }),
    ).rejects.toThrow()
  })
  it('that WeCom refuses stays a draft and says why', async () => {
    wecom.misbehave({ path: 'add_contact_way', does: 'refuse', code: 41045 })
    const made = await call(codeEdit.publish, body({ name: '被拒活码' }))
    await push()
    const row = await inDb(made.data.id)
    expect(row).toMatchObject({ status: 'draft', way_state: 'failed', way_errcode: 41045 })
    expect(row.draft).toMatchObject({ name: '被拒活码' })
    const shown = (await call(codeEdit.detail, { id: row.id })).data
    expect(shown.versions[0]).toMatchObject({ state: 'failed', errcode: 41045 })
    const again = await call(codeEdit.publish, { ...held(row), ...body({ name: '被拒活码' }) })
    expect(again.status, again.message).toBe(200)
    await push()
    expect(await inDb(row.id)).toMatchObject({ status: 'enabled', rev: 2 })
  })
  it('whose answer was lost is found by its state, not made twice', async () => {
    const made = await call(codeEdit.publish, body())
    wecom.misbehave({ path: 'add_contact_way', does: 'lose' })
    await push()
    const lost = await inDb(made.data.id)
    expect(lost).toMatchObject({ way_state: 'waiting', config_id: null })
    expect(await waysOf(lost.state_key)).toHaveLength(1)
    later(60)
    await push()
    expect((await inDb(lost.id)).config_id).toBe((await waysOf(lost.state_key))[0]!.key)
    expect(await waysOf(lost.state_key)).toHaveLength(1)
  })
  it('changes once WeCom has the change; while that is on its way no other begins', async () => {
    const row = await published()
    const next = body({ name: '改名活码', members: [] })
    const faulty = await call(codeEdit.publish, { ...held(row), ...next })
    expect([faulty.status, Object.keys(faulty.data.fields)]).toEqual([400, ['members']])
    const good = body({ name: '改名活码', backup_userids: userids(4) })
    const sent = await call(codeEdit.publish, { ...held(row), ...good })
    expect(sent.status).toBe(200)
    expect((await inDb(row.id)).name).toBe('测试活码')
    const second = await call(codeEdit.publish, { ...held(sent.data), ...good })
    expect([second.status, second.data.rule]).toEqual([422, 'code_publish'])
    await push()
    expect(await inDb(row.id)).toMatchObject({ name: '改名活码', rev: 2, draft: null })
  })
  it('keeps a draft beside what holds, and takes an old version back as one', async () => {
    const row = await published({ name: '第一版' })
    const saved = await call(codeEdit.save, { ...held(row), ...body({ name: '草稿' }) })
    expect(await inDb(row.id)).toMatchObject({ name: '第一版', draft: { name: '草稿' } })
    const stale = await call(codeEdit.save, { ...held(row), ...body() })
    expect([stale.status, stale.data.rule]).toEqual([409, 'stale'])
    const back = await call(codeEdit.restore, { ...held(saved.data), rev: 1 })
    expect(back.status).toBe(200)
    expect(await inDb(row.id)).toMatchObject({ draft: { name: '第一版' } })
    const none = await call(codeEdit.restore, { ...held(back.data), rev: 9 })
    expect([none.status, none.data.rule]).toEqual([422, 'no_version'])
  })
  it('asks for people who may receive, for hours that somebody covers, for an end to come', async () => {
    const [left] = await freshAdvisers(database, 1, { status: 'left' })
    const refused = async (of: Partial<CodeBody>) => {
      const answer = await call(codeEdit.publish, body(of))
      expect(answer.status).toBe(400)
      return Object.keys(answer.data.fields)
    }
    const member = (userid: string, day_cap: number | null = null) => ({
      userid,
      weight: 1,
      day_cap,
    })
    expect(await refused({ kind: 'single' })).toEqual(['members'])
    expect(await refused({ members: [member(left!.userid)] })).toEqual(['members.0.userid'])
    expect(await refused({ members: [member(userids(0)[0]!, 0)] })).toEqual(['members.0.day_cap'])
    expect(await refused({ backup_userids: userids(0) })).toEqual(['backup_userids.0'])
    const shift = {
      weekdays: [1, 2, 3],
      from_min: 600,
      to_min: 1200,
      overnight: false,
      userids: userids(0),
    }
    expect(await refused({ shifts: [shift] })).toEqual(['backup_userids'])
    expect(await refused({ shifts: [shift, shift], backup_userids: userids(4) })).toEqual([
      'shifts.1.userids',
    ])
    expect(
      await refused({ shifts: [{ ...shift, to_min: 500 }], backup_userids: userids(4) }),
    ).toEqual(['shifts.0.to_min'])
    expect(await refused({ end_at: clock() - 120 })).toEqual(['end_at'])
    expect(await refused({ verify_mode: 'by_time' })).toEqual(['verify_windows'])
    expect(await refused({ welcome_id: 2_000_000_000 })).toEqual(['welcome_id'])
    expect(await refused({ tag_ids: Array.from({ length: 21 }, (_, at) => at + 1) })).toContain(
      'tag_ids',
    )
  })
})

describe('duty', () => {
  it('turns with caps: members, then backups, then the last of them with a warning', async () => {
    const row = await published({
      members: userids(0).map(userid => ({ userid, weight: 1, day_cap: 1 })),
      backup_userids: userids(2, 3),
    })
    const now = clock()
    await added(row.state_key, now - 60, 0)
    await refreshCodes(database.db, now, [row.id])
    await push()
    expect((await wayOf(row.config_id))!.user).toEqual(userids(2, 3))
    expect(await one(row.id)).toMatchObject({ health: 'ok', adds_today: 1, adds_total: 1 })
    await database.db
      .update(wecom_staff)
      .set({ daily_add_cap: 1 })
      .where(inArray(wecom_staff.userid, userids(2, 3)))
    await added(row.state_key, now - 50, 2)
    await added(row.state_key, now - 40, 3)
    await refreshCodes(database.db, now, [row.id])
    await push()
    expect((await wayOf(row.config_id))!.user).toEqual(userids(3))
    expect((await inDb(row.id)).health).toBe('all_full')
    await refreshCodes(database.db, now, [row.id])
    const noted = await database.db
      .select()
      .from(channel_event)
      .where(eq(channel_event.code_id, row.id))
    expect(noted.map(each => each.kind)).toEqual(['full'])
    // A new day begins with nobody at a cap.
    await refreshCodes(database.db, now + DAY, [row.id])
    await push()
    expect((await inDb(row.id)).health).toBe('ok')
    await database.db
      .update(wecom_staff)
      .set({ daily_add_cap: null })
      .where(inArray(wecom_staff.userid, userids(2, 3)))
  })
  it('goes to backups where somebody left, and the code says so', async () => {
    const [leaver] = await freshAdvisers(database, 1)
    await corpObjects(database, 'user', [corpUser(leaver!.userid, { contact: true } as never)])
    const row = await published({
      members: [{ userid: leaver!.userid, weight: 1, day_cap: null }],
      backup_userids: userids(5),
    })
    await database.db
      .update(wecom_staff)
      .set({ status: 'left', left_at: clock() })
      .where(eq(wecom_staff.id, leaver!.id))
    await refreshCodes(database.db, clock(), [row.id])
    await push()
    expect((await wayOf(row.config_id))!.user).toEqual(userids(5))
    expect((await inDb(row.id)).health).toBe('staff_invalid')
    const tab = await list({ health: 'staff_invalid' })
    expect(tab.map(each => each.id)).toContain(row.id)
    expect((await list({ staff_id: leaver!.id })).map(each => each.id)).toEqual([row.id])
  })
  it('leaves the code as whoever edits it read it', async () => {
    const row = await published({
      members: userids(0, 1).map((userid, at) => ({ userid, weight: at + 1, day_cap: null })),
    })
    await added(row.state_key, clock() - 10, 1)
    await refreshCodes(database.db, clock(), [row.id])
    await push()
    const after = await inDb(row.id)
    expect(after.version).toBe(row.version)
    expect(after.way_userids).not.toEqual(row.way_userids)
  })
})
