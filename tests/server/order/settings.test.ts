import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { freight_template } from '#src/areas/merchant/merchant.table.ts'
import type { Buying } from '#src/areas/order/buying.server.ts'
import type { ConfigScope } from '#src/areas/order/configScope.ts'
import { order } from '#src/areas/order/order.table.ts'
import { shopScopes, type OrderRules } from '#src/areas/order/orderRules.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_config } from '#src/areas/order/trail.table.ts'
import { provinces } from '#src/areas/place/divisions.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { settings as calls } from '#src/modules/order/contract/settings.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenOfAccount, type Said } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let admin: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  admin = await tokenOfAccount(database, 'admin')
})
const now = unixNow()
const call = (of: Parameters<typeof send>[1], input: object = {}, token = admin) =>
  send(app, of, input, { token })
const ok = (said: Said) => {
  expect([said.status, said.message, JSON.stringify(said.data).slice(0, 300)]).toEqual([
    200,
    expect.any(String),
    expect.any(String),
  ])
  return said.data
}
const of = async (kind: ConfigScope = 'elist') =>
  ok(await call(calls.lst)).list.find((row: { kind: string }) => row.kind === kind) as {
    version_no: number
    fields: OrderRules
  }
const save = async (fields: Partial<OrderRules>, kind: ConfigScope = 'elist') =>
  call(calls.save, {
    kind,
    version_no: (await of(kind)).version_no,
    fields,
    reason: '测试',
    confirm: true,
  })
const all = provinces.map(province => province.adcode)
const fee = { first: 1, first_cents: 800, next: 1, next_cents: 200 }
let made = 0
const template = (more: object = {}) => ({
  name: `模板${++made}`,
  mode: 'piece',
  regions: [{ areas: all, ...fee }],
  free_rules: [],
  no_delivery: [],
  ...more,
})
const add = async (more: object = {}) =>
  ok(await call(calls.addTemplate, template(more))) as { id: number; version: number }
const faults = async (more: object) => {
  const said = await call(calls.addTemplate, template(more))
  return [said.status, said.data.fields]
}
const [XIZANG, ZHEJIANG] = ['540000', '330000']

/** A product on sale that is sent by a template. */
const sentBy = async (template_id: number | null) => {
  const [item] = await database.db
    .select()
    .from(product)
    .where(
      and(
        eq(product.kind, 'elist'),
        eq(product.state, 'on_sale'),
        sql`${product.sale_start_at} < ${now} and ${product.sale_end_at} > ${now + 60} and ${product.stock} - ${product.held} > 60`,
      ),
    )
    .orderBy(product.id)
    .limit(1)
  await database.db
    .update(product_version)
    .set({
      body:
        template_id === null
          ? sql`body - 'freight_template_id'`
          : sql`jsonb_set(body, '{freight_template_id}', ${String(template_id)}::jsonb)`,
    })
    .where(and(eq(product_version.product_id, item!.id), eq(product_version.state, 'live')))
  return item!
}
const receiver = (area: string) => ({ name: '周周', phone: '13800001111', area, address: '1 号' })
const buy = (of: Partial<Buying> & { product_id: number; qty?: number }) =>
  database.transaction(tx =>
    placeOrder(tx, { proved: true, member_id: 5, qty: 1, now, ...of } as Buying),
  )
const trial = async (template_id: number, area: string, items: object[], kind = 'elist') =>
  ok(await call(calls.calcFreight, { template_id, area, items, kind }))

describe('rules of e-commerce orders', () => {
  it('stand for every kind that is sent', async () => {
    expect(ok(await call(calls.lst)).list.map((row: { kind: string }) => row.kind)).toEqual([
      ...shopScopes,
    ])
  })
  it.each<[string, Partial<Record<keyof OrderRules, unknown>>, string]>([
    ['4 minutes to pay', { pay_timeout_min: 4 }, 'pay_timeout_min'],
    ['goods received after 2 days', { auto_receive_d: 2 }, 'auto_receive_d'],
    ['goods received after 31 days', { auto_receive_d: 31 }, 'auto_receive_d'],
    ['a penalty of half a percent', { late_ship_penalty_bp: 50 }, 'late_ship_penalty_bp'],
    ['a penalty of nearly a third', { late_ship_penalty_bp: 3100 }, 'late_ship_penalty_bp'],
    ['prices changed to a tenth of themselves and below', { adjust_max_bp: 9100 }, 'adjust_max_bp'],
    ['no time to ship', { ship_promise_h: 0 }, 'ship_promise_h'],
    ['a rule of to-store orders', { hold_days: 4 }, 'hold_days'],
  ])('refuse %s', async (_, fields, name) => {
    expect(
      await save(fields as Partial<OrderRules>).then(said => [
        said.status,
        Object.keys(said.data.fields),
      ]),
    ).toEqual([400, [`fields.${name}`]])
  })
  it('are a version each, to go back to', async () => {
    const first = await of('points')
    ok(
      await save(
        { auto_receive_d: 20, late_ship_penalty_bp: 0, ship_promise_h: 24, auto_review_days: 30 },
        'points',
      ),
    )
    expect((await of('points')).fields).toMatchObject({
      auto_receive_d: 20,
      late_ship_penalty_bp: 0,
      ship_promise_h: 24,
      auto_review_days: 30,
    })
    ok(
      await call(calls.rollback, {
        kind: 'points',
        version_no: first.version_no + 1,
        to: first.version_no,
        reason: '改回',
      }),
    )
    expect((await of('points')).fields).toEqual(first.fields)
    const { list } = ok(await call(calls.history, { kind: 'points' }))
    expect(list[1].changes.map((one: { field: string }) => one.field).sort()).toEqual([
      'auto_receive_d',
      'auto_review_days',
      'late_ship_penalty_bp',
      'ship_promise_h',
    ])
  })
  it('are offered where something reads them: a campaign has one price and one product, an exchange is of one thing', async () => {
    for (const [kind, fields] of [
      ['raise', { allow_adjust: true }],
      ['raise', { adjust_max_bp: 1000 }],
      ['raise', { split_by_supplier: true }],
      ['points', { split_by_supplier: true }],
      ['points', { allow_adjust: true }],
      ['points', { extend_times: 1 }],
      ['raise', { extend_times: 1 }],
    ] as const)
      expect((await save(fields, kind)).status, kind).toBe(400)
  })
  it('name who sends for e-commerce orders only, for no other label is printed', async () => {
    expect(
      (
        await call(calls.setSender, {
          kind: 'raise',
          version_no: (await of('raise')).version_no,
          at: null,
          sender: {
            name: '仓',
            phone: '13900002222',
            area: '510100',
            address: '1 号',
            courier: '',
            customer_no: '',
            is_default: true,
          },
          reason: '测试',
        })
      ).data.fields,
    ).toHaveProperty('kind')
  })
  it('are changed by nobody who sees only a city', async () => {
    const local = await addStaff(database, {
      perms: ['order.settings.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    expect(
      (
        await call(
          calls.save,
          {
            kind: 'elist',
            version_no: (await of()).version_no,
            fields: { pay_timeout_min: 44 },
            reason: '测试',
          },
          local.token,
        )
      ).data.rule,
    ).toBe('needs_all')
    expect((await call(calls.addTemplate, template(), local.token)).data.rule).toBe('needs_all')
  })
})

describe('a sender', () => {
  const set = async (at: number | null, sender: object | null) =>
    call(calls.setSender, {
      kind: 'elist',
      version_no: (await of()).version_no,
      at,
      sender,
      reason: '测试',
    })
  const one = {
    name: '西南仓',
    phone: '13900002222',
    area: '510100',
    address: '双流 1 号',
    courier: '顺丰速运',
    customer_no: '028',
    is_default: false,
  }
  it('is added, made the default, and taken out; one of them is always the default', async () => {
    ok(await set(null, one))
    expect((await of()).fields.senders.map(each => [each.name, each.is_default])).toEqual([
      ['华东仓', true],
      ['西南仓', false],
    ])
    ok(await set(1, { ...one, is_default: true }))
    expect((await of()).fields.senders.map(each => each.is_default)).toEqual([false, true])
    ok(await set(1, null))
    expect((await of()).fields.senders.map(each => [each.name, each.is_default])).toEqual([
      ['华东仓', true],
    ])
  })
  it('needs a phone, a city and a courier that there is', async () => {
    expect((await set(null, { ...one, phone: '12' })).data.fields).toEqual({
      'fields.senders': expect.stringContaining('第 2 个'),
    })
    expect((await set(null, { ...one, area: '999999' })).status).toBe(400)
    expect((await set(null, { ...one, courier: '飞毛腿' })).data.fields).toEqual({
      'sender.courier': expect.stringContaining('顺丰速运'),
    })
    expect((await set(9, one)).status).toBe(404)
  })
})

describe('a freight template', () => {
  it('of the demo is there twelve times, one asks more for far places and one has a gap to mend', async () => {
    const { list } = ok(await call(calls.templates, {}))
    const old = list.filter((row: { id: number }) => row.id <= 12)
    expect(old.length).toBe(12)
    expect(
      old.filter(
        (row: { name: string; regions: unknown[] }) =>
          row.name.includes('偏远') && row.regions.length === 2,
      ).length,
    ).toBe(1)
    expect(
      old
        .filter((row: { faults: unknown[] }) => row.faults.length > 0)
        .map((row: { faults: { text: string[] }[] }) => row.faults[0]!.text[0]),
    ).toEqual([expect.stringMatching(/海南省.*西藏自治区/)])
  })
  it.each<[string, object, string]>([
    ['a gap', { regions: [{ areas: all.filter(code => code !== XIZANG), ...fee }] }, 'regions'],
    [
      'an overlap',
      {
        regions: [
          { areas: all, ...fee },
          { areas: [ZHEJIANG], ...fee },
        ],
      },
      'regions.1.areas',
    ],
    ['a first unit of nothing', { regions: [{ areas: all, ...fee, first: 0 }] }, 'regions.0.first'],
    ['a next unit of nothing', { regions: [{ areas: all, ...fee, next: 0 }] }, 'regions.0.next'],
    [
      'a fee below nothing',
      { regions: [{ areas: all, ...fee, first_cents: -1 }] },
      'regions.0.first_cents',
    ],
    [
      'free from nothing',
      { free_rules: [{ areas: all, over_cents: 0 }] },
      'free_rules.0.over_cents',
    ],
    [
      'a place both free and not delivered to',
      { no_delivery: [XIZANG], free_rules: [{ areas: all, over_cents: 100 }] },
      'free_rules.0.areas',
    ],
    ['the name of another', { name: '全国包邮' }, 'name'],
  ])('with %s is refused at its field', async (_, more, field) => {
    expect(await faults(more)).toEqual([
      400,
      expect.objectContaining({ [field]: expect.stringMatching(/[一-鿿]/) }),
    ])
  })
  it('is copied, edited by one of two, and deleted when nothing on sale uses it', async () => {
    const one = await add()
    const copy = ok(await call(calls.copyTemplate, { id: one.id, name: `副本${++made}` }))
    expect(
      ok(
        await call(calls.editTemplate, {
          ...one,
          ...template({ regions: [{ areas: all, ...fee, first_cents: 100 }] }),
        }),
      ).version,
    ).toBe(one.version + 1)
    expect((await call(calls.editTemplate, { ...one, ...template() })).status).toBe(409)
    expect(
      (
        await database.db.select().from(freight_template).where(eq(freight_template.id, copy.id))
      )[0]!.regions,
    ).toEqual([{ areas: all, ...fee }])
    ok(await call(calls.delTemplate, copy))
    expect((await call(calls.delTemplate, copy)).status).toBe(404)
    await sentBy(one.id)
    expect(
      (await call(calls.delTemplate, { id: one.id, version: one.version + 1 })).data.rule,
    ).toBe('in_use')
    await sentBy(null)
    ok(await call(calls.delTemplate, { id: one.id, version: one.version + 1 }))
  })
})

describe('what sending costs', () => {
  it('is the same at the trial and at checkout, wherever it goes and however much', async () => {
    const one = await add({
      regions: [
        { areas: all.filter(code => code !== ZHEJIANG && code !== XIZANG), ...fee },
        { areas: [ZHEJIANG], ...fee, first: 2, first_cents: 500, next: 3, next_cents: 100 },
      ],
      free_rules: [{ areas: [ZHEJIANG], over_units: 9 }],
      no_delivery: [XIZANG],
    })
    const item = await sentBy(one.id)
    for (const area of ['浙江省杭州市西湖区', '上海市静安区', '吉林市昌邑区', '330106']) {
      for (const qty of [1, 2, 3, 6, 9]) {
        const told = await trial(one.id, area, [{ qty, price_cents: item.price_cents }])
        const placed = await buy({ product_id: item.id, qty, receiver: receiver(area) })
        expect([area, qty, told.ok, told.cents]).toEqual([area, qty, true, placed.freight_cents])
        expect(placed.pay_cents).toBe(item.price_cents * qty + placed.freight_cents)
      }
    }
    const told = await trial(one.id, '西藏自治区拉萨市', [{ qty: 1, price_cents: 100 }])
    expect([told.ok, told.how[0]]).toEqual([false, '拉萨不在配送范围内'])
    await expect(
      buy({ product_id: item.id, receiver: receiver('西藏自治区拉萨市') }),
    ).rejects.toMatchObject({ data: { rule: 'no_delivery' } })
    await expect(buy({ product_id: item.id, receiver: receiver('月球') })).rejects.toMatchObject({
      data: { rule: 'no_place' },
    })
  })
  it('is what was said when the order was made: a changed template holds for the next one', async () => {
    const one = await add()
    const item = await sentBy(one.id)
    const before = await buy({ product_id: item.id, receiver: receiver('上海市') })
    ok(
      await call(calls.editTemplate, {
        ...one,
        ...template({ regions: [{ areas: all, ...fee, first_cents: 9900 }] }),
      }),
    )
    const after = await buy({ product_id: item.id, receiver: receiver('上海市') })
    expect([before.freight_cents, after.freight_cents]).toEqual([800, 9900])
    expect(
      (
        await database.db
          .select({ cents: order.freight_cents })
          .from(order)
          .where(eq(order.id, before.id))
      )[0]!.cents,
    ).toBe(800)
  })
  it('is asked of nobody who is told of it, and nothing without a template', async () => {
    const item = await sentBy((await add()).id)
    expect(
      (await buy({ product_id: item.id, receiver: receiver('上海市'), freight_cents: 123 }))
        .freight_cents,
    ).toBe(123)
    expect((await buy({ product_id: item.id })).freight_cents).toBe(0)
    await sentBy(null)
    expect((await buy({ product_id: item.id, receiver: receiver('上海市') })).freight_cents).toBe(0)
  })
  it('by weight needs a weight', async () => {
    const one = await add({
      mode: 'weight',
      regions: [{ areas: all, first: 1000, first_cents: 800, next: 500, next_cents: 200 }],
    })
    expect((await trial(one.id, '上海市', [{ qty: 2, price_cents: 1, weight_g: 800 }])).cents).toBe(
      800 + 2 * 200,
    )
    expect((await trial(one.id, '上海市', [{ qty: 2, price_cents: 1 }])).ok).toBe(false)
  })
})

describe('where nothing is delivered', () => {
  const set = async (areas: string[], kind: ConfigScope = 'elist') =>
    call(calls.setNoDelivery, {
      kind,
      version_no: (await of(kind)).version_no,
      areas,
      reason: '封路',
    })
  it('goes before every template, for orders from then on', async () => {
    const one = await add()
    const item = await sentBy(one.id)
    const before = await buy({ product_id: item.id, receiver: receiver('浙江省舟山市') })
    ok(await set(['330900', XIZANG]))
    await expect(
      buy({ product_id: item.id, receiver: receiver('浙江省舟山市') }),
    ).rejects.toMatchObject({ data: { rule: 'no_delivery' } })
    expect(
      (await buy({ product_id: item.id, receiver: receiver('浙江省杭州市') })).freight_cents,
    ).toBe(800)
    expect((await trial(one.id, '浙江省舟山市', [{ qty: 1, price_cents: 1 }])).ok).toBe(false)
    // A policy of another kind of order allows it.
    expect((await trial(one.id, '浙江省舟山市', [{ qty: 1, price_cents: 1 }], 'points')).ok).toBe(
      true,
    )
    expect(
      (await database.db.select().from(order).where(eq(order.id, before.id)))[0]!.freight_cents,
    ).toBe(800)
    const { list } = ok(await call(calls.history, { kind: 'elist' }))
    expect(list[0].changes).toEqual([
      expect.objectContaining({
        field: 'no_delivery',
        after: ['舟山、西藏自治区', '舟山、西藏自治区'],
      }),
    ])
    // No template of its own: the platform's word holds all the same.
    await sentBy(null)
    await expect(
      buy({ product_id: item.id, receiver: receiver('西藏自治区拉萨市') }),
    ).rejects.toMatchObject({ data: { rule: 'no_delivery' } })
    ok(await set([]))
  })
  it('tells whoever closes it which templates still name it with a fee or for free: of what is closed now, not before', async () => {
    const [paid, free, without] = [
      await add(),
      await add({ free_rules: [{ areas: ['330900'], over_units: 2 }] }),
      await add({
        regions: [{ ...fee, areas: all.filter(code => code !== XIZANG) }],
        no_delivery: [XIZANG],
      }),
    ]
    const told = async (areas: string[]) =>
      (ok(await set(areas)).still as { id: number; areas: string[]; free: string[] }[])
        .filter(one => [paid.id, free.id, without.id].includes(one.id))
        .map(({ id, areas: there, free: gratis }) => ({ id, there, gratis }))
    expect(await told(['330900', XIZANG])).toEqual([
      { id: paid.id, there: ['330900', XIZANG], gratis: [] },
      { id: free.id, there: ['330900', XIZANG], gratis: ['330900'] },
      { id: without.id, there: ['330900'], gratis: [] },
    ])
    expect(await told(['330900', XIZANG, '310000'])).toEqual(
      [paid, free, without].map(one => ({ id: one.id, there: ['310000'], gratis: [] })),
    )
    expect(await told([])).toEqual([])
  })
  it('is some place that there is, and never everywhere', async () => {
    expect((await set(['1'])).data.fields).toEqual({
      'fields.no_delivery': expect.stringContaining('没有这些地区'),
    })
    expect((await set(all)).status).toBe(400)
  })
  it('is counted over the orders that went there', async () => {
    const said = ok(
      await call(calls.simulate, { kind: 'elist', fields: { no_delivery: ['310000'] } }),
    )
    const [there] = (
      await database.db.execute<{ n: number }>(
        sql`select count(*)::int n from "order" where kind = 'elist' and created_at >= ${now - 30 * 86_400} and (receiver->>'area' like '上海%' or receiver->>'area' like '310%')`,
      )
    ).rows
    expect(there!.n).toBeGreaterThan(0)
    expect(said.effects).toEqual([
      expect.objectContaining({
        field: 'no_delivery',
        before: { n: 0, cents: 0 },
        after: { n: there!.n, cents: expect.any(Number) },
      }),
    ])
  })
  it('leaves one version in force', async () => {
    expect(
      await database.db.$count(
        order_config,
        and(eq(order_config.scope, 'elist'), eq(order_config.state, 'current')),
      ),
    ).toBe(1)
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
