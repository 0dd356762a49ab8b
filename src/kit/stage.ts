import type { Action } from '#commands/command.ts'

/**
 * What the focused page offers the palette, the keys and the menus: the rows acted on, and what it
 * performs itself.
 */
export type Subject = {
  rows: readonly any[]
  /** Rows that the list's filter matches in all, when it is a list. */
  total?: number
  /** Its rows are on their way. */
  pending?: boolean
}
/**
 * Something half written on the page: whether it still is, and how to throw it away. `stays`: it is
 * still there when only the page's parameters have changed.
 */
export type Unsaved = { dirty: () => boolean; discard: () => void; stays?: boolean }
export type Performer = (rows: readonly any[]) => unknown

/**
 * One pane's stage: pages write it, the shell reads it. A plain store, so that a row's focus draws
 * no pane again.
 */
export class Stage {
  #subject: Subject = { rows: [] }
  #performers = new Map<string, Performer>()
  #unsaved = new Set<Unsaved>()
  #listeners = new Set<() => void>()
  #head: HTMLElement | null = null
  #lead: string | undefined

  get subject(): Subject {
    return this.#subject
  }
  set subject(next: Subject) {
    this.#subject = next
    this.#tell()
  }
  /** Where the detail in sight shows what can be decided about it. */
  get head(): HTMLElement | null {
    return this.#head
  }
  set head(next: HTMLElement | null) {
    this.#head = next
    this.#tell()
  }
  /** The action of the page's blue button, which its keys are told by first. */
  get lead(): string | undefined {
    return this.#lead
  }
  set lead(next: string | undefined) {
    if (next === this.#lead) return
    this.#lead = next
    this.#tell()
  }
  /** The page performs this action itself; the answer takes it back. */
  perform(action: Action | string, by: Performer): () => void {
    const id = typeof action === 'string' ? action : action.id
    this.#performers.set(id, by)
    this.#tell()
    return () => {
      if (this.#performers.get(id) === by) {
        this.#performers.delete(id)
        this.#tell()
      }
    }
  }
  /**
   * What is lost from sight when the page is left: the shell asks first. The answer takes it back.
   */
  hold(one: Unsaved): () => void {
    this.#unsaved.add(one)
    return () => void this.#unsaved.delete(one)
  }
  /** It was asked about. */
  letGo(one: Unsaved) {
    this.#unsaved.delete(one)
  }
  get unsaved(): readonly Unsaved[] {
    return [...this.#unsaved].filter(one => one.dirty())
  }
  performer(id: string): Performer | undefined {
    return this.#performers.get(id)
  }
  subscribe = (tell: () => void): (() => void) => (
    this.#listeners.add(tell),
    () => void this.#listeners.delete(tell)
  )
  #tell() {
    for (const tell of this.#listeners) tell()
  }
}
