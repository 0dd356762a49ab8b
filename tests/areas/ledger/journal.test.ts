import { describe, expect, test } from 'vitest'
import {
  adjustableKinds,
  askFault,
  mayDecide,
  mayReverse,
  sidesOf,
  type AskLine,
} from '#src/areas/ledger/journal.ts'
import { businesses, type Business } from '#src/areas/ledger/ledger.ts'

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
