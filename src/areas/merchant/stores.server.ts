/**
 * What becomes of a store, and with it of what it sells. A merchant is held before its stores, and
 * a store before its products, as everybody does.
 */
import { and, eq, lte, sql } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { joined, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { merchant, store } from './merchant.table.ts'
import { blocksOf, shopBlocks } from './onlineShop.ts'
import { shopStanding } from './onlineShops.server.ts'
import { offersAt, settleOffers } from './sales.server.ts'
import type { StoreEffects } from './store.ts'
import { doorTaken, neighbourAtDoor } from './storePlaces.server.ts'

type Store = typeof store.$inferSelect
const paid = sql`c.state in ('locked', 'unused', 'part_used') and c.left_times > 0 and o.pay_state = 'paid'`
/** Paid uses that nobody has had are taken here and nowhere else; also those of orders moved here. */
const codesOnlyAt = (store_id: number) => sql`(
    select c.id from product_store here join order_code c on c.product_id = here.product_id join "order" o on o.id = c.order_id
      where here.store_id = ${store_id} and here.status = 'on' and ${paid}
        and not exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = c.product_id and ps.status = 'on' and s.id <> ${store_id} and s.status in ('open', 'resting'))
        and not exists (select 1 from order_item i join store s on s.id = (i.snapshot->>'moved_to')::int where i.id = c.item_id and s.id <> ${store_id} and s.status in ('open', 'resting'))
    union
    select c.id from "order" o join order_item i on i.order_id = o.id join order_code c on c.item_id = i.id
      where o.store_id = ${store_id} and i.snapshot->>'moved_to' = ${String(store_id)} and ${paid}
        and not exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = c.product_id and ps.status = 'on' and s.id <> ${store_id} and s.status in ('open', 'resting')))`
/** What hangs on a store at this moment, counted from the rows themselves. */
export const storeEffects = async (db: Db, store_id: number): Promise<StoreEffects> => {
  const { rows } = await db.execute<StoreEffects>(sql`select
    (select count(*)::int from product_store here join product p on p.id = here.product_id where here.store_id = ${store_id} and here.status = 'on' and p.state = 'on_sale'
      and not exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.id <> ${store_id} and s.status = 'open')) goes_off,
    (select count(*)::int from product_store here join product p on p.id = here.product_id where here.store_id = ${store_id} and here.status = 'on' and p.state = 'off_sale' and p.taken_off = array['no_open_store']) comes_back,
    (select count(*)::int from ${codesOnlyAt(store_id)} only_here) codes_here`)
  return rows[0]!
}

/** Why a store can't open now, or undefined. Its merchant is held, so that it stays as it is. */
export const openFault = async (
  tx: Db,
  of: Store,
): Promise<{ rule: string; text: Text; values?: Record<string, string> } | undefined> => {
  const [owner] = await tx
    .select({ status: merchant.status })
    .from(merchant)
    .where(eq(merchant.id, of.merchant_id))
    .for('share')
  if (owner?.status !== 'active')
    return {
      rule: 'merchant_inactive',
      text: ['商户已冻结、终止或未通过审核，门店不能营业', 'Its merchant may not trade now'],
    }
  if (of.kind === 'online') {
    const [block] = blocksOf(await shopStanding(tx, of.id))
    if (block)
      return {
        rule: `needs_${block}`,
        text: [
          `还不能开店，须先有：${shopBlocks[block][0]}`,
          `It can’t open yet: ${shopBlocks[block][1]}`,
        ],
      }
  }
  const [place] = of.mall_id
    ? await tx.select({ status: mall.status }).from(mall).where(eq(mall.id, of.mall_id))
    : []
  if (place?.status === 'closed')
    return {
      rule: 'mall_closed',
      text: ['所在商场已关闭，请先迁移', 'Its mall is closed: move it'],
    }
  const name = await neighbourAtDoor(tx, { ...of, status: 'open' })
  return name === undefined ? undefined : { rule: 'door_taken', text: doorTaken, values: { name } }
}

/** What stores sell follows their state. */
export const settleStore = async (tx: Db, store_id: number) =>
  settleOffers(tx, await offersAt(tx, [store_id]))

/**
 * Opens stores that have rested until now, a transaction each; each is one line of the log, by the
 * system. One that can't open stays as it is. Answers how many opened.
 */
export const openRested = async (
  database: { db: Db; transaction: <T>(run: (tx: Db) => Promise<T>) => Promise<T> },
  now: number,
): Promise<number> => {
  const isDue = and(eq(store.status, 'resting'), lte(store.rest_until_at, now))
  const due = await database.db.select({ id: store.id }).from(store).where(isDue).orderBy(store.id)
  let n = 0
  for (const { id } of due)
    n += await database.transaction(async tx => {
      const [known] = await tx.select().from(store).where(eq(store.id, id))
      if (!known || (await openFault(tx, known))) return 0
      const [of] = await tx
        .update(store)
        .set({
          status: 'open',
          status_reason: null,
          rest_until_at: null,
          version: sql`${store.version} + 1`,
        })
        .where(and(eq(store.id, id), eq(store.version, known.version), isDue))
        .returning()
      if (!of) return 0
      const { given_back } = await settleStore(tx, id)
      await tx.insert(op_log).values({
        admin_id: null,
        admin_name: systemName,
        module: 'shop',
        action: 'shop.stores.restOver',
        object_type: 'store',
        object_id: id,
        object_label: of.name.slice(0, 60),
        before: { status: 'resting' },
        after: { status: 'open', given_back },
        reason: joined(['暂停营业到期', 'The pause is over']),
        result: 'ok',
      })
      return 1
    })
  return n
}
