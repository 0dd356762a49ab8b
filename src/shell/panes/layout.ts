import { pageKey, type Desk } from '../desk.ts'
import { spelled, pageAt } from '../registry.ts'
import type { Store } from '../store.ts'
import { stored } from '../stored.ts'
import { HOME, revive, single, workspace, workspaceReducer, type Workspace } from './workspace.ts'

const PAUSE_MS = 250
const key = (id: number) => `mallet.layout.${id}`
/** A tab of the browser keeps its own layout through a reload; a new one begins with the last that was kept. */
const session = {
  get(name: string): string | null { try { return sessionStorage.getItem(name) } catch { return null } },
  set(name: string, value: string) { try { sessionStorage.setItem(name, value) } catch { /* then the last one of any tab is taken */ } },
}
const anything = (value: unknown): value is object => typeof value === 'object' && value !== null
const read = (id: number): Workspace | null => {
  try {
    const own = revive(JSON.parse(session.get(key(id)) ?? 'null'))
    if (own) return own
  } catch { /* rubbish: the other one */ }
  return revive(stored.json(key(id), anything))
}

/** This person's layout as it was left, with `asked` (the address bar's) in front. */
export const restoreLayout = (id: number, asked: string | null, pathOf: (address: string) => string): Workspace => {
  const kept = read(id)
  const at = asked === null ? null : spelled(asked)
  if (!kept) return single(at ?? HOME)
  if (at === null || kept.byId[kept.focused ?? '']?.at === at) return kept
  const there = Object.entries(kept.byId).find(([, pane]) => pane.at === at)?.[0]
  if (there) return workspaceReducer(kept, workspace.focused(there))
  // `/manage` alone is how people come in, not a page they ask for: it keeps what they had.
  if (pathOf(at) === HOME && at === HOME) return kept
  const leaving = kept.byId[kept.focused!]!
  const from = pageAt(leaving.at)
  return workspaceReducer(kept, workspace.went({ pane: kept.focused!, at, leaving: from?.keepAlive ? pageKey(leaving.at) : undefined }))
}

/** Keeps the layout as it changes. Answers how to stop. */
export const keepLayout = (store: Store, id: number): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = store.getState().workspace
  const keep = () => {
    clearTimeout(timer)
    timer = undefined
    const text = JSON.stringify(last)
    session.set(key(id), text)
    stored.set(key(id), text)
  }
  const stop = store.subscribe(() => {
    const now = store.getState().workspace
    if (now === last) return
    last = now
    timer ??= setTimeout(keep, PAUSE_MS)
  })
  const flush = () => { if (timer !== undefined) keep() }
  addEventListener('pagehide', flush)
  return () => { stop(); flush(); removeEventListener('pagehide', flush) }
}

type Spot = { n: number }
const spot = (): number => (history.state as Partial<Spot> | null)?.n ?? 0
/** The address bar shows the focused pane; the browser's Back and Forward move within it. Answers how to stop. */
export const mirrorAddress = (store: Store, desk: Desk): (() => void) => {
  const front = () => { const { focused, byId } = store.getState().workspace; return { id: focused, pane: byId[focused ?? ''] } }
  let last = front()
  let n = spot()
  const here = () => location.pathname + location.search
  if (last.pane && last.pane.at !== here()) history.replaceState({ n } satisfies Spot, '', last.pane.at)
  const stop = store.subscribe(() => {
    const now = front()
    const before = last
    last = now
    // What a page remembers changes its pane too: right after the browser's Back the address is ahead of the pane, and must not be put back.
    if (!now.pane || (now.id === before.id && now.pane.at === before.pane?.at) || now.pane.at === here()) return
    const pushed = now.id === before.id && now.pane.moves > (before.pane?.moves ?? 0)
    if (pushed) history.pushState({ n: (n += 1) } satisfies Spot, '', now.pane.at)
    else history.replaceState({ n } satisfies Spot, '', now.pane.at)
  })
  const onPop = () => {
    if (!/^\/manage(\/|$)/i.test(location.pathname)) return
    const to = spot()
    // The same place again: the person comes back from another screen.
    if (to < n) desk.back()
    else if (to > n) desk.forward()
    n = to
    // Where the pane has nothing further that way, the address goes back to what it shows.
    const at = front().pane?.at
    if (at && at !== here()) history.replaceState({ n } satisfies Spot, '', at)
  }
  addEventListener('popstate', onPop)
  return () => { stop(); removeEventListener('popstate', onPop) }
}
