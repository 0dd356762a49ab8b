import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** Rankings of at most a year. */
export const RANK_DAYS = 366
/** What is ranked. */
export const ranked = {
  expert: ['达人', 'Experts'],
  guide: ['导购', 'Guides'],
  store: ['分销门店', 'Stores'],
  group: ['团队', 'Teams'],
  product: ['商品', 'Goods'],
} as const satisfies Record<string, Text>
export type Ranked = keyof typeof ranked
/** What it is ranked by. */
export const measures = {
  net: ['净销售额', 'Net sales'],
  orders: ['订单数', 'Orders'],
  customers: ['新客数', 'New customers'],
  commission: ['佣金', 'Commission'],
} as const satisfies Record<string, Text>
export type Measure = keyof typeof measures

export const rankStates = {
  frozen: ['已冻结', 'Frozen'],
  published: ['已发布', 'Published'],
  unpublished: ['已取消发布', 'Taken back'],
} as const satisfies Record<string, Text>
export type RankState = keyof typeof rankStates

export type RankValues = {
  id: number
  name: string
  paid_cents: number
  /** Paid less what went back of it. */
  net_cents: number
  orders: number
  customers: number
  commission_cents: number
}
export type RankRow = RankValues & { place: number }
/** The value that a row is ranked by. */
export const valueOf = (row: RankValues, by: Measure): number => {
  const of = {
    net: row.net_cents,
    orders: row.orders,
    customers: row.customers,
    commission: row.commission_cents,
  }
  return of[by]
}
/**
 * Rows in their order with their places from 1: equal values share a place and the next is skipped
 * (1, 2, 2, 4). Who has nothing of it has no place.
 */
export const placed = (rows: readonly RankValues[], by: Measure): RankRow[] => {
  const sorted = rows
    .filter(row => valueOf(row, by) > 0)
    .toSorted((a, b) => valueOf(b, by) - valueOf(a, by) || a.id - b.id)
  const result: RankRow[] = []
  for (const [at, row] of sorted.entries()) {
    const above = result.at(-1)
    const same = above !== undefined && valueOf(above, by) === valueOf(row, by)
    result.push({ ...row, place: same ? above.place : at + 1 })
  }
  return result
}
/** The period of the same length right before a period (unix seconds, both ends in it). */
export const periodBefore = ({ from, to }: { from: number; to: number }) => {
  const days = Math.round((to + 1 - from) / DAY)
  return { from: from - days * DAY, to: from - 1 }
}

/** The most that one place gets, and all of a list (cents). */
const PRIZE_MOST = 10_000_00
export type Prize = { from: number; to: number; amount_cents: number }
const line = /^(\d{1,3})(?:\s*[-–~至]\s*(\d{1,3}))?\s*[:：\s]\s*(\d{1,6}(?:\.\d{1,2})?)$/
/**
 * Reads prizes as they are written, one for a line: `1 500` or `2-5 200` (places, yuan). Answers the
 * fault of the first line that is none.
 */
export const prizesOf = (text: string): Prize[] | { fault: Text } => {
  const prizes: Prize[] = []
  const lines = text.split('\n').flatMap(one => one.trim() || [])
  if (lines.length === 0) return { fault: ['请填写名次与金额', 'Say places and amounts'] }
  for (const [at, one] of lines.entries()) {
    const found = line.exec(one)
    const [from, to] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])]
    const amount_cents = Math.round(Number(found?.[3]) * 100)
    const overlaps = prizes.some(other => from <= other.to && to >= other.from)
    const sound =
      found &&
      from >= 1 &&
      to >= from &&
      amount_cents > 0 &&
      amount_cents <= PRIZE_MOST &&
      !overlaps
    if (!sound)
      return {
        fault: [
          `第 ${at + 1} 行“${one}”不对：写成“1 500”或“2-5 200”，名次不能重复，单个奖励最多 ${PRIZE_MOST / 100} 元`,
          `Line ${at + 1}, “${one}”: write “1 500” or “2-5 200”; a place counts once, at most ¥${PRIZE_MOST / 100} each`,
        ],
      }
    prizes.push({ from, to, amount_cents })
  }
  return prizes
}
/** What each row of a list gets by the prizes; rows without one are left out. */
export const prizesFor = <R extends { place: number }>(
  rows: readonly R[],
  prizes: readonly Prize[],
): { row: R; amount_cents: number }[] =>
  rows.flatMap(row => {
    const prize = prizes.find(one => row.place >= one.from && row.place <= one.to)
    return prize ? [{ row, amount_cents: prize.amount_cents }] : []
  })
/** A name as a published list shows it: the first and the last sign. */
export const maskedName = (name: string): string => {
  const signs = [...name]
  if (signs.length <= 1) return '*'
  return signs.length === 2
    ? `${signs[0]}*`
    : `${signs[0]}${'*'.repeat(signs.length - 2)}${signs.at(-1)}`
}

type Standing = { status: RankState; who: Ranked }
/** True, or why a list of this state can't have it. */
export const rankCan = (
  verb: 'publish' | 'unpublish' | 'exclude' | 'grantPrize',
  { status, who }: Standing,
): true | Text => {
  if (verb === 'publish') return status !== 'published' || ['榜单已发布', 'It is published']
  if (verb === 'unpublish') return status === 'published' || ['榜单没有发布', 'It is not published']
  if (verb === 'grantPrize') return who !== 'product' || ['商品榜不发奖励', 'Goods get no prizes']
  return who !== 'product' || ['商品榜没有人员可剔除', 'Nobody is on a list of goods']
}
