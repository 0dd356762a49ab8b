import type { Text } from '#src/domain/text.ts'
import type { Told } from './command.ts'

/**
 * What a page gives to be kept as a segment: its filters, and how many they find as a number in
 * words, undefined while that is not known.
 */
export type KeptFilters = { filters: object; counted: string | undefined }
export const keptOf = (rows: readonly unknown[]): KeptFilters | undefined =>
  rows[0] as KeptFilters | undefined
/**
 * What a dialog says of the filters before they are kept: how many they find, and never the number
 * of other filters or of none. The pair is what those are called, `['会员', 'members']`.
 */
export const tellsKept =
  ([zh, en]: Text) =>
  (rows: readonly unknown[]): Told | undefined => {
    const of = keptOf(rows)
    if (!of) return undefined
    return of.counted === undefined
      ? [[`当前筛选的${zh}，人数在保存时统计`, `The ${en} by these filters, counted when kept`], {}]
      : [[`当前筛选 {n} 位${zh}`, `{n} ${en} by these filters`], { n: of.counted }]
  }
