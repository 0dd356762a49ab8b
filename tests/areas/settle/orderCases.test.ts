import { describe, expect, it } from 'vitest'
import { newBook } from '#src/areas/ledger/book.ts'
import { merchants, ours, type AccountKind } from '#src/areas/ledger/ledger.ts'
import type { OrderFacts, PaidFact, RefundFact } from '#src/areas/settle/orderBook.ts'
import { merchantLeft, userOf, type Line } from '#src/areas/settle/orderLines.ts'
import { missingPostings, openBook } from '#src/areas/settle/orderPostings.ts'
import type { FeeBearer } from '#src/areas/settle/settle.ts'
import type { SoldItem } from '#src/areas/settle/split.ts'
import { DAY } from '#src/domain/time.ts'

const AT = 1_800_000_000
const item = (of: Partial<SoldItem> = {}): SoldItem => ({
  id: 1,
  fulfil: 'express',
  qty: 2,
  price_cents: 5000,
  pay_cents: 10_000,
  platform_cents: 0,
  store_id: 3,
  merchant_id: 7,
  commission_bp: 1000,
  times: 1,
  refunded_qty: 0,
  received_qty: 0,
  issued: false,
  codes: [],
  ...of,
})
const payment = (of: Partial<PaidFact> = {}): PaidFact => ({
  id: 1,
  direction: 'in',
  channel: 'wechat',
  amount_cents: 10_000,
  fee_cents: 0,
  refund_id: null,
  at: AT,
  ...of,
})
const refund = (of: Partial<RefundFact> = {}): RefundFact => ({
  id: 9,
  no: 'RF9',
  done: true,
  type: 'refund_only',
  cause: 'apply',
  payment_id: null,
  freight_cents: 0,
  at: AT + 60,
  units: [],
  ...of,
})
const unit = (of: Partial<RefundFact['units'][number]> = {}) => ({
  item_id: 1,
  code_id: null,
  qty: 2,
  paid_times: 0,
  shipped_qty: 0,
  share_cents: 10_000,
  amount_cents: 10_000,
  ...of,
})
type Changed = Partial<Omit<OrderFacts, 'order'>> & { order?: Partial<OrderFacts['order']> }
const factsOf = ({ order, ...more }: Changed = {}): OrderFacts => ({
  order: {
    id: 1,
    order_no: 'RA1',
    kind: 'elist',
    freight_cents: 0,
    member_id: 5,
    city_id: 1,
    mall_id: 2,
    pay_state: 'paid',
    paid_at: AT,
    received_at: AT + 30,
    created_at: AT,
    channel: false,
    ...order,
  },
  items: [item()],
  payments: [payment()],
  uses: [],
  refunds: [],
  forfeits: [],
  hold_s: 3 * DAY,
  ...more,
})
/** A journal that an order is booked into as often as asked, with the facts of then. */
const ledger = (bearer: FeeBearer = 'platform') => {
  const book = newBook()
  const posted = new Set<string>()
  let ids = 0
  let lines: Line[] = []
  return {
    balance: (kind: AccountKind) => book.balance(ours(kind)) || 0,
    of: (kind: AccountKind, id = 7) => book.balance(merchants(kind, id)) || 0,
    member: (id: number) =>
      book.balance({ kind: 'member_balance', owner_kind: 'member', owner_id: id }) || 0,
    give: (id: number, cents: number) =>
      book.post({
        biz: 'charge_in',
        biz_id: 1,
        biz_no: 'C1',
        idem_key: 'gift',
        at: AT,
        lines: [
          { ...ours('bank_cash'), amount_cents: cents },
          { kind: 'member_balance', owner_kind: 'member', owner_id: id, amount_cents: -cents },
        ],
      }),
    lines: () => lines,
    write: (of: Changed = {}) => {
      const opened = openBook(factsOf(of), lines, {
        posted: key => posted.has(key),
        newId: () => ++ids,
        bearerOf: () => bearer,
        spend: () => 0,
      })
      for (const one of missingPostings(opened)) {
        posted.add(one.idem_key)
        book.post(one)
      }
      lines = opened.lines
    },
  }
}

describe('a deposit', () => {
  const half = payment({ amount_cents: 3000 })
  const rest = payment({ id: 2, amount_cents: 7000, at: AT + 10 })
  it('lies in escrow as it came, and its balance beside it', () => {
    const books = ledger()
    books.write({ payments: [half], order: { pay_state: 'part_paid' } })
    expect(books.balance('escrow')).toBe(-3000)
    expect(books.lines().map(line => [line.base_cents, line.merchant_cents])).toEqual([
      [1500, 1350],
      [1500, 1350],
    ])
    books.write({ payments: [half, rest] })
    expect(books.balance('escrow')).toBe(-10_000)
    expect(books.lines().map(line => [line.base_cents, line.merchant_cents])).toEqual([
      [5000, 4500],
      [5000, 4500],
    ])
    expect(books.balance('wechat_fee_expense')).toBe(60)
  })
  it('that is kept because the balance never came is its seller’s, as it was shared', () => {
    const books = ledger()
    books.write({
      payments: [half],
      order: { pay_state: 'closed' },
      forfeits: [{ id: 4, refund_id: null, merchant_cents: 2699, at: AT + 99 }],
    })
    expect([books.balance('escrow'), books.of('merchant_frozen')]).toEqual([0, -2699])
    expect(books.balance('commission_income')).toBe(-301)
    expect(books.lines().map(line => line.status)).toEqual(['freezing', 'freezing'])
  })
  it('of which only the balance goes back stays with its seller', () => {
    const books = ledger()
    books.write({
      payments: [
        half,
        rest,
        payment({ id: 3, direction: 'out', amount_cents: 7000, refund_id: 9, at: AT + 60 }),
      ],
      refunds: [refund({ units: [unit({ amount_cents: 7000 })] })],
      forfeits: [{ id: 4, refund_id: 9, merchant_cents: 2700, at: AT + 60 }],
    })
    expect([books.balance('escrow'), books.of('merchant_frozen')]).toEqual([0, -2700])
    expect(books.balance('commission_income')).toBe(-300)
    expect(books.lines().map(line => [line.status, merchantLeft(line)])).toEqual([
      ['freezing', 1350],
      ['freezing', 1350],
    ])
  })
})

describe('money', () => {
  it('that came too late waits in suspense and goes back with its fee', () => {
    const books = ledger()
    const late = refund({ cause: 'late_pay', payment_id: 1, done: false })
    books.write({ order: { pay_state: 'closed' }, refunds: [late] })
    expect([books.balance('suspense'), books.balance('escrow')]).toEqual([-10_000, 0])
    expect(books.lines().every(line => line.status === 'canceled')).toBe(true)
    books.write({
      order: { pay_state: 'closed' },
      payments: [payment(), payment({ id: 2, direction: 'out', refund_id: 9 })],
      refunds: [{ ...late, done: true }],
    })
    for (const kind of ['suspense', 'wechat_cash', 'wechat_fee_expense'] as const)
      expect([kind, books.balance(kind)]).toEqual([kind, 0])
  })
  it('of a leader who goes free is the house’s expense: no merchant gets less', () => {
    const books = ledger()
    books.write({
      payments: [payment(), payment({ id: 2, direction: 'out', amount_cents: 5000, refund_id: 9 })],
      refunds: [refund({ cause: 'leader_free', payment_id: 1 })],
    })
    expect([books.balance('subsidy_expense'), books.balance('escrow')]).toEqual([5000, -10_000])
    expect(books.lines().map(line => [userOf(line), line.platform_subsidy_cents])).toEqual([
      [2500, 2500],
      [2500, 2500],
    ])
    expect(books.lines().every(line => line.status === 'not_settled')).toBe(true)
  })
  it('for a sold card is owed to its holder, and no merchant has a line of it', () => {
    const books = ledger()
    books.write({ order: { kind: 'ecard' } })
    expect([books.balance('prepaid_card'), books.balance('escrow')]).toEqual([-10_000, 0])
    expect(books.lines()).toEqual([])
    books.write({
      order: { kind: 'ecard' },
      payments: [payment(), payment({ id: 2, direction: 'out', amount_cents: 5000, refund_id: 9 })],
      refunds: [refund()],
    })
    expect([books.balance('prepaid_card'), books.balance('wechat_fee_expense')]).toEqual([
      -5000, 30,
    ])
  })
  it('of a channel of cards moves nothing: its own balance paid', () => {
    const books = ledger()
    books.write({
      order: { kind: 'ecard', channel: true },
      payments: [payment({ channel: 'balance' })],
    })
    expect(books.balance('prepaid_card')).toBe(0)
  })
  it('of several sources goes back to each, and only the channel takes a fee', () => {
    const books = ledger()
    books.give(5, 4000)
    const paid = [
      payment({ amount_cents: 6000 }),
      payment({ id: 2, amount_cents: 4000, channel: 'balance', at: AT + 1 }),
    ]
    books.write({ payments: paid })
    expect([books.member(5), books.balance('wechat_fee_expense')]).toEqual([0, 36])
    expect(books.lines().map(line => [line.cash_cents, line.balance_cents])).toEqual([
      [3000, 2000],
      [3000, 2000],
    ])
    books.write({
      payments: [
        ...paid,
        payment({ id: 3, direction: 'out', amount_cents: 6000, refund_id: 9 }),
        payment({ id: 4, direction: 'out', amount_cents: 4000, refund_id: 9, channel: 'balance' }),
      ],
      refunds: [refund({ units: [unit()] })],
    })
    expect([books.member(5), books.balance('wechat_cash'), books.balance('escrow')]).toEqual([
      -4000, 0, 0,
    ])
  })
  it('paid back by hand leaves the bank, and the channel keeps its fee', () => {
    const books = ledger()
    books.write({
      payments: [payment(), payment({ id: 2, direction: 'out', refund_id: 9, channel: 'offline' })],
      refunds: [refund({ units: [unit()] })],
    })
    expect([books.balance('bank_cash'), books.balance('wechat_fee_expense')]).toEqual([-10_000, 60])
  })
  it('that was agreed less leaves the rest with the seller', () => {
    const books = ledger()
    books.write({
      payments: [payment(), payment({ id: 2, direction: 'out', amount_cents: 6000, refund_id: 9 })],
      refunds: [refund({ units: [unit({ amount_cents: 6000 })] })],
    })
    expect([books.balance('escrow'), books.of('merchant_frozen')]).toEqual([0, -3600])
    expect(books.balance('commission_income')).toBe(-400)
  })
  it('whose part was replaced is its new seller’s, at the rate of what came instead', () => {
    const books = ledger()
    books.write()
    books.write({ items: [item({ merchant_id: 8, store_id: 4, commission_bp: 500 })] })
    expect(books.lines().map(line => [line.merchant_id, line.merchant_cents])).toEqual([
      [8, 4750],
      [8, 4750],
    ])
    books.write({
      items: [item({ merchant_id: 8, store_id: 4, commission_bp: 500, received_qty: 2 })],
    })
    expect([books.of('merchant_frozen', 7), books.of('merchant_frozen', 8)]).toEqual([0, -9500])
  })
  it('for freight is the sender’s with the first piece that arrives, without commission', () => {
    const books = ledger('merchant')
    const paid = [payment({ amount_cents: 10_800 })]
    books.write({ payments: paid, order: { freight_cents: 800 } })
    books.write({
      payments: paid,
      order: { freight_cents: 800 },
      items: [item({ received_qty: 1 })],
    })
    const freight = books.lines().find(line => line.unit_no === 0)!
    expect([freight.status, freight.commission_cents, freight.merchant_cents]).toEqual([
      'freezing',
      0,
      800 - freight.fee_cents,
    ])
    expect(books.lines().map(line => line.status)).toEqual(['freezing', 'not_settled', 'freezing'])
  })
})
