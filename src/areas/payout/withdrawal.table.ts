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
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  payoutChannels,
  rejectReasons,
  tellStates,
  withdrawalOwners,
  withdrawalStates,
  type PayoutChannel,
  type RejectReason,
  type RiskFlag,
  type TellState,
  type WithdrawalOwner,
  type WithdrawalState,
} from './withdrawing.ts'

/** 提现单: its money lies in `…_withdrawing` from the application until it is paid or given back. */
export const withdrawal = pgTable(
  'withdrawal',
  {
    ...base,
    no: varchar({ length: 32 }).notNull(),
    owner_kind: text({ enum: keys<WithdrawalOwner>(withdrawalOwners) }).notNull(),
    owner_id: integer().notNull(),
    /** Where the applicant stands; 0 for nowhere. */
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    /** The member of staff whose own the applicant is: never the reviewer. */
    owner_admin_id: integer().references(() => admin.id),
    amount_cents: cents().notNull(),
    fee_cents: cents().notNull().default(0),
    tax_cents: cents().notNull().default(0),
    net_cents: cents().notNull(),
    /** The owner's balance before the application took its amount. */
    balance_before_cents: cents().notNull().default(0),
    channel: text({ enum: keys<PayoutChannel>(payoutChannels) }).notNull(),
    payee_name: varchar({ length: 60 }).notNull(),
    /** The account at the bank, or the openid at WeChat. */
    payee_no: varchar({ length: 64 }).notNull(),
    bank_name: varchar({ length: 60 }),
    risk_flags: jsonb().$type<RiskFlag[]>().notNull().default([]),
    status: text({ enum: keys<WithdrawalState>(withdrawalStates) }).notNull(),
    need_second: boolean().notNull().default(false),
    reviewer_id: integer().references(() => admin.id),
    second_reviewer_id: integer().references(() => admin.id),
    /** Whoever handed the money out; not the one who only tried an earlier number. */
    payer_id: integer().references(() => admin.id),
    reason_code: text({ enum: keys<RejectReason>(rejectReasons) }),
    /** Why it was rejected, canceled, given back or put on hold: the applicant reads it. */
    reason: varchar({ length: 200 }).notNull().default(''),
    /** Whether a rejected applicant was told, how often it was tried, and what the gateway said last. */
    tell_state: text({ enum: keys<TellState>(tellStates) })
      .notNull()
      .default('none'),
    tell_tries: integer().notNull().default(0),
    tell_answer: varchar({ length: 255 }).notNull().default(''),
    hold: boolean().notNull().default(false),
    held_by: integer().references(() => admin.id),
    /** A picture of the transfer, where a person paid it. */
    proof: text().notNull().default(''),
    /** The invoice of a film owner, and what it is made out for. */
    invoice_image: varchar({ length: 200 }).notNull().default(''),
    invoice_cents: cents(),
    /** Our number at the channel: it pays once however often it is sent. */
    out_bill_no: varchar({ length: 32 }),
    /** How many numbers were used; the channel's books hold the last as failed for good. */
    bills: integer().notNull().default(0),
    bill_ended: boolean().notNull().default(false),
    channel_no: varchar({ length: 64 }),
    channel_code: varchar({ length: 64 }),
    /** In both languages, as the row keeps them (`unjoined`). */
    channel_error: varchar({ length: 255 }),
    /** How often the channel was asked of the number, and when it is asked next. */
    tries: integer().notNull().default(0),
    ask_at: unix(),
    /** A transfer that its payee has not confirmed by then is closed. */
    confirm_until_at: unix(),
    /** The channel is being asked to take a transfer back that waits for its payee. */
    canceling: boolean().notNull().default(false),
    applied_at: unix().notNull(),
    reviewed_at: unix(),
    second_reviewed_at: unix(),
    paid_at: unix(),
    /** When it was paid, rejected or canceled. */
    ended_at: unix(),
  },
  t => [
    check(
      'withdrawal_parts',
      sql`${t.amount_cents} = ${t.net_cents} + ${t.fee_cents} + ${t.tax_cents} and ${t.net_cents} > 0 and ${t.fee_cents} >= 0 and ${t.tax_cents} >= 0`,
    ),
    check('withdrawal_second_is_another', sql`${t.second_reviewer_id} <> ${t.reviewer_id}`),
    check(
      'withdrawal_payer_is_another',
      sql`${t.payer_id} <> ${t.reviewer_id} and ${t.payer_id} <> coalesce(${t.second_reviewer_id}, 0)`,
    ),
    check(
      'withdrawal_reviewer_is_no_owner',
      sql`${t.owner_admin_id} <> ${t.reviewer_id} and ${t.owner_admin_id} <> coalesce(${t.second_reviewer_id}, 0)`,
    ),
    check(
      'withdrawal_second_before_paid',
      sql`not ${t.need_second} or ${t.second_reviewer_id} is not null or ${t.status} in ('pending', 'rejected', 'canceled')`,
    ),
    check('withdrawal_invoice', sql`(${t.invoice_image} = '') = (${t.invoice_cents} is null)`),
    uniqueIndex('withdrawal_no_once').on(t.no),
    uniqueIndex('withdrawal_bill_once').on(t.out_bill_no),
    index('withdrawal_by_status').on(t.status, t.applied_at, t.id),
    index('withdrawal_by_time').on(t.applied_at, t.id),
    index('withdrawal_by_payment').on(t.paid_at),
    index('withdrawal_by_owner').on(t.owner_kind, t.owner_id, t.status),
    index('withdrawal_by_city').on(t.city_id, t.status, t.applied_at),
    index('withdrawal_by_channel').on(t.channel, t.status, t.applied_at),
    index('withdrawal_by_payee').using('btree', t.payee_name.op('text_pattern_ops')),
    index('withdrawal_by_channel_no')
      .on(t.channel_no)
      .where(sql`channel_no is not null`),
    index('withdrawal_risky')
      .on(t.status, t.applied_at)
      .where(sql`risk_flags <> '[]'::jsonb`),
    index('withdrawal_untold')
      .on(t.tell_tries, t.id)
      .where(sql`tell_state = 'queued'`),
    index('withdrawal_waiting')
      .on(t.ask_at)
      .where(sql`ask_at is not null`),
  ],
)
