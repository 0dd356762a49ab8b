import { lineOf, ours, type Posting } from '#src/areas/ledger/ledger.ts'
import {
  accountOf,
  balanced,
  feeOfPayment,
  posting,
  type ForfeitFact,
  type OrderBook,
  type OrderEvent,
  type OrderFacts,
  type PaidFact,
  type Surroundings,
  type UseFact,
} from './orderBook.ts'
import { isOpen, linesToReceive, linesToUse, newLine, placeOf, type Line } from './orderLines.ts'
import { applyRefund, shareForfeit } from './orderRefunds.ts'
import { bearSellers, paySellers } from './orderSellers.ts'
import { earn, unearn } from './orderUses.ts'
import {
  feeOf,
  isSent,
  noSources,
  ownSale,
  sourceOf,
  splitPrice,
  unitsSold,
  userCents,
  type Parts,
  type Sources,
} from './split.ts'

const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
/** Money that came too late, for another price or for nothing: it goes back by itself. */
const isLate = (facts: OrderFacts, paid: PaidFact): boolean =>
  facts.refunds.some(
    one => one.cause === 'late_pay' && (one.payment_id === null || one.payment_id === paid.id),
  )
/** What came in for an order, in the order of time. */
const paidIn = (facts: OrderFacts): PaidFact[] =>
  facts.payments.filter(one => one.direction === 'in').sort((a, b) => a.at - b.at || a.id - b.id)

const ranks = ['pay', 'free', 'use', 'unuse', 'receive', 'forfeit', 'refund']
const rank = (of: OrderEvent): number => ranks.indexOf(of.kind)
/** What can have happened to an order's money, in the order of time. */
export const eventsOf = (facts: OrderFacts): OrderEvent[] => {
  const pays = paidIn(facts)
  const events: OrderEvent[] = [
    ...pays.map(paid => ({ kind: 'pay' as const, at: paid.at, paid, late: isLate(facts, paid) })),
    ...(pays.length === 0 && facts.order.pay_state === 'paid'
      ? [{ kind: 'free' as const, at: facts.order.paid_at ?? facts.order.received_at }]
      : []),
    ...facts.uses.flatMap((use): OrderEvent[] => [
      { kind: 'use', at: use.verified_at, use },
      ...(use.state === 'reversed'
        ? [{ kind: 'unuse' as const, at: use.reversed_at ?? use.verified_at, use }]
        : []),
    ]),
    ...(facts.items.some(item => item.received_qty > 0 || item.issued)
      ? [{ kind: 'receive' as const, at: facts.order.received_at }]
      : []),
    ...facts.refunds
      .filter(refund => refund.done && refund.type !== 'resend')
      .map(refund => ({ kind: 'refund' as const, at: refund.at, refund })),
    ...facts.forfeits
      .filter(one => one.refund_id === null)
      .map(forfeit => ({ kind: 'forfeit' as const, at: forfeit.at, forfeit })),
  ]
  // Nothing is used or given back before it was paid, whatever a clock elsewhere said.
  const first = pays[0]?.at ?? 0
  for (const one of events) one.at = Math.max(one.at, first)
  return events.sort((a, b) => a.at - b.at || rank(a) - rank(b))
}

const partsOf = (book: OrderBook, sources: Sources, fee_cents: number): Parts[] =>
  splitPrice(book.units, {
    sources,
    fee_cents,
    // Whoever bore the fee when it was paid bears it, whatever was agreed since.
    bearerOf: (unit, at) => {
      const line = book.lines[at]
      return line && line.paid_at !== null
        ? line.fee_bearer
        : book.around.bearerOf(unit.merchant_id)
    },
  })
/** Whether what a line is made of may still be said anew: nothing of it has moved on. */
const isWhole = (line: Line): boolean =>
  isOpen(line) && line.gone_base_cents === 0 && line.refund_id === null

/** How many lines an order has that do not stand yet. */
export const linesWanted = (
  { order, items }: OrderFacts,
  known: readonly Pick<Line, 'item_id' | 'unit_no'>[],
): number => {
  const standing = new Set(known.map(line => `${line.item_id}.${line.unit_no}`))
  return unitsSold(order, items).filter(unit => !standing.has(`${unit.item_id}.${unit.unit_no}`))
    .length
}
/** Reads the book of an order: `known` are the lines that stand, the others are new. */
export const openBook = (
  facts: OrderFacts,
  known: readonly Line[],
  around: Surroundings,
): OrderBook => {
  const units = unitsSold(facts.order, facts.items)
  const book: OrderBook = { facts, units, lines: [], sources: noSources, fee_cents: 0, around }
  const due = sum(units, unit => unit.user_cents)
  const asked = partsOf(book, { ...noSources, cash_cents: due }, feeOf(due))
  const standing = new Map(known.map(line => [`${line.item_id}.${line.unit_no}`, line]))
  book.lines = units.map(
    (unit, at) =>
      standing.get(`${unit.item_id}.${unit.unit_no}`) ?? newLine(around.newId(), unit, asked[at]!),
  )
  for (const paid of paidIn(facts))
    if (!isLate(facts, paid) && around.posted(`pay:${paid.id}`)) addSource(book, paid)
  if (known.length === 0) return book
  const now = partsOf(book, book.sources, book.fee_cents)
  book.lines.forEach((line, at) => {
    const unpaid = line.status === 'pending_payment' || line.status === 'canceled'
    // A part that was replaced has another seller, another code and another rate; its price stands.
    if (unpaid) Object.assign(line, asked[at], placeOf(units[at]!))
    else if (isWhole(line) && now[at]!.base_cents === line.base_cents && !isLeader(line, now[at]!))
      reparted(line, { ...now[at]!, ...placeOf(units[at]!) })
  })
  return book
}
/** Says the parts of a line anew; what its sellers have of it stays theirs. */
const reparted = (line: Line, parts: Partial<Line>): void => {
  Object.assign(line, parts)
  bearSellers(line)
}
/** Whether the house paid for a leader afterwards: what came by a channel is less than it was. */
const isLeader = (line: Line, parts: Parts): boolean => line.cash_cents !== parts.cash_cents

const addSource = (book: OrderBook, paid: PaidFact): void => {
  const key = sourceOf(paid.channel)
  book.sources = { ...book.sources, [key]: book.sources[key] + paid.amount_cents }
  book.fee_cents += feeOfPayment(paid)
}
/** The lines of an order that is paid, by what was paid; answers what that adds to each (cents). */
const payLines = (
  book: OrderBook,
  at: number,
): { line: Line; base: number; platform: number }[] => {
  const parts = partsOf(book, book.sources, book.fee_cents)
  const full = userCents(book.sources) >= sum(book.units, unit => unit.user_cents)
  const soldBy = new Map(book.facts.items.map(item => [item.id, item.distribution]))
  return book.lines.flatMap((line, i) => {
    const unpaid = line.status === 'pending_payment' || line.status === 'canceled'
    if (!unpaid && !isWhole(line)) return []
    const before = unpaid
      ? { base: 0, platform: 0 }
      : { base: line.base_cents, platform: line.platform_subsidy_cents }
    reparted(line, { ...parts[i]!, status: 'not_settled', paid_at: line.paid_at ?? at })
    // A deposit earns nobody anything before the rest is paid.
    if (full) paySellers(line, book.units[i]!, soldBy.get(line.item_id))
    return [
      {
        line,
        base: line.base_cents - before.base,
        platform: line.platform_subsidy_cents - before.platform,
      },
    ]
  })
}
const intoEscrow = (added: ReturnType<typeof payLines>) => [
  ...lineOf(
    ours('subsidy_expense'),
    sum(added, one => one.platform),
  ),
  ...added.flatMap(one => lineOf(ours('escrow'), -one.base, { line_id: one.line.id })),
]
const pay = (book: OrderBook, { paid, late, at }: OrderEvent & { kind: 'pay' }): Posting[] => {
  const { order } = book.facts
  if (order.channel) return []
  const of = { biz_id: paid.id, at }
  const from = lineOf(accountOf(book, paid.channel), paid.amount_cents)
  const fee = feeOfPayment(paid)
  const fees = posting(book, { ...of, biz: 'fee', key: `fee:${paid.id}` }, [
    ...lineOf(ours('wechat_fee_expense'), fee),
    ...lineOf(ours('wechat_cash'), -fee),
  ])
  if (late)
    return [...posting(book, { ...of, biz: 'pay', key: `pay:${paid.id}` }, balanced(from)), ...fees]
  addSource(book, paid)
  const own = ownSale(order.kind)
  if (own)
    return [
      ...posting(book, { ...of, biz: own.biz, key: `pay:${paid.id}` }, [
        ...from,
        ...lineOf(ours(own.account), -paid.amount_cents),
      ]),
      ...fees,
    ]
  const added = payLines(book, at)
  return [
    ...posting(
      book,
      { ...of, biz: 'pay', key: `pay:${paid.id}` },
      balanced([...from, ...intoEscrow(added)]),
    ),
    ...fees,
  ]
}
/** What costs its buyer nothing is paid all the same; the house may have paid for it. */
const payNothing = (book: OrderBook, at: number): Posting[] =>
  posting(
    book,
    { biz: 'pay', biz_id: book.facts.order.id, key: `pay:o${book.facts.order.id}`, at },
    balanced(intoEscrow(payLines(book, at))),
  )
const redeemed = (book: OrderBook, of: UseFact, at: number): Posting[] =>
  posting(
    book,
    { biz: 'verify', biz_id: of.id, key: `verify:${of.id}`, at },
    earn(linesToUse(book.lines.filter(isOpen), of), {
      at: of.verified_at,
      hold_until: of.hold_until,
      verify_id: of.id,
    }),
  )
const takenBack = (book: OrderBook, of: UseFact, at: number): Posting[] =>
  posting(
    book,
    { biz: 'unverify', biz_id: of.id, key: `unverify:${of.id}`, at },
    unearn(
      book.lines.filter(line => line.verify_id === of.id && line.status === 'freezing'),
      book.around.spend,
    ),
  )
const receive = (book: OrderBook, at: number): Posting[] =>
  book.facts.items.flatMap(item => {
    if (item.fulfil === 'code' || item.fulfil === 'pickup') return []
    const received_qty = item.issued ? item.qty - item.refunded_qty : item.received_qty
    const those = linesToReceive(book.lines.filter(isOpen).concat(earnedOf(book)), {
      item_id: item.id,
      received_qty,
    })
    return posting(
      book,
      {
        biz: 'verify',
        biz_id: book.facts.order.id,
        key: `verify:i${item.id}-${those[0]?.unit_no}`,
        at,
      },
      earn(those, { at, hold_until: at + book.facts.hold_s, verify_id: null }),
    )
  })
const earnedOf = (book: OrderBook): Line[] => book.lines.filter(line => line.verified_at !== null)
const forfeit = (book: OrderBook, of: ForfeitFact): Posting[] => {
  const lines = book.lines.filter(line => isOpen(line) && line.refund_id === null)
  shareForfeit(lines, of.merchant_cents)
  return posting(
    book,
    { biz: 'forfeit', biz_id: of.id, key: `forfeit:${of.id}`, at: of.at },
    earn(lines, { at: of.at, hold_until: of.at + book.facts.hold_s, verify_id: null }),
  )
}

/** The freight is earned with the first piece that was received, or when none is left. */
const settleFreight = (book: OrderBook, at: number): Posting[] => {
  const freight = book.lines.find(line => line.unit_no === 0)
  if (!freight || !isOpen(freight)) return []
  const posted = new Set(book.facts.items.filter(isSent).map(item => item.id))
  const units = book.lines.filter(
    line => line.unit_no > 0 && (posted.size === 0 || posted.has(line.item_id)),
  )
  const earned = units.some(line => line.verified_at !== null)
  const over = units.every(line => line.refund_id !== null)
  if (!earned && !over) return []
  return posting(
    book,
    {
      biz: 'verify',
      biz_id: book.facts.order.id,
      key: `verify:f${book.facts.order.id}`,
      at,
    },
    earn([freight], { at, hold_until: at + book.facts.hold_s, verify_id: null }),
  )
}
const moved = (book: OrderBook, event: OrderEvent): Posting[] => {
  switch (event.kind) {
    case 'pay':
      return pay(book, event)
    case 'free':
      return payNothing(book, event.at)
    case 'use':
      return redeemed(book, event.use, event.at)
    case 'unuse':
      return takenBack(book, event.use, event.at)
    case 'receive':
      return receive(book, event.at)
    case 'forfeit':
      return forfeit(book, event.forfeit)
    case 'refund':
      return applyRefund(book, event.refund)
  }
}
/** Moves the lines of an order by one event, and answers what it posts. */
export const applyEvent = (book: OrderBook, event: OrderEvent): Posting[] => {
  const { posted } = book.around
  return [...moved(book, event), ...settleFreight(book, event.at)].filter(
    one => !posted(one.idem_key),
  )
}

/** Whether an event stands in the books already. */
export const isBooked = (book: OrderBook, event: OrderEvent): boolean => {
  const { posted, whole } = book.around
  switch (event.kind) {
    case 'pay':
      return posted(`pay:${event.paid.id}`)
    case 'free':
      return book.lines.every(line => line.status !== 'pending_payment')
    case 'use':
      return (
        book.lines.some(line => line.verify_id === event.use.id) ||
        (event.use.state === 'reversed' && !whole)
      )
    case 'unuse':
      return !book.lines.some(line => line.verify_id === event.use.id)
    case 'receive':
      return false
    case 'refund':
      return (
        posted(`refund:${event.refund.id}`) ||
        book.lines.some(line => line.refund_id === event.refund.id)
      )
    case 'forfeit':
      return posted(`forfeit:${event.forfeit.id}`)
  }
}
/** An order that was closed without money has no line to settle. */
export const closeLines = (book: OrderBook): void => {
  const { pay_state } = book.facts.order
  for (const line of book.lines)
    if (line.status === 'pending_payment' && pay_state === 'closed') line.status = 'canceled'
}
/**
 * The postings of an order that are still missing, in the order of time; the lines of `book` become
 * what they are by the order's facts. Asked again when those postings stand, it answers none.
 */
export const missingPostings = (book: OrderBook): Posting[] => {
  const postings = eventsOf(book.facts).flatMap(event =>
    isBooked(book, event) ? [] : applyEvent(book, event),
  )
  closeLines(book)
  return postings
}
/** The keys that the postings of an order may have. */
export const keysOf = (facts: OrderFacts): string[] => [
  ...facts.payments.filter(one => one.direction === 'in').map(one => `pay:${one.id}`),
  ...facts.refunds.filter(one => one.done).map(one => `refund:${one.id}`),
  ...facts.forfeits.map(one => `forfeit:${one.id}`),
]
