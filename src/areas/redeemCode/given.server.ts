/** What redemptions gave, as people read it, and how it stands now. */
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import type { CodeState } from '#src/areas/ecard/ecard.ts'
import { isFilmTicket } from '#src/areas/film/filmTickets.server.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { GivenCard } from './card.ts'
import { rewardsOf } from './film.ts'
import type { Granted } from './granted.ts'
import { redeem_log } from './redeemCode.table.ts'

/** The rewards of successes in words, in their order; of a try that gave nothing none. */
export const rewardsGiven = async (
  db: Db,
  all: readonly (Granted | null)[],
  lang: Lang,
): Promise<string[][]> => {
  const codes = all.flatMap(one => one?.coupons ?? [])
  const rows =
    codes.length === 0
      ? []
      : await db
          .select({
            code: coupon_grant.code,
            name: coupon.name,
            film_cents: sql<number | null>`case when ${isFilmTicket} then ${coupon.face_cents} end`,
          })
          .from(coupon_grant)
          .innerJoin(coupon, eq(coupon.id, coupon_grant.coupon_id))
          .where(inArray(coupon_grant.code, codes))
  const named = new Map(
    rows.map(({ code, name, film_cents }) => [
      code,
      { name, film_cents: film_cents === null ? null : Number(film_cents) },
    ]),
  )
  return all.map(one =>
    one
      ? rewardsOf(
          {
            ...one,
            coupons: one.coupons.map(code => named.get(code) ?? { name: code, film_cents: null }),
          },
          (text, values) => say(text, lang, values),
        )
      : [],
  )
}
/** The e-card that a code gave whoever redeemed it last, as the card stands; null where it gave none. */
export const cardGiven = async (
  db: Db,
  code_id: number,
): Promise<(Required<GivenCard> & { state: CodeState; balance_cents: number }) | null> => {
  const [log] = await db
    .select({ granted: redeem_log.granted })
    .from(redeem_log)
    .where(
      and(
        eq(redeem_log.code_id, code_id),
        eq(redeem_log.result, 'ok'),
        isNull(redeem_log.revoked_at),
      ),
    )
    .orderBy(desc(redeem_log.id))
    .limit(1)
  const card = log?.granted?.card
  if (!card) return null
  const [now] = await db
    .select({ state: ecard_code.state, balance_cents: ecard_code.balance_cents })
    .from(ecard_code)
    .where(eq(ecard_code.id, card.code_id))
  return { name: card.name, face_cents: card.face_cents, tail: card.tail, ...now! }
}
