import { desc, eq, sql } from 'drizzle-orm'
import { DAY, SHANGHAI } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { sellerNames } from './sellerRows.server.ts'
import { dist_group, dist_group_member } from './sellers.table.ts'
import { gmvOfTeams } from './teamRows.server.ts'

export type Brought = {
  gmv_cents: number
  /** The share of its team's sales, in basis points. */
  share_bp: number
  bonus_cents: number
  active_days: number
}
const nothing: Brought = { gmv_cents: 0, share_bp: 0, bonus_cents: 0, active_days: 0 }
/** What members brought to the team that they are in, by their id; days are those of the last thirty. */
export const broughtBy = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<(id: number) => Brought> => {
  if (ids.length === 0) return () => nothing
  const { rows } = await db.execute<{ id: number; gmv: string; days: number; team: string }>(sql`
    select d.id, coalesce(own.gmv, 0) gmv, coalesce(own.days, 0)::int days, coalesce(team.gmv, 0) team from distributor d
      left join lateral (select sum(base_cents) gmv, count(distinct (paid_at + ${SHANGHAI}) / ${DAY}) filter (where paid_at > ${now - 30 * DAY}) days
        from dist_commission where distributor_id = d.id and group_id = d.group_id and role = 'direct') own on true
      left join lateral (select sum(base_cents) gmv from dist_commission where group_id = d.group_id and role = 'direct') team on true
    where d.id in ${ids}`)
  const bonus = await db.execute<{ id: number; cents: string }>(sql`
    select m.distributor_id id, sum(l.amount_cents - l.reversed_cents) cents
    from dist_commission m join distributor d on d.id = m.distributor_id and d.group_id = m.group_id
      join dist_commission l on l.line_id = m.line_id and l.role = 'leader'
    where m.distributor_id in ${ids} and m.role = 'direct' group by 1`)
  const bonusOf = new Map(bonus.rows.map(row => [row.id, Number(row.cents)]))
  const found = new Map(
    rows.map(row => {
      const [gmv_cents, team] = [Number(row.gmv), Number(row.team)]
      return [
        row.id,
        {
          gmv_cents,
          share_bp: team > 0 ? Math.round((gmv_cents * 10_000) / team) : 0,
          bonus_cents: bonusOf.get(row.id) ?? 0,
          active_days: row.days,
        },
      ]
    }),
  )
  return id => found.get(id) ?? nothing
}
/** The bonus of a team's leaders: all of it less what went back, and what of that is settled. */
export const bonusOfTeam = async (db: Db, group_id: number) => {
  const { rows } = await db.execute<{ all: string; settled: string }>(
    sql`select coalesce(sum(amount_cents - reversed_cents), 0) as all, coalesce(sum(amount_cents - reversed_cents) filter (where status in ('settled', 'clawed_back')), 0) settled from dist_commission where group_id = ${group_id} and role = 'leader'`,
  )
  return { bonus_cents: Number(rows[0]!.all), bonus_paid_cents: Number(rows[0]!.settled) }
}
/** Everybody who joined a team or left it; the newest first. */
export const comingsOf = async (db: Db, group_id: number, now: number) => {
  const rows = await db
    .select()
    .from(dist_group_member)
    .where(eq(dist_group_member.group_id, group_id))
    .orderBy(desc(dist_group_member.start_at), desc(dist_group_member.id))
    .limit(60)
  const names = await sellerNames(
    db,
    rows.map(row => row.distributor_id),
  )
  const of = (row: (typeof rows)[number]) => ({
    name: names.get(row.distributor_id) ?? '',
    is_leader: row.is_leader,
    reason: row.reason,
  })
  return rows
    .flatMap(row => [
      { key: `${row.id}+`, at: row.start_at, joins: true, ...of(row), reason: '' },
      ...(row.end_at === null
        ? []
        : [{ key: `${row.id}-`, at: row.end_at, joins: false, ...of(row) }]),
    ])
    .sort((a, b) => b.at - a.at)
    .slice(0, 20)
    .map(row => ({ ...row, ordered: row.at > now }))
}
/** Teams that were merged into one, each with what was paid through it while it was one. */
export const mergedInto = async (db: Db, group_id: number, now: number) => {
  const teams = await db
    .select({ id: dist_group.id, name: dist_group.name })
    .from(dist_group)
    .where(eq(dist_group.merged_into, group_id))
  const gmv = await gmvOfTeams(db, [group_id, ...teams.map(row => row.id)], {
    from: 0,
    to: now + 1,
  })
  return {
    all_gmv_cents: gmv.get(group_id) ?? 0,
    merged: teams.map(row => ({ ...row, gmv_cents: gmv.get(row.id) ?? 0 })),
  }
}
/** Members of a team by what they sold this month; whoever sold nothing in thirty days comes last. */
export const membersOf = async (
  db: Db,
  group_id: number,
  { from, now }: { from: number; now: number },
) => {
  const { rows } = await db.execute<{ id: number; name: string; gmv: string; idle: boolean }>(sql`
    select d.id, d.name, coalesce(c.gmv, 0) gmv, coalesce(d.last_sale_at, 0) < ${now - 30 * DAY} idle from distributor d
      left join lateral (select sum(base_cents) gmv from dist_commission where distributor_id = d.id and group_id = ${group_id} and role = 'direct' and paid_at >= ${from}) c on true
    where d.group_id = ${group_id} order by gmv desc, d.id limit 200`)
  const all = rows.map(row => ({ ...row, gmv_cents: Number(row.gmv) }))
  return {
    top: all.filter(row => row.gmv_cents > 0).slice(0, 5),
    idle: all.filter(row => row.idle).slice(0, 10),
    idle_count: all.filter(row => row.idle).length,
  }
}
