import { and, desc, eq, gt, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { holderOf, stateAt } from '#src/areas/audit/audit.ts'
import { claimsOf } from '#src/areas/audit/claiming.server.ts'
import {
  isDecidedTab,
  waitingOf,
  type Asker,
  type WaitingFilters,
  type WaitingTab,
} from '#src/areas/audit/waiting.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { risk_list } from '#src/areas/risk/risk.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { plainName } from '#src/server/db/names.ts'
import { countOf, pageOf } from '#src/server/db/paging.ts'
import { application, application_viewer, type Application } from './application.table.ts'
import {
  allFields,
  applicationCan,
  isOfShop,
  isOfStore,
  kindsIn,
  bodyFields,
  type ApplicationKind,
  type BodyField,
  type MerchantBody,
} from './application.ts'
import { applicationFindings, type ApplicationFinding, type Twin } from './findings.ts'
import { judgeShop } from './shopJudge.server.ts'
import { judgeStore } from './storeJudge.server.ts'

const t = application
/** Claiming and deciding what merchants apply for. */
export const applications = claimsOf({
  table: application,
  viewers: application_viewer,
  places: { city: t.city_id, owner: t.owner_id },
  can: applicationCan,
  mayDecide: staffId => sql`${t.owner_id} is distinct from ${staffId}`,
})

/** A merchant's own data as it stands. */
export const bodyOf = (row: typeof merchant.$inferSelect): MerchantBody =>
  Object.fromEntries(allFields.map(field => [field, row[field]])) as MerchantBody
/** The merchant as it would be once an application is approved. */
export const appliedTo = (
  row: typeof merchant.$inferSelect,
  { snapshot }: Pick<Application, 'snapshot'>,
): MerchantBody => ({ ...bodyOf(row), ...snapshot })

/** Merchants that have the name, credit code, phone or account of another. */
const twinsOf = async (db: Db, id: number, body: MerchantBody): Promise<Twin[]> => {
  const name = sql`${plainName(merchant.name)} = ${plainName(sql`${body.name}::text`)}`
  const ways: Record<Twin['by'][number], SQL> = {
    licence: eq(merchant.license_no, body.license_no),
    name,
    phone: body.contact_phone ? eq(merchant.contact_phone, body.contact_phone) : sql`false`,
    bank: body.bank_no ? eq(merchant.bank_no, body.bank_no) : sql`false`,
  }
  const keys = Object.keys(ways) as Twin['by'][number][]
  const by = sql<Twin['by']>`array_remove(array[${sql.join(
    keys.map(key => sql`case when ${ways[key]} then ${key}::text end`),
    sql`, `,
  )}], null)`
  return db
    .select({
      id: merchant.id,
      name: merchant.name,
      status: merchant.status,
      bd_name: sql<string>`coalesce(${admin.name}, '')`,
      by,
    })
    .from(merchant)
    .leftJoin(admin, eq(admin.id, merchant.bd_admin_id))
    .where(and(ne(merchant.id, id), or(...Object.values(ways))))
    .orderBy(merchant.id)
    .limit(20)
}
/** Why a merchant's credit code, phone or account is on the black list now. */
const blackOf = async (
  db: Db,
  body: MerchantBody,
  now: number,
): Promise<Partial<Record<'licence' | 'phone' | 'card', string>>> => {
  const values = { licence: body.license_no, phone: body.contact_phone, card: body.bank_no }
  const ways = Object.entries(values).map(
    ([type, value]) => sql`(${risk_list.type} = ${type} and ${risk_list.value} = ${value ?? ''})`,
  )
  const rows = await db
    .select({ type: risk_list.type, reason: risk_list.reason })
    .from(risk_list)
    .where(
      and(
        eq(risk_list.list, 'black'),
        eq(risk_list.status, 'on'),
        or(isNull(risk_list.until_at), gt(risk_list.until_at, now)),
        or(...ways),
      ),
    )
  return Object.fromEntries(rows.map(row => [row.type, row.reason]))
}
/** Categories by their ids, with the licences that they ask for. */
export const categoriesOf = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db
        .select({
          id: shop_category.id,
          name: shop_category.name,
          need_licenses: shop_category.need_licenses,
        })
        .from(shop_category)
        .where(inArray(shop_category.id, [...ids]))
        .orderBy(shop_category.sort, shop_category.id)

type Asking = Pick<Application, 'kind' | 'snapshot' | 'changed'> & {
  store_id?: number | null | undefined
}
/** What the rules say of an application as the merchant and the others stand now. */
export const judgeApplication = async (
  db: Db,
  of: Asking,
  row: typeof merchant.$inferSelect,
  now: number,
): Promise<{ found: ApplicationFinding[]; twins: Twin[] }> => {
  if (isOfStore(of.kind)) {
    const [shop] = await db
      .select()
      .from(store)
      .where(eq(store.id, of.store_id ?? 0))
    const standing = { row: shop!, owner: row, now }
    const { found } = await (isOfShop(of.kind)
      ? judgeShop(db, of, standing)
      : judgeStore(db, of, standing))
    return { found, twins: [] }
  }
  const body = appliedTo(row, of)
  // A transaction has one connection, so the questions follow each other.
  const twins = await twinsOf(db, row.id, body)
  const black = await blackOf(db, body, now)
  const categories = await categoriesOf(db, body.category_ids)
  const found = applicationFindings(
    {
      kind: of.kind,
      changed: of.changed.filter((field): field is BodyField => field in bodyFields),
      status: row.status,
      body,
      needed: categories.flatMap(one => one.need_licenses),
      twins,
      black,
    },
    now,
  )
  return { found, twins }
}

export type ApplicationTab = WaitingTab
export type ApplicationFilters = WaitingFilters & { kind?: ApplicationKind | undefined }
type Queue = Application['queue']
type Asked = { state: ApplicationTab } & ApplicationFilters

const waiting = waitingOf<typeof t, ApplicationFilters>({
  table: t,
  inScope: applications.inScope,
  inCity: city_id => eq(t.city_id, city_id),
})
/** The filters and figures of the queues of applications (waiting.server.ts). */
export const {
  matching: matchingApplications,
  where: applicationsWhere,
  today: applicationsToday,
  codesUsed,
} = waiting
/** How many rows each tab has, and of what waits each kind and each age. */
export const applicationCounts = (
  db: Db,
  queue: Queue,
  filters: ApplicationFilters,
  asker: Asker,
) => waiting.counts(db, queue, filters, { ...asker, kinds: kindsIn(queue) })
/** Applications as their queue shows them. */
export const applicationItems = async (db: Db, rows: readonly Application[], now: number) => {
  if (rows.length === 0) return []
  const cities = await db
    .select({ id: city.id, name: city.city_name })
    .from(city)
    .where(inArray(city.id, [...new Set(rows.map(row => row.city_id))]))
  const known = new Set(rows.flatMap(row => [row.owner_id ?? 0, row.submitted_by ?? 0]))
  const people = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, [...known]))
  const nameIn = (of: readonly { id: number; name: string }[], id: number | null) =>
    of.find(one => one.id === id)?.name ?? ''
  return rows.map(({ undo: _, snapshot: __, last_snapshot: ___, replaced: ____, ...row }) => {
    const holder = holderOf(row, now)
    return {
      ...row,
      city_name: nameIn(cities, row.city_id),
      bd_name: nameIn(people, row.owner_id),
      submitter_name: nameIn(people, row.submitted_by),
      state: stateAt(row, now),
      claimed_by: holder,
      claimer_name: holder === null ? null : row.claimer_name,
      claim_until: holder === null ? null : row.claim_until,
    }
  })
}
/** A page of a tab: what waits by its deadline, what is decided by its decision, the newest first. */
export const applicationPage = async (
  db: Db,
  queue: Queue,
  { page, pageSize, ...asked }: Asked & { page: number; pageSize: number },
  asker: Asker,
) => {
  const { state } = asked
  const where = applicationsWhere(queue, asked, asker)
  const isDecided = isDecidedTab(state)
  const rows = await pageOf(db, t, {
    where,
    by: isDecided ? t.decided_at : t.sla_at,
    down: isDecided,
    page,
    pageSize,
    reader: `${asker.staff.id}|application|${queue}|${JSON.stringify(asked)}`,
  })
  return {
    list: await applicationItems(db, rows as Application[], asker.now),
    ...(await countOf(db, t, where)),
  }
}
/** Applications of the same store, or of the same merchant itself in the same queue. */
export const sameAbout = ({
  queue,
  merchant_id,
  store_id,
}: Pick<Application, 'queue' | 'merchant_id' | 'store_id'>): SQL | undefined =>
  store_id === null
    ? and(eq(t.queue, queue), eq(t.merchant_id, merchant_id), isNull(t.store_id))
    : eq(t.store_id, store_id)
/** Earlier rounds of an application, and what its merchant applied for before, newest first. */
export const roundsOf = async (db: Db, of: Application) => {
  const [asked, others] = await Promise.all([
    db
      .select({ reason: op_log.reason, by: op_log.admin_name, at: op_log.created_at })
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'application'),
          eq(op_log.object_id, of.id),
          eq(op_log.result, 'ok'),
          sql`${op_log.after}->>'state' = 'need_more'`,
        ),
      )
      .orderBy(op_log.id),
    db
      .select()
      .from(t)
      .where(and(sameAbout(of), ne(t.id, of.id)))
      .orderBy(desc(t.id))
      .limit(15),
  ])
  return [
    ...asked.map(({ reason, by, at }, n) => ({
      kind: of.kind,
      round: n + 1,
      state: 'need_more' as const,
      reason_code: null,
      reason,
      by,
      at,
    })),
    ...others.map(one => ({
      kind: one.kind,
      round: one.round,
      state: one.state,
      reason_code: one.reason_code,
      reason: one.reason,
      by: one.decider_name,
      at: one.decided_at ?? one.submitted_at,
    })),
  ].sort((a, b) => b.at - a.at)
}
