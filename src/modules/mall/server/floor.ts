import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { mallCan } from '#src/areas/mall/mall.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { doorTaken, neighbourAtDoor } from '#src/areas/merchant/storePlaces.server.ts'
import { say, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { floor as contract } from '../contract/floor.ts'
import {
  boardRead,
  bump,
  checkOrder,
  failedBy,
  lockBoard,
  mallOf,
  needs,
  openMall,
  sizeOf,
  type Mall,
} from './shared.ts'

type Floor = typeof mall_floor.$inferSelect
const saveFloor = rowSaver(mall_floor, 'mall_floor')
const inOrder = [asc(mall_floor.sort), asc(mall_floor.level_no), asc(mall_floor.id)]
const floorsOf = (db: Db, mid: number): Promise<Floor[]> =>
  db
    .select()
    .from(mall_floor)
    .where(eq(mall_floor.mid, mid))
    .orderBy(...inOrder)
const floorOf = async (db: Db, id: number, staff: Staff): Promise<{ floor: Floor; mall: Mall }> => {
  const [floor] = await db.select().from(mall_floor).where(eq(mall_floor.id, id))
  if (!floor) throw missing()
  const mall = await mallOf(db, floor.mid, staff)
  const may = mallCan('edit', mall)
  if (may !== true) throw ruled('mall_closed', may)
  return { floor, mall }
}
const taken = (lang: Staff['lang']) =>
  ruled(
    'name_taken',
    ['本商场已有同名楼层', 'The mall has a floor of that name'],
    {},
    { fields: { name: say(['已存在', 'Taken'], lang) } },
  )
const once = async <T>(run: () => Promise<T>, lang: Staff['lang']): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (faultOf(error)?.kind === 'unique') throw taken(lang)
    throw error
  }
}
const fieldsOf = ['name', 'alias', 'level_no', 'map_image', 'is_show'] as const
type Fields = {
  name?: string | undefined
  alias?: string | undefined
  level_no?: number | undefined
  map_image?: string | null | undefined
  is_show?: boolean | undefined
}
/**
 * Where a floor of this level stands: before the next higher one, at the end when there is none.
 */
const placeFor = (floors: readonly Floor[], level: number): number => {
  const before = floors.findIndex(one => one.level_no > level)
  return before === -1 ? floors.length : before
}
const numbered = async (tx: Db, floors: readonly Pick<Floor, 'id'>[]) => {
  for (const [at, { id }] of floors.entries())
    await tx
      .update(mall_floor)
      .set({ sort: at + 1 })
      .where(eq(mall_floor.id, id))
}
const edit = async (context: WriteContext, id: number, version: number, fields: Fields) => {
  const { tx, staff, log } = context
  const { floor, mall } = await floorOf(tx, id, staff)
  const moves = fields.level_no !== undefined && fields.level_no !== floor.level_no
  const board = moves
    ? await lockBoard(tx, { mid: mall.id, city_id: mall.city_id }, 'floor')
    : undefined
  if (floor.version !== version) throw await staleRow(tx, 'mall_floor', floor)
  const set = Object.fromEntries(
    fieldsOf.flatMap(key => (fields[key] === undefined ? [] : [[key, fields[key]]])),
  )
  const after = await once(
    () => tx.transaction(inner => saveFloor(inner, { id, version }, set)),
    staff.lang,
  )
  if (board) {
    const others = (await floorsOf(tx, mall.id)).filter(one => one.id !== id)
    const at = placeFor(others, after.level_no)
    await numbered(tx, [...others.slice(0, at), after, ...others.slice(at)])
    await bump(context, board)
  }
  if (after.name !== floor.name)
    await tx.update(store).set({ floor: after.name }).where(eq(store.floor_id, id))
  log({
    object_type: 'mall_floor',
    object_id: id,
    object_label: after.name,
    ...difference(floor, after, fieldsOf),
  })
  return { id, version: after.version }
}
const sort = async (
  context: WriteContext,
  of: { mid: number; order: readonly number[]; list_version: number },
) => {
  const { tx, staff, log } = context
  const mall = await openMall(tx, of.mid, staff)
  const board = await lockBoard(tx, { mid: mall.id, city_id: mall.city_id }, 'floor')
  const present = (await floorsOf(tx, mall.id)).map(one => one.id)
  await checkOrder(tx, board, of, present)
  await numbered(
    tx,
    of.order.map(id => ({ id })),
  )
  log({
    object_type: 'mall',
    object_id: mall.id,
    object_label: mall.name,
    before: { floors: present },
    after: { floors: of.order },
  })
  return { list_version: await bump(context, board) }
}
const elsewhere: Text = ['门店不属于本商场', 'The store is of another mall']
const moveStores = async (
  { tx, staff, log }: WriteContext,
  floor_id: number,
  ids: readonly number[],
) => {
  const { floor, mall } = await floorOf(tx, floor_id, staff)
  const found = new Map(
    (
      await tx
        .select()
        .from(store)
        .where(and(inArray(store.id, [...ids]), eq(store.mall_id, mall.id)))
        .orderBy(asc(store.id))
        .for('update')
    ).map(one => [one.id, one]),
  )
  const ok: number[] = []
  const failed: { id: number; store_id: number; reason: string; msg: string }[] = []
  for (const id of new Set(ids)) {
    const one = found.get(id)
    if (!one) {
      failed.push({
        ...failedBy(id, { reason: 'other_mall', text: elsewhere }, staff.lang),
        store_id: id,
      })
      continue
    }
    if (one.floor_id !== floor.id) {
      const name = await neighbourAtDoor(tx, { ...one, floor_id: floor.id })
      if (name !== undefined) {
        const why = failedBy(
          id,
          { reason: 'door_taken', text: doorTaken, values: { name } },
          staff.lang,
        )
        failed.push({ ...why, store_id: id })
        continue
      }
      await tx
        .update(store)
        .set({ floor_id: floor.id, floor: floor.name, version: sql`${store.version} + 1` })
        .where(eq(store.id, id))
      log({
        object_type: 'store',
        object_id: id,
        object_label: one.name,
        before: { floor_id: one.floor_id, floor: one.floor },
        after: { floor_id: floor.id, floor: floor.name },
      })
    }
    ok.push(id)
  }
  if (ok.length === 0)
    throw ruled(
      failed[0]?.reason ?? 'other_mall',
      ['{msg}', '{msg}'],
      { msg: failed[0]?.msg ?? say(elsewhere, staff.lang) },
      { failed },
    )
  return { moved: ok.length, ok, failed }
}

const server = implement(contract, {
  lst: async ({ mid }, { db, staff }) => {
    const mall = await mallOf(db, mid, staff)
    const [floors, counted, board] = await Promise.all([
      floorsOf(db, mid),
      db.execute<{ floor_id: number | null; n: number }>(
        sql`select floor_id, count(*)::int n from store where mall_id = ${mid} and status <> 'closed' group by 1`,
      ),
      boardRead(db, { mid, city_id: mall.city_id }, 'floor'),
    ])
    const stores = new Map(counted.rows.map(row => [row.floor_id, row.n]))
    return {
      list: floors.map(({ created_at: _, updated_at: __, ...row }) => ({
        ...row,
        mall_name: mall.name,
        store_count: stores.get(row.id) ?? 0,
      })),
      total: floors.length,
      no_floor_store_count: stores.get(null) ?? 0,
      list_version: board.list_version,
      theirs: board.theirs,
      mall_status: mall.status,
    }
  },
  stores: async ({ mid, floor_id, keyword, ...paged }, { db, staff }) => {
    await mallOf(db, mid, staff)
    const { limit, offset } = sizeOf(paged)
    const where = sql.join(
      [
        sql`s.mall_id = ${mid}`,
        sql`s.status <> 'closed'`,
        ...(floor_id === undefined
          ? []
          : [floor_id === 0 ? sql`s.floor_id is null` : sql`s.floor_id = ${floor_id}`]),
        ...(keyword
          ? [sql`(s.name ilike ${like(keyword)} or s.door_no ilike ${like(keyword)})`]
          : []),
      ],
      sql` and `,
    )
    const { rows } = await db.execute<{
      id: number
      mid: number
      name: string
      logo: string
      door_no: string
      category_name: string
      status: string
      on_sale_count: number
      floor_id: number | null
      floor_name: string
      all: number
    }>(sql`
      select s.id, s.mall_id mid, s.name, s.logo, coalesce(s.door_no, '') door_no, coalesce(k.name, '') category_name, s.status, s.floor_id, coalesce(f.name, '') floor_name, (count(*) over ())::int "all",
      (select count(*)::int from product_store ps join product p on p.id = ps.product_id where ps.store_id = s.id and ps.status = 'on' and p.state = 'on_sale') on_sale_count
      from store s left join shop_category k on k.id = s.category_id left join mall_floor f on f.id = s.floor_id where ${where} order by s.door_no, s.id limit ${limit} offset ${offset}`)
    const total =
      rows[0]?.all ??
      (offset > 0
        ? (await db.execute<{ n: number }>(sql`select count(*)::int n from store s where ${where}`))
            .rows[0]!.n
        : 0)
    return { list: rows.map(({ all: _, ...row }) => row), total }
  },
  options: async ({ mid, keyword }, { db, staff }) => {
    await mallOf(db, mid, staff)
    const list = (await floorsOf(db, mid)).filter(
      one => !keyword || `${one.name} ${one.alias}`.toLowerCase().includes(keyword.toLowerCase()),
    )
    return { list: list.map(({ id, name, alias }) => ({ id, name, alias })), total: list.length }
  },
  create: async ({ mid, ...fields }, context) => {
    const { tx, staff, log } = context
    const mall = await openMall(tx, mid, staff)
    const board = await lockBoard(tx, { mid, city_id: mall.city_id }, 'floor')
    const present = await floorsOf(tx, mid)
    const at = placeFor(present, fields.level_no)
    const made = await once(
      () =>
        tx.transaction(
          async inner =>
            (
              await inner
                .insert(mall_floor)
                .values({
                  mid,
                  name: fields.name,
                  alias: fields.alias ?? '',
                  level_no: fields.level_no,
                  map_image: fields.map_image ?? null,
                  is_show: fields.is_show ?? true,
                  sort: at + 1,
                })
                .returning()
            )[0]!,
        ),
      staff.lang,
    )
    await numbered(tx, [...present.slice(0, at), made, ...present.slice(at)])
    log({
      object_type: 'mall_floor',
      object_id: made.id,
      object_label: made.name,
      after: { ...fields, mid },
    })
    return {
      id: made.id,
      sort: at + 1,
      version: made.version,
      list_version: await bump(context, board),
    }
  },
  edit: async ({ id, version, order, list_version, mid, move_store_ids, ...fields }, context) => {
    if (order !== undefined) {
      needs(context.staff, 'mall.floor.sort')
      if (mid === undefined || list_version === undefined)
        throw invalid({
          [mid === undefined ? 'mid' : 'list_version']: say(
            ['必填', 'Required'],
            context.staff.lang,
          ),
        })
      return sort(context, { mid, order, list_version })
    }
    if (id === undefined) throw invalid({ id: say(['必填', 'Required'], context.staff.lang) })
    if (move_store_ids !== undefined) {
      needs(context.staff, 'mall.floor.moveStores')
      return moveStores(context, id, move_store_ids)
    }
    if (version === undefined)
      throw invalid({ version: say(['必填', 'Required'], context.staff.lang) })
    return edit(context, id, version, fields)
  },
  del: async ({ id, move_to }, context) => {
    const { tx, staff, log } = context
    const [there] = await tx.select().from(mall_floor).where(eq(mall_floor.id, id))
    if (!there) return { id, deleted: true, already: true, moved: 0 }
    const { floor, mall } = await floorOf(tx, id, staff)
    const board = await lockBoard(tx, { mid: mall.id, city_id: mall.city_id }, 'floor')
    const stores = await tx
      .select({ id: store.id, status: store.status })
      .from(store)
      .where(eq(store.floor_id, id))
      .orderBy(asc(store.id))
      .for('update')
    if (stores.length > 0 && move_to === undefined)
      throw ruled(
        'has_stores',
        ['楼层下有 {n} 家门店，请先移到其他楼层', '{n} stores are on this floor: move them first'],
        { n: stores.length },
        { store_count: stores.length },
      )
    let moved = 0
    if (stores.length > 0 && move_to !== undefined) {
      const target = (await floorOf(tx, move_to, staff)).floor
      if (target.mid !== floor.mid || target.id === id)
        throw ruled(
          'other_mall',
          ['只能移到本商场的其他楼层', 'Only to another floor of this mall'],
          {},
          { fields: { move_to: say(['请选择其他楼层', 'Choose another floor'], staff.lang) } },
        )
      const result = await moveStores(
        context,
        target.id,
        stores.map(one => one.id),
      )
      if (result.failed.length > 0)
        throw ruled(
          'door_taken',
          [
            '{n} 家门店的门牌号在目标楼层已被使用，请先修改',
            'The doors of {n} stores are taken there',
          ],
          { n: result.failed.length },
          { failed: result.failed },
        )
      moved = result.moved
    }
    await tx.delete(mall_floor).where(eq(mall_floor.id, id))
    log({
      object_type: 'mall_floor',
      object_id: id,
      object_label: floor.name,
      before: { name: floor.name, level_no: floor.level_no, mid: floor.mid },
    })
    return { id, deleted: true, moved, list_version: await bump(context, board) }
  },
  sort: async (input, context) => sort(context, input),
  uploadMap: async ({ id, version, map_image }, context) =>
    edit(context, id, version, { map_image }),
  moveStores: async ({ store_ids, floor_id }, context) => moveStores(context, floor_id, store_ids),
  show: async ({ id, version }, context) => edit(context, id, version, { is_show: true }),
  hide: async ({ id, version }, context) => edit(context, id, version, { is_show: false }),
})

defineRevertBy('mall_floor', async (db, staff, id) => (await floorOf(db, id, staff)).floor, [
  way(
    contract.edit,
    server.handlers.edit,
    ['name', 'alias', 'level_no'],
    ({ id, version, name, alias, level_no }) => ({ id, version, name, alias, level_no }),
  ),
])
export default server
