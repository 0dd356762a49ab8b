import { and, eq, inArray, not, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { productDetail, queuePages } from '#commands/pages/audit.ts'
import { brandsNow } from '#src/areas/brand/brands.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { settleOffers } from '#src/areas/merchant/sales.server.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import {
  product,
  product_sku,
  product_store,
  product_version,
} from '#src/areas/product/product.table.ts'
import { changedFields, productCan } from '#src/areas/product/product.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { isLonger, joined, lengthOf, type Text } from '#src/domain/text.ts'
import type { Db, LogEntry, Staff, WriteContext } from '#src/server/call/implement.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { audit_task, type AuditTask, type AuditUndo } from './audit.table.ts'
import {
  REASON_MAX,
  UNDO_SECONDS,
  filledReason,
  reasonFault,
  ruleText,
  type AuditQueue,
  type Finding,
  type RejectCode,
} from './audit.ts'
import { led, mine } from './claiming.server.ts'
import { dropLook, drawLook } from './look.server.ts'
import { categoriesOf, closeVersion, fromBody, judge, submit } from './submission.server.ts'
import { change, readTask, whyNot } from './taskClaims.server.ts'

export type Deciding = {
  /** Tells open panes of more than the call itself does. */
  changed?: WriteContext['changed']
  tx: Db
  staff: Pick<Staff, 'id' | 'name' | 'scope'>
  now: number
  log: (entry: LogEntry) => void
}
export type Decided = { id: number; state: AuditTask['state']; version: number; undo_until: number }
export type Edit = {
  title?: string | undefined
  category_id?: number | undefined
  tags?: string[] | undefined
  images?: string[] | undefined
}

const answer = (task: AuditTask, now: number): Decided => ({
  id: task.id,
  state: task.state,
  version: task.version,
  undo_until: now + UNDO_SECONDS,
})
const logged = (
  { log }: Deciding,
  before: AuditTask,
  after: AuditTask,
  reason?: string,
  more: object = {},
) =>
  log({
    object_type: 'audit_task',
    object_id: before.id,
    object_label: before.title.slice(0, 64),
    before: {
      state: before.state,
      version: before.version,
      product_version: before.product_version,
    },
    after: {
      state: after.state,
      version: after.version,
      product_version: after.product_version,
      ...(after.reason_code ? { reason_code: after.reason_code } : {}),
      ...(after.more_codes.length > 0 ? { more_codes: after.more_codes } : {}),
      ...more,
    },
    ...(reason ? { reason } : {}),
  })

/** Where a task is seen in a state. */
/** Where a submission is seen, by what became of it. */
export const seenAt = ({ id, queue, title, state }: AuditTask) =>
  queue === 'product'
    ? to(productDetail, { id })
    : to(queuePages[queue], {
        keyword: title.slice(0, 60),
        ...(state === 'approved' || state === 'rejected' ? { state } : {}),
      })
/** Tells whoever decided first what the second person said. */
const tellFirst = async ({ tx, staff, changed }: Deciding, before: AuditTask, after: AuditTask) => {
  if (before.state !== 'second_audit') return
  await tellPeople(tx, {
    to: [before.first_by],
    by: staff.id,
    kind: after.state === 'approved' ? 'second_agreed' : 'second_refused',
    about: `audit:${after.id}:${after.version}`,
    facts: { of: after.title, why: after.reason ?? '' },
    address: seenAt(after),
  })
  changed?.('message')
}

const open = async (
  deciding: Deciding,
  verb: 'approve' | 'approveWithEdit' | 'reject' | 'askMore' | 'transfer',
  queue: AuditQueue,
  id: number,
  version: number,
): Promise<AuditTask> => {
  const task = await readTask(deciding.tx, queue, id, deciding.staff)
  const refusal = whyNot(verb, task, version, deciding.staff.id, deciding.now)
  if (refusal) throw refusal
  return task
}

/** Whether an edit leaves the stock of a variant as it was: what was sold meanwhile stays sold. */
const isStockKept = (task: AuditTask, of: { code: string; stock: number }): boolean =>
  task.live_snapshot?.skus?.find(sku => sku.code === of.code)?.stock === of.stock

/** What a decision is about to replace, for its undo. */
const remember = async (
  tx: Db,
  task: AuditTask,
  live_no: number,
  product_version_after: number,
  body?: ProductBody,
): Promise<AuditUndo> => {
  const [item] = await tx.select().from(product).where(eq(product.id, task.product_id))
  const skus = await tx
    .select()
    .from(product_sku)
    .where(eq(product_sku.product_id, task.product_id))
  const {
    state,
    claimed_by,
    claimer_name,
    claimed_at,
    claim_until,
    first_by,
    first_name,
    first_at,
    second_by,
    decided_by,
    decider_name,
    decided_at,
    reason_code,
    more_codes,
    reason,
    field_marks,
    category_name,
  } = task
  return {
    task: {
      state,
      claimed_by,
      claimer_name,
      claimed_at,
      claim_until,
      first_by,
      first_name,
      first_at,
      second_by,
      decided_by,
      decider_name,
      decided_at,
      reason_code,
      more_codes,
      reason,
      field_marks,
      category_name,
    },
    product: item!,
    skus,
    live_no,
    submitted_no: task.product_version,
    stock_after:
      body && task.live_snapshot?.stock !== body.stock
        ? Math.max(body.stock, item!.held)
        : item!.stock,
    sku_stock_after: Object.fromEntries(
      skus.map(sku => {
        const next = body?.skus?.find(one => one.code === sku.code)
        const counted = next && !isStockKept(task, next)
        return [sku.code, counted ? Math.max(next.stock, sku.held) : sku.stock]
      }),
    ),
    product_version: product_version_after,
  }
}

/** The first of the findings that forbid, as a refusal that lists them all. */
const blocked = (found: readonly Finding[]) => {
  const first = found.find(finding => finding.level === 'block')
  return (
    first &&
    ruled(first.rule, ruleText(first.rule), first.values, {
      findings: found,
      ...(first.field ? { fields: { [first.field]: first.rule } } : {}),
    })
  )
}

/**
 * The body with the auditor's edits; refuses anything but title, category, tags and the order of
 * pictures.
 */
const edited = (body: ProductBody, edit: Edit): ProductBody => {
  if (
    edit.images &&
    JSON.stringify([...edit.images].sort()) !== JSON.stringify([...body.images].sort())
  )
    throw invalid({ 'fields.images': ['只能调整图片顺序', 'Only the order of pictures changes'] })
  const next: ProductBody = {
    ...body,
    ...Object.fromEntries(
      Object.entries({
        title: edit.title,
        category_id: edit.category_id,
        tags: edit.tags,
        images: edit.images,
      }).filter(([, value]) => value !== undefined),
    ),
  }
  if (changedFields(body, next).length === 0)
    throw invalid({ fields: ['没有修改任何内容', 'Nothing is changed'] })
  return next
}

/**
 * Approves: at once, or to a second person where a rule asks for one. `careful` (a batch) refuses
 * whatever a person should look at. The decision and the swap of the live version are one
 * transaction; orders keep the product as they bought it.
 */
export const approve = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  more: { edit?: Edit; reason?: string; careful?: boolean } = {},
): Promise<Decided> => {
  const { tx, staff, now } = deciding
  const verb = more.edit ? 'approveWithEdit' : 'approve'
  const task = await open(deciding, verb, queue, one.id, one.version)
  const body = more.edit ? edited(task.snapshot, more.edit) : task.snapshot
  const { found } = await judge(tx, task, body, now, true)
  const forbidden = blocked(found)
  if (forbidden) throw forbidden
  const flag = more.careful ? found.find(finding => finding.level !== 'warn') : undefined
  if (flag)
    throw ruled(
      'flagged',
      ['有机审标记，须逐条审核', 'Flagged: decide it by itself'],
      {},
      { findings: found },
    )
  const needsSecond = found.some(finding => finding.level === 'second')
  const [item] = await tx
    .select({ version: product.version, live_version: product.live_version })
    .from(product)
    .where(eq(product.id, task.product_id))
    .for('update')
  const set = led(verb, task, staff.id, now, needsSecond)
  if (set.state === 'second_audit') {
    const undo = await remember(tx, task, item!.live_version, item!.version)
    // An edit goes to the second person as it was made, for they decide on what they read.
    const after = await change(
      tx,
      verb,
      task,
      {
        ...set,
        first_name: staff.name,
        first_at: now,
        claimer_name: null,
        reason: more.reason ?? null,
        undo,
        ...(more.edit ? await editedVersion(tx, task, body, staff.id) : {}),
      },
      staff.id,
      now,
    )
    logged(deciding, task, after, more.reason, {
      second_by_rules: found
        .filter(finding => finding.level === 'second')
        .map(finding => finding.rule),
    })
    return answer(after, now)
  }
  const undo = await remember(tx, task, item!.live_version, item!.version + 1, body)
  const after = await change(
    tx,
    verb,
    task,
    {
      ...set,
      claimer_name: null,
      decided_by: staff.id,
      decider_name: staff.name,
      decided_at: now,
      reason: more.reason ?? null,
      undo,
      ...(task.state === 'second_audit' ? { second_by: staff.id } : {}),
      ...(more.edit ? await editedVersion(tx, task, body, staff.id) : {}),
    },
    staff.id,
    now,
  )
  await goLive(tx, after, body, now)
  await drawLook(tx, after, now)
  await tellFirst(deciding, task, after)
  logged(deciding, task, after, more.reason, more.edit ? { fields: more.edit } : {})
  return answer(after, now)
}

/**
 * The auditor's edit as a version of its own: what the merchant submitted stays as it was
 * submitted.
 */
const editedVersion = async (tx: Db, task: AuditTask, body: ProductBody, editor: number) => {
  const [{ no } = { no: 0 }] = await tx
    .select({ no: sql<number>`max(${product_version.no})` })
    .from(product_version)
    .where(eq(product_version.product_id, task.product_id))
  await tx
    .update(product_version)
    .set({ state: 'retired' })
    .where(
      and(
        eq(product_version.product_id, task.product_id),
        eq(product_version.no, task.product_version),
      ),
    )
  await tx.insert(product_version).values({
    product_id: task.product_id,
    no: no + 1,
    body,
    changed: changedFields(task.live_snapshot, body),
    state: 'auditing',
    edited_by: editor,
  })
  const kinds = categoriesOf(body.kind)
  const [kind] = await tx
    .select({ name: kinds.name })
    .from(kinds)
    .where(eq(kinds.id, body.category_id))
  return {
    ...fromBody(body, task.merchant_name, task.store_name),
    category_name: kind?.name ?? task.category_name,
    product_version: no + 1,
  }
}

const columnsOf = (body: ProductBody) => ({
  title: body.title,
  store_ids: [...body.store_ids],
  category_id: body.category_id,
  images: [...body.images],
  list_price_cents: body.list_price_cents,
  price_cents: body.price_cents,
  settle_price_cents: body.settle_price_cents,
  commission_bp: body.commission_bp,
  sale_start_at: body.sale_start_at,
  sale_end_at: body.sale_end_at,
  check_start_at: body.check_start_at,
  check_end_at: body.check_end_at,
  valid_days: body.valid_days ?? null,
  refund_policy: body.refund_policy,
  times_total: body.times_total ?? null,
  face_cents: body.face_cents ?? null,
  min_spend_cents: body.min_spend_cents ?? null,
  per_bill_limit: body.per_bill_limit ?? null,
  group_need: body.group_need ?? null,
  group_price_cents: body.group_price_cents ?? null,
  group_leader_free: body.group_leader_free ?? false,
  // Orders of other kinds count no limit.
  ...(body.kind === 'elist' && { limit_per_member: body.limit_per_member || null }),
})

/** The brand that a submission names, as it stands now; what the platform gave it where it names none. */
const brandKept = async (tx: Db, { brand_id }: ProductBody) => {
  if (brand_id === undefined) return sql`${product.brand_id}`
  return (await brandsNow(tx, [brand_id])).get(brand_id)?.id ?? brand_id
}
/**
 * Makes the task's version the live one: the old retires, the product takes its values and goes on
 * sale, stores and SKUs follow.
 */
const goLive = async (tx: Db, task: AuditTask, body: ProductBody, now: number): Promise<void> => {
  const of = eq(product_version.product_id, task.product_id)
  await tx
    .update(product_version)
    .set({ state: 'retired' })
    .where(and(of, eq(product_version.state, 'live')))
  const [live] = await tx
    .update(product_version)
    .set({ state: 'live' })
    .where(
      and(of, eq(product_version.no, task.product_version), eq(product_version.state, 'auditing')),
    )
    .returning({ no: product_version.no })
  // The task and its version change together; a version in any other state is a fault of ours, and
  // nothing may go live.
  if (!live)
    throw new Error(`Version ${task.product_version} of product ${task.product_id} is not in audit`)
  // What members hold in unpaid orders stays covered by stock.
  await tx
    .update(product)
    .set({
      ...columnsOf(body),
      brand_id: await brandKept(tx, body),
      // An edit that leaves the stock as it was must not bring back what was sold meanwhile.
      stock:
        task.live_snapshot?.stock === body.stock
          ? product.stock
          : sql`greatest(${body.stock}::int, ${product.held})`,
      state: 'on_sale',
      off_reason: null,
      taken_off: [],
      live_version: task.product_version,
      version: sql`${product.version} + 1`,
      grams: task.grams,
      updated_at: now,
    })
    .where(eq(product.id, task.product_id))
  await linkStores(tx, task.product_id, body.store_ids)
  await settleOffers(tx, [task.product_id])
  const skus = body.skus ?? []
  await tx
    .update(product_sku)
    .set({ status: 'off' })
    .where(
      and(
        eq(product_sku.product_id, task.product_id),
        skus.length ? sql`${product_sku.code} not in ${skus.map(sku => sku.code)}` : undefined,
      ),
    )
  for (const sku of skus) {
    await tx
      .insert(product_sku)
      .values({ product_id: task.product_id, ...sku, image: sku.image ?? null })
      .onConflictDoUpdate({
        target: [product_sku.product_id, product_sku.code],
        set: {
          name: sku.name,
          price_cents: sku.price_cents,
          stock: isStockKept(task, sku)
            ? product_sku.stock
            : sql`greatest(${sku.stock}::int, ${product_sku.held})`,
          image: sku.image ?? null,
          status: 'on',
          version: sql`${product_sku.version} + 1`,
        },
      })
  }
}
const linkStores = async (
  tx: Db,
  product_id: number,
  store_ids: readonly number[],
): Promise<void> => {
  const supplied = sql`exists (select 1 from store s join product p on p.id = ${product_id} where s.id = ${product_store.store_id} and s.merchant_id <> p.merchant_id)`
  await tx
    .update(product_store)
    .set({ status: 'off' })
    .where(and(eq(product_store.product_id, product_id), not(supplied)))
  // A merchant says nothing of the shops of others that the platform lets sell it.
  await tx.execute(
    sql`update product set store_ids = store_ids || coalesce((select jsonb_agg(${product_store.store_id} order by ${product_store.store_id}) from product_store where ${product_store.product_id} = ${product_id} and ${product_store.status} = 'on' and ${supplied} and not product.store_ids @> to_jsonb(${product_store.store_id})), '[]') where id = ${product_id}`,
  )
  if (store_ids.length === 0) return
  await tx
    .insert(product_store)
    .values(store_ids.map(store_id => ({ product_id, store_id })))
    .onConflictDoUpdate({
      target: [product_store.product_id, product_store.store_id],
      set: { status: 'on' },
    })
}

const onlyLowered = joined(['仅降价，自动通过', 'Only lower prices: approved by itself'])
/**
 * A merchant's submission as the platform takes it: into its queue, or, where the settings allow it
 * for an edit that only lowers prices and raises no finding, live at once, decided by the system.
 */
export const submitOffer = async (tx: Db, of: Parameters<typeof submit>[1]): Promise<AuditTask> => {
  const { task, auto } = await submit(tx, of)
  if (!auto) return task
  const after = await change(
    tx,
    'approve',
    task,
    {
      ...led('approve', task, 0, of.now),
      decider_name: systemName,
      decided_at: of.now,
      reason: onlyLowered,
    },
    0,
    of.now,
  )
  await goLive(tx, after, after.snapshot, of.now)
  await tx.insert(op_log).values({
    admin_id: null,
    admin_name: systemName,
    module: 'audit',
    action: `audit.${task.queue}.approve`,
    object_type: 'audit_task',
    object_id: task.id,
    object_label: task.title.slice(0, 64),
    before: { state: task.state, version: task.version },
    after: { state: after.state, version: after.version },
    reason: onlyLowered,
    result: 'ok',
    created_at: of.now,
    updated_at: of.now,
  })
  return after
}

/** Refuses words of a rejection that name a variable which is none: 422, with its name. */
export const checkReason = (words: string): void => {
  const fault = reasonFault(words)
  if (fault) throw ruled('reason', fault)
}
const REASON_MIN = 2
const neitherWordsNorMarks: Text = [
  '请写明原因，至少 2 个字，或标注问题字段',
  'Say why, at least 2 characters, or mark the fields',
]
const tooLongFilled: Text = [
  '填入变量后有 {n} 字，最多 {max} 字，请缩短',
  'With its variables filled in it has {n} characters, at most {max}: shorten it',
]
/**
 * Rejects with one code or several, words whose variables are filled in for this submission, and
 * perhaps remarks at fields. What is on sale stays on sale.
 */
export const reject = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  why: {
    reason_code: RejectCode
    more_codes?: readonly RejectCode[] | undefined
    reason: string
    field_marks?: Record<string, string> | undefined
  },
): Promise<Decided> => {
  const { tx, staff, now } = deciding
  const task = await open(deciding, 'reject', queue, one.id, one.version)
  const field_marks = { ...task.field_marks, ...why.field_marks }
  checkReason(why.reason)
  if (lengthOf(why.reason) < REASON_MIN && Object.keys(field_marks).length === 0)
    throw ruled('reason', neitherWordsNorMarks)
  const reason = filledReason(why.reason, {
    ...task,
    list_price_cents: task.snapshot.list_price_cents,
  })
  if (isLonger(reason, REASON_MAX))
    throw ruled('reason', tooLongFilled, { n: lengthOf(reason), max: REASON_MAX })
  const more_codes = [...new Set(why.more_codes)].filter(code => code !== why.reason_code)
  const [item] = await tx
    .select({ version: product.version, live_version: product.live_version, state: product.state })
    .from(product)
    .where(eq(product.id, task.product_id))
    .for('update')
  const undo = await remember(
    tx,
    task,
    item!.live_version,
    item!.version + (item!.state === 'auditing' ? 1 : 0),
  )
  const after = await change(
    tx,
    'reject',
    task,
    {
      ...led('reject', task, staff.id, now),
      claimer_name: null,
      decided_by: staff.id,
      decider_name: staff.name,
      decided_at: now,
      reason_code: why.reason_code,
      more_codes,
      reason: reason || null,
      field_marks,
      undo,
      ...(task.state === 'second_audit' ? { second_by: staff.id } : {}),
    },
    staff.id,
    now,
  )
  await closeVersion(tx, task, 'rejected')
  await drawLook(tx, after, now)
  await tellFirst(deciding, task, after)
  logged(
    deciding,
    task,
    after,
    reason || undefined,
    Object.keys(after.field_marks).length ? { field_marks: after.field_marks } : {},
  )
  return answer(after, now)
}

/**
 * Sends the submission back to the merchant for more; it returns to the queue with the next round.
 */
export const askMore = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  reason: string,
): Promise<Decided> => {
  const { tx, staff, now } = deciding
  const task = await open(deciding, 'askMore', queue, one.id, one.version)
  const after = await change(
    tx,
    'askMore',
    task,
    {
      ...led('askMore', task, staff.id, now),
      claimer_name: null,
      decided_by: staff.id,
      decider_name: staff.name,
      decided_at: now,
      reason,
    },
    staff.id,
    now,
  )
  logged(deciding, task, after, reason)
  return answer(after, now)
}

/** Hands the task, with its claim, to a colleague who may decide it. */
export const transfer = async (
  deciding: Deciding,
  queue: AuditQueue,
  one: { id: number; version: number },
  next: { id: number; name: string },
  reason: string,
): Promise<AuditTask> => {
  const { tx, staff, now } = deciding
  const task = await open(deciding, 'transfer', queue, one.id, one.version)
  if (task.submitted_by === next.id || task.first_by === next.id)
    throw ruled('not_theirs', ['{who}不能审核此任务', '{who} may not decide this one'], {
      who: next.name,
    })
  const after = await change(
    tx,
    'transfer',
    task,
    { ...led('transfer', task, next.id, now), claimer_name: next.name, claimed_at: now },
    staff.id,
    now,
  )
  logged(deciding, task, after, reason, { claimed_by: next.id })
  await tellPeople(tx, {
    to: [next.id],
    by: staff.id,
    kind: 'audit_asked',
    about: `audit:${after.id}:${after.version}`,
    facts: { of: after.title, why: reason },
    address: seenAt(after),
  })
  deciding.changed?.('message')
  return after
}

const undoText = {
  late: ['超过 10 分钟，不能撤销', 'More than 10 minutes ago'],
  notMine: ['不是你的决定', 'Not your decision'],
  sold: ['已有订单，不能撤销', 'An order was placed since'],
  changed: ['之后又有变化，不能撤销', 'It changed since'],
  live: ['不是线上版本了，不能撤销', 'No longer the live version'],
  none: ['没有可撤销的决定', 'There is no decision to take back'],
} as const

/**
 * Takes my own last decision back while nothing was built on it: no order, no later change, still
 * the live version. The task is then mine again.
 */
export const undo = async (
  deciding: Deciding,
  queue: AuditQueue,
  id: number,
): Promise<AuditTask> => {
  const { tx, staff, now } = deciding
  const task = await readTask(tx, queue, id, staff)
  const was = task.undo
  const first = task.state === 'second_audit'
  const at = first ? task.first_at : task.decided_at
  if (!was || at === null || !['approved', 'rejected', 'second_audit'].includes(task.state))
    throw ruled('no_decision', undoText.none)
  if ((first ? task.first_by : task.decided_by) !== staff.id)
    throw ruled('not_mine', undoText.notMine)
  if (at + UNDO_SECONDS < now) throw ruled('too_late', undoText.late)
  if (first && task.claimed_by !== null && (task.claim_until ?? 0) > now)
    throw ruled('claimed', undoText.changed)
  const [item] = await tx
    .select()
    .from(product)
    .where(eq(product.id, task.product_id))
    .for('update')
  // By its version: a number tells when it was entered, and past ones are brought along later.
  const [later] = await tx
    .select({ id: audit_task.id })
    .from(audit_task)
    .where(
      and(
        eq(audit_task.product_id, task.product_id),
        sql`${audit_task.product_version} > ${task.product_version}`,
      ),
    )
    .limit(1)
  if (later || item!.version !== was.product_version) throw ruled('changed', undoText.changed)
  if (task.state === 'approved') {
    if (item!.live_version !== task.product_version) throw ruled('not_live', undoText.live)
    const [sold] = await tx
      .select({ id: order_item.id })
      .from(order_item)
      .where(
        and(eq(order_item.product_id, task.product_id), sql`${order_item.created_at} >= ${at}`),
      )
      .limit(1)
    if (sold) throw ruled('ordered', undoText.sold)
  }
  const of = eq(product_version.product_id, task.product_id)
  // An edit made with the decision goes with it: the merchant's own version is under audit again.
  const [own] = await tx
    .select({ body: product_version.body })
    .from(product_version)
    .where(and(of, eq(product_version.no, was.submitted_no)))
  const [after] = await tx
    .update(audit_task)
    .set({
      ...was.task,
      state: was.task.state === 'second_audit' ? 'second_audit' : 'claimed',
      ...mine(staff, now),
      undo: null,
      version: task.version + 1,
      updated_at: now,
      ...fromBody(own!.body, task.merchant_name, task.store_name),
      product_version: was.submitted_no,
    })
    .where(
      and(
        eq(audit_task.id, task.id),
        eq(audit_task.version, task.version),
        eq(audit_task.state, task.state),
      ),
    )
    .returning()
  if (!after) throw conflict(undoText.changed)
  await dropLook(tx, task.id)
  if (was.submitted_no !== task.product_version)
    await tx
      .update(product_version)
      .set({ state: 'withdrawn' })
      .where(and(of, eq(product_version.no, task.product_version)))
  await tx
    .update(product_version)
    .set({ state: 'auditing' })
    .where(and(of, eq(product_version.no, was.submitted_no)))
  if (task.state === 'approved' && was.live_no > 0)
    await tx
      .update(product_version)
      .set({ state: 'live' })
      .where(and(of, eq(product_version.no, was.live_no)))
  if (task.state !== 'second_audit') await restore(tx, task.product_id, was, item!.version)
  logged(deciding, task, after, undefined, { undone: task.state })
  return after
}
/**
 * The product and its SKUs as they were before the decision; what earlier orders did to the stock
 * since then stays done.
 */
const restore = async (
  tx: Db,
  product_id: number,
  was: AuditUndo,
  version: number,
): Promise<void> => {
  const {
    id: _,
    version: __,
    created_at: ___,
    updated_at: ____,
    held: _____,
    sold: ______,
    stock,
    ...columns
  } = was.product as typeof product.$inferSelect
  await tx
    .update(product)
    .set({
      ...columns,
      stock: sql`greatest(${product.stock} + ${stock - was.stock_after}, ${product.held})`,
      version: version + 1,
    })
    .where(eq(product.id, product_id))
  await linkStores(tx, product_id, columns.store_ids)
  await settleOffers(tx, [product_id])
  await tx.update(product_sku).set({ status: 'off' }).where(eq(product_sku.product_id, product_id))
  for (const {
    id,
    code,
    name,
    price_cents,
    image,
    status,
    stock,
  } of was.skus as (typeof product_sku.$inferSelect)[]) {
    await tx
      .update(product_sku)
      .set({
        name,
        price_cents,
        image,
        status,
        stock: sql`greatest(${product_sku.stock} + ${stock - (was.sku_stock_after[code] ?? stock)}, ${product_sku.held})`,
        version: sql`${product_sku.version} + 1`,
      })
      .where(eq(product_sku.id, id))
  }
}

/** Takes the product of a task off sale; what was paid stays valid. */
export const offShelf = async (
  deciding: Deciding,
  queue: AuditQueue,
  id: number,
  reason: string,
): Promise<{ id: number; product_state: string }> => {
  const { tx, staff } = deciding
  const task = await readTask(tx, queue, id, staff)
  const [off] = await tx
    .update(product)
    .set({ state: 'off_sale', off_reason: reason, version: sql`${product.version} + 1` })
    .where(and(eq(product.id, task.product_id), inArray(product.state, ['on_sale'])))
    .returning({ id: product.id, title: product.title, version: product.version })
  if (!off) {
    const [item] = await tx
      .select({ state: product.state })
      .from(product)
      .where(eq(product.id, task.product_id))
    if (!item) throw missing()
    const may = productCan('offShelf', item.state)
    throw ruled(
      'wrong_state',
      may === true ? undoText.changed : may,
      {},
      { current: { state: item.state } },
    )
  }
  deciding.log({
    object_type: 'product',
    object_id: off.id,
    object_label: off.title.slice(0, 64),
    before: { state: 'on_sale', version: off.version - 1 },
    after: { state: 'off_sale', version: off.version },
    reason,
  })
  return { id: off.id, product_state: 'off_sale' }
}
