import { createHash } from 'node:crypto'
import { and, eq, gte, lt } from 'drizzle-orm'
import { idempotency } from '#src/areas/log/log.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from './implement.ts'
import { invalid, ruled } from './refuse.ts'

const KEPT_S = DAY
const form = /^[\x21-\x7e]{8,255}$/

/**
 * The key of a write: header `Idempotency-Key`, or `request_id` in the body; undefined when there
 * is none.
 */
export const keyOf = (header: unknown, body: unknown): string | undefined => {
  const given = header ?? (body as { request_id?: unknown } | undefined)?.request_id
  if (given === undefined) return undefined
  if (typeof given !== 'string' || !form.test(given))
    throw invalid({ request_id: ['8–255 个字母、数字或符号', '8 to 255 letters, digits or signs'] })
  return given
}

/** A text beyond so many letters, such as a file, is hashed piece by piece and never copied whole. */
const PIECE = 65_536
const digestOf = (text: string): string => {
  const hash = createHash('sha256')
  // Every unit of the text counts as it stands, also where a piece ends amid a pair of them.
  for (let at = 0; at < text.length; at += PIECE) hash.update(text.slice(at, at + PIECE), 'utf16le')
  return hash.digest('hex')
}
const sorted = (value: unknown): unknown => {
  if (typeof value === 'string' && value.length > PIECE) return [value.length, digestOf(value)]
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
/** What a write was asked for, as hex: the same for the same call and content in whatever order. */
export const requestHash = (call: string, input: unknown): string =>
  createHash('sha256')
    .update(call)
    .update('\0')
    .update(JSON.stringify(sorted(input)) ?? '')
    .digest('hex')

/** Whether a write was done under the key already: it is not begun again then. */
export const isKeyTaken = async (
  db: Db,
  of: { admin_id: number; key: string | undefined; now: number },
): Promise<boolean> =>
  of.key !== undefined &&
  (await db.$count(
    idempotency,
    and(
      eq(idempotency.admin_id, of.admin_id),
      eq(idempotency.key, of.key),
      gte(idempotency.expires_at, of.now),
    ),
  )) > 0
/**
 * Takes the key for this transaction, or answers what the first call with it answered. Of two at
 * once the second waits here until the first has committed (and then gets its answer) or rolled
 * back (and then is the first). As the key rolls back with a refusal, refusals are not kept.
 */
export const takeKey = async (
  tx: Db,
  of: { admin_id: number; key: string; request_hash: string; now: number },
): Promise<{ id: number } | { answer: unknown }> => {
  await tx
    .delete(idempotency)
    .where(
      and(
        eq(idempotency.admin_id, of.admin_id),
        eq(idempotency.key, of.key),
        lt(idempotency.expires_at, of.now),
      ),
    )
  const [mine] = await tx
    .insert(idempotency)
    .values({
      admin_id: of.admin_id,
      key: of.key,
      request_hash: of.request_hash,
      expires_at: of.now + KEPT_S,
    })
    .onConflictDoNothing()
    .returning({ id: idempotency.id })
  if (mine) return mine
  const [first] = await tx
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.admin_id, of.admin_id), eq(idempotency.key, of.key)))
  // It rolled back between our insert and our look: the caller may send again.
  if (!first)
    throw ruled('key_busy', [
      '同一请求正在处理，请稍后重试',
      'The same request is under way, try again shortly',
    ])
  if (first.request_hash !== of.request_hash)
    throw ruled('key_reused', [
      '同一请求编号已用于不同的内容，请刷新后重试',
      'This request key was used for other content, refresh and try again',
    ])
  return { answer: (first.answer as { data: unknown }).data }
}
const once = /^(?:initial_password$|secret_)/
/**
 * What is told once is not kept: a password made up for somebody is null in the answer to a
 * repetition, and so is what a contract calls `secret_…`, such as a code in clear.
 */
const toldOnce = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(toldOnce)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, inner]) => [key, once.test(key) ? null : toldOnce(inner)]),
  )
}
export const keepAnswer = (tx: Db, id: number, data: unknown) =>
  tx
    .update(idempotency)
    .set({ answer: { data: toldOnce(data) ?? null } })
    .where(eq(idempotency.id, id))
export const dropOldKeys = (db: Db, now: number) =>
  db.delete(idempotency).where(lt(idempotency.expires_at, now))
