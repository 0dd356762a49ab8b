import { and, asc, eq, ilike, isNull, ne, sql } from 'drizzle-orm'
import { moneyOfSellers } from '#src/areas/distribution/sellerMoney.server.ts'
import {
  cityNames,
  sellerLists,
  sellersWhere,
  type SellerFilters,
} from '#src/areas/distribution/sellerRows.server.ts'
import {
  approveSeller,
  endQuitting,
  freezeSeller,
  heldSeller,
  quitSeller,
  rejectSeller,
  sellers,
  setLeader,
  setLevel,
  setTeam,
  unfreezeSeller,
} from '#src/areas/distribution/sellers.server.ts'
import { dist_group, distributor } from '#src/areas/distribution/sellers.table.ts'
import { levels, sellerKinds, sellerStates } from '#src/areas/distribution/sellers.ts'
import { teamList } from '#src/areas/distribution/teamRows.server.ts'
import { applyPeriods, createTeam, teams } from '#src/areas/distribution/teams.server.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { whole } from '#src/server/db/whole.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { sellersPage as contract } from '../contract/index.ts'

const t = distributor
/** Each seller of a batch as it stands now. */
const each = (
  context: WriteContext,
  ids: readonly number[],
  run: (context: WriteContext, one: { id: number; version: number }) => Promise<unknown>,
) => eachRow(context, ids, async (row, id) => run(row, await sellers.lock(row, id)))

const handlers = {
  lst: async ({ page, pageSize, sort, ...filters }, context) => {
    const { status: _, ...others } = filters
    const rows = await context.db
      .select({ status: t.status, n: sql<number>`count(*)::int` })
      .from(t)
      .where(and(sellers.seen(context.staff), sellersWhere(others, context.now)))
      .groupBy(t.status)
    return {
      ...(await sellerLists[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
      stat: Object.fromEntries(rows.map(({ status, n }) => [status, n])),
    }
  },
  teams: teamList.page,
  teamOptions: async ({ page, pageSize, keyword, but }, { db, staff }) => {
    const where = and(
      teams.seen(staff),
      eq(dist_group.status, 'active'),
      but === undefined ? undefined : ne(dist_group.id, but),
      keyword ? ilike(dist_group.name, like(keyword)) : undefined,
    )
    const rows = await db
      .select({
        id: dist_group.id,
        name: dist_group.name,
        city_id: dist_group.city_id,
        left: sql<number>`${dist_group.member_limit} - (select count(*)::int from dist_group_member m where m.group_id = ${whole(dist_group.id)} and m.end_at is null)`,
      })
      .from(dist_group)
      .where(where)
      .orderBy(asc(dist_group.name), asc(dist_group.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const cities = await cityNames(
      db,
      rows.map(row => row.city_id),
    )
    return {
      list: rows.map(row => ({ ...row, city_name: cities.get(row.city_id) ?? '' })),
      ...(await countOf(db, dist_group, where)),
    }
  },
  expertOptions: async ({ page, pageSize, keyword, group_id }, { db, staff }) => {
    const where = and(
      sellers.seen(staff),
      eq(t.kind, 'expert'),
      eq(t.status, 'active'),
      eq(t.is_leader, false),
      group_id === undefined ? isNull(t.group_id) : eq(t.group_id, group_id),
      keyword ? ilike(t.name, like(keyword)) : undefined,
    )
    const rows = await db
      .select({ id: t.id, name: t.name, level_no: t.level_no, city_id: t.city_id })
      .from(t)
      .where(where)
      .orderBy(asc(t.name), asc(t.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const cities = await cityNames(
      db,
      rows.map(row => row.city_id),
    )
    return {
      list: rows.map(row => ({ ...row, city_name: cities.get(row.city_id) ?? '' })),
      ...(await countOf(db, t, where)),
    }
  },
  effects: async ({ id }, { db, staff }) => {
    const row = await sellers.read(db, staff, id)
    const money = (await moneyOfSellers(db, [id]))(id)
    return {
      customers: row.customer_count,
      estimated_cents: money.estimated_cents,
      on_hold_cents: money.frozen_cents,
      balance_cents: money.balance_cents,
    }
  },
  approve: ({ level_no, group_id, ...one }, context) =>
    approveSeller(context, one, { level_no, group_id }),
  reject: ({ reason, ...one }, context) => rejectSeller(context, one, reason),
  setLevel: ({ level_no, reason, ...one }, context) => setLevel(context, one, { level_no, reason }),
  setGroup: ({ group_id, reason, ...one }, context) => setTeam(context, one, { group_id, reason }),
  createGroup: async ({ leader_id, ...of }, context) => {
    const leader = await sellers.lock(context, leader_id)
    return createTeam(context, await heldSeller(context, 'setGroup', leader), of)
  },
  setLeader: ({ reason, ...one }, context) => setLeader(context, one, reason),
  freeze: ({ reason, ...one }, context) => freezeSeller(context, one, reason),
  unfreeze: (one, context) => unfreezeSeller(context, one),
  quit: ({ reason, ...one }, context) => quitSeller(context, one, reason),
  batchSetLevel: ({ ids, level_no, reason }, context) =>
    each(context, ids, (row, one) => setLevel(row, one, { level_no, reason })),
  batchFreeze: ({ ids, reason }, context) =>
    each(context, ids, (row, one) => freezeSeller(row, one, reason)),
  revealPhone: async ({ id, reason }, context) => {
    const row = await sellers.read(context.tx, context.staff, id)
    const of = { object_type: 'distributor', object_id: id, object_label: row.name }
    return {
      id,
      phone: row.phone,
      ...(await noteReveal(context, 'distributor.phone', of, reason)),
    }
  },
  export: exporting(sellerLists.id, {
    page: 'distribution.index',
    title: ['分销员', 'Sellers'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'name', title: ['姓名', 'Name'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'distributor.phone' },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'group_name', title: ['团队', 'Team'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'customer_count', title: ['绑定客户', 'Customers'], kind: 'number' },
      { key: 'gmv_cents', title: ['成交额', 'GMV'], kind: 'money', field: 'stat.gmv_cents' },
      { key: 'order_count', title: ['订单', 'Orders'], kind: 'number' },
      { key: 'estimated_cents', title: ['预估佣金', 'Estimated'], kind: 'money' },
      { key: 'frozen_cents', title: ['冻结佣金', 'On hold'], kind: 'money' },
      { key: 'balance_cents', title: ['佣金余额', 'Balance'], kind: 'money' },
      { key: 'debt_cents', title: ['欠款', 'Debt'], kind: 'money' },
      { key: 'withdrawn_cents', title: ['已提现', 'Withdrawn'], kind: 'money' },
      { key: 'last_sale_at', title: ['最近成交', 'Last sale'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'reason', title: ['原因', 'Reason'] },
    ],
    words: (of: SellerFilters, lang) => [
      of.kind && say(sellerKinds[of.kind], lang),
      of.status && say(sellerStates[of.status], lang),
      of.level_no !== undefined && say(levels[of.level_no]!, lang),
      of.idle && say(['30 天无成交', 'No sales in 30 days'], lang),
      of.refunding && say(['高退款率', 'High refund rate'], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(sellerKinds[row.kind], lang),
      level: say(levels[row.level_no]!, lang),
      status: say(sellerStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

/** Moves that were ordered for 00:00 take effect, and whoever waits to quit does when it can. */
defineTimer('distribution.sellers', '*/5 * * * *', async ({ database, now }) => {
  const moved = await applyPeriods(database.db, now)
  return moved + (await endQuitting(database.db, now)) > 0 ? ['distributor', 'dist_group'] : []
})

export const sellersServer = implement(contract, handlers)
