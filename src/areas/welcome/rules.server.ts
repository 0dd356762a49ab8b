/** Rules as they stand, and who they are for. */
import { eq, sql, type SQL } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { headed, joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { whole } from '#src/server/db/whole.ts'
import { attachmentKinds, type WelcomeAttachment } from './attachment.ts'
import { hoursText } from './hours.ts'
import { inOrder, type WelcomeCase, type WelcomeRule } from './resolving.ts'
import { wecom_welcome as t } from './welcome.table.ts'

export type Welcome = typeof t.$inferSelect
export type Rule = Welcome & WelcomeRule

const malls = sql`select ${t.mall_id} where ${t.mall_id} is not null
  union select b.mall_id from wecom_department_mall b where b.department_id = any(${t.department_ids})
  union select unnest(s.mall_ids) from wecom_staff s where s.id = any(${t.staff_ids})`
/** What is written of a rule by its form. */
export const writtenOfWelcome = [
  'name',
  'scope',
  'mall_id',
  'department_ids',
  'staff_ids',
  'priority',
  'hours',
  'text',
  'attachments',
  'coupon_id',
] as const
/** An attachment as the log tells of it. */
const attachmentName = (of: WelcomeAttachment): string => {
  if (of.kind === 'image') return joined(attachmentKinds.image)
  return joined(headed(attachmentKinds[of.kind], of.kind === 'material' ? `#${of.id}` : of.title))
}
/** Rules as handlers read, change and log them: each stands in the malls that it is for. */
export const welcomes = record(t, {
  object: 'wecom_welcome',
  label: row => row.name,
  keys: [...writtenOfWelcome, 'status', 'off_reason'],
  told: row => ({
    ...row,
    hours: joined(hoursText(row.hours)),
    attachments: row.attachments.map(attachmentName),
  }),
  current: row => row,
  places: {
    mall: { several: malls },
    city: { several: sql`select m.city_id from mall m where m.id in (${malls})` },
  },
})
/** Changes of who wins wait for each other. */
export const lockWelcomes = (tx: Db) => lockSequence(tx, 'wecom_welcome')

/** All rules in the order in which they win, each with whom it is for; those `where` it holds. */
export const rulesOf = async (db: Db, where?: SQL): Promise<Rule[]> => {
  const rows = await db
    .select({
      row: t,
      userids: sql<string[]>`array(select s.userid from wecom_staff s
        where s.id = any(${t.staff_ids}) order by s.id)`,
      departments: sql<number[]>`case when ${t.mall_id} is null then ${t.department_ids}
        else array(select b.department_id from wecom_department_mall b
          where b.mall_id = ${whole(t.mall_id)} order by b.department_id) end`,
    })
    .from(t)
    .where(where)
  return rows
    .map(({ row, userids, departments }) => ({ ...row, userids, department_ids: departments }))
    .sort(inOrder)
}

/** The departments of an adviser with all those above them, by their ids. */
export const departmentsOf = async (db: Db, numbers: readonly number[]): Promise<number[]> => {
  const { rows } = await db.execute<{ id: number }>(sql`
    with recursive up as (
      select d.id, d.parent_id from wecom_department d
        where d.dept_id = any(${sql.param(`{${numbers.join()}}`)}::int[])
      union select p.id, p.parent_id from wecom_department p join up on up.parent_id = p.id
    ) select id from up order by id`)
  return rows.map(row => row.id)
}
export type Adviser = typeof wecom_staff.$inferSelect
/** The adviser whom WeCom calls so; undefined for one who is not known here. */
export const adviserCalled = async (db: Db, userid: string): Promise<Adviser | undefined> =>
  (await db.select().from(wecom_staff).where(eq(wecom_staff.userid, userid)))[0]
export type ScannedCode = { id: number; name: string; welcome_id: number | null }
/** The live code that a scan tells of by its state; null where it is none of ours. */
export const codeOfState = async (db: Db, state: string): Promise<ScannedCode | null> => {
  if (state === '') return null
  const [code] = await db
    .select({
      id: channel_code.id,
      name: channel_code.name,
      welcome_id: channel_code.welcome_id,
    })
    .from(channel_code)
    .where(eq(channel_code.state_key, state))
  return code ?? null
}
/** A new friend as the resolver asks about one; `at` in unix seconds. */
export const caseOf = async (
  db: Db,
  of: { userid: string; adviser: Adviser | undefined; code: ScannedCode | null; at: number },
): Promise<WelcomeCase> => ({
  code: of.code,
  userid: of.userid,
  departments: await departmentsOf(db, of.adviser?.department_ids ?? []),
  at: of.at,
})
