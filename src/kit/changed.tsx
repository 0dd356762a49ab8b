import { History } from '@blueprintjs/icons'
import { Link } from 'wouter'
import { useSay } from './text.ts'

/** A quiet sign beside a field or a title: who changed this. `href` is the address of its history (`historyOf` of commands/system/logs.ts). */
export const WhoChanged = ({ href, of }: { href: string; of: string }) => {
  const say = useSay()
  const label = say(['谁改的：{of}', 'Who changed this: {of}'], { of })
  return <Link href={href} className="m-who" aria-label={label} title={label}><History size={12} /></Link>
}
