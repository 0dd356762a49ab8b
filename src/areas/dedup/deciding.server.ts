import { and, eq, inArray } from 'drizzle-orm'
import { members, type Member } from '#src/areas/member/members.server.ts'
import { member_merge } from '#src/areas/member/merge.table.ts'
import { asksSecond } from '#src/areas/member/merge.ts'
import { standingOf } from '#src/areas/member/mergeStanding.server.ts'
import { mergeHeld } from '#src/areas/member/merging.server.ts'
import { unmergeMember } from '#src/areas/member/unmerging.server.ts'
import { customers } from '#src/areas/wecom/customers.server.ts'
import { wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { outside } from '#src/server/call/kinds.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { dups, type Dup } from './cases.server.ts'
import { dupCan, type DupVerb } from './dup.ts'

type One = { id: number; version: number }
type Plan = { keep_id: number; drop_ids: readonly number[]; reason: string }

const lookOf = (row: Dup) => ({
  ...row,
  follow_n: row.follow_ids.length,
  member_n: row.member_ids.length,
})
const refuseVerb = ({ staff, now }: WriteContext, verb: DupVerb, row: Dup): void => {
  const may = dupCan(verb, lookOf(row), { me: staff.id, now })
  if (may !== true) throw ruled(`dup_${verb}`, may)
}
/** The case as the person read it, held, where nothing speaks against the verb; 409 names who was quicker. */
const heldCase = async (context: WriteContext, verb: DupVerb, one: One): Promise<Dup> => {
  const row = await dups.heldFast(context, one)
  refuseVerb(context, verb, row)
  return row
}
/** What every decision leaves behind; what it knew of does not raise the case again. */
const decided = ({ staff, now }: WriteContext, row: Dup) => ({
  decided_by: staff.id,
  decided_at: now,
  asked_by: null,
  seen: row.evidence,
})

const followGone = () =>
  ruled('follow_gone', [
    '该成员已不再跟进这位客户，请刷新后重选',
    'The adviser no longer follows this customer: look again',
  ])
/** Makes a relation the customer's first; all other relations stay as they are. */
const makePrimary = async (context: WriteContext, row: Dup, follow_id: number): Promise<Dup> => {
  const { tx } = context
  const [follow] = await tx
    .select({ id: wecom_follow.id, customer_id: wecom_follow.customer_id })
    .from(wecom_follow)
    .where(and(eq(wecom_follow.id, follow_id), eq(wecom_follow.status, 'following')))
  if (!follow || !row.customer_ids.includes(follow.customer_id)) throw followGone()
  const customer = await customers.lock(context, follow.customer_id)
  await customers.set(context, customer, { primary_follow_id: follow.id })
  return dups.save(context, row, {
    ...decided(context, row),
    status: 'resolved',
    outcome: 'primary',
    primary_follow_id: follow.id,
  })
}
/** Names the main adviser of a case. */
export const setPrimary = async (
  context: WriteContext,
  one: One,
  follow_id: number,
): Promise<Dup> => makePrimary(context, await heldCase(context, 'setPrimary', one), follow_id)
/** The same by whoever added first, of a case that nobody decided meanwhile. */
export const primaryByFirst = async (context: WriteContext, id: number): Promise<Dup> => {
  const row = await dups.lock(context, id)
  refuseVerb(context, 'batchPrimary', row)
  const [first] = await context.tx
    .select({ id: wecom_follow.id })
    .from(wecom_follow)
    .where(
      and(
        inArray(wecom_follow.customer_id, row.customer_ids),
        eq(wecom_follow.status, 'following'),
      ),
    )
    .orderBy(wecom_follow.added_at, wecom_follow.id)
    .limit(1)
  if (!first) throw followGone()
  return makePrimary(context, row, first.id)
}

/** The members of a plan, held in the order of their ids; each is of the case and of the person's places. */
const heldMembers = async (
  context: WriteContext,
  row: Dup,
  { keep_id, drop_ids }: Plan,
): Promise<Map<number, Member>> => {
  const ids = [...new Set([keep_id, ...drop_ids])].sort((a, b) => a - b)
  if (ids.length !== drop_ids.length + 1)
    throw invalid({
      drop_ids: [
        '保留的会员不能同时被合并，且每位会员只能选一次',
        'Whoever is kept can’t go too, and nobody is named twice',
      ],
    })
  if (ids.some(id => !row.member_ids.includes(id)))
    throw ruled('not_of_case', [
      '所选会员不在该记录中，请刷新后重选',
      'A member is not of this case: look again',
    ])
  if ((await outside(context.tx, context.staff, 'member', ids)).length > 0)
    throw ruled('outside', [
      '有会员属于您数据范围外的城市，请由总部或该城市同事处理',
      'A member belongs to a city that you do not see: ask a colleague there or at headquarters',
    ])
  const held = new Map<number, Member>()
  for (const id of ids) held.set(id, await members.lock(context, id))
  return held
}
const runMerge = async (context: WriteContext, row: Dup, plan: Plan): Promise<Dup> => {
  await heldMembers(context, row, plan)
  const merge_ids = [...row.merge_ids]
  for (const id of plan.drop_ids.toSorted((a, b) => a - b)) {
    // Each merge changes the member that is kept.
    const [was, target] = [
      await members.lock(context, id),
      await members.lock(context, plan.keep_id),
    ]
    merge_ids.push((await mergeHeld(context, { was, target }, plan.reason)).merge_id)
  }
  const member_ids = row.member_ids.filter(id => !plan.drop_ids.includes(id))
  const { asked_by, ...end } = decided(context, row)
  return dups.save(
    context,
    row,
    {
      ...(member_ids.length > 1
        ? { status: 'pending', asked_by }
        : { ...end, asked_by, status: 'resolved', outcome: 'merged' }),
      member_ids,
      keep_id: plan.keep_id,
      drop_ids: [...new Set([...row.drop_ids, ...plan.drop_ids])],
      merge_ids,
      merged_at: context.now,
      reason: plan.reason,
    },
    plan.reason,
  )
}
/**
 * Merges members of a case into one, or asks a second person to where money, a withdrawal or a
 * sanction is in the way (`asksSecond`).
 */
export const mergeCase = async (context: WriteContext, one: One, plan: Plan): Promise<Dup> => {
  const row = await heldCase(context, 'mergeMember', one)
  await heldMembers(context, row, plan)
  const standing = await standingOf(context.tx, [plan.keep_id, ...plan.drop_ids], context.now)
  if (!asksSecond([...standing.values()])) return runMerge(context, row, plan)
  return dups.save(
    context,
    row,
    {
      status: 'second',
      asked_by: context.staff.id,
      keep_id: plan.keep_id,
      drop_ids: [...plan.drop_ids],
      reason: plan.reason,
    },
    plan.reason,
  )
}
/** A second person approves the merge that was asked for. */
export const approveMerge = async (context: WriteContext, one: One): Promise<Dup> => {
  const row = await heldCase(context, 'approveMerge', one)
  return runMerge(context, row, {
    keep_id: row.keep_id!,
    drop_ids: row.drop_ids.filter(id => row.member_ids.includes(id)),
    reason: row.reason,
  })
}
/** The merge that was asked for is turned down, and the case waits again. */
export const rejectMerge = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Dup> => {
  const row = await heldCase(context, 'rejectMerge', one)
  return dups.save(
    context,
    row,
    { status: 'pending', asked_by: null, keep_id: null, drop_ids: [], reason },
    reason,
  )
}
/** They are not one person: the case comes back only with new evidence. */
export const ignoreCase = async (context: WriteContext, one: One, reason: string): Promise<Dup> => {
  const row = await heldCase(context, 'ignore', one)
  return dups.save(context, row, { ...decided(context, row), status: 'ignored', reason }, reason)
}
/** A case that was said to be none waits again. */
export const reopenCase = async (context: WriteContext, one: One): Promise<Dup> => {
  const row = await heldCase(context, 'reopen', one)
  return dups.save(context, row, {
    status: 'pending',
    decided_by: null,
    decided_at: null,
    raised_at: context.now,
  })
}
/** Takes back all merges of a case, the last first; the case waits again (`unmergeMember`). */
export const undoMerge = async (context: WriteContext, one: One, reason: string): Promise<Dup> => {
  const row = await heldCase(context, 'undoMerge', one)
  const merges = await context.tx
    .select({ id: member_merge.id, from_id: member_merge.from_id, to_id: member_merge.to_id })
    .from(member_merge)
    .where(inArray(member_merge.id, row.merge_ids))
  // All are held in one order before the first is taken back.
  const all = [...new Set(merges.flatMap(merge => [merge.from_id, merge.to_id]))]
  for (const id of all.sort((a, b) => a - b)) await members.lock(context, id)
  for (const id of row.merge_ids.toReversed()) await unmergeMember(context, id, reason)
  return dups.save(
    context,
    row,
    {
      status: 'pending',
      outcome: null,
      asked_by: null,
      decided_by: null,
      decided_at: null,
      keep_id: null,
      drop_ids: [],
      merge_ids: [],
      merged_at: null,
      member_ids: [...new Set([...row.member_ids, ...merges.map(merge => merge.from_id)])].sort(
        (a, b) => a - b,
      ),
      reason,
    },
    reason,
  )
}
