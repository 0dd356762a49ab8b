import { and, eq, sql } from 'drizzle-orm'
import { product_version } from '#src/areas/product/product.table.ts'
import { changedFields } from '#src/areas/product/product.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { Db } from '#src/server/call/implement.ts'
import { invalid } from '#src/server/call/refuse.ts'
import type { AuditTask } from './audit.table.ts'
import { fromBody } from './submission.server.ts'
import { categoriesOf } from './submissionFacts.server.ts'

export type Edit = {
  title?: string | undefined
  category_id?: number | undefined
  tags?: string[] | undefined
  images?: string[] | undefined
}

/**
 * The body with the auditor's edits; refuses anything but title, category, tags and the order of
 * pictures.
 */
export const edited = (body: ProductBody, edit: Edit): ProductBody => {
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
 * The auditor's edit as a version of its own: what the merchant submitted stays as it was
 * submitted.
 */
export const editedVersion = async (tx: Db, task: AuditTask, body: ProductBody, editor: number) => {
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
