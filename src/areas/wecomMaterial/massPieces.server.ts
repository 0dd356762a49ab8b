/** Materials below a text to many: whether they may go, and what goes of them. */
import { and, eq } from 'drizzle-orm'
import type { WecomAttachment } from '#src/areas/wecom/wire.channel.ts'
import { saidIn } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { saidWith, skippedWords, type CarriedMaterial, type Said } from './carried.ts'
import { markSent, outgoing } from './links.server.ts'
import { wecom_material_content as c } from './material.table.ts'
import { pieceOf } from './material.ts'
import { keptMedia, mediaIn, type MediaAround } from './media.server.ts'
import { fileOf, pieceKinds, type PieceKind } from './piece.ts'
import { carriedMaterials, materialsFault, wecomPiece, type Carried } from './sending.server.ts'

/** A material of a text to many, and the version that goes; null until it is asked for. */
type Given = { id: number; n: number | null }
const kinds = Object.keys(pieceKinds) as PieceKind[]
/**
 * 422 where a text to many can't carry these materials when it goes (`send_at`, unix seconds): one is
 * off, past its end by then, a text, or WeCom would not take its file.
 */
export const needMassMaterials = async (
  tx: Db,
  ids: readonly number[],
  send_at: number,
): Promise<void> => {
  const wrong = await materialsFault(tx, ids, { now: send_at, kinds })
  if (wrong) throw ruled('mass_material', wrong)
  const carried = await carriedMaterials(tx, ids, send_at)
  const files = carried.flatMap(({ piece }) => (piece ? (fileOf(piece) ?? []) : []))
  const kept = await keptMedia(tx, files)
  for (const { title, piece } of carried) {
    const media = mediaIn(kept, piece ? fileOf(piece) : undefined)
    if (media && media.error !== '')
      throw ruled('mass_media', [
        `素材「${title}」刷新失败（${saidIn(media.error, 'zh')}），请先在素材库刷新或更换`,
        `WeCom did not take “${title}” (${saidIn(media.error, 'en')}): put it there anew, or choose another`,
      ])
  }
}
/** The versions that go: those that went to others before, else what each says now. */
const pinned = async (
  db: Db,
  given: readonly Given[],
  now: number,
): Promise<{ said: Said<Carried>; given: Given[] }> => {
  const known = await carriedMaterials(
    db,
    given.map(one => one.id),
    now,
  )
  const materials: Carried[] = []
  for (const { id, n } of given) {
    const one = known.find(of => of.id === id)
    if (!one) continue
    if (n === null || n === one.n) materials.push(one)
    else {
      const [was] = await db
        .select()
        .from(c)
        .where(and(eq(c.material_id, id), eq(c.n, n)))
      materials.push(was ? { ...one, n, piece: pieceOf(was) ?? null, off: null } : one)
    }
  }
  const attachments = given.map(one => ({ kind: 'material' as const, id: one.id }))
  const said = saidWith({ text: '', attachments }, materials)
  return { said, given: materials.map(({ id, n }) => ({ id, n })) }
}
type Part = { task_id: number; part_id: number; receivers: number }
type MassPieces =
  | { attachments: WecomAttachment[]; given: Given[] }
  /** Why it can't go now, in both languages (`joined`). */
  | { fault: string }
/**
 * What one adviser is asked to send below the text. Nothing goes while one of its materials can't:
 * a text without what it speaks of is worse than none. Never asked inside a transaction.
 */
export const massPieces = async (
  around: MediaAround & { origin: string | null | undefined },
  given: readonly Given[],
  { task_id, part_id, receivers }: Part,
): Promise<MassPieces> => {
  const { db, now, origin } = around
  if (given.length === 0) return { attachments: [], given: [] }
  const { said, given: kept } = await pinned(db, given, now)
  const [skipped] = skippedWords(said as Said<CarriedMaterial>)
  if (skipped !== undefined) return { fault: skipped }
  const of = { holder: 'mass' as const, holder_id: task_id, send_id: part_id, receivers }
  const attachments: WecomAttachment[] = []
  for (const { piece } of await outgoing(db, of, said, origin)) {
    const part = await wecomPiece(around, piece)
    if (typeof part === 'string') return { fault: part }
    attachments.push(part)
  }
  return { attachments, given: kept }
}
/** What one adviser was asked to send counts as sent, at a time (unix seconds). */
export const massSent = (db: Db, part_id: number, at: number): Promise<void> =>
  markSent(db, { holder: 'mass', send_id: part_id }, { left: [], at })
