import { boolean, index, integer, json, jsonb, pgTable, uniqueIndex, varchar, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { admin } from './people.ts'
import { base, unix } from './columns.ts'

/** 操作日志. Append-only. */
export const op_log = pgTable('op_log', {
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
}, t => [
  index('op_log_object').on(t.object_type, t.object_id, t.id),
  index('op_log_admin').on(t.admin_id, t.id),
  index('op_log_action').on(t.action, t.id),
  index('op_log_time').on(t.created_at),
])

/** 登录日志. Append-only; unknown accounts too. */
export const login_log = pgTable('login_log', {
  ...base,
  account: varchar({ length: 32 }).notNull(),
  admin_id: integer().references(() => admin.id),
  event: varchar({ length: 8, enum: ['login', 'logout', 'kicked', 'expired'] }).notNull(),
  result: varchar({ length: 14, enum: ['ok', 'bad_password', 'unknown', 'locked', 'disabled', 'captcha', 'ip_banned'] }).notNull(),
  ip: varchar({ length: 45 }),
  place: varchar({ length: 64 }),
  ua: varchar({ length: 255 }),
  new_place: boolean().notNull().default(false),
}, t => [index('login_log_account').on(t.account, t.id), index('login_log_time').on(t.created_at)])

/** 页面错误上报 */
export const client_error = pgTable('client_error', {
  ...base,
  admin_id: integer().references(() => admin.id),
  kind: varchar({ length: 16, enum: ['not_found', 'no_permission', 'chunk', 'crash', 'timeout'] }).notNull(),
  path: varchar({ length: 255 }).notNull(),
  memo: varchar({ length: 255 }),
  ua: varchar({ length: 255 }),
  release: varchar({ length: 32 }),
  ip: varchar({ length: 45 }),
}, t => [index('client_error_time').on(t.created_at)])

/** Answers kept by idempotency key for 24 hours, each person's keys apart. */
export const idempotency = pgTable('idempotency', {
  ...base,
  admin_id: integer().notNull(),
  key: varchar({ length: 255 }).notNull(),
  /** SHA-256 of call and input. */
  request_hash: varchar({ length: 64 }).notNull(),
  /** The first answer's data, to the letter (jsonb would reorder it); null while the first is under way. */
  answer: json(),
  expires_at: unix().notNull(),
}, t => [
  // One key, one effect: a second insert waits for the first transaction to end.
  uniqueIndex('idempotency_key').on(t.admin_id, t.key),
  index('idempotency_expiry').on(t.expires_at),
])
