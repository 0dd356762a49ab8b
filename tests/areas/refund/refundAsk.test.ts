import { describe, expect, it } from 'vitest'
import {
  amountRefusal,
  appliedRefusal,
  chooseLines,
  exchangeRefusal,
  firstState,
  formingRefusal,
  sellersRefusal,
  sentAgainRefusal,
  sumsOf,
  wholeOnlyRefusal,
} from '#src/areas/refund/refundAsk.ts'
import type { AskedLine, EarlierLine, GivableItem } from '#src/areas/refund/refundLines.ts'
import type { Text } from '#src/domain/text.ts'

const item = (of: Partial<GivableItem> = {}): GivableItem => ({
  id: 1,
  title: '茶',
  fulfil: 'express',
  qty: 3,
  used_qty: 0,
  refunding_qty: 0,
  refunded_qty: 0,
  shipped_qty: 0,
  received_qty: 0,
  pay_cents: 1000,
  platform_cents: 100,
  ...of,
})
const earlier = (of: Partial<EarlierLine> = {}): EarlierLine => ({
  refund_id: 5,
  item_id: 1,
  qty: 1,
  shipped_qty: 0,
  share_cents: 334,
  platform_cents: 34,
  state: 'applied',
  type: 'refund_only',
  source: 'member',
  ...of,
})
const line = (of: Partial<AskedLine> = {}): AskedLine => ({
  item_id: 1,
  code_id: null,
  qty: 1,
  paid_times: 0,
  shipped_qty: 0,
  share_cents: 334,
  platform_cents: 0,
  settle_cents: 0,
  ...of,
})
const ruleOf = (of: { rule: string } | undefined) => of?.rule

describe('a promise and a period', () => {
  const why: Text = ['不可退', 'Never']
  const [first, second] = [line({ item_id: 1 }), line({ item_id: 2 })]
  const of = {
    all: true,
    broken: new Map<AskedLine, Text>(),
    isOver: () => false,
    decides: false,
    plain: false,
    moneyOnly: false,
  }
  it('leave of all what they do not refuse, and refuse what is named', () => {
    const broken = new Map([[first, why]])
    expect(chooseLines([first, second], { ...of, broken })).toEqual({
      lines: [second],
      exception: false,
    })
    expect(chooseLines([first, second], { ...of, broken, all: false }).refused?.rule).toBe(
      'refund_policy',
    )
    expect(chooseLines([first], { ...of, broken }).refused?.rule).toBe('refund_policy')
  })
  it('are an exception for staff who decide at once, but never one among many', () => {
    const broken = new Map([[first, why]])
    const decided = chooseLines([first, second], { ...of, broken, decides: true })
    expect(decided).toEqual({ lines: [first, second], exception: true })
    expect(chooseLines([first], { ...of, broken, decides: true, plain: true }).refused).toEqual({
      rule: 'refund_policy',
      text: ['不可退，须逐单处理', 'Never: decide it by itself'],
    })
  })
  it('end with the period, and nothing is left where nothing was there', () => {
    const isOver = (one: AskedLine) => one === first
    expect(chooseLines([first, second], { ...of, isOver }).lines).toEqual([second])
    expect(chooseLines([first], { ...of, isOver }).refused?.rule).toBe('after_sale_over')
    expect(chooseLines([first, second], { ...of, isOver, all: false }).refused?.rule).toBe(
      'after_sale_over',
    )
    expect(chooseLines([], of).refused?.rule).toBe('nothing_left')
    expect(chooseLines([], { ...of, moneyOnly: true }).refused).toBeUndefined()
  })
})

describe('a rule refuses', () => {
  it('members while their group forms', () => {
    const asks = { forming: true, source: 'member' as const, applied: true }
    expect(ruleOf(formingRefusal(asks))).toBe('group_forming')
    expect(formingRefusal({ ...asks, forming: false })).toBeUndefined()
    expect(formingRefusal({ ...asks, source: 'staff' })).toBeUndefined()
    expect(formingRefusal({ ...asks, applied: false })).toBeUndefined()
  })
  it('a buyer who was refused twice for the same units', () => {
    const refused = (refund_id: number, of: Partial<EarlierLine> = {}) =>
      earlier({ refund_id, state: 'rejected', ...of })
    expect(appliedRefusal([line()], [refused(1), refused(1), refused(2)])).toMatchObject({
      rule: 'refused_twice',
      values: { n: 2 },
    })
    expect(appliedRefusal([line()], [refused(1), refused(1)])).toBeUndefined()
    expect(appliedRefusal([line()], [refused(1), refused(2, { item_id: 9 })])).toBeUndefined()
    expect(appliedRefusal([line()], [refused(1), refused(2, { source: 'staff' })])).toBeUndefined()
  })
  it('what was sent again before, or is asked for already', () => {
    const again = earlier({ type: 'resend' })
    const of = { items: [item()], earlier: [again] }
    expect(sentAgainRefusal([line()], of)).toMatchObject({
      rule: 'sent_again',
      values: { title: '茶' },
    })
    expect(sentAgainRefusal([line()], { ...of, but: 5 })).toBeUndefined()
    expect(sentAgainRefusal([line({ item_id: 2 })], of)).toBeUndefined()
    expect(
      sentAgainRefusal([line()], { ...of, earlier: [{ ...again, state: 'closed' }] }),
    ).toBeUndefined()
  })
  it('parts of what goes back whole or not at all', () => {
    expect(ruleOf(wholeOnlyRefusal({ part_paid: true, rest: 1 }))).toBe('whole_only')
    expect(wholeOnlyRefusal({ part_paid: true, rest: 0 })).toBeUndefined()
    expect(wholeOnlyRefusal({ part_paid: false, rest: 1 })).toBeUndefined()
    const whole = { rest: 0, issuing: false, couponUsed: false }
    expect(exchangeRefusal(whole)).toBeUndefined()
    expect(ruleOf(exchangeRefusal({ ...whole, rest: 1 }))).toBe('whole_exchange')
    expect(ruleOf(exchangeRefusal({ ...whole, issuing: true }))).toBe('issuing')
    expect(ruleOf(exchangeRefusal({ ...whole, couponUsed: true }))).toBe('coupon_used')
  })
  it('goods of several merchants in one case, unless they are only paid back', () => {
    expect(ruleOf(sellersRefusal([1, 2], 'return_refund'))).toBe('several_merchants')
    expect(sellersRefusal([1, 2], 'refund_only')).toBeUndefined()
    expect(sellersRefusal([1], 'resend')).toBeUndefined()
  })
})

describe('what a refund comes to', () => {
  const of = {
    lines: [line({ share_cents: 500 }), line({ share_cents: 300 })],
    resend: false,
    freight_cents: 100,
    left_cents: 2000,
    kept_cents: 0,
  }
  it('is its lines and the freight, never more than was paid, less what stays', () => {
    expect(sumsOf(of)).toEqual({
      share_cents: 800,
      kept_cents: 0,
      cap_cents: 900,
      amount_cents: 900,
    })
    expect(sumsOf({ ...of, left_cents: 850 }).cap_cents).toBe(850)
    expect(sumsOf({ ...of, kept_cents: 200 })).toMatchObject({ kept_cents: 200, cap_cents: 700 })
    expect(sumsOf({ ...of, asked: 600 })).toMatchObject({ cap_cents: 900, amount_cents: 600 })
    expect(sumsOf({ ...of, money: 50 })).toMatchObject({ cap_cents: 50, amount_cents: 50 })
    expect(sumsOf({ ...of, resend: true, asked: 50 })).toMatchObject({ amount_cents: 0 })
  })
  it('is refused above that, below nothing, and where all of it stays', () => {
    const sums = sumsOf(of)
    expect(amountRefusal(sums)).toBeUndefined()
    expect(amountRefusal({ ...sums, amount_cents: 901 })).toMatchObject({
      rule: 'above_cap',
      values: { max: '9.00' },
    })
    expect(ruleOf(amountRefusal({ ...sums, amount_cents: -1 }))).toBe('above_cap')
    expect(ruleOf(amountRefusal(sumsOf({ ...of, kept_cents: 5000 })))).toBe('deposit_kept')
  })
  it('is paid, decided or waits by who asked for what', () => {
    const asked = { applied: true, unreadyGoods: false, exception: false, amount_cents: 100 }
    expect(firstState(asked)).toBe('applied')
    expect(firstState({ ...asked, applied: false, limit_cents: 1 })).toBe('paying')
    expect(firstState({ ...asked, unreadyGoods: true })).toBe('paying')
    expect(firstState({ ...asked, limit_cents: 100 })).toBe('paying')
    expect(firstState({ ...asked, limit_cents: 99 })).toBe('second_audit')
    expect(firstState({ ...asked, limit_cents: 100, exception: true })).toBe('second_audit')
  })
})
