import { and, asc, eq, exists, gt, ilike, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import QRCode from 'qrcode'
import { dist_product } from '#src/areas/commission/commission.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { sells } from '#src/areas/distribution/sellers.ts'
import { forgetHits } from '#src/areas/material/hits.server.ts'
import { dist_material as t } from '#src/areas/material/material.table.ts'
import {
  ENDING,
  isOutdated,
  materialKinds,
  materialStates,
  otherPrices,
  type MaterialKind,
  type MaterialState,
} from '#src/areas/material/material.ts'
import {
  columnsOf,
  endMaterials,
  forMall,
  heldMaterial,
  materialRows,
  outdatedSql,
  publishable,
  sizeOf,
  type Material,
} from '#src/areas/material/materials.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, holding, listing } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { materials as contract, type MaterialRow } from '../contract/material.ts'

type Filters = {
  keyword?: string
  status?: MaterialState
  kind?: MaterialKind
  mid?: number
  product_id?: number
  outdated?: boolean
  ending?: boolean
}
const ofGoods = (keyword: string): SQL =>
  sql`${t.product_id} in (select ${product.id} from ${product} where ${ilike(product.title, like(keyword))})`
const where = (
  { keyword, mid, outdated, ending, ...same }: Filters,
  { now }: { now: number },
): SQL | undefined =>
  and(
    equal(t, same),
    keyword ? or(holding(keyword, [t.title], t.id), ofGoods(keyword)) : undefined,
    mid === undefined ? undefined : forMall(mid),
    outdated ? outdatedSql : undefined,
    ending ? and(eq(t.status, 'on'), gt(t.end_at, now), lte(t.end_at, now + ENDING)) : undefined,
  )
const shown = async (db: Db, rows: readonly Material[]): Promise<MaterialRow[]> => {
  if (rows.length === 0) return []
  const goods = await db
    .select({
      id: product.id,
      title: product.title,
      state: product.state,
      price_cents: product.price_cents,
      list_price_cents: product.list_price_cents,
      group_price_cents: product.group_price_cents,
    })
    .from(product)
    .where(inArray(product.id, [0, ...rows.flatMap(row => row.product_id ?? [])]))
  const malls = await db
    .select({ id: mall.id, name: mall.name })
    .from(mall)
    .where(inArray(mall.id, [0, ...rows.flatMap(row => row.mall_ids)]))
  const goodsOf = new Map(goods.map(one => [one.id, one]))
  const nameOf = new Map(malls.map(one => [one.id, one.name]))
  return rows.map(row => {
    const of = row.product_id === null ? undefined : goodsOf.get(row.product_id)
    return {
      ...row,
      product_name: of?.title ?? '',
      on_sale: of === undefined || of.state === 'on_sale',
      price_cents: of?.price_cents ?? null,
      mall_names: row.mall_ids.map(id => nameOf.get(id) ?? `#${id}`),
      outdated: of && isOutdated(row, of) ? otherPrices(row.printed_cents, of) : [],
    }
  })
}
const list = listing(materialRows, { by: t.sort, where, shown })

const refused = (zh: string, en: string) => ruled('wrong_state', [zh, en])
/** Takes published material off; what it brought so far stays. */
const takeOff = (context: WriteContext, was: Material, reason: string) => {
  if (was.status !== 'on') throw refused('素材没有发布，无需下线', 'It is not published')
  return materialRows.save(context, was, { status: 'off', reason }, reason)
}
const COPIED = ' 副本'
const distributed = (db: Db) =>
  exists(
    db
      .select({ id: dist_product.id })
      .from(dist_product)
      .where(
        and(
          eq(dist_product.ref_kind, 'product'),
          eq(dist_product.ref_id, product.id),
          eq(dist_product.status, 'on'),
        ),
      ),
  )
/** The QR of a text as the address of its picture. */
const codeOf = async (link: string): Promise<string> => {
  const svg = await QRCode.toString(link, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
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
  products: async ({ keyword, page, pageSize }, { db, staff }) => {
    const those = and(
      eq(product.state, 'on_sale'),
      keyword ? ilike(product.title, like(keyword)) : undefined,
      distributed(db),
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
  sellers: async ({ keyword, page, pageSize }, { db, staff }) => {
    const those = and(
      eq(distributor.status, 'active'),
      holding(keyword, [distributor.name, distributor.invite_code], distributor.id),
      within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
    )
    const rows = await db
      .select({
        id: distributor.id,
        name: distributor.name,
        invite_code: distributor.invite_code,
      })
      .from(distributor)
      .where(those)
      .orderBy(asc(distributor.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, distributor, those)) }
  },
  create: async (fields, context) =>
    materialRows.add(context, {
      ...(await columnsOf(context, fields)),
      status: 'draft',
      created_at: context.now,
    }),
  edit: async ({ id, version, ...fields }, context) => {
    const was = await heldMaterial(context, { id, version })
    const columns = await columnsOf(context, fields)
    const isSame =
      columns.product_id === was.product_id &&
      columns.printed_cents.join() === was.printed_cents.join()
    // Other prices, or other goods: what was confirmed is asked anew.
    const next = {
      ...columns,
      confirmed_cents: isSame ? was.confirmed_cents : null,
      price_confirmed_at: isSame ? was.price_confirmed_at : null,
    }
    if (was.status === 'on') await publishable(context, next, false)
    return materialRows.save(context, was, next)
  },
  publish: async ({ confirm_price, ...one }, context) => {
    const was = await heldMaterial(context, one)
    if (was.status === 'on') throw refused('素材已发布', 'It is published already')
    const confirmed_cents = await publishable(context, was, confirm_price)
    return materialRows.save(context, was, {
      status: 'on',
      reason: '',
      ...(confirmed_cents !== undefined && {
        confirmed_cents,
        price_confirmed_at: context.now,
      }),
    })
  },
  offline: async ({ reason, ...one }, context) =>
    takeOff(context, await heldMaterial(context, one), reason),
  sort: async ({ sort, ...one }, context) =>
    materialRows.save(context, await heldMaterial(context, one), { sort }),
  copy: async (one, context) => {
    const was = await materialRows.held(context, one)
    const { title, kind, product_id, files, code_area, content, mall_ids, start_at, end_at } = was
    const same = { kind, product_id, files, code_area, content, mall_ids, start_at, end_at }
    return materialRows.add(context, {
      ...same,
      title: `${[...title].slice(0, 30 - COPIED.length).join('')}${COPIED}`,
      printed_cents: was.printed_cents,
      sort: was.sort,
      status: 'draft',
      created_at: context.now,
    })
  },
  testPoster: async ({ id, distributor_id }, { tx, staff }) => {
    const row = await materialRows.read(tx, staff, id)
    const picture = row.files[0]
    if (row.kind !== 'poster' || !row.code_area || picture === undefined)
      throw ruled('no_code_area', [
        '只有设好二维码区域的海报可以预览',
        'Only a poster with a place for the code can be previewed',
      ])
    const [seller] = await tx
      .select()
      .from(distributor)
      .where(
        and(
          eq(distributor.id, distributor_id),
          within(staff.scope, { city: distributor.city_id, mall: distributor.mall_id }),
        ),
      )
    if (!seller) throw missing()
    if (!sells(seller))
      throw refused('只有正常的分销员有专属海报', 'Only an active seller has posters')
    const at = row.product_id === null ? 'index' : 'product/detail'
    const of = row.product_id === null ? '' : `id=${row.product_id}&`
    const link = `/pages/${at}?${of}seller=${seller.invite_code}`
    return {
      title: row.title,
      seller: seller.name,
      invite_code: seller.invite_code,
      picture,
      ...(await sizeOf(tx, picture)),
      area: row.code_area,
      code: await codeOf(link),
      link,
    }
  },
  batchOffline: ({ ids, reason }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const { version } = await materialRows.lock(inside, id)
      await takeOff(inside, await heldMaterial(inside, { id, version }), reason)
    }),
  export: exporting(list, {
    page: 'distribution.material',
    title: ['推广素材效果', 'What materials brought'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'title', title: ['标题', 'Title'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'product_name', title: ['商品', 'Product'] },
      { key: 'malls', title: ['适用商场', 'Malls'] },
      { key: 'view_count', title: ['浏览', 'Views'], kind: 'number' },
      { key: 'download_count', title: ['下载', 'Downloads'], kind: 'number' },
      { key: 'share_count', title: ['分享', 'Shares'], kind: 'number' },
      { key: 'order_count', title: ['带来订单', 'Orders'], kind: 'number' },
      { key: 'prices', title: ['过期价格', 'Outdated prices'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'start_at', title: ['开始时间', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束时间', 'Until'], kind: 'time' },
    ],
    words: ({ status, kind, keyword }, lang) => [
      status && say(materialStates[status], lang),
      kind && say(materialKinds[kind], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      id: row.id,
      title: row.title,
      kind: say(materialKinds[row.kind], lang),
      product_name: row.product_name,
      malls: row.mall_names.join(say(comma, lang)) || say(['全部商场', 'All malls'], lang),
      view_count: row.view_count,
      download_count: row.download_count,
      share_count: row.share_count,
      order_count: row.order_count,
      prices: row.outdated.map(one => yuan(one)).join(say(comma, lang)),
      status: say(materialStates[row.status], lang),
      start_at: row.start_at,
      end_at: row.end_at,
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const materialServer = implement(contract, handlers)

defineTimer('distribution.hits', '15 4 * * *', async ({ database, now }) => {
  await forgetHits(database.db, now)
  return []
})
defineTimer('distribution.materials', '* * * * *', async ({ database, now }) =>
  (await database.transaction(tx => endMaterials(tx, now))) > 0 ? ['dist_material'] : [],
)
