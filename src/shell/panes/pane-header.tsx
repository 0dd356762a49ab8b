import { Button, MenuItem, PopoverNext } from '@blueprintjs/core'
import {
  ChevronRight,
  Cross,
  Link,
  Maximize,
  Minimize,
  More,
  SplitColumns,
} from '@blueprintjs/icons'
import { memo } from 'react'
import type { Action } from '#commands/command.ts'
import { pinPage, unpinPage } from '#commands/home.ts'
import * as shell from '#commands/shell.ts'
import { useSetting } from '#src/kit/memory.ts'
import { EntryMenu } from '#src/kit/menu.tsx'
import { MenuEntry } from '#src/kit/pressable.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { keySettings } from '../keys/bound.ts'
import { useAppDispatch, useAppSelector } from '../store.ts'
import { shownAt, usePaneTitle } from './shown.ts'
import type { PaneId } from './tree.ts'
import { workspace } from './workspace.ts'

const paneActions: readonly Action[] = [
  shell.splitRight,
  shell.splitBelow,
  shell.newTab,
  shell.maximise,
  shell.moveLeft,
  shell.moveRight,
  shell.moveUp,
  shell.moveDown,
  shell.swapNext,
  shell.equalise,
  shell.popOut,
  shell.keptPages,
  shell.copyLink,
  pinPage,
  unpinPage,
  shell.closeOthers,
]
const PaneMenu = ({ pane }: { pane: PaneId }) => {
  const desk = useDesk()
  const now = useLang()
  const say = useSay()
  const item = (action: Action) => (
    <MenuEntry
      key={action.id}
      data-command={action.id}
      text={titleIn(action, now)}
      label={desk.keysOf(action.id) ?? ''}
      why={undefined}
      onClick={() => desk.perform({ action, rows: [] }, pane)}
    />
  )
  return (
    <EntryMenu>
      <MenuItem text={say(['联动', 'Link'])} icon={<Link />}>
        {[shell.followBeside, ...shell.link, shell.unlink].map(item)}
      </MenuItem>
      {paneActions.map(item)}
    </EntryMenu>
  )
}

/** On which channel a pane is; pressed, it is taken off. */
const LinkMark = ({ pane }: { pane: PaneId }) => {
  const dispatch = useAppDispatch()
  const say = useSay()
  const channel = useAppSelector(state => state.workspace.byId[pane]?.channel)
  if (channel === undefined) return null
  return (
    <button
      type="button"
      className="s-link"
      data-channel={channel}
      aria-label={say(['已联动：通道 {n}，按下取消', 'Linked to channel {n}; press to unlink'], {
        n: channel,
      })}
      title={say([
        '同一通道的窗格跟随前面窗格的当前行；有未保存的修改时不跟随',
        'Panes on a channel follow the row of the one in front; one with unsaved changes stays',
      ])}
      onClick={() => dispatch(workspace.linked({ pane, channel: undefined }))}
    >
      <Link size={12} />
      {channel}
    </button>
  )
}
/** The 30 px above a pane: what it shows, and what can be done with it. */
export const PaneHeader = ({ pane, tools = true }: { pane: PaneId; tools?: boolean }) => {
  const desk = useDesk()
  const dispatch = useAppDispatch()
  const now = useLang()
  const at = useAppSelector(state => state.workspace.byId[pane]?.at ?? '')
  const focused = useAppSelector(state => state.workspace.focused === pane)
  const maximised = useAppSelector(state => state.workspace.maximised === pane)
  const title = usePaneTitle()(at)
  const shown = shownAt(at, desk.me.can)
  const focus = () => {
    if (!focused) dispatch(workspace.focused(pane))
  }
  return (
    <header
      className="s-pane-header"
      data-focused={focused || undefined}
      onPointerDown={focus}
      onDoubleClick={event => {
        if (!(event.target as Element).closest('button')) dispatch(workspace.maximised(pane))
      }}
    >
      {typeof shown === 'object' &&
        shown.above.map(one => (
          <span key={one.path} className="s-crumb">
            <button type="button" onClick={() => desk.open(one.path, 'here', pane)}>
              {titleIn(one, now)}
            </button>
            <ChevronRight size={12} />
          </span>
        ))}
      <h2>{title}</h2>
      {tools && <PaneTools pane={pane} maximised={maximised} />}
    </header>
  )
}
export const PaneTools = memo(({ pane, maximised }: { pane: PaneId; maximised: boolean }) => {
  const desk = useDesk()
  const say = useSay()
  useSetting(keySettings)
  const dispatch = useAppDispatch()
  const at = useAppSelector(state => state.workspace.byId[pane]?.at ?? '')
  const named = (action: Action) =>
    `${say([action.title, action.en])} ${desk.keysOf(action.id) ?? ''}`.trim()
  return (
    <span className="s-pane-tools">
      <LinkMark pane={pane} />
      <Button
        size="small"
        variant="minimal"
        icon={<SplitColumns size={14} />}
        aria-label={say([shell.splitRight.title, shell.splitRight.en])}
        title={named(shell.splitRight)}
        data-command={shell.splitRight.id}
        onClick={() => dispatch(workspace.opened({ at, how: 'right', beside: pane }))}
      />
      <Button
        size="small"
        variant="minimal"
        icon={maximised ? <Minimize size={14} /> : <Maximize size={14} />}
        aria-label={say([shell.maximise.title, shell.maximise.en])}
        aria-pressed={maximised}
        title={named(shell.maximise)}
        data-command={shell.maximise.id}
        onClick={() => dispatch(workspace.maximised(pane))}
      />
      <PopoverNext placement="bottom-end" content={<PaneMenu pane={pane} />}>
        <Button
          size="small"
          variant="minimal"
          icon={<More size={14} />}
          aria-label={say(['更多', 'More'])}
          title={say(['更多', 'More'])}
        />
      </PopoverNext>
      <Button
        size="small"
        variant="minimal"
        icon={<Cross size={14} />}
        aria-label={say([shell.closePane.title, shell.closePane.en])}
        title={named(shell.closePane)}
        data-command={shell.closePane.id}
        onClick={() => desk.close(pane)}
      />
    </span>
  )
})
PaneTools.displayName = 'PaneTools'
