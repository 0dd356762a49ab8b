import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { ledger_txn, settle_day } from '#src/areas/ledger/ledger.table.ts'
import { lineOf, merchants, ours, type AccountKind } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import type { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { bookRest, markBooked, misfitsAmong } from '#src/areas/settle/backfill.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { bookedElsewhere, bookOrders, tellUses } from '#src/areas/settle/orderBooks.server.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let coupons: typeof product.$inferSelect
let goods: typeof product.$inferSelect
let buyer = 0
let parcel = 0
const quiet = { info: () => {}, warn: () => {}, error: () => {} }
beforeAll(async () => {
  database = await openCopy()
  coupons = (await database.transaction(tx => freshProduct(tx, 'bulks'))).item
  goods = (await database.transaction(tx => freshProduct(tx, 'elist'))).item
})
beforeEach(async () => {
  // Whatever came before has its books: each test leaves its own to be booked.
  await bookRest({ database, log: quiet, now: unixNow() })
})
const receiver = { name: '王芳', phone: '13900000001', area: '上海市徐汇区', address: '漕溪路1号' }
const placed = (item: typeof product.$inferSelect, qty = 2, now = unixNow() - 3600) =>
  database.transaction(tx =>
    placeOrder(tx, {
      proved: true,
      member_id: ++buyer,
      product_id: item.id,
      qty,
      ...(item.kind === 'elist' && { receiver, freight_cents: 800 }),
      now,
    }),
  )
const bought = async (item: typeof product.$inferSelect, qty = 2, now = unixNow() - 3600) => {
  const { id } = await placed(item, qty, now)
  await database.transaction(tx => payOrder(tx, id, now))
  return id
}
const linesOf = (id: number) =>
  database.db
    .select()
    .from(settle_line)
    .where(eq(settle_line.order_id, id))
    .orderBy(settle_line.item_id, settle_line.unit_no)
const codesOf = (id: number) =>
  database.db.select().from(order_code).where(eq(order_code.order_id, id)).orderBy(order_code.id)
const used = (code_id: number, now = unixNow()) =>
  database.transaction(tx => redeem(tx, { code_id, store_id: coupons.store_ids[0]!, now }))
const received = (order_id: number) =>
  database.transaction(async tx => {
    const now = unixNow()
    await ship(tx, {
      order_id,
      courier: 'shunfeng',
      tracking_no: `SF${String(7_000_000_000_000 + ++parcel)}`,
      actor: { type: 'staff', id: 1 },
      now,
    })
    await receive(tx, { order_id, actor: { type: 'member' }, now })
  })
const givenBack = async (order_id: number) => {
  await database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted: 'all',
      type: 'return_refund',
      returned: 'good',
      source: 'staff',
      cause: 'compensate',
      reason: '退货',
      actor: { type: 'staff', id: 1 },
      by: { id: 1, limit_cents: 1e9 },
      now: unixNow(),
    }),
  )
  await finishPayouts(database, unixNow())
}
/** Settles what of an order is on hold, as a batch would. */
const settled = (order_id: number) =>
  database.transaction(async tx => {
    const lines = await tx
      .update(settle_line)
      .set({ status: 'settled', settled_at: unixNow() })
      .where(and(eq(settle_line.order_id, order_id), eq(settle_line.status, 'freezing')))
      .returning()
    const cents = lines.reduce((all, line) => all + line.merchant_cents, 0)
    await tellUses(
      tx,
      lines.map(line => line.id),
      unixNow(),
    )
    await post(tx, {
      biz: 'settle',
      biz_id: order_id,
      biz_no: `JS${order_id}`,
      idem_key: `settle:test:${order_id}`,
      at: unixNow(),
      lines: [
        ...lineOf(merchants('merchant_frozen', lines[0]!.merchant_id), cents),
        ...lineOf(merchants('merchant_balance', lines[0]!.merchant_id), -cents),
      ],
    })
    return cents
  })
const spent = (merchant_id: number, cents: number) =>
  database.transaction(tx =>
    post(tx, {
      biz: 'withdraw_paid',
      biz_id: 0,
      biz_no: 'TX',
      idem_key: `spent:${merchant_id}:${++parcel}`,
      at: unixNow(),
      lines: [
        ...lineOf(merchants('merchant_balance', merchant_id), cents),
        ...lineOf(ours('bank_cash'), -cents),
      ],
    }),
  )
const held = (kind: AccountKind, merchant_id: number) =>
  balanceOf(database.db, merchants(kind, merchant_id))
const keysOf = async (ids: readonly number[]) =>
  (
    await database.db.execute<{ told: string }>(
      sql`select t.idem_key || ' ' || t.day || ' ' || a.kind || ' ' || a.owner_id || ' ' || e.amount_cents || ' ' || e.order_id told from ledger_entry e join ledger_txn t on t.id = e.txn_id join ledger_account a on a.id = e.account_id where e.order_id = any(${sql.param([...ids])}::int[]) order by 1`,
    )
  ).rows.map(row => row.told)

describe('an order', () => {
  it('that is paid has lines and stands in escrow; used and taken back it moves there and back', async () => {
    const id = await bought(coupons)
    expect((await linesOf(id)).map(line => [line.unit_no, line.status])).toEqual([
      [1, 'not_settled'],
      [2, 'not_settled'],
    ])
    const [code] = await codesOf(id)
    const record = await used(code!.id)
    const [first, second] = await linesOf(id)
    expect(first).toMatchObject({
      status: 'freezing',
      verify_id: record!.id,
      freeze_until_at: record!.hold_until,
      merchant_cents: record!.settle_cents,
      commission_cents: record!.commission_cents,
    })
    expect(second!.status).toBe('not_settled')
    await database.transaction(tx =>
      reverseRedemption(tx, {
        record_id: record!.id,
        by: { admin_id: 1 },
        reason: '扫错码',
        now: unixNow(),
      }),
    )
    expect((await linesOf(id))[0]).toMatchObject({ status: 'not_settled', verify_id: null })
    expect(await brokenBooks(database)).toEqual({})
  })
  it('that nobody pays has lines too, which its end cancels', async () => {
    const { id } = await placed(coupons)
    expect(await linesOf(id)).toEqual([])
    expect(await bookRest({ database, log: quiet, now: unixNow() })).toBeGreaterThan(0)
    expect((await linesOf(id)).map(line => line.status)).toEqual([
      'pending_payment',
      'pending_payment',
    ])
    await database.transaction(tx => closeUnpaid(tx, id, unixNow()))
    expect((await linesOf(id)).map(line => line.status)).toEqual(['canceled', 'canceled'])
    expect(await keysOf([id])).toEqual([])
  })
  it('whose transaction fails leaves nothing in the books', async () => {
    const { id } = await placed(coupons)
    await expect(
      database.transaction(async tx => {
        await payOrder(tx, id, unixNow())
        throw new Error('lost')
      }),
    ).rejects.toThrow('lost')
    expect([await linesOf(id), await keysOf([id])]).toEqual([[], []])
  })
  it('given back after it was settled takes the balance, and what is short is owed', async () => {
    const id = await bought(goods, 1)
    await received(id)
    const [line] = (await linesOf(id)).filter(one => one.unit_no > 0)
    expect((await linesOf(id)).map(one => one.status)).toEqual(['freezing', 'freezing'])
    const merchant_id = line!.merchant_id
    const cents = await settled(id)
    await spent(merchant_id, -(await held('merchant_balance', merchant_id)) - 100)
    const before = await held('merchant_debt', merchant_id)
    await givenBack(id)
    expect(await held('merchant_balance', merchant_id)).toBe(0)
    // The freight is not given back: it was sent.
    const freight = (await linesOf(id)).find(one => one.unit_no === 0)!
    expect((await held('merchant_debt', merchant_id)) - before).toBe(
      cents - freight.merchant_cents - 100,
    )
    expect((await linesOf(id)).find(one => one.unit_no > 0)!.status).toBe('refunded')
    expect(await brokenBooks(database)).toEqual({})
  })
  it('and another, settled for one merchant and given back at the same moment, take no more than is there', async () => {
    const ids = [await bought(goods, 1), await bought(goods, 1), await bought(goods, 1)]
    for (const id of ids) {
      await received(id)
      await settled(id)
    }
    const merchant_id = goods.merchant_id
    await spent(merchant_id, -(await held('merchant_balance', merchant_id)) - 500)
    await Promise.all(ids.map(givenBack))
    await finishPayouts(database, unixNow() + 7200)
    expect(await held('merchant_balance', merchant_id)).toBe(0)
    expect(await brokenBooks(database)).toEqual({})
  })
  it('tells of its redemptions where their money is', async () => {
    const id = await bought(coupons, 1)
    const [code] = await codesOf(id)
    const record = await used(code!.id)
    const [line] = await linesOf(id)
    const state = async (set: Partial<typeof settle_line.$inferInsert>, now = unixNow()) => {
      await database.db.update(settle_line).set(set).where(eq(settle_line.id, line!.id))
      await database.transaction(tx => tellUses(tx, [line!.id], now))
      const [row] = await database.db
        .select()
        .from(verify_record)
        .where(eq(verify_record.id, record!.id))
      return row!.settle_state
    }
    expect(await state({ batch_id: 5 })).toBe('settling')
    expect(await state({ batch_id: null })).toBe('holding')
    expect(await state({ batch_id: null }, record!.hold_until)).toBe('available')
    expect(await state({ batch_id: 6, status: 'settled' })).toBe('settled')
    await state({ batch_id: null, status: 'freezing' })
  })
})

describe('orders of before there were books', () => {
  const unbooked = (n: number, now = unixNow() - 3600) =>
    bookedElsewhere(async () => {
      const ids: number[] = []
      for (let at = 0; at < n; at++) {
        const id = await bought(at % 2 ? goods : coupons, 2, now)
        const [code] = await codesOf(id)
        if (code) await used(code.id, now + 60)
        else await received(id)
        ids.push(id)
      }
      return ids
    })
  it('are booked in pieces, one after a kill as well, and as each would be by itself', async () => {
    const ids = await unbooked(5)
    expect(await misfitsAmong(database.db, ids)).toHaveLength(5)
    let alone: string[] = []
    await database
      .transaction(async tx => {
        for (const id of ids) await bookOrders(tx, [id], unixNow())
        const { rows } = await tx.execute<{ told: string }>(
          sql`select t.idem_key || ' ' || t.day || ' ' || a.kind || ' ' || a.owner_id || ' ' || e.amount_cents || ' ' || e.order_id told from ledger_entry e join ledger_txn t on t.id = e.txn_id join ledger_account a on a.id = e.account_id where e.order_id = any(${sql.param(ids)}::int[]) order by 1`,
        )
        alone = rows.map(row => row.told)
        throw new Error('undone')
      })
      .catch(() => {})
    expect(await bookRest({ database, log: quiet, now: unixNow(), size: 2, pieces: 1 })).toBe(2)
    expect(await bookRest({ database, log: quiet, now: unixNow(), size: 2 })).toBe(3)
    expect(await keysOf(ids)).toEqual(alone)
    expect(alone.length).toBeGreaterThan(20)
    expect(await misfitsAmong(database.db, ids)).toEqual([])
    // Asked for all of them once more, it moves nothing.
    await markBooked(database.db, ids[0]! - 1)
    await bookRest({ database, log: quiet, now: unixNow() })
    expect(await keysOf(ids)).toEqual(alone)
    expect(await brokenBooks(database)).toEqual({})
  })
  it('are booked by two servers at once, each once', async () => {
    const ids = await unbooked(4)
    await Promise.all(
      [1, 2, 3].map(() => bookRest({ database, log: quiet, now: unixNow(), size: 1 })),
    )
    await bookRest({ database, log: quiet, now: unixNow() })
    expect(await misfitsAmong(database.db, ids)).toEqual([])
    expect(await brokenBooks(database)).toEqual({})
  })
  it('are booked but for one that can’t be, which is told and booked when it can', async () => {
    const ids = await unbooked(3)
    await database.db.execute(
      sql.raw(
        `create function refuse_one() returns trigger language plpgsql as $$ begin if new.order_id = ${ids[1]} then raise exception 'not this one'; end if; return new; end $$`,
      ),
    )
    await database.db.execute(
      sql`create trigger refuse_one before insert on settle_line for each row execute function refuse_one()`,
    )
    const told: unknown[] = []
    await bookRest({
      database,
      log: { ...quiet, error: (of: unknown) => void told.push(of) },
      now: unixNow(),
    })
    await database.db.execute(sql`drop trigger refuse_one on settle_line`)
    expect(told).toMatchObject([{ order: ids[1] }])
    expect(await misfitsAmong(database.db, ids)).toHaveLength(1)
    // It is booked whole when it is next touched.
    await database.transaction(tx => bookOrders(tx, [ids[1]!], unixNow()))
    expect(await misfitsAmong(database.db, ids)).toEqual([])
  })
  it('go into today where their day is closed, and say which it was', async () => {
    const then = unixNow() - 40 * DAY
    const [id] = await bookedElsewhere(async () => [await bought(coupons, 1, then)])
    await database.db
      .insert(settle_day)
      .values({ day: dateOf(then), status: 'closed' })
      .onConflictDoUpdate({ target: settle_day.day, set: { status: 'closed' } })
    await bookRest({ database, log: quiet, now: unixNow() })
    const days = await database.db
      .select({ day: ledger_txn.day, memo: ledger_txn.memo })
      .from(ledger_txn)
      .where(
        inArray(
          ledger_txn.biz_no,
          (await database.db.select().from(order).where(eq(order.id, id!))).map(
            one => one.order_no,
          ),
        ),
      )
    const memo = joined([`补记 ${dateOf(then)}`, `Belongs to ${dateOf(then)}`])
    expect(days).toEqual([
      { day: dateOf(unixNow()), memo },
      { day: dateOf(unixNow()), memo },
    ])
    await database.db.delete(settle_day).where(eq(settle_day.day, dateOf(then)))
  })
  it('keep the lines that they had, under their ids, and what was settled', async () => {
    const [id] = await unbooked(1)
    const [row] = await database.db.select().from(order).where(eq(order.id, id!))
    const [code] = await codesOf(id!)
    const [old] = await database.db
      .insert(settle_line)
      .values({
        order_id: id!,
        item_id: code!.item_id,
        unit_no: 1,
        order_kind: 'bulks',
        merchant_id: row!.merchant_id,
        store_id: row!.store_id,
        mall_id: row!.mall_id,
        city_id: row!.city_id,
        price_cents: 5,
        commission_cents: 1,
        fee_cents: 0,
        merchant_cents: 4,
        status: 'settled',
        settled_at: unixNow() - 10,
      })
      .returning()
    await bookRest({ database, log: quiet, now: unixNow() })
    const [first] = await linesOf(id!)
    expect(first).toMatchObject({
      id: old!.id,
      status: 'settled',
      base_cents: code!.pay_cents + code!.platform_cents,
      merchant_cents: code!.settle_cents,
    })
    expect(await brokenBooks(database)).toEqual({})
  })
})
