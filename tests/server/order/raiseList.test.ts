import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, receivePayment } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { deposit_forfeit } from '#src/areas/raise/forfeit.table.ts'
import type { Batch } from '#src/areas/raise/raise.server.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { endBalance } from '#src/areas/raise/raiseFails.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { closeRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { ship } from '#src/areas/shipping/shipping.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { raiseDetail as detail, raiseList as calls } from '#src/modules/order/contract/raiseList.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'
import { depositRaise, pledge, raiseOf } from '../../help/raises.ts'
import { offerOf } from '../../help/rollGroups.ts'
import { wordless } from '../../help/words.ts'

const [HOUR, DAY] = [3600, 86_400]
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let other: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
let now: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const rights = { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } }
  ;[me, other] = [await addStaff(database, rights), await addStaff(database, rights)]
  now = unixNow()
  item = await offerOf(database, 'elist', now)
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
const full = (more: Partial<Batch> = {}) =>
  database.transaction(tx => raiseOf(tx, item, now - HOUR, more))
const deposit = (rule: 'refund' | 'forfeit', more: Partial<Batch> = {}) =>
  database.transaction(tx => depositRaise(tx, item, now - HOUR, { ...more, deposit_rule: rule }))
let buyer = 40
const buy = (batch: Batch, more: { qty?: number; paid?: boolean; freight_cents?: number } = {}) =>
  pledge(database, batch, { member_id: 1 + (++buyer % 60), now: now - 60, ...more })
const orderNow = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const batchNow = async (id: number) =>
  (await database.db.select().from(raise_batch).where(eq(raise_batch.id, id)))[0]!
const shown = async (batch: Batch) =>
  (await call(calls.batch, { batch_id: batch.id })).data as {
    raised: { units: number; cents: number }
    taken_units: number
    owed_cents: number
    owed_n: number
    owing_n: number
    declare_by: string
    kept_cents: number
  }
const parts = (id: number, direction: 'in' | 'out' = 'in') =>
  database.db
    .select()
    .from(payment)
    .where(and(eq(payment.order_id, id), eq(payment.direction, direction)))
    .orderBy(payment.id)
const pay = (id: number) => database.transaction(tx => payOrder(tx, id, now))
/** Declared by one person where its target is met. */
const succeed = (batch: Batch) =>
  call(calls.declareSuccess, { batch_id: batch.id, reason: '达标，提前投产' })
/** Sold, its target met and declared. */
const sold = async (rule: 'refund' | 'forfeit', more: Partial<Batch> = {}) => {
  const batch = await deposit(rule, { target: 1, ...more })
  const row = await buy(batch)
  await succeed(batch)
  return { batch, row: await orderNow(row.id) }
}
const terms = async (id: number) =>
  (await call(calls.terms, { id })).data as {
    back: { cents: number; kept_cents: number; free: boolean } | null
    promised: { deposit_rule: string; ship_at: number }
    at_pay: { units: number }
    forfeits: {
      amount_cents: number
      merchant_cents: number
      platform_cents: number
      state: string
    }[]
  }

describe('the lists', () => {
  it('have tabs that add up to their totals, of orders and of campaigns', async () => {
    for (const filters of [
      {},
      { quick: 'raise_ending' },
      { quick: 'balance_due' },
      { quick: 'balance_soon' },
      { quick: 'raise_owing' },
      { batch_id: 2 },
    ]) {
      const { all, ...each } = (await call(calls.counts, filters)).data as Record<string, number>
      expect([filters, all]).toEqual([filters, Object.values(each).reduce((a, b) => a + b, 0)])
      expect(
        ((await call(calls.lst, { ...filters, pageSize: 1 })).data as { total: number }).total,
      ).toBe(all)
    }
    for (const filters of [
      {},
      { quick: 'ending' },
      { quick: 'declared' },
      { quick: 'owing' },
      { quick: 'late' },
      { mode: 'deposit' },
    ]) {
      const { all, ...each } = (await call(calls.batchCounts, filters)).data as Record<
        string,
        number
      >
      expect([filters, all]).toEqual([filters, Object.values(each).reduce((a, b) => a + b, 0)])
      expect(
        ((await call(calls.batches, { ...filters, pageSize: 1 })).data as { total: number }).total,
      ).toBe(all)
    }
  })
  it('find a campaign by its words and by an order or phone of it, and orders by their campaign', async () => {
    const batch = await full({ title: '云朵羽绒被 第 88 期' })
    const row = await buy(batch)
    for (const q of ['云朵羽绒被', row.order_no])
      expect([
        q,
        ((await call(calls.batches, { q })).data as { list: { id: number }[] }).list.map(
          one => one.id,
        ),
      ]).toEqual([q, [batch.id]])
    expect(
      (
        (await call(calls.lst, { batch_id: batch.id })).data as {
          list: { id: number; raise: { title: string } }[]
        }
      ).list.map(one => [one.id, one.raise.title]),
    ).toEqual([[row.id, batch.title]])
    expect(
      (
        (await call(calls.campaigns, { keyword: '云朵' })).data as { list: { id: number }[] }
      ).list.map(one => one.id),
    ).toEqual([batch.id])
    expect((await call(calls.lst, { from: now - 187 * DAY })).status).toBe(400)
  })
  it('filter what ends soon, what owes its balance, what failed and is not paid back', async () => {
    const ending = await full({ end_at: now + DAY })
    const one = await buy(ending)
    const { row: due } = await sold('refund')
    const failing = await full()
    const failed = await buy(failing)
    await call(calls.closeRaise, { batch_id: failing.id, reason: '供应商退出' })
    const ids = async (quick: string) =>
      (
        (await call(calls.lst, { quick, pageSize: 200 })).data as { list: { id: number }[] }
      ).list.map(row => row.id)
    expect(await ids('raise_ending')).toContain(one.id)
    expect(await ids('raise_ending')).not.toContain(due.id)
    expect([await ids('balance_due'), await ids('balance_soon')]).toEqual([
      expect.arrayContaining([due.id]),
      expect.not.arrayContaining([due.id]),
    ])
    expect(await ids('raise_owing')).toContain(failed.id)
    await finishPayouts(database, unixNow() + 60)
    expect(await ids('raise_owing')).not.toContain(failed.id)
  })
  it('hold nothing outside a person’s scope, and let nobody act on it', async () => {
    const batch = await full()
    const row = await buy(batch)
    const far = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [batch.city_id === 1 ? 2 : 1] },
    })
    expect(
      ((await call(calls.lst, { batch_id: batch.id }, far.token)).data as { total: number }).total,
    ).toBe(0)
    expect(
      ((await call(calls.batches, { q: row.order_no }, far.token)).data as { total: number }).total,
    ).toBe(0)
    const until = now + 12 * DAY
    for (const [what, input] of [
      [calls.batch, {}],
      [calls.declareSuccess, { reason: '越权' }],
      [calls.closeRaise, { reason: '越权' }],
      [calls.extendRaise, { until, reason: '越权' }],
      [calls.remindBalance, {}],
      [calls.delayShip, { new_ship_at: now + 90 * DAY, reason: '越权' }],
    ] as const)
      expect([
        what.path,
        (await call(what, { batch_id: batch.id, ...input }, far.token)).status,
      ]).toEqual([what.path, 404])
    for (const what of [detail.refund, detail.refundDeposit])
      expect(
        (await call(what, { id: row.id, version: row.version, reason: '越权' }, far.token)).status,
      ).toBe(404)
  })
})

describe('while it raises', () => {
  it('raised is what was paid and not given back, counted from orders; the cap is never passed', async () => {
    const batch = await full({ cap_units: 5 })
    const [paid, unpaid] = [await buy(batch, { qty: 2 }), await buy(batch, { qty: 2, paid: false })]
    expect([paid.status, await shown(batch)]).toEqual([
      'waiting_group',
      expect.objectContaining({ raised: { units: 2, cents: paid.pay_cents }, taken_units: 4 }),
    ])
    await expect(buy(batch, { qty: 2 })).rejects.toMatchObject({ data: { rule: 'sold_out' } })
    await call(calls.cancel, { id: unpaid.id, version: unpaid.version, reason: '不要了' })
    expect((await shown(batch)).taken_units).toBe(2)
    const last = await buy(batch, { qty: 3 })
    await call(calls.refund, { id: last.id, version: last.version, reason: '众筹期退出' })
    await finishPayouts(database, unixNow() + 60)
    expect([await orderNow(last.id), await shown(batch)]).toEqual([
      expect.objectContaining({ status: 'refunded', refunded_cents: last.pay_cents }),
      expect.objectContaining({ raised: { units: 2, cents: paid.pay_cents }, taken_units: 2 }),
    ])
    expect((await terms(paid.id)).at_pay).toEqual({ units: 2, cents: paid.pay_cents })
  })
  it('ships nothing, and nobody orders before it begins or after its end', async () => {
    const batch = await full()
    const row = await buy(batch)
    const {
      rows: [by],
    } = await database.db.execute<{ id: number; sample: string }>(
      sql`select id, sample from courier where status = 'on' and sample <> '' order by id limit 1`,
    )
    expect(
      (
        await call(calls.ship, {
          id: row.id,
          version: row.version,
          courier_id: by!.id,
          tracking_no: by!.sample,
        })
      ).data.rule,
    ).toBe('not_shippable')
    for (const more of [
      { start_at: now + HOUR },
      { end_at: now - 120 },
      { state: 'draft' as const },
    ])
      await expect(full(more).then(one => buy(one))).rejects.toMatchObject({
        data: { rule: 'batch_over' },
      })
  })
  it('is extended once, by thirty days at most, and everybody is told; what was to come after it moves along', async () => {
    const batch = await deposit('refund')
    const row = await buy(batch)
    const extend = (until: number) =>
      call(calls.extendRaise, { batch_id: batch.id, until, reason: '差一点' })
    expect([
      (await extend(batch.end_at)).data.rule,
      (await extend(batch.end_at + 30 * DAY + 1)).data.rule,
    ]).toEqual(['until', 'until'])
    expect((await extend(batch.end_at + 10 * DAY)).status).toBe(200)
    expect(await batchNow(batch.id)).toMatchObject({
      end_at: batch.end_at + 10 * DAY,
      ship_at: batch.ship_at + 10 * DAY,
      balance_end_at: batch.balance_end_at! + 10 * DAY,
      extended: true,
    })
    expect((await extend(batch.end_at + 11 * DAY)).data.rule).toBe('extended')
    expect(
      await database.db
        .select({ kind: order_message.kind })
        .from(order_message)
        .where(eq(order_message.order_id, row.id)),
    ).toEqual([{ kind: 'delay' }])
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'raise_batch'),
          eq(op_log.object_id, batch.id),
          eq(op_log.result, 'ok'),
        ),
      )
      .orderBy(desc(op_log.id))
      .limit(1)
    expect([line!.before, line!.after]).toEqual([
      expect.objectContaining({ end_at: batch.end_at }),
      expect.objectContaining({ end_at: batch.end_at + 10 * DAY }),
    ])
  })
  it('its end decides: the target is met, or everybody is paid back', async () => {
    const [met, short] = [await full({ target: 2 }), await full({ target: 3 })]
    const [a, b] = [await buy(met, { qty: 2 }), await buy(short, { qty: 2 })]
    for (const one of [met, short])
      await database.db
        .update(raise_batch)
        .set({ end_at: now - 1 })
        .where(eq(raise_batch.id, one.id))
    await tickOrders(database, now)
    await finishPayouts(database, unixNow() + 60)
    expect([await batchNow(met.id), await orderNow(a.id)]).toEqual([
      expect.objectContaining({ state: 'success', end_by: 'target' }),
      expect.objectContaining({ status: 'pending_ship', promise_at: met.ship_at }),
    ])
    expect([await batchNow(short.id), await orderNow(b.id)]).toEqual([
      expect.objectContaining({ state: 'failed', end_by: 'timeout' }),
      expect.objectContaining({ status: 'refunded', refunded_cents: b.pay_cents }),
    ])
  })
})

describe('success', () => {
  it('below the target needs a reason and another person; the campaign goes on until then', async () => {
    const batch = await full({ target: 10 })
    const row = await buy(batch)
    expect((await call(calls.declareSuccess, { batch_id: batch.id })).status).toBe(400)
    expect(
      (await call(calls.declareSuccess, { batch_id: batch.id, reason: '供应商同意开工' })).data
        .state,
    ).toBe('raising')
    expect([(await shown(batch)).declare_by, (await orderNow(row.id)).status]).toEqual([
      me.account,
      'waiting_group',
    ])
    expect(
      (await call(calls.declareSuccess, { batch_id: batch.id, reason: '再点一次' })).data.rule,
    ).toBe('second_person')
    expect(
      (await call(calls.declareSuccess, { batch_id: batch.id, reason: '同意' }, other.token)).data
        .state,
    ).toBe('success')
    expect([await batchNow(batch.id), (await orderNow(row.id)).status]).toEqual([
      expect.objectContaining({ end_by: 'declare', declare_by: me.id, ended_by: other.id }),
      'pending_ship',
    ])
  })
  it('and failure are final: whoever comes second hears who was first', async () => {
    const batch = await full({ target: 1 })
    await buy(batch)
    await succeed(batch)
    const late = await call(calls.closeRaise, { batch_id: batch.id, reason: '想关闭' }, other.token)
    expect([late.status, late.message]).toEqual([409, expect.stringContaining(me.account)])
    expect(
      (
        await call(calls.extendRaise, {
          batch_id: batch.id,
          until: batch.end_at + DAY,
          reason: '晚了',
        })
      ).status,
    ).toBe(409)
  })
  it('asks for the balances; one that is paid may be shipped, one that is not can’t', async () => {
    const { batch, row } = await sold('refund')
    expect([
      row.status,
      row.balance_due,
      (await parts(row.id)).map(one => [one.stage, one.state]),
    ]).toEqual([
      'pending_payment',
      true,
      [
        ['deposit', 'success'],
        ['balance', 'pending'],
      ],
    ])
    expect((await parts(row.id)).reduce((all, one) => all + one.amount_cents, 0)).toBe(
      row.pay_cents,
    )
    const {
      rows: [by],
    } = await database.db.execute<{ id: number; sample: string }>(
      sql`select id, sample from courier where status = 'on' and sample <> '' order by id limit 1`,
    )
    const send1 = async () =>
      call(calls.ship, {
        id: row.id,
        version: (await orderNow(row.id)).version,
        courier_id: by!.id,
        tracking_no: by!.sample,
        anyway: true,
      })
    expect((await send1()).data.rule).toBe('not_shippable')
    await pay(row.id)
    expect(await orderNow(row.id)).toMatchObject({
      status: 'pending_ship',
      pay_state: 'paid',
      balance_due: false,
      paid_cents: row.pay_cents,
      promise_at: batch.ship_at,
    })
    expect((await send1()).data.status).toBe('shipped')
    await tickOrders(database, now)
    expect((await batchNow(batch.id)).state).toBe('shipping')
    await database.db
      .update(order)
      .set({ receive_by: now - 1 })
      .where(eq(order.id, row.id))
    await tickOrders(database, now)
    expect([(await orderNow(row.id)).status, (await batchNow(batch.id)).state]).toEqual([
      'finished',
      'finished',
    ])
  })
  it('sent, its money goes back once its goods have, or with the reason why they need not', async () => {
    const batch = await full({ target: 1 })
    const rows = [await buy(batch, { qty: 2 }), await buy(batch)]
    await succeed(batch)
    const {
      rows: [by],
    } = await database.db.execute<{ id: number; sample: string }>(
      sql`select id, sample from courier where status = 'on' and sample <> '' order by id limit 1`,
    )
    for (const row of rows)
      expect(
        (
          await call(calls.ship, {
            id: row.id,
            version: (await orderNow(row.id)).version,
            courier_id: by!.id,
            tracking_no: by!.sample,
            anyway: true,
          })
        ).data.status,
      ).toBe('shipped')
    const back = async (
      what: typeof calls.refund | typeof detail.refund,
      row: { id: number },
      more: object = {},
    ) =>
      call(what, {
        id: row.id,
        version: (await orderNow(row.id)).version,
        reason: '不想要了',
        ...more,
      })
    for (const what of [calls.refund, detail.refund])
      expect((await back(what, rows[0]!)).data.rule).toBe('shipped')
    expect([
      (await orderNow(rows[0]!.id)).refund_state,
      (await back(detail.refund, rows[0]!, { returned: 'good' })).status,
      (await back(calls.refund, rows[1]!, { keep: '运输破损，当场丢弃' })).status,
    ]).toEqual(['none', 200, 200])
    await finishPayouts(database, unixNow() + 60)
    const made = async (id: number) =>
      (await database.db.select().from(refund).where(eq(refund.order_id, id)))[0]!
    const [came, kept] = [await made(rows[0]!.id), await made(rows[1]!.id)]
    expect([
      came.type,
      came.return_condition,
      came.amount_cents,
      kept.type,
      kept.return_condition,
      kept.reason,
    ]).toEqual([
      'return_refund',
      'good',
      rows[0]!.pay_cents,
      'refund_only',
      null,
      joined([
        '不想要了（无需退回：运输破损，当场丢弃）',
        '不想要了 (need not come back: 运输破损，当场丢弃)',
      ]),
    ])
    const stock = async (id: number) =>
      (await database.db.select().from(order_item).where(eq(order_item.order_id, id)))[0]!
        .stock_returned
    expect([await stock(rows[0]!.id), await stock(rows[1]!.id)]).toEqual([2, 0])
  })
  it('reminds of balances once a day', async () => {
    const { batch, row } = await sold('refund')
    expect((await call(calls.remindBalance, { batch_id: batch.id })).data.sent).toBe(1)
    expect((await call(calls.remindBalance, { batch_id: batch.id })).data.rule).toBe('reminded')
    await pay(row.id)
    expect((await call(calls.remindBalance, { batch_id: batch.id })).data.rule).toBe('nobody_owes')
    expect((await call(calls.remindBalance, { batch_id: (await full()).id })).data.rule).toBe(
      'no_balance',
    )
  })
  it('gives one order more time for its balance, up to 72 hours past the campaign’s', async () => {
    const { row } = await sold('refund')
    const until = row.expire_pay_at
    const more = (at: number, version = row.version) =>
      call(detail.extendBalance, { id: row.id, version, until: at, reason: '出差中' })
    expect([(await more(until)).data.rule, (await more(until + 72 * HOUR + 1)).data.rule]).toEqual([
      'not_later',
      'too_late',
    ])
    expect([
      (await more(until + 72 * HOUR)).status,
      (await more(until + 72 * HOUR)).status,
      (await orderNow(row.id)).expire_pay_at,
    ]).toEqual([200, 409, until + 72 * HOUR])
    expect([
      await database.transaction(tx => endBalance(tx, row.id, until + 1)),
      (await orderNow(row.id)).status,
    ]).toEqual([false, 'pending_payment'])
  })
})

describe('a balance that is not paid in time cancels its order', () => {
  const lapse = async (row: { id: number }) => {
    await database.db
      .update(order)
      .set({ expire_pay_at: now - 1 })
      .where(eq(order.id, row.id))
    await tickOrders(database, now)
    await finishPayouts(database, unixNow() + 60)
  }
  it('and its deposit goes back where that was promised; its units can be sold again', async () => {
    const { batch, row } = await sold('refund')
    await lapse(row)
    expect([await orderNow(row.id), (await batchNow(batch.id)).taken_units]).toEqual([
      expect.objectContaining({
        status: 'cancelled',
        cancel_type: 'balance_timeout',
        refunded_cents: row.paid_cents,
      }),
      0,
    ])
    const [paid] = await parts(row.id)
    expect((await parts(row.id, 'out')).map(one => [one.parent_id, one.amount_cents])).toEqual([
      [paid!.id, paid!.amount_cents],
    ])
  })
  it('and its deposit is income where that was promised, shared as its goods are; it goes back after all only by the word of two', async () => {
    const { row } = await sold('forfeit')
    await lapse(row)
    const lost = await orderNow(row.id)
    expect([lost.status, lost.refunded_cents, (await parts(row.id, 'out')).length]).toEqual([
      'cancelled',
      0,
      0,
    ])
    const [line] = (await terms(row.id)).forfeits
    expect([line!.amount_cents, line!.merchant_cents + line!.platform_cents, line!.state]).toEqual([
      lost.paid_cents,
      lost.paid_cents,
      'valid',
    ])
    const ask = (token: string, version: number) =>
      call(detail.refundDeposit, { id: row.id, version, reason: '买家住院，特批' }, token)
    expect((await ask(me.token, lost.version)).data.state).toBe('second_audit')
    const waiting = await orderNow(row.id)
    expect((await ask(me.token, waiting.version)).data.rule).toBe('second_person')
    expect((await ask(other.token, waiting.version)).data.state).toBe('paying')
    await finishPayouts(database, now + 120)
    expect([
      (await orderNow(row.id)).refunded_cents,
      (await terms(row.id)).forfeits.map(one => one.state),
    ]).toEqual([lost.paid_cents, ['returned']])
  })
  it('a balance that comes too late goes back to its own payment', async () => {
    const { row } = await sold('forfeit')
    await lapse(row)
    const balance = (await parts(row.id)).find(one => one.stage === 'balance')!
    await database.transaction(tx =>
      receivePayment(tx, {
        out_no: balance.out_no,
        answer: { state: 'success', channel_no: 'L1', at: now, amount_cents: balance.amount_cents },
        now,
      }),
    )
    await finishPayouts(database, now + 120)
    expect(
      (await parts(row.id, 'out')).map(one => [one.parent_id, one.amount_cents, one.state]),
    ).toEqual([[balance.id, balance.amount_cents, 'success']])
    expect((await terms(row.id)).forfeits.map(one => one.state)).toEqual(['valid'])
  })
  it('but not while it is frozen', async () => {
    const { row } = await sold('refund')
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: row.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实',
        now,
      }),
    )
    await lapse(row)
    expect((await orderNow(row.id)).status).toBe('freezing')
    await database.transaction(tx =>
      unfreezeOrder(tx, {
        order_id: row.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实无误',
        now,
      }),
    )
    await lapse(row)
    expect((await orderNow(row.id)).status).toBe('cancelled')
  })
})

describe('refunds before shipment follow the rule of the deposit', () => {
  const refundNow = async (id: number, more: object = {}) =>
    call(detail.refund, { id, version: (await orderNow(id)).version, reason: '顾客来电', ...more })
  it('kept: only the balance goes back, to its own payment, and the deposit is income', async () => {
    const { row } = await sold('forfeit')
    await pay(row.id)
    const [first, second] = await parts(row.id)
    expect((await terms(row.id)).back).toEqual({
      cents: second!.amount_cents,
      kept_cents: first!.amount_cents,
      free: false,
    })
    expect((await refundNow(row.id, { amount_cents: row.pay_cents })).data.rule).toBe('above_cap')
    expect((await refundNow(row.id)).data.amount_cents).toBe(second!.amount_cents)
    await finishPayouts(database, unixNow() + 60)
    expect((await parts(row.id, 'out')).map(one => [one.parent_id, one.amount_cents])).toEqual([
      [second!.id, second!.amount_cents],
    ])
    expect([
      (await orderNow(row.id)).status,
      (await terms(row.id)).forfeits.map(one => [one.amount_cents, one.state]),
    ]).toEqual(['refunded', [[first!.amount_cents, 'valid']]])
  })
  it('given back: both go back, each to its own payment and not above it', async () => {
    const { row } = await sold('refund')
    await pay(row.id)
    expect((await refundNow(row.id)).data.amount_cents).toBe(row.pay_cents)
    await finishPayouts(database, unixNow() + 60)
    const ins = await parts(row.id)
    expect((await parts(row.id, 'out')).map(one => [one.parent_id, one.amount_cents])).toEqual(
      ins.map(one => [one.id, one.amount_cents]),
    )
  })
  it('of a deposit alone nothing goes back where it is kept, but by the word of two', async () => {
    const { row } = await sold('forfeit')
    expect((await refundNow(row.id)).data.rule).toBe('deposit_kept')
    expect(
      (await call(detail.refundDeposit, { id: row.id, version: row.version, reason: '特批' })).data,
    ).toMatchObject({ state: 'second_audit', amount_cents: row.paid_cents })
    expect(
      (
        await call(
          detail.refundDeposit,
          { id: row.id, version: (await orderNow(row.id)).version, reason: '同意' },
          other.token,
        )
      ).data.state,
    ).toBe('paying')
    await finishPayouts(database, unixNow() + 60)
    expect([
      await orderNow(row.id),
      (await terms(row.id)).forfeits,
      (await parts(row.id)).map(one => one.state),
    ]).toEqual([
      expect.objectContaining({ status: 'refunded', balance_due: false }),
      [],
      ['success', 'closed'],
    ])
  })
  it('a balance that is paid while the deposit goes back is sent back too', async () => {
    const { row } = await sold('refund')
    await refundNow(row.id)
    expect(await pay(row.id)).toBe(false)
    await finishPayouts(database, unixNow() + 60)
    const after = await orderNow(row.id)
    expect([after.status, after.paid_cents, after.refunded_cents]).toEqual([
      'refunded',
      row.pay_cents,
      row.pay_cents,
    ])
  })
  it('a balance that comes again and again while a case waits goes back each time, and what is asked for stays the whole of it', async () => {
    const { batch, row } = await sold('refund')
    const owed = row.pay_cents - row.paid_cents
    const { id, version } = await database.transaction(tx =>
      openRefund(tx, {
        order_id: row.id,
        wanted: 'all',
        source: 'member',
        reason: '不想要了',
        actor: { type: 'member' },
        now,
      }),
    )
    expect([await pay(row.id), await pay(row.id), await broken(database)]).toEqual([
      false,
      false,
      {},
    ])
    expect((await parts(row.id)).map(one => [one.stage, one.amount_cents, one.state])).toEqual([
      ['deposit', row.paid_cents, 'success'],
      ['balance', owed, 'success'],
      ['balance', owed, 'success'],
      ['balance', owed, 'pending'],
    ])
    await database.transaction(tx =>
      closeRefund(tx, { id, version, by: { id: me.id, limit_cents: 0 }, reason: '买家撤回', now }),
    )
    // What goes back was never the campaign’s, nor is it the buyer’s to have twice.
    expect([
      (await shown(batch)).raised.cents,
      (await shown(batch)).owed_cents,
      (await terms(row.id)).back!.cents,
    ]).toEqual([row.paid_cents, owed, row.paid_cents])
    await call(detail.extendBalance, {
      id: row.id,
      version: (await orderNow(row.id)).version,
      until: row.expire_pay_at + HOUR,
      reason: '出差中',
    })
    await call(calls.remindBalance, { batch_id: batch.id })
    const told = await database.db
      .select({ text: order_message.text })
      .from(order_message)
      .where(and(eq(order_message.order_id, row.id), eq(order_message.kind, 'balance')))
    expect(told.map(one => one.text.includes(`¥${yuan(owed)}`))).toEqual([true, true, true])
    expect([await pay(row.id), (await orderNow(row.id)).status]).toEqual([true, 'pending_ship'])
    await finishPayouts(database, unixNow() + 60)
    const after = await orderNow(row.id)
    expect([after.paid_cents - after.refunded_cents, await broken(database)]).toEqual([
      row.pay_cents,
      {},
    ])
  })
  it('while it raises a deposit goes back in full, whatever its rule', async () => {
    const batch = await deposit('forfeit')
    const row = await buy(batch)
    expect((await refundNow(row.id)).data.amount_cents).toBe(row.paid_cents)
    await finishPayouts(database, unixNow() + 60)
    expect([(await orderNow(row.id)).status, (await shown(batch)).raised.units]).toEqual([
      'refunded',
      0,
    ])
  })
  it('later than a week past the promise everybody may have everything back, and is told so', async () => {
    const { batch, row } = await sold('forfeit')
    await pay(row.id)
    const delay = (days: number) =>
      call(calls.delayShip, {
        batch_id: batch.id,
        new_ship_at: batch.promised_ship_at + days * DAY,
        reason: '面料到货晚',
      })
    expect((await delay(0)).data.rule).toBe('not_later')
    expect((await delay(7)).status).toBe(200)
    expect((await terms(row.id)).back).toMatchObject({
      free: false,
      kept_cents: expect.any(Number),
    })
    expect((await terms(row.id)).back!.kept_cents).toBeGreaterThan(0)
    expect((await delay(8)).status).toBe(200)
    expect([(await terms(row.id)).back, (await orderNow(row.id)).promise_at]).toEqual([
      { cents: row.pay_cents, kept_cents: 0, free: true },
      batch.promised_ship_at + 8 * DAY,
    ])
    const told = await database.db
      .select({ text: order_message.text })
      .from(order_message)
      .where(and(eq(order_message.order_id, row.id), eq(order_message.kind, 'delay')))
      .orderBy(order_message.id)
    expect(told.map(one => one.text.includes('全额退款'))).toEqual([false, true])
    expect((await refundNow(row.id)).data.amount_cents).toBe(row.pay_cents)
    await finishPayouts(database, unixNow() + 60)
    expect((await orderNow(row.id)).refunded_cents).toBe(row.pay_cents)
  })
  it('above a person’s limit another must agree', async () => {
    const small = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1 } })
    const { row } = await sold('refund')
    const { refund_id, state } = (
      await call(
        detail.refund,
        { id: row.id, version: row.version, reason: '顾客来电' },
        small.token,
      )
    ).data
    const agree = (token: string) =>
      call(calls.approveRefund, { id: row.id, refund_id, refund_version: 0 }, token)
    expect([state, (await agree(small.token)).status, (await agree(me.token)).data.state]).toEqual([
      'second_audit',
      422,
      'paying',
    ])
  })
  it('that waits for its second person is not agreed to as if it were the deposit alone', async () => {
    const small = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1 } })
    const { row } = await sold('refund')
    await pay(row.id)
    const { refund_id } = (
      await call(
        detail.refund,
        { id: row.id, version: (await orderNow(row.id)).version, reason: '顾客来电' },
        small.token,
      )
    ).data
    expect(
      (
        await call(
          detail.refundDeposit,
          { id: row.id, version: (await orderNow(row.id)).version, reason: '退定金' },
          other.token,
        )
      ).data.rule,
    ).toBe('not_alone')
    expect(
      (await database.db.select().from(refund).where(eq(refund.id, refund_id)))[0]!.state,
    ).toBe('second_audit')
  })
  it('with its balance unpaid an order goes back whole', async () => {
    const batch = await deposit('refund', { target: 1 })
    const row = await buy(batch, { qty: 2 })
    await succeed(batch)
    const [line] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, row.id))
    expect(
      (
        await call(calls.refund, {
          id: row.id,
          version: (await orderNow(row.id)).version,
          items: [{ id: line!.id, qty: 1 }],
          reason: '少要一件',
        })
      ).data.rule,
    ).toBe('whole_only')
  })
})

describe('failure', () => {
  it('refunds everybody fully and once, deposits and freight included, and closes who had not paid; stock returns; what the channel refused is sent again', async () => {
    const stock = async () =>
      (
        await database.db
          .select({ stock: product.stock, held: product.held })
          .from(product)
          .where(eq(product.id, item.id))
      )[0]!
    // What the demo's own orders of it are still owed comes back before.
    await finishPayouts(database, now + 7300)
    const before = await stock()
    const batch = await deposit('forfeit')
    const [one, two, unpaid] = [
      await buy(batch, { qty: 2, freight_cents: 900 }),
      await buy(batch),
      await buy(batch, { paid: false }),
    ]
    const frozen = await buy(batch)
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: frozen.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实',
        now,
      }),
    )
    expect(
      (await call(calls.closeRaise, { batch_id: batch.id, reason: '工厂倒闭' })).data.state,
    ).toBe('failed')
    expect(await orderNow(unpaid.id)).toMatchObject({
      status: 'cancelled',
      cancel_type: 'raise_fail',
    })
    await finishPayouts(
      database,
      unixNow() + 60,
      channelOf({ refund: async () => ({ state: 'failed', code: 'NOTENOUGH', text: '余额不足' }) }),
    )
    expect(
      (
        (await call(calls.lst, { batch_id: batch.id })).data as {
          list: { id: number; payout_failed: boolean }[]
        }
      ).list
        .filter(row => row.payout_failed)
        .map(row => row.id)
        .toSorted((a, b) => a - b),
    ).toEqual([one.id, two.id])
    expect([
      (await call(calls.retryRefund, { id: one.id })).data.retried,
      (await call(calls.retryRefund, { id: two.id })).data.retried,
      (await call(calls.retryRefund, { id: two.id })).data.rule,
    ]).toEqual([1, 1, 'nothing_failed'])
    await finishPayouts(
      database,
      now + 7200,
      channelOf({
        queryRefund: async () => ({ state: 'failed', code: 'RESOURCE_NOT_EXISTS', text: '' }),
      }),
    )
    await tickOrders(database, now)
    expect((await shown(batch)).owing_n).toBe(1)
    await database.transaction(tx =>
      unfreezeOrder(tx, {
        order_id: frozen.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实无误',
        now,
      }),
    )
    await tickOrders(database, now)
    await finishPayouts(database, now + 7300)
    await tickOrders(database, now)
    for (const row of [one, two, frozen]) {
      expect(await orderNow(row.id)).toMatchObject({
        status: 'refunded',
        refunded_cents: row.paid_cents,
      })
      expect(
        await database.db
          .select({ cause: refund.cause })
          .from(refund)
          .where(eq(refund.order_id, row.id)),
      ).toEqual([{ cause: 'raise_fail' }])
    }
    expect([
      await stock(),
      await database.db
        .select()
        .from(deposit_forfeit)
        .where(eq(deposit_forfeit.batch_id, batch.id)),
    ]).toEqual([before, []])
    const [line] = await database.db
      .select()
      .from(order_log)
      .where(and(eq(order_log.order_id, one.id), eq(order_log.event, 'raise_fail')))
    expect([line!.actor_id, line!.memo]).toEqual([me.id, '工厂倒闭'])
  })
})

describe('one order', () => {
  it('its receiver changes until it ships, its tracking within a day, and an old version is told', async () => {
    const { row } = await sold('refund')
    await pay(row.id)
    const ready = await orderNow(row.id)
    expect(
      (
        await call(detail.editAddress, {
          id: row.id,
          version: row.version,
          receiver: { address: '新路 9 号' },
          reason: '搬家',
        })
      ).status,
    ).toBe(409)
    expect(
      (
        await call(detail.editAddress, {
          id: row.id,
          version: ready.version,
          receiver: { address: '新路 9 号' },
          reason: '搬家',
        })
      ).status,
    ).toBe(200)
    await database.transaction(tx =>
      ship(tx, {
        order_id: row.id,
        courier: 'shunfeng',
        tracking_no: 'SF1234567890123',
        actor: { type: 'staff', id: me.id },
        now,
      }),
    )
    expect(
      (
        await call(detail.editAddress, {
          id: row.id,
          version: (await orderNow(row.id)).version,
          receiver: { address: '晚了' },
          reason: '搬家',
        })
      ).data.rule,
    ).toBe('not_editable')
    const {
      rows: [parcel],
    } = await database.db.execute<{ id: number; version: number }>(
      sql`select id, version from shipment where order_id = ${row.id}`,
    )
    expect(
      (
        await call(detail.editTracking, {
          id: row.id,
          shipment_id: parcel!.id,
          version: parcel!.version,
          tracking_no: 'SF1234567890124',
          reason: '贴错单',
        })
      ).status,
    ).toBe(200)
    await database.db.execute(
      sql`update shipment set shipped_at = ${now - 86_401} where id = ${parcel!.id}`,
    )
    expect(
      (
        await call(detail.editTracking, {
          id: row.id,
          shipment_id: parcel!.id,
          version: parcel!.version + 1,
          tracking_no: 'SF1234567890125',
          reason: '又贴错',
        })
      ).data.rule,
    ).toBe('too_late')
  })
  it('keeps what was promised to its buyer', async () => {
    const batch = await deposit('forfeit')
    const row = await buy(batch)
    await call(calls.extendRaise, {
      batch_id: batch.id,
      until: batch.end_at + 3 * DAY,
      reason: '差一点',
    })
    expect((await terms(row.id)).promised).toMatchObject({
      deposit_rule: 'forfeit',
      ship_at: batch.ship_at,
      deposit_cents: batch.deposit_cents,
      end_at: batch.end_at,
    })
  })
  it('leaves every invariant whole', async () => {
    expect(await broken(database)).toEqual({})
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
