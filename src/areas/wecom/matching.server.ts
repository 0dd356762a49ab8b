import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { wecom_customer } from './wecom.table.ts'

/** A member who may be a customer's: an account that is in use. */
const inUse = sql`m.account_state in ('normal', 'muted', 'banned', 'canceling')`

/**
 * Matches customers to members by unionid: all of them, or some. A member has one customer: where it
 * has another one already, the customer is left without and tells of the clash. Answers how many
 * were matched.
 */
export const matchByUnionid = async (tx: Db, ids?: readonly number[]): Promise<number> => {
  const some = ids ? sql`and c.id = any(${sql.param(`{${ids.join()}}`)}::int[])` : sql``
  const open = sql`c.member_id is null and not c.match_off and c.unionid is not null
    and c.state <> 'merged' ${some}`
  const { rows } = await tx.execute(sql`
    update wecom_customer c set member_id = of.member_id, matched_by = 'unionid',
      clash_member_id = null, version = c.version + 1
    from (select distinct on (m.id) c.id, m.id member_id from wecom_customer c
      join member m on m.unionid = c.unionid and ${inUse}
      where ${open} and not exists (select 1 from wecom_customer o where o.member_id = m.id)
      order by m.id, c.id) of
    where of.id = c.id returning c.id`)
  await tx.execute(sql`
    update wecom_customer c set clash_member_id = of.member_id, version = c.version + 1
    from (select c.id, min(m.id) member_id from wecom_customer c
      join member m on m.unionid = c.unionid and ${inUse} where ${open} group by c.id) of
    where of.id = c.id and c.clash_member_id is distinct from of.member_id`)
  return rows.length
}

/**
 * Refuses a member that another customer has: both are named, so that somebody looks at them. The
 * caller holds the customer.
 */
export const refuseSecond = async (
  tx: Db,
  of: { customer_id: number; name: string; member_id: number },
): Promise<void> => {
  const [other] = await tx
    .select({ id: wecom_customer.id, name: wecom_customer.name })
    .from(wecom_customer)
    .where(and(eq(wecom_customer.member_id, of.member_id), ne(wecom_customer.id, of.customer_id)))
  if (!other) return
  const [who] = await tx
    .select({ nickname: member.nickname, uid: member.uid })
    .from(member)
    .where(eq(member.id, of.member_id))
  throw ruled(
    'matched_already',
    [
      '会员 {member} 已关联客户“{other}”（编号 {id}），不能再关联“{name}”；请先核对两位客户',
      'Member {member} is matched to {other} (number {id}) already and not to {name} too: look at both',
    ],
    { member: `${who!.nickname} ${who!.uid}`, other: other.name, id: other.id, name: of.name },
  )
}

/** Refuses a member where the customer's unionid means another one in use; both are named. */
export const refuseOther = async (
  tx: Db,
  of: { unionid: string | null; name: string; member_id: number },
): Promise<void> => {
  if (of.unionid === null) return
  const { rows } = await tx.execute<{ id: number; nickname: string; uid: string }>(sql`
    select m.id, m.nickname, m.uid from member m where ${inUse}
      and (m.unionid = ${of.unionid} or m.id = ${of.member_id}) order by m.id`)
  const meant = rows.find(row => row.id !== of.member_id)
  const asked = rows.find(row => row.id === of.member_id)
  if (!meant || !asked) return
  throw ruled(
    'unionid_other',
    [
      '客户“{name}”的 UnionID 属于会员 {meant}，不能绑定 {asked}；请先核对两位会员',
      'The UnionID of {name} means member {meant}, not {asked}: look at both',
    ],
    {
      name: of.name,
      meant: `${meant.nickname} ${meant.uid}`,
      asked: `${asked.nickname} ${asked.uid}`,
    },
  )
}

/** What became of the customer of a member that was merged into another. */
export type MovedCustomer = { id: number; matched_by: 'unionid' | 'hand'; parted: boolean }
/**
 * What becomes of the customer of a member that was merged into another: it goes along, unless the
 * other has a customer already; then it stands unmatched and tells of the clash (`parted`).
 */
export const moveCustomer = async (
  tx: Db,
  from: number,
  to: number,
): Promise<MovedCustomer | null> => {
  const rows = await tx
    .select({
      id: wecom_customer.id,
      member_id: wecom_customer.member_id,
      matched_by: wecom_customer.matched_by,
    })
    .from(wecom_customer)
    .where(inArray(wecom_customer.member_id, [from, to]))
    .orderBy(wecom_customer.id)
    .for('update')
  const moved = rows.find(row => row.member_id === from)
  if (!moved) return null
  const parted = rows.some(row => row.member_id === to)
  await tx
    .update(wecom_customer)
    .set({
      ...(parted
        ? { member_id: null, matched_by: null, clash_member_id: to, match_off: true }
        : { member_id: to }),
      version: sql`${wecom_customer.version} + 1`,
    })
    .where(eq(wecom_customer.id, moved.id))
  return { id: moved.id, matched_by: moved.matched_by!, parted }
}
/** The customer goes back to the member whose it was, unless somebody matched either since. */
export const moveCustomerBack = async (
  tx: Db,
  { id, matched_by, parted }: MovedCustomer,
  { from, to }: { from: number; to: number },
): Promise<void> => {
  await tx
    .update(wecom_customer)
    .set({
      member_id: from,
      matched_by,
      ...(parted && { clash_member_id: null, match_off: false }),
      version: sql`${wecom_customer.version} + 1`,
    })
    .where(
      and(
        eq(wecom_customer.id, id),
        parted ? isNull(wecom_customer.member_id) : eq(wecom_customer.member_id, to),
        sql`not exists (select 1 from wecom_customer o where o.member_id = ${from})`,
      ),
    )
}
