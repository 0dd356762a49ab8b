import { describe, expect, it } from 'vitest'
import { batchCan } from '#src/areas/redeemCode/batchVerbs.ts'
import type { RewardCard } from '#src/areas/redeemCode/card.ts'
import { goodsStateOf, mayHandOver } from '#src/areas/redeemCode/goods.ts'
import { daysCost } from '#src/areas/redeemCode/membership.ts'
import {
  amendFaults,
  batchFaults,
  formFaults,
  needsFinance,
  FINANCE_POINTS,
  redeemRefusal,
  rewardTimes,
  unitCost,
  type BatchTerms,
} from '#src/areas/redeemCode/redeemCode.ts'
import { DAY } from '#src/domain/time.ts'

const now = 1_800_000_000
const terms = (of: Partial<BatchTerms> = {}): BatchTerms => ({
  name: '批次',
  partner: '银行',
  contract_no: '',
  code_kind: 'once',
  alphabet: 'mixed',
  length: 16,
  prefix: 'AB',
  quantity: 1000,
  start_at: now,
  end_at: now + DAY,
  use_limit: null,
  limit_member: null,
  limit_phone: null,
  limit_device: null,
  new_only: false,
  mall_ids: [],
  bearer: 'platform',
  coupon_ids: [],
  points: 10,
  points_days: 30,
  goods: '',
  goods_cents: 0,
  vip_card_id: null,
  vip_days: 0,
  vip_cents: 0,
  ecard_attr_id: null,
  ecard_cents: 0,
  budget_cents: 10_000,
  note: '',
  ...of,
})

describe('the form of codes', () => {
  it('is long enough for a million codes behind each', () => {
    // 31 ^ 6 is 887 million, 31 ^ 7 is 27,500 million.
    expect(formFaults(terms({ length: 9, quantity: 1000 }))).toHaveProperty('length')
    expect(formFaults(terms({ length: 10, quantity: 1000 }))).toEqual({})
    expect(formFaults(terms({ length: 10, quantity: 1_000_000 }))).toHaveProperty('length')
    expect(formFaults(terms({ alphabet: 'digits', length: 20, prefix: '23' }))).toEqual({})
    expect(formFaults(terms({ alphabet: 'digits', length: 20, prefix: 'AB' }))).toHaveProperty(
      'prefix',
    )
  })
})

describe('membership days', () => {
  const plan = { id: 3, name: '月卡', status: 'on', price_cents: 2500, days: 30 }
  const own = terms({ points: 0, vip_card_id: 3, vip_days: 7, vip_cents: 10 })
  it('are a reward by themselves, of a plan on sale', () => {
    expect(batchFaults(own, [], { now, plan })).toEqual({})
    const off = { now, plan: { ...plan, status: 'off' } }
    expect(Object.keys(batchFaults(own, [], off))).toEqual(['vip_card_id'])
    expect(Object.keys(batchFaults(own, [], { now }))).toEqual(['vip_card_id'])
    const none = { ...own, vip_days: 0 }
    expect(Object.keys(batchFaults(none, [], { now, plan }))).toEqual(['vip_days'])
  })
  it('cost their part of the price, and the batch for each code', () => {
    expect([daysCost(plan, 30), daysCost(plan, 1), daysCost(plan, 0)]).toEqual([2500, 84, 0])
    expect(daysCost(undefined, 7)).toBe(0)
    expect(unitCost(own, [])).toBe(10)
    expect(batchFaults({ ...own, vip_cents: 11 }, [], { now, plan })).toHaveProperty('budget_cents')
  })
})

describe('a prize', () => {
  it('is a reward by itself, but not of a code that many use', () => {
    const own = terms({ points: 0, goods: '杯子', goods_cents: 10 })
    expect(batchFaults(own, [], { now })).toEqual({})
    expect(Object.keys(batchFaults({ ...own, goods: '' }, [], { now }))).toEqual(['coupon_ids'])
    const shared = { ...own, code_kind: 'shared' as const, use_limit: 1 }
    expect(batchFaults(shared, [], { now })).toHaveProperty('goods')
    expect(batchFaults({ ...own, goods_cents: 11 }, [], { now })).toHaveProperty('budget_cents')
  })
  it('waits until it is handed over, or its time is over', () => {
    const at = (handed_at: number | null, end: number) => goodsStateOf({ handed_at }, end, now)
    expect([at(null, now + 1), at(null, now), at(now - 9, now)]).toEqual([
      'waiting',
      'expired',
      'handed',
    ])
    expect(mayHandOver({ state: 'waiting' })).toBe(true)
    for (const one of [null, { state: 'handed' as const }, { state: 'expired' as const }])
      expect(mayHandOver(one)).not.toBe(true)
  })
})

describe('an e-card', () => {
  const own = terms({ points: 0, ecard_attr_id: 3, ecard_cents: 10 })
  const card: RewardCard = {
    id: 3,
    name: '礼品卡',
    face_cents: 10,
    cost_cents: 10,
    left: 1000,
    fault: undefined,
  }
  const faults = (of: Partial<RewardCard>, gone = 0) =>
    batchFaults(own, [], { now, gone, card: { ...card, ...of } })
  it('is a reward of its own, in stock for every use that is left', () => {
    expect(faults({})).toEqual({})
    expect(faults({ left: null })).toEqual({})
    expect(faults({ left: 999 }).ecard_attr_id?.[0]).toContain('库存仅 999 张')
    expect(faults({ left: 999 }, 1)).toEqual({})
    expect(faults({ fault: ['已下架', 'Off sale'] }).ecard_attr_id?.[0]).toContain('已下架')
    expect(batchFaults(own, [], { now })).toHaveProperty('ecard_attr_id')
  })
  it('costs what one costs', () => {
    expect(unitCost(own, [])).toBe(10)
    const dear = { ...own, ecard_cents: 11 }
    expect(batchFaults(dear, [], { now, card })).toHaveProperty('budget_cents')
  })
})

describe('what a batch costs', () => {
  it('is one reward for each use that there may be', () => {
    expect(rewardTimes(terms())).toBe(1000)
    const shared = terms({ code_kind: 'shared', quantity: 2, use_limit: 300 })
    expect(rewardTimes(shared)).toBe(600)
    const coupon = {
      id: 1,
      name: '券',
      status: 'active',
      cost_cents: 500,
      film_cents: null,
      left: 1,
      use_end_at: null,
    }
    expect(unitCost(terms({ points: 10 }), [coupon])).toBe(510)
    expect(unitCost(terms({ points: 10, goods: '杯子', goods_cents: 20 }), [coupon])).toBe(530)
  })
  it('must fit the budget to the cent', () => {
    expect(batchFaults(terms(), [], { now })).toEqual({})
    expect(batchFaults(terms({ budget_cents: 9999 }), [], { now })).toHaveProperty('budget_cents')
  })
  it('asks finance beyond a number of points', () => {
    expect(needsFinance(terms({ points: FINANCE_POINTS / 1000 }))).toBe(false)
    expect(needsFinance(terms({ points: FINANCE_POINTS / 1000 + 1 }))).toBe(true)
  })
})

describe('an amendment', () => {
  const was = { ...terms({ limit_member: 3 }), generated: 10 }
  it.each([
    [{ end_at: was.end_at - 1 }, ['end_at']],
    [{ quantity: 999 }, ['quantity']],
    [{ limit_member: 2 }, ['limit_member']],
    [{ limit_phone: 5 }, ['limit_phone']],
    [{ end_at: was.end_at + 1, quantity: 1001, limit_member: 4 }, []],
    [{ limit_member: null }, []],
  ])('of %j is refused at %j', (set, fields) => {
    expect(Object.keys(amendFaults(was, set)).filter(key => key in set)).toEqual(fields)
  })
})

describe('a code is refused by the first reason that holds', () => {
  const code = {
    state: 'unused' as const,
    end_at: null,
    redeemed_at: null,
    redeemed_by: null,
    holder: null,
    void_reason: null,
    batch: { ...terms({ start_at: now - DAY }), status: 'running' as const, reason: '' },
  }
  const refused = (of: object, batch: object = {}, mall_id = 0) =>
    redeemRefusal({ ...code, ...of, batch: { ...code.batch, ...batch } }, { now, mall_id })?.result
  it.each([
    ['nothing', {}, {}, undefined],
    ['void before all', { state: 'voided' }, { status: 'ended' }, 'voided'],
    ['used before expired', { state: 'redeemed' }, { end_at: now }, 'used'],
    ['an ended batch as expired', {}, { status: 'ended' }, 'expired'],
    ['its own end', { end_at: now }, {}, 'expired'],
    ['a later end of its own', { end_at: now + 1 }, { end_at: now - 1 }, undefined],
    ['the second it ends', {}, { end_at: now }, 'expired'],
    ['a paused batch', {}, { status: 'paused' }, 'stopped'],
    ['a batch to come', {}, { start_at: now + 1 }, 'not_started'],
    ['the second it begins', {}, { start_at: now }, undefined],
    ['another mall', {}, { mall_ids: [5] }, 'wrong_mall'],
  ] as const)('%s', (_, of, batch, result) => expect(refused(of, batch)).toBe(result))
  it('and its own mall takes it', () => expect(refused({}, { mall_ids: [5] }, 5)).toBeUndefined())
})

describe('an audit', () => {
  const look = {
    status: 'auditing' as const,
    amending: false,
    code_kind: 'once' as const,
    quantity: 10,
    generated: 0,
    exported: 0,
    voided: 0,
    redeemed: 0,
    submitted_by: 1,
    created_by: 2,
    finance_by: null,
    needs_finance: false,
  }
  it('is neither the maker’s nor the sender’s', () => {
    expect(batchCan('approve', look, 1)).not.toBe(true)
    expect(batchCan('approve', look, 2)).not.toBe(true)
    expect(batchCan('approve', look, 3)).toBe(true)
  })
  it('with finance takes three people', () => {
    const many = { ...look, needs_finance: true }
    expect(batchCan('approve', many, 3)).not.toBe(true)
    expect(batchCan('finance', many, 3)).toBe(true)
    expect(batchCan('approve', { ...many, finance_by: 3 }, 3)).not.toBe(true)
    expect(batchCan('approve', { ...many, finance_by: 3 }, 4)).toBe(true)
  })
})
