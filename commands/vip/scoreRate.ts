import {
  mayDecideRate,
  multiplierFault,
  rateAtFirst,
  timesPairs,
  type Multiplier,
  type RateConfig,
} from '#src/areas/pointsRule/rule.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { rateRow, scoreRate as calls, type RateRow } from '#src/modules/vip/contract/scoreRate.ts'
import { ask, type Asked, type Me, type Told } from '../command.ts'
import { scoreRatePage as at } from '../pages/vip.ts'
import { one, pageAction, reason, rowActions } from '../record.ts'

type Rows = readonly RateRow[]
/** A new rate begins with what the house began with, another with what it says. */
const begun = (rows: Rows): RateConfig => rows[0]?.config ?? rateAtFirst
const LEVEL_MAX = 5
const DAY_MAX = 31
const valids = {
  rolling: ['滚动有效', 'Rolling months'],
  year_end: ['年底清零', 'At year end'],
} as const
const written = (rows: Rows, by: 'level' | 'monthday'): string[] | undefined =>
  rows[0]?.config.multipliers.flatMap(of => {
    if (of.by === 'level' && by === 'level') return `${of.level}=${of.times_bp / 10_000}`
    return of.by === 'monthday' && by === 'monthday' ? `${of.day}=${of.times_bp / 10_000}` : []
  })
const vipOf = (rows: Rows): number | undefined => {
  const found = rows[0]?.config.multipliers.find(of => of.by === 'vip')
  return found && found.times_bp / 10_000
}
const multipliersOf = (of: {
  levels?: string | undefined
  vip?: number | undefined
  days?: string | undefined
}): Multiplier[] => [
  ...(timesPairs(of.levels ?? '', LEVEL_MAX) ?? []).map(([level, times_bp]): Multiplier => ({
    by: 'level',
    level,
    times_bp,
  })),
  ...(of.vip ? [{ by: 'vip' as const, times_bp: Math.round(of.vip * 10_000) }] : []),
  ...(timesPairs(of.days ?? '', DAY_MAX) ?? []).map(([day, times_bp]): Multiplier => ({
    by: 'monthday',
    day,
    times_bp,
  })),
]
const pairsFault =
  (most: number, example: Text) =>
  (typed: string, answers: object): Text | undefined =>
    timesPairs(typed, most) ? multiplierFault(multipliersOf(answers)) : example
const asks = {
  earn: ask.number({
    label: ['每消费 1 元得积分', 'Points per ¥1 spent'],
    min: 0.01,
    max: 100,
    places: 2,
    initial: (rows: Rows) => begun(rows).earn_hundredths / 100,
    field: 'config',
  }),
  offset_points: ask.number({
    label: ['抵 1 元所需积分', 'Points per ¥1 off'],
    min: 1,
    max: 100_000,
    initial: (rows: Rows) => begun(rows).offset_points,
    field: 'config',
  }),
  offset_share: ask.number({
    label: ['每单最多抵扣（%）', 'Max. share of an order (%)'],
    min: 0,
    max: 100,
    places: 2,
    initial: (rows: Rows) => begun(rows).offset_share_bp / 100,
    field: 'config',
  }),
  valid: ask.choice({
    label: ['有效期方式', 'Expiry'],
    options: valids,
    initial: (rows: Rows) => begun(rows).validity.by,
  }),
  months: ask.number({
    label: ['有效月数', 'Months'],
    min: 1,
    max: 60,
    shown: ({ valid }: { valid?: string }) => valid === 'rolling',
    initial: (rows: Rows) => {
      const of = begun(rows).validity
      return of.by === 'rolling' ? of.months : undefined
    },
    hint: [
      '只影响之后获得的积分，已发的积分不会提前到期',
      'Only for points earned from now on; issued points don’t expire earlier',
    ],
  }),
  years: ask.number({
    label: ['获得后第几年年底清零', 'Years until they expire (at year end)'],
    min: 0,
    max: 4,
    shown: ({ valid }: { valid?: string }) => valid === 'year_end',
    initial: (rows: Rows) => {
      const of = begun(rows).validity
      return of.by === 'year_end' ? of.years : undefined
    },
    hint: [
      '0 为当年年底；已发的积分不会提前到期',
      '0: end of the same year. Issued points don’t expire earlier',
    ],
  }),
  levels: ask.text({
    label: ['等级倍率', 'Level multipliers'],
    max: 60,
    optional: true,
    initial: (rows: Rows) => written(rows, 'level')?.join('，'),
    hint: [
      '等级=倍率，如 4=1.2，5=1.3；倍率 0.5–10',
      'Level=multiplier, such as 4=1.2, 5=1.3; 0.5–10',
    ],
    check: pairsFault(LEVEL_MAX, [
      '写法如 4=1.2，5=1.3；等级 0–5，倍率 0.5–10',
      'Such as 4=1.2, 5=1.3: levels 0–5, multipliers 0.5–10',
    ]),
  }),
  vip: ask.number({
    label: ['付费会员倍率', 'Paid member multiplier'],
    min: 0.5,
    max: 10,
    places: 2,
    optional: true,
    initial: vipOf,
  }),
  days: ask.text({
    label: ['会员日倍率', 'Member day multipliers'],
    max: 120,
    optional: true,
    initial: (rows: Rows) => written(rows, 'monthday')?.join('，'),
    hint: [
      '每月几号=倍率，如 8=2；多个倍率只取最高',
      'Day of month=multiplier, such as 8=2; only the highest applies',
    ],
    check: pairsFault(DAY_MAX, [
      '写法如 8=2，18=1.5；日期 1–31，倍率 0.5–10',
      'Such as 8=2, 18=1.5: days 1–31, multipliers 0.5–10',
    ]),
  }),
}
const configOf = (of: Asked<typeof asks>): RateConfig => ({
  earn_hundredths: Math.round(of.earn * 100),
  offset_points: of.offset_points,
  offset_share_bp: Math.round(of.offset_share * 100),
  validity:
    of.valid === 'rolling'
      ? { by: 'rolling', months: of.months }
      : { by: 'year_end', years: of.years },
  multipliers: multipliersOf(of),
})
const effective = ask.time({
  label: ['生效时间', 'Effective from'],
  hint: ['须晚于现在；只影响之后支付的订单', 'Later than now; only for orders paid afterwards'],
  initial: (rows: Rows) => rows[0]?.effective_at ?? undefined,
})
const change = { ...asks, effective_at: effective, reason }
const changeOf = (asked: Asked<typeof change>) => ({
  ...configOf(asked),
  effective_at: asked.effective_at!,
  reason: asked.reason,
})
const row = rowActions(at, rateRow)
const decides = (of: RateRow, me: Me) => mayDecideRate(of, me.id)
const says = ([of]: Rows): Told | undefined =>
  of && [
    [
      '{who} 申请：{n} 积分抵 1 元，每元得 {earn} 积分，{day} 起生效',
      '{who} requests: {n} points for ¥1 off, {earn} points per ¥1, from {day}',
    ],
    {
      who: of.maker,
      n: of.config.offset_points,
      earn: yuan(of.config.earn_hundredths),
      day: dateOf(of.effective_at ?? 0),
    },
  ]

/** What is done with rates. */
export const scoreRateActions = {
  approve: row.row(calls.approve, ['复核通过', 'Approve'], {
    key: 'a',
    main: true,
    tells: says,
    when: decides,
    input: one,
  }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    main: 'plain',
    danger: true,
    tells: says,
    when: decides,
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  schedule: row.row(calls.schedule, ['调整生效时间', 'Change effective time'], {
    key: 't',
    when: (of: RateRow, me: Me) => {
      if (of.state !== 'waiting')
        return ['只有待复核的变更可以改期', 'Only for a change awaiting approval'] as const
      return of.maker_id === me.id || (['只有申请人可以改期', 'Only the applicant can'] as const)
    },
    asks: { effective_at: effective },
    input: (rows, asked) => ({ ...one(rows), effective_at: asked.effective_at! }),
  }),
  resubmit: row.row(calls.resubmit, ['修改后重新提交', 'Edit and resubmit'], {
    key: 'e',
    when: ({ state }: RateRow) =>
      state === 'rejected' || [
        '只有被驳回的变更可以重新提交',
        'Only a rejected change can be resubmitted',
      ],
    asks: change,
    input: (rows, asked) => ({ ...one(rows), ...changeOf(asked) }),
  }),
  save: pageAction(calls.save, ['提交比例变更', 'Submit a rate change'], at, {
    key: 'c',
    asks: change,
    input: (_, asked) => changeOf(asked),
  }),
  simulate: pageAction(calls.simulate, ['按上月订单测算', 'Simulate on last month'], at, {
    key: 's',
    asks,
    input: (_, asked) => configOf(asked),
  }),
  viewHistory: pageAction(
    'vip.score.rate.viewHistory',
    ['只看历史比例', 'Show past rates only'],
    at,
    {
      key: 'y',
      permit: calls.lst.permit,
    },
  ),
}
