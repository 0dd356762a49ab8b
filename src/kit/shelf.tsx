import { Button } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { useEffect, type ReactNode } from 'react'
import { listNextPage, listPreviousPage } from '#commands/list.ts'
import { Rows, usePicked, type Identified, type RowLooks } from './board-rows.tsx'
import type { CallError } from './data.ts'
import { usePaneState } from './memory.ts'
import { Empty, Unanswered } from './states.tsx'
import { useSay } from './text.ts'

type Source<Row> = {
  rows: readonly Row[] | undefined
  error?: CallError | undefined
  stale?: boolean
  refetch: () => void
}
export type Paging = {
  page: number
  pageSize: number
  total: number | undefined
  turn: (page: number) => void
}
/**
 * The pages of a shelf that the server has more of than is shown at once. Another `key` (a mall, a
 * word searched for) begins at the first.
 */
export const usePaging = (
  key: string,
  pageSize: number,
): { page: number; pageSize: number; turn: (page: number) => void } => {
  const [at, setAt] = usePaneState('page', { key, page: 1 })
  return { page: at.key === key ? at.page : 1, pageSize, turn: page => setAt({ key, page }) }
}
/** How many pages there are; unknown until it is told how many rows. */
const pagesOf = (paging: Paging | undefined): number | undefined =>
  paging?.total === undefined ? undefined : Math.max(1, Math.ceil(paging.total / paging.pageSize))

/** Which rows of how many are shown, and the ways to the pages beside. */
const Foot = ({
  of: { page, pageSize, total },
  pages,
  shown,
  turn,
}: {
  of: Paging
  pages: number
  shown: number
  turn: (by: 1 | -1) => void
}) => {
  const say = useSay()
  const before = (page - 1) * pageSize
  return (
    <div className="m-foot">
      <span className="m-num">
        {say(['第 {from}–{to} 个，共 {n} 个', '{from}–{to} of {n}'], {
          from: before + 1,
          to: before + shown,
          n: total!,
        })}
      </span>
      <span className="m-fill" />
      <Button
        size="small"
        variant="minimal"
        icon={<ChevronLeft />}
        disabled={page <= 1}
        aria-label={say(['上一页', 'Previous page'])}
        data-command={listPreviousPage.id}
        onClick={() => turn(-1)}
      />
      <span className="m-num">
        {page} / {pages}
      </span>
      <Button
        size="small"
        variant="minimal"
        icon={<ChevronRight />}
        disabled={page >= pages}
        aria-label={say(['下一页', 'Next page'])}
        data-command={listNextPage.id}
        onClick={() => turn(1)}
      />
    </div>
  )
}
/** Rows to choose from: the column beside a board. With `paging` a page of them at a time. */
export const Shelf = <Row extends Identified>({
  name,
  of,
  onFocused,
  empty,
  paging,
  ...looks
}: RowLooks<Row> & {
  name: string
  of: Source<Row>
  onFocused?: (id: number) => void
  empty?: ReactNode
  paging?: Paging
}) => {
  const say = useSay()
  const pages = pagesOf(paging)
  const turn = (by: 1 | -1) => {
    const to = (paging?.page ?? 1) + by
    if (pages !== undefined && to >= 1 && to <= pages) paging?.turn(to)
  }
  // The last row of the last page was taken: the page before it is the last one now.
  const isBehind = pages !== undefined && paging !== undefined && paging.page > pages
  useEffect(() => {
    if (isBehind) paging.turn(pages)
  }, [isBehind, pages, paging])
  const picked = usePicked(name)
  const { focused } = picked
  const here = focused !== undefined && (of.rows?.some(one => one.id === focused) ?? false)
  useEffect(() => {
    if (here) onFocused?.(focused)
  }, [here, focused, onFocused])
  if (of.rows === undefined) return <Unanswered of={of} lines={8} />
  const paged = paging && {
    page: paging.page,
    before: (paging.page - 1) * paging.pageSize,
    total: paging.total ?? of.rows.length,
    turn,
  }
  return (
    <div className="m-board" data-stale={of.stale || undefined}>
      {of.rows.length === 0 &&
        !isBehind &&
        (empty ?? <Empty title={say(['没有可选的内容', 'Nothing to choose from'])} />)}
      <Rows rows={of.rows} looks={looks} picked={picked} refresh={of.refetch} paged={paged} />
      {paging && pages !== undefined && pages > 1 && (
        <Foot of={paging} pages={pages} shown={of.rows.length} turn={turn} />
      )}
    </div>
  )
}
