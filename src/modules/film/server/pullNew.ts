import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { film, film_cinema } from '#src/areas/film/film.table.ts'
import {
  campaigns,
  columnsOf,
  heldFor,
  pullFields,
  refuseOverlap,
  refuseOwn,
  refuseTerms,
  type Campaign,
  type PullFields,
} from '#src/areas/filmPull/campaigns.server.ts'
import {
  film_pull_activity as a,
  film_pull_promoter,
  film_pull_record,
} from '#src/areas/filmPull/pull.table.ts'
import { pullStates, type PullState } from '#src/areas/filmPull/pull.ts'
import { budgetOf } from '#src/areas/filmPull/pullRules.ts'
import { turnCampaigns } from '#src/areas/filmPull/rewards.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { drawCodes } from '#src/areas/secret/secrets.server.ts'
import { joinedNames, say } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, holding, listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { pullCampaigns as contract } from '../contract/pullNew.ts'

type Filters = { keyword?: string; status?: PullState; city_id?: number; mid?: number }
type Named = Map<number, string>
const CODE = { alphabet: 'mixed', length: 10, prefix: 'FP' } as const
const namesIn = async (
  db: Db,
  of: { table: typeof mall | typeof city | typeof film | typeof film_cinema; ids: number[] },
): Promise<Named> => {
  if (of.ids.length === 0) return new Map()
  const name = of.table === city ? city.city_name : (of.table as typeof mall).name
  const rows = await db
    .select({ id: of.table.id, name })
    .from(of.table)
    .where(inArray(of.table.id, [...new Set(of.ids)]))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** What campaigns cost so far: subsidies of what stays sold, and rewards that are due or paid. */
const spentOf = async (db: Db, ids: readonly number[]): Promise<Map<number, number>> => {
  const { rows } = await db.execute<{ id: number; cents: number }>(sql`
    select a.id, (coalesce((select sum(f.subsidy_cents) from film_order f join "order" o on o.id = f.order_id where f.pull_activity_id = a.id and o.pay_state = 'paid' and o.refund_state <> 'refunded'), 0)
      + coalesce((select sum(r.reward_cents) from film_pull_record r where r.activity_id = a.id and r.status in ('valid', 'rewarded')), 0))::float8 cents
    from film_pull_activity a where a.id = any(${sql.param([...ids])}::int[])`)
  return new Map(rows.map(row => [row.id, row.cents]))
}
const promotersOf = async (db: Db, ids: readonly number[]) => {
  const p = film_pull_promoter
  const rows = await db
    .select({
      id: p.activity_id,
      n: sql<number>`count(*)::int`,
      codes: sql<number>`count(${p.code})::int`,
    })
    .from(p)
    .where(inArray(p.activity_id, [...ids]))
    .groupBy(p.activity_id)
  return new Map(rows.map(row => [row.id, row]))
}
const peopleOf = async (db: Db, rows: readonly Campaign[]): Promise<Named> => {
  const ids = [...new Set(rows.flatMap(row => [row.maker_id, row.checker_id ?? row.maker_id]))]
  const found = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, ids))
  return new Map(found.map(one => [one.id, one.name]))
}
const shown = async (db: Db, rows: Campaign[]) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const all = (key: 'city_ids' | 'mall_ids' | 'film_ids' | 'cinema_ids') =>
    rows.flatMap(row => row[key])
  const [cities, malls, films, cinemas] = [
    await namesIn(db, { table: city, ids: all('city_ids') }),
    await namesIn(db, { table: mall, ids: all('mall_ids') }),
    await namesIn(db, { table: film, ids: all('film_ids') }),
    await namesIn(db, { table: film_cinema, ids: all('cinema_ids') }),
  ]
  const [spent, promoters, people] = [
    await spentOf(db, ids),
    await promotersOf(db, ids),
    await peopleOf(db, rows),
  ]
  const named = (of: readonly number[], names: Named) =>
    of.map(id => ({ id, name: names.get(id) ?? `#${id}` }))
  return rows.map(row => {
    const spent_cents = spent.get(row.id) ?? 0
    return {
      ...row,
      cities: named(row.city_ids, cities),
      malls: named(row.mall_ids, malls),
      films: named(row.film_ids, films),
      cinemas: named(row.cinema_ids, cinemas),
      left: row.quota - row.locked_count - row.used_count,
      spent_cents,
      cost_per_new_cents: row.used_count === 0 ? null : Math.round(spent_cents / row.used_count),
      promoters: promoters.get(row.id)?.n ?? 0,
      codes: promoters.get(row.id)?.codes ?? 0,
      maker: people.get(row.maker_id) ?? '',
      checker: people.get(row.checker_id ?? 0) ?? '',
    }
  })
}
/** Campaigns of a mall; 0: of none. */
const atMall = (mid: number | undefined) => {
  if (mid === undefined) return undefined
  return mid === 0 ? sql`${a.mall_ids} = '[]'::jsonb` : sql`${a.mall_ids} @> ${`[${mid}]`}::jsonb`
}
const list = listing(campaigns, {
  by: a.id,
  down: true,
  where: ({ keyword, city_id, mid, ...same }: Filters) =>
    and(
      holding(keyword, [a.name], a.id),
      equal(a, same),
      city_id === undefined ? undefined : sql`${a.city_ids} @> ${`[${city_id}]`}::jsonb`,
      atMall(mid),
    ),
  shown,
})
/** Turns a campaign to another state, from one in which that may be done. */
const turned = async (
  context: WriteContext,
  was: Campaign,
  set: Partial<Campaign> & { status: PullState },
  reason?: string,
) => campaigns.save(context, was, { reason: '', ...set }, reason)
const fieldsOf = (row: Campaign): PullFields =>
  Object.fromEntries(pullFields.map(key => [key, row[key]])) as PullFields

const handlers = {
  lst: async (input, context) => {
    const { db, staff, now } = context
    const { page: _, pageSize: __, status: ___, ...others } = input
    const stat = await db
      .select({ status: a.status, n: sql<number>`count(*)::int` })
      .from(a)
      .where(list.where(others as never, { staff, now }))
      .groupBy(a.status)
    return {
      ...(await list.page(input as never, context)),
      stat: Object.fromEntries(stat.map(one => [one.status, one.n])),
    }
  },
  promoters: async ({ id }, { db, staff }) => {
    await campaigns.read(db, staff, id)
    const p = film_pull_promoter
    const r = film_pull_record
    const rows = await db
      .select({
        id: distributor.id,
        name: distributor.name,
        code: sql<string>`coalesce(${p.code}, '')`,
        banned: sql<boolean>`${p.banned_at} is not null`,
        scans: sql<number>`count(${r.id})::int`,
        bought: sql<number>`count(${r.ticketed_at})::int`,
      })
      .from(p)
      .innerJoin(distributor, eq(distributor.id, p.distributor_id))
      .leftJoin(r, and(eq(r.activity_id, p.activity_id), eq(r.distributor_id, p.distributor_id)))
      .where(
        and(
          eq(p.activity_id, id),
          within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
        ),
      )
      .groupBy(distributor.id, p.id)
      .orderBy(asc(p.id))
      .limit(500)
    return { list: rows }
  },
  films: async ({ page, pageSize, keyword }, { db }) => {
    const where = holding(keyword, [film.name], film.id)
    const rows = await db
      .select({ id: film.id, name: film.name })
      .from(film)
      .where(where)
      .orderBy(asc(film.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, film, where)) }
  },
  cinemas: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: film_cinema.city_id, mall: film_cinema.mall_id }),
      holding(keyword, [film_cinema.name, film_cinema.no], film_cinema.id),
    )
    const rows = await db
      .select({ id: film_cinema.id, name: film_cinema.name })
      .from(film_cinema)
      .where(where)
      .orderBy(asc(film_cinema.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, film_cinema, where)) }
  },
  sellers: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
      eq(distributor.status, 'active'),
      holding(keyword, [distributor.name], distributor.id),
    )
    const rows = await db
      .select({ id: distributor.id, name: distributor.name })
      .from(distributor)
      .where(where)
      .orderBy(asc(distributor.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, distributor, where)) }
  },
  create: async (fields, context) =>
    campaigns.add(context, {
      ...(await columnsOf(context, fields)),
      maker_id: context.staff.id,
      status: 'draft',
    }),
  edit: async ({ id, version, ...fields }, context) => {
    const was = await heldFor(context, 'edit', { id, version })
    const columns = await columnsOf(context, fields)
    refuseTerms(was, columns)
    const promised = was.status === 'running' || was.status === 'paused'
    if (promised) {
      await refuseOverlap(context.tx, { ...columns, id })
      return campaigns.save(context, was, columns)
    }
    // Terms that were approved are approved anew; whoever wrote them last asks for it.
    const asks = { status: 'draft' as const, maker_id: context.staff.id, checker_id: null }
    return campaigns.save(context, was, { ...columns, ...asks })
  },
  copy: async ({ name, start_at, end_at, ...one }, context) => {
    const was = await heldFor(context, 'copy', one)
    const columns = await columnsOf(context, { ...fieldsOf(was), name, start_at, end_at })
    return campaigns.add(context, { ...columns, maker_id: context.staff.id, status: 'draft' })
  },
  submit: async (one, context) => {
    const was = await heldFor(context, 'submit', one)
    if (was.end_at <= context.now)
      throw ruled('over', ['结束时间已过，请先修改', 'Its end is past: change it first'])
    await refuseOverlap(context.tx, was)
    return turned(context, was, { status: 'auditing' })
  },
  approve: async (one, context) => {
    const was = await heldFor(context, 'approve', one)
    refuseOwn(context, was)
    await refuseOverlap(context.tx, was)
    return turned(context, was, { status: 'waiting', checker_id: context.staff.id })
  },
  reject: async ({ reason, ...one }, context) => {
    const was = await heldFor(context, 'reject', one)
    refuseOwn(context, was)
    return turned(context, was, { status: 'rejected', reason }, reason)
  },
  start: async (one, context) => {
    const was = await heldFor(context, 'start', one)
    const { now } = context
    if (was.end_at <= now)
      throw ruled('over', ['结束时间已过，不能开始', 'Its end is past: it can’t be started'])
    const start_at = Math.min(was.start_at, now)
    return turned(context, was, { status: 'running', start_at, started_at: now })
  },
  pause: async ({ reason, ...one }, context) =>
    turned(context, await heldFor(context, 'pause', one), { status: 'paused', reason }, reason),
  end: async ({ reason, ...one }, context) =>
    turned(
      context,
      await heldFor(context, 'end', one),
      { status: 'ended', ended_at: context.now, reason },
      reason,
    ),
  addQuota: async ({ quantity, reason, ...one }, context) => {
    const was = await heldFor(context, 'addQuota', one)
    refuseOwn(context, was)
    const quota = was.quota + quantity
    const budget_cents = budgetOf({ ...was, quota })
    return campaigns.save(context, was, { quota, budget_cents }, reason)
  },
  addPromoters: async ({ distributor_ids, ...one }, context) => {
    const was = await heldFor(context, 'addPromoters', one)
    const { tx, staff, now } = context
    const able = await tx
      .select({ id: distributor.id })
      .from(distributor)
      .where(
        and(
          inArray(distributor.id, [...distributor_ids]),
          eq(distributor.status, 'active'),
          within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
        ),
      )
    const gone = distributor_ids.filter(id => !able.some(one => one.id === id))
    if (gone.length > 0)
      throw ruled(
        'not_active',
        ['分销员 {ids} 不存在或已冻结、清退', 'Sellers {ids} are not there, frozen or gone'],
        { ids: joinedNames(gone.slice(0, 5)) },
      )
    const added = await tx
      .insert(film_pull_promoter)
      .values(
        distributor_ids.map(distributor_id => ({
          activity_id: was.id,
          distributor_id,
          created_at: now,
          updated_at: now,
        })),
      )
      .onConflictDoNothing()
      .returning({ id: film_pull_promoter.id })
    const after = await campaigns.set(context, was, { updated_at: now })
    campaigns.log(context, after, { before: null, after: { promoters: added.length } })
    return { id: after.id, version: after.version, added: added.length }
  },
  genCodes: async (one, context) => {
    const was = await heldFor(context, 'genCodes', one)
    const { tx, now } = context
    const without = await tx
      .select({ id: film_pull_promoter.id })
      .from(film_pull_promoter)
      .where(and(eq(film_pull_promoter.activity_id, was.id), isNull(film_pull_promoter.code)))
      .orderBy(asc(film_pull_promoter.id))
    if (without.length === 0)
      throw ruled('no_promoter', [
        '没有待生成推广码的推广人，请先添加',
        'Nobody waits for a code: add promoters first',
      ])
    const codes = drawCodes(CODE, without.length)
    for (const [at, { id }] of without.entries())
      await tx
        .update(film_pull_promoter)
        .set({ code: codes[at]!, updated_at: now })
        .where(eq(film_pull_promoter.id, id))
    const after = await campaigns.set(context, was, { updated_at: now })
    campaigns.log(context, after, { before: null, after: { codes: without.length } })
    return { id: after.id, version: after.version, made: without.length }
  },
  export: async ({ format, columns, ids, ...filters }, context) => {
    const asked = { ...filters, ids }
    const rows = await codesOf(context.tx, asked, context)
    return startExport(context, {
      page: 'film.pullNew',
      filters: asked,
      filters_text: filters.status ? say(pullStates[filters.status], context.staff.lang) : '',
      rows_expected: rows.length,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

type FileAsked = Filters & { ids?: readonly number[] | undefined }
/** The promoters of the campaigns that are meant, with their codes. */
const codesOf = (db: Db, { ids, ...filters }: FileAsked, of: Pick<WriteContext, 'staff' | 'now'>) =>
  db
    .select({
      campaign: a.name,
      status: a.status,
      promoter: distributor.name,
      code: sql<string>`coalesce(${film_pull_promoter.code}, '')`,
    })
    .from(film_pull_promoter)
    .innerJoin(a, eq(a.id, film_pull_promoter.activity_id))
    .innerJoin(distributor, eq(distributor.id, film_pull_promoter.distributor_id))
    .where(
      and(
        list.where(filters as never, of),
        ids === undefined ? undefined : inArray(a.id, [...ids]),
        within(of.staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
      ),
    )
    .orderBy(asc(a.id), asc(film_pull_promoter.id))
defineExport('film.pullNew', {
  title: ['影票推广码', 'Codes of film campaigns'],
  permit: contract.export.permit,
  columns: [
    { key: 'campaign', title: ['活动', 'Campaign'] },
    { key: 'status', title: ['状态', 'State'] },
    { key: 'promoter', title: ['推广人', 'Promoter'] },
    { key: 'code', title: ['推广码', 'Code'] },
  ],
  rows: async ({ db, staff, filters, after, now }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    const rows = await codesOf(db, filters as FileAsked, { staff, now })
    return {
      rows: rows.map(row => ({ ...row, status: say(pullStates[row.status], staff.lang) })),
      next: undefined,
    }
  },
})
defineTimer('film.campaigns', '* * * * *', async ({ database, now }) =>
  (await database.transaction(tx => turnCampaigns(tx, now))) > 0 ? ['film_pull_activity'] : [],
)

export const filmPullServer = implement(contract, handlers)
