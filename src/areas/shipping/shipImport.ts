import { columnLetters, isTotal, plain, unwrapped } from '#src/areas/sheet/heads.ts'
import type { Text } from '#src/domain/text.ts'
import { lossOf, readTracking } from './courier.ts'
import {
  columnNames,
  columnOf,
  columns,
  findHead,
  itemsOf,
  needed,
  type Chosen,
  type Column,
  type Head,
  type Question,
} from './shipHead.ts'

const IMPORT_LINES_MAX = 5000
const CELL_MAX = 500

/** `items` empty: all that is left to ship. `ref` is a number of the item as the sheet has it. */
export type ShipLine = {
  /** As the spreadsheet counts, from 1. */ row: number
  order_no: string
  /** Name or code as given; empty: to be found by the number. */ courier: string
  tracking_no: string
  items: { ref: string; qty: number }[]
  /** To be looked at, not refused. */ warning?: Text
}
type ShipFault = { row: number; text: Text }
/** Lines of a file that hold something: all of them, and those that are no rows below the head. */
type Counted = {
  all: number
  /** The head and what stands above it. */ above: number
  /** Further lines of cells that hold line ends. */ inside: number
}
/** Every row below the head is a line, a fault, or skipped as no parcel; or the file is refused. */
export type ShipRead =
  | {
      lines: ShipLine[]
      faults: ShipFault[]
      skipped: ShipFault[]
      notes: Text[]
      counted: Counted
    }
  | { questions: Question[] }
  | { fault: Text }
type Body = readonly { cells: readonly string[]; row: number }[]

const orderNo = /^[A-Z0-9]{8,32}$/
/** Why a row is no parcel and none was meant: the head once more, or a sum. */
const skippedAs = (cells: readonly string[], head: Head): Text | undefined => {
  if (needed.every(name => columnOf(cells[head.of.get(name)!]) === name))
    return ['重复的表头，已跳过', 'The head once more: left out']
  return isTotal(cells) ? ['合计行，已跳过', 'A total: left out'] : undefined
}

type Given = { row: number; cells: readonly string[]; head: Head }
const given = ({ cells, head }: Given, name: Column) => unwrapped(cells[head.of.get(name) ?? -1])
/** A loss of digits in a needed cell, with the cell's name. */
const lostIn = (of: Given): Text | undefined => {
  for (const name of needed) {
    const loss = lossOf(given(of, name))
    const at = `${columnLetters(of.head.of.get(name)!)}${of.row}`
    if (loss)
      return [
        `“${columns[name].title[0]}”${loss[0]}（单元格 ${at}）`,
        `“${columns[name].title[1]}” ${loss[1]} (cell ${at})`,
      ]
  }
  return undefined
}
/** The line of a row by itself, or what is wrong with it. */
const lineOf = (of: Given): ShipLine | { fault: Text } => {
  const long = columnNames.find(name => given(of, name).length > CELL_MAX)
  if (long)
    return { fault: [`“${columns[long].title[0]}”过长`, `“${columns[long].title[1]}” is too long`] }
  const loss = lostIn(of)
  if (loss) return { fault: loss }
  const typed = given(of, 'order_no')
  const order_no = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '')
  if (!order_no) return { fault: ['缺少订单号', 'No order number'] }
  if (!orderNo.test(order_no))
    return {
      fault: [`订单号 ${typed.slice(0, 40)} 无法识别`, `${typed.slice(0, 40)} is no order number`],
    }
  // A line end may part two numbers in a cell, and is gone once the cell is made plain.
  const tracking = given(of, 'tracking_no')
  if (!tracking) return { fault: ['缺少快递单号', 'No tracking number'] }
  const read = readTracking(tracking)
  if ('fault' in read) return read
  const given_items = given(of, 'items')
  const items = itemsOf(given_items)
  if (!items)
    return {
      fault: [
        `发货商品“${given_items.slice(0, 40)}”无法识别：写作 编号*数量，多个用逗号隔开`,
        `Items “${given_items.slice(0, 40)}” can’t be read: write number*quantity, with commas between`,
      ],
    }
  return {
    row: of.row,
    order_no,
    courier: given(of, 'courier'),
    tracking_no: read.tracking_no,
    items,
  }
}

/** Lines beside each other: an order or a parcel that stands there twice, a number of two orders. */
const openLines = () => {
  const orders = new Map<string, { row: number; partial: boolean }>()
  const parcels = new Map<string, number>()
  const byTracking = new Map<string, ShipLine>()
  /** Takes a line, with what deserves a look; or says why it can't go beside those before it. */
  return (line: ShipLine): ShipLine | { fault: Text } => {
    const { order_no, tracking_no, row, items } = line
    const parcel = `${order_no} ${tracking_no}`
    const before = orders.get(order_no)
    if (parcels.has(parcel))
      return {
        fault: [`与第 ${parcels.get(parcel)} 行重复`, `The same as line ${parcels.get(parcel)}`],
      }
    if (before && (items.length === 0 || !before.partial))
      return {
        fault: [
          `订单 ${order_no} 已在第 ${before.row} 行：拆成多个包裹时，每行都要填写发货商品`,
          `Order ${order_no} is in line ${before.row} already: with several parcels, each line says its items`,
        ],
      }
    parcels.set(parcel, row)
    if (!before) orders.set(order_no, { row, partial: items.length > 0 })
    const shared = byTracking.get(tracking_no)
    if (!shared) {
      byTracking.set(tracking_no, line)
      return line
    }
    return {
      ...line,
      warning: [
        `与第 ${shared.row} 行（订单 ${shared.order_no}）用同一个快递单号`,
        `The same tracking number as line ${shared.row} (order ${shared.order_no})`,
      ],
    }
  }
}
const hiddenWarning: Text = [
  '该行在表格中被筛选或隐藏，确认要发货',
  'The spreadsheet hides this line by a filter: be sure that it is meant',
]
const readBody = (body: Body, head: Head, hidden: ReadonlySet<number>) => {
  const take = openLines()
  const lines: ShipLine[] = []
  const faults: ShipFault[] = []
  const skipped: ShipFault[] = []
  for (const { cells, row } of body) {
    const skip = skippedAs(cells, head)
    if (skip) {
      skipped.push({ row, text: skip })
      continue
    }
    const alone = lineOf({ row, cells, head })
    const line = 'fault' in alone ? alone : take(alone)
    if ('fault' in line) faults.push({ row, text: line.fault })
    else lines.push(hidden.has(row) && !line.warning ? { ...line, warning: hiddenWarning } : line)
  }
  return { lines, faults, skipped }
}
const isBlank = (cells: readonly string[]) => cells.every(cell => plain(cell) === '')

/** The fault of a sheet without a usable head; undefined for one that has it. */
const headFault = (head: Head | undefined): Text | undefined => {
  const absent = needed.filter(name => !head?.of.has(name)).map(name => columns[name].title)
  return absent.length === 0
    ? undefined
    : [
        `没有找到“${absent.map(title => title[0]).join('”“')}”列：请保留表头行，列名如 订单号、快递公司、快递单号`,
        `No column “${absent.map(title => title[1]).join('”, “')}”: keep the head row, with columns such as Order no., Courier, Tracking no.`,
      ]
}
/** Whether a sheet has a head by which parcels can be read. */
export const hasParcels = (rows: readonly (readonly string[])[]): boolean =>
  headFault(findHead(rows)) === undefined

/**
 * Reads the rows of a warehouse's sheet: columns are known by their head, in any order. Each bad
 * line is told in words; the good ones are not held up by it. `hidden` are rows that the spreadsheet
 * does not show, from 1; `all` is how many lines the file has that hold something.
 */
export const readShipments = (
  rows: readonly (readonly string[])[],
  of: { chosen?: Chosen; hidden?: readonly number[]; all?: number } = {},
): ShipRead => {
  const full = rows.filter(row => !isBlank(row)).length
  if (full === 0) return { fault: ['文件中没有内容', 'The file is empty'] }
  const head = findHead(rows, of.chosen)
  const fault = headFault(head)
  if (!head || fault) return { fault: fault! }
  const body = rows
    .map((cells, at) => ({ cells, row: at + 1 }))
    .slice(head.at + 1)
    .filter(({ cells }) => !isBlank(cells))
  if (body.length === 0) return { fault: ['表头下面没有内容', 'There is nothing below the head'] }
  if (body.length > IMPORT_LINES_MAX)
    return {
      fault: [
        `共 ${body.length} 行，一次最多导入 ${IMPORT_LINES_MAX} 行，请拆成多个文件`,
        `${body.length} lines; at most ${IMPORT_LINES_MAX} at once, split the file`,
      ],
    }
  if (head.questions.length > 0) return { questions: head.questions }
  const hidden = new Set(of.hidden)
  const hides = body.filter(({ row }) => hidden.has(row)).length
  const all = of.all ?? full
  return {
    ...readBody(body, head, hidden),
    notes: [
      ...head.notes,
      ...(hides > 0
        ? [
            [
              `有 ${hides} 行在表格中被筛选或隐藏，也已读取`,
              `${hides} lines that the spreadsheet hides were read too`,
            ] as const,
          ]
        : []),
    ],
    counted: { all, above: full - body.length, inside: Math.max(0, all - full) },
  }
}
