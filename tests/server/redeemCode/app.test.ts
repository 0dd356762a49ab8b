import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { STORES_TOLD } from '#src/areas/redeemCode/fetching.server.ts'
import { IN_MALL_M } from '#src/areas/redeemCode/placing.server.ts'
import { redeem_block, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { WRONG_MAX } from '#src/areas/redeemCode/redeemCode.ts'
import type { Result } from '#src/contract/call.ts'
import type { Lang } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { redeemApp as calls } from '#src/modules/redeemCode/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, send } from '../../help/app.ts'
import { storeOf } from '../../help/bindings.ts'
import { freshCity } from '../../help/designed.ts'
import { facedCard } from '../../help/ecardCodes.ts'
import { openMiniProgram } from '../../help/miniProgram.ts'
import { batchOf, couponOf, membersOf } from '../../help/redeem.ts'
import { freshMall } from '../../help/stores.ts'
import { aPlan } from '../../help/vipCards.ts'
import { buy } from '../../help/vipOrders.ts'

let database: Database
let phone: Awaited<ReturnType<typeof openMiniProgram>>
let created_by: number
beforeAll(async () => {
  database = await openCopy()
  phone = await openMiniProgram(database)
  created_by = (await addStaff(database)).id
})
const ask = async (input: object) => {
  const said = await send(phone.app, calls.redeem, input)
  expect(said.status, said.message).toBe(200)
  return said.data as Result<typeof calls.redeem>
}
const someone = async () => {
  const { id } = (await membersOf(database))[0]!
  return { id, ticket: await phone.enter(id) }
}

describe('a member redeems a code at their phone', () => {
  it('once, as it was typed; the next is told no name', async () => {
    const own = await couponOf(database)
    const { codes } = await batchOf(database, phone.app, { created_by, coupon_ids: [own.id] })
    const [first, second] = [await someone(), await someone()]
    const typed = ` ${codes[0]!.toLowerCase()} `
    expect(await ask({ ticket: first.ticket, secret_code: typed })).toEqual({
      state: 'ok',
      why: '',
      goods: null,
      rewards: [own.name],
    })
    const grants = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.coupon_id, own.id))
    expect(grants.map(one => one.member_id)).toEqual([first.id])
    expect(await ask({ ticket: second.ticket, secret_code: codes[0]! })).toEqual({
      state: 'used',
      why: '已使用',
      goods: null,
      rewards: [],
    })
  })
  it('and who guesses is locked, by the device too', async () => {
    const { ticket, id } = await someone()
    const device = `device-of-a-test-${id}`
    const wrong = { ticket, secret_code: 'NOBODYHASTHIS', device }
    for (let n = 0; n < WRONG_MAX; n++) expect((await ask(wrong)).state).toBe('unknown')
    expect(await ask(wrong)).toMatchObject({
      state: 'locked',
      why: expect.stringMatching(/20\d\d-/),
    })
    const tries = await database.db.select().from(redeem_log).where(eq(redeem_log.member_id, id))
    expect(new Set(tries.map(one => one.channel))).toEqual(new Set(['mini']))
    expect(tries).toHaveLength(WRONG_MAX + 1)
    await database.db.delete(redeem_block)
  })
  it('with a ticket alone, and nothing is recorded without', async () => {
    const before = await database.db.$count(redeem_log)
    expect(await ask({ ticket: 'x.y.z', secret_code: 'NOBODYHASTHIS' })).toEqual({
      state: 'none',
      why: '',
      goods: null,
      rewards: [],
    })
    expect(await database.db.$count(redeem_log)).toBe(before)
  })
})

describe('an e-card', () => {
  it('is told by its name, its face and the end of its number, in the language of the phone', async () => {
    const { card, face } = await facedCard(database, { source: 'generate' })
    const of = { created_by, points: 0, ecard_attr_id: face.id, codes: 2 }
    const { codes } = await batchOf(database, phone.app, of)
    const { ticket } = await someone()
    const zh = await ask({ ticket, secret_code: codes[0]! })
    expect(zh.rewards).toEqual([
      expect.stringMatching(new RegExp(`^电子卡「${card.name}」100.00 元（尾号 [\\dA-Z]{4}）$`)),
    ])
    const input = { ticket, secret_code: codes[1]! }
    const said = await send(phone.app, calls.redeem, input, { lang: 'en' })
    expect((said.data as Result<typeof calls.redeem>).rewards[0]).toContain('of ¥100.00 (…')
  })
})

describe('a code of some malls', () => {
  const at = (mall: { lng_e6: number | null; lat_e6: number | null }, metres = 0) => ({
    lng_e6: mall.lng_e6!,
    lat_e6: mall.lat_e6! + Math.round(metres * 8.9932),
  })
  it('is redeemed in one of them, and the record says in which', async () => {
    const [first, second] = [
      await freshMall(database),
      await freshMall(database, { lat_e6: 31_330_000 }),
    ]
    const mall_ids = [first.id, second.id]
    const { codes, batch } = await batchOf(database, phone.app, { created_by, mall_ids })
    const { ticket, id } = await someone()
    const typed = { ticket, secret_code: codes[0]! }
    expect(await ask({ ...typed, at: at(second, IN_MALL_M - 50) })).toMatchObject({ state: 'ok' })
    const [log] = await database.db.select().from(redeem_log).where(eq(redeem_log.member_id, id))
    expect(log).toMatchObject({ batch_id: batch.id, mall_id: second.id, result: 'ok' })
  })
  it('is refused elsewhere and without a position, and says where to go', async () => {
    const halls = [
      await freshMall(database),
      await freshMall(database),
      await freshMall(database),
      await freshMall(database),
    ]
    const [hall] = halls
    const one = await batchOf(database, phone.app, { created_by, mall_ids: [hall!.id] })
    const { ticket } = await someone()
    const typed = { ticket, secret_code: one.codes[0]! }
    const why = `仅限在以下商场兑换：${hall!.name}。请到商场并允许获取位置后重试`
    const refused = { state: 'wrong_mall', why, goods: null, rewards: [] }
    expect(await ask(typed)).toEqual(refused)
    expect(await ask({ ...typed, at: at(hall!, IN_MALL_M + 50) })).toEqual(refused)
    const many = await batchOf(database, phone.app, {
      created_by,
      mall_ids: halls.map(each => each.id),
    })
    const named = halls.slice(0, 3).map(each => each.name)
    expect((await ask({ ticket, secret_code: many.codes[0]! })).why).toBe(
      `仅限在 ${named.join('、')} 等 4 家商场兑换。请到商场并允许获取位置后重试`,
    )
    expect(await ask({ ...typed, at: at(hall!) })).toMatchObject({ state: 'ok' })
  })
})

describe('a reward that can’t be given', () => {
  const toldIn = async (lang: Lang, input: object) =>
    (await send(phone.app, calls.redeem, input, { lang })).data as Result<typeof calls.redeem>
  it('is told with what stands in the way, in the language of the phone', async () => {
    const [running, other] = [await aPlan(database), await aPlan(database)]
    const { id, ticket } = await someone()
    await buy(database, { member_id: id, card_id: running.id, now: unixNow() })
    const { codes } = await batchOf(database, phone.app, {
      created_by,
      vip_card_id: other.id,
      vip_days: 10,
    })
    const typed = { ticket, secret_code: codes[0]! }
    expect(await toldIn('zh', typed)).toEqual({
      state: 'no_reward',
      why: `奖励无法发放：会员正在使用其他卡种，到期后才能获得「${other.name}」时长。兑换码未被使用`,
      goods: null,
      rewards: [],
    })
    expect((await toldIn('en', typed)).why).toBe(
      `No reward can be given. The member has another plan now, and gets days of “${other.name}” after its end. The code was not used`,
    )
  })
  it('names the coupon that is used up', async () => {
    const own = await couponOf(database, { total: 1, claimed_count: 1 })
    const { codes } = await batchOf(database, phone.app, { created_by, coupon_ids: [own.id] })
    const { ticket } = await someone()
    expect(await ask({ ticket, secret_code: codes[0]! })).toMatchObject({
      state: 'no_reward',
      why: `奖励无法发放：优惠券“${own.name}”已领完。兑换码未被使用`,
    })
  })
})

describe('a prize', () => {
  const prize = { points: 0, goods: '保温杯', goods_cents: 68_00 }
  /** A member of a city that has no store but those of the test. */
  const inCity = async () => {
    const city_id = await freshCity(database)
    const { id, ticket } = await someone()
    await database.db.update(member).set({ city_id }).where(eq(member.id, id))
    return { id, ticket, city_id }
  }
  it('is named with until when and where it is fetched, and again to whoever has it', async () => {
    const { ticket, city_id } = await inCity()
    const hall = await freshMall(database, { city_id })
    const shop = await storeOf(database, {
      city_id,
      mall_id: hall.id,
      floor: 'L3',
      door_no: '305',
      lng_e6: null,
      lat_e6: null,
    })
    await storeOf(database, { city_id, status: 'closed' })
    await storeOf(database, { city_id, status: 'resting' })
    const { codes, batch } = await batchOf(database, phone.app, { created_by, ...prize })
    const typed = { ticket, secret_code: codes[0]! }
    const goods = {
      name: '保温杯',
      until: batch.end_at,
      stores: [
        {
          name: shop.name,
          mall: hall.name,
          address: shop.address,
          floor: 'L3',
          door_no: '305',
          open_hours: shop.open_hours,
          distance_m: null,
        },
      ],
    }
    expect(await ask(typed)).toEqual({ state: 'ok', why: '', goods, rewards: ['实物「保温杯」'] })
    expect(await ask(typed)).toEqual({ state: 'used', why: '已使用', goods, rewards: [] })
    const { ticket: other } = await someone()
    expect((await ask({ ...typed, ticket: other })).goods).toBeNull()
    await database.db
      .update(redeem_log)
      .set({ handed_at: unixNow() })
      .where(and(eq(redeem_log.batch_id, batch.id), eq(redeem_log.result, 'ok')))
    expect(await ask(typed)).toEqual({ state: 'used', why: '已使用', goods: null, rewards: [] })
  })
  it('is told with the nearest stores first, and with those of the city where none is near', async () => {
    const { ticket, city_id } = await inCity()
    // No store of the demo stands in the middle of an ocean.
    const at = { lng_e6: -140_000_000, lat_e6: -40_000_000 }
    const away = (metres: number) => ({
      city_id,
      lng_e6: at.lng_e6,
      lat_e6: at.lat_e6 + Math.round(metres * 8.9932),
    })
    const far = await storeOf(database, away(60_000))
    const second = await storeOf(database, away(900))
    const first = await storeOf(database, away(-300))
    const { codes } = await batchOf(database, phone.app, { created_by, ...prize })
    const typed = { ticket, secret_code: codes[0]! }
    const told = async (input: object) =>
      (await ask({ ...typed, ...input })).goods!.stores.map(one => [one.name, one.distance_m])
    expect(await told({ at })).toEqual([
      [first.name, 300],
      [second.name, 900],
    ])
    const unknown = [far, second, first].map(one => [one.name, null])
    expect(await told({})).toEqual(unknown)
    const elsewhere = await told({ at: { lng_e6: 140_000_000, lat_e6: 40_000_000 } })
    expect(elsewhere.map(([name]) => name)).toEqual([far, second, first].map(one => one.name))
  })
  it('is told with twenty stores at most', async () => {
    const { ticket, city_id } = await inCity()
    for (let n = 0; n <= STORES_TOLD; n++) await storeOf(database, { city_id })
    const { codes } = await batchOf(database, phone.app, { created_by, ...prize })
    const { goods } = await ask({ ticket, secret_code: codes[0]! })
    expect(goods!.stores).toHaveLength(STORES_TOLD)
  })
})
