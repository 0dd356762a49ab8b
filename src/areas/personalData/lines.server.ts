import { sql, type SQL } from 'drizzle-orm'
import { growthKinds } from '#src/areas/level/level.ts'
import { genders, registerSources, sanctionKinds } from '#src/areas/member/member.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { pointsBiz } from '#src/areas/points/points.ts'
import { profileFields } from '#src/areas/pointsRule/earning.ts'
import { userDeeds } from '#src/areas/userLog/userLog.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { partKeys, type PartKey } from './personalData.ts'

/** A line of what is held of a member; `kind` is a key of the part's words, if it has some. */
export type DataLine = {
  kind: string
  no: string
  note: string
  phone: string
  receiver: string
  receiver_phone: string
  receiver_address: string
  cents: number | null
  n: number | null
  at: number | null
}
type Told = Partial<Record<keyof DataLine, SQL>>
const texted = (value: SQL = sql`''`): SQL => sql`coalesce((${value})::text, '')`
/** Columns of a line in their order; what is not told is empty. */
const told = ({ cents, n, at, ...of }: Told): SQL => sql`
  ${texted(of.kind)} as kind, ${texted(of.no)} as no, ${texted(of.note)} as note,
  ${texted(of.phone)} as phone, ${texted(of.receiver)} as receiver,
  ${texted(of.receiver_phone)} as receiver_phone, ${texted(of.receiver_address)} as receiver_address,
  ${cents ?? sql`null`}::bigint as cents, ${n ?? sql`null`}::bigint as n,
  ${at ?? sql`null`}::bigint as at`
const union = (...selects: readonly SQL[]): SQL => sql.join([...selects], sql` union all `)
const profileLines = (id: number): SQL => {
  const own = (kind: string, of: Told) =>
    sql`select ${told({ kind: sql`${kind}`, ...of })} from member m where m.id = ${id}`
  return union(
    own('uid', { no: sql`m.uid`, note: sql`m.nickname`, at: sql`m.register_at` }),
    own('phone', { phone: sql`m.phone` }),
    own('gender', { note: sql`m.gender` }),
    own('birthday', { note: sql`m.birthday` }),
    own('source', { note: sql`m.register_source` }),
    own('wechat', { n: sql`(m.unionid is not null)::int` }),
    own('points', { n: sql`m.points` }),
    own('growth', { n: sql`m.growth` }),
    own('visit', { at: sql`m.last_visit_at` }),
  )
}
/** What is read of each part of one member. */
const selects: Readonly<Record<PartKey, (id: number) => SQL>> = {
  profile: profileLines,
  fields: id => sql`
    select ${told({ kind: sql`f.field`, n: sql`f.points`, at: sql`f.changed_at` })}
    from profile_field f where f.member_id = ${id} and f.filled`,
  tags: id => sql`
    select ${told({ note: sql`g.name`, at: sql`t.at` })}
    from member_tag_of t join member_tag g on g.id = t.tag_id where t.member_id = ${id}`,
  wecom: id => sql`
    select ${told({ note: sql`concat_ws(' · ', c.name, s.name, f.remark, f.description)`, phone: sql`c.phone`, at: sql`f.added_at` })}
    from wecom_customer c left join wecom_follow f on f.customer_id = c.id
    left join wecom_staff s on s.id = f.staff_id where c.member_id = ${id}`,
  subscriptions: id => sql`
    select ${told({ no: sql`l.live_room_id`, at: sql`l.created_at` })}
    from live_subscriber l where l.member_id = ${id}`,
  orders: id => sql`
    select ${told({
      kind: sql`o.kind`,
      no: sql`o.order_no`,
      receiver: sql`o.receiver->>'name'`,
      receiver_phone: sql`o.receiver->>'phone'`,
      receiver_address: sql`concat_ws(' ', o.receiver->>'area', o.receiver->>'address')`,
      cents: sql`o.paid_cents - o.refunded_cents`,
      at: sql`o.created_at`,
    })} from "order" o where o.member_id = ${id}`,
  points: id => sql`
    select ${told({ kind: sql`p.biz_kind`, no: sql`p.biz_no`, note: sql`p.title`, n: sql`p.delta`, at: sql`p.at` })}
    from points_ledger p where p.member_id = ${id}`,
  growth: id => sql`
    select ${told({ kind: sql`g.kind`, no: sql`g.biz_no`, note: sql`g.note`, n: sql`g.delta`, at: sql`g.at` })}
    from growth_ledger g where g.member_id = ${id}`,
  coupons: id =>
    union(
      sql`select ${told({ no: sql`g.code`, note: sql`c.name`, cents: sql`g.discount_cents`, at: sql`g.created_at` })}
        from coupon_grant g join coupon c on c.id = g.coupon_id where g.member_id = ${id}`,
      sql`select ${told({ no: sql`'*' || r.tail`, at: sql`r.redeemed_at` })}
        from redeem_code r where r.member_id = ${id}`,
    ),
  memberships: id => sql`
    select ${told({ no: sql`o.order_no`, note: sql`c.name`, cents: sql`o.pay_cents`, n: sql`o.days`, at: sql`o.created_at` })}
    from vip_card_order o join vip_card c on c.id = o.card_id where o.member_id = ${id}`,
  cards: id => sql`
    select ${told({ no: sql`e.card_no`, cents: sql`e.balance_cents`, at: sql`e.sold_at` })}
    from ecard_code e where e.holder_id = ${id}`,
  money: id =>
    union(
      sql`select ${told({ note: sql`d.name`, phone: sql`d.phone`, cents: sql`d.gmv_cents`, at: sql`d.joined_at` })}
        from distributor d where d.member_id = ${id}`,
      sql`select ${told({ no: sql`w.no`, cents: sql`w.amount_cents`, at: sql`w.created_at` })}
        from withdrawal w where (w.owner_kind = 'member' and w.owner_id = ${id})
        or (w.owner_kind = 'distributor'
          and w.owner_id in (select d.id from distributor d where d.member_id = ${id}))`,
      sql`select ${told({ no: sql`s.order_id`, cents: sql`s.amount_cents`, at: sql`s.created_at` })}
        from subsidy_log s where s.member_id = ${id}`,
    ),
  reviews: id => sql`
    select ${told({ no: sql`c.id`, note: sql`c.text`, n: sql`c.rating`, at: sql`c.created_at` })}
    from comment c where c.member_id = ${id}`,
  log: id => sql`
    select ${told({ kind: sql`l.kind`, note: sql`concat_ws(' ', l.region, l.client)`, at: sql`l.at` })}
    from user_log l where l.member_id = ${id}`,
  sanctions: id => sql`
    select ${told({ kind: sql`s.kind`, note: sql`s.reason`, at: sql`s.start_at` })}
    from user_sanction s where s.member_id = ${id}`,
  consents: id => sql`
    select ${told({ no: sql`a.agreement_id`, at: sql`a.at` })}
    from agreement_consent a where a.member_id = ${id}`,
  lists: id => sql`
    select ${told({ no: sql`s.id`, note: sql`s.name`, at: sql`s.refreshed_at` })}
    from segment_person p join segment s on s.id = p.segment_id and s.gen = p.gen
    where p.member_id = ${id}`,
}
/** What the kinds of a part's lines are called. */
export const kindWords: Readonly<Partial<Record<PartKey, Readonly<Record<string, Text>>>>> = {
  profile: {
    uid: ['会员号与昵称', 'Number and nickname'],
    phone: ['手机号', 'Phone'],
    gender: ['性别', 'Gender'],
    birthday: ['生日', 'Birthday'],
    source: ['注册来源', 'Source'],
    wechat: ['绑定微信', 'WeChat bound'],
    points: ['积分', 'Points'],
    growth: ['成长值', 'Growth'],
    visit: ['最近访问', 'Last visit'],
  },
  fields: profileFields,
  orders: orderKinds,
  points: pointsBiz,
  growth: growthKinds,
  log: userDeeds,
  sanctions: sanctionKinds,
}
/** What the notes of some lines are called, by their kind. */
export const noteWords: Readonly<Record<string, Readonly<Record<string, Text>>>> = {
  gender: genders,
  source: registerSources,
}
/** The lines of one part of a member, the earliest first; at most `limit` after the first `skip`. */
export const linesOf = async (
  db: Db,
  part: PartKey,
  { id, skip, limit }: { id: number; skip: number; limit: number },
): Promise<DataLine[]> => {
  const { rows } = await db.execute<DataLine>(sql`
    select * from (${selects[part](id)}) l order by at nulls first, no, kind, note, n
    limit ${limit} offset ${skip}`)
  return rows.map(row => ({
    ...row,
    cents: row.cents === null ? null : Number(row.cents),
    n: row.n === null ? null : Number(row.n),
    at: row.at === null ? null : Number(row.at),
  }))
}
/** How many lines each part of a member has. */
export const countLines = async (db: Db, id: number): Promise<Record<PartKey, number>> => {
  const { rows } = await db.execute<{ part: PartKey; n: number }>(
    union(
      ...partKeys.map(
        part => sql`select ${part}::text as part, count(*)::int as n from (${selects[part](id)}) l`,
      ),
    ),
  )
  return Object.fromEntries(rows.map(row => [row.part, row.n])) as Record<PartKey, number>
}
