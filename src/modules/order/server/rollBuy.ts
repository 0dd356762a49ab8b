import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { ENDING_S, type GroupState } from '#src/domain/rollGroup.ts'
import { eachRow } from '#src/server/batch.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/implement.ts'
import { countOf, counting, pageOf } from '#src/server/paging.ts'
import { missing } from '#src/server/refuse.ts'
import { everything, within } from '#src/server/scope.ts'
import { failGroup } from '#src/server/services/groupFails.ts'
import { extendGroup, succeedGroup, type Group } from '#src/server/services/groups.ts'
import { member } from '#src/server/tables/merchant.ts'
import { order, roll_group } from '#src/server/tables/order.ts'
import { admin } from '#src/server/tables/people.ts'
import { city, mall } from '#src/server/tables/place.ts'
import { product } from '#src/server/tables/product.ts'
import { rollBuy, rollBuyDetail, type GroupQuick, type GroupRow } from '../contract/rollBuy.ts'
import { decideHandlers } from './decide.ts'
import { codeDetailHandlers } from './codes.ts'
import { exportOrders, lookOf, orderHandlers, orderWhere, retryRefunds, rowsOf, searched, staffActor } from './shared.ts'
import { shipHandlers } from './ship.ts'

const kinds = ['roll_buy'] as const
exportOrders('rollBuy', kinds, ['拼团订单', 'Multi-person orders'])

type Filters = { state?: GroupState | 'all' | undefined; q?: string | undefined; city_id?: number | undefined; quick?: GroupQuick | undefined }
/** Groups some of whose orders are such; each condition has an index of its own. */
const having = (where: SQL): SQL => sql`${roll_group.id} in (select o.roll_group_id from "order" o where o.kind = 'roll_buy' and ${where})`
const quickWhere = (quick: GroupQuick, now: number): SQL => {
  switch (quick) {
    case 'ending': return sql`${roll_group.state} = 'forming' and ${roll_group.expire_at} < ${now + ENDING_S}`
    case 'owing': return sql`${roll_group.state} = 'failed' and ${having(sql`o.fulfil_state = 'waiting_group'`)}`
    case 'unused': return sql`${roll_group.state} = 'success' and ${having(sql`o.fulfil_state = 'waiting_use' and o.roll_group_id is not null`)}`
  }
}
/** A group's own number finds it; anything else finds it by its orders. */
const searchedGroups = async (db: Db, { q, ...filters }: Filters, staff: Pick<Staff, 'lang'>, now: number) => ({
  ...filters, ...(q && { found: /^PT\d+$/i.test(q.trim()) ? eq(roll_group.group_no, q.trim().toUpperCase()) : sql`${roll_group.id} in (select ${order.roll_group_id} from ${order} where ${orderWhere(kinds, await searched(db, kinds, { q }, now), { scope: everything, lang: staff.lang }, now)} limit 1000)` }),
})
const groupWhere = ({ state, found, city_id, quick }: Omit<Filters, 'q'> & { q?: undefined; found?: SQL | undefined }, staff: Pick<Staff, 'scope' | 'lang'>, now: number) =>
  and(within(staff.scope, { city: roll_group.city_id, mall: roll_group.mall_id }), state && state !== 'all' ? eq(roll_group.state, state) : undefined, found, city_id ? eq(roll_group.city_id, city_id) : undefined, quick ? quickWhere(quick, now) : undefined)

/** Groups with what a list shows of them: a few reads for a page of any size. */
const groupRows = async (db: Db, groups: readonly Group[]): Promise<GroupRow[]> => {
  if (groups.length === 0) return []
  const ids = groups.map(group => group.id)
  const [places, seats, leaders, people] = await Promise.all([
    db.select({ id: roll_group.id, title: product.title, city_name: city.city_name, mall_name: mall.name }).from(roll_group).innerJoin(product, eq(product.id, roll_group.product_id)).innerJoin(city, eq(city.id, roll_group.city_id)).leftJoin(mall, eq(mall.id, roll_group.mall_id)).where(inArray(roll_group.id, ids)),
    db.select({
      id: order.roll_group_id, unpaid_n: sql<number>`count(*) filter (where ${order.pay_state} = 'unpaid')::int`, owing_n: sql<number>`count(*) filter (where ${order.pay_state} = 'paid' and ${order.refund_state} <> 'refunded')::int`,
      paid_cents: sql<string>`coalesce(sum(${order.paid_cents}), 0)`, refunded_cents: sql<string>`coalesce(sum(${order.refunded_cents}), 0)`,
      payout_failed_n: sql<number>`count(*) filter (where ${order.refund_state} = 'refunding' and exists (select 1 from refund r where r.order_id = "order"."id" and r.state = 'pay_failed'))::int`,
    }).from(order).where(inArray(order.roll_group_id, ids)).groupBy(order.roll_group_id),
    db.selectDistinctOn([order.roll_group_id], { id: order.roll_group_id, name: member.nickname }).from(order).innerJoin(member, eq(member.id, order.member_id)).where(and(inArray(order.roll_group_id, ids), eq(order.group_role, 'leader'), eq(order.pay_state, 'paid'))).orderBy(order.roll_group_id, desc(order.id)),
    db.select({ id: admin.id, name: admin.name }).from(admin).where(inArray(admin.id, [...new Set(groups.flatMap(group => group.ended_by ?? []))])),
  ])
  return groups.map(group => {
    const place = places.find(one => one.id === group.id)
    const seat = seats.find(one => one.id === group.id)
    return {
      id: group.id, group_id: group.id, group: lookOf(group), product_id: group.product_id, title: place?.title ?? '', city_name: place?.city_name ?? '', mall_name: place?.mall_name ?? '', leader_name: leaders.find(one => one.id === group.id)?.name ?? '', unpaid_n: seat?.unpaid_n ?? 0,
      group_price_cents: group.group_price_cents, single_price_cents: group.single_price_cents, paid_cents: Number(seat?.paid_cents ?? 0), refunded_cents: Number(seat?.refunded_cents ?? 0), owing_n: group.state === 'failed' ? seat?.owing_n ?? 0 : 0, payout_failed_n: seat?.payout_failed_n ?? 0,
      ended_at: group.ended_at, ended_by: people.find(one => one.id === group.ended_by)?.name ?? '', end_reason: group.end_reason, extended: group.extended, created_at: group.created_at, version: group.version,
    }
  })
}
/** A group within the reader's scope, or "not found". */
const findGroup = async (db: Db, id: number, staff: Pick<Staff, 'scope'>): Promise<Group> => {
  const [row] = await db.select().from(roll_group).where(and(eq(roll_group.id, id), within(staff.scope, { city: roll_group.city_id, mall: roll_group.mall_id })))
  if (!row) throw missing()
  return row
}
/** What ends a group or gives it time, with its line in the log. */
const change = async ({ tx, staff, log }: WriteContext, group_id: number, reason: string, run: () => Promise<Group>) => {
  const before = await findGroup(tx, group_id, staff)
  const after = await run()
  const facts = (of: Group) => ({ group_state: of.state, virtual_n: of.virtual_n, expire_at: of.expire_at })
  log({ object_type: 'roll_group', object_id: group_id, object_label: before.group_no, before: facts(before), after: facts(after), reason })
  return { group_id, state: after.state, version: after.version }
}

export const rollBuyServer = implement(rollBuy, {
  ...decideHandlers(kinds),
  ...orderHandlers('rollBuy', kinds),
  groups: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const where = groupWhere(await searchedGroups(db, filters, staff, now), staff, now)
    // What still forms comes by its end, the rest by its beginning.
    const by = filters.state === 'forming' ? { by: roll_group.expire_at } : { by: roll_group.id, down: true }
    const rows = await pageOf(db, roll_group, { where, ...by, page, pageSize, reader: `order.rollBuy.groups|${staff.id}|${JSON.stringify(filters)}` })
    const { total, capped } = page === 1 && rows.length < pageSize ? { total: rows.length, capped: false } : await countOf(db, roll_group, where)
    return { list: await groupRows(db, rows), total, ...(capped && { capped }) }
  },
  groupCounts: async (filters, { db, staff, now }) => {
    const found = await searchedGroups(db, filters, staff, now)
    const { rows } = await db.execute<Record<string, number>>(sql`select ${sql.join((['forming', 'success', 'failed', 'all'] as const).map(state => sql`${counting(roll_group, groupWhere({ ...found, state }, staff, now))} as ${sql.identifier(state)}`), sql`, `)}`)
    return Object.fromEntries(Object.entries(rows[0]!).map(([key, n]) => [key, Number(n)]))
  },
  seats: async ({ group_id }, { db, staff }) => {
    const group = await findGroup(db, group_id, staff)
    const [sold] = await db.select({ sale_end_at: product.sale_end_at }).from(product).where(eq(product.id, group.product_id))
    return { group: (await groupRows(db, [group]))[0]!, sale_end_at: sold!.sale_end_at, seats: await rowsOf(db, await db.select().from(order).where(eq(order.roll_group_id, group_id)).orderBy(order.id).limit(200)) }
  },
  forceSuccess: ({ group_id, reason }, context) => change(context, group_id, reason, () => succeedGroup(context.tx, group_id, { end_by: 'force', actor: staffActor(context.staff), reason, now: context.now })),
  forceFail: ({ group_id, reason }, context) => change(context, group_id, reason, () => failGroup(context.tx, group_id, { end_by: 'dissolve', actor: staffActor(context.staff), reason, now: context.now })),
  extendGroup: ({ group_id, until, reason }, context) => change(context, group_id, reason, async () => {
    const { product_id } = await findGroup(context.tx, group_id, context.staff)
    const [sold] = await context.tx.select({ sale_end_at: product.sale_end_at }).from(product).where(eq(product.id, product_id))
    return extendGroup(context.tx, { group_id, until, sale_end_at: sold!.sale_end_at, actor: staffActor(context.staff), reason, now: context.now })
  }),
  batchRetryRefund: ({ ids }, context) => eachRow(context, ids, (each, id) => retryRefunds(each, kinds, id)),
})

const { refund: refundChosen, verifyForStore, reverseVerify } = codeDetailHandlers(kinds)
const { couriers, ship } = shipHandlers(kinds)
export const rollBuyDetailServer = implement(rollBuyDetail, {
  refund: refundChosen, verifyForStore, reverseVerify,
  couriers, ship,
})
