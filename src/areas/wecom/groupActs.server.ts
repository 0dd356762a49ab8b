import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { groupPage } from '#commands/pages/vip.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { joinedNames } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { groups, removed, type Group } from './groupDesk.server.ts'
import { peopleIn } from './groupPeople.server.ts'
import { matchByUnionid } from './matching.server.ts'
import { recountGroups } from './syncGroups.server.ts'
import { addTasks } from './tasks.server.ts'
import { askGroupTransfers, receiverOf } from './transfers.server.ts'
import { wecom_customer, wecom_staff } from './wecom.table.ts'
import { wecom_group_member } from './wecomGroup.table.ts'
import { wecom_removal } from './wecomJoin.table.ts'
import { wecom_send_part, wecom_send_result, wecom_send_task } from './wecomSend.table.ts'

/** The days of a month such as 2026-02. */
const daysOf = (month: string): number => {
  const [year, of] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, of!, 0)).getUTCDate()
}
/** Texts that one chat may get in the month of a moment. */
export const massesMost = (at: number): number => daysOf(dateOf(at).slice(0, 7))

/** Asks WeCom for a new owner of a chat, by the rules of hand-overs; 422 says which one forbids it. */
export const moveOwner = async (
  context: WriteContext,
  group: Group,
  of: { to_staff_id: number; reason: string },
): Promise<Group> => {
  const { tx, staff } = context
  const [from] = await tx
    .select()
    .from(wecom_staff)
    .where(eq(wecom_staff.id, group.owner_id ?? 0))
  if (!from) throw missing()
  const receiver = await receiverOf(context, from, of.to_staff_id)
  if (!receiver.has_group_right)
    throw ruled('receiver', ['{who} 未开通客户群，不能任群主', '{who} has no right to own chats'], {
      who: receiver.name,
    })
  const { failed } = await askGroupTransfers(context, {
    from,
    to: receiver,
    ids: [group.id],
    reason: of.reason,
  })
  const [why] = failed
  if (why) throw ruled(`group_${why.code}`, [why.msg, why.msg])
  groups.log(context, group, {
    before: { owner: from.name },
    after: { owner: receiver.name },
    ...(of.reason && { reason: of.reason }),
  })
  return groups.read(tx, staff, group.id)
}

/**
 * Plans a text to a chat, which its owner confirms in WeCom; `send_at` in unix seconds. A chat gets
 * at most as many in a month as the month has days. The caller holds the chat.
 */
export const planGroupMass = async (
  { tx, staff, now }: WriteContext,
  group: Group,
  of: { content: string; send_at: number },
): Promise<{ task_id: number; count: number; most: number }> => {
  const send_at = Math.max(of.send_at, now)
  const month = dateOf(send_at).slice(0, 7)
  const most = massesMost(send_at)
  const r = wecom_send_result
  const had = await tx.$count(
    r,
    and(eq(r.group_id, group.id), eq(r.month, month), inArray(r.status, ['unsent', 'sent'])),
  )
  if (had >= most)
    throw ruled(
      'group_masses',
      ['该群 {month} 已群发 {n} 次，已达当月天数', 'The chat had {n} in {month}, one for each day'],
      { month, n: had },
    )
  const [task] = await tx
    .insert(wecom_send_task)
    .values({
      target: 'group_chat',
      content: of.content,
      send_at,
      created_by: staff.id,
      created_at: now,
    })
    .returning({ id: wecom_send_task.id })
  const part = { task_id: task!.id, staff_id: group.owner_id! }
  await tx.insert(wecom_send_part).values({ ...part, next_at: send_at })
  await tx.insert(wecom_send_result).values({ ...part, group_id: group.id, month })
  return { task_id: task!.id, count: had + 1, most }
}

/**
 * Asks the owner of a chat to take people out of it: the console can't. It is done once they have
 * left. Answers for how many it was asked, and whether the owner hears of it in the console. The
 * caller holds the chat.
 */
export const askRemoval = async (
  { tx, staff, now }: WriteContext,
  group: Group,
  { ids, reason }: { ids: readonly number[]; reason: string },
): Promise<{ asked: number; told: boolean; names: string }> => {
  const people = await peopleIn(tx, group.id, ids)
  if (people.length < new Set(ids).size) throw missing()
  const inside = people.find(one => one.kind === 'staff')
  if (inside)
    throw ruled(
      'removal_staff',
      ['“{who}”是员工，请在企微中处理', '{who} is a colleague: see to it in WeCom'],
      { who: inside.nickname },
    )
  const gone = people.find(one => one.left_at !== null)
  if (gone)
    throw ruled('removal_left', ['“{who}”已退群', '{who} has left the chat'], {
      who: gone.nickname,
    })
  const userids = people.map(one => one.userid)
  const { rows } = await tx.execute<{ nickname: string }>(sql`
    select m.nickname from wecom_removal m where m.group_id = ${group.id}
      and m.userid in ${userids} and not ${removed(sql`m`)} limit 1`)
  if (rows[0])
    throw ruled(
      'removal_open',
      ['“{who}”已在移除提醒中，等待群主处理', 'The owner was asked to remove {who} already'],
      { who: rows[0].nickname },
    )
  await tx.insert(wecom_removal).values(
    people.map(({ userid, nickname }) => ({
      group_id: group.id,
      userid,
      nickname,
      owner_id: group.owner_id!,
      reason,
      asked_by: staff.id,
      asked_at: now,
    })),
  )
  const [owner] = await tx
    .select({ admin_id: wecom_staff.admin_id })
    .from(wecom_staff)
    .where(eq(wecom_staff.id, group.owner_id!))
  const names = joinedNames(people.map(one => one.nickname))
  await tellPeople(tx, {
    to: [owner?.admin_id ?? null],
    by: staff.id,
    kind: 'wecom_removal',
    about: `wecom_removal:${group.id}:${now}`,
    facts: {
      of: group.name,
      n: people.length,
      names,
      why: reason,
    },
    address: to(groupPage, { id: group.id }),
  })
  return { asked: people.length, told: owner?.admin_id != null, names }
}
/** What owners were asked to remove, the latest first, each with whether it was done. */
export const removalsOf = async (db: Db, group_id: number) => {
  const { rows } = await db.execute<{
    id: number
    nickname: string
    owner: string
    reason: string
    by: string
    asked_at: string
    done_at: string | null
  }>(sql`
    select m.id, m.nickname, s.name owner, m.reason, a.name by, m.asked_at,
      case when ${removed(sql`m`)} then coalesce(
        (select min(v.at) from wecom_group_move v where v.group_id = m.group_id
          and v.userid = m.userid and v.kind = 'leave' and v.at >= m.asked_at),
        (select p.left_at from wecom_group_member p where p.group_id = m.group_id
          and p.userid = m.userid)) end done_at
    from wecom_removal m join wecom_staff s on s.id = m.owner_id join admin a on a.id = m.asked_by
    where m.group_id = ${group_id} order by m.id desc limit 50`)
  return rows.map(row => ({
    ...row,
    asked_at: Number(row.asked_at),
    done_at: row.done_at === null ? null : Number(row.done_at),
  }))
}

/**
 * Joins the people of a chat with customers whom advisers have added meanwhile, and those with
 * members of the same unionid. The caller holds the chat.
 */
export const matchPeople = async (
  tx: Db,
  group_id: number,
): Promise<{ linked: number; matched: number }> => {
  const linked = await tx.execute<{ customer_id: number }>(sql`
    update wecom_group_member p set customer_id = c.id, version = p.version + 1
    from wecom_customer c where p.group_id = ${group_id} and p.kind = 'customer'
      and p.customer_id is null and c.external_userid = p.userid returning c.id customer_id`)
  const p = wecom_group_member
  const present = await tx
    .select({ id: wecom_customer.id })
    .from(p)
    .innerJoin(wecom_customer, eq(wecom_customer.id, p.customer_id))
    .where(and(eq(p.group_id, group_id), isNull(p.left_at), isNull(wecom_customer.member_id)))
    .orderBy(wecom_customer.id)
  await recountGroups(
    tx,
    [],
    linked.rows.map(row => row.customer_id),
  )
  const matched =
    present.length === 0
      ? 0
      : await matchByUnionid(
          tx,
          present.map(one => one.id),
        )
  return { linked: linked.rows.length, matched }
}
/** Marks who of a chat is in another one too, and nobody else. Answers how many, and how many new. */
export const markDoubles = async (
  tx: Db,
  group_id: number,
): Promise<{ marked: number; fresh: number }> => {
  const { rows } = await tx.execute<{ is: boolean; changed: boolean }>(sql`
    with of as (select p.id, p.is_double was, p.left_at is null and p.kind = 'customer' and exists (
        select 1 from wecom_group_member o join wecom_group h on h.id = o.group_id
          and h.status <> 'dismissed'
        where o.userid = p.userid and o.group_id <> p.group_id and o.left_at is null) is_now
      from wecom_group_member p where p.group_id = ${group_id}),
    done as (update wecom_group_member p set is_double = of.is_now, version = p.version + 1
      from of where of.id = p.id and of.was <> of.is_now returning p.id)
    select of.is_now "is", done.id is not null changed from of left join done on done.id = of.id`)
  return {
    marked: rows.filter(row => row.is).length,
    fresh: rows.filter(row => row.is && row.changed).length,
  }
}

type Since = { ordered: number; orders: number; gmv_cents: number }
/** What members in a chat bought since they joined it, within 180 days, as far as `mine` of `o`. */
export const boughtSince = async (
  db: Db,
  group_id: number,
  of: { now: number; days: number; mine: ReturnType<typeof and> },
): Promise<Since> => {
  const { rows } = await db.execute<{ ordered: number; orders: number; gmv: string }>(sql`
    select count(distinct o.member_id)::int ordered, count(o.id)::int orders,
      coalesce(sum(o.paid_cents), 0) gmv
    from wecom_group_member p join wecom_customer c on c.id = p.customer_id
      join "order" o on o.member_id = c.member_id and o.paid_at >= p.joined_at
        and o.created_at >= ${of.now - of.days * DAY} and o.paid_at >= ${of.now - of.days * DAY}
    where p.group_id = ${group_id} and p.left_at is null and ${of.mine ?? sql`true`}`)
  const [row] = rows
  return { ordered: row!.ordered, orders: row!.orders, gmv_cents: Number(row!.gmv) }
}

type Tagged = { tagged: number; had: number; strangers: number }
/**
 * Asks WeCom to tag the customers in a chat, by the relation of its owner where there is one and else
 * of another adviser in service; whoever is nobody's contact can't be tagged. Answers how many were
 * asked for, had the tags, and are strangers.
 */
export const tagPeople = async (
  { tx, staff, now }: WriteContext,
  group: Group,
  tag_ids: readonly number[],
): Promise<Tagged> => {
  const wanted = sql`${sql.param(`{${tag_ids.join()}}`)}::int[]`
  const { rows } = await tx.execute<{
    customer_id: number | null
    follow_id: number | null
    staff_id: number | null
    had: boolean
  }>(sql`
    select distinct on (p.id) p.customer_id, f.id follow_id, f.staff_id,
      coalesce(f.tag_ids @> ${wanted}, false) had
    from wecom_group_member p
      left join (wecom_follow f join wecom_staff s on s.id = f.staff_id and s.status = 'active')
        on f.customer_id = p.customer_id and f.status = 'following'
    where p.group_id = ${group.id} and p.kind = 'customer' and p.left_at is null
    order by p.id, (f.staff_id = ${group.owner_id}) desc nulls last, f.id`)
  const fit = rows.filter(row => row.follow_id !== null && !row.had)
  await addTasks(
    tx,
    now,
    fit.map(row => ({
      kind: 'tag' as const,
      customer_id: row.customer_id!,
      follow_id: row.follow_id!,
      staff_id: row.staff_id!,
      body: { add: tag_ids },
      asked_by: staff.id,
    })),
  )
  return {
    tagged: fit.length,
    had: rows.filter(row => row.had).length,
    strangers: rows.filter(row => row.follow_id === null).length,
  }
}
