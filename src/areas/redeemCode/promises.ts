/** Batches of codes share one stock of e-cards: each counts the promises of the others. */
import { joined, joinedNames, unjoined, withAside, type Text } from '#src/domain/text.ts'
import type { BatchState } from './redeemCode.ts'

/** Another batch, which may still give cards of the same stock. */
export type CardPromise = {
  id: number
  name: string
  status: BatchState
  /** Cards that it may give as it was approved. */
  n: number
  /** Those that it may give beside once what waits for an audit is approved. */
  waiting: number
}
/** The stock of a card as a batch that gives so many of it shares it with others, at the worst. */
export type CardShare = {
  /** Cards in stock. */
  left: number
  /** Cards that approved batches may still give, and those of batches that wait for an audit. */
  approved: number
  waiting: number
  /** Cards that lack for this batch beside the approved ones; and beside all of them. */
  short: number
  short_with_waiting: number
}
/** Shares a stock of `left` among a batch that gives `times` cards and the others. */
export const cardShare = (
  left: number,
  times: number,
  others: readonly CardPromise[],
): CardShare => {
  const approved = others.reduce((sum, one) => sum + one.n, 0)
  const waiting = others.reduce((sum, one) => sum + one.waiting, 0)
  const lack = (n: number) => Math.max(0, times + n - left)
  return {
    left,
    approved,
    waiting,
    short: lack(approved),
    short_with_waiting: lack(approved + waiting),
  }
}
const NAMED = 3
/** The first few of them by name and number, joined of both languages. */
const names = (others: readonly CardPromise[]): string =>
  joinedNames([
    ...others.slice(0, NAMED).map(one => joined(withAside(one.name, `#${one.id}`))),
    ...(others.length > NAMED ? ['…'] : []),
  ])
/** Says that what approved batches promise leaves too few of a card for `times` more. */
export const promisedFault = (
  { left, approved }: CardShare,
  times: number,
  others: readonly CardPromise[],
): Text => {
  const [who, whoEn] = unjoined(names(others.filter(one => one.n > 0)))
  return [
    `库存 ${left} 张，其他批次还要发 ${approved} 张：${who}；本批次需 ${times} 张，不足以覆盖全部兑换`,
    `${left} in stock, of which other batches may give ${approved}: ${whoEn}; the rest does not suffice for the ${times} of this one`,
  ]
}
