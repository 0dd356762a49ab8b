import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { Stopped } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_take, buy_limit_usage } from '#src/areas/limit/limit.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { copyOfTemplate, onlyOn } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import { lastingProduct, onlyOwnRules, ruleOf } from '../../help/limits.ts'

/** Two servers on one database: each has its own connections. */
const twoServers = async (): Promise<[Database, Database]> => {
  const copy = await copyOfTemplate()
  const open = () => openDatabase({ ...copy.options, poolSize: 12 })
  const servers: [Database, Database] = [await open(), await open()]
  atEnd(async () => {
    await servers[0].close()
    await servers[1].close()
    await copy.remove()
  })
  return servers
}

onlyOn('postgres')('at the same moment, on two servers', () => {
  it('orders of different products share one limit: as many get through as fit, and closing gives room once', async () => {
    const servers = await twoServers()
    await onlyOwnRules(servers[0])
    const now = unixNow()
    const products: number[] = []
    for (let n = 0; n < 12; n++) products.push((await lastingProduct(servers[0])).id)
    const rule = await ruleOf(servers[0].db, {
      scope_kind: 'product',
      scope_ids: products,
      per: 'week',
      qty: 7,
    })
    const buy = (at: number) =>
      servers[at % 2]!.transaction(tx =>
        placeOrder(tx, {
          product_id: products[at % products.length]!,
          qty: 2,
          member_id: 31,
          proved: true,
          now,
        }),
      )
    const used = async () =>
      (
        await servers[0].db
          .select({ qty: buy_limit_usage.qty })
          .from(buy_limit_usage)
          .where(eq(buy_limit_usage.rule_id, rule.id))
      )[0]?.qty ?? 0
    const first = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => buy(at)))
    const won = first.flatMap(one => (one.status === 'fulfilled' ? [one.value.id] : []))
    expect(won).toHaveLength(3)
    for (const one of first)
      if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Stopped)
    expect(await used()).toBe(6)

    // Each of them is closed twice at once, while others order.
    const close = (order_id: number, at: number) =>
      servers[at % 2]!.transaction(tx =>
        closeUnpaid(tx, order_id, now, {
          type: 'member',
          actor: { type: 'member' },
          reason: '不买了',
        }),
      )
    const both = await Promise.allSettled([
      ...won.flatMap((id, at) => [close(id, at), close(id, at + 1)]),
      ...Array.from({ length: 20 }, (_, at) => buy(at)),
    ])
    const closed = both.slice(0, won.length * 2)
    expect(closed.every(one => one.status === 'fulfilled')).toBe(true)
    expect(closed.filter(one => one.status === 'fulfilled' && one.value)).toHaveLength(3)
    const more = both.slice(won.length * 2).filter(one => one.status === 'fulfilled').length
    expect(more).toBeLessThanOrEqual(3)
    expect(await used()).toBe(more * 2)
    const takes = await servers[0].db
      .select()
      .from(buy_limit_take)
      .where(eq(buy_limit_take.rule_id, rule.id))
    expect(takes.reduce((sum, one) => sum + one.qty - one.returned, 0)).toBe(more * 2)
  }, 60_000)
})
