import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { FAR_M } from '#src/areas/code/verifier.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { statusOf } from '#src/areas/order/order.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { admin_session } from '#src/areas/people/people.table.ts'
import {
  dryRun,
  measureRule,
  refuseRisky,
  runRule,
  runRules,
  type Hit,
} from '#src/areas/risk/risk.server.ts'
import { risk_hit, risk_list, risk_rule } from '#src/areas/risk/risk.table.ts'
import { CLAIM_S, MERGE_S, type RiskCondition } from '#src/areas/risk/risk.ts'
import { joined, unjoined } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import { risk as calls } from '#src/modules/system/contract/risk.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { refundUnused } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let other: Awaited<ReturnType<typeof addStaff>>
let item: Awaited<ReturnType<typeof freshProduct>>['item']
const OWN_PHONE = '13911112222'
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], staff: { name: '郑娜', phone: OWN_PHONE } })
  other = await addStaff(database, { perms: ['*'], staff: { name: '薛志强' } })
  // Only the rules of a test are on.
  await database.db.update(risk_rule).set({ status: 'off' })
  item = (await database.transaction(tx => freshProduct(tx))).item
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let made = 0
const newMember = async (more: Partial<typeof member.$inferInsert> = {}) =>
  (
    await database.db
      .insert(member)
      .values({
        uid: `R${++made}`,
        nickname: `风控${made}`,
        phone: `177${String(10_000_000 + made)}`,
        city_id: 1,
        register_at: unixNow() - 300 * 86_400,
        ...more,
      })
      .returning()
  )[0]!
/** Orders of a member at these moments, paid, with their codes. */
const buy = (member_id: number, at: number, device?: string) =>
  database.transaction(async tx => {
    const placed = await placeOrder(tx, {
      product_id: item.id,
      member_id,
      qty: 1,
      now: at,
      ...(device && { device }),
    })
    await payOrder(tx, placed.id, at)
    return (await tx.select().from(order).where(eq(order.id, placed.id)))[0]!
  })
const rule = {
  name: '',
  scene: 'order',
  condition: { metric: 'member_orders' },
  threshold: 3,
  window_s: 3600,
  action: 'mark',
} as const
const newRule = async (more: object = {}) => {
  const said = await call(calls.createRule, { ...rule, name: `规则${++made}`, ...more })
  expect([said.message, said.status]).toEqual([said.message, 200])
  return { id: said.data.id as number, version: said.data.version as number }
}
/** A rule that is on and has measured nothing of the last hour yet. */
const ruleOn = async (more: object = {}) => {
  const { id } = await newRule(more)
  await database.db
    .update(risk_rule)
    .set({ status: 'on', measured_until: unixNow() - 3600 })
    .where(eq(risk_rule.id, id))
  return id
}
const ruleOf = async (id: number) =>
  (await database.db.select().from(risk_rule).where(eq(risk_rule.id, id)))[0]!
/** Hits of a rule: those of one member, as the orders of other tests are measured too. */
const hitsBy = (rule_id: number, member_id?: number) =>
  database.db
    .select()
    .from(risk_hit)
    .where(
      and(
        eq(risk_hit.rule_id, rule_id),
        member_id === undefined ? undefined : eq(risk_hit.member_id, member_id),
      ),
    )
    .orderBy(risk_hit.id)
const hitOf = async (id: number) =>
  (await database.db.select().from(risk_hit).where(eq(risk_hit.id, id)))[0]!
const orderOf = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
/** An open hit with two paid orders of a member of its own. */
const newHit = async (
  more: Partial<typeof risk_hit.$inferInsert> = {},
): Promise<Hit & { orders: number[] }> => {
  const who = await newMember()
  const orders = [(await buy(who.id, unixNow() - 500)).id, (await buy(who.id, unixNow() - 400)).id]
  const [hit] = await database.db
    .insert(risk_hit)
    .values({
      domain: 'platform',
      rule: 'member_orders',
      scene: 'order',
      level: 'mid',
      score: 70,
      city_id: item.city_id,
      mall_id: item.mall_id,
      member_id: who.id,
      order_ids: orders,
      note: '测试',
      state: 'open',
      hit_at: unixNow() - 300,
      last_at: unixNow() - 300,
      ...more,
    })
    .returning()
  return { ...hit!, orders }
}
const decide = (
  what: typeof calls.release | typeof calls.confirm,
  hit: { id: number; version: number },
  token = me.token,
) => call(what, { id: hit.id, version: hit.version, reason: '核对完毕' }, token)

describe('a rule', () => {
  it('whose condition can not be measured is refused at the field', async () => {
    const fields = async (more: object) => {
      const said = await call(calls.createRule, { ...rule, name: '不通', ...more })
      return [said.status, Object.keys(said.data?.fields ?? {})]
    }
    expect(await fields({ condition: { metric: 'moon_phase' } })).toEqual([
      400,
      ['condition.metric'],
    ])
    expect(await fields({ scene: 'refund' })).toEqual([400, ['condition.metric']])
    expect(
      await fields({ scene: 'pay', condition: { metric: 'new_voucher' }, threshold: 10_000 }),
    ).toEqual([400, ['condition.new_days']])
    expect(await fields({ threshold: 1 })).toEqual([400, ['threshold']])
    expect(await fields({ window_s: 30 })).toEqual([400, ['window_s']])
    expect(await database.db.select().from(risk_rule).where(eq(risk_rule.name, '不通'))).toEqual([])
  })
  it('has a name of its own', async () => {
    const one = await newRule()
    const said = await call(calls.createRule, { ...rule, name: (await ruleOf(one.id)).name })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, ['name']])
  })
  it('that stops orders must be tried on 7 days of real orders before it is enabled, and shows how many it would have stopped', async () => {
    const one = await newRule({ action: 'block' })
    const enable = async () =>
      call(calls.enableRule, { id: one.id, version: (await ruleOf(one.id)).version })
    expect((await enable()).data.rule).toBe('dry_run')
    expect((await call(calls.dryRun, { rule_id: one.id, days: 6 })).status).toBe(200)
    expect((await enable()).data.rule).toBe('dry_run')
    const who = await newMember()
    const at = unixNow() - 5 * 86_400
    const bought = []
    for (const minute of [0, 1, 2, 3]) bought.push(await buy(who.id, at + minute * 60))
    const tried = (await call(calls.dryRun, { rule_id: one.id, days: 7 })).data
    // The third and the fourth order within an hour would have been stopped, and nothing was.
    const stopped = (
      await database.db.execute<{ n: number; cents: string }>(
        sql`select count(*)::int n, coalesce(sum(o.pay_cents), 0) cents from "order" o where o.member_id is not null and o.created_at > ${unixNow() - 7 * 86_400} and (select count(*) from "order" f where f.member_id = o.member_id and f.created_at > o.created_at - 3600 and f.created_at <= o.created_at) >= 3`,
      )
    ).rows[0]!
    expect([tried.orders, tried.amount_cents, tried.days]).toEqual([
      stopped.n,
      Number(stopped.cents),
      7,
    ])
    expect(tried.sample.map((each: { id: number }) => each.id)).toEqual(
      expect.arrayContaining(bought.slice(2).map(each => each.id)),
    )
    expect(await hitsBy(one.id)).toEqual([])
    const row = (await call(calls.rules, { keyword: (await ruleOf(one.id)).name })).data.list[0]
    expect(row.dry_run_result).toMatchObject({ days: 7, orders: stopped.n })
    expect((await enable()).data.status).toBe('on')
    await database.db.update(risk_rule).set({ status: 'off' }).where(eq(risk_rule.id, one.id))
  })
  it('that only marks is enabled at once, and measures from then on', async () => {
    const one = await newRule()
    const said = await call(calls.enableRule, one)
    expect(said.data.status).toBe('on')
    expect(Math.abs((await ruleOf(one.id)).measured_until! - unixNow())).toBeLessThan(5)
    expect(
      (await call(calls.enableRule, { id: one.id, version: said.data.version })).data.rule,
    ).toBe('state')
    await call(calls.disableRule, { id: one.id, version: said.data.version, reason: '测试完毕' })
  })
  it('changed in what it measures or does loses its dry run and stops until it is enabled anew; a new name changes neither', async () => {
    const one = await newRule({ action: 'hold' })
    await call(calls.dryRun, { rule_id: one.id, days: 7 })
    const on = (
      await call(calls.enableRule, { id: one.id, version: (await ruleOf(one.id)).version })
    ).data
    const renamed = (
      await call(calls.editRule, {
        ...on,
        status: undefined,
        ...rule,
        action: 'hold',
        name: `改名${++made}`,
      })
    ).data
    expect([renamed.status, (await ruleOf(one.id)).dry_run_at === null]).toEqual(['on', false])
    const changed = (
      await call(calls.editRule, {
        id: one.id,
        version: renamed.version,
        ...rule,
        action: 'hold',
        threshold: 2,
        name: `改名${++made}`,
      })
    ).data
    expect([changed.status, (await ruleOf(one.id)).dry_run_at]).toEqual(['draft', null])
    expect((await call(calls.enableRule, { id: one.id, version: changed.version })).data.rule).toBe(
      'dry_run',
    )
  })
  it('changed by two from the same version: the second is told', async () => {
    const one = await newRule()
    expect(
      (await call(calls.editRule, { ...one, ...rule, threshold: 4, name: `先${++made}` })).status,
    ).toBe(200)
    const said = await call(
      calls.editRule,
      { ...one, ...rule, threshold: 5, name: `后${++made}` },
      other.token,
    )
    expect([said.status, said.data.rule]).toEqual([409, 'stale'])
  })
  it('disabled keeps its open hits, and says why', async () => {
    const id = await ruleOn()
    const hit = await newHit({ rule_id: id })
    const before = (await ruleOf(id)).version
    expect(
      (await call(calls.disableRule, { id, version: before, reason: '误报太多' })).data.status,
    ).toBe('off')
    expect((await hitOf(hit.id)).state).toBe('open')
    expect(
      (await call(calls.rules, { keyword: (await ruleOf(id)).name })).data.list[0],
    ).toMatchObject({ status: 'off', status_reason: '误报太多', open: 1 })
  })
  it('shows hits, the share of false alarms among those decided, and the amount of those confirmed', async () => {
    const { id } = await newRule()
    for (const state of ['released', 'confirmed', 'confirmed', 'confirmed'] as const)
      await newHit({
        rule_id: id,
        state,
        decided_at: unixNow(),
        decided_by: me.id,
        amount_cents: 1000,
      })
    await newHit({ rule_id: id, amount_cents: 1000 })
    expect(
      (await call(calls.rules, { keyword: (await ruleOf(id)).name })).data.list[0],
    ).toMatchObject({ hits: 5, open: 1, false_bp: 2500, avoided_cents: 3000 })
  })
  it('shows its hits day by day by what became of them, only those one may see', async () => {
    const { id: rule_id } = await newRule()
    const midnight = dayStart(unixNow())
    for (const [hit_at, more] of [
      [midnight - DAY + 10, {}],
      [midnight - DAY + 20, { state: 'released', decided_at: midnight }],
      [midnight - 3 * DAY, { state: 'confirmed', decided_at: midnight }],
      [midnight - 40 * DAY, {}],
    ] as const)
      await newHit({ rule_id, hit_at, last_at: hit_at, ...more })
    const { days } = (await call(calls.ruleDays, { rule_id })).data
    expect(days).toHaveLength(30)
    expect(days.slice(-4)).toEqual([
      { day: dateOf(midnight - 3 * DAY), waiting: 0, released: 0, confirmed: 1 },
      { day: dateOf(midnight - 2 * DAY), waiting: 0, released: 0, confirmed: 0 },
      { day: dateOf(midnight - DAY), waiting: 1, released: 1, confirmed: 0 },
      { day: dateOf(midnight), waiting: 0, released: 0, confirmed: 0 },
    ])
    const away = await addStaff(database, {
      perms: ['system.risk.*'],
      role: { scope_type: 'city', scope_ids: [item.city_id + 1] },
    })
    const theirs = (await call(calls.ruleDays, { rule_id }, away.token)).data.days
    expect(theirs.every((day: { confirmed: number }) => day.confirmed === 0)).toBe(true)
    expect((await call(calls.ruleDays, { rule_id: 999_999_999 })).status).toBe(404)
  })
})

describe('measuring', () => {
  const found = (
    of: {
      scene?: 'order' | 'pay' | 'verify' | 'refund' | 'points'
      condition: RiskCondition
      threshold: number
      window_s: number
    },
    from: number,
  ) => measureRule(database.db, { scene: 'order', ...of }, from, unixNow())
  it('a member’s orders hits at the order that reaches the threshold, never at one outside the window', async () => {
    const who = await newMember()
    const at = unixNow() - 3000
    for (const s of [0, 100, 700, 720]) await buy(who.id, at + s)
    const values = async (window_s: number, threshold: number) =>
      (await found({ condition: { metric: 'member_orders' }, threshold, window_s }, at - 10))
        .filter(one => one.member_id === who.id)
        .map(one => [one.at - at, one.value])
    expect(await values(600, 3)).toEqual([])
    expect(await values(601, 3)).toEqual([[700, 2]].slice(1))
    expect(await values(621, 3)).toEqual([[720, 3]])
    expect(await values(721, 3)).toEqual([
      [700, 3],
      [720, 4],
    ])
  })
  it('a device counts the accounts on it, each once; a phone its accounts together', async () => {
    const [a, b] = [
      await newMember({ phone: '17612345678' }),
      await newMember({ phone: '17612345678' }),
    ]
    const at = unixNow() - 900
    for (const who of [a, a, b]) await buy(who.id, at, 'farm-test-1')
    expect(
      (
        await found(
          { condition: { metric: 'device_accounts' }, threshold: 2, window_s: 600 },
          at - 10,
        )
      )
        .filter(one => one.device_id === 'farm-test-1')
        .map(one => one.value),
    ).toEqual([2, 2, 2])
    expect(
      (
        await found(
          { condition: { metric: 'device_orders' }, threshold: 3, window_s: 600 },
          at - 10,
        )
      )
        .filter(one => one.device_id === 'farm-test-1')
        .map(one => one.value),
    ).toEqual([3, 3, 3])
    expect(
      (await found({ condition: { metric: 'phone_orders' }, threshold: 3, window_s: 600 }, at - 10))
        .filter(one => one.subject === '17612345678')
        .map(one => one.value),
    ).toEqual([3, 3, 3])
  })
  it('redemptions are counted by member and store, and by city; one that was reversed is none', async () => {
    const who = await newMember()
    const bought = await buy(who.id, unixNow() - 2000)
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, bought.id))
    const record = (city_id: number, state: 'valid' | 'reversed', at: number) =>
      database.db.insert(verify_record).values({
        code_id: code!.id,
        order_id: bought.id,
        ordered_at: at,
        item_id: code!.item_id,
        paid_times: 1,
        hold_until: at,
        product_id: item.id,
        kind: 'bulks',
        city_id,
        mall_id: 0,
        store_id: bought.store_id,
        way: 'scan',
        times: 1,
        pay_cents: 1,
        commission_cents: 0,
        settle_cents: 1,
        state,
        verified_at: at,
      })
    const at = unixNow() - 1000
    await record(1, 'valid', at)
    await record(2, 'reversed', at + 1)
    await record(1, 'valid', at + 2)
    const value = async (metric: 'cash_out' | 'redeem_cities') =>
      (
        await found(
          { scene: 'verify', condition: { metric }, threshold: 2, window_s: 600 },
          at - 10,
        )
      )
        .filter(one => one.member_id === who.id)
        .map(one => one.value)
    expect([await value('cash_out'), await value('redeem_cities')]).toEqual([[2], []])
    await record(3, 'valid', at + 3)
    expect([await value('cash_out'), await value('redeem_cities')]).toEqual([[2, 3], [2]])
  })
  it('orders to one address are counted together, however it is spaced and whoever ordered', async () => {
    const people = [await newMember(), await newMember(), await newMember()]
    const at = unixNow() - 900
    const bought = []
    for (const [n, who] of people.entries()) bought.push(await buy(who.id, at + n))
    const to = (address: string) => ({
      name: '张三',
      phone: '13800138000',
      area: '上海市浦东新区',
      address,
    })
    for (const [n, address] of ['世纪大道 100 号', '世纪大道100号', '世纪大道 101 号'].entries())
      await database.db
        .update(order)
        .set({ receiver: to(address) })
        .where(eq(order.id, bought[n]!.id))
    expect(
      (
        await found(
          { condition: { metric: 'address_orders' }, threshold: 2, window_s: 600 },
          at - 10,
        )
      )
        .filter(one => one.subject.includes('世纪大道10'))
        .map(one => [one.subject, one.value, one.order_ids]),
    ).toEqual([['上海市浦东新区世纪大道100号', 2, [bought[0]!.id, bought[1]!.id]]])
  })
  it('redemptions far from their store are the store’s: one hit of it whoever bought, and no buyer is blocked by it', async () => {
    const rule = await ruleOn({
      scene: 'verify',
      condition: { metric: 'far_redeems' },
      threshold: 3,
      window_s: 3600,
      action: 'block',
    })
    const at = unixNow() - 1000
    const people = [await newMember(), await newMember(), await newMember(), await newMember()]
    const redeemed = async (n: number, distance_m: number) => {
      const bought = await buy(people[n]!.id, at - 500)
      const [code] = await database.db
        .select()
        .from(order_code)
        .where(eq(order_code.order_id, bought.id))
      await database.db.insert(verify_record).values({
        code_id: code!.id,
        order_id: bought.id,
        ordered_at: at,
        item_id: code!.item_id,
        paid_times: 1,
        hold_until: at,
        product_id: item.id,
        kind: 'bulks',
        city_id: 1,
        mall_id: 0,
        store_id: bought.store_id,
        way: 'scan',
        times: 1,
        pay_cents: 1,
        commission_cents: 0,
        settle_cents: 1,
        state: 'valid',
        verified_at: at + n,
        distance_m,
      })
      return bought.store_id
    }
    await redeemed(0, FAR_M)
    await redeemed(0, FAR_M + 1)
    const shop = await redeemed(1, 5000)
    await database.transaction(tx => runRule(tx, rule, at + 10))
    expect(await hitsBy(rule)).toEqual([])
    await redeemed(2, 5000)
    await database.db
      .update(risk_rule)
      .set({ measured_until: at - 10 })
      .where(eq(risk_rule.id, rule))
    await database.transaction(tx => runRule(tx, rule, at + 10))
    await redeemed(3, 5000)
    await database.db
      .update(verify_record)
      .set({ verified_at: at + 60 })
      .where(eq(verify_record.verified_at, at + 3))
    await database.transaction(tx => runRule(tx, rule, at + 120))
    expect(await hitsBy(rule)).toEqual([
      expect.objectContaining({
        store_id: shop,
        member_id: null,
        value: 4,
        merged_count: 2,
        state: 'open',
      }),
    ])
    await expect(buy(people[2]!.id, unixNow() - 5)).resolves.toBeDefined()
  })
  it('a refund rate needs its least orders, and is set off by the refund', async () => {
    const who = await newMember()
    const at = unixNow() - 5000
    const bought = []
    for (const s of [0, 1, 2]) bought.push(await buy(who.id, at + s))
    for (const one of bought.slice(0, 2))
      await refundUnused(database, {
        order_id: one.id,
        reason: '不想要了',
        now: at + 100 + (one.id % 2),
      })
    const values = async (min_sample: number, threshold: number) =>
      (
        await found(
          {
            scene: 'refund',
            condition: { metric: 'refund_rate', min_sample },
            threshold,
            window_s: 86_400,
          },
          at - 10,
        )
      )
        .filter(one => one.member_id === who.id)
        .map(one => one.value)
    expect([await values(3, 3000), await values(3, 6000), await values(4, 3000)]).toEqual([
      [3333, 6666],
      [6666],
      [],
    ])
    expect(
      (
        await found(
          { scene: 'refund', condition: { metric: 'refunds' }, threshold: 2, window_s: 86_400 },
          at - 10,
        )
      ).filter(one => one.member_id === who.id),
    ).toHaveLength(1)
  })
  it('vouchers of a new account count while it is new', async () => {
    const [fresh, old] = [await newMember({ register_at: unixNow() - 86_400 }), await newMember()]
    const voucher = (await database.transaction(tx => freshProduct(tx, 'voucher'))).item
    for (const who of [fresh, old])
      await database.transaction(async tx =>
        payOrder(
          tx,
          (
            await placeOrder(tx, {
              product_id: voucher.id,
              member_id: who.id,
              qty: 1,
              now: unixNow() - 60,
            })
          ).id,
          unixNow() - 60,
        ),
      )
    const hit = await found(
      {
        scene: 'pay',
        condition: { metric: 'new_voucher', new_days: 3 },
        threshold: voucher.price_cents,
        window_s: 600,
      },
      unixNow() - 600,
    )
    expect(hit.map(one => [one.member_id, one.value])).toEqual([[fresh.id, voucher.price_cents]])
  })
})

describe('the timer', () => {
  it('makes one hit of what a member does within ten minutes, adds what comes later to it, and makes another after a pause', async () => {
    const id = await ruleOn({ threshold: 2, window_s: 3600 })
    const who = await newMember()
    const at = unixNow() - 3000
    const first = [await buy(who.id, at), await buy(who.id, at + 60), await buy(who.id, at + 120)]
    await database.transaction(tx => runRule(tx, id, at + 130))
    const [one] = await hitsBy(id, who.id)
    expect(one).toMatchObject({
      state: 'open',
      member_id: who.id,
      merged_count: 2,
      value: 3,
      hit_at: at + 60,
      last_at: at + 120,
      order_ids: expect.arrayContaining(first.map(each => each.id)),
    })
    expect(one!.amount_cents).toBe(first.reduce((sum, each) => sum + each.pay_cents, 0))
    await buy(who.id, at + 120 + MERGE_S)
    await database.transaction(tx => runRule(tx, id, at + 130 + MERGE_S))
    expect((await hitsBy(id, who.id)).map(each => each.merged_count)).toEqual([3])
    await buy(who.id, at + 122 + 2 * MERGE_S)
    await database.transaction(tx => runRule(tx, id, at + 130 + 2 * MERGE_S))
    expect((await hitsBy(id, who.id)).map(each => each.merged_count)).toEqual([3, 1])
    // Run again over the same time it finds nothing new.
    expect(await database.transaction(tx => runRule(tx, id, at + 130 + 2 * MERGE_S))).toBe(0)
    expect((await hitsBy(id, who.id)).map(each => each.merged_count)).toEqual([3, 1])
  })
  it('never adds to a hit that was decided', async () => {
    const id = await ruleOn({ threshold: 2 })
    const who = await newMember()
    const at = unixNow() - 2000
    await buy(who.id, at)
    await buy(who.id, at + 5)
    await database.transaction(tx => runRule(tx, id, at + 10))
    const [one] = await hitsBy(id, who.id)
    await decide(calls.release, one!)
    await buy(who.id, at + 20)
    await database.transaction(tx => runRule(tx, id, at + 30))
    expect((await hitsBy(id, who.id)).map(each => [each.state, each.merged_count])).toEqual([
      ['released', 1],
      ['open', 1],
    ])
  })
  it('passes over who is on the white list', async () => {
    const id = await ruleOn({ threshold: 2 })
    const who = await newMember()
    expect(
      (
        await call(calls.addWhite, {
          type: 'member',
          value: String(who.id),
          permanent: true,
          reason: '内部采购',
        })
      ).status,
    ).toBe(200)
    await buy(who.id, unixNow() - 60)
    await buy(who.id, unixNow() - 50)
    await database.transaction(tx => runRule(tx, id, unixNow()))
    expect(await hitsBy(id, who.id)).toEqual([])
  })
  it('of a holding rule freezes the orders it counted, and the hit knows which', async () => {
    const id = await ruleOn({ threshold: 2, action: 'hold' })
    const who = await newMember()
    const bought = [await buy(who.id, unixNow() - 60), await buy(who.id, unixNow() - 50)]
    await database.transaction(tx => runRule(tx, id, unixNow()))
    const [one] = await hitsBy(id, who.id)
    expect(one!.froze.toSorted()).toEqual(bought.map(each => each.id))
    for (const each of bought) {
      expect(await orderOf(each.id)).toMatchObject({
        frozen: true,
        frozen_by: 'risk',
        freeze_hit_id: one!.id,
        status: 'freezing',
      })
      const [told] = await database.db
        .select()
        .from(order_log)
        .where(and(eq(order_log.order_id, each.id), eq(order_log.event, 'freeze')))
      expect([told!.actor_type, told!.actor_id, unjoined(told!.memo)]).toEqual([
        'system',
        null,
        [
          `风控规则：${(await ruleOf(id)).name}（风控命中 ${one!.id}）`,
          `Risk rule: ${(await ruleOf(id)).name} (risk hit ${one!.id})`,
        ],
      ])
    }
  })
  it('measures what is on, tells the panes, and goes on past a rule that can not be measured', async () => {
    await database.db.update(risk_rule).set({ status: 'off' }).where(eq(risk_rule.status, 'on'))
    const broken = await ruleOn()
    await database.db
      .update(risk_rule)
      .set({ condition: { metric: 'gone' } as never })
      .where(eq(risk_rule.id, broken))
    const id = await ruleOn({ threshold: 2 })
    const who = await newMember()
    await buy(who.id, unixNow() - 60)
    await buy(who.id, unixNow() - 50)
    const faults: unknown[] = []
    expect(
      await timerNamed('risk.measure')({
        database,
        events: app.events,
        log: { error: (of: unknown) => faults.push(of) },
        now: unixNow(),
      } as never),
    ).toEqual(['risk_hit', 'order'])
    expect([faults.length, (await hitsBy(id, who.id)).length]).toEqual([1, 1])
    await database.db.delete(risk_rule).where(eq(risk_rule.id, broken))
    expect((await runRules(database, unixNow())).faults).toEqual([])
  })
})

describe('the queue', () => {
  it('gives a hit to one for 30 minutes; to others it says who has it, and then it is open again', async () => {
    const hit = await newHit()
    const mine = await call(calls.claim, { id: hit.id })
    expect(mine.data).toMatchObject({ state: 'claimed', claim_until: expect.any(Number) })
    expect(Math.abs(mine.data.claim_until - unixNow() - CLAIM_S)).toBeLessThan(5)
    const said = await call(calls.claim, { id: hit.id }, other.token)
    expect([said.data.rule, said.message]).toEqual(['claimed', expect.stringContaining('郑娜')])
    expect((await decide(calls.confirm, await hitOf(hit.id), other.token)).data.rule).toBe(
      'claimed',
    )
    expect(
      (await call(calls.lst, { state: 'mine' })).data.list.map((row: { id: number }) => row.id),
    ).toContain(hit.id)
    await database.db
      .update(risk_hit)
      .set({ claim_until: unixNow() - 1 })
      .where(eq(risk_hit.id, hit.id))
    expect((await call(calls.lst, { keyword: String(hit.member_id) })).data.list[0]).toMatchObject({
      state: 'open',
      claimed_by: null,
    })
    expect(
      (await call(calls.lst, { state: 'mine' })).data.list.map((row: { id: number }) => row.id),
    ).not.toContain(hit.id)
    expect((await call(calls.claim, { id: hit.id }, other.token)).status).toBe(200)
  })
  it('gets back what somebody held who signed out', async () => {
    const one = await addStaff(database, { perms: ['system.risk.*'] })
    const hit = await newHit()
    await call(calls.claim, { id: hit.id }, one.token)
    await send(
      app,
      (await import('#src/modules/session/contract.ts')).session.logout,
      {},
      { token: one.token },
    )
    expect(await hitOf(hit.id)).toMatchObject({ state: 'open', claimed_by: null })
    expect(
      await database.db
        .select()
        .from(admin_session)
        .where(and(eq(admin_session.admin_id, one.id), sql`ended_at is null`)),
    ).toEqual([])
  })
  it('decides a hit once: the second is refused with who and when, whatever they decide', async () => {
    for (const [first, second] of [
      [calls.release, calls.confirm],
      [calls.confirm, calls.release],
    ] as const) {
      const hit = await newHit()
      expect((await decide(first, hit)).status).toBe(200)
      const said = await decide(second, await hitOf(hit.id), other.token)
      expect([said.status, said.data.rule]).toEqual([422, 'decided'])
      expect(said.message).toMatch(/^郑娜已于 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d 处理：/)
      expect((await decide(first, hit)).data.rule).toBe('decided')
    }
  })
  it('keeps an old version from deciding', async () => {
    const hit = await newHit()
    await call(calls.claim, { id: hit.id })
    expect([
      (await decide(calls.confirm, hit)).status,
      (await decide(calls.confirm, await hitOf(hit.id))).status,
    ]).toEqual([409, 200])
  })
  it('releases many, each by itself: those decided are told', async () => {
    const [a, b, c] = [await newHit(), await newHit(), await newHit()]
    await decide(calls.confirm, b)
    const said = (
      await call(calls.batchRelease, { ids: [a.id, b.id, c.id, 2_000_000], reason: '正常复购' })
    ).data
    expect([
      said.ok,
      said.failed.map((one: { id: number; code: string }) => [one.id, one.code]),
    ]).toEqual([
      [a.id, c.id],
      [
        [b.id, 'decided'],
        [2_000_000, '404'],
      ],
    ])
    expect([(await hitOf(a.id)).state, (await hitOf(b.id)).state]).toEqual([
      'released',
      'confirmed',
    ])
  })
  it('finds by member, phone and device; its tabs count what they list', async () => {
    const who = await newMember()
    const hit = await newHit({ member_id: who.id, device_id: 'dev-find-1' })
    for (const keyword of [String(who.id), `#${who.id}`, who.phone, 'dev-find-1'])
      expect([
        keyword,
        (await call(calls.lst, { keyword })).data.list.map((row: { id: number }) => row.id),
      ]).toEqual([keyword, [hit.id]])
    const counts = (await call(calls.counts, {})).data
    for (const state of ['waiting', 'mine', 'released', 'confirmed', 'all'] as const)
      expect([state, counts[state]]).toEqual([state, (await call(calls.lst, { state })).data.total])
    expect(counts.waiting + counts.released + counts.confirmed).toBe(counts.all)
  })
  it('begins with the highest score, or the newest', async () => {
    const scores = (await call(calls.lst, { pageSize: 200 })).data.list.map(
      (row: { score: number }) => row.score,
    )
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    const times = (await call(calls.lst, { pageSize: 200, sort: 'newest' })).data.list.map(
      (row: { hit_at: number }) => row.hit_at,
    )
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
  })
  it('tells why it hit, the orders of member and device beside those counted, and whether each can be frozen', async () => {
    const hit = await newHit({ device_id: 'dev-near-1' })
    const neighbour = await newMember()
    const near = await buy(neighbour.id, unixNow() - 100, 'dev-near-1')
    const detail = (await call(calls.detail, { id: hit.id })).data
    expect(
      detail.orders.map((one: { id: number; counted: boolean; can_freeze: boolean }) => [
        one.id,
        one.counted,
        one.can_freeze,
      ]),
    ).toEqual([...hit.orders.toReversed().map(id => [id, true, true]), [near.id, false, true]])
    expect(detail.members.map((one: { id: number }) => one.id).toSorted()).toEqual(
      [hit.member_id, neighbour.id].toSorted(),
    )
    expect(detail.devices).toEqual([
      { device_id: 'dev-near-1', orders: 1, members: 1, black: false },
    ])
    expect(detail.row.suggested.length).toBeGreaterThan(4)
  })
})

describe('freezing', () => {
  const freeze = async (hit: Hit, order_ids: number[], token = me.token) =>
    call(
      calls.freezeOrders,
      { id: hit.id, version: (await hitOf(hit.id)).version, order_ids, reason: '疑似套现' },
      token,
    )
  it('holds the orders up with their reason, and nothing of them is redeemed or refunded', async () => {
    const hit = await newHit()
    expect((await freeze(hit, hit.orders)).data).toEqual({ ok: hit.orders, failed: [] })
    for (const id of hit.orders) {
      expect(await orderOf(id)).toMatchObject({
        frozen: true,
        frozen_by: 'risk',
        freeze_hit_id: hit.id,
        freeze_reason: '疑似套现',
        status: 'freezing',
      })
      const [code] = await database.db.select().from(order_code).where(eq(order_code.order_id, id))
      expect([
        (await database.transaction(tx =>
          redeem(tx, { code_id: code!.id, store_id: item.store_ids[0]!, now: unixNow() }),
        )) !== undefined,
        await refundUnused(database, { order_id: id, reason: 'x', now: unixNow() }),
      ]).toEqual([false, false])
    }
    expect((await hitOf(hit.id)).froze.toSorted()).toEqual(hit.orders)
  })
  it('stands in the order’s own log each time, with who did it, why and for which hit', async () => {
    const hit = await newHit()
    const [id] = hit.orders
    await freeze(hit, [id!])
    await decide(calls.release, await hitOf(hit.id))
    const of = (order_id: number) =>
      database.db
        .select()
        .from(order_log)
        .where(
          and(eq(order_log.order_id, order_id), inArray(order_log.event, ['freeze', 'unfreeze'])),
        )
        .orderBy(order_log.id)
    expect(
      (await of(id!)).map(one => [
        one.event,
        one.from_status,
        one.to_status,
        one.actor_type,
        one.actor_id,
        one.memo,
        one.data,
      ]),
    ).toEqual([
      [
        'freeze',
        'pending_use',
        'freezing',
        'staff',
        me.id,
        joined([`疑似套现（风控命中 ${hit.id}）`, `疑似套现 (risk hit ${hit.id})`]),
        { by: 'risk', hit_id: hit.id },
      ],
      [
        'unfreeze',
        'freezing',
        'pending_use',
        'staff',
        me.id,
        expect.stringContaining(`（风控命中 ${hit.id}）`),
        { by: 'risk', hit_id: hit.id },
      ],
    ])
    expect(await of(hit.orders[1]!)).toEqual([])
  })
  it('leaves out what is finished, unpaid or frozen already, order by order, and what has nothing to do with the hit', async () => {
    const hit = await newHit()
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, hit.orders[0]!))
    await database.transaction(tx =>
      redeem(tx, { code_id: code!.id, store_id: item.store_ids[0]!, now: unixNow() }),
    )
    const unpaid = await database.transaction(tx =>
      placeOrder(tx, { product_id: item.id, member_id: hit.member_id!, qty: 1, now: unixNow() }),
    )
    const stranger = await buy((await newMember()).id, unixNow() - 50)
    const said = (await freeze(hit, [...hit.orders, unpaid.id, stranger.id])).data
    expect(said.ok).toEqual([hit.orders[1]])
    expect(said.failed.map((one: { id: number; code: string }) => [one.id, one.code])).toEqual([
      [hit.orders[0], 'not_freezable'],
      [unpaid.id, 'not_freezable'],
      [stranger.id, 'unrelated'],
    ])
    expect(await orderOf(hit.orders[0]!)).toMatchObject({ frozen: false, status: 'finished' })
    expect((await freeze(hit, [hit.orders[1]!])).data.failed[0].code).toBe('frozen')
  })
  it('is undone by the release exactly as far as this hit froze: what staff or another hit froze stays', async () => {
    const hit = await newHit()
    const also = await buy(hit.member_id!, unixNow() - 200)
    const rival = await newHit({ member_id: hit.member_id, order_ids: [also.id] })
    const byStaff = await buy(hit.member_id!, unixNow() - 190)
    await freeze(hit, hit.orders)
    await freeze(rival, [also.id])
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: byStaff.id,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '人工核查',
        now: unixNow(),
      }),
    )
    // Somebody freed one of them meanwhile and staff took it: it is not this hit's any more.
    await database.transaction(async tx => {
      await unfreezeOrder(tx, {
        order_id: hit.orders[1]!,
        by: 'risk',
        actor: { type: 'staff', id: 1 },
        reason: '核实无误',
        now: unixNow(),
      })
      await freezeOrder(tx, {
        order_id: hit.orders[1]!,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '争议',
        now: unixNow(),
      })
    })
    const said = await decide(calls.release, await hitOf(hit.id))
    expect(said.data).toMatchObject({ state: 'released', unfrozen: 1 })
    expect(
      (await Promise.all([hit.orders[0]!, hit.orders[1]!, also.id, byStaff.id].map(orderOf))).map(
        one => [one.frozen, one.frozen_by],
      ),
    ).toEqual([
      [false, null],
      [true, 'staff'],
      [true, 'risk'],
      [true, 'staff'],
    ])
    const free = await orderOf(hit.orders[0]!)
    expect([free.status, free.freeze_reason, free.freeze_hit_id]).toEqual([
      statusOf(free),
      null,
      null,
    ])
    expect((await freeze(hit, [hit.orders[0]!])).data.rule).toBe('decided')
  })
  it('is possible after the confirmation, and the confirmation frees nothing', async () => {
    const hit = await newHit()
    await freeze(hit, [hit.orders[0]!])
    await decide(calls.confirm, await hitOf(hit.id))
    expect((await orderOf(hit.orders[0]!)).frozen).toBe(true)
    expect((await freeze(hit, [hit.orders[1]!])).data.ok).toEqual([hit.orders[1]])
  })
  it('stands in the log of each order and of the hit', async () => {
    const hit = await newHit()
    await freeze(hit, hit.orders)
    await decide(calls.release, await hitOf(hit.id))
    const rows = await database.db
      .select({
        type: op_log.object_type,
        before: op_log.before,
        after: op_log.after,
        reason: op_log.reason,
      })
      .from(op_log)
      .where(and(eq(op_log.object_type, 'order'), eq(op_log.object_id, hit.orders[0]!)))
      .orderBy(op_log.id)
    expect(
      rows.map(row => [
        (row.before as { frozen: boolean }).frozen,
        (row.after as { frozen: boolean }).frozen,
        row.reason,
      ]),
    ).toEqual([
      [false, true, '疑似套现'],
      [true, false, '核对完毕'],
    ])
  })
  it('keeps every status derived', async () => {
    const rows = await database.db
      .select()
      .from(order)
      .where(
        inArray(
          order.id,
          (
            await database.db
              .select({ id: order.id })
              .from(order)
              .orderBy(desc(order.updated_at))
              .limit(300)
          ).map(one => one.id),
        ),
      )
    expect(rows.filter(one => one.status !== statusOf(one)).map(one => one.id)).toEqual([])
  })
})

describe('the lists', () => {
  const add = (list: 'addBlack' | 'addWhite', more: object, token = me.token) =>
    call(calls[list], { type: 'device', reason: '批量注册', ...more }, token)
  it('take an entry with an end or for good, said so, and nothing else', async () => {
    const fields = async (more: object) => {
      const said = await add('addBlack', { value: `dev-end-${++made}`, ...more })
      return [said.status, Object.keys(said.data?.fields ?? {})]
    }
    expect(await fields({})).toEqual([400, ['until']])
    expect(await fields({ permanent: true, until: unixNow() + 60 })).toEqual([400, ['until']])
    expect(await fields({ until: unixNow() - 1 })).toEqual([400, ['until']])
    expect(await fields({ permanent: true })).toEqual([200, []])
    expect(await fields({ until: unixNow() + 60 })).toEqual([200, []])
  })
  it('take a member that is there, a correct phone, a device', async () => {
    const refused = async (type: string, value: string) => {
      const said = await add('addBlack', { type, value, permanent: true })
      return [said.status, Object.keys(said.data?.fields ?? {})]
    }
    expect(await refused('member', '999999999')).toEqual([400, ['value']])
    expect(await refused('member', '小明')).toEqual([400, ['value']])
    expect(await refused('phone', '1234')).toEqual([400, ['value']])
    expect(await refused('device', 'a b')).toEqual([400, ['value']])
  })
  it('never hold one value on both, nor twice; when it ran out or was taken off it may come again', async () => {
    const value = `dev-both-${++made}`
    const black = await add('addBlack', { value, permanent: true })
    const said = await add('addWhite', { value, permanent: true }, other.token)
    expect([said.data.rule, said.message]).toEqual([
      'listed_other',
      expect.stringMatching(/在黑名单中（郑娜/),
    ])
    expect((await add('addBlack', { value, permanent: true })).data.rule).toBe('listed')
    expect(
      (await call(calls.removeEntry, { id: black.data.id, version: 0, reason: '误加' })).status,
    ).toBe(200)
    expect(
      (await call(calls.removeEntry, { id: black.data.id, version: 0, reason: '误加' })).data.rule,
    ).toBe('state')
    const white = await add('addWhite', { value, until: unixNow() + 3600 })
    expect(white.status).toBe(200)
    await database.db
      .update(risk_list)
      .set({ until_at: unixNow() - 1 })
      .where(eq(risk_list.id, white.data.id))
    expect((await call(calls.lists, { keyword: value })).data.list).toEqual([])
    expect(
      (await call(calls.lists, { keyword: value, status: 'over' })).data.list.map(
        (row: { status: string }) => row.status,
      ),
    ).toEqual(['over', 'removed'])
    expect([
      (await add('addWhite', { value, permanent: true })).status,
      (await add('addBlack', { value, permanent: true })).data.rule,
    ]).toEqual([200, 'listed_other'])
  })
  it('do not take one’s own phone, account or device as white; a colleague’s word does', async () => {
    const self = await newMember({ phone: OWN_PHONE })
    await buy(self.id, unixNow() - 60, 'dev-own-1')
    for (const [type, value] of [
      ['phone', OWN_PHONE],
      ['member', String(self.id)],
      ['device', 'dev-own-1'],
    ]) {
      const said = await add('addWhite', { type, value, permanent: true })
      expect([type, said.status, Object.keys(said.data.fields)]).toEqual([type, 400, ['value']])
    }
    expect(
      (await add('addWhite', { type: 'phone', value: OWN_PHONE, permanent: true }, other.token))
        .status,
    ).toBe(200)
  })
  it('stop an order of a black member, phone or device, not of one that is white as well, and not when it ran out', async () => {
    const who = await newMember()
    const tried = async (device: string | null = null) =>
      database
        .transaction(tx =>
          refuseRisky(tx, { member_id: who.id, device_id: device, now: unixNow() }),
        )
        .then(
          () => 'passed',
          (error: { data: { rule: string } }) => error.data.rule,
        )
    expect(await tried()).toBe('passed')
    const one = await add('addBlack', { type: 'phone', value: who.phone, permanent: true })
    expect(await tried()).toBe('risk_blocked')
    await expect(buy(who.id, unixNow())).rejects.toMatchObject({ status: 422 })
    await add('addWhite', { type: 'member', value: String(who.id), permanent: true })
    expect(await tried()).toBe('passed')
    await database.db.delete(risk_list).where(eq(risk_list.value, String(who.id)))
    await database.db
      .update(risk_list)
      .set({ until_at: unixNow() - 1 })
      .where(eq(risk_list.id, one.data.id))
    expect(await tried()).toBe('passed')
    await add('addBlack', { value: 'dev-black-1', permanent: true })
    expect([await tried('dev-black-1'), await tried('dev-other-1')]).toEqual([
      'risk_blocked',
      'passed',
    ])
  })
  it('a hit of a blocking rule stops further orders until it is released', async () => {
    const hit = await newHit({ action: 'block', last_at: unixNow() })
    await expect(buy(hit.member_id!, unixNow())).rejects.toMatchObject({ status: 422 })
    await decide(calls.release, hit)
    expect((await buy(hit.member_id!, unixNow())).pay_state).toBe('paid')
  })
  it('a hit of a rule that wants a captcha stops orders whose buyer has read none; a blocking one stops those too', async () => {
    const hit = await newHit({ action: 'captcha', last_at: unixNow() })
    const tried = (proved: boolean) =>
      database
        .transaction(tx =>
          placeOrder(tx, {
            product_id: item.id,
            member_id: hit.member_id!,
            qty: 1,
            proved,
            now: unixNow(),
          }),
        )
        .then(
          () => 'passed',
          (error: { data: { rule: string } }) => error.data.rule,
        )
    expect([await tried(false), await tried(true)]).toEqual(['captcha', 'passed'])
    const harder = await newHit({ action: 'block', last_at: unixNow(), member_id: hit.member_id! })
    expect([await tried(false), await tried(true)]).toEqual(['risk_blocked', 'risk_blocked'])
    await decide(calls.release, harder)
    await decide(calls.release, hit)
    expect(await tried(false)).toBe('passed')
  })
  it('show and log a phone as the reader may see it', async () => {
    const phone = `178${String(20_000_000 + ++made)}`
    const id = (await add('addBlack', { type: 'phone', value: phone, permanent: true })).data.id
    const reader = await addStaff(database, {
      perms: ['system.risk.view', 'system.logs.*'],
      role: { field_rules: { 'member.phone': 'mask' } },
    })
    const row = await call(calls.lists, { keyword: phone }, reader.token)
    expect(row.data.list.map((one: { id: number }) => one.id)).toEqual([id])
    const log = await call(
      logs.objectHistory,
      { object_type: 'risk_list', object_id: id },
      reader.token,
    )
    expect(log.data.list).toHaveLength(1)
    for (const said of [row, log]) {
      expect(said.text).not.toContain(phone)
      expect(said.text).toContain(`${phone.slice(0, 3)}****${phone.slice(-4)}`)
    }
  })
})

describe('who may', () => {
  it('sees hits of their own city only; another’s does not exist for them, nor do its orders', async () => {
    const here = await addStaff(database, {
      perms: ['system.risk.*'],
      role: { scope_type: 'city', scope_ids: [item.city_id] },
    })
    const there = await addStaff(database, {
      perms: ['system.risk.*'],
      role: { scope_type: 'city', scope_ids: [item.city_id === 1 ? 2 : 1] },
    })
    const hit = await newHit()
    expect((await call(calls.detail, { id: hit.id }, here.token)).status).toBe(200)
    for (const [what, input] of [
      [calls.detail, { id: hit.id }],
      [calls.claim, { id: hit.id }],
      [calls.release, { id: hit.id, version: 0, reason: '放行' }],
      [calls.confirm, { id: hit.id, version: 0, reason: '确认' }],
      [calls.freezeOrders, { id: hit.id, version: 0, order_ids: hit.orders, reason: '冻结' }],
    ] as const)
      expect([what.path, (await call(what, input, there.token)).status]).toEqual([what.path, 404])
    expect(
      (await call(calls.batchRelease, { ids: [hit.id], reason: '放行' }, there.token)).data
        .failed[0].code,
    ).toBe('404')
    const rows = (await call(calls.lst, { state: 'all', pageSize: 200 }, there.token)).data
    expect(rows.total).toBe(
      (
        await database.db
          .select({ n: sql<number>`count(*)::int` })
          .from(risk_hit)
          .where(eq(risk_hit.city_id, item.city_id === 1 ? 2 : 1))
      )[0]!.n,
    )
    // A hit of theirs that tells of an order elsewhere does not tell of it.
    const mixed = await newHit({
      city_id: item.city_id === 1 ? 2 : 1,
      mall_id: 0,
      merchant_id: null,
    })
    const detail = (await call(calls.detail, { id: mixed.id }, there.token)).data
    expect([detail.orders, detail.row.freezable]).toEqual([[], []])
    expect(
      (
        await call(
          calls.freezeOrders,
          { id: mixed.id, version: 0, order_ids: mixed.orders, reason: '冻结' },
          there.token,
        )
      ).data.ok,
    ).toEqual([])
  })
  it('sees a phone by their own rule: shown, masked or not at all', async () => {
    const hit = await newHit()
    const seen = async (mode: 'show' | 'mask' | 'hide') => {
      const one = await addStaff(database, {
        perms: ['system.risk.view'],
        role: { field_rules: { 'member.phone': mode } },
      })
      return (await call(calls.lst, { keyword: String(hit.member_id) }, one.token)).data.list[0]
        .phone
    }
    const phone = (await database.db.select().from(member).where(eq(member.id, hit.member_id!)))[0]!
      .phone
    expect([await seen('show'), await seen('mask'), await seen('hide')]).toEqual([
      phone,
      `${phone.slice(0, 3)}****${phone.slice(-4)}`,
      undefined,
    ])
  })
  it('exports what the filter lists, with the phone as the person may see it', async () => {
    const { data } = await call(calls.export, { state: 'confirmed', format: 'csv' })
    expect(data.rows_expected).toBe((await call(calls.lst, { state: 'confirmed' })).data.total)
  })
  it('a dry run reads, and makes nothing', async () => {
    const before = await database.db.select({ n: sql<number>`count(*)::int` }).from(risk_hit)
    await dryRun(
      database.db,
      { scene: 'order', condition: { metric: 'member_orders' }, threshold: 2, window_s: 86_400 },
      90,
      unixNow(),
    )
    expect(await database.db.select({ n: sql<number>`count(*)::int` }).from(risk_hit)).toEqual(
      before,
    )
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
