import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { live_product, live_room, live_subscriber } from '#src/areas/broadcast/live.table.ts'
import {
  embeddedChannel,
  wechatChannel,
  type LiveChannel,
  type RoomWord,
} from '#src/areas/broadcast/liveChannel.server.ts'
import { countLiveClick, sendNotices, syncRooms } from '#src/areas/broadcast/liveRooms.server.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { live, liveEdit } from '#src/modules/system/contract/live.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { HOUR, liveHelp, pictures } from '../../help/live.ts'
import { refundUnused } from '../../help/orders.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let help: ReturnType<typeof liveHelp>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { demo: { password: 'x', accounts: [] } })
  me = await addStaff(database, { perms: ['*'] })
  help = liveHelp(database, app, () => me.token)
})
afterEach(() => vi.unstubAllGlobals())
const now = unixNow()
const fieldsOf = (said: { data: any }) => Object.keys(said.data.fields ?? {})
const install = {
  wechat: null,
  demo: { password: 'x', accounts: [] },
  picture: async () => Buffer.alloc(0),
}
/** A channel that says what it is told to say. */
const says = (words: Record<string, RoomWord>): LiveChannel => ({
  ...embeddedChannel(now),
  read: async rooms =>
    new Map(
      rooms.flatMap(room =>
        words[room.room_no] ? [[room.room_no, words[room.room_no]!] as const] : [],
      ),
    ),
})
const sync = (channel: LiveChannel, at = now) => syncRooms(database.db, install, at, channel)
/** A planned room that the channel has made. */
const known = async (stock = 20, more: object = {}) => {
  const item = await help.offer()
  const room = await help.planned(item, more, stock)
  await sync(says({}))
  const { room_no, version } = await help.readRoom(room.id)
  return { item, id: room.id, version, room_no }
}
const goLive = async (stock = 20) => {
  const room = await known(stock)
  await sync(says({ [room.room_no]: { state: 'living', viewers: 120, peak: 40 } }))
  return { ...room, version: (await help.readRoom(room.id)).version }
}

describe('a plan', () => {
  it('has a title of 3 to 17 Chinese characters, a time 10 minutes to 6 months ahead of 30 minutes to 24 hours, and says at the field what is wrong', async () => {
    const plan = await help.plan(1)
    const faults = async (more: object) =>
      fieldsOf(await help.call(liveEdit.save, { ...plan, ...more }))
    expect(await faults({ title: '周年' })).toEqual(['title'])
    expect(await faults({ title: '一'.repeat(18) })).toEqual(['title'])
    expect(await faults({ start_at: now + 300 })).toEqual(['start_at'])
    expect(
      await faults({ start_at: now + 200 * 86_400, end_at: now + 200 * 86_400 + HOUR }),
    ).toEqual(['start_at'])
    expect(await faults({ end_at: plan.start_at + 1700 })).toEqual(['end_at'])
    expect(await faults({ end_at: plan.start_at + 25 * HOUR })).toEqual(['end_at'])
    expect(await faults({ mid: 1_999_999 })).toEqual(['mid'])
  })
  it('is hosted by a verified account that is on', async () => {
    const [unverified, off] = [
      await help.host({ verified: false }),
      await help.host({ status: 'off' }),
    ]
    for (const host_id of [unverified, off, 1_999_999])
      expect(fieldsOf(await help.call(liveEdit.save, await help.plan(1, { host_id })))).toEqual([
        'host_id',
      ])
  })
  it('has pictures that were uploaded, in their ratio and size', async () => {
    await database.db
      .insert(upload)
      .values([
        {
          file_key: 'test/big.webp',
          mime: 'image/webp',
          size_bytes: 101 * 1024,
          width: 800,
          height: 800,
          sha256: 'b'.repeat(64),
        },
      ])
      .onConflictDoNothing()
    const said = await help.call(
      liveEdit.save,
      await help.plan(1, {
        cover: 'test/big.webp',
        share_image: pictures.cover,
        background: 'nothing/there.webp',
      }),
    )
    expect(said.data.fields).toEqual({
      cover: expect.stringContaining('100 KB'),
      share_image: expect.stringContaining('5:4'),
      background: expect.stringContaining('上传'),
    })
  })
  it('saved by somebody else meanwhile is a conflict', async () => {
    const plan = await help.plan(1)
    const room = await help.good(liveEdit.save, plan)
    await help.good(liveEdit.save, { ...plan, ...room, title: '先改的人' })
    expect((await help.call(liveEdit.save, { ...plan, ...room, title: '后改的人' })).status).toBe(
      409,
    )
  })
})

describe('a shelf', () => {
  it('takes no product that waits for its audit, is off shelf, of another city, or of a kind with variants', async () => {
    const item = await help.offer()
    const room = await help.good(liveEdit.save, await help.plan(item.city_id))
    const refused = async (set: Partial<typeof product.$inferInsert>) => {
      const other = await help.offer()
      await database.db.update(product).set(set).where(eq(product.id, other.id))
      return (await help.call(liveEdit.addProducts, { ...room, product_ids: [other.id] })).message
    }
    expect(await refused({ state: 'auditing' })).toContain('待审核')
    expect(await refused({ state: 'off_sale' })).toContain('已下架')
    expect(await refused({ city_id: item.city_id + 1 })).toContain('城市')
    expect(await refused({ kind: 'elist' })).toContain('团购')
    expect(await refused({ held: 50 })).toContain('售罄')
    const {
      rows: [inAudit],
    } = await database.db.execute<{ id: number; city_id: number }>(
      sql`select p.id, p.city_id from product p join product_version v on v.product_id = p.id and v.state = 'auditing' where p.state = 'on_sale' and p.kind = 'bulks' limit 1`,
    )
    const there = await help.good(liveEdit.save, await help.plan(inAudit!.city_id))
    expect(
      (await help.call(liveEdit.addProducts, { ...there, product_ids: [inAudit!.id] })).message,
    ).toContain('待审核')
  })
  it('holds 200 products at most', async () => {
    const item = await help.offer()
    const room = await help.good(liveEdit.save, await help.plan(item.city_id))
    const { id: _, ...like } = item
    const many = await database.db
      .insert(product)
      .values(Array.from({ length: 200 }, () => ({ ...like, state: 'draft' as const })))
      .returning({ id: product.id })
    await database.db.insert(live_product).values(
      many.map((one, sort) => ({
        live_room_id: room.id,
        product_id: one.id,
        sort,
        price_cents: 100,
        stock: 1,
        remaining: 0,
      })),
    )
    expect(
      (await help.call(liveEdit.addProducts, { ...room, product_ids: [item.id] })).data.rule,
    ).toBe('shelf_full')
    await database.db.execute(
      sql`delete from live_product where live_room_id = ${room.id} and sort = (select max(sort) from live_product where live_room_id = ${room.id})`,
    )
    expect(
      (await help.call(liveEdit.addProducts, { ...room, product_ids: [item.id] })).status,
    ).toBe(200)
  })
  it('has a live price above 0 and not above the normal one, and live stock that is there', async () => {
    const item = await help.offer(50)
    const room = await help.draft(item)
    const faults = async (price_cents: number, stock: number) =>
      fieldsOf(
        await help.call(liveEdit.setLivePrice, {
          ...room,
          product_id: item.id,
          price_cents,
          stock,
        }),
      )
    expect([
      await faults(0, 10),
      await faults(item.price_cents + 1, 10),
      await faults(100, 51),
      await faults(100, 0),
    ]).toEqual([['price_cents'], ['price_cents'], ['stock'], ['stock']])
    expect(await faults(item.price_cents, 50)).toEqual([])
  })
  it('is arranged from the order it has, and from no other', async () => {
    const items = [await help.offer(), await help.offer(), await help.offer()]
    let room = await help.good(liveEdit.save, await help.plan(items[0]!.city_id))
    room = await help.good(liveEdit.addProducts, { ...room, product_ids: items.map(one => one.id) })
    const { list, list_version } = await help.good<{
      list: { id: number }[]
      list_version: number
    }>(live.shelf, { id: room.id })
    expect(list.map(one => one.id)).toEqual(items.map(one => one.id))
    const order = items.map(one => one.id).reverse()
    expect(
      (await help.call(liveEdit.sortProducts, { id: room.id, order: order.slice(1), list_version }))
        .status,
    ).toBe(400)
    await help.good(liveEdit.sortProducts, { id: room.id, order, list_version })
    expect(
      (await help.good<{ list: { id: number }[] }>(live.shelf, { id: room.id })).list.map(
        one => one.id,
      ),
    ).toEqual(order)
    expect(
      (
        await help.call(liveEdit.sortProducts, {
          id: room.id,
          order: items.map(one => one.id),
          list_version,
        })
      ).status,
    ).toBe(409)
  })
})

describe('submitted', () => {
  it('a room lacks nothing: pictures, products that still sell, a platform that takes it', async () => {
    const item = await help.offer()
    const bare = await help.good(
      liveEdit.save,
      await help.plan(item.city_id, { cover: '', background: '' }),
    )
    expect(fieldsOf(await help.call(liveEdit.submit, bare))).toEqual(['cover', 'background'])
    const empty = await help.good(liveEdit.save, await help.plan(item.city_id))
    expect((await help.call(liveEdit.submit, empty)).data.rule).toBe('shelf_empty')
    const room = await help.draft(item)
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, item.id))
    expect((await help.call(liveEdit.submit, room)).message).toContain('已下架')
    const none = await openApp(database)
    expect((await send(none, liveEdit.submit, room, { token: me.token })).data.rule).toBe(
      'no_channel',
    )
    const wechat = await openApp(database, { wechat: { appid: 'wx0123456789abcdef', secret: 's' } })
    const video = await help.draft(await help.offer(), { channel: 'video_account' })
    expect(fieldsOf(await send(wechat, liveEdit.submit, video, { token: me.token }))).toEqual([
      'channel',
    ])
  })
  it('reserves its stock; what another room or buyer has is not there twice', async () => {
    const item = await help.offer(50)
    const [first, second] = [await help.planned(item, {}, 30), await help.draft(item, {}, 20)]
    expect(await help.heldOf(item.id)).toBe(30)
    await database.db
      .update(live_product)
      .set({ stock: 21 })
      .where(eq(live_product.live_room_id, second.id))
    expect((await help.call(liveEdit.submit, second)).status).toBe(422)
    expect([await help.heldOf(item.id), (await help.readRoom(second.id)).state]).toEqual([
      30,
      'draft',
    ])
    // More, less, gone: the reserve follows the shelf.
    const more = await help.good(liveEdit.setLivePrice, {
      ...first,
      product_id: item.id,
      price_cents: 100,
      stock: 45,
    })
    expect(await help.heldOf(item.id)).toBe(45)
    const other = await help.offer(9)
    const both = await help.good(liveEdit.addProducts, { ...more, product_ids: [other.id] })
    expect(await help.heldOf(other.id)).toBe(9)
    const one = await help.good(liveEdit.removeProduct, { ...both, product_id: item.id })
    expect([
      await help.heldOf(item.id),
      (await help.call(liveEdit.removeProduct, { ...one, product_id: other.id })).data.rule,
    ]).toEqual([0, 'shelf_empty'])
  })
  it('its host has no other session at that time', async () => {
    const host_id = await help.host()
    const at = { host_id, start_at: now + 5 * HOUR, end_at: now + 7 * HOUR }
    await help.planned(await help.offer(), at)
    const over = await help.draft(await help.offer(), {
      ...at,
      start_at: now + 6 * HOUR,
      end_at: now + 8 * HOUR,
    })
    expect((await help.call(liveEdit.submit, over)).data.rule).toBe('host_busy')
    const after = await help.planned(await help.offer(), {
      ...at,
      start_at: now + 7 * HOUR,
      end_at: now + 9 * HOUR,
    })
    const plan = await help.plan((await help.readRoom(after.id)).city_id, {
      ...at,
      start_at: now + 6 * HOUR,
      end_at: now + 9 * HOUR,
    })
    expect((await help.call(liveEdit.save, { ...plan, ...after })).data.rule).toBe('host_busy')
  })
})

describe('what the channel says', () => {
  it('alone makes a room live and ends it; its reserve is given back once, and it leaves the recommended', async () => {
    const room = await known(20)
    expect(room.room_no).toMatch(/^DEMO/)
    const recommended = await help.good(live.setRecommend, { id: room.id, version: room.version })
    await sync(says({ [room.room_no]: { state: 'living', viewers: 120, peak: 40 } }))
    expect(await help.readRoom(room.id)).toMatchObject({
      state: 'living',
      viewers: 120,
      peak: 40,
      version: recommended.version + 1,
      synced_at: now,
    })
    expect(await help.heldOf(room.item.id)).toBe(20)
    for (const word of [
      { state: 'ended' as const, viewers: 300, peak: 30 },
      { state: 'ended' as const },
      { state: 'living' as const },
    ])
      await sync(says({ [room.room_no]: word }), now + 60)
    expect(await help.readRoom(room.id)).toMatchObject({
      state: 'ended',
      viewers: 300,
      peak: 40,
      recommended: false,
      replay_state: 'none',
    })
    expect(await help.heldOf(room.item.id)).toBe(0)
    const lines = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'live_room'),
          eq(op_log.object_id, room.id),
          eq(op_log.action, 'system.live.channel'),
        ),
      )
      .orderBy(op_log.id)
    expect(lines.map(line => [line.admin_name, (line.after as { state: string }).state])).toEqual([
      [systemName, 'living'],
      [systemName, 'ended'],
    ])
  })
  it('when it fails, rooms keep what they had, with the time and the reason', async () => {
    const room = await goLive()
    const down: LiveChannel = {
      ...embeddedChannel(now),
      read: async () => {
        throw new Error('socket hang up: secret')
      },
    }
    const failed = joined(['渠道没有成功应答', 'The channel did not answer'])
    expect(await sync(down, now + 500)).toMatchObject({ failed })
    expect(await help.readRoom(room.id)).toMatchObject({
      state: 'living',
      viewers: 120,
      synced_at: now,
      sync_failed_at: now + 500,
      sync_error: failed,
    })
    await sync(says({ [room.room_no]: { state: 'living', viewers: 130 } }), now + 600)
    expect(await help.readRoom(room.id)).toMatchObject({
      viewers: 130,
      synced_at: now + 600,
      sync_error: null,
    })
  })
  it('a room it has yet to hear of is told again until it has', async () => {
    const room = await help.planned(await help.offer())
    await sync({
      ...embeddedChannel(now),
      create: async () => {
        throw new Error('no')
      },
    })
    expect(await help.readRoom(room.id)).toMatchObject({
      room_no: '',
      todo: 'create',
      todo_until: null,
      sync_failed_at: now,
    })
    await sync(says({}))
    expect(await help.readRoom(room.id)).toMatchObject({
      room_no: expect.stringMatching(/^DEMO/),
      todo: null,
    })
  })
  it('of one cancelled while the channel made it, it is told to delete it', async () => {
    const room = await help.planned(await help.offer())
    const removed: string[] = []
    const channel: LiveChannel = {
      ...says({}),
      create: async plan => {
        await help.good(live.cancel, { ...room, reason: '临时取消' })
        return `LATE${plan.id}`
      },
      remove: async plan => void removed.push(plan.room_no),
    }
    await sync(channel)
    expect(await help.readRoom(room.id)).toMatchObject({
      state: 'cancelled',
      room_no: `LATE${room.id}`,
      todo: 'delete',
    })
    await sync(channel)
    expect([removed, (await help.readRoom(room.id)).todo]).toEqual([[`LATE${room.id}`], null])
  })
  it('time, host, channel and place are locked while it is live; the rest is not', async () => {
    const room = await goLive()
    const was = await help.readRoom(room.id)
    const plan = {
      id: room.id,
      version: room.version,
      title: '直播中改标题',
      channel: was.channel,
      host_id: was.host_id,
      ...pictures,
      start_at: was.start_at,
      end_at: was.end_at,
      city_id: was.city_id,
    }
    expect(
      fieldsOf(
        await help.call(liveEdit.save, {
          ...plan,
          start_at: was.start_at + 60,
          end_at: was.end_at + 60,
          host_id: await help.host(),
          channel: 'video_account',
        }),
      ).sort(),
    ).toEqual(['channel', 'end_at', 'host_id', 'start_at'])
    expect((await help.call(liveEdit.save, plan)).status).toBe(200)
  })
  it('a product is shown only while it is live, and only one of its shelf', async () => {
    const waiting = await known()
    expect(
      (
        await help.call(live.pushProduct, {
          id: waiting.id,
          version: waiting.version,
          product_id: waiting.item.id,
        })
      ).data.rule,
    ).toBe('wrong_state')
    const room = await goLive()
    expect(
      (
        await help.call(live.pushProduct, {
          id: room.id,
          version: room.version,
          product_id: waiting.item.id,
        })
      ).data.rule,
    ).toBe('not_on_shelf')
    await help.good(live.pushProduct, {
      id: room.id,
      version: room.version,
      product_id: room.item.id,
    })
    expect(
      (await help.good<{ list: { explained_at: number }[] }>(live.shelf, { id: room.id })).list[0]!
        .explained_at,
    ).toBeGreaterThanOrEqual(now)
  })
  it('a replay is published when it is over and its file is there; hidden with a reason', async () => {
    const room = await goLive()
    await sync(says({ [room.room_no]: { state: 'ended' } }))
    let at = await help.readRoom(room.id)
    expect(
      (await help.call(live.publishReplay, { id: at.id, version: at.version })).data.rule,
    ).toBe('wrong_state')
    await sync(
      says({ [room.room_no]: { state: 'ended', replay_url: 'https://replay.example/1.m3u8' } }),
    )
    at = await help.readRoom(room.id)
    const published = await help.good(live.publishReplay, { id: at.id, version: at.version })
    await help.good(live.setRecommend, published)
    expect((await help.row(at.id, 'replay'))!.replay_state).toBe('published')
    await help.good(live.hideReplay, {
      id: at.id,
      version: published.version + 1,
      reason: '画面有误',
    })
    expect(await help.readRoom(at.id)).toMatchObject({ replay_state: 'hidden', recommended: false })
  })
})

describe('a cancelled room', () => {
  it('gives its stock back, and its subscribers are told once, where there is a way to tell them', async () => {
    const room = await known(20)
    await database.db
      .insert(live_subscriber)
      .values([3, 4, 5].map(member_id => ({ live_room_id: room.id, member_id })))
    expect(
      (
        await help.good<{ told: number }>(live.cancel, {
          id: room.id,
          version: room.version,
          reason: '主播生病',
        })
      ).told,
    ).toBe(3)
    expect(await help.heldOf(room.item.id)).toBe(0)
    expect(
      (await help.call(live.cancel, { id: room.id, version: room.version + 1, reason: '再取消' }))
        .data.rule,
    ).toBe('wrong_state')
    expect(
      await sendNotices(database.db, { gateways: { robot: null, mail: null, sms: null } }, now),
    ).toBe(0)
    expect((await help.row(room.id, 'cancelled'))!.notices).toMatchObject({ queued: 3 })
    // A gateway that nobody answers at is asked once, and nothing is lost by it.
    const dead = vi.fn(async () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    })
    vi.stubGlobal('fetch', dead)
    expect([
      await sendNotices(
        database.db,
        { gateways: { robot: null, mail: null, sms: 'https://sms.example/' } },
        now,
      ),
      dead.mock.calls.length,
    ]).toEqual([0, 1])
    expect((await help.row(room.id, 'cancelled'))!.notices).toMatchObject({ queued: 3 })
    const sent: string[] = []
    vi.stubGlobal('fetch', async (_: string, init: { body: string }) => {
      sent.push(init.body)
      return new Response(sent.length % 3 === 2 ? 'no' : 'ok', {
        status: sent.length % 3 === 2 ? 500 : 200,
      })
    })
    const gateways = { robot: null, mail: null, sms: 'https://sms.example/' }
    await sendNotices(database.db, { gateways }, now)
    await sendNotices(database.db, { gateways }, now)
    const mine = sent.filter(body => body.includes('主播生病'))
    expect([mine.length, mine[0]!.includes('测试直播间')]).toEqual([3, true])
    const states = await database.db
      .select({ notice: live_subscriber.notice })
      .from(live_subscriber)
      .where(eq(live_subscriber.live_room_id, room.id))
    expect(states.every(one => one.notice === 'sent' || one.notice === 'failed')).toBe(true)
  })
  it('was planned: no other can be cancelled, and only one that has not begun deleted', async () => {
    const [draft, on] = [await help.draft(await help.offer()), await goLive()]
    expect((await help.call(live.cancel, { ...draft, reason: '不要了' })).data.rule).toBe(
      'wrong_state',
    )
    expect(
      (await help.call(live.cancel, { id: on.id, version: on.version, reason: '不要了' })).data
        .rule,
    ).toBe('wrong_state')
    expect((await help.call(live.del, { id: on.id, version: on.version })).data.rule).toBe(
      'wrong_state',
    )
    expect((await help.call(live.del, draft)).status).toBe(200)
    expect(await help.row(draft.id, 'draft')).toBeUndefined()
    const room = await known(20)
    await database.db.insert(live_subscriber).values({ live_room_id: room.id, member_id: 3 })
    expect((await help.call(live.del, { id: room.id, version: room.version })).data.rule).toBe(
      'subscribed',
    )
    await database.db.delete(live_subscriber).where(eq(live_subscriber.live_room_id, room.id))
    await help.good(live.del, { id: room.id, version: room.version })
    expect([await help.heldOf(room.item.id), (await help.readRoom(room.id)).todo]).toEqual([
      0,
      'delete',
    ])
  })
})

describe('an order', () => {
  const buy = (product_id: number, member_id: number, at: number, qty = 1) =>
    database.transaction(tx =>
      placeOrder(tx, { proved: true, product_id, member_id, qty, now: at }),
    )
  it('takes the room’s price and stock while it is live, and is the room’s within 24 hours of the click', async () => {
    const room = await goLive(20)
    const click = (member_id: number, at: number) =>
      countLiveClick(database.db, {
        live_room_id: room.id,
        product_id: room.item.id,
        member_id,
        now: at,
      })
    await click(11, now - 60)
    await click(12, now - 86_401)
    const [own, old, none] = [
      await buy(room.item.id, 11, now, 2),
      await buy(room.item.id, 12, now),
      await buy(room.item.id, 13, now),
    ]
    expect([own.live_room_id, own.source, own.pay_cents]).toEqual([room.id, 'live', 200])
    expect([old.live_room_id, old.pay_cents, none.live_room_id]).toEqual([
      null,
      room.item.price_cents,
      null,
    ])
    // 20 reserved, two of them now held for the order; two more from outside.
    expect([await help.left(room.id), await help.heldOf(room.item.id)]).toEqual([18, 22])
    await database.transaction(tx => payOrder(tx, own.id, now))
    expect(await help.heldOf(room.item.id)).toBe(20)
    await sync(says({ [room.room_no]: { state: 'ended' } }))
    expect(await help.heldOf(room.item.id)).toBe(2)
    const late = await buy(room.item.id, 11, now + 1000)
    expect([late.live_room_id, late.pay_cents]).toEqual([room.id, room.item.price_cents])
  })
  it('beyond the room’s stock has the normal price', async () => {
    const room = await goLive(1)
    await countLiveClick(database.db, {
      live_room_id: room.id,
      product_id: room.item.id,
      member_id: 11,
      now,
    })
    const two = await buy(room.item.id, 11, now, 2)
    expect([two.live_room_id, two.pay_cents, await help.left(room.id)]).toEqual([
      room.id,
      2 * room.item.price_cents,
      1,
    ])
  })
  it('is counted in the results: paid orders, what they paid, what went back', async () => {
    const room = await goLive(20)
    for (const member_id of [21, 22, 23])
      await countLiveClick(database.db, {
        live_room_id: room.id,
        product_id: room.item.id,
        member_id,
        now,
      })
    const [a, b] = [
      await buy(room.item.id, 21, now),
      await buy(room.item.id, 22, now),
      await buy(room.item.id, 23, now),
    ]
    for (const one of [a, b]) await database.transaction(tx => payOrder(tx, one.id, now))
    await refundUnused(database, { order_id: a.id, reason: '不想要了', now })
    expect(await help.row(room.id, 'living')).toMatchObject({
      product_clicks: 3,
      paid_orders: 2,
      gmv_cents: 200,
      refund_bp: 5000,
      viewers: 120,
      peak: 40,
    })
    expect(
      (await help.good<{ list: { clicks: number; sold: number }[] }>(live.shelf, { id: room.id }))
        .list[0],
    ).toMatchObject({ clicks: 3, sold: 2 })
  })
})

it('at most three rooms of a city are recommended', async () => {
  const item = await help.offer()
  await database.db
    .update(live_room)
    .set({ recommended: false })
    .where(eq(live_room.city_id, item.city_id))
  const rooms = [
    await help.planned(item, {}, 1),
    await help.planned(item, {}, 1),
    await help.planned(item, {}, 1),
    await help.planned(item, {}, 1),
  ]
  for (const room of rooms.slice(0, 3)) await help.good(live.setRecommend, room)
  const full = await help.call(live.setRecommend, rooms[3]!)
  expect([full.data.rule, full.data.taken.length]).toEqual(['recommended_full', 3])
  await help.good(live.cancelRecommend, { id: rooms[0]!.id, version: rooms[0]!.version + 1 })
  expect((await help.call(live.setRecommend, rooms[3]!)).status).toBe(200)
})
it('who manages other cities sees none of it, and can do nothing to it', async () => {
  const room = await known()
  const { city_id } = await help.readRoom(room.id)
  const other = await addStaff(database, {
    perms: ['system.live.*'],
    role: { scope_type: 'city' },
    staff: { scope_type: 'city', scope_ids: [city_id + 1] },
  })
  const seen = (await help.call(live.lst, { tab: 'planned', pageSize: 200 }, other.token)).data
    .list as { city_id: number }[]
  expect(seen.every(one => one.city_id === city_id + 1)).toBe(true)
  for (const [what, input] of [
    [live.cancel, { reason: '取消它' }],
    [liveEdit.submit, {}],
    [live.del, {}],
  ] as const)
    expect(
      (await help.call(what, { id: room.id, version: room.version, ...input }, other.token)).status,
    ).toBe(404)
  expect((await help.call(liveEdit.detail, { id: room.id }, other.token)).status).toBe(404)
  expect(fieldsOf(await help.call(liveEdit.save, await help.plan(city_id), other.token))).toContain(
    'city_id',
  )
})
it('tabs and filters find what they say, and the export has as many rows', async () => {
  const counts = (await help.good<{ counts: Record<string, number> }>(live.counts, {})).counts
  for (const tab of ['planned', 'living', 'ended', 'replay', 'draft', 'cancelled']) {
    const { list, total } = await help.good<{
      list: { state: string; replay_state: string; city_id: number; host_id: number }[]
      total: number
    }>(live.lst, { tab, pageSize: 200 })
    expect([tab, total]).toEqual([tab, counts[tab]])
    for (const one of list)
      expect(tab === 'replay' ? one.replay_state !== 'none' : one.state === tab).toBe(true)
    const { city_id, host_id } = list[0]!
    for (const one of (await help.good<{ list: typeof list }>(live.lst, { tab, city_id, host_id }))
      .list)
      expect([one.city_id, one.host_id]).toEqual([city_id, host_id])
  }
  expect(
    (await help.good<{ rows_expected: number }>(live.export, { tab: 'ended' })).rows_expected,
  ).toBe(counts['ended'])
})
it('demo rooms hold exactly what their shelves have left, and their results are their orders', async () => {
  const {
    rows: [off],
  } = await database.db.execute<{ n: number }>(
    sql`select count(*)::int n from live_product l join live_room r on r.id = l.live_room_id where l.remaining > 0 and r.state not in ('planned', 'living')`,
  )
  const {
    rows: [wrong],
  } = await database.db.execute<{ n: number }>(
    sql`select count(*)::int n from "order" o where o.live_room_id <= 28 and not exists (select 1 from live_click c where c.live_room_id = o.live_room_id and c.member_id = o.member_id and c.at between o.created_at - 86400 and o.created_at)`,
  )
  expect([off!.n, wrong!.n]).toEqual([0, 0])
})

describe('WeChat', () => {
  const room = {
    id: 7,
    title: '周五夜宵专场',
    room_no: '',
    host_name: '小满探店',
    host_wechat: 'wx_host_001',
    cover: 'c',
    share_image: 's',
    background: 'b',
    start_at: 1_900_000_000,
    end_at: 1_900_007_200,
    comments_on: false,
    goods_on: true,
  }
  const asked: { path: string; query: Record<string, string>; body: any }[] = []
  /** Answers as WeChat's documents show them. */
  const wechat = async (answers: Record<string, (body: any) => object>) => {
    asked.length = 0
    await database.db.delete(setting).where(inArray(setting.key, ['wechat.access_token']))
    vi.stubGlobal('fetch', async (address: string, init?: { body?: string | FormData }) => {
      const url = new URL(address)
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body
      asked.push({ path: url.pathname, query: Object.fromEntries(url.searchParams), body })
      return Response.json(
        url.pathname === '/cgi-bin/token'
          ? { access_token: 'T', expires_in: 7200 }
          : answers[url.pathname]!(body),
      )
    })
    const sharp = (await import('sharp')).default
    const drawn = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .webp()
      .toBuffer()
    return wechatChannel(
      database.db,
      { appid: 'wx0123456789abcdef', secret: 's', api: 'https://api.weixin.qq.com' },
      async () => drawn,
      now,
    )
  }
  it('is asked to make a room as its live interface takes it, its pictures as JPEG media', async () => {
    let media = 0
    const channel = await wechat({
      '/cgi-bin/media/upload': () => ({ media_id: `M${++media}` }),
      '/wxaapi/broadcast/room/create': () => ({ errcode: 0, roomId: 33 }),
    })
    expect(await channel.create(room)).toBe('33')
    expect(asked.map(one => one.path)).toEqual([
      '/cgi-bin/token',
      '/cgi-bin/media/upload',
      '/cgi-bin/media/upload',
      '/cgi-bin/media/upload',
      '/wxaapi/broadcast/room/create',
    ])
    expect([asked[1]!.query, (asked[1]!.body.get('media') as File).type]).toEqual([
      { access_token: 'T', type: 'image' },
      'image/jpeg',
    ])
    expect(asked[4]!.body).toEqual({
      name: '周五夜宵专场',
      coverImg: 'M1',
      shareImg: 'M2',
      feedsImg: 'M3',
      startTime: 1_900_000_000,
      endTime: 1_900_007_200,
      anchorName: '小满探店',
      anchorWechat: 'wx_host_001',
      isFeedsPublic: 1,
      type: 0,
      closeLike: 0,
      closeGoods: 0,
      closeComment: 1,
      closeReplay: 0,
      closeShare: 0,
      closeKf: 1,
    })
  })
  it('says what it does not like in words; a room it no longer has is deleted all the same', async () => {
    const channel = await wechat({
      '/cgi-bin/media/upload': () => ({ media_id: 'M' }),
      '/wxaapi/broadcast/room/create': () => ({ errcode: 300036 }),
      '/wxaapi/broadcast/room/deleteroom': () => ({ errcode: 300022 }),
    })
    await expect(channel.create(room)).rejects.toThrow('主播微信号未实名认证')
    await channel.remove({ ...room, room_no: '33' })
    expect(asked.at(-1)!.body).toEqual({ id: 33 })
  })
  it('tells states page by page, and the replay of what is over', async () => {
    const status: Record<number, number> = { 1: 101, 2: 102, 3: 103, 4: 104, 5: 105, 6: 107 }
    const all = [
      ...Object.entries(status).map(([roomid, live_status]) => ({
        roomid: Number(roomid),
        live_status,
      })),
      ...Array.from({ length: 120 }, (_, at) => ({ roomid: 1000 + at, live_status: 103 })),
    ].reverse()
    const channel = await wechat({
      '/wxa/business/getliveinfo': body =>
        body.action
          ? {
              errcode: 0,
              live_replay: body.room_id === 3 ? [{ media_url: 'https://v.example/3.m3u8' }] : [],
            }
          : {
              errcode: 0,
              room_info: all.slice(body.start, body.start + body.limit),
              total: all.length,
            },
    })
    const rooms = Object.keys(status).map(no => ({
      id: Number(no),
      room_no: no,
      start_at: 0,
      end_at: 1,
      ended: no === '3' || no === '4',
    }))
    const said = await channel.read([
      ...rooms,
      { id: 9, room_no: '9', start_at: 0, end_at: 1, ended: false },
    ])
    expect(Object.fromEntries(said)).toEqual({
      1: { state: 'living' },
      2: { state: 'planned' },
      3: { state: 'ended', replay_url: 'https://v.example/3.m3u8' },
      4: { state: 'ended', note: joined(['渠道禁播', 'Forbidden by the channel']) },
      5: { state: 'living', note: joined(['主播暂停', 'Paused by the host']) },
      6: { state: 'ended', note: joined(['主播未开播，已过期', 'Never begun, and over']) },
    })
  })
  it('without any room is no failure; a token that died is renewed once', async () => {
    let tries = 0
    const channel = await wechat({
      '/wxa/business/getliveinfo': () =>
        ++tries === 1 ? { errcode: 40001 } : { errcode: 9410000 },
    })
    expect([
      (await channel.read([{ id: 1, room_no: '1', start_at: 0, end_at: 1, ended: false }])).size,
      asked.filter(one => one.path === '/cgi-bin/token').length,
    ]).toEqual([0, 2])
  })
})
it('an order’s room stays with the order', async () => {
  const {
    rows: [some],
  } = await database.db.execute<{ id: number }>(
    sql`select id from "order" where live_room_id is not null limit 1`,
  )
  expect(
    (
      await database.db.select({ source: order.source }).from(order).where(eq(order.id, some!.id))
    )[0]!.source,
  ).toBe('live')
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
