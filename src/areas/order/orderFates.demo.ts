import type { RefundCause, RefundState } from '#src/areas/refund/refund.ts'
import { DAY } from '#src/domain/time.ts'
import type { Random } from '#src/server/demo/random.ts'
import { cities, givenNames, surnames } from '#src/server/demo/words.ts'
import type { ItemWay, Receiver } from './order.ts'

/** Facts of a sale that decide how its goods reach the buyer. */
type Sold = { fate: string; way: string; exchanged: boolean; posted: boolean }
const isBrought = (random: Random, fate: string): boolean =>
  fate === 'delivering' || fate === 'waiting_ship' || (fate === 'finished' && random.chance(0.25))
export const fulfilOf = (random: Random, { fate, way, exchanged, posted }: Sold): ItemWay => {
  if (way === 'pickup') return !exchanged && isBrought(random, fate) ? 'delivery' : 'pickup'
  if (way === 'ship' || way === 'raise' || posted) return 'express'
  return way === 'issue' ? 'virtual' : 'code'
}
/** The kind of a kind that goods have by how they reach the buyer. */
export const subKinds = {
  code: 'code',
  express: 'express',
  pickup: 'pickup',
  delivery: 'store_delivery',
  virtual: 'virtual',
} as const satisfies Record<ItemWay, string>
export const qtyOf = (random: Random, fate: string): number =>
  fate === 'part_shipped' ? 2 : Number(random.weighted({ '1': 72, '2': 22, '3': 4, '4': 2 }))
/** What is not issued yet, or could not be; the rest was. */
export const unissued: Readonly<Record<string, 'issuing' | 'failed'>> = {
  issuing: 'issuing',
  frozen: 'issuing',
  issue_failed: 'failed',
}
/** How many times a code was used; of an order that is used in part the first code was. */
export const spentOf = (
  random: Random,
  fate: string,
  times: number,
  { isCard, isFirst }: { isCard: boolean; isFirst: boolean },
): number => {
  if (fate === 'used' || fate === 'finished') return times
  if (fate === 'frozen' && isCard) return Math.max(1, times - 2)
  if (fate !== 'part') return 0
  if (isCard) return Math.max(1, Math.min(times - 1, random.int(1, times)))
  return isFirst ? 1 : 0
}
export const distanceOf = (random: Random): number =>
  random.chance(0.03) ? random.int(1200, 9000) : random.int(2, 180)
export const settleStateAt = (when: number, now: number): 'holding' | 'available' | 'settled' => {
  if (when > now - 3 * DAY) return 'holding'
  return when > now - 10 * DAY ? 'available' : 'settled'
}
export const payStateOf = (of: {
  closed: boolean
  unpaid: boolean
  partly: boolean
}): 'closed' | 'unpaid' | 'part_paid' | 'paid' => {
  if (of.closed) return 'closed'
  if (of.unpaid) return 'unpaid'
  return of.partly ? 'part_paid' : 'paid'
}

type City = (typeof cities)[number]
/** The receiver of a bundle's posted part, who draws no chance. */
export const receiverBy = (id: number, city: City): Receiver => ({
  name: `${surnames[id % surnames.length]}${givenNames[id % givenNames.length]}`,
  phone: `139${String(10_000_000 + id * 77).slice(-8)}`,
  area: `${city[0]}市${city[5][id % city[5].length]!}`,
  address: `梧桐街${1 + (id % 300)}号${1 + (id % 20)}幢${101 + (id % 900)}室`,
})
export const drawReceiver = (random: Random, city: City): Receiver => ({
  name: `${random.pick([...surnames])}${random.pick(givenNames)}`,
  phone: `13${random.int(100_000_000, 999_999_999)}`,
  area: `${city[0]}市${random.pick(city[5] as readonly string[])}`,
  address: `${random.pick(['文汇路', '学院路', '中山北路', '滨河大道', '梧桐街', '和平里'])}${random.int(1, 688)}号${random.int(1, 30)}幢${random.int(101, 2904)}室`,
})
export const cancelOf = (random: Random, fate: string, lapsed: boolean) => {
  if (fate === 'cancelled') return random.weighted({ timeout: 70, member: 25, staff: 5 })
  if (fate === 'late_pay') return 'late_pay'
  return lapsed ? 'balance_timeout' : null
}

/** A case that is open still. */
export const openCase = (random: Random, isPosted: boolean): RefundState =>
  isPosted
    ? random.weighted({
        applied: 50,
        second_audit: 5,
        wait_return: 20,
        returning: 15,
        paying: 5,
        pay_failed: 5,
      })
    : random.weighted({ applied: 72, second_audit: 10, paying: 9, pay_failed: 9 })
/** A case that gave nothing back. */
export const refusedCase = (random: Random): RefundState =>
  random.chance(0.7) ? 'rejected' : 'closed'
export const causeOf = (fate: string, isRaise: boolean): RefundCause => {
  if (fate === 'late_pay') return 'late_pay'
  if (fate !== 'group_fail') return 'apply'
  return isRaise ? 'raise_fail' : 'group_fail'
}
