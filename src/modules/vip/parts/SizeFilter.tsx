import { InputGroup } from '@blueprintjs/core'
import { useEffect, useId, useState } from 'react'
import { backToRows } from '#src/kit/filters.tsx'
import { useSay } from '#src/kit/text.ts'
import type { Filtered } from '#src/kit/uselist.ts'

type Range = { min?: number | undefined; max?: number | undefined }
const written = ({ min, max }: Range): string => {
  if (min === undefined && max === undefined) return ''
  return min === max ? String(min) : `${min ?? ''}-${max ?? ''}`
}
/** What was typed as a range of points: `100`, `100-200`, `100-`; undefined for anything else. */
const sizeRange = (typed: string): Range | undefined => {
  const plain = typed.replaceAll(/[\s,]/g, '').replaceAll(/[~—–]/g, '-')
  if (plain === '') return {}
  const found = /^(\d{1,9})?(-)?(\d{1,9})?$/.exec(plain)
  if (!found || plain === '-') return undefined
  const [min, max] = [found[1], found[3]].map(one => (one ? Number(one) : undefined))
  return found[2] ? { min, max } : { min, max: min }
}
/** A filter by how many points a row moves; Enter asks, Esc goes back to the rows. */
export const SizeFilter = ({ of }: { of: Filtered }) => {
  const say = useSay()
  const fault = useId()
  const asked = written(of.input as Range)
  const [typed, setTyped] = useState(asked)
  useEffect(() => setTyped(asked), [asked])
  const range = sizeRange(typed)
  const send = () => {
    if (range) of.filter({ min: range.min, max: range.max })
  }
  const label = say(['积分，如 100-200', 'Points: 100-200'])
  return (
    <>
      <InputGroup
        size="small"
        className="m-keyword"
        placeholder={label}
        aria-label={label}
        aria-invalid={range === undefined}
        aria-describedby={range ? undefined : fault}
        intent={range === undefined ? 'danger' : 'none'}
        value={typed}
        maxLength={24}
        onValueChange={setTyped}
        onBlur={send}
        onKeyDown={event => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') send()
          backToRows(event.currentTarget)
        }}
      />
      {!range && (
        <span id={fault} className="m-bad">
          {say(['写法如 100-200', 'Such as 100-200'])}
        </span>
      )}
    </>
  )
}
