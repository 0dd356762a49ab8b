import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { base, unix } from '#src/server/db/columns.ts'

/**
 * 企微临时素材: a stored file as WeCom has it for three days, to be sent by its id. The file of every
 * material has a row, whether it was ever put there or not.
 */
export const wecom_media = pgTable(
  'wecom_media',
  {
    ...base,
    file_key: varchar({ length: 200 }).notNull(),
    kind: text({ enum: ['image', 'video', 'file'] }).notNull(),
    media_id: text(),
    expire_at: unix(),
    /** Somebody wants it there anew since then; null once that was tried. */
    wanted_at: unix(),
    /** When it was last tried to put it there, and why that failed; empty where it did not. */
    tried_at: unix().notNull(),
    errcode: integer().notNull().default(0),
    error: varchar({ length: 255 }).notNull().default(''),
  },
  t => [
    check('wecom_media_until', sql`(${t.media_id} is null) = (${t.expire_at} is null)`),
    uniqueIndex('wecom_media_once').on(t.file_key, t.kind),
    index('wecom_media_wanted')
      .on(t.wanted_at)
      .where(sql`wanted_at is not null`),
    index('wecom_media_by_end')
      .on(t.expire_at)
      .where(sql`error = ''`),
    index('wecom_media_failed')
      .on(t.file_key)
      .where(sql`error <> ''`),
  ],
)
