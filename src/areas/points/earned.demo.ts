import { sql, type SQL } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'

/** Lots of a story are known by their version until it is told. */
const TOLD = 6
/**
 * Members who may still earn at a time of the demo: in order, owing nothing, and with no move of
 * points after it, so that each ledger stays in the order of time.
 */
export const freeSince = (
  at: number,
): SQL => sql`m.account_state = 'normal' and not m.benefits_frozen
  and m.points_debt = 0 and not exists (select 1 from points_ledger e where e.member_id = m.id
  and e.at >= ${at})`
/**
 * Books points that members earned, each as a lot of its own. `earned` selects member_id, at (once a
 * member), points, rule_id, biz_kind, biz_no and title.
 */
export const bookEarned = async (db: Db, earned: SQL): Promise<void> => {
  await db.execute(sql`
    insert into points_lot (member_id, points, remain, expire_at, created_at, updated_at, version)
    select member_id, points, points, at - (at + 28800) % 86400 + ${366 * DAY}, at, at, ${TOLD}
    from (${earned}) e where points > 0 order by at, member_id`)
  await db.execute(sql`
    insert into points_ledger (member_id, kind, biz_kind, biz_no, delta, balance_after, rule_id,
      expire_at, lots, title, at)
    select e.member_id, 'earn', e.biz_kind, e.biz_no, e.points, m.points + sum(e.points)
      over (partition by e.member_id order by e.at), e.rule_id, l.expire_at,
      jsonb_build_array(jsonb_build_object('lot_id', l.id, 'n', e.points)), e.title, e.at
    from (${earned}) e join member m on m.id = e.member_id
      join points_lot l on l.member_id = e.member_id and l.created_at = e.at and l.version = ${TOLD}
    where e.points > 0 order by e.at, e.member_id`)
  await db.execute(sql`
    update member m set points = m.points + s.n from (select member_id, sum(points)::int n
      from points_lot where version = ${TOLD} group by 1) s where s.member_id = m.id`)
  await db.execute(sql`update points_lot set version = 0 where version = ${TOLD}`)
}
