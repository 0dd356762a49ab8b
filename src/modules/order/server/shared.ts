import { and, asc, desc, eq, inArray, ne, or, sql, type Placeholder, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { storesTaking } from '#src/areas/code/verify.server.ts'
import { voucherRule } from '#src/areas/code/voucher.ts'
import { partStatus, partUnits } from '#src/areas/combo/combo.ts'
import { soldIn, stopped } from '#src/areas/combo/comboParts.server.ts'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { ENDING_S } from '#src/areas/group/rollGroup.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { member, merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import {
  deposit_forfeit,
  order,
  order_bind,
  order_code,
  order_config,
  order_item,
  order_message,
  payment,
  raise_batch,
  refund,
  roll_group,
  shipment,
  times_ask,
  verify_record,
} from '#src/areas/order/order.table.ts'
import {
  goodsStages,
  orderKinds,
  orderStatuses,
  PICKUP_WARN_DAYS,
  statusWords,
  type CodeState,
  type GoodsStage,
  type ItemUnits,
  type OrderKind,
  type OrderStatus,
} from '#src/areas/order/order.ts'
import { noteOrder, recount, type Actor, type Order } from '#src/areas/order/orderFacts.server.ts'
import {
  promiseOf,
  rulesAtFirst,
  type OrderRules,
  type RefundPolicy,
} from '#src/areas/order/orderRules.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import type { PointsKind } from '#src/areas/points/points.ts'
import { BALANCE_SOON_S, ENDING_SOON_S } from '#src/areas/raise/raise.ts'
import type { ReturnCondition } from '#src/areas/refund/refund.ts'
import { linesIn, openRefund, retryPay } from '#src/areas/refund/refunds.server.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { COUNT_MAX } from '#src/domain/count.ts'
import { grouped } from '#src/domain/grouped.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import type { Db, Handler, Staff, WriteContext } from '#src/server/call/implement.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { changedBy } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import {
  countAmong,
  countedLately,
  countOf,
  counting,
  exactCount,
  isAmong,
  listed,
  pageOf,
  type Among,
} from '#src/server/db/paging.ts'
import { together, type Answers, type Named } from '#src/server/db/together.ts'
import {
  defineExport,
  EXPORT_MAX_ROWS,
  startExport,
  type ExportColumn,
} from '#src/server/exports/exports.ts'
import {
  PERIOD_DAYS,
  quickFilters,
  type OrderCalls,
  type OrderPage,
  type OrderRow,
  type QuickFilter,
  type tagCall,
} from '../contract/shared.ts'
import { detailOf } from './detail.ts'
import {
  abnormal,
  beingGiven,
  bindAsked,
  exchangedFor,
  manyOnBill,
  openAt,
  parcelAstray,
  partAt,
  searchWays,
  soldAs,
  timesAsked,
} from './search.ts'

const DAY = 86_400
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
  from?: number | undefined
  to?: number | undefined
  paid_from?: number | undefined
  paid_to?: number | undefined
  ids?: readonly number[] | undefined
}

/** Quick filters whose orders are found through other rows. */
const quickWays = async (
  db: Db,
  kinds: readonly OrderKind[],
  quick: QuickFilter,
  now: number,
): Promise<Among | undefined> => {
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
        ...abnormal,
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
export type Searched = Omit<OrderFilters, 'q' | 'product_id' | 'points_kind'> & {
  q?: undefined
  product_id?: undefined
  points_kind?: undefined
  among?: Among | undefined
  also?: SQL | undefined
}
export const searched = async (
  db: Db,
  kinds: readonly OrderKind[],
  { q, product_id, points_kind, store_id, ...filters }: OrderFilters,
  now: number,
): Promise<Searched> => {
  // An order is at its store; a bundle at the stores of all its parts.
  const inParts = kinds.length === 1 && kinds[0] === 'combo'
  const [among, ...others] = [
    ...(q ? [await searchWays(db, kinds, q)] : []),
    ...(product_id ? [soldAs(kinds, [product_id])] : []),
    ...(store_id !== undefined && inParts ? [partAt([store_id])] : []),
    ...(filters.quick ? [await quickWays(db, kinds, filters.quick, now)] : []),
    ...(points_kind
      ? [
          exchangedFor(
            (
              await db
                .select({ id: points_goods.id })
                .from(points_goods)
                .where(eq(points_goods.kind, points_kind))
            ).map(one => one.id),
          ),
        ]
      : []),
  ].filter(one => one !== undefined)
  return {
    ...filters,
    ...(store_id !== undefined && !inParts && { store_id }),
    ...(among && { among }),
    ...(others.length > 0 && { also: and(...others.map(way => isAmong(order, { among: way }))) }),
  }
}
/** Beside `quickWays`. */
const quickWhere = (quick: QuickFilter, now: number): SQL | undefined => {
  switch (quick) {
    case 'expiring':
      return sql`${order.fulfil_state} in ('waiting_use', 'part_used') and ${order.valid_until} between ${now} and ${now + 7 * DAY}`
    case 'refunding':
      return sql`${order.refund_state} = 'refunding'`
    case 'to_decide':
      return sql`${order.deciding}`
    case 'frozen':
      return sql`${order.frozen}`
    case 'late':
      return sql`${order.promise_at} < ${now} and ${order.fulfil_state} in ('waiting_ship', 'part_shipped', 'waiting_pickup') and ${order.refund_state} <> 'refunded'`
    case 'unclaimed':
      return sql`${order.member_id} is null`
    case 'sms_failed':
      return sql`${order.id} in (select m.order_id from order_message m where m.kind = 'code' and m.state = 'failed' and not exists (select 1 from order_message n where n.order_id = m.order_id and n.kind = 'code' and n.id > m.id))`
    case 'late_pay':
      return sql`${order.cancel_type} = 'late_pay'`
    case 'part_refunding':
      return sql`${order.refund_state} = 'refunding' and ${order.begun}`
    case 'part_closed':
      return sql`${order.fulfil_state} in ('waiting_use', 'part_used', 'waiting_ship', 'part_shipped')`
    case 'group_ending':
      return sql`${order.fulfil_state} = 'waiting_group' and ${order.roll_group_id} in (select g.id from roll_group g where g.state = 'forming' and g.expire_at < ${now + ENDING_S})`
    case 'group_owing':
      return sql`${order.fulfil_state} = 'waiting_group' and ${order.roll_group_id} in (select g.id from roll_group g where g.state = 'failed')`
    case 'group_unused':
      return sql`${order.fulfil_state} = 'waiting_use' and ${order.roll_group_id} is not null`
    case 'address_changed':
      return sql`${order.receiver_changed_at} is not null`
    // What was paid before was placed before: a bound that the order of the list knows.
    case 'idle':
      return sql`${order.fulfil_state} in ('waiting_use', 'part_used') and coalesce(${order.used_at}, ${order.paid_at}) < ${now - IDLE_DAYS * DAY} and ${order.created_at} < ${now - IDLE_DAYS * DAY}`
    case 'merchant_closed':
      return sql`${order.fulfil_state} in ('waiting_use', 'part_used')`
    case 'not_picked_up':
      return sql`${order.fulfil_state} in ('waiting_ship', 'part_shipped', 'waiting_pickup', 'part_used') and ${order.fulfil_state} in ('waiting_pickup', 'part_used') and ${order.ready_at} is not null and ${order.promise_at} <= ${now - PICKUP_WARN_DAYS * DAY}`
    case 'raise_ending':
    case 'raise_owing':
      return sql`${order.fulfil_state} = 'waiting_group' and ${order.raise_batch_id} is not null`
    case 'balance_due':
      return sql`${order.balance_due}`
    case 'balance_soon':
      return sql`${order.balance_due} and ${order.expire_pay_at} < ${now + BALANCE_SOON_S}`
    case 'gift':
    case 'bind_asked':
    case 'times_asked':
    case 'cash_out':
    case 'delivery_failed':
    case 'many_on_bill':
      return undefined
  }
}
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
/** Orders of some kinds. */
const ofKind = (kinds: readonly OrderKind[]): SQL =>
  kinds.length === 1 ? eq(order.kind, kinds[0]!) : inArray(order.kind, [...kinds])
/** Refuses a period beyond the bound, at its field. */
const refuseLong = (
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
/** The condition of a list, however its orders are found. */
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
const foundWhere = (
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
/** Where orders must be. */
const placedIn =
  ({ city_id, mid }: Pick<Searched, 'city_id' | 'mid'>, { scope }: Pick<Staff, 'scope'>) =>
  (at: Record<'city_id' | 'mall_id', PgColumn> = order): SQL | undefined =>
    and(
      within(scope, { city: at.city_id, mall: at.mall_id }),
      city_id ? eq(at.city_id, city_id) : undefined,
      mid !== undefined ? eq(at.mall_id, mid) : undefined,
    )
/** What orders must be beside their kind, their place and the ways they are found. */
const besides = (filters: Omit<Searched, 'among'>, now: number): SQL | undefined => {
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
    filters.quick ? quickWhere(filters.quick, now) : undefined,
    filters.stage && filters.stage !== 'all' ? stageWhere(filters.stage, now) : undefined,
    from !== undefined ? sql`${order.created_at} >= ${from}` : undefined,
    to !== undefined ? sql`${order.created_at} < ${to}` : undefined,
    paid_from !== undefined ? sql`${order.paid_at} >= ${paid_from}` : undefined, // What was paid before was placed before: the order of the list begins there.
    paid_to !== undefined
      ? sql`${order.paid_at} < ${paid_to} and ${order.created_at} < ${paid_to}`
      : undefined,
    filters.ids?.length ? inArray(order.id, [...filters.ids]) : undefined,
  )
}

/** What no list of orders shows. */
const unlisted = [
  'updated_at',
  'agreements',
  'device_id',
  'h5_link_id',
  'live_room_id',
  'freeze_hit_id',
  'coupon_grant_id',
  'total_cents',
  'freight_cents',
  'invoice',
  'receive_extended',
  'late_penalty_cents',
  'rider',
  'dispatched_at',
  'reissue_of',
  'face_cents',
  'begun',
  'deciding',
  'reviewed_at',
  'review_by',
] as const
type Listed = Omit<Order, (typeof unlisted)[number]>
type Waiting = Omit<NonNullable<OrderRow['to_decide']>, 'state' | 'first_name'> & {
  state: string
  first_name: string | null
}
const toDecide = (one: Waiting | undefined): OrderRow['to_decide'] =>
  one
    ? {
        id: one.id,
        version: one.version,
        state: one.state as 'applied',
        type: one.type,
        amount_cents: one.amount_cents,
        first_by: one.first_by,
        first_name: one.first_name ?? '',
        override: one.override,
      }
    : null
export const isClosed = (status: (typeof merchant.$inferSelect)['status'] | undefined): boolean =>
  status === 'frozen' || status === 'terminated'
/** A group, as rows of its orders show it. */
export const lookOf = ({
  group_no,
  state,
  end_by,
  joined_n,
  virtual_n,
  need_n,
  expire_at,
}: typeof roll_group.$inferSelect): NonNullable<OrderRow['group']> => ({
  group_no,
  state,
  end_by,
  joined_n,
  virtual_n,
  need_n,
  expire_at,
})
/** What rows of visitors show beside, where there is one. */
const visitorReads = (db: Db, visitors: Placeholder | undefined) => ({
  sent:
    visitors &&
    db
      .selectDistinctOn([order_message.order_id], {
        order_id: order_message.order_id,
        state: order_message.state,
      })
      .from(order_message)
      .where(and(oneOf(order_message.order_id, visitors), eq(order_message.kind, 'code')))
      .orderBy(order_message.order_id, desc(order_message.id)),
  binds:
    visitors &&
    db
      .select({
        order_id: order_bind.order_id,
        member_id: order_bind.member_id,
        name: member.nickname,
        first_by: order_bind.first_by,
        first_name: admin.name,
        reason: order_bind.reason,
        at: order_bind.created_at,
      })
      .from(order_bind)
      .innerJoin(member, eq(member.id, order_bind.member_id))
      .innerJoin(admin, eq(admin.id, order_bind.first_by))
      .where(and(oneOf(order_bind.order_id, visitors), eq(order_bind.state, 'asked'))),
})
const visitorsFrom = ({
  sent,
  binds,
}: Answers<ReturnType<typeof visitorReads>>): ((
  row: Listed,
) => NonNullable<OrderRow['visitor']>) => {
  const [smsOf, bindOf] = [
    new Map(sent.map(one => [one.order_id, one.state])),
    new Map(binds.map(one => [one.order_id, one])),
  ]
  return row => {
    const { order_id: _, ...bind } = bindOf.get(row.id) ?? {}
    return {
      ...(row.visitor_phone && { phone: row.visitor_phone }),
      ...(row.visitor_openid && { openid: row.visitor_openid }),
      sms: smsOf.get(row.id) ?? 'none',
      bind: 'member_id' in bind ? bind : null,
    }
  }
}
/** A campaign, as rows of its orders show it. */
export const raiseLookOf = ({
  title,
  state,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  start_at,
  end_at,
  balance_end_at,
  ship_at,
  promised_ship_at,
  extended,
}: typeof raise_batch.$inferSelect): NonNullable<OrderRow['raise']> => ({
  title,
  state,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  start_at,
  end_at,
  balance_end_at,
  ship_at,
  promised_ship_at,
  extended,
})
/** Of orders of campaigns these, and the two parts that their price came in. */
const raiseReads = (db: Db, { raises, batches }: Named<'raises' | 'batches'>) => ({
  batches: batches && db.select().from(raise_batch).where(oneOf(raise_batch.id, batches)),
  stages:
    raises &&
    db
      .select({
        order_id: payment.order_id,
        stage: payment.stage,
        state: payment.state,
        cents: payment.amount_cents,
      })
      .from(payment)
      .where(and(oneOf(payment.order_id, raises), inArray(payment.stage, ['deposit', 'balance'])))
      .orderBy(payment.id),
  forfeits:
    raises &&
    db
      .select({
        order_id: deposit_forfeit.order_id,
        cents: sql<number>`sum(${deposit_forfeit.amount_cents})`,
      })
      .from(deposit_forfeit)
      .where(and(oneOf(deposit_forfeit.order_id, raises), eq(deposit_forfeit.state, 'valid')))
      .groupBy(deposit_forfeit.order_id),
})
const raisesFrom = ({
  batches,
  stages,
  forfeits,
}: Answers<ReturnType<typeof raiseReads>>): ((row: Listed) => Pick<OrderRow, 'raise' | 'dues'>) => {
  const [batchOf, stagesOf, keptOf] = [
    new Map(batches.map(one => [one.id, one])),
    grouped(stages, one => one.order_id),
    new Map(forfeits.map(one => [one.order_id, one.cents])),
  ]
  return row => {
    const batch = row.raise_batch_id === null ? undefined : batchOf.get(row.raise_batch_id)
    if (!batch) return { raise: null, dues: null }
    const [deposit, balance] = (['deposit', 'balance'] as const).map(stage =>
      stagesOf.get(row.id)?.findLast(one => one.stage === stage),
    )
    const state = row.balance_due
      ? ('due' as const)
      : balance?.state === 'success'
        ? ('paid' as const)
        : row.cancel_type === 'balance_timeout'
          ? ('lapsed' as const)
          : ('none' as const)
    return {
      raise: raiseLookOf(batch),
      dues:
        row.sub_kind !== 'deposit'
          ? null
          : {
              deposit_cents: deposit?.state === 'success' ? deposit.cents : 0,
              balance_cents: balance?.cents ?? row.pay_cents - (deposit?.cents ?? 0),
              balance: state,
              until: row.balance_due ? row.expire_pay_at : null,
              kept_cents: keptOf.get(row.id) ?? 0,
            },
    }
  }
}
/** A bundle as its list shows it, from its lines with their codes. */
const bundleOf = (
  row: Listed,
  lines: readonly (ItemUnits & { title: string; snapshot: unknown; closed: boolean })[],
): OrderRow['bundle'] => {
  const sold = soldIn(lines)
  return {
    name: sold?.name ?? '',
    policy: sold?.policy ?? 'part',
    parts: lines.map(line => ({
      title: line.title,
      status: partStatus(line, row.pay_state),
      left: partUnits(line).left,
      closed: line.closed,
    })),
  }
}
const policies = new WeakMap<Db, Map<string, Pick<OrderRules, 'refund_policy'>>>()
/**
 * What the rules that orders were made under promise of unused codes. A version of rules never
 * changes: each is read once.
 */
const policyOf = async (
  db: Db,
  orders: readonly Listed[],
): Promise<(row: Listed) => Pick<OrderRules, 'refund_policy'>> => {
  const known = policies.get(db) ?? new Map<string, Pick<OrderRules, 'refund_policy'>>()
  policies.set(db, known)
  const key = (kind: string, version_no: number) => `${kind} ${version_no}`
  const fresh = orders.filter(row => !known.has(key(row.kind, row.config_version)))
  const rows =
    fresh.length === 0
      ? []
      : await db
          .select({
            scope: sql<string>`${order_config.scope}`,
            version_no: order_config.version_no,
            refund_policy: sql<RefundPolicy>`${order_config.fields}->>'refund_policy'`,
          })
          .from(order_config)
          .where(
            and(
              inArray(sql`${order_config.scope}`, [...new Set(fresh.map(row => row.kind))]),
              oneOf(order_config.version_no, new Set(fresh.map(row => row.config_version))),
            ),
          )
  for (const { scope, version_no, refund_policy } of rows)
    known.set(key(scope, version_no), { refund_policy })
  return row => known.get(key(row.kind, row.config_version)) ?? rulesAtFirst
}
/**
 * All that stands beside orders: what their lists hold by their kinds, each read where there are
 * such orders.
 */
const readBeside = together(
  (
    db,
    on: Named<
      | 'orders'
      | 'stores'
      | 'members'
      | 'groups'
      | 'refunding'
      | 'points'
      | 'vouchers'
      | 'posted'
      | 'bundles'
      | 'cards'
      | 'visitors'
      | 'raises'
      | 'batches'
    >,
  ) => {
    const i = order_item
    return {
      items: db
        .select({
          id: i.id,
          order_id: i.order_id,
          fulfil: i.fulfil,
          title: i.title,
          qty: i.qty,
          shipped_qty: i.shipped_qty,
          refunding_qty: i.refunding_qty,
          refunded_qty: i.refunded_qty,
          received_qty: i.received_qty,
          issue_state: i.issue_state,
          closed: on.bundles ? stopped(i.store_id) : sql<boolean>`false`,
          issue_note: i.issue_note,
          snapshot: i.snapshot,
          points_kind: on.points
            ? sql<PointsKind | null>`(select g.kind from ${points_goods} g where g.id = ${i.points_goods_id})`
            : sql<null>`null`,
        })
        .from(i)
        .where(oneOf(i.order_id, on.orders!))
        .orderBy(i.id),
      codes: db
        .select({
          order_id: order_code.order_id,
          units: sql<number>`sum(${order_code.times_total} + ${order_code.times_bonus})`,
          used: sql<number>`sum(${order_code.times_used})`,
          refunding: sql<number>`sum(${order_code.times_refunding})`,
          refunded: sql<number>`sum(${order_code.times_refunded})`,
          left: sql<number>`sum(${order_code.left_pay_cents})`,
          bonus: sql<number>`sum(${order_code.times_bonus})`,
          gift: sql<
            OrderRow['gift']
          >`case when bool_or(${order_code.gift_state} = 'sent') then 'sent' when bool_or(${order_code.gift_state} = 'received') then 'received' else 'none' end`,
          state: sql<CodeState>`(array_agg(${order_code.state} order by ${order_code.id}))[1]`,
        })
        .from(order_code)
        .where(and(oneOf(order_code.order_id, on.orders!), sql`${order_code.state} <> 'void'`))
        .groupBy(order_code.order_id),
      places: db
        .select({
          id: store.id,
          name: store.name,
          merchant: merchant.name,
          merchant_status: merchant.status,
          status: store.status,
          mall: mall.name,
          city: city.city_name,
          mall_id: store.mall_id,
        })
        .from(store)
        .innerJoin(merchant, eq(merchant.id, store.merchant_id))
        .leftJoin(mall, eq(mall.id, store.mall_id))
        .innerJoin(city, eq(city.id, store.city_id))
        .where(oneOf(store.id, on.stores!)),
      members:
        on.members &&
        db
          .select({ id: member.id, nickname: member.nickname, phone: member.phone })
          .from(member)
          .where(oneOf(member.id, on.members)),
      groups: on.groups && db.select().from(roll_group).where(oneOf(roll_group.id, on.groups)),
      refunds:
        on.refunding &&
        db
          .select({
            order_id: refund.order_id,
            id: refund.id,
            version: refund.version,
            state: refund.state,
            type: refund.type,
            amount_cents: refund.amount_cents,
            first_by: refund.first_by,
            first_name: admin.name,
            override: refund.policy_override,
          })
          .from(refund)
          .leftJoin(admin, eq(admin.id, refund.first_by))
          .where(
            and(
              oneOf(refund.order_id, on.refunding),
              inArray(refund.state, ['applied', 'second_audit', 'pay_failed']),
            ),
          )
          .orderBy(refund.id),
      bills:
        on.vouchers &&
        db
          .selectDistinct({
            order_id: verify_record.order_id,
            store_id: verify_record.store_id,
            bill_no: verify_record.bill_no,
            cents: verify_record.bill_cents,
          })
          .from(verify_record)
          .where(
            and(
              oneOf(verify_record.order_id, on.vouchers),
              eq(verify_record.state, 'valid'),
              sql`${verify_record.bill_cents} is not null`,
            ),
          ),
      parcels:
        on.posted &&
        db
          .select({
            order_id: shipment.order_id,
            courier_name: sql<string>`coalesce(${courier.name}, ${shipment.courier})`,
            tracking_no: shipment.tracking_no,
            state: shipment.state,
          })
          .from(shipment)
          .leftJoin(courier, eq(courier.code, shipment.courier))
          .where(and(oneOf(shipment.order_id, on.posted), ne(shipment.state, 'void')))
          .orderBy(shipment.id),
      asks:
        on.cards &&
        db
          .select({
            order_id: times_ask.order_id,
            tail: sql<string>`right(${order_code.code}, 4)`,
            times: times_ask.times,
            worth_cents: times_ask.worth_cents,
            first_by: times_ask.first_by,
            first_name: admin.name,
            reason: times_ask.reason,
            at: times_ask.created_at,
          })
          .from(times_ask)
          .innerJoin(order_code, eq(order_code.id, times_ask.code_id))
          .innerJoin(admin, eq(admin.id, times_ask.first_by))
          .where(and(oneOf(times_ask.order_id, on.cards), eq(times_ask.state, 'asked'))),
      partCodes:
        on.bundles &&
        db
          .select({
            item_id: order_code.item_id,
            state: order_code.state,
            times_total: order_code.times_total,
            times_bonus: order_code.times_bonus,
            times_used: order_code.times_used,
            times_refunding: order_code.times_refunding,
            times_refunded: order_code.times_refunded,
          })
          .from(order_code)
          .where(oneOf(order_code.order_id, on.bundles)),
      ...raiseReads(db, on),
      ...visitorReads(db, on.visitors),
    }
  },
)
/**
 * Orders with what a list shows of them: all that stands beside them in one query, for a page of
 * any size.
 */
export const rowsOf = async (db: Db, orders: readonly Listed[]): Promise<OrderRow[]> => {
  if (orders.length === 0) return []
  const some = (which: (row: Listed) => boolean) => orders.filter(which).map(row => row.id)
  const each = (number: (row: Listed) => number | null) => [
    ...new Set(orders.flatMap(row => number(row) ?? [])),
  ]
  const [read, policyIn] = await Promise.all([
    readBeside(db, {
      orders: orders.map(row => row.id),
      stores: each(row => row.store_id),
      members: each(row => row.member_id),
      groups: each(row => row.roll_group_id),
      // Money of one payment goes back whatever the units are: what came too late, what a leader is
      // rewarded with.
      refunding: some(
        row =>
          row.refund_state === 'refunding' ||
          (row.refunded_cents < row.paid_cents &&
            (row.pay_state === 'closed' || row.group_role === 'leader')),
      ),
      points: some(row => row.kind === 'points'),
      vouchers: some(row => row.kind === 'voucher'),
      posted: some(row => row.receiver !== null),
      bundles: some(row => row.kind === 'combo'),
      cards: some(row => row.kind === 'card'),
      visitors: some(row => row.kind === 'visitor'),
      raises: some(row => row.raise_batch_id !== null),
      batches: each(row => row.raise_batch_id),
    }),
    policyOf(db, orders),
  ])
  const { items, codes, partCodes, places, members, groups, refunds, bills, parcels, asks } = read
  const [raiseOf, visitorOf, codesOf] = [
    raisesFrom(read),
    visitorsFrom(read),
    grouped(partCodes, one => one.item_id),
  ]
  const [codeOf, placeOf, memberOf] = [
    new Map(codes.map(one => [one.order_id, one])),
    new Map(places.map(one => [one.id, one])),
    new Map(members.map(one => [one.id, one])),
  ]
  const [itemsOf, groupOf, billsOf, parcelsOf] = [
    grouped(items, item => item.order_id),
    new Map(groups.map(one => [one.id, one])),
    grouped(bills, one => one.order_id),
    grouped(parcels, one => one.order_id),
  ]
  const askOf = new Map(asks.map(({ order_id, ...ask }) => [order_id, ask]))
  const [unpaidIds, waitingOf] = [
    new Set(refunds.filter(one => one.state === 'pay_failed').map(one => one.order_id)),
    grouped(
      refunds.filter(one => one.state !== 'pay_failed'),
      one => one.order_id,
    ),
  ]
  return orders.map(row => {
    const own = itemsOf.get(row.id) ?? []
    const sum = (of: (item: (typeof own)[number]) => number) =>
      own.reduce((all, item) => all + of(item), 0)
    const code = codeOf.get(row.id)
    const goods = own.filter(item => item.fulfil !== 'code' && item.fulfil !== 'pickup')
    const place = placeOf.get(row.store_id)
    const group = row.roll_group_id === null ? undefined : groupOf.get(row.roll_group_id)
    const buyer = row.member_id === null ? undefined : memberOf.get(row.member_id)
    // A visitor's own phone is a field of its own (`visitor`).
    const phone =
      buyer?.phone ?? (row.kind === 'visitor' ? null : row.visitor_phone) ?? row.receiver?.phone
    const image = (own[0]?.snapshot as { images?: string[] } | undefined)?.images?.[0]
    return {
      id: row.id,
      order_no: row.order_no,
      kind: row.kind,
      sub_kind: row.sub_kind,
      source: row.source,
      status: row.status,
      pay_state: row.pay_state,
      balance_due: row.balance_due,
      fulfil_state: row.fulfil_state,
      refund_state: row.refund_state,
      frozen: row.frozen,
      freeze_reason: row.freeze_reason,
      frozen_by: row.frozen_by,
      cancel_type: row.cancel_type,
      member_id: row.member_id,
      member_name: buyer?.nickname ?? '',
      ...(phone && { phone }),
      claimed_at: row.claimed_at,
      city_name: place?.city ?? '',
      mall_name: place?.mall ?? '',
      store_id: row.store_id,
      store_name: place?.name ?? '',
      store_status: place?.status ?? 'closed',
      merchant_id: row.merchant_id,
      merchant_name: place?.merchant ?? '',
      merchant_closed: isClosed(place?.merchant_status),
      title: own[0]?.title ?? '',
      ...(image && { image }),
      item_count: own.length,
      qty: sum(item => item.qty),
      units: (code?.units ?? 0) + goods.reduce((all, item) => all + item.qty, 0),
      used: code?.used ?? 0,
      refunded: (code?.refunded ?? 0) + goods.reduce((all, item) => all + item.refunded_qty, 0),
      refunding: (code?.refunding ?? 0) + goods.reduce((all, item) => all + item.refunding_qty, 0),
      shipped: sum(item => item.shipped_qty),
      pay_cents: row.pay_cents,
      paid_cents: row.paid_cents,
      refunded_cents: row.refunded_cents,
      platform_discount_cents: row.platform_discount_cents,
      adjust_cents: row.adjust_cents,
      promise: own[0]
        ? promiseOf(
            row,
            own[0].fulfil,
            (own[0].snapshot as { refund_policy?: RefundPolicy | null }).refund_policy,
            policyIn(row),
          )
        : null,
      left_cents: code?.left ?? 0,
      bonus: code?.bonus ?? 0,
      times_ask: askOf.get(row.id) ?? null,
      last_used_at: row.used_at,
      gift: code?.gift ?? 'none',
      face_cents: (own[0] && voucherRule(own[0].snapshot)?.face_cents) ?? null,
      bill_cents: billsOf.get(row.id)?.reduce((all, one) => all + one.cents!, 0) ?? null,
      tags: row.tags,
      remark: row.remark,
      created_at: row.created_at,
      paid_at: row.paid_at,
      finished_at: row.finished_at,
      closed_at: row.closed_at,
      expire_pay_at: row.expire_pay_at,
      valid_until: row.valid_until,
      promise_at: row.promise_at,
      ready_at: row.ready_at,
      receive_by: row.receive_by,
      receiver_changed_at: row.receiver_changed_at,
      group: group ? lookOf(group) : null,
      ...raiseOf(row),
      payout_failed: unpaidIds.has(row.id),
      to_decide: toDecide(waitingOf.get(row.id)?.[0]),
      visitor: row.kind === 'visitor' ? visitorOf(row) : null,
      bundle:
        row.kind === 'combo'
          ? bundleOf(
              row,
              own.map(line => ({ ...line, codes: codesOf.get(line.id) ?? [] })),
            )
          : null,
      store_discount_cents: row.store_discount_cents,
      group_id: row.roll_group_id,
      group_role: row.group_role,
      batch_id: row.raise_batch_id,
      combo_id: row.combo_id,
      version: row.version,
      sku: (own[0]?.snapshot as { sku?: string } | undefined)?.sku ?? null,
      code_state: code?.state ?? null,
      reminded_at: row.reminded_at,
      points_used: row.points_used,
      points_kind: own.find(item => item.points_kind !== null)?.points_kind ?? null,
      issue_note: own.find(item => item.issue_note !== null)?.issue_note ?? null,
      parcels: (parcelsOf.get(row.id) ?? []).map(({ courier_name, tracking_no, state }) => ({
        courier_name,
        tracking_no,
        state,
      })),
    }
  })
}

export const staffActor = (staff: Pick<Staff, 'id'>): Actor => ({ type: 'staff', id: staff.id })
/** An order of these kinds within the reader's scope, or "not found". */
export const findOrder = async (
  db: Db,
  kinds: readonly OrderKind[],
  id: number,
  staff: Pick<Staff, 'scope'>,
): Promise<Order> => {
  const [row] = await db
    .select()
    .from(order)
    .where(
      and(
        eq(order.id, id),
        inArray(order.kind, [...kinds]),
        within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      ),
    )
  if (!row) throw missing()
  return row
}
/**
 * The same, held for a change, as it was read by whoever asks: else they are told what it is now.
 */
export const heldOrder = async (
  tx: Db,
  kinds: readonly OrderKind[],
  one: { id: number; version?: number | undefined },
  staff: Pick<Staff, 'scope' | 'lang'>,
): Promise<Order> => {
  await findOrder(tx, kinds, one.id, staff)
  const { row } = await holdWithGroup(tx, one.id)
  if (one.version !== undefined && row.version !== one.version)
    throw conflict(
      [
        '订单刚刚有变化（现为「{status}」），请按最新内容操作',
        'The order has just changed (it is now “{status}”): act on what it is now',
      ],
      { status: say(statusWords(row), staff.lang) },
      (await rowsOf(tx, [row]))[0],
      await changedBy(tx, 'order', row.id),
    )
  return row
}
const answer = (row: Order) => ({ id: row.id, status: row.status, version: row.version })
/** What an order is in the operation log. */
export const logged = (row: Order) => ({
  object_type: 'order',
  object_id: row.id,
  object_label: row.order_no,
})
const facts = (row: Order) => ({ status: row.status, frozen: row.frozen })

/**
 * Gives back what was chosen of an order, or all that is left, as the person who asks decides
 * within their limit.
 */
export const refundBy = async (
  context: WriteContext,
  row: Order,
  of: {
    code_ids?: readonly number[] | undefined
    times?: number | undefined
    items?: readonly { id: number; qty: number }[] | undefined
    amount_cents?: number | undefined
    reason: string
    freight?: boolean
    /** How whoever holds a code that was given away agreed. */ consent?: string | undefined
    /** Another person must agree, whatever it is worth. */ second?: boolean
    /** One of many: never against what was promised. */ plain?: boolean
    /** In what state goods that were sent came back, or why they need not. */ returned?:
      | ReturnCondition
      | undefined
    keep?: string | undefined
  },
) => {
  const { tx, staff, now, log, request_id } = context
  const code_ids = await codesToRefund(tx, row, of)
  const reason = `${of.reason}${of.consent ? `（持有人同意：${of.consent}）` : ''}${of.keep ? `（无需退回：${of.keep}）` : ''}`
  const back =
    of.returned &&
    (await tx.$count(
      order_item,
      and(
        eq(order_item.order_id, row.id),
        sql`${order_item.shipped_qty} > 0`,
        of.items &&
          inArray(
            order_item.id,
            of.items.map(one => one.id),
          ),
      ),
    )) > 0
  const wanted =
    code_ids || of.items
      ? {
          ...(code_ids && {
            codes: code_ids.map(id => ({ id, ...(of.times !== undefined && { times: of.times }) })),
          }),
          ...(of.items && { items: of.items }),
        }
      : ('all' as const)
  const made = await openRefund(tx, {
    order_id: row.id,
    wanted,
    source: 'staff',
    ...(back && { type: 'return_refund', returned: of.returned }),
    reason,
    amount_cents: of.amount_cents,
    ...(of.freight && { freight: true }),
    ...(of.plain && { plain: true }),
    actor: staffActor(staff),
    by: { id: staff.id, limit_cents: of.second ? -1 : staff.refund_limit_cents },
    idem_key: `${request_id}:${row.id}`,
    now,
  })
  // Told by the lines themselves: of an item that went in part, what is still here is given back
  // first. What a store brought or handed over it answers for itself.
  if (
    row.kind !== 'goods' &&
    !back &&
    !of.keep &&
    (await linesIn(tx, made)).some(line => line.shipped_qty > 0)
  )
    throw ruled(
      'shipped',
      row.kind === 'elist'
        ? [
            '有已发货的商品：请代客申请“退货退款”，或填写“无需退回”的原因',
            'Some of it was sent: open a case to have it returned, or say why it need not come back',
          ]
        : [
            '有已发货的商品：请先收到退货并选择其状况，或填写“无需退回”的原因',
            'Some of it was sent: say in what state it came back, or why it need not',
          ],
    )
  log({
    ...logged(row),
    before: { refund_state: row.refund_state },
    after: {
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      refund_status: made.state,
    },
    reason,
  })
  return made
}
/**
 * Which codes a refund is of, if some were chosen. What is being given away is recalled first; what
 * was given away needs the word of whoever holds it.
 */
const codesToRefund = async (
  tx: Db,
  row: Order,
  of: {
    code_ids?: readonly number[] | undefined
    times?: number | undefined
    items?: readonly unknown[] | undefined
    consent?: string | undefined
  },
): Promise<readonly number[] | undefined> => {
  const open = await tx
    .select({ id: order_code.id, code: order_code.code, gift_state: order_code.gift_state })
    .from(order_code)
    .where(
      and(
        eq(order_code.order_id, row.id),
        inArray(order_code.state, ['locked', 'unused', 'part_used', 'expired']),
      ),
    )
  const chosen = of.code_ids
    ? open.filter(code => of.code_ids!.includes(code.id))
    : of.items
      ? []
      : open
  const sent = chosen.find(code => code.gift_state === 'sent')
  if (sent)
    throw ruled(
      'gift',
      ['尾号 {code} 的券码正在转赠，请先撤回', 'Code …{code} is being given away: recall it first'],
      { code: sent.code.slice(-4) },
    )
  if (!of.consent && chosen.some(code => code.gift_state === 'received'))
    throw ruled('holder_consent', [
      '券码已转赠他人，退款退回原买家：请先征得持有人同意，并写在「持有人同意」里',
      'It was given away and its refund goes to the buyer: note how the holder agreed',
    ])
  if (of.times === undefined || of.code_ids || of.items) return of.code_ids
  if (open.length !== 1)
    throw ruled(
      'which_code',
      [
        '本单有 {n} 个可退的券码，请到详情页选中一个再按次数退',
        '{n} codes can be refunded: choose one on its page',
      ],
      { n: open.length },
    )
  return [open[0]!.id]
}

/**
 * Filters whose rows an index has by status: each tab counts its own there, and stops at the bound.
 */
const byStatus: readonly (keyof Searched)[] = [
  'status',
  'stage',
  'city_id',
  'mid',
  'store_id',
  'merchant_id',
  'source',
  'from',
  'to',
]
/**
 * How many rows each tab has, in one read, exactly up to the bound of a list. What another filter
 * makes few of is found once and told apart by tab; of more than that bound the tabs are not
 * counted, but all of them together: the least of them could only be counted through all the
 * others.
 */
export const countTabs = async <T extends string>(
  db: Db,
  tabs: readonly T[],
  { among, ...rest }: Searched,
  of: {
    kinds: readonly OrderKind[]
    staff: Pick<Staff, 'scope' | 'lang'>
    now: number
    tab: (tab: T) => SQL | undefined
  },
): Promise<Record<string, number>> => {
  const numbers = (row: Record<string, number>, keys: readonly string[]) =>
    Object.fromEntries(keys.map(key => [key, Math.min(Number(row[key]), COUNT_MAX + 1)]))
  refuseLong(rest, of.staff, of.now)
  const asked = {
    own: ofKind(of.kinds),
    where: besides(rest, of.now),
    placed: placedIn(rest, of.staff),
    among,
  }
  const all = and(asked.own, asked.placed(), asked.where)
  if (among && (await countAmong(db, order, asked)).capped) return { all: COUNT_MAX + 1 }
  if (
    among ||
    (Object.keys(rest) as (keyof typeof rest)[]).some(
      key => rest[key] !== undefined && !byStatus.includes(key),
    )
  ) {
    const each = tabs.map(
      tab =>
        sql`count(*) filter (where ${of.tab(tab) ?? sql`true`})::int as ${sql.identifier(tab)}`,
    )
    const found = among
      ? sql`${order} where ${isAmong(order, asked)}`
      : sql`(select * from ${order} where ${all} order by ${order.created_at} desc limit ${COUNT_MAX + 1}) "order"`
    const {
      rows: [row],
    } = await db.execute<Record<string, number>>(
      sql`select ${sql.join(each, sql`, `)} from ${found}`,
    )
    return numbers(row!, row!['all']! > COUNT_MAX ? ['all'] : tabs)
  }
  const { rows } = await db.execute<Record<string, number>>(
    sql`select ${sql.join(
      tabs.map(tab => sql`${counting(order, and(all, of.tab(tab)))} as ${sql.identifier(tab)}`),
      sql`, `,
    )}`,
  )
  return numbers(rows[0]!, tabs)
}
/** Sends again what the channel refused of an order's refunds. Answers how many. */
export const retryRefunds = async (
  { tx, staff, now, log }: WriteContext,
  kinds: readonly OrderKind[],
  id: number,
): Promise<number> => {
  const row = await heldOrder(tx, kinds, { id }, staff)
  const failed = await tx
    .select()
    .from(refund)
    .where(and(eq(refund.order_id, id), eq(refund.state, 'pay_failed')))
    .orderBy(asc(refund.id))
  if (failed.length === 0)
    throw ruled('nothing_failed', ['没有打款失败的退款', 'No refund of it has failed'])
  for (const one of failed)
    await retryPay(tx, {
      id: one.id,
      version: one.version,
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
      now,
    })
  log({
    ...logged(row),
    before: { refund_status: 'pay_failed' },
    after: { refund_status: 'paying', refund_no: failed.map(one => one.refund_no).join('、') },
  })
  return failed.length
}

/** So many orders that bear tags are looked through, and so many tags are told. */
const [TAGGED, TAGS] = [2000, 200]
/** Tags of orders of these kinds, each once. */
export const tagHandler = (kinds: readonly OrderKind[]) =>
  ({
    tag: async ({ tags, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      const wanted = [...new Set(tags)]
      const after = await recount(tx, row, {
        event: 'tag',
        actor: staffActor(staff),
        now,
        memo: wanted.join('、'),
        set: { tags: wanted },
      })
      log({ ...logged(row), before: { tags: row.tags }, after: { tags: wanted } })
      return { id: after.id, version: after.version }
    },
    tags: async (_, { db, staff }) => {
      const lately = sql`select ${order.tags} tags from ${order} where ${and(ofKind(kinds), within(staff.scope, { city: order.city_id, mall: order.mall_id }))} and ${order.tags} <> '[]' order by ${order.created_at} desc limit ${TAGGED}`
      return (
        await db.execute<{ tag: string }>(
          sql`select distinct tag from (${lately}) l cross join jsonb_array_elements_text(l.tags) tag order by tag limit ${TAGS}`,
        )
      ).rows.map(row => row.tag)
    },
  }) satisfies { [K in keyof ReturnType<typeof tagCall>]: Handler<ReturnType<typeof tagCall>[K]> }
/** The handlers that every order list has. */
export const orderHandlers = (page: OrderPage, kinds: readonly OrderKind[]) =>
  ({
    lst: async ({ page: at, pageSize, ...filters }, { db, staff, now }) => {
      const { among, ...rest } = await searched(db, kinds, filters, now)
      refuseLong(rest, staff, now)
      const asked = {
        own: ofKind(kinds),
        where: besides(rest, now),
        placed: placedIn(rest, staff),
        among,
      }
      const rows = await pageOf(db, order, {
        ...asked,
        by: order.created_at,
        down: true,
        page: at,
        pageSize,
        but: unlisted,
        reader: `order.${page}|${staff.id}|${JSON.stringify(filters)}`,
      })
      return listed({ page: at, pageSize }, rows, rowsOf(db, rows), () =>
        countedLately(`order.${page}|${JSON.stringify([staff.scope, filters])}`, async () =>
          among
            ? countAmong(db, order, asked)
            : countOf(
                db,
                order,
                and(asked.own, asked.placed(), asked.where),
                (filters.paid_from ?? filters.paid_to) ? undefined : order.created_at,
              ),
        ),
      )
    },
    counts: async ({ status: _, ...filters }, { db, staff, now }) => {
      return countTabs(
        db,
        [...(Object.keys(orderStatuses) as OrderStatus[]), 'all' as const],
        await searched(db, kinds, filters, now),
        {
          kinds,
          staff,
          now,
          tab: status => (status === 'all' ? undefined : eq(order.status, status)),
        },
      )
    },
    detail: async ({ id }, { db, staff, now }) => {
      const row = await findOrder(db, kinds, id, staff)
      return detailOf(db, row, (await rowsOf(db, [row]))[0]!, { lang: staff.lang, now })
    },
    stores: async (
      { keyword, order_id, code_id, merchant_id, page: at, pageSize },
      { db, staff },
    ) => {
      const of = order_id === undefined ? undefined : await findOrder(db, kinds, order_id, staff)
      const open = of || merchant_id !== undefined ? eq(store.status, 'open') : undefined
      const where = and(
        within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        keyword ? sql`${store.name} ilike ${like(keyword)}` : undefined,
        open,
        of && sql`${store.id} in ${storesTaking({ order_id: of.id, code_id })}`,
        merchant_id === undefined ? undefined : eq(store.merchant_id, merchant_id),
      )
      const list = await db
        .select({ id: store.id, name: store.name, merchant_name: merchant.name })
        .from(store)
        .innerJoin(merchant, eq(merchant.id, store.merchant_id))
        .where(where)
        .orderBy(store.id)
        .limit(pageSize)
        .offset((at - 1) * pageSize)
      return { list, ...(await countOf(db, store, where)) }
    },
    freeze: async ({ reason, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      const after = await freezeOrder(tx, {
        order_id: row.id,
        by: 'staff',
        actor: staffActor(staff),
        reason,
        now,
      })
      log({ ...logged(row), before: facts(row), after: facts(after), reason })
      return answer(after)
    },
    unfreeze: async ({ reason, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      if (!row.frozen) throw ruled('not_frozen', ['订单未冻结', 'It is not frozen'])
      if (row.frozen_by === 'risk')
        throw ruled('risk_holds_it', [
          '由风控冻结，请在风控中心放行',
          'Risk control froze it: release it there',
        ])
      const after = await unfreezeOrder(tx, {
        order_id: row.id,
        by: row.frozen_by!,
        actor: staffActor(staff),
        reason,
        now,
      })
      log({ ...logged(row), before: facts(row), after: facts(after!), reason })
      return answer(after!)
    },
    cancel: async ({ reason, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      if (
        !(await closeUnpaid(tx, row.id, now, { type: 'staff', actor: staffActor(staff), reason }))
      )
        throw ruled('not_unpaid', ['只能关闭未支付的订单', 'Only an unpaid order can be closed'])
      const after = await findOrder(tx, kinds, row.id, staff)
      log({ ...logged(row), before: facts(row), after: facts(after), reason })
      return answer(after)
    },
    remark: async ({ id, text }, { tx, staff, now, log }) => {
      const row = await findOrder(tx, kinds, id, staff)
      await noteOrder(tx, {
        order_id: id,
        event: 'remark',
        actor: staffActor(staff),
        at: now,
        memo: text,
      })
      log({ ...logged(row), after: { note: text } })
      return { id }
    },
    revealPhone: async ({ id, reason }, context) => {
      const { tx, staff } = context
      const row = await findOrder(tx, kinds, id, staff)
      const [who] =
        row.member_id === null
          ? []
          : await tx
              .select({ phone: member.phone })
              .from(member)
              .where(eq(member.id, row.member_id))
      const phone = row.visitor_phone ?? who?.phone ?? row.receiver?.phone
      if (!phone) throw ruled('no_phone', ['没有登记手机号', 'No phone is on record'])
      return {
        id,
        phone,
        ...(await noteReveal(
          context,
          row.visitor_phone ? 'order.visitor_phone' : 'member.phone',
          logged(row),
          reason,
        )),
      }
    },
    refund: async ({ id, version, ...of }, context) => {
      const row = await heldOrder(context.tx, kinds, { id, version }, context.staff)
      const made = await refundBy(context, row, of)
      return {
        id,
        refund_id: made.id,
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        state: made.state,
      }
    },
    export: async ({ format, ...filters }, context) => {
      const rows_expected = await exactCount(
        context.tx,
        order,
        orderWhere(
          kinds,
          await searched(context.tx, kinds, filters, context.now),
          context.staff,
          context.now,
        ),
        EXPORT_MAX_ROWS,
      )
      return startExport(context, {
        page: `order.${page}`,
        filters,
        filters_text: filtersText(filters, context.staff.lang),
        rows_expected,
        format,
      })
    },
  }) satisfies { [K in keyof OrderCalls]: Handler<OrderCalls[K]> }

const filtersText = (
  { status, stage, quick, q, from, to, ids }: OrderFilters,
  lang: Lang,
): string =>
  [
    stage && stage !== 'all'
      ? say(goodsStages[stage], lang)
      : status && status !== 'all'
        ? say(orderStatuses[status], lang)
        : say(['全部', 'All'], lang),
    quick && say(quickFilters[quick], lang),
    q,
    from && `≥ ${timeFull(from)}`,
    to && `< ${timeFull(to)}`,
    ids?.length && say(['所选 {n} 单', '{n} chosen'], lang, { n: ids.length }),
  ]
    .filter(Boolean)
    .join(say(['，', ', '], lang))

/**
 * A column of an export of orders, and what it is of the order `o`, its buyer `m`, its lines `l`,
 * its codes `k` and the place it was bought at.
 */
type OrderColumn = ExportColumn & {
  of: SQL
  /** What its values are called. */ words?: Readonly<Record<string, Text>>
}
// As the list says it: a visitor's own phone is a field of its own.
const buyerPhone = sql`coalesce(m.phone, case when o.kind <> 'visitor' then o.visitor_phone end, o.receiver->>'phone')`
const orderColumns: readonly OrderColumn[] = [
  { key: 'order_no', title: ['订单号', 'Order no.'], of: sql`o.order_no` },
  { key: 'kind', title: ['类型', 'Kind'], of: sql`o.kind`, words: orderKinds },
  {
    key: 'status',
    title: ['状态', 'Status'],
    of: sql`case when o.status = 'pending_payment' and o.balance_due then 'balance_due' else o.status end`,
  },
  { key: 'member_name', title: ['会员', 'Member'], of: sql`m.nickname` },
  { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone', of: buyerPhone },
  { key: 'title', title: ['商品', 'Product'], of: sql`l.title` },
  { key: 'qty', title: ['数量', 'Quantity'], kind: 'number', of: sql`coalesce(l.qty, 0)` },
  { key: 'store_name', title: ['门店', 'Store'], of: sql`s.name` },
  { key: 'merchant_name', title: ['商户', 'Merchant'], of: sql`g.name` },
  { key: 'mall_name', title: ['商场', 'Mall'], of: sql`a.name` },
  { key: 'city_name', title: ['城市', 'City'], of: sql`c.city_name` },
  { key: 'pay_cents', title: ['应付', 'Due'], kind: 'money', of: sql`o.pay_cents` },
  { key: 'paid_cents', title: ['实付', 'Paid'], kind: 'money', of: sql`o.paid_cents` },
  {
    key: 'platform_discount_cents',
    title: ['平台优惠', 'Platform discount'],
    kind: 'money',
    of: sql`o.platform_discount_cents`,
  },
  { key: 'refunded_cents', title: ['已退', 'Refunded'], kind: 'money', of: sql`o.refunded_cents` },
  { key: 'used', title: ['已用', 'Used'], kind: 'number', of: sql`coalesce(k.used, 0)` },
  {
    key: 'refunded',
    title: ['退回件数', 'Units refunded'],
    kind: 'number',
    of: sql`coalesce(k.refunded, 0) + coalesce(l.refunded, 0)`,
  },
  { key: 'created_at', title: ['下单时间', 'Placed'], kind: 'time', of: sql`o.created_at` },
  { key: 'paid_at', title: ['支付时间', 'Paid at'], kind: 'time', of: sql`o.paid_at` },
  { key: 'valid_until', title: ['有效期至', 'Valid until'], kind: 'time', of: sql`o.valid_until` },
  { key: 'remark', title: ['买家留言', 'Buyer’s note'], of: sql`o.remark` },
]
/**
 * Orders that were found, how far they have been read, and the last order there was when the first
 * was read: what is placed while the file grows is not in it, even where no snapshot keeps it out.
 */
type Keys = { ids: readonly number[]; at: number; most: number }
/**
 * Batches whose orders are found together: what a filter costs is then paid once for many rows,
 * whatever plan it is answered by.
 */
const KEYS_OF = 20
const keysFrom = async (
  db: Db,
  where: () => Promise<SQL | undefined>,
  from: Keys | undefined,
  limit: number,
): Promise<Keys> => {
  if (from && from.at < from.ids.length) return from
  const most =
    from?.most ??
    (
      await db.execute<{ most: number }>(
        sql`select coalesce(max(${order.id}), 0)::int most from ${order}`,
      )
    ).rows[0]!.most
  const { rows } = await db.execute<{ id: number }>(
    sql`select ${order.id} from ${order} where ${and(await where(), sql`${order.id} > ${from?.ids.at(-1) ?? 0} and ${order.id} <= ${most}`)} order by ${order.id} limit ${limit * KEYS_OF}`,
  )
  return { ids: rows.map(row => row.id), at: 0, most }
}
/**
 * The export of a list: what its rows show and in the same words, in the order of their ids, a
 * batch in one query of its own columns alone. What the reader may not have is not read.
 */
export const exportOrders = (
  page: OrderPage,
  kinds: readonly OrderKind[],
  title: Text,
  more: readonly OrderColumn[] = [],
): void => {
  const kind = kinds.length === 1 ? { kind: kinds[0]! } : {}
  const statuses: Readonly<Record<string, Text>> = {
    ...Object.fromEntries(
      (Object.keys(orderStatuses) as OrderStatus[]).map(status => [
        status,
        statusWords({ status, ...kind }),
      ]),
    ),
    balance_due: statusWords({ status: 'pending_payment', balance_due: true }),
  }
  const columns = [
    ...orderColumns.map(column =>
      column.key === 'status' ? { ...column, words: statuses } : column,
    ),
    ...more,
  ]
  // A number of 64 bits would arrive as text.
  const select = ({ key, kind, of }: OrderColumn) =>
    sql`${kind === undefined ? of : sql`(${of})::float8`} as ${sql.identifier(key)}`
  const named = columns.filter(column => column.words)
  defineExport(`order.${page}`, {
    title,
    permit: `order.${page}.export`,
    columns,
    batch: 2000,
    count: async ({ db, staff, filters }) => {
      const now = unixNow()
      return exactCount(
        db,
        order,
        orderWhere(kinds, await searched(db, kinds, filters, now), staff, now),
        EXPORT_MAX_ROWS,
      )
    },
    rows: async ({ db, staff, filters, now, after, limit }) => {
      const { ids, at, most } = await keysFrom(
        db,
        async () => foundWhere(kinds, await searched(db, kinds, filters, now), staff, now),
        after as Keys | undefined,
        limit,
      )
      const here = ids.slice(at, at + limit)
      const read = columns.filter(column => !column.field || staff.field(column.field) !== 'hide')
      const { rows } = await db.execute<Record<string, unknown>>(sql`
        select ${sql.join(read.map(select), sql`, `)} from ${order} o
        join store s on s.id = o.store_id join merchant g on g.id = s.merchant_id join city c on c.id = s.city_id left join mall a on a.id = s.mall_id left join member m on m.id = o.member_id
        left join lateral (select (array_agg(i.title order by i.id))[1] as title, sum(i.qty) as qty, sum(i.refunded_qty) filter (where i.fulfil not in ('code', 'pickup')) as refunded from order_item i where i.order_id = o.id) l on true
        left join lateral (select sum(d.times_used) as used, sum(d.times_refunded) as refunded from order_code d where d.order_id = o.id and d.state <> 'void') k on true
        where o.id = any(${`{${here.join()}}`}::int[]) order by o.id`)
      for (const row of rows)
        for (const { key, words } of named) {
          const word = words![row[key] as string]
          row[key] = word && say(word, staff.lang)
        }
      return {
        rows,
        next: here.length < limit ? undefined : ({ ids, at: at + limit, most } satisfies Keys),
      }
    },
  })
}
