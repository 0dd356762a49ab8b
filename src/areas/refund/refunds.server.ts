import { lockGrants } from '#src/areas/coupon/issue.server.ts'
import { noteFilmRefund, type FilmPart } from '#src/areas/filmRefund/tickets.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { recount, type Actor } from '#src/areas/order/orderFacts.server.ts'
import { promiseOf, promiseRefusal } from '#src/areas/order/orderRules.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { depositKept } from '#src/areas/raise/raise.ts'
import { refuseShared } from '#src/areas/split/splitRefund.server.ts'
import { shares } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { refund, refund_item } from './refund.table.ts'
import {
  isOpen,
  needsEvidence,
  type RefundCause,
  type RefundSource,
  type RefundType,
  type ReturnCondition,
} from './refund.ts'
import {
  amountRefusal,
  appliedRefusal,
  chooseLines,
  evidenceRefused,
  exchangeRefusal,
  firstState,
  formingRefusal,
  sellersRefusal,
  sentAgainRefusal,
  soldPolicy,
  sumsOf,
  wholeOnlyRefusal,
  type RefundSums,
} from './refundAsk.ts'
import {
  readRefundFacts,
  refuse,
  type Refund,
  type RefundFacts,
  type RefundLine,
} from './refundFacts.server.ts'
import {
  askedUnits,
  cardsRefusal,
  codeLine,
  codeRefusal,
  hasArrived,
  isCountedByItem,
  itemLine,
  itemRefusal,
  nothingSent,
  restAfter,
  withoutMoney,
  type AskedLine,
  type Refused,
  type Wanted,
} from './refundLines.ts'
import { pay } from './refundPay.server.ts'
import { answerBy, linesPolicy } from './refundPolicy.server.ts'
import { lockUnits } from './refundUnits.server.ts'

/** Whoever decides, and how much alone (cents). */
export type Decider = { id: number; limit_cents: number }

export type Asked = {
  order_id: number
  wanted: Wanted
  type?: RefundType
  source: RefundSource
  cause?: RefundCause
  reason: string
  reason_code?: string
  images?: string[]
  /** Less than the units are worth, where that was agreed; never more. Cents. */
  amount_cents?: number | undefined
  /**
   * Money of one payment alone, whatever became of the units: what came too late, a deposit that is
   * given back after all.
   */
  money?: { cents: number; payment_id: number }
  /** A deposit goes back too, though it might be kept. */
  waive?: boolean
  /** The freight too, though part of it was sent (the platform's fault). */
  freight?: boolean
  /** The goods came back already, and in what state. */
  returned?: ReturnCondition | undefined
  actor: Actor
  /**
   * Whoever opens it decides it in the same breath, up to their limit; above it another person must
   * agree.
   */
  by?: Decider
  /** A bundle is given back though its policy says no. */
  override?: boolean
  /** One of many: never against what was promised, not even by staff as an exception. */
  plain?: boolean
  /** The same key never opens a second refund. */
  idem_key?: string
  /** What a refund of film tickets says beside itself. */
  film?: FilmPart
  /** The rules of the plan that was bought agreed: nobody else gives a membership back. */
  plan?: boolean
  now: number
}
/** What is asked, with what stands where nothing is said. */
type Ask = Asked & { type: RefundType; cause: RefundCause }

/** What a refund will be, once every rule has agreed. */
type Plan = {
  lines: readonly AskedLine[]
  sums: RefundSums
  state: 'applied' | 'second_audit' | 'paying'
  /** Staff give back against a promise. */
  exception: boolean
  /** The store must answer first. */
  asksStore: boolean
  /** Whoever decides in the same breath; nobody where the store must answer first. */
  by: Decider | undefined
  merchant_id: number
  payment_id: number | null
  coupon_back: boolean
}

/**
 * Opens a refund. Its amount is never typed for codes: it is what the chosen units are worth. Their
 * units are locked at once. The system's own refunds and those of staff within their limit are paid
 * out; the others wait for a decision. A buyer gets back what was promised when it was sold; staff
 * may give back more, which is an exception that a second person agrees to. The group, if any, is
 * held first. Asked again with the same key, it answers the first. Throws the refusal of the first
 * rule that is broken (422), and 404 for units that the order does not have; nothing is written
 * before all rules agree.
 */
export const openRefund = async (tx: Db, asked: Asked): Promise<Refund> => {
  const ask: Ask = {
    ...asked,
    type: asked.type ?? 'refund_only',
    cause: asked.cause ?? 'apply',
  }
  const facts = await readRefundFacts(tx, ask.order_id)
  const same = facts.refunds.find(one => one.idem_key !== null && one.idem_key === ask.idem_key)
  if (same) return same
  const plan = planRefund(facts, ask)
  await refuseShared(tx, ask.order_id, plan.sums.amount_cents)
  return openPlanned(tx, facts, ask, plan)
}

/** Checks every rule in turn and answers what the refund will be. Throws what the first refuses. */
const planRefund = (facts: RefundFacts, ask: Ask): Plan => {
  refuseOrder(facts, ask)
  const { found, chosen, exception } = linesAsked(facts, ask)
  refuseLines(facts, ask, chosen)
  const lines = ask.type === 'resend' ? chosen.map(withoutMoney) : chosen
  const rest = ask.money ? 0 : restAfter(facts, lines)
  refuse(wholeOnlyRefusal({ part_paid: facts.order.pay_state === 'part_paid', rest }))
  if (facts.order.kind === 'points' && !ask.money) refuse(exchangeRefused(facts, lines, rest))
  const whole = (ask.wanted === 'all' && lines.length === found) || rest === 0
  const deposit = depositOf(facts, ask, { lines, rest })
  const sums = sumsOf({
    lines,
    resend: ask.type === 'resend',
    money: ask.money?.cents,
    freight_cents: freightOwed(facts, ask, whole),
    left_cents: leftToGive(facts),
    kept_cents: deposit.kept_cents,
    asked: ask.amount_cents,
  })
  refuse(amountRefusal(sums))
  const toOnePayment =
    sums.kept_cents > 0 || facts.order.pay_state === 'part_paid' || ask.money !== undefined
  return {
    lines,
    sums,
    exception,
    ...decisionOn(facts, ask, { exception, amount_cents: sums.amount_cents }),
    merchant_id: sellerAmong(facts, lines, ask.type),
    payment_id: toOnePayment ? deposit.payment_id : null,
    coupon_back: ask.type !== 'resend' && rest === 0 && (!ask.money || ask.cause === 'late_pay'),
  }
}

/** An order that is frozen or not paid gives nothing back; money of one payment always may. */
const refuseOrder = ({ order, forming }: RefundFacts, ask: Ask): void => {
  const may = ask.money !== undefined || orderCan('refund', order)
  if (may !== true) refuse({ rule: order.frozen ? 'frozen' : 'not_refundable', text: may })
  if (order.kind === 'vip_card' && !ask.plan && !ask.money)
    refuse({
      rule: 'by_plan',
      text: [
        '购卡订单按卡种规则退款，请到「购卡订单」页操作',
        'A membership is given back by the rules of its plan, on its own page',
      ],
    })
  refuse(formingRefusal({ forming, source: ask.source, applied: ask.cause === 'apply' }))
}

/** Throws 404 for a card that the order does not have. */
const refuseForeign = ({ cards }: RefundFacts, wanted: Wanted): void => {
  if (wanted === 'all' || !wanted.cards) return
  const own = new Set(cards.flatMap(one => one.cards.map(card => card.id)))
  if (wanted.cards.some(id => !own.has(id))) throw missing()
}
/** The lines of what is asked back. Throws for units that are not there or can't be given back. */
const linesFound = (facts: RefundFacts, ask: Ask): AskedLine[] => {
  const units = askedUnits(facts, ask.wanted)
  refuseForeign(facts, ask.wanted)
  const codes = units.codes.map(({ id, times }) => {
    const code = facts.codes.find(one => one.id === id)
    if (!code) throw missing()
    refuse(codeRefusal(code, times))
    return codeLine(code, times)
  })
  const items = units.items.map(asked => {
    const { id, qty, card_ids } = asked
    const item = facts.items.find(one => one.id === id)
    if (!item || !isCountedByItem(item)) throw missing()
    const own = facts.cards.find(one => one.item_id === id)
    if (own) refuse(cardsRefusal(own, asked))
    refuse(itemRefusal(item, qty))
    const line = itemLine(item, { qty, type: ask.type, earlier: facts.earlier })
    return own ? { ...line, card_ids: card_ids ?? [] } : line
  })
  return [...codes, ...items]
}
/** Which lines a promise and the after-sale period leave. `found`: how many there were before. */
const linesAsked = (
  facts: RefundFacts,
  ask: Ask,
): { found: number; chosen: readonly AskedLine[]; exception: boolean } => {
  const found = ask.money ? [] : linesFound(facts, ask)
  // The period binds whoever asks for a case that is decided later; staff may give back of their
  // own accord within their limit.
  const bound = ask.cause === 'apply' && !ask.by
  const { lines, exception, refused } = chooseLines(found, {
    all: ask.wanted === 'all',
    broken: brokenPromises(facts, ask, found),
    isOver: line => bound && ask.now > (facts.until.get(line.item_id) ?? ask.now),
    decides: ask.by !== undefined,
    plain: ask.plain ?? false,
    moneyOnly: ask.money !== undefined,
  })
  refuse(refused)
  return { found: found.length, chosen: lines, exception }
}
/**
 * Which lines do not go back by what their buyer was promised, each with why. Where the store shut,
 * or its merchant stopped trading, no promise is held against the buyer.
 */
const brokenPromises = (
  facts: RefundFacts,
  ask: Ask,
  lines: readonly AskedLine[],
): ReadonlyMap<AskedLine, Text> => {
  const promised = ask.cause === 'apply' || ask.cause === 'expired'
  if (ask.type === 'resend' || facts.forming || !promised) return new Map()
  return new Map(
    lines.flatMap(line => {
      const code = facts.codes.find(one => one.id === line.code_id)
      const item = facts.items.find(one => one.id === line.item_id)!
      if (!code || item.shut) return []
      const policy = soldPolicy(item.snapshot)
      const promise = promiseOf(facts.order, item.fulfil, policy, facts.rules)
      const why = promise && promiseRefusal(promise, code.valid_until, ask.now)
      return why ? [[line, why] as const] : []
    }),
  )
}
/** What a buyer may not apply for, and what may not be sent again. */
const refuseLines = (facts: RefundFacts, ask: Ask, lines: readonly AskedLine[]): void => {
  if (ask.source === 'member' && ask.cause === 'apply') {
    refuse(appliedRefusal(lines, facts.earlier))
    const received = hasArrived(lines, facts.items)
    const pictures = ask.images?.length ?? 0
    const least = linesPolicy(facts, lines).evidence_photos
    if (needsEvidence({ type: ask.type, received, pictures, least })) refuse(evidenceRefused(least))
  }
  if (ask.type === 'resend') refuse(sentAgainRefusal(lines, facts))
}
const exchangeRefused = (
  facts: RefundFacts,
  lines: readonly AskedLine[],
  rest: number,
): Refused | undefined => {
  const asked = facts.items.filter(item => lines.some(line => line.item_id === item.id))
  const issuing = asked.some(item => item.issue_state === 'issuing')
  return exchangeRefusal({ rest, issuing, couponUsed: facts.couponUsed })
}

/** Refunds of an order that count: a refused or closed one gave everything back to it. */
const standing = (facts: RefundFacts): Refund[] =>
  facts.refunds.filter(one => one.state !== 'rejected' && one.state !== 'closed')
const total = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
/** Freight goes back with the whole of what was never sent, or because the platform is at fault. */
const freightOwed = (facts: RefundFacts, ask: Ask, whole: boolean): number => {
  const unsent = !ask.money && nothingSent(facts.items, facts.earlier)
  if (!ask.freight && !(whole && unsent)) return 0
  const before = standing(facts).filter(one => one.cause !== 'late_pay')
  return facts.order.freight_cents - total(before, one => one.freight_cents)
}
/** What was paid for an order and neither went back nor is about to, in cents. */
const leftToGive = (facts: RefundFacts): number => {
  const open = standing(facts).filter(one => isOpen(one.state))
  const { paid_cents, refunded_cents } = facts.order
  return paid_cents - refunded_cents - total(open, one => one.amount_cents)
}
/** What of the deposit stays, and the one payment that a refund goes back to. */
const depositOf = (
  facts: RefundFacts,
  ask: Ask,
  of: { lines: readonly AskedLine[]; rest: number },
): { kept_cents: number; payment_id: number | null } => {
  const unsent = total(of.lines, line => line.qty - line.shipped_qty)
  if (ask.money || ask.type === 'resend' || unsent === 0)
    return { kept_cents: 0, payment_id: ask.money?.payment_id ?? null }
  const { kept_cents, payment_id } = depositKept(facts.deposit, {
    n: unsent,
    left: unsent + of.rest,
  })
  return { kept_cents: ask.waive || ask.cause !== 'apply' ? 0 : kept_cents, payment_id }
}
/**
 * Where the case begins. Until store goods are made ready nobody need be asked; from then on the
 * store is, whoever wants them back.
 */
const decisionOn = (
  { order }: RefundFacts,
  ask: Ask,
  of: { exception: boolean; amount_cents: number },
): Pick<Plan, 'state' | 'asksStore' | 'by'> => {
  const applied = ask.cause === 'apply'
  const asksStore = order.kind === 'goods' && order.ready_at !== null && applied
  const unreadyGoods =
    order.kind === 'goods' && !asksStore && ask.source === 'member' && ask.type === 'refund_only'
  const by = asksStore ? undefined : ask.by
  const state = firstState({ ...of, applied, unreadyGoods, limit_cents: by?.limit_cents })
  return { state, asksStore, by }
}
/** Whose case it is: a bundle's is of the merchant whose parts it gives back. */
const sellerAmong = (
  { order, items }: RefundFacts,
  lines: readonly { item_id: number }[],
  type: RefundType,
): number => {
  if (order.kind !== 'combo') return order.merchant_id
  const asked = items.filter(item => lines.some(line => line.item_id === item.id))
  const sellers = [...new Set(asked.flatMap(item => item.seller_id ?? []))]
  refuse(sellersRefusal(sellers, type))
  return sellers.length === 1 ? sellers[0]! : order.merchant_id
}

/** Writes the case, its lines, the locks on its units and the order's log; pays what may be paid. */
const openPlanned = async (tx: Db, facts: RefundFacts, ask: Ask, plan: Plan): Promise<Refund> => {
  const { order } = facts
  if (order.kind === 'points' && !ask.money) await lockGrants(tx, order, ask.now)
  const made = await writeCase(tx, facts, ask, plan)
  const lines = await writeLines(tx, made, plan)
  if (ask.type !== 'resend') await lockUnits(tx, lines, 1, ask.now)
  if (ask.film) await noteFilmRefund(tx, made, ask.film)
  const held = await recount(tx, order, {
    event: 'refund_open',
    actor: ask.actor,
    now: ask.now,
    memo: ask.reason,
    data: { refund_id: made.id, amount_cents: made.amount_cents },
  })
  return made.state === 'paying' ? pay(tx, made, held, ask.now) : made
}
const writeCase = async (tx: Db, facts: RefundFacts, ask: Ask, plan: Plan): Promise<Refund> => {
  const { now } = ask
  const { order } = facts
  const { sums, state, by } = plan
  const [made] = await tx
    .insert(refund)
    .values({
      refund_no: numberOf('RF', now),
      order_id: order.id,
      order_kind: order.kind,
      city_id: order.city_id,
      mall_id: order.mall_id,
      merchant_id: plan.merchant_id,
      member_id: order.member_id,
      type: ask.type,
      source: ask.source,
      cause: ask.cause,
      reason: ask.reason,
      reason_code: ask.reason_code ?? null,
      images: ask.images ?? [],
      amount_cents: sums.amount_cents,
      freight_cents: ask.money ? 0 : Math.max(0, sums.amount_cents - sums.share_cents),
      cap_cents: sums.cap_cents,
      payment_id: plan.payment_id,
      kept_cents: sums.kept_cents,
      coupon_back: plan.coupon_back,
      policy_override: ask.override || plan.exception,
      state,
      ...(ask.returned && { return_received_at: now, return_condition: ask.returned }),
      ...(by && { first_by: by.id, decided_at: state === 'paying' ? now : null }),
      deadline_at: await answerBy(tx, facts, {
        ...ask,
        ...plan,
        amount_cents: sums.amount_cents,
        exception: plan.exception || ask.override === true,
      }),
      idem_key: ask.idem_key ?? null,
      created_at: now,
      updated_at: now,
    })
    .returning()
  return made!
}
/**
 * What was agreed less comes off the freight last: the units' part is spread over them by what they
 * are worth.
 */
const writeLines = async (tx: Db, made: Refund, plan: Plan): Promise<RefundLine[]> => {
  if (plan.lines.length === 0) return []
  const amounts = shares(
    Math.min(plan.sums.amount_cents, plan.sums.share_cents),
    plan.lines.map(line => line.share_cents),
  )
  return tx
    .insert(refund_item)
    .values(
      plan.lines.map((line, at) => ({
        ...line,
        refund_id: made.id,
        amount_cents: amounts[at]!,
        created_at: made.created_at,
        updated_at: made.created_at,
      })),
    )
    .returning()
}
