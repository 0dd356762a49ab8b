import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { product_sku } from '#src/areas/product/product.table.ts'
import { columns } from '#src/areas/shipping/shipHead.ts'
import type { ShipLine } from '#src/areas/shipping/shipImport.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { couriersOn, parcelBy, toShip, type Courier } from '#src/areas/shipping/shipping.server.ts'
import type { ShipSheets } from '#src/areas/shipping/shipSheets.ts'
import type { Result } from '#src/contract/call.ts'
import { grouped } from '#src/domain/grouped.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import type { SheetLine, ShipCalls } from '../contract/ship.ts'

type Item = { item: typeof order_item.$inferSelect; sku: string | null }
/** What a sheet's lines are looked up in, by order and by number: a sheet has thousands of lines. */
type Known = {
  couriers: readonly Courier[]
  orders: ReadonlyMap<string, Order>
  items: ReadonlyMap<number, readonly Item[]>
  parcels: ReadonlyMap<number, readonly { tracking_no: string }[]>
  /** Open orders that go under a number. */
  shared: ReadonlyMap<string, readonly { order_id: number; order_no: string }[]>
}

const readKnown = async (
  db: Db,
  kinds: readonly OrderKind[],
  lines: readonly ShipLine[],
  staff: Pick<Staff, 'scope'>,
): Promise<Known> => {
  const couriers = await couriersOn(db)
  const orders = await db
    .select()
    .from(order)
    .where(
      and(
        sql`${order.order_no} = any(${sql.param(lines.map(line => line.order_no))}::text[])`,
        inArray(order.kind, [...kinds]),
        within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      ),
    )
  const ids = sql`any(${sql.param(orders.map(row => row.id))}::int[])`
  const items = await db
    .select({ item: order_item, sku: product_sku.code })
    .from(order_item)
    .leftJoin(product_sku, eq(product_sku.id, order_item.sku_id))
    .where(sql`${order_item.order_id} = ${ids}`)
    .orderBy(order_item.id)
  const parcels = await db
    .select({ order_id: shipment.order_id, tracking_no: shipment.tracking_no })
    .from(shipment)
    .where(and(sql`${shipment.order_id} = ${ids}`, ne(shipment.state, 'void')))
  const numbers = sql`any(${sql.param(lines.map(line => line.tracking_no))}::text[])`
  const shared = await db
    .select({
      tracking_no: shipment.tracking_no,
      order_id: shipment.order_id,
      order_no: order.order_no,
    })
    .from(shipment)
    .innerJoin(order, eq(order.id, shipment.order_id))
    .where(
      and(
        sql`${shipment.tracking_no} = ${numbers}`,
        ne(shipment.state, 'void'),
        inArray(order.fulfil_state, ['part_shipped', 'shipped']),
      ),
    )
  return {
    couriers,
    orders: new Map(orders.map(row => [row.order_no, row])),
    items: grouped(items, one => one.item.order_id),
    parcels: grouped(parcels, one => one.order_id),
    shared: grouped(shared, one => one.tracking_no),
  }
}

type Wanted = { id: number; qty: number; most: number; title: string }
/** The units that a line sends: those it names, else all that may go; or why it can't. */
const wantedOf = (line: ShipLine, own: readonly Item[]): { wanted: Wanted[] } | { bad: Text } => {
  const wanted: Wanted[] = []
  for (const { ref, qty } of line.items) {
    const found = own.find(
      ({ item, sku }) => sku === ref || String(item.id) === ref || String(item.product_id) === ref,
    )
    if (!found) return { bad: [`订单里没有商品 ${ref}`, `The order has no item ${ref}`] }
    const { item } = found
    wanted.push({ id: item.id, qty, most: toShip(item), title: item.title })
  }
  if (line.items.length === 0)
    for (const { item } of own) {
      const most = toShip(item)
      if (most > 0) wanted.push({ id: item.id, qty: most, most, title: item.title })
    }
  const many = wanted.find(one => one.qty > one.most)
  if (many)
    return {
      bad: [
        `「${many.title}」最多还能发 ${many.most} 件`,
        `At most ${many.most} of “${many.title}” can go`,
      ],
    }
  return wanted.length === 0
    ? { bad: ['没有可发的商品：已发出或退款中', 'Nothing to ship: it was sent, or is in refund'] }
    : { wanted }
}

type Foreseen = Omit<SheetLine, 'text'> & { text: Text | undefined }
/** What would become of one line of an order that there is. */
const foreseenOf = (line: ShipLine, row: Order, known: Known, look: Foreseen): Foreseen => {
  const own = known.items.get(row.id) ?? []
  const parcel = parcelBy(line.tracking_no, { name: line.courier || undefined }, known.couriers)
  if ('fault' in parcel) return { ...look, text: parcel.fault }
  const by = { ...look, courier_id: parcel.courier.id, courier_name: parcel.courier.name }
  const sent = known.parcels.get(row.id) ?? []
  if (sent.some(one => one.tracking_no === line.tracking_no))
    return { ...by, state: 'already', text: ['已按此单号发货', 'Shipped by this number already'] }
  const may = orderCan('ship', row)
  if (may !== true) {
    const before = sent[0]?.tracking_no
    return {
      ...by,
      text: before ? [`${may[0]}（已用 ${before} 发货）`, `${may[1]} (it went by ${before})`] : may,
    }
  }
  const goes = wantedOf(line, own)
  if ('bad' in goes) return { ...by, text: goes.bad }
  const other = known.shared.get(line.tracking_no)?.find(one => one.order_id !== row.id)
  return {
    ...by,
    state: 'ready',
    text:
      line.warning ??
      (other && [
        `单号已用于在途订单 ${other.order_no}`,
        `The number of order ${other.order_no}, which is on its way`,
      ]),
    qty: goes.wanted.reduce((all, one) => all + one.qty, 0),
    items: line.items.length > 0 ? goes.wanted.map(({ id, qty }) => ({ id, qty })) : null,
  }
}

/** What would become of the lines of a sheet, in a few reads for all of them. */
const foreseen = async (
  db: Db,
  kinds: readonly OrderKind[],
  lines: readonly ShipLine[],
  staff: Pick<Staff, 'scope' | 'lang'>,
): Promise<SheetLine[]> => {
  const known = await readKnown(db, kinds, lines, staff)
  return lines.map(line => {
    const row = known.orders.get(line.order_no)
    const look: Foreseen = {
      row: line.row,
      order_no: line.order_no,
      tracking_no: line.tracking_no,
      state: 'bad',
      text: ['没有这个订单，或不在你的数据范围内', 'No such order, or outside your data scope'],
      order_id: row?.id ?? null,
      courier_id: null,
      courier_name: line.courier,
      title: (row && known.items.get(row.id)?.[0]?.item.title) ?? '',
      qty: 0,
      items: null,
    }
    const { text, ...of } = row ? foreseenOf(line, row, known, look) : look
    return { ...of, text: text ? say(text, staff.lang) : '' }
  })
}

/** A line that is shown for what it says alone. */
const told = (row: number, state: 'bad' | 'skipped', text: string): SheetLine => ({
  row,
  order_no: '',
  tracking_no: '',
  state,
  text,
  order_id: null,
  courier_id: null,
  courier_name: '',
  title: '',
  qty: 0,
  items: null,
})
/** What is answered of a sheet: what is wrong with it, what it leaves open, or all of its lines. */
export const sheetAnswer = async (
  db: Db,
  kinds: readonly OrderKind[],
  found: ShipSheets | { fault: Text },
  staff: Pick<Staff, 'scope' | 'lang'>,
): Promise<Result<ShipCalls['readSheet']>> => {
  // What stands in the file is the sender's own, whatever orders they may see.
  needsNoScope(staff)
  const text = (one: Text) => say(one, staff.lang)
  const nothing = { fault: null, questions: [], notes: [], counted: null, lines: [] }
  if ('fault' in found) return { ...nothing, fault: text(found.fault), sheet: '', sheets: [] }
  const { read, ...which } = found
  if ('fault' in read) return { ...nothing, ...which, fault: text(read.fault) }
  if ('questions' in read) {
    const questions = read.questions.map(one => ({
      ...one,
      title: text(columns[one.column].title),
    }))
    return { ...nothing, ...which, questions }
  }
  const lines = [
    ...read.faults.map(one => told(one.row, 'bad', text(one.text))),
    ...read.skipped.map(one => told(one.row, 'skipped', text(one.text))),
    ...(await foreseen(db, kinds, read.lines, staff)),
  ].sort((a, b) => a.row - b.row)
  return {
    ...nothing,
    ...which,
    notes: read.notes.map(text),
    counted: { ...read.counted, read: lines.length },
    lines,
  }
}
