import { sql } from 'drizzle-orm'
import { mistold } from '#src/areas/order/orderFacts.server.ts'
import type { Database } from '#src/server/db/database.ts'
import { brokenBooks } from './ledgerInvariants.ts'

/**
 * What must hold of orders at any time: each is a query that answers what breaks it. Names are told
 * by the test that finds some.
 */
const rules = {
  'money of an order adds up': sql`select id from "order" where pay_cents <> total_cents + freight_cents + adjust_cents - platform_discount_cents - store_discount_cents or refunded_cents > paid_cents or pay_cents < 0`,
  'items share what was paid': sql`select o.id from "order" o join order_item i on i.order_id = o.id group by o.id having sum(i.pay_cents) + o.freight_cents <> o.pay_cents or sum(i.platform_cents) <> o.platform_discount_cents`,
  'codes share their item': sql`select i.id from order_item i join order_code c on c.item_id = i.id and c.state <> 'void' group by i.id having sum(c.pay_cents) <> i.pay_cents or sum(c.platform_cents) <> i.platform_cents`,
  'a code is worth what is left, used and in refund': sql`
    select c.id from order_code c where c.state <> 'void' and c.pay_cents <> c.left_pay_cents
      + (select coalesce(sum(v.pay_cents), 0) from verify_record v where v.code_id = c.id and v.state = 'valid')
      + (select coalesce(sum(i.share_cents), 0) from refund_item i join refund r on r.id = i.refund_id where i.code_id = c.id and r.state not in ('rejected', 'closed'))`,
  'its settlement too, but for what was refunded': sql`
    select c.id from order_code c where c.state <> 'void' and c.settle_cents <> c.left_settle_cents
      + (select coalesce(sum(v.settle_cents), 0) from verify_record v where v.code_id = c.id and v.state = 'valid')
      + (select coalesce(sum(i.settle_cents), 0) from refund_item i join refund r on r.id = i.refund_id where i.code_id = c.id and r.state not in ('rejected', 'closed'))`,
  'redemptions are what codes say': sql`select c.id from order_code c left join verify_record v on v.code_id = c.id and v.state = 'valid' group by c.id having coalesce(sum(v.times), 0) <> c.times_used`,
  'units in refund are those of open refunds': sql`
    select c.id from order_code c where c.times_refunding <> (select coalesce(sum(i.qty), 0) from refund_item i join refund r on r.id = i.refund_id where i.code_id = c.id and r.type <> 'resend' and r.state not in ('done', 'rejected', 'closed'))`,
  'units refunded are those of refunds done': sql`
    select c.id from order_code c where c.times_refunded <> (select coalesce(sum(i.qty), 0) from refund_item i join refund r on r.id = i.refund_id where i.code_id = c.id and r.type <> 'resend' and r.state = 'done')`,
  'items too': sql`
    select i.id from order_item i where i.fulfil in ('express', 'delivery', 'virtual') and (i.refunded_qty <> (select coalesce(sum(l.qty), 0) from refund_item l join refund r on r.id = l.refund_id where l.item_id = i.id and r.type <> 'resend' and r.state = 'done')
      or i.refunding_qty <> (select coalesce(sum(l.qty), 0) from refund_item l join refund r on r.id = l.refund_id where l.item_id = i.id and r.type <> 'resend' and r.state not in ('done', 'rejected', 'closed')) or i.shipped_qty + i.refunded_qty > i.qty or i.received_qty > i.shipped_qty)`,
  'no more goes back on sale than was given back': sql`select id from order_item where stock_returned > refunded_qty`,
  'commission and settlement are the shares': sql`select id from verify_record where commission_cents + settle_cents <> pay_cents + platform_cents`,
  'refunds done are on the order': sql`select o.id from "order" o left join refund r on r.order_id = o.id and r.state = 'done' group by o.id having coalesce(sum(r.amount_cents), 0) <> o.refunded_cents`,
  'a refund is its lines and its freight': sql`select r.id from refund r join refund_item i on i.refund_id = r.id where r.cause <> 'late_pay' group by r.id having sum(i.amount_cents) + r.freight_cents <> r.amount_cents`,
  'money that came in is what was paid': sql`select o.id from "order" o left join payment p on p.order_id = o.id and p.direction = 'in' and p.state = 'success' group by o.id having coalesce(sum(p.amount_cents), 0) <> o.paid_cents`,
  'money that went out is what was refunded': sql`select o.id from "order" o left join payment p on p.order_id = o.id and p.direction = 'out' and p.state = 'success' left join refund r on r.id = p.refund_id group by o.id having coalesce(sum(p.amount_cents) filter (where r.state = 'done'), 0) <> o.refunded_cents`,
  'no payment gives back more than it brought': sql`select p.id from payment p join payment b on b.parent_id = p.id and b.state in ('pending', 'success') group by p.id having sum(b.amount_cents) > p.amount_cents`,
  'a refund is paid out once': sql`select r.id from refund r join payment p on p.refund_id = r.id and p.state = 'success' group by r.id having sum(p.amount_cents) > r.amount_cents or (r.state = 'done' and sum(p.amount_cents) <> r.amount_cents)`,
  'a group holds its paid orders': sql`select g.id from roll_group g left join "order" o on o.roll_group_id = g.id and o.pay_state = 'paid' and o.refund_state <> 'refunded' where g.state <> 'failed' group by g.id having count(o.id) <> g.joined_n`,
  'a leader has the reward of the group once, as the group says': sql`select g.id from roll_group g left join "order" o on o.roll_group_id = g.id left join refund r on r.order_id = o.id and r.cause = 'leader_free' group by g.id having coalesce(sum(r.amount_cents), 0) <> case when g.reward_state in ('paid', 'clawed', 'returned', 'waived') then g.reward_cents else 0 end or (g.reward_state <> 'none' and (g.state <> 'success' or not g.leader_free))`,
  'a member sits in a group once': sql`select roll_group_id id from "order" where roll_group_id is not null and pay_state <> 'closed' and refund_state <> 'refunded' group by roll_group_id, member_id having count(*) > 1`,
  'nothing is redeemed before its group has formed': sql`select v.id from verify_record v join "order" o on o.id = v.order_id join roll_group g on g.id = o.roll_group_id where g.state <> 'success' and v.state = 'valid'`,
  'cancelled orders hold no codes': sql`select c.id from order_code c join "order" o on o.id = c.order_id where o.pay_state in ('closed', 'unpaid')`,
  'a campaign has taken what its orders hold, and no more than its cap': sql`select b.id from raise_batch b left join "order" o on o.raise_batch_id = b.id and o.pay_state <> 'closed' left join order_item i on i.order_id = o.id group by b.id having coalesce(sum(i.qty - i.refunded_qty), 0) <> b.taken_units or b.taken_units > b.cap_units`,
  'a balance is due only of campaigns that succeeded, and is asked for once, all that was not paid of the price; what came too late and goes back paid none of it': sql`
    select o.id from "order" o join raise_batch b on b.id = o.raise_batch_id left join payment p on p.order_id = o.id and p.stage = 'balance' and p.state = 'pending' left join lateral (select coalesce(sum(r.amount_cents), 0) cents from refund r where r.order_id = o.id and r.cause = 'late_pay' and r.state <> 'done') late on true
    group by o.id, b.id, late.cents having (o.balance_due and (o.pay_state <> 'part_paid' or b.state not in ('success', 'shipping', 'finished') or count(p.id) <> 1 or sum(p.amount_cents) <> o.pay_cents - (o.paid_cents - o.refunded_cents - late.cents))) or (not o.balance_due and count(p.id) > 0)`,
  'an order has no more than its price, but for what came too late and goes back': sql`
    select o.id from "order" o left join lateral (select coalesce(sum(r.amount_cents), 0) cents from refund r where r.order_id = o.id and r.cause = 'late_pay' and r.state <> 'done') late on true where o.paid_cents - o.refunded_cents - late.cents > case when o.pay_state = 'closed' and o.cancel_type is distinct from 'balance_timeout' then 0 else o.pay_cents end`,
  'nobody is paid back twice for one failed campaign': sql`select order_id id from refund where cause = 'raise_fail' group by order_id having count(*) > 1`,
  'a deposit that is kept was not given back': sql`select o.id from "order" o join deposit_forfeit f on f.order_id = o.id and f.state = 'valid' group by o.id having sum(f.amount_cents) > o.paid_cents - o.refunded_cents`,
  'a member paid what their orders say, and ordered last when they say': sql`
    select m.id from member m left join "order" o on o.member_id = m.id and o.reissue_of is null group by m.id
      having m.total_paid_cents <> coalesce(sum(o.paid_cents - o.refunded_cents), 0) or m.order_count <> count(o.paid_at) or m.last_order_at is distinct from max(o.paid_at)`,
  'points of a member are the sum of their moves': sql`select m.id from member m left join points_ledger l on l.member_id = m.id group by m.id having m.points <> coalesce(sum(l.delta), 0)`,
  'and what is left of their lots': sql`select m.id from member m left join points_lot l on l.member_id = m.id group by m.id having m.points <> coalesce(sum(l.remain), 0)`,
  'frozen points and points owed are the sum of their moves': sql`select m.id from member m left join points_ledger l on l.member_id = m.id group by m.id having m.points_frozen <> coalesce(sum(l.frozen_delta), 0) or m.points_debt <> coalesce(sum(l.debt_delta), 0)`,
  'unpaid orders alone hold points': sql`select o.id from points_ledger l join "order" o on o.id = l.order_id group by o.id having sum(l.frozen_delta) <> case when o.pay_state = 'unpaid' then o.points_used else 0 end`,
  'each move of points tells the balance after it': sql`select id from (select id, balance_after, sum(delta) over (partition by member_id order by id) told from points_ledger) l where balance_after <> told`,
  'an exchange keeps its points or has them back': sql`
    select o.id from "order" o left join points_ledger l on l.order_id = o.id where o.kind = 'points' and o.points_used > 0 group by o.id having coalesce(sum(l.delta), 0) <> case when o.pay_state = 'closed' or o.refund_state = 'refunded' then 0 else -o.points_used end`,
  'points of other orders come back as their refunds say': sql`
    select o.id from "order" o join points_ledger s on s.order_id = o.id and s.kind = 'spend' where o.kind <> 'points' and (select sum(l.delta) from points_ledger l where l.order_id = o.id and l.biz_kind <> 'buy') <> case when o.pay_state = 'closed' then 0 else -o.points_used + (select coalesce(sum(r.points_back), 0) from refund r where r.order_id = o.id and r.state = 'done') end`,
  'what is issued is issued once': sql`
    select i.id from order_item i left join issue_attempt a on a.item_id = i.id where i.points_goods_id is not null and i.fulfil = 'virtual' group by i.id having count(a.id) filter (where a.state = 'success') <> case when i.issue_state = 'issued' then 1 else 0 end or count(a.id) filter (where a.state = 'pending') <> case when i.issue_state = 'issuing' then 1 else 0 end`,
  'what counts under a purchase limit is what its orders took': sql`
    select coalesce(u.rule_id, t.rule_id) id from buy_limit_usage u full join (select rule_id, dim_hash, window_key, sum(qty - returned) n from buy_limit_take group by 1, 2, 3) t using (rule_id, dim_hash, window_key) where coalesce(u.qty, 0) <> coalesce(t.n, 0)`,
  'an order gives back of a limit what was closed or refunded, once': sql`
    select t.id from buy_limit_take t join "order" o on o.id = t.order_id join order_item i on i.id = t.item_id where t.returned <> case when o.pay_state = 'closed' then t.qty when not t.returns then 0 when t.unit_from is null then least(t.qty, i.refunded_qty) else (select count(*) from (select c.state, row_number() over (order by c.id) at from ecard_code c where c.order_id = t.order_id) c where c.state = 'refunded' and c.at between t.unit_from and t.unit_from + t.qty - 1) end`,
  'no part gives back more than its share': sql`select i.id from order_item i join refund_item l on l.item_id = i.id join refund r on r.id = l.refund_id and r.state not in ('rejected', 'closed') group by i.id having sum(l.amount_cents) > i.pay_cents`,
  'a visitor is bound to whom it was agreed': sql`select o.id from "order" o left join order_bind b on b.order_id = o.id and b.state = 'bound' where o.kind = 'visitor' and (o.member_id is distinct from b.member_id or (o.claimed_at is null) <> (o.member_id is null))`,
  'its log tells who froze an order and who gave it free': sql`
    select o.id from "order" o left join lateral (select l.event, l.memo from order_log l where l.order_id = o.id and l.event in ('freeze', 'unfreeze') order by l.id desc limit 1) f on true where (coalesce(f.event, 'unfreeze') = 'freeze') <> o.frozen or (o.frozen and not starts_with(f.memo, o.freeze_reason))`,
  'an order is reviewed once, after it was received': sql`
    select o.id from "order" o left join order_log l on l.order_id = o.id and l.event = 'review' group by o.id having count(l.id) <> case when o.reviewed_at is null then 0 else 1 end or (o.reviewed_at is null) <> (o.review_by is null) or coalesce(max(l.at), o.reviewed_at) is distinct from o.reviewed_at`,
  'a penalty for late shipping is told once, and within its rules': sql`
    select o.id from "order" o left join order_log l on l.order_id = o.id and l.event = 'ship' and l.data ? 'late_penalty_cents' left join order_config c on c.scope = o.kind and c.version_no = o.config_version
    group by o.id, c.id having count(l.id) <> case when o.late_penalty_cents = 0 then 0 else 1 end or coalesce(sum((l.data->>'late_penalty_cents')::bigint), 0) <> o.late_penalty_cents or o.late_penalty_cents > coalesce((c.fields->>'late_ship_penalty_max_cents')::bigint, o.late_penalty_cents)`,
  'whoever is reminded held a code then': sql`select m.id from order_message m join "order" o on o.id = m.order_id where m.kind = 'expire' and (m.once is null or o.paid_at is null or m.created_at < o.paid_at or not exists (select 1 from order_code c where c.order_id = o.id))`,
  'a line was placed with its order, and is of its kind': sql`select i.id from order_item i join "order" o on o.id = i.order_id where (i.kind, i.created_at) <> (o.kind, o.created_at)`,
  'a redemption knows when its order was placed, and where, and whether others are on its bill': sql`
    select v.id from (select r.*, r.bill_no is not null and count(*) filter (where r.state = 'valid') over (partition by r.store_id, r.bill_no, (r.verified_at + 28800) / 86400) > 1 as many from verify_record r) v join "order" o on o.id = v.order_id
    where (v.ordered_at, v.city_id, v.mall_id) <> (o.created_at, o.city_id, o.mall_id) or v.state = 'valid' and v.bill_many <> v.many`,
  'a binding knows where its order is': sql`select b.id from order_bind b join "order" o on o.id = b.order_id where (b.city_id, b.mall_id) <> (o.city_id, o.mall_id)`,
  'codes, parcels, bindings and uses asked for know when their order was placed': sql`
    select o.id from "order" o join (select order_id, ordered_at, null as kind from order_code union all select order_id, ordered_at, null from order_bind union all select order_id, ordered_at, 'card' from times_ask union all select order_id, ordered_at, kind from shipment) t on t.order_id = o.id where t.ordered_at <> o.created_at or t.kind <> o.kind`,
  'uses that were asked for are of a card of their order, and in its log once they are given': sql`
    select a.id from times_ask a join order_code c on c.id = a.code_id where c.order_id <> a.order_id or (a.state = 'given' and not exists (select 1 from order_log l where l.order_id = a.order_id and l.event = 'add_times' and l.at = a.updated_at))`,
  'a coupon that is taken or used is of the one order that says so, in a state that fits, and its shares are what it took off': sql`
    select g.id from coupon_grant g left join "order" o on o.order_no = g.order_no and o.coupon_grant_id = g.id where g.status in ('locked', 'used') and (g.order_no is not null or g.code not like 'IS%' or g.status = 'used') and (o.id is null or o.member_id <> g.member_id or g.locked_at is null or g.discount_cents < 1
      or g.platform_cents + g.merchant_cents <> g.discount_cents or g.platform_cents not between 0 and o.platform_discount_cents or g.merchant_cents not between 0 and o.store_discount_cents or (g.status = 'locked' and (o.pay_state not in ('unpaid', 'part_paid') or o.refund_state = 'refunded')) or (g.status = 'used' and (o.pay_state <> 'paid' or g.used_at is null)))
    union all select g.id from coupon_grant g where g.status not in ('locked', 'used') and (g.order_no is not null or g.locked_at is not null or g.used_at is not null or coalesce(g.discount_cents, g.platform_cents, g.merchant_cents) is not null)
    union all select g.id from coupon_grant g left join "order" x on x.id = substring(g.code from '^IS([0-9]+)-')::int where g.status = 'locked' and g.order_no is null and g.code like 'IS%' and x.refund_state is distinct from 'refunding'`,
  'an order has its coupon until it is closed or wholly given back, and then its member has it again, once': sql`
    select o.id from "order" o left join coupon_grant g on g.id = o.coupon_grant_id where o.coupon_grant_id is not null and case
      when o.pay_state = 'closed' then coalesce(g.order_no, '') = o.order_no
      when o.refund_state = 'refunded' then coalesce(g.order_no, '') = o.order_no and not exists (select 1 from "order" b join refund r on r.order_id = b.id and r.state = 'done' and r.coupon_back where b.coupon_grant_id = g.id and b.id <> o.id and b.pay_state = 'paid')
      else coalesce(g.order_no, '') <> o.order_no or g.status <> case o.pay_state when 'paid' then 'used' else 'locked' end end
    union all select g.id from coupon_grant g join "order" o on o.coupon_grant_id = g.id and o.pay_state = 'paid' and o.refund_state = 'refunded' and exists (select 1 from refund r where r.order_id = o.id and r.state = 'done' and r.coupon_back) group by g.id having count(*) > 1`,
  'what a coupon took off is in the log of its order, and the same': sql`
    select o.id from "order" o left join order_log l on l.order_id = o.id and l.event = 'create' and l.data ? 'coupon' left join coupon_grant g on g.id = o.coupon_grant_id and g.order_no = o.order_no group by o.id, g.id having count(l.id) <> case when o.coupon_grant_id is null then 0 else 1 end
      or max((l.data->'coupon'->>'platform_cents')::bigint + (l.data->'coupon'->>'merchant_cents')::bigint) <> max((l.data->'coupon'->>'discount_cents')::bigint) or max((l.data->'coupon'->>'platform_cents')::bigint) <> g.platform_cents or max((l.data->'coupon'->>'merchant_cents')::bigint) <> g.merchant_cents`,
  'a coupon counts how many of it are used, and what they took off': sql`select c.id from coupon c left join coupon_grant g on g.coupon_id = c.id and g.status = 'used' group by c.id having count(g.id) <> c.used_count or coalesce(sum(g.discount_cents), 0) <> c.cost_cents`,
  'a case of a bundle is the merchant’s whose parts it is of, and what is returned of one': sql`
    select r.id from refund r join refund_item l on l.refund_id = r.id join order_item i on i.id = l.item_id and i.kind = 'combo' join product p on p.id = i.product_id where r.state not in ('rejected', 'closed') group by r.id having (count(distinct p.merchant_id) = 1 and min(p.merchant_id) <> r.merchant_id) or (count(distinct p.merchant_id) > 1 and r.type <> 'refund_only')`,
  'what a plan used and promised is what its log and the journal say': sql`
    select p.id from subsidy_plan p left join (select plan_id, sum(amount_cents) filter (where kind in ('grant', 'reverse', 'clawback')) used, sum(amount_cents) filter (where kind in ('lock', 'unlock')) - coalesce(sum(amount_cents) filter (where kind = 'grant'), 0) locked, sum(platform_cents) filter (where kind in ('grant', 'reverse', 'clawback')) borne from subsidy_log group by 1) l on l.plan_id = p.id
      left join ledger_account a on a.kind = 'subsidy_expense' and a.owner_kind = 'plan' and a.owner_id = p.id
    where p.used_cents <> coalesce(l.used, 0) or p.locked_cents <> coalesce(l.locked, 0) or coalesce(a.balance_cents, 0) <> coalesce(l.borne, 0)`,
  'the second person is another': sql`select id from refund where second_by = first_by`,
}
/**
 * The names of what is broken, each with some rows; none, if all is well. `within` limits nothing:
 * the whole database is read.
 */
export const brokenOrders = async (database: Database): Promise<Record<string, unknown[]>> => {
  const found: Record<string, unknown[]> = {}
  for (const [name, query] of Object.entries(rules)) {
    const { rows } = await database.db.execute(query)
    if (rows.length > 0) found[name] = rows.slice(0, 3)
  }
  const wrong = await mistold(database.db)
  if (wrong.length > 0) found['every status follows from its facts'] = wrong.slice(0, 3)
  return found
}

/** The same with the books of money, which orders made by the side of the product do not have. */
export const broken = async (database: Database): Promise<Record<string, unknown[]>> => ({
  ...(await brokenOrders(database)),
  ...(await brokenBooks(database)),
})
