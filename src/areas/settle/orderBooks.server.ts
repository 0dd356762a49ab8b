import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import {
  addTally,
  commissionRow,
  holdCounted,
  isEven,
  readSellers,
  writeSellers,
} from '#src/areas/commission/rows.server.ts'
import { newTally, tally } from '#src/areas/commission/tally.ts'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import {
  accountKey,
  distributors,
  merchants,
  ours,
  type AccountKind,
  type AccountOf,
  type Posting,
} from '#src/areas/ledger/ledger.ts'
import { holdAccounts, intoOpenDays, postAll } from '#src/areas/ledger/post.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { lastly } from '#src/server/db/database.ts'
import { oneOf, planned } from '#src/server/db/oneOf.ts'
import { settle_line } from './line.table.ts'
import type { OrderFacts, Surroundings } from './orderBook.ts'
import { readBookFacts } from './orderFacts.server.ts'
import { newLine, type Line } from './orderLines.ts'
import { keysOf, linesWanted, missingPostings, openBook } from './orderPostings.ts'
import { balanceAccount, debtAccount, type LineSeller } from './orderSellers.ts'
import { termsOf } from './settleMerchant.server.ts'
import type { SettleTerms } from './settleMerchant.ts'
import { ownSale } from './split.ts'

type Row = typeof settle_line.$inferSelect
const LINES = 1000

const postedOf = async (
  tx: Db,
  facts: readonly OrderFacts[],
  isFresh: (order_id: number) => boolean,
): Promise<Set<string>> => {
  // Lines come with the first posting; only what the house sold has none.
  const known = facts.filter(one => ownSale(one.order.kind) !== undefined || !isFresh(one.order.id))
  const keys = known.flatMap(keysOf)
  if (keys.length === 0) return new Set()
  const rows = await tx
    .select({ key: ledger_txn.idem_key })
    .from(ledger_txn)
    .where(sql`${ledger_txn.idem_key} = any(${sql.param(keys)}::text[]) ${planned}`)
  return new Set(rows.map(row => row.key))
}
/** The merchants' accounts and the house's that a refund of settled lines may touch. */
const touched: readonly AccountKind[] = [
  'wechat_cash',
  'bank_cash',
  'escrow',
  'suspense',
  'prepaid_card',
  'vip_income',
  'commission_income',
  'subsidy_expense',
  'points_expense',
  'wechat_fee_expense',
  'distribution_expense',
]
/** The accounts of sellers, or of the merchants that they are paid through. */
const accountsOf = (of: LineSeller): AccountOf[] => [
  balanceAccount(of),
  debtAccount(of),
  distributors('distributor_frozen', of.distributor_id),
]
/**
 * What merchants and sellers have, for what is refunded after it was settled: held from here on, so
 * that what is taken is there. Where nothing was settled nothing is held.
 */
const balancesFor = async (
  tx: Db,
  lines: readonly Row[],
  sellers: readonly LineSeller[],
): Promise<Surroundings['spend']> => {
  const settled =
    lines.some(line => line.status === 'settled') || sellers.some(one => one.status === 'settled')
  const ids = settled ? [...new Set(lines.map(line => line.merchant_id))] : []
  const held =
    ids.length === 0
      ? new Map<string, { balance_cents: number }>()
      : await holdAccounts(tx, [
          ...touched.map(ours),
          ...sellers.flatMap(accountsOf),
          ...ids.map(id => merchants('merchant_balance', id)),
          ...ids.map(id => merchants('merchant_debt', id)),
          ...ids.map(id => merchants('merchant_frozen', id)),
        ])
  const left = new Map([...held].map(([key, account]) => [key, -account.balance_cents]))
  return (account, cents) => {
    const key = accountKey(account)
    const some = Math.min(cents, left.get(key) ?? 0)
    left.set(key, (left.get(key) ?? 0) - some)
    return some
  }
}
/**
 * Lines of before there was a journal have no parts: they are made anew under their ids, and what
 * was settled stays so.
 */
const isOld = (line: Row): boolean =>
  line.base_cents === 0 && line.price_cents > 0 && line.merchant_discount_cents < line.price_cents
const oldSettled = (
  lines: readonly Row[],
  made: readonly Line[],
  order: OrderFacts['order'],
): Posting[] => {
  const was = new Map(
    lines.filter(line => isOld(line) && line.status === 'settled').map(line => [line.id, line]),
  )
  return made.flatMap(line => {
    const old = was.get(line.id)
    if (!old || line.status !== 'freezing') return []
    line.status = 'settled'
    const cents = line.merchant_cents - line.gone_merchant_cents
    return cents === 0
      ? []
      : [
          {
            biz: 'settle' as const,
            biz_id: line.id,
            biz_no: order.order_no,
            idem_key: `settle:l${line.id}`,
            at: Math.max(old.settled_at ?? 0, line.verified_at ?? 0),
            place: { city_id: order.city_id, mall_id: order.mall_id },
            lines: [
              {
                ...merchants('merchant_frozen', line.merchant_id),
                amount_cents: cents,
                order_id: order.id,
                line_id: line.id,
              },
              {
                ...merchants('merchant_balance', line.merchant_id),
                amount_cents: -cents,
                order_id: order.id,
                line_id: line.id,
              },
            ],
          },
        ]
  })
}
const newIds = async (tx: Db, n: number): Promise<number[]> => {
  if (n === 0) return []
  const { rows } = await tx.execute<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('settle_line', 'id')) id from generate_series(1, ${n})`,
  )
  return rows.map(row => Number(row.id))
}
const writeLines = async (
  tx: Db,
  rows: readonly (typeof settle_line.$inferInsert)[],
  now: number,
): Promise<void> => {
  for (let at = 0; at < rows.length; at += LINES)
    await tx
      .insert(settle_line)
      .values(rows.slice(at, at + LINES).map(row => ({ ...row, updated_at: now })))
      .onConflictDoUpdate({
        target: settle_line.id,
        set: { ...excluded, version: sql`${settle_line.version} + 1` },
      })
}
/** What the books write of a line; who holds it and which batch it is in are others' to say. */
const written = [
  'verify_code_id',
  'merchant_id',
  'store_id',
  'price_cents',
  'cash_cents',
  'balance_cents',
  'ecard_cents',
  'points_cents',
  'platform_subsidy_cents',
  'merchant_discount_cents',
  'base_cents',
  'commission_cents',
  'fee_cents',
  'fee_bearer',
  'merchant_cents',
  'refunded_user_cents',
  'gone_base_cents',
  'gone_commission_cents',
  'gone_fee_cents',
  'gone_merchant_cents',
  'distributor_cents',
  'distributor_bearer',
  'gone_distributor_cents',
  'status',
  'paid_at',
  'verified_at',
  'freeze_until_at',
  'verify_id',
  'refund_id',
] as const satisfies readonly (keyof Line)[]
const excluded = Object.fromEntries(
  [...written, 'updated_at'].map(key => [key, sql.raw(`excluded.${key}`)]),
)
const differs = (line: Line, before: Row | undefined): boolean =>
  before === undefined || written.some(key => line[key] !== before[key])

/** What was received is on hold as its order's rules say, or longer by its merchants' terms. */
const heldFor = (facts: OrderFacts, terms: ReadonlyMap<number, SettleTerms>): OrderFacts => ({
  ...facts,
  hold_s: Math.max(
    facts.hold_s,
    ...facts.items.map(item => terms.get(item.merchant_id)!.freeze_days * DAY),
  ),
})
/** The bearer of a fee is who it was when the line was paid, else who the terms say now. */
const bearersOf =
  (known: readonly Line[], terms: ReadonlyMap<number, SettleTerms>): Surroundings['bearerOf'] =>
  id =>
    known.find(line => line.merchant_id === id && line.paid_at !== null)?.fee_bearer ??
    terms.get(id)!.fee_bearer

/**
 * Brings the books of orders up to what the orders are: their settlement lines, and every posting
 * that is missing, each once. An order that has none yet is booked whole. Asked again it changes
 * nothing. The orders are held, then their lines, then accounts; so it comes last in a transaction.
 */
export const bookOrders = async (
  tx: Db,
  ids: readonly number[],
  now: number,
): Promise<{ postings: number }> => {
  await tx
    .select({ id: order.id })
    .from(order)
    .where(oneOf(order.id, ids))
    .orderBy(order.id)
    .for('update')
  const rows = await tx
    .select()
    .from(settle_line)
    .where(oneOf(settle_line.order_id, ids))
    .orderBy(settle_line.id)
    .for('update')
  const rowsOf = grouped(rows, row => row.order_id)
  const used = new Set(rows.flatMap(row => (row.verify_id === null ? [] : row.order_id)))
  const all = await readBookFacts(tx, ids, used)
  const posted = await postedOf(tx, all, id => !rowsOf.has(id))
  const sellersOf = await readSellers(
    tx,
    // Only orders that somebody sold have any.
    [...new Set(rows.flatMap(row => (row.distributor_cents > 0 ? row.order_id : [])))],
  )
  const sellers = [...sellersOf.values()].flat()
  if (sellers.length > 0) await holdCounted(tx, countedOf(sellers, all))
  const spend = await balancesFor(tx, rows, sellers)
  const wanted = all.reduce(
    (n, facts) => n + linesWanted(facts, rowsOf.get(facts.order.id) ?? []),
    0,
  )
  const fresh = await newIds(tx, wanted)
  const around: Surroundings = {
    posted: key => posted.has(key),
    newId: () => fresh.pop()!,
    bearerOf: () => 'platform',
    spend,
  }
  const terms = await termsOf(
    tx,
    all.flatMap(facts => facts.items.map(item => item.merchant_id)),
  )
  const changed: (typeof settle_line.$inferInsert)[] = []
  const sold: ReturnType<typeof commissionRow>[] = []
  const counts = newTally()
  const postings: Posting[] = []
  for (const facts of all) {
    const own = rowsOf.get(facts.order.id) ?? []
    const known = own.map(row => (isOld(row) ? anew(row) : dressed(row, sellersOf)))
    const counting = { product_of: productOf(facts) }
    tally(counts, known, { ...counting, sign: -1 })
    const book = openBook(heldFor(facts, terms), known, {
      ...around,
      bearerOf: bearersOf(known, terms),
    })
    postings.push(...missingPostings(book), ...oldSettled(own, book.lines, facts.order))
    tally(counts, book.lines, { ...counting, sign: 1 })
    const before = new Map(own.map(row => [row.id, row]))
    for (const line of book.lines) {
      if (differs(line, before.get(line.id))) changed.push(rowOf(line, facts))
      const were = new Map(sellersOf.get(line.id)?.map(one => [one.id, one]))
      for (const one of line.sellers)
        if (one.id === null || isMoved(one, were.get(one.id)))
          sold.push(commissionRow(facts, line, one))
    }
  }
  await writeLines(tx, changed, now)
  await writeSellers(tx, sold, now)
  if (!isEven(counts)) await addTally(tx, counts)
  await postAll(tx, await intoOpenDays(tx, postings, now))
  return { postings: postings.length }
}
/** A line with its sellers, for a book to change. */
const dressed = (row: Row, sellersOf: ReadonlyMap<number, LineSeller[]>): Line => ({
  ...row,
  sellers: (sellersOf.get(row.id) ?? []).map(one => ({ ...one })),
})
/** What counts the sales of these sellers. */
const countedOf = (sellers: readonly LineSeller[], all: readonly OrderFacts[]) => ({
  sellers: sellers.map(one => one.distributor_id),
  products: all.flatMap(({ items }) => items.flatMap(item => item.product_id ?? [])),
  bindings: sellers.flatMap(one => one.calc.binding_id ?? []),
})
const productOf =
  ({ items }: OrderFacts) =>
  (item_id: number): number | null =>
    items.find(item => item.id === item_id)?.product_id ?? null
const isMoved = (one: LineSeller, was: LineSeller | undefined): boolean =>
  was === undefined ||
  one.amount_cents !== was.amount_cents ||
  one.gone_cents !== was.gone_cents ||
  one.status !== was.status ||
  one.frozen_until !== was.frozen_until
/** A line of before as if its order had not been paid; its parts come with its unit. */
const anew = (row: Row): Line => ({
  ...newLine(
    row.id,
    {
      ...row,
      code_id: null,
      user_cents: 0,
      platform_cents: 0,
      discount_cents: 0,
      settle_cents: 0,
      commission_bp: 0,
      times: 1,
      use: 0,
    },
    row,
  ),
})
const rowOf = (line: Line, { order }: OrderFacts): typeof settle_line.$inferInsert =>
  ({
    ...Object.fromEntries(written.map(key => [key, line[key]])),
    id: line.id,
    order_id: order.id,
    item_id: line.item_id,
    unit_no: line.unit_no,
    order_kind: order.kind,
    mall_id: order.mall_id,
    city_id: order.city_id,
    created_at: order.created_at,
  }) as typeof settle_line.$inferInsert

const elsewhere = new AsyncLocalStorage<true>()
/** Nothing is booked while `run` runs: whoever makes a whole history books it in one go. */
export const bookedElsewhere = <T>(run: () => Promise<T>): Promise<T> => elsewhere.run(true, run)
/** Books an order at the end of the open transaction: whatever changed its money calls this. */
export const bookOrder = async (tx: Db, order_id: number, now: number): Promise<void> => {
  if (!elsewhere.getStore())
    await lastly(tx, { key: 'books', id: order_id, run: (last, ids) => bookOrders(last, ids, now) })
}

/**
 * Says of the redemptions of lines where their money is, once the lines have moved to a batch or out
 * of it, or were settled: whoever moves lines calls it after.
 */
export const tellUses = (tx: Db, line_ids: readonly number[], now: number) =>
  tx.execute(sql`
    update verify_record v set settle_state = s.state, version = v.version + 1, updated_at = ${now}
    from (select l.verify_id, case when bool_and(l.status in ('settled', 'refunded')) then 'settled' when bool_or(l.batch_id is not null) then 'settling' else 'open' end state
      from settle_line l where l.verify_id in (select verify_id from settle_line where id = any(${sql.param([...line_ids])}::int[])) group by 1) w
    cross join lateral (select case when w.state <> 'open' then w.state when v2.hold_until <= ${now} then 'available' else 'holding' end state from verify_record v2 where v2.id = w.verify_id) s
    where v.id = w.verify_id and v.state = 'valid' and v.settle_state <> s.state`)
