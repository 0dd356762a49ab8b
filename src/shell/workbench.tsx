import { OverlaysProvider } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import '#src/kit/kit.css'
import './shell.css'
import './keys/keys.css'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type MouseEvent,
} from 'react'
import { navigate } from 'wouter/use-browser-location'
import { home } from '#commands/pages/home.ts'
import * as shell from '#commands/shell.ts'
import { CHANNELS } from '#src/areas/workbench/layout.ts'
import { countText } from '#src/domain/count.ts'
import type { Lang } from '#src/domain/text.ts'
import { AskDialog } from '#src/kit/asking.tsx'
import { Coming } from '#src/kit/coming.tsx'
import { api } from '#src/kit/data.ts'
import { LeavingDialog } from '#src/kit/leaving.tsx'
import { loadable } from '#src/kit/loadable.tsx'
import { useSetting } from '#src/kit/memory.ts'
import { setLang, titleIn, useLang, useSay } from '#src/kit/text.ts'
import { WorkbenchContext, type Workbench as Kit } from '#src/kit/workbench.ts'
import { HOME, layoutCodeIn, pathOf, screenOf, tidy } from './address.ts'
import { BulkHost, BulkReport } from './bulk-strip.tsx'
import { Desk, DeskContext, useDesk } from './desk.ts'
import { ExportList } from './exports.tsx'
import { useGrantedBy } from './grantors.ts'
import { keySettings } from './keys/bound.ts'
import { Keys } from './keys/dispatch.tsx'
import { Hints } from './keys/hints.tsx'
import { followHabits } from './palette/habits.ts'
import { PaletteHost, prepare } from './palette/host.tsx'
import { remember } from './palette/used.ts'
import { restoreFocusSoon } from './panes/focus-memory.ts'
import { keepLayout, mirrorAddress, restoreLayout } from './panes/layout.ts'
import { layoutsOf, startingLayout } from './panes/layouts.ts'
import { followBeside, linkPanes } from './panes/links.ts'
import { shownAt } from './panes/shown.ts'
import { carryOutTabs } from './panes/tabs.ts'
import { holdWindow, openLine, popPanes, poppedFrom } from './panes/windows.ts'
import { WorkspaceView } from './panes/workspace-view.tsx'
import { single, workspace, type Workspace } from './panes/workspace.ts'
import { PersonDialogs } from './person/dialogs.tsx'
import { carryOutPinning, noteRecent, recentPaths } from './places.ts'
import { everything, historyFrom, pageAt, spelled } from './registry.ts'
import { Relearning } from './relearning.tsx'
import { lockWhenIdle } from './session/auto-lock.ts'
import { follow, type LineState } from './session/follow.ts'
import { lockScreen, useLocked } from './session/lock.ts'
import { sessionEnded, signOut, type MeFacts } from './session/session.ts'
import { closeSettings, flushSettings, loadSettings, openSettings, setting } from './settings.ts'
import { Sidebar, useFoldedMenu } from './sidebar.tsx'
import { useAppDispatch, useAppSelector, useAppStore } from './store.ts'
import { chooseContrast, chooseTheme, stored, type Contrast } from './stored.ts'
import { teachKeys } from './tips.ts'
import { toast } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'
import { useWaiting, WaitingTimer } from './waiting.tsx'

const ConflictDialog = loadable(
  async () => (await import('#src/kit/conflict.tsx')).ConflictDialog,
  <Coming />,
)
const Rebind = loadable(
  async () => {
    await everything()
    return (await import('./keys/rebind.tsx')).Rebind
  },
  <Coming />,
)
const KeyCard = loadable(
  async () => {
    await everything()
    return (await import('./keys/card.tsx')).KeyCard
  },
  <Coming />,
)
const KeySheet = loadable(async () => (await import('./keys/sheet.tsx')).KeySheet, <Coming />)
const KeptDialog = loadable(
  async () => (await import('./panes/kept-dialog.tsx')).KeptDialog,
  <Coming />,
)
const LayoutsDialog = loadable(
  async () => (await import('./panes/layouts-dialog.tsx')).LayoutsDialog,
  <Coming />,
)
const ExportDialog = loadable(
  async () => (await import('./exports-dialog.tsx')).ExportDialog,
  <Coming />,
)
const UndoDialog = loadable(
  async () => {
    await everything()
    return (await import('./undo-dialog.tsx')).UndoDialog
  },
  <Coming />,
)
/** How long nobody has waited for anything before the rest is fetched. */
const IDLE_MS = 1500
const isWaiting = () =>
  document.querySelector('.s-page') === null ||
  document.querySelector('.s-page .m-lines, .s-page [aria-busy=true]') !== null
/** Does something once the first list is there. Answers how to take it back. */
const whenIdle = (does: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    timer = setTimeout(() => {
      if (isWaiting()) look()
      else does()
    }, IDLE_MS)
  }
  look()
  return () => clearTimeout(timer)
}
/** Whoever told the browser to save data is sent what they ask for, and nothing ahead. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
const fetchAhead = async (desk: Desk) => {
  if (savesData()) return
  await AskDialog.preload()
  await prepare(desk)
  for (const part of [
    ConflictDialog,
    ExportDialog,
    KeySheet,
    UndoDialog,
    LayoutsDialog,
    KeptDialog,
    BulkReport,
    ExportList,
  ])
    await part.preload()
}
const SIDEBAR = 'mallet.sidebar'
const meOf = (facts: MeFacts): Kit['me'] => {
  const permits = new Set(facts.permits)
  return {
    id: facts.id,
    name: facts.name,
    account: facts.account,
    can: permit => permit === 'signed-in' || permit === 'public' || permits.has(permit),
  }
}

/** An action's questions, asked by the kit's dialog. */
const AskHost = () => {
  const desk = useDesk()
  const asking = useSyncExternalStore(desk.subscribe, () => desk.asking)
  if (!asking) return null
  return (
    <AskDialog
      key={asking.action.id + asking.rows.map(row => row.id).join()}
      action={asking.action}
      rows={asking.rows}
      given={asking.given}
      typed={asking.typed}
      newer={asking.newer}
      left={asking.left}
      submit={asking.submit}
      cancel={asking.cancel}
    />
  )
}
/** Asks what becomes of what several changed at once; over a question, too. */
const ConflictHost = () => {
  const desk = useDesk()
  const settling = useSyncExternalStore(desk.subscribe, () => desk.settling)
  return settling && <ConflictDialog of={settling.of} answer={settling.answer} />
}
/** Asks before an export begins. */
const ExportHost = () => {
  const desk = useDesk()
  const exporting = useSyncExternalStore(desk.subscribe, () => desk.exporting)
  return exporting && <ExportDialog of={exporting.of} close={exporting.close} />
}
/** Asks before something half written is left. */
const LeavingHost = () => {
  const desk = useDesk()
  const leaving = useSyncExternalStore(desk.subscribe, () => desk.leaving)
  return leaving && <LeavingDialog answer={leaving.answer} />
}
/**
 * A lost connection is a strip, not a dialog: what is open can still be read, and is fetched again
 * when the line is back.
 */
const OfflineStrip = ({ line }: { line: LineState }) => {
  const say = useSay()
  const [late, setLate] = useState(false)
  // A line that comes back at once is not worth a word.
  useEffect(() => {
    const timer = setTimeout(() => setLate(line === 'lost'), line === 'lost' ? 3000 : 0)
    return () => clearTimeout(timer)
  }, [line])
  return late ? (
    <div className="s-strip" role="status">
      {say([
        '与服务器的连接已断开，正在重连；内容可能不是最新。',
        'The connection is lost and being tried again; what you see may be old.',
      ])}
    </div>
  ) : null
}
/**
 * The title of the browser's tab is that of the pane in front, with what waits there. A part of its
 * own: a step from pane to pane draws nothing else of the workbench.
 */
const TabTitle = () => {
  const { can, id } = useDesk().me
  const say = useSay()
  const now = useLang()
  const locked = useLocked(id)
  const at = useAppSelector(state => state.workspace.byId[state.workspace.focused ?? '']?.at ?? '')
  const waiting = useWaiting().get(pathOf(at))?.count
  useEffect(() => {
    const shown = shownAt(at, can)
    if (locked) {
      document.title = `${say([shell.lockScreen.title, shell.lockScreen.en])} · Mallet`
      return
    }
    document.title =
      typeof shown === 'object'
        ? `${waiting ? `(${countText(waiting)}) ` : ''}${titleIn(shown.page, now)} · Mallet`
        : 'Mallet'
  }, [at, now, waiting, can, locked, say])
  return null
}

/** Where the workbench's own actions are carried out. */
const useOwnActions = (
  desk: Desk,
  open: {
    palette: (start: string) => void
    sheet: () => void
    rebind: () => void
    card: () => void
    sidebar: () => void
    layouts: () => void
    kept: () => void
    undos: () => void
  },
) => {
  const dispatch = useAppDispatch()
  useEffect(() => {
    const front = () => desk.workspace.focused ?? ''
    const then = (does: () => unknown) => () => {
      does()
      restoreFocusSoon(front)
    }
    const at = () => desk.pane()?.at ?? HOME
    const theme = (name: 'light' | 'dark' | 'system') => () => chooseTheme(desk.me.account, name)
    const contrast = (name: Contrast) => () => chooseContrast(desk.me.account, name)
    const speak = (next: Lang) => () => setLang(next)
    const does: [{ id: string }, () => unknown][] = [
      [shell.palette, () => open.palette('')],
      [shell.commandPalette, () => open.palette('>')],
      [shell.shortcuts, open.sheet],
      [shell.bindKeys, open.rebind],
      [shell.keyCard, open.card],
      [shell.sidebar, open.sidebar],
      [shell.layoutList, open.layouts],
      [shell.keptPages, open.kept],
      [shell.copyLink, () => void desk.copyLink()],
      [shell.undo, desk.undo],
      [shell.undoList, open.undos],
      [shell.goBack, () => (history.state?.n > 0 ? history.back() : desk.back())],
      [shell.goForward, () => history.forward()],
      [
        shell.up,
        () => {
          // A page that shows a detail over its list has a level of its own.
          const { focused } = desk.workspace
          const own = focused ? desk.stage(focused).performer(shell.up.id) : undefined
          if (own) {
            own([])
            return
          }
          const page = pageAt(at())
          if ((desk.pane()?.back.length ?? 0) > 0 && page?.menu === false && page !== home)
            desk.back()
        },
      ],
      [shell.splitRight, () => dispatch(workspace.opened({ at: at(), how: 'right' }))],
      [shell.splitBelow, () => dispatch(workspace.opened({ at: at(), how: 'down' }))],
      [shell.newTab, () => dispatch(workspace.opened({ at: HOME, how: 'tab' }))],
      [shell.closePane, () => desk.close()],
      [shell.closeOthers, () => desk.closeOthers()],
      [shell.maximise, () => dispatch(workspace.maximised(front()))],
      [shell.focusLeft, then(() => dispatch(workspace.focusedBeside('left')))],
      [shell.focusRight, then(() => dispatch(workspace.focusedBeside('right')))],
      [shell.focusUp, then(() => dispatch(workspace.focusedBeside('up')))],
      [shell.focusDown, then(() => dispatch(workspace.focusedBeside('down')))],
      [shell.nextPane, then(() => dispatch(workspace.focusedNext(1)))],
      [shell.previousPane, then(() => dispatch(workspace.focusedNext(-1)))],
      [shell.nextPaneTab, then(() => dispatch(workspace.tabbed(1)))],
      [shell.previousPaneTab, then(() => dispatch(workspace.tabbed(-1)))],
      [shell.moveLeft, () => dispatch(workspace.moved({ pane: front(), side: 'left' }))],
      [shell.moveRight, () => dispatch(workspace.moved({ pane: front(), side: 'right' }))],
      [shell.moveUp, () => dispatch(workspace.moved({ pane: front(), side: 'up' }))],
      [shell.moveDown, () => dispatch(workspace.moved({ pane: front(), side: 'down' }))],
      [shell.swapNext, () => dispatch(workspace.swappedNext(front()))],
      [shell.equalise, () => dispatch(workspace.equalised())],
      [
        shell.wider,
        () => dispatch(workspace.resized({ pane: front(), direction: 'row', step: 5 })),
      ],
      [
        shell.narrower,
        () => dispatch(workspace.resized({ pane: front(), direction: 'row', step: -5 })),
      ],
      [
        shell.taller,
        () => dispatch(workspace.resized({ pane: front(), direction: 'column', step: 5 })),
      ],
      [
        shell.shorter,
        () => dispatch(workspace.resized({ pane: front(), direction: 'column', step: -5 })),
      ],
      ...CHANNELS.map((channel, at): [{ id: string }, () => unknown] => [
        shell.link[at]!,
        () => dispatch(workspace.linked({ pane: front(), channel })),
      ]),
      [shell.unlink, () => dispatch(workspace.linked({ pane: front(), channel: undefined }))],
      [shell.followBeside, () => followBeside(dispatch, desk)],
      [shell.themeLight, theme('light')],
      [shell.themeDark, theme('dark')],
      [shell.themeSystem, theme('system')],
      [shell.contrastMore, contrast('more')],
      [shell.contrastUsual, contrast('usual')],
      [shell.contrastSystem, contrast('system')],
      [shell.languageZh, speak('zh')],
      [shell.languageEn, speak('en')],
      [shell.lockScreen, () => lockScreen(desk.me.id)],
      [
        shell.signOut,
        () =>
          desk.leaveAll(() => {
            flushSettings()
            void dispatch(signOut())
          }),
      ],
    ]
    const undo = does.map(([action, run]) => desk.global(action.id, () => void run()))
    return () => {
      for (const take of undo) take()
    }
  }, [desk, dispatch, open])
}

const Inside = ({
  desk,
  asked,
}: {
  desk: Desk
  /** The layout link that the address was. */ asked: string | undefined
}) => {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const [sidebar, setSidebar] = useState(
    () => poppedFrom() === null && stored.get(SIDEBAR) !== 'off',
  )
  useFoldedMenu(setSidebar)
  const [palette, setPalette] = useState<string | null>(null)
  const [sheet, setSheet] = useState<'keys' | 'rebind' | 'card' | null>(null)
  const shut = useCallback(() => setSheet(null), [])
  const shutPalette = useCallback(() => setPalette(null), [])
  const [listed, setListed] = useState<'layouts' | 'kept' | 'undo' | null>(null)
  const layouts = useMemo(() => layoutsOf(store, desk), [store, desk])
  const link = useRef(asked)
  const [line, setLine] = useState<LineState>('open')
  const open = useMemo(
    () => ({
      palette: (start: string) => setPalette(start),
      sheet: () => setSheet('keys'),
      rebind: () => setSheet('rebind'),
      card: () => setSheet('card'),
      layouts: () => setListed('layouts'),
      kept: () => setListed('kept'),
      undos: () => setListed('undo'),
      sidebar: () =>
        setSidebar(on => {
          stored.set(SIDEBAR, on ? 'off' : 'on')
          return !on
        }),
    }),
    [],
  )
  useOwnActions(desk, open)
  useEffect(() => {
    if (line === 'open') flushSettings()
  }, [line])
  useEffect(
    () =>
      whenIdle(() => {
        fetchAhead(desk).catch(() => {
          /* asked for again when it is needed */
        })
      }),
    [desk],
  )
  useEffect(() => mirrorAddress(store, desk), [store, desk])
  useEffect(() => {
    const line = openLine(desk.me.id)
    const unlink = linkPanes(store, desk, line)
    const { toggle, stop } = popPanes(store, desk, line)
    const release = holdWindow()
    const undo = desk.global(shell.popOut.id, toggle)
    return () => {
      undo()
      stop()
      unlink()
      release()
      line.close()
    }
  }, [store, desk])
  useEffect(() => {
    const stop = layouts.carryOut()
    // Once: whoever signs in again comes back to what they had.
    if (link.current !== undefined) void layouts.openLink(link.current)
    link.current = undefined
    return stop
  }, [layouts])
  useEffect(() => keepLayout(store, desk.me.id), [store, desk])
  useEffect(() => noteRecent(store, desk), [store, desk])
  useEffect(() => carryOutPinning(store, desk), [store, desk])
  useEffect(() => carryOutTabs(store, desk), [store, desk])
  useEffect(teachKeys, [])
  useEffect(() => followHabits(desk.me.id), [desk])
  useEffect(() => lockWhenIdle(desk.me.id), [desk])
  // Locked since before a reload, nothing was there yet that could have the focus back.
  const locked = useLocked(desk.me.id)
  useEffect(() => {
    if (!locked) restoreFocusSoon(() => desk.workspace.focused)
  }, [desk, locked])
  useEffect(
    () =>
      follow(
        dispatch,
        () => ({ api: store.getState()[api.reducerPath] }),
        setLine,
        () => dispatch(sessionEnded({ status: 410000, message: '' })),
      ),
    [dispatch, store],
  )
  useEffect(() => {
    const tell = (id: string) => remember(desk, id)
    desk.ran.add(tell)
    return () => void desk.ran.delete(tell)
  }, [desk])
  // Links that no page took: they open in the pane they stand in.
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest?.('a[href]')
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      !(link instanceof HTMLAnchorElement)
    )
      return
    if (
      link.origin !== location.origin ||
      link.hasAttribute('download') ||
      link.target ||
      screenOf(link.pathname) !== 'manage'
    )
      return
    event.preventDefault()
    const pane = link.closest('[data-pane]')?.getAttribute('data-pane') ?? desk.workspace.focused
    desk.open(link.pathname + link.search, event.altKey ? 'beside' : 'here', pane)
  }
  return (
    <div className="s-workbench" data-sidebar={sidebar || undefined} onClick={onClick}>
      <TabTitle />
      <Relearning />
      <WaitingTimer />
      <TopBar sidebar={sidebar} />
      {sidebar && <Sidebar />}
      <main>
        <WorkspaceView />
      </main>
      <Keys />
      <OfflineStrip line={line} />
      <BulkHost />
      {palette !== null && <PaletteHost start={palette} close={shutPalette} />}
      {listed === 'layouts' && <LayoutsDialog layouts={layouts} close={() => setListed(null)} />}
      {listed === 'kept' && <KeptDialog close={() => setListed(null)} />}
      {listed === 'undo' && <UndoDialog close={() => setListed(null)} />}
      <Hints />
      {sheet === 'keys' && <KeySheet close={shut} />}
      {sheet === 'rebind' && <Rebind close={shut} />}
      {sheet === 'card' && <KeyCard close={shut} />}
      <PersonDialogs />
      <AskHost />
      <ConflictHost />
      <ExportHost />
      <LeavingHost />
    </div>
  )
}

export { LockScreen } from './session/lock-screen.tsx'
/** Everything behind the sign-in, for one person. */
export const Workbench = () => {
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const facts = useAppSelector(state => state.session.me)!
  const me = useMemo(() => meOf(facts), [facts])
  const [desk] = useState(() => new Desk(store, me))
  const [ready, setReady] = useState(false)
  desk.me = me
  useLayoutEffect(() => (openSettings(me.id), closeSettings), [me.id])
  // Signed in, perhaps once more: what was set elsewhere meanwhile is taken, what was set here is
  // sent.
  useEffect(() => void loadSettings(), [facts])
  const [link] = useState(() => layoutCodeIn(location.pathname + location.search))
  useLayoutEffect(() => {
    const here = location.pathname + location.search
    const asked = screenOf(here) === 'manage' && link === undefined ? tidy(here) : null
    const known = asked !== null && pageAt(spelled(asked)) !== undefined
    let here_still = true
    const begin = (layout: Workspace) => {
      if (here_still) {
        dispatch(workspace.restored(layout))
        setReady(true)
      }
    }
    const kept = restoreLayout(me.id, known ? asked : null)
    if (kept || link !== undefined) begin(kept ?? single(HOME))
    else void startingLayout(dispatch).then(layout => begin(layout ?? single(HOME)))
    // Specification, section 2: an unknown path is sent to /error.
    if (asked !== null && !known)
      navigate(`/error?path=${encodeURIComponent(asked)}`, { replace: true })
    return () => {
      here_still = false
    }
  }, [])
  // Parts that show keys are drawn anew when they change.
  const [keys] = useSetting(keySettings)
  const kit = useMemo<Kit>(
    () => ({
      me,
      run: desk.run,
      settle: desk.settle,
      askExport: desk.askExport,
      open: (address, how) => desk.open(address, how),
      show: action =>
        void import('./palette/help.ts').then(({ showWhere }) => showWhere(desk, action)),
      toast,
      keysOf: desk.keysOf,
      ariaKeysOf: desk.ariaKeysOf,
      pageAt,
      historyFrom,
      useGrantedBy,
      recent: () => recentPaths(me.account),
      setting,
    }),
    [desk, me, keys],
  )
  if (!ready) return null
  return (
    // What Blueprint's own provider adds is its hotkeys, with a dialog of theirs: keys are the
    // desk's here.
    <OverlaysProvider>
      <WorkbenchContext.Provider value={kit}>
        <DeskContext.Provider value={desk}>
          <Inside desk={desk} asked={link} />
        </DeskContext.Provider>
      </WorkbenchContext.Provider>
    </OverlaysProvider>
  )
}
