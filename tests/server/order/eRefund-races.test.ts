import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import type { PayAnswer } from '#src/areas/payment/pay.channel.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, sendPayouts } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { closeRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { eRefund as calls } from '#src/modules/order/contract/eRefund.ts'
import { eRefundServer } from '#src/modules/order/server/eRefund.ts'
import type { ReadContext, Scope, Staff } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { fill } from '../../help/fill.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let people: { id: number; account: string; token: string }[]
  let product_id: number
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    people = []
    for (let n = 0; n < 8; n++)
      people.push(
        await addStaff(database, {
          perms: ['*'],
          role: { refund_limit_cents: n < 4 ? 100_000_000 : 1 },
        }),
      )
    product_id = (await database.transaction(tx => freshProduct(tx, 'elist'))).item.id
    await database.db.update(product).set({ stock: 10_000 }).where(eq(product.id, product_id))
  })
  let made = 0
  const asked = async (type: 'refund_only' | 'resend' = 'refund_only') => {
    const [who] = await database.db
      .insert(member)
      .values({
        uid: `RA${++made}`,
        nickname: '并发',
        phone: `178${String(10_000_000 + made)}`,
        city_id: 1,
        register_at: unixNow() - 9_000_000,
      })
      .returning()
    return database.transaction(async tx => {
      const now = unixNow() - 100
      const placed = await placeOrder(tx, {
        proved: true,
        product_id,
        qty: 2,
        member_id: who!.id,
        now,
      })
      await payOrder(tx, placed.id, now)
      if (type === 'resend') {
        await ship(tx, {
          order_id: placed.id,
          courier: 'shunfeng',
          tracking_no: `SF${1_000_000_000_000 + made}`,
          actor: { type: 'staff', id: 1 },
          now,
        })
        await receive(tx, { order_id: placed.id, actor: { type: 'member' }, now })
      }
      return openRefund(tx, {
        order_id: placed.id,
        wanted: 'all',
        type,
        source: 'member',
        reason: '并发',
        actor: { type: 'member' },
        now,
      })
    })
  }
  const rowOf = async (id: number) =>
    (await database.db.select().from(refund).where(eq(refund.id, id)))[0]!
  const parts = (id: number) => database.db.select().from(payment).where(eq(payment.refund_id, id))
  const at = (row: { id: number; version: number }) => ({ id: row.id, version: row.version })

  it('four approve, three refuse and the buyer withdraws: one of them decides, the others are told, and at most one payout is made', async () => {
    for (let round = 0; round < 6; round++) {
      const row = await asked()
      const said = await Promise.all([
        ...people.slice(0, 4).map(one => send(app, calls.approve, at(row), { token: one.token })),
        ...people
          .slice(4, 7)
          .map(one =>
            send(
              app,
              calls.reject,
              { ...at(row), reason_code: 'other', reason: '不同意' },
              { token: one.token },
            ),
          ),
        database
          .transaction(tx =>
            closeRefund(tx, {
              ...at(row),
              by: { id: 0, limit_cents: 0 },
              actor: { type: 'member' },
              reason: '撤销',
              now: unixNow(),
            }),
          )
          .then(
            () => ({ status: 200 }),
            (error: { status: number }) => ({ status: error.status }),
          ),
      ])
      expect(said.filter(one => one.status === 200)).toHaveLength(1)
      expect(
        said
          .filter(one => one.status !== 200)
          .every(one => one.status === 409 || one.status === 422),
      ).toBe(true)
      const after = await rowOf(row.id)
      expect((await parts(row.id)).length).toBe(after.state === 'paying' ? 1 : 0)
    }
  })
  it('the second approval is one, by another person than the first, with one payout', async () => {
    for (let round = 0; round < 4; round++) {
      const row = await asked()
      await send(app, calls.approve, at(row), { token: people[7]!.token })
      const waiting = at(await rowOf(row.id))
      const said = await Promise.all(
        [people[7]!, ...people.slice(0, 4)].map(one =>
          send(app, calls.secondApprove, waiting, { token: one.token }),
        ),
      )
      expect(said.filter(one => one.status === 200)).toHaveLength(1)
      const after = await rowOf(row.id)
      expect([
        after.first_by,
        people
          .slice(0, 4)
          .map(one => one.id)
          .includes(after.second_by!),
        (await parts(row.id)).length,
      ]).toEqual([people[7]!.id, true, 1])
    }
  })
  it('the same key from eight connections pays once', async () => {
    const row = await asked()
    const said = await Promise.all(
      Array.from({ length: 8 }, () =>
        send(app, calls.approve, at(row), { token: people[0]!.token, key: 'one-key-for-all' }),
      ),
    )
    expect(said.some(one => one.status === 200)).toBe(true)
    await Promise.all([1, 2, 3].map(() => finishPayouts(database, unixNow() + 5)))
    expect((await parts(row.id)).map(one => one.state)).toEqual(['success'])
  })
  it('the channel’s retry and money by hand exclude each other: it is paid by one of them', async () => {
    for (let round = 0; round < 4; round++) {
      const row = await asked()
      await send(app, calls.approve, at(row), { token: people[0]!.token })
      const refusing = channelOf({
        refund: async () =>
          ({ state: 'failed', code: 'NOT_ENOUGH', text: '余额不足' }) satisfies PayAnswer,
        queryRefund: async () => ({ state: 'failed', code: 'RESOURCE_NOT_EXISTS', text: '' }),
      })
      await finishPayouts(database, unixNow(), refusing)
      await send(app, calls.retryPay, at(await rowOf(row.id)), { token: people[0]!.token })
      await finishPayouts(database, unixNow(), refusing)
      const failed = at(await rowOf(row.id))
      const said = await Promise.all([
        send(app, calls.retryPay, failed, { token: people[1]!.token }),
        send(
          app,
          calls.offlinePay,
          { ...failed, account: '王小明 6225', proof: 'p.png', reason: '失败两次' },
          { token: people[2]!.token },
        ),
      ])
      expect(said.filter(one => one.status === 200)).toHaveLength(1)
      const now = await rowOf(row.id)
      if (now.offline) await send(app, calls.secondApprove, at(now), { token: people[3]!.token })
      await Promise.all(
        [1, 2].map(() =>
          sendPayouts({
            database,
            channel: channelOf(),
            log: { warn: () => {} },
            now: unixNow() + 5,
          }),
        ),
      )
      expect([
        (await rowOf(row.id)).state,
        (await parts(row.id))
          .filter(one => one.state === 'success')
          .reduce((sum, one) => sum + one.amount_cents, 0),
      ]).toEqual(['done', row.amount_cents])
    }
  })
  it('eight approve what is to be sent again: one parcel is ordered', async () => {
    const row = await asked('resend')
    const said = await Promise.all(
      people.map(one => send(app, calls.approve, at(row), { token: one.token })),
    )
    expect([
      said.filter(one => one.status === 200).length,
      (await database.db.select().from(order).where(eq(order.reissue_of, row.order_id))).length,
    ]).toEqual([1, 1])
  })
  it('and no rule of money, units or state is broken by it', async () => {
    await finishPayouts(database, unixNow() + 9999)
    expect(await broken(database)).toEqual({})
  })
})

onlyOn('postgres')('on a large table', () => {
  let database: Database
  beforeAll(async () => {
    database = await openCopy()
    await fill(
      database.pool,
      `
      with few as materialized (select *, row_number() over (order by id) - 1 k from refund where order_kind = 'elist' order by id limit 20)
      insert into refund (refund_no, order_id, order_kind, city_id, mall_id, merchant_id, member_id, type, source, cause, reason_code, reason, amount_cents, cap_cents, state, deadline_at, created_at, updated_at)
      select 'RG' || n, r.order_id, case when n % 10 = 0 then 'elist' else 'bulks' end, r.city_id, case when n % 40 = 0 then r.mall_id else 0 end, r.merchant_id, r.member_id, case when n % 500 = 0 then 'resend' else 'refund_only' end, 'member', 'apply', case when n % 300 = 0 then 'no_slot' else 'changed_mind' end, '', n, n, case when n % 100 = 0 then 'applied' when n % 100 = 50 then 'rejected' else 'done' end, 1790000000 + n, 1780000000 + n, 1780000000 + n
      from generate_series(1, 100000) n join few r on r.k = n % 20`,
    )
    await database.db.execute(sql`analyze refund`)
  }, 120_000)
  const staff = (scope: Scope): Staff => ({
    id: 1,
    name: '',
    account: '',
    lang: 'zh',
    can: () => true,
    scope,
    refund_limit_cents: 0,
    field: () => 'show',
    masks: {},
  })
  it('every filter, sort and scope is served by an index, the counts of the tabs too', async () => {
    const {
      rows: [some],
    } = await database.db.execute<{ city_id: number; merchant_id: number }>(
      sql`select city_id, merchant_id from refund where order_kind = 'elist' limit 1`,
    )
    const filters = [
      {},
      { keyword: 'RG77' },
      { type: 'resend' },
      { reason_code: 'no_slot' },
      { city_id: some!.city_id },
      { mid: 999 },
      { merchant_id: some!.merchant_id },
      { amount_from: 900, amount_to: 1000 },
      { channel_failed: true },
      { overdue: true },
      { from: 1780000100, to: 1780000200 },
      { parcel: 'arrived' },
      { parcel: 'stuck' },
      { kind: 'raise' },
      { kind: 'roll_buy', parcel: 'stuck' },
    ]
    const scanned: string[] = []
    for (const who of [
      staff(everything),
      staff({ cities: [some!.city_id], malls: [], owners: [] }),
      staff({ cities: [], malls: [], owners: [3] }),
    ]) {
      for (const filter of filters) {
        const input = (more: object) => calls.lst.input.parse({ ...filter, ...more }) as never
        for (const more of [
          { state: 'open' },
          { state: 'done' },
          { state: 'done', sort: 'amount' },
          { state: 'applied', sort: 'newest', page: 3 },
          { state: 'mine' },
        ]) {
          const plans = await plansOf(database.pool, db =>
            eRefundServer.handlers.lst(input(more), {
              db,
              staff: who,
              now: 1_800_000_000,
            } as ReadContext),
          )
          if (seqScans(plans, 'refund').length > 0)
            scanned.push(JSON.stringify([filter, more, who.scope]))
        }
        const plans = await plansOf(database.pool, db =>
          eRefundServer.handlers.counts(
            calls.counts.input.parse(filter) as never,
            { db, staff: who, now: 1_800_000_000 } as ReadContext,
          ),
        )
        if (seqScans(plans, 'refund').length > 0)
          scanned.push(JSON.stringify([filter, 'counts', who.scope]))
      }
    }
    const plans = await plansOf(database.pool, db =>
      eRefundServer.handlers.kinds(
        {} as never,
        { db, staff: staff(everything), now: 1_800_000_000 } as ReadContext,
      ),
    )
    expect([scanned, seqScans(plans, 'refund')]).toEqual([[], []])
  }, 120_000)
})
