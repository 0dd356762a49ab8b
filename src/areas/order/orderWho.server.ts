import { and, desc, eq, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { order_log } from './trail.table.ts'

/** A change: its author in both languages, and its time in unix seconds. */
export type Move = { who: Text; at: number }
const actors = {
  member: ['顾客', 'The buyer'],
  merchant: ['商户', 'The merchant'],
  system: ['系统', 'The system'],
  channel: ['支付渠道', 'The payment channel'],
} as const satisfies Record<string, Text>
export const system = actors.system

/** A member of staff by name; names are the same in both languages. */
export const staffNamed = async (tx: Db, id: number): Promise<Text> => {
  const [one] = await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, id))
  const name = one?.name ?? `#${id}`
  return [name, name]
}

/** The last move that an order's log tells about one of its refunds or parcels. */
export const lastLogged = async (
  tx: Db,
  order_id: number,
  part: { refund_id: number } | { shipment_id: number },
): Promise<Move | undefined> => {
  const [[key, id]] = Object.entries(part) as [[string, number]]
  const [last] = await tx
    .select()
    .from(order_log)
    .where(and(eq(order_log.order_id, order_id), sql`(${order_log.data} ->> ${key})::int = ${id}`))
    .orderBy(desc(order_log.id))
    .limit(1)
  if (!last) return undefined
  const { actor_type, actor_id, at } = last
  if (actor_type !== 'staff') return { who: actors[actor_type], at }
  return { who: actor_id === null ? system : await staffNamed(tx, actor_id), at }
}
