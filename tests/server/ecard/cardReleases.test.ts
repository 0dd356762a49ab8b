import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard } from '#src/areas/ecard/ecard.table.ts'
import { keepingBlocks } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_log } from '#src/areas/limit/limit.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { limitHits } from '#src/modules/groupActivity/contract/record.ts'
import { buyLimitLog } from '#src/modules/system/contract/buyLimitLog.ts'
import { aBuyer, aSold, orderCards } from '../../help/cardOrders.ts'
import {
  database,
  openLimitedCards,
  call,
  told,
  saidOf,
  limited,
  usedOf,
  identity,
} from '../../help/limitedCards.ts'

beforeAll(openLimitedCards)
describe('a release of one purchase of e-cards', () => {
  /** A member with three cards of at most three, stopped at a fourth; the block. */
  const blocked = async () => {
    const sold = await limited({ qty: 3 })
    const { id: member_id } = await aBuyer(database)
    const buy = (n: number) => sold.place({ n, buyer: { member_id } })
    await buy(3)
    expect(await saidOf(buy(2))).toBe('over_limit')
    const [row] = (await told(limitHits.lst, { member_id })).list
    return { ...sold, member_id, buy, id: row.id as number }
  }
  const release = async (id: number, of: { hours?: number } = {}) => {
    const { version } = (await told(buyLimitLog.explain, { id })).row
    const expire_at = unixNow() + (of.hours ?? 1) * 3600
    return call(buyLimitLog.releaseOnce, { id, version, reason: '老客户补购', expire_at })
  }
  const resultOf = async (id: number) =>
    (await database.db.select().from(buy_limit_log).where(eq(buy_limit_log.id, id)))[0]!
  it('lets it through once, for no more than was asked, and counts nothing beyond the rule', async () => {
    const { buy, id, rule } = await blocked()
    expect((await release(id, { hours: 24 })).status).toBe(200)
    expect((await release(id)).data.rule).toBe('not_releasable')
    expect(await saidOf(buy(3))).toBe('over_limit')
    const made = await buy(2)
    expect(await resultOf(id)).toMatchObject({ result: 'used', release_order_id: made.id })
    expect(await saidOf(buy(1))).toBe('over_limit')
    expect(await usedOf(rule.id)).toEqual([3])
    // An order that was closed unpaid did not use it.
    await tickOrders(database, made.expire_pay_at + 1)
    expect((await resultOf(id)).result).toBe('released')
    // The first order was closed too, and gave back what it took; the released one took nothing.
    expect(await usedOf(rule.id)).toEqual([0])
  })
  it('is of one card, and of one member', async () => {
    const one = await blocked()
    const other = await blocked()
    expect((await release(one.id)).status).toBe(200)
    expect(await saidOf(other.buy(1))).toBe('over_limit')
    const buyer = { member_id: other.member_id }
    expect(await saidOf(one.place({ n: 4, buyer }))).toBe('over_limit')
    expect(await saidOf(one.buy(1))).toBe('done')
  })
  it('is not of a card that is off sale', async () => {
    const { id, card } = await blocked()
    await database.db.update(ecard).set({ state: 'off' }).where(eq(ecard.id, card.id))
    expect((await release(id)).data.rule).toBe('not_on_sale')
  })
  it('lets through what the card’s own limit stops, and never the cap of the day', async () => {
    const { face } = await aSold(
      database,
      { limits: { order: 1, day: null, person: null } },
      { face_cents: 5_000_00, price_cents: 5_000_00 },
    )
    const { id: member_id } = await aBuyer(database)
    const buy = (n: number) =>
      keepingBlocks({ transaction: run => run(database.db) }, () =>
        orderCards(database, { attr_id: face.id, n, buyer: { member_id }, identity }),
      )
    expect(await saidOf(buy(20))).toBe('order_limit')
    const [row] = (await told(limitHits.lst, { member_id })).list
    expect((await release(row.id)).status).toBe(200)
    expect(await saidOf(buy(20))).toBe('day_cap')
    expect((await resultOf(row.id)).result).toBe('released')
    expect(await saidOf(buy(2))).toBe('done')
    expect((await resultOf(row.id)).result).toBe('used')
  })
  it('is used by one of two at once', async () => {
    const { buy, id } = await blocked()
    await release(id)
    const said = await Promise.all([saidOf(buy(1)), saidOf(buy(1)), saidOf(buy(1))])
    expect(said.toSorted()).toEqual(['done', 'over_limit', 'over_limit'])
  })
})
