import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import {
  id,
  lines,
  listOf,
  open,
  page,
  phoneText,
  searched,
  text,
  version,
} from '#src/contract/shapes.ts'
import { callableRule, isCallable } from '#src/domain/phone.ts'
import { joined } from '#src/domain/text.ts'

export const departmentRow = z.object({
  id,
  parent_id: id.nullable(),
  name: z.string(),
  leader_id: id.nullable(),
  leader_name: z.string().nullable(),
  phone: open('A department’s', z.string().nullable()),
  sort: z.int(),
  status: z.enum(['on', 'off']),
  depth: z.int(),
  /** Names from the top down. */
  full_name: z.string(),
  /** Active staff: of its own, and with everything below it. */
  staff: z.int(),
  staff_all: z.int(),
  children: z.int(),
  version,
})
export type DepartmentRow = z.output<typeof departmentRow>
const memberRow = z.object({
  id,
  name: z.string(),
  account: z.string(),
  department_id: id.nullable(),
  department_name: z.string().nullable(),
  status: z.enum(['active', 'disabled', 'left']),
  roles: z.string(),
  leads: z.boolean(),
})

const view = 'system.department.view'
const touches = ['department', 'admin'] as const
const one = { id, version }
const done = z.object({ id, version })
const name = text(32)
const phone = phoneText(30, 0)
  .refine(typed => typed === '' || isCallable(typed), { message: joined(callableRule) })
  .optional()
const keyword = searched(32).optional()

export const department = {
  /** All of them, in tree order. */
  lst: read('system/department/lst', ['部门列表', 'Departments'], {
    input: z.object({}),
    output: z.object({ list: z.array(departmentRow) }),
    touches,
    scope: 'all',
    permit: view,
  }),
  members: read('system/department/members', ['部门成员', 'Members of a department'], {
    input: z.object({ ...page, department_id: id, below: z.boolean().default(false), keyword }),
    output: listOf(memberRow),
    touches,
    scope: placed('admin'),
    permit: view,
  }),
  /** People who may lead it: active members of it or of its parent. */
  leaders: read('system/department/leaders', ['可任负责人的员工', 'Possible leaders'], {
    input: z.object({ ...page, department_id: id, keyword }),
    output: listOf(z.object({ id, name: z.string(), account: z.string() })),
    touches,
    scope: placed('admin'),
    permit: view,
  }),
  /** For choosing one, by its full name. */
  pick: read('system/department/pick', ['选择部门', 'Choose a department'], {
    input: z.object({ ...page, keyword, but: id.optional() }),
    output: listOf(z.object({ id, full_name: z.string() })),
    touches,
    scope: 'all',
    permit: 'signed-in',
  }),
  create: write('system/department/create', ['新增部门', 'New department'], {
    input: z.object({ parent_id: id, name, phone, leader_id: id.optional() }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.department.create',
  }),
  edit: write('system/department/edit', ['编辑部门', 'Edit department'], {
    input: z.object({ ...one, name, phone }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.department.edit',
  }),
  /** Under `parent_id` (absent: the top) as number `sort` of its children, 0 the first. */
  move: write('system/department/move', ['移动部门', 'Move department'], {
    input: z.object({
      ...one,
      parent_id: id.optional(),
      sort: z.int().min(0).max(9999).default(9999),
    }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.department.move',
  }),
  setLeader: write('system/department/setLeader', ['设置部门负责人', 'Set the leader'], {
    input: z.object({ ...one, admin_id: id.optional() }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.department.setLeader',
  }),
  enable: write('system/department/enable', ['启用部门', 'Enable department'], {
    input: z.object(one),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.department.enable',
  }),
  disable: write('system/department/disable', ['停用部门', 'Disable department'], {
    input: z.object({ ...one, reason: lines(200, 2) }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.department.disable',
  }),
  /** Staff and departments below it go to the target, and it is gone; one transaction. */
  merge: write('system/department/merge', ['合并部门', 'Merge department'], {
    input: z.object({ ...one, target_id: id, reason: lines(200, 2) }),
    output: z.object({ id, staff: z.int(), departments: z.int() }),
    touches,
    scope: 'all',
    permit: 'system.department.merge',
  }),
  del: write('system/department/del', ['删除部门', 'Delete department'], {
    input: z.object(one),
    output: z.object({ id }),
    touches,
    scope: 'all',
    permit: 'system.department.del',
  }),
}
