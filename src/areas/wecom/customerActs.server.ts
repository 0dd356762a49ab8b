import { and, asc, eq, or, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { joinedNames, type Text } from '#src/domain/text.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import {
  customers,
  followFor,
  followsFor,
  tagsNamed,
  type Customer,
  type Which,
} from './customers.server.ts'
import { refuseOther, refuseSecond } from './matching.server.ts'
import { addTasks } from './tasks.server.ts'

/** Names of tags that WeCom knows; 422 where one of them is no more. */
const validTags = async (tx: Db, ids: readonly number[]): Promise<string> => {
  const tags = await tagsNamed(tx, ids)
  const wrong = ids.filter(id => tags.get(id)?.status !== 'active')
  if (wrong.length > 0)
    throw ruled('tag_invalid', [
      '所选标签在企微已失效，请刷新后重选',
      'WeCom knows one of the tags no more: choose again',
    ])
  return joinedNames(ids.map(id => tags.get(id)!.name))
}
type Marking = { add?: readonly number[]; remove?: readonly number[] }
type To = { id: number; staff_id: number; staff_name: string }
const tagTask = (context: WriteContext, was: Customer, { to, of }: { to: To; of: Marking }) => ({
  kind: 'tag' as const,
  customer_id: was.id,
  follow_id: to.id,
  staff_id: to.staff_id,
  body: { ...of },
  asked_by: context.staff.id,
})
/** Sends tags to WeCom for relations, and logs for whom. */
const markFor = async (
  context: WriteContext,
  was: Customer,
  { to, ...of }: Marking & { to: readonly To[] },
): Promise<void> => {
  const { tx, now } = context
  const names = await validTags(tx, of.add ?? [])
  await addTasks(
    tx,
    now,
    to.map(one => tagTask(context, was, { to: one, of })),
  )
  const removed = await tagsNamed(tx, of.remove ?? [])
  customers.log(context, was, {
    after: {
      adviser: joinedNames(to.map(one => one.staff_name)),
      ...(names && { tags: names }),
      ...(of.remove && { untagged: joinedNames([...removed.values()].map(one => one.name)) }),
    },
  })
}
/** Sends tags to WeCom for the relation that is named, or for the first of an adviser in service. */
export const mark = async (
  context: WriteContext,
  was: Customer,
  { follow_id, ...of }: Marking & { follow_id?: number },
): Promise<void> =>
  markFor(context, was, { ...of, to: [await followFor(context.tx, was, follow_id)] })
/**
 * Sends tags to WeCom for the relations that are meant (`followsFor`); 422 where several advisers
 * follow the customer and nobody said which, or where none of them gave the tags to take off.
 */
export const markWhich = async (
  context: WriteContext,
  was: Customer,
  { which, follow_id, ...of }: Marking & Which,
): Promise<void> => {
  const all = await followsFor(context, was, { which, follow_id })
  const { remove } = of
  const to = remove ? all.filter(one => remove.some(id => one.tag_ids.includes(id))) : all
  if (to.length === 0)
    throw ruled('no_such_tag', ['客户没有这些标签', 'The customer has none of these tags'])
  await markFor(context, was, { ...of, to })
}
/** Sends a remark to WeCom, for the relation that is named or the first of an adviser in service. */
export const writeRemark = async (
  context: WriteContext,
  was: Customer,
  of: { follow_id?: number; remark: string; description?: string },
): Promise<void> => {
  const { follow_id, remark, description } = of
  const { tx, now, staff } = context
  const follow = await followFor(tx, was, follow_id)
  await addTasks(tx, now, [
    {
      kind: 'remark',
      customer_id: was.id,
      follow_id: follow.id,
      staff_id: follow.staff_id,
      body: { remark, ...(description !== undefined && { description }) },
      asked_by: staff.id,
    },
  ])
  customers.log(context, was, {
    before: {
      remark: follow.remark,
      ...(description !== undefined && { description: follow.description }),
    },
    after: {
      remark,
      ...(description !== undefined && { description }),
      ...(follow_id && { adviser: follow.staff_name }),
    },
  })
}
/** Has WeCom asked anew for all that it tells of a customer. */
export const readAnew = async (context: WriteContext, was: Customer): Promise<Customer> => {
  await addTasks(context.tx, context.now, [
    { kind: 'refresh', customer_id: was.id, body: {}, asked_by: context.staff.id },
  ])
  customers.log(context, was, { after: { refreshed: true } })
  return customers.set(context, was, {})
}

const OFF: Text = ['会员账号状态异常，不能关联', 'The account is not in order']
/**
 * Matches a customer to a member by hand. Throws 422 for an account that is not in order, for a
 * member that another customer has, and where the customer's unionid means another member.
 */
export const matchByHand = async (
  context: WriteContext,
  was: Customer,
  member_id: number,
): Promise<Customer> => {
  const { tx } = context
  // Two that want one member wait for each other.
  const [who] = await tx
    .select({ state: member.account_state })
    .from(member)
    .where(eq(member.id, member_id))
    .for('no key update')
  if (!who) throw missing()
  if (who.state !== 'normal') throw ruled('member_off', OFF)
  await refuseSecond(tx, { customer_id: was.id, name: was.name, member_id })
  await refuseOther(tx, { unionid: was.unionid, name: was.name, member_id })
  return customers.save(context, was, {
    member_id,
    matched_by: 'hand',
    match_off: false,
    clash_member_id: null,
  })
}
/** Undoes a match for good: no sync makes it again. */
export const undoMatch = (context: WriteContext, was: Customer, why: string): Promise<Customer> =>
  customers.save(context, was, { member_id: null, matched_by: null, match_off: true }, why)

type Asked = { page: number; pageSize: number; keyword?: string | undefined }
/** A page of members who may be matched: accounts in order that no customer has. */
export const freeMembers = async (
  { page, pageSize, keyword }: Asked,
  { db, staff }: { db: Db; staff: Staff },
) => {
  const where = and(
    eq(member.account_state, 'normal'),
    within(staff.scope, { city: member.city_id }),
    sql`not exists (select 1 from wecom_customer c where c.member_id = ${member.id})`,
    keyword
      ? or(sql`${member.nickname} like ${begins(keyword)}`, eq(member.uid, keyword.toUpperCase()))
      : undefined,
  )
  const list = await db
    .select({ id: member.id, name: member.nickname, uid: member.uid })
    .from(member)
    .where(where)
    .orderBy(asc(member.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, member, where)) }
}
