import { and, asc, count, eq, ilike, ne, sql } from 'drizzle-orm'
import { verify_record } from '#src/areas/code/code.table.ts'
import { combo as combo_table } from '#src/areas/combo/combo.table.ts'
import { partStatus } from '#src/areas/combo/combo.ts'
import {
  figuresOf,
  partsOf,
  policyAgainst,
  soldCombo,
  type Part,
} from '#src/areas/combo/comboParts.server.ts'
import { refundParts, replacementWhere, replacePart } from '#src/areas/combo/combos.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { afterSaleUntil } from '#src/areas/order/afterSale.server.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { productOf } from '#src/areas/order/orderUnits.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefunds } from '#src/areas/refund/refund.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { implement, type Db, type WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { isMeant } from '#src/server/db/pinyin.ts'
import { combo, comboDetail, type ComboFile, type Lane } from '../contract/combo.ts'
import { codeDetailHandlers, codeHandlers } from './codes.ts'
import { exportOrders } from './exportOrders.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { orderHandlers } from './shared.ts'
import { shipHandlers } from './ship.ts'

const kinds = ['combo'] as const
exportOrders(
  'combo',
  kinds,
  ['组合套餐订单', 'Combo orders'],
  [
    {
      key: 'bundle_name',
      title: ['组合', 'Bundle'],
      of: sql`(select f.snapshot->'combo'->>'name' from order_item f where f.order_id = o.id order by f.id limit 1)`,
    },
    {
      key: 'store_discount_cents',
      title: ['套餐优惠', 'Bundle saving'],
      kind: 'money',
      of: sql`o.store_discount_cents`,
    },
  ],
)
const list = orderHandlers('combo', kinds)
const codes = codeHandlers(kinds)
const ships = shipHandlers(kinds)
const detail = codeDetailHandlers(kinds)

/** The parts of an order as lanes. */
export const lanesOf = async (db: Db, row: Order, parts: readonly Part[]): Promise<Lane[]> => {
  const [uses, periods, parcels] = await Promise.all([
    db
      .select({
        item_id: verify_record.item_id,
        settle: sql<string>`sum(${verify_record.settle_cents})`,
      })
      .from(verify_record)
      .where(and(eq(verify_record.order_id, row.id), eq(verify_record.state, 'valid')))
      .groupBy(verify_record.item_id),
    afterSaleUntil(db, row),
    db
      .select({ one: shipment, name: courier.name })
      .from(shipment)
      .leftJoin(courier, eq(courier.code, shipment.courier))
      .where(and(eq(shipment.order_id, row.id), ne(shipment.state, 'void')))
      .orderBy(shipment.id),
  ])
  return parts.map(({ item, codes: own, units, closed, store_name, merchant_name, used_cents }) => {
    const { sku, images, replaced } = item.snapshot as {
      sku?: string
      images?: string[]
      replaced?: { title: string; price_cents: number }
    }
    return {
      item_id: item.id,
      product_id: productOf(item),
      title: item.title,
      sku: sku ?? null,
      image: images?.[0] ?? null,
      way: item.fulfil,
      store_id: item.store_id,
      store_name,
      merchant_name,
      closed,
      qty: item.qty,
      units: units.units || item.qty,
      used: units.used,
      refunding: units.refunding,
      refunded: units.refunded,
      left: units.left,
      status: partStatus({ ...item, codes: own }, row.pay_state),
      price_cents: item.price_cents,
      share_cents: item.pay_cents,
      platform_cents: item.platform_cents,
      saving_cents: item.price_cents * item.qty - item.pay_cents - item.platform_cents,
      used_cents,
      refunded_cents: item.refunded_cents,
      settled_cents: Number(uses.find(use => use.item_id === item.id)?.settle ?? 0),
      settle_cents: own.reduce((all, code) => all + code.settle_cents, 0),
      codes: own.map(code => ({
        id: code.id,
        tail: code.code.slice(-4),
        code: code.code,
        state: code.state,
        valid_until: code.valid_until,
      })),
      parcels: parcels
        .filter(({ one }) => one.items.some(each => each.item_id === item.id))
        .map(({ one, name }) => ({
          id: one.id,
          courier: name ?? one.courier,
          tracking_no: one.tracking_no,
          state: one.state,
          last: one.traces.at(-1)?.text ?? null,
          at: one.signed_at ?? one.shipped_at,
        })),
      replaced: replaced ? { title: replaced.title, price_cents: replaced.price_cents } : null,
      after_sale_until: periods.get(item.id) ?? null,
    }
  })
}
const fileOf = async (db: Db, row: Order): Promise<ComboFile> => {
  const parts = await partsOf(db, row.id)
  const [sold, lanes, cases] = await Promise.all([
    soldCombo(db, row, parts),
    lanesOf(db, row, parts),
    db
      .select()
      .from(refund)
      .where(and(eq(refund.order_id, row.id), sql`${refund.state} not in ('rejected', 'closed')`))
      .orderBy(refund.id),
  ])
  const before_cents = cases.reduce((all, one) => all + one.amount_cents, 0)
  const left = parts.filter(part => part.units.left > 0)
  const used = parts.some(part => part.units.used > 0)
  const used_cents = parts.reduce((all, part) => all + part.used_cents, 0)
  const why =
    left.length === 0
      ? undefined
      : policyAgainst(sold.policy, parts, new Set(left.map(part => part.item.id)), false)
  const shares = left.reduce(
    (all, { item, used_cents: gone }) => all + item.pay_cents - gone - item.refunded_cents,
    0,
  )
  return {
    name: sold.name,
    policy: sold.policy,
    price_cents: sold.price_cents,
    single_cents: row.total_cents,
    saving_cents: row.store_discount_cents,
    freight_cents: row.freight_cents,
    lanes,
    figures: figuresOf(
      parts,
      row.pay_state === 'paid'
        ? Math.max(
            0,
            Math.min(
              shares +
                (used
                  ? 0
                  : row.freight_cents - cases.reduce((all, one) => all + one.freight_cents, 0)),
              row.paid_cents - before_cents - used_cents,
            ),
          )
        : 0,
    ),
    refused: why ? [why[0], why[1]] : null,
    open: cases
      .filter(one => (openRefunds as readonly string[]).includes(one.state))
      .map(one => ({
        id: one.id,
        refund_no: one.refund_no,
        state: one.state,
        amount_cents: one.amount_cents,
        override: one.policy_override,
      })),
  }
}
const giveBack = async (
  { tx, staff, now, log, request_id }: WriteContext,
  row: Order,
  of: { items: readonly number[] | 'all'; override: boolean; reason: string },
) => {
  const made = await refundParts(tx, row, {
    ...of,
    by: { id: staff.id, limit_cents: staff.refund_limit_cents },
    idem_key: `${request_id}:${row.id}`,
    now,
  })
  log({
    ...logged(row),
    before: { refund_state: row.refund_state },
    after: {
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      refund_status: made.state,
      ...(made.policy_override && { policy_override: true }),
    },
    reason: of.reason,
  })
  return {
    id: row.id,
    refund_id: made.id,
    refund_no: made.refund_no,
    amount_cents: made.amount_cents,
    state: made.state,
  }
}

export const comboServer = implement(combo, {
  ...list,
  extendValidity: codes.extendValidity,
  resendCode: codes.resendCode,
  couriers: ships.couriers,
  ship: ships.ship,
  lanes: async ({ id }, { db, staff }) => fileOf(db, await findOrder(db, kinds, id, staff)),
  bundles: async ({ keyword, page, pageSize }, { db }) => {
    const where = keyword ? ilike(combo_table.name, like(keyword)) : undefined
    return {
      list: await db
        .select({ id: combo_table.id, name: combo_table.name })
        .from(combo_table)
        .where(where)
        .orderBy(asc(combo_table.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, combo_table, where)),
    }
  },
  parts: async ({ order_id, keyword }, { db, staff }) => {
    const parts = await partsOf(db, (await findOrder(db, kinds, order_id, staff)).id)
    const found = parts
      .filter(
        part =>
          part.units.left > 0 &&
          (!keyword || isMeant(`${part.item.title} ${part.store_name}`, keyword)),
      )
      .map(part => ({
        id: part.item.id,
        name: part.item.title,
        store_name: part.store_name,
        share_cents: part.item.pay_cents - part.used_cents - part.item.refunded_cents,
      }))
    return { list: found, total: found.length }
  },
  refund: async ({ parts, override, reason, ...one }, context) =>
    giveBack(context, await heldOrder(context.tx, kinds, one, context.staff), {
      items: parts ?? 'all',
      override,
      reason,
    }),
})
export const comboDetailServer = implement(comboDetail, {
  verifyForStore: detail.verifyForStore,
  reverseVerify: detail.reverseVerify,
  couriers: ships.couriers,
  ship: ships.ship,
  refund: async ({ items, override, reason, ...one }, context) =>
    giveBack(context, await heldOrder(context.tx, kinds, one, context.staff), {
      items,
      override,
      reason,
    }),
  refundAll: async ({ reason, ...one }, context) =>
    giveBack(context, await heldOrder(context.tx, kinds, one, context.staff), {
      items: 'all',
      override: false,
      reason,
    }),
  replacements: async ({ order_id, item_id, keyword, page, pageSize }, { db, staff, now }) => {
    const row = await findOrder(db, kinds, order_id, staff)
    const part = (await partsOf(db, row.id)).find(one => one.item.id === item_id)
    if (!part) throw ruled('which_part', ['请先选中一个子项', 'Choose a part first'])
    const where = and(
      replacementWhere(part, row.city_id, now),
      keyword ? ilike(product.title, like(keyword)) : undefined,
    )
    const [counted] = await db.select({ total: count() }).from(product).where(where)
    const rows = await db
      .select({
        id: product.id,
        name: product.title,
        merchant_name: merchant.name,
        price_cents: product.price_cents,
      })
      .from(product)
      .innerJoin(merchant, eq(merchant.id, product.merchant_id))
      .where(where)
      .orderBy(asc(product.price_cents), asc(product.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, total: counted!.total }
  },
  replacePart: async ({ item_id, product_id, reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const {
      order: after,
      before: was,
      after: is,
    } = await replacePart(tx, row, { item_id, product_id, actor: staffActor(staff), reason, now })
    log({ ...logged(row), before: { part: was }, after: { part: is }, reason })
    return { id: after.id, status: after.status, version: after.version, before: was, after: is }
  },
})
