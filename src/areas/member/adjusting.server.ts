import { and, eq, ne } from 'drizzle-orm'
import { bookGrowth } from '#src/areas/level/growth.server.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { refuseFrozenBenefits } from './benefits.server.ts'
import { member_adjust } from './care.table.ts'
import { ADJUST_ALONE, mayDecide, type AdjustKind } from './member.ts'
import { heldMember, members, type Member } from './members.server.ts'

const t = member_adjust
type Adjust = typeof t.$inferSelect
type One = { id: number; version: number }

const adjusts = record(t, {
  object: 'member_adjust',
  label: row => `#${row.id}`,
  keys: ['member_id', 'kind', 'delta', 'reason', 'state', 'reject_reason'],
  places: { city: t.city_id },
})
const fewGrowth = (growth: number) =>
  ruled('growth_short', ['成长值不足：现有 {n}', 'Too little growth: there is {n}'], { n: growth })

/** Refuses what the member's balance does not bear, before anybody is asked to approve it. */
const refuseUnborne = async (
  context: WriteContext,
  row: Member,
  { kind, delta }: { kind: AdjustKind; delta: number },
): Promise<void> => {
  if (delta > 0) return refuseFrozenBenefits(context.tx, row.id)
  if (kind === 'growth' && row.growth + delta < 0) throw fewGrowth(row.growth)
  if (kind === 'points' && row.points + delta < 0)
    throw ruled(
      'points_short',
      [
        '积分不足：扣减 {need}，现有 {n}',
        'Too few points: {need} would be taken, and there are {n}',
      ],
      { need: -delta, n: row.points },
    )
  return undefined
}
/** Books an adjustment in the ledger of its kind, under its own number. */
const postAdjust = async (context: WriteContext, row: Adjust): Promise<void> => {
  const { tx, now } = context
  const of = {
    member_id: row.member_id,
    delta: row.delta,
    biz_no: `MA${row.id}`,
    operator_id: row.maker_id,
    now,
  }
  if (row.kind === 'points') await adjustPoints(tx, { ...of, reason: row.reason })
  else await bookGrowth(tx, { ...of, kind: 'admin', note: row.reason })
}
/**
 * Adjusts a member's points or growth: at once up to what one person may do alone, beyond that once
 * another person approves it. Answers whether it waits.
 */
export const askAdjust = async (
  context: WriteContext,
  one: One,
  of: { kind: AdjustKind; delta: number; reason: string },
): Promise<Member & { waits: boolean }> => {
  const { now, staff } = context
  const was = await heldMember(context, 'adjust', one)
  await refuseUnborne(context, was, of)
  const waits = Math.abs(of.delta) > ADJUST_ALONE
  const row = await unlessTaken(
    adjusts.add(context, {
      ...of,
      member_id: was.id,
      city_id: was.city_id,
      maker_id: staff.id,
      ...(!waits && { state: 'posted' as const, decided_at: now }),
    }),
    () =>
      ruled('adjust_waits', ['已有待复核的调整，请先处理', 'An adjustment waits: decide it first']),
  )
  await members.set(context, was, {})
  if (!waits) await postAdjust(context, row)
  return { ...(await members.read(context.tx, staff, was.id)), waits }
}
/**
 * Decides an adjustment that waits, as another person than asked for it: one guarded UPDATE.
 * Whoever comes second is told who was quicker, and the maker that it is theirs.
 */
export const decideAdjust = async (
  context: WriteContext,
  one: One,
  to: { state: 'posted' | 'rejected'; reject_reason?: string },
): Promise<Adjust> => {
  const { tx, staff, now } = context
  const asked = await adjusts.read(tx, staff, one.id)
  // The member before its adjustment, as whoever asks for one does.
  const of = await members.lock(context, asked.member_id)
  const was = await adjusts.heldFast(context, one)
  const may = mayDecide(was, staff.id)
  if (may !== true) throw ruled('not_decidable', may)
  if (to.state === 'posted') await refuseUnborne(context, of, was)
  const [after] = await tx
    .update(t)
    .set({ ...to, checker_id: staff.id, decided_at: now, version: was.version + 1 })
    .where(
      and(
        eq(t.id, was.id),
        eq(t.version, was.version),
        eq(t.state, 'pending'),
        ne(t.maker_id, staff.id),
      ),
    )
    .returning()
  if (!after) throw await adjusts.late(context, await adjusts.read(tx, staff, was.id))
  adjusts.log(context, after, {
    before: { state: was.state },
    after: { state: after.state, member_id: after.member_id, delta: after.delta },
    reason: to.reject_reason ?? was.reason,
  })
  if (to.state === 'posted') await postAdjust(context, after)
  return after
}
