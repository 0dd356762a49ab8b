import { and, eq } from 'drizzle-orm'
import { lineOf, merchants } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

/** Settles what of an order is on hold, as a batch would; answers the cents of its merchant. */
export const settledLines = (database: Database, order_id: number): Promise<number> =>
  database.transaction(async tx => {
    const now = unixNow()
    const lines = await tx
      .update(settle_line)
      .set({ status: 'settled', settled_at: now })
      .where(and(eq(settle_line.order_id, order_id), eq(settle_line.status, 'freezing')))
      .returning()
    const cents = lines.reduce((all, line) => all + line.merchant_cents, 0)
    const { merchant_id } = lines[0]!
    await post(tx, {
      biz: 'settle',
      biz_id: order_id,
      biz_no: `JS${order_id}`,
      idem_key: `settle:test:${order_id}`,
      at: now,
      lines: [
        ...lineOf(merchants('merchant_frozen', merchant_id), cents),
        ...lineOf(merchants('merchant_balance', merchant_id), -cents),
      ],
    })
    return cents
  })
