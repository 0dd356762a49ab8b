import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookGrowth, setLevel } from '#src/areas/level/growth.server.ts'
import { growth_ledger, level_hold, level_ladder } from '#src/areas/level/level.table.ts'
import { standardEarns, standardLevels, type Level } from '#src/areas/level/level.ts'
import { fallDue, publishDue, recalcPiece } from '#src/areas/level/publishing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { agreement } from '#src/areas/merchant/texts.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { rules as calls } from '#src/modules/vip/contract/rules.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed, timers } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let me: Person, other: Person
const NOW = unixNow()
const LIVE = { no: 1, levels: [...standardLevels], earns: standardEarns, effective_at: NOW - DAY }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  other = await addStaff(database, { perms: ['*'] })
}, 120_000)
let ours: number[] = []
/** One version in force, and nobody but this test's members. */
beforeEach(async () => {
  await database.db.delete(level_ladder)
  await database.db.insert(level_ladder).values({ ...LIVE, state: 'live', recalc_done: true })
  ours = []
})
const call = (what: Parameters<typeof send>[1], input: object, by = me) =>
  send(app, what, input, { token: by.token })
const done = async (what: Parameters<typeof send>[1], input: object, by = me) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const refused = async (what: Parameters<typeof send>[1], input: object, by = me) => {
  const said = await call(what, input, by)
  expect(said.status).not.toBe(200)
  return said.data
}
const versions = () => database.db.select().from(level_ladder).orderBy(level_ladder.no)
const inState = async (state: string) => (await versions()).find(row => row.state === state)!
const one = async (state: string) => {
  const { id, version } = await inState(state)
  return { id, version }
}
const fieldsOf = ({ no, gift_coupon_id: _, ...level }: Level, more: Partial<Level> = {}) => ({
  no,
  ...level,
  ...more,
})
const lower = async () =>
  done(calls.editLevel, {
    ...(await one('live')),
    ...fieldsOf(standardLevels[1]!, { growth_min: 100, keep_growth: 80 }),
  })
let made = 0
const aMember = async (set: Partial<typeof member.$inferInsert>): Promise<number> => {
  const [row] = await database.db
    .insert(member)
    .values({
      uid: `RULE${++made}`,
      nickname: `等级 ${made}`,
      phone: `1380000${String(made).padStart(4, '0')}`,
      city_id: 1,
      register_at: NOW,
      ...set,
    })
    .returning({ id: member.id })
  ours.push(row!.id)
  return row!.id
}
const levelsOf = async () => {
  const rows = await database.db
    .select({ id: member.id, level: member.level })
    .from(member)
    .where(inArray(member.id, ours))
    .orderBy(member.id)
  return rows.map(row => row.level)
}
const recalc = async (now: number) => {
  while (await database.transaction(tx => recalcPiece(tx, now)));
}

describe('a draft', () => {
  it('begins from the rules in force at the first change, and holds nothing yet', async () => {
    await lower()
    const [live, draft] = await versions()
    expect(live).toMatchObject({ state: 'live', no: 1 })
    expect(draft).toMatchObject({ state: 'draft', no: 2, based_on: 1 })
    expect(draft!.levels[1]).toMatchObject({ growth_min: 100 })
    expect(
      await refused(calls.editLevel, { ...(await one('live')), ...fieldsOf(standardLevels[2]!) }),
    ).toMatchObject({ rule: 'draft_exists' })
  })
  it('refuses what breaks the ladder, at the field', async () => {
    const edit = async (level: Level, more: Partial<Level>) =>
      (await refused(calls.editLevel, { ...(await one('live')), ...fieldsOf(level, more) }))[
        'fields'
      ]
    const [, one1, two] = standardLevels
    expect(await edit(two!, { growth_min: 150, keep_growth: 0 })).toHaveProperty('growth_min')
    expect(await edit(one1!, { growth_min: 1500 })).toHaveProperty('growth_min')
    expect(await edit(one1!, { keep_growth: 201 })).toHaveProperty('keep_growth')
    expect(await edit(one1!, { name: 'V2' })).toHaveProperty('growth_min')
    expect(await edit(two!, { name: 'V1' })).toHaveProperty('name')
    expect(await edit(one1!, { discount_bp: 9000 })).toHaveProperty('growth_min')
  })
  it('loses a level only into another, and gains one while there are fewer than six', async () => {
    const add = async (more: object = {}) => ({
      ...(await one('draft')),
      ...fieldsOf(standardLevels[3]!, { name: 'V3+' }),
      ...more,
    })
    await lower()
    const { no: _, ...full } = await add()
    expect(await refused(calls.addLevel, full)).toMatchObject({ rule: 'levels_full' })
    const remove = async (no: number, into: number) => ({ ...(await one('draft')), no, into })
    expect(await refused(calls.removeLevel, await remove(0, 1))).toMatchObject({
      rule: 'first_level',
    })
    expect((await refused(calls.removeLevel, await remove(3, 3)))['fields']).toHaveProperty('into')
    await done(calls.removeLevel, await remove(3, 2))
    expect((await inState('draft')).merged).toEqual([{ level: 3, into: 2 }])
    const { no: __, ...again } = await add()
    await done(calls.addLevel, again)
    expect(await inState('draft')).toMatchObject({ merged: [] })
    expect((await inState('draft')).levels.map(level => level.no)).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('publishing', () => {
  const sent = async (more: object = {}) => {
    await lower()
    await done(calls.publish, { ...(await one('draft')), reason: '周年庆', ...more })
  }
  it('needs another person, and takes effect at once or at its moment', async () => {
    await sent()
    expect(await refused(calls.approve, await one('waiting'))).toMatchObject({
      rule: 'same_person',
    })
    await done(calls.approve, await one('waiting'), other)
    expect((await versions()).map(row => row.state)).toEqual(['archived', 'live'])
  })
  it('waits for its moment once it was approved', async () => {
    await sent({ effective_at: NOW + DAY })
    await done(calls.approve, await one('waiting'), other)
    expect(await refused(calls.approve, await one('waiting'), other)).toMatchObject({
      rule: 'approved',
    })
    expect(await database.transaction(tx => publishDue(tx, NOW + DAY - 1))).toBe(0)
    expect(await database.transaction(tx => publishDue(tx, NOW + DAY))).toBe(1)
    expect(await database.transaction(tx => publishDue(tx, NOW + DAY))).toBe(0)
    expect((await inState('live')).no).toBe(2)
  })
  it('may be turned down; a past version is returned to by a new draft', async () => {
    await sent()
    await done(calls.reject, { ...(await one('waiting')), reason: '门槛过低' }, other)
    await done(calls.rollback, { ...(await one('rejected')), reason: '再议' })
    expect(await inState('draft')).toMatchObject({ no: 3, based_on: 2 })
    expect(await refused(calls.rollback, { ...(await one('live')), reason: '再议' })).toMatchObject(
      { rule: 'not_past' },
    )
  })
  it('is refused by the database where maker and checker are one', async () => {
    await expect(
      database.db
        .update(level_ladder)
        .set({ maker_id: me.id, checker_id: me.id })
        .where(eq(level_ladder.state, 'live')),
    ).rejects.toThrow()
  })
  it('is followed by its members at once, and open pages hear who moved', async () => {
    await aMember({ growth: 150 })
    const turn = () =>
      timerNamed('level.publish')({ database, install: app.install, now: NOW } as never)
    await turn()
    await sent()
    expect(await turn()).toEqual([])
    await done(calls.approve, await one('waiting'), other)
    expect(timers().find(({ name }) => name === 'level.publish')!.after).toContain('level_ladder')
    expect(await turn()).toEqual(expect.arrayContaining(['member', 'growth_ledger']))
    expect(await levelsOf()).toEqual([1])
    expect(await turn()).toEqual([])
  })
  it('recalculates members piece by piece: upwards at once, downwards at the keep date; twice is once', async () => {
    const until = NOW + 30 * DAY
    const up = await aMember({ growth: 150 })
    const down = await aMember({ growth: 10, level: 2, level_keep_until: until })
    const manual = await aMember({ growth: 10 })
    await database.transaction(tx =>
      setLevel(tx, {
        member_id: manual,
        level: 4,
        keep_until_at: until,
        reason: '补偿',
        operator_id: me.id,
        now: NOW,
      }),
    )
    expect(await levelsOf()).toEqual([0, 2, 4])
    await sent()
    await done(calls.approve, await one('waiting'), other)
    await recalc(NOW + 60)
    expect(await levelsOf()).toEqual([1, 2, 4])
    const rows = () =>
      database.db
        .select({ n: sql<number>`count(*)::int` })
        .from(growth_ledger)
        .where(inArray(growth_ledger.member_id, [up, down, manual]))
    const [before] = await rows()
    await database.db
      .update(level_ladder)
      .set({ recalc_done: false, recalc_after: 0 })
      .where(eq(level_ladder.state, 'live'))
    await recalc(NOW + 120)
    expect((await rows())[0]).toEqual(before)
    await database.transaction(tx => fallDue(tx, until))
    expect(await levelsOf()).toEqual([1, 0, 0])
    const held = await database.db.select().from(level_hold).where(eq(level_hold.member_id, manual))
    expect(held[0]!.ended_at).toBe(until)
  })
})

describe('what it comes to', () => {
  it('is counted before it holds: who has a level now, who would have it', async () => {
    await lower()
    const count = async () => done(calls.simulate, { id: (await inState('draft')).id })
    const before = await count()
    await aMember({ growth: 150 })
    await aMember({ growth: 10, level: 2, level_keep_until: NOW + DAY })
    const after = await count()
    expect([after.up - before.up, after.down - before.down]).toEqual([1, 1])
    expect(after.levels[1].tried - before.levels[1].tried).toBe(1)
    expect(after.levels[2].now - before.levels[2].now).toBe(1)
  })
  it('lists a row a level, with its version; growth is earned by what is in force', async () => {
    await done(calls.saveDraft, { ...(await one('live')), ...standardEarns, sign: 9 })
    const { list, total, stat } = await done(calls.lst, { page: 1, pageSize: 50 })
    expect(total).toBe(12)
    expect(stat).toMatchObject({ draft: 6, live: 6 })
    expect(list[0]).toMatchObject({ state: 'draft', no: 0, earns: { sign: 9 } })
    expect((await done(calls.versions, {})).list).toHaveLength(2)
    const id = await aMember({})
    await database.transaction(tx =>
      bookGrowth(tx, { member_id: id, delta: 250, kind: 'sign', biz_no: `RULES${id}`, now: NOW }),
    )
    expect(await levelsOf()).toEqual([1])
  })
})

describe('the agreement', () => {
  it('gets a new version that members must agree to anew', async () => {
    const content = '会员应当遵守平台规则。\n等级权益以公示为准，<以此为准>。'
    const first = await done(calls.editAgreement, { content, summary: '首次发布' })
    const second = await done(calls.editAgreement, { content, summary: '更新权益说明' })
    expect(Number.parseInt(second.version_no, 10)).toBe(Number.parseInt(first.version_no, 10) + 1)
    const rows = await database.db.select().from(agreement).where(eq(agreement.type, 'member'))
    expect(rows.filter(row => row.state === 'effective')).toMatchObject([
      { id: second.id, force_consent: true },
    ])
    expect(rows.at(-1)!.content).toContain('&lt;以此为准&gt;')
  })
})
