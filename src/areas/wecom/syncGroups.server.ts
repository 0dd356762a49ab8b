import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { wecom_customer, wecom_staff } from './wecom.table.ts'
import { wecom_group, wecom_group_member, wecom_group_move } from './wecomGroup.table.ts'
import type { WecomGroupChat, WecomGroupMember } from './wire.channel.ts'

/** A chat holds 200 unless it grew beyond that; WeCom tells of no limit. */
const roomFor = (n: number): number => (n <= 200 ? 200 : Math.max(500, n))
const scenes = { 1: 'invite', 2: 'invite_link', 3: 'qrcode' } as const
const idsOf = (ids: Iterable<number>) => sql`${sql.param(`{${[...ids].join()}}`)}::int[]`

/** Counts what chats and customers tell of each other; the caller holds the chats. */
export const recountGroups = async (
  tx: Db,
  groups: readonly number[],
  customers: readonly number[],
): Promise<void> => {
  if (groups.length > 0)
    await tx.execute(sql`
      update wecom_group g set member_count = n.n, staff_count = n.staff from (
        select g.id, count(m.id)::int n, (count(*) filter (where m.kind = 'staff'))::int staff
        from wecom_group g left join wecom_group_member m on m.group_id = g.id
          and m.left_at is null where g.id = any(${idsOf(groups)}) group by g.id) n
      where n.id = g.id`)
  if (customers.length > 0) {
    await tx
      .select({ id: wecom_customer.id })
      .from(wecom_customer)
      .where(inArray(wecom_customer.id, [...customers]))
      .orderBy(wecom_customer.id)
      .for('no key update')
    await tx.execute(sql`
      update wecom_customer c set group_count = n.n from (
        select c.id, count(m.id)::int n from wecom_customer c left join wecom_group_member m
          on m.customer_id = c.id and m.left_at is null
        where c.id = any(${idsOf(customers)}) group by c.id) n
      where n.id = c.id and c.group_count <> n.n`)
  }
}
/** The people of a chat by what they are here. */
const peopleOf = async (tx: Db, told: readonly WecomGroupMember[]) => {
  const staffNames = told.filter(one => one.type === 1).map(one => one.userid)
  const external = told.filter(one => one.type !== 1).map(one => one.userid)
  const staff = await tx
    .select({ id: wecom_staff.id, userid: wecom_staff.userid })
    .from(wecom_staff)
    .where(inArray(wecom_staff.userid, ['', ...staffNames]))
  const customers = await tx
    .select({ id: wecom_customer.id, userid: wecom_customer.external_userid })
    .from(wecom_customer)
    .where(inArray(wecom_customer.external_userid, ['', ...external]))
  return {
    staff: new Map(staff.map(one => [one.userid, one.id])),
    customers: new Map(customers.map(one => [one.userid, one.id])),
  }
}
/**
 * Keeps that somebody came or went. Whoever does the same a second time on a day has undone what lay
 * between: with it out, joins less leaves of a day stay the change of the people, by scene too.
 */
const move = async (tx: Db, of: typeof wecom_group_move.$inferInsert): Promise<void> => {
  const v = wecom_group_move
  const [fresh] = await tx.insert(v).values(of).onConflictDoNothing().returning({ at: v.at })
  if (fresh) return
  const own = and(eq(v.group_id, of.group_id), eq(v.userid, of.userid), eq(v.day, of.day))
  const other = of.kind === 'join' ? 'leave' : 'join'
  await tx.delete(v).where(and(own, eq(v.kind, other)))
  if (of.kind === 'join')
    await tx
      .update(v)
      .set({ scene: of.scene })
      .where(and(own, eq(v.kind, 'join')))
}

const latestOf = (chat: WecomGroupChat): Map<string, WecomGroupMember> => {
  const latest = new Map<string, WecomGroupMember>()
  for (const one of chat.member_list) {
    const other = latest.get(one.userid)
    if (!other || other.join_time < one.join_time) latest.set(one.userid, one)
  }
  return latest
}
/** The chat itself, without who is in it. Answers its id. */
const saveGroup = async (
  tx: Db,
  chat: WecomGroupChat,
  of: { members: number; now: number },
): Promise<number> => {
  const [owner] = await tx
    .select({ id: wecom_staff.id, status: wecom_staff.status })
    .from(wecom_staff)
    .where(eq(wecom_staff.userid, chat.owner))
  const values = {
    name: chat.name.slice(0, 40) || '未命名群聊',
    owner_id: owner?.id ?? null,
    admin_userids: (chat.admin_list ?? []).map(one => one.userid),
    notice: chat.notice ?? '',
    max_members: roomFor(of.members),
    status: !owner || owner.status === 'left' ? ('owner_left' as const) : ('normal' as const),
    synced_at: of.now,
  }
  const [row] = await tx
    .insert(wecom_group)
    .values({
      chat_id: chat.chat_id,
      opened_at: chat.create_time,
      ...values,
    })
    .onConflictDoUpdate({
      target: wecom_group.chat_id,
      set: {
        ...values,
        // What waits for its new owner is still on its way, whoever WeCom tells owns it now.
        status: sql`case when ${wecom_group.status} = 'transferring' then 'transferring'
          else ${values.status} end`,
        max_members: sql`greatest(${wecom_group.max_members}, ${values.max_members})`,
        version: sql`${wecom_group.version} + 1`,
      },
    })
    .returning({ id: wecom_group.id })
  return row!.id
}
type Person = {
  group_id: number
  one: WecomGroupMember
  was: typeof wecom_group_member.$inferSelect | undefined
  people: Awaited<ReturnType<typeof peopleOf>>
}
/** Somebody who is in the chat now; whoever joined anew since is told so in its moves. */
const takeMember = async (tx: Db, { group_id, one, was, people }: Person): Promise<void> => {
  const isNew = !was || was.left_at !== null || was.joined_at < one.join_time
  const facts = {
    kind: one.type === 1 ? ('staff' as const) : ('customer' as const),
    staff_id: people.staff.get(one.userid) ?? null,
    customer_id: people.customers.get(one.userid) ?? null,
    nickname: (one.group_nickname || one.name || was?.nickname || '').slice(0, 40),
    join_scene: scenes[(one.join_scene ?? 1) as 1] ?? ('invite' as const),
    inviter: one.invitor?.userid ?? '',
    joined_at: one.join_time,
    left_at: null,
    quit_scene: null,
  }
  await tx
    .insert(wecom_group_member)
    .values({ group_id, userid: one.userid, ...facts })
    .onConflictDoUpdate({
      target: [wecom_group_member.group_id, wecom_group_member.userid],
      set: facts,
    })
  const at = one.join_time
  const own = { group_id, userid: one.userid, day: dateOf(at), at }
  // Nobody told that they had left before they came again.
  if (isNew && was?.left_at === null)
    await move(tx, { ...own, kind: 'leave', scene: was.join_scene })
  if (isNew) await move(tx, { ...own, kind: 'join', scene: facts.join_scene })
}
/**
 * Takes a chat as WeCom tells it now: who is in it, and who is no more and is kept with the time.
 * The same person is one row, with the latest join.
 */
export const takeGroup = async (tx: Db, chat: WecomGroupChat, now: number): Promise<number> => {
  const latest = latestOf(chat)
  const told = [...latest.values()]
  const group_id = await saveGroup(tx, chat, { members: told.length, now })
  const people = await peopleOf(tx, told)
  const before = await tx
    .select()
    .from(wecom_group_member)
    .where(eq(wecom_group_member.group_id, group_id))
  const known = new Map(before.map(one => [one.userid, one]))
  for (const one of told)
    await takeMember(tx, { group_id, one, was: known.get(one.userid), people })
  const gone = before.filter(one => one.left_at === null && !latest.has(one.userid))
  for (const one of gone) {
    await tx
      .update(wecom_group_member)
      .set({ left_at: now, quit_scene: one.quit_scene ?? 'self' })
      .where(and(eq(wecom_group_member.id, one.id), isNull(wecom_group_member.left_at)))
    await move(tx, {
      group_id,
      userid: one.userid,
      kind: 'leave',
      scene: one.join_scene,
      day: dateOf(now),
      at: now,
    })
  }
  const touched = new Set([
    ...people.customers.values(),
    ...before.flatMap(one => one.customer_id ?? []),
  ])
  await recountGroups(tx, [group_id], [...touched])
  return group_id
}
/** Chats that a whole pull did not tell of were dismissed: they are kept, and nothing is done with them. */
export const dismissUntold = async (
  tx: Db,
  chat_ids: readonly string[],
  { started_at, now }: { started_at: number; now: number },
): Promise<number> => {
  const gone = await tx
    .update(wecom_group)
    .set({
      status: 'dismissed',
      dismissed_at: now,
      version: sql`${wecom_group.version} + 1`,
    })
    .where(
      and(
        notInArray(wecom_group.chat_id, ['', ...chat_ids]),
        sql`${wecom_group.status} <> 'dismissed'`,
        sql`${wecom_group.opened_at} < ${started_at}`,
      ),
    )
    .returning({ id: wecom_group.id })
  return gone.length
}
