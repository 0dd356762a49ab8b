import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { upload } from '#src/areas/export/job.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { afterRefusal, changedFields, productCan } from '#src/areas/product/product.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { gramsOf, searchable } from '#src/domain/search.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { audit_task, type AuditTask } from './audit.table.ts'
import {
  auditCan,
  auditSettings,
  flagsOf,
  forbidden,
  isPriceDrop,
  queueOf,
  type AuditSettings,
  type Finding,
  type SubmitType,
} from './audit.ts'
import { findings } from './auditFindings.ts'
import { factsOf } from './submissionFacts.server.ts'
import { namesShown } from './submissionNames.server.ts'

/**
 * The numbers of the audit: the platform's own where it set some (row `audit` of `setting`), else
 * the domain's.
 */
export const readAuditSettings = async (db: Db): Promise<AuditSettings> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'audit'))
  return { ...auditSettings, ...(row?.value as Partial<AuditSettings> | undefined) }
}

/**
 * What the machine finds unfit in pictures, by what was measured when they were uploaded; pictures
 * kept elsewhere it does not know.
 */
export const imageFaults = async (
  tx: Db,
  images: readonly string[],
  settings: AuditSettings,
): Promise<Record<string, string>> => {
  if (images.length === 0) return {}
  const known = await tx
    .select({ key: upload.file_key, width: upload.width, sharpness: upload.sharpness_x100 })
    .from(upload)
    .where(inArray(upload.file_key, [...images]))
  return Object.fromEntries(
    known.flatMap(({ key, width, sharpness }) => {
      if (width !== null && width < settings.image_width_min) return [[key, 'small']]
      const is_blurred = sharpness !== null && sharpness < settings.sharpness_min_x100
      return is_blurred ? [[key, 'blurred']] : []
    }),
  )
}

/** The version on sale, if any. */
export const liveBody = async (tx: Db, product_id: number): Promise<ProductBody | null> => {
  const [live] = await tx
    .select({ body: product_version.body })
    .from(product_version)
    .where(and(eq(product_version.product_id, product_id), eq(product_version.state, 'live')))
  return live?.body ?? null
}

type Judged = { found: Finding[]; live: ProductBody | null }
const judgeBy = async (
  tx: Db,
  task: AuditTask,
  { body, now, hold }: { body: ProductBody; now: number; hold: boolean },
): Promise<Judged> => {
  const settings = await readAuditSettings(tx)
  const live = await liveBody(tx, task.product_id)
  const facts = await factsOf(tx, {
    body,
    product_id: task.product_id,
    merchant_id: task.merchant_id,
    image_faults: task.image_faults,
    now,
    settings,
    hold,
  })
  return { found: findings(body, live, facts, now, settings), live }
}
/** What the rules say of a task's submission, now. */
export const judge = (tx: Db, task: AuditTask, body: ProductBody, now: number): Promise<Judged> =>
  judgeBy(tx, task, { body, now, hold: false })
/** The same for whoever approves it: what it leans on stays as it is until then. */
export const judgeHeld = (
  tx: Db,
  task: AuditTask,
  body: ProductBody,
  now: number,
): Promise<Judged> => judgeBy(tx, task, { body, now, hold: true })

/**
 * A task that forbids its approval, judged once more for whoever takes it: the merchant may have
 * mended since what the submission itself does not hold.
 */
export const judgedAgain = async (tx: Db, task: AuditTask, now: number): Promise<AuditTask> => {
  if (!task.flags.some(forbidden)) return task
  const flags = flagsOf((await judge(tx, task, task.snapshot, now)).found)
  if (flags.join() === task.flags.join()) return task
  const set = tx.update(audit_task).set({ flags }).where(eq(audit_task.id, task.id))
  const [after] = await set.returning()
  return after!
}

/** The columns of a queue's row that come from the body itself. */
export const fromBody = (body: ProductBody, merchant_name: string, store_name: string) => {
  const prices = (body.skus ?? []).map(sku => sku.price_cents)
  const search = searchable(`${body.title} ${merchant_name} ${store_name}`)
  return {
    title: body.title,
    image: body.images[0] ?? null,
    snapshot: body,
    product_kind: body.kind,
    search,
    grams: gramsOf(search),
    price_cents: prices.length ? Math.min(...prices) : body.price_cents,
    price_max_cents: prices.length ? Math.max(...prices) : null,
  }
}

/** Refuses a product that waits for a decision already. */
const refuseWaiting = async (tx: Db, product_id: number): Promise<void> => {
  const [waiting] = await tx
    .select({ id: audit_task.id })
    .from(audit_task)
    .where(
      and(
        eq(audit_task.product_id, product_id),
        inArray(audit_task.state, ['pending', 'claimed', 'need_more', 'second_audit']),
      ),
    )
  if (waiting)
    throw ruled(
      'in_audit',
      ['该商品已在审核中', 'It is in audit already'],
      {},
      { task_id: waiting.id },
    )
}
const newVersion = async (
  tx: Db,
  product_id: number,
  body: ProductBody,
  changed: string[],
): Promise<number> => {
  const [{ no } = { no: 0 }] = await tx
    .select({ no: sql<number>`coalesce(max(${product_version.no}), 0)` })
    .from(product_version)
    .where(eq(product_version.product_id, product_id))
  await tx
    .insert(product_version)
    .values({ product_id, no: no + 1, body, changed, state: 'auditing' })
  return no + 1
}
/**
 * A merchant (or `by`, a member of staff for it) submits a product's new body to its queue. A
 * product on sale goes on selling its live version. `auto` tells that the settings let this one, an
 * edit that only lowers prices, be approved at once: `submitOffer` (decision.server.ts) does.
 */
export const submit = async (
  tx: Db,
  of: { product_id: number; body: ProductBody; submit_type: SubmitType; by?: number; now: number },
): Promise<{ task: AuditTask; auto: boolean }> => {
  const { body, now } = of
  const [item] = await tx.select().from(product).where(eq(product.id, of.product_id)).for('update')
  if (!item) throw missing()
  const may = productCan('submit', item.state)
  if (may !== true) throw ruled('wrong_state', may)
  await refuseWaiting(tx, item.id)
  const settings = await readAuditSettings(tx)
  const live = await liveBody(tx, item.id)
  const changed = changedFields(live, body)
  const no = await newVersion(tx, item.id, body, changed)
  if (item.live_version === 0 || item.state !== 'on_sale')
    await tx
      .update(product)
      .set({ state: 'auditing', version: item.version + 1 })
      .where(eq(product.id, item.id))
  const names = await namesShown(tx, body, item.merchant_id)
  const queue = queueOf(body.kind)
  const image_faults = await imageFaults(tx, body.images, settings)
  const found = findings(
    body,
    live,
    await factsOf(tx, {
      body,
      product_id: item.id,
      merchant_id: item.merchant_id,
      image_faults,
      now,
      settings,
    }),
    now,
    settings,
  )
  const [task] = await tx
    .insert(audit_task)
    .values({
      queue,
      product_id: item.id,
      product_version: no,
      submit_type: of.submit_type,
      merchant_id: item.merchant_id,
      ...names,
      ...fromBody(body, names.merchant_name, names.store_name),
      live_snapshot: live,
      changed,
      flags: flagsOf(found),
      image_faults,
      state: 'pending',
      submitted_at: now,
      submitted_by: of.by ?? null,
      sla_at: now + settings.sla_hours[queue] * 3600,
      created_at: now,
    })
    .returning()
  return {
    task: task!,
    auto:
      settings.auto_approve_price_drop && found.length === 0 && isPriceDrop(live, body, changed),
  }
}

/** The merchant's own reasons to change a task: the version it saw must still be the newest. */
const ofMerchant = async (
  tx: Db,
  verb: 'withdraw' | 'resubmit',
  of: { task_id: number; version: number; now: number },
) => {
  const [task] = await tx.select().from(audit_task).where(eq(audit_task.id, of.task_id))
  if (!task) throw missing()
  // Product before task, as the decisions take them: two that lock in opposite order would wait for
  // each other.
  await tx
    .select({ id: product.id })
    .from(product)
    .where(eq(product.id, task.product_id))
    .for('update')
  const may = auditCan(verb, task, 0, of.now)
  if (may !== true)
    throw ruled('wrong_state', may, {}, { current: { state: task.state, version: task.version } })
  return task
}
const swapped = (of: { task_id: number; version: number }, task: AuditTask) =>
  and(
    eq(audit_task.id, of.task_id),
    eq(audit_task.version, of.version),
    eq(audit_task.state, task.state),
  )
const stale = () => conflict(['提交已有变化，请重新读取', 'The submission changed, read it again'])

/**
 * The merchant takes a submission back before it is decided; an auditor who has it open is told by
 * the version.
 */
export const withdraw = async (
  tx: Db,
  of: { task_id: number; version: number; now: number },
): Promise<AuditTask> => {
  const task = await ofMerchant(tx, 'withdraw', of)
  const [after] = await tx
    .update(audit_task)
    .set({
      state: 'withdrawn',
      claimed_by: null,
      claimer_name: null,
      claim_until: null,
      decided_by: null,
      decider_name: null,
      decided_at: of.now,
      undo: null,
      version: of.version + 1,
    })
    .where(swapped(of, task))
    .returning()
  if (!after) throw stale()
  await closeVersion(tx, task, 'withdrawn')
  return after
}

/**
 * The submitted version ends as rejected or withdrawn, and the product stands where it stood
 * before.
 */
export const closeVersion = async (
  tx: Db,
  task: AuditTask,
  state: 'rejected' | 'withdrawn',
): Promise<void> => {
  await tx
    .update(product_version)
    .set({ state })
    .where(
      and(
        eq(product_version.product_id, task.product_id),
        eq(product_version.no, task.product_version),
      ),
    )
  const [item] = await tx
    .select({ state: product.state, live_version: product.live_version })
    .from(product)
    .where(eq(product.id, task.product_id))
    .for('update')
  const back = afterRefusal(item!.state, item!.live_version)
  if (back !== item!.state)
    await tx
      .update(product)
      .set({ state: back, version: sql`${product.version} + 1` })
      .where(eq(product.id, task.product_id))
}

/**
 * The merchant answers a request for more: a new version of the product in the same task, one round
 * on.
 */
export const resubmit = async (
  tx: Db,
  of: { task_id: number; version: number; body: ProductBody; now: number },
): Promise<AuditTask> => {
  const task = await ofMerchant(tx, 'resubmit', of)
  const settings = await readAuditSettings(tx)
  const live = await liveBody(tx, task.product_id)
  const changed = changedFields(live, of.body)
  const image_faults = await imageFaults(tx, of.body.images, settings)
  const found = findings(
    of.body,
    live,
    await factsOf(tx, {
      body: of.body,
      product_id: task.product_id,
      merchant_id: task.merchant_id,
      image_faults,
      now: of.now,
      settings,
    }),
    of.now,
    settings,
  )
  const [{ no } = { no: 0 }] = await tx
    .select({ no: sql<number>`max(${product_version.no})` })
    .from(product_version)
    .where(eq(product_version.product_id, task.product_id))
  const names = await namesShown(tx, of.body, task.merchant_id)
  const [after] = await tx
    .update(audit_task)
    .set({
      ...names,
      ...fromBody(of.body, names.merchant_name, names.store_name),
      live_snapshot: live,
      changed,
      flags: flagsOf(found),
      image_faults,
      product_version: no + 1,
      state: 'pending',
      round: task.round + 1,
      submit_type: 'supplement',
      submitted_at: of.now,
      sla_at: of.now + settings.sla_hours[task.queue] * 3600,
      decided_by: null,
      decider_name: null,
      decided_at: null,
      first_by: null,
      first_name: null,
      first_at: null,
      field_marks: {},
      undo: null,
      version: of.version + 1,
    })
    .where(swapped(of, task))
    .returning()
  if (!after) throw stale()
  await tx
    .update(product_version)
    .set({ state: 'retired' })
    .where(
      and(
        eq(product_version.product_id, task.product_id),
        eq(product_version.no, task.product_version),
      ),
    )
  await tx
    .insert(product_version)
    .values({ product_id: task.product_id, no: no + 1, body: of.body, changed, state: 'auditing' })
  return after
}

/** Offers of the same stores that are live, the most sold first. */
export const siblingsOf = (tx: Db, task: AuditTask) =>
  tx
    .select({
      product_id: product.id,
      title: product.title,
      price_cents: product.price_cents,
      face_cents: product.face_cents,
      sold: product.sold,
    })
    .from(product)
    .where(
      and(
        eq(product.merchant_id, task.merchant_id),
        eq(product.kind, task.product_kind),
        eq(product.state, 'on_sale'),
        ne(product.id, task.product_id),
        sql`exists (select 1 from product_store s where s.product_id = ${product.id} and s.status = 'on' and s.store_id in ${task.store_ids.length ? task.store_ids : [0]})`,
      ),
    )
    .orderBy(desc(product.sold))
    .limit(8)
