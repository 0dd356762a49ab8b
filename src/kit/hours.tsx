import { Button, Checkbox, InputGroup } from '@blueprintjs/core'
import { createContext, useContext, useId } from 'react'
import {
  HOLIDAY_LINES_MOST,
  hoursFault,
  WEEK_LINES_MOST,
  weekdayNames,
  type HolidayLine,
  type WeekLine,
} from '#src/areas/merchant/storeHours.ts'
import './hours.css'
import type { Text } from '#src/domain/text.ts'
import { useSay } from './text.ts'

/** The id of what is wrong with the hours, for each field of theirs; undefined where nothing is. */
const Wrong = createContext<string | undefined>(undefined)
type Span = { from: string; to: string }
/** From when until when; an end before its beginning is on the next day. */
const Times = ({ of, change, off }: { of: Span; change: (next: Span) => void; off?: boolean }) => {
  const say = useSay()
  const wrong = useContext(Wrong)
  const time = (key: keyof Span, label: string, hint: string) => (
    <InputGroup
      size="small"
      aria-label={label}
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong}
      value={of[key]}
      disabled={off ?? false}
      maxLength={5}
      placeholder={hint}
      onValueChange={typed => change({ ...of, [key]: typed.normalize('NFKC') })}
    />
  )
  const next = of.from !== '' && of.to !== '' && of.to <= of.from && of.to !== '24:00'
  return (
    <>
      {time('from', say(['开门', 'Opens']), '10:00')}
      <span aria-hidden>–</span>
      {time('to', say(['关门', 'Closes']), '22:00')}
      {next && <span className="m-muted">{say(['次日', 'next day'])}</span>}
    </>
  )
}
const Remove = ({ label, does }: { label: string; does: () => void }) => (
  <Button size="small" variant="minimal" aria-label={label} onClick={does}>
    ×
  </Button>
)
const WeekRow = ({
  of,
  n,
  change,
  remove,
}: {
  of: WeekLine
  n: number
  change: (next: WeekLine) => void
  remove: () => void
}) => {
  const say = useSay()
  const turned = (day: number) =>
    of.weekdays.includes(day)
      ? of.weekdays.filter(one => one !== day)
      : [...of.weekdays, day].sort((a, b) => a - b)
  return (
    <div role="group" aria-label={say(['营业时间第 {n} 行', 'Hours, line {n}'], { n })}>
      <span className="m-days">
        {weekdayNames.map(([zh, en], i) => (
          <button
            key={en}
            type="button"
            aria-pressed={of.weekdays.includes(i + 1)}
            aria-label={say([zh, en])}
            onClick={() => change({ ...of, weekdays: turned(i + 1) })}
          >
            {say([zh.slice(1), en.slice(0, 2)])}
          </button>
        ))}
      </span>
      <Times of={of} change={times => change({ ...of, ...times })} />
      <Remove label={say(['删除这一行', 'Take this line out'])} does={remove} />
    </div>
  )
}
const HolidayRow = ({
  of,
  n,
  change,
  remove,
}: {
  of: HolidayLine
  n: number
  change: (next: HolidayLine) => void
  remove: () => void
}) => {
  const say = useSay()
  const isClosed = of.from === '' && of.to === ''
  return (
    <div role="group" aria-label={say(['节假日第 {n} 行', 'Holiday, line {n}'], { n })}>
      <InputGroup
        size="small"
        className="m-hours-date"
        aria-label={say(['日期', 'Date'])}
        value={of.date}
        maxLength={10}
        placeholder="2026-10-01"
        onValueChange={typed => change({ ...of, date: typed.normalize('NFKC') })}
      />
      <Times of={of} off={isClosed} change={times => change({ ...of, ...times })} />
      <Checkbox
        checked={isClosed}
        label={say(['全天休息', 'Closed'])}
        onChange={() =>
          change({ ...of, ...(isClosed ? { from: '10:00', to: '22:00' } : { from: '', to: '' }) })
        }
      />
      <Remove label={say(['删除这一行', 'Take this line out'])} does={remove} />
    </div>
  )
}
type Hours = { week: WeekLine[]; holidays?: HolidayLine[] }
type Props<H extends Hours> = {
  /** A form finds the whole by it. */
  id?: string
  /** What the hours are of. */
  label?: Text
  /** By weekday alone where it has no holidays. */
  value: H
  change: (value: H) => void
  /** What the server found wrong. */
  fault?: string | undefined
}
/** The hours of a place, by weekday and by holiday; what overlaps is told while it is written. */
export const HoursField = <H extends Hours>({
  id,
  label = ['营业时间', 'Opening hours'],
  value,
  change,
  fault,
}: Props<H>) => {
  const say = useSay()
  const base = useId()
  const { week, holidays = [] } = value
  const own = hoursFault({ week, holidays })
  const wrong = fault ?? (own && say(own))
  const setWeek = (next: WeekLine[]) => change({ ...value, week: next })
  const setHolidays = (next: HolidayLine[]) => change({ ...value, holidays: next })
  const other = <T,>(all: readonly T[], at: number, next: T) =>
    all.map((one, i) => (i === at ? next : one))
  const without = <T,>(all: readonly T[], at: number) => all.filter((_, i) => i !== at)
  // The days that no line has yet are the likeliest of a new one.
  const free = [1, 2, 3, 4, 5, 6, 7].filter(day => !week.some(one => one.weekdays.includes(day)))
  return (
    <div
      id={id}
      className="m-hours"
      role="group"
      aria-label={say(label)}
      aria-describedby={`${base}-fault`}
    >
      <span className="m-hours-label" aria-hidden>
        {say(label)}
      </span>
      <Wrong value={wrong ? `${base}-fault` : undefined}>
        {week.map((line, at) => (
          <WeekRow
            key={at}
            of={line}
            n={at + 1}
            change={next => setWeek(other(week, at, next))}
            remove={() => setWeek(without(week, at))}
          />
        ))}
        {holidays.map((line, at) => (
          <HolidayRow
            key={at}
            of={line}
            n={at + 1}
            change={next => setHolidays(other(holidays, at, next))}
            remove={() => setHolidays(without(holidays, at))}
          />
        ))}
      </Wrong>
      <div>
        <Button
          size="small"
          disabled={week.length >= WEEK_LINES_MOST}
          onClick={() => setWeek([...week, { weekdays: free, from: '10:00', to: '22:00' }])}
        >
          {say(['增加时段', 'Add hours'])}
        </Button>
        {value.holidays && (
          <Button
            size="small"
            disabled={holidays.length >= HOLIDAY_LINES_MOST}
            onClick={() => setHolidays([...holidays, { date: '', from: '', to: '' }])}
          >
            {say(['增加节假日', 'Add a holiday'])}
          </Button>
        )}
      </div>
      <div className="m-error" id={`${base}-fault`} role={wrong ? 'alert' : undefined}>
        {wrong}
      </div>
    </div>
  )
}
