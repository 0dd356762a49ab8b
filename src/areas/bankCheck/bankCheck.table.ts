import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { bankKinds, type BankKind } from '#src/areas/merchant/merchant.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { bankCheckStates, voidReasons, type BankCheckState, type VoidReason } from './bankCheck.ts'

/** 打款验证: a few cents to a settlement account, whose amount only its owner can read. */
export const bank_check = pgTable(
  'bank_check',
  {
    ...base,
    /** Our number at the bank: it pays once however often it is sent. */
    no: varchar({ length: 32 })
      .notNull()
      .generatedAlwaysAs(sql`'BV' || lpad(id::text, 10, '0')`),
    merchant_id: integer()
      .notNull()
      .references(() => merchant.id),
    /** `YYYY-MM-DD`, Shanghai, and which of that day it is. */
    day: varchar({ length: 10 }).notNull(),
    nth: integer().notNull(),
    /** No call answers it: staff learn it from the merchant. */
    amount_cents: cents().notNull(),
    /** The account as it was when it was paid to. */
    bank_kind: text({ enum: keys<BankKind>(bankKinds) }).notNull(),
    bank_holder: text().notNull(),
    bank_name: text().notNull(),
    bank_no: text().notNull(),
    state: text({ enum: keys<BankCheckState>(bankCheckStates) })
      .notNull()
      .default('sending'),
    void_why: text({ enum: keys<VoidReason>(voidReasons) }),
    /** Wrong amounts so far. */
    wrong: integer().notNull().default(0),
    asked_by: integer()
      .notNull()
      .references(() => admin.id),
    /** Whoever typed the last amount in, and when. */
    answered_by: integer().references(() => admin.id),
    answered_at: unix(),
    /** When the money left. */
    sent_at: unix(),
    /** When the journal got it: not while its amount proves anything, for whoever reads the journal. */
    posted_at: unix(),
    channel_no: varchar({ length: 64 }),
    channel_error: varchar({ length: 255 }).notNull().default(''),
    /** How often the bank was asked of the number, and when it is asked next. */
    tries: integer().notNull().default(0),
    ask_at: unix(),
  },
  t => [
    check('bank_check_amount', sql`${t.amount_cents} between 1 and 99`),
    check('bank_check_nth', sql`${t.nth} between 1 and 3`),
    check('bank_check_wrong', sql`${t.wrong} between 0 and 3`),
    check('bank_check_void', sql`(${t.state} = 'void') = (${t.void_why} is not null)`),
    uniqueIndex('bank_check_no_once').on(t.no),
    uniqueIndex('bank_check_nth_once').on(t.merchant_id, t.day, t.nth),
    index('bank_check_by_merchant').on(t.merchant_id, t.id),
    index('bank_check_due')
      .on(t.ask_at)
      .where(sql`ask_at is not null`),
    index('bank_check_unposted')
      .on(t.sent_at)
      .where(sql`sent_at is not null and posted_at is null`),
  ],
)
