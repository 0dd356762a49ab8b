import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, jsonb, text, varchar } from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { dupKinds, dupOutcomes, dupStates, type Marks } from './dup.ts'

const ids = () => integer().array().notNull().default([])
/** 重复客户: records that look like one person, and what was decided of them. */
export const customer_dup = pgTable(
  'customer_dup',
  {
    ...base,
    kind: text({ enum: keys(dupKinds) }).notNull(),
    /** The digest of what they have in common. */
    key: text().notNull().unique(),
    customer_ids: ids(),
    member_ids: ids(),
    /** Live relations of all of them, the earliest first. */
    follow_ids: ids(),
    marks: jsonb().$type<Marks>().notNull(),
    evidence: text().array().notNull().default([]),
    /** The evidence that the last decision knew of. */
    seen: text().array().notNull().default([]),
    confidence: integer().notNull(),
    /** Where the advisers and members stand. */
    city_ids: ids(),
    mall_ids: ids(),
    status: text({ enum: keys(dupStates) })
      .notNull()
      .default('pending'),
    outcome: text({ enum: keys(dupOutcomes) }),
    primary_follow_id: integer().references(() => wecom_follow.id),
    /** The merge that was asked for, or was made. */
    keep_id: integer().references(() => member.id),
    drop_ids: ids(),
    /** Merges of the case that were not taken back, in their order. */
    merge_ids: ids(),
    merged_at: unix(),
    asked_by: integer().references(() => admin.id),
    decided_by: integer().references(() => admin.id),
    decided_at: unix(),
    reason: varchar({ length: 255 }).notNull().default(''),
    /** When it was found, or came back with new evidence. */
    raised_at: unix().notNull(),
  },
  t => [
    check('customer_dup_confidence', sql`${t.confidence} between 0 and 100`),
    check('customer_dup_phone', sql`${t.kind} <> 'same_phone' or ${t.confidence} <= 60`),
    check('customer_dup_asked', sql`(${t.status} = 'second') = (${t.asked_by} is not null)`),
    check(
      'customer_dup_decided',
      sql`(${t.status} in ('resolved', 'ignored')) = (${t.decided_at} is not null)`,
    ),
    check('customer_dup_merged', sql`(${t.merge_ids} = '{}') = (${t.merged_at} is null)`),
    index('customer_dup_by_state').on(t.status, t.confidence, t.id),
    index('customer_dup_by_kind').on(t.kind, t.status, t.confidence, t.id),
    index('customer_dup_by_confidence').on(t.confidence, t.id),
    index('customer_dup_by_raised').on(t.raised_at, t.id),
    index('customer_dup_of_member').using('gin', t.member_ids),
    index('customer_dup_of_customer').using('gin', t.customer_ids),
    index('customer_dup_by_mall').using('gin', t.mall_ids),
  ],
)

defineKinds({
  customer_dup: at('customer_dup', {
    cities: 'select unnest(t.city_ids)',
    malls: 'select unnest(t.mall_ids)',
  }),
})
