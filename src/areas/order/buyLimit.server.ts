import { sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { SoldLine } from './buying.server.ts'

/**
 * Refuses more of a product than one member may buy in all: what they ordered before counts, less
 * what was given back. The products are held, so that of two orders at once the second counts the
 * first.
 */
export const refuseOverLimit = async (
  tx: Db,
  member_id: number | null,
  sold: readonly SoldLine[],
): Promise<void> => {
  const limited = new Map(
    sold.flatMap(({ item }) => (item.limit_per_member === null ? [] : [[item.id, item] as const])),
  )
  if (member_id === null || limited.size === 0) return
  const { rows } = await tx.execute<{ product_id: number; n: number }>(
    sql`select i.product_id, sum(i.qty - i.refunded_qty)::int n from order_item i join "order" o on o.id = i.order_id where o.member_id = ${member_id} and i.product_id in ${[...limited.keys()]} and o.pay_state <> 'closed' group by 1`,
  )
  const had = new Map(rows.map(row => [row.product_id, row.n]))
  for (const [id, item] of limited) {
    const lines = sold.filter(one => one.item.id === id)
    const all = lines.reduce((sum, one) => sum + one.line.qty, had.get(id) ?? 0)
    if (all > item.limit_per_member!)
      throw ruled(
        'over_limit',
        [
          '「{title}」每人限购 {n} 件，已购 {had} 件',
          '“{title}”: {n} for each buyer, {had} bought already',
        ],
        { title: item.title, n: item.limit_per_member!, had: had.get(id) ?? 0 },
      )
  }
}
