import { z } from 'zod'
import { staffTabs, transferScopes } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  batchResult,
  id,
  keysOf,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { staffPick, staffState, transferRow } from '#src/contract/wecom.ts'

export const adviserRow = z.object({
  id,
  version,
  userid: z.string(),
  name: z.string(),
  position: z.string(),
  departments: z.string(),
  malls: z.string(),
  status: staffState,
  has_contact_right: z.boolean(),
  is_verified: z.boolean(),
  admin_id: id.nullable(),
  admin_name: z.string(),
  customer_count: z.int(),
  customer_cap: z.int(),
  daily_add_cap: z.int().nullable(),
  added_today: z.int(),
  new_7d: z.int(),
  lost_7d: z.int(),
  group_count: z.int(),
  /** Customers and chats whose hand-over waits. */
  waiting_count: z.int(),
  reply_rate_bp: basisPoints.nullable(),
  code_qr: z.string(),
  code_state: z.enum(['none', 'waiting', 'done', 'failed']),
  code_error: z.string(),
  left_at: unix.nullable(),
  synced_at: unix,
})
export type AdviserRow = z.output<typeof adviserRow>

const filters = {
  keyword: searched(32).optional(),
  status: staffState.optional(),
  /** 0: outside any mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  dept: id.optional(),
  quick: keysOf(staffTabs).optional(),
  id: id.optional(),
}
const rows = 'wecom_staff'
const call = callsOf('vip/weChatContacts', { touches: [rows], rows })
const view = 'vip.weChatContacts.view'
const moves = {
  touches: [rows, 'wecom_customer', 'wecom_group', 'wecom_transfer'],
  scope: placed(rows, { id: rows, to_staff_id: rows }),
}
const picked = { ...page, keyword: searched(20).optional() }

/** Advisers: whom they serve, how they do, and what they leave to others. */
export const advisersPage = {
  lst: call.read('lst', ['企微成员', 'WeCom colleagues'], {
    input: z.object({ ...page, ...filters, sort: z.enum(['held']).optional() }),
    output: z.object({ ...listOf(adviserRow).shape, stat: z.record(z.string(), z.int()) }),
    touches: [rows, 'wecom_customer', 'wecom_group', 'wecom_run'],
    permit: view,
  }),
  side: call.read('side', ['企微成员侧栏', 'Beside a colleague'], {
    input: z.object({ id }),
    output: z.object({
      transfers: z.array(transferRow),
      groups: z.array(
        z.object({ id, name: z.string(), member_count: z.int(), max_members: z.int() }),
      ),
      /** Customers that came and went, day by day of the last fortnight. */
      days: z.array(z.object({ day: z.string(), added: z.int(), lost: z.int() })),
    }),
    touches: [rows, 'wecom_customer', 'wecom_group'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  /** Colleagues who may take over customers. */
  /**
   * The colleagues who may take over: those of the giver's malls first, and of them who holds the
   * fewest.
   */
  receivers: call.read('receivers', ['可接收的成员', 'Colleagues who may take over'], {
    input: z.object({ ...picked, but: id.optional() }),
    output: listOf(staffPick.extend({ customer_count: z.int() })),
    permit: view,
  }),
  groups: call.read('groups', ['成员的客户群', 'Chats of a colleague'], {
    input: z.object({ ...picked, id: id.optional() }),
    output: listOf(z.object({ id, name: z.string(), member_count: z.int() })),
    touches: ['wecom_group'],
    permit: view,
  }),
  /** Console accounts that no other colleague has. */
  accounts: call.read('accounts', ['可绑定的账号', 'Accounts to bind'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), account: z.string() })),
    touches: ['admin', rows],
    scope: 'all',
    permit: 'vip.weChatContacts.bindAdmin',
  }),
  transferCustomers: call.write('transferCustomers', ['在职转接客户', 'Transfer customers'], {
    input: z.object({
      id,
      version,
      to_staff_id: id,
      scope: keysOf(transferScopes),
      notice: text(200, 0).default(''),
      reason,
    }),
    output: batchResult,
    ...moves,
  }),
  inheritCustomers: call.write('inheritCustomers', ['离职继承客户', 'Inherit customers'], {
    input: z.object({ id, version, to_staff_id: id }),
    output: batchResult,
    ...moves,
  }),
  transferGroups: call.write('transferGroups', ['转接客户群', 'Transfer chats'], {
    input: z.object({
      id,
      version,
      to_staff_id: id,
      group_ids: z.array(id).min(1).max(100),
      reason,
    }),
    output: batchResult,
    ...moves,
    scope: placed(rows, { id: rows, to_staff_id: rows, group_ids: 'wecom_group' }),
  }),
  bindAdmin: call.changes('bindAdmin', ['绑定后台账号', 'Link a console account'], {
    fields: { admin_id: id },
  }),
  setDailyCap: call.changes('setDailyCap', ['设置每日加好友上限', 'Set daily contact cap'], {
    fields: { daily_add_cap: z.int().min(1).max(500).optional() },
  }),
  genCode: call.write('genCode', ['生成专属活码', 'Create a contact code'], {
    input: z.object({ id, version }),
    output: z.object({ id, version }),
    touches: [rows, 'wecom_task'],
  }),
  export: call.startsExport('export', ['导出成员', 'Export members'], { filters }),
}
