import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { decideTimes } from '#src/areas/code/cards.server.ts'
import { order_code, times_ask, verify_record } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { timeShares } from '#src/areas/order/orderMoney.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { card as calls, cardDetail as detail } from '#src/modules/order/contract/card.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

const DAY = 86_400
const TIMES = 5
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
let usable: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  const made = await database.transaction(tx => freshProduct(tx, 'card'))
  // Five uses for 100.02: the shares can't be equal.
  ;[item] = (await database.db
    .update(product)
    .set({
      stock: 10_000,
      times_total: TIMES,
      price_cents: 100_02,
      valid_days: 90,
      check_end_at: unixNow() + 200 * DAY,
      sale_start_at: unixNow() - 100 * DAY,
      sale_end_at: unixNow() + 90 * DAY,
    })
    .where(eq(product.id, made.item.id))
    .returning()) as [typeof item]
  usable = (
    await database.db.execute<{ id: number }>(
      sql`select id from store where merchant_id = ${item.merchant_id} and status = 'open' limit 1`,
    )
  ).rows[0]!.id
  await database.db.execute(
    sql`insert into product_store (product_id, store_id) values (${item.id}, ${usable})`,
  )
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let buyer = 30
const bought = async (qty = 1, ago = 30) => {
  const now = unixNow() - ago
  const id = await database.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      member_id: ++buyer,
      qty,
      now,
    })
    await payOrder(tx, one.id, now)
    return one.id
  })
  return held(id)
}
const held = async (id: number) => {
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  const codes = await database.db
    .select()
    .from(order_code)
    .where(eq(order_code.order_id, id))
    .orderBy(order_code.id)
  return { row: row!, one: { id, version: row!.version }, codes, code: codes[0]! }
}
const use = (code_id: number, times = 1, now = unixNow()) =>
  database.transaction(tx => redeem(tx, { code_id, store_id: usable, now, times }))
const whole = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)
const lst = async (filters: object) =>
  (await call(calls.lst, filters)).data as { list: OrderRow[]; total: number }

describe('the uses of a card', () => {
  it('share what was paid: they differ by a cent at most and sum to it, whatever was used, refunded or given on top', async () => {
    const { row, code } = await bought()
    await use(code.id)
    await use(code.id, 2)
    const [first] = await database.db
      .select()
      .from(verify_record)
      .where(eq(verify_record.order_id, row.id))
      .orderBy(verify_record.id)
    await database.transaction(tx =>
      reverseRedemption(tx, {
        record_id: first!.id,
        by: { admin_id: me.id },
        reason: '扫错了',
        now: unixNow(),
      }),
    )
    await call(calls.addTimes, { ...(await held(row.id)).one, times: 2, reason: '门店停电' })
    await call(calls.refund, { ...(await held(row.id)).one, times: 1, reason: '少用一次' })
    const shown = (await call(calls.detail, { id: row.id })).data as OrderDetail
    const shares = timeShares(shown.codes[0]!, shown.uses)
    expect(shares.map(one => one.as)).toEqual([
      'used',
      'used',
      'refund',
      'left',
      'left',
      'bonus',
      'bonus',
    ])
    const paid = shares.filter(one => one.as !== 'bonus').map(one => one.cents)
    expect([whole(paid), Math.max(...paid) - Math.min(...paid)]).toEqual([100_02, 1])
    expect(shares.filter(one => one.as === 'bonus').map(one => one.cents)).toEqual([0, 0])
  })
  it('taken back are exactly that redemption’s uses and share', async () => {
    const { code, row } = await bought()
    const record = (await use(code.id, 3))!
    const before = (await held(row.id)).code
    expect(
      (await call(detail.reverseVerify, { id: row.id, verify_id: record.id, reason: '扫多了' }))
        .status,
    ).toBe(200)
    const after = (await held(row.id)).code
    expect([
      before.times_used - after.times_used,
      after.left_pay_cents - before.left_pay_cents,
      after.left_pay_cents,
    ]).toEqual([3, record.pay_cents, 100_02])
  })
  it('more than are left are refused, and used, in refund and refunded never exceed what was bought and given', async () => {
    const { code, row } = await bought()
    await use(code.id, 4)
    expect(
      (
        await call(detail.verifyForStore, {
          id: row.id,
          code_id: code.id,
          store_id: usable,
          times: 2,
          reason: '代核销',
        })
      ).data.rule,
    ).toBe('too_many')
    expect(
      (
        await call(detail.verifyForStore, {
          id: row.id,
          code_id: code.id,
          store_id: usable,
          times: 1,
          reason: '代核销',
        })
      ).status,
    ).toBe(200)
    await expect(
      database.db
        .update(order_code)
        .set({ times_used: TIMES + 1 })
        .where(eq(order_code.id, code.id)),
    ).rejects.toThrow()
  })
})

describe('a refund of what is left', () => {
  it('is the shares of the unused paid uses; uses that were given are worth nothing', async () => {
    const { code, row } = await bought()
    await use(code.id, 2)
    await call(calls.addTimes, { ...(await held(row.id)).one, times: 3, reason: '补偿' })
    const left = (await held(row.id)).code.left_pay_cents
    const made = await call(calls.refund, { ...(await held(row.id)).one, reason: '不去了' })
    expect(made.data.amount_cents).toBe(left)
    await finishPayouts(database, unixNow() + 60)
    const after = await held(row.id)
    expect([after.code.state, after.row.refund_state, after.row.status]).toEqual([
      'used',
      'part_refunded',
      'finished',
    ])
    // What was given is over with it.
    expect(await use(code.id)).toBeUndefined()
  })
  it('by number needs one card to be meant', async () => {
    const { row, one, codes } = await bought(2)
    expect((await call(calls.refund, { ...one, times: 1, reason: '退一次' })).data.rule).toBe(
      'which_code',
    )
    const made = await call(detail.refund, {
      ...one,
      code_ids: [codes[1]!.id],
      times: 2,
      reason: '退两次',
    })
    expect(made.data.amount_cents).toBe(20_01 + 20_01)
    expect((await held(row.id)).codes.map(code => code.times_refunding)).toEqual([0, 2])
    expect(
      (
        await call(detail.refund, {
          ...(await held(row.id)).one,
          code_ids: [codes[0]!.id],
          times: 6,
          reason: '太多',
        })
      ).data.rule,
    ).toBe('too_many')
  })
  it('waits for a gift to be recalled; of a card that was given away it needs the holder’s consent, which is noted', async () => {
    const { row, one, code } = await bought()
    await database.db
      .update(order_code)
      .set({ gift_state: 'sent' })
      .where(eq(order_code.id, code.id))
    expect((await call(calls.refund, { ...one, reason: '不去了' })).data.rule).toBe('gift')
    expect(
      (await call(detail.refund, { ...one, code_ids: [code.id], reason: '不去了' })).data.rule,
    ).toBe('gift')
    expect((await lst({ q: row.order_no, quick: 'gift' })).list.map(each => each.gift)).toEqual([
      'sent',
    ])
    const back = await call(detail.recallGift, { ...one, reason: '买家要退款' })
    expect(back.status).toBe(200)
    expect(
      (await call(detail.recallGift, { id: row.id, version: back.data.version, reason: '再来' }))
        .data.rule,
    ).toBe('no_gift')
    await database.db
      .update(order_code)
      .set({ gift_state: 'received', holder_id: 3 })
      .where(eq(order_code.id, code.id))
    expect(
      (await call(calls.refund, { id: row.id, version: back.data.version, reason: '不去了' })).data
        .rule,
    ).toBe('holder_consent')
    expect(
      (await call(calls.batchRefund, { ids: [row.id], reason: '批量' })).data.failed[0].code,
    ).toBe('holder_consent')
    expect(
      (
        await call(calls.refund, {
          id: row.id,
          version: back.data.version,
          reason: '不去了',
          consent: '持卡人 11 月 20 日电话同意',
        })
      ).status,
    ).toBe(200)
    const [made] = await database.db.select().from(refund).where(eq(refund.order_id, row.id))
    expect(made!.reason).toContain('持卡人 11 月 20 日电话同意')
  })
  it('in a batch takes part-used cards too; where the merchant has closed a second person must agree', async () => {
    const [a, b] = [await bought(), await bought()]
    await use(a.code.id)
    expect((await call(calls.batchRefund, { ids: [a.row.id], reason: '批量' })).data).toMatchObject(
      { ok: [a.row.id], failed: [] },
    )
    await database.db
      .update(merchant)
      .set({ status: 'frozen' })
      .where(eq(merchant.id, item.merchant_id))
    expect(
      (await call(calls.batchRefund, { ids: [b.row.id], reason: '商户停业' })).data.ok,
    ).toEqual([b.row.id])
    expect(
      (await lst({ quick: 'merchant_closed', merchant_id: item.merchant_id })).list.every(
        row => row.merchant_closed,
      ),
    ).toBe(true)
    await database.db
      .update(merchant)
      .set({ status: 'active' })
      .where(eq(merchant.id, item.merchant_id))
    const states = async (id: number) =>
      (await database.db.select().from(refund).where(eq(refund.order_id, id))).map(one => [
        one.state,
        one.first_by,
        one.second_by,
      ])
    expect([await states(a.row.id), await states(b.row.id)]).toEqual([
      [['paying', me.id, null]],
      [['second_audit', me.id, null]],
    ])
    expect(
      (
        await call(calls.batchRefund, {
          ids: Array.from({ length: 201 }, (_, at) => at + 1),
          reason: '太多',
        })
      ).status,
    ).toBe(400)
    await finishPayouts(database, unixNow() + 60)
  })
})

describe('uses given on top', () => {
  it('are never more than were bought, and need whoever may refund as much: all that was given counts', async () => {
    const { row, one } = await bought()
    expect(
      (await call(calls.addTimes, { ...one, times: TIMES + 1, reason: '太多' })).data.rule,
    ).toBe('too_many')
    const small = await addStaff(database, {
      perms: ['order.card.*'],
      role: { refund_limit_cents: 50_00 },
    })
    const first = await call(calls.addTimes, { ...one, times: 2, reason: '服务中断' }, small.token)
    expect(first.status).toBe(200)
    expect(first.data.waits).toBeNull()
    const more = await call(
      calls.addTimes,
      { id: row.id, version: first.data.version, times: 1, reason: '再补一次' },
      small.token,
    )
    expect(more.data.waits.worth_cents).toBe(60_02)
    expect(more.data.waits.who).toContain('运营总监')
    expect((await held(row.id)).code.times_bonus).toBe(2)
    expect(
      (
        await call(
          calls.refuseTimes,
          { ...(await held(row.id)).one, reason: '算错了，撤回' },
          small.token,
        )
      ).status,
    ).toBe(200)
    expect(
      (await call(calls.addTimes, { ...(await held(row.id)).one, times: 3, reason: '主管补' })).data
        .waits,
    ).toBeNull()
    const after = await held(row.id)
    expect([after.code.times_bonus, after.code.left_pay_cents]).toEqual([5, 100_02])
    expect((await call(calls.addTimes, { ...after.one, times: 1, reason: '满了' })).data.rule).toBe(
      'too_many',
    )
    const [note] = await database.db
      .select()
      .from(order_log)
      .where(
        and(
          eq(order_log.order_id, row.id),
          eq(order_log.event, 'add_times'),
          eq(order_log.actor_id, small.id),
        ),
      )
    expect([note!.memo, (note!.data as { times: number }).times]).toEqual(['服务中断', 2])
  })
  it('make a card that was used up usable again, and are worth nothing to the merchant', async () => {
    const { row, code } = await bought()
    await use(code.id, TIMES)
    expect((await held(row.id)).row.status).toBe('finished')
    await call(calls.addTimes, { ...(await held(row.id)).one, times: 1, reason: '服务不达标' })
    expect((await held(row.id)).row.status).toBe('part_used')
    const record = (await use(code.id))!
    expect([
      record.paid_times,
      record.pay_cents,
      record.settle_cents,
      (await held(row.id)).row.status,
    ]).toEqual([0, 0, 0, 'finished'])
  })
  it('are refused while frozen, in refund or expired, and on a stale screen', async () => {
    const { row, one, code } = await bought()
    await call(calls.freeze, { ...one, reason: '核实' })
    expect((await call(calls.addTimes, { ...one, times: 1, reason: '补偿' })).status).toBe(409)
    expect(
      (await call(calls.addTimes, { ...(await held(row.id)).one, times: 1, reason: '补偿' })).data
        .rule,
    ).toBe('frozen')
    expect(await use(code.id)).toBeUndefined()
    await call(calls.unfreeze, { ...(await held(row.id)).one, reason: '放行' })
    await call(calls.refund, { ...(await held(row.id)).one, times: 1, reason: '退一次' })
    expect(
      (await call(calls.addTimes, { ...(await held(row.id)).one, times: 1, reason: '补偿' })).data
        .rule,
    ).toBe('refunding')
    await finishPayouts(database, unixNow() + 60)
    expect(
      (
        await call(calls.addTimes, {
          ...(await held(row.id)).one,
          code_id: 1,
          times: 1,
          reason: '别人的',
        })
      ).status,
    ).toBe(404)
  })
})

describe('uses above the limit of whoever gives them', () => {
  const asked = async () => {
    const { row, one } = await bought()
    const small = await addStaff(database, {
      perms: ['order.card.*'],
      role: { refund_limit_cents: 50_00 },
    })
    expect(
      (await call(calls.addTimes, { ...one, times: 3, reason: '停业两周' }, small.token)).data.waits
        .worth_cents,
    ).toBe(60_02)
    return { row, small }
  }
  it('wait for another person, whose limit is not below them; then they are given once, and its log tells both', async () => {
    const { row, small } = await asked()
    expect(
      (await lst({ q: row.order_no, quick: 'times_asked' })).list.map(one => one.times_ask),
    ).toMatchObject([{ times: 3, worth_cents: 60_02, first_by: small.id, reason: '停业两周' }])
    const decide = async (what: typeof calls.confirmTimes, token = me.token) =>
      call(what, { ...(await held(row.id)).one, reason: '已核实' }, token)
    expect((await decide(calls.confirmTimes, small.token)).data.rule).toBe('same_person')
    const equal = await addStaff(database, {
      perms: ['order.card.*'],
      role: { refund_limit_cents: 60_01 },
    })
    const low = await decide(calls.confirmTimes, equal.token)
    expect(low.data.rule).toBe('above_limit')
    expect(low.message).toMatch(/60\.02.*60\.01.*运营总监/)
    expect(
      (await call(calls.addTimes, { ...(await held(row.id)).one, times: 1, reason: '再来' })).data
        .rule,
    ).toBe('asked')
    expect([
      (await held(row.id)).code.times_bonus,
      (await decide(calls.confirmTimes)).status,
      (await held(row.id)).code.times_bonus,
    ]).toEqual([0, 200, 3])
    expect((await decide(calls.confirmTimes)).data.rule).toBe('nothing_asked')
    expect(
      (
        await database.db
          .select()
          .from(order_log)
          .where(
            and(
              eq(order_log.order_id, row.id),
              sql`${order_log.event} in ('times_ask', 'add_times')`,
            ),
          )
          .orderBy(order_log.id)
      ).map(one => [one.event, one.actor_id]),
    ).toEqual([
      ['times_ask', small.id],
      ['add_times', me.id],
    ])
    const [ask] = await database.db.select().from(times_ask).where(eq(times_ask.order_id, row.id))
    expect([ask!.state, ask!.first_by, ask!.second_by]).toEqual(['given', small.id, me.id])
  })
  it('are refused with a reason, and may be asked for again; what the card can not have any more is not given', async () => {
    const { row } = await asked()
    const one = async () => (await held(row.id)).one
    expect((await call(calls.refuseTimes, { ...(await one()), reason: '已提前公告' })).status).toBe(
      200,
    )
    expect([
      (await held(row.id)).code.times_bonus,
      (await lst({ q: row.order_no, quick: 'times_asked' })).total,
    ]).toEqual([0, 0])
    const again = await addStaff(database, {
      perms: ['order.card.*'],
      role: { refund_limit_cents: 0 },
    })
    await call(calls.addTimes, { ...(await one()), times: 1, reason: '补了材料' }, again.token)
    await call(calls.freeze, { ...(await one()), reason: '核实' })
    expect((await call(calls.confirmTimes, { ...(await one()), reason: '同意' })).data.rule).toBe(
      'frozen',
    )
    await call(calls.unfreeze, { ...(await one()), reason: '放行' })
    await call(calls.refund, { ...(await one()), times: 1, reason: '退一次' })
    expect((await call(calls.confirmTimes, { ...(await one()), reason: '同意' })).data.rule).toBe(
      'refunding',
    )
    await finishPayouts(database, unixNow() + 60)
    expect((await call(calls.confirmTimes, { ...(await one()), reason: '同意' })).status).toBe(200)
  })
  it('are given once, however many agree at the same moment', async () => {
    const { row } = await asked()
    const agree = () =>
      database.transaction(async tx => {
        const { row: now } = await holdWithGroup(tx, row.id)
        return decideTimes(tx, now, {
          agree: true,
          reason: '同意',
          by: { id: me.id, limit_cents: 1e9 },
          permit: 'order.card.confirmTimes',
          now: unixNow(),
        })
      })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        agree().then(
          () => 'given',
          (error: { data?: { rule?: string } }) => error.data?.rule,
        ),
      ),
    )
    expect([
      answers.filter(one => one === 'given').length,
      answers.filter(one => one === 'nothing_asked').length,
      (await held(row.id)).code.times_bonus,
    ]).toEqual([1, 7, 3])
  })
})

describe('validity from the first use', () => {
  it('begins with the first valid redemption, goes back when that is taken back, and is never shortened', async () => {
    await database.db
      .update(product_version)
      .set({ body: sql`${product_version.body} || '{"valid_from": "first_use"}'::jsonb` })
      .where(eq(product_version.product_id, item.id))
    const { row, code } = await bought(1, 7200)
    await database.db
      .update(product_version)
      .set({ body: sql`${product_version.body} || '{"valid_from": "purchase"}'::jsonb` })
      .where(eq(product_version.product_id, item.id))
    expect([code.first_use_days, code.valid_until]).toEqual([90, item.check_end_at])
    const at = unixNow()
    const first = (await use(code.id, 1, at - 3600))!
    const until = async () => {
      const now = await held(row.id)
      return [now.code.valid_until, now.row.valid_until]
    }
    expect(await until()).toEqual([at - 3600 + 90 * DAY, at - 3600 + 90 * DAY])
    const second = (await use(code.id, 1, at))!
    expect(await until()).toEqual([at - 3600 + 90 * DAY, at - 3600 + 90 * DAY])
    const back = (record_id: number) =>
      database.transaction(tx =>
        reverseRedemption(tx, {
          record_id,
          by: { admin_id: me.id },
          reason: '扫错了',
          now: unixNow(),
        }),
      )
    await back(first.id)
    // The second is the first now.
    expect(await until()).toEqual([at + 90 * DAY, at + 90 * DAY])
    await back(second.id)
    expect(await until()).toEqual([item.check_end_at, item.check_end_at])
    const third = (await use(code.id, 1, at))!
    const longer = item.check_end_at + 30 * DAY
    expect(
      (
        await call(calls.extendValidity, {
          ...(await held(row.id)).one,
          until: longer,
          reason: '门店装修',
        })
      ).status,
    ).toBe(200)
    await back(third.id)
    expect(await until()).toEqual([longer, longer])
    expect(
      (
        await call(calls.extendValidity, {
          ...(await held(row.id)).one,
          until: longer - DAY,
          reason: '缩短',
        })
      ).data.rule,
    ).toBe('not_later')
  })
})

describe('the list of cards', () => {
  it('tells what is still owed: the sum over its rows, for every filter, in all and by merchant', async () => {
    for (const filters of [
      {},
      { status: 'part_used' },
      { quick: 'merchant_closed' },
      { quick: 'idle' },
      { merchant_id: item.merchant_id },
      { city_id: 1 },
    ]) {
      const owed = (await call(calls.liability, filters)).data as {
        left_cents: number
        orders: number
        merchants: { id: number; left_cents: number }[]
      }
      const rows: OrderRow[] = []
      for (let at = 1; ; at++) {
        const { list } = await lst({ ...filters, page: at, pageSize: 200 })
        rows.push(...list)
        if (list.length < 200) break
      }
      expect([filters, owed.left_cents, owed.orders]).toEqual([
        filters,
        whole(rows.map(row => row.left_cents)),
        rows.filter(row => row.left_cents > 0).length,
      ])
      const [top] = owed.merchants
      if (top)
        expect(top.left_cents).toBe(
          whole(rows.filter(row => row.merchant_id === top.id).map(row => row.left_cents)),
        )
    }
  })
  it('finds what nobody used for over 60 days, by the last use that stands', async () => {
    const { row, code } = await bought(1, 61 * DAY)
    const [[found], record] = [
      (await lst({ q: row.order_no, quick: 'idle' })).list,
      await use(code.id),
    ]
    expect([found?.id, found?.last_used_at]).toEqual([row.id, null])
    expect((await lst({ q: row.order_no, quick: 'idle' })).total).toBe(0)
    expect((await lst({ q: row.order_no })).list[0]!.last_used_at).toBe(record!.verified_at)
    await database.transaction(tx =>
      reverseRedemption(tx, {
        record_id: record!.id,
        by: { admin_id: me.id },
        reason: '扫错了',
        now: unixNow(),
      }),
    )
    expect((await lst({ q: row.order_no, quick: 'idle' })).total).toBe(1)
  })
  it('has tabs that add up to its total, holds only cards and nothing outside a person’s scope', async () => {
    for (const filters of [
      {},
      { quick: 'idle' },
      { quick: 'gift' },
      { quick: 'expiring' },
      { q: item.title.slice(0, 4) },
    ]) {
      const { all, ...each } = (await call(calls.counts, filters)).data as Record<string, number>
      expect([filters, all, whole(Object.values(each))]).toEqual([
        filters,
        (await lst({ ...filters, pageSize: 1 })).total,
        all,
      ])
    }
    const { row, code } = await bought()
    expect((await lst({ q: code.code })).list.map(one => [one.id, one.kind])).toEqual([
      [row.id, 'card'],
    ])
    const [bulks] = await database.db.select().from(order).where(eq(order.kind, 'bulks')).limit(1)
    expect((await call(calls.detail, { id: bulks!.id })).status).toBe(404)
    const other = await addStaff(database, {
      perms: ['order.*'],
      role: {
        scope_type: 'city',
        scope_ids: [row.city_id === 1 ? 2 : 1],
        refund_limit_cents: 1_000_00,
      },
    })
    for (const [what, input] of [
      [calls.detail, { id: row.id }],
      [calls.addTimes, { id: row.id, version: row.version, times: 1, reason: '越权' }],
      [detail.recallGift, { id: row.id, version: row.version, reason: '越权' }],
    ] as const)
      expect((await call(what, input, other.token)).status).toBe(404)
    expect((await call(calls.lst, { from: unixNow() - 187 * DAY })).data.fields).toHaveProperty(
      'from',
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
