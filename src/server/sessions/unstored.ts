/**
 * Signing in while the database takes no writes: its disk is full, or it is read-only. The session
 * is kept by this process alone until it can be stored, and wrong tries are counted here.
 */
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { admin_session } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { ofDatabase, Recent } from '#src/server/db/memory.ts'
import { tellLocked } from './lockout.ts'

export type UnstoredSession = {
  /** Below zero, as no row has it. */
  id: number
  token_hash: string
  admin_id: number
  /** The password they signed in with; another one since ends the session. */
  password_hash: string
  region: string
  ip: string
  ua: string
  created_at: number
  expires_at: number
}
const MOST = 1000
const sessions = new Map<number, UnstoredSession>()
let lastId = 0

/** Does something else where a write is refused because nothing can be written. */
export const whereUnwritable =
  <T>(instead: () => T | Promise<T>) =>
  (error: unknown): T | Promise<T> => {
    if (faultOf(error)?.kind !== 'full') throw error
    return instead()
  }

export const keepUnstored = (session: Omit<UnstoredSession, 'id'>): UnstoredSession => {
  const kept = { ...session, id: --lastId }
  sessions.set(kept.id, kept)
  if (sessions.size > MOST) sessions.delete(sessions.keys().next().value!)
  return kept
}
export const unstoredOf = (token_hash: string, now: number): UnstoredSession | undefined => {
  for (const [id, one] of sessions) if (one.expires_at <= now) sessions.delete(id)
  return [...sessions.values()].find(one => one.token_hash === token_hash)
}
/** The sessions of a person that are kept here; those of other processes are known to them alone. */
export const unstoredOfPerson = (admin_id: number, now: number): UnstoredSession[] =>
  [...sessions.values()].filter(one => one.admin_id === admin_id && one.expires_at > now)
/** Ends a session that is kept here; false for any other. */
export const dropUnstored = (id: number): boolean => sessions.delete(id)
/** Ends those of a person that are kept here, but one perhaps; answers their ids. */
export const dropUnstoredOf = (admin_id: number, but = 0): number[] => {
  const ids = [...sessions.values()]
    .filter(one => one.admin_id === admin_id && one.id !== but)
    .map(one => one.id)
  ids.forEach(dropUnstored)
  return ids
}

/**
 * Stores a session that is kept here, with the expiry it has come to, and answers its id; undefined
 * for one that is not here. Throws while nothing can be written.
 */
export const storeNow = async (
  db: Db,
  id: number,
  expires_at: number,
): Promise<number | undefined> => {
  const session = sessions.get(id)
  if (!session) return undefined
  session.expires_at = expires_at
  const { id: _, password_hash: __, ...row } = session
  const [stored] = await db.insert(admin_session).values(row).returning({ id: admin_session.id })
  // Ended while it was being stored: its row is none that anybody may go on with.
  if (!sessions.delete(id))
    await db
      .update(admin_session)
      .set({ ended_at: unixNow(), end_reason: 'kicked' })
      .where(eq(admin_session.id, stored!.id))
  return stored!.id
}

const WINDOW_S = 15 * 60
const TRIES = 5
const triesOf = ofDatabase(() => new Recent<{ since: number; failures: number }>(MOST))
const keyOf = (account: string) => createHash('sha256').update(account).digest('hex')
/**
 * Counts a try that is about to be made where the database can't; answers what gives it back when
 * the password was right. Throws 429 after five within a quarter of an hour.
 */
export const takeUnstoredTry = (db: Db, account: string, now: number): (() => Promise<void>) => {
  const tries = triesOf(db)
  const key = keyOf(account)
  const before = tries.get(key)
  const counted =
    before && before.since > now - WINDOW_S
      ? { ...before, failures: before.failures + 1 }
      : { since: now, failures: 1 }
  if (counted.failures > TRIES)
    throw tellLocked({ locked_until: counted.since + WINDOW_S, captcha: true, tries_left: 0 })
  tries.set(key, counted)
  return async () => void tries.delete(key)
}
