import { sql } from 'drizzle-orm'
import { accounts, type AccountKind } from '#src/areas/ledger/ledger.ts'
import type { Database } from '#src/server/db/database.ts'

const never = (side: 'debit' | 'credit') =>
  (Object.keys(accounts) as AccountKind[]).filter(
    kind => (accounts[kind] as { never?: string }).never === side,
  )
/**
 * Invariants 1, 3, 4, 5 and 7 of the books (domain D) and 18 to 20 of sellers (domain B) over a whole database, as queries that answer
 * nothing where they hold.
 */
const checks = {
  'each transaction has two entries at least and sums to zero': sql`select t.id from ledger_txn t left join ledger_entry e on e.txn_id = t.id group by t.id having count(e.id) < 2 or sum(e.amount_cents) <> 0`,
  'a transaction tells the sum of its debits': sql`select t.id from ledger_txn t join ledger_entry e on e.txn_id = t.id group by t.id having sum(greatest(e.amount_cents, 0)) <> t.amount_cents`,
  'all balances together are nothing': sql`select sum(balance_cents) from ledger_account having sum(balance_cents) <> 0`,
  'a balance is the sum of its entries': sql`select a.id from ledger_account a left join ledger_entry e on e.account_id = a.id group by a.id having a.balance_cents <> coalesce(sum(e.amount_cents), 0)`,
  'an entry tells the balance after it': sql`select id from (select id, balance_after_cents, sum(amount_cents) over (partition by account_id order by id) as counted from ledger_entry) e where balance_after_cents <> counted`,
  'a price is the sum of its parts': sql`select id from settle_line where price_cents <> cash_cents + balance_cents + ecard_cents + points_cents + platform_subsidy_cents + mall_subsidy_cents + merchant_discount_cents or base_cents <> price_cents - merchant_discount_cents or base_cents <> commission_cents + merchant_cents + case when fee_bearer = 'merchant' then fee_cents else 0 end + case when distributor_bearer = 'merchant' then distributor_cents else 0 end`,
  'no part of a price is below zero': sql`select id from settle_line where least(price_cents, cash_cents, balance_cents, ecard_cents, points_cents, platform_subsidy_cents, mall_subsidy_cents, merchant_discount_cents, base_cents, commission_cents, fee_cents, merchant_cents, distributor_cents, gone_distributor_cents, gone_base_cents, gone_commission_cents, gone_fee_cents, gone_merchant_cents) < 0 or gone_base_cents > base_cents or gone_merchant_cents > merchant_cents or gone_commission_cents > commission_cents or gone_fee_cents > fee_cents or gone_distributor_cents > distributor_cents`,
  'what is paid and not used lies in escrow': sql`select 1 from (select coalesce(sum(base_cents - gone_base_cents), 0) cents from settle_line where status in ('not_settled', 'pending_tickets')) l, (select coalesce(sum(balance_cents), 0) cents from ledger_account where kind = 'escrow') a where l.cents + a.cents <> 0`,
  'what of an order is not used lies in escrow': sql`select o.id from (select order_id id, sum(base_cents - gone_base_cents) cents from settle_line where status in ('not_settled', 'pending_tickets') group by 1) o full join (select e.order_id id, sum(e.amount_cents) cents from ledger_entry e join ledger_account a on a.id = e.account_id where a.kind = 'escrow' group by 1) e using (id) where coalesce(o.cents, 0) + coalesce(e.cents, 0) <> 0`,
  'what is on hold lies on hold for its merchant': sql`select m.id from (select merchant_id id, sum(merchant_cents - gone_merchant_cents) cents from settle_line where status = 'freezing' group by 1) m full join (select owner_id id, balance_cents cents from ledger_account where kind = 'merchant_frozen') a using (id) where coalesce(m.cents, 0) + coalesce(a.cents, 0) <> 0`,
  // Invariants 18 to 20 of distribution (domain B), as far as they are about money.
  'sellers of a unit earn no more than the margin, and than the ceiling of what was paid': sql`select l.id from settle_line l join order_item i on i.id = l.item_id where l.distributor_cents > 0 and ((l.distributor_bearer = 'platform' and l.distributor_cents > l.commission_cents - case when l.fee_bearer = 'platform' then l.fee_cents else 0 end) or (l.distributor_cents > (l.cash_cents + l.balance_cents + l.ecard_cents + l.points_cents + l.platform_subsidy_cents) * 3 / 10 and i.snapshot->'distribution'->>'waived' is null))`,
  'what sellers have of a unit is what its line says': sql`select l.id from settle_line l left join (select line_id, sum(amount_cents - reversed_cents) cents from dist_commission where line_id is not null group by 1) c on c.line_id = l.id where l.distributor_cents - l.gone_distributor_cents <> coalesce(c.cents, 0)`,
  'a commission that has nothing left is cancelled or clawed back': sql`select id from dist_commission where role <> 'adjust' and (amount_cents = reversed_cents) <> (status in ('cancelled', 'clawed_back'))`,
  'commission follows its line': sql`select c.id from dist_commission c join settle_line l on l.id = c.line_id where c.amount_cents > c.reversed_cents and ((l.verified_at is null) <> (c.status = 'estimated') or c.frozen_until is distinct from l.freeze_until_at)`,
  'commission on hold lies on hold for its seller': sql`select id from (select distributor_id id, sum(amount_cents - reversed_cents) cents from dist_commission where status in ('frozen', 'settleable') group by 1) c full join (select owner_id id, balance_cents cents from ledger_account where kind = 'distributor_frozen') a using (id) where coalesce(c.cents, 0) + coalesce(a.cents, 0) <> 0`,
  'what a seller has, had paid out and owes is what was settled, less what was taken back': sql`
    select id from (select distributor_id id, sum(amount_cents - reversed_cents) cents from dist_commission c join distributor d on d.id = c.distributor_id where d.kind <> 'store' and c.status in ('settled', 'clawed_back') group by 1) c
    full join (select a.owner_id id, sum(e.amount_cents) cents from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_txn t on t.id = e.txn_id where a.kind in ('distributor_balance', 'distributor_withdrawing', 'distributor_debt') and t.biz not in ('withdraw_paid', 'adjust', 'reverse') group by 1) e using (id) where coalesce(c.cents, 0) + coalesce(e.cents, 0) <> 0`,
  'nobody has a balance and owes at once': sql`select owner_id from ledger_account where kind in ('distributor_balance', 'distributor_debt') and balance_cents <> 0 group by 1 having count(*) > 1`,
  'one direct seller at most is paid of a unit': sql`select line_id from dist_commission where role in ('direct', 'guide', 'store') and line_id is not null group by 1 having count(*) > 1`,
  'sellers count what they sold': sql`
    select d.id from distributor d left join (select c.distributor_id id, count(distinct c.order_id) n, sum(l.base_cents) gmv, sum(l.gone_base_cents) gone from dist_commission c join settle_line l on l.id = c.line_id where c.role <> 'leader' group by 1) c using (id) where d.order_count <> coalesce(c.n, 0) or d.gmv_cents <> coalesce(c.gmv, 0) or d.refunded_cents <> coalesce(c.gone, 0)`,
  'distributed goods count what was sold': sql`
    select p.id from dist_product p left join (select c.product_id id, count(*) n, sum(l.base_cents) gmv, count(l.refund_id) back from dist_commission c join settle_line l on l.id = c.line_id where c.role <> 'leader' group by 1) c on c.id = p.ref_id and p.ref_kind = 'product' where p.sold_count <> coalesce(c.n, 0) or p.gmv_cents <> coalesce(c.gmv, 0) or p.refunded_count <> coalesce(c.back, 0)`,
  'bindings count what they brought': sql`
    select b.id from dist_binding b left join (select (c.calc->>'binding_id')::int id, count(distinct c.order_id) n, sum(l.cash_cents + l.balance_cents + l.ecard_cents + l.points_cents) paid from dist_commission c join settle_line l on l.id = c.line_id where c.role <> 'leader' group by 1) c using (id) where b.order_count <> coalesce(c.n, 0) or b.paid_cents <> coalesce(c.paid, 0)`,
  'what came in for an order, and what went back, stands in the journal': sql`select o.id from payment p join "order" o on o.id = p.order_id left join refund r on r.id = p.refund_id where p.state = 'success' and p.amount_cents > 0 and o.ecard_channel_id is null and (p.direction = 'in' or r.state = 'done') and not exists (select 1 from ledger_txn t where t.idem_key = case p.direction when 'in' then 'pay:' || p.id else 'refund:' || p.refund_id end)`,
  'what stands of an order on accounts of cash is what its payments say': sql`
    select id from (select e.order_id id, sum(e.amount_cents) cents from ledger_entry e join ledger_txn t on t.id = e.txn_id join ledger_account a on a.id = e.account_id where t.biz in ('pay', 'card_sale', 'vip_sale', 'refund') and a.kind in ('wechat_cash', 'bank_cash', 'member_balance', 'points_expense') and e.order_id is not null group by 1) e
    full join (select p.order_id id, sum(case p.direction when 'in' then p.amount_cents else -p.amount_cents end) cents from payment p join "order" o on o.id = p.order_id left join refund r on r.id = p.refund_id where p.state = 'success' and o.ecard_channel_id is null and (p.direction = 'in' or r.state = 'done') group by 1) p using (id) where coalesce(e.cents, 0) <> coalesce(p.cents, 0)`,
  'what its buyer had back is what its lines gave back': sql`
    select l.id from (select order_id id, sum(refunded_user_cents) cents from settle_line group by 1) l left join (select p.order_id id, sum(p.amount_cents) cents from payment p join refund r on r.id = p.refund_id where p.direction = 'out' and p.state = 'success' and r.state = 'done' and r.cause not in ('late_pay', 'leader_free') group by 1) p using (id) where l.cents <> coalesce(p.cents, 0)`,
  'what is owed on a given card, and not any more, stands in the journal': sql`
    select c.id from ecard_code c join (select biz_id id, sum(case when biz in ('card_gift', 'card_expire_back') then amount_cents else -amount_cents end) cents from ledger_txn where biz in ('card_gift', 'card_gift_back', 'card_expire', 'card_expire_back') group by 1) t using (id)
    where t.cents <> case c.state when 'void' then 0 when 'expired' then c.face_cents - c.balance_cents else c.face_cents end`,
  'no account is on a side it never may be on': sql`select id from ledger_account where (kind = any(${sql.param(never('debit'))}::text[]) and balance_cents > 0) or (kind = any(${sql.param(never('credit'))}::text[]) and balance_cents < 0)`,
}
/** The invariants of the books that do not hold, with some of the rows that break them. */
export const brokenBooks = async ({
  db,
}: Pick<Database, 'db'>): Promise<Record<string, unknown[]>> => {
  const broken: Record<string, unknown[]> = {}
  for (const [name, query] of Object.entries(checks)) {
    const { rows } = await db.execute(query)
    if (rows.length > 0) broken[name] = rows.slice(0, 3)
  }
  return broken
}
