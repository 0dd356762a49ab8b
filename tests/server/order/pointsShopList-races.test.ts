import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendIssues } from '#src/areas/coupon/issue.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { issue_attempt } from '#src/areas/order/issue.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeExchange } from '#src/areas/points/exchange.server.ts'
import { earnPoints } from '#src/areas/points/points.server.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { broken } from '../../help/invariants.ts'
import { freshShopGoods } from '../../help/pointsShop.ts'
import { freshProduct } from '../../help/trade.ts'

const ROUNDS = 6
const home = { name: '李静', phone: '13800001111', area: '上海市静安区', address: '南京西路 1 号' }
let database: Database
let product_id = 0
beforeAll(async () => {
  database = await openCopy()
  product_id = (await database.transaction(tx => freshProduct(tx, 'elist'))).item.id
  await database.db.update(product).set({ stock: 10_000 }).where(eq(product.id, product_id))
})
let made = 0
const saver = async (points: number) => {
  const [who] = await database.db
    .insert(member)
    .values({
      uid: `RQ${++made}`,
      nickname: '攒分的人',
      phone: `139${String(20_000_000 + made)}`,
      city_id: 1,
      register_at: unixNow(),
    })
    .returning()
  await database.transaction(tx =>
    earnPoints(tx, {
      member_id: who!.id,
      points,
      expire_at: unixNow() + 90_000,
      biz_kind: 'activity',
      biz_no: `R${who!.id}`,
      title: '测试',
      now: unixNow() - 100,
    }),
  )
  return who!.id
}
const shelf = (more: Partial<typeof points_goods.$inferInsert>) =>
  freshShopGoods(database.db, {
    kind: 'physical',
    name: '测试',
    product_id,
    points_price: 500,
    stock: 50,
    delivery: 'express',
    status: 'on',
    ...more,
  })
const atOnce = (works: readonly (() => Promise<unknown>)[]): Promise<string[]> =>
  Promise.all(
    works.map(work =>
      work().then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
          throw error
        },
      ),
    ),
  )
const wins = (said: readonly string[]) => said.filter(one => one === 'done').length
const place = (member_id: number, goods: { id: number }) => () =>
  database.transaction(tx =>
    placeExchange(tx, {
      proved: true,
      member_id,
      points_goods_id: goods.id,
      qty: 1,
      receiver: home,
      now: unixNow(),
    }),
  )

describe('at the same moment', () => {
  it('the last points of a member go to one exchange', async () => {
    const goods = await shelf({})
    for (let round = 0; round < ROUNDS; round++) {
      const who = await saver(700)
      const said = await atOnce(Array.from({ length: 3 }, () => place(who, goods)))
      expect([wins(said), said.filter(one => one === 'points_short').length]).toEqual([1, 2])
      expect((await database.db.select().from(member).where(eq(member.id, who)))[0]!.points).toBe(
        200,
      )
    }
  })
  it('the last piece goes to one member, and nobody has more than is allowed', async () => {
    const last = await shelf({ stock: 1 })
    const savers = [await saver(5000), await saver(5000), await saver(5000)]
    expect(wins(await atOnce(savers.map(who => place(who, last))))).toBe(1)
    const one = await shelf({ limit_per_member: 1 })
    expect(wins(await atOnce(Array.from({ length: 3 }, () => place(savers[0]!, one))))).toBe(1)
  })
  it('an exchange is given back once, and what is issued is asked for once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const who = await saver(500)
      const row = await place(who, await shelf({}))()
      await atOnce(
        Array.from(
          { length: 3 },
          () => () =>
            database.transaction(tx =>
              openRefund(tx, {
                order_id: row.id,
                wanted: 'all',
                source: 'member',
                cause: 'compensate',
                reason: '不要了',
                actor: { type: 'member' },
                now: unixNow(),
              }),
            ),
        ),
      )
      expect([
        (await database.db.select().from(member).where(eq(member.id, who)))[0]!.points,
        (await database.db.select().from(order).where(eq(order.id, row.id)))[0]!.status,
      ]).toEqual([500, 'refunded'])
    }
    await database.db
      .update(issue_attempt)
      .set({ ask_at: unixNow() + 9_000_000 })
      .where(eq(issue_attempt.state, 'pending'))
    const asked: string[] = []
    const channel = {
      name: 'embedded' as const,
      issue: async ({ out_no }: { out_no: string }) => {
        asked.push(out_no)
        return { state: 'success' as const, channel_no: 'C' }
      },
      query: async () => ({ state: 'pending' as const }),
    }
    await place(await saver(500), await shelf({ kind: 'ecard', delivery: 'auto' }))()
    await Promise.all(
      Array.from({ length: 4 }, () => sendIssues({ database, channel, now: unixNow() + 5 })),
    )
    expect(asked).toHaveLength(1)
    expect(await broken(database)).toEqual({})
  })
})
