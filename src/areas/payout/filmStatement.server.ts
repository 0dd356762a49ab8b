import { and, desc, eq, gt, inArray, lt, lte, sql, type SQL } from 'drizzle-orm'
import { film_order } from '#src/areas/film/film.table.ts'
import { ledger_account, ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import type { Business } from '#src/areas/ledger/ledger.ts'
import { order } from '#src/areas/order/order.table.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { balanced, partOfBusiness, type Statement } from './filmStatement.ts'
import type { withdrawal } from './withdrawal.table.ts'
import { moneyOf } from './withdrawing.ts'

type Withdrawal = Pick<
  typeof withdrawal.$inferSelect,
  'id' | 'owner_kind' | 'owner_id' | 'balance_before_cents' | 'amount_cents' | 'applied_at'
>
type Bound = { entry_id: number; after_cents: number; at: number }
/** The entries of a balance between the request before and this one, which it ends with. */
type Period = { account_id: number; from: Bound; until: Bound }

const entry = {
  entry_id: ledger_entry.id,
  after_cents: ledger_entry.balance_after_cents,
  at: ledger_entry.at,
}
/** The period of a request; undefined where the journal does not know it. */
const periodOf = async (db: Db, of: Withdrawal): Promise<Period | undefined> => {
  const { balance } = moneyOf(of)
  const [own] = await db
    .select({ ...entry, account_id: ledger_entry.account_id })
    .from(ledger_txn)
    .innerJoin(ledger_entry, eq(ledger_entry.txn_id, ledger_txn.id))
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .where(
      and(
        eq(ledger_txn.idem_key, `withdraw:apply:${of.id}`),
        eq(ledger_account.kind, balance.kind),
      ),
    )
  if (!own) return undefined
  const [before] = await db
    .select(entry)
    .from(ledger_entry)
    .innerJoin(ledger_txn, eq(ledger_txn.id, ledger_entry.txn_id))
    .where(
      and(
        eq(ledger_entry.account_id, own.account_id),
        lt(ledger_entry.id, own.entry_id),
        eq(ledger_txn.biz, 'withdraw_apply'),
      ),
    )
    .orderBy(desc(ledger_entry.id))
    .limit(1)
  const { account_id, ...until } = own
  return { account_id, from: before ?? { entry_id: 0, after_cents: 0, at: 0 }, until }
}
const within = ({ account_id, from, until }: Period) =>
  and(
    eq(ledger_entry.account_id, account_id),
    gt(ledger_entry.id, from.entry_id),
    lte(ledger_entry.id, until.entry_id),
  )
/** The batches that were paid into the balance in a period. */
const batchesIn = (db: Db, period: Period) =>
  db
    .select({ id: ledger_txn.biz_id })
    .from(ledger_entry)
    .innerJoin(ledger_txn, eq(ledger_txn.id, ledger_entry.txn_id))
    .where(and(within(period), eq(ledger_txn.biz, 'settle')))

const cents = (of: ReturnType<typeof sql>) => sql<number>`coalesce(sum(${of}), 0)::float8`
/** What the batches of a period say of themselves, and what their lines come to (cents). */
const settledIn = async (db: Db, period: Period) => {
  const ids = (await batchesIn(db, period)).map(one => one.id)
  if (ids.length === 0) return { fee_cents: 0, rest_cents: 0, lines_cents: 0 }
  const [said] = await db
    .select({
      fee_cents: cents(sql`${settle_batch.fee_cents}`),
      rest_cents: cents(
        sql`${settle_batch.payable_cents} + ${settle_batch.refund_deduct_cents} + ${settle_batch.debt_deduct_cents}`,
      ),
    })
    .from(settle_batch)
    .where(inArray(settle_batch.id, ids))
  const [lines] = await db
    .select({ lines_cents: cents(sql`${settle_line.merchant_cents}`) })
    .from(settle_line)
    .where(inArray(settle_line.batch_id, ids))
  return { ...said!, ...lines! }
}
const nothing: Statement = {
  from_at: null,
  opening_cents: 0,
  income_cents: 0,
  refunds_cents: 0,
  fee_cents: 0,
  adjust_cents: 0,
  back_cents: 0,
  withdrawn_cents: 0,
  closing_cents: 0,
  difference_cents: 0,
  lines_difference_cents: 0,
}
/**
 * The statement of a film owner's request, from the journal: what came into its balance and left it
 * since the request before. `difference_cents`: what the parts do not account for;
 * `lines_difference_cents`: what the orders of its settlements come to beyond what was paid in.
 */
export const statementOf = async (db: Db, of: Withdrawal): Promise<Statement> => {
  const closing_cents = of.balance_before_cents - of.amount_cents
  const period = await periodOf(db, of)
  if (!period) return { ...nothing, closing_cents, difference_cents: closing_cents }
  const moved = await db
    .select({ biz: ledger_txn.biz, cents: cents(sql`-${ledger_entry.amount_cents}`) })
    .from(ledger_entry)
    .innerJoin(ledger_txn, eq(ledger_txn.id, ledger_entry.txn_id))
    .where(within(period))
    .groupBy(ledger_txn.biz)
  const sum = (part: ReturnType<typeof partOfBusiness>) =>
    moved
      .filter(one => partOfBusiness(one.biz as Business) === part)
      .reduce((all, one) => all + one.cents, 0)
  const { fee_cents, rest_cents, lines_cents } = await settledIn(db, period)
  const statement = {
    from_at: period.from.at || null,
    opening_cents: 0 - period.from.after_cents,
    // The owner bears its channel's fee: its income is told before it.
    income_cents: sum('income') + fee_cents,
    refunds_cents: 0 - sum('refunds'),
    fee_cents,
    adjust_cents: sum('adjust'),
    back_cents: sum('back'),
    withdrawn_cents: 0 - sum('withdrawn'),
    closing_cents,
  }
  return {
    ...statement,
    difference_cents: closing_cents - balanced(statement),
    lines_difference_cents: lines_cents - rest_cents,
  }
}

/** The orders whose settlements a request is made of, the latest show first. */
export const ordersOfStatement = async (
  db: Db,
  of: Withdrawal,
  { page, pageSize }: { page: number; pageSize: number },
) => {
  const period = await periodOf(db, of)
  const ids = period ? (await batchesIn(db, period)).map(one => one.id) : []
  if (ids.length === 0) return { list: [], total: 0 }
  const lines = inArray(settle_line.batch_id, ids)
  const rows = await db
    .select({
      id: order.id,
      order_no: order.order_no,
      film_name: film_order.film_name,
      show_at: film_order.show_at,
      seat_count: film_order.seat_count,
      pay_cents: order.pay_cents,
      fee_cents: cents(sql`${settle_line.fee_cents}`),
      merchant_cents: cents(sql`${settle_line.merchant_cents}`),
      gone_cents: cents(sql`${settle_line.gone_merchant_cents}`),
      batches: sql<number>`count(distinct ${settle_line.batch_id})::int`,
      batch_no: sql<string>`min(${settle_batch.no})`,
    })
    .from(settle_line)
    .innerJoin(settle_batch, eq(settle_batch.id, settle_line.batch_id))
    .innerJoin(order, eq(order.id, settle_line.order_id))
    .innerJoin(film_order, eq(film_order.order_id, order.id))
    .where(lines)
    .groupBy(order.id, film_order.id)
    .orderBy(desc(film_order.show_at), desc(order.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const [counted] = await db
    .select({ total: sql<number>`count(distinct ${settle_line.order_id})::int` })
    .from(settle_line)
    .where(lines)
  return { list: rows, total: counted!.total }
}
const SOME = 20
/** Orders of an owner that are frozen, of shows that were over when the request was made. */
export const frozenOrders = (db: Db, of: Withdrawal) =>
  db
    .select({
      id: order.id,
      order_no: order.order_no,
      film_name: film_order.film_name,
      show_at: film_order.show_at,
      pay_cents: order.pay_cents,
      reason: sql<string>`coalesce(${order.freeze_reason}, '')`,
    })
    .from(order)
    .innerJoin(film_order, eq(film_order.order_id, order.id))
    .where(
      and(
        eq(order.merchant_id, of.owner_id),
        eq(order.kind, 'film'),
        eq(order.frozen, true),
        lte(film_order.show_end_at, of.applied_at),
      ),
    )
    .orderBy(desc(film_order.show_at))
    .limit(SOME)

/** The settlement lines that a request is made of, as a condition: those of the batches paid in. */
export const linesOfRequest = (withdrawal_id: number): SQL =>
  sql`${settle_line.batch_id} in (
    select t.biz_id from ledger_entry e join ledger_txn t on t.id = e.txn_id and t.biz = 'settle'
    join (
      select a.account_id, a.id until, coalesce((select max(b.id) from ledger_entry b join ledger_txn bt on bt.id = b.txn_id where b.account_id = a.account_id and b.id < a.id and bt.biz = 'withdraw_apply'), 0) since
      from ledger_txn w join ledger_entry a on a.txn_id = w.id join ledger_account k on k.id = a.account_id and k.kind = 'merchant_balance' where w.idem_key = 'withdraw:apply:' || ${withdrawal_id}::text
    ) p on p.account_id = e.account_id and e.id > p.since and e.id <= p.until)`
