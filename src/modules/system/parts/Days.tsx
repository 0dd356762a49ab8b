import { timeFull } from '#src/domain/time.ts'
import './content.css'

/** A period in a narrow place: it breaks between its days, never within one. */
export const Days = ({ from, to }: { from: number; to: number }) => (
  <>
    <span className="m-num">{timeFull(from).slice(2, 10)} –</span>{' '}
    <span className="m-num">{timeFull(to).slice(2, 10)}</span>
  </>
)
