import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { BANNER_LIVE_MAX } from '#src/areas/content/banner.ts'
import {
  banner as banners,
  banner_city,
  page_link,
  service_contact,
} from '#src/areas/content/content.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { banner } from '#src/modules/system/contract/banner.ts'
import { city as cityCalls } from '#src/modules/system/contract/city.ts'
import { settings } from '#src/modules/system/contract/citySettings.ts'
import { customer } from '#src/modules/system/contract/customer.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { openApp, send, tokenOfAccount } from '../../help/app.ts'
import { without } from '../../help/unguarded.ts'

/**
 * Real concurrency needs a real server: the embedded database has one connection, so nothing in it
 * happens at once.
 */
onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let admin: string
  beforeAll(async () => {
    database = await openCopy({ poolSize: 40 })
    app = await openApp(database)
    admin = await tokenOfAccount(database, 'admin')
    await database.db.insert(upload).values({
      file_key: 'test/race.webp',
      mime: 'image/webp',
      size_bytes: 60_000,
      width: 800,
      height: 400,
      sha256: 'a'.repeat(64),
    })
  })
  const now = unixNow()
  const drafts = async (n: number, city_id: number) => {
    const [link] = await database.db
      .select()
      .from(page_link)
      .where(eq(page_link.path, 'pages/coupon/index'))
      .limit(1)
    const made = await database.db
      .insert(banners)
      .values(
        Array.from({ length: n }, (_, at) => ({
          title: `争抢 ${at}`,
          position: 'home' as const,
          image: 'test/race.webp',
          page_link_id: link!.id,
          start_at: now - 60,
          end_at: now + 86_400,
          status: 'draft' as const,
        })),
      )
      .returning()
    await database.db
      .insert(banner_city)
      .values(made.map((row, sort) => ({ banner_id: row.id, city_id, sort })))
    return made.map(({ id, version }) => ({ id, version }))
  }
  const online = async (city_id: number) =>
    (
      await database.db.execute<{ n: number }>(
        sql`select count(*)::int n from banner b join banner_city c on c.banner_id = b.id where c.city_id = ${city_id} and b.status = 'online'`,
      )
    ).rows[0]!.n

  it('twelve banners go online in an empty place: eight do, four are told that it is full', async () => {
    await database.db.delete(banner_city).where(eq(banner_city.city_id, 8))
    const rows = await drafts(12, 8)
    const said = await Promise.all(rows.map(row => send(app, banner.online, row, { token: admin })))
    expect(said.filter(one => one.status === 200)).toHaveLength(BANNER_LIVE_MAX)
    expect(said.filter(one => one.status !== 200).map(one => one.data.rule)).toEqual(
      Array(4).fill('place_full'),
    )
    expect(await online(8)).toBe(BANNER_LIVE_MAX)
  })
  it('RED TWIN: without the lock of the place more than eight do', async () => {
    const rows = await drafts(BANNER_LIVE_MAX + 1, 9)
    for (const row of rows.slice(0, BANNER_LIVE_MAX - 1))
      expect((await send(app, banner.online, row, { token: admin })).status).toBe(200)
    // Two for the last room: each looks before the other has taken it.
    await without(
      /pg_advisory_xact_lock\(hashtextextended\((\$\d+), 41802\)\)/,
      (_, list) => `length(${list}::text)`,
      () =>
        Promise.all(
          rows
            .slice(BANNER_LIVE_MAX - 1)
            .map(row => send(app, banner.online, row, { token: admin })),
        ),
      /^select "banner"\."id", "banner"\."title"/,
    )
    expect(await online(9)).toBe(BANNER_LIVE_MAX + 1)
  })
  it('two cities become the default: one is', async () => {
    const rows = await database.db
      .select()
      .from(city)
      .where(eq(city.status, 'open'))
      .orderBy(city.id)
    await Promise.all(
      rows
        .slice(1, 5)
        .map(row =>
          send(app, cityCalls.setDefault, { id: row.id, version: row.version }, { token: admin }),
        ),
    )
    expect(
      await database.db.select({ id: city.id }).from(city).where(eq(city.is_default, true)),
    ).toHaveLength(1)
  })
  it('the last two contacts of a scene are switched off: one stays', async () => {
    const rows = await database.db
      .select()
      .from(service_contact)
      .where(sql`scene = 'after_sale' and city_id is null`)
    expect(rows).toHaveLength(2)
    const said = await Promise.all(
      rows.map(row =>
        send(
          app,
          customer.disable,
          { id: row.id, version: row.version, reason: '人员调整' },
          { token: admin },
        ),
      ),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, 422])
    expect(
      await database.db
        .select()
        .from(service_contact)
        .where(sql`scene = 'after_sale' and city_id is null and status = 'on'`),
    ).toHaveLength(1)
  })
  it('two arrange one list: one order is saved whole, the other is told of it', async () => {
    const { data } = await send(
      app,
      settings.getReStoreList,
      { city_id: 1, pageSize: 100 },
      { token: admin },
    )
    const order = data.list.map((row: { id: number }) => row.id) as number[]
    const orders = [[...order].reverse(), [...order.slice(1), order[0]!]]
    const said = await Promise.all(
      orders.map(one =>
        send(
          app,
          settings.sortReStore,
          { city_id: 1, order: one, list_version: data.list_version },
          { token: admin },
        ),
      ),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, 409])
    const winner = orders[said.findIndex(one => one.status === 200)]
    const after = await send(
      app,
      settings.getReStoreList,
      { city_id: 1, pageSize: 100 },
      { token: admin },
    )
    expect(after.data.list.map((row: { id: number }) => row.id)).toEqual(winner)
    expect(said.find(one => one.status === 409)!.data.current.order).toEqual(winner)
  })
})
