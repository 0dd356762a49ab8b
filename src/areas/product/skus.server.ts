/** What variants of shipped goods cost and how many are left; a product without any is its own. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { liveBody } from '#src/areas/audit/submission.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { changeRow, staleRow } from '#src/server/call/versions.ts'
import type { Goods, goodsRecord } from './goodsRows.server.ts'
import { product_sku, product_version } from './product.table.ts'
import { needsSecond, skuPriceFault } from './shipped.ts'

export type Sku = typeof product_sku.$inferSelect
type Record = ReturnType<typeof goodsRecord>
/** A new price of a variant, in cents; of the product itself where `sku` is null. */
export type NewPrice = { sku: Sku | null; price_cents: number }
type Reasoned = { reason: string }

/** The variants of some products that are sold, in their order; by product. */
export const skusOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Sku[]>> => {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(product_sku)
          .where(and(inArray(product_sku.product_id, [...ids]), eq(product_sku.status, 'on')))
          .orderBy(product_sku.id)
  return new Map(grouped(rows, row => row.product_id))
}
/** The variant of a product that is held; null for a product that has none, and 400 without one. */
export const skuOf = async (
  { tx, staff }: WriteContext,
  of: Goods,
  sku_id: number | undefined,
): Promise<Sku | null> => {
  const all = (await skusOf(tx, [of.id])).get(of.id) ?? []
  if (sku_id === undefined) {
    if (all.length > 0) faultless(staff, { sku_id: ['请选择规格', 'Choose a variant'] })
    return null
  }
  const sku = all.find(one => one.id === sku_id)
  if (!sku) throw missing()
  return sku
}
/** Changes a variant as it was read, or says who was quicker. */
const setSku = async (
  { tx }: WriteContext,
  was: Sku,
  values: Partial<typeof product_sku.$inferInsert>,
): Promise<void> => {
  if (!(await changeRow(tx, product_sku, was, values)))
    throw await staleRow(tx, 'product', { id: was.product_id, version: was.version })
}

/**
 * So many of a variant may still be sold; what unpaid orders hold is kept besides, of the variant
 * and of the whole product.
 */
export const setStock = async (
  goods: Record,
  context: WriteContext,
  was: Goods,
  { sku, left }: { sku: Sku | null; left: number },
): Promise<Goods> => {
  const before = sku ?? was
  const by = left + before.held - before.stock
  if (was.stock + by < was.held)
    throw ruled(
      'held',
      [
        '未支付订单占用 {held} 件，全部规格合计不能低于此数',
        'Unpaid orders hold {held}: all variants together can’t be fewer',
      ],
      { held: was.held },
    )
  if (sku) await setSku(context, sku, { stock: left + sku.held })
  const after = await goods.set(context, was, { stock: was.stock + by })
  const named = sku && { sku: sku.name }
  goods.log(context, after, {
    before: { ...named, stock: before.stock - before.held },
    after: { ...named, stock: left },
  })
  return after
}

/** Refuses prices that no rule allows, that change nothing, or that an audit still decides. */
const needPrices = async (
  { tx, staff }: WriteContext,
  was: Goods,
  prices: readonly NewPrice[],
): Promise<void> => {
  for (const { sku, price_cents } of prices) {
    const fault = skuPriceFault(price_cents, was)
    if (fault && prices.length === 1) faultless(staff, { price_cents: fault })
    if (fault)
      throw ruled('bad_price', [`「{sku}」${fault[0]}`, `{sku}: ${fault[1]}`] as Text, {
        sku: sku?.name ?? was.title,
      })
  }
  if (prices.every(({ sku, price_cents }) => (sku ?? was).price_cents === price_cents))
    throw ruled('unchanged', ['价格没有变化', 'The price is the same'])
  const [waits] = await tx
    .select({ id: audit_task.id })
    .from(audit_task)
    .where(
      and(
        eq(audit_task.product_id, was.id),
        inArray(audit_task.state, ['pending', 'claimed', 'need_more', 'second_audit']),
      ),
    )
    .limit(1)
  if (waits)
    throw ruled('in_audit', ['商品审核中，审核结束后才能改价', 'It is in audit: wait for its end'])
}
/** What an offer says of its prices, with the new ones. */
const priced = (of: Goods, all: readonly Sku[], prices: readonly NewPrice[]) => {
  const set = new Map(prices.map(one => [one.sku?.id, one.price_cents]))
  const skus = all.map(sku => ({ ...sku, price_cents: set.get(sku.id) ?? sku.price_cents }))
  const lowest = Math.min(...skus.map(sku => sku.price_cents))
  return { skus, price_cents: skus.length > 0 ? lowest : (set.get(undefined) ?? of.price_cents) }
}
/** The live version with prices of its own: it is what a merchant edits next. */
const bodyWith = async (tx: Db, of: Goods, to: ReturnType<typeof priced>) => {
  const live = await liveBody(tx, of.id)
  if (!live) throw ruled('never_approved', ['商品尚未审核通过', 'It was never approved'])
  const by = new Map(to.skus.map(sku => [sku.code, sku.price_cents]))
  return {
    ...live,
    price_cents: to.price_cents,
    ...(live.skus && {
      skus: live.skus.map(sku => ({ ...sku, price_cents: by.get(sku.code) ?? sku.price_cents })),
    }),
  }
}

/**
 * Changes prices of a product that is held: at once, or, where one falls by more than half or below
 * the cost, by an audit that another person decides; the old ones sell until then. Answers which.
 */
export const setPrices = async (
  goods: Record,
  context: WriteContext,
  was: Goods,
  { prices, reason }: { prices: readonly NewPrice[] } & Reasoned,
): Promise<Goods & { in_audit: boolean }> => {
  const { tx, staff, now } = context
  await needPrices(context, was, prices)
  const all = (await skusOf(tx, [was.id])).get(was.id) ?? []
  const to = priced(was, all, prices)
  const body = await bodyWith(tx, was, to)
  const told = (of: (one: NewPrice) => number) => ({
    prices: prices.map(one => `${one.sku?.name ?? ''} ¥${(of(one) / 100).toFixed(2)}`.trim()),
  })
  const before = told(({ sku }) => (sku ?? was).price_cents)
  const after = told(one => one.price_cents)
  const waits = prices.some(({ sku, price_cents }) =>
    needsSecond(
      { from_cents: (sku ?? was).price_cents, to_cents: price_cents },
      was.settle_price_cents,
    ),
  )
  if (waits) {
    const task = await submitOffer(tx, {
      product_id: was.id,
      // Shops of its merchant that were linked since keep it; those of others stand apart.
      body: { ...body, store_ids: await ownShops(tx, was) },
      submit_type: 'edit',
      by: staff.id,
      now,
    })
    goods.log(context, was, { before, after: { ...after, audit_task: task.id }, reason })
    return { ...(await goods.read(tx, staff, was.id)), in_audit: true }
  }
  for (const { sku, price_cents } of prices)
    if (sku && sku.price_cents !== price_cents) await setSku(context, sku, { price_cents })
  const saved = await goods.set(context, was, { price_cents: to.price_cents })
  await patchLive(tx, was.id, {
    price_cents: body.price_cents,
    ...(body.skus && { skus: body.skus }),
  })
  goods.log(context, saved, { before, after, reason })
  return { ...saved, in_audit: false }
}
/** The stores of its own merchant that take a product. */
const ownShops = async (tx: Db, of: Goods): Promise<number[]> => {
  const rows = await tx
    .select({ id: store.id })
    .from(store)
    .where(and(inArray(store.id, of.store_ids), eq(store.merchant_id, of.merchant_id)))
    .orderBy(store.id)
  return rows.map(row => row.id)
}
/** Product and live version tell the same. */
const patchLive = (tx: Db, product_id: number, body: object) =>
  tx
    .update(product_version)
    .set({
      body: sql`${product_version.body} || ${JSON.stringify(body)}::jsonb`,
      version: sql`${product_version.version} + 1`,
    })
    .where(and(eq(product_version.product_id, product_id), eq(product_version.state, 'live')))

/** Limits how many of a product one member buys in all; null for as many as they like. */
export const setLimit = async (
  goods: Record,
  context: WriteContext,
  was: Goods,
  limit_per_member: number | null,
): Promise<Goods> => {
  await patchLive(context.tx, was.id, { limit_per_member: limit_per_member ?? 0 })
  return goods.save(context, was, { limit_per_member })
}
