import { inArray } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { settle_merchant } from './settleMerchant.table.ts'
import { usualTerms, type SettleTerms } from './settleMerchant.ts'

/** The terms of settlement of merchants, by their ids; the usual ones where none were set. */
export const termsOf = async (
  db: Db,
  merchant_ids: readonly number[],
): Promise<Map<number, SettleTerms>> => {
  const each = [...new Set(merchant_ids)]
  const terms = new Map<number, SettleTerms>(each.map(id => [id, usualTerms(id)]))
  if (each.length === 0) return terms
  const rows = await db
    .select()
    .from(settle_merchant)
    .where(inArray(settle_merchant.merchant_id, each))
  for (const row of rows) terms.set(row.merchant_id, row)
  return terms
}
