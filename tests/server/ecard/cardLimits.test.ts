import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CardReceiver } from '#src/areas/ecard/cardLimits.server.ts'
import { ecard_issue } from '#src/areas/ecard/channel.table.ts'
import { ecard_channel } from '#src/areas/ecard/ecard.table.ts'
import { keepingBlocks } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_log, buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import { keyOf, usedOf as usedUnder } from '#src/areas/limit/usage.server.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { ecardChannels } from '#src/modules/ecard/contract/channel.ts'
import { groupActivity } from '#src/modules/groupActivity/contract/index.ts'
import { limitHits } from '#src/modules/groupActivity/contract/record.ts'
import { buyLimitLog } from '#src/modules/system/contract/buyLimitLog.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { aBuyer, aSold, buyCards, codesOf, orderCards } from '../../help/cardOrders.ts'
import { channelOf, creditCodeFor, faceFor } from '../../help/ecardChannels.ts'
import { broken } from '../../help/invariants.ts'
import {
  database,
  me,
  openLimitedCards,
  call,
  told,
  saidOf,
  limited,
  usedOf,
} from '../../help/limitedCards.ts'
import { ruleOf } from '../../help/limits.ts'
import { finishPayouts } from '../../help/orders.ts'

beforeAll(openLimitedCards)
describe('a rule about e-cards', () => {
  it('counts a member’s cards, and keeps what it stopped in the log of limits', async () => {
    const { card, rule, place } = await limited({ qty: 3 })
    const { id: member_id } = await aBuyer(database)
    const buyer = { member_id }
    expect(await saidOf(place({ n: 2, buyer }))).toBe('done')
    const stop = await place({ n: 2, buyer }).catch((error: unknown) => error)
    expect((stop as Refusal).in('zh')).toContain(`「${card.name}」超出限购“${rule.name}”`)
    expect(await saidOf(place({ n: 1, buyer }))).toBe('done')
    const [row] = (await told(limitHits.lst, { member_id })).list
    expect(row).toMatchObject({
      product_id: null,
      ecard_id: card.id,
      product_title: card.name,
      rule_id: rule.id,
      asked_n: 2,
      bought_n: 2,
      allowed_n: 1,
      limit_n: 3,
    })
    expect((await told(limitHits.orders, { id: row.id })).list).toHaveLength(2)
    const explained = await told(buyLimitLog.explain, { id: row.id })
    expect([explained.row.ecard_id, explained.would_pass_now]).toEqual([card.id, false])
  })
  it('by phone, device and payer counts whoever it is', async () => {
    const [first, second] = [await aBuyer(database), await aBuyer(database)]
    const by = await limited({ qty: 1, dimension: 'device' })
    const device = 'device-of-a-farm'
    const buy = (member_id: number) => by.place({ n: 1, buyer: { member_id }, device })
    expect([await saidOf(buy(first.id)), await saidOf(buy(second.id))]).toEqual([
      'done',
      'over_limit',
    ])
    const [row] = (await told(limitHits.lst, { rule_id: by.rule.id })).list
    expect([row.dimension, row.dim_value]).toEqual(['device', device])

    const phone = await limited({ qty: 1, dimension: 'phone' })
    await phone.place({ n: 1, buyer: { member_id: first.id } })
    expect(await saidOf(phone.place({ n: 1, buyer: { member_id: first.id } }))).toBe('over_limit')

    const paid = await limited({ qty: 1, dimension: 'payer' })
    const orders = [
      await paid.place({ n: 1, buyer: { member_id: first.id } }),
      await paid.place({ n: 1, buyer: { member_id: second.id } }),
    ]
    const pay = (id: number) =>
      saidOf(
        keepingBlocks(database, async tx => {
          if (!(await payOrder(tx, id, unixNow(), 'one-purse'))) throw new Error('nothing to pay')
        }),
      )
    expect([await pay(orders[0]!.id), await pay(orders[1]!.id)]).toEqual(['done', 'over_limit'])
  })
  it('may be about a store, a mall or everything, and what names products is about none', async () => {
    const { card, place, rule } = await limited({
      scope_kind: 'all',
      product_kind: 'all',
      scope_ids: [],
    })
    const { id: member_id } = await aBuyer(database)
    const set = (of: Partial<typeof buy_limit_rule.$inferInsert>) =>
      database.db
        .update(buy_limit_rule)
        .set({ ...of, basis: sql`basis + 1` })
        .where(eq(buy_limit_rule.id, rule.id))
    const ask = () => saidOf(place({ n: 3, buyer: { member_id } }))
    expect(await ask()).toBe('over_limit')
    await set({ scope_kind: 'store', scope_ids: [card.store_id] })
    expect(await ask()).toBe('over_limit')
    await set({ scope_kind: 'mall', scope_ids: [card.mall_id], product_kind: 'ecard' })
    expect(await ask()).toBe('over_limit')
    await set({ product_kind: 'bulks' })
    expect(await ask()).toBe('done')
    await set({ scope_kind: 'product', scope_ids: [card.id], product_kind: 'all' })
    expect(await ask()).toBe('done')
    await set({ status: 'off' })
  })
  it('gives back what was closed unpaid or refunded', async () => {
    const { face, rule, place } = await limited({ qty: 2 })
    const { id: member_id } = await aBuyer(database)
    const open = await place({ n: 2, buyer: { member_id } })
    await tickOrders(database, open.expire_pay_at + 1)
    expect(await usedOf(rule.id)).toEqual([0])
    const paid = await buyCards(database, { attr_id: face.id, n: 2, buyer: { member_id } })
    expect(await usedOf(rule.id)).toEqual([2])
    const [code] = await codesOf(database, paid.id)
    await giveCards(paid.id, [code!.id])
    await finishPayouts(database, unixNow())
    expect(await usedOf(rule.id)).toEqual([1])
  })
  it('does not count what a channel takes', async () => {
    const { rule, place } = await limited({ qty: 1 })
    const [channel] = await database.db
      .insert(ecard_channel)
      .values({ name: '限购外的渠道', type: 'enterprise', status: 'on' })
      .returning()
    const buyer = { channel_id: channel!.id, discount_bp: 9500, admin_id: me.id }
    expect(await saidOf(place({ n: 3, buyer }))).toBe('done')
    expect(await usedOf(rule.id)).toEqual([])
  })
})
/** Gives some cards of an order back, as staff do. */
const giveCards = async (order_id: number, cards: readonly number[]) => {
  await database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted: { cards },
      source: 'staff',
      reason: '测试退款',
      actor: { type: 'staff', id: me.id },
      by: { id: me.id, limit_cents: 100_000_000 },
      now: unixNow(),
    }),
  )
}
describe('a rule by receiver', () => {
  const phones = ['13900417001', '13900417002', '13900417003'] as const
  /** A channel that may take a card with such a rule about it; what each phone has under the rule. */
  const channelled = async (of: Parameters<typeof ruleOf>[1] = {}) => {
    const channel = await channelOf(database, { credit_cents: 100_000_00, tax_no: creditCodeFor() })
    const { face, card } = await faceFor(database, channel.id, { quota_n: 1000 })
    const rule = await ruleOf(database.db, {
      scope_kind: 'product',
      product_kind: 'ecard',
      scope_ids: [card.id],
      dimension: 'receiver',
      ...of,
    })
    const had = (phone: string) => usedUnder(database.db, keyOf(rule, phone, unixNow()))
    const issue = async (receivers: readonly { phone: string; n: number }[]) => {
      const { version } = (await told(ecardChannels.lst, { keyword: String(channel.id) })).list[0]
      return call(ecardChannels.issueBatch, {
        id: channel.id,
        version,
        attr_id: face.id,
        receivers: receivers.map((one, at) => ({ name: `员工${at}`, ...one })),
      })
    }
    const lastOrder = async () => {
      const [row] = await database.db
        .select({ id: ecard_issue.order_id })
        .from(ecard_issue)
        .where(eq(ecard_issue.channel_id, channel.id))
        .orderBy(desc(ecard_issue.id))
      return row!.id!
    }
    return { channel, card, rule, had, issue, lastOrder }
  }
  it('counts whom an order is for, by phone or member, whoever buys', async () => {
    const { rule, place } = await limited({ qty: 2, dimension: 'receiver' })
    const [giver, other, friend] = [
      await aBuyer(database),
      await aBuyer(database),
      await aBuyer(database),
    ]
    const give = (member_id: number, receiver: CardReceiver, n: number) =>
      saidOf(place({ n, buyer: { member_id, receiver } }))
    expect(await give(giver.id, { phone: friend.phone }, 1)).toBe('done')
    expect(await give(other.id, { member_id: friend.id }, 2)).toBe('over_limit')
    expect(await give(other.id, { member_id: friend.id }, 1)).toBe('done')
    expect(await give(giver.id, { phone: `+86 ${friend.phone}` }, 1)).toBe('over_limit')
    expect(await give(giver.id, { phone: '12345' }, 1)).toBe('card_receiver')
    expect(await give(giver.id, { member_id: 99_999_999 }, 1)).toBe(404)
    // Nobody is named: the rule asks nothing.
    expect(await saidOf(place({ n: 3, buyer: { member_id: giver.id } }))).toBe('done')
    expect(await usedOf(rule.id)).toEqual([2])
    const [row] = (await told(limitHits.lst, { rule_id: rule.id, member_id: giver.id })).list
    expect([row.dimension, row.dim_value, row.bought_n]).toEqual(['receiver', friend.phone, 2])
  })
  it('counts each receiver of an issue, names the one it stops, and issues nothing then', async () => {
    const { channel, rule, had, issue } = await channelled({ qty: 2 })
    const [first, second, third] = phones
    const mixed = [
      { phone: first, n: 1 },
      { phone: second, n: 2 },
      { phone: first, n: 1 },
    ]
    expect((await issue(mixed)).status).toBe(200)
    const said = await issue([
      { phone: third, n: 2 },
      { phone: second, n: 1 },
    ])
    expect([said.status, said.data.rule]).toEqual([422, 'over_limit'])
    expect(said.message).toContain(`已购 2 件，还可购 0 件`)
    expect(said.message).toContain(`收卡人尾号 ${second.slice(-4)}`)
    expect([await had(first), await had(second), await had(third)]).toEqual([2, 2, 0])
    expect(await database.db.$count(ecard_issue, eq(ecard_issue.channel_id, channel.id))).toBe(1)
    const [row] = (await told(limitHits.lst, { rule_id: rule.id })).list
    expect(row).toMatchObject({
      member_id: null,
      channel: 'card_channel',
      dim_value: second,
      asked_n: 1,
      bought_n: 2,
    })
    expect((await told(limitHits.orders, { id: row.id })).list).toMatchObject([{ qty: 2 }])
  })
  it('of one order asks each receiver’s own number', async () => {
    const { issue } = await channelled({ qty: 2, per: 'order' })
    expect((await issue(phones.map(phone => ({ phone, n: 2 })))).status).toBe(200)
    expect((await issue([{ phone: phones[0], n: 3 }])).data.rule).toBe('over_limit')
  })
  it('gives a card’s share back to the receiver whose card it was', async () => {
    const { had, issue, lastOrder } = await channelled({ qty: 3 })
    const [first, second, third] = phones
    await issue([
      { phone: first, n: 1 },
      { phone: second, n: 3 },
      { phone: third, n: 2 },
    ])
    const id = await lastOrder()
    const codes = await codesOf(database, id)
    await giveCards(id, [codes[1]!.id])
    expect([await had(first), await had(second), await had(third)]).toEqual([1, 2, 2])
    await Promise.all([giveCards(id, [codes[2]!.id, codes[5]!.id]), giveCards(id, [codes[0]!.id])])
    expect([await had(first), await had(second), await had(third)]).toEqual([0, 1, 1])
    expect((await issue([{ phone: second, n: 2 }])).status).toBe(200)
    expect((await issue([{ phone: second, n: 1 }])).data.rule).toBe('over_limit')
  })
  it('keeps what was refunded where its rule says so', async () => {
    const { had, issue, lastOrder } = await channelled({ qty: 3, return_on_refund: false })
    await issue([{ phone: phones[0], n: 2 }])
    const id = await lastOrder()
    await giveCards(id, [(await codesOf(database, id))[0]!.id])
    expect(await had(phones[0])).toBe(2)
  })
})
describe('the limits of a card itself', () => {
  it('are kept in the same log, by which of them it was', async () => {
    const limits = { order: 2, day: 3, person: 3 }
    const { face, card } = await aSold(database, { limits })
    const { id: member_id } = await aBuyer(database)
    const place = (n: number) =>
      keepingBlocks({ transaction: run => run(database.db) }, () =>
        orderCards(database, { attr_id: face.id, n, buyer: { member_id } }),
      )
    const stop = await place(3).catch((error: unknown) => error)
    expect((stop as Refusal).in('zh')).toBe('每单限购 2 张')
    expect([await saidOf(place(2)), await saidOf(place(2)), await saidOf(place(1))]).toEqual([
      'done',
      'day_limit',
      'done',
    ])
    const { list } = await told(limitHits.lst, { member_id })
    expect(
      list
        .map((row: Record<string, unknown>) => [
          row['rule'],
          row['ecard_id'],
          row['asked_n'],
          row['bought_n'],
          row['allowed_n'],
        ])
        .toSorted(),
    ).toEqual([
      ['per_day', card.id, 2, 2, 1],
      ['per_order', card.id, 3, 0, 2],
    ])
    const day = list.find((row: { rule: string }) => row.rule === 'per_day')
    expect((await told(limitHits.orders, { id: day.id })).list.length).toBeGreaterThanOrEqual(1)
    expect((await told(buyLimitLog.explain, { id: day.id })).bought_now).toBe(3)
  })
})
describe('at the same moment', () => {
  it('ten members on one device ask for the last card: one has it, nine are told', async () => {
    const { rule, place } = await limited({ qty: 1, dimension: 'device' })
    const buyers = []
    for (let at = 0; at < 10; at++) buyers.push(await aBuyer(database))
    const said = await Promise.all(
      buyers.map(({ id: member_id }) =>
        saidOf(place({ n: 1, buyer: { member_id }, device: 'one-device' })),
      ),
    )
    expect(said.filter(one => one === 'done')).toHaveLength(1)
    expect(said.filter(one => one === 'over_limit')).toHaveLength(9)
    expect(await usedOf(rule.id)).toEqual([1])
    expect(
      await database.db.$count(
        buy_limit_log,
        and(eq(buy_limit_log.rule_id, rule.id), eq(buy_limit_log.bought_n, 1)),
      ),
    ).toBe(9)
  })
})
describe('on the page of rules', () => {
  const now = unixNow()
  const fields = (of: object) => ({
    name: `电子卡限购${now}`,
    scope_kind: 'product',
    scope_ids: [],
    product_kind: 'ecard',
    dimension: 'member',
    per: 'day',
    qty: 5,
    start_at: now - 60,
    end_at: now + 86_400,
    ...of,
  })
  it('cards are chosen by name, shown by name, and stand where their issuer does', async () => {
    const { card } = await aSold(database)
    const { list } = await told(groupActivity.products, { kind: 'ecard', keyword: card.name })
    expect(list).toEqual([{ id: card.id, name: card.name }])
    const { id } = await told(groupActivity.create, fields({ scope_ids: [card.id] }))
    const [row] = (await told(groupActivity.lst, { keyword: String(id) })).list
    expect([row.product_kind, row.scope]).toEqual(['ecard', [{ id: card.id, name: card.name }]])
    const [kept] = await database.db.select().from(buy_limit_rule).where(eq(buy_limit_rule.id, id))
    expect([kept!.city_ids, kept!.mall_ids]).toEqual([
      [card.city_id],
      [card.mall_id].filter(Boolean),
    ])
  })
  it.each([
    ['a card that is not there', { scope_ids: [99_999_999] }, ['scope_ids']],
    ['a category', { scope_kind: 'category', scope_ids: [1] }, ['scope_kind']],
    ['an activity', { scope_kind: 'activity', ways: ['live'] }, ['scope_kind']],
  ])('a rule about e-cards by %s is refused at its field', async (_, of, at) => {
    const said = await call(groupActivity.create, fields(of))
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, at])
  })
})
it('and nothing that must hold of orders is broken', async () => {
  expect(await broken(database)).toEqual({})
})
