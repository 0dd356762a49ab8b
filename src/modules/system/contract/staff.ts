import { z } from 'zod'
import { staffStates, type StaffState } from '#src/areas/people/people.ts'
import { staffScopes } from '#src/areas/people/rights.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  mobile,
  open,
  page,
  pasted,
  revealed,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'
import { emailFault, emailRule } from '#src/domain/validate.ts'

const state = keysOf<StaffState>(staffStates)
const scopeType = keysOf<keyof typeof staffScopes>(staffScopes)

export const staffRow = z.object({
  id,
  account: z.string(),
  name: z.string(),
  phone: guarded('admin.phone', z.string()),
  email: guarded('admin.email', z.string()),
  department_id: id.nullable(),
  department_name: z.string().nullable(),
  roles: z.array(z.object({ id, name: z.string(), on: z.boolean() })),
  scope_type: scopeType,
  scope_ids: z.array(id),
  scope_names: z.record(z.string(), z.string()),
  status: state,
  locked: z.boolean(),
  locked_until: unix.nullable(),
  must_change: z.boolean(),
  last_login_at: unix.nullable(),
  last_login_ip: z.string().nullable(),
  live_sessions: z.int(),
  /** Their rights exceed the asker's. */
  above: z.boolean(),
  created_at: unix,
  version,
})
export type StaffRow = z.output<typeof staffRow>

const keyword = searched(32).optional()
const filters = {
  keyword,
  department_id: id.optional(),
  role_id: id.optional(),
  status: z.enum(['all', 'active', 'disabled', 'left']).default('active'),
  /** The quarterly review: who never signed in, who has not for 90 days. */
  signin: z.enum(['never', 'idle']).optional(),
  locked: z.boolean().optional(),
}
const touches = ['admin'] as const
const rights = ['admin', 'role', 'department'] as const
const view = 'system.staff.view'
/** What leaving hands over. */
const handed = ['audit', 'merchant', 'refund', 'alarm', 'report'] as const
const one = { id, version }
const done = z.object({ id, version })
const reason = lines(200, 2)
const account = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{2,31}$/, {
    message: joined(['3-32 位，字母开头', '3–32 characters, starting with a letter']),
  })
const phone = mobile
const email = z
  .string()
  .trim()
  .max(64)
  .refine(value => emailFault(value) === undefined, { message: joined(emailRule) })
  .meta({ kind: 'email' })
const role_ids = z.array(id).max(20)
/** It is told once: the same request sent again answers null. */
const oncePassword = z.string().nullable()
const counts = z.object({
  audit_tasks: z.int(),
  merchants: z.int(),
  departments: z.int(),
  refunds: z.int(),
  warnings: z.int(),
  reports: z.int(),
})
export type Handover = z.output<typeof counts>

export const staff = {
  lst: read('system/staff/lst', ['员工列表', 'Staff'], {
    input: z.object({
      ...page,
      ...filters,
      sort: z.enum(['newest', 'login', 'name']).default('newest'),
    }),
    output: listOf(staffRow),
    touches,
    scope: placed('admin'),
    permit: view,
  }),
  detail: read('system/staff/detail', ['员工详情', 'Member of staff'], {
    input: z.object({ id }),
    output: z.object({
      person: staffRow,
      perm_count: z.int(),
      scope_text: z.string(),
      refund_limit_cents: cents,
      sessions: z.array(
        z.object({
          id,
          ip: z.string().nullable(),
          ua: z.string().nullable(),
          since: unix,
          expires_at: unix,
        }),
      ),
      /** What leaving would hand over. */
      holds: counts,
      logins: z.array(
        z.object({ at: unix, result: z.string(), event: z.string(), ip: z.string().nullable() }),
      ),
    }),
    touches: [...rights, ...handed],
    scope: placed('admin', 'id'),
    permit: view,
  }),
  /** Active colleagues, for choosing a successor. */
  pick: read('system/staff/pick', ['选择员工', 'Choose staff'], {
    input: z.object({ ...page, keyword, but: id.optional() }),
    output: listOf(
      z.object({
        id,
        name: z.string(),
        account: z.string(),
        department_name: z.string().nullable(),
      }),
    ),
    touches,
    scope: placed('admin'),
    permit: view,
  }),
  create: write('system/staff/create', ['新增员工', 'New staff member'], {
    input: z.object({
      account,
      name: text(32),
      phone,
      email,
      department_id: id,
      role_ids: role_ids.default([]),
    }),
    output: z.object({ id, version, initial_password: oncePassword }),
    touches: rights,
    scope: placed('admin'),
    permit: 'system.staff.create',
  }),
  /** Phone and e-mail only where they change. */
  edit: write('system/staff/edit', ['编辑员工', 'Edit staff member'], {
    input: z.object({
      ...one,
      name: text(32),
      phone: phone.optional(),
      email: email.optional(),
      department_id: id,
    }),
    output: done,
    touches: rights,
    scope: placed('admin', 'id'),
    permit: 'system.staff.edit',
  }),
  setRoles: write('system/staff/setRoles', ['分配角色', 'Assign roles'], {
    input: z.object({ ...one, role_ids }),
    output: done,
    touches: rights,
    scope: placed('admin', 'id'),
    permit: 'system.staff.setRoles',
  }),
  setScope: write('system/staff/setScope', ['设置员工数据范围', 'Set the data scope'], {
    input: z.object({
      ...one,
      scope: scopeType,
      cities: z.array(id).max(200).default([]),
      malls: z.array(id).max(500).default([]),
    }),
    output: done,
    touches: rights,
    scope: placed('admin', 'id'),
    permit: 'system.staff.setScope',
  }),
  resetPassword: write('system/staff/resetPassword', ['重置密码', 'Reset password'], {
    input: z.object(one),
    output: z.object({ id, version, initial_password: oncePassword, sessions_ended: z.int() }),
    touches,
    scope: placed('admin', 'id'),
    permit: 'system.staff.resetPassword',
  }),
  unlock: write('system/staff/unlock', ['解除登录锁定', 'Unlock'], {
    input: z.object(one),
    output: done,
    touches,
    scope: placed('admin', 'id'),
    permit: 'system.staff.unlock',
  }),
  kick: write('system/staff/kick', ['强制下线', 'Sign out'], {
    input: z.object({ id, reason }),
    output: z.object({ id, sessions_ended: z.int() }),
    touches,
    scope: placed('admin', 'id'),
    permit: 'system.staff.kick',
  }),
  disable: write('system/staff/disable', ['停用账号', 'Disable'], {
    input: z.object({ ...one, reason }),
    output: done,
    touches: rights,
    scope: placed('admin', 'id'),
    permit: 'system.staff.disable',
  }),
  enable: write('system/staff/enable', ['启用账号', 'Enable'], {
    input: z.object(one),
    output: done,
    touches: rights,
    scope: placed('admin', 'id'),
    permit: 'system.staff.enable',
  }),
  leave: write('system/staff/leave', ['离职交接', 'Leave and hand over'], {
    input: z.object({ ...one, successor_id: id, reason }),
    output: z.object({ id, version, moved: counts }),
    touches: [...rights, ...handed],
    scope: placed('admin', 'id'),
    permit: 'system.staff.leave',
  }),
  /**
   * `mode` check tells what is wrong with each line and writes nothing; all writes when every line
   * is good; good writes those that are.
   */
  batchImport: write('system/staff/batchImport', ['批量导入员工', 'Import staff'], {
    input: z.object({
      text: pasted(200_000),
      mode: z.enum(['check', 'all', 'good']).default('check'),
    }),
    output: z.object({
      written: z.int(),
      rows: z.array(
        z.object({
          line: z.int(),
          account: z.string(),
          name: z.string(),
          faults: z.array(z.string()),
        }),
      ),
      passwords: z.array(z.object({ account: z.string(), initial_password: oncePassword })),
    }),
    touches: rights,
    scope: placed('admin'),
    permit: 'system.staff.batchImport',
  }),
  batchSetRole: write('system/staff/batchSetRole', ['批量分配角色', 'Assign roles to several'], {
    input: z.object({ ids: z.array(id).min(1).max(200), role_ids: role_ids.min(1) }),
    output: batchResult,
    touches: rights,
    scope: placed('admin', 'ids'),
    permit: 'system.staff.batchSetRole',
  }),
  revealPhone: write('system/staff/revealPhone', ['查看完整手机号', 'Reveal the phone'], {
    input: z.object({ id, reason }),
    output: z.object({ id, phone: open('What was asked for', z.string()), ...revealed }),
    touches: ['field_key'],
    scope: placed('admin', 'id'),
    permit: 'system.staff.revealPhone',
  }),
  export: write('system/staff/export', ['导出员工', 'Export staff'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('admin'),
    permit: 'system.staff.export',
  }),
}
