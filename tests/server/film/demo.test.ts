import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { mistold } from '#src/areas/order/orderFacts.server.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const none = async (query: ReturnType<typeof sql>) =>
  expect((await database.db.execute(query)).rows.slice(0, 3)).toEqual([])
const states = async (query: ReturnType<typeof sql>) =>
  (await database.db.execute<{ is: string }>(query)).rows.map(row => row.is).sort()

describe('the film orders of the demo', () => {
  it('stand in every state', async () => {
    expect(await states(sql`select distinct ticket_state "is" from film_order`)).toEqual([
      'issue_failed',
      'issued',
      'issuing',
      'locked',
      'released',
    ])
    expect(await states(sql`select distinct kind "is" from film_refund`)).toEqual([
      'complaint',
      'show_canceled',
      'ticket_failed',
      'user',
    ])
    const all = await states(sql`select distinct status "is" from "order" where kind = 'film'`)
    expect(all).toEqual([
      'cancelled',
      'finished',
      'freezing',
      'issuing',
      'pending_payment',
      'refunded',
      'refunding',
    ])
  })
  it('are what their units say', async () => {
    expect(await mistold(database.db)).toEqual([])
  })
  it('pay = sale + service fee - coupon - points, and profit is what that leaves', async () => {
    await none(
      sql`select f.order_id from film_order f join "order" o on o.id = f.order_id where o.pay_cents <> f.sale_cents + f.service_fee_cents - f.coupon_cents - f.points_cents`,
    )
    await none(
      sql`select f.order_id from film_order f join "order" o on o.id = f.order_id left join film_refund r on r.order_id = o.id where o.pay_state = 'paid' and f.profit_cents <> o.pay_cents - f.cost_cents - f.wechat_fee_cents - o.refunded_cents + coalesce(r.cost_return_cents, 0)`,
    )
  })
  it('leave their owner what the provider and the channel do not get', async () => {
    await none(
      sql`select f.order_id from film_order f join "order" o on o.id = f.order_id join settle_line l on l.order_id = o.id where o.pay_state = 'paid' and o.refund_state = 'none' group by f.id, f.order_id, o.id having sum(l.merchant_cents) <> greatest(0, o.pay_cents + f.coupon_cents - f.cost_cents - f.wechat_fee_cents)`,
    )
  })
  // What is kept of a refund is earned with the refund.
  it('earn when their show is over, and not before', async () => {
    await none(
      sql`select f.order_id from film_order f join "order" o on o.id = f.order_id join settle_line l on l.order_id = f.order_id where o.refund_state = 'none' and l.status in ('freezing', 'settled') and (f.shown_at is null or l.verified_at < f.show_end_at)`,
    )
    expect(
      await states(
        sql`select distinct l.status "is" from settle_line l where l.order_kind = 'film' and l.status in ('freezing', 'settled', 'not_settled')`,
      ),
    ).toEqual(['freezing', 'not_settled', 'settled'])
  })
})

describe('the referrals of the demo', () => {
  it('of campaigns that are over were rewarded, and those of the last are due', async () => {
    expect(await states(sql`select distinct status "is" from film_pull_record`)).toEqual([
      'registered',
      'rewarded',
      'scanned',
      'ticketed',
      'valid',
      'void',
    ])
  })
  it('were rewarded once each, as commission that is in the journal', async () => {
    await none(
      sql`select r.id from film_pull_record r left join dist_commission c on c.id = r.commission_id left join ledger_txn t on t.id = c.txn_id where r.status = 'rewarded' and (t.id is null or c.role <> 'prize' or c.distributor_id <> r.distributor_id or c.amount_cents <> r.reward_cents or t.amount_cents <> r.reward_cents)`,
    )
    expect(await brokenBooks(database)).toEqual({})
  })
})
