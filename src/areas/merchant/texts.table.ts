import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { page_link, type LinkParams } from '#src/areas/content/content.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { base, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import {
  agreementStates,
  agreementTypes,
  type AgreementState,
  type AgreementType,
} from './agreement.ts'

/**
 * 协议文本版本. Once published the text never changes; how many consented is counted from
 * agreement_consent.
 */
export const agreement = pgTable(
  'agreement',
  {
    ...base,
    type: text({
      enum: Object.keys(agreementTypes) as [AgreementType, ...AgreementType[]],
    }).notNull(),
    version_no: varchar({ length: 16 }).notNull(),
    /** HTML as the sanitiser left it. */
    content: text().notNull(),
    summary: varchar({ length: 255 }).notNull().default(''),
    force_consent: boolean().notNull().default(false),
    /** When a draft is planned for; later, when it takes or took effect. */
    effective_at: unix(),
    state: text({ enum: Object.keys(agreementStates) as [AgreementState, ...AgreementState[]] })
      .notNull()
      .default('draft'),
    withdraw_reason: varchar({ length: 255 }),
    editor_id: integer().references(() => admin.id),
  },
  t => [
    uniqueIndex('agreement_version_once').on(t.type, t.version_no),
    uniqueIndex('agreement_one_draft')
      .on(t.type)
      .where(sql`state = 'draft'`),
    uniqueIndex('agreement_one_scheduled')
      .on(t.type)
      .where(sql`state = 'scheduled'`),
    uniqueIndex('agreement_one_effective')
      .on(t.type)
      .where(sql`state = 'effective'`),
    index('agreement_by_type').on(t.type, t.state),
    index('agreement_by_state').on(t.state, t.effective_at),
  ],
)

/** The versions that each person agreed to, once each: by tapping, or with an order. */
export const agreement_consent = pgTable(
  'agreement_consent',
  {
    ...base,
    agreement_id: integer()
      .notNull()
      .references(() => agreement.id),
    member_id: integer()
      .notNull()
      .references(() => member.id),
    way: text({ enum: ['register', 'popup', 'order'] }).notNull(),
    at: unix().notNull(),
  },
  t => [
    uniqueIndex('agreement_consent_once').on(t.agreement_id, t.member_id),
    index('agreement_consent_by_member').on(t.member_id),
  ],
)

/**
 * 推广短链. `expired` is never stored: it is `on` whose end has passed. What a link brought is counted
 * from its visits and orders.
 */
export const h5_link = pgTable(
  'h5_link',
  {
    ...base,
    name: varchar({ length: 64 }).notNull(),
    code: varchar({ length: 16 }).notNull(),
    page_link_id: integer()
      .notNull()
      .references(() => page_link.id),
    params: jsonb().$type<LinkParams>().notNull().default({}),
    channel: varchar({ length: 32 }).notNull(),
    expire_at: unix().notNull(),
    status: text({ enum: ['on', 'stopped'] })
      .notNull()
      .default('on'),
    stop_reason: varchar({ length: 255 }),
  },
  t => [
    uniqueIndex('h5_link_code_once').on(t.code),
    uniqueIndex('h5_link_name_once').on(plainName(t.name), t.channel),
    index('h5_link_by_link').on(t.page_link_id, t.channel),
    index('h5_link_by_status').on(t.status, t.expire_at),
    index('h5_link_by_channel').on(t.channel, t.id),
  ],
)

/** The devices that opened a short link: each counts once a day. */
export const h5_visit = pgTable(
  'h5_visit',
  {
    ...base,
    h5_link_id: integer()
      .notNull()
      .references(() => h5_link.id),
    /** `YYYY-MM-DD` in Shanghai. */
    day: varchar({ length: 10 }).notNull(),
    device: varchar({ length: 40 }).notNull(),
    /** The last time on that day. */
    at: unix().notNull(),
  },
  t => [
    uniqueIndex('h5_visit_once').on(t.h5_link_id, t.day, t.device),
    index('h5_visit_by_device').on(t.device, t.at),
  ],
)
