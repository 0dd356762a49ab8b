import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { feeBearers, type FeeBearer } from './settle.ts'
import {
  settleMerchantStates,
  type PendingChange,
  type SettleMerchantState,
} from './settleMerchant.ts'

/**
 * 结算主体: the terms on which a merchant's sales are settled. Its name, its account and its cycle
 * are the merchant's own; a merchant without a row has `usualTerms`.
 */
export const settle_merchant = pgTable(
  'settle_merchant',
  {
    ...base,
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    /** Basis points; null: as each product agreed. From `rate_from_at` on, the next one holds. */
    commission_bp: integer(),
    next_commission_bp: integer(),
    rate_from_at: unix(),
    freeze_days: integer().notNull(),
    fee_bearer: text({ enum: keys<FeeBearer>(feeBearers) }).notNull(),
    reserve_cents: cents().notNull(),
    min_withdraw_cents: cents().notNull(),
    /** Paid by the channel's profit sharing, through the merchant's own number there. */
    profit_sharing: boolean().notNull().default(false),
    sub_mchid: varchar({ length: 32 }).notNull().default(''),
    /** What a person asked to change, until another approves or rejects it. */
    pending_change: jsonb().$type<PendingChange>(),
    pending_by: integer().references(() => admin.id),
    pending_at: unix(),
    /** Whoever approved the last change; never whoever asked for it. */
    changed_by: integer().references(() => admin.id),
    checked_by: integer().references(() => admin.id),
    reject_reason: varchar({ length: 255 }).notNull().default(''),
    status: text({ enum: keys<SettleMerchantState>(settleMerchantStates) })
      .notNull()
      .default('active'),
  },
  t => [
    check('settle_merchant_checked_by_another', sql`${t.checked_by} <> ${t.changed_by}`),
    check(
      'settle_merchant_pending',
      sql`(${t.pending_change} is null) = (${t.pending_by} is null)`,
    ),
    check(
      'settle_merchant_terms',
      sql`${t.commission_bp} between 0 and 5000 and ${t.next_commission_bp} between 0 and 5000 and ${t.freeze_days} between 0 and 30 and ${t.reserve_cents} >= 0 and ${t.min_withdraw_cents} >= 0`,
    ),
    check('settle_merchant_shares', sql`not ${t.profit_sharing} or ${t.sub_mchid} <> ''`),
    index('settle_merchant_sharing')
      .on(t.merchant_id)
      .where(sql`profit_sharing`),
    uniqueIndex('settle_merchant_once').on(t.merchant_id),
    index('settle_merchant_pending_ones')
      .on(t.id)
      .where(sql`pending_change is not null`),
  ],
)

defineKinds({
  settle_merchant: at('settle_merchant', {
    city: '(select m.city_id from merchant m where m.id = t.merchant_id)',
    owner: '(select m.bd_admin_id from merchant m where m.id = t.merchant_id)',
  }),
})
