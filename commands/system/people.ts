import {
  releaseCan,
  menuTypes,
  merchantRoles,
  merchantRoutes,
  VERSION,
  type MenuType,
  type MerchantRole,
} from '#src/areas/people/menu.ts'
import {
  departmentCan,
  roleCan,
  staffCan,
  type RoleVerb,
  type StaffVerb,
} from '#src/areas/people/people.ts'
import {
  fieldModes,
  scopeTypes,
  staffScopes,
  type FieldMode,
  type ScopeType,
} from '#src/areas/people/rights.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityOptions } from '#src/contract/places.ts'
import { maskRules, type MaskRule } from '#src/domain/mask.ts'
import { callableFault, phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { emailFault } from '#src/domain/validate.ts'
import {
  bulksMenu as merchantCalls,
  merchantMenuRow,
  type MerchantMenuRow,
} from '#src/modules/system/contract/bulksMenu.ts'
import {
  department as departmentCalls,
  departmentRow,
  type DepartmentRow,
} from '#src/modules/system/contract/department.ts'
import { menu as menuCalls, menuRow, type MenuRow } from '#src/modules/system/contract/menu.ts'
import {
  fieldKeyRow,
  menuKey as keyCalls,
  type FieldKeyRow,
} from '#src/modules/system/contract/menuKey.ts'
import { role as roleCalls, roleRow, type RoleRow } from '#src/modules/system/contract/role.ts'
import { staff as staffCalls, staffRow, type StaffRow } from '#src/modules/system/contract/staff.ts'
import { action, ask, byAccount, type Me, type Told } from '../command.ts'
import { bulksMenu, department, menu, menuKey, role, staff } from '../pages/system.ts'

type Versioned = { id: number; version: number }
const one = (rows: readonly Versioned[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
const why = ask.text({ label: ['原因', 'Reason'], max: 200, min: 2, lines: 3 })
type Scoped = RoleRow | StaffRow
const scopeList = (type: 'city' | 'mall', label: Text) => ({
  label,
  shown: (answers: { scope?: string }) => answers.scope === type,
  initial: (rows: readonly Scoped[]) =>
    rows[0]?.scope_type === type ? rows[0].scope_ids : undefined,
  named: (rows: readonly Scoped[]) => rows[0]?.scope_names,
})
const cities = ask.entities({
  ...scopeList('city', ['城市', 'Cities']),
  max: 200,
  find: cityOptions,
  labelOf: row => row.city_name,
})
const malls = ask.entities({
  ...scopeList('mall', ['商场', 'Malls']),
  max: 500,
  find: mallPicker,
  labelOf: row => `${row.name} · ${row.city_name}`,
  key: 'mid',
})
const phoneRead = ask.text({
  label: ['手机号', 'Phone'],
  max: 30,
  initial: rows => rows[0]?.phone,
  check: value => (value.includes('*') ? undefined : phoneFault(value)),
})
const emailRead = ask.text({
  label: ['邮箱', 'E-mail'],
  max: 64,
  initial: rows => rows[0]?.email,
  check: value => (value.includes('*') ? undefined : emailFault(value)),
})
/** A value that came masked and was left so is not sent back. */
const unlessMasked = <K extends string>(key: K, value: string | undefined) =>
  value === undefined || value.includes('*') ? {} : ({ [key]: value } as Record<K, string>)

const unit = ask.entity({
  label: ['部门', 'Department'],
  find: departmentCalls.pick,
  labelOf: row => row.full_name,
  initial: rows => rows[0]?.department_id ?? undefined,
  named: rows => rows[0]?.department_name ?? undefined,
})
const departmentName = ask.text({
  label: ['部门名称', 'Name'],
  max: 32,
  initial: rows => rows[0]?.name,
})
const departmentPhone = ask.text({
  label: ['部门电话', 'Phone'],
  max: 30,
  optional: true,
  check: callableFault,
  initial: rows => rows[0]?.phone ?? undefined,
})
const canDepartment =
  (verb: 'enable' | 'disable' | 'del') =>
  (row: DepartmentRow): true | Text =>
    departmentCan(verb, row)
const departmentAt = { at: department, on: departmentRow, takes: 'row' } as const
export const departmentActions = {
  create: action(departmentCalls.create, {
    title: '新增下级部门',
    en: 'New department',
    key: 'c',
    ...departmentAt,
    main: true,
    asks: {
      name: ask.text({ label: ['部门名称', 'Name'], max: 32 }),
      phone: ask.text({
        label: ['部门电话', 'Phone'],
        max: 30,
        optional: true,
        check: callableFault,
      }),
      leader: ask.entity({
        label: ['负责人', 'Leader'],
        optional: true,
        find: departmentCalls.leaders,
        by: byAccount,
        labelOf: row => `${row.name} ${row.account}`,
        given: rows => ({ department_id: rows[0]?.id }),
      }),
    },
    input: (rows, asked) => ({
      parent_id: rows[0]!.id,
      name: asked.name,
      ...(asked.phone ? { phone: asked.phone } : {}),
      ...(asked.leader ? { leader_id: asked.leader } : {}),
    }),
  }),
  edit: action(departmentCalls.edit, {
    title: '编辑部门',
    en: 'Edit department',
    key: 'e',
    ...departmentAt,
    main: true,
    asks: { name: departmentName, phone: departmentPhone },
    input: (rows, asked) => ({ ...one(rows), name: asked.name, phone: asked.phone ?? '' }),
  }),
  move: action(departmentCalls.move, {
    title: '移动到',
    en: 'Move to',
    key: 'm',
    ...departmentAt,
    asks: {
      parent: ask.entity({
        label: ['上级部门', 'Under'],
        find: departmentCalls.pick,
        labelOf: row => row.full_name,
        given: rows => ({ but: rows[0]?.id }),
      }),
      sort: ask.number({
        label: ['排在第几', 'Position'],
        min: 1,
        max: 999,
        optional: true,
        hint: ['不填则排在最后', 'Empty: last'],
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      parent_id: asked.parent,
      ...(asked.sort ? { sort: asked.sort - 1 } : {}),
    }),
  }),
  setLeader: action(departmentCalls.setLeader, {
    title: '设置负责人',
    en: 'Set the leader',
    key: 'l',
    ...departmentAt,
    asks: {
      leader: ask.entity({
        label: ['负责人', 'Leader'],
        optional: true,
        hint: [
          '本部门或上级部门的在职员工；留空则不设',
          'Active staff of this or a parent department; empty: none',
        ],
        find: departmentCalls.leaders,
        by: byAccount,
        labelOf: row => `${row.name} ${row.account}`,
        given: rows => ({ department_id: rows[0]?.id }),
        initial: rows => rows[0]?.leader_id ?? undefined,
        named: rows => rows[0]?.leader_name ?? undefined,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...(asked.leader ? { admin_id: asked.leader } : {}) }),
  }),
  enable: action(departmentCalls.enable, {
    title: '启用部门',
    en: 'Enable department',
    ...departmentAt,
    when: canDepartment('enable'),
    input: one,
  }),
  disable: action(departmentCalls.disable, {
    title: '停用部门',
    en: 'Disable department',
    danger: true,
    ...departmentAt,
    when: canDepartment('disable'),
    asks: { why },
    input: (rows, asked) => ({ ...one(rows), reason: asked.why }),
  }),
  merge: action(departmentCalls.merge, {
    title: '合并到其他部门',
    en: 'Merge into another',
    danger: true,
    ...departmentAt,
    asks: {
      target: ask.entity({
        label: ['合并到', 'Into'],
        find: departmentCalls.pick,
        labelOf: row => row.full_name,
        given: rows => ({ but: rows[0]?.id }),
        hint: [
          '员工与下级部门全部移过去，本部门随即撤销',
          'All staff and sub-departments move there, then this department is removed',
        ],
      }),
      why,
    },
    input: (rows, asked) => ({ ...one(rows), target_id: asked.target, reason: asked.why }),
  }),
  del: action(departmentCalls.del, {
    title: '删除部门',
    en: 'Delete department',
    danger: true,
    ...departmentAt,
    when: canDepartment('del'),
    input: one,
  }),
}

const roleName = ask.text({ label: ['角色名称', 'Name'], max: 32 })
const roleCode = ask.text({
  label: ['角色编码', 'Code'],
  max: 32,
  min: 2,
  hint: [
    '小写字母开头，可含数字和下划线，之后不可更改',
    'Starts with a lower-case letter; digits and _ allowed; can’t be changed later',
  ],
  check: value =>
    /^[a-z][a-z0-9_]{1,31}$/.test(value)
      ? undefined
      : ['小写字母开头，可含数字和下划线', 'Starts with a lower-case letter; digits and _ allowed'],
})
const canRole =
  (verb: RoleVerb) =>
  (row: RoleRow): true | Text =>
    roleCan(verb, row)
const roleAt = { at: role, on: roleRow, takes: 'row' } as const
/** How many people a change of the role touches. */
const touched = (rows: readonly RoleRow[]): Told => [
  ['将影响 {n} 名成员，下次操作起生效', 'Affects {n} members, from their next action on'],
  { n: rows[0]!.member_count },
]
export const roleActions = {
  create: action(roleCalls.create, {
    title: '新增角色',
    en: 'New role',
    key: 'c',
    at: role,
    main: true,
    asks: {
      name: roleName,
      code: roleCode,
      remark: ask.text({ label: ['说明', 'Remark'], max: 255, lines: 2, optional: true }),
    },
    input: (_, asked) => ({
      name: asked.name,
      code: asked.code,
      ...(asked.remark ? { remark: asked.remark } : {}),
    }),
  }),
  copy: action(roleCalls.copy, {
    title: '复制角色',
    en: 'Copy role',
    key: 'shift+c',
    ...roleAt,
    asks: { name: roleName, code: roleCode },
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
  }),
  edit: action(roleCalls.edit, {
    title: '编辑角色',
    en: 'Edit role',
    key: 'e',
    ...roleAt,
    when: canRole('edit'),
    asks: {
      name: ask.text({ label: ['角色名称', 'Name'], max: 32, initial: rows => rows[0]?.name }),
      remark: ask.text({
        label: ['说明', 'Remark'],
        max: 255,
        lines: 2,
        optional: true,
        initial: rows => rows[0]?.remark ?? undefined,
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      name: asked.name,
      ...(asked.remark ? { remark: asked.remark } : {}),
    }),
  }),
  setPerms: action(roleCalls.setPerms, {
    title: '保存权限',
    en: 'Save rights',
    key: 's',
    ...roleAt,
    main: true,
    when: canRole('setPerms'),
  }),
  setFields: action(roleCalls.setFields, {
    title: '保存字段权限',
    en: 'Save field rights',
    key: 'f',
    ...roleAt,
    when: canRole('setFields'),
  }),
  setScope: action(roleCalls.setScope, {
    title: '设置数据范围',
    en: 'Set the data scope',
    key: 'd',
    ...roleAt,
    tells: touched,
    when: canRole('setScope'),
    asks: {
      scope: ask.choice({
        label: ['数据范围', 'Data scope'],
        options: scopeTypes,
        initial: rows => rows[0]?.scope_type,
      }),
      cities,
      malls,
    },
    input: (rows, asked) => ({
      ...one(rows),
      scope: asked.scope as ScopeType,
      ids: { city: asked.cities, mall: asked.malls }[asked.scope as string] ?? [],
    }),
  }),
  setRefundLimit: action(roleCalls.setRefundLimit, {
    title: '设置退款审批额度',
    en: 'Set the refund limit',
    key: 'l',
    ...roleAt,
    tells: touched,
    when: canRole('setRefundLimit'),
    asks: {
      cents: ask.money({
        label: ['单笔可独自批准的退款', 'Refund amount one may approve alone'],
        min: 0,
        initial: rows => rows[0]?.refund_limit_cents,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), cents: asked.cents }),
  }),
  addMembers: action(roleCalls.addMembers, {
    title: '添加成员',
    en: 'Add members',
    key: 'a',
    ...roleAt,
    asks: {
      people: ask.entities({
        label: ['员工', 'Staff'],
        max: 200,
        find: roleCalls.candidates,
        by: byAccount,
        labelOf: row =>
          `${row.name} ${row.account}${row.department_name ? ` · ${row.department_name}` : ''}`,
        given: rows => ({ id: rows[0]?.id }),
      }),
    },
    input: (rows, asked) => ({ id: rows[0]!.id, admin_ids: asked.people }),
  }),
  removeMember: action(roleCalls.removeMember, {
    title: '移除成员',
    en: 'Remove a member',
    danger: true,
    ...roleAt,
    asks: {
      person: ask.entity({
        label: ['成员', 'Member'],
        find: roleCalls.members,
        by: byAccount,
        labelOf: row => `${row.name} ${row.account}`,
        given: rows => ({ id: rows[0]?.id }),
      }),
    },
    input: (rows, asked) => ({ id: rows[0]!.id, admin_id: asked.person }),
  }),
  diff: action(roleCalls.diff, {
    title: '比较两个角色',
    en: 'Compare two roles',
    key: 'b',
    ...roleAt,
  }),
  preview: action(roleCalls.preview, {
    title: '以此角色预览菜单',
    en: 'Preview the menu',
    key: 'v',
    ...roleAt,
  }),
  holders: action('system.role.holders', {
    title: '谁有此权限',
    en: 'Who has this right',
    key: 'p',
    at: role,
  }),
  enable: action(roleCalls.enable, {
    title: '启用角色',
    en: 'Enable role',
    ...roleAt,
    when: canRole('enable'),
    input: one,
  }),
  disable: action(roleCalls.disable, {
    title: '停用角色',
    en: 'Disable role',
    danger: true,
    ...roleAt,
    tells: touched,
    when: canRole('disable'),
    asks: { why },
    input: (rows, asked) => ({ ...one(rows), reason: asked.why }),
  }),
  del: action(roleCalls.del, {
    title: '删除角色',
    en: 'Delete role',
    danger: true,
    ...roleAt,
    when: canRole('del'),
    input: one,
  }),
  export: action(roleCalls.export, {
    title: '导出权限矩阵',
    en: 'Export the matrix',
    key: 'shift+e',
    at: role,
    input: () => ({}),
  }),
}

const canStaff =
  (verb: StaffVerb) =>
  (row: StaffRow, me: Me): true | Text =>
    staffCan(verb, row, me.id)
const roles = ask.entities({
  label: ['角色', 'Roles'],
  max: 20,
  find: roleCalls.pick,
  labelOf: row => row.name,
  initial: rows => rows[0]?.roles?.map((held: { id: number }) => held.id),
  named: rows =>
    Object.fromEntries(
      (rows[0]?.roles ?? []).map((held: { id: number; name: string }) => [held.id, held.name]),
    ),
})
const newRoles = ask.entities({
  label: ['角色', 'Roles'],
  max: 20,
  find: roleCalls.pick,
  labelOf: row => row.name,
})
const optionalRoles = ask.entities({
  label: ['角色', 'Roles'],
  max: 20,
  optional: true,
  find: roleCalls.pick,
  labelOf: row => row.name,
})
const staffAt = { at: staff, on: staffRow, takes: 'row' } as const
export const staffActions = {
  create: action(staffCalls.create, {
    title: '新增员工',
    en: 'New staff member',
    key: 'c',
    at: staff,
    main: true,
    asks: {
      account: ask.text({
        label: ['账号', 'Account'],
        max: 32,
        min: 3,
        hint: ['3–32 位，字母开头', '3–32 characters, starting with a letter'],
        check: value =>
          /^[A-Za-z][A-Za-z0-9_.-]{2,31}$/.test(value)
            ? undefined
            : [
                '3–32 位，字母开头，可含数字与 _ . -',
                '3–32 letters, digits or _ . -, starting with a letter',
              ],
      }),
      name: ask.text({ label: ['姓名', 'Name'], max: 32 }),
      phone: ask.text({ label: ['手机号', 'Phone'], max: 30, check: phoneFault }),
      email: ask.text({ label: ['邮箱', 'E-mail'], max: 64, check: emailFault }),
      department: ask.entity({
        label: ['部门', 'Department'],
        find: departmentCalls.pick,
        labelOf: row => row.full_name,
      }),
      roles: optionalRoles,
    },
    input: (_, asked) => ({
      account: asked.account,
      name: asked.name,
      phone: asked.phone,
      email: asked.email,
      department_id: asked.department,
      role_ids: asked.roles ?? [],
    }),
  }),
  edit: action(staffCalls.edit, {
    title: '编辑资料',
    en: 'Edit staff member',
    key: 'e',
    ...staffAt,
    when: canStaff('edit'),
    asks: {
      name: ask.text({ label: ['姓名', 'Name'], max: 32, initial: rows => rows[0]?.name }),
      phone: phoneRead,
      email: emailRead,
      department: unit,
    },
    input: (rows, asked) => ({
      ...one(rows),
      name: asked.name,
      ...unlessMasked('phone', asked.phone),
      ...unlessMasked('email', asked.email),
      department_id: asked.department,
    }),
  }),
  setRoles: action(staffCalls.setRoles, {
    title: '分配角色',
    en: 'Assign roles',
    key: 'r',
    ...staffAt,
    main: true,
    when: canStaff('setRoles'),
    asks: { roles },
    input: (rows, asked) => ({ ...one(rows), role_ids: asked.roles }),
  }),
  setScope: action(staffCalls.setScope, {
    title: '设置数据范围',
    en: 'Set the data scope',
    key: 'd',
    ...staffAt,
    when: canStaff('setScope'),
    asks: {
      scope: ask.choice({
        label: ['数据范围', 'Data scope'],
        options: staffScopes,
        initial: rows => rows[0]?.scope_type,
      }),
      cities,
      malls,
    },
    input: (rows, asked) => ({
      ...one(rows),
      scope: asked.scope as keyof typeof staffScopes,
      cities: asked.cities ?? [],
      malls: asked.malls ?? [],
    }),
  }),
  resetPassword: action(staffCalls.resetPassword, {
    title: '重置密码',
    en: 'Reset password',
    key: 'shift+r',
    danger: true,
    ...staffAt,
    when: canStaff('resetPassword'),
    input: one,
  }),
  unlock: action(staffCalls.unlock, {
    title: '解除登录锁定',
    en: 'Unlock',
    key: 'u',
    ...staffAt,
    when: canStaff('unlock'),
    input: one,
  }),
  kick: action(staffCalls.kick, {
    title: '强制下线',
    en: 'Sign out',
    danger: true,
    ...staffAt,
    when: canStaff('kick'),
    asks: { why },
    input: (rows, asked) => ({ id: rows[0]!.id, reason: asked.why }),
  }),
  disable: action(staffCalls.disable, {
    title: '停用账号',
    en: 'Disable',
    danger: true,
    ...staffAt,
    when: canStaff('disable'),
    asks: { why },
    input: (rows, asked) => ({ ...one(rows), reason: asked.why }),
  }),
  enable: action(staffCalls.enable, {
    title: '启用账号',
    en: 'Enable',
    ...staffAt,
    when: canStaff('enable'),
    input: one,
  }),
  leave: action(staffCalls.leave, {
    title: '离职交接',
    en: 'Leave and hand over',
    danger: true,
    ...staffAt,
    when: canStaff('leave'),
    asks: {
      successor: ask.entity({
        label: ['接替人', 'Successor'],
        find: staffCalls.pick,
        by: byAccount,
        labelOf: row =>
          `${row.name} ${row.account}${row.department_name ? ` · ${row.department_name}` : ''}`,
        given: rows => ({ but: rows[0]?.id }),
        hint: [
          '领取的审核、名下商户与负责的部门一并移交，账号不可恢复',
          'Claimed audits, merchants and departments go to the successor; the account can’t be restored',
        ],
      }),
      why,
    },
    input: (rows, asked) => ({ ...one(rows), successor_id: asked.successor, reason: asked.why }),
  }),
  batchImport: action(staffCalls.batchImport, {
    title: '批量导入',
    en: 'Import',
    key: 'i',
    at: staff,
  }),
  batchSetRole: action(staffCalls.batchSetRole, {
    title: '批量分配角色',
    en: 'Assign roles to several',
    at: staff,
    on: staffRow,
    most: 200,
    when: canStaff('setRoles'),
    asks: { roles: newRoles },
    input: (rows, asked) => ({ ids: rows.map(row => row.id), role_ids: asked.roles }),
  }),
  revealPhone: action(staffCalls.revealPhone, {
    title: '查看完整手机号',
    en: 'Reveal the phone',
    key: 'v',
    ...staffAt,
    asks: {
      why: ask.text({
        label: ['查看原因', 'Reason'],
        max: 200,
        min: 2,
        hint: ['会记入操作日志', 'This is logged'],
      }),
    },
    input: (rows, asked) => ({ id: rows[0]!.id, reason: asked.why }),
  }),
  export: action(staffCalls.export, {
    title: '导出员工',
    en: 'Export staff',
    key: 'shift+e',
    at: staff,
  }),
}

const menuTitle = ask.text({ label: ['标题', 'Title'], max: 32, initial: rows => rows[0]?.title })
const menuEn = ask.text({
  label: ['英文标题', 'English title'],
  max: 64,
  optional: true,
  initial: rows => rows[0]?.en,
})
const menuIcon = ask.text({
  label: ['图标名', 'Icon'],
  max: 32,
  optional: true,
  initial: rows => rows[0]?.icon,
})
const menuAt = { at: menu, on: menuRow, takes: 'row' } as const
const isPage = (row: MenuRow): true | Text =>
  row.type === 'page' || ['只有页面可以缓存', 'Only pages can be cached']
export const menuActions = {
  create: action(menuCalls.create, {
    title: '新增菜单',
    en: 'New menu entry',
    key: 'c',
    at: menu,
    main: true,
    asks: {
      type: ask.choice({ label: ['类型', 'Kind'], options: menuTypes }),
      title: ask.text({ label: ['标题', 'Title'], max: 32 }),
      en: ask.text({ label: ['英文标题', 'English title'], max: 64, optional: true }),
      parent: ask.entity({
        label: ['上级', 'Under'],
        find: menuCalls.parents,
        labelOf: row => row.title,
        shown: answers => answers.type === 'page' || answers.type === 'action',
      }),
      redirect: ask.text({
        label: ['路径', 'Path'],
        max: 128,
        shown: answers => answers.type === 'page',
        hint: [
          '须是控制台已有的页面，如 /manage/mall/hot',
          'A page of the console, such as /manage/mall/hot',
        ],
      }),
      perm: ask.text({
        label: ['权限标识', 'Right'],
        max: 64,
        shown: answers => answers.type === 'action',
      }),
    },
    input: (_, asked) => ({
      type: asked.type as MenuType,
      title: asked.title,
      ...(asked.en ? { en: asked.en } : {}),
      ...(asked.type === 'dir' ? {} : { parent_id: asked.parent }),
      ...(asked.type === 'page' ? { redirect: asked.redirect } : {}),
      ...(asked.type === 'action' ? { perm: asked.perm } : {}),
    }),
  }),
  edit: action(menuCalls.edit, {
    title: '编辑菜单',
    en: 'Edit menu entry',
    key: 'e',
    ...menuAt,
    main: true,
    asks: {
      title: menuTitle,
      en: menuEn,
      icon: menuIcon,
      regions: ask.text({
        label: ['未上线的区域', 'Not launched in'],
        max: 200,
        optional: true,
        hint: [
          '区域代码，逗号分隔；这些区域的人看不到它',
          'Comma-separated region codes; people there don’t see it',
        ],
        initial: rows => rows[0]?.hidden_regions?.join(','),
        check: value =>
          /^[\w-]{1,16}([,，]\s*[\w-]{1,16})*$/.test(value)
            ? undefined
            : ['用逗号分隔的区域代码', 'Comma-separated region codes'],
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      title: asked.title,
      en: asked.en ?? '',
      icon: asked.icon ?? '',
      hidden_regions: (asked.regions ?? '').split(/[,，]\s*/).filter(Boolean),
    }),
  }),
  move: action(menuCalls.move, {
    title: '移动菜单',
    en: 'Move menu entry',
    key: 'm',
    ...menuAt,
    when: row =>
      row.type !== 'dir' || [
        '目录只能在最上层排序：Alt+↑ Alt+↓',
        'Directories can only be reordered: Alt+↑ Alt+↓',
      ],
    asks: {
      parent: ask.entity({
        label: ['移到', 'Under'],
        find: menuCalls.parents,
        labelOf: row => row.title,
      }),
      sort: ask.number({ label: ['排在第几', 'Place'], min: 1, max: 999, optional: true }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      parent_id: asked.parent,
      ...(asked.sort ? { sort: asked.sort - 1 } : {}),
    }),
  }),
  toggleVisible: action(menuCalls.toggleVisible, {
    title: '显示或隐藏',
    en: 'Show or hide',
    key: 'v',
    ...menuAt,
    main: true,
    when: row =>
      row.type === 'action'
        ? ['操作不在菜单中显示', 'Actions are not shown in the menu']
        : row.listed ||
          row.visible || [
            '该页面需要参数，不能独立放进菜单',
            'This page needs parameters and can’t be in the menu',
          ],
    input: one,
  }),
  toggleKeepAlive: action(menuCalls.toggleKeepAlive, {
    title: '切换页面缓存',
    en: 'Toggle page cache',
    key: 'a',
    ...menuAt,
    when: isPage,
    input: one,
  }),
  syncRoutes: action(menuCalls.syncRoutes, {
    title: '同步路由清单',
    en: 'Sync routes',
    key: 's',
    at: menu,
    main: true,
    input: () => ({}),
  }),
  findUnused: action(menuCalls.findUnused, {
    title: '检查未使用的权限',
    en: 'Find unused rights',
    key: 'f',
    at: menu,
  }),
  del: action(menuCalls.del, {
    title: '删除菜单',
    en: 'Delete menu entry',
    danger: true,
    ...menuAt,
    when: row =>
      row.children === 0 || [
        `还有 ${row.children} 个下级`,
        `${row.children} entries stand under it`,
      ],
    input: one,
  }),
}

const keyAt = { at: menuKey, on: fieldKeyRow, takes: 'row' } as const
const maskRule = { label: ['脱敏规则', 'Mask'], options: maskRules } as const
const keyStatus =
  (wanted: 'on' | 'off') =>
  (row: FieldKeyRow): true | Text =>
    row.status !== wanted ||
    (wanted === 'on' ? ['字段已启用', 'Already enabled'] : ['字段已停用', 'Already disabled'])
export const menuKeyActions = {
  create: action(keyCalls.create, {
    title: '新增字段',
    en: 'New field',
    key: 'c',
    at: menuKey,
    main: true,
    asks: {
      key: ask.text({
        label: ['字段', 'Key'],
        max: 64,
        hint: ['对象.字段，如 merchant.legal_name', 'entity.field, such as merchant.legal_name'],
        check: value =>
          /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(value)
            ? undefined
            : ['形如 merchant.legal_name', 'Such as merchant.legal_name'],
      }),
      title: ask.text({ label: ['名称', 'Title'], max: 32 }),
      rule: ask.choice(maskRule),
      mode: ask.choice({ label: ['默认展示方式', 'Default'], options: fieldModes }),
    },
    input: (_, asked) => ({
      key: asked.key,
      title: asked.title,
      entity: asked.key.split('.')[0]!,
      mask_rule: asked.rule as MaskRule,
      default_mode: asked.mode as FieldMode,
    }),
  }),
  edit: action(keyCalls.edit, {
    title: '编辑字段',
    en: 'Edit field',
    key: 'e',
    ...keyAt,
    asks: {
      title: ask.text({ label: ['名称', 'Title'], max: 32, initial: rows => rows[0]?.title }),
      rule: ask.choice({ ...maskRule, initial: rows => rows[0]?.mask_rule }),
      reveals_a_day: ask.number({
        label: ['每人每日可查看明文', 'Daily reveals per person'],
        min: 0,
        max: 10_000,
        hint: ['达到后当天不能再查看；0 为不允许', 'None beyond this that day; 0: not allowed'],
        initial: rows => rows[0]?.reveals_a_day,
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      title: asked.title,
      mask_rule: asked.rule as MaskRule,
      reveals_a_day: asked.reveals_a_day,
    }),
  }),
  setDefault: action(keyCalls.setDefault, {
    title: '设置默认展示方式',
    en: 'Set the default',
    key: 'd',
    ...keyAt,
    main: true,
    asks: {
      mode: ask.choice({
        label: ['默认展示方式', 'Default'],
        options: fieldModes,
        initial: rows => rows[0]?.default_mode,
        hint: ['放宽须由超级管理员操作', 'Only a super administrator may relax it'],
      }),
    },
    input: (rows, asked) => ({ ...one(rows), mode: asked.mode as FieldMode }),
  }),
  testMask: action(keyCalls.testMask, {
    title: '试算脱敏效果',
    en: 'Try the mask',
    key: 't',
    at: menuKey,
  }),
  viewReveals: action(keyCalls.viewReveals, {
    title: '查看明文查看记录',
    en: 'Reveal log',
    key: 'r',
    ...keyAt,
  }),
  disable: action(keyCalls.disable, {
    title: '停用字段',
    en: 'Disable field',
    danger: true,
    ...keyAt,
    when: keyStatus('off'),
    asks: { why },
    input: (rows, asked) => ({ ...one(rows), reason: asked.why }),
  }),
  enable: action(keyCalls.enable, {
    title: '启用字段',
    en: 'Enable field',
    ...keyAt,
    when: keyStatus('on'),
    input: one,
  }),
  export: action(keyCalls.export, {
    title: '导出字段清单',
    en: 'Export fields',
    key: 'shift+e',
    at: menuKey,
  }),
}

const merchantAt = { at: bulksMenu, on: merchantMenuRow, takes: 'row' } as const
const version = ask.text({
  label: ['最低 App 版本', 'Minimum app version'],
  max: 14,
  optional: true,
  hint: ['如 2.1.0；低于它的 App 看不到', 'Such as 2.1.0; older apps don’t see it'],
  initial: rows => rows[0]?.min_app_version ?? undefined,
  check: value => (VERSION.test(value) ? undefined : ['形如 2.1.0', 'Such as 2.1.0']),
})
const gray =
  (verb: 'toggleVisible' | 'grayRelease' | 'stopGray') =>
  (row: MerchantMenuRow): true | Text =>
    verb !== 'toggleVisible' && row.type === 'dir'
      ? ['只有页面可以灰度', 'Only pages can be released gradually']
      : releaseCan(verb, row)
export const bulksMenuActions = {
  create: action(merchantCalls.create, {
    title: '新增商家菜单',
    en: 'New merchant entry',
    key: 'c',
    at: bulksMenu,
    main: true,
    asks: {
      title: ask.text({ label: ['标题', 'Title'], max: 32 }),
      parent: ask.entity({
        label: ['上级目录', 'Under'],
        optional: true,
        hint: ['留空则新增目录', 'Empty: a new directory'],
        find: merchantCalls.parents,
        labelOf: row => row.title,
      }),
      redirect: ask.text({
        label: ['页面路径', 'Path'],
        max: 128,
        shown: answers => Boolean(answers.parent),
        check: value =>
          value in merchantRoutes
            ? undefined
            : ['商家端没有这个页面', 'The merchant app has no such page'],
      }),
      version: {
        ...version,
        shown: (answers: { parent?: number }) => Boolean(answers.parent),
      } as typeof version,
    },
    input: (_, asked) => ({
      title: asked.title,
      ...(asked.parent
        ? {
            parent_id: asked.parent,
            redirect: asked.redirect,
            ...(asked.version ? { min_app_version: asked.version } : {}),
          }
        : {}),
    }),
  }),
  edit: action(merchantCalls.edit, {
    title: '编辑商家菜单',
    en: 'Edit merchant entry',
    key: 'e',
    ...merchantAt,
    asks: { title: menuTitle, version },
    input: (rows, asked) => ({
      ...one(rows),
      title: asked.title,
      ...(asked.version ? { min_app_version: asked.version } : {}),
    }),
  }),
  move: action(merchantCalls.move, {
    title: '移动商家菜单',
    en: 'Move merchant entry',
    key: 'm',
    ...merchantAt,
    when: row =>
      row.type === 'page' || [
        '目录只能在最上层排序：Alt+↑ Alt+↓',
        'Directories can only be reordered: Alt+↑ Alt+↓',
      ],
    asks: {
      parent: ask.entity({
        label: ['移到', 'Under'],
        find: merchantCalls.parents,
        labelOf: row => row.title,
      }),
      sort: ask.number({ label: ['排在第几', 'Place'], min: 1, max: 999, optional: true }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      parent_id: asked.parent,
      ...(asked.sort ? { sort: asked.sort - 1 } : {}),
    }),
  }),
  toggleVisible: action(merchantCalls.toggleVisible, {
    title: '上线或下线',
    en: 'Release or take offline',
    key: 'v',
    ...merchantAt,
    main: true,
    when: gray('toggleVisible'),
    input: one,
  }),
  setPackages: action(merchantCalls.setPackages, {
    title: '设置适用商家角色',
    en: 'Set the merchant roles',
    key: 'r',
    ...merchantAt,
    main: true,
    when: row => row.type === 'page' || ['只有页面可以设置角色', 'Only pages have roles'],
    asks: {
      roles: ask.choices({
        label: ['包含此页面的商家角色', 'Merchant roles with this page'],
        options: merchantRoles,
        initial: rows => rows[0]?.packages,
        optional: true,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), roles: (asked.roles ?? []) as MerchantRole[] }),
  }),
  grayRelease: action(merchantCalls.grayRelease, {
    title: '灰度发布',
    en: 'Gradual release',
    key: 'shift+v',
    ...merchantAt,
    when: gray('grayRelease'),
    asks: {
      cities: ask.entities({
        label: ['城市', 'Cities'],
        max: 200,
        optional: true,
        find: cityOptions,
        labelOf: row => row.city_name,
        initial: rows => rows[0]?.gray_city_ids,
        named: rows => rows[0]?.gray_names?.cities,
      }),
      stores: ask.entities({
        label: ['门店', 'Stores'],
        max: 500,
        optional: true,
        find: merchantCalls.stores,
        labelOf: row => `${row.name} · ${row.city_name}`,
        initial: rows => rows[0]?.gray_store_ids,
        named: rows => rows[0]?.gray_names?.stores,
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      city_ids: asked.cities ?? [],
      store_ids: asked.stores ?? [],
    }),
  }),
  stopGray: action(merchantCalls.stopGray, {
    title: '结束灰度',
    en: 'End gradual release',
    key: 'shift+x',
    ...merchantAt,
    when: gray('stopGray'),
    asks: {
      to: ask.choice({
        label: ['结束后', 'Then'],
        options: { full: ['全量上线', 'Release to all'], withdraw: ['撤下', 'Withdraw'] },
      }),
    },
    input: (rows, asked) => ({ ...one(rows), to: asked.to as 'full' | 'withdraw' }),
  }),
  preview: action(merchantCalls.preview, {
    title: '按门店预览菜单',
    en: 'Preview by store',
    key: 'p',
    at: bulksMenu,
    main: true,
  }),
  del: action(merchantCalls.del, {
    title: '删除商家菜单',
    en: 'Delete merchant entry',
    danger: true,
    ...merchantAt,
    when: row =>
      row.children === 0 || [
        `还有 ${row.children} 个下级`,
        `${row.children} entries stand under it`,
      ],
    input: one,
  }),
}
