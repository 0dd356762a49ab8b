import type { ReactNode } from 'react'
import './phone.css'

/**
 * What a member sees on a telephone: light whatever the console is, unless it is `dark`. A `long`
 * page scrolls in its frame, by keys too.
 */
export const Phone = ({
  label,
  title,
  dark = false,
  long = false,
  children,
}: {
  label: string
  title?: ReactNode
  dark?: boolean
  long?: boolean
  children: ReactNode
}) => (
  <article
    className="m-phone"
    aria-label={label}
    data-dark={dark || undefined}
    {...(long && { tabIndex: 0, role: 'region' })}
  >
    {title !== undefined && <header>{title}</header>}
    <div className="m-phone-page">{children}</div>
  </article>
)
