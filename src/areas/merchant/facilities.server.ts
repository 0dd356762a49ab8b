import { and, asc, eq, ilike, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { upload } from '#src/areas/export/job.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { facility, mall_facility, store_facility } from './facility.table.ts'
import type { FacilityHolder } from './facility.ts'
import { store } from './merchant.table.ts'

export type Facility = typeof facility.$inferSelect
/** Facilities as handlers read, change and log them. */
export const facilities = record(facility, {
  object: 'facility',
  label: row => row.name,
  keys: ['name', 'icon', 'group', 'scope', 'status', 'merged_into'],
  places: 'all',
})
/** Those that are not merged into another, in the order of the filter. */
export const facilitiesInOrder = (db: Db): Promise<Facility[]> =>
  db
    .select()
    .from(facility)
    .where(isNull(facility.merged_into))
    .orderBy(asc(facility.sort), asc(facility.id))

/** The marks of stores and those of malls: their tables, and who may see whose. */
export const marks = {
  store: {
    table: store_facility,
    by: store_facility.store_id,
    seen: ({ scope }: Pick<Staff, 'scope'>) =>
      within(scope, { city: store.city_id, mall: store.mall_id }),
  },
  mall: {
    table: mall_facility,
    by: mall_facility.mall_id,
    seen: ({ scope }: Pick<Staff, 'scope'>) => within(scope, { city: mall.city_id, mall: mall.id }),
  },
} as const
/** How many stores and malls have each facility, of all or of those that a person sees. */
export const markCounts = async (
  db: Db,
  staff?: Pick<Staff, 'scope'>,
): Promise<(id: number) => { store_count: number; mall_count: number }> => {
  const counted = async (of: FacilityHolder) => {
    const { table, by, seen } = marks[of]
    const holder = of === 'store' ? store : mall
    const rows = await db
      .select({ id: table.facility_id, n: sql<number>`count(*)::int` })
      .from(table)
      .innerJoin(holder, eq(holder.id, by as PgColumn))
      .where(staff && seen(staff))
      .groupBy(table.facility_id)
    return new Map(rows.map(row => [row.id, row.n]))
  }
  const [stores, malls] = [await counted('store'), await counted('mall')]
  return id => ({ store_count: stores.get(id) ?? 0, mall_count: malls.get(id) ?? 0 })
}

type Asked = {
  facility_id: number
  marked: boolean
  keyword?: string | undefined
  page: number
  pageSize: number
}
const hasMark = (of: FacilityHolder, { facility_id, marked }: Asked): SQL => {
  const { table, by } = marks[of]
  const there = sql`exists (select 1 from ${table} where ${table.facility_id} = ${facility_id} and ${by} = ${of === 'store' ? store.id : mall.id})`
  return marked ? there : sql`not ${there}`
}
/** Stores with or without a facility; one that is closed only as long as it has it. */
export const storesMarked = async (db: Db, staff: Staff, asked: Asked) => {
  const where = and(
    marks.store.seen(staff),
    hasMark('store', asked),
    eq(store.kind, 'offline'),
    asked.marked ? undefined : sql`${store.status} not in ('closed', 'draft')`,
    asked.keyword ? ilike(store.name, like(asked.keyword)) : undefined,
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
    .limit(asked.pageSize)
    .offset((asked.page - 1) * asked.pageSize)
  return { list: rows, ...(await countOf(db, store, where)) }
}
export const mallsMarked = async (db: Db, staff: Staff, asked: Asked) => {
  const where = and(
    marks.mall.seen(staff),
    hasMark('mall', asked),
    asked.marked ? undefined : sql`${mall.status} <> 'closed'`,
    asked.keyword ? ilike(mall.name, like(asked.keyword)) : undefined,
  )
  const rows = await db
    .select({ id: mall.id, name: mall.name, place: city.city_name })
    .from(mall)
    .innerJoin(city, eq(city.id, mall.city_id))
    .where(where)
    .orderBy(asc(mall.id))
    .limit(asked.pageSize)
    .offset((asked.page - 1) * asked.pageSize)
  return { list: rows, ...(await countOf(db, mall, where)) }
}
/** Why a store, or a mall, can't be marked or freed of its mark; undefined where it can. */
export const markFault = async (
  tx: Db,
  staff: Staff,
  { of, id, on }: { of: FacilityHolder; id: number; on: boolean },
): Promise<Text | undefined> => {
  const holder = of === 'store' ? store : mall
  const [row] = await tx
    .select({ status: holder.status })
    .from(holder)
    .where(and(eq(holder.id, id), marks[of].seen(staff)))
  if (!row) return ['不存在，或不在你的数据范围内', 'It is not there, or not among your data']
  return on && row.status === 'closed' ? ['已关闭，不能标注', 'It is closed'] : undefined
}

/**
 * Moves the marks of a facility to another; whoever has both keeps one. Answers how many were moved,
 * and how many had it already.
 */
export const moveMarks = async (
  tx: Db,
  from: number,
  to: number,
): Promise<{ moved: number; had: number }> => {
  const sum = { moved: 0, had: 0 }
  for (const { table, by } of Object.values(marks)) {
    const column = sql.identifier(by.name)
    const { rows } = await tx.execute<{ moved: number; all: number }>(
      sql`with gone as (delete from ${table} where facility_id = ${from} returning ${column}), made as (insert into ${table} (${column}, facility_id) select ${column}, ${to}::int from gone order by 1 on conflict (${column}, facility_id) do nothing returning 1) select (select count(*)::int from made) moved, (select count(*)::int from gone) "all"`,
    )
    sum.moved += rows[0]!.moved
    sum.had += rows[0]!.all - rows[0]!.moved
  }
  return sum
}

/** An icon is an uploaded PNG, as wide as it is high. */
export const iconFault = async (tx: Db, key: string): Promise<Text | undefined> => {
  const [icon] = await tx.select().from(upload).where(eq(upload.file_key, key))
  if (!icon) return ['图片已不存在，请重新上传', 'The picture is gone: upload it again']
  return icon.mime === 'image/png' && icon.width !== null && icon.width === icon.height
    ? undefined
    : ['图标须为正方形 PNG', 'An icon is a square PNG']
}
