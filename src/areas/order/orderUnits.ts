import type { CodeState, FulfilState, ItemWay, OrderFacts } from './order.ts'

/** Units of an item that neither went back nor are about to. */
export const leftOf = (item: {
  qty: number
  refunding_qty: number
  refunded_qty: number
}): number => item.qty - item.refunding_qty - item.refunded_qty
/** The product of an item of a kind that sells products; an item of an e-card has none. */
export const productOf = (item: { product_id: number | null }): number => {
  if (item.product_id === null) throw new Error('an item without a product')
  return item.product_id
}
export type Units = { total: number; used: number; refunded: number; expired: number }
/**
 * Fulfilment of codes, from their units: `none` when all were refunded, for nothing is left to
 * fulfil.
 */
export const fulfilOf = ({ total, used, refunded, expired }: Units): FulfilState => {
  const left = total - used - refunded - expired
  if (total === refunded) return 'none'
  if (left > 0) return used > 0 ? 'part_used' : 'waiting_use'
  return used > 0 ? 'finished' : 'expired'
}
export type CodeUnits = {
  state: CodeState
  times_total: number
  times_bonus: number
  times_used: number
  times_refunding: number
  times_refunded: number
}
/**
 * The state of a code from its times. `locked` and `void` are not counted but said, and stay until
 * they are said to be over.
 */
export const codeStateOf = (code: CodeUnits & { valid_until: number }, now: number): CodeState => {
  if (code.state === 'locked' || code.state === 'void') return code.state
  if (code.times_refunding > 0) return 'refunding'
  const left = code.times_total + code.times_bonus - code.times_used - code.times_refunded
  if (left <= 0) return code.times_used > 0 ? 'used' : 'refunded'
  if (code.valid_until <= now) return 'expired'
  return code.times_used > 0 ? 'part_used' : 'unused'
}
/**
 * An item's counts. `shipped_qty` are those shipped and not refunded since, `received_qty` those of
 * them that arrived.
 */
export type ItemUnits = {
  fulfil: ItemWay
  qty: number
  refunding_qty: number
  refunded_qty: number
  shipped_qty: number
  received_qty: number
  issue_state: 'none' | 'issuing' | 'issued' | 'failed'
  /** The codes of the item, if it has any. */
  codes: readonly CodeUnits[]
}
/** All that decides how far an order is: nothing else may. */
export type OrderUnits = Pick<OrderFacts, 'pay_state' | 'balance_due' | 'frozen'> & {
  /** The group has not formed, or the campaign is still raising. */
  waiting: boolean
  items: readonly ItemUnits[]
}
const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
const timesOf = (code: CodeUnits) => code.times_total + code.times_bonus
const byCode = (codes: readonly CodeUnits[]): FulfilState =>
  fulfilOf({
    total: sum(codes, timesOf),
    used: sum(codes, code => code.times_used),
    refunded: sum(codes, code => code.times_refunded),
    expired: sum(codes, code =>
      code.state === 'expired' ? timesOf(code) - code.times_used - code.times_refunded : 0,
    ),
  })
/** Units of codes are counted by the codes, those of goods by the item. */
const isByCode = (way: ItemWay): boolean => way === 'code' || way === 'pickup'
/** How far what a channel issues is. */
const issueState = (items: readonly ItemUnits[]): FulfilState => {
  if (items.some(item => item.issue_state === 'failed')) return 'issue_failed'
  const isThrough = (item: ItemUnits) =>
    item.issue_state === 'issued' || item.refunded_qty === item.qty
  return items.every(isThrough) ? 'finished' : 'issuing'
}
/** How far goods that are sent are. */
const sentState = (way: ItemWay, items: readonly ItemUnits[], live: number): FulfilState => {
  const shipped = sum(items, item => item.shipped_qty)
  const received = sum(items, item => item.received_qty)
  if (received === live) return 'finished'
  if (shipped === 0) return 'waiting_ship'
  if (shipped < live) return 'part_shipped'
  return way === 'delivery' ? 'delivering' : 'shipped'
}
/** How far items of one way are, taken together. */
const wayState = (way: ItemWay, items: readonly ItemUnits[]): FulfilState => {
  if (isByCode(way)) {
    const state = byCode(items.flatMap(item => item.codes))
    return way === 'pickup' && state === 'waiting_use' ? 'waiting_pickup' : state
  }
  const live = sum(items, item => item.qty - item.refunded_qty)
  if (live === 0) return 'none'
  return way === 'virtual' ? issueState(items) : sentState(way, items, live)
}
const done: readonly string[] = ['finished', 'expired']
const begun: readonly string[] = ['part_used', 'part_shipped', ...done]
/** From the least advanced to the most. */
const advance = [
  'issue_failed',
  'issuing',
  'waiting_ship',
  'waiting_pickup',
  'waiting_use',
  'part_shipped',
  'part_used',
  'delivering',
  'shipped',
  'expired',
  'finished',
  'waiting_group',
] as const satisfies readonly FulfilState[]

const refundState = (items: readonly ItemUnits[]): OrderFacts['refund_state'] => {
  const units = items.map(item =>
    isByCode(item.fulfil)
      ? {
          all: sum(item.codes, timesOf),
          refunding: sum(item.codes, code => code.times_refunding),
          refunded: sum(item.codes, code => code.times_refunded),
        }
      : { all: item.qty, refunding: item.refunding_qty, refunded: item.refunded_qty },
  )
  if (sum(units, one => one.refunding) > 0) return 'refunding'
  const refunded = sum(units, one => one.refunded)
  if (refunded === 0) return 'none'
  return refunded === sum(units, one => one.all) ? 'refunded' : 'part_refunded'
}
/** Parts of several ways, taken together: the least advanced tells, unless some are done. */
const fulfilState = (items: readonly ItemUnits[]): FulfilState => {
  const ways = [...new Set(items.map(item => item.fulfil))]
  const states = ways
    .map(way =>
      wayState(
        way,
        items.filter(item => item.fulfil === way),
      ),
    )
    .filter((state): state is Exclude<FulfilState, 'none'> => state !== 'none')
  if (states.length === 0) return 'none'
  if (states.every(state => done.includes(state)))
    return states.includes('finished') ? 'finished' : 'expired'
  if (states.length > 1 && states.some(state => begun.includes(state)))
    return ways.some(isByCode) ? 'part_used' : 'part_shipped'
  return advance.find(state => states.includes(state))!
}

/**
 * Counts the fulfilment and refund of an order from its units; with what is stored beside them they
 * give its status. Parts of several ways (a combo) are taken together: all done is finished, some
 * done is begun, else the least advanced tells (domain document A, section 5).
 */
export const factsOf = (of: OrderUnits): OrderFacts => {
  const { pay_state, balance_due, frozen } = of
  const stored = { pay_state, balance_due, frozen }
  if (pay_state === 'closed' || pay_state === 'unpaid')
    return { ...stored, fulfil_state: 'none', refund_state: 'none' }
  // A code made void was replaced by another: it counts for nothing.
  const items = of.items.map(item => ({
    ...item,
    codes: item.codes.filter(code => code.state !== 'void'),
  }))
  const refund_state = refundState(items)
  if (of.waiting && refund_state !== 'refunded')
    return { ...stored, fulfil_state: 'waiting_group', refund_state }
  return { ...stored, fulfil_state: fulfilState(items), refund_state }
}
