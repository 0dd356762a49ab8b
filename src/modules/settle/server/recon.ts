import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { ledger_ask } from '#src/areas/ledger/ask.table.ts'
import { sidesOf } from '#src/areas/ledger/journal.ts'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { askForBills, fetchBills } from '#src/areas/reconcile/fetching.server.ts'
import { sharesElsewhere } from '#src/areas/reconcile/fundShares.server.ts'
import { matchDay, spanOfDay, writeBill } from '#src/areas/reconcile/matching.server.ts'
import { recon_bill, recon_fetch, recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import {
  mayResolve,
  mendingLines,
  sumsOf,
  type Bill,
  type BillChannel,
  type Diff,
  type ItemState,
} from '#src/areas/reconcile/reconcile.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, listing, record, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
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
  '这一天还没有导入账单，请先导入',
  'No bill of that day was imported: import it first',
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
    .values({ ...values, ...sumsOf(bill.rows), waiting: bill.rows, imported_by: by })
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

const noDay = { day: '', bills: [], fetches: [], shares_elsewhere: 0, counts: [] }
/** The last day with a bill, or with one that could not be had. */
const lastDay = async (db: Db): Promise<string> => {
  const { rows } = await db.execute<{ day: string | null }>(
    sql`select greatest((select max(day) from ${recon_bill} where waiting is null), (select max(day) from ${recon_fetch} where state in ('waiting', 'failed'))) as day`,
  )
  return rows[0]?.day ?? ''
}
/** WeChat Pay keeps bills for three months. */
const KEPT_S = 90 * DAY

const handlers = {
  items: list.page,
  billDay: async ({ day: asked }, { db, staff, install }) => {
    const b = recon_bill
    const day = asked ?? (await lastDay(db))
    if (!seesAll(staff.scope) || !day || momentNamed(day) === undefined) return noDay
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
      .where(and(eq(b.day, day), isNull(b.waiting)))
      .orderBy(b.id)
    const f = recon_fetch
    const fetches = await db.select().from(f).where(eq(f.day, day)).orderBy(desc(f.form))
    const counts = await db
      .select({
        diff: t.diff,
        n: sql<number>`count(*)::int`,
        open: sql<number>`(count(*) filter (where ${t.status} <> 'resolved'))::int`,
        gap_cents: sql<number>`coalesce(sum(coalesce(${t.channel_cents}, 0) - coalesce(${t.our_cents}, 0)), 0)::float8`,
      })
      .from(t)
      .where(eq(t.day, day))
      .groupBy(t.diff)
    const span = { ...spanOfDay(day), own: install.sharing.own }
    const hasFund = fetches.some(one => one.form === 'fund' && one.state === 'done')
    const shares_elsewhere = hasFund ? await sharesElsewhere(db, span) : 0
    return { day, bills, fetches, shares_elsewhere, counts }
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
      ...sumsOf(read.rows),
    }
  },
  importBill: async ({ bill_id }, context) => {
    const { tx, staff, install } = context
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
    await matchDay(tx, day, install.sharing.own)
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
    const { tx, staff, install } = context
    if (!seesAll(staff.scope)) throw missing()
    const { bill_id, changed } = await matchDay(tx, day, install.sharing.own)
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
  fetchBills: async ({ day: asked }, context) => {
    const { tx, staff, now, install } = context
    if (!seesAll(staff.scope)) throw missing()
    if (install.bills.name === 'none')
      throw ruled('no_channel', [
        '未接入微信支付，请导入账单文件',
        'WeChat Pay is not connected: import the file of the bill',
      ])
    const day = asked ?? dateOf(dayStart(now) - DAY)
    refuseUnended(day, now)
    if (momentNamed(day)! < dayStart(now) - KEPT_S)
      throw ruled('too_old', [
        '微信支付只提供三个月内的账单，请导入文件',
        'WeChat Pay keeps bills for three months: import the file',
      ])
    const rows = await askForBills(tx, { day, by: staff.id, now })
    if (rows.length === 0)
      throw ruled('fetched', [
        '这一天的账单都已获取，无需再取',
        'The bills of that day are all there',
      ])
    context.log({
      object_type: 'recon_fetch',
      object_id: rows[0]!.id,
      object_label: day,
      before: null,
      after: { asked: rows.length },
    })
    return { day, asked: rows.length }
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

/** A day's bills from ten of the next morning on, and at once where somebody asks for them. */
defineTimer(
  'settle.bills',
  '* * * * *',
  async ({ database, install, log, now }) => {
    const due = await fetchBills({
      database,
      source: install.bills,
      own: install.sharing.own,
      now,
      failed: (error, id) =>
        log.error({ err: error, what: 'a bill', id }, 'the clock could not do it'),
    })
    return due > 0 ? ['recon_item'] : []
  },
  ['bill_asked'],
)
