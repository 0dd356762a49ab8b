import { z } from 'zod'
import { ticketProviders } from '#src/areas/film/film.ts'
import type { FilmTerms } from '#src/areas/film/filmSettings.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  cents,
  flag,
  id,
  keysOf,
  keyText,
  unix,
  version,
} from '#src/contract/shapes.ts'

const provider = keysOf(ticketProviders)
/** Where a term stands: the city's own, or the default's. */
const term = <T extends z.ZodType>(value: T) => z.object({ value, own: z.boolean() })
/** The terms as they are sent; null is the default's. */
const sent = {
  is_open: flag.nullable(),
  /** Those that are on, in the order that they are asked in. */
  providers: z.array(provider).max(3).nullable(),
  markup_bp: z.int().min(0).max(5000).nullable(),
  subsidy_cents: cents.min(0).max(100_00).nullable(),
  service_fee_cents: cents.min(0).max(1000).nullable(),
  seat_limit: z.int().min(1).max(6).nullable(),
  lock_minutes: z.int().min(5).max(15).nullable(),
  refund_before_minutes: z.int().min(0).max(1440).nullable(),
  refund_monthly_times: z.int().min(0).max(31).nullable(),
  refund_charge_bp: basisPoints.nullable(),
  freeze_days: z.int().min(0).max(30).nullable(),
  deposit_alarm_cents: cents.min(0).max(10_000_000_00).nullable(),
} satisfies Record<keyof FilmTerms, z.ZodType>
const terms = z.object({
  is_open: term(z.boolean()),
  providers: term(z.array(z.object({ key: provider, on: z.boolean() }))),
  markup_bp: term(z.int()),
  subsidy_cents: term(cents),
  service_fee_cents: term(cents),
  seat_limit: term(z.int()),
  lock_minutes: term(z.int()),
  refund_before_minutes: term(z.int()),
  refund_monthly_times: term(z.int()),
  refund_charge_bp: term(z.int()),
  freeze_days: term(z.int()),
  deposit_alarm_cents: term(cents),
} satisfies Record<keyof FilmTerms, z.ZodType>)
const cinemaNo = keyText(20, 1)

export const filmSettingRow = z.object({
  id,
  version,
  /** Null: the default. */
  city_id: id.nullable(),
  city_name: z.string(),
  terms,
  /** Its own blocks: the default's hold in every city beside them. */
  blocked: z.array(
    z.object({
      cinema_no: z.string(),
      cinema_name: z.string(),
      reason: z.string(),
      by: z.string(),
      at: unix,
    }),
  ),
  paused_at: unix.nullable(),
  paused_reason: z.string(),
  paused_by: z.string(),
  by: z.string(),
  updated_at: unix,
})
export type FilmSettingRow = z.output<typeof filmSettingRow>
const call = callsOf('film/settings', { touches: ['film_setting'], rows: 'film_setting' })

/** How film tickets are sold: a default, and what cities say for themselves. */
export const filmSettings = {
  lst: call.lists('lst', ['影票设置', 'Film settings'], {
    filters: { city_id: id.optional(), paused: z.boolean().optional() },
    row: filmSettingRow,
    touches: ['film_setting', 'city'],
  }),
  save: call.changes('save', ['保存设置', 'Save the settings'], { fields: { ...sent, reason } }),
  /** Asked first from now on; it is on. */
  switchProvider: call.changes('switchProvider', ['切换出票渠道', 'Switch the provider'], {
    fields: { provider, reason },
  }),
  addOverride: call.creates('addOverride', ['新增城市设置', 'Settings of a city'], {
    fields: { city_id: id },
    scope: placed('film_setting', { city_id: 'city' }),
  }),
  removeOverride: call.deletes('removeOverride', ['删除城市设置', 'Delete a city’s settings']),
  blockCinema: call.changes('blockCinema', ['屏蔽影院', 'Block a cinema'], {
    fields: { cinema_no: cinemaNo, reason },
  }),
  unblockCinema: call.changes('unblockCinema', ['取消屏蔽', 'Unblock a cinema'], {
    fields: { cinema_no: cinemaNo },
  }),
  pauseSale: call.changes('pauseSale', ['暂停售票', 'Pause the sale'], { fields: { reason } }),
  resumeSale: call.changes('resumeSale', ['恢复售票', 'Resume the sale'], { fields: { reason } }),
  /** Asks a provider how it is, now. Nothing changes. */
  testProvider: call.read('testProvider', ['测试渠道连通', 'Test a provider'], {
    input: z.object({ provider }),
    output: z.object({
      provider,
      ok: z.boolean(),
      ms: z.int(),
      deposit_cents: cents.nullable(),
      text: z.string(),
    }),
    permit: 'film.settings.testProvider',
    scope: { none: 'A provider is everybody’s: it stands in no place' },
  }),
}
