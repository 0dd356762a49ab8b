/**
 * The life of a place in a campaign: taken with the lock of a seat, used when the order is paid, free
 * again when it is not. Everyone holds in one order: the order, the campaign, its day, the record.
 */
import { and, desc, eq, gte, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import { film_order } from '#src/areas/film/film.table.ts'
import type { PullPrice } from '#src/areas/film/filmPrice.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import {
  film_pull_activity,
  film_pull_day,
  film_pull_person,
  film_pull_promoter,
  film_pull_record,
} from './pull.table.ts'
import { SCAN_S, SECOND_S } from './pullRules.ts'
import { pullReasons } from './pullWords.ts'

type Activity = typeof film_pull_activity.$inferSelect
type PullRecord = typeof film_pull_record.$inferSelect
export type TakingPull = {
  activity_id: number
  member_id: number
  device?: string | undefined
  /** What the seat is of. */
  show: { film_id: number; cinema_id: number; city_id: number; mall_id: number }
  now: number
}
/** What a person is known by: nobody of the same phone or device is new again. */
const marksOf = (of: { phone: string; device?: string | undefined }): string[] => [
  `p:${of.phone}`,
  ...(of.device ? [`d:${of.device}`] : []),
]
const holds = (ids: readonly number[], id: number): boolean => ids.length === 0 || ids.includes(id)
const covers = (of: Activity, { film_id, cinema_id, city_id, mall_id }: TakingPull['show']) =>
  holds(of.film_ids, film_id) &&
  holds(of.cinema_ids, cinema_id) &&
  (of.mall_ids.includes(mall_id) || (of.mall_ids.length === 0 && holds(of.city_ids, city_id)))
const notNew = () =>
  ruled('not_new', [
    '活动价仅限首次购买影票的新客，请按原价购买',
    'The campaign’s price is for a first ticket: buy at the usual price',
  ])
/** Refuses whoever paid a film ticket before, by phone or device, whatever became of that. */
const refuseKnown = async (tx: Db, of: TakingPull, phone: string): Promise<void> => {
  const [mark] = await tx
    .select({ id: film_pull_person.id })
    .from(film_pull_person)
    .where(inArray(film_pull_person.mark, marksOf({ phone, device: of.device })))
    .limit(1)
  if (mark) throw notNew()
  const { rows } = await tx.execute(sql`
    select 1 from film_order f join "order" o on o.id = f.order_id join member m on m.id = f.member_id
    where o.paid_at is not null and (m.phone = ${phone} or (${of.device ?? null}::text is not null and o.device_id = ${of.device ?? null}))
    limit 1`)
  if (rows.length > 0) throw notNew()
}
/** The promoter whose code the member scanned last, where that counts still. */
const lastScan = async (tx: Db, of: TakingPull): Promise<PullRecord | undefined> => {
  const r = film_pull_record
  const [found] = await tx
    .select({ record: r })
    .from(r)
    .innerJoin(
      film_pull_promoter,
      and(
        eq(film_pull_promoter.activity_id, r.activity_id),
        eq(film_pull_promoter.distributor_id, r.distributor_id),
      ),
    )
    .where(
      and(
        eq(r.member_id, of.member_id),
        eq(r.activity_id, of.activity_id),
        gte(r.scan_at, of.now - SCAN_S),
        inArray(r.status, ['scanned', 'registered']),
        isNull(r.order_id),
        isNull(film_pull_promoter.banned_at),
      ),
    )
    .orderBy(desc(r.scan_at), desc(r.id))
    .limit(1)
  return found?.record
}
/** Takes one of the places of a campaign and of its day; of many at once none gets one too many. */
const lockPlace = async (tx: Db, of: TakingPull): Promise<Activity> => {
  const a = film_pull_activity
  const [taken] = await tx
    .update(a)
    .set({ locked_count: sql`${a.locked_count} + 1`, version: sql`${a.version} + 1` })
    .where(
      and(
        eq(a.id, of.activity_id),
        eq(a.status, 'running'),
        lt(sql`${a.locked_count} + ${a.used_count}`, a.quota),
      ),
    )
    .returning()
  if (!taken)
    throw ruled('pull_gone', [
      '活动已结束或名额已抢完，请按原价购买',
      'The campaign is over or its places are gone: buy at the usual price',
    ])
  const d = film_pull_day
  const [day] = await tx
    .insert(d)
    .values({ activity_id: taken.id, day: dateOf(of.now), taken: 1 })
    .onConflictDoUpdate({
      target: [d.activity_id, d.day],
      set: { taken: sql`${d.taken} + 1` },
      setWhere: lt(d.taken, taken.quota_day),
    })
    .returning()
  if (!day || day.taken > taken.quota_day)
    throw ruled('pull_day_gone', [
      '今日名额已抢完，请明天再来或按原价购买',
      'Today’s places are gone: come back tomorrow, or buy at the usual price',
    ])
  return taken
}
export type Pulled = PullPrice & { record_id: number | null; marks: readonly string[] }
/**
 * Takes a place of a campaign for a member's first ticket, before the order is placed at the price
 * that it answers; `keepPull` writes down whose it became, in the same transaction. Throws 422 with
 * the rule that refuses: not new, nothing left, another film or place.
 */
export const takePull = async (tx: Db, of: TakingPull): Promise<Pulled> => {
  const [buyer] = await tx
    .select({ phone: member.phone })
    .from(member)
    .where(eq(member.id, of.member_id))
  if (!buyer) throw missing()
  await refuseKnown(tx, of, buyer.phone)
  const activity = await lockPlace(tx, of)
  const running = activity.start_at <= of.now && of.now < activity.end_at
  if (!running || !covers(activity, of.show))
    throw ruled('pull_elsewhere', [
      '该场次不在活动范围内，请换一场或按原价购买',
      'The campaign is not for this show: choose another, or buy at the usual price',
    ])
  const scan = await lastScan(tx, of)
  return {
    price_cents: activity.price_cents,
    activity_id: activity.id,
    distributor_id: scan?.distributor_id ?? null,
    record_id: scan?.id ?? null,
    marks: marksOf({ phone: buyer.phone, device: of.device }),
  }
}
/** Writes down whose the place became: its buyer takes no other, in any campaign. */
export const keepPull = async (
  tx: Db,
  pulled: Pulled,
  { order_id, now }: { order_id: number; now: number },
): Promise<void> => {
  const made = await tx
    .insert(film_pull_person)
    .values(pulled.marks.map(mark => ({ mark, order_id, created_at: now, updated_at: now })))
    .onConflictDoNothing()
    .returning({ id: film_pull_person.id })
  if (made.length < pulled.marks.length) throw notNew()
  if (pulled.record_id !== null) await setRecord(tx, pulled.record_id, { order_id }, now)
}
const setRecord = (tx: Db, id: number, set: Partial<PullRecord>, now: number) =>
  tx
    .update(film_pull_record)
    .set({ ...set, updated_at: now, version: sql`${film_pull_record.version} + 1` })
    .where(eq(film_pull_record.id, id))
const recordOf = async (tx: Db, order_id: number): Promise<PullRecord | undefined> =>
  (
    await tx
      .select()
      .from(film_pull_record)
      .where(eq(film_pull_record.order_id, order_id))
      .for('update')
  )[0]
/** The campaign that an order was sold by, held; undefined of any other order. */
const activityOf = async (tx: Db, order_id: number): Promise<Activity | undefined> => {
  const [sold] = await tx
    .select({ id: film_order.pull_activity_id })
    .from(film_order)
    .where(eq(film_order.order_id, order_id))
  if (!sold || sold.id === null) return undefined
  const [activity] = await tx
    .select()
    .from(film_pull_activity)
    .where(eq(film_pull_activity.id, sold.id))
    .for('update')
  return activity
}
/** An order that was not paid gives its place back, and its buyer is new again. */
export const freePull = async (
  tx: Db,
  row: Pick<Order, 'id' | 'created_at'>,
  now: number,
): Promise<void> => {
  const activity = await activityOf(tx, row.id)
  if (!activity) return
  const a = film_pull_activity
  await tx
    .update(a)
    .set({ locked_count: sql`${a.locked_count} - 1`, version: sql`${a.version} + 1` })
    .where(eq(a.id, activity.id))
  const d = film_pull_day
  await tx
    .update(d)
    .set({ taken: sql`${d.taken} - 1` })
    .where(and(eq(d.activity_id, activity.id), eq(d.day, dateOf(row.created_at))))
  await tx.delete(film_pull_person).where(eq(film_pull_person.order_id, row.id))
  const record = await recordOf(tx, row.id)
  if (record) await setRecord(tx, record.id, { order_id: null }, now)
}
/** The second purchase of whoever came by a campaign, once, within its days. */
const noteSecond = (tx: Db, row: Pick<Order, 'id' | 'member_id'>, now: number) =>
  tx
    .update(film_pull_record)
    .set({ second_paid_at: now, version: sql`${film_pull_record.version} + 1` })
    .where(
      and(
        eq(film_pull_record.member_id, row.member_id!),
        isNull(film_pull_record.second_paid_at),
        gte(film_pull_record.ticketed_at, now - SECOND_S),
        ne(film_pull_record.order_id, row.id),
      ),
    )
/** A paid order uses its place; the campaign ends with its last one. */
export const spendPull = async (
  tx: Db,
  row: Pick<Order, 'id' | 'member_id'>,
  now: number,
): Promise<void> => {
  const activity = await activityOf(tx, row.id)
  if (!activity) {
    await noteSecond(tx, row, now)
    return
  }
  const a = film_pull_activity
  const used = activity.used_count + 1
  const isLast = used >= activity.quota && activity.status === 'running'
  await tx
    .update(a)
    .set({
      locked_count: sql`${a.locked_count} - 1`,
      used_count: used,
      version: sql`${a.version} + 1`,
      ...(isLast && { status: 'ended' as const, ended_at: now, reason: pullReasons.used }),
    })
    .where(eq(a.id, activity.id))
  const record = await recordOf(tx, row.id)
  if (!record) return
  await setRecord(
    tx,
    record.id,
    {
      status: 'ticketed',
      register_at: record.register_at ?? now,
      ticketed_at: now,
      reward_cents: activity.reward_cents,
    },
    now,
  )
}
/** The show is over and nothing went back: whoever brought the buyer is to be rewarded. */
export const provePull = async (tx: Db, order_id: number, now: number): Promise<void> => {
  const record = await recordOf(tx, order_id)
  if (record?.status === 'ticketed')
    await setRecord(tx, record.id, { status: 'valid', valid_at: now }, now)
}
/** The order behind a record, where somebody paid it and nothing went back. */
export const stillSold = async (tx: Db, record: PullRecord): Promise<boolean> => {
  if (record.order_id === null) return record.ticketed_at === null
  const [row] = await tx
    .select({ pay_state: order.pay_state, refunded_cents: order.refunded_cents })
    .from(order)
    .where(eq(order.id, record.order_id))
  return row !== undefined && row.pay_state === 'paid' && row.refunded_cents === 0
}
