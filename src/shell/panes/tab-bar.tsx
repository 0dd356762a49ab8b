import { Button, ContextMenuPopover, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core'
import { ChevronDown, Cross, Pin, Tick } from '@blueprintjs/icons'
import {
  memo,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import { shallowEqual } from 'react-redux'
import * as shell from '#commands/shell.ts'
import { EntryMenu } from '#src/kit/menu.tsx'
import { MenuEntry } from '#src/kit/pressable.tsx'
import { useSay } from '#src/kit/text.ts'
import { useDesk } from '../desk.ts'
import { useAppDispatch, useAppSelector } from '../store.ts'
import { FrozenMark } from './frozen-mark.tsx'
import { PaneTools } from './pane-header.tsx'
import { usePaneTitle } from './shown.ts'
import { othersOf, tabsWith } from './tabs.ts'
import type { PaneId } from './tree.ts'
import { workspace } from './workspace.ts'

/** How far a pressed tab is moved before it is a drag. */
const SLOP_PX = 6

/** What can be done with one tab; the same by key where it is the tab in front. */
const TabMenu = ({ pane }: { pane: PaneId }) => {
  const desk = useDesk()
  const say = useSay()
  const dispatch = useAppDispatch()
  const pinned = desk.pane(pane)?.pinned === true
  const none = say(['没有可关闭的标签页', 'There is no tab to close'])
  const others = othersOf(desk.workspace, pane)
  const right = othersOf(desk.workspace, pane, 'right')
  const keys = (action: { id: string }) => desk.keysOf(action.id) ?? ''
  return (
    <EntryMenu>
      <MenuItem
        text={say(['刷新', 'Refresh'])}
        label={keys(shell.refreshTab)}
        onClick={() => desk.refresh(pane)}
      />
      <MenuItem
        text={pinned ? say(['取消固定', 'Unpin']) : say(['固定', 'Pin'])}
        label={keys(shell.pinTab)}
        onClick={() => dispatch(workspace.tabPinned({ pane, on: !pinned }))}
      />
      <MenuDivider />
      <MenuItem
        text={say(['关闭', 'Close'])}
        label={keys(shell.closePane)}
        onClick={() => desk.close(pane)}
      />
      <MenuEntry
        text={say(['关闭其他', 'Close the others'])}
        label={keys(shell.closeOtherTabs)}
        why={others.length > 0 ? undefined : none}
        onClick={() => desk.closeTabs(others)}
      />
      <MenuEntry
        text={say(['关闭右侧', 'Close those to the right'])}
        label={keys(shell.closeTabsRight)}
        why={right.length > 0 ? undefined : none}
        onClick={() => desk.closeTabs(right)}
      />
    </EntryMenu>
  )
}

/** Every tab of the strip, where not all of them are in sight. */
const TabList = ({ tabs, active }: { tabs: readonly PaneId[]; active: PaneId }) => {
  const desk = useDesk()
  const title = usePaneTitle()
  return (
    <EntryMenu className="s-tab-list">
      {tabs.map(id => (
        <MenuItem
          key={id}
          roleStructure="listoption"
          selected={id === active}
          icon={id === active ? <Tick /> : <span className="bp6-icon" style={{ width: 16 }} />}
          text={title(desk.pane(id)?.at)}
          onClick={() => desk.focus(id)}
        />
      ))}
    </EntryMenu>
  )
}

/** Whether the strip holds more than is in sight; the tab in front always is. */
const useOverflow = (strip: RefObject<HTMLDivElement | null>, active: PaneId, count: number) => {
  const [over, setOver] = useState(false)
  useLayoutEffect(() => {
    const box = strip.current
    if (!box) return
    const look = () => {
      setOver(box.scrollWidth > box.clientWidth + 1)
      box.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(box)
    return () => watch.disconnect()
  }, [strip, active, count])
  return over
}

/** A pressed tab follows the pointer: it changes places with the one it is moved over. */
const useTabDrag = (strip: RefObject<HTMLDivElement | null>) => {
  const dispatch = useAppDispatch()
  const pressed = useRef<{ pane: PaneId; x: number; moves: boolean } | null>(null)
  const onPointerMove = (event: PointerEvent) => {
    const now = pressed.current
    if (!now || !strip.current) return
    if (!now.moves && Math.abs(event.clientX - now.x) < SLOP_PX) return
    if (!now.moves) strip.current.setPointerCapture(event.pointerId)
    now.moves = true
    const tabs = [...strip.current.querySelectorAll<HTMLElement>('[data-tab]')]
    const to = tabs.findIndex(tab => event.clientX < tab.getBoundingClientRect().right)
    dispatch(workspace.tabPlaced({ pane: now.pane, to: to < 0 ? tabs.length - 1 : to }))
  }
  return {
    press: (pane: PaneId, event: PointerEvent) => {
      if (event.button === 0) pressed.current = { pane, x: event.clientX, moves: false }
    },
    onPointerMove,
    onPointerUp: () => {
      pressed.current = null
    },
    onPointerCancel: () => {
      pressed.current = null
    },
  }
}

/** The tab whose menu is open, and where that stands. */
type Menued = { pane: PaneId; at: { left: number; top: number } }
type TabProps = {
  id: PaneId
  title: string
  active: boolean
  press: (pane: PaneId, event: PointerEvent) => void
  openMenu: (pane: PaneId, at: Menued['at']) => void
}
const Tab = ({ id, title, active, press, openMenu }: TabProps) => {
  const desk = useDesk()
  const say = useSay()
  const dispatch = useAppDispatch()
  const pinned = useAppSelector(state => state.workspace.byId[id]?.pinned === true)
  return (
    <div
      className="s-tab"
      data-tab={id}
      data-active={active || undefined}
      data-pinned={pinned || undefined}
      onPointerDown={event => press(id, event)}
      onMouseDown={event => {
        // The middle button would begin to scroll.
        if (event.button === 1) event.preventDefault()
      }}
      onAuxClick={event => {
        if (event.button === 1 && !pinned) desk.close(id)
      }}
      onContextMenu={event => {
        event.preventDefault()
        // By key it comes from the tab itself.
        const box = event.currentTarget.getBoundingClientRect()
        openMenu(id, { left: event.clientX || box.left + 8, top: event.clientY || box.bottom })
      }}
    >
      <FrozenMark pane={id} />
      {pinned && <Pin size={12} title={say(['已固定', 'Pinned'])} />}
      <button
        type="button"
        role="tab"
        aria-selected={active}
        tabIndex={active ? 0 : -1}
        title={title}
        onClick={() => dispatch(workspace.focused(id))}
      >
        {title}
      </button>
      {!pinned && (
        <button
          type="button"
          className="s-tab-close"
          tabIndex={-1}
          aria-label={say(['关闭 {name}', 'Close {name}'], { name: title })}
          onClick={() => desk.close(id)}
        >
          <Cross size={12} />
        </button>
      )}
    </div>
  )
}

type StripProps = {
  tabs: readonly PaneId[]
  active: PaneId
  strip: RefObject<HTMLDivElement | null>
  openMenu: (menu: Menued) => void
}
/** The tabs themselves: arrows go along them, Delete closes the one in front. */
const TabStrip = ({ tabs, active, strip, openMenu }: StripProps) => {
  const desk = useDesk()
  const dispatch = useAppDispatch()
  const say = useSay()
  const title = usePaneTitle()
  const { press, ...drag } = useTabDrag(strip)
  const ats = useAppSelector(state => tabs.map(id => state.workspace.byId[id]?.at), shallowEqual)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const ends = { Home: tabs[0], End: tabs.at(-1) }[event.key]
    const next = by ? tabs[(tabs.indexOf(active) + by + tabs.length) % tabs.length] : ends
    if (next) {
      event.preventDefault()
      dispatch(workspace.focused(next))
    }
    if (event.key === 'Delete') desk.close(active)
  }
  return (
    <div
      ref={strip}
      role="tablist"
      aria-label={say([shell.tabList.title, shell.tabList.en])}
      className="s-tablist"
      onKeyDown={onKeyDown}
      onWheel={event => {
        event.currentTarget.scrollLeft += event.deltaY
      }}
      {...drag}
    >
      {tabs.map((id, i) => (
        <Tab
          key={id}
          id={id}
          title={title(ats[i])}
          active={id === active}
          press={press}
          openMenu={(pane, at) => openMenu({ pane, at })}
        />
      ))}
    </div>
  )
}

/** The tabs of a group stand where a lone pane has its header. */
export const TabBar = memo(({ tabs, active }: { tabs: readonly PaneId[]; active: PaneId }) => {
  const desk = useDesk()
  const say = useSay()
  const strip = useRef<HTMLDivElement>(null)
  const over = useOverflow(strip, active, tabs.length)
  const [menu, setMenu] = useState<Menued | null>(null)
  const [listed, setListed] = useState(false)
  const focused = useAppSelector(
    ({ workspace: { focused: at } }) => at !== null && tabs.includes(at),
  )
  const maximised = useAppSelector(state => state.workspace.maximised === active)
  useEffect(
    () => (focused ? desk.global(shell.tabList.id, () => setListed(true)) : undefined),
    [desk, focused],
  )
  const label = say([shell.tabList.title, shell.tabList.en])
  return (
    <div className="s-tabs" data-focused={focused || undefined}>
      <TabStrip tabs={tabs} active={active} strip={strip} openMenu={setMenu} />
      {(over || listed) && (
        <PopoverNext
          placement="bottom-end"
          isOpen={listed}
          onInteraction={setListed}
          content={<TabList tabs={tabs} active={active} />}
        >
          <Button
            size="small"
            variant="minimal"
            icon={<ChevronDown size={14} />}
            text={tabs.length}
            aria-label={`${label} ${tabs.length}`}
            title={`${label} ${desk.keysOf(shell.tabList.id) ?? ''}`.trim()}
            data-command={shell.tabList.id}
          />
        </PopoverNext>
      )}
      {menu && tabsWith(desk.workspace, active).includes(menu.pane) && (
        <ContextMenuPopover
          isOpen
          content={<TabMenu pane={menu.pane} />}
          targetOffset={menu.at}
          onClose={() => setMenu(null)}
        />
      )}
      <PaneTools pane={active} maximised={maximised} />
    </div>
  )
})
TabBar.displayName = 'TabBar'
