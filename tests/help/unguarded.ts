import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

type Query = (this: pg.Client, config: unknown, ...rest: unknown[]) => unknown

/**
 * Runs `run` while every query that holds `guard` goes to the database with `instead` in its place:
 * the code as it is, but for its guard. Parameters that are cut out must still be named (`$1::int
 * is not null`). Throws when no query held it: a twin that changes nothing proves nothing. What the
 * first query that holds `read` found is kept back until a second has read too, so that the race
 * takes place at every run and not only when the machine is quick.
 */
export const without = async <T>(
  guard: RegExp,
  instead: (...found: string[]) => string,
  run: () => Promise<T>,
  read?: RegExp,
): Promise<T> => {
  const client = pg.Client.prototype as unknown as { query: Query }
  const usual = client.query
  let cut = 0
  let readers = 0
  let meet!: () => void
  const met = new Promise<void>(resolve => {
    meet = resolve
  })
  client.query = function (config, ...rest) {
    const text = typeof config === 'string' ? config : (config as { text?: unknown } | null)?.text
    if (typeof text === 'string' && read?.test(text)) {
      return Promise.resolve(usual.call(this, config, ...rest)).then(async found => {
        if (++readers >= 2) meet()
        await Promise.race([met, sleep(5000)])
        return found
      })
    }
    if (typeof text !== 'string' || !guard.test(text)) return usual.call(this, config, ...rest)
    cut++
    const changed = text.replace(guard, instead)
    return usual.call(
      this,
      typeof config === 'string' ? changed : { ...(config as object), text: changed },
      ...rest,
    )
  }
  const done = await run().finally(() => {
    client.query = usual
  })
  if (cut === 0) throw new Error(`no query held ${String(guard)}`)
  return done
}
