import { createContext, useContext } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Action, Me, Page } from '#commands/command.ts'
import { commandPalette, palette } from '#commands/shell.ts'
import type { Write } from '#src/contract/call.ts'
import type { BatchResult } from '#src/contract/shapes.ts'
import { say, type Text } from '#src/domain/text.ts'
import { caughtUp, dispatchWrite, type CallError } from '#src/kit/data.ts'
import type { OnLeaving } from '#src/kit/leaving.tsx'
import { Stage, type Unsaved } from '#src/kit/stage.ts'
import { lang, titleIn } from '#src/kit/text.ts'
import type { Refused } from '#src/kit/form.tsx'
import { answeredName, resultName, type Workbench } from '#src/kit/workbench.ts'
import { pathOf, searchOf, tidy } from './address.ts'
import { keyLabel } from './keys/strokes.ts'
import { restoreFocusSoon } from './panes/focus-memory.ts'
import { workspace, type PaneState } from './panes/workspace.ts'
import type { PaneId } from './panes/tree.ts'
import { actionById, actions, actionsOf, isGlobal, pageAt, spelled } from './registry.ts'
import type { Store } from './store.ts'
import { isShown, toast } from './toasts.tsx'

/** An action as it stands now: the rows it would take, and why it can't be had, if so. */
export type Offer = { action: Action; rows: readonly any[]; why?: Text }
/** An action's questions, waiting for the person. */
export type Asking = { action: Action; rows: readonly any[]; given: Record<string, unknown>; submit: (answers: Record<string, unknown>) => Promise<true | Refused>; cancel: () => void }

const chooseRow: Text = ['请先选择一行', 'Choose a row first']
const stillLoading: Text = ['列表还在更新，请稍候再试', 'The list is still being updated: try again in a moment']
const oneRow: Text = ['一次只能处理一行', 'One row at a time']

/** Why an action can't be had for these rows, or undefined. Some rows of several may be unable: those are left out and told of. */
export const whyNot = (action: Action, rows: readonly any[], me: Me): Text | undefined => {
  if (!me.can(action.permit)) return [`需要权限：${action.title}（请联系主管或系统管理员开通）`, `Needs the right: ${action.en} (your lead or an administrator can grant it)`]
  if (action.takes === 'none') return undefined
  if (rows.length === 0) return chooseRow
  if (action.takes === 'row' && rows.length > 1) return oneRow
  const reasons = rows.map(row => action.when?.(row, me) ?? true)
  const first = reasons[0]
  return reasons.includes(true) || first === true || first === undefined ? undefined : first
}

const isBatch = (value: unknown): value is BatchResult =>
  typeof value === 'object' && value !== null && Array.isArray((value as BatchResult).ok) && Array.isArray((value as BatchResult).failed)
/** `原因 ×3；另一个原因` */
const grouped = (reasons: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, n]) => (n > 1 ? `${reason} ×${n}` : reason)).join('；')
}

/** Which page stands at an address, as a key of its own: another record of the same page is another one. */
export const pageKey = (at: string): string => pathOf(spelled(at))

/** The desk: everything that the palette, the keys, the menus and the pages ask of the workbench. One for each person signed in. */
export class Desk {
  readonly #store: Store
  me: Workbench['me']
  readonly #stages = new Map<string, Stage>()
  readonly #globals = new Map<string, () => void>()
  readonly #busy = new Set<string>()
  readonly #listeners = new Set<() => void>()
  /** Told each time an action ran, for the palette's memory. */
  readonly ran = new Set<(id: string) => void>()
  asking: Asking | null = null
  /** Somebody leaves something half written, and is asked what becomes of it. */
  leaving: { answer: (how: OnLeaving) => void } | null = null
  /** What was sent and not answered, under its key: sent once more it answers the first result, so that nothing is done twice. */
  readonly #unanswered = new Map<string, string>()
  #undo: { does: () => Promise<void> } | undefined
  /** The action last done and how often, as long as the message about it stands. */
  #streak: { action: Action; n: number; toast: number } | undefined

  constructor(store: Store, me: Workbench['me']) {
    this.#store = store
    this.me = me
  }
  subscribe = (tell: () => void): (() => void) => (this.#listeners.add(tell), () => void this.#listeners.delete(tell))
  #tell() { for (const tell of this.#listeners) tell() }
  #say(text: Text, values?: Record<string, string | number>) { return say(text, lang(), values) }

  /** The stage of the page in a pane; each page kept alive has its own. */
  stage(pane: PaneId, key?: string): Stage {
    const name = `${pane} ${key ?? pageKey(this.pane(pane)?.at ?? '/manage')}`
    let stage = this.#stages.get(name)
    if (!stage) this.#stages.set(name, stage = new Stage())
    return stage
  }
  /** Of a pane only the stages of these pages are still needed. */
  keepStages(pane: PaneId, keys: readonly string[]) { for (const name of this.#stages.keys()) if (name.startsWith(`${pane} `) && !keys.includes(name.slice(pane.length + 1))) this.#stages.delete(name) }
  get workspace() { return this.#store.getState().workspace }
  pane(id: PaneId | null = this.workspace.focused): PaneState | undefined { return id === null ? undefined : this.workspace.byId[id] }
  /** The page in front. */
  page(id?: PaneId): Page | undefined {
    const pane = this.pane(id)
    return pane && pageAt(pane.at)
  }
  /** Who carries out a workbench action; the answer takes it back. */
  global(id: string, does: () => void): () => void {
    this.#globals.set(id, does)
    return () => { if (this.#globals.get(id) === does) this.#globals.delete(id) }
  }

  /** Everything that can be done from the pane in front: its page's actions and what its list does, then the workbench's own. */
  offers(pane: PaneId | null = this.workspace.focused): Offer[] {
    const page = pane === null ? undefined : this.page(pane)
    const stage = pane === null ? undefined : this.stage(pane)
    const rows = stage?.subject.rows ?? []
    const here = page ? actionsOf(page).filter(action => (action.call && action.input) || action.to || stage?.performer(action.id) || stage?.performer(answeredName(action))) : []
    const listed = stage ? actions.filter(action => action.id.startsWith('list.') && stage.performer(action.id)) : []
    const globals = actions.filter(action => isGlobal(action) && this.#globals.has(action.id))
    return [...here, ...listed, ...globals].map(action => {
      const given = action.takes === 'none' ? [] : rows
      const missing = isGlobal(action) || action.id.startsWith('list.') ? undefined : whyNot(action, given, this.me)
      const why = missing === chooseRow && stage?.subject.pending ? stillLoading : missing
      return { action, rows: given, ...(why ? { why } : {}) }
    })
  }
  keysOf = (id: string): string | undefined => {
    const keys = actionById(id)?.key
    return keys && keyLabel(keys)
  }

  /** Does what an offer says, by the page itself where it performs it. Says why where it can't be done. */
  perform = ({ action, rows, why }: Offer, pane = this.workspace.focused ?? undefined) => {
    if (why) { toast(this.#say(why), 'warning'); return }
    if (action !== palette && action !== commandPalette) for (const tell of this.ran) tell(action.id)
    const global = this.#globals.get(action.id)
    if (isGlobal(action)) { global?.(); return }
    const performer = pane === undefined ? undefined : this.stage(pane).performer(action.id)
    if (performer) performer(rows)
    else void this.run(action, rows, pane === undefined ? {} : { pane })
  }

  /** Shows an address: in the pane, in a tab with it, or beside it. A page kept alive comes back as it was left when only its path is named. */
  open = (address: string, how: 'here' | 'beside' | 'tab' = 'here', from = this.workspace.focused): void => {
    const at = spelled(tidy(address))
    // Specification, section 2: an unknown path ends on /error, once. The panes stay as they are behind it.
    if (!pageAt(at)) { navigate(`/error?path=${encodeURIComponent(at)}`); return }
    if (how !== 'here' || from === null) {
      this.#store.dispatch(workspace.opened({ at, how: how === 'tab' ? 'tab' : 'right', beside: from ?? undefined }))
      return
    }
    const pane = this.pane(from)
    if (!pane) return
    const page = pageAt(at)
    const kept = page?.keepAlive && !searchOf(at) && pageKey(pane.at) !== pageKey(at) ? pane.kept[pageKey(at)] : undefined
    this.go(from, kept ?? at)
  }
  /** Moves a pane. `by` is the page that asks: one that is not shown any more, as when its answer came late, takes nobody away from what they went to. */
  go = (pane: PaneId, at: string, replace = false, by?: string) => {
    const now = this.pane(pane)
    if (!now) return
    if (by !== undefined && pageKey(now.at) !== by) {
      if (replace) this.#store.dispatch(workspace.keptAt({ pane, page: by, at: spelled(at) }))
      return
    }
    const leaving = this.#leaving(now, at)
    const goes = () => void this.#store.dispatch(workspace.went({ pane, at: spelled(at), replace, leaving }))
    // A page kept alive keeps what is half written in it; another record of the same page does not.
    if (leaving || spelled(at) === now.at) goes()
    else this.#parting(this.stage(pane).unsaved, goes)
  }
  /** Closes a pane, or all others; what is half written in them is asked about. */
  close = (pane: PaneId | null = this.workspace.focused) => {
    if (pane) this.#parting(this.#unsavedIn([pane]), () => { this.#store.dispatch(workspace.closed(pane)); this.#refocus() })
  }
  closeOthers = (pane: PaneId | null = this.workspace.focused) => {
    if (pane) this.#parting(this.#unsavedIn(Object.keys(this.workspace.byId).filter(id => id !== pane)), () => void this.#store.dispatch(workspace.closedOthers(pane)))
  }
  /** Whoever goes for good, as by signing out, leaves all panes. */
  leaveAll = (then: () => void) => this.#parting(this.#unsavedIn(Object.keys(this.workspace.byId)), then)
  #unsavedIn(panes: readonly PaneId[]): readonly Unsaved[] { return [...this.#stages].filter(([name]) => panes.includes(name.slice(0, name.indexOf(' ')))).flatMap(([, stage]) => stage.unsaved) }
  #refocus() { restoreFocusSoon(() => this.workspace.focused) }
  #parting(unsaved: readonly Unsaved[], then: () => void) {
    if (unsaved.length === 0) { then(); return }
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
    if (pane && now && now.back.length > 0) this.#turn(pane, now, now.back.at(-1)!, workspace.wentBack)
  }
  forward = (pane = this.workspace.focused) => {
    const now = this.pane(pane)
    if (pane && now && now.forward.length > 0) this.#turn(pane, now, now.forward.at(-1)!, workspace.wentForward)
  }
  #turn(pane: PaneId, now: PaneState, to: string, how: typeof workspace.wentBack | typeof workspace.wentForward) {
    const leaving = this.#leaving(now, to)
    const goes = () => void this.#store.dispatch(how({ pane, leaving }))
    if (leaving) goes()
    else this.#parting(this.stage(pane).unsaved, goes)
  }
  #leaving(pane: PaneState, to: string): string | undefined {
    return pageAt(pane.at)?.keepAlive && pageKey(pane.at) !== pageKey(to) ? pageKey(pane.at) : undefined
  }

  /** Runs an action the general way: leaves out rows that can't have it, asks its questions, sends its call once, tells the result and offers to take it back. */
  run = async (action: Action, given: readonly any[], more: { pane?: string; asked?: Record<string, unknown>; on?: object } = {}): Promise<boolean> => {
    const until = given.length > 0 ? caughtUp(this.#store.dispatch) : undefined
    const able = this.#able(action, until ? await this.#fresh(given, until, more.pane) : given, more.on)
    if (!able) return false
    if (action.to) { this.open(action.to(able), 'here', more.pane ?? this.workspace.focused); return true }
    if (!action.call && !this.#performer(more.pane, answeredName(action))) return false
    const open = Object.entries(action.asks ?? {}).some(([name, ask]) => !ask.optional && more.asked?.[name] === undefined) || (Object.keys(action.asks ?? {}).length > 0 && more.asked === undefined)
    if (!open && !(action.danger && more.asked === undefined)) return (await this.#send(action, able, more.asked ?? {}, more.pane, false)) === true
    return this.#ask(action, able, more)
  }
  /** The rows as they are now: right after a save the page may still show them as they were before it. */
  async #fresh(given: readonly any[], until: Promise<void>, pane = this.workspace.focused): Promise<readonly any[]> {
    await until
    const shown = new Map(pane && this.pane(pane) ? this.stage(pane).subject.rows.map(row => [row.id, row]) : [])
    return given.map(row => { const now = shown.get(row.id); return now && now.version > row.version ? now : row })
  }
  /** The rows that can have the action; the others are told of. Undefined where none can. */
  #able(action: Action, given: readonly any[], on?: object): readonly any[] | undefined {
    const rows = action.takes === 'none' ? (on ? [on] : []) : given
    const why = whyNot(action, rows, this.me)
    if (why) { toast(this.#say(why), 'warning'); return undefined }
    const left = rows.flatMap((row: any) => { const answer = action.when?.(row, this.me) ?? true; return answer === true ? [] : [this.#say(answer)] })
    if (left.length > 0) toast(this.#say(['已略过 {n} 项：{why}', '{n} left out: {why}'], { n: left.length, why: grouped(left) }), 'warning')
    return rows.filter(row => (action.when?.(row, this.me) ?? true) === true)
  }
  /** Runs an action whose questions were answered elsewhere: true, or what was refused. */
  attempt = async (action: Action, given: readonly any[], asked: Record<string, unknown>): Promise<true | Refused> => {
    const until = caughtUp(this.#store.dispatch)
    const able = this.#able(action, until ? await this.#fresh(given, until) : given)
    return able ? this.#send(action, able, asked, undefined, true) : {}
  }
  #ask(action: Action, rows: readonly any[], more: { pane?: string; asked?: Record<string, unknown> }): Promise<boolean> {
    return new Promise(done => {
      const close = (result: boolean) => { this.asking = null; this.#tell(); done(result) }
      this.asking?.cancel()
      this.asking = {
        action, rows, given: more.asked ?? {}, cancel: () => close(false),
        submit: async answers => {
          const result = await this.#send(action, rows, { ...more.asked, ...answers }, more.pane, true)
          if (result === true) close(true)
          return result
        },
      }
      this.#tell()
    })
  }
  async #send(action: Action, rows: readonly any[], asked: Record<string, unknown>, pane: string | undefined, quiet: boolean): Promise<true | Refused> {
    const answered = this.#performer(pane, answeredName(action))
    if (answered) { answered([asked]); return true }
    const call = action.call
    if (!call || call.kind !== 'write') return { message: this.#say(['此操作暂不可用', 'Not available']) }
    const once = `${action.id} ${rows.map(row => row.id).join()}`
    if (this.#busy.has(once)) return {}
    this.#busy.add(once)
    const parts = action.most && rows.length > action.most ? Array.from({ length: Math.ceil(rows.length / action.most) }, (_, i) => rows.slice(i * action.most!, (i + 1) * action.most!)) : [rows]
    const results: unknown[] = []
    try {
      for (const part of parts) {
        try {
          results.push(await this.#sendOnce(action, call, action.input?.(part, asked) ?? {}, quiet))
        } catch (fault) {
          // What was done stays done: the rest is told as failed, and stays selected.
          if (results.length === 0) throw fault
          results.push({ ok: [], failed: parts.slice(results.length).flat().map(row => ({ id: (row as { id: number }).id, code: 'not_sent', msg: (fault as CallError).message })) } satisfies BatchResult)
          break
        }
      }
      this.#done(action, rows, results, pane)
      return true
    } catch (fault) {
      const { message, data } = fault as CallError
      const named = Object.keys(action.asks ?? {})
      const fields = Object.fromEntries(Object.entries(data?.fields ?? {}).flatMap(([path, words]) => {
        // The server names the call's fields; a question may be called otherwise or hold several.
        const name = named.find(one => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}_`))
        return name ? [[name, words]] : []
      }))
      return { fields, ...(Object.keys(fields).length ? {} : { message }) }
    } finally {
      this.#busy.delete(once)
    }
  }
  #performer(pane: string | undefined, name: string) {
    const where = pane ?? this.workspace.focused
    return where && this.pane(where) ? this.stage(where).performer(name) : undefined
  }
  /** Sends one call. One that got no answer keeps its key, so that the same input sent again is done once. */
  async #sendOnce(action: Action, call: Write, input: unknown, quiet: boolean): Promise<unknown> {
    const sign = `${action.id} ${JSON.stringify(input)}`
    const key = this.#unanswered.get(sign) ?? crypto.randomUUID()
    this.#unanswered.delete(sign)
    try {
      return await dispatchWrite(this.#store.dispatch, call, input, { key, quiet })
    } catch (fault) {
      if ((fault as CallError).lost) this.#unanswered.set(sign, key)
      throw fault
    }
  }
  #done(action: Action, rows: readonly any[], results: readonly unknown[], pane: string | undefined) {
    const title = titleIn(action, lang())
    const batches = results.filter(isBatch)
    const batch: BatchResult | undefined = batches.length > 0 ? { ok: batches.flatMap(({ ok }) => ok), failed: batches.flatMap(({ failed }) => failed) } : undefined
    const undo = action.undo && (!batch || batch.ok.length > 0) ? action.undo : undefined
    const performer = (name: string) => this.#performer(pane, name)
    performer(resultName(action))?.(results)
    if (undo) this.#undo = { does: async () => {
      for (const result of results) if (!isBatch(result) || result.ok.length > 0) await dispatchWrite(this.#store.dispatch, undo.call, undo.input(result))
      toast(this.#say(['已撤销：{title}', 'Undone: {title}'], { title }), 'success')
      performer('list.reveal')?.(batch ? rows.filter(row => batch.ok.includes(row.id)) : rows)
    } }
    if (batch && batch.failed.length > 0) {
      const why = grouped(batch.failed.map(({ msg }) => msg))
      toast(this.#say(['{title}：{ok} 项完成，{failed} 项失败：{why}', '{title}: {ok} done, {failed} failed: {why}'], { title, ok: batch.ok.length, failed: batch.failed.length, why }), 'warning', undo && this.#undoButton(1))
      this.#streak = undefined
    } else {
      const before = this.#streak?.action === action && isShown(this.#streak.toast) ? this.#streak : undefined
      const n = (before?.n ?? 0) + (batch ? batch.ok.length : 1)
      const words: Text = n === 1 && !batch ? ['{title}：已完成', '{title}: done'] : ['{title}：已完成 {n} 项', '{title}: {n} done']
      this.#streak = { action, n, toast: toast(this.#say(words, { title, n }), 'success', undo && this.#undoButton(before ? 2 : 1)) }
    }
    // The list takes what was done out of its selection: what failed stays selected.
    if (batch) performer('list.settled')?.(rows.filter(row => batch.ok.includes(row.id)))
  }
  /** Of several only the last one is taken back, and the button says so. */
  #undoButton(times: number) {
    const words: Text = times > 1 ? ['撤销最后一次', 'Undo the last'] : ['撤销', 'Undo']
    return { text: `${this.#say(words)} ${keyLabel('mod+z')}`, does: this.undo }
  }
  /** Takes the last action back, once. */
  undo = () => {
    const last = this.#undo
    if (!last) { toast(this.#say(['没有可撤销的操作', 'Nothing to undo'])); return }
    this.#undo = undefined
    // A refusal was already told; a lost connection may try once more.
    last.does().catch((fault: CallError) => { if (fault.lost) this.#undo = last })
  }
  copyLink = async () => {
    const url = location.origin + (this.pane()?.at ?? '/manage')
    try {
      await navigator.clipboard.writeText(url)
      toast(this.#say(['链接已复制', 'Link copied']), 'success')
    } catch {
      toast(this.#say(['无法访问剪贴板，请手动复制：{url}', 'No access to the clipboard, copy it by hand: {url}'], { url }), 'warning')
    }
  }
}
export const DeskContext = createContext<Desk | null>(null)
export const useDesk = (): Desk => {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('useDesk outside the workbench')
  return desk
}
