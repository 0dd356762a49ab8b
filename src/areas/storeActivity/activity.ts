import { bannedIn } from '#src/areas/mall/recommend.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** What a store announces. */
export const activityKinds = {
  full_reduce: ['满减', 'Spend and save'],
  discount: ['折扣', 'Discount'],
  gift: ['赠品', 'Gift'],
  opening: ['开业', 'Opening'],
  member_day: ['会员日', 'Member day'],
  notice: ['公告', 'Notice'],
} as const satisfies Record<string, Text>
export type ActivityKind = keyof typeof activityKinds
export const activityStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['待审核', 'In audit'],
  rejected: ['已驳回', 'Rejected'],
  online: ['已上线', 'Online'],
  offline: ['已下线', 'Offline'],
  ended: ['已结束', 'Ended'],
} as const satisfies Record<string, Text>
export type ActivityState = keyof typeof activityStates
/** Monday is 1. */
export const weekdayNames = {
  1: ['周一', 'Mon'],
  2: ['周二', 'Tue'],
  3: ['周三', 'Wed'],
  4: ['周四', 'Thu'],
  5: ['周五', 'Fri'],
  6: ['周六', 'Sat'],
  7: ['周日', 'Sun'],
} as const satisfies Record<number, Text>
/** So many activities of a mall stand at the top at once. */
export const TOPPED_MOST = 2
const DAYS_MOST = 180

/** Verb → states it may start from. `ended` is the end. */
const from = {
  edit: ['draft', 'auditing', 'rejected', 'online', 'offline'],
  approve: ['auditing'],
  reject: ['auditing'],
  online: ['offline'],
  offline: ['online'],
  top: ['online'],
} as const satisfies Record<string, readonly ActivityState[]>
export type ActivityVerb = keyof typeof from
const whyNot: Record<ActivityVerb, Text> = {
  edit: ['已结束的活动只读', 'It has ended: it is read-only'],
  approve: ['不在待审核状态', 'It is not in audit'],
  reject: ['不在待审核状态', 'It is not in audit'],
  online: ['只有已下线的活动可以重新上线', 'Only one that was taken offline goes online again'],
  offline: ['活动未上线', 'It is not online'],
  top: ['只有已上线的活动可以置顶', 'Only one that is online stands at the top'],
}
/** True, or why an activity of this state can't have it. */
export const activityCan = (verb: ActivityVerb, { status }: { status: ActivityState }) =>
  (from[verb] as readonly ActivityState[]).includes(status) || whyNot[verb]

/**
 * What a person writes of an activity; a number stands where its kind needs it, and nowhere else.
 */
export type ActivityFields = {
  kind: ActivityKind
  title: string
  content: string
  image: string
  threshold_cents: number | null
  reduce_cents: number | null
  /** 85 is 8.5 折, which is 15 % off. */
  discount_x10: number | null
  start_at: number
  end_at: number
  /** None: every day. */
  weekdays: readonly number[]
}
export const spanFault = (
  { start_at, end_at }: Pick<ActivityFields, 'start_at' | 'end_at'>,
  now: number,
): Text | undefined => {
  if (end_at <= start_at) return ['结束须晚于开始', 'Must be after the start']
  if (end_at - start_at > DAYS_MOST * DAY)
    return [`最长 ${DAYS_MOST} 天`, `At most ${DAYS_MOST} days`]
  return end_at <= now ? ['结束时间已过', 'That is over already'] : undefined
}
/** What is wrong with an activity by itself, at its fields. */
export const activityFaults = (of: ActivityFields, now: number) => {
  const [threshold, reduce] = [of.threshold_cents ?? 0, of.reduce_cents ?? 0]
  const reduces = of.kind === 'full_reduce'
  const cut = of.discount_x10 ?? 0
  return {
    end_at: spanFault(of, now),
    threshold_cents:
      reduces && threshold <= reduce
        ? (['门槛须高于减免', 'It is more than what is taken off'] as const)
        : undefined,
    reduce_cents:
      reduces && reduce <= 0 ? (['请填写减免金额', 'Say what is taken off'] as const) : undefined,
    discount_x10:
      of.kind === 'discount' && (cut < 10 || cut > 99)
        ? (['折扣为 1 至 9.9 折', 'From 1 to 9.9 of ten'] as const)
        : undefined,
  }
}
/** The fields without numbers that the kind has no use for. */
export const fieldsOfKind = (of: ActivityFields): ActivityFields => ({
  ...of,
  threshold_cents: of.kind === 'full_reduce' ? of.threshold_cents : null,
  reduce_cents: of.kind === 'full_reduce' ? of.reduce_cents : null,
  discount_x10: of.kind === 'discount' ? of.discount_x10 : null,
  weekdays: [...new Set(of.weekdays)].sort((a, b) => a - b),
})

type Times = Pick<ActivityFields, 'start_at' | 'end_at' | 'weekdays'>
/** Whether two activities hold at the same time: their periods meet, and a day of the week too. */
export const overlaps = (a: Times, b: Times): boolean =>
  a.start_at < b.end_at &&
  b.start_at < a.end_at &&
  (a.weekdays.length === 0 ||
    b.weekdays.length === 0 ||
    a.weekdays.some(day => b.weekdays.includes(day)))

/** What misleads whoever reads it. */
export const activityProblems = {
  banned: ['含禁用词', 'A banned word'],
  not_open: ['门店未营业', 'Its store is not open'],
  no_image: ['无图片', 'No picture'],
} as const satisfies Record<string, Text>
export type ActivityProblem = keyof typeof activityProblems
export const activityProblemsOf = (of: {
  title: string
  content: string
  image: string
  status: ActivityState
  store_status: string
}): ActivityProblem[] => {
  if (of.status !== 'online' && of.status !== 'auditing') return []
  const has: Record<ActivityProblem, boolean> = {
    banned: bannedIn(`${of.title} ${of.content}`) !== undefined,
    not_open: of.store_status !== 'open',
    no_image: of.image === '',
  }
  return (Object.keys(activityProblems) as ActivityProblem[]).filter(key => has[key])
}
/** The end of the coming Sunday in Shanghai, or of the present one. */
export const weekendEnd = (now: number): number => {
  const MONDAY_S = 4 * DAY - 8 * 3600
  const week = 7 * DAY
  return MONDAY_S + (Math.floor((now - MONDAY_S) / week) + 1) * week
}
