import { and, asc, desc, eq, ne, sql, type Placeholder } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { together, type Named } from '#src/server/db/together.ts'
import { openCopy } from '../farm.ts'

let database: Database
let ids: number[]
beforeAll(async () => {
  database = await openCopy()
  ids = (
    await database.db
      .select({ id: order.id })
      .from(order)
      .where(ne(order.refund_state, 'none'))
      .orderBy(desc(order.id))
      .limit(80)
  ).map(row => row.id)
})

describe('reads asked together', () => {
  it('answer what each of them answers alone: whole rows, chosen columns, tables within rows, what a left join does not find', async () => {
    const { db } = database
    const reads = (of: Placeholder | readonly number[]) => ({
      orders: db.select().from(order).where(oneOf(order.id, of)).orderBy(asc(order.id)),
      items: db
        .select({
          order_id: order_item.order_id,
          title: order_item.title,
          snapshot: order_item.snapshot,
          note: order_item.issue_note,
        })
        .from(order_item)
        .where(oneOf(order_item.order_id, of))
        .orderBy(desc(order_item.id)),
      placed: db
        .select({ store, seller: { name: merchant.name, mall: mall.name } })
        .from(store)
        .innerJoin(merchant, eq(merchant.id, store.merchant_id))
        .leftJoin(mall, eq(mall.id, store.mall_id))
        .orderBy(store.id)
        .limit(200),
      codes: db
        .select()
        .from(order_code)
        .where(and(oneOf(order_code.order_id, of), ne(order_code.state, 'void')))
        .orderBy(order_code.id),
      refunds: db.select().from(refund).where(oneOf(refund.order_id, of)).orderBy(refund.id),
      payments: db.select().from(payment).where(oneOf(payment.order_id, of)).orderBy(payment.id),
      groups: db.select().from(roll_group).orderBy(roll_group.id).limit(20),
      words: db
        .selectDistinct({ word: sql<string>`upper(${order.kind})`, one: sql<number>`1` })
        .from(order)
        .orderBy(sql`upper(${order.kind})`),
    })
    const found = await together((_, { some }: Named<'some'>) => reads(some!))(db, { some: ids })
    for (const [name, alone] of Object.entries(reads(ids))) {
      const rows = await (alone as PromiseLike<unknown[]>)
      expect(rows.length, name).toBeGreaterThan(0)
      expect(found[name as keyof typeof found], name).toEqual(rows)
    }
    expect(found.placed.some(row => row.seller.mall === null)).toBe(true)
  })
  it('answer sums of cents as numbers', async () => {
    const sum = sql<number>`sum(${order.pay_cents})`
    const { sums, own } = await together((db, { some }: Named<'some'>) => ({
      sums: db.select({ all: sum }).from(order).where(oneOf(order.id, some!)),
      own: db.select({ cents: order.pay_cents }).from(order).where(oneOf(order.id, some!)),
    }))(database.db, { some: ids })
    expect(sums).toEqual([{ all: own.reduce((all, row) => all + row.cents, 0) }])
  })
  it('answer nothing of what finds nothing, nor of what is not asked', async () => {
    const read = together((db, { some, more }: Named<'some' | 'more'>) => ({
      found: some && db.select({ id: order.id }).from(order).where(oneOf(order.id, some)),
      paid:
        more && db.select({ id: payment.id }).from(payment).where(oneOf(payment.order_id, more)),
    }))
    expect(await read(database.db, { some: [2_000_000_000], more: [] })).toEqual({
      found: [],
      paid: [],
    })
    expect(await read(database.db, { some: [], more: [] })).toEqual({ found: [], paid: [] })
  })
  it('look among what they are given each time, though they are worked out once', async () => {
    let built = 0
    const read = together((db, { some, more }: Named<'some' | 'more'>) => {
      built++
      return {
        found: some && db.select({ id: order.id }).from(order).where(oneOf(order.id, some)),
        paid:
          more &&
          db
            .select({ order_id: payment.order_id, id: payment.id })
            .from(payment)
            .where(and(oneOf(payment.order_id, more), eq(payment.direction, 'in')))
            .orderBy(payment.id),
      }
    })
    for (const id of ids.slice(0, 5)) {
      expect(await read(database.db, { some: [id], more: [] })).toEqual({
        found: [{ id }],
        paid: [],
      })
      const { found, paid } = await read(database.db, { some: [id], more: [id] })
      expect([found, paid.every(one => one.order_id === id)]).toEqual([[{ id }], true])
    }
    expect(built).toBe(2)
  })
})
