import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { holderKinds, materialKinds, materialStates, type MaterialBody } from './material.ts'

/** 企微素材: what messages carry; a message that went keeps the version that it went with. */
export const wecom_material = pgTable(
  'wecom_material',
  {
    ...base,
    kind: text({ enum: keys(materialKinds) }).notNull(),
    title: varchar({ length: 60 }).notNull(),
    category: varchar({ length: 20 }).notNull(),
    body: jsonb().$type<MaterialBody>().notNull(),
    /** The number of what it says now. */
    content_n: integer().notNull().default(1),
    /** The stored file that WeCom needs for it; null for one without any. */
    file_key: varchar({ length: 200 }),
    /** What WeCom keeps that file as: the cover of a mini program is a picture. */
    file_kind: text()
      .notNull()
      .generatedAlwaysAs(sql`case kind when 'miniprogram' then 'image' else kind end`),
    valid_to_at: unix(),
    owner_id: integer()
      .notNull()
      .references(() => admin.id),
    status: text({ enum: keys(materialStates) })
      .notNull()
      .default('draft'),
    off_reason: varchar({ length: 255 }).notNull().default(''),
    /** It is deleted, and kept for what was sent. */
    gone_at: unix(),
    /** Signs and pairs of neighbours of its title and category: by them a keyword is found. */
    grams: text()
      .array()
      .notNull()
      .generatedAlwaysAs(sql`text_grams(title || ' ' || category)`),
  },
  t => [
    check('wecom_material_body', sql`${t.body} ->> 'kind' = ${t.kind}`),
    index('wecom_material_by_status')
      .on(t.status, t.id)
      .where(sql`gone_at is null`),
    index('wecom_material_by_kind')
      .on(t.kind, t.id)
      .where(sql`gone_at is null`),
    index('wecom_material_by_category')
      .on(t.category, t.id)
      .where(sql`gone_at is null`),
    index('wecom_material_by_owner').on(t.owner_id, t.id),
    index('wecom_material_by_end')
      .on(t.valid_to_at)
      .where(sql`gone_at is null and valid_to_at is not null`),
    index('wecom_material_by_file')
      .on(t.file_key)
      .where(sql`file_key is not null`),
    index('wecom_material_by_grams').using('gin', t.grams),
  ],
)
/** 企微素材版本: what a material said at a time. */
export const wecom_material_content = pgTable(
  'wecom_material_content',
  {
    material_id: integer()
      .notNull()
      .references(() => wecom_material.id),
    n: integer().notNull(),
    title: varchar({ length: 60 }).notNull(),
    body: jsonb().$type<MaterialBody>().notNull(),
    created_at: unix().notNull(),
    created_by: integer().references(() => admin.id),
  },
  t => [
    primaryKey({ columns: [t.material_id, t.n] }),
    index('wecom_material_content_by_author').on(t.created_by),
  ],
)
/**
 * 企微素材发送: a piece of a message on its way to somebody, or to many where WeCom tells of no one.
 * A link goes by its token, so that whoever opens it is counted.
 */
export const wecom_material_send = pgTable(
  'wecom_material_send',
  {
    ...base,
    /** Null for a link that was written into the message itself. */
    material_id: integer().references(() => wecom_material.id),
    content_n: integer(),
    holder: text({ enum: keys(holderKinds) }).notNull(),
    /** The welcome, the group welcome or the mass message that carried it. */
    holder_id: integer().notNull(),
    /** The send of it: a welcome's send, or the part that one adviser was asked to send. */
    send_id: integer().notNull(),
    /** Its place among what the message carries. */
    place: integer().notNull(),
    /** Whom it went to; empty where it went to many. */
    external_userid: varchar({ length: 64 }).notNull().default(''),
    /** How many it went to. */
    receivers: integer().notNull().default(1),
    token: varchar({ length: 22 }),
    url: varchar({ length: 500 }),
    /** Null until WeCom has taken it. */
    sent_at: unix(),
    clicks: integer().notNull().default(0),
    first_click_at: unix(),
    last_click_at: unix(),
  },
  t => [
    check('wecom_material_send_link', sql`(${t.token} is null) = (${t.url} is null)`),
    check(
      'wecom_material_send_clicks',
      sql`(${t.clicks} = 0) = (${t.first_click_at} is null)
        and (${t.first_click_at} is null) = (${t.last_click_at} is null)`,
    ),
    uniqueIndex('wecom_material_send_once').on(t.holder, t.send_id, t.place),
    uniqueIndex('wecom_material_send_token')
      .on(t.token)
      .where(sql`token is not null`),
    index('wecom_material_send_by_material').on(t.material_id, t.content_n),
    index('wecom_material_send_by_holder').on(t.holder, t.holder_id, t.sent_at),
  ],
)
