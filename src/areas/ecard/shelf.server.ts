/** The e-cards that members may buy now. */
import { and, asc, eq, gt, ne, or, sql } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { endFault, isMadeOnPay } from './card.ts'
import { facesOf } from './cards.server.ts'
import { ecard, ecard_attr } from './ecard.table.ts'
import { SHELF_PAGE } from './memberCards.ts'

type Card = typeof ecard.$inferSelect
type Face = typeof ecard_attr.$inferSelect
const faceTold = (card: Card, face: Face) => ({
  attr_id: face.id,
  face_cents: face.face_cents,
  bonus_cents: face.bonus_cents,
  price_cents: face.price_cents,
  limit_n: face.limit_n,
  left: isMadeOnPay(card) ? null : face.free_n,
})
const told = (card: Card, faces: readonly Face[]) => {
  const { id, name, type, named, cover, arts, gift, greetings, limits } = card
  const { custom_min_cents: min, custom_max_cents: max, custom_step_cents: step } = card
  return {
    id,
    name,
    type,
    named,
    cover,
    arts,
    gift,
    greetings,
    limits,
    valid_type: card.valid_type,
    valid_until: card.valid_until,
    valid_days: card.valid_days,
    refund_rule: card.refund_rule,
    notice: card.notice,
    agreement: card.agreement,
    custom:
      min === null || max === null || step === null
        ? null
        : { min_cents: min, max_cents: max, step_cents: step },
    faces: faces.map(face => faceTold(card, face)),
  }
}
/** The cards after the place `after` in the shelf's own order: that of staff, then the eldest first. */
const after = (place: readonly [sort: number, id: number] | undefined) =>
  place && sql`(${ecard.sort}, ${ecard.id}) > (${place[0]}::int, ${place[1]}::int)`
/**
 * A page of the cards that are for sale at `now`, with their faces; `next` is where the one after it
 * begins.
 */
export const shelfOf = async (db: Db, of: { after: number | undefined; now: number }) => {
  const [from] =
    of.after === undefined
      ? [undefined]
      : await db.select({ sort: ecard.sort }).from(ecard).where(eq(ecard.id, of.after))
  const rows = await db
    .select({ card: ecard })
    .from(ecard)
    .innerJoin(merchant, eq(merchant.id, ecard.merchant_id))
    .where(
      and(
        eq(ecard.state, 'on'),
        eq(merchant.status, 'active'),
        or(ne(ecard.valid_type, 'fixed'), gt(ecard.valid_until, of.now)),
        after(from && [from.sort, of.after!]),
      ),
    )
    .orderBy(asc(ecard.sort), asc(ecard.id))
    .limit(SHELF_PAGE + 1)
  const page = rows.slice(0, SHELF_PAGE).map(row => row.card)
  const sold = page.filter(card => endFault(card, of.now) === undefined)
  const faces = await facesOf(
    db,
    sold.map(card => card.id),
  )
  const list = sold.flatMap(card => {
    const own = faces.filter(face => face.card_id === card.id && face.status === 'on')
    return own.length > 0 || card.custom_min_cents !== null ? [told(card, own)] : []
  })
  return { list, next: rows.length > SHELF_PAGE ? page.at(-1)!.id : null }
}
