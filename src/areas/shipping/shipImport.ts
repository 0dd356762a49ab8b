import type { Text } from '#src/domain/text.ts'
import { isTracking, trackingOf } from './courier.ts'

const IMPORT_LINES_MAX = 5000
/** Rows that may stand above the head: a title, a date. */
const HEAD_WITHIN = 10
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
export type ShipImport = { lines: ShipLine[]; faults: ShipFault[] } | { fault: Text }

const columns = {
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
      '快递',
      '物流',
      '承运商',
      '快递公司编码',
      '物流商',
      'courier',
      'couriername',
      'couriercode',
      'carrier',
      'express',
    ],
  },
  items: {
    title: ['发货商品', 'Items'],
    names: [
      '发货商品',
      '商品',
      '商品明细',
      '发货明细',
      '商品编号',
      '规格编号',
      'items',
      'item',
      'sku',
      'skus',
    ],
  },
} as const satisfies Record<string, { title: Text; names: readonly string[] }>
type Column = keyof typeof columns
const needed = ['order_no', 'tracking_no'] as const

const plain = (cell: string | undefined): string =>
  (cell ?? '')
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, ' ')
    .trim()
/** A head as it is compared: without spaces, signs, and what stands in brackets (`快递单号（必填）`). */
const headOf = (cell: string | undefined): string =>
  plain(cell)
    .toLowerCase()
    .replace(/\(.*?\)|\[.*?\]|【.*?】/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
const columnOf = (cell: string | undefined): Column | undefined =>
  (Object.keys(columns) as Column[]).find(name =>
    (columns[name].names as readonly string[]).includes(headOf(cell)),
  )
/** `="123"` and `'123` are how spreadsheets are told that a number is text. */
const unwrapped = (cell: string | undefined): string =>
  plain(cell)
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
const scientific = /^[+-]?\d(?:\.\d+)?e\+?\d{1,3}$/i
const orderNo = /^[A-Z0-9]{8,32}$/

/** `A1*2, A2` → two of A1, one of A2; undefined where it can't be read. */
const itemsOf = (cell: string): ShipLine['items'] | undefined => {
  const items: ShipLine['items'] = []
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

/** The head among the first rows: the one that names most columns, both needed ones if any does. */
const findHead = (
  rows: readonly (readonly string[])[],
): { at: number; of: ReadonlyMap<Column, number>; twice: Column | undefined } | undefined => {
  let best: ReturnType<typeof findHead>
  for (const [at, row] of rows.slice(0, HEAD_WITHIN).entries()) {
    const of = new Map<Column, number>()
    let twice: Column | undefined
    for (const [place, cell] of row.entries()) {
      const column = columnOf(cell)
      if (!column) continue
      if (of.has(column)) twice ??= column
      else of.set(column, place)
    }
    if (of.size > (best?.of.size ?? 0)) best = { at, of, twice }
  }
  return best
}

/**
 * Reads the rows of a warehouse's sheet: columns are known by their head, in any order. Each bad
 * line is told in words; the good ones are not held up by it.
 */
export const readShipments = (rows: readonly (readonly string[])[]): ShipImport => {
  if (!rows.some(row => row.some(cell => plain(cell) !== '')))
    return { fault: ['文件中没有内容', 'The file is empty'] }
  const head = findHead(rows)
  const absent = needed.filter(name => !head?.of.has(name)).map(name => columns[name].title)
  if (!head || absent.length > 0)
    return {
      fault: [
        `没有找到“${absent.map(title => title[0]).join('”“')}”列：请保留表头行，列名如 订单号、快递公司、快递单号`,
        `No column “${absent.map(title => title[1]).join('”, “')}”: keep the head row, with columns such as Order no., Courier, Tracking no.`,
      ],
    }
  if (head.twice) {
    const title = columns[head.twice].title
    return {
      fault: [
        `有两个“${title[0]}”列，请删去一个`,
        `There are two columns “${title[1]}”: delete one`,
      ],
    }
  }
  const body = rows
    .map((cells, at) => ({ cells, row: at + 1 }))
    .slice(head.at + 1)
    .filter(({ cells }) => cells.some(cell => plain(cell) !== ''))
  if (body.length === 0) return { fault: ['表头下面没有内容', 'There is nothing below the head'] }
  if (body.length > IMPORT_LINES_MAX)
    return {
      fault: [
        `共 ${body.length} 行，一次最多导入 ${IMPORT_LINES_MAX} 行，请拆成多个文件`,
        `${body.length} lines; at most ${IMPORT_LINES_MAX} at once, split the file`,
      ],
    }

  const lines: ShipLine[] = []
  const faults: ShipFault[] = []
  /** First rows by order, and by order and parcel. */
  const orders = new Map<string, { row: number; partial: boolean }>()
  const parcels = new Map<string, number>()
  const byTracking = new Map<string, ShipLine>()
  for (const { cells, row } of body) {
    const given = (name: Column) => unwrapped(cells[head.of.get(name) ?? -1])
    const no = (text: Text) => void faults.push({ row, text })
    const [order_raw, tracking_raw, courier, items_raw] = [
      given('order_no'),
      given('tracking_no'),
      given('courier'),
      given('items'),
    ]
    const [order_no, tracking_no] = [
      order_raw.toUpperCase().replace(/[\s\p{Pd}]/gu, ''),
      trackingOf(tracking_raw),
    ]
    const spoilt = needed.find(name => scientific.test(given(name)))
    const long = (Object.keys(columns) as Column[]).find(name => given(name).length > CELL_MAX)
    if (long) {
      no([`“${columns[long].title[0]}”过长`, `“${columns[long].title[1]}” is too long`])
      continue
    }
    if (spoilt) {
      no([
        `“${columns[spoilt].title[0]}”被表格软件改成了科学计数法（${given(spoilt)}），末尾数字已丢失：把该列设为“文本”格式，再重新填写`,
        `“${columns[spoilt].title[1]}” was turned into ${given(spoilt)} by the spreadsheet and its last digits are lost: format the column as text and fill it in again`,
      ])
      continue
    }
    if (!order_no) {
      no(['缺少订单号', 'No order number'])
      continue
    }
    if (!orderNo.test(order_no)) {
      no([
        `订单号 ${order_raw.slice(0, 40)} 无法识别`,
        `${order_raw.slice(0, 40)} is no order number`,
      ])
      continue
    }
    if (!tracking_no) {
      no(['缺少快递单号', 'No tracking number'])
      continue
    }
    if (!isTracking(tracking_no)) {
      no([
        `快递单号 ${tracking_raw.slice(0, 48)} 无法识别：应为 6–40 位字母和数字`,
        `${tracking_raw.slice(0, 48)} is no tracking number: 6 to 40 letters and digits`,
      ])
      continue
    }
    const items = itemsOf(items_raw)
    if (!items) {
      no([
        `发货商品“${items_raw.slice(0, 40)}”无法识别：写作 编号*数量，多个用逗号隔开`,
        `Items “${items_raw.slice(0, 40)}” can’t be read: write number*quantity, with commas between`,
      ])
      continue
    }
    const parcel = `${order_no} ${tracking_no}`
    const before = orders.get(order_no)
    if (parcels.has(parcel)) {
      no([`与第 ${parcels.get(parcel)} 行重复`, `The same as line ${parcels.get(parcel)}`])
      continue
    }
    if (before && (items.length === 0 || !before.partial)) {
      no([
        `订单 ${order_no} 已在第 ${before.row} 行：拆成多个包裹时，每行都要填写发货商品`,
        `Order ${order_no} is in line ${before.row} already: with several parcels, each line says its items`,
      ])
      continue
    }
    parcels.set(parcel, row)
    if (!before) orders.set(order_no, { row, partial: items.length > 0 })
    const shared = byTracking.get(tracking_no)
    const line: ShipLine = {
      row,
      order_no,
      courier,
      tracking_no,
      items,
      ...(shared && {
        warning: [
          `与第 ${shared.row} 行（订单 ${shared.order_no}）用同一个快递单号`,
          `The same tracking number as line ${shared.row} (order ${shared.order_no})`,
        ],
      }),
    }
    if (!shared) byTracking.set(tracking_no, line)
    lines.push(line)
  }
  return { lines, faults }
}
