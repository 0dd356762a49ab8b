import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { freezeOrder } from '#src/areas/order/freeze.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { placeCart, placeOrder } from '#src/areas/order/trade.server.ts'
import { order_config, order_log } from '#src/areas/order/trail.table.ts'
import { payOrder, receivePayment } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund_item } from '#src/areas/refund/refund.table.ts'
import { closeRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { receive } from '#src/areas/shipping/shipping.server.ts'
import type { TrackChannel } from '#src/areas/shipping/track.channel.ts'
import { trackMoving, trackParcel } from '#src/areas/shipping/tracking.server.ts'
import { say } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  elist as calls,
  elistDetail as detail,
  type Waybill,
} from '#src/modules/order/contract/elist.ts'
import { eRefund } from '#src/modules/order/contract/eRefund.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import type { SheetLine } from '#src/modules/order/contract/ship.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import { csvSheet, xlsxSheet } from '#src/server/exports/sheets.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

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
    const [item] = await database.db
      .update(product)
      .set({
        stock: 10_000,
        price_cents,
        sale_start_at: unixNow() - 100 * DAY,
        sale_end_at: unixNow() + 90 * DAY,
      })
      .where(eq(product.id, made.item.id))
      .returning()
    goods.push(item!)
  }
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
const receiver = {
  name: '陈晓',
  phone: '13812345678',
  area: '浙江省杭州市西湖区',
  address: '文三路 18 号 2 幢 601 室',
}
let buyer = 30
const ordered = (qtys: readonly number[] = [1], ago = 30) =>
  database.transaction(tx =>
    placeOrder(tx, {
      proved: true,
      member_id: ++buyer,
      lines: qtys.map((qty, at) => ({ product_id: goods[at]!.id, qty })),
      receiver,
      freight_cents: 8_00,
      now: unixNow() - ago,
    }),
  )
const bought = async (qtys: readonly number[] = [1], ago = 30) => {
  const { id } = await ordered(qtys, ago)
  await database.transaction(tx => payOrder(tx, id, unixNow() - ago))
  return held(id)
}
const held = async (id: number) => {
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  const items = await database.db
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, id))
    .orderBy(order_item.id)
  const parcels = await database.db
    .select()
    .from(shipment)
    .where(eq(shipment.order_id, id))
    .orderBy(shipment.id)
  return { row: row!, one: { id, version: row!.version }, items, parcels }
}
let parcel = 1_438_270_000_000
const sf = () => `SF${++parcel}`
const sent = async (qtys: readonly number[] = [1]) => {
  const { one } = await bought(qtys)
  await call(calls.ship, { ...one, tracking_no: sf() })
  return held(one.id)
}
const refundOf = (id: number, wanted: 'all' | { items: { id: number; qty: number }[] } = 'all') =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id: id,
      wanted,
      source: 'member',
      cause: 'apply',
      reason: '不想要了',
      actor: { type: 'member' },
      now: unixNow(),
    }),
  )

describe('a parcel', () => {
  it('goes by its number alone: the courier is told by it, the buyer’s clock of receipt begins, and who shipped it is on record', async () => {
    const { one } = await bought()
    const said = await call(calls.ship, { ...one, tracking_no: ' sf-1438 270956123 ' })
    expect(said.data).toMatchObject({
      courier_name: '顺丰速运',
      tracking_no: 'SF1438270956123',
      status: 'shipped',
    })
    const { row, parcels } = await held(one.id)
    expect([
      parcels.length,
      parcels[0]!.courier,
      parcels[0]!.shipped_by,
      row.receive_by! - parcels[0]!.shipped_at,
    ]).toEqual([1, 'shunfeng', me.id, 10 * DAY])
    const [logged] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'order'), eq(op_log.object_id, one.id)))
      .orderBy(sql`id desc`)
      .limit(1)
    expect([logged!.admin_id, logged!.after]).toMatchObject([
      me.id,
      { status: 'shipped', tracking_no: '顺丰速运 SF1438270956123' },
    ])
  })
  it('needs a number of its courier’s form, and says whose it looks like', async () => {
    const { one } = await bought()
    const { list } = (await call(calls.couriers, {})).data as {
      list: { id: number; name: string }[]
    }
    const zto = list.find(each => each.name === '中通快递')!
    const wrong = await call(calls.ship, {
      ...one,
      courier_id: zto.id,
      tracking_no: 'SF1438270956124',
    })
    expect([wrong.data.rule, wrong.message]).toEqual([
      'tracking',
      'SF1438270956124 不是中通快递的单号（如 78651203498817），像是顺丰速运',
    ])
    expect((await call(calls.ship, { ...one, tracking_no: 'XYZ123' })).message).toContain(
      '不像任何一家快递的单号',
    )
    expect((await call(calls.ship, { ...one, tracking_no: '已发货' })).status).toBe(400)
    expect((await call(calls.ship, { ...one, tracking_no: '已经发货了' })).message).toContain(
      '6–40 位',
    )
    expect((await held(one.id)).parcels).toEqual([])
  })
  it('may not repeat the number of another open order, unless that is said to be meant', async () => {
    const [a, b] = [await sent(), await bought()]
    const again = await call(calls.ship, { ...b.one, tracking_no: a.parcels[0]!.tracking_no })
    expect([again.data.rule, again.message.includes(a.row.order_no)]).toEqual([
      'same_tracking',
      true,
    ])
    expect(
      (await call(calls.ship, { ...b.one, tracking_no: a.parcels[0]!.tracking_no, anyway: true }))
        .status,
    ).toBe(200)
  })
  it('takes the units that were named; the order is part shipped until the last has gone', async () => {
    const { one, items } = await bought([3, 2])
    const first = await call(calls.ship, {
      ...one,
      tracking_no: sf(),
      items: [{ id: items[0]!.id, qty: 2 }],
    })
    expect(first.data.status).toBe('part_shipped')
    const now = { id: one.id, version: first.data.version }
    const many = await call(calls.ship, {
      ...now,
      tracking_no: sf(),
      items: [{ id: items[0]!.id, qty: 2 }],
    })
    expect([many.data.rule, many.message]).toEqual([
      'too_many',
      `「${items[0]!.title}」最多还能发 1 件`,
    ])
    const rest = await call(calls.ship, { ...now, tracking_no: sf() })
    expect(rest.data.status).toBe('shipped')
    expect((await held(one.id)).parcels.map(each => each.items.map(item => item.qty))).toEqual([
      [2],
      [1, 2],
    ])
    expect(
      (await call(calls.ship, { ...one, version: rest.data.version, tracking_no: sf() })).data.rule,
    ).toBe('not_shippable')
  })
  it('leaves what is in refund behind, and none goes of a frozen or an unpaid order', async () => {
    const { one, items } = await bought([1, 1])
    await refundOf(one.id, { items: [{ id: items[0]!.id, qty: 1 }] })
    const { one: now } = await held(one.id)
    expect(
      (await call(calls.ship, { ...now, tracking_no: sf(), items: [{ id: items[0]!.id, qty: 1 }] }))
        .data.rule,
    ).toBe('too_many')
    expect((await call(calls.ship, { ...now, tracking_no: sf() })).status).toBe(200)
    expect((await held(one.id)).parcels.map(each => each.items)).toEqual([
      [{ item_id: items[1]!.id, qty: 1 }],
    ])
    const cold = await bought()
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: cold.row.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实',
        now: unixNow(),
      }),
    )
    expect(
      (await call(calls.ship, { ...(await held(cold.row.id)).one, tracking_no: sf() })).message,
    ).toContain('冻结')
    const { id } = await ordered()
    expect(
      (await call(calls.ship, { ...(await held(id)).one, tracking_no: sf() })).message,
    ).toContain('未付款')
  })
  it('can have another number for 24 hours, each change with its reason', async () => {
    const {
      row,
      parcels: [first],
    } = await sent()
    const change = {
      id: row.id,
      shipment_id: first!.id,
      version: first!.version,
      reason: '录错单号',
    }
    const said = await call(calls.editTracking, { ...change, tracking_no: 'YT8830274615509' })
    expect(said.status).toBe(200)
    expect((await held(row.id)).parcels).toMatchObject([
      { courier: 'yuantong', tracking_no: 'YT8830274615509', traces: [] },
    ])
    const stale = await call(calls.editTracking, { ...change, tracking_no: sf() })
    expect([stale.status, stale.message]).toEqual([409, expect.stringContaining('YT8830274615509')])
    expect(stale.message).toContain(`由${me.account}于`)
    await database.db
      .update(shipment)
      .set({ shipped_at: unixNow() - DAY - 5 })
      .where(eq(shipment.id, first!.id))
    expect(
      (
        await call(calls.editTracking, {
          ...change,
          version: first!.version + 1,
          tracking_no: sf(),
        })
      ).data.rule,
    ).toBe('too_late')
    const other = await sent()
    expect(
      (await call(calls.editTracking, { ...change, id: other.row.id, tracking_no: sf() })).status,
    ).toBe(404)
    const [noted] = await database.db
      .select()
      .from(order_log)
      .where(and(eq(order_log.order_id, row.id), eq(order_log.event, 'tracking')))
    expect(noted!.memo).toContain('录错单号')
  })
})

const csv = (...rows: string[][]) =>
  Buffer.from(
    `\ufeff${[['订单号', '快递公司', '快递单号', '发货商品'], ...rows].map(cells => cells.join(',')).join('\r\n')}`,
  ).toString('base64')
const read = async (...rows: string[][]) =>
  (await call(calls.readSheet, { file: csv(...rows) })).data as {
    fault: string | null
    lines: SheetLine[]
  }
const go = async (lines: readonly SheetLine[], token = me.token) =>
  (
    await call(
      calls.batchShip,
      {
        lines: lines
          .filter(line => line.state === 'ready')
          .map(({ row, order_id, courier_id, tracking_no, items }) => ({
            row,
            order_id,
            courier_id,
            tracking_no,
            items,
          })),
      },
      token,
    )
  ).data.lines as { row: number; result: string; text: string }[]

describe('a sheet of parcels', () => {
  it('is read line by line: good lines go, bad ones say what to mend, and the same file again ships nothing twice', async () => {
    const [a, b, c] = [await bought(), await bought(), await bought()]
    const rows = [
      [a.row.order_no, '顺丰', sf(), ''],
      [b.row.order_no, '', sf(), ''],
      ['EL0000000000', '', sf(), ''],
      [c.row.order_no, '中通快递', 'SF1438279999999', ''],
    ]
    const first = await read(...rows)
    expect(first.lines.map(line => [line.row, line.state, line.text])).toEqual([
      [2, 'ready', ''],
      [3, 'ready', ''],
      [4, 'bad', '没有这个订单，或不在你的数据范围内'],
      [5, 'bad', 'SF1438279999999 不是中通快递的单号（如 78651203498817），像是顺丰速运'],
    ])
    expect((await go(first.lines)).map(line => line.result)).toEqual(['shipped', 'shipped'])
    // The lines as they were read, once more; then the file.
    expect((await go(first.lines)).map(line => line.result)).toEqual(['already', 'already'])
    const again = await read(...rows)
    expect(again.lines.map(line => line.state)).toEqual(['already', 'already', 'bad', 'bad'])
    expect(
      (await Promise.all([a, b, c].map(each => held(each.row.id)))).map(
        each => each.parcels.length,
      ),
    ).toEqual([1, 1, 0])
  })
  it('ships parcels of an order by their items, named by product or item', async () => {
    const { row, items } = await bought([2, 1])
    const { lines } = await read(
      [row.order_no, '', sf(), `${goods[0]!.id}*2`],
      [row.order_no, '', sf(), String(items[1]!.id)],
      [row.order_no, '', sf(), 'NIX-9'],
      [row.order_no, '', sf(), `${goods[1]!.id}*5`],
    )
    expect(lines.map(line => [line.state, line.text])).toEqual([
      ['ready', ''],
      ['ready', ''],
      ['bad', '订单里没有商品 NIX-9'],
      ['bad', `「${items[1]!.title}」最多还能发 1 件`],
    ])
    await go(lines)
    const after = await held(row.id)
    expect([after.row.status, after.parcels.length]).toEqual(['shipped', 2])
  })
  it('tells why an order can’t go, and by which number it went before', async () => {
    const [over, cold, unpaid] = [await sent(), await bought(), await ordered()]
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: cold.row.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实',
        now: unixNow(),
      }),
    )
    const { lines } = await read(
      [over.row.order_no, '', sf(), ''],
      [cold.row.order_no, '', sf(), ''],
      [unpaid.order_no, '', sf(), ''],
    )
    expect(lines.map(line => line.text)).toEqual([
      `没有待发的商品（已用 ${over.parcels[0]!.tracking_no} 发货）`,
      '订单已冻结，请先解冻',
      '订单未付款',
    ])
  })
  it('warns of a number that another open order has, and ships it when that is wanted', async () => {
    const [a, b] = [await sent(), await bought()]
    const { lines } = await read([b.row.order_no, '', a.parcels[0]!.tracking_no, ''])
    expect([lines[0]!.state, lines[0]!.text]).toEqual([
      'ready',
      `单号已用于在途订单 ${a.row.order_no}`,
    ])
    expect((await go(lines))[0]!.result).toBe('shipped')
  })
  it('what changed between reading and shipping is told, and holds up no other line', async () => {
    const [a, b] = [await bought(), await bought()]
    const { lines } = await read([a.row.order_no, '', sf(), ''], [b.row.order_no, '', sf(), ''])
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: a.row.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实',
        now: unixNow(),
      }),
    )
    expect(await go(lines)).toEqual([
      { row: 2, result: 'failed', text: '订单已冻结，请先解冻' },
      { row: 3, result: 'shipped', text: '' },
    ])
  })
  it('a file that is none is told so; one above 1 MB is taken, one above 2 MB refused', async () => {
    expect(
      (await call(calls.readSheet, { file: Buffer.from('PK\x03\x04 nonsense').toString('base64') }))
        .data.fault,
    ).toContain('已损坏')
    expect(
      (await call(calls.readSheet, { file: Buffer.from('品名,数量\r\n茶,1').toString('base64') }))
        .data.fault,
    ).toContain('订单号')
    const big = Buffer.from(
      `订单号,快递单号,备注\r\n${Array.from({ length: 1500 }, (_, at) => `EL00000${at},SF${parcel + at},${'备'.repeat(300)}`).join('\r\n')}`,
    )
    expect([
      big.length > 1024 * 1024,
      (await call(calls.readSheet, { file: big.toString('base64') })).data.lines.length,
    ]).toEqual([true, 1500])
    expect(
      (await call(calls.readSheet, { file: Buffer.alloc(2_200_000, 'a').toString('base64') })).data
        .fault,
    ).toContain('2 MB')
  })
  it.each([
    ['elist', 'zh', '快递单号'],
    ['elist', 'en', 'Tracking no.'],
    ['raiseList', 'zh', '快递单号'],
    ['raiseList', 'en', 'Tracking no.'],
  ] as const)(
    'of ours, an export of %s in %s with a column of numbers, is imported',
    async (list, lang, title) => {
      const { row, items } = await bought()
      const { columns } = exportNamed(`order.${list}`)!
      const titles = columns.map(column => say(column.title, lang))
      const cells = columns.map(({ key }) => {
        if (key === 'order_no') return row.order_no
        if (key === 'title') return items[0]!.title
        if (key === 'phone') return '138****5678'
        return key === 'qty' ? '1' : ''
      })
      const about = { mark: 'a'.repeat(16) }
      for (const sheet of [
        csvSheet([...titles, title], about),
        xlsxSheet([...titles, title], '订单'),
      ]) {
        const file = Buffer.concat([
          ...sheet.head(),
          ...sheet.rows([[...cells, sf()]]),
          ...sheet.end(),
        ])
        const said = await call(calls.readSheet, { file: file.toString('base64') })
        expect(said.data.fault).toBeNull()
        expect(said.data.lines).toMatchObject([
          { row: 2, order_no: row.order_no, state: 'ready', items: null },
        ])
        expect(said.data.counted).toEqual({ all: 2, above: 1, inside: 0, read: 1 })
      }
    },
  )
  it('asks which of two columns is meant, and reads the one that is chosen', async () => {
    const { row } = await bought()
    const file = Buffer.from(`订单,订单号,快递单号\n1,${row.order_no},${sf()}\n`).toString('base64')
    const asked = (await call(calls.readSheet, { file })).data
    expect([asked.fault, asked.lines, asked.questions]).toMatchObject([
      null,
      [],
      [
        {
          column: 'order_no',
          title: '订单号',
          choices: [{ at: 1, sample: row.order_no }, { at: 0 }],
        },
      ],
    ])
    const { data } = await call(calls.readSheet, { file, columns: { order_no: 1 } })
    expect(data.lines).toMatchObject([{ order_no: row.order_no, state: 'ready' }])
  })
  it('a decimal is no other number, by sheet and by hand', async () => {
    const { row, one } = await bought()
    const { lines } = await read([row.order_no, '', '331234567890.5', ''])
    expect(lines[0]).toMatchObject({ state: 'bad', text: expect.stringContaining('是小数') })
    for (const tracking_no of ['331234567890.5', '331234567890 0']) {
      const said = await call(calls.ship, { ...one, tracking_no })
      expect([said.status, (await held(row.id)).parcels]).toEqual([422, []])
    }
  })
  it('outside one’s data scope an order is not found, on the sheet and behind it', async () => {
    const { row } = await bought()
    const far = await addStaff(database, {
      perms: ['order.elist.*'],
      role: { scope_type: 'city', scope_ids: [row.city_id === 1 ? 2 : 1] },
    })
    const line = [row.order_no, '', sf(), '']
    const { lines } = await read(line)
    expect((await go(lines, far.token))[0]).toMatchObject({
      result: 'failed',
      text: '没有找到，或不在你的数据范围内',
    })
    expect((await call(calls.readSheet, { file: csv(line) }, far.token)).data.lines[0].state).toBe(
      'bad',
    )
    // What the file itself leaves open is theirs to be asked.
    const twice = Buffer.from(`订单,订单号,快递单号\n1,${row.order_no},${sf()}\n`)
    const asked = await call(calls.readSheet, { file: twice.toString('base64') }, far.token)
    expect([asked.status, asked.data?.questions]).toMatchObject([200, [{ column: 'order_no' }]])
    expect(
      (await call(calls.ship, { id: row.id, version: row.version, tracking_no: sf() }, far.token))
        .status,
    ).toBe(404)
  })
})

describe('another receiver', () => {
  const to = (id: number, version: number, more: object) =>
    call(calls.editAddress, {
      id,
      version,
      reason: '买家来电',
      receiver: { address: '文一路 3 号' },
      ...more,
    })
  it('is taken until the first parcel leaves; what is not named stays, and the list finds it', async () => {
    const { one } = await bought([2])
    expect((await to(one.id, one.version, {})).status).toBe(200)
    const { row, items } = await held(one.id)
    expect([row.receiver, row.receiver_changed_at !== null]).toEqual([
      { ...receiver, address: '文一路 3 号' },
      true,
    ])
    expect((await call(calls.lst, { quick: 'address_changed', q: row.order_no })).data.total).toBe(
      1,
    )
    expect((await to(one.id, row.version, {})).data.rule).toBe('same')
    await call(calls.ship, {
      id: one.id,
      version: row.version,
      tracking_no: sf(),
      items: [{ id: items[0]!.id, qty: 1 }],
    })
    expect(
      (await to(one.id, (await held(one.id)).row.version, { receiver: { name: '王' } })).data.rule,
    ).toBe('not_editable')
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
    const faults = async (of: object) =>
      Object.entries((await to(one.id, one.version, { receiver: of })).data.fields)[0]
    expect(await faults({ phone: '12345' })).toMatchObject([
      'receiver.phone',
      expect.stringMatching(/手机/),
    ])
    expect(await faults({ area: '某地' })).toMatchObject([
      'receiver.area',
      expect.stringContaining('从省市开始'),
    ])
    expect(await faults({ area: '浙江省杭州市不存在区' })).toMatchObject([
      'receiver.area',
      expect.stringContaining('没有「浙江省杭州市不存在区」这个地区'),
    ])
    expect(await faults({ name: '陈*' })).toMatchObject([
      'receiver.name',
      expect.stringContaining('脱敏'),
    ])
  })
})

const spans = (item: { pay_cents: number }[]) => item.map(one => one.pay_cents)
const total = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0)
describe('the price of an unpaid order', () => {
  const adjust = (one: { id: number; version: number }, adjust_cents: number) =>
    call(calls.adjustPrice, { ...one, adjust_cents, reason: '老客优惠' })
  it('changes once, spread over its items to the cent; what is paid then is the new price', async () => {
    const { one } = await ordered([3, 1]).then(made => held(made.id))
    expect((await adjust(one, -50_01)).data.pay_cents).toBe(300_03 + 33_33 + 8_00 - 50_01)
    const { row, items } = await held(one.id)
    expect([total(spans(items)) + row.freight_cents, row.adjust_cents]).toEqual([
      row.pay_cents,
      -50_01,
    ])
    expect((await adjust({ id: one.id, version: row.version }, -1)).message).toContain(
      '只能改价一次',
    )
    await database.transaction(tx => payOrder(tx, one.id, unixNow()))
    const paid = await held(one.id)
    expect([paid.row.paid_cents, paid.row.status]).toEqual([row.pay_cents, 'pending_ship'])
    expect((await adjust(paid.one, -1)).message).toContain('未支付')
  })
  it('keeps its bounds: no more than the rules allow, never into the freight, never of kinds that allow none', async () => {
    const { one } = await ordered([1]).then(made => held(made.id))
    const off = await adjust(one, -60_00)
    expect([off.data.rule, off.message]).toEqual([
      'adjust_bounds',
      '改价后不能低于 75.61 元（最多优惠 30%，不减运费）',
    ])
    expect((await adjust(one, 0)).data.rule).toBe('adjust_bounds')
    expect((await adjust(one, 20_00)).status).toBe(200)
    const { one: other } = await ordered([1]).then(made => held(made.id))
    await withRules({ allow_adjust: false }, async () =>
      expect((await adjust(other, -1_00)).data.rule).toBe('no_adjust'),
    )
  })
  it('that was paid by the old request after the change goes back whole, and the new one stays open', async () => {
    const { one, row } = await ordered([1]).then(made => held(made.id))
    await adjust(one, -10_00)
    const late = await database.transaction(tx =>
      receivePayment(tx, {
        out_no: row.order_no,
        answer: { state: 'success', channel_no: 'W1', at: unixNow(), amount_cents: row.pay_cents },
        now: unixNow(),
      }),
    )
    expect(late).toBe('late')
    await finishPayouts(database, unixNow() + 60)
    const back = await held(one.id)
    expect([back.row.status, back.row.paid_cents, back.row.refunded_cents]).toEqual([
      'pending_payment',
      row.pay_cents,
      row.pay_cents,
    ])
    await database.transaction(tx => payOrder(tx, one.id, unixNow()))
    expect((await held(one.id)).row.status).toBe('pending_ship')
    expect(
      (await call(calls.refund, { ...(await held(one.id)).one, reason: '不要了' })).data
        .amount_cents,
    ).toBe(row.pay_cents - 10_00)
    await finishPayouts(database, unixNow() + 60)
  })
})
/** The rules that these orders were made under, others for a while. */
const withRules = async (more: Partial<OrderRules>, run: () => Promise<void>) => {
  const [now] = await database.db
    .select()
    .from(order_config)
    .where(and(eq(order_config.scope, 'elist'), eq(order_config.state, 'current')))
  await database.db
    .update(order_config)
    .set({ fields: { ...now!.fields, ...more } })
    .where(eq(order_config.id, now!.id))
  try {
    await run()
  } finally {
    await database.db
      .update(order_config)
      .set({ fields: now!.fields })
      .where(eq(order_config.id, now!.id))
  }
}

describe('parcels of an order', () => {
  it('leave all at once or not at all', async () => {
    const { one, items } = await bought([2, 1])
    const [a, b] = [sf(), sf()]
    const packages = [
      { tracking_no: a, items: [{ id: items[0]!.id, qty: 2 }] },
      { tracking_no: b, items: [{ id: items[1]!.id, qty: 2 }] },
    ]
    expect((await call(calls.splitShip, { ...one, packages })).data.rule).toBe('too_many')
    expect((await held(one.id)).parcels).toEqual([])
    expect(
      (
        await call(calls.splitShip, {
          ...one,
          packages: packages.map(each => ({ ...each, tracking_no: a })),
        })
      ).message,
    ).toContain('同一个单号')
    const done = await call(calls.splitShip, {
      ...one,
      packages: [packages[0], { tracking_no: b, items: [{ id: items[1]!.id, qty: 1 }] }],
    })
    expect(done.data).toMatchObject({ status: 'shipped', shipped: 2 })
  })
  it('that leave past the promise cost their merchant a share of the goods, once and at most so much', async () => {
    const late = await bought([3], 49 * 3600)
    expect((await call(calls.lst, { quick: 'late', q: late.row.order_no })).data.total).toBe(1)
    await call(calls.ship, {
      ...late.one,
      tracking_no: sf(),
      items: [{ id: late.items[0]!.id, qty: 1 }],
    })
    const first = await held(late.row.id)
    expect(first.row.late_penalty_cents).toBe(15_00)
    await call(calls.ship, { ...first.one, tracking_no: sf() })
    expect((await held(late.row.id)).row.late_penalty_cents).toBe(15_00)
    const told = await database.db
      .select({ data: order_log.data })
      .from(order_log)
      .where(and(eq(order_log.order_id, late.row.id), eq(order_log.event, 'ship')))
      .orderBy(order_log.id)
    expect(told.map(one => one.data!['late_penalty_cents'])).toEqual([15_00, undefined])
    expect([
      (await sent()).row.late_penalty_cents,
      ((await call(calls.detail, { id: late.row.id })).data as OrderDetail).facts
        .late_penalty_cents,
    ]).toEqual([0, 15_00])
  })
  it('are where their courier says; one that is silent leaves the last trace with its time', async () => {
    const {
      row,
      parcels: [one],
    } = await sent()
    await database.db
      .update(shipment)
      .set({ shipped_at: unixNow() - 30 * 3600 })
      .where(eq(shipment.id, one!.id))
    const heard = await call(detail.refreshTrack, { id: row.id })
    expect(heard.data).toEqual({ id: row.id, asked: 1, heard: 1, fault: null })
    const [known] = (await held(row.id)).parcels
    expect([known!.traces.length > 1, known!.traced_at !== null]).toEqual([true, true])
    const channel: TrackChannel = {
      name: 'http',
      query: async () => ({ ok: false, text: ['物流查询失败：无法连接', 'Tracking failed'] }),
    }
    const asking = { db: database.db, channel, now: unixNow() + 500 }
    const silent = await trackParcel(asking, known!, undefined)
    const [after] = (await held(row.id)).parcels
    expect([silent?.[0], after!.traces, after!.traced_at]).toEqual([
      '物流查询失败：无法连接',
      known!.traces,
      known!.traced_at,
    ])
    expect((await call(detail.refreshTrack, { id: (await bought()).row.id })).data.rule).toBe(
      'no_parcels',
    )
  })
  it('under way are asked after by the clock, each once in hours, the longest waiting first', async () => {
    const now = unixNow() + 5 * 3600
    await database.db.update(shipment).set({ asked_at: now })
    const {
      parcels: [one],
    } = await sent()
    const asked: string[] = []
    const channel: TrackChannel = {
      name: 'http',
      query: async ({ tracking_no }) => {
        asked.push(tracking_no)
        return { ok: false, text: ['无应答', 'Silent'] }
      },
    }
    expect([
      await trackMoving(database.db, channel, now),
      await trackMoving(database.db, channel, now),
      asked,
    ]).toEqual([0, 0, [one!.tracking_no]])
  })
})

describe('receipt', () => {
  it('is confirmed only when all was sent and no refund is open', async () => {
    const { one, items } = await bought([2])
    const first = await call(calls.ship, {
      ...one,
      tracking_no: sf(),
      items: [{ id: items[0]!.id, qty: 1 }],
    })
    const confirm = (version: number) =>
      call(calls.confirmReceive, { id: one.id, version, reason: '买家电话确认' })
    expect((await confirm(first.data.version)).message).toContain('全部发货后')
    await call(calls.ship, { id: one.id, version: first.data.version, tracking_no: sf() })
    const asked = await refundOf(one.id, { items: [{ id: items[0]!.id, qty: 1 }] })
    expect((await confirm((await held(one.id)).row.version)).message).toContain('有未完结的退款')
    await database.transaction(tx =>
      closeRefund(tx, {
        id: asked.id,
        version: asked.version,
        by: { id: me.id, limit_cents: 0 },
        reason: '买家撤回',
        now: unixNow(),
      }),
    )
    expect((await confirm((await held(one.id)).row.version)).data.status).toBe('finished')
  })
  it('comes by itself ten days after the last parcel, later where it was put off: twice at most', async () => {
    const { row, one } = await sent()
    const put = (version: number) =>
      call(calls.extendReceive, { id: one.id, version, days: 3, reason: '买家出差' })
    const first = await put(row.version)
    expect(first.data.receive_by - row.receive_by!).toBe(3 * DAY)
    const second = await put(first.data.version)
    const third = await put(second.data.version)
    expect([third.data.rule, third.message]).toEqual(['extended', '最多延长 2 次，已用完'])
    await tickOrders(database, row.receive_by! + 5 * DAY)
    expect((await held(row.id)).row.status).toBe('shipped')
    await tickOrders(database, row.receive_by! + 6 * DAY + 1)
    expect((await held(row.id)).row.status).toBe('finished')
  })
})

describe('money back', () => {
  it('is at most what is left of an item; the last takes the rest, with the freight where nothing was sent', async () => {
    const { one, items, row } = await bought([3])
    const give = async (more: object) =>
      call(calls.refund, { ...(await held(one.id)).one, reason: '协商退款', ...more })
    expect(
      (await give({ items: [{ id: items[0]!.id, qty: 1 }], amount_cents: 100_02 })).data.rule,
    ).toBe('above_cap')
    const parts = [
      await give({ items: [{ id: items[0]!.id, qty: 1 }] }),
      await give({ items: [{ id: items[0]!.id, qty: 2 }] }),
    ].map(made => made.data.amount_cents as number)
    expect([parts[0], total(parts)]).toEqual([100_01, row.paid_cents])
    await finishPayouts(database, unixNow() + 60)
    expect((await held(one.id)).row).toMatchObject({
      status: 'refunded',
      refunded_cents: row.paid_cents,
    })
  })
  it('from the list is of the items that were chosen there, all that is left of each', async () => {
    const { one, items } = await bought([2, 1])
    const [a, b] = items
    expect((await call(calls.lots, { order_id: one.id })).data.list).toEqual(
      items.map(item =>
        expect.objectContaining({ id: item.id, left: item.qty, left_cents: item.pay_cents }),
      ),
    )
    expect(
      (await call(calls.refund, { ...one, items: [{ id: a!.id }], reason: '少要一种' })).data
        .amount_cents,
    ).toBe(a!.pay_cents)
    expect(
      (await call(calls.lots, { order_id: one.id })).data.list.map((lot: { id: number }) => lot.id),
    ).toEqual([b!.id])
    // Found as everything is: by its words, in letters, by initials.
    await database.db
      .update(order_item)
      .set({ title: '青花瓷 茶杯 T1' })
      .where(eq(order_item.id, b!.id))
    const meant = async (keyword: string) =>
      (await call(calls.lots, { order_id: one.id, keyword })).data.total
    for (const keyword of ['茶杯', 'chabei', 'Qing Hua', 'qhc', 't1'])
      expect([keyword, await meant(keyword)]).toEqual([keyword, 1])
    expect([await meant('绿'), await meant('zzz')]).toEqual([0, 0])
    expect(
      (
        await call(calls.refund, {
          ...(await held(one.id)).one,
          items: [{ id: a!.id }],
          reason: '再退',
        })
      ).data.rule,
    ).toBe('nothing_left')
    expect(
      (
        await call(calls.refund, {
          ...(await held(one.id)).one,
          items: [{ id: items[0]!.id + 100_000 }],
          reason: '别单的',
        })
      ).status,
    ).toBe(404)
    await finishPayouts(database, unixNow() + 60)
  })
  it('for what was sent needs a reason to keep it, and leaves the freight, unless the platform is at fault', async () => {
    const { one } = await sent([1])
    expect((await call(calls.refund, { ...one, reason: '破损' })).data.rule).toBe('shipped')
    expect((await held(one.id)).row.refund_state).toBe('none')
    expect(
      (await call(calls.refund, { ...one, reason: '破损', keep: '生鲜，不便退回' })).data
        .amount_cents,
    ).toBe(100_01)
    const other = await sent([1])
    expect(
      (
        await call(detail.refund, {
          ...other.one,
          reason: '发错货',
          keep: '低值，留给买家',
          fault: true,
        })
      ).data.amount_cents,
    ).toBe(108_01)
    const [part] = [await bought([2])]
    await call(calls.ship, {
      ...part.one,
      tracking_no: sf(),
      items: [{ id: part.items[0]!.id, qty: 1 }],
    })
    // The unit that is still here is given back first.
    expect(
      (
        await call(calls.refund, {
          ...(await held(part.row.id)).one,
          items: [{ id: part.items[0]!.id, qty: 1 }],
          reason: '少要一件',
        })
      ).data.amount_cents,
    ).toBe(100_01)
    await finishPayouts(database, unixNow() + 60)
  })
  it('is asked for a buyer by a case that goes the way of every case, within the after-sale period', async () => {
    const { row, one, items } = await sent([2])
    const ask = async (more: object) =>
      call(detail.createAfterSale, {
        ...(await held(row.id)).one,
        item_id: items[0]!.id,
        qty: 1,
        type: 'return_refund',
        reason_code: 'damaged',
        reason: '外包装破损',
        ...more,
      })
    const made = await ask({})
    expect([made.data.state, made.data.amount_cents]).toEqual(['applied', 100_01])
    const shown = (await call(calls.detail, { id: row.id })).data as OrderDetail
    expect(shown.refunds[0]!.items).toEqual([
      { item_id: items[0]!.id, title: items[0]!.title, qty: 1 },
    ])
    const fresh = await bought()
    expect(
      (
        await call(detail.createAfterSale, {
          ...fresh.one,
          item_id: fresh.items[0]!.id,
          qty: 1,
          type: 'resend',
          reason_code: 'missing',
          reason: '漏发',
        })
      ).data.rule,
    ).toBe('not_shipped')
    const old = await sent()
    await database.transaction(tx =>
      receive(tx, { order_id: old.row.id, actor: { type: 'member' }, now: unixNow() - 8 * DAY }),
    )
    const over = await call(detail.createAfterSale, {
      ...(await held(old.row.id)).one,
      item_id: old.items[0]!.id,
      qty: 1,
      type: 'return_refund',
      reason_code: 'damaged',
      reason: '破损',
    })
    expect([over.data.rule, over.message]).toEqual([
      'after_sale_over',
      '已超过售后期，不能申请售后',
    ])
    expect(one.id).toBe(row.id)
  })
})

describe('the after-sale period', () => {
  const DAYS = 3
  /** Two items, one of them of a category with a period of its own; received some days ago. */
  const received = async (ago: number) => {
    const { row, items } = await sent([1, 1])
    const [short, usual] = items as [(typeof items)[number], (typeof items)[number]]
    await database.db
      .update(order_item)
      .set({
        snapshot: sql`${order_item.snapshot} || ${JSON.stringify({ after_sale_days: DAYS })}::jsonb`,
      })
      .where(eq(order_item.id, short.id))
    const at = unixNow() - ago
    await database.transaction(tx =>
      receive(tx, { order_id: row.id, actor: { type: 'member' }, now: at }),
    )
    return { ...(await held(row.id)), at, short, usual }
  }
  const ask = (of: Awaited<ReturnType<typeof received>>, item_id: number, now?: number) =>
    now === undefined
      ? call(detail.createAfterSale, {
          ...of.one,
          item_id,
          qty: 1,
          type: 'return_refund',
          reason_code: 'damaged',
          reason: '破损',
        })
      : database.transaction(tx =>
          openRefund(tx, {
            order_id: of.row.id,
            wanted: { items: [{ id: item_id, qty: 1 }] },
            type: 'return_refund',
            source: 'member',
            reason: '破损',
            actor: { type: 'member' },
            now,
          }),
        )
  it('is each item’s own, and stands on the page of its order and of its case', async () => {
    const of = await received(4 * DAY)
    const shown = (await call(calls.detail, { id: of.row.id })).data as OrderDetail
    expect(shown.items.map(item => [item.id, item.after_sale_until])).toEqual([
      [of.short.id, of.at + DAYS * DAY],
      [of.usual.id, of.at + 7 * DAY],
    ])
    expect(((await ask(of, of.short.id)) as { data: { rule: string } }).data.rule).toBe(
      'after_sale_over',
    )
    const made = (await ask(of, of.usual.id)) as { status: number; data: { refund_id: number } }
    expect(made.status).toBe(200)
    expect((await call(eRefund.detail, { id: made.data.refund_id })).data.policy).toMatchObject({
      after_sale_days: 7,
      until: of.at + 7 * DAY,
    })
  })
  it('lasts to its last second', async () => {
    const of = await received(60)
    await expect(ask(of, of.short.id, of.at + DAYS * DAY + 1)).rejects.toMatchObject({
      data: { rule: 'after_sale_over' },
    })
    expect(await ask(of, of.short.id, of.at + DAYS * DAY)).toMatchObject({ state: 'applied' })
  })
  it('of a buyer who gives all back leaves out what it is over for, and refuses where that is all', async () => {
    const of = await received(4 * DAY)
    const all = (now: number) =>
      database.transaction(tx =>
        openRefund(tx, {
          order_id: of.row.id,
          wanted: 'all',
          type: 'return_refund',
          source: 'member',
          reason: '不想要了',
          actor: { type: 'member' },
          now,
        }),
      )
    await expect(all(of.at + 8 * DAY)).rejects.toMatchObject({ data: { rule: 'after_sale_over' } })
    const made = await all(unixNow())
    expect(
      (await database.db.select().from(refund_item).where(eq(refund_item.refund_id, made.id))).map(
        line => line.item_id,
      ),
    ).toEqual([of.usual.id])
    expect(await broken(database)).toEqual({})
  })
  it('binds no member of staff who gives back of their own accord', async () => {
    const of = await received(9 * DAY)
    expect(
      (
        await call(calls.refund, {
          ...of.one,
          items: [{ id: of.short.id, qty: 1 }],
          reason: '补偿',
          keep: '不必退回',
        })
      ).status,
    ).toBe(200)
    await finishPayouts(database, unixNow() + 60)
  })
})

describe('what is sent again', () => {
  it('is an order of its own for nothing, linked both ways, once an item', async () => {
    const { row, one, items } = await sent([2])
    const made = await call(detail.reissue, {
      ...one,
      items: [{ id: items[0]!.id, qty: 1 }],
      reason: '少发一件',
    })
    expect(made.status).toBe(200)
    const again = await held(made.data.order_id)
    expect([
      again.row.reissue_of,
      again.row.pay_cents,
      again.row.status,
      again.items[0]!.qty,
    ]).toEqual([row.id, 0, 'pending_ship', 1])
    expect(((await call(calls.detail, { id: row.id })).data as OrderDetail).facts.reissues).toEqual(
      [{ id: again.row.id, order_no: again.row.order_no, status: 'pending_ship' }],
    )
    expect(
      (
        await call(detail.reissue, {
          id: row.id,
          version: made.data.version,
          items: [{ id: items[0]!.id, qty: 1 }],
          reason: '再补',
        })
      ).data.rule,
    ).toBe('sent_again')
    expect((await call(calls.ship, { ...again.one, tracking_no: sf() })).status).toBe(200)
    const fresh = await bought()
    expect(
      (
        await call(detail.reissue, {
          ...fresh.one,
          items: [{ id: fresh.items[0]!.id, qty: 1 }],
          reason: '补发',
        })
      ).data.rule,
    ).toBe('not_shipped')
  })
  it('was never sold: given back before it left, it is in stock again and no sale is lost', async () => {
    const { one, items } = await sent([2])
    const counts = async () =>
      (
        await database.db
          .select({ stock: product.stock, sold: product.sold })
          .from(product)
          .where(eq(product.id, goods[0]!.id))
      )[0]!
    const before = await counts()
    const made = await call(detail.reissue, {
      ...one,
      items: [{ id: items[0]!.id, qty: 1 }],
      reason: '少发一件',
    })
    expect(await counts()).toEqual({ stock: before.stock - 1, sold: before.sold })
    expect(
      (
        await call(calls.refund, {
          ...(await held(made.data.order_id)).one,
          reason: '找到了，不用补',
        })
      ).data.amount_cents,
    ).toBe(0)
    await finishPayouts(database, unixNow() + 60)
    expect([(await held(made.data.order_id)).row.status, await counts()]).toEqual([
      'refunded',
      before,
    ])
  })
})

describe('an invoice', () => {
  const wants = async (qty = 2) => {
    const { id } = await database.transaction(tx =>
      placeOrder(tx, {
        proved: true,
        member_id: ++buyer,
        lines: [{ product_id: goods[0]!.id, qty }],
        receiver,
        freight_cents: 8_00,
        invoice: { kind: 'company', title: '上海明远贸易有限公司', tax_no: '91310000MA1FL00X0X' },
        now: unixNow() - 30,
      }),
    )
    await database.transaction(tx => payOrder(tx, id, unixNow() - 30))
    return held(id)
  }
  const enter = async (id: number, no = '2631 2000 0000 ００００ 1234', token = me.token) =>
    call(detail.invoice, { ...(await held(id)).one, no }, token)
  const shown = async (id: number) =>
    ((await call(calls.detail, { id })).data as OrderDetail).facts.invoice
  it('that was asked for is entered once, of what was paid and did not go back, and a later refund shows', async () => {
    const { one, items } = await wants()
    expect(await shown(one.id)).toMatchObject({
      kind: 'company',
      company: '上海明远贸易有限公司',
      tax_no: '91310000MA1FL00X0X',
      due_cents: 208_02,
      issued: null,
    })
    const asked = await call(calls.refund, {
      ...one,
      items: [{ id: items[0]!.id, qty: 1 }],
      reason: '少要一件',
    })
    expect([asked.status, (await enter(one.id)).data.rule]).toEqual([200, 'no_invoice'])
    await finishPayouts(database, unixNow() + 60)
    expect((await enter(one.id, '1234567')).status).toBe(400)
    expect((await enter(one.id)).data).toMatchObject({ amount_cents: 108_01 })
    expect((await enter(one.id)).message).toContain('已登记')
    const [entry] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'order'),
          eq(op_log.object_id, one.id),
          eq(op_log.result, 'ok'),
          sql`${op_log.after} ? 'invoice_no'`,
        ),
      )
    expect(entry!.after).toMatchObject({
      invoice_no: '26312000000000001234',
      invoice_cents: 108_01,
    })
    expect(
      (
        await database.db
          .select()
          .from(order_log)
          .where(and(eq(order_log.order_id, one.id), eq(order_log.event, 'invoice')))
      ).length,
    ).toBe(1)
    await call(calls.refund, { ...(await held(one.id)).one, reason: '不要了' })
    await finishPayouts(database, unixNow() + 120)
    expect(await shown(one.id)).toMatchObject({
      due_cents: 0,
      issued: { no: '26312000000000001234', amount_cents: 108_01, by: expect.any(String) },
    })
  })
  it('that nobody asked for is not entered, nor of what is not paid, nor by whom the page’s right is missing', async () => {
    expect((await enter((await bought()).one.id)).message).toContain('没有申请')
    const { row } = await wants()
    const clerk = await addStaff(database, { perms: ['order.elist.ship'] })
    expect((await enter(row.id, undefined, clerk.token)).status).toBe(403)
    await database.db.update(order).set({ pay_state: 'unpaid' }).where(eq(order.id, row.id))
    expect((await enter(row.id)).message).toContain('付款后')
    await database.db.update(order).set({ pay_state: 'paid' }).where(eq(order.id, row.id))
  })
})

describe('what is printed', () => {
  it('is a label a parcel with the sender of its courier, for paid orders, and each print is on record as a look at the receiver', async () => {
    const { row } = await sent()
    const { labels } = (await call(calls.printWaybill, { id: row.id })).data as {
      labels: Waybill[]
    }
    expect([
      labels.length,
      labels[0]!.receiver,
      labels[0]!.sender !== null,
      labels[0]!.courier_name,
    ]).toEqual([1, receiver, true, '顺丰速运'])
    const [seen] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_id, row.id), eq(op_log.action, 'reveal')))
    expect(seen!.admin_id).toBe(me.id)
    expect((await call(calls.printWaybill, { id: (await ordered()).id })).message).toContain(
      '未付款',
    )
  })
  it('names the account that the courier is bound to where the sender has none with it', async () => {
    const { row } = await sent()
    const courierOf = eq(shipment.order_id, row.id)
    await database.db
      .update(shipment)
      .set({ courier: 'yuantong', tracking_no: 'YT8830274615509' })
      .where(courierOf)
    const printed = async () =>
      ((await call(calls.printWaybill, { id: row.id })).data.labels as Waybill[])[0]!
    expect((await printed()).sender!.customer_no).toBe('')
    await database.db
      .update(courier)
      .set({ account_no: 'K0210001' })
      .where(eq(courier.code, 'yuantong'))
    expect((await printed()).sender!.customer_no).toBe('K0210001')
  })
  it('are picking lists of what can still go; the orders that have nothing are named', async () => {
    const [a, gone] = [await bought([2, 1]), await sent()]
    await refundOf(a.row.id, { items: [{ id: a.items[0]!.id, qty: 1 }] })
    const said = (await call(calls.batchPrint, { ids: [a.row.id, gone.row.id] })).data
    expect(
      said.slips.map((one: { items: { qty: number }[] }) => one.items.map(each => each.qty)),
    ).toEqual([[1, 1]])
    expect(said.failed).toEqual([
      { order_no: gone.row.order_no, msg: '没有可发的商品：已发出或退款中' },
    ])
  })
})

describe('a cart of several suppliers', () => {
  const cart = async () => {
    const [other] = (
      await database.db.execute<{ id: number }>(
        sql`select id from merchant where status = 'active' and id <> ${goods[0]!.merchant_id} order by id limit 1`,
      )
    ).rows
    await database.db
      .update(product)
      .set({ merchant_id: other!.id })
      .where(eq(product.id, goods[1]!.id))
    const made = await database.transaction(tx =>
      placeCart(tx, {
        proved: true,
        member_id: ++buyer,
        lines: goods.map(one => ({ product_id: one.id, qty: 1 })),
        receiver,
        now: unixNow(),
      }),
    )
    await database.db
      .update(product)
      .set({ merchant_id: goods[1]!.merchant_id })
      .where(eq(product.id, goods[1]!.id))
    return made
  }
  it('becomes an order each, or one, as the rules of its kind say', async () => {
    const made = await cart()
    expect(new Set(made.map(one => one.merchant_id)).size).toBe(2)
    await withRules({ split_by_supplier: false }, async () => expect((await cart()).length).toBe(1))
  })
})

it('the list tells its parcels, its tabs add up to the total, and a stale order is told as what it is now', async () => {
  const {
    row,
    parcels: [one],
  } = await sent()
  const { list } = (await call(calls.lst, { q: one!.tracking_no })).data as { list: OrderRow[] }
  expect(list.map(each => [each.id, each.parcels])).toEqual([
    [row.id, [{ courier_name: '顺丰速运', tracking_no: one!.tracking_no, state: 'shipped' }]],
  ])
  for (const filters of [{}, { quick: 'late' }, { city_id: row.city_id }]) {
    const { all, ...tabs } = (await call(calls.counts, filters)).data as Record<string, number>
    expect(total(Object.values(tabs))).toBe(all)
  }
  const stale = await call(calls.extendReceive, {
    id: row.id,
    version: row.version - 1,
    days: 1,
    reason: '出差',
  })
  expect([stale.status, stale.data.current.id]).toEqual([409, row.id])
})
it('a channel is asked about an unpaid order, by a right of the page’s own; nothing is paid by asking', async () => {
  const { id } = await ordered()
  expect([(await call(detail.queryPay, { id })).data.said, (await held(id)).row.status]).toEqual([
    'failed',
    'pending_payment',
  ])
})
it('the detail page ships, renumbers and readdresses by rights of its own', async () => {
  const { row } = await bought()
  const only = await addStaff(database, { perms: ['order.elist.view', 'order.elist.Detail.ship'] })
  expect(
    (await call(calls.ship, { id: row.id, version: row.version, tracking_no: sf() }, only.token))
      .status,
  ).toBe(403)
  expect(
    (await call(detail.ship, { id: row.id, version: row.version, tracking_no: sf() }, only.token))
      .status,
  ).toBe(200)
  const shown = (await call(calls.detail, { id: row.id })).data as OrderDetail
  expect(shown.shipments.length).toBe(1)
  expect(
    (
      await call(
        detail.editTracking,
        {
          id: row.id,
          shipment_id: shown.shipments[0]!.id,
          version: shown.shipments[0]!.version,
          tracking_no: sf(),
          reason: '录错',
        },
        only.token,
      )
    ).status,
  ).toBe(403)
})
it('nothing is broken by all of this', async () => expect(await broken(database)).toEqual({}))
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
