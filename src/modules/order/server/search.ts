import { and, inArray, isNotNull, or, sql, type SQL } from 'drizzle-orm'
import { grouped } from '#src/domain/grouped.ts'
import { readSearch } from '#src/domain/orderSearch.ts'
import { keyGrams } from '#src/domain/search.ts'
import type { Db } from '#src/server/implement.ts'
import { like } from '#src/server/like.ts'
import { order } from '#src/server/tables/order.ts'

/** So many products or stores of one name are looked through. */
const NAMES_MAX = 200

/**
 * What was typed into the one search field, as a condition on orders: every line is a search of its own, and each is read in all the ways it may be meant. Names, phones
 * and numbers of other things are looked up first, all in one query: what is left are columns of the order, each with its index, and the database knows how many to expect
 * of each. Undefined where nothing was typed.
 */
export const searchWhere = async (db: Db, q: string): Promise<SQL | undefined> => {
  const { parts } = readSearch(q)
  if (parts.length === 0) return undefined
  const readings = grouped(parts.flatMap(part => (part.readings.some(one => one.sure) ? part.readings.filter(one => one.sure) : part.readings)), one => one.kind)
  const of = (kind: Parameters<typeof readings.get>[0]) => readings.get(kind)?.map(one => one.value) ?? []
  const [phones, tails] = [of('phone'), of('phone_last4')]
  const lookUps = [
    ...some(of('refund_no'), values => sql`select 'order' what, r.order_id id from refund r where r.refund_no in ${values}`),
    ...some(of('code'), values => sql`select 'order' what, c.order_id id from order_code c where c.code in ${values}`),
    ...some(of('tracking_no'), values => sql`select 'order' what, s.order_id id from shipment s where s.tracking_no in ${values}`),
    ...some(of('group_no'), values => sql`select 'group' what, g.id from roll_group g where g.group_no in ${values}`),
    ...some(phones, values => sql`select 'member' what, m.id from member m where m.phone in ${values}`),
    ...some(tails, values => sql`select 'member' what, m.id from member m where right(m.phone, 4) in ${values}`),
    ...of('product').map(words => sql`(select 'product' what, p.id from product p where p.grams @> ${sql.param(keyGrams(words))}::text[] and p.title ilike ${like(words)} limit ${NAMES_MAX})`),
    ...of('store').map(words => sql`(select 'store' what, s.id from store s where s.name ilike ${like(words)} limit ${NAMES_MAX})`),
  ]
  const found = lookUps.length === 0 ? [] : (await db.execute<{ what: string; id: number }>(sql.join(lookUps, sql` union all `))).rows
  const ids = (what: string) => found.filter(one => one.what === what).map(one => one.id)
  const tail = (column: SQL) => sql`right(${column}, 4)`
  const receiver = sql`${order.receiver}->>'phone'`
  return or(
    ...some(of('order_no'), values => inArray(order.order_no, values)), ...some(ids('order'), values => inArray(order.id, values)), ...some(ids('group'), values => inArray(order.roll_group_id, values)), ...some(ids('member'), values => inArray(order.member_id, values)),
    ...some(phones, values => sql`(${and(isNotNull(order.visitor_phone), inArray(order.visitor_phone, values))} or ${and(isNotNull(order.receiver), sql`(${receiver}) in ${values}`)})`),
    ...some(tails, values => sql`(${and(isNotNull(order.visitor_phone), sql`${tail(sql`${order.visitor_phone}`)} in ${values}`)} or ${and(isNotNull(order.receiver), sql`${tail(receiver)} in ${values}`)})`),
    ...some(ids('product'), values => sql`${order.product_ids} && ${sql.param(values)}::int[]`), ...some(ids('store'), values => inArray(order.store_id, values)),
  ) ?? sql`false`
}
const some = <T>(values: readonly T[], condition: (values: T[]) => SQL): SQL[] => (values.length > 0 ? [condition([...new Set(values)])] : [])
