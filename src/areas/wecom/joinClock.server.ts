import { and, asc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { begins } from '#src/server/db/like.ts'
import type { WecomClient } from './client.channel.ts'
import { leadsTo, nextBaseId, openChats, turnedBy, withRooms } from './joinCodes.ts'
import { chatsOf, freshWork, logTurn, placeChats, type Chat, type Way } from './joinWays.server.ts'
import { takeGroup } from './syncGroups.server.ts'
import { keptWords, type WecomFault } from './wecomFault.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_join_way } from './wecomJoin.table.ts'
import type { WecomGroupChat } from './wire.channel.ts'

const t = wecom_join_way
type Running = { database: Database; client: WecomClient; now: number }
/** Changes a way as it was read, unless another process did; undefined then. */
const turn = async (tx: Db, way: Way, set: Partial<Way>): Promise<Way | undefined> => {
  const [after] = await tx
    .update(t)
    .set({ ...set, version: way.version + 1 })
    .where(and(eq(t.id, way.id), eq(t.version, way.version)))
    .returning()
  return after
}
/**
 * Keeps how far WeCom is with a way, unless what was decided of it has changed since it was read;
 * undefined then. Whoever has it open decides of the same way as before.
 */
const mark = async (db: Db, way: Way, set: Partial<Way>): Promise<Way | undefined> => {
  const [after] = await db
    .update(t)
    .set(set)
    .where(and(eq(t.id, way.id), eq(t.version, way.version)))
    .returning()
  return after
}
const turnOne = async (tx: Db, way: Way, chats: readonly Chat[], now: number): Promise<boolean> => {
  const current = chats.find(one => one.id === way.current_group_id)
  const next = leadsTo(chats, { current: way.current_group_id, room_low: way.room_low })
  if (!next) {
    if (way.auto_create || way.status === 'full') return false
    return (await turn(tx, way, { status: 'full' })) !== undefined
  }
  if (next.id === way.current_group_id) {
    if (way.status !== 'full') return false
    return (await turn(tx, way, { status: 'enabled', ...freshWork(now) })) !== undefined
  }
  const moved = await turn(tx, way, {
    current_group_id: next.id,
    status: 'enabled',
    ...freshWork(now),
  })
  if (!moved) return false
  await logTurn(tx, {
    way_id: way.id,
    from_group_id: way.current_group_id,
    to_group_id: next.id,
    why: turnedBy(current),
    at: now,
  })
  return true
}
/**
 * Turns every code in use whose chat has no room, no owner or is no more to the next chat that takes
 * people; where none does and WeCom makes no further one, the code is full. Answers how many changed.
 */
export const turnJoinWays = async ({ database, now }: Omit<Running, 'client'>): Promise<number> => {
  const ways = await database.db
    .select()
    .from(t)
    .where(inArray(t.status, ['enabled', 'full']))
    .orderBy(asc(t.id))
  const chats = await chatsOf(
    database.db,
    ways.map(way => way.id),
  )
  let n = 0
  for (const way of ways)
    if (await database.transaction(tx => turnOne(tx, way, chats.get(way.id) ?? [], now))) n++
  return n
}

/** Seconds until a way is tried again after so many tries. */
const againIn = (tries: number): number => Math.min(30 * 2 ** Math.min(tries, 6), 1800)
const faulted = (db: Db, way: Way, { fault, now }: { fault: WecomFault; now: number }) =>
  mark(db, way, {
    work: fault.kind === 'refused' && !fault.unknown ? 'failed' : 'waiting',
    tries: way.tries + 1,
    errcode: fault.code,
    error: keptWords(fault.text),
    next_at: now + againIn(way.tries),
  })
/** What WeCom is to know of a way: the chats that take people, the one whose turn it is first. */
const inputOf = (way: Way, chats: readonly Chat[]) => {
  const open = openChats(chats, { current: way.current_group_id, room_low: way.room_low })
  // WeCom wants to hear of one chat at least, and a full one takes nobody.
  const told = open.length > 0 ? open : chats.filter(one => one.id === way.current_group_id)
  return {
    scene: 2,
    remark: way.name.slice(0, 30),
    auto_create_room: way.auto_create ? 1 : 0,
    ...(way.auto_create && { room_base_name: way.base_name, room_base_id: way.base_id }),
    chat_id_list: told.map(one => one.chat_id),
    state: way.state_key,
  }
}
/** A code that is archived is no more in WeCom, where it would count for the quota. */
const dropOne = async ({ database, client, now }: Running, way: Way): Promise<void> => {
  const told = way.config_id === null ? undefined : await client.deleteJoinWay(way.config_id)
  if (told && 'fault' in told) return void (await faulted(database.db, way, { ...told, now }))
  await mark(database.db, way, { work: 'done', tries: 0, errcode: 0, error: '' })
}
const sendOne = async (
  { database, client, now }: Running,
  asked: Way,
  chats: readonly Chat[],
): Promise<void> => {
  let way = asked
  if (way.status === 'archived') return dropOne({ database, client, now }, way)
  if (way.config_id === null) {
    // An answer that was lost leaves a code that nobody has seen: another one does no harm.
    const made = await client.addJoinWay(inputOf(way, chats))
    if ('fault' in made) return void (await faulted(database.db, way, { ...made, now }))
    // Whatever was changed of it meanwhile, what WeCom has made is kept, and is told of that next.
    const [after] = await database.db
      .update(t)
      .set({ config_id: made.said.config_id })
      .where(and(eq(t.id, way.id), isNull(t.config_id)))
      .returning()
    if (!after || after.version !== way.version) return
    way = after
  } else {
    const told = await client.updateJoinWay({
      config_id: way.config_id,
      ...inputOf(way, chats),
    })
    if ('fault' in told) return void (await faulted(database.db, way, { ...told, now }))
  }
  const read = await client.joinWay(way.config_id!)
  if ('fault' in read) return void (await faulted(database.db, way, { ...read, now }))
  await mark(database.db, way, {
    qr_url: read.said.qr_code ?? way.qr_url,
    work: 'done',
    tries: 0,
    errcode: 0,
    error: '',
  })
}
/** Tells WeCom of codes that it does not know as they are; answers how many were dealt with. */
export const sendJoinWays = async (running: Running): Promise<number> => {
  const { database, now } = running
  const due = await database.db
    .select()
    .from(t)
    .where(and(eq(t.work, 'waiting'), lte(t.next_at, now)))
    .orderBy(asc(t.id))
    .limit(60)
  const chats = await chatsOf(
    database.db,
    due.map(way => way.id),
  )
  for (const way of due) await sendOne(running, way, chats.get(way.id) ?? [])
  return due.length
}

/** WeCom makes chats by itself: a code that lets it is asked after them so often (seconds). */
const READ_EVERY = 600
/** Chats as WeCom tells them now; one that it does not tell of is left to the sync of all. */
const readChats = async ({ client }: Running, ids: Iterable<string>): Promise<WecomGroupChat[]> => {
  const chats: WecomGroupChat[] = []
  for (const chat_id of ids) {
    const read = await client.groupChat(chat_id)
    if ('said' in read) chats.push(read.said)
  }
  return chats
}
/** Chats of a code that WeCom has made: in its rotation they come last, and their numbers are used. */
const takeRooms = async (
  tx: Db,
  way: Way,
  { told, now }: { told: readonly string[]; now: number },
): Promise<boolean> => {
  const chats = (await chatsOf(tx, [way.id])).get(way.id) ?? []
  const fresh = await tx
    .select()
    .from(wecom_group)
    .where(
      and(
        inArray(wecom_group.chat_id, ['', ...told]),
        sql`${wecom_group.id} not in (select j.group_id from wecom_join_group j where j.is_held)`,
      ),
    )
    .orderBy(asc(wecom_group.id))
  if (fresh.length === 0) return false
  const names = await tx
    .select({ name: wecom_group.name })
    .from(wecom_group)
    .where(sql`${wecom_group.name} like ${begins(way.base_name)}`)
  const all = withRooms(chats, { fresh, current: way.current_group_id })
  const next = leadsTo(all, { current: way.current_group_id, room_low: way.room_low })
  const current = next?.id ?? way.current_group_id
  const after = await turn(tx, way, {
    current_group_id: current,
    base_id: nextBaseId(
      way,
      names.map(one => one.name),
    ),
    status: 'enabled',
    ...freshWork(now),
  })
  if (!after) return false
  await tx
    .update(wecom_group)
    .set({ mall_id: way.mall_id, version: sql`${wecom_group.version} + 1` })
    .where(
      and(
        inArray(
          wecom_group.id,
          fresh.map(one => one.id),
        ),
        isNull(wecom_group.mall_id),
      ),
    )
  await placeChats(tx, way.id, { ids: all.map(one => one.id) })
  if (current !== way.current_group_id)
    await logTurn(tx, {
      way_id: way.id,
      from_group_id: way.current_group_id,
      to_group_id: current,
      why: 'created',
      at: now,
    })
  return true
}
const readOne = async (running: Running, way: Way): Promise<boolean> => {
  const { database, client, now } = running
  const again = { read_next_at: way.auto_create ? now + READ_EVERY : null }
  const read = await client.joinWay(way.config_id!)
  if ('fault' in read) {
    await mark(database.db, way, {
      read_next_at: now + READ_EVERY,
      errcode: read.fault.code,
      error: keptWords(read.fault.text),
    })
    return false
  }
  const told = read.said.chat_id_list
  const own = (await chatsOf(database.db, [way.id])).get(way.id) ?? []
  const made = way.auto_create ? told : []
  const chats = await readChats(running, new Set([...own.map(one => one.chat_id), ...made]))
  return database.transaction(async tx => {
    for (const chat of chats) await takeGroup(tx, chat, now)
    const after = await mark(tx, way, { ...again, synced_at: now })
    // What WeCom has not been told yet it can't tell rightly either.
    if (!after || !way.auto_create || way.work !== 'done' || way.status === 'paused') return false
    return takeRooms(tx, after, { told, now })
  })
}
/**
 * Asks WeCom which chats codes lead to, where somebody asked for it or WeCom may have made some;
 * answers how many codes have further chats now.
 */
export const readJoinWays = async (running: Running): Promise<number> => {
  const { database, now } = running
  const due = await database.db
    .select()
    .from(t)
    .where(and(lte(t.read_next_at, now), isNotNull(t.config_id)))
    .orderBy(asc(t.id))
    .limit(20)
  let n = 0
  for (const way of due) if (await readOne(running, way)) n++
  return n
}
