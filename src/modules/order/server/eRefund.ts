import { and, asc, count, desc, eq, ilike, sql } from 'drizzle-orm'
import { needReason } from '#src/areas/afterSalePolicy/reasons.server.ts'
import { merchant, return_address } from '#src/areas/merchant/merchant.table.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import {
  postedKinds,
  refundReasons,
  refundRejects,
  refundStates,
  refundTypes,
  type PostedKind,
} from '#src/areas/refund/refund.ts'
import * as cases from '#src/areas/refund/refundCases.server.ts'
import * as returns from '#src/areas/refund/refundReturns.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { couriersOn, parcelBy } from '#src/areas/shipping/shipping.server.ts'
import { clause, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, counting, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import { defineExport, EXPORT_MAX_ROWS, startExport } from '#src/server/exports/exports.ts'
import { eRefund } from '../contract/eRefund.ts'
import {
  actOn,
  caseFilterNames,
  caseFiltersText,
  caseSorts,
  casesOf,
  caseTabs,
  caseWhere,
  readCase,
  wordOf,
  type CaseFilters,
  type CaseTab,
} from './cases.ts'
import { fileOf } from './eRefundFile.ts'
import { rowsOf } from './eRefundRows.ts'

const t = refund
type Acted = Parameters<typeof actOn>[3]
const act = (
  context: WriteContext,
  one: { id: number; version: number },
  run: Acted['run'],
  more?: Omit<Acted, 'run'>,
) => actOn('posted', context, one, { run, ...more })

export const eRefundServer = implement(eRefund, {
  lst: async ({ page, pageSize, sort, state, kind, ...filters }, { db, staff, now }) => {
    const where = caseWhere(kind, state, filters, { staff, now })
    const decided = state === 'done' || state === 'rejected' || state === 'closed'
    // What is decided has no deadline any more: the newest first.
    const by = decided && sort === 'deadline' ? t.updated_at : caseSorts[sort]
    const rows = await pageOf(db, t, {
      where,
      by,
      down: decided || sort !== 'deadline',
      page,
      pageSize,
      reader: `${staff.id}|eRefund|${kind}|${state}|${JSON.stringify(filters)}`,
    })
    return listed({ page, pageSize }, rows, rowsOf(db, rows, now), () => countOf(db, t, where))
  },
  kinds: async (_, { db, staff, now }) =>
    (
      await db.execute<Record<PostedKind, number>>(
        sql`select ${sql.join(
          postedKinds.map(
            kind =>
              sql`least(${counting(t, caseWhere(kind, 'open', {}, { staff, now }))}, 10000) as ${sql.identifier(kind)}`,
          ),
          sql`, `,
        )}`,
      )
    ).rows[0]!,
  counts: async ({ kind, ...filters }, { db, staff, now }) =>
    (
      await db.execute<Record<string, number>>(
        sql`select ${sql.join(
          caseTabs.map(
            tab =>
              sql`least(${counting(t, caseWhere(kind, tab, filters, { staff, now }))}, 10000) as ${sql.identifier(tab)}`,
          ),
          sql`, `,
        )}`,
      )
    ).rows[0]!,
  detail: async ({ id }, { db, staff, now }) =>
    fileOf(db, await readCase(db, 'posted', id, staff), staff, now),
  merchants: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(
      sql`${merchant.id} in (select ${t.merchant_id} from ${t} where ${casesOf('posted', staff)})`,
      keyword ? ilike(merchant.name, like(keyword)) : undefined,
    )
    const [counted] = await db.select({ total: count() }).from(merchant).where(where)
    return {
      list: await db
        .select({ id: merchant.id, name: merchant.name })
        .from(merchant)
        .where(where)
        .orderBy(asc(merchant.name), asc(merchant.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      total: counted!.total,
    }
  },
  addresses: async ({ refund_id, keyword, page, pageSize }, { db, staff }) => {
    const row = await readCase(db, 'posted', refund_id, staff)
    const name = sql<string>`${return_address.area} || ' ' || ${return_address.address} || ' · ' || ${return_address.name}`
    const where = and(
      eq(return_address.merchant_id, row.merchant_id),
      eq(return_address.status, 'on'),
      keyword ? ilike(name, like(keyword)) : undefined,
    )
    const [counted] = await db.select({ total: count() }).from(return_address).where(where)
    return {
      list: await db
        .select({ id: return_address.id, name })
        .from(return_address)
        .where(where)
        .orderBy(desc(return_address.is_default), asc(return_address.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      total: counted!.total,
    }
  },
  couriers: async ({ keyword, page, pageSize }, { db }) => {
    const where = and(
      eq(courier.status, 'on'),
      keyword
        ? sql`(${courier.name} ilike ${like(keyword)} or ${courier.code} ilike ${like(keyword)})`
        : undefined,
    )
    const [counted] = await db.select({ total: count() }).from(courier).where(where)
    return {
      list: await db
        .select({ id: courier.id, name: courier.name, sample: courier.sample })
        .from(courier)
        .where(where)
        .orderBy(desc(courier.is_default), asc(courier.sort), asc(courier.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      total: counted!.total,
    }
  },

  claim: (one, context) => act(context, one, of => cases.claimRefund(context.tx, of)),
  approve: (one, context) => act(context, one, of => cases.approveRefund(context.tx, of)),
  approveReturn: ({ address_id, ...one }, context) =>
    act(context, one, of =>
      returns.approveReturn(context.tx, { ...of, return_address_id: address_id }),
    ),
  reject: async ({ reason_code, reason, images, ...one }, context) => {
    const pictures = images?.length ?? 0
    await needReason(context.tx, context.staff, { type: 'reject', code: reason_code, pictures })
    return act(
      context,
      one,
      of =>
        cases.rejectRefund(context.tx, {
          ...of,
          reason_code,
          reason,
          images,
          name: context.staff.name,
        }),
      { reason },
    )
  },
  confirmReceive: ({ condition, ...one }, context) =>
    act(context, one, of => returns.confirmReturn(context.tx, { ...of, condition })),
  refuseReceive: ({ reason, images, ...one }, context) =>
    act(
      context,
      one,
      of =>
        cases.rejectRefund(context.tx, {
          ...of,
          verb: 'refuseReceive',
          reason_code: 'used',
          reason,
          images,
          name: context.staff.name,
        }),
      { reason },
    ),
  changeAmount: ({ amount_cents, reason, consent, images, ...one }, context) =>
    act(
      context,
      one,
      of =>
        cases.changeAmount(context.tx, {
          ...of,
          amount_cents,
          consent: { name: context.staff.name, text: consent, images },
        }),
      { reason, after: { consent } },
    ),
  secondApprove: (one, context) => act(context, one, of => cases.secondApprove(context.tx, of)),
  secondReject: ({ reason, ...one }, context) =>
    act(context, one, of => cases.secondReject(context.tx, { ...of, reason }), { reason }),
  retryPay: (one, context) => act(context, one, of => cases.retryPay(context.tx, of)),
  intervene: ({ reason, ...one }, context) =>
    act(context, one, of => cases.intervene(context.tx, { ...of, reason }), { reason }),
  remark: ({ text, ...one }, context) =>
    act(context, one, of => cases.remarkOn(context.tx, { ...of, text }), { after: { note: text } }),
  batchApprove: ({ cases: many }, context) => {
    const read = new Map(many.map(one => [one.id, one.version]))
    return eachRow(context, [...read.keys()], (row, id) =>
      act(row, { id, version: read.get(id)! }, of =>
        cases.approveRefund(row.tx, { ...of, batch: true }),
      ),
    )
  },
  fillReturnTracking: async ({ courier_id, tracking_no, ...one }, context) => {
    const parcel = parcelBy(tracking_no, { id: courier_id }, await couriersOn(context.tx))
    if ('fault' in parcel) throw ruled('tracking', parcel.fault)
    return act(context, one, of =>
      returns.returnTracking(context.tx, {
        ...of,
        courier: parcel.courier.code,
        tracking_no: parcel.tracking_no,
      }),
    )
  },
  offlinePay: ({ account, proof, reason, ...one }, context) =>
    act(context, one, of => cases.offlinePay(context.tx, { ...of, account, proof, reason }), {
      reason,
    }),
  extendDeadline: ({ hours, reason, ...one }, context) =>
    act(context, one, of => cases.extendDeadline(context.tx, { ...of, hours, reason }), { reason }),
  reply: ({ text, images, ...one }, context) =>
    act(
      context,
      one,
      of => cases.replyTo(context.tx, { ...of, name: context.staff.name, text, images }),
      { after: { reply: text } },
    ),
  close: ({ reason, ...one }, context) =>
    act(context, one, of => cases.closeRefund(context.tx, { ...of, reason }), { reason }),
  export: async ({ format, columns, ...filters }, context) => {
    const { state, kind, ...rest } = filters
    return startExport(context, {
      page: 'order.eRefund',
      filters,
      filters_text: [
        ...(kind === 'elist' ? [] : [say(orderKinds[kind], context.staff.lang)]),
        await caseFiltersText(context.tx, { ...rest, state }, context.staff.lang),
      ].join(say(clause, context.staff.lang)),
      rows_expected: await exactCount(
        context.tx,
        t,
        caseWhere(kind, state, rest, context),
        EXPORT_MAX_ROWS + 1,
      ),
      format,
      columns,
    })
  },
})

defineExport('order.eRefund', {
  title: ['电商售后单', 'E-commerce after-sales'],
  permit: 'order.eRefund.export',
  filters: () =>
    Object.fromEntries(
      Object.entries({ ...caseFilterNames, kind: ['订单类型', 'Kind of order'] as const }).map(
        ([key, title]) => [key, { title }],
      ),
    ),
  columns: [
    { key: 'refund_no', title: ['售后单号', 'Case'] },
    { key: 'order_no', title: ['订单号', 'Order'] },
    { key: 'title', title: ['商品', 'Item'] },
    { key: 'qty', title: ['数量', 'Qty'], kind: 'number' },
    { key: 'type', title: ['类型', 'Type'] },
    { key: 'reason_code', title: ['原因', 'Reason'] },
    { key: 'reason', title: ['说明', 'In words'] },
    { key: 'amount_cents', title: ['退款金额', 'Amount'], kind: 'money' },
    { key: 'cap_cents', title: ['可退上限', 'Max. refund'], kind: 'money' },
    { key: 'state', title: ['阶段', 'Stage'] },
    { key: 'merchant_name', title: ['商户', 'Merchant'] },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'opinion', title: ['商户意见', 'The merchant'] },
    { key: 'created_at', title: ['申请时间', 'Applied'], kind: 'time' },
    { key: 'deadline_at', title: ['时限', 'Due'], kind: 'time' },
    { key: 'first_name', title: ['初审人', 'First'] },
    { key: 'second_name', title: ['复核人', 'Second'] },
    { key: 'reject_code', title: ['拒绝原因', 'Why refused'] },
    { key: 'reject_reason', title: ['拒绝说明', 'Refused in words'] },
    { key: 'fail_text', title: ['打款失败', 'Payment failed'] },
    { key: 'done_at', title: ['完成时间', 'Done'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const {
      state,
      kind = 'elist',
      ...rest
    } = filters as CaseFilters & { state: CaseTab; kind?: PostedKind }
    const rows = await db
      .select()
      .from(t)
      .where(
        and(
          caseWhere(kind, state, rest, { staff, now }),
          after === undefined ? undefined : sql`${t.id} > ${after}`,
        ),
      )
      .orderBy(asc(t.id))
      .limit(limit)
    const { lang } = staff
    return {
      rows: (await rowsOf(db, rows, now)).map(row => ({
        ...row,
        type: say(refundTypes[row.type], lang),
        state: say(refundStates[row.state], lang),
        reason_code: wordOf(refundReasons, row.reason_code, lang),
        reject_code: wordOf(refundRejects, row.reject_code, lang),
        fail_text: wordOf(payFaults, row.fail_code, lang),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)?.id,
    }
  },
})
