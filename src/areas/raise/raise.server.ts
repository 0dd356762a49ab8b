import { and, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import {
  noteOrder,
  noteOrders,
  recount,
  recountMany,
  system,
  type Actor,
  type Order,
} from '#src/areas/order/orderFacts.server.ts'
import { phoneOf, queueMessage } from '#src/areas/order/orderMessages.server.ts'
import { settleOf } from '#src/areas/order/orderMoney.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, withAside } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { deposit_forfeit } from './forfeit.table.ts'
import { raise_batch } from './raise.table.ts'
import {
  BALANCE_EXTEND_S,
  BALANCE_S,
  depositKept,
  extendRefusal,
  isFreeToLeave,
  isMet,
  keepsDeposit,
  raiseCan,
  raiseEnds,
  REMIND_EVERY_S,
  type DepositFacts,
  type ForfeitCause,
  type RaiseEnd,
  type Raised,
} from './raise.ts'

export type Batch = typeof raise_batch.$inferSelect
/**
 * So many rows are written by one statement: one takes 65,535 values, and a campaign may have more
 * buyers than that.
 */
const SOME = 500
const short = (at: number) => timeFull(at).slice(0, 16)

/** A campaign and its orders change together: the campaign is held before any of them. */
export const holdBatch = async (tx: Db, id: number): Promise<Batch> => {
  const [row] = await tx.select().from(raise_batch).where(eq(raise_batch.id, id)).for('update')
  if (!row) throw missing()
  return row
}
/** Orders that pledge: paid, or with their deposit, and not wholly given back. */
const pledges = (batch_id: number) =>
  and(
    eq(order.raise_batch_id, batch_id),
    inArray(order.pay_state, ['paid', 'part_paid']),
    sql`${order.refund_state} <> 'refunded'`,
  )
/** Holds them all, in the order in which everybody holds orders. */
const holdPledges = (tx: Db, batch_id: number): Promise<Order[]> =>
  tx.select().from(order).where(pledges(batch_id)).orderBy(order.id).for('update')

/**
 * Money that came in too late and goes back: a join of orders to what of it was not sent back yet
 * (cents). It is among what they paid, and was never theirs.
 */
export const goingBack = sql`(select order_id, sum(amount_cents) cents from refund where cause = 'late_pay' and state <> 'done' group by 1) late on late.order_id = o.id`

/**
 * What campaigns have raised: units and money paid and not given back, counted from their orders
 * and stored nowhere. `since` counts what was paid from then on.
 */
export const raisedOf = async (
  db: Db,
  batch_ids: readonly number[],
  since = 0,
): Promise<ReadonlyMap<number, Raised>> => {
  if (batch_ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; units: number; cents: string }>(sql`
    select o.raise_batch_id id, coalesce(sum((select sum(i.qty - i.refunded_qty) from order_item i where i.order_id = o.id)), 0)::int units, coalesce(sum(o.paid_cents - o.refunded_cents - coalesce(late.cents, 0)), 0)::bigint cents
    from "order" o left join ${goingBack} where o.raise_batch_id in ${[...batch_ids]} and o.pay_state in ('paid', 'part_paid') and o.refund_state <> 'refunded' and o.paid_at >= ${since} group by 1`)
  return new Map(rows.map(row => [row.id, { units: row.units, cents: Number(row.cents) }]))
}
const NOTHING: Raised = { units: 0, cents: 0 }
export const raisedNow = async (db: Db, batch_id: number): Promise<Raised> =>
  (await raisedOf(db, [batch_id])).get(batch_id) ?? NOTHING

/**
 * An order takes its units while the campaign raises and has some left; of two who want the last
 * one the second is refused. Answers the campaign, which is held from here on.
 */
export const takeUnits = async (
  tx: Db,
  of: { batch_id: number; product_id: number; qty: number; now: number },
): Promise<Batch> => {
  const { batch_id, qty, now } = of
  const [batch] = await tx
    .update(raise_batch)
    .set({ taken_units: sql`${raise_batch.taken_units} + ${qty}` })
    .where(
      and(
        eq(raise_batch.id, batch_id),
        eq(raise_batch.product_id, of.product_id),
        eq(raise_batch.state, 'raising'),
        lte(raise_batch.start_at, now),
        sql`${raise_batch.end_at} > ${now} and ${raise_batch.taken_units} + ${qty} <= ${raise_batch.cap_units}`,
      ),
    )
    .returning()
  if (batch) return batch
  const [is] = await tx.select().from(raise_batch).where(eq(raise_batch.id, batch_id))
  if (!is || is.product_id !== of.product_id) throw missing()
  if (is.state !== 'raising' || is.end_at <= now || is.start_at > now)
    throw ruled('batch_over', ['该场众筹未开始或已结束', 'It has not begun, or is over'])
  throw ruled(
    'sold_out',
    ['该场众筹限 {cap} 件，只剩 {n} 件', 'It is limited to {cap}; {n} are left'],
    { cap: is.cap_units, n: is.cap_units - is.taken_units },
  )
}
/** Units of a closed or refunded order are free again. The campaign must be held. */
export const freeUnits = (tx: Db, batch_id: number, qty: number) =>
  tx
    .update(raise_batch)
    .set({ taken_units: sql`${raise_batch.taken_units} - ${qty}` })
    .where(eq(raise_batch.id, batch_id))

/** For whoever came second: how the raising ended, when, and by whom. */
const over = async (tx: Db, batch: Batch) => {
  const [who] =
    batch.ended_by === null
      ? []
      : await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, batch.ended_by))
  const [zh, en] = raiseEnds[batch.end_by ?? 'timeout']
  const values = {
    who: who?.name ?? '',
    when: timeFull(batch.ended_at ?? batch.updated_at),
    zh,
    en,
  }
  return batch.state === 'draft'
    ? ruled('not_begun', ['众筹还没开始', 'It has not begun'])
    : conflict(
        batch.state === 'failed'
          ? [
              '该场众筹已于 {when} 失败（{zh} {who}），不能再改',
              'It failed at {when} ({en} {who}): that is final',
            ]
          : [
              '该场众筹已于 {when} 成功（{zh} {who}），不能再改',
              'It succeeded at {when} ({en} {who}): that is final',
            ],
        values,
        batch,
      )
}
/**
 * Ends the raising: whoever ends it first has ended it, the other is told how. The campaign must be
 * held.
 */
export const endRaising = async (
  tx: Db,
  batch: Batch,
  of: {
    state: 'success' | 'failed'
    end_by: RaiseEnd
    now: number
    actor: Actor
    reason?: string | undefined
    set?: Partial<typeof raise_batch.$inferInsert>
  },
): Promise<Batch> => {
  const [after] = await tx
    .update(raise_batch)
    .set({
      ...of.set,
      state: of.state,
      end_by: of.end_by,
      ended_at: of.now,
      ended_by: of.actor.type === 'staff' ? (of.actor.id ?? null) : null,
      end_reason: of.reason ?? null,
      version: sql`${raise_batch.version} + 1`,
      updated_at: of.now,
    })
    .where(and(eq(raise_batch.id, batch.id), eq(raise_batch.state, 'raising')))
    .returning()
  if (!after) throw await over(tx, batch)
  return after
}

/** What orders still owe of their prices, in cents by their ids. */
export const owedOf = async (
  tx: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await tx.execute<{ id: number; cents: string }>(
    sql`select o.id, o.pay_cents - (o.paid_cents - o.refunded_cents - coalesce(late.cents, 0)) cents from "order" o left join ${goingBack} where ${oneOf(sql`o.id`, ids)}`,
  )
  return new Map(rows.map(row => [row.id, Number(row.cents)]))
}
const idsOf = (rows: readonly Order[]) => rows.map(row => row.id)
/**
 * A balance is asked for: a payment of its own beside the deposit's. Answers how much of each
 * order.
 */
export const askBalances = async (
  tx: Db,
  rows: readonly Order[],
  now: number,
): Promise<ReadonlyMap<number, number>> => {
  const owed = await owedOf(tx, idsOf(rows))
  const before = grouped(
    await tx
      .select({
        order_id: payment.order_id,
        channel: payment.channel,
        n: sql<number>`count(*)::int`,
      })
      .from(payment)
      .where(and(oneOf(payment.order_id, idsOf(rows)), eq(payment.direction, 'in')))
      .groupBy(payment.order_id, payment.channel),
    one => one.order_id,
  )
  const asked = rows.map(row => {
    const known = before.get(row.id)!
    return {
      order_id: row.id,
      direction: 'in' as const,
      stage: 'balance' as const,
      channel: known[0]!.channel,
      amount_cents: owed.get(row.id)!,
      out_no: `${row.order_no}-${known.reduce((n, one) => n + one.n, 0) + 1}`,
      state: 'pending' as const,
      created_at: now,
      updated_at: now,
    }
  })
  for (let at = 0; at < asked.length; at += SOME)
    await tx.insert(payment).values(asked.slice(at, at + SOME))
  return owed
}
/** Tells the buyers of some orders, each in words of its own. */
const tellAll = async (
  tx: Db,
  rows: readonly Order[],
  { kind, textOf }: { kind: 'balance' | 'delay' | 'notice'; textOf: (row: Order) => string },
  of: { actor: Actor; now: number },
): Promise<number> => {
  const people = await tx
    .select({ id: member.id, phone: member.phone })
    .from(member)
    .where(oneOf(member.id, new Set(rows.flatMap(row => row.member_id ?? []))))
  const phones = new Map(people.map(one => [one.id, one.phone]))
  const told = rows.flatMap(row => {
    const phone = row.visitor_phone ?? phones.get(row.member_id ?? 0)
    return phone
      ? [
          {
            order_id: row.id,
            kind,
            phone,
            text: textOf(row),
            admin_id: of.actor.type === 'staff' ? (of.actor.id ?? null) : null,
            created_at: of.now,
            updated_at: of.now,
          },
        ]
      : []
  })
  for (let at = 0; at < told.length; at += SOME)
    await tx.insert(order_message).values(told.slice(at, at + SOME))
  return told.length
}
const balanceWords = (
  row: Order,
  of: { title: string; until: number; owed: ReadonlyMap<number, number> },
) =>
  `您参与的众筹「${of.title}」已成功，请在 ${short(of.until)} 前支付尾款 ¥${yuan(of.owed.get(row.id)!)}。订单 ${row.order_no}`

/**
 * A campaign has succeeded: goods paid in full may go, of the others the balance is due. By the
 * clock where the target is met; by staff before that, and below the target only when one person
 * asks and another agrees: the first asks by the same step, and the campaign goes on raising until
 * then.
 */
export const succeedRaise = async (
  tx: Db,
  batch_id: number,
  of: { now: number; actor?: Actor; reason?: string },
): Promise<Batch> => {
  const { now, actor = system, reason } = of
  const batch = await holdBatch(tx, batch_id)
  if (batch.state !== 'raising') throw await over(tx, batch)
  const met = isMet(batch, await raisedNow(tx, batch_id))
  if (!met && batch.declare_by === null) {
    const [asked] = await tx
      .update(raise_batch)
      .set({
        declare_by: actor.id!,
        declare_reason: reason!,
        declare_at: now,
        version: sql`${raise_batch.version} + 1`,
        updated_at: now,
      })
      .where(eq(raise_batch.id, batch_id))
      .returning()
    return asked!
  }
  if (!met && batch.declare_by === actor.id)
    throw ruled('second_person', [
      '未达目标：你已提请宣布成功，须由另一人确认',
      'Below its target: you asked for it, another person must agree',
    ])
  const balance_end_at =
    batch.mode === 'deposit' ? Math.max(batch.balance_end_at ?? 0, now + BALANCE_S) : null
  const after = await endRaising(tx, batch, {
    state: 'success',
    end_by: met && actor.type !== 'staff' ? 'target' : 'declare',
    now,
    actor,
    reason,
    set: {
      balance_end_at,
      ...(met && { declare_by: null, declare_reason: null, declare_at: null }),
    },
  })
  const rows = await holdPledges(tx, batch_id)
  const due = (row: Order) => row.pay_state === 'part_paid'
  const now2 = await recountMany(tx, rows, {
    event: 'raise_success',
    actor,
    now,
    ...(reason && { memo: reason }),
    data: { batch_id },
    set: row => ({
      promise_at: after.ship_at,
      ...(due(row) && { balance_due: true, expire_pay_at: balance_end_at! }),
    }),
  })
  const owed = await askBalances(tx, now2.filter(due), now)
  await tellAll(
    tx,
    now2.filter(due),
    {
      kind: 'balance',
      textOf: row => balanceWords(row, { title: after.title, until: balance_end_at!, owed }),
    },
    { actor, now },
  )
  return after
}
/**
 * A deposit that came in after the campaign had succeeded owes its balance at once. Order and
 * campaign must be held.
 */
export const oweBalance = async (tx: Db, row: Order, batch: Batch, now: number): Promise<Order> => {
  const until = Math.max(batch.balance_end_at ?? 0, now + BALANCE_S)
  const after = await recount(tx, row, {
    event: 'balance_ask',
    actor: system,
    now,
    set: { balance_due: true, expire_pay_at: until, promise_at: batch.ship_at },
  })
  const owed = await askBalances(tx, [after], now)
  await tellAll(
    tx,
    [after],
    { kind: 'balance', textOf: one => balanceWords(one, { title: batch.title, until, owed }) },
    { actor: system, now },
  )
  return after
}

/**
 * More time to raise: once, by thirty days at most, while it raises. The time for the balance and
 * the day of shipping move along, and everybody is told.
 */
export const extendRaise = async (
  tx: Db,
  of: { batch_id: number; until: number; actor: Actor; reason: string; now: number },
): Promise<Batch> => {
  const { now, actor } = of
  const batch = await holdBatch(tx, of.batch_id)
  if (batch.state !== 'raising') throw await over(tx, batch)
  const may = raiseCan('extendRaise', batch)
  if (may !== true) throw ruled('extended', may)
  const fits = extendRefusal(batch, of.until)
  if (fits !== true) throw ruled('until', fits)
  if (of.until <= now) throw ruled('until', ['新的截止时间须在将来', 'The new end must lie ahead'])
  const by = of.until - batch.end_at
  const [after] = await tx
    .update(raise_batch)
    .set({
      end_at: of.until,
      extended: true,
      ship_at: batch.ship_at + by,
      balance_end_at: batch.balance_end_at === null ? null : batch.balance_end_at + by,
      declare_by: null,
      declare_reason: null,
      declare_at: null,
      version: sql`${raise_batch.version} + 1`,
      updated_at: now,
    })
    .where(eq(raise_batch.id, batch.id))
    .returning()
  const rows = await holdPledges(tx, batch.id)
  await noteOrders(tx, idsOf(rows), {
    event: 'raise_extend',
    actor,
    at: now,
    memo: joined(withAside(of.reason, short(of.until))),
  })
  await tellAll(
    tx,
    rows,
    {
      kind: 'delay',
      textOf: row =>
        `您参与的众筹「${batch.title}」延长至 ${short(of.until)}，预计 ${short(after!.ship_at).slice(0, 10)} 起发货；众筹期内可随时全额退款。订单 ${row.order_no}`,
    },
    { actor, now },
  )
  return after!
}

/**
 * Goods will be sent later than was said: every buyer who waits is told, and above a week may have
 * all the money back.
 */
export const delayShip = async (
  tx: Db,
  of: { batch_id: number; new_ship_at: number; actor: Actor; reason: string; now: number },
): Promise<Batch> => {
  const { now, actor, new_ship_at } = of
  const batch = await holdBatch(tx, of.batch_id)
  const may = raiseCan('delayShip', batch)
  if (may !== true) throw ruled('not_delayable', may)
  if (new_ship_at <= batch.ship_at)
    throw ruled(
      'not_later',
      ['须晚于现在承诺的 {when}', 'Later than the {when} that is promised'],
      { when: short(batch.ship_at) },
    )
  if (new_ship_at <= now) throw ruled('in_the_past', ['新的发货时间须在将来', 'It must lie ahead'])
  const [after] = await tx
    .update(raise_batch)
    .set({ ship_at: new_ship_at, version: sql`${raise_batch.version} + 1`, updated_at: now })
    .where(eq(raise_batch.id, batch.id))
    .returning()
  const waiting = (await holdPledges(tx, batch.id)).filter(row =>
    ['waiting_group', 'waiting_ship', 'part_shipped'].includes(row.fulfil_state),
  )
  const rows = await recountMany(tx, waiting, {
    event: 'delay',
    actor,
    now,
    memo: joined(withAside(of.reason, short(new_ship_at))),
    set: row => (row.promise_at === null ? {} : { promise_at: new_ship_at }),
  })
  const free = isFreeToLeave(after!) ? '，您可随时申请全额退款（含定金）' : ''
  await tellAll(
    tx,
    rows,
    {
      kind: 'delay',
      textOf: row =>
        `您参与的众筹「${batch.title}」延期至 ${short(new_ship_at)} 发货：${of.reason}${free}。订单 ${row.order_no}`,
    },
    { actor, now },
  )
  return after!
}

/** Reminds whoever owes a balance, each once a day. Answers how many were told. */
export const remindBalance = async (
  tx: Db,
  of: { batch_id: number; actor: Actor; now: number },
): Promise<number> => {
  const { now, actor } = of
  const batch = await holdBatch(tx, of.batch_id)
  const may = raiseCan('remindBalance', batch)
  if (may !== true) throw ruled('no_balance', may)
  const owing = and(
    pledges(batch.id),
    eq(order.balance_due, true),
    eq(order.refund_state, 'none'),
    eq(order.frozen, false),
  )
  const rows = await tx
    .select()
    .from(order)
    .where(and(owing, or(isNull(order.reminded_at), lt(order.reminded_at, now - REMIND_EVERY_S))))
    .orderBy(order.id)
    .for('update')
  if (rows.length === 0) {
    const [any] = await tx.select({ id: order.id }).from(order).where(owing).limit(1)
    throw any
      ? ruled('reminded', ['24 小时内都已提醒过', 'All were reminded within 24 hours'])
      : ruled('nobody_owes', ['没有待付尾款的订单', 'No balance due'])
  }
  await tx
    .update(order)
    .set({ reminded_at: now })
    .where(oneOf(order.id, idsOf(rows)))
  await noteOrders(tx, idsOf(rows), {
    event: 'remind',
    actor,
    at: now,
    memo: joined(['提醒支付尾款', 'Reminded of the balance']),
  })
  const owed = await owedOf(tx, idsOf(rows))
  return tellAll(
    tx,
    rows,
    {
      kind: 'balance',
      textOf: row => balanceWords(row, { title: batch.title, until: row.expire_pay_at, owed }),
    },
    { actor, now },
  )
}

/**
 * More time for the balance of one order: up to 72 hours past its campaign's. Order and campaign
 * must be held.
 */
export const extendBalance = async (
  tx: Db,
  row: Order,
  batch: Batch,
  of: { until: number; actor: Actor; reason: string; now: number },
): Promise<Order> => {
  if (!row.balance_due) throw ruled('no_balance', ['没有待付的尾款', 'No balance due'])
  const latest = batch.balance_end_at! + BALANCE_EXTEND_S
  if (of.until <= row.expire_pay_at || of.until <= of.now)
    throw ruled(
      'not_later',
      ['只能延长：须晚于现在的期限 {when}', 'Only longer: later than {when}'],
      { when: short(Math.max(row.expire_pay_at, of.now)) },
    )
  if (of.until > latest)
    throw ruled('too_late', ['最多延长 72 小时，即到 {when}', 'By 72 hours at most, to {when}'], {
      when: short(latest),
    })
  const after = await recount(tx, row, {
    event: 'balance_extend',
    actor: of.actor,
    now: of.now,
    memo: joined(withAside(of.reason, short(of.until))),
    set: { expire_pay_at: of.until },
  })
  await queueMessage(tx, {
    order_id: row.id,
    kind: 'balance',
    phone: await phoneOf(tx, row),
    text: `您的尾款支付期限已延长至 ${short(of.until)}，应付 ¥${yuan((await owedOf(tx, [row.id])).get(row.id)!)}。订单 ${row.order_no}`,
    ...(of.actor.id && { admin_id: of.actor.id }),
    now: of.now,
  })
  return after
}

/** The deposit of an order: its payment, and what of it is neither given back nor kept. */
export const depositOf = async (
  tx: Db,
  order_id: number,
): Promise<{ id: number; amount_cents: number; left_cents: number } | undefined> => {
  const [paid] = await tx
    .select({ id: payment.id, amount_cents: payment.amount_cents })
    .from(payment)
    .where(
      and(
        eq(payment.order_id, order_id),
        eq(payment.stage, 'deposit'),
        eq(payment.state, 'success'),
      ),
    )
  if (!paid) return undefined
  const [out] = await tx
    .select({ cents: sql<string>`coalesce(sum(${payment.amount_cents}), 0)` })
    .from(payment)
    .where(and(eq(payment.parent_id, paid.id), inArray(payment.state, ['pending', 'success'])))
  const [kept] = await tx
    .select({ cents: sql<string>`coalesce(sum(${refund.kept_cents}), 0)` })
    .from(refund)
    .where(and(eq(refund.order_id, order_id), sql`${refund.state} not in ('rejected', 'closed')`))
  return {
    ...paid,
    left_cents: Math.max(0, paid.amount_cents - Number(out!.cents) - Number(kept!.cents)),
  }
}
/** The deposit of an order that may stay with the seller; undefined where an order has none. */
export const readDeposit = async (tx: Db, row: Order): Promise<DepositFacts | undefined> => {
  if (row.raise_batch_id === null || row.sub_kind !== 'deposit') return undefined
  const [batch] = await tx.select().from(raise_batch).where(eq(raise_batch.id, row.raise_batch_id))
  const [balance] = await tx
    .select({ id: payment.id })
    .from(payment)
    .where(
      and(eq(payment.order_id, row.id), eq(payment.stage, 'balance'), eq(payment.state, 'success')),
    )
    .orderBy(payment.id)
    .limit(1)
  return {
    deposit: await depositOf(tx, row.id),
    keeps: batch !== undefined && keepsDeposit(batch),
    balance_id: balance?.id ?? null,
    part_paid: row.pay_state === 'part_paid',
  }
}
/** Reads what `depositKept` needs and answers it. */
export const keptOf = async (
  tx: Db,
  row: Order,
  of: { n: number; left: number },
): Promise<{ kept_cents: number; payment_id: number | null }> =>
  depositKept(await readDeposit(tx, row), of)
/** Writes a kept deposit down as income, shared as its goods are. */
export const keepDeposit = async (
  tx: Db,
  row: Order,
  of: { amount_cents: number; cause: ForfeitCause; refund_id?: number; now: number },
): Promise<void> => {
  const [item] = await tx
    .select({ snapshot: order_item.snapshot })
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
    .orderBy(order_item.id)
    .limit(1)
  const merchant_cents = settleOf(
    of.amount_cents,
    0,
    (item!.snapshot as { commission_bp: number }).commission_bp,
  )
  await tx.insert(deposit_forfeit).values({
    order_id: row.id,
    batch_id: row.raise_batch_id!,
    refund_id: of.refund_id ?? null,
    merchant_id: row.merchant_id,
    city_id: row.city_id,
    mall_id: row.mall_id,
    cause: of.cause,
    amount_cents: of.amount_cents,
    merchant_cents,
    platform_cents: of.amount_cents - merchant_cents,
    created_at: of.now,
    updated_at: of.now,
  })
  await noteOrder(tx, {
    order_id: row.id,
    event: 'forfeit',
    actor: system,
    at: of.now,
    memo: `¥${yuan(of.amount_cents)}`,
    data: { cause: of.cause },
  })
}
/**
 * A refund of a campaign's order is done: its units are free, its balance is not asked for any
 * more, a deposit that was kept is income, and one that was given back after all is none. Order and
 * campaign must be held.
 */
export const leftRaise = async (
  tx: Db,
  row: Order,
  of: { refund: typeof refund.$inferSelect; units: number; now: number },
): Promise<void> => {
  const { now } = of
  if (of.units > 0) await freeUnits(tx, row.raise_batch_id!, of.units)
  if (row.refund_state === 'refunded')
    await tx
      .update(payment)
      .set({ state: 'closed', updated_at: now })
      .where(
        and(
          eq(payment.order_id, row.id),
          eq(payment.direction, 'in'),
          eq(payment.state, 'pending'),
        ),
      )
  if (of.refund.kept_cents > 0)
    await keepDeposit(tx, row, {
      amount_cents: of.refund.kept_cents,
      cause: 'withdrawn',
      refund_id: of.refund.id,
      now,
    })
  if (of.refund.cause === 'apply' && of.units === 0)
    await tx
      .update(deposit_forfeit)
      .set({
        state: 'returned',
        returned_at: now,
        version: sql`${deposit_forfeit.version} + 1`,
        updated_at: now,
      })
      .where(and(eq(deposit_forfeit.order_id, row.id), eq(deposit_forfeit.state, 'valid')))
}

/**
 * Campaigns go on as their orders do: some of it was sent, all of it is through. Answers how many
 * moved.
 */
export const moveRaises = async (tx: Db, now: number): Promise<number> => {
  const moved = { version: sql`${raise_batch.version} + 1`, updated_at: now }
  const has = (where: ReturnType<typeof sql>) =>
    sql`exists (select 1 from "order" o where o.raise_batch_id = "raise_batch"."id" and ${where})`
  const begun = await tx
    .update(raise_batch)
    .set({ state: 'raising', ...moved })
    .where(
      and(
        eq(raise_batch.state, 'draft'),
        lte(raise_batch.start_at, now),
        sql`${raise_batch.end_at} > ${now}`,
      ),
    )
    .returning({ id: raise_batch.id })
  const sent = await tx
    .update(raise_batch)
    .set({ state: 'shipping', ...moved })
    .where(
      and(
        eq(raise_batch.state, 'success'),
        has(sql`o.fulfil_state in ('part_shipped', 'shipped', 'finished')`),
      ),
    )
    .returning({ id: raise_batch.id })
  const done = await tx
    .update(raise_batch)
    .set({ state: 'finished', ...moved })
    .where(
      and(
        inArray(raise_batch.state, ['success', 'shipping']),
        sql`not ${has(sql`(o.pay_state = 'unpaid' or (o.pay_state in ('paid', 'part_paid') and o.refund_state <> 'refunded' and (o.fulfil_state <> 'finished' or o.refund_state = 'refunding')))`)}`,
      ),
    )
    .returning({ id: raise_batch.id })
  return begun.length + sent.length + done.length
}
