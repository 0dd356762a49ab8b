import { ticketProviders, type TicketProviderKey } from '#src/areas/film/film.ts'
import { termNames, type FilmNumber } from '#src/areas/film/filmSettings.ts'
import type { Text } from '#src/domain/text.ts'
import {
  filmSettings as calls,
  filmSettingRow,
  type FilmSettingRow,
} from '#src/modules/film/contract/settings.ts'
import { ask, called } from '../command.ts'
import { filmSettings as page } from '../pages/film.ts'
import { cityAsk } from '../places.ts'
import { asking, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(page, filmSettingRow)
called(filmSettingRow, of => (of.city_id === null ? ['默认设置', 'The default'] : of.city_name))
type Rows = readonly FilmSettingRow[]
/** What a row says for itself; a city that leaves it to the default begins empty. */
const ownOf =
  (key: FilmNumber, by = 1) =>
  ([of]: Rows): number | undefined => {
    const term = of?.terms[key]
    return term?.own ? term.value / by : undefined
  }
const optional: { optional: true; hint: Text } = {
  optional: true,
  hint: ['留空则用默认值', 'Empty: as the default says'],
}
const whole = (key: FilmNumber, [min, max]: readonly [number, number]) =>
  ask.number({ label: termNames[key], min, max, initial: ownOf(key), ...optional })
const rate = (key: FilmNumber, label: Text, max: number) =>
  ask.number({ label, min: 0, max, places: 2, initial: ownOf(key, 100), field: key, ...optional })
const money = (key: FilmNumber, max: number) =>
  ask.money({ label: termNames[key], min: 0, max, initial: ownOf(key), ...optional })
const open = { yes: ['售卖', 'On sale'], no: ['不售卖', 'Not sold'] } as const
const openOf = ([of]: Rows): keyof typeof open | undefined => {
  if (!of?.terms.is_open.own) return undefined
  return of.terms.is_open.value ? 'yes' : 'no'
}
const providerAsk = ask.choice({
  label: ['出票渠道', 'Provider'],
  options: ticketProviders,
})
const bp = (typed: number | undefined): number | null =>
  typed === undefined ? null : Math.round(typed * 100)
const blockedOf = (rows: Rows): Record<string, Text> =>
  Object.fromEntries(
    (rows[0]?.blocked ?? []).map(one => {
      const name = one.cinema_name || one.cinema_no
      return [one.cinema_no, [name, name]]
    }),
  )
const isOverride = ({ city_id }: FilmSettingRow) =>
  city_id !== null || (['默认设置不能删除', 'The default can’t be deleted'] as const)

export const filmSettingActions = {
  save: row.edit(
    calls.save,
    ['修改设置', 'Change settings'],
    {
      asks: {
        is_open: ask.choice({
          label: ['售卖', 'On sale'],
          options: open,
          initial: openOf,
          ...optional,
        }),
        providers: ask.choices({
          label: ['启用的出票渠道', 'Providers that are on'],
          options: ticketProviders,
          initial: ([of]: Rows) =>
            of?.terms.providers.own
              ? of.terms.providers.value.filter(each => each.on).map(each => each.key)
              : undefined,
          ...optional,
        }),
        markup: rate('markup_bp', ['加价（%）', 'Mark-up (%)'], 50),
        subsidy_cents: money('subsidy_cents', 100_00),
        service_fee_cents: money('service_fee_cents', 1000),
        seat_limit: whole('seat_limit', [1, 6]),
        lock_minutes: whole('lock_minutes', [5, 15]),
        refund_before_minutes: whole('refund_before_minutes', [0, 1440]),
        refund_monthly_times: whole('refund_monthly_times', [0, 31]),
        refund_charge: rate('refund_charge_bp', ['退票手续费（%）', 'Refund fee (%)'], 100),
        freeze_days: whole('freeze_days', [0, 30]),
        deposit_alarm_cents: money('deposit_alarm_cents', 10_000_000_00),
        reason,
      },
      input: ({ is_open, providers, markup, refund_charge, reason: why, ...asked }) => ({
        is_open: is_open === undefined ? null : is_open === 'yes',
        providers: providers && providers.length > 0 ? (providers as TicketProviderKey[]) : null,
        markup_bp: bp(markup),
        refund_charge_bp: bp(refund_charge),
        subsidy_cents: asked.subsidy_cents ?? null,
        service_fee_cents: asked.service_fee_cents ?? null,
        seat_limit: asked.seat_limit ?? null,
        lock_minutes: asked.lock_minutes ?? null,
        refund_before_minutes: asked.refund_before_minutes ?? null,
        refund_monthly_times: asked.refund_monthly_times ?? null,
        freeze_days: asked.freeze_days ?? null,
        deposit_alarm_cents: asked.deposit_alarm_cents ?? null,
        reason: why,
      }),
    },
    { main: true },
  ),
  switchProvider: row.row(calls.switchProvider, ['切换出票渠道', 'Switch the provider'], {
    key: 's',
    asks: { provider: providerAsk, reason },
    input: asking(asked => asked),
  }),
  addOverride: pageAction(calls.addOverride, ['新增城市设置', 'New settings of a city'], page, {
    key: 'c',
    asks: { city_id: cityAsk() },
    input: (_, { city_id }) => ({ city_id }),
  }),
  removeOverride: row.del(calls.removeOverride, ['删除城市设置', 'Delete city’s settings'], {
    when: isOverride,
  }),
  blockCinema: row.row(calls.blockCinema, ['屏蔽影院', 'Block a cinema'], {
    key: 'b',
    asks: {
      cinema_no: ask.text({
        label: ['影院编号', 'Cinema number'],
        max: 20,
        hint: ['如 C310034，见影票订单', 'Such as C310034, as film orders show it'],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  unblockCinema: row.row(calls.unblockCinema, ['取消屏蔽影院', 'Unblock a cinema'], {
    key: 'shift+b',
    when: ({ blocked }) => blocked.length > 0 || ['没有屏蔽的影院', 'No cinema is blocked'],
    asks: {
      cinema_no: ask.text({
        label: ['影院编号', 'Cinema number'],
        max: 20,
        initial: (rows: Rows) => Object.keys(blockedOf(rows))[0],
      }),
    },
    input: asking(asked => asked),
  }),
  pauseSale: row.row(calls.pauseSale, ['暂停售票', 'Pause the sale'], {
    key: 'p',
    danger: true,
    when: ({ paused_at }) => paused_at === null || ['已暂停售票', 'It is paused'],
    asks: { reason },
    input: asking(asked => asked),
  }),
  resumeSale: row.row(calls.resumeSale, ['恢复售票', 'Resume the sale'], {
    key: 'r',
    when: ({ paused_at }) => paused_at !== null || ['正在售票', 'It is on sale'],
    asks: { reason },
    input: asking(asked => asked),
  }),
  testProvider: pageAction(calls.testProvider, ['测试渠道连通', 'Test a provider'], page, {
    key: 't',
    asks: { provider: providerAsk },
    input: (_, { provider }) => ({ provider }),
  }),
}
