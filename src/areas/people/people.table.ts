import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { REVEALS_A_DAY } from '#src/domain/mask.ts'
import type { FieldMode } from '#src/server/call/implement.ts'
import { base, cents, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import type { MerchantRole } from './menu.ts'

const scopeTypes = ['all', 'city', 'mall', 'dept', 'self'] as const
export type ScopeType = (typeof scopeTypes)[number]

/** 部门 */
export const department = pgTable(
  'department',
  {
    ...base,
    parent_id: integer().references((): AnyPgColumn => department.id),
    name: varchar({ length: 32 }).notNull(),
    leader_id: integer().references((): AnyPgColumn => admin.id),
    phone: varchar({ length: 20 }),
    sort: integer().notNull().default(0),
    status: varchar({ length: 8, enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    /** Ids from the top down, `/1/4/9/`. */
    path: varchar({ length: 128 }).notNull().default(''),
  },
  t => [
    uniqueIndex('department_name_once').on(sql`coalesce(${t.parent_id}, 0)`, plainName(t.name)),
    index('department_path').on(t.path),
  ],
)

/** 角色 */
export const role = pgTable(
  'role',
  {
    ...base,
    name: varchar({ length: 32 }).notNull(),
    code: varchar({ length: 32 }).notNull().unique(),
    builtin: boolean().notNull().default(false),
    scope_type: varchar({ length: 8, enum: scopeTypes }).notNull().default('self'),
    /** Cities or malls, by scope_type. */
    scope_ids: jsonb().$type<number[]>().notNull().default([]),
    /** Exact keys (`audit.bulks.approve`) or patterns (`audit.*`, `*`). */
    perms: jsonb().$type<string[]>().notNull().default([]),
    field_rules: jsonb().$type<Record<string, FieldMode>>().notNull().default({}),
    refund_limit_cents: cents().notNull().default(0),
    status: varchar({ length: 8, enum: ['on', 'off'] })
      .notNull()
      .default('on'),
    remark: varchar({ length: 255 }),
  },
  t => [uniqueIndex('role_name_once').on(plainName(t.name))],
)

/** 后台员工 */
export const admin = pgTable(
  'admin',
  {
    ...base,
    account: varchar({ length: 32 }).notNull().unique(),
    name: varchar({ length: 32 }).notNull(),
    /** `full|initials` of the name, for searching. */
    pinyin: varchar({ length: 255 }).notNull().default(''),
    phone: varchar({ length: 11 }).unique(),
    email: varchar({ length: 64 }),
    avatar: varchar({ length: 255 }),
    password_hash: varchar({ length: 128 }).notNull(),
    must_change: boolean().notNull().default(false),
    department_id: integer().references(() => department.id),
    role_ids: jsonb().$type<number[]>().notNull().default([]),
    scope_type: varchar({ length: 8, enum: ['inherit', ...scopeTypes] })
      .notNull()
      .default('inherit'),
    scope_ids: jsonb().$type<number[]>().notNull().default([]),
    status: varchar({ length: 8, enum: ['active', 'disabled', 'left'] })
      .notNull()
      .default('active'),
    /** Locked by a person or by wrong tries, until then. */
    locked_until: unix(),
    last_login_at: unix(),
    last_login_ip: varchar({ length: 45 }),
    pinned_paths: jsonb().$type<string[]>().notNull().default([]),
    card_order: jsonb().$type<string[]>().notNull().default([]),
  },
  t => [
    index('admin_department').on(t.department_id),
    index('admin_roles').using('gin', t.role_ids),
    index('admin_by_status').on(t.status, t.id),
    index('admin_by_login').on(t.last_login_at, t.id),
    index('admin_by_locked').on(t.locked_until),
  ],
)

/** Earlier password hashes of a person; the last three may not be used again. */
export const admin_password = pgTable(
  'admin_password',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    password_hash: varchar({ length: 128 }).notNull(),
  },
  t => [index('admin_password_admin').on(t.admin_id)],
)

/** 登录会话. The token itself is never stored. */
export const admin_session = pgTable(
  'admin_session',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    /** SHA-256 of the token, hex. */
    token_hash: varchar({ length: 64 }).notNull().unique(),
    region: varchar({ length: 16 }).notNull().default('pro'),
    ip: varchar({ length: 45 }),
    ua: varchar({ length: 255 }),
    place: varchar({ length: 64 }),
    /** Slides with use; never past created_at plus the absolute limit. */
    expires_at: unix().notNull(),
    ended_at: unix(),
    end_reason: varchar({
      length: 10,
      enum: ['logout', 'expired', 'kicked', 'password', 'disabled', 'left'],
    }),
  },
  t => [
    index('admin_session_live')
      .on(t.admin_id)
      .where(sql`ended_at is null`),
    index('admin_session_expiry')
      .on(t.expires_at)
      .where(sql`ended_at is null`),
  ],
)

/** 系统字段: the fields that roles may show, mask or hide. */
export const field_key = pgTable('field_key', {
  ...base,
  key: varchar({ length: 64 }).notNull().unique(),
  title: varchar({ length: 32 }).notNull(),
  entity: varchar({ length: 32 }).notNull(),
  mask_rule: varchar({
    length: 8,
    enum: ['phone', 'id_no', 'name', 'bank', 'address', 'code', 'amount', 'all'],
  }).notNull(),
  default_mode: varchar({ length: 8, enum: ['show', 'mask', 'hide'] })
    .notNull()
    .default('show'),
  status: varchar({ length: 8, enum: ['on', 'off'] })
    .notNull()
    .default('on'),
  /** How often a day one person may see it in clear where it is masked. */
  reveals_a_day: integer().notNull().default(REVEALS_A_DAY),
})

/** 菜单: what the server sends as the left menu (ops), and what the merchant app shows (merchant). */
export const menu = pgTable(
  'menu',
  {
    ...base,
    side: varchar({ length: 8, enum: ['ops', 'merchant'] }).notNull(),
    parent_id: integer().references((): AnyPgColumn => menu.id),
    type: varchar({ length: 6, enum: ['dir', 'page', 'action'] }).notNull(),
    title: varchar({ length: 32 }).notNull(),
    en: varchar({ length: 64 }).notNull().default(''),
    /** The page's address; empty for a directory. */
    redirect: varchar({ length: 128 }).notNull().default(''),
    /** The right it stands for; of a directory of the console, its module. */
    perm: varchar({ length: 64 }),
    icon: varchar({ length: 32 }).notNull().default(''),
    sort: integer().notNull().default(0),
    visible: boolean().notNull().default(true),
    keep_alive: boolean().notNull().default(false),
    /** Regions (the region header) in which it is not launched. */
    hidden_regions: jsonb().$type<string[]>().notNull().default([]),
    /** Merchant roles that include it. */
    packages: jsonb().$type<MerchantRole[]>().notNull().default([]),
    /** Where it is in gray release; visible with both empty is released to all. */
    gray_city_ids: jsonb().$type<number[]>().notNull().default([]),
    gray_store_ids: jsonb().$type<number[]>().notNull().default([]),
    min_app_version: varchar({ length: 16 }),
    /** Since when the console's own list of pages and actions lacks it. */
    vanished_at: unix(),
  },
  t => [
    uniqueIndex('menu_perm_once').on(t.side, t.type, t.perm),
    uniqueIndex('menu_path_once')
      .on(t.side, t.redirect)
      .where(sql`visible and type = 'page'`),
    index('menu_by_parent').on(t.side, t.parent_id, t.sort),
    check(
      'menu_gray_is_not_full',
      sql`jsonb_array_length(gray_city_ids) + jsonb_array_length(gray_store_ids) = 0 or visible`,
    ),
  ],
)

/**
 * 个人设置: what a person has set for themselves, under a name of the console's; it goes with the
 * account from machine to machine.
 */
export const admin_setting = pgTable(
  'admin_setting',
  {
    ...base,
    admin_id: integer()
      .notNull()
      .references(() => admin.id),
    name: varchar({ length: 64 }).notNull(),
    value: jsonb().$type<unknown>().notNull(),
  },
  t => [uniqueIndex('admin_setting_once').on(t.admin_id, t.name)],
)

/**
 * 角色常用: how often the people of a role used a command on a page, halved with every week
 * (workbench/frecency.ts). Nobody's own, and no content.
 */
export const role_habit = pgTable(
  'role_habit',
  {
    role_id: integer()
      .notNull()
      .references(() => role.id, { onDelete: 'cascade' }),
    page: varchar({ length: 96 }).notNull(),
    command: varchar({ length: 96 }).notNull(),
    score: doublePrecision().notNull(),
    used_at: unix().notNull(),
  },
  t => [primaryKey({ columns: [t.role_id, t.page, t.command] })],
)

/** Wrong sign-ins, counted apart for each account (`a:…`) and each address (`i:…`). */
export const login_attempt = pgTable('login_attempt', {
  /** SHA-256 of the account or address, so that rubbish of any length fits. */
  key: varchar({ length: 66 }).primaryKey(),
  failures: integer().notNull().default(0),
  /** When the present window of counting began. */
  since: unix().notNull(),
  locked_until: unix(),
  /** How often it was locked in a row; each time locks longer. */
  locks: integer().notNull().default(0),
  updated_at: unix().notNull(),
})

/** A picture to read letters from; used once. */
export const captcha = pgTable('captcha', {
  id: varchar({ length: 32 }).primaryKey(),
  answer_hash: varchar({ length: 64 }).notNull(),
  expires_at: unix().notNull(),
})

/** Settings of the whole installation, such as the session limits. */
export const setting = pgTable(
  'setting',
  {
    ...base,
    key: varchar({ length: 64 }).notNull(),
    value: jsonb().notNull(),
    note: text(),
  },
  t => [uniqueIndex('setting_key').on(t.key)],
)
