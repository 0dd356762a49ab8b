import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { page_link } from '#src/areas/content/content.table.ts'
import { notify_group } from '#src/areas/notice/duty.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { issueSides, ticketChannels, type IssueSide, type TicketChannel } from './issueCate.ts'

/**
 * 问题分类: what tickets are filed under, two levels of them. A merged one stays, so that what was
 * filed under it still says so.
 */
export const issue_cate = pgTable(
  'issue_cate',
  {
    ...base,
    parent_id: integer(),
    level: smallint().notNull(),
    side: text({ enum: keys<IssueSide>(issueSides) }).notNull(),
    name: varchar({ length: 32 }).notNull(),
    /** Null means below the top what the one above has. */
    handler_group_id: integer().references(() => notify_group.id),
    first_h: smallint(),
    finish_h: smallint(),
    auto_reply: varchar({ length: 500 }).notNull().default(''),
    article_id: integer().references(() => page_link.id),
    /** Takes what fits nowhere else: each side keeps one. */
    fallback: boolean().notNull().default(false),
    sort: integer().notNull().default(0),
    status: text({ enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    merged_into: integer(),
  },
  t => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id] }),
    foreignKey({ columns: [t.merged_into], foreignColumns: [t.id] }),
    check('issue_cate_level', sql`${t.level} = case when ${t.parent_id} is null then 1 else 2 end`),
    check(
      'issue_cate_sla',
      sql`(${t.first_h} is null and ${t.finish_h} is null and ${t.level} = 2) or ${t.first_h} < ${t.finish_h}`,
    ),
    uniqueIndex('issue_cate_name_once')
      .on(sql`coalesce(${t.parent_id}, 0)`, plainName(t.name))
      .where(sql`merged_into is null`),
    index('issue_cate_by_parent').on(t.parent_id, t.sort),
  ],
)

/** 工单: what a consumer or a merchant asks for help with, and by when it is to be answered. */
export const service_ticket = pgTable(
  'service_ticket',
  {
    ...base,
    channel: text({ enum: keys<TicketChannel>(ticketChannels) }).notNull(),
    category_id: integer()
      .notNull()
      .references(() => issue_cate.id),
    /** The category that it was filed under; a merge never changes it. */
    filed_under: integer()
      .notNull()
      .references(() => issue_cate.id),
    opened_at: unix().notNull(),
    /** What was promised when it was opened: later times are for later tickets. */
    answer_by: unix().notNull(),
    finish_by: unix().notNull(),
    answered_at: unix(),
    finished_at: unix(),
  },
  t => [
    index('service_ticket_by_category').on(t.category_id, t.opened_at),
    index('service_ticket_filed_under').on(t.filed_under),
  ],
)
