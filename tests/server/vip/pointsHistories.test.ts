import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import {
  freezePoints,
  returnPoints,
  spendFrozen,
  unfreezePoints,
} from '#src/areas/points/orderPoints.server.ts'
import {
  adjustPoints,
  earnPoints,
  expirePoints,
  movePoints,
} from '#src/areas/points/points.server.ts'
import { points_ledger, points_lot } from '#src/areas/points/points.table.ts'
import { reversePoints, takeBackEarned } from '#src/areas/points/reversing.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { membersOf } from '../../help/redeem.ts'

let database: Database
let operator_id: number
beforeAll(async () => {
  database = await openCopy()
  operator_id = (await addStaff(database)).id
})
let made = 0
const no = () => `PHQ${++made}`
/** Orders are known to points by their number alone: these stand in no table. */
let orders = 900_000_000
const someone = async () => (await membersOf(database))[0]!.id
const rowsOf = (id: number) =>
  database.db
    .select()
    .from(points_ledger)
    .where(eq(points_ledger.member_id, id))
    .orderBy(points_ledger.id)
const stand = async (id: number) => {
  const [row] = await database.db.select().from(member).where(eq(member.id, id))
  return { points: row!.points, frozen: row!.points_frozen, debt: row!.points_debt }
}
/** The invariants 1 to 3 of domain B, of one member. */
const holds = async (id: number) => {
  const now = await stand(id)
  const rows = await rowsOf(id)
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((all, row) => all + of(row), 0)
  expect(now).toEqual({
    points: sum(row => row.delta),
    frozen: sum(row => row.frozen_delta),
    debt: sum(row => row.debt_delta),
  })
  expect(Math.min(now.points, now.frozen, now.debt)).toBeGreaterThanOrEqual(0)
  expect(now.points > 0 && now.debt > 0).toBe(false)
  let balance = 0
  for (const row of rows) {
    balance += row.delta
    expect(row.balance_after).toBe(balance)
  }
  const lots = await database.db.select().from(points_lot).where(eq(points_lot.member_id, id))
  expect(lots.reduce((all, lot) => all + lot.remain, 0)).toBe(now.points)
  for (const lot of lots) {
    expect(lot.remain).toBeGreaterThanOrEqual(0)
    expect(lot.remain + lot.expired).toBeLessThanOrEqual(lot.points)
  }
  const reversed = rows.flatMap(row => (row.reversed_by === null ? [] : [row.reversed_by]))
  expect(new Set(reversed).size).toBe(reversed.length)
  return now
}
const act = <T>(does: (tx: Db) => Promise<T>) => database.transaction(does)
const refused = async (does: Promise<unknown>): Promise<string | undefined> => {
  try {
    await does
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return (error.data as { rule?: string }).rule
  }
}
const begin = unixNow() - 400 * DAY
const earn = (
  member_id: number,
  points: number,
  more: Partial<Parameters<typeof earnPoints>[1]> = {},
) =>
  act(tx =>
    earnPoints(tx, {
      member_id,
      points,
      biz_kind: 'activity',
      biz_no: no(),
      title: '测试',
      now: begin,
      ...more,
    }),
  )

type Step = {
  what: 'earn' | 'adjust' | 'freeze' | 'pay' | 'close' | 'refund' | 'reverse' | 'back' | 'expire'
  n: number
  at: number
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'earn' as const,
    'earn' as const,
    'adjust' as const,
    'freeze' as const,
    'freeze' as const,
    'pay' as const,
    'close' as const,
    'refund' as const,
    'reverse' as const,
    'reverse' as const,
    'back' as const,
    'expire' as const,
  ),
  n: fc.integer({ min: 1, max: 120 }),
  at: fc.nat(30),
})
const only = ({ biz_kind, biz_no }: Awaited<ReturnType<typeof rowsOf>>[number]) => ({
  biz_kind,
  biz_no,
})
type World = { member_id: number; orders: { id: number; order_no: string; kind: string }[] }
const doStep = async (of: World, { what, n, at }: Step, now: number): Promise<unknown> => {
  const { member_id } = of
  const placed = of.orders[at % Math.max(1, of.orders.length)]
  switch (what) {
    case 'earn':
      return earn(member_id, n, { expire_at: now + (1 + (at % 9)) * DAY, now })
    case 'adjust':
      return act(tx =>
        adjustPoints(tx, {
          member_id,
          delta: at % 2 === 0 ? n : -n,
          biz_no: no(),
          reason: '核对',
          operator_id,
          now,
        }),
      )
    case 'freeze': {
      const order = { id: ++orders, order_no: no(), kind: at % 2 === 0 ? 'points' : 'film' }
      await act(tx => freezePoints(tx, { member_id, points: n, order, now }))
      return of.orders.push(order)
    }
    case 'pay':
      return placed && act(tx => spendFrozen(tx, { order_id: placed.id, now }))
    case 'close':
      return placed && act(tx => unfreezePoints(tx, { order_id: placed.id, now }))
    case 'refund':
      return (
        placed && act(tx => returnPoints(tx, { order_id: placed.id, points: n, biz_no: no(), now }))
      )
    case 'back':
    case 'reverse': {
      const rows = (await rowsOf(member_id)).filter(
        row => what === 'reverse' || row.kind === 'earn',
      )
      const row = rows[at % Math.max(1, rows.length)]
      if (!row) return undefined
      return what === 'reverse'
        ? act(tx => reversePoints(tx, { ledger_id: row.id, reason: '错账', operator_id, now }))
        : act(tx => takeBackEarned(tx, { ...only(row), points: n, no: no(), why: '退款', now }))
    }
    case 'expire':
      return act(tx => expirePoints(tx, now, 10_000))
  }
}

it('balances, lots, frozen points and debts agree after every step, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async steps => {
      const of: World = { member_id: await someone(), orders: [] }
      for (const [at, one] of steps.entries()) {
        await refused(doStep(of, one, begin + at * (DAY / 3)))
        await holds(of.member_id)
      }
    }),
    { numRuns: 10 },
  )
}, 120_000)
onlyOn('postgres')('at once', () => {
  it('steps leave balances, lots and debts in agreement', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { minLength: 4, maxLength: 8 }),
        async rounds => {
          const of: World = { member_id: await someone(), orders: [] }
          for (const [at, round] of rounds.entries()) {
            await Promise.all(round.map(one => refused(doStep(of, one, begin + at * DAY))))
            await holds(of.member_id)
          }
        },
      ),
      { numRuns: 8 },
    )
  }, 120_000)
  it('two orders spend the same points once', async () => {
    const member_id = await someone()
    await earn(member_id, 100)
    const tries = await Promise.all(
      [1, 2].map(() => {
        const order = { id: ++orders, order_no: no(), kind: 'film' }
        return refused(act(tx => freezePoints(tx, { member_id, points: 80, order, now: begin })))
      }),
    )
    expect(tries.toSorted()).toEqual(['points_short', undefined])
    expect(await holds(member_id)).toEqual({ points: 20, frozen: 80, debt: 0 })
  })
  it('a row is reversed once, and the other person is told', async () => {
    const member_id = await someone()
    const ledger_id = (await earn(member_id, 100))!
    const how = { ledger_id, reason: '错账', operator_id, now: begin }
    const tries = await Promise.all([1, 2, 3].map(() => refused(act(tx => reversePoints(tx, how)))))
    expect(tries.toSorted()).toEqual(['not_reversible', 'not_reversible', undefined])
    expect(await holds(member_id)).toEqual({ points: 0, frozen: 0, debt: 0 })
  })
  it('a number is booked once, however often it is said', async () => {
    const member_id = await someone()
    const biz_no = no()
    const ids = await Promise.all(Array.from({ length: 20 }, () => earn(member_id, 10, { biz_no })))
    expect(ids.filter(id => id !== null)).toHaveLength(1)
    expect(await holds(member_id)).toEqual({ points: 10, frozen: 0, debt: 0 })
  })
})

describe('points that are taken again', () => {
  it('leave a debt where they were spent, and what comes in next repays it', async () => {
    const member_id = await someone()
    const ledger_id = (await earn(member_id, 100))!
    const order = { id: ++orders, order_no: no(), kind: 'film' }
    await act(tx => freezePoints(tx, { member_id, points: 70, order, now: begin }))
    await act(tx => reversePoints(tx, { ledger_id, reason: '错账', operator_id, now: begin }))
    expect(await holds(member_id)).toEqual({ points: 0, frozen: 70, debt: 70 })
    await earn(member_id, 50)
    expect(await holds(member_id)).toEqual({ points: 0, frozen: 70, debt: 20 })
    await act(tx => unfreezePoints(tx, { order_id: order.id, now: begin }))
    expect(await holds(member_id)).toEqual({ points: 50, frozen: 0, debt: 0 })
    expect((await rowsOf(member_id)).map(row => row.kind)).toEqual([
      'earn',
      'freeze',
      'reverse',
      'earn',
      'debt_repay',
      'unfreeze',
      'debt_repay',
    ])
  })
  it('are not those that ended, nor those that ended after they had come back', async () => {
    const member_id = await someone()
    const ledger_id = (await earn(member_id, 100, { expire_at: begin + DAY }))!
    const order = { id: ++orders, order_no: no(), kind: 'film' }
    await act(tx => freezePoints(tx, { member_id, points: 60, order, now: begin }))
    await act(tx => unfreezePoints(tx, { order_id: order.id, now: begin + 2 * DAY }))
    expect(await holds(member_id)).toEqual({ points: 100, frozen: 0, debt: 0 })
    const how = { ledger_id, reason: '错账', operator_id, now: begin + 90 * DAY }
    expect(await refused(act(tx => reversePoints(tx, how)))).toBe('not_reversible')
    await act(tx => expirePoints(tx, how.now, 10_000))
    expect(await holds(member_id)).toEqual({ points: 0, frozen: 0, debt: 0 })
  })
  it('go pro rata with each refund, once by its number, and never more than came', async () => {
    const member_id = await someone()
    const biz_no = no()
    await earn(member_id, 100, { biz_kind: 'buy', biz_no })
    const first = no()
    const back = (points: number, refund: string) =>
      act(tx =>
        takeBackEarned(tx, {
          biz_kind: 'buy',
          biz_no,
          points,
          no: refund,
          why: '退款',
          now: begin,
        }),
      )
    expect([await back(30, first), await back(30, first), await back(90, no())]).toEqual([
      30, 0, 70,
    ])
    expect(await holds(member_id)).toEqual({ points: 0, frozen: 0, debt: 0 })
    const [row] = await rowsOf(member_id)
    expect(row!.reversed_by).not.toBeNull()
  })
  it('by hand come back to their lots when that is reversed; a reversal is not', async () => {
    const member_id = await someone()
    await earn(member_id, 100)
    const ledger_id = await act(tx =>
      adjustPoints(tx, {
        member_id,
        delta: -40,
        biz_no: no(),
        reason: '误加',
        operator_id,
        now: begin,
      }),
    )
    const how = { reason: '弄错人', operator_id, now: begin }
    const back = await act(tx => reversePoints(tx, { ...how, ledger_id }))
    expect(await holds(member_id)).toEqual({ points: 100, frozen: 0, debt: 0 })
    expect(await refused(act(tx => reversePoints(tx, { ...how, ledger_id: back })))).toBe(
      'not_reversible',
    )
    expect(await refused(act(tx => reversePoints(tx, { ...how, ledger_id })))).toBe(
      'not_reversible',
    )
  })
})

describe('a member', () => {
  it('whose benefits are frozen earns nothing, spends nothing and gets nothing by hand', async () => {
    const member_id = await someone()
    await earn(member_id, 100)
    await database.db.update(member).set({ benefits_frozen: true }).where(eq(member.id, member_id))
    expect(await earn(member_id, 5)).toBeNull()
    const order = { id: ++orders, order_no: no(), kind: 'film' }
    const by = { member_id, biz_no: no(), reason: '补', operator_id, now: begin }
    expect([
      await refused(act(tx => freezePoints(tx, { member_id, points: 5, order, now: begin }))),
      await refused(act(tx => adjustPoints(tx, { ...by, delta: 5 }))),
      await refused(act(tx => adjustPoints(tx, { ...by, delta: -101 }))),
    ]).toEqual(['benefits_frozen', 'benefits_frozen', 'points_short'])
    await act(tx => adjustPoints(tx, { ...by, delta: -5 }))
    expect(await holds(member_id)).toEqual({ points: 95, frozen: 0, debt: 0 })
  })
  it('who is merged brings points with the days they end, and debts, to the other', async () => {
    const [from, to] = [await someone(), await someone()]
    await earn(from, 80, { expire_at: begin + 5 * DAY })
    const ledger_id = (await earn(to, 30))!
    const order = { id: ++orders, order_no: no(), kind: 'film' }
    await act(tx => freezePoints(tx, { member_id: to, points: 30, order, now: begin }))
    await act(tx => reversePoints(tx, { ledger_id, reason: '错账', operator_id, now: begin }))
    expect(await holds(to)).toEqual({ points: 0, frozen: 30, debt: 30 })
    const merge = { from, to, biz_no: no(), operator_id, now: begin }
    await act(tx => movePoints(tx, merge))
    expect([await holds(from), await holds(to)]).toEqual([
      { points: 0, frozen: 0, debt: 0 },
      { points: 50, frozen: 30, debt: 0 },
    ])
    expect(await refused(act(tx => movePoints(tx, { ...merge, from: to, to: from })))).toBe(
      'points_frozen',
    )
    const [lot] = await database.db
      .select()
      .from(points_lot)
      .where(eq(points_lot.member_id, to))
      .orderBy(sql`id desc`)
    expect(lot!.expire_at).toBe(begin + 5 * DAY)
  })
  it('keeps a ledger whose rows nobody changes or deletes', async () => {
    const member_id = await someone()
    await earn(member_id, 100)
    for (const how of [
      sql`update points_ledger set delta = 5 where member_id = ${member_id}`,
      sql`delete from points_ledger where member_id = ${member_id}`,
    ])
      await expect(database.db.execute(how)).rejects.toMatchObject({
        cause: { message: 'points_ledger is append-only' },
      })
  })
})
