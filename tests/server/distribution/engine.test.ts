import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { releaseDue, settleCommissions } from '#src/areas/commission/settling.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import {
  distributors,
  lineOf,
  merchants,
  ours,
  type AccountKind,
} from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { bookOrders } from '#src/areas/settle/orderBooks.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { bind, commissionOf, distribute, freshSeller } from '../../help/sellers.ts'
import { openSales, type Sales } from '../../help/sellerSales.ts'

let database: Database
let sales: Sales
let coupons: Sales['coupons']
let goods: Sales['goods']
const { placed, bought, used, received, givenBack, settled, team } = {
  placed: (...of: Parameters<Sales['placed']>) => sales.placed(...of),
  bought: (...of: Parameters<Sales['bought']>) => sales.bought(...of),
  used: (...of: Parameters<Sales['used']>) => sales.used(...of),
  received: (...of: Parameters<Sales['received']>) => sales.received(...of),
  givenBack: (...of: Parameters<Sales['givenBack']>) => sales.givenBack(...of),
  settled: (...of: Parameters<Sales['settled']>) => sales.settled(...of),
  team: () => sales.team(),
}
beforeAll(async () => {
  database = await openCopy()
  sales = await openSales(database)
  ;({ coupons, goods } = sales)
})
const held = (kind: AccountKind, id: number) => balanceOf(database.db, distributors(kind, id))
const merchantOf = async (store_id: number) =>
  (await database.db.select().from(store).where(eq(store.id, store_id)))[0]!.merchant_id
const sound = async () => expect(await brokenBooks(database)).toEqual({})

describe('commission of an order', () => {
  it('is estimated when it is paid: the expert’s by goods, level and own, and the leader’s', async () => {
    await distribute(database, { ref_id: coupons.id, rate_bp: 500, level_plus: { 2: 30 } })
    const { leader, expert, member_id } = await team()
    const id = await bought(member_id)
    const rows = await commissionOf(database, id)
    expect(rows.map(row => [row.role, row.distributor_id, row.rate_bp, row.status])).toEqual([
      ['direct', expert.id, 550, 'estimated'],
      ['leader', leader.id, 150, 'estimated'],
      ['direct', expert.id, 550, 'estimated'],
      ['leader', leader.id, 150, 'estimated'],
    ])
    for (const row of rows)
      expect(row.amount_cents).toBe(Math.round((row.base_cents * row.rate_bp) / 10_000))
    expect(rows[0]!.calc).toMatchObject({ goods_bp: 500, level_bp: 30, plus_bp: 20 })
    expect([await held('distributor_frozen', expert.id)]).toEqual([0])
    const [one] = await database.db.select().from(distributor).where(eq(distributor.id, expert.id))
    expect(one).toMatchObject({
      order_count: 1,
      gmv_cents: rows[0]!.base_cents + rows[2]!.base_cents,
    })
    await sound()
  })
  it('keeps the rates of the moment the order was made', async () => {
    const { member_id } = await team()
    await distribute(database, { ref_id: coupons.id, rate_bp: 400, level_plus: {} })
    const { id } = await placed(member_id)
    await distribute(database, { ref_id: coupons.id, rate_bp: 900 })
    await database.transaction(tx => payOrder(tx, id, unixNow()))
    expect((await commissionOf(database, id))[0]!.rate_bp).toBe(420)
    await distribute(database, { ref_id: coupons.id, rate_bp: 500 })
    await sound()
  })
  it('is nobody’s of what they buy themselves, nor of a frozen seller or goods that are off', async () => {
    const { expert } = await team()
    const own = expert.member_id!
    await bind(database, { member_id: own, distributor_id: expert.id, role: 'expert' })
    expect(await commissionOf(database, await bought(own))).toEqual([])
    const frozen = await freshSeller(database, { status: 'frozen' })
    const { id: member_id } = await aBuyer(database)
    await bind(database, { member_id, distributor_id: frozen.id, role: 'expert' })
    expect(await commissionOf(database, await bought(member_id))).toEqual([])
    const { member_id: another } = await team()
    await distribute(database, { ref_id: coupons.id, status: 'off' })
    expect(await commissionOf(database, await bought(another))).toEqual([])
    await distribute(database, { ref_id: coupons.id, status: 'on' })
  })
  it('is the guide’s of the goods’ own merchant, at the merchant’s cost, before any expert', async () => {
    const guide = await freshSeller(database, { kind: 'guide', store_id: coupons.store_ids[0]! })
    const { member_id } = await team()
    await bind(database, { member_id, distributor_id: guide.id, role: 'guide' })
    const id = await bought(member_id)
    const rows = await commissionOf(database, id)
    expect(rows.map(row => [row.role, row.rate_bp])).toEqual([
      ['guide', 100],
      ['guide', 100],
    ])
    const [line] = await database.db.select().from(settle_line).where(eq(settle_line.order_id, id))
    expect(line).toMatchObject({
      distributor_bearer: 'merchant',
      distributor_cents: rows[0]!.amount_cents,
      merchant_cents: line!.base_cents - line!.commission_cents - rows[0]!.amount_cents,
    })
    await used(id)
    expect(await held('distributor_frozen', guide.id)).toBe(-rows[0]!.amount_cents)
    await sound()
  })
  it('is the guide’s store’s of another merchant’s goods, settled to the store’s merchant', async () => {
    const [other] = await database.db
      .select()
      .from(store)
      .where(
        sql`merchant_id <> ${await merchantOf(coupons.store_ids[0]!)} and not exists (select 1 from distributor d where d.store_id = ${store.id} and d.kind = 'store')`,
      )
      .limit(1)
    const seller = await freshSeller(database, { kind: 'store', store_id: other!.id, rate_bp: 200 })
    const guide = await freshSeller(database, { kind: 'guide', store_id: other!.id })
    const { id: member_id } = await aBuyer(database)
    await bind(database, { member_id, distributor_id: guide.id, role: 'guide' })
    const id = await bought(member_id, coupons, 1)
    const [row] = await commissionOf(database, id)
    expect(row).toMatchObject({ role: 'store', distributor_id: seller.id, rate_bp: 200 })
    await used(id)
    const to = merchants('merchant_balance', other!.merchant_id)
    const before = await balanceOf(database.db, to)
    expect(await settled(id)).toMatchObject({ ids: [row!.id], cents: row!.amount_cents })
    expect(before - (await balanceOf(database.db, to))).toBe(row!.amount_cents)
    await sound()
  })
  it('is cut to what the platform earns of it, and says what it would have been', async () => {
    await distribute(database, { ref_id: coupons.id, rate_bp: 2500, level_plus: {} })
    const { member_id } = await team()
    const id = await bought(member_id, coupons, 1)
    const rows = await commissionOf(database, id)
    const [line] = await database.db.select().from(settle_line).where(eq(settle_line.order_id, id))
    const all = rows.reduce((sum, row) => sum + row.amount_cents, 0)
    expect(all).toBe(line!.commission_cents - line!.fee_cents)
    expect(rows[0]!.calc!.uncut_cents).toBeGreaterThan(rows[0]!.amount_cents)
    await distribute(database, { ref_id: coupons.id, rate_bp: 500 })
    await sound()
  })
  it('is on hold once used, and back to an estimate when the use is taken back', async () => {
    const { expert, leader, member_id } = await team()
    const id = await bought(member_id, coupons, 1)
    const [record] = await used(id)
    const rows = await commissionOf(database, id)
    expect(rows.map(row => [row.status, row.frozen_until])).toEqual([
      ['frozen', record!.hold_until],
      ['frozen', record!.hold_until],
    ])
    expect(await held('distributor_frozen', expert.id)).toBe(-rows[0]!.amount_cents)
    await sound()
    await database.transaction(tx =>
      reverseRedemption(tx, {
        record_id: record!.id,
        by: { admin_id: 1 },
        reason: '扫错码',
        now: unixNow(),
      }),
    )
    expect((await commissionOf(database, id)).map(row => row.status)).toEqual([
      'estimated',
      'estimated',
    ])
    for (const one of [expert, leader]) expect(await held('distributor_frozen', one.id)).toBe(0)
    await sound()
  })
  it('goes back with a refund: cancelled before it is settled, clawed back and owed after', async () => {
    const { expert, member_id } = await team()
    const early = await bought(member_id, goods, 1)
    await received(early)
    await givenBack(early)
    expect(new Set((await commissionOf(database, early)).map(row => row.status))).toEqual(
      new Set(['cancelled']),
    )
    const id = await bought(member_id, goods, 1)
    await received(id)
    const [row] = await commissionOf(database, id)
    await settled(id)
    expect(await held('distributor_balance', expert.id)).toBe(-row!.amount_cents)
    // All but 10 cents is withdrawn before the goods come back.
    await database.transaction(tx =>
      post(tx, {
        biz: 'withdraw_paid',
        biz_id: 0,
        biz_no: 'TX',
        idem_key: `withdrawn:${row!.id}`,
        at: unixNow(),
        lines: [
          ...lineOf(distributors('distributor_balance', expert.id), row!.amount_cents - 10),
          ...lineOf(ours('bank_cash'), 10 - row!.amount_cents),
        ],
      }),
    )
    await givenBack(id)
    expect((await commissionOf(database, id))[0]).toMatchObject({
      status: 'clawed_back',
      reversed_cents: row!.amount_cents,
    })
    expect(await held('distributor_balance', expert.id)).toBe(0)
    expect(await held('distributor_debt', expert.id)).toBe(row!.amount_cents - 10)
    await sound()
    // What is settled next pays the debt first.
    const next = await bought(member_id, coupons, 1)
    await used(next)
    await settled(next)
    const [later] = await commissionOf(database, next)
    const net = later!.amount_cents - (row!.amount_cents - 10)
    expect(await held('distributor_balance', expert.id)).toBe(-Math.max(0, net))
    expect(await held('distributor_debt', expert.id)).toBe(Math.max(0, -net))
    await sound()
  })
  it('is settled once, however often it is asked for, and not while it is held or on hold', async () => {
    const { expert, member_id } = await team()
    const id = await bought(member_id, coupons, 1)
    await used(id)
    const [row] = await commissionOf(database, id)
    const now = unixNow()
    const ask = (at: number) =>
      database.transaction(tx => settleCommissions(tx, [row!.id], { now: at }))
    expect(await ask(now)).toMatchObject({ ids: [] })
    await database.db
      .update(dist_commission)
      .set({ status: 'settleable', held: true })
      .where(eq(dist_commission.id, row!.id))
    expect(await ask(now)).toMatchObject({ ids: [] })
    await database.db
      .update(dist_commission)
      .set({ held: false })
      .where(eq(dist_commission.id, row!.id))
    const both = await Promise.all([ask(now), ask(now + 1)])
    expect(both.flatMap(one => one.ids)).toEqual([row!.id])
    expect(await held('distributor_balance', expert.id)).toBe(-row!.amount_cents)
    await sound()
  })
  it('is the same when its order is booked again', async () => {
    const { member_id } = await team()
    const id = await bought(member_id)
    await used(id)
    const [before, counts] = [
      await commissionOf(database, id),
      await database.db.select().from(distributor).orderBy(distributor.id),
    ]
    await database.transaction(tx => bookOrders(tx, [id], unixNow()))
    expect(await commissionOf(database, id)).toEqual(before)
    expect(await database.db.select().from(distributor).orderBy(distributor.id)).toEqual(counts)
  })
  it('follows the period of a team: a member who moves tomorrow still earns for today’s leader', async () => {
    const { expert, leader, member_id } = await team()
    await database.db.execute(
      sql`update dist_group_member set end_at = ${unixNow() + DAY} where distributor_id = ${expert.id}`,
    )
    const rows = await commissionOf(database, await bought(member_id, coupons, 1))
    expect(rows.find(row => row.role === 'leader')!.distributor_id).toBe(leader.id)
    await database.db.execute(
      sql`update dist_group_member set end_at = ${unixNow() - DAY} where distributor_id = ${expert.id}`,
    )
    expect(
      (await commissionOf(database, await bought(member_id, coupons, 1))).map(row => row.role),
    ).toEqual(['direct'])
  })
})

onlyOn('postgres')('a refund and a settlement of one order at once', () => {
  it('leave sums that hold, whoever is first', async () => {
    for (let n = 0; n < 4; n++) {
      const { expert, member_id } = await team()
      const id = await bought(member_id, goods, 1)
      await received(id)
      const [row] = await commissionOf(database, id)
      const now = row!.frozen_until!
      await database.transaction(tx => releaseDue(tx, now))
      await Promise.all([
        givenBack(id),
        database.transaction(tx => settleCommissions(tx, [row!.id], { now })),
      ])
      await finishPayouts(database, unixNow() + 7200)
      const [after] = await commissionOf(database, id)
      expect(after!.reversed_cents).toBe(after!.amount_cents)
      expect(['cancelled', 'clawed_back']).toContain(after!.status)
      for (const kind of ['distributor_frozen', 'distributor_balance', 'distributor_debt'] as const)
        expect(await held(kind, expert.id)).toBe(0)
    }
    await sound()
  })
})
