import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { admin, department, role } from '#src/areas/people/people.table.ts'
import { base, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'

/**
 * 工作台布局: a person's own, one shared with a department and those below it, or the one recommended to
 * a role.
 */
export const layout = pgTable(
  'layout',
  {
    ...base,
    kind: varchar({ length: 4, enum: ['mine', 'team', 'role'] }).notNull(),
    /** Its maker; of a layout of one's own, its owner. */
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    department_id: integer().references(() => department.id, { onDelete: 'cascade' }),
    role_id: integer().references(() => role.id, { onDelete: 'cascade' }),
    name: varchar({ length: 32 }).notNull(),
    /** In the form of the version that wrote it (layout.ts). */
    state: jsonb().$type<Record<string, unknown>>().notNull(),
    changed_by: integer()
      .notNull()
      .references(() => admin.id),
  },
  t => [
    uniqueIndex('layout_mine')
      .on(t.admin_id, plainName(t.name))
      .where(sql`kind = 'mine'`),
    uniqueIndex('layout_team')
      .on(t.department_id, plainName(t.name))
      .where(sql`kind = 'team'`),
    uniqueIndex('layout_role')
      .on(t.role_id)
      .where(sql`kind = 'role'`),
    check(
      'layout_place',
      sql`(${t.kind} = 'team') = (${t.department_id} is not null) and (${t.kind} = 'role') = (${t.role_id} is not null)`,
    ),
  ],
)

/**
 * 布局链接. Read by signed-in staff only, so that what is searched for stands in no chat and in no
 * proxy's log.
 */
export const layout_link = pgTable(
  'layout_link',
  {
    ...base,
    code: varchar({ length: 12 }).notNull().unique(),
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    state: jsonb().$type<Record<string, unknown>>().notNull(),
    /** SHA-256 of the state: the same layout has the same link. */
    hash: varchar({ length: 64 }).notNull(),
    used_at: unix().notNull(),
  },
  t => [
    uniqueIndex('layout_link_once').on(t.admin_id, t.hash),
    index('layout_link_used').on(t.admin_id, t.used_at),
  ],
)
