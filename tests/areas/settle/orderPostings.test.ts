import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Distribution, SaleRole, SellerTerms } from '#src/areas/commission/selling.ts'
import {
  distributors,
  mayHave,
  merchants,
  ours,
  type AccountKind,
} from '#src/areas/ledger/ledger.ts'
import { baseLeft, merchantLeft, userOf } from '#src/areas/settle/orderLines.ts'
import { distributorLeft, sellerLeft } from '#src/areas/settle/orderSellers.ts'
import { newHistory, type Sale, type Step } from './histories.ts'

const terms = (
  role: SaleRole,
  distributor_id: number,
  bp: number,
  fixed?: number,
): SellerTerms => ({
  distributor_id,
  role,
  rate_bp: fixed === undefined ? bp : 0,
  ...(fixed !== undefined && { fixed_cents: fixed }),
  calc: { goods_bp: bp, level_bp: 0, plus_bp: 0 },
  group_id: null,
  merchant_id: role === 'store' ? 9 : null,
})
const bp = fc.constantFrom(0, 100, 250, 1000, 4000)
const sold = fc.oneof(
  fc.constant(null),
  bp.map((n): Distribution => ({ bearer: 'merchant', sellers: [terms('guide', 23, n)] })),
  fc
    .tuple(bp, bp, fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }))
    .map(([own, leader, fixed]): Distribution => ({
      bearer: 'platform',
      sellers: [terms('direct', 21, own, fixed), terms('leader', 22, leader)],
    })),
  bp.map((n): Distribution => ({ bearer: 'platform', sellers: [terms('store', 24, n)] })),
)
const sale = fc.record({
  sold,
  coded: fc.boolean(),
  qty: fc.integer({ min: 1, max: 4 }),
  times: fc.integer({ min: 1, max: 4 }),
  pay: fc.integer({ min: 0, max: 3000 }),
  platform: fc.integer({ min: 0, max: 500 }),
  off: fc.integer({ min: 0, max: 500 }),
  bp: fc.constantFrom(0, 500, 800, 1250, 10_000),
}) satisfies fc.Arbitrary<Sale>
const step = fc.record({
  what: fc.constantFrom('use', 'unuse', 'receive', 'refund', 'settle', 'spend', 'earn', 'withdraw'),
  n: fc.nat({ max: 1000 }),
}) satisfies fc.Arbitrary<Step>
const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)

type History = ReturnType<typeof newHistory>
/** Invariants 1, 3, 4, 5 and 7 of the books (domain D), of one history. */
const expectSound = ({ book, lines, facts }: History) => {
  const { accounts, txns, entries } = book.rows()
  expect(sum(accounts.map(one => one.balance_cents))).toBe(0)
  for (const txn of txns) {
    const own = entries.filter(entry => entry.txn_id === txn.id)
    expect(sum(own.map(one => one.amount_cents))).toBe(0)
    expect(own.length).toBeGreaterThanOrEqual(2)
  }
  for (const account of accounts) {
    expect(mayHave(account.kind, account.balance_cents)).toBe(true)
    const own = entries.filter(entry => entry.account_id === account.id)
    expect(own.at(-1)!.balance_after_cents).toBe(account.balance_cents)
  }
  for (const line of lines()) {
    expect(line.base_cents).toBe(
      line.commission_cents +
        line.merchant_cents +
        (line.fee_bearer === 'merchant' ? line.fee_cents : 0) +
        (line.distributor_bearer === 'merchant' ? line.distributor_cents : 0),
    )
    // Invariant 18: never more than the margin and the ceiling leave, and all of it is somebody's.
    expect(sum(line.sellers.map(sellerLeft))).toBe(distributorLeft(line))
    expect(line.distributor_cents).toBeLessThanOrEqual(Math.floor(userOf(line) * 0.3))
    if (line.distributor_bearer === 'platform' && line.distributor_cents > 0)
      expect(line.distributor_cents).toBeLessThanOrEqual(
        line.commission_cents - (line.fee_bearer === 'platform' ? line.fee_cents : 0),
      )
    for (const one of line.sellers) {
      expect(one.gone_cents).toBeGreaterThanOrEqual(0)
      expect(sellerLeft(one)).toBeGreaterThanOrEqual(0)
      expect(['cancelled', 'clawed_back'].includes(one.status)).toBe(sellerLeft(one) === 0)
    }
    for (const [gone, all] of [
      [line.gone_base_cents, line.base_cents],
      [line.gone_commission_cents, line.commission_cents],
      [line.gone_merchant_cents, line.merchant_cents],
      [line.gone_fee_cents, line.fee_cents],
      [line.refunded_user_cents, userOf(line)],
    ] as const) {
      expect(gone).toBeGreaterThanOrEqual(0)
      expect(gone).toBeLessThanOrEqual(all)
    }
    if (line.status === 'refunded')
      expect([baseLeft(line), merchantLeft(line), distributorLeft(line)]).toEqual([0, 0, 0])
  }
  const open = lines().filter(line => line.status === 'not_settled')
  expect(book.balance(ours('escrow')) + sum(open.map(baseLeft))).toBe(0)
  for (const id of [7, 8])
    expect(
      book.balance(merchants('merchant_frozen', id)) +
        sum(
          lines()
            .filter(line => line.status === 'freezing' && line.merchant_id === id)
            .map(merchantLeft),
        ),
    ).toBe(0)
  for (const id of [21, 22, 23, 24]) {
    const own = lines().flatMap(line => line.sellers.filter(one => one.distributor_id === id))
    const left = (state: string) => sum(own.filter(one => one.status === state).map(sellerLeft))
    const stands = (kind: AccountKind) => book.balance(distributors(kind, id))
    expect(stands('distributor_frozen') + left('frozen')).toBe(0)
    // Invariant 19: what was settled is in the balance, withdrawn, or had been owed.
    expect(stands('distributor_balance') === 0 || stands('distributor_debt') === 0).toBe(true)
    const out = sum(
      entries
        .filter(
          entry =>
            accounts.find(one => one.id === entry.account_id)?.owner_id === id &&
            txns.find(one => one.id === entry.txn_id)!.biz === 'withdraw_paid',
        )
        .map(entry => entry.amount_cents),
    )
    if (id !== 24)
      expect(stands('distributor_balance') + stands('distributor_debt') + left('settled')).toBe(out)
  }
  // Nothing had to wait for somebody to look into it.
  expect(book.balance(ours('suspense'))).toBe(0)
  const back = sum(
    facts()
      .payments.filter(one => one.direction === 'out')
      .map(one => one.amount_cents),
  )
  expect(sum(lines().map(line => line.refunded_user_cents))).toBe(back)
  expect(book.balance(ours('wechat_fee_expense'))).toBeGreaterThanOrEqual(
    sum(lines().map(line => (line.fee_bearer === 'merchant' ? -line.fee_cents : 0))),
  )
}
const histories = fc.tuple(
  fc.array(sale, { minLength: 1, maxLength: 3 }),
  fc.integer({ min: 0, max: 700 }),
  fc.constantFrom('platform' as const, 'merchant' as const),
  fc.array(step, { maxLength: 14 }),
)

describe('the books of an order', () => {
  it('are sound after every step of any history, and a second look posts nothing', () => {
    fc.assert(
      fc.property(histories, ([sales, freight, bearer, steps]) => {
        const history = newHistory(sales, freight, bearer)
        history.write()
        expect(history.lines().every(line => line.status === 'pending_payment')).toBe(true)
        history.pay()
        expectSound(history)
        for (const one of steps) {
          history.step(one)
          expect(history.write()).toBe(0)
          expectSound(history)
        }
      }),
      { numRuns: 120 },
    )
  })
  it('are as before the sale when all went back before anything was settled', () => {
    const before = fc.tuple(
      fc.array(sale, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 700 }),
      fc.constantFrom('platform' as const, 'merchant' as const),
      fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 4 }),
    )
    fc.assert(
      fc.property(before, ([sales, freight, bearer, parts]) => {
        const history = newHistory(sales, freight, bearer)
        history.pay()
        // Some of it goes back by itself first, always whole, for this is a full refund in the end.
        for (const n of parts) history.step({ what: 'refund', n: n * 5 + 1 })
        history.refundAll()
        expectSound(history)
        for (const account of history.book.rows().accounts)
          expect([account.kind, account.balance_cents]).toEqual([account.kind, 0])
        expect(history.lines().every(line => line.status === 'refunded')).toBe(true)
      }),
      { numRuns: 80 },
    )
  })
  it('take a refund after the settlement from the balance, and what is short as a debt', () => {
    const history = newHistory(
      [{ coded: false, qty: 1, times: 1, pay: 9000, platform: 1000, off: 0, bp: 800 }],
      0,
      'platform',
    )
    history.pay()
    history.step({ what: 'receive', n: 0 })
    history.step({ what: 'settle', n: 0 })
    expect(history.book.balance(merchants('merchant_balance', 7))).toBe(-9200)
    history.step({ what: 'spend', n: 8 })
    history.refundAll()
    expectSound(history)
    const left = (kind: AccountKind) => history.book.balance(merchants(kind, 7))
    expect(left('merchant_balance')).toBe(0)
    expect(left('merchant_debt')).toBeGreaterThan(0)
    // The channel keeps its fee once a line was settled.
    expect(history.book.balance(ours('wechat_fee_expense'))).toBe(54)
  })
})
