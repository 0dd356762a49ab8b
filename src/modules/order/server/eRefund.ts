import { and, asc, count, desc, eq, gt, gte, ilike, inArray, lte, ne, sql, type SQL } from 'drizzle-orm'
import { grouped } from '#src/domain/grouped.ts'
import { payFaults } from '#src/domain/payFault.ts'
import { offlineCan, openRefunds, pointsBack, refundReasons, refundRejects, refundStates, refundTypes, type RefundReason, type RefundState, type RefundType } from '#src/domain/refund.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import { yuan } from '#src/domain/money.ts'
import { eachRow } from '#src/server/batch.ts'
import { defineExport, EXPORT_MAX_ROWS, startExport } from '#src/server/exports.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/implement.ts'
import { like } from '#src/server/like.ts'
import { countOf, counting, exactCount, pageOf } from '#src/server/paging.ts'
import { missing } from '#src/server/refuse.ts'
import { within } from '#src/server/scope.ts'
import { rulesOf } from '#src/server/services/orderFacts.ts'
import * as cases from '#src/server/services/refunds.ts'
import { member, merchant, return_address } from '#src/server/tables/merchant.ts'
import { order, order_item, order_log, payment, refund, refund_item, shipment } from '#src/server/tables/order.ts'
import { admin } from '#src/server/tables/people.ts'
import { city, mall } from '#src/server/tables/place.ts'
import { courier } from '#src/server/tables/ship.ts'
import { eRefund } from '../contract/eRefund.ts'

type Refund = cases.Refund
type Filters = { keyword?: string | undefined; type?: RefundType | undefined; reason_code?: RefundReason | undefined; city_id?: number | undefined; mid?: number | undefined; merchant_id?: number | undefined; amount_from?: number | undefined; amount_to?: number | undefined; channel_failed?: boolean | undefined; overdue?: boolean | undefined; from?: number | undefined; to?: number | undefined }
const tabs = ['open', 'mine', ...Object.keys(refundStates)] as ('open' | 'mine' | RefundState)[]
type Tab = (typeof tabs)[number]
const t = refund
const isOpenCase = inArray(t.state, [...openRefunds])
/** Cases of e-commerce orders inside a person's data; the others do not exist for them. */
const mineToSee = (staff: Pick<Staff, 'scope'>): SQL | undefined => and(eq(t.order_kind, 'elist'), within(staff.scope, { city: t.city_id, mall: t.mall_id, owner: sql`(select m.bd_admin_id from merchant m where m.id = ${t.merchant_id})` }))
const inTab = (tab: Tab, me: number, now: number): SQL | undefined => (tab === 'open' ? isOpenCase : tab === 'mine' ? and(isOpenCase, eq(t.claimed_by, me), gt(t.claim_until, now)) : eq(t.state, tab))
/** By the whole number of a case, an order or a parcel that came back: each has its index. */
const numbered = (keyword: string): SQL => {
  const no = keyword.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
  return sql`${t.id} in (select r.id from refund r where r.refund_no = ${no} union select r.id from refund r where r.return_tracking_no = ${no} union select r.id from refund r join "order" o on o.id = r.order_id where o.order_no = ${no})`
}
/** One tab, the filters and the reader's data: the list, its count, its tab's number and its export all use this. */
const whereOf = (tab: Tab, of: Filters, staff: Staff, now: number): SQL | undefined => and(
  mineToSee(staff), inTab(tab, staff.id, now), of.keyword ? numbered(of.keyword) : undefined, of.type && eq(t.type, of.type), of.reason_code && eq(t.reason_code, of.reason_code),
  of.city_id === undefined ? undefined : eq(t.city_id, of.city_id), of.mid === undefined ? undefined : eq(t.mall_id, of.mid), of.merchant_id === undefined ? undefined : eq(t.merchant_id, of.merchant_id),
  of.amount_from === undefined ? undefined : gte(t.amount_cents, of.amount_from), of.amount_to === undefined ? undefined : lte(t.amount_cents, of.amount_to),
  of.channel_failed ? sql`exists (select 1 from payment p where p.refund_id = ${t.id} and p.fails > 0)` : undefined, of.overdue ? and(inArray(t.state, ['applied', 'second_audit', 'wait_return', 'returning']), lte(t.deadline_at, now)) : undefined,
  of.from === undefined ? undefined : gte(t.created_at, of.from), of.to === undefined ? undefined : lte(t.created_at, of.to),
)
const readCase = async (db: Db, id: number, staff: Staff): Promise<Refund> => {
  const [row] = await db.select().from(t).where(and(eq(t.id, id), mineToSee(staff)))
  if (!row) throw missing()
  return row
}
const namesOf = async (db: Db, ids: readonly (number | null)[]) => {
  const people = [...new Set(ids.filter(id => id !== null))]
  return new Map(people.length === 0 ? [] : (await db.select({ id: admin.id, name: admin.name }).from(admin).where(inArray(admin.id, people))).map(one => [one.id, one.name]))
}

/** Cases as the queue shows them, a few queries whatever their number. */
const rowsOf = async (db: Db, found: readonly Refund[], now: number) => {
  if (found.length === 0) return []
  const ids = found.map(row => row.id)
  const orders = new Map((await db.select({ id: order.id, order_no: order.order_no, frozen: order.frozen, member: member.nickname, seller: merchant.name, city: city.city_name }).from(order).innerJoin(merchant, eq(merchant.id, order.merchant_id)).leftJoin(member, eq(member.id, order.member_id)).leftJoin(city, eq(city.id, order.city_id))
    .where(inArray(order.id, found.map(row => row.order_id)))).map(one => [one.id, one]))
  const lines = grouped(await db.select({ refund_id: refund_item.refund_id, title: order_item.title, qty: refund_item.qty, shipped_qty: refund_item.shipped_qty, received_qty: order_item.received_qty }).from(refund_item).innerJoin(order_item, eq(order_item.id, refund_item.item_id)).where(inArray(refund_item.refund_id, ids)).orderBy(refund_item.id), line => line.refund_id)
  const [payouts, limits, names] = [await cases.payoutsOf(db, found), await cases.readRefundSettings(db), await namesOf(db, found.flatMap(row => [row.claimed_by, row.first_by, row.second_by]))]
  const name = (id: number | null) => (id === null ? null : names.get(id) ?? `#${id}`)
  return found.map(row => {
    const [of, own, paid] = [orders.get(row.order_id)!, lines.get(row.id) ?? [], payouts.get(row.id)!]
    const may = offlineCan(paid, now, limits)
    const held = (row.claim_until ?? 0) > now
    return {
      id: row.id, refund_no: row.refund_no, order_id: row.order_id, order_no: of.order_no, title: own[0]?.title ?? '', lines: own.length, qty: own.reduce((n, line) => n + line.qty, 0), type: row.type, source: row.source, reason_code: row.reason_code, reason: row.reason,
      amount_cents: row.amount_cents, cap_cents: row.cap_cents, evidence: row.images.length + row.messages.reduce((n, one) => n + (one.by === 'staff' ? 0 : one.images?.length ?? 0), 0), state: row.state, deadline_at: row.deadline_at, created_at: row.created_at, updated_at: row.updated_at, done_at: row.done_at,
      merchant_id: row.merchant_id, merchant_name: of.seller, city_id: row.city_id, city_name: of.city ?? '', mid: row.mall_id, member_name: of.member, opinion: row.messages.findLast(one => one.by === 'merchant')?.text ?? null,
      claimed_by: held ? row.claimed_by : null, claimer_name: held ? name(row.claimed_by) : null, claim_until: held ? row.claim_until : null, first_by: row.first_by, first_name: name(row.first_by), second_name: name(row.second_by),
      intervened: row.intervened, offline: row.offline, frozen: of.frozen, shipped: own.some(line => line.shipped_qty > 0), received: own.some(line => line.shipped_qty > 0 && line.received_qty > 0),
      fails: paid.fails, fail_code: paid.fail_code, fail_text: paid.fail_text, by_hand: may === true ? true as const : [may[0], may[1]] as [string, string], reject_code: row.reject_code, reject_reason: row.reject_reason, version: row.version,
    }
  })
}

/** All that a person reads before deciding. */
const fileOf = async (db: Db, row: Refund, staff: Staff, now: number) => {
  const [[of], lines, paid, parcels, logs, others, [shown]] = await Promise.all([
    db.select().from(order).where(eq(order.id, row.order_id)),
    db.select({ line: refund_item, item: order_item }).from(refund_item).innerJoin(order_item, eq(order_item.id, refund_item.item_id)).where(eq(refund_item.refund_id, row.id)).orderBy(refund_item.id),
    db.select().from(payment).where(eq(payment.order_id, row.order_id)).orderBy(payment.id),
    db.select().from(shipment).where(and(eq(shipment.order_id, row.order_id), ne(shipment.state, 'void'))).orderBy(shipment.id),
    db.select().from(order_log).where(and(eq(order_log.order_id, row.order_id), sql`(${order_log.data}->>'refund_id')::int = ${row.id}`)).orderBy(order_log.id),
    db.select({ amount_cents: t.amount_cents }).from(t).where(and(eq(t.order_id, row.order_id), ne(t.id, row.id), sql`${t.state} not in ('rejected', 'closed')`)),
    rowsOf(db, [row], now),
  ])
  const o = of!
  const [rules, names, codes, [to], [reissue]] = await Promise.all([
    rulesOf(db, o), namesOf(db, logs.map(one => (one.actor_type === 'staff' ? one.actor_id : null))),
    db.select({ code: courier.code, name: courier.name }).from(courier).where(inArray(courier.code, ['', ...parcels.map(one => one.courier), row.return_courier ?? ''])),
    row.return_address_id === null ? [] : db.select().from(return_address).where(eq(return_address.id, row.return_address_id)),
    row.type === 'resend' && row.state === 'done' ? db.select({ id: order.id, order_no: order.order_no }).from(order).where(and(eq(order.member_id, o.member_id ?? 0), eq(order.reissue_of, o.id), gte(order.created_at, row.created_at))).orderBy(desc(order.id)).limit(1) : [],
  ])
  const courierName = (code: string) => codes.find(one => one.code === code)?.name ?? code
  const sum = (list: readonly { amount_cents: number }[]) => list.reduce((all, one) => all + one.amount_cents, 0)
  const share_cents = lines.reduce((all, { line }) => all + line.share_cents, 0)
  const given_cents = lines.reduce((all, { line }) => all + line.amount_cents, 0)
  const shopCoupon = lines.reduce((all, { line }) => all + line.platform_cents, 0)
  const image = (snapshot: Record<string, unknown>) => { const [first] = (snapshot['images'] as string[] | undefined) ?? []; return first ?? null }
  return {
    row: shown!,
    order: { id: o.id, order_no: o.order_no, status: o.status, pay_cents: o.pay_cents, paid_cents: o.paid_cents, refunded_cents: o.refunded_cents, freight_cents: o.freight_cents, platform_discount_cents: o.platform_discount_cents, points_used: o.points_used, created_at: o.created_at, paid_at: o.paid_at, finished_at: o.finished_at, freeze_reason: o.freeze_reason, remark: o.remark,
      ...(o.receiver && { receiver_name: o.receiver.name, receiver_phone: o.receiver.phone, receiver_address: `${o.receiver.area} ${o.receiver.address}` }) },
    images: row.images,
    lines: lines.map(({ line, item }) => ({ item_id: item.id, title: item.title, image: image(item.snapshot), sku: (item.snapshot['sku'] as string | undefined) ?? null, price_cents: item.price_cents, bought: item.qty, qty: line.qty, shipped_qty: line.shipped_qty, share_cents: line.share_cents, amount_cents: line.amount_cents, platform_cents: line.platform_cents })),
    money: {
      share_cents, given_cents, freight_cents: row.freight_cents, amount_cents: row.amount_cents, cap_cents: row.cap_cents, before_cents: sum(others), coupon: o.platform_discount_cents === 0 ? 'none' as const : row.coupon_back ? 'back' as const : 'kept' as const, coupon_cents: shopCoupon,
      points_used: o.points_used, points_back: row.state === 'done' ? row.points_back : row.type === 'resend' ? 0 : pointsBack(o.points_used, o.paid_cents, o.refunded_cents, row.amount_cents), limit_cents: staff.refund_limit_cents,
    },
    paid: paid.filter(one => one.direction === 'in' && one.state === 'success').map(one => ({ channel: one.channel, amount_cents: one.amount_cents, at: one.success_at })),
    payouts: paid.filter(one => one.refund_id === row.id).map(one => ({ out_no: one.out_no, channel: one.channel, amount_cents: one.amount_cents, state: one.state, fails: one.fails, fail_code: one.fail_code, fail_text: one.fail_text, at: one.success_at ?? one.updated_at })),
    offline: row.offline ? { account: row.offline_account ?? '', proof: row.offline_proof } : null,
    outbound: parcels.map(one => ({ courier: courierName(one.courier), tracking_no: one.tracking_no, state: one.state, shipped_at: one.shipped_at, signed_at: one.signed_at, last: one.traces.at(-1)?.text ?? null })),
    back: to ? { name: to.name, phone: to.phone, address: `${to.area} ${to.address}`, courier: row.return_courier && courierName(row.return_courier), tracking_no: row.return_tracking_no, received_at: row.return_received_at, condition: row.return_condition } : null,
    policy: { version_no: o.config_version, refund: rules.refund_policy, after_sale_days: rules.after_sale_days, auto_cents: rules.auto_approve_limit_cents, until: o.finished_at === null ? null : o.finished_at + rules.after_sale_days * 86_400 },
    buyer: await buyerOf(db, row, now),
    past: await pastOf(db, row, staff),
    messages: row.messages,
    steps: [
      // What was opened before the log knew of cases has its beginning all the same.
      ...(logs.some(one => one.event === 'refund_open') ? [] : [{ event: 'refund_open' as const, verb: null, who: null, actor: row.source, memo: '', at: row.created_at }]),
      ...logs.map(one => ({ event: one.event, verb: typeof one.data?.['verb'] === 'string' ? one.data['verb'] : null, who: one.actor_type === 'staff' && one.actor_id !== null ? names.get(one.actor_id) ?? `#${one.actor_id}` : null, actor: one.actor_type, memo: one.memo, at: one.at })),
    ],
    reissue: reissue ?? null,
  }
}
/** How this buyer deals with us. */
const buyerOf = async (db: Db, row: Refund, now: number) => {
  if (row.member_id === null) return null
  const { rows: [one] } = await db.execute<{ name: string; phone: string; orders: number; refunds: number; refunds_90d: number; refund_only: number }>(sql`
    select m.nickname as name, m.phone, (select count(*)::int from "order" o where o.member_id = m.id and o.paid_at is not null) orders, r.refunds, r.refunds_90d, r.refund_only
    from member m, lateral (select count(*)::int refunds, count(*) filter (where r.created_at > ${now - 90 * 86_400})::int refunds_90d, count(*) filter (where r.type = 'refund_only')::int refund_only from refund r where r.member_id = m.id and r.source = 'member') r where m.id = ${row.member_id}`)
  return one ?? null
}
const PAST = 8
/** Earlier cases of this buyer that I may see, those of the same merchant or reason first. */
const pastOf = async (db: Db, row: Refund, staff: Staff) => {
  if (row.member_id === null) return []
  const similar = sql<boolean>`(${t.merchant_id} = ${row.merchant_id} or ${t.reason_code} is not distinct from ${row.reason_code})`
  return db.select({ id: t.id, refund_no: t.refund_no, title: sql<string>`coalesce((select i.title from refund_item l join order_item i on i.id = l.item_id where l.refund_id = "refund"."id" order by l.id limit 1), '')`, type: t.type, reason_code: t.reason_code, amount_cents: t.amount_cents, state: t.state, at: t.created_at, similar })
    .from(t).where(and(eq(t.member_id, row.member_id), ne(t.id, row.id), mineToSee(staff))).orderBy(desc(similar), desc(t.created_at)).limit(PAST)
}

type Step = { id: number; version: number; by: { id: number; limit_cents: number }; now: number }
const logged = ['state', 'type', 'amount_cents', 'claimed_by', 'claim_until', 'first_by', 'second_by', 'reject_code', 'reject_reason', 'return_address_id', 'return_courier', 'return_tracking_no', 'return_received_at', 'return_condition', 'deadline_at', 'intervened', 'offline', 'offline_account', 'offline_proof'] as const satisfies readonly (keyof Refund)[]
/** A step of a case inside my data, carried out by its service, with a line of what it changed. */
const act = async ({ tx, staff, now, log }: WriteContext, { id, version }: { id: number; version: number }, run: (of: Step) => Promise<Refund>, more: { reason?: string; after?: object } = {}) => {
  const before = await readCase(tx, id, staff)
  const after = await run({ id, version, by: { id: staff.id, limit_cents: staff.refund_limit_cents }, now })
  const names = logged.filter(name => before[name] !== after[name])
  const pick = (row: Refund) => Object.fromEntries(names.map(name => [name, row[name]]))
  log({ object_type: 'refund', object_id: id, object_label: before.refund_no, before: pick(before), after: { ...pick(after), ...more.after }, ...(more.reason && { reason: more.reason }) })
  return { id, state: after.state, version: after.version }
}

const sorts = { deadline: t.deadline_at, newest: t.created_at, amount: t.amount_cents } as const
const filterNames = { keyword: ['编号', 'Number'], city_id: ['城市', 'City'], mid: ['商场', 'Mall'], merchant_id: ['商户', 'Merchant'], amount_from: ['金额不低于', 'At least'], amount_to: ['金额不高于', 'At most'], channel_failed: ['渠道失败', 'Channel failed'], overdue: ['已超时', 'Overdue'], from: ['申请自', 'From'], to: ['申请至', 'Until'] } as const satisfies Record<string, Text>
const tabName = (tab: Tab): Text => (tab === 'open' ? ['未结束', 'Open'] : tab === 'mine' ? ['我领取的', 'Mine'] : refundStates[tab])
/** The filters of an export in words, for whoever looks at the file later. */
const filtersText = async (db: Db, { state, type, reason_code, city_id, mid, merchant_id, ...rest }: Filters & { state: Tab }, lang: Lang): Promise<string> => {
  const named = async (name: Text, id: number | undefined, table: typeof city | typeof mall | typeof merchant) => (id === undefined ? [] : [`${say(name, lang)}：${(await db.select({ name: table === city ? city.city_name : table === mall ? mall.name : merchant.name }).from(table).where(eq(table.id, id)))[0]?.name ?? id}`])
  const words = Object.entries(rest).filter(([, value]) => value !== undefined && value !== false).map(([key, value]) => { const name = say(filterNames[key as keyof typeof filterNames], lang); return value === true ? name : `${name}：${key.startsWith('amount') ? yuan(Number(value)) : key === 'from' || key === 'to' ? timeFull(Number(value)) : value}` })
  return [say(tabName(state), lang), ...(type ? [say(refundTypes[type], lang)] : []), ...(reason_code ? [say(refundReasons[reason_code], lang)] : []), ...(await named(filterNames.city_id, city_id, city)), ...(await named(filterNames.mid, mid, mall)), ...(await named(filterNames.merchant_id, merchant_id, merchant)), ...words].join(say(['，', ', '], lang))
}

export const eRefundServer = implement(eRefund, {
  lst: async ({ page, pageSize, sort, state, ...filters }, { db, staff, now }) => {
    const where = whereOf(state, filters, staff, now)
    const decided = state === 'done' || state === 'rejected' || state === 'closed'
    // What is decided has no deadline any more: the newest first.
    const by = decided && sort === 'deadline' ? t.updated_at : sorts[sort]
    const rows = await pageOf(db, t, { where, by, down: decided || sort !== 'deadline', page, pageSize, reader: `${staff.id}|eRefund|${state}|${JSON.stringify(filters)}` })
    return { list: await rowsOf(db, rows, now), ...(await countOf(db, t, where)) }
  },
  counts: async (filters, { db, staff, now }) => (await db.execute<Record<string, number>>(sql`select ${sql.join(tabs.map(tab => sql`least(${counting(t, whereOf(tab, filters, staff, now))}, 10000) as ${sql.identifier(tab)}`), sql`, `)}`)).rows[0]!,
  detail: async ({ id }, { db, staff, now }) => fileOf(db, await readCase(db, id, staff), staff, now),
  merchants: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(sql`${merchant.id} in (select ${t.merchant_id} from ${t} where ${mineToSee(staff)})`, keyword ? ilike(merchant.name, like(keyword)) : undefined)
    const [counted] = await db.select({ total: count() }).from(merchant).where(where)
    return { list: await db.select({ id: merchant.id, name: merchant.name }).from(merchant).where(where).orderBy(asc(merchant.name), asc(merchant.id)).limit(pageSize).offset((page - 1) * pageSize), total: counted!.total }
  },
  addresses: async ({ refund_id, keyword, page, pageSize }, { db, staff }) => {
    const row = await readCase(db, refund_id, staff)
    const name = sql<string>`${return_address.area} || ' ' || ${return_address.address} || ' · ' || ${return_address.name}`
    const where = and(eq(return_address.merchant_id, row.merchant_id), eq(return_address.status, 'on'), keyword ? ilike(name, like(keyword)) : undefined)
    const [counted] = await db.select({ total: count() }).from(return_address).where(where)
    return { list: await db.select({ id: return_address.id, name }).from(return_address).where(where).orderBy(asc(return_address.id)).limit(pageSize).offset((page - 1) * pageSize), total: counted!.total }
  },
  couriers: async ({ keyword, page, pageSize }, { db }) => {
    const where = and(eq(courier.status, 'on'), keyword ? sql`(${courier.name} ilike ${like(keyword)} or ${courier.code} ilike ${like(keyword)})` : undefined)
    const [counted] = await db.select({ total: count() }).from(courier).where(where)
    return { list: await db.select({ id: courier.id, name: courier.name, sample: courier.sample }).from(courier).where(where).orderBy(desc(courier.is_default), asc(courier.sort), asc(courier.id)).limit(pageSize).offset((page - 1) * pageSize), total: counted!.total }
  },

  claim: (one, context) => act(context, one, of => cases.claimRefund(context.tx, of)),
  approve: (one, context) => act(context, one, of => cases.approveRefund(context.tx, of)),
  approveReturn: ({ address_id, ...one }, context) => act(context, one, of => cases.approveReturn(context.tx, { ...of, return_address_id: address_id })),
  reject: ({ reason_code, reason, images, ...one }, context) => act(context, one, of => cases.rejectRefund(context.tx, { ...of, reason_code, reason, images, name: context.staff.name }), { reason }),
  confirmReceive: ({ condition, ...one }, context) => act(context, one, of => cases.confirmReturn(context.tx, { ...of, condition })),
  refuseReceive: ({ reason, images, ...one }, context) => act(context, one, of => cases.rejectRefund(context.tx, { ...of, verb: 'refuseReceive', reason_code: 'used', reason, images, name: context.staff.name }), { reason }),
  changeAmount: ({ amount_cents, reason, consent, images, ...one }, context) => act(context, one, of => cases.changeAmount(context.tx, { ...of, amount_cents, consent: { name: context.staff.name, text: consent, images } }), { reason, after: { consent } }),
  secondApprove: (one, context) => act(context, one, of => cases.secondApprove(context.tx, of)),
  secondReject: ({ reason, ...one }, context) => act(context, one, of => cases.secondReject(context.tx, { ...of, reason }), { reason }),
  retryPay: (one, context) => act(context, one, of => cases.retryPay(context.tx, of)),
  intervene: ({ reason, ...one }, context) => act(context, one, of => cases.intervene(context.tx, { ...of, reason }), { reason }),
  remark: ({ text, ...one }, context) => act(context, one, of => cases.remarkOn(context.tx, { ...of, text }), { after: { note: text } }),
  batchApprove: ({ cases: many }, context) => {
    const read = new Map(many.map(one => [one.id, one.version]))
    return eachRow(context, [...read.keys()], (row, id) => act(row, { id, version: read.get(id)! }, of => cases.approveRefund(row.tx, { ...of, batch: true })))
  },
  fillReturnTracking: async ({ courier_id, tracking_no, ...one }, context) => {
    const [by] = await context.tx.select({ code: courier.code }).from(courier).where(eq(courier.id, courier_id))
    return act(context, one, of => cases.returnTracking(context.tx, { ...of, courier: by?.code ?? '', tracking_no }))
  },
  offlinePay: ({ account, proof, reason, ...one }, context) => act(context, one, of => cases.offlinePay(context.tx, { ...of, account, proof, reason }), { reason }),
  extendDeadline: ({ hours, reason, ...one }, context) => act(context, one, of => cases.extendDeadline(context.tx, { ...of, hours, reason }), { reason }),
  reply: ({ text, images, ...one }, context) => act(context, one, of => cases.replyTo(context.tx, { ...of, name: context.staff.name, text, images }), { after: { reply: text } }),
  close: ({ reason, ...one }, context) => act(context, one, of => cases.closeRefund(context.tx, { ...of, reason }), { reason }),
  export: async ({ format, ...filters }, context) => {
    const { state, ...rest } = filters
    return startExport(context, { page: 'order.eRefund', filters, filters_text: await filtersText(context.tx, filters, context.staff.lang), rows_expected: await exactCount(context.tx, t, whereOf(state, rest, context.staff, context.now), EXPORT_MAX_ROWS + 1), format })
  },
})

const wordOf = (of: Readonly<Record<string, Text>>, key: string | null, lang: Lang): string | null => (key !== null && Object.hasOwn(of, key) ? say(of[key]!, lang) : key)
defineExport('order.eRefund', {
  title: ['电商售后单', 'E-commerce after-sales'], permit: 'order.eRefund.export',
  filters: () => Object.fromEntries(Object.entries(filterNames).map(([key, title]) => [key, { title }])),
  columns: [
    { key: 'refund_no', title: ['售后单号', 'Case'] }, { key: 'order_no', title: ['订单号', 'Order'] }, { key: 'title', title: ['商品', 'Item'] }, { key: 'qty', title: ['数量', 'Qty'], kind: 'number' }, { key: 'type', title: ['类型', 'Type'] }, { key: 'reason_code', title: ['原因', 'Reason'] }, { key: 'reason', title: ['说明', 'In words'] },
    { key: 'amount_cents', title: ['退款金额', 'Amount'], kind: 'money' }, { key: 'cap_cents', title: ['可退上限', 'At most'], kind: 'money' }, { key: 'state', title: ['阶段', 'Stage'] }, { key: 'merchant_name', title: ['商户', 'Merchant'] }, { key: 'city_name', title: ['城市', 'City'] }, { key: 'opinion', title: ['商户意见', 'The merchant'] },
    { key: 'created_at', title: ['申请时间', 'Applied'], kind: 'time' }, { key: 'deadline_at', title: ['时限', 'Due'], kind: 'time' }, { key: 'first_name', title: ['初审人', 'First'] }, { key: 'second_name', title: ['复核人', 'Second'] }, { key: 'reject_code', title: ['拒绝原因', 'Why refused'] }, { key: 'reject_reason', title: ['拒绝说明', 'Refused in words'] }, { key: 'fail_text', title: ['打款失败', 'Payment failed'] }, { key: 'done_at', title: ['完成时间', 'Done'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, after, limit }) => {
    const { state, ...rest } = filters as Filters & { state: Tab }
    const now = unixNow()
    const rows = await db.select().from(t).where(and(whereOf(state, rest, staff, now), after === undefined ? undefined : sql`${t.id} > ${after}`)).orderBy(asc(t.id)).limit(limit)
    const { lang } = staff
    return { rows: (await rowsOf(db, rows, now)).map(row => ({ ...row, type: say(refundTypes[row.type], lang), state: say(refundStates[row.state], lang), reason_code: wordOf(refundReasons, row.reason_code, lang), reject_code: wordOf(refundRejects, row.reject_code, lang), fail_text: wordOf(payFaults, row.fail_code, lang) })), next: rows.length < limit ? undefined : rows.at(-1)?.id }
  },
})
