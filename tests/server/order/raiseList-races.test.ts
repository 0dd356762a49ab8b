import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { deposit_forfeit } from '#src/areas/raise/forfeit.table.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { raiseDetail as detail, raiseList as calls } from '#src/modules/order/contract/raiseList.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { depositRaise, pledge, raiseOf } from '../../help/raises.ts'
import { offerOf } from '../../help/rollGroups.ts'
import { without } from '../../help/unguarded.ts'

onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let item: typeof product.$inferSelect
  let people: { id: number; token: string }[]
  const now = unixNow()
  let buyer = 0
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    people = []
    for (let n = 0; n < 8; n++)
      people.push(
        await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } }),
      )
    item = await offerOf(database, 'elist', now)
  })
  const who = () => 1 + (++buyer % 60)
  const pay = (id: number) => database.transaction(tx => payOrder(tx, id, now))
  const rowsOf = (ids: number[]) =>
    database.db.select().from(order).where(inArray(order.id, ids)).orderBy(order.id)
  const batchNow = async (id: number) =>
    (await database.db.select().from(raise_batch).where(eq(raise_batch.id, id)))[0]!
  const both = async (batch: { id: number }, cap: number) => {
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        batchNow(batch.id).then(one =>
          pledge(database, one, { member_id: who(), now, paid: false }),
        ),
      ),
    )
    expect(made.filter(one => one.status === 'fulfilled').length).toBeGreaterThanOrEqual(cap)
    return made
  }

  it('eight buyers want the last two units: two have them, six are told that it is sold out', async () => {
    const batch = await database.transaction(tx => raiseOf(tx, item, now, { cap_units: 2 }))
    const made = await both(batch, 2)
    expect(made.filter(one => one.status === 'fulfilled')).toHaveLength(2)
    for (const one of made)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ data: { rule: 'sold_out' } })
    expect((await batchNow(batch.id)).taken_units).toBe(2)
  })
  it('without its guard more than the cap would be asked for, and the table itself refuses', async () => {
    const batch = await database.transaction(tx => raiseOf(tx, item, now, { cap_units: 2 }))
    const made = await without(
      /"raise_batch"\."taken_units" \+ (\$\d+) <= "raise_batch"\."cap_units"/,
      (_, n) => `${n}::int is not null`,
      () => both(batch, 2),
    )
    const lost = made.flatMap(one =>
      one.status === 'rejected'
        ? [one.reason as { data?: unknown; cause?: { constraint?: string } }]
        : [],
    )
    expect([lost.length, lost.every(one => one.data === undefined)]).toEqual([6, true])
    expect((await batchNow(batch.id)).taken_units).toBe(2)
  })
  it('four declare success and four close: one has ended it, the others are told how, and its orders agree', async () => {
    for (let round = 0; round < 3; round++) {
      const batch = await database.transaction(tx => raiseOf(tx, item, now, { target: 1 }))
      const orders = [
        await pledge(database, batch, { member_id: who(), now }),
        await pledge(database, batch, { member_id: who(), now }),
      ]
      const said = await Promise.all(
        people.map(({ token }, n) =>
          send(
            app,
            n % 2 ? calls.declareSuccess : calls.closeRaise,
            { batch_id: batch.id, reason: '同时处理' },
            { token },
          ),
        ),
      )
      const won = said.filter(one => one.status === 200)
      expect([won.length, said.filter(one => one.status === 409).length]).toEqual([1, 7])
      await finishPayouts(database, now + 60)
      expect((await rowsOf(orders.map(one => one.id))).map(one => one.status)).toEqual(
        won[0]!.data.state === 'success'
          ? ['pending_ship', 'pending_ship']
          : ['refunded', 'refunded'],
      )
    }
  })
  it('two agree to a success below the target: it happens once, with one who asked and one who agreed', async () => {
    const batch = await database.transaction(tx =>
      depositRaise(tx, item, now, { deposit_rule: 'forfeit', target: 50 }),
    )
    const row = await pledge(database, batch, { member_id: who(), now })
    const said = await Promise.all(
      people.map(({ token }) =>
        send(app, calls.declareSuccess, { batch_id: batch.id, reason: '同意投产' }, { token }),
      ),
    )
    expect(said.map(one => one.status).filter(status => status !== 409)).toEqual([200, 200])
    const after = await batchNow(batch.id)
    expect([after.state, after.declare_by === after.ended_by]).toEqual(['success', false])
    expect(
      await database.db
        .select()
        .from(payment)
        .where(and(eq(payment.order_id, row.id), eq(payment.stage, 'balance'))),
    ).toHaveLength(1)
  })
  it('a campaign runs out while it is closed, paid for and refunded: every payer has one refund, nobody waits in a circle', async () => {
    for (let round = 0; round < 3; round++) {
      const batch = await database.transaction(tx =>
        depositRaise(tx, item, now, { deposit_rule: 'forfeit', target: 100 }),
      )
      const orders = [
        await pledge(database, batch, { member_id: who(), now }),
        await pledge(database, batch, { member_id: who(), now }),
      ]
      const late = await pledge(database, batch, { member_id: who(), now, paid: false })
      await database.db
        .update(raise_batch)
        .set({ end_at: now - 1 })
        .where(eq(raise_batch.id, batch.id))
      const said = await Promise.allSettled([
        tickOrders(database, now),
        pay(late.id),
        send(
          app,
          calls.closeRaise,
          { batch_id: batch.id, reason: '关闭' },
          { token: people[0]!.token },
        ),
        ...orders.map((row, n) =>
          send(
            app,
            calls.refund,
            { id: row.id, version: row.version, reason: '顾客来电' },
            { token: people[n + 1]!.token },
          ),
        ),
      ])
      for (const one of said) {
        expect(one.status).toBe('fulfilled')
        if (one.status === 'fulfilled' && typeof one.value === 'object')
          expect([200, 409, 422]).toContain(one.value.status)
      }
      await finishPayouts(database, now + 60)
      await tickOrders(database, now + 60)
      await finishPayouts(database, now + 120)
      for (const row of await rowsOf([...orders, late].map(one => one.id))) {
        expect(row.refunded_cents).toBe(row.paid_cents)
        expect(
          (
            await database.db
              .select()
              .from(refund)
              .where(and(eq(refund.order_id, row.id), eq(refund.state, 'done')))
          ).length,
        ).toBe(row.paid_cents > 0 ? 1 : 0)
      }
    }
  })
  it('a balance is paid as its time runs out and more time is given: the money is taken once, or kept by nobody who should not', async () => {
    for (let round = 0; round < 3; round++) {
      const batch = await database.transaction(tx =>
        depositRaise(tx, item, now, { deposit_rule: 'forfeit', target: 1 }),
      )
      const { id } = await pledge(database, batch, { member_id: who(), now })
      await send(
        app,
        calls.declareSuccess,
        { batch_id: batch.id, reason: '达标' },
        { token: people[0]!.token },
      )
      await database.db
        .update(order)
        .set({ expire_pay_at: now - 1 })
        .where(eq(order.id, id))
      const [due] = await rowsOf([id])
      await Promise.allSettled([
        tickOrders(database, now),
        pay(id),
        send(
          app,
          detail.extendBalance,
          { id, version: due!.version, until: now + 3600, reason: '出差' },
          { token: people[1]!.token },
        ),
      ])
      await finishPayouts(database, now + 60)
      const [after] = await rowsOf([id])
      const kept = (
        await database.db.select().from(deposit_forfeit).where(eq(deposit_forfeit.order_id, id))
      ).reduce((all, one) => all + one.amount_cents, 0)
      if (after!.pay_state === 'paid')
        expect([after!.paid_cents, kept]).toEqual([after!.pay_cents, 0])
      else if (after!.pay_state === 'closed')
        expect(after!.paid_cents - after!.refunded_cents).toBe(kept)
      else expect([after!.balance_due, kept]).toEqual([true, 0])
    }
  })
  it('leaves every invariant whole', async () => {
    expect(await broken(database)).toEqual({})
  })
})
