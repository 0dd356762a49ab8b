import { z } from 'zod'
import {
  accountStates,
  banScopes,
  registerSources,
  sanctionKinds,
  sanctionStates,
} from '#src/areas/member/member.ts'
import { afterClosing, dataParts } from '#src/areas/personalData/personalData.ts'
import { placed } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  exportBegun,
  exportFile,
  guarded,
  id,
  keysOf,
  listOf,
  mobile,
  open,
  page,
  revealed,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const kind = keysOf(sanctionKinds)
export const accountRow = z.object({
  id,
  version,
  uid: z.string(),
  nickname: z.string(),
  phone: guarded('member.phone', z.string()),
  city_id: id,
  city_name: z.string(),
  /** Whether WeChat signs in to this account. */
  bound: z.boolean(),
  register_at: unix,
  register_source: keysOf(registerSources),
  last_visit_at: unix.nullable(),
  order_count: z.int(),
  account_state: keysOf(accountStates),
  merged_name: z.string(),
  device_id: z.string(),
  /** Other accounts that ordered by its last device. */
  shared: z.int(),
  /** In force now, one of a kind. */
  sanctions: z.array(
    z.object({
      id,
      kind,
      scope: z.array(keysOf(banScopes)),
      reason: z.string(),
      end_at: unix.nullable(),
      by: z.string(),
    }),
  ),
  /** When its closing ends by itself. */
  closing_at: unix.nullable(),
})
export type AccountRow = z.output<typeof accountRow>

const filters = {
  keyword: searched(40).optional(),
  state: keysOf(accountStates).optional(),
  sanction: kind.optional(),
  city_id: id.optional(),
  register_source: keysOf(registerSources).optional(),
  unbound: z.boolean().optional(),
  member_id: id.optional(),
}
const rows = 'member'
const call = callsOf('user/list', { touches: [rows, 'user_sanction'], rows })
const view = 'user.list.view'
const days = z.int().min(1).max(3650)

/** Accounts behind members: what they may do, and what staff do about it. */
export const accountsPage = {
  lst: call.read('lst', ['用户账号', 'User accounts'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(accountRow).shape, stat: z.record(z.string(), z.int()) }),
    finds: memberFinds,
    permit: view,
  }),
  /** All sanctions of one account, the last first. */
  view: call.read('view', ['查看账号', 'See an account'], {
    input: z.object({ id }),
    output: listOf(
      z.object({
        id,
        kind,
        scope: z.array(keysOf(banScopes)),
        reason: z.string(),
        start_at: unix,
        end_at: unix.nullable(),
        by: z.string(),
        lifted_by: z.string(),
        lift_reason: z.string(),
        status: keysOf(sanctionStates),
      }),
    ),
    scope: placed(rows, 'id'),
    permit: view,
  }),
  mute: call.changes('mute', ['禁言', 'Mute'], { fields: { days, reason } }),
  unmute: call.changes('unmute', ['解除禁言', 'Unmute'], { fields: { reason } }),
  ban: call.changes('ban', ['封禁账号', 'Ban an account'], {
    fields: { scope: z.array(keysOf(banScopes)).min(1), until: unix.optional(), reason },
  }),
  unban: call.changes('unban', ['解封', 'Lift a ban'], { fields: { reason } }),
  watch: call.changes('watch', ['加入观察名单', 'Watch an account'], { fields: { reason } }),
  unwatch: call.changes('unwatch', ['移出观察名单', 'Stop watching'], { fields: { reason } }),
  resetProfile: call.changes('resetProfile', ['重置昵称头像', 'Reset the profile'], {
    fields: { reason },
  }),
  changePhone: call.changes('changePhone', ['协助换绑手机', 'Change the phone'], {
    fields: { new_phone: mobile, proof: reason },
  }),
  unbindWechat: call.changes('unbindWechat', ['解绑微信', 'Unbind WeChat'], { fields: { reason } }),
  /** Ends every ticket that the member holds; the next opening of the mini-program gets a new one. */
  forceLogout: call.changes('forceLogout', ['强制下线', 'Sign the member out'], {
    fields: { reason },
  }),
  cancelAccount: call.changes('cancelAccount', ['受理注销', 'Close an account'], {
    fields: { reason },
  }),
  rejectCancel: call.changes('rejectCancel', ['驳回注销', 'Reject a closure'], {
    fields: { reason },
  }),
  viewPhone: call.write('viewPhone', ['查看明文手机号', 'Reveal the phone'], {
    input: z.object({ id, reason }),
    output: z.object({ id, phone: open('What was asked for', z.string()), ...revealed }),
    touches: ['field_key'],
    scope: placed(rows, 'id'),
  }),
  /** What is held of the member, part by part, and what closing the account does with it. */
  dataHeld: call.read('dataHeld', ['持有的个人信息', 'Personal data held'], {
    input: z.object({ id }),
    output: listOf(z.object({ part: keysOf(dataParts), n: z.int(), after: keysOf(afterClosing) })),
    scope: placed(rows, 'id'),
    permit: view,
  }),
  /** A copy of all that is held of one member, asked for by the person (PIPL art. 45). */
  exportData: call.write('exportData', ['导出个人信息副本', 'Copy of a person’s data'], {
    input: z.object({ id, reason, ...exportFile('xlsx') }),
    output: exportBegun,
    touches: ['export'],
    scope: placed(rows, 'id'),
  }),
  export: call.startsExport('export', ['导出用户', 'Export accounts'], { filters }),
}
