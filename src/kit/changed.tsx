import { History } from '@blueprintjs/icons'
import { Link } from 'wouter'
import { loggedAs, type Ask, type Page } from '#commands/command.ts'
import { loggedField } from '#src/areas/log/objects.ts'
import { useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'

/**
 * A quiet sign beside a field or a title: who changed this. `href` is the address of its history
 * (`historyOf` of commands/system/logs.ts).
 */
export const WhoChanged = ({ href, of }: { href: string; of: string }) => {
  const say = useSay()
  const label = say(['谁改的：{of}', 'Who changed this: {of}'], { of })
  return (
    <Link href={href} className="m-who" aria-label={label} title={label}>
      <History size={12} />
    </Link>
  )
}

/** The address of the history of the field that a question of a form sets, if it sets one. */
export type Trail = (name: string, ask: Ask) => string | undefined
/**
 * Where "who changed this field" leads from a form about these rows of a page: nowhere for several
 * rows, for a new one, for rows that the log does not know, and without the right to read it.
 */
export const useTrail = (page: Page, rows: readonly any[]): Trail | undefined => {
  const { me, historyFrom } = useWorkbench()
  const [row] = rows
  const whole = historyFrom(page)
  const object =
    rows.length === 1 && whole && me.can(whole.permit) ? loggedAs(page, row) : undefined
  if (!object) return undefined
  // What begins with the present value is a field of the row; a reason or an amount to add is none.
  return (name, ask) => {
    const field = ask.initial && loggedField(object[0], ask.field ?? name)
    return field && `${whole!.to!(rows)}&field=${field}`
  }
}
