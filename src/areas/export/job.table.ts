import { sql } from 'drizzle-orm'
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import type { FieldMode } from '#src/server/call/implement.ts'
import { base, unix } from '#src/server/db/columns.ts'

const exportStates = [
  'queued',
  'running',
  'done',
  'failed',
  'cancelled',
  'expired',
  'revoked',
] as const

/** 导出任务 */
export const export_job = pgTable(
  'export_job',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    /** The export's name, which is its page's stem: `audit.bulks`. */
    page: varchar({ length: 64 }).notNull(),
    filters: jsonb().$type<Record<string, unknown>>().notNull(),
    filters_hash: varchar({ length: 40 }).notNull(),
    filters_text: varchar({ length: 255 }).notNull().default(''),
    /** The keys of the columns that are wanted; null where it is all of them. */
    columns: jsonb().$type<string[]>(),
    format: varchar({ length: 4, enum: ['csv', 'xlsx'] }).notNull(),
    lang: varchar({ length: 2, enum: ['zh', 'en'] })
      .notNull()
      .default('zh'),
    rows_expected: integer().notNull(),
    rows_done: integer().notNull().default(0),
    /**
     * How many times it was begun: again from nothing after its process ended in the middle, as a
     * file is of one instant.
     */
    runs: integer().notNull().default(0),
    size_bytes: integer(),
    state: varchar({ length: 10, enum: exportStates }).notNull().default('queued'),
    error: varchar({ length: 255 }),
    /** Field rules by which the file was written; a stricter rule since then withholds it. */
    fields: jsonb().$type<Record<string, FieldMode>>().notNull().default({}),
    file_key: varchar({ length: 128 }),
    /** What its files are known by, wherever they turn up (fileMark.ts). */
    mark: varchar({ length: 16 })
      .notNull()
      .default(sql`lpad(to_hex(hashtextextended(gen_random_uuid()::text, 0)), 16, '0')`),
    expires_at: unix(),
    downloads: integer().notNull().default(0),
    /** Renewed while a process works on it; when it stops, another process takes the job over. */
    beat_at: unix(),
    done_at: unix(),
    revoked_by: integer().references(() => admin.id),
    revoked_at: unix(),
    revoke_reason: varchar({ length: 255 }),
    /** Days by which the file's life was prolonged, in all. */
    extended_days: integer().notNull().default(0),
  },
  t => [
    uniqueIndex('export_job_once')
      .on(t.admin_id, t.page, t.filters_hash)
      .where(sql`state in ('queued', 'running')`),
    index('export_job_admin').on(t.admin_id, t.id),
    index('export_job_state').on(t.state, t.id),
    index('export_job_page').on(t.page, t.id),
  ],
)

/**
 * 批量任务: rows of one call, too many for it, done part by part in the name of whoever sent them
 * (rowJobs.ts).
 */
export const row_job = pgTable(
  'row_job',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    /** The path of the call: `system/h5link/batchCreate`. */
    call: varchar({ length: 64 }).notNull(),
    /** What was said of all rows. */
    same: jsonb().$type<unknown>().notNull(),
    lang: varchar({ length: 2, enum: ['zh', 'en'] })
      .notNull()
      .default('zh'),
    /** Where the call came from, for the log of its rows. */
    ip: varchar({ length: 45 }).notNull().default(''),
    region: varchar({ length: 16 }).notNull().default(''),
    trace_id: varchar({ length: 40 }).notNull().default(''),
    rows_total: integer().notNull(),
    /**
     * The cursor: the rows before it are done or refused, those from it on untouched. It moves in
     * the transaction of the rows themselves.
     */
    rows_done: integer().notNull().default(0),
    /** Those of `rows_done` that were refused. */
    rows_failed: integer().notNull().default(0),
    /** How often it was begun since the cursor moved last. */
    runs: integer().notNull().default(0),
    state: varchar({ length: 10, enum: ['queued', 'running', 'done', 'failed', 'cancelled'] })
      .notNull()
      .default('queued'),
    error: varchar({ length: 255 }),
    /** Renewed with every part; when it stops, another process takes the job over. */
    beat_at: unix(),
  },
  t => [index('row_job_admin').on(t.admin_id, t.id), index('row_job_state').on(t.state, t.id)],
)
/** The rows of a job, a hundred in each; they go when it is over. */
export const row_job_part = pgTable(
  'row_job_part',
  {
    job_id: integer()
      .notNull()
      .references(() => row_job.id, { onDelete: 'cascade' }),
    seq: integer().notNull(),
    rows: jsonb().$type<readonly { line: number }[]>().notNull(),
  },
  t => [primaryKey({ columns: [t.job_id, t.seq] })],
)
/** The rows that were refused, in the words of the job's language. */
export const row_job_failed = pgTable(
  'row_job_failed',
  {
    job_id: integer()
      .notNull()
      .references(() => row_job.id, { onDelete: 'cascade' }),
    line: integer().notNull(),
    code: varchar({ length: 64 }).notNull(),
    msg: varchar({ length: 255 }).notNull(),
  },
  t => [primaryKey({ columns: [t.job_id, t.line] })],
)

/** 上传文件: what the local store holds. */
export const upload = pgTable('upload', {
  ...base,
  admin_id: integer().references(() => admin.id),
  /** Address below the upload domain. */
  file_key: varchar({ length: 128 }).notNull().unique(),
  mime: varchar({ length: 64 }).notNull(),
  size_bytes: integer().notNull(),
  width: integer(),
  height: integer(),
  /** Sharpness as measured at upload, in hundredths; the audit's picture check reads it. */
  sharpness_x100: integer(),
  sha256: varchar({ length: 64 }).notNull(),
})
