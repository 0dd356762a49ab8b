import { and, asc, desc, eq, gt, ilike, inArray, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import {
  activities,
  announcing,
  editedFields,
  endOver,
  hasProblem,
  heldFor,
  refuseCrowd,
  refuseOverlap,
  shownAt,
  type Activity,
  type ActivityStore,
} from '#src/areas/storeActivity/activities.server.ts'
import { store_activity } from '#src/areas/storeActivity/activity.table.ts'
import {
  activityFaults,
  activityKinds,
  activityProblems,
  activityProblemsOf,
  activityStates,
  fieldsOfKind,
  spanFault,
  weekendEnd,
  type ActivityFields,
  type ActivityKind,
  type ActivityState,
} from '#src/areas/storeActivity/activity.ts'
import type { Sent } from '#src/contract/call.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  equal,
  exporting,
  faultless,
  holding,
  listing,
  reverting,
} from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { inputOf, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { shopActivity as contract } from '../contract/activity.ts'

type Filters = {
  keyword?: string
  status?: ActivityState
  kind?: ActivityKind
  city_id?: number
  mid?: number
  ending?: boolean
  topped?: boolean
  problem?: boolean
}
const ofStore = (keyword: string): SQL =>
  sql`${store_activity.store_id} in (select s.id from ${store} s where s.name ilike ${like(keyword)})`
const list = listing(activities, {
  by: store_activity.id,
  down: true,
  where: ({ keyword, mid, ending, topped, problem, ...same }: Filters, { now }) =>
    and(
      equal(store_activity, { ...same, mall_id: mid }),
      keyword
        ? or(holding(keyword, [store_activity.title], store_activity.id), ofStore(keyword))
        : undefined,
      ending
        ? and(eq(store_activity.status, 'online'), lte(store_activity.end_at, weekendEnd(now)))
        : undefined,
      topped ? sql`is_top` : undefined,
      problem ? hasProblem : undefined,
    ),
  shown: async (db, rows, { now }) => {
    const beside = await besideOf(
      db,
      rows.map(row => row.id),
      now,
    )
    return rows.map(row => {
      const told = beside.get(row.id)!
      const problems = activityProblemsOf({ ...row, store_status: told.store_status })
      return { ...row, mid: row.mall_id, ...told, problems }
    })
  },
})
/** What stands beside activities: their stores and places, and whether the app shows them. */
const besideOf = async (db: Db, ids: readonly number[], now: number) => {
  const rows = await db
    .select({
      id: store_activity.id,
      store_name: store.name,
      store_status: store.status,
      city_name: city.city_name,
      mall_name: sql<string>`coalesce(${mall.name}, '')`,
      is_shown: sql<boolean>`${shownAt(now)}`,
    })
    .from(store_activity)
    .innerJoin(store, eq(store.id, store_activity.store_id))
    .innerJoin(city, eq(city.id, store_activity.city_id))
    .leftJoin(mall, eq(mall.id, store_activity.mall_id))
    .where(inArray(store_activity.id, [...ids]))
  return new Map(rows.map(row => [row.id, row]))
}
const statOf = async (db: Db, where: SQL | undefined): Promise<Record<string, number>> => {
  const rows = await db
    .select({ status: store_activity.status, n: sql<number>`count(*)::int` })
    .from(store_activity)
    .where(where)
    .groupBy(store_activity.status)
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

type Sending = Sent<typeof contract.create>
/** The fields as they are kept: of a kind without a number there is none. */
const fieldsOf = (of: Omit<Sending, 'store_id'>): ActivityFields & { weekdays: number[] } => {
  const { weekdays, ...fields } = fieldsOfKind({
    ...of,
    image: of.image ?? '',
    threshold_cents: of.threshold_cents ?? null,
    reduce_cents: of.reduce_cents ?? null,
    discount_x10: of.discount_x10 ?? null,
    weekdays: of.weekdays ?? [],
  })
  return { ...fields, weekdays: [...weekdays] }
}
/** An activity as its form would send it. */
const asSent = inputOf<Sent<typeof contract.edit>>(
  Object.fromEntries(editedFields.map(field => [field, field])),
)
const inAudit = { status: 'auditing', reason: '', is_top: false } as const
/** Makes an activity of a store, which goes to an audit. */
const announce = async (
  context: WriteContext,
  of: ActivityStore,
  fields: ReturnType<typeof fieldsOf>,
) => {
  faultless(context.staff, activityFaults(fields, context.now))
  await refuseOverlap(context.tx, { store_id: of.id, ...fields })
  const { id: store_id, city_id, mall_id } = of
  return activities.add(context, { store_id, city_id, mall_id, ...fields, ...inAudit })
}
/** Refuses to show what is over, overlaps another one or is of a store that is not in trade. */
const mayShow = async (context: WriteContext, of: Activity): Promise<void> => {
  await announcing(context, of.store_id)
  const fault = spanFault(of, context.now)
  if (fault) throw ruled('over', fault)
  await refuseOverlap(context.tx, of, of.id)
}
const approveOne = async (context: WriteContext, one: { id: number; version?: number }) => {
  const was = await heldFor(context, 'approve', one)
  await mayShow(context, was)
  return activities.save(context, was, { status: 'online', reason: '' })
}
const takeOffline = async (
  context: WriteContext,
  one: { id: number; version?: number },
  reason: string,
) => {
  const was = await heldFor(context, 'offline', one)
  return activities.save(context, was, { status: 'offline', reason, is_top: false }, reason)
}

const handlers = {
  lst: async ({ page, pageSize, ...filters }, context) => {
    const { status: _, ...others } = filters
    const { city_id, mid } = filters
    const { db, staff, now } = context
    const until = weekendEnd(now)
    const silent = await db.$count(
      store,
      and(
        eq(store.kind, 'offline'),
        eq(store.status, 'open'),
        equal(store, { city_id, mall_id: mid }),
        within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        sql`not exists (select 1 from store_activity a where a.store_id = ${store.id} and a.status = 'online' and a.start_at < ${until} and a.end_at > ${now})`,
      ),
    )
    return {
      ...(await list.page({ page, pageSize, ...filters } as never, context)),
      stat: await statOf(db, list.where(others as Filters, context)),
      silent,
    }
  },
  stores: async ({ page, pageSize, keyword, but }, { db, staff }) => {
    const where = and(
      eq(store.kind, 'offline'),
      inArray(store.status, ['open', 'resting']),
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
      keyword ? or(ilike(store.name, like(keyword)), eq(store.store_no, keyword)) : undefined,
      but === undefined ? undefined : ne(store.id, but),
    )
    const rows = await db
      .select({
        id: store.id,
        name: store.name,
        place: sql<string>`coalesce(${mall.name}, ${city.city_name})`,
      })
      .from(store)
      .innerJoin(city, eq(city.id, store.city_id))
      .leftJoin(mall, eq(mall.id, store.mall_id))
      .where(where)
      .orderBy(asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, store, where)) }
  },
  create: async ({ store_id, ...fields }, context) =>
    announce(context, await announcing(context, store_id), fieldsOf(fields)),
  edit: async ({ id, version, ...sent }, context) => {
    const was = await heldFor(context, 'edit', { id, version })
    await announcing(context, was.store_id)
    const fields = fieldsOf(sent)
    const { image: _, ...told } = fields
    const wasApproved = was.status === 'online' || was.status === 'offline'
    const isSame = Object.entries(told).every(([key, value]) =>
      sameContent(was[key as keyof Activity], value),
    )
    if (wasApproved && isSame) return activities.save(context, was, { image: fields.image })
    faultless(context.staff, activityFaults(fields, context.now))
    await refuseOverlap(context.tx, { store_id: was.store_id, ...fields }, id)
    return activities.save(context, was, { ...fields, ...inAudit })
  },
  approve: async (one, context) => approveOne(context, one),
  reject: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'reject', one)
    return activities.save(context, was, { status: 'rejected', reason }, reason)
  },
  online: async (one, context) => {
    const was = await heldFor(context, 'online', one)
    await mayShow(context, was)
    return activities.save(context, was, { status: 'online', reason: '' })
  },
  offline: async ({ reason, ...one }, context) => takeOffline(context, one, reason),
  setTop: async (one, context) => {
    const was = await heldFor(context, 'top', one)
    if (was.is_top) throw ruled('already', ['已置顶', 'Already pinned'])
    await refuseCrowd(context.tx, was)
    return activities.save(context, was, { is_top: true })
  },
  unsetTop: async (one, context) => {
    const was = await activities.heldFast(context, one)
    if (!was.is_top) throw ruled('already', ['未置顶', 'Not pinned'])
    return activities.save(context, was, { is_top: false })
  },
  copyToStores: async ({ id, store_ids }, context) => {
    const of = await activities.read(context.tx, context.staff, id)
    const { id: _, version: __, ...fields } = asSent(of)
    const result = await eachRow(context, store_ids, async (inner, store_id) => {
      if (store_id === of.store_id) throw ruled('same_store', ['就是本门店', 'It is its own store'])
      await announce(inner, await announcing(inner, store_id), fieldsOf(fields))
    })
    const failed = result.failed.map(one => one.id)
    const names = await context.tx
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(inArray(store.id, failed))
    const nameOf = new Map(names.map(one => [one.id, one.name]))
    return {
      made: result.ok.length,
      failed: result.failed.map(one => ({ ...one, name: nameOf.get(one.id) ?? '' })),
    }
  },
  batchApprove: async ({ ids }, context) =>
    eachRow(context, ids, (inner, id) => approveOne(inner, { id })),
  batchOffline: async ({ ids, reason }, context) =>
    eachRow(context, ids, (inner, id) => takeOffline(inner, { id }, reason)),
  export: exporting(list, {
    page: 'shop.activity',
    title: ['门店活动', 'Store activities'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'title', title: ['标题', 'Title'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'content', title: ['活动说明', 'Description'] },
      { key: 'start_at', title: ['开始时间', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束时间', 'Until'], kind: 'time' },
      { key: 'is_top', title: ['置顶', 'Pinned'] },
      { key: 'view_count', title: ['浏览次数', 'Views'], kind: 'number' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'reason', title: ['原因', 'Why'] },
      { key: 'problems', title: ['问题', 'Problems'] },
    ],
    words: ({ status, kind, keyword, mid, ...on }, lang) => [
      status && say(activityStates[status], lang),
      kind && say(activityKinds[kind], lang),
      mid === 0 && say(['商场外', 'Outside malls'], lang),
      on.ending && say(['本周末前结束', 'Over before the week is'], lang),
      on.topped && say(['置顶', 'Pinned'], lang),
      on.problem && say(['有问题', 'Has problems'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(activityKinds[row.kind], lang),
      is_top: row.is_top ? say(['是', 'Yes'], lang) : '',
      status: say(activityStates[row.status], lang),
      problems: row.problems.map(key => say(activityProblems[key], lang)).join(say(comma, lang)),
    }),
  }),
  shown: async ({ store_id, mid }, { db, now }) => {
    if (store_id === undefined && mid === undefined)
      throw invalid({ store_id: ['请指定门店或商场', 'Name a store or a mall'] })
    const rows = await db
      .select({ row: store_activity, store_name: store.name })
      .from(store_activity)
      .innerJoin(store, eq(store.id, store_activity.store_id))
      .where(
        and(
          equal(store_activity, { store_id, mall_id: mid }),
          gt(store_activity.end_at, now),
          shownAt(now),
        ),
      )
      .orderBy(desc(store_activity.is_top), desc(store_activity.id))
      .limit(200)
    return { list: rows.map(({ row, store_name }) => ({ ...row, store_name })) }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(activities, [way(contract.edit, handlers.edit, editedFields, asSent)])
defineTimer(
  'shop.activityOver',
  '*/5 * * * *',
  async ({ database, now }) =>
    (await database.transaction(tx => endOver(tx, now))) > 0 ? ['store_activity'] : [],
  ['store'],
)

export const activityServer = implement(contract, handlers)
