import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  film_setting: {
    title: ['影票设置', 'Film settings'],
    fields: {
      city_id: { title: ['城市', 'City'], kind: 'name', of: 'city', none: ['默认', 'Default'] },
      is_open: { title: ['售卖', 'On sale'], kind: 'flag' },
      providers: { title: ['出票渠道', 'Providers'], kind: 'list' },
      markup_bp: { title: ['加价', 'Mark-up'], kind: 'percent' },
      subsidy_cents: { title: ['每座补贴', 'Subsidy a seat'], kind: 'money' },
      service_fee_cents: { title: ['每座服务费', 'Service fee a seat'], kind: 'money' },
      seat_limit: { title: ['每单座位上限', 'Seats an order'], kind: 'number' },
      lock_minutes: { title: ['锁座时长（分钟）', 'Seats kept, minutes'], kind: 'number' },
      refund_before_minutes: {
        title: ['开场前可退（分钟）', 'Refunds until, minutes before'],
        kind: 'number',
      },
      refund_monthly_times: { title: ['每月可退次数', 'Refunds a month'], kind: 'number' },
      refund_charge_bp: { title: ['退票手续费', 'Charge of a refund'], kind: 'percent' },
      freeze_days: { title: ['散场后冻结（天）', 'On hold after, days'], kind: 'number' },
      deposit_alarm_cents: { title: ['预存款预警', 'Deposit alarm'], kind: 'money' },
      blocked_cinemas: { title: ['屏蔽影院', 'Blocked cinemas'], kind: 'list' },
      paused_at: { title: ['暂停售票', 'Paused'], kind: 'time' },
      paused_reason: { title: ['暂停原因', 'Why paused'] },
    },
  },
}
