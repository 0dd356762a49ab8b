import { useEffect, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { timeFull, unixNow } from '#src/domain/time.ts'
import { useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { filtersIn, unroll } from './sheet.ts'
import '../print.css'

type Sheet = { filters: readonly string[]; at: number }
const DARK = 'bp6-dark'
/** Paper is white in any theme. Answers how to go back to the one that was chosen. */
const lighten = (): (() => void) => {
  const { classList } = document.documentElement
  const was = classList.contains(DARK)
  classList.remove(DARK)
  return () => void classList.toggle(DARK, was)
}

/**
 * The head of what is printed of the pane in front: title, filters, who printed it and when. It is
 * there while the browser prints.
 */
export const PrintHead = ({ pane, title }: { pane: RefObject<Element | null>; title: string }) => {
  const say = useSay()
  const { me } = useDesk()
  const [sheet, setSheet] = useState<Sheet | undefined>(undefined)
  useEffect(() => {
    let back: (() => void)[] = []
    const begin = () => {
      if (!pane.current) return
      const filters = filtersIn(pane.current)
      flushSync(() => setSheet({ filters, at: unixNow() }))
      back = [lighten(), unroll(pane.current)]
    }
    const end = () => {
      for (const undo of back) undo()
      back = []
      setSheet(undefined)
    }
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
      end()
    }
  }, [pane])
  if (!sheet) return null
  return (
    <header className="s-print-head">
      <h1>{title}</h1>
      {sheet.filters.length > 0 && <p>{sheet.filters.join('　')}</p>}
      <p>
        {say(['{name} 打印于 {time}', 'Printed by {name} at {time}'], {
          name: me.name,
          time: timeFull(sheet.at),
        })}
      </p>
    </header>
  )
}
