import { z } from 'zod'
import { RADIUS_MAX, RADIUS_MIN, signKinds, oddities } from '#src/areas/signIn/signIn.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, keyText, searched, unix, version } from '#src/contract/shapes.ts'

const n = z.int().min(0)
/** Points of a member, in a Shanghai day or altogether; null: any number. */
const cap = z.int().min(1).max(1_000_000).nullable()
const dayText = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const named = z.object({ id, name: z.string() })
export const ruleSpan = {
  daily_cap: cap,
  total_cap: cap,
  start_at: unix.nullable(),
  end_at: unix.nullable(),
}
export const clockedFields = {
  ladder: z
    .array(z.object({ day: z.int().min(0).max(366), points: z.int().min(0).max(1000) }))
    .max(31),
  month_bonus: z.int().min(0).max(10_000),
  ...ruleSpan,
}
export const clockedRow = z.object({
  id,
  version,
  name: z.string(),
  status: z.enum(['on', 'off']),
  ladder: z.array(n),
  month_bonus: n,
  ...ruleSpan,
  /** The malls it is for; none: all that have no rule of their own. */
  malls: z.array(named),
  off_reason: z.string(),
  updated_at: unix,
  /** What it has issued in the last 30 days. */
  issued: z.int(),
})
export type ClockedRow = z.output<typeof clockedRow>
export const spotRow = z.object({
  id,
  version,
  mall_id: id,
  mall_name: z.string(),
  city_name: z.string(),
  radius_m: n,
  points: n,
  open_from: z.string().nullable(),
  open_to: z.string().nullable(),
  status: z.enum(['on', 'off']),
  /** Visits in the last 30 days, and by how many members. */
  visits: n,
  visitors: n,
  created_at: unix,
})
export type SpotRow = z.output<typeof spotRow>
export const signRow = z.object({
  id,
  version,
  at: unix,
  day: unix,
  kind: keysOf(signKinds),
  member_id: id,
  nickname: z.string(),
  uid: z.string(),
  streak: n,
  points: n,
  month_bonus: n,
  rule_name: z.string(),
  mall_name: z.string(),
  distance_m: n.nullable(),
  radius_m: n.nullable(),
  device: z.string(),
  /** Members who used its device within 30 days before. */
  device_members: n,
  odd: z.array(keysOf(oddities)),
  is_void: z.boolean(),
  void_reason: z.string(),
  note: z.string(),
  operator: z.string(),
})
export type SignRow = z.output<typeof signRow>
const touches = ['sign_record', 'checkin_spot', 'points_rule'] as const
const at = 'vip/score/clocked'
const rule = callsOf(at, { touches: ['points_rule'], rows: 'all' })
const spot = callsOf(at, { touches: ['checkin_spot'], rows: 'checkin_spot' })
const sign = callsOf(at, { touches: ['sign_record'], rows: 'sign_record' })
const view = 'vip.score.clocked.view'
const signFilters = {
  member_id: id.optional(),
  /** It finds a member by the beginning of a nickname, or by a whole number. */
  keyword: searched(30).optional(),
  kind: keysOf(signKinds).optional(),
  odd: keysOf(oddities).optional(),
  is_void: z.boolean().optional(),
  spot_id: id.optional(),
  device: keyText(40, 1).optional(),
  from: unix.optional(),
  to: unix.optional(),
}

/** What signing in and checking in earn. */
export const clockedRules = {
  lst: rule.lists('lst', ['签到打卡规则', 'Sign-in rules'], { filters: {}, row: clockedRow }),
  /** Today's participation, streaks and devices that stand out, of the members in sight. */
  today: rule.read('today', ['今日签到概况', 'Sign-ins today'], {
    input: z.object({}),
    output: z.object({
      /** The last 14 days, the oldest first: members who signed, visits, points. */
      days: z.array(z.object({ day: z.string(), signed: n, visits: n, points: n })),
      made_up: n,
      /** Running streaks by length: members. */
      streaks: z.array(z.object({ from: n, to: n.nullable(), members: n })),
      devices: z.array(z.object({ device: z.string(), members: n, records: n, last: unix })),
      rushed: n,
    }),
    touches: ['sign_record'],
    permit: view,
    scope: placed('sign_record'),
  }),
  save: rule.changes('save', ['保存签到打卡设置', 'Save the rule of sign-ins'], {
    fields: clockedFields,
  }),
  enable: rule.changes('enable', ['启用签到打卡积分', 'Turn sign-in points on']),
  disable: rule.changes('disable', ['停用签到打卡积分', 'Turn sign-in points off'], {
    fields: { reason },
  }),
}
/** Malls at which a visit earns points. */
export const checkinSpots = {
  lst: spot.lists('spots', ['打卡商场', 'Check-in spots'], {
    filters: {
      keyword: searched(40).optional(),
      city_id: id.optional(),
      status: z.enum(['on', 'off']).optional(),
    },
    row: spotRow,
    permit: view,
  }),
  addSpot: spot.creates('addSpot', ['新增打卡商场', 'Add a check-in spot'], {
    fields: {
      mid: id,
      radius_m: z.int().min(RADIUS_MIN).max(RADIUS_MAX),
      points: z.int().min(1).max(1000),
      open_from: keyText(5).nullable(),
      open_to: keyText(5).nullable(),
    },
    scope: placed('checkin_spot', { mid: 'mall' }),
  }),
  removeSpot: spot.changes('removeSpot', ['移除打卡商场', 'Remove a check-in spot']),
}
/** Each sign-in and check-in, with the device it came from. */
export const signRecords = {
  lst: sign.lists('records', ['签到打卡记录', 'Sign-in records'], {
    filters: signFilters,
    row: signRow,
    touches: [...touches],
    permit: view,
  }),
  members: sign.read('members', ['可补签的会员', 'Members to make up for'], {
    input: z.object({
      page: z.int().min(1).max(100_000).default(1),
      pageSize: z.int().min(1).max(200).default(50),
      keyword: searched(40).optional(),
    }),
    output: z.object({ list: z.array(named), total: z.int(), capped: z.boolean().optional() }),
    touches: ['member'],
    permit: 'vip.score.clocked.makeUp',
    scope: placed('member'),
  }),
  makeUp: sign.write('makeUp', ['为会员补签', 'Make up a check-in'], {
    /** `date` as 2026-11-01, a day in Shanghai. */
    input: z.object({ member_id: id, date: dayText, reason }),
    output: z.object({ id, streak: n, points: n, month_bonus: n }),
    touches: [...touches, 'points_ledger', 'growth_ledger', 'member'],
    scope: placed('sign_record', { member_id: 'member' }),
  }),
  voidRecord: sign.write('voidRecord', ['作废异常打卡', 'Void a record'], {
    input: z.object({ id, reason }),
    /** What was taken back, debt included. */
    output: z.object({ id, taken: n }),
    touches: [...touches, 'points_ledger', 'growth_ledger', 'member'],
  }),
  export: sign.startsExport('export', ['导出打卡记录', 'Export sign-in records'], {
    filters: signFilters,
    scope: placed('sign_record'),
  }),
}
export type SignFilters = z.output<z.ZodObject<typeof signFilters>>
