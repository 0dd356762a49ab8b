/** Products of one kind as the pages that sell them read, find, change and log them. */
import { and, sql, type SQL } from 'drizzle-orm'
import { systemName } from '#src/areas/log/logs.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { keyGrams } from '#src/domain/search.ts'
import { eachRow } from '#src/server/call/batch.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { goodsFault, type GoodsVerb } from './goods.ts'
import { product } from './product.table.ts'

export type Goods = typeof product.$inferSelect
type One = { id: number; version: number }
type Reasoned = One & { reason: string }

const array = (of: readonly string[]) => sql.param(`{${of.map(one => JSON.stringify(one)).join()}}`)
/** Products whose title holds what was typed, or whose number it is. */
export const named = (keyword: string): SQL => {
  const titled = sql`(${product.grams} @> ${array(keyGrams(keyword))}::text[] and ${product.title} ilike ${like(keyword)})`
  return /^\d{1,9}$/.test(keyword) ? sql`(${product.id} = ${Number(keyword)} or ${titled})` : titled
}
/** Products of a category and of all below it, in the tree that holds their kind. */
export const inCategory = (tree: 'shop_category' | 'e_category', category_id: number): SQL =>
  sql`${product.category_id} in (with recursive k as (select id from ${sql.identifier(tree)} where id = ${category_id} union select c.id from ${sql.identifier(tree)} c join k on c.parent_id = k.id) select id from k)`
/** Products that a store takes. */
export const atStore = (store_id: number): SQL =>
  sql`${product.id} in (select ps.product_id from product_store ps where ps.store_id = ${store_id} and ps.status = 'on')`
/** Joins the submission of a product `p` that waits for an audit, as `a`. */
export const inAudit = sql`left join lateral (select t.state, t.price_cents from audit_task t where t.product_id = p.id and t.state in ('pending', 'claimed', 'need_more', 'second_audit') order by t.id desc limit 1) a on true`

/** The last person who changed each of some products, by the operation log. */
export const changersOf = async (
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ChangedBy>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; name: string; at: string }>(
    sql`select distinct on (object_id) object_id id, admin_name "name", created_at at from op_log where object_type = 'product' and object_id in ${ids} and result = 'ok' and action <> 'reveal' order by object_id, op_log.id desc`,
  )
  return new Map(rows.map(({ id, name, at }) => [id, { name: name || systemName, at: Number(at) }]))
}

/** What the rules of all kinds read of a product, its merchant as it stands now. */
export const goodsFacts = async (tx: Db, of: Goods) => {
  const { rows } = await tx.execute<{ status: MerchantState; end_at: string | null }>(
    sql`select status, contract_end_at end_at from merchant where id = ${of.merchant_id}`,
  )
  const seller = rows[0]!
  return {
    state: of.state,
    live_version: of.live_version,
    sale_end_at: of.sale_end_at,
    comes_back: of.taken_off.length > 0,
    merchant_status: seller.status,
    contract_end_at: seller.end_at === null ? null : Number(seller.end_at),
  }
}
/** Refuses a verb that a product can't have as it stands; its merchant is held, where that counts. */
export const needGoods = async (
  { tx, now }: WriteContext,
  verb: GoodsVerb,
  of: Goods,
): Promise<void> => {
  const fault = goodsFault(verb, await goodsFacts(tx, of), now)
  if (fault) throw ruled(fault.rule, fault.text, {}, { current: { state: of.state } })
}

/** Products of a kind; of a merchant whose owner the person is too. */
export const goodsRecord = (kind: Goods['kind']) =>
  record(product, {
    object: 'product',
    label: row => row.title.slice(0, 64),
    keys: ['state', 'off_reason', 'stock', 'sort', 'distribution_bp', 'limit_per_member'],
    places: ({ scope }) =>
      and(
        sql`${product.kind} = ${sql.raw(`'${kind}'`)}`,
        within(scope, {
          city: product.city_id,
          mall: product.mall_id,
          owner: sql`(select m.bd_admin_id from merchant m where m.id = ${product.merchant_id})`,
        }),
      ),
  })
type GoodsRecord = ReturnType<typeof goodsRecord>

/** What is done alike with products of any kind; `need` refuses a verb by the rules of the kind. */
export const goodsShelf = (
  goods: GoodsRecord,
  need: (context: WriteContext, verb: GoodsVerb, of: Goods) => Promise<void> = needGoods,
) => {
  /** The product as the person holds it, locked, where its state allows the verb. */
  const heldFor = async (context: WriteContext, verb: GoodsVerb, one: One): Promise<Goods> => {
    const was = await goods.heldFast(context, one)
    await need(context, verb, was)
    return was
  }
  const takeOff = (context: WriteContext, was: Goods, reason: string) =>
    goods.save(context, was, { state: 'off_sale', off_reason: reason, taken_off: [] }, reason)
  return {
    heldFor,
    putOn: (context: WriteContext, was: Goods) =>
      goods.save(context, was, { state: 'on_sale', off_reason: null, taken_off: [] }),
    offShelf: async ({ reason, ...one }: Reasoned, context: WriteContext) =>
      takeOff(context, await heldFor(context, 'offShelf', one), reason),
    forceOff: async ({ reason, ...one }: Reasoned, context: WriteContext) =>
      goods.save(
        context,
        await heldFor(context, 'forceOff', one),
        { state: 'forced_off', off_reason: reason, taken_off: [] },
        reason,
      ),
    setSort: async ({ sort, ...one }: One & { sort: number }, context: WriteContext) =>
      goods.save(context, await goods.heldFast(context, one), { sort }),
    batchOff: async ({ ids, reason }: { ids: number[]; reason: string }, context: WriteContext) =>
      eachRow(context, ids, async (inside, id) => {
        const was = await goods.lock(inside, id)
        await need(inside, 'offShelf', was)
        await takeOff(inside, was, reason)
      }),
  }
}
