import { Button, MenuDivider } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'wouter'
import type { Action } from '#commands/command.ts'
import { useDetail } from './detail.ts'
import { EntryMenu } from './menu.tsx'
import { Popover } from './popover.tsx'
import { MenuEntry, PressButton, useLacks } from './pressable.tsx'
import { fitting, useSizes } from './room.ts'
import { Keys } from './show.tsx'
import { useLang, useSay, titleIn } from './text.ts'
import { useWorkbench, usePane } from './workbench.ts'

/** Why none of these rows can have the action now, or undefined. */
export const useReason = () => {
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

/** Does an action for these rows: as its page does it, or the general way. */
export const useDo = () => {
  const workbench = useWorkbench()
  const { stage, id } = usePane()
  return (action: Action, rows: readonly any[]) => {
    const own = stage.performer(action.id)
    if (own) own(rows)
    else void workbench.run(action, rows, { pane: id })
  }
}

/** The main actions as buttons; one of them, that can be had now, is the page's blue one. */
const Buttons = ({
  actions,
  rows,
  lead,
  shown,
}: {
  actions: readonly Action[]
  rows: readonly any[]
  lead: Action | undefined
  /** The places of those that have room in their row; without it, all have. */
  shown?: ReadonlySet<number> | undefined
}) => {
  const { keysOf, ariaKeysOf } = useWorkbench()
  const now = useLang()
  const reason = useReason()
  const perform = useDo()
  const intentOf = (action: Action) => {
    if (action.danger) return 'danger'
    return action === lead ? 'primary' : 'none'
  }
  return actions.map((action, place) => (
    <PressButton
      key={action.id}
      size="small"
      variant={action.danger ? 'outlined' : 'solid'}
      intent={intentOf(action)}
      why={reason(action, rows)}
      data-fits
      data-over={(shown && !shown.has(place)) || undefined}
      aria-keyshortcuts={ariaKeysOf(action.id)}
      data-command={action.id}
      onClick={() => perform(action, rows)}
    >
      {titleIn(action, now)}
      <Keys keys={keysOf(action.id)} />
    </PressButton>
  ))
}
/**
 * Where a detail shows what can be decided about it: in its head, below its name. Of a detail that
 * waits behind its list it stands in the toolbar, where it can be seen.
 */
export const Decisions = () => {
  const say = useSay()
  const detail = useDetail()
  const { stage } = usePane()
  const hold = useCallback(
    (element: HTMLElement | null) => {
      stage.head = element
    },
    [stage],
  )
  if (detail?.visible === false) return null
  return (
    <div ref={hold} className="m-decisions" role="toolbar" aria-label={say(['处理', 'Decide'])} />
  )
}

/** Pixels that the menu behind the buttons takes. */
const MENU = 34
/**
 * The actions of a page: the main ones as buttons while there is room in one row, all of them in
 * the menu behind, each with its key and, where it can't be had, the reason. "Who changed this"
 * comes by itself. `beside`: the row is the one whose detail stands beside the list, and what is
 * decided about it stands in its head.
 * `plain`: the page's blue button is another's, such as that which saves what was changed.
 */
export const Toolbar = ({
  actions,
  rows,
  beside = false,
  plain = false,
  children,
}: {
  actions: readonly Action[]
  rows: readonly any[]
  beside?: boolean
  plain?: boolean
  children?: React.ReactNode
}) => {
  const { me, pageAt, historyFrom } = useWorkbench()
  const { stage } = usePane()
  const say = useSay()
  const reason = useReason()
  const [at] = useLocation()
  const page = pageAt(at)
  const history = page && historyFrom(page)
  const head = useSyncExternalStore(stage.subscribe, () => stage.head)
  const [isOpen, show] = useState(false)
  const mine = [...actions, ...(history ? [history] : [])].filter(action => me.can(action.permit))
  const main = mine.filter(action => action.main)
  const canLead = (action: Action) =>
    action.main === true && !action.danger && reason(action, rows) === undefined
  const lead = plain ? undefined : main.find(canLead)
  const leads = lead?.id
  useLayoutEffect(() => {
    if (leads === undefined) return undefined
    stage.lead = leads
    return () => {
      if (stage.lead === leads) stage.lead = undefined
    }
  }, [stage, leads])
  const place = beside ? head : null
  const inHead = place ? main.filter(action => action.takes !== 'none') : []
  const inRow = main.filter(action => !inHead.includes(action))
  const { row, sizes } = useSizes(inRow.map(action => action.id).join(), '[data-fits]')
  const shown =
    sizes.widths.length === inRow.length
      ? fitting(sizes.widths, lead ? inRow.indexOf(lead) : -1, sizes.room - MENU, 0)
      : undefined
  return (
    <div className="m-toolbar" role="toolbar" aria-label={say(['操作', 'Actions'])}>
      {place && createPortal(<Buttons actions={inHead} rows={rows} lead={lead} />, place)}
      <div className="m-acts" ref={row}>
        <Buttons actions={inRow} rows={rows} lead={lead} shown={shown} />
        <Popover
          isOpen={isOpen}
          show={show}
          placement="bottom-start"
          content={<ActionMenu actions={mine} rows={rows} />}
        >
          <Button
            size="small"
            variant="minimal"
            icon={<More />}
            data-actions
            aria-label={say(['更多操作', 'More actions'])}
          />
        </Popover>
      </div>
      {children}
    </div>
  )
}

/** The same actions as a menu: of the toolbar and of a row. */
export const ActionMenu = ({
  actions,
  rows,
}: {
  actions: readonly Action[]
  rows: readonly any[]
}) => {
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
    <EntryMenu>
      {safe.map(item)}
      {dangerous.length > 0 && <MenuDivider />}
      {dangerous.map(item)}
    </EntryMenu>
  )
}
