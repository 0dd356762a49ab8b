import { nowMs } from '#src/domain/clock.ts'
import { HOME, screenOf } from '../address.ts'
import { pageKey, type Desk } from '../desk.ts'
import { spelled, pageAt } from '../registry.ts'
import type { Store } from '../store.ts'
import { ofTab, stored } from '../stored.ts'
import { keeping } from './kept.ts'
import { handedOver, poppedFrom, thisWindow } from './windows.ts'
import {
  groupOf,
  revive,
  single,
  workspace,
  workspaceReducer,
  type Workspace,
} from './workspace.ts'

const PAUSE_MS = 250
/**
 * Windows whose layouts are kept on this machine, for a new window to begin with the last one and
 * for people to find the others.
 */
const WINDOWS = 6
const own = (id: number) => `mallet.layout.${id}`
const prefix = (id: number) => `mallet.layout.${id}.`
type Kept = { at: number; popped?: boolean }
const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && typeof (value as { at?: unknown }).at === 'number'
const kept = (id: number) =>
  stored
    .keys(prefix(id))
    .flatMap(name => {
      const value = stored.json(name, isKept)
      return value ? [{ name, value }] : []
    })
    .sort((a, b) => b.value.at - a.value.at)
const anything = (value: unknown): value is object => typeof value === 'object' && value !== null
const parsed = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
/**
 * A tab of the browser keeps its own layout through a reload; a new one begins with the last that
 * was kept, one that was popped out with the pane that was handed to it.
 */
const read = (id: number): Workspace | null => {
  const handed = handedOver()
  // The storage that a popped-out window begins with is a copy of the other's: it is not its own.
  return handed === undefined ? left(id) : revive(handed)
}
const left = (id: number): Workspace | null =>
  revive(parsed(ofTab.get(own(id)))) ?? (keeping.get().resume ? lastOf(id) : null)
const lastOf = (id: number): Workspace | null =>
  kept(id)
    .filter(({ value }) => !value.popped)
    .map(({ value }) => revive(value))
    .find(one => one !== null) ?? revive(stored.json(own(id), anything))
/** The layouts that this person's other windows had last, the newest first. */
export const otherWindows = (id: number): { at: number; workspace: Workspace }[] =>
  kept(id)
    .filter(({ name }) => name !== prefix(id) + thisWindow())
    .flatMap(({ value }) => {
      const whole = revive(value)
      return whole ? [{ at: value.at, workspace: whole }] : []
    })

/**
 * This person's layout as it was left, with `asked` (the address bar's) in front; null for whoever
 * never had one and asks for no page.
 */
export const restoreLayout = (id: number, asked: string | null): Workspace | null => {
  const kept = read(id)
  const at = asked === null ? null : spelled(asked)
  // `/manage` alone is how people come in, not a page they ask for: it keeps what they had.
  if (!kept) return at === null || at === HOME ? null : single(at)
  if (at === null || kept.byId[kept.focused ?? '']?.at === at) return kept
  const there = Object.entries(kept.byId).find(([, pane]) => pane.at === at)?.[0]
  if (there) return workspaceReducer(kept, workspace.focused(there))
  if (at === HOME) return kept
  const leaving = kept.byId[kept.focused!]!
  const from = pageAt(leaving.at)
  return workspaceReducer(
    kept,
    workspace.went({
      pane: kept.focused!,
      at,
      leaving: from?.keepAlive ? pageKey(leaving.at) : undefined,
    }),
  )
}

/** Keeps the layout as it changes. Answers how to stop. */
export const keepLayout = (store: Store, id: number): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = store.getState().workspace
  const keep = () => {
    clearTimeout(timer)
    timer = undefined
    const { past: _, future: __, dragged: ___, ...what } = last
    ofTab.set(own(id), JSON.stringify(what))
    stored.set(
      prefix(id) + thisWindow(),
      JSON.stringify({
        ...what,
        at: nowMs(),
        ...(poppedFrom() !== null && { popped: true }),
      } satisfies Kept),
    )
    for (const { name } of kept(id).slice(WINDOWS)) stored.set(name, null)
  }
  const stop = store.subscribe(() => {
    const now = store.getState().workspace
    if (now === last) return
    last = now
    timer ??= setTimeout(keep, PAUSE_MS)
  })
  const flush = () => {
    if (timer !== undefined) keep()
  }
  addEventListener('pagehide', flush)
  return () => {
    stop()
    flush()
    removeEventListener('pagehide', flush)
  }
}

type Spot = { n: number }
const spot = (): number => (history.state as Partial<Spot> | null)?.n ?? 0
/** Whether the pane in front has just been opened as a tab beside the one that was. */
const isNewTab = (before: Workspace, now: Workspace): boolean => {
  const { focused, tree } = now
  if (focused === null || tree === null || before.focused === null) return false
  return !before.byId[focused] && groupOf(tree, focused)?.includes(before.focused) === true
}
/**
 * The address bar shows the focused pane; the browser's Back and Forward move within it, and from
 * its first and last page to the tabs at its sides. Answers how to stop.
 */
export const mirrorAddress = (store: Store, desk: Desk): (() => void) => {
  const front = () => {
    const { focused, byId } = store.getState().workspace
    return { id: focused, pane: byId[focused ?? ''] }
  }
  let last = front()
  let workspaceBefore = store.getState().workspace
  let n = spot()
  const here = () => location.pathname + location.search
  if (last.pane && last.pane.at !== here())
    history.replaceState({ n } satisfies Spot, '', last.pane.at)
  // To write the address takes as long as a quarter of a frame: of another pane that comes to the
  // front it is written once that is painted.
  let owed: { from: string; to: string } | undefined
  const write = () => {
    const due = owed
    owed = undefined
    if (due && due.from === here() && due.to !== due.from)
      history.replaceState({ n } satisfies Spot, '', due.to)
  }
  const stop = store.subscribe(() => {
    const now = front()
    const before = last
    const opened = isNewTab(workspaceBefore, store.getState().workspace)
    last = now
    workspaceBefore = store.getState().workspace
    if (now.pane && opened) {
      write()
      history.pushState({ n: (n += 1) } satisfies Spot, '', now.pane.at)
      return
    }
    if (now.pane && now.id !== before.id) {
      const waits = owed !== undefined
      owed = { from: here(), to: now.pane.at }
      // A tab that nobody looks at is not painted.
      if (document.hidden) write()
      else if (!waits) requestAnimationFrame(() => setTimeout(write))
      return
    }
    // What a page remembers changes its pane too: right after the browser's Back the address is
    // ahead of the pane, and must not be put back.
    if (!now.pane || (now.id === before.id && now.pane.at === before.pane?.at)) return
    write()
    if (now.pane.at === here()) return
    if (now.pane.moves > (before.pane?.moves ?? 0))
      history.pushState({ n: (n += 1) } satisfies Spot, '', now.pane.at)
    else history.replaceState({ n } satisfies Spot, '', now.pane.at)
  })
  const onPop = () => {
    if (screenOf(location.pathname) !== 'manage') return
    owed = undefined
    const to = spot()
    // The same place again: the person comes back from another screen.
    const [by, pane] = [Math.sign(to - n), front().pane]
    n = to
    const moves = by < 0 ? pane?.back : pane?.forward
    if (by !== 0 && moves?.length === 0) desk.tabAside(by)
    else if (by < 0) desk.back()
    else if (by > 0) desk.forward()
    // Where the pane has nothing further that way, the address goes back to what it shows.
    const at = front().pane?.at
    if (at && at !== here()) history.replaceState({ n } satisfies Spot, '', at)
  }
  addEventListener('popstate', onPop)
  addEventListener('pagehide', write)
  return () => {
    owed = undefined
    stop()
    removeEventListener('popstate', onPop)
    removeEventListener('pagehide', write)
  }
}
