import { desc, eq } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { commissionRoles, commissionStates } from '#src/areas/commission/commission.ts'
import { topProducts, trendOf } from '#src/areas/distribution/sellerFigures.server.ts'
import { sellerNames } from '#src/areas/distribution/sellerRows.server.ts'
import { sellers } from '#src/areas/distribution/sellers.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { teamMostOf } from '#src/areas/distribution/sellers.ts'
import {
  bonusOfTeam,
  comingsOf,
  membersOf,
  mergedInto,
} from '#src/areas/distribution/teamFigures.server.ts'
import { gmvOfTeams, shownTeams } from '#src/areas/distribution/teamRows.server.ts'
import {
  dissolveTeam,
  headCount,
  heldTeam,
  leadTeam,
  mergeTeam,
  teams,
  type Team,
} from '#src/areas/distribution/teams.server.ts'
import { monthFault, monthOf, monthStart } from '#src/areas/merchant/bd.ts'
import { say, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless, listing, record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { teamDetail as contract } from '../contract/teamDetail.ts'

const t = dist_commission
const earned = listing(
  record(t, {
    object: 'dist_commission',
    label: row => row.commission_no,
    keys: [],
    places: { city: t.city_id, mall: t.mall_id },
  }),
  {
    by: t.id,
    where: ({ id }: { id: number }) => eq(t.group_id, id),
    shown: async (db, rows) => {
      const names = await sellerNames(
        db,
        rows.map(row => row.distributor_id),
      )
      return rows.map(row => ({ ...row, name: names.get(row.distributor_id) ?? '' }))
    },
  },
)
/** The targets of a team by month, each with what was sold in it; the newest first. */
const targetsOf = async (db: Db, row: Team, now: number) => {
  const months = Object.keys(row.targets).sort().reverse().slice(0, 6)
  const told = []
  for (const month of months) {
    const at = Number(month.replace('-', ''))
    const next = at % 100 === 12 ? at + 89 : at + 1
    const [from, to] = [monthStart(at), monthStart(next)]
    const gmv = await gmvOfTeams(db, [row.id], { from, to })
    told.push({
      month,
      target_cents: row.targets[month]!,
      gmv_cents: gmv.get(row.id) ?? 0,
      is_over: to <= now,
    })
  }
  return told
}
const leaderLevel = async ({ tx }: WriteContext, group_id: number): Promise<number> => {
  const [row] = await tx
    .select({ level: distributor.level_no })
    .from(distributor)
    .where(eq(distributor.group_id, group_id))
    .orderBy(desc(distributor.is_leader))
    .limit(1)
  return row?.level ?? 1
}
/** Why a team may not hold so many: it has more already, or its leader's level allows fewer. */
const limitFault = async (
  context: WriteContext,
  was: Team,
  limit: number,
): Promise<Text | undefined> => {
  if (limit === was.member_limit) return undefined
  const there = await headCount(context.tx, was.id)
  if (limit < there) return [`现有 ${there} 人，不能更少`, `It has ${there} members already`]
  const most = teamMostOf(await leaderLevel(context, was.id))
  return limit > most
    ? [`团长等级最多带 ${most} 人`, `The leader’s level allows ${most} members`]
    : undefined
}

const handlers = {
  detail: async ({ id }, { db, staff, now }) => {
    const row = await teams.read(db, staff, id)
    const [shown] = await shownTeams(db, [row], now)
    return {
      row: shown!,
      ...(await bonusOfTeam(db, id)),
      ...(await mergedInto(db, id, now)),
      ...(await membersOf(db, id, { from: monthStart(monthOf(now)), now })),
      targets: await targetsOf(db, row, now),
      comings: await comingsOf(db, id, now),
    }
  },
  trend: async ({ id, by }, { db, staff, now }) => {
    await teams.read(db, staff, id)
    return {
      points: await trendOf(db, { group_id: id }, { by, now }),
      products: await topProducts(db, { group_id: id }, now),
    }
  },
  edit: async ({ id, version, ...fields }, context) => {
    const was = await heldTeam(context, { id, version })
    faultless(context.staff, {
      member_limit: await limitFault(context, was, fields.member_limit),
    })
    return unlessTaken(teams.save(context, was, fields), () =>
      ruled('name_taken', ['本城市已有同名团队', 'The city has a team of that name']),
    )
  },
  changeLeader: async ({ distributor_id, reason, ...one }, context) => {
    const was = await heldTeam(context, one)
    const next = await sellers.lock(context, distributor_id)
    await leadTeam(context, next, { group_id: was.id, reason })
    return teams.save(context, was, {}, reason)
  },
  setTarget: async ({ month, gmv_target_cents, ...one }, context) => {
    const was = await heldTeam(context, one)
    faultless(context.staff, { month: monthFault(month, context.now) })
    const name = `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`
    return teams.save(context, was, { targets: { ...was.targets, [name]: gmv_target_cents } })
  },
  merge: async ({ target_group_id, reason, ...one }, context) =>
    mergeTeam(context, await heldTeam(context, one, target_group_id), {
      group_id: target_group_id,
      reason,
    }),
  dissolve: async ({ group_id, reason, ...one }, context) =>
    dissolveTeam(context, await heldTeam(context, one, group_id), { group_id, reason }),
  export: exporting(earned, {
    page: 'distribution.index.group.detail',
    title: ['团队业绩', 'A team’s sales'],
    permit: contract.export.permit,
    columns: [
      { key: 'commission_no', title: ['佣金编号', 'Number'] },
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'name', title: ['分销员', 'Seller'] },
      { key: 'role', title: ['角色', 'Role'] },
      { key: 'base_cents', title: ['计佣基数', 'Base'], kind: 'money', field: 'stat.gmv_cents' },
      { key: 'amount_cents', title: ['佣金', 'Commission'], kind: 'money' },
      { key: 'reversed_cents', title: ['已冲回', 'Reversed'], kind: 'money' },
      { key: 'paid_at', title: ['支付时间', 'Paid'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
    ],
    words: ({ id }) => [`#${id}`],
    cells: (row, { lang }) => ({
      ...row,
      role: say(commissionRoles[row.role], lang),
      status: say(commissionStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const teamDetailServer = implement(contract, handlers)
