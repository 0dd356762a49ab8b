import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { hot_item, mall_recommend } from '#src/areas/mall/mall.table.ts'
import { blockMax, HOT_MAX } from '#src/areas/mall/recommend.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product, product_store } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { hots } from '#src/modules/mall/contract/hot.ts'
import { groupBoard } from '#src/modules/mall/contract/recommend.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { openApp, send, tokenOfAccount } from '../../help/app.ts'

const DAY = 86_400
onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let token: string
  let mid: number
  let offers: number[]
  beforeAll(async () => {
    database = await openCopy({ poolSize: 40 })
    app = await openApp(database)
    token = await tokenOfAccount(database, 'admin')
    const [like] = await database.db
      .select()
      .from(mall)
      .where(and(eq(mall.status, 'online'), eq(mall.city_id, 1)))
      .limit(1)
    const { id: _, ...columns } = like!
    mid = (
      await database.db
        .insert(mall)
        .values({ ...columns, name: '并发商场' })
        .returning()
    )[0]!.id
    const [shop] = await database.db
      .select()
      .from(store)
      .where(
        and(
          eq(store.kind, 'offline'),
          eq(store.status, 'open'),
          sql`exists (select 1 from merchant m where m.id = ${store.merchant_id} and m.status = 'active')`,
        ),
      )
      .limit(1)
    const { id: __, ...storeColumns } = shop!
    const [own] = await database.db
      .insert(store)
      .values({ ...storeColumns, store_no: 'RACE1', mall_id: mid, city_id: 1, floor_id: null })
      .returning()
    const [sells] = await database.db
      .select()
      .from(product)
      .where(and(eq(product.kind, 'bulks'), eq(product.state, 'on_sale')))
      .limit(1)
    const { id: ___, ...productColumns } = sells!
    const now = unixNow()
    const made = await database.db
      .insert(product)
      .values(
        Array.from({ length: 40 }, (_, at) => ({
          ...productColumns,
          title: `并发团购${at}`,
          merchant_id: own!.merchant_id,
          stock: 10,
          held: 0,
          sale_end_at: now + 30 * DAY,
          check_end_at: now + 60 * DAY,
        })),
      )
      .returning()
    await database.db
      .insert(product_store)
      .values(made.map(row => ({ product_id: row.id, store_id: own!.id })))
    offers = made.map(row => row.id)
  })
  const standing = () =>
    database.db
      .select()
      .from(mall_recommend)
      .where(
        and(
          eq(mall_recommend.mid, mid),
          eq(mall_recommend.block, 'group'),
          eq(mall_recommend.is_recommend, true),
        ),
      )

  it('forty recommend a group-buy each: twenty stand, twenty are told that the board is full, and no two have one place', async () => {
    const said = await Promise.all(
      offers.map(id => send(app, groupBoard.recommend, { mid, ids: [id] }, { token })),
    )
    expect(said.filter(one => one.status === 200)).toHaveLength(blockMax.group)
    expect(said.filter(one => one.status !== 200).map(one => one.data?.rule)).toEqual(
      Array.from({ length: 20 }, () => 'full'),
    )
    const rows = await standing()
    expect(rows).toHaveLength(blockMax.group)
    expect(new Set(rows.map(row => row.sort)).size).toBe(blockMax.group)
  })
  it('twelve save an order of one list: one is kept, eleven are shown the present one', async () => {
    const list = (await standing()).sort((a, b) => a.sort - b.sort).map(row => row.ref_id)
    const [board] = (
      await database.db.execute<{ list_version: number }>(
        sql`select list_version from mall_board where mid = ${mid} and block = 'group'`,
      )
    ).rows
    const orders = Array.from({ length: 12 }, (_, at) => [
      ...list.slice(at + 1),
      ...list.slice(0, at + 1),
    ])
    const said = await Promise.all(
      orders.map(order =>
        send(app, groupBoard.sort, { mid, order, list_version: board!.list_version }, { token }),
      ),
    )
    const won = said.findIndex(one => one.status === 200)
    expect(said.filter(one => one.status === 200)).toHaveLength(1)
    for (const one of said.filter((_, at) => at !== won))
      expect([one.status, one.data.current.order]).toEqual([409, orders[won]])
    expect((await standing()).sort((a, b) => a.sort - b.sort).map(row => row.ref_id)).toEqual(
      orders[won],
    )
  })
  it('thirty switch the same one on and off: one row, in one state', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        send(
          app,
          at % 2 ? groupBoard.recommend : groupBoard.unrecommend,
          { mid, ids: [offers[0]] },
          { token },
        ),
      ),
    )
    expect(
      await database.db
        .select()
        .from(mall_recommend)
        .where(and(eq(mall_recommend.mid, mid), eq(mall_recommend.ref_id, offers[0]!))),
    ).toHaveLength(1)
    expect((await standing()).length).toBeLessThanOrEqual(blockMax.group)
  })
  it('twenty add a hot item where there is room for twelve', async () => {
    const now = unixNow()
    const said = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        send(
          app,
          hots.add,
          {
            city_id: 1,
            mid,
            kind: 'keyword',
            title: `并发词${at}`,
            start_at: now,
            end_at: now + DAY,
          },
          { token },
        ),
      ),
    )
    expect(said.filter(one => one.status === 200)).toHaveLength(HOT_MAX)
    expect(await database.db.select().from(hot_item).where(eq(hot_item.mid, mid))).toHaveLength(
      HOT_MAX,
    )
  })
})
