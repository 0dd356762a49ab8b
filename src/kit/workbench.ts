import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { Action, Me, Page } from '#commands/command.ts'
import type { Settling } from './conflict.tsx'
import type { ExportAsk } from './exporting.ts'
import type { Setting } from './memory.ts'
import type { Chosen } from './merge.ts'
import { Stage, type Performer, type Subject } from './stage.ts'

export type Tone = 'success' | 'warning' | 'danger' | 'none'
/** What the kit asks of the shell; the shell provides it, the kit never imports the shell. */
export type Workbench = {
  me: Me & { name: string; account: string }
  /**
   * Runs an action on rows: its questions, its call, its toast, its undo. Resolves true when it was
   * done, false when given up or refused. `on` is what an action that takes no rows is about (the
   * page's city): its questions and its input find it as their only row.
   */
  run: (
    action: Action,
    rows: readonly any[],
    more?: { pane?: string; asked?: Record<string, unknown>; on?: object },
  ) => Promise<boolean>
  /** Shows an address: in the focused pane, or beside it. */
  open: (address: string, how?: 'here' | 'beside' | 'tab') => void
  toast: (message: string, tone?: Tone, button?: { text: string; does: () => void }) => void
  /** Goes to where an action is done, beside what is in front, and points at it. */
  show: (action: Action) => void
  /** The keys that run an action now, as shown to people: `A`, `⇧A`, `G A B`. */
  keysOf: (id: string) => string | undefined
  /** The same for `aria-keyshortcuts`: `A`, `Shift+A`; none for a sequence. */
  ariaKeysOf: (id: string) => string | undefined
  /** The page that stands at an address. */
  pageAt: (address: string) => Page | undefined
  /** "Who changed this" of the rows of a page, where they are objects of the operation log. */
  historyFrom: (page: Page) => Action | undefined
  /**
   * A setting under a name of its own (letters, digits, `.:/-`, at most 64): kept on this machine
   * at once, then on the server. A value that does not fit counts as `initial`. Where two machines
   * changed it the later one stays, or what `merge` makes of both; `base` is what both began with.
   */
  setting: <T>(
    name: string,
    fits: (value: unknown) => value is T,
    initial: T,
    merge?: (mine: T, theirs: T, base: T | undefined) => T,
  ) => Setting<T>
  /** Asks what becomes of what several changed at once; undefined: back to the form. */
  settle: (of: Settling) => Promise<Chosen | undefined>
  /** Asks how much of a list is exported, and how, before it begins. */
  askExport: (of: ExportAsk) => void
  /**
   * Words that name the people who can grant a right; empty until the server has answered, and for
   * undefined. A hook.
   */
  useGrantedBy: (permit: string | undefined) => string
  /** Paths of the pages this person was on last, the newest first. */
  recent: () => readonly string[]
}
export const WorkbenchContext = createContext<Workbench | null>(null)
export const useWorkbench = (): Workbench => {
  const workbench = useContext(WorkbenchContext)
  if (!workbench) throw new Error('useWorkbench outside the workbench')
  return workbench
}

/**
 * A pane as its page sees it. Its address is read with wouter; what must outlive the page is kept
 * with `usePaneState`.
 */
export type Pane = {
  id: string
  stage: Stage
  visible: boolean
  /**
   * Kept with the layout, so that it survives reload and re-login. Small things: a scroll offset,
   * ids selected, a draft's key.
   */
  memo: { get: (key: string) => unknown; set: (key: string, value: unknown) => void }
}
export const PaneContext = createContext<Pane | null>(null)
/**
 * Whether keys go to the pane. Apart from what else a page knows of it: a step from pane to pane
 * draws anew only what asks for this.
 */
export const PaneFocused = createContext(false)
export const usePaneFocused = (): boolean => useContext(PaneFocused)
export const usePane = (): Pane => {
  const pane = useContext(PaneContext)
  if (!pane) throw new Error('usePane outside a pane')
  return pane
}
/**
 * Tells the shell which rows the page's actions take, as soon as they are drawn: a key pressed then
 * means them. Give a stable value.
 */
export const useSubject = (subject: Subject) => {
  const { stage } = usePane()
  useLayoutEffect(() => {
    stage.subject = subject
  }, [stage, subject])
}
/**
 * The page performs this action itself instead of the general way. A name alone is what the shell
 * tells a page: `list.settled`, `list.reveal`.
 */
export const useAction = (action: Action | string, by: Performer) => {
  const { stage } = usePane()
  const latest = useRef(by)
  // Before anything is painted: a key acts on what is in sight, not on what was before.
  useLayoutEffect(() => {
    latest.current = by
  })
  useEffect(() => stage.perform(action, rows => latest.current(rows)), [stage, action])
}
/**
 * What the shell tells a page of an action it ran the general way: the answers of its calls
 * (`result`), or, of an action without a call, what was answered to its questions (`answered`).
 */
export const resultName = (action: Action): string => `${action.id}:result`
export const answeredName = (action: Action): string => `${action.id}:answered`
/**
 * Hears what an action's call answered: a password shown once, a job begun. One answer for every
 * call sent. True says that the page has told what became of it: it is not called done as well.
 */
export const useResult = <R>(action: Action<any, any, R>, by: (result: R) => unknown) =>
  useAction(resultName(action), results => results.map(by).includes(true))
/**
 * Carries out an action that has questions but no call: the shell asks, the page acts on the
 * answers.
 */
export const useAnswered = (action: Action, by: (answers: Record<string, any>) => void) =>
  useAction(answeredName(action), ([answers]) => by(answers))
export const useStageSubject = (stage: Stage): Subject =>
  useSyncExternalStore(stage.subscribe, () => stage.subject)
