import { Button } from '@blueprintjs/core'
import { Calendar as CalendarIcon } from '@blueprintjs/icons'
import { useState } from 'react'
import { loadable } from './loadable.tsx'
import { Popover } from './popover.tsx'
import { useSay } from './text.ts'

const Calendar = loadable(async () => (await import('./calendar.tsx')).Calendar, null)

/** A button beside a typed time that opens a calendar; unix seconds in and out, Shanghai days. */
export const CalendarButton = ({
  of,
  pick,
}: {
  of: number | undefined
  pick: (at: number) => void
}) => {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <Popover
      isOpen={open}
      show={setOpen}
      placement="bottom-end"
      content={
        <Calendar
          of={of}
          pick={at => {
            setOpen(false)
            pick(at)
          }}
        />
      }
    >
      <Button
        variant="minimal"
        size="small"
        icon={<CalendarIcon />}
        aria-label={say(['打开日历', 'Open the calendar'])}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
    </Popover>
  )
}
