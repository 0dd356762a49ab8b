import { desc, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { ecard_gift, ecard_move, ecard_request } from '#src/areas/ecard/cardOrder.table.ts'
import { CARDS_AN_ORDER } from '#src/areas/ecard/cardOrder.ts'
import { ecard_channel } from '#src/areas/ecard/ecard.table.ts'
import type { SupplierAnswer } from '#src/areas/ecard/supplier.channel.ts'
import { reissueCards, settleRequest } from '#src/areas/ecard/supplier.server.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  ecardOrder as calls,
  ecardOrderDetail as detail,
  type CardsOfOrder,
  type RequestOfOrder,
} from '#src/modules/order/contract/ecard.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer, aSold, buyCards, codesOf, orderCards } from '../../help/cardOrders.ts'
import { sealerFor } from '../../help/ecardCodes.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
const told = async (what: Parameters<typeof send>[1], input: object) => {
  const { status, message, data } = await call(what, input)
  expect([status, message]).toEqual([200, expect.any(String)])
  return data
}
const ruleOf = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  return said.data?.rule ?? said.status
}
const rowNow = async (id: number): Promise<OrderRow> => (await told(calls.detail, { id })).order

it('an order of more cards than a page shows has them page by page, and all are reached', async () => {
  const last = unixNow() + 1200 * DAY
  const { face } = await aSold(database, { valid_type: 'fixed', valid_until: last })
  const [channel] = await database.db
    .insert(ecard_channel)
    .values({ name: '一单多卡的渠道', type: 'enterprise', status: 'on' })
    .returning()
  const buyer = { channel_id: channel!.id, discount_bp: 10_000, admin_id: me.id }
  const { id } = await orderCards(database, { attr_id: face.id, n: 230, buyer })
  const page = async (at: number): Promise<CardsOfOrder> =>
    told(detail.cards, { id, page: at, pageSize: 100 })
  const pages = [await page(1), await page(2), await page(3)]
  expect(pages.map(one => [one.cards.length, one.total])).toEqual([
    [100, 230],
    [100, 230],
    [30, 230],
  ])
  const shown = pages.flatMap(one => one.cards.map(code => code.id))
  expect(shown).toEqual((await codesOf(database, id)).map(code => code.id))
  const end = last + 30 * DAY
  expect(await told(detail.extend, { id, until: end, reason: '整批延期' })).toMatchObject({
    done: 230,
  })
  const after = await codesOf(database, id)
  expect(after.every(code => code.valid_until === end && code.state === 'sold')).toBe(true)
  // Cards beyond any page can be named, and so can more of them than one page has.
  const named = shown.slice(-210)
  expect(await told(calls.freezeCards, { id, code_ids: named, reason: '疑似盗刷' })).toMatchObject({
    done: 210,
    left: 0,
  })
  expect(await ruleOf(detail.extend, { id, until: end + DAY, reason: '整批延期' })).toBe(200)
  const { cards } = await rowNow(id)
  expect([cards!.frozen, cards!.freezable]).toEqual([210, 20])
  expect(await told(calls.unfreezeCards, { id, reason: '核实无误' })).toMatchObject({ done: 210 })
})

it('an order of many supplied cards has its requests page by page: failures that stand, then the newest', async () => {
  const { face } = await aSold(
    database,
    { source: 'api', supplier: 'fulu', type: 'secret' },
    { face_cents: 10_00, price_cents: 10_00 },
  )
  const { id: member_id } = await aBuyer(database)
  const { id } = await buyCards(database, {
    attr_id: face.id,
    n: CARDS_AN_ORDER,
    buyer: { member_id },
  })
  const [sealer, now] = [await sealerFor(database), unixNow()]
  const all = () =>
    database.db
      .select()
      .from(ecard_request)
      .where(eq(ecard_request.order_id, id))
      .orderBy(desc(ecard_request.id))
  const settle = async (unit: number, again: number, issued: boolean) => {
    const { out_no } = (await all()).findLast(
      one => one.unit === unit && one.out_no.endsWith(`-${again}`),
    )!
    const answer: SupplierAnswer = issued
      ? { state: 'success', supplier_no: out_no, card_no: out_no.slice(-24), secret: `K${out_no}` }
      : { state: 'failed', text: '供应商库存不足' }
    await database.transaction(tx => settleRequest(tx, sealer, { out_no, answer, now }))
  }
  for (const unit of [3, 5, 8, 10]) await settle(unit, 1, false)
  const { n } = await database.transaction(async tx =>
    reissueCards(tx, await holdOrder(tx, id), { admin_id: me.id, reason: '补发', now }),
  )
  expect(n).toBe(4)
  // Issued anew, failed again, still asked for; and issued after all by the number that failed first.
  await settle(3, 2, true)
  await settle(5, 2, false)
  await settle(10, 2, false)
  await settle(10, 1, true)
  const page = (at: number) => told(detail.requests, { id, page: at, pageSize: 80 })
  const pages = [await page(1), await page(2), await page(3)]
  expect(pages.map(one => [one.list.length, one.total])).toEqual([
    [80, CARDS_AN_ORDER + n],
    [80, CARDS_AN_ORDER + n],
    [44, CARDS_AN_ORDER + n],
  ])
  const shown: RequestOfOrder[] = pages.flatMap(one => one.list)
  expect(shown[0]).toMatchObject({ unit: 5, state: 'failed', by: me.account, reason: '补发' })
  const rest = (await all()).map(one => one.id).filter(one => one !== shown[0]!.id)
  expect(shown.slice(1).map(one => one.id)).toEqual(rest)
})

it('an order has its gifts and changes of holders page by page, the newest first', async () => {
  const { face } = await aSold(database)
  const [buyer, to] = [await aBuyer(database), await aBuyer(database)]
  const { id } = await buyCards(database, {
    attr_id: face.id,
    n: 1,
    buyer: { member_id: buyer.id },
  })
  const [card] = await codesOf(database, id)
  const now = unixNow()
  const common = { order_id: id, code_id: card!.id, from_id: buyer.id, to_id: to.id }
  const n = 7
  await database.db.insert(ecard_gift).values(
    Array.from({ length: n }, (_, at) => ({
      ...common,
      ordered_at: now,
      token: `large-${id}-${at}`,
      state: 'returned' as const,
      sent_at: now + at,
      returned_at: now + at,
    })),
  )
  await database.db.insert(ecard_move).values(
    Array.from({ length: n }, (_, at) => ({
      ...common,
      from_phone: buyer.phone,
      to_phone: to.phone,
      state: 'refused' as const,
      first_by: me.id,
      reason: `第 ${at} 次`,
    })),
  )
  for (const what of [detail.gifts, detail.moves]) {
    const page = (at: number) => told(what, { id, page: at, pageSize: 3 })
    const pages = [await page(1), await page(2), await page(3)]
    expect(pages.map(one => [one.list.length, one.total])).toEqual([
      [3, n],
      [3, n],
      [1, n],
    ])
    const ids: number[] = pages.flatMap(one => one.list.map((row: { id: number }) => row.id))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(new Set(ids).size).toBe(n)
  }
})
