import { pastedLines } from '#src/domain/lines.ts'
import { mobileOf } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'

export const DEPARTMENT_DEPTH = 5
export const SUPER_ADMIN = 'super_admin'
export const IDLE_DAYS = 90

export const switches = { on: ['启用', 'On'], off: ['停用', 'Off'] } as const satisfies Record<
  string,
  Text
>
export const staffStates = {
  active: ['在职', 'Active'],
  disabled: ['已停用', 'Disabled'],
  left: ['已离职', 'Left'],
} as const satisfies Record<string, Text>
export type StaffState = keyof typeof staffStates

type Person = {
  id: number
  status: StaffState
  locked: boolean
  live_sessions: number
  above: boolean
}
/** What may happen to an account from which state (domain A, admin). `left` is final. */
const from = {
  edit: ['active', 'disabled'],
  setRoles: ['active', 'disabled'],
  setScope: ['active', 'disabled'],
  resetPassword: ['active'],
  unlock: ['active', 'disabled'],
  kick: ['active'],
  disable: ['active'],
  enable: ['disabled'],
  leave: ['active', 'disabled'],
} as const satisfies Record<string, readonly StaffState[]>
export type StaffVerb = keyof typeof from
/** What nobody does to their own account. */
const notSelf: readonly StaffVerb[] = [
  'setRoles',
  'setScope',
  'disable',
  'leave',
  'kick',
  'resetPassword',
]
const wrong: Record<StaffState, Text> = {
  active: ['账号在用', 'The account is active'],
  disabled: ['账号已停用', 'The account is disabled'],
  left: ['已离职，不能再更改', 'They have left; nothing can be changed'],
}
const notYourself: Text = ['不能对自己的账号做此操作', 'Not to your own account']
export const aboveYou: Text = ['对方的权限超出你的权限', 'Their rights exceed yours']
/** True, or why not. Whether their rights exceed the asker's was found by the server: `above`. */
export const staffCan = (verb: StaffVerb, of: Person, me: number): true | Text => {
  if (!(from[verb] as readonly StaffState[]).includes(of.status)) return wrong[of.status]
  if (of.id === me && notSelf.includes(verb)) return notYourself
  if (of.above && of.id !== me) return aboveYou
  if (verb === 'unlock' && !of.locked) return ['账号没有被锁定', 'The account is not locked']
  if (verb === 'kick' && of.live_sessions === 0) return ['对方没有在线', 'They are not signed in']
  return true
}

type Department = { status: 'on' | 'off'; staff_all: number; staff: number; children: number }
/** True, or why not, with the counts that the message gives. */
export const departmentCan = (verb: 'enable' | 'disable' | 'del', of: Department): true | Text => {
  if (verb === 'enable') return of.status === 'off' || ['部门已启用', 'It is in use already']
  if (verb === 'disable') {
    if (of.status === 'off') return ['部门已停用', 'It is disabled already']
    if (of.staff_all === 0) return true
    return [
      `仍有 ${of.staff_all} 名在职员工，请先移走`,
      `${of.staff_all} active staff remain: move them first`,
    ]
  }
  return of.children > 0 || of.staff > 0
    ? [
        `有 ${of.children} 个下级部门、${of.staff} 名员工，不能删除`,
        `It has ${of.children} departments and ${of.staff} staff under it`,
      ]
    : true
}

type Role = { code: string; status: 'on' | 'off'; member_count: number }
export type RoleVerb =
  | 'edit'
  | 'setPerms'
  | 'setFields'
  | 'setScope'
  | 'setRefundLimit'
  | 'enable'
  | 'disable'
  | 'del'
export const builtinRole: Text = [
  '内置的超级管理员角色不能更改',
  'The built-in super administrator role can’t be changed',
]
export const roleCan = (verb: RoleVerb, of: Role): true | Text => {
  if (of.code === SUPER_ADMIN) return builtinRole
  if (verb === 'enable') return of.status === 'off' || ['角色已启用', 'It is enabled already']
  if (verb === 'disable') return of.status === 'on' || ['角色已停用', 'It is disabled already']
  return (
    verb !== 'del' ||
    of.member_count === 0 || [
      `还有 ${of.member_count} 名成员，不能删除`,
      `${of.member_count} members hold it`,
    ]
  )
}

export const superRemains: Text = [
  '至少保留一名在职的超级管理员',
  'One active super administrator must remain',
]

/** A line of the staff import: what was read, and what is wrong with it. */
export type ImportRow = {
  line: number
  account: string
  name: string
  phone: string
  email: string
  department: string
  roles: string
}
const columns = ['account', 'name', 'phone', 'email', 'department', 'roles'] as const
/** Pasted or uploaded lines of staff, with or without a heading. */
export const importRows = (text: string): ImportRow[] =>
  pastedLines(text, /^(账号|account)$/i).map(({ line, cells }) => {
    const row = Object.fromEntries(columns.map((key, at) => [key, cells[at] ?? ''])) as Omit<
      ImportRow,
      'line'
    >
    return { line, ...row, phone: mobileOf(row.phone) ?? row.phone }
  })
