import { Button, Checkbox } from '@blueprintjs/core'
import { AlignJustify, ColumnLayout as ColumnIcon, Pin } from '@blueprintjs/icons'
import { useCallback, useRef, type KeyboardEvent } from 'react'
import { listColumns, listDensity } from '#commands/list.ts'
import type { Look } from '#src/areas/workbench/view.ts'
import { CHECK, type Column } from './column.ts'
import { Popover } from './popover.tsx'
import { Keys } from './show.tsx'
import { stepDown, stepRight } from './steps.ts'
import { useSay } from './text.ts'
import { useAction, useWorkbench } from './workbench.ts'

const WIDTHS = [40, 900] as const
const STEP = 16
const bounded = (width: number) => Math.max(WIDTHS[0], Math.min(WIDTHS[1], Math.round(width)))

const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')
/** What a list kept of its columns, however old: null for none. */
export const isLook = (value: unknown): value is Look | null => {
  if (value === null) return true
  const { order, shown, widths, pinned, dense } = (value ?? {}) as Partial<
    Record<keyof Look, unknown>
  >
  return (
    texts(order) &&
    texts(shown) &&
    texts(pinned) &&
    typeof dense === 'boolean' &&
    typeof widths === 'object' &&
    widths !== null &&
    Object.values(widths).every(one => Number.isFinite(one))
  )
}

/** Pinned where nobody chose: what a row is known by, which its page puts first. */
const pinnedOf = <Row,>(columns: readonly Column<Row>[], look: Look | null): readonly string[] =>
  look?.pinned ?? columns.slice(0, 1).map(column => column.key)
/**
 * A list's columns as a look has them: `all` in their order, `shown` with what is pinned first. A
 * column that the look has never heard of stands where the page puts it among its own.
 */
export const arranged = <Row,>(
  columns: readonly Column<Row>[],
  look: Look | null,
): { all: Column<Row>[]; shown: Column<Row>[] } => {
  const { order, widths }: Pick<Look, 'order' | 'widths'> = look ?? { order: [], widths: {} }
  const all = order.flatMap(key => columns.find(column => column.key === key) ?? [])
  columns.forEach((column, at) => {
    if (!all.includes(column))
      all.splice(at === 0 ? 0 : all.indexOf(columns[at - 1]!) + 1, 0, column)
  })
  const sized = all
    .filter(column =>
      look && order.includes(column.key) ? look.shown.includes(column.key) : !column.optional,
    )
    .map(column => {
      const width = widths[column.key]
      return width === undefined
        ? column
        : { ...column, grow: false, fixed: true, width: bounded(width) }
    })
  let left = CHECK
  const stay = pinnedOf(columns, look)
  // Only the last of them may grow: where the others end is where the next one stays.
  const pinned = sized
    .filter(column => stay.includes(column.key))
    .map((column, at, { length }) => {
      const one = { ...column, left, ...(at < length - 1 && { grow: false }) }
      left += column.width
      return one
    })
  return { all, shown: [...pinned, ...sized.filter(column => !stay.includes(column.key))] }
}
/** The look that stands, also where nobody chose one. */
export const lookOf = <Row,>(columns: readonly Column<Row>[], look: Look | null): Look => {
  const { all, shown } = arranged(columns, look)
  return {
    order: all.map(column => column.key),
    shown: shown.map(column => column.key),
    widths: look?.widths ?? {},
    pinned: [...pinnedOf(columns, look)],
    dense: look?.dense ?? false,
  }
}
export const withWidth = (look: Look, key: string, width: number): Look => ({
  ...look,
  widths: { ...look.widths, [key]: bounded(width) },
})
const toggled = (of: readonly string[], key: string) =>
  of.includes(key) ? of.filter(one => one !== key) : [...of, key]

type Props<Row> = {
  columns: readonly Column<Row>[]
  look: Look | null
  /** Those chosen that have no room as wide as the list is now. */
  folded?: readonly string[]
  change: (look: Look | null) => void
  open: boolean
  setOpen: (open: boolean) => void
}
/**
 * Which columns a list shows, in which order, how wide, and which stay at the left. Space shows, Alt+↑ Alt+↓ move, ← → widen, P pins, R is as it was.
 */
export const ColumnsButton = <Row,>({
  columns,
  look,
  folded = [],
  change,
  open,
  setOpen,
}: Props<Row>) => {
  const say = useSay()
  const { ariaKeysOf } = useWorkbench()
  const box = useRef<HTMLUListElement>(null)
  const begin = useCallback((list: HTMLUListElement | null) => {
    box.current = list
    list?.querySelector<HTMLElement>('li')?.focus()
  }, [])
  const now = lookOf(columns, look)
  const all = now.order.flatMap(key => columns.find(column => column.key === key) ?? [])
  const move = (key: string, by: number) => {
    const order = now.order.filter(one => one !== key)
    order.splice(Math.max(0, Math.min(order.length, now.order.indexOf(key) + by)), 0, key)
    change({ ...now, order })
  }
  const onKeyDown = (event: KeyboardEvent, column: Column<Row>) => {
    const step = stepDown(event)
    const wide = stepRight(event) * STEP
    if (event.ctrlKey || event.metaKey) return
    if (step && event.altKey) move(column.key, step)
    else if (step)
      (
        event.currentTarget[
          step > 0 ? 'nextElementSibling' : 'previousElementSibling'
        ] as HTMLElement | null
      )?.focus()
    else if (wide)
      change(withWidth(now, column.key, (now.widths[column.key] ?? column.width) + wide))
    else if (event.key === ' ') show(column.key)
    else if (event.key.toLowerCase() === 'p')
      change({ ...now, pinned: toggled(now.pinned, column.key) })
    else if (event.key.toLowerCase() === 'r') change(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const show = (key: string) => {
    if (now.shown.length > 1 || !now.shown.includes(key))
      change({ ...now, shown: toggled(now.shown, key) })
  }
  const title = say(['列设置', 'Choose columns'])
  const foldedWords = say(['已收起 {n} 列', '{n} columns have no room'], { n: folded.length })
  return (
    <Popover
      isOpen={open}
      show={setOpen}
      placement="bottom-end"
      content={
        <div className="m-looks" role="group" aria-label={title}>
          <ul ref={begin} role="listbox" aria-multiselectable="true" aria-label={title}>
            {all.map((column, at) => (
              <li
                key={column.key}
                role="option"
                aria-selected={now.shown.includes(column.key)}
                tabIndex={at === 0 ? 0 : -1}
                onKeyDown={event => onKeyDown(event, column)}
              >
                <Checkbox
                  tabIndex={-1}
                  checked={now.shown.includes(column.key)}
                  label={say(column.title)}
                  onChange={() => show(column.key)}
                />
                <span className="m-num m-muted">
                  {folded.includes(column.key)
                    ? say(['已收起', 'No room'])
                    : (now.widths[column.key] ?? '')}
                </span>
                <Button
                  size="small"
                  variant="minimal"
                  tabIndex={-1}
                  icon={<Pin size={12} />}
                  active={now.pinned.includes(column.key)}
                  aria-pressed={now.pinned.includes(column.key)}
                  aria-label={say(['固定在左侧：{name}', 'Pin to the left: {name}'], {
                    name: say(column.title),
                  })}
                  onClick={() => change({ ...now, pinned: toggled(now.pinned, column.key) })}
                />
                <Button
                  size="small"
                  variant="minimal"
                  tabIndex={-1}
                  disabled={at === 0}
                  aria-label={say(['上移', 'Up'])}
                  onClick={() => move(column.key, -1)}
                >
                  ↑
                </Button>
                <Button
                  size="small"
                  variant="minimal"
                  tabIndex={-1}
                  disabled={at === all.length - 1}
                  aria-label={say(['下移', 'Down'])}
                  onClick={() => move(column.key, 1)}
                >
                  ↓
                </Button>
              </li>
            ))}
          </ul>
          <footer>
            <Button size="small" variant="minimal" disabled={!look} onClick={() => change(null)}>
              {say(['恢复默认', 'As it was'])}
              <Keys keys="R" />
            </Button>
          </footer>
          {folded.length > 0 && (
            <p className="m-muted">
              {foldedWords}
              {say([
                '：列表宽度不够，内容见右侧详情；固定的列始终显示',
                ': see the detail beside the list; pinned columns are always shown',
              ])}
            </p>
          )}
          <p className="m-muted">
            <Keys keys={say(['空格', 'Space'])} />
            {say(['显示', 'shows'])} <Keys keys="Alt+↑↓" />
            {say(['移动', 'moves'])} <Keys keys="←→" />
            {say(['宽度', 'width'])} <Keys keys="P" />
            {say(['固定', 'pins'])}
          </p>
        </div>
      }
    >
      <Button
        size="small"
        variant="minimal"
        icon={<ColumnIcon />}
        aria-label={title}
        title={folded.length > 0 ? `${title} · ${foldedWords}` : title}
        aria-keyshortcuts={ariaKeysOf(listColumns.id)}
        data-command={listColumns.id}
      >
        {folded.length > 0 && (
          <span className="m-num m-muted" title={foldedWords}>
            +{folded.length}
          </span>
        )}
      </Button>
    </Popover>
  )
}
/** How high the rows of a list are: as usual, or lower for more of them. */
export const DensityButton = <Row,>({
  columns,
  look,
  change,
}: Pick<Props<Row>, 'columns' | 'look' | 'change'>) => {
  const say = useSay()
  const dense = look?.dense ?? false
  const turn = () => change({ ...lookOf(columns, look), dense: !dense })
  useAction(listDensity, turn)
  return (
    <Button
      size="small"
      variant="minimal"
      icon={<AlignJustify />}
      active={dense}
      aria-pressed={dense}
      aria-label={say(['紧凑行高', 'Lower rows'])}
      title={
        dense ? say(['恢复常规行高', 'Rows of the usual height']) : say(['紧凑行高', 'Lower rows'])
      }
      data-command={listDensity.id}
      onClick={turn}
    />
  )
}
