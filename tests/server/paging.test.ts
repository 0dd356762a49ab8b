// Run @embedded too: the order of texts is the database’s.
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { login_log, op_log } from '#src/areas/log/log.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { ENDING_SOON_S } from '#src/areas/raise/raise.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { OrderPage, QuickFilter } from '#src/modules/order/contract/shared.ts'
import { exchangedFor, manyOnBill, partAt, soldAs } from '#src/modules/order/server/search.ts'
import { orderHandlers } from '#src/modules/order/server/shared.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import {
  countAmong,
  countedLately,
  isAmong,
  keptTotals,
  listed,
  pageOf,
  type Among,
} from '#src/server/db/paging.ts'
import { openCopy } from '../farm.ts'

let database: Database
let known: { products: number[]; stores: number[]; goods: number[]; ids: number[] }
beforeAll(async () => {
  database = await openCopy()
  const some = async (column: string, table: string) =>
    (
      await database.db.execute<{ id: number }>(
        sql.raw(
          `select distinct ${column} id from ${table} where ${column} is not null order by 1 limit 60`,
        ),
      )
    ).rows.map(row => row.id)
  known = {
    products: await some('product_id', 'order_item'),
    stores: await some('store_id', 'order_item'),
    goods: await some('points_goods_id', 'order_item'),
    ids: await some('id', '"order"'),
  }
})

describe('a quick filter that goes through other rows', () => {
  const now = unixNow()
  const plainly: [OrderPage, OrderKind, QuickFilter, SQL][] = [
    [
      'card',
      'card',
      'gift',
      sql`exists (select 1 from order_code c where c.order_id = "order"."id" and c.gift_state = 'sent')`,
    ],
    [
      'visitor',
      'visitor',
      'bind_asked',
      sql`exists (select 1 from order_bind b where b.order_id = "order"."id" and b.state = 'asked')`,
    ],
    [
      'card',
      'card',
      'times_asked',
      sql`exists (select 1 from times_ask a where a.order_id = "order"."id" and a.state = 'asked')`,
    ],
    [
      'voucher',
      'voucher',
      'cash_out',
      sql`(exists (select 1 from verify_record v where v.order_id = "order"."id" and v.abnormal) or exists (select 1 from risk_hit h where h.rule = 'cash_out' and h.state <> 'released' and h.order_ids @> to_jsonb("order"."id")))`,
    ],
    [
      'pointsShopList',
      'points',
      'delivery_failed',
      sql`("order"."fulfil_state" = 'issue_failed' or exists (select 1 from shipment p where p.order_id = "order"."id" and p.state = 'problem'))`,
    ],
    [
      'raiseList',
      'raise',
      'raise_ending',
      sql`"order"."fulfil_state" = 'waiting_group' and exists (select 1 from raise_batch b where b.id = "order"."raise_batch_id" and b.state = 'raising' and b.end_at < ${now + ENDING_SOON_S})`,
    ],
    [
      'raiseList',
      'raise',
      'raise_owing',
      sql`"order"."fulfil_state" = 'waiting_group' and exists (select 1 from raise_batch b where b.id = "order"."raise_batch_id" and b.state = 'failed')`,
    ],
  ]
  it.each(plainly)(
    'of %s: %s orders that are %s are those that its words say, in the list, its total and its tabs',
    async (page, kind, quick, where) => {
      const { lst, counts } = orderHandlers(page, [kind])
      const context = {
        db: database.db,
        staff: { id: 1, scope: everything, lang: 'zh' as const },
        now,
      }
      const all = (
        await database.db
          .select({ id: order.id })
          .from(order)
          .where(and(eq(order.kind, kind), where))
          .orderBy(desc(order.created_at), desc(order.id))
      ).map(row => row.id)
      const { list, total } = await lst(
        { status: 'all', quick, page: 1, pageSize: 200 },
        context as never,
      )
      expect([
        list.map(row => row.id),
        total,
        (await counts({ status: 'all', quick }, context as never)).all,
      ]).toEqual([all.slice(0, 200), all.length, all.length])
    },
  )
})

describe('what is found in several ways', () => {
  const someOf = (of: readonly number[]) => fc.subarray([...of], { minLength: 0, maxLength: 8 })
  const kinds = ['bulks', 'elist', 'combo', 'points', 'voucher'] as const
  let jumps = 0
  it('stands on its pages each once, in order, with none left out; as many as are counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          kind: fc.constantFrom(...kinds),
          products: someOf(known.products),
          stores: someOf(known.stores),
          goods: someOf(known.goods),
          ids: someOf(known.ids),
          paid: fc.boolean(),
          bills: fc.boolean(),
          pageSize: fc.integer({ min: 1, max: 40 }),
        }),
        async ({ kind, products, stores, goods, ids, paid, bills, pageSize }) => {
          const atStores = stores.length > 0 ? [{ column: order.store_id, values: stores }] : []
          const among: Among = [
            ...(products.length > 0 ? soldAs([kind], products) : []),
            ...(kind === 'combo' ? partAt(stores) : atStores),
            ...(kind === 'points' ? exchangedFor(goods) : []),
            ...(kind === 'voucher' && bills ? manyOnBill : []),
            ...(ids.length > 0 ? [sql`${order.id} = any(${sql.param(ids)}::int[])`] : []),
          ]
          const asked = {
            own: eq(order.kind, kind),
            where: paid ? eq(order.pay_state, 'paid') : undefined,
            among,
          }
          // The same, said plainly.
          const [some, shops, things, those] = [products, stores, goods, ids].map(
            of => sql`any(${sql.param(of)}::int[])`,
          ) as [SQL, SQL, SQL, SQL]
          const plainly = sql`(exists (select 1 from order_item i where i.order_id = "order"."id" and (i.product_id = ${some} or ${kind === 'combo'} and i.store_id = ${shops} or ${kind === 'points'} and i.points_goods_id = ${things})) or ${kind !== 'combo'} and "order"."store_id" = ${shops} or "order"."id" = ${those}
        or ${kind === 'voucher' && bills} and exists (select 1 from verify_record v where v.order_id = "order"."id" and v.bill_many and v.state = 'valid'))`
          const all = (
            await database.db
              .select({ id: order.id })
              .from(order)
              .where(and(asked.own, asked.where, plainly))
              .orderBy(desc(order.created_at), desc(order.id))
          ).map(row => row.id)
          const seen: number[] = []
          for (let page = 1; ; page++) {
            const rows = await pageOf(database.db, order, {
              ...asked,
              by: order.created_at,
              down: true,
              page,
              pageSize,
              reader: `test ${JSON.stringify([kind, products, stores, goods, ids, paid, bills])}`,
            })
            seen.push(...rows.map(row => row.id))
            if (rows.length < pageSize) break
          }
          expect(seen).toEqual(all)
          // A page nobody came to by the one before it.
          const jumped = await pageOf(database.db, order, {
            ...asked,
            by: order.created_at,
            down: true,
            page: 3,
            pageSize,
            reader: `jump ${++jumps}`,
          })
          expect(jumped.map(row => row.id)).toEqual(all.slice(2 * pageSize, 3 * pageSize))
          expect(await countAmong(database.db, order, asked)).toEqual({
            total: all.length,
            capped: false,
          })
          expect(
            (await database.db.select({ id: order.id }).from(order).where(isAmong(order, asked)))
              .length,
          ).toBe(all.length)
        },
      ),
      { numRuns: 25 },
    )
  })
  it('is nothing where no way is left', async () => {
    const asked = { own: eq(order.kind, 'bulks'), where: undefined, among: [] }
    expect(
      await pageOf(database.db, order, {
        ...asked,
        by: order.created_at,
        page: 1,
        pageSize: 5,
        reader: 'none',
      }),
    ).toEqual([])
    expect(await countAmong(database.db, order, asked)).toEqual({ total: 0, capped: false })
  })
  it('is counted once, however many of its lines say the same', async () => {
    const [twice] = (
      await database.db.execute<{ product_id: number }>(
        sql`select product_id from order_item where kind = 'bulks' group by product_id order by count(*) desc limit 1`,
      )
    ).rows
    const way = soldAs(['bulks'], [twice!.product_id])
    const asked = { own: eq(order.kind, 'bulks'), where: undefined, among: way }
    const before = await countAmong(database.db, order, asked)
    const [line] = await database.db
      .select()
      .from(order_item)
      .where(and(eq(order_item.kind, 'bulks'), eq(order_item.product_id, twice!.product_id)))
      .limit(1)
    const { id: _, ...copy } = line!
    await database.db.insert(order_item).values(Array.from({ length: 30 }, () => copy))
    expect(await countAmong(database.db, order, asked)).toEqual(before)
    const page = await pageOf(database.db, order, {
      ...asked,
      by: order.created_at,
      down: true,
      page: 1,
      pageSize: 50,
      reader: 'twice',
    })
    expect(new Set(page.map(row => row.id)).size).toBe(Math.min(50, before.total))
  })
})

describe('the total of a list', () => {
  it('is counted with its first page and stands while one reads on; each reader has their own', async () => {
    let counted = 0
    const ask = (reader: string, page: number) =>
      keptTotals(database.db, reader, page === 1, () => Promise.resolve({ total: ++counted }))
    expect(
      [
        await ask('7|totals', 1),
        await ask('7|totals', 2),
        await ask('7|totals', 9),
        await ask('8|totals', 2),
        await ask('7|totals', 1),
        await ask('7|totals', 3),
      ].map(one => one.total),
    ).toEqual([1, 1, 1, 2, 3, 3])
  })
  it('that could not be counted is not kept', async () => {
    await expect(
      keptTotals(database.db, '9|totals', true, () => Promise.reject(new Error('gone'))),
    ).rejects.toThrow('gone')
    expect(
      await keptTotals(database.db, '9|totals', false, () => Promise.resolve({ total: 5 })),
    ).toEqual({
      total: 5,
    })
  })
})

describe('a page', () => {
  const tables = { order, refund, audit_task, op_log, login_log } as const
  it.each(Object.keys(tables) as (keyof typeof tables)[])(
    'of %s has its rows as a plain select answers them, whether they are read by their keys or with them',
    async name => {
      const table = tables[name] as typeof order
      const plain = await database.db
        .select()
        .from(table)
        .orderBy(desc(table.created_at), desc(table.id))
        .limit(60)
      for (const atOnce of [undefined, true] as const) {
        const pages = []
        for (const page of [1, 2, 3])
          pages.push(
            ...(await pageOf(database.db, table, {
              by: table.created_at,
              down: true,
              page,
              pageSize: 20,
              reader: `plain ${name} ${atOnce}`,
              ...(atOnce && { atOnce }),
            })),
          )
        expect(pages).toEqual(plain)
        expect(
          await pageOf(database.db, table, {
            by: table.created_at,
            down: true,
            page: 3,
            pageSize: 20,
            reader: `jump ${name} ${atOnce}`,
            ...(atOnce && { atOnce }),
          }),
        ).toEqual(plain.slice(40))
      }
    },
  )
  it('leaves the columns that it is told to leave, and is else the same', async () => {
    const asked = { by: audit_task.submitted_at, down: true, page: 1, pageSize: 20 }
    const whole = await pageOf(database.db, audit_task, { ...asked, reader: 'whole rows' })
    const bare = await pageOf(database.db, audit_task, {
      ...asked,
      reader: 'bare rows',
      but: ['grams', 'undo'],
    })
    expect(bare).toStrictEqual(whole.map(({ grams: _, undo: __, ...rest }) => rest))
    expect(bare).toHaveLength(20)
  })
  it('that is the first and not full is all there is; of any other the rows are counted', async () => {
    let counted = 0
    const count = async () => {
      counted++
      return { total: 41, capped: false }
    }
    const rows = (n: number) => Array.from({ length: n }, (_, id) => ({ id }))
    expect([
      (await listed({ page: 1, pageSize: 20 }, rows(7), rows(7), count)).total,
      counted,
    ]).toEqual([7, 0])
    expect([
      (await listed({ page: 1, pageSize: 20 }, rows(20), rows(20), count)).total,
      counted,
    ]).toEqual([41, 1])
    expect(
      await listed({ page: 3, pageSize: 20 }, rows(1), Promise.resolve(rows(1)), count),
    ).toEqual({ list: [{ id: 0 }], total: 41 })
    expect(
      await listed({ page: 2, pageSize: 20 }, rows(20), [], async () => ({
        total: 10_000,
        capped: true,
      })),
    ).toEqual({ list: [], total: 10_000, capped: true })
    expect(counted).toBe(2)
  })
  it('of more than a list counts is not counted again within two seconds; what can be counted always is', async () => {
    let [counted, total] = [0, 20_000]
    const seconds = vi.spyOn(performance, 'now')
    const at = (s: number, of = 'all') => {
      seconds.mockReturnValue(s * 1000)
      return countedLately(database.db, of, async () => {
        counted++
        return { total: Math.min(total, 10_000), capped: total > 10_000 }
      })
    }
    expect([await at(100), await at(101.9), await at(101.9, 'of a city'), counted]).toEqual([
      { total: 10_000, capped: true },
      { total: 10_000, capped: true },
      { total: 10_000, capped: true },
      2,
    ])
    total = 41
    expect([await at(102.1), await at(102.2), counted]).toEqual([
      { total: 41, capped: false },
      { total: 41, capped: false },
      4,
    ])
    seconds.mockRestore()
  })
})
