import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { lockCoupon } from '#src/areas/coupon/coupons.server.ts'
import { countBought } from '#src/areas/member/bought.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { grantOf } from '../../help/coupons.ts'
import { freshMember } from '../../help/members.ts'
import { refundUnused } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
})
const refusedBy = (rule: string) => ({ data: { rule } })
const read = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!

describe('benefits of a member', () => {
  const claim = async (of: Partial<typeof member.$inferInsert>) => {
    const other = await freshMember(database)
    const { coupon_id } = await grantOf(database.db, { member_id: other.id, now })
    const mine = await freshMember(database, of)
    return database.transaction(tx =>
      claimCoupon(tx, { coupon_id, member_id: mine.id, qty: 1, kind: 'admin', now }),
    )
  }
  it('come with any account that is in use', async () => {
    for (const account_state of ['normal', 'muted', 'canceling'] as const)
      expect((await claim({ account_state })).grants).toHaveLength(1)
  })
  it('give no coupon while they are frozen, or the account is banned or closed', async () => {
    await expect(claim({ benefits_frozen: true })).rejects.toMatchObject(
      refusedBy('benefits_frozen'),
    )
    for (const account_state of ['banned', 'canceled'] as const)
      await expect(claim({ account_state })).rejects.toMatchObject(refusedBy('member_off'))
  })
  it('let no coupon be used while they are frozen', async () => {
    const { id: member_id } = await freshMember(database, { benefits_frozen: true })
    const grant = await grantOf(database.db, { member_id, now })
    await expect(
      database.transaction(tx =>
        lockCoupon(tx, {
          grant_id: grant.id,
          member_id,
          order_no: 'T1',
          kind: 'bulks',
          posted: false,
          store_id: 1,
          city_id: 1,
          freight_cents: 0,
          other_cents: 0,
          reduced: false,
          sold: [],
          now,
        }),
      ),
    ).rejects.toMatchObject(refusedBy('benefits_frozen'))
  })
})

describe('what a member bought', () => {
  it('follows an order that is paid and given back', async () => {
    const { id: member_id } = await freshMember(database)
    const { item } = await freshProduct(database.db)
    const made = await database.transaction(tx =>
      placeOrder(tx, { proved: true, product_id: item.id, qty: 1, member_id, now }),
    )
    expect(await read(member_id)).toMatchObject({ order_count: 0, last_order_at: null })
    await database.transaction(tx => payOrder(tx, made.id, now))
    const paid = { total_paid_cents: made.pay_cents, order_count: 1, last_order_at: now }
    expect(await read(member_id)).toMatchObject(paid)
    await countBought(database.db)
    expect(await read(member_id)).toMatchObject(paid)
    expect(await refundUnused(database, { order_id: made.id, reason: '不想要了', now })).toBe(true)
    const held = await database.transaction(tx => holdOrder(tx, made.id))
    expect(held.refunded_cents).toBe(made.pay_cents)
    expect(await read(member_id)).toMatchObject({ ...paid, total_paid_cents: 0 })
  })
})
