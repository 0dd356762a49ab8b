import type { Read } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { useRead } from './data.ts'
import type { ListState } from './uselist.ts'

type Counted = { stat: Readonly<Record<string, number>> }
/**
 * The tabs of a list by the state of its rows, all of them first, each with how many rows it has
 * beside the other filters. `told` is what the list answered to that, for what else it counts.
 */
export const useStateTabs = <K extends string, A extends Counted>(
  of: Pick<ListState<unknown>, 'input'>,
  lst: Read<any, any, A>,
  words: Readonly<Record<K, Text>>,
) => {
  const { status: _, sort: __, ...filters } = of.input as Readonly<Record<string, unknown>>
  const told: A | undefined = useRead(lst, { ...filters, page: 1, pageSize: 1 }).data
  const all = told && Object.values(told.stat).reduce((sum, n) => sum + n, 0)
  const tabs = {
    by: 'status',
    all: [
      { key: '', title: ['全部', 'All'] as Text, ...(all !== undefined && { count: all }) },
      ...(Object.keys(words) as K[]).map(key => ({
        key,
        title: words[key],
        ...(told && { count: told.stat[key] ?? 0 }),
      })),
    ],
  }
  return { tabs, told }
}
/**
 * The tabs of a list by one of its filters, all rows first, each with how many rows it has whatever
 * else is filtered: `stat` of `lst` counts them by the filter's keys.
 */
export const useCountedTabs = <K extends string>(
  by: string,
  lst: Read<any, any, Counted>,
  words: Readonly<Record<K, Text>>,
) => {
  const counted: Counted['stat'] | undefined = useRead(lst, { page: 1, pageSize: 1 }).data?.stat
  return {
    by,
    all: [
      { key: '', title: ['全部', 'All'] as Text },
      ...(Object.keys(words) as K[]).map(key => ({
        key,
        title: words[key],
        ...(counted && { count: counted[key] ?? 0 }),
      })),
    ],
  }
}
