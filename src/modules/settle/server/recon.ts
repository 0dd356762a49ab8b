import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { ledger_ask } from '#src/areas/ledger/ask.table.ts'
import { sidesOf } from '#src/areas/ledger/journal.ts'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { matchDay, writeBill } from '#src/areas/reconcile/matching.server.ts'
import { recon_bill, recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import {
  growsBy,
  mayResolve,
  mendingLines,
  type Bill,
  type BillChannel,
  type BillRow,
  type Diff,
  type ItemState,
} from '#src/areas/reconcile/reconcile.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, listing, record, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import { recon as calls, type ReconRow } from '../contract/recon.ts'

const t = recon_item
type Item = typeof t.$inferSelect
const items = record(t, {
  object: 'recon_item',
  label: row => row.our_no || row.channel_no,
  keys: ['diff', 'status', 'method', 'note', 'owner_id'],
  places: ({ scope }) => (seesAll(scope) ? undefined : sql`false`),
})
const shown = async (db: Db, rows: readonly Item[]): Promise<ReconRow[]> => {
  if (rows.length === 0) return []
  const beside = await db
    .select({
      id: t.id,
      order_no: sql<string>`coalesce(${order.order_no}, '')`,
      owner: sql<string>`coalesce((select a.name from ${admin} a where a.id = ${t.owner_id}), '')`,
      resolver: sql<string>`coalesce((select a.name from ${admin} a where a.id = ${t.resolved_by}), '')`,
      txn_no: sql<string>`coalesce((select x.no from ${ledger_txn} x where x.id = ${t.resolve_txn_id}), '')`,
    })
    .from(t)
    .leftJoin(order, eq(order.id, t.order_id))
    .where(
      inArray(
        t.id,
        rows.map(row => row.id),
      ),
    )
  const by = new Map(beside.map(one => [one.id, one]))
  return rows.map(row => ({ ...row, ...by.get(row.id)!, view: 'recon' }))
}
type Filters = {
  day?: string | undefined
  channel?: BillChannel | undefined
  diff?: Diff | undefined
  status?: ItemState | undefined
  mine?: boolean | undefined
  no?: string | undefined
}
const list = listing(items, {
  by: t.id,
  down: true,
  where: ({ mine, no, ...same }: Filters, { staff }) =>
    and(
      equal(t, same),
      mine ? eq(t.owner_id, staff.id) : undefined,
      no ? or(eq(t.our_no, no), eq(t.channel_no, no)) : undefined,
    ),
  shown: (db, rows) => shown(db, rows),
})
const openOf = (db: Db, day: string): Promise<number> =>
  db.$count(t, and(eq(t.day, day), inArray(t.status, ['open', 'asked'])))

const noBill: Text = [
  '这一天还没有导入账单，请先导入（I）',
  'No bill of that day was imported: import it first (I)',
]
/** A day that is over, so that its bill is whole; throws 422 for another. */
const refuseUnended = (day: string, now: number): void => {
  const at = momentNamed(day)
  if (at === undefined || at >= dayStart(now))
    throw ruled('day_not_over', [
      '账单日须是已结束的一天（北京时间）',
      'A bill is of a day that is over, by Beijing time',
    ])
}
const sumsOf = ({ rows }: Bill) => {
  const sum = (of: (row: BillRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    in_cents: sum(row => (growsBy(row.kind) ? row.cents : 0)),
    out_cents: sum(row => (growsBy(row.kind) ? 0 : row.cents)),
    fee_cents: sum(row => row.fee_cents ?? (row.kind === 'fee' ? row.cents : 0)),
  }
}
const KNOWN_CHUNK = 1000
/** How many rows of a bill are known already. */
const duplicatesOf = async (db: Db, { channel, rows }: Bill): Promise<number> => {
  let n = 0
  for (let at = 0; at < rows.length; at += KNOWN_CHUNK) {
    const some = rows.slice(at, at + KNOWN_CHUNK)
    const known = await db
      .select({ kind: t.kind, channel_no: t.channel_no })
      .from(t)
      .where(
        and(
          eq(t.channel, channel),
          isNotNull(t.bill_id),
          inArray(
            t.channel_no,
            some.map(row => row.channel_no),
          ),
        ),
      )
    const keys = new Set(known.map(one => `${one.kind} ${one.channel_no}`))
    n += some.filter(row => keys.has(`${row.kind} ${row.channel_no}`)).length
  }
  return n
}
/** Keeps the rows of a file until it is imported; the same file again is the same bill. */
const keepBill = async (db: Db, bill: Bill, { hash, by }: { hash: string; by: number }) => {
  const { channel, form, day } = bill
  const values = { channel, form, day, hash, rows: bill.rows.length }
  const [kept] = await db
    .insert(recon_bill)
    .values({ ...values, ...sumsOf(bill), waiting: bill.rows, imported_by: by })
    .onConflictDoUpdate({
      target: recon_bill.hash,
      set: { version: sql`${recon_bill.version} + 1` },
    })
    .returning({ id: recon_bill.id })
  return kept!.id
}

const nothing = { bill_id: null, channel: null, rows: 0, duplicates: 0 }
const none = { in_cents: 0, out_cents: 0, fee_cents: 0 }
const mend = async (context: WriteContext, was: Item, note: string): Promise<void> => {
  const lines = mendingLines(was)
  await unlessTaken(
    context.tx
      .insert(ledger_ask)
      .values({
        lines,
        amount_cents: sidesOf(lines).debit_cents,
        reason: note,
        recon_item_id: was.id,
        maker_id: context.staff.id,
      })
      .then(() => undefined),
    () => ruled('asked', ['已为它申请过调账', 'An adjustment was asked for it already']),
  )
}

const handlers = {
  items: list.page,
  billDay: async ({ day }, { db, staff }) => {
    const b = recon_bill
    if (!seesAll(staff.scope)) return { day: '', bills: [], counts: [] }
    const [last] = day
      ? [{ day }]
      : await db
          .select({ day: b.day })
          .from(b)
          .where(isNull(b.waiting))
          .orderBy(desc(b.day))
          .limit(1)
    if (!last) return { day: '', bills: [], counts: [] }
    const bills = await db
      .select({
        id: b.id,
        channel: b.channel,
        rows: b.rows,
        in_cents: b.in_cents,
        out_cents: b.out_cents,
        fee_cents: b.fee_cents,
        by: sql<string>`coalesce((select a.name from ${admin} a where a.id = ${b.imported_by}), '')`,
        created_at: b.created_at,
      })
      .from(b)
      .where(and(eq(b.day, last.day), isNull(b.waiting)))
      .orderBy(b.id)
    const counts = await db
      .select({
        diff: t.diff,
        n: sql<number>`count(*)::int`,
        open: sql<number>`(count(*) filter (where ${t.status} <> 'resolved'))::int`,
        gap_cents: sql<number>`coalesce(sum(coalesce(${t.channel_cents}, 0) - coalesce(${t.our_cents}, 0)), 0)::float8`,
      })
      .from(t)
      .where(eq(t.day, last.day))
      .groupBy(t.diff)
    return { day: last.day, bills, counts }
  },
  readBill: async ({ day, bill_file }, { tx: db, staff, now }) => {
    refuseUnended(day, now)
    const file = Buffer.from(bill_file, 'base64')
    const read = await parseFile('bill', { file, day })
    if ('fault' in read) return { ...nothing, ...none, fault: say(read.fault, staff.lang) }
    const b = recon_bill
    // What was read and never imported is forgotten after a day.
    await db.delete(b).where(and(isNotNull(b.waiting), lt(b.created_at, now - DAY)))
    const hash = createHash('sha256').update(file).digest('hex')
    return {
      fault: null,
      bill_id: await keepBill(db, read, { hash, by: staff.id }),
      channel: read.channel,
      rows: read.rows.length,
      duplicates: await duplicatesOf(db, read),
      ...sumsOf(read),
    }
  },
  importBill: async ({ bill_id }, context) => {
    const { tx, staff } = context
    const b = recon_bill
    if (!seesAll(staff.scope)) throw missing()
    const [bill] = await tx.select().from(b).where(eq(b.id, bill_id)).for('update')
    if (!bill) throw missing()
    const { channel, day, waiting } = bill
    // Imported before: every row of it is known.
    const told = waiting
      ? await writeBill(tx, { channel, day, rows: waiting }, bill.id)
      : { added: 0, duplicates: bill.rows }
    await tx.update(b).set({ waiting: null }).where(eq(b.id, bill.id))
    await matchDay(tx, day)
    context.log({
      object_type: 'recon_bill',
      object_id: bill.id,
      object_label: `${day} ${channel}`,
      before: null,
      after: { rows: bill.rows, added: told.added, duplicates: told.duplicates },
    })
    return { id: bill.id, day, ...told, open: await openOf(tx, day) }
  },
  autoMatch: async ({ day }, context) => {
    const { tx, staff } = context
    if (!seesAll(staff.scope)) throw missing()
    const { bill_id, changed } = await matchDay(tx, day)
    if (bill_id === undefined) throw ruled('no_bill', noBill)
    context.log({
      object_type: 'recon_bill',
      object_id: bill_id,
      object_label: day,
      before: null,
      after: { changed },
    })
    return { changed, open: await openOf(tx, day) }
  },
  resolve: async ({ method, note, ...one }, context) => {
    const { staff, now } = context
    const was = await items.heldFast(context, one)
    const may = mayResolve(was, method)
    if (may !== true) throw ruled('not_resolvable', may)
    if (method === 'adjust') await mend(context, was, note)
    const states: Record<typeof method, ItemState> = {
      take_over: 'open',
      note: 'resolved',
      adjust: 'asked',
    }
    return items.save(
      context,
      was,
      {
        method,
        note,
        owner_id: staff.id,
        status: states[method],
        ...(method === 'note' && { resolved_by: staff.id, resolved_at: now }),
      },
      note,
    )
  },
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }

export const reconServer = implement(calls, handlers)
