import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { rateAt } from '#src/areas/pointsRule/inForce.server.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { rateAtFirst } from '#src/areas/pointsRule/rule.ts'
import { costOf, lastMonth } from '#src/areas/pointsRule/simulating.server.ts'
import { DAY, timeFull, unixNow } from '#src/domain/time.ts'
import { scoreRate as calls } from '#src/modules/vip/contract/scoreRate.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let [maker, checker]: Person[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['vip.score.rate.*'] })
  checker = await addStaff(database, { perms: ['vip.score.rate.*'] })
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object, by = maker!) =>
  send(app, what, input, { token: by.token })
let later = 40
const change = (more: object = {}) => ({
  ...rateAtFirst,
  earn_hundredths: 150,
  effective_at: unixNow() + ++later * DAY,
  reason: '调整成本',
  ...more,
})
const asked = async (more: object = {}) => {
  const said = await call(calls.save, change(more))
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data as { id: number; version: number }
}
const stateOf = async (id: number) => {
  const { list } = (await call(calls.lst, {})).data as {
    list: { id: number; state: string; until: number | null }[]
  }
  return list.find(row => row.id === id)!
}

describe('a rate', () => {
  it('is approved by another person, begins at its time and ends with the next', async () => {
    const one = await asked()
    const own = await call(calls.approve, one)
    expect([own.status, own.data.rule, own.message]).toEqual([
      422,
      'not_decidable',
      expect.stringContaining('不能复核自己'),
    ])
    expect((await stateOf(one.id)).state).toBe('waiting')
    expect((await call(calls.approve, one, checker)).status).toBe(200)
    const row = await stateOf(one.id)
    expect(row.state).toBe('scheduled')
    const [kept] = await database.db.select().from(points_rule).where(eq(points_rule.id, one.id))
    const begins = kept!.effective_at!
    expect((await rateAt(database.db, begins - 1)).rule?.id).not.toBe(one.id)
    expect(await rateAt(database.db, begins)).toMatchObject({
      rule: { id: one.id },
      rate: { earn_hundredths: 150 },
    })
    const next = await asked({ effective_at: begins + 5 * DAY })
    await call(calls.approve, next, checker)
    expect((await stateOf(one.id)).until).toBe(begins + 5 * DAY)
    expect((await rateAt(database.db, begins + 5 * DAY)).rule?.id).toBe(next.id)
    expect((await rateAt(database.db, begins + 5 * DAY - 1)).rule?.id).toBe(one.id)
  })
  it('is never approved by its maker, whatever the code does', async () => {
    const one = await asked()
    await expect(
      database.db
        .update(points_rule)
        .set({ approved_by: maker!.id })
        .where(eq(points_rule.id, one.id)),
    ).rejects.toMatchObject({ cause: { constraint: 'points_rule_second' } })
  })
  it('that begins in the past, or contradicts itself, is refused at its field', async () => {
    const fields = async (more: object) => (await call(calls.save, change(more))).data.fields
    expect(await fields({ effective_at: unixNow() - 60 })).toHaveProperty('effective_at')
    const twice = [
      { by: 'level', level: 4, times_bp: 12_000 },
      { by: 'level', level: 4, times_bp: 15_000 },
    ]
    expect(await fields({ multipliers: twice })).toHaveProperty('multipliers')
    for (const times_bp of [4999, 100_001])
      expect(
        (await call(calls.save, change({ multipliers: [{ by: 'vip', times_bp }] }))).status,
      ).toBe(400)
    expect((await call(calls.save, change({ offset_share_bp: 10_001 }))).status).toBe(400)
  })
  it('is turned down with a reason and asked for again', async () => {
    const one = await asked()
    const said = await call(calls.reject, { ...one, reason: '超出预算' }, checker)
    expect(said.status).toBe(200)
    expect((await stateOf(one.id)).state).toBe('rejected')
    const now = { id: one.id, version: said.data.version as number }
    expect((await call(calls.approve, now, checker)).data.rule).toBe('not_decidable')
    const again = await call(calls.resubmit, { ...now, ...change() })
    expect([again.status, (await stateOf(one.id)).state]).toEqual([200, 'waiting'])
    expect(
      (await call(calls.approve, { id: one.id, version: again.data.version }, checker)).status,
    ).toBe(200)
  })
  it('gets another time from its maker alone, while it waits', async () => {
    const one = await asked()
    const at = unixNow() + ++later * DAY
    const by = await call(calls.schedule, { ...one, effective_at: at }, checker)
    expect(by.data.rule).toBe('not_yours')
    const said = await call(calls.schedule, { ...one, effective_at: at })
    expect(said.status).toBe(200)
    const now = { id: one.id, version: said.data.version as number }
    expect((await call(calls.schedule, { ...now, effective_at: 1 })).data.fields).toHaveProperty(
      'effective_at',
    )
    const done = await call(calls.approve, now, checker)
    expect(
      (await call(calls.schedule, { id: one.id, version: done.data.version, effective_at: at + 9 }))
        .data.rule,
    ).toBe('not_waiting')
  })
  it('whose moment another has is not approved', async () => {
    const first = await asked()
    await call(calls.approve, first, checker)
    const [kept] = await database.db.select().from(points_rule).where(eq(points_rule.id, first.id))
    const second = await asked({ effective_at: kept!.effective_at })
    expect((await call(calls.approve, second, checker)).data.rule).toBe('same_time')
  })
  it('is tried on last month’s orders, and costs what its points offset', async () => {
    const dear = { ...rateAtFirst, earn_hundredths: 10_000, offset_points: 1 }
    const { data, status } = await call(calls.simulate, dear)
    expect(status).toBe(200)
    expect(data.trial.cost_cents).toBeGreaterThanOrEqual(data.now.cost_cents)
    const groups = [
      { level: 4, vip: false, day: 7, orders: 1, cents: 100_00 },
      { level: 0, vip: false, day: 0, orders: 1, cents: 50_00 },
    ]
    const { from } = lastMonth(unixNow())
    const rate = {
      ...rateAtFirst,
      multipliers: [
        { by: 'level' as const, level: 4, times_bp: 12_000 },
        { by: 'monthday' as const, day: 8, times_bp: 20_000 },
      ],
    }
    expect(costOf(rate, groups, from)).toEqual({ points: 250, cost_cents: 250 })
  })
})
it('last month is a whole one, in Shanghai', () => {
  const { from, to } = lastMonth(Date.parse('2026-01-15T00:00:00+08:00') / 1000)
  expect([timeFull(from), timeFull(to)]).toEqual(['2025-12-01 00:00:00', '2026-01-01 00:00:00'])
})
onlyOn('postgres')('at once', () => {
  it('one of two decides, and the other is told', async () => {
    const one = await asked()
    const third = await addStaff(database, { perms: ['vip.score.rate.*'] })
    const said = await Promise.all([
      call(calls.approve, one, checker),
      call(calls.reject, { ...one, reason: '不同意' }, third),
    ])
    expect(said.map(each => each.status).toSorted()).toEqual([200, 409])
  })
})
