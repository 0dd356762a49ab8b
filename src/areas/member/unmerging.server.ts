import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { moveGrowth } from '#src/areas/level/growth.server.ts'
import { unmovePoints } from '#src/areas/points/unmoving.server.ts'
import { moveCustomerBack } from '#src/areas/wecom/matching.server.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { countBoughtOf } from './bought.server.ts'
import { member_tag_of } from './care.table.ts'
import { member } from './member.table.ts'
import { members, type Member } from './members.server.ts'
import { member_merge, type MergeTrail } from './merge.table.ts'
import { mergeNo, UNMERGE_WITHIN } from './merge.ts'
import { moveMoneyBack } from './mergeMoney.server.ts'
import { deriveState } from './sanctions.server.ts'

type Pair = { from: number; to: number }
const intsOf = (ids: readonly number[]) => sql`${sql.param(`{${ids.join()}}`)}::int[]`

/** Rows that changed hands go back, those that are still the kept member's. */
const moveRowsBack = async (tx: Db, rows: MergeTrail['rows'], { from, to }: Pair) => {
  for (const { table, column, ids } of rows) {
    const [name, field] = [sql.identifier(table), sql.identifier(column)]
    await tx.execute(
      sql`update ${name} set ${field} = ${from} where id = any(${intsOf(ids)}) and ${field} = ${to}`,
    )
    // The kept member had been invited by the one that went.
    if (column === 'inviter_id' && ids.includes(to))
      await tx
        .update(member)
        .set({ inviter_id: from })
        .where(and(eq(member.id, to), isNull(member.inviter_id)))
  }
}
const moveBindingsBack = async (tx: Db, { ended, moved }: MergeTrail['bindings'], of: Pair) => {
  if (moved.length > 0)
    await tx
      .update(dist_binding)
      .set({ member_id: of.from, version: sql`${dist_binding.version} + 1` })
      .where(and(inArray(dist_binding.id, moved), eq(dist_binding.member_id, of.to)))
  if (ended.length > 0)
    await tx
      .update(dist_binding)
      .set({
        status: 'active',
        end_at: null,
        end_reason: '',
        ended_by: null,
        version: sql`${dist_binding.version} + 1`,
      })
      .where(and(inArray(dist_binding.id, ended), eq(dist_binding.status, 'unbound')))
}
/** Refuses where a coupon that came with the merge was used since. */
const refuseUsedCoupons = async (tx: Db, trail: MergeTrail, since: number): Promise<void> => {
  const ids = trail.rows.find(one => one.table === 'coupon_grant')?.ids ?? []
  if (ids.length === 0) return
  const [used] = await tx
    .select({ id: coupon_grant.id })
    .from(coupon_grant)
    .where(and(inArray(coupon_grant.id, ids), gt(coupon_grant.used_at, since)))
    .limit(1)
  if (used)
    throw ruled('coupon_spent', [
      '保留会员已使用过合并来的优惠券，不能撤销合并',
      'The member that was kept has used a coupon of the merge: it can’t be taken back',
    ])
}
const heldMerge = async ({ tx, now }: WriteContext, id: number) => {
  const [row] = await tx.select().from(member_merge).where(eq(member_merge.id, id)).for('update')
  if (!row) throw missing()
  if (row.undone_at !== null)
    throw ruled('unmerged', ['该合并已撤销', 'The merge was taken back already'])
  if (now > row.merged_at + UNMERGE_WITHIN)
    throw ruled('unmerge_late', [
      '合并已超过 7 天，不能撤销',
      'The merge is more than 7 days old: it can’t be taken back',
    ])
  return row
}
/** Both members, held in the order of their ids; each must stand as the merge left it. */
const heldPair = async (context: WriteContext, { from, to }: Pair): Promise<Member> => {
  const first = await members.lock(context, Math.min(from, to))
  const second = await members.lock(context, Math.max(from, to))
  const [gone, kept] = from < to ? [first, second] : [second, first]
  if (gone.merged_into !== to)
    throw ruled('unmerged', ['该合并已撤销', 'The merge was taken back already'])
  if (kept.account_state === 'merged' || kept.account_state === 'canceled')
    throw ruled(
      'kept_gone',
      [
        '保留会员 {uid} 已被合并或注销，不能撤销',
        'The member {uid} that was kept was merged or closed since: it can’t be taken back',
      ],
      { uid: kept.uid },
    )
  return gone
}

/**
 * Takes a merge back: what it moved goes the other way by rows of its own, orders and codes of since
 * then stay with the member that was kept. Throws 422 after 7 days, where the kept member spent what
 * was merged, and where either stands otherwise since. Answers the member that is back.
 */
export const unmergeMember = async (
  context: WriteContext,
  merge_id: number,
  reason: string,
): Promise<Member> => {
  const { tx, staff, now } = context
  const merge = await heldMerge(context, merge_id)
  const pair = { from: merge.from_id, to: merge.to_id }
  const gone = await heldPair(context, pair)
  const trail = merge.trail!
  await refuseUsedCoupons(tx, trail, merge.merged_at)
  const biz_no = mergeNo(merge.id)
  const of = { ...pair, biz_no, operator_id: staff.id, now }
  await unmovePoints(tx, { ...of, moved: trail.points })
  await moveGrowth(tx, {
    from: pair.to,
    to: pair.from,
    biz_no: `${biz_no}-undo`,
    operator_id: staff.id,
    now,
    most: trail.growth,
  })
  await moveRowsBack(tx, trail.rows, pair)
  await moveBindingsBack(tx, trail.bindings, pair)
  if (trail.sellers.length > 0)
    await tx
      .update(distributor)
      .set({ member_id: pair.from })
      .where(and(inArray(distributor.id, trail.sellers), eq(distributor.member_id, pair.to)))
  if (trail.plans.length > 0)
    await tx.execute(
      sql`delete from subsidy_flag where member_id = ${pair.to} and plan_id = any(${intsOf(trail.plans)})`,
    )
  if (trail.tags.length > 0)
    await tx
      .delete(member_tag_of)
      .where(and(eq(member_tag_of.member_id, pair.to), inArray(member_tag_of.tag_id, trail.tags)))
  if (trail.customer) await moveCustomerBack(tx, trail.customer, pair)
  await countBoughtOf(tx, [pair.from, pair.to])
  const held = await members.lock(context, gone.id)
  await members.save(context, held, { account_state: 'normal', merged_into: null }, reason)
  await deriveState(tx, gone.id, now)
  const kept = await members.lock(context, pair.to)
  await members.set(context, kept, {})
  await tx
    .update(member_merge)
    .set({ undone_at: now, undone_by: staff.id, undo_reason: reason, version: merge.version + 1 })
    .where(and(eq(member_merge.id, merge.id), isNull(member_merge.undone_at)))
  await moveMoneyBack(tx, { ...of, merge_id: merge.id }, trail)
  return members.read(tx, staff, gone.id)
}
