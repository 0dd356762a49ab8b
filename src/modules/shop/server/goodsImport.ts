/** Prices, stock and order of group-buys out of a sheet: each line is saved as a row of the grid is. */
import { goodsCan, priceFaults, type GoodsVerb, type Prices } from '#src/areas/product/goods.ts'
import {
  changeOf,
  changeWords,
  goodsLineWords,
  groupColumns,
  groupEdits,
  productId,
  stateWords,
  titleOf,
  together,
  type GroupEdit,
  type GroupKey,
} from '#src/areas/product/goodsSheet.ts'
import {
  linesAgain,
  templateOf,
  tryImport,
  type CellLine,
  type Foreseen,
  type Import,
} from '#src/areas/sheet/importing.server.ts'
import type { ImportOutcome } from '#src/contract/importing.ts'
import { say, semicolon, type Text } from '#src/domain/text.ts'
import type { Handler, Staff } from '#src/server/call/implement.ts'
import { goods as contract, type GoodsEdit } from '../contract/goods.ts'
import { saveRows } from './goodsGrid.ts'
import { goodsOf, list } from './goodsRows.ts'

type Line = CellLine<GroupKey>
type Row = Awaited<ReturnType<typeof list.shown>>[number]
type Change = Partial<Record<GroupEdit, number>>
type Told = Foreseen<Omit<GoodsEdit, 'version'>>
type Reader = { staff: Pick<Staff, 'field'>; now: number }

const prices = ['price_cents', 'settle_price_cents', 'group_price_cents'] as const
const mayNot = (verb: GoodsVerb, what: Text, row: Row, now: number): Text | undefined => {
  const may = goodsCan(verb, row, now)
  return may === true ? undefined : stateWords(may, what)
}
/** Prices that wait for an audit are asked for once. */
const withoutAsked = (change: Change, row: Row): { change: Change; asked: boolean } => {
  const asked = row.audit_state !== null && change.price_cents === row.audit_price_cents
  const { price_cents: _, ...rest } = change
  return asked ? { change: rest, asked } : { change, asked }
}
/** What forbids a change, by the rules of the grid. */
const faultsOf = (change: Change, row: Row, now: number): Text[] => {
  const faults: (Text | undefined)[] = []
  if (change.stock_left !== undefined) faults.push(mayNot('editStock', ['库存', 'stock'], row, now))
  const priced = prices.filter(key => change[key] !== undefined)
  if (priced.length > 0) {
    faults.push(
      row.audit_state === null
        ? mayNot('editPrice', ['价格', 'price'], row, now)
        : goodsLineWords.in_audit,
    )
    const found = priceFaults({ ...(row as Prices), ...change })
    for (const key of prices) {
      const fault = found[key]
      const [zh, en] = titleOf(key)
      if (fault) faults.push([`“${zh}”${fault[0]}`, `${en}: ${fault[1]}`])
    }
  }
  if (change.group_price_cents !== undefined && row.group_price_cents === null)
    faults.push([
      '商品不支持拼团，请清空“拼团价”',
      'Nobody buys it together: empty the group price',
    ])
  return faults.filter(one => one !== undefined)
}
const notShown: Text = [
  '无权查看结算价，请清空“结算价”',
  'The settle price is not shown to you: empty its cells',
]
/** A change in words; prices wait for an audit. */
const wordsOf = (change: Change, row: Row): Text => {
  const [zh, en] = changeWords(groupEdits, change, row)
  return prices.some(key => change[key] !== undefined)
    ? [`${zh}（价格须审核）`, `${en} (prices wait for an audit)`]
    : [zh, en]
}
const foreseenOf = (line: Line, row: Row, reader: Reader): Told => {
  const told = { row: line.row, name: row.title, version: row.version }
  const bad = (text: Text): Told => ({ ...told, state: 'bad', text })
  // Whether a guess is right would tell what is hidden.
  const hidden = reader.staff.field('product.settle_price_cents') !== 'show'
  if (hidden && line.cells.settle_price_cents !== '') return bad(notShown)
  const found = changeOf(groupEdits, line.cells, row)
  if ('fault' in found) return bad(found.fault)
  const { change, asked } = withoutAsked(found.change, row)
  const faults = faultsOf(change, row, reader.now)
  if (faults.length > 0) return bad(together(faults))
  if (Object.keys(change).length === 0)
    return { ...told, state: 'already', text: goodsLineWords[asked ? 'asked' : 'same'] }
  return {
    ...told,
    state: 'ready',
    text: wordsOf(change, row),
    given: { id: row.id, ...change },
  }
}
/** Group-buys by their numbers, and what a line would change of each. */
const goodsImport: Import<GroupKey, Omit<GoodsEdit, 'version'>> = {
  title: ['团购价格与库存导入', 'Import of prices and stock'],
  columns: groupColumns,
  foresee: async ({ tx, staff, now }, lines) => {
    const ids = [...new Set(lines.flatMap(one => productId(one.cells.id) ?? []))]
    const rows = await list.shown(tx, await goodsOf(tx, staff, ids), { staff, now })
    const known = new Map(rows.map(row => [row.id, row]))
    const before = new Map<number, number>()
    return lines.map((line): Told => {
      const row = known.get(productId(line.cells.id) ?? 0)
      const bad = { row: line.row, state: 'bad' as const, name: line.cells.id, version: null }
      if (!row) return { ...bad, text: goodsLineWords.none }
      const first = before.get(row.id)
      if (first !== undefined)
        return {
          ...bad,
          name: row.title,
          text: [
            `与第 ${first} 行是同一商品，请合并为一行`,
            `The product of line ${first}: make them one`,
          ],
        }
      before.set(row.id, line.row)
      return foreseenOf(line, row, { staff, now })
    })
  },
}

type Calls = 'importTemplate' | 'readImport' | 'import'
export const goodsImportHandlers = {
  importTemplate: async (_, context) => templateOf(goodsImport, context),
  readImport: async (asked, context) => tryImport(goodsImport, asked, context),
  import: async ({ lines, reason }, context) => {
    const { ready, told } = await linesAgain(goodsImport, context, lines)
    const rows = ready.map(({ given, version }) => ({ ...given, version: version ?? -1 }))
    const saved = await saveRows(context, rows, reason)
    const rowOf = new Map(ready.map(one => [one.given.id, one.row]))
    const written = saved.map(({ id, result, text, fields }): ImportOutcome => {
      const why = Object.values(fields).join(say(semicolon, context.staff.lang)) || text
      const row = rowOf.get(id)!
      return result === 'saved'
        ? { row, result: 'done', text }
        : { row, result: 'failed', text: why }
    })
    return { lines: [...told, ...written].sort((a, b) => a.row - b.row) }
  },
} satisfies { [K in Calls]: Handler<(typeof contract)[K]> }
