import { eq, sql } from 'drizzle-orm'
import { live_host, live_product, live_room } from '#src/areas/broadcast/live.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { live, liveEdit } from '#src/modules/system/contract/live.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { send } from './app.ts'
import { freshProduct } from './trade.ts'

export const HOUR = 3600
/** The pictures that every demo has, in the sizes a room takes. */
export const pictures = {
  cover: 'demo/live-cover-1.webp',
  share_image: 'demo/share-1.webp',
  background: 'demo/live-back-1.webp',
}
let made = 0
/** Rooms of a test's own, as staff make them, in the city of their products. */
export const liveHelp = (database: Database, app: App, token: () => string) => {
  const call = (what: Parameters<typeof send>[1], input: object, as = token()) =>
    send(app, what, input, { token: as })
  const good = async <T = { id: number; version: number }>(
    what: Parameters<typeof send>[1],
    input: object,
  ): Promise<T> => {
    const said = await call(what, input)
    if (said.status !== 200) throw new Error(said.text)
    return said.data as T
  }
  const host = async (of: Partial<typeof live_host.$inferInsert> = {}) =>
    (
      await database.db
        .insert(live_host)
        .values({
          name: '测试主播',
          wechat: `wx_test_Q_${++made}`,
          verified: true,
          ...of,
        })
        .returning()
    )[0]!.id
  /** `free` pieces are available of it. */
  const offer = (free = 50) =>
    database.transaction(async tx => {
      const { item } = await freshProduct(tx)
      return (
        await tx
          .update(product)
          .set({ stock: free, held: 0, sale_end_at: unixNow() + 60 * 86_400 })
          .where(eq(product.id, item.id))
          .returning()
      )[0]!
    })
  const plan = async (city_id: number, more: object = {}) => ({
    title: '测试直播间',
    channel: 'mini_program',
    host_id: await host(),
    ...pictures,
    start_at: unixNow() + HOUR,
    end_at: unixNow() + 3 * HOUR,
    city_id,
    ...more,
  })
  /** A draft with one product on its shelf. */
  const draft = async (
    item: { id: number; city_id: number },
    more: object = {},
    stock?: number,
  ) => {
    let room = await good(liveEdit.save, await plan(item.city_id, more))
    room = await good(liveEdit.addProducts, { ...room, product_ids: [item.id] })
    if (stock !== undefined)
      room = await good(liveEdit.setLivePrice, {
        ...room,
        product_id: item.id,
        price_cents: 100,
        stock,
      })
    return room
  }
  const planned = async (
    item: { id: number; city_id: number },
    more: object = {},
    stock?: number,
  ) => good(liveEdit.submit, await draft(item, more, stock))
  const readRoom = async (id: number) =>
    (await database.db.select().from(live_room).where(eq(live_room.id, id)))[0]!
  const heldOf = async (id: number) =>
    (await database.db.select({ held: product.held }).from(product).where(eq(product.id, id)))[0]!
      .held
  const left = async (room: number) =>
    (
      await database.db
        .select({ n: sql<number>`coalesce(sum(${live_product.remaining}), 0)::int` })
        .from(live_product)
        .where(eq(live_product.live_room_id, room))
    )[0]!.n
  const row = async (id: number, tab: string) =>
    (await good<{ list: { id: number }[] }>(live.lst, { tab, pageSize: 200 })).list.find(
      one => one.id === id,
    ) as Record<string, any> | undefined
  return { call, good, host, offer, plan, draft, planned, readRoom, heldOf, left, row }
}
