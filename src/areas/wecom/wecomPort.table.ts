import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  varchar,
} from 'drizzle-orm/pg-core'
import type { Text } from '#src/domain/text.ts'
import { base, unix } from '#src/server/db/columns.ts'

/**
 * The access token of each secret, which all processes share. It is sealed with the secret itself,
 * so that a copy of the database opens nothing.
 */
export const wecom_token = pgTable('wecom_token', {
  /** Digest of corp and secret: it tells secrets apart and shows none. */
  owner: varchar({ length: 64 }).primaryKey(),
  sealed: text(),
  expires_at: unix().notNull().default(0),
  /** Until then one process fetches a new one, and the others wait for it. */
  lease_until: unix().notNull().default(0),
  renewed_at: unix(),
  /** WeCom's code and words when it last gave no token. */
  fault_code: integer(),
  fault_text: text(),
})

/** 企微对象 of the embedded server: each body is what WeCom's API answers for that object. */
const corpObjectKinds = [
  'department',
  'user',
  'tag_group',
  'external',
  'group_chat',
  'contact_way',
  'join_way',
  'group_template',
  'media',
  'msg_template',
  'moment',
  'transfer',
] as const
export type CorpObjectKind = (typeof corpObjectKinds)[number]

/**
 * The corp that the embedded WeCom server speaks for. It stands for what lies outside, so nothing of
 * ours refers to it.
 */
export const wecom_corp_object = pgTable(
  'wecom_corp_object',
  {
    kind: varchar({ length: 16, enum: corpObjectKinds }).notNull(),
    key: varchar({ length: 128 }).notNull(),
    body: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  t => [
    primaryKey({ columns: [t.kind, t.key] }),
    index('wecom_corp_object_by_follower')
      .using('gin', sql`(body -> 'follow_user') jsonb_path_ops`)
      .where(sql`kind = 'external'`),
  ],
)

/**
 * 企微事件收件箱: what WeCom told, each once, to be worked off in the order of each subject. A dead row
 * has been given up after many tries and stays to be looked at.
 */
export const wecom_event = pgTable(
  'wecom_event',
  {
    ...base,
    /** The same for an event however often it is told. */
    identity: varchar({ length: 64 }).notNull().unique(),
    event: varchar({ length: 64 }).notNull(),
    change_type: varchar({ length: 64 }).notNull(),
    /** What it is about: an external user, a group chat, a tag, a member of staff. */
    subject: varchar({ length: 128 }).notNull(),
    /** The event as it was told, field by field. */
    fields: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
    happened_at: unix().notNull(),
    state: varchar({ length: 8, enum: ['new', 'done', 'dead'] })
      .notNull()
      .default('new'),
    tries: integer().notNull().default(0),
    next_at: unix().notNull(),
    done_at: unix(),
    /** Why it failed last, in both languages. */
    fault: jsonb().$type<Text>(),
  },
  t => [
    check('wecom_event_done', sql`(${t.state} = 'done') = (${t.done_at} is not null)`),
    index('wecom_event_waiting')
      .on(t.subject, t.happened_at, t.id)
      .where(sql`state = 'new'`),
    index('wecom_event_dead')
      .on(t.id)
      .where(sql`state = 'dead'`),
    // Whoever measures the inbox counts what waits or was given up, and asks since when.
    index('wecom_event_open')
      .on(t.state, t.created_at)
      .where(sql`state in ('new', 'dead')`),
    index('wecom_event_old').on(t.created_at),
  ],
)
