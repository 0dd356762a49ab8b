import { useCallback, useState } from 'react'

type Rows<Row> = readonly Row[]
/** The rows a list shows of those it was answered last, and how many wait to be shown. */
type Base<Row> = {
  asked: unknown
  fresh: Rows<Row> | undefined
  shown: Rows<Row> | undefined
  waiting: number
  /** The person asked for what is new: the next answer is shown as it is. */
  open: boolean
}
/**
 * What is shown of a new answer while somebody's hand is in the list: the rows that were there, in
 * their places, as they are now. Rows that are new wait; rows that are gone go, but for the last
 * ones, which the new ones have pushed to the next page.
 */
export const heldBack = <Row extends { id: number }>(
  shown: Rows<Row>,
  fresh: Rows<Row>,
): { rows: Rows<Row>; waiting: number } => {
  const now = new Map(fresh.map(row => [row.id, row]))
  const before = new Set(shown.map(row => row.id))
  const waiting = fresh.filter(row => !before.has(row.id)).length
  const last = shown.findLastIndex(row => now.has(row.id))
  const isPushed = (at: number) => last >= 0 && at > last && at - last <= waiting
  const rows = shown.flatMap((row, at) => now.get(row.id) ?? (isPushed(at) ? row : []))
  // Nothing is left under the hand.
  return rows.length === 0 ? { rows: fresh, waiting: 0 } : { rows, waiting }
}

/**
 * Keeps a list still while a hand is in it: `hand` tells so, `take` shows what waits. What answers
 * another question (`asked`) than before is shown as it is, and so is what `isOwn` says that the
 * person made.
 */
export const useHeld = <Row extends { id: number }>(
  asked: unknown,
  fresh: Rows<Row> | undefined,
  isOwn: (fresh: Rows<Row>) => boolean,
) => {
  const [isIn, hand] = useState(false)
  const [base, setBase] = useState<Base<Row>>({
    asked,
    fresh,
    shown: fresh,
    waiting: 0,
    open: false,
  })
  const next = (): Base<Row> => {
    const whole = { asked, fresh, shown: fresh, waiting: 0, open: false }
    if (!fresh || !base.shown || asked !== base.asked || !isIn || base.open || isOwn(fresh))
      return whole
    const { rows, waiting } = heldBack(base.shown, fresh)
    return { ...whole, shown: rows, waiting }
  }
  const isOld = fresh !== base.fresh || asked !== base.asked || (!isIn && base.waiting > 0)
  const now = isOld ? next() : base
  if (isOld) setBase(now)
  const take = useCallback(
    () => setBase(one => ({ ...one, shown: one.fresh, waiting: 0, open: true })),
    [],
  )
  return { shown: now.shown, waiting: now.waiting, hand, take }
}
