import { DatePicker } from '@blueprintjs/datetime'
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import { enUS, zhCN } from 'date-fns/locale'
import { useLang } from './text.ts'

const SHANGHAI_S = 8 * 3600
/** The picker shows a Date's local fields: these say the Shanghai time. */
const localOf = (at: number) => {
  const there = new Date((at + SHANGHAI_S) * 1000)
  return new Date(
    there.getUTCFullYear(),
    there.getUTCMonth(),
    there.getUTCDate(),
    there.getUTCHours(),
    there.getUTCMinutes(),
  )
}
const unixOf = (local: Date) =>
  Date.UTC(
    local.getFullYear(),
    local.getMonth(),
    local.getDate(),
    local.getHours(),
    local.getMinutes(),
  ) /
    1000 -
  SHANGHAI_S

/** A month to pick a day from; unix seconds, Shanghai. The time of day stays as it was. */
export const Calendar = ({ of, pick }: { of: number | undefined; pick: (at: number) => void }) => (
  <DatePicker
    value={of === undefined ? null : localOf(of)}
    locale={useLang() === 'zh' ? zhCN : enUS}
    minDate={new Date(2015, 0, 1)}
    maxDate={new Date(2040, 11, 31)}
    highlightCurrentDay
    onChange={(day, byPerson) => {
      if (day && byPerson)
        pick(
          unixOf(
            of === undefined ? new Date(day.getFullYear(), day.getMonth(), day.getDate()) : day,
          ),
        )
    }}
  />
)
