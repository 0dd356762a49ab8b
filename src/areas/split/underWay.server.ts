import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { dist_split_order } from './split.table.ts'
import { openSplits } from './split.ts'

/**
 * Whether a split of a merchant is under way at the channel. Whoever holds the merchant's terms
 * hears of every one: a split is made while it holds them too.
 */
export const isSharing = async (db: Db, merchant_id: number): Promise<boolean> => {
  const s = dist_split_order
  const found = await db
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.merchant_id, merchant_id), inArray(s.status, openSplits)))
    .limit(1)
  return found.length > 0
}
