/** Pictures that messages carry: WeCom keeps each for three days and forgets it then. */
import { and, eq, inArray } from 'drizzle-orm'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { wecom_media as t } from './media.table.ts'

type Around = {
  db: Db
  client: Pick<WecomClient, 'uploadMedia'>
  picture: (file_key: string) => Promise<Buffer>
  /** Unix seconds. */
  now: number
}
type Media = typeof t.$inferSelect
export type MediaSaid = { media_id: string } | { fault: string; errcode: number }
const LIVES = 3 * DAY
/** It is put there anew so long before its end, so that none ends while a message waits. */
const AHEAD = 12 * HOUR
/** One that failed is tried again after so long. */
const AGAIN = HOUR / 2

const uploaded = async (
  { client, picture, now }: Around,
  file_key: string,
): Promise<{ media_id: string; expire_at: number } | { error: string; errcode: number }> => {
  let bytes: Buffer
  try {
    bytes = await picture(file_key)
  } catch {
    return { error: '图片已不在图库中', errcode: 0 }
  }
  const name = file_key.split('/').at(-1)!
  const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg'
  const answer = await client.uploadMedia('image', { name, type, bytes: new Uint8Array(bytes) })
  if ('fault' in answer)
    return { error: answer.fault.text[0].slice(0, 255), errcode: answer.fault.code }
  return { media_id: answer.said.media_id, expire_at: now + LIVES }
}
const renew = async (around: Around, file_key: string): Promise<Media> => {
  const { db, now } = around
  const said = await uploaded(around, file_key)
  const set = 'media_id' in said ? { ...said, error: '', errcode: 0 } : { ...said }
  const [row] = await db
    .insert(t)
    .values({ file_key, kind: 'image', tried_at: now, ...set })
    .onConflictDoUpdate({
      target: [t.file_key, t.kind],
      set: { ...set, tried_at: now, updated_at: now },
    })
    .returning()
  return row!
}
const known = async (db: Db, file_keys: readonly string[]): Promise<ReadonlyMap<string, Media>> =>
  new Map(
    (file_keys.length === 0
      ? []
      : await db
          .select()
          .from(t)
          .where(and(inArray(t.file_key, [...file_keys]), eq(t.kind, 'image')))
    ).map(row => [row.file_key, row]),
  )
/**
 * The id that WeCom has a picture by, put there now where it has none that lives. Never asked inside
 * a transaction.
 */
export const mediaOf = async (around: Around, file_key: string): Promise<MediaSaid> => {
  const row = (await known(around.db, [file_key])).get(file_key)
  const isLive = (of: Media) => of.media_id !== null && of.expire_at! > around.now
  if (row && isLive(row)) return { media_id: row.media_id! }
  const made = await renew(around, file_key)
  return isLive(made) ? { media_id: made.media_id! } : { fault: made.error, errcode: made.errcode }
}
/**
 * Puts pictures into WeCom before a message needs them: those that are not there, and those that end
 * within half a day. Answers how many were tried.
 */
export const refreshMedia = async (
  around: Around,
  file_keys: readonly string[],
): Promise<number> => {
  const { db, now } = around
  const rows = await known(db, file_keys)
  const due = [...new Set(file_keys)].filter(key => {
    const row = rows.get(key)
    if (!row) return true
    if (row.error !== '') return row.tried_at <= now - AGAIN
    return row.expire_at === null || row.expire_at <= now + AHEAD
  })
  for (const key of due) await renew(around, key)
  return due.length
}
/** Why pictures can't be sent, by their keys; those that can are left out. */
export const mediaFaults = async (
  db: Db,
  file_keys: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map(
    [...(await known(db, file_keys)).values()].flatMap(row =>
      row.error === '' ? [] : [[row.file_key, row.error] as const],
    ),
  )
