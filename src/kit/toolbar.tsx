import { Button, Menu, MenuDivider, PopoverNext } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import { useLocation } from 'wouter'
import type { Action } from '#commands/command.ts'
import { MenuEntry, PressButton, useLacks } from './pressable.tsx'
import { fitting, useSizes } from './room.ts'
import { Keys } from './show.tsx'
import { useLang, useSay, titleIn } from './text.ts'
import { useWorkbench, usePane } from './workbench.ts'

/** Why none of these rows can have the action now, or undefined. */
const useReason = () => {
  const { me } = useWorkbench()
  const say = useSay()
  const lacks = useLacks()
  return (action: Action, rows: readonly any[]): string | undefined => {
    const lack = lacks(action)
    if (lack) return lack
    if (action.takes === 'none') return undefined
    if (rows.length === 0) return say(['请先选择一行', 'Choose a row first'])
    if (action.takes === 'row' && rows.length > 1)
      return say(['一次只能处理一行', 'One row at a time'])
    const reasons = rows.map(row => action.when?.(row, me) ?? true)
    if (reasons.some(reason => reason === true)) return undefined
    const first = reasons[0]
    return first === true || first === undefined ? undefined : say(first)
  }
}

const useDo = () => {
  const workbench = useWorkbench()
  const { stage, id } = usePane()
  return (action: Action, rows: readonly any[]) => {
    const own = stage.performer(action.id)
    if (own) own(rows)
    else void workbench.run(action, rows, { pane: id })
  }
}

/** Pixels that the menu behind the buttons takes. */
const MENU = 34
/**
 * The actions of a page: the main ones as buttons while there is room in one row, all of them in
 * the menu behind, each with its key and, where it can't be had, the reason. "Who changed this" comes by itself.
 */
export const Toolbar = ({
  actions,
  rows,
  children,
}: {
  actions: readonly Action[]
  rows: readonly any[]
  children?: React.ReactNode
}) => {
  const { me, keysOf, ariaKeysOf, pageAt, historyFrom } = useWorkbench()
  const now = useLang()
  const say = useSay()
  const reason = useReason()
  const perform = useDo()
  const [at] = useLocation()
  const page = pageAt(at)
  const history = page && historyFrom(page)
  const mine = [...actions, ...(history ? [history] : [])].filter(action => me.can(action.permit))
  const main = mine.filter(action => action.main)
  const { row, sizes } = useSizes(main.map(action => action.id).join(), '[data-fits]')
  const shown =
    sizes.widths.length === main.length
      ? fitting(sizes.widths, -1, sizes.room - MENU, 0)
      : undefined
  return (
    <div className="m-toolbar" role="toolbar" aria-label={say(['操作', 'Actions'])}>
      <div className="m-acts" ref={row}>
        {main.map((action, place) => {
          const why = reason(action, rows)
          return (
            <PressButton
              key={action.id}
              size="small"
              variant={action.danger ? 'outlined' : 'solid'}
              intent={action.danger ? 'danger' : action.takes === 'none' ? 'none' : 'primary'}
              why={why}
              data-fits
              data-over={(shown && !shown.has(place)) || undefined}
              aria-keyshortcuts={ariaKeysOf(action.id)}
              data-command={action.id}
              onClick={() => perform(action, rows)}
            >
              {titleIn(action, now)}
              <Keys keys={keysOf(action.id)} />
            </PressButton>
          )
        })}
        <PopoverNext placement="bottom-start" content={<ActionMenu actions={mine} rows={rows} />}>
          <Button
            size="small"
            variant="minimal"
            icon={<More />}
            data-actions
            aria-label={say(['更多操作', 'More actions'])}
          />
        </PopoverNext>
      </div>
      {children}
    </div>
  )
}

/** The same actions as a menu: of the toolbar and of a row. */
const ActionMenu = ({ actions, rows }: { actions: readonly Action[]; rows: readonly any[] }) => {
  const { keysOf } = useWorkbench()
  const now = useLang()
  const reason = useReason()
  const perform = useDo()
  const safe = actions.filter(action => !action.danger)
  const dangerous = actions.filter(action => action.danger)
  const item = (action: Action) => {
    const why = reason(action, rows)
    return (
      <MenuEntry
        key={action.id}
        data-command={action.id}
        text={titleIn(action, now)}
        label={keysOf(action.id)}
        intent={action.danger ? 'danger' : 'none'}
        why={why}
        onClick={() => perform(action, rows)}
      />
    )
  }
  return (
    <Menu>
      {safe.map(item)}
      {dangerous.length > 0 && <MenuDivider />}
      {dangerous.map(item)}
    </Menu>
  )
}
