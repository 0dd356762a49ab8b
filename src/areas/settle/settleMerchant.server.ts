import { inArray, sql } from 'drizzle-orm'
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

/**
 * An order that is paid keeps the rates that its merchants agreed for what is paid from now on;
 * where they agreed none, the rates of its goods stay. Shops that ship have rates of their own.
 */
export const keepRates = (tx: Db, order_id: number, now: number) =>
  tx.execute(sql`
    update order_item i set snapshot = jsonb_set(i.snapshot, '{commission_bp}', to_jsonb(r.bp))
    from (select x.id, case when t.rate_from_at <= ${now} then t.next_commission_bp else t.commission_bp end bp from order_item x join store s on s.id = x.store_id join settle_merchant t on t.merchant_id = s.merchant_id where x.order_id = ${order_id} and x.kind <> 'elist') r
    where i.id = r.id and r.bp is not null and i.snapshot->>'commission_bp' is distinct from r.bp::text`)
