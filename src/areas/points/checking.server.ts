import { desc, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { points_check } from './points.table.ts'
import type { WrongBalance } from './points.ts'

export type PointsCheck = typeof points_check.$inferSelect
const LISTED_MOST = 200
type Found = { members: number; ledger: number; lots: number; balance: number; wrong_n: number }
/**
 * Compares every member's balance with the sum of their moves and with what is left of their lots,
 * and keeps what was found. Answers it; nobody's balance changes.
 */
export const checkBalances = async (
  tx: Db,
  of: { operator_id?: number; now: number },
): Promise<PointsCheck> => {
  const sums = sql`select m.id member_id, m.points balance, coalesce(e.n, 0) ledger, coalesce(l.n, 0) lots
    from member m
      left join (select member_id, sum(delta)::float8 n from points_ledger group by 1) e on e.member_id = m.id
      left join (select member_id, sum(remain)::float8 n from points_lot where remain > 0 group by 1) l
        on l.member_id = m.id`
  const { rows } = await tx.execute<Found>(sql`
    select count(*)::int members, coalesce(sum(ledger), 0)::float8 ledger, coalesce(sum(lots), 0)::float8
      lots, coalesce(sum(balance), 0)::float8 balance, (count(*) filter (where balance <> ledger
      or balance <> lots))::int wrong_n from (${sums}) s`)
  const all = rows[0]!
  const wrong =
    all.wrong_n === 0
      ? []
      : (
          await tx.execute<WrongBalance>(sql`select * from (${sums}) s where balance <> ledger
            or balance <> lots order by abs(balance - ledger) + abs(balance - lots) desc, member_id
            limit ${LISTED_MOST}`)
        ).rows
  const [made] = await tx
    .insert(points_check)
    .values({
      at: of.now,
      operator_id: of.operator_id ?? null,
      members: all.members,
      ledger_points: all.ledger,
      lot_points: all.lots,
      balance_points: all.balance,
      wrong_n: all.wrong_n,
      wrong,
    })
    .returning()
  return made!
}
/** The check that was made last; undefined before the first. */
export const lastCheck = async (db: Db): Promise<PointsCheck | undefined> =>
  (
    await db
      .select()
      .from(points_check)
      .orderBy(desc(points_check.at), desc(points_check.id))
      .limit(1)
  )[0]
