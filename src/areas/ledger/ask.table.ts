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
import { admin } from '#src/areas/people/people.table.ts'
import { defineKinds } from '#src/server/call/kinds.ts'
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { ofTheHouse } from './house.server.ts'
import { askStates, type AskLine, type AskState } from './journal.ts'
import { ledger_txn } from './ledger.table.ts'

/** 调账申请: lines by hand, which another person posts or turns down. */
export const ledger_ask = pgTable(
  'ledger_ask',
  {
    ...base,
    lines: jsonb().$type<AskLine[]>().notNull(),
    /** The sum of its debits. */
    amount_cents: cents().notNull(),
    reason: varchar({ length: 255 }).notNull(),
    /** The difference of a bill that it mends. */
    recon_item_id: integer(),
    maker_id: integer()
      .notNull()
      .references(() => admin.id),
    checker_id: integer().references(() => admin.id),
    state: text({ enum: keys<AskState>(askStates) })
      .notNull()
      .default('pending'),
    decided_at: unix(),
    reject_reason: varchar({ length: 255 }).notNull().default(''),
    txn_id: integer().references(() => ledger_txn.id),
  },
  t => [
    check('ledger_ask_second', sql`${t.checker_id} <> ${t.maker_id}`),
    check('ledger_ask_decided', sql`(${t.state} = 'pending') = (${t.checker_id} is null)`),
    index('ledger_ask_by_state').on(t.state, t.id),
    uniqueIndex('ledger_ask_mends_once')
      .on(t.recon_item_id)
      .where(sql`recon_item_id is not null and state <> 'rejected'`),
  ],
)
defineKinds({
  ledger_ask: ofTheHouse('ledger_ask'),
  ledger_account: ofTheHouse('ledger_account'),
})
