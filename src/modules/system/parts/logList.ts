import type { Action } from '#commands/command.ts'
import { listSearch } from '#commands/list.ts'
import { useExport, type ExportCall, type ExportedList } from '#src/kit/exporting.ts'
import { useAction, usePane } from '#src/kit/workbench.ts'

type Asked = { page?: number; pageSize?: number; sort?: string }
/**
 * What every log page does with its list: `query` goes to the filters, `export` asks how much
 * of it is meant.
 */
export const useLogList = (
  query: Action,
  exporting: Action,
  call: ExportCall,
  list: ExportedList,
): void => {
  const { stage } = usePane()
  useAction(query, rows => stage.performer(listSearch.id)?.(rows))
  useExport(exporting, call, { list })
}

/**
 * The filters under which a list shows just what a figure counted: what else was filtered by falls
 * away.
 */
export const onlyBy = (
  input: Asked,
  by: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const { page: _, pageSize: __, sort: ___, ...filters } = input
  return { ...Object.fromEntries(Object.keys(filters).map(key => [key, undefined])), ...by }
}
