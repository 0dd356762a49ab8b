import { and, asc, count, desc, eq, gte, ilike, inArray, ne, sql } from 'drizzle-orm'
import { policiesOfItems, type Policy } from '#src/areas/afterSalePolicy/policies.server.ts'
import { policyAtFirst } from '#src/areas/afterSalePolicy/policy.ts'
import { needReason } from '#src/areas/afterSalePolicy/reasons.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant, return_address } from '#src/areas/merchant/merchant.table.ts'
import { afterSaleUntil, keptDays } from '#src/areas/order/afterSale.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import {
  offlineCan,
  pointsBack,
  postedKinds,
  refundReasons,
  refundRejects,
  refundStates,
  refundTypes,
  type PostedKind,
} from '#src/areas/refund/refund.ts'
import * as cases from '#src/areas/refund/refundCases.server.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { payoutsOf, readRefundSettings } from '#src/areas/refund/refundPay.server.ts'
import { casePolicy } from '#src/areas/refund/refundPolicy.server.ts'
import * as returns from '#src/areas/refund/refundReturns.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { couriersOn, parcelBy } from '#src/areas/shipping/shipping.server.ts'
import { newsOf } from '#src/areas/shipping/track.ts'
import { grouped } from '#src/domain/grouped.ts'
import { clause, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, counting, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import { defineExport, EXPORT_MAX_ROWS, startExport } from '#src/server/exports/exports.ts'
import { eRefund } from '../contract/eRefund.ts'
import type { ERefundDetail } from '../contract/eRefundRow.ts'
import {
  actOn,
  buyerOf,
  caseFilterNames,
  caseFiltersText,
  caseLook,
  caseSorts,
  casesOf,
  caseTabs,
  caseWhere,
  namesOf,
  pastOf,
  payoutsIn,
  readCase,
  sellersOf,
  stepsOf,
  wordOf,
  type CaseFilters,
  type CaseTab,
} from './cases.ts'

const t = refund
type Acted = Parameters<typeof actOn>[3]
const act = (
  context: WriteContext,
  one: { id: number; version: number },
  run: Acted['run'],
  more?: Omit<Acted, 'run'>,
) => actOn('posted', context, one, { run, ...more })

/** Cases as the queue shows them, a few queries whatever their number. */
const rowsOf = async (db: Db, found: readonly Refund[], now: number) => {
  if (found.length === 0) return []
  const ids = found.map(row => row.id)
  const orders = new Map(
    (
      await db
        .select({
          id: order.id,
          order_no: order.order_no,
          frozen: order.frozen,
          member_id: order.member_id,
          member: member.nickname,
          city: city.city_name,
        })
        .from(order)
        .leftJoin(member, eq(member.id, order.member_id))
        .leftJoin(city, eq(city.id, order.city_id))
        .where(
          inArray(
            order.id,
            found.map(row => row.order_id),
          ),
        )
    ).map(one => [one.id, one]),
  )
  const lines = grouped(
    await db
      .select({
        refund_id: refund_item.refund_id,
        title: order_item.title,
        qty: refund_item.qty,
        shipped_qty: refund_item.shipped_qty,
        received_qty: order_item.received_qty,
      })
      .from(refund_item)
      .innerJoin(order_item, eq(order_item.id, refund_item.item_id))
      .where(inArray(refund_item.refund_id, ids))
      .orderBy(refund_item.id),
    line => line.refund_id,
  )
  const [payouts, limits, sellers, names] = [
    await payoutsOf(db, found),
    await readRefundSettings(db),
    await sellersOf(db, found),
    await namesOf(
      db,
      found.flatMap(row => [row.claimed_by, row.first_by, row.second_by]),
    ),
  ]
  return found.map(row => {
    const [of, own, paid] = [
      orders.get(row.order_id)!,
      lines.get(row.id) ?? [],
      payouts.get(row.id)!,
    ]
    const may = offlineCan(paid, now, limits)
    return {
      ...caseLook(row, { names, paid, now }),
      order_no: of.order_no,
      title: own[0]?.title ?? '',
      lines: own.length,
      qty: own.reduce((n, line) => n + line.qty, 0),
      evidence:
        row.images.length +
        row.messages.reduce(
          (n, one) => n + (one.by === 'staff' ? 0 : (one.images?.length ?? 0)),
          0,
        ),
      merchant_name: sellers.get(row.merchant_id)!,
      city_name: of.city ?? '',
      member_id: of.member_id,
      member_name: of.member,
      frozen: of.frozen,
      shipped: own.some(line => line.shipped_qty > 0),
      received: own.some(line => line.shipped_qty > 0 && line.received_qty > 0),
      parcel: row.state === 'returning' && row.return_track ? newsOf(row.return_track, now) : null,
      by_hand: may === true ? (true as const) : ([may[0], may[1]] as [string, string]),
    }
  })
}

/** The one of several periods that is over first: the case lies within it, or not. */
const soonest = (all: readonly number[]): number | undefined =>
  all.length === 0 ? undefined : Math.min(...all)
/** What the goods of a case were sold under. */
const soldUnder = (
  of: typeof order.$inferSelect,
  {
    rules,
    policies,
    periods,
    items,
  }: {
    rules: OrderRules
    policies: ReadonlyMap<number, Policy>
    periods: ReadonlyMap<number, number>
    items: readonly (typeof order_item.$inferSelect)[]
  },
): ERefundDetail['policy'] => {
  const soldBy = items.map(item => policies.get(item.id)).find(one => one !== undefined)
  const ids = items.map(item => item.id)
  return {
    version_no: soldBy?.version_no ?? of.config_version,
    refund: rules.refund_policy,
    after_sale_days: soonest(items.map(keptDays)) ?? policyAtFirst.no_reason_days,
    auto_cents: casePolicy({ kind: of.kind, policies, rules }, ids).auto_agree_cents,
    freight_payer: soldBy?.freight_payer ?? null,
    until: soonest(ids.flatMap(id => periods.get(id) ?? [])) ?? null,
  }
}
/** What becomes of the platform's discount. */
const couponAfter = (o: Order, row: Refund) => {
  if (o.platform_discount_cents === 0 && o.coupon_grant_id === null) return 'none'
  return row.coupon_back ? 'back' : 'kept'
}
/** The points that went back, or that would. */
const pointsAfter = (o: Order, row: Refund): number => {
  if (row.state === 'done') return row.points_back
  if (row.type === 'resend') return 0
  return pointsBack(o.points_used, o.paid_cents, o.refunded_cents, row.amount_cents)
}
/** All that a person reads before deciding. */
const fileOf = async (db: Db, row: Refund, staff: Staff, now: number) => {
  const [[of], lines, paid, parcels, logs, others, [shown]] = await Promise.all([
    db.select().from(order).where(eq(order.id, row.order_id)),
    db
      .select({ line: refund_item, item: order_item })
      .from(refund_item)
      .innerJoin(order_item, eq(order_item.id, refund_item.item_id))
      .where(eq(refund_item.refund_id, row.id))
      .orderBy(refund_item.id),
    db.select().from(payment).where(eq(payment.order_id, row.order_id)).orderBy(payment.id),
    db
      .select()
      .from(shipment)
      .where(and(eq(shipment.order_id, row.order_id), ne(shipment.state, 'void')))
      .orderBy(shipment.id),
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
      .select({ amount_cents: t.amount_cents })
      .from(t)
      .where(
        and(
          eq(t.order_id, row.order_id),
          ne(t.id, row.id),
          sql`${t.state} not in ('rejected', 'closed')`,
        ),
      ),
    rowsOf(db, [row], now),
  ])
  const o = of!
  const itemIds = lines.map(({ item }) => item.id)
  const [rules, policies, periods, names, codes, [to], [reissue]] = await Promise.all([
    rulesOf(db, o),
    policiesOfItems(db, itemIds),
    afterSaleUntil(db, o),
    namesOf(
      db,
      logs.map(one => (one.actor_type === 'staff' ? one.actor_id : null)),
    ),
    db
      .select({ code: courier.code, name: courier.name })
      .from(courier)
      .where(
        inArray(courier.code, ['', ...parcels.map(one => one.courier), row.return_courier ?? '']),
      ),
    row.return_address_id === null
      ? []
      : db.select().from(return_address).where(eq(return_address.id, row.return_address_id)),
    row.type === 'resend' && row.state === 'done'
      ? db
          .select({ id: order.id, order_no: order.order_no })
          .from(order)
          .where(
            and(
              eq(order.member_id, o.member_id ?? 0),
              eq(order.reissue_of, o.id),
              gte(order.created_at, row.created_at),
            ),
          )
          .orderBy(desc(order.id))
          .limit(1)
      : [],
  ])
  const courierName = (code: string) => codes.find(one => one.code === code)?.name ?? code
  const sum = (list: readonly { amount_cents: number }[]) =>
    list.reduce((all, one) => all + one.amount_cents, 0)
  const share_cents = lines.reduce((all, { line }) => all + line.share_cents, 0)
  const given_cents = lines.reduce((all, { line }) => all + line.amount_cents, 0)
  const shopCoupon = lines.reduce((all, { line }) => all + line.platform_cents, 0)
  const image = (snapshot: Record<string, unknown>) => {
    const [first] = (snapshot['images'] as string[] | undefined) ?? []
    return first ?? null
  }
  return {
    row: shown!,
    order: {
      id: o.id,
      order_no: o.order_no,
      kind: o.kind,
      balance_due: o.balance_due,
      status: o.status,
      pay_cents: o.pay_cents,
      paid_cents: o.paid_cents,
      refunded_cents: o.refunded_cents,
      freight_cents: o.freight_cents,
      platform_discount_cents: o.platform_discount_cents,
      points_used: o.points_used,
      created_at: o.created_at,
      paid_at: o.paid_at,
      finished_at: o.finished_at,
      freeze_reason: o.freeze_reason,
      remark: o.remark,
      ...(o.receiver && {
        receiver_name: o.receiver.name,
        receiver_phone: o.receiver.phone,
        receiver_address: `${o.receiver.area} ${o.receiver.address}`,
      }),
    },
    images: row.images,
    lines: lines.map(({ line, item }) => ({
      item_id: item.id,
      title: item.title,
      image: image(item.snapshot),
      sku: (item.snapshot['sku'] as string | undefined) ?? null,
      price_cents: item.price_cents,
      bought: item.qty,
      qty: line.qty,
      shipped_qty: line.shipped_qty,
      share_cents: line.share_cents,
      amount_cents: line.amount_cents,
      platform_cents: line.platform_cents,
    })),
    money: {
      share_cents,
      given_cents,
      freight_cents: row.freight_cents,
      amount_cents: row.amount_cents,
      cap_cents: row.cap_cents,
      before_cents: sum(others),
      coupon: couponAfter(o, row),
      coupon_cents: shopCoupon,
      points_used: o.points_used,
      points_back: pointsAfter(o, row),
      limit_cents: staff.refund_limit_cents,
    },
    paid: paid
      .filter(one => one.direction === 'in' && one.state === 'success')
      .map(one => ({ channel: one.channel, amount_cents: one.amount_cents, at: one.success_at })),
    payouts: payoutsIn(row, paid),
    offline: row.offline ? { account: row.offline_account ?? '', proof: row.offline_proof } : null,
    outbound: parcels.map(one => ({
      courier: courierName(one.courier),
      tracking_no: one.tracking_no,
      state: one.state,
      shipped_at: one.shipped_at,
      signed_at: one.signed_at,
      last: one.traces.at(-1)?.text ?? null,
    })),
    back: to
      ? {
          name: to.name,
          phone: to.phone,
          address: `${to.area} ${to.address}`,
          courier: row.return_courier && courierName(row.return_courier),
          tracking_no: row.return_tracking_no,
          received_at: row.return_received_at,
          condition: row.return_condition,
          track: row.return_track && {
            state: row.return_track.state,
            traces: row.return_track.traces,
            traced_at: row.return_track.traced_at,
            sent_at: row.return_track.sent_at,
          },
        }
      : null,
    policy: soldUnder(o, { rules, policies, periods, items: lines.map(({ item }) => item) }),
    buyer: await buyerOf(db, row, now),
    past: await pastOf(db, 'posted', row, staff),
    messages: row.messages,
    steps: stepsOf(row, logs, names),
    reissue: reissue ?? null,
  }
}

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
