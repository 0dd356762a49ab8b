import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookGrowth, moveGrowth, reverseGrowth } from '#src/areas/level/growth.server.ts'
import { growth_ledger } from '#src/areas/level/level.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'

const NOW = 1_800_000_000
let database: Database
let operator_id: number
beforeAll(async () => {
  database = await openCopy()
  operator_id = (await database.db.select({ id: admin.id }).from(admin).limit(1))[0]!.id
}, 120_000)
const aMember = async (uid: string): Promise<number> =>
  (
    await database.db
      .insert(member)
      .values({ uid, nickname: uid, phone: '13900000000', city_id: 1, register_at: NOW })
      .returning({ id: member.id })
  )[0]!.id
const growthOf = async (id: number) =>
  (await database.db.select({ n: member.growth }).from(member).where(eq(member.id, id)))[0]!.n
const book = (member_id: number, delta: number, biz_no: string) =>
  database.transaction(tx => bookGrowth(tx, { member_id, delta, kind: 'sign', biz_no, now: NOW }))

describe('at the same time', () => {
  it('one business is booked once, different ones all', async () => {
    const id = await aMember('RACE1')
    const same = await Promise.all(Array.from({ length: 6 }, () => book(id, 5, 'RACE1-same')))
    expect(same.filter(row => row !== null)).toHaveLength(1)
    await Promise.all(Array.from({ length: 6 }, (_, at) => book(id, 5, `RACE1-${at}`)))
    expect(await growthOf(id)).toBe(35)
    const rows = await database.db
      .select()
      .from(growth_ledger)
      .where(eq(growth_ledger.member_id, id))
      .orderBy(growth_ledger.id)
    expect(rows.map(row => row.balance_after)).toEqual([5, 10, 15, 20, 25, 30, 35])
  })
  it('a row is reversed by one of several', async () => {
    const id = await aMember('RACE2')
    const ledger_id = (await book(id, 80, 'RACE2'))!
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        database.transaction(tx =>
          reverseGrowth(tx, { ledger_id, reason: '误记', operator_id, now: NOW }),
        ),
      ),
    )
    expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect(await growthOf(id)).toBe(0)
  })
  it('two members that are merged into each other wait, and nothing is lost', async () => {
    const [a, b] = [await aMember('RACE3'), await aMember('RACE4')]
    await book(a, 30, 'RACE3')
    await book(b, 12, 'RACE4')
    const move = (from: number, to: number) =>
      database.transaction(tx => moveGrowth(tx, { from, to, biz_no: `RACE-${from}`, now: NOW }))
    await Promise.all([move(a, b), move(b, a)])
    expect((await growthOf(a)) + (await growthOf(b))).toBe(42)
  })
})
