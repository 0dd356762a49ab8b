import { sql } from 'drizzle-orm'
import { corpIn } from '#src/areas/wecom/corp.channel.ts'
import { liveOn, refusedTransfer, type CorpEvent } from '#src/areas/wecom/corpLife.channel.ts'
import type { WecomPort } from '#src/areas/wecom/port.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { randomFrom, type Random } from './random.ts'

export type WecomLife = {
  database: Database
  port: WecomPort
  /** Posts what happened to our own callback. */
  tell: (events: readonly CorpEvent[]) => Promise<void>
}
type Options = WecomLife & {
  /** Between two acts, in the mean. */
  everyMs?: number
  seed?: number
  warn?: (error: unknown) => void
}

/**
 * Lets one thing happen among the embedded corp's advisers and customers and tells of it as WeCom
 * does; answers whether anything happened. The embedded corp changes first, so that whoever hears
 * the callback finds there what it says.
 */
export const liveOnce = async (
  { database, port: { embedded, callback }, tell }: WecomLife,
  random: Random,
): Promise<boolean> => {
  if (!embedded || !callback) return false
  const events = await database.transaction(async tx => {
    // What the database draws follows from the seed too.
    await tx.execute(sql`select setseed(${random.next()})`)
    return liveOn({
      corp: corpIn(tx, unixNow()),
      random,
      corp_id: callback.corp_id,
      welcomeCode: embedded.welcomeCode,
    })
  })
  await tell(events)
  return events.length > 0
}
/**
 * Lets the embedded corp live on, an act every three quarters of a minute, until stopped; also tells
 * of hand-overs that customers refuse. Stopping waits for the act under way.
 */
export const startWecomLife = ({
  everyMs = 45_000,
  seed = Date.now(),
  warn = () => {},
  ...life
}: Options): (() => Promise<void>) => {
  const { embedded, callback } = life.port
  if (!embedded || !callback) return async () => {}
  const random = randomFrom(seed)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false
  embedded.onSettled(settled => {
    const refused = settled.filter(one => one.status !== 1)
    const at = { corp_id: callback.corp_id, now: unixNow() }
    void life.tell(refused.map(one => refusedTransfer(one, at))).catch(warn)
  })
  const next = () => {
    if (stopped) return
    timer = setTimeout(
      () => {
        running = liveOnce(life, random).catch(warn).finally(next)
      },
      everyMs * (0.4 + random.next() * 1.2),
    )
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
