import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  sql,
} from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { member } from '#src/areas/member/member.table.ts'
import { deliver } from '#src/areas/notice/notify.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { joined, keptWords, saidIn } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import { LIVE_CLICK_S, type LiveState } from './broadcast.ts'
import { live_click, live_host, live_product, live_room, live_subscriber } from './live.table.ts'
import { channelOf, type LiveChannel, type RoomPlan, type RoomWord } from './liveChannel.server.ts'

export type LiveRoom = typeof live_room.$inferSelect
/** What an order can be placed for: codes. Goods with variants hold stock of their own. */
export const liveKinds = ['bulks', 'card', 'voucher'] as const

/** A member opened a product in a room. */
export const countLiveClick = (
  db: Db,
  of: { live_room_id: number; product_id: number; member_id: number; now: number },
) =>
  db.insert(live_click).values({
    live_room_id: of.live_room_id,
    product_id: of.product_id,
    member_id: of.member_id,
    at: of.now,
  })
/**
 * The room that a member's order of a product is counted for: where they last opened it, within 24
 * hours.
 */
export const lastLiveRoom = async (
  db: Db,
  { member_id, product_id, now }: { member_id: number; product_id: number; now: number },
): Promise<number | null> => {
  const [last] = await db
    .select({ id: live_click.live_room_id })
    .from(live_click)
    .where(
      and(
        eq(live_click.member_id, member_id),
        eq(live_click.product_id, product_id),
        gt(live_click.at, now - LIVE_CLICK_S),
        lte(live_click.at, now),
      ),
    )
    .orderBy(desc(live_click.at), desc(live_click.id))
    .limit(1)
  return last?.id ?? null
}
/**
 * Takes units of a living room's reserve at its price; undefined where the room is not live or has
 * too few left. What is taken stays held, now for the order.
 */
export const takeLive = async (
  tx: Db,
  { live_room_id, product_id, qty }: { live_room_id: number; product_id: number; qty: number },
): Promise<number | undefined> => {
  const [taken] = await tx
    .update(live_product)
    .set({ remaining: sql`${live_product.remaining} - ${qty}` })
    .where(
      and(
        eq(live_product.live_room_id, live_room_id),
        eq(live_product.product_id, product_id),
        sql`${live_product.remaining} >= ${qty}`,
        sql`exists (select 1 from live_room r where r.id = ${live_room_id} and r.state = 'living')`,
      ),
    )
    .returning({ price_cents: live_product.price_cents })
  return taken?.price_cents
}

/** Reserves units of a product as an order does; says how many there are when they are too few. */
export const reserve = async (tx: Db, product_id: number, n: number): Promise<void> => {
  if (n <= 0) return
  const [held] = await tx
    .update(product)
    .set({ held: sql`${product.held} + ${n}` })
    .where(
      and(
        eq(product.id, product_id),
        eq(product.state, 'on_sale'),
        sql`${product.stock} - ${product.held} >= ${n}`,
      ),
    )
    .returning({ id: product.id })
  if (held) return
  const [now] = await tx
    .select({
      title: product.title,
      state: product.state,
      free: sql<number>`greatest(${product.stock} - ${product.held}, 0)`,
    })
    .from(product)
    .where(eq(product.id, product_id))
  throw now?.state === 'on_sale'
    ? ruled(
        'stock',
        [
          '“{name}”可用库存只有 {n}，请调低直播库存',
          '“{name}” has {n} available: lower its live stock',
        ],
        { name: now.title, n: now.free },
        { product_id },
      )
    : ruled(
        'not_on_sale',
        ['“{name}”已下架，请从货架移除', '“{name}” is off shelf: take it off'],
        { name: now?.title ?? product_id },
        { product_id },
      )
}
export const giveBack = async (tx: Db, product_id: number, n: number): Promise<void> => {
  if (n > 0)
    await tx
      .update(product)
      .set({ held: sql`${product.held} - ${n}` })
      .where(eq(product.id, product_id))
}
/**
 * Reserves the whole shelf, products in the order of their ids so that two rooms can't wait for
 * each other.
 */
export const reserveShelf = async (tx: Db, live_room_id: number): Promise<void> => {
  const shelf = await tx
    .update(live_product)
    .set({ remaining: sql`${live_product.stock}` })
    .where(and(eq(live_product.live_room_id, live_room_id), eq(live_product.remaining, 0)))
    .returning()
  for (const one of shelf.sort((a, b) => a.product_id - b.product_id))
    await reserve(tx, one.product_id, one.stock)
}
/**
 * Gives back what was not sold. The rows themselves say how much: an order that comes now finds
 * none left.
 */
export const releaseShelf = async (tx: Db, live_room_id: number): Promise<void> => {
  const shelf = await tx
    .select()
    .from(live_product)
    .where(eq(live_product.live_room_id, live_room_id))
    .orderBy(asc(live_product.product_id))
    .for('update')
  await tx
    .update(live_product)
    .set({ remaining: 0 })
    .where(eq(live_product.live_room_id, live_room_id))
  for (const one of shelf) await giveBack(tx, one.product_id, one.remaining)
}

/**
 * Ends a room's hold on the world in one guarded step: its state, its reserve, its place among the
 * recommended. Undefined when it was no longer as it was read.
 */
export const closeRoom = async (
  tx: Db,
  was: LiveRoom,
  set: Partial<LiveRoom> & { state: 'ended' | 'cancelled' },
): Promise<LiveRoom | undefined> => {
  const [after] = await tx
    .update(live_room)
    .set({ recommended: false, ...set, version: sql`${live_room.version} + 1` })
    .where(
      and(
        eq(live_room.id, was.id),
        eq(live_room.version, was.version),
        eq(live_room.state, was.state),
        inArray(live_room.state, ['planned', 'living']),
      ),
    )
    .returning()
  if (after) await releaseShelf(tx, was.id)
  return after
}
/** What the channel must hear of a room that changed: nothing of one it was never told of. */
export const todoAfter = (
  was: Pick<LiveRoom, 'room_no' | 'todo' | 'todo_until'>,
  what: 'edit' | 'delete',
): LiveRoom['todo'] => {
  if (what === 'edit') return was.todo === 'create' ? 'create' : 'edit'
  const was_told = was.room_no !== '' || was.todo_until !== null
  return was_told ? 'delete' : null
}
/** Everybody who wants to be told is queued for it, once. */
export const queueNotices = async (tx: Db, live_room_id: number): Promise<number> =>
  (
    await tx
      .update(live_subscriber)
      .set({ notice: 'queued' })
      .where(
        and(eq(live_subscriber.live_room_id, live_room_id), eq(live_subscriber.notice, 'none')),
      )
      .returning({ id: live_subscriber.id })
  ).length

const NOTICES_MAX = 100
/**
 * Sends what is queued by SMS, where a gateway is set up: each at most once, as a message can't be
 * called back. A gateway that says nothing is asked no more in this round: what it can't have heard
 * waits. Answers how many were sent.
 */
export const sendNotices = async (
  db: Db,
  install: Pick<Install, 'gateways'>,
  now: number,
): Promise<number> => {
  if (!install.gateways.sms) return 0
  const claimed = await db
    .update(live_subscriber)
    .set({ notice: 'sending', told_at: now })
    .where(
      inArray(
        live_subscriber.id,
        db
          .select({ id: live_subscriber.id })
          .from(live_subscriber)
          .where(eq(live_subscriber.notice, 'queued'))
          .orderBy(live_subscriber.id)
          .limit(NOTICES_MAX)
          .for('update', { skipLocked: true }),
      ),
    )
    .returning()
  const left = claimed.sort((a, b) => a.id - b.id)
  let sent = 0
  for (let one = left.shift(); one; one = left.shift()) {
    const [to] = await db
      .select({
        phone: member.phone,
        title: live_room.title,
        start_at: live_room.start_at,
        reason: live_room.state_reason,
      })
      .from(live_room)
      .innerJoin(member, eq(member.id, one.member_id))
      .where(eq(live_room.id, one.live_room_id))
    if (!to) continue
    const said = await deliver(
      install,
      { channel: 'sms', target: to.phone },
      `您预约的直播「${to.title}」（${timeFull(to.start_at).slice(5, 16)}）已取消${to.reason ? `：${saidIn(to.reason, 'zh')}` : ''}`,
    )
    const unsent = said.unheard ? 'queued' : 'failed'
    await db
      .update(live_subscriber)
      .set({ notice: said.ok ? 'sent' : unsent, answer: said.answer.slice(0, 255) })
      .where(eq(live_subscriber.id, one.id))
    if (said.ok) sent++
    if (said.silent) break
  }
  if (left.length > 0)
    await db
      .update(live_subscriber)
      .set({ notice: 'queued' })
      .where(
        inArray(
          live_subscriber.id,
          left.map(one => one.id),
        ),
      )
  return sent
}

const CLAIM_S = 120
const ROOMS_MAX = 200
const REPLAY_WANTED_S = 7 * DAY
const words = (error: unknown): string => {
  if (error instanceof Refusal) return keptWords([error.in('zh'), error.in('en')])
  return joined(
    (error as { code?: string }).code === 'ENOENT'
      ? ['图片文件不存在，请重新上传', 'A picture is gone: upload it again']
      : ['渠道没有成功应答', 'The channel did not answer'],
  )
}
const roomUnknown = joined(['渠道没有这个直播间', 'The channel has no such room'])
const planOf = async (db: Db, room: LiveRoom): Promise<RoomPlan> => {
  const [host] = await db.select().from(live_host).where(eq(live_host.id, room.host_id))
  return { ...room, host_name: host!.name, host_wechat: host!.wechat }
}

/**
 * Tells the channel what it has yet to hear. Each room is claimed first, so that of several
 * processes one speaks; what fails is told again.
 */
const tellChannel = async (db: Db, channel: LiveChannel, now: number): Promise<number> => {
  const free = or(isNull(live_room.todo_until), lt(live_room.todo_until, now))
  const waiting = await db
    .select({ id: live_room.id })
    .from(live_room)
    .where(and(isNotNull(live_room.todo), free))
    .orderBy(asc(live_room.id))
    .limit(ROOMS_MAX)
  let told = 0
  for (const { id } of waiting) {
    const [room] = await db
      .update(live_room)
      .set({ todo_until: now + CLAIM_S })
      .where(and(eq(live_room.id, id), isNotNull(live_room.todo), free))
      .returning()
    if (!room) continue
    try {
      const plan = await planOf(db, room)
      let room_no = room.room_no
      if (room.todo === 'create') room_no = await channel.create(plan)
      else if (room.room_no !== '')
        await (room.todo === 'edit' ? channel.edit(plan) : channel.remove(plan))
      // Meanwhile it may have been cancelled or changed: then there is more to tell.
      await db
        .update(live_room)
        .set({
          room_no,
          todo_until: null,
          sync_error: null,
          sync_failed_at: null,
          todo:
            room.todo === 'delete'
              ? null
              : sql`case when ${live_room.state} = 'cancelled' or ${live_room.gone} then 'delete' when ${live_room.version} <> ${room.version} then 'edit' end`,
        })
        .where(eq(live_room.id, id))
      told++
    } catch (error) {
      await db
        .update(live_room)
        .set({ todo_until: null, sync_error: words(error), sync_failed_at: now })
        .where(eq(live_room.id, id))
    }
  }
  return told
}

/** Takes over what the channel says of one room; false when nothing of it is new. */
const hear = (db: Db, id: number, said: RoomWord, now: number): Promise<boolean> =>
  db.transaction(async tx => {
    const [was] = await tx
      .select()
      .from(live_room)
      .where(and(eq(live_room.id, id), eq(live_room.gone, false)))
    if (!was) return false
    const news = {
      synced_at: now,
      ...(was.todo === null && { sync_error: null, sync_failed_at: null }),
      ...(said.viewers !== undefined && { viewers: said.viewers }),
      ...(said.peak !== undefined && { peak: Math.max(said.peak, was.peak ?? 0) }),
    }
    const log = async (before: object, after: object) =>
      void (await tx.insert(op_log).values({
        admin_id: null,
        admin_name: systemName,
        module: 'system',
        action: 'system.live.channel',
        object_type: 'live_room',
        object_id: id,
        object_label: was.title,
        before,
        after,
        reason: said.note ?? null,
        result: 'ok',
      }))
    let state: LiveState = was.state
    if (was.state === 'planned' && said.state === 'living') {
      const [begun] = await tx
        .update(live_room)
        .set({ ...news, state: 'living', version: was.version + 1 })
        .where(
          and(
            eq(live_room.id, id),
            eq(live_room.version, was.version),
            eq(live_room.state, 'planned'),
          ),
        )
        .returning({ id: live_room.id })
      if (!begun) return false
      state = 'living'
    } else if ((was.state === 'planned' || was.state === 'living') && said.state === 'ended') {
      const ended = await closeRoom(tx, was, {
        ...news,
        state: 'ended',
        state_reason: said.note ?? null,
      })
      if (!ended) return false
      state = 'ended'
    } else await tx.update(live_room).set(news).where(eq(live_room.id, id))
    if (state !== was.state) await log({ state: was.state }, { state })
    if (state === 'ended' && said.replay_url) {
      const [ready] = await tx
        .update(live_room)
        .set({
          replay_state: 'ready',
          replay_url: said.replay_url.slice(0, 512),
          version: sql`${live_room.version} + 1`,
        })
        .where(
          and(
            eq(live_room.id, id),
            eq(live_room.state, 'ended'),
            eq(live_room.replay_state, 'none'),
          ),
        )
        .returning({ id: live_room.id })
      if (ready) await log({ replay_state: 'none' }, { replay_state: 'ready' })
    }
    return true
  })

export type Synced = { channel: LiveChannel['name'] | 'none'; rooms: number; failed: string | null }
/**
 * Tells the channel what is new here, and hears what is new there. When the channel fails, rooms
 * keep what they had, with the time and the reason.
 */
export const syncRooms = async (
  db: Db,
  install: Pick<Install, 'wechat' | 'demo' | 'picture'>,
  now: number,
  channel: LiveChannel | undefined = channelOf(db, install, now),
): Promise<Synced> => {
  if (!channel) return { channel: 'none', rooms: 0, failed: null }
  await tellChannel(db, channel, now)
  const rooms = await db
    .select({
      id: live_room.id,
      room_no: live_room.room_no,
      start_at: live_room.start_at,
      end_at: live_room.end_at,
      state: live_room.state,
    })
    .from(live_room)
    .where(
      and(
        eq(live_room.gone, false),
        ne(live_room.room_no, ''),
        or(
          inArray(live_room.state, ['planned', 'living']),
          and(
            eq(live_room.state, 'ended'),
            eq(live_room.replay_state, 'none'),
            gt(live_room.end_at, now - REPLAY_WANTED_S),
          ),
        ),
      ),
    )
    .orderBy(asc(live_room.start_at))
    .limit(ROOMS_MAX)
  if (rooms.length === 0) return { channel: channel.name, rooms: 0, failed: null }
  try {
    const said = await channel.read(rooms.map(room => ({ ...room, ended: room.state === 'ended' })))
    for (const room of rooms) {
      const word = said.get(room.room_no)
      if (word) await hear(db, room.id, word, now)
      else
        await db
          .update(live_room)
          .set({ sync_failed_at: now, sync_error: roomUnknown })
          .where(eq(live_room.id, room.id))
    }
    return { channel: channel.name, rooms: rooms.length, failed: null }
  } catch (error) {
    const failed = words(error)
    await db
      .update(live_room)
      .set({ sync_failed_at: now, sync_error: failed })
      .where(
        inArray(
          live_room.id,
          rooms.map(room => room.id),
        ),
      )
    return { channel: channel.name, rooms: rooms.length, failed }
  }
}
