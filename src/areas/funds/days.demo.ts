import { sql } from 'drizzle-orm'
import { settle_day } from '#src/areas/ledger/ledger.table.ts'
import type { MoneyPart } from '#src/areas/ledger/money.demo.ts'
import { DAY, dateOf, dayStart, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'

/** Every day is closed but yesterday and today; somebody asked to open the last one again. */
const seedDays = async (db: Db, from: number, now: number): Promise<void> => {
  const { rows: people } = await db.execute<{ id: number }>(
    sql`select a.id from admin a where a.status = 'active' order by exists (select 1 from role r where r.code = 'finance' and a.role_ids @> jsonb_build_array(r.id)) desc, a.id limit 2`,
  )
  const last = dayStart(now) - 2 * DAY
  const rows = []
  for (let at = from; at <= last; at += DAY)
    rows.push({
      day: dateOf(at),
      status: 'closed' as const,
      closed_by: people[0]!.id,
      closed_at: at + DAY + 9 * HOUR,
      asked_by: at === last ? people[1]!.id : null,
      asked_at: at === last ? now - HOUR : null,
      reopen_reason: at === last ? '漏记一笔银行手续费，需补记' : '',
      created_at: at + DAY + 9 * HOUR,
    })
  await insertRows(db, settle_day, rows)
}
export const money: readonly MoneyPart[] = [
  {
    place: 97,
    branch: 'days',
    make: ({ db, now }) => {
      let first: number | undefined
      return {
        run: ({ from }) => {
          first ??= from
        },
        insert: () => seedDays(db, first ?? dayStart(now), now),
      }
    },
  },
]
