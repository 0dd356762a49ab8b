import { and, asc, eq, ilike, inArray, or, sql } from 'drizzle-orm'
import { ecard, ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { giveCost, giveFault } from '#src/areas/ecard/givenCard.ts'
import { facesToGive } from '#src/areas/ecard/givenCards.server.ts'
import { yuan } from '#src/domain/money.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { like } from '#src/server/db/like.ts'
import type { Batch } from './batches.server.ts'
import type { RewardCard } from './card.ts'

/** The faces of e-cards that batches promise, with what each costs and how many are left now. */
export const rewardCards = async (
  db: Db,
  ids: readonly (number | null)[],
  now: number,
): Promise<Map<number, RewardCard>> => {
  const asked = [...new Set(ids)].filter(id => id !== null)
  if (asked.length === 0) return new Map()
  const rows = await facesToGive(db).where(inArray(ecard_attr.id, asked))
  return new Map(
    rows.map(({ face, card, isSold }) => [
      face.id,
      {
        id: face.id,
        name: card.name,
        face_cents: face.face_cents,
        cost_cents: giveCost(face, card),
        left: card.source === 'generate' ? null : face.free_n,
        fault: giveFault({ ...card, isSold }, now),
      },
    ]),
  )
}
/** The face of a batch; undefined where it promises no e-card. */
export const cardOf = async (
  db: Db,
  { ecard_attr_id }: Pick<Batch, 'ecard_attr_id'>,
  now: number,
): Promise<RewardCard | undefined> => [...(await rewardCards(db, [ecard_attr_id], now)).values()][0]

type Asked = { keyword?: string | undefined; page: number; pageSize: number }
/** Faces that a batch may promise, by the name of their card or by their yuan. */
export const pickCards = async (
  db: Db,
  { keyword, page, pageSize }: Asked,
  { now, lang }: { now: number; lang: Lang },
): Promise<{ list: { id: number; name: string }[]; total: number }> => {
  const cents = keyword && /^\d{1,7}$/.test(keyword) ? Number(keyword) * 100 : undefined
  const rows = await facesToGive(db)
    .where(
      and(
        eq(ecard.state, 'on'),
        eq(ecard_attr.status, 'on'),
        keyword
          ? or(
              ilike(ecard.name, like(keyword)),
              cents === undefined ? sql`false` : eq(ecard_attr.face_cents, cents),
            )
          : undefined,
      ),
    )
    .orderBy(asc(ecard.sort), asc(ecard.id), asc(ecard_attr.face_cents), asc(ecard_attr.id))
  // Few are on sale; what keeps one from being given is a rule that is told in words elsewhere.
  const good = rows.filter(({ card, isSold }) => giveFault({ ...card, isSold }, now) === undefined)
  return {
    list: good.slice((page - 1) * pageSize, page * pageSize).map(({ face, card }) => ({
      id: face.id,
      name: say(['「{name}」{face} 元', '“{name}” of ¥{face}'], lang, {
        name: card.name,
        face: yuan(face.face_cents),
      }),
    })),
    total: good.length,
  }
}
