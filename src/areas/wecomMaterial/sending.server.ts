/** Materials as messages carry them: what each says now, and how WeCom takes it. */
import { eq, inArray } from 'drizzle-orm'
import type { WecomAttachment } from '#src/areas/wecom/wire.channel.ts'
import { materialIdsIn, type WelcomeAttachment } from '#src/areas/welcome/attachment.ts'
import { headed, joined, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { saidWith, type CarriedMaterial, type Said } from './carried.ts'
import { wecom_material as t } from './material.table.ts'
import { pieceOf, unsendable, unsendableBy, type MaterialKind } from './material.ts'
import { mediaOf, type MediaAround } from './media.server.ts'
import { fileOf, pieceKinds, type MessagePiece } from './piece.ts'

/** A material as it stands now, with the version that it is. */
export type Carried = CarriedMaterial & { n: number }
/** Materials by their ids as they stand at a time (unix seconds), those that were deleted too. */
export const carriedMaterials = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Carried[]> => {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(t)
          .where(inArray(t.id, [...ids]))
  return rows.map(row => ({
    id: row.id,
    n: row.content_n,
    title: row.title,
    kind: row.kind,
    text: row.body.kind === 'text' ? row.body.text : '',
    piece: pieceOf(row) ?? null,
    off: unsendableBy(row, now) ?? null,
  }))
}
/** What a message says at a time (unix seconds), with what is left out of it (`saidWith`). */
export const resolved = async (
  db: Db,
  of: { text: string; attachments: readonly WelcomeAttachment[] },
  now: number,
): Promise<Said<Carried>> =>
  saidWith(of, await carriedMaterials(db, materialIdsIn(of.attachments), now))
/** A piece as WeCom takes it, its file put there where it is not; or why it is left out. */
export const wecomPiece = async (
  around: MediaAround,
  of: MessagePiece,
): Promise<WecomAttachment | string> => {
  if (of.kind === 'link') {
    const { title, desc, url } = of
    return { msgtype: 'link', link: { title, url, ...(desc && { desc }) } }
  }
  const media = await mediaOf(around, fileOf(of)!)
  if ('fault' in media) return joined(headed(pieceKinds[of.kind], media.fault))
  const { media_id } = media
  switch (of.kind) {
    case 'miniprogram': {
      const { title, appid, page } = of
      return { msgtype: 'miniprogram', miniprogram: { title, appid, page, pic_media_id: media_id } }
    }
    case 'image':
      return { msgtype: 'image', image: { media_id } }
    case 'video':
      return { msgtype: 'video', video: { media_id } }
    case 'file':
      return { msgtype: 'file', file: { media_id } }
  }
}
/** What stored files are called to customers, by their keys; a picture has no name. */
export const namesOfFiles = async (
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows =
    keys.length === 0
      ? []
      : await db
          .select()
          .from(t)
          .where(inArray(t.file_key, [...keys]))
          .orderBy(t.id)
  return new Map(
    rows.flatMap(row => {
      const piece = pieceOf(row)
      return piece && 'name' in piece ? [[row.file_key!, piece.name] as const] : []
    }),
  )
}
/**
 * Why materials can't be put into a message, for its form: not there, off or past their end, or of a
 * kind that it does not take. They are held as they are until the transaction ends. Those in `had`
 * may stay as they are.
 */
export const materialsFault = async (
  tx: Db,
  ids: readonly number[],
  {
    now,
    had = [],
    kinds,
  }: { now: number; had?: readonly number[]; kinds?: readonly MaterialKind[] },
): Promise<Text | undefined> => {
  if (new Set(ids).size < ids.length)
    return ['同一素材只能添加一次', 'A material stands in a message once']
  for (const id of [...ids].sort((a, b) => a - b)) {
    const [row] = await tx.select().from(t).where(eq(t.id, id)).for('share')
    const off = row ? unsendableBy(row, now) : 'gone'
    const name = row?.title ?? `#${id}`
    if (row && kinds && !kinds.includes(row.kind))
      return [`素材「${name}」是文字，不能作为附件`, `“${name}” is a text: it can’t be a card`]
    if (off === undefined || (off !== 'gone' && had.includes(id))) continue
    const [zh, en] = unsendable[off]
    return [`素材「${name}」不可用：${zh}`, `“${name}” can’t be used: ${en.toLowerCase()}`]
  }
  return undefined
}
