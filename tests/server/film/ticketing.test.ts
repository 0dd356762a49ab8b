import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { GIVE_UP_S, STUCK_S } from '#src/areas/film/film.ts'
import { ticketProviders } from '#src/areas/film/film.ts'
import type { TicketProviders } from '#src/areas/film/provider.channel.ts'
import { finishShows, giveUpTickets, reTicket } from '#src/areas/film/rescue.server.ts'
import { sendTicketRequests, settleTickets, syncTickets } from '#src/areas/film/ticketing.server.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { joined, saidIn, unjoined } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { orderOf } from '../../help/cardOrders.ts'
import { aShow, buyTickets, heldBy, placeTickets, seatsOf, ticketsOf } from '../../help/films.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { askedFor, othersWait, providersOf, soldText, type Fate } from '../../help/ticketClock.ts'

let database: Database
let admin_id: number
beforeAll(async () => {
  database = await openCopy()
  admin_id = (await addStaff(database)).id
})
const all = (fate: Fate) => providersOf(() => fate)
const send = async (order_id: number, tickets: TicketProviders, now: number) => {
  await othersWait(database, order_id)
  await sendTicketRequests({ database, tickets, now })
}
const giveUp = (now: number) =>
  giveUpTickets({
    database,
    now,
    open: (tx: Db, order_id) =>
      openFilmRefund(tx, {
        order_id,
        kind: 'ticket_failed',
        reason: '未出票',
        source: 'system',
        now,
      }),
  })
const ruleOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    value => value,
    (error: unknown) => {
      if (error instanceof Refusal) return error.data['rule'] ?? error.status
      throw error
    },
  )
const anew = (order_id: number, tickets: TicketProviders, now: number) =>
  ruleOf(
    reTicket({ database, tickets, now }, order_id, { admin_id, reason: '座位即将开场' }).then(
      one => `${one.outcome} ${one.provider}`,
    ),
  )

describe('tickets of a paid order', () => {
  it('are asked for, and their code goes out once they are there', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    expect([row.status, row.fulfil_state]).toEqual(['issuing', 'issuing'])
    await send(row.id, all('success'), now + 1)
    const [after, kept] = [await orderOf(database, row.id), await ticketsOf(database, row.id)]
    expect([after.status, kept.ticket_state, kept.provider, kept.code_sent_n]).toEqual([
      'finished',
      'issued',
      'provider_a',
      1,
    ])
    expect(kept.wechat_fee_cents).toBeGreaterThan(0)
    expect(kept.profit_cents).toBe(row.pay_cents - 8000 - kept.wechat_fee_cents)
    const [told] = await database.db
      .select()
      .from(order_message)
      .where(eq(order_message.order_id, row.id))
    expect(told!.text).toContain(kept.ticket_code)
  })
  it('come from the next provider under a new number, and fail when none is left', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    const onlyB = providersOf(key => (key === 'provider_b' ? 'success' : 'failed'))
    await send(row.id, onlyB, now + 1)
    await send(row.id, onlyB, now + 2)
    expect((await ticketsOf(database, row.id)).provider).toBe('provider_b')
    expect((await askedFor(database, row.id)).map(one => `${one.out_no} ${one.state}`)).toEqual([
      `FT${row.id}-1 failed`,
      `FT${row.id}-2 success`,
    ])
    const other = await buyTickets(database, { now })
    for (const at of [1, 2, 3]) await send(other.id, all('failed'), now + at)
    const kept = await ticketsOf(database, other.id)
    expect([
      kept.ticket_state,
      kept.try_count,
      (await orderOf(database, other.id)).fulfil_state,
    ]).toEqual(['issue_failed', 2, 'issue_failed'])
  })
  it('that are refused say why in both languages, however long the provider’s words are', async () => {
    const now = unixNow()
    const wordsOf = async (order_id: number) => {
      const [item] = await database.db
        .select()
        .from(order_item)
        .where(eq(order_item.order_id, order_id))
      const logs = await database.db
        .select()
        .from(order_log)
        .where(eq(order_log.order_id, order_id))
        .orderBy(order_log.id)
      const told = logs.filter(one => one.actor_type === 'channel').map(one => one.memo)
      return { item: item!.issue_note!, film: await ticketsOf(database, order_id), told }
    }
    const row = await buyTickets(database, { now })
    for (const at of [1, 2, 3]) await send(row.id, all('failed'), now + at)
    const { item, film, told } = await wordsOf(row.id)
    for (const words of [item, film.provider_status, told.at(-1)!])
      expect(unjoined(words)).toEqual(soldText)
    expect(unjoined(told.find(one => one.includes('改由'))!)[1]).toContain('(The seats are sold)')
    for (const one of await askedFor(database, row.id))
      expect(unjoined(one.answer)).toEqual(soldText)
    const long = await buyTickets(database, { now })
    const text = joined(['座'.repeat(400), 'seat '.repeat(100)])
    const [asked] = await askedFor(database, long.id)
    await database.transaction(tx =>
      settleTickets(tx, { out_no: asked!.out_no, answer: { state: 'failed', text }, now }),
    )
    expect(saidIn((await askedFor(database, long.id))[0]!.answer, 'en')).toMatch(/^seat seat/)
  })
  it('are asked for under their old number as long as a provider keeps silent', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    await send(row.id, all('unknown'), now + 1)
    await send(row.id, all('unknown'), now + 4000)
    expect(await anew(row.id, all('unknown'), now + STUCK_S + 1)).toBe('same provider_a')
    expect(await askedFor(database, row.id)).toHaveLength(1)
    // It was issued all along: nobody asks another provider.
    expect(await anew(row.id, all('success'), now + STUCK_S + 2)).toBe('issued provider_a')
    expect(await askedFor(database, row.id)).toHaveLength(1)
    expect(await anew(row.id, all('success'), now + STUCK_S + 3)).toBe('not_reTicket')
  })
  it('are not asked for anew before five minutes, unless they failed', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    await send(row.id, all('pending'), now + 1)
    expect(await anew(row.id, all('failed'), now + STUCK_S)).toBe('not_reTicket')
    for (const at of [1, 2, 3]) await send(row.id, all('failed'), now + 100 * at)
    expect((await ticketsOf(database, row.id)).ticket_state).toBe('issue_failed')
    expect(await anew(row.id, all('failed'), now + 400)).toBe('new provider_a')
    const logs = await database.db.select().from(order_log).where(eq(order_log.order_id, row.id))
    expect(logs.filter(one => one.actor_type === 'staff').map(one => unjoined(one.memo))).toEqual([
      [
        `改由${ticketProviders.provider_a[0]}重新出票：座位即将开场`,
        `Issued anew by ${ticketProviders.provider_a[1]}: 座位即将开场`,
      ],
    ])
    expect((await askedFor(database, row.id)).map(one => one.state)).toEqual([
      'failed',
      'failed',
      'pending',
    ])
  })
  it('that come too late are given back to their provider', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    for (const at of [1, 2, 3]) await send(row.id, all('failed'), now + at)
    await anew(row.id, all('failed'), now + 4)
    const [first, , third] = await askedFor(database, row.id)
    const tell = (out_no: string) =>
      database.transaction(tx =>
        settleTickets(tx, {
          out_no,
          answer: { state: 'success', provider_no: `N${out_no}`, ticket_code: '1' },
          now: now + 5,
        }),
      )
    expect([
      await tell(third!.out_no),
      await tell(first!.out_no),
      await tell(first!.out_no),
    ]).toEqual(['success', 'surplus', 'surplus'])
    const back: string[] = []
    await send(
      row.id,
      providersOf(
        () => 'success',
        no => {
          back.push(no)
          return { state: 'returned', cost_return_cents: 8000 }
        },
      ),
      now + 6,
    )
    await send(row.id, all('success'), now + 9000)
    expect(back).toEqual([`N${first!.out_no}`])
    expect((await askedFor(database, row.id))[0]).toMatchObject({ state: 'surplus', ask_at: null })
    expect((await ticketsOf(database, row.id)).provider_no).toBe(`N${third!.out_no}`)
  })
  it('of two who ask anew at once one does', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    for (const at of [1, 2, 3]) await send(row.id, all('failed'), now + at)
    const said = await Promise.all([1, 2, 3].map(() => anew(row.id, all('failed'), now + 9)))
    expect(said.filter(one => one === 'new provider_a')).toHaveLength(1)
    expect(said.filter(one => one === 'asked_already')).toHaveLength(2)
    expect((await askedFor(database, row.id)).filter(one => one.state === 'pending')).toHaveLength(
      1,
    )
  })
  it('say what is known when they are asked about', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    const sync = (fate: Fate) =>
      syncTickets({ database, tickets: all(fate), now: now + 10 }, row.id)
    // Nobody has sent it yet: that a provider does not know it is no failure.
    expect(await sync('failed')).toBe('pending')
    await send(row.id, all('pending'), now + 1)
    expect([await sync('unknown'), await sync('pending'), await sync('success')]).toEqual([
      'silent',
      'pending',
      'issued',
    ])
  })
})

describe('an order that is not paid', () => {
  it('gives its seats free when its lock ends', async () => {
    const show = await aShow(database)
    const row = await placeTickets(database, { show_id: show.id })
    await tickOrders(database, row.expire_pay_at)
    expect([(await orderOf(database, row.id)).status, await heldBy(database, row.id)]).toEqual([
      'cancelled',
      [],
    ])
    const next = await placeTickets(database, { show_id: show.id, seats: seatsOf('3-4') })
    expect(await heldBy(database, next.id)).toEqual(['3-4'])
  })
})

describe('a paid order without tickets', () => {
  it('goes back by itself after fifteen minutes, and what comes later is surplus', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    await send(row.id, all('unknown'), now + 1)
    await giveUp(now + GIVE_UP_S - 1)
    expect((await orderOf(database, row.id)).refund_state).toBe('none')
    await giveUp(now + GIVE_UP_S)
    await giveUp(now + GIVE_UP_S + 1)
    await finishPayouts(database, now + GIVE_UP_S + 2)
    const after = await orderOf(database, row.id)
    expect([after.status, after.refunded_cents]).toEqual(['refunded', row.pay_cents])
    expect(await heldBy(database, row.id)).toEqual([])
    await send(row.id, all('success'), now + GIVE_UP_S + 9000)
    expect((await askedFor(database, row.id))[0]).toMatchObject({ state: 'surplus' })
    expect((await ticketsOf(database, row.id)).ticket_code).toBeNull()
  })
  it('goes back when its show begins, however short it waited', async () => {
    const show = await aShow(database)
    const row = await buyTickets(database, { show_id: show.id, now: show.start_at - 60 })
    await giveUp(show.start_at)
    expect((await orderOf(database, row.id)).refund_state).toBe('refunding')
  })
  it('waits as long as it is frozen', async () => {
    const now = unixNow()
    const row = await buyTickets(database, { now })
    const step = {
      order_id: row.id,
      by: 'staff' as const,
      actor: { type: 'staff' as const, id: admin_id },
      reason: '核实中',
      now,
    }
    await database.transaction(tx => freezeOrder(tx, step))
    await giveUp(now + DAY)
    expect((await orderOf(database, row.id)).refund_state).toBe('none')
    await database.transaction(tx => unfreezeOrder(tx, step))
    await giveUp(now + DAY)
    expect((await orderOf(database, row.id)).refund_state).toBe('refunding')
  })
})

describe('a show that is over', () => {
  it('leaves the money of its orders to their owner, frozen for the days of their terms', async () => {
    const show = await aShow(database)
    const row = await buyTickets(database, { show_id: show.id })
    await send(row.id, all('success'), unixNow() + 1)
    await finishShows({ database, now: show.end_at - 1 })
    const line = async () =>
      (await database.db.select().from(settle_line).where(eq(settle_line.order_id, row.id))).map(
        one => [one.status, one.freeze_until_at],
      )
    expect(await line()).toEqual([
      ['not_settled', null],
      ['not_settled', null],
    ])
    await finishShows({ database, now: show.end_at })
    await finishShows({ database, now: show.end_at + 1 })
    const until = show.end_at + 3 * DAY
    expect(await line()).toEqual([
      ['freezing', until],
      ['freezing', until],
    ])
    const [item] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, row.id))
    expect([item!.received_qty, (await ticketsOf(database, row.id)).shown_at]).toEqual([
      2,
      show.end_at,
    ])
    expect(await broken(database)).toEqual({})
  })
})
