import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newBook } from '#src/areas/ledger/book.ts'
import {
  adjustableKinds,
  askFault,
  mayDecide,
  mayReverse,
  sidesOf,
  type AskLine,
} from '#src/areas/ledger/journal.ts'
import { businesses, merchants, ours, reversalOf, type Business } from '#src/areas/ledger/ledger.ts'

const house = (kind: AskLine['kind'], amount_cents: number): AskLine => ({
  kind,
  owner_kind: 'platform',
  owner_id: 0,
  amount_cents,
})
describe('a reversal by hand', () => {
  const of = { biz: 'adjust' as Business, reverses_no: '', reversed_no: '' }
  test('is for what no document undoes', () => {
    const may = (Object.keys(businesses) as Business[]).filter(
      biz => mayReverse({ ...of, biz }) === true,
    )
    expect(may).toEqual(['fee', 'fee_back', 'bank_sweep', 'adjust'])
  })
  test('is neither of a reversal nor a second one', () => {
    expect(mayReverse({ ...of, reverses_no: '1' })).not.toBe(true)
    expect(mayReverse({ ...of, biz: 'reverse' })).not.toBe(true)
    expect(mayReverse({ ...of, reversed_no: '2026' })).toEqual([
      expect.stringContaining('2026'),
      expect.stringContaining('2026'),
    ])
  })
})
describe('the lines of an adjustment', () => {
  test('balance, and name each account once', () => {
    expect(askFault([house('suspense', 7), house('bank_cash', -7)])).toBeUndefined()
    expect(askFault([house('suspense', 7), house('bank_cash', -6)])).toBeDefined()
    expect(askFault([house('suspense', 7), house('suspense', -7)])).toBeDefined()
  })
  test('leave alone what documents hold', () => {
    expect(Object.keys(adjustableKinds)).not.toContain('escrow')
    expect(Object.keys(adjustableKinds)).not.toContain('merchant_withdrawing')
    expect(askFault([house('escrow', 7), house('bank_cash', -7)])).toBeDefined()
  })
  test('are summed side by side', () => {
    expect(sidesOf([house('suspense', 7), house('bank_cash', -4)])).toEqual({
      debit_cents: 7,
      credit_cents: 4,
    })
  })
})
test('an adjustment is decided once, by another person', () => {
  expect(mayDecide({ state: 'pending', maker_id: 1 }, 2)).toBe(true)
  expect(mayDecide({ state: 'pending', maker_id: 1 }, 1)).not.toBe(true)
  expect(mayDecide({ state: 'posted', maker_id: 1 }, 2)).not.toBe(true)
})

test('a reversal leaves every account as it was, whatever it undoes', () => {
  const accounts = [ours('suspense'), ours('bank_cash'), merchants('merchant_balance', 7)]
  const amount = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 12 }), all => {
      const book = newBook()
      const held = () => accounts.map(one => book.balance(one))
      all.forEach(([bank, merchant], n) => {
        const before = held()
        const of = { biz_id: n, biz_no: `T${n}`, at: n }
        const lines = [
          { ...accounts[0]!, amount_cents: merchant - bank },
          { ...accounts[1]!, amount_cents: bank },
          { ...accounts[2]!, amount_cents: -merchant },
        ].filter(line => line.amount_cents !== 0)
        const reverses_id = book.post({ ...of, biz: 'adjust', idem_key: `adjust:${n}`, lines })
        const undone = { ...of, biz: 'reverse' as const, reverses_id }
        for (let again = 0; again < 2; again++)
          book.post({ ...undone, idem_key: `reverse:${reverses_id}`, lines: reversalOf({ lines }) })
        expect(held()).toEqual(before)
        // What stays makes the next begin elsewhere.
        book.post({ ...of, biz: 'adjust', idem_key: `stays:${n}`, lines })
      })
    }),
  )
})
