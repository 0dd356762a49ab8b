import type { ReactNode } from 'react'
import './logs.css'

/**
 * What stands beside a log and scrolls by itself: by keys too, though nothing in it takes the
 * focus.
 */
export const Beside = ({
  label,
  busy = false,
  children,
}: {
  label: string
  busy?: boolean
  children: ReactNode
}) => (
  <div className="l-inspector" tabIndex={0} role="region" aria-label={label} aria-busy={busy}>
    {children}
  </div>
)
