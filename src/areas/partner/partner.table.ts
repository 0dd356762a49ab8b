import { index, jsonb, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core'
import { unix } from '#src/server/db/columns.ts'

/** What a row has whose partner calls our API: its key, the one before, and whence it may call. */
export const keyColumns = {
  app_key: varchar({ length: 32 }),
  /** The secret of its API, encrypted as codes are (areas/secret). */
  secret_enc: text(),
  /** The key before, which ends a day after it was reset. */
  old_app_key: varchar({ length: 32 }),
  old_secret_enc: text(),
  old_key_until: unix(),
  ip_list: jsonb().$type<string[]>().notNull().default([]),
}

/** Numbers that a partner's signature was made with: none is taken twice while it could be. */
export const partner_nonce = pgTable(
  'partner_nonce',
  {
    /** The kind of partner and its id: `channel:12`. */
    signer: varchar({ length: 32 }).notNull(),
    nonce: varchar({ length: 64 }).notNull(),
    at: unix().notNull(),
  },
  t => [primaryKey({ columns: [t.signer, t.nonce] }), index('partner_nonce_by_time').on(t.at)],
)
