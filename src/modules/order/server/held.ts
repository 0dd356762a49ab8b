import { and, eq, inArray } from 'drizzle-orm'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { type OrderKind, statusWords } from '#src/areas/order/order.ts'
import type { Actor, Order } from '#src/areas/order/orderFacts.server.ts'
import { say } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { conflict, missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { changedBy } from '#src/server/call/versions.ts'
import { rowsOf } from './rows.ts'

/** A person of staff as an actor in an order's log. */
export const staffActor = (staff: Pick<Staff, 'id'>): Actor => ({ type: 'staff', id: staff.id })
/** An order of these kinds within the reader's scope; throws 404 where there is none. */
export const findOrder = async (
  db: Db,
  kinds: readonly OrderKind[],
  id: number,
  staff: Pick<Staff, 'scope'>,
): Promise<Order> => {
  const [row] = await db
    .select()
    .from(order)
    .where(
      and(
        eq(order.id, id),
        inArray(order.kind, [...kinds]),
        within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      ),
    )
  if (!row) throw missing()
  return row
}
/**
 * Holds an order for a change, as it was read by whoever asks; throws 409 with what it is now where
 * it has changed since.
 */
export const heldOrder = async (
  tx: Db,
  kinds: readonly OrderKind[],
  one: { id: number; version?: number | undefined },
  staff: Pick<Staff, 'scope' | 'lang'>,
): Promise<Order> => {
  await findOrder(tx, kinds, one.id, staff)
  const { row } = await holdWithGroup(tx, one.id)
  if (one.version !== undefined && row.version !== one.version)
    throw conflict(
      [
        '订单刚刚有变化（现为「{status}」），请按最新内容操作',
        'The order has just changed (it is now “{status}”): act on what it is now',
      ],
      { status: say(statusWords(row), staff.lang) },
      (await rowsOf(tx, [row]))[0],
      await changedBy(tx, 'order', row.id),
    )
  return row
}
/** What a change answers of its order. */
export const answer = (row: Order) => ({ id: row.id, status: row.status, version: row.version })
/** How the operation log names an order. */
export const logged = (row: Order) => ({
  object_type: 'order',
  object_id: row.id,
  object_label: row.order_no,
})
/** The facts of an order that the operation log compares. */
export const facts = (row: Order) => ({ status: row.status, frozen: row.frozen })
