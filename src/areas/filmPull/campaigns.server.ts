import { and, inArray, ne, sql } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import { needAllCities, needPlace } from '#src/areas/place/places.server.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { faultless, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { film_pull_activity as a } from './pull.table.ts'
import type { PullState } from './pull.ts'
import { budgetOf, pullCan, type PullVerb } from './pullRules.ts'

export type Campaign = typeof a.$inferSelect
/** What is written in the form of a campaign. */
export type PullFields = Pick<
  Campaign,
  | 'name'
  | 'city_ids'
  | 'mall_ids'
  | 'film_ids'
  | 'cinema_ids'
  | 'price_cents'
  | 'subsidy_cents'
  | 'reward_cents'
  | 'quota'
  | 'quota_day'
  | 'start_at'
  | 'end_at'
>
export const pullFields = [
  'name',
  'city_ids',
  'mall_ids',
  'film_ids',
  'cinema_ids',
  'price_cents',
  'subsidy_cents',
  'reward_cents',
  'quota',
  'quota_day',
  'start_at',
  'end_at',
] as const satisfies readonly (keyof PullFields)[]
/** What is for everywhere is everybody's to read. */
export const campaigns = record(a, {
  object: 'film_pull_activity',
  label: row => row.name,
  keys: [...pullFields, 'budget_cents', 'status', 'reason'],
  places: ({ scope }) =>
    seesAll(scope)
      ? undefined
      : sql`(${a.city_ids} = '[]'::jsonb or array(select jsonb_array_elements_text(${a.city_ids})::int) && ${sql.param(`{${[...scope.cities, 0].join()}}`)}::int[])`,
})
/** Malls stand in cities: those of a campaign's malls are kept with it. */
const placesOf = async (
  db: Db,
  of: Pick<PullFields, 'city_ids' | 'mall_ids'>,
): Promise<number[]> => {
  if (of.mall_ids.length === 0) return [...new Set(of.city_ids)].sort((x, y) => x - y)
  const rows = await db
    .selectDistinct({ city_id: mall.city_id })
    .from(mall)
    .where(inArray(mall.id, [...of.mall_ids]))
    .orderBy(mall.city_id)
  return rows.map(row => row.city_id)
}
/** Refuses a campaign in places that are not the person's to change. */
export const needItsPlaces = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  of: Pick<PullFields, 'city_ids' | 'mall_ids'>,
): Promise<void> => {
  if (of.city_ids.length === 0 && of.mall_ids.length === 0) return needAllCities(staff)
  const malls =
    of.mall_ids.length === 0
      ? []
      : await db
          .select()
          .from(mall)
          .where(inArray(mall.id, [...of.mall_ids]))
  if (malls.length < new Set(of.mall_ids).size) throw missing()
  for (const one of malls) needPlace(staff, { city_id: one.city_id, mall_id: one.id })
  if (malls.length === 0)
    for (const city_id of of.city_ids) needPlace(staff, { city_id, mall_id: null })
}
/** The campaign as the person holds it, in a state and a place where they may do that. */
export const heldFor = async (
  context: WriteContext,
  verb: PullVerb | 'copy',
  one: { id: number; version: number },
): Promise<Campaign> => {
  const was = await campaigns.heldFast(context, one)
  await needItsPlaces(context.tx, context.staff, was)
  const may = verb === 'copy' ? true : pullCan(verb, was)
  if (may !== true) throw ruled('wrong_state', may, {}, { current: { status: was.status } })
  return was
}
/** Whoever wrote a campaign never decides it. */
export const refuseOwn = (context: WriteContext, was: Campaign): void => {
  if (was.maker_id !== context.staff.id) return
  throw ruled('own_campaign', [
    '活动由你创建，须由另一人审核',
    'You made the campaign: another person decides it',
  ])
}
/** Places are compared as sets: malls where both name some, else cities; none is everywhere. */
const meets = (one: PullFields, other: PullFields): boolean => {
  const share = (x: readonly number[], y: readonly number[]) => x.some(id => y.includes(id))
  if (one.mall_ids.length > 0 && other.mall_ids.length > 0)
    return share(one.mall_ids, other.mall_ids)
  return (
    one.city_ids.length === 0 || other.city_ids.length === 0 || share(one.city_ids, other.city_ids)
  )
}
const live: readonly PullState[] = ['auditing', 'waiting', 'running', 'paused']
/** Refuses a second campaign of the same place and time. Campaigns are held one after the other. */
export const refuseOverlap = async (tx: Db, of: PullFields & { id?: number }): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('film_pull_activity'))`)
  const others = await tx
    .select()
    .from(a)
    .where(
      and(
        inArray(a.status, [...live]),
        sql`${a.start_at} < ${of.end_at} and ${a.end_at} > ${of.start_at}`,
        of.id === undefined ? undefined : ne(a.id, of.id),
      ),
    )
  const clash = others.find(one => meets(one, of))
  if (clash)
    throw ruled(
      'overlaps',
      [
        '与活动“{name}”的时间和范围重叠，请调整时间或商场',
        'It overlaps “{name}” in time and place: change its time or malls',
      ],
      { name: clash.name },
    )
}
/** Faults of what was written, each at its field. */
const pullFaults = (
  of: PullFields,
  now: number,
): Partial<Record<keyof PullFields, Text | undefined>> => ({
  end_at:
    of.end_at <= of.start_at || of.end_at <= now
      ? ['结束时间须晚于开始时间和现在', 'It ends after it starts, and in the future']
      : undefined,
  quota_day:
    of.quota_day > of.quota
      ? ['每日名额不能超过总名额', 'A day has no more places than the campaign']
      : undefined,
})
/** What is kept of what was sent: sorted, with the cities of its malls and its budget. */
export const columnsOf = async ({ tx, staff, now }: WriteContext, sent: PullFields) => {
  const sorted = (ids: readonly number[]) => [...new Set(ids)].sort((x, y) => x - y)
  const fields = {
    ...sent,
    mall_ids: sorted(sent.mall_ids),
    film_ids: sorted(sent.film_ids),
    cinema_ids: sorted(sent.cinema_ids),
    city_ids: await placesOf(tx, sent),
  }
  faultless(staff, pullFaults(fields, now) as Record<string, Text | undefined>)
  await needItsPlaces(tx, staff, fields)
  return { ...fields, budget_cents: budgetOf(fields) }
}
/** A running campaign may only get more places or a later end; its terms were promised. */
export const refuseTerms = (was: Campaign, next: PullFields): void => {
  const isPromised = was.status === 'running' || was.status === 'paused'
  if (!isPromised) return
  const may: readonly (keyof PullFields)[] = ['name', 'quota', 'quota_day', 'end_at']
  const same = pullFields
    .filter(key => !may.includes(key))
    .every(key => JSON.stringify(was[key]) === JSON.stringify(next[key]))
  const grows = next.quota >= was.quota && next.end_at >= was.end_at
  if (!same || !grows)
    throw ruled('promised', [
      '进行中的活动只能追加名额或延后结束时间',
      'A running campaign only gets more places or a later end',
    ])
}
