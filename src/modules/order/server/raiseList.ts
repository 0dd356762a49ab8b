import { and, desc, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { readSearch } from '#src/areas/order/orderSearch.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { deposit_forfeit } from '#src/areas/raise/forfeit.table.ts'
import {
  delayShip,
  depositOf,
  extendBalance,
  extendRaise,
  goingBack,
  holdBatch,
  keptOf,
  owedOf,
  raisedOf,
  remindBalance,
  succeedRaise,
  type Batch,
} from '#src/areas/raise/raise.server.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import {
  ENDING_SOON_S,
  isFreeToLeave,
  keepsDeposit,
  raiseStates,
  type RaiseMode,
  type RaiseState,
} from '#src/areas/raise/raise.ts'
import { failRaise } from '#src/areas/raise/raiseFails.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { secondApprove } from '#src/areas/refund/refundCases.server.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import type { Result } from '#src/contract/call.ts'
import { keyGrams } from '#src/domain/search.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { everything, within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, counting, listed, pageOf } from '#src/server/db/paging.ts'
import { raiseDetail, raiseList, type BatchQuick, type BatchRow } from '../contract/raiseList.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { raiseLookOf } from './raiseRows.ts'
import { refundBy } from './refundBy.ts'
import { orderHandlers } from './shared.ts'
import { addressHandlers, shipHandlers } from './ship.ts'
import { orderWhere, searched } from './where.ts'

const kinds = ['raise'] as const
exportOrders('raiseList', kinds, ['众筹订单', 'Crowd presale orders'])

const LATELY_S = 7 * DAY
type Filters = {
  state?: RaiseState | 'all' | undefined
  q?: string | undefined
  city_id?: number | undefined
  mode?: RaiseMode | undefined
  quick?: BatchQuick | undefined
}
const quickWhere = (quick: BatchQuick, now: number): SQL => {
  switch (quick) {
    case 'ending':
      return sql`${raise_batch.state} = 'raising' and ${raise_batch.end_at} < ${now + ENDING_SOON_S}`
    case 'declared':
      return sql`${raise_batch.state} = 'raising' and ${isNotNull(raise_batch.declare_by)}`
    case 'owing':
      return sql`${raise_batch.state} = 'failed' and ${raise_batch.id} in (select o.raise_batch_id from "order" o where o.kind = 'raise' and o.fulfil_state = 'waiting_group')`
    case 'late':
      return sql`${raise_batch.state} in ('success', 'shipping') and ${raise_batch.ship_at} < ${now} and ${raise_batch.id} in (select o.raise_batch_id from "order" o where o.kind = 'raise' and o.promise_at < ${now} and o.fulfil_state in ('waiting_ship', 'part_shipped', 'waiting_pickup'))`
  }
}
/**
 * Words find campaigns by their title or product; a number, a phone or the like finds them by their
 * orders.
 */
const searchedBatches = async (
  db: Db,
  { q, ...filters }: Filters,
  staff: Pick<Staff, 'lang'>,
  now: number,
) => {
  if (!q) return filters
  const { parts } = readSearch(q)
  if (parts.length === 0) return { ...filters, found: sql`false` }
  const words = parts.every(part =>
    part.readings.every(one => one.kind === 'product' || one.kind === 'store'),
  )
  const found = words
    ? sql`(${raise_batch.title} ilike ${like(q.trim())} or ${raise_batch.product_id} in (select p.id from product p where p.grams @> ${sql.param(keyGrams(q.trim()))}::text[] and p.title ilike ${like(q.trim())} limit 200))`
    : sql`${raise_batch.id} in (select ${order.raise_batch_id} from ${order} where ${orderWhere(kinds, await searched(db, kinds, { q }, now), { scope: everything, lang: staff.lang }, now)} limit 1000)`
  return { ...filters, found }
}
const mine = (staff: Pick<Staff, 'scope'>) =>
  within(staff.scope, { city: raise_batch.city_id, mall: raise_batch.mall_id })
export const batchWhere = (
  {
    state,
    found,
    city_id,
    mode,
    quick,
  }: Omit<Filters, 'q'> & { q?: undefined; found?: SQL | undefined },
  staff: Pick<Staff, 'scope' | 'lang'>,
  now: number,
) =>
  and(
    mine(staff),
    state && state !== 'all' ? eq(raise_batch.state, state) : undefined,
    found,
    city_id ? eq(raise_batch.city_id, city_id) : undefined,
    mode ? eq(raise_batch.mode, mode) : undefined,
    quick ? quickWhere(quick, now) : undefined,
  )

type Sums = Record<
  | 'id'
  | 'backers'
  | 'unpaid_n'
  | 'owed_n'
  | 'to_ship_n'
  | 'shipped_n'
  | 'refund_open_n'
  | 'owing_n'
  | 'payout_failed_n',
  number
> & { owed_cents: string }
const nowhere = { title: '', merchant: '', city: '', mall: null }
const noOrders: Omit<Sums, 'id'> = {
  backers: 0,
  unpaid_n: 0,
  owed_n: 0,
  owed_cents: '0',
  to_ship_n: 0,
  shipped_n: 0,
  refund_open_n: 0,
  owing_n: 0,
  payout_failed_n: 0,
}
/** A few reads for any number of campaigns. */
const readBatches = async (db: Db, batches: readonly Batch[], now: number) => {
  const ids = batches.map(batch => batch.id)
  const [places, all, lately, sums, kept, people] = await Promise.all([
    db
      .select({
        id: raise_batch.id,
        title: product.title,
        merchant: merchant.name,
        city: city.city_name,
        mall: mall.name,
      })
      .from(raise_batch)
      .innerJoin(product, eq(product.id, raise_batch.product_id))
      .innerJoin(merchant, eq(merchant.id, product.merchant_id))
      .innerJoin(city, eq(city.id, raise_batch.city_id))
      .leftJoin(mall, eq(mall.id, raise_batch.mall_id))
      .where(inArray(raise_batch.id, ids)),
    raisedOf(db, ids),
    raisedOf(db, ids, now - LATELY_S),
    db
      .execute<Sums>(sql`
      select o.raise_batch_id id, count(*) filter (where o.pay_state in ('paid', 'part_paid') and o.refund_state <> 'refunded')::int backers, count(*) filter (where o.pay_state = 'unpaid')::int unpaid_n, count(*) filter (where o.balance_due)::int owed_n, coalesce(sum(o.pay_cents - o.paid_cents + o.refunded_cents + coalesce(late.cents, 0)) filter (where o.balance_due), 0)::bigint owed_cents,
        count(*) filter (where o.fulfil_state in ('waiting_ship', 'part_shipped') and o.pay_state = 'paid')::int to_ship_n, count(*) filter (where o.fulfil_state in ('shipped', 'finished'))::int shipped_n, count(*) filter (where o.refund_state = 'refunding')::int refund_open_n, count(*) filter (where o.fulfil_state = 'waiting_group' and o.pay_state in ('paid', 'part_paid'))::int owing_n,
        count(*) filter (where o.refund_state = 'refunding' and exists (select 1 from refund r where r.order_id = o.id and r.state = 'pay_failed'))::int payout_failed_n from "order" o left join ${goingBack} where o.raise_batch_id in ${ids} group by 1`)
      .then(({ rows }) => rows),
    db
      .select({
        id: deposit_forfeit.batch_id,
        cents: sql<string>`sum(${deposit_forfeit.amount_cents})`,
      })
      .from(deposit_forfeit)
      .where(and(inArray(deposit_forfeit.batch_id, ids), eq(deposit_forfeit.state, 'valid')))
      .groupBy(deposit_forfeit.batch_id),
    db
      .select({ id: admin.id, name: admin.name })
      .from(admin)
      .where(
        inArray(admin.id, [
          ...new Set(
            batches.flatMap(batch => [batch.declare_by ?? [], batch.ended_by ?? []].flat()),
          ),
        ]),
      ),
  ])
  return { places, all, lately, sums, kept, people }
}
/**
 * Campaigns with what a list shows of them: a few reads for a page of any size, everything counted
 * from orders.
 */
const batchRows = async (db: Db, batches: readonly Batch[], now: number): Promise<BatchRow[]> => {
  if (batches.length === 0) return []
  const { places, all, lately, sums, kept, people } = await readBatches(db, batches, now)
  const nameOf = (id: number | null) => people.find(one => one.id === id)?.name ?? ''
  return batches.map(batch => {
    const place = places.find(one => one.id === batch.id) ?? nowhere
    const sum = sums.find(one => one.id === batch.id) ?? noOrders
    return {
      id: batch.id,
      batch_id: batch.id,
      raise: raiseLookOf(batch),
      product_id: batch.product_id,
      product_title: place.title,
      merchant_name: place.merchant,
      city_name: place.city,
      mall_name: place.mall ?? '',
      raised: all.get(batch.id) ?? { units: 0, cents: 0 },
      lately: lately.get(batch.id) ?? { units: 0, cents: 0 },
      backers: sum.backers,
      taken_units: batch.taken_units,
      unpaid_n: sum.unpaid_n,
      owed_n: sum.owed_n,
      owed_cents: Number(sum.owed_cents),
      to_ship_n: sum.to_ship_n,
      shipped_n: sum.shipped_n,
      refund_open_n: sum.refund_open_n,
      owing_n: batch.state === 'failed' ? sum.owing_n : 0,
      payout_failed_n: sum.payout_failed_n,
      kept_cents: Number(kept.find(one => one.id === batch.id)?.cents ?? 0),
      declare_by: nameOf(batch.declare_by),
      declare_id: batch.declare_by,
      declare_reason: batch.declare_reason,
      declare_at: batch.declare_at,
      end_by: batch.end_by,
      ended_at: batch.ended_at,
      ended_by: nameOf(batch.ended_by),
      end_reason: batch.end_reason,
      created_at: batch.created_at,
      version: batch.version,
    }
  })
}
/** A campaign within the reader's scope, or "not found". */
const findBatch = async (db: Db, id: number, staff: Pick<Staff, 'scope'>): Promise<Batch> => {
  const [row] = await db
    .select()
    .from(raise_batch)
    .where(and(eq(raise_batch.id, id), mine(staff)))
  if (!row) throw missing()
  return row
}
/** What moves a campaign on, with its line in the log. */
const change = async (
  { tx, staff, log }: WriteContext,
  batch_id: number,
  reason: string,
  run: () => Promise<Batch>,
) => {
  const before = await findBatch(tx, batch_id, staff)
  const after = await run()
  const facts = (of: Batch) => ({
    raise_state: of.state,
    end_at: of.end_at,
    ship_at: of.ship_at,
    declare_by: of.declare_by,
  })
  log({
    object_type: 'raise_batch',
    object_id: batch_id,
    object_label: before.title,
    before: facts(before),
    after: facts(after),
    reason,
  })
  return { batch_id, state: after.state, version: after.version }
}

type Promised = NonNullable<Result<typeof raiseList.terms>['promised']>
/** What may go back of an order now; null when nothing can. */
const backOf = async (db: Db, row: Order, batch: Batch) => {
  if (orderCan('refund', row) !== true || row.refund_state === 'refunding') return null
  const items = await db.select().from(order_item).where(eq(order_item.order_id, row.id))
  const n = items.reduce((all, item) => all + item.qty - item.refunded_qty - item.shipped_qty, 0)
  const kept = n > 0 ? (await keptOf(db, row, { n, left: n })).kept_cents : 0
  const owed = (await owedOf(db, [row.id])).get(row.id)!
  return { cents: row.pay_cents - owed - kept, kept_cents: kept, free: isFreeToLeave(batch) }
}

const { couriers, ship, readSheet, batchShip, editTracking } = shipHandlers(kinds)
export const raiseListServer = implement(raiseList, {
  ...orderHandlers('raiseList', kinds),
  ...decideHandlers(kinds),
  couriers,
  ship,
  readSheet,
  batchShip,
  batches: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const where = batchWhere(await searchedBatches(db, filters, staff, now), staff, now)
    // What still raises comes by its end, the rest by its beginning.
    const by =
      filters.state === 'raising' ? { by: raise_batch.end_at } : { by: raise_batch.id, down: true }
    const rows = await pageOf(db, raise_batch, {
      where,
      ...by,
      page,
      pageSize,
      reader: `order.raiseList.batches|${staff.id}|${JSON.stringify(filters)}`,
    })
    return listed({ page, pageSize }, rows, batchRows(db, rows, now), () =>
      countOf(db, raise_batch, where),
    )
  },
  batchCounts: async (filters, { db, staff, now }) => {
    const found = await searchedBatches(db, filters, staff, now)
    const { rows } = await db.execute<Record<string, number>>(
      sql`select ${sql.join(
        [...(Object.keys(raiseStates) as RaiseState[]), 'all' as const].map(
          state =>
            sql`${counting(raise_batch, batchWhere({ ...found, state }, staff, now))} as ${sql.identifier(state)}`,
        ),
        sql`, `,
      )}`,
    )
    return Object.fromEntries(Object.entries(rows[0]!).map(([key, n]) => [key, Number(n)]))
  },
  batch: async ({ batch_id }, { db, staff, now }) =>
    (await batchRows(db, [await findBatch(db, batch_id, staff)], now))[0]!,
  campaigns: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(
      mine(staff),
      keyword ? sql`${raise_batch.title} ilike ${like(keyword)}` : undefined,
    )
    return {
      list: await db
        .select({ id: raise_batch.id, name: raise_batch.title })
        .from(raise_batch)
        .where(where)
        .orderBy(desc(raise_batch.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, raise_batch, where)),
    }
  },
  terms: async ({ id }, { db, staff, now }) => {
    const row = await findOrder(db, kinds, id, staff)
    if (row.raise_batch_id === null) throw missing()
    const [batch] = await db
      .select()
      .from(raise_batch)
      .where(eq(raise_batch.id, row.raise_batch_id))
    const [item] = await db
      .select({ snapshot: order_item.snapshot })
      .from(order_item)
      .where(eq(order_item.order_id, id))
      .orderBy(order_item.id)
      .limit(1)
    const { at_pay, ...promised } =
      (
        item?.snapshot as
          | { raise?: Promised & { at_pay?: { units: number; cents: number } } }
          | undefined
      )?.raise ?? {}
    const forfeits = await db
      .select()
      .from(deposit_forfeit)
      .where(eq(deposit_forfeit.order_id, id))
      .orderBy(deposit_forfeit.id)
    return {
      batch: (await batchRows(db, [batch!], now))[0]!,
      promised: 'title' in promised ? promised : null,
      at_pay: at_pay ?? null,
      forfeits: forfeits.map(
        ({
          id: at,
          cause,
          amount_cents,
          merchant_cents,
          platform_cents,
          state,
          created_at,
          returned_at,
        }) => ({
          id: at,
          cause,
          amount_cents,
          merchant_cents,
          platform_cents,
          state,
          at: created_at,
          returned_at,
        }),
      ),
      back: await backOf(db, row, batch!),
    }
  },
  extendRaise: ({ batch_id, until, reason }, context) =>
    change(context, batch_id, reason, () =>
      extendRaise(context.tx, {
        batch_id,
        until,
        reason,
        actor: staffActor(context.staff),
        now: context.now,
      }),
    ),
  declareSuccess: ({ batch_id, reason }, context) =>
    change(context, batch_id, reason, () =>
      succeedRaise(context.tx, batch_id, {
        reason,
        actor: staffActor(context.staff),
        now: context.now,
      }),
    ),
  closeRaise: ({ batch_id, reason }, context) =>
    change(context, batch_id, reason, () =>
      failRaise(context.tx, batch_id, {
        end_by: 'close',
        reason,
        actor: staffActor(context.staff),
        now: context.now,
      }),
    ),
  remindBalance: async ({ batch_id }, { tx, staff, now, log }) => {
    const batch = await findBatch(tx, batch_id, staff)
    const sent = await remindBalance(tx, { batch_id, actor: staffActor(staff), now })
    log({
      object_type: 'raise_batch',
      object_id: batch_id,
      object_label: batch.title,
      after: { reminded_n: sent },
    })
    return { batch_id, sent }
  },
  delayShip: ({ batch_id, new_ship_at, reason }, context) =>
    change(context, batch_id, reason, () =>
      delayShip(context.tx, {
        batch_id,
        new_ship_at,
        reason,
        actor: staffActor(context.staff),
        now: context.now,
      }),
    ),
})

const told = (id: number, made: Refund) => ({
  id,
  refund_id: made.id,
  refund_no: made.refund_no,
  amount_cents: made.amount_cents,
  state: made.state,
})
/**
 * A deposit that waits for a second person is given back when another asks for the same; never by
 * the one who asked first. Undefined when none waits.
 */
const agreed = async (
  { tx, staff, now, log }: WriteContext,
  row: Order,
  reason: string,
): Promise<Refund | undefined> => {
  const [waiting] = await tx
    .select()
    .from(refund)
    .where(and(eq(refund.order_id, row.id), eq(refund.state, 'second_audit')))
  if (!waiting) return undefined
  if (waiting.first_by === staff.id)
    throw ruled(
      'second_person',
      [
        '退款 {no} 由你发起，须由另一人同样操作一次来确认',
        'You asked for refund {no}: another person must do the same to agree',
      ],
      { no: waiting.refund_no },
    )
  const made = await secondApprove(tx, {
    id: waiting.id,
    version: waiting.version,
    by: { id: staff.id, limit_cents: staff.refund_limit_cents },
    now,
  })
  log({
    ...logged(row),
    before: { refund_status: 'second_audit' },
    after: {
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      refund_status: made.state,
    },
    reason,
  })
  return made
}
export const raiseDetailServer = implement(raiseDetail, {
  couriers,
  ship,
  editTracking,
  ...addressHandlers(kinds),
  extendBalance: async ({ until, reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const after = await extendBalance(tx, row, await holdBatch(tx, row.raise_batch_id!), {
      until,
      reason,
      actor: staffActor(staff),
      now,
    })
    log({
      ...logged(row),
      before: { balance_until: row.expire_pay_at },
      after: { balance_until: after.expire_pay_at },
      reason,
    })
    return { id: after.id, status: after.status, version: after.version }
  },
  refund: async ({ id, version, ...of }, context) => {
    const row = await heldOrder(context.tx, kinds, { id, version }, context.staff)
    return told(id, await refundBy(context, row, of))
  },
  refundDeposit: async ({ id, version, reason }, context) => {
    const { tx, staff, now, log, request_id } = context
    const row = await heldOrder(tx, kinds, { id, version }, staff)
    if (row.frozen)
      throw ruled('frozen', ['订单已冻结，请先解冻', 'It is frozen: unfreeze it first'])
    const deposit = await depositOf(tx, id)
    if (!deposit) throw ruled('no_deposit', ['没有付过定金', 'No deposit was paid'])
    const kept = await tx
      .select()
      .from(deposit_forfeit)
      .where(and(eq(deposit_forfeit.order_id, id), eq(deposit_forfeit.state, 'valid')))
    const kept_cents = kept.reduce((all, one) => all + one.amount_cents, 0)
    if (kept_cents === 0 && row.pay_state !== 'part_paid')
      throw ruled(
        'not_alone',
        row.pay_state === 'paid' && row.refund_state !== 'refunded'
          ? ['尾款已付，请用「发起退款」', 'The balance is paid: refund the order']
          : ['没有可退的定金', 'No deposit left to refund'],
      )
    // A refund that waits is agreed to here only where it can be of nothing but the deposit.
    const waiting = await agreed(context, row, reason)
    if (waiting) return told(id, waiting)
    // What was promised to stay goes back only by the word of two.
    const batch = await findBatch(tx, row.raise_batch_id!, staff)
    const limit_cents = kept_cents > 0 || keepsDeposit(batch) ? -1 : staff.refund_limit_cents
    const made = await openRefund(tx, {
      order_id: id,
      wanted: 'all',
      ...(kept_cents > 0
        ? { money: { cents: kept_cents, payment_id: deposit.id } }
        : { waive: true }),
      source: 'staff',
      reason,
      actor: staffActor(staff),
      by: { id: staff.id, limit_cents },
      idem_key: `${request_id}:${id}`,
      now,
    })
    log({
      ...logged(row),
      after: {
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        refund_status: made.state,
        deposit_back: true,
      },
      reason,
    })
    return told(id, made)
  },
})
