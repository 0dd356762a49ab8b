import { onDuty, weekMinuteOf, type Shift } from './duty.ts'

type CodeMember = {
  userid: string
  /** How often compared to the others, 1 to 100. */
  weight: number
  /** Adds of one day by this code; null: any number. */
  day_cap: number | null
}
/** The people of a code and when each answers its scans; without shifts all members always do. */
export type CodePlan = {
  members: readonly CodeMember[]
  shifts: readonly Shift[]
  backup_userids: readonly string[]
}
/** What is known of somebody at a moment. */
export type StaffNow = {
  /** Active, verified by name, and with the right to contact customers. */
  able: boolean
  /** Adds of today by this code, and by all codes; the day is Beijing's. */
  taken: number
  taken_in_all: number
  /** Adds of one day in all; null: any number. */
  day_cap: number | null
}
type Role = 'main' | 'backup' | 'last'
/**
 * The people that a scan may lead to. `last`: all are full, and the last backup takes it all the
 * same, which somebody should hear of. `nobody`: no one is able at all.
 */
export type Candidates = {
  role: Role | 'nobody'
  members: readonly Pick<CodeMember, 'userid' | 'weight'>[]
}
type StaffOf = (userid: string) => StaffNow | undefined

const roomFor = (staff: StaffNow, day_cap: number | null): boolean =>
  (day_cap === null || staff.taken < day_cap) &&
  (staff.day_cap === null || staff.taken_in_all < staff.day_cap)

/**
 * Answers the people that a scan at a time (unix seconds) may lead to: members on duty with room
 * left, by their weights; else backups with room left, all alike; else the last backup who is able
 * at all.
 */
export const candidatesAt = (plan: CodePlan, at: number, staffOf: StaffOf): Candidates => {
  const duty = plan.shifts.length > 0 ? onDuty(plan.shifts, weekMinuteOf(at)) : undefined
  const main = plan.members.filter(({ userid, day_cap }) => {
    const staff = staffOf(userid)
    return staff?.able && (!duty || duty.has(userid)) && roomFor(staff, day_cap)
  })
  if (main.length > 0) return { role: 'main', members: main }
  const backups = plan.backup_userids.filter(userid => staffOf(userid)?.able)
  const free = backups.filter(userid => roomFor(staffOf(userid)!, null))
  if (free.length > 0)
    return { role: 'backup', members: free.map(userid => ({ userid, weight: 1 })) }
  const last = backups.at(-1)
  return last === undefined
    ? { role: 'nobody', members: [] }
    : { role: 'last', members: [{ userid: last, weight: 1 }] }
}
/**
 * The one of the candidates that a number in [0, 1) falls on, each as broad as its weight; undefined
 * where there is nobody.
 */
export const drawnOf = ({ members }: Candidates, draw: number): string | undefined => {
  const all = members.reduce((sum, one) => sum + one.weight, 0)
  let left = draw * all
  for (const { userid, weight } of members) {
    left -= weight
    if (left < 0) return userid
  }
  return members.at(-1)?.userid
}
/**
 * The candidates whom WeCom is told to draw among, which it does alike: all of them where they weigh
 * the same, else those who are furthest behind their share of today.
 */
export const answeringOf = ({ members }: Candidates, staffOf: StaffOf): string[] => {
  const behind = members.map(one => ({
    userid: one.userid,
    share: ((staffOf(one.userid)?.taken ?? 0) + 1) / one.weight,
  }))
  const isEven = members.every(one => one.weight === members[0]!.weight)
  const least = Math.min(...behind.map(one => one.share))
  return behind.filter(one => isEven || one.share === least).map(one => one.userid)
}
/** Why somebody of a code does or does not receive a scan at a time. */
export type Reason = 'main' | 'backup' | 'last' | 'unable' | 'off_duty' | 'full' | 'not_needed'
/**
 * Each of a code's people at a time (unix seconds): how likely a scan leads to them, from 0 to 1,
 * and why.
 */
export const replayAt = (
  plan: CodePlan,
  at: number,
  staffOf: StaffOf,
): { userid: string; chance: number; why: Reason }[] => {
  const { role, members } = candidatesAt(plan, at, staffOf)
  const all = members.reduce((sum, one) => sum + one.weight, 0)
  const chanceOf = new Map(members.map(one => [one.userid, one.weight / all]))
  const duty = plan.shifts.length > 0 ? onDuty(plan.shifts, weekMinuteOf(at)) : undefined
  const whyNot = (userid: string, day_cap: number | null): Reason => {
    const staff = staffOf(userid)
    if (!staff?.able) return 'unable'
    return roomFor(staff, day_cap) ? 'not_needed' : 'full'
  }
  const told = (userid: string, otherwise: Reason) => {
    const chance = chanceOf.get(userid)
    if (chance === undefined || role === 'nobody') return { userid, chance: 0, why: otherwise }
    return { userid, chance, why: role }
  }
  return [
    ...plan.members.map(({ userid, day_cap }) => {
      const isOff = staffOf(userid)?.able && duty && !duty.has(userid)
      return told(userid, isOff ? 'off_duty' : whyNot(userid, day_cap))
    }),
    ...plan.backup_userids.map(userid => told(userid, whyNot(userid, null))),
  ]
}

export type Health = 'ok' | 'no_staff' | 'all_full' | 'staff_invalid'
/**
 * How a code stands at a time: `staff_invalid` where a member or a backup is not able any more,
 * `no_staff` where nobody answers a scan now, `all_full` where only the last backup still does. What
 * hinders a scan now is told before what will.
 */
export const healthAt = (plan: CodePlan, at: number, staffOf: StaffOf): Health => {
  const { role } = candidatesAt(plan, at, staffOf)
  if (role === 'nobody') return 'no_staff'
  if (role === 'last') return 'all_full'
  const all = [...plan.members.map(one => one.userid), ...plan.backup_userids]
  return all.every(userid => staffOf(userid)?.able) ? 'ok' : 'staff_invalid'
}
