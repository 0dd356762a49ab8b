import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { ofTheHouse } from '#src/areas/ledger/house.server.ts'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import {
  billChannels,
  billForms,
  diffs,
  fetchedForms,
  fetchStates,
  itemKinds,
  itemStates,
  methods,
  type BillChannel,
  type BillForm,
  type BillRow,
  type Diff,
  type FetchedForm,
  type FetchState,
  type ItemKind,
  type ItemState,
  type Method,
} from './reconcile.ts'

/** 对账单: a bill that was imported; its hash tells that it was before. */
export const recon_bill = pgTable(
  'recon_bill',
  {
    ...base,
    channel: text({ enum: keys<BillChannel>(billChannels) }).notNull(),
    /** Null for what was imported before it was noted. */
    form: text({ enum: keys<BillForm>(billForms) }),
    /** `YYYY-MM-DD`, Shanghai: the day that it is of. */
    day: varchar({ length: 10 }).notNull(),
    hash: varchar({ length: 64 }).notNull(),
    rows: integer().notNull(),
    /** Read and not imported yet: its rows wait here. */
    waiting: jsonb().$type<BillRow[] | null>(),
    in_cents: cents().notNull(),
    out_cents: cents().notNull(),
    fee_cents: cents().notNull(),
    imported_by: integer().references(() => admin.id),
  },
  t => [
    uniqueIndex('recon_bill_once').on(t.hash),
    index('recon_bill_by_day').on(t.day, t.channel),
    index('recon_bill_by_importer')
      .on(t.imported_by)
      .where(sql`imported_by is not null`),
  ],
)

/** 对账项: a payment as the bill and as we have it, and what became of a difference. */
export const recon_item = pgTable(
  'recon_item',
  {
    ...base,
    day: varchar({ length: 10 }).notNull(),
    channel: text({ enum: keys<BillChannel>(billChannels) }).notNull(),
    kind: text({ enum: keys<ItemKind>(itemKinds) }).notNull(),
    our_no: varchar({ length: 64 }).notNull().default(''),
    channel_no: varchar({ length: 64 }).notNull().default(''),
    our_cents: cents(),
    channel_cents: cents(),
    /** The channel's fee on it, where its bill says one; below nought where it was given back. */
    fee_cents: cents().notNull().default(0),
    /** As the bill calls it; null where it has nothing. */
    channel_status: text({ enum: ['success', 'pending', 'failed'] }),
    /** What the bill calls it, where we have no kind for it. */
    word: varchar({ length: 32 }).notNull().default(''),
    diff: text({ enum: keys<Diff>(diffs) }).notNull(),
    status: text({ enum: keys<ItemState>(itemStates) }).notNull(),
    /** When it moved, by the bill, or by us where the bill has nothing. */
    at: unix().notNull(),
    bill_id: integer().references(() => recon_bill.id),
    payment_id: integer().references(() => payment.id),
    order_id: integer().references(() => order.id),
    owner_id: integer().references(() => admin.id),
    method: text({ enum: keys<Method>(methods) }),
    note: varchar({ length: 255 }).notNull().default(''),
    resolved_by: integer().references(() => admin.id),
    resolved_at: unix(),
    resolve_txn_id: integer().references(() => ledger_txn.id),
  },
  t => [
    check('recon_item_side', sql`${t.our_cents} is not null or ${t.channel_cents} is not null`),
    check('recon_item_matched', sql`${t.diff} <> 'matched' or ${t.status} = 'resolved'`),
    uniqueIndex('recon_item_once')
      .on(t.channel, t.kind, t.channel_no)
      .where(sql`channel_no <> ''`),
    uniqueIndex('recon_item_ours_once')
      .on(t.channel, t.kind, t.our_no)
      .where(sql`channel_no = ''`),
    index('recon_item_by_day').on(t.day, t.diff, t.id),
    index('recon_item_by_status').on(t.status, t.id),
    index('recon_item_by_owner')
      .on(t.owner_id, t.status)
      .where(sql`owner_id is not null`),
    index('recon_item_by_payment')
      .on(t.payment_id)
      .where(sql`payment_id is not null`),
    index('recon_item_by_our_no').on(t.our_no),
    index('recon_item_by_channel_no').on(t.channel_no),
  ],
)
/** 账单获取: the bill of a day that WeChat Pay is asked for, once a day and form. */
export const recon_fetch = pgTable(
  'recon_fetch',
  {
    ...base,
    day: varchar({ length: 10 }).notNull(),
    form: text({ enum: keys<FetchedForm>(fetchedForms) }).notNull(),
    state: text({ enum: keys<FetchState>(fetchStates) })
      .notNull()
      .default('waiting'),
    /** What was said last: why it is not there yet, or why it could not be had; in both languages. */
    answer: varchar({ length: 255 }).notNull().default(''),
    tries: integer().notNull().default(0),
    /** When it is asked for next; null once it is there, or given up. */
    ask_at: unix(),
    fetched_at: unix(),
    bill_id: integer().references(() => recon_bill.id),
    asked_by: integer().references(() => admin.id),
  },
  t => [
    check('recon_fetch_done', sql`(${t.state} = 'done') = (${t.bill_id} is not null)`),
    uniqueIndex('recon_fetch_once').on(t.day, t.form),
    index('recon_fetch_due')
      .on(t.ask_at)
      .where(sql`ask_at is not null`),
    index('recon_fetch_by_bill')
      .on(t.bill_id)
      .where(sql`bill_id is not null`),
    index('recon_fetch_by_asker')
      .on(t.asked_by)
      .where(sql`asked_by is not null`),
  ],
)
defineKinds({ recon_item: ofTheHouse('recon_item'), recon_fetch: ofTheHouse('recon_fetch') })
