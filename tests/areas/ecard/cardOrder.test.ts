import { describe, expect, it } from 'vitest'
import {
  BIG_BUYER_CENTS,
  cardKept,
  DAY_CAP_CENTS,
  givableCards,
  IDENTITY_FROM_CENTS,
  issueStateOf,
  needsIdentity,
  tooMany,
  type CardUnits,
} from '#src/areas/ecard/cardOrder.ts'
import { askedUnits, cardsRefusal } from '#src/areas/refund/refundLines.ts'

const none = { day: 0, person: 0, face: 0, day_cents: 0 }
const free = { order: null, day: null, person: null }
const rule = (of: Partial<Parameters<typeof tooMany>[0]>) =>
  tooMany({ n: 1, cents: 100, limits: free, limit_n: null, before: none, ...of })?.rule
describe('how many cards a buyer may have', () => {
  it.each([
    [{ n: 3, limits: { ...free, order: 3 } }, undefined],
    [{ n: 4, limits: { ...free, order: 3 } }, 'order_limit'],
    [{ n: 2, limits: { ...free, day: 5 }, before: { ...none, day: 3 } }, undefined],
    [{ n: 3, limits: { ...free, day: 5 }, before: { ...none, day: 3 } }, 'day_limit'],
    [{ n: 3, limits: { ...free, person: 5 }, before: { ...none, person: 3 } }, 'person_limit'],
    [{ n: 3, limit_n: 5, before: { ...none, face: 3 } }, 'face_limit'],
    [{ cents: DAY_CAP_CENTS }, undefined],
    [{ cents: 1, before: { ...none, day_cents: DAY_CAP_CENTS } }, 'day_cap'],
  ])('%j: %s', (of, said) => expect(rule(of)).toBe(said))
})
it('a named card and ten thousand yuan at once need an identity', () => {
  expect([
    needsIdentity({ named: true, cents: 1 }),
    needsIdentity({ named: false, cents: IDENTITY_FROM_CENTS - 1 }),
    needsIdentity({ named: false, cents: IDENTITY_FROM_CENTS }),
  ]).toEqual([true, false, true])
  expect([IDENTITY_FROM_CENTS, BIG_BUYER_CENTS]).toEqual([10_000_00, 10_000_00])
})

const card = {
  id: 1,
  card_no: '23456789',
  state: 'sold' as const,
  shown_at: null,
  holder_id: null,
  gift_state: 'none' as const,
}
describe('a card goes back that nobody has had', () => {
  it.each([
    [card, true],
    [{ ...card, gift_state: 'returned' as const }, true],
    [{ ...card, shown_at: 1 }, false],
    [{ ...card, holder_id: 1 }, false],
    [{ ...card, gift_state: 'sent' as const }, false],
    [{ ...card, state: 'active' as const }, false],
    [{ ...card, state: 'used_up' as const }, false],
    [{ ...card, state: 'refunding' as const }, false],
    [{ ...card, state: 'refunded' as const }, false],
    [{ ...card, state: 'frozen' as const }, false],
    [{ ...card, state: 'expired' as const }, false],
  ])('%j: %s', (of, goes) => expect(cardKept(of, 'unused') === undefined).toBe(goes))
  it('none that was sold as not refundable, but what was never issued does', () => {
    const own: CardUnits = { item_id: 7, rule: 'none', cards: [card], unissued: 2 }
    expect(givableCards(own)).toEqual([])
    expect(askedUnits({ items: [], codes: [], cards: [own] }, 'all').items).toEqual([
      { id: 7, qty: 2, card_ids: [] },
    ])
    expect(cardsRefusal(own, { id: 7, qty: 1, card_ids: [1] })?.rule).toBe('card_kept')
    expect(cardsRefusal(own, { id: 7, qty: 3, card_ids: [] })?.rule).toBe('too_many')
    expect(cardsRefusal(own, { id: 7, qty: 2, card_ids: [] })).toBeUndefined()
  })
  it('chosen cards, and units of an item beside them', () => {
    const own: CardUnits = {
      item_id: 7,
      rule: 'unused',
      cards: [card, { ...card, id: 2, shown_at: 5 }],
      unissued: 1,
    }
    const of = { items: [], codes: [], cards: [own] }
    expect(askedUnits(of, 'all').items).toEqual([{ id: 7, qty: 2, card_ids: [1] }])
    expect(askedUnits(of, { cards: [2] }).items).toEqual([{ id: 7, qty: 1, card_ids: [2] }])
    expect(askedUnits(of, { cards: [1], items: [{ id: 7, qty: 1 }] }).items).toEqual([
      { id: 7, qty: 2, card_ids: [1] },
    ])
    expect(askedUnits(of, { cards: [9] }).items).toEqual([])
  })
})
it('an item is issued when every unit is, and failed when none is under way any more', () => {
  expect(issueStateOf(['success', 'pending', 'failed'])).toBe('issuing')
  expect(issueStateOf(['success', 'failed'])).toBe('failed')
  expect(issueStateOf(['success', 'ended'])).toBe('issued')
})
