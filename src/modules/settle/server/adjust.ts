import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { ledger_ask } from '#src/areas/ledger/ask.table.ts'
import { ownerKey, ownerNames } from '#src/areas/ledger/journal.server.ts'
import { askFault, mayDecide, sidesOf, type AskLine } from '#src/areas/ledger/journal.ts'
import { ledger_account, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mendedBy } from '#src/areas/reconcile/mending.server.ts'
import type { Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, listing, record } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { adjusting as calls, type AskRow } from '../contract/adjust.ts'

const t = ledger_ask
type Ask = typeof t.$inferSelect
export const asks = record(t, {
  object: 'ledger_ask',
  label: row => `#${row.id}`,
  keys: ['state', 'amount_cents', 'reason', 'reject_reason'],
  places: ({ scope }) => (seesAll(scope) ? undefined : sql`false`),
})
const shown = async (db: Db, rows: readonly Ask[]): Promise<AskRow[]> => {
  const names = await ownerNames(
    db,
    rows.flatMap(row => row.lines),
  )
  const people = new Map(
    (
      await db
        .select({ id: admin.id, name: admin.name })
        .from(admin)
        .where(inArray(admin.id, [0, ...rows.flatMap(row => [row.maker_id, row.checker_id ?? 0])]))
    ).map(one => [one.id, one.name]),
  )
  const txns = new Map(
    (
      await db
        .select({ id: ledger_txn.id, no: ledger_txn.no })
        .from(ledger_txn)
        .where(inArray(ledger_txn.id, [0, ...rows.flatMap(row => row.txn_id ?? [])]))
    ).map(one => [one.id, one.no]),
  )
  return rows.map(row => ({
    ...row,
    view: 'adjust',
    lines: row.lines.map(line => ({ ...line, owner: names.get(ownerKey(line)) ?? '' })),
    maker: people.get(row.maker_id) ?? '',
    checker: people.get(row.checker_id ?? 0) ?? '',
    txn_no: txns.get(row.txn_id ?? 0) ?? '',
  }))
}
const list = listing(asks, {
  by: t.id,
  down: true,
  where: (filters: { state?: Ask['state'] }) => equal(t, filters),
  shown: (db, rows) => shown(db, rows),
})

/** Whose accounts do not exist: neither in their own table, nor with an account that was used. */
const ownerFault = async (db: Db, lines: readonly AskLine[]): Promise<Text | undefined> => {
  const names = await ownerNames(db, lines)
  for (const { owner_kind, owner_id } of lines) {
    if (owner_kind === 'platform' || names.get(`${owner_kind}/${owner_id}`) !== `#${owner_id}`)
      continue
    const used = await db.$count(
      ledger_account,
      and(eq(ledger_account.owner_kind, owner_kind), eq(ledger_account.owner_id, owner_id)),
    )
    if (used === 0) return [`没有编号为 ${owner_id} 的所有者`, `Nobody has the number ${owner_id}`]
  }
  return undefined
}
/**
 * Decides an ask as it was read, as another person than its maker: one guarded UPDATE. Whoever comes
 * second is told who was quicker; the maker is told that it is theirs.
 */
const decide = async (
  context: WriteContext,
  one: { id: number; version: number },
  set: Partial<Ask> & { state: Ask['state'] },
): Promise<{ was: Ask; after: Ask }> => {
  const { tx, staff, now } = context
  const was = await asks.heldFast(context, one)
  const may = mayDecide(was, staff.id)
  if (may !== true) throw ruled('not_decidable', may)
  const [after] = await tx
    .update(t)
    .set({ ...set, checker_id: staff.id, decided_at: now, version: was.version + 1 })
    .where(
      and(
        eq(t.id, was.id),
        eq(t.version, was.version),
        eq(t.state, 'pending'),
        ne(t.maker_id, staff.id),
      ),
    )
    .returning()
  if (!after) throw await asks.late(context, await asks.read(tx, staff, was.id))
  return { was, after }
}

const handlers = {
  asks: list.page,
  adjust: async ({ lines, reason }, context) => {
    const fault = askFault(lines) ?? (await ownerFault(context.tx, lines))
    if (fault) throw invalid({ lines: fault })
    return asks.add(context, {
      lines,
      amount_cents: sidesOf(lines).debit_cents,
      reason,
      maker_id: context.staff.id,
    })
  },
  approveAdjust: async (one, context) => {
    const { tx, staff, now } = context
    const { was, after } = await decide(context, one, { state: 'posted' })
    const posted = await post(tx, {
      biz: 'adjust',
      biz_id: was.id,
      biz_no: `TZ${String(was.id).padStart(6, '0')}`,
      idem_key: `adjust:${was.id}`,
      at: now,
      memo: was.reason,
      lines: was.lines,
      maker_id: was.maker_id,
      checker_id: staff.id,
    })
    await tx.update(t).set({ txn_id: posted.id }).where(eq(t.id, was.id))
    await mendedBy(tx, was, { txn_id: posted.id, by: staff.id, now })
    asks.log(context, after, {
      before: { state: was.state },
      after: { state: after.state, amount_cents: after.amount_cents },
      reason: was.reason,
    })
    return { id: after.id, version: after.version, txn_no: posted.no }
  },
  rejectAdjust: async ({ reason, ...one }, context) => {
    const { was, after } = await decide(context, one, { state: 'rejected', reject_reason: reason })
    await mendedBy(context.tx, was, { txn_id: null, by: context.staff.id, now: context.now })
    asks.log(context, after, {
      before: { state: was.state },
      after: { state: after.state, amount_cents: after.amount_cents },
      reason,
    })
    return after
  },
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }

export const adjustServer = implement(calls, handlers)
