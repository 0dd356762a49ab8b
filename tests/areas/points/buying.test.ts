import { describe, expect, it } from 'vitest'
import { explainBuy, type BuyFacts } from '#src/areas/points/buying.ts'
import { rateAtFirst } from '#src/areas/pointsRule/rule.ts'

const item = { title: '套餐', kind: 'bulks', pay_cents: 100_99, categories: [3, 1], store_id: 7 }
const facts = (
  more: {
    rule?: object | null
    order?: Partial<BuyFacts['order']>
    rest?: Partial<BuyFacts>
  } = {},
): BuyFacts => ({
  rule:
    more.rule === null
      ? null
      : {
          kinds: ['bulks'],
          at: 'used',
          exclude: { shop_category: [], e_category: [], store: [] },
          ...more.rule,
        },
  rate: rateAtFirst,
  order: {
    kind: 'bulks',
    has_member: true,
    pay_state: 'paid',
    fulfil_state: 'finished',
    paid_cents: 100_99,
    refunded_cents: 0,
    refundable: true,
    ...more.order,
  },
  items: [item],
  buyer: { level: 0, vip: false, at: 0 },
  today: 0,
  daily_cap: null,
  ...more.rest,
})
const points = (of: BuyFacts) => explainBuy(of).points

describe('an order', () => {
  it('earns by what was really paid, less what went back, rounded down once', () => {
    expect([
      points(facts()),
      points(facts({ order: { refunded_cents: 50_00 } })),
      points(facts({ order: { refunded_cents: 100_99 } })),
      points(facts({ order: { paid_cents: 0 } })),
    ]).toEqual([100, 50, 0, 0])
  })
  it('earns nothing without a rule, a member, full payment, or of another kind', () => {
    expect([
      points(facts({ rule: null })),
      points(facts({ order: { has_member: false } })),
      points(facts({ order: { pay_state: 'part_paid' } })),
      points(facts({ order: { kind: 'points' } })),
      points(facts({ rule: { kinds: ['film'] } })),
    ]).toEqual([0, 0, 0, 0, 0])
  })
  it('earns nothing for what is excluded: a store, a category or one above it', () => {
    const none = { shop_category: [], e_category: [], store: [] }
    const two = [item, { ...item, pay_cents: 100_99, categories: [9], store_id: 8 }]
    const half = { order: { paid_cents: 201_98 }, rest: { items: two } }
    expect([
      points(facts({ rule: { exclude: { ...none, store: [7] } } })),
      points(facts({ rule: { exclude: { ...none, shop_category: [1] } } })),
      points(facts({ rule: { exclude: { ...none, e_category: [1] } } })),
      points(facts({ ...half, rule: { exclude: { ...none, store: [8] } } })),
    ]).toEqual([0, 0, 100, 100])
  })
  it('waits until it is used where it can be given back before, or the rule says so', () => {
    const open = { fulfil_state: 'waiting_use' }
    expect([
      explainBuy(facts({ order: open })).waits,
      explainBuy(facts({ order: open, rule: { at: 'paid' } })).waits,
      explainBuy(facts({ order: { ...open, refundable: false }, rule: { at: 'paid' } })).waits,
      explainBuy(facts()).waits,
    ]).toEqual([true, true, false, false])
  })
  it('earns at the highest multiplier, and no more than is left of the day', () => {
    const rate = {
      ...rateAtFirst,
      multipliers: [
        { by: 'level' as const, level: 4, times_bp: 12_000 },
        { by: 'vip' as const, times_bp: 15_000 },
      ],
    }
    const buyer = { level: 4, vip: true, at: 0 }
    const of = facts({ rest: { rate, buyer } })
    expect([
      points(of),
      points({ ...of, daily_cap: 120, today: 100 }),
      points({ ...of, daily_cap: 10, today: 99 }),
    ]).toEqual([151, 20, 0])
  })
})
