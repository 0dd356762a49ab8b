import { Error, InfoSign, Tick, WarningSign } from '@blueprintjs/icons'
import {
  createContext,
  useContext,
  useLayoutEffect,
  type ComponentType,
  type ReactNode,
} from 'react'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, timeFull, unixNow } from '#src/domain/time.ts'
import { SaidContext } from './said.ts'
import { useSay } from './text.ts'

/** Whether an amount stands by itself, without a column's head that says what it is: with its ¥. */
export const SignedSums = createContext(false)
/** Cents as yuan. Null is no amount; absent means that the reader's role may not see it. */
export const Money = ({ cents, sign }: { cents: number | null | undefined; sign?: boolean }) => {
  const say = useSay()
  const isFact = useContext(SignedSums)
  if (cents === null) return <span className="m-muted">—</span>
  if (cents === undefined)
    return (
      <span className="m-muted" title={say(['无查看权限', 'Hidden by your role'])}>
        —
      </span>
    )
  return (
    <span className={cents < 0 ? 'm-num m-bad' : 'm-num'}>
      {(sign ?? isFact) ? yuan(cents).replace(/^-?/, '$&¥') : yuan(cents)}
    </span>
  )
}

/** A quantity, thousands apart and with all its decimals. */
export const Figure = ({ of }: { of: number }) => (
  <span className="m-num">{of.toLocaleString('en-US', { maximumFractionDigits: 20 })}</span>
)
/** What came to a quantity or went from it, with its sign. */
export const Delta = ({ of }: { of: number }) => (
  <span className={of < 0 ? 'm-num m-bad' : 'm-num'}>
    {of > 0 && '+'}
    {of.toLocaleString('en-US')}
  </span>
)
/** What a cell or a fact holds: a number is a quantity; one that names something is given as text. */
export const quantity = (held: ReactNode): ReactNode =>
  typeof held === 'number' ? <Figure of={held} /> : held

const today: Text = ['今天 {time}', 'Today {time}']
const yesterday: Text = ['昨天 {time}', 'Yesterday {time}']
/** A moment, short; in full on hover and to a screen reader. Unix seconds. */
export const When = ({ at }: { at: number | null | undefined }) => {
  const say = useSay()
  if (!at) return <span className="m-muted">—</span>
  const full = timeFull(at)
  const start = dayStart(unixNow())
  const short = () => {
    const time = full.slice(11, 16)
    if (at >= start && at < start + DAY) return say(today, { time })
    if (at >= start - DAY && at < start) return say(yesterday, { time })
    const isThisYear = full.slice(0, 4) === timeFull(start).slice(0, 4)
    return isThisYear ? full.slice(5, 16) : full.slice(0, 10)
  }
  return (
    <time className="m-num" dateTime={new Date(at * 1000).toISOString()} title={full}>
      {short()}
    </time>
  )
}
/** From when to when, days only. */
export const Span = ({ from, to }: { from: number; to: number }) => (
  <span className="m-num" title={`${timeFull(from)} – ${timeFull(to)}`}>
    {timeFull(from).slice(2, 10)} – {timeFull(to).slice(2, 10)}
  </span>
)

/** Seconds in words: 不到 1 分钟 · 45 分钟 · 3 小时 20 分 · 2 天 4 小时. */
export const duration = (
  seconds: number,
  say: (text: Text, values?: Record<string, number>) => string,
): string => {
  const m = Math.max(0, Math.round(seconds / 60))
  if (m === 0) return say(['不到 1 分钟', '<1 min'])
  if (m < 60) return say(['{m} 分钟', '{m} min'], { m })
  const [h, d] = [Math.floor(m / 60), Math.floor(m / 1440)]
  if (d > 0)
    return h % 24 === 0
      ? say(['{d} 天', '{d} d'], { d })
      : say(['{d} 天 {h} 小时', '{d} d {h} h'], { d, h: h % 24 })
  return m % 60 === 0
    ? say(['{h} 小时', '{h} h'], { h })
    : say(['{h} 小时 {m} 分', '{h} h {m} min'], { h, m: m % 60 })
}

/** Cents as yuan in few digits, for an axis. */
export const shortYuan = (
  cents: number,
  say: (text: Text, values?: Record<string, string | number>) => string,
): string =>
  Math.abs(cents) >= 1_000_000
    ? say(['{n} 万', '{k}k'], {
        n: (cents / 1_000_000).toFixed(1),
        k: Math.round(cents / 100_000),
      })
    : (cents / 100).toFixed(0)

export type ToneName = 'plain' | 'good' | 'warn' | 'bad' | 'info'
type Sign = ComponentType<{ size?: number; tagName?: null; 'aria-hidden'?: true }>
/** The sign of each tone, where a state has none of its own: no colour says anything alone. */
export const signs: Readonly<Record<Exclude<ToneName, 'plain'>, Sign>> = {
  good: Tick,
  warn: WarningSign,
  bad: Error,
  info: InfoSign,
}
/** A state: icon, word and colour together, so that none of the three is needed alone. */
export const Badge = ({
  tone = 'plain',
  icon,
  children,
  title,
}: {
  tone?: ToneName
  icon?: Sign
  children: ReactNode
  title?: string
}) => {
  const Icon = icon ?? (tone === 'plain' ? undefined : signs[tone])
  return (
    <span className="m-badge" data-tone={tone} title={title}>
      {Icon && <Icon size={12} tagName={null} aria-hidden />}
      {children}
    </span>
  )
}
/** What is later or more than it may be: the sign before the number, in the colour of danger. */
export const Alarming = ({
  children,
  title,
}: {
  children: ReactNode
  title?: string | undefined
}) => (
  <span className="m-alarming m-num m-bad" title={title}>
    <WarningSign size={12} tagName={null} aria-hidden />
    {children}
  </span>
)

/** Keys as they stand on the keyboard. */
export const Keys = ({ keys }: { keys: string | undefined }) =>
  keys ? (
    <kbd className="m-key" aria-hidden="true">
      {keys}
    </kbd>
  ) : null

export const Section = ({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) => (
  <section className="m-section">
    <h3>
      {title}
      {aside}
    </h3>
    {children}
  </section>
)
/** Label and value; give `wide` to what needs the whole row. */
export const Fact = ({
  label,
  wide,
  children,
}: {
  label: string
  wide?: boolean
  children: ReactNode
}) => {
  const said = useContext(SaidContext)
  useLayoutEffect(() => said.add(label), [said, label])
  return (
    <div className={wide ? 'm-wide' : undefined}>
      <dt>{label}</dt>
      <dd>
        <SignedSums value={true}>{quantity(children)}</SignedSums>
      </dd>
    </div>
  )
}
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="m-facts">{children}</dl>
)
