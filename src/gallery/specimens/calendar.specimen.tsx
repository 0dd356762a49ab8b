import { CalendarButton } from '#src/kit/calendar-button.tsx'
import { Calendar } from '#src/kit/calendar.tsx'
import { Kept } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'calendar',
  title: ['日历', 'A calendar'],
  states: [
    {
      name: ['已选', 'A day chosen'],
      draw: () => (
        <Kept<number | undefined> first={1_795_600_000}>
          {(at, pick) => <Calendar of={at} pick={pick} />}
        </Kept>
      ),
    },
    {
      name: ['按钮，未选', 'The button, none chosen'],
      draw: () => (
        <Kept<number | undefined> first={undefined}>
          {(at, pick) => <CalendarButton of={at} pick={pick} />}
        </Kept>
      ),
    },
  ],
}
