import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { bindingRoles } from '#src/areas/binding/binding.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { growth_ledger } from '#src/areas/level/level.table.ts'
import { growthKinds } from '#src/areas/level/level.ts'
import { order } from '#src/areas/order/order.table.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { pointsMoves } from '#src/areas/points/points.ts'
import { say } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { member } from './member.table.ts'
import type { Member } from './members.server.ts'

/** So many rows of each kind stand beside a member. */
const SOME = 8

const ledgersOf = async (db: Db, id: number, { lang }: Staff) => {
  const points = await db
    .select()
    .from(points_ledger)
    .where(eq(points_ledger.member_id, id))
    .orderBy(desc(points_ledger.id))
    .limit(SOME)
  const growth = await db
    .select()
    .from(growth_ledger)
    .where(eq(growth_ledger.member_id, id))
    .orderBy(desc(growth_ledger.id))
    .limit(SOME)
  return {
    points: points.map(row => ({ ...row, kind: say(pointsMoves[row.kind], lang) })),
    growth: growth.map(row => ({ ...row, kind: say(growthKinds[row.kind], lang) })),
  }
}
const couponsOf = async (db: Db, id: number) => {
  const rows = await db
    .select({
      id: coupon_grant.id,
      name: coupon.name,
      status: coupon_grant.status,
      end_at: coupon_grant.end_at,
      created_at: coupon_grant.created_at,
    })
    .from(coupon_grant)
    .innerJoin(coupon, eq(coupon.id, coupon_grant.coupon_id))
    .where(eq(coupon_grant.member_id, id))
    .orderBy(desc(coupon_grant.created_at), desc(coupon_grant.id))
    .limit(SOME)
  const [unused] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(coupon_grant)
    .where(and(eq(coupon_grant.member_id, id), eq(coupon_grant.status, 'unused')))
  return { coupons: rows, coupons_unused: unused!.n }
}
/** The member's devices by their orders, and how many other members order by each. */
const devicesOf = async (db: Db, id: number) => {
  const { rows } = await db.execute<{ device_id: string; n: number; others: number; at: string }>(
    sql`
    select d.device_id, d.n, d.at, (select count(distinct o.member_id)::int from "order" o
      where o.device_id = d.device_id and o.member_id <> ${id}) others
    from (select device_id, count(*)::int n, max(created_at) at from "order" where member_id = ${id}
      and device_id is not null group by 1 order by max(created_at) desc limit 5) d`,
  )
  return rows.map(row => ({ ...row, at: Number(row.at) }))
}
/** A member first, then other accounts of the same phone, of the reader's places. */
const twinsOf = async (db: Db, staff: Staff, row: Member) => {
  const others = await db
    .select()
    .from(member)
    .where(
      and(
        within(staff.scope, { city: member.city_id }),
        ne(member.id, row.id),
        inArray(member.account_state, ['normal', 'muted', 'banned', 'canceling']),
        row.phone === '' ? sql`false` : eq(member.phone, row.phone),
      ),
    )
    .orderBy(member.id)
    .limit(5)
  return others.length === 0 ? [] : [row, ...others]
}
/**
 * What stands beside a member: the latest rows of both ledgers, coupons, sellers and devices, and
 * orders of the reader's places.
 */
export const besideMember = async (db: Db, staff: Staff, row: Member) => {
  const { id } = row
  const orders = await db
    .select({
      id: order.id,
      order_no: order.order_no,
      kind: order.kind,
      status: order.status,
      pay_cents: order.pay_cents,
      created_at: order.created_at,
    })
    .from(order)
    .where(
      and(
        eq(order.member_id, id),
        within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      ),
    )
    .orderBy(desc(order.created_at), desc(order.id))
    .limit(SOME)
  const sellers = await db
    .select({
      id: distributor.id,
      name: distributor.name,
      role: dist_binding.role,
      bind_at: dist_binding.bind_at,
      expire_at: dist_binding.expire_at,
    })
    .from(dist_binding)
    .innerJoin(distributor, eq(distributor.id, dist_binding.distributor_id))
    .where(and(eq(dist_binding.member_id, id), eq(dist_binding.status, 'active')))
    .orderBy(dist_binding.id)
  return {
    ...(await ledgersOf(db, id, staff)),
    ...(await couponsOf(db, id)),
    orders,
    sellers: sellers.map(row => ({ ...row, role: say(bindingRoles[row.role], staff.lang) })),
    devices: await devicesOf(db, id),
    twins: await twinsOf(db, staff, row),
  }
}
