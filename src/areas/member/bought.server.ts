import { eq, sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { member } from './member.table.ts'

/** What a member's figures read of an order; what is sent once more counts for nothing. */
type Bought = Pick<
  typeof order.$inferSelect,
  'member_id' | 'paid_cents' | 'refunded_cents' | 'paid_at' | 'reissue_of'
>
const leftOf = (row: Bought): number => row.paid_cents - row.refunded_cents

/**
 * Keeps what its member paid, how many orders they paid and when the last one was: called with an
 * order before and after a change of it, while it is held. Only what changed is written.
 */
export const keepBought = async (tx: Db, before: Bought, after: Bought): Promise<void> => {
  const moves =
    before.member_id !== after.member_id ||
    leftOf(before) !== leftOf(after) ||
    (before.paid_at === null) !== (after.paid_at === null)
  if (!moves || after.reissue_of !== null) return
  const ids = [...new Set([before.member_id, after.member_id])].filter(id => id !== null)
  for (const id of ids.sort((a, b) => a - b)) {
    const [was, is] = [before, after].map(row => (row.member_id === id ? row : undefined))
    await tx
      .update(member)
      .set({
        total_paid_cents: sql`${member.total_paid_cents} + ${(is ? leftOf(is) : 0) - (was ? leftOf(was) : 0)}`,
        order_count: sql`${member.order_count} + ${paid(is) - paid(was)}`,
        last_order_at: is
          ? sql`greatest(${member.last_order_at}, ${is.paid_at}::bigint)`
          : sql`(select max(o.paid_at) from ${order} o where o.member_id = ${id} and o.reissue_of is null)`,
      })
      .where(eq(member.id, id))
  }
}
const paid = (row: Bought | undefined): number => Number(row !== undefined && row.paid_at !== null)

/** Counts the figures of some members anew, from the orders that are theirs now. */
export const countBoughtOf = (tx: Db, ids: readonly number[]) =>
  tx.execute(sql`
    update member m set total_paid_cents = s.cents, order_count = s.n, last_order_at = s.at
    from (select w.id, coalesce(sum(o.paid_cents - o.refunded_cents), 0) cents, count(o.paid_at)::int n,
      max(o.paid_at) at
        from member w left join "order" o on o.member_id = w.id and o.reissue_of is null
          where w.id in ${ids} group by 1) s
    where s.id = m.id`)

/**
 * Counts these figures of every member anew from the orders there are: after rows were made beside
 * the product, as the demo does.
 */
export const countBought = (db: Db) =>
  db.execute(sql`
    update member m set total_paid_cents = s.cents, order_count = s.n, last_order_at = s.at
    from (select member_id, sum(paid_cents - refunded_cents) cents, count(paid_at)::int n, max(paid_at) at
        from "order" where member_id is not null and reissue_of is null group by 1) s
    where s.member_id = m.id
      and (m.total_paid_cents, m.order_count, m.last_order_at) is distinct from (s.cents, s.n, s.at)`)
