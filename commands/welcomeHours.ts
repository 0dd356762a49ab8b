import { DAY_MINUTES } from '#src/areas/channelCode/duty.ts'
import { clockOf, minuteOf, type Hours } from '#src/areas/welcome/hours.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import type { Text } from '#src/domain/text.ts'
import { ask } from './command.ts'

/** The questions of when a welcome message holds. */
type Rows = readonly (WelcomeRow | undefined)[]
const weekdays = {
  1: ['周一', 'Mon'],
  2: ['周二', 'Tue'],
  3: ['周三', 'Wed'],
  4: ['周四', 'Thu'],
  5: ['周五', 'Fri'],
  6: ['周六', 'Sat'],
  7: ['周日', 'Sun'],
} as const satisfies Record<number, Text>
const whens = {
  always: ['全天', 'Any time'],
  hours: ['指定时段', 'Set hours'],
} as const satisfies Record<string, Text>
type When = keyof typeof whens
const hasHours = (of: { when?: When }): boolean => of.when === 'hours'
/** A message of some hours is for the people of its rule, with its priority. */
export const isOwn = (_: unknown, [row]: Rows): boolean => (row?.base_id ?? null) === null
const clockFault = (typed: string): Text | undefined =>
  minuteOf(typed) === undefined ? ['请填写时间，如 09:30', 'A time, such as 09:30'] : undefined
const hoursOf = ([row]: Rows): Hours | undefined => row?.hours[0]
/** The questions of the hours that a rule's further message is for. */
export const windowAsks = () => {
  const { when: _, ...asks } = whenAsks()
  const always = () => true
  return {
    days: { ...asks.days, shown: always },
    from: { ...asks.from, shown: always },
    to: { ...asks.to, shown: always },
  }
}
/** The questions of when a rule holds. */
export const whenAsks = () => ({
  when: ask.choice({
    label: ['生效时间', 'When'],
    options: whens,
    initial: (rows: Rows) => (hoursOf(rows) ? ('hours' as const) : ('always' as const)),
    shown: isOwn,
    field: 'hours',
  }),
  days: ask.choices({
    label: ['星期', 'Days'],
    options: weekdays,
    initial: (rows: Rows) => (hoursOf(rows)?.weekdays ?? [1, 2, 3, 4, 5, 6, 7]).map(String),
    shown: hasHours,
    field: 'hours',
  }),
  from: ask.text({
    label: ['从', 'From'],
    max: 5,
    initial: (rows: Rows) => clockOf(hoursOf(rows)?.from_min ?? 22 * 60),
    check: clockFault,
    shown: hasHours,
    field: 'hours',
  }),
  to: ask.text({
    label: ['到', 'Until'],
    max: 5,
    initial: (rows: Rows) => clockOf(hoursOf(rows)?.to_min ?? 9 * 60),
    check: clockFault,
    shown: hasHours,
    hint: ['早于开始时间即到次日', 'Earlier than the start means the next day'],
    field: 'hours',
  }),
})
export type AskedHours = { days?: readonly string[]; from?: string; to?: string }
export type AskedWhen = AskedHours & { when?: When }
/** The hours that were answered, as a rule holds them. */
export const spanOf = ({ days = [], from = '', to = '' }: AskedHours): Hours[] => [
  {
    weekdays: days.map(Number).sort((a, b) => a - b),
    from_min: (minuteOf(from) ?? 0) % DAY_MINUTES,
    // An end at 00:00 is the end of the day.
    to_min: minuteOf(to) || DAY_MINUTES,
  },
]
