import { and, desc, eq, gte, inArray, sql, type SQL } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { byIds } from '#src/server/db/byIds.ts'
import { user_log as t } from './userLog.table.ts'
import { ONLINE_DAYS, SHARED_MOST, TIMELINE_MOST } from './userLog.ts'

export type UserLog = typeof t.$inferSelect
type Account = Pick<typeof member.$inferSelect, 'id' | 'uid' | 'nickname' | 'account_state'>
/** What is told of an account; of an erased one its id alone. */
export const accountOf = ({ id, uid, nickname, account_state }: Account) => {
  const isErased = account_state === 'canceled'
  return {
    member_id: id,
    uid: isErased ? '' : uid,
    nickname: isErased ? '' : nickname,
    account_state,
  }
}
/** Lines as they are shown: the coupons and products that they name by their names. */
export const deedsOf = async (db: Db, rows: readonly UserLog[]) => {
  const coupons = await byIds(
    rows.map(row => row.detail.coupon_id ?? null),
    ids =>
      db.select({ id: coupon.id, name: coupon.name }).from(coupon).where(inArray(coupon.id, ids)),
  )
  const products = await byIds(
    rows.map(row => row.detail.product_id ?? null),
    ids =>
      db
        .select({ id: product.id, name: product.title })
        .from(product)
        .where(inArray(product.id, ids)),
  )
  return rows.map(({ ip, device_id, detail: { coupon_id, product_id, ...detail }, ...row }) => ({
    ...row,
    client_ip: ip,
    client_device: device_id,
    detail: {
      ...detail,
      ...(coupon_id !== undefined && { coupon: coupons.get(coupon_id)?.name ?? `#${coupon_id}` }),
      ...(product_id !== undefined && {
        product: products.get(product_id)?.name ?? `#${product_id}`,
      }),
    },
  }))
}
/** The accounts of these ids. */
export const accountsOf = (db: Db, ids: readonly number[]) =>
  byIds(ids, some => db.select().from(member).where(inArray(member.id, some)))

/** What a member did in the days that are online, the last first, and by which devices. */
export const timelineOf = async (db: Db, member_id: number, now: number) => {
  const mine = and(eq(t.member_id, member_id), gte(t.at, now - ONLINE_DAYS * DAY))
  const rows = await db
    .select()
    .from(t)
    .where(mine)
    .orderBy(desc(t.at), desc(t.id))
    .limit(TIMELINE_MOST + 1)
  const devices = await db
    .select({
      client_device: t.device_id,
      deeds: sql<number>`count(*)::int`,
      last_at: sql<number>`max(${t.at})`.mapWith(Number),
    })
    .from(t)
    .where(and(mine, sql`${t.device_id} <> ''`))
    .groupBy(t.device_id)
    .orderBy(sql`max(${t.at}) desc`)
    .limit(20)
  return {
    list: await deedsOf(db, rows.slice(0, TIMELINE_MOST)),
    cut: rows.length > TIMELINE_MOST,
    devices,
  }
}

/**
 * Accounts seen by a device or an address in the days that are online, the last seen first: at most
 * 200, and whether there are more. Only those that the person may see.
 */
export const sharedBy = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
  { by, value, now }: { by: 'device' | 'ip'; value: string; now: number },
) => {
  // The literal lets the planner use the index of rows that have one.
  const seenBy: SQL =
    by === 'device'
      ? sql`${t.device_id} = ${value} and ${t.device_id} <> ''`
      : sql`${t.ip} = ${value} and ${t.ip} <> ''`
  const last = sql<number>`max(${t.at})`
  const rows = await db
    .select({
      id: member.id,
      uid: member.uid,
      nickname: member.nickname,
      account_state: member.account_state,
      deeds: sql<number>`count(*)::int`,
      risk: sql<number>`max(${t.risk})`,
      first_at: sql<number>`min(${t.at})`.mapWith(Number),
      last_at: last.mapWith(Number),
    })
    .from(t)
    .innerJoin(member, eq(member.id, t.member_id))
    .where(and(seenBy, gte(t.at, now - ONLINE_DAYS * DAY), members.seen(staff)))
    .groupBy(member.id)
    .orderBy(sql`${last} desc`, member.id)
    .limit(SHARED_MOST + 1)
  return {
    list: rows.slice(0, SHARED_MOST).map(row => ({ ...row, ...accountOf(row) })),
    cut: rows.length > SHARED_MOST,
  }
}
