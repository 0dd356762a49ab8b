/** Keys of partners: made, found, and ended a day after the next one was made. */
import { randomBytes } from 'node:crypto'
import { and, eq, gt, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY } from '#src/domain/time.ts'

/** A key that was reset works so long beside the new one, in seconds. */
const KEY_OVERLAP_S = DAY
const KEY_BYTES = 12
const SECRET_BYTES = 32
/** A row of `keyColumns`. */
export type Keyed = {
  id: number
  app_key: string | null
  secret_enc: string | null
  old_app_key: string | null
  old_secret_enc: string | null
  old_key_until: number | null
  ip_list: string[]
}

/** The rows that a key opens to now, the one before the last among them until it ends. */
export const hasKey = (
  t: Record<'app_key' | 'old_app_key' | 'old_key_until', PgColumn>,
  key: string,
  now: number,
): SQL | undefined => or(eq(t.app_key, key), and(eq(t.old_app_key, key), gt(t.old_key_until, now)))

/** A new key under `prefix`: its secret in clear, to be shown once, and what the row becomes. */
export const newKey = (
  sealer: Sealer,
  was: Pick<Keyed, 'app_key' | 'secret_enc'>,
  { prefix, now }: { prefix: string; now: number },
) => {
  const app_key = `${prefix}${randomBytes(KEY_BYTES).toString('hex')}`
  const secret_key = randomBytes(SECRET_BYTES).toString('base64url')
  const set = {
    app_key,
    secret_enc: sealer.seal(secret_key, app_key),
    old_app_key: was.app_key,
    old_secret_enc: was.secret_enc,
    old_key_until: was.app_key === null ? null : now + KEY_OVERLAP_S,
  }
  return { secret_key, set }
}
/** What a row becomes whose old key has ended. */
export const noOldKey = { old_app_key: null, old_secret_enc: null, old_key_until: null }
