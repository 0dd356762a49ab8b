import { cardKept, givableCards, type CardUnits } from '#src/areas/ecard/cardOrder.ts'
import type { ItemWay } from '#src/areas/order/order.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import { leftOf, type CodeUnits } from '#src/areas/order/orderUnits.ts'
import type { Text } from '#src/domain/text.ts'
import type { RefundSource, RefundState, RefundType } from './refund.ts'

/** A rule that refuses: its code, its words, what they name, and what the caller can act on. */
export type Refused = {
  rule: string
  text: Text
  values?: Record<string, string | number>
  data?: object
}
/**
 * What is asked back: `all` that can be given back, or some codes with their times (every time that
 * is left unless said) and some items with their units.
 */
export type Wanted =
  | 'all'
  | {
      codes?: readonly { id: number; times?: number | undefined }[]
      items?: readonly { id: number; qty: number }[]
      /** E-cards; units that were never issued are asked for among the items. */
      cards?: readonly number[]
    }
/** Units of an item that are asked back; the e-cards among them. */
export type AskedItem = { id: number; qty: number; card_ids?: number[] }
export type GivableItem = {
  id: number
  title: string
  fulfil: ItemWay
  qty: number
  used_qty: number
  refunding_qty: number
  refunded_qty: number
  shipped_qty: number
  received_qty: number
  pay_cents: number
  platform_cents: number
}
export type GivableCode = CodeUnits & {
  id: number
  item_id: number
  code: string
  gift_state: 'none' | 'sent' | 'received'
  left_times: number
  left_pay_cents: number
  left_platform_cents: number
  left_settle_cents: number
}
/** A line of any refund that the order had before, with its refund's own facts. */
export type EarlierLine = {
  refund_id: number
  item_id: number
  qty: number
  shipped_qty: number
  share_cents: number
  platform_cents: number
  state: RefundState
  type: RefundType
  source: RefundSource
}
/** Units that a new refund gives back, and what they are worth in cents. */
export type AskedLine = {
  item_id: number
  code_id: number | null
  /** The e-cards among its units; null where it is of other goods. */
  card_ids?: number[] | null
  qty: number
  paid_times: number
  shipped_qty: number
  share_cents: number
  platform_cents: number
  settle_cents: number
}

const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
const isByCode = (item: { fulfil: ItemWay }): boolean =>
  item.fulfil === 'code' || item.fulfil === 'pickup'
/** A refused or closed refund gave its units back to the order, so it counts no more. */
export const counts = (line: { state: RefundState }): boolean =>
  line.state !== 'rejected' && line.state !== 'closed'

/** Times of a code that were neither used nor refunded and are in no refund. */
const usableTimes = (code: GivableCode): number =>
  code.times_total + code.times_bonus - code.times_used - code.times_refunding - code.times_refunded
const isGivable = (code: GivableCode): boolean =>
  ['locked', 'unused', 'part_used', 'expired'].includes(code.state) &&
  code.gift_state !== 'sent' &&
  usableTimes(code) > 0

/**
 * Splits what is asked back into codes and items. What is picked up is counted by its code: so many
 * units of the item are so many uses of that code.
 */
export const askedUnits = (
  of: {
    items: readonly GivableItem[]
    codes: readonly GivableCode[]
    cards?: readonly CardUnits[]
  },
  wanted: Wanted,
): {
  codes: readonly { id: number; times?: number | undefined }[]
  items: readonly AskedItem[]
} => {
  if (of.cards?.length) return { codes: [], items: askedCards(of.cards, wanted) }
  if (wanted === 'all')
    return {
      codes: of.codes.filter(isGivable).map(code => ({ id: code.id })),
      items: of.items
        .filter(item => !isByCode(item) && leftOf(item) > 0)
        .map(item => ({ id: item.id, qty: leftOf(item) })),
    }
  const pickups = (wanted.items ?? []).flatMap(({ id, qty }) => {
    const pickedUp = of.items.find(item => item.id === id)?.fulfil === 'pickup'
    const code = pickedUp && of.codes.find(one => one.item_id === id && one.state !== 'void')
    return code ? [{ item_id: id, id: code.id, times: qty }] : []
  })
  return {
    codes: [...(wanted.codes ?? []), ...pickups],
    items: (wanted.items ?? []).filter(one => !pickups.some(pickup => pickup.item_id === one.id)),
  }
}

/** The cards and the units never issued that are asked back, item by item. */
const askedCards = (all: readonly CardUnits[], wanted: Wanted): AskedItem[] =>
  all.flatMap(own => {
    const ids = own.cards.map(card => card.id)
    const card_ids =
      wanted === 'all' ? givableCards(own) : (wanted.cards ?? []).filter(id => ids.includes(id))
    const unissued =
      wanted === 'all'
        ? own.unissued
        : sum(wanted.items?.filter(one => one.id === own.item_id) ?? [], one => one.qty)
    const qty = card_ids.length + unissued
    return qty === 0 ? [] : [{ id: own.item_id, qty, card_ids }]
  })
/** Why what is asked back of an item's cards can't be, or undefined. */
export const cardsRefusal = (own: CardUnits, asked: AskedItem): Refused | undefined => {
  const card_ids = asked.card_ids ?? []
  const kept = own.cards
    .filter(card => card_ids.includes(card.id))
    .map(card => ({ card, text: cardKept(card, own.rule) }))
    .find(({ text }) => text)
  if (kept) return { rule: 'card_kept', text: kept.text!, data: { code_id: kept.card.id } }
  return asked.qty - card_ids.length > own.unissued
    ? {
        rule: 'too_many',
        text: ['只有 {n} 张未发放的卡可退', 'Only {n} cards that were not issued can be refunded'],
        values: { n: own.unissued },
      }
    : undefined
}

/** Why `times` of a code can't be given back, or undefined; every time that is left unless said. */
export const codeRefusal = (code: GivableCode, times?: number): Refused | undefined => {
  const tail = code.code.slice(-4)
  if (code.gift_state === 'sent')
    return {
      rule: 'gift',
      text: ['券码 {code} 正在转赠，请先撤回', 'Code {code} is being given away: recall it first'],
      values: { code: tail },
    }
  if (!isGivable(code))
    return {
      rule: 'code_not_refundable',
      text: [
        '尾号 {code} 的券码已使用、已退款或退款中',
        'Code …{code} was used, refunded or is in refund',
      ],
      values: { code: tail },
      data: { code_id: code.id },
    }
  const left = usableTimes(code)
  const n = times ?? left
  if (n < 1 || n > left)
    return {
      rule: 'too_many',
      text: ['尾号 {code} 的券码只剩 {n} 次可退', 'Code …{code} has only {n} uses left'],
      values: { code: tail, n: left },
    }
  return undefined
}
/** The line of a code. Paid times go first; the last of them takes the rest of the cents. */
export const codeLine = (code: GivableCode, times?: number): AskedLine => {
  const left = usableTimes(code)
  const n = times ?? left
  const paid_times = n === left ? code.left_times : Math.min(n, code.left_times)
  const part = (cents: number) => partOf(cents, code.left_times, paid_times)
  return {
    item_id: code.item_id,
    code_id: code.id,
    qty: n,
    paid_times,
    shipped_qty: 0,
    share_cents: part(code.left_pay_cents),
    platform_cents: part(code.left_platform_cents),
    settle_cents: part(code.left_settle_cents),
  }
}

/** Whether units of an item are counted by the item itself and not by its codes. */
export const isCountedByItem = (item: { fulfil: ItemWay }): boolean => !isByCode(item)
/** Why `qty` units of an item can't be given back, or undefined. */
export const itemRefusal = (item: GivableItem, qty: number): Refused | undefined => {
  const left = leftOf(item)
  return qty < 1 || qty > left
    ? {
        rule: 'too_many',
        text: ['「{title}」只剩 {n} 件可退', 'Only {n} of “{title}” can be refunded'],
        values: { title: item.title, n: left },
      }
    : undefined
}
/**
 * The line of an item: from what earlier refunds left of its worth, so that shares meet to the cent
 * and the last unit takes the rest.
 */
export const itemLine = (
  item: GivableItem,
  of: { qty: number; type: RefundType; earlier: readonly EarlierLine[] },
): AskedLine => {
  const { qty } = of
  const taken = of.earlier.filter(line => line.item_id === item.id && counts(line))
  const left = leftOf(item)
  // A refund that is done took what had been sent off the item's own count already.
  const sentElsewhere = sum(taken, line => (line.state === 'done' ? 0 : line.shipped_qty))
  const sent = item.shipped_qty - sentElsewhere
  const unsent = left - sent
  return {
    item_id: item.id,
    code_id: null,
    qty,
    paid_times: 0,
    // What is returned was sent; what is only refunded stays where it is as long as it can.
    shipped_qty: of.type === 'return_refund' ? Math.min(qty, sent) : Math.max(0, qty - unsent),
    share_cents: partOf(item.pay_cents - sum(taken, line => line.share_cents), left, qty),
    platform_cents: partOf(
      item.platform_cents - sum(taken, line => line.platform_cents),
      left,
      qty,
    ),
    settle_cents: 0,
  }
}
/** Goods are sent again without any money: the line is worth nothing and its units stay as they are. */
export const withoutMoney = (line: AskedLine): AskedLine => ({
  ...line,
  share_cents: 0,
  platform_cents: 0,
  settle_cents: 0,
  paid_times: 0,
})

/** Whether nothing of an order was ever sent or used; what came back was sent all the same. */
export const nothingSent = (
  items: readonly GivableItem[],
  earlier: readonly EarlierLine[],
): boolean =>
  items.every(item => item.shipped_qty === 0 && item.used_qty === 0) &&
  !earlier.some(line => line.state === 'done' && line.shipped_qty > 0)
/** How many units an order still has when these lines are gone. */
export const restAfter = (
  of: { items: readonly GivableItem[]; codes: readonly GivableCode[] },
  lines: readonly { qty: number }[],
): number => {
  const goods = of.items.filter(isCountedByItem)
  const codes = of.codes.filter(code => code.state !== 'void')
  return (
    sum(goods, leftOf) +
    sum(
      codes,
      code => code.times_total + code.times_bonus - code.times_refunding - code.times_refunded,
    ) -
    sum(lines, line => line.qty)
  )
}
/** Whether some of the units have been sent and arrived. */
export const hasArrived = (
  lines: readonly { item_id: number; shipped_qty: number }[],
  items: readonly Pick<GivableItem, 'id' | 'received_qty'>[],
): boolean =>
  lines.some(
    line =>
      line.shipped_qty > 0 && items.some(item => item.id === line.item_id && item.received_qty > 0),
  )
