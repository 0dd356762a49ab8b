import { z } from 'zod'
import { accountStates, sanctionKinds } from '#src/areas/member/member.ts'
import { profileFields } from '#src/areas/pointsRule/earning.ts'
import {
  riskBands,
  riskReasons,
  sanctionsOffered,
  SHARED_MOST,
  userDeeds,
} from '#src/areas/userLog/userLog.ts'
import { placed } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { guarded, id, keysOf, listOf, page, searched, unix, version } from '#src/contract/shapes.ts'

const text = z.string()
const ip = guarded('user_log.client_ip', text)
const device = guarded('user_log.client_device', text)
const deed = z.object({
  id,
  at: unix,
  kind: keysOf(userDeeds),
  client_ip: ip,
  region: text,
  client_device: device,
  client: text,
  /** From 0 to 100. */
  risk: z.int(),
  detail: z.object({
    no: text.optional(),
    cents: z.int().optional(),
    coupon: text.optional(),
    product: text.optional(),
    qty: z.int().optional(),
    rating: z.int().optional(),
    fields: z.array(keysOf(profileFields)).optional(),
    sanction: keysOf(sanctionKinds).optional(),
    until: unix.nullable().optional(),
    step: z.enum(['begin', 'lift']).optional(),
    by: z.enum(['staff', 'rule']).optional(),
    why: z.array(keysOf(riskReasons)).optional(),
  }),
})
export type Deed = z.output<typeof deed>
const account = {
  member_id: id,
  /** Empty, as the nickname is, of an account that was erased. */
  uid: text,
  nickname: text,
  account_state: keysOf(accountStates),
}
export const userLogRow = deed.extend({
  version,
  ...account,
  member_version: version,
  /** Whether anything is known to look other accounts up by. */
  has_ip: z.boolean(),
  has_device: z.boolean(),
})
export type UserLogRow = z.output<typeof userLogRow>

const filters = {
  member_id: id.optional(),
  keyword: searched(40).optional(),
  kind: keysOf(userDeeds).optional(),
  risk: keysOf(riskBands).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const rows = 'user_log'
const call = callsOf('user/log', { touches: [rows], rows })
const one = z.object({ id })
const scope = placed(rows, 'id')
/** Accounts that a device or an address was used by, the last seen first. */
const accounts = z.object({
  by: z.enum(['device', 'ip']),
  client_ip: ip,
  client_device: device,
  list: z
    .array(
      z.object({
        ...account,
        deeds: z.int(),
        risk: z.int(),
        first_at: unix,
        last_at: unix,
      }),
    )
    .max(SHARED_MOST),
  /** There are more than are told. */
  cut: z.boolean(),
})
export type SharedAccounts = z.output<typeof accounts>
const timeline = z.object({
  ...account,
  list: z.array(deed),
  cut: z.boolean(),
  devices: z.array(z.object({ client_device: device, deeds: z.int(), last_at: unix })),
})
export type Timeline = z.output<typeof timeline>

/** What members did and what was done with accounts, in 180 days; append-only. */
export const userLog = {
  /** At most 31 days; without a period the last 31. */
  lst: call.read('lst', ['用户行为日志', 'User activity log'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(userLogRow),
    finds: memberFinds,
    permit: 'user.log.view',
  }),
  /** What the member of a row did in 180 days; who looked is kept in the operation log. */
  timeline: call.write('timeline', ['查看时间线', 'Open the timeline'], {
    input: one,
    output: timeline,
    scope,
  }),
  /** Accounts seen by the device of a row in 180 days; who looked is kept too. */
  byDevice: call.write('byDevice', ['同设备账号', 'Accounts on the device'], {
    input: one,
    output: accounts,
    scope,
  }),
  byIp: call.write('byIp', ['同 IP 账号', 'Accounts on the IP'], {
    input: one,
    output: accounts,
    scope,
  }),
  /** Restricts the account of a row, as the list of accounts does. */
  sanction: call.write('sanction', ['处置账号', 'Sanction the account'], {
    input: one.extend({
      member_version: version,
      kind: keysOf(sanctionsOffered),
      /** A mute needs days, a ban without any is for good, a watch has none. */
      days: z.int().min(1).max(3650).optional(),
      reason,
    }),
    output: z.object({ id, member_id: id, account_state: keysOf(accountStates) }),
    touches: [rows, 'member', 'user_sanction'],
    scope,
  }),
  /** The same filters; a period before the 180 days too, which the list does not answer. */
  export: call.startsExport('export', ['导出行为日志', 'Export the activity log'], {
    filters,
    scope: placed(rows),
  }),
}
