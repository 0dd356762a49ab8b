import { and, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { brandsNow } from '#src/areas/brand/brands.server.ts'
import { upload } from '#src/areas/export/job.table.ts'
import {
  e_category,
  freight_template,
  merchant,
  return_address,
  shop_category,
  store,
} from '#src/areas/merchant/merchant.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { afterRefusal, changedFields, productCan } from '#src/areas/product/product.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { gramsOf, searchable } from '#src/domain/search.ts'
import { DAY } from '#src/domain/time.ts'
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
import { findings, type SubmissionFacts } from './auditFindings.ts'

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

/** To-store kinds and e-commerce have each their own categories. */
export const categoriesOf = (kind: ProductBody['kind']) =>
  kind === 'elist' ? e_category : shop_category

/** Whether a category is shown: by itself and by all above it. */
const isShown = async (tx: Db, kinds: ReturnType<typeof categoriesOf>, id: number) => {
  const { rows } = await tx.execute<{ shown: boolean }>(
    sql`with recursive up as (select id, parent_id, status, 0 depth from ${kinds} where id = ${id} union all select k.id, k.parent_id, k.status, up.depth + 1 from up join ${kinds} k on k.id = up.parent_id where up.depth < 9) select bool_and(status = 'on') shown from up`,
  )
  return rows[0]!.shown
}
/**
 * What the rules need to know of a submission, as it stands now. `hold` keeps merchant and
 * category as they are until the transaction ends, so that an approval can't pass a freeze or a
 * merge that commits at the same moment.
 */
export const factsOf = async (
  tx: Db,
  of: {
    body: ProductBody
    product_id: number
    merchant_id: number
    image_faults: Record<string, string>
    now: number
    settings: AuditSettings
    hold?: boolean
  },
): Promise<SubmissionFacts> => {
  const { body, now, settings } = of
  const sellers = tx.select().from(merchant).where(eq(merchant.id, of.merchant_id))
  const [seller] = await (of.hold ? sellers.for('share') : sellers)
  const places =
    body.store_ids.length === 0
      ? []
      : await tx
          .select({
            id: store.id,
            name: store.name,
            merchant_id: store.merchant_id,
            status: store.status,
            mall_name: mall.name,
            mall_status: mall.status,
          })
          .from(store)
          .leftJoin(mall, eq(mall.id, store.mall_id))
          .where(inArray(store.id, [...body.store_ids]))
  const kinds = categoriesOf(body.kind)
  const named = tx.select().from(kinds).where(eq(kinds.id, body.category_id))
  const [kind] = await (of.hold ? named.for('share') : named)
  const label =
    body.brand_id === undefined
      ? undefined
      : (await brandsNow(tx, [body.brand_id])).get(body.brand_id)
  const [freight] =
    body.freight_template_id === undefined
      ? []
      : await tx
          .select({ id: freight_template.id })
          .from(freight_template)
          .where(
            and(
              eq(freight_template.id, body.freight_template_id),
              or(
                isNull(freight_template.merchant_id),
                eq(freight_template.merchant_id, of.merchant_id),
              ),
              eq(freight_template.status, 'on'),
            ),
          )
  const [address] =
    body.return_address_id === undefined
      ? []
      : await tx
          .select({ id: return_address.id })
          .from(return_address)
          .where(
            and(
              eq(return_address.id, body.return_address_id),
              eq(return_address.merchant_id, of.merchant_id),
              eq(return_address.status, 'on'),
            ),
          )
  const [twin] = await tx
    .select({ id: product.id, title: product.title })
    .from(product)
    .where(
      and(
        eq(product.merchant_id, of.merchant_id),
        eq(product.kind, body.kind),
        inArray(product.state, ['on_sale', 'auditing']),
        eq(product.title, body.title),
        ne(product.id, of.product_id),
      ),
    )
    .orderBy(product.id)
    .limit(1)
  const same =
    body.kind !== 'voucher' || body.face_cents === undefined
      ? []
      : await tx
          .select({ title: product.title, store_ids: product.store_ids })
          .from(product)
          .where(
            and(
              eq(product.merchant_id, of.merchant_id),
              eq(product.kind, 'voucher'),
              eq(product.state, 'on_sale'),
              eq(product.face_cents, body.face_cents),
              ne(product.id, of.product_id),
            ),
          )
  const [hits] =
    body.kind !== 'voucher' || body.store_ids.length === 0
      ? []
      : await tx
          .select({ n: sql<number>`count(*)::int` })
          .from(risk_hit)
          .where(
            and(
              inArray(risk_hit.store_id, [...body.store_ids]),
              eq(risk_hit.rule, 'cash_out'),
              ne(risk_hit.state, 'released'),
              sql`${risk_hit.hit_at} > ${now - settings.cash_out_days * DAY}`,
            ),
          )
  return {
    merchant: seller
      ? {
          status: seller.status,
          license_expire_at: seller.license_expire_at,
          contract_end_at: seller.contract_end_at,
          qualifications: seller.licenses,
        }
      : null,
    stores: places.map(one => ({
      id: one.id,
      name: one.name,
      own: one.merchant_id === of.merchant_id,
      status: one.status,
      mall_name: one.mall_name ?? '',
      mall_status: one.mall_status,
    })),
    category: kind ? { ...kind, on: await isShown(tx, kinds, kind.id) } : null,
    brand: label
      ? {
          name: label.name,
          on: label.state === 'on',
          auth_end_at: label.auth_end_at,
          auth_category_ids: label.auth_category_ids,
        }
      : null,
    freight_ok: freight !== undefined,
    return_ok: address !== undefined,
    duplicate: twin ?? null,
    same_face: same
      .filter(one => one.store_ids.some(id => body.store_ids.includes(id)))
      .map(one => one.title),
    cash_out_hits: hits?.n ?? 0,
    image_faults: of.image_faults,
    sold_left: body.kind === 'card' ? (await soldOf(tx, of.product_id)).left : 0,
  }
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

/** Sold units of a product that may still be used, and until when. */
export const soldOf = async (
  tx: Db,
  product_id: number,
): Promise<{ unused_codes: number; left: number; latest_valid_until: number | null }> => {
  const counted = await tx.execute<{ codes: number; uses: number; until: string | null }>(sql`
    select count(*)::int codes, coalesce(sum(times_total + times_bonus - times_used - times_refunding - times_refunded), 0)::int uses, max(valid_until) until
    from order_code where product_id = ${product_id} and state in ('locked', 'unused', 'part_used')`)
  const row = counted.rows[0]!
  return {
    unused_codes: row.codes,
    left: row.uses,
    latest_valid_until: row.until === null ? null : Number(row.until),
  }
}

/** The version on sale, if any. */
export const liveBody = async (tx: Db, product_id: number): Promise<ProductBody | null> => {
  const [live] = await tx
    .select({ body: product_version.body })
    .from(product_version)
    .where(and(eq(product_version.product_id, product_id), eq(product_version.state, 'live')))
  return live?.body ?? null
}

/** What the rules say of a task's submission, now. */
export const judge = async (
  tx: Db,
  task: AuditTask,
  body: ProductBody,
  now: number,
  hold = false,
): Promise<{ found: Finding[]; live: ProductBody | null }> => {
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

/** Names that a queue's row shows, as they are at submission. */
const shown = async (tx: Db, body: ProductBody, merchant_id: number) => {
  const [seller] = await tx
    .select({ name: merchant.name, city_id: merchant.city_id, bd: merchant.bd_admin_id })
    .from(merchant)
    .where(eq(merchant.id, merchant_id))
  const [first] =
    body.store_ids.length === 0
      ? []
      : await tx
          .select({
            name: store.name,
            city_id: store.city_id,
            mall_id: store.mall_id,
            mall_name: mall.name,
          })
          .from(store)
          .leftJoin(mall, eq(mall.id, store.mall_id))
          .where(eq(store.id, body.store_ids[0]!))
  const city_id = first?.city_id ?? seller?.city_id ?? 0
  const [place] = await tx
    .select({ city_name: city.city_name })
    .from(city)
    .where(eq(city.id, city_id))
  const kinds = categoriesOf(body.kind)
  const [kind] = await tx
    .select({ name: kinds.name })
    .from(kinds)
    .where(eq(kinds.id, body.category_id))
  const label =
    body.brand_id === undefined
      ? undefined
      : (await brandsNow(tx, [body.brand_id])).get(body.brand_id)
  return {
    merchant_name: seller?.name ?? '',
    owner_id: seller?.bd ?? null,
    store_name: first?.name ?? '',
    store_count: body.store_ids.length,
    store_ids: [...body.store_ids],
    city_id,
    city_name: place?.city_name ?? '',
    mall_id: first?.mall_id ?? 0,
    mall_name: first?.mall_name ?? '',
    category_name: kind?.name ?? '',
    brand_name: label?.name ?? null,
  }
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

/**
 * A merchant (or `by`, a member of staff for it) submits a product's new body to its queue. A
 * product on sale goes on selling its live version. `auto` tells that the settings let this one, an
 * edit that only lowers prices, be approved at once: `submitOffer` (decision.ts) does.
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
  const [waiting] = await tx
    .select({ id: audit_task.id })
    .from(audit_task)
    .where(
      and(
        eq(audit_task.product_id, item.id),
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
  const settings = await readAuditSettings(tx)
  const live = await liveBody(tx, item.id)
  const changed = changedFields(live, body)
  const [{ no } = { no: 0 }] = await tx
    .select({ no: sql<number>`coalesce(max(${product_version.no}), 0)` })
    .from(product_version)
    .where(eq(product_version.product_id, item.id))
  await tx
    .insert(product_version)
    .values({ product_id: item.id, no: no + 1, body, changed, state: 'auditing' })
  if (item.live_version === 0 || item.state !== 'on_sale')
    await tx
      .update(product)
      .set({ state: 'auditing', version: item.version + 1 })
      .where(eq(product.id, item.id))
  const names = await shown(tx, body, item.merchant_id)
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
      product_version: no + 1,
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
  const names = await shown(tx, of.body, task.merchant_id)
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
