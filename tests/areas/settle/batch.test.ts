import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newBook } from '#src/areas/ledger/book.ts'
import { lineOf, merchants, ours, postingFault } from '#src/areas/ledger/ledger.ts'
import {
  batchCan,
  batchStates,
  batchSums,
  dayEnd,
  mayAskReverse,
  mayPost,
  mayReverse,
  maySettle,
  periodFault,
  postingOfBatch,
  reversalOfBatch,
  type BatchLine,
  type BatchState,
  type BatchVerb,
} from '#src/areas/settle/batch.ts'
import { DAY } from '#src/domain/time.ts'

/** 2027-01-15 16:00 in Shanghai. */
const NOW = 1_800_000_000
const cents = fc.integer({ min: 0, max: 5_000_000 })
/** A line whose parts sum up as those of any line do. */
const line = fc
  .tuple(cents, cents, cents, cents, fc.nat({ max: 3 }), fc.integer({ min: 0, max: 10_000 }))
  .map(([merchant, commission, fee, discount, bears, gone]): BatchLine => ({
    price_cents: merchant + commission + discount + (bears & 1 ? fee : 0) + (bears & 2 ? fee : 0),
    platform_subsidy_cents: 0,
    mall_subsidy_cents: 0,
    merchant_discount_cents: discount,
    commission_cents: commission,
    fee_cents: fee,
    distributor_cents: fee,
    distributor_bearer: bears & 2 ? 'merchant' : 'platform',
    fee_bearer: bears & 1 ? 'merchant' : 'platform',
    merchant_cents: merchant,
    gone_merchant_cents: Math.floor((merchant * gone) / 10_000),
  }))

describe('what a batch comes to', () => {
  it('is what its lines leave, less debt, never below 0', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), cents, (lines, debt) => {
        const sums = batchSums(lines, debt)
        const rest = lines.reduce((n, one) => n + one.merchant_cents - one.gone_merchant_cents, 0)
        expect(sums.payable_cents).toBe(
          sums.gross_cents -
            sums.merchant_discount_cents -
            sums.commission_cents -
            sums.distributor_cents -
            sums.fee_cents -
            sums.refund_deduct_cents -
            sums.debt_deduct_cents,
        )
        expect(sums.payable_cents).toBe(Math.max(0, rest - debt))
        expect(sums.debt_deduct_cents).toBeLessThanOrEqual(debt)
      }),
    )
  })
  it('is posted from hold to balance and debt, each by what it shows', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), cents, (lines, debt) => {
        const sums = batchSums(lines, debt)
        const rest = sums.payable_cents + sums.debt_deduct_cents
        const posting = postingOfBatch({ id: 3, no: 'JS3', merchant_id: 7, ...sums }, { at: NOW })
        if (rest === 0) {
          expect(posting).toBeUndefined()
          return
        }
        expect(postingFault(posting!)).toBeUndefined()
        const book = newBook()
        const begin = (key: string, to: Parameters<typeof lineOf>[0], n: number) =>
          n !== 0 &&
          book.post({
            biz: 'verify',
            biz_id: 1,
            biz_no: '',
            idem_key: key,
            at: NOW,
            lines: [...lineOf(to, n), ...lineOf(ours('suspense'), -n)],
          })
        begin('hold', merchants('merchant_frozen', 7), -rest)
        begin('debt', merchants('merchant_debt', 7), debt)
        book.post(posting!)
        expect(book.balance(merchants('merchant_frozen', 7))).toBe(0)
        expect(book.balance(merchants('merchant_balance', 7))).toBe(-sums.payable_cents || 0)
        expect(book.balance(merchants('merchant_debt', 7))).toBe(debt - sums.debt_deduct_cents)
        // Its reversal brings all three back.
        const posted = { id: 3, no: 'JS3', merchant_id: 7, txn_id: 11, ...sums }
        book.post(reversalOfBatch(posted, { at: NOW })!)
        expect(book.balance(merchants('merchant_frozen', 7))).toBe(-rest)
        expect(book.balance(merchants('merchant_balance', 7)) || 0).toBe(0)
        expect(book.balance(merchants('merchant_debt', 7))).toBe(debt)
      }),
    )
  })
})

describe('a batch', () => {
  const states = Object.keys(batchStates) as BatchState[]
  it.each([
    ['recalc', ['draft', 'confirming', 'disputed', 'confirmed']],
    ['send', ['draft']],
    ['confirm', ['confirming']],
    ['dispute', ['confirming']],
    ['post', ['confirmed']],
    ['void', ['draft', 'confirming', 'disputed', 'confirmed']],
    ['askReverse', ['posted']],
    ['reverse', ['posted']],
  ] as [BatchVerb, BatchState[]][])('can %s in its states only', (verb, may) => {
    expect(states.filter(status => batchCan(verb, { status }) === true)).toEqual(may)
  })
  it('is posted by another person than its maker, who is named', () => {
    expect(mayPost({ status: 'confirmed', maker_id: 4 }, 5, '林晓')).toBe(true)
    expect(mayPost({ status: 'confirmed', maker_id: 4 }, 4, '林晓')).toEqual([
      expect.stringContaining('林晓'),
      expect.stringContaining('林晓'),
    ])
  })
  it('is reversed by another person than asks for it, once somebody has', () => {
    const of = { status: 'posted' as const, reverse_by: 4 }
    expect(mayReverse(of, 5, '林晓')).toBe(true)
    expect(mayReverse(of, 4, '林晓')).toEqual([
      expect.stringContaining('林晓'),
      expect.stringContaining('林晓'),
    ])
    expect(mayReverse({ ...of, reverse_by: null }, 5, '')).not.toBe(true)
    expect(mayAskReverse({ ...of, reverse_by: null }, '')).toBe(true)
    expect(mayAskReverse(of, '林晓')).toEqual([
      expect.stringContaining('林晓'),
      expect.stringContaining('林晓'),
    ])
  })
  it('is of days that are over in Beijing', () => {
    expect(dayEnd('2027-01-14')).toBe(dayEnd('2027-01-15') - DAY)
    const to = (period_to: string) => periodFault({ period_from: '2027-01-10', period_to }, NOW)
    expect(to('2027-01-14')).toBeUndefined()
    expect(to('2027-01-15')).toBeDefined()
    expect(to('2027-01-09')).toBeDefined()
    // 00:30 in Shanghai is still the day before in UTC.
    const early = dayEnd('2027-01-14') + 1800
    expect(
      periodFault({ period_from: '2027-01-10', period_to: '2027-01-14' }, early),
    ).toBeUndefined()
  })
})

it('takes lines past their freeze that are free and not held', () => {
  const free = {
    status: 'freezing' as const,
    freeze_until_at: NOW - 1,
    held: false,
    batch_id: null,
  }
  expect(maySettle(free, NOW)).toBe(true)
  const not = [
    { freeze_until_at: NOW },
    { freeze_until_at: null },
    { held: true },
    { batch_id: 3 },
    { status: 'refunded' as const },
    { status: 'not_settled' as const },
    { status: 'settled' as const },
  ]
  expect(not.filter(one => maySettle({ ...free, ...one }, NOW))).toEqual([])
})
