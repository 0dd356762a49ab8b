import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { can } from '#commands/order/shared.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { channel_pay_plan } from '#src/areas/payment/channel.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { gramsOf } from '#src/domain/search.ts'
import { unixNow } from '#src/domain/time.ts'
import { bulks as calls, bulksDetail as detail } from '#src/modules/order/contract/bulks.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { bulksVerify } from '#src/modules/order/contract/verify.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, seesNumbers, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'
import { wordless } from '../../help/words.ts'

const DAY = 86_400
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
let usable: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  const now = unixNow()
  const { rows } = await database.db.execute<{ id: number; store_id: number }>(
    sql`select p.id, ps.store_id from product p join product_store ps on ps.product_id = p.id and ps.status = 'on' join store s on s.id = ps.store_id and s.status = 'open' where p.kind = 'bulks' and p.state = 'on_sale' and p.sale_start_at < ${now} - 60 and p.sale_end_at > ${now} and p.check_end_at > ${now} + 600 limit 1`,
  )
  // Whichever it is: what expires of it is given back.
  ;[item] = (await database.db
    .update(product)
    .set({ stock: 10_000, refund_policy: 'anytime' })
    .where(eq(product.id, rows[0]!.id))
    .returning()) as [typeof item]
  usable = rows[0]!.store_id
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let buyer = 10
const bought = async (qty: number) => {
  const now = unixNow() - 30
  const { id } = await database.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      member_id: ++buyer,
      qty,
      now,
    })
    await payOrder(tx, one.id, now)
    return one
  })
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  const codes = await database.db
    .select()
    .from(order_code)
    .where(eq(order_code.order_id, id))
    .orderBy(order_code.id)
  return { row: row!, one: { id, version: row!.version }, codes }
}
const found = async (q: string, by = me) =>
  ((await call(calls.lst, { q }, by.token)).data as { list: { id: number }[] }).list.map(
    one => one.id,
  )

describe('the list of group-buy orders', () => {
  it('finds what was pasted: number, phone, last four, code, refund, product', async () => {
    const { row, codes } = await bought(2)
    const [who] = await database.db.select().from(member).where(eq(member.id, row.member_id!))
    expect(await found(row.order_no)).toEqual([row.id])
    expect(
      await found(
        ` ${row.order_no.replace(/\d/g, digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))} `,
      ),
    ).toEqual([row.id])
    expect(await found(`+86 ${who!.phone}`)).toContain(row.id)
    expect(await found(codes[1]!.code)).toEqual([row.id])
    const seeing = await addStaff(database, { perms: ['*'], role: { field_rules: seesNumbers } })
    expect(await found(who!.phone.slice(-4), seeing)).toContain(row.id)
    expect(await found(`${row.order_no}\n${codes[0]!.code}`, seeing)).toEqual([row.id])
    expect(await found(item.title.slice(0, 5))).toContain(row.id)
    expect(await found('BU0000000000000000')).toEqual([])
  })
  it('finds a store or product as its name stands there, whatever the width of its brackets', async () => {
    const { row } = await bought(1)
    await database.db
      .update(store)
      .set({ name: '宽窄巷子（测试总店）' })
      .where(eq(store.id, row.store_id!))
    await database.db
      .update(product)
      .set({
        title: '【节日】宽窄双人餐（含饮料）',
        grams: gramsOf('【节日】宽窄双人餐（含饮料）'),
      })
      .where(eq(product.id, item.id))
    for (const q of [
      '宽窄巷子（测试总店）',
      '宽窄巷子(测试总店)',
      '双人餐（含饮料）',
      '宽窄双人餐(含饮料)',
    ])
      expect([q, await found(q)]).toEqual([q, expect.arrayContaining([row.id])])
  })
  it('has tabs that add up to its total, for every filter', async () => {
    for (const filters of [
      {},
      { quick: 'expiring' },
      { quick: 'refunding' },
      { quick: 'frozen' },
      { city_id: 1 },
      { from: unixNow() - 90 * DAY },
    ]) {
      const counts = (await call(calls.counts, filters)).data as Record<string, number>
      const { total } = (await call(calls.lst, { ...filters, pageSize: 1 })).data as {
        total: number
      }
      const { all, ...each } = counts
      expect([filters, all, Object.values(each).reduce((a, b) => a + b, 0)]).toEqual([
        filters,
        total,
        total,
      ])
      for (const [status, n] of Object.entries(each))
        if (n > 0)
          expect([
            status,
            ((await call(calls.lst, { ...filters, status, pageSize: 1 })).data as { total: number })
              .total,
          ]).toEqual([status, n])
    }
  })
  it('spans 186 days at most, and says so at the field', async () => {
    expect((await call(calls.lst, { from: unixNow() - 187 * DAY })).data.fields).toHaveProperty(
      'from',
    )
    expect((await call(calls.lst, { from: unixNow() - 185 * DAY })).status).toBe(200)
  })
  it('holds nothing outside a person’s scope: such an order is not found', async () => {
    const { row } = await bought(1)
    const other = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [row.city_id === 1 ? 2 : 1] },
    })
    expect(
      ((await call(calls.lst, { q: row.order_no }, other.token)).data as { total: number }).total,
    ).toBe(0)
    expect((await call(calls.detail, { id: row.id }, other.token)).status).toBe(404)
    expect(
      (await call(calls.freeze, { id: row.id, version: row.version, reason: '越权' }, other.token))
        .status,
    ).toBe(404)
  })
})

describe('a refund', () => {
  it('is worth the chosen codes’ shares, to the cent, and the last takes the rest', async () => {
    const { row, one, codes } = await bought(3)
    const first = await call(calls.refund, { ...one, code_ids: [codes[0]!.id], reason: '行程有变' })
    expect(first.data.amount_cents).toBe(codes[0]!.pay_cents)
    await finishPayouts(database, unixNow() + 60)
    const [now] = await database.db.select().from(order).where(eq(order.id, row.id))
    expect([now!.refund_state, now!.status, now!.refunded_cents]).toEqual([
      'part_refunded',
      'pending_use',
      codes[0]!.pay_cents,
    ])
    const rest = await call(calls.refund, { id: row.id, version: now!.version, reason: '不去了' })
    expect(rest.data.amount_cents).toBe(row.pay_cents - codes[0]!.pay_cents)
    await finishPayouts(database, unixNow() + 60)
    const [last] = await database.db.select().from(order).where(eq(order.id, row.id))
    expect([last!.status, last!.refunded_cents]).toEqual(['refunded', row.pay_cents])
  })
  it('of a used, refunding or refunded code is refused; a stale screen is told what changed', async () => {
    const { row, one, codes } = await bought(2)
    expect(
      (await call(calls.refund, { ...one, code_ids: [codes[0]!.id], reason: '买多了' })).status,
    ).toBe(200)
    const stale = await call(calls.refund, { ...one, code_ids: [codes[1]!.id], reason: '买多了' })
    expect([stale.status, stale.data.current.status]).toEqual([409, 'refunding'])
    const again = await call(calls.refund, {
      id: row.id,
      version: stale.data.current.version,
      code_ids: [codes[0]!.id],
      reason: '再退',
    })
    expect(again.data.rule).toBe('code_not_refundable')
  })
  it('above the person’s limit waits for another person', async () => {
    const { row, one } = await bought(1)
    const small = await addStaff(database, {
      perms: ['order.bulks.*'],
      role: { refund_limit_cents: 1 },
    })
    const made = await call(calls.refund, { ...one, reason: '超额度' }, small.token)
    expect(made.data.state).toBe('second_audit')
    const [kept] = await database.db.select().from(refund).where(eq(refund.order_id, row.id))
    expect([kept!.first_by, kept!.second_by]).toEqual([small.id, null])
  })
  it('asked for twice with one key is one refund', async () => {
    const { row, one } = await bought(1)
    const send2 = () =>
      send(
        app,
        calls.refund,
        { ...one, reason: '双击' },
        { token: me.token, key: `double-${row.id}` },
      )
    const both = await Promise.all([send2(), send2()])
    expect(new Set(both.map(answer => answer.data.refund_no)).size).toBe(1)
    expect(await database.db.select().from(refund).where(eq(refund.order_id, row.id))).toHaveLength(
      1,
    )
  })
  it('in a batch takes only what was never used, at most 200, and tells of each that failed', async () => {
    const [a, b] = [await bought(1), await bought(2)]
    expect(
      (
        await call(detail.verifyForStore, {
          id: b.row.id,
          code_id: b.codes[0]!.id,
          store_id: usable,
          reason: '门店扫不了',
        })
      ).status,
    ).toBe(200)
    const done = (await call(calls.batchRefund, { ids: [a.row.id, b.row.id], reason: '批量' }))
      .data as { ok: number[]; failed: { id: number; code: string }[] }
    expect([done.ok, done.failed.map(one => [one.id, one.code])]).toEqual([
      [a.row.id],
      [[b.row.id, 'used']],
    ])
    expect(
      (
        await call(calls.batchRefund, {
          ids: Array.from({ length: 201 }, (_, at) => at + 1),
          reason: '太多',
        })
      ).status,
    ).toBe(400)
  })
})

describe('validity', () => {
  it('only becomes longer, at most 365 days past the product’s end', async () => {
    const { row, one, codes } = await bought(1)
    expect(
      (
        await call(calls.extendValidity, {
          ...one,
          until: codes[0]!.valid_until - DAY,
          reason: '缩短',
        })
      ).data.rule,
    ).toBe('not_later')
    expect(
      (
        await call(calls.extendValidity, {
          ...one,
          until: item.check_end_at + 366 * DAY,
          reason: '太久',
        })
      ).data.rule,
    ).toBe('too_late')
    const until = codes[0]!.valid_until + 10 * DAY
    expect((await call(calls.extendValidity, { ...one, until, reason: '门店装修' })).status).toBe(
      200,
    )
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, row.id))
    expect(code!.valid_until).toBe(until)
  })
})

describe('a frozen order', () => {
  it('is not redeemed, refunded or extended until it is free, and risk control’s freeze is risk control’s', async () => {
    const { row, one, codes } = await bought(1)
    const frozen = (await call(calls.freeze, { ...one, reason: '核实' })).data as {
      version: number
      status: string
    }
    expect(frozen.status).toBe('freezing')
    const now = { id: row.id, version: frozen.version }
    expect((await call(calls.refund, { ...now, reason: '不去了' })).data.rule).toBe('frozen')
    expect(
      (
        await call(calls.extendValidity, {
          ...now,
          until: codes[0]!.valid_until + DAY,
          reason: '延期',
        })
      ).data.rule,
    ).toBe('not_extendable')
    expect(
      (
        await call(detail.verifyForStore, {
          id: row.id,
          code_id: codes[0]!.id,
          store_id: usable,
          reason: '代核销',
        })
      ).data.rule,
    ).toBe('frozen')
    expect((await call(calls.unfreeze, { ...now, reason: '核实无误' })).data.status).toBe(
      'pending_use',
    )
    await database.db
      .update(order)
      .set({ frozen: true, frozen_by: 'risk', status: 'freezing' })
      .where(eq(order.id, row.id))
    const [held] = await database.db.select().from(order).where(eq(order.id, row.id))
    expect(
      (await call(calls.unfreeze, { id: row.id, version: held!.version, reason: '试试' })).data
        .rule,
    ).toBe('risk_holds_it')
    await database.db
      .update(order)
      .set({ frozen: false, frozen_by: null, status: 'pending_use' })
      .where(eq(order.id, row.id))
  })
})

describe('a redemption by the platform', () => {
  it('uses the code in a store that sells it, is taken back by another person only, within 24 hours and before settlement', async () => {
    const { row, codes } = await bought(1)
    const made = (
      await call(detail.verifyForStore, {
        id: row.id,
        code_id: codes[0]!.id,
        store_id: usable,
        reason: '门店断网',
      })
    ).data as { record_id: number }
    const [record] = await database.db
      .select()
      .from(verify_record)
      .where(eq(verify_record.id, made.record_id))
    expect([
      record!.way,
      record!.pay_cents,
      record!.settle_cents + record!.commission_cents,
    ]).toEqual(['platform', row.pay_cents, row.pay_cents])
    expect(
      (
        await call(detail.reverseVerify, {
          id: row.id,
          verify_id: made.record_id,
          reason: '自己撤',
        })
      ).data.rule,
    ).toBe('not_reversible')
    const other = await addStaff(database, { perms: ['order.*'] })
    await database.db
      .update(verify_record)
      .set({ verified_at: unixNow() - 25 * 3600 })
      .where(eq(verify_record.id, made.record_id))
    expect(
      (
        await call(
          detail.reverseVerify,
          { id: row.id, verify_id: made.record_id, reason: '太晚' },
          other.token,
        )
      ).data.rule,
    ).toBe('not_reversible')
    await database.db
      .update(verify_record)
      .set({ verified_at: unixNow() - 3600 })
      .where(eq(verify_record.id, made.record_id))
    expect(
      (
        await call(
          detail.reverseVerify,
          { id: row.id, verify_id: made.record_id, reason: '扫错了' },
          other.token,
        )
      ).status,
    ).toBe(200)
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.id, codes[0]!.id))
    expect([code!.state, code!.left_pay_cents]).toEqual(['unused', row.pay_cents])
  })
  it('in a store that does not sell it is refused', async () => {
    const { row, codes } = await bought(1)
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from store s where status = 'open' and not exists (select 1 from product_store ps where ps.product_id = ${item.id} and ps.store_id = s.id) limit 1`,
    )
    expect(
      (
        await call(detail.verifyForStore, {
          id: row.id,
          code_id: codes[0]!.id,
          store_id: rows[0]!.id,
          reason: '别家',
        })
      ).data.rule,
    ).toBe('other_store')
  })
})

describe('a code that was taken back after its time', () => {
  it('goes to the refund of what expired, also where another of its order has had that already', async () => {
    const { row, codes } = await bought(2)
    await database.transaction(tx =>
      redeem(tx, { code_id: codes[0]!.id, store_id: usable, now: unixNow() - 5 }),
    )
    const past = unixNow() - 3 * DAY
    await database.db
      .update(order_code)
      .set({ valid_until: past })
      .where(eq(order_code.order_id, row.id))
    await database.db.update(order).set({ valid_until: past }).where(eq(order.id, row.id))
    const tick = async () => {
      await tickOrders(database, unixNow())
      await finishPayouts(database, unixNow() + 60)
    }
    const made = async () =>
      (
        await database.db
          .select()
          .from(refund)
          .where(eq(refund.order_id, row.id))
          .orderBy(refund.id)
      ).map(one => [one.cause, one.amount_cents, one.state])
    await tick()
    expect(await made()).toEqual([['expired', codes[1]!.pay_cents, 'done']])
    const [record] = await database.db
      .select()
      .from(verify_record)
      .where(eq(verify_record.order_id, row.id))
    expect(
      (await call(detail.reverseVerify, { id: row.id, verify_id: record!.id, reason: '扫错了' }))
        .status,
    ).toBe(200)
    expect(
      (await database.db.select().from(order_code).where(eq(order_code.id, codes[0]!.id)))[0]!
        .state,
    ).toBe('expired')
    await tick()
    await tick()
    expect(await made()).toEqual([
      ['expired', codes[1]!.pay_cents, 'done'],
      ['expired', codes[0]!.pay_cents, 'done'],
    ])
    const [after] = await database.db.select().from(order).where(eq(order.id, row.id))
    expect([after!.status, after!.refunded_cents]).toEqual(['refunded', row.pay_cents])
  })
})

describe('an order', () => {
  it('moves to another store of its merchant only, and only before use', async () => {
    const { row, one } = await bought(1)
    const [stranger] = await database.db
      .select()
      .from(store)
      .where(and(sql`${store.merchant_id} <> ${row.merchant_id}`, eq(store.status, 'open')))
      .limit(1)
    expect(
      (await call(detail.changeStore, { ...one, store_id: stranger!.id, reason: '就近' })).data
        .rule,
    ).toBe('other_merchant')
    expect(
      (await call(detail.changeStore, { ...one, store_id: usable, reason: '就近' })).status,
    ).toBe(200)
  })
  it('that was moved to a store is taken there, though its product is not sold there, and nobody is told that the store is the wrong one', async () => {
    const { row, one, codes } = await bought(2)
    const [here] = await database.db.select().from(store).where(eq(store.id, usable))
    const { id: _, ...kept } = here!
    const [there] = await database.db
      .insert(store)
      .values({ ...kept, store_no: `${kept.store_no}-2`, name: '新开的分店' })
      .returning()
    const use = (code_id: number) =>
      call(detail.verifyForStore, { id: row.id, code_id, store_id: there!.id, reason: '老店装修' })
    const offered = async (of: object) =>
      (await call(calls.stores, { ...of, page: 1, pageSize: 100 })).data.list.map(
        (each: { id: number }) => each.id,
      ) as number[]
    expect([
      (await offered({ order_id: row.id })).includes(there!.id),
      (await offered({ merchant_id: row.merchant_id })).includes(there!.id),
    ]).toEqual([false, true])
    expect((await use(codes[0]!.id)).data.rule).toBe('other_store')
    expect(
      (await call(detail.changeStore, { ...one, store_id: there!.id, reason: '老店装修' })).status,
    ).toBe(200)
    expect(await offered({ order_id: row.id })).toEqual(expect.arrayContaining([usable, there!.id]))
    for (const code of codes) expect((await use(code.id)).status).toBe(200)
    const flagsOf = async () =>
      (await call(bulksVerify.lst, { q: row.order_no })).data.list.map(
        (each: { flags: string[] }) => each.flags,
      )
    expect(await flagsOf()).toEqual([[], []])
    expect(
      (await call(bulksVerify.lst, { q: row.order_no, flag: 'wrong_store' })).data.list,
    ).toEqual([])
    // A store that rests takes none and is not offered; its orders say so.
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.id, there!.id))
    expect([
      (await offered({ order_id: row.id })).includes(there!.id),
      (await offered({ merchant_id: row.merchant_id })).includes(there!.id),
    ]).toEqual([false, false])
    expect((await call(calls.lst, { q: row.order_no })).data.list[0].store_status).toBe('resting')
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, there!.id))
    // Another order of the same product is not taken there.
    const other = await bought(1)
    expect(
      (
        await call(detail.verifyForStore, {
          id: other.row.id,
          code_id: other.codes[0]!.id,
          store_id: there!.id,
          reason: '也去新店',
        })
      ).data.rule,
    ).toBe('other_store')
  })
  it('has its codes sent again three times a day at most', async () => {
    const { row } = await bought(2)
    for (let n = 0; n < 3; n++)
      expect((await call(calls.resendCode, { id: row.id })).data.sent).toBe(2)
    expect((await call(calls.resendCode, { id: row.id })).data.rule).toBe('too_often')
  })
  it('unpaid is closed with a reason and holds nothing any more; a paid one is not', async () => {
    const held = async () =>
      (
        await database.db
          .select({ held: product.held })
          .from(product)
          .where(eq(product.id, item.id))
      )[0]!.held
    const before = await held()
    const made = await database.transaction(tx =>
      placeOrder(tx, { proved: true, product_id: item.id, member_id: 5, qty: 2, now: unixNow() }),
    )
    expect(await held()).toBe(before + 2)
    expect(
      (await call(calls.cancel, { id: made.id, version: made.version, reason: '拍错了' })).data
        .status,
    ).toBe('cancelled')
    expect(await held()).toBe(before)
    const { one } = await bought(1)
    expect((await call(calls.cancel, { ...one, reason: '已付' })).data.rule).toBe('not_unpaid')
  })
  it('shows phone and code in full only to whoever asks with a reason, which is logged', async () => {
    const { row, codes } = await bought(1)
    const masked = await addStaff(database, {
      perms: ['order.*'],
      role: { field_rules: { 'member.phone': 'mask', 'order.code': 'mask' } },
    })
    const shown = (await call(calls.detail, { id: row.id }, masked.token)).data as {
      order: { phone: string }
      codes: { code: string }[]
    }
    expect(shown.order.phone).toContain('*')
    expect(shown.codes[0]!.code).not.toBe(codes[0]!.code)
    expect(
      (await call(calls.revealPhone, { id: row.id, reason: '回访' }, masked.token)).data.phone,
    ).toMatch(/^1\d{10}$/)
    expect(
      (
        await call(
          detail.revealCode,
          { id: row.id, code_id: codes[0]!.id, reason: '门店核对' },
          masked.token,
        )
      ).data.code,
    ).toBe(codes[0]!.code)
    const lines = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'order'),
          eq(op_log.object_id, row.id),
          eq(op_log.action, 'reveal'),
        ),
      )
    expect(lines.map(line => (line.after as { field: string }).field).sort()).toEqual([
      'member.phone',
      'order.code',
    ])
  })
  it('tells where it came from: whose share, which live room, which short link', async () => {
    const { row } = await bought(1)
    const facts = async () =>
      ((await call(calls.detail, { id: row.id })).data as { facts: object }).facts
    expect(await facts()).toMatchObject({
      source: 'mini_program',
      shared_by: null,
      live_room: null,
      h5_link: null,
    })
    const {
      rows: [by],
    } = await database.db.execute<{
      id: number
      name: string
      card: number
      room: number
      title: string
      link: number
      called: string
    }>(
      sql`select m.id, m.nickname as name, (select min(id) from share_card) card, r.id room, r.title, l.id link, l.name called from member m, live_room r, h5_link l limit 1`,
    )
    await database.db.execute(
      sql`insert into share_visit (share_card_id, sharer_id, sharer_device, visitor_device, order_id, at) values (${by!.card}, ${by!.id}, 's', 'v', ${row.id}, 1)`,
    )
    await database.db
      .update(order)
      .set({ live_room_id: by!.room, h5_link_id: by!.link })
      .where(eq(order.id, row.id))
    expect(await facts()).toMatchObject({
      shared_by: { id: by!.id, name: by!.name },
      live_room: by!.title,
      h5_link: by!.called,
    })
  })
  it('offers a refund only while something of it is unused', async () => {
    const { row, codes } = await bought(2)
    const offered = async () =>
      can('refund')(((await call(calls.detail, { id: row.id })).data as { order: OrderRow }).order)
    await database.transaction(tx =>
      redeem(tx, { code_id: codes[0]!.id, store_id: usable, now: unixNow() }),
    )
    expect(await offered()).toBe(true)
    await database.transaction(tx =>
      redeem(tx, { code_id: codes[1]!.id, store_id: usable, now: unixNow() }),
    )
    expect(await offered()).toEqual([
      '没有未使用的券码可退；已使用的先撤销核销',
      expect.any(String),
    ])
  })
  it('keeps notes and tags, and its own log tells who did what', async () => {
    const { row, one } = await bought(1)
    await call(calls.remark, { id: row.id, text: '顾客来电，明天到店' })
    expect((await call(calls.tag, { ...one, tags: ['投诉', '投诉', '需回访'] })).status).toBe(200)
    const log = await database.db
      .select()
      .from(order_log)
      .where(eq(order_log.order_id, row.id))
      .orderBy(desc(order_log.id))
    expect(log.slice(0, 2).map(line => [line.event, line.actor_id])).toEqual([
      ['tag', me.id],
      ['remark', me.id],
    ])
    expect(
      ((await call(calls.lst, { tag: '需回访', q: row.order_no })).data as { total: number }).total,
    ).toBe(1)
    expect((await call(calls.tags, {})).data).toEqual(expect.arrayContaining(['投诉', '需回访']))
  })
})

describe('a refund above one’s limit', () => {
  /** Two of four codes given back by somebody who may decide over a cent only. */
  const asked = async () => {
    const first = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1 } })
    const { row, one, codes } = await bought(4)
    const made = (
      await call(
        detail.refund,
        { ...one, code_ids: codes.slice(0, 2).map(code => code.id), reason: '行程有变' },
        first.token,
      )
    ).data as { state: string; amount_cents: number }
    const listed = async (token = me.token) =>
      (
        (await call(calls.lst, { quick: 'to_decide', q: row.order_no }, token)).data as {
          list: OrderRow[]
        }
      ).list[0]
    const which = async () => {
      const { to_decide } = (await listed())!
      return { id: row.id, refund_id: to_decide!.id, refund_version: to_decide!.version }
    }
    return { first, row, codes, made, listed, which }
  }
  it('waits on the order’s row for a second person, who pays exactly the chosen codes’ shares', async () => {
    const { first, row, codes, made, listed, which } = await asked()
    expect(made).toMatchObject({
      state: 'second_audit',
      amount_cents: codes[0]!.pay_cents + codes[1]!.pay_cents,
    })
    expect((await listed())!.to_decide).toMatchObject({
      state: 'second_audit',
      amount_cents: made.amount_cents,
      first_by: first.id,
    })
    expect((await call(calls.approveRefund, await which(), first.token)).message).toContain(
      '不能是同一人',
    )
    const small = await addStaff(database, {
      perms: ['*'],
      role: { refund_limit_cents: made.amount_cents - 1 },
    })
    expect((await call(calls.approveRefund, await which(), small.token)).message).toContain(
      '超过你的审批额度',
    )
    expect((await call(calls.approveRefund, await which())).data).toMatchObject({
      id: row.id,
      state: 'paying',
    })
    expect(await listed()).toBeUndefined()
    await finishPayouts(database, unixNow())
    const [after] = await database.db.select().from(order).where(eq(order.id, row.id))
    expect(after).toMatchObject({
      refunded_cents: made.amount_cents,
      refund_state: 'part_refunded',
    })
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'order'), eq(op_log.object_id, row.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(line).toMatchObject({
      before: { refund_status: 'second_audit' },
      after: { refund_status: 'paying', amount_cents: made.amount_cents },
    })
  })
  it('goes back to the first where the second does not agree; refused there, its codes can be used again and the buyer is told why', async () => {
    const { row, codes, which, listed } = await asked()
    expect(
      (
        await call(calls.refuseRefund, {
          ...(await which()),
          reason_code: 'other',
          reason: '请先与买家确认',
        })
      ).data,
    ).toMatchObject({ state: 'applied' })
    expect((await listed())!.to_decide).toMatchObject({ state: 'applied', first_by: null })
    const stale = await which()
    expect(
      (await call(calls.refuseRefund, { ...stale, reason_code: 'used', reason: '买家愿意使用' }))
        .data,
    ).toMatchObject({ state: 'rejected' })
    expect((await call(calls.approveRefund, stale)).message).toMatch(/已由.*处理，现为「已拒绝」/)
    expect(
      (await database.db.select().from(order_code).where(eq(order_code.order_id, row.id))).map(
        code => code.state,
      ),
    ).toEqual(codes.map(() => 'unused'))
    expect(
      await database.db.select().from(order_message).where(eq(order_message.order_id, row.id)),
    ).toContainEqual(
      expect.objectContaining({ kind: 'refund', text: expect.stringContaining('买家愿意使用') }),
    )
  })
  it('is decided on its own order only, within the reader’s rights', async () => {
    const [{ which }, other] = [await asked(), await bought(1)]
    expect((await call(calls.approveRefund, { ...(await which()), id: other.row.id })).status).toBe(
      404,
    )
    const reader = await addStaff(database, { perms: ['order.bulks.view', 'order.bulks.refund'] })
    expect((await call(calls.approveRefund, await which(), reader.token)).status).toBe(403)
  })
})

describe('a refund that the channel refused to pay', () => {
  it('shows on its order and is paid by another try, once; of another order nothing is tried', async () => {
    const [{ one, row }, other] = [await bought(1), await bought(1)]
    await call(calls.refund, { ...one, reason: '行程取消' })
    await finishPayouts(
      database,
      unixNow() + 60,
      channelOf({
        refund: async () => ({ state: 'failed', code: 'NOTENOUGH', text: '基本账户余额不足' }),
      }),
    )
    expect(
      ((await call(calls.lst, { q: row.order_no })).data as { list: OrderRow[] }).list[0],
    ).toMatchObject({ status: 'refunding', payout_failed: true })
    expect((await call(calls.retryRefund, { id: row.id })).data).toEqual({ id: row.id, retried: 1 })
    expect([
      (await call(calls.retryRefund, { id: row.id })).data.rule,
      (await call(calls.retryRefund, { id: other.row.id })).data.rule,
    ]).toEqual(['nothing_failed', 'nothing_failed'])
    await finishPayouts(
      database,
      unixNow() + 7200,
      channelOf({
        queryRefund: async () => ({ state: 'failed', code: 'RESOURCE_NOT_EXISTS', text: '' }),
      }),
    )
    expect((await database.db.select().from(order).where(eq(order.id, row.id)))[0]).toMatchObject({
      status: 'refunded',
      refunded_cents: row.paid_cents,
    })
  })
})

describe('a payout that its channel answers two seconds later', () => {
  it('is asked about at once again, until it is answered or has taken too long for that', async () => {
    const { one, row } = await bought(1)
    await call(calls.refund, { ...one, reason: '行程取消' })
    const [out] = await database.db
      .select()
      .from(payment)
      .where(and(eq(payment.order_id, row.id), eq(payment.direction, 'out')))
    await database.db.insert(channel_pay_plan).values({ out_no: out!.out_no, plan: { delay_s: 2 } })
    const at = unixNow()
    const tick = (now: number) =>
      timerNamed('order.send')({
        database,
        events: app.events,
        install: app.install,
        log: { warn: () => {} } as never,
        now,
      })
    expect(await tick(at)).toContain('payout')
    expect(await tick(at + 1)).toEqual(['payout'])
    expect(await tick(at + 16)).not.toContain('payout')
    expect((await database.db.select().from(order).where(eq(order.id, row.id)))[0]!.status).toBe(
      'refunded',
    )
  })
})

describe('afterwards', () => {
  it('every invariant holds', async () => {
    expect(await broken(database)).toEqual({})
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
