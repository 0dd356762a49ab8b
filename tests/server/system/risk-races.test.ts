import { and, eq, gte, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { statusOf } from '#src/areas/order/order.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { runRule } from '#src/areas/risk/risk.server.ts'
import { risk_hit, risk_list, risk_rule } from '#src/areas/risk/risk.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { risk as calls } from '#src/modules/system/contract/risk.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { refundUnused } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let item: Awaited<ReturnType<typeof freshProduct>>['item']
  let people: { id: number; token: string }[]
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    people = []
    for (let n = 0; n < 8; n++) people.push(await addStaff(database, { perms: ['*'] }))
    item = (await database.transaction(tx => freshProduct(tx))).item
    await database.db.update(risk_rule).set({ status: 'off' })
  })
  let made = 0
  const all = <R>(run: (token: string, n: number) => Promise<R>) =>
    Promise.all(people.map(({ token }, n) => run(token, n)))
  const buy = async (member_id: number) =>
    database.transaction(async tx => {
      const placed = await placeOrder(tx, {
        product_id: item.id,
        member_id,
        qty: 1,
        now: unixNow() - 60,
      })
      await payOrder(tx, placed.id, unixNow() - 60)
      return placed.id
    })
  const newHit = async () => {
    const [who] = await database.db
      .insert(member)
      .values({
        uid: `RR${++made}`,
        nickname: '并发',
        phone: `176${String(30_000_000 + made)}`,
        city_id: 1,
        register_at: unixNow() - 9_000_000,
      })
      .returning()
    const orders = [await buy(who!.id)]
    const [hit] = await database.db
      .insert(risk_hit)
      .values({
        domain: 'platform',
        rule: 'member_orders',
        scene: 'order',
        level: 'mid',
        score: 70,
        city_id: item.city_id,
        member_id: who!.id,
        order_ids: orders,
        note: '测试',
        state: 'open',
        hit_at: unixNow(),
        last_at: unixNow(),
      })
      .returning()
    return { ...hit!, orders }
  }
  const hitOf = async (id: number) =>
    (await database.db.select().from(risk_hit).where(eq(risk_hit.id, id)))[0]!

  it('eight claim one hit: one has it, seven are told who', async () => {
    const hit = await newHit()
    const said = await all(token => send(app, calls.claim, { id: hit.id }, { token }))
    expect(said.filter(one => one.status === 200)).toHaveLength(1)
    expect(said.filter(one => one.status !== 200).map(one => one.data.rule)).toEqual(
      Array(7).fill('claimed'),
    )
  })
  it('four release and four confirm one hit: it is decided once, the orders are freed by a release only, seven are told who and when', async () => {
    for (let round = 0; round < 3; round++) {
      const hit = await newHit()
      await send(
        app,
        calls.freezeOrders,
        { id: hit.id, version: 0, order_ids: hit.orders, reason: '核查' },
        { token: people[0]!.token },
      )
      const said = await all((token, n) =>
        send(
          app,
          n % 2 ? calls.release : calls.confirm,
          { id: hit.id, version: 1, reason: '同时处理' },
          { token },
        ),
      )
      const won = said.filter(one => one.status === 200)
      expect(won).toHaveLength(1)
      for (const one of said.filter(each => each.status !== 200)) {
        expect(one.data.rule).toBe('decided')
        expect(one.message).toMatch(/已于 .+ 处理/)
      }
      const [after] = await database.db.select().from(order).where(eq(order.id, hit.orders[0]!))
      expect([(await hitOf(hit.id)).state, after!.frozen]).toEqual([
        won[0]!.data.state,
        won[0]!.data.state === 'confirmed',
      ])
    }
  })
  it('tills redeem, members refund and risk freezes one order: one of them has it, a frozen one is neither redeemed nor given back, but what was being paid back before is paid', async () => {
    const came: string[] = []
    for (let round = 0; round < 12; round++) {
      const hit = await newHit()
      const order_id = hit.orders[0]!
      const [code] = await database.db
        .select()
        .from(order_code)
        .where(eq(order_code.order_id, order_id))
      const [froze, redeemed, gave] = await Promise.all([
        send(
          app,
          calls.freezeOrders,
          { id: hit.id, version: 0, order_ids: [order_id], reason: '核查' },
          { token: people[round % 8]!.token },
        ),
        database
          .transaction(tx =>
            redeem(tx, { code_id: code!.id, store_id: item.store_ids[0]!, now: unixNow() }),
          )
          .then(record => record !== undefined),
        round % 2 ? refundUnused(database, { order_id, reason: '不要了', now: unixNow() }) : false,
      ])
      const [after] = await database.db.select().from(order).where(eq(order.id, order_id))
      const [used] = (
        await database.db.execute<{ n: number }>(
          sql`select count(*)::int n from ${verify_record} where ${verify_record.order_id} = ${order_id}`,
        )
      ).rows
      const frozen = froze.data.ok.length === 1
      const opened = await database.db
        .select({ from: order_log.from_status })
        .from(order_log)
        .where(and(eq(order_log.order_id, order_id), eq(order_log.event, 'refund_open')))
      expect(opened.map(one => one.from)).toEqual(gave ? ['pending_use'] : [])
      expect([
        Number(frozen && !gave) + Number(redeemed) + Number(gave),
        after!.frozen,
        used!.n === 1,
        after!.status,
      ]).toEqual([1, frozen, redeemed, statusOf(after!)])
      if (frozen) came.push('frozen')
      else came.push(redeemed ? 'redeemed' : 'refunded')
    }
    expect(came).toHaveLength(12)
  })
  it('two hits freeze one order: one holds it, and the release of the other leaves it frozen', async () => {
    const [a, b] = [await newHit(), await newHit()]
    await database.db.update(risk_hit).set({ order_ids: a.orders }).where(eq(risk_hit.id, b.id))
    const said = await Promise.all(
      [a, b].map((hit, n) =>
        send(
          app,
          calls.freezeOrders,
          { id: hit.id, version: 0, order_ids: a.orders, reason: '核查' },
          { token: people[n]!.token },
        ),
      ),
    )
    expect(said.map(one => one.data.ok.length).toSorted()).toEqual([0, 1])
    const loser = said[0]!.data.ok.length === 1 ? b : a
    await send(
      app,
      calls.release,
      { id: loser.id, version: (await hitOf(loser.id)).version, reason: '误报' },
      { token: people[2]!.token },
    )
    expect(
      (await database.db.select().from(order).where(eq(order.id, a.orders[0]!)))[0]!.frozen,
    ).toBe(true)
  })
  it('four black-list and four white-list one device: it stands on one list, once', async () => {
    const said = await all((token, n) =>
      send(
        app,
        n % 2 ? calls.addBlack : calls.addWhite,
        { type: 'device', value: 'dev-race-1', permanent: true, reason: '同时加入' },
        { token },
      ),
    )
    expect(said.filter(one => one.status === 200)).toHaveLength(1)
    expect(
      await database.db
        .select()
        .from(risk_list)
        .where(and(eq(risk_list.value, 'dev-race-1'), eq(risk_list.status, 'on'))),
    ).toHaveLength(1)
  })
  it('eight processes measure one rule: what happened is one hit', async () => {
    const [made] = await database.db
      .insert(risk_rule)
      .values({
        scene: 'order',
        name: '并发规则',
        condition: { metric: 'member_orders' },
        threshold: 2,
        window_s: 3600,
        action: 'mark',
        status: 'on',
        measured_until: unixNow() - 300,
      })
      .returning()
    const { member_id } = await newHit()
    await buy(member_id!)
    const now = unixNow()
    // They are of the same second, which is not left to the machine.
    await database.db
      .update(order)
      .set({ created_at: now - 5 })
      .where(and(eq(order.member_id, member_id!), gte(order.created_at, now - 300)))
    await all(() => database.transaction(tx => runRule(tx, made!.id, now)))
    const hits = await database.db
      .select()
      .from(risk_hit)
      .where(and(eq(risk_hit.rule_id, made!.id), eq(risk_hit.member_id, member_id!)))
    expect(hits.map(one => [one.merged_count, one.value])).toEqual([[2, 2]])
  })
})
