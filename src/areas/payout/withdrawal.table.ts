import { index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { base, cents, unix } from '#src/server/db/columns.ts'

/** 提现单 */
export const withdrawal = pgTable(
  'withdrawal',
  {
    ...base,
    no: varchar({ length: 32 }).notNull(),
    owner_kind: varchar({
      length: 12,
      enum: ['merchant', 'distributor', 'member', 'film'],
    }).notNull(),
    owner_id: integer().notNull(),
    amount_cents: cents().notNull(),
    fee_cents: cents().notNull().default(0),
    tax_cents: cents().notNull().default(0),
    net_cents: cents().notNull(),
    channel: varchar({
      length: 16,
      enum: ['bank', 'wechat_transfer', 'alipay', 'offline'],
    }).notNull(),
    payee_name: varchar({ length: 60 }).notNull(),
    payee_no: varchar({ length: 64 }).notNull(),
    bank_name: varchar({ length: 60 }),
    channel_error: varchar({ length: 200 }),
    status: varchar({
      length: 12,
      enum: [
        'pending',
        'approved',
        'paying',
        'wait_confirm',
        'paid',
        'failed',
        'rejected',
        'canceled',
      ],
    }).notNull(),
    applied_at: unix().notNull(),
    reviewed_at: unix(),
    paid_at: unix(),
  },
  t => [
    uniqueIndex('withdrawal_no_once').on(t.no),
    index('withdrawal_by_status').on(t.status, t.applied_at),
    index('withdrawal_by_payment').on(t.paid_at),
    index('withdrawal_by_owner').on(t.owner_kind, t.owner_id, t.status),
  ],
)
