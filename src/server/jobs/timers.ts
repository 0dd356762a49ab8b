import type { Core } from '#src/server/call/pipeline.ts'

type TimerContext = Core & { now: number }
type Timer = {
  name: string
  cron: string
  run: (context: TimerContext) => Promise<readonly string[]>
  after: readonly string[]
}
const known = new Map<string, Timer>()

/**
 * Work by the clock (cron, Shanghai time), once for all processes, said at the top of a module's
 * server:
 *
 * ```ts
 * defineTimer('stat.night', '10 0 * * *', async ({ database, now }) => …)
 * ```
 *
 * It may run again after a crash and must then do no harm. It answers the tags of what changed, and
 * open panes of every process hear of them. `after`: it also runs, within a few seconds, when
 * something with such a tag has changed.
 */
export const defineTimer = (
  name: string,
  cron: string,
  run: Timer['run'],
  after: readonly string[] = [],
): void => {
  known.set(name, { name, cron, run, after })
}
export const timers = (): readonly Timer[] => [...known.values()]
/** For tests: what would run at the time. */
export const timerNamed = (name: string): Timer['run'] => known.get(name)!.run
