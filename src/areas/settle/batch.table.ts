import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { batchStates, confirmers, type BatchState, type Confirmer } from './batch.ts'

/**
 * 结算批次: the lines of one merchant that are settled together (settle_line.batch_id). Its sums are
 * those of the last calculation, and `lines_hash` is what its lines were then.
 */
export const settle_batch = pgTable(
  'settle_batch',
  {
    ...base,
    no: varchar({ length: 32 })
      .notNull()
      .generatedAlwaysAs(sql`'JS' || replace(period_to, '-', '') || lpad(id::text, 8, '0')`),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    /** `YYYY-MM-DD`, Shanghai: lines whose freeze was over by the end of the last day. */
    period_from: varchar({ length: 10 }).notNull(),
    period_to: varchar({ length: 10 }).notNull(),
    line_count: integer().notNull(),
    gross_cents: cents().notNull(),
    merchant_discount_cents: cents().notNull(),
    subsidy_cents: cents().notNull(),
    commission_cents: cents().notNull(),
    /** What its merchant's own guides earned, which the merchant bears. */
    distributor_cents: cents().notNull().default(0),
    /** The channel's fee, where the merchant bears it. */
    fee_cents: cents().notNull(),
    refund_deduct_cents: cents().notNull(),
    debt_deduct_cents: cents().notNull(),
    payable_cents: cents().notNull(),
    lines_hash: varchar({ length: 64 }).notNull(),
    status: text({ enum: keys<BatchState>(batchStates) }).notNull(),
    sent_at: unix(),
    confirm_deadline_at: unix(),
    confirmed_by: text({ enum: keys<Confirmer>(confirmers) }),
    confirmed_at: unix(),
    /** The picture that shows that the merchant agreed, where staff confirmed for it. */
    proof: varchar({ length: 200 }).notNull().default(''),
    /** Why it is disputed or void. */
    reason: varchar({ length: 255 }).notNull().default(''),
    txn_id: integer().references(() => ledger_txn.id),
    /** Whoever generated it; never whoever posts it. */
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    poster_id: integer().references(() => admin.id),
    posted_at: unix(),
    /** Asks to take the posting back, for a reason; `reversed_by` is another person, and does it. */
    reverse_by: integer().references(() => admin.id),
    reverse_at: unix(),
    reverse_reason: varchar({ length: 255 }).notNull().default(''),
    reversed_by: integer().references(() => admin.id),
    reversed_at: unix(),
    reverse_txn_id: integer().references(() => ledger_txn.id),
  },
  t => [
    check('settle_batch_poster_is_another', sql`${t.poster_id} <> ${t.maker_id}`),
    check('settle_batch_reversed_by_another', sql`${t.reversed_by} <> ${t.reverse_by}`),
    check(
      'settle_batch_payable',
      sql`${t.payable_cents} >= 0 and ${t.debt_deduct_cents} >= 0 and ${t.refund_deduct_cents} >= 0 and ${t.payable_cents} = ${t.gross_cents} - ${t.merchant_discount_cents} - ${t.commission_cents} - ${t.distributor_cents} - ${t.fee_cents} - ${t.refund_deduct_cents} - ${t.debt_deduct_cents}`,
    ),
    uniqueIndex('settle_batch_no_once').on(t.no),
    index('settle_batch_by_status').on(t.status, t.id),
    index('settle_batch_by_merchant').on(t.merchant_id, t.id),
    index('settle_batch_by_period').on(t.period_to, t.id),
    index('settle_batch_reversing')
      .on(t.id)
      .where(sql`status = 'posted' and reverse_by is not null`),
    index('settle_batch_due')
      .on(t.confirm_deadline_at)
      .where(sql`status = 'confirming'`),
  ],
)

const ofMerchant = (more: string) => `(select ${more} from merchant m where m.id = t.merchant_id)`
/** Batches stand where their merchant does, lines where they were sold. */
defineKinds({
  settle_batch: at('settle_batch', {
    city: ofMerchant('m.city_id'),
    owner: ofMerchant('m.bd_admin_id'),
  }),
  settle_line: at('settle_line', { city: 't.city_id', mall: 't.mall_id' }),
})
