import type { Given } from '#commands/command.ts'
import { say } from '#src/domain/text.ts'
import { lang } from '#src/kit/text.ts'
import type { Desk } from '../desk.ts'
import type { Store } from '../store.ts'
import { ofTab, stored } from '../stored.ts'
import { toast } from '../toasts.tsx'
import { leaves } from './tree.ts'
import { single, workspace, type PaneState, type Workspace } from './workspace.ts'

const WINDOW = 'mallet.window'
const POPPED = 'mallet.popped'
const POP = /^mallet\.pop\.([\w-]+)\.[\w-]+$/
const handedTo = (name: string) => `mallet.handed.${name}`

let known: string | undefined
const rename = (): string => {
  known = crypto.randomUUID()
  ofTab.set(WINDOW, known)
  return known
}
/**
 * Which window of the browser this is, through reloads: each keeps a layout of its own. One opened
 * from another gets a copy of its storage, and is another all the same.
 */
export const thisWindow = (): string =>
  (known ??=
    poppedFrom() !== null && ofTab.get(POPPED) !== window.name
      ? rename()
      : (ofTab.get(WINDOW) ?? rename()))
/** The window that this one was popped out of; null for one that people opened. */
export const poppedFrom = (): string | null => POP.exec(window.name)?.[1] ?? null

/**
 * Makes sure that no two windows are the same: a tab that the browser duplicated takes another
 * name. Answers how to stop.
 */
export const holdWindow = (): (() => void) => {
  let let_go = () => {}
  const held = new Promise<void>(done => {
    let_go = done
  })
  const hold = (id: string): void =>
    void navigator.locks
      ?.request(`mallet.window.${id}`, { ifAvailable: true }, lock => {
        if (lock) return held
        hold(rename())
      })
      .catch(() => {
        /* without locks a duplicated tab shares its layout's name */
      })
  hold(thisWindow())
  return let_go
}

/**
 * What the window that this one was popped out of handed over, once; undefined in every other
 * window.
 */
export const handedOver = (): unknown => {
  if (poppedFrom() === null || ofTab.get(POPPED) === window.name) return undefined
  thisWindow()
  ofTab.set(POPPED, window.name)
  const text = stored.get(handedTo(window.name))
  stored.set(handedTo(window.name), null)
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

type Told =
  | { kind: 'given'; channel: number; given: Given }
  /**
   * A person works in this window from now on: what its front pane shows is followed in the others.
   */
  | { kind: 'speaks' }
  /** A window that just came: the others tell it what their channels show. */
  | { kind: 'hello'; name: string }
  /** A popped-out window goes: its panes come back unless it is only loaded anew. */
  | { kind: 'bye'; to: string; name: string; panes: PaneState[] }
  | { kind: 'back'; to: string; name: string; panes: PaneState[] }
  | { kind: 'took'; name: string }
/** What one person's windows tell each other; nothing where the browser has no such channel. */
export type WindowLine = {
  tell: (told: Told) => void
  hear: (by: (told: Told) => void) => () => void
  close: () => void
}
export const openLine = (person: number): WindowLine => {
  const channel =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`mallet.${person}`)
  const listeners = new Set<(told: Told) => void>()
  channel?.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    for (const by of listeners) by(data)
  })
  return {
    tell: told => channel?.postMessage(told),
    hear: by => (listeners.add(by), () => void listeners.delete(by)),
    close: () => channel?.close(),
  }
}

const RELOAD_MS = 3000
const ANSWER_MS = 600
const plainOf = (state: PaneState): PaneState => JSON.parse(JSON.stringify(state)) as PaneState
const panesOf = ({ tree, byId }: Workspace): PaneState[] =>
  leaves(tree).map(id => plainOf(byId[id]!))

/**
 * Panes that stand in windows of their own. `toggle` moves the pane in front out, or from such a
 * window back; one that is closed gives its panes back, for closing a window is how people put away
 * a window and not what it shows. Answers how to stop, too.
 */
export const popPanes = (
  store: Store,
  desk: Desk,
  line: WindowLine,
): { toggle: () => void; stop: () => void } => {
  const opened = new Map<string, Window>()
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  const tell = (text: readonly [string, string]) => void toast(say(text, lang()), 'warning')
  const out = (pane: string) => {
    const state = desk.pane(pane)!
    const name = `mallet.pop.${thisWindow()}.${crypto.randomUUID().slice(0, 8)}`
    const handed: Workspace = { ...single(state.at), byId: { p1: { ...plainOf(state), moves: 0 } } }
    stored.set(handedTo(name), JSON.stringify(handed))
    const popped = window.open(
      state.at,
      name,
      `popup,width=${Math.round(screen.availWidth / 2)},height=${Math.round(screen.availHeight * 0.8)}`,
    )
    if (!popped) {
      stored.set(handedTo(name), null)
      tell([
        '浏览器拦截了新窗口：请允许本站弹出窗口后再试',
        'The browser kept the new window shut: allow pop-ups of this site, then try again',
      ])
      return
    }
    opened.set(name, popped)
    store.dispatch(workspace.handedOver(pane))
  }
  const back = () => {
    const name = window.name
    const timer = setTimeout(() => {
      stop()
      tell([
        '原来的窗口已关闭，窗格留在这里',
        'The window it came from is closed: the pane stays here',
      ])
    }, ANSWER_MS)
    const stop = line.hear(told => {
      if (told.kind === 'took' && told.name === name) {
        clearTimeout(timer)
        stop()
        given = true
        window.close()
      }
    })
    line.tell({ kind: 'back', to: poppedFrom()!, name, panes: panesOf(desk.workspace) })
  }
  let given = false
  const take = (panes: readonly PaneState[]) => {
    if (panes.length > 0) store.dispatch(workspace.returned(panes))
  }
  const hearing = line.hear(told => {
    if (told.kind === 'hello') {
      clearTimeout(waiting.get(told.name))
      waiting.delete(told.name)
    }
    if ((told.kind !== 'bye' && told.kind !== 'back') || told.to !== thisWindow()) return
    if (told.kind === 'back') {
      line.tell({ kind: 'took', name: told.name })
      take(told.panes)
      return
    }
    // A window that is only loaded anew says hello again. Its handle, where this window still has
    // it, knows sooner.
    const look = (after: number) =>
      waiting.set(
        told.name,
        setTimeout(() => {
          const handle = opened.get(told.name)
          if (handle && !handle.closed && after < RELOAD_MS) {
            look(RELOAD_MS)
            return
          }
          waiting.delete(told.name)
          if (!handle || handle.closed) {
            opened.delete(told.name)
            take(told.panes)
          }
        }, after),
      )
    look(opened.has(told.name) ? 300 : RELOAD_MS)
  })
  const leave = () => {
    const to = poppedFrom()
    if (to !== null && !given)
      line.tell({ kind: 'bye', to, name: window.name, panes: panesOf(desk.workspace) })
  }
  addEventListener('pagehide', leave)
  // Its last pane closed, nothing is left to give back.
  if (poppedFrom() !== null)
    desk.closesWindow = () => {
      given = true
      window.close()
    }
  line.tell({ kind: 'hello', name: window.name })
  return {
    toggle: () => {
      const pane = desk.workspace.focused
      if (pane === null) return
      if (poppedFrom() !== null) desk.arrange(Object.keys(desk.workspace.byId), back)
      else desk.arrange([pane], () => out(pane))
    },
    stop: () => {
      hearing()
      removeEventListener('pagehide', leave)
      for (const timer of waiting.values()) clearTimeout(timer)
    },
  }
}
