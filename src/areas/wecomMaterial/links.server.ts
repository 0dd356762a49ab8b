/** What goes of materials is written down, and links go by addresses that count who opens them. */
import { randomBytes } from 'node:crypto'
import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import type { Said } from './carried.ts'
import { wecom_material_send as t } from './material.table.ts'
import type { HolderKind } from './material.ts'
import type { MessagePiece } from './piece.ts'
import type { Carried } from './sending.server.ts'

/** Below the origin, where a link that was sent leads on from. */
const linkPath = (token: string): string => `/go/${token}`
type Sending = {
  holder: HolderKind
  holder_id: number
  /** The send that is under way; written down once for each of its places. */
  send_id: number
  /** Whom it goes to; empty for many. */
  external_userid?: string
  receivers?: number
}
/** A piece as it goes, and its place among what is written down. */
type Outgoing = { piece: MessagePiece; place: number }
type Written = Pick<typeof t.$inferInsert, 'material_id' | 'content_n' | 'place' | 'token' | 'url'>
const linkUrl = (piece: MessagePiece): string | null => (piece.kind === 'link' ? piece.url : null)

/**
 * A send that was held up may carry something else when it is tried again: what was written down then
 * gives way. A link keeps its token, which somebody may have by now.
 */
const writeDown = async (
  db: Db,
  of: Sending,
  rows: readonly Written[],
): Promise<{ place: number; token: string | null }[]> => {
  const places = rows.map(row => row.place)
  const own = and(eq(t.holder, of.holder), eq(t.send_id, of.send_id), isNull(t.sent_at))
  await db.delete(t).where(and(own, notInArray(t.place, [-1, ...places])))
  if (rows.length === 0) return []
  return db
    .insert(t)
    .values(rows.map(row => ({ ...of, ...row })))
    .onConflictDoUpdate({
      target: [t.holder, t.send_id, t.place],
      set: {
        material_id: sql`excluded.material_id`,
        content_n: sql`excluded.content_n`,
        url: sql`excluded.url`,
        token: sql`case when excluded.url is not null then coalesce(${t.token}, excluded.token) end`,
        version: sql`${t.version} + 1`,
      },
    })
    .returning({ place: t.place, token: t.token })
}
/**
 * Writes down what a message is about to carry, and gives each of its links an address below
 * `origin` that counts who opens it and leads on; without an origin links go as they are. It counts
 * as sent once `markSent` says so.
 */
export const outgoing = async (
  db: Db,
  of: Sending,
  said: Said<Carried>,
  origin: string | null | undefined,
): Promise<Outgoing[]> => {
  const rows: Written[] = []
  const pieces = said.pieces.map(({ piece, material }, place) => {
    const url = origin ? linkUrl(piece) : null
    if (!material && url === null) return { piece, place }
    const token = url === null ? null : randomBytes(16).toString('base64url')
    const { id = null, n = null } = material ?? {}
    rows.push({ material_id: id, content_n: n, place, token, url })
    return { piece, place }
  })
  said.texts.forEach(({ id, n }, at) =>
    rows.push({ material_id: id, content_n: n, place: pieces.length + at, token: null, url: null }),
  )
  const kept = await writeDown(db, of, rows)
  const tokens = new Map(kept.map(row => [row.place, row.token]))
  return pieces.map(({ piece, place }) => {
    const token = tokens.get(place)
    return token && piece.kind === 'link'
      ? { piece: { ...piece, url: `${origin}${linkPath(token)}` }, place }
      : { piece, place }
  })
}
/** What went of a send, at a time (unix seconds): its texts, and the pieces that were not left out. */
export const markSent = async (
  db: Db,
  { holder, send_id }: Pick<Sending, 'holder' | 'send_id'>,
  { left, at }: { left: readonly number[]; at: number },
): Promise<void> => {
  await db
    .update(t)
    .set({ sent_at: at, version: sql`${t.version} + 1` })
    .where(
      and(
        eq(t.holder, holder),
        eq(t.send_id, send_id),
        left.length === 0 ? undefined : sql`not ${inArray(t.place, [...left])}`,
      ),
    )
}
/**
 * Where the link of a token leads: to the address of the version that was sent. Counts the opening,
 * unless a program looks behind the link. Undefined for a token that is none of ours.
 */
export const openLink = async (
  db: Db,
  { token, now, isCounted }: { token: string; now: number; isCounted: boolean },
): Promise<string | undefined> => {
  const [row] = isCounted
    ? await db
        .update(t)
        .set({
          clicks: sql`${t.clicks} + 1`,
          first_click_at: sql`coalesce(${t.first_click_at}, ${now})`,
          last_click_at: sql`greatest(${t.last_click_at}, ${now})`,
        })
        .where(eq(t.token, token))
        .returning({ url: t.url })
    : await db.select({ url: t.url }).from(t).where(eq(t.token, token))
  return row?.url?.startsWith('https://') ? row.url : undefined
}
