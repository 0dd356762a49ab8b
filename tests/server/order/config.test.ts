import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { configId, configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { order } from '#src/areas/order/order.table.ts'
import { rulesOf } from '#src/areas/order/orderFacts.server.ts'
import { rulesAtFirst, storeScopes, type OrderRules } from '#src/areas/order/orderRules.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_config } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { saidInBoth, say } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { config as calls } from '#src/modules/order/contract/config.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenOfAccount, type Said } from '../../help/app.ts'

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
const of = async (kind: ConfigScope) =>
  ok(await call(calls.lst)).list.find((row: { kind: string }) => row.kind === kind) as {
    version_no: number
    fields: OrderRules
    running: number
  }
const save = async (kind: ConfigScope, fields: Partial<OrderRules>, more: object = {}) =>
  call(calls.save, {
    kind,
    version_no: (await of(kind)).version_no,
    fields,
    reason: '测试',
    ...more,
  })
const at = (said: Said) => [said.status, said.data?.fields]

describe('rules of to-store orders', () => {
  it('stand for every to-store kind, with how many orders run under theirs', async () => {
    const { list, refund_limit_cents } = ok(await call(calls.lst))
    expect(list.map((row: { kind: string }) => row.kind)).toEqual([...storeScopes])
    expect(refund_limit_cents).toBe(1_000_000_00)
    const running = await database.db.$count(
      order,
      and(
        eq(order.kind, 'bulks'),
        sql`${order.status} not in ('cancelled', 'refunded', 'finished', 'expired')`,
      ),
    )
    expect([running > 0, (await of('bulks')).running]).toEqual([true, running])
  })
  it('are saved as a new version with its reason, and the log tells what changed', async () => {
    const before = await of('bulks')
    expect(ok(await save('bulks', { pay_timeout_min: 25 }))).toEqual({
      kind: 'bulks',
      version_no: before.version_no + 1,
    })
    expect((await of('bulks')).fields).toEqual({ ...before.fields, pay_timeout_min: 25 })
    const states = await database.db
      .select({ no: order_config.version_no, state: order_config.state })
      .from(order_config)
      .where(eq(order_config.scope, 'bulks'))
      .orderBy(order_config.version_no)
    expect(states.filter(one => one.state === 'current')).toEqual([
      { no: before.version_no + 1, state: 'current' },
    ])
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'order_config'), eq(op_log.object_id, configId('bulks'))))
      .orderBy(sql`id desc`)
      .limit(1)
    expect(line).toMatchObject({
      before: { pay_timeout_min: before.fields.pay_timeout_min },
      after: { pay_timeout_min: 25 },
      reason: '测试',
      object_label: saidInBoth(
        lang => `${say(configScopes.bulks, lang)} V${before.version_no + 1}`,
      ),
    })
  })
  it.each<[string, ConfigScope, Partial<Record<keyof OrderRules, unknown>>, string]>([
    ['4 minutes to pay', 'bulks', { pay_timeout_min: 4 }, 'pay_timeout_min'],
    ['more than a day to pay', 'bulks', { pay_timeout_min: 1441 }, 'pay_timeout_min'],
    ['half a minute', 'bulks', { pay_timeout_min: 7.5 }, 'pay_timeout_min'],
    ['nothing', 'bulks', { pay_timeout_min: null }, 'pay_timeout_min'],
    ['a group formed in no time', 'roll_buy', { group_hours: 0 }, 'group_hours'],
    ['73 hours to form', 'roll_buy', { group_hours: 73 }, 'group_hours'],
    ['31 days on hold', 'card', { hold_days: 31 }, 'hold_days'],
    ['less than nothing on hold', 'card', { hold_days: -1 }, 'hold_days'],
    [
      '8 days until expired money goes back',
      'voucher',
      { expired_refund_days: 8 },
      'expired_refund_days',
    ],
    [
      'a limit below nothing',
      'voucher',
      { auto_approve_limit_cents: -1 },
      'auto_approve_limit_cents',
    ],
    [
      'a merchant who takes back longer than the platform',
      'bulks',
      { merchant_reverse_h: 25 },
      'merchant_reverse_h',
    ],
    [
      'a platform that takes back after the money is free',
      'bulks',
      { platform_reverse_h: 73 },
      'platform_reverse_h',
    ],
    ['a hold shorter than the platform’s window', 'bulks', { hold_days: 0 }, 'platform_reverse_h'],
    ['the same day twice', 'bulks', { remind_days: [7, 7] }, 'remind_days'],
    ['a rule that its kind has not', 'bulks', { group_hours: 12 }, 'group_hours'],
    ['a rule of e-commerce', 'ecard', { auto_receive_d: 9 }, 'auto_receive_d'],
    ['receipt put off of what a store brings', 'goods', { extend_times: 1 }, 'extend_times'],
  ])('refuse %s, at the field and in Chinese', async (_, kind, fields, name) => {
    const before = await of(kind)
    const said = await save(kind, fields as Partial<OrderRules>, { confirm: true })
    expect(at(said)).toEqual([400, { [`fields.${name}`]: expect.stringMatching(/[一-鿿]/) }])
    expect(await of(kind)).toEqual(before)
  })
  it('need a reason, and something that changes', async () => {
    expect(at(await save('bulks', { pay_timeout_min: 26 }, { reason: ' ' }))).toEqual([
      400,
      { reason: expect.any(String) },
    ])
    expect((await save('bulks', {})).data.rule).toBe('unchanged')
    expect(
      (await save('bulks', { hold_days: (await of('bulks')).fields.hold_days })).data.rule,
    ).toBe('unchanged')
  })
  it('about refunds change only with a second yes', async () => {
    const said = await save('voucher', { refund_policy: 'before_expiry', pay_timeout_min: 21 })
    expect([
      said.status,
      said.data.rule,
      said.data.changes.map((one: { field: string }) => one.field),
    ]).toEqual([422, 'needs_confirm', ['refund_policy']])
    expect((await of('voucher')).fields.refund_policy).toBe('anytime')
    ok(
      await save(
        'voucher',
        { refund_policy: 'before_expiry', pay_timeout_min: 21 },
        { confirm: true },
      ),
    )
    expect((await of('voucher')).fields).toMatchObject({
      refund_policy: 'before_expiry',
      pay_timeout_min: 21,
    })
  })
  it('agree to no refund above what their saver might agree to, by an old version neither', async () => {
    const lead = await addStaff(database, {
      perms: ['order.config.*'],
      role: { refund_limit_cents: 300_00 },
    })
    const mine = async (fields: Partial<OrderRules>) =>
      call(
        calls.save,
        {
          kind: 'card',
          version_no: (await of('card')).version_no,
          fields,
          reason: '测试',
          confirm: true,
        },
        lead.token,
      )
    expect(at(await mine({ auto_approve_limit_cents: 300_01 }))).toEqual([
      400,
      { 'fields.auto_approve_limit_cents': '不能高于你的退款额度 300.00 元' },
    ])
    ok(await mine({ auto_approve_limit_cents: 300_00 }))
    ok(await save('card', { auto_approve_limit_cents: 900_00 }, { confirm: true }))
    const high = (await of('card')).version_no
    // What somebody above set stays, while it is not touched.
    ok(await mine({ pay_timeout_min: 33 }))
    ok(await save('card', { auto_approve_limit_cents: 100_00 }, { confirm: true }))
    expect(
      at(
        await call(
          calls.rollback,
          {
            kind: 'card',
            version_no: (await of('card')).version_no,
            to: high,
            reason: '测试',
            confirm: true,
          },
          lead.token,
        ),
      )[0],
    ).toBe(400)
  })
  it('tell the slower of two editors who was quicker', async () => {
    const { version_no } = await of('visitor')
    const other = await addStaff(database, {
      perms: ['order.config.*'],
      role: { refund_limit_cents: 1 },
    })
    ok(
      await call(
        calls.save,
        { kind: 'visitor', version_no, fields: { pay_timeout_min: 8 }, reason: '先到' },
        other.token,
      ),
    )
    const said = await call(calls.save, {
      kind: 'visitor',
      version_no,
      fields: { pay_timeout_min: 9 },
      reason: '后到',
    })
    expect([said.status, said.message]).toEqual([409, expect.stringContaining(other.account)])
    expect((await of('visitor')).fields.pay_timeout_min).toBe(8)
  })
  it('go back as a new version with the old rules, and tell before what that changes', async () => {
    const first = await of('combo')
    ok(await save('combo', { pay_timeout_min: 40 }))
    ok(await save('combo', { hold_days: 9 }))
    const { list, total } = ok(await call(calls.history, { kind: 'combo' }))
    expect(list.length).toBe(total)
    expect(list[0]).toMatchObject({
      state: 'current',
      reason: '测试',
      changes: [
        {
          field: 'hold_days',
          before: ['3 天', '3 days'],
          after: ['9 天', '9 days'],
          refund: false,
        },
      ],
      back: [],
    })
    const old = list.find((one: { version_no: number }) => one.version_no === first.version_no)
    expect(old.back.map((one: { field: string }) => one.field)).toEqual([
      'pay_timeout_min',
      'hold_days',
    ])
    const done = ok(
      await call(calls.rollback, {
        kind: 'combo',
        version_no: first.version_no + 2,
        to: first.version_no,
        reason: '改错了',
      }),
    )
    expect(done.version_no).toBe(first.version_no + 3)
    expect((await of('combo')).fields).toEqual(first.fields)
    expect(
      (
        await call(calls.rollback, {
          kind: 'combo',
          version_no: done.version_no,
          to: 4711,
          reason: '没有',
        })
      ).status,
    ).toBe(404)
  })
  it('begin with the first version where none was ever saved', async () => {
    await database.db.delete(order_config).where(eq(order_config.scope, 'ecard'))
    expect(await of('ecard')).toMatchObject({ version_no: 0, fields: rulesAtFirst })
    expect(ok(await save('ecard', { pay_timeout_min: 60 })).version_no).toBe(1)
    expect((await of('ecard')).fields).toEqual({ ...rulesAtFirst, pay_timeout_min: 60 })
  })
  it('can be read without being changed', async () => {
    const reader = await addStaff(database, { perms: ['order.config.view'] })
    expect((await call(calls.lst, {}, reader.token)).status).toBe(200)
    expect(
      (
        await call(
          calls.save,
          { kind: 'bulks', version_no: 0, fields: {}, reason: '测试' },
          reader.token,
        )
      ).status,
    ).toBe(403)
  })
})

describe('an order', () => {
  it('keeps the rules it was made under, whatever is saved later', async () => {
    const [offer] = await database.db
      .select()
      .from(product)
      .where(
        and(
          eq(product.kind, 'bulks'),
          eq(product.state, 'on_sale'),
          sql`${product.sale_start_at} < ${now} and ${product.sale_end_at} > ${now + 60} and ${product.stock} - ${product.held} > 40`,
        ),
      )
      .limit(1)
    const made: { id: number; rules: OrderRules; expire_pay_at: number }[] = []
    const change = fc.record(
      {
        pay_timeout_min: fc.integer({ min: 5, max: 1440 }),
        hold_days: fc.integer({ min: 1, max: 30 }),
        merchant_reverse_h: fc.integer({ min: 0, max: 24 }),
        auto_approve_limit_cents: fc.integer({ min: 0, max: 100_000 }),
        expired_refund_days: fc.option(fc.integer({ min: 0, max: 7 })),
        refund_policy: fc.constantFrom('anytime', 'before_expiry', 'none'),
      },
      { requiredKeys: ['pay_timeout_min'] },
    )
    await fc.assert(
      fc.asyncProperty(change, async fields => {
        const said = await save('bulks', fields as Partial<OrderRules>, { confirm: true })
        expect([200, 422]).toContain(said.status)
        const rules = (await of('bulks')).fields
        const one = await database.transaction(tx =>
          placeOrder(tx, {
            proved: true,
            product_id: offer!.id,
            // Nobody meets a limit of the demo that counts what one person bought.
            member_id: 2 + made.length,
            qty: 1,
            now,
          }),
        )
        expect(one.expire_pay_at).toBe(now + rules.pay_timeout_min * 60)
        made.push({ id: one.id, rules, expire_pay_at: one.expire_pay_at })
        for (const old of made) {
          const [row] = await database.db.select().from(order).where(eq(order.id, old.id))
          expect(row!.expire_pay_at).toBe(old.expire_pay_at)
          expect(await rulesOf(database.db, row!)).toEqual(old.rules)
        }
      }),
      { numRuns: 12 },
    )
    expect(made.length).toBe(12)
  })
})

describe('a trial of rules', () => {
  const trial = async (kind: ConfigScope, fields: Partial<OrderRules>) =>
    ok(await call(calls.simulate, { kind, fields })) as {
      orders: number
      running: number
      effects: {
        field: string
        before: { n: number; cents?: number }
        after: { n: number; cents?: number }
      }[]
    }
  const since = now - 30 * 86_400
  it('counts real orders: who would have had too little time, and which refunds would have been agreed to', async () => {
    const before = await of('bulks')
    ok(
      await call(calls.save, {
        kind: 'bulks',
        version_no: before.version_no,
        fields: { pay_timeout_min: 30, auto_approve_limit_cents: 100_00, refund_policy: 'anytime' },
        reason: '基准',
        confirm: true,
      }).then(said => (said.status === 422 ? { ...said, status: 200, message: '' } : said)),
    )
    // Somebody paid after twenty minutes.
    const [offer] = await database.db
      .select()
      .from(product)
      .where(
        and(
          eq(product.kind, 'bulks'),
          eq(product.state, 'on_sale'),
          sql`${product.sale_start_at} < ${now - 3600} and ${product.sale_end_at} > ${now + 60} and ${product.stock} - ${product.held} > 4`,
        ),
      )
      .limit(1)
    await database.transaction(async tx => {
      const one = await placeOrder(tx, {
        proved: true,
        product_id: offer!.id,
        member_id: 3,
        qty: 1,
        now: now - 1500,
      })
      await payOrder(tx, one.id, now - 300)
    })
    // Somebody asked for little back.
    await database.db.update(product).set({ price_cents: 990 }).where(eq(product.id, offer!.id))
    await database.transaction(async tx => {
      const one = await placeOrder(tx, {
        proved: true,
        product_id: offer!.id,
        member_id: 4,
        qty: 1,
        now: now - 900,
      })
      await payOrder(tx, one.id, now - 800)
      await openRefund(tx, {
        order_id: one.id,
        wanted: 'all',
        source: 'member',
        reason: '买多了',
        actor: { type: 'member' },
        now: now - 700,
      })
    })
    const said = await trial('bulks', { pay_timeout_min: 10, auto_approve_limit_cents: 0 })
    const [slow] = (
      await database.db.execute<{ n: number; all: number; timed: number }>(
        sql`select count(*) filter (where paid_at - created_at > 600)::int n, count(*)::int "all", count(*) filter (where cancel_type = 'timeout')::int timed from "order" where kind = 'bulks' and created_at >= ${since}`,
      )
    ).rows
    expect(said.orders).toBe(slow!.all)
    expect(said.effects.map(one => one.field)).toEqual([
      'pay_timeout_min',
      'auto_approve_limit_cents',
    ])
    expect(slow!.n).toBeGreaterThan(0)
    expect(said.effects[0]).toMatchObject({
      before: { n: slow!.timed },
      after: { n: slow!.timed + slow!.n },
    })
    const [small] = await database.db
      .select({
        n: sql<number>`count(*)::int`,
        cents: sql<string>`coalesce(sum(${refund.amount_cents}), 0)`,
      })
      .from(refund)
      .where(
        and(
          eq(refund.order_kind, 'bulks'),
          eq(refund.source, 'member'),
          eq(refund.cause, 'apply'),
          eq(refund.type, 'refund_only'),
          sql`${refund.created_at} >= ${since} and ${refund.amount_cents} <= 10000`,
        ),
      )
    expect(small!.n).toBeGreaterThan(0)
    expect(said.effects[1]!.before).toEqual({ n: small!.n, cents: Number(small!.cents) })
  })
  const used = [
    'pay_timeout_min',
    'refund_policy',
    'auto_approve_limit_cents',
    'merchant_reverse_h',
    'platform_reverse_h',
    'hold_days',
    'remind_days',
  ]
  const sent = ['ship_promise_h', 'auto_receive_d']
  const known = (kind: ConfigScope): readonly string[] => {
    if (kind === 'goods')
      return [
        'pay_timeout_min',
        'auto_approve_limit_cents',
        'merchant_reverse_h',
        'platform_reverse_h',
        'hold_days',
        'pickup_refund_days',
        ...sent,
      ]
    if (kind === 'ecard') return ['pay_timeout_min', 'refund_policy', 'auto_approve_limit_cents']
    if (kind === 'card') return used
    return [
      ...used,
      'expired_refund_days',
      ...(kind === 'roll_buy' ? ['group_hours'] : []),
      ...(kind === 'roll_buy' || kind === 'combo' ? sent : []),
    ]
  }
  it('of every rule answers for every kind, and of none that stays nothing', async () => {
    for (const kind of storeScopes) {
      const { fields } = await of(kind)
      expect((await trial(kind, {})).effects).toEqual([])
      const other = {
        pay_timeout_min: 6,
        hold_days: 20,
        merchant_reverse_h: 0,
        platform_reverse_h: 2,
        refund_policy: 'none',
        expired_refund_days: null,
        auto_approve_limit_cents: 1,
        group_hours: 2,
        remind_days: [3],
        ship_promise_h: 2,
        auto_receive_d: 3,
        pickup_refund_days: 1,
      } as const
      const named = Object.fromEntries(
        Object.entries(other).filter(([name]) => known(kind).includes(name)),
      )
      const differing = Object.entries(named)
        .filter(
          ([name, value]) =>
            JSON.stringify(fields[name as keyof OrderRules]) !== JSON.stringify(value),
        )
        .map(([name]) => name)
      expect(
        (await trial(kind, named as Partial<OrderRules>)).effects.map(one => one.field).sort(),
      ).toEqual(differing.sort())
    }
  })
  it('holds more money the longer it is held', async () => {
    // Whatever was drawn before: from two days to thirty.
    await save('bulks', { hold_days: 2, merchant_reverse_h: 1, platform_reverse_h: 24 })
    const effect = (await trial('bulks', { hold_days: 30 })).effects.find(
      one => one.field === 'hold_days',
    )!
    expect(effect.after.cents).toBeGreaterThan(effect.before.cents!)
  })
  it('counts only what its reader may see', async () => {
    const local = await addStaff(database, {
      perms: ['order.config.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const said = ok(await call(calls.simulate, { kind: 'bulks', fields: {} }, local.token))
    expect(said.orders).toBe(
      await database.db.$count(
        order,
        sql`kind = 'bulks' and city_id = 1 and created_at >= ${since}`,
      ),
    )
  })
  it('refuses rules that could not be saved', async () => {
    expect(
      (await call(calls.simulate, { kind: 'bulks', fields: { merchant_reverse_h: 48 } })).data
        .fields,
    ).toEqual({ 'fields.merchant_reverse_h': expect.any(String) })
  })
})
