/** Prices, stock, limits and order of shipped goods out of a sheet, variant by variant. */
import { and } from 'drizzle-orm'
import {
  changeOf,
  changeWords,
  goodsLineWords,
  productId,
  shippedColumns,
  shippedEdits,
  stateWords,
  together,
  type ShippedEdit,
  type ShippedKey,
} from '#src/areas/product/goodsSheet.ts'
import { product } from '#src/areas/product/product.table.ts'
import { needsSecond, shippedCan, skuPriceFault } from '#src/areas/product/shipped.ts'
import { setLimit, setPrices, setStock, skuOf } from '#src/areas/product/skus.server.ts'
import { plain } from '#src/areas/sheet/heads.ts'
import {
  linesAgain,
  templateOf,
  tryImport,
  writeLines,
  type CellLine,
  type Foreseen,
  type Import,
  type Reader,
} from '#src/areas/sheet/importing.server.ts'
import type { Text } from '#src/domain/text.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { goods as contract } from '../contract/goods.ts'
import { goods, list, needShipped } from './goodsRows.ts'

type Line = CellLine<ShippedKey>
type Row = Awaited<ReturnType<typeof list.shown>>[number]
type Change = Partial<Record<ShippedEdit, number>>
/** A change of a product, or of the variant that is named. */
type Given = { product_id: number; sku_id: number | undefined; change: Change }
type Told = Foreseen<Given>
/** What is the product’s own, whichever of its variants the line names. */
const ofProduct = ['limit_per_member', 'sort'] as const
const ofVariant = ['price_cents', 'stock_left'] as const

const noVariant = (typed: string): Text => [
  `商品没有规格编码“${typed.slice(0, 40)}”，请与商品详情核对`,
  `It has no SKU “${typed.slice(0, 40)}”: compare it with the product`,
]
const namesVariant = (n: number): Text => [
  `商品有 ${n} 个规格，改价格或库存须填写“规格编码”`,
  `It has ${n} variants: name the SKU whose price or stock is meant`,
]
/** What forbids a change, by the rules of the grid. */
const faultsOf = (change: Change, row: Row, now: number): Text[] => {
  const faults: Text[] = []
  const needs = (verb: 'editStock' | 'editPrice' | 'setLimit', what: Text) => {
    const may = shippedCan(verb, row, now)
    if (may === true) return
    faults.push(row.lock !== null && verb !== 'setLimit' ? may : stateWords(may, what))
  }
  if (change.stock_left !== undefined) needs('editStock', ['库存', 'stock'])
  if (change.limit_per_member !== undefined) needs('setLimit', ['限购', 'limit'])
  if (change.price_cents !== undefined) {
    needs('editPrice', ['价格', 'price'])
    if (row.audit_state !== null) faults.push(goodsLineWords.in_audit)
    const fault = skuPriceFault(change.price_cents, row)
    if (fault) faults.push([`“售价”${fault[0]}`, `Price: ${fault[1]}`])
  }
  return [...new Map(faults.map(one => [one[0], one])).values()]
}
const second = (words: Text): Text => [
  `${words[0]}（价格须另一人审核）`,
  `${words[1]} (another person decides the price)`,
]
const foreseenOf = (line: Line, row: Row, now: number): Told => {
  const { cells } = line
  const named = plain(cells.code).toLowerCase()
  const sku = named === '' ? undefined : row.skus.find(one => one.code.toLowerCase() === named)
  const name = sku ? `${row.title} ${sku.name}` : row.title
  const told = { row: line.row, name, version: sku?.version ?? row.version }
  const bad = (text: Text): Told => ({ ...told, state: 'bad', text })
  if (named !== '' && !sku) return bad(noVariant(cells.code))
  const { price_cents, stock_left } = sku ?? row
  const standing = { ...row, price_cents, stock_left }
  const found = changeOf(shippedEdits, cells, standing)
  if ('fault' in found) return bad(found.fault)
  const { change } = found
  if (!sku && row.skus.length > 0 && ofVariant.some(key => change[key] !== undefined))
    return bad(namesVariant(row.skus.length))
  const faults = faultsOf(change, row, now)
  if (faults.length > 0) return bad(together(faults))
  if (Object.keys(change).length === 0)
    return { ...told, state: 'already', text: goodsLineWords.same }
  const words = changeWords(shippedEdits, change, standing)
  const to_cents = change.price_cents
  const waits =
    to_cents !== undefined &&
    needsSecond({ from_cents: price_cents, to_cents }, row.settle_price_cents)
  return {
    ...told,
    state: 'ready',
    text: waits ? second(words) : words,
    given: { product_id: row.id, sku_id: sku?.id, change },
  }
}

/** What lines above say of a product: their variants, and what they set of the product itself. */
type Above = { variants: Map<number, number>; cells: Line }
/** Whether a line goes with those above it; what they set of the product is not set again. */
const beside = (line: Line, told: Told, above: Map<number, Above>): Told => {
  if (!told.given) return told
  const { product_id, sku_id = 0, change } = told.given
  const before = above.get(product_id)
  if (!before) {
    above.set(product_id, { variants: new Map([[sku_id, line.row]]), cells: line })
    return told
  }
  const bad = (text: Text): Told => ({ ...told, state: 'bad', text })
  const twin = before.variants.get(sku_id)
  if (twin !== undefined)
    return bad([
      `与第 ${twin} 行是同一商品规格，请合并为一行`,
      `The same variant as line ${twin}: make them one`,
    ])
  const at = before.cells.row
  if (ofProduct.some(key => line.cells[key] !== before.cells.cells[key]))
    return bad([
      `限购或排序与第 ${at} 行的同一商品不同，请改为一致`,
      `Limit or order differ from line ${at}, of the same product: make them the same`,
    ])
  before.variants.set(sku_id, line.row)
  const { limit_per_member: _, sort: __, ...own } = change
  if (Object.keys(own).length === 0) {
    const { given: ___, ...rest } = told
    const text: Text = [`限购与排序随第 ${at} 行修改`, `Limit and order go with line ${at}`]
    return { ...rest, state: 'already', text }
  }
  return { ...told, given: { ...told.given, change: own } }
}
const goodsImport: Import<ShippedKey, Given> = {
  title: ['商品价格与库存导入', 'Import of prices and stock'],
  columns: shippedColumns,
  foresee: async ({ tx, staff, now }: Reader, lines) => {
    const ids = [...new Set(lines.flatMap(one => productId(one.cells.id) ?? []))]
    const found = await tx
      .select()
      .from(product)
      .where(and(oneOf(product.id, ids), goods.seen(staff)))
    const rows = await list.shown(tx, found, { staff, now })
    const known = new Map(rows.map(row => [row.id, row]))
    const above = new Map<number, Above>()
    return lines.map((line): Told => {
      const row = known.get(productId(line.cells.id) ?? 0)
      const none = { row: line.row, name: line.cells.id, version: null, text: goodsLineWords.none }
      return row ? beside(line, foreseenOf(line, row, now), above) : { ...none, state: 'bad' }
    })
  },
}

const saved: Text = ['已保存', 'Saved']
/** Saves a line: what is the product’s own first, then the stock, the price last. */
const saveLine = async (
  context: WriteContext,
  { product_id, sku_id, change, version }: Given & { version: number | null },
  reason: string,
): Promise<Text> => {
  let was = await goods.lock(context, product_id)
  const variant = () => skuOf(context, was, sku_id)
  const sku = sku_id === undefined ? null : await variant()
  if ((sku ?? was).version !== version) throw await goods.late(context, was)
  if (change.sort !== undefined) was = await goods.save(context, was, { sort: change.sort }, reason)
  if (change.limit_per_member !== undefined) {
    await needShipped(context, 'setLimit', was)
    was = await setLimit(goods, context, was, change.limit_per_member || null)
  }
  if (change.stock_left !== undefined) {
    await needShipped(context, 'editStock', was)
    was = await setStock(goods, context, was, { sku: await variant(), left: change.stock_left })
  }
  if (change.price_cents === undefined) return saved
  await needShipped(context, 'editPrice', was)
  const prices = [{ sku: await variant(), price_cents: change.price_cents }]
  const { in_audit } = await setPrices(goods, context, was, { prices, reason })
  return in_audit
    ? ['已保存，价格待另一人审核', 'Saved, another person decides the price']
    : ['已保存，新价格已生效', 'Saved, the new price holds']
}

type Calls = 'importTemplate' | 'readImport' | 'import'
export const goodsImportHandlers = {
  importTemplate: async (_, context) => templateOf(goodsImport, context),
  readImport: async (asked, context) => tryImport(goodsImport, asked, context),
  import: async ({ lines, reason }, context) => {
    const { ready, told } = await linesAgain(goodsImport, context, lines)
    const ids = ready.map(one => one.given.product_id)
    // Two imports hold the same products in one order, whatever the order of their lines.
    if (ids.length > 0)
      await context.tx
        .select({ id: product.id })
        .from(product)
        .where(and(oneOf(product.id, ids), goods.seen(context.staff)))
        .orderBy(product.id)
        .for('update')
    const held = ready.map(one => ({ ...one, given: { ...one.given, version: one.version } }))
    const written = await writeLines(context, held, async (inside, given) => ({
      made: true,
      text: await saveLine(inside, given, reason),
    }))
    return { lines: [...told, ...written].sort((a, b) => a.row - b.row) }
  },
} satisfies { [K in Calls]: Handler<(typeof contract)[K]> }
