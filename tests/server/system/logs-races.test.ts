import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { buy_limit_log } from '#src/areas/limit/limit.table.ts'
import { spendRelease } from '#src/areas/limit/releases.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { ip_ban } from '#src/areas/log/trace.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { tuan } from '#src/modules/audit/contract.ts'
import { buyLimitLog } from '#src/modules/system/contract/buyLimitLog.ts'
import { loginLogs } from '#src/modules/system/contract/loginLogs.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send, type Said } from '../../help/app.ts'
import { freshProduct } from '../../help/trade.ts'

/**
 * Real concurrency needs a real server: the embedded database has one connection, so nothing in it
 * happens at once.
 */
onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let boss: { id: number; token: string }
  beforeAll(async () => {
    database = await openCopy({ poolSize: 40 })
    app = await openApp(database)
    boss = await addStaff(database, { perms: ['*'] })
  })
  const together = (n: number, run: (at: number) => Promise<Said>) =>
    Promise.all(Array.from({ length: n }, (_, at) => run(at)))
  const done = (said: readonly Said[]) => said.filter(one => one.status === 200).length
  const blocks = async () => {
    const [item] = await database.db
      .select()
      .from(product)
      .where(and(eq(product.state, 'on_sale'), sql`${product.stock} > 20`))
      .limit(1)
    return database.db
      .insert(buy_limit_log)
      .values(
        Array.from({ length: 6 }, () => ({
          member_id: 11,
          product_id: item!.id,
          city_id: item!.city_id,
          mall_id: item!.mall_id,
          rule: 'per_person' as const,
          limit_n: 1,
          bought_n: 1,
          asked_n: 1,
        })),
      )
      .returning()
  }
  it('six blocks of one member and product are released: one is, and six orders use it: one does', async () => {
    await database.db
      .update(buy_limit_log)
      .set({ result: 'blocked' })
      .where(and(eq(buy_limit_log.member_id, 11), eq(buy_limit_log.result, 'released')))
    const rows = await blocks()
    const said = await together(6, at =>
      send(
        app,
        buyLimitLog.releaseOnce,
        { id: rows[at]!.id, version: 0, reason: '客诉安抚', expire_at: unixNow() + 3600 },
        { token: boss.token },
      ),
    )
    expect(done(said)).toBe(1)
    expect(said.every(one => [200, 409, 422].includes(one.status))).toBe(true)
    const orders = await database.db.select({ id: order.id }).from(order).limit(6)
    const used = await Promise.allSettled(
      orders.map(one =>
        database.transaction(tx =>
          spendRelease(
            tx,
            { member_id: 11, product_id: rows[0]!.product_id!, order_id: one.id, qty: 1 },
            unixNow(),
          ),
        ),
      ),
    )
    expect(used.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect(
      await database.db
        .select()
        .from(buy_limit_log)
        .where(
          and(
            inArray(
              buy_limit_log.id,
              rows.map(row => row.id),
            ),
            eq(buy_limit_log.result, 'used'),
          ),
        ),
    ).toHaveLength(1)
  })
  it('one change is taken back by six: once, with one row that points to it', async () => {
    const { item } = await database.transaction(tx => freshProduct(tx))
    await database.db.execute(
      sql`update merchant set contract_end_at = null where id = ${item.merchant_id}`,
    )
    await send(
      app,
      tuan.batchUpdateStartAndCheckTime,
      {
        mode: 'set',
        product_ids: [item.id],
        sale_end_at: item.sale_end_at + 86_400,
        check_end_at: item.check_end_at + 86_400,
        reason: '活动延期',
      },
      { token: boss.token },
    )
    const [row] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'product'), eq(op_log.object_id, item.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(
      done(
        await together(6, () =>
          send(app, logs.revert, { id: row!.id, reason: '改错了' }, { token: boss.token }),
        ),
      ),
    ).toBe(1)
    expect(
      await database.db
        .select()
        .from(op_log)
        .where(and(eq(op_log.reverts_id, row!.id), eq(op_log.result, 'ok'))),
    ).toHaveLength(1)
    const [now] = await database.db.select().from(product).where(eq(product.id, item.id))
    expect(now!.sale_end_at).toBe(item.sale_end_at)
  })
  it('one address is banned by six: once', async () => {
    expect(
      done(
        await together(6, () =>
          send(
            app,
            loginLogs.banIp,
            { ip: '198.51.100.99', hours: 2, reason: '撞库' },
            { token: boss.token },
          ),
        ),
      ),
    ).toBe(1)
    expect(
      await database.db.select().from(ip_ban).where(eq(ip_ban.ip, '198.51.100.99')),
    ).toHaveLength(1)
  })
})
