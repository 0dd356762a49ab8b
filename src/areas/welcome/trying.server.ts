/** Which message would go, and why the others would not. */
import { and, asc, eq, ilike, ne, or, sql } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { codes } from '#src/areas/channelCode/codes.server.ts'
import { wecom_department, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { skippedWords } from '#src/areas/wecomMaterial/carried.ts'
import { resolved } from '#src/areas/wecomMaterial/sending.server.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { winningWelcome } from './resolving.ts'
import { caseOf, rulesOf, type ScannedCode } from './rules.server.ts'
import { filled } from './saying.ts'
import { namesFor } from './sending.server.ts'

const codeNumbered = async (db: Db, id: number): Promise<ScannedCode> => {
  const [code] = await db
    .select({
      id: channel_code.id,
      name: channel_code.name,
      welcome_id: channel_code.welcome_id,
    })
    .from(channel_code)
    .where(eq(channel_code.id, id))
  if (!code) throw missing()
  return code
}
/** The rule that welcomes a friend of an adviser at a time (unix seconds), and what the others lack. */
export const tryWelcome = async (
  db: Db,
  of: { staff_id: number; at: number; code_id?: number | undefined },
) => {
  const [adviser] = await db.select().from(wecom_staff).where(eq(wecom_staff.id, of.staff_id))
  if (!adviser) throw missing()
  const code = of.code_id === undefined ? null : await codeNumbered(db, of.code_id)
  const rules = await rulesOf(db)
  const asked = await caseOf(db, { userid: adviser.userid, adviser, code, at: of.at })
  const { winner, verdicts } = winningWelcome(rules, asked)
  const names = winner && (await namesFor(db, { rule: winner, adviser, customer: '小鹿' }))
  const said = winner && (await resolved(db, winner, of.at))
  return {
    adviser: adviser.name,
    code: code?.name ?? '',
    at: of.at,
    winner: winner
      ? {
          id: winner.id,
          name: winner.name,
          scope: winner.scope,
          text: filled(said!.text, names!),
          attachments: said!.pieces.map(one => one.piece),
          skipped: skippedWords(said!),
          coupon_id: winner.coupon_id,
        }
      : null,
    verdicts: verdicts.map(({ rule, verdict }) => ({
      id: rule.id,
      name: rule.name,
      scope: rule.scope,
      priority: rule.priority,
      hours: rule.hours,
      is_default: rule.is_default,
      verdict,
    })),
  }
}

type Asked = { keyword?: string | undefined; page: number; pageSize: number }
type Reading = { db: Db; staff: Staff }
/** A page of the advisers that the person sees who may have customers. */
export const pickAdvisers = async ({ keyword, page, pageSize }: Asked, { db, staff }: Reading) => {
  const mine = within(staff.scope, {
    mall: { several: sql`select unnest(${wecom_staff.mall_ids})` },
    city: {
      several: sql`select m.city_id from mall m where m.id = any(${wecom_staff.mall_ids})`,
    },
  })
  const where = and(
    eq(wecom_staff.status, 'active'),
    eq(wecom_staff.has_contact_right, true),
    mine,
    keyword
      ? or(ilike(wecom_staff.name, like(keyword)), eq(wecom_staff.userid, keyword))
      : undefined,
  )
  const list = await db
    .select({ id: wecom_staff.id, name: wecom_staff.name, position: wecom_staff.position })
    .from(wecom_staff)
    .where(where)
    .orderBy(asc(wecom_staff.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, wecom_staff, where)) }
}
/** A page of the live codes that the person sees, those of the past left out. */
export const pickCodes = async ({ keyword, page, pageSize }: Asked, { db, staff }: Reading) => {
  const c = channel_code
  const where = and(codes.seen(staff), ne(c.status, 'archived'), holding(keyword, [c.name], c.id))
  const list = await db
    .select({ id: c.id, name: c.name, group: c.group_name })
    .from(c)
    .where(where)
    .orderBy(asc(c.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, c, where)) }
}
/** A page of the departments that the person sees. */
export const pickDepartments = async (
  { keyword, page, pageSize }: Asked,
  { db, staff }: Reading,
) => {
  const malls = sql`select b.mall_id from wecom_department_mall b
    where b.department_id = ${wecom_department.id}`
  const mine = within(staff.scope, {
    mall: { several: malls },
    city: { several: sql`select m.city_id from mall m where m.id in (${malls})` },
  })
  const where = and(
    eq(wecom_department.is_deleted, false),
    mine,
    keyword ? ilike(wecom_department.name, like(keyword)) : undefined,
  )
  const list = await db
    .select({ id: wecom_department.id, name: wecom_department.name })
    .from(wecom_department)
    .where(where)
    .orderBy(asc(wecom_department.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, wecom_department, where)) }
}
