import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { mall_category, mall_recommend } from '#src/areas/mall/mall.table.ts'
import { usualSettings } from '#src/areas/mall/mall.ts'
import {
  blockReasons,
  paidFault,
  storeBlocked,
  type BlockReason,
} from '#src/areas/mall/recommend.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { comma, say, type Lang } from '#src/domain/text.ts'
import { implement, type Db, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, Refusal } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { recommendSet } from '../contract/recommend.ts'
import { shopBoard } from '../contract/shopBoard.ts'
import { chosen, saveOrder, sortPermit, type Recommend } from './recommend.ts'
import {
  boardRead,
  bump,
  failedBy,
  lockBoard,
  mallOf,
  MONTH,
  needs,
  openMall,
  recommendKey,
  sizeOf,
  unlessAllFailed,
  type Mall,
} from './shared.ts'

type Category = typeof mall_category.$inferSelect
/** The platform's categories that a guide category gathers, with all below them. */
const gathered = (category: Pick<Category, 'shop_category_ids'>) =>
  sql`(select k.id from shop_category k left join shop_category p on p.id = k.parent_id where k.id in ${[0, ...category.shop_category_ids]} or k.parent_id in ${[0, ...category.shop_category_ids]} or p.parent_id in ${[0, ...category.shop_category_ids]})`
const limitOf = (of: Mall): number => of.category_settings?.store_limit ?? usualSettings.store_limit

const categoryOf = async (db: Db, mid: number, id: number | undefined): Promise<Category> => {
  const [row] = await db
    .select()
    .from(mall_category)
    .where(and(eq(mall_category.mid, mid), id === undefined ? undefined : eq(mall_category.id, id)))
    .orderBy(asc(mall_category.parent_id), asc(mall_category.sort))
    .limit(1)
  if (!row) throw missing()
  return row
}
type StoreFact = {
  store_id: number
  store_name: string
  logo: string
  floor_name: string
  door_no: string | null
  score_x10: number
  status: string
  on_sale_count: number
  gmv: string
  gathered: boolean
  recommend_id: number | null
  is_recommend: boolean
  sort: number
  start_at: string | null
  end_at: string | null
  contract_no: string
  set_by_name: string
  set_at: string | null
  all: number
}
const stores = async (
  db: Db,
  { where, category, now }: { where: Mall; category: Category; now: number },
  more: ReturnType<typeof sql>,
  page?: { limit: number; offset: number },
): Promise<StoreFact[]> =>
  (
    await db.execute<StoreFact>(sql`select s.id store_id, s.name store_name, s.logo, coalesce(f.name, '') floor_name, s.door_no, s.score_x10, s.status, (s.category_id in ${gathered(category)}) gathered, (count(*) over ())::int "all",
    (select count(*)::int from product_store ps join product p on p.id = ps.product_id where ps.store_id = s.id and ps.status = 'on' and p.state = 'on_sale') on_sale_count, g.gmv,
    r.id recommend_id, coalesce(r.is_recommend, false) is_recommend, coalesce(r.sort, 0) sort, r.start_at, r.end_at, coalesce(r.contract_no, '') contract_no, coalesce(a.name, '') set_by_name, r.set_at
    from store s left join mall_floor f on f.id = s.floor_id
    left join mall_recommend r on r.mid = ${where.id} and r.block = 'shop' and r.category_id = ${category.id} and r.ref_kind = 'store' and r.ref_id = s.id left join admin a on a.id = r.set_by
    left join (select o.store_id, sum(o.paid_cents - o.refunded_cents) gmv from "order" o where o.paid_at >= ${now - MONTH} and o.mall_id = ${where.id} group by 1) g on g.store_id = s.id
    where ${more} order by coalesce(r.is_recommend, false) desc, case when r.is_recommend then r.sort end, g.gmv desc nulls last, s.score_x10 desc, s.id ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`)
  ).rows
const reasonOf = (row: StoreFact): BlockReason | null =>
  storeBlocked({ status: row.status, in_mall: true, gathered: row.gathered })

type Asked = {
  mid: number
  category_id: number
  store_ids: readonly number[]
  start_at?: number | undefined
  end_at?: number | undefined
  contract_no?: string | undefined
  paid?: boolean | undefined
}
/** A locked board while a call changes it: what stands on it counts every change made so far. */
type Held = {
  mall: Mall
  category: Category
  found: ReadonlyMap<number, StoreFact>
  rowOf: ReadonlyMap<number, Recommend>
  terms: Pick<Recommend, 'start_at' | 'end_at' | 'contract_no'>
  total: number
  lastSort: number
  changed: boolean
}
const logStore = (
  { log }: WriteContext,
  { category, found }: Held,
  { id, on }: { id: number; on: boolean },
  more: object = {},
) =>
  log({
    object_type: 'mall_category',
    object_id: category.id,
    object_label: category.name,
    before: { is_recommend: !on },
    after: {
      is_recommend: on,
      store_id: id,
      store_name: found.get(id)?.store_name ?? '',
      ...more,
    },
  })
/** Takes a store off, also one that left the mall; taking off what is off changes nothing. */
const takeOff = async (
  context: WriteContext,
  held: Held,
  id: number,
): Promise<BlockReason | null> => {
  const row = held.rowOf.get(id)
  if (!row) return held.found.has(id) ? null : 'not_in_mall'
  await context.tx
    .update(mall_recommend)
    .set({
      is_recommend: false,
      drop_reason: null,
      dropped_at: null,
      set_by: context.staff.id,
      set_at: context.now,
      version: sql`${mall_recommend.version} + 1`,
    })
    .where(eq(mall_recommend.id, row.id))
  logStore(context, held, { id, on: false })
  held.total--
  held.changed = true
  return null
}
const hasTerms = (row: Recommend, terms: Held['terms']): boolean =>
  row.start_at === terms.start_at &&
  row.end_at === terms.end_at &&
  row.contract_no === terms.contract_no
/** Puts a store at the end of the board; one that stands on it gets the terms that are asked. */
const putOn = async (
  context: WriteContext,
  held: Held,
  id: number,
): Promise<BlockReason | null> => {
  const { mall: where, category, terms } = held
  const fact = held.found.get(id)
  const blocked = fact ? reasonOf(fact) : 'not_in_mall'
  if (blocked) return blocked
  const row = held.rowOf.get(id)
  if (!row && held.total >= limitOf(where)) return 'full'
  if (row && hasTerms(row, terms)) return null
  held.lastSort++
  const mark = {
    is_recommend: true,
    ...terms,
    set_by: context.staff.id,
    set_at: context.now,
  }
  await context.tx
    .insert(mall_recommend)
    .values({
      mid: where.id,
      city_id: where.city_id,
      block: 'shop',
      category_id: category.id,
      ref_kind: 'store',
      ref_id: id,
      sort: held.lastSort,
      ...mark,
    })
    .onConflictDoUpdate({
      target: recommendKey,
      set: {
        ...mark,
        ...(row ? {} : { sort: held.lastSort }),
        drop_reason: null,
        dropped_at: null,
        version: sql`${mall_recommend.version} + 1`,
      },
    })
  logStore(context, held, { id, on: true }, terms.contract_no ? terms : {})
  if (!row) held.total++
  held.changed = true
  return null
}
/** A place that is paid for, which any window means, has what a contract needs. */
const checkPaid = (of: Asked, lang: Lang) => {
  const hasWindow = of.start_at !== undefined || of.end_at !== undefined
  const fault = paidFault({ ...of, paid: of.paid ?? hasWindow })
  if (fault)
    throw new Refusal(
      422,
      blockReasons[fault],
      {},
      { rule: fault, fields: { contract_no: say(blockReasons[fault], lang) } },
    )
}
/** Puts stores on a category's board, or takes them off, each by itself under the board's lock. */
const setStores = async (context: WriteContext, of: Asked, on: boolean) => {
  const { tx, staff, now } = context
  if (of.start_at !== undefined && of.end_at !== undefined && of.end_at <= of.start_at)
    throw invalid({ end_at: say(['结束须晚于开始', 'Must be after the start'], staff.lang) })
  const where = await openMall(tx, of.mid, staff)
  const category = await categoryOf(tx, where.id, of.category_id)
  if (on) checkPaid(of, staff.lang)
  const place = { mid: where.id, city_id: where.city_id }
  const board = await lockBoard(tx, place, 'shop', category.id)
  const ids = [...new Set(of.store_ids)]
  const asked = sql`s.mall_id = ${where.id} and s.id in ${ids}`
  const found = await stores(tx, { where, category, now }, asked)
  const standing = await chosen(tx, place, 'shop', category.id)
  const held: Held = {
    mall: where,
    category,
    found: new Map(found.map(row => [row.store_id, row])),
    rowOf: new Map(standing.map(row => [row.ref_id, row])),
    terms: {
      start_at: of.start_at ?? null,
      end_at: of.end_at ?? null,
      contract_no: of.contract_no ?? '',
    },
    total: standing.length,
    lastSort: standing.at(-1)?.sort ?? 0,
    changed: false,
  }
  const ok: number[] = []
  const failed: { id: number; store_id: number; reason: string; msg: string }[] = []
  const set = on ? putOn : takeOff
  for (const id of ids) {
    const reason = await set(context, held, id)
    if (reason) {
      const fault = { reason, text: blockReasons[reason] }
      failed.push({ ...failedBy(id, fault, staff.lang), store_id: id })
    } else ok.push(id)
  }
  return unlessAllFailed({
    ok,
    failed,
    recommended: held.total,
    max: limitOf(where),
    list_version: held.changed ? await bump(context, board) : board.list_version,
  })
}
/**
 * Another category gets this one's stores in this order, as far as they fit it; what it had comes
 * after.
 */
const copyOrder = async (
  context: WriteContext,
  {
    mid,
    from_category_id,
    category_id,
  }: { mid: number; from_category_id: number; category_id: number },
) => {
  const { tx, staff } = context
  const where = await openMall(tx, mid, staff)
  const place = { mid: where.id, city_id: where.city_id }
  const [from, to] = [
    await categoryOf(tx, mid, from_category_id),
    await categoryOf(tx, mid, category_id),
  ]
  if (from.id === to.id)
    throw invalid({ category_id: say(['请选择另一个分类', 'Choose another category'], staff.lang) })
  const source = (await chosen(tx, place, 'shop', from.id)).map(row => row.ref_id)
  if (source.length === 0)
    throw invalid({
      from_category_id: say(
        ['这个分类没有推荐门店', 'This category has no recommended store'],
        staff.lang,
      ),
    })
  const result = await setStores(context, { mid, category_id: to.id, store_ids: source }, true)
  const taken = new Set(result.ok)
  const order = [
    ...source.filter(id => taken.has(id)),
    ...(await chosen(tx, place, 'shop', to.id))
      .map(row => row.ref_id)
      .filter(id => !source.includes(id)),
  ]
  const { list_version } = await saveOrder(context, 'shop', {
    mid,
    category_id: to.id,
    order,
    list_version: result.list_version,
  })
  return { ...result, list_version }
}

/**
 * Stores that left their place: closed, resting, moved, or no longer of what the category gathers.
 */
export const deadStores = async (
  tx: Db,
  now: number,
): Promise<{ row: Recommend; reason: BlockReason | 'window_over'; name: string }[]> => {
  const rows = await tx
    .select({ row: mall_recommend, category: mall_category, place: mall })
    .from(mall_recommend)
    .innerJoin(mall_category, eq(mall_category.id, mall_recommend.category_id))
    .innerJoin(mall, eq(mall.id, mall_recommend.mid))
    .where(and(eq(mall_recommend.block, 'shop'), eq(mall_recommend.is_recommend, true)))
  const { rows: found } = await tx.execute<{
    id: number
    name: string
    status: string
    mall_id: number
    category_id: number
    parent_id: number | null
    root_id: number | null
  }>(
    sql`select s.id, s.name, s.status, s.mall_id, s.category_id, k.parent_id, p.parent_id root_id from store s left join shop_category k on k.id = s.category_id left join shop_category p on p.id = k.parent_id where s.id in ${[0, ...rows.map(one => one.row.ref_id)]}`,
  )
  const storeOf = new Map(found.map(one => [one.id, one]))
  return rows.flatMap(({ row, category }) => {
    const one = storeOf.get(row.ref_id)
    const gathers = one
      ? [one.category_id, one.parent_id, one.root_id].some(
          id => id !== null && category.shop_category_ids.includes(id),
        )
      : false
    const reasonOf = (): BlockReason | 'window_over' | null => {
      if (row.end_at !== null && row.end_at <= now) return 'window_over'
      if (!one) return 'not_found'
      return storeBlocked({
        status: one.status,
        in_mall: one.mall_id === row.mid,
        gathered: gathers,
      })
    }
    const reason = reasonOf()
    return reason ? [{ row, reason, name: one?.name ?? `#${row.ref_id}` }] : []
  })
}

type Change = { is_recommend?: boolean; store_name?: string; order?: number[] }
const changeTold = (
  after: Change | null,
  names: ReadonlyMap<number, string>,
  lang: Lang,
): string => {
  if (after?.order)
    return say(['调整顺序：{order}', 'Order: {order}'], lang, {
      order: after.order.map(id => names.get(id) ?? `#${id}`).join(say(comma, lang)),
    })
  if (after?.is_recommend === undefined) return say(['编辑分类', 'Category edited'], lang)
  return say(
    after.is_recommend ? ['推荐 {name}', 'Recommended {name}'] : ['取消 {name}', 'Took off {name}'],
    lang,
    { name: after.store_name ?? '' },
  )
}

export default [
  implement(recommendSet, {
    stores: async (asked, { db, staff, now }) => {
      const where = await mallOf(db, asked.mid, staff)
      const category = await categoryOf(db, where.id, asked.category_id)
      const place = { mid: where.id, city_id: where.city_id }
      const filters = sql.join(
        [
          sql`(r.is_recommend or (s.mall_id = ${where.id} and s.status = 'open' and s.category_id in ${gathered(category)}))`,
          ...(asked.is_recommend === undefined
            ? []
            : [asked.is_recommend ? sql`r.is_recommend` : sql`r.is_recommend is not true`]),
          ...(asked.floor_id ? [sql`s.floor_id = ${asked.floor_id}`] : []),
          ...(asked.keyword
            ? [
                sql`(s.name ilike ${like(asked.keyword)} or s.store_no ilike ${like(asked.keyword)} or s.door_no ilike ${like(asked.keyword)})`,
              ]
            : []),
        ],
        sql` and `,
      )
      const [rows, board, on] = await Promise.all([
        stores(db, { where, category, now }, filters, sizeOf(asked)),
        boardRead(db, place, 'shop', category.id),
        chosen(db, place, 'shop', category.id),
      ])
      const list = rows.map(row => ({
        id: row.is_recommend ? (row.recommend_id ?? 0) : 0,
        store_id: row.store_id,
        store_name: row.store_name,
        logo: row.logo,
        mid: where.id,
        mall_name: where.name,
        category_id: category.id,
        category_name: category.name,
        floor_name: row.floor_name,
        door_no: row.door_no ?? '',
        score_x10: row.score_x10,
        on_sale_count: row.on_sale_count,
        gmv_30d_cents: Number(row.gmv ?? 0),
        status: row.status,
        is_recommend: row.is_recommend,
        sort: row.sort,
        start_at: row.start_at === null ? null : Number(row.start_at),
        end_at: row.end_at === null ? null : Number(row.end_at),
        contract_no: row.contract_no,
        set_by_name: row.set_by_name,
        set_at: row.set_at === null ? null : Number(row.set_at),
        blocked_reason: reasonOf(row),
      }))
      return {
        list,
        total:
          rows[0]?.all ??
          (asked.page > 1 ? (await stores(db, { where, category, now }, filters)).length : 0),
        recommended: on.length,
        max: limitOf(where),
        list_version: board.list_version,
        theirs: board.theirs,
      }
    },
    set: async ({ store_id, store_ids, is_recommend, ...of }, context) => {
      const ids = store_ids ?? (store_id === undefined ? undefined : [store_id])
      if (!ids)
        throw invalid({ store_ids: say(['请选择门店', 'Choose stores'], context.staff.lang) })
      if (!is_recommend) needs(context.staff, 'mall.shop.cancel')
      return setStores(context, { ...of, store_ids: ids }, is_recommend)
    },
    updSort: async ({ block, ...of }, context) => {
      needs(context.staff, sortPermit(block))
      if (block === 'shop' && of.category_id === undefined)
        throw invalid({ category_id: say(['请选择分类', 'Choose a category'], context.staff.lang) })
      return saveOrder(context, block, of)
    },
  }),
  implement(shopBoard, {
    cancel: async (input, context) => setStores(context, input, false),
    batchCancel: async (input, context) => setStores(context, input, false),
    copyOrder: async (input, context) => copyOrder(context, input),
    history: async ({ mid, category_id, ...paged }, { db, staff }) => {
      const where = await mallOf(db, mid, staff)
      const category = await categoryOf(db, where.id, category_id)
      const of = and(
        eq(op_log.object_type, 'mall_category'),
        eq(op_log.object_id, category.id),
        eq(op_log.result, 'ok'),
      )
      const { limit, offset } = sizeOf(paged)
      const rows = await db
        .select()
        .from(op_log)
        .where(of)
        .orderBy(desc(op_log.id))
        .limit(limit)
        .offset(offset)
      const [all] = await db.select({ n: count() }).from(op_log).where(of)
      const orders = rows.flatMap(row =>
        [
          (row.before as { order?: number[] } | null)?.order ?? [],
          (row.after as { order?: number[] } | null)?.order ?? [],
        ].flat(),
      )
      const names = new Map(
        orders.length
          ? (
              await db.execute<{ id: number; name: string }>(
                sql`select id, name from store where id in ${orders}`,
              )
            ).rows.map(row => [row.id, row.name])
          : [],
      )
      return {
        total: all!.n,
        list: rows.map(row => {
          const after = row.after as Change | null
          return {
            id: row.id,
            at: row.created_at,
            by: row.admin_name || say(['系统', 'System'], staff.lang),
            what: changeTold(after, names, staff.lang),
            reason:
              row.reason && Object.hasOwn(blockReasons, row.reason)
                ? say(blockReasons[row.reason as BlockReason], staff.lang)
                : row.reason,
          }
        }),
      }
    },
  }),
]
/** Rows of these categories that are on: what stands in the way of deleting one. */
export const recommendedIn = async (db: Db, category_ids: readonly number[]): Promise<number> => {
  const [row] = await db
    .select({ n: count() })
    .from(mall_recommend)
    .where(
      and(
        eq(mall_recommend.block, 'shop'),
        inArray(mall_recommend.category_id, [...category_ids]),
        eq(mall_recommend.is_recommend, true),
      ),
    )
  return row!.n
}
