import { and, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { needItsPlaces } from '#src/areas/filmPull/campaigns.server.ts'
import {
  film_pull_activity,
  film_pull_promoter,
  film_pull_record as r,
} from '#src/areas/filmPull/pull.table.ts'
import { pullFlags, pullRecordStates, type PullRecordState } from '#src/areas/filmPull/pull.ts'
import { stillSold } from '#src/areas/filmPull/pulls.server.ts'
import { pullStat, type PullStatAsked } from '#src/areas/filmPull/pullStat.server.ts'
import { addPulls, PULL_STAT_DAYS, pullRates, type PullSums } from '#src/areas/filmPull/pullStat.ts'
import { settleRewards, voidRecord } from '#src/areas/filmPull/rewards.server.ts'
import { wholeDays } from '#src/areas/filmStat/filmStat.ts'
import { spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { paged } from '#src/server/call/tree.ts'
import { pullStats as contract } from '../contract/pullNewStat.ts'

type PullRecord = typeof r.$inferSelect
type Narrowed = {
  activity_id?: number | undefined
  distributor_id?: number | undefined
  city_id?: number | undefined
  mid?: number | undefined
  from?: number | undefined
  to?: number | undefined
}
type Filters = Narrowed & { status?: PullRecordState; flagged?: boolean }
const USUAL_DAYS = 90
/** Whole days, 90 of them unless said otherwise; throws 422 for more than thirteen months. */
const spanned = ({ from, to }: Narrowed, now: number) => {
  const span =
    from === undefined && to === undefined
      ? spanOf({}, USUAL_DAYS - 1, now)
      : spanOf({ from, to }, PULL_STAT_DAYS, now)
  if (!span) throw tooLong(PULL_STAT_DAYS)
  return wholeDays(span)
}
const records = record(r, {
  object: 'film_pull_record',
  label: row => `#${row.id}`,
  keys: ['status', 'reason'],
  places: { city: r.city_id, mall: r.mall_id },
})
const besides = async (db: Db, rows: readonly PullRecord[]) => {
  const ids = rows.map(row => row.id)
  const found = await db
    .select({
      id: r.id,
      campaign: film_pull_activity.name,
      promoter: distributor.name,
      banned: sql<boolean>`${film_pull_promoter.banned_at} is not null`,
      member_name: sql<string>`coalesce(${member.nickname}, '')`,
      mall_name: sql<string>`coalesce(${mall.name}, '')`,
      order_no: sql<string>`coalesce(${order.order_no}, '')`,
    })
    .from(r)
    .innerJoin(film_pull_activity, eq(film_pull_activity.id, r.activity_id))
    .innerJoin(distributor, eq(distributor.id, r.distributor_id))
    .leftJoin(
      film_pull_promoter,
      and(
        eq(film_pull_promoter.activity_id, r.activity_id),
        eq(film_pull_promoter.distributor_id, r.distributor_id),
      ),
    )
    .leftJoin(member, eq(member.id, r.member_id))
    .leftJoin(mall, eq(mall.id, r.mall_id))
    .leftJoin(order, eq(order.id, r.order_id))
    .where(inArray(r.id, ids))
  return new Map(found.map(one => [one.id, one]))
}
const list = listing(records, {
  by: r.id,
  down: true,
  where: ({ from, to, mid, flagged, ...same }: Filters, { now }) => {
    const span = spanned({ from, to }, now)
    return and(
      gte(r.scan_at, span.from),
      lt(r.scan_at, span.to),
      equal(r, same),
      mid === undefined ? undefined : eq(r.mall_id, mid),
      flagged ? sql`${r.flags} <> '[]'::jsonb` : undefined,
    )
  },
  shown: async (db, rows) => {
    if (rows.length === 0) return []
    const more = await besides(db, rows)
    return rows.map(row => ({ ...more.get(row.id)!, ...row, view: 'records' as const }))
  },
})
const shown = <S extends PullSums>(of: S) => ({ ...of, ...pullRates(of) })
/** Marks a record as void, as the person sees it. */
const voiding = async (context: WriteContext, was: PullRecord, reason: string): Promise<void> => {
  if (was.status === 'void')
    throw ruled('void', ['该记录已作废', 'It is void already'], {}, { current: { status: 'void' } })
  records.log(context, was, {
    before: { status: was.status },
    after: { status: 'void' },
    reason,
  })
  await voidRecord(context.tx, was, { reason, admin_id: context.staff.id, now: context.now })
}
/** Refuses to restore what the rules would not count today. */
const refuseRestore = async ({ tx }: WriteContext, was: PullRecord): Promise<void> => {
  if (was.status !== 'void') throw ruled('not_void', ['该记录未作废', 'It is not void'])
  if (!(await stillSold(tx, was)))
    throw ruled('refunded', ['首票已退款，不能恢复', 'Its first ticket was given back'])
  const [promoter] = await tx
    .select({ banned_at: film_pull_promoter.banned_at })
    .from(film_pull_promoter)
    .where(
      and(
        eq(film_pull_promoter.activity_id, was.activity_id),
        eq(film_pull_promoter.distributor_id, was.distributor_id),
      ),
    )
  if (promoter?.banned_at != null)
    throw ruled('banned', ['推广人已停用，不能恢复', 'Its promoter is banned'])
}

const handlers = {
  lst: async ({ page, pageSize, by, from, to, ...same }, { db, staff, now }) => {
    const asked: PullStatAsked = { by, ...spanned({ from, to }, now), ...same }
    const rows = await pullStat(db, asked, staff)
    return {
      ...paged(
        rows.map(row => ({
          ...shown(row),
          // A mall outside malls has the key 0, and a row needs an id.
          id: row.key + 1,
          view: 'stat' as const,
          by,
          from: asked.from,
          to: asked.to,
          asked: same,
        })),
        { page, pageSize },
      ),
      sums: shown(addPulls(rows)),
      from: asked.from,
      to: asked.to,
    }
  },
  records: async (input, context) => {
    const { db, staff, now } = context
    const { page: _, pageSize: __, status: ___, ...others } = input
    const stat = await db
      .select({ status: r.status, n: sql<number>`count(*)::int` })
      .from(r)
      .where(list.where(others as never, { staff, now }))
      .groupBy(r.status)
    return {
      ...(await list.page(input as never, context)),
      stat: Object.fromEntries(stat.map(one => [one.status, one.n])),
    }
  },
  settleReward: async ({ activity_id, from, to }, context) => {
    const { tx, staff, now } = context
    const [activity] = await tx
      .select()
      .from(film_pull_activity)
      .where(eq(film_pull_activity.id, activity_id))
    if (!activity) throw missing()
    await needItsPlaces(tx, staff, activity)
    const period = { activity_id, ...wholeDays({ from, to }) }
    context.log({
      object_type: 'film_pull_activity',
      object_id: activity_id,
      object_label: activity.name,
      before: null,
      after: { settled_from: period.from, settled_to: period.to - 1 },
    })
    return settleRewards(tx, period, { staff, now })
  },
  void: async ({ reason, ...one }, context) => {
    const was = await records.heldFast(context, one)
    await voiding(context, was, reason)
    return { id: was.id, version: was.version + 1 }
  },
  restore: async ({ reason, ...one }, context) => {
    const was = await records.heldFast(context, one)
    await refuseRestore(context, was)
    // What was paid for it was taken back: it is due again.
    const status = was.before_void === 'rewarded' ? 'valid' : (was.before_void ?? 'scanned')
    const set = { status, before_void: null, void_by: null, commission_id: null, rewarded_at: null }
    return records.save(context, was, { ...set, reason: '' }, reason)
  },
  batchVoid: async ({ ids, reason }, context) =>
    eachRow(context, ids, async (inner, id) =>
      voiding(inner, await records.lock(inner, id), reason),
    ),
  banPromoter: async ({ reason, ...one }, context) => {
    const was = await records.heldFast(context, one)
    const { tx, staff, now } = context
    const banned = await tx
      .update(film_pull_promoter)
      .set({ banned_at: now, banned_by: staff.id, ban_reason: reason, updated_at: now })
      .where(
        and(
          eq(film_pull_promoter.activity_id, was.activity_id),
          eq(film_pull_promoter.distributor_id, was.distributor_id),
          isNull(film_pull_promoter.banned_at),
        ),
      )
      .returning()
    if (banned.length === 0)
      throw ruled('banned', ['该推广人已停用', 'The promoter is banned already'])
    records.log(context, was, {
      before: { banned: false, distributor_id: was.distributor_id },
      after: { banned: true, distributor_id: was.distributor_id },
      reason,
    })
    return { id: was.id, version: was.version }
  },
  export: exporting(list, {
    page: 'film.pullNewStat',
    title: contract.records.title,
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'campaign', title: ['活动', 'Campaign'] },
      { key: 'promoter', title: ['推广人', 'Promoter'] },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'flags', title: ['可疑标记', 'Marks'] },
      { key: 'scan_at', title: ['扫码时间', 'Scanned'], kind: 'time' },
      { key: 'register_at', title: ['注册时间', 'Registered'], kind: 'time' },
      { key: 'ticketed_at', title: ['购票时间', 'Bought'], kind: 'time' },
      { key: 'valid_at', title: ['有效时间', 'Valid'], kind: 'time' },
      { key: 'second_paid_at', title: ['复购时间', 'Second'], kind: 'time' },
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'reward_cents', title: ['奖励', 'Reward'], kind: 'money' },
      { key: 'reason', title: ['原因', 'Why'] },
    ],
    words: ({ status }, lang) => [status && say(pullRecordStates[status], lang)],
    cells: (row, { lang }) => ({
      ...row,
      status: say(pullRecordStates[row.status], lang),
      flags: row.flags.map(flag => say(pullFlags[flag], lang)).join(say(comma, lang)),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const pullStatServer = implement(contract, handlers)
