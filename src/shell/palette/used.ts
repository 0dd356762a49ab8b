import { usedAgain, worthAt, type Score } from '#src/areas/workbench/frecency.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Desk } from '../desk.ts'
import { stored } from '../stored.ts'
import { noteHabit } from './habits.ts'

/** What a person used and when, so that it ranks higher. */
export type Used = Record<string, Score>
const MOST = 200
const key = (account: string, page: string) => `mallet.used:${account}:${page}`
const isUsed = (value: unknown): value is Used =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    one =>
      typeof one === 'object' &&
      one !== null &&
      Number.isFinite((one as { score: unknown }).score) &&
      Number.isFinite((one as { at: unknown }).at),
  )

/** The worth of an entry now; `now` and `at` in unix seconds. */
export const worthNow = (used: Used, id: string, now: number): number => {
  const one = Object.hasOwn(used, id) ? used[id] : undefined
  return one ? worthAt(one, now) : 0
}
export const note = (used: Used, id: string, now: number): Used => {
  const next = { ...used, [id]: usedAgain(Object.hasOwn(used, id) ? used[id] : undefined, now) }
  return Object.fromEntries(
    Object.entries(next)
      .sort(([a], [b]) => worthNow(next, b, now) - worthNow(next, a, now))
      .slice(0, MOST),
  )
}
/** Kept for each person, and for each page they were on. */
export const usedOn = (account: string, page: string): Used =>
  stored.json(key(account, page), isUsed) ?? {}
export const keepUsed = (account: string, page: string, used: Used) =>
  stored.set(key(account, page), JSON.stringify(used))
/**
 * Notes what was used on this page, for the order of the next time, and for the count of the role.
 */
export const remember = (desk: Desk, id: string): void => {
  const page = desk.page()?.path ?? ''
  keepUsed(desk.me.account, page, note(usedOn(desk.me.account, page), id, unixNow()))
  if (page !== '') noteHabit(desk.me.id, page, id)
}
