import { useMemo, useState, type ReactNode } from 'react'
import type { ListState } from '#src/kit/uselist.ts'

/** The filters of a list, which stay where they are put: for what filters a list beside none. */
export const Filtered = ({
  first = {},
  children,
}: {
  first?: Record<string, unknown>
  children: (of: ListState<unknown>) => ReactNode
}) => {
  const [input, setInput] = useState(first)
  const of = useMemo(
    () => ({
      input,
      filter: (patch: object) =>
        setInput(now =>
          Object.fromEntries(
            Object.entries({ ...now, ...patch }).filter(([, value]) => value !== undefined),
          ),
        ),
    }),
    [input],
  )
  return children(of as unknown as ListState<unknown>)
}
/** Something that is chosen and kept: `children` draws it and changes it. */
export const Kept = <T,>({
  first,
  children,
}: {
  first: T
  children: (value: T, change: (next: T) => void) => ReactNode
}) => {
  const [value, change] = useState(first)
  return children(value, change)
}
