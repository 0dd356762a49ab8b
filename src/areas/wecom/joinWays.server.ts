import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { JOIN_GROUPS_MOST, ROOM_LOW } from './groups.ts'
import { leadsTo } from './joinCodes.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_join_group, wecom_join_switch, wecom_join_way } from './wecomJoin.table.ts'

export type Way = typeof wecom_join_way.$inferSelect
export type Chat = typeof wecom_group.$inferSelect
const t = wecom_join_way

/** The chats of ways in their order, by way. */
export const chatsOf = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Chat[]>> => {
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
/** The join code in use that each of some chats serves, by chat. */
export const joinsOf = async (db: Db, ids: readonly number[]) => {
  const rows = await db
    .select({ group_id: wecom_join_group.group_id, way: t })
    .from(wecom_join_group)
    .innerJoin(t, eq(t.id, wecom_join_group.way_id))
    .where(and(inArray(wecom_join_group.group_id, [0, ...ids]), wecom_join_group.is_held))
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
const taken: Text = [
  '所选群已由另一个群活码使用',
  'One of the chats serves another join code already',
]
/** The chats of these ids in that order; 404 where one is not there. */
export const chatsIn = async (tx: Db, ids: readonly number[]): Promise<Chat[]> => {
  const rows = await tx
    .select()
    .from(wecom_group)
    .where(inArray(wecom_group.id, [0, ...ids]))
  const found = ids.flatMap(id => rows.find(one => one.id === id) ?? [])
  if (found.length < ids.length) throw missing()
  return found
}
/**
 * 422 for chats that a code may not lead to: dismissed ones, those of another mall than the rest, and
 * those of another code in use, which is named.
 */
export const checkChats = async (
  tx: Db,
  chats: readonly Chat[],
  of: { mall_id: number | null; way_id: number },
): Promise<void> => {
  const gone = chats.find(one => one.status === 'dismissed')
  if (gone)
    throw ruled('group_dismissed', ['“{name}”已解散，不能关联', '{name} was dismissed'], {
      name: gone.name,
    })
  const elsewhere = chats.find(one => one.mall_id !== of.mall_id)
  if (elsewhere)
    throw ruled(
      'other_mall',
      ['“{name}”不属于同一商场，不能接续', '{name} is not of the same mall'],
      { name: elsewhere.name },
    )
  const [other] = await tx
    .select({ name: wecom_group.name, code: t.name })
    .from(wecom_join_group)
    .innerJoin(wecom_group, eq(wecom_group.id, wecom_join_group.group_id))
    .innerJoin(t, eq(t.id, wecom_join_group.way_id))
    .where(
      and(
        inArray(wecom_join_group.group_id, [0, ...chats.map(one => one.id)]),
        ne(wecom_join_group.way_id, of.way_id),
        wecom_join_group.is_held,
      ),
    )
  if (other)
    throw ruled(
      'group_has_code',
      [
        '“{name}”已由群活码“{code}”使用，请先从那里移出',
        '{name} serves the code {code} already: take it out there first',
      ],
      other,
    )
}
/** Puts chats into the rotation of a code in their order, in place of what was in it. */
export const placeChats = async (
  tx: Db,
  way_id: number,
  { ids, is_held = true }: { ids: readonly number[]; is_held?: boolean },
): Promise<void> => {
  await tx.delete(wecom_join_group).where(eq(wecom_join_group.way_id, way_id))
  if (ids.length === 0) return
  await unlessTaken(
    tx
      .insert(wecom_join_group)
      .values(ids.map((group_id, place) => ({ way_id, group_id, place, is_held }))),
    () => ruled('group_has_code', taken),
  )
}
/** Keeps that a code turned from one chat to another. */
export const logTurn = (tx: Db, of: typeof wecom_join_switch.$inferInsert) =>
  tx.insert(wecom_join_switch).values(of)
/** The state of WeCom's answer that a fresh work begins with. */
export const freshWork = (now: number) =>
  ({ work: 'waiting', next_at: now, tries: 0, errcode: 0, error: '' }) as const
/** What WeCom tells of people who came by a code; drawn anew for each, and never again. */
export const newState = (): string => `mallet-group-${randomBytes(6).toString('hex')}`
export const noRoom = () =>
  ruled('no_room', [
    '所选群都没有空位，请增加接续群或开启自动建群',
    'None of the chats has room: add one, or let WeCom make further chats',
  ])

type Setting = { auto_create: boolean; base_name: string; next_ids: readonly number[] }
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
    .where(and(eq(wecom_join_group.group_id, group.id), wecom_join_group.is_held))
    .for('update')
  const ids = [...new Set([group.id, ...of.next_ids])]
  if (ids.length > JOIN_GROUPS_MOST)
    throw ruled('join_groups', ['一个群活码最多关联 5 个群', 'A code leads to at most 5 chats'])
  const chats = await chatsIn(tx, ids)
  await checkChats(tx, chats, { mall_id: group.mall_id, way_id: served?.way.id ?? 0 })
  const room_low = served?.way.room_low ?? ROOM_LOW
  const target = leadsTo(chats, { current: group.id, room_low })
  if (!target && !of.auto_create) throw noRoom()
  const values = {
    current_group_id: (target ?? group).id,
    auto_create: of.auto_create,
    base_name: of.base_name,
    mall_id: group.mall_id,
    status: 'enabled' as const,
    ...freshWork(now),
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
          name: group.name,
          state_key: newState(),
          created_at: now,
        })
        .returning()
  const way_id = way!.id
  await placeChats(tx, way_id, { ids })
  await logTurn(tx, {
    way_id,
    from_group_id: served?.way.current_group_id ?? null,
    to_group_id: way!.current_group_id,
    why: 'set',
    by_id: staff.id,
    at: now,
  })
  return way!
}
