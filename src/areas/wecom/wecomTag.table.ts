import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { unix } from '#src/server/db/columns.ts'
import { wecom_customer, wecom_follow, wecom_tag } from './wecom.table.ts'

/** 自动打标记录: what a rule gave a tag for; each thing that happened counts once. */
export const wecom_tag_hit = pgTable(
  'wecom_tag_hit',
  {
    tag_id: integer()
      .notNull()
      .references(() => wecom_tag.id),
    customer_id: integer()
      .notNull()
      .references(() => wecom_customer.id),
    /** What happened, such as `pay:123`. */
    event: text().notNull(),
    at: unix().notNull(),
  },
  t => [
    primaryKey({ columns: [t.tag_id, t.customer_id, t.event] }),
    index('wecom_tag_hit_by_time').on(t.tag_id, t.at),
    index('wecom_tag_hit_by_customer').on(t.customer_id),
  ],
)
/** 标签授予: when a relation got a tag last. */
export const wecom_tag_given = pgTable(
  'wecom_tag_given',
  {
    follow_id: integer()
      .notNull()
      .references(() => wecom_follow.id),
    tag_id: integer()
      .notNull()
      .references(() => wecom_tag.id),
    at: bigint({ mode: 'number' }).notNull(),
  },
  t => [
    primaryKey({ columns: [t.follow_id, t.tag_id] }),
    index('wecom_tag_given_by_tag').on(t.tag_id, t.at),
  ],
)
