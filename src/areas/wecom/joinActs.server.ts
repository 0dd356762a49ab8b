import { eq, sql } from 'drizzle-orm'
import { joinedNames } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { begins } from '#src/server/db/like.ts'
import { JOIN_GROUPS_MOST, type SwitchReason } from './groups.ts'
import { leadsTo, mayTurnTo, nextBaseId } from './joinCodes.ts'
import { heldJoin, joins, type Join } from './joinDesk.server.ts'
import {
  chatsIn,
  checkChats,
  freshWork,
  logTurn,
  newState,
  noRoom,
  placeChats,
  type Chat,
} from './joinWays.server.ts'
import { wecom_group } from './wecomGroup.table.ts'
import { wecom_join_group } from './wecomJoin.table.ts'

type One = { id: number; version: number }
/** What a form sends of a code, besides its chats. */
export type JoinBody = {
  name: string
  auto_create: boolean
  base_name: string
  base_id: number
  room_low: number
  staff_code_id: number | null
}
/** The lowest number that the next chat of a name may have: none is given out twice. */
const leastBase = async (
  { tx }: WriteContext,
  base_name: string,
  from: number,
): Promise<number> => {
  const rows = await tx
    .select({ name: wecom_group.name })
    .from(wecom_group)
    .where(sql`${wecom_group.name} like ${begins(base_name)}`)
  return nextBaseId(
    { base_name, base_id: from },
    rows.map(row => row.name),
  )
}
/** What is kept of a form; 400 where further chats have no name, or a number that is used. */
const soundBody = async (context: WriteContext, of: JoinBody, was?: Join): Promise<JoinBody> => {
  if (!of.auto_create) return { ...of, base_name: '', base_id: was?.base_id ?? of.base_id }
  if (of.base_name === '')
    throw invalid({ base_name: ['自动建群须填写新群名称', 'Say what further chats are called'] })
  const from = was?.base_name === of.base_name ? was.base_id : 1
  const least = await leastBase(context, of.base_name, from)
  if (of.base_id < least)
    throw invalid({
      base_id: [
        `编号已用到 ${least - 1}，请从 ${least} 起`,
        `Numbers below ${least} are used: begin with ${least}`,
      ],
    })
  return of
}
type Turned = {
  from: number | null
  to: number
  why: SwitchReason
  reason?: string
}
const logged = ({ tx, staff, now }: WriteContext, way_id: number, of: Turned) =>
  logTurn(tx, {
    way_id,
    from_group_id: of.from,
    to_group_id: of.to,
    why: of.why,
    by_id: staff.id,
    reason: of.reason ?? '',
    at: now,
  })
/** Makes a code that leads to chats of one mall in their order; WeCom is told by the clock. */
export const addJoin = async (
  context: WriteContext,
  { chat_ids, ...of }: JoinBody & { chat_ids: readonly number[] },
): Promise<Join> => {
  const chats = await chatsIn(context.tx, chat_ids)
  const [first] = chats
  await checkChats(context.tx, chats, { mall_id: first!.mall_id, way_id: 0 })
  const body = await soundBody(context, of)
  const target = leadsTo(chats, { current: first!.id, room_low: of.room_low })
  if (!target && !of.auto_create) throw noRoom()
  const { now, staff } = context
  const made = await joins.add(context, {
    ...body,
    state_key: newState(),
    current_group_id: (target ?? first!).id,
    mall_id: first!.mall_id,
    ...freshWork(now),
    read_next_at: of.auto_create ? now : null,
    asked_by: staff.id,
    created_at: now,
  })
  await placeChats(context.tx, made.id, { ids: chat_ids })
  await logged(context, made.id, { from: null, to: made.current_group_id, why: 'set' })
  return made
}
/** What a code comes to once its chats or its rules are others: where it leads, and whether it is full. */
const settled = (was: Join, chats: readonly Chat[], of: { room_low: number; auto: boolean }) => {
  const next = leadsTo(chats, { current: was.current_group_id, room_low: of.room_low })
  const isFull = next === undefined && !of.auto
  const open = isFull ? ('full' as const) : ('enabled' as const)
  return {
    current_group_id: (next ?? chats.find(one => one.id === was.current_group_id) ?? chats[0]!).id,
    status: was.status === 'paused' ? was.status : open,
  }
}
/** Changes what a code is called and how it goes on; it turns at once where that says so. */
export const editJoin = async (context: WriteContext, one: One, of: JoinBody): Promise<Join> => {
  const { was, chats } = await heldJoin(context, 'edit', one)
  const body = await soundBody(context, of, was)
  const next = settled(was, chats, { room_low: body.room_low, auto: body.auto_create })
  const after = await joins.save(context, was, {
    ...body,
    ...next,
    ...freshWork(context.now),
    read_next_at: body.auto_create ? context.now : null,
  })
  if (next.current_group_id !== was.current_group_id)
    await logged(context, was.id, {
      from: was.current_group_id,
      to: next.current_group_id,
      why: 'set',
    })
  return after
}
type Rotated = { chats: readonly Chat[]; why: SwitchReason; reason?: string }
/** Gives a code its chats in a new order, more or fewer of them. */
const rotate = async (context: WriteContext, was: Join, of: Rotated): Promise<Join> => {
  const next = settled(was, of.chats, { room_low: was.room_low, auto: was.auto_create })
  await placeChats(context.tx, was.id, {
    ids: of.chats.map(one => one.id),
    is_held: was.status !== 'paused',
  })
  if (next.current_group_id !== was.current_group_id)
    await logged(context, was.id, {
      from: was.current_group_id,
      to: next.current_group_id,
      why: of.why,
      ...(of.reason && { reason: of.reason }),
    })
  return joins.set(context, was, { ...next, ...freshWork(context.now) })
}
const namesOf = (chats: readonly Chat[]): string => joinedNames(chats.map(one => one.name))
const loggedOrder = async (
  context: WriteContext,
  { was, chats }: { was: Join; chats: readonly Chat[] },
  { reason, ...of }: Rotated,
): Promise<Join> => {
  const after = await rotate(context, was, { ...of, ...(reason && { reason }) })
  joins.log(context, after, {
    before: { join_chats: namesOf(chats) },
    after: { join_chats: namesOf(of.chats) },
    ...(reason && { reason }),
  })
  return after
}
/** Puts further chats behind those of a code. */
export const addChats = async (
  context: WriteContext,
  one: One,
  ids: readonly number[],
): Promise<Join> => {
  const { was, chats } = await heldJoin(context, 'addChat', one)
  const own = new Set(chats.map(chat => chat.id))
  const fresh = await chatsIn(
    context.tx,
    [...new Set(ids)].filter(id => !own.has(id)),
  )
  if (fresh.length === 0) throw ruled('join_same', ['所选群已在轮换中', 'They are in it already'])
  if (chats.length + fresh.length > JOIN_GROUPS_MOST)
    throw ruled('join_groups', ['一个群活码最多关联 5 个群', 'A code leads to at most 5 chats'])
  await checkChats(context.tx, fresh, { mall_id: was.mall_id, way_id: was.id })
  return loggedOrder(context, { was, chats }, { chats: [...chats, ...fresh], why: 'set' })
}
/** Arranges the chats of a code: all of them, in the order in which it turns. */
export const sortChats = async (
  context: WriteContext,
  one: One,
  ids: readonly number[],
): Promise<Join> => {
  const { was, chats } = await heldJoin(context, 'sortChat', one)
  const sent = ids.flatMap(id => chats.find(chat => chat.id === id) ?? [])
  if (new Set(ids).size !== chats.length || sent.length !== chats.length)
    throw ruled('join_order', [
      '群的顺序已变化，请刷新后重排',
      'Its chats are others by now: arrange them anew',
    ])
  return loggedOrder(context, { was, chats }, { chats: sent, why: 'set' })
}
/** Takes a chat out of a code for a reason; one at least stays. */
export const removeChat = async (
  context: WriteContext,
  one: One,
  { chat_id, reason }: { chat_id: number; reason: string },
): Promise<Join> => {
  const { was, chats } = await heldJoin(context, 'removeChat', one)
  const left = chats.filter(chat => chat.id !== chat_id)
  if (left.length === chats.length) throw missing()
  return loggedOrder(context, { was, chats }, { chats: left, why: 'removed', reason })
}
/** Turns a code to one of its chats by hand; 422 where that is full or would be turned from at once. */
export const switchTo = async (context: WriteContext, one: One, chat_id: number): Promise<Join> => {
  const { was, chats } = await heldJoin(context, 'switchNow', one)
  const to = chats.find(chat => chat.id === chat_id)
  if (!to) throw missing()
  const may = mayTurnTo(chats, {
    to,
    current: was.current_group_id,
    room_low: was.room_low,
  })
  if (may !== true) throw ruled('join_to', may)
  await logged(context, was.id, { from: was.current_group_id, to: to.id, why: 'manual' })
  const after = await joins.set(context, was, {
    current_group_id: to.id,
    status: 'enabled',
    ...freshWork(context.now),
  })
  joins.log(context, after, {
    before: { join_current: chats.find(chat => chat.id === was.current_group_id)?.name ?? '' },
    after: { join_current: to.name },
  })
  return after
}
const hold = ({ tx }: WriteContext, way_id: number, is_held: boolean) =>
  tx.update(wecom_join_group).set({ is_held }).where(eq(wecom_join_group.way_id, way_id))
/** Pauses a code: scans say so, and its chats may serve another one. */
export const pauseJoin = async (context: WriteContext, one: One): Promise<Join> => {
  const { was } = await heldJoin(context, 'pause', one)
  await hold(context, was.id, false)
  return joins.save(context, was, { status: 'paused' })
}
/** Takes a paused code up again; 422 where another one has one of its chats meanwhile. */
export const resumeJoin = async (context: WriteContext, one: One): Promise<Join> => {
  const { was, chats } = await heldJoin(context, 'resume', one)
  const { mall_id } = was
  const live = chats.filter(chat => chat.status !== 'dismissed')
  await checkChats(context.tx, live, { mall_id, way_id: was.id })
  const asked = { room_low: was.room_low, auto: was.auto_create }
  const next = settled({ ...was, status: 'enabled' }, chats, asked)
  await placeChats(context.tx, was.id, { ids: chats.map(chat => chat.id) })
  if (next.current_group_id !== was.current_group_id)
    await logged(context, was.id, {
      from: was.current_group_id,
      to: next.current_group_id,
      why: 'set',
    })
  return joins.save(context, was, { ...next, ...freshWork(context.now) })
}
/** Puts a code away for good: scans say that it is over, and WeCom has it no more. */
export const archiveJoin = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Join> => {
  const { was } = await heldJoin(context, 'archive', one)
  await hold(context, was.id, false)
  return joins.save(
    context,
    was,
    { status: 'archived', reason, read_next_at: null, ...freshWork(context.now) },
    reason,
  )
}
