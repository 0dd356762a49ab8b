import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { closedBy, roomOf, type JoinState, type SwitchReason } from './groups.ts'
import { joinCan, joinFaultsOf, type JoinFault, type JoinVerb } from './joinCodes.ts'
import { chatsOf, type Chat } from './joinWays.server.ts'
import { wecom_staff } from './wecom.table.ts'
import { wecom_join_way } from './wecomJoin.table.ts'

const t = wecom_join_way
export type Join = typeof wecom_join_way.$inferSelect
/** Join codes as handlers read, change and log them; one of no mall is seen by headquarters alone. */
export const joins = record(wecom_join_way, {
  object: 'wecom_join_way',
  label: row => row.name,
  keys: ['name', 'auto_create', 'base_name', 'base_id', 'room_low', 'staff_code_id', 'status'],
  places: {
    mall: t.mall_id,
    city: sql`(select m.city_id from mall m where m.id = ${t.mall_id})`,
  },
  told: ({ id, name, auto_create, base_name, base_id, room_low, staff_code_id, ...row }) => ({
    id,
    name,
    auto_create,
    base_name,
    base_id,
    room_low,
    staff_code_id,
    status: row.status,
    version: row.version,
  }),
})
export type JoinFilters = {
  keyword?: string | undefined
  status?: JoinState | undefined
  mid?: number | undefined
  quick?: JoinFault | undefined
  id?: number | undefined
}
const anyChat = (status: 'owner_left' | 'dismissed'): SQL => sql`${t.status} <> 'archived'
  and exists (select 1 from wecom_join_group j join wecom_group g on g.id = j.group_id
    where j.way_id = ${t.id} and g.status = ${status})`
/** What is wrong with a code, as a condition; the same as `joinFaultsOf` says of a row. */
const tabs: Readonly<Record<JoinFault, SQL>> = {
  full: sql`${t.status} = 'full'`,
  owner_left: anyChat('owner_left'),
  dismissed: anyChat('dismissed'),
  refused: sql`${t.status} <> 'archived' and ${t.work} = 'failed'`,
}
/** How many codes each tab has, of those that the person sees. */
export const countJoinTabs = async (
  db: Db,
  staff: Pick<Staff, 'scope'>,
): Promise<Record<string, number>> => {
  const counted: [string, number][] = []
  for (const [key, where] of Object.entries(tabs))
    counted.push([key, (await countOf(db, t, and(joins.seen(staff), where))).total])
  return Object.fromEntries(counted)
}
type Counted = { id: number; joins: number; leaves: number; joined: number; stayed: number }
/** Counts joins and leaves of a week in the chats of codes, and how many of who joined are still in. */
const countsOf = async (db: Db, ids: readonly number[], now: number) => {
  const from = now - 7 * DAY
  const { rows } = await db.execute<Counted>(sql`
    with own as (select j.way_id, j.group_id from wecom_join_group j
        where j.way_id = any(${sql.param(`{${ids.join()}}`)}::int[])),
    moves as (select own.way_id, count(*) filter (where v.kind = 'join')::int joins,
        count(*) filter (where v.kind = 'leave')::int leaves
      from own join wecom_group_move v on v.group_id = own.group_id
      where v.day >= ${dateOf(now - 6 * DAY)} group by 1),
    came as (select own.way_id, count(*)::int joined,
        count(*) filter (where p.left_at is null)::int stayed
      from own join wecom_group_member p on p.group_id = own.group_id
      where p.kind = 'customer' and p.joined_at >= ${from} group by 1)
    select way.id, coalesce(moves.joins, 0) joins, coalesce(moves.leaves, 0) leaves,
      coalesce(came.joined, 0) joined, coalesce(came.stayed, 0) stayed
    from (select distinct way_id id from own) way left join moves on moves.way_id = way.id
      left join came on came.way_id = way.id`)
  return new Map(rows.map(row => [row.id, row]))
}
const ownersOf = async (db: Db, chats: readonly Chat[]) =>
  new Map(
    (
      await db
        .select({ id: wecom_staff.id, name: wecom_staff.name, status: wecom_staff.status })
        .from(wecom_staff)
        .where(inArray(wecom_staff.id, [0, ...chats.flatMap(one => one.owner_id ?? [])]))
    ).map(one => [one.id, one]),
  )
const mallsOf = async (db: Db, rows: readonly Join[]) =>
  new Map(
    (
      await db
        .select({ id: mall.id, name: mall.name })
        .from(mall)
        .where(inArray(mall.id, [0, ...rows.flatMap(row => row.mall_id ?? [])]))
    ).map(one => [one.id, one.name]),
  )
/** Whether a live code takes scans at a moment; `c` is a row of channel_code. */
const takes = (now: number): SQL => sql`c.status = 'enabled' and c.health <> 'no_staff'
  and c.qr_url <> '' and (c.end_at is null or c.end_at > ${now})
  and (c.start_at is null or c.start_at <= ${now})`
/**
 * The live code that each of some codes offers while all its chats are full: the one that was
 * chosen, else the oldest of its mall that takes scans.
 */
const offeredBy = async (db: Db, ids: readonly number[], now: number) => {
  const { rows } = await db.execute<{
    way_id: number
    id: number
    name: string
    state_key: string
    is_live: boolean
  }>(sql`
    select w.id way_id, c.id, c.name, c.state_key, ${takes(now)} is_live
    from wecom_join_way w join channel_code c on c.id = coalesce(w.staff_code_id,
      (select c.id from channel_code c where c.mall_id = w.mall_id and ${takes(now)}
        order by c.id limit 1))
    where w.id = any(${sql.param(`{${ids.join()}}`)}::int[])`)
  return new Map(rows.map(({ way_id, ...row }) => [way_id, row]))
}
/** Codes as their list and their page show them, in the order given. */
export const shownJoins = async (db: Db, rows: readonly Join[], now: number) => {
  const ids = rows.map(row => row.id)
  const chats = await chatsOf(db, ids)
  const owners = await ownersOf(db, [...chats.values()].flat())
  const malls = await mallsOf(db, rows)
  const counts = await countsOf(db, ids, now)
  const offers = await offeredBy(db, ids, now)
  return rows.map(row => {
    const own = chats.get(row.id) ?? []
    const of = counts.get(row.id)
    const offer = offers.get(row.id)
    return {
      ...row,
      mall_name: malls.get(row.mall_id ?? 0) ?? '',
      has_qr: row.qr_url !== '',
      reading: row.read_next_at !== null && row.read_next_at <= now,
      offer: offer
        ? { id: offer.id, name: offer.name, is_live: offer.is_live, is_chosen: !!row.staff_code_id }
        : null,
      faults: joinFaultsOf({ ...row, chats: own }),
      chats: own.map(one => ({
        id: one.id,
        name: one.name,
        status: one.status,
        member_count: one.member_count,
        staff_count: one.staff_count,
        max_members: one.max_members,
        owner: owners.get(one.owner_id ?? 0) ?? null,
        notice: one.notice,
        opened_at: one.opened_at,
        synced_at: one.synced_at,
        is_current: one.id === row.current_group_id,
        closed: closedBy(one, 0) ?? null,
        is_low: roomOf(one) <= row.room_low,
      })),
      joins_7d: of?.joins ?? 0,
      leaves_7d: of?.leaves ?? 0,
      joined_n: of?.joined ?? 0,
      stayed_n: of?.stayed ?? 0,
    }
  })
}
const whereOf = (of: JoinFilters): SQL | undefined =>
  and(
    holding(of.keyword, [t.name], t.id),
    equal(t, { status: of.status, id: of.id }),
    of.mid === 0 ? sql`${t.mall_id} is null` : undefined,
    of.mid ? eq(t.mall_id, of.mid) : undefined,
    of.quick && tabs[of.quick],
  )
/** The list of codes, the newest first. */
export const joinList = listing(joins, {
  by: t.id,
  down: true,
  where: (of: JoinFilters) => whereOf(of),
  shown: (db, rows, { now }) => shownJoins(db, rows, now),
})
/** The code as the person holds it, locked, with its chats, where nothing speaks against the verb. */
export const heldJoin = async (
  context: WriteContext,
  verb: JoinVerb,
  one: { id: number; version: number },
): Promise<{ was: Join; chats: Chat[] }> => {
  const was = await joins.heldFast(context, one)
  const chats = (await chatsOf(context.tx, [was.id])).get(was.id) ?? []
  const may = joinCan(verb, { status: was.status, has_qr: was.qr_url !== '', chats })
  if (may !== true) throw ruled(`join_${verb}`, may)
  return { was, chats }
}
/** The latest turns of a code, with the names of its chats. */
export const switchesOf = async (db: Db, way_id: number, most = 10) => {
  const { rows } = await db.execute<{
    id: number
    from_name: string
    to_name: string
    why: SwitchReason
    by: string
    reason: string
    at: string
  }>(sql`
    select s.id, coalesce(f.name, '') from_name, g.name to_name, s.why, coalesce(a.name, '') "by",
      s.reason, s.at
    from wecom_join_switch s join wecom_group g on g.id = s.to_group_id
      left join wecom_group f on f.id = s.from_group_id left join admin a on a.id = s.by_id
    where s.way_id = ${way_id} order by s.id desc limit ${most}`)
  return rows.map(row => ({ ...row, at: Number(row.at) }))
}
/** A code as whoever scans it meets it. `none`: no code has that state. */
export type JoinScanned = {
  state: 'open' | 'full' | 'paused' | 'over' | 'early' | 'none'
  name: string
  qr_url: string
  /** The live code that is offered while all chats are full. */
  instead?: { name: string; state_key: string }
}
/** How a join code stands for whoever scans it at a time (unix seconds). */
export const scanJoin = async (db: Db, state_key: string, now: number): Promise<JoinScanned> => {
  const [way] = await db.select().from(t).where(eq(t.state_key, state_key))
  if (!way) return { state: 'none', name: '', qr_url: '' }
  const told = (state: JoinScanned['state']) => ({ state, name: way.name, qr_url: '' })
  if (way.status === 'archived') return told('over')
  if (way.status === 'paused') return told('paused')
  if (way.status === 'full') {
    const offer = (await offeredBy(db, [way.id], now)).get(way.id)
    return offer?.is_live ? { ...told('full'), instead: offer } : told('full')
  }
  return way.qr_url === '' ? told('early') : { state: 'open', name: way.name, qr_url: way.qr_url }
}
/** Live codes that may be offered by a code of a mall: those that are not archived. */
export const staffCodes = (of: { mall_id: number | null | undefined }): SQL | undefined =>
  and(
    inArray(channel_code.status, ['enabled', 'paused', 'expired']),
    of.mall_id ? eq(channel_code.mall_id, of.mall_id) : undefined,
  )
