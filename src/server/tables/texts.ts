import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { agreementStates, agreementTypes, type AgreementState, type AgreementType } from '#src/domain/agreement.ts'
import { base, unix } from './columns.ts'
import { member } from './merchant.ts'
import { admin } from './people.ts'

/** 协议文本版本. Once published the text never changes; how many consented is counted from agreement_consent. */
export const agreement = pgTable('agreement', {
  ...base,
  type: text({ enum: Object.keys(agreementTypes) as [AgreementType, ...AgreementType[]] }).notNull(),
  version_no: varchar({ length: 16 }).notNull(),
  /** HTML as the sanitiser left it. */
  content: text().notNull(),
  summary: varchar({ length: 255 }).notNull().default(''),
  force_consent: boolean().notNull().default(false),
  /** Of a draft: when it is planned for; later: when it takes or took effect. */
  effective_at: unix(),
  state: text({ enum: Object.keys(agreementStates) as [AgreementState, ...AgreementState[]] }).notNull().default('draft'),
  withdraw_reason: varchar({ length: 255 }),
  editor_id: integer().references(() => admin.id),
}, t => [
  uniqueIndex('agreement_version_once').on(t.type, t.version_no), uniqueIndex('agreement_one_draft').on(t.type).where(sql`state = 'draft'`), uniqueIndex('agreement_one_scheduled').on(t.type).where(sql`state = 'scheduled'`), uniqueIndex('agreement_one_effective').on(t.type).where(sql`state = 'effective'`),
  index('agreement_by_type').on(t.type, t.state), index('agreement_by_state').on(t.state, t.effective_at),
])

/** Who agreed to which version, once each: by tapping it, or with an order. */
export const agreement_consent = pgTable('agreement_consent', {
  ...base,
  agreement_id: integer().notNull().references(() => agreement.id),
  member_id: integer().notNull().references(() => member.id),
  way: text({ enum: ['register', 'popup', 'order'] }).notNull(),
  at: unix().notNull(),
}, t => [uniqueIndex('agreement_consent_once').on(t.agreement_id, t.member_id), index('agreement_consent_by_member').on(t.member_id)])
