import { DatePicker } from '@blueprintjs/datetime'
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import { enUS, zhCN } from 'date-fns/locale'
import dayjs from 'dayjs'
import { momentNamed, written } from '#src/domain/calendar.ts'
import { useLang } from './text.ts'

const MINUTE = 'YYYY-MM-DDTHH:mm'
/** The picker shows a Date's local fields: these say the Shanghai time. */
const localOf = (at: number): Date => dayjs(written(at, MINUTE)).toDate()
const unixOf = (local: Date): number => momentNamed(dayjs(local).format(MINUTE), MINUTE)!

/** A month to pick a day from; unix seconds, Shanghai. The time of day stays as it was. */
export const Calendar = ({ of, pick }: { of: number | undefined; pick: (at: number) => void }) => (
  <DatePicker
    value={of === undefined ? null : localOf(of)}
    locale={useLang() === 'zh' ? zhCN : enUS}
    minDate={new Date(2015, 0, 1)}
    maxDate={new Date(2040, 11, 31)}
    highlightCurrentDay
    onChange={(day, byPerson) => {
      if (day && byPerson) pick(unixOf(of === undefined ? dayjs(day).startOf('day').toDate() : day))
    }}
  />
)
