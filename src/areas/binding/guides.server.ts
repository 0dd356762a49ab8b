import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import {
  heldSeller,
  quitSeller,
  sellers,
  type Seller,
} from '#src/areas/distribution/sellers.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { staysWithGuide } from '#src/areas/place/guideRule.ts'
import { mall } from '#src/areas/place/place.table.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { endAll, holdSellers, releaseCustomers, type HeldSeller } from './binding.server.ts'
import { dist_binding as t } from './binding.table.ts'
import { BOUND_S, PROTECTED_S } from './binding.ts'

type One = { id: number; version: number }
type Handing = { from: number; to: HeldSeller; reason: string; by: number; now: number }

/** The guide as the person holds it; 404 for a seller of another kind. */
export const heldGuide = async (context: WriteContext, one: One): Promise<Seller> => {
  const was = await heldSeller(context, 'change', one)
  if (was.kind !== 'guide') throw missing()
  return was
}
/**
 * Gives all customers of a guide who leaves to a colleague, whose periods begin anew; the colleague
 * who is a customer themselves stays behind. Both are held. Answers how many.
 */
const handOver = async (tx: Db, { from, to, reason, by, now }: Handing): Promise<number> => {
  let all = 0
  for (;;) {
    const gone = await endAll(
      tx,
      and(eq(t.distributor_id, from), ne(t.member_id, to.member_id ?? 0)),
      { status: 'transferred', end_at: now, end_reason: reason, ended_by: by },
    )
    if (gone.length === 0) break
    all += gone.length
    const rows = await tx
      .select({ id: t.id, member_id: t.member_id })
      .from(t)
      .where(inArray(t.id, gone))
    await tx.insert(t).values(
      rows.map(row => ({
        member_id: row.member_id,
        distributor_id: to.id,
        role: 'guide' as const,
        source: 'admin' as const,
        city_id: to.city_id,
        mall_id: to.mall_id,
        bind_at: now,
        expire_at: now + BOUND_S,
        protect_until: now + PROTECTED_S,
        from_id: row.id,
        maker_id: by,
        created_at: now,
      })),
    )
  }
  await tx
    .update(distributor)
    .set({ customer_count: sql`${distributor.customer_count} + ${all}` })
    .where(eq(distributor.id, to.id))
  return all
}
/**
 * A guide leaves: the customers go to an active colleague of the same store, or into the store's
 * pool; what was earned stays claimable (`quitSeller`). Throws 422 for another successor.
 */
export const leaveGuide = async (
  context: WriteContext,
  { successor_id, reason, ...one }: One & { successor_id?: number | undefined; reason: string },
): Promise<Seller & { handed: number; pooled: number; on_hold_cents: number }> => {
  const { tx, staff, now } = context
  const held = await holdSellers(tx, [one.id, ...(successor_id ? [successor_id] : [])])
  const was = await heldGuide(context, one)
  const to = successor_id === undefined ? undefined : held.get(successor_id)
  const mayTake =
    to?.kind === 'guide' && to.status === 'active' && !to.quitting && to.store_id === was.store_id
  if (successor_id !== undefined && (!to || !mayTake || to.id === was.id))
    throw ruled('bad_successor', [
      '接任者须是同一门店的正常导购',
      'The successor is an active guide of the same store',
    ])
  const handed = to ? await handOver(tx, { from: was.id, to, reason, by: staff.id, now }) : 0
  const pooled = await releaseCustomers(tx, {
    distributor_id: was.id,
    reason,
    by: staff.id,
    now,
    pool_store_id: was.store_id!,
  })
  const gone = await quitSeller(context, one, reason)
  return { ...gone, handed, pooled }
}
/**
 * A guide goes to another open store. Whether the customers stay with the guide says the rule of the
 * mall that is left; otherwise they go into the pool of the store before, whose merchant keeps them.
 */
export const changeStore = async (
  context: WriteContext,
  { store_id, reason, ...one }: One & { store_id: number; reason: string },
): Promise<Seller & { pooled: number }> => {
  const { tx, staff, now } = context
  await holdSellers(tx, [one.id])
  const was = await heldGuide(context, one)
  const stores = await tx
    .select()
    .from(store)
    .where(inArray(store.id, [store_id, was.store_id!]))
  const [to, from] = [store_id, was.store_id].map(id => stores.find(row => row.id === id))
  if (!to || !from) throw missing()
  if (to.id === from.id) throw ruled('same_store', ['已在该门店', 'The guide is there already'])
  if (to.status !== 'open')
    throw ruled('store_not_open', ['只能调往营业中的门店', 'Only an open store takes a guide'])
  const [left] = await tx
    .select({ rule: mall.guide_rule })
    .from(mall)
    .where(eq(mall.id, from.mall_id))
  const pooled = staysWithGuide(left?.rule ?? null, { from, to })
    ? 0
    : await releaseCustomers(tx, {
        distributor_id: was.id,
        reason,
        by: staff.id,
        now,
        pool_store_id: from.id,
      })
  const { city_id, mall_id } = to
  await tx
    .update(t)
    .set({ city_id, mall_id })
    .where(and(eq(t.distributor_id, was.id), eq(t.status, 'active')))
  const after = await sellers.save(context, was, { store_id, city_id, mall_id }, reason)
  return { ...after, pooled }
}
/** Binds the account of a guide in WeCom; each belongs to one seller. */
export const bindWecom = async (
  context: WriteContext,
  { userid, ...one }: One & { userid: string },
): Promise<Seller> => {
  const was = await heldGuide(context, one)
  const [taken] = await context.tx
    .select({ name: distributor.name })
    .from(distributor)
    .where(
      and(
        eq(distributor.wecom_userid, userid),
        ne(distributor.id, was.id),
        inArray(distributor.status, ['pending', 'active', 'frozen']),
      ),
    )
  if (taken)
    throw ruled(
      'wecom_taken',
      ['该企微成员已绑定 {name}', '{name} has that account in WeCom'],
      { name: taken.name },
      { fields: { userid: ['已被绑定', 'It is taken'] } },
    )
  return sellers.save(context, was, { wecom_userid: userid })
}
