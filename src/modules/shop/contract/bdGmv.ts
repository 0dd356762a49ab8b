import { z } from 'zod'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  unix,
  version,
} from '#src/contract/shapes.ts'

const money = guarded('stat.gmv_cents', cents)
const moneyOrNone = guarded('stat.gmv_cents', cents.nullable())
const figures = {
  paid_cents: money,
  redeemed_cents: money,
  refunded_cents: money,
  /** The part of the refunds that is of locked months. */
  adjust_cents: money,
  net_cents: money,
  orders: z.int(),
  opened: z.int(),
  active_stores: z.int(),
  discount_bp: z.int().nullable(),
}
/** A person’s result, or that of stores without one (`NOBODY`). */
export const gmvRow = z.object({
  id,
  name: z.string(),
  active: z.boolean(),
  ...figures,
  target_cents: moneyOrNone,
  reached_bp: guarded('stat.gmv_cents', z.int().nullable()),
  /** Null of stores without a BD. */
  place: z.int().nullable(),
  /** In the period that it is compared with. */
  net_before_cents: moneyOrNone,
  place_before: z.int().nullable(),
  version,
})
export type GmvRow = z.output<typeof gmvRow>
const storeRow = z.object({
  id,
  name: z.string(),
  paid_cents: money,
  refunded_cents: money,
  net_cents: money,
  orders: z.int(),
})
const period = keyText(10, 6)
const month = z.int().min(200_001).max(299_912)
const call = callsOf('shop/bd/gmv', {
  touches: ['bd', 'order', 'refund', 'bd_month'],
  rows: 'store',
})
const filters = { period: period.optional(), versus: period.optional() }

/** What people who look after stores reached, by month or by week. */
export const bdGmv = {
  /** The present month unless another period is named; `versus` is a period beside it. */
  lst: call.lists('lst', ['BD 业绩', 'BD results'], {
    filters,
    row: gmvRow,
    answer: {
      period,
      total: z.int(),
      headline: z.object(figures),
      headline_before_cents: moneyOrNone,
      locked: z.object({ at: unix, by: z.string() }).nullable(),
    },
  }),
  /** The stores behind a person’s result. */
  drill: call.read('drill', ['下钻到门店', 'View stores of a result'], {
    input: z.object({ ...page, period, id }),
    output: listOf(storeRow),
  }),
  /** The orders behind a store’s. */
  orders: call.read('orders', ['下钻到订单', 'View orders of a result'], {
    input: z.object({ ...page, period, id, store_id: id }),
    output: listOf(
      z.object({
        id,
        order_no: z.string(),
        kind: keysOf<OrderKind>(orderKinds),
        paid_at: unix,
        paid_cents: money,
      }),
    ),
    permit: 'shop.bd.gmv.drill',
  }),
  /** Keeps the result of a month that is over as it stands. */
  lockMonth: call.write('lockMonth', ['锁定月度业绩', 'Lock a month'], {
    input: z.object({ month }),
    output: z.object({ month, net_cents: money }),
    touches: ['bd_month'],
    scope: 'all',
  }),
  unlockMonth: call.write('unlockMonth', ['解除锁定', 'Unlock a month'], {
    input: z.object({ month, reason }),
    output: z.object({ month }),
    touches: ['bd_month'],
    scope: 'all',
  }),
  export: call.startsExport('export', ['导出业绩', 'Export the results'], { filters }),
}
