import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { FAR_M } from '#src/areas/code/verifier.ts'
import { countWrong, redeemByVerifier } from '#src/areas/code/verify.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product_store } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { verify as calls } from '#src/modules/system/contract/verify.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let stores: { id: number; merchant_id: number; city_id: number }[]
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  stores = (
    await database.db.execute<{ id: number; merchant_id: number; city_id: number }>(
      sql`select id, merchant_id, city_id from store where status = 'open' and kind = 'offline' order by id`,
    )
  ).rows
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let made = 0
const phone = () => `1370000${String(1000 + ++made)}`
const newClerk = async (store_ids: number[], more: object = {}) =>
  (
    await call(calls.create, {
      name: '店员',
      phone: phone(),
      store_ids,
      kinds: ['bulks', 'card', 'voucher'],
      ...more,
    })
  ).data as { id: number; version: number }
const siblings = () => {
  const byMerchant = new Map<number, number[]>()
  for (const one of stores)
    byMerchant.set(one.merchant_id, [...(byMerchant.get(one.merchant_id) ?? []), one.id])
  return [...byMerchant.values()].find(list => list.length > 1)!
}
/** A paid code that may be used now, and a store that may take it. */
const freshCode = async () => {
  const { rows } = await database.db.execute<{ id: number; store_id: number }>(
    sql`select p.id, ps.store_id from product p join product_store ps on ps.product_id = p.id and ps.status = 'on' join store s on s.id = ps.store_id and s.status = 'open' where p.kind = 'bulks' and p.state = 'on_sale' and p.stock - p.held > 5 and p.check_start_at < ${unixNow()} - 60 and p.sale_start_at < ${unixNow()} - 60 and p.sale_end_at > ${unixNow()} and p.check_end_at > ${unixNow()} limit 1`,
  )
  const made = await database.db.transaction(async tx => {
    const placed = await placeOrder(tx, {
      proved: true,
      product_id: rows[0]!.id,
      member_id: 1,
      qty: 1,
      now: unixNow() - 1,
    })
    await payOrder(tx, placed.id, unixNow() - 1)
    return placed
  })
  const [code] = await database.db.select().from(order_code).where(eq(order_code.order_id, made.id))
  return { code: code!, order_id: made.id, store_id: rows[0]!.store_id }
}
const ruleOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.data['rule']
      throw error
    },
  )

describe('a verifier', () => {
  it('has one phone, a correct one, and serves stores of one merchant only', async () => {
    const mine = siblings()
    const number = phone()
    expect(
      (await call(calls.create, { name: '甲', phone: number, store_ids: mine, kinds: ['bulks'] }))
        .status,
    ).toBe(200)
    expect(
      (await call(calls.create, { name: '乙', phone: number, store_ids: mine, kinds: ['bulks'] }))
        .data.fields,
    ).toHaveProperty('phone')
    expect(
      (
        await call(calls.create, {
          name: '乙',
          phone: '23800138000',
          store_ids: mine,
          kinds: ['bulks'],
        })
      ).data.fields,
    ).toHaveProperty('phone')
    const other = stores.find(
      one => one.merchant_id !== stores.find(own => own.id === mine[0])!.merchant_id,
    )!
    expect(
      (
        await call(calls.create, {
          name: '丙',
          phone: phone(),
          store_ids: [mine[0]!, other.id],
          kinds: ['bulks'],
        })
      ).data.rule,
    ).toBe('one_merchant')
    const one = await newClerk([mine[0]!])
    expect((await call(calls.bindStores, { ...one, store_ids: [other.id] })).data.rule).toBe(
      'one_merchant',
    )
    expect((await call(calls.bindStores, { ...one, store_ids: mine })).status).toBe(200)
  })
  it('changed by two keeps the first, and every change is in the log', async () => {
    const one = await newClerk([stores[0]!.id])
    expect((await call(calls.setLimit, { ...one, count: 100, amount_cents: null })).status).toBe(
      200,
    )
    expect((await call(calls.edit, { ...one, name: '晚到', kinds: ['card'] })).status).toBe(409)
    const lines = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'verifier'),
          eq(op_log.object_id, one.id),
          eq(op_log.result, 'ok'),
        ),
      )
    expect(lines.map(line => line.action)).toEqual([
      'system.verify.create',
      'system.verify.setLimit',
    ])
  })
  it('switched off is refused at once, even on a phone that is signed in', async () => {
    const { code, store_id } = await freshCode()
    const one = await newClerk([store_id])
    expect((await call(calls.disable, { ...one, reason: '离职' })).status).toBe(200)
    expect(
      await ruleOf(
        database.transaction(tx =>
          redeemByVerifier(tx, { verifier_id: one.id, code: code.code, store_id, now: unixNow() }),
        ),
      ),
    ).toBe('disabled')
    expect(
      (await call(calls.disable, { id: one.id, version: one.version + 1, reason: '再停' })).data
        .rule,
    ).toBe('state')
    await call(calls.enable, { id: one.id, version: one.version + 1 })
    expect(
      await ruleOf(
        database.transaction(tx =>
          redeemByVerifier(tx, { verifier_id: one.id, code: code.code, store_id, now: unixNow() }),
        ),
      ),
    ).toBe('done')
  })
  it('redeems only in bound stores, kinds of theirs, and below the day’s limits', async () => {
    const { code, store_id } = await freshCode()
    const as = async (clerk: { id: number }, at = store_id) =>
      ruleOf(
        database.transaction(tx =>
          redeemByVerifier(tx, {
            verifier_id: clerk.id,
            code: code.code,
            store_id: at,
            now: unixNow(),
          }),
        ),
      )
    const cards = await newClerk([store_id], { kinds: ['card'] })
    expect([await as(cards), await as(cards, stores.find(one => one.id !== store_id)!.id)]).toEqual(
      ['not_my_kind', 'not_my_store'],
    )
    const one = await newClerk([store_id])
    await call(calls.setLimit, { ...one, count: null, amount_cents: 1 })
    expect(await as(one)).toBe('day_amount')
    await call(calls.setLimit, {
      id: one.id,
      version: one.version + 1,
      count: 1,
      amount_cents: null,
    })
    expect(await as(one)).toBe('done')
    const again = await freshCode()
    const rule = await ruleOf(
      database.transaction(tx =>
        redeemByVerifier(tx, {
          verifier_id: one.id,
          code: again.code.code,
          store_id: again.store_id,
          now: unixNow(),
        }),
      ),
    )
    expect(again.store_id === store_id ? rule : 'day_count').toBe('day_count')
  })
  it('is locked for half an hour by ten wrong codes in five minutes', async () => {
    const one = await newClerk([stores[0]!.id])
    const now = unixNow()
    for (let at = 0; at < 9; at++) {
      expect(
        await ruleOf(
          database.transaction(tx =>
            redeemByVerifier(tx, {
              verifier_id: one.id,
              code: 'NOSUCHCODE',
              store_id: stores[0]!.id,
              now,
            }),
          ),
        ),
      ).toBe('wrong_code')
      expect(await countWrong(database.db, one.id, now + at)).toBe(false)
    }
    expect(await countWrong(database.db, one.id, now + 299)).toBe(true)
    expect(
      await ruleOf(
        database.transaction(tx =>
          redeemByVerifier(tx, {
            verifier_id: one.id,
            code: 'NOSUCHCODE',
            store_id: stores[0]!.id,
            now: now + 300,
          }),
        ),
      ),
    ).toBe('locked_out')
    const [row] = await database.db.select().from(verifier).where(eq(verifier.id, one.id))
    expect(row!.locked_until).toBe(now + 299 + 1800)
    // Spread over more than five minutes they lock nobody.
    const other = await newClerk([stores[0]!.id])
    const locked: boolean[] = []
    for (let at = 0; at < 12; at++)
      locked.push(await countWrong(database.db, other.id, now + at * 60))
    expect(locked).not.toContain(true)
    // Ten at once are ten.
    const third = await newClerk([stores[0]!.id])
    expect(
      (
        await Promise.all(Array.from({ length: 10 }, () => countWrong(database.db, third.id, now)))
      ).filter(Boolean),
    ).toHaveLength(1)
  })
  it('is handed over to another of the same merchant, who then has both stores', async () => {
    const mine = siblings()
    const [from, to] = [
      await newClerk([mine[0]!]),
      await newClerk([mine[1]!], { kinds: ['pickup'] }),
    ]
    const stranger = await newClerk([
      stores.find(one => one.merchant_id !== stores.find(own => own.id === mine[0])!.merchant_id)!
        .id,
    ])
    expect(
      (await call(calls.transfer, { ...from, verifier_id: stranger.id })).data.fields,
    ).toHaveProperty('verifier_id')
    expect((await call(calls.transfer, { ...from, verifier_id: to.id })).status).toBe(200)
    const rows = await database.db
      .select()
      .from(verifier)
      .where(inArray(verifier.id, [from.id, to.id]))
      .orderBy(verifier.id)
    expect([rows[0]!.status, [...rows[1]!.store_ids].sort(), [...rows[1]!.kinds].sort()]).toEqual([
      'disabled',
      mine.slice(0, 2).sort(),
      ['bulks', 'card', 'pickup', 'voucher'],
    ])
  })
  it('of another city is not there', async () => {
    const [here, elsewhere] = [stores[0]!, stores.find(one => one.city_id !== stores[0]!.city_id)!]
    const manager = await addStaff(database, {
      perms: ['system.verify.*'],
      role: { scope_type: 'city', scope_ids: [here.city_id] },
    })
    const other = await newClerk([elsewhere.id])
    expect((await call(calls.disable, { ...other, reason: '越权' }, manager.token)).status).toBe(
      404,
    )
    const seen = (await call(calls.lst, { pageSize: 200 }, manager.token)).data
    const { rows } = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from verifier where city_id = ${here.city_id}`,
    )
    expect(seen.total).toBe(rows[0]!.n)
  })
  it('is a mall’s when one of their stores is in it', async () => {
    const [{ mall_id }] = (
      await database.db.execute<{ mall_id: number }>(
        sql`select mall_id from store where id = ${stores[0]!.id}`,
      )
    ).rows as [{ mall_id: number }]
    const keeper = await addStaff(database, {
      perms: ['system.verify.*'],
      role: { scope_type: 'mall', scope_ids: [mall_id] },
    })
    const seen = (await call(calls.lst, { pageSize: 200 }, keeper.token)).data
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select v.id from verifier v where exists (select 1 from store s where s.mall_id = ${mall_id} and v.store_ids @> to_jsonb(s.id)) order by v.id`,
    )
    expect(
      seen.list.map((row: { id: number }) => row.id).sort((a: number, b: number) => a - b),
    ).toEqual(rows.map(row => row.id))
  })
})

describe('a code', () => {
  const look = async (code: string) => (await call(calls.lookupCode, { code })).data
  it('looked up tells why it can not be used', async () => {
    const { code, order_id } = await freshCode()
    expect(await look(code.code)).toMatchObject({ rule: null, uses_left: 1 })
    const set = async (
      values: Partial<typeof order.$inferInsert>,
      codes: Partial<typeof order_code.$inferInsert> = {},
    ) => {
      if (Object.keys(values).length)
        await database.db.update(order).set(values).where(eq(order.id, order_id))
      if (Object.keys(codes).length)
        await database.db.update(order_code).set(codes).where(eq(order_code.id, code.id))
      return (await look(code.code)).rule
    }
    expect(await set({ frozen: true, freeze_reason: '疑似套现' })).toBe('frozen')
    expect((await look(code.code)).refusal).toContain('疑似套现')
    expect(await set({ frozen: false, pay_state: 'unpaid' })).toBe('not_paid')
    expect(
      await set({ pay_state: 'paid', fulfil_state: 'waiting_group' }, { state: 'locked' }),
    ).toBe('no_group')
    expect(await set({ fulfil_state: 'waiting_use' }, { state: 'refunding' })).toBe('refunding')
    expect(await set({}, { state: 'unused', valid_until: unixNow() - 5 })).toBe('expired')
    expect((await call(calls.lookupCode, { code: 'NOSUCHCODE' })).status).toBe(404)
  })
  it('is redeemed for a store that sells it, with a reason, and the log and the record say who did it', async () => {
    const { code, store_id } = await freshCode()
    const redeem = (more: object) =>
      call(calls.verifyForStore, {
        code: code.code,
        store_id,
        times: 1,
        reason: '门店设备故障',
        ...more,
      })
    const sells = await database.db
      .select({ id: product_store.store_id })
      .from(product_store)
      .where(and(eq(product_store.product_id, code.product_id), eq(product_store.status, 'on')))
    const [other] = await database.db
      .select()
      .from(store)
      .where(
        and(
          eq(store.status, 'open'),
          ne(store.id, store_id),
          sql`${store.id} not in ${sells.map(one => one.id)}`,
        ),
      )
      .limit(1)
    expect((await redeem({ store_id: other!.id })).data.rule).toBe('other_store')
    expect((await redeem({ times: 2 })).data.rule).toBe('too_many')
    expect((await redeem({ reason: '' })).status).toBe(400)
    expect((await redeem({})).data).toMatchObject({ uses_left: 0 })
    expect((await redeem({})).data.rule).toBe('used')
    const [record] = await database.db
      .select()
      .from(verify_record)
      .where(eq(verify_record.code_id, code.id))
    expect(record).toMatchObject({ way: 'platform', admin_id: me.id, verifier_id: null })
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'order_code'),
          eq(op_log.object_id, code.id),
          eq(op_log.result, 'ok'),
        ),
      )
    expect(line).toMatchObject({ reason: '门店设备故障', admin_id: me.id })
    expect((await look(code.code)).uses[0]).toMatchObject({
      by: expect.stringContaining(me.account),
      times: 1,
    })
  })
  it('redeemed by the platform is told to the buyer and to the merchant, once each, and not when a clerk did it', async () => {
    const told = (order_id: number) =>
      database.db
        .select({
          kind: order_message.kind,
          phone: order_message.phone,
          text: order_message.text,
          admin_id: order_message.admin_id,
        })
        .from(order_message)
        .where(
          and(
            eq(order_message.order_id, order_id),
            inArray(order_message.kind, ['redeem', 'redeem_store']),
          ),
        )
        .orderBy(order_message.id)
    const { code, order_id, store_id } = await freshCode()
    expect(
      (
        await call(calls.verifyForStore, {
          code: code.code,
          store_id,
          times: 2,
          reason: '门店设备故障',
        })
      ).status,
    ).toBe(422)
    expect(await told(order_id)).toEqual([])
    expect(
      (
        await call(calls.verifyForStore, {
          code: code.code,
          store_id,
          times: 1,
          reason: '门店设备故障',
        })
      ).status,
    ).toBe(200)
    const [row] = await database.db
      .select({
        phone: member.phone,
        contact: merchant.contact_phone,
        order_no: order.order_no,
        store: store.name,
      })
      .from(order)
      .innerJoin(member, eq(member.id, order.member_id))
      .innerJoin(merchant, eq(merchant.id, order.merchant_id))
      .innerJoin(store, eq(store.id, store_id))
      .where(eq(order.id, order_id))
    const sent = await told(order_id)
    expect(sent).toEqual([
      {
        kind: 'redeem',
        phone: row!.phone,
        text: expect.stringContaining(row!.order_no),
        admin_id: me.id,
      },
      {
        kind: 'redeem_store',
        phone: row!.contact,
        text: expect.stringContaining(row!.store),
        admin_id: me.id,
      },
    ])
    // Whoever reads a message of a used code learns nothing to use.
    for (const one of sent) expect(one.text).not.toContain(code.code)
    const own = await freshCode()
    const clerk = await newClerk([own.store_id])
    expect(
      await ruleOf(
        database.transaction(tx =>
          redeemByVerifier(tx, {
            verifier_id: clerk.id,
            code: own.code.code,
            store_id: own.store_id,
            now: unixNow(),
          }),
        ),
      ),
    ).toBe('done')
    expect(await told(own.order_id)).toEqual([])
  })
})
it('a clerk who redeems far from the store is counted so', async () => {
  const { code, store_id } = await freshCode()
  const clerk = await newClerk([store_id])
  const far = async () =>
    (
      (await call(calls.lst, { keyword: '远核', pageSize: 200 })).data.list as {
        id: number
        far_30d: number
      }[]
    ).find(row => row.id === clerk.id)!.far_30d
  await call(calls.edit, { ...clerk, name: '远核', kinds: ['bulks'] })
  expect(
    await ruleOf(
      database.transaction(tx =>
        redeemByVerifier(tx, { verifier_id: clerk.id, code: code.code, store_id, now: unixNow() }),
      ),
    ),
  ).toBe('done')
  for (const [distance_m, count] of [
    [999, 0],
    [FAR_M, 0],
    [FAR_M + 1, 1],
  ] as const) {
    await database.db
      .update(verify_record)
      .set({ distance_m })
      .where(eq(verify_record.code_id, code.id))
    expect(await far()).toBe(count)
  }
})
it('a list counts each clerk’s own redemptions', async () => {
  const { rows } = await database.db.execute<{ verifier_id: number; n: number }>(
    sql`select verifier_id, sum(times)::int n from verify_record where verifier_id is not null and state = 'valid' and verified_at >= ${Math.floor((unixNow() + 28_800) / 86_400) * 86_400 - 28_800} group by 1`,
  )
  const list = (await call(calls.lst, { pageSize: 200 })).data.list as {
    id: number
    today_count: number
  }[]
  const told = new Map(rows.map(row => [row.verifier_id, row.n]))
  for (const row of list) expect([row.id, row.today_count]).toEqual([row.id, told.get(row.id) ?? 0])
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
