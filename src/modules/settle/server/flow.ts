import { and, asc, desc, eq, gt, gte, inArray, lt, lte, sql } from 'drizzle-orm'
import {
  accountsNamed,
  journalAsked,
  journalWhere,
  linesOf,
  ownerKey,
  ownerNames,
  ownersFound,
  txnsShown,
  type JournalFilters,
  type Txn,
} from '#src/areas/ledger/journal.server.ts'
import { JOURNAL_DAYS } from '#src/areas/ledger/journal.ts'
import { ledger_account, ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { businesses } from '#src/areas/ledger/ledger.ts'
import { reverseTxn } from '#src/areas/ledger/reversing.server.ts'
import { traceOrder } from '#src/areas/ledger/trace.server.ts'
import { spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { yuan } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { countAmong, countOf, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import {
  chosenRows,
  defineExport,
  EXPORT_MAX_ROWS,
  startExport,
  type Chosen,
} from '#src/server/exports/exports.ts'
import { flow as calls, type AccountRow, type FlowFilters } from '../contract/flow.ts'

const t = ledger_txn
/** A file may be of years: how many days. */
const EXPORT_DAYS = 3660
const readerOf = (staff: Pick<Staff, 'id'>, list: string, filters: object) =>
  `${staff.id}|${list}|${JSON.stringify(filters)}`
const accountsShown = async (
  db: Db,
  rows: readonly (typeof ledger_account.$inferSelect)[],
): Promise<AccountRow[]> => {
  const names = await ownerNames(db, rows)
  return rows.map(({ id, kind, owner_kind, owner_id, balance_cents }) => ({
    id,
    view: 'account',
    kind,
    owner_kind,
    owner_id,
    owner: names.get(ownerKey({ owner_kind, owner_id })) ?? '',
    balance_cents,
  }))
}
/** What a statement is of: opening and closing balance, both by an index, and its two sides. */
const statementOf = async (db: Db, account_id: number, span: { from: number; to: number }) => {
  const e = ledger_entry
  const balance = async (when: ReturnType<typeof lt>) => {
    const [row] = await db
      .select({ cents: e.balance_after_cents })
      .from(e)
      .where(and(eq(e.account_id, account_id), when))
      .orderBy(desc(e.at), desc(e.id))
      .limit(1)
    return row?.cents ?? 0
  }
  const [sums] = await db
    .select({
      debit_cents: sql<number>`coalesce(sum(amount_cents) filter (where amount_cents > 0), 0)::float8`,
      credit_cents: sql<number>`coalesce(-sum(amount_cents) filter (where amount_cents < 0), 0)::float8`,
      n: sql<number>`count(*)::int`,
    })
    .from(e)
    .where(and(eq(e.account_id, account_id), gte(e.at, span.from), lte(e.at, span.to)))
  return {
    open_cents: await balance(lt(e.at, span.from)),
    close_cents: await balance(lte(e.at, span.to)),
    ...sums!,
  }
}
type Entry = typeof ledger_entry.$inferSelect
const entriesShown = async (db: Db, rows: readonly Entry[]) => {
  if (rows.length === 0) return []
  const told = await db
    .select({
      id: ledger_entry.id,
      no: t.no,
      biz: t.biz,
      biz_no: t.biz_no,
      memo: t.memo,
      order_no: sql<string>`coalesce(${order.order_no}, '')`,
    })
    .from(ledger_entry)
    .innerJoin(t, eq(t.id, ledger_entry.txn_id))
    .leftJoin(order, eq(order.id, ledger_entry.order_id))
    .where(
      inArray(
        ledger_entry.id,
        rows.map(row => row.id),
      ),
    )
  const by = new Map(told.map(one => [one.id, one]))
  return rows.map(row => ({ ...row, ...by.get(row.id)!, view: 'statement' as const }))
}
const ownersSeen = (staff: Pick<Staff, 'scope'>) => seesAll(staff.scope)

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const asked = await journalAsked(db, filters, { staff, now })
    const rows = (await pageOf(db, t, {
      ...asked,
      by: t.created_at,
      down: true,
      page,
      pageSize,
      reader: readerOf(staff, 'journal', filters),
    })) as Txn[]
    return listed({ page, pageSize }, rows, txnsShown(db, rows), () =>
      asked.among ? countAmong(db, t, asked) : countOf(db, t, journalWhere(asked), t.created_at),
    )
  },
  sums: async (filters, { db, staff, now }) => {
    const where = journalWhere(await journalAsked(db, filters, { staff, now }))
    const [row] = await db
      .select({
        n: sql<number>`count(*)::int`,
        amount_cents: sql<number>`coalesce(sum(${t.amount_cents}), 0)::float8`,
      })
      .from(t)
      .where(where)
    return row!
  },
  detail: async ({ id }, { db, staff }) => {
    const [row] = await db
      .select({ biz: t.biz, biz_id: t.biz_id })
      .from(t)
      .where(and(eq(t.id, id), within(staff.scope, { city: t.city_id, mall: t.mall_id })))
    if (!row) throw missing()
    const [asked] = row.biz.startsWith('withdraw_')
      ? await db
          .select({ status: withdrawal.status })
          .from(withdrawal)
          .where(eq(withdrawal.id, row.biz_id))
      : []
    const lines = (await linesOf(db, staff, [id])).get(id)!
    return { lines, withdrawal: asked?.status ?? null }
  },
  owners: async ({ page, pageSize, keyword, owner_kind }, { db, staff }) =>
    ownersSeen(staff)
      ? ownersFound(db, {
          owner_kind: owner_kind ?? 'merchant',
          keyword: keyword?.trim() ?? '',
          limit: pageSize,
          skip: (page - 1) * pageSize,
        })
      : { list: [], total: 0 },
  trace: ({ order_no }, { db, staff }) => traceOrder(db, staff, order_no),
  accounts: async ({ page, pageSize, used, ...filters }, { db, staff }) => {
    const a = ledger_account
    if (!ownersSeen(staff)) return { list: [], total: 0 }
    const named = await accountsNamed(db, filters)
    const where = and(
      named && inArray(a.id, named.length > 0 ? named : [0]),
      used ? sql`${a.balance_cents} <> 0` : undefined,
    )
    const rows = (await pageOf(db, a, {
      where,
      by: a.id,
      page,
      pageSize,
      reader: readerOf(staff, 'accounts', { ...filters, used }),
    })) as (typeof a.$inferSelect)[]
    return listed({ page, pageSize }, rows, accountsShown(db, rows), () => countOf(db, a, where))
  },
  accountView: async ({ page, pageSize, account_id, ...period }, { db, staff, now }) => {
    const [of] = ownersSeen(staff)
      ? await db.select().from(ledger_account).where(eq(ledger_account.id, account_id))
      : []
    if (!of) throw missing()
    const span = spanOf(period, JOURNAL_DAYS, now)
    if (!span) throw tooLong(JOURNAL_DAYS)
    const e = ledger_entry
    const rows = (await pageOf(db, e, {
      where: and(eq(e.account_id, account_id), gte(e.at, span.from), lte(e.at, span.to)),
      by: e.at,
      down: true,
      page,
      pageSize,
      reader: readerOf(staff, 'statement', { account_id, ...period }),
    })) as Entry[]
    const told = await statementOf(db, account_id, span)
    return {
      list: await entriesShown(db, rows),
      total: told.n,
      account: (await accountsShown(db, [of]))[0]!,
      ...told,
    }
  },
  reverse: async ({ id, reason }, context) => {
    const { tx, staff, now } = context
    const { was, ...posted } = await reverseTxn(tx, staff, { id, reason, now })
    context.log({
      object_type: 'ledger_txn',
      object_id: posted.id,
      object_label: posted.no,
      before: null,
      after: {
        biz: 'reverse',
        reverses: was.no,
        biz_no: was.biz_no,
        amount_cents: was.amount_cents,
      },
      reason,
    })
    return { id: posted.id, no: posted.no }
  },
  export: async ({ format, columns, ids, ...filters }, context) => {
    const { tx, now } = context
    // As it is now: what is posted while the file is written stands in no sum that was told.
    const { rows: last } = await tx.execute<{ id: number }>(
      sql`select coalesce(max(id), 0)::int id from ledger_txn`,
    )
    const to = filters.to ?? now
    const from = filters.from ?? to - JOURNAL_DAYS * DAY
    const asked = { ...filters, ids, from, to, last_id: last[0]!.id }
    const where = await fileWhere(tx, asked, context)
    const [sum] = await tx
      .select({ cents: sql<number>`coalesce(sum(${t.amount_cents}), 0)::float8` })
      .from(t)
      .where(where)
    return startExport(context, {
      page: 'settle.flow',
      filters: asked,
      filters_text: filterWords(filters, context.staff, sum!.cents),
      rows_expected: await exactCount(tx, t, where, EXPORT_MAX_ROWS),
      format,
      columns,
      same: { ...filters, ids },
    })
  },
} satisfies { [K in keyof typeof calls]: Handler<(typeof calls)[K]> }

export const flowServer = implement(calls, handlers)

type FileAsked = JournalFilters & Chosen
const fileWhere = async (
  db: Db,
  { ids, ...filters }: FileAsked,
  { staff, now }: { staff: Pick<Staff, 'scope'>; now: number },
) =>
  and(
    journalWhere(await journalAsked(db, filters, { staff, now, days: EXPORT_DAYS })),
    chosenRows(t.id, { ids }),
  )
/** The filters and the sum of a file, for whoever looks at it later. */
const filterWords = (filters: FlowFilters, { lang }: Pick<Staff, 'lang'>, cents: number): string =>
  [
    filters.biz && say(businesses[filters.biz], lang),
    filters.no,
    filters.channel_no,
    filters.from !== undefined && `${dateOf(filters.from)} –`,
    filters.to !== undefined && dateOf(filters.to),
    say(['合计 {n} 元', '¥{n} total'], lang, { n: yuan(cents) }),
  ]
    .filter(Boolean)
    .join(' ')

defineExport('settle.flow', {
  title: ['资金流水', 'Money journal'],
  permit: calls.export.permit,
  columns: [
    { key: 'created_at', title: ['时间', 'When'], kind: 'time' },
    { key: 'no', title: ['凭证号', 'Number'] },
    { key: 'biz', title: ['业务', 'Business'] },
    { key: 'biz_no', title: ['单号', 'Document'] },
    { key: 'order_no', title: ['订单号', 'Order'] },
    { key: 'amount_cents', title: ['金额', 'Amount'], kind: 'money' },
    { key: 'memo', title: ['摘要', 'Memo'] },
    { key: 'place', title: ['归属', 'Where'] },
    { key: 'reverses_no', title: ['红冲凭证', 'Reverses'] },
    { key: 'reversed_no', title: ['被红冲', 'Reversed by'] },
    { key: 'maker', title: ['经办人', 'By'] },
    { key: 'checker', title: ['复核人', 'Second person'] },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const rows = await db
      .select()
      .from(t)
      .where(
        and(
          await fileWhere(db, filters as FileAsked, { staff, now }),
          after === undefined ? undefined : gt(t.id, after as number),
        ),
      )
      .orderBy(asc(t.id))
      .limit(limit)
    return {
      rows: (await txnsShown(db, rows)).map(row => ({
        ...row,
        biz: say(businesses[row.biz], staff.lang),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)!.id,
    }
  },
})
