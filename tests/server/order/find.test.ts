import { desc, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { finding } from '#src/modules/order/contract/find.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
})
const find = async (q: string, token: string) =>
  (await send(app, finding.find, { q }, { token })).data as {
    read: string | null
    list: { id: number; kind: string }[]
  }

it('a number that was pasted finds its order and says what it was taken for', async () => {
  const me = await addStaff(database, { perms: ['order.*'] })
  const [bulks] = await database.db
    .select()
    .from(order)
    .where(eq(order.kind, 'bulks'))
    .orderBy(desc(order.id))
    .limit(1)
  const [code] = await database.db.select().from(order_code).limit(1)
  const [given] = await database.db.select().from(refund).limit(1)
  expect(await find(`订单号：${bulks!.order_no.toLowerCase()}`, me.token)).toMatchObject({
    read: 'order_no',
    list: [{ id: bulks!.id, kind: 'bulks' }],
  })
  expect(await find(code!.code.replace(/(\d{4})(?=\d)/g, '$1 '), me.token)).toMatchObject({
    read: 'code',
    list: [{ id: code!.order_id }],
  })
  expect(await find(given!.refund_no, me.token)).toMatchObject({
    read: 'refund_no',
    list: [{ id: given!.order_id }],
  })
  const [phone] = (
    await database.db.execute<{ phone: string; n: number }>(
      sql`select m.phone, count(*)::int n from "order" o join member m on m.id = o.member_id group by 1 order by 2 desc limit 1`,
    )
  ).rows
  const several = await find(phone!.phone, me.token)
  expect([several.read, several.list.length]).toEqual(['phone', Math.min(6, phone!.n)])
})
it('a number of a payment, a coupon or a store finds its orders', async () => {
  const me = await addStaff(database, { perms: ['order.*'] })
  const [bulks] = await database.db
    .select()
    .from(order)
    .where(eq(order.kind, 'bulks'))
    .orderBy(desc(order.id))
    .limit(1)
  const channel_no = '4200001795000000000000000001'
  await database.db.insert(payment).values({
    order_id: bulks!.id,
    direction: 'in',
    stage: 'full',
    channel: 'wechat',
    amount_cents: 100,
    out_no: 'BU1795000000000001-2',
    channel_no,
    state: 'success',
    created_at: bulks!.created_at,
    updated_at: bulks!.created_at,
  })
  for (const q of [channel_no, `【${channel_no}】`, 'BU1795000000000001-2'])
    expect(await find(q, me.token)).toMatchObject({
      read: 'payment_no',
      list: [{ id: bulks!.id }],
    })
  const [spent] = (
    await database.db.execute<{ code: string; coupon_no: string; id: number }>(
      sql`select g.code, c.coupon_no, o.id from coupon_grant g join coupon c on c.id = g.coupon_id join "order" o on o.order_no = g.order_no where g.status = 'used' order by g.created_at desc limit 1`,
    )
  ).rows
  expect((await find(`优惠券码 ${spent!.code}`, me.token)).list.map(({ id }) => id)).toEqual([
    spent!.id,
  ])
  expect((await find(spent!.coupon_no, me.token)).read).toBe('coupon_no')
  const [place] = await database.db.select().from(store).where(eq(store.id, bulks!.store_id!))
  const there = await find(place!.store_no, me.token)
  expect([there.read, there.list.length > 0]).toEqual(['store_no', true])
})
it('words find no orders here: they would find any', async () => {
  const me = await addStaff(database, { perms: ['order.*'] })
  expect(await find('套餐', me.token)).toEqual({ read: null, list: [] })
})
it('what one may not read is not found, and not told of', async () => {
  const [one] = await database.db.select().from(order).where(eq(order.kind, 'elist')).limit(1)
  const other = one!.city_id === 1 ? 2 : 1
  const [elsewhere, otherList, none] = [
    await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [other] },
    }),
    await addStaff(database, { perms: ['order.bulks.view'] }),
    await addStaff(database, { perms: ['audit.*'] }),
  ]
  for (const { token } of [elsewhere, otherList, none])
    expect((await find(one!.order_no, token)).list).toEqual([])
  expect((await find(one!.order_no, none.token)).read).toBeNull()
})
