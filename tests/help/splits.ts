import { and, eq, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { usualTerms } from '#src/areas/settle/settleMerchant.ts'
import { makeSplits } from '#src/areas/split/making.server.ts'
import type { ProfitSharing } from '#src/areas/split/sharing.channel.ts'
import { sendSplits } from '#src/areas/split/sharing.server.ts'
import { channel_split, dist_split_order } from '#src/areas/split/split.table.ts'
import { receiversOf, settleSplit } from '#src/areas/split/splits.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aBuyer } from './cardOrders.ts'
import { bind, distribute, freshSeller, freshTeam } from './sellers.ts'
import { freshProduct } from './trade.ts'

/** When an order that is made now has everything used and past its freeze. */
export const RIPE_S = 10 * DAY
/** Coupons of a merchant that is paid by profit sharing, and an expert with a leader who sell them. */
export const sharedShop = async (database: Database) => {
  const { item } = await database.transaction(tx => freshProduct(tx, 'bulks'))
  const { merchant_id: _, ...terms } = usualTerms(item.merchant_id)
  const sharing = { profit_sharing: true, sub_mchid: `16${String(item.merchant_id)}` }
  await database.db
    .insert(settle_merchant)
    .values({ ...terms, merchant_id: item.merchant_id, ...sharing })
    .onConflictDoUpdate({ target: settle_merchant.merchant_id, set: sharing })
  await database.db.update(product).set({ commission_bp: 2000 }).where(eq(product.id, item.id))
  await distribute(database, { ref_id: item.id, rate_bp: 500, guide_bp: 100 })
  const [seller, leader] = [
    await freshSeller(database, { real_name_ok: true }),
    await freshSeller(database, { real_name_ok: true }),
  ]
  await freshTeam(database, { leader_bp: 200, leader, members: [seller] })
  return { item, seller, leader, sub_mchid: sharing.sub_mchid }
}
export type SharedShop = Awaited<ReturnType<typeof sharedShop>>
/** An order of a shop's that was paid by the channel; `used` of its coupons, all unless said. */
export const sharedOrder = async (
  database: Database,
  { item, seller }: SharedShop,
  { qty = 1, used = qty }: { qty?: number; used?: number } = {},
): Promise<number> => {
  const buyer = await aBuyer(database)
  await bind(database, { member_id: buyer.id, distributor_id: seller.id, role: 'expert' })
  const now = unixNow() - 3600
  const of = { proved: true, member_id: buyer.id, product_id: item.id, qty, now }
  const { id } = await database.transaction(tx => placeOrder(tx, of))
  await database.db
    .update(order_item)
    .set({ snapshot: sql`jsonb_set(snapshot, '{commission_bp}', '2000')` })
    .where(eq(order_item.order_id, id))
  await database.transaction(tx => payOrder(tx, id, now))
  const codes = await database.db
    .select()
    .from(order_code)
    .where(and(eq(order_code.order_id, id), eq(order_code.times_used, 0)))
    .orderBy(order_code.id)
    .limit(used)
  for (const code of codes)
    await database.transaction(tx =>
      redeem(tx, { code_id: code.id, store_id: item.store_ids[0]!, now: unixNow() }),
    )
  return id
}
export const splitOf = async ({ db }: Database, order_id: number) => {
  const [row] = await db
    .select()
    .from(dist_split_order)
    .where(eq(dist_split_order.order_id, order_id))
  return row && { ...row, receivers: await receiversOf(db, row.id) }
}
/** One turn of the timer: what the channel tells by itself, what is made, then what is due. */
export const turnSplits = async (database: Database, channel: ProfitSharing, now: number) => {
  for (const notice of await channel.due(now))
    await database.transaction(tx => settleSplit(tx, { ...notice, now }))
  await makeSplits(database, { own: channel.own, now })
  return sendSplits({ database, channel, log: { warn: () => {} }, now, failed: () => {} })
}
/** What the channel's book holds of a payment. */
export const sharedBook = ({ db }: Database, transaction_no: string) =>
  db
    .select()
    .from(channel_split)
    .where(eq(channel_split.transaction_no, transaction_no))
    .orderBy(channel_split.id)
/** What breaks the money of splits (invariant 21), by the name of the rule. */
export const brokenSplits = async ({ db }: Database): Promise<Record<string, unknown[]>> => {
  const paid = sql`(select coalesce(sum(r.amount_cents - r.returned_cents), 0) from dist_split_receiver r where r.split_id = s.id and r.status = 'done')`
  const rules = {
    'what was shared is at most what may be, and that at most what was paid': sql`
      select s.split_no from dist_split_order s where ${paid} > s.splittable_cents or s.splittable_cents > s.order_cents`,
    'what is given back is what its receivers gave back': sql`
      select s.split_no from dist_split_order s where s.returned_cents <> (select coalesce(sum(returned_cents), 0) from dist_split_receiver r where r.split_id = s.id)`,
    'the channel shared with each once': sql`
      select c.transaction_no, x->>'account' from channel_split c, jsonb_array_elements(c.shares) x where c.kind = 'share' and coalesce(c.plan->'fails'->>(x->>'account'), c.plan->'fails'->>'*') is null group by 1, 2 having count(*) > 1`,
    'who has a share has it at the channel': sql`
      select r.id from dist_split_receiver r join dist_split_order s on s.id = r.split_id where r.status = 'done' and not exists (select 1 from channel_split c where c.out_no = r.out_no and (c.kind = 'unfreeze' or exists (select 1 from jsonb_array_elements(c.shares) x where x->>'account' = r.account and (x->>'amount_cents')::int = r.amount_cents)))`,
    'each share is posted once, as it ended': sql`
      select r.id, r.status from dist_split_receiver r where r.role <> 'platform' and (
        (select count(*) from ledger_txn t where t.idem_key = 'split:settle:' || r.id) <> (r.status in ('done', 'skipped'))::int
        or (select count(*) from ledger_txn t where t.idem_key = 'split:paid:' || r.id) <> (r.status = 'done')::int)`,
    'what is settled is behind a share': sql`
      select l.id from settle_line l join dist_split_order s on s.order_id = l.order_id join dist_split_receiver r on r.split_id = s.id and r.role = 'merchant' where (l.status = 'settled') <> (r.status in ('done', 'skipped')) and l.status <> 'refunded'`,
    'nothing is settled by two ways': sql`
      select l.id from settle_line l join dist_split_order s on s.order_id = l.order_id where l.batch_id is not null`,
  }
  const found: Record<string, unknown[]> = {}
  for (const [name, rule] of Object.entries(rules)) {
    const { rows } = await db.execute(rule)
    if (rows.length > 0) found[name] = rows
  }
  return found
}
