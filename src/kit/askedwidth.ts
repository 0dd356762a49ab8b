import { useEffect, useState, type RefObject } from 'react'

/** A detail is as wide as what it holds asks, in steps of so many pixels: it seldom changes. */
const STEP = 40
const REST_MS = 120
/** What each page's detail was found to ask, since the workbench was opened. */
const known = new Map<string, number>()

/** How wide what a part holds would be if nothing were short; kit.css leaves running text out. */
const askedBy = (part: HTMLElement): number => {
  part.toggleAttribute('data-asking', true)
  const width = part.getBoundingClientRect().width
  part.removeAttribute('data-asking')
  return Math.ceil(width / STEP) * STEP
}
/**
 * The width that a page's detail asks, between two bounds. It only grows, and only once what the
 * detail holds has come to rest: a list beside it is not moved by every row.
 */
export const useAskedWidth = (
  part: RefObject<HTMLElement | null>,
  page: string,
  [least, most]: readonly [number, number],
  on: boolean,
): number => {
  const [asked, setAsked] = useState(() => known.get(page) ?? least)
  const isOpen = on && asked < most
  useEffect(() => {
    const node = part.current
    if (!isOpen || !node) return undefined
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      if (node.clientWidth === 0) return
      const next = Math.min(most, askedBy(node))
      if (next <= (known.get(page) ?? least)) return
      known.set(page, next)
      setAsked(next)
    }
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(look, REST_MS)
    }
    later()
    const seen = new MutationObserver(later)
    seen.observe(node, { childList: true, subtree: true })
    return () => {
      clearTimeout(timer)
      seen.disconnect()
    }
  }, [part, page, least, most, isOpen])
  return asked
}
