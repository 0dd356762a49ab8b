import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { ledger_daily } from './ledger.table.ts'

/** What entries come to, by all that figures are asked by. */
const summed = (where: SQL) => sql`
  select t.day, a.kind, t.biz, t.city_id, t.mall_id, coalesce(o.kind, '') order_kind,
    sum(greatest(e.amount_cents, 0))::bigint debit_cents, sum(greatest(-e.amount_cents, 0))::bigint credit_cents,
    count(*) filter (where e.amount_cents > 0)::int debits, count(*) filter (where e.amount_cents < 0)::int credits
  from ledger_txn t join ledger_entry e on e.txn_id = t.id join ledger_account a on a.id = e.account_id
    left join "order" o on o.id = e.order_id
  where ${where} group by 1, 2, 3, 4, 5, 6`

/** Adds transactions that were sealed just now to the sums of their days. */
export const addToDays = (tx: Db, txn_ids: readonly number[]) =>
  tx.execute(sql`
    insert into ${ledger_daily} as d (day, kind, biz, city_id, mall_id, order_kind, debit_cents, credit_cents, debits, credits)
    ${summed(oneOf(sql`t.id`, txn_ids))}
    on conflict (kind, day, biz, city_id, mall_id, order_kind) do update set
      debit_cents = d.debit_cents + excluded.debit_cents, credit_cents = d.credit_cents + excluded.credit_cents,
      debits = d.debits + excluded.debits, credits = d.credits + excluded.credits`)

const lastSeal = sql`(select s.to_xid, s.to_id from ledger_seal s order by s.id desc limit 1)`
/** Transactions that no seal covers yet: of the last minute, or all where nothing is sealed. */
const unsealed = sql`((t.xid, t.id) > ${lastSeal} or not exists (select 1 from ledger_seal))`

/**
 * The whole journal as sums, to be read as a table: what is sealed by day, and the few transactions
 * after it by themselves. `where` names the columns of both (day, kind, biz, city_id, mall_id,
 * order_kind).
 */
export const dailySums = (where: SQL): SQL => sql`(
  select day, kind, biz, city_id, mall_id, order_kind, debit_cents, credit_cents, debits, credits from ${ledger_daily} where ${where}
  union all
  select * from (${summed(unsealed)}) tail where ${where})`

/** The first row of the days' sums that the sealed journal does not come to, or undefined. */
export const recountDays = sql`
  select coalesce(d.id, 0) id from ${ledger_daily} d full join (${summed(sql`(t.xid, t.id) <= ${lastSeal}`)}) s
    using (day, kind, biz, city_id, mall_id, order_kind)
  where d.debit_cents is distinct from s.debit_cents or d.credit_cents is distinct from s.credit_cents
    or d.debits is distinct from s.debits or d.credits is distinct from s.credits
  order by 1 limit 1`
