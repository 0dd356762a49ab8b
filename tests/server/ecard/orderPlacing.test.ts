import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { UNNAMED_DAYS } from '#src/areas/ecard/card.ts'
import { ecard_gift, ecard_identity } from '#src/areas/ecard/cardOrder.table.ts'
import { GIFT_S } from '#src/areas/ecard/cardOrder.ts'
import { facesOf } from '#src/areas/ecard/cards.server.ts'
import { activateCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_attr, ecard_channel, ecard_ledger } from '#src/areas/ecard/ecard.table.ts'
import { receiveGift, recallGifts, sendGift } from '#src/areas/ecard/gifts.server.ts'
import { chosenFace } from '#src/areas/ecard/orderPlacing.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { closeRefund } from '#src/areas/refund/refundCases.server.ts'
import type { Wanted } from '#src/areas/refund/refundLines.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { aBuyer, aSold, buyCards, codesOf, orderCards, orderOf } from '../../help/cardOrders.ts'
import { aFace } from '../../help/ecard.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'

let database: Database
let admin_id: number
beforeAll(async () => {
  database = await openCopy()
  admin_id = (await addStaff(database)).id
})
const ruleOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.data['rule'] ?? error.status
      throw error
    },
  )
const faceNow = async (id: number) =>
  (await database.db.select().from(ecard_attr).where(eq(ecard_attr.id, id)))[0]!
const giveBack = (order_id: number, wanted: Wanted) =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted,
      source: 'staff',
      reason: '测试退款',
      actor: { type: 'staff', id: admin_id },
      by: { id: admin_id, limit_cents: 100_000_000 },
      now: unixNow(),
    }),
  )
const states = async (order_id: number) => (await codesOf(database, order_id)).map(one => one.state)
const person = { kind: 'person', name: '陈晓', id_no: '11010519491231002X' } as const

describe('an order of cards', () => {
  it('holds its codes, sells them when it is paid, and frees them when nobody pays', async () => {
    const { face } = await aSold(database)
    const { id: member_id } = await aBuyer(database)
    const row = await orderCards(database, { attr_id: face.id, n: 3, buyer: { member_id } })
    expect([row.status, await states(row.id)]).toEqual([
      'pending_payment',
      ['held', 'held', 'held'],
    ])
    const paid = await buyCards(database, { attr_id: face.id, n: 2, buyer: { member_id } })
    expect([paid.status, paid.fulfil_state, await states(paid.id)]).toEqual([
      'finished',
      'finished',
      ['sold', 'sold'],
    ])
    await tickOrders(database, row.expire_pay_at + 1)
    expect([(await orderOf(database, row.id)).status, await states(row.id)]).toEqual([
      'cancelled',
      [],
    ])
    const { free_n, held_n, sold_n } = await faceNow(face.id)
    expect([free_n, held_n, sold_n]).toEqual([3, 0, 2])
  })
  it('is refused for a face that is off sale, and for none or too many cards', async () => {
    const { id: member_id } = await aBuyer(database)
    const off = await aSold(database, {}, { status: 'off' })
    const on = await aSold(database)
    const ask = (attr_id: number, n: number) =>
      ruleOf(orderCards(database, { attr_id, n, buyer: { member_id } }))
    expect([
      await ask(off.face.id, 1),
      await ask(on.face.id, 0),
      await ask(on.face.id, 201),
      await ask(99_999_999, 1),
    ]).toEqual(['not_for_sale', 'count', 'count', 404])
  })
  it('is refused for a card whose fixed end is past, or nearer than the law lets it be', async () => {
    const { id: member_id } = await aBuyer(database)
    const now = unixNow()
    const ends = async (valid_until: number, of: Parameters<typeof aSold>[1] = {}) => {
      const { face } = await aSold(database, { valid_type: 'fixed', valid_until, ...of })
      return ruleOf(orderCards(database, { attr_id: face.id, n: 1, buyer: { member_id }, now }))
    }
    const least = now + UNNAMED_DAYS * DAY
    expect(await ends(least)).toBe('done')
    expect(await ends(least - 1)).toBe('card_ending')
    expect(await ends(now + DAY, { type: 'exchange' })).toBe('done')
    expect(await ends(now, { type: 'exchange' })).toBe('card_ending')
  })
  it('of two at once one goes beyond its buyer’s limit', async () => {
    const { face } = await aSold(database, { limits: { order: null, day: 3, person: null } })
    const { id: member_id } = await aBuyer(database)
    const said = await Promise.all(
      Array.from({ length: 4 }, () =>
        ruleOf(orderCards(database, { attr_id: face.id, n: 2, buyer: { member_id } })),
      ),
    )
    expect(said.filter(one => one === 'done')).toHaveLength(1)
    expect(said.filter(one => one === 'day_limit')).toHaveLength(3)
  })
  it('counts all cards of a day against the cap', async () => {
    const dear = await aSold(database, {}, { face_cents: 100_000, price_cents: 100_000 })
    const { id: member_id } = await aBuyer(database)
    const ask = (n: number) =>
      ruleOf(
        orderCards(database, {
          attr_id: dear.face.id,
          n,
          buyer: { member_id },
          identity: person,
        }),
      )
    expect([await ask(50), await ask(1)]).toEqual(['done', 'day_cap'])
  })
  it('keeps the identity that the law asks for', async () => {
    const named = await aSold(database, { named: true })
    const plain = await aSold(database, {}, { face_cents: 100_000, price_cents: 100_000 })
    const { id: member_id } = await aBuyer(database)
    const ask = (attr_id: number, n: number, identity?: object) =>
      ruleOf(
        orderCards(database, {
          attr_id,
          n,
          buyer: { member_id },
          identity: identity as typeof person,
        }),
      )
    expect([
      await ask(named.face.id, 1),
      await ask(named.face.id, 1, { ...person, id_no: '110105194912310021' }),
      await ask(named.face.id, 1, person),
      await ask(plain.face.id, 9),
      await ask(plain.face.id, 10),
      await ask(plain.face.id, 10, person),
    ]).toEqual(['identity', 'identity', 'done', 'done', 'identity', 'done'])
    const kept = await database.db
      .select()
      .from(ecard_identity)
      .where(eq(ecard_identity.name, person.name))
    expect(kept.every(one => one.id_no === person.id_no)).toBe(true)
    expect(kept.length).toBeGreaterThanOrEqual(2)
  })
  it('of a channel is paid by its balance and issued at once; a refund goes back to it', async () => {
    const [channel] = await database.db
      .insert(ecard_channel)
      .values({ name: '测试渠道Q', type: 'enterprise', status: 'on' })
      .returning()
    const { face } = await aSold(database)
    const row = await orderCards(database, {
      attr_id: face.id,
      n: 3,
      buyer: { channel_id: channel!.id, discount_bp: 9500, admin_id },
    })
    expect([row.sub_kind, row.status, row.pay_cents, row.paid_cents]).toEqual([
      'channel',
      'finished',
      95_00 * 3,
      95_00 * 3,
    ])
    const codes = await codesOf(database, row.id)
    expect(codes.every(one => one.channel_id === channel!.id && one.state === 'sold')).toBe(true)
    const made = await giveBack(row.id, { cards: [codes[0]!.id] })
    expect([made.state, made.amount_cents]).toEqual(['done', 95_00])
    const moves = await database.db
      .select()
      .from(ecard_ledger)
      .where(eq(ecard_ledger.channel_id, channel!.id))
    expect(moves.map(one => [one.type, one.amount_cents])).toEqual([['issue_back', 95_00]])
  })
})

describe('a face that its buyer chose', () => {
  const bounds = { custom_min_cents: 50_00, custom_max_cents: 1000_00, custom_step_cents: 50_00 }
  const chosen = (card_id: number, face_cents: number) =>
    database.transaction(tx => chosenFace(tx, { card_id, face_cents }))
  it('is sold at itself, with codes of its own that hold it', async () => {
    const { card, face } = await aSold(database, bounds)
    const { id: member_id } = await aBuyer(database)
    const attr_id = await chosen(card.id, 350_00)
    const row = await buyCards(database, { attr_id, n: 2, buyer: { member_id } })
    expect([row.status, row.pay_cents]).toEqual(['finished', 700_00])
    const codes = await codesOf(database, row.id)
    expect(codes.map(one => [one.state, one.face_cents])).toEqual([
      ['sold', 350_00],
      ['sold', 350_00],
    ])
    const made = await giveBack(row.id, { cards: [codes[0]!.id] })
    expect(made.amount_cents).toBe(350_00)
    // Nobody offers it: neither the list of faces nor the card's own has it.
    expect((await facesOf(database.db, [card.id])).map(one => one.id)).toEqual([face.id])
  })
  it('is the fixed one where there is one, at its price', async () => {
    const { card, face } = await aSold(database, bounds, { face_cents: 100_00, price_cents: 95_00 })
    expect(await chosen(card.id, 100_00)).toBe(face.id)
  })
  it('stays beside a fixed one that is offered later, which is sold from then on', async () => {
    const { card } = await aSold(database, bounds)
    const first = await chosen(card.id, 200_00)
    const fixed = await aFace(database, {
      card_id: card.id,
      face_cents: 200_00,
      price_cents: 190_00,
    })
    expect(fixed.id).not.toBe(first)
    expect(await chosen(card.id, 200_00)).toBe(fixed.id)
  })
  it('of two who choose it at once is the same', async () => {
    const { card } = await aSold(database, bounds)
    const ids = await Promise.all(Array.from({ length: 6 }, () => chosen(card.id, 450_00)))
    expect(new Set(ids).size).toBe(1)
  })
  it('is refused beyond the bounds, off its steps, and where they were narrowed since', async () => {
    const { card } = await aSold(database, bounds)
    const plain = await aSold(database)
    const { id: member_id } = await aBuyer(database)
    expect([
      await ruleOf(chosen(card.id, 1050_00)),
      await ruleOf(chosen(card.id, 75_00)),
      await ruleOf(chosen(plain.card.id, 50_00)),
      await ruleOf(chosen(99_999_999, 50_00)),
    ]).toEqual(['card_face', 'card_face', 'card_face', 404])
    const attr_id = await chosen(card.id, 1000_00)
    await database.db.update(ecard).set({ custom_max_cents: 500_00 }).where(eq(ecard.id, card.id))
    const order = () => orderCards(database, { attr_id, n: 1, buyer: { member_id } })
    expect(await ruleOf(order())).toBe('not_for_sale')
  })
  it('bears the picture that the buyer chose of the card’s', async () => {
    const { face } = await aSold(database, { cover: 'demo/a.webp', arts: ['demo/b.webp'] })
    const { id: member_id } = await aBuyer(database)
    const place = (art?: string) =>
      orderCards(database, { attr_id: face.id, n: 1, buyer: { member_id }, ...(art && { art }) })
    const shown = async (order_id: number) =>
      (await database.db.select().from(order_item).where(eq(order_item.order_id, order_id)))[0]!
        .snapshot['images']
    expect(await shown((await place()).id)).toEqual(['demo/a.webp'])
    expect(await shown((await place('demo/b.webp')).id)).toEqual(['demo/b.webp'])
    expect(await ruleOf(place('demo/c.webp'))).toBe('card_art')
  })
})

describe('a refund of cards', () => {
  it('is of chosen cards at their share, and takes them back for good', async () => {
    const { face } = await aSold(database, {}, { face_cents: 100_00, price_cents: 99_99 })
    const { id: member_id } = await aBuyer(database)
    const row = await buyCards(database, { attr_id: face.id, n: 3, buyer: { member_id } })
    const [first, second, third] = await codesOf(database, row.id)
    await database.transaction(tx =>
      activateCode(tx, { code_id: third!.id, member_id, now: unixNow() }),
    )
    const made = await giveBack(row.id, { cards: [first!.id] })
    expect([made.state, made.amount_cents, await states(row.id)]).toEqual([
      'paying',
      99_99,
      ['refunding', 'sold', 'active'],
    ])
    expect(await ruleOf(giveBack(row.id, { cards: [first!.id] }))).toBe('card_kept')
    expect(await ruleOf(giveBack(row.id, { cards: [third!.id] }))).toBe('card_kept')
    await finishPayouts(database, unixNow())
    expect(await states(row.id)).toEqual(['refunded', 'sold', 'active'])
    const rest = await giveBack(row.id, 'all')
    expect(rest.amount_cents).toBe(99_99)
    await finishPayouts(database, unixNow())
    const after = await orderOf(database, row.id)
    expect([after.refund_state, after.status, after.refunded_cents, await states(row.id)]).toEqual([
      'part_refunded',
      'finished',
      99_99 * 2,
      ['refunded', 'refunded', 'active'],
    ])
    expect(await ruleOf(giveBack(row.id, 'all'))).toBe('nothing_left')
    expect(second!.state).toBe('sold')
  })
  it('that comes to nothing gives the cards free', async () => {
    const { face } = await aSold(database)
    const { id: member_id } = await aBuyer(database)
    const row = await buyCards(database, { attr_id: face.id, n: 1, buyer: { member_id } })
    const made = await database.transaction(tx =>
      openRefund(tx, {
        order_id: row.id,
        wanted: 'all',
        source: 'member',
        reason: '不要了',
        actor: { type: 'member', id: member_id },
        now: unixNow(),
      }),
    )
    expect([made.state, await states(row.id)]).toEqual(['applied', ['refunding']])
    await database.transaction(tx =>
      closeRefund(tx, {
        id: made.id,
        version: made.version,
        by: { id: admin_id, limit_cents: 0 },
        reason: '买家撤回',
        now: unixNow(),
      }),
    )
    expect(await states(row.id)).toEqual(['sold'])
  })
  it('and an activation at the same moment: one wins, the other is told', async () => {
    for (let round = 0; round < 6; round++) {
      const { face } = await aSold(database)
      const { id: member_id } = await aBuyer(database)
      const row = await buyCards(database, { attr_id: face.id, n: 1, buyer: { member_id } })
      const [code] = await codesOf(database, row.id)
      const said = await Promise.all([
        ruleOf(giveBack(row.id, { cards: [code!.id] })),
        ruleOf(
          database.transaction(tx =>
            activateCode(tx, { code_id: code!.id, member_id, now: unixNow() }),
          ),
        ),
      ])
      expect(said.filter(one => one === 'done')).toHaveLength(1)
    }
  })
})

describe('a card that is given away', () => {
  const given = async (n = 1) => {
    const { face } = await aSold(database)
    const { id: from_id } = await aBuyer(database)
    const row = await buyCards(database, { attr_id: face.id, n, buyer: { member_id: from_id } })
    const codes = await codesOf(database, row.id)
    const give = (now = unixNow()) =>
      database.transaction(tx => sendGift(tx, { code_id: codes[0]!.id, from_id, now }))
    return { row, codes, from_id, give }
  }
  it('is its receiver’s and active; of two who open the link one has it', async () => {
    const { row, give } = await given()
    const gift = await give()
    expect(await ruleOf(give())).toBe('not_givable')
    expect(await ruleOf(giveBack(row.id, 'all'))).toBe('nothing_left')
    const two = [await aBuyer(database), await aBuyer(database)]
    const said = await Promise.all(
      two.map(who =>
        ruleOf(
          database.transaction(tx =>
            receiveGift(tx, { token: gift.token, member_id: who.id, now: unixNow() }),
          ),
        ),
      ),
    )
    expect(said.toSorted()).toEqual(['done', 'gift_gone'])
    const [code] = await codesOf(database, row.id)
    expect([code!.state, code!.gift_state, code!.balance_cents]).toEqual([
      'active',
      'received',
      100_00,
    ])
    const recall = database.transaction(tx =>
      recallGifts(tx, { order_id: row.id, admin_id, reason: '误赠', now: unixNow() }),
    )
    expect(await ruleOf(recall)).toBe('no_gift')
  })
  it('is called back while nobody has it, or comes back by itself after 24 hours', async () => {
    const { row, codes, give } = await given()
    await give()
    await database.transaction(tx =>
      recallGifts(tx, { order_id: row.id, admin_id, reason: '误赠', now: unixNow() }),
    )
    const sent = await give(unixNow() - DAY + 100)
    await tickOrders(database, sent.sent_at + GIFT_S - 1)
    const stateOf = async () =>
      (
        await database.db
          .select()
          .from(ecard_gift)
          .where(and(eq(ecard_gift.id, sent.id), eq(ecard_gift.code_id, codes[0]!.id)))
      )[0]!
    expect((await stateOf()).state).toBe('sent')
    await tickOrders(database, sent.sent_at + GIFT_S)
    expect([(await stateOf()).state, (await stateOf()).returned_by]).toEqual([
      'returned',
      'timeout',
    ])
    expect((await codesOf(database, row.id))[0]!.gift_state).toBe('returned')
  })
})
it('and nothing that must hold of orders is broken', async () => {
  expect(await broken(database)).toEqual({})
  const items = await database.db.select().from(order_item).where(eq(order_item.kind, 'ecard'))
  expect(items.length).toBeGreaterThan(10)
})
