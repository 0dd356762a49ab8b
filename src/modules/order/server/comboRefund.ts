import { and, asc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm'
import { givenAlone, needReason } from '#src/areas/afterSalePolicy/reasons.server.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { comboPolicies } from '#src/areas/combo/combo.ts'
import {
  figuresOf,
  partsOf,
  partsOfAll,
  policyAgainst,
  soldCombo,
} from '#src/areas/combo/comboParts.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { isOpen, refundReasons, refundRejects, refundStates } from '#src/areas/refund/refund.ts'
import { approvePartial } from '#src/areas/refund/refundBundle.server.ts'
import * as cases from '#src/areas/refund/refundCases.server.ts'
import { linesIn, type Refund } from '#src/areas/refund/refundFacts.server.ts'
import { payoutsOf } from '#src/areas/refund/refundPay.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import { clause, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { countOf, counting, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import {
  defineExport,
  EXPORT_MAX_ROWS,
  startExport,
  type Chosen,
} from '#src/server/exports/exports.ts'
import { comboRefund, comboStages } from '../contract/comboRefund.ts'
import {
  actOn,
  buyerOf,
  caseFilterNames,
  caseFiltersText,
  caseLook,
  caseSorts,
  caseWhere,
  namesOf,
  pastOf,
  payoutsIn,
  readCase,
  sellersOf,
  stepsOf,
  wordOf,
  type CaseFilters,
} from './cases.ts'
import { lanesOf } from './combo.ts'

const t = refund
type Filters = CaseFilters & { combo_id?: number | undefined; unused?: boolean | undefined }
type Tab = 'open' | 'mine' | (typeof comboStages)[number]
const tabs: readonly Tab[] = ['open', 'mine', ...comboStages]
/** Nothing of its order was used or sent. */
const untouched: SQL = sql`not exists (select 1 from order_item i where i.order_id = ${t.order_id} and (i.shipped_qty > 0 or exists (select 1 from order_code c where c.item_id = i.id and c.times_used > 0 and c.state <> 'void')))`
const whereOf = (
  tab: Tab,
  { combo_id, unused, ...of }: Filters & Chosen,
  staff: Staff,
  now: number,
): SQL | undefined =>
  and(
    caseWhere('bundles', tab, of, { staff, now }),
    combo_id === undefined
      ? undefined
      : sql`${t.order_id} in (select o.id from "order" o where o.combo_id = ${combo_id})`,
    unused ? untouched : undefined,
  )

/**
 * Cases as the queue shows them, with what they come to now: a few queries whatever their number.
 */
const rowsOf = async (db: Db, found: readonly Refund[], now: number) => {
  if (found.length === 0) return []
  const order_ids = [...new Set(found.map(row => row.order_id))]
  const orders = new Map(
    (
      await db
        .select({ row: order, member: member.nickname, city: city.city_name })
        .from(order)
        .leftJoin(member, eq(member.id, order.member_id))
        .leftJoin(city, eq(city.id, order.city_id))
        .where(inArray(order.id, order_ids))
    ).map(one => [one.row.id, one]),
  )
  const [parts, lines, payouts, sellers, names] = [
    await partsOfAll(db, order_ids),
    grouped(
      await db
        .select()
        .from(refund_item)
        .where(
          inArray(
            refund_item.refund_id,
            found.map(row => row.id),
          ),
        )
        .orderBy(refund_item.id),
      line => line.refund_id,
    ),
    await payoutsOf(db, found),
    await sellersOf(db, found),
    await namesOf(
      db,
      found.flatMap(row => [row.claimed_by, row.first_by, row.second_by]),
    ),
  ]
  return Promise.all(
    found.map(async row => {
      const of = orders.get(row.order_id)!
      const own = parts.get(row.order_id) ?? []
      const asked = new Set((lines.get(row.id) ?? []).map(line => line.item_id))
      const sold = await soldCombo(db, of.row, own)
      const why =
        row.policy_override || !isOpen(row.state)
          ? undefined
          : policyAgainst(sold.policy, own, asked, true)
      return {
        ...caseLook(row, { names, paid: payouts.get(row.id)!, now }),
        order_no: of.row.order_no,
        combo_id: of.row.combo_id,
        combo_name: sold.name,
        policy: sold.policy,
        override: row.policy_override,
        parts: asked.size,
        parts_all: own.length,
        parts_used: own.filter(part => part.units.used > 0).length,
        figures: figuresOf(own, row.amount_cents),
        refused: why ? ([why[0], why[1]] as [string, string]) : null,
        merchant_name: sellers.get(row.merchant_id)!,
        city_name: of.city ?? '',
        member_id: of.row.member_id,
        member_name: of.member,
        frozen: of.row.frozen,
      }
    }),
  )
}
const fileOf = async (db: Db, row: Refund, staff: Staff, now: number) => {
  const [[of], lines, payments, logs, others, [shown], parts] = await Promise.all([
    db.select().from(order).where(eq(order.id, row.order_id)),
    linesIn(db, row),
    db.select().from(payment).where(eq(payment.order_id, row.order_id)).orderBy(payment.id),
    db
      .select()
      .from(order_log)
      .where(
        and(
          eq(order_log.order_id, row.order_id),
          sql`(${order_log.data}->>'refund_id')::int = ${row.id}`,
        ),
      )
      .orderBy(order_log.id),
    db
      .select()
      .from(t)
      .where(and(eq(t.order_id, row.order_id), ne(t.id, row.id)))
      .orderBy(t.id),
    rowsOf(db, [row], now),
    partsOf(db, row.order_id),
  ])
  const lanes = await lanesOf(db, of!, parts)
  return {
    row: shown!,
    paid_cents: of!.paid_cents,
    refunded_cents: of!.refunded_cents,
    freight_cents: row.freight_cents,
    limit_cents: staff.refund_limit_cents,
    lanes: lanes.map((one, at) => {
      const mine = lines.filter(line => line.item_id === one.item_id)
      return {
        ...one,
        asked_cents: mine.reduce((all, line) => all + line.amount_cents, 0),
        asked: mine.reduce((all, line) => all + line.qty, 0),
        by_single_cents: parts[at]!.used_single_cents,
      }
    }),
    others: others.map(one => ({
      id: one.id,
      refund_no: one.refund_no,
      state: one.state,
      amount_cents: one.amount_cents,
      at: one.created_at,
    })),
    paid: payments
      .filter(one => one.direction === 'in' && one.state === 'success')
      .map(one => ({ channel: one.channel, amount_cents: one.amount_cents, at: one.success_at })),
    images: row.images,
    messages: row.messages,
    steps: stepsOf(
      row,
      logs,
      await namesOf(
        db,
        logs.map(one => (one.actor_type === 'staff' ? one.actor_id : null)),
      ),
    ),
    payouts: payoutsIn(row, payments),
    buyer: await buyerOf(db, row, now),
    past: await pastOf(db, 'bundles', row, staff),
  }
}
type Acted = Parameters<typeof actOn>[3]
const act = (
  context: Parameters<typeof actOn>[1],
  one: { id: number; version: number },
  run: Acted['run'],
  more?: Omit<Acted, 'run'>,
) => actOn('bundles', context, one, { run, ...more })
const own = {
  combo_id: { title: ['组合', 'Bundle'] as const },
  unused: { title: ['全部未使用', 'Nothing used'] as const },
}

export const comboRefundServer = implement(comboRefund, {
  lst: async ({ page, pageSize, sort, state, ...filters }, { db, staff, now }) => {
    const where = whereOf(state, filters, staff, now)
    const decided = state === 'done' || state === 'rejected' || state === 'closed'
    // What is decided has no deadline any more: the newest first.
    const by = decided && sort === 'deadline' ? t.updated_at : caseSorts[sort]
    const rows = await pageOf(db, t, {
      where,
      by,
      down: decided || sort !== 'deadline',
      page,
      pageSize,
      reader: `${staff.id}|comboRefund|${state}|${JSON.stringify(filters)}`,
    })
    return listed({ page, pageSize }, rows, rowsOf(db, rows, now), () => countOf(db, t, where))
  },
  counts: async (filters, { db, staff, now }) =>
    (
      await db.execute<Record<string, number>>(
        sql`select ${sql.join(
          tabs.map(
            tab =>
              sql`least(${counting(t, whereOf(tab, filters, staff, now))}, 10000) as ${sql.identifier(tab)}`,
          ),
          sql`, `,
        )}`,
      )
    ).rows[0]!,
  detail: async ({ id }, { db, staff, now }) =>
    fileOf(db, await readCase(db, 'bundles', id, staff), staff, now),
  claim: (one, context) => act(context, one, of => cases.claimRefund(context.tx, of)),
  approve: ({ seen, ...one }, context) =>
    act(context, one, of => cases.approveRefund(context.tx, { ...of, seen })),
  approvePartial: ({ items, override, reason, seen, ...one }, context) =>
    act(
      context,
      one,
      of => approvePartial(context.tx, { ...of, item_ids: items, override, reason, seen }),
      { reason },
    ),
  reject: async ({ reason_code, reason, ...one }, context) => {
    await needReason(context.tx, context.staff, givenAlone(reason_code))
    return act(
      context,
      one,
      of =>
        cases.rejectRefund(context.tx, { ...of, reason_code, reason, name: context.staff.name }),
      { reason },
    )
  },
  secondApprove: ({ seen, ...one }, context) =>
    act(context, one, of => cases.secondApprove(context.tx, { ...of, seen })),
  secondReject: ({ reason, ...one }, context) =>
    act(context, one, of => cases.secondReject(context.tx, { ...of, reason }), { reason }),
  retryPay: (one, context) => act(context, one, of => cases.retryPay(context.tx, of)),
  remark: ({ text, ...one }, context) =>
    act(context, one, of => cases.remarkOn(context.tx, { ...of, text }), { after: { note: text } }),
  batchApprove: ({ cases: many }, context) => {
    const read = new Map(many.map(one => [one.id, one]))
    return eachRow(context, [...read.keys()], (row, id) =>
      act(row, { id, version: read.get(id)!.version }, of =>
        cases.approveRefund(row.tx, { ...of, seen: read.get(id)!.seen, batch: true }),
      ),
    )
  },
  export: async ({ format, columns, ...filters }, context) => {
    const { state, combo_id, unused, ...rest } = filters
    const [bundle] =
      combo_id === undefined
        ? []
        : await context.tx.select({ name: combo.name }).from(combo).where(eq(combo.id, combo_id))
    const words = [
      await caseFiltersText(context.tx, { ...rest, state }, context.staff.lang),
      bundle?.name,
      unused && say(own.unused.title, context.staff.lang),
    ]
      .filter(Boolean)
      .join(say(clause, context.staff.lang))
    return startExport(context, {
      page: 'order.combo.refund',
      filters,
      filters_text: words,
      rows_expected: await exactCount(
        context.tx,
        t,
        whereOf(state, { ...rest, combo_id, unused }, context.staff, context.now),
        EXPORT_MAX_ROWS + 1,
      ),
      format,
      columns,
    })
  },
})

defineExport('order.combo.refund', {
  title: ['组合套餐退款', 'Combo refunds'],
  permit: 'order.combo.refund.export',
  filters: () =>
    Object.fromEntries(
      Object.entries({
        ...caseFilterNames,
        combo_id: own.combo_id.title,
        unused: own.unused.title,
      }).map(([key, title]) => [key, { title }]),
    ),
  columns: [
    { key: 'refund_no', title: ['退款单号', 'Case'] },
    { key: 'order_no', title: ['订单号', 'Order'] },
    { key: 'combo_name', title: ['组合', 'Bundle'] },
    { key: 'policy', title: ['退款政策', 'Policy'] },
    { key: 'override', title: ['政策例外', 'Exception'] },
    { key: 'parts', title: ['退子项数', 'Parts asked'], kind: 'number' },
    { key: 'parts_used', title: ['已用子项数', 'Parts used'], kind: 'number' },
    { key: 'parts_all', title: ['子项总数', 'Parts'], kind: 'number' },
    { key: 'amount_cents', title: ['退款金额', 'Amount'], kind: 'money' },
    { key: 'used_cents', title: ['已用分摊', 'Used, pro rata'], kind: 'money' },
    { key: 'single_cents', title: ['按单价折算', 'At single prices'], kind: 'money' },
    { key: 'state', title: ['阶段', 'Stage'] },
    { key: 'reason_code', title: ['原因', 'Reason'] },
    { key: 'reason', title: ['说明', 'In words'] },
    { key: 'opinion', title: ['门店意见', 'The stores'] },
    { key: 'merchant_name', title: ['商户', 'Merchant'] },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'created_at', title: ['申请时间', 'Applied'], kind: 'time' },
    { key: 'first_name', title: ['初审人', 'First'] },
    { key: 'second_name', title: ['复核人', 'Second'] },
    { key: 'reject_code', title: ['拒绝原因', 'Why refused'] },
    { key: 'reject_reason', title: ['拒绝说明', 'Refused in words'] },
    { key: 'fail_text', title: ['打款失败', 'Payment failed'] },
    { key: 'done_at', title: ['完成时间', 'Done'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const { state, ...rest } = filters as Filters & { state: Tab }
    const rows = await db
      .select()
      .from(t)
      .where(
        and(
          whereOf(state, rest, staff, now),
          after === undefined ? undefined : sql`${t.id} > ${after}`,
        ),
      )
      .orderBy(asc(t.id))
      .limit(limit)
    const { lang } = staff
    return {
      rows: (await rowsOf(db, rows, now)).map(row => ({
        ...row,
        ...row.figures,
        amount_cents: row.amount_cents,
        policy: say(comboPolicies[row.policy], lang),
        override: row.override ? say(['是', 'Yes'], lang) : '',
        state: say(refundStates[row.state], lang),
        reason_code: wordOf(refundReasons, row.reason_code, lang),
        reject_code: wordOf(refundRejects, row.reject_code, lang),
        fail_text: wordOf(payFaults, row.fail_code, lang),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)?.id,
    }
  },
})
