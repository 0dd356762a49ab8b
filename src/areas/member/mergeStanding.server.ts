import { sql } from 'drizzle-orm'
import { openStates } from '#src/areas/payout/withdrawing.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { MergeStanding } from './merge.ts'

/** What balance, open withdrawals and sanctions in force members have; every id is answered. */
export const standingOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, MergeStanding>> => {
  const { rows } = await db.execute<{ id: number; cents: string; w: number; s: number }>(sql`
    select m.id, coalesce((select -a.balance_cents from ledger_account a where a.owner_kind = 'member'
        and a.kind = 'member_balance' and a.owner_id = m.id), 0) cents,
      (select count(*)::int from withdrawal w where w.owner_kind = 'member' and w.owner_id = m.id
        and w.status in ${[...openStates]}) w,
      (select count(*)::int from user_sanction s where s.member_id = m.id and s.status = 'active'
        and (s.end_at is null or s.end_at > ${now})) s
    from unnest(${sql.param(`{${ids.join()}}`)}::int[]) m(id)`)
  return new Map(
    rows.map(row => [
      row.id,
      { balance_cents: Number(row.cents), withdrawals: row.w, sanctions: row.s },
    ]),
  )
}
