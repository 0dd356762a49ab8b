import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding, listing, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { removed } from './groupDesk.server.ts'
import { memberTabs, STAT_DAYS, SUSPECT_GROUPS, type MemberTab } from './groups.ts'
import { joinScenes, quitScenes, type JoinScene } from './wecom.ts'
import { wecom_group_member } from './wecomGroup.table.ts'

const t = wecom_group_member
type Person = typeof wecom_group_member.$inferSelect
/** The people of chats, each seen by whoever sees the chat. */
const people = record(wecom_group_member, {
  object: 'wecom_group',
  label: row => row.nickname,
  keys: [],
  places: ({ scope }) => {
    const mine = within(scope, {
      mall: sql`g.mall_id`,
      city: sql`(select m.city_id from mall m where m.id = g.mall_id)`,
    })
    return mine && sql`exists (select 1 from wecom_group g where g.id = ${t.group_id} and ${mine})`
  },
})
/** In how many other chats that are not dismissed the same person is; named in full, as o has them too. */
const others = sql<number>`(select count(*)::int from wecom_group_member o
  join wecom_group h on h.id = o.group_id and h.status <> 'dismissed'
  where o.userid = wecom_group_member.userid and o.group_id <> wecom_group_member.group_id
    and o.left_at is null)`
const present = sql`${t.left_at} is null`
const suspect = sql`${present} and ${t.kind} = 'customer' and ${t.customer_id} is null
  and ${others} >= ${SUSPECT_GROUPS - 1}`
const parts: Readonly<Record<MemberTab, SQL>> = {
  customers: sql`${present} and ${t.kind} = 'customer'`,
  staff: sql`${present} and ${t.kind} = 'staff'`,
  unmatched: sql`${present} and ${t.kind} = 'customer' and not exists (select 1
    from wecom_customer c where c.id = ${t.customer_id} and c.member_id is not null)`,
  several: sql`${present} and ${t.kind} = 'customer' and ${others} > 0`,
  suspect,
  left: sql`${t.left_at} is not null`,
}
const notAsked = sql`not exists (select 1 from wecom_removal m
  where m.group_id = ${t.group_id} and m.userid = ${t.userid} and not ${removed(sql`m`)})`
/** How many people of a chat each part has. */
export const countPeople = async (db: Db, group_id: number): Promise<Record<string, number>> => {
  const counted: [string, number][] = []
  for (const [key, where] of Object.entries(parts))
    counted.push([key, (await countOf(db, t, and(eq(t.group_id, group_id), where))).total])
  return Object.fromEntries(counted)
}
/** People of a chat who look like advertisers, those in the most chats first. */
export const suspectsOf = (db: Db, group_id: number) =>
  db
    .select({ id: t.id, name: t.nickname, groups: others })
    .from(t)
    .where(and(eq(t.group_id, group_id), suspect))
    .orderBy(desc(others), t.id)
    .limit(20)

type Beside = {
  id: number
  member_id: number | null
  member_name: string
  uid: string
  level: number
  groups: { id: number; name: string }[]
  groups_n: number
  inviter_name: string
  removal: 'none' | 'open' | 'done'
}
/** What is known of people beside their row: the member, other chats, the inviter, what was asked. */
const besideOf = async (db: Db, staff: Staff, ids: readonly number[]) => {
  // Chats of others' malls are counted, and not named.
  const mine = within(staff.scope, {
    mall: sql`h.mall_id`,
    city: sql`(select m.city_id from mall m where m.id = h.mall_id)`,
  })
  const { rows } = await db.execute<Beside>(sql`
    select p.id, b.id member_id, coalesce(b.nickname, '') member_name, coalesce(b.uid, '') uid,
      coalesce(b.level, 0) level,
      coalesce((select jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name) order by h.id)
          filter (where ${mine ?? sql`true`})
        from wecom_group_member o join wecom_group h on h.id = o.group_id
          and h.status <> 'dismissed'
        where o.userid = p.userid and o.group_id <> p.group_id and o.left_at is null), '[]') groups,
      (select count(*)::int from wecom_group_member o join wecom_group h on h.id = o.group_id
          and h.status <> 'dismissed'
        where o.userid = p.userid and o.group_id <> p.group_id and o.left_at is null) groups_n,
      coalesce((select s.name from wecom_staff s where s.userid = p.inviter and p.inviter <> ''),
        (select i.nickname from wecom_group_member i where i.group_id = p.group_id
          and i.userid = p.inviter and p.inviter <> ''), '') inviter_name,
      coalesce((select case when ${removed(sql`m`)} then 'done' else 'open' end
        from wecom_removal m where m.group_id = p.group_id and m.userid = p.userid
        order by m.id desc limit 1), 'none') removal
    from wecom_group_member p left join wecom_customer c on c.id = p.customer_id
      left join member b on b.id = c.member_id
    where p.id = any(${sql.param(`{${ids.join()}}`)}::int[])`)
  return new Map(rows.map(row => [row.id, row]))
}
const shown = async (db: Db, rows: readonly Person[], { staff }: { staff: Staff }) => {
  const beside = await besideOf(
    db,
    staff,
    rows.map(row => row.id),
  )
  return rows.map(({ userid: _, inviter: __, nickname, ...row }) => {
    const { member_id, member_name, uid, level, ...of } = beside.get(row.id)!
    return {
      ...row,
      ...of,
      name: nickname,
      member: member_id === null ? null : { id: member_id, nickname: member_name, uid, level },
    }
  })
}
export type PeopleFilters = {
  group_id: number
  part?: MemberTab | undefined
  /** Only those whose removal the owner was not asked for, or has done. */
  askable?: boolean | undefined
  keyword?: string | undefined
}
/** The people of a chat, who joined last first; whoever left stands in a part of their own. */
export const peopleList = listing(people, {
  by: t.id,
  down: true,
  where: ({ group_id, part, askable, keyword }: PeopleFilters) =>
    and(
      eq(t.group_id, group_id),
      part ? parts[part] : present,
      askable ? notAsked : undefined,
      holding(keyword, [t.nickname]),
    ),
  shown,
})
type Shown = Awaited<ReturnType<typeof shown>>[number]
/**
 * How people of a chat are written into a file, all but the page, the right and the columns that a
 * page adds.
 */
export const peopleFile = {
  title: ['群成员', 'People of a chat'],
  columns: [
    { key: 'name', title: ['群成员', 'Name'] },
    { key: 'kind', title: ['类型', 'Kind'] },
    { key: 'member_name', title: ['会员', 'Member'] },
    { key: 'uid', title: ['会员号', 'Number'] },
    { key: 'level', title: ['等级', 'Level'] },
    { key: 'join_scene', title: ['入群方式', 'Joined by'] },
    { key: 'inviter_name', title: ['邀请人', 'Invited by'] },
    { key: 'joined_at', title: ['入群时间', 'Joined'], kind: 'time' },
    { key: 'left_at', title: ['退群时间', 'Left'], kind: 'time' },
    { key: 'quit_scene', title: ['退群方式', 'How'] },
    { key: 'groups_n', title: ['所在其他群', 'Other chats'], kind: 'number' },
    { key: 'double', title: ['重复入群', 'In several'] },
  ],
  words: (of: PeopleFilters, lang: Lang) => [
    `#${of.group_id}`,
    of.part && say(memberTabs[of.part], lang),
    of.keyword,
  ],
  cells: (row: Shown, { lang }: { lang: Lang }) => ({
    ...row,
    kind: say(row.kind === 'staff' ? ['员工', 'Colleague'] : ['客户', 'Customer'], lang),
    member_name: row.member?.nickname ?? '',
    uid: row.member?.uid ?? '',
    level: row.member ? `V${row.member.level}` : '',
    join_scene: say(joinScenes[row.join_scene], lang),
    quit_scene: row.quit_scene ? say(quitScenes[row.quit_scene], lang) : '',
    double: say(row.is_double ? ['是', 'Yes'] : ['否', 'No'], lang),
  }),
} as const
/** People of a chat by the ids of their rows. */
export const peopleIn = (db: Db, group_id: number, ids: readonly number[]): Promise<Person[]> =>
  db
    .select()
    .from(t)
    .where(and(eq(t.group_id, group_id), inArray(t.id, [0, ...ids])))
    .orderBy(t.id)

/**
 * Counts joins and leaves on each of so many days, a person once a day. Nothing is told beyond 180
 * days: they begin there, and `clipped` says so.
 */
export const movesOf = async (db: Db, group_id: number, of: { days: number; now: number }) => {
  const count = Math.min(of.days, STAT_DAYS)
  const from = dayStart(of.now) - (count - 1) * DAY
  const { rows } = await db.execute<{ day: string; joins: number; leaves: number }>(sql`
    select day, count(*) filter (where kind = 'join')::int joins,
      count(*) filter (where kind = 'leave')::int leaves
    from wecom_group_move where group_id = ${group_id} and day >= ${dateOf(from)} group by day`)
  const by = new Map(rows.map(row => [row.day, row]))
  return {
    clipped: of.days > STAT_DAYS,
    from: dateOf(from),
    days: Array.from({ length: count }, (_, n) => {
      const day = dateOf(from + n * DAY)
      return { day, joins: by.get(day)?.joins ?? 0, leaves: by.get(day)?.leaves ?? 0 }
    }),
  }
}
type DayMoves = { joins: number; leaves: number }
type SceneMoves = Readonly<Record<JoinScene, DayMoves>>
/**
 * Joins and leaves of chats on each of so many days, by the scene that people came by: joins less
 * leaves are the change of the people, of each day and of each scene. Nothing is told beyond 180
 * days, and `clipped` says so.
 */
export const sceneMovesOf = async (
  db: Db,
  group_ids: readonly number[],
  of: { days: number; now: number },
) => {
  const count = Math.min(of.days, STAT_DAYS)
  const from = dayStart(of.now) - (count - 1) * DAY
  const { rows } = await db.execute<DayMoves & { day: string; scene: JoinScene }>(sql`
    select day, scene, count(*) filter (where kind = 'join')::int joins,
      count(*) filter (where kind = 'leave')::int leaves
    from wecom_group_move where group_id = any(${sql.param(`{${group_ids.join()}}`)}::int[])
      and day >= ${dateOf(from)} group by day, scene`)
  const by = new Map(rows.map(row => [`${row.day} ${row.scene}`, row]))
  const at = (day: string, scene: JoinScene): DayMoves => {
    const row = by.get(`${day} ${scene}`)
    return { joins: row?.joins ?? 0, leaves: row?.leaves ?? 0 }
  }
  return {
    clipped: of.days > STAT_DAYS,
    from: dateOf(from),
    days: Array.from({ length: count }, (_, n) => {
      const day = dateOf(from + n * DAY)
      const scenes: SceneMoves = {
        invite: at(day, 'invite'),
        invite_link: at(day, 'invite_link'),
        qrcode: at(day, 'qrcode'),
      }
      const sum = (key: keyof DayMoves) =>
        Object.values(scenes).reduce((all, one) => all + one[key], 0)
      return { day, joins: sum('joins'), leaves: sum('leaves'), scenes }
    }),
  }
}
/** Paid orders of people of a chat since they joined it, by row; of the orders that are `mine`. */
export const ordersSince = async (
  db: Db,
  ids: readonly number[],
  mine: SQL | undefined,
): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await db.execute<{ id: number; n: number }>(sql`
    select p.id, count(${order.id})::int n from wecom_group_member p
      join wecom_customer c on c.id = p.customer_id
      join ${order} on ${order.member_id} = c.member_id and ${order.paid_at} >= p.joined_at
        and ${order.created_at} >= p.joined_at - ${DAY} and ${mine ?? sql`true`}
    where p.id = any(${sql.param(`{${ids.join()}}`)}::int[]) group by p.id`)
  return new Map(rows.map(row => [row.id, row.n]))
}
/** By which scene those came who joined in the last 30 days. */
export const scenesOf = async (db: Db, group_id: number, now: number) =>
  db
    .select({ scene: t.join_scene, n: sql<number>`count(*)::int` })
    .from(t)
    .where(
      and(
        eq(t.group_id, group_id),
        eq(t.kind, 'customer'),
        sql`${t.joined_at} >= ${now - 30 * DAY}`,
      ),
    )
    .groupBy(t.join_scene)
    .orderBy(desc(sql`2`))
