import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { whole } from '#src/server/db/whole.ts'
import { ages, type AgeKey } from './figures.ts'

type Seer = Pick<Staff, 'scope'>
export type Age = { key: AgeKey; amount_cents: number; count: number; oldest_at: number | null }
const keys = Object.keys(ages) as AgeKey[]
/** What is paid and not settled yet, by how long ago it was paid (cents of what is left of it). */
export const ageing = async (db: Db, { scope }: Seer, now: number): Promise<Age[]> => {
  const l = settle_line
  const age = sql`case ${sql.join(
    keys
      .toReversed()
      .map(key => sql`when ${l.paid_at} < ${now - ages[key].from * DAY}::bigint then ${key}`),
    sql` `,
  )} else 'week' end`
  const rows = await db
    .select({
      key: sql<AgeKey>`${age}`,
      amount_cents: sql<number>`sum(${l.base_cents} - ${l.gone_base_cents})::float8`,
      count: sql<number>`count(*)::int`,
      oldest_at: sql<number | null>`min(${l.paid_at})::float8`,
    })
    .from(l)
    .where(
      and(
        inArray(l.status, ['not_settled', 'pending_tickets', 'freezing']),
        within(scope, { city: l.city_id, mall: l.mall_id }),
      ),
    )
    .groupBy(sql`1`)
  const by = new Map(rows.map(row => [row.key, row]))
  return keys.map(key => by.get(key) ?? { key, amount_cents: 0, count: 0, oldest_at: null })
}

export type Debtor = { id: number; name: string; owes_cents: number; since: number | null }
/** Merchants that owe, the largest debt first; `since`: when their debt moved last. */
export const debtors = async (db: Db, { scope }: Seer): Promise<Debtor[]> => {
  const a = ledger_account
  const seen = within(scope, { city: sql`m.city_id`, owner: sql`m.bd_admin_id` })
  const rows = await db
    .select({
      id: a.owner_id,
      name: sql<string>`(select m.name from merchant m where m.id = ${a.owner_id})`,
      owes_cents: a.balance_cents,
      since: sql<
        number | null
      >`(select max(e.at) from ledger_entry e where e.account_id = ${whole(a.id)})::float8`,
    })
    .from(a)
    .where(
      and(
        eq(a.kind, 'merchant_debt'),
        gt(a.balance_cents, 0),
        seen && sql`exists (select 1 from merchant m where m.id = ${a.owner_id} and ${seen})`,
      ),
    )
    .orderBy(sql`${a.balance_cents} desc`, a.owner_id)
  return rows
}
