import { MEMBER_LEVELS } from '#src/areas/member/levels.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** A step of the ladder. Rates are basis points: 9500 of a price is 9.5 折, 10000 is no discount. */
export type Level = {
  /** From 0, which everybody begins with, to 5. */
  no: number
  name: string
  growth_min: number
  /** The growth that keeps it for another period when its keep date comes. */
  keep_growth: number
  keep_days: number
  points_multiplier_bp: number
  discount_bp: number
  benefits: string[]
  gift_points: number
  gift_coupon_id: number | null
}
/** A level that a ladder no longer has, and the one that its members go to. */
export type MergedLevel = { level: number; into: number }
/** Growth earned: one for every so many cents paid, so much for the other actions. */
export type GrowthEarns = {
  buy_cents: number
  sign: number
  comment: number
  /** Comments of one member and day that earn any. */
  comment_daily: number
  profile: number
  achieve: number
}
export type Ladder = { levels: readonly Level[]; merged: readonly MergedLevel[] }
export type GrowAction = 'buy' | 'sign' | 'comment' | 'profile' | 'achieve'

export const ladderStates = {
  draft: ['草稿', 'Draft'],
  waiting: ['待生效', 'Waiting'],
  live: ['生效中', 'Live'],
  archived: ['历史版本', 'Past'],
  rejected: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>
export type LadderState = keyof typeof ladderStates
export const growthKinds = {
  buy: ['消费', 'Purchase'],
  refund: ['退款扣回', 'Refund'],
  sign: ['签到', 'Sign-in'],
  comment: ['评价', 'Review'],
  profile: ['完善资料', 'Profile'],
  achieve: ['成就奖励', 'Badge'],
  admin: ['人工调整', 'By staff'],
  expire: ['等级到期', 'Keep date'],
  ladder: ['规则变更', 'New rules'],
  merge: ['账号合并', 'Merge'],
  reverse: ['冲正', 'Reversal'],
} as const satisfies Record<string, Text>
export type GrowthKind = keyof typeof growthKinds
export const holdKinds = {
  manual: ['人工定级', 'Set by staff'],
  protect: ['等级保护', 'Protected'],
} as const satisfies Record<string, Text>
export type HoldKind = keyof typeof holdKinds

const standard = (
  no: number,
  growth_min: number,
  more: Partial<Level> & { name: string },
): Level => ({
  no,
  growth_min,
  keep_growth: growth_min,
  keep_days: no === 0 ? 0 : 365,
  points_multiplier_bp: 10_000,
  discount_bp: 10_000,
  benefits: [],
  gift_points: 0,
  gift_coupon_id: null,
  ...more,
})
/** What holds until somebody has published rules. */
export const standardLevels: readonly Level[] = [
  standard(0, 0, { name: '普通会员' }),
  standard(1, 200, { name: 'V1' }),
  standard(2, 1000, { name: 'V2' }),
  standard(3, 3000, { name: 'V3' }),
  standard(4, 8000, { name: 'V4' }),
  standard(5, 20_000, { name: 'V5' }),
]
export const standardEarns: GrowthEarns = {
  buy_cents: 100,
  sign: 1,
  comment: 5,
  comment_daily: 3,
  profile: 20,
  achieve: 0,
}

/** The level that so much growth has earned. */
export const levelOf = (growth: number, { levels }: Pick<Ladder, 'levels'>): number =>
  levels.reduce((no, level) => (growth >= level.growth_min ? Math.max(no, level.no) : no), 0)
/** The level after this one and what is lacking for it; undefined at the top. */
export const nextStep = (
  growth: number,
  { levels }: Pick<Ladder, 'levels'>,
): { level: Level; lacking: number } | undefined => {
  const level = levels
    .filter(one => one.growth_min > growth)
    .sort((a, b) => a.growth_min - b.growth_min)[0]
  return level && { level, lacking: level.growth_min - growth }
}
/** When a level that begins now is looked at again; null for the first, which cannot be lost. */
export const keepUntil = (
  no: number,
  { levels }: Pick<Ladder, 'levels'>,
  now: number,
): number | null => {
  const days = levels.find(level => level.no === no)?.keep_days ?? 0
  return no === 0 || days === 0 ? null : now + days * DAY
}

/** Where a member stands. */
export type Standing = { growth: number; level: number; level_keep_until: number | null }
/** A level that staff set until a day, and where the member stood before. */
type ManualHold = {
  level: number
  until_at: number
  back_level: number
  back_keep_until: number | null
}
export type Holds = { manual?: ManualHold | undefined; protect?: { until_at: number } | undefined }
type Reached = Pick<Standing, 'level' | 'level_keep_until'>

const begun = (level: number, ladder: Ladder, now: number): Reached => ({
  level,
  level_keep_until: keepUntil(level, ladder, now),
})
/** The level in a ladder that may have lost it: the one its members go to, or what growth earns. */
const standingIn = (ladder: Ladder, at: Standing): number => {
  if (ladder.levels.some(level => level.no === at.level)) return at.level
  const into = ladder.merged.find(one => one.level === at.level)?.into
  const stands = into !== undefined && ladder.levels.some(level => level.no === into)
  return stands ? into : levelOf(at.growth, ladder)
}
const byLadder = (
  ladder: Ladder,
  at: Standing,
  of: { protect: Holds['protect']; now: number },
): Reached => {
  const { now } = of
  const earned = levelOf(at.growth, ladder)
  const level = standingIn(ladder, at)
  if (earned > level) return begun(earned, ladder, now)
  if (level === 0) return { level, level_keep_until: null }
  if (level !== at.level || at.level_keep_until === null) return begun(level, ladder, now)
  if (at.level_keep_until > now) return { level, level_keep_until: at.level_keep_until }
  const keeps = ladder.levels.find(one => one.no === level)!.keep_growth
  if (earned === level || at.growth >= keeps) return begun(level, ladder, now)
  if (of.protect && of.protect.until_at > now)
    return { level, level_keep_until: at.level_keep_until }
  return begun(earned, ladder, now)
}
/**
 * The level that a member has now, and its keep date (unix seconds): what staff set while it is in
 * force; else upwards at once, and downwards only when the keep date has come, too little growth is
 * left to keep it, and nothing protects it. Asked again it answers the same.
 */
export const levelAfter = (ladder: Ladder, at: Standing, holds: Holds, now: number): Reached => {
  const { manual, protect } = holds
  if (!manual) return byLadder(ladder, at, { protect, now })
  const stands = ladder.levels.some(level => level.no === manual.level)
  if (manual.until_at > now && stands) {
    const earned = levelOf(at.growth, ladder)
    const isRaised = manual.level >= manual.back_level
    if (!isRaised || earned <= manual.level)
      return { level: manual.level, level_keep_until: manual.until_at }
    return at.level === earned ? reachedOf(at) : begun(earned, ladder, now)
  }
  // A member who climbed above what staff had set keeps what growth earned.
  const back =
    at.level > manual.level && manual.level >= manual.back_level
      ? at
      : { growth: at.growth, level: manual.back_level, level_keep_until: manual.back_keep_until }
  return byLadder(ladder, back, { protect, now })
}
const reachedOf = ({ level, level_keep_until }: Standing): Reached => ({ level, level_keep_until })

type Faults = Record<string, Text | undefined>
const nameFault = (levels: readonly Level[], at: number): Text | undefined => {
  const name = levels[at]!.name.trim()
  if (name === '') return ['请填写名称', 'Name it']
  return levels.some((one, other) => other < at && one.name.trim() === name)
    ? ['名称与另一等级重复', 'Another level has this name']
    : undefined
}
const levelFaults = (levels: readonly Level[], at: number): Faults => {
  const level = levels[at]!
  const below = levels[at - 1]
  const path = (field: string) => `levels.${at}.${field}`
  return {
    [path('name')]: nameFault(levels, at),
    [path('growth_min')]:
      below && level.growth_min <= below.growth_min
        ? ['须高于下一级的门槛', 'It must be above that of the level below']
        : undefined,
    [path('keep_growth')]:
      level.keep_growth > level.growth_min
        ? ['保级成长值不能高于本级门槛', 'It must not be above what the level asks']
        : undefined,
    [path('keep_days')]:
      level.no > 0 && level.keep_days < 1 ? ['保级天数至少 1 天', 'At least one day'] : undefined,
    [path('discount_bp')]:
      below && level.discount_bp > below.discount_bp
        ? ['折扣不能比下一级差', 'It must not be worse than that of the level below']
        : undefined,
  }
}
/**
 * What is wrong with a ladder, by the path of the field: names once, thresholds from 0 upwards, no
 * level that is harder to keep than to reach, no discount worse than that of a lower level.
 */
export const ladderFaults = (levels: readonly Level[]): Faults => {
  const first = levels[0]
  const begins =
    first?.no === 0 && first.growth_min === 0
      ? undefined
      : (['最低等级须为 0 级，门槛为 0', 'The lowest level must be 0 and begin at 0'] as const)
  return {
    ...Object.assign({}, ...levels.map((_, at) => levelFaults(levels, at))),
    ...(begins && { 'levels.0.growth_min': begins }),
  }
}
/** The first number that a ladder has no level of; undefined where it is full. */
export const freeLevel = (levels: readonly Pick<Level, 'no'>[]): number | undefined =>
  Array.from({ length: MEMBER_LEVELS + 1 }, (_, no) => no).find(
    no => !levels.some(level => level.no === no),
  )

type Moved = { kind: GrowthKind; delta: number; reversed_by: number | null }
/** Whether a row can be taken back, or why not: once, never a reversal, never one that moved nothing. */
export const reverseMay = ({ kind, delta, reversed_by }: Moved): true | Text => {
  if (reversed_by !== null)
    return [
      `该记录已由 #${reversed_by} 冲正，每条只能冲正一次`,
      `It was reversed by #${reversed_by}: once a row`,
    ]
  if (kind === 'reverse')
    return [
      '冲正记录不能再冲正，请人工调整成长值',
      'A reversal is not reversed: adjust the growth instead',
    ]
  return (
    delta !== 0 || [
      '该记录没有变动成长值，无需冲正',
      'It moved no growth: there is nothing to reverse',
    ]
  )
}
