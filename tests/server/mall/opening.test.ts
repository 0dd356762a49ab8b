import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { mall } from '#src/areas/place/place.table.ts'
import { opening } from '#src/modules/mall/contract/opening.ts'
import { tuan } from '#src/modules/mall/contract/recommend.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenOfAccount } from '../../help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
})
const opensOn = async (block: string, token: string): Promise<number | null> =>
  (await send(app, opening.mall, { block }, { token })).data.mid

it('a board opens on a mall that has something to choose from, among my own', async () => {
  const admin = await tokenOfAccount(database, 'admin')
  const mid = await opensOn('group', admin)
  const { total } = (
    await send(
      app,
      tuan.listRecommends,
      { mid, block: 'group', is_recommend: false },
      { token: admin },
    )
  ).data
  expect(total).toBeGreaterThan(0)
  const manager = await addStaff(database, {
    perms: ['mall.*'],
    role: { scope_type: 'city', scope_ids: [2] },
  })
  const [theirs] = await database.db
    .select({ city_id: mall.city_id, status: mall.status })
    .from(mall)
    .where(eq(mall.id, (await opensOn('shop', manager.token))!))
  expect(theirs).toEqual({ city_id: 2, status: 'online' })
})
it('where nothing is on sale there is none to open on', async () => {
  const nobody = await addStaff(database, {
    perms: ['mall.*'],
    role: { scope_type: 'mall', scope_ids: [] },
  })
  expect(await opensOn('group', nobody.token)).toBeNull()
  const admin = await tokenOfAccount(database, 'admin')
  await database.db.execute(sql`update store set status = 'closed'`)
  expect(await opensOn('shop', admin)).toBeNull()
})
