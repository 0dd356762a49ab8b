import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { mall_board, mall_recommend } from '#src/areas/mall/mall.table.ts'
import {
  blockMax,
  blockReasons,
  couponBlocked,
  offerBlocked,
  VOUCHERS_OF_ONE,
  windowsOverlap,
  type Block,
  type BlockReason,
  type CouponKind,
  type CouponState,
} from '#src/areas/mall/recommend.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { askedTimes, timeLogs } from '#src/areas/product/batchTime.server.ts'
import { say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import {
  implement,
  type Db,
  type ReadContext,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import * as contract from '../contract/recommend.ts'
import {
  boardRead,
  bump,
  checkOrder,
  failedBy,
  lockBoard,
  MONTH,
  needs,
  openPlace,
  placeOf,
  recommendKey,
  sizeOf,
  unlessAllFailed,
  type Place,
} from './shared.ts'

type Listed = 'coupon' | 'group' | 'voucher' | 'featured'
export type Recommend = typeof mall_recommend.$inferSelect
type Asked = {
  mid: number
  city_id?: number | undefined
  is_recommend?: boolean | undefined
  keyword?: string | undefined
  page: number
  pageSize: number
}
const refKind = (block: Block): 'coupon' | 'store' | 'product' => {
  if (block === 'coupon') return 'coupon'
  return block === 'shop' ? 'store' : 'product'
}
const titleOf = { group: '推荐团购', featured: '精选商品' } as const

/** Rows of a board that are on, in their order. */
export const chosen = (
  db: Db,
  where: Pick<Place, 'mid' | 'city_id'>,
  block: Block,
  category_id = 0,
): Promise<Recommend[]> =>
  db
    .select()
    .from(mall_recommend)
    .where(
      and(
        eq(mall_recommend.mid, where.mid),
        eq(mall_recommend.city_id, where.city_id),
        eq(mall_recommend.block, block),
        eq(mall_recommend.category_id, category_id),
        eq(mall_recommend.is_recommend, true),
      ),
    )
    .orderBy(asc(mall_recommend.sort), asc(mall_recommend.id))
const joined = (where: Pick<Place, 'mid' | 'city_id'>, block: Block, ref: SQL) =>
  sql`left join mall_recommend r on r.mid = ${where.mid} and r.city_id = ${where.city_id} and r.block = ${block} and r.category_id = 0 and r.ref_kind = ${refKind(block)} and r.ref_id = ${ref} left join admin a on a.id = r.set_by`
const marks = sql`coalesce(r.is_recommend, false) is_recommend, coalesce(r.sort, 0) sort, r.start_at recommend_start_at, r.end_at recommend_end_at, coalesce(a.name, '') set_by_name, r.set_at, r.drop_reason, coalesce(r.version, 0) version`
type Marks = {
  is_recommend: boolean
  sort: number
  recommend_start_at: string | null
  recommend_end_at: string | null
  set_by_name: string
  set_at: string | null
  drop_reason: string | null
  version: number
}
const number = (of: string | number | null) => (of === null ? null : Number(of))
const marksOf = (row: Marks, where: Place) => ({
  city_id: where.city_id,
  city_name: where.city_name,
  mid: where.mid,
  mall_name: where.mall_name,
  is_recommend: row.is_recommend,
  sort: row.sort,
  recommend_start_at: number(row.recommend_start_at),
  recommend_end_at: number(row.recommend_end_at),
  set_by_name: row.set_by_name,
  set_at: number(row.set_at),
  drop_reason: row.drop_reason,
  version: row.version,
})
/** Recommended ones first in their order, then what is dropped, then the rest. */
const byBoard = sql`coalesce(r.is_recommend, false) desc, case when r.is_recommend then r.sort end, (r.drop_reason is not null) desc`
const wanted = (is_recommend: boolean | undefined) => {
  if (is_recommend === undefined) return sql`true`
  return is_recommend ? sql`r.is_recommend` : sql`r.is_recommend is not true`
}

/** A store of the place that is open, as `s`. */
const openStore = (where: Pick<Place, 'mid' | 'city_id'>) =>
  sql`s.city_id = ${where.city_id} and s.mall_id = ${where.mid} and s.status = 'open'`
const couponHere = (
  where: Pick<Place, 'mid' | 'city_id'>,
) => sql`(jsonb_array_length(c.city_ids) = 0 or c.city_ids @> to_jsonb(${where.city_id}::int)) and exists (select 1 from store s where ${openStore(where)} and not c.exclude_ids @> to_jsonb(s.id) and case c.apply_kind
  when 'all' then true when 'mall' then c.apply_ids @> to_jsonb(s.mall_id) when 'store' then c.apply_ids @> to_jsonb(s.id)
  when 'category' then c.apply_ids @> to_jsonb(s.category_id) or exists (select 1 from shop_category k where k.id = s.category_id and c.apply_ids @> to_jsonb(k.parent_id))
  when 'product' then exists (select 1 from product_store ps where ps.store_id = s.id and ps.status = 'on' and c.apply_ids @> to_jsonb(ps.product_id)) else false end)`
type CouponFact = Marks & {
  id: number
  coupon_no: string
  name: string
  kind: CouponKind
  face_cents: string
  threshold_cents: string
  discount_bp: number | null
  total: number
  claimed_count: number
  used_count: number
  claim_start_at: string
  claim_end_at: string
  status: CouponState
  apply_kind: string
  in_mall: boolean
  all: number
}
const coupons = async (
  db: Db,
  where: Place,
  more: SQL,
  page?: { limit: number; offset: number },
): Promise<CouponFact[]> =>
  (
    await db.execute<CouponFact>(sql`select c.id, c.coupon_no, c.name, c.kind, c.face_cents, c.threshold_cents, c.discount_bp, c.total, c.claimed_count, c.used_count, c.claim_start_at, c.claim_end_at, c.status, c.apply_kind, ${couponHere(where)} in_mall, ${marks}, (count(*) over ())::int "all"
    from coupon c ${joined(where, 'coupon', sql`c.id`)} where ${more} order by ${byBoard}, c.claim_end_at, c.id ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`)
  ).rows
const couponReason = (row: CouponFact, now: number): BlockReason | null =>
  couponBlocked(
    { ...row, claim_start_at: Number(row.claim_start_at), claim_end_at: Number(row.claim_end_at) },
    now,
  )

type OfferFact = Marks & {
  id: number
  kind: string
  title: string
  image: string | null
  merchant_id: number
  merchant_name: string
  merchant_status: string
  stores: number
  list_price_cents: string
  price_cents: string
  settle_price_cents: string
  face_cents: string | null
  min_spend_cents: string | null
  stock_left: number
  sale_start_at: string
  sale_end_at: string
  check_start_at: string
  check_end_at: string
  state: string
  sold: number
  all: number
}
const offers = async (
  db: Db,
  { where, block }: { where: Place; block: 'group' | 'voucher' | 'featured' },
  more: SQL,
  page?: { limit: number; offset: number },
): Promise<OfferFact[]> =>
  (
    await db.execute<OfferFact>(sql`with here as (select ps.product_id, count(*)::int n from store s join product_store ps on ps.store_id = s.id and ps.status = 'on' where ${openStore(where)} group by 1)
    select p.id, p.kind, p.title, p.images->>0 image, p.merchant_id, m.name merchant_name, m.status merchant_status, coalesce(h.n, 0) stores, p.list_price_cents, p.price_cents, p.settle_price_cents, p.face_cents, p.min_spend_cents, p.stock - p.held stock_left, p.sale_start_at, p.sale_end_at, p.check_start_at, p.check_end_at, p.state, p.sold, ${marks}, (count(*) over ())::int "all"
    from product p join merchant m on m.id = p.merchant_id left join here h on h.product_id = p.id ${joined(where, block, sql`p.id`)} where ${more} order by ${byBoard}, p.sold desc, p.id ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`)
  ).rows
const offerReason = (
  block: 'group' | 'voucher' | 'featured',
  row: OfferFact,
  now: number,
): BlockReason | null =>
  offerBlocked(
    block,
    {
      kind: row.kind,
      state: row.state,
      stock_left: row.stock_left,
      sale_end_at: Number(row.sale_end_at),
      check_end_at: Number(row.check_end_at),
      price_cents: Number(row.price_cents),
      face_cents: number(row.face_cents),
      merchant_status: row.merchant_status,
      stores_in_mall: row.stores,
    },
    now,
  )
const ofBlock = {
  group: sql`(p.kind = 'bulks' or r.is_recommend)`,
  voucher: sql`(p.kind = 'voucher' or r.is_recommend)`,
  featured: sql`true`,
} as const
/**
 * What a board of goods offers: on sale in a store of the place; and whatever stands or stood on
 * it, dead or not.
 */
const offered = (block: 'group' | 'voucher' | 'featured') =>
  sql`(r.is_recommend or r.drop_reason is not null or (p.state = 'on_sale' and h.n > 0)) and ${ofBlock[block]}`

/** Sold, looked at and redeemed of some products, the last 30 days. */
const figures = async (db: Db, ids: readonly number[], now: number) => {
  if (ids.length === 0)
    return new Map<
      number,
      { sold: number; buyers: number; visitors: number; codes: number; used: number }
    >()
  const since = now - MONTH
  const { rows } = await db.execute<{
    id: number
    sold: number
    buyers: number
    visitors: number
    codes: number
    used: number
  }>(sql`select p.id,
    coalesce(s.sold, 0)::int sold, coalesce(s.buyers, 0)::int buyers, (select count(distinct l.device_id)::int from click_log l where l.object_type = 'product' and l.object_id = p.id and l.at >= ${since}) visitors, coalesce(c.codes, 0)::int codes, coalesce(c.used, 0)::int used
    from unnest(${sql`array[${sql.join(
      ids.map(id => sql`${id}`),
      sql`, `,
    )}]::int[]`}) p(id)
    left join lateral (select sum(i.qty) sold, count(distinct o.id) buyers from order_item i join "order" o on o.id = i.order_id where i.product_id = p.id and o.paid_at >= ${since}) s on true
    left join lateral (select count(*) codes, count(*) filter (where k.times_used > 0) used from order_code k where k.product_id = p.id) c on true`)
  return new Map(rows.map(row => [row.id, row]))
}
const share = (part: number, of: number): number | null =>
  of === 0 ? null : Math.min(10_000, Math.round((part / of) * 10_000))

const offerList = async (
  { db, staff, now }: Pick<ReadContext, 'db' | 'staff' | 'now'>,
  block: 'group' | 'voucher' | 'featured',
  asked: Asked & {
    category_id?: number | undefined
    kind?: string | undefined
    expiring?: boolean | undefined
    merchant_id?: number | undefined
  },
) => {
  const where = await placeOf(db, asked, staff)
  const filters = [
    offered(block),
    wanted(asked.is_recommend),
    ...(asked.keyword
      ? [
          sql`(p.title ilike ${like(asked.keyword)} or m.name ilike ${like(asked.keyword)} or p.id::text = ${asked.keyword})`,
        ]
      : []),
    ...(asked.category_id ? [sql`p.category_id = ${asked.category_id}`] : []),
    ...(asked.kind ? [sql`p.kind = ${asked.kind}`] : []),
    ...(asked.merchant_id ? [sql`p.merchant_id = ${asked.merchant_id}`] : []),
    ...(asked.expiring ? [sql`p.sale_end_at < ${now + 7 * DAY}`] : []),
  ]
  const [rows, board, on] = await Promise.all([
    offers(db, { where, block }, sql.join(filters, sql` and `), sizeOf(asked)),
    boardRead(db, where, block),
    chosen(db, where, block),
  ])
  const known = await figures(
    db,
    rows.map(row => row.id),
    now,
  )
  const list = rows.map(row => {
    const of = known.get(row.id)
    return {
      id: row.id,
      kind: row.kind,
      title: row.title,
      image: row.image ?? '',
      merchant_id: row.merchant_id,
      merchant_name: row.merchant_name,
      store_count_in_mall: row.stores,
      list_price_cents: Number(row.list_price_cents),
      price_cents: Number(row.price_cents),
      settle_price_cents: Number(row.settle_price_cents),
      face_cents: number(row.face_cents),
      min_spend_cents: number(row.min_spend_cents),
      stock_left: row.stock_left,
      sold_30d: of?.sold ?? 0,
      convert_bp: share(of?.buyers ?? 0, of?.visitors ?? 0),
      verified_bp: share(of?.used ?? 0, of?.codes ?? 0),
      sale_start_at: Number(row.sale_start_at),
      sale_end_at: Number(row.sale_end_at),
      check_start_at: Number(row.check_start_at),
      check_end_at: Number(row.check_end_at),
      state: row.state,
      ...marksOf(row, where),
      blocked_reason: offerReason(block, row, now),
    }
  })
  const title =
    block === 'voucher'
      ? ''
      : (block === 'group' ? where.mall?.recommend_title : where.mall?.featured_title) ||
        board.title ||
        titleOf[block]
  return {
    list,
    total:
      rows[0]?.all ??
      (asked.page > 1
        ? (await offers(db, { where, block }, sql.join(filters, sql` and `))).length
        : 0),
    recommended: on.length,
    max: blockMax[block],
    list_version: board.list_version,
    theirs: board.theirs,
    title,
  }
}

type Fact = {
  id: number
  name: string
  reason: BlockReason | null
  merchant_id: number
  row: Recommend | undefined
}
type OnBoard = { where: Place; block: Listed }
/** The rows that some references have on a board, also those that are off it. */
const rowsOn = (tx: Db, { where, block }: OnBoard, ids: readonly number[]): Promise<Recommend[]> =>
  tx
    .select()
    .from(mall_recommend)
    .where(
      and(
        eq(mall_recommend.mid, where.mid),
        eq(mall_recommend.city_id, where.city_id),
        eq(mall_recommend.block, block),
        inArray(mall_recommend.ref_id, [...ids]),
      ),
    )
/** What the rules ask of some references, with the row that each has on this board. */
const factsOf = async (
  tx: Db,
  { where, block }: OnBoard,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Fact>> => {
  const rowOf = new Map(
    (await rowsOn(tx, { where, block }, ids)).map(row => [row.ref_id, row] as const),
  )
  const found =
    block === 'coupon'
      ? (await coupons(tx, where, sql`c.id in ${ids}`)).map(row => ({
          id: row.id,
          name: row.name,
          merchant_id: 0,
          reason: couponReason(row, now),
        }))
      : (await offers(tx, { where, block }, sql`p.id in ${ids}`)).map(row => ({
          id: row.id,
          name: row.title,
          merchant_id: row.merchant_id,
          reason: offerReason(block, row, now),
        }))
  return new Map(found.map(one => [one.id, { ...one, row: rowOf.get(one.id) }]))
}
/** Logs that a reference was put on a board, or taken off it. */
const logOf = (
  { log }: Pick<WriteContext, 'log'>,
  { where, block }: OnBoard,
  { id, name, on }: { id: number; name: string; on: boolean },
  more: object = {},
) =>
  log({
    object_type: refKind(block),
    object_id: id,
    object_label: name.slice(0, 64),
    before: { is_recommend: !on },
    after: { is_recommend: on, block, mid: where.mid, city_id: where.city_id, ...more },
  })

type Window = { start_at: number | null; end_at: number | null }
/** Why a reference is refused, with the values of the text that says so. */
type Refused = { reason: BlockReason; values?: Record<string, number> }
/** A locked board while a call changes it: what stands on it counts every change made so far. */
type Held = OnBoard & {
  window: Window
  count: number
  lastSort: number
  offersOf: Map<number, number>
  changed: boolean
}
/** How many of the references on a board each merchant has. */
const offersByMerchant = async (
  tx: Db,
  board: OnBoard,
  standing: readonly Recommend[],
  now: number,
): Promise<Map<number, number>> => {
  const ids = standing.map(row => row.ref_id).concat(0)
  const count = new Map<number, number>()
  for (const { merchant_id } of (await factsOf(tx, board, ids, now)).values())
    count.set(merchant_id, (count.get(merchant_id) ?? 0) + 1)
  return count
}
/** Takes a reference off, also one that is gone itself; taking off what is off changes nothing. */
const takeOff = async (
  context: WriteContext,
  held: Held,
  id: number,
  fact: Fact | undefined,
): Promise<Refused | null> => {
  const { tx, staff, now } = context
  const row = fact?.row ?? (await rowsOn(tx, held, [id]))[0]
  if (!row) return fact ? null : { reason: 'not_found' }
  const isMarked = row.is_recommend || Boolean(row.drop_reason)
  if (!isMarked) return null
  await tx
    .update(mall_recommend)
    .set({
      is_recommend: false,
      drop_reason: null,
      dropped_at: null,
      set_by: staff.id,
      set_at: now,
      version: sql`${mall_recommend.version} + 1`,
    })
    .where(eq(mall_recommend.id, row.id))
  held.changed = true
  if (row.is_recommend) {
    logOf(context, held, { id, name: fact?.name ?? `#${id}`, on: false })
    held.count--
  }
  return null
}
/** A reference on the board keeps its window: another one that overlaps it is refused. */
const refusedWindow = (row: Recommend, window: Window): Refused | null => {
  const asksWindow = window.start_at !== null || window.end_at !== null
  const isSame = row.start_at === window.start_at && row.end_at === window.end_at
  return asksWindow && !isSame && windowsOverlap(row, window) ? { reason: 'window_overlap' } : null
}
/** A reference comes on a board that has room for it and, of vouchers, few of its merchant. */
const refusedPlace = ({ block, count, offersOf }: Held, fact: Fact): Refused | null => {
  if (fact.reason) return { reason: fact.reason }
  if (block === 'voucher' && (offersOf.get(fact.merchant_id) ?? 0) >= VOUCHERS_OF_ONE)
    return { reason: 'merchant_full' }
  const max = blockMax[block]
  return count >= max ? { reason: 'full', values: { max } } : null
}
/** Puts a reference at the end of the board. */
const putOn = async (
  context: WriteContext,
  held: Held,
  id: number,
  fact: Fact | undefined,
): Promise<Refused | null> => {
  if (!fact) return { reason: 'not_found' }
  const { where, block, window } = held
  if (fact.row?.is_recommend) return refusedWindow(fact.row, window)
  const refused = refusedPlace(held, fact)
  if (refused) return refused
  held.lastSort++
  const mark = {
    is_recommend: true,
    sort: held.lastSort,
    ...window,
    set_by: context.staff.id,
    set_at: context.now,
  }
  await context.tx
    .insert(mall_recommend)
    .values({
      city_id: where.city_id,
      mid: where.mid,
      block,
      ref_kind: refKind(block),
      ref_id: id,
      ...mark,
    })
    .onConflictDoUpdate({
      target: recommendKey,
      set: {
        ...mark,
        drop_reason: null,
        dropped_at: null,
        version: sql`${mall_recommend.version} + 1`,
      },
    })
  held.offersOf.set(fact.merchant_id, (held.offersOf.get(fact.merchant_id) ?? 0) + 1)
  held.count++
  held.changed = true
  const hasWindow = Boolean(window.start_at || window.end_at)
  logOf(context, held, { id, name: fact.name, on: true }, hasWindow ? window : {})
  return null
}

type Setting = {
  mid: number
  city_id?: number | undefined
  ids?: readonly number[] | undefined
  id?: number | undefined
  start_at?: number | undefined
  end_at?: number | undefined
}
/**
 * Puts references on a board, or takes them off: each by itself, under the board's lock, so that
 * the cap holds whoever else is at it. Setting what is set already is no change.
 */
const setRecommend = async (context: WriteContext, block: Listed, of: Setting, on: boolean) => {
  const { tx, staff, now } = context
  const ids = [...new Set(of.ids ?? (of.id === undefined ? [] : [of.id]))]
  if (ids.length === 0)
    throw invalid({ ids: say(['请选择至少一项', 'Choose at least one'], staff.lang) })
  if (of.start_at !== undefined && of.end_at !== undefined && of.end_at <= of.start_at)
    throw invalid({ end_at: say(['结束须晚于开始', 'Must be after the start'], staff.lang) })
  const where = await openPlace(tx, of, staff)
  const board = await lockBoard(tx, where, block)
  const facts = await factsOf(tx, { where, block }, ids, now)
  const standing = await chosen(tx, where, block)
  const limitsMerchants = block === 'voucher' && on
  const held: Held = {
    where,
    block,
    window: { start_at: of.start_at ?? null, end_at: of.end_at ?? null },
    count: standing.length,
    lastSort: standing.at(-1)?.sort ?? 0,
    offersOf: limitsMerchants
      ? await offersByMerchant(tx, { where, block }, standing, now)
      : new Map<number, number>(),
    changed: false,
  }
  const result = { ok: [] as number[], failed: [] as { id: number; reason: string; msg: string }[] }
  const set = on ? putOn : takeOff
  for (const id of ids) {
    const refused = await set(context, held, id, facts.get(id))
    if (refused) {
      const fault = { ...refused, text: blockReasons[refused.reason] }
      result.failed.push(failedBy(id, fault, staff.lang))
    } else result.ok.push(id)
  }
  return unlessAllFailed({
    ...result,
    recommended: held.count,
    max: blockMax[block],
    list_version: held.changed ? await bump(context, board) : board.list_version,
  })
}

/**
 * Saves the whole order of a board; refused when the list is another than the one it was made from.
 */
export const saveOrder = async (
  context: WriteContext,
  block: Block,
  of: {
    mid: number
    city_id?: number | undefined
    category_id?: number | undefined
    order: readonly number[]
    list_version: number
  },
) => {
  const { tx, staff } = context
  const where = await openPlace(tx, of, staff)
  const category_id = block === 'shop' ? (of.category_id ?? 0) : 0
  const board = await lockBoard(tx, where, block, category_id)
  const rows = await chosen(tx, where, block, category_id)
  const present = rows.map(row => row.ref_id)
  await checkOrder(tx, board, of, present)
  await tx.execute(sql`update mall_recommend r set sort = n.place::int, version = r.version + 1 from unnest(${sql`array[${sql.join([...of.order.map(id => sql`${id}`), sql`0`], sql`, `)}]::int[]`}) with ordinality n(ref_id, place)
    where r.ref_id = n.ref_id and r.mid = ${where.mid} and r.city_id = ${where.city_id} and r.block = ${block} and r.category_id = ${category_id} and r.is_recommend`)
  context.log({
    object_type: block === 'shop' ? 'mall_category' : 'mall',
    object_id: block === 'shop' ? category_id : where.mid,
    object_label: where.mall_name || where.city_name,
    before: { order: present },
    after: { order: of.order, block },
  })
  return { order: [...of.order], list_version: await bump(context, board) }
}

const setTitle = async <B extends 'group' | 'featured'>(
  { tx, staff, log }: WriteContext,
  of: { mid: number; city_id?: number | undefined; title: string },
  block: B,
) => {
  const where = await openPlace(tx, of, staff)
  const length = [...of.title].length
  if (length === 1 || length > 12)
    throw invalid({
      title: say(
        ['标题 2–12 个字，留空恢复默认', '2 to 12 characters; empty restores the usual one'],
        staff.lang,
      ),
    })
  const board = await lockBoard(tx, where, block)
  const column = block === 'group' ? ('recommend_title' as const) : ('featured_title' as const)
  if (where.mall)
    await tx
      .update(mall)
      .set({ [column]: of.title, version: sql`${mall.version} + 1` })
      .where(eq(mall.id, where.mid))
  const [row] = await tx
    .update(mall_board)
    .set({ title: of.title, version: sql`${mall_board.version} + 1` })
    .where(eq(mall_board.id, board.id))
    .returning({ version: mall_board.version })
  log({
    object_type: 'mall',
    object_id: where.mid,
    object_label: where.mall_name || where.city_name,
    before: { [column]: where.mall?.[column] ?? board.title },
    after: { [column]: of.title },
  })
  return { mid: where.mid, block, title: of.title || titleOf[block], version: row!.version }
}

const goneReason = (row: Recommend, fact: Fact | undefined, now: number) => {
  if (row.end_at !== null && row.end_at <= now) return 'window_over'
  return fact ? fact.reason : 'not_found'
}
/**
 * Takes what can't stand any more off every board, and says why: its end, its stock, its merchant.
 * A paid or planned window that is over goes too.
 */
export const dropDead = async (
  tx: Db,
  now: number,
): Promise<{ row: Recommend; reason: BlockReason | 'window_over'; name: string }[]> => {
  const places = await tx
    .selectDistinct({
      mid: mall_recommend.mid,
      city_id: mall_recommend.city_id,
      block: mall_recommend.block,
    })
    .from(mall_recommend)
    .where(eq(mall_recommend.is_recommend, true))
  const gone: { row: Recommend; reason: BlockReason | 'window_over'; name: string }[] = []
  for (const { block, ...at } of places) {
    if (block === 'shop') continue
    const where: Place = { ...at, mall_name: '', city_name: '', mall: null }
    const rows = await chosen(tx, where, block)
    const facts = await factsOf(
      tx,
      { where, block },
      rows.map(row => row.ref_id),
      now,
    )
    for (const row of rows) {
      const fact = facts.get(row.ref_id)
      const reason = goneReason(row, fact, now)
      // A coupon that is only paused comes back; what waits for its window stays; a featured
      // product stays marked until a person replaces it.
      if (
        reason === 'window_over' ||
        (reason && block !== 'featured' && reason !== 'paused' && reason !== 'too_early')
      )
        gone.push({ row, reason, name: fact?.name ?? `#${row.ref_id}` })
    }
  }
  return gone
}

/** In place of what is dead, what sells best of the rest. */
const replaceDead = async (
  context: WriteContext,
  of: { mid: number; city_id?: number | undefined },
) => {
  const { tx, staff, now } = context
  const where = await openPlace(tx, of, staff)
  const board = await lockBoard(tx, where, 'featured')
  const rows = await chosen(tx, where, 'featured')
  const featured = { where, block: 'featured' } as const
  const facts = await factsOf(tx, featured, rows.map(row => row.ref_id).concat(0), now)
  const dead = rows.flatMap(row => {
    const fact = facts.get(row.ref_id)
    const reason = fact ? fact.reason : ('not_found' as const)
    return reason ? [{ row, reason, name: fact?.name ?? `#${row.ref_id}` }] : []
  })
  if (dead.length === 0) throw ruled('nothing_dead', ['没有失效的商品', 'Nothing is dead'])
  const standing = new Set(rows.map(row => row.ref_id))
  const fresh = (
    await offers(tx, featured, sql`p.state = 'on_sale' and h.n > 0 and r.is_recommend is not true`)
  )
    .filter(row => !standing.has(row.id) && offerReason('featured', row, now) === null)
    .slice(0, dead.length)
  for (const [at, { row, reason, name }] of dead.entries()) {
    await tx
      .update(mall_recommend)
      .set({
        is_recommend: false,
        drop_reason: reason,
        dropped_at: now,
        set_by: staff.id,
        set_at: now,
        version: sql`${mall_recommend.version} + 1`,
      })
      .where(eq(mall_recommend.id, row.id))
    logOf(context, featured, { id: row.ref_id, name, on: false }, { drop_reason: reason })
    const next = fresh[at]
    if (!next) continue
    await tx
      .insert(mall_recommend)
      .values({
        city_id: where.city_id,
        mid: where.mid,
        block: 'featured',
        ref_kind: 'product',
        ref_id: next.id,
        is_recommend: true,
        sort: row.sort,
        set_by: staff.id,
        set_at: now,
      })
      .onConflictDoUpdate({
        target: recommendKey,
        set: {
          is_recommend: true,
          sort: row.sort,
          start_at: null,
          end_at: null,
          set_by: staff.id,
          set_at: now,
          drop_reason: null,
          dropped_at: null,
          version: sql`${mall_recommend.version} + 1`,
        },
      })
    logOf(context, featured, { id: next.id, name: next.title, on: true })
  }
  return {
    removed: dead.map(({ row, reason, name }) => ({ id: row.ref_id, title: name, reason })),
    added: fresh.map(row => ({ id: row.id, title: row.title })),
    list_version: await bump(context, board),
  }
}
const schedule = async (
  context: WriteContext,
  of: {
    mid: number
    city_id?: number | undefined
    id: number
    version: number
    start_at: number | null
    end_at: number | null
  },
) => {
  const { tx, staff, now } = context
  if (of.start_at !== null && of.end_at !== null && of.end_at <= of.start_at)
    throw invalid({ end_at: say(['结束须晚于开始', 'Must be after the start'], staff.lang) })
  const where = await openPlace(tx, of, staff)
  const board = await lockBoard(tx, where, 'featured')
  const row = (await chosen(tx, where, 'featured')).find(one => one.ref_id === of.id)
  if (!row) throw missing()
  const window = { start_at: of.start_at, end_at: of.end_at }
  const [after] = await tx
    .update(mall_recommend)
    .set({ ...window, set_by: staff.id, set_at: now, version: sql`${mall_recommend.version} + 1` })
    .where(
      and(
        eq(mall_recommend.id, row.id),
        eq(mall_recommend.version, of.version),
        eq(mall_recommend.is_recommend, true),
      ),
    )
    .returning()
  if (!after) throw await staleRow(tx, 'product', row)
  context.log({
    object_type: 'product',
    object_id: of.id,
    object_label: where.mall_name || where.city_name,
    before: { start_at: row.start_at, end_at: row.end_at },
    after: window,
  })
  return { id: of.id, version: after.version, list_version: await bump(context, board) }
}

const permits: Record<Block, string> = {
  coupon: 'mall.coupon.sort',
  group: 'mall.group.sort',
  voucher: 'mall.voucher.sort',
  featured: 'mall.productsFeatured.sort',
  shop: 'mall.shop.updSort',
}
export const sortPermit = (block: Block): string => permits[block]

export default [
  implement(contract.coupon, {
    listRecommends: async (asked, { db, staff, now }) => {
      const where = await placeOf(db, asked, staff)
      const filters = [
        sql`c.scope = 'local'`,
        sql`(r.is_recommend or r.drop_reason is not null or (c.status in ('active', 'waiting', 'paused') and c.claim_end_at > ${now} and ${couponHere(where)}))`,
        wanted(asked.is_recommend),
        ...(asked.keyword
          ? [sql`(c.name ilike ${like(asked.keyword)} or c.coupon_no ilike ${like(asked.keyword)})`]
          : []),
        ...(asked.kind ? [sql`c.kind = ${asked.kind}`] : []),
      ]
      const [rows, board, on] = await Promise.all([
        coupons(db, where, sql.join(filters, sql` and `), sizeOf(asked)),
        boardRead(db, where, 'coupon'),
        chosen(db, where, 'coupon'),
      ])
      const list = rows.map(row => ({
        id: row.id,
        coupon_no: row.coupon_no,
        name: row.name,
        kind: row.kind,
        face_cents: Number(row.face_cents),
        threshold_cents: Number(row.threshold_cents),
        discount_bp: row.discount_bp,
        total: row.total,
        claimed_count: row.claimed_count,
        used_count: row.used_count,
        left: row.total - row.claimed_count,
        claim_start_at: Number(row.claim_start_at),
        claim_end_at: Number(row.claim_end_at),
        status: row.status,
        apply_kind: row.apply_kind,
        ...marksOf(row, where),
        blocked_reason: couponReason(row, now),
      }))
      return {
        list,
        total:
          rows[0]?.all ??
          (asked.page > 1 ? (await coupons(db, where, sql.join(filters, sql` and `))).length : 0),
        recommended: on.length,
        max: blockMax.coupon,
        list_version: board.list_version,
        theirs: board.theirs,
      }
    },
    recommendstatus: async (input, context) => {
      if (!input.is_recommend) needs(context.staff, 'mall.coupon.unrecommend')
      return setRecommend(context, 'coupon', input, input.is_recommend)
    },
  }),
  implement(contract.tuan, {
    listRecommends: async ({ block, ...asked }, { db, staff, now }) => {
      if (block === 'featured') needs(staff, 'mall.productsFeatured.view')
      return offerList({ db, staff, now }, block, asked)
    },
    recommendstatus: async ({ block, ...input }, context) => {
      needs(
        context.staff,
        block === 'group'
          ? `mall.group.${input.is_recommend ? 'recommend' : 'unrecommend'}`
          : `mall.productsFeatured.${input.is_recommend ? 'pick' : 'remove'}`,
      )
      return setRecommend(context, block, input, input.is_recommend)
    },
    setmallrecommendtitle: async ({ block, ...input }, context) => {
      if (block === 'featured') needs(context.staff, 'mall.productsFeatured.setTitle')
      return setTitle(context, input, block)
    },
  }),
  implement(contract.voucher, {
    listRecommends: async (asked, { db, staff, now }) => {
      const { title: _, ...answer } = await offerList({ db, staff, now }, 'voucher', asked)
      return { ...answer, max_per_merchant: VOUCHERS_OF_ONE }
    },
    recommendstatus: async (input, context) => {
      if (!input.is_recommend) needs(context.staff, 'mall.voucher.unrecommend')
      return setRecommend(context, 'voucher', input, input.is_recommend)
    },
  }),
  implement(contract.couponBoard, {
    recommend: async (input, context) => setRecommend(context, 'coupon', input, true),
    unrecommend: async (input, context) => setRecommend(context, 'coupon', input, false),
    batchRecommend: async (input, context) => setRecommend(context, 'coupon', input, true),
    batchUnrecommend: async (input, context) => setRecommend(context, 'coupon', input, false),
    sort: async (input, context) => saveOrder(context, 'coupon', input),
  }),
  implement(contract.voucherBoard, {
    recommend: async (input, context) => setRecommend(context, 'voucher', input, true),
    unrecommend: async (input, context) => setRecommend(context, 'voucher', input, false),
    batchRecommend: async (input, context) => setRecommend(context, 'voucher', input, true),
    batchUnrecommend: async (input, context) => setRecommend(context, 'voucher', input, false),
    sort: async (input, context) => saveOrder(context, 'voucher', input),
  }),
  implement(contract.groupBoard, {
    recommend: async (input, context) => setRecommend(context, 'group', input, true),
    unrecommend: async (input, context) => setRecommend(context, 'group', input, false),
    sort: async (input, context) => saveOrder(context, 'group', input),
    setTitle: async (input, context) => setTitle(context, input, 'group'),
    batchTime: async (input, context) => askedTimes(context, input),
    timeLogs: async (asked, { db, staff }) => timeLogs(db, staff, asked),
  }),
  implement(contract.featuredBoard, {
    pick: async (input, context) => setRecommend(context, 'featured', input, true),
    remove: async (input, context) => setRecommend(context, 'featured', input, false),
    sort: async (input, context) => saveOrder(context, 'featured', input),
    setTitle: async (input, context) => setTitle(context, input, 'featured'),
    schedule: async (input, context) => schedule(context, input),
    replace: async (input, context) => replaceDead(context, input),
  }),
]
