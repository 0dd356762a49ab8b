import type { Action, Page } from '#commands/command.ts'
import { commandPalette, palette } from '#commands/shell.ts'
import { habit } from '#src/areas/workbench/frecency.ts'
import type { Desk, Offer } from '../desk.ts'
import { keysFor } from '../keys/bound.ts'
import { actions, isGlobal, opensAlone, pages } from '../registry.ts'
import { habitsKnown, roleOn } from './habits.ts'
import { HIDDEN, indexed, isMostOf, ranker, SAID_WHOLE, type Readings } from './rank.ts'
import { asksRecord } from './record-of.ts'
import { usedOn, worthNow } from './used.ts'

export type Entry = { id: string; of: Page | Action }
export type Shown = {
  id: string
  title: string
  en: string
  keys?: string
  page?: Page
  offer?: Offer
  /** Where an action of another page is done. */ elsewhere?: Page
  at: number
  of: number
}

/** What is looked among: everything, actions, pages, or what the workbench itself can do and be. */
export type Only = 'all' | 'actions' | 'pages' | 'settings'
const idOf = (of: Page | Action) => (of.kind === 'page' ? of.path : of.id)
/** The workbench's own actions and those of every list. */
const isGeneral = (action: Action): boolean => isGlobal(action) || action.id.startsWith('list.')
/**
 * What this person may find: pages that open by themselves or ask for their record, the actions of
 * those pages, the workbench's own.
 */
const entriesFor = (desk: Desk): Entry[] =>
  [
    ...pages.filter(page => desk.me.can(page.permit) && (opensAlone(page) || asksRecord(page))),
    ...actions()
      .filter(action => action !== palette && action !== commandPalette)
      .filter(action => isGeneral(action) || desk.me.can(action.at.permit)),
  ].map(of => ({ id: idOf(of), of }))

/** An action that other pages have too, done on another page: below every page that is found. */
const SAME_ELSEWHERE = -600
const ELSEWHERE = -60
const titlesOfSeveral = (entries: readonly Entry[]): ReadonlySet<string> => {
  const [once, several] = [new Set<string>(), new Set<string>()]
  for (const { of } of entries)
    if (of.kind === 'action') (once.has(of.title) ? several : once).add(of.title)
  return several
}
/** A page of whose title the words are the greater part stands before what is only called so too. */
const OWN_WORDS = 100
/** What an action of the page in front stands above the same words elsewhere by. */
const HERE = { page: 12, rows: 16 } as const
/** The place of an action that can be had here, while nothing is typed. */
const untyped = (action: Action, { why }: Offer, isLast: boolean): number => {
  if (isLast) return 5000
  if (isGeneral(action)) return 1000
  if (why) return 1500
  return action.takes === 'none' ? 2900 : 3000
}
/**
 * What one's own use lifts an entry that is typed: past a later word, not past what is said whole.
 */
const lifted = (own: number): number => Math.min(36, 10 * Math.log2(1 + own))

/**
 * Searches the entries, seen from what stands in front. One for each person; the moment is taken
 * anew at each opening.
 */
export const searchOf = (desk: Desk, readings: Readings) => {
  const entries = entriesFor(desk)
  const several = titlesOfSeveral(entries)
  const index = entries.map(({ id, of }) => indexed({ ...of, id }, readings))
  const rank = ranker(index)
  return (now: number) => {
    const offers = new Map(desk.offers().map((offer, i) => [offer.action.id, { offer, i }]))
    const front = desk.page()
    const used = usedOn(desk.me.account, front?.path ?? '')
    const last = Object.entries(used).sort(([, a], [, b]) => b.at - a.at)[0]?.[0]
    const role = roleOn(habitsKnown(), front?.path ?? '', now)
    const [ownAll, roleMost] = [
      Object.keys(used).reduce((sum, id) => sum + worthNow(used, id, now), 0),
      Math.max(0, ...role.values()),
    ]
    const pageBonus = (at: number, worth: number, text: string, often: number): number => {
      const { id, of } = entries[at]!
      if (of.kind === 'page' && asksRecord(of)) return worth === 0 ? HIDDEN : often
      if (worth === 0) return (id === last ? 5000 : 2000) + often * 10 - at / 100
      return 8 + often + (isMostOf(text, index[at]!) ? OWN_WORDS : 0)
    }
    const bonus = (at: number, worth: number, text: string): number => {
      const { id, of } = entries[at]!
      const found = of.kind === 'action' ? offers.get(id) : undefined
      // Most of ten thousand end here: what is asked of all of them stands below.
      if (of.kind === 'action' && !found && worth === 0) return HIDDEN
      const own = worthNow(used, id, now)
      const often =
        Math.min(10, 4 * Math.log2(1 + habit(own, ownAll, role.get(id) ?? 0, roleMost))) +
        (worth === 0 ? 0 : lifted(own))
      if (of.kind === 'page') return pageBonus(at, worth, text, often)
      if (!found)
        return isGeneral(of) || !desk.me.can(of.permit) || of.at === front
          ? HIDDEN
          : often + (several.has(of.title) ? SAME_ELSEWHERE : ELSEWHERE)
      const general = isGeneral(of)
      if (worth === 0) return untyped(of, found.offer, id === last) + often - found.i / 10
      if (found.offer.why) return -15
      // Said whole, a page stands before an action that is said the same way (tgsh: 团购审核 before
      // 通过审核).
      if (general) return often
      return often + (worth >= SAID_WHOLE ? 2 : HERE[of.takes === 'none' ? 'page' : 'rows'])
    }
    return (typed: string, only: Only = 'all', limit = 30): { shown: Shown[]; total: number } => {
      const fits = (at: number) => {
        const { of } = entries[at]!
        if (only === 'all') return true
        if (only === 'pages') return of.kind === 'page'
        return of.kind === 'action' && (only === 'actions' || isGlobal(of))
      }
      const { top } = rank(
        typed,
        (at, worth, text) => (fits(at) ? bonus(at, worth, text) : HIDDEN),
        limit,
      )
      return {
        total: top.length,
        shown: top.map(({ at }, i): Shown => {
          const { id, of } = entries[at]!
          const keys = keysFor(of)
          const offer = of.kind === 'action' ? offers.get(id)?.offer : undefined
          const place = () => {
            if (of.kind === 'page') return { page: of }
            return offer ? { offer } : { elsewhere: of.at }
          }
          return {
            id,
            title: of.title,
            en: of.en,
            at: i + 1,
            of: top.length,
            ...(keys ? { keys } : {}),
            ...place(),
          }
        }),
      }
    }
  }
}
