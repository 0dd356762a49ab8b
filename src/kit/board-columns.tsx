import { createContext, useContext, useMemo, type KeyboardEvent, type ReactNode } from 'react'
import { usePaneState } from './memory.ts'
import { stepRight } from './steps.ts'
import './board.css'

/**
 * Columns of a board page, side by side: ← and → go from one to the next, and the column in use is
 * the one whose rows the page's actions take.
 */
const ColumnsContext = createContext<{ active: string; activate: (name: string) => void } | null>(
  null,
)
const NameContext = createContext<string>('')

/**
 * `widths` is a `grid-template-columns`. Its children are `Column`s; the first is in use when the
 * page opens.
 */
export const Columns = ({
  widths,
  first,
  children,
}: {
  widths: string
  first: string
  children: ReactNode
}) => {
  const [active, activate] = usePaneState('column', first)
  const value = useMemo(() => ({ active, activate }), [active, activate])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = stepRight(event)
    const rows = event.target as HTMLElement
    if (!by || event.altKey || event.ctrlKey || event.metaKey || !rows.matches('.m-board-rows'))
      return
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.m-board-rows')]
    const to = all[all.indexOf(rows) + by]
    if (!to) return
    event.preventDefault()
    event.stopPropagation()
    to.focus()
  }
  return (
    <ColumnsContext.Provider value={value}>
      <div className="m-columns" style={{ gridTemplateColumns: widths }} onKeyDown={onKeyDown}>
        {children}
      </div>
    </ColumnsContext.Provider>
  )
}
/**
 * A column draws its title, what stands beside it, its own controls and its rows (`Board` or
 * `Shelf`).
 */
export const Column = ({
  name,
  title,
  aside,
  bar,
  children,
}: {
  name: string
  title: string
  aside?: ReactNode
  bar?: ReactNode
  children: ReactNode
}) => {
  const columns = useContext(ColumnsContext)
  return (
    <section
      className="m-column"
      data-column={name}
      data-active={columns?.active === name || undefined}
      aria-label={title}
      onFocusCapture={() => columns?.activate(name)}
    >
      <header>
        <h3>{title}</h3>
        <span className="m-fill" />
        {aside}
      </header>
      {bar && <div className="m-filters">{bar}</div>}
      <NameContext.Provider value={name}>{children}</NameContext.Provider>
    </section>
  )
}
/** Whether the column that this stands in is the one in use; what stands in no column always is. */
export const useActiveColumn = (): boolean => {
  const columns = useContext(ColumnsContext)
  const name = useContext(NameContext)
  return columns === null || columns.active === name
}
