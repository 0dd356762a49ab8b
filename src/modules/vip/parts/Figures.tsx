import type { ReactNode } from 'react'
import './vip.css'

/** Figures above a list, each with its word; what is not read yet shows as dots. */
export const Figures = ({
  label,
  of,
}: {
  label: string
  of: readonly (readonly [word: string, value: ReactNode, hint?: string])[]
}) => (
  <dl className="vp-figures" aria-label={label}>
    {of.map(([word, value, hint]) => (
      <div key={word} title={hint}>
        <dt>{word}</dt>
        <dd className="m-num">{value ?? '…'}</dd>
      </div>
    ))}
  </dl>
)
