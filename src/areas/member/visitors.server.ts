import { and, desc, eq, gte, ne, sql, type SQL } from 'drizzle-orm'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { recount, type Actor, type Order } from '#src/areas/order/orderFacts.server.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { order_bind } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { risk_hit, risk_list } from '#src/areas/risk/risk.table.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { billRefusal, unbindRefusal } from './visitor.ts'

export type Bind = typeof order_bind.$inferSelect
type By = { id: number; reason: string; now: number }
const staffOf = (by: Pick<By, 'id'>): Actor => ({ type: 'staff', id: by.id })
const nameOf = async (tx: Db, id: number): Promise<string> =>
  (await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, id)))[0]?.name ?? `#${id}`

/** A binding that waits for another person, if there is one. */
export const askedBind = async (tx: Db, order_id: number): Promise<Bind | undefined> =>
  (
    await tx
      .select()
      .from(order_bind)
      .where(and(eq(order_bind.order_id, order_id), eq(order_bind.state, 'asked')))
  )[0]
const becomeTheirs = (
  tx: Db,
  row: Order,
  bind: Pick<Bind, 'id' | 'member_id'>,
  by: By,
): Promise<Order> =>
  recount(tx, row, {
    event: 'bind',
    actor: staffOf(by),
    now: by.now,
    memo: by.reason,
    data: { bind_id: bind.id, member_id: bind.member_id },
    set: { member_id: bind.member_id, claimed_at: by.now },
  })
const mayBind = (row: Order) => {
  const may = orderCan('bindMember', row)
  if (may !== true) throw ruled(row.frozen ? 'frozen' : 'not_bindable', may)
}

/**
 * Gives a visitor's order to a member: at once where the order was made by the member's own phone,
 * else it is asked for and another person must agree. Once: while it is bound or asked for nobody
 * asks again. The order, held, keeps its mark of a visitor's order.
 */
export const bindMember = async (
  tx: Db,
  row: Order,
  of: By & { member_id: number },
): Promise<{ order: Order; bind: Bind }> => {
  mayBind(row)
  const open = await askedBind(tx, row.id)
  if (open)
    throw ruled(
      'asked',
      ['{who} 已申请绑定，等待另一人复核', '{who} has asked for it: another person must agree'],
      { who: await nameOf(tx, open.first_by) },
    )
  const [who] = await tx.select().from(member).where(eq(member.id, of.member_id))
  if (!who) throw missing()
  if (who.account_state !== 'normal' && who.account_state !== 'muted')
    throw ruled('member_off', ['「{name}」已注销或封禁，不能绑定', '{name} is closed or banned'], {
      name: who.nickname,
    })
  const same = row.visitor_phone !== null && row.visitor_phone === who.phone
  const [bind] = await tx
    .insert(order_bind)
    .values({
      order_id: row.id,
      ordered_at: row.created_at,
      city_id: row.city_id,
      mall_id: row.mall_id,
      member_id: who.id,
      state: same ? 'bound' : 'asked',
      first_by: of.id,
      reason: of.reason,
      ...(same && { bound_at: of.now }),
      created_at: of.now,
      updated_at: of.now,
    })
    .returning()
  const after = same
    ? await becomeTheirs(tx, row, bind!, of)
    : await recount(tx, row, {
        event: 'bind_ask',
        actor: staffOf(of),
        now: of.now,
        memo: of.reason,
        data: { bind_id: bind!.id, member_id: who.id },
      })
  return { order: after, bind: bind! }
}

/** The second person agrees, or not; whoever asked may take it back. */
export const decideBind = async (
  tx: Db,
  row: Order,
  of: By & { agree: boolean },
): Promise<{ order: Order; bind: Bind }> => {
  const open = await askedBind(tx, row.id)
  if (!open) throw ruled('nothing_asked', ['没有待复核的绑定申请', 'Nothing waits to be agreed to'])
  if (of.agree) mayBind(row)
  if (of.agree && open.first_by === of.id)
    throw ruled('same_person', [
      '须由申请人以外的另一人复核',
      'Another person than who asked must agree',
    ])
  const second = open.first_by === of.id ? {} : { second_by: of.id, second_reason: of.reason }
  const [bind] = await tx
    .update(order_bind)
    .set({
      ...second,
      state: of.agree ? 'bound' : 'refused',
      ...(of.agree && { bound_at: of.now }),
      version: open.version + 1,
      updated_at: of.now,
    })
    .where(and(eq(order_bind.id, open.id), eq(order_bind.state, 'asked')))
    .returning()
  const after = of.agree
    ? await becomeTheirs(tx, row, open, of)
    : await recount(tx, row, {
        event: 'bind_refuse',
        actor: staffOf(of),
        now: of.now,
        memo: of.reason,
        data: { bind_id: open.id },
      })
  return { order: after, bind: bind! }
}

/**
 * A binding is undone: within a day, and only while the member has neither used nor asked back
 * anything of it.
 */
export const unbindMember = async (tx: Db, row: Order, of: By): Promise<Order> => {
  const may = orderCan('unbindMember', row)
  if (may !== true) throw ruled(row.frozen ? 'frozen' : 'not_bound', may)
  const claimed_at = row.claimed_at!
  // A bill is redeemed by itself when it is paid: that is nobody's use.
  const [used] = await tx
    .select({ id: verify_record.id })
    .from(verify_record)
    .where(
      and(
        eq(verify_record.order_id, row.id),
        eq(verify_record.state, 'valid'),
        ne(verify_record.way, 'auto'),
        gte(verify_record.verified_at, claimed_at),
      ),
    )
    .limit(1)
  const [asked] = await tx
    .select({ id: refund.id })
    .from(refund)
    .where(
      and(
        eq(refund.order_id, row.id),
        eq(refund.source, 'member'),
        gte(refund.created_at, claimed_at),
      ),
    )
    .limit(1)
  const why = unbindRefusal(
    { claimed_at, used: used !== undefined, refunded: asked !== undefined },
    of.now,
  )
  if (why) throw ruled('not_undone', why)
  await tx
    .update(order_bind)
    .set({ state: 'undone', version: sql`${order_bind.version} + 1`, updated_at: of.now })
    .where(and(eq(order_bind.order_id, row.id), eq(order_bind.state, 'bound')))
  return recount(tx, row, {
    event: 'unbind',
    actor: staffOf(of),
    now: of.now,
    memo: of.reason,
    data: { member_id: row.member_id },
    set: { member_id: null, claimed_at: null },
  })
}

/** A typed reason with what the store agreed to beside it, in both languages (`joined`). */
export const agreedReason = (reason: string, agreed: string): string =>
  joined([`${reason}（门店同意：${agreed}）`, `${reason} (the store agrees: ${agreed})`])
/**
 * Before a bill paid at the store is given back, what was counted for the store is taken back;
 * refuses what its rules refuse. The order is held.
 */
export const reopenBill = async (
  tx: Db,
  row: Order,
  of: By & { amount_cents: number | undefined; agreed: string | undefined },
): Promise<void> => {
  const why =
    row.paid_at === null
      ? undefined
      : billRefusal(
          {
            paid_at: row.paid_at,
            whole_cents: row.paid_cents - row.refunded_cents,
            amount_cents: of.amount_cents,
            agreed: of.agreed !== undefined,
          },
          of.now,
        )
  if (why)
    throw ruled(
      of.amount_cents !== undefined && of.amount_cents !== row.paid_cents - row.refunded_cents
        ? 'whole_bill'
        : 'store_agreed',
      why,
    )
  const records = await tx
    .select({ id: verify_record.id })
    .from(verify_record)
    .where(and(eq(verify_record.order_id, row.id), eq(verify_record.state, 'valid')))
    .orderBy(verify_record.id)
  for (const { id } of records)
    await reverseRedemption(tx, {
      record_id: id,
      by: { admin_id: of.id },
      reason: of.agreed ? agreedReason(of.reason, of.agreed) : of.reason,
      now: of.now,
      late: true,
    })
}

const relatedWays = ['phone', 'device', 'openid'] as const
export type RelatedWay = (typeof relatedWays)[number]
const READ_MAX = 200
/**
 * Other orders of the same phone, device or WeChat identity that the reader may see, the newest
 * first, with what they have in common; at most `READ_MAX`. Each clue has its index.
 */
export const relatedTo = async (
  db: Db,
  row: Order,
  staff: Pick<Staff, 'scope'>,
): Promise<{ row: Order; by: RelatedWay[]; phone: string | null }[]> => {
  const parts: SQL[] = [
    ...(row.visitor_phone
      ? [
          sql`select o.id from "order" o where o.visitor_phone = ${row.visitor_phone}`,
          sql`select o.id from member m join "order" o on o.member_id = m.id where m.phone = ${row.visitor_phone}`,
        ]
      : []),
    ...(row.device_id
      ? [sql`select o.id from "order" o where o.device_id = ${row.device_id}`]
      : []),
    ...(row.visitor_openid
      ? [sql`select o.id from "order" o where o.visitor_openid = ${row.visitor_openid}`]
      : []),
  ]
  if (parts.length === 0) return []
  const found = await db
    .select({
      row: order,
      phone: sql<string | null>`coalesce(${member.phone}, ${order.visitor_phone})`,
    })
    .from(order)
    .leftJoin(member, eq(member.id, order.member_id))
    .where(
      and(
        ne(order.id, row.id),
        sql`${order.id} in (${sql.join(parts, sql` union all `)})`,
        within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      ),
    )
    .orderBy(desc(order.created_at), desc(order.id))
    .limit(READ_MAX)
  return found.map(one => ({
    ...one,
    by: [
      ...(row.visitor_phone &&
      (one.row.visitor_phone === row.visitor_phone || one.phone === row.visitor_phone)
        ? ['phone' as const]
        : []),
      ...(row.device_id && one.row.device_id === row.device_id ? ['device' as const] : []),
      ...(row.visitor_openid && one.row.visitor_openid === row.visitor_openid
        ? ['openid' as const]
        : []),
    ],
  }))
}
/**
 * What risk control knows of a visitor: entries of its lists that stand, and hits of its device
 * that are not released.
 */
export const riskOf = async (db: Db, row: Order, now: number) => {
  const values = [
    ...(row.visitor_phone
      ? [sql`(${risk_list.type} = 'phone' and ${risk_list.value} = ${row.visitor_phone})`]
      : []),
    ...(row.device_id
      ? [sql`(${risk_list.type} = 'device' and ${risk_list.value} = ${row.device_id})`]
      : []),
  ]
  const lists =
    values.length === 0
      ? []
      : await db
          .select({ list: risk_list.list, type: risk_list.type, until_at: risk_list.until_at })
          .from(risk_list)
          .where(
            and(
              eq(risk_list.status, 'on'),
              sql`(${sql.join(values, sql` or `)})`,
              sql`(${risk_list.until_at} is null or ${risk_list.until_at} > ${now})`,
            ),
          )
          .orderBy(risk_list.id)
  const [hits] =
    row.device_id === null
      ? [{ n: 0 }]
      : await db
          .select({ n: sql<number>`count(*)::int` })
          .from(risk_hit)
          .where(and(eq(risk_hit.device_id, row.device_id), ne(risk_hit.state, 'released')))
  return { lists, hits: hits!.n }
}

/** The code of an order that its holder read out: digits, however they were spaced. */
export const codeOfOrder = async (tx: Db, order_id: number, typed: string): Promise<string> => {
  const code = typed.normalize('NFKC').replace(/[\s-]/g, '')
  const [own] = await tx
    .select({ code: order_code.code })
    .from(order_code)
    .where(and(eq(order_code.code, code), eq(order_code.order_id, order_id)))
  if (!own)
    throw ruled('not_its_code', [
      '不是本订单的券码，请与持码人核对 12 位数字',
      'Not a code of this order: check the 12 digits with its holder',
    ])
  return own.code
}
