import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bankCents, bankKind } from '#src/areas/fund/bankSheet.ts'
import {
  chargeCan,
  chargeKindFacts,
  chargePosting,
  debtOf,
  debtPart,
  movedBy,
  unchargePosting,
  writtenKinds,
  type ChargeKind,
} from '#src/areas/fund/fund.ts'
import { newBook } from '#src/areas/ledger/book.ts'
import { merchants, ours, type AccountOf } from '#src/areas/ledger/ledger.ts'

const AT = 1_800_000_000
const of = (kind: ChargeKind, amount_cents: number, id = 1) => ({
  id,
  no: `CZ${id}`,
  kind,
  owner_kind: chargeKindFacts[kind].owners[0]!,
  owner_id: 5,
  amount_cents,
  city_id: 1,
  mall_id: 0,
})
const balance = (book: ReturnType<typeof newBook>, account: AccountOf) => book.balance(account)

describe('a charge', () => {
  it('of money in is the owner’s, whatever it is for', () => {
    for (const kind of ['recharge', 'deposit', 'subsidy_fund', 'member_topup'] as const) {
      const book = newBook()
      book.post(chargePosting(of(kind, 700), { at: AT, debt_cents: 0 }))
      expect(balance(book, movedBy(of(kind, 700))), kind).toBe(-700)
      expect(balance(book, ours(kind === 'member_topup' ? 'wechat_cash' : 'bank_cash'))).toBe(700)
    }
  })
  it('beyond the balance takes it to nothing, and the rest is debt', () => {
    const book = newBook()
    book.post(chargePosting(of('recharge', 700, 1), { at: AT, debt_cents: 0 }))
    const fee = of('penalty', 1000, 2)
    const debt_cents = debtPart(1000, 700)
    book.post(chargePosting(fee, { at: AT, debt_cents }))
    expect(balance(book, merchants('merchant_balance', 5))).toBe(0)
    expect(balance(book, merchants('merchant_debt', 5))).toBe(300)
    expect(balance(book, ours('service_income'))).toBe(-1000)
  })
  it('of one who has nothing is all debt', () => {
    const book = newBook()
    book.post(chargePosting(of('ad_fee', 50), { at: AT, debt_cents: debtPart(50, 0) }))
    expect(balance(book, merchants('merchant_debt', 5))).toBe(50)
  })
  it('of a deposit goes to its own account, which no withdrawal reaches', () => {
    const book = newBook()
    book.post(chargePosting(of('deposit', 700), { at: AT, debt_cents: 0 }))
    expect(balance(book, merchants('merchant_balance', 5))).toBe(0)
    expect(balance(book, merchants('merchant_deposit', 5))).toBe(-700)
    book.post(chargePosting(of('deposit_refund', 700, 2), { at: AT, debt_cents: 0 }))
    expect(balance(book, merchants('merchant_deposit', 5))).toBe(0)
    expect(balance(book, ours('bank_cash'))).toBe(0)
  })
})

describe('random histories of charges', () => {
  const act = fc.record({
    kind: fc.constantFrom<ChargeKind>('recharge', 'deposit', 'ad_fee', 'penalty', 'correction'),
    cents: fc.integer({ min: 1, max: 100_000 }),
    reverse: fc.nat(6),
  })
  it('never overdraw, sum to nothing, and a reversal leaves what was before', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), acts => {
        const book = newBook()
        const posted: { row: ReturnType<typeof of>; debt_cents: number; txn: number }[] = []
        const has = (row: ReturnType<typeof of>) => 0 - book.balance(movedBy(row))
        acts.forEach(({ kind, cents, reverse }, n) => {
          const row = of(kind, cents, n + 1)
          const debt_cents =
            chargeKindFacts[kind].direction === 'out' ? debtPart(cents, has(row)) : 0
          const txn = book.post(chargePosting(row, { at: AT + n, debt_cents }))
          posted.push({ row, debt_cents, txn })
          if (reverse > 0) return
          const one = posted.splice(n % posted.length, 1)[0]!
          const isIn = chargeKindFacts[one.row.kind].direction === 'in'
          book.post(
            unchargePosting(
              { ...one.row, debt_cents: one.debt_cents },
              {
                at: AT + n,
                debt_cents: isIn ? debtPart(one.row.amount_cents, has(one.row)) : 0,
                owes_cents: book.balance(debtOf(one.row)!),
                reverses_id: one.txn,
              },
            ),
          )
        })
        const { accounts } = book.rows()
        expect(accounts.reduce((sum, one) => sum + one.balance_cents, 0)).toBe(0)
        // What stands is what was not taken back: money in less money out is what they have less owe.
        const net = posted.reduce(
          (sum, { row }) =>
            sum +
            (chargeKindFacts[row.kind].direction === 'in' ? row.amount_cents : -row.amount_cents),
          0,
        )
        const own = accounts.filter(one => one.owner_kind === 'merchant')
        expect(0 - own.reduce((sum, one) => sum + one.balance_cents, 0)).toBe(net)
      }),
    )
  })
})

describe('whoever does something with a charge', () => {
  const row = { status: 'pending' as const, kind: 'recharge' as const, maker_id: 1, debt_cents: 0 }
  it('is another than who wrote it down', () => {
    expect(chargeCan('approve', row, 1)).not.toBe(true)
    expect(chargeCan('reject', row, 1)).not.toBe(true)
    expect(chargeCan('approve', row, 2)).toBe(true)
    expect(chargeCan('reverse', { ...row, status: 'posted' }, 1)).not.toBe(true)
    expect(chargeCan('reverse', { ...row, status: 'posted' }, 2)).toBe(true)
  })
  it('does nothing with a member’s top-up, a rejected one, or a deposit that was given back', () => {
    const done = { ...row, status: 'posted' as const }
    expect(chargeCan('reverse', { ...done, kind: 'member_topup' }, 2)).not.toBe(true)
    expect(chargeCan('approve', { ...row, status: 'rejected' }, 2)).not.toBe(true)
    expect(chargeCan('reverse', { ...done, kind: 'deposit_refund' }, 2)).not.toBe(true)
    expect(chargeCan('refundDeposit', { ...done, kind: 'deposit' }, 1)).toBe(true)
    expect(chargeCan('refundDeposit', done, 1)).not.toBe(true)
  })
  it('writes down what a person may: no top-up of a member, no refund of a deposit', () => {
    expect(writtenKinds('in')).toEqual(['recharge', 'deposit', 'subsidy_fund'])
    expect(writtenKinds('out')).toEqual(['service_fee', 'ad_fee', 'penalty', 'correction'])
  })
})

describe('an amount in a bank’s list', () => {
  it.each([
    ['20,000.00', 20_000_00],
    ['￥88.5', 88_50],
    ['0.01', 1],
    ['1000000', 100_000_000],
  ])('%s is read', (cell, cents) => expect(bankCents(cell)).toBe(cents))
  it.each(['', '0', '-5', '1e3', '1.234', '2,00', '1000000.01', '+3', 'NaN', '９9'])(
    '%s is refused',
    cell => expect(bankCents(cell)).toBeUndefined(),
  )
  it('is of a kind that comes in', () => {
    expect([bankKind(''), bankKind('充值'), bankKind('保证金'), bankKind('罚款')]).toEqual([
      'recharge',
      'recharge',
      'deposit',
      undefined,
    ])
  })
})
