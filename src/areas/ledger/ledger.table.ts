import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, sealColumns, unix } from '#src/server/db/columns.ts'
import { dayStates, type DayCheckKey, type DayState } from './days.ts'
import {
  accountKinds,
  businesses,
  neverOn,
  ownerKinds,
  type AccountKind,
  type Business,
  type OwnerKind,
} from './ledger.ts'

const words = (of: readonly string[]) => sql.raw(of.map(word => `'${word}'`).join(', '))

/** 账户: one for each kind and owner. Its balance is the sum of its entries, kept at hand. */
export const ledger_account = pgTable(
  'ledger_account',
  {
    ...base,
    kind: text({ enum: keys<AccountKind>(accountKinds) }).notNull(),
    owner_kind: text({ enum: keys<OwnerKind>(ownerKinds) }).notNull(),
    /** 0 for the platform. */
    owner_id: integer().notNull(),
    /** Debit positive, credit negative. */
    balance_cents: cents().notNull().default(0),
  },
  t => [
    check(
      'ledger_account_side',
      sql`(${t.kind} not in (${words(neverOn('debit'))}) or ${t.balance_cents} <= 0) and (${t.kind} not in (${words(neverOn('credit'))}) or ${t.balance_cents} >= 0)`,
    ),
    uniqueIndex('ledger_account_once').on(t.kind, t.owner_kind, t.owner_id),
    index('ledger_account_by_owner').on(t.owner_kind, t.owner_id),
  ],
)

/** 记账凭证. Append-only: triggers of the migration refuse UPDATE, DELETE and TRUNCATE. */
export const ledger_txn = pgTable(
  'ledger_txn',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    created_at: unix().notNull(),
    /** `YYYYMMDD` of its day and its id: what people call it. */
    no: varchar({ length: 32 })
      .notNull()
      .generatedAlwaysAs(sql`replace(day, '-', '') || lpad(id::text, 10, '0')`),
    biz: text({ enum: keys<Business>(businesses) }).notNull(),
    biz_id: integer().notNull(),
    biz_no: varchar({ length: 64 }).notNull(),
    idem_key: varchar({ length: 96 }).notNull(),
    /** `YYYY-MM-DD`, Shanghai: the day of the books. */
    day: varchar({ length: 10 }).notNull(),
    memo: varchar({ length: 512 }).notNull().default(''),
    /** Where it belongs; 0 for what is the house's own. */
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    /** The sum of its debits. */
    amount_cents: cents().notNull(),
    reverses_id: integer().references((): AnyPgColumn => ledger_txn.id),
    maker_id: integer().references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    /** The transaction of the database that wrote it (see `op_log.xid`): seals go by it. */
    xid: bigint({ mode: 'number' })
      .notNull()
      .default(sql`(pg_current_xact_id()::text)::bigint`),
  },
  t => [
    check('ledger_txn_second_is_another', sql`${t.checker_id} <> ${t.maker_id}`),
    uniqueIndex('ledger_txn_once').on(t.idem_key),
    uniqueIndex('ledger_txn_no_once').on(t.no),
    uniqueIndex('ledger_txn_reversed_once')
      .on(t.reverses_id)
      .where(sql`reverses_id is not null`),
    index('ledger_txn_by_day').on(t.day, t.id),
    index('ledger_txn_by_biz').on(t.biz, t.created_at, t.id),
    index('ledger_txn_by_city').on(t.city_id, t.created_at, t.id),
    index('ledger_txn_by_mall').on(t.mall_id, t.created_at, t.id),
    index('ledger_txn_by_time').on(t.created_at, t.id),
    index('ledger_txn_by_no').on(t.biz_no, t.id),
    index('ledger_txn_by_amount').on(t.amount_cents, t.created_at, t.id),
    index('ledger_txn_order').on(t.xid, t.id),
  ],
)

/** 分录. Append-only, as its transaction. */
export const ledger_entry = pgTable(
  'ledger_entry',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    txn_id: integer()
      .notNull()
      .references(() => ledger_txn.id),
    account_id: integer()
      .notNull()
      .references(() => ledger_account.id),
    /** When it was posted, as its transaction: an account's statement is read by it. */
    at: unix().notNull(),
    /** Debit positive, credit negative, never 0. */
    amount_cents: cents().notNull(),
    /** The balance of its account after it. */
    balance_after_cents: cents().notNull(),
    order_id: integer().references(() => order.id),
    /** The settlement line that it moves. */
    line_id: integer(),
  },
  t => [
    check('ledger_entry_amount', sql`${t.amount_cents} <> 0`),
    index('ledger_entry_by_txn').on(t.txn_id),
    index('ledger_entry_by_account').on(t.account_id, t.id),
    index('ledger_entry_by_time').on(t.account_id, t.at, t.id),
    index('ledger_entry_by_order')
      .on(t.order_id, t.id)
      .where(sql`order_id is not null`),
    index('ledger_entry_by_line')
      .on(t.line_id)
      .where(sql`line_id is not null`),
  ],
)

/** Seals of the journal: each covers transactions with their entries, as those of the log do. */
export const ledger_seal = pgTable('ledger_seal', sealColumns())

/**
 * 日汇总: what the sealed part of the journal comes to by day, kind of account, business, place and
 * kind of order. It is the journal's own sum, written when a seal is; `verify-ledger` recounts it.
 */
export const ledger_daily = pgTable(
  'ledger_daily',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    day: varchar({ length: 10 }).notNull(),
    kind: text({ enum: keys<AccountKind>(accountKinds) }).notNull(),
    biz: text({ enum: keys<Business>(businesses) }).notNull(),
    city_id: integer().notNull(),
    mall_id: integer().notNull(),
    /** Empty where no order is in it. */
    order_kind: varchar({ length: 16 }).notNull(),
    debit_cents: cents().notNull(),
    credit_cents: cents().notNull(),
    debits: integer().notNull(),
    credits: integer().notNull(),
  },
  t => [
    uniqueIndex('ledger_daily_once').on(t.kind, t.day, t.biz, t.city_id, t.mall_id, t.order_kind),
  ],
)

/** What was found of a day when it was last checked. */
export type DayCheck = { key: DayCheckKey; ok: boolean; value: number }

/** 日结: a closed day takes no posting. Days without a row are open. */
export const settle_day = pgTable(
  'settle_day',
  {
    ...base,
    day: varchar({ length: 10 }).notNull(),
    status: text({ enum: keys<DayState>(dayStates) }).notNull(),
    checks: jsonb().$type<DayCheck[]>().notNull().default([]),
    checked_at: unix(),
    closed_by: integer().references(() => admin.id),
    closed_at: unix(),
    /** Whoever asked to open it again; another person does it. */
    asked_by: integer().references(() => admin.id),
    asked_at: unix(),
    reopened_by: integer().references(() => admin.id),
    reopen_reason: varchar({ length: 200 }).notNull().default(''),
  },
  t => [
    check('settle_day_reopened_by_another', sql`${t.reopened_by} <> ${t.asked_by}`),
    uniqueIndex('settle_day_once').on(t.day),
  ],
)
