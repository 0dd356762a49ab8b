import { or, sql, type SQL } from 'drizzle-orm'
import { grouped } from '#src/domain/grouped.ts'
import { readSearch, type ReadingKind } from '#src/domain/orderSearch.ts'
import { keyGrams } from '#src/domain/search.ts'
import type { Db } from '#src/server/implement.ts'
import { like } from '#src/server/like.ts'
import { COUNT_MAX } from '#src/domain/count.ts'
import { order } from '#src/server/tables/order.ts'

/** So many products or stores of one name are looked through, and so many orders of one phone: the newest, as many as a list counts. */
const NAMES_MAX = 200
const ORDERS_MAX = COUNT_MAX + 1

/**
 * What was typed into the one search field, as a condition on orders: every line is a search of its own, and each is read in all the ways it may be meant. What is looked
 * for by a number is found first, all of it in one query, each by its own index: the database would not know how few have one phone, and walk through all orders for them.
 * Names become the numbers of products and stores, which stand in the order. Undefined where nothing was typed.
 */
export const searchWhere = async (db: Db, q: string): Promise<SQL | undefined> => {
  const { parts } = readSearch(q)
  if (parts.length === 0) return undefined
  const readings = grouped(parts.flatMap(part => (part.readings.some(one => one.sure) ? part.readings.filter(one => one.sure) : part.readings)), one => one.kind)
  const of = (kind: ReadingKind) => [...new Set(readings.get(kind)?.map(one => one.value))]
  const newest = (where: SQL) => sql`(select 'order' what, o.id from "order" o where ${where} order by o.created_at desc limit ${ORDERS_MAX})`
  const lookUps = [
    ...some(of('order_no'), values => sql`select 'order' what, o.id from "order" o where o.order_no in ${values}`),
    ...some(of('refund_no'), values => sql`select 'order' what, r.order_id id from refund r where r.refund_no in ${values}`),
    ...some(of('code'), values => sql`select 'order' what, c.order_id id from order_code c where c.code in ${values}`),
    ...some(of('tracking_no'), values => sql`select 'order' what, s.order_id id from shipment s where s.tracking_no in ${values}`),
    ...some(of('group_no'), values => sql`select 'order' what, o.id from "order" o where o.roll_group_id in (select g.id from roll_group g where g.group_no in ${values})`),
    ...some(of('phone'), values => [newest(sql`o.member_id in (select m.id from member m where m.phone in ${values})`), newest(sql`o.visitor_phone is not null and o.visitor_phone in ${values}`), newest(sql`o.receiver is not null and (o.receiver->>'phone') in ${values}`)]),
    ...some(of('phone_last4'), values => [newest(sql`o.member_id in (select m.id from member m where right(m.phone, 4) in ${values})`), newest(sql`o.visitor_phone is not null and right(o.visitor_phone, 4) in ${values}`), newest(sql`o.receiver is not null and right(o.receiver->>'phone', 4) in ${values}`)]),
    ...of('product').map(words => sql`(select 'product' what, p.id from product p where p.grams @> ${sql.param(keyGrams(words))}::text[] and p.title ilike ${like(words)} limit ${NAMES_MAX})`),
    ...of('store').map(words => sql`(select 'store' what, s.id from store s where s.name ilike ${like(words)} limit ${NAMES_MAX})`),
  ]
  const found = (await db.execute<{ what: string; id: number }>(sql.join(lookUps, sql` union all `))).rows
  const ids = (what: string) => [...new Set(found.filter(one => one.what === what).map(one => one.id))]
  const any = (values: readonly number[]) => sql`any(${sql.param(values)}::int[])`
  return or(...some(ids('order'), values => sql`${order.id} = ${any(values)}`), ...some(ids('product'), values => sql`${order.product_ids} && ${sql.param(values)}::int[]`), ...some(ids('store'), values => sql`${order.store_id} = ${any(values)}`)) ?? sql`false`
}
const some = <T>(values: readonly T[], condition: (values: readonly T[]) => SQL | SQL[]): SQL[] => (values.length > 0 ? [condition(values)].flat() : [])
