import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { reachOf } from '#src/areas/merchant/storeReach.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { goodsStages, PICKUP_WARN_DAYS, type GoodsStage } from '#src/areas/order/order.ts'
import { pickupEnds } from '#src/areas/order/orderCodes.server.ts'
import { noteOrder, rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import { productOf } from '#src/areas/order/orderUnits.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import {
  changeStore,
  changeTime,
  confirmDelivered,
  confirmPickup,
  confirmReady,
  dispatch,
  editReceiver,
  remindStore,
} from '#src/areas/order/storeGoods.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { store_stock } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefunds } from '#src/areas/refund/refund.ts'
import {
  approveRefund,
  rejectRefund,
  secondApprove,
  secondReject,
} from '#src/areas/refund/refundCases.server.ts'
import { say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement } from '#src/server/call/implement.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { goods, goodsDetail } from '../contract/goods.ts'
import { countTabs } from './counts.ts'
import { exportOrders } from './exportOrders.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { lotsHandler, lotsOf, unitsOf } from './lots.ts'
import { refundBy } from './refundBy.ts'
import { orderHandlers } from './shared.ts'
import { searched, stageWhere } from './where.ts'

const kinds = ['goods'] as const
exportOrders('goods', kinds, ['门店商品订单', 'Store goods orders'])
const { refund: _, ...shared } = orderHandlers('goods', kinds)
const answer = (row: Order) => ({ id: row.id, status: row.status, version: row.version })
const refunded = (id: number, made: typeof refund.$inferSelect) => ({
  id,
  refund_id: made.id,
  refund_no: made.refund_no,
  amount_cents: made.amount_cents,
  state: made.state,
})
const step = ({ staff, now }: Pick<WriteContext, 'staff' | 'now'>) => ({
  actor: staffActor(staff),
  now,
})
const itemsOf = (db: Db, row: Order) =>
  db.select().from(order_item).where(eq(order_item.order_id, row.id)).orderBy(order_item.id)
const remind = async (context: WriteContext, id: number) => {
  const row = await heldOrder(context.tx, kinds, { id }, context.staff)
  const after = await remindStore(context.tx, row, { ...step(context), admin_id: context.staff.id })
  context.log({
    ...logged(row),
    before: { reminded_at: row.reminded_at },
    after: { reminded_at: after.reminded_at },
  })
  return { id, reminded_at: after.reminded_at! }
}

export const goodsServer = implement(goods, {
  ...shared,
  ...lotsHandler(kinds),
  counts: async ({ stage: __, ...filters }, { db, staff, now }) => {
    return countTabs(
      db,
      [...(Object.keys(goodsStages) as GoodsStage[]), 'all' as const],
      await searched(db, kinds, filters, now),
      { kinds, staff, now, tab: stage => (stage === 'all' ? undefined : stageWhere(stage, now)) },
    )
  },
  refund: async ({ items, qty, reason, ...one }, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    const meant =
      items ??
      (qty === undefined ? undefined : (await itemsOf(context.tx, row)).map(({ id }) => ({ id })))
    if (qty !== undefined && meant!.length > 1)
      throw ruled('which_item', [
        '填写件数时只能退一种商品：请只选一种，或到详情页填写各退几件',
        'A number is of one item: choose one, or say on its page how many of each',
      ])
    return refunded(
      row.id,
      await refundBy(context, row, {
        items: await unitsOf(
          context.tx,
          row,
          meant?.map(each => (qty === undefined ? each : { ...each, qty })),
        ),
        reason,
      }),
    )
  },
  confirmReady: async (one, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    const after = await confirmReady(context.tx, row, step(context))
    context.log({ ...logged(row), before: { ready_at: null }, after: { ready_at: after.ready_at } })
    return answer(after)
  },
  dispatch: async ({ rider, phone, ...one }, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    const after = await dispatch(context.tx, row, {
      ...step(context),
      rider: { name: rider, phone },
    })
    context.log({
      ...logged(row),
      before: { status: row.status },
      after: { status: after.status, rider, dispatched_at: after.dispatched_at },
    })
    return answer(after)
  },
  confirmPickup: async ({ code, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const record = await confirmPickup(tx, row, { code, admin_id: staff.id, now })
    log({ ...logged(row), after: { redeemed_times: record.times, record_id: record.id } })
    return { id: row.id, record_id: record.id, units: record.times }
  },
  changeStore: async ({ store_id, reason, ...one }, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    const after = await changeStore(context.tx, row, { ...step(context), store_id, reason })
    context.log({ ...logged(row), before: { store_id: row.store_id }, after: { store_id }, reason })
    return answer(after)
  },
  changeTime: async ({ time, reason, ...one }, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    const after = await changeTime(context.tx, row, { ...step(context), time, reason })
    context.log({
      ...logged(row),
      before: { promise_at: row.promise_at },
      after: { promise_at: time },
      reason,
    })
    return answer(after)
  },
  remind: ({ id }, context) => remind(context, id),
  batchRemind: ({ ids }, context) => eachRow(context, ids, remind),
  otherStores: async ({ order_id, keyword, page, pageSize }, { db, staff }) => {
    const row = await findOrder(db, kinds, order_id, staff)
    const items = (await itemsOf(db, row)).filter(item => item.qty > item.refunded_qty)
    const free = new Map<number, number[]>()
    for (const item of items) {
      const there = await db
        .select({
          store_id: store_stock.store_id,
          free: sql<number>`${store_stock.stock} - ${store_stock.held}`,
        })
        .from(store_stock)
        .where(
          and(
            eq(store_stock.product_id, productOf(item)),
            item.sku_id === null ? isNull(store_stock.sku_id) : eq(store_stock.sku_id, item.sku_id),
          ),
        )
      for (const one of there) free.set(one.store_id, [...(free.get(one.store_id) ?? []), one.free])
    }
    const sells = [...free]
      .filter(([id, counts]) => id !== row.store_id && counts.length === items.length)
      .map(([id]) => id)
    const stores =
      sells.length === 0
        ? []
        : await db
            .select()
            .from(store)
            .where(
              and(
                inArray(store.id, sells),
                eq(store.merchant_id, row.merchant_id),
                eq(store.status, 'open'),
                keyword ? sql`${store.name} ilike ${like(keyword)}` : undefined,
              ),
            )
            .orderBy(store.id)
    const list = stores
      .map(one => ({
        id: one.id,
        name: one.name,
        free: Math.min(...free.get(one.id)!),
        distance_m: reachOf(one, row.receiver),
      }))
      .sort((a, b) => b.free - a.free || a.id - b.id)
    return { list: list.slice((page - 1) * pageSize, page * pageSize), total: list.length }
  },
})

/** The refund of an order that waits for somebody's word, if any. */
const waitingRefund = async (db: Db, order_id: number) =>
  (
    await db
      .select()
      .from(refund)
      .where(and(eq(refund.order_id, order_id), inArray(refund.state, [...openRefunds])))
      .orderBy(desc(eq(refund.state, 'applied')), desc(refund.id))
      .limit(1)
  )[0]

export const goodsDetailServer = implement(goodsDetail, {
  progress: async ({ id }, { db, staff }) => {
    const row = await findOrder(db, kinds, id, staff)
    const [at] = await db.select().from(store).where(eq(store.id, row.store_id))
    const lots = await lotsOf(db, row)
    const counted = new Map(
      (
        await db
          .select({
            id: store_stock.id,
            free: sql<number>`${store_stock.stock} - ${store_stock.held}`,
          })
          .from(store_stock)
          .where(
            inArray(
              store_stock.id,
              lots.flatMap(({ item }) => item.store_stock_id ?? []),
            ),
          )
      ).map(one => [one.id, one.free]),
    )
    const events = await db
      .select({ event: order_log.event, at: sql<string>`max(${order_log.at})` })
      .from(order_log)
      .where(and(eq(order_log.order_id, id), inArray(order_log.event, ['redeem', 'deliver'])))
      .groupBy(order_log.event)
    const when = (event: string) => {
      const found = events.find(one => one.event === event)
      return found ? Number(found.at) : null
    }
    const waits =
      row.sub_kind === 'pickup' &&
      row.promise_at !== null &&
      (row.fulfil_state === 'waiting_pickup' || row.fulfil_state === 'part_used')
    const open = await waitingRefund(db, id)
    return {
      store: {
        name: at!.name,
        phone: at!.phone,
        address: at!.address,
        open_hours: at!.open_hours,
        status: at!.status,
        radius_m: at!.delivery_radius_m,
      },
      distance_m: reachOf(at!, row.receiver),
      rider: row.rider,
      dispatched_at: row.dispatched_at,
      reminded_at: row.reminded_at,
      picked_up_at: when('redeem'),
      delivered_at: when('deliver'),
      warn_at: waits ? row.promise_at! + PICKUP_WARN_DAYS * DAY : null,
      refund_at: waits ? pickupEnds(row.promise_at!, await rulesOf(db, row)) : null,
      items: lots.map(({ item, left, left_cents }) => ({
        id: item.id,
        free: item.store_stock_id === null ? null : (counted.get(item.store_stock_id) ?? null),
        refundable: left,
        left_cents,
      })),
      open_refund: open
        ? {
            id: open.id,
            refund_no: open.refund_no,
            amount_cents: open.amount_cents,
            state: open.state,
            deadline_at: open.deadline_at,
            intervened: open.intervened,
            reason: open.reason,
            version: open.version,
          }
        : null,
    }
  },
  refund: async ({ items, reason, ...one }, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    return refunded(row.id, await refundBy(context, row, { items, reason }))
  },
  decideRefund: async ({ agree, reason, ...one }, context) => {
    const { tx, staff, now, log } = context
    const row = await heldOrder(tx, kinds, one, staff)
    const open = await waitingRefund(tx, row.id)
    if (open?.state !== 'applied' && open?.state !== 'second_audit')
      throw ruled('no_case', ['没有等待裁决的退款', 'No refund awaits a decision'])
    if (open.state === 'applied' && !open.intervened)
      throw ruled('store_answers', [
        '门店还有时间答复，超时后由平台裁决',
        'The store has time to answer: the platform decides when that is over',
      ])
    const by = {
      id: open.id,
      version: open.version,
      now,
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
    }
    const decideFirst = () =>
      agree
        ? approveRefund(tx, by)
        : rejectRefund(tx, { ...by, reason_code: 'other', reason, name: staff.name })
    const decideSecond = () => (agree ? secondApprove(tx, by) : secondReject(tx, { ...by, reason }))
    const made = await (open.state === 'second_audit' ? decideSecond() : decideFirst())
    log({
      ...logged(row),
      before: { refund_status: open.state },
      after: { refund_no: made.refund_no, refund_status: made.state },
      reason,
    })
    return refunded(row.id, made)
  },
  confirmDelivered: async (one, context) => {
    const row = await heldOrder(context.tx, kinds, one, context.staff)
    const after = await confirmDelivered(context.tx, row, step(context))
    context.log({ ...logged(row), before: { status: row.status }, after: { status: after.status } })
    return answer(after)
  },
  editReceiver: async ({ id, version, reason, ...said }, context) => {
    const change = Object.fromEntries(
      Object.entries(said).filter(([, value]) => value !== undefined),
    )
    if (Object.keys(change).length === 0)
      throw invalid({ name: say(['请至少修改一项', 'Change something'], context.staff.lang) })
    const masked = Object.entries(change).find(([, value]) => String(value).includes('*'))
    if (masked)
      throw invalid({
        [masked[0]]: say(
          [
            '含有脱敏的 *，请填写完整内容，或留空表示不修改',
            'It has masks (*): write it in full, or leave it empty to keep it',
          ],
          context.staff.lang,
        ),
      })
    const row = await heldOrder(context.tx, kinds, { id, version }, context.staff)
    const after = await editReceiver(context.tx, row, { ...step(context), change, reason })
    // Which of it changed, never what it was or is: that is the buyer's.
    context.log({ ...logged(row), after: { receiver_changed: Object.keys(change) }, reason })
    return answer(after)
  },
  printSlip: async ({ id }, { tx, staff, now, log }) => {
    const row = await findOrder(tx, kinds, id, staff)
    const may = orderCan('printSlip', row)
    if (may !== true) throw ruled('not_paid', may)
    const [at] = await tx.select({ name: store.name }).from(store).where(eq(store.id, row.store_id))
    const [who] =
      row.member_id === null
        ? []
        : await tx
            .select({ nickname: member.nickname, phone: member.phone })
            .from(member)
            .where(eq(member.id, row.member_id))
    const items = (await itemsOf(tx, row))
      .map(item => ({
        title: item.title,
        sku: (item.snapshot as { sku?: string }).sku ?? null,
        qty: item.qty - item.refunded_qty - item.refunding_qty,
      }))
      .filter(item => item.qty > 0)
    if (!at) throw missing()
    const [{ n } = { n: 0 }] = await tx
      .select({ n: sql<number>`count(*)::int` })
      .from(order_log)
      .where(and(eq(order_log.order_id, id), eq(order_log.event, 'print')))
    await noteOrder(tx, { order_id: id, event: 'print', actor: staffActor(staff), at: now })
    log({ ...logged(row), before: { printed_slips: n }, after: { printed_slips: n + 1 } })
    return {
      id,
      order_no: row.order_no,
      way: row.sub_kind === 'store_delivery' ? ('store_delivery' as const) : ('pickup' as const),
      store_name: at.name,
      promise_at: row.promise_at,
      remark: row.remark,
      member_name: who?.nickname ?? '',
      ...(who && { phone: who.phone }),
      printed: n + 1,
      receiver: row.receiver,
      items,
    }
  },
})
