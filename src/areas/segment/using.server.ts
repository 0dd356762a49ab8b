import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { customers } from '#src/areas/wecom/customers.server.ts'
import { planMass, refuseTime } from '#src/areas/wecom/masses.server.ts'
import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import { joinedNames } from '#src/domain/text.ts'
import type { Staff, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { isAddressed } from './compile.server.ts'
import { namesOfRefs } from './refs.server.ts'
import { segment_person as p, segment_use } from './segment.table.ts'
import { GRANT_MOST, SEND_MOST } from './segment.ts'
import { heldSegment, segments, type Segment } from './segmentRows.server.ts'

type One = { id: number; version: number }
/** True of the members on the list of a segment that holds now. */
const onList = ({ id, gen }: Pick<Segment, 'id' | 'gen'>): SQL =>
  sql`exists (select 1 from ${p} where ${p.segment_id} = ${id} and ${p.gen} = ${gen}
    and ${p.member_id} = ${member.id})`
const seenOnList = (of: Segment, staff: Pick<Staff, 'scope'>): SQL | undefined =>
  and(onList(of), isAddressed, members.seen(staff))

/** The segment that is to be used, where nothing of its rule is gone since it was looked at. */
const usable = async (context: WriteContext, one: One): Promise<Segment> => {
  const was = await heldSegment(context, 'use', one)
  const { gone, names } = await namesOfRefs(context.tx, was.refs)
  if (gone.length > 0)
    throw ruled(
      'segment_refs',
      [
        '规则引用的「{what}」已删除或停用，分群已失效，请先编辑',
        'The rule names “{what}”, which is gone: edit the segment first',
      ],
      { what: joinedNames(gone.map(key => names[key] ?? key)) },
    )
  return was
}
/** Friends in WeCom of the members on a list that the person sees. */
const friendsOf = async ({ tx, staff }: WriteContext, of: Segment) =>
  tx
    .select({ id: wecom_customer.id })
    .from(wecom_customer)
    .innerJoin(member, eq(member.id, wecom_customer.member_id))
    .where(and(seenOnList(of, staff), customers.seen(staff)))
    .orderBy(asc(wecom_customer.id))
    .limit(SEND_MOST + 1)
/**
 * Plans a text to the friends among a segment's people, as their list stands now: a later count
 * changes nothing of it. Answers how many get it, who does not and why, and how many are no friends.
 */
export const sendToSegment = async (
  context: WriteContext,
  {
    content,
    material_ids = [],
    schedule_at,
    ...one
  }: One & { content: string; material_ids?: number[]; schedule_at?: number | undefined },
) => {
  const { tx, staff, now } = context
  refuseTime(schedule_at, now)
  const was = await usable(context, one)
  const friends = await friendsOf(context, was)
  if (friends.length > SEND_MOST)
    throw ruled(
      'send_most',
      [
        '一次最多发给 {n} 位企微好友，请拆成多个分群',
        'One text goes to {n} friends at most: split the segment',
      ],
      { n: SEND_MOST },
    )
  const people_n = await tx.$count(member, seenOnList(was, staff))
  const send_at = schedule_at ?? now
  const ids = friends.map(row => row.id)
  const planned = await planMass(context, { ids, content, material_ids, send_at })
  if (planned.task_id === null)
    throw ruled('send_nobody', [
      '分群里没有能接收的企微好友：可能未添加好友、跟进成员不在职，或本月已达接收上限',
      'Nobody in it can get a text: no friends, no adviser in service, or all had their share',
    ])
  await tx.insert(segment_use).values({
    segment_id: was.id,
    gen: was.gen,
    kind: 'send',
    people_n,
    begun_n: planned.ok.length,
    send_task_id: planned.task_id,
    by_id: staff.id,
    created_at: now,
  })
  const after = await segments.set(context, was, {})
  segments.log(context, after, {
    after: { mass: content.slice(0, 60), send_at, people_n: planned.ok.length },
  })
  return {
    ...after,
    sent_n: planned.ok.length,
    failed_n: planned.failed.length,
    no_friend_n: people_n - friends.length,
    failed: planned.failed.slice(0, 200),
  }
}
export type Giving = { coupon_id: number; quantity: number; reason: string }
/** Gives one member of a list pieces of a coupon: stock, limits and benefits hold. */
export const giveOne = async (
  context: WriteContext,
  member_id: number,
  of: Giving,
): Promise<void> => {
  const row = await members.read(context.tx, context.staff, member_id)
  const { coupon } = await claimCoupon(context.tx, {
    coupon_id: of.coupon_id,
    member_id,
    qty: of.quantity,
    kind: 'admin',
    now: context.now,
    by: { admin_id: context.staff.id, reason: of.reason },
  })
  members.log(context, row, {
    after: { coupon: coupon.name, quantity: of.quantity },
    reason: of.reason,
  })
}
type Begin = (ids: readonly number[]) => Promise<{ job_id: number; rows: number }>
/** Begins to give a coupon to the people of a segment, as their list stands now. */
export const grantToSegment = async (
  context: WriteContext,
  { coupon_id, quantity, reason, ...one }: One & Giving,
  begin: Begin,
) => {
  const { tx, staff, now } = context
  const was = await usable(context, one)
  const rows = await tx
    .select({ id: member.id })
    .from(member)
    .where(seenOnList(was, staff))
    .orderBy(asc(member.id))
    .limit(GRANT_MOST + 1)
  if (rows.length === 0)
    throw ruled('grant_nobody', ['分群里没有你能看到的会员', 'You see nobody of this segment'])
  if (rows.length > GRANT_MOST)
    throw ruled(
      'grant_most',
      ['一次最多发给 {n} 人，请拆成多个分群', 'At most {n} people at once: split the segment'],
      { n: GRANT_MOST },
    )
  const { job_id } = await begin(rows.map(row => row.id))
  await tx.insert(segment_use).values({
    segment_id: was.id,
    gen: was.gen,
    kind: 'coupon',
    people_n: was.customer_count,
    begun_n: rows.length,
    coupon_id,
    job_id,
    by_id: staff.id,
    note: reason,
    created_at: now,
  })
  const after = await segments.set(context, was, {})
  segments.log(context, after, { after: { coupon_id, quantity, people_n: rows.length }, reason })
  return { ...after, job_id, rows: rows.length }
}
