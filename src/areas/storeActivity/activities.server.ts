import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { bannedWords } from '#src/areas/mall/recommend.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { weekdayOf } from '#src/domain/calendar.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { store_activity } from './activity.table.ts'
import { activityCan, overlaps, TOPPED_MOST, type ActivityVerb } from './activity.ts'

export type Activity = typeof store_activity.$inferSelect
export type ActivityStore = Pick<
  typeof store.$inferSelect,
  'id' | 'name' | 'status' | 'city_id' | 'mall_id'
>
/** What an edit may change. */
export const editedFields = [
  'kind',
  'title',
  'content',
  'image',
  'threshold_cents',
  'reduce_cents',
  'discount_x10',
  'start_at',
  'end_at',
  'weekdays',
] as const

export const activities = record(store_activity, {
  object: 'store_activity',
  label: row => row.title,
  keys: ['store_id', ...editedFields, 'is_top', 'status', 'reason'],
  places: { city: store_activity.city_id, mall: store_activity.mall_id },
})

/** The store that announces something, held: it neither closes nor announces anything else meanwhile. */
export const announcing = async (
  { tx, staff }: WriteContext,
  id: number,
): Promise<ActivityStore> => {
  const [of] = await tx
    .select({
      id: store.id,
      name: store.name,
      status: store.status,
      city_id: store.city_id,
      mall_id: store.mall_id,
    })
    .from(store)
    .where(
      and(
        eq(store.id, id),
        eq(store.kind, 'offline'),
        within(staff.scope, { city: store.city_id, mall: store.mall_id }),
      ),
    )
    .for('update')
  if (!of) throw missing()
  if (of.status !== 'open' && of.status !== 'resting')
    throw ruled(
      'store_not_open',
      ['“{name}”未开业或已关闭，不能发布活动', '“{name}” is not in trade'],
      { name: of.name },
    )
  return of
}
/**
 * An activity where its state allows the verb, held with its store; as the person read it where they
 * say a version.
 */
export const heldFor = async (
  context: WriteContext,
  verb: ActivityVerb,
  one: { id: number; version?: number },
): Promise<Activity> => {
  const { version } = one
  const known = await activities.read(context.tx, context.staff, one.id)
  await context.tx
    .select({ id: store.id })
    .from(store)
    .where(eq(store.id, known.store_id))
    .for('update')
  const was =
    version === undefined
      ? await activities.lock(context, one.id)
      : await activities.heldFast(context, { id: one.id, version })
  const may = activityCan(verb, was)
  if (may !== true) throw ruled('wrong_state', may, {}, { current: { status: was.status } })
  return was
}
type Holding = Pick<Activity, 'store_id' | 'kind' | 'start_at' | 'end_at' | 'weekdays'>
/** Refuses a second activity of one kind at the same time; its store is held. */
export const refuseOverlap = async (tx: Db, of: Holding, but?: number): Promise<void> => {
  const others = await tx
    .select()
    .from(store_activity)
    .where(
      and(
        eq(store_activity.store_id, of.store_id),
        eq(store_activity.kind, of.kind),
        inArray(store_activity.status, ['auditing', 'online']),
        but === undefined ? undefined : ne(store_activity.id, but),
      ),
    )
  const other = others.find(one => overlaps(one, of))
  if (other)
    throw ruled(
      'overlap',
      [
        '与同门店同类活动“{title}”时间重叠',
        'It overlaps “{title}”, of the same kind and the same store',
      ],
      { title: other.title },
    )
}
/** Refuses one more at the top of a mall than it may have; others wait for the answer. */
export const refuseCrowd = async (tx: Db, { mall_id }: Pick<Activity, 'mall_id'>) => {
  if (mall_id === 0)
    throw ruled('no_mall', [
      '商场外的门店没有商场页可置顶',
      'Outside a mall there is no page to stand at the top of',
    ])
  await lockSequence(tx, `store_activity/top/${mall_id}`)
  const topped = await tx.$count(
    store_activity,
    and(eq(store_activity.mall_id, mall_id), sql`is_top`),
  )
  if (topped >= TOPPED_MOST)
    throw ruled(
      'topped_most',
      ['本商场已有 {n} 个置顶活动，请先取消一个', '{n} of this mall are at the top: take one down'],
      { n: TOPPED_MOST },
    )
}

/** What the list flags, as the database finds it (`activityProblemsOf`). */
export const hasProblem: SQL = sql`(${store_activity.status} in ('online', 'auditing') and (${store_activity.image} = '' or lower(normalize(${store_activity.title} || ' ' || ${store_activity.content}, NFKC)) like any(${sql.param(`{${bannedWords.map(word => `"%${word}%"`).join()}}`)}::text[]) or exists (select 1 from ${store} s where s.id = ${store_activity.store_id} and s.status <> 'open')))`
/** What the app shows at a moment: online, within its time and its days, of an open store. */
export const shownAt = (now: number): SQL => {
  const weekday = weekdayOf(now)
  return sql`(${store_activity.status} = 'online' and ${store_activity.start_at} <= ${now} and ${store_activity.end_at} > ${now} and (cardinality(${store_activity.weekdays}) = 0 or ${weekday}::smallint = any(${store_activity.weekdays})) and exists (select 1 from ${store} s where s.id = ${store_activity.store_id} and s.status = 'open'))`
}

/** Activities go where their store goes, and no one of them stays at the top. */
export const takeActivitiesAlong = (tx: Db, of: { id: number; city_id: number; mall_id: number }) =>
  tx
    .update(store_activity)
    .set({
      city_id: of.city_id,
      mall_id: of.mall_id,
      is_top: false,
      version: sql`${store_activity.version} + 1`,
    })
    .where(and(eq(store_activity.store_id, of.id), ne(store_activity.mall_id, of.mall_id)))

const ENDED_AT_ONCE = 500
/**
 * Ends what is over, and all that a closed store announces; each is one line of the log, by the
 * system. Answers how many ended.
 */
export const endOver = async (tx: Db, now: number): Promise<number> => {
  const { rows } = await tx.execute<{
    id: number
    title: string
    was: string
    closed: boolean
  }>(sql`
    with due as (
      select a.id, a.status was, s.status = 'closed' closed from store_activity a join store s on s.id = a.store_id
      where (a.status in ('auditing', 'online', 'offline') and a.end_at <= ${now}) or (a.status <> 'ended' and s.status = 'closed')
      order by a.id limit ${ENDED_AT_ONCE} for update of a)
    update store_activity a set status = 'ended', is_top = false, version = a.version + 1, updated_at = ${now}
    from due where due.id = a.id returning a.id, a.title, due.was, due.closed`)
  if (rows.length > 0)
    await tx.insert(op_log).values(
      rows.map(({ id, title, was, closed }) => ({
        admin_id: null,
        admin_name: systemName,
        module: 'shop',
        action: 'shop.activity.end',
        object_type: 'store_activity',
        object_id: id,
        object_label: title,
        before: { status: was },
        after: { status: 'ended' },
        reason: joined(
          closed ? ['门店已关闭', 'The store closed'] : ['已到结束时间', 'It is over'],
        ),
        result: 'ok' as const,
      })),
    )
  return rows.length === ENDED_AT_ONCE ? rows.length + (await endOver(tx, now)) : rows.length
}
