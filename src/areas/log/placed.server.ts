import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Scope } from '#src/server/call/implement.ts'
import { seesAll, within, type Places } from '#src/server/call/scope.ts'
import { op_log } from './log.table.ts'

/** Where the rows of a table, called t, stand. `…s` is a query that finds several. */
type Where = { city?: string; cities?: string; mall?: string; malls?: string; owner?: string }
type Placed = { from: SQL; places: Places }
const at = (table: string, { city, cities, mall, malls, owner }: Where): Placed => ({
  from: sql.raw(`"${table}" t`),
  places: {
    ...(city && { city: sql.raw(city) }),
    ...(cities && { city: { several: sql.raw(cities) } }),
    ...(mall && { mall: sql.raw(mall) }),
    ...(malls && { mall: { several: sql.raw(malls) } }),
    ...(owner && { owner: sql.raw(owner) }),
  },
})
const here = { city: 't.city_id', mall: 't.mall_id' }
const city = at('city', { city: 't.id', malls: 'select m.id from mall m where m.city_id = t.id' })
const inMall = (table: string) =>
  at(table, { city: '(select m.city_id from mall m where m.id = t.mid)', mall: 't.mid' })
/**
 * Object types of the operation log that belong to a city, a mall or a person; all others are the
 * whole house's.
 */
const placed: Readonly<Record<string, Placed>> = {
  city,
  city_settings: city,
  city_hot_mall: city,
  banner_order: city,
  city_setting: at('city_setting', { city: 't.city_id' }),
  mall: at('mall', { city: 't.city_id', mall: 't.id' }),
  banner: at('banner', {
    cities: 'select b.city_id from banner_city b where b.banner_id = t.id',
    mall: 't.mall_id',
  }),
  share_card: at('share_card', { city: 't.city_id' }),
  service_contact: at('service_contact', here),
  product: at('product', {
    ...here,
    owner: '(select m.bd_admin_id from merchant m where m.id = t.merchant_id)',
  }),
  audit_task: at('audit_task', { ...here, owner: 't.owner_id' }),
  store: at('store', here),
  coupon: at('coupon', { cities: 'select jsonb_array_elements_text(t.city_ids)::int' }),
  hot_item: at('hot_item', { city: 't.city_id', mall: 't.mid' }),
  mall_floor: inMall('mall_floor'),
  mall_category: inMall('mall_category'),
  verifier: at('verifier', {
    city: 't.city_id',
    malls: 'select s.mall_id from store s where t.store_ids @> to_jsonb(s.id)',
    owner: '(select m.bd_admin_id from merchant m where m.id = t.merchant_id)',
  }),
  warning_rule: at('warning_rule', {
    city: "(t.scope->>'city_id')::int",
    mall: "(t.scope->>'mid')::int",
  }),
  warning_log: at('warning_log', here),
  buy_limit_log: at('buy_limit_log', here),
  risk_hit: at('risk_hit', {
    ...here,
    owner: '(select m.bd_admin_id from merchant m where m.id = t.merchant_id)',
  }),
  order: at('order', {
    ...here,
    owner: '(select m.bd_admin_id from merchant m where m.id = t.merchant_id)',
  }),
  roll_group: at('roll_group', here),
  raise_batch: at('raise_batch', here),
  report_sub: at('report_sub', { owner: 't.owner_id' }),
  export_job: at('export_job', { owner: 't.admin_id' }),
  row_job: at('row_job', { owner: 't.admin_id' }),
  admin: at('admin', { owner: 't.id' }),
}
/**
 * What of an object's history lies in a person's data. Of an object that stands somewhere all of
 * it, whoever made the changes, or nothing where it stands outside; of any other what was done by
 * the people whose work they see.
 */
const historyWithin = (scope: Scope, object_type: string, object_id: number): SQL | undefined => {
  if (seesAll(scope)) return undefined
  const of = Object.hasOwn(placed, object_type) ? placed[object_type] : undefined
  return of
    ? sql`exists (select 1 from ${of.from} where t.id = ${object_id} and ${within(scope, of.places)})`
    : within(scope, { owner: op_log.admin_id })
}
/** The rows of the log about one object that a person may see. */
export const historyOf = (scope: Scope, object_type: string, object_id: number): SQL =>
  and(
    eq(op_log.object_type, object_type),
    eq(op_log.object_id, object_id),
    historyWithin(scope, object_type, object_id),
  )!
