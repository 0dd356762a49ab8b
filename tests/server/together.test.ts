import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#src/server/db/database.ts'
import { oneOf } from '#src/server/oneOf.ts'
import { mall } from '#src/server/tables/place.ts'
import { merchant, store } from '#src/server/tables/merchant.ts'
import { order, order_code, order_item, payment, refund, roll_group } from '#src/server/tables/order.ts'
import { together } from '#src/server/together.ts'
import { openCopy } from '../farm.ts'

let database: Database
let ids: number[]
beforeAll(async () => {
  database = await openCopy()
  ids = (await database.db.select({ id: order.id }).from(order).where(ne(order.refund_state, 'none')).orderBy(desc(order.id)).limit(80)).map(row => row.id)
})

describe('reads asked together', () => {
  it('answer what each of them answers alone: whole rows, chosen columns, tables within rows, what a left join does not find', async () => {
    const { db } = database
    const reads = () => ({
      orders: db.select().from(order).where(oneOf(order.id, ids)).orderBy(asc(order.id)),
      items: db.select({ order_id: order_item.order_id, title: order_item.title, snapshot: order_item.snapshot, note: order_item.issue_note }).from(order_item).where(oneOf(order_item.order_id, ids)).orderBy(desc(order_item.id)),
      placed: db.select({ store, seller: { name: merchant.name, mall: mall.name } }).from(store).innerJoin(merchant, eq(merchant.id, store.merchant_id)).leftJoin(mall, eq(mall.id, store.mall_id)).orderBy(store.id).limit(200),
      codes: db.select().from(order_code).where(and(oneOf(order_code.order_id, ids), ne(order_code.state, 'void'))).orderBy(order_code.id),
      refunds: db.select().from(refund).where(oneOf(refund.order_id, ids)).orderBy(refund.id),
      payments: db.select().from(payment).where(oneOf(payment.order_id, ids)).orderBy(payment.id),
      groups: db.select().from(roll_group).orderBy(roll_group.id).limit(20),
      words: db.selectDistinct({ word: sql<string>`upper(${order.kind})`, one: sql<number>`1` }).from(order).orderBy(sql`upper(${order.kind})`),
    })
    const found = await together(db, reads())
    for (const [name, alone] of Object.entries(reads())) {
      const rows = await (alone as PromiseLike<unknown[]>)
      expect(rows.length, name).toBeGreaterThan(0)
      expect(found[name as keyof typeof found], name).toEqual(rows)
    }
    expect(found.placed.some(row => row.seller.mall === null)).toBe(true)
  })
  it('answer sums of cents as numbers', async () => {
    const sum = sql<number>`sum(${order.pay_cents})`
    const { sums, own } = await together(database.db, { sums: database.db.select({ all: sum }).from(order).where(oneOf(order.id, ids)), own: database.db.select({ cents: order.pay_cents }).from(order).where(oneOf(order.id, ids)) })
    expect(sums).toEqual([{ all: own.reduce((all, row) => all + row.cents, 0) }])
  })
  it('answer nothing of what finds nothing, nor of what is not asked', async () => {
    const none = database.db.select({ id: order.id }).from(order).where(oneOf(order.id, []))
    expect(await together(database.db, { none, unasked: undefined as typeof none | undefined })).toEqual({ none: [], unasked: [] })
    expect(await together(database.db, { unasked: undefined as typeof none | undefined })).toEqual({ unasked: [] })
  })
})
