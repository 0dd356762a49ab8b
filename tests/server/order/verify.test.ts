import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { redeemOnBill } from '#src/areas/code/bills.server.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { openGroup } from '#src/areas/group/groups.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import {
  bulksVerify as calls,
  rollBuyVerify,
  voucherVerify,
  type VerifyRow,
  type VerifySums,
} from '#src/modules/order/contract/verify.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

const DAY = 86_400
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let usable: number
const offers: Record<'bulks' | 'voucher', typeof product.$inferSelect> = {} as never
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  for (const kind of ['bulks', 'voucher'] as const) {
    const made = await database.transaction(tx => freshProduct(tx, kind))
    ;[offers[kind]] = (await database.db
      .update(product)
      .set({
        stock: 10_000,
        price_cents: 85_01,
        ...(kind === 'voucher' && { face_cents: 100_00, min_spend_cents: 0, per_bill_limit: 5 }),
        check_start_at: unixNow() - 9 * DAY,
        check_end_at: unixNow() + 90 * DAY,
        sale_start_at: unixNow() - 9 * DAY,
        sale_end_at: unixNow() + 90 * DAY,
      })
      .where(eq(product.id, made.item.id))
      .returning()) as [typeof product.$inferSelect]
    await database.db.execute(
      sql`update product_version set body = body || '{"exclude_weekdays": [], "unavailable_dates": [], "use_time": "全天"}'::jsonb where product_id = ${offers[kind].id}`,
    )
    usable ||= (
      await database.db.execute<{ id: number }>(
        sql`select id from store where merchant_id = ${offers.bulks.merchant_id} and city_id = ${offers.bulks.city_id} and status = 'open' limit 1`,
      )
    ).rows[0]!.id
    await database.db.execute(
      sql`insert into product_store (product_id, store_id) values (${offers[kind].id}, ${usable})`,
    )
  }
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
/** Makes a redemption one of another time; its order knows when it was last used. */
const redeemedAt = async (id: number, at: number) => {
  const [record] = await database.db
    .update(verify_record)
    .set({ verified_at: at })
    .where(eq(verify_record.id, id))
    .returning()
  await database.db.execute(
    sql`update "order" o set used_at = (select max(verified_at) from verify_record v where v.order_id = o.id and v.state = 'valid') where o.id = ${record!.order_id}`,
  )
}
let buyer = 100
const bought = async (kind: 'bulks' | 'voucher', qty = 1, more: object = {}) => {
  const now = unixNow() - 3 * 3600
  const id = await database.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      product_id: offers[kind].id,
      member_id: ++buyer,
      qty,
      now,
      ...more,
    })
    await payOrder(tx, one.id, now)
    return one.id
  })
  return {
    id,
    codes: await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, id))
      .orderBy(order_code.id),
  }
}
const used = async (
  qty = 1,
  more: {
    by?: { admin_id?: number; verifier_id?: number }
    at?: number
    distance_m?: number
    store_id?: number
  } = {},
) => {
  const { id, codes } = await bought('bulks', qty)
  const records = []
  for (const code of codes)
    records.push(
      (await database.transaction(tx =>
        redeem(tx, {
          code_id: code.id,
          store_id: more.store_id ?? usable,
          now: more.at ?? unixNow(),
          ...(more.by && { by: more.by, way: 'platform' as const }),
          ...(more.distance_m !== undefined && { distance_m: more.distance_m }),
        }),
      ))!,
    )
  return { id, codes, records, one: { id: records[0]!.id, version: records[0]!.version } }
}
const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
type Sums = {
  all: VerifySums
  reversed: VerifySums
  net: VerifySums
  bills: { n: number; cents: number } | null
}
const lst = async (what: Parameters<typeof send>[1], filters: object) =>
  (await call(what, filters)).data as { list: VerifyRow[]; total: number }
const flagsOf = async (what: Parameters<typeof send>[1], order_id: number) => {
  const [row] = await database.db.select().from(order).where(eq(order.id, order_id))
  return (await lst(what, { q: row!.order_no })).list.map(one => one.flags)
}

describe('the totals', () => {
  it('count what was taken back below zero: what is left is the sum of the rows that stand, for every filter', async () => {
    const { one } = await used(2)
    expect((await call(calls.reverse, { ...one, reason: '扫错了' })).status).toBe(200)
    for (const [page, kind] of [
      [calls, 'bulks'],
      [rollBuyVerify, 'roll_buy'],
      [voucherVerify, 'voucher'],
    ] as const) {
      for (const filters of [
        {},
        { store_id: usable },
        { city_id: 1 },
        { settle: 'reversed' },
        { way: 'scan' },
        { flag: 'far' },
        { from: unixNow() - 30 * DAY, to: unixNow() + DAY },
      ] as const) {
        const { all, reversed, net } = (await call(page.sums, filters)).data as Sums
        const of = filters as {
          store_id?: number
          city_id?: number
          settle?: string
          way?: string
          flag?: string
          from?: number
          to?: number
        }
        const rows = (
          await database.db.select().from(verify_record).where(eq(verify_record.kind, kind))
        ).filter(
          row =>
            (of.store_id === undefined || row.store_id === of.store_id) &&
            (of.city_id === undefined || row.city_id === of.city_id) &&
            (!of.settle || row.settle_state === of.settle) &&
            (!of.way || row.way === of.way) &&
            (!of.flag || (row.distance_m ?? 0) > 1000) &&
            (of.from === undefined || (row.verified_at >= of.from && row.verified_at < of.to!)),
        )
        const [valid, gone] = [
          rows.filter(row => row.state === 'valid'),
          rows.filter(row => row.state === 'reversed'),
        ]
        expect([filters, net.rows, net.pay_cents, net.commission_cents, net.settle_cents]).toEqual([
          filters,
          valid.length,
          sum(valid.map(row => row.pay_cents)),
          sum(valid.map(row => row.commission_cents)),
          sum(valid.map(row => row.settle_cents)),
        ])
        expect([reversed.rows, reversed.settle_cents, all.settle_cents]).toEqual([
          0 - gone.length || 0,
          0 - sum(gone.map(row => row.settle_cents)) || 0,
          sum(rows.map(row => row.settle_cents)),
        ])
        expect([(await lst(page.lst, { ...filters, pageSize: 1 })).total]).toEqual([rows.length])
      }
    }
  })
  it('of the tabs add up to the list', async () => {
    for (const page of [calls, rollBuyVerify, voucherVerify]) {
      const { all, ...each } = (await call(page.counts, {})).data as Record<string, number>
      expect([sum(Object.values(each)), (await lst(page.lst, { pageSize: 1 })).total]).toEqual([
        all,
        all,
      ])
    }
  })
  it('of a store’s day are those of the rows from midnight to midnight in Shanghai', async () => {
    const midnight = dayStart(unixNow()) - DAY
    const date = dateOf(midnight)
    type Part = { rows: number; settle_cents: number }
    type Day = Sums & { clerks: Part[]; hours: Part[] }
    const reported = async () =>
      (await call(calls.dayReport, { store_id: usable, date })).data as Day
    // The store's other redemptions of that day, if it had any.
    const before = await reported()
    const { records } = await used(3)
    for (const [at, n] of [
      [midnight - 1, 0],
      [midnight, 1],
      [midnight + DAY - 1, 2],
    ] as const)
      await redeemedAt(records[n]!.id, at)
    const day = await reported()
    const byHour = (of: Day) => of.hours.map(hour => hour.rows)
    expect(byHour(day).map((rows, hour) => rows - byHour(before)[hour]!)).toEqual(
      Array.from({ length: 24 }, (_, hour) => Number(hour === 0 || hour === 23)),
    )
    expect(sum(day.hours.map(hour => hour.settle_cents))).toBe(day.net.settle_cents)
    expect([
      day.net.rows - before.net.rows,
      day.net.settle_cents! - before.net.settle_cents!,
    ]).toEqual([2, records[1]!.settle_cents + records[2]!.settle_cents])
    expect([day.net.settle_cents!, sum(day.clerks.map(one => one.settle_cents))]).toEqual([
      (
        (await call(calls.sums, { store_id: usable, from: midnight, to: midnight + DAY }))
          .data as Sums
      ).net.settle_cents,
      day.net.settle_cents!,
    ])
    expect(
      (await call(calls.dayReport, { store_id: usable, date: '2026-02-30' })).data.fields,
    ).toHaveProperty('date')
  })
  it('span 186 days at most, by when it was redeemed', async () => {
    expect((await call(calls.lst, { from: unixNow() - 187 * DAY })).data.fields).toHaveProperty(
      'from',
    )
    expect((await call(calls.sums, { from: unixNow() - 185 * DAY })).status).toBe(200)
  })
})

describe('a redemption', () => {
  it('taken back stays with both its times; a second time, in settlement, past its window or on a stale screen it is refused', async () => {
    const { one, records } = await used(4)
    const back = await call(calls.reverse, { ...one, reason: '扫错了' })
    expect(back.status).toBe(200)
    const [row] = (await lst(calls.lst, { settle: 'reversed', store_id: usable })).list.filter(
      each => each.id === one.id,
    )
    expect([row!.verified_at, row!.reversed_at! >= row!.verified_at, row!.reverse_reason]).toEqual([
      records[0]!.verified_at,
      true,
      '扫错了',
    ])
    expect(
      (await call(calls.reverse, { id: one.id, version: back.data.version, reason: '再撤' })).data
        .rule,
    ).toBe('not_reversible')
    expect(
      (await call(calls.reverse, { id: records[1]!.id, version: 7, reason: '旧屏' })).status,
    ).toBe(409)
    await database.db
      .update(verify_record)
      .set({ settle_state: 'settling' })
      .where(eq(verify_record.id, records[1]!.id))
    expect(
      (await call(calls.reverse, { id: records[1]!.id, version: 0, reason: '结算中' })).data.rule,
    ).toBe('not_reversible')
    await redeemedAt(records[2]!.id, unixNow() - 25 * 3600)
    expect(
      (await call(calls.reverse, { id: records[2]!.id, version: 0, reason: '太晚' })).data.rule,
    ).toBe('not_reversible')
    // In a batch each is told by itself.
    const done = (
      await call(calls.batchReverse, { ids: records.map(each => each.id), reason: '批量' })
    ).data as { ok: number[]; failed: { id: number }[] }
    expect([done.ok, done.failed.map(each => each.id)]).toEqual([
      [records[3]!.id],
      records.slice(0, 3).map(each => each.id),
    ])
  })
  it('by the platform is taken back by another person', async () => {
    const { one } = await used(1, { by: { admin_id: me.id } })
    expect((await call(calls.reverse, { ...one, reason: '自己撤' })).data.rule).toBe(
      'not_reversible',
    )
    const other = await addStaff(database, { perms: ['order.bulks.verify.*'] })
    expect((await call(calls.reverse, { ...one, reason: '另一人撤' }, other.token)).status).toBe(
      200,
    )
  })
  it('is flagged far from its store and in a store that does not sell it', async () => {
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from store s where status = 'open' and not exists (select 1 from product_store ps where ps.product_id = ${offers.bulks.id} and ps.store_id = s.id) limit 1`,
    )
    const [near, far, strange] = [
      await used(1, { distance_m: 1000 }),
      await used(1, { distance_m: 1001 }),
      await used(1, { store_id: rows[0]!.id }),
    ]
    expect([
      await flagsOf(calls.lst, near.id),
      await flagsOf(calls.lst, far.id),
      await flagsOf(calls.lst, strange.id),
    ]).toEqual([[[]], [['far']], [['wrong_store']]])
    for (const [flag, of] of [
      ['far', far],
      ['wrong_store', strange],
    ] as const) {
      const ids = (await lst(calls.lst, { flag, pageSize: 200 })).list.map(one => one.id)
      expect([ids.includes(of.one.id), ids.includes(near.one.id)]).toEqual([true, false])
    }
  })
  it('is marked as abnormal with a reason, and the mark taken away again', async () => {
    const { one } = await used(1)
    const marked = await call(calls.markAbnormal, { ...one, reason: '同一设备连续核销' })
    expect(
      (await lst(calls.lst, { flag: 'abnormal', store_id: usable })).list.map(row => [
        row.id,
        row.abnormal_reason,
      ]),
    ).toContainEqual([one.id, '同一设备连续核销'])
    expect(
      (await call(calls.markAbnormal, { id: one.id, version: marked.data.version, reason: '再标' }))
        .data.rule,
    ).toBe('no_change')
    expect((await call(calls.clearAbnormal, { id: one.id, version: 99 })).status).toBe(409)
    expect(
      (await call(calls.clearAbnormal, { id: one.id, version: marked.data.version })).status,
    ).toBe(200)
    expect(
      (await call(calls.clearAbnormal, { id: one.id, version: marked.data.version + 1 })).data.rule,
    ).toBe('no_change')
  })
  it('outside a person’s scope, or of another kind, is not found', async () => {
    const { one, records } = await used(1)
    const away = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [records[0]!.city_id === 1 ? 2 : 1] },
    })
    expect((await call(calls.reverse, { ...one, reason: '越权' }, away.token)).status).toBe(404)
    expect((await call(calls.markAbnormal, { ...one, reason: '越权' }, away.token)).status).toBe(
      404,
    )
    expect((await call(voucherVerify.reverse, { ...one, reason: '别类' })).status).toBe(404)
    expect(
      (await call(calls.dayReport, { store_id: usable, date: '2026-11-20' }, away.token)).status,
    ).toBe(404)
    expect(((await call(calls.sums, { store_id: usable }, away.token)).data as Sums).all.rows).toBe(
      0,
    )
  })
})

describe('redemptions of groups', () => {
  it('of all who stayed within five minutes are flagged, though one had the money back', async () => {
    const now = unixNow()
    const group = await database.transaction(tx =>
      openGroup(tx, {
        product_id: offers.bulks.id,
        city_id: offers.bulks.city_id,
        mall_id: offers.bulks.mall_id,
        need_n: 3,
        group_price_cents: 77_77,
        single_price_cents: 85_01,
        now,
      }),
    )
    const [first, second, third] = [
      await bought('bulks', 1, { group_id: group.id }),
      await bought('bulks', 1, { group_id: group.id }),
      await bought('bulks', 1, { group_id: group.id }),
    ]
    await database.transaction(tx =>
      openRefund(tx, {
        order_id: third.id,
        wanted: 'all',
        source: 'staff',
        reason: '来不了',
        actor: { type: 'staff', id: me.id },
        by: { id: me.id, limit_cents: 1_000_00 },
        now,
      }),
    )
    await finishPayouts(database, unixNow() + 60)
    for (const one of [first, second])
      await database.transaction(tx =>
        redeem(tx, { code_id: one.codes[0]!.id, store_id: usable, now }),
      )
    expect(await flagsOf(rollBuyVerify.lst, first.id)).toEqual([['together']])
  })
  it('are there only once the group has formed, at its price; a whole group within five minutes is flagged', async () => {
    const now = unixNow()
    const group = await database.transaction(tx =>
      openGroup(tx, {
        product_id: offers.bulks.id,
        city_id: offers.bulks.city_id,
        mall_id: offers.bulks.mall_id,
        need_n: 2,
        group_price_cents: 77_77,
        single_price_cents: 85_01,
        now,
      }),
    )
    const first = await bought('bulks', 1, { group_id: group.id })
    const use = (code_id: number, at: number) =>
      database.transaction(tx => redeem(tx, { code_id, store_id: usable, now: at }))
    expect(await use(first.codes[0]!.id, now)).toBeUndefined()
    const second = await bought('bulks', 1, { group_id: group.id })
    const [a, b] = [
      (await use(first.codes[0]!.id, now - 600))!,
      (await use(second.codes[0]!.id, now - 299))!,
    ]
    expect([a.pay_cents, a.settle_cents + a.commission_cents]).toEqual([77_77, 77_77])
    expect(await flagsOf(rollBuyVerify.lst, first.id)).toEqual([[]])
    await redeemedAt(a.id, now - 300 - 299)
    expect(await flagsOf(rollBuyVerify.lst, first.id)).toEqual([['together']])
    expect(
      (await lst(rollBuyVerify.lst, { flag: 'together', group_id: group.id })).list
        .map(row => row.id)
        .sort(),
    ).toEqual([a.id, b.id].sort())
    const [row] = (await lst(rollBuyVerify.lst, { group_id: group.id })).list
    const [kept] = await database.db.select().from(roll_group).where(eq(roll_group.id, group.id))
    expect(row!.group).toMatchObject({
      no: kept!.group_no,
      price_cents: 77_77,
      single_cents: 85_01,
    })
    await call(rollBuyVerify.reverse, { id: b.id, version: 0, reason: '扫错了' })
    // One of them was not there after all.
    expect(await flagsOf(rollBuyVerify.lst, first.id)).toEqual([[]])
  })
})

describe('redemptions of vouchers', () => {
  const onBill = async (n: number, cents: number, no: string, admin_id = me.id) => {
    const { id, codes } = await bought('voucher', n)
    return {
      id,
      records: await database.transaction(async tx =>
        redeemOnBill(tx, await holdOrder(tx, id), {
          code_ids: codes.map(code => code.id),
          store_id: usable,
          bill: { no, cents },
          admin_id,
          now: unixNow(),
        }),
      ),
    }
  }
  it('tell their bill: how many are on it and may be, their faces; bills and codes sum to the same', async () => {
    const [a, b] = [await onBill(2, 350_00, 'Z1'), await onBill(1, 350_00, 'Z1')]
    const { list } = await lst(voucherVerify.lst, { q: 'Z1' })
    expect(list.map(row => row.bill)).toEqual(
      Array.from({ length: 3 }, () => ({
        no: 'Z1',
        cents: 350_00,
        vouchers: 3,
        face_cents: 300_00,
        limit: 5,
      })),
    )
    const { net, bills } = (await call(voucherVerify.sums, { q: 'Z1' })).data as Sums
    expect([net.pay_cents, bills]).toEqual([
      sum([...a.records, ...b.records].map(one => one.pay_cents)),
      { n: 1, cents: 350_00 },
    ])
  })
  it('of one bill are taken back together, by another person', async () => {
    const [a, b] = [await onBill(1, 260_00, 'Z2'), await onBill(1, 260_00, 'Z2')]
    expect(
      (await call(voucherVerify.reverseBill, { id: a.records[0]!.id, reason: '整单' })).data.rule,
    ).toBe('not_reversible')
    const other = await addStaff(database, { perms: ['order.voucher.verify.*'] })
    expect(
      (await call(voucherVerify.reverseBill, { id: a.records[0]!.id, reason: '整单' }, other.token))
        .data.reversed,
    ).toEqual([a.records[0]!.id, b.records[0]!.id])
    const states = await database.db
      .select({ state: order_code.state })
      .from(order_code)
      .where(inArray(order_code.order_id, [a.id, b.id]))
    expect(states.map(one => one.state)).toEqual(['unused', 'unused'])
  })
  it('whose bills equal the face five times in a day by one clerk are flagged, and can be reported', async () => {
    const clerk = await addStaff(database)
    const made = []
    for (let n = 1; n <= 4; n++) made.push(await onBill(1, 100_00, `E${n}`, clerk.id))
    await onBill(1, 100_01, 'E-more', clerk.id)
    expect(await flagsOf(voucherVerify.lst, made[0]!.id)).toEqual([[]])
    made.push(await onBill(2, 200_00, 'E5', clerk.id))
    expect(await flagsOf(voucherVerify.lst, made[0]!.id)).toEqual([['equal_face']])
    const flagged = (
      await lst(voucherVerify.lst, { flag: 'equal_face', store_id: usable })
    ).list.map(row => row.id)
    expect(
      made.flatMap(one => one.records.map(each => each.id)).every(id => flagged.includes(id)),
    ).toBe(true)
    const told = await call(voucherVerify.reportRisk, {
      id: made[0]!.records[0]!.id,
      reason: '账单次次等于面值',
    })
    const [hit] = await database.db
      .select()
      .from(risk_hit)
      .where(and(eq(risk_hit.id, told.data.hit_id), eq(risk_hit.rule, 'cash_out')))
    expect([hit!.store_id, hit!.order_ids, hit!.code_ids]).toEqual([
      usable,
      [made[0]!.id],
      [made[0]!.records[0]!.code_id],
    ])
  })
})

describe('afterwards', () => {
  it('every invariant holds', async () => {
    expect(await broken(database)).toEqual({})
  })
})
