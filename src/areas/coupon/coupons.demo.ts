import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { writtenFields } from './couponWritten.ts'

/**
 * Turns what the platform took off some of the latest orders into coupons of theirs: each says as
 * much and is for what was bought. A coupon that no order fits was not used.
 */
export const dressCoupons = async (db: Db, now: number): Promise<void> => {
  await db.execute(sql`
    with held as (select id, coupon_id, row_number() over (partition by coupon_id order by id) n from coupon_grant where status = 'used'),
      fits as (
        select distinct on (o.id) o.id, c.id coupon_id from "order" o join coupon c on c.face_cents = o.platform_discount_cents and c.used_count > 0 and c.kind in ('full_reduce', 'direct', 'exchange') and c.threshold_cents <= o.total_cents
          and case when o.kind = 'elist' then c.scope = 'ecom' else c.scope = 'local' end and (c.city_ids = '[]' or c.city_ids @> to_jsonb(o.city_id)) and o.created_at > c.claim_start_at + 7200 and (c.apply_kind = 'all' or (c.apply_kind = 'mall' and c.apply_ids @> to_jsonb(o.mall_id)))
        where o.platform_discount_cents > 0 and o.member_id is not null and o.kind in ('bulks', 'voucher', 'card', 'goods', 'elist') and o.pay_state in ('unpaid', 'paid') and o.created_at > ${now} - ${60 * DAY}::int and (c.kind <> 'exchange' or exists (select 1 from order_item i where i.order_id = o.id and i.price_cents >= c.face_cents))
        order by o.id, (o.id::bigint * 7919 + c.id * 104729) % 9973),
      pairs as (select h.id grant_id, f.id order_id from (select *, row_number() over (partition by coupon_id order by id) n from fits) f join held h using (coupon_id, n)),
      given as (
        update coupon_grant g set (member_id, start_at, end_at, created_at, status, order_no, store_id, discount_cents, platform_cents, merchant_cents, locked_at, used_at, updated_at) = (
          select o.member_id, s.at, s.at + ${30 * DAY}::int, s.at, t.status, case when t.held then o.order_no end, case when t.held then o.store_id end, case when t.held then o.platform_discount_cents end, case when t.held then o.platform_discount_cents end, case when t.held then 0 end, case when t.held then o.created_at end, case when t.status = 'used' then o.paid_at end, coalesce(o.paid_at, o.created_at)
          from (select greatest(c.claim_start_at, o.created_at - 3600 * (1 + g.id % 72)) "at") s, (select x.status, x.status <> 'unused' held from (select case when o.pay_state = 'unpaid' then 'locked' when o.refund_state = 'refunded' then 'unused' else 'used' end status) x) t)
        from pairs p join "order" o on o.id = p.order_id, coupon c where g.id = p.grant_id and c.id = g.coupon_id),
      back as (update refund r set coupon_back = true from pairs p join "order" o on o.id = p.order_id where r.order_id = o.id and o.refund_state = 'refunded' and r.state = 'done')
    update "order" o set coupon_grant_id = p.grant_id from pairs p where o.id = p.order_id`)
  await db.execute(
    sql`update coupon_grant set status = case when end_at > ${now} then 'unused' else 'expired' end, discount_cents = null, platform_cents = null, merchant_cents = null, locked_at = null, used_at = null where status in ('used', 'locked') and order_no is null`,
  )
  await db.execute(
    sql`update coupon c set used_count = coalesce(g.n, 0), cost_cents = coalesce(g.cents, 0) from coupon own left join (select coupon_id, count(*)::int n, sum(discount_cents) cents from coupon_grant where status = 'used' group by 1) g on g.coupon_id = own.id where own.id = c.id`,
  )
  const terms = sql.join(
    [...writtenFields, 'scope', 'vip_only'].map(
      field => sql`${sql.raw(`'${field}'`)}, ${sql.identifier(field)}`,
    ),
    sql`, `,
  )
  await db.execute(
    sql`update coupon set approved = jsonb_build_object(${terms}) where approved_at is not null`,
  )
}
