import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { findCode, redeemForStore } from '#src/areas/code/verify.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { smsStates } from '#src/areas/member/visitor.ts'
import {
  agreedReason,
  askedBind,
  bindMember,
  codeOfOrder,
  decideBind,
  relatedTo,
  reopenBill,
  riskOf,
  unbindMember,
} from '#src/areas/member/visitors.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder } from '#src/areas/order/freeze.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { orderSubKinds } from '#src/areas/order/order.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { RESEND_MAX } from '#src/areas/order/orderMessages.server.ts'
import { order_bind, order_message } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { visitor, visitorDetail } from '../contract/visitor.ts'
import { codeDetailHandlers, codeHandlers } from './codes.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { refundBy } from './refundBy.ts'
import { orderHandlers } from './shared.ts'

const kinds = ['visitor'] as const
exportOrders(
  'visitor',
  kinds,
  ['游客订单', 'Visitor orders'],
  [
    {
      key: 'visitor_phone',
      title: ['游客手机号', 'Visitor’s phone'],
      field: 'order.visitor_phone',
      of: sql`o.visitor_phone`,
    },
    { key: 'sub_kind', title: ['子类型', 'Subtype'], of: sql`o.sub_kind`, words: orderSubKinds },
    {
      key: 'sms',
      title: ['券码短信', 'Code SMS'],
      of: sql`coalesce((select e.state from order_message e where e.order_id = o.id and e.kind = 'code' order by e.id desc limit 1), 'none')`,
      words: smsStates,
    },
  ],
)
const list = orderHandlers('visitor', kinds)
const answer = ({ id, status, version }: Order) => ({ id, status, version })

/** How many related orders are shown; all that were read are counted. */
const SHOWN = 30
const related = async (db: Db, id: number, staff: Staff, now: number) => {
  const row = await findOrder(db, kinds, id, staff)
  const found = await relatedTo(db, row, staff)
  const shown = found.slice(0, SHOWN).map(one => one.row)
  const second = alias(admin, 'second')
  const [items, stores, risk, [resent], binds] = await Promise.all([
    db
      .selectDistinctOn([order_item.order_id], {
        order_id: order_item.order_id,
        title: order_item.title,
      })
      .from(order_item)
      .where(
        inArray(
          order_item.order_id,
          shown.map(one => one.id),
        ),
      )
      .orderBy(order_item.order_id, order_item.id),
    db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(inArray(store.id, [...new Set(shown.map(one => one.store_id))])),
    riskOf(db, row, now),
    db
      .select({ n: sql<number>`count(*)::int` })
      .from(order_message)
      .where(
        and(
          eq(order_message.order_id, id),
          eq(order_message.kind, 'code'),
          isNotNull(order_message.admin_id),
          sql`${order_message.created_at} >= ${dayStart(now)}`,
        ),
      ),
    db
      .select({
        bind: order_bind,
        name: member.nickname,
        first_name: admin.name,
        second_name: second.name,
      })
      .from(order_bind)
      .innerJoin(member, eq(member.id, order_bind.member_id))
      .innerJoin(admin, eq(admin.id, order_bind.first_by))
      .leftJoin(second, eq(second.id, order_bind.second_by))
      .where(eq(order_bind.order_id, id))
      .orderBy(desc(order_bind.id)),
  ])
  const n = (of: (one: (typeof found)[number]) => boolean) => found.filter(of).length
  const sum = (of: (one: (typeof found)[number]) => number) =>
    found.reduce((all, one) => all + of(one), 0)
  const others = (
    way: 'phone' | 'device',
    of: (one: (typeof found)[number]) => string | null,
    own: string | null,
  ) =>
    new Set([own, ...found.filter(one => one.by.includes(way)).map(of)].filter(one => one !== null))
      .size
  return {
    orders: found.slice(0, SHOWN).map(({ row: one, by }) => ({
      id: one.id,
      order_no: one.order_no,
      kind: one.kind,
      status: one.status,
      title: items.find(item => item.order_id === one.id)?.title ?? '',
      store_name: stores.find(each => each.id === one.store_id)?.name ?? '',
      paid_cents: one.paid_cents,
      refunded_cents: one.refunded_cents,
      created_at: one.created_at,
      by,
    })),
    sums: {
      orders: found.length,
      more: found.length > 0 && found.length % 200 === 0,
      day: n(one => Math.abs(one.row.created_at - row.created_at) < DAY),
      paid_cents: sum(one => one.row.paid_cents),
      refunded_cents: sum(one => one.row.refunded_cents),
      refunded: n(one => one.row.refund_state === 'refunded'),
      frozen: n(one => one.row.frozen),
      cancelled: n(one => one.row.pay_state === 'closed'),
      phones: others('device', one => one.phone, row.visitor_phone),
      devices: others('phone', one => one.row.device_id, row.device_id),
      first_at: found.length === 0 ? null : Math.min(...found.map(one => one.row.created_at)),
    },
    ...risk,
    resent: resent!.n,
    resend_max: RESEND_MAX,
    binds: binds.map(({ bind, ...names }) => ({
      id: bind.id,
      state: bind.state,
      ...names,
      reason: bind.reason,
      second_reason: bind.second_reason,
      at: bind.bound_at ?? bind.created_at,
    })),
  }
}

const decide = async (
  { tx, staff, now, log }: WriteContext,
  one: { id: number; version: number },
  reason: string,
  agree: boolean,
) => {
  const row = await heldOrder(tx, kinds, one, staff)
  const { order: after, bind } = await decideBind(tx, row, { id: staff.id, reason, now, agree })
  log({
    ...logged(row),
    before: { bind_state: 'asked', member_id: row.member_id },
    after: { bind_state: bind.state, member_id: after.member_id },
    reason,
  })
  return answer(after)
}
/** A name is found by its beginning, which its index serves; a phone and a number only whole. */
const foundAs = (keyword: string, typed: string) => {
  const phone = mobileOf(typed)
  return phone
    ? eq(member.phone, phone)
    : sql`(${member.uid} = ${typed.toUpperCase()} or ${member.nickname} like ${begins(keyword)})`
}
export const visitorServer = implement(visitor, {
  ...decideHandlers(kinds),
  ...list,
  resendCode: codeHandlers(kinds).resendCode,
  members: async ({ order_id, keyword, page, pageSize }, { db, staff }) => {
    const row = await findOrder(db, kinds, order_id, staff)
    const same = sql<boolean>`(${member.phone} = ${row.visitor_phone ?? ''})`
    const typed = keyword?.replace(/[\s-]/g, '') ?? ''
    const where = and(
      inArray(member.account_state, ['normal', 'muted']),
      within(staff.scope, { city: member.city_id }),
      keyword && typed !== '' ? foundAs(keyword, typed) : same,
    )
    const rows = await db
      .select({ id: member.id, name: member.nickname, uid: member.uid, phone: member.phone, same })
      .from(member)
      .where(where)
      .orderBy(desc(same), member.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, member, where)) }
  },
  related: ({ id }, { db, staff, now }) => related(db, id, staff, now),
  bindMember: async ({ member_id, reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const [who] = await tx
      .select({ id: member.id })
      .from(member)
      .where(and(eq(member.id, member_id), within(staff.scope, { city: member.city_id })))
    if (!who) throw missing()
    const { order: after, bind } = await bindMember(tx, row, {
      member_id,
      id: staff.id,
      reason,
      now,
    })
    log({
      ...logged(row),
      before: { member_id: row.member_id },
      after: { bind_state: bind.state, member_id },
      reason,
    })
    return { ...answer(after), bound: bind.state === 'bound' }
  },
  confirmBind: ({ reason, ...one }, context) => decide(context, one, reason, true),
  refuseBind: ({ reason, ...one }, context) => decide(context, one, reason, false),
  batchFreeze: async ({ ids, reason }, context) =>
    eachRow(context, ids, async ({ tx, staff, now, log }, id) => {
      const row = await heldOrder(tx, kinds, { id }, staff)
      const after = await freezeOrder(tx, {
        order_id: id,
        by: 'staff',
        actor: staffActor(staff),
        reason,
        now,
      })
      log({
        ...logged(row),
        before: { status: row.status, frozen: row.frozen },
        after: { status: after.status, frozen: after.frozen },
        reason,
      })
    }),
  refund: async (
    { id, version, code_ids, items, times, amount_cents, consent, reason },
    context,
  ) => {
    const { tx, staff, now } = context
    const row = await heldOrder(tx, kinds, { id, version }, staff)
    const bill = row.sub_kind === 'pay_bill'
    if (bill && (code_ids || items || times !== undefined))
      throw ruled('whole_bill', ['买单只能整单退款', 'A bill is given back whole'])
    if (bill && row.refund_state === 'none' && !row.frozen)
      await reopenBill(tx, row, { id: staff.id, reason, now, amount_cents, agreed: consent })
    const made = await refundBy(context, row, {
      code_ids,
      items,
      times,
      amount_cents,
      reason: bill && consent ? agreedReason(reason, consent) : reason,
      ...(bill ? {} : { consent }),
    })
    return {
      id,
      refund_id: made.id,
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      state: made.state,
    }
  },
})
export const visitorDetailServer = implement(visitorDetail, {
  queryPay: codeDetailHandlers(kinds).queryPay,
  unbindMember: async ({ reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    if (await askedBind(tx, row.id))
      throw ruled('asked', [
        '绑定还在等待复核，请直接「不同意绑定」',
        'It still waits to be agreed to: refuse it there',
      ])
    const after = await unbindMember(tx, row, { id: staff.id, reason, now })
    log({
      ...logged(row),
      before: { member_id: row.member_id, bind_state: 'bound' },
      after: { member_id: null, bind_state: 'undone' },
      reason,
    })
    return answer(after)
  },
  verifyForStore: async ({ id, code, store_id, reason }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, { id }, staff)
    const found = await findCode(tx, await codeOfOrder(tx, row.id, code), store_id)
    const record = await redeemForStore(tx, found!, { store_id, times: 1, now, admin_id: staff.id })
    log({ ...logged(row), after: { redeemed_times: 1, store_id, record_id: record.id }, reason })
    return { id, record_id: record.id }
  },
})
