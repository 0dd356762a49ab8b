import { and, eq, sql, type SQL } from 'drizzle-orm'
import { ecardKinds } from '#src/areas/ecard/ecard.table.ts'
import { city as cityTable } from '#src/areas/place/place.table.ts'
import { citiesOf } from '#src/areas/place/places.server.ts'
import type { Scope } from '#src/server/call/implement.ts'
import { at, defineKinds, type Kind } from '#src/server/call/kinds.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { op_log } from './log.table.ts'

const here = { city: 't.city_id', mall: 't.mall_id' }
const city = at('city', { city: 't.id', malls: 'select m.id from mall m where m.city_id = t.id' })
const inMall = (table: string) =>
  at(table, { city: '(select m.city_id from mall m where m.id = t.mid)', mall: 't.mid' })
/**
 * Object types of the operation log that belong to a city, a mall or a person; all others are the
 * whole house's.
 */
const placed: Readonly<Record<string, Kind>> = {
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
  application: at('application', { city: 't.city_id', owner: 't.owner_id' }),
  store: at('store', here),
  store_activity: at('store_activity', here),
  coupon: at('coupon', { cities: 'select jsonb_array_elements_text(t.city_ids)::int' }),
  ...ecardKinds,
  coupon_audit: at('coupon_audit', {
    cities: 'select jsonb_array_elements_text(t.city_ids)::int',
  }),
  hot_item: at('hot_item', { city: 't.city_id', mall: 't.mid' }),
  entry_icon: at('entry_icon', { city: 't.city_id' }),
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
  buy_limit_rule: at('buy_limit_rule', {
    cities: 'select jsonb_array_elements_text(t.city_ids)::int',
    malls: 'select jsonb_array_elements_text(t.mall_ids)::int',
    shared: "t.city_ids = '[]'",
  }),
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
/** One's own rows, and those of the people whose work one sees. */
const alsoOwn = (kind: Kind, owner: string): Kind => ({
  ...kind,
  mine: staff => {
    const others = kind.mine(staff)
    return others && sql`(${sql.raw(owner)} = ${staff.id} or ${others})`
  },
})
const byMerchant = '(select m.bd_admin_id from merchant m where m.id = t.merchant_id)'
const byOrder = (more: string) => `(select ${more} from "order" o where o.id = t.order_id)`
defineKinds({
  mall: placed['mall']!,
  banner: placed['banner']!,
  service_contact: at('service_contact', { ...here, shared: 't.city_id is null' }),
  city_setting: placed['city_setting']!,
  product: placed['product']!,
  audit_task: placed['audit_task']!,
  audit_look: at('audit_look', {
    city: '(select a.city_id from audit_task a where a.id = t.task_id)',
    mall: '(select a.mall_id from audit_task a where a.id = t.task_id)',
    owner: '(select a.owner_id from audit_task a where a.id = t.task_id)',
  }),
  store: placed['store']!,
  store_activity: placed['store_activity']!,
  coupon: at('coupon', {
    cities: 'select jsonb_array_elements_text(t.city_ids)::int',
    shared: "t.city_ids = '[]'",
  }),
  coupon_grant: at('coupon_grant', {
    cities:
      'select jsonb_array_elements_text(c.city_ids)::int from coupon c where c.id = t.coupon_id',
    shared: "exists (select 1 from coupon c where c.id = t.coupon_id and c.city_ids = '[]')",
  }),
  hot_item: placed['hot_item']!,
  mall_floor: placed['mall_floor']!,
  mall_category: placed['mall_category']!,
  verifier: placed['verifier']!,
  warning_rule: placed['warning_rule']!,
  warning_log: placed['warning_log']!,
  buy_limit_log: placed['buy_limit_log']!,
  buy_limit_rule: placed['buy_limit_rule']!,
  risk_hit: placed['risk_hit']!,
  order: placed['order']!,
  roll_group: placed['roll_group']!,
  raise_batch: placed['raise_batch']!,
  report_sub: alsoOwn(placed['report_sub']!, 't.owner_id'),
  // A city is seen by whoever sees anything in it.
  city: { from: sql`${cityTable}`, id: sql`${cityTable.id}`, mine: citiesOf },
  refund: at('refund', { ...here, owner: byMerchant }),
  verify_record: at('verify_record', here),
  shipment: at('shipment', { city: byOrder('o.city_id'), mall: byOrder('o.mall_id') }),
  click_log: at('click_log', here),
  live_room: at('live_room', here),
  member: at('member', { city: 't.city_id' }),
  merchant: at('merchant', { city: 't.city_id', owner: 't.bd_admin_id' }),
  application: placed['application']!,
  export_job: alsoOwn(placed['export_job']!, 't.admin_id'),
  op_log: at('op_log', { owner: 't.admin_id' }),
  login_log: at('login_log', { owner: 't.admin_id' }),
  admin_session: at('admin_session', { owner: 't.admin_id' }),
  // All may read the platform's own templates; a merchant's stand where the merchant does.
  freight_template: at('freight_template', {
    city: '(select m.city_id from merchant m where m.id = t.merchant_id)',
    owner: byMerchant,
    shared: 't.merchant_id is null',
  }),
})
/**
 * What of an object's history lies in a person's data. Of an object that stands somewhere all of
 * it, whoever made the changes, or nothing where it stands outside; of any other what was done by
 * the people whose work they see.
 */
const historyWithin = (scope: Scope, object_type: string, object_id: number): SQL | undefined => {
  if (seesAll(scope)) return undefined
  const of = Object.hasOwn(placed, object_type) ? placed[object_type] : undefined
  return of
    ? sql`exists (select 1 from ${of.from} where t.id = ${object_id} and ${of.mine({ id: 0, scope })})`
    : within(scope, { owner: op_log.admin_id })
}
/** The rows of the log about one object that a person may see. */
export const historyOf = (scope: Scope, object_type: string, object_id: number): SQL =>
  and(
    eq(op_log.object_type, object_type),
    eq(op_log.object_id, object_id),
    historyWithin(scope, object_type, object_id),
  )!
