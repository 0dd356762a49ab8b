import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

/**
 * Draws what it holds while its page is in sight, and keeps only its height while the page is kept
 * behind another, so that it is found scrolled as it was left: twelve panes cost what those in
 * sight cost. For what is drawn from data alone, as state of its own would be forgotten; around
 * what changes from row to row, not within it, as its height is read when it goes.
 */
export const Seen = ({ children }: { children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number>()
  useLayoutEffect(() => {
    const of = box.current!
    // Drawn again with the first picture.
    setHeight(undefined)
    return () => setHeight(of.offsetHeight)
  }, [])
  return (
    <div ref={box} style={height === undefined ? undefined : { height }}>
      {height === undefined && children}
    </div>
  )
}
