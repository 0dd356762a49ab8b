import { type SQL, and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { ENDING_S } from '#src/areas/group/rollGroup.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import {
  type GoodsStage,
  type OrderKind,
  type OrderStatus,
  PICKUP_WARN_DAYS,
} from '#src/areas/order/order.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import type { PointsKind } from '#src/areas/points/points.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { BALANCE_SOON_S, ENDING_SOON_S } from '#src/areas/raise/raise.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { invalid } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { type Among, isAmong } from '#src/server/db/paging.ts'
import { PERIOD_DAYS, type QuickFilter } from '../contract/shared.ts'
import {
  beingGiven,
  bigBuyers,
  bindAsked,
  cardsSoldAs,
  exchangedFor,
  facesOf,
  giftUnclaimed,
  manyOnBill,
  openAt,
  partAt,
  searchWays,
  soldAs,
  timesAsked,
  abnormal,
  parcelAstray,
} from './search.ts'

/** A card that nobody used for so long may have been forgotten. */
const IDLE_DAYS = 60

export type OrderFilters = {
  status?: OrderStatus | 'all' | undefined
  q?: string | undefined
  city_id?: number | undefined
  mid?: number | undefined
  store_id?: number | undefined
  merchant_id?: number | undefined
  product_id?: number | undefined
  source?: Order['source'] | undefined
  tag?: string | undefined
  face_cents?: number | undefined
  batch_id?: number | undefined
  combo_id?: number | undefined
  quick?: QuickFilter | undefined
  stage?: GoodsStage | 'all' | undefined
  points_kind?: PointsKind | undefined
  card_id?: number | undefined
  card_code?: string | undefined
  from?: number | undefined
  to?: number | undefined
  paid_from?: number | undefined
  paid_to?: number | undefined
  ids?: readonly number[] | undefined
}

/** Quick filters that are about one kind of order: the rows they are found through say no other. */
const quickKind: Partial<Record<QuickFilter, OrderKind>> = {
  many_on_bill: 'voucher',
  gift: 'card',
  times_asked: 'card',
  bind_asked: 'visitor',
  part_closed: 'combo',
  gift_unclaimed: 'ecard',
  big_buyers: 'ecard',
}
/** Quick filters whose orders are found through other rows. */
const quickWays = async (
  db: Db,
  kinds: readonly OrderKind[],
  quick: QuickFilter,
  now: number,
): Promise<Among | undefined> => {
  const about = quickKind[quick]
  if (about && !kinds.includes(about)) return []
  const closed = inArray(merchant.status, ['frozen', 'terminated'])
  const campaigns = async (where: SQL): Promise<Among> => [
    {
      column: order.raise_batch_id,
      values: (await db.select({ id: raise_batch.id }).from(raise_batch).where(where)).map(
        one => one.id,
      ),
    },
  ]
  switch (quick) {
    case 'many_on_bill':
      return manyOnBill
    case 'gift':
      return beingGiven
    case 'bind_asked':
      return bindAsked
    case 'times_asked':
      return timesAsked
    case 'gift_unclaimed':
      return giftUnclaimed(now)
    case 'big_buyers':
      return [{ column: order.member_id, values: await bigBuyers(db, now) }]
    case 'delivery_failed':
      return [eq(order.fulfil_state, 'issue_failed'), ...parcelAstray(kinds)]
    case 'cash_out': {
      const hits = (
        await db
          .select({ ids: risk_hit.order_ids })
          .from(risk_hit)
          .where(and(eq(risk_hit.rule, 'cash_out'), ne(risk_hit.state, 'released')))
      ).flatMap(one => one.ids)
      return [
        ...(kinds.includes('voucher') ? abnormal : []),
        ...(hits.length > 0 ? [sql`${order.id} = any(${sql.param(hits)}::int[])`] : []),
      ]
    }
    case 'raise_ending':
      return campaigns(
        sql`${raise_batch.state} = 'raising' and ${raise_batch.end_at} < ${now + ENDING_SOON_S}`,
      )
    case 'raise_owing':
      return campaigns(eq(raise_batch.state, 'failed'))
    case 'merchant_closed':
      return [
        {
          column: order.merchant_id,
          values: (await db.select({ id: merchant.id }).from(merchant).where(closed)).map(
            one => one.id,
          ),
        },
      ]
    case 'part_closed':
      return openAt(
        (
          await db
            .select({ id: store.id })
            .from(store)
            .innerJoin(merchant, eq(merchant.id, store.merchant_id))
            .where(or(eq(store.status, 'closed'), closed))
        ).map(one => one.id),
      )
    default:
      return undefined
  }
}

/**
 * The filters, with what is found through other rows looked up: by the first of it a list is read,
 * further ones are conditions.
 */
export type Searched = Omit<
  OrderFilters,
  'q' | 'product_id' | 'points_kind' | 'card_id' | 'card_code'
> & {
  q?: undefined
  product_id?: undefined
  points_kind?: undefined
  card_id?: undefined
  card_code?: undefined
  among?: Among | undefined
  also?: SQL | undefined
}

/** Exchanges of points for goods of one kind; orders of other kinds are none. */
const exchangedAs = async (
  db: Db,
  kinds: readonly OrderKind[],
  points_kind: NonNullable<OrderFilters['points_kind']>,
): Promise<Among> => {
  if (!kinds.includes('points')) return []
  const goods = await db
    .select({ id: points_goods.id })
    .from(points_goods)
    .where(eq(points_goods.kind, points_kind))
  return exchangedFor(goods.map(one => one.id))
}

export const searched = async (
  db: Db,
  kinds: readonly OrderKind[],
  { q, product_id, points_kind, store_id, card_id, card_code: _, ...filters }: OrderFilters,
  now: number,
): Promise<Searched> => {
  // An order is at its store; a bundle at the stores of all its parts.
  const inParts = kinds.length === 1 && kinds[0] === 'combo'
  const [among, ...others] = [
    ...(q ? [await searchWays(db, kinds, q)] : []),
    ...(product_id ? [soldAs(kinds, [product_id])] : []),
    ...(store_id !== undefined && inParts ? [partAt([store_id])] : []),
    ...(filters.quick ? [await quickWays(db, kinds, filters.quick, now)] : []),
    ...(card_id ? [cardsSoldAs(await facesOf(db, card_id))] : []),
    ...(points_kind ? [await exchangedAs(db, kinds, points_kind)] : []),
  ].filter(one => one !== undefined)
  return {
    ...filters,
    ...(store_id !== undefined && !inParts && { store_id }),
    ...(among && { among }),
    ...(others.length > 0 && { also: and(...others.map(way => isAmong(order, { among: way }))) }),
  }
}

type Condition = (now: number) => SQL
/** Quick filters that `quickWays` finds through other rows alone: they have no condition here. */
type FoundElsewhere =
  | 'gift'
  | 'bind_asked'
  | 'times_asked'
  | 'cash_out'
  | 'delivery_failed'
  | 'many_on_bill'
  | 'gift_unclaimed'
  | 'big_buyers'
/** The conditions of quick filters. */
const quickConditions: Partial<Record<QuickFilter, Condition>> = {
  expiring: now =>
    sql`${order.fulfil_state} in ('waiting_use', 'part_used') and ${order.valid_until} between ${now} and ${now + 7 * DAY}`,
  refunding: () => sql`${order.refund_state} = 'refunding'`,
  to_decide: () => sql`${order.deciding}`,
  frozen: () => sql`${order.frozen}`,
  issue_failed: () => sql`${order.fulfil_state} = 'issue_failed'`,
  late: now =>
    sql`${order.promise_at} < ${now} and ${order.fulfil_state} in ('waiting_ship', 'part_shipped', 'waiting_pickup') and ${order.refund_state} <> 'refunded'`,
  // What has a promise: the index of promises holds no others.
  unshipped: now =>
    sql`${order.promise_at} is not null and ${order.fulfil_state} in ('waiting_ship', 'part_shipped', 'waiting_pickup', 'part_used') and ${order.fulfil_state} in ('waiting_ship', 'part_shipped') and ${order.paid_at} < ${now - DAY} and ${order.refund_state} <> 'refunded'`,
  unclaimed: () => sql`${order.member_id} is null`,
  sms_failed: () =>
    sql`${order.id} in (select m.order_id from order_message m where m.kind = 'code' and m.state = 'failed' and not exists (select 1 from order_message n where n.order_id = m.order_id and n.kind = 'code' and n.id > m.id))`,
  late_pay: () => sql`${order.cancel_type} = 'late_pay'`,
  part_refunding: () => sql`${order.refund_state} = 'refunding' and ${order.begun}`,
  part_closed: () =>
    sql`${order.fulfil_state} in ('waiting_use', 'part_used', 'waiting_ship', 'part_shipped')`,
  group_ending: now =>
    sql`${order.fulfil_state} = 'waiting_group' and ${order.roll_group_id} in (select g.id from roll_group g where g.state = 'forming' and g.expire_at < ${now + ENDING_S})`,
  group_owing: () =>
    sql`${order.fulfil_state} = 'waiting_group' and ${order.roll_group_id} in (select g.id from roll_group g where g.state = 'failed')`,
  group_unused: () =>
    sql`${order.fulfil_state} = 'waiting_use' and ${order.roll_group_id} is not null`,
  address_changed: () => sql`${order.receiver_changed_at} is not null`,
  // What was paid before was placed before: a bound that the order of the list knows.
  idle: now =>
    sql`${order.fulfil_state} in ('waiting_use', 'part_used') and coalesce(${order.used_at}, ${order.paid_at}) < ${now - IDLE_DAYS * DAY} and ${order.created_at} < ${now - IDLE_DAYS * DAY}`,
  merchant_closed: () => sql`${order.fulfil_state} in ('waiting_use', 'part_used')`,
  not_picked_up: now =>
    sql`${order.fulfil_state} in ('waiting_ship', 'part_shipped', 'waiting_pickup', 'part_used') and ${order.fulfil_state} in ('waiting_pickup', 'part_used') and ${order.ready_at} is not null and ${order.promise_at} <= ${now - PICKUP_WARN_DAYS * DAY}`,
  raise_ending: () =>
    sql`${order.fulfil_state} = 'waiting_group' and ${order.raise_batch_id} is not null`,
  raise_owing: () =>
    sql`${order.fulfil_state} = 'waiting_group' and ${order.raise_batch_id} is not null`,
  balance_due: () => sql`${order.balance_due}`,
  balance_soon: now =>
    sql`${order.balance_due} and ${order.expire_pay_at} < ${now + BALANCE_SOON_S}`,
} satisfies Record<Exclude<QuickFilter, FoundElsewhere>, Condition>
/** How far store goods are: what waits is late once its time is over. */
export const stageWhere = (stage: GoodsStage, now: number): SQL => {
  const late = sql`coalesce(${order.promise_at} <= ${now}, false)`
  switch (stage) {
    case 'to_pick_up':
      return sql`${order.status} = 'pending_use' and not ${late}`
    case 'to_deliver':
      return sql`${order.status} = 'pending_ship' and not ${late}`
    case 'delivering':
      return sql`${order.status} in ('shipped', 'part_shipped')`
    // The states of fulfilment are those of what waits, as the index of promises has them.
    case 'overdue':
      return sql`${order.status} in ('pending_use', 'pending_ship') and ${order.promise_at} <= ${now} and ${order.fulfil_state} in ('waiting_ship', 'part_shipped', 'waiting_pickup', 'part_used')`
    default:
      return eq(order.status, stage)
  }
}

/** Keeps to orders of some kinds. */
export const ofKind = (kinds: readonly OrderKind[]): SQL =>
  kinds.length === 1 ? eq(order.kind, kinds[0]!) : inArray(order.kind, [...kinds])

/** Refuses a period beyond the bound, at its field. */
export const refuseLong = (
  { from, to, paid_from, paid_to }: Pick<Searched, 'from' | 'to' | 'paid_from' | 'paid_to'>,
  staff: Pick<Staff, 'lang'>,
  now: number,
): void => {
  for (const [key, since, until] of [
    ['from', from, to],
    ['paid_from', paid_from, paid_to],
  ] as const)
    if (since !== undefined && (until ?? now) - since > PERIOD_DAYS * DAY)
      throw invalid({
        [key]: say(['时间范围最多 {n} 天，请缩短', 'At most {n} days'], staff.lang, {
          n: PERIOD_DAYS,
        }),
      })
}

/** The condition of a list, however its orders are found. Throws 400 for too long a period. */
export const orderWhere = (
  kinds: readonly OrderKind[],
  filters: Searched,
  staff: Pick<Staff, 'scope' | 'lang'>,
  now: number,
): SQL | undefined => {
  refuseLong(filters, staff, now)
  return foundWhere(kinds, filters, staff, now)
}

/**
 * The same for what was asked for before: a period that ends now has grown since, but a file that
 * waited its turn is made all the same.
 */
export const foundWhere = (
  kinds: readonly OrderKind[],
  { among, ...filters }: Searched,
  staff: Pick<Staff, 'scope' | 'lang'>,
  now: number,
): SQL | undefined =>
  and(
    ofKind(kinds),
    among && isAmong(order, { among }),
    placedIn(filters, staff)(),
    besides(filters, now),
  )

/** The places where orders must be. */
export const placedIn =
  ({ city_id, mid }: Pick<Searched, 'city_id' | 'mid'>, { scope }: Pick<Staff, 'scope'>) =>
  (at: Record<'city_id' | 'mall_id', PgColumn> = order): SQL | undefined =>
    and(
      within(scope, { city: at.city_id, mall: at.mall_id }),
      city_id ? eq(at.city_id, city_id) : undefined,
      mid !== undefined ? eq(at.mall_id, mid) : undefined,
    )

/** What orders must be beside their kind, their place and the ways they are found. */
export const besides = (filters: Omit<Searched, 'among'>, now: number): SQL | undefined => {
  const { status, from, to, paid_from, paid_to } = filters
  return and(
    status && status !== 'all' ? eq(order.status, status) : undefined,
    filters.also,
    filters.store_id === undefined ? undefined : eq(order.store_id, filters.store_id),
    filters.combo_id ? eq(order.combo_id, filters.combo_id) : undefined,
    filters.merchant_id ? eq(order.merchant_id, filters.merchant_id) : undefined,
    filters.source ? eq(order.source, filters.source) : undefined,
    filters.tag
      ? sql`${order.tags} @> ${JSON.stringify([filters.tag])}::jsonb and ${order.tags} <> '[]'`
      : undefined,
    filters.face_cents ? eq(order.face_cents, filters.face_cents) : undefined,
    filters.batch_id ? eq(order.raise_batch_id, filters.batch_id) : undefined,
    filters.quick ? quickConditions[filters.quick]?.(now) : undefined,
    filters.stage && filters.stage !== 'all' ? stageWhere(filters.stage, now) : undefined,
    from !== undefined ? sql`${order.created_at} >= ${from}` : undefined,
    to !== undefined ? sql`${order.created_at} < ${to}` : undefined,
    paid_from !== undefined ? sql`${order.paid_at} >= ${paid_from}` : undefined,
    // What was paid before was placed before: the order of the list begins there.
    paid_to !== undefined
      ? sql`${order.paid_at} < ${paid_to} and ${order.created_at} < ${paid_to}`
      : undefined,
    filters.ids?.length ? inArray(order.id, [...filters.ids]) : undefined,
  )
}
