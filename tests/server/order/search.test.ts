import { inArray } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import type { Call } from '#src/contract/call.ts'
import { contracts } from '#src/contracts.ts'
import { quickFilters } from '#src/modules/order/contract/shared.ts'
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
const kindOfPage = [
  ['bulks', 'bulks'],
  ['card', 'card'],
  ['combo', 'combo'],
  ['elist', 'elist'],
  ['goods', 'goods'],
  ['pointsShopList', 'points'],
  ['raiseList', 'raise'],
  ['rollBuy', 'roll_buy'],
  ['visitor', 'visitor'],
  ['voucher', 'voucher'],
] as const
/** Every call of the order module that lists by the one search field. */
const lists = Object.entries(contracts)
  .filter(([file]) => file.includes('/modules/order/'))
  .flatMap(([, exported]) => Object.values(exported))
  .flatMap(group => Object.values(group as object) as Call[])
  .filter(
    call =>
      call?.method === 'GET' &&
      /\/(lst|groups|batches)$/.test(call.path) &&
      'q' in ((call.input as { shape?: object }).shape ?? {}),
  )

it('what can’t be read finds nothing, on every list of orders', async () => {
  expect(lists.length).toBeGreaterThanOrEqual(10)
  const { token } = await addStaff(database, { perms: ['order.*', 'ecard.order.*'] })
  const totals = async (q: string | undefined) =>
    Promise.all(
      lists.map(async call => [call.path, (await send(app, call, { q }, { token })).data?.total]),
    )
  expect((await totals(undefined)).filter(([, total]) => total > 0).length).toBeGreaterThan(8)
  for (const q of ['🔥', '———', '***', '\u200b', '\u3164'])
    expect(await totals(q), JSON.stringify(q)).toEqual(lists.map(call => [call.path, 0]))
})

it('a filter of another kind of order finds none of them', async () => {
  const { token } = await addStaff(database, { perms: ['order.*'] })
  const wrong: string[] = []
  let found = 0
  for (const [page, kind] of kindOfPage)
    for (const more of [
      ...Object.keys(quickFilters).map(quick => ({ quick })),
      { points_kind: 'goods' },
      { points_kind: 'coupon' },
    ]) {
      const list = lists.find(call => call.path === `order/${page}/lst`)!
      const said = await send(app, list, { ...more, page: 1, pageSize: 50 }, { token })
      const ids = ((said.data?.list ?? []) as { id: number }[]).map(row => row.id)
      if (said.status !== 200 || ids.length === 0) continue
      found++
      const rows = await database.db
        .select({ kind: order.kind })
        .from(order)
        .where(inArray(order.id, ids))
      if (rows.length !== ids.length || rows.some(row => row.kind !== kind))
        wrong.push(`${page} ${JSON.stringify(more)}`)
    }
  expect(wrong).toEqual([])
  expect(found).toBeGreaterThan(30)
})
