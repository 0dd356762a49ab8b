import { createContext, useContext, useEffect, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { listDetail } from '#commands/list.ts'
import type { Text } from '#src/domain/text.ts'
import { ACTS, type Column } from './column.ts'
import type { Performer, Stage } from './stage.ts'
import { useAction, usePane } from './workbench.ts'

/** What a list knows of the detail that stands beside it or, in a narrow pane, over it. */
export type Detail = {
  over: boolean
  visible: boolean
  show: () => void
  hide: () => void
  toggle: () => void
  /** Hears of a row those columns that the list has no room for. */
  tell: (folded: Folded | undefined) => void
}
/** Columns that the list has no room for, with their cells of the row in focus. */
export type Folded = readonly { key: string; title: Text; cell: ReactNode }[]
export const DetailContext = createContext<Detail | undefined>(undefined)
export const FoldedContext = createContext<Folded | undefined>(undefined)
export const useDetail = () => useContext(DetailContext)

/** The name under which a page says that something in its detail is to be seen. */
export const SHOWN = `${listDetail.id}:show`
/** Shows the detail of a page's list, where it is put away or waits behind the list. */
export const showDetail = (stage: Stage): void => void stage.performer(SHOWN)?.([])

/** Tells the detail what the list shows of the row in focus only where there is more room. */
export const useFoldedIn = <Row>(
  detail: Detail | undefined,
  columns: readonly Column<Row>[],
  keys: readonly string[],
  row: Row | undefined,
) => {
  const tell = detail?.tell
  useEffect(() => {
    if (!tell) return
    const folded = columns.filter(column => keys.includes(column.key) && column.key !== ACTS)
    tell(
      row === undefined || folded.length === 0
        ? undefined
        : folded.map(({ key, title, cell }) => ({ key, title, cell: cell(row) })),
    )
  }, [tell, columns, keys, row])
}
/** Performs an action whose outcome stands in the detail of the page's list, and shows that. */
export const useDetailAction = (action: Action, by: Performer) => {
  const { stage } = usePane()
  useAction(action, rows => {
    showDetail(stage)
    return by(rows)
  })
}
