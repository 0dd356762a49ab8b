import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { codesOf } from '#src/areas/order/orderCodes.server.ts'
import { recount, rulesOf, type Actor, type Order } from '#src/areas/order/orderFacts.server.ts'
import { queueMessage, phoneOf } from '#src/areas/order/orderMessages.server.ts'
import { snapshotOf, soldOf } from '#src/areas/order/orderSold.server.ts'
import { productOf } from '#src/areas/order/orderUnits.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { wayOf } from '#src/areas/order/placing.server.ts'
import { product, product_sku, product_version } from '#src/areas/product/product.table.ts'
import { swapInStore } from '#src/areas/product/stock.server.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { openRefund, type Decider } from '#src/areas/refund/refunds.server.ts'
import { explained } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { partsOf, policyAgainst, soldCombo, type Part } from './comboParts.server.ts'

/** The codes and units of parts that can be given back; what was used or sent never can. */
const wantedOf = (parts: readonly Part[]) => ({
  codes: parts
    .filter(part => part.item.fulfil === 'code' || part.item.fulfil === 'pickup')
    .flatMap(part =>
      part.codes
        .filter(
          code =>
            ['locked', 'unused', 'part_used', 'expired'].includes(code.state) &&
            code.times_total + code.times_bonus >
              code.times_used + code.times_refunding + code.times_refunded,
        )
        .map(code => ({ id: code.id })),
    ),
  items: parts
    .filter(part => part.item.fulfil !== 'code' && part.item.fulfil !== 'pickup')
    .map(part => ({ id: part.item.id, qty: part.units.left })),
})
/**
 * Gives parts of a bundle back, or all that is left of it (`all`): each at its share, so that what
 * was used is deducted by itself. Against the policy only as an exception; that, and all of an
 * order of which something was used, another person decides too. The order is held.
 */
export const refundParts = async (
  tx: Db,
  row: Order,
  of: {
    items: readonly number[] | 'all'
    override: boolean
    reason: string
    by: Decider
    idem_key: string
    now: number
  },
): Promise<Refund> => {
  const parts = await partsOf(tx, row.id)
  const used = parts.some(part => part.units.used > 0)
  const chosen =
    of.items === 'all'
      ? parts.filter(part => part.units.left > 0)
      : of.items.map(
          id =>
            parts.find(part => part.item.id === id) ??
            (() => {
              throw missing()
            })(),
        )
  const gone = chosen.find(part => part.units.left === 0)
  if (gone)
    throw ruled(
      'part_gone',
      [
        '「{title}」已使用、已发货或已在退款中，不能退',
        '“{title}” was used or sent, or is in refund',
      ],
      { title: gone.item.title },
      { item_id: gone.item.id },
    )
  if (chosen.length === 0)
    throw ruled('nothing_left', [
      '没有可退的子项：已使用、已发货或已退款',
      'Nothing is left to refund: it was used, sent or refunded',
    ])
  const why = policyAgainst(
    (await soldCombo(tx, row, parts)).policy,
    parts,
    new Set(chosen.map(part => part.item.id)),
    false,
  )
  const whole = of.items === 'all' && used
  if (why && !of.override && !whole) throw ruled('policy', why)
  const wanted = wantedOf(chosen)
  return openRefund(tx, {
    order_id: row.id,
    wanted:
      chosen.length === parts.length && !used
        ? 'all'
        : {
            ...(wanted.codes.length > 0 && { codes: wanted.codes }),
            ...(wanted.items.length > 0 && { items: wanted.items }),
          },
    source: 'staff',
    reason: of.reason,
    actor: { type: 'staff', id: of.by.id },
    by: { id: of.by.id, limit_cents: why || whole ? -1 : of.by.limit_cents },
    override: why !== undefined,
    idem_key: of.idem_key,
    now: of.now,
  })
}

/**
 * What a part may be replaced by: on sale in the same city, reaching its buyer the same way, no
 * cheaper, and in stock; of one with variants the cheapest that is no cheaper.
 */
export const replacementWhere = (part: Pick<Part, 'item'>, city_id: number, now: number) => {
  const { item } = part
  const kinds = (['bulks', 'goods', 'elist'] as const).filter(
    kind => wayOf(kind, item.fulfil === 'delivery' ? 'delivery' : 'pickup') === item.fulfil,
  )
  return and(
    eq(product.state, 'on_sale'),
    inArray(product.kind, kinds),
    eq(product.city_id, city_id),
    gte(product.price_cents, item.price_cents),
    sql`${product.id} <> ${productOf(item)}`,
    sql`${product.stock} - ${product.held} >= ${item.qty}`,
    sql`${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now}`,
    sql`exists (select 1 from merchant m where m.id = ${product.merchant_id} and m.status = 'active')`,
    sql`(not exists (select 1 from product_sku s where s.product_id = ${product.id} and s.status = 'on') or exists (select 1 from product_sku s where s.product_id = ${product.id} and s.status = 'on' and s.price_cents >= ${item.price_cents} and s.stock - s.held >= ${item.qty}))`,
  )
}
/** A part of an order that may become another product; else says why not. */
const unusedPart = async (tx: Db, row: Order, item_id: number): Promise<Part> => {
  const may = orderCan('refund', row)
  if (may !== true) throw ruled(row.frozen ? 'frozen' : 'not_replaceable', may)
  const part = (await partsOf(tx, row.id)).find(one => one.item.id === item_id)
  if (!part) throw missing()
  const { item, units } = part
  if (units.used > 0 || units.refunding > 0 || units.refunded > 0)
    throw ruled(
      'part_gone',
      [
        '「{title}」已使用、已发货或有退款，不能更换',
        '“{title}” was used or sent, or has a refund',
      ],
      { title: item.title },
    )
  return part
}
/** The product that a part is to become, no cheaper, on sale, and reaching its buyer alike. */
const replacementFor = async (
  tx: Db,
  part: Part,
  product_id: number,
  { city_id, now }: { city_id: number; now: number },
) => {
  const [to] = await tx.select().from(product).where(eq(product.id, product_id))
  if (!to) throw missing()
  if (to.price_cents < part.item.price_cents)
    throw ruled(
      'cheaper',
      [
        '「{title}」比原子项便宜，只能换等价或更贵的商品',
        '“{title}” is cheaper: only for one that costs as much or more',
      ],
      { title: to.title },
    )
  const [fits] = await tx
    .select({ id: product.id })
    .from(product)
    .where(and(eq(product.id, to.id), replacementWhere(part, city_id, now)))
  if (!fits)
    throw ruled(
      'no_replacement',
      [
        '「{title}」不在售、库存不足或履约方式不同，不能更换',
        '“{title}” is not on sale, out of stock, or reaches its buyer in another way',
      ],
      { title: to.title },
    )
  const [sku] = await tx
    .select()
    .from(product_sku)
    .where(
      and(
        eq(product_sku.product_id, to.id),
        eq(product_sku.status, 'on'),
        gte(product_sku.price_cents, part.item.price_cents),
        sql`${product_sku.stock} - ${product_sku.held} >= ${part.item.qty}`,
      ),
    )
    .orderBy(product_sku.price_cents, product_sku.id)
    .limit(1)
  return { to, sku }
}
type Replacement = Awaited<ReturnType<typeof replacementFor>>

/** Gives the old product its pieces back and takes them of the new one. */
const moveStock = async (tx: Db, item: Part['item'], { to, sku }: Replacement): Promise<void> => {
  // Both products in the order of their ids, as everybody takes stock.
  const moves = [
    { table: product, id: productOf(item), n: item.qty },
    { table: product, id: to.id, n: -item.qty },
  ].sort((a, b) => a.id - b.id)
  for (const { table, id, n } of [
    ...moves,
    ...(item.sku_id === null ? [] : [{ table: product_sku, id: item.sku_id, n: item.qty }]),
    ...(sku ? [{ table: product_sku, id: sku.id, n: -item.qty }] : []),
  ]) {
    const [moved] = await tx
      .update(table)
      .set({ stock: sql`${table.stock} + ${n}`, sold: sql`greatest(${table.sold} - ${n}, 0)` })
      .where(
        and(eq(table.id, id), n < 0 ? sql`${table.stock} - ${table.held} >= ${-n}` : undefined),
      )
      .returning({ id: table.id })
    if (!moved)
      throw ruled('no_stock', ['「{title}」库存不足', '“{title}” is out of stock'], {
        title: to.title,
      })
  }
}
const becomes = async (
  tx: Db,
  item: Part['item'],
  { to, sku }: Replacement,
  now: number,
): Promise<Part['item']> => {
  const store_id = to.store_ids[0]!
  const store_stock_id = await swapInStore(tx, item, {
    product_id: to.id,
    sku_id: sku?.id ?? null,
    store_id,
    qty: item.qty,
    title: to.title,
  })
  const [version] = await tx
    .select({ body: product_version.body })
    .from(product_version)
    .where(and(eq(product_version.product_id, to.id), eq(product_version.state, 'live')))
  const replaced = { product_id: item.product_id, title: item.title, price_cents: item.price_cents }
  const snapshot = {
    ...snapshotOf(to, version?.body, sku?.price_cents ?? to.price_cents, sku?.name),
    ...(item.snapshot['combo'] ? { combo: item.snapshot['combo'] } : {}),
    replaced,
  }
  const [next] = await tx
    .update(order_item)
    .set({
      product_id: to.id,
      sku_id: sku?.id ?? null,
      title: to.title,
      store_id,
      store_stock_id,
      snapshot,
      version: item.version + 1,
      updated_at: now,
    })
    .where(and(eq(order_item.id, item.id), eq(order_item.version, item.version)))
    .returning()
  return next!
}
/** New codes for old ones, of which the buyer is told. Answers until when the order is valid. */
const newCodes = async (
  tx: Db,
  row: Order,
  { codes, next }: { codes: Part['codes']; next: Part['item'] },
  now: number,
): Promise<number | null> => {
  if (codes.length === 0) return row.valid_until
  // The old codes are worth nothing from now on, wherever they are shown.
  await tx
    .update(order_code)
    .set({
      state: 'void',
      left_times: 0,
      left_pay_cents: 0,
      left_platform_cents: 0,
      left_settle_cents: 0,
      version: sql`${order_code.version} + 1`,
      updated_at: now,
    })
    .where(
      inArray(
        order_code.id,
        codes.map(code => code.id),
      ),
    )
  const made = await tx
    .insert(order_code)
    .values(
      codesOf(row, next, soldOf(next), { waiting: false, rules: await rulesOf(tx, row), now }),
    )
    .returning()
  const [longest] = await tx
    .select({ at: sql<string>`max(${order_code.valid_until})` })
    .from(order_code)
    .where(and(eq(order_code.order_id, row.id), sql`${order_code.state} <> 'void'`))
  const phone = await phoneOf(tx, row)
  if (phone)
    await queueMessage(tx, {
      order_id: row.id,
      kind: 'code',
      phone,
      text: `您的套餐子项已更换为「${next.title}」，新券码：${made.map(code => code.code).join('、')}。订单 ${row.order_no}`,
      now,
    })
  return Number(longest!.at)
}
/**
 * A part that nobody used yet becomes another product, no cheaper, at no charge: it keeps its share
 * of the payment, its codes are new, and stock moves from one to the other. The order is held.
 */
export const replacePart = async (
  tx: Db,
  row: Order,
  of: { item_id: number; product_id: number; actor: Actor; reason: string; now: number },
): Promise<{ order: Order; before: string; after: string }> => {
  const { now } = of
  const part = await unusedPart(tx, row, of.item_id)
  const { item, codes } = part
  const replacement = await replacementFor(tx, part, of.product_id, { city_id: row.city_id, now })
  const { to } = replacement
  await moveStock(tx, item, replacement)
  const next = await becomes(tx, item, replacement, now)
  const valid_until = await newCodes(tx, row, { codes, next }, now)
  const after = await recount(tx, row, {
    event: 'replace',
    actor: of.actor,
    now,
    memo: explained(`${item.title} → ${to.title}`, of.reason),
    data: { item_id: item.id, from: item.product_id, to: to.id },
    set: { valid_until },
  })
  return { order: after, before: item.title, after: to.title }
}
