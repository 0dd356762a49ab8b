import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { reportCashOut, reverseBill } from '#src/areas/code/bills.server.ts'
import { verify_record } from '#src/areas/code/code.table.ts'
import { reverseRedemption, type Redemption } from '#src/areas/code/redemption.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { settleStates, type OrderKind, type SettleState } from '#src/areas/order/order.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { clause, comma, say, type Lang } from '#src/domain/text.ts'
import { DAY, HOUR, timeFull } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { changedBy } from '#src/server/call/versions.ts'
import { countOf, counting, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import { defineExport, EXPORT_MAX_ROWS, startExport } from '#src/server/exports/exports.ts'
import {
  bulksVerify,
  rollBuyVerify,
  verifyFlags,
  verifyWays,
  voucherVerify,
  type VerifyCalls,
  type VerifyPage,
} from '../contract/verify.ts'
import { clerksOf, storesOf } from './verifyFinds.ts'
import { rowsOf, sumsOf } from './verifyRows.ts'
import { dayOf, foundWhere, recordWhere, type Filters } from './verifyWhere.ts'

const kindOf: Readonly<Record<VerifyPage, OrderKind>> = {
  bulks: 'bulks',
  voucher: 'voucher',
  rollBuy: 'roll_buy',
}
const r = verify_record
const logged = (one: Pick<Redemption, 'id'>, order_no: string) => ({
  object_type: 'verify_record',
  object_id: one.id,
  object_label: order_no,
})
const labelOf = async (tx: Db, id: number): Promise<string> =>
  (await tx.execute<{ order_no: string }>(sql`select order_no from "order" where id = ${id}`))
    .rows[0]!.order_no
/** A redemption of this kind within the reader's scope, or "not found". */
const findRecord = async (
  db: Db,
  kind: OrderKind,
  id: number,
  staff: Pick<Staff, 'scope'>,
): Promise<Redemption> => {
  const [one] = await db
    .select()
    .from(r)
    .where(
      and(
        eq(r.id, id),
        eq(r.kind, kind),
        within(staff.scope, { city: r.city_id, mall: r.mall_id }),
      ),
    )
  if (!one) throw missing()
  return one
}
const changedMeanwhile = async (tx: Db, one: Redemption) =>
  conflict(
    ['核销记录刚刚有变化，请按最新内容操作', 'It has just changed: act on what it is now'],
    {},
    (await rowsOf(tx, [one]))[0],
    await changedBy(tx, 'verify_record', one.id),
  )
/** Takes one back, as it was read by whoever asks. */
const reverseOne = async (
  { tx, staff, now, log }: WriteContext,
  one: Redemption,
  reason: string,
): Promise<Redemption> => {
  const after = await reverseRedemption(tx, {
    record_id: one.id,
    by: { admin_id: staff.id },
    reason,
    now,
  })
  log({
    ...logged(one, await labelOf(tx, one.order_id)),
    before: { state: one.state, settle_cents: one.settle_cents },
    after: { state: after.state },
    reason,
  })
  return after
}
/** Marks a redemption as abnormal for a reason; without one the mark is taken away. */
const mark = async (
  { tx, staff, now, log }: WriteContext,
  kind: OrderKind,
  { id, version }: { id: number; version: number },
  reason: string | null,
) => {
  const abnormal = reason !== null
  const one = await findRecord(tx, kind, id, staff)
  if (one.abnormal === abnormal)
    throw ruled(
      'no_change',
      abnormal ? ['已标记为异常', 'Already marked'] : ['没有异常标记', 'Not marked'],
    )
  const [after] = await tx
    .update(r)
    .set({ abnormal, abnormal_reason: reason, version: sql`${r.version} + 1`, updated_at: now })
    .where(and(eq(r.id, id), eq(r.version, version), eq(r.abnormal, !abnormal)))
    .returning()
  if (!after) throw await changedMeanwhile(tx, await findRecord(tx, kind, id, staff))
  log({
    ...logged(one, await labelOf(tx, one.order_id)),
    before: { abnormal: one.abnormal },
    after: { abnormal },
    ...(reason && { reason }),
  })
  return { id, version: after.version }
}

/** The bills that vouchers were given on, each once, and what they came to. */
const billsOf = async (db: Db, where: SQL | undefined) => {
  const { rows } = await db.execute<{ n: number; cents: string }>(
    sql`select count(*)::int n, coalesce(sum(b.cents), 0) cents from (select max(${r.bill_cents}) cents from ${r} where ${and(where, eq(r.state, 'valid'), sql`${r.bill_cents} is not null`)} group by ${r.store_id}, coalesce(${r.bill_no}, ${r.id}::text), ${dayOf(sql`${r.verified_at}`)}) b`,
  )
  const { n, cents } = rows[0]!
  return { n, cents: Number(cents) }
}
/** The handlers that every list of redemptions has. */
const verifyHandlers = (page: VerifyPage) => {
  const kind = kindOf[page]
  return {
    lst: async ({ page: at, pageSize, ...filters }, { db, staff, now }) => {
      const where = recordWhere(kind, filters, staff, now)
      const rows = await pageOf(db, r, {
        where,
        by: r.verified_at,
        down: true,
        page: at,
        pageSize,
        reader: `verify.${page}|${staff.id}|${JSON.stringify(filters)}`,
      })
      return listed({ page: at, pageSize }, rows, rowsOf(db, rows), () => countOf(db, r, where))
    },
    counts: async (filters, { db, staff, now }) => {
      const tabs = ['all', ...Object.keys(settleStates)] as ('all' | SettleState)[]
      const { rows } = await db.execute<Record<string, number>>(
        sql`select ${sql.join(
          tabs.map(
            settle =>
              sql`${counting(r, recordWhere(kind, { ...filters, settle }, staff, now))} as ${sql.identifier(settle)}`,
          ),
          sql`, `,
        )}`,
      )
      return Object.fromEntries(Object.entries(rows[0]!).map(([key, n]) => [key, Number(n)]))
    },
    sums: async (filters, { db, staff, now }) => {
      const where = recordWhere(kind, filters, staff, now)
      const bills = kind === 'voucher' ? await billsOf(db, where) : null
      return { ...(await sumsOf(db, where)), bills }
    },
    stores: storesOf,
    clerks: clerksOf,
    reverse: async ({ id, version, reason }, context) => {
      const one = await findRecord(context.tx, kind, id, context.staff)
      await holdOrder(context.tx, one.order_id)
      const held = await findRecord(context.tx, kind, id, context.staff)
      if (held.version !== version) throw await changedMeanwhile(context.tx, held)
      const after = await reverseOne(context, held, reason)
      return { id, version: after.version }
    },
    batchReverse: async ({ ids, reason }, context) => {
      // Their orders are held first, in the order in which everybody holds several.
      const known = await context.tx
        .selectDistinct({ order_id: r.order_id })
        .from(r)
        .where(
          and(
            inArray(r.id, ids),
            eq(r.kind, kind),
            within(context.staff.scope, { city: r.city_id, mall: r.mall_id }),
          ),
        )
        .orderBy(r.order_id)
      for (const { order_id } of known) await holdOrder(context.tx, order_id)
      return eachRow(context, ids, async (each, id) =>
        reverseOne(each, await findRecord(each.tx, kind, id, each.staff), reason),
      )
    },
    markAbnormal: ({ reason, ...one }, context) => mark(context, kind, one, reason),
    clearAbnormal: (one, context) => mark(context, kind, one, null),
    export: async ({ format, columns, ...filters }, context) => {
      const rows_expected = await exactCount(
        context.tx,
        r,
        recordWhere(kind, filters, context.staff, context.now),
        EXPORT_MAX_ROWS,
      )
      return startExport(context, {
        page: `order.${page}.verify`,
        filters,
        filters_text: filtersText(filters, context.staff.lang),
        rows_expected,
        format,
        columns,
      })
    },
  } satisfies { [K in keyof VerifyCalls]: Handler<VerifyCalls[K]> }
}
const filtersText = ({ settle, flag, way, q, from, to }: Filters, lang: Lang): string =>
  [
    settle && settle !== 'all' ? say(settleStates[settle], lang) : say(['全部', 'All'], lang),
    flag && say(verifyFlags[flag], lang),
    way && say(verifyWays[way], lang),
    q,
    from && `≥ ${timeFull(from)}`,
    to && `< ${timeFull(to)}`,
  ]
    .filter(Boolean)
    .join(say(clause, lang))

/** What only the redemptions of one kind have. */
const ownColumns = {
  bulks: [],
  voucher: [
    { key: 'bill_no', title: ['账单号', 'Bill no.'] },
    { key: 'bill_cents', title: ['账单金额', 'Bill'], kind: 'money' },
    { key: 'face_cents', title: ['面值合计', 'Total face value'], kind: 'money' },
  ],
  rollBuy: [
    { key: 'group_no', title: ['团号', 'Group no.'] },
    { key: 'single_cents', title: ['单买价', 'Solo price'], kind: 'money' },
  ],
} as const
const nowS = () => Math.floor(Date.now() / 1000)
for (const [page, title] of [
  ['bulks', ['团购核销记录', 'Group-buy redemptions']],
  ['voucher', ['代金券核销记录', 'Voucher redemptions']],
  ['rollBuy', ['拼团核销记录', 'Multi-person redemptions']],
] as const) {
  const kind = kindOf[page]
  defineExport(`order.${page}.verify`, {
    title,
    permit: `order.${page}.verify.export`,
    columns: [
      { key: 'verified_at', title: ['核销时间', 'Redeemed'], kind: 'time' },
      { key: 'order_no', title: ['订单号', 'Order no.'] },
      { key: 'code', title: ['券码', 'Code'], field: 'order.code' },
      { key: 'title', title: ['商品', 'Product'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'by', title: ['核销人', 'By'] },
      { key: 'way', title: ['方式', 'How'] },
      { key: 'times', title: ['次数', 'Uses'], kind: 'number' },
      { key: 'pay_cents', title: ['实付分摊', 'Share'], kind: 'money' },
      { key: 'platform_cents', title: ['平台分摊', 'Platform share'], kind: 'money' },
      {
        key: 'commission_cents',
        title: ['佣金', 'Commission'],
        kind: 'money',
        field: 'product.commission_bp',
      },
      {
        key: 'settle_cents',
        title: ['结算', 'Settled'],
        kind: 'money',
        field: ['product.settle_price_cents', 'product.commission_bp'],
      },
      { key: 'settle_state', title: ['结算状态', 'Settlement'] },
      { key: 'distance_m', title: ['距离（米）', 'Distance (m)'], kind: 'number' },
      { key: 'flags', title: ['提示', 'Flags'] },
      { key: 'reversed_at', title: ['撤销时间', 'Reversed'], kind: 'time' },
      { key: 'reverse_reason', title: ['撤销原因', 'Why'] },
      ...ownColumns[page],
    ],
    count: ({ db, staff, filters }) =>
      exactCount(db, r, recordWhere(kind, filters, staff, nowS()), EXPORT_MAX_ROWS),
    rows: async ({ db, staff, filters, after, limit }) => {
      const rows = await db
        .select()
        .from(r)
        .where(
          and(
            foundWhere(kind, filters, staff),
            after === undefined ? undefined : sql`${r.id} > ${after}`,
          ),
        )
        .orderBy(r.id)
        .limit(limit)
      return {
        rows: (await rowsOf(db, rows)).map(row => ({
          ...row,
          way: say(verifyWays[row.way], staff.lang),
          settle_state: say(settleStates[row.settle_state], staff.lang),
          flags: row.flags
            .map(flag => say(verifyFlags[flag], staff.lang))
            .join(say(comma, staff.lang)),
          bill_no: row.bill?.no,
          bill_cents: row.bill?.cents,
          face_cents: row.bill?.face_cents,
          group_no: row.group?.no,
          single_cents: row.group?.single_cents,
        })),
        next: rows.length < limit ? undefined : rows.at(-1)!.id,
      }
    },
  })
}

export const bulksVerifyServer = implement(bulksVerify, {
  ...verifyHandlers('bulks'),
  dayReport: async ({ store_id, date }, { db, staff }) => {
    const [shop] = await db
      .select({ name: store.name })
      .from(store)
      .where(
        and(
          eq(store.id, store_id),
          within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        ),
      )
    const from = momentNamed(date)
    if (!shop) throw missing()
    if (from === undefined)
      throw invalid({
        date: say(
          ['没有这一天，请按 2026-11-20 填写', 'There is no such day: write 2026-11-20'],
          staff.lang,
        ),
      })
    const where = and(
      eq(r.kind, 'bulks'),
      eq(r.store_id, store_id),
      sql`${r.verified_at} >= ${from} and ${r.verified_at} < ${from + DAY}`,
    )
    const clerks = await db.execute<{ by: string | null; rows: number; cents: string }>(
      sql`select coalesce(a.name, vf.name) as by, count(*)::int as rows, sum(v.settle_cents) cents from verify_record v left join verifier vf on vf.id = v.verifier_id left join admin a on a.id = v.admin_id where v.kind = 'bulks' and v.store_id = ${store_id} and v.verified_at >= ${from} and v.verified_at < ${from + DAY} and v.state = 'valid' group by 1 order by 3 desc`,
    )
    const hours = await db.execute<{ hour: number; rows: number; cents: string }>(
      sql`select ((v.verified_at - ${from}) / ${HOUR})::int as hour, count(*)::int as rows, sum(v.settle_cents) cents from verify_record v where v.kind = 'bulks' and v.store_id = ${store_id} and v.verified_at >= ${from} and v.verified_at < ${from + DAY} and v.state = 'valid' group by 1`,
    )
    const byHour = new Map(hours.rows.map(one => [one.hour, one]))
    return {
      store_name: shop.name,
      date,
      hours: Array.from({ length: 24 }, (_, hour) => ({
        rows: byHour.get(hour)?.rows ?? 0,
        settle_cents: Number(byHour.get(hour)?.cents ?? 0),
      })),
      ...(await sumsOf(db, where)),
      clerks: clerks.rows.map(one => ({
        by: one.by ?? '',
        rows: one.rows,
        settle_cents: Number(one.cents),
      })),
    }
  },
})
export const rollBuyVerifyServer = implement(rollBuyVerify, verifyHandlers('rollBuy'))
export const voucherVerifyServer = implement(voucherVerify, {
  ...verifyHandlers('voucher'),
  reverseBill: async ({ id, reason }, { tx, staff, now, log }) => {
    const one = await findRecord(tx, 'voucher', id, staff)
    const done = await reverseBill(tx, { record: one, by: { admin_id: staff.id }, reason, now })
    log({
      ...logged(one, await labelOf(tx, one.order_id)),
      after: { bill_no: one.bill_no, reversed_n: done.length },
      reason,
    })
    return { id, reversed: done.map(each => each.id) }
  },
  reportRisk: async ({ id, reason }, { tx, staff, now, log }) => {
    const one = await findRecord(tx, 'voucher', id, staff)
    const { hit_id } = await reportCashOut(tx, {
      order_ids: [one.order_id],
      code_ids: [one.code_id],
      store_id: one.store_id,
      by: staff.name,
      reason,
      now,
    })
    log({ ...logged(one, await labelOf(tx, one.order_id)), after: { risk_hit: hit_id }, reason })
    return { id, hit_id }
  },
})
