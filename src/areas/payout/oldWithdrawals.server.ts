import { asc, eq, gt, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Posting } from '#src/areas/ledger/ledger.ts'
import { intoOpenDays, postAll } from '#src/areas/ledger/post.server.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne } from '#src/server/db/oneByOne.ts'
import { withdrawal } from './withdrawal.table.ts'
import { withdrawalPosting } from './withdrawing.ts'

type Withdrawal = typeof withdrawal.$inferSelect
/** Up to which withdrawal all are in the journal. */
const POSTED_TO = 'ledger_withdrawn_to'
const SOME = 100

const postedTo = async (db: Db): Promise<number> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, POSTED_TO))
  return Number(row?.value ?? 0)
}
/** What a withdrawal has posted by now, as its state tells; each posting stands once by its key. */
const postingsOf = (row: Withdrawal): Posting[] => {
  const ended = row.paid_at ?? row.ended_at ?? row.reviewed_at ?? row.updated_at
  const apply = withdrawalPosting('apply', row, { at: row.applied_at })
  if (row.status === 'paid') return [apply, withdrawalPosting('paid', row, { at: ended })]
  if (row.status === 'rejected' || row.status === 'canceled')
    return [apply, withdrawalPosting('back', row, { at: ended })]
  return [apply]
}
/** Whether every order is in the journal: before that owners have less than they are owed. */
const ordersAreBooked = async (db: Db): Promise<boolean> => {
  const { rows } = await db.execute<{ done: boolean }>(
    sql`select not exists (select 1 from "order" o where o.id > coalesce((select (value #>> '{}')::int from setting where key = 'ledger_booked_to'), 0)) done`,
  )
  return rows[0]!.done
}
/**
 * Posts the withdrawals of a database that is older than the journal, once its orders are booked:
 * from the oldest on, resumable, and what stands is not posted again. One whose owner has too
 * little is named in the server's log. Answers how many were looked at.
 */
export const bookWithdrawals = async ({
  database,
  log,
}: {
  database: Database
  log: Pick<Logger, 'error'>
}): Promise<number> => {
  const { db } = database
  const rows = await db
    .select()
    .from(withdrawal)
    .where(gt(withdrawal.id, await postedTo(db)))
    .orderBy(asc(withdrawal.id))
    .limit(SOME)
  if (rows.length === 0 || !(await ordersAreBooked(db))) return 0
  await oneByOne(
    rows,
    row =>
      database.transaction(async tx => {
        await postAll(tx, await intoOpenDays(tx, postingsOf(row), unixNow()))
      }),
    (error, id) => log.error({ err: error, withdrawal: id }, 'a withdrawal could not be posted'),
  )
  const value = rows.at(-1)!.id
  await db
    .insert(setting)
    .values({ key: POSTED_TO, value })
    .onConflictDoUpdate({ target: setting.key, set: { value } })
  return rows.length
}
