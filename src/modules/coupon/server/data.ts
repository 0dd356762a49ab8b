import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { couponFigures } from '#src/areas/coupon/couponFigures.server.ts'
import { coupons, needItsCities } from '#src/areas/coupon/couponRecord.server.ts'
import { couponGrantKinds, couponPieces, type CouponPiece } from '#src/areas/coupon/couponWords.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, holding, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { couponData as contract } from '../contract/data.ts'

type Grant = typeof coupon_grant.$inferSelect
type Filters = { coupon_id: number; status?: CouponPiece; grant_kind?: Grant['grant_kind'] }
/** The pieces of coupons that the person sees. */
const pieces = record(coupon_grant, {
  object: 'coupon',
  label: () => '',
  keys: [],
  places: staff =>
    seesAll(staff.scope)
      ? undefined
      : sql`exists (select 1 from ${coupon} where ${coupon.id} = ${coupon_grant.coupon_id} and ${coupons.seen(staff)})`,
})
const namesOf = async (db: Db, rows: readonly Grant[]) => {
  const members = [...new Set(rows.map(row => row.member_id))]
  const stores = [...new Set(rows.flatMap(row => row.store_id ?? []))]
  const [people, places] = [
    members.length === 0
      ? []
      : await db
          .select({ id: member.id, name: member.nickname })
          .from(member)
          .where(inArray(member.id, members)),
    stores.length === 0
      ? []
      : await db
          .select({ id: store.id, name: store.name })
          .from(store)
          .where(inArray(store.id, stores)),
  ]
  const byId = (of: readonly { id: number; name: string }[]) =>
    new Map(of.map(one => [one.id, one.name]))
  return { members: byId(people), stores: byId(places) }
}
const list = listing(pieces, {
  by: coupon_grant.id,
  down: true,
  where: (filters: Filters) => equal(coupon_grant, filters),
  shown: async (db, rows) => {
    const { members, stores } = await namesOf(db, rows)
    return rows.map(row => ({
      ...row,
      member_name: members.get(row.member_id) ?? '',
      store_name: stores.get(row.store_id ?? 0) ?? '',
      order_no: row.order_no ?? '',
      reason: row.reason ?? '',
    }))
  },
})
const stands: Readonly<Record<CouponPiece, Text>> = {
  unused: ['未使用，不需要这样做', 'It is unused'],
  locked: ['已被订单占用，不能这样做', 'An order has taken it'],
  used: ['已使用，不能这样做', 'It was used'],
  expired: ['已过期', 'It has expired'],
  revoked: ['已被收回', 'It was taken back'],
}
const wrong = (of: Grant) =>
  ruled('wrong_state', stands[of.status], {}, { current: { status: of.status } })
/** A piece that the person may change, held, with the coupon that it is of. */
const heldPiece = async (context: WriteContext, one: { id: number; version?: number }) => {
  const was =
    one.version === undefined
      ? await pieces.lock(context, one.id)
      : await pieces.heldFast(context, { id: one.id, version: one.version })
  const of = await coupons.read(context.tx, context.staff, was.coupon_id)
  needItsCities(context.staff, of.city_ids)
  return { was, of }
}
/** Changes a piece and tells the log of its coupon whose it is. */
const change = async (
  context: WriteContext,
  { was, of }: Awaited<ReturnType<typeof heldPiece>>,
  set: Partial<Grant>,
  reason: string,
) => {
  const after = await pieces.set(context, was, set)
  coupons.log(context, of, {
    before: { member_id: was.member_id, piece: was.status, use_end_at: was.end_at },
    after: { member_id: was.member_id, piece: after.status, use_end_at: after.end_at },
    reason,
  })
  return after
}
/** Refuses to free a piece whose order may still be paid, or was. */
const needClosed = async (tx: Db, of: Grant): Promise<void> => {
  const [held] =
    of.order_no === null ? [] : await tx.select().from(order).where(eq(order.order_no, of.order_no))
  if (of.order_no === null)
    throw ruled('being_returned', [
      '发券订单正在退款，处理完成后自动解除',
      'The order that issued it is being refunded: it is free, or gone, after that',
    ])
  if (held && held.pay_state !== 'closed')
    throw ruled('order_open', ['占用它的订单还没有关闭', 'The order that took it is not closed'])
}
const free = {
  status: 'unused',
  order_no: null,
  store_id: null,
  discount_cents: null,
  platform_cents: null,
  merchant_cents: null,
  locked_at: null,
  used_at: null,
} as const

const handlers = {
  lst: async ({ page, pageSize, ...filters }, context) => {
    const { status: _, ...others } = filters
    await coupons.read(context.db, context.staff, filters.coupon_id)
    const stat = await context.db
      .select({ status: coupon_grant.status, n: sql<number>`count(*)::int` })
      .from(coupon_grant)
      .where(list.where(others as Filters, context))
      .groupBy(coupon_grant.status)
    return {
      ...(await list.page({ page, pageSize, ...filters } as never, context)),
      stat: Object.fromEntries(stat.map(one => [one.status, one.n])),
    }
  },
  figures: async ({ coupon_id }, { db, staff, now }) =>
    couponFigures(db, await coupons.read(db, staff, coupon_id), now),
  others: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      coupons.seen(staff),
      holding(keyword, [coupon.name, coupon.coupon_no], coupon.id),
    )
    const rows = await db
      .select({ id: coupon.id, name: coupon.name, coupon_no: coupon.coupon_no })
      .from(coupon)
      .where(where)
      .orderBy(desc(coupon.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, coupon, where)) }
  },
  revoke: async ({ ids, reason }, context) =>
    eachRow(context, ids, async (inner, id) => {
      const held = await heldPiece(inner, { id })
      if (held.was.status !== 'unused') throw wrong(held.was)
      await change(inner, held, { status: 'revoked', reason }, reason)
    }),
  unlock: async ({ reason, ...one }, context) => {
    const held = await heldPiece(context, one)
    if (held.was.status !== 'locked') throw wrong(held.was)
    await needClosed(context.tx, held.was)
    return change(context, held, free, reason)
  },
  extendGrants: async ({ ids, days, reason }, context) =>
    eachRow(context, ids, async (inner, id) => {
      const held = await heldPiece(inner, { id })
      const { was, of } = held
      if (was.status !== 'unused' && was.status !== 'expired') throw wrong(was)
      if (of.status === 'void')
        throw ruled('void', ['优惠券已作废，不能延期', 'Its coupon is void'])
      const end_at = was.end_at + days * DAY
      if (end_at <= context.now)
        throw ruled('still_over', ['延长后仍已过期', 'It would still be over'])
      await change(inner, held, { status: 'unused', end_at }, reason)
    }),
  export: exporting(list, {
    page: 'coupon.index.data',
    title: contract.lst.title,
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'code', title: ['券码', 'Code'], field: 'order.code' },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'grant_kind', title: ['来源', 'Source'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'created_at', title: ['领取时间', 'Claimed'], kind: 'time' },
      { key: 'end_at', title: ['有效期至', 'Valid until'], kind: 'time' },
      { key: 'used_at', title: ['使用时间', 'Used'], kind: 'time' },
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'reason', title: ['原因', 'Why'] },
    ],
    words: ({ status, grant_kind }, lang) => [
      status && say(couponPieces[status], lang),
      grant_kind && say(couponGrantKinds[grant_kind], lang),
    ],
    cells: (row, { lang }) => ({
      ...row,
      grant_kind: say(couponGrantKinds[row.grant_kind], lang),
      status: say(couponPieces[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const couponDataServer = implement(contract, handlers)
