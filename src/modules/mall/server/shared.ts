import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { mall_board, mall_recommend } from '#src/areas/mall/mall.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { citiesOf, rulesCity } from '#src/areas/place/places.server.ts'
import { isPermutation } from '#src/domain/sequence.ts'
import { joinedNames, say, semicolon, type Lang, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { conflict, forbidden, missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'

export type Mall = typeof mall.$inferSelect
export type Board = typeof mall_board.$inferSelect
export type BoardBlock = Board['block']
/** Where a board stands: a mall, or (mid 0) a city outside any mall. */
export type Place = {
  mid: number
  city_id: number
  mall_name: string
  city_name: string
  mall: Mall | null
}

export const MONTH = 30 * DAY
/**
 * A mall within the person's cities or malls; whoever brought in merchants only does not keep the
 * mall they trade in.
 */
export const mallScope = (staff: Pick<Staff, 'scope'>): SQL | undefined =>
  within(staff.scope, { city: mall.city_id, mall: mall.id })

export const mallOf = async (db: Db, mid: number, staff: Pick<Staff, 'scope'>): Promise<Mall> => {
  const [row] = await db
    .select()
    .from(mall)
    .where(and(eq(mall.id, mid), mallScope(staff)))
  if (!row) throw missing()
  return row
}
/** A mall that may be changed: a closed one is kept for its old orders. */
export const openMall = async (db: Db, mid: number, staff: Pick<Staff, 'scope'>): Promise<Mall> => {
  const row = await mallOf(db, mid, staff)
  if (row.status === 'closed')
    throw ruled('mall_closed', ['商场已关闭，只能查看', 'The mall is closed: read-only'])
  return row
}
/**
 * Outside any mall each city has lists of its own; without a city it is the first one of the
 * person's.
 */
export const placeOf = async (
  db: Db,
  of: { mid: number; city_id?: number | undefined },
  staff: Pick<Staff, 'scope'>,
): Promise<Place> => {
  if (of.mid > 0) {
    const row = await mallOf(db, of.mid, staff)
    const [where] = await db
      .select({ city_name: city.city_name })
      .from(city)
      .where(eq(city.id, row.city_id))
    return {
      mid: row.id,
      city_id: row.city_id,
      mall_name: row.name,
      city_name: where!.city_name,
      mall: row,
    }
  }
  const [where] = await db
    .select()
    .from(city)
    .where(and(of.city_id === undefined ? undefined : eq(city.id, of.city_id), citiesOf(staff)))
    .orderBy(sql`${city.is_default} desc`, asc(city.id))
    .limit(1)
  // What is outside the malls belongs to the whole city: a keeper of one mall has no say in it.
  if (!where || !rulesCity(staff, where.id)) throw missing()
  return { mid: 0, city_id: where.id, mall_name: '', city_name: where.city_name, mall: null }
}
export const openPlace = async (
  db: Db,
  of: { mid: number; city_id?: number | undefined },
  staff: Pick<Staff, 'scope'>,
): Promise<Place> => {
  const where = await placeOf(db, of, staff)
  if (where.mall?.status === 'closed')
    throw ruled('mall_closed', ['商场已关闭，只能查看', 'The mall is closed: read-only'])
  return where
}

const keyOf = (where: Pick<Place, 'mid' | 'city_id'>, block: BoardBlock, category_id = 0) => ({
  city_id: where.city_id,
  mid: where.mid,
  block,
  category_id,
})
/**
 * The board's row, locked until the transaction ends: changes of one list wait for each other, so
 * that a cap holds and an order is whole.
 */
export const lockBoard = async (
  tx: Db,
  where: Pick<Place, 'mid' | 'city_id'>,
  block: BoardBlock,
  category_id = 0,
): Promise<Board> => {
  const [row] = await tx
    .insert(mall_board)
    .values(keyOf(where, block, category_id))
    .onConflictDoUpdate({
      target: [mall_board.city_id, mall_board.mid, mall_board.block, mall_board.category_id],
      set: { mid: sql`${mall_board.mid}` },
    })
    .returning()
  return row!
}
/** The list changed: its next version. */
export const bump = async (
  { tx, staff, now }: Pick<WriteContext, 'tx' | 'now'> & { staff: { id: number } },
  board: Board,
): Promise<number> => {
  const [row] = await tx
    .update(mall_board)
    .set({
      list_version: sql`${mall_board.list_version} + 1`,
      set_by: staff.id || null,
      set_at: now,
    })
    .where(eq(mall_board.id, board.id))
    .returning({ list_version: mall_board.list_version })
  return row!.list_version
}
/** The list's version, its title, and who changed it last. */
export const boardRead = async (
  db: Db,
  where: Pick<Place, 'mid' | 'city_id'>,
  block: BoardBlock,
  category_id = 0,
) => {
  const [row] = await db
    .select({
      list_version: mall_board.list_version,
      title: mall_board.title,
      version: mall_board.version,
      name: admin.name,
      at: mall_board.set_at,
    })
    .from(mall_board)
    .leftJoin(admin, eq(admin.id, mall_board.set_by))
    .where(
      and(
        eq(mall_board.city_id, where.city_id),
        eq(mall_board.mid, where.mid),
        eq(mall_board.block, block),
        eq(mall_board.category_id, category_id),
      ),
    )
  return {
    list_version: row?.list_version ?? 0,
    title: row?.title ?? '',
    version: row?.version ?? 0,
    theirs: row?.name && row.at ? { name: row.name, at: row.at } : null,
  }
}
/**
 * Refuses an order made from another list than the present one, with the present one; and one that
 * does not hold exactly its entries.
 */
export const checkOrder = async (
  tx: Db,
  board: Board,
  sent: { order: readonly number[]; list_version: number },
  present: readonly number[],
): Promise<void> => {
  if (sent.list_version === board.list_version && isPermutation(sent.order, present)) return
  const [by] = board.set_by
    ? await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, board.set_by))
    : []
  throw conflict(
    by
      ? [
          '列表已被 {name} 改动，请对照最新顺序后再保存',
          '{name} changed the list meanwhile: look at the present order',
        ]
      : [
          '列表已变化，请对照最新顺序后再保存',
          'The list changed meanwhile: look at the present order',
        ],
    by ? { name: by.name } : {},
    { order: present, list_version: board.list_version },
  )
}

/** A right that the verb inside a call of several verbs asks for. */
export const needs = (staff: Pick<Staff, 'can'>, permit: string): void => {
  if (!staff.can(permit)) throw forbidden()
}
/** Tells why one entry of a call on several was refused, in the person's language. */
export const failedBy = (
  id: number,
  {
    reason,
    text,
    values,
  }: { reason: string; text: Text; values?: Record<string, string | number> | undefined },
  lang: Lang,
) => ({ id, reason, msg: say(text, lang, values) })
/** The answer of a call on several entries; refused with every reason when it did none of them. */
export const unlessAllFailed = <
  A extends { ok: readonly number[]; failed: readonly { reason: string; msg: string }[] },
>(
  answer: A,
): A => {
  if (answer.ok.length > 0) return answer
  throw new Refusal(
    422,
    ['{msg}', '{msg}'],
    { msg: joinedNames([...new Set(answer.failed.map(one => one.msg))], semicolon) },
    { rule: answer.failed[0]?.reason ?? 'refused', ...answer },
  )
}
/** The columns by which a reference stands on a board only once. */
export const recommendKey = [
  mall_recommend.mid,
  mall_recommend.block,
  mall_recommend.category_id,
  mall_recommend.ref_kind,
  mall_recommend.ref_id,
  mall_recommend.city_id,
]
export const sizeOf = ({ pageSize, page }: { pageSize: number; page: number }) => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
})

/** Links that need no parameter of whoever picks them. */
export const readyLinks = async (
  db: Db,
  keyword: string | undefined,
  { limit, offset }: { limit: number; offset: number },
) => {
  const { rows } = await db.execute<{
    id: number
    name: string
    all: number
  }>(sql`select l.id, l.name, (count(*) over ())::int "all" from page_link l where l.status = 'on' and l.health in ('ok', 'unknown') and not exists (select 1 from jsonb_array_elements(l.params) p where (p->>'required')::boolean and p->>'value' is null)
    and ${keyword ? sql`l.name ilike ${like(keyword)}` : sql`true`} order by l.id limit ${limit} offset ${offset}`)
  return { list: rows.map(({ id, name }) => ({ id, name })), total: rows[0]?.all ?? 0 }
}
