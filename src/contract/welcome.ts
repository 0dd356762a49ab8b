/** What the pages of welcome messages have in common: rows, what is written, what is tried. */
import { z } from 'zod'
import {
  ATTACHMENTS_MOST,
  giftStates,
  PRIORITY_MOST,
  sendOutcomes,
  trialStates,
  TARGETS_MOST,
  welcomeScopes,
  welcomeStates,
} from '#src/areas/welcome/welcome.ts'
import { id, keysOf, keyText, lines, listOf, searched, text, unix, version } from './shapes.ts'
import { carriedMaterial } from './wecomMaterial.ts'

export const hours = z.object({
  weekdays: z.array(z.int().min(1).max(7)).min(1).max(7),
  from_min: z.int().min(0).max(1439),
  to_min: z.int().min(1).max(1440),
})
export const attachment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('image'), key: keyText(200, 1) }),
  z.object({ kind: z.literal('link'), title: text(60), desc: text(200, 0), url: keyText(500, 1) }),
  z.object({
    kind: z.literal('miniprogram'),
    title: text(30),
    appid: keyText(32, 1),
    page: keyText(200, 1),
    key: keyText(200, 1),
  }),
  /** A material of the library, as it stands when the message goes. */
  z.object({ kind: z.literal('material'), id }),
])
/** What a message says. */
const saying = {
  text: lines(4000, 0),
  attachments: z.array(attachment).max(ATTACHMENTS_MOST),
  coupon_id: id.nullable(),
}
/** One span at most: a rule for other hours is another rule. */
const span = z.array(hours).max(1)
export const windowFields = { name: text(40), hours: span.min(1), ...saying }
export const welcomeFields = {
  name: text(40),
  scope: keysOf(welcomeScopes),
  mall_id: id.nullable(),
  department_ids: z.array(id).max(TARGETS_MOST),
  staff_ids: z.array(id).max(TARGETS_MOST),
  priority: z.int().min(1).max(PRIORITY_MOST),
  hours: span,
  ...saying,
}
/** The kinds of row that what is written names: the person has to see each. */
export const welcomeNames = {
  mall_id: 'mall',
  department_ids: 'wecom_department',
  staff_ids: 'wecom_staff',
} as const
const n = z.int().min(0)
export const welcomeRow = z.object({
  id,
  version,
  ...welcomeFields,
  is_default: z.boolean(),
  base_id: id.nullable(),
  mall_name: z.string(),
  departments: z.array(z.string()),
  advisers: z.array(z.string()),
  codes: z.array(z.string()),
  codes_n: n,
  /** The message whose hours it takes over; empty for one of its own. */
  base_name: z.string(),
  /** Messages of other hours that lean on it. */
  windows: z.array(
    z.object({ id, name: z.string(), hours: z.array(hours), status: keysOf(welcomeStates) }),
  ),
  versions_n: n,
  /** Advisers in service whom it is for. */
  covered: n,
  /** The materials that it carries, as they stand. */
  materials: z.array(carriedMaterial),
  coupon: z.object({ name: z.string(), given: z.boolean() }).nullable(),
  /** Why a picture of it can't be sent; empty where all can. */
  media_fault: z.string(),
  content_n: n,
  status: keysOf(welcomeStates),
  off_reason: z.string(),
  /** What became of its sends in 7 days. */
  week: z.object({ sent: n, missed: n, taken: n, refused: n, unknown: n }),
  /** How many were sent a link that is counted, in 7 days, and how many of them opened it. */
  clicks: z.object({ linked: n, clickers: n }),
  last_at: unix.nullable(),
  updated_at: unix,
})
export type WelcomeRow = z.output<typeof welcomeRow>
export const welcomeFilters = {
  keyword: searched(40).optional(),
  scope: keysOf(welcomeScopes).optional(),
  status: keysOf(welcomeStates).optional(),
  /** 0: of no mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  id: id.optional(),
}
/** A page of rules, and how many there are in each state. */
export const welcomeList = z.object({
  ...listOf(welcomeRow).shape,
  stat: z.record(z.string(), n),
})
/** The last sends of a rule. */
export const welcomeSends = z.object({
  list: z.array(
    z.object({
      id,
      adviser: z.string(),
      customer: z.string(),
      happened_at: unix,
      outcome: keysOf(sendOutcomes),
      cost_ms: n.nullable(),
      errcode: z.int(),
      error: z.string(),
      skipped: z.array(z.string()),
      gift: keysOf(giftStates),
      gift_error: z.string(),
      content_n: n.nullable(),
    }),
  ),
})
export type WelcomeSend = z.output<typeof welcomeSends>['list'][number]
/** What people last sent of a rule to themselves. */
export const welcomeTrials = z.object({
  list: z.array(
    z.object({
      id,
      by: z.string(),
      /** The name of the account in WeCom that got it. */
      account: z.string(),
      asked_at: unix,
      state: keysOf(trialStates),
      content_n: n,
      /** What went wrong or was left out; empty where nothing did. */
      why: z.string(),
    }),
  ),
})
export type WelcomeTrials = z.output<typeof welcomeTrials>
/** The rules of a scope in their order, to be arranged. */
export const welcomeOrder = z.object({
  list: z.array(z.object({ id, name: z.string(), status: keysOf(welcomeStates) })),
  list_version: z.int(),
})
