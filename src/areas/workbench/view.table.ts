import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { admin, department, role } from '#src/areas/people/people.table.ts'
import { base } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import type { Look } from './view.ts'

/**
 * 保存的视图: a list's filters and columns under a name, of one person, of a department, or of a role.
 */
export const saved_view = pgTable(
  'saved_view',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    /** The list's page: `/manage/order/bulks`. */
    page: varchar({ length: 128 }).notNull(),
    name: varchar({ length: 32 }).notNull(),
    /** `full|initials` of the name, for searching. */
    pinyin: varchar({ length: 255 }).notNull().default(''),
    /** Query parameters; a time in them may be relative to today (view.ts). */
    search: varchar({ length: 1000 }).notNull().default(''),
    look: jsonb().$type<Look>(),
    share: varchar({ length: 4, enum: ['mine', 'team', 'role'] })
      .notNull()
      .default('mine'),
    department_id: integer().references(() => department.id),
    role_id: integer().references(() => role.id),
    /** The list begins with it, for those who have it. */
    is_default: boolean().notNull().default(false),
  },
  t => [
    uniqueIndex('saved_view_name').on(t.admin_id, t.page, plainName(t.name)),
    uniqueIndex('saved_view_own_default')
      .on(t.admin_id, t.page)
      .where(sql`share = 'mine' and is_default`),
    uniqueIndex('saved_view_team_default')
      .on(t.department_id, t.page)
      .where(sql`share = 'team' and is_default`),
    uniqueIndex('saved_view_role_default')
      .on(t.role_id, t.page)
      .where(sql`share = 'role' and is_default`),
    index('saved_view_department').on(t.department_id),
    index('saved_view_role').on(t.role_id),
    check(
      'saved_view_shared_with',
      sql`(share = 'team') = (department_id is not null) and (share = 'role') = (role_id is not null)`,
    ),
  ],
)
