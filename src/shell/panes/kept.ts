import { pageAt } from '../registry.ts'
import { setting } from '../settings.ts'
import type { PaneId } from './tree.ts'

export const keptChoices = [4, 12, 24] as const
export type Keeping = {
  /** Pages kept alive out of sight, in all panes together. */ most: (typeof keptChoices)[number]
  /** A new window begins with the layout that was left. */ resume: boolean
}
const isKeeping = (value: unknown): value is Keeping =>
  typeof value === 'object' &&
  value !== null &&
  keptChoices.some(n => n === (value as Keeping).most) &&
  typeof (value as Keeping).resume === 'boolean'
/** How much is kept: a person's own choice, on every machine. */
export const keeping = setting<Keeping>('workspace.keeping', isKeeping, { most: 12, resume: true })

type Of = { front: string; seen: boolean; names: readonly string[] }
const NONE: readonly string[] = []
/**
 * Which pages are alive in which pane. What is out of sight is bounded, all panes together: the
 * page longest unseen is frozen, which is to say that it is taken down and keeps what a layout
 * keeps (its address, and what it remembers). One with something half written in it is never
 * frozen.
 */
export class Kept {
  readonly #isHeld: (pane: PaneId, name: string) => boolean
  readonly #panes = new Map<PaneId, Of>()
  /** Pages out of sight, the longest unseen first. */
  #unseen: readonly { pane: PaneId; name: string }[] = []
  readonly #listeners = new Set<() => void>()

  constructor(isHeld: (pane: PaneId, name: string) => boolean) {
    this.#isHeld = isHeld
  }
  subscribe = (tell: () => void): (() => void) => (
    this.#listeners.add(tell),
    () => void this.#listeners.delete(tell)
  )
  /** The pages alive in a pane, in the order they came: none is ever moved in the document. */
  of = (pane: PaneId): readonly string[] => this.#panes.get(pane)?.names ?? NONE
  /** Whether what a pane shows when it is looked at is not alive now. */
  isFrozen = (pane: PaneId): boolean => {
    const of = this.#panes.get(pane)
    return of !== undefined && !of.names.includes(of.front)
  }
  get unseen(): number {
    return this.#unseen.length
  }

  /** Hears of each pane what it shows, and whether that is in sight. */
  show(pane: PaneId, front: string, seen: boolean) {
    const before = this.#panes.get(pane)
    const kept = (before?.names ?? NONE).filter(name => name === front || pageAt(name)?.keepAlive)
    // A pane that was never looked at waits with its page until it is.
    this.#put(pane, { front, seen, names: seen && !kept.includes(front) ? [...kept, front] : kept })
  }
  free(pane: PaneId, name: string) {
    const of = this.#panes.get(pane)
    if (of && !(of.seen && of.front === name))
      this.#put(pane, { ...of, names: of.names.filter(one => one !== name) })
  }
  drop(pane: PaneId) {
    this.#panes.delete(pane)
    this.#unseen = this.#unseen.filter(one => one.pane !== pane)
    this.#tell()
  }
  #put(pane: PaneId, of: Of) {
    const before = this.#panes.get(pane)
    const same = before && String(before.names) === String(of.names)
    this.#panes.set(pane, same ? { ...of, names: before.names } : of)
    const out = of.names.filter(name => name !== of.front || !of.seen)
    const stay = this.#unseen.filter(one => one.pane !== pane || out.includes(one.name))
    this.#unseen = [
      ...stay,
      ...out
        .filter(name => !stay.some(one => one.pane === pane && one.name === name))
        .map(name => ({ pane, name })),
    ]
    const froze = this.trim()
    if (froze || !same || before.front !== of.front) this.#tell()
  }
  /** Freezes what is more than is kept. */
  trim = (): boolean => {
    const before = this.#unseen
    for (const { pane, name } of before) {
      if (this.#unseen.length <= keeping.get().most) break
      if (this.#isHeld(pane, name)) continue
      const of = this.#panes.get(pane)!
      this.#panes.set(pane, { ...of, names: of.names.filter(one => one !== name) })
      this.#unseen = this.#unseen.filter(one => one.pane !== pane || one.name !== name)
    }
    return this.#unseen.length < before.length
  }
  /** The bound was changed. */
  fit = () => {
    if (this.trim()) this.#tell()
  }
  #tell() {
    for (const tell of this.#listeners) tell()
  }
}
