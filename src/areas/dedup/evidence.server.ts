import { sql } from 'drizzle-orm'
import type { AccountState, Gender } from '#src/areas/member/member.ts'
import { standingOf } from '#src/areas/member/mergeStanding.server.ts'
import { mallsNamed } from '#src/areas/wecom/places.server.ts'
import type { AddWay } from '#src/areas/wecom/wecom.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { outside } from '#src/server/call/kinds.ts'
import type { Dup } from './cases.server.ts'

const intsOf = (ids: readonly number[]) => sql`${sql.param(`{${ids.join()}}`)}::int[]`
type MemberRow = {
  id: number
  uid: string
  nickname: string
  phone: string
  birthday: string | null
  gender: Gender
  level: number
  account_state: AccountState
  city_name: string
  register_at: string
  points: number
  growth: number
  order_count: number
  total_paid_cents: string
  last_order_at: string | null
  vip_end_at: string | null
  tags: string[]
  customer_id: number | null
  has_unionid: boolean
}
const num = (value: string | null): number | null => (value === null ? null : Number(value))
/** The members of a case with what a merge would move; those of the reader's places alone are told. */
const membersOf = async (db: Db, staff: Staff, row: Dup, now: number) => {
  const ids = [...new Set([...row.member_ids, ...row.drop_ids])].sort((a, b) => a - b)
  if (ids.length === 0) return { members: [], hidden_n: 0 }
  const others = new Set(await outside(db, staff, 'member', ids))
  const mine = ids.filter(id => !others.has(id))
  const { rows } = await db.execute<MemberRow>(sql`
    select m.id, m.uid, m.nickname, m.phone, m.birthday, m.gender, m.level, m.account_state,
      c.city_name, m.register_at, m.points, m.growth, m.order_count, m.total_paid_cents,
      m.last_order_at, m.vip_end_at, w.id customer_id, m.unionid is not null has_unionid,
      array(select g.name from member_tag_of o join member_tag g on g.id = o.tag_id
        where o.member_id = m.id order by g.id) tags
    from member m join city c on c.id = m.city_id left join wecom_customer w on w.member_id = m.id
    where m.id = any(${intsOf(mine)}) order by m.register_at, m.id`)
  const standing = await standingOf(db, mine, now)
  return {
    hidden_n: others.size,
    members: rows.map(one => ({
      ...one,
      ...standing.get(one.id)!,
      register_at: Number(one.register_at),
      total_paid_cents: Number(one.total_paid_cents),
      last_order_at: num(one.last_order_at),
      vip_end_at: num(one.vip_end_at),
    })),
  }
}
type CustomerRow = {
  id: number
  name: string
  corp_name: string
  last_active_at: string | null
  group_count: number
  primary_follow_id: number | null
  member_id: number | null
}
type FollowRow = {
  id: number
  customer_id: number
  staff_name: string
  left: boolean
  malls: string
  added_at: string
  add_way: AddWay
  tags: string[]
}
/** The contacts of a case and who follows them, the earliest first. */
const contactsOf = async (db: Db, row: Dup, { lang }: Pick<Staff, 'lang'>) => {
  const customers = (
    await db.execute<CustomerRow>(sql`
      select id, name, corp_name, last_active_at, group_count, primary_follow_id, member_id
      from wecom_customer where id = any(${intsOf(row.customer_ids)}) order by id`)
  ).rows
  const follows = (
    await db.execute<FollowRow>(sql`
      select f.id, f.customer_id, s.name staff_name, s.status = 'left' "left", f.added_at, f.add_way,
        ${mallsNamed(sql`s.mall_ids`, lang)} malls,
        array(select g.name from wecom_tag g where g.id = any(f.tag_ids) order by g.id) tags
      from wecom_follow f join wecom_staff s on s.id = f.staff_id
      where f.customer_id = any(${intsOf(row.customer_ids)}) and f.status = 'following'
      order by f.added_at, f.id`)
  ).rows
  const primaries = new Set(customers.map(one => one.primary_follow_id))
  return {
    customers: customers.map(one => ({ ...one, last_active_at: num(one.last_active_at) })),
    follows: follows.map(one => ({
      ...one,
      added_at: Number(one.added_at),
      is_primary: primaries.has(one.id),
    })),
  }
}
/** What stands side by side for the decision of a case. */
export const evidenceBeside = async (db: Db, staff: Staff, row: Dup, now: number) => ({
  ...(await membersOf(db, staff, row, now)),
  ...(await contactsOf(db, row, staff)),
})
