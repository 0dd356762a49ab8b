import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { growth_ledger } from '#src/areas/level/level.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import type { ProfileConfig } from '#src/areas/pointsRule/earning.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { profile_field } from '#src/areas/profile/profile.table.ts'
import { isBirthday } from '#src/areas/profile/profile.ts'
import { payMissing, saveProfile, type ProfileSent } from '#src/areas/profile/profiles.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { memberApp } from '#src/modules/vip/contract/app.ts'
import { scoreProfile as calls, type ProfileRow } from '#src/modules/vip/contract/scoreProfile.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { openMiniProgram } from '../../help/miniProgram.ts'

let database: Database
let app: App
let phone: Awaited<ReturnType<typeof openMiniProgram>>
let me: Awaited<ReturnType<typeof addStaff>>
let rule_id: number
const config: ProfileConfig = {
  avatar: 20,
  birthday: 30,
  gender: 10,
  city: 10,
  malls: 20,
  wecom: 50,
}
const span = { daily_cap: null, total_cap: null, start_at: null, end_at: null }
beforeAll(async () => {
  database = await openCopy()
  phone = await openMiniProgram(database)
  app = phone.app
  me = await addStaff(database, { perms: ['vip.score.userInfo.*'] })
  await database.db
    .update(points_rule)
    .set({ status: 'off' })
    .where(eq(points_rule.kind, 'profile'))
  const [row] = await database.db
    .insert(points_rule)
    .values({ kind: 'profile', name: '测试资料', config, status: 'on' })
    .returning()
  rule_id = row!.id
}, 120_000)
beforeEach(async () => {
  await database.db
    .update(points_rule)
    .set({ config, status: 'on', total_cap: null })
    .where(eq(points_rule.id, rule_id))
})
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
const save = (member_id: number, sent: ProfileSent, now = unixNow()) =>
  database.transaction(tx => saveProfile(tx, { member_id, sent, now }))
const pointsOf = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!.points
const ruleNow = async () =>
  ((await call(calls.lst, {})).data as { list: ProfileRow[] }).list.find(row => row.id === rule_id)!
const change = async (fields: Partial<ProfileConfig>, more: object = {}) => {
  const { id, version } = await ruleNow()
  const all = { ...config, ...fields }
  const total = Object.values(all).reduce((sum, n) => sum + n, 0)
  return call(calls.save, { id, version, fields: all, total, makeUp: false, ...span, ...more })
}

describe('a field of the profile', () => {
  it('pays once in life, also when it is cleared and filled again', async () => {
    const { id } = await freshMember(database)
    expect(await save(id, { gender: 'female' })).toEqual({
      state: 'saved',
      earned: [{ field: 'gender', points: 10 }],
    })
    expect((await save(id, { gender: 'unknown' })).earned).toEqual([])
    expect((await save(id, { gender: 'male' })).earned).toEqual([])
    expect(await pointsOf(id)).toBe(10)
    const [row] = await database.db
      .select()
      .from(profile_field)
      .where(eq(profile_field.member_id, id))
    expect(row).toMatchObject({ field: 'gender', points: 10, filled: true })
  })
  it('pays once for two phones that save at once', async () => {
    const { id } = await freshMember(database)
    await Promise.all([
      save(id, { city_id: 1 }),
      save(id, { city_id: 1 }),
      save(id, { city_id: 1 }),
    ])
    expect(await pointsOf(id)).toBe(10)
  })
  it('pays nothing for what stood there before, nor what another account of theirs was paid', async () => {
    const { id } = await freshMember(database, { gender: 'male' })
    expect((await save(id, { gender: 'female' })).earned).toEqual([])
    const { id: old } = await freshMember(database)
    await save(old, { mall_ids: [1] })
    await database.db
      .update(member)
      .set({ account_state: 'merged', merged_into: id })
      .where(eq(member.id, old))
    expect((await save(id, { mall_ids: [1] })).earned).toEqual([])
  })
  it('refuses what is none, and changes nothing then', async () => {
    const { id } = await freshMember(database)
    for (const sent of [{ birthday: '1990-02-30' }, { city_id: 99_999 }, { mall_ids: [99_999] }])
      expect(await save(id, { gender: 'male', ...sent })).toEqual({ state: 'wrong', earned: [] })
    expect(await pointsOf(id)).toBe(0)
    const now = unixNow()
    expect(
      ['1990-05-02', '1890-01-01', '2999-01-01', '1990-5-2'].map(one => isBirthday(one, now)),
    ).toEqual([true, false, false, false])
  })
  it('lets a birthday be changed once a year', async () => {
    const { id } = await freshMember(database)
    const now = unixNow()
    expect((await save(id, { birthday: '1990-05-02' }, now - 400 * DAY)).state).toBe('saved')
    expect((await save(id, { birthday: '1990-05-03' }, now - 30 * DAY)).state).toBe('saved')
    expect((await save(id, { birthday: '1990-05-04' }, now)).state).toBe('birthday')
    expect((await save(id, { birthday: '1990-05-03' }, now)).state).toBe('saved')
    expect((await save(id, { birthday: null }, now)).state).toBe('birthday')
  })
  it('grows the member once all is complete, and counts who came by WeCom as a friend', async () => {
    const { id } = await freshMember(database, { register_source: 'wecom' })
    const first = await save(id, { avatar: 'https://thirdwx.qlogo.cn/a/132', gender: 'male' })
    expect(first.earned.map(one => one.field)).toEqual(['avatar', 'gender', 'wecom'])
    const grown = () =>
      database.db
        .select()
        .from(growth_ledger)
        .where(and(eq(growth_ledger.member_id, id), eq(growth_ledger.kind, 'profile')))
    expect(await grown()).toEqual([])
    await save(id, { birthday: '1991-01-01', city_id: 1, mall_ids: [1] })
    expect(await grown()).toHaveLength(1)
    expect(await pointsOf(id)).toBe(140)
  })
  it('keeps to the cap of a member, and earns nothing while the rule is off', async () => {
    const { id } = await freshMember(database)
    await database.db.update(points_rule).set({ total_cap: 25 }).where(eq(points_rule.id, rule_id))
    await save(id, { avatar: 'https://thirdwx.qlogo.cn/a/132', gender: 'male' })
    expect(await pointsOf(id)).toBe(25)
    const was = await ruleNow()
    await call(calls.disable, { id: was.id, version: was.version, reason: '控制成本' })
    const { id: other } = await freshMember(database)
    await save(other, { gender: 'male' })
    const now = await ruleNow()
    await call(calls.enable, { id: now.id, version: now.version })
    await save(other, { gender: 'female' })
    expect(await pointsOf(other)).toBe(0)
  })
  it('is sent by the phone of the member alone', async () => {
    const { id } = await freshMember(database)
    const ticket = await phone.enter(id)
    const said = await send(app, memberApp.saveProfile, { ticket, gender: 'male' })
    expect(said.data).toEqual({ state: 'saved', earned: [{ field: 'gender', points: 10 }] })
    expect(
      (await send(app, memberApp.saveProfile, { ticket: 'x', gender: 'male' })).data.state,
    ).toBe('none')
    expect(
      (await send(app, memberApp.saveProfile, { ticket, avatar: 'https://evil.example/a' })).status,
    ).toBe(400)
  })
})

describe('the points of fields', () => {
  it('are whole numbers from 0 to 1000 that sum up to the total, of the version that was read', async () => {
    for (const gender of [-1, 1001, 1.5]) expect((await change({ gender })).status).toBe(400)
    expect((await change({}, { total: 1 })).data.fields.total).toBeTruthy()
    expect((await change({}, { version: 999 })).status).toBe(409)
    expect((await change({ gender: 0 })).status).toBe(200)
  })
  it('that are raised pay members who completed before only where that is chosen', async () => {
    const { id } = await freshMember(database)
    await save(id, { gender: 'male' })
    expect((await change({ gender: 25 })).data.job_id).toBeNull()
    expect(await pointsOf(id)).toBe(10)
    const tried = (await call(calls.previewImpact, { fields: { ...config, gender: 25 } })).data
    const gender = tried.fields.find((one: { field: string }) => one.field === 'gender')
    expect(gender.behind).toBeGreaterThan(0)
    expect((await change({ gender: 25 }, { makeUp: true })).data.job_id).toBeGreaterThan(0)
    const [rule] = await database.db.select().from(points_rule).where(eq(points_rule.id, rule_id))
    const [row] = await database.db
      .select()
      .from(profile_field)
      .where(eq(profile_field.member_id, id))
    const pay = () =>
      database.transaction(tx =>
        payMissing(tx, { rule: rule!, from: row!.id, n: 1, now: unixNow() }),
      )
    expect([await pay(), await pay()]).toEqual([15, 0])
    expect(await pointsOf(id)).toBe(25)
    const booked = await database.db
      .select()
      .from(points_ledger)
      .where(and(eq(points_ledger.member_id, id), eq(points_ledger.biz_kind, 'profile')))
    expect(booked.map(one => one.biz_no)).toEqual([`PROFILE${id}-gender`, `PROFILE${id}-gender-25`])
  })
  it('are told as the member sees them, and how far members came', async () => {
    const said = await call(calls.preview, { fields: { ...config, wecom: 0 } })
    expect(said.data.total).toBe(90)
    expect(said.data.tasks).toHaveLength(5)
    const { fields } = (await call(calls.funnel, {})).data
    const gender = fields.find((one: { field: string }) => one.field === 'gender')
    expect(gender.completed).toBeGreaterThanOrEqual(gender.paid)
    expect(gender.came).toBeGreaterThanOrEqual(gender.completed)
  })
})
