import { beforeAll, expect, it } from 'vitest'
import type { Call } from '#src/contract/call.ts'
import { contracts } from '#src/contracts.ts'
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
  const { token } = await addStaff(database, { perms: ['order.*'] })
  const totals = async (q: string | undefined) =>
    Promise.all(
      lists.map(async call => [call.path, (await send(app, call, { q }, { token })).data?.total]),
    )
  expect((await totals(undefined)).filter(([, total]) => total > 0).length).toBeGreaterThan(8)
  for (const q of ['🔥', '———', '***', '\u200b', '\u3164'])
    expect(await totals(q), JSON.stringify(q)).toEqual(lists.map(call => [call.path, 0]))
})
