import { and, asc, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { brandsNow } from '#src/areas/brand/brands.server.ts'
import { verify_record } from '#src/areas/code/code.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { freight_template, return_address, store } from '#src/areas/merchant/merchant.table.ts'
import { product_version } from '#src/areas/product/product.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { audit_task, type AuditTask } from './audit.table.ts'
import type { Finding } from './audit.ts'
import { categoriesOf } from './submissionFacts.server.ts'
import { inScope } from './taskClaims.server.ts'

const t = audit_task

/** How many submissions of a merchant were approved and rejected since. */
export const decidedOf = async (db: Db, merchant_id: number, since: number) => {
  const [record] = await db
    .select({
      approved: sql<number>`count(*) filter (where ${t.state} = 'approved')::int`,
      rejected: sql<number>`count(*) filter (where ${t.state} = 'rejected')::int`,
    })
    .from(t)
    .where(and(eq(t.merchant_id, merchant_id), gt(t.submitted_at, since)))
  return record!
}
/** What a product was sold for, version by version. */
export const pricesOf = async (db: Db, product_id: number) => {
  const versions = await db
    .select({
      no: product_version.no,
      at: product_version.created_at,
      body: product_version.body,
    })
    .from(product_version)
    .where(
      and(
        eq(product_version.product_id, product_id),
        inArray(product_version.state, ['live', 'retired']),
      ),
    )
    .orderBy(asc(product_version.no))
    .limit(30)
  return versions.map(one => ({
    no: one.no,
    at: one.at,
    price_cents: one.body.price_cents,
    list_price_cents: one.body.list_price_cents,
  }))
}
/** What the stores of a task redeemed since of its kind. */
export const redeemedOf = async (db: Db, { queue, store_ids }: AuditTask, since: number) => {
  if (store_ids.length === 0) return { count: 0, cents: 0 }
  const [redeemed] = await db
    .select({
      count: sql<number>`count(*)::int`,
      cents: sql<string>`coalesce(sum(${verify_record.pay_cents} + ${verify_record.platform_cents}), 0)`,
    })
    .from(verify_record)
    .where(
      and(
        inArray(verify_record.store_id, store_ids),
        queue === 'product'
          ? inArray(verify_record.kind, ['goods', 'elist'])
          : eq(verify_record.kind, queue),
        eq(verify_record.state, 'valid'),
        gt(verify_record.verified_at, since),
      ),
    )
  return { count: redeemed!.count, cents: Number(redeemed!.cents) }
}

const pairs = (rows: readonly { id: number; name: string }[]) =>
  Object.fromEntries(rows.map(row => [row.id, row.name]))
/** The names of what a submission and the live version refer to, and their stores. */
export const namesIn = async (db: Db, body: ProductBody, live: ProductBody | null) => {
  const storeIds = [...new Set([...body.store_ids, ...(live?.store_ids ?? [])])]
  const both = (
    key: 'brand_id' | 'freight_template_id' | 'return_address_id' | 'category_id',
  ): number[] => [body[key], live?.[key]].filter(id => id !== undefined)
  const freightIds = both('freight_template_id')
  const addressIds = both('return_address_id')
  const kinds = categoriesOf(body.kind)
  const [stores, categories, brands, freights, addresses] = await Promise.all([
    storeIds.length
      ? db
          .select({ id: store.id, name: store.name, status: store.status, address: store.address })
          .from(store)
          .where(inArray(store.id, storeIds))
          .orderBy(store.id)
      : [],
    db
      .select({ id: kinds.id, name: kinds.name })
      .from(kinds)
      .where(inArray(kinds.id, both('category_id'))),
    brandsNow(db, both('brand_id')),
    freightIds.length
      ? db
          .select({ id: freight_template.id, name: freight_template.name })
          .from(freight_template)
          .where(inArray(freight_template.id, freightIds))
      : [],
    addressIds.length
      ? db
          .select({
            id: return_address.id,
            name: sql<string>`${return_address.area} || ' ' || ${return_address.address}`,
          })
          .from(return_address)
          .where(inArray(return_address.id, addressIds))
      : [],
  ])
  const names = {
    categories: pairs(categories),
    brands: pairs([...brands].map(([id, { name }]) => ({ id, name }))),
    stores: pairs(stores),
    freights: pairs(freights),
    addresses: pairs(addresses),
  }
  return { names, stores }
}

const earnings = ['settle_price_cents', 'commission_bp'] as const
/** A finding as its reader may have it: its sentence must not tell what the field itself hides. */
export const toldTo = (reader: Pick<Staff, 'field'>, finding: Finding): Finding => {
  const field = earnings.find(one => one === finding.field)
  if (!finding.values || !field || reader.field(`product.${field}`) === 'show') return finding
  const values = Object.fromEntries(Object.keys(finding.values).map(key => [key, '—']))
  return { ...finding, values }
}

/**
 * Earlier rounds of this submission (from the operation log), earlier submissions of this product,
 * and the merchant's last decisions; newest first.
 */
export const roundsOf = async (db: Db, task: AuditTask, reader: Pick<Staff, 'scope'>) => {
  const asked = await db
    .select({ reason: op_log.reason, by: op_log.admin_name, at: op_log.created_at })
    .from(op_log)
    .where(
      and(
        eq(op_log.object_type, 'audit_task'),
        eq(op_log.object_id, task.id),
        eq(op_log.result, 'ok'),
        sql`${op_log.after}->>'state' = 'need_more'`,
      ),
    )
    .orderBy(asc(op_log.id))
  const others = await db
    .select()
    .from(t)
    .where(
      and(
        eq(t.merchant_id, task.merchant_id),
        ne(t.id, task.id),
        inArray(t.state, ['approved', 'rejected', 'withdrawn']),
        inScope(reader.scope),
      ),
    )
    .orderBy(desc(sql`(${t.product_id} = ${task.product_id})::int`), desc(t.submitted_at))
    .limit(15)
  return [
    ...asked.map((one, at) => ({
      task_id: task.id,
      title: task.title,
      own: true,
      round: at + 1,
      state: 'need_more' as const,
      reason_code: null,
      reason: one.reason,
      by: one.by,
      at: one.at,
    })),
    ...others.map(one => ({
      task_id: one.id,
      title: one.title,
      own: one.product_id === task.product_id,
      round: one.round,
      state: one.state,
      reason_code: one.reason_code,
      reason: one.reason,
      by: one.decider_name,
      at: one.decided_at ?? one.submitted_at,
    })),
  ].sort((a, b) => b.at - a.at)
}
