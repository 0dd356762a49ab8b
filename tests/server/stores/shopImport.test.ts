import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { shopTypeTyped } from '#src/areas/merchant/shopSheet.ts'
import { shops as calls } from '#src/modules/stores/contract/stores.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { csvFile, exported, importer } from '../../help/imports.ts'
import { freshMerchant } from '../../help/merchants.ts'
import { freshECategory } from '../../help/shops.ts'
import { freshMall } from '../../help/stores.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let own: Awaited<ReturnType<typeof freshMerchant>>
let categories: string[]
beforeAll(async () => {
  database = await openCopy({ poolSize: 20 })
  app = await openApp(database)
  me = await addStaff(database, { perms: ['stores.stores.*'] })
  own = await freshMerchant(database)
  const ids = [await freshECategory(database), await freshECategory(database)]
  const { rows } = await database.db.execute<{ name: string }>(
    sql`select name from e_category where id in ${ids} order by id`,
  )
  categories = rows.map(row => row.name)
})
const by = (token: string) =>
  importer(
    input => send(app, calls.readImport, input, { token }),
    input => send(app, calls.import, input, { token }),
  )
const tried = (file: string, token = me.token) => by(token).tried(file)
let made = 0
const freshName = () => `导入网店Q${++made}`
const head = ['商户', '店铺', '类型', '主营分类', '城市', '商场', '客服电话', '发货地']
type Line = Partial<
  Record<'merchant' | 'name' | 'type' | 'category' | 'mall' | 'phone' | 'ships', string>
>
const line = (of: Line = {}): string[] => [
  of.merchant ?? own.name,
  of.name ?? freshName(),
  of.type ?? '品牌旗舰店',
  of.category ?? categories[0]!,
  '',
  of.mall ?? '',
  of.phone ?? '021-55550000',
  of.ships ?? '上海市',
]
const file = (...lines: string[][]) => csvFile([head, ...lines])
const drafts = (name: string) =>
  database.db
    .select()
    .from(store)
    .where(and(eq(store.merchant_id, own.id), eq(store.name, name)))

describe('online shops out of a file', () => {
  it('are tried first and written then, each a draft with a line in the log; the same file again makes nothing', async () => {
    const name = freshName()
    const sheet = file(
      line({ name, category: categories.join('、') }),
      line({ merchant: String(own.id) }),
    )
    const trial = await tried(sheet)
    expect(trial).toMatchObject({ fault: null, heads: head, ignored: [] })
    expect(trial.lines.map(one => one.state)).toEqual(['ready', 'ready'])
    expect(await drafts(name)).toEqual([])
    const done = await by(me.token).sent(trial.lines)
    expect(done.map(one => one.result)).toEqual(['done', 'done'])
    const [row] = await drafts(name)
    expect(row).toMatchObject({
      status: 'draft',
      kind: 'online',
      shop_type: 'flagship',
      mall_id: 0,
      phone: '021-55550000',
      ship_area: '上海市',
    })
    expect(row!.category_ids).toHaveLength(2)
    const logged = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'store'), eq(op_log.object_id, row!.id)))
    expect(logged).toHaveLength(1)
    expect((await by(me.token).sent(trial.lines)).map(one => one.result)).toEqual([
      'already',
      'already',
    ])
    expect((await tried(sheet)).lines.map(one => one.state)).toEqual(['already', 'already'])
    expect(await drafts(name)).toHaveLength(1)
  })
  it('stand in a mall where they are of one, in its city', async () => {
    const mall = await freshMall(database)
    const name = freshName()
    const trial = await tried(file(line({ name, type: '商场云店', mall: mall.name })))
    expect(trial.lines).toMatchObject([{ state: 'ready' }])
    await by(me.token).sent(trial.lines)
    expect((await drafts(name))[0]).toMatchObject({
      shop_type: 'mall',
      mall_id: mall.id,
      city_id: mall.city_id,
    })
  })
  it.each<[string, Line, string]>([
    ['a merchant nobody knows', { merchant: '没有的商户' }, '没有找到商户“没有的商户”'],
    ['no name', { name: '' }, '缺少“店铺”'],
    ['a name of one letter', { name: '店' }, '“店铺”'],
    ['another kind', { type: '专卖店' }, '“类型”请填写'],
    ['a category nobody knows', { category: '没有的分类' }, '没有找到末级电商分类'],
    ['a cloud shop of no mall', { type: '商场云店' }, '须填写“商场”'],
    ['a mall nobody knows', { type: '商场云店', mall: '没有的商场' }, '没有找到商场'],
  ])('with %s are bad lines that say how to mend them', async (_, of, says) => {
    const [told] = (await tried(file(line(of)))).lines
    expect(told).toMatchObject({ state: 'bad' })
    expect(told!.text).toContain(says)
  })
  it.each<[string, Line, string]>([
    ['a phone that is none', { phone: '12' }, '座机'],
    ['a place that is none', { ships: '火星' }, '发货地'],
  ])(
    'with %s are refused as the form refuses them, and the others are written',
    async (_, of, says) => {
      const good = freshName()
      const trial = await tried(file(line(of), line({ name: good })))
      const done = await by(me.token).sent(trial.lines)
      expect(done.map(one => one.result)).toEqual(['failed', 'done'])
      expect(done[0]!.text).toContain(says)
      expect(await drafts(good)).toHaveLength(1)
    },
  )
  it('that stand twice in a file are told at the second', async () => {
    const name = freshName()
    const { lines } = await tried(file(line({ name }), line({ name })))
    expect(lines.map(one => one.state)).toEqual(['ready', 'bad'])
    expect(lines[1]!.text).toContain('与第 2 行重复')
  })
  it('of a merchant that may not trade, or of another city, are none', async () => {
    const frozen = await freshMerchant(database)
    await database.db.update(merchant).set({ status: 'frozen' }).where(eq(merchant.id, frozen.id))
    expect((await tried(file(line({ merchant: frozen.name })))).lines[0]!.text).toContain('已冻结')
    const role = { scope_type: 'city' as const, scope_ids: [own.city_id + 1] }
    const other = await addStaff(database, { perms: ['stores.stores.*'], role })
    const [told] = (await tried(file(line()), other.token)).lines
    expect(told!.text).toContain('数据范围')
  })
  it('that two people import at once are made once', async () => {
    const name = freshName()
    const { lines } = await tried(file(line({ name })))
    await Promise.all([by(me.token).sent(lines), by(me.token).sent(lines)])
    expect(await drafts(name)).toHaveLength(1)
  })
  it('are read from an exported list as they stand', async () => {
    const name = freshName()
    await by(me.token).sent((await tried(file(line({ name })))).lines)
    const row = {
      name,
      shop_type: '品牌旗舰店',
      merchant_name: own.name,
      category_name: categories[0],
      ship_area: '上海市',
    }
    for (const format of ['csv', 'xlsx'] as const) {
      const trial = await tried(exported('stores.stores', [row], { format, lang: 'zh' }))
      expect(trial.fault).toBeNull()
      expect(trial.lines).toMatchObject([{ state: 'already', name }])
    }
  })
})

it('a kind of shop is known by a part of its word that no other has', () => {
  expect([shopTypeTyped('旗舰店'), shopTypeTyped('自营'), shopTypeTyped('Self-run')]).toEqual([
    'flagship',
    'self_run',
    'self_run',
  ])
  expect(shopTypeTyped('店')).toHaveProperty('fault')
  expect(shopTypeTyped('')).toHaveProperty('fault')
})
