/** Files that messages carry: WeCom keeps each for three days and forgets it then. */
import { asc, inArray, isNotNull } from 'drizzle-orm'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { keptWords } from '#src/areas/wecom/wecomFault.ts'
import { extensionOf, mimeOf } from '#src/domain/attached.ts'
import { type Text } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { wecom_media as t } from './media.table.ts'
import type { MediaFile } from './piece.ts'

export type MediaAround = {
  db: Db
  client: Pick<WecomClient, 'uploadMedia'>
  picture: (file_key: string) => Promise<Buffer>
  /** Unix seconds. */
  now: number
}
type Media = typeof t.$inferSelect
type MediaSaid = { media_id: string } | { fault: string; errcode: number }
const LIVES = 3 * DAY
/** It is put there anew so long before its end, so that none ends while a message waits. */
const AHEAD = 12 * HOUR
/** One that failed is tried again after so long. */
const AGAIN = HOUR / 2
/** So many that people want are renewed in one turn. */
const AT_ONCE = 30
/** It is not known of a file by which name it was called: then it is its last part. */
const nameOf = ({ key, name }: MediaFile): string => name ?? key.split('/').at(-1)!
const typeOf = (key: string): string => {
  const extension = extensionOf(key)
  if (extension === 'png') return 'image/png'
  return extension === 'jpg' || extension === 'jpeg' ? 'image/jpeg' : mimeOf(extension)
}

const noPicture: Text = ['图片已不在图库中', 'The picture is no longer in the library']
const noFile: Text = ['文件已不在库中', 'The file is no longer there']
const uploaded = async (
  { client, picture, now }: MediaAround,
  file: MediaFile,
): Promise<{ media_id: string; expire_at: number } | { error: string; errcode: number }> => {
  let bytes: Buffer
  try {
    bytes = await picture(file.key)
  } catch {
    return { error: keptWords(file.kind === 'image' ? noPicture : noFile), errcode: 0 }
  }
  const answer = await client.uploadMedia(file.kind, {
    name: nameOf(file),
    type: typeOf(file.key),
    bytes: new Uint8Array(bytes),
  })
  if ('fault' in answer) return { error: keptWords(answer.fault.text), errcode: answer.fault.code }
  return { media_id: answer.said.media_id, expire_at: now + LIVES }
}
const renew = async (around: MediaAround, file: MediaFile): Promise<Media> => {
  const { db, now } = around
  const said = await uploaded(around, file)
  const set = 'media_id' in said ? { ...said, error: '', errcode: 0 } : { ...said }
  const tried = { ...set, tried_at: now, wanted_at: null }
  const [row] = await db
    .insert(t)
    .values({ file_key: file.key, kind: file.kind, ...tried })
    .onConflictDoUpdate({ target: [t.file_key, t.kind], set: { ...tried, updated_at: now } })
    .returning()
  return row!
}
const idOf = ({ kind, key }: Pick<MediaFile, 'kind' | 'key'>): string => `${kind} ${key}`
/** What is kept of files, by their kind and key (`mediaIn`). */
export const keptMedia = async (
  db: Db,
  files: readonly MediaFile[],
): Promise<ReadonlyMap<string, Media>> => {
  const keys = [...new Set(files.map(one => one.key))]
  const rows = keys.length === 0 ? [] : await db.select().from(t).where(inArray(t.file_key, keys))
  return new Map(rows.map(row => [idOf({ kind: row.kind, key: row.file_key }), row]))
}
export const mediaIn = (
  kept: ReadonlyMap<string, Media>,
  file: MediaFile | undefined,
): Media | undefined => file && kept.get(idOf(file))
/**
 * The id that WeCom has a file by, put there now where it has none that lives. Never asked inside a
 * transaction.
 */
export const mediaOf = async (around: MediaAround, file: MediaFile): Promise<MediaSaid> => {
  const row = mediaIn(await keptMedia(around.db, [file]), file)
  const isLive = (of: Media) => of.media_id !== null && of.expire_at! > around.now
  if (row && isLive(row)) return { media_id: row.media_id! }
  const made = await renew(around, file)
  return isLive(made) ? { media_id: made.media_id! } : { fault: made.error, errcode: made.errcode }
}
/**
 * Puts files into WeCom before a message needs them: those that are not there, and those that end
 * within half a day. Answers how many were tried.
 */
export const refreshMedia = async (
  around: MediaAround,
  files: readonly MediaFile[],
): Promise<number> => {
  const { db, now } = around
  const rows = await keptMedia(db, files)
  const due = [...new Map(files.map(file => [idOf(file), file])).values()].filter(file => {
    const row = mediaIn(rows, file)
    if (!row) return true
    if (row.error !== '') return row.tried_at <= now - AGAIN
    return row.expire_at === null || row.expire_at <= now + AHEAD
  })
  for (const file of due) await renew(around, file)
  return due.length
}
/** Wants a file put into WeCom anew; the clock does it (`renewWanted`). Unix seconds. */
export const wantMedia = async (tx: Db, file: MediaFile, now: number): Promise<void> => {
  await tx
    .insert(t)
    .values({ file_key: file.key, kind: file.kind, tried_at: 0, wanted_at: now })
    .onConflictDoUpdate({ target: [t.file_key, t.kind], set: { wanted_at: now, updated_at: now } })
}
/** Puts into WeCom what people want there; `nameOf` is what a file is called. Answers how many. */
export const renewWanted = async (
  around: MediaAround,
  named: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<number> => {
  const wanted = await around.db
    .select()
    .from(t)
    .where(isNotNull(t.wanted_at))
    .orderBy(asc(t.wanted_at))
    .limit(AT_ONCE)
  const names = await named(wanted.map(one => one.file_key))
  for (const { kind, file_key: key } of wanted) {
    const name = names.get(key)
    await renew(around, { kind, key, ...(name && { name }) })
  }
  return wanted.length
}
/** Why files can't be sent, by their keys; those that can are left out. */
export const mediaFaults = async (
  db: Db,
  file_keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows =
    file_keys.length === 0
      ? []
      : await db
          .select()
          .from(t)
          .where(inArray(t.file_key, [...file_keys]))
  return new Map(
    rows.flatMap(row => (row.error === '' ? [] : [[row.file_key, row.error] as const])),
  )
}
