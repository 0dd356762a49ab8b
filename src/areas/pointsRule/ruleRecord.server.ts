import { and, eq, ne } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import type { PointsRule } from './inForce.server.ts'
import { points_rule as t } from './rule.table.ts'
import { overlaps, type PointsRuleKind } from './rule.ts'

/** Rules by which points are earned, as handlers read, change and log them. */
export const ruleRecord = record(t, {
  object: 'points_rule',
  label: row => row.name,
  keys: ['config', 'daily_cap', 'total_cap', 'start_at', 'end_at', 'status', 'off_reason', 'sort'],
  places: 'all',
})
type One = { id: number; version: number }
/**
 * A rule of one of some kinds as the person holds it, and all of its kind held with it, so that two
 * that overlap are never on at once. Throws 404 for another kind, 409 where somebody was quicker.
 */
export const heldRule = async (
  context: WriteContext,
  one: One,
  kinds: readonly PointsRuleKind[],
): Promise<PointsRule> => {
  const { kind } = await ruleRecord.read(context.tx, context.staff, one.id)
  if (!kinds.includes(kind)) throw missing()
  await context.tx.select({ id: t.id }).from(t).where(eq(t.kind, kind)).orderBy(t.id).for('update')
  return ruleRecord.heldFast(context, one)
}
type Span = Pick<PointsRule, 'mids' | 'start_at' | 'end_at'>
/**
 * Refuses a span that is none (400), and one in which another rule of the same malls is on (422).
 */
export const refuseOverlap = async (
  { tx, staff }: WriteContext,
  was: PointsRule,
  of: Span,
): Promise<void> => {
  const { start_at, end_at } = of
  const ends: Text | undefined =
    start_at !== null && end_at !== null && end_at <= start_at
      ? ['结束时间须晚于开始时间', 'It ends after it begins']
      : undefined
  faultless(staff, { end_at: ends })
  const others = await tx
    .select()
    .from(t)
    .where(and(eq(t.kind, was.kind), eq(t.status, 'on'), ne(t.id, was.id)))
  const other = others.find(one => overlaps(one, of))
  if (other)
    throw ruled(
      'overlaps',
      [
        '与启用中的「{name}」时间重叠，请先停用它或错开时间',
        'It overlaps {name}, which is on: turn that off, or choose another time',
      ],
      { name: other.name },
    )
}
/** Turns a held rule on; throws 422 where it is on, or another of the same malls is. */
export const turnRuleOn = async (context: WriteContext, was: PointsRule): Promise<PointsRule> => {
  if (was.status === 'on') throw ruled('on', ['已启用', 'Already on'])
  await refuseOverlap(context, was, was)
  return ruleRecord.save(context, was, { status: 'on', off_reason: '' })
}
/** Turns a held rule off: nothing is earned by it from now on, what was booked stays. */
export const turnRuleOff = async (
  context: WriteContext,
  was: PointsRule,
  reason: string,
): Promise<PointsRule> => {
  if (was.status !== 'on') throw ruled('off', ['已停用', 'Already off'])
  return ruleRecord.save(context, was, { status: 'off', off_reason: reason }, reason)
}
