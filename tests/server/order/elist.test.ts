import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { elist as calls, elistDetail as detail } from '#src/modules/order/contract/elist.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import type { SheetLine } from '#src/modules/order/contract/ship.ts'
import type { App } from '#src/server/app.ts'
import type { Database } from '#src/server/db/database.ts'
import { freezeOrder } from '#src/server/services/freeze.ts'
import { payOrder } from '#src/server/services/payments.ts'
import { openRefund } from '#src/server/services/refunds.ts'
import { placeOrder } from '#src/server/services/trade.ts'
import { op_log } from '#src/server/tables/log.ts'
import { order, order_item, order_log, shipment } from '#src/server/tables/order.ts'
import { product } from '#src/server/tables/product.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { freshProduct } from '../../help/trade.ts'

const DAY = 86_400
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let goods: (typeof product.$inferSelect)[]
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  goods = []
  for (const price_cents of [100_01, 33_33]) {
    const made = await database.transaction(tx => freshProduct(tx, 'elist'))
    const [item] = await database.db.update(product).set({ stock: 10_000, price_cents, sale_start_at: unixNow() - 100 * DAY, sale_end_at: unixNow() + 90 * DAY }).where(eq(product.id, made.item.id)).returning()
    goods.push(item!)
  }
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) => send(app, what, input, { token })
const receiver = { name: '陈晓', phone: '13812345678', area: '浙江省杭州市西湖区', address: '文三路 18 号 2 幢 601 室' }
let buyer = 30
const ordered = (qtys: readonly number[] = [1], ago = 30) => database.transaction(tx => placeOrder(tx, { member_id: ++buyer, lines: qtys.map((qty, at) => ({ product_id: goods[at]!.id, qty })), receiver, freight_cents: 8_00, now: unixNow() - ago }))
const bought = async (qtys: readonly number[] = [1], ago = 30) => {
  const { id } = await ordered(qtys, ago)
  await database.transaction(tx => payOrder(tx, id, unixNow() - ago))
  return held(id)
}
const held = async (id: number) => {
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  const items = await database.db.select().from(order_item).where(eq(order_item.order_id, id)).orderBy(order_item.id)
  const parcels = await database.db.select().from(shipment).where(eq(shipment.order_id, id)).orderBy(shipment.id)
  return { row: row!, one: { id, version: row!.version }, items, parcels }
}
let parcel = 1_438_270_000_000
const sf = () => `SF${++parcel}`
const sent = async (qtys: readonly number[] = [1]) => { const { one } = await bought(qtys); await call(calls.ship, { ...one, tracking_no: sf() }); return held(one.id) }
const refundOf = (id: number, wanted: 'all' | { items: { id: number; qty: number }[] } = 'all') => database.transaction(tx => openRefund(tx, { order_id: id, wanted, source: 'member', cause: 'apply', reason: '不想要了', actor: { type: 'member' }, now: unixNow() }))

describe('a parcel', () => {
  it('goes by its number alone: the courier is told by it, the buyer’s clock of receipt begins, and who shipped it is on record', async () => {
    const { one } = await bought()
    const said = await call(calls.ship, { ...one, tracking_no: ' sf-1438 270956123 ' })
    expect(said.data).toMatchObject({ courier_name: '顺丰速运', tracking_no: 'SF1438270956123', status: 'shipped' })
    const { row, parcels } = await held(one.id)
    expect([parcels.length, parcels[0]!.courier, parcels[0]!.shipped_by, row.receive_by! - parcels[0]!.shipped_at]).toEqual([1, 'shunfeng', me.id, 10 * DAY])
    const [logged] = await database.db.select().from(op_log).where(and(eq(op_log.object_type, 'order'), eq(op_log.object_id, one.id))).orderBy(sql`id desc`).limit(1)
    expect([logged!.admin_id, logged!.after]).toMatchObject([me.id, { status: 'shipped', tracking_no: '顺丰速运 SF1438270956123' }])
  })
  it('needs a number of its courier’s form, and says whose it looks like', async () => {
    const { one } = await bought()
    const { list } = (await call(calls.couriers, {})).data as { list: { id: number; name: string }[] }
    const zto = list.find(each => each.name === '中通快递')!
    const wrong = await call(calls.ship, { ...one, courier_id: zto.id, tracking_no: 'SF1438270956124' })
    expect([wrong.data.rule, wrong.message]).toEqual(['tracking', 'SF1438270956124 不是中通快递的单号（如 78651203498817），像是顺丰速运'])
    expect((await call(calls.ship, { ...one, tracking_no: 'XYZ123' })).message).toContain('不像任何一家快递的单号')
    expect((await call(calls.ship, { ...one, tracking_no: '已发货' })).status).toBe(400)
    expect((await call(calls.ship, { ...one, tracking_no: '已经发货了' })).message).toContain('6–40 位')
    expect((await held(one.id)).parcels).toEqual([])
  })
  it('may not repeat the number of another open order, unless that is said to be meant', async () => {
    const [a, b] = [await sent(), await bought()]
    const again = await call(calls.ship, { ...b.one, tracking_no: a.parcels[0]!.tracking_no })
    expect([again.data.rule, again.message.includes(a.row.order_no)]).toEqual(['same_tracking', true])
    expect((await call(calls.ship, { ...b.one, tracking_no: a.parcels[0]!.tracking_no, anyway: true })).status).toBe(200)
  })
  it('takes the units that were named; the order is part shipped until the last has gone', async () => {
    const { one, items } = await bought([3, 2])
    const first = await call(calls.ship, { ...one, tracking_no: sf(), items: [{ id: items[0]!.id, qty: 2 }] })
    expect(first.data.status).toBe('part_shipped')
    const now = { id: one.id, version: first.data.version }
    const many = await call(calls.ship, { ...now, tracking_no: sf(), items: [{ id: items[0]!.id, qty: 2 }] })
    expect([many.data.rule, many.message]).toEqual(['too_many', `「${items[0]!.title}」最多还能发 1 件`])
    const rest = await call(calls.ship, { ...now, tracking_no: sf() })
    expect(rest.data.status).toBe('shipped')
    expect((await held(one.id)).parcels.map(each => each.items.map(item => item.qty))).toEqual([[2], [1, 2]])
    expect((await call(calls.ship, { ...one, version: rest.data.version, tracking_no: sf() })).data.rule).toBe('not_shippable')
  })
  it('leaves what is in refund behind, and none goes of a frozen or an unpaid order', async () => {
    const { one, items } = await bought([1, 1])
    await refundOf(one.id, { items: [{ id: items[0]!.id, qty: 1 }] })
    const { one: now } = await held(one.id)
    expect((await call(calls.ship, { ...now, tracking_no: sf(), items: [{ id: items[0]!.id, qty: 1 }] })).data.rule).toBe('too_many')
    expect((await call(calls.ship, { ...now, tracking_no: sf() })).status).toBe(200)
    expect((await held(one.id)).parcels.map(each => each.items)).toEqual([[{ item_id: items[1]!.id, qty: 1 }]])
    const cold = await bought()
    await database.transaction(tx => freezeOrder(tx, { order_id: cold.row.id, by: 'staff', reason: '核实', now: unixNow() }))
    expect((await call(calls.ship, { ...(await held(cold.row.id)).one, tracking_no: sf() })).message).toContain('冻结')
    const { id } = await ordered()
    expect((await call(calls.ship, { ...(await held(id)).one, tracking_no: sf() })).message).toContain('未付款')
  })
  it('can have another number for 24 hours, each change with its reason', async () => {
    const { row, parcels: [first] } = await sent()
    const change = { id: row.id, shipment_id: first!.id, version: first!.version, reason: '录错单号' }
    const said = await call(calls.editTracking, { ...change, tracking_no: 'YT8830274615509' })
    expect(said.status).toBe(200)
    expect((await held(row.id)).parcels).toMatchObject([{ courier: 'yuantong', tracking_no: 'YT8830274615509', traces: [] }])
    expect((await call(calls.editTracking, { ...change, tracking_no: sf() })).data.rule).toBe('stale')
    await database.db.update(shipment).set({ shipped_at: unixNow() - DAY - 5 }).where(eq(shipment.id, first!.id))
    expect((await call(calls.editTracking, { ...change, version: first!.version + 1, tracking_no: sf() })).data.rule).toBe('too_late')
    const other = await sent()
    expect((await call(calls.editTracking, { ...change, id: other.row.id, tracking_no: sf() })).status).toBe(404)
    const [noted] = await database.db.select().from(order_log).where(and(eq(order_log.order_id, row.id), eq(order_log.event, 'tracking')))
    expect(noted!.memo).toContain('录错单号')
  })
})

const csv = (...rows: string[][]) => Buffer.from(`\ufeff${[['订单号', '快递公司', '快递单号', '发货商品'], ...rows].map(cells => cells.join(',')).join('\r\n')}`).toString('base64')
const read = async (...rows: string[][]) => (await call(calls.readSheet, { file: csv(...rows) })).data as { fault: string | null; lines: SheetLine[] }
const go = async (lines: readonly SheetLine[], token = me.token) => (await call(calls.batchShip, { lines: lines.filter(line => line.state === 'ready').map(({ row, order_id, courier_id, tracking_no, items }) => ({ row, order_id, courier_id, tracking_no, items })) }, token)).data.lines as { row: number; result: string; text: string }[]

describe('a sheet of parcels', () => {
  it('is read line by line: good lines go, bad ones say what to mend, and the same file again ships nothing twice', async () => {
    const [a, b, c] = [await bought(), await bought(), await bought()]
    const rows = [[a.row.order_no, '顺丰', sf(), ''], [b.row.order_no, '', sf(), ''], ['EL0000000000', '', sf(), ''], [c.row.order_no, '中通快递', 'SF1438279999999', '']]
    const first = await read(...rows)
    expect(first.lines.map(line => [line.row, line.state, line.text])).toEqual([[2, 'ready', ''], [3, 'ready', ''], [4, 'bad', '没有这个订单，或不在你的数据范围内'], [5, 'bad', 'SF1438279999999 不是中通快递的单号（如 78651203498817），像是顺丰速运']])
    expect((await go(first.lines)).map(line => line.result)).toEqual(['shipped', 'shipped'])
    // The lines as they were read, once more; then the file.
    expect((await go(first.lines)).map(line => line.result)).toEqual(['already', 'already'])
    const again = await read(...rows)
    expect(again.lines.map(line => line.state)).toEqual(['already', 'already', 'bad', 'bad'])
    expect((await Promise.all([a, b, c].map(each => held(each.row.id)))).map(each => each.parcels.length)).toEqual([1, 1, 0])
  })
  it('ships parcels of an order by their items, named by product or item', async () => {
    const { row, items } = await bought([2, 1])
    const { lines } = await read([row.order_no, '', sf(), `${goods[0]!.id}*2`], [row.order_no, '', sf(), String(items[1]!.id)], [row.order_no, '', sf(), 'NIX-9'], [row.order_no, '', sf(), `${goods[1]!.id}*5`])
    expect(lines.map(line => [line.state, line.text])).toEqual([['ready', ''], ['ready', ''], ['bad', '订单里没有商品 NIX-9'], ['bad', `「${items[1]!.title}」最多还能发 1 件`]])
    await go(lines)
    const after = await held(row.id)
    expect([after.row.status, after.parcels.length]).toEqual(['shipped', 2])
  })
  it('tells why an order can’t go, and by which number it went before', async () => {
    const [over, cold, unpaid] = [await sent(), await bought(), await ordered()]
    await database.transaction(tx => freezeOrder(tx, { order_id: cold.row.id, by: 'staff', reason: '核实', now: unixNow() }))
    const { lines } = await read([over.row.order_no, '', sf(), ''], [cold.row.order_no, '', sf(), ''], [unpaid.order_no, '', sf(), ''])
    expect(lines.map(line => line.text)).toEqual([`没有待发的商品（已用 ${over.parcels[0]!.tracking_no} 发货）`, '订单已冻结，请先解冻', '订单未付款'])
  })
  it('warns of a number that another open order has, and ships it when that is wanted', async () => {
    const [a, b] = [await sent(), await bought()]
    const { lines } = await read([b.row.order_no, '', a.parcels[0]!.tracking_no, ''])
    expect([lines[0]!.state, lines[0]!.text]).toEqual(['ready', `单号已用于在途订单 ${a.row.order_no}`])
    expect((await go(lines))[0]!.result).toBe('shipped')
  })
  it('what changed between reading and shipping is told, and holds up no other line', async () => {
    const [a, b] = [await bought(), await bought()]
    const { lines } = await read([a.row.order_no, '', sf(), ''], [b.row.order_no, '', sf(), ''])
    await database.transaction(tx => freezeOrder(tx, { order_id: a.row.id, by: 'staff', reason: '核实', now: unixNow() }))
    expect(await go(lines)).toEqual([{ row: 2, result: 'failed', text: '订单已冻结，请先解冻' }, { row: 3, result: 'shipped', text: '' }])
  })
  it('a file that is none is told so; one above 1 MB is taken, one above 2 MB refused', async () => {
    expect((await call(calls.readSheet, { file: Buffer.from('PK\x03\x04 nonsense').toString('base64') })).data.fault).toContain('已损坏')
    expect((await call(calls.readSheet, { file: Buffer.from('品名,数量\r\n茶,1').toString('base64') })).data.fault).toContain('订单号')
    const big = Buffer.from(`订单号,快递单号,备注\r\n${Array.from({ length: 1500 }, (_, at) => `EL00000${at},SF${parcel + at},${'备'.repeat(300)}`).join('\r\n')}`)
    expect([big.length > 1024 * 1024, (await call(calls.readSheet, { file: big.toString('base64') })).data.lines.length]).toEqual([true, 1500])
    expect((await call(calls.readSheet, { file: Buffer.alloc(2_200_000, 'a').toString('base64') })).data.fault).toContain('2 MB')
  })
  it('outside one’s data scope an order is not found, on the sheet and behind it', async () => {
    const { row } = await bought()
    const far = await addStaff(database, { perms: ['order.elist.*'], role: { scope_type: 'city', scope_ids: [row.city_id === 1 ? 2 : 1] } })
    const line = [row.order_no, '', sf(), '']
    const { lines } = await read(line)
    expect((await go(lines, far.token))[0]).toMatchObject({ result: 'failed', text: '没有找到，或不在你的数据范围内' })
    expect((await call(calls.readSheet, { file: csv(line) }, far.token)).data.lines[0].state).toBe('bad')
    expect((await call(calls.ship, { id: row.id, version: row.version, tracking_no: sf() }, far.token)).status).toBe(404)
  })
})

describe('another receiver', () => {
  const to = (id: number, version: number, more: object) => call(calls.editAddress, { id, version, reason: '买家来电', receiver: { address: '文一路 3 号' }, ...more })
  it('is taken until the first parcel leaves; what is not named stays, and the list finds it', async () => {
    const { one } = await bought([2])
    expect((await to(one.id, one.version, {})).status).toBe(200)
    const { row, items } = await held(one.id)
    expect([row.receiver, row.receiver_changed_at !== null]).toEqual([{ ...receiver, address: '文一路 3 号' }, true])
    expect((await call(calls.lst, { quick: 'address_changed', q: row.order_no })).data.total).toBe(1)
    expect((await to(one.id, row.version, {})).data.rule).toBe('same')
    await call(calls.ship, { id: one.id, version: row.version, tracking_no: sf(), items: [{ id: items[0]!.id, qty: 1 }] })
    expect((await to(one.id, (await held(one.id)).row.version, { receiver: { name: '王' } })).data.rule).toBe('not_editable')
  })
  it('warns of another freight and of a place that nothing is delivered to, and is changed when that is meant', async () => {
    const { one, row } = await bought()
    const area = { receiver: { area: '北京市朝阳区' } }
    const warned = await to(one.id, one.version, area)
    expect([warned.data.rule, warned.message.includes('原收 8.00 元')]).toEqual(['address', true])
    const done = await to(one.id, one.version, { ...area, anyway: true })
    expect([done.status, (await held(one.id)).row.pay_cents]).toEqual([200, row.pay_cents])
  })
  it('is checked where it was typed: a phone, a place, and no masks kept for the thing itself', async () => {
    const { one } = await bought()
    const faults = async (of: object) => Object.entries((await to(one.id, one.version, { receiver: of })).data.fields)[0]
    expect(await faults({ phone: '12345' })).toMatchObject(['receiver.phone', expect.stringMatching(/手机/)])
    expect(await faults({ area: '某地' })).toMatchObject(['receiver.area', expect.stringContaining('从省市开始')])
    expect(await faults({ name: '陈*' })).toMatchObject(['receiver.name', expect.stringContaining('脱敏')])
  })
})

it('the detail page ships, renumbers and readdresses by rights of its own', async () => {
  const { row } = await bought()
  const only = await addStaff(database, { perms: ['order.elist.view', 'order.elist.Detail.ship'] })
  expect((await call(calls.ship, { id: row.id, version: row.version, tracking_no: sf() }, only.token)).status).toBe(403)
  expect((await call(detail.ship, { id: row.id, version: row.version, tracking_no: sf() }, only.token)).status).toBe(200)
  const shown = (await call(calls.detail, { id: row.id })).data as OrderDetail
  expect(shown.shipments.length).toBe(1)
  expect((await call(detail.editTracking, { id: row.id, shipment_id: shown.shipments[0]!.id, version: shown.shipments[0]!.version, tracking_no: sf(), reason: '录错' }, only.token)).status).toBe(403)
})
it('nothing is broken by all of this', async () => expect(await broken(database)).toEqual({}))
