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
import { base, cents, keys, unix } from '#src/server/db/columns.ts'
import { ecard_attr, ecard_channel } from './ecard.table.ts'
import {
  requestKinds,
  requestStates,
  type Receiver,
  type RequestKind,
  type RequestState,
} from './ecard.ts'

/** 渠道复核单: money and credit of a channel change only by a second person. */
export const ecard_channel_request = pgTable(
  'ecard_channel_request',
  {
    ...base,
    channel_id: integer()
      .notNull()
      .references(() => ecard_channel.id),
    kind: text({ enum: keys<RequestKind>(requestKinds) }).notNull(),
    /** The money that comes in, a correction (signed), or the credit that is to hold. */
    amount_cents: cents().notNull(),
    proof: text().notNull().default(''),
    reason: varchar({ length: 255 }).notNull().default(''),
    state: text({ enum: keys<RequestState>(requestStates) })
      .notNull()
      .default('waiting'),
    made_by: integer()
      .notNull()
      .references(() => admin.id),
    decided_by: integer().references(() => admin.id),
    decided_at: unix(),
    decided_reason: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check(
      'ecard_request_second',
      sql`${t.state} <> 'done' or (${t.decided_by} is not null and ${t.decided_by} <> ${t.made_by})`,
    ),
    // A channel has one waiting request, so its decider sees the balance that will change.
    uniqueIndex('ecard_request_waiting_once')
      .on(t.channel_id)
      .where(sql`state = 'waiting'`),
    index('ecard_request_by_channel').on(t.channel_id, t.id),
  ],
)

/** 渠道发卡单: the cards that a channel took at one time; a partner's own number names it once. */
export const ecard_issue = pgTable(
  'ecard_issue',
  {
    ...base,
    channel_id: integer()
      .notNull()
      .references(() => ecard_channel.id),
    attr_id: integer()
      .notNull()
      .references(() => ecard_attr.id),
    /** The partner's number; empty where staff issued. */
    out_no: varchar({ length: 64 }).notNull().default(''),
    n: integer().notNull(),
    price_cents: cents().notNull(),
    discount_bp: integer().notNull(),
    cost_cents: cents().notNull(),
    /** The order of kind ecard that it became (no reference: orders refer to faces). */
    order_id: integer(),
    /**
     * The people whom the cards are for, where a file said so; cards go to them in the order of
     * codes.
     */
    receivers: jsonb().$type<Receiver[]>().notNull().default([]),
    made_by: integer().references(() => admin.id),
  },
  t => [
    check('ecard_issue_n', sql`${t.n} > 0`),
    uniqueIndex('ecard_issue_out_once')
      .on(t.channel_id, t.out_no)
      .where(sql`out_no <> ''`),
    index('ecard_issue_by_channel').on(t.channel_id, t.id),
    index('ecard_issue_by_order')
      .on(t.order_id)
      .where(sql`order_id is not null`),
  ],
)
