import { and, eq, sql } from 'drizzle-orm'
import { settleOffers } from '#src/areas/merchant/sales.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { product, product_sku, product_version } from '#src/areas/product/product.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { conflict, ruled } from '#src/server/call/refuse.ts'
import { audit_task, decidedFields, type AuditTask, type AuditUndo } from './audit.table.ts'
import { UNDO_SECONDS } from './audit.ts'
import { mine } from './claiming.server.ts'
import { isStockKept, linkStores } from './goingLive.server.ts'
import { fromBody } from './submission.server.ts'

export const undoText = {
  late: ['超过 10 分钟，不能撤销', 'More than 10 minutes ago'],
  notMine: ['不是你的决定', 'Not your decision'],
  sold: ['已有订单，不能撤销', 'An order was placed since'],
  changed: ['之后又有变化，不能撤销', 'It changed since'],
  live: ['不是线上版本了，不能撤销', 'No longer the live version'],
  none: ['没有可撤销的决定', 'There is no decision to take back'],
} as const

/** What a decision is about to replace, for its undo. */
export const remember = async (
  tx: Db,
  task: AuditTask,
  {
    live_no,
    version_after,
    body,
  }: { live_no: number; version_after: number; body?: ProductBody | undefined },
): Promise<AuditUndo> => {
  const [item] = await tx.select().from(product).where(eq(product.id, task.product_id))
  const skus = await tx
    .select()
    .from(product_sku)
    .where(eq(product_sku.product_id, task.product_id))
  const decided = decidedFields.map(field => [field, task[field]])
  return {
    task: Object.fromEntries(decided) as AuditUndo['task'],
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
    product_version: version_after,
  }
}

/** A decision of mine that may be taken back as far as the task itself tells; else why not. */
export const mineToUndo = (
  task: AuditTask,
  staffId: number,
  now: number,
): { was: AuditUndo; at: number } => {
  const was = task.undo
  const first = task.state === 'second_audit'
  const at = first ? task.first_at : task.decided_at
  if (!was || at === null || !['approved', 'rejected', 'second_audit'].includes(task.state))
    throw ruled('no_decision', undoText.none)
  if ((first ? task.first_by : task.decided_by) !== staffId)
    throw ruled('not_mine', undoText.notMine)
  if (at + UNDO_SECONDS < now) throw ruled('too_late', undoText.late)
  if (first && task.claimed_by !== null && (task.claim_until ?? 0) > now)
    throw ruled('claimed', undoText.changed)
  return { was, at }
}
/** The product of a decision on which nothing was built since, locked; else what was. */
export const unbuiltOn = async (tx: Db, task: AuditTask, was: AuditUndo, at: number) => {
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
  if (task.state !== 'approved') return item!
  if (item!.live_version !== task.product_version) throw ruled('not_live', undoText.live)
  const [sold] = await tx
    .select({ id: order_item.id })
    .from(order_item)
    .where(and(eq(order_item.product_id, task.product_id), sql`${order_item.created_at} >= ${at}`))
    .limit(1)
  if (sold) throw ruled('ordered', undoText.sold)
  return item!
}
/**
 * The task as it was before the decision, claimed by whoever takes it back. An edit made with the
 * decision goes with it: the merchant's own version is under audit again.
 */
export const reopenTask = async (
  tx: Db,
  task: AuditTask,
  was: AuditUndo,
  { staff, now }: { staff: Pick<Staff, 'id' | 'name'>; now: number },
): Promise<AuditTask> => {
  const [own] = await tx
    .select({ body: product_version.body })
    .from(product_version)
    .where(
      and(
        eq(product_version.product_id, task.product_id),
        eq(product_version.no, was.submitted_no),
      ),
    )
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
  return after
}
/** The versions as they stood before the decision. */
export const reopenVersions = async (tx: Db, task: AuditTask, was: AuditUndo): Promise<void> => {
  const set = (no: number, state: 'withdrawn' | 'auditing' | 'live') =>
    tx
      .update(product_version)
      .set({ state })
      .where(and(eq(product_version.product_id, task.product_id), eq(product_version.no, no)))
  if (was.submitted_no !== task.product_version) await set(task.product_version, 'withdrawn')
  await set(was.submitted_no, 'auditing')
  if (task.state === 'approved' && was.live_no > 0) await set(was.live_no, 'live')
}
/**
 * The product and its SKUs as they were before the decision; what earlier orders did to the stock
 * since then stays done.
 */
export const restore = async (
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
