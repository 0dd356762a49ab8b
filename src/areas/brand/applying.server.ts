import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { application, type Application } from '#src/areas/application/application.table.ts'
import { SLA_S, openStates } from '#src/areas/application/application.ts'
import { applications } from '#src/areas/application/applications.server.ts'
import { noteApplication } from '#src/areas/application/deciding.server.ts'
import { e_category, merchant, shop_category } from '#src/areas/merchant/merchant.table.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { isNamed } from '#src/server/db/names.ts'
import { brand } from './brand.table.ts'
import { brandFindings, type BrandBody, type BrandFinding } from './brandBody.ts'
import { categoryNames } from './brands.server.ts'
import { SUGGESTED_ABOVE, finderOf, plainBrand, type Alike } from './likeness.ts'

type Merchant = typeof merchant.$inferSelect
/** Brands that may be shown beside another: alike by half. */
const SHOWN_ABOVE = 50

/** The brand that an application is about. */
export const bodyOf = ({ snapshot }: Pick<Application, 'snapshot'>): BrandBody => snapshot.brand!

/** Classes of trademarks that cover a category: its own, or those of the nearest above that says some. */
const classesOf = async (db: Db, category_id: number): Promise<number[]> => {
  const { rows } = await db.execute<{ classes: number[] }>(sql`
    with recursive all_of as (select id, parent_id, trademark_classes classes from ${shop_category} union all select id, parent_id, trademark_classes from ${e_category}),
      up as (select id, parent_id, classes, 0 as n from all_of where id = ${category_id} union all select a.id, a.parent_id, a.classes, n + 1 from up join all_of a on a.id = up.parent_id and jsonb_array_length(up.classes) = 0)
    select classes from up where jsonb_array_length(classes) > 0 order by n limit 1`)
  return rows[0]?.classes ?? []
}
/** Brands that stand, but one, for comparing names. */
const namesBut = (db: Db, id: number | undefined) =>
  db
    .select({ id: brand.id, name: brand.name, en_name: brand.en_name })
    .from(brand)
    .where(and(ne(brand.state, 'merged'), id === undefined ? undefined : ne(brand.id, id)))
/** Brands like the one that is applied for, the most alike first. */
export const alikeTo = async (db: Db, body: BrandBody): Promise<Alike[]> => {
  const find = finderOf(await namesBut(db, body.brand_id))
  const both = [body.name, body.en_name].filter(Boolean)
  const best = new Map<number, Alike>()
  for (const one of both.flatMap(name => find(plainBrand(name), SHOWN_ABOVE)))
    if ((best.get(one.id)?.percent ?? 0) < one.percent) best.set(one.id, one)
  return [...best.values()].sort((a, b) => b.percent - a.percent || a.id - b.id).slice(0, 5)
}
const twinsOf = async (db: Db, body: BrandBody, alike: readonly Alike[]) => {
  const but = body.brand_id === undefined ? undefined : ne(brand.id, body.brand_id)
  const columns = { id: brand.id, name: brand.name, percent: sql<number>`100` }
  const same_name = await db
    .select(columns)
    .from(brand)
    .where(and(isNamed(brand.name, body.name), but))
  const trademark_taken = await db
    .select(columns)
    .from(brand)
    .where(and(eq(brand.trademark_no, body.trademark_no), ne(brand.state, 'merged'), but))
    .limit(5)
  const isNew = ({ id, percent }: Alike) =>
    percent > SUGGESTED_ABOVE && !same_name.some(one => one.id === id)
  return { same_name, trademark_taken, alike: alike.filter(isNew) }
}

/** What the rules say of an application for a brand as things stand now. */
export const judgeBrand = async (
  db: Db,
  body: BrandBody,
  row: Merchant,
  now: number,
): Promise<{ found: BrandFinding[]; alike: Alike[]; needed: number[] }> => {
  // A transaction has one connection, so the questions follow each other.
  const alike = await alikeTo(db, body)
  const twins = await twinsOf(db, body, alike)
  const names = await categoryNames(db, [body.category_id])
  const needed = await classesOf(db, body.category_id)
  const standing =
    body.brand_id === undefined ||
    (
      await db
        .select({ id: brand.id })
        .from(brand)
        .where(and(eq(brand.id, body.brand_id), eq(brand.state, 'on')))
    ).length > 0
  const found = brandFindings(
    {
      body,
      merchant: { name: row.name, is_active: row.status === 'active' },
      is_standing: standing,
      category: names.get(body.category_id) ?? `#${body.category_id}`,
      needed,
      twins,
    },
    now,
  )
  return { found, alike, needed }
}

const waiting = () =>
  ruled('in_audit', [
    '该商户的同名品牌已有待审核的申请，审核结束后再提交',
    'Its application for this brand is in audit: submit after that',
  ])
/** The merchant's application for a brand that was decided last, or sent back. */
const lastFor = async (
  db: Db,
  merchant_id: number,
  name: string,
): Promise<Application | undefined> => {
  const [row] = await db
    .select()
    .from(application)
    .where(
      and(
        eq(application.queue, 'brand'),
        eq(application.merchant_id, merchant_id),
        isNamed(application.title, name),
      ),
    )
    .orderBy(desc(application.id))
    .limit(1)
  return row
}
/** Puts what a merchant applies for into the queue: again where more was asked for, or as a new row. */
export const submitBrand = async (
  { tx, staff, now, log }: WriteContext,
  row: Merchant,
  body: BrandBody,
  was?: Application,
): Promise<Application> => {
  const { found } = await judgeBrand(tx, body, row, now)
  const values = {
    kind: body.brand_id === undefined ? ('brand' as const) : ('brand_change' as const),
    title: body.name,
    snapshot: { brand: body },
    changed: [],
    flags: found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule),
    submitted_at: now,
    submitted_by: staff.id,
    sla_at: now + SLA_S,
    state: 'pending' as const,
  }
  const last = was ?? (await lastFor(tx, row.id, body.name))
  const isOpen = last && openStates.some(state => state === last.state)
  if (isOpen && last.state !== 'need_more') throw waiting()
  if (isOpen) {
    const again = {
      ...values,
      last_snapshot: last.snapshot,
      round: last.round + 1,
      decided_by: null,
      decider_name: null,
      decided_at: null,
      reason: null,
    }
    const after = await applications.change({ tx, staff, now }, 'resubmit', last, again)
    noteApplication({ log }, last, after, { after: { round: after.round } })
    return after
  }
  const made = tx
    .insert(application)
    .values({
      ...values,
      queue: 'brand',
      merchant_id: row.id,
      city_id: row.city_id,
      owner_id: row.bd_admin_id,
      ...(last?.state === 'rejected' && { last_snapshot: last.snapshot, round: last.round + 1 }),
    })
    .returning()
  const [after] = await unlessTaken(made.execute(), waiting)
  noteApplication({ log }, null, after!)
  return after!
}
