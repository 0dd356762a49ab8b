import { and, eq, isNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  bookGrowth,
  growFor,
  moveGrowth,
  protectLevel,
  reverseGrowth,
  setLevel,
  settleLevel,
  takeBackGrowth,
} from '#src/areas/level/growth.server.ts'
import {
  growth_ledger,
  level_hold,
  level_ladder,
  level_notice,
} from '#src/areas/level/level.table.ts'
import { levelOf, standardEarns, standardLevels } from '#src/areas/level/level.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { refundUnused } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

const NOW = 1_800_000_000
let database: Database
let operator_id: number
beforeAll(async () => {
  database = await openCopy()
  const [one] = await database.db.select({ id: admin.id }).from(admin).limit(1)
  operator_id = one!.id
  await database.db
    .update(level_ladder)
    .set({ state: 'archived' })
    .where(eq(level_ladder.state, 'live'))
  const [last] = await database.db
    .select({ no: sql<number>`coalesce(max(${level_ladder.no}), 0)::int` })
    .from(level_ladder)
  await database.db.insert(level_ladder).values({
    no: last!.no + 1,
    levels: [...standardLevels],
    earns: standardEarns,
    state: 'live',
    effective_at: NOW,
    recalc_done: true,
  })
}, 120_000)
let made = 0
const aMember = async (set: Partial<typeof member.$inferInsert> = {}): Promise<number> => {
  const n = ++made
  const [row] = await database.db
    .insert(member)
    .values({
      uid: `GR${n}`,
      nickname: `成长 ${n}`,
      phone: `1390000${String(n).padStart(4, '0')}`,
      city_id: 1,
      register_at: NOW,
      ...set,
    })
    .returning({ id: member.id })
  return row!.id
}
const standing = async (id: number) =>
  (
    await database.db
      .select({ growth: member.growth, level: member.level, keep: member.level_keep_until })
      .from(member)
      .where(eq(member.id, id))
  )[0]!
const rowsOf = (id: number) =>
  database.db
    .select()
    .from(growth_ledger)
    .where(eq(growth_ledger.member_id, id))
    .orderBy(growth_ledger.id)
const book = (member_id: number, delta: number, biz_no: string, now = NOW) =>
  database.transaction(tx =>
    bookGrowth(tx, { member_id, delta, kind: 'admin', biz_no, note: '测试', operator_id, now }),
  )
const settle = (member_id: number, now: number) =>
  database.transaction(tx => settleLevel(tx, { member_id, kind: 'expire', note: '等级到期', now }))

describe('growth', () => {
  it('is booked once by its number, raises the level at once and tells the member', async () => {
    const id = await aMember()
    expect(await book(id, 1200, `A${id}`)).toBeGreaterThan(0)
    expect(await book(id, 1200, `A${id}`)).toBeNull()
    expect(await standing(id)).toEqual({ growth: 1200, level: 2, keep: NOW + 365 * DAY })
    const [row] = await rowsOf(id)
    expect(row).toMatchObject({ delta: 1200, balance_after: 1200, level_before: 0, level_after: 2 })
    const told = await database.db.select().from(level_notice).where(eq(level_notice.member_id, id))
    expect(told).toHaveLength(1)
  })
  it('never goes below 0; the row keeps what was asked for', async () => {
    const id = await aMember()
    await book(id, 50, `B${id}`)
    await book(id, -80, `B${id}-`)
    expect((await rowsOf(id)).at(-1)).toMatchObject({ delta: -50, wanted: -80, balance_after: 0 })
  })
  it('is earned by the rules in force, by nobody whose benefits are frozen', async () => {
    const id = await aMember()
    const frozen = await aMember({ benefits_frozen: true })
    const earn = (member_id: number, action: 'buy' | 'comment', biz_no: string, cents = 0) =>
      database.transaction(tx =>
        growFor(tx, { action, member_id, biz_no, paid_cents: cents, now: NOW }),
      )
    await earn(id, 'buy', `C${id}`, 12_345)
    expect((await standing(id)).growth).toBe(123)
    expect(await earn(id, 'buy', `C${id}-small`, 99)).toBeNull()
    for (let n = 0; n < 5; n++) await earn(id, 'comment', `C${id}-${n}`)
    expect((await standing(id)).growth).toBe(123 + 3 * 5)
    expect(await earn(frozen, 'buy', `C${frozen}`, 12_345)).toBeNull()
  })
  it('goes back with refunds, each once, all of it with the last', async () => {
    const id = await aMember()
    const order = { id: 2_000_000_000 + id, order_no: `GROW${id}`, paid_cents: 10_000 }
    await database.transaction(tx =>
      growFor(tx, {
        action: 'buy',
        member_id: id,
        biz_no: order.order_no,
        order_id: order.id,
        paid_cents: order.paid_cents,
        now: NOW,
      }),
    )
    const back = (refund_no: string, refunded_cents: number) =>
      database.transaction(tx => takeBackGrowth(tx, { order, refund_no, refunded_cents, now: NOW }))
    await back(`RF${id}-1`, 3333)
    expect((await standing(id)).growth).toBe(67)
    expect(await back(`RF${id}-1`, 3333)).toBeNull()
    await back(`RF${id}-2`, 10_000)
    expect((await standing(id)).growth).toBe(0)
    expect((await rowsOf(id)).map(row => row.delta)).toEqual([100, -33, -67])
  })
  it('is reversed once, and a reversal never', async () => {
    const id = await aMember()
    const row = await book(id, 300, `D${id}`)
    const reverse = (ledger_id: number) =>
      database.transaction(tx =>
        reverseGrowth(tx, { ledger_id, reason: '误记', operator_id, now: NOW }),
      )
    const undone = await reverse(row!)
    expect(undone).toMatchObject({ delta: -300, balance_after: 0 })
    await expect(reverse(row!)).rejects.toMatchObject({ data: { rule: 'not_reversed' } })
    await expect(reverse(undone.id)).rejects.toMatchObject({ data: { rule: 'not_reversed' } })
  })
  it('is kept as it was written: the database lets nobody change a row', async () => {
    const id = await aMember()
    const row = await book(id, 10, `E${id}`)
    const where = eq(growth_ledger.id, row!)
    await expect(database.db.update(growth_ledger).set({ delta: 9 }).where(where)).rejects.toThrow()
    await expect(database.db.delete(growth_ledger).where(where)).rejects.toThrow()
  })
  it('moves whole to another member by two rows, once', async () => {
    const [from, to] = [await aMember(), await aMember()]
    await book(from, 400, `F${from}`)
    await book(to, 700, `F${to}`)
    const move = () =>
      database.transaction(tx =>
        moveGrowth(tx, { from, to, biz_no: `M${from}`, operator_id, now: NOW }),
      )
    await move()
    await move()
    expect((await standing(from)).growth).toBe(0)
    expect(await standing(to)).toMatchObject({ growth: 1100, level: 2 })
  })
})

describe('a level', () => {
  it('that growth reaches brings its gift, once a member and level; one that staff set does not', async () => {
    const levels = standardLevels.map(level => ({ ...level, gift_points: level.no * 10 }))
    const ofLive = eq(level_ladder.state, 'live')
    await database.db.update(level_ladder).set({ levels }).where(ofLive)
    const pointsOf = async (id: number) =>
      (await database.db.select({ n: member.points }).from(member).where(eq(member.id, id)))[0]!.n
    const earn = (member_id: number, n: number) =>
      database.transaction(tx =>
        bookGrowth(tx, {
          member_id,
          delta: 3000,
          kind: 'buy',
          biz_no: `GIFT${member_id}-${n}`,
          now: NOW,
        }),
      )
    const id = await aMember()
    await earn(id, 1)
    await earn(id, 2)
    expect(await pointsOf(id)).toBe(10 + 20 + 30)
    // It is lost, and reached again.
    await database.db
      .update(member)
      .set({ level: 0, level_keep_until: null })
      .where(eq(member.id, id))
    await earn(id, 3)
    expect(await pointsOf(id)).toBe(10 + 20 + 30 + 40)
    const set = await aMember()
    await book(set, 3000, `GIFTSET${set}`)
    expect(await pointsOf(set)).toBe(0)
    await database.db
      .update(level_ladder)
      .set({ levels: [...standardLevels] })
      .where(ofLive)
  })
  it('set by staff ends by itself and falls back to the ladder', async () => {
    const id = await aMember()
    await book(id, 250, `G${id}`)
    const set = (level: number, until: number) =>
      database.transaction(tx =>
        setLevel(tx, {
          member_id: id,
          level,
          keep_until_at: until,
          reason: '补偿',
          operator_id,
          now: NOW,
        }),
      )
    await set(4, NOW + DAY)
    expect(await standing(id)).toMatchObject({ level: 4, keep: NOW + DAY })
    await settle(id, NOW + DAY - 1)
    expect((await standing(id)).level).toBe(4)
    await settle(id, NOW + DAY)
    expect(await standing(id)).toMatchObject({ level: 1, keep: NOW + 365 * DAY })
    await expect(set(6, NOW + DAY)).rejects.toMatchObject({ data: { rule: 'level_off' } })
    await expect(set(3, NOW)).rejects.toMatchObject({ data: { rule: 'until_past' } })
  })
  it('that is protected falls only when that is over', async () => {
    const id = await aMember({ level: 3, level_keep_until: NOW, growth: 10 })
    await database.transaction(tx =>
      protectLevel(tx, {
        member_id: id,
        until_at: NOW + DAY,
        reason: '住院',
        operator_id,
        now: NOW - 1,
      }),
    )
    expect(await settle(id, NOW + 60)).toBeNull()
    expect((await standing(id)).level).toBe(3)
    expect(await settle(id, NOW + DAY)).toBeGreaterThan(0)
    expect((await standing(id)).level).toBe(0)
  })
})

describe('over any history', () => {
  it('growth is the sum of its rows, none below 0, and levels are earned, kept or set', async () => {
    const step = fc.record({
      what: fc.constantFrom('book', 'take', 'set', 'protect', 'reverse', 'wait'),
      n: fc.integer({ min: 1, max: 9000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        const id = await aMember()
        let now = NOW
        for (const [at, { what, n }] of steps.entries()) {
          const biz_no = `H${id}-${at}`
          if (what === 'book') await book(id, n, biz_no, now)
          if (what === 'take') await book(id, -n, biz_no, now)
          const hold = { member_id: id, reason: '测试', operator_id, now }
          const until = now + (n % 400) * DAY + 1
          if (what === 'set')
            await database.transaction(tx =>
              setLevel(tx, { ...hold, level: n % 6, keep_until_at: until }),
            )
          if (what === 'protect')
            await database.transaction(tx => protectLevel(tx, { ...hold, until_at: until }))
          if (what === 'reverse') {
            const row = (await rowsOf(id)).find(
              one => one.reversed_by === null && one.kind !== 'reverse' && one.delta !== 0,
            )
            if (row)
              await database.transaction(tx =>
                reverseGrowth(tx, { ledger_id: row.id, reason: '测试', operator_id, now }),
              )
          }
          if (what === 'wait') now += (n % 400) * DAY
          await settle(id, now)
          await holds(id, now)
        }
      }),
      { numRuns: 15 },
    )
  })
  const holds = async (id: number, now: number) => {
    const { growth, level, keep } = await standing(id)
    const rows = await rowsOf(id)
    let sum = 0
    for (const row of rows) {
      sum += row.delta
      expect(row.balance_after).toBe(sum)
      expect(sum).toBeGreaterThanOrEqual(0)
    }
    expect(growth).toBe(sum)
    const held = await database.db
      .select()
      .from(level_hold)
      .where(and(eq(level_hold.member_id, id), isNull(level_hold.ended_at)))
    const earned = levelOf(growth, { levels: standardLevels })
    const isSet = held.some(one => one.kind === 'manual' && one.level === level)
    const isKept = (keep ?? 0) > now || held.some(one => one.kind === 'protect')
    expect(level === earned || isSet || (level > earned && isKept)).toBe(true)
  }
})

describe('an order', () => {
  it('earns growth when it is paid, and gives its share back with each refund', async () => {
    const id = await aMember()
    const now = unixNow()
    const { item } = await database.transaction(tx => freshProduct(tx, 'elist'))
    const order_id = await database.transaction(async tx => {
      const placed = await placeOrder(tx, {
        proved: true,
        product_id: item.id,
        qty: 2,
        member_id: id,
        now: now - 3600,
        freight_cents: 800,
        receiver: { name: '王小明', phone: '13912345678', area: '上海市', address: '文汇路1号' },
      })
      await payOrder(tx, placed.id, now - 3600)
      return placed.id
    })
    const [paid] = await database.db.select().from(order).where(eq(order.id, order_id))
    const { buy_cents } = standardEarns
    expect(await rowsOf(id)).toMatchObject([
      {
        kind: 'buy',
        biz_no: paid!.order_no,
        order_id,
        delta: Math.floor(paid!.paid_cents / buy_cents),
      },
    ])
    expect(await refundUnused(database, { order_id, reason: '不想要了', now })).toBe(true)
    const rows = await rowsOf(id)
    expect(rows.map(one => one.kind)).toEqual(['buy', 'refund'])
    expect(rows[1]).toMatchObject({ order_id, delta: -rows[0]!.delta, balance_after: 0 })
  })
})
