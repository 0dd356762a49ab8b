import { InputGroup } from '@blueprintjs/core'
import { useEffect, useId, useState } from 'react'
import { centsOf, yuan } from '#src/domain/money.ts'
import { backToRows } from '#src/kit/filters.tsx'
import { useSay } from '#src/kit/text.ts'
import type { Filtered } from '#src/kit/uselist.ts'

type Range = { min_cents?: number | undefined; max_cents?: number | undefined }
const written = ({ min_cents: min, max_cents: max }: Range): string => {
  if (min === undefined && max === undefined) return ''
  if (min === max) return yuan(min!)
  return `${min === undefined ? '' : yuan(min)}-${max === undefined ? '' : yuan(max)}`
}
/** What was typed as a range in yuan: `100`, `100-200`, `100-`, `-200`; undefined for anything else. */
export const amountRange = (typed: string): Range | undefined => {
  const plain = typed.replaceAll(/[\s,¥]/g, '').replaceAll(/[~—–]/g, '-')
  if (plain === '') return {}
  const found = /^(\d+(?:\.\d{1,2})?)?(?:(-)(\d+(?:\.\d{1,2})?)?)?$/.exec(plain)
  if (!found || plain === '-') return undefined
  const [min, max] = [found[1], found[3]].map(one => (one ? centsOf(one) : undefined))
  return found[2] ? { min_cents: min, max_cents: max } : { min_cents: min, max_cents: min }
}
/** A filter by an amount, or from one to another, in yuan; Enter asks, Esc goes back to the rows. */
export const AmountFilter = ({ of }: { of: Filtered }) => {
  const say = useSay()
  const fault = useId()
  const asked = written(of.input as Range)
  const [typed, setTyped] = useState(asked)
  useEffect(() => setTyped(asked), [asked])
  const range = amountRange(typed)
  const send = () => {
    if (range) of.filter({ min_cents: range.min_cents, max_cents: range.max_cents })
  }
  const label = say(['金额，如 100-200', 'Amount, such as 100-200'])
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
        maxLength={40}
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
          {say(['金额写法如 100-200', 'Amounts such as 100-200'])}
        </span>
      )}
    </>
  )
}
