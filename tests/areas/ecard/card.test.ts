import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cardCan,
  cardFaults,
  chosenFault,
  copiedName,
  faceFaults,
  isNarrower,
  isShorter,
  NAME_WIDE,
  shelfFaults,
  soldFaults,
  UNNAMED_DAYS,
  type CardDraft,
  type ShelfFace,
} from '#src/areas/ecard/card.ts'
import { cardExposure, cardPays, cardSentence, SAMPLE_SOLD } from '#src/areas/ecard/cardSentence.ts'
import { faceLinesFault, readFaceLines } from '#src/areas/ecard/faceLines.ts'
import { DAY } from '#src/domain/time.ts'
import { widthOf } from '#src/domain/validate.ts'

const now = 1_700_000_000
const card: CardDraft = {
  name: '储值卡',
  type: 'stored',
  named: false,
  store_id: 1,
  cover: '',
  arts: [],
  supplier: '',
  source: 'generate',
  custom_min_cents: null,
  custom_max_cents: null,
  custom_step_cents: null,
  valid_type: 'none',
  valid_until: null,
  valid_days: null,
  scope: { mall_ids: [], store_ids: [3], category_ids: [] },
  gift: false,
  greetings: [],
  limits: { order: null, day: null, person: null },
  refund_rule: 'unused',
  bonus: false,
  notice: '',
  agreement: '购卡协议',
  stock_alert: 0,
}
const face: ShelfFace = {
  face_cents: 100_00,
  price_cents: 100_00,
  bonus_cents: 0,
  cost_cents: 80_00,
  status: 'on',
  free_n: 0,
  loss_by: null,
}
const found = (faults: object) =>
  Object.entries(faults)
    .filter(([, fault]) => fault)
    .map(([field]) => field)
const wrong = (of: Partial<CardDraft>) => found(cardFaults({ ...card, ...of }, now))
const off = (of: Partial<CardDraft>, faces: Partial<ShelfFace>[] = [{}]) =>
  found(
    shelfFaults(
      { ...card, ...of },
      faces.map(one => ({ ...face, ...one })),
      now,
    ),
  )

describe('a face', () => {
  const at = (face_cents: number, bonus_cents: number, named: boolean) =>
    found(
      faceFaults(
        { face_cents, bonus_cents, price_cents: 1, cost_cents: 0 },
        { type: 'stored', named, bonus: false },
      ),
    )
  it('holds at most 1,000 yuan unnamed and 5,000 named, with what is given on top', () => {
    expect(at(1000_00, 0, false)).toEqual([])
    expect(at(1000_01, 0, false)).toEqual(['face_cents'])
    expect(at(999_00, 1_01, false)).toEqual(['face_cents'])
    expect(at(5000_00, 0, true)).toEqual([])
    expect(at(5000_00, 1, true)).toEqual(['face_cents'])
  })
  it('has no cap where it is no stored value', () => {
    const of = { face_cents: 9000_00, bonus_cents: 0, price_cents: 1, cost_cents: 0 }
    expect(found(faceFaults(of, { type: 'exchange', named: false, bonus: false }))).toEqual([])
  })
  it('costs no more than it is worth, unless the card is marked so', () => {
    const of = { face_cents: 100, bonus_cents: 0, price_cents: 101, cost_cents: 0 }
    expect(found(faceFaults(of, { ...card, bonus: false }))).toEqual(['price_cents'])
    expect(found(faceFaults(of, { ...card, bonus: true }))).toEqual([])
    expect(found(faceFaults({ ...of, price_cents: 0 }, card))).toEqual(['price_cents'])
  })
  it('gives nothing on top but on stored value', () => {
    const of = { ...face, bonus_cents: 1 }
    expect(found(faceFaults(of, { ...card, type: 'secret' }))).toEqual(['bonus_cents'])
  })
})
describe('a card', () => {
  it('has a name of 64 half-widths at most', () => {
    expect(wrong({ name: '卡'.repeat(32) })).toEqual([])
    expect(wrong({ name: `${'卡'.repeat(32)}a` })).toEqual(['name'])
  })
  it('that is named never ends', () => {
    expect(wrong({ named: true, valid_type: 'days', valid_days: 9000 })).toEqual(['valid_type'])
    expect(wrong({ named: true })).toEqual([])
    expect(wrong({ named: true, type: 'exchange' })).toEqual(['named'])
  })
  it('that is unnamed is good for three years at least', () => {
    const days = (valid_days: number) => wrong({ valid_type: 'days', valid_days })
    expect(days(UNNAMED_DAYS)).toEqual([])
    expect(days(UNNAMED_DAYS - 1)).toEqual(['valid_days'])
    const until = (valid_until: number) => wrong({ valid_type: 'fixed', valid_until })
    expect(until(now + UNNAMED_DAYS * DAY)).toEqual([])
    expect(until(now + UNNAMED_DAYS * DAY - 1)).toEqual(['valid_until'])
  })
  it('of another kind ends when it likes, but not before now', () => {
    const of = { type: 'exchange', valid_type: 'fixed' } as const
    expect(wrong({ ...of, valid_until: now + 1 })).toEqual([])
    expect(wrong({ ...of, valid_until: now })).toEqual(['valid_until'])
    expect(wrong({ type: 'exchange', valid_type: 'days' })).toEqual(['valid_days'])
  })
  it('takes a custom face by all three bounds, which fit each other', () => {
    const of = (min: number | null, max: number | null, step: number | null) =>
      wrong({ custom_min_cents: min, custom_max_cents: max, custom_step_cents: step })
    expect(of(50_00, 1000_00, 50_00)).toEqual([])
    expect(of(50_00, null, 50_00)).toEqual(['custom_min_cents'])
    expect(of(50_00, 50_00, 10_00)).toEqual(['custom_max_cents'])
    expect(of(50_00, 100_00, 30_00)).toEqual(['custom_step_cents'])
    expect(of(50_00, 1050_00, 50_00)).toEqual(['custom_max_cents'])
  })
  it('lets a face be chosen only where its codes are made here', () => {
    const of = { custom_min_cents: 50_00, custom_max_cents: 100_00, custom_step_cents: 50_00 }
    expect(wrong({ ...of, source: 'import', supplier: 'fulu' })).toEqual(['custom_min_cents'])
    expect(wrong({ ...of, source: 'api', supplier: 'fulu' })).toEqual(['custom_min_cents'])
  })
  it.each([
    [50_00, '', {}],
    [1000_00, '', {}],
    [350_00, '', {}],
    [49_99, '自选面值须在 50.00 至 1,000.00 元之间', {}],
    [1050_00, '自选面值须在 50.00 至 1,000.00 元之间', {}],
    [75_00, '自选面值从 50.00 元起每 50.00 元一档', {}],
    [100_00, '该卡没有自选面值，请选固定面值', { custom_min_cents: null }],
    [1050_00, '不记名储值卡面值（含赠送）不得超过 1000 元', { custom_max_cents: 2000_00 }],
    [5000_00, '', { custom_max_cents: 6000_00, named: true }],
    [
      5050_00,
      '记名储值卡面值（含赠送）不得超过 5000 元',
      { custom_max_cents: 6000_00, named: true },
    ],
  ])('a chosen face of %i cents: %s', (cents, said, more) => {
    const of = { custom_min_cents: 50_00, custom_max_cents: 1000_00, custom_step_cents: 50_00 }
    expect(chosenFault({ ...card, ...of, ...more }, cents)?.[0] ?? '').toBe(said)
  })
  it('limits an order within a day, and a day within a person', () => {
    const of = (order: number | null, day: number | null, person: number | null) =>
      wrong({ limits: { order, day, person } })
    expect(of(1, 2, 3)).toEqual([])
    expect(of(null, null, null)).toEqual([])
    expect(of(null, 5, 5)).toEqual([])
    expect(of(3, 2, 9)).toEqual(['limit_day'])
    expect(of(1, 5, 4)).toEqual(['limit_person'])
    expect(of(5, null, 4)).toEqual(['limit_person'])
  })
  it('of somebody else’s codes names the supplier', () =>
    expect(wrong({ source: 'import' })).toEqual(['supplier']))
})
describe('the shelf', () => {
  it('takes a card with a face, a scope and an agreement', () => {
    expect(off({})).toEqual([])
    expect(off({ agreement: ' ' })).toEqual(['agreement'])
    expect(off({ scope: { mall_ids: [], store_ids: [], category_ids: [] } })).toEqual(['scope'])
    expect(off({}, [])).toEqual(['faces'])
    expect(off({}, [{ status: 'off' }])).toEqual(['faces'])
  })
  it('takes no card of imported codes without any', () => {
    const of = { source: 'import', supplier: 'fulu' } as const
    expect(off(of, [{ free_n: 0 }])).toEqual(['faces'])
    expect(off(of, [{ free_n: 5, status: 'off' }, { free_n: 0 }])).toEqual(['faces'])
    expect(off(of, [{ free_n: 1 }])).toEqual([])
    expect(off({ ...of, source: 'api' }, [{ free_n: 0 }])).toEqual([])
  })
  it('takes a loss once another person agreed to it', () => {
    expect(off({}, [{ cost_cents: 101_00 }])).toEqual(['faces'])
    expect(off({}, [{ cost_cents: 101_00, loss_by: 7 }])).toEqual([])
  })
  it('is left and come back to', () => {
    expect(cardCan('online', { state: 'draft', sold: 0 })).toBe(true)
    expect(cardCan('online', { state: 'on', sold: 0 })).not.toBe(true)
    expect(cardCan('offline', { state: 'off', sold: 0 })).not.toBe(true)
    expect(cardCan('delete', { state: 'off', sold: 1 })).not.toBe(true)
    expect(cardCan('delete', { state: 'on', sold: 0 })).not.toBe(true)
    expect(cardCan('delete', { state: 'off', sold: 0 })).toBe(true)
  })
})
describe('a card that was sold', () => {
  const changed = (of: Partial<CardDraft>) => found(soldFaults(card, { ...card, ...of }))
  it('keeps what its buyers rest on', () => {
    expect(changed({ type: 'exchange' })).toEqual(['type'])
    expect(changed({ named: true })).toEqual(['named'])
    expect(changed({ source: 'import' })).toEqual(['source'])
    expect(changed({ store_id: 2 })).toEqual(['store_id'])
    expect(changed({ refund_rule: 'none' })).toEqual(['refund_rule'])
    expect(changed({ name: '另一个名称' })).toEqual([])
  })
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 5 })
  const scope = fc.record({ mall_ids: ids, store_ids: ids, category_ids: ids })
  const isIn = (of: typeof card.scope, place: readonly [number, number, number]) =>
    [of.mall_ids, of.store_ids, of.category_ids].every(
      (some, at) => some.length === 0 || some.includes(place[at]!),
    )
  const place = fc.tuple(
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
  )
  it('is good wherever it was', () => {
    fc.assert(
      fc.property(scope, scope, place, (was, next, at) => {
        if (!isNarrower(was, next) && isIn(was, at)) expect(isIn(next, at)).toBe(true)
      }),
    )
    expect(isNarrower(card.scope, { ...card.scope, store_ids: [3, 4] })).toBe(false)
    expect(isNarrower(card.scope, { ...card.scope, store_ids: [4] })).toBe(true)
    expect(isNarrower(card.scope, { ...card.scope, mall_ids: [1] })).toBe(true)
  })
  it('is good as long as it was', () => {
    const days = { valid_type: 'days', valid_until: null, valid_days: 100 } as const
    expect(isShorter(days, { ...days, valid_days: 99 })).toBe(true)
    expect(isShorter(days, { ...days, valid_days: 101 })).toBe(false)
    expect(isShorter(days, { valid_type: 'none', valid_until: null, valid_days: null })).toBe(false)
    expect(isShorter(card, days)).toBe(true)
    expect(isShorter(days, { valid_type: 'fixed', valid_until: now * 2, valid_days: null })).toBe(
      true,
    )
  })
})
it('says a card in one sentence', () => {
  expect(
    cardSentence({ ...card, gift: true, limits: { order: 2, day: null, person: null } }, [face]),
  ).toEqual([
    '不记名储值卡；面值 100 元，按面值售卖；长期有效；限 1 家门店使用；限购每单 2 张；可赠送；未使用可退。',
    'Unnamed stored value; face values ¥100, sold at face value; no expiry; usable at 1 store; 2 per order; giftable; refundable if unused.',
  ])
})
it('reckons the most a card can cost by its stock, or by so many of each face', () => {
  const faces = [
    { ...face, bonus_cents: 5_00, cost_cents: 102_00, free_n: 3 },
    { ...face, face_cents: 200_00, free_n: 9, status: 'off' as const },
  ]
  expect(cardExposure({ source: 'import' }, faces)).toEqual({
    cards: 3,
    liability_cents: 315_00,
    bonus_cents: 15_00,
    loss_cents: 6_00,
  })
  expect(cardExposure({ source: 'generate' }, faces).cards).toBe(SAMPLE_SOLD)
})
it('pays of an order what it holds, and no more', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (held, pay) => {
      const { card_cents, rest_cents, left_cents } = cardPays(held, pay)
      expect(card_cents + rest_cents).toBe(pay)
      expect(card_cents + left_cents).toBe(held)
      expect(Math.min(rest_cents, left_cents)).toBe(0)
    }),
  )
})
it('reads faces line by line', () => {
  expect(readFaceLines('100 98 90；200').faces).toEqual([
    { face_cents: 100_00, price_cents: 98_00, cost_cents: 90_00 },
    { face_cents: 200_00, price_cents: 200_00, cost_cents: 0 },
  ])
  expect(readFaceLines('１００，98').faces[0]!.price_cents).toBe(98_00)
  for (const bad of ['abc', '100 x', '100 98 90 1', '0', '100 98 y', '100 0'])
    expect(readFaceLines(bad).fault, bad).toBeDefined()
  expect(faceLinesFault(readFaceLines('100\n100').faces, card)).toBeDefined()
  expect(faceLinesFault(readFaceLines('2000').faces, card)).toBeDefined()
  expect(faceLinesFault(readFaceLines('2000').faces, { ...card, named: true })).toBeUndefined()
})
it('names a copy within the width of names', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 1, max: 50 }), (name, at) => {
      expect(widthOf(copiedName(name, at))).toBeLessThanOrEqual(NAME_WIDE)
    }),
  )
  expect(copiedName('礼品卡（副本2）', 3)).toBe('礼品卡（副本3）')
})
