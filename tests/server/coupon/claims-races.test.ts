import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { revokeUnused } from '#src/areas/coupon/couponRecord.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { grantOf } from '../../help/coupons.ts'
import { everyoneInUse } from '../../help/members.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
  await everyoneInUse(database)
})
const now = unixNow()
/** A coupon that runs, of which nothing was claimed. */
const fresh = async (of: Partial<typeof coupon.$inferInsert>): Promise<number> => {
  const { coupon_id, id } = await database.transaction(tx => grantOf(tx, { member_id: 1, now }))
  await database.db.delete(coupon_grant).where(eq(coupon_grant.id, id))
  await database.db
    .update(coupon)
    .set({ claimed_count: 0, ...of })
    .where(eq(coupon.id, coupon_id))
  return coupon_id
}
const claim = (coupon_id: number, member_id: number, qty = 1) =>
  database.transaction(tx => claimCoupon(tx, { coupon_id, member_id, qty, kind: 'claim', now }))
/** How many of several at once were told what. */
const atOnce = async (works: readonly (() => Promise<unknown>)[]) => {
  const said: Record<string, number> = {}
  await Promise.all(
    works.map(async work => {
      const word = await work().then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
          throw error
        },
      )
      said[word] = (said[word] ?? 0) + 1
    }),
  )
  return said
}
const stands = async (id: number) => {
  const [of] = await database.db.select().from(coupon).where(eq(coupon.id, id))
  const grants = await database.db.select().from(coupon_grant).where(eq(coupon_grant.coupon_id, id))
  return { claimed: of!.claimed_count, grants: grants.length, states: grants.map(g => g.status) }
}
const many = (n: number, run: (at: number) => Promise<unknown>) =>
  Array.from({ length: n }, (_, at) => () => run(at))

describe('at the same moment', () => {
  it('of 200 who claim the last piece one has it, and the others are told', async () => {
    const id = await fresh({ total: 1 })
    expect(await atOnce(many(200, at => claim(id, 1 + at)))).toEqual({ done: 1, used_up: 199 })
    expect(await stands(id)).toMatchObject({ claimed: 1, grants: 1 })
  }, 60_000)
  it('no more are given than there are, several at a time', async () => {
    const id = await fresh({ total: 50, per_member: 3 })
    const said = await atOnce(many(40, at => claim(id, 1 + at, 3)))
    expect([said['done'], (said['few_left'] ?? 0) + (said['used_up'] ?? 0)]).toEqual([16, 24])
    expect(await stands(id)).toMatchObject({ claimed: 48, grants: 48 })
  }, 60_000)
  it('one member has no more than each may have, however often they press', async () => {
    const id = await fresh({ total: 100, per_member: 2 })
    expect(await atOnce(many(30, () => claim(id, 5)))).toEqual({ done: 2, per_member: 28 })
    const daily = await fresh({ total: 100, per_member: 9, per_day: 1 })
    expect(await atOnce(many(30, () => claim(daily, 5)))).toEqual({ done: 1, per_day: 29 })
    expect([await stands(id), await stands(daily)]).toMatchObject([
      { claimed: 2, grants: 2 },
      { claimed: 1, grants: 1 },
    ])
  }, 60_000)
  it('it is claimed and made void, nothing is left unused that was given before or after', async () => {
    for (let round = 0; round < 6; round++) {
      const id = await fresh({ total: 100 })
      const end = () =>
        database.transaction(async tx => {
          await tx.update(coupon).set({ status: 'void' }).where(eq(coupon.id, id))
          await revokeUnused(tx, { coupon_id: id, reason: '配置错误', now })
        })
      const works = many(8, at => claim(id, 1 + at))
      works.splice(4, 0, end)
      await atOnce(works)
      const { claimed, grants, states } = await stands(id)
      expect([claimed, states.filter(one => one !== 'revoked')]).toEqual([grants, []])
    }
  }, 60_000)
})
