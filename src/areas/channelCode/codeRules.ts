import type { Text } from '#src/domain/text.ts'
import type { CodePlan } from './allocation.ts'
import type { CodeKind } from './channelCode.ts'
import { DAY_MINUTES, gapsOf, overlapOf, type Span } from './duty.ts'

export const MEMBERS_MOST = 100
export const TAGS_MOST = 20
export const WEIGHT_MOST = 100

/** What a code says, as far as rules look at it. */
export type CodeDraft = CodePlan & {
  kind: CodeKind
  tag_ids: readonly number[]
  start_at: number | null
  end_at: number | null
}
/** What is known of a member of staff when a code is saved. */
export type StaffRights = {
  name: string
  status: 'inactive' | 'active' | 'disabled' | 'left'
  is_verified: boolean
  has_contact_right: boolean
}
type RightsOf = (userid: string) => StaffRights | undefined
type Faults = Record<string, Text>

export const weekdays: readonly Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
]
/** A minute of the day as a clock shows it. */
export const clock = (minute: number): string => {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60]
  return `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
/** A minute of the week in words: 周六 21:30. The end of a day is its 24:00. */
const momentOf = (minute: number, isEnd: boolean): Text => {
  const day = Math.floor((isEnd ? minute - 1 : minute) / DAY_MINUTES)
  const time = clock(minute - day * DAY_MINUTES)
  const [zh, en] = weekdays[day]!
  return [`${zh} ${time}`, `${en} ${time}`]
}
const spanWords = ({ from, to }: Span): Text => {
  const [begins, ends] = [momentOf(from, false), momentOf(to, true)]
  return [`${begins[0]} 至 ${ends[0]}`, `${begins[1]} to ${ends[1]}`]
}

/** Why somebody can't answer scans; undefined where they can. */
export const unableOf = (staff: StaffRights | undefined): Text | undefined => {
  if (!staff) return ['成员不存在', 'There is no such member']
  if (staff.status === 'left') return ['成员已离职', 'The member has left']
  if (staff.status !== 'active') return ['成员未激活或已停用', 'The member is not active']
  if (!staff.is_verified) return ['成员未实名认证', 'The member is not verified by name']
  if (!staff.has_contact_right)
    return ['成员没有客户联系权限', 'The member may not contact customers']
  return undefined
}
const peopleFaults = (draft: CodeDraft, rightsOf: RightsOf, faults: Faults) => {
  const { kind, members, backup_userids } = draft
  const ids = members.map(one => one.userid)
  if (kind === 'single' && ids.length !== 1)
    faults['members'] = ['单人活码须选择 1 名成员', 'Choose exactly one member']
  if (kind === 'multi' && (ids.length === 0 || ids.length > MEMBERS_MOST))
    faults['members'] = ['请选择 1 至 100 名成员', 'Choose 1 to 100 members']
  if (new Set(ids).size < ids.length) faults['members'] = ['成员重复', 'A member stands twice']
  members.forEach((one, at) => {
    const unable = unableOf(rightsOf(one.userid))
    if (unable) faults[`members.${at}.userid`] = unable
    if (one.day_cap !== null && one.day_cap < 1)
      faults[`members.${at}.day_cap`] = ['每日上限须不小于 1', 'At least 1 a day']
    if (one.weight < 1 || one.weight > WEIGHT_MOST)
      faults[`members.${at}.weight`] = ['权重须为 1 至 100', 'A weight is 1 to 100']
  })
  if (new Set(backup_userids).size < backup_userids.length)
    faults['backup_userids'] = ['备用成员重复', 'A backup stands twice']
  backup_userids.forEach((userid, at) => {
    const unable = unableOf(rightsOf(userid))
    if (unable) faults[`backup_userids.${at}`] = unable
    if (ids.includes(userid))
      faults[`backup_userids.${at}`] = [
        '同一成员不能既接待又备用',
        'Nobody is both a member and a backup',
      ]
  })
}
const shiftFaults = ({ members, shifts, backup_userids }: CodeDraft, faults: Faults) => {
  const known = new Set(members.map(one => one.userid))
  shifts.forEach((shift, at) => {
    if (shift.weekdays.length === 0)
      faults[`shifts.${at}.weekdays`] = ['请选择星期', 'Choose days of the week']
    if (shift.userids.length === 0)
      faults[`shifts.${at}.userids`] = ['请选择当班成员', 'Choose who is on duty']
    if (shift.userids.some(userid => !known.has(userid)))
      faults[`shifts.${at}.userids`] = ['当班成员须在接待成员中', 'Only members can be on duty']
    const good = shift.overnight ? shift.to_min <= shift.from_min : shift.from_min < shift.to_min
    if (!good)
      faults[`shifts.${at}.to_min`] = shift.overnight
        ? ['跨夜班次不得超过 24 小时', 'A shift overnight is 24 hours at most']
        : ['结束须晚于开始，跨夜请勾选“次日结束”', 'It must end later; tick “overnight” otherwise']
  })
  if (Object.keys(faults).some(path => path.startsWith('shifts.'))) return
  const clash = overlapOf(shifts)
  if (clash)
    faults[`shifts.${clash.second}.userids`] = [
      `与第 ${clash.first + 1} 个班次的同一成员时间重叠`,
      `It lies over shift ${clash.first + 1} of the same member`,
    ]
  const [gap] = shifts.length > 0 && backup_userids.length === 0 ? gapsOf(shifts) : []
  if (gap) {
    const [zh, en] = spanWords(gap)
    faults['backup_userids'] = [
      `${zh} 无人接待，请补充班次或备用成员`,
      `Nobody is on duty ${en}: add a shift or a backup`,
    ]
  }
}
/**
 * What keeps a code from being saved, at the path of each field. `now` in unix seconds: a code ends
 * in the future.
 */
export const codeFaults = (draft: CodeDraft, rightsOf: RightsOf, now: number): Faults => {
  const faults: Faults = {}
  peopleFaults(draft, rightsOf, faults)
  shiftFaults(draft, faults)
  if (draft.tag_ids.length > TAGS_MOST) faults['tag_ids'] = ['标签最多 20 个', 'At most 20 tags']
  const { start_at, end_at } = draft
  if (end_at !== null && end_at <= now)
    faults['end_at'] = ['结束时间须晚于当前时间', 'It must end in the future']
  else if (end_at !== null && start_at !== null && end_at <= start_at)
    faults['end_at'] = ['结束时间须晚于开始时间', 'It must end after it begins']
  return faults
}
