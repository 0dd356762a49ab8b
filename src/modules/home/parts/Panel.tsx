import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { hoursOfDay, unixNow } from '#src/domain/time.ts'
import { duration } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

/** A part of the home with its heading. */
export const Panel = ({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) => (
  <section className="h-panel" aria-label={title}>
    <h3>
      {title}
      {aside}
    </h3>
    {children}
  </section>
)

/** How long until a moment, or for how long it is over. */
export const Left = ({ until }: { until: number }) => {
  const say = useSay()
  const left = until - unixNow()
  return left <= 0 ? (
    <span className="m-bad">{say(['超时 {t}', '{t} late'], { t: duration(-left, say) })}</span>
  ) : (
    <span>{say(['剩 {t}', '{t} left'], { t: duration(left, say) })}</span>
  )
}

export type Waiting = {
  key: string | number
  /** The thing's page; undefined where it has none. */
  href: string | undefined
  title: string
  note: string
  end: ReactNode
}
/** The hours of a day as a chart names them. */
export const HOURS_OF_DAY: readonly string[] = hoursOfDay.map(hour => `${hour}:00`)

/** Things that wait, each a link to its place, the most urgent first. */
export const WaitingList = ({ of, none }: { of: readonly Waiting[] | undefined; none: string }) => {
  if (!of) return null
  return of.length === 0 ? (
    <p className="m-muted">{none}</p>
  ) : (
    <ul className="h-waiting">
      {of.map(one => (
        <li key={one.key}>
          {one.href ? <Link href={one.href}>{one.title}</Link> : <span>{one.title}</span>}
          <span className="m-muted h-note">{one.note}</span>
          <span className="m-num h-end">{one.end}</span>
        </li>
      ))}
    </ul>
  )
}
