import { Button } from '@blueprintjs/core'
import { DrawerRight, Refresh } from '@blueprintjs/icons'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import {
  listClear,
  listColumns,
  listDetail,
  listExtendDown,
  listExtendUp,
  listNext,
  listNextPage,
  listNextTab,
  listOpen,
  listPrevious,
  listPreviousPage,
  listPreviousTab,
  listRefresh,
  listSearch,
  listSelect,
  listSelectAll,
} from '#commands/list.ts'
import { countText } from '#src/domain/count.ts'
import type { Text } from '#src/domain/text.ts'
import { ACTS } from './column.ts'
import { arranged, ColumnsButton, DensityButton, lookOf, withWidth } from './columns.tsx'
import { useDetail, useFoldedIn, type Detail } from './detail.ts'
import { FilterBar, FilterButton, useFilters } from './filters.tsx'
import { FirstFocus } from './focus.ts'
import { ListFoot } from './foot.tsx'
import { Grid, type Column } from './grid.tsx'
import { Hand, NewRows } from './newrows.tsx'
import { actsColumn, RowActingProvider, RowOffer, useRowActing } from './rowacts.tsx'
import { RowMenu, useRowMenu } from './rowmenu.tsx'
import { Empty, Failed, Loading } from './states.tsx'
import { Tabs, turned } from './tabs.tsx'
import { useSay } from './text.ts'
import { Tiles } from './tiles.tsx'
import { ActionMenu, Toolbar } from './toolbar.tsx'
import { activeFilters, type Filtered, type ListState } from './uselist.ts'
import { Views, useView } from './views.tsx'
import { useAction, useSubject, useWorkbench } from './workbench.ts'

type Tab = { key: string; title: Text; count?: number }
type Tabbed = { by: string; all: readonly Tab[] }
type Props<Row> = {
  of: ListState<Row>
  label: string
  columns: readonly Column<Row>[]
  actions: readonly Action[]
  /** Puts the focus on the row, whose detail stands beside the list, unless said otherwise. */
  onOpen?: (row: Row) => void
  tabs?: Tabbed
  filters?: ReactNode
  empty?: ReactNode
  aside?: ReactNode
  /** Draws the rows as tiles instead. */
  tile?: ((row: Row) => ReactNode) | undefined
}

type Narrowed = 'filter' | 'tab' | undefined
/** By what a list may hide rows: filters, with a period it begins with, or a tab behind the first. */
const narrowedBy = (of: Pick<Filtered, 'input' | 'inputOf'>, tabs?: Tabbed): Narrowed => {
  const input = of.input as Record<string, unknown>
  const isSpan = Object.keys(input).some(key => /(^|_)from$/.test(key))
  if (isSpan || activeFilters(of, tabs?.by) > 0) return 'filter'
  const tab = tabs && input[tabs.by]
  return tab === undefined || tab === tabs?.all[0]?.key ? undefined : 'tab'
}
const nothing: Readonly<Record<'filter' | 'tab' | 'whole', Text>> = {
  filter: ['没有符合条件的记录', 'Nothing matches'],
  tab: ['这个状态下没有记录', 'Nothing is in this state'],
  whole: ['还没有记录', 'Nothing here yet'],
}
/** Rows once they have come; until then, and where there are none, what is to be said. */
const Rows = ({
  of,
  isBare,
  narrowed,
  empty,
  children,
}: {
  of: Pick<ListState<unknown>, 'loaded' | 'error' | 'retry'>
  isBare: boolean
  /** What rows may be hidden by. */
  narrowed: Narrowed
  empty: ReactNode
  children: ReactNode
}) => {
  const say = useSay()
  if (!of.loaded)
    return of.error ? <Failed error={of.error} retry={of.retry} /> : <Loading lines={12} />
  if (!isBare) return children
  return (
    empty ?? (
      <Empty title={say(nothing[narrowed ?? 'whole'])}>
        {narrowed === 'filter' && <p>{say(['试试放宽筛选条件。', 'Try wider filters.'])}</p>}
      </Empty>
    )
  )
}
/**
 * A list page: tabs with counts, filters, actions, rows, selection across pages, columns by choice,
 * and a foot that says how many.
 */
export const List = <Row extends { id: number }>({
  of,
  label,
  columns: own,
  actions,
  onOpen: opens = row => of.focus(row.id),
  tabs,
  filters,
  empty,
  aside,
  tile,
}: Props<Row>) => {
  const say = useSay()
  const grid = useRef<HTMLDivElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const [choosing, setChoosing] = useState(false)
  const [folded, setFolded] = useState<readonly string[]>([])
  const view = useView()
  const { look, setLook } = view
  const { me } = useWorkbench()
  const rowActions = actions.filter(action => action.takes !== 'none' && me.can(action.permit))
  const hasActs = rowActions.length > 0
  const columns = useMemo(() => (hasActs ? [...own, actsColumn] : own), [own, hasActs])
  const visible = useMemo(() => arranged(columns, look).shown, [columns, look])
  const selectedIds = useMemo(() => new Set(of.selected.keys()), [of.selected])
  const rows = useMemo(() => {
    if (of.selected.size > 0) return [...of.selected.values()]
    return of.focusedRow ? [of.focusedRow] : []
  }, [of.selected, of.focusedRow])
  // Rows of the tab or page before are no longer what a key means: those asked for are not there
  // yet, as none are at first.
  const isComing = of.stale || (!of.loaded && !of.error)
  const pending = isComing && of.selected.size === 0
  const detail = useDetail()
  useFoldedIn(detail, columns, folded, of.focusedRow)
  const isAway = detail?.over === true && !detail.visible
  // In a narrow pane what is opened first is the detail; once it is there, what the page opens.
  const onOpen = (row: Row) => {
    if (!isAway) {
      opens(row)
      return
    }
    of.focus(row.id)
    detail.show()
  }
  const isBare = of.loaded && of.rows.length === 0 && !of.stale
  const hideDetail = detail?.over === true && detail.visible && isBare ? detail.hide : undefined
  useEffect(() => hideDetail?.(), [hideDetail])
  useSubject(
    useMemo(
      () => ({ rows: pending ? [] : rows, total: of.total, pending }),
      [rows, of.total, pending],
    ),
  )

  // A list that names no tab shows the first of them.
  const tab = tabs ? String((of.input as Record<string, unknown>)[tabs.by] ?? tabs.all[0]?.key) : ''
  const narrowed = narrowedBy(of, tabs)
  const turnTo = (key: string) => tabs && of.filter({ [tabs.by]: key })
  const moveTab = (by: number) => tabs && turnTo(turned(tabs.all, tab, by))
  useAction(listNext, () => of.step(1))
  useAction(listPrevious, () => of.step(-1))
  useAction(listExtendDown, () => of.step(1, true))
  useAction(listExtendUp, () => of.step(-1, true))
  useAction(listSelect, () => {
    if (of.focused !== undefined) of.select([of.focused], !of.selected.has(of.focused))
  })
  useAction(listOpen, () => {
    if (of.focusedRow) onOpen(of.focusedRow)
  })
  useAction(listRefresh, of.retry)
  useAction(listClear, of.clear)
  useAction(listSelectAll, () => void of.selectAll().catch(() => {}))
  useAction(listNextTab, () => moveTab(1))
  useAction(listPreviousTab, () => moveTab(-1))
  useAction(listColumns, () => setChoosing(true))
  useAction(listNextPage, () => {
    if ((of.input.page ?? 1) < of.pages) of.goPage((of.input.page ?? 1) + 1)
  })
  useAction(listPreviousPage, () => {
    if ((of.input.page ?? 1) > 1) of.goPage((of.input.page ?? 1) - 1)
  })
  useAction('list.settled', done =>
    of.select(
      done.map(row => row.id),
      false,
    ),
  )
  useAction('list.reveal', ([row]) => {
    if (row) of.reveal(row.id)
  })
  const folding = useFilters()
  const menu = useRowMenu()
  const acting = useRowActing(rowActions, menu.below)
  const isInColumn = visible.some(column => column.key === ACTS)
  // The menu of a row that is not selected is about that row alone.
  const isBeside = of.focusedRow !== undefined && !of.selected.has(of.focusedRow.id)
  const menuRows = isBeside ? [of.focusedRow] : rows
  useAction(listSearch, folding.enter)

  const page = of.input.page ?? 1
  const pageSize = of.input.pageSize ?? 50
  const first = (page - 1) * pageSize
  return (
    <div className="m-list" ref={root}>
      {tabs && (
        <Tabs
          label={say(['状态', 'State'])}
          at={tab}
          go={turnTo}
          all={tabs.all.map(({ key, title, count }) => ({
            key,
            title: (
              <>
                {say(title)}
                <span className="m-num">{count === undefined ? ' ' : countText(count)}</span>
              </>
            ),
          }))}
        />
      )}
      {filters && <FilterBar of={folding}>{filters}</FilterBar>}
      <Toolbar actions={actions} rows={rows} beside={of.selected.size === 0}>
        {aside}
        {filters && <FilterButton of={folding} list={of} tab={tabs?.by} />}
        <Views of={of} at={view} />
        <ColumnsButton
          {...{ columns, look, folded }}
          change={setLook}
          open={choosing}
          setOpen={setChoosing}
        />
        <DensityButton {...{ columns, look }} change={setLook} />
        <Button
          size="small"
          variant="minimal"
          icon={<Refresh />}
          aria-label={say(['刷新', 'Refresh'])}
          title={say(['刷新', 'Refresh'])}
          data-command={listRefresh.id}
          onClick={of.retry}
        />
        {detail && <DetailButton of={detail} />}
      </Toolbar>
      {of.error && of.loaded && (
        <div className="m-toolbar m-old-rows" role="status">
          <span>
            {say(
              ['刷新失败：{why}。下面是之前的内容', 'Not refreshed: {why}. These rows are older'],
              {
                why: of.error.message,
              },
            )}
          </span>
          <Button
            size="small"
            variant="minimal"
            icon={<Refresh />}
            onClick={of.retry}
            text={say(['重试', 'Retry'])}
          />
        </div>
      )}
      <Hand className="m-rows" tell={of.hand} onMenu={menu.open}>
        {of.waiting > 0 && <NewRows n={of.waiting} take={of.retry} />}
        <Rows of={of} isBare={isBare} narrowed={narrowed} empty={empty}>
          <RowActingProvider value={acting}>
            {tile ? (
              <Tiles
                label={label}
                rows={of.rows}
                focused={of.focused}
                onFocus={of.focus}
                selected={selectedIds}
                onSelect={of.select}
                onOpen={onOpen}
                tile={tile}
              />
            ) : (
              <Grid
                ref={grid}
                key={look?.dense ? 'dense' : 'usual'}
                dense={look?.dense ?? false}
                onFold={setFolded}
                onWidth={(key, width) => setLook(withWidth(lookOf(columns, look), key, width))}
                label={label}
                rows={of.rows}
                idOf={row => row.id}
                columns={visible}
                before={first}
                total={of.total}
                focused={of.focused}
                onFocus={of.focus}
                selected={selectedIds}
                onSelect={of.select}
                onOpen={onOpen}
                sort={of.input.sort}
                onSort={sort => of.filter({ sort })}
                stale={of.stale}
                scrollTop={of.scroll.top}
                onScroll={of.scroll.keep}
                over={hasActs && !isInColumn && <RowOffer rows={of.rows} onPick={of.focus} />}
              />
            )}
          </RowActingProvider>
        </Rows>
        <RowMenu at={menu.at} show={menu.show}>
          <ActionMenu actions={rowActions} rows={menuRows} />
        </RowMenu>
      </Hand>
      <FirstFocus ready={of.loaded} isBare={isBare} part={root} rows={grid} />
      <ListFoot of={of} />
    </div>
  )
}
/** Shows the detail of a list, or puts it away. */
const DetailButton = ({ of }: { of: Detail }) => {
  const say = useSay()
  const { keysOf, ariaKeysOf } = useWorkbench()
  const keys = keysOf(listDetail.id)
  const title = of.visible
    ? say(['收起详情', 'Put the detail away'])
    : say(['显示详情', 'Show the detail'])
  return (
    <Button
      size="small"
      variant="minimal"
      icon={<DrawerRight />}
      active={of.visible && !of.over}
      aria-pressed={of.visible}
      aria-label={say(['详情', 'Detail'])}
      aria-keyshortcuts={ariaKeysOf(listDetail.id)}
      title={keys ? `${title} (${keys})` : title}
      data-command={listDetail.id}
      onClick={of.toggle}
    />
  )
}
