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
import { claimedColumns, viewerColumns } from '#src/areas/audit/claimed.table.ts'
import type { BrandUndo } from '#src/areas/brand/brandBody.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import type { ShopField } from '#src/areas/merchant/onlineShop.ts'
import type { StoreField } from '#src/areas/merchant/storeForm.ts'
import { city } from '#src/areas/place/place.table.ts'
import { base, keys } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import {
  applicationKinds,
  applicationQueues,
  type ApplicationBody,
  type ApplicationKind,
  type AskedItem,
  type BodyField,
} from './application.ts'

/**
 * What a merchant asks the platform to take over: itself or a store, a change of its licence,
 * account or profile or of a store, or a brand. What is live stays so until somebody approves it.
 */
export const application = pgTable(
  'application',
  {
    ...base,
    queue: text({ enum: applicationQueues }).notNull(),
    kind: text({ enum: keys<ApplicationKind>(applicationKinds) }).notNull(),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    /** The store that it is about, where it is about one. */
    store_id: integer().references(() => store.id),
    /** The merchant's or the store's name as it was submitted. */
    title: text().notNull(),
    city_id: integer()
      .notNull()
      .references(() => city.id),
    /** The merchant's BD: scope `own` reads this, and they may not decide it. */
    owner_id: integer(),
    snapshot: jsonb().$type<ApplicationBody>().notNull(),
    /** What was submitted the time before. */
    last_snapshot: jsonb().$type<ApplicationBody>(),
    /** What stood there when it was approved, of the fields that it changed. */
    replaced: jsonb().$type<ApplicationBody>(),
    changed: jsonb().$type<(BodyField | StoreField | ShopField)[]>().notNull(),
    /** Rules that keep it out of batches, as they were found at its submission. */
    flags: jsonb().$type<string[]>().notNull(),
    flagged: boolean()
      .notNull()
      .generatedAlwaysAs(sql`jsonb_array_length(flags) > 0`),
    round: integer().notNull().default(1),
    /** What the merchant was asked for besides. */
    asked: jsonb().$type<AskedItem[]>().notNull().default([]),
    ...claimedColumns(),
    /** What takes the decision back while nothing was built on it. */
    undo: jsonb().$type<ApplicationUndo>(),
  },
  t => [
    check(
      'application_decider_is_not_submitter',
      sql`${t.decided_by} is distinct from ${t.submitted_by} or ${t.decided_by} is null`,
    ),
    uniqueIndex('application_one_open')
      .on(t.merchant_id)
      .where(
        sql`queue = 'shop' and store_id is null and state in ('pending', 'claimed', 'need_more')`,
      ),
    uniqueIndex('application_one_open_of_store')
      .on(t.store_id)
      .where(sql`state in ('pending', 'claimed', 'need_more')`),
    index('application_by_store')
      .on(t.store_id, t.id)
      .where(sql`store_id is not null`),
    // A merchant may bring several brands at once, each by one application.
    uniqueIndex('application_one_open_brand')
      .on(t.merchant_id, plainName(t.title))
      .where(sql`queue = 'brand' and state in ('pending', 'claimed', 'need_more')`),
    index('application_by_merchant').on(t.merchant_id, t.id),
    index('application_open_by_sla').on(t.queue, t.is_open, t.sla_at, t.id),
    index('application_open_by_age').on(t.queue, t.is_open, t.submitted_at, t.id),
    index('application_by_decision').on(t.queue, t.state, t.decided_at, t.id),
    index('application_by_state').on(t.queue, t.state, t.sla_at, t.id),
    index('application_by_kind').on(t.queue, t.kind, t.state, t.sla_at, t.id),
    index('application_by_city').on(t.queue, t.city_id, t.state, t.sla_at, t.id),
    index('application_by_decider').on(t.decided_by, t.decided_at),
    index('application_by_owner').on(t.owner_id, t.state),
    index('application_by_claimer')
      .on(t.claimed_by)
      .where(sql`claimed_by is not null`),
  ],
)
export type Application = typeof application.$inferSelect

export type ApplicationUndo = {
  /** The merchant before the decision, of what that changed; its version after it. */
  merchant: Record<string, unknown>
  merchant_version: number
  /** Entries of the black list that came with it. */
  listed: number[]
  /** The brand that was made or changed, and the authorisation that was given. */
  brand?: BrandUndo
  /** A store as it was, and whether it got its BD with the decision. */
  store?: { was: Record<string, unknown>; version: number; owned: boolean }
}

/** The people who look at an application now. */
export const application_viewer = pgTable(
  'application_viewer',
  {
    task_id: integer()
      .notNull()
      .references(() => application.id, { onDelete: 'cascade' }),
    ...viewerColumns(),
  },
  t => [primaryKey({ columns: [t.task_id, t.admin_id] })],
)
