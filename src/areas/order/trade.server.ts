import { randomInt } from 'node:crypto'
import { and, count, eq, gte, inArray, lt, ne, sql } from 'drizzle-orm'
import { lastLiveRoom, takeLive } from '#src/areas/broadcast/liveRooms.server.ts'
import { checkDigitOf } from '#src/areas/code/code.ts'
import {
  couponGoesWith,
  freeCoupon,
  lockCoupon,
  spendCoupon,
} from '#src/areas/coupon/coupons.server.ts'
import { beginIssues } from '#src/areas/coupon/issue.server.ts'
import {
  holdGroup,
  holdWithGroup,
  leadGroup,
  refuseSecondSeat,
  succeedGroup,
  takeSeat,
  type GroupTerms,
} from '#src/areas/group/groups.server.ts'
import { lastClicked } from '#src/areas/link/h5Links.server.ts'
import { consentByOrder } from '#src/areas/merchant/agreements.server.ts'
import { refuseFar } from '#src/areas/merchant/storeReach.server.ts'
import { returnPoints, spendPoints } from '#src/areas/points/points.server.ts'
import { product, product_sku, product_version } from '#src/areas/product/product.table.ts'
import { holdInStore, moveStock, restock } from '#src/areas/product/stock.server.ts'
import {
  depositOf,
  freeUnits,
  keepDeposit,
  oweBalance,
  raisedNow,
  takeUnits,
} from '#src/areas/raise/raise.server.ts'
import { keepsDeposit } from '#src/areas/raise/raise.ts'
import { refuseRisky } from '#src/areas/risk/risk.server.ts'
import { freightFor } from '#src/areas/shipping/freight.server.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { grouped } from '#src/domain/grouped.ts'
import { shares } from '#src/domain/money.ts'
import { dayStart, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { keptDays } from './afterSale.server.ts'
import { numberOf } from './numbers.server.ts'
import {
  combo,
  order,
  order_code,
  order_item,
  payment,
  raise_batch,
  verify_record,
} from './order.table.ts'
import {
  codeStateOf,
  EXTEND_DAYS,
  orderCan,
  partOf,
  reverseRefusal,
  settleOf,
  statusOf,
  unitShares,
  type CodeState,
  type InvoiceKind,
  type ItemWay,
  type PayWay,
  type Receiver,
} from './order.ts'
import {
  holdOrder,
  isWaiting,
  noteOrder,
  recount,
  rulesNow,
  rulesOf,
  system,
  type Actor,
  type Order,
  type OrderItem,
} from './orderFacts.server.ts'
import { sendFirstCodes } from './orderMessages.server.ts'
import type { OrderRules } from './orderRules.ts'

const DAY = 86_400
type ProductKind = (typeof product.$inferSelect)['kind']

/** Twelve digits, no leading zero, the last one a check digit. */
export const newCode = (): string => {
  const body = String(randomInt(10_000_000_000, 99_999_999_999))
  return body + String(checkDigitOf(body))
}

export type Line = { product_id: number; qty: number; sku_id?: number | undefined }
export type Buying = {
  /** Null for a visitor, who is known by a phone. */
  member_id: number | null
  visitor?: { phone: string; openid?: string }
  now: number
  /** Of the device it comes from, as short links know it. */
  device?: string
  /** The buyer has just read a captcha. */
  proved?: boolean
  /** How store goods reach the buyer; the others go their kind's way. */
  way?: 'pickup' | 'delivery'
  receiver?: Receiver
  /** Whom an invoice is asked to be made out to. */
  invoice?: { kind: InvoiceKind; title: string; tax_no?: string | undefined }
  /** Joins this group. */
  group_id?: number
  /** Buys at the group's price, to lead a group of its own once it is paid. */
  opens_group?: boolean
  raise_batch_id?: number
  combo_id?: number
  store_id?: number
  freight_cents?: number
  /** A bill paid at the store: what it comes to. It is used the moment it is paid. */
  bill_cents?: number
  /** Paid by the platform beside a coupon: red packets, subsidies. */
  platform_discount_cents?: number
  /** A coupon that the member holds. */
  coupon_grant_id?: number | undefined
  /**
   * Points of the member that go into this order; what they are worth is part of the platform's
   * discount.
   */
  points_used?: number
  channel?: PayWay
} & ({ product_id: number; qty: number } | { lines: readonly Line[] })

/** Units of a product and of its SKU, held until they are paid or timed out. */
const hold = async (tx: Db, { product_id, qty, sku_id }: Line, now: number, reserved: boolean) => {
  const [item] = await tx
    .update(product)
    .set({ held: reserved ? product.held : sql`${product.held} + ${qty}` })
    .where(
      and(
        eq(product.id, product_id),
        eq(product.state, 'on_sale'),
        reserved ? undefined : sql`${product.stock} - ${product.held} >= ${qty}`,
        sql`${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now}`,
      ),
    )
    .returning()
  if (!item) throw ruled('not_for_sale', ['商品不在售或库存不足', 'Not for sale, or sold out'])
  if (sku_id === undefined) return { item, sku: undefined }
  const [sku] = await tx
    .update(product_sku)
    .set({ held: sql`${product_sku.held} + ${qty}` })
    .where(
      and(
        eq(product_sku.id, sku_id),
        eq(product_sku.product_id, product_id),
        eq(product_sku.status, 'on'),
        sql`${product_sku.stock} - ${product_sku.held} >= ${qty}`,
      ),
    )
    .returning()
  if (!sku) throw ruled('not_for_sale', ['所选规格库存不足', 'This variant is sold out'])
  return { item, sku }
}
/** How a kind of product reaches its buyer. */
export const wayOf = (kind: ProductKind, way: Buying['way']): ItemWay =>
  kind === 'elist' ? 'express' : kind === 'goods' ? (way ?? 'pickup') : 'code'

/**
 * A member or a visitor orders, at the live versions: all lines or none. Their stock is held until
 * it is paid or timed out, a payment is asked for, and the rules of the day are kept with it. It
 * counts for the live room and the short link it came by. Refuses whom risk control blocks.
 */
export const placeOrder = async (tx: Db, of: Buying): Promise<Order> => {
  const { now, member_id } = of
  const lines: readonly Line[] =
    'lines' in of ? of.lines : [{ product_id: of.product_id, qty: of.qty }]
  const [main] = lines
  await refuseRisky(tx, {
    member_id,
    phone: of.visitor?.phone ?? null,
    device_id: of.device ?? null,
    proved: of.proved,
    now,
  })
  // Out of a live room: at its price while it is on, from what it has reserved; that is held
  // already.
  const live_room_id =
    member_id === null || lines.length > 1 || of.opens_group
      ? null
      : await lastLiveRoom(tx, { member_id, product_id: main!.product_id, now })
  const live_cents =
    live_room_id === null ? undefined : await takeLive(tx, { live_room_id, ...main! })
  // A group is held while a seat of it is asked for: of two orders of one member at once the second
  // is refused.
  const group = of.group_id === undefined ? undefined : await holdGroup(tx, of.group_id)
  const [bundle] =
    of.combo_id === undefined
      ? []
      : await tx
          .select()
          .from(combo)
          .where(and(eq(combo.id, of.combo_id), eq(combo.status, 'on')))
  // A campaign is of one product; its units are taken before any stock, as everybody holds it
  // before orders.
  const batch =
    of.raise_batch_id === undefined
      ? undefined
      : await takeUnits(tx, {
          batch_id: of.raise_batch_id,
          product_id: main!.product_id,
          qty: main!.qty,
          now,
        })
  if (batch && lines.length > 1)
    throw ruled('one_product', ['众筹一单只能买一种商品', 'One product an order'])
  if (of.group_id !== undefined && (group?.state !== 'forming' || group.expire_at <= now))
    throw ruled('group_over', ['该团已结束，请重新开团', 'This group is over'])
  if (group && member_id !== null) await refuseSecondSeat(tx, group.id, member_id)
  // Held in one order by everybody.
  const held = new Map<Line, Awaited<ReturnType<typeof hold>>>()
  for (const line of [...lines].sort((a, b) => a.product_id - b.product_id))
    held.set(line, await hold(tx, line, now, live_cents !== undefined))
  const sold = lines.map(line => {
    const { item, sku } = held.get(line)!
    if (
      of.opens_group &&
      (item.group_need === null ||
        item.group_price_cents === null ||
        lines.length > 1 ||
        member_id === null)
    )
      throw ruled('no_group', ['「{title}」不能拼团', '“{title}” is not bought in groups'], {
        title: item.title,
      })
    const price_cents =
      of.bill_cents ??
      live_cents ??
      group?.group_price_cents ??
      (of.opens_group ? item.group_price_cents! : undefined) ??
      sku?.price_cents ??
      item.price_cents
    // A part of a bundle is fetched at its own store: nobody sets out with it.
    return {
      line,
      item,
      sku,
      price_cents,
      total_cents: price_cents * line.qty,
      fulfil: wayOf(item.kind, bundle ? 'pickup' : of.way),
    }
  })
  const first = sold[0]!.item
  const store_id = of.store_id ?? first.store_ids[0]!
  if (of.way === 'delivery' && sold.some(one => one.fulfil === 'delivery'))
    await refuseFar(tx, store_id, of.receiver)
  const counted = new Map<Line, number | null>()
  for (const { line, item, sku, fulfil } of [...sold].sort((a, b) => a.item.id - b.item.id))
    if (fulfil === 'pickup' || fulfil === 'delivery')
      counted.set(
        line,
        await holdInStore(tx, {
          product_id: item.id,
          sku_id: sku?.id ?? null,
          store_id: bundle ? item.store_ids[0]! : store_id,
          qty: line.qty,
          title: item.title,
        }),
      )
  const kind: Order['kind'] = bundle
    ? 'combo'
    : group || of.opens_group
      ? 'roll_buy'
      : batch
        ? 'raise'
        : member_id === null
          ? 'visitor'
          : first.kind
  const total_cents = sold.reduce((sum, one) => sum + one.total_cents, 0)
  const bundled_cents = bundle ? Math.max(0, total_cents - bundle.price_cents) : 0
  const other_cents = Math.min(of.platform_discount_cents ?? 0, total_cents - bundled_cents - 1)
  const { version_no, rules } = await rulesNow(tx, kind)
  // What is posted is sent by its freight templates, unless somebody else has worked out the
  // freight.
  const posted = sold.filter(one => one.fulfil === 'express')
  const freight_cents =
    of.freight_cents ??
    (of.receiver && posted.length > 0
      ? await freightFor(tx, {
          rules,
          area: of.receiver.area,
          lines: posted.map(one => ({
            product_id: one.item.id,
            qty: one.line.qty,
            price_cents: one.price_cents,
          })),
        })
      : 0)
  const fulfil = sold[0]!.fulfil
  const order_no = numberOf(kind.slice(0, 2).toUpperCase(), now)
  const coupon =
    of.coupon_grant_id === undefined
      ? undefined
      : await lockCoupon(tx, {
          grant_id: of.coupon_grant_id,
          member_id,
          order_no,
          kind,
          posted: fulfil === 'express',
          store_id,
          city_id: first.city_id,
          freight_cents,
          other_cents,
          reduced: other_cents > 0 || live_cents !== undefined || kind === 'roll_buy',
          sold: sold.map(one => ({
            item: one.item,
            price_cents: one.price_cents,
            cost_cents: one.total_cents,
          })),
          now,
        })
  const [store_discount_cents, platform_discount_cents] = [
    bundled_cents + (coupon?.merchant_cents ?? 0),
    other_cents + (coupon?.platform_cents ?? 0),
  ]
  const goods = total_cents - store_discount_cents - platform_discount_cents
  const pay_cents = goods + freight_cents
  const facts = {
    pay_state: 'unpaid' as const,
    balance_due: false,
    fulfil_state: 'none' as const,
    refund_state: 'none' as const,
    frozen: false,
  }
  const [made] = await tx
    .insert(order)
    .values({
      order_no,
      kind,
      sub_kind:
        of.bill_cents !== undefined
          ? 'pay_bill'
          : batch
            ? batch.mode
            : fulfil === 'express'
              ? 'express'
              : fulfil === 'pickup'
                ? 'pickup'
                : fulfil === 'delivery'
                  ? 'store_delivery'
                  : 'code',
      member_id,
      face_cents: first.face_cents || null,
      visitor_phone: of.visitor?.phone ?? null,
      visitor_openid: of.visitor?.openid ?? null,
      city_id: first.city_id,
      mall_id: first.mall_id,
      merchant_id: first.merchant_id,
      store_id,
      source: live_room_id === null ? 'mini_program' : 'live',
      live_room_id,
      total_cents,
      freight_cents,
      store_discount_cents,
      platform_discount_cents,
      coupon_grant_id: coupon && of.coupon_grant_id,
      pay_cents,
      points_used: member_id === null ? 0 : (of.points_used ?? 0),
      agreements: member_id === null ? {} : await consentByOrder(tx, { member_id, kind, now }),
      h5_link_id: of.device === undefined ? null : await lastClicked(tx, of.device, now),
      device_id: of.device ?? null,
      ...facts,
      status: statusOf(facts),
      roll_group_id: group?.id ?? null,
      raise_batch_id: batch?.id ?? null,
      combo_id: bundle?.id ?? null,
      config_version: version_no,
      receiver: of.receiver ?? null,
      invoice: of.invoice
        ? { ...of.invoice, tax_no: of.invoice.tax_no ?? null, asked_at: now, issued: null }
        : null,
      expire_pay_at: now + rules.pay_timeout_min * 60,
      created_at: now,
      updated_at: now,
    })
    .returning()
  const versions = await tx
    .select()
    .from(product_version)
    .where(
      and(
        inArray(
          product_version.product_id,
          lines.map(line => line.product_id),
        ),
        eq(product_version.state, 'live'),
      ),
    )
  const kept = await keptDays(
    tx,
    kind,
    rules,
    sold.map(one => one.item.category_id),
  )
  // A coupon is off the lines alone that it is for; all else is spread over what is left of each.
  const off = coupon?.off ?? sold.map(() => 0)
  const pays = shares(
    goods,
    sold.map((one, at) => one.total_cents - off[at]!),
  )
  const [others, byCoupon] = [
    shares(
      other_cents,
      sold.map(one => one.total_cents),
    ),
    shares(coupon?.platform_cents ?? 0, off),
  ]
  await tx.insert(order_item).values(
    sold.map(({ line, item, sku, price_cents, fulfil: way }, at) => ({
      order_id: made!.id,
      kind,
      product_id: item.id,
      sku_id: sku?.id ?? null,
      store_stock_id: counted.get(line) ?? null,
      snapshot: {
        ...snapshotOf(
          item,
          versions.find(one => one.product_id === item.id)?.body,
          price_cents,
          sku?.name,
        ),
        ...kept(item.category_id),
        ...(bundle && {
          combo: { name: bundle.name, policy: bundle.policy, price_cents: bundle.price_cents },
        }),
        ...(batch && { raise: raiseTerms(batch) }),
        ...(of.opens_group && {
          group: {
            need_n: item.group_need!,
            single_price_cents: sku?.price_cents ?? item.price_cents,
            leader_free: item.group_leader_free,
          } satisfies GroupTerms,
        }),
      },
      // Each part of a bundle is its own store's.
      title: of.bill_cents === undefined ? item.title : '到店扫码买单',
      store_id: bundle ? item.store_ids[0]! : made!.store_id,
      qty: line.qty,
      price_cents,
      pay_cents: pays[at]!,
      platform_cents: others[at]! + byCoupon[at]!,
      fulfil: way,
      created_at: now,
      updated_at: now,
    })),
  )
  const down =
    batch?.mode === 'deposit' ? Math.min(pay_cents, batch.deposit_cents * main!.qty) : pay_cents
  const stage = down < pay_cents ? 'deposit' : 'full'
  await tx.insert(payment).values({
    order_id: made!.id,
    direction: 'in',
    stage,
    channel: of.channel ?? 'embedded',
    amount_cents: down,
    out_no: made!.order_no,
    state: 'pending',
    created_at: now,
    updated_at: now,
  })
  if (of.points_used && member_id !== null)
    await spendPoints(tx, { member_id, points: of.points_used, order: made!, now })
  // What the coupon took off stays with the order, wherever the coupon goes.
  await noteOrder(tx, {
    order_id: made!.id,
    event: 'create',
    actor: { type: 'member', id: member_id },
    at: now,
    to: made!.status,
    ...(coupon && {
      data: {
        coupon: {
          name: coupon.name,
          discount_cents: coupon.discount_cents,
          platform_cents: coupon.platform_cents,
          merchant_cents: coupon.merchant_cents,
        } satisfies CouponNote,
      },
    }),
  })
  return made!
}

/**
 * A cart is ordered: goods of several suppliers become an order each, where the rules of their kind
 * say so. Their products are held in one order by everybody.
 */
export const placeCart = async (
  tx: Db,
  of: Omit<
    Buying,
    | 'lines'
    | 'product_id'
    | 'qty'
    | 'group_id'
    | 'opens_group'
    | 'raise_batch_id'
    | 'combo_id'
    | 'freight_cents'
    | 'platform_discount_cents'
  > & { lines: readonly Line[] },
): Promise<Order[]> => {
  const goods = new Map(
    (
      await tx
        .select()
        .from(product)
        .where(
          inArray(
            product.id,
            of.lines.map(line => line.product_id),
          ),
        )
        .orderBy(product.id)
        .for('update')
    ).map(one => [one.id, one]),
  )
  const { rules } = await rulesNow(tx, goods.get(of.lines[0]!.product_id)?.kind ?? 'elist')
  const by = (line: Line) =>
    rules.split_by_supplier ? (goods.get(line.product_id)?.merchant_id ?? 0) : 0
  const carts = [...grouped(of.lines, by).values()]
  const { coupon_grant_id, ...rest } = of
  const takes =
    coupon_grant_id === undefined
      ? -1
      : await couponGoesWith(tx, {
          grant_id: coupon_grant_id,
          member_id: of.member_id,
          carts: carts.map(lines =>
            lines.flatMap(({ product_id, qty }) => {
              const item = goods.get(product_id)
              return item
                ? [{ item, price_cents: item.price_cents, cost_cents: item.price_cents * qty }]
                : []
            }),
          ),
        })
  const made: Order[] = []
  for (const [at, lines] of carts.entries())
    made.push(await placeOrder(tx, { ...rest, lines, ...(at === takes && { coupon_grant_id }) }))
  return made
}

/** What a coupon took off an order, in the order's log. */
export type CouponNote = {
  name: string
  discount_cents: number
  platform_cents: number
  merchant_cents: number
}
/** What a campaign promised to whoever ordered in it. */
const raiseTerms = ({
  title,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  end_at,
  balance_end_at,
  ship_at,
}: typeof raise_batch.$inferSelect) => ({
  title,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  end_at,
  balance_end_at,
  ship_at,
})
/** What was sold of a product, as its order keeps it: a later version never changes it. */
export const snapshotOf = (
  item: typeof product.$inferSelect,
  body: ProductBody | undefined,
  price_cents: number,
  sku?: string,
): Record<string, unknown> => ({
  no: item.live_version,
  title: item.title,
  price_cents,
  commission_bp: item.commission_bp,
  check_start_at: item.check_start_at,
  check_end_at: item.check_end_at,
  times_total: item.times_total,
  ...validityOf(item, body),
  refund_policy: item.refund_policy,
  face_cents: item.face_cents,
  min_spend_cents: item.min_spend_cents,
  per_bill_limit: item.per_bill_limit,
  ...(item.kind === 'voucher' && excludedOf(body)),
  images: body?.images ?? [],
  ...(sku !== undefined && { sku }),
})
/** When a voucher can't be used. */
const excludedOf = (body: ProductBody | undefined) => ({
  exclude_weekdays: body?.exclude_weekdays ?? [],
  unavailable_dates: body?.unavailable_dates ?? [],
  use_time: body?.use_time ?? '',
})
/** Days of validity from the purchase, or from the first use. */
const validityOf = (
  item: Pick<typeof product.$inferSelect, 'valid_days'>,
  body: ProductBody | undefined,
) =>
  body?.valid_from === 'first_use' && item.valid_days
    ? { valid_days: null, first_use_days: item.valid_days }
    : { valid_days: item.valid_days }
/** What was sold of an item, as its snapshot keeps it. */
type Sold = {
  commission_bp: number
  times_total?: number | null
  valid_days?: number | null
  check_end_at: number
  first_use_days?: number | null
}
export const soldOf = (item: OrderItem) => item.snapshot as Sold

/** When what nobody picked up is refunded. */
export const pickupEnds = (
  promise_at: number,
  rules: Pick<OrderRules, 'pickup_refund_days'>,
): number => promise_at + rules.pickup_refund_days * DAY
/**
 * Codes of a paid order: one a unit, for a pick-up one an item that counts its units; locked until
 * the group has formed, or the goods are ready.
 */
const makeCodes = async (
  tx: Db,
  row: Order,
  rules: OrderRules,
  waiting: boolean,
  now: number,
): Promise<number | null> => {
  const items = (
    await tx
      .select()
      .from(order_item)
      .where(and(eq(order_item.order_id, row.id), inArray(order_item.fulfil, ['code', 'pickup'])))
      .orderBy(order_item.id)
  ).map(item => ({ item, sold: soldOf(item) }))
  const codes = items.flatMap(({ item, sold }) => codesOf(row, item, sold, { waiting, rules, now }))
  if (codes.length > 0) await tx.insert(order_code).values(codes)
  return codes.length > 0 ? Math.max(...codes.map(code => code.valid_until)) : null
}
/** The codes of one item, each with its share of the item. */
export const codesOf = (
  row: Pick<Order, 'id' | 'kind' | 'created_at'>,
  item: OrderItem,
  sold: Sold,
  { waiting, rules, now }: { waiting: boolean; rules: OrderRules; now: number },
): (typeof order_code.$inferInsert)[] => {
  const pickup = item.fulfil === 'pickup'
  // Store goods are made ready first; a part of a bundle and what was exchanged lie there already.
  const readied = pickup && row.kind !== 'points' && row.kind !== 'combo'
  const [pays, platforms] = pickup
    ? [[item.pay_cents], [item.platform_cents]]
    : [unitShares(item.pay_cents, item.qty), unitShares(item.platform_cents, item.qty)]
  // What is picked up waits until it is refunded: its code never ends before.
  const valid_until = pickup
    ? Math.max(sold.check_end_at, pickupEnds(now + rules.ship_promise_h * 3600, rules))
    : sold.valid_days
      ? now + sold.valid_days * DAY
      : sold.check_end_at
  return pays.map((pay_cents, at): typeof order_code.$inferInsert => {
    const platform_cents = platforms[at]!
    const settle_cents = settleOf(pay_cents, platform_cents, sold.commission_bp)
    const times_total = pickup ? item.qty : (sold.times_total ?? 1)
    return {
      order_id: row.id,
      item_id: item.id,
      product_id: item.product_id,
      code: newCode(),
      kind: readied ? 'pickup' : (row.kind as 'bulks'),
      ordered_at: row.created_at,
      times_total,
      pay_cents,
      platform_cents,
      settle_cents,
      left_times: times_total,
      left_pay_cents: pay_cents,
      left_platform_cents: platform_cents,
      left_settle_cents: settle_cents,
      first_use_days: sold.first_use_days ?? null,
      valid_from: now,
      valid_until,
      state: waiting || readied ? 'locked' : 'unused',
      created_at: now,
      updated_at: now,
    }
  })
}

/**
 * An order is paid, as its channel said: once, however often it says so (`services/payments.ts`
 * sees to that). Codes come into being with their shares of the payment; a seat of a group is
 * taken. `cents` came in; `deposit`: the rest is still owed.
 */
export const markPaid = async (
  tx: Db,
  order_id: number,
  of: { cents: number; deposit: boolean; now: number },
): Promise<boolean> => {
  const { now } = of
  const { row, group, batch } = await holdWithGroup(tx, order_id)
  const balance = row.pay_state === 'part_paid' && row.balance_due
  if (row.pay_state !== 'unpaid' && !balance) return false
  const rules = await rulesOf(tx, row)
  const seat = group
    ? await takeSeat(tx, group.id, rules, now)
    : row.kind === 'roll_buy'
      ? await leadGroup(tx, row, rules, now)
      : undefined
  const waiting = seat !== undefined || isWaiting(undefined, batch?.state)
  if (row.kind === 'points') await beginIssues(tx, order_id, now)
  const valid_until = balance ? row.valid_until : await makeCodes(tx, row, rules, waiting, now)
  if (!balance) await moveStock(tx, order_id, 'sold')
  const ships =
    ['express', 'full', 'deposit', 'pickup', 'store_delivery'].includes(row.sub_kind) ||
    (row.kind === 'combo' && row.receiver !== null)
  const paid = await recount(tx, row, {
    event: balance ? 'pay_balance' : 'pay',
    actor: { type: 'channel' },
    now,
    set: {
      pay_state: of.deposit ? 'part_paid' : 'paid',
      balance_due: false,
      paid_cents: row.paid_cents + of.cents,
      paid_at: row.paid_at ?? now,
      valid_until,
      ...(ships && !waiting && { promise_at: batch?.ship_at ?? now + rules.ship_promise_h * 3600 }),
      ...(seat && { roll_group_id: seat.group_id, group_role: seat.role }),
    },
  })
  if (seat)
    await noteOrder(tx, {
      order_id,
      event: 'group_join',
      actor: { type: 'member', id: paid.member_id },
      at: now,
      data: { group_id: seat.group_id, role: seat.role },
    })
  if (seat?.full) await succeedGroup(tx, seat.group_id, { end_by: 'full', now })
  // Where the campaign stood when this order was paid stays with it.
  if (batch && !balance)
    await tx
      .update(order_item)
      .set({
        snapshot: sql`jsonb_set(${order_item.snapshot}, '{raise,at_pay}', ${JSON.stringify(await raisedNow(tx, batch.id))}::jsonb)`,
      })
      .where(eq(order_item.order_id, order_id))
  if (batch && of.deposit && !waiting) await oweBalance(tx, paid, batch, now)
  if (row.sub_kind === 'pay_bill') await redeemBill(tx, paid, now)
  else if (row.kind === 'visitor') await sendFirstCodes(tx, paid, now)
  // After a deposit it stays taken until the balance is paid.
  if (!of.deposit) await spendCoupon(tx, row, now)
  return true
}
/** A bill paid at the store was used the moment it was paid, and has no validity of its own. */
export const redeemBill = async (tx: Db, row: Order, now: number): Promise<void> => {
  await tx
    .update(order_code)
    .set({
      valid_until: sql`greatest(${order_code.valid_until}, ${now + DAY}::bigint)`,
      state: 'unused',
    })
    .where(
      and(
        eq(order_code.order_id, row.id),
        eq(order_code.times_used, 0),
        inArray(order_code.state, ['unused', 'expired']),
      ),
    )
  for (const { id } of await tx
    .select({ id: order_code.id })
    .from(order_code)
    .where(eq(order_code.order_id, row.id)))
    await redeem(tx, { code_id: id, store_id: row.store_id, now, way: 'auto' })
}

/**
 * Closes an unpaid order and frees what it held: when its time is over (`by` undefined), or because
 * somebody closes it. False when it is paid, closed or not due.
 */
export const closeUnpaid = async (
  tx: Db,
  order_id: number,
  now: number,
  by?: {
    type: 'member' | 'staff' | 'system'
    actor: Actor
    reason: string
    cancel_type?: 'group_fail' | 'raise_fail'
  },
): Promise<boolean> => {
  const { row } = await holdWithGroup(tx, order_id)
  if (row.pay_state !== 'unpaid' || (!by && row.expire_pay_at > now)) return false
  await moveStock(tx, order_id, 'free')
  if (row.raise_batch_id !== null)
    await freeUnits(tx, row.raise_batch_id, await unitsIn(tx, order_id))
  await tx
    .update(payment)
    .set({ state: 'closed', updated_at: now })
    .where(
      and(
        eq(payment.order_id, order_id),
        eq(payment.state, 'pending'),
        eq(payment.direction, 'in'),
      ),
    )
  await recount(tx, row, {
    event: 'cancel',
    actor: by?.actor ?? system,
    now,
    memo: by?.reason ?? '',
    set: {
      pay_state: 'closed',
      cancel_type:
        by?.cancel_type ??
        (by?.type === 'staff' ? 'staff' : by?.type === 'member' ? 'member' : 'timeout'),
      closed_at: now,
    },
  })
  await freeCoupon(tx, row, now)
  if (row.points_used > 0)
    await returnPoints(tx, { order_id, points: row.points_used, biz_no: row.order_no, now })
  return true
}

/** Units of an order that were not given back. */
const unitsIn = async (tx: Db, order_id: number): Promise<number> =>
  (
    await tx
      .select({
        n: sql<number>`coalesce(sum(${order_item.qty} - ${order_item.refunded_qty}), 0)::int`,
      })
      .from(order_item)
      .where(eq(order_item.order_id, order_id))
  )[0]!.n
/**
 * A balance was not paid in time: its order is closed, and its goods can be sold again. What was
 * promised decides over the deposit: it is kept and becomes income, or it goes back. Answers what
 * goes back (cents), or false when nothing is due now: paid, given more time, frozen, or being
 * refunded.
 */
export const closeBalance = async (
  tx: Db,
  order_id: number,
  now: number,
): Promise<{ back_cents: number; payment_id: number } | false> => {
  const { row, batch } = await holdWithGroup(tx, order_id)
  if (
    !batch ||
    !row.balance_due ||
    row.pay_state !== 'part_paid' ||
    row.expire_pay_at > now ||
    row.frozen ||
    row.refund_state !== 'none'
  )
    return false
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, order_id))
    .orderBy(order_item.product_id)
  for (const item of items) await restock(tx, item, item.qty)
  await freeUnits(tx, batch.id, await unitsIn(tx, order_id))
  await tx
    .update(payment)
    .set({ state: 'closed', updated_at: now })
    .where(
      and(
        eq(payment.order_id, order_id),
        eq(payment.state, 'pending'),
        eq(payment.direction, 'in'),
      ),
    )
  const after = await recount(tx, row, {
    event: 'cancel',
    actor: system,
    now,
    memo: '尾款超时未付',
    set: {
      pay_state: 'closed',
      balance_due: false,
      cancel_type: 'balance_timeout',
      closed_at: now,
    },
  })
  await freeCoupon(tx, row, now)
  const deposit = (await depositOf(tx, order_id))!
  if (!keepsDeposit(batch)) return { back_cents: deposit.left_cents, payment_id: deposit.id }
  await keepDeposit(tx, after, { amount_cents: deposit.left_cents, cause: 'balance_timeout', now })
  return { back_cents: 0, payment_id: deposit.id }
}

export type Redemption = typeof verify_record.$inferSelect
/** A bill is of a store, a number and a Shanghai day. Two tills at one come one after the other. */
export const lockBill = (
  tx: Db,
  { store_id, no, at }: { store_id: number; no: string; at: number },
) =>
  tx.execute(
    sql`select pg_advisory_xact_lock(hashtext(${`bill:${store_id}:${no}:${dayStart(at)}`}))`,
  )
/**
 * Whether a bill holds several redemptions, told to each of them after one came or went. The bill
 * must be locked.
 */
const countBill = async (
  tx: Db,
  { store_id, bill_no, verified_at }: Pick<Redemption, 'store_id' | 'bill_no' | 'verified_at'>,
) => {
  if (bill_no === null) return
  const from = dayStart(verified_at)
  const onIt = and(
    eq(verify_record.store_id, store_id),
    eq(verify_record.bill_no, bill_no),
    gte(verify_record.verified_at, from),
    lt(verify_record.verified_at, from + DAY),
    eq(verify_record.state, 'valid'),
  )
  const [{ n } = { n: 0 }] = await tx.select({ n: count() }).from(verify_record).where(onIt)
  await tx
    .update(verify_record)
    .set({ bill_many: n > 1 })
    .where(and(onIt, eq(verify_record.bill_many, n <= 1)))
}
/**
 * Redeems uses of a code, one unless said otherwise, and answers the record; undefined when it
 * can't be redeemed (any more). The order is held, then one UPDATE with every guard in its
 * condition takes the uses and their share of the payment: no two tills use one twice, and whoever
 * freezes the order comes wholly before or after.
 */
export const redeem = async (
  tx: Db,
  of: {
    code_id: number
    store_id: number
    now: number
    times?: number
    way?: Redemption['way']
    by?: { verifier_id?: number; admin_id?: number }
    bill?: { no?: string | undefined; cents: number }
    distance_m?: number
  },
): Promise<Redemption | undefined> => {
  const { now, times = 1, way = 'scan' } = of
  const c = order_code
  const [known] = await tx.select({ order_id: c.order_id }).from(c).where(eq(c.id, of.code_id))
  if (!known) return undefined
  const row = await holdOrder(tx, known.order_id)
  const [code] = await tx.select().from(c).where(eq(c.id, of.code_id))
  const left =
    code!.times_total +
    code!.times_bonus -
    code!.times_used -
    code!.times_refunding -
    code!.times_refunded
  if (row.frozen || row.pay_state !== 'paid' || times < 1 || times > left) return undefined
  // The paid uses go first; the last use takes all that is left.
  const paid_times = times === left ? code!.left_times : Math.min(times, code!.left_times)
  const part = (cents: number) => partOf(cents, code!.left_times, paid_times)
  const [pay_cents, platform_cents, settle_cents] = [
    part(code!.left_pay_cents),
    part(code!.left_platform_cents),
    part(code!.left_settle_cents),
  ]
  const first = code!.times_used === 0 && code!.first_use_days !== null
  const valid_until = first
    ? Math.min(code!.valid_until, now + code!.first_use_days! * DAY)
    : code!.valid_until
  const [used] = await tx
    .update(c)
    .set({
      times_used: sql`${c.times_used} + ${times}`,
      left_times: sql`${c.left_times} - ${paid_times}`,
      left_pay_cents: sql`${c.left_pay_cents} - ${pay_cents}`,
      left_platform_cents: sql`${c.left_platform_cents} - ${platform_cents}`,
      left_settle_cents: sql`${c.left_settle_cents} - ${settle_cents}`,
      state: codeStateOf({ ...code!, times_used: code!.times_used + times }, now),
      valid_until,
      ...(first && { valid_before_use: code!.valid_until }),
      version: sql`${c.version} + 1`,
      updated_at: now,
    })
    .where(
      and(
        eq(c.id, of.code_id),
        eq(c.version, code!.version),
        inArray(c.state, ['unused', 'part_used'] satisfies CodeState[]),
        sql`${c.valid_from} <= ${now} and ${c.valid_until} > ${now}`,
        sql`${c.times_used} + ${c.times_refunding} + ${c.times_refunded} + ${times} <= ${c.times_total} + ${c.times_bonus}`,
      ),
    )
    .returning()
  if (!used) return undefined
  const { hold_days } = await rulesOf(tx, row)
  if (of.bill?.no !== undefined)
    await lockBill(tx, { store_id: of.store_id, no: of.bill.no, at: now })
  const [record] = await tx
    .insert(verify_record)
    .values({
      code_id: used.id,
      order_id: row.id,
      ordered_at: row.created_at,
      item_id: used.item_id,
      product_id: used.product_id,
      kind: row.kind,
      city_id: row.city_id,
      mall_id: row.mall_id,
      store_id: of.store_id,
      way,
      times,
      paid_times,
      ...of.by,
      pay_cents,
      platform_cents,
      commission_cents: pay_cents + platform_cents - settle_cents,
      settle_cents,
      bill_no: of.bill?.no ?? null,
      bill_cents: of.bill?.cents ?? null,
      distance_m: of.distance_m ?? null,
      state: 'valid',
      verified_at: now,
      hold_until: now + hold_days * DAY,
      created_at: now,
      updated_at: now,
    })
    .returning()
  await countBill(tx, record!)
  await recount(tx, row, {
    event: 'redeem',
    actor: of.by?.admin_id
      ? { type: 'staff', id: of.by.admin_id }
      : of.by?.verifier_id
        ? { type: 'merchant', id: of.by.verifier_id }
        : system,
    now,
    data: { record_id: record!.id, store_id: of.store_id, times, pay_cents },
    ...(first && { set: { valid_until: await latestValidity(tx, row.id) } }),
  })
  return record
}

/**
 * Takes a redemption back: its uses and exactly its share of the payment return to the code, which
 * may be past its time by now. Only inside the window of whoever does it (the merchant's or the
 * platform's, in hours), before it is settled, and never by the one who redeemed it for the store.
 */
export const reverseRedemption = async (
  tx: Db,
  of: {
    record_id: number
    by: { admin_id: number } | { verifier_id: number }
    reason: string
    now: number
    /** Its window does not bind: a bill that its store agrees to give back. */ late?: boolean
  },
): Promise<Redemption> => {
  const { now } = of
  const [known] = await tx.select().from(verify_record).where(eq(verify_record.id, of.record_id))
  if (!known) throw missing()
  const row = await holdOrder(tx, known.order_id)
  const [record] = await tx.select().from(verify_record).where(eq(verify_record.id, of.record_id))
  const rules = await rulesOf(tx, row)
  const why = reverseRefusal(record!, {
    now,
    window_h: of.late
      ? Infinity
      : 'admin_id' in of.by
        ? rules.platform_reverse_h
        : rules.merchant_reverse_h,
    admin_id: 'admin_id' in of.by ? of.by.admin_id : null,
    frozen: row.frozen,
  })
  if (why) throw ruled('not_reversible', why)
  if (record!.bill_no !== null)
    await lockBill(tx, { store_id: record!.store_id, no: record!.bill_no, at: record!.verified_at })
  const [after] = await tx
    .update(verify_record)
    .set({
      state: 'reversed',
      settle_state: 'reversed',
      reversed_at: now,
      reversed_by: 'admin_id' in of.by ? of.by.admin_id : null,
      reverse_reason: of.reason,
      version: sql`${verify_record.version} + 1`,
      updated_at: now,
    })
    .where(
      and(
        eq(verify_record.id, of.record_id),
        eq(verify_record.state, 'valid'),
        inArray(verify_record.settle_state, ['holding', 'available']),
      ),
    )
    .returning()
  if (!after)
    throw ruled('not_reversible', ['已撤销或已结算，不能撤销', 'It was taken back or settled'])
  await countBill(tx, after)
  const [code] = await tx.select().from(order_code).where(eq(order_code.id, after.code_id))
  const times_used = code!.times_used - after.times
  // A validity that began with a use which is no more begins with the next, or is again what it
  // was; one that was extended since stays.
  const [next] =
    code!.valid_before_use === null
      ? []
      : await tx
          .select({ at: verify_record.verified_at })
          .from(verify_record)
          .where(and(eq(verify_record.code_id, code!.id), eq(verify_record.state, 'valid')))
          .orderBy(verify_record.verified_at)
          .limit(1)
  const began = code!.valid_before_use !== null
  const valid_until = began
    ? Math.max(
        code!.valid_until,
        next
          ? Math.min(code!.valid_before_use!, next.at + code!.first_use_days! * DAY)
          : code!.valid_before_use!,
      )
    : code!.valid_until
  await tx
    .update(order_code)
    .set({
      times_used,
      left_times: code!.left_times + after.paid_times,
      left_pay_cents: code!.left_pay_cents + after.pay_cents,
      left_platform_cents: code!.left_platform_cents + after.platform_cents,
      left_settle_cents: code!.left_settle_cents + after.settle_cents,
      state: codeStateOf({ ...code!, times_used, valid_until }, now),
      valid_until,
      valid_before_use: times_used === 0 ? null : code!.valid_before_use,
      version: code!.version + 1,
      updated_at: now,
    })
    .where(eq(order_code.id, code!.id))
  await recount(tx, row, {
    event: 'reverse',
    actor:
      'admin_id' in of.by
        ? { type: 'staff', id: of.by.admin_id }
        : { type: 'merchant', id: of.by.verifier_id },
    now,
    memo: of.reason,
    data: { record_id: after.id },
    ...(began && { set: { valid_until: await latestValidity(tx, row.id) } }),
  })
  return after
}

/** How long the last of an order's codes is valid. */
const latestValidity = async (tx: Db, order_id: number): Promise<number> =>
  Number(
    (
      await tx
        .select({ at: sql<string>`max(${order_code.valid_until})` })
        .from(order_code)
        .where(eq(order_code.order_id, order_id))
    )[0]!.at,
  )

/**
 * Codes whose time is over expire: for one order, held. Answers whether any did. What is to be
 * picked up is refunded instead.
 */
export const expireCodes = async (tx: Db, order_id: number, now: number): Promise<boolean> => {
  const row = await holdOrder(tx, order_id)
  const gone = await tx
    .update(order_code)
    .set({ state: 'expired', version: sql`${order_code.version} + 1`, updated_at: now })
    .where(
      and(
        eq(order_code.order_id, order_id),
        inArray(order_code.state, ['unused', 'part_used']),
        ne(order_code.kind, 'pickup'),
        sql`${order_code.valid_until} <= ${now}`,
      ),
    )
    .returning({ id: order_code.id })
  if (gone.length === 0) return false
  await recount(tx, row, { event: 'expire', actor: system, now, data: { codes: gone.length } })
  return true
}

/**
 * Longer validity for all codes of an order that are not used up or refunded: later than now, never
 * shorter, at most `EXTEND_DAYS` past the product's end. Answers the order.
 */
export const extendValidity = async (
  tx: Db,
  of: { order_id: number; until: number; actor: Actor; reason: string; now: number },
): Promise<Order> => {
  const { now, until } = of
  const row = await holdOrder(tx, of.order_id)
  const may = orderCan('extendValidity', row)
  if (may !== true) throw ruled('not_extendable', may)
  const codes = await tx
    .select()
    .from(order_code)
    .where(
      and(
        eq(order_code.order_id, of.order_id),
        inArray(order_code.state, ['unused', 'part_used', 'expired', 'locked']),
      ),
    )
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, of.order_id))
  const latest = Math.max(...items.map(item => soldOf(item).check_end_at)) + EXTEND_DAYS * DAY
  if (codes.length === 0)
    throw ruled('not_extendable', ['没有可延期的券码', 'It has no code to extend'])
  const longest = Math.max(...codes.map(code => code.valid_until))
  if (until <= now || until <= longest)
    throw ruled(
      'not_later',
      ['只能延长：须晚于现有有效期 {when}', 'A validity can only become longer than {when}'],
      { when: timeFull(Math.max(longest, now)) },
    )
  if (until > latest)
    throw ruled(
      'too_late',
      ['最多延至商品有效期后 {n} 天', 'At most {n} days past the product’s end'],
      { n: EXTEND_DAYS },
    )
  for (const code of codes)
    await tx
      .update(order_code)
      .set({
        valid_until: until,
        state: codeStateOf({ ...code, valid_until: until }, now),
        version: code.version + 1,
        updated_at: now,
      })
      .where(eq(order_code.id, code.id))
  return recount(tx, row, {
    event: 'extend',
    actor: of.actor,
    now,
    memo: of.reason,
    set: { valid_until: until },
  })
}
