import { and, eq, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { brandAudit as page } from '#commands/pages/brand.ts'
import type { Application } from '#src/areas/application/application.table.ts'
import {
  answered,
  builtOn,
  decide,
  noteApplication,
  opened,
  takeBack,
  tellApplied,
  type One,
} from '#src/areas/application/deciding.server.ts'
import { bodyOf, judgeBrand } from '#src/areas/brand/applying.server.ts'
import { brand_authorisation } from '#src/areas/brand/authorisation.table.ts'
import { initialOf } from '#src/areas/brand/brand.ts'
import {
  brandChanges,
  brandRuleText,
  mustExplain,
  type BrandBody,
  type BrandFinding,
  type BrandRefuseCode,
  type BrandUndo,
} from '#src/areas/brand/brandBody.ts'
import { usesOf, type Brand } from '#src/areas/brand/brands.server.ts'
import type { merchant } from '#src/areas/merchant/merchant.table.ts'
import type { MessageKind } from '#src/areas/message/message.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { latinOf } from '#src/server/db/pinyin.ts'
import { brands, taken } from './rows.ts'

const QUEUE = 'brand'
type Merchant = typeof merchant.$inferSelect
type Authorisation = typeof brand_authorisation.$inferSelect

const tell = (context: WriteContext, kind: MessageKind, task: Application, why: string) =>
  tellApplied(context, kind, task, {
    why,
    address: to(page, { state: task.state, keyword: task.title.slice(0, 60) }),
  })
/** Refuses what a rule forbids as things stand now; answers the rules that only warn. */
const allowed = async (
  { tx, now }: WriteContext,
  body: BrandBody,
  row: Merchant,
): Promise<BrandFinding[]> => {
  const { found } = await judgeBrand(tx, body, row, now)
  const first = found.find(({ level }) => level === 'block')
  if (first) throw ruled(first.rule, brandRuleText(first.rule), first.values, { findings: found })
  return found
}
/** A brand's columns, of what was applied for. */
const columnsOf = (body: BrandBody) => ({
  name: body.name,
  en_name: body.en_name,
  initial: initialOf(latinOf(body.name)),
  logo: body.logo,
  category_id: body.category_id,
  company: body.company,
  trademark_no: body.trademark_no,
  trademark_classes: body.trademark_classes,
  trademark_end_at: body.trademark_end_at,
})
const untilOf = (body: BrandBody): number => body.auth_end_at ?? body.trademark_end_at
/** How far the brand as a whole is authorised once this merchant may use it; one that needs no leave stays so. */
const widened = (row: Brand, body: BrandBody) =>
  row.auth_category_ids === null
    ? {}
    : {
        auth_category_ids: [...new Set([...row.auth_category_ids, body.category_id])],
        auth_end_at: row.auth_end_at === null ? null : Math.max(row.auth_end_at, untilOf(body)),
      }
/** Gives the merchant leave to use a brand, or renews it; answers it with what stood before. */
const authorise = async (
  { tx, now }: WriteContext,
  row: Brand,
  task: Application,
): Promise<BrandUndo['authorisation']> => {
  const { chain, ...body } = bodyOf(task)
  const [was] = await tx
    .select()
    .from(brand_authorisation)
    .where(
      and(
        eq(brand_authorisation.brand_id, row.id),
        eq(brand_authorisation.merchant_id, task.merchant_id),
      ),
    )
    .for('update')
  const values = {
    application_id: task.id,
    chain,
    start_at: now,
    end_at: untilOf({ ...body, chain }),
  }
  const [after] = was
    ? await tx
        .update(brand_authorisation)
        .set({ ...values, version: sql`${brand_authorisation.version} + 1`, updated_at: now })
        .where(eq(brand_authorisation.id, was.id))
        .returning()
    : await tx
        .insert(brand_authorisation)
        .values({ ...values, brand_id: row.id, merchant_id: task.merchant_id })
        .returning()
  return { id: after!.id, version: after!.version, before: was ? kept(was) : null }
}
const kept = ({ application_id, chain, start_at, end_at }: Authorisation) => ({
  application_id,
  chain,
  start_at,
  end_at,
})

type Given = {
  task: Application
  row: Merchant
  brand: Brand
  before: Record<string, unknown> | null
  reason?: string | undefined
}
/** Ends an approval: the merchant's leave, the application, and who hears of it. */
const finish = async (context: WriteContext, { task, row, brand: of, before, reason }: Given) => {
  const authorisation = await authorise(context, of, task)
  brands.log(context, of, {
    before: null,
    after: { authorised: row.name, authorised_until: untilOf(bodyOf(task)) },
  })
  const undo = { id: of.id, version: of.version, before, authorisation }
  const done = await decide(context, 'approve', task, {
    reason: reason ?? null,
    replaced: before && { brand: { ...bodyOf(task), ...before } },
    undo: { merchant: {}, merchant_version: row.version, listed: [], brand: undo },
  })
  noteApplication(context, task, done, {
    ...(reason && { reason }),
    after: { joined: of.name },
  })
  await tell(context, 'applied_passed', done, '')
  return answered(done, context.now)
}
/** Changes a brand, keeping what stood in what was changed. */
const changed = async (context: WriteContext, was: Brand, values: Partial<Brand>) => {
  const before = Object.fromEntries(
    Object.keys(values).map(key => [key, was[key as keyof Brand] ?? null]),
  )
  return { brand: await unlessTaken(brands.save(context, was, values), taken), before }
}

/** Approves: makes the brand, or changes the one that is meant, and gives the merchant leave to use it. */
export const approve = async (
  context: WriteContext,
  one: One,
  { name, explain }: { name?: string; explain?: string } = {},
) => {
  const { task, row } = await opened(context, QUEUE, 'approve', one)
  const asked = bodyOf(task)
  const body = { ...asked, name: name ?? asked.name }
  const found = await allowed(context, asked, row)
  const alike = found.filter(({ rule }) => mustExplain([rule]))
  if (alike[0] && explain === undefined)
    throw ruled(alike[0].rule, brandRuleText(alike[0].rule), alike[0].values, { findings: found })
  const reason = alike.length > 0 ? explain : undefined
  if (asked.brand_id !== undefined) {
    const was = await brands.lock(context, asked.brand_id)
    const values = { ...columnsOf(body), ...widened(was, body) }
    return finish(context, { task, row, ...(await changed(context, was, values)), reason })
  }
  const made = await unlessTaken(
    brands.add(context, {
      ...columnsOf(body),
      auth_category_ids: [body.category_id],
      auth_end_at: untilOf(body),
      state: 'on',
    }),
    taken,
  )
  return finish(context, { task, row, brand: made, before: null, reason })
}
/** Approves it as one more merchant of a brand that exists. */
export const approveAsExisting = async (
  context: WriteContext,
  { brand_id, ...one }: One & { brand_id: number },
) => {
  const { task, row } = await opened(context, QUEUE, 'approve', one)
  const body = bodyOf(task)
  await allowed(context, body, row)
  const was = await brands.lock(context, brand_id)
  if (was.state !== 'on')
    throw ruled('disabled', ['该品牌已停用或已合并', 'The brand is off or merged'])
  const { trademark_no, trademark_classes, trademark_end_at } = columnsOf(body)
  const values = {
    ...widened(was, body),
    ...(was.trademark_no === '' && { trademark_no, trademark_classes, trademark_end_at }),
  }
  return finish(context, { task, row, ...(await changed(context, was, values)) })
}

type Why = { reason_code: BrandRefuseCode; reason: string }
/** Refuses: what stands stays, and the merchant may apply again. */
export const reject = async (context: WriteContext, one: One, why: Why) => {
  const { task, row } = await opened(context, QUEUE, 'reject', one)
  const done = await decide(context, 'reject', task, {
    ...why,
    undo: { merchant: {}, merchant_version: row.version, listed: [] },
  })
  noteApplication(context, task, done, { reason: why.reason })
  await tell(context, 'applied_refused', done, why.reason)
  return answered(done, context.now)
}
/** Sends an application back for more. */
export const askMore = async (
  context: WriteContext,
  { reason, ...one }: One & { reason: string },
) => {
  const { task } = await opened(context, QUEUE, 'askMore', one)
  const done = await decide(context, 'askMore', task, { reason, undo: null })
  noteApplication(context, task, done, { reason })
  await tell(context, 'applied_asked', done, reason)
  return { id: done.id, state: done.state, version: done.version }
}

/** Puts a brand and a merchant's leave back as an approval found them, or refuses. */
const putBack = async (context: WriteContext, was: BrandUndo): Promise<void> => {
  const { tx, now } = context
  const row = await brands.find(tx, context.staff, was.id)
  if (!row || row.version !== was.version) throw builtOn()
  const { id, version, before } = was.authorisation
  const isIt = and(eq(brand_authorisation.id, id), eq(brand_authorisation.version, version))
  const done = before
    ? await tx
        .update(brand_authorisation)
        .set({ ...before, version: version + 1, updated_at: now })
        .where(isIt)
        .returning({ id: brand_authorisation.id })
    : await tx.delete(brand_authorisation).where(isIt).returning({ id: brand_authorisation.id })
  if (done.length === 0) throw builtOn()
  if (was.before) {
    if (Object.keys(was.before).length > 0)
      await unlessTaken(brands.save(context, row, was.before), builtOn)
    return
  }
  const { stores, goods, merged } = await usesOf(tx, row.id)
  const [other] = await tx
    .select({ id: brand_authorisation.id })
    .from(brand_authorisation)
    .where(eq(brand_authorisation.brand_id, row.id))
    .limit(1)
  if (stores + goods + merged > 0 || other) throw builtOn()
  await brands.remove(context, row)
}
/** Takes my own last decision back while nothing was built on it. */
export const undo = (context: WriteContext, id: number): Promise<void> =>
  takeBack(context, QUEUE, id, async ({ was }) => {
    if (was.brand) await putBack(context, was.brand)
  })

type Standing = Partial<Omit<BrandBody, 'trademark_end_at'>> & { trademark_end_at?: number | null }
/** The fields of an application that differ from what stands, or stood when it was approved. */
export const liveOf = (task: Application, row: Brand | undefined): Standing | null => {
  const body = bodyOf(task)
  const live: Standing | undefined = task.replaced?.brand ?? row
  if (body.brand_id === undefined || !live) return null
  const { chain: _, auth_end_at: __, ...of } = live
  return Object.fromEntries(
    brandChanges(of, body).map(field => [field, of[field as keyof typeof of]]),
  )
}
