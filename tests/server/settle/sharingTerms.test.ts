import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { makeSplit } from '#src/areas/split/making.server.ts'
import { dist_split_order } from '#src/areas/split/split.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { settleMerchants as calls } from '#src/modules/settle/contract/detail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshSale } from '../../help/settle.ts'
import { RIPE_S, sharedOrder, sharedShop, splitOf } from '../../help/splits.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let maker: Person
let checker: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['settle.detail.*'] })
  checker = await addStaff(database, { perms: ['settle.detail.*'] })
}, 120_000)
const reason = '开通微信分账'
let sent = 0
const by = (one: Person) => ({ token: one.token, key: `sharing-terms-Q${++sent}` })
const read = async (merchant_id: number) =>
  (
    await database.db
      .select()
      .from(settle_merchant)
      .where(eq(settle_merchant.merchant_id, merchant_id))
  )[0]!
const ask = async (merchant_id: number, profit_sharing: boolean, sub_mchid: string) => {
  const { id, version } = await read(merchant_id)
  const input = { id, version, reason, profit_sharing, sub_mchid }
  return send(app, calls.setSharing, input, by(maker))
}
const approve = async (merchant_id: number, who = checker) => {
  const { id, version } = await read(merchant_id)
  return send(app, calls.approveMerchant, { id, version }, by(who))
}

it('is switched on by two people, through a number that can be one, and told in the log', async () => {
  const { merchant: of } = await freshSale(database)
  expect((await ask(of.id, true, '')).data.fields.sub_mchid).toContain('须填写')
  expect((await ask(of.id, true, '12345')).data.fields.sub_mchid).toContain('8 至 10')
  expect((await ask(of.id, true, '１６００ 0001')).status).toBe(200)
  expect(await read(of.id)).toMatchObject({ profit_sharing: false, sub_mchid: '' })
  expect((await approve(of.id, maker)).data.rule).toBe('own_change')
  expect((await approve(of.id)).status).toBe(200)
  const row = await read(of.id)
  expect(row).toMatchObject({
    profit_sharing: true,
    sub_mchid: '16000001',
    pending_change: null,
    changed_by: maker.id,
    checked_by: checker.id,
  })
  const logs = await database.db.select().from(op_log).where(eq(op_log.object_id, row.id))
  const ofIt = logs.filter(one => one.object_type === 'settle_merchant')
  expect(ofIt.some(one => one.reason === reason)).toBe(true)
  expect(ofIt.some(one => JSON.stringify(one.after).includes('16000001'))).toBe(true)
  const said = await send(app, calls.lst, { keyword: of.name }, by(checker))
  expect(said.data.list[0]).toMatchObject({ profit_sharing: true, sub_mchid: '16000001' })
})
it('asks for what differs alone, and for nothing else while a change waits', async () => {
  const { merchant: of } = await freshSale(database)
  expect((await ask(of.id, false, '')).data.rule).toBe('nothing_changed')
  await ask(of.id, false, '16000002')
  expect((await read(of.id)).pending_change).toEqual({ sub_mchid: '16000002' })
  expect((await ask(of.id, true, '16000002')).data.rule).toBe('change_waits')
})
it('keeps both while a split of the merchant is under way, also when another approves', async () => {
  const shop = await sharedShop(database)
  const merchant_id = shop.item.merchant_id
  // Off and approved later: a split that began meanwhile keeps it on.
  const sub_mchid = String(16_000_000 + merchant_id)
  await database.db
    .update(settle_merchant)
    .set({ sub_mchid })
    .where(eq(settle_merchant.merchant_id, merchant_id))
  expect((await ask(merchant_id, false, sub_mchid)).status).toBe(200)
  const order_id = await sharedOrder(database, shop)
  await database.transaction(tx =>
    makeSplit(tx, order_id, { own: '1900', now: unixNow() + RIPE_S }),
  )
  const split = (await splitOf(database, order_id))!
  expect(split.status).toBe('waiting')
  const late = await approve(merchant_id)
  expect([late.data.rule, late.message]).toEqual([
    'split_open',
    expect.stringContaining('分账订单'),
  ])
  expect((await read(merchant_id)).profit_sharing).toBe(true)
  await database.db
    .update(settle_merchant)
    .set({ pending_change: null, pending_by: null, pending_at: null })
    .where(eq(settle_merchant.merchant_id, merchant_id))
  for (const [on, no] of [
    [false, sub_mchid],
    [true, '19999999'],
  ] as const)
    expect((await ask(merchant_id, on, no)).data.rule).toBe('split_open')
  await database.db
    .update(dist_split_order)
    .set({ status: 'finished', ask_at: null })
    .where(eq(dist_split_order.id, split.id))
  expect((await ask(merchant_id, false, sub_mchid)).status).toBe(200)
  expect((await approve(merchant_id)).status).toBe(200)
  expect((await read(merchant_id)).profit_sharing).toBe(false)
})
it('of switching it off and a split that is made meanwhile, one alone is done', async () => {
  for (let n = 0; n < 4; n++) {
    const shop = await sharedShop(database)
    const merchant_id = shop.item.merchant_id
    const order_id = await sharedOrder(database, shop)
    await database.db
      .update(settle_merchant)
      .set({ pending_change: { profit_sharing: false }, pending_by: maker.id })
      .where(eq(settle_merchant.merchant_id, merchant_id))
    const { id, version } = await read(merchant_id)
    const now = unixNow() + RIPE_S
    const [made, said] = await Promise.all([
      database.transaction(tx => makeSplit(tx, order_id, { own: '1900', now })),
      send(app, calls.approveMerchant, { id, version }, by(checker)),
    ])
    expect((await read(merchant_id)).profit_sharing).toBe(made !== undefined)
    expect(said.status).toBe(made === undefined ? 200 : 422)
  }
})
