import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, sealColumns, unix } from '#src/server/db/columns.ts'

/**
 * 操作日志. Append-only: triggers of the migration refuse UPDATE, DELETE and TRUNCATE to every role,
 * and `op_log_seal` tells what went round them.
 */
export const op_log = pgTable(
  'op_log',
  {
    ...base,
    admin_id: integer().references(() => admin.id),
    admin_name: varchar({ length: 32 }).notNull(),
    module: varchar({ length: 32 }).notNull(),
    /** The call, `audit.bulks.approve`. */
    action: varchar({ length: 64 }).notNull(),
    object_type: varchar({ length: 32 }).notNull(),
    object_id: integer(),
    object_label: varchar({ length: 64 }).notNull().default(''),
    before: jsonb(),
    after: jsonb(),
    reason: varchar({ length: 255 }),
    result: varchar({ length: 8, enum: ['ok', 'refused', 'failed'] }).notNull(),
    error: varchar({ length: 255 }),
    ip: varchar({ length: 45 }),
    /** Request id, as in the server's log and in the answer's header. */
    trace_id: varchar({ length: 40 }),
    /** The row that stands for the whole batch. */
    batch_id: integer().references((): AnyPgColumn => op_log.id),
    /** The row whose change this one took back. */
    reverts_id: integer().references((): AnyPgColumn => op_log.id),
    /** Names of the fields that differ between before and after; a trigger writes them. */
    fields: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /**
     * The same after their object's type, `product.price_cents`: a field's own statistics, so that
     * a rare one is never sought among all rows of its type. The trigger writes them too.
     */
    touched: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /**
     * Transaction that wrote it. The migration's `op_log_xid()` is the default: still growing after
     * a restore into another cluster.
     */
    xid: bigint({ mode: 'number' })
      .notNull()
      .default(sql`(pg_current_xact_id()::text)::bigint`),
  },
  t => [
    index('op_log_object').on(t.object_type, t.object_id, t.created_at, t.id),
    index('op_log_type').on(t.object_type, t.created_at, t.id),
    index('op_log_admin').on(t.admin_id, t.created_at, t.id),
    index('op_log_admin_action').on(t.admin_id, t.action, t.created_at, t.id),
    index('op_log_admin_result')
      .on(t.admin_id, t.result, t.created_at, t.id)
      .where(sql`result <> 'ok'`),
    index('op_log_action').on(t.action, t.created_at, t.id),
    index('op_log_module').on(t.module, t.created_at, t.id),
    index('op_log_result').on(t.result, t.created_at, t.id),
    index('op_log_time').on(t.created_at, t.id),
    index('op_log_touched').using('gin', t.touched),
    index('op_log_batch')
      .on(t.batch_id, t.id)
      .where(sql`batch_id is not null`),
    index('op_log_reverts')
      .on(t.reverts_id)
      .where(sql`reverts_id is not null`),
    index('op_log_trace').on(t.trace_id),
    index('op_log_order').on(t.xid, t.id),
  ],
)

/**
 * Seals of the operation log: each covers every row after the one before it and up to (to_xid,
 * to_id), in the order of (xid, id). `hash` is SHA-256 of the previous hash and `digests`; so
 * whoever changes a row must change every seal since, and whoever noted one hash sees it.
 */
export const op_log_seal = pgTable('op_log_seal', sealColumns())

/** 登录日志. Append-only; unknown accounts too. */
export const login_log = pgTable(
  'login_log',
  {
    ...base,
    account: varchar({ length: 32 }).notNull(),
    admin_id: integer().references(() => admin.id),
    event: varchar({ length: 8, enum: ['login', 'logout', 'kicked', 'expired'] }).notNull(),
    result: varchar({
      length: 14,
      enum: ['ok', 'bad_password', 'unknown', 'locked', 'disabled', 'captcha', 'ip_banned'],
    }).notNull(),
    ip: varchar({ length: 45 }),
    place: varchar({ length: 64 }),
    ua: varchar({ length: 255 }),
    new_place: boolean().notNull().default(false),
    /** The session that a sign-in opened or that ended. */
    session_id: integer(),
  },
  t => [
    index('login_log_account').on(t.account, t.created_at, t.id),
    index('login_log_time').on(t.created_at, t.id),
    index('login_log_ip').on(t.ip, t.created_at, t.id),
    index('login_log_admin').on(t.admin_id, t.created_at, t.id),
    index('login_log_result').on(t.result, t.created_at, t.id),
    index('login_log_event').on(t.event, t.created_at, t.id),
    index('login_log_new')
      .on(t.created_at, t.id)
      .where(sql`new_place`),
  ],
)

/** 页面错误上报 */
export const client_error = pgTable(
  'client_error',
  {
    ...base,
    admin_id: integer().references(() => admin.id),
    kind: varchar({
      length: 16,
      enum: ['not_found', 'no_permission', 'chunk', 'crash', 'timeout'],
    }).notNull(),
    path: varchar({ length: 255 }).notNull(),
    memo: varchar({ length: 255 }),
    ua: varchar({ length: 255 }),
    release: varchar({ length: 32 }),
    ip: varchar({ length: 45 }),
  },
  t => [index('client_error_time').on(t.created_at)],
)

/** Answers kept by idempotency key for 24 hours, each person's keys apart. */
export const idempotency = pgTable(
  'idempotency',
  {
    ...base,
    admin_id: integer().notNull(),
    key: varchar({ length: 255 }).notNull(),
    /** SHA-256 of call and input. */
    request_hash: varchar({ length: 64 }).notNull(),
    /**
     * The first answer's data, to the letter (jsonb would reorder it); null while the first is
     * under way.
     */
    answer: json(),
    expires_at: unix().notNull(),
  },
  t => [
    // One key, one effect: a second insert waits for the first transaction to end.
    uniqueIndex('idempotency_key').on(t.admin_id, t.key),
    index('idempotency_expiry').on(t.expires_at),
  ],
)
