/** Where stores stand: a door is one open store's alone on its floor. */
import { and, eq, ne } from 'drizzle-orm'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { store } from './merchant.table.ts'

export const doorTaken: Text = [
  '该门牌号已被同楼层营业中的「{name}」使用',
  '{name} is open behind that door of the floor',
]
type AtDoor = { id: number; floor_id: number | null; door_no: string | null; status: string }
/** The open store that has a store's door on its floor, if the store is open itself. */
export const openAtDoor = async (
  db: Db,
  { id, floor_id, door_no, status }: AtDoor,
): Promise<string | undefined> => {
  if (floor_id === null || !door_no || status !== 'open') return undefined
  const [other] = await db
    .select({ name: store.name })
    .from(store)
    .where(
      and(
        eq(store.floor_id, floor_id),
        eq(store.door_no, door_no),
        eq(store.status, 'open'),
        ne(store.id, id),
      ),
    )
    .limit(1)
  return other?.name
}
/** The same with the floor held, so that of two at once one finds the other. */
export const neighbourAtDoor = async (tx: Db, of: AtDoor): Promise<string | undefined> => {
  if (of.floor_id !== null && of.door_no && of.status === 'open')
    await tx.select().from(mall_floor).where(eq(mall_floor.id, of.floor_id)).for('update')
  return openAtDoor(tx, of)
}
