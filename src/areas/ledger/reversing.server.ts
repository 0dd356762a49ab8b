import { and, eq } from 'drizzle-orm'
import { unixNow } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { txnsShown } from './journal.server.ts'
import { mayReverse } from './journal.ts'
import { ledger_account, ledger_entry, ledger_txn } from './ledger.table.ts'
import { reversalOf } from './ledger.ts'
import { post, type Posted } from './post.server.ts'

/**
 * Posts the transaction that undoes another, into today: once, whoever asks. Throws 404 outside the
 * person's data, and 422 where the kind has an undo of its own, where it is reversed already or is
 * itself a reversal, where an owner no longer has the money, or where today is closed.
 */
export const reverseTxn = async (
  tx: Db,
  staff: Pick<Staff, 'id' | 'scope'>,
  { id, reason, now = unixNow() }: { id: number; reason: string; now?: number },
): Promise<Posted & { was: Awaited<ReturnType<typeof txnsShown>>[number] }> => {
  const t = ledger_txn
  const [txn] = await tx
    .select()
    .from(t)
    .where(and(eq(t.id, id), within(staff.scope, { city: t.city_id, mall: t.mall_id })))
    .for('update')
  if (!txn) throw missing()
  const [was] = await txnsShown(tx, [txn])
  const may = mayReverse(was!)
  if (may !== true) throw ruled('not_reversible', may)
  const lines = await tx
    .select({
      kind: ledger_account.kind,
      owner_kind: ledger_account.owner_kind,
      owner_id: ledger_account.owner_id,
      amount_cents: ledger_entry.amount_cents,
      order_id: ledger_entry.order_id,
      line_id: ledger_entry.line_id,
    })
    .from(ledger_entry)
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .where(eq(ledger_entry.txn_id, id))
    .orderBy(ledger_entry.id)
  const posted = await post(tx, {
    biz: 'reverse',
    biz_id: txn.biz_id,
    biz_no: txn.biz_no,
    idem_key: `reverse:${id}`,
    at: now,
    memo: reason,
    place: { city_id: txn.city_id, mall_id: txn.mall_id },
    lines: reversalOf({
      lines: lines.map(({ order_id, line_id, ...line }) => ({
        ...line,
        order_id: order_id ?? undefined,
        line_id: line_id ?? undefined,
      })),
    }),
    reverses_id: id,
    maker_id: staff.id,
  })
  return { ...posted, was: was! }
}
