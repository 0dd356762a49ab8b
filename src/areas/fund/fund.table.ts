import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  CHARGE_MAX_CENTS,
  chargeChannels,
  chargeDirections,
  chargeKinds,
  chargeOwners,
  chargeStates,
  type ChargeChannel,
  type ChargeDirection,
  type ChargeKind,
  type ChargeOwner,
  type ChargeState,
} from './fund.ts'

/** 充值与扣费单: money in and out that is no sale. It posts once another person has checked it. */
export const fund_charge = pgTable(
  'fund_charge',
  {
    ...base,
    no: varchar({ length: 32 }).notNull(),
    direction: text({ enum: keys<ChargeDirection>(chargeDirections) }).notNull(),
    kind: text({ enum: keys<ChargeKind>(chargeKinds) }).notNull(),
    owner_kind: text({ enum: keys<ChargeOwner>(chargeOwners) }).notNull(),
    owner_id: integer().notNull(),
    city_id: integer().notNull().default(0),
    mall_id: integer().notNull().default(0),
    amount_cents: cents().notNull(),
    /** The part that became debt when it was posted. */
    debt_cents: cents().notNull().default(0),
    /** The owner's money after it was posted, as its entry says. */
    balance_after_cents: cents(),
    channel: text({ enum: keys<ChargeChannel>(chargeChannels) }).notNull(),
    bank: varchar({ length: 60 }),
    /** The bank's number of the transfer: it comes in once. */
    bank_flow_no: varchar({ length: 40 }),
    proof: text().notNull().default(''),
    memo: varchar({ length: 200 }).notNull().default(''),
    /** The deposit that a refund of one gives back. */
    deposit_id: integer(),
    maker_id: integer().references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    checked_at: unix(),
    /** Why it was rejected. */
    reason: varchar({ length: 200 }).notNull().default(''),
    txn_id: integer().references(() => ledger_txn.id),
    reversed_by: integer().references(() => admin.id),
    reversed_at: unix(),
    reverse_reason: varchar({ length: 200 }).notNull().default(''),
    reverse_txn_id: integer().references(() => ledger_txn.id),
    reminded_at: unix(),
    status: text({ enum: keys<ChargeState>(chargeStates) }).notNull(),
  },
  t => [
    check(
      'fund_charge_amount',
      sql`${t.amount_cents} between 1 and ${sql.raw(String(CHARGE_MAX_CENTS))} and ${t.debt_cents} between 0 and ${t.amount_cents}`,
    ),
    check('fund_charge_checker_is_another', sql`${t.checker_id} <> ${t.maker_id}`),
    check('fund_charge_reverser_is_another', sql`${t.reversed_by} <> ${t.maker_id}`),
    check(
      'fund_charge_posted_has_txn',
      sql`(${t.status} in ('posted', 'reversed')) = (${t.txn_id} is not null)`,
    ),
    uniqueIndex('fund_charge_no_once').on(t.no),
    // A number that was rejected may be written down again.
    uniqueIndex('fund_charge_flow_once')
      .on(t.bank, t.bank_flow_no)
      .where(sql`bank_flow_no is not null and status <> 'rejected'`),
    uniqueIndex('fund_charge_deposit_back_once')
      .on(t.deposit_id)
      .where(sql`deposit_id is not null and status <> 'rejected'`),
    index('fund_charge_by_flow')
      .on(t.bank_flow_no)
      .where(sql`bank_flow_no is not null`),
    index('fund_charge_owing')
      .on(t.created_at, t.id)
      .where(sql`debt_cents > 0`),
    index('fund_charge_by_status').on(t.status, t.created_at, t.id),
    index('fund_charge_by_time').on(t.created_at, t.id),
    index('fund_charge_by_owner').on(t.owner_kind, t.owner_id, t.created_at),
    index('fund_charge_by_kind').on(t.kind, t.created_at, t.id),
    index('fund_charge_by_city').on(t.city_id, t.created_at, t.id),
    index('fund_charge_by_mall').on(t.mall_id, t.created_at, t.id),
  ],
)
