import { and, eq, inArray, sql } from 'drizzle-orm'
import { lastLiveRoom, takeLive } from '#src/areas/broadcast/liveRooms.server.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { holdGroup, refuseSecondSeat, type GroupTerms } from '#src/areas/group/groups.server.ts'
import { ratesNow } from '#src/areas/merchant/eCategories.server.ts'
import { shopRate } from '#src/areas/merchant/onlineShops.server.ts'
import { sellerMaySell } from '#src/areas/merchant/sales.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import {
  product,
  product_sku,
  product_store,
  product_version,
} from '#src/areas/product/product.table.ts'
import { shopPriceOf } from '#src/areas/product/shopLink.ts'
import { holdInStore } from '#src/areas/product/stock.server.ts'
import { takeUnits } from '#src/areas/raise/raise.server.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { keptPolicy } from './afterSale.server.ts'
import type { Buying, BoughtLine, Offer, Product, Sku, SoldLine } from './buying.server.ts'
import { order_item } from './order.table.ts'
import type { ItemWay } from './order.ts'
import type { Order } from './orderFacts.server.ts'
import { raiseTerms, snapshotOf } from './orderSold.server.ts'
import { spread, type OrderSums } from './orderSums.server.ts'

export const linesOf = (of: Buying): readonly BoughtLine[] =>
  'lines' in of ? of.lines : [{ product_id: of.product_id, qty: of.qty }]

/** How a kind of product reaches its buyer. */
export const wayOf = (kind: Product['kind'], way: Buying['way']): ItemWay => {
  if (kind === 'elist') return 'express'
  return kind === 'goods' ? (way ?? 'pickup') : 'code'
}

/** A live room sells at its price while it is on, from what it has reserved: that is held already. */
const liveOffer = async (
  tx: Db,
  of: Buying,
  lines: readonly BoughtLine[],
): Promise<Pick<Offer, 'live_room_id' | 'live_cents'>> => {
  const { member_id, now } = of
  const [main] = lines
  if (member_id === null || lines.length > 1 || of.opens_group)
    return { live_room_id: null, live_cents: undefined }
  const live_room_id = await lastLiveRoom(tx, { member_id, product_id: main!.product_id, now })
  return {
    live_room_id,
    live_cents: live_room_id === null ? undefined : await takeLive(tx, { live_room_id, ...main! }),
  }
}
/** Reads and holds what an order is placed under. Throws 422 where it is over, or not for this. */
export const holdOffer = async (
  tx: Db,
  of: Buying,
  lines: readonly BoughtLine[],
): Promise<Offer> => {
  const { now } = of
  const [main] = lines
  const live = await liveOffer(tx, of, lines)
  // A group is held while a seat of it is asked for: the second of two orders of one member at once
  // is refused.
  const group = of.group_id === undefined ? undefined : await holdGroup(tx, of.group_id)
  const [bundle] =
    of.combo_id === undefined
      ? []
      : await tx
          .select()
          .from(combo)
          .where(and(eq(combo.id, of.combo_id), eq(combo.status, 'on')))
  // A campaign sells one product; its units are taken before any stock, as everybody holds it
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
  if (group && of.member_id !== null) await refuseSecondSeat(tx, group.id, of.member_id)
  return { ...live, group, bundle, batch }
}

type Held = { item: Product; sku: Sku | undefined }
/** Holds units of a product and of its SKU until they are paid or timed out. */
const hold = async (
  tx: Db,
  { product_id, qty, sku_id }: BoughtLine,
  of: { now: number; reserved: boolean },
): Promise<Held> => {
  const { now, reserved } = of
  const [item] = await tx
    .update(product)
    .set({ held: reserved ? product.held : sql`${product.held} + ${qty}` })
    .where(
      and(
        eq(product.id, product_id),
        eq(product.state, 'on_sale'),
        reserved ? undefined : sql`${product.stock} - ${product.held} >= ${qty}`,
        sql`${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now}`,
        sellerMaySell(now),
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
/** Whether a member may lead a group for this product: it alone, at a group's price. */
const refuseGroup = (of: Buying, item: Product, alone: boolean): void => {
  const inGroups = item.group_need !== null && item.group_price_cents !== null
  if (of.opens_group && !(inGroups && alone && of.member_id !== null))
    throw ruled('no_group', ['「{title}」不能拼团', '“{title}” is not bought in groups'], {
      title: item.title,
    })
}
/** The price of one unit: a bill, a live room and a group say their own before the variant does. */
const priceOf = (
  of: Buying,
  offer: Offer,
  { item, sku, shop_price_cents }: Held & { shop_price_cents: number | null },
): number =>
  of.bill_cents ??
  offer.live_cents ??
  offer.group?.group_price_cents ??
  (of.opens_group ? item.group_price_cents! : undefined) ??
  shopPriceOf(sku?.price_cents ?? item.price_cents, {
    price_cents: item.price_cents,
    shop_price_cents,
  })
/** What the shop of an order asks itself for what it ships, by product. */
const shopPrices = async (
  tx: Db,
  of: Buying,
  items: readonly Product[],
): Promise<ReadonlyMap<number, number>> => {
  const store_id = of.store_id ?? items[0]!.store_ids[0]
  const ids = items.flatMap(item => (item.kind === 'elist' ? item.id : []))
  if (store_id === undefined || ids.length === 0) return new Map()
  const rows = await tx
    .select({ id: product_store.product_id, price_cents: product_store.price_cents })
    .from(product_store)
    .where(
      and(
        eq(product_store.store_id, store_id),
        eq(product_store.status, 'on'),
        inArray(product_store.product_id, ids),
      ),
    )
  return new Map(
    rows.flatMap(({ id, price_cents }) => (price_cents === null ? [] : [[id, price_cents]])),
  )
}
/** Holds all lines, the products in the order of their ids as everybody does, and prices them. */
export const holdLines = async (
  tx: Db,
  of: Buying,
  lines: readonly BoughtLine[],
  offer: Offer,
): Promise<SoldLine[]> => {
  const held = new Map<BoughtLine, Held>()
  const reserved = offer.live_cents !== undefined
  for (const line of [...lines].sort((a, b) => a.product_id - b.product_id))
    held.set(line, await hold(tx, line, { now: of.now, reserved }))
  const items = lines.map(line => held.get(line)!.item)
  const asked = await shopPrices(tx, of, items)
  return lines.map(line => {
    const { item, sku } = held.get(line)!
    refuseGroup(of, item, lines.length === 1)
    const shop_price_cents = asked.get(item.id) ?? null
    const price_cents = priceOf(of, offer, { item, sku, shop_price_cents })
    return {
      line,
      item,
      sku,
      price_cents,
      total_cents: price_cents * line.qty,
      // A part of a bundle is fetched at its own store: nobody sets out with it.
      fulfil: wayOf(item.kind, offer.bundle ? 'pickup' : of.way),
    }
  })
}
/** Holds what the stores count themselves. Answers the row that counts each line, or null. */
export const holdStores = async (
  tx: Db,
  sold: readonly SoldLine[],
  of: { store_id: number; bundled: boolean },
): Promise<ReadonlyMap<BoughtLine, number | null>> => {
  const counted = new Map<BoughtLine, number | null>()
  for (const { line, item, sku, fulfil } of [...sold].sort((a, b) => a.item.id - b.item.id))
    if (fulfil !== 'virtual')
      counted.set(
        line,
        await holdInStore(tx, {
          product_id: item.id,
          sku_id: sku?.id ?? null,
          store_id: of.bundled ? item.store_ids[0]! : of.store_id,
          qty: line.qty,
          title: item.title,
        }),
      )
  return counted
}

/** The kind of an order: what it is placed under says it before its product does. */
export const kindOf = (of: Buying, offer: Offer, first: Product): Order['kind'] => {
  if (offer.bundle) return 'combo'
  if (offer.group || of.opens_group) return 'roll_buy'
  if (offer.batch) return 'raise'
  return of.member_id === null ? 'visitor' : first.kind
}
const subKinds = {
  express: 'express',
  pickup: 'pickup',
  delivery: 'store_delivery',
} as const
/** How an order is fulfilled and paid: at the store, in a campaign, or as its first line is. */
export const subKindOf = (of: Buying, offer: Offer, fulfil: ItemWay): Order['sub_kind'] => {
  if (of.bill_cents !== undefined) return 'pay_bill'
  if (offer.batch) return offer.batch.mode
  return Object.hasOwn(subKinds, fulfil) ? subKinds[fulfil as keyof typeof subKinds] : 'code'
}

/** What a line keeps of how it was sold: a later version or offer never changes it. */
const keptOf = (
  of: Buying,
  { bundle, batch }: Offer,
  { item, sku, price_cents }: SoldLine,
  body: ProductBody | undefined,
): Record<string, unknown> => ({
  ...snapshotOf(item, body, price_cents, sku?.name),
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
})
/** Writes the lines of an order, each with its share and with what it keeps of how it was sold. */
export const insertItems = async (
  tx: Db,
  of: Buying,
  offer: Offer,
  what: {
    made: Order
    sold: readonly SoldLine[]
    sums: OrderSums
    counted: ReadonlyMap<BoughtLine, number | null>
  },
): Promise<void> => {
  const { made, sold, sums, counted } = what
  const ids = sold.map(one => one.item.id)
  const versions = await tx
    .select()
    .from(product_version)
    .where(and(inArray(product_version.product_id, ids), eq(product_version.state, 'live')))
  const categories = sold.map(one => one.item.category_id)
  const policyOf = await keptPolicy(tx, made.kind, categories)
  const rates = await ratesNow(tx, categories)
  const agreed = made.kind === 'elist' ? await shopRate(tx, made.store_id) : {}
  const parts = spread(sold, sums)
  await tx.insert(order_item).values(
    sold.map((one, at) => {
      const { line, item, sku, price_cents, fulfil } = one
      const policy = policyOf(item.category_id)
      const body = versions.find(version => version.product_id === item.id)?.body
      return {
        order_id: made.id,
        kind: made.kind,
        product_id: item.id,
        sku_id: sku?.id ?? null,
        policy_id: policy.policy_id,
        store_stock_id: counted.get(line) ?? null,
        snapshot: {
          ...keptOf(of, offer, one, body),
          ...policy.days,
          ...rates(item.category_id),
          ...agreed,
        },
        title: of.bill_cents === undefined ? item.title : '到店扫码买单',
        // Each part of a bundle is its own store's.
        store_id: offer.bundle ? item.store_ids[0]! : made.store_id,
        qty: line.qty,
        price_cents,
        ...parts[at]!,
        fulfil,
        created_at: of.now,
        updated_at: of.now,
      }
    }),
  )
}
/** Asks for the payment of an order: the deposit first, where its campaign has one. */
export const askPayment = async (
  tx: Db,
  of: Buying,
  { batch }: Offer,
  what: { made: Order; qty: number },
): Promise<void> => {
  const { made, qty } = what
  const down =
    batch?.mode === 'deposit' ? Math.min(made.pay_cents, batch.deposit_cents * qty) : made.pay_cents
  await tx.insert(payment).values({
    order_id: made.id,
    direction: 'in',
    stage: down < made.pay_cents ? 'deposit' : 'full',
    channel: of.channel ?? 'embedded',
    amount_cents: down,
    out_no: made.order_no,
    state: 'pending',
    created_at: of.now,
    updated_at: of.now,
  })
}
