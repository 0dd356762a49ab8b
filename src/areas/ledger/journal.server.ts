/** The journal as it is read: its transactions found and named, its lines, whose accounts they are. */
import { and, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { isAmong, type Among } from '#src/server/db/paging.ts'
import { JOURNAL_DAYS } from './journal.ts'
import { ledger_account, ledger_entry, ledger_txn } from './ledger.table.ts'
import type { AccountKind, AccountOf, Business, OwnerKind } from './ledger.ts'

defineKinds({ ledger_txn: at('ledger_txn', { city: 't.city_id', mall: 't.mall_id' }) })

type Seer = Pick<Staff, 'scope'>
export type Txn = typeof ledger_txn.$inferSelect
export type JournalFilters = {
  [K in 'owner_id' | 'account_id' | 'min_cents' | 'max_cents' | 'from' | 'to' | 'last_id']?:
    | number
    | undefined
} & {
  kind?: AccountKind | undefined
  owner_kind?: OwnerKind | undefined
  biz?: Business | undefined
  no?: string | undefined
  channel_no?: string | undefined
}

/** The ids of transactions that move one of these orders. */
const movingOrders = (orders: SQL): SQL =>
  sql`(select e.txn_id from ${ledger_entry} e where e.order_id in (${orders}))`
/** A number as people read it: of a transaction, of its document, or of an order. */
const numbered = (no: string | undefined): SQL | undefined =>
  no
    ? sql`${ledger_txn.id} in (select t.id from ledger_txn t where t.no = ${no} union all select t.id from ledger_txn t where t.biz_no = ${no} union all ${movingOrders(sql`select o.id from ${order} o where o.order_no = ${no}`)})`
    : undefined
const ofChannel = (no: string | undefined): SQL | undefined =>
  no
    ? sql`${ledger_txn.id} in ${movingOrders(sql`select p.order_id from ${payment} p where p.channel_no = ${no}`)}`
    : undefined

const ACCOUNTS_MOST = 10_000
/** The ids of the accounts that the filters name; undefined where they name none. */
export const accountsNamed = async (
  db: Db,
  { kind, owner_kind, owner_id, account_id }: JournalFilters,
): Promise<number[] | undefined> => {
  if ([kind, owner_kind, owner_id, account_id].every(one => one === undefined)) return undefined
  const t = ledger_account
  const rows = await db
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        kind && eq(t.kind, kind),
        owner_kind && eq(t.owner_kind, owner_kind),
        owner_id === undefined ? undefined : eq(t.owner_id, owner_id),
        account_id === undefined ? undefined : eq(t.id, account_id),
      ),
    )
    .limit(ACCOUNTS_MOST)
  return rows.map(row => row.id)
}
/** What finds the transactions of a question, by the indexes of the journal. */
type JournalAsked = {
  where: SQL | undefined
  placed: () => SQL | undefined
  among?: Among
}
/**
 * Finds what the filters ask for within a person's data, in a period of at most `days` days; throws
 * 422 for a longer one. A number is found whenever it was.
 */
export const journalAsked = async (
  db: Db,
  filters: JournalFilters,
  { staff, now, days = JOURNAL_DAYS }: { staff: Seer; now: number; days?: number },
): Promise<JournalAsked> => {
  const span = spanOf(filters, days, now)
  if (!span) throw tooLong(days)
  const { biz, no, channel_no, min_cents, max_cents, last_id } = filters
  const t = ledger_txn
  const named = await accountsNamed(db, filters)
  const always = Boolean(no || channel_no)
  const inPeriod = (by: typeof t.created_at | typeof ledger_entry.at) =>
    always ? undefined : and(gte(by, span.from), lte(by, span.to))
  return {
    where: and(
      // Lines know when they were posted as well: their transactions are not read for it.
      named ? undefined : inPeriod(t.created_at),
      biz && eq(t.biz, biz),
      numbered(no),
      ofChannel(channel_no),
      min_cents === undefined ? undefined : gte(t.amount_cents, min_cents),
      max_cents === undefined ? undefined : lte(t.amount_cents, max_cents),
      last_id === undefined ? undefined : lte(t.id, last_id),
    ),
    placed: () => within(staff.scope, { city: t.city_id, mall: t.mall_id }),
    ...(named && {
      among: [
        {
          column: ledger_entry.account_id,
          values: named,
          through: {
            table: ledger_entry,
            id: ledger_entry.txn_id,
            by: ledger_entry.at,
            where: inPeriod(ledger_entry.at),
          },
        },
      ],
    }),
  }
}
/** The same as one condition, for what counts and for files. */
export const journalWhere = ({ where, placed, among }: JournalAsked): SQL =>
  and(where, placed(), among && isAmong(ledger_txn, { among })) ?? sql`true`

/** The key of an owner: `merchant/12`. */
export const ownerKey = ({ owner_kind, owner_id }: Omit<AccountOf, 'kind'>): string =>
  `${owner_kind}/${owner_id}`
const namesIn: Partial<Record<OwnerKind, SQL>> = {
  merchant: sql`select id, name from merchant`,
  mall: sql`select id, name from mall`,
  member: sql`select id, nickname as name from member`,
  plan: sql`select id, name from subsidy_plan`,
  distributor: sql`select id, name from distributor`,
}
/** Whose accounts they are, by `ownerKey`; an owner without a name of its own is its number. */
export const ownerNames = async (
  db: Db,
  owners: readonly Omit<AccountOf, 'kind'>[],
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (const [owner_kind, from] of Object.entries(namesIn)) {
    const ids = new Set(
      owners.filter(one => one.owner_kind === owner_kind).map(one => one.owner_id),
    )
    if (ids.size === 0) continue
    const { rows } = await db.execute<{ id: number; name: string }>(
      sql`select n.id, n.name from (${from}) n where ${oneOf(sql`n.id`, ids)}`,
    )
    for (const { id, name } of rows) names.set(`${owner_kind}/${id}`, name)
  }
  for (const one of owners)
    if (one.owner_id !== 0 && !names.has(ownerKey(one)))
      names.set(ownerKey(one), `#${one.owner_id}`)
  return names
}
/** Owners of a kind whose name holds what was typed, or whose number it is, and who have an account. */
export const ownersFound = async (
  db: Db,
  {
    owner_kind,
    keyword,
    limit,
    skip,
  }: {
    owner_kind: OwnerKind
    keyword: string
    limit: number
    skip: number
  },
): Promise<{ list: { id: number; name: string }[]; total: number }> => {
  const from = namesIn[owner_kind]
  const has = sql`exists (select 1 from ${ledger_account} a where a.owner_kind = ${owner_kind} and a.owner_id = n.id)`
  const one = /^\d{1,9}$/.test(keyword) ? sql` or n.id = ${Number(keyword)}` : sql``
  const typed = keyword
    ? sql`(n.name ilike ${`%${keyword.replace(/[\\%_]/g, '\\$&')}%`}${one})`
    : sql`true`
  const source =
    from ??
    sql`select distinct owner_id as id, '#' || owner_id as name from ledger_account where owner_kind = ${owner_kind}`
  const found = sql`from (${source}) n where ${typed} and ${has}`
  const { rows } = await db.execute<{ id: number; name: string }>(
    sql`select n.id, n.name ${found} order by n.id limit ${limit} offset ${skip}`,
  )
  const counted = await db.execute<{ n: number }>(sql`select count(*)::int n ${found}`)
  return { list: rows, total: counted.rows[0]!.n }
}

type Beside = {
  id: number
  order_id: number | null
  order_no: string | null
  order_kind: OrderKind | null
  city: string | null
  mall: string | null
  reverses_no: string | null
  reversed_no: string | null
  maker: string | null
  checker: string | null
}
/** Transactions as a list shows them: with their order, their place, who made and who reversed them. */
export const txnsShown = async (db: Db, rows: readonly Txn[]) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const { rows: found } = await db.execute<Beside>(sql`
    select t.id, o.id order_id, o.order_no, o.kind order_kind, c.city_name city, m.name mall, f.no reverses_no, r.no reversed_no, a.name maker, b.name checker
    from ledger_txn t
      left join lateral (select e.order_id from ledger_entry e where e.txn_id = t.id and e.order_id is not null order by e.id limit 1) e on true
      left join "order" o on o.id = e.order_id
      left join city c on c.id = t.city_id left join mall m on m.id = t.mall_id
      left join ledger_txn f on f.id = t.reverses_id left join ledger_txn r on r.reverses_id = t.id
      left join admin a on a.id = t.maker_id left join admin b on b.id = t.checker_id
    where ${oneOf(sql`t.id`, ids)}`)
  const beside = new Map(found.map(one => [one.id, one]))
  return rows.map(row => {
    const of = beside.get(row.id)!
    return {
      id: row.id,
      view: 'journal' as const,
      created_at: row.created_at,
      no: row.no,
      biz: row.biz,
      biz_no: row.biz_no,
      memo: row.memo,
      amount_cents: row.amount_cents,
      place: of.mall ?? of.city ?? '',
      order_id: of.order_id,
      order_no: of.order_no ?? '',
      order_kind: of.order_kind,
      reverses_no: of.reverses_no ?? '',
      reversed_no: of.reversed_no ?? '',
      maker: of.maker ?? '',
      checker: of.checker ?? '',
    }
  })
}
/** The lines of some transactions, by transaction, in the order they were posted. */
export const linesOf = async (db: Db, { scope }: Seer, txn_ids: readonly number[]) => {
  const told = await db
    .select({
      id: ledger_entry.id,
      txn_id: ledger_entry.txn_id,
      account_id: ledger_entry.account_id,
      kind: ledger_account.kind,
      owner_kind: ledger_account.owner_kind,
      owner_id: ledger_account.owner_id,
      amount_cents: ledger_entry.amount_cents,
      balance_after_cents: ledger_entry.balance_after_cents,
      order_no: sql<string>`coalesce(${order.order_no}, '')`,
      line_id: ledger_entry.line_id,
    })
    .from(ledger_entry)
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .leftJoin(order, eq(order.id, ledger_entry.order_id))
    .where(inArray(ledger_entry.txn_id, [...txn_ids, 0]))
    .orderBy(ledger_entry.id)
  const names = await ownerNames(db, told)
  const all = seesAll(scope)
  const by = new Map<
    number,
    (Omit<(typeof told)[number], 'balance_after_cents'> & {
      owner: string
      balance_after_cents: number | null
    })[]
  >(txn_ids.map(id => [id, []]))
  for (const one of told)
    by.get(one.txn_id)!.push({
      ...one,
      owner: names.get(ownerKey(one)) ?? '',
      balance_after_cents: all ? one.balance_after_cents : null,
    })
  return by
}
