import { and, eq, gt, inArray, isNotNull, like, ne, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { failGroup } from '#src/areas/group/groupFails.server.ts'
import { openGroup, succeedGroup } from '#src/areas/group/groups.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { expireCodes, extendValidity } from '#src/areas/order/orderCodes.server.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { remindExpiring } from '#src/areas/order/reminders.server.ts'
import { reviewOrder } from '#src/areas/order/reviews.server.ts'
import {
  changeStore,
  changeTime,
  confirmDelivered,
  confirmReady,
  dispatch,
} from '#src/areas/order/storeGoods.server.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import type { PayAnswer } from '#src/areas/payment/pay.channel.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, receivePayment, sendPayouts } from '#src/areas/payment/payments.server.ts'
import { product, store_stock } from '#src/areas/product/product.table.ts'
import { deposit_forfeit } from '#src/areas/raise/forfeit.table.ts'
import { delayShip, succeedRaise, type Batch } from '#src/areas/raise/raise.server.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { endBalance, failRaise } from '#src/areas/raise/raiseFails.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import {
  approveRefund,
  closeRefund,
  rejectRefund,
  retryPay,
  secondApprove,
} from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import { dayStart, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { grantOf } from '../../help/coupons.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf } from '../../help/orders.ts'
import { depositRaise, pledge, raiseOf } from '../../help/raises.ts'
import { distribute, bind, freshSeller, freshTeam } from '../../help/sellers.ts'

let database: Database
let offers: Record<'bulks' | 'card' | 'elist' | 'goods', (typeof product.$inferSelect)[]>
let group = 0
/** All stores stand at one place, so that every one of them delivers to it. */
const AT = { lng_e6: 121_473_700, lat_e6: 31_230_400 }
let batches: Batch[] = []
/**
 * Everything is distributed, and half of the buyers are bound: to an expert of a team, to a guide.
 */
const sellAll = async () => {
  const [leader, expert] = [await freshSeller(database), await freshSeller(database)]
  await freshTeam(database, { leader_bp: 100, leader, members: [expert] })
  const all = Object.values(offers).flat()
  for (const { id } of all) await distribute(database, { ref_id: id, rate_bp: 300, guide_bp: 150 })
  const guide = await freshSeller(database, { kind: 'guide', store_id: all[0]!.store_ids[0]! })
  await database.db.execute(
    sql`update dist_binding set status = 'unbound', end_at = bind_at + 1 where status = 'active'`,
  )
  for (let member_id = 1; member_id <= 10; member_id++) {
    await bind(database, { member_id, distributor_id: expert.id, role: 'expert' })
    if (member_id % 2 === 0)
      await bind(database, { member_id, distributor_id: guide.id, role: 'guide' })
  }
}
/** The last order of the demo. */
let orders = 0
beforeAll(async () => {
  database = await openCopy()
  const now = unixNow()
  const rows = await database.db
    .update(product)
    .set({ stock: 100_000 })
    .where(
      and(
        eq(product.state, 'on_sale'),
        gt(product.sale_end_at, now + 90 * 86_400 - 80 * 86_400),
        sql`${product.sale_start_at} <= ${now}`,
      ),
    )
    .returning()
  offers = { bulks: [], card: [], elist: [], goods: [] }
  for (const row of rows) if (row.kind in offers) offers[row.kind as 'bulks'].push(row)
  await database.db.update(store).set({ ...AT, delivery_radius_m: 3000 })
  await database.db.update(store_stock).set({ stock: 5000 })
  await sellAll()
  const [one] = offers.bulks
  orders = (await database.db.select({ id: sql<number>`max(${order.id})` }).from(order))[0]!.id
  batches = [
    await database.transaction(tx => raiseOf(tx, offers.elist[0]!, now)),
    await database.transaction(tx =>
      depositRaise(tx, offers.elist[1]!, now, { deposit_rule: 'forfeit' }),
    ),
    await database.transaction(tx =>
      depositRaise(tx, offers.elist[2]!, now, { deposit_rule: 'refund' }),
    ),
  ]
  group = (
    await database.transaction(tx =>
      openGroup(tx, {
        product_id: one!.id,
        city_id: one!.city_id,
        mall_id: one!.mall_id,
        need_n: 3,
        group_price_cents: 777,
        single_price_cents: one!.price_cents,
        now,
      }),
    )
  ).id
})

/**
 * What may happen: each draws what it needs from a number, and says whether there was anything to
 * do.
 */
type Act = (tx: Db, n: number, world: { orders: number[]; now: number }) => Promise<unknown>
const pick = <T>(of: readonly T[], n: number): T | undefined => of[n % Math.max(1, of.length)]
const mine = (world: { orders: number[] }) => (world.orders.length ? world.orders : [0])
/** A coupon that the member holds, old or new, of any terms: many of them are refused. */
const couponed = async (
  tx: Db,
  n: number,
  { member_id, scope, now }: { member_id: number; scope: 'local' | 'ecom'; now: number },
): Promise<{ coupon_grant_id?: number }> => {
  if (n % 3 === 1) return {}
  const held = pick(
    await tx
      .select()
      .from(coupon_grant)
      .where(
        and(
          eq(coupon_grant.member_id, member_id),
          eq(coupon_grant.status, 'unused'),
          like(coupon_grant.code, 'TQ%'),
        ),
      )
      .orderBy(coupon_grant.id),
    n >> 3,
  )
  const one =
    held ??
    (await grantOf(tx, {
      member_id,
      now,
      scope,
      kind: pick(['full_reduce', 'direct', 'discount', 'freight', 'exchange'] as const, n >> 2)!,
      face_cents: n % 4001,
      discount_bp: 5000 + (n % 5000),
      threshold_cents: n % 3000,
      stackable: n % 4 !== 0,
      platform_share_bp: n % 10_001,
      merchant_share_bp: 10_000 - (n % 10_001),
      end_at: now + 1 + (n % 9000),
    }))
  return { coupon_grant_id: one.id }
}
const acts = {
  place: async (tx, n, world) => {
    const kind = pick(['bulks', 'card', 'elist', 'goods'] as const, n)!
    const item = pick(offers[kind], n >> 2)!
    const made = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty: 1 + (n % 4),
      member_id: 1 + (n % 20),
      now: world.now,
      platform_discount_cents: n % 3 === 0 ? 301 : 0,
      freight_cents: kind === 'elist' && n % 2 ? 800 : 0,
      way: n % 2 ? 'pickup' : 'delivery',
      receiver: {
        name: '李静',
        phone: '13800001111',
        area: '上海市',
        address: '南京西路 1 号',
        ...AT,
      },
      ...(await couponed(tx, n >> 1, {
        member_id: 1 + (n % 20),
        scope: kind === 'elist' ? 'ecom' : 'local',
        now: world.now,
      })),
    })
    world.orders.push(made.id)
  },
  placeCombo: async (tx, n, world) => {
    const [bundle] = await tx.select().from(combo).limit(1)
    world.orders.push(
      (
        await placeOrder(tx, {
          proved: true,
          lines: [
            { product_id: offers.bulks[0]!.id, qty: 1 + (n % 2) },
            { product_id: offers.elist[0]!.id, qty: 1 },
          ],
          combo_id: bundle!.id,
          member_id: 3,
          now: world.now,
        })
      ).id,
    )
  },
  join: async (tx, n, world) => {
    world.orders.push(
      (
        await placeOrder(tx, {
          proved: true,
          product_id: offers.bulks[0]!.id,
          qty: 1,
          member_id: 1 + (n % 20),
          group_id: group,
          now: world.now,
        })
      ).id,
    )
  },
  pay: async (tx, n, world) => payOrder(tx, pick(mine(world), n)!, world.now),
  payLate: async (tx, n, world) => {
    const [asked] = await tx
      .select()
      .from(payment)
      .where(and(eq(payment.order_id, pick(mine(world), n)!), eq(payment.direction, 'in')))
    return (
      asked &&
      receivePayment(tx, {
        out_no: asked.out_no,
        answer: {
          state: 'success',
          channel_no: 'L1',
          at: world.now,
          amount_cents: asked.amount_cents,
        },
        now: world.now,
      })
    )
  },
  cancel: async (tx, n, world) =>
    closeUnpaid(tx, pick(mine(world), n)!, world.now, {
      type: 'staff',
      actor: { type: 'staff', id: 1 },
      reason: '测试',
    }),
  redeem: async (tx, n, world) => {
    const codes = await tx
      .select()
      .from(order_code)
      .where(inArray(order_code.order_id, mine(world)))
      .orderBy(order_code.id)
    const code = pick(codes, n)
    return code && redeem(tx, { code_id: code.id, store_id: 1, now: world.now, times: 1 + (n % 2) })
  },
  makeReady: async (tx, n, world) =>
    confirmReady(tx, await holdOrder(tx, pick(mine(world), n)!), {
      actor: { type: 'merchant' },
      now: world.now,
    }),
  dispatch: async (tx, n, world) =>
    dispatch(tx, await holdOrder(tx, pick(mine(world), n)!), {
      rider: { name: '王强', phone: '13800002222' },
      actor: { type: 'merchant' },
      now: world.now,
    }),
  deliver: async (tx, n, world) =>
    confirmDelivered(tx, await holdOrder(tx, pick(mine(world), n)!), {
      actor: { type: 'merchant' },
      now: world.now,
    }),
  changeStore: async (tx, n, world) => {
    const row = await holdOrder(tx, pick(mine(world), n)!)
    const [to] = await tx
      .select()
      .from(store)
      .where(and(eq(store.merchant_id, row.merchant_id), ne(store.id, row.store_id)))
      .orderBy(store.id)
      .offset(n % 2)
      .limit(1)
    return (
      to &&
      changeStore(tx, row, {
        store_id: to.id,
        reason: '改派',
        actor: { type: 'staff', id: 1 },
        now: world.now,
      })
    )
  },
  changeTime: async (tx, n, world) =>
    changeTime(tx, await holdOrder(tx, pick(mine(world), n)!), {
      time: world.now + 3600 + (n % 20) * 86_400,
      reason: '改期',
      actor: { type: 'staff', id: 1 },
      now: world.now,
    }),
  reverse: async (tx, n, world) => {
    const record = pick(
      await tx
        .select()
        .from(verify_record)
        .where(inArray(verify_record.order_id, mine(world)))
        .orderBy(verify_record.id),
      n,
    )
    return (
      record &&
      reverseRedemption(tx, {
        record_id: record.id,
        by: { admin_id: 2 },
        reason: '扫错了',
        now: world.now,
      })
    )
  },
  refund: async (tx, n, world) => {
    const id = pick(mine(world), n)!
    const codes = await tx
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, id))
      .orderBy(order_code.id)
    const items = (
      await tx.select().from(order_item).where(eq(order_item.order_id, id)).orderBy(order_item.id)
    ).filter(item => item.fulfil !== 'code' && item.fulfil !== 'pickup')
    const some =
      codes.length > 0
        ? { codes: [{ id: pick(codes, n)!.id, ...(n % 3 === 0 && { times: 1 }) }] }
        : { items: items.slice(0, 1).map(item => ({ id: item.id, qty: 1 + (n % 2) })) }
    const wanted = n % 5 === 0 ? ('all' as const) : some
    return openRefund(tx, {
      order_id: id,
      wanted,
      type: n % 7 === 1 ? 'return_refund' : 'refund_only',
      source: 'staff',
      reason: '测试退款',
      actor: { type: 'staff', id: 1 },
      ...(n % 2 ? { by: { id: 1, limit_cents: n % 4 === 1 ? 0 : 10_000_000 } } : {}),
      ...(n % 11 === 0 && { amount_cents: 1 }),
      now: world.now,
    })
  },
  refundWhole: async (tx, n, world) =>
    openRefund(tx, {
      order_id: pick(mine(world), n)!,
      wanted: 'all',
      source: 'system',
      cause: 'compensate',
      reason: '整单退',
      actor: { type: 'system' },
      now: world.now,
    }),
  decide: async (tx, n, world) => {
    const row = pick(
      await tx
        .select()
        .from(refund)
        .where(inArray(refund.order_id, mine(world)))
        .orderBy(refund.id),
      n,
    )
    if (!row) return
    const step = {
      id: row.id,
      version: row.version,
      now: world.now,
      by: { id: 5 + (n % 3), limit_cents: n % 2 ? 10_000_000 : 100 },
    }
    return pick(
      [
        () => approveRefund(tx, step),
        () => secondApprove(tx, { ...step, by: { id: 9, limit_cents: 10_000_000 } }),
        () => rejectRefund(tx, { ...step, reason_code: 'late', reason: '超期' }),
        () => closeRefund(tx, { ...step, reason: '买家取消' }),
        () => retryPay(tx, step),
      ],
      n,
    )!()
  },
  ship: async (tx, n, world) =>
    ship(tx, {
      order_id: pick(mine(world), n)!,
      courier: 'shunfeng',
      tracking_no: `SF${n}`,
      ...(n % 2 && {
        items: (
          await tx
            .select()
            .from(order_item)
            .where(eq(order_item.order_id, pick(mine(world), n)!))
        )
          .slice(0, 1)
          .map(item => ({ id: item.id, qty: 1 })),
      }),
      actor: { type: 'staff', id: 1 },
      now: world.now,
    }),
  receive: async (tx, n, world) =>
    receive(tx, { order_id: pick(mine(world), n)!, actor: { type: 'member' }, now: world.now }),
  freeze: async (tx, n, world) =>
    freezeOrder(tx, {
      order_id: pick(mine(world), n)!,
      by: 'staff',
      actor: { type: 'staff', id: 1 },
      reason: '核实',
      now: world.now,
    }),
  unfreeze: async (tx, n, world) =>
    unfreezeOrder(tx, {
      order_id: pick(mine(world), n)!,
      by: 'staff',
      actor: { type: 'staff', id: 1 },
      reason: '核实无误',
      now: world.now,
    }),
  expire: async (tx, n, world) => {
    const id = pick(mine(world), n)!
    await tx
      .update(order_code)
      .set({ valid_until: world.now - 1 })
      .where(and(eq(order_code.order_id, id), inArray(order_code.state, ['unused', 'part_used'])))
    return expireCodes(tx, id, world.now)
  },
  extend: async (tx, n, world) =>
    extendValidity(tx, {
      order_id: pick(mine(world), n)!,
      until: world.now + (30 + (n % 90)) * 86_400,
      actor: { type: 'staff', id: 1 },
      reason: '补偿',
      now: world.now,
    }),
  review: async (tx, n, world) =>
    reviewOrder(tx, { order_id: pick(mine(world), n)!, by: 'member', now: world.now }),
  remind: async (tx, n, world) => {
    const id = pick(mine(world), n)!
    await tx
      .update(order_code)
      .set({ valid_until: dayStart(world.now) + (1 + pick([7, 1, 3], n)!) * 86_400 })
      .where(and(eq(order_code.order_id, id), inArray(order_code.state, ['unused', 'part_used'])))
    return remindExpiring(tx, id, world.now)
  },
  force: async (tx, _, world) => succeedGroup(tx, group, { end_by: 'force', now: world.now }),
  pledge: async (tx, n, world) => {
    const batch = pick(batches, n)!
    world.orders.push(
      (
        await placeOrder(tx, {
          proved: true,
          product_id: batch.product_id,
          qty: 1 + (n % 3),
          member_id: 1 + (n % 20),
          raise_batch_id: batch.id,
          freight_cents: n % 2 ? 800 : 0,
          platform_discount_cents: n % 5 === 0 ? 201 : 0,
          now: world.now,
          ...(await couponed(tx, n >> 1, {
            member_id: 1 + (n % 20),
            scope: 'ecom',
            now: world.now,
          })),
        })
      ).id,
    )
  },
  declare: async (tx, n, world) =>
    succeedRaise(tx, pick(batches, n)!.id, {
      actor: { type: 'staff', id: 1 + (n % 2) },
      reason: '宣布成功',
      now: world.now,
    }),
  closeRaise: async (tx, n, world) => {
    if (n % 4 === 0) await failRaise(tx, pick(batches, n)!.id, { end_by: 'close', now: world.now })
  },
  delayShip: async (tx, n, world) => {
    const { id, ship_at } = (
      await tx
        .select()
        .from(raise_batch)
        .where(eq(raise_batch.id, pick(batches, n)!.id))
    )[0]!
    return delayShip(tx, {
      batch_id: id,
      new_ship_at: ship_at + (1 + (n % 5)) * 86_400,
      actor: { type: 'staff', id: 1 },
      reason: '延期',
      now: world.now,
    })
  },
  balanceOver: async (tx, n, world) => {
    const id = pick(mine(world), n)!
    const [late] = await tx
      .update(order)
      .set({ expire_pay_at: world.now - 1 })
      .where(and(eq(order.id, id), eq(order.balance_due, true), eq(order.frozen, false)))
      .returning()
    return late && endBalance(tx, id, world.now)
  },
  giveDeposit: async (tx, n, world) => {
    const id = pick(mine(world), n)!
    const [paid] = await tx
      .select()
      .from(payment)
      .where(
        and(eq(payment.order_id, id), eq(payment.stage, 'deposit'), eq(payment.state, 'success')),
      )
    const [kept] = await tx
      .select({ cents: sql<string>`sum(${deposit_forfeit.amount_cents})` })
      .from(deposit_forfeit)
      .where(and(eq(deposit_forfeit.order_id, id), eq(deposit_forfeit.state, 'valid')))
    return (
      paid &&
      kept?.cents &&
      openRefund(tx, {
        order_id: id,
        wanted: 'all',
        money: { cents: Number(kept.cents), payment_id: paid.id },
        source: 'staff',
        reason: '特退定金',
        actor: { type: 'staff', id: 1 },
        by: { id: 1, limit_cents: 10_000_000 },
        now: world.now,
      })
    )
  },
  dissolve: async (tx, n, world) => {
    if (n % 4 === 0) await failGroup(tx, group, { end_by: 'dissolve', now: world.now })
  },
} satisfies Record<string, Act>
type Name = keyof typeof acts | 'payout' | 'tick' | 'newGroup' | 'newRaise'
const names: Name[] = [
  ...(Object.keys(acts) as Name[]),
  'place',
  'place',
  'pay',
  'pay',
  'pay',
  'redeem',
  'refund',
  'decide',
  'payout',
  'payout',
  'tick',
  'newGroup',
  'newRaise',
  'pledge',
  'pledge',
]
/** What coupons come and go with, of few orders at a time. */
const ofCoupons: Name[] = [
  'place',
  'place',
  'pay',
  'pay',
  'pay',
  'payLate',
  'cancel',
  'redeem',
  'reverse',
  'refund',
  'refundWhole',
  'refundWhole',
  'payout',
  'payout',
  'payout',
  'decide',
  'pledge',
  'declare',
  'balanceOver',
]
/** What becomes of campaigns whose buyers pay in two parts, of few orders at a time. */
const ofDeposits: Name[] = [
  'newRaise',
  'pledge',
  'pledge',
  'pledge',
  'pay',
  'pay',
  'pay',
  'pay',
  'declare',
  'declare',
  'declare',
  'refund',
  'refund',
  'refundWhole',
  'decide',
  'decide',
  'payout',
  'payout',
  'payLate',
  'balanceOver',
  'giveDeposit',
  'freeze',
  'unfreeze',
  'ship',
  'closeRaise',
  'tick',
]
const said = (n: number, amount_cents: number, at: number): PayAnswer => {
  if (n % 4 === 0) return { state: 'failed', code: 'NOTENOUGH', text: '余额不足' }
  if (n % 4 === 1) return { state: 'unknown', text: '' }
  return { state: 'success', channel_no: `T${n}`, at, amount_cents }
}

/** Orders of two campaigns that have just succeeded, one of each rule: they owe their balances. */
const owing = async (): Promise<number[]> => {
  const now = unixNow()
  const rows = []
  for (const [at, rule] of (['forfeit', 'refund'] as const).entries()) {
    const batch = await database.transaction(tx =>
      depositRaise(tx, offers.elist[at + 1]!, now, { deposit_rule: rule }),
    )
    for (const member_id of [1, 2])
      rows.push(await pledge(database, batch, { member_id, qty: 2, now }))
    await database.transaction(tx =>
      succeedRaise(tx, batch.id, { actor: { type: 'staff', id: 1 }, reason: '达标', now }),
    )
  }
  return rows.map(row => row.id)
}
/** Every campaign that is over gets another one of the same product and rule in its place. */
const raiseAgain = async (now: number): Promise<void> => {
  for (const [at, batch] of batches.entries()) {
    const [old] = await database.db.select().from(raise_batch).where(eq(raise_batch.id, batch.id))
    if (old!.state === 'raising') continue
    const item = offers.elist.find(one => one.id === batch.product_id)!
    batches[at] = await database.transaction(tx =>
      batch.mode === 'full'
        ? raiseOf(tx, item, now)
        : depositRaise(tx, item, now, { deposit_rule: batch.deposit_rule }),
    )
  }
}
/**
 * Plays a history, of some orders or of none; a refusal is an answer like any other, anything else
 * is a fault. Answers how many acts did something.
 */
const play = async (
  history: readonly { name: Name; n: number }[],
  of: number[] = [],
): Promise<number> => {
  const world = { orders: of, now: unixNow() }
  let did = 0
  for (const { name, n } of history) {
    world.now += n % 700
    try {
      if (name === 'payout') {
        const sent = new Map<string, number>()
        const channel = channelOf({
          refund: async ({ out_no, amount_cents }) => {
            sent.set(out_no, amount_cents)
            return said(n, amount_cents, world.now)
          },
          queryRefund: async out_no => {
            const [row] = await database.db.select().from(payment).where(eq(payment.out_no, out_no))
            return said(n + 2, row!.amount_cents, world.now)
          },
        })
        did += Number(
          (await sendPayouts({
            database,
            channel,
            log: { warn: () => {} },
            now: world.now + 7200,
          })) > 0,
        )
      } else if (name === 'tick') did += Number((await tickOrders(database, world.now)) > 0)
      else if (name === 'newGroup') {
        const [old] = await database.db.select().from(roll_group).where(eq(roll_group.id, group))
        if (old!.state !== 'forming')
          group = (await database.transaction(tx => openGroup(tx, { ...old!, now: world.now }))).id
      } else if (name === 'newRaise') await raiseAgain(world.now)
      else {
        await database.transaction<unknown>(tx => acts[name](tx, n, world))
        did++
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return did
}

describe('random histories of orders', () => {
  it('keep every invariant of money, units and state', async () => {
    let did = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...names), n: fc.nat(1_000_000) }), {
          minLength: 25,
          maxLength: 60,
        }),
        async history => {
          did += await play(history)
          expect(await broken(database)).toEqual({})
        },
      ),
      { numRuns: Number(process.env['HISTORIES'] ?? 12), endOnFailure: true },
    )
    // Most of what happens is not refused: the histories are not empty.
    expect(did).toBeGreaterThan(60)
  }, 120_000)
  it('keep it of balances too, which are asked for, paid too late, given up and given back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...ofDeposits), n: fc.nat(1_000_000) }), {
          minLength: 25,
          maxLength: 60,
        }),
        async history => {
          await play(history, await owing())
          expect(await broken(database)).toEqual({})
        },
      ),
      { numRuns: Number(process.env['HISTORIES'] ?? 8), endOnFailure: true },
    )
    expect(
      await database.db.$count(
        payment,
        and(
          gt(payment.order_id, orders),
          eq(payment.stage, 'balance'),
          eq(payment.state, 'success'),
        ),
      ),
    ).toBeGreaterThan(3)
  }, 120_000)
  it('keep it of coupons too, which are locked, used and come back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...ofCoupons), n: fc.nat(1_000_000) }), {
          minLength: 25,
          maxLength: 60,
        }),
        async history => {
          await play(history)
          expect(await broken(database)).toEqual({})
        },
      ),
      { numRuns: Number(process.env['HISTORIES'] ?? 8), endOnFailure: true },
    )
    expect(
      await database.db.$count(order, and(gt(order.id, orders), isNotNull(order.coupon_grant_id))),
    ).toBeGreaterThan(10)
  }, 120_000)
})
