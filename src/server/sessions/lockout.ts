import { createHash } from 'node:crypto'
import { eq, inArray, or, sql } from 'drizzle-orm'
import { login_attempt } from '#src/areas/people/people.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'

/**
 * Wrong tries are counted within so many seconds (page map, `/`: five in 15 minutes lock for 15
 * minutes).
 */
const WINDOW_S = 15 * 60
const LOCK_S = 15 * 60
const LOCK_MAX_S = 4 * 3600
const ACCOUNT_TRIES = 5
/** Behind one address sit many people. */
const ADDRESS_TRIES = 30
const CAPTCHA_FROM = 3
/** After a day without a wrong try a lock begins at its shortest again. */
const FORGIVEN_S = DAY

const keyed = (kind: 'a' | 'i', value: string) =>
  `${kind}:${createHash('sha256').update(value).digest('hex')}`
const keysOf = (account: string, ip: string) => ({
  account: keyed('a', account),
  address: keyed('i', ip),
})

export type Standing = { locked_until: number | null; captcha: boolean; tries_left: number }

/**
 * How an account and an address stand now, known or not: unknown accounts lock as known ones do.
 */
export const standing = async (
  db: Db,
  account: string,
  ip: string,
  now: number,
): Promise<Standing> => {
  const keys = keysOf(account, ip)
  const rows = await db
    .select()
    .from(login_attempt)
    .where(or(eq(login_attempt.key, keys.account), eq(login_attempt.key, keys.address)))
  const locked = rows.map(row => row.locked_until ?? 0).filter(until => until > now)
  const mine = rows.find(row => row.key === keys.account)
  const failures = mine && mine.since > now - WINDOW_S ? mine.failures : 0
  return {
    locked_until: locked.length > 0 ? Math.max(...locked) : null,
    captcha: failures >= CAPTCHA_FROM,
    tries_left: Math.max(0, ACCOUNT_TRIES - failures),
  }
}

/**
 * Counts a wrong try, in one statement for each of account and address, and answers how the account
 * stands then.
 */
export const countWrong = async (
  db: Db,
  account: string,
  ip: string,
  now: number,
): Promise<Standing> => {
  const keys = keysOf(account, ip)
  for (const [key, tries] of [
    [keys.address, ADDRESS_TRIES],
    [keys.account, ACCOUNT_TRIES],
  ] as const) {
    const a = sql`login_attempt`
    const failures = sql`(case when ${a}.since <= ${now - WINDOW_S} then 1 else ${a}.failures + 1 end)`
    const locks = sql`(case when ${a}.updated_at <= ${now - FORGIVEN_S} then 0 else ${a}.locks end)`
    // Each lock in a row lasts twice as long as the one before. While locked nothing adds to it.
    await db.execute(sql`
      insert into login_attempt as login_attempt (key, failures, since, updated_at) values (${key}, 1, ${now}, ${now})
      on conflict (key) do update set
        failures = ${failures},
        since = case when ${a}.since <= ${now - WINDOW_S} then ${now} else ${a}.since end,
        locks = case when ${failures} >= ${tries} and coalesce(${a}.locked_until, 0) <= ${now} then ${locks} + 1 else ${locks} end,
        locked_until = case when ${failures} >= ${tries} and coalesce(${a}.locked_until, 0) <= ${now}
          then ${now} + least(${LOCK_MAX_S}, ${LOCK_S} * (2 ^ least(${locks}, 10))::bigint) else ${a}.locked_until end,
        updated_at = ${now}`)
  }
  return standing(db, account, ip, now)
}

/**
 * A right password clears the account's count; the address keeps its own, or one stolen account
 * would free it.
 */
export const clearWrong = (db: Db, account: string) =>
  db.delete(login_attempt).where(eq(login_attempt.key, keyed('a', account)))
/** What a person with the right does for a locked colleague. */
export const unlock = (db: Db, account: string, ips: readonly string[] = []) =>
  db
    .delete(login_attempt)
    .where(inArray(login_attempt.key, [keyed('a', account), ...ips.map(ip => keyed('i', ip))]))
