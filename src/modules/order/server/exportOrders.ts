import { type SQL, and, sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import {
  type OrderKind,
  type OrderStatus,
  goodsStages,
  orderKinds,
  orderStatuses,
  statusWords,
} from '#src/areas/order/order.ts'
import { clause, say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import { strictest } from '#src/server/call/fields.ts'
import type { Db } from '#src/server/call/implement.ts'
import { exactCount } from '#src/server/db/paging.ts'
import { EXPORT_MAX_ROWS, type ExportColumn, defineExport } from '#src/server/exports/exports.ts'
import { listKey, type OrderPage, quickFilters } from '../contract/shared.ts'
import { type OrderFilters, foundWhere, orderWhere, searched } from './where.ts'

/** The name of the tab that a list stands on. */
const tabText = ({ stage, status }: Pick<OrderFilters, 'stage' | 'status'>, lang: Lang): string => {
  if (stage && stage !== 'all') return say(goodsStages[stage], lang)
  return status && status !== 'all' ? say(orderStatuses[status], lang) : say(['全部', 'All'], lang)
}
/** The filters of a list in words, as its export tells them. */
export const filtersText = (
  { status, stage, quick, q, from, to }: OrderFilters,
  lang: Lang,
): string =>
  [
    tabText({ stage, status }, lang),
    quick && say(quickFilters[quick], lang),
    q,
    from && `≥ ${timeFull(from)}`,
    to && `< ${timeFull(to)}`,
  ]
    .filter(Boolean)
    .join(say(clause, lang))
/**
 * A column of an export of orders, and what it is of the order `o`, its buyer `m`, its lines `l`,
 * its codes `k` and the place it was bought at.
 */
type OrderColumn = ExportColumn & {
  of: SQL
  /** What the values are called. */
  words?: Readonly<Record<string, Text>>
}
// The list says it so: a visitor's own phone is a field of its own.
const buyerPhone = sql`coalesce(m.phone, case when o.kind <> 'visitor' then o.visitor_phone end, o.receiver->>'phone')`
const orderColumns: readonly OrderColumn[] = [
  { key: 'order_no', title: ['订单号', 'Order no.'], of: sql`o.order_no` },
  { key: 'kind', title: ['类型', 'Kind'], of: sql`o.kind`, words: orderKinds },
  {
    key: 'status',
    title: ['状态', 'Status'],
    of: sql`case when o.status = 'pending_payment' and o.balance_due then 'balance_due' else o.status end`,
  },
  { key: 'member_name', title: ['会员', 'Member'], of: sql`m.nickname` },
  { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone', of: buyerPhone },
  { key: 'title', title: ['商品', 'Product'], of: sql`l.title` },
  { key: 'qty', title: ['数量', 'Quantity'], kind: 'number', of: sql`coalesce(l.qty, 0)` },
  { key: 'store_name', title: ['门店', 'Store'], of: sql`s.name` },
  { key: 'merchant_name', title: ['商户', 'Merchant'], of: sql`g.name` },
  { key: 'mall_name', title: ['商场', 'Mall'], of: sql`a.name` },
  { key: 'city_name', title: ['城市', 'City'], of: sql`c.city_name` },
  { key: 'pay_cents', title: ['应付', 'Due'], kind: 'money', of: sql`o.pay_cents` },
  { key: 'paid_cents', title: ['实付', 'Paid'], kind: 'money', of: sql`o.paid_cents` },
  {
    key: 'platform_discount_cents',
    title: ['平台优惠', 'Platform discount'],
    kind: 'money',
    of: sql`o.platform_discount_cents`,
  },
  { key: 'refunded_cents', title: ['已退', 'Refunded'], kind: 'money', of: sql`o.refunded_cents` },
  { key: 'used', title: ['已用', 'Used'], kind: 'number', of: sql`coalesce(k.used, 0)` },
  {
    key: 'refunded',
    title: ['退回件数', 'Units refunded'],
    kind: 'number',
    of: sql`coalesce(k.refunded, 0) + coalesce(l.refunded, 0)`,
  },
  { key: 'created_at', title: ['下单时间', 'Placed'], kind: 'time', of: sql`o.created_at` },
  { key: 'paid_at', title: ['支付时间', 'Paid at'], kind: 'time', of: sql`o.paid_at` },
  { key: 'valid_until', title: ['有效期至', 'Valid until'], kind: 'time', of: sql`o.valid_until` },
  { key: 'remark', title: ['买家留言', 'Buyer’s note'], of: sql`o.remark` },
]
/**
 * Orders that were found, how far they have been read, and the last order there was when the first
 * was read: what is placed while the file grows is not in it, even where no snapshot keeps it out.
 */
type Keys = { ids: readonly number[]; at: number; most: number }
/**
 * Batches whose orders are found together: what a filter costs is then paid once for many rows,
 * whatever plan it is answered by.
 */
const KEYS_OF = 20
const keysFrom = async (
  db: Db,
  where: () => Promise<SQL | undefined>,
  from: Keys | undefined,
  limit: number,
): Promise<Keys> => {
  if (from && from.at < from.ids.length) return from
  const most =
    from?.most ??
    (
      await db.execute<{ most: number }>(
        sql`select coalesce(max(${order.id}), 0)::int most from ${order}`,
      )
    ).rows[0]!.most
  const { rows } = await db.execute<{ id: number }>(
    sql`select ${order.id} from ${order} where ${and(await where(), sql`${order.id} > ${from?.ids.at(-1) ?? 0} and ${order.id} <= ${most}`)} order by ${order.id} limit ${limit * KEYS_OF}`,
  )
  return { ids: rows.map(row => row.id), at: 0, most }
}

/** What the column of statuses calls its values: a kind may have words of its own. */
const statusNames = (kinds: readonly OrderKind[]): Readonly<Record<string, Text>> => {
  const kind = kinds.length === 1 ? { kind: kinds[0]! } : {}
  return {
    ...Object.fromEntries(
      (Object.keys(orderStatuses) as OrderStatus[]).map(status => [
        status,
        statusWords({ status, ...kind }),
      ]),
    ),
    balance_due: statusWords({ status: 'pending_payment', balance_due: true }),
  }
}
/** Reads some columns of some orders. A number of 64 bits would arrive as text, so it is cast. */
const readColumns = async (
  db: Db,
  columns: readonly OrderColumn[],
  ids: readonly number[],
): Promise<Record<string, unknown>[]> => {
  const select = ({ key, kind, of }: OrderColumn) =>
    sql`${kind === undefined ? of : sql`(${of})::float8`} as ${sql.identifier(key)}`
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    select ${sql.join(columns.map(select), sql`, `)} from ${order} o
    join store s on s.id = o.store_id join merchant g on g.id = s.merchant_id join city c on c.id = s.city_id left join mall a on a.id = s.mall_id left join member m on m.id = o.member_id
    left join lateral (select (array_agg(i.title order by i.id))[1] as title, sum(i.qty) as qty, sum(i.refunded_qty) filter (where i.fulfil not in ('code', 'pickup')) as refunded from order_item i where i.order_id = o.id) l on true
    left join lateral (select sum(d.times_used) as used, sum(d.times_refunded) as refunded from order_code d where d.order_id = o.id and d.state <> 'void') k on true
    where o.id = any(${`{${ids.join()}}`}::int[]) order by o.id`)
  return rows
}
/** Says the values of columns that have words, in the reader's language. */
const sayValues = (
  rows: readonly Record<string, unknown>[],
  columns: readonly OrderColumn[],
  lang: Lang,
): void => {
  const named = columns.filter(column => column.words)
  for (const row of rows)
    for (const { key, words } of named) {
      const word = words![row[key] as string]
      row[key] = word && say(word, lang)
    }
}
/**
 * Defines the export of a list: what its rows show and in the same words, in the order of their ids, a
 * batch in one query of its own columns alone. What the reader may not have is not read.
 */
export const exportOrders = (
  page: OrderPage,
  kinds: readonly OrderKind[],
  title: Text,
  more: readonly OrderColumn[] = [],
): void => {
  const words = statusNames(kinds)
  const columns = [
    ...orderColumns.map(column => (column.key === 'status' ? { ...column, words } : column)),
    ...more,
  ]
  defineExport(listKey(page), {
    title,
    permit: `${listKey(page)}.export`,
    columns,
    batch: 2000,
    count: async ({ db, staff, filters }) => {
      const now = unixNow()
      const where = orderWhere(kinds, await searched(db, kinds, filters, now), staff, now)
      return exactCount(db, order, where, EXPORT_MAX_ROWS)
    },
    rows: async ({ db, staff, filters, now, after, limit }) => {
      const where = async () =>
        foundWhere(kinds, await searched(db, kinds, filters, now), staff, now)
      const { ids, at, most } = await keysFrom(db, where, after as Keys | undefined, limit)
      const here = ids.slice(at, at + limit)
      const read = columns.filter(
        column => staff.field(strictest([column.field ?? []].flat(), staff) ?? '') !== 'hide',
      )
      const rows = await readColumns(db, read, here)
      sayValues(rows, columns, staff.lang)
      return {
        rows,
        next: here.length < limit ? undefined : ({ ids, at: at + limit, most } satisfies Keys),
      }
    },
  })
}
