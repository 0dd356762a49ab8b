import { z } from 'zod'
import {
  compareModes,
  metrics,
  moneyFigures,
  orderBuckets,
  type CompareMode,
  type MoneyFigure,
  type OrderBucket,
} from '#src/areas/figures/overview.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  cents,
  guarded,
  id,
  keyText,
  lines,
  listOf,
  page,
  unix,
  exportFile,
  exportBegun,
} from '#src/contract/shapes.ts'

const day = keyText(10)
const kind = z.enum(Object.keys(orderKinds) as [OrderKind, ...OrderKind[]])
/** Whole days, both ends included; `mid` 0 is outside any mall. */
const filters = {
  from: day,
  to: day,
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  kind: kind.optional(),
}
const money = guarded('stat.amount_cents', cents)
const counted = z.object({ count: z.int(), cents: money })
const keyed = <K extends string, T extends z.ZodType>(of: Readonly<Record<K, unknown>>, one: T) =>
  z.object(Object.fromEntries(Object.keys(of).map(key => [key, one])) as Record<K, T>)
const figures = z.object({
  gmv_cents: money,
  verified_cents: money,
  refunded_cents: money,
  new_members: z.int().nullable(),
  paid_orders: z.int(),
  verified_count: z.int(),
  refunded_count: z.int(),
  refund_rate_bp: z.int().nullable(),
})

export const dataIndex = {
  overview: read('system/dataIndex/overview', ['经营数据总览', 'Operations overview'], {
    input: z.object({
      ...filters,
      compare: z.enum(Object.keys(compareModes) as [CompareMode, ...CompareMode[]]).default('none'),
    }),
    output: z.object({
      /** Orders placed in the period by what they are now; the six parts add up to the total. */
      orders: z.object({
        total: counted,
        ...keyed<OrderBucket, typeof counted>(orderBuckets, counted).shape,
      }),
      /**
       * Null where the filters leave nothing to tell: withdrawals are of merchants, not of kinds of
       * order or malls.
       */
      money: keyed<MoneyFigure, z.ZodNullable<typeof counted>>(moneyFigures, counted.nullable()),
      flows: figures,
      compared: figures.extend({ from: day, to: day }).nullable(),
      /**
       * How many of the period's days before today were counted at night, and when the oldest was.
       */
      snapshot: z.object({ days: z.int(), expected: z.int(), oldest_at: unix.nullable() }),
      computed_at: unix,
    }),
    touches: ['order', 'stat'],
    scope: placed('order'),
    permit: 'system.dataIndex.view',
  }),
  trend: read('system/dataIndex/trend', ['经营趋势', 'Trends'], {
    input: z.object({
      ...filters,
      compare: z.enum(Object.keys(compareModes) as [CompareMode, ...CompareMode[]]).default('none'),
    }),
    output: z.object({
      days: z.array(
        z.object({
          date: day,
          gmv_cents: money,
          verified_cents: money,
          refunded_cents: money,
          new_members: z.int(),
          refund_rate_bp: z.int().nullable(),
        }),
      ),
      compared: z.array(z.object({ date: day, gmv_cents: money })),
      kinds: z.array(z.object({ kind, gmv_cents: money, paid_orders: z.int() })),
    }),
    touches: ['order', 'stat'],
    scope: placed('order'),
    permit: 'system.dataIndex.view',
  }),
  ranking: read('system/dataIndex/ranking', ['经营排行', 'Rankings'], {
    input: z.object({ ...filters, by: z.enum(['city', 'mall', 'store']).default('city') }),
    output: z.object({
      list: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          gmv_cents: money,
          paid_orders: z.int(),
          share_bp: z.int().nullable(),
        }),
      ),
    }),
    touches: ['order', 'stat'],
    scope: placed('order'),
    permit: 'system.dataIndex.view',
  }),
  drill: read('system/dataIndex/drill', ['数据明细', 'Rows behind a number'], {
    input: z.object({ ...filters, metric: z.enum(metrics), ...page }),
    output: listOf(
      z.object({
        id,
        no: z.string(),
        title: z.string(),
        state: z.string(),
        city_name: z.string(),
        mall_name: z.string(),
        cents: money,
        at: unix.nullable(),
      }),
    ).extend({ cents: money }),
    touches: ['order', 'stat'],
    scope: placed('order'),
    permit: 'system.dataIndex.view',
  }),
  recompute: write('system/dataIndex/recompute', ['重算当日数据', 'Count a day again'], {
    input: z.object({ date: day, reason: lines(255, 2) }),
    output: z.object({ date: day, gmv_cents: money, computed_at: unix }),
    touches: ['stat'],
    scope: 'all',
    permit: 'system.dataIndex.recompute',
  }),
  export: write('system/dataIndex/export', ['导出数据总览', 'Export the overview'], {
    input: z.object({ ...filters, ...exportFile() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('order'),
    permit: 'system.dataIndex.export',
  }),
}
