import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import type { ImportLine } from '#src/contract/importing.ts'
import { stores as calls } from '#src/modules/shop/contract/stores.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { csvFile, exported, importer } from '../../help/imports.ts'
import { freshMerchant } from '../../help/merchants.ts'
import { freshCategory, freshMall } from '../../help/stores.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let own: Awaited<ReturnType<typeof freshMerchant>>
let category: string
beforeAll(async () => {
  database = await openCopy({ poolSize: 20 })
  app = await openApp(database)
  me = await addStaff(database, { perms: ['shop.stores.*'] })
  own = await freshMerchant(database)
  const category_id = await freshCategory(database)
  const [row] = await database.db
    .select()
    .from(shop_category)
    .where(eq(shop_category.id, category_id))
  category = row!.name
})
const by = (token: string) =>
  importer(
    input => send(app, calls.readImport, input, { token }),
    input => send(app, calls.import, input, { token }),
  )
const tried = (file: string) => by(me.token).tried(file)
let made = 0
const freshName = () => `导入小馆Q${++made}`
const head = [
  '商户',
  '门店名称',
  '门店分类',
  '商场',
  '楼层',
  '门牌号',
  '地址',
  '电话',
  '营业时间',
  '人均',
]
type Line = {
  merchant?: string
  name?: string
  category?: string
  place?: string[]
  rest?: string[]
}
const line = (of: Line = {}): string[] => [
  of.merchant ?? own.name,
  of.name ?? freshName(),
  of.category ?? category,
  ...(of.place ?? ['', '', '', '导入路 1 号']),
  ...(of.rest ?? ['021-55550000', '10:00-22:00', '88.50']),
]
const file = (...lines: string[][]) => csvFile([head, ...lines])
const drafts = (name: string) =>
  database.db
    .select()
    .from(store)
    .where(and(eq(store.merchant_id, own.id), eq(store.name, name)))

/** Each line has one result, once it is tried and once it is sent as it is. */
const isToldOf = async (lines: readonly ImportLine[]) => {
  expect(new Set(lines.map(one => one.row)).size).toBe(lines.length)
  const asked = lines.map(({ row, cells, version }) => ({ row, cells, version }))
  const said = await send(app, calls.import, { lines: asked }, { token: me.token })
  expect(said.status, said.message).toBe(200)
  expect(said.data.lines.map((one: { row: number }) => one.row)).toEqual(asked.map(one => one.row))
}

describe('stores out of a file', () => {
  it('are tried first and written then, each a draft with a line in the log; the same file again makes nothing', async () => {
    // Full-width signs of a name are its own.
    const name = `${freshName()}（总店）`
    const sheet = file(line({ name }), line({ merchant: String(own.id) }))
    const trial = await tried(sheet)
    expect(trial).toMatchObject({ fault: null, heads: head, ignored: [] })
    expect(trial.lines.map(one => [one.row, one.state])).toEqual([
      [2, 'ready'],
      [3, 'ready'],
    ])
    expect(await drafts(name)).toEqual([])
    const done = await by(me.token).sent(trial.lines)
    expect(done.map(one => [one.row, one.result])).toEqual([
      [2, 'done'],
      [3, 'done'],
    ])
    const [row] = await drafts(name)
    expect(row).toMatchObject({
      status: 'draft',
      kind: 'offline',
      city_id: 1,
      address: '导入路 1 号',
      phone: '021-55550000',
      open_hours: '10:00-22:00',
      avg_price_cents: 8850,
    })
    const logged = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'store'), eq(op_log.object_id, row!.id)))
    expect(logged).toHaveLength(1)
    // The lines as they were told once more, then the file.
    expect((await by(me.token).sent(trial.lines)).map(one => one.result)).toEqual([
      'already',
      'already',
    ])
    expect((await tried(sheet)).lines.map(one => one.state)).toEqual(['already', 'already'])
    expect(await drafts(name)).toHaveLength(1)
  })
  it('stand in a mall by its name, its floor and door', async () => {
    const mall = await freshMall(database)
    const name = freshName()
    const trial = await tried(file(line({ name, place: [mall.name, '1f', 'A101', ''] })))
    expect(trial.lines).toMatchObject([{ state: 'ready' }])
    await by(me.token).sent(trial.lines)
    expect((await drafts(name))[0]).toMatchObject({
      mall_id: mall.id,
      floor_id: mall.floor_id,
      floor: '1F',
      door_no: 'A101',
      city_id: mall.city_id,
    })
  })
  it.each<[string, () => Line | Promise<Line>, string]>([
    ['a merchant nobody knows', () => ({ merchant: '没有的商户' }), '没有找到商户“没有的商户”'],
    ['no merchant', () => ({ merchant: '' }), '缺少“商户”'],
    ['no name', () => ({ name: '' }), '缺少“门店”'],
    ['a name that is too long', () => ({ name: '长'.repeat(41) }), '“门店”最多 40 个字'],
    ['a category that is none', () => ({ category: '没有的分类' }), '没有找到末级分类“没有的分类”'],
    ['no place', () => ({ place: ['', '', '', ''] }), '须填写“地址”'],
    [
      'a floor outside malls',
      () => ({ place: ['商场外', '1F', '', '路 1 号'] }),
      '商场外的门店没有楼层',
    ],
    [
      'a mall that is none',
      () => ({ place: ['没有的商场', '', '', ''] }),
      '没有找到商场“没有的商场”',
    ],
    [
      'a floor that its mall has not',
      async () => ({ place: [(await freshMall(database)).name, '9F', '', ''] }),
      '没有找到楼层“9F”',
    ],
    ['a phone that is none', () => ({ rest: ['123', '', ''] }), '“电话”'],
    ['hours that say nothing', () => ({ rest: ['', '看心情', ''] }), '“营业时间”无法识别'],
    ['hours that overlap', () => ({ rest: ['', '周一 10:00-12:00、11:00-13:00', ''] }), '有重叠'],
    ['a price with a third decimal', () => ({ rest: ['', '', '8.888'] }), '“人均”8.888 不是金额'],
  ])('a line with %s says so, and holds up no other', async (_, of, words) => {
    const trial = await tried(file(line(await of()), line()))
    expect(trial.lines.map(one => one.state)).toEqual(['bad', 'ready'])
    expect(trial.lines[0]!.text).toContain(words)
  })
  it('names that several have are told with their numbers', async () => {
    const twin = await freshMerchant(database, { name: own.name })
    const [said] = (await tried(file(line()))).lines
    expect(said).toMatchObject({ state: 'bad' })
    expect(said!.text).toContain(`${own.id}、${twin.id}`)
    await database.db
      .update(merchant)
      .set({ name: `${own.name}二` })
      .where(eq(merchant.id, twin.id))
  })
  it('a merchant that may not trade gets no store, and the same place twice in a file is one', async () => {
    const frozen = await freshMerchant(database, { status: 'frozen' })
    const twice = line()
    const trial = await tried(file(line({ merchant: frozen.name }), twice, twice))
    expect(trial.lines.map(one => one.text)).toEqual([
      expect.stringContaining('商户已冻结'),
      expect.stringContaining('新增草稿'),
      '与第 3 行重复，请删去其中一行',
    ])
  })
  it('the merchant’s own store of that name and address at another door is refused in the form’s words', async () => {
    const mall = await freshMall(database)
    const name = freshName()
    const at = (door: string) => line({ name, place: [mall.name, '1F', door, '导入路 9 号'] })
    await by(me.token).sent((await tried(file(at('A1')))).lines)
    const [said] = await by(me.token).sent((await tried(file(at('A2')))).lines)
    expect(said).toMatchObject({ result: 'failed' })
    expect(said!.text).toContain('同名同址')
    expect(await drafts(name)).toHaveLength(1)
  })
  it('a store of that name elsewhere in the city is told, whoever has it, and holds nothing up', async () => {
    const other = await freshMerchant(database)
    const name = freshName()
    await by(me.token).sent((await tried(file(line({ name, merchant: other.name })))).lines)
    const [said] = (await tried(file(line({ name })))).lines
    expect(said).toMatchObject({ state: 'ready' })
    expect(said!.text).toContain('同城已有同名门店')
    expect(said!.text).toContain(other.name)
  })
  it('two who import the same file at once make one draft', async () => {
    const other = await addStaff(database, { perms: ['shop.stores.*'] })
    const name = freshName()
    const { lines } = await tried(file(line({ name }), line()))
    const both = await Promise.all([by(me.token).sent(lines), by(other.token).sent(lines)])
    expect(both.map(one => one[0]!.result).sort()).toEqual(['already', 'done'])
    expect(await drafts(name)).toHaveLength(1)
  })
  it('what lies outside one’s data is not found, on the file and behind it', async () => {
    const far = await addStaff(database, {
      perms: ['shop.stores.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const name = freshName()
    const sheet = file(line({ name }))
    expect((await by(far.token).tried(sheet)).lines).toMatchObject([{ state: 'bad' }])
    const [said] = await by(far.token).sent((await tried(sheet)).lines)
    expect(said).toMatchObject({ result: 'failed' })
    expect(await drafts(name)).toEqual([])
  })
  it('an export of ours is known by its titles, mended and imported', async () => {
    const name = freshName()
    await by(me.token).sent((await tried(file(line({ name })))).lines)
    const { data } = await send(app, calls.lst, { keyword: name }, { token: me.token })
    const [row] = data.list
    for (const format of ['csv', 'xlsx'] as const)
      for (const lang of ['zh', 'en'] as const) {
        const mended = { ...row, name: `${freshName()}${lang}` }
        const trial = await tried(exported('shop.stores', [row, mended], { format, lang }))
        expect(trial.fault).toBeNull()
        expect(trial.lines.map(one => one.state)).toEqual(['already', 'ready'])
        expect((await by(me.token).sent(trial.lines))[0]!.result).toBe('done')
        expect(await drafts(mended.name)).toMatchObject([
          {
            address: row.address,
            phone: row.phone,
            mall_id: row.mid,
            category_id: expect.any(Number),
          },
        ])
      }
  })
  it('the template is read by what it says, its example left out', async () => {
    const { data } = await send(app, calls.importTemplate, {}, { token: me.token })
    expect(data.name).toBe('门店导入.xlsx')
    const trial = await tried(data.file)
    expect([trial.fault, trial.sheets]).toEqual([null, ['门店导入']])
    expect(trial.lines).toMatchObject([{ row: 2, state: 'skipped' }])
    expect(trial.heads).toEqual(trial.columns)
  })
  it.each([
    ['no table', Buffer.from('PK\x03\x04 nonsense').toString('base64'), '已损坏'],
    [
      'without a needed column',
      csvFile([
        ['门店', '电话'],
        ['a', 'b'],
      ]),
      '没有找到“商户”、“分类”列',
    ],
    [
      'with a column twice',
      csvFile([
        ['商户', '门店', '店名', '分类'],
        ['a', 'b', 'c', 'd'],
      ]),
      '（B、C）',
    ],
    ['with a head alone', csvFile([head]), '表头下面没有内容'],
  ])('a file %s is refused in words', async (_, sheet, words) => {
    const trial = await tried(sheet)
    expect(trial.fault).toContain(words)
    expect(trial.lines).toEqual([])
  })
  it('any cells end in a result for each line, tried and sent', async () => {
    const text = fc.oneof(
      fc.constantFrom(
        '',
        '0',
        String(own.id),
        '99999999999',
        own.name,
        category,
        '商场外',
        '/',
        '{"a"}',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    )
    const rows = fc.array(fc.array(text, { minLength: 10, maxLength: 10 }), {
      minLength: 1,
      maxLength: 9,
    })
    await fc.assert(
      fc.asyncProperty(rows, async some => {
        const trial = await tried(file(...some, line()))
        if (trial.fault !== null) expect(trial.fault).not.toBe('')
        else await isToldOf(trial.lines)
      }),
      { numRuns: 12 },
    )
  })
  it('whoever may not import is told so by all three calls', async () => {
    const reader = await addStaff(database, { perms: ['shop.stores.view'] })
    for (const [call, input] of [
      [calls.importTemplate, {}],
      [calls.readImport, { file: file(line()) }],
      [calls.import, { lines: [{ row: 2, cells: ['a'], version: null }] }],
    ] as const)
      expect((await send(app, call, input, { token: reader.token })).status).toBe(403)
  })
})
