import { z } from 'zod'
import { fieldModes, scopeTypes, type FieldMode, type ScopeType } from '#src/areas/people/rights.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  cents,
  id,
  keysOf,
  keyText,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
  exportFile,
  exportBegun,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'
import { menuNode } from '#src/modules/session/contract.ts'

const scopeType = keysOf<ScopeType>(scopeTypes)
const mode = keysOf<FieldMode>(fieldModes)
const ids = z.array(id).max(500)
const perms = z
  .array(
    z
      .string()
      .regex(/^[A-Za-z]\w*(\.\w+)+$/)
      .max(64),
  )
  .max(5000)
const keyword = searched(32).optional()

export const roleRow = z.object({
  id,
  name: z.string(),
  code: z.string(),
  builtin: z.boolean(),
  scope_type: scopeType,
  scope_ids: z.array(id),
  scope_names: z.record(z.string(), z.string()),
  refund_limit_cents: cents,
  status: z.enum(['on', 'off']),
  remark: z.string().nullable(),
  member_count: z.int(),
  /** How many rights it gives, patterns resolved. */
  perm_count: z.int(),
  field_count: z.int(),
  updated_at: unix,
  version,
})
export type RoleRow = z.output<typeof roleRow>
/**
 * A right as a leaf of the tree: its page, and the module that holds the page. `mine`: the asker
 * has it.
 */
const permLeaf = z.object({
  key: z.string(),
  title: z.string(),
  en: z.string(),
  danger: z.boolean(),
  mine: z.boolean(),
})
const permPage = z.object({
  path: z.string(),
  title: z.string(),
  en: z.string(),
  leaves: z.array(permLeaf),
})
const permModule = z.object({
  key: z.string(),
  title: z.string(),
  en: z.string(),
  pages: z.array(permPage),
})
export type PermModule = z.output<typeof permModule>
const diff = z.object({ added: z.array(z.string()), removed: z.array(z.string()) })
const fieldRow = z.object({
  key: z.string(),
  title: z.string(),
  entity: z.string(),
  default_mode: mode,
  mine: mode,
})
const person = z.object({
  id,
  name: z.string(),
  account: z.string(),
  department_name: z.string().nullable(),
  status: z.string(),
})

const touches = ['role'] as const
const rights = ['role', 'admin', 'me'] as const
const view = 'system.role.view'
const one = { id, version }
const done = z.object({ id, version })
const code = z.string().regex(/^[a-z][a-z0-9_]{1,31}$/, {
  message: joined(['小写字母开头，可含数字和下划线', 'Lower case letters, digits and _']),
})

export const role = {
  lst: read('system/role/lst', ['角色列表', 'Roles'], {
    input: z.object({
      ...page,
      keyword,
      status: z.enum(['on', 'off']).optional(),
      permit: keyText(64).optional(),
    }),
    output: listOf(roleRow),
    touches,
    scope: 'all',
    permit: view,
  }),
  detail: read('system/role/detail', ['角色详情', 'Role'], {
    input: z.object({ id }),
    output: z.object({
      role: roleRow,
      perms: z.array(z.string()),
      field_rules: z.record(z.string(), mode),
      fields: z.array(fieldRow),
    }),
    touches: ['role', 'field_key'],
    scope: 'all',
    permit: view,
  }),
  /** Modules, their pages, and the rights of each, as the console declares them. */
  tree: read('system/role/tree', ['权限树', 'Tree of rights'], {
    input: z.object({}),
    output: z.object({ modules: z.array(permModule) }),
    touches: ['role', 'menu'],
    scope: 'all',
    permit: view,
  }),
  members: read('system/role/members', ['角色成员', 'Members of a role'], {
    input: z.object({ ...page, id, keyword }),
    output: listOf(person),
    touches: ['role', 'admin'],
    scope: placed('admin'),
    permit: view,
  }),
  candidates: read('system/role/candidates', ['可添加的员工', 'Staff to add'], {
    input: z.object({ ...page, id: id.optional(), keyword }),
    output: listOf(person),
    touches: ['role', 'admin'],
    scope: placed('admin'),
    permit: view,
  }),
  /** Roles for choosing; `grantable` tells whether the asker may give it. */
  pick: read('system/role/pick', ['选择角色', 'Choose roles'], {
    input: z.object({ ...page, keyword }),
    output: listOf(z.object({ id, name: z.string(), code: z.string(), grantable: z.boolean() })),
    touches,
    scope: 'all',
    permit: 'signed-in',
  }),
  /** What saving these rights would change, and whom. */
  permsDiff: read('system/role/permsDiff', ['权限差异', 'Difference of rights'], {
    method: 'POST',
    input: z.object({ id, perms }),
    output: z.object({
      ...diff.shape,
      perms: z.array(z.string()),
      member_count: z.int(),
      members: z.array(z.string()),
      beyond: z.array(z.string()),
    }),
    touches: [...rights],
    scope: 'all',
    permit: view,
  }),
  /** The people who have a right, and by which roles. */
  holders: read('system/role/holders', ['谁有此权限', 'Who has this right'], {
    input: z.object({ permit: keyText(64, 1) }),
    output: z.object({
      roles: z.array(z.object({ id, name: z.string(), status: z.string(), member_count: z.int() })),
      people: z.array(person.extend({ by: z.string() })),
    }),
    touches: ['role', 'admin'],
    scope: placed('admin'),
    permit: view,
  }),
  create: write('system/role/create', ['新增角色', 'New role'], {
    input: z.object({ name: text(32), code, remark: lines(255, 0).optional() }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.role.create',
  }),
  copy: write('system/role/copy', ['复制角色', 'Copy role'], {
    input: z.object({ id, name: text(32), code }),
    output: done,
    touches,
    scope: 'all',
    permit: 'system.role.copy',
  }),
  edit: write('system/role/edit', ['编辑角色', 'Edit role'], {
    input: z.object({ ...one, name: text(32), remark: lines(255, 0).optional() }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.role.edit',
  }),
  /**
   * Exactly these rights. `base` are those that were on screen: a conflict tells both differences
   * from them.
   */
  setPerms: write('system/role/setPerms', ['保存角色权限', 'Save rights'], {
    input: z.object({ ...one, perms, base: perms.optional() }),
    output: z.object({ id, version, ...diff.shape, member_count: z.int() }),
    touches: rights,
    scope: 'all',
    permit: 'system.role.setPerms',
  }),
  setFields: write('system/role/setFields', ['保存字段权限', 'Save field rights'], {
    input: z.object({ ...one, fieldRules: z.record(keyText(64), mode) }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.role.setFields',
  }),
  setScope: write('system/role/setScope', ['保存数据范围', 'Save the data scope'], {
    input: z.object({ ...one, scope: scopeType, ids: ids.default([]) }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.role.setScope',
  }),
  setRefundLimit: write(
    'system/role/setRefundLimit',
    ['设置退款审批额度', 'Set the refund limit'],
    {
      input: z.object({ ...one, cents: z.int().min(0).max(1_000_000_000_00) }),
      output: done,
      touches: rights,
      scope: 'all',
      permit: 'system.role.setRefundLimit',
    },
  ),
  addMembers: write('system/role/addMembers', ['添加角色成员', 'Add members'], {
    input: z.object({ id, admin_ids: z.array(id).min(1).max(200) }),
    output: z.object({ id, added: z.int() }),
    touches: rights,
    scope: placed('admin', 'admin_ids'),
    permit: 'system.role.addMembers',
  }),
  removeMember: write('system/role/removeMember', ['移除角色成员', 'Remove a member'], {
    input: z.object({ id, admin_id: id }),
    output: z.object({ id }),
    touches: rights,
    scope: placed('admin', 'admin_id'),
    permit: 'system.role.removeMember',
  }),
  diff: read('system/role/diff', ['比较两个角色', 'Compare two roles'], {
    input: z.object({ id, other_id: id }),
    output: z.object({
      a: z.string(),
      b: z.string(),
      only_a: z.array(z.string()),
      only_b: z.array(z.string()),
      both: z.int(),
      fields: z.array(z.object({ key: z.string(), title: z.string(), a: mode, b: mode })),
      scope: z.object({ a: z.string(), b: z.string() }),
      refund_limit_cents: z.object({ a: cents, b: cents }),
    }),
    touches,
    scope: 'all',
    permit: 'system.role.diff',
  }),
  /** The left menu of a holder of this role alone; `perms` instead of the saved ones. */
  preview: read('system/role/preview', ['预览角色菜单', 'Preview the menu'], {
    method: 'POST',
    input: z.object({ id, perms: perms.optional() }),
    output: z.object({ menu: z.array(menuNode), pages: z.int() }),
    touches: ['role', 'menu'],
    scope: 'all',
    permit: 'system.role.preview',
  }),
  enable: write('system/role/enable', ['启用角色', 'Enable role'], {
    input: z.object(one),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.role.enable',
  }),
  disable: write('system/role/disable', ['停用角色', 'Disable role'], {
    input: z.object({ ...one, reason: lines(200, 2) }),
    output: done,
    touches: rights,
    scope: 'all',
    permit: 'system.role.disable',
  }),
  del: write('system/role/del', ['删除角色', 'Delete role'], {
    input: z.object(one),
    output: z.object({ id }),
    touches,
    scope: 'all',
    permit: 'system.role.del',
  }),
  export: write('system/role/export', ['导出权限矩阵', 'Export the matrix'], {
    input: z.object({ ...exportFile() }),
    output: exportBegun,
    touches: ['export'],
    scope: 'all',
    permit: 'system.role.export',
  }),
}
