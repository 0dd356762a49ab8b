/**
 * What the state of a merchant or a store takes off sale, and gives back when the reason is gone. A product knows the
 * reasons itself (`product.taken_off`): a product that was off sale, ended or forced off otherwise has
 * none, and stays off. Whoever locks both a merchant and its products locks the merchant first.
 */
import { and, arrayContains, eq, not, or, sql, type SQL } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefunds } from '#src/areas/refund/refund.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { merchant } from './merchant.table.ts'
import { offReasons, type MerchantEffects, type OffReason } from './merchant.ts'

/** Holds products in the order in which everybody holds them. */
const holdOffers = (tx: Db, which: SQL | undefined) =>
  tx.select({ id: product.id }).from(product).where(which).orderBy(product.id).for('update')
const isTaken = sql`${product.taken_off} <> '{}'`
/** Takes products that are held off sale, for a reason of the platform's own. */
const takeOff = async (tx: Db, which: SQL | undefined, reason: OffReason): Promise<number> => {
  const rows = await tx
    .update(product)
    .set({
      state: 'off_sale',
      off_reason: offReasons[reason][0],
      taken_off: sql`array_append(array_remove(${product.taken_off}, ${reason}), ${reason})`,
      version: sql`${product.version} + 1`,
    })
    .where(
      and(
        which,
        or(
          eq(product.state, 'on_sale'),
          and(
            eq(product.state, 'off_sale'),
            isTaken,
            not(arrayContains(product.taken_off, [reason])),
          ),
        ),
      ),
    )
    .returning({ n: sql<number>`cardinality(${product.taken_off})` })
  return rows.filter(row => row.n === 1).length
}
/** Takes a reason away from products that are held: those that have none left sell again. */
const putBack = async (tx: Db, which: SQL | undefined, reason: OffReason): Promise<number> => {
  const rest = sql`array_remove(${product.taken_off}, ${reason})`
  const comesBack = sql`${product.state} = 'off_sale' and ${rest} = '{}'`
  const rows = await tx
    .update(product)
    .set({
      state: sql`case when ${comesBack} then 'on_sale' else ${product.state} end`,
      off_reason: sql`case when ${comesBack} then null else ${product.off_reason} end`,
      taken_off: rest,
      version: sql`${product.version} + 1`,
    })
    .where(and(which, arrayContains(product.taken_off, [reason])))
    .returning({ state: product.state })
  return rows.filter(row => row.state === 'on_sale').length
}
/**
 * Takes what a merchant sells off sale, and notes the reason at what is off for another such reason.
 * Answers how many products went off sale. Doing it again does nothing.
 */
export const takeOffSale = async (
  tx: Db,
  merchant_id: number,
  reason: OffReason,
): Promise<number> => {
  const own = eq(product.merchant_id, merchant_id)
  await holdOffers(tx, own)
  return takeOff(tx, own, reason)
}
/**
 * Takes a reason away: what has none left and is still off sale sells again. Answers how many
 * products came back on sale.
 */
export const giveBack = async (tx: Db, merchant_id: number, reason: OffReason): Promise<number> => {
  const own = eq(product.merchant_id, merchant_id)
  await holdOffers(tx, own)
  return putBack(tx, own, reason)
}

/** True of a product that an open store takes; what no store was ever named for needs none. */
export const hasOpenStore = sql`(not exists (select 1 from product_store ps where ps.product_id = ${product.id}) or exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = ${product.id} and ps.status = 'on' and s.status = 'open'))`
/**
 * Brings products in line with the stores that take them: those without an open one go off sale,
 * and come back when one opens. Whoever locks a store and products locks the store first.
 */
export const settleOffers = async (
  tx: Db,
  product_ids: readonly number[],
): Promise<{ taken_off: number; given_back: number }> => {
  if (product_ids.length === 0) return { taken_off: 0, given_back: 0 }
  const these = sql`${product.id} = any(${sql.param(`{${product_ids.join()}}`)}::int[])`
  await holdOffers(tx, these)
  return {
    taken_off: await takeOff(tx, and(these, not(hasOpenStore)), 'no_open_store'),
    given_back: await putBack(tx, and(these, hasOpenStore), 'no_open_store'),
  }
}
/** The products that stores take. */
export const offersAt = async (tx: Db, store_ids: readonly number[]): Promise<number[]> => {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select distinct ps.product_id id from product_store ps where ps.status = 'on' and ps.store_id = any(${sql.param(`{${store_ids.join()}}`)}::int[]) order by 1`,
  )
  return rows.map(row => row.id)
}
/** Whatever a merchant sells goes off sale for good: nothing gives it back. */
export const endSales = async (tx: Db, merchant_id: number, reason: string): Promise<number> => {
  const own = eq(product.merchant_id, merchant_id)
  await holdOffers(tx, own)
  const rows = await tx
    .update(product)
    .set({
      state: 'off_sale',
      off_reason: reason,
      taken_off: [],
      version: sql`${product.version} + 1`,
    })
    .where(and(own, or(eq(product.state, 'on_sale'), isTaken)))
    .returning({ id: product.id })
  return rows.length
}

/** True of a product whose merchant may sell now: it is active, and its contract runs. */
export const sellerMaySell = (now: number): SQL =>
  sql`exists (select 1 from merchant m where m.id = ${product.merchant_id} and m.status = 'active' and (m.contract_end_at is null or m.contract_end_at > ${now}))`
/** Holds the merchants of some products, so that none of them is frozen meanwhile. */
export const holdSellers = async (tx: Db, product_ids: readonly number[]): Promise<void> => {
  await tx
    .select({ id: merchant.id })
    .from(merchant)
    .where(
      sql`${merchant.id} in (select p.merchant_id from product p where p.id = any(${sql.param(`{${product_ids.join()}}`)}::int[]))`,
    )
    .orderBy(merchant.id)
    .for('share')
}

/**
 * Takes off sale what merchants sell whose contract is over, a transaction each; each is one line of
 * the log, by the system. Answers how many products went. Doing it again does nothing.
 */
export const endContracts = async (
  database: { db: Db; transaction: <T>(run: (tx: Db) => Promise<T>) => Promise<T> },
  now: number,
): Promise<number> => {
  const { rows: due } = await database.db.execute<{ id: number }>(sql`
    select m.id from merchant m where m.status in ('active', 'frozen') and m.contract_end_at <= ${now}
      and exists (select 1 from product p where p.merchant_id = m.id and (p.state = 'on_sale' or (p.state = 'off_sale' and p.taken_off <> '{}' and not p.taken_off @> array['contract_ended']))) order by m.id`)
  let n = 0
  for (const { id } of due)
    n += await database.transaction(async tx => {
      const [of] = await tx
        .select({ name: merchant.name, end_at: merchant.contract_end_at })
        .from(merchant)
        .where(and(eq(merchant.id, id), sql`${merchant.contract_end_at} <= ${now}`))
        .for('update')
      const taken = of ? await takeOffSale(tx, id, 'contract_ended') : 0
      if (of && taken > 0)
        await tx.insert(op_log).values({
          admin_id: null,
          admin_name: systemName,
          module: 'shop',
          action: 'shop.index.contractEnded',
          object_type: 'merchant',
          object_id: id,
          object_label: of.name.slice(0, 60),
          after: { taken_off: taken },
          reason: joined(offReasons.contract_ended),
          result: 'ok',
        })
      return taken
    })
  return n
}

/** What hangs on a merchant at this moment, counted from the rows themselves. */
export const effectsOf = async (db: Db, merchant_id: number): Promise<MerchantEffects> => {
  const own = sql`select p.id from product p where p.merchant_id = ${merchant_id}`
  const { rows } = await db.execute<Record<keyof MerchantEffects, string | number>>(sql`select
    (select count(*)::int from product p where p.merchant_id = ${merchant_id} and p.state = 'on_sale') on_sale,
    (select count(*)::int from product p where p.merchant_id = ${merchant_id} and p.state = 'off_sale' and p.taken_off = array['merchant_frozen']) comes_back,
    (select count(*)::int from order_code c join "order" o on o.id = c.order_id where c.product_id in (${own}) and c.state in ('locked', 'unused', 'part_used') and c.left_times > 0 and o.pay_state = 'paid') codes,
    (select count(*)::int from "order" o where o.merchant_id = ${merchant_id} and o.pay_state = 'paid' and o.refund_state <> 'refunded' and o.fulfil_state in ('waiting_group', 'waiting_ship', 'part_shipped', 'waiting_pickup', 'delivering', 'issuing', 'issue_failed')) orders,
    (select count(*)::int from refund r where r.merchant_id = ${merchant_id} and r.state in ${[...openRefunds]}) refunds,
    (select coalesce(sum(v.settle_cents), 0)::bigint from verify_record v join store s on s.id = v.store_id where s.merchant_id = ${merchant_id} and v.state = 'valid' and v.settle_state in ('holding', 'available', 'settling')) unsettled_cents,
    (select coalesce(-sum(a.balance_cents), 0)::bigint from ledger_account a where a.owner_kind = 'merchant' and a.owner_id = ${merchant_id} and a.kind in ('merchant_balance', 'merchant_withdrawing')) balance_cents,
    (select m.deposit_cents from merchant m where m.id = ${merchant_id}) deposit_cents`)
  return Object.fromEntries(
    Object.entries(rows[0]!).map(([key, value]) => [key, Number(value)]),
  ) as MerchantEffects
}
