import {
  Activity,
  Component,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { Router } from 'wouter'
import type { Page } from '#commands/command.ts'
import { dispatchWrite } from '#src/kit/data.ts'
import { PaneContext, type Pane } from '#src/kit/workbench.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { HOME, pathOf, resolve, searchOf } from '../address.ts'
import { pageKey, useDesk } from '../desk.ts'
import { componentOf, fileOf } from '../pages.ts'
import { pageAt } from '../registry.ts'
import { Fault } from '../session/fault.tsx'
import { useAppDispatch, useAppSelector } from '../store.ts'
import { restoreFocusSoon } from './focus-memory.ts'
import type { PaneId } from './tree.ts'
import { workspace } from './workspace.ts'

const isChunkFault = (error: Error) =>
  /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload/i.test(
    error.message,
  )

type GuardProps = {
  at: string
  page: Page
  children: ReactNode
  report: (kind: 'chunk' | 'crash', memo: string) => void
}
/** Catches what a page throws: the pane says so and offers to try again, the other panes go on. */
class Guard extends Component<GuardProps, { error: Error | null }> {
  override state = { error: null as Error | null }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override componentDidCatch(error: Error) {
    this.props.report(isChunkFault(error) ? 'chunk' : 'crash', error.message)
  }
  override componentDidUpdate(before: GuardProps) {
    if (before.at !== this.props.at && this.state.error) this.setState({ error: null })
  }
  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <Fault
        why={isChunkFault(error) ? 'chunk' : 'crash'}
        path={pathOf(this.props.at)}
        retry={() => this.setState({ error: null })}
      />
    )
  }
}

const NOTHING: Record<string, unknown> = {}
/** One page in a pane, shown or kept: its own address, stage and memory. */
const PageSlot = memo(
  ({
    pane,
    page,
    name,
    shown,
    visible,
  }: {
    pane: PaneId
    page: Page
    name: string
    shown: boolean
    visible: boolean
  }) => {
    const desk = useDesk()
    const dispatch = useAppDispatch()
    const live = useAppSelector(state => {
      const of = state.workspace.byId[pane]
      return of && pageKey(of.at) === name ? of.at : of?.kept[name]
    })
    const last = useRef(live ?? name)
    if (live !== undefined) last.current = live
    const at = last.current
    const memo = useMemo<Pane['memo']>(
      () => ({
        get: key => (desk.pane(pane)?.memo[name] ?? NOTHING)[key],
        set: (key, value) => void dispatch(workspace.remembered({ pane, page: name, key, value })),
      }),
      [desk, dispatch, pane, name],
    )
    const stage = useMemo(() => desk.stage(pane, name), [desk, pane, name])
    const context = useMemo<Pane>(
      () => ({ id: pane, stage, visible: visible && shown, memo }),
      [pane, stage, visible, shown, memo],
    )
    const go = useCallback(
      (to: string, options?: { replace?: boolean }) => {
        const target = resolve(to, last.current)
        if (options?.replace || pageKey(target) === pageKey(last.current))
          desk.go(pane, target, options?.replace, name)
        else if (pageKey(desk.pane(pane)?.at ?? '') === name) desk.open(target, 'here', pane)
      },
      [desk, pane, name],
    )
    const hook = useCallback((): [string, typeof go] => [pathOf(at), go], [at, go])
    const searchHook = useCallback(() => searchOf(at), [at])
    const Component = componentOf(fileOf(page))
    const report = useCallback(
      (kind: 'chunk' | 'crash', words: string) => {
        dispatchWrite(
          dispatch,
          calls.reportError,
          { kind, path: pathOf(last.current).slice(0, 255), memo: words.slice(0, 255) },
          { quiet: 'wholly' },
        ).catch(() => {
          /* the page is already broken; a lost report must not break more */
        })
      },
      [dispatch],
    )
    if (!desk.me.can(page.permit)) return <Fault why="denied" path={pathOf(at)} />
    if (!Component) return <Fault why="missing" path={pathOf(at)} />
    return (
      <PaneContext.Provider value={context}>
        <Router hook={hook} searchHook={searchHook}>
          <Guard at={at} page={page} report={report}>
            <Component />
          </Guard>
        </Router>
      </PaneContext.Provider>
    )
  },
)
PageSlot.displayName = 'PageSlot'

/**
 * What a pane holds: the page shown, and behind it those kept alive, in the order they were opened.
 */
export const PaneBody = memo(({ pane, visible }: { pane: PaneId; visible: boolean }) => {
  const desk = useDesk()
  const at = useAppSelector(state => state.workspace.byId[pane]?.at ?? HOME)
  const drawn = useAppSelector(state => state.workspace.byId[pane]?.drawn)
  const name = pageKey(at)
  const page = pageAt(at)
  const alive = useSyncExternalStore(desk.kept.subscribe, () => desk.kept.of(pane))
  // The page that is looked at stands at once; what is kept behind it follows.
  const now = visible && !alive.includes(name) ? [...alive, name] : alive
  const slots = now.flatMap(one => {
    const of = pageAt(one)
    return of && (one === name || of.keepAlive) ? [{ name: one, page: of }] : []
  })
  // Before it is drawn, so that no page is drawn only to be taken down.
  useLayoutEffect(() => desk.kept.show(pane, name, visible), [desk, pane, name, visible])
  const used = useRef<string[]>([])
  // Here and not in the page: its own effects rest while it is hidden.
  const names = now.join('\n')
  useEffect(() => desk.keepStages(pane, [...names.split('\n'), name]), [desk, pane, names, name])
  // While somebody signs in again everything is only hidden, which React tells in the same way.
  useEffect(
    () => () => {
      if (!desk.pane(pane)) {
        desk.keepStages(pane, [])
        desk.kept.drop(pane)
      }
    },
    [desk, pane],
  )
  // A page that comes back is where the person is now: its list takes the focus again, as it does
  // when it comes first.
  useEffect(() => {
    if (used.current.includes(name) && desk.workspace.focused === pane)
      restoreFocusSoon(() => (desk.workspace.focused === pane ? pane : null))
    used.current = [...used.current.filter(one => one !== name), name]
  }, [desk, pane, name])
  return (
    <>
      {slots.map(slot => {
        const shown = slot.name === name && page !== undefined
        return (
          <div key={slot.name} className="s-page" hidden={!shown}>
            <Activity mode={shown && visible ? 'visible' : 'hidden'}>
              <PageSlot
                key={drawn?.[slot.name] ?? 0}
                pane={pane}
                page={slot.page}
                name={slot.name}
                shown={shown}
                visible={visible}
              />
            </Activity>
          </div>
        )
      })}
      {!page && <Fault why="missing" path={pathOf(at)} />}
    </>
  )
})
PaneBody.displayName = 'PaneBody'
