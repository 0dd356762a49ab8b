import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { freightPayers, type FreightPayer } from './policy.ts'
import { faults, reasonTypes, type Fault, type ReasonType } from './reason.ts'

/**
 * 售后政策版本: what holds for goods of a category (0: all others). An item keeps the version that it
 * was sold under; a trigger lets a version become an old one and refuses every other change.
 */
export const after_sale_config = pgTable(
  'after_sale_config',
  {
    ...base,
    category_id: integer().notNull().default(0),
    version_no: integer().notNull(),
    /** The category follows the one above it again; the fields are what that had then. */
    inherits: boolean().notNull().default(false),
    no_reason_days: integer().notNull(),
    exempt: boolean().notNull(),
    freight_payer: text({ enum: keys<FreightPayer>(freightPayers) }).notNull(),
    evidence_photos: integer().notNull(),
    merchant_h: integer().notNull(),
    platform_h: integer().notNull(),
    auto_agree_cents: cents().notNull(),
    fast_score: integer().notNull(),
    fast_limit_cents: cents().notNull(),
    late_day_bp: integer().notNull(),
    late_max_cents: cents().notNull(),
    reason: varchar({ length: 255 }).notNull(),
    effective_at: unix().notNull(),
    state: text({ enum: ['current', 'old'] }).notNull(),
    by_admin: integer().references(() => admin.id),
  },
  t => [
    check('after_sale_config_deadlines', sql`${t.merchant_h} < ${t.platform_h}`),
    check('after_sale_config_fast', sql`${t.fast_limit_cents} <= ${t.auto_agree_cents}`),
    check('after_sale_config_default', sql`${t.category_id} <> 0 or not ${t.inherits}`),
    uniqueIndex('after_sale_config_version_once').on(t.category_id, t.version_no),
    uniqueIndex('after_sale_config_current_once')
      .on(t.category_id)
      .where(sql`state = 'current'`),
  ],
)

/** 售后原因: cases keep its code and words; one that was given is switched off, never deleted. */
export const after_sale_reason = pgTable(
  'after_sale_reason',
  {
    ...base,
    type: text({ enum: keys<ReasonType>(reasonTypes) }).notNull(),
    code: varchar({ length: 32 }).notNull(),
    text: varchar({ length: 64 }).notNull(),
    need_evidence: boolean().notNull().default(false),
    fault: text({ enum: keys<Fault>(faults) })
      .notNull()
      .default('none'),
    sort: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
  },
  t => [
    uniqueIndex('after_sale_reason_code_once').on(t.type, t.code),
    uniqueIndex('after_sale_reason_text_once').on(t.type, plainName(t.text)),
  ],
)
