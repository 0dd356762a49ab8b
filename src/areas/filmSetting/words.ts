import { termNames as names } from '#src/areas/film/filmSettings.ts'
import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  film_setting: {
    title: ['影票设置', 'Film settings'],
    fields: {
      city_id: { title: ['城市', 'City'], kind: 'name', of: 'city', none: ['默认', 'Default'] },
      is_open: { title: ['售卖', 'On sale'], kind: 'flag' },
      providers: { title: ['出票渠道', 'Providers'], kind: 'list' },
      markup_bp: { title: names.markup_bp, kind: 'percent' },
      subsidy_cents: { title: names.subsidy_cents, kind: 'money' },
      service_fee_cents: { title: names.service_fee_cents, kind: 'money' },
      seat_limit: { title: names.seat_limit, kind: 'number' },
      lock_minutes: { title: names.lock_minutes, kind: 'number' },
      refund_before_minutes: { title: names.refund_before_minutes, kind: 'number' },
      refund_monthly_times: { title: names.refund_monthly_times, kind: 'number' },
      refund_charge_bp: { title: names.refund_charge_bp, kind: 'percent' },
      freeze_days: { title: names.freeze_days, kind: 'number' },
      deposit_alarm_cents: { title: names.deposit_alarm_cents, kind: 'money' },
      blocked_cinemas: { title: ['屏蔽影院', 'Blocked cinemas'], kind: 'list' },
      paused_at: { title: ['暂停售票', 'Paused'], kind: 'time' },
      paused_reason: { title: ['暂停原因', 'Why paused'] },
    },
  },
}
