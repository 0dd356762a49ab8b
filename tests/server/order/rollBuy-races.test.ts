import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { roll_group } from '#src/areas/group/group.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { rollBuy as calls } from '#src/modules/order/contract/rollBuy.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { groupOf, joinGroup, offerOf } from '../../help/rollGroups.ts'

onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let item: typeof product.$inferSelect
  let people: { id: number; token: string }[]
  const now = unixNow()
  let buyer = 40
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    people = []
    for (let n = 0; n < 8; n++)
      people.push(
        await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } }),
      )
    item = await offerOf(database, 'bulks', now)
  })
  const open = (need_n: number) => database.transaction(tx => groupOf(tx, item, need_n, now - 60))
  const join = (group: { id: number }, more: { paid?: boolean; member_id?: number } = {}) =>
    joinGroup(database, item, { group_id: group.id, member_id: ++buyer, now: now - 30, ...more })
  const pay = (id: number) => database.transaction(tx => payOrder(tx, id, now))
  const groupNow = async (id: number) =>
    (await database.db.select().from(roll_group).where(eq(roll_group.id, id)))[0]!

  it('two last payers: one joins and the group forms, the other leads a new one', async () => {
    for (let round = 0; round < 4; round++) {
      const group = await open(2)
      await join(group)
      const last = [await join(group, { paid: false }), await join(group, { paid: false })]
      expect(await Promise.all(last.map(one => pay(one.id)))).toEqual([true, true])
      const after = await database.db
        .select()
        .from(order)
        .where(
          inArray(
            order.id,
            last.map(one => one.id),
          ),
        )
      const [stayed, moved] = [
        after.filter(one => one.roll_group_id === group.id),
        after.filter(one => one.roll_group_id !== group.id),
      ]
      expect([
        stayed.map(one => [one.group_role, one.status]),
        moved.map(one => [one.group_role, one.status]),
      ]).toEqual([[['member', 'pending_use']], [['leader', 'waiting_group']]])
      expect([
        (await groupNow(group.id)).joined_n,
        (await groupNow(group.id)).state,
        (await groupNow(moved[0]!.roll_group_id!)).joined_n,
      ]).toEqual([2, 'success', 1])
    }
  })
  it('four declare a group formed and four dissolve it: one has ended it, seven are told how, and its orders agree', async () => {
    for (let round = 0; round < 4; round++) {
      const group = await open(4)
      const seats = [await join(group), await join(group)]
      const said = await Promise.all(
        people.map(({ token }, n) =>
          send(
            app,
            n % 2 ? calls.forceSuccess : calls.forceFail,
            { group_id: group.id, reason: '同时处理' },
            { token },
          ),
        ),
      )
      const won = said.filter(one => one.status === 200)
      expect([won.length, said.filter(one => one.status === 409).length]).toEqual([1, 7])
      for (const lost of said.filter(one => one.status === 409))
        expect(lost.message).toMatch(
          won[0]!.data.state === 'success' ? /成团（手动成团/ : /结束（手动解散/,
        )
      await finishPayouts(database, now + 60)
      const after = await database.db
        .select({ status: order.status })
        .from(order)
        .where(
          inArray(
            order.id,
            seats.map(seat => seat.id),
          ),
        )
      expect(after.map(one => one.status)).toEqual(
        won[0]!.data.state === 'success'
          ? ['pending_use', 'pending_use']
          : ['refunded', 'refunded'],
      )
    }
  })
  it('one member orders the same group eight times: one seat', async () => {
    const group = await open(5)
    const who = ++buyer
    const done = await Promise.allSettled(people.map(() => join(group, { member_id: who })))
    expect(done.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of done)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ data: { rule: 'one_seat' } })
    expect((await groupNow(group.id)).joined_n).toBe(1)
  })
  it('a group runs out while it is dissolved, paid for and refunded: every payer has one refund, nobody waits in a circle', async () => {
    for (let round = 0; round < 4; round++) {
      const group = await open(6)
      const seats = [await join(group), await join(group), await join(group)]
      const late = await join(group, { paid: false })
      await database.db
        .update(roll_group)
        .set({ expire_at: now - 1 })
        .where(eq(roll_group.id, group.id))
      const said = await Promise.allSettled([
        tickOrders(database, now),
        pay(late.id),
        send(
          app,
          calls.forceFail,
          { group_id: group.id, reason: '解散' },
          { token: people[0]!.token },
        ),
        ...seats.map((seat, n) =>
          send(
            app,
            calls.refund,
            { id: seat.id, version: seat.version, reason: '顾客来电' },
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
      for (const seat of seats) {
        const [after] = await database.db.select().from(order).where(eq(order.id, seat.id))
        expect([after!.status, after!.refunded_cents]).toEqual(['refunded', seat.pay_cents])
        expect(
          await database.db
            .select()
            .from(refund)
            .where(and(eq(refund.order_id, seat.id), eq(refund.state, 'done'))),
        ).toHaveLength(1)
      }
      // Paid in time it leads a group of its own, paid too late it has its money back.
      const [own] = await database.db.select().from(order).where(eq(order.id, late.id))
      expect(
        own!.pay_state === 'paid'
          ? own!.roll_group_id !== group.id || own!.refund_state === 'refunded'
          : own!.refunded_cents === own!.paid_cents,
      ).toBe(true)
    }
  })
  it('leaves every invariant whole', async () => {
    expect(await broken(database)).toEqual({})
  })
})
