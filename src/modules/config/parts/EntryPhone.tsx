import { countFault, type EntryPosition } from '#src/areas/entryIcon/entryIcon.ts'
import { Picture } from '#src/kit/image.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { EntryRow } from '../contract/entry.ts'
import './entries.css'

/** The entries of a position as consumers see them; in the grid the places that are left open, too. */
export const EntryPhone = ({
  position,
  entries,
  city,
}: {
  position: EntryPosition
  entries: readonly EntryRow[]
  city: string
}) => {
  const say = useSay()
  const shown = entries.filter(one => one.is_live && one.link_ok)
  const missing = countFault(position, shown.length)?.missing ?? 0
  return (
    <Phone label={say(['手机预览', 'Phone preview'])} title={city}>
      {shown.length === 0 ? (
        <Empty title={say(['用户看不到任何入口', 'Consumers see no entry'])} />
      ) : (
        <ol
          className="ce-icons"
          data-position={position}
          aria-label={say(['用户看到的入口', 'What consumers see'])}
        >
          {shown.map(one => (
            <li key={one.id}>
              <span className="ce-icon">
                <Picture of={one.icon} label="" />
                {one.badge_on && <b>{one.badge}</b>}
              </span>
              <span>{one.title}</span>
            </li>
          ))}
          {Array.from({ length: missing }, (_, at) => (
            <li key={`open-${at}`} className="ce-open" aria-hidden="true">
              <span className="ce-icon" />
              <span>{say(['空位', 'Open'])}</span>
            </li>
          ))}
        </ol>
      )}
    </Phone>
  )
}
