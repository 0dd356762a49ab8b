import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import { goods as calls } from '#src/modules/shop/contract/goods.ts'
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
  me = await addStaff(database, { perms: ['shop.goods.*'] })
})
const by = (token: string) =>
  importer(
    input => send(app, calls.readImport, input, { token }),
    input => send(app, calls.import, input, { token }),
  )
const tried = (file: string) => by(me.token).tried(file)
const sent = async (lines: Awaited<ReturnType<typeof tried>>['lines'], token = me.token) =>
  by(token).sent(lines, { reason: '旺季调价' })
const fresh = async () => (await database.transaction(tx => freshProduct(tx))).item
const of = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const head = ['编号', '售价', '结算价', '拼团价', '可售库存', '排序']
const file = (...lines: (string | number)[][]) =>
  csvFile([head, ...lines.map(cells => cells.map(String))])
const tasks = (product_id: number) =>
  database.db
    .select()
    .from(audit_task)
    .where(and(eq(audit_task.product_id, product_id), eq(audit_task.state, 'pending')))

describe('prices and stock out of a file', () => {
  it('are told first, then saved as a grid saves them, with a line in the log; the same file changes nothing more', async () => {
    const item = await fresh()
    const sheet = file([item.id, '', '', '', '1,234', 7])
    const trial = await tried(sheet)
    expect(trial.lines).toMatchObject([
      { row: 2, state: 'ready', name: item.title, version: item.version },
    ])
    expect(trial.lines[0]!.text).toBe(
      `可售库存 ${item.stock - item.held} → 1234，排序 ${item.sort} → 7`,
    )
    expect(await of(item.id)).toMatchObject({ version: item.version })
    expect(await sent(trial.lines)).toEqual([{ row: 2, result: 'done', text: '已保存' }])
    expect(await of(item.id)).toMatchObject({ stock: 1234 + item.held, sort: 7 })
    const logged = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'product'), eq(op_log.object_id, item.id)))
    expect(logged.map(one => one.reason)).toEqual(['旺季调价', '旺季调价'])
    expect((await tried(sheet)).lines).toMatchObject([{ state: 'already', text: '与现值相同' }])
    expect(await sent(trial.lines)).toMatchObject([{ result: 'already' }])
  })
  it('a price waits for an audit: it is asked for once, and another waits for the end of the first', async () => {
    const item = await fresh()
    const price_cents = item.list_price_cents - 1
    const sheet = (cents: number) => file([item.id, yuan(cents), '', '', '', ''])
    const first = await tried(sheet(price_cents))
    expect(first.lines[0]!.text).toBe(
      `售价 ${yuan(item.price_cents)} → ${yuan(price_cents)}（价格须审核）`,
    )
    expect(await sent(first.lines)).toMatchObject([{ result: 'done', text: '已保存，价格待审核' }])
    expect(await tasks(item.id)).toMatchObject([{ price_cents }])
    expect((await of(item.id)).price_cents).toBe(item.price_cents)
    const again = await tried(sheet(price_cents))
    expect(again.lines).toMatchObject([{ state: 'already', text: '新价格已提交，审核中' }])
    const other = await tried(sheet(price_cents - 1))
    expect(other.lines).toMatchObject([{ state: 'bad', text: expect.stringContaining('审核中') }])
    expect(await tasks(item.id)).toHaveLength(1)
  })
  it.each<[string, (item: Awaited<ReturnType<typeof fresh>>) => (string | number)[], string]>([
    ['a number that is none', () => ['1.2E+5', '1', '', '', '', ''], '没有这个商品编号'],
    ['a product that is none', () => [999_999_999, '1', '', '', '', ''], '没有这个商品编号'],
    [
      'a price of three decimals',
      item => [item.id, '8.888', '', '', '', ''],
      '“售价”8.888 不是金额',
    ],
    ['a price of nothing', item => [item.id, '0', '', '', '', ''], '“售价”须在 0.01'],
    [
      'a price above the list price',
      item => [item.id, yuan(item.list_price_cents + 1), '', '', '', ''],
      '“售价”售价须低于门市价',
    ],
    ['a stock with a decimal', item => [item.id, '', '', '', '1.5', ''], '“可售库存”1.5 不是整数'],
    [
      'a stock that is too large',
      item => [item.id, '', '', '', '1000001', ''],
      '须在 0–1000000 之间',
    ],
  ])('a line with %s says so, and holds up no other', async (_, cells, words) => {
    const [item, good] = [await fresh(), await fresh()]
    const trial = await tried(
      file(cells(item), [good.id, '', '', '', good.stock - good.held + 1, '']),
    )
    expect(trial.lines.map(one => one.state)).toEqual(['bad', 'ready'])
    expect(trial.lines[0]!.text).toContain(words)
    expect(await sent(trial.lines)).toMatchObject([{ row: 3, result: 'done' }])
  })
  it('a product that is no more for sale keeps its prices, and a product twice is one line', async () => {
    const [gone, twice] = [await fresh(), await fresh()]
    await database.db.update(product).set({ state: 'forced_off' }).where(eq(product.id, gone.id))
    const line = [twice.id, '', '', '', '5', '']
    const trial = await tried(
      file([gone.id, yuan(gone.price_cents - 1), '', '', '3', ''], line, line),
    )
    expect(trial.lines.map(one => one.text)).toEqual([
      expect.stringMatching(/不能改库存；.*不能改价格/),
      expect.stringContaining('可售库存'),
      '与第 3 行是同一商品，请合并为一行',
    ])
  })
  it('whoever was quicker is named, and the line changes nothing', async () => {
    const other = await addStaff(database, { perms: ['shop.goods.*'] })
    const item = await fresh()
    const { lines } = await tried(file([item.id, '', '', '', '5', '']))
    const theirs = { id: item.id, version: item.version, stock: 77, reason: '同事补货' }
    await send(app, calls.editStock, theirs, { token: other.token })
    expect(await sent(lines)).toMatchObject([
      { result: 'failed', text: expect.stringContaining(other.account) },
    ])
    expect((await of(item.id)).stock).toBe(77 + item.held)
  })
  it('a settle price that is hidden is neither told nor guessed', async () => {
    const item = await fresh()
    const blind = await addStaff(database, {
      perms: ['shop.goods.*'],
      role: { field_rules: { 'product.settle_price_cents': 'hide' } },
    })
    const trial = await by(blind.token).tried(
      file([item.id, '', yuan(item.settle_price_cents), '', '', '']),
    )
    expect(trial.lines).toMatchObject([
      { state: 'bad', text: expect.stringContaining('无权查看结算价') },
    ])
  })
  it('what lies outside one’s data is not found, on the file and behind it', async () => {
    const item = await fresh()
    const far = await addStaff(database, {
      perms: ['shop.goods.*'],
      role: { scope_type: 'city', scope_ids: [item.city_id === 1 ? 2 : 1] },
    })
    const sheet = file([item.id, '', '', '', '5', ''])
    expect((await by(far.token).tried(sheet)).lines).toMatchObject([{ state: 'bad' }])
    expect(await sent((await tried(sheet)).lines, far.token)).toMatchObject([{ result: 'failed' }])
    expect((await of(item.id)).version).toBe(item.version)
  })
  it('an export of ours is known by its titles, mended and imported', async () => {
    for (const format of ['csv', 'xlsx'] as const)
      for (const lang of ['zh', 'en'] as const) {
        const item = await fresh()
        const { data } = await send(app, calls.rows, { ids: [item.id] }, { token: me.token })
        const [row] = data.list
        const same = await tried(exported('shop.goods', [row], { format, lang }))
        expect([same.fault, ...same.lines.map(one => one.state)]).toEqual([null, 'already'])
        const mended = { ...row, stock_left: row.stock_left + 3 }
        const trial = await tried(exported('shop.goods', [mended], { format, lang }))
        expect(await sent(trial.lines)).toMatchObject([{ result: 'done' }])
        expect((await of(item.id)).stock).toBe(item.stock + 3)
      }
  })
  it('needs a reason, and takes ten lines a call', async () => {
    const item = await fresh()
    const { lines } = await tried(file([item.id, '', '', '', '5', '']))
    const [{ row, cells, version }] = lines as [(typeof lines)[number]]
    const ask = (input: object) => send(app, calls.import, input, { token: me.token })
    expect((await ask({ lines: [{ row, cells, version }] })).status).toBe(400)
    const many = Array.from({ length: 11 }, (_, at) => ({ row: at + 2, cells, version }))
    expect((await ask({ lines: many, reason: '旺季调价' })).status).toBe(400)
  })
})
