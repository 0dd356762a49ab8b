/** Templates of groups as handlers read and show them. */
import {
  and,
  desc,
  eq,
  ilike,
  inArray,
  isNull,
  ne,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { groups } from '#src/areas/wecom/groupDesk.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { carriedMaterials } from '#src/areas/wecomMaterial/sending.server.ts'
import type { Lang } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { faultWords } from './appMessages.server.ts'
import { attachmentKinds, materialIdsIn } from './attachment.ts'
import {
  wecom_group_welcome,
  wecom_group_welcome_chat as c,
  wecom_group_welcome_notice as n,
} from './groupWelcome.table.ts'
import { MERGED_WITHIN, type TemplateWork } from './groupWelcome.ts'

const t = wecom_group_welcome
const g = wecom_group
export type Template = typeof wecom_group_welcome.$inferSelect
export const writtenOfTemplate = ['name', 'mall_id', 'text', 'attachment', 'notify'] as const
/** Templates as handlers read, change and log them; one of no mall is seen by headquarters alone. */
export const templates = record(wecom_group_welcome, {
  object: 'wecom_group_welcome',
  label: row => row.name,
  keys: [...writtenOfTemplate],
  places: {
    mall: t.mall_id,
    city: sql`(select m.city_id from mall m where m.id = ${t.mall_id})`,
  },
  told: ({ id, version, name, mall_id, text, attachment, notify }) => ({
    id,
    version,
    name,
    mall_id,
    text,
    attachment: attachment && attachmentKinds[attachment.kind][0],
    notify,
  }),
})
/** Chats that have templates, with their owners; those that were dismissed are left out. */
export const chatsOf = async (db: Db, welcome_ids: readonly number[]) =>
  db
    .select({
      welcome_id: c.welcome_id,
      id: g.id,
      name: g.name,
      mall_id: g.mall_id,
      member_count: g.member_count,
      applied_at: c.applied_at,
      owner_id: g.owner_id,
      owner: sql<string>`coalesce(${wecom_staff.name}, '')`,
      owner_able: sql<boolean>`coalesce(${wecom_staff.status} = 'active', false)`,
    })
    .from(c)
    .innerJoin(g, eq(g.id, c.group_id))
    .leftJoin(wecom_staff, eq(wecom_staff.id, g.owner_id))
    .where(and(inArray(c.welcome_id, [0, ...welcome_ids]), ne(g.status, 'dismissed')))
    .orderBy(g.id)
type Counted = { welcome_id: number; joins: number; sends: number }
/**
 * Joins of the last 7 days in the chats of templates since each got it, and the messages that they
 * come to: joins that follow each other closely get one.
 */
const weekOf = async (db: Db, ids: readonly number[], now: number) => {
  const { rows } = await db.execute<Counted>(sql`
    with joins as (
      select c.welcome_id, v.at - lag(v.at) over (partition by v.group_id order by v.at, v.userid) gap
      from wecom_group_welcome_chat c join wecom_group_move v on v.group_id = c.group_id
        and v.kind = 'join' and v.at >= greatest(c.applied_at, ${now - 7 * DAY})
      where c.welcome_id in ${[0, ...ids]})
    select welcome_id, count(*)::int joins,
      (count(*) filter (where gap is null or gap > ${MERGED_WITHIN}))::int sends
    from joins group by 1`)
  return new Map(rows.map(row => [row.welcome_id, row]))
}
type Named = { id: number; name: string }
const named = async (rows: Promise<Named[]>): Promise<ReadonlyMap<number, string>> =>
  new Map((await rows).map(row => [row.id, row.name]))
const shown = async (
  db: Db,
  rows: readonly Template[],
  { staff, now }: { staff: Staff; now: number },
) => {
  const ids = rows.map(row => row.id)
  const chats = await chatsOf(db, ids)
  const weeks = await weekOf(db, ids, now)
  const malls = await named(
    db
      .select({ id: mall.id, name: mall.name })
      .from(mall)
      .where(inArray(mall.id, [0, ...rows.flatMap(row => row.mall_id ?? [])])),
  )
  const people = await named(
    db
      .select({ id: admin.id, name: admin.name })
      .from(admin)
      .where(inArray(admin.id, [0, ...rows.flatMap(row => row.edited_by ?? [])])),
  )
  const carried = await carriedMaterials(
    db,
    rows.flatMap(row => (row.attachment ? materialIdsIn([row.attachment]) : [])),
    now,
  )
  return rows.map(row => {
    const own = chats.filter(chat => chat.welcome_id === row.id)
    const { joins = 0, sends = 0 } = weeks.get(row.id) ?? {}
    return {
      ...row,
      mall_name: row.mall_id === null ? '' : (malls.get(row.mall_id) ?? ''),
      chats: own,
      chats_n: own.length,
      joins_7d: joins,
      sends_7d: sends,
      edited_by: row.edited_by === null ? '' : (people.get(row.edited_by) ?? ''),
      why: faultWords(row, staff.lang),
      materials: carried.filter(
        one => row.attachment?.kind === 'material' && row.attachment.id === one.id,
      ),
    }
  })
}
export type TemplateFilters = {
  keyword?: string | undefined
  status?: TemplateWork | undefined
  mid?: number | undefined
  id?: number | undefined
}
const whereOf = ({ keyword, status, mid, id }: TemplateFilters): SQL | undefined =>
  and(
    isNull(t.gone_at),
    holding(keyword, [t.name, t.text]),
    equal(t, { work: status, id }),
    mid === 0 ? isNull(t.mall_id) : undefined,
    mid ? eq(t.mall_id, mid) : undefined,
  )
export const templateList = listing(templates, {
  by: t.id,
  down: true,
  where: whereOf,
  shown,
})
/** How many templates each state has, of those that the filters leave. */
export const countWorks = async (db: Db, staff: Staff, { status: _, ...of }: TemplateFilters) => {
  const rows = await db
    .select({ work: t.work, n: sql<number>`count(*)::int` })
    .from(t)
    .where(and(templates.seen(staff), whereOf(of)))
    .groupBy(t.work)
  return Object.fromEntries(rows.map(row => [row.work, row.n]))
}
type Asked = { keyword?: string | undefined; page: number; pageSize: number }
type Reading = { db: Db; staff: Staff }
/** A page of the chats that may get a template: in use, of its mall, their owner in service. */
export const pickChats = async (
  { keyword, page, pageSize, id }: Asked & { id: number },
  { db, staff }: Reading,
) => {
  const { mall_id } = await templates.read(db, staff, id)
  const had = db.select({ id: c.group_id }).from(c).where(eq(c.welcome_id, id))
  const where = and(
    groups.seen(staff),
    inArray(g.status, ['normal', 'transferring']),
    notInArray(g.id, had),
    sql`exists (select 1 from wecom_staff s where s.id = ${g.owner_id} and s.status = 'active')`,
    mall_id === null ? undefined : eq(g.mall_id, mall_id),
    keyword ? ilike(g.name, like(keyword)) : undefined,
  )
  const now = sql<string>`coalesce((select w.name from wecom_group_welcome_chat x
    join wecom_group_welcome w on w.id = x.welcome_id where x.group_id = wecom_group.id), '')`
  const list = await db
    .select({ id: g.id, name: g.name, member_count: g.member_count, now })
    .from(g)
    .where(where)
    .orderBy(g.id)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, g, where)) }
}
/** A page of the chats that have a template. */
export const pickApplied = async (
  { keyword, page, pageSize, id }: Asked & { id: number },
  { db, staff }: Reading,
) => {
  await templates.read(db, staff, id)
  const where = and(
    groups.seen(staff),
    ne(g.status, 'dismissed'),
    sql`exists (select 1 from wecom_group_welcome_chat x
      where x.group_id = ${g.id} and x.welcome_id = ${id})`,
    holding(keyword, [g.name]),
  )
  const list = await db
    .select({ id: g.id, name: g.name })
    .from(g)
    .where(where)
    .orderBy(g.id)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, g, where)) }
}
/** A page of the other templates that chats of one may turn to. */
export const pickReplacements = async (
  { keyword, page, pageSize, id }: Asked & { id: number },
  { db, staff }: Reading,
) => {
  const { mall_id } = await templates.read(db, staff, id)
  const where = and(
    templates.seen(staff),
    isNull(t.gone_at),
    ne(t.id, id),
    ne(t.work, 'failed'),
    mall_id === null ? isNull(t.mall_id) : or(isNull(t.mall_id), eq(t.mall_id, mall_id)),
    holding(keyword, [t.name]),
  )
  const list = await db
    .select({ id: t.id, name: t.name })
    .from(t)
    .where(where)
    .orderBy(desc(t.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, t, where)) }
}
/** The last reminders of owners, the newest first. */
export const lastNotices = async (db: Db, welcome_id: number, lang: Lang) => {
  const rows = await db
    .select({ notice: n, owner: wecom_staff.name })
    .from(n)
    .innerJoin(wecom_staff, eq(wecom_staff.id, n.staff_id))
    .where(eq(n.welcome_id, welcome_id))
    .orderBy(desc(n.id))
    .limit(20)
  return rows.map(({ notice, owner }) => ({
    id: notice.id,
    owner,
    chats: notice.chats,
    asked_at: notice.asked_at,
    state: notice.state,
    why: faultWords(notice, lang),
  }))
}
