import { Button, PopoverNext } from '@blueprintjs/core'
import { Calendar as CalendarIcon } from '@blueprintjs/icons'
import { lazy, Suspense, useState } from 'react'
import { useSay } from './text.ts'

const Calendar = lazy(() => import('./calendar.tsx').then(({ Calendar: found }) => ({ default: found })))

/** A button beside a typed time that opens a calendar; unix seconds in and out, Shanghai days. */
export const CalendarButton = ({ of, pick }: { of: number | undefined; pick: (at: number) => void }) => {
  const say = useSay()
  const [open, setOpen] = useState(false)
  return (
    <PopoverNext isOpen={open} onInteraction={setOpen} placement="bottom-end" content={<Suspense fallback={null}><Calendar of={of} pick={at => { setOpen(false); pick(at) }} /></Suspense>}>
      <Button variant="minimal" size="small" icon={<CalendarIcon />} aria-label={say(['打开日历', 'Open the calendar'])} aria-expanded={open} onClick={() => setOpen(!open)} />
    </PopoverNext>
  )
}
