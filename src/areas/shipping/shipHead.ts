import { headOf, plain } from '#src/areas/sheet/heads.ts'
import type { Text } from '#src/domain/text.ts'

/** Rows that may stand above the head: a title, a date, instructions. */
const HEAD_WITHIN = 30

export const columns = {
  order_no: {
    title: ['订单号', 'Order no.'],
    names: [
      '订单号',
      '订单编号',
      '订单',
      '商城订单号',
      '平台订单号',
      'orderno',
      'ordernumber',
      'orderid',
      'order',
    ],
  },
  tracking_no: {
    title: ['快递单号', 'Tracking no.'],
    names: [
      '快递单号',
      '物流单号',
      '运单号',
      '运单编号',
      '快递号',
      '快递编号',
      '物流编号',
      '面单号',
      'trackingno',
      'trackingnumber',
      'tracking',
      'waybill',
      'waybillno',
      'expressno',
    ],
  },
  courier: {
    title: ['快递公司', 'Courier'],
    names: [
      '快递公司',
      '物流公司',
      '承运商',
      '快递公司编码',
      '物流商',
      'courier',
      'couriername',
      'couriercode',
      'carrier',
      '快递',
      '物流',
      'express',
    ],
  },
  items: {
    title: ['发货商品', 'Items'],
    names: [
      '发货商品',
      '发货明细',
      'items',
      '商品明细',
      '商品编号',
      '规格编号',
      'sku',
      'skus',
      '商品',
      'item',
    ],
  },
} as const satisfies Record<string, { title: Text; names: readonly string[] }>
export type Column = keyof typeof columns
export const columnNames = Object.keys(columns) as Column[]
/** Without these nothing can be shipped. */
export const needed = ['order_no', 'tracking_no'] as const
/** Titles of items under which a column always says what to send; others may hold names of goods. */
const saysItems: readonly string[] = ['发货商品', '发货明细']
/** Titles under which most sheets have names of goods: they count with quantities alone. */
const namesGoods: readonly string[] = ['商品', 'item']

type Rows = readonly (readonly string[])[]
/** Columns by number from 0, as a person has chosen them among several of one meaning. */
export type Chosen = Partial<Record<Column, number | undefined>>
/** Several columns could be meant. The likeliest choice stands first. */
export type Question = {
  column: Column
  choices: { at: number; head: string; sample: string }[]
}
export type Head = {
  /** Its last row, from 0. */ at: number
  of: ReadonlyMap<Column, number>
  questions: Question[]
  notes: Text[]
}

export const columnOf = (cell: string | undefined): Column | undefined => {
  const head = headOf(cell)
  return columnNames.find(name => (columns[name].names as readonly string[]).includes(head))
}

/** `A1*2, A2` → two of A1, one of A2; undefined where it can't be read. */
export const itemsOf = (cell: string): { ref: string; qty: number }[] | undefined => {
  const items: { ref: string; qty: number }[] = []
  for (const part of cell
    .split(/[,;、\n]/)
    .map(one => one.trim())
    .filter(Boolean)) {
    const found = /^([\w-]{1,40})(?:\s*[*x×:]\s*(\d{1,4}))?$/i.exec(part)
    const qty = Number(found?.[2] ?? 1)
    if (!found || qty < 1 || items.some(one => one.ref === found[1])) return undefined
    items.push({ ref: found[1]!, qty })
  }
  return items
}

/** The places of each column in a row of heads. */
type Places = ReadonlyMap<Column, readonly number[]>
const placesIn = (titles: readonly (Column | undefined)[]): Places => {
  const places = new Map<Column, number[]>()
  for (const [at, column] of titles.entries())
    if (column) places.set(column, [...(places.get(column) ?? []), at])
  return places
}
const hasNeeded = (places: Places) => needed.every(name => places.has(name))
/** Titles of two rows that together are one: `快递` over `公司` and `单号`. */
const joinedTitles = (above: readonly string[], below: readonly string[]) => {
  let group = ''
  return Array.from({ length: Math.max(above.length, below.length) }, (_, at) => {
    if (plain(above[at]) !== '') group = above[at]!
    return (
      columnOf(`${group}${below[at] ?? ''}`) ??
      columnOf(below[at]) ??
      (plain(below[at]) === '' ? columnOf(above[at]) : undefined)
    )
  })
}
/** The row, or two rows, that name both needed columns and most others; else what comes nearest. */
const findTitles = (
  rows: Rows,
): { at: number; places: Places; titles: readonly string[] } | undefined => {
  let best: { at: number; places: Places; titles: readonly string[] } | undefined
  const consider = (at: number, places: Places, titles: readonly string[]) => {
    const better =
      !best ||
      Number(hasNeeded(places)) > Number(hasNeeded(best.places)) ||
      (hasNeeded(places) === hasNeeded(best.places) && places.size > best.places.size)
    if (places.size > 0 && better) best = { at, places, titles }
  }
  const first = rows.slice(0, HEAD_WITHIN)
  for (const [at, row] of first.entries()) consider(at, placesIn(row.map(columnOf)), row)
  if (best && hasNeeded(best.places)) return best
  for (const [at, row] of first.entries())
    if (at > 0) consider(at, placesIn(joinedTitles(first[at - 1]!, row)), row)
  return best
}

const filled = (body: Rows, at: number): string[] =>
  body.map(cells => plain(cells[at])).filter(cell => cell !== '')
/** Whether a column says what to send, by its title and by what it holds. */
const holdsItems = (title: string, cells: readonly string[]): boolean => {
  if (saysItems.includes(title)) return true
  if (cells.length === 0) return false
  const read = cells.filter(cell => itemsOf(cell) !== undefined)
  return namesGoods.includes(title)
    ? read.length === cells.length && cells.every(cell => /[*x×:]\s*\d{1,4}$/i.test(cell))
    : read.length * 2 > cells.length
}
const fits: Readonly<Record<Column, (cell: string) => boolean>> = {
  order_no: cell => /^(?=.*\d)[A-Z0-9]{8,32}$/i.test(cell),
  tracking_no: cell => /^(?=.*\d)[A-Z0-9]{6,40}$/i.test(cell),
  courier: cell => cell.length > 1 && !/^\d+$/.test(cell),
  items: cell => itemsOf(cell) !== undefined,
}
const SAMPLE_MAX = 40
/** The choices among columns of one meaning, by how much of each fits, then by their titles. */
const choicesOf = (
  column: Column,
  among: readonly number[],
  body: Rows,
  titles: readonly string[],
): Question => {
  const names = columns[column].names as readonly string[]
  const ranked = among.map(at => {
    const cells = filled(body, at)
    return {
      at,
      head: plain(titles[at]),
      sample: (cells[0] ?? '').slice(0, SAMPLE_MAX),
      fit: cells.filter(fits[column]).length,
      name: names.indexOf(headOf(titles[at])),
    }
  })
  ranked.sort((a, b) => b.fit - a.fit || a.name - b.name || a.at - b.at)
  return { column, choices: ranked.map(({ at, head, sample }) => ({ at, head, sample })) }
}

/**
 * Finds the head of a table and its columns: by their titles, and by what stands below where titles
 * alone don't say it. Undefined where there is none among the first rows.
 */
export const findHead = (rows: Rows, chosen: Chosen = {}): Head | undefined => {
  const found = findTitles(rows)
  if (!found) return undefined
  const { at, places, titles } = found
  const body = rows.slice(at + 1)
  const of = new Map<Column, number>()
  const questions: Question[] = []
  const notes: Text[] = []
  for (const [column, all] of places) {
    const among =
      column === 'items'
        ? all.filter(place => holdsItems(headOf(titles[place]), filled(body, place)))
        : all
    if (column === 'items' && among.length === 0) {
      const name = plain(titles[all[0]!])
      notes.push([
        `“${name}”列是商品名称，不作为发货商品：按订单整单发货`,
        `“${name}” holds names of goods, not items to send: whole orders are shipped`,
      ])
      continue
    }
    const full = among.filter(place => filled(body, place).length > 0)
    const wanted = chosen[column]
    if (wanted !== undefined && among.includes(wanted)) of.set(column, wanted)
    else if (full.length > 1) questions.push(choicesOf(column, full, body, titles))
    else of.set(column, full[0] ?? among[0]!)
  }
  // A head that asks is one all the same: its needed columns are there.
  for (const { column, choices } of questions) of.set(column, choices[0]!.at)
  return { at, of, questions, notes }
}
