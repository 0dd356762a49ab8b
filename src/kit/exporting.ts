import { useDispatch } from 'react-redux'
import { z } from 'zod'
import type { Action } from '#commands/command.ts'
import type { Write } from '#src/contract/call.ts'
import { dispatchWrite } from './data.ts'
import { useSay } from './text.ts'
import { filtersOf, type ListState } from './uselist.ts'
import { useAction, useWorkbench } from './workbench.ts'

/** How much is exported: the rows selected, what the filters show, all there is. */
export type ExportScope = {
  key: 'selected' | 'filtered' | 'all'
  /** What the call is asked. */
  input: object
  /** A list that always stands on one of its tabs has no more than that tab holds. */
  ofTab?: boolean
}
/** An export that a person is asked about before it begins. */
export type ExportAsk = {
  action: Action
  /** The path of the call that begins it. */
  path: string
  /** What there is to choose from; the first is meant unless the person says otherwise. */
  scopes: readonly ExportScope[]
  /** Begins it; true when it was begun. */
  begin: (input: object) => Promise<boolean>
}

/** A record of what was done is only ever read within a period. */
const period = ['from', 'to', 'start_at', 'end_at']
const optionsOf = (field: z.ZodType): readonly unknown[] => {
  const inner = 'unwrap' in field ? (field as z.ZodOptional<z.ZodType>).unwrap() : field
  return inner instanceof z.ZodEnum ? inner.options : []
}
/**
 * The filters of a list that leave nothing out, and whether they still keep to the tab it stands on.
 */
export const widest = (
  list: Pick<ListState<unknown, any>, 'call' | 'input' | 'inputOf'>,
): { input: Record<string, unknown>; ofTab: boolean } => {
  const now = filtersOf(list) as Record<string, unknown>
  const least = filtersOf({ input: list.inputOf('') }) as Record<string, unknown>
  const shape = (list.call.input as z.ZodObject).shape as Readonly<Record<string, z.ZodType>>
  let ofTab = false
  const wide = ([key, value]: [string, unknown]): [string, unknown] => {
    const options = optionsOf(shape[key]!)
    if (options.includes('all')) return [key, 'all']
    // A field with a default that is one of few is the tab: what stands there stays.
    ofTab ||= options.length > 0
    return [key, options.length > 0 ? (now[key] ?? value) : value]
  }
  return { input: Object.fromEntries(Object.entries(least).map(wide)), ofTab }
}
/** A call that begins an export. */
export type ExportCall = Write<any, any, { job_id: number; rows_expected: number }>
/** The list that is exported, whatever its rows are. */
export type ExportedList = ListState<any, any>
type Exported = {
  /** The list whose rows are exported: what is selected there, filtered, or in it at all. */
  list?: ExportedList | undefined
  /** What it is asked where there is no list; of an action that takes a row, by that row. */
  filters?: (rows: readonly any[]) => object
}
const scopesOf = (
  { list, filters }: Exported,
  action: Action,
  rows: readonly { id: number }[],
): readonly ExportScope[] => {
  if (!list)
    return [
      filters || action.takes === 'none'
        ? { key: 'all', input: filters?.(rows) ?? {} }
        : { key: 'selected', input: { ids: rows.map(row => row.id) } },
    ]
  const now = filtersOf(list)
  const { input, ofTab } = widest(list)
  const within = Object.fromEntries(Object.entries(now).filter(([key]) => period.includes(key)))
  const ids = [...list.selected.keys()]
  return [
    ...(ids.length > 0 ? [{ key: 'selected' as const, input: { ...input, ...within, ids } }] : []),
    { key: 'filtered', input: now },
    { key: 'all', input, ofTab },
  ]
}

/**
 * A page's export action: asks how much, which columns and which format, begins the job and tells
 * where the file will be. Of a list it offers what is selected, filtered and all.
 */
export const useExport = (
  action: Action | undefined,
  call: ExportCall | undefined,
  of: Exported = {},
) => {
  const say = useSay()
  const { toast, askExport } = useWorkbench()
  const dispatch = useDispatch()
  const begin = (by: ExportCall, input: object) =>
    dispatchWrite(dispatch as never, by, input).then(
      job => {
        toast(
          say(
            [
              '已开始导出 {n} 行，完成后在右上角“我的任务与导出”下载',
              'Exporting {n} rows; the file will be in My jobs and exports, top right',
            ],
            { n: job.rows_expected },
          ),
          'success',
        )
        return true
      },
      () => false,
    )
  useAction(action ?? 'none', (rows: readonly { id: number }[]) => {
    if (action && call)
      askExport({
        action,
        path: call.path,
        scopes: scopesOf(of, action, rows),
        begin: input => begin(call, input),
      })
  })
}
