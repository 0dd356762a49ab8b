import { and, eq, inArray, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import type { Db } from '#src/server/call/implement.ts'
import { equal } from '#src/server/call/record.ts'
import { begins } from '#src/server/db/like.ts'
import type { Binding } from './binding.server.ts'
import { dist_binding as t } from './binding.table.ts'
import {
  SLEEP_S,
  SOON_S,
  type BindingRole,
  type BindingSource,
  type BindingState,
} from './binding.ts'

export type BindingFilters = {
  keyword?: string | undefined
  member_id?: number | undefined
  distributor_id?: number | undefined
  group_id?: number | undefined
  pool_store_id?: number | undefined
  role?: BindingRole | undefined
  source?: BindingSource | undefined
  status?: BindingState | undefined
  city_id?: number | undefined
  mid?: number | undefined
  soon?: boolean | undefined
  disputed?: boolean | undefined
  asleep?: boolean | undefined
}
/** Customers by a whole phone or number, or the beginning of a nickname. */
const ofCustomer = (keyword: string): SQL => {
  const typed = keyword.replace(/[\s-]/g, '')
  const phone = mobileOf(typed)
  const called = phone
    ? eq(member.phone, phone)
    : or(
        inArray(member.uid, [keyword, typed.toUpperCase()]),
        sql`${member.nickname} like ${begins(keyword)}`,
      )
  return sql`${t.member_id} in (select ${member.id} from ${member} where ${called})`
}
const active = eq(t.status, 'active')
/** The bindings that a list is of, by its filters. */
export const bindingsWhere = (
  { keyword, group_id, mid, soon, disputed, asleep, ...same }: BindingFilters,
  now: number,
): SQL | undefined =>
  and(
    equal(t, { ...same, mall_id: mid }),
    keyword ? ofCustomer(keyword) : undefined,
    group_id === undefined
      ? undefined
      : sql`${t.distributor_id} in (select ${distributor.id} from ${distributor} where ${distributor.group_id} = ${group_id})`,
    soon ? and(active, lte(t.expire_at, now + SOON_S)) : undefined,
    disputed
      ? and(
          active,
          isNotNull(t.rival_id),
          sql`exists (select 1 from dist_binding r where r.id = ${t.rival_id} and r.status = 'active')`,
        )
      : undefined,
    asleep
      ? and(
          active,
          lte(t.bind_at, now - SLEEP_S),
          or(isNull(t.last_order_at), lte(t.last_order_at, now - SLEEP_S)),
        )
      : undefined,
  )

type Beside = {
  id: number
  nickname: string
  uid: string
  phone: string
  seller: string
  store: string | null
  mall: string | null
  bound_by: string | null
  ended_by_name: string | null
  pool: string | null
  rival_seller: string | null
  rival_status: BindingState | null
  ask_by: string | null
  ask_to: string | null
}
/** Bindings with the names of whoever has to do with them. */
export const shownBindings = async (db: Db, rows: readonly Binding[]) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const { rows: found } = await db.execute<Beside>(sql`
    select b.id, m.nickname, m.uid, m.phone, d.name seller, s.name store, ml.name mall, bb.name bound_by,
      eb.name ended_by_name, ps.name pool, rd.name rival_seller, r.status rival_status, am.name ask_by, ad.name ask_to
    from dist_binding b join member m on m.id = b.member_id join distributor d on d.id = b.distributor_id
      left join store s on s.id = d.store_id left join mall ml on ml.id = b.mall_id
      left join admin bb on bb.id = b.maker_id left join admin eb on eb.id = b.ended_by
      left join store ps on ps.id = b.pool_store_id
      left join dist_binding r on r.id = b.rival_id left join distributor rd on rd.id = r.distributor_id
      left join dist_binding_ask a on a.binding_id = b.id and a.state = 'pending'
      left join admin am on am.id = a.maker_id left join distributor ad on ad.id = a.to_id
    where b.id in ${ids}`)
  const beside = new Map(found.map(one => [one.id, one]))
  return rows.map(row => {
    const of = beside.get(row.id)!
    return {
      ...row,
      name: of.nickname,
      uid: of.uid,
      phone: of.phone,
      seller: of.seller,
      store: of.store ?? '',
      mall: of.mall ?? '',
      bound_by: of.bound_by ?? '',
      ended_by_name: of.ended_by_name ?? '',
      pool: of.pool ?? '',
      rival:
        of.rival_seller === null
          ? null
          : {
              seller: of.rival_seller,
              open: row.status === 'active' && of.rival_status === 'active',
            },
      waits: of.ask_by === null ? null : { by: of.ask_by, to: of.ask_to ?? '' },
    }
  })
}
export type ShownBinding = Awaited<ReturnType<typeof shownBindings>>[number]

/** What customers of a guide paid in the guide's own store and elsewhere, since they were bound. */
export const spentBy = async (db: Db, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, { inside_cents: number; outside_cents: number }>()
  const { rows } = await db.execute<{ id: number; inside: string; outside: string }>(sql`
    select b.id, coalesce(sum(o.paid_cents) filter (where o.store_id = d.store_id), 0) inside,
      coalesce(sum(o.paid_cents) filter (where o.store_id is distinct from d.store_id), 0) outside
    from dist_binding b join distributor d on d.id = b.distributor_id
      left join "order" o on o.member_id = b.member_id and o.pay_state = 'paid' and o.created_at >= b.bind_at
        and o.created_at <= coalesce(b.end_at, o.created_at)
    where b.id in ${[...ids]} group by b.id`)
  return new Map(
    rows.map(row => [
      row.id,
      { inside_cents: Number(row.inside), outside_cents: Number(row.outside) },
    ]),
  )
}
/** All bindings of the customer of one, the first of them first: who, how, why and until when. */
export const historyOf = async (db: Db, of: { member_id: number; where: SQL | undefined }) => {
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.member_id, of.member_id), of.where))
    .orderBy(t.bind_at, t.id)
    .limit(200)
  return shownBindings(db, rows)
}
/** Bindings by their ids. */
export const bindingsById = (db: Db, ids: readonly number[]) =>
  db
    .select()
    .from(t)
    .where(inArray(t.id, [...ids]))
    .orderBy(t.id)
