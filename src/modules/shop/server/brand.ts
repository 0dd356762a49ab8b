import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { brand_ignored } from '#src/areas/brand/authorisation.table.ts'
import { isBrandless, needLeave, suggestedFor } from '#src/areas/brand/binding.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import type { Brand } from '#src/areas/brand/brands.server.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { exporting, holding, listing } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { shopBrand as contract } from '../contract/brand.ts'

type One = { id: number; version: number }
type Filters = {
  show: 'free' | 'bound'
  brand_id?: number | undefined
  keyword?: string | undefined
}
/** The most stores without a brand whose names are compared at a time. */
const COMPARED_MOST = 20_000
const standing = ne(store.status, 'closed')

/** What stands beside stores: names of their merchant, place and brand. */
const besideOf = async (db: Db, ids: readonly number[]) => {
  const rows = await db
    .select({
      id: store.id,
      merchant_name: merchant.name,
      city_name: city.city_name,
      mall_name: sql<string>`coalesce(${mall.name}, '')`,
      brand_name: brand.name,
      brand_state: brand.state,
    })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .innerJoin(city, eq(city.id, store.city_id))
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .leftJoin(brand, eq(brand.id, store.brand_id))
    .where(inArray(store.id, [...ids]))
  return new Map(rows.map(row => [row.id, row]))
}
const shown = async (db: Db, rows: readonly Store[], now: number) => {
  const beside = await besideOf(
    db,
    rows.map(row => row.id),
  )
  const isFree = (row: Store) => row.brand_id === null || beside.get(row.id)?.brand_state !== 'on'
  const suggested = await suggestedFor(db, rows.filter(isFree), now)
  return rows.map(row => {
    const { merchant_name, city_name, mall_name, brand_name, brand_state } = beside.get(row.id)!
    return {
      id: row.id,
      name: row.name,
      version: row.version,
      status: row.status,
      merchant_name,
      city_name,
      mall_name,
      brand:
        row.brand_id === null
          ? null
          : { id: row.brand_id, name: brand_name ?? '', is_on: brand_state === 'on' },
      suggestion: suggested.get(row.id) ?? null,
    }
  })
}
const list = listing(stores, {
  by: store.id,
  down: true,
  where: ({ show, brand_id, keyword }: Filters) =>
    and(
      standing,
      show === 'free' ? isBrandless : eq(store.brand_id, brand_id ?? 0),
      holding(keyword, [store.name], store.id),
    ),
  shown: (db, rows, { now }) => shown(db, rows, now),
})
/** The stores of a person's data for which a brand is suggested, the newest first. */
const allSuggested = async (
  db: Db,
  keyword: string | undefined,
  { staff, now }: { staff: Staff; now: number },
) => {
  const free = await db
    .select({ id: store.id, name: store.name, merchant_id: store.merchant_id })
    .from(store)
    .where(list.where({ show: 'free', keyword }, { staff, now }))
    .orderBy(sql`${store.id} desc`)
    .limit(COMPARED_MOST)
  return suggestedFor(db, free, now)
}

/** A brand that stores may be given, held. */
const inUse = async (tx: Db, id: number): Promise<Brand> => {
  const [row] = await tx.select().from(brand).where(eq(brand.id, id)).for('update')
  if (!row) throw missing()
  if (row.state !== 'on')
    throw ruled('disabled', ['品牌已停用或已合并', 'The brand is off or merged'])
  return row
}
const nameOf = async (tx: Db, id: number): Promise<Brand | undefined> =>
  (await tx.select().from(brand).where(eq(brand.id, id)))[0]
/** Gives a store a brand, where it has none in use and its merchant may use it; tells what it had. */
const give = async (context: WriteContext, of: Brand, one: One) => {
  const { tx, now } = context
  const row = await stores.heldFast(context, one)
  const had = row.brand_id === null ? undefined : await nameOf(tx, row.brand_id)
  if (had?.state === 'on')
    throw ruled(
      'has_brand',
      ['“{name}”已属于品牌“{brand}”，请先解除', '“{name}” is of “{brand}”: take that away first'],
      { name: row.name, brand: had.name },
    )
  await needLeave(tx, of, [row], now)
  const { version } = await stores.save(context, row, { brand_id: of.id })
  return { id: row.id, version, was: row.brand_id }
}
type Giving = One & { brand_id: number }
/** Gives each of several stores its brand, with what each had before. */
const giveEach = async (
  context: WriteContext,
  asked: readonly Giving[],
  run: (row: WriteContext, one: Giving) => ReturnType<typeof give>,
) => {
  const of = new Map(asked.map(one => [one.id, one]))
  const given: { id: number; was: number | null }[] = []
  const result = await eachRow(context, [...of.keys()], async (row, id) => {
    const { was } = await run(row, of.get(id)!)
    given.push({ id, was })
  })
  return { ...result, given: given.filter(one => result.ok.includes(one.id)) }
}
/** Gives stores the brands that are suggested for them now; another one is refused. */
const accepting = async ({ tx, staff, now }: WriteContext, ids: readonly number[]) => {
  const rows = await tx
    .select()
    .from(store)
    .where(and(inArray(store.id, [...ids]), stores.seen(staff)))
  const suggested = await suggestedFor(tx, rows, now)
  return async (context: WriteContext, { brand_id, ...one }: Giving) => {
    if (suggested.get(one.id)?.id !== brand_id)
      throw ruled('not_suggested', ['建议已变化，请重新查看', 'The suggestion changed: look again'])
    return give(context, await inUse(context.tx, brand_id), one)
  }
}

const handlers = {
  brands: async ({ page, pageSize, keyword }, { db, staff, now }) => {
    const found = await db
      .select({
        id: brand.id,
        name: brand.name,
        en_name: brand.en_name,
        logo: brand.logo,
        company: brand.company,
      })
      .from(brand)
      .where(and(eq(brand.state, 'on'), holding(keyword, [brand.name, brand.en_name], brand.id)))
      .orderBy(asc(brand.sort), asc(brand.id))
    const counted = await db
      .select({ id: store.brand_id, n: sql<number>`count(*)::int` })
      .from(store)
      .where(and(standing, gt(store.brand_id, 0), stores.seen(staff)))
      .groupBy(store.brand_id)
    const count = new Map(counted.map(row => [row.id, row.n]))
    const suggested = grouped(
      [...(await allSuggested(db, undefined, { staff, now })).values()],
      one => one.id,
    )
    return {
      list: found.slice((page - 1) * pageSize, page * pageSize).map(row => ({
        ...row,
        stores: count.get(row.id) ?? 0,
        suggested: suggested.get(row.id)?.length ?? 0,
      })),
      total: found.length,
    }
  },
  stores: async ({ show, brand_id, ...asked }, context) => {
    const { db, staff, now } = context
    const of = brand_id === undefined ? undefined : await nameOf(db, brand_id)
    const chosen = of ? { id: of.id, name: of.name } : null
    const beside = <R extends object>(rows: readonly R[]) => rows.map(row => ({ ...row, chosen }))
    if (show !== 'suggested') {
      const { list: rows, ...rest } = await list.page({ show, brand_id, ...asked }, context)
      return { list: beside(rows), ...rest }
    }
    const { page, pageSize, keyword } = asked
    const ids = [...(await allSuggested(db, keyword, { staff, now })).keys()]
    const here = ids.slice((page - 1) * pageSize, page * pageSize)
    const rows = await db
      .select()
      .from(store)
      .where(inArray(store.id, here))
      .orderBy(sql`${store.id} desc`)
    return { list: beside(await shown(db, rows, now)), total: ids.length }
  },
  counts: async (_, { db, staff, now }) => {
    const [free] = await db
      .select({ n: sql<number>`count(*)::int` })
      .from(store)
      .where(list.where({ show: 'free' }, { staff, now }))
    return {
      free: free!.n,
      suggested: (await allSuggested(db, undefined, { staff, now })).size,
    }
  },
  pick: async ({ page, pageSize, keyword }, { db }) => {
    const found = await db
      .select({ id: brand.id, name: brand.name, company: brand.company })
      .from(brand)
      .where(and(eq(brand.state, 'on'), holding(keyword, [brand.name, brand.en_name], brand.id)))
      .orderBy(asc(brand.sort), asc(brand.id))
    return { list: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
  },
  bind: async ({ stores: asked, brand_id }, context) => {
    const of = await inUse(context.tx, brand_id)
    return giveEach(
      context,
      asked.map(one => ({ ...one, brand_id })),
      (row, one) => give(row, of, one),
    )
  },
  unbind: async ({ stores: asked, reason }, context) => {
    const of = new Map(asked.map(one => [one.id, one]))
    return eachRow(context, [...of.keys()], async (row, id) => {
      const was = await stores.heldFast(row, of.get(id)!)
      if (was.brand_id === null) throw ruled('wrong_state', ['没有归属品牌', 'No brand assigned'])
      await stores.save(row, was, { brand_id: null }, reason)
    })
  },
  acceptSuggestion: async (asked, context) =>
    (await accepting(context, [asked.id]))(context, asked),
  batchAccept: async ({ stores: asked }, context) =>
    giveEach(
      context,
      asked,
      await accepting(
        context,
        asked.map(one => one.id),
      ),
    ),
  ignoreSuggestion: async ({ id, brand_id }, context) => {
    const row = await stores.read(context.tx, context.staff, id)
    const of = await nameOf(context.tx, brand_id)
    if (!of) throw missing()
    await context.tx
      .insert(brand_ignored)
      .values({ store_id: id, brand_id, admin_id: context.staff.id })
      .onConflictDoNothing()
    stores.log(context, row, { before: null, after: { brand_aside: of.name } })
    return { id }
  },
  recall: async ({ id, brand_id }, context) => {
    const row = await stores.read(context.tx, context.staff, id)
    const of = await nameOf(context.tx, brand_id)
    await context.tx
      .delete(brand_ignored)
      .where(and(eq(brand_ignored.store_id, id), eq(brand_ignored.brand_id, brand_id)))
    stores.log(context, row, { before: { brand_aside: of?.name ?? '' }, after: null })
    return { id }
  },
  takeBack: async ({ stores: asked }, context) => {
    const of = new Map(asked.map(one => [one.id, one]))
    return eachRow(context, [...of.keys()], async (row, id) => {
      const { brand_id, was } = of.get(id)!
      const now = await stores.lock(row, id)
      if (now.brand_id !== brand_id)
        throw ruled('changed', ['之后又有变化，不能撤销', 'It changed since'])
      await stores.save(row, now, { brand_id: was ?? null })
    })
  },
  export: exporting(list, {
    page: 'shop.brand',
    title: ['品牌门店归属', 'Brands of stores'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'name', title: ['门店', 'Store'] },
      { key: 'merchant', title: ['商户', 'Merchant'] },
      { key: 'city', title: ['城市', 'City'] },
      { key: 'mall', title: ['商场', 'Mall'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'brand', title: ['品牌', 'Brand'] },
      { key: 'suggestion', title: ['建议品牌', 'Suggested'] },
      { key: 'percent', title: ['相似度（%）', 'Alike, %'], kind: 'number' },
    ],
    words: ({ show, keyword }, lang) => [
      say(show === 'free' ? ['无品牌', 'Without a brand'] : ['已归属', 'With a brand'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      id: row.id,
      name: row.name,
      merchant: row.merchant_name,
      city: row.city_name,
      mall: row.mall_name,
      status: say(storeStates[row.status], lang),
      brand: row.brand?.name ?? '',
      suggestion: row.suggestion?.name ?? '',
      percent: row.suggestion?.percent ?? null,
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shopBrandServer = implement(contract, handlers)
