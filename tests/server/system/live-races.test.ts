import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { RECOMMENDED_MAX } from '#src/areas/broadcast/broadcast.ts'
import { live_room, live_subscriber } from '#src/areas/broadcast/live.table.ts'
import {
  embeddedChannel,
  type LiveChannel,
  type RoomWord,
} from '#src/areas/broadcast/liveChannel.server.ts'
import { countLiveClick, sendNotices, syncRooms } from '#src/areas/broadcast/liveRooms.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { live, liveEdit } from '#src/modules/system/contract/live.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { openApp, tokenOfAccount } from '../../help/app.ts'
import { HOUR, liveHelp } from '../../help/live.ts'
import { without } from '../../help/unguarded.ts'

/**
 * Real concurrency needs a real server: the embedded database has one connection, so nothing in it
 * happens at once.
 */
onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let admin: string
  let help: ReturnType<typeof liveHelp>
  beforeAll(async () => {
    database = await openCopy({ poolSize: 40 })
    app = await openApp(database, { demo: { password: 'x', accounts: [] } })
    admin = await tokenOfAccount(database, 'admin')
    help = liveHelp(database, app, () => admin)
  })
  const now = unixNow()
  const install = {
    wechat: null,
    demo: { password: 'x', accounts: [] },
    picture: async () => Buffer.alloc(0),
  }
  const says = (room_no: string, word: RoomWord): LiveChannel => ({
    ...embeddedChannel(now),
    read: async () => new Map([[room_no, word]]),
  })
  const times = (n: number) => Array.from({ length: n }, (_, at) => at)
  const recommended = async (city_id: number) =>
    (
      await database.db.execute<{ n: number }>(
        sql`select count(*)::int n from live_room where city_id = ${city_id} and recommended and not gone`,
      )
    ).rows[0]!.n
  const someRooms = async (n: number) => {
    const item = await help.offer(n)
    await database.db
      .update(live_room)
      .set({ recommended: false })
      .where(eq(live_room.city_id, item.city_id))
    const rooms = []
    for (const _ of times(n)) rooms.push(await help.planned(item, {}, 1))
    return { rooms, city_id: item.city_id }
  }

  it('ten rooms of a city are recommended: three are, seven are told that it is full', async () => {
    const { rooms, city_id } = await someRooms(10)
    const said = await Promise.all(rooms.map(room => help.call(live.setRecommend, room)))
    expect(said.filter(one => one.status !== 200).map(one => one.data.rule)).toEqual(
      Array(10 - RECOMMENDED_MAX).fill('recommended_full'),
    )
    expect(await recommended(city_id)).toBe(RECOMMENDED_MAX)
  })
  it('RED TWIN: without the lock of the city more are', async () => {
    const { rooms, city_id } = await someRooms(4)
    for (const room of rooms.slice(0, 2)) await help.good(live.setRecommend, room)
    await without(
      /pg_advisory_xact_lock\(hashtextextended\((\$\d+), 41802\)\)/,
      (_, list) => `length(${list}::text)`,
      () => Promise.all(rooms.slice(2).map(room => help.call(live.setRecommend, room))),
      /^select "id", "title" from "live_room"/,
    )
    expect(await recommended(city_id)).toBe(RECOMMENDED_MAX + 1)
  })
  it('six sessions of one host at one time are submitted: one is', async () => {
    const host_id = await help.host()
    const at = { host_id, start_at: now + 5 * HOUR, end_at: now + 7 * HOUR }
    const drafts = []
    for (const _ of times(6)) drafts.push(await help.draft(await help.offer(), at, 1))
    const said = await Promise.all(drafts.map(room => help.call(liveEdit.submit, room)))
    expect(said.map(one => one.data.rule ?? 'done').sort()).toEqual([
      'done',
      ...Array(5).fill('host_busy'),
    ])
  })
  it('RED TWIN: without the host’s row held, more than one is', async () => {
    const host_id = await help.host()
    const at = { host_id, start_at: now + 5 * HOUR, end_at: now + 7 * HOUR }
    const drafts = [
      await help.draft(await help.offer(), at, 1),
      await help.draft(await help.offer(), at, 1),
    ]
    const said = await without(
      /(from "live_host" where "live_host"."id" = \$\d+) for no key update/,
      (_, query) => query!,
      () => Promise.all(drafts.map(room => help.call(liveEdit.submit, room))),
      /^select "title", "start_at", "end_at" from "live_room"/,
    )
    expect(said.filter(one => one.status === 200)).toHaveLength(2)
  })
  it('five rooms want 30 of 100 pieces: three get them, and no more is held', async () => {
    const item = await help.offer(100)
    const drafts = []
    for (const _ of times(5)) drafts.push(await help.draft(item, {}, 30))
    const said = await Promise.all(drafts.map(room => help.call(liveEdit.submit, room)))
    expect(said.filter(one => one.status === 200)).toHaveLength(3)
    expect(await help.heldOf(item.id)).toBe(90)
  })
  it('eight people cancel a room, and one deletes it: one does, and its stock comes back once', async () => {
    const item = await help.offer(50)
    const other = await help.planned(item, {}, 10)
    const room = await help.planned(item, {}, 20)
    await database.db
      .insert(live_subscriber)
      .values([3, 4, 5].map(member_id => ({ live_room_id: room.id, member_id })))
    const said = await Promise.all(
      times(8).map(() => help.call(live.cancel, { ...room, reason: '一起取消' })),
    )
    expect(said.filter(one => one.status === 200)).toHaveLength(1)
    for (const lost of said.filter(one => one.status !== 200))
      expect([409, 422]).toContain(lost.status)
    expect([await help.heldOf(item.id), await help.left(other.id)]).toEqual([10, 10])
    expect(
      (
        await database.db
          .select()
          .from(live_subscriber)
          .where(eq(live_subscriber.live_room_id, room.id))
      ).map(one => one.notice),
    ).toEqual(['queued', 'queued', 'queued'])
  })
  it('four processes send what is queued: everybody is told once', async () => {
    const sent: string[] = []
    const { createServer } = await import('node:http')
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', part => {
        body += part
      })
      request.on('end', () => {
        sent.push((JSON.parse(body) as { to: string[] }).to[0]!)
        response.end('ok')
      })
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const gateways = {
      robot: null,
      mail: null,
      sms: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    }
    const {
      rows: [queued],
    } = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from live_subscriber where notice = 'queued'`,
    )
    await Promise.all(times(4).map(() => sendNotices(database.db, { gateways }, now)))
    server.close()
    expect([queued!.n > 3, sent.length]).toEqual([true, queued!.n])
  })
  it('a room is made by the channel once, however many ask it', async () => {
    await help.planned(await help.offer(), {}, 1)
    await syncRooms(database.db, install, now, says('', { state: 'planned' }))
    const room = await help.planned(await help.offer(), {}, 1)
    const made: number[] = []
    const channel: LiveChannel = {
      ...says('', { state: 'planned' }),
      create: async plan => {
        made.push(plan.id)
        await new Promise(done => setTimeout(done, 50))
        return `ONCE${plan.id}`
      },
    }
    await Promise.all(times(5).map(() => syncRooms(database.db, install, now, channel)))
    expect(made).toEqual([room.id])
  })
  it('it ends while twenty buy: what is held is exactly what was ordered, and nothing is left reserved', async () => {
    for (let round = 0; round < 4; round++) {
      const item = await help.offer(200)
      const room = await help.planned(item, {}, 30)
      const no = `RACE${room.id}`
      await database.db
        .update(live_room)
        .set({ room_no: no, todo: null })
        .where(eq(live_room.id, room.id))
      await syncRooms(database.db, install, now, says(no, { state: 'living' }))
      for (const member_id of times(20))
        await countLiveClick(database.db, {
          live_room_id: room.id,
          product_id: item.id,
          member_id: member_id + 3,
          now,
        })
      const bought = await Promise.all([
        ...times(20).map(member =>
          database.transaction(tx =>
            placeOrder(tx, {
              proved: true,
              product_id: item.id,
              member_id: member + 3,
              qty: 1,
              now,
            }),
          ),
        ),
        ...times(3).map(() =>
          syncRooms(database.db, install, now, says(no, { state: 'ended' })).then(() => undefined),
        ),
      ])
      expect(
        bought.filter(one => one !== undefined).every(one => one.live_room_id === room.id),
      ).toBe(true)
      expect([
        await help.heldOf(item.id),
        await help.left(room.id),
        (await help.readRoom(room.id)).state,
      ]).toEqual([20, 0, 'ended'])
    }
  })
})
