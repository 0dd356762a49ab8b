import { and, asc, eq, ilike, inArray, notExists, sql, type SQL } from 'drizzle-orm'
import { dist_product as t } from '#src/areas/commission/commission.table.ts'
import {
  commissionKinds,
  distributedStates,
  type DistributedState,
} from '#src/areas/commission/commission.ts'
import { endDistributed, tellProduct } from '#src/areas/commission/distributed.server.ts'
import { marginOf, termsFault, THIN_BP, type GoodsTerms } from '#src/areas/commission/margin.ts'
import { dist_material } from '#src/areas/material/material.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { joined, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  equal,
  exporting,
  faultless,
  listing,
  record,
  unlessTaken,
} from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { distributedGoods as contract, type GoodsRow } from '../contract/product.ts'

type Row = typeof t.$inferSelect
type Filters = {
  status?: DistributedState
  keyword?: string
  city_id?: number
  mid?: number
  thin?: boolean
}
const goods = record(t, {
  object: 'dist_product',
  label: row => joined([`分销商品 ${row.ref_id}`, `Distributed product ${row.ref_id}`]),
  keys: [
    'status',
    'commission_kind',
    'rate_bp',
    'fixed_cents',
    'level_plus',
    'leader_bp',
    'guide_bp',
    'end_at',
    'sort',
    'waiver',
    'reason',
  ],
  places: { city: t.city_id, mall: t.mall_id },
})
const titled = (keyword: string): SQL => {
  const named = sql`${t.ref_kind} = 'product' and ${t.ref_id} in (select ${product.id} from ${product} where ${ilike(product.title, like(keyword))})`
  return /^\d{1,9}$/.test(keyword)
    ? sql`(${named} or ${t.ref_id} = ${Number(keyword)})`
    : sql`(${named})`
}
/** `marginOf` as the database counts it: what is left of the price is thin. */
const isThin = sql`exists (select 1 from ${product} p where ${t.ref_kind} = 'product' and p.id = ${t.ref_id} and
  (p.price_cents - p.settle_price_cents - round(p.price_cents * (60 + coalesce(${t.leader_bp}, 0) + ${t.guide_bp}) / 10000.0)
    - case when ${t.commission_kind} = 'fixed' then ${t.fixed_cents} else round(p.price_cents * (${t.rate_bp} + coalesce((select max(value::int) from jsonb_each_text(${t.level_plus})), 0)) / 10000.0) end) * 10000 < p.price_cents * ${THIN_BP}::int)`
const where = ({ status, keyword, city_id, mid, thin }: Filters): SQL | undefined =>
  and(
    equal(t, { status, city_id, mall_id: mid }),
    keyword ? titled(keyword) : undefined,
    thin ? isThin : undefined,
  )
type Priced = {
  id: number
  title: string
  state: string
  price_cents: number
  settle_price_cents: number
}
const productsOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Priced>> => {
  const rows = await db
    .select({
      id: product.id,
      title: product.title,
      state: product.state,
      price_cents: product.price_cents,
      settle_price_cents: product.settle_price_cents,
    })
    .from(product)
    .where(inArray(product.id, [...ids]))
  return new Map(rows.map(row => [row.id, row]))
}
const none: Priced = { id: 0, title: '—', state: 'ended', price_cents: 0, settle_price_cents: 0 }
const shown = async (db: Db, rows: readonly Row[]): Promise<GoodsRow[]> => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.ref_id)
  const products = await productsOf(db, ids)
  const materials = grouped(
    await db
      .select({ product_id: dist_material.product_id })
      .from(dist_material)
      .where(inArray(dist_material.product_id, ids)),
    row => row.product_id,
  )
  return rows.map(row => {
    const of = products.get(row.ref_id) ?? none
    const margin = marginOf(of, row)
    return {
      ...row,
      name: of.title,
      on_sale: of.state === 'on_sale',
      price_cents: of.price_cents,
      settle_price_cents: of.settle_price_cents,
      seller_share_bp: row.rate_bp,
      fixed_share_cents: row.fixed_cents,
      level_shares: row.level_plus,
      leader_share_bp: row.leader_bp,
      guide_share_bp: row.guide_bp,
      kept_cents: margin.left_cents,
      kept_bp: margin.left_bp,
      materials: materials.get(row.ref_id)?.length ?? 0,
      mid: row.mall_id,
    }
  })
}
const list = listing(goods, { by: t.sort, where, shown })

const pricedOf = async (db: Db, row: Pick<Row, 'ref_id'>): Promise<Priced> => {
  const of = (await productsOf(db, [row.ref_id])).get(row.ref_id)
  if (!of) throw missing()
  return of
}
/** Refuses terms that leave nothing, at the field that was written, with the sum. */
const bearable = (context: WriteContext, of: Priced, terms: GoodsTerms, field?: string): void => {
  const wrong = termsFault(of, terms)
  if (wrong) faultless(context.staff, { [field ?? wrong.field]: wrong.fault })
}
/** Saves terms, once they leave something. */
const saved = async (
  context: WriteContext,
  was: Row,
  of: { values: Partial<Row>; field?: string; reason?: string },
) => {
  bearable(context, await pricedOf(context.tx, was), { ...was, ...of.values }, of.field)
  const after = await goods.save(context, was, of.values, of.reason)
  await tellProduct(context.tx, after)
  return after
}
const added = async (
  context: WriteContext,
  ref_id: number,
  of: { rate_bp: number; guide_bp: number; end_at?: number | undefined },
) => {
  const { tx, staff, now } = context
  const [one] = await tx
    .select()
    .from(product)
    .where(
      and(
        eq(product.id, ref_id),
        within(staff.scope, { city: product.city_id, mall: product.mall_id }),
      ),
    )
  if (!one) throw missing()
  if (one.state !== 'on_sale')
    throw ruled('not_on_sale', [
      '商品未上架，请先上架再加入分销',
      'It is not on sale: put it on sale first',
    ])
  const terms = {
    commission_kind: 'rate' as const,
    rate_bp: of.rate_bp,
    fixed_cents: 0,
    level_plus: {},
    leader_bp: null,
    guide_bp: of.guide_bp,
    waiver: '',
  }
  const wrong = termsFault(one, terms)
  if (wrong) throw ruled('margin', wrong.fault)
  const row = await unlessTaken(
    goods.add(context, {
      ...terms,
      ref_kind: 'product',
      ref_id,
      city_id: one.city_id,
      mall_id: one.mall_id,
      start_at: now,
      end_at: of.end_at ?? null,
      status: 'on',
      created_at: now,
    }),
    () =>
      ruled('distributed_already', [
        '商品已在分销列表中，请直接调整其佣金',
        'It is among the distributed goods: change its commission there',
      ]),
  )
  await tellProduct(tx, row)
}
const handlers = {
  lst: async (input, context) => {
    const { status: _, page: __, pageSize: ___, ...beyond } = input
    const counted = await context.db
      .select({ status: t.status, n: sql<number>`count(*)::int` })
      .from(t)
      .where(list.where(beyond as Filters, context))
      .groupBy(t.status)
    return {
      ...(await list.page(input as never, context)),
      stat: Object.fromEntries(counted.map(one => [one.status, one.n])),
    }
  },
  found: async ({ keyword, page, pageSize }, { db, staff }) => {
    const those = and(
      eq(product.state, 'on_sale'),
      keyword ? ilike(product.title, like(keyword)) : undefined,
      notExists(
        db
          .select({ id: t.id })
          .from(t)
          .where(and(eq(t.ref_kind, 'product'), eq(t.ref_id, product.id))),
      ),
      within(staff.scope, { city: product.city_id, mall: product.mall_id }),
    )
    const rows = await db
      .select({ id: product.id, name: product.title, price_cents: product.price_cents })
      .from(product)
      .where(those)
      .orderBy(asc(product.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, product, those)) }
  },
  add: ({ ref_ids, ...of }, context) => {
    if (of.end_at !== undefined && of.end_at <= context.now)
      faultless(context.staff, { end_at: ['结束时间须晚于现在', 'It ends later than now'] })
    return eachRow(context, ref_ids, (inside, id) => added(inside, id, of))
  },
  editRate: async ({ id, version, reason, ...values }, context) =>
    saved(context, await goods.heldFast(context, { id, version }), { values, reason }),
  setLevelPlus: async ({ level_plus, ...one }, context) =>
    saved(context, await goods.heldFast(context, one), {
      values: { level_plus: level_plus as Record<string, number> },
      field: 'level_plus',
    }),
  setLeader: async ({ leader_bp, ...one }, context) =>
    saved(context, await goods.heldFast(context, one), {
      values: { leader_bp },
      field: 'leader_bp',
    }),
  on: async (one, context) => {
    const was = await goods.heldFast(context, one)
    if (was.status === 'on') throw ruled('wrong_state', ['已在分销中', 'It is distributed already'])
    const of = await pricedOf(context.tx, was)
    if (of.state !== 'on_sale')
      throw ruled('not_on_sale', [
        '商品未上架，请先上架商品',
        'It is not on sale: put it on sale first',
      ])
    const wrong = termsFault(of, was)
    if (wrong) throw ruled('margin', wrong.fault)
    const over = was.end_at !== null && was.end_at <= context.now
    const after = await goods.save(context, was, {
      status: 'on',
      reason: '',
      ...(over && { end_at: null }),
    })
    await tellProduct(context.tx, after)
    return after
  },
  off: async ({ reason, ...one }, context) => {
    const was = await goods.heldFast(context, one)
    if (was.status !== 'on')
      throw ruled('wrong_state', ['没有在分销，无需下架', 'It is not distributed'])
    const after = await goods.save(context, was, { status: 'off', reason }, reason)
    await tellProduct(context.tx, after)
    return after
  },
  sort: async ({ sort, ...one }, context) =>
    goods.save(context, await goods.held(context, one), { sort }),
  batchRate: ({ ids, rate_bp, reason }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const was = await goods.lock(inside, id)
      const values = { commission_kind: 'rate' as const, rate_bp }
      const wrong = termsFault(await pricedOf(inside.tx, was), { ...was, ...values })
      if (wrong) throw ruled('margin', wrong.fault)
      await saved(inside, was, { values, reason })
    }),
  export: exporting(list, {
    page: 'distribution.index.product',
    title: ['分销商品', 'Distributed goods'],
    permit: contract.export.permit,
    columns: [
      { key: 'ref_id', title: ['商品编号', 'Product ID'], kind: 'number' },
      { key: 'name', title: ['商品', 'Product'] },
      { key: 'price_cents', title: ['售价', 'Price'], kind: 'money' },
      { key: 'commission', title: ['佣金', 'Commission'], field: 'product.commission_bp' },
      { key: 'leader', title: ['团长奖励', 'Leader'], field: 'product.commission_bp' },
      { key: 'guide', title: ['导购奖励', 'Guide'], field: 'product.commission_bp' },
      {
        key: 'kept_cents',
        title: ['剩余毛利', 'Margin'],
        kind: 'money',
        field: 'product.commission_bp',
      },
      { key: 'sold_count', title: ['分销销量', 'Sold'], kind: 'number' },
      { key: 'refunded_count', title: ['退款件数', 'Refunded'], kind: 'number' },
      { key: 'gmv_cents', title: ['分销销售额', 'Sales'], kind: 'money', field: 'stat.gmv_cents' },
      { key: 'materials', title: ['素材数', 'Materials'], kind: 'number' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'start_at', title: ['开始时间', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束时间', 'Until'], kind: 'time' },
    ],
    words: ({ status, keyword }, lang) => [status && say(distributedStates[status], lang), keyword],
    cells: (row, { lang }) => ({
      ...row,
      commission:
        row.commission_kind === 'fixed'
          ? `${say(commissionKinds.fixed, lang)} ${yuan(row.fixed_share_cents ?? 0)}`
          : percent(row.seller_share_bp ?? 0),
      leader:
        row.leader_share_bp == null
          ? say(['按团队', 'as the team'], lang)
          : percent(row.leader_share_bp),
      guide: percent(row.guide_share_bp ?? 0),
      status: say(distributedStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const distributedServer = implement(contract, handlers)

defineTimer('distribution.ends', '*/5 * * * *', async ({ database, now }) =>
  (await database.transaction(tx => endDistributed(tx, now))) > 0 ? ['dist_product'] : [],
)
