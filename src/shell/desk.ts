import { createContext, useContext } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Action, Ask, Me, Page } from '#commands/command.ts'
import { bulkReport, commandPalette, palette, undo } from '#commands/shell.ts'
import type { Write } from '#src/contract/call.ts'
import type { BatchResult } from '#src/contract/shapes.ts'
import { countedText, reasonsText } from '#src/domain/count.ts'
import { say, semicolon, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { initialAnswers, tellsFirst } from '#src/kit/asks.ts'
import type { Settling, Stale } from '#src/kit/conflict.tsx'
import {
  api,
  caughtUp,
  tellFault,
  dispatchRead,
  dispatchWrite,
  renewed,
  type Acting,
  type CallError,
} from '#src/kit/data.ts'
import { rowName, type Named } from '#src/kit/dry-run.tsx'
import type { ExportAsk } from '#src/kit/exporting.ts'
import type { FormState } from '#src/kit/form.tsx'
import type { OnLeaving } from '#src/kit/leaving.tsx'
import { isOwnChange, type Changes, type Chosen } from '#src/kit/merge.ts'
import type { Refused } from '#src/kit/refused.ts'
import { Stage, type Unsaved } from '#src/kit/stage.ts'
import { lang, titleIn } from '#src/kit/text.ts'
import { answeredName, resultName, type Workbench } from '#src/kit/workbench.ts'
import { session as sessionCalls } from '#src/modules/session/contract.ts'
import { undo as undoCalls, type Undoable } from '#src/modules/undo/contract.ts'
import type { LayoutRow } from '#src/modules/workbench/contract.ts'
import { HOME, layoutCodeIn, pathOf, searchOf, tidy } from './address.ts'
import {
  givenUp,
  keepBulk,
  keptBulk,
  newBulk,
  nextPart,
  partKey,
  tallyOf,
  leftBy,
  withAnother,
  withResult,
  type Bulk,
  type Sent,
} from './bulk.ts'
import { grantedBy } from './grantors.ts'
import { keysFor } from './keys/bound.ts'
import { ariaKeys, keyLabel } from './keys/strokes.ts'
import { restoreFocusSoon } from './panes/focus-memory.ts'
import { Kept } from './panes/kept.ts'
import { tabFor } from './panes/tabs.ts'
import type { PaneId } from './panes/tree.ts'
import { groupOf, workspace, type PaneState } from './panes/workspace.ts'
import {
  actionById,
  actions,
  actionsOf,
  everything,
  isGlobal,
  pageAt,
  spelled,
} from './registry.ts'
import type { Store } from './store.ts'
import { isShown, toast } from './toasts.tsx'

/** An action as it stands now: the rows it would take, and why it can't be had, if so. */
export type Offer = { action: Action; rows: readonly any[]; why?: Text }
/** An action's questions, waiting for the person. */
export type Asking = {
  action: Action
  rows: readonly any[]
  given: Record<string, unknown>
  /** What was answered in the palette already. */ typed?: Changes | undefined
  newer?: FormState['newer']
  /** Why some of the rows are left out; '' where none is. */
  left: string
  submit: (answers: Record<string, unknown>, rows?: readonly any[]) => Promise<true | Refused>
  cancel: () => void
}

const chooseRow: Text = ['请先选择一行', 'Choose a row first']
const stillLoading: Text = [
  '列表还在更新，请稍候再试',
  'The list is still being updated: try again in a moment',
]
const undoneWords = (ok: number, failed: number): Text => {
  if (failed > 0)
    return [
      '已撤销“{title}”{n} 项，{failed} 项未能撤销：{why}',
      '{title}: {n} undone, {failed} not: {why}',
    ]
  return ok > 1
    ? ['已撤销：{title}，{n} 项', 'Undone: {title}, {n}']
    : ['已撤销：{title}', 'Undone: {title}']
}
const oneRow: Text = ['一次只能处理一行', 'One row at a time']
const tooFew = (n: number): Text => [`请先选中至少 ${n} 行`, `Select at least ${n} rows first`]

const sentOf = (
  action: Action,
  rows: readonly any[],
  asked: Readonly<Record<string, unknown>>,
): Sent => ({ rows, input: action.input?.(rows, asked) ?? {} })
/** What is sent once more of the rows that a busy server had no time for. */
type Again = (left: ReadonlySet<number>) => Sent
const againOf =
  (action: Action, rows: readonly any[], asked: Readonly<Record<string, unknown>>): Again =>
  left =>
    sentOf(
      action,
      rows.filter(row => left.has(row.id)),
      asked,
    )

/**
 * Why an action can't be had for these rows, or undefined. Some rows of several may be unable:
 * those are left out and told of.
 */
export const whyNot = (action: Action, rows: readonly any[], me: Me): Text | undefined => {
  if (!me.can(action.permit)) return [`需要权限：${action.title}`, `Needs the right: ${action.en}`]
  const may = action.offered?.(me) ?? true
  if (may !== true) return may
  if (action.takes === 'none') return undefined
  if (rows.length === 0) return chooseRow
  if (action.takes === 'row' && rows.length > 1) return oneRow
  if (action.least !== undefined && rows.length < action.least) return tooFew(action.least)
  const reasons = rows.map(row => action.when?.(row, me) ?? true)
  const first = reasons[0]
  return reasons.includes(true) || first === true || first === undefined ? undefined : first
}
/**
 * What is put in order is given by the part of a page that shows it: in another view there is none.
 */
const lackOf = ({ takes, asks = {} }: Action, given: readonly any[]): Text | undefined => {
  const lacks = ({ kind, initial }: Ask) => kind === 'order' && initial?.(given) === undefined
  return takes === 'none' && Object.values(asks).some(lacks)
    ? [
        '当前视图没有可排序的内容，请先打开要排序的列表',
        'Nothing to arrange here: open its list first',
      ]
    : undefined
}

const acting = (action: Action, rows: readonly any[]): Acting => ({
  on: action.on,
  rows: rows.map(row => row.id),
  touches: action.call?.touches,
})
/**
 * A row that changed before an action came; `told` says the refusal, `again` sends it for the row
 * as it is.
 */
type Late = {
  action: Action
  call: Write
  row: any
  fault: CallError
  pane: string | undefined
  told: () => void
  again: (now: any) => Promise<true | Refused>
}
/** Whether an action's questions begin with the same answers for both rows. */
const asksAlike = ({ asks = {} }: Action, row: unknown, now: unknown): boolean =>
  JSON.stringify(initialAnswers(asks, [row])) === JSON.stringify(initialAnswers(asks, [now]))
/**
 * Whether an action opens its dialog first: for an answer that lacks, or to be seen before it is
 * done.
 */
const asksFirst = (
  action: Action,
  rows: readonly any[],
  asked: Record<string, unknown> | undefined,
): boolean => {
  const asks = Object.entries(action.asks ?? {})
  if (asks.some(([name, ask]) => !ask.optional && asked?.[name] === undefined)) return true
  if (asked !== undefined) return false
  // The outcome for several rows, or the words of an action that tells some, is seen first.
  const isSeen = action.call?.kind === 'write' && (rows.length > 1 || tellsFirst(action, rows))
  return asks.length > 0 || Boolean(action.danger) || isSeen
}
const isBatch = (value: unknown): value is BatchResult =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray((value as BatchResult).ok) &&
  Array.isArray((value as BatchResult).failed)
const doneBy = ({ call: name }: Pick<Undoable, 'call'>) =>
  actions().filter(({ call }) => call && `${call.method} ${call.path}` === name)
/** What was done, in the words of the action that did it. */
export const titleOfDone = (one: Undoable): string => {
  const [action] = doneBy(one)
  return action ? titleIn(action, lang()) : one.title
}
/** What the report of a batch calls its rows. */
const callingOf = (action: Action) => (row: Named) => rowName(action, row, lang())

/**
 * Which page stands at an address, as a key of its own: another record of the same page is another
 * one.
 */
export const pageKey = (at: string): string => pathOf(spelled(at))

/**
 * The desk: everything that the palette, the keys, the menus and the pages ask of the workbench.
 * One for each person signed in.
 */
/** The pane that a call is sent from, and whether its form tells a refusal by itself. */
type SendingFrom = { pane?: string | undefined; quiet: boolean }

export class Desk {
  readonly #store: Store
  me: Workbench['me']
  readonly #stages = new Map<string, Stage>()
  readonly #globals = new Map<string, () => void>()
  readonly #busy = new Set<string>()
  readonly #listeners = new Set<() => void>()
  /** Listeners that hear each action that ran, for the palette's memory. */
  readonly ran = new Set<(id: string) => void>()
  asking: Asking | null = null
  /** Which pages are alive, in sight and out of it. */
  readonly kept = new Kept(
    (pane, name) => (this.#stages.get(`${pane} ${name}`)?.unsaved.length ?? 0) > 0,
  )
  /** In a window of its own the last pane that is closed closes the window. */
  closesWindow: (() => void) | undefined
  /** Opens the layout behind a link. */
  openLayoutLink: ((code: string) => void) | undefined
  /** Opens a saved layout, as it is on the server. */
  openLayout: ((row: LayoutRow) => void) | undefined
  /** Somebody leaves something half written, and is asked what becomes of it. */
  leaving: { answer: (how: OnLeaving) => void } | null = null
  /** Several changed the same thing, and one is asked what becomes of it. */
  settling: { of: Settling; answer: (chosen: Chosen | undefined) => void } | null = null
  /** Somebody exports, and is asked how much and how. */
  exporting: { of: ExportAsk; close: () => void } | null = null
  /**
   * What was sent and not answered, under its key: sent once more it answers the first result, so
   * that nothing is done twice.
   */
  readonly #unanswered = new Map<string, string>()
  /** What is under way: whoever takes the last action back means the one just pressed. */
  readonly #sending = new Set<Promise<unknown>>()
  #undoing: Promise<unknown> = Promise.resolve()
  /**
   * The last batch of several calls. `held`: it was interrupted, and goes on when the person says
   * so.
   */
  bulk: { of: Bulk; state: 'running' | 'held' | 'done' } | null
  /** The action last done and how often, as long as the message about it stands. */
  #streak: { action: Action; n: number; toast: number } | undefined

  constructor(store: Store, me: Workbench['me']) {
    this.#store = store
    this.me = me
    const kept = keptBulk(me.account)
    this.bulk = kept && { of: kept, state: nextPart(kept) < 0 ? 'done' : 'held' }
    // What the page it was begun on calls it.
    if (kept)
      everything().then(
        () => this.#tell(),
        () => {
          /* it goes without its title */
        },
      )
  }
  subscribe = (tell: () => void): (() => void) => (
    this.#listeners.add(tell),
    () => void this.#listeners.delete(tell)
  )
  #tell() {
    for (const tell of this.#listeners) tell()
  }
  #say(text: Text, values?: Record<string, string | number>) {
    return say(text, lang(), values)
  }

  /** The stage of the page in a pane; each page kept alive has its own. */
  stage(pane: PaneId, key?: string): Stage {
    const name = `${pane} ${key ?? pageKey(this.pane(pane)?.at ?? HOME)}`
    let stage = this.#stages.get(name)
    if (!stage) this.#stages.set(name, (stage = new Stage()))
    return stage
  }
  /** Keeps the stages of these pages of a pane, and no others. */
  keepStages(pane: PaneId, keys: readonly string[]) {
    for (const name of this.#stages.keys())
      if (name.startsWith(`${pane} `) && !keys.includes(name.slice(pane.length + 1)))
        this.#stages.delete(name)
  }
  /** Whether somebody is asked something, be it drawn already or not. */
  get isAsking(): boolean {
    return [this.asking, this.leaving, this.settling, this.exporting].some(one => one !== null)
  }
  get workspace() {
    return this.#store.getState().workspace
  }
  pane(id: PaneId | null = this.workspace.focused): PaneState | undefined {
    return id === null ? undefined : this.workspace.byId[id]
  }
  /** The page in front. */
  page(id?: PaneId): Page | undefined {
    const pane = this.pane(id)
    return pane && pageAt(pane.at)
  }
  /** Says what carries out a workbench action; the answer takes it back. */
  global(id: string, does: () => void): () => void {
    this.#globals.set(id, does)
    return () => {
      if (this.#globals.get(id) === does) this.#globals.delete(id)
    }
  }

  /**
   * Everything that can be done from the pane in front: its page's actions and what its list does,
   * then the workbench's own.
   */
  offers(pane: PaneId | null = this.workspace.focused): Offer[] {
    const page = pane === null ? undefined : this.page(pane)
    const stage = pane === null ? undefined : this.stage(pane)
    const rows = stage?.subject.rows ?? []
    const here = page
      ? actionsOf(page).filter(
          action =>
            (action.call && action.input) ||
            action.to ||
            stage?.performer(action.id) ||
            stage?.performer(answeredName(action)),
        )
      : []
    const known = actions()
    const listed = stage
      ? known.filter(action => action.id.startsWith('list.') && stage.performer(action.id))
      : []
    const globals = known.filter(action => isGlobal(action) && this.#globals.has(action.id))
    return [...here, ...listed, ...globals].map(action => {
      const given = action.takes === 'none' ? [] : rows
      const missing = action.id.startsWith('list.') ? undefined : whyNot(action, given, this.me)
      const why = missing === chooseRow && stage?.subject.pending ? stillLoading : missing
      return { action, rows: given, ...(why ? { why } : {}) }
    })
  }
  keysOf = (id: string): string | undefined => {
    const keys = this.#keys(id)
    return keys && keyLabel(keys)
  }
  /** The same as `aria-keyshortcuts` wants it; it has no word for sequences. */
  ariaKeysOf = (id: string): string | undefined => {
    const keys = this.#keys(id)
    return keys && ariaKeys(keys)
  }
  #keys(id: string) {
    const action = actionById(id)
    return action && keysFor(action)
  }

  /**
   * Does what an offer says, by the page itself where it performs it. Says why where it can't be
   * done.
   */
  perform = ({ action, rows, why }: Offer, pane = this.workspace.focused ?? undefined) => {
    if (why) {
      this.#refuse(action, why)
      return
    }
    if (action !== palette && action !== commandPalette)
      for (const tell of this.ran) tell(action.id)
    const global = this.#globals.get(action.id)
    if (isGlobal(action)) {
      global?.()
      return
    }
    const performer = pane === undefined ? undefined : this.stage(pane).performer(action.id)
    if (performer) performer(rows)
    else void this.run(action, rows, pane === undefined ? {} : { pane })
  }

  #refuse(action: Action, why: Text) {
    if (this.me.can(action.permit)) toast(this.#say(why), 'warning')
    else void this.#tellMissing(action, why)
  }
  /** A right that is missing is told of with the people who can grant it. */
  async #tellMissing(action: Action, why: Text) {
    let by = ''
    try {
      const { list } = await dispatchRead(
        this.#store.dispatch,
        sessionCalls.grantors,
        { permit: action.permit },
        true,
      )
      by = grantedBy(list, (text, values) => this.#say(text, values))
    } catch {
      /* the right is named without them */
    }
    toast([this.#say(why), by].filter(Boolean).join(this.#say(semicolon)), 'warning')
  }

  /**
   * Shows an address: in the pane, in a tab with it, or beside it. A page kept alive comes back as
   * it was left when only its path is named.
   */
  open = (
    address: string,
    how: 'here' | 'beside' | 'tab' = 'here',
    from = this.workspace.focused,
  ): void => {
    const code = layoutCodeIn(address)
    if (code !== undefined && this.openLayoutLink) {
      this.openLayoutLink(code)
      return
    }
    const at = spelled(tidy(address))
    // Specification, section 2: an unknown path ends on /error, once. The panes stay as they are
    // behind it.
    if (!pageAt(at)) {
      navigate(`/error?path=${encodeURIComponent(at)}`)
      return
    }
    if (how !== 'here' || from === null) {
      this.#store.dispatch(
        workspace.opened({ at, how: how === 'tab' ? 'tab' : 'right', beside: from ?? undefined }),
      )
      return
    }
    const pane = this.pane(from)
    if (!pane) return
    const page = pageAt(at)
    const kept =
      page?.keepAlive && !searchOf(at) && pageKey(pane.at) !== pageKey(at)
        ? pane.kept[pageKey(at)]
        : undefined
    this.go(from, kept ?? at)
  }
  /**
   * Shows a page that is chosen by its name, as in the menu: in the tab that has it, in a new one,
   * or where page tabs are off, in the pane.
   */
  visit = (address: string): void => {
    const there = tabFor(this.workspace, spelled(tidy(address)))
    if (there === 'here' || there === 'tab') {
      this.open(address, there)
      return
    }
    this.focus(there.in)
    if (searchOf(address)) this.open(address, 'here', there.in)
  }
  /** Draws the page of a pane anew, with everything that it shows asked for again. */
  refresh = (pane: PaneId | null = this.workspace.focused): void => {
    if (pane)
      this.arrange([pane], () => {
        const page = pageKey(this.pane(pane)?.at ?? HOME)
        this.#store.dispatch(workspace.drawnAnew({ pane, page }))
        const { tags } = this.#store.getState()[api.reducerPath].provided
        this.#store.dispatch(api.util.invalidateTags(Object.keys(tags) as never[]))
      })
  }
  /** Closes several tabs; what is half written in them is asked about. */
  closeTabs = (panes: readonly PaneId[]): void => {
    if (panes.length > 0)
      this.arrange(panes, () => void this.#store.dispatch(workspace.closedTabs(panes)))
  }
  /** Brings the tab so many places aside of the one in front there; nothing where there is none. */
  tabAside = (by: number): void => {
    const { tree, focused } = this.workspace
    const group = tree === null || focused === null ? undefined : groupOf(tree, focused)
    const aside = group?.[group.indexOf(focused!) + by]
    if (aside !== undefined) this.focus(aside)
  }
  /** Brings a pane to the front. */
  focus = (pane: PaneId): void => {
    this.#store.dispatch(workspace.focused(pane))
    this.#refocus()
  }
  /**
   * Moves a pane. `by` is the page that asks: one that is not shown any more, as when its answer
   * came late, takes nobody away from what they went to.
   */
  go = (pane: PaneId, at: string, replace = false, by?: string) => {
    const now = this.pane(pane)
    if (!now) return
    if (by !== undefined && pageKey(now.at) !== by) {
      if (replace) this.#store.dispatch(workspace.keptAt({ pane, page: by, at: spelled(at) }))
      return
    }
    const leaving = this.#leaving(now, at)
    const goes = () =>
      void this.#store.dispatch(workspace.went({ pane, at: spelled(at), replace, leaving }))
    // A page kept alive keeps what is half written in it; another record of the same page does not.
    if (leaving || spelled(at) === now.at) goes()
    else this.#parting(this.#unsavedOn(pane, now.at, at), goes)
  }
  /** Closes a pane, or all others; what is half written in them is asked about. */
  close = (pane: PaneId | null = this.workspace.focused) => {
    const last = this.closesWindow && Object.keys(this.workspace.byId).length === 1
    if (pane)
      this.#parting(this.#unsavedIn([pane]), () => {
        if (last) this.closesWindow?.()
        else {
          this.#store.dispatch(workspace.closed(pane))
          this.#refocus()
        }
      })
  }
  closeOthers = (pane: PaneId | null = this.workspace.focused) => {
    if (pane)
      this.#parting(
        this.#unsavedIn(Object.keys(this.workspace.byId).filter(id => id !== pane)),
        () => void this.#store.dispatch(workspace.closedOthers(pane)),
      )
  }
  /**
   * Changes the layout; what is half written in panes that will not stand any more is asked about.
   */
  arrange = (losing: readonly PaneId[], then: () => void) =>
    this.#parting(this.#unsavedIn(losing), () => {
      then()
      this.#refocus()
    })
  /**
   * Takes a page down that a pane keeps behind the one shown; what is half written in it is asked
   * about.
   */
  free = (pane: PaneId, name: string) =>
    this.#parting(this.#stages.get(`${pane} ${name}`)?.unsaved ?? [], () => {
      this.kept.free(pane, name)
      this.#store.dispatch(workspace.freed({ pane, page: name }))
    })
  /** Whoever goes for good, as by signing out, leaves all panes. */
  leaveAll = (then: () => void) =>
    this.#parting(this.#unsavedIn(Object.keys(this.workspace.byId)), then)
  /** What the page in a pane loses from sight by going there. */
  #unsavedOn(pane: PaneId, from: string, to: string): readonly Unsaved[] {
    return this.stage(pane).unsaved.filter(one => !one.stays || pageKey(from) !== pageKey(to))
  }
  #unsavedIn(panes: readonly PaneId[]): readonly Unsaved[] {
    return [...this.#stages]
      .filter(([name]) => panes.includes(name.slice(0, name.indexOf(' '))))
      .flatMap(([, stage]) => stage.unsaved)
  }
  #refocus() {
    restoreFocusSoon(() => this.workspace.focused)
  }
  #parting(unsaved: readonly Unsaved[], then: () => void) {
    if (unsaved.length === 0) {
      then()
      return
    }
    this.leaving = {
      answer: how => {
        this.leaving = null
        this.#tell()
        if (how === 'discard') for (const one of unsaved) one.discard()
        if (how !== 'stay') {
          for (const stage of this.#stages.values()) for (const one of unsaved) stage.letGo(one)
          then()
        }
        this.#refocus()
      },
    }
    this.#tell()
  }
  back = (pane = this.workspace.focused) => {
    const now = this.pane(pane)
    if (pane && now && now.back.length > 0)
      this.#turn(pane, now, now.back.at(-1)!, workspace.wentBack)
  }
  forward = (pane = this.workspace.focused) => {
    const now = this.pane(pane)
    if (pane && now && now.forward.length > 0)
      this.#turn(pane, now, now.forward.at(-1)!, workspace.wentForward)
  }
  #turn(
    pane: PaneId,
    now: PaneState,
    to: string,
    how: typeof workspace.wentBack | typeof workspace.wentForward,
  ) {
    const leaving = this.#leaving(now, to)
    const goes = () => void this.#store.dispatch(how({ pane, leaving }))
    if (leaving) goes()
    else this.#parting(this.#unsavedOn(pane, now.at, to), goes)
  }
  #leaving(pane: PaneState, to: string): string | undefined {
    return pageAt(pane.at)?.keepAlive && pageKey(pane.at) !== pageKey(to)
      ? pageKey(pane.at)
      : undefined
  }

  /**
   * Runs an action the general way: leaves out rows that can't have it, asks its questions, sends
   * its call once, tells the result and offers to take it back.
   */
  run = async (
    action: Action,
    given: readonly any[],
    more: { pane?: string; asked?: Record<string, unknown>; on?: object } = {},
  ): Promise<boolean> => {
    const until =
      given.length > 0 ? caughtUp(this.#store.dispatch, acting(action, given)) : undefined
    const fresh = until && this.#fresh(given, until, more.pane)
    if (fresh) this.#sending.add(fresh)
    const found = this.#able(action, fresh ? await fresh : given, more.on)
    // What follows in this turn takes its place.
    if (fresh) queueMicrotask(() => this.#sending.delete(fresh))
    if (!found) return false
    const { rows: able, left } = found
    if (action.to) {
      this.open(action.to(able), 'here', more.pane ?? this.workspace.focused)
      return true
    }
    if (!action.call && !this.#performer(more.pane, answeredName(action))) return false
    if (asksFirst(action, able, more.asked)) return this.#ask(action, able, { ...more, left })
    if (left) toast(left, 'warning')
    const result = await this.#send(action, able, more.asked ?? {}, {
      pane: more.pane,
      quiet: false,
    })
    // An action on a row that somebody else changed is asked again, with what it is now.
    return result !== true && result.stale
      ? this.#ask(action, result.stale.rows, { ...more, newer: this.#newer(able, result.stale) })
      : result === true
  }
  /**
   * The rows as they are now: right after a save the page may still show them as they were before
   * it.
   */
  async #fresh(
    given: readonly any[],
    until: Promise<void>,
    pane = this.workspace.focused,
  ): Promise<readonly any[]> {
    await until
    const shown = new Map(
      pane && this.pane(pane) ? this.stage(pane).subject.rows.map(row => [row.id, row]) : [],
    )
    return given.map(row => {
      const now = shown.get(row.id)
      return now && now.version > row.version ? now : row
    })
  }
  /** The rows that can have the action, and why the others can't. Undefined where none can. */
  #able(
    action: Action,
    given: readonly any[],
    on?: object,
  ): { rows: readonly any[]; left: string } | undefined {
    const own = on ? [on] : []
    const rows = action.takes === 'none' ? own : given
    const why = whyNot(action, rows, this.me) ?? lackOf(action, rows)
    if (why) {
      this.#refuse(action, why)
      return undefined
    }
    const left = rows.flatMap((row: any) => {
      const answer = action.when?.(row, this.me) ?? true
      return answer === true ? [] : [this.#say(answer)]
    })
    return {
      rows: rows.filter(row => (action.when?.(row, this.me) ?? true) === true),
      left:
        left.length > 0
          ? this.#say(['已略过 {n} 项：{why}', '{n} left out: {why}'], {
              n: left.length,
              why: countedText(left, lang()),
            })
          : '',
    }
  }
  /** Runs an action whose questions were answered elsewhere: true, or what was refused. */
  attempt = async (
    action: Action,
    given: readonly any[],
    asked: Record<string, unknown>,
  ): Promise<true | Refused> => {
    const until =
      given.length > 0 ? caughtUp(this.#store.dispatch, acting(action, given)) : undefined
    const found = this.#able(action, until ? await this.#fresh(given, until) : given)
    if (!found) return {}
    const { rows: able, left } = found
    if (left) toast(left, 'warning')
    const result = await this.#send(action, able, asked, { quiet: true })
    if (result === true || !result.stale) return result
    // The dialog goes on with what was answered, for it can show what somebody else changed
    // meanwhile.
    void this.#ask(action, result.stale.rows, {
      typed: { changed: asked, based: initialAnswers(action.asks ?? {}, able) },
      newer: this.#newer(able, result.stale),
    })
    return true
  }
  /**
   * Shows what a line typed whole would do to its rows, with its answers filled in, before it is
   * done.
   */
  review = async (
    action: Action,
    given: readonly any[],
    asked: Record<string, unknown>,
  ): Promise<void> => {
    const until = caughtUp(this.#store.dispatch, acting(action, given))
    const found = this.#able(action, until ? await this.#fresh(given, until) : given)
    if (found)
      void this.#ask(action, found.rows, {
        typed: { changed: asked, based: initialAnswers(action.asks ?? {}, found.rows) },
        left: found.left,
      })
  }
  #newer = (was: readonly any[], { rows, by }: Stale): FormState['newer'] => ({
    by,
    before: was[0],
    now: rows[0],
  })
  /** Asks what becomes of what several changed at once. */
  settle = (of: Settling): Promise<Chosen | undefined> =>
    new Promise(done => {
      this.settling?.answer(undefined)
      this.settling = {
        of,
        answer: chosen => {
          this.settling = null
          this.#tell()
          done(chosen)
        },
      }
      this.#tell()
    })
  /** Asks before an export begins. */
  askExport = (of: ExportAsk) => {
    const close = () => {
      this.exporting = null
      this.#tell()
    }
    this.exporting = { of, close }
    this.#tell()
  }
  #ask(
    action: Action,
    rows: readonly any[],
    more: {
      pane?: string | undefined
      asked?: Record<string, unknown>
      typed?: Changes
      newer?: FormState['newer']
      left?: string
    },
  ): Promise<boolean> {
    return new Promise(done => {
      const close = (result: boolean) => {
        this.asking = null
        this.#tell()
        done(result)
      }
      this.asking?.cancel()
      this.asking = {
        action,
        rows,
        given: more.asked ?? {},
        typed: more.typed,
        newer: more.newer,
        left: more.left ?? '',
        cancel: () => close(false),
        submit: async (answers, now = rows) => {
          const asked = { ...more.asked, ...answers }
          const result = await this.#send(action, now, asked, { pane: more.pane, quiet: true })
          if (result === true) close(true)
          return result
        },
      }
      this.#tell()
    })
  }
  async #send(
    action: Action,
    rows: readonly any[],
    asked: Record<string, unknown>,
    { pane, quiet }: SendingFrom,
  ): Promise<true | Refused> {
    const answered = this.#performer(pane, answeredName(action))
    if (answered) {
      answered([asked])
      return true
    }
    const call = action.call
    if (!call || call.kind !== 'write')
      return { message: this.#say(['此操作暂不可用', 'Not available']) }
    const several = action.most !== undefined && rows.length > action.most
    if (several && this.bulk && this.bulk.state !== 'done') {
      const message = this.#say([
        '上一个批量操作还没有结束，请先继续或放弃它',
        'The batch before this one has not ended: carry on with it or give it up first',
      ])
      if (!quiet) toast(message, 'warning')
      return { message }
    }
    const once = `${action.id} ${rows.map(row => row.id).join()}`
    if (this.#busy.has(once)) return {}
    this.#busy.add(once)
    const sending = (async () => {
      if (several) await this.#begin(action, call, { rows, asked }, { pane, quiet })
      else {
        const { input } = sentOf(action, rows, asked)
        // The refusal of one row that changed meanwhile is told once that is settled.
        const done = await this.#sendOnce(action, call, { rows, input }, quiet || rows.length === 1)
        this.#done(action, rows, { ...done, asked }, pane)
      }
    })()
    this.#sending.add(sending)
    try {
      await sending
      return true
    } catch (fault) {
      const { status, message, data } = fault as CallError
      if (status === 409 && data?.rule === 'stale' && rows.length === 1)
        return await this.#stale({
          action,
          call,
          row: rows[0],
          fault: fault as CallError,
          pane,
          told: quiet ? () => {} : () => tellFault(fault as CallError),
          again: now => {
            this.#busy.delete(once)
            return this.#send(action, [now], asked, { pane, quiet })
          },
        })
      const named = Object.keys(action.asks ?? {})
      const fields = Object.fromEntries(
        Object.entries(data?.fields ?? {}).flatMap(([path, words]) => {
          // The server names the call's fields; a question may be called otherwise or hold several.
          const name = named.find(
            one => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}_`),
          )
          return name ? [[name, words]] : []
        }),
      )
      return { fields, ...(Object.keys(fields).length ? {} : { message }) }
    } finally {
      this.#busy.delete(once)
      this.#sending.delete(sending)
    }
  }
  /**
   * Somebody was quicker: the row as the page shows it now, so that it can be done to that one; or
   * why it can't be. What changed the row meanwhile may be the person's own: then it is done to the
   * row as they made it, for nobody loses against themselves.
   */
  async #stale(late: Late): Promise<true | Refused> {
    const { action, call, row, fault, pane = this.workspace.focused, told, again } = late
    const { message, data } = fault
    await renewed(this.#store.dispatch, call.touches)
    const now =
      pane && this.pane(pane)
        ? this.stage(pane).subject.rows.find(one => one.id === row.id)
        : undefined
    const isNewer = now !== undefined && now.version !== row.version
    const why = isNewer && whyNot(action, [now], this.me)
    const isOwn = isNewer && isOwnChange(row, now, data?.by)
    // Answers that began with what stood in the row are held against what stands there now.
    if (isOwn && !why && asksAlike(action, row, now)) return again(now)
    told()
    if (!isNewer) return { message }
    return why
      ? { message: `${message} ${this.#say(why)}` }
      : { message, stale: { rows: [now], by: data?.by } }
  }
  #performer(pane: string | undefined, name: string) {
    const where = pane ?? this.workspace.focused
    return where && this.pane(where) ? this.stage(where).performer(name) : undefined
  }
  /**
   * Sends one call. One that got no answer keeps its key, so that the same input sent again is done
   * once.
   */
  async #sendOnce(
    action: Action,
    call: Write,
    { rows, input }: { rows: readonly any[]; input: unknown },
    quiet: boolean,
  ): Promise<{ answer: unknown; bulk: string }> {
    const sign = `${action.id} ${JSON.stringify(input)}`
    const bulk = this.#unanswered.get(sign) ?? crypto.randomUUID()
    this.#unanswered.delete(sign)
    try {
      return {
        answer: await dispatchWrite(this.#store.dispatch, call, input, {
          key: `${bulk}.1`,
          quiet,
          acting: acting(action, rows),
        }),
        bulk,
      }
    } catch (fault) {
      if ((fault as CallError).lost) this.#unanswered.set(sign, bulk)
      throw fault
    }
  }
  #done(
    action: Action,
    rows: readonly any[],
    { answer, bulk, asked }: { answer: unknown; bulk: string; asked: Record<string, unknown> },
    pane: string | undefined,
  ) {
    const batch = isBatch(answer) ? answer : undefined
    const performer = (name: string) => this.#performer(pane, name)
    const told = performer(resultName(action))?.([answer]) === true
    const free = this.bulk === null || this.bulk.state === 'done'
    // What became of several rows is kept, each with its reason; of a batch that is still under way
    // more depends.
    const kept =
      batch && free && rows.length > 1
        ? withResult(
            {
              ...newBulk(action.id, [{ rows, input: {} }], unixNow(), callingOf(action)),
              id: bulk,
            },
            0,
            batch,
          )
        : undefined
    const left = batch && !told ? leftBy(batch) : undefined
    const again = kept && left?.size ? againOf(action, rows, asked) : undefined
    if (kept)
      this.#setBulk(
        again
          ? { of: withAnother(kept, 0, again(left!)), state: 'running' }
          : { of: kept, state: 'done' },
      )
    if (again) void this.#carryOn(action, action.call as Write, pane, again)
    else if (!told)
      this.#tellDone(action, batch ?? { ok: [0], failed: [] }, bulk, batch !== undefined)
    // The list takes what was done out of its selection: what failed stays selected.
    if (batch) performer('list.settled')?.(rows.filter(row => batch.ok.includes(row.id)))
  }
  #tellDone(action: Action, { ok, failed }: BatchResult, bulk: string, counts: boolean) {
    const title = titleIn(action, lang())
    const undo = (action.call as Write).undo && ok.length > 0
    if (failed.length > 0) {
      const why = reasonsText(failed, lang())
      const report = counts && ok.length + failed.length > 1 ? this.#reportButton() : undefined
      toast(
        this.#say(
          [
            '{title}：{ok} 项完成，{failed} 项失败：{why}',
            '{title}: {ok} done, {failed} failed: {why}',
          ],
          { title, ok: ok.length, failed: failed.length, why },
        ),
        'warning',
        undo ? this.#undoButton(1, bulk) : report,
      )
      this.#streak = undefined
      return
    }
    const before =
      this.#streak?.action === action && isShown(this.#streak.toast) ? this.#streak : undefined
    const n = (before?.n ?? 0) + ok.length
    const words: Text =
      n === 1 && !counts
        ? ['{title}：已完成', '{title}: done']
        : ['{title}：已完成 {n} 项', '{title}: {n} done']
    this.#streak = {
      action,
      n,
      toast: toast(
        this.#say(words, { title, n }),
        'success',
        undo ? this.#undoButton(before ? 2 : 1, bulk) : undefined,
      ),
    }
  }

  #setBulk(bulk: Desk['bulk']) {
    this.bulk = bulk
    keepBulk(this.me.account, bulk && bulk.of)
    this.#tell()
  }
  /**
   * Sends the first part of a batch, whose refusal is shown at its question, and then the others
   * behind the person's back.
   */
  async #begin(
    action: Action,
    call: Write,
    { rows, asked }: { rows: readonly any[]; asked: Record<string, unknown> },
    { pane, quiet }: SendingFrom,
  ) {
    const most = action.most!
    const parts = Array.from({ length: Math.ceil(rows.length / most) }, (_, i) =>
      rows.slice(i * most, (i + 1) * most),
    )
    const bulk = newBulk(
      action.id,
      parts.map(part => sentOf(action, part, asked)),
      unixNow(),
      callingOf(action),
    )
    const again = againOf(action, rows, asked)
    this.#setBulk({ of: bulk, state: 'running' })
    try {
      await this.#sendPart(action, call, { bulk, at: 0 }, { pane, quiet, again })
    } catch (fault) {
      this.#setBulk((fault as CallError).lost ? { of: bulk, state: 'held' } : null)
      throw fault
    }
    void this.#carryOn(action, call, pane, again)
  }
  async #sendPart(
    action: Action,
    call: Write,
    { bulk, at }: { bulk: Bulk; at: number },
    { pane, quiet = true, again }: { pane: string | undefined; quiet?: boolean; again?: Again },
  ) {
    const part = bulk.parts[at]!
    const answer = await dispatchWrite(this.#store.dispatch, call, part.input, {
      key: partKey(bulk, at),
      quiet,
      acting: acting(action, part.rows),
    })
    const result = isBatch(answer) ? answer : { ok: part.rows.map(row => row.id), failed: [] }
    this.#performer(pane, resultName(action))?.([answer])
    this.#performer(pane, 'list.settled')?.(part.rows.filter(row => result.ok.includes(row.id)))
    const [of, left] = [withResult(bulk, at, result), leftBy(result)]
    this.#setBulk({
      of: again && left.size > 0 ? withAnother(of, at, again(left)) : of,
      state: this.bulk?.state ?? 'running',
    })
  }
  async #carryOn(action: Action, call: Write, pane: string | undefined, again?: Again) {
    for (
      let at = nextPart(this.bulk!.of);
      at >= 0 && this.bulk?.state === 'running';
      at = nextPart(this.bulk.of)
    ) {
      const of = this.bulk.of
      try {
        await this.#sendPart(action, call, { bulk: of, at }, { pane, ...(again && { again }) })
      } catch (fault) {
        const { lost, status, message } = fault as CallError
        // What may be answered later waits until the person says so; a refusal of the call itself
        // would meet every part.
        if (lost || status === 429 || status >= 500) {
          this.#setBulk({ of, state: 'held' })
          toast(
            this.#say(['批量操作已暂停：{why}', 'The batch is held: {why}'], { why: message }),
            'warning',
          )
          return
        }
        this.#setBulk({ of: givenUp(of, message), state: 'running' })
      }
    }
    if (!this.bulk || nextPart(this.bulk.of) >= 0) return
    const { ok, failed } = tallyOf(this.bulk.of)
    this.#setBulk({ of: this.bulk.of, state: 'done' })
    this.#tellDone(action, { ok, failed }, this.bulk.of.id, true)
  }
  /**
   * Takes up a batch that a reload or a lost line interrupted: what was sent without an answer is
   * sent under its first key.
   */
  resumeBulk = async (): Promise<void> => {
    if (
      !(await everything().then(
        () => true,
        () => false,
      ))
    ) {
      toast(
        this.#say([
          '操作没有加载出来，请检查网络后重试',
          'The actions could not be loaded, check the network and retry',
        ]),
        'danger',
      )
      return
    }
    const action = this.bulk?.state === 'held' ? actionById(this.bulk.of.action) : undefined
    if (!this.bulk || !action || action.call?.kind !== 'write') {
      toast(this.#say(['没有中断的批量操作', 'No batch was interrupted']))
      return
    }
    this.#setBulk({ of: this.bulk.of, state: 'running' })
    void this.#carryOn(action, action.call, this.workspace.focused ?? undefined)
  }
  /** Holds a batch after the part that is under way; gives up what is left of one that is held. */
  stopBulk = () => {
    if (!this.bulk || this.bulk.state === 'done') return
    this.#setBulk(
      this.bulk.state === 'held'
        ? {
            of: givenUp(this.bulk.of, this.#say(['已放弃，没有发送', 'Given up, not sent'])),
            state: 'done',
          }
        : { of: this.bulk.of, state: 'held' },
    )
  }
  /** What failed of a batch and is still selected in the list in front, as it is now. */
  failedOf = (bulk: Bulk): readonly any[] => {
    const failed = new Set(tallyOf(bulk).failed.map(({ id }) => id))
    const [page, action] = [this.page(), actionById(bulk.action)]
    return page && action && (action.at === page || action.also?.includes(page))
      ? this.stage(this.workspace.focused!).subject.rows.filter(row => failed.has(row.id))
      : []
  }

  /** Only the last of several is taken back, and the button says so. */
  #reportButton() {
    return {
      text: [this.#say(['看明细', 'Details']), this.keysOf(bulkReport.id)]
        .filter(Boolean)
        .join(' '),
      does: () => this.#globals.get(bulkReport.id)?.(),
    }
  }
  #undoButton(times: number, bulk: string) {
    const words: Text = times > 1 ? ['撤销最后一次', 'Undo the last'] : ['撤销', 'Undo']
    return {
      text: [this.#say(words), this.keysOf(undo.id)].filter(Boolean).join(' '),
      does: () => this.undo(bulk),
    }
  }
  /**
   * Takes my last action back, or the one sent as `bulk`, wherever it was done: the server keeps
   * what takes it back. One after the other, and none before what is under way was answered.
   */
  undo = (bulk?: string): Promise<void> => {
    // Where a page takes back what it did by itself, nothing else is meant: what is practised must
    // not undo what was real.
    const own = bulk === undefined ? this.#performer(undefined, undo.id) : undefined
    if (own) {
      own([])
      return Promise.resolve()
    }
    const next = this.#undoing.then(async () => {
      while (this.#sending.size > 0) await Promise.allSettled(this.#sending)
      try {
        const { list } = await dispatchRead(this.#store.dispatch, undoCalls.mine, {}, true)
        const last = bulk === undefined ? list[0] : list.find(one => one.bulk === bulk)
        if (last) await this.#takeBack(last)
        else toast(this.#say(['没有可撤销的操作', 'Nothing to undo']))
      } catch {
        // It was told.
      }
    })
    this.#undoing = next
    return next
  }
  takeBack = (one: Undoable): Promise<void> => {
    const next = this.#undoing.then(() => this.#takeBack(one))
    this.#undoing = next
    return next
  }
  /**
   * A whole bulk in one step, as many requests as it takes; what can't be taken back is told of and
   * stays as it is.
   */
  async #takeBack(one: Undoable) {
    const [ok, failed]: [number[], { code: string; msg: string }[]] = [[], []]
    let before: number | null = null
    // Without them its words are the server's, and what it changed is told by the server's events.
    await everything().catch(() => undefined)
    try {
      do {
        const part: BatchResult & { next?: number | null } = await (one.bulk === null ||
        one.parts === 1
          ? dispatchWrite(this.#store.dispatch, undoCalls.take, { id: one.id }, { quiet: 'wholly' })
          : dispatchWrite(
              this.#store.dispatch,
              undoCalls.takeBulk,
              { bulk: one.bulk, ...(before !== null && { before }) },
              { quiet: 'wholly' },
            ))
        ok.push(...part.ok)
        failed.push(...part.failed)
        before = part.next ?? null
      } while (before !== null)
    } catch (fault) {
      failed.push({ code: '', msg: (fault as CallError).message })
    }
    const [undone, title] = [doneBy(one), titleOfDone(one)]
    const why = reasonsText(failed, lang())
    if (ok.length === 0 && failed.length > 0) {
      toast(
        this.#say(['未能撤销“{title}”：{why}', '{title} was not undone: {why}'], { title, why }),
        'warning',
      )
      return
    }
    this.#store.dispatch(
      api.util.invalidateTags([
        ...new Set(undone.flatMap(action => action.call!.touches)),
      ] as never[]),
    )
    const words = undoneWords(ok.length, failed.length)
    toast(
      this.#say(words, { title, n: ok.length, failed: failed.length, why }),
      failed.length > 0 ? 'warning' : 'success',
    )
    // The list that is in front shows what came back, where it was done there.
    const page = this.page()
    if (page && undone.some(action => action.at === page || action.also?.includes(page)))
      this.#performer(undefined, 'list.reveal')?.(ok.map(id => ({ id })))
  }
  copyLink = async () => {
    const url = location.origin + (this.pane()?.at ?? HOME)
    try {
      await navigator.clipboard.writeText(url)
      toast(this.#say(['链接已复制', 'Link copied']), 'success')
    } catch {
      toast(
        this.#say(
          [
            '无法访问剪贴板，请手动复制：{url}',
            'No access to the clipboard, copy it by hand: {url}',
          ],
          { url },
        ),
        'warning',
      )
    }
  }
}
export const DeskContext = createContext<Desk | null>(null)
export const useDesk = (): Desk => {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('useDesk outside the workbench')
  return desk
}
