import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { messageKinds, type MessageFacts, type MessageKind } from './message.ts'

/** 站内消息: what one person is told, once an event. */
export const message = pgTable(
  'message',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    kind: varchar({ length: 20, enum: keys<MessageKind>(messageKinds) }).notNull(),
    /** The event it tells of, such as `export:12:3`: told again it is the same message. */
    about: varchar({ length: 64 }).notNull(),
    facts: jsonb().$type<MessageFacts>().notNull(),
    /** The page that shows it; empty for the person's own exports and jobs. */
    address: varchar({ length: 255 }).notNull().default(''),
    read_at: unix(),
  },
  t => [
    uniqueIndex('message_once').on(t.admin_id, t.about),
    index('message_mine').on(t.admin_id, t.id),
    index('message_unread')
      .on(t.admin_id)
      .where(sql`read_at is null`),
    index('message_old').on(t.created_at),
  ],
)
