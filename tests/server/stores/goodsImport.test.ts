import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { product, product_sku } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import { goods as calls } from '#src/modules/stores/contract/goods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { csvFile, exported, importer } from '../../help/imports.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['stores.goods.*'] })
})
const by = (token: string) =>
  importer(
    input => send(app, calls.readImport, input, { token }),
    input => send(app, calls.import, input, { token }),
  )
const tried = async (...lines: (string | number)[][]) =>
  (await by(me.token).tried(csvFile([head, ...lines.map(cells => cells.map(String))]))).lines
const sent = (lines: Awaited<ReturnType<typeof tried>>) =>
  by(me.token).sent(lines, { reason: '旺季调价' })
const head = ['商品编号', '规格编码', '售价', '可售库存', '每人限购', '排序']
let made = 0
/** Shipped goods of a test's own, with two variants. */
const fresh = () =>
  database.transaction(async tx => {
    const { item } = await freshProduct(tx, 'elist')
    await tx.delete(product_sku).where(eq(product_sku.product_id, item.id))
    const skus = await tx
      .insert(product_sku)
      .values(
        ['红', '蓝'].map(name => ({
          product_id: item.id,
          code: `IMQ${++made}`,
          name,
          price_cents: item.price_cents,
          stock: 10,
        })),
      )
      .returning()
    return { item, skus }
  })
const of = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const skuOf = async (id: number) =>
  (await database.db.select().from(product_sku).where(eq(product_sku.id, id)))[0]!

describe('variants out of a file', () => {
  it('are saved by their codes, what is the product’s own once; the same file changes nothing more', async () => {
    const { item, skus } = await fresh()
    const limit = (item.limit_per_member ?? 0) + 2
    const rows = skus.map((sku, at) => [item.id, sku.code, '', 20 + at, limit, item.sort + 1])
    const lines = await tried(...rows)
    expect(lines.map(one => [one.state, one.name])).toEqual(
      skus.map(sku => ['ready', `${item.title} ${sku.name}`]),
    )
    expect((await sent(lines)).map(one => one.result)).toEqual(['done', 'done'])
    expect(await of(item.id)).toMatchObject({ limit_per_member: limit, sort: item.sort + 1 })
    expect((await Promise.all(skus.map(sku => skuOf(sku.id)))).map(sku => sku.stock)).toEqual([
      20, 21,
    ])
    expect((await tried(...rows)).map(one => one.state)).toEqual(['already', 'already'])
    expect((await sent(lines)).map(one => one.result)).toEqual(['already', 'already'])
  })
  it('0 lets buyers have as many as they like', async () => {
    const { item } = await fresh()
    await database.db.update(product).set({ limit_per_member: 3 }).where(eq(product.id, item.id))
    await sent(await tried([item.id, '', '', '', '0', '']))
    expect((await of(item.id)).limit_per_member).toBeNull()
  })
  it.each<[string, (of: Awaited<ReturnType<typeof fresh>>) => (string | number)[], string]>([
    ['without its code', ({ item }) => [item.id, '', '', 5, '', ''], '须填写“规格编码”'],
    ['of a code that is none', ({ item }) => [item.id, 'NIX', '', 5, '', ''], '没有规格编码“NIX”'],
    [
      'above the list price',
      ({ item, skus }) => [item.id, skus[0]!.code, yuan(item.list_price_cents + 1), '', '', ''],
      '“售价”不能高于划线价',
    ],
    ['of a product that is none', () => [999_999_999, '', '', 5, '', ''], '没有这个商品编号'],
  ])('a line %s says so', async (_, cells, words) => {
    const [line] = await tried(cells(await fresh()))
    expect(line).toMatchObject({ state: 'bad' })
    expect(line!.text).toContain(words)
  })
  it('an activity locks price and stock, not the order', async () => {
    const { item, skus } = await fresh()
    await database.db.update(product).set({ in_activity: true }).where(eq(product.id, item.id))
    const lines = await tried([item.id, skus[0]!.code, '', 3, '', ''])
    expect(lines).toMatchObject([{ state: 'bad', text: expect.stringContaining('限时活动') }])
    expect(await sent(await tried([item.id, '', '', '', '', item.sort + 2]))).toMatchObject([
      { result: 'done' },
    ])
  })
  it('a variant twice, and lines of one product that differ, are told', async () => {
    const { item, skus } = await fresh()
    const [red, blue] = skus.map(sku => sku.code) as [string, string]
    const lines = await tried(
      [item.id, red, '', 3, '', ''],
      [item.id, red, '', 4, '', ''],
      [item.id, blue, '', 4, '', item.sort + 9],
    )
    expect(lines.map(one => one.text)).toEqual([
      expect.stringContaining('可售库存'),
      '与第 2 行是同一商品规格，请合并为一行',
      '限购或排序与第 2 行的同一商品不同，请改为一致',
    ])
  })
  it('what somebody changed meanwhile is a conflict, and stays', async () => {
    const { item, skus } = await fresh()
    const [sku] = skus
    const lines = await tried([item.id, sku!.code, '', 3, '', ''])
    const { version } = await of(item.id)
    const theirs = { id: item.id, version, sku_id: sku!.id, stock: 9 }
    expect((await send(app, calls.editStock, theirs, { token: me.token })).status).toBe(200)
    expect(await sent(lines)).toMatchObject([{ result: 'failed' }])
    expect((await skuOf(sku!.id)).stock).toBe(9)
  })
  it('an export of ours is known by its titles, and its limits and order are imported', async () => {
    const { item } = await fresh()
    const { data } = await send(app, calls.lst, { keyword: String(item.id) }, { token: me.token })
    const row = (data.list as { id: number; skus: unknown }[]).find(one => one.id === item.id)!
    for (const [at, format] of (['csv', 'xlsx'] as const).entries())
      for (const lang of ['zh', 'en'] as const) {
        const sort = item.sort + 10 + at * 2 + (lang === 'en' ? 1 : 0)
        const file = exported('stores.goods', [{ ...row, skus: '', sort }], { format, lang })
        const trial = await by(me.token).tried(file)
        expect([trial.fault, ...trial.lines.map(one => one.state)]).toEqual([null, 'ready'])
        expect(await sent(trial.lines)).toMatchObject([{ result: 'done' }])
        expect((await of(item.id)).sort).toBe(sort)
      }
  })
  it('what lies outside one’s data is not found, on the file and behind it', async () => {
    const { item } = await fresh()
    const far = await addStaff(database, {
      perms: ['stores.goods.*'],
      role: { scope_type: 'city', scope_ids: [item.city_id === 1 ? 2 : 1] },
    })
    const lines = await tried([item.id, '', '', '', '', item.sort + 1])
    const there = by(far.token)
    expect(await there.sent(lines, { reason: '旺季调价' })).toMatchObject([{ result: 'failed' }])
    expect((await of(item.id)).sort).toBe(item.sort)
  })
})
