/**
 * Wrong passwords. Strangers to an account are counted together, so that a hundred addresses have
 * no more tries than one; who tries where the account has signed in before, on that device, is
 * counted apart, so that no stranger keeps the owner out. A try is counted before the password is
 * looked at, and given back when it was right.
 */
import { createHash } from 'node:crypto'
import { and, desc, eq, gt, inArray, like, or, sql } from 'drizzle-orm'
import { login_log } from '#src/areas/log/log.table.ts'
import { deviceOf, plainIp } from '#src/areas/log/logs.ts'
import { login_attempt } from '#src/areas/people/people.table.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'

/**
 * Wrong tries are counted within so many seconds (page map, `/`: five in 15 minutes lock for 15
 * minutes).
 */
const WINDOW_S = 15 * 60
const LOCK_S = 15 * 60
/** The longest that an account stays locked, in seconds. */
export const LOCK_MAX_S = 4 * 3600
const ACCOUNT_TRIES = 5
/** Behind one address sit many people. */
const ADDRESS_TRIES = 30
const CAPTCHA_FROM = 3
/** After a day without a wrong try a lock begins at its shortest again. */
const FORGIVEN_S = DAY
/** Where somebody has signed in within so long, they are known. */
const KNOWN_S = 90 * DAY

const hash = (value: string) => createHash('sha256').update(value).digest('hex')
const accountKey = (account: string) => `a:${hash(account)}`
const addressKey = (ip: string) => `i:${hash(ip)}`
/** Keys of one account's known places begin alike, so that all are unlocked at once. */
const placesOf = (account: string) => `p:${hash(account).slice(0, 24)}`

/** From where an account is tried. */
export type Place = { account: string; ip: string; ua: string }
type Counter = { key: string; tries: number }

const isKnown = async (db: Db, { account, ip, ua }: Place, now: number): Promise<boolean> => {
  const before = await db
    .select({ ua: login_log.ua })
    .from(login_log)
    .where(
      and(
        eq(login_log.account, account.slice(0, 32)),
        eq(login_log.event, 'login'),
        eq(login_log.result, 'ok'),
        eq(login_log.ip, plainIp(ip)),
        gt(login_log.created_at, now - KNOWN_S),
      ),
    )
    .orderBy(desc(login_log.created_at))
    .limit(50)
  return before.some(one => deviceOf(one.ua ?? '') === deviceOf(ua))
}
/** The counters of a try from this place; the first of them is the account's own. */
const countersOf = async (db: Db, place: Place, now: number): Promise<[Counter, ...Counter[]]> =>
  (await isKnown(db, place, now))
    ? [
        {
          key: placesOf(place.account) + hash(`${place.ip} ${deviceOf(place.ua)}`).slice(0, 40),
          tries: ACCOUNT_TRIES,
        },
      ]
    : [
        { key: accountKey(place.account), tries: ACCOUNT_TRIES },
        { key: addressKey(place.ip), tries: ADDRESS_TRIES },
      ]

export type Standing = { locked_until: number | null; captcha: boolean; tries_left: number }

/**
 * Tells how an account stands for a person at this place: unknown accounts lock as known ones do.
 */
export const standing = async (db: Db, place: Place, now: number): Promise<Standing> => {
  const counters = await countersOf(db, place, now)
  const rows = await db
    .select()
    .from(login_attempt)
    .where(
      inArray(
        login_attempt.key,
        counters.map(one => one.key),
      ),
    )
  const locked = rows.map(row => row.locked_until ?? 0).filter(until => until > now)
  const mine = rows.find(row => row.key === counters[0].key)
  const failures = mine && mine.since > now - WINDOW_S ? mine.failures : 0
  return {
    locked_until: locked.length > 0 ? Math.max(...locked) : null,
    captcha: failures >= CAPTCHA_FROM,
    tries_left: Math.max(0, ACCOUNT_TRIES - failures),
  }
}

/** One more for a counter, in one statement; false when it is locked or needs the picture first. */
const add = async (db: Db, { key, tries }: Counter, now: number, solved: boolean) => {
  const a = sql`login_attempt`
  const failures = sql`(case when ${a}.since <= ${now - WINDOW_S} then 1 else ${a}.failures + 1 end)`
  const locks = sql`(case when ${a}.updated_at <= ${now - FORGIVEN_S} then 0 else ${a}.locks end)`
  // Each lock in a row lasts twice as long as the one before.
  const added = await db.execute(sql`
    insert into login_attempt as login_attempt (key, failures, since, updated_at) values (${key}, 1, ${now}, ${now})
    on conflict (key) do update set
      failures = ${failures},
      since = case when ${a}.since <= ${now - WINDOW_S} then ${now} else ${a}.since end,
      locks = case when ${failures} >= ${tries} then ${locks} + 1 else ${locks} end,
      locked_until = case when ${failures} >= ${tries}
        then ${now} + least(${LOCK_MAX_S}, ${LOCK_S} * (2 ^ least(${locks}, 10))::bigint) else ${a}.locked_until end,
      updated_at = ${now}
    where coalesce(${a}.locked_until, 0) <= ${now} and (${solved} or ${failures} <= ${CAPTCHA_FROM})
    returning key`)
  return added.rows.length > 0
}
/**
 * Counts a try that is about to be made. `solved`: the picture was read. Answers what gives the try
 * back when the password is right, or undefined when it may not be made: `standing` says why.
 */
export const takeTry = async (
  db: Db,
  place: Place,
  now: number,
  solved: boolean,
): Promise<((db: Db) => Promise<void>) | undefined> => {
  const [own, ...others] = await countersOf(db, place, now)
  if (!(await add(db, own, now, solved))) return undefined
  for (const one of others) if (!(await add(db, one, now, true))) return undefined
  return async back => {
    await back.delete(login_attempt).where(eq(login_attempt.key, own.key))
    // An address keeps the rest of its count, or one stolen account would free it.
    for (const { key, tries } of others)
      await back.execute(sql`update login_attempt set failures = greatest(failures - 1, 0),
        locked_until = case when failures = ${tries} then null else locked_until end where key = ${key}`)
  }
}

const locked: Text = [
  '错误次数过多，账号已锁定至 {until}',
  'Too many wrong tries: locked until {until}',
]
/** What a refusal tells of how the account stands. */
export const factsOf = (stands: Standing) => ({
  tries_left: stands.tries_left,
  captcha_required: stands.captcha,
  ...(stands.locked_until && { locked_until: stands.locked_until }),
})
export const tellLocked = (stands: Standing): Refusal =>
  new Refusal(
    429,
    locked,
    { until: timeFull(stands.locked_until!) },
    { rule: 'locked', ...factsOf(stands) },
  )

/** The refusal of a password asked for again; whatever else is refused was no wrong try. */
export const WRONG_PASSWORD = 'wrong_password'
/** Runs a call that asks for the password again, and counts it as a sign-in. Throws 429 when locked. */
export const withTry = async <T>(
  db: Db,
  place: Place,
  now: number,
  run: () => Promise<T>,
): Promise<T> => {
  const giveBack = await takeTry(db, place, now, true)
  if (!giveBack) throw tellLocked(await standing(db, place, now))
  const done = await run().catch(async (error: unknown) => {
    if (!(error instanceof Refusal && error.data['rule'] === WRONG_PASSWORD)) await giveBack(db)
    throw error
  })
  await giveBack(db)
  return done
}

/** What a person with the right does for a locked colleague. */
export const unlock = (db: Db, account: string, ips: readonly string[] = []) =>
  db
    .delete(login_attempt)
    .where(
      or(
        inArray(login_attempt.key, [accountKey(account), ...ips.map(addressKey)]),
        like(login_attempt.key, `${placesOf(account)}%`),
      ),
    )
