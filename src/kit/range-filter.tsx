import { InputGroup } from '@blueprintjs/core'
import { useEffect, useId, useState } from 'react'
import type { Text } from '#src/domain/text.ts'
import { backToRows } from './filters.tsx'
import { useSay } from './text.ts'

/** A filter by a number, or from one to another; Enter asks, Esc goes back to the rows. */
export const RangeFilter = <R,>({
  asked,
  rangeOf,
  send,
  label,
  fault,
}: {
  /** The range that is asked for now, as one writes it. */
  asked: string
  /** What was typed as a range; undefined where it is none. */
  rangeOf: (typed: string) => R | undefined
  send: (range: R) => void
  label: Text
  /** How a range is written. */
  fault: Text
}) => {
  const say = useSay()
  const id = useId()
  const [typed, setTyped] = useState(asked)
  useEffect(() => setTyped(asked), [asked])
  const range = rangeOf(typed)
  const ask = () => {
    if (range !== undefined) send(range)
  }
  return (
    <>
      <InputGroup
        size="small"
        className="m-keyword"
        placeholder={say(label)}
        aria-label={say(label)}
        aria-invalid={range === undefined}
        aria-describedby={range === undefined ? id : undefined}
        intent={range === undefined ? 'danger' : 'none'}
        value={typed}
        maxLength={40}
        onValueChange={setTyped}
        onBlur={ask}
        onKeyDown={event => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') ask()
          backToRows(event.currentTarget)
        }}
      />
      {range === undefined && (
        <span id={id} className="m-bad">
          {say(fault)}
        </span>
      )}
    </>
  )
}
