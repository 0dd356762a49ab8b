import { useCallback, useState, type MouseEvent, type ReactNode } from 'react'
import { Popover } from './popover.tsx'

type At = { left: number; top: number }
/** Where a press of the menu key opens: below the row in focus, which alone is known by then. */
const ofFocus = (grid: Element): DOMRect | undefined =>
  grid.querySelector('.m-grid-row[data-focused]')?.getBoundingClientRect()
/**
 * The menu of a list's rows: where the right button or the menu key asks for it. The row that was
 * pointed at has the focus first, so that the menu is about it.
 */
export const useRowMenu = () => {
  const [at, setAt] = useState<At | undefined>(undefined)
  const open = useCallback((event: MouseEvent<HTMLElement>) => {
    const grid = (event.target as Element).closest('.m-grid')
    const list = event.currentTarget.getBoundingClientRect()
    const row = (event.target as Element).closest('.m-grid-row')
    const rect = row ? undefined : grid && ofFocus(grid)
    if (!row && !rect) return
    event.preventDefault()
    setAt(
      rect
        ? { left: rect.left - list.left + 36, top: rect.bottom - list.top }
        : { left: event.clientX - list.left, top: event.clientY - list.top },
    )
  }, [])
  /** Opens below a button that stands in a row. */
  const below = useCallback((button: Element) => {
    const list = button.closest('.m-rows')!.getBoundingClientRect()
    const rect = button.getBoundingClientRect()
    setAt({ left: rect.left - list.left, top: rect.bottom - list.top })
  }, [])
  const show = useCallback((next: boolean) => {
    if (!next) setAt(undefined)
  }, [])
  return { at, open, below, show }
}
/** Draws a menu where it was asked for. */
export const RowMenu = ({
  at,
  show,
  children,
}: {
  at: At | undefined
  show: (next: boolean) => void
  children: ReactNode
}) =>
  at && (
    <div className="m-row-menu" style={at}>
      <Popover isOpen show={show} placement="bottom-start" content={children}>
        <span />
      </Popover>
    </div>
  )
