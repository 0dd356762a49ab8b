/** What came of materials that were sent. */
import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { HolderKind } from './material.ts'

/** An order is put down to a link when it is paid within so long after a click. */
const CONVERTS = 7 * DAY
export type MaterialFigures = {
  /** Receivers of what WeCom has taken. */
  sends: number
  /** Receivers who were sent a link of their own. */
  linked: number
  /** How many of them opened it. */
  clickers: number
  /** How often links were opened, also those that many have in common. */
  opens: number
  /** Orders paid within 7 days after a click by the member who clicked. */
  orders: number
}
export const noFigures: MaterialFigures = { sends: 0, linked: 0, clickers: 0, opens: 0, orders: 0 }
/** Orders of the people who clicked, within the window after their first or their last click. */
const converted = sql`c.member_id is not null and o.member_id = c.member_id
  and o.paid_at >= s.first_click_at and o.paid_at < s.last_click_at + ${CONVERTS}
  and (o.paid_at < s.first_click_at + ${CONVERTS} or o.paid_at >= s.last_click_at)`
type Counted = MaterialFigures & { id: number }
const figuresBy = async (
  db: Db,
  by: ReturnType<typeof sql>,
  where: ReturnType<typeof sql>,
): Promise<ReadonlyMap<number, MaterialFigures>> => {
  const { rows } = await db.execute<Counted>(sql`
    select n.*, coalesce(f.orders, 0) orders from (
      select ${by} id, coalesce(sum(s.receivers) filter (where s.sent_at is not null), 0)::int sends,
        (count(*) filter (where s.sent_at is not null and s.token is not null
          and s.external_userid <> ''))::int linked,
        (count(*) filter (where s.clicks > 0 and s.external_userid <> ''))::int clickers,
        coalesce(sum(s.clicks), 0)::int opens
      from wecom_material_send s where ${where} group by 1) n
    left join (
      select ${by} id, count(distinct o.id)::int orders
      from wecom_material_send s join wecom_customer c on c.external_userid = s.external_userid
        join "order" o on ${converted}
      where s.first_click_at is not null and ${where} group by 1) f on f.id = n.id`)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
type AdviserFigures = Pick<MaterialFigures, 'sends' | 'opens'> & {
  /** Null for what no adviser sent by themselves, as greetings of groups. */
  staff_id: number | null
  name: string
}
/**
 * What advisers sent of each of these materials, by welcomes and in mass messages, and how often
 * that was opened, who was opened most first; over all of them it comes to `figuresOf`.
 */
export const figuresOfAdvisers = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AdviserFigures[]>> => {
  const found = new Map<number, AdviserFigures[]>(ids.map(id => [id, []]))
  if (ids.length === 0) return found
  const { rows } = await db.execute<AdviserFigures & { material_id: number }>(sql`
    select n.*, coalesce(w.name, '') "name" from (
      select s.material_id, coalesce(p.staff_id, g.staff_id) staff_id,
        coalesce(sum(s.receivers) filter (where s.sent_at is not null), 0)::int sends,
        coalesce(sum(s.clicks), 0)::int opens
      from wecom_material_send s
        left join wecom_send_part p on s.holder = 'mass' and p.id = s.send_id
        left join wecom_welcome_send g on s.holder = 'welcome' and g.id = s.send_id
      where s.material_id in ${[...ids]} group by 1, 2) n
    left join wecom_staff w on w.id = n.staff_id
    where n.sends > 0 or n.opens > 0
    order by n.opens desc, n.sends desc, n.staff_id`)
  for (const { material_id, ...row } of rows) found.get(material_id)!.push(row)
  return found
}
/** What came of each of these materials since it was first sent, over all of its versions. */
export const figuresOf = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? new Map<number, MaterialFigures>()
    : figuresBy(db, sql`s.material_id`, sql`s.material_id in ${[...ids]}`)
/** The same of one material by its versions. */
export const figuresOfVersions = (db: Db, material_id: number) =>
  figuresBy(db, sql`s.content_n`, sql`s.material_id = ${material_id}`)
/** The same of the links that each of these messages carried, since a time (unix seconds). */
export const figuresOfHolders = async (
  db: Db,
  holder: HolderKind,
  { ids, since }: { ids: readonly number[]; since: number },
) =>
  ids.length === 0
    ? new Map<number, MaterialFigures>()
    : figuresBy(
        db,
        sql`s.holder_id`,
        sql`s.holder = ${holder} and s.holder_id in ${[...ids]} and s.sent_at >= ${since}`,
      )
