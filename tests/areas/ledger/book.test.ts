import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newBook } from '#src/areas/ledger/book.ts'
import {
  accounts,
  lineOf,
  mayHave,
  merchants,
  ours,
  postingFault,
  reversalOf,
  type AccountKind,
  type Posting,
} from '#src/areas/ledger/ledger.ts'

const AT = 1_800_000_000
const paid = (key: string, cents: number): Posting => ({
  biz: 'pay',
  biz_id: 1,
  biz_no: 'B1',
  idem_key: key,
  at: AT,
  lines: [...lineOf(ours('wechat_cash'), cents), ...lineOf(ours('escrow'), -cents)],
})

describe('a posting', () => {
  it.each([
    ['one line', [...lineOf(ours('escrow'), -1)]],
    ['a sum that is not zero', [...lineOf(ours('wechat_cash'), 3), ...lineOf(ours('escrow'), -2)]],
    ['a part of a cent', [...lineOf(ours('wechat_cash'), 0.5), ...lineOf(ours('escrow'), -0.5)]],
    [
      'more than a number holds exactly',
      [...lineOf(ours('wechat_cash'), 2 ** 53), ...lineOf(ours('escrow'), -(2 ** 53))],
    ],
    [
      'an account of the house with an owner',
      [...lineOf({ ...ours('wechat_cash'), owner_id: 4 }, 3), ...lineOf(ours('escrow'), -3)],
    ],
    [
      'an account that its owner can’t have',
      [...lineOf(merchants('escrow', 4), -3), ...lineOf(ours('wechat_cash'), 3)],
    ],
  ])('is refused for %s', (_, lines) => {
    expect(postingFault({ lines })).toBeDefined()
  })
  it('has no line for nothing, and its reversal undoes each line', () => {
    expect(lineOf(ours('escrow'), 0)).toEqual([])
    const { lines } = paid('a', 700)
    expect(postingFault({ lines })).toBeUndefined()
    expect(postingFault({ lines: reversalOf({ lines }) })).toBeUndefined()
    expect(
      [...lines, ...reversalOf({ lines })].reduce((sum, one) => sum + one.amount_cents, 0),
    ).toBe(0)
  })
  it('leaves no debt on the credit side, and nothing owed to others on the debit side', () => {
    const bound = (Object.keys(accounts) as AccountKind[]).filter(
      kind => !mayHave(kind, 1) || !mayHave(kind, -1),
    )
    expect(bound.filter(kind => !mayHave(kind, -1))).toEqual(['merchant_debt', 'distributor_debt'])
    expect(bound.length).toBe(16)
  })
})

describe('the book in memory', () => {
  it('posts a key once, and refuses to overdraw', () => {
    const book = newBook()
    expect(book.post(paid('a', 700))).toBe(1)
    expect(book.post(paid('a', 700))).toBe(1)
    expect(book.balance(ours('escrow'))).toBe(-700)
    expect(() =>
      book.post({
        ...paid('b', 1),
        lines: [...lineOf(ours('escrow'), 701), ...lineOf(ours('wechat_cash'), -701)],
      }),
    ).toThrow('escrow')
    expect(book.rows().txns.length).toBe(1)
  })
  it('always sums to zero, and each balance is its last entry’s', () => {
    const step = fc.record({
      from: fc.nat(3),
      to: fc.nat(3),
      cents: fc.integer({ min: 1, max: 1e9 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const book = newBook()
        const places = [
          ours('wechat_cash'),
          ours('escrow'),
          merchants('merchant_balance', 1),
          merchants('merchant_debt', 1),
        ]
        steps.forEach(({ from, to, cents }, n) => {
          if (from === to) return
          const lines = [...lineOf(places[to]!, cents), ...lineOf(places[from]!, -cents)]
          const allowed = lines.every(line =>
            mayHave(line.kind, book.balance(line) + line.amount_cents),
          )
          const posting = { ...paid(`k${n}`, 1), lines }
          if (allowed) book.post(posting)
          else expect(() => book.post(posting)).toThrow()
        })
        const { accounts: held, entries } = book.rows()
        expect(held.reduce((sum, one) => sum + one.balance_cents, 0)).toBe(0)
        for (const account of held) {
          const own = entries.filter(one => one.account_id === account.id)
          expect(own.at(-1)?.balance_after_cents).toBe(account.balance_cents)
        }
      }),
    )
  })
})
