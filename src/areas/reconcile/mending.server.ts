import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { recon_item } from './reconcile.table.ts'

/**
 * A difference whose adjustment was decided: resolved by the transaction that was posted, open again
 * where it was turned down (`txn_id` null). Nothing where the adjustment mends no difference.
 */
export const mendedBy = async (
  tx: Db,
  { recon_item_id }: { recon_item_id: number | null },
  { txn_id, by, now }: { txn_id: number | null; by: number; now: number },
): Promise<void> => {
  if (recon_item_id === null) return
  await tx
    .update(recon_item)
    .set(
      txn_id === null
        ? { status: 'open', method: null, version: sql`${recon_item.version} + 1` }
        : {
            status: 'resolved',
            resolve_txn_id: txn_id,
            resolved_by: by,
            resolved_at: now,
            version: sql`${recon_item.version} + 1`,
          },
    )
    .where(and(eq(recon_item.id, recon_item_id), eq(recon_item.status, 'asked')))
}
