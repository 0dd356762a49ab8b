import { and, asc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { needLeave } from '#src/areas/brand/binding.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import {
  authorisationAt,
  authorisations,
  brandStates,
  crowdedCity,
  EXPIRES_SOON_S,
  initialOf,
  LAST,
  RECOMMENDED_MOST,
} from '#src/areas/brand/brand.ts'
import {
  categoryNames,
  cityNames,
  figuresOf,
  giveAll,
  hasTwin,
  leavesOf,
  lockRecommended,
  recommendedNow,
  twinsOf,
  usesOf,
  type Brand,
} from '#src/areas/brand/brands.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { needAllCities } from '#src/areas/place/places.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Sent } from '#src/contract/call.ts'
import { joined, say, type Text } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  arrange,
  equal,
  exporting,
  faultless,
  holding,
  listing,
  reverting,
  unlessTaken,
} from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { inputOf, way } from '#src/server/call/reverts.ts'
import { latinOf } from '#src/server/db/pinyin.ts'
import { brands as contract } from '../contract/index.ts'
import { judgeBrands } from './importing.ts'
import { picks } from './picks.ts'
import { brands, edited } from './rows.ts'

type Fields = Pick<
  Brand,
  'name' | 'en_name' | 'initial' | 'logo' | 'category_id' | 'company' | 'city_ids'
> & {
  auth_category_ids: number[]
  auth_end_at?: number | undefined
}
type Filters = {
  keyword?: string | undefined
  state?: Brand['state'] | undefined
  authorisation?: 'soon' | 'ended' | undefined
  recommended?: boolean | undefined
  alike?: boolean | undefined
}

const authorised = (how: 'soon' | 'ended', now: number): SQL | undefined =>
  how === 'ended'
    ? lte(brand.auth_end_at, now)
    : and(gt(brand.auth_end_at, now), lte(brand.auth_end_at, now + EXPIRES_SOON_S))
const list = listing(brands, {
  by: brand.sort,
  where: ({ keyword, authorisation, alike, ...filters }: Filters, { now }) =>
    and(
      holding(keyword, [brand.name, brand.en_name, brand.company], brand.id),
      authorisation && authorised(authorisation, now),
      alike === undefined ? undefined : eq(hasTwin, alike),
      equal(brand, filters),
    ),
  shown: async (db, rows, { staff, now }) => {
    const ids = rows.map(row => row.id)
    const targets = rows.flatMap(row => row.merged_into ?? [])
    const [figures, twins, leaves, categories, cities, merged] = await Promise.all([
      figuresOf(db, ids, { staff, now }),
      twinsOf(db, ids),
      leavesOf(db, ids),
      categoryNames(
        db,
        rows.flatMap(row => [row.category_id, ...(row.auth_category_ids ?? [])]),
      ),
      cityNames(
        db,
        rows.flatMap(row => row.city_ids),
      ),
      db.select({ id: brand.id, name: brand.name }).from(brand).where(inArray(brand.id, targets)),
    ])
    return rows.map(row => ({
      ...row,
      ...figures.get(row.id)!,
      category_name: categories.get(row.category_id) ?? '',
      auth_category_names: (row.auth_category_ids ?? []).map(id => categories.get(id) ?? `#${id}`),
      authorisation: authorisationAt(row, now),
      leaves: leaves.get(row.id) ?? [],
      city_names: row.city_ids.map(id => cities.get(id) ?? `#${id}`),
      twins: twins.get(row.id)?.map(({ id, name }) => ({ id, name })) ?? [],
      merged_into: merged.find(one => one.id === row.merged_into) ?? null,
    }))
  },
})
/** What a row holds of a form: its categories and cities are there. */
const columnsOf = async (
  { tx, staff }: WriteContext,
  { initial, auth_category_ids, auth_end_at, ...of }: Fields,
) => {
  const [categories, cities] = await Promise.all([
    categoryNames(tx, [of.category_id, ...auth_category_ids]),
    cityNames(tx, of.city_ids),
  ])
  const isThere = (id: number) => categories.has(id)
  faultless(staff, {
    category_id: isThere(of.category_id) ? undefined : ['分类不存在', 'There is no such category'],
    auth_category_ids: auth_category_ids.every(isThere)
      ? undefined
      : ['有分类不存在', 'One of them does not exist'],
    auth_end_at:
      auth_end_at !== undefined && auth_category_ids.length === 0
        ? ['请先选择授权分类', 'Choose what it is authorised for']
        : undefined,
    city_ids: of.city_ids.every(id => cities.has(id))
      ? undefined
      : ['有城市不存在', 'One of them does not exist'],
  })
  return {
    ...of,
    initial: initial || initialOf(latinOf(of.name)),
    auth_category_ids: auth_category_ids.length > 0 ? auth_category_ids : null,
    auth_end_at: auth_end_at ?? null,
  }
}
/** Refuses a name that is taken; one that is merged keeps its name, too. */
const once = <T>({ staff }: WriteContext, { name }: Fields, run: Promise<T>): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'name_exists',
      [
        '已有同名的品牌，已合并的品牌也保留名称',
        'There is a brand of that name; merged ones keep theirs',
      ],
      {},
      { fields: { name: say(['已存在：{name}', 'Taken: {name}'], staff.lang, { name }) } },
    ),
  )
/** A merged brand only leads to another: this refuses every change of it. */
const standing = (row: Brand): Brand => {
  if (row.state === 'merged')
    throw ruled('merged', ['该品牌已合并，不能再修改', 'It is merged and changes no more'])
  return row
}
const held = async (context: WriteContext, one: { id: number; version: number }) =>
  standing(await brands.heldFast(context, one))
/** A brand that things may be given to. */
const inUse = async (context: WriteContext, id: number): Promise<Brand> => {
  const row = standing(await brands.lock(context, id))
  if (row.state !== 'on')
    throw ruled('disabled', ['品牌已停用，请先启用', 'It is disabled: enable it first'])
  return row
}
/** Every city has room for one more recommended brand. */
const roomIn = async (context: WriteContext, all: readonly Brand[], row: Brand): Promise<void> => {
  const crowded = crowdedCity(all, row)
  if (crowded === undefined) return
  const names = await cityNames(context.tx, [crowded])
  throw ruled(
    'too_many',
    [
      '{place}已有 {n} 个推荐品牌，请先取消一个',
      '{place} has {n} recommended brands: take one away first',
    ],
    {
      place: names.get(crowded) ?? say(['全国', 'The country'], context.staff.lang),
      n: RECOMMENDED_MOST,
    },
  )
}
type Bound = {
  of: typeof store | typeof product
  name: typeof store.name | typeof product.title
  ids: readonly number[]
  what: Text
}
/**
 * Gives a brand to what has none; refused whole where one of them has, with its name and whose it
 * is.
 */
const bind = async (context: WriteContext, id: number, { of, name, ids, what }: Bound) => {
  const { tx, staff, now } = context
  const row = await inUse(context, id)
  const found = await tx
    .select({ id: of.id, name, brand_id: of.brand_id })
    .from(of)
    .where(inArray(of.id, [...ids]))
    .orderBy(asc(of.id))
    .for('update')
  const taken = found.find(one => one.brand_id !== null)
  if (taken) {
    const [theirs] = await tx.select().from(brand).where(eq(brand.id, taken.brand_id!))
    throw ruled(
      'has_brand',
      ['{what}“{name}”已属于品牌“{brand}”', '{what} “{name}” is of the brand “{brand}”'],
      { what: say(what, staff.lang), name: taken.name, brand: theirs?.name ?? '' },
    )
  }
  await tx
    .update(of)
    .set({ brand_id: id, version: sql`${of.version} + 1`, updated_at: now })
    .where(inArray(of.id, [...ids]))
  brands.log(context, row, { before: null, after: { bound: found.map(one => one.name) } })
  return { id, bound: found.length }
}

const handlers = {
  lst: list.page,
  ...picks,
  create: async (fields, context) =>
    once(
      context,
      fields,
      brands.add(context, { ...(await columnsOf(context, fields)), state: 'on' }),
    ),
  edit: async ({ id, version, ...fields }, context) => {
    await lockRecommended(context.tx)
    const was = await held(context, { id, version })
    const columns = await columnsOf(context, fields)
    if (was.recommended)
      await roomIn(context, await recommendedNow(context.tx), { ...was, ...columns })
    return once(context, fields, brands.save(context, was, columns))
  },
  batchImport: async ({ text, mode }, context) => {
    const judged = await judgeBrands(context, text)
    const good = judged.filter(one => one.faults.length === 0)
    const writes = mode === 'good' || (mode === 'all' && good.length === judged.length) ? good : []
    for (const { line, category_id } of writes) {
      const { name, en_name, company } = line
      const initial = initialOf(latinOf(name))
      const values = { name, en_name, company, initial, category_id: category_id! }
      await brands.add(context, { ...values, state: 'on' })
    }
    return {
      written: writes.length,
      rows: judged.map(({ line, faults }) => ({
        line: line.line,
        name: line.name,
        category: line.category,
        faults: faults.map(fault => say(fault, context.staff.lang)),
      })),
    }
  },
  merge: async ({ target_id, reason, ...one }, context) => {
    needAllCities(context.staff)
    if (target_id === one.id)
      throw ruled('same_brand', ['请选择另一个品牌', 'Choose another brand'])
    await lockRecommended(context.tx)
    const was = await held(context, one)
    const target = await inUse(context, target_id)
    const given = await giveAll(context.tx, was.id, target.id, context.now)
    await brands.set(context, target, { followers: target.followers + was.followers })
    brands.log(context, target, {
      before: null,
      after: { followers: target.followers + was.followers, merged_from: was.name, ...given },
      reason,
    })
    const after = await brands.save(
      context,
      was,
      { state: 'merged', merged_into: target.id, recommended: false, sort: LAST, followers: 0 },
      reason,
    )
    return { ...after, ...given }
  },
  setRecommend: async (one, context) => {
    await lockRecommended(context.tx)
    const was = await held(context, one)
    if (was.recommended) throw ruled('wrong_state', ['已是推荐品牌', 'Already recommended'])
    if (was.state !== 'on') throw ruled('disabled', ['请先启用，再设为推荐', 'Enable it first'])
    const all = await recommendedNow(context.tx)
    await roomIn(context, all, was)
    return brands.save(context, was, { recommended: true, sort: (all.at(-1)?.sort ?? -1) + 1 })
  },
  cancelRecommend: async (one, context) => {
    await lockRecommended(context.tx)
    const was = await held(context, one)
    if (!was.recommended) throw ruled('wrong_state', ['不是推荐品牌', 'Not recommended'])
    return brands.save(context, was, { recommended: false, sort: LAST })
  },
  sort: async (asked, { tx, log }) => {
    await lockRecommended(tx)
    const before = (await recommendedNow(tx)).map(one => one.id)
    const { order, list_version } = await arrange(tx, asked, before, {
      sets: brand.sort,
      by: brand.id,
    })
    log({
      object_type: 'brand',
      object_id: 0,
      object_label: joined(['推荐品牌顺序', 'Order of chosen brands']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  bindStores: async ({ id, store_ids }, context) => {
    const { tx, now } = context
    const asked = await tx.select().from(store).where(inArray(store.id, store_ids))
    await needLeave(tx, await brands.read(tx, context.staff, id), asked, now)
    return bind(context, id, {
      of: store,
      name: store.name,
      ids: store_ids,
      what: ['门店', 'Store'],
    })
  },
  bindGoods: async ({ id, product_ids }, context) =>
    bind(context, id, {
      of: product,
      name: product.title,
      ids: product_ids,
      what: ['商品', 'Product'],
    }),
  enable: async (one, context) => {
    const was = await held(context, one)
    if (was.state === 'on') throw ruled('wrong_state', ['已启用', 'It is enabled'])
    return brands.save(context, was, { state: 'on' })
  },
  disable: async ({ reason, ...one }, context) => {
    await lockRecommended(context.tx)
    const was = await held(context, one)
    if (was.state === 'off') throw ruled('wrong_state', ['已停用', 'It is disabled'])
    return brands.save(context, was, { state: 'off', recommended: false, sort: LAST }, reason)
  },
  del: async (one, context) => {
    const was = await held(context, one)
    const { stores, goods, merged } = await usesOf(context.tx, was.id)
    if (stores + goods + merged > 0)
      throw ruled(
        'in_use',
        [
          '有 {stores} 家门店、{goods} 件商品、{merged} 个已并入的品牌在使用，不能删除；可停用或合并',
          '{stores} stores, {goods} products and {merged} merged brands name it: disable or merge it instead',
        ],
        { stores, goods, merged },
      )
    return brands.remove(context, was)
  },
  export: exporting(list, {
    page: 'brand.index',
    title: ['品牌库', 'Brands'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'name', title: ['品牌', 'Brand'] },
      { key: 'en_name', title: ['英文名', 'English name'] },
      { key: 'initial', title: ['首字母', 'Letter'] },
      { key: 'category_name', title: ['分类', 'Category'] },
      { key: 'company', title: ['公司', 'Company'] },
      { key: 'authorisation', title: ['授权', 'Authorisation'] },
      { key: 'auth_end_at', title: ['授权到期', 'Authorised until'], kind: 'time' },
      { key: 'stores', title: ['门店', 'Stores'], kind: 'number' },
      { key: 'goods', title: ['在售商品', 'On sale'], kind: 'number' },
      { key: 'followers', title: ['关注', 'Followers'], kind: 'number' },
      {
        key: 'gmv_30d_cents',
        title: ['30 天成交额', 'GMV, 30 d'],
        kind: 'money',
        field: 'stat.gmv_cents',
      },
      { key: 'state', title: ['状态', 'State'] },
    ],
    words: ({ keyword, state, authorisation, recommended, alike }, lang) => [
      state && say(brandStates[state], lang),
      authorisation && say(authorisations[authorisation], lang),
      recommended && say(['推荐', 'Recommended'], lang),
      alike && say(['疑似重复', 'Alike'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      id: row.id,
      name: row.name,
      en_name: row.en_name,
      initial: row.initial,
      category_name: row.category_name,
      company: row.company,
      authorisation: say(authorisations[row.authorisation], lang),
      auth_end_at: row.auth_end_at,
      stores: row.stores,
      goods: row.goods,
      followers: row.followers,
      gmv_30d_cents: row.gmv_30d_cents,
      state: say(brandStates[row.state], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

// A brand without an authorisation has none to send back.
const asEdited = inputOf<Sent<typeof contract.edit>>(
  Object.fromEntries(edited.map(key => [key, key])),
)
reverting(brands, [way(contract.edit, handlers.edit, edited, asEdited)])

export const brandsServer = implement(contract, handlers)
