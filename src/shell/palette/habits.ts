import { worthAt } from '#src/areas/workbench/frecency.ts'
import type { Result } from '#src/contract/call.ts'
import { send } from '#src/kit/data.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { stored } from '../stored.ts'

/** What the people of one's roles use: commands, by the page they were on. */
export type Habits = Result<typeof calls.habits>['list']
const SOON_MS = 1000
const TELL_MS = 10 * 60_000
const MOST = 200
const TIMES = 50
/** What was used on other pages counts too, but less. */
const ELSEWHERE = 0.25

let known: Habits = []
export const habitsKnown = (): Habits => known
/** The worth of each command for the role, seen from a page. */
export const roleOn = (habits: Habits, page: string, now: number): ReadonlyMap<string, number> => {
  const worth = new Map<string, number>()
  for (const one of habits)
    worth.set(
      one.command,
      (worth.get(one.command) ?? 0) + worthAt(one, now) * (one.page === page ? 1 : ELSEWHERE),
    )
  return worth
}

const key = (id: number) => `mallet.habits:${id}`
const isCounts = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(Number.isInteger)
const waiting = (id: number) => stored.json(key(id), isCounts) ?? {}
const wait = (id: number, counts: Record<string, number>) =>
  stored.set(key(id), JSON.stringify(Object.fromEntries(Object.entries(counts).slice(-MOST))))
/** Counts a command that was used; told of with others, never alone. */
export const noteHabit = (id: number, page: string, command: string): void => {
  const counts = waiting(id)
  const name = `${page} ${command}`
  wait(id, { ...counts, [name]: Math.min(TIMES, (counts[name] ?? 0) + 1) })
}
/**
 * Tells the server what was used since the last time. What does not get there waits for the next
 * time.
 */
export const tellHabits = async (id: number, keepalive = false): Promise<void> => {
  const counts = waiting(id)
  const used = Object.entries(counts).map(([name, n]) => {
    const [page = '', command = ''] = name.split(' ')
    return { page, command, n }
  })
  if (used.length === 0) return
  stored.set(key(id), null)
  try {
    await send(calls.noteHabits, { admin_id: id, used }, { keepalive })
  } catch (fault) {
    // Refused, it would be refused again.
    if (!(fault as { lost?: boolean }).lost) return
    const since = waiting(id)
    wait(
      id,
      Object.fromEntries(
        [...new Set([...Object.keys(counts), ...Object.keys(since)])].map(name => [
          name,
          Math.min(TIMES, (counts[name] ?? 0) + (since[name] ?? 0)),
        ]),
      ),
    )
  }
}
/**
 * Learns what one's role uses, and tells what one uses oneself: at the beginning, now and then, and
 * when the tab is put away. Answers how to stop.
 */
export const followHabits = (id: number): (() => void) => {
  let here = true
  known = []
  // The first list goes first.
  const soon = setTimeout(() => {
    send(calls.habits, {}).then(
      found => {
        if (here) known = (found as { list: Habits }).list
      },
      () => {
        /* without it the palette's order is one's own alone */
      },
    )
    void tellHabits(id)
  }, SOON_MS)
  const timer = setInterval(() => void tellHabits(id), TELL_MS)
  const hide = () => {
    if (document.visibilityState === 'hidden') void tellHabits(id, true)
  }
  document.addEventListener('visibilitychange', hide)
  return () => {
    here = false
    clearTimeout(soon)
    clearInterval(timer)
    document.removeEventListener('visibilitychange', hide)
  }
}
