import { beforeAll, expect, it } from 'vitest'
import { ecard_channel } from '#src/areas/ecard/ecard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  ecardOrder as calls,
  ecardOrderDetail as detail,
  type CardsOfOrder,
} from '#src/modules/order/contract/ecard.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aSold, codesOf, orderCards } from '../../help/cardOrders.ts'

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
