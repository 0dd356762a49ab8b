import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { doorTaken, neighbourAtDoor } from '#src/areas/merchant/storePlaces.server.ts'
/** Where a store may come to stand, and what goes along with it. */
import type { Store } from '#src/areas/merchant/storeRecord.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { takeActivitiesAlong } from '#src/areas/storeActivity/activities.server.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { Db, ReadContext, WriteContext } from '#src/server/call/implement.ts'
import { faultless, holding } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'

type MallsAsked = {
  city_id: number
  keyword?: string | undefined
  page: number
  pageSize: number
}
/** Malls of a city in which a store may stand, of the person's places, a page at a time. */
export const mallsOf = async (
  { db, staff }: Pick<ReadContext, 'db' | 'staff'>,
  { city_id, keyword, page, pageSize }: MallsAsked,
) => {
  const where = and(
    eq(mall.city_id, city_id),
    ne(mall.status, 'closed'),
    holding(keyword, [mall.name, mall.pinyin]),
    within(staff.scope, { city: mall.city_id, mall: mall.id }),
  )
  const rows = await db
    .select({ id: mall.id, name: mall.name })
    .from(mall)
    .where(where)
    .orderBy(asc(mall.pinyin), asc(mall.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const { total } = await countOf(db, mall, where)
  const none = { id: 0, name: say(['商场外', 'Outside malls'], staff.lang) }
  return { rows, total, none }
}

const outside: Text = ['商场外的门店没有楼层', 'Outside a mall there is no floor']
/** The floor of a mall, or a refusal at the field; a floor of another mall is none. */
export const floorIn = async (
  { tx, staff }: WriteContext,
  { mid, floor_id }: { mid: number; floor_id: number | undefined },
) => {
  if (floor_id === undefined) return { id: null, name: null }
  if (mid === 0) faultless(staff, { floor_id: outside })
  const [floor] = await tx
    .select({ id: mall_floor.id, name: mall_floor.name })
    .from(mall_floor)
    .where(and(eq(mall_floor.id, floor_id), eq(mall_floor.mid, mid)))
  if (!floor) faultless(staff, { floor_id: ['楼层不属于该商场', 'It is no floor of this mall'] })
  return floor!
}
/** Refuses a mall that a store can't move into. */
export const needMall = async (
  { tx, staff }: WriteContext,
  of: Pick<Store, 'city_id' | 'mall_id'>,
  mid: number,
) => {
  if (mid === 0 || mid === of.mall_id) return
  const [to] = await tx
    .select({ city_id: mall.city_id, status: mall.status })
    .from(mall)
    .where(eq(mall.id, mid))
    .for('share')
  const fault: Text | undefined =
    to?.city_id === of.city_id
      ? undefined
      : ['只能迁到同城商场；换城市请闭店后新开', 'Only within the city: close it and open another']
  const closed: Text | undefined =
    to?.status === 'closed' ? ['商场已关闭', 'The mall is closed'] : undefined
  faultless(staff, { mid: fault ?? closed })
}
export const refuseDoor = async (tx: Db, of: Parameters<typeof neighbourAtDoor>[1]) => {
  const name = await neighbourAtDoor(tx, of)
  if (name !== undefined) throw ruled('door_taken', doorTaken, { name })
}
/** Moves the products whose first store this is, and what it announces, to where it stands. */
export const takeAlong = async (tx: Db, of: Store): Promise<void> => {
  await tx
    .update(product)
    .set({ mall_id: of.mall_id, version: sql`${product.version} + 1` })
    .where(
      and(
        sql`${product.id} in (select ps.product_id from product_store ps where ps.store_id = ${of.id})`,
        sql`${product.store_ids}->0 = to_jsonb(${of.id}::int)`,
        ne(product.mall_id, of.mall_id),
      ),
    )
  await takeActivitiesAlong(tx, of)
}
