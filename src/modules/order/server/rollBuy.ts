import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { roll_group } from '#src/areas/group/group.table.ts'
import { failGroup } from '#src/areas/group/groupFails.server.ts'
import { endReward, extendGroup, succeedGroup, type Group } from '#src/areas/group/groups.server.ts'
import { ENDING_S, type GroupState } from '#src/areas/group/rollGroup.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product, product_store } from '#src/areas/product/product.table.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countAmong, countOf, listed, pageOf, type Among } from '#src/server/db/paging.ts'
import { rollBuy, rollBuyDetail, type GroupQuick, type GroupRow } from '../contract/rollBuy.ts'
import { codeDetailHandlers } from './codes.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { staffActor } from './held.ts'
import { retryRefunds } from './refundBy.ts'
import { lookOf, rowsOf } from './rows.ts'
import { lookUp } from './search.ts'
import { orderHandlers } from './shared.ts'
import { shipHandlers } from './ship.ts'

const kinds = ['roll_buy'] as const
exportOrders('rollBuy', kinds, ['拼团订单', 'Multi-person orders'])

type Filters = {
  state?: GroupState | 'all' | undefined
  q?: string | undefined
  city_id?: number | undefined
  quick?: GroupQuick | undefined
}
/** Groups some of whose orders are such; each condition has an index of its own. */
const having = (where: SQL): SQL =>
  sql`${roll_group.id} in (select o.roll_group_id from "order" o where o.kind = 'roll_buy' and ${where})`
const quickWhere = (quick: GroupQuick, now: number): SQL => {
  switch (quick) {
    case 'ending':
      return sql`${roll_group.state} = 'forming' and ${roll_group.expire_at} < ${now + ENDING_S}`
    case 'owing':
      return sql`${roll_group.state} = 'failed' and ${having(sql`o.fulfil_state = 'waiting_group'`)}`
    case 'unused':
      return sql`${roll_group.state} = 'success' and ${having(sql`o.fulfil_state = 'waiting_use' and o.roll_group_id is not null`)}`
    case 'reward_due':
      return sql`${roll_group.reward_state} = 'due'`
    case 'reward_back':
      return sql`${roll_group.reward_state} = 'clawed'`
  }
}
/** What a quick filter is of: among groups in another state nothing is looked for. */
const quickState: Partial<Record<GroupQuick, GroupState>> = {
  ending: 'forming',
  owing: 'failed',
  unused: 'success',
}
/**
 * Groups by what was typed: of orders found by a number, or of what is sold under these words, here
 * or at these stores.
 */
const groupWays = async (db: Db, q: string): Promise<Among> => {
  const found = await lookUp(db, q)
  const { orders, stores } = found
  const [groups, there] = await Promise.all([
    orders.length > 0
      ? db
          .selectDistinct({ id: order.roll_group_id })
          .from(order)
          .where(
            sql`${order.id} = any(${sql.param(orders)}::int[]) and ${order.roll_group_id} is not null`,
          )
      : [],
    stores.length > 0
      ? db
          .selectDistinct({ id: product_store.product_id })
          .from(product_store)
          .where(inArray(product_store.store_id, stores))
      : [],
  ])
  return [
    { column: roll_group.id, values: groups.map(one => one.id!) },
    {
      column: roll_group.product_id,
      values: [...new Set([...found.products, ...there.map(one => one.id)])],
    },
  ].filter(way => way.values.length > 0)
}
export const groupWhere = (
  { state, city_id, quick }: Omit<Filters, 'q'>,
  staff: Pick<Staff, 'scope'>,
  now: number,
) =>
  quick && state && state !== 'all' && (quickState[quick] ?? state) !== state
    ? sql`false`
    : and(
        within(staff.scope, { city: roll_group.city_id, mall: roll_group.mall_id }),
        state && state !== 'all' ? eq(roll_group.state, state) : undefined,
        city_id ? eq(roll_group.city_id, city_id) : undefined,
        quick ? quickWhere(quick, now) : undefined,
      )

/** How many groups there are such, exactly up to what a list counts. */
const groupsOf = (db: Db, { where, among }: { where: SQL | undefined; among: Among | undefined }) =>
  among
    ? countAmong(db, roll_group, { where, among })
    : countOf(db, roll_group, where, roll_group.id)

const nowhere = { title: '', city_name: '', mall_name: null }
const noSeats = {
  unpaid_n: 0,
  owing_n: 0,
  paid_cents: '0',
  refunded_cents: '0',
  payout_failed_n: 0,
}
/** Groups with what a list shows of them: a few reads for a page of any size. */
const groupRows = async (db: Db, groups: readonly Group[]): Promise<GroupRow[]> => {
  if (groups.length === 0) return []
  const ids = groups.map(group => group.id)
  const [places, seats, leaders, people] = await Promise.all([
    db
      .select({
        id: roll_group.id,
        title: product.title,
        city_name: city.city_name,
        mall_name: mall.name,
      })
      .from(roll_group)
      .innerJoin(product, eq(product.id, roll_group.product_id))
      .innerJoin(city, eq(city.id, roll_group.city_id))
      .leftJoin(mall, eq(mall.id, roll_group.mall_id))
      .where(inArray(roll_group.id, ids)),
    db
      .select({
        id: order.roll_group_id,
        unpaid_n: sql<number>`count(*) filter (where ${order.pay_state} = 'unpaid')::int`,
        owing_n: sql<number>`count(*) filter (where ${order.pay_state} = 'paid' and ${order.refund_state} <> 'refunded')::int`,
        paid_cents: sql<string>`coalesce(sum(${order.paid_cents}), 0)`,
        refunded_cents: sql<string>`coalesce(sum(${order.refunded_cents}), 0)`,
        payout_failed_n: sql<number>`count(*) filter (where ${order.refund_state} = 'refunding' and exists (select 1 from refund r where r.order_id = "order"."id" and r.state = 'pay_failed'))::int`,
      })
      .from(order)
      .where(inArray(order.roll_group_id, ids))
      .groupBy(order.roll_group_id),
    db
      .selectDistinctOn([order.roll_group_id], { id: order.roll_group_id, name: member.nickname })
      .from(order)
      .innerJoin(member, eq(member.id, order.member_id))
      .where(
        and(
          inArray(order.roll_group_id, ids),
          eq(order.group_role, 'leader'),
          eq(order.pay_state, 'paid'),
        ),
      )
      .orderBy(order.roll_group_id, desc(order.id)),
    db
      .select({ id: admin.id, name: admin.name })
      .from(admin)
      .where(inArray(admin.id, [...new Set(groups.flatMap(group => group.ended_by ?? []))])),
  ])
  return groups.map(group => {
    const place = places.find(one => one.id === group.id) ?? nowhere
    const seat = seats.find(one => one.id === group.id) ?? noSeats
    return {
      id: group.id,
      group_id: group.id,
      group: lookOf(group),
      product_id: group.product_id,
      title: place.title,
      city_name: place.city_name,
      mall_name: place.mall_name ?? '',
      leader_name: leaders.find(one => one.id === group.id)?.name ?? '',
      unpaid_n: seat.unpaid_n,
      group_price_cents: group.group_price_cents,
      single_price_cents: group.single_price_cents,
      paid_cents: Number(seat.paid_cents),
      refunded_cents: Number(seat.refunded_cents),
      owing_n: group.state === 'failed' ? seat.owing_n : 0,
      payout_failed_n: seat.payout_failed_n,
      ended_at: group.ended_at,
      ended_by: people.find(one => one.id === group.ended_by)?.name ?? '',
      end_reason: group.end_reason,
      extended: group.extended,
      leader_free: group.leader_free,
      reward_state: group.reward_state,
      reward_cents: group.reward_cents,
      created_at: group.created_at,
      version: group.version,
    }
  })
}
/** A group within the reader's scope, or "not found". */
const findGroup = async (db: Db, id: number, staff: Pick<Staff, 'scope'>): Promise<Group> => {
  const [row] = await db
    .select()
    .from(roll_group)
    .where(
      and(
        eq(roll_group.id, id),
        within(staff.scope, { city: roll_group.city_id, mall: roll_group.mall_id }),
      ),
    )
  if (!row) throw missing()
  return row
}
/** What ends a group or gives it time, with its line in the log. */
const change = async (
  { tx, staff, log }: WriteContext,
  group_id: number,
  reason: string,
  run: () => Promise<Group>,
) => {
  const before = await findGroup(tx, group_id, staff)
  const after = await run()
  const facts = (of: Group) => ({
    group_state: of.state,
    virtual_n: of.virtual_n,
    expire_at: of.expire_at,
  })
  log({
    object_type: 'roll_group',
    object_id: group_id,
    object_label: before.group_no,
    before: facts(before),
    after: facts(after),
    reason,
  })
  return { group_id, state: after.state, version: after.version }
}

export const rollBuyServer = implement(rollBuy, {
  ...decideHandlers(kinds),
  ...orderHandlers('rollBuy', kinds),
  groups: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const { q, ...others } = filters
    const asked = {
      where: groupWhere(others, staff, now),
      among: q ? await groupWays(db, q) : undefined,
    }
    // What still forms comes by its end, the rest by its beginning.
    const by =
      filters.state === 'forming' ? { by: roll_group.expire_at } : { by: roll_group.id, down: true }
    const rows = await pageOf(db, roll_group, {
      ...asked,
      ...by,
      page,
      pageSize,
      reader: `order.rollBuy.groups|${staff.id}|${JSON.stringify(filters)}`,
    })
    return listed({ page, pageSize }, rows, groupRows(db, rows), () => groupsOf(db, asked))
  },
  groupCounts: async ({ q, ...filters }, { db, staff, now }) => {
    const among = q ? await groupWays(db, q) : undefined
    const of = async (state: GroupState | 'all') => {
      const { total, capped } = await groupsOf(db, {
        where: groupWhere({ ...filters, state }, staff, now),
        among,
      })
      return [state, capped ? total + 1 : total] as const
    }
    return Object.fromEntries(
      await Promise.all((['forming', 'success', 'failed', 'all'] as const).map(of)),
    )
  },
  seats: async ({ group_id }, { db, staff }) => {
    const group = await findGroup(db, group_id, staff)
    const [sold] = await db
      .select({ sale_end_at: product.sale_end_at })
      .from(product)
      .where(eq(product.id, group.product_id))
    return {
      group: (await groupRows(db, [group]))[0]!,
      sale_end_at: sold!.sale_end_at,
      seats: await rowsOf(
        db,
        await db
          .select()
          .from(order)
          .where(eq(order.roll_group_id, group_id))
          .orderBy(order.id)
          .limit(200),
      ),
    }
  },
  forceSuccess: ({ group_id, reason }, context) =>
    change(context, group_id, reason, () =>
      succeedGroup(context.tx, group_id, {
        end_by: 'force',
        actor: staffActor(context.staff),
        reason,
        now: context.now,
      }),
    ),
  forceFail: ({ group_id, reason }, context) =>
    change(context, group_id, reason, () =>
      failGroup(context.tx, group_id, {
        end_by: 'dissolve',
        actor: staffActor(context.staff),
        reason,
        now: context.now,
      }),
    ),
  extendGroup: ({ group_id, until, reason }, context) =>
    change(context, group_id, reason, async () => {
      const { product_id } = await findGroup(context.tx, group_id, context.staff)
      const [sold] = await context.tx
        .select({ sale_end_at: product.sale_end_at })
        .from(product)
        .where(eq(product.id, product_id))
      return extendGroup(context.tx, {
        group_id,
        until,
        sale_end_at: sold!.sale_end_at,
        actor: staffActor(context.staff),
        reason,
        now: context.now,
      })
    }),
  endReward: async ({ group_id, as, reason }, { tx, staff, now, log }) => {
    const { group_no } = await findGroup(tx, group_id, staff)
    const { before, after } = await endReward(tx, {
      group_id,
      as,
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
      reason,
      now,
    })
    log({
      object_type: 'roll_group',
      object_id: group_id,
      object_label: group_no,
      before: { reward_state: before.reward_state },
      after: { reward_state: after.reward_state, reward_cents: after.reward_cents },
      reason,
    })
    return { group_id, reward_state: after.reward_state, version: after.version }
  },
  batchRetryRefund: ({ ids }, context) =>
    eachRow(context, ids, (each, id) => retryRefunds(each, kinds, id)),
})

const { refund: refundChosen, verifyForStore, reverseVerify } = codeDetailHandlers(kinds)
const { couriers, ship } = shipHandlers(kinds)
export const rollBuyDetailServer = implement(rollBuyDetail, {
  refund: refundChosen,
  verifyForStore,
  reverseVerify,
  couriers,
  ship,
})
