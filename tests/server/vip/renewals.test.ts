import { eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import type { EmbeddedContracts } from '#src/areas/payment/embeddedContract.channel.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, sendPayouts } from '#src/areas/payment/payments.server.ts'
import { giveDays, takeDaysBack } from '#src/areas/vipCard/givenDays.server.ts'
import { vip_charge } from '#src/areas/vipCard/renewal.table.ts'
import { beginCharge, sendCharges, stopRenewal } from '#src/areas/vipCard/renewals.server.ts'
import { turnMemberships } from '#src/areas/vipCard/subscriptions.server.ts'
import { vip_card_order, vip_contract, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { joined, saidIn } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { channelOf } from '../../help/orders.ts'
import { aPlan, membershipsOf } from '../../help/vipCards.ts'
import {
  buy,
  chargesOf,
  contractsAt,
  giveBack,
  orderAt,
  place,
  purchase,
  renewTurn,
  subscriptionOf,
} from '../../help/vipOrders.ts'

let database: Database
let clock = unixNow()
let channel: EmbeddedContracts
let monthly: number
beforeAll(async () => {
  database = await openCopy({ poolSize: 12 })
  // What the demo renews is not of these tests.
  await database.db
    .update(vip_subscription)
    .set({ auto_renew: false, contract_no: '', next_charge_at: null })
  await database.db.update(vip_contract).set({ state: 'ended', ask_at: null })
  channel = contractsAt(database, () => clock)
  const kind = { kind: 'month', auto_renew: true, contract_template: 'WXQ1' } as const
  monthly = (await aPlan(database, { ...kind, refund_policy: 'prorate' })).id
})
const NOW = unixNow()
const at = (now: number) => (clock = now)
/** The clock of a minute, and of what the channel answers a moment later. */
const turn = async (now: number) => {
  await renewTurn(database, channel, at(now))
  await database.db.update(vip_charge).set({ ask_at: now }).where(eq(vip_charge.state, 'pending'))
  at(now + 5)
  await sendCharges(database, channel, now + 5)
}
/** A member who renews by itself, bought at a moment. */
const renewing = async (now = NOW) => {
  const buyer = await aBuyer(database)
  const bought = await buy(database, { member_id: buyer.id, card_id: monthly, renew: true, now })
  await turn(now + 60)
  const [contract] = await database.db
    .select()
    .from(vip_contract)
    .where(eq(vip_contract.id, bought.contract_id!))
  return { buyer, bought, contract: contract!, id: bought.subscription_id! }
}
const payOut = (now: number) =>
  sendPayouts({
    database,
    channel: channelOf({
      refund: async of => ({
        state: 'success',
        channel_no: `R${of.out_no}`,
        at: now,
        amount_cents: of.amount_cents,
      }),
    }),
    log: { warn: () => undefined },
    now,
  })

describe('a membership that renews', () => {
  it('signs as it is paid, is charged a day before its end, once, and goes on', async () => {
    const { id, contract, bought } = await renewing()
    expect(contract.state).toBe('signed')
    const before = await subscriptionOf(database, id)
    expect([before.auto_renew, before.next_charge_at]).toEqual([true, bought.end_at! - DAY])
    await turn(NOW + 28 * DAY)
    expect(await chargesOf(database, id)).toEqual([])
    const due = NOW + 29 * DAY + 60
    await turn(due)
    await turn(due + 60)
    const [charge, none] = await chargesOf(database, id)
    expect([charge!.state, none]).toEqual(['success', undefined])
    const after = await subscriptionOf(database, id)
    expect([after.end_at, after.next_charge_at, after.paid_cents]).toEqual([
      NOW + 60 * DAY,
      NOW + 59 * DAY,
      6000,
    ])
    const renewed = await purchase(database, charge!.vip_order_id)
    expect([renewed.kind, renewed.start_at]).toEqual(['renew', NOW + 30 * DAY])
    expect(await brokenBooks(database)).toEqual({})
  })
  it('whose charge failed is not charged again within a day because days were given and taken back', async () => {
    const { id, buyer, bought, contract } = await renewing()
    await channel.plan(contract.contract_no, { plan: { fail: 'NOTENOUGH' } })
    const due = bought.end_at! - DAY + 60
    await turn(due)
    const again = (await subscriptionOf(database, id)).next_charge_at!
    expect(again).toBe(due + DAY)
    const given = { member_id: buyer.id, card_id: monthly, days: 10, now: due + 600 }
    const order_no = `RCQ-renewal-${id}`
    await database.transaction(tx => giveDays(tx, { ...given, order_no, source: '兑换码' }))
    const later = await subscriptionOf(database, id)
    expect(later.next_charge_at).toBe(bought.end_at! + 9 * DAY)
    const back = due + 1200
    expect(await database.transaction(tx => takeDaysBack(tx, { order_no, now: back }))).toBe(true)
    expect((await subscriptionOf(database, id)).next_charge_at).toBe(again)
    await turn(back + 60)
    await turn(again - 60)
    expect(await chargesOf(database, id)).toHaveLength(1)
    await turn(again)
    expect(await chargesOf(database, id)).toHaveLength(2)
    // A day that is given ends no sooner than the wait after a failure.
    const day = { ...given, days: 1, now: again + 600, order_no: `${order_no}-day` }
    const wait = (await subscriptionOf(database, id)).next_charge_at!
    await database.transaction(tx => giveDays(tx, { ...day, source: '兑换码' }))
    expect((await subscriptionOf(database, id)).next_charge_at).toBe(wait)
  })
  it('fails in the channel’s words, goes on in grace, and is whole again once it is charged', async () => {
    const { id, contract } = await renewing()
    await channel.plan(contract.contract_no, { plan: { fail: 'NOTENOUGH' } })
    await turn(NOW + 29 * DAY + 60)
    const failed = await subscriptionOf(database, id)
    expect([failed.charge_fail_count, failed.charge_error]).toEqual([
      1,
      joined(['付款账户余额不足', 'The payer’s balance is too low']),
    ])
    expect((await chargesOf(database, id))[0]!.error).toBe(failed.charge_error)
    const [charge] = await chargesOf(database, id)
    expect((await orderAt(database, charge!.order_id)).pay_state).toBe('closed')
    await database.transaction(tx => turnMemberships(tx, NOW + 31 * DAY))
    expect((await subscriptionOf(database, id)).status).toBe('grace')
    await channel.plan(contract.contract_no, { plan: {} })
    await turn(NOW + 32 * DAY)
    const whole = await subscriptionOf(database, id)
    expect([whole.status, whole.charge_fail_count, whole.end_at]).toEqual([
      'active',
      0,
      NOW + 60 * DAY,
    ])
  })
  it('is never charged on a contract that is over, whoever ended it', async () => {
    const { id, contract } = await renewing()
    await channel.plan(contract.contract_no, { state: 'ended' })
    await turn(NOW + 29 * DAY + 60)
    const off = await subscriptionOf(database, id)
    expect([
      off.auto_renew,
      saidIn(off.charge_error, 'zh'),
      saidIn(off.charge_error, 'en'),
    ]).toEqual([false, '签约已失效或用户已解约', 'The contract is gone, or its member ended it'])
    const other = await renewing()
    await database.transaction(async tx => {
      const [sub] = await tx
        .select()
        .from(vip_subscription)
        .where(eq(vip_subscription.id, other.id))
        .for('update')
      await beginCharge(tx, other.id, { by: 1, now: NOW + DAY, channel: 'embedded' })
      await stopRenewal(tx, sub!, { reason: '会员要求', now: NOW + DAY })
    })
    await turn(NOW + DAY)
    const [charge] = await chargesOf(database, other.id)
    expect([charge!.state, charge!.error_code]).toEqual(['failed', 'CONTRACT_ENDED'])
    await turn(NOW + DAY + 120)
    const [ended] = await database.db
      .select()
      .from(vip_contract)
      .where(eq(vip_contract.id, other.contract.id))
    expect(ended!.state).toBe('ended')
    expect(await channel.queryContract(other.contract.contract_no)).toEqual({ state: 'ended' })
    expect((await subscriptionOf(database, other.id)).auto_renew).toBe(false)
  })
  it('ends the contract of an order that is not paid, and says why in both languages', async () => {
    const buyer = await aBuyer(database)
    const { made, bought } = await place(database, {
      member_id: buyer.id,
      card_id: monthly,
      renew: true,
      now: NOW,
    })
    await database.transaction(tx => closeUnpaid(tx, made.id, NOW + DAY))
    const [ended] = await database.db
      .select()
      .from(vip_contract)
      .where(eq(vip_contract.id, bought.contract_id!))
    expect([
      ended!.state,
      saidIn(ended!.end_reason, 'zh'),
      saidIn(ended!.end_reason, 'en'),
    ]).toEqual(['ended', '订单未支付', 'The order was not paid'])
  })
  it('asks by the number after a crash, and never charges twice', async () => {
    const { id } = await renewing()
    const due = at(NOW + 29 * DAY + 60)
    const charge = (await database.transaction(tx =>
      beginCharge(tx, id, { by: null, now: due, channel: 'embedded' }),
    ))!
    // The process ends after the channel took it and before that was written down.
    await channel.charge({
      out_no: charge.out_no,
      contract_no: (await subscriptionOf(database, id)).contract_no,
      amount_cents: charge.amount_cents,
      title: '',
    })
    await database.db
      .update(vip_charge)
      .set({ tries: 1, ask_at: due + 60 })
      .where(eq(vip_charge.id, charge.id))
    at(due + 60)
    let sent = 0
    const counted = {
      ...channel,
      charge: async (of: Parameters<typeof channel.charge>[0]) => (sent++, channel.charge(of)),
    }
    await sendCharges(database, counted, due + 60)
    await sendCharges(database, counted, due + 600)
    expect(sent).toBe(0)
    expect((await chargesOf(database, id)).map(one => one.state)).toEqual(['success'])
    expect((await subscriptionOf(database, id)).end_at).toBe(NOW + 60 * DAY)
  })
  it('ends its contract with the last refund, and with a dearer plan', async () => {
    const { id, bought, contract } = await renewing()
    await giveBack(database, bought.id, { now: NOW + DAY })
    await payOut(NOW + DAY)
    expect((await subscriptionOf(database, id)).auto_renew).toBe(false)
    await turn(NOW + DAY + 60)
    await turn(NOW + DAY + 300)
    const [ended] = await database.db
      .select()
      .from(vip_contract)
      .where(eq(vip_contract.id, contract.id))
    expect(ended!.state).toBe('ended')
    const other = await renewing()
    const dear = await aPlan(database, { days: 90, price_cents: 9000, original_cents: 9000 })
    await buy(database, { member_id: other.buyer.id, card_id: dear.id, now: NOW + DAY })
    expect((await subscriptionOf(database, other.id)).auto_renew).toBe(false)
  })
})

const step = fc.record({
  verb: fc.constantFrom('buy', 'buy', 'renew', 'fail', 'back', 'part', 'turn', 'late', 'wait'),
  days: fc.integer({ min: 1, max: 40 }),
  at: fc.nat(9),
})
it('holds over any history: one that runs, no more back than was paid, books that balance', async () => {
  const dear = await aPlan(database, { days: 90, price_cents: 9100, original_cents: 9100 })
  const odd = await aPlan(database, { days: 31, price_cents: 2999, original_cents: 3000 })
  const plans = [monthly, dear.id, odd.id]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async steps => {
      const { id: member_id } = await aBuyer(database)
      let now = NOW
      const made: number[] = []
      const orders: number[] = []
      const quietly = async (run: () => Promise<unknown>) => {
        try {
          await run()
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      }
      const does: Record<string, (of: { days: number; at: number }) => Promise<unknown>> = {
        buy: async ({ at: which }) => {
          const { made: row, bought } = await place(database, {
            member_id,
            card_id: plans[which % 3]!,
            renew: which % 3 === 0,
            now,
          })
          made.push(bought.id)
          orders.push(row.id)
          if (which % 4 !== 3) await database.transaction(tx => payOrder(tx, row.id, now))
        },
        renew: () => turn(now),
        fail: async () => {
          const subs = await membershipsOf(database, member_id)
          const no = subs.find(one => one.auto_renew)?.contract_no
          if (no) await channel.plan(no, { plan: { fail: 'NOTENOUGH' } })
          await turn(now)
        },
        back: ({ at: which }) => giveBack(database, made[which % made.length]!, { now }),
        part: ({ at: which, days }) =>
          giveBack(database, made[which % made.length]!, { amount_cents: days * 37, now }),
        turn: () => database.transaction(tx => turnMemberships(tx, now)),
        late: async ({ at: which }) => {
          await database.transaction(tx => payOrder(tx, orders[which % orders.length]!, now))
        },
        wait: async ({ days }) => (now += days * DAY),
      }
      for (const { verb, ...of } of steps) {
        const needs = ['back', 'part', 'late'].includes(verb)
        if (!needs || made.length > 0) await quietly(() => does[verb]!(of))
        if (of.at % 2 === 0) await payOut(now)
        now += 1
        const subs = await membershipsOf(database, member_id)
        const running = subs.filter(one => one.status === 'active' || one.status === 'grace')
        expect(running.length).toBeLessThanOrEqual(1)
      }
      await payOut(now)
      const bought = await database.db
        .select()
        .from(vip_card_order)
        .where(eq(vip_card_order.member_id, member_id))
      const ids = bought.flatMap(one => one.order_id ?? [])
      for (const id of ids) {
        const row = await orderAt(database, id)
        expect(row.refunded_cents).toBeLessThanOrEqual(row.paid_cents)
      }
      if (ids.length === 0) return
      const [sums] = await database.db
        .select({
          left: sql<number>`coalesce(sum(case ${payment.direction} when 'in' then ${payment.amount_cents} else -${payment.amount_cents} end) filter (where ${payment.state} = 'success'), 0)::float8`,
        })
        .from(payment)
        .where(inArray(payment.order_id, ids))
      expect(sums!.left).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 20 },
  )
  expect(await brokenBooks(database)).toEqual({})
}, 120_000)

onlyOn('postgres')('at the same moment', () => {
  it('two clocks and a person charge once', async () => {
    const { id } = await renewing()
    const now = at(NOW + 29 * DAY + 60)
    const begin = (by: number | null) =>
      database.transaction(tx => beginCharge(tx, id, { by, now, channel: 'embedded' }))
    const begun = await Promise.all([begin(null), begin(null), begin(1)])
    expect(begun.filter(Boolean)).toHaveLength(1)
    await Promise.all([sendCharges(database, channel, now), sendCharges(database, channel, now)])
    await turn(now + 60)
    expect((await chargesOf(database, id)).map(one => one.state)).toEqual(['success'])
    expect((await subscriptionOf(database, id)).end_at).toBe(NOW + 60 * DAY)
  })
})
