import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { WecomClient } from './client.channel.ts'
import { closedBy, JOIN_GROUPS_MOST, type SwitchReason } from './groups.ts'
import type { WecomFault } from './wecomFault.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_join_group, wecom_join_switch, wecom_join_way } from './wecomJoin.table.ts'

type Way = typeof wecom_join_way.$inferSelect
type Chat = typeof wecom_group.$inferSelect
const t = wecom_join_way

/** The chats of ways in their order, by way. */
const chatsOf = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Chat[]>> => {
  const rows = await db
    .select({ way_id: wecom_join_group.way_id, chat: wecom_group })
    .from(wecom_join_group)
    .innerJoin(wecom_group, eq(wecom_group.id, wecom_join_group.group_id))
    .where(inArray(wecom_join_group.way_id, [0, ...ids]))
    .orderBy(asc(wecom_join_group.way_id), asc(wecom_join_group.place))
  const by = new Map<number, Chat[]>()
  for (const { way_id, chat } of rows) by.set(way_id, [...(by.get(way_id) ?? []), chat])
  return by
}
/** The join code that each of some chats serves, by chat. */
export const joinsOf = async (db: Db, ids: readonly number[]) => {
  const rows = await db
    .select({ group_id: wecom_join_group.group_id, way: t })
    .from(wecom_join_group)
    .innerJoin(t, eq(t.id, wecom_join_group.way_id))
    .where(inArray(wecom_join_group.group_id, [0, ...ids]))
  const chats = await chatsOf(
    db,
    rows.map(row => row.way.id),
  )
  return new Map(
    rows.map(({ group_id, way }) => {
      const own = chats.get(way.id) ?? []
      const shown = {
        way_id: way.id,
        qr_url: way.qr_url,
        status: way.status,
        work: way.work,
        error: way.error,
        errcode: way.errcode,
        auto_create: way.auto_create,
        base_name: way.base_name,
        is_current: way.current_group_id === group_id,
        current_name: own.find(one => one.id === way.current_group_id)?.name ?? '',
        chats: own.map(({ id, name, member_count, max_members }) => ({
          id,
          name,
          member_count,
          max_members,
        })),
      }
      return [group_id, shown] as const
    }),
  )
}
/** The first chat, from one of them on and round at the end, that people may be led into. */
const nextOf = (chats: readonly Chat[], from: number): Chat | undefined => {
  const at = Math.max(
    0,
    chats.findIndex(one => one.id === from),
  )
  return [...chats.slice(at), ...chats.slice(0, at)].find(one => closedBy(one) === undefined)
}

const taken: Text = [
  '所选群已由另一个群活码使用',
  'One of the chats serves another join code already',
]
type Setting = { auto_create: boolean; base_name: string; next_ids: readonly number[] }
const checkChats = async (tx: Db, group: Chat, ids: readonly number[], way_id: number) => {
  const chats = await tx
    .select()
    .from(wecom_group)
    .where(inArray(wecom_group.id, [...ids]))
    .orderBy(wecom_group.id)
  const gone = chats.find(one => one.status === 'dismissed')
  if (gone)
    throw ruled('group_dismissed', ['“{name}”已解散，不能关联', '{name} was dismissed'], {
      name: gone.name,
    })
  const elsewhere = chats.find(one => one.mall_id !== group.mall_id)
  if (elsewhere)
    throw ruled(
      'other_mall',
      ['“{name}”不属于同一商场，不能接续', '{name} is not of the same mall'],
      { name: elsewhere.name },
    )
  const [other] = await tx
    .select({ name: wecom_group.name })
    .from(wecom_join_group)
    .innerJoin(wecom_group, eq(wecom_group.id, wecom_join_group.group_id))
    .where(and(inArray(wecom_join_group.group_id, [...ids]), ne(wecom_join_group.way_id, way_id)))
  if (other) throw ruled('group_has_code', taken)
}
/**
 * Sets the join code of a chat: it leads there, and then to `next_ids` in their order, each once the
 * one before it has no room. The code that the chat serves already is set anew. WeCom is told by the
 * clock. Throws 422 for chats that are dismissed, of another mall, or of another code.
 */
export const setJoinWay = async (
  { tx, staff, now }: WriteContext,
  group: Chat,
  of: Setting,
): Promise<Way> => {
  const [served] = await tx
    .select({ way: t })
    .from(wecom_join_group)
    .innerJoin(t, eq(t.id, wecom_join_group.way_id))
    .where(eq(wecom_join_group.group_id, group.id))
    .for('update')
  const ids = [...new Set([group.id, ...of.next_ids])]
  if (ids.length > JOIN_GROUPS_MOST)
    throw ruled('join_groups', ['一个群活码最多关联 5 个群', 'A code leads to at most 5 chats'])
  await checkChats(tx, group, ids, served?.way.id ?? 0)
  const chats = await tx.select().from(wecom_group).where(inArray(wecom_group.id, ids))
  const ordered = ids.map(id => chats.find(one => one.id === id)!)
  const target = nextOf(ordered, group.id)
  if (!target && !of.auto_create)
    throw ruled('no_room', [
      '所选群都没有空位，请增加接续群或开启自动建群',
      'None of the chats has room: add one, or let WeCom make further chats',
    ])
  const values = {
    name: group.name,
    current_group_id: (target ?? group).id,
    auto_create: of.auto_create,
    base_name: of.base_name,
    mall_id: group.mall_id,
    status: 'enabled' as const,
    work: 'waiting' as const,
    next_at: now,
    tries: 0,
    errcode: 0,
    error: '',
    asked_by: staff.id,
  }
  const [way] = served
    ? await tx
        .update(t)
        .set({ ...values, version: served.way.version + 1 })
        .where(eq(t.id, served.way.id))
        .returning()
    : await tx
        .insert(t)
        .values({
          ...values,
          state_key: `mallet-group-${randomBytes(6).toString('hex')}`,
          created_at: now,
        })
        .returning()
  const way_id = way!.id
  await tx.delete(wecom_join_group).where(eq(wecom_join_group.way_id, way_id))
  await unlessTaken(
    tx.insert(wecom_join_group).values(ids.map((group_id, place) => ({ way_id, group_id, place }))),
    () => ruled('group_has_code', taken),
  )
  await tx.insert(wecom_join_switch).values({
    way_id,
    from_group_id: served?.way.current_group_id ?? null,
    to_group_id: way!.current_group_id,
    why: 'set',
    at: now,
  })
  return way!
}

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
const turnOne = async (tx: Db, way: Way, chats: readonly Chat[], now: number): Promise<boolean> => {
  const current = chats.find(one => one.id === way.current_group_id)
  const why: SwitchReason | undefined = current ? closedBy(current) : 'dismissed'
  const next = nextOf(chats, way.current_group_id)
  if (!next) {
    if (way.auto_create || way.status === 'full') return false
    return (await turn(tx, way, { status: 'full' })) !== undefined
  }
  if (next.id === way.current_group_id) {
    if (way.status !== 'full') return false
    return (await turn(tx, way, { status: 'enabled', work: 'waiting', next_at: now })) !== undefined
  }
  const moved = await turn(tx, way, {
    current_group_id: next.id,
    status: 'enabled',
    work: 'waiting',
    next_at: now,
    tries: 0,
  })
  if (!moved) return false
  await tx.insert(wecom_join_switch).values({
    way_id: way.id,
    from_group_id: way.current_group_id,
    to_group_id: next.id,
    why: why ?? 'full',
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
  turn(db, way, {
    work: fault.kind === 'refused' && !fault.unknown ? 'failed' : 'waiting',
    tries: way.tries + 1,
    errcode: fault.code,
    error: fault.text[0].slice(0, 255),
    next_at: now + againIn(way.tries),
  })
/** What WeCom is to know of a way: the chat that is its turn first, then those that take people. */
const inputOf = (way: Way, chats: readonly Chat[]) => {
  const at = Math.max(
    0,
    chats.findIndex(one => one.id === way.current_group_id),
  )
  const turned = [...chats.slice(at), ...chats.slice(0, at)]
  const open = turned.filter((one, n) => n === 0 || closedBy(one) === undefined)
  return {
    scene: 2,
    remark: way.name.slice(0, 30),
    auto_create_room: way.auto_create ? 1 : 0,
    ...(way.auto_create && { room_base_name: way.base_name, room_base_id: way.base_id }),
    chat_id_list: open.map(one => one.chat_id),
    state: way.state_key,
  }
}
const sendOne = async (
  { database, client, now }: Running,
  asked: Way,
  chats: readonly Chat[],
): Promise<void> => {
  let way = asked
  if (way.config_id === null) {
    // An answer that was lost leaves a code that nobody has seen: another one does no harm.
    const made = await client.addJoinWay(inputOf(way, chats))
    if ('fault' in made) return void (await faulted(database.db, way, { ...made, now }))
    const after = await turn(database.db, way, { config_id: made.said.config_id })
    if (!after) return
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
  await turn(database.db, way, {
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
/** The latest switches of a code, with the names of its chats. */
export const switchesOf = async (db: Db, way_id: number) => {
  const { rows } = await db.execute<{
    id: number
    from_name: string
    to_name: string
    why: SwitchReason
    at: string
  }>(sql`
    select s.id, coalesce(f.name, '') from_name, g.name to_name, s.why, s.at
    from wecom_join_switch s join wecom_group g on g.id = s.to_group_id
      left join wecom_group f on f.id = s.from_group_id
    where s.way_id = ${way_id} order by s.id desc limit 10`)
  return rows.map(row => ({ ...row, at: Number(row.at) }))
}
