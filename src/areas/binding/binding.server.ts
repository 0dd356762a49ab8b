import { and, asc, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { dist_binding as t, dist_binding_ask } from './binding.table.ts'
import {
  bindFault,
  BOUND_S,
  DISPUTE_S,
  LOST_S,
  mayChange,
  mayPool,
  PROTECTED_S,
  type BindingRole,
  type BindingSource,
  type BindingState,
} from './binding.ts'

export type Binding = typeof t.$inferSelect
export type HeldSeller = typeof distributor.$inferSelect & { merchant_id: number | null }
type One = { id: number; version: number }

/** Bindings as handlers read, change and log them. */
export const bindings = record(t, {
  object: 'dist_binding',
  label: row => joined([`客户绑定 ${row.id}`, `Binding ${row.id}`]),
  keys: ['status', 'distributor_id', 'expire_at', 'pool_store_id', 'end_reason'],
  places: { city: t.city_id, mall: t.mall_id },
})
/**
 * Sellers by their ids, each with the merchant of its store, held until the transaction ends. All
 * who bind or end take them first and in one order, so that nobody waits in a circle.
 */
export const holdSellers = async (
  tx: Db,
  ids: readonly number[],
): Promise<Map<number, HeldSeller>> => {
  const some = [...new Set(ids)]
  if (some.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(distributor)
    .where(inArray(distributor.id, some))
    .orderBy(asc(distributor.id))
    .for('no key update')
  const stores = rows.flatMap(row => row.store_id ?? [])
  const owners = new Map(
    stores.length === 0
      ? []
      : (
          await tx
            .select({ id: store.id, merchant_id: store.merchant_id })
            .from(store)
            .where(inArray(store.id, stores))
        ).map(one => [one.id, one.merchant_id]),
  )
  return new Map(
    rows.map(row => [row.id, { ...row, merchant_id: owners.get(row.store_id ?? 0) ?? null }]),
  )
}
/** Keeps `customer_count` right; the sellers are held. */
const counted = async (tx: Db, seller_id: number, change: number): Promise<void> => {
  await tx
    .update(distributor)
    .set({ customer_count: sql`${distributor.customer_count} + ${change}` })
    .where(eq(distributor.id, seller_id))
}

/** Says to whom the member is bound already, and who did it. */
const boundAlready = async (tx: Db, of: Pick<Binding, 'member_id' | 'role'>): Promise<Refusal> => {
  const [there] = await tx
    .select({ name: distributor.name, at: t.bind_at, by: admin.name })
    .from(t)
    .innerJoin(distributor, eq(distributor.id, t.distributor_id))
    .leftJoin(admin, eq(admin.id, t.maker_id))
    .where(and(eq(t.member_id, of.member_id), eq(t.role, of.role), eq(t.status, 'active')))
  return ruled(
    'bound_already',
    [
      '该客户已绑定 {seller}（{at}，{by}），请先转移或解绑',
      'The customer is bound to {seller} ({at}, {by}): transfer or end that first',
    ],
    {
      seller: there?.name ?? '',
      at: timeFull(there?.at ?? 0),
      by: there?.by ?? joined(['客户自己', 'the customer']),
    },
  )
}
/** The store in whose pool the member is, where its claim still holds. */
const poolOf = async (tx: Db, member_id: number, now: number) => {
  const [last] = await tx
    .select({ expire_at: t.expire_at, merchant_id: store.merchant_id, name: store.name })
    .from(t)
    .leftJoin(store, eq(store.id, t.pool_store_id))
    .where(and(eq(t.member_id, member_id), eq(t.role, 'guide')))
    .orderBy(sql`${t.id} desc`)
    .limit(1)
  return last?.merchant_id && last.expire_at > now ? last : undefined
}
type Begin = {
  member_id: number
  role: BindingRole
  source: BindingSource
  to: HeldSeller
  /** Bound by staff; null: by the customer. */
  by: number | null
  now: number
  from_id?: number
}
/** The binding of the other role that the customer began within an hour, if there is one. */
const rivalOf = async (tx: Db, { member_id, role, source, now }: Begin) => {
  if (source === 'admin') return undefined
  const [rival] = await tx
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.member_id, member_id),
        eq(t.role, role === 'expert' ? 'guide' : 'expert'),
        eq(t.status, 'active'),
        sql`abs(${t.bind_at} - ${now}) <= ${DISPUTE_S}`,
      ),
    )
  return rival?.id
}
/** Begins a binding to a seller that is held; 422 where a rule forbids it. */
export const begin = async (tx: Db, of: Begin): Promise<Binding> => {
  const { member_id, role, source, to, by, now, from_id } = of
  const fault = bindFault(of, to)
  if (fault) throw ruled('not_bindable', fault)
  const pool = role === 'guide' ? await poolOf(tx, member_id, now) : undefined
  if (pool && pool.merchant_id !== to.merchant_id)
    throw ruled(
      'pooled',
      [
        '客户在 {store} 的客户池中，只能由该商户的导购承接',
        'The customer is in the pool of {store}: only guides of its merchant take them',
      ],
      { store: pool.name ?? '' },
    )
  const rival_id = await rivalOf(tx, of)
  const [made] = await tx
    .insert(t)
    .values({
      member_id,
      role,
      source,
      distributor_id: to.id,
      city_id: to.city_id,
      mall_id: to.mall_id,
      bind_at: now,
      expire_at: now + BOUND_S,
      protect_until: now + PROTECTED_S,
      maker_id: by,
      from_id,
      rival_id,
      created_at: now,
    })
    .onConflictDoNothing()
    .returning()
  if (!made) throw await boundAlready(tx, of)
  if (rival_id) await tx.update(t).set({ rival_id: made.id }).where(eq(t.id, rival_id))
  await counted(tx, to.id, 1)
  return made
}
/**
 * Binds a member to a seller: none of that role is active, the seller is, and is not the member (B,
 * dist_binding). Throws 404 for a seller that is not there.
 */
export const bind = async (
  tx: Db,
  { distributor_id, ...of }: Omit<Begin, 'to'> & { distributor_id: number },
): Promise<Binding> => {
  const to = (await holdSellers(tx, [distributor_id])).get(distributor_id)
  if (!to) throw missing()
  return begin(tx, { ...of, to })
}

type End = {
  status: Exclude<BindingState, 'active'>
  reason: string
  by: number | null
  now: number
  pool_store_id?: number | null
}
/** Transfers that were asked for of bindings that are over. */
const lapse = async (tx: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .update(dist_binding_ask)
    .set({ state: 'lapsed', version: sql`${dist_binding_ask.version} + 1` })
    .where(
      and(inArray(dist_binding_ask.binding_id, [...ids]), eq(dist_binding_ask.state, 'pending')),
    )
}
/** Ends a binding by one guarded UPDATE; undefined where somebody was quicker. Its seller is held. */
const end = async (tx: Db, was: Binding, of: End): Promise<Binding | undefined> => {
  const [after] = await tx
    .update(t)
    .set({
      status: of.status,
      end_at: of.now,
      end_reason: of.reason.slice(0, 200),
      ended_by: of.by,
      pool_store_id: of.pool_store_id ?? null,
      version: was.version + 1,
    })
    .where(and(eq(t.id, was.id), eq(t.version, was.version), eq(t.status, 'active')))
    .returning()
  if (!after) return undefined
  await lapse(tx, [was.id])
  await counted(tx, was.distributor_id, -1)
  return after
}
/** The same; whoever was late is told who was quicker. */
export const ending = async (context: WriteContext, was: Binding, of: End): Promise<Binding> => {
  const after = await end(context.tx, was, of)
  if (!after)
    throw await bindings.late(context, await bindings.read(context.tx, context.staff, was.id))
  return after
}
/** A line in the log of what became of a binding, and why. */
export const told = (context: WriteContext, was: Binding, after: Binding, reason: string): void => {
  const keys = ['status', 'distributor_id', 'expire_at', 'pool_store_id'] as const
  const differ = keys.filter(key => was[key] !== after[key])
  const pick = (row: Binding) => Object.fromEntries(differ.map(key => [key, row[key]]))
  bindings.log(context, after, { before: pick(was), after: pick(after), reason })
}
/** A binding as the person holds it, after its seller (and another, where it goes to one). */
export const held = async (context: WriteContext, one: One, to?: number) => {
  const { tx, staff } = context
  const read = await bindings.read(tx, staff, one.id)
  const sellers = await holdSellers(tx, [read.distributor_id, ...(to === undefined ? [] : [to])])
  return { was: await bindings.heldFast(context, one), sellers }
}
/** Throws 422 of a binding that is over. */
export const changeable = (was: Binding): void => {
  const may = mayChange(was)
  if (may !== true) throw ruled('binding_over', may)
}
/** Ends a binding; the customer may be bound anew. */
export const unbind = async (
  context: WriteContext,
  { reason, ...one }: One & { reason: string },
): Promise<Binding> => {
  const { was } = await held(context, one)
  changeable(was)
  const { staff, now } = context
  const after = await ending(context, was, { status: 'unbound', reason, by: staff.id, now })
  told(context, was, after, reason)
  return after
}
/** Ends a guide's binding; the guide's store keeps its claim to the customer until it had expired. */
export const toPool = async (
  context: WriteContext,
  { reason, ...one }: One & { reason: string },
): Promise<Binding> => {
  const { was, sellers } = await held(context, one)
  const may = mayPool(was)
  if (may !== true) throw ruled('not_poolable', may)
  const { staff, now } = context
  const pool_store_id = sellers.get(was.distributor_id)!.store_id
  const status = 'unbound' as const
  const after = await ending(context, was, { status, reason, by: staff.id, now, pool_store_id })
  told(context, was, after, reason)
  return after
}
/** Lets a binding last so many days longer; one that has expired can only be made anew. */
export const extend = async (
  context: WriteContext,
  { days_s, reason, ...one }: One & { days_s: number; reason: string },
): Promise<Binding> => {
  const was = await bindings.heldFast(context, one)
  changeable(was)
  if (was.expire_at <= context.now)
    throw ruled('binding_over', ['绑定已到期，不能延长', 'It has expired and is not extended'])
  return bindings.save(context, was, { expire_at: was.expire_at + days_s }, reason)
}

/** Ends some of the bindings that match, with their sellers' counts. Answers their ids. */
export const endAll = async (
  tx: Db,
  where: SQL | undefined,
  set: Partial<Binding> | Record<string, unknown>,
): Promise<number[]> => {
  const due = await tx
    .select({ id: t.id, distributor_id: t.distributor_id })
    .from(t)
    .where(and(eq(t.status, 'active'), where))
    .limit(500)
  if (due.length === 0) return []
  await holdSellers(
    tx,
    due.map(one => one.distributor_id),
  )
  const gone = await tx
    .update(t)
    .set({ ...set, version: sql`${t.version} + 1` })
    .where(
      and(
        inArray(
          t.id,
          due.map(one => one.id),
        ),
        eq(t.status, 'active'),
        where,
      ),
    )
    .returning({ id: t.id, distributor_id: t.distributor_id })
  await lapse(
    tx,
    gone.map(one => one.id),
  )
  const by = new Map<number, number>()
  for (const { distributor_id: of } of gone) by.set(of, (by.get(of) ?? 0) + 1)
  for (const [seller, n] of by) await counted(tx, seller, -n)
  return gone.map(one => one.id)
}
/** Ends what has expired, and what was bound in WeCom by a friend who is lost for seven days. */
export const endDue = async (tx: Db, now: number): Promise<number> => {
  const expired = await endAll(tx, lte(t.expire_at, now), {
    status: 'expired',
    end_at: sql`${t.expire_at}`,
  })
  const lost = await endAll(tx, and(eq(t.source, 'wecom'), lte(t.friend_lost_at, now - LOST_S)), {
    status: 'unbound',
    end_at: now,
    end_reason: joined(['企微好友流失满 7 天', 'Lost as a WeCom contact for 7 days']),
  })
  return expired.length + lost.length
}
/**
 * Frees all customers of a seller who quits or leaves; with `pool_store_id` that store keeps its
 * claim to them. Answers how many.
 */
export const releaseCustomers = async (
  tx: Db,
  of: {
    distributor_id: number
    reason: string
    by: number | null
    now: number
    pool_store_id?: number
  },
): Promise<number> => {
  const set = {
    status: 'unbound' as const,
    end_at: of.now,
    end_reason: of.reason.slice(0, 200),
    ended_by: of.by,
    pool_store_id: of.pool_store_id ?? null,
  }
  let all = 0
  for (;;) {
    const gone = await endAll(tx, eq(t.distributor_id, of.distributor_id), set)
    if (gone.length === 0) return all
    all += gone.length
  }
}
