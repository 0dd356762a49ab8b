/** Where a phone redeems a code that is good in some malls alone. */
import { eq, inArray, sql } from 'drizzle-orm'
import { metres, type Pin } from '#src/areas/place/geo.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { joinedNames, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { code_batch, redeem_code } from './redeemCode.table.ts'

/** A phone so near a mall's pin is in it, in metres: halls are wide, and positions indoors are vague. */
export const IN_MALL_M = 1000
/** The mall, of those named, where a position is; 0 where it is in none of them. */
export const mallAt = async (tx: Db, ids: readonly number[], at: Pin): Promise<number> => {
  if (ids.length === 0) return 0
  const malls = await tx
    .select({ id: mall.id, lng_e6: mall.lng_e6, lat_e6: mall.lat_e6 })
    .from(mall)
    .where(inArray(mall.id, [...ids]))
  const [nearest] = malls
    .flatMap(({ id, lng_e6, lat_e6 }) =>
      lng_e6 === null || lat_e6 === null ? [] : [{ id, away: metres(at, { lng_e6, lat_e6 }) }],
    )
    .sort((a, b) => a.away - b.away)
  return nearest !== undefined && nearest.away <= IN_MALL_M ? nearest.id : 0
}

const NAMED = 3
const told: Text = [
  '仅限在以下商场兑换：{malls}。请到商场并允许获取位置后重试',
  'It is redeemed in {malls} alone: go there, share your location and try again',
]
const someTold: Text = [
  '仅限在 {malls} 等 {n} 家商场兑换。请到商场并允许获取位置后重试',
  'It is redeemed in {n} malls alone, as {malls}: go there, share your location and try again',
]
/**
 * The words for a member who is in none of the malls of a code: they name the malls in which it is
 * redeemed.
 */
export const mallsToGo = async (
  tx: Db,
  code_id: number,
): Promise<{ text: Text; values: { malls: string; n: number } }> => {
  const malls = await tx
    .select({ name: mall.name })
    .from(redeem_code)
    .innerJoin(code_batch, eq(code_batch.id, redeem_code.batch_id))
    .innerJoin(mall, sql`${code_batch.mall_ids} @> to_jsonb(${mall.id})`)
    .where(eq(redeem_code.id, code_id))
    .orderBy(mall.id)
  const names = malls.slice(0, NAMED).map(one => one.name)
  return {
    text: malls.length > NAMED ? someTold : told,
    values: { malls: joinedNames(names), n: malls.length },
  }
}
