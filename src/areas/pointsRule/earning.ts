import type { Text } from '#src/domain/text.ts'

/** The most days that a ladder of sign-ins has; from the last one on its points stay. */
const LADDER_MOST = 7
/** What signing in earns: points of the first, second and following days in a row, and a month’s. */
export type ClockedConfig = {
  ladder: number[]
  /** For a member who signed on every day of a month. */
  month_bonus: number
}
/** A ladder is sent as its steps, each the points of one day. */
export type LadderStep = { day: number; points: number }
/** What is wrong with a ladder: its days run from 1 without a gap, and its points never fall. */
export const ladderFault = (steps: readonly LadderStep[]): Text | undefined => {
  if (steps.length === 0 || steps.length > LADDER_MOST)
    return [`阶梯为 1–${LADDER_MOST} 天`, `A ladder has 1 to ${LADDER_MOST} days`]
  if (steps.some((step, at) => step.day !== at + 1))
    return ['天数须从 1 起连续，不能跳过或重复', 'Days run from 1, none left out or twice']
  return steps.some((step, at) => at > 0 && step.points < steps[at - 1]!.points)
    ? ['后一天的积分不能少于前一天', 'A later day never earns less than the one before']
    : undefined
}
/**
 * A ladder as somebody types it, such as `1，2，3，5`: the points of each day. Undefined where it is
 * anything else.
 */
export const typedLadder = (typed: string): LadderStep[] | undefined => {
  const parts = typed
    .normalize('NFKC')
    .split(/[,;、\s]+/)
    .filter(Boolean)
  if (parts.some(part => !/^\d{1,4}$/.test(part))) return undefined
  return parts.map((part, at) => ({ day: at + 1, points: Number(part) }))
}
/** Points of the nth day in a row (from 1); after the ladder’s end its last step stays. */
export const pointsOnDay = (ladder: readonly number[], streak: number): number =>
  ladder[Math.min(streak, ladder.length) - 1] ?? 0

/** Each of these fields of a profile earns points once in a member's life. */
export const profileFields = {
  avatar: ['头像', 'Picture'],
  birthday: ['生日', 'Birthday'],
  gender: ['性别', 'Gender'],
  city: ['常驻城市', 'Home city'],
  malls: ['常去商场', 'Favourite malls'],
  wecom: ['企微好友', 'WeCom friend'],
} as const satisfies Record<string, Text>
export type ProfileField = keyof typeof profileFields
export const profileKeys = Object.keys(profileFields) as ProfileField[]
/** The most that one field earns. */
export const FIELD_MOST = 1000
export type ProfileConfig = Record<ProfileField, number>
/** What all fields of a profile earn together. */
export const profileTotal = (config: Readonly<ProfileConfig>): number =>
  profileKeys.reduce((sum, key) => sum + config[key], 0)

/** What a review after redemption earns: every part that it has is added. */
export type CommentConfig = {
  star: number
  text: number
  /** Characters that count, from which on the text earns. */
  text_min: number
  images: number
  video: number
  featured: number
}
