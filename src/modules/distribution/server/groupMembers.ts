import { and, eq, ilike, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { shownSellers } from '#src/areas/distribution/sellerRows.server.ts'
import { heldSeller, sellers, setLeader, setTeam } from '#src/areas/distribution/sellers.server.ts'
import { dist_group_member, distributor } from '#src/areas/distribution/sellers.table.ts'
import { IDLE_DAYS, levels, sellerStates } from '#src/areas/distribution/sellers.ts'
import { broughtBy } from '#src/areas/distribution/teamFigures.server.ts'
import { leaveTeam, lockTeams } from '#src/areas/distribution/teams.server.ts'
import { say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, listing } from '#src/server/call/record.ts'
import { like } from '#src/server/db/like.ts'
import { groupMembers as contract } from '../contract/groupMembers.ts'

const t = distributor
type Filters = {
  group_id?: number | undefined
  keyword?: string | undefined
  idle?: boolean | undefined
}
const list = listing(sellers, {
  by: t.id,
  where: ({ group_id, keyword, idle }: Filters, { now }) =>
    and(
      group_id === undefined ? isNotNull(t.group_id) : eq(t.group_id, group_id),
      keyword ? ilike(t.name, like(keyword)) : undefined,
      idle ? or(isNull(t.last_sale_at), lt(t.last_sale_at, now - IDLE_DAYS * DAY)) : undefined,
    ),
  shown: async (db, rows, { now }) => {
    const shown = await shownSellers(db, rows, now)
    const ids = rows.map(row => row.id)
    const brought = await broughtBy(db, ids, now)
    const periods = await db
      .select({
        id: dist_group_member.distributor_id,
        since: sql<number>`max(${dist_group_member.start_at})`.mapWith(Number),
      })
      .from(dist_group_member)
      .where(
        and(
          inArray(dist_group_member.distributor_id, [0, ...ids]),
          lt(dist_group_member.start_at, now + 1),
        ),
      )
      .groupBy(dist_group_member.distributor_id)
    const since = new Map(periods.map(row => [row.id, row.since]))
    return shown.map(row => ({
      ...row,
      ...brought(row.id),
      since_at: since.get(row.id) ?? null,
    }))
  },
})
/** Moves each of several sellers, as it stands now, into a team. */
const moveEach = async (
  context: WriteContext,
  ids: readonly number[],
  of: { group_id: number; reason: string },
) => {
  await lockTeams(context.tx, [of.group_id])
  return eachRow(context, ids, async (row, id) => setTeam(row, await sellers.lock(row, id), of))
}

const handlers = {
  lst: list.page,
  addMember: ({ group_id, distributor_ids }, context) =>
    moveEach(context, distributor_ids, { group_id, reason: '' }),
  remove: async ({ reason, ...one }, context) =>
    leaveTeam(context, await heldSeller(context, 'change', one), reason),
  move: ({ group_id, reason, ...one }, context) => setTeam(context, one, { group_id, reason }),
  promote: ({ reason, ...one }, context) => setLeader(context, one, reason),
  batchMove: ({ ids, ...of }, context) => moveEach(context, ids, of),
  export: exporting(list, {
    page: 'distribution.index.groupMembers',
    title: ['团队成员', 'Members'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'group_name', title: ['团队', 'Team'] },
      { key: 'name', title: ['姓名', 'Name'] },
      { key: 'as', title: ['身份', 'Role'] },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'since_at', title: ['加入时间', 'Joined'], kind: 'time' },
      { key: 'gmv_cents', title: ['在队成交额', 'GMV'], kind: 'money', field: 'stat.gmv_cents' },
      { key: 'bonus_cents', title: ['带来团长奖励', 'Bonus brought'], kind: 'money' },
      { key: 'active_days', title: ['30 天活跃', 'Active days'], kind: 'number' },
      { key: 'customer_count', title: ['绑定客户', 'Customers'], kind: 'number' },
      { key: 'status', title: ['状态', 'State'] },
    ],
    words: (of: Filters, lang) => [
      of.idle && say(['30 天无成交', 'No sales in 30 days'], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      as: say(row.is_leader ? ['团长', 'Leader'] : ['成员', 'Member'], lang),
      level: say(levels[row.level_no]!, lang),
      status: say(sellerStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const groupMembersServer = implement(contract, handlers)
