import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { film_cinema, film_owner } from '#src/areas/film/film.table.ts'
import { GIVE_UP_S } from '#src/areas/film/film.ts'
import { giveUpTickets } from '#src/areas/film/rescue.server.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { batchAdd } from '#src/modules/redeemCode/contract/form.ts'
import { codeBatches } from '#src/modules/redeemCode/contract/index.ts'
import { redeemLogs } from '#src/modules/redeemCode/contract/redeem.ts'
import { codeDesk } from '#src/modules/redeemCode/contract/vertify.ts'
import { storeOf } from '../../help/bindings.ts'
import { aCinema, aShow, buyTickets, placeTickets, seatsOf, ticketsOf } from '../../help/films.ts'
import { finishPayouts } from '../../help/orders.ts'
import { prizeBench } from '../../help/prizes.ts'
import { couponOf, formOf, membersOf, prefixOf } from '../../help/redeem.ts'

const UP_TO = 45_00
let on: Awaited<ReturnType<typeof prizeBench>>
let cinema: typeof film_cinema.$inferSelect
let ticket: Awaited<ReturnType<typeof couponOf>>
const ticketOf = (store_ids: number[], of: Parameters<typeof couponOf>[1] = {}) =>
  couponOf(on.database, {
    kind: 'exchange',
    face_cents: UP_TO,
    threshold_cents: 0,
    apply_kind: 'store',
    apply_ids: store_ids,
    platform_share_bp: 10_000,
    merchant_share_bp: 0,
    per_member: 9,
    ...of,
  })
const storeOfCinema = async () =>
  (await on.database.db.select().from(film_owner).where(eq(film_owner.id, cinema.owner_id)))[0]!
    .store_id
beforeAll(async () => {
  on = await prizeBench()
  cinema = await aCinema(on.database)
  ticket = await ticketOf([await storeOfCinema()])
})
const batch = (of: Parameters<typeof on.batch>[0] = {}) =>
  on.batch({ goods: '', goods_cents: 0, coupon_ids: [ticket.id], ...of })
const words = () => `影票「${ticket.name}」（最高 45.00 元）`
/** A code redeemed for a member of its own, with the film ticket that it gave. */
const redeemed = async () => {
  const { codes, batch: own } = await batch()
  const [who] = await membersOf(on.database)
  const { id } = await on.look(codes[0]!)
  const phone = { phone: who!.phone, phone_tail: who!.phone.slice(-4) }
  const said = await on.done(codeDesk.redeemFor, { id, ...phone })
  expect(said.result, said.text).toBe('ok')
  return { who: who!, id: id as number, batch: own, grant: await grantOf(who!.id) }
}
const grantOf = async (member_id: number) =>
  (
    await on.database.db.select().from(coupon_grant).where(eq(coupon_grant.member_id, member_id))
  )[0]!
const revoke = async (code_id: number) => {
  const { id, version } = await on.success(code_id)
  return on.call(redeemLogs.revoke, { id, version, reopen: true, reason: '误兑' })
}
const pick = async (what: typeof codeBatches.films | typeof codeBatches.coupons, keyword: string) =>
  (await on.done(what, { keyword, page: 1, pageSize: 10 })).total

describe('a batch of film tickets', () => {
  it('chooses among coupons that pay a seat at cinemas alone', async () => {
    const shop = await storeOf(on.database)
    const others = [
      await ticketOf([await storeOfCinema(), shop.id]),
      await ticketOf([]),
      await ticketOf([await storeOfCinema()], { face_cents: 0 }),
      await ticketOf([await storeOfCinema()], { kind: 'direct' }),
      await ticketOf([await storeOfCinema()], { apply_kind: 'all' }),
    ]
    expect(await pick(codeBatches.films, ticket.name)).toBe(1)
    expect(await pick(codeBatches.coupons, ticket.name)).toBe(0)
    for (const { name } of others) {
      expect(await pick(codeBatches.films, name)).toBe(0)
      expect(await pick(codeBatches.coupons, name)).toBe(1)
    }
  })
  it('costs its face, says it and is found by it', async () => {
    const sent = { ...formOf(), points: 0, coupon_ids: [ticket.id], budget_cents: 100 * UP_TO }
    const { id } = await on.done(batchAdd.submit, sent)
    const row = await on.done(codeBatches.detail, { id })
    expect(row).toMatchObject({
      unit_cost_cents: UP_TO,
      worst_cents: 100 * UP_TO,
      coupons: [{ id: ticket.id, name: ticket.name, film_cents: UP_TO, ended: false }],
    })
    const by = async (reward: string) =>
      (
        await on.done(codeBatches.lst, { reward, keyword: row.prefix, page: 1, pageSize: 10 })
      ).list.map((one: { id: number }) => one.id)
    expect(await by('film')).toEqual([id])
    expect(await by('coupon')).toEqual([])
    const short = await on.call(batchAdd.submit, {
      ...sent,
      prefix: prefixOf(),
      quantity: 2000,
    })
    expect(Object.keys(short.data.fields).toSorted()).toEqual(['budget_cents', 'coupon_ids'])
  })
})

describe('a film ticket', () => {
  it('is the member’s: desk and records say so', async () => {
    const { batch: own, id, grant } = await redeemed()
    const row = await on.done(redeemLogs.lst, { batch_id: own.id, page: 1, pageSize: 10 })
    expect(row.list[0].rewards).toEqual([words()])
    expect(grant.status).toBe('unused')
    expect((await revoke(id)).status).toBe(200)
    expect((await grantOf(grant.member_id)).status).toBe('revoked')
  })
  it('pays one seat of an order up to its sum, and is used then', async () => {
    const { who, id, grant } = await redeemed()
    const show = await aShow(on.database, { cinema })
    const row = await buyTickets(on.database, {
      show_id: show.id,
      member_id: who.id,
      coupon_grant_id: grant.id,
    })
    const film = await ticketsOf(on.database, row.id)
    const seat = (film.sale_cents + film.service_fee_cents) / film.seat_count
    expect(film.seat_count).toBe(2)
    expect(film.coupon_cents).toBe(Math.min(UP_TO, seat))
    expect(row.platform_discount_cents).toBe(film.coupon_cents)
    expect((await grantOf(who.id)).status).toBe('used')
    expect((await revoke(id)).data.rule).toBe('reward_used')
  })
  it('is bound to one of two orders at once, and free again when that is given up', async () => {
    const { who, grant } = await redeemed()
    const show = await aShow(on.database, { cinema })
    const of = { show_id: show.id, member_id: who.id, coupon_grant_id: grant.id }
    const both = await Promise.allSettled([
      placeTickets(on.database, { ...of, seats: seatsOf('4-4') }),
      placeTickets(on.database, { ...of, seats: seatsOf('4-6') }),
    ])
    expect(both.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect((await grantOf(who.id)).status).toBe('locked')
  })
  it('comes back with an order that no ticket was issued for', async () => {
    const { who, grant } = await redeemed()
    const now = unixNow()
    const show = await aShow(on.database, { cinema })
    await buyTickets(on.database, {
      show_id: show.id,
      member_id: who.id,
      coupon_grant_id: grant.id,
      now,
    })
    await giveUpTickets({
      database: on.database,
      now: now + GIVE_UP_S,
      open: (tx, order_id) =>
        openFilmRefund(tx, {
          order_id,
          kind: 'ticket_failed',
          reason: '未出票',
          source: 'system',
          now: now + GIVE_UP_S,
        }),
    })
    await finishPayouts(on.database, now + GIVE_UP_S + 2)
    expect((await grantOf(who.id)).status).toBe('unused')
  })
  it('buys nothing but seats', async () => {
    const { who, grant } = await redeemed()
    const show = await aShow(on.database)
    const elsewhere = placeTickets(on.database, {
      show_id: show.id,
      member_id: who.id,
      coupon_grant_id: grant.id,
    })
    await expect(elsewhere).rejects.toMatchObject({ data: { rule: 'coupon_goods' } })
  })
})

it('the demo has batches of e-cards and film tickets, of which some were redeemed', async () => {
  const named = async (reward: string, keyword: string) =>
    (await on.done(codeBatches.lst, { reward, keyword, page: 1, pageSize: 10 })).list[0]
  const cards = await named('card', '企业年会礼品卡')
  expect(cards.card.name).toBe('商场礼品卡')
  expect(cards.redeemed).toBeGreaterThan(0)
  expect(await named('card', '外卖红包答谢')).toMatchObject({ status: 'auditing', points: 100 })
  const films = await named('film', '信用卡周末观影')
  expect(films.coupons).toMatchObject([{ name: '周末观影券', film_cents: UP_TO }])
  expect(films.redeemed).toBeGreaterThan(0)
  const back = await on.done(redeemLogs.lst, { batch_id: cards.id, page: 1, pageSize: 50 })
  expect(back.list.filter((one: { revoked_at: number | null }) => one.revoked_at)).toHaveLength(1)
})
