import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { rollBuyActions } from '#commands/order/rollBuy.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, receivePayment } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unjoined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { rollBuy as calls, rollBuyDetail as detail } from '#src/modules/order/contract/rollBuy.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'
import { groupOf, joinGroup, offerOf } from '../../help/rollGroups.ts'
import { wordless } from '../../help/words.ts'

const DAY = 86_400
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
let posted: typeof product.$inferSelect
let now: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  now = unixNow()
  item = await offerOf(database, 'bulks', now)
  posted = await offerOf(database, 'elist', now)
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
const open = (need_n: number, of = item) =>
  database.transaction(tx => groupOf(tx, of, need_n, now - 60))
let buyer = 40
const join = (
  group: { id: number },
  more: { qty?: number; paid?: boolean; freight_cents?: number; member_id?: number } = {},
  of = item,
) => joinGroup(database, of, { group_id: group.id, member_id: ++buyer, now: now - 30, ...more })
const orderNow = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const groupNow = async (id: number) =>
  (await database.db.select().from(roll_group).where(eq(roll_group.id, id)))[0]!
const codesOf = (id: number) =>
  database.db.select().from(order_code).where(eq(order_code.order_id, id))
const outOf = (id: number) =>
  database.db
    .select()
    .from(payment)
    .where(and(eq(payment.order_id, id), eq(payment.direction, 'out')))

describe('the list', () => {
  it('has tabs that add up to its total, of orders and of groups', async () => {
    for (const filters of [
      {},
      { quick: 'group_ending' },
      { quick: 'group_owing' },
      { quick: 'group_unused' },
      { city_id: 1 },
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
      { quick: 'owing' },
      { quick: 'unused' },
      { city_id: 1 },
    ]) {
      const { all, ...each } = (await call(calls.groupCounts, filters)).data as Record<
        string,
        number
      >
      expect([filters, all]).toEqual([filters, Object.values(each).reduce((a, b) => a + b, 0)])
      expect(
        ((await call(calls.groups, { ...filters, pageSize: 1 })).data as { total: number }).total,
      ).toBe(all)
    }
  })
  it('finds a group by its number, or by an order, phone or code of it', async () => {
    const group = await open(3)
    const one = await join(group)
    const [code] = await codesOf(one.id)
    for (const q of [group.group_no, group.group_no.toLowerCase(), one.order_no, code!.code])
      expect([
        q,
        ((await call(calls.groups, { q })).data as { list: { id: number }[] }).list.map(
          row => row.id,
        ),
      ]).toEqual([q, [group.id]])
    const {
      rows: [grown],
    } = await database.db.execute<{ id: number; group_no: string }>(
      sql`select id, group_no from roll_group where id < ${group.id} order by id limit 1`,
    )
    expect(
      (
        (await call(calls.groups, { q: grown!.group_no })).data as { list: { id: number }[] }
      ).list.map(row => row.id),
    ).toEqual([grown!.id])
    expect(((await call(calls.groups, { q: 'PT1' })).data as { total: number }).total).toBe(0)
  })
  it('finds every group of what is sold under some words, and of what a store sells', async () => {
    const {
      rows: [some],
    } = await database.db.execute<{ title: string; store: string }>(
      sql`select p.title, s.name store from roll_group g join product p on p.id = g.product_id join product_store ps on ps.product_id = p.id join store s on s.id = ps.store_id where length(p.title) > 6 order by g.id limit 1`,
    )
    for (const q of [some!.title.slice(0, 5), some!.store]) {
      const { rows } = await database.db.execute<{ id: number }>(
        sql`select g.id from roll_group g join product p on p.id = g.product_id where p.title ilike ${`%${q}%`} or exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and s.name ilike ${`%${q}%`}) order by g.id desc`,
      )
      const found = (await call(calls.groups, { q, pageSize: 200 })).data as {
        list: { id: number }[]
        total: number
      }
      expect([q, found.total, found.list.map(row => row.id)]).toEqual([
        q,
        rows.length,
        rows.map(row => row.id).slice(0, 200),
      ])
      const { all, ...each } = (await call(calls.groupCounts, { q })).data as Record<string, number>
      expect([q, all, Object.values(each).reduce((a, b) => a + b, 0)]).toEqual([
        q,
        rows.length,
        rows.length,
      ])
    }
  })
  it('finds the orders of a group by its number', async () => {
    const group = await open(3)
    const mates = [await join(group), await join(group)]
    await join(await open(3))
    for (const q of [group.group_no, `拼团号：${group.group_no}`])
      expect(
        ((await call(calls.lst, { q })).data as { list: { id: number }[] }).list
          .map(row => row.id)
          .toSorted(),
      ).toEqual(mates.map(one => one.id).toSorted())
  })
  it('filters what forms and ends within two hours, what failed and still owes, what formed and is not used', async () => {
    const ending = await open(3)
    const one = await join(ending)
    const later = await open(3)
    await join(later)
    await database.db
      .update(roll_group)
      .set({ expire_at: now + 3 * 3600 })
      .where(eq(roll_group.id, later.id))
    const ids = async (quick: string) =>
      (
        (await call(calls.groups, { quick, pageSize: 200 })).data as { list: { id: number }[] }
      ).list.map(row => row.id)
    const orders = async (quick: string) =>
      (
        (await call(calls.lst, { quick, pageSize: 200 })).data as { list: { id: number }[] }
      ).list.map(row => row.id)
    expect(await ids('ending')).toContain(ending.id)
    expect(await ids('ending')).not.toContain(later.id)
    expect(await orders('group_ending')).toContain(one.id)
    await call(calls.forceFail, { group_id: ending.id, reason: '商品下架' })
    expect([await ids('owing'), await orders('group_owing')]).toEqual([
      expect.arrayContaining([ending.id]),
      expect.arrayContaining([one.id]),
    ])
    await finishPayouts(database, unixNow() + 60)
    expect(await ids('owing')).not.toContain(ending.id)
    const formed = await open(1)
    const used = await join(formed)
    expect([await ids('unused'), await orders('group_unused')]).toEqual([
      expect.arrayContaining([formed.id]),
      expect.arrayContaining([used.id]),
    ])
  })
  it('of groups and their seats holds nothing outside a person’s scope', async () => {
    const group = await open(3)
    const other = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [group.city_id === 1 ? 2 : 1] },
    })
    expect(
      ((await call(calls.groups, { q: group.group_no }, other.token)).data as { total: number })
        .total,
    ).toBe(0)
    for (const [what, input] of [
      [calls.seats, { group_id: group.id }],
      [calls.forceSuccess, { group_id: group.id, reason: '越权' }],
      [calls.forceFail, { group_id: group.id, reason: '越权' }],
      [calls.extendGroup, { group_id: group.id, until: now + DAY, reason: '越权' }],
    ] as const)
      expect((await call(what, input, other.token)).status).toBe(404)
  })
})

describe('a forming group', () => {
  it('is opened by the first payer, who leads it at the group’s price; whoever does not pay opens none', async () => {
    await database.db
      .update(product)
      .set({ group_need: 2, group_price_cents: 666 })
      .where(eq(product.id, item.id))
    const lead = (paid: boolean) =>
      database.transaction(async tx => {
        const made = await placeOrder(tx, {
          proved: true,
          product_id: item.id,
          member_id: ++buyer,
          qty: 1,
          opens_group: true,
          now: now - 20,
        })
        if (paid) await payOrder(tx, made.id, now - 20)
        return made.id
      })
    const [idle, led] = [await orderNow(await lead(false)), await orderNow(await lead(true))]
    expect(idle).toMatchObject({
      kind: 'roll_buy',
      roll_group_id: null,
      status: 'pending_payment',
      pay_cents: 666,
    })
    expect(led).toMatchObject({
      kind: 'roll_buy',
      group_role: 'leader',
      status: 'waiting_group',
      paid_cents: 666,
    })
    const group = await groupNow(led.roll_group_id!)
    expect(group).toMatchObject({
      state: 'forming',
      joined_n: 1,
      need_n: 2,
      group_price_cents: 666,
      single_price_cents: item.price_cents,
      product_id: item.id,
    })
    expect((await codesOf(led.id)).map(code => code.state)).toEqual(['locked'])
    expect((await call(calls.detail, { id: idle.id })).data).toMatchObject({
      order: { group: null, group_id: null },
    })
    await join(group)
    expect([(await groupNow(group.id)).state, (await orderNow(led.id)).status]).toEqual([
      'success',
      'pending_use',
    ])
    expect((await orderNow(idle.id)).roll_group_id).toBeNull()
  })
  it('opened so, fails when nobody joins in its time, and its leader has the money back', async () => {
    const { id } = await database.transaction(async tx => {
      const made = await placeOrder(tx, {
        proved: true,
        product_id: item.id,
        member_id: ++buyer,
        qty: 1,
        opens_group: true,
        now: now - 20,
      })
      await payOrder(tx, made.id, now - 20)
      return made
    })
    const group = await groupNow((await orderNow(id)).roll_group_id!)
    await database.db
      .update(roll_group)
      .set({ expire_at: now - 1 })
      .where(eq(roll_group.id, group.id))
    await tickOrders(database, now)
    await finishPayouts(database, now)
    expect([
      (await groupNow(group.id)).state,
      (await orderNow(id)).status,
      (await orderNow(id)).refunded_cents,
    ]).toEqual(['failed', 'refunded', 666])
  })
  it('is not opened for what is not offered to groups', async () => {
    await database.db
      .update(product)
      .set({ group_need: null, group_price_cents: null })
      .where(eq(product.id, posted.id))
    await expect(
      database.transaction(tx =>
        placeOrder(tx, {
          proved: true,
          product_id: posted.id,
          member_id: ++buyer,
          qty: 1,
          opens_group: true,
          now,
        }),
      ),
    ).rejects.toMatchObject({ data: { rule: 'no_group' } })
  })
  it('counts paid orders only; the last payment forms it and brings its codes into force', async () => {
    const group = await open(2)
    const first = await join(group)
    const unpaid = await join(group, { paid: false })
    expect([
      (await groupNow(group.id)).joined_n,
      first.group_role,
      first.status,
      unpaid.status,
    ]).toEqual([1, 'leader', 'waiting_group', 'pending_payment'])
    expect((await codesOf(first.id)).map(code => code.state)).toEqual(['locked'])
    expect(
      (
        await call(detail.verifyForStore, {
          id: first.id,
          code_id: (await codesOf(first.id))[0]!.id,
          store_id: first.store_id,
          reason: '未成团',
        })
      ).status,
    ).toBe(422)
    const second = await join(group)
    expect([
      (await groupNow(group.id)).state,
      (await orderNow(first.id)).status,
      second.status,
      second.group_role,
    ]).toEqual(['success', 'pending_use', 'pending_use', 'member'])
    expect((await codesOf(first.id)).map(code => code.state)).toEqual(['unused'])
  })
  it('has a seat for each member once; after a refund the member may come again', async () => {
    const group = await open(3)
    const who = ++buyer
    const one = await join(group, { member_id: who })
    await expect(join(group, { member_id: who })).rejects.toMatchObject({
      data: { rule: 'one_seat' },
    })
    await call(calls.refund, { id: one.id, version: one.version, reason: '换个号再来' })
    await finishPayouts(database, unixNow() + 60)
    expect((await join(group, { member_id: who })).status).toBe('waiting_group')
  })
  it('is given more time only while it forms, only longer, and not past the end of the sale', async () => {
    const group = await open(3)
    const one = await join(group)
    expect(
      (
        await call(calls.extendGroup, {
          group_id: group.id,
          until: group.expire_at,
          reason: '不够',
        })
      ).data.rule,
    ).toBe('not_later')
    expect(
      (
        await call(calls.extendGroup, {
          group_id: group.id,
          until: item.sale_end_at + 1,
          reason: '太久',
        })
      ).data.rule,
    ).toBe('after_sale')
    const until = group.expire_at + 3600
    expect(
      (await call(calls.extendGroup, { group_id: group.id, until, reason: '差一人' })).status,
    ).toBe(200)
    expect([(await groupNow(group.id)).expire_at, (await groupNow(group.id)).extended]).toEqual([
      until,
      true,
    ])
    const [line] = await database.db
      .select()
      .from(order_log)
      .where(eq(order_log.order_id, one.id))
      .orderBy(desc(order_log.id))
      .limit(1)
    expect([line!.event, line!.actor_id]).toEqual(['group_extend', me.id])
    await call(calls.forceFail, { group_id: group.id, reason: '不成了' })
    expect(
      (await call(calls.extendGroup, { group_id: group.id, until: until + 60, reason: '晚了' }))
        .status,
    ).toBe(409)
  })
  it('gives the seat of a refunded member free, and does not break when its leader leaves', async () => {
    const group = await open(3)
    const leader = await join(group)
    await join(group)
    expect(
      (await call(calls.refund, { id: leader.id, version: leader.version, reason: '团长退出' }))
        .status,
    ).toBe(200)
    await finishPayouts(database, unixNow() + 60)
    expect([
      (await groupNow(group.id)).joined_n,
      (await groupNow(group.id)).state,
      (await orderNow(leader.id)).status,
    ]).toEqual([1, 'forming', 'refunded'])
    await join(group)
    await join(group)
    expect((await groupNow(group.id)).state).toBe('success')
  })
  it('loses its unpaid seats when their time to pay is over, and a late payment goes back and is shown as such', async () => {
    const group = await open(3)
    const late = await join(group, { paid: false })
    await tickOrders(database, late.expire_pay_at + 1)
    expect([(await orderNow(late.id)).status, (await orderNow(late.id)).cancel_type]).toEqual([
      'cancelled',
      'timeout',
    ])
    await database.transaction(tx =>
      receivePayment(tx, {
        out_no: late.order_no,
        answer: { state: 'success', channel_no: 'L9', at: now, amount_cents: late.pay_cents },
        now,
      }),
    )
    await finishPayouts(database, unixNow() + 60)
    const back = await orderNow(late.id)
    expect([
      back.status,
      back.cancel_type,
      back.refunded_cents,
      (await groupNow(group.id)).joined_n,
    ]).toEqual(['cancelled', 'late_pay', late.pay_cents, 0])
    expect(
      await database.db
        .select({ cause: refund.cause })
        .from(refund)
        .where(eq(refund.order_id, late.id)),
    ).toEqual([{ cause: 'late_pay' }])
  })
  it('of posted goods ships nothing before it has formed', async () => {
    const group = await open(2, posted)
    const one = await join(group, {}, posted)
    const {
      rows: [by],
    } = await database.db.execute<{ id: number; sample: string }>(
      sql`select id, sample from courier where status = 'on' and sample <> '' order by id limit 1`,
    )
    const refused = await call(detail.ship, {
      id: one.id,
      version: one.version,
      courier_id: by!.id,
      tracking_no: by!.sample,
    })
    expect([refused.data.rule, refused.message]).toEqual(['not_shippable', '尚未成团，不能发货'])
    await join(group, {}, posted)
    const ready = await orderNow(one.id)
    expect(ready.status).toBe('pending_ship')
    expect(
      (
        await call(detail.ship, {
          id: one.id,
          version: ready.version,
          courier_id: by!.id,
          tracking_no: '1',
        })
      ).status,
    ).toBe(400)
    expect(
      (
        await call(detail.ship, {
          id: one.id,
          version: ready.version,
          courier_id: by!.id,
          tracking_no: by!.sample,
        })
      ).data.status,
    ).toBe('shipped')
    // What was sent comes back before its money does.
    const back = async (what: typeof calls.refund | typeof detail.refund, more: object = {}) =>
      call(what, {
        id: one.id,
        version: (await orderNow(one.id)).version,
        reason: '不想要了',
        ...more,
      })
    for (const what of [calls.refund, detail.refund])
      expect((await back(what)).data.rule).toBe('shipped')
    expect((await back(detail.refund, { returned: 'opened' })).status).toBe(200)
    await finishPayouts(database, unixNow() + 60)
    expect([
      (await orderNow(one.id)).status,
      (await database.db.select().from(refund).where(eq(refund.order_id, one.id)))[0],
    ]).toMatchObject(['refunded', { type: 'return_refund', return_condition: 'opened' }])
  })
  it('of posted goods agrees to a buyer’s return once the goods are there, and a second person sends it back to the first', async () => {
    const group = await open(1, posted)
    const one = await join(group, { qty: 2 }, posted)
    const {
      rows: [by],
    } = await database.db.execute<{ id: number; sample: string }>(
      sql`select id, sample from courier where status = 'on' and sample <> '' order by id limit 1`,
    )
    expect(
      (
        await call(detail.ship, {
          id: one.id,
          version: (await orderNow(one.id)).version,
          courier_id: by!.id,
          tracking_no: by!.sample,
          anyway: true,
        })
      ).status,
    ).toBe(200)
    const [line] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, one.id))
    const asked = await database.transaction(tx =>
      openRefund(tx, {
        order_id: one.id,
        wanted: { items: [{ id: line!.id, qty: 1 }] },
        type: 'return_refund',
        source: 'member',
        reason: '不合适',
        actor: { type: 'member' },
        now,
      }),
    )
    const shown = async () =>
      ((await call(calls.lst, { q: one.order_no })).data.list as OrderRow[])[0]!
    const which = async () => {
      const { to_decide } = await shown()
      return { id: one.id, refund_id: to_decide!.id, refund_version: to_decide!.version }
    }
    expect(rollBuyActions.approveRefund.when!(await shown(), { id: me.id } as never)).toBe(true)
    expect((await call(calls.approveRefund, await which())).data.rule).toBe('return_first')
    const small = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1 } })
    expect(
      (await call(calls.approveRefund, { ...(await which()), returned: 'good' }, small.token)).data
        .state,
    ).toBe('second_audit')
    expect(
      (
        await call(calls.refuseRefund, {
          ...(await which()),
          reason_code: 'other',
          reason: '再核对一次',
        })
      ).data.state,
    ).toBe('applied')
    expect(
      (await call(calls.approveRefund, { ...(await which()), returned: 'opened' })).data.state,
    ).toBe('paying')
    await finishPayouts(database, unixNow() + 60)
    expect(
      (await database.db.select().from(refund).where(eq(refund.id, asked.id)))[0],
    ).toMatchObject({ state: 'done', return_condition: 'opened', amount_cents: 777 })
    // What staff took back themselves waits for the same word, and is not stuck where that is no.
    expect(
      (
        await call(
          detail.refund,
          {
            id: one.id,
            version: (await orderNow(one.id)).version,
            returned: 'good',
            reason: '都退',
          },
          small.token,
        )
      ).data.state,
    ).toBe('second_audit')
    expect(
      (
        await call(calls.refuseRefund, {
          ...(await which()),
          reason_code: 'other',
          reason: '没有收到',
        })
      ).data.state,
    ).toBe('applied')
    expect(
      (
        await call(calls.refuseRefund, {
          ...(await which()),
          reason_code: 'other',
          reason: '没有收到',
        })
      ).data.state,
    ).toBe('rejected')
  })
  it('of posted goods gives back as many units as were chosen, at their share, and no more than are left', async () => {
    const group = await open(1, posted)
    const one = await join(group, { qty: 3, freight_cents: 5_00 }, posted)
    const [line] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, one.id))
    const back = async (qty: number) =>
      call(detail.refund, {
        id: one.id,
        version: (await orderNow(one.id)).version,
        items: [{ id: line!.id, qty }],
        reason: '买多了',
      })
    expect((await back(2)).data.amount_cents).toBe(2 * 777)
    expect((await back(2)).data.rule).toBe('too_many')
    // The last takes the freight: nothing was sent.
    expect((await back(1)).data.amount_cents).toBe(777 + 5_00)
    await finishPayouts(database, unixNow() + 60)
    expect((await orderNow(one.id)).status).toBe('refunded')
  })
})

describe('forced', () => {
  it('formed needs two who really paid; its virtual seats are marked and no order stands behind them', async () => {
    const group = await open(4)
    await join(group)
    expect(
      (await call(calls.forceSuccess, { group_id: group.id, reason: '凑不齐' })).data.rule,
    ).toBe('too_few')
    const second = await join(group)
    const made = await call(calls.forceSuccess, { group_id: group.id, reason: '老客带新客' })
    expect(made.data.state).toBe('success')
    const after = await groupNow(group.id)
    expect([
      after.joined_n,
      after.virtual_n,
      after.end_by,
      after.ended_by,
      after.end_reason,
    ]).toEqual([2, 2, 'force', me.id, '老客带新客'])
    expect((await orderNow(second.id)).status).toBe('pending_use')
    expect(
      await database.db
        .select({ id: order.id })
        .from(order)
        .where(eq(order.roll_group_id, group.id)),
    ).toHaveLength(2)
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'roll_group'), eq(op_log.object_id, group.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect([line!.before, line!.after]).toEqual([
      expect.objectContaining({ group_state: 'forming' }),
      expect.objectContaining({ group_state: 'success', virtual_n: 2 }),
    ])
  })
  it('formed, it can’t be dissolved: whoever comes second hears who formed it', async () => {
    const group = await open(2)
    await join(group)
    await join(group)
    const other = await addStaff(database, { perms: ['*'] })
    const late = await call(calls.forceFail, { group_id: group.id, reason: '想解散' }, other.token)
    expect([late.status, late.data.rule, late.message]).toEqual([
      409,
      'stale',
      expect.stringContaining('满员'),
    ])
    expect((await groupNow(group.id)).state).toBe('success')
    const forced = await open(3)
    await join(forced)
    await join(forced)
    await call(calls.forceSuccess, { group_id: forced.id, reason: '先到的人' })
    expect(
      (await call(calls.forceFail, { group_id: forced.id, reason: '后到的人' }, other.token))
        .message,
    ).toContain(me.account)
  })
  it('failed, every payer gets all of it back, freight too, also after the channel refused once; stock returns and unpaid seats close', async () => {
    const stock = async () =>
      (
        await database.db
          .select({ stock: product.stock, held: product.held })
          .from(product)
          .where(eq(product.id, posted.id))
      )[0]!
    // What the demo's own orders of it are still owed comes back before.
    await finishPayouts(database, now + 7200)
    const before = await stock()
    const group = await open(5, posted)
    const seats = [
      await join(group, { freight_cents: 800, qty: 2 }, posted),
      await join(group, { freight_cents: 1200 }, posted),
    ]
    const unpaid = await join(group, { paid: false }, posted)
    expect(
      (await call(calls.forceFail, { group_id: group.id, reason: '供应商缺货' })).data.state,
    ).toBe('failed')
    expect([(await orderNow(unpaid.id)).status, (await orderNow(unpaid.id)).cancel_type]).toEqual([
      'cancelled',
      'group_fail',
    ])
    await finishPayouts(
      database,
      unixNow() + 60,
      channelOf({
        refund: async () => ({ state: 'failed', code: 'NOTENOUGH', text: '基本账户余额不足' }),
      }),
    )
    const shown = (
      (await call(calls.lst, { q: seats.map(seat => seat.order_no).join('\n') })).data as {
        list: { status: string; payout_failed: boolean }[]
      }
    ).list
    expect(shown.map(row => [row.status, row.payout_failed])).toEqual([
      ['refunding', true],
      ['refunding', true],
    ])
    expect(
      (
        (await call(calls.groups, { q: group.group_no })).data as {
          list: { owing_n: number; payout_failed_n: number }[]
        }
      ).list[0],
    ).toMatchObject({ owing_n: 2, payout_failed_n: 2 })
    expect((await call(calls.retryRefund, { id: seats[0]!.id })).data.retried).toBe(1)
    const done = (await call(calls.batchRetryRefund, { ids: seats.map(seat => seat.id) })).data as {
      ok: number[]
      failed: { id: number; code: string }[]
    }
    expect([done.ok, done.failed.map(one => [one.id, one.code])]).toEqual([
      [seats[1]!.id],
      [[seats[0]!.id, 'nothing_failed']],
    ])
    await finishPayouts(
      database,
      now + 7200,
      channelOf({
        queryRefund: async () => ({ state: 'failed', code: 'RESOURCE_NOT_EXISTS', text: '' }),
      }),
    )
    for (const seat of seats) {
      const after = await orderNow(seat.id)
      expect([after.status, after.refunded_cents]).toEqual(['refunded', seat.pay_cents])
      expect(
        (await outOf(seat.id))
          .filter(one => one.state === 'success')
          .reduce((sum, one) => sum + one.amount_cents, 0),
      ).toBe(seat.pay_cents)
      const [kept] = await database.db.select().from(refund).where(eq(refund.order_id, seat.id))
      expect([kept!.cause, kept!.freight_cents, kept!.coupon_back]).toEqual([
        'group_fail',
        seat.freight_cents,
        true,
      ])
    }
    expect(await stock()).toEqual(before)
  })
  it('failed, a frozen payer is paid back once free, and one who had part of it back already gets the rest', async () => {
    const group = await open(4)
    const frozen = await join(group)
    const part = await join(group, { qty: 2 })
    const held = (
      await call(calls.freeze, { id: frozen.id, version: frozen.version, reason: '核实身份' })
    ).data as { version: number }
    const [code] = await codesOf(part.id)
    expect(
      (
        await call(detail.refund, {
          id: part.id,
          version: part.version,
          code_ids: [code!.id],
          reason: '少买一份',
        })
      ).status,
    ).toBe(200)
    await call(calls.forceFail, { group_id: group.id, reason: '解散' })
    await finishPayouts(database, unixNow() + 60)
    await tickOrders(database, now + 60)
    await finishPayouts(database, now + 120)
    expect([(await orderNow(part.id)).status, (await orderNow(part.id)).refunded_cents]).toEqual([
      'refunded',
      part.pay_cents,
    ])
    expect((await orderNow(frozen.id)).status).toBe('freezing')
    await call(calls.unfreeze, { id: frozen.id, version: held.version, reason: '核实无误' })
    await tickOrders(database, now + 180)
    await finishPayouts(database, now + 240)
    expect([
      (await orderNow(frozen.id)).status,
      (await orderNow(frozen.id)).refunded_cents,
    ]).toEqual(['refunded', frozen.pay_cents])
  })
  it('is a right of its own: who may only look may not force', async () => {
    const group = await open(3)
    const looker = await addStaff(database, { perms: ['order.rollBuy.view'] })
    expect(
      (await call(calls.forceFail, { group_id: group.id, reason: '无权' }, looker.token)).status,
    ).toBe(403)
    expect((await call(calls.seats, { group_id: group.id }, looker.token)).status).toBe(200)
  })
})

describe('a formed group', () => {
  it('is refunded by the rule of its product: chosen codes at their shares, the others stay', async () => {
    const group = await open(1)
    const one = await join(group, { qty: 3 })
    const codes = await codesOf(one.id)
    const made = await call(detail.refund, {
      id: one.id,
      version: one.version,
      code_ids: [codes[0]!.id],
      reason: '用不完',
    })
    expect(made.data.amount_cents).toBe(codes[0]!.pay_cents)
    await finishPayouts(database, unixNow() + 60)
    expect([(await orderNow(one.id)).status, (await groupNow(group.id)).joined_n]).toEqual([
      'pending_use',
      1,
    ])
  })
  it('shows all its seats with role, payment and state, and its timeline tells of the group', async () => {
    const group = await open(2)
    const [a, b] = [await join(group), await join(group)]
    const shown = (await call(calls.seats, { group_id: group.id })).data as {
      group: { leader_name: string }
      seats: { id: number; group_role: string; status: string }[]
    }
    expect(shown.seats.map(seat => [seat.id, seat.group_role, seat.status])).toEqual([
      [a.id, 'leader', 'pending_use'],
      [b.id, 'member', 'pending_use'],
    ])
    expect(shown.group.leader_name).not.toBe('')
    const { log } = (await call(calls.detail, { id: a.id })).data as { log: { event: string }[] }
    expect(log.map(line => line.event)).toEqual(
      expect.arrayContaining(['group_success', 'group_join', 'pay', 'create']),
    )
  })
})

describe('whoever leads a group that promises it', () => {
  const led = async (members: number) => {
    const { id } = await database.transaction(async tx => {
      const made = await placeOrder(tx, {
        proved: true,
        product_id: item.id,
        member_id: ++buyer,
        qty: 2,
        opens_group: true,
        now: now - 20,
      })
      await payOrder(tx, made.id, now - 20)
      return made
    })
    const leader = await orderNow(id)
    const others: (typeof leader)[] = []
    for (let n = 0; n < members; n++) others.push(await join({ id: leader.roll_group_id! }))
    return { group_id: leader.roll_group_id!, leader, others }
  }
  beforeAll(async () => {
    await database.db
      .update(product)
      .set({ group_need: 3, group_price_cents: 667, group_leader_free: true })
      .where(eq(product.id, item.id))
  })
  const use = async (id: number) => {
    for (const code of await codesOf(id))
      if (code.state === 'unused')
        await database.transaction(tx =>
          redeem(tx, { code_id: code.id, store_id: item.store_ids[0]!, now }),
        )
  }
  /** Through, and so long ago that no redemption can be taken back. */
  const longAgo = (group_id: number, days = 4) =>
    database.db
      .update(order)
      .set({ finished_at: now - days * DAY })
      .where(and(eq(order.roll_group_id, group_id), sql`finished_at is not null`))
  const tick = async () => {
    await tickOrders(database, now)
    await finishPayouts(database, unixNow() + 60)
  }
  const rewardOf = async (id: number) =>
    database.db
      .select()
      .from(refund)
      .where(and(eq(refund.order_id, id), eq(refund.cause, 'leader_free')))
  const giveBack = async (id: number) => {
    expect(
      (await call(detail.refund, { id, version: (await orderNow(id)).version, reason: '不要了' }))
        .status,
    ).toBe(200)
    await finishPayouts(database, unixNow() + 60)
  }

  it('has one unit free by the way it was paid, once, when all of the group is through and nothing can be taken back', async () => {
    const { group_id, leader, others } = await led(2)
    expect((await groupNow(group_id)).reward_state).toBe('due')
    for (const one of [leader, others[0]!]) await use(one.id)
    await longAgo(group_id)
    await tick()
    expect([(await groupNow(group_id)).reward_state, await rewardOf(leader.id)]).toEqual([
      'due',
      [],
    ])
    await use(others[1]!.id)
    await tick()
    // The last was used a moment ago: it may still be taken back.
    expect((await groupNow(group_id)).reward_state).toBe('due')
    await longAgo(group_id)
    await tick()
    await tick()
    expect(await groupNow(group_id)).toMatchObject({ reward_state: 'paid', reward_cents: 667 })
    expect(
      (await rewardOf(leader.id)).map(one => [one.amount_cents, one.state, one.source]),
    ).toEqual([[667, 'done', 'system']])
    const after = await orderNow(leader.id)
    expect([after.refunded_cents, after.status, after.refund_state]).toEqual([
      667,
      'finished',
      'none',
    ])
    expect((await outOf(leader.id)).map(one => [one.amount_cents, one.state])).toEqual([
      [667, 'success'],
    ])
    const shown = (await call(calls.seats, { group_id })).data as { group: object }
    expect(shown.group).toMatchObject({
      leader_free: true,
      reward_state: 'paid',
      reward_cents: 667,
    })
  })
  it('has nothing before it forms, nor once everybody else has gone; one of several who goes changes nothing', async () => {
    const forming = await led(1)
    expect((await groupNow(forming.group_id)).reward_state).toBe('none')
    const { group_id, leader, others } = await led(2)
    await giveBack(others[0]!.id)
    expect((await groupNow(group_id)).reward_state).toBe('due')
    await giveBack(others[1]!.id)
    expect((await groupNow(group_id)).reward_state).toBe('none')
    await use(leader.id)
    await longAgo(group_id)
    await tick()
    expect(await rewardOf(leader.id)).toEqual([])
  })
  it('owes it once all others have their money back after it was paid, and finance finds such groups', async () => {
    const owing = async () =>
      (
        (await call(calls.groups, { quick: 'reward_back' })).data as { list: { id: number }[] }
      ).list.map(one => one.id)
    const before = await owing()
    const { group_id, leader, others } = await led(2)
    for (const one of [leader, ...others]) await use(one.id)
    await longAgo(group_id)
    await tick()
    expect((await groupNow(group_id)).reward_state).toBe('paid')
    for (const [at, one] of others.entries()) {
      const [record] = await database.db
        .select()
        .from(verify_record)
        .where(eq(verify_record.order_id, one.id))
      await database.transaction(tx =>
        reverseRedemption(tx, {
          record_id: record!.id,
          by: { admin_id: me.id },
          reason: '门店确认未消费',
          now,
          late: true,
        }),
      )
      await giveBack(one.id)
      expect((await groupNow(group_id)).reward_state).toBe(at === 0 ? 'paid' : 'clawed')
    }
    expect(
      (
        await database.db
          .select()
          .from(order_log)
          .where(and(eq(order_log.order_id, leader.id), eq(order_log.event, 'reward_back')))
      ).map(one => unjoined(one.memo)),
    ).toEqual([
      [
        '其他成员均已退款，应追回 6.67 元',
        'The others were all refunded: ¥6.67 are to be taken back',
      ],
    ])
    expect((await owing()).filter(id => !before.includes(id))).toEqual([group_id])
    // Then it is settled once: the money came back, or somebody who may gives it up.
    const end = (as: string, token = me.token) =>
      call(calls.endReward, { group_id, as, reason: '团长已转回' }, token)
    const small = await addStaff(database, {
      perms: ['order.rollBuy.endReward'],
      role: { refund_limit_cents: 666 },
    })
    expect((await end('waived', small.token)).data.rule).toBe('limit')
    expect((await end('returned', small.token)).data.reward_state).toBe('returned')
    expect((await end('waived')).data.rule).toBe('nothing_owed')
    expect(await owing()).toEqual(before)
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'roll_group'), eq(op_log.object_id, group_id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect([
      line!.reason,
      unjoined(
        (
          await database.db
            .select()
            .from(order_log)
            .where(and(eq(order_log.order_id, leader.id), eq(order_log.event, 'reward_back')))
            .orderBy(order_log.id)
        ).at(-1)!.memo,
      ),
    ]).toEqual(['团长已转回', ['已追回 6.67 元：团长已转回', 'Taken back ¥6.67: 团长已转回']])
  })
  it('waits while an order of the group is frozen, and leaves the leader who is gone without', async () => {
    const { group_id, leader, others } = await led(2)
    for (const one of others) await use(one.id)
    const [code] = await codesOf(leader.id)
    await database.transaction(tx =>
      redeem(tx, { code_id: code!.id, store_id: item.store_ids[0]!, now }),
    )
    expect(
      (
        await call(calls.freeze, {
          id: leader.id,
          version: (await orderNow(leader.id)).version,
          reason: '核查',
        })
      ).status,
    ).toBe(200)
    await longAgo(group_id)
    await tick()
    expect(await rewardOf(leader.id)).toEqual([])
    const gone = await led(2)
    await giveBack(gone.leader.id)
    expect((await groupNow(gone.group_id)).reward_state).toBe('none')
  })
})

describe('afterwards', () => {
  it('every invariant holds', async () => {
    expect(await broken(database)).toEqual({})
  })
  it('a group and all its orders agree', async () => {
    const wrong = await database.db
      .select({ id: order.id })
      .from(order)
      .innerJoin(roll_group, eq(roll_group.id, order.roll_group_id))
      .where(and(inArray(roll_group.state, ['success']), eq(order.fulfil_state, 'waiting_group')))
    expect(wrong).toEqual([])
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
