import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newBook } from '#src/areas/ledger/book.ts'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { claimOver, sellerBarred } from '#src/areas/payout/paidSeller.ts'
import {
  moneyOf,
  nextBillNo,
  noOfBill,
  openStates,
  outsideWindow,
  partsOf,
  riskOf,
  withdrawSettings,
  withdrawalCan,
  withdrawalPosting,
  type Reviewed,
  type WithdrawalVerb,
} from '#src/areas/payout/withdrawing.ts'
import { DAY, dayStart } from '#src/domain/time.ts'

const AT = 1_800_000_000
const NOON = dayStart(AT) + DAY / 2
const of = (more: Partial<Parameters<typeof withdrawalPosting>[1]> = {}) => ({
  id: 7,
  no: 'TX7',
  owner_kind: 'merchant' as const,
  owner_id: 5,
  channel: 'wechat_transfer' as const,
  out_bill_no: 'TX7',
  city_id: 1,
  mall_id: 0,
  amount_cents: 8896,
  fee_cents: 9,
  tax_cents: 0,
  net_cents: 8887,
  ...more,
})
const full = (cents: number) => {
  const book = newBook()
  book.post({
    biz: 'charge_in',
    biz_id: 1,
    biz_no: 'C1',
    idem_key: 'c1',
    at: AT,
    lines: [
      ...lineOf(ours('bank_cash'), cents),
      ...lineOf(merchants('merchant_balance', 5), -cents),
    ],
  })
  return book
}

describe('what a withdrawal posts', () => {
  it('is the worked example of the domain: 8,896 asked, 8,887 paid, 9 kept', () => {
    const book = full(8896)
    book.post(withdrawalPosting('apply', of(), { at: AT }))
    expect(book.balance(merchants('merchant_balance', 5))).toBe(0)
    expect(book.balance(merchants('merchant_withdrawing', 5))).toBe(-8896)
    book.post(withdrawalPosting('paid', of(), { at: AT + 1 }))
    expect(book.balance(merchants('merchant_withdrawing', 5))).toBe(0)
    expect(book.balance(ours('wechat_cash'))).toBe(-8887)
    expect(book.balance(ours('withdraw_fee_income'))).toBe(-9)
  })
  it('leaves the bank, where a person paid it without the channel', () => {
    const book = full(8896)
    book.post(withdrawalPosting('apply', of(), { at: AT }))
    book.post(withdrawalPosting('paid', of({ out_bill_no: null }), { at: AT }))
    expect(book.balance(ours('bank_cash'))).toBe(8896 - 8887)
    expect(book.balance(ours('wechat_cash'))).toBe(0)
  })
  it('gives all of it back with the fee, and never after it was paid', () => {
    const book = full(8896)
    book.post(withdrawalPosting('apply', of(), { at: AT }))
    book.post(withdrawalPosting('back', of(), { at: AT + 1 }))
    expect(book.balance(merchants('merchant_balance', 5))).toBe(-8896)
    expect(book.balance(merchants('merchant_withdrawing', 5))).toBe(0)
    book.post(withdrawalPosting('paid', of(), { at: AT + 2 }))
    expect(book.balance(ours('wechat_cash'))).toBe(0)
  })
  it('can’t be spent twice: a second application finds nothing', () => {
    const book = full(8896)
    book.post(withdrawalPosting('apply', of(), { at: AT }))
    expect(() => book.post(withdrawalPosting('apply', of({ id: 8 }), { at: AT }))).toThrow(
      'merchant_balance',
    )
  })
  it('takes tax of those who owe it to its own account', () => {
    const asked = of({ owner_kind: 'member', fee_cents: 6, tax_cents: 90, net_cents: 8800 })
    expect(moneyOf(asked).balance.kind).toBe('member_balance')
    const { lines } = withdrawalPosting('paid', asked, { at: AT })
    expect(lines.find(line => line.kind === 'tax_payable')?.amount_cents).toBe(-90)
    expect(lines.reduce((sum, line) => sum + line.amount_cents, 0)).toBe(0)
  })
})

describe('the parts of an amount', () => {
  it('always add up, whatever the rates are', () => {
    const bp = fc.integer({ min: 0, max: 4000 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e11 }), bp, bp, (amount, fee, tax) => {
        const parts = partsOf('merchant', amount, {
          fee_bp: { ...withdrawSettings.fee_bp, merchant: fee },
          tax_bp: { ...withdrawSettings.tax_bp, merchant: tax },
        })
        expect(parts.net_cents + parts.fee_cents + parts.tax_cents).toBe(amount)
        expect(Math.min(parts.fee_cents, parts.tax_cents)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

const row = (more: Partial<Reviewed> = {}): Reviewed => ({
  status: 'pending',
  channel: 'wechat_transfer',
  need_second: false,
  hold: false,
  canceling: false,
  reviewer_id: null,
  second_reviewer_id: null,
  owner_admin_id: null,
  ...more,
})
const approved = row({ status: 'approved', reviewer_id: 1 })
const can = (verb: WithdrawalVerb, on: Reviewed, me: number) => withdrawalCan(verb, on, me) === true
describe('what may be done with it', () => {
  it('is reviewed by nobody whose own the applicant is', () => {
    expect(can('approve', row({ owner_admin_id: 3 }), 3)).toBe(false)
    expect(can('reject', row({ owner_admin_id: 3 }), 3)).toBe(false)
    expect(can('approve', row({ owner_admin_id: 3 }), 4)).toBe(true)
  })
  it('needs two people above the limit, and a third to pay', () => {
    const first = row({ need_second: true, reviewer_id: 1 })
    expect(can('secondApprove', row({ need_second: true }), 2)).toBe(false)
    expect(can('approve', first, 2)).toBe(false)
    expect(can('secondApprove', first, 1)).toBe(false)
    expect(can('secondApprove', first, 2)).toBe(true)
    const both = row({ ...first, status: 'approved', second_reviewer_id: 2 })
    expect([1, 2, 3].filter(me => can('pay', both, me))).toEqual([3])
    expect([1, 2, 3].filter(me => can('markPaid', both, me))).toEqual([3])
  })
  it('goes no further while it is on hold, but may be given up', () => {
    const held = row({ hold: true })
    expect(can('approve', held, 1)).toBe(false)
    expect(can('reject', held, 1)).toBe(true)
    expect(can('pay', { ...approved, hold: true }, 2)).toBe(false)
    expect(can('cancel', { ...approved, hold: true }, 2)).toBe(true)
    expect(can('unhold', held, 2)).toBe(true)
    expect(can('unhold', row(), 2)).toBe(false)
  })
  it('leaves to the channel what the channel has', () => {
    const paying = row({ ...approved, status: 'paying' })
    expect(can('markPaid', paying, 2)).toBe(false)
    expect(can('markFailed', paying, 2)).toBe(false)
    expect(can('query', paying, 2)).toBe(true)
    const bank = row({ ...paying, channel: 'bank' })
    expect(can('query', bank, 2)).toBe(false)
    expect(can('markPaid', bank, 2)).toBe(true)
    expect(can('markFailed', bank, 2)).toBe(true)
    expect(can('pay', { ...approved, channel: 'alipay' }, 2)).toBe(false)
    expect(can('markPaid', { ...approved, channel: 'alipay' }, 2)).toBe(true)
  })
  it('is canceled once, and while its payee has it only by the channel', () => {
    const waiting = row({ ...approved, status: 'wait_confirm' })
    expect(can('cancel', waiting, 2)).toBe(true)
    expect(can('cancel', { ...waiting, canceling: true }, 2)).toBe(false)
    expect(can('cancel', row({ status: 'paying' }), 2)).toBe(false)
    expect(openStates).not.toContain('paid')
  })
})

describe('the number at the channel', () => {
  it('stays while its end is unknown, and changes after a certain failure only', () => {
    const first = nextBillNo({ no: 'TX1', out_bill_no: null, bill_ended: false, bills: 0 })
    expect(first).toEqual({ out_bill_no: 'TX1', bills: 1 })
    expect(nextBillNo({ no: 'TX1', ...first, bill_ended: false })).toEqual(first)
    const second = nextBillNo({ no: 'TX1', ...first, bill_ended: true })
    expect(second).toEqual({ out_bill_no: 'TX1R2', bills: 2 })
    expect(noOfBill(second.out_bill_no)).toBe('TX1')
  })
})

const facts = {
  at: NOON,
  amount_cents: 500_00,
  account_since: NOON - 90 * DAY,
  paid_before: [450_00, 520_00],
  orders: 100,
  refunded: 3,
}
describe('what makes a cashier look twice', () => {
  it.each([
    ['nothing', {}, []],
    ['an account never paid to', { account_since: null }, ['new_card']],
    ['an account of six days', { account_since: NOON - 6 * DAY }, ['new_card']],
    ['half past five', { at: dayStart(NOON) + 5.5 * 3600 }, ['night']],
    ['more than three times as much as usual', { amount_cents: 1500_00 }, ['jump']],
    ['no jump below a thousand yuan', { amount_cents: 999_00, paid_before: [100_00] }, []],
    ['no jump of who was never paid', { amount_cents: 9999_00, paid_before: [] }, []],
    ['a fifth of orders refunded', { refunded: 20 }, ['refunds']],
    ['no rate of few orders', { orders: 9, refunded: 9 }, []],
  ])('is %s', (_, more, expected) => {
    expect(riskOf({ ...facts, ...more })).toEqual(expected)
  })
})

describe('a seller', () => {
  const paid = { kind: 'expert', status: 'active', real_name_ok: true, debt_cents: 0 } as const
  it('is paid where they are active, verified and owe nothing', () => {
    expect(sellerBarred(paid)).toBeUndefined()
    for (const more of [
      { kind: 'store' },
      { status: 'frozen' },
      { status: 'rejected' },
      { real_name_ok: false },
      { debt_cents: 1 },
    ] as const)
      expect(sellerBarred({ ...paid, ...more })).toBeDefined()
  })
  it('that quit is paid what was asked for, and asks for 180 days', () => {
    const gone = { ...paid, status: 'quit', quit_at: NOON } as const
    expect(sellerBarred(gone)).toBeUndefined()
    expect(claimOver(gone, NOON + 180 * DAY - 1)).toBeUndefined()
    expect(claimOver(gone, NOON + 180 * DAY)).toBeDefined()
    expect(claimOver(paid, NOON)).toBeUndefined()
  })
  it('asks on the days of a month that the settings leave open, in Beijing', () => {
    const days = { ...withdrawSettings.sellers, from_day: 5, to_day: 6 }
    const on = (time: string) => outsideWindow(days, Date.parse(time) / 1000)
    expect(on('2026-11-05T00:00:00+08:00')).toBeUndefined()
    expect(on('2026-11-06T23:59:59+08:00')).toBeUndefined()
    expect(on('2026-11-04T23:59:59+08:00')).toBeDefined()
    expect(on('2026-11-07T00:00:00+08:00')).toBeDefined()
  })
})
