import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { product } from '#src/areas/product/product.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { auditQueues, submitTypes, type SubmitType } from './audit.ts'
import { claimedColumns, viewerColumns } from './claimed.table.ts'

/** The long parts of an offer, which no row of a queue shows. */
const long = [
  'title',
  'store_ids',
  'images',
  'tags',
  'use_time',
  'unavailable_dates',
  'buy_notes',
  'package',
  'skus',
] as const
/**
 * One submission through one queue. Everything a queue's row shows stands here as it was submitted,
 * so that a list is one index scan. `version` goes up with every change but a heartbeat: a decision
 * carries the version read.
 */
export const audit_task = pgTable(
  'audit_task',
  {
    ...base,
    queue: text({ enum: auditQueues }).notNull(),
    product_id: integer()
      .notNull()
      .references(() => product.id),
    product_kind: text({ enum: ['bulks', 'card', 'voucher', 'goods', 'elist'] }).notNull(),
    /** The product_version under audit. */
    product_version: integer().notNull(),
    submit_type: text({ enum: keys<SubmitType>(submitTypes) }).notNull(),
    title: text().notNull(),
    image: text(),
    merchant_id: integer().notNull(),
    merchant_name: text().notNull(),
    store_name: text().notNull(),
    store_count: integer().notNull(),
    store_ids: integer().array().notNull(),
    city_id: integer().notNull(),
    city_name: text().notNull(),
    mall_id: integer().notNull(),
    mall_name: text().notNull(),
    category_name: text().notNull(),
    brand_name: text(),
    /** The merchant's BD; scope `own` reads this. */
    owner_id: integer(),
    price_cents: cents().notNull(),
    price_max_cents: cents(),
    snapshot: jsonb().$type<ProductBody>().notNull(),
    /** The snapshot as a queue's row shows it: to unpack and write all of it takes most of a page's time. */
    listed: jsonb()
      .$type<Omit<ProductBody, (typeof long)[number]>>()
      .notNull()
      .generatedAlwaysAs(sql.raw(`snapshot - '{${long.join(',')}}'::text[]`)),
    sku_count: integer().generatedAlwaysAs(sql`jsonb_array_length(snapshot -> 'skus')`),
    live_snapshot: jsonb().$type<ProductBody>(),
    changed: jsonb().$type<string[]>().notNull(),
    /** Rules that keep it out of batches, as the machine found them at submission. */
    flags: jsonb().$type<string[]>().notNull(),
    flagged: boolean()
      .notNull()
      .generatedAlwaysAs(sql`jsonb_array_length(flags) > 0`),
    /** Pictures that the machine found unfit: address → what is wrong. */
    image_faults: jsonb().$type<Record<string, string>>().notNull().default({}),
    field_marks: jsonb().$type<Record<string, string>>().notNull().default({}),
    round: integer().notNull().default(1),
    priority: integer().notNull().default(0),
    ...claimedColumns(),
    first_name: text(),
    first_at: unix(),
    second_by: integer(),
    /** Further codes of the same rejection. */
    more_codes: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** What the last decision replaced, for its undo. */
    undo: jsonb().$type<AuditUndo>(),
    /**
     * Title, merchant and store in lower case, and their characters and pairs (domain/search.ts).
     */
    search: text().notNull(),
    grams: text().array().notNull(),
  },
  t => [
    check(
      'audit_decider_is_not_submitter',
      sql`${t.decided_by} is distinct from ${t.submitted_by} or ${t.decided_by} is null`,
    ),
    check('audit_second_is_another', sql`${t.second_by} <> ${t.first_by}`),
    uniqueIndex('audit_one_open_task')
      .on(t.product_id)
      .where(sql`state in ('pending', 'claimed', 'second_audit', 'need_more')`),
    index('audit_open_by_sla').on(t.queue, t.is_open, t.sla_at, t.id),
    index('audit_open_by_age').on(t.queue, t.is_open, t.submitted_at, t.id),
    index('audit_open_by_price').on(t.queue, t.is_open, t.price_cents, t.id),
    index('audit_open_by_city').on(t.queue, t.is_open, t.city_id, t.sla_at, t.id),
    index('audit_open_by_mall').on(t.queue, t.is_open, t.mall_id, t.sla_at, t.id),
    // Beside its order it holds what the broad filters ask for: their counts read the index alone,
    // where the table would be read whole (explain.test.ts).
    index('audit_by_decision').on(
      t.queue,
      t.state,
      t.decided_at,
      t.id,
      t.submit_type,
      t.flagged,
      t.product_kind,
      t.submitted_at,
      t.owner_id,
      t.is_open,
      t.sla_at,
    ),
    index('audit_by_age').on(t.queue, t.state, t.submitted_at, t.id),
    index('audit_by_price').on(t.queue, t.state, t.price_cents, t.id),
    index('audit_by_city').on(t.queue, t.state, t.city_id, t.decided_at, t.id),
    index('audit_by_mall').on(t.queue, t.state, t.mall_id, t.decided_at, t.id),
    index('audit_by_decider').on(t.decided_by, t.queue, t.decided_at, t.state),
    index('audit_by_first').on(t.first_by, t.queue, t.first_at, t.state),
    index('audit_by_claimer')
      .on(t.claimed_by)
      .where(sql`claimed_by is not null`),
    index('audit_by_merchant').on(t.merchant_id, t.submitted_at),
    index('audit_by_product').on(t.product_id, t.id),
    index('audit_by_grams').using('gin', t.grams),
  ],
)
export type AuditTask = typeof audit_task.$inferSelect

/** Columns of a task that a decision sets, and that are put back when it is taken back. */
export const decidedFields = [
  'state',
  'claimed_by',
  'claimer_name',
  'claimed_at',
  'claim_until',
  'first_by',
  'first_name',
  'first_at',
  'second_by',
  'decided_by',
  'decider_name',
  'decided_at',
  'reason_code',
  'more_codes',
  'reason',
  'field_marks',
  'category_name',
] as const satisfies readonly (keyof AuditTask)[]
/**
 * Columns of the task, the product and its SKUs before a decision, and the version that was live.
 */
export type AuditUndo = {
  task: Pick<AuditTask, (typeof decidedFields)[number]>
  product: Record<string, unknown>
  skus: Record<string, unknown>[]
  /** The product's own version after the decision: a later change forbids undo. */
  product_version: number
  live_no: number
  /**
   * Stock as the decision set it: the difference to what stands there later was sold or freed by
   * earlier orders.
   */
  stock_after: number
  sku_stock_after: Record<string, number>
  /** The version that was under audit; an edit made with the decision is a later one. */
  submitted_no: number
}

/**
 * 抽检: a decision that a second person looks at without seeing it. Drawn by the task's own number,
 * so that who decides can't know or choose which. Deleted with the decision when that is taken
 * back.
 */
export const audit_look = pgTable(
  'audit_look',
  {
    ...base,
    task_id: integer()
      .notNull()
      .unique()
      .references(() => audit_task.id, { onDelete: 'cascade' }),
    queue: text({ enum: auditQueues }).notNull(),
    first_by: integer().notNull(),
    first_verdict: text({ enum: ['approved', 'rejected'] }).notNull(),
    first_codes: text().array().notNull(),
    first_at: unix().notNull(),
    taken_by: integer(),
    taken_until: unix(),
    second_by: integer(),
    second_verdict: text({ enum: ['approved', 'rejected'] }),
    second_codes: text().array(),
    note: text(),
    second_at: unix(),
  },
  t => [
    check('audit_look_is_another', sql`${t.second_by} <> ${t.first_by}`),
    index('audit_look_waiting')
      .on(t.queue, t.first_at, t.id)
      .where(sql`second_at is null`),
    index('audit_look_by_time').on(t.first_at, t.queue),
  ],
)
export type AuditLook = typeof audit_look.$inferSelect

/** The people who look at a task now: heartbeats, shared by all server processes. */
export const audit_viewer = pgTable(
  'audit_viewer',
  {
    task_id: integer()
      .notNull()
      .references(() => audit_task.id, { onDelete: 'cascade' }),
    ...viewerColumns(),
  },
  t => [
    primaryKey({ columns: [t.task_id, t.admin_id] }),
    index('audit_viewer_by_time').on(t.seen_at),
  ],
)
