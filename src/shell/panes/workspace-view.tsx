import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Action } from '#commands/command.ts'
import { shortcuts } from '#commands/shell.ts'
import { loadable } from '#src/kit/loadable.tsx'
import { useSetting } from '#src/kit/memory.ts'
import { Keys } from '#src/kit/show.tsx'
import { titleIn, useLang } from '#src/kit/text.ts'
import { PaneFocused } from '#src/kit/workbench.ts'
import { useDesk } from '../desk.ts'
import { keysFor, keySettings } from '../keys/bound.ts'
import { isGlobal } from '../registry.ts'
import { useAppDispatch, useAppSelector } from '../store.ts'
import { forgetFocus, noteFocus, restoreFocus } from './focus-memory.ts'
import { PaneBody } from './pane-body.tsx'
import { PaneHeader } from './pane-header.tsx'
import { PrintHead } from './print-head.tsx'
import { paneDomId, Separators } from './separators.tsx'
import { usePaneTitle } from './shown.ts'
import { TabBar } from './tab-bar.tsx'
import { boxes, type Box, type PaneId, type Tree } from './tree.ts'
import { workspace } from './workspace.ts'

const Frames = loadable(
  async () => (await import('./frames.tsx')).Frames,
  <div className="s-lone" />,
)
/** After the first list is there. */
const FRAMES_MS = 3000

/**
 * While something is dragged the flat layer must let the drop targets below be hit; set a turn
 * later, or the drag would end at once.
 */
const useDragging = () =>
  useEffect(() => {
    const set = (on: boolean) => document.documentElement.classList.toggle('dragging', on)
    const start = () => void setTimeout(() => set(true), 0)
    const end = () => set(false)
    addEventListener('dragstart', start)
    for (const name of ['dragend', 'drop'] as const) addEventListener(name, end)
    return () => {
      removeEventListener('dragstart', start)
      for (const name of ['dragend', 'drop'] as const) removeEventListener(name, end)
      end()
    }
  }, [])

/** The three most useful keys now. */
const Foot = memo(({ pane }: { pane: PaneId }) => {
  const desk = useDesk()
  const now = useLang()
  useSetting(keySettings)
  const at = useAppSelector(state => state.workspace.byId[pane]?.at ?? '')
  const stage = useMemo(() => desk.stage(pane), [desk, pane, at])
  const [, draw] = useState(0)
  useEffect(() => stage.subscribe(() => draw(n => n + 1)), [stage])
  const useful = desk
    .offers(pane)
    .filter(({ action, why }) => keysFor(action) && !why && !isGlobal(action))
  const worth = (id: string, main: Action['main']) => {
    if (id === stage.lead) return 0
    if (main) return 1
    if (id === 'list.open' || id === 'list.select') return 2
    return id.startsWith('list.') ? 4 : 3
  }
  const three = useful
    .map((offer, i) => ({ offer, worth: worth(offer.action.id, offer.action.main) * 100 + i }))
    .sort((a, b) => a.worth - b.worth)
    .slice(0, 3)
  return (
    <footer className="s-pane-foot">
      {three.map(({ offer }) => (
        <button
          type="button"
          tabIndex={-1}
          key={offer.action.id}
          data-command={offer.action.id}
          onClick={() => desk.perform(offer, pane)}
        >
          <kbd className="m-key">{desk.keysOf(offer.action.id)}</kbd>
          {titleIn(offer.action, now)}
        </button>
      ))}
      <span className="s-fill" />
      <button
        type="button"
        tabIndex={-1}
        aria-label={titleIn(shortcuts, now)}
        title={titleIn(shortcuts, now)}
        data-command={shortcuts.id}
        onClick={() => desk.perform({ action: shortcuts, rows: [] }, pane)}
      >
        <Keys keys={desk.keysOf(shortcuts.id)} />
      </button>
    </footer>
  )
})
Foot.displayName = 'Foot'

const place = (box: Box) => ({
  left: `${box.left}%`,
  top: `calc(${box.top}% + 30px)`,
  width: `calc(${box.width}% - 1px)`,
  height: `calc(${box.height}% - 31px)`,
})
const PaneHost = memo(({ pane, box }: { pane: PaneId; box: Box | undefined }) => {
  const dispatch = useAppDispatch()
  const title = usePaneTitle()
  const at = useAppSelector(state => state.workspace.byId[pane]?.at)
  const focused = useAppSelector(state => state.workspace.focused === pane)
  const visible = box !== undefined
  const desk = useDesk()
  useEffect(
    () => () => {
      if (!desk.pane(pane)) forgetFocus(pane)
    },
    [desk, pane],
  )
  // Coming into view, or being chosen by key, brings the focus back to where it was in this pane.
  useLayoutEffect(() => {
    if (visible && focused) restoreFocus(pane)
  }, [visible, focused, pane])
  const take = () => {
    if (!focused) dispatch(workspace.focused(pane))
  }
  const own = useRef<HTMLElement>(null)
  return (
    <section
      ref={own}
      data-pane={pane}
      data-front={focused || undefined}
      id={paneDomId(pane)}
      className="s-pane"
      role="region"
      aria-label={title(at)}
      tabIndex={-1}
      style={box ? place(box) : { display: 'none' }}
      onFocus={event => {
        noteFocus(pane, event.target)
        take()
      }}
      onPointerDown={take}
    >
      {focused && <PrintHead pane={own} title={title(at)} />}
      <div className="s-pane-body">
        <PaneFocused value={focused}>
          <PaneBody pane={pane} visible={visible} />
        </PaneFocused>
      </div>
      {visible && <Foot pane={pane} />}
    </section>
  )
})

/** What stands round the panes: only of those side by side does mosaic draw it. */
const Frame = ({ shown }: { shown: Tree | null }) => {
  if (shown === null) return <div className="s-lone" />
  if (typeof shown === 'string')
    return (
      <div className="s-lone">
        <PaneHeader pane={shown} />
      </div>
    )
  if (shown.type === 'split') return <Frames shown={shown} />
  return (
    <div className="s-lone">
      <TabBar tabs={shown.tabs} active={shown.tabs[shown.activeTabIndex]!} />
    </div>
  )
}
/**
 * Panes: a lone one has its header, of several mosaic draws the frames and takes drags; the pages
 * stand in one flat layer above, so that no change of layout ever mounts one anew.
 */
export const WorkspaceView = memo(() => {
  const desk = useDesk()
  const tree = useAppSelector(state => state.workspace.tree)
  const maximised = useAppSelector(state => state.workspace.maximised)
  const ids = useAppSelector(state => Object.keys(state.workspace.byId).join(' '))
  const title = usePaneTitle()
  useDragging()
  // Asked for while nobody waits, so that the first split finds it there.
  useEffect(() => {
    const timer = setTimeout(() => {
      Frames.preload().catch(() => {
        /* asked for again when it is needed */
      })
    }, FRAMES_MS)
    return () => clearTimeout(timer)
  }, [])
  const shown: Tree | null = maximised ?? tree
  // Mosaic's drag hides the pane by giving it no room: where that is so it has no place.
  const all = useMemo(() => boxes(shown), [shown])
  const many = maximised !== null || (typeof shown === 'object' && shown?.type === 'split')
  // In the order of opening: a pane must never move in the document.
  const order = useRef<PaneId[]>([])
  const open = ids === '' ? [] : ids.split(' ')
  order.current = [
    ...order.current.filter(id => open.includes(id)),
    ...open.filter(id => !order.current.includes(id)),
  ]
  return (
    <div className="s-workspace" data-many={many || undefined}>
      <Frame shown={shown} />
      <div className="s-flat">
        {order.current.map(id => (
          <PaneHost
            key={id}
            pane={id}
            box={all[id] && all[id].width > 0 && all[id].height > 0 ? all[id] : undefined}
          />
        ))}
      </div>
      <div className="s-separators">
        <Separators tree={shown} name={id => title(desk.pane(id)?.at)} />
      </div>
    </div>
  )
})
WorkspaceView.displayName = 'WorkspaceView'
