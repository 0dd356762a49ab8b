import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { message } from '#src/areas/message/message.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { cardAdd, cardEdit } from '#src/modules/ecard/contract/form.ts'
import { cards as calls } from '#src/modules/ecard/contract/list.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer, aSold, buyCards, codesOf, orderCards } from '../../help/cardOrders.ts'
import { aCard, aFace, type Card } from '../../help/ecard.ts'
import { finishPayouts, refundUnused } from '../../help/orders.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let clerk: Person
let other: Person
let issuer: typeof store.$inferSelect
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  ;[clerk, other] = (await Promise.all(
    [1, 2].map(() => addStaff(database, { perms: ['ecard.*'] })),
  )) as [Person, Person]
  const [row] = await database.db.select().from(store).where(eq(store.status, 'open')).limit(1)
  issuer = row!
})
let made = 0
const call = (what: What, input: object, by = clerk) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(422)
  return said.data.rule
}
const faults = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(400)
  return Object.keys(said.data.fields)
}
const written = (more: object = {}) => ({
  name: `测试储值卡Q${++made}`,
  type: 'stored',
  named: false,
  store_id: issuer.id,
  cover: '',
  arts: [],
  supplier: '',
  source: 'generate',
  custom_min_cents: null,
  custom_max_cents: null,
  custom_step_cents: null,
  valid_type: 'none',
  valid_until: null,
  valid_days: null,
  scope: { mall_ids: [], store_ids: [issuer.id], category_ids: [] },
  gift: false,
  greetings: [],
  limits: { order: null, day: null, person: null },
  refund_rule: 'unused',
  bonus: false,
  notice: '',
  agreement: '购卡协议',
  stock_alert: 0,
  ...more,
})
const faces = [
  { face_cents: 100_00, price_cents: 98_00, cost_cents: 90_00 },
  { face_cents: 200_00, price_cents: 190_00, cost_cents: 180_00 },
]
const rowOf = async (id: number): Promise<Card> =>
  (await database.db.select().from(ecard).where(eq(ecard.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
/** What the form of a card that stands sends, with what is changed of it. */
const sent = async (id: number, more: object = {}) => {
  const row = await rowOf(id)
  const own = Object.fromEntries(Object.keys(written()).map(key => [key, row[key as keyof Card]]))
  return { id, version: row.version, ...own, ...more }
}
const facesOf = (card_id: number) =>
  database.db
    .select()
    .from(ecard_attr)
    .where(eq(ecard_attr.card_id, card_id))
    .orderBy(ecard_attr.sort)
/** A card that was sold, on sale. */
const soldCard = async (of: Partial<typeof ecard.$inferInsert> = {}) => {
  const card = await aCard(database, { sold: 3, ...of })
  await aFace(database, { card_id: card.id })
  return card
}

describe('a new card', () => {
  it('is a draft with its faces, and goes on sale at once where that is asked', async () => {
    const draft = await done(cardAdd.save, { ...written(), faces })
    const row = await rowOf(draft.id)
    expect([row.state, row.merchant_id, row.city_id, row.mall_id]).toEqual([
      'draft',
      issuer.merchant_id,
      issuer.city_id,
      issuer.mall_id,
    ])
    expect((await facesOf(draft.id)).map(face => [face.face_cents, face.status])).toEqual([
      [100_00, 'on'],
      [200_00, 'on'],
    ])
    const sold = await done(cardAdd.submit, { ...written(), faces })
    expect((await rowOf(sold.id)).state).toBe('on')
  })
  it('is refused at the fields that are wrong, and leaves nothing behind', async () => {
    const name = '不成卡Q'
    const bad = { ...written({ name, named: true, valid_type: 'days', valid_days: 9 }), faces }
    expect(await faults(cardAdd.save, bad)).toEqual(['valid_type'])
    expect(await faults(cardAdd.save, { ...written(), faces: [faces[0], faces[0]] })).toEqual([
      'faces',
    ])
    const lacking = await call(cardAdd.submit, { ...written({ name, agreement: '' }), faces })
    expect([lacking.status, lacking.data.rule, Object.keys(lacking.data.fields)]).toEqual([
      422,
      'card_not_ready',
      ['agreement'],
    ])
    expect(await database.db.$count(ecard, eq(ecard.name, name))).toBe(0)
  })
  it('has a name of its own among the cards of its supplier and type', async () => {
    const of = { ...written(), faces: [] }
    await done(cardAdd.save, of)
    expect(await rule(cardAdd.save, of)).toBe('name_taken')
    await done(cardAdd.save, { ...of, type: 'exchange' })
  })
  it('of two who name it alike at once is one’s', async () => {
    const of = { ...written(), faces: [] }
    const both = await Promise.all([call(cardAdd.save, of), call(cardAdd.save, of, other)])
    expect(both.map(one => one.status).sort()).toEqual([200, 422])
  })
  it('sells no face below its cost before another person agrees', async () => {
    const losing = { face_cents: 300_00, price_cents: 200_00, cost_cents: 250_00 }
    const { id } = await done(cardAdd.save, { ...written(), faces: [...faces, losing] })
    expect((await facesOf(id)).map(face => face.status)).toEqual(['on', 'on', 'off'])
  })
  it('of imported codes is not put on sale without any', async () => {
    const of = written({ type: 'secret', source: 'import', supplier: 'fulu' })
    expect(await rule(cardAdd.submit, { ...of, faces })).toBe('card_not_ready')
  })
  it('is kept as a template, and the same name again replaces it', async () => {
    const { name: _, store_id: __, ...body } = written()
    const name = '模板Q'
    const first = await done(cardAdd.saveAsTemplate, { name, body })
    const again = await done(cardAdd.saveAsTemplate, { name, body: { ...body, gift: true } })
    expect(again.id).toBe(first.id)
    const { list } = await done(cardAdd.templates, { keyword: name })
    expect(list.map((one: { body: { gift: boolean } }) => one.body.gift)).toEqual([true])
  })
})
describe('the shelf', () => {
  it('is left with a reason, sold cards stay good, and it is come back to', async () => {
    const card = await soldCard()
    const [code] = await database.db
      .insert(ecard_code)
      .values({
        card_id: card.id,
        attr_id: (await facesOf(card.id))[0]!.id,
        batch_no: 'T',
        card_no: `TQ${++made}`,
        secret_enc: 'x',
        secret_hash: `hQ${made}`,
        state: 'active',
        activated_at: unixNow(),
        face_cents: 100_00,
        balance_cents: 60_00,
      })
      .returning()
    await done(calls.offline, { ...(await held(card.id)), reason: '合作到期' })
    const row = await rowOf(card.id)
    expect([row.state, row.off_reason]).toEqual(['off', '合作到期'])
    const [now] = await database.db.select().from(ecard_code).where(eq(ecard_code.id, code!.id))
    expect([now!.state, now!.balance_cents]).toEqual(['active', 60_00])
    const detail = await done(calls.detail, { id: card.id })
    expect([detail.outstanding_cents, detail.activated]).toEqual([60_00, 1])
    await done(calls.online, await held(card.id))
    expect((await rowOf(card.id)).off_reason).toBeNull()
  })
  it('is refused to a card without a face that is on', async () => {
    const card = await aCard(database, { state: 'draft' })
    await aFace(database, { card_id: card.id, status: 'off' })
    expect(await rule(calls.online, await held(card.id))).toBe('card_not_ready')
  })
  it('of two at once is left once, and the other is told who was quicker', async () => {
    const card = await soldCard()
    const input = { ...(await held(card.id)), reason: '两人同时下架' }
    const both = await Promise.all([call(calls.offline, input), call(calls.offline, input, other)])
    expect(both.map(one => one.status).sort()).toEqual([200, 409])
    expect(both.find(one => one.status === 409)!.data.by).toBeDefined()
  })
  it('is left by several at once, each by itself', async () => {
    const [on, off] = [await soldCard(), await soldCard({ state: 'off' })]
    const { ok, failed } = await done(calls.batchOffline, {
      ids: [on.id, off.id],
      reason: '批量下架',
    })
    expect([ok, failed.map((one: { id: number }) => one.id)]).toEqual([[on.id], [off.id]])
  })
})
describe('a card that stands', () => {
  it('is changed as a draft, and put on sale', async () => {
    const { id } = await done(cardAdd.save, { ...written(), faces })
    await done(cardEdit.save, await sent(id, { notice: '须知' }))
    await done(cardEdit.submit, await sent(id))
    expect((await rowOf(id)).state).toBe('on')
  })
  it('on sale says why it is changed; the log holds what differs', async () => {
    const card = await soldCard()
    expect(await faults(cardEdit.save, await sent(card.id, { notice: '新' }))).toEqual(['reason'])
    const wider = { scope: { mall_ids: [], store_ids: [], category_ids: [] } }
    expect(await faults(cardEdit.save, await sent(card.id, { ...wider, reason: '放开' }))).toEqual([
      'scope',
    ])
    await done(cardEdit.save, await sent(card.id, { notice: '新须知', reason: '更正须知' }))
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(sql`${op_log.object_type} = 'ecard' and ${op_log.object_id} = ${card.id}`)
      .orderBy(sql`id desc`)
      .limit(1)
    expect([line!.after, line!.reason]).toEqual([{ notice: '新须知' }, '更正须知'])
  })
  it('that was sold takes nothing from its buyers', async () => {
    const card = await soldCard({ valid_type: 'days', valid_days: 2000 })
    const reason = '调整条款'
    const say = async (more: object) =>
      faults(cardEdit.save, await sent(card.id, { ...more, reason }))
    expect(await say({ type: 'exchange' })).toEqual(['type'])
    expect(await say({ source: 'api', supplier: 'fulu' })).toEqual(['supplier', 'source'])
    expect(await say({ valid_days: 1999 })).toEqual(['valid_days'])
    expect(await say({ refund_rule: 'none' })).toEqual(['refund_rule'])
    expect(
      await say({ scope: { mall_ids: [1], store_ids: [issuer.id], category_ids: [] } }),
    ).toEqual(['scope'])
    await done(cardEdit.save, await sent(card.id, { valid_days: 2001, reason }))
  })
  it('stays bound to its terms though all of it was refunded', async () => {
    const { card, face } = await aSold(database)
    const buyer = { member_id: (await aBuyer(database)).id }
    const change = { refund_rule: 'none', reason: '调整条款' }
    const bought = await buyCards(database, { attr_id: face.id, n: 2, buyer })
    await refundUnused(database, { order_id: bought.id, reason: '买错了', now: unixNow() })
    await finishPayouts(database, unixNow() + 1)
    expect((await codesOf(database, bought.id)).map(one => one.state)).toEqual([
      'refunded',
      'refunded',
    ])
    expect((await rowOf(card.id)).sold).toBe(0)
    expect(await done(calls.detail, { id: card.id })).toMatchObject({ sold: 0, was_sold: true })
    expect(await faults(cardEdit.save, await sent(card.id, change))).toEqual(['refund_rule'])
    // One that was only held by an order that nobody paid is not sold.
    const { card: fresh, face: held_face } = await aSold(database)
    await orderCards(database, { attr_id: held_face.id, n: 1, buyer })
    expect(await done(calls.detail, { id: fresh.id })).toMatchObject({ was_sold: false })
    await done(cardEdit.save, await sent(fresh.id, change))
  })
  it('is refused where somebody changed it since', async () => {
    const card = await soldCard()
    const stale = await sent(card.id, { notice: '一', reason: '先改' })
    await done(cardEdit.save, await sent(card.id, { notice: '二', reason: '后改' }), other)
    expect((await call(cardEdit.save, stale)).status).toBe(409)
  })
  it('is copied with its faces, and none of its sales', async () => {
    const card = await soldCard()
    await aFace(database, { card_id: card.id, face_cents: 50_00, free_n: 4, sold_n: 2, sort: 2 })
    const copy = await done(calls.copy, await held(card.id))
    const row = await rowOf(copy.id)
    expect([row.name, row.state, row.sold, row.copy_from_id]).toEqual([
      `${card.name}（副本）`,
      'draft',
      0,
      card.id,
    ])
    expect(
      (await facesOf(copy.id)).map(face => [face.face_cents, face.free_n, face.sold_n]),
    ).toEqual([
      [100_00, 0, 0],
      [50_00, 0, 0],
    ])
    const next = await done(cardEdit.newVersion, await held(card.id))
    expect((await rowOf(next.id)).name).toBe(`${card.name}（副本2）`)
  })
  it('is deleted only where nobody bought it and no code is of it', async () => {
    const sold = await soldCard({ state: 'off' })
    expect(await rule(calls.del, await held(sold.id))).toBe('card_delete')
    const fresh = await aCard(database, { state: 'draft' })
    await aFace(database, { card_id: fresh.id })
    await done(calls.del, await held(fresh.id))
    expect(await rowOf(fresh.id)).toBeUndefined()
  })
  it('is recommended while it is on sale', async () => {
    const card = await soldCard()
    await done(calls.setRecommend, await held(card.id))
    expect(await rule(calls.setRecommend, await held(card.id))).toBe('wrong_state')
    await done(calls.offline, { ...(await held(card.id)), reason: '下架' })
    expect((await rowOf(card.id)).recommended).toBe(false)
  })
})
it('cards stand in the order that somebody gave them', async () => {
  const { list, list_version } = await done(calls.arranged, {})
  const order = list.map((one: { id: number }) => one.id).reverse()
  const { list_version: next } = await done(calls.sort, { order, list_version })
  const shown = await done(calls.lst, { pageSize: 200 })
  expect(shown.list.map((one: { id: number }) => one.id)).toEqual(order)
  expect((await call(calls.sort, { order, list_version })).status).toBe(409)
  expect((await done(calls.arranged, {})).list_version).toBe(next)
})
it('the list counts by state, and sums what holders may still spend', async () => {
  const { stat, outstanding_cents } = await done(calls.lst, {})
  const { rows } = await database.db.execute<{ state: string; n: number }>(
    sql`select state, count(*)::int n from ecard group by 1`,
  )
  expect(stat).toEqual(Object.fromEntries(rows.map(row => [row.state, row.n])))
  const [left] = (
    await database.db.execute<{ cents: string }>(
      sql`select coalesce(sum(balance_cents), 0) cents from ecard_code where state = 'active'`,
    )
  ).rows
  expect(outstanding_cents).toBe(Number(left!.cents))
})
it('staff hear once a day that a card on sale is low on codes', async () => {
  const card = await aCard(database, { source: 'import', supplier: 'fulu', stock_alert: 10 })
  await aFace(database, { card_id: card.id, free_n: 10 })
  const plenty = await aCard(database, { source: 'import', supplier: 'fulu', stock_alert: 10 })
  await aFace(database, { card_id: plenty.id, free_n: 11 })
  const seller = await addStaff(database, { perms: ['ecard.list.online'] })
  const run = (now: number) => timerNamed('ecard.low')({ database, now } as never)
  const heard = () => database.db.select().from(message).where(eq(message.admin_id, seller.id))
  const now = unixNow()
  await run(now)
  await run(now + 60)
  const mine = (await heard()).filter(one => one.kind === 'ecard_low')
  expect(mine.filter(one => one.address.includes(String(card.id)))).toHaveLength(1)
  expect(mine.filter(one => one.address.includes(String(plenty.id)))).toHaveLength(0)
  await run(now + DAY)
  const later = (await heard()).filter(one => one.address.includes(`=${card.id}`))
  expect(later).toHaveLength(2)
  const low = await done(calls.lst, { low: true, pageSize: 200 })
  const ids = low.list.map((one: { id: number }) => one.id)
  expect([ids.includes(card.id), ids.includes(plenty.id)]).toEqual([true, false])
})
it('an example is a paid order of a place where the card is good', async () => {
  const { rows } = await database.db.execute<{ store_id: number; pay: number }>(
    sql`select store_id, pay_cents::int pay from "order" where pay_state = 'paid' and pay_cents > 0 and created_at > ${unixNow() - 30 * DAY} order by id desc limit 1`,
  )
  const scope = { mall_ids: [], store_ids: [rows[0]!.store_id], category_ids: [] }
  const said = await done(cardAdd.example, { scope, held_cents: 1_00 })
  expect(said).toMatchObject({ pay_cents: rows[0]!.pay, card_cents: 1_00, left_cents: 0 })
  const none = await done(cardAdd.example, {
    scope: { ...scope, store_ids: [2_000_000_000] },
    held_cents: 1,
  })
  expect(none.order_id).toBe(0)
})
