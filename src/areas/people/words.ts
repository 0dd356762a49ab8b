import { onOff, type ObjectWord, type FieldWord } from '#src/areas/log/objectWord.ts'
import { maskRules } from '#src/domain/mask.ts'
import type { Text } from '#src/domain/text.ts'
import { menuTypes, merchantRoles } from './menu.ts'
import { staffStates } from './people.ts'

const scopes = {
  inherit: ['随角色', 'By role'],
  all: ['全国', 'Everywhere'],
  city: ['按城市', 'By city'],
  mall: ['按商场', 'By mall'],
  dept: ['本部门', 'Own department'],
  self: ['仅本人', 'Own only'],
} as const satisfies Record<string, Text>
const modes = {
  show: ['显示', 'Shown'],
  mask: ['脱敏', 'Masked'],
  hide: ['隐藏', 'Hidden'],
  default: ['按默认', 'By default'],
} as const satisfies Record<string, Text>
const menuFields: Readonly<Record<string, FieldWord>> = {
  title: { title: ['名称', 'Title'] },
  type: { title: ['类型', 'Type'], kind: 'enum', options: menuTypes },
  redirect: { title: ['路径', 'Path'] },
  perm: { title: ['权限标识', 'Permission'] },
  visible: { title: ['显示', 'Visible'], kind: 'flag' },
  parent_id: { title: ['上级菜单', 'Under'], kind: 'name', of: 'menu' },
}
/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  admin: {
    title: ['员工', 'Staff'],
    fields: {
      account: { title: ['账号', 'Account'] },
      name: { title: ['姓名', 'Name'] },
      phone: { title: ['手机号', 'Phone'], guard: 'admin.phone' },
      email: { title: ['邮箱', 'Email'], guard: 'admin.email' },
      department_id: { title: ['部门', 'Department'], kind: 'name', of: 'department' },
      role_ids: { title: ['角色', 'Roles'], kind: 'names', of: 'role' },
      scope_type: { title: ['数据范围', 'Data scope'], kind: 'enum', options: scopes },
      scope_ids: { title: ['范围内容', 'Within'], kind: 'list' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: staffStates },
      must_change: { title: ['须改密码', 'Must change password'], kind: 'flag' },
      locked_until: { title: ['锁定至', 'Locked until'], kind: 'time' },
      scope: { title: ['数据范围', 'Data scope'], kind: 'scope', options: scopes },
      cities: { title: ['城市', 'Cities'], kind: 'names', of: 'city' },
      malls: { title: ['商场', 'Malls'], kind: 'names', of: 'mall' },
      successor_id: { title: ['接手人', 'Successor'], kind: 'name', of: 'admin' },
      locked: { title: ['锁定', 'Locked'], kind: 'flag' },
      sessions_ended: { title: ['结束的会话', 'Sessions ended'], kind: 'number' },
      audit_tasks: { title: ['交接的审核', 'Audits handed over'], kind: 'number' },
      merchants: { title: ['交接的商户', 'Merchants handed over'], kind: 'number' },
      departments: { title: ['交接的部门', 'Departments handed over'], kind: 'number' },
      refunds: { title: ['交接的售后', 'Refunds handed over'], kind: 'number' },
      warnings: { title: ['交接的预警', 'Alarms handed over'], kind: 'number' },
      reports: { title: ['交接的报表订阅', 'Subscriptions handed over'], kind: 'number' },
    },
  },
  role: {
    title: ['角色', 'Role'],
    fields: {
      name: { title: ['名称', 'Name'] },
      perms: { title: ['权限', 'Permissions'], kind: 'keys', of: 'perm' },
      scope_type: { title: ['数据范围', 'Data scope'], kind: 'enum', options: scopes },
      scope_ids: { title: ['范围内容', 'Within'], kind: 'list' },
      field_rules: {
        title: ['字段权限', 'Field rules'],
        kind: 'rules',
        of: 'field',
        options: modes,
      },
      members: { title: ['影响人数', 'People concerned'], kind: 'number' },
      copied_from: { title: ['复制自', 'Copied from'] },
      cents: { title: ['退款审批额度', 'Refund limit'], kind: 'money' },
      scope: { title: ['数据范围', 'Data scope'], kind: 'scope', options: scopes },
      fieldRules: {
        title: ['字段权限', 'Field rules'],
        kind: 'rules',
        of: 'field',
        options: modes,
      },
      base: { title: ['修改前的权限', 'Permissions before'], kind: 'keys', of: 'perm' },
      admin_id: { title: ['成员', 'Member'], kind: 'name', of: 'admin' },
      admin_ids: { title: ['成员', 'Members'], kind: 'names', of: 'admin' },
      refund_limit_cents: { title: ['退款审批额度', 'Refund limit'], kind: 'money' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      remark: { title: ['备注', 'Remark'] },
    },
  },
  department: {
    title: ['部门', 'Department'],
    fields: {
      name: { title: ['名称', 'Name'] },
      parent_id: { title: ['上级部门', 'Under'], kind: 'name', of: 'department' },
      leader_id: { title: ['负责人', 'Leader'], kind: 'name', of: 'admin' },
      phone: { title: ['电话', 'Phone'] },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      target_id: { title: ['合并到', 'Merged into'], kind: 'name', of: 'department' },
      staff: { title: ['移走的员工', 'Staff moved'], kind: 'number' },
      departments: { title: ['移走的下级部门', 'Departments moved'], kind: 'number' },
    },
  },
  field_key: {
    title: ['系统字段', 'System field'],
    fields: {
      title: { title: ['名称', 'Name'] },
      default_mode: { title: ['默认规则', 'Default'], kind: 'enum', options: modes },
      mask_rule: { title: ['脱敏规则', 'Mask'], kind: 'enum', options: maskRules },
      entity: { title: ['对象', 'Entity'] },
      reveals_a_day: { title: ['每人每日可查看明文', 'Reveals a day'], kind: 'number' },
      mark: { title: ['号码的标记', 'Mark of the number'] },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
    },
  },
  admin_session: {
    title: ['登录会话', 'Session'],
    fields: {
      ended: { title: ['已结束', 'Ended'], kind: 'flag' },
      account: { title: ['账号', 'Account'] },
      ip: { title: ['IP', 'IP'] },
    },
  },
  menu: {
    title: ['运营菜单', 'Console menu'],
    fields: {
      ...menuFields,
      perm: { title: ['权限标识', 'Permission'], kind: 'keys', of: 'perm' },
      en: { title: ['英文名称', 'English title'] },
      icon: { title: ['图标', 'Icon'] },
      hidden_regions: { title: ['隐藏地区', 'Hidden in'], kind: 'list' },
      keep_alive: { title: ['页面缓存', 'Kept alive'], kind: 'flag' },
      added: { title: ['新增', 'Added'], kind: 'number' },
      vanished: { title: ['消失', 'Vanished'], kind: 'number' },
      returned: { title: ['恢复', 'Returned'], kind: 'number' },
    },
  },
  merchant_menu: {
    title: ['商家菜单', 'Merchant menu'],
    fields: {
      ...menuFields,
      packages: {
        title: ['适用商家角色', 'Merchant roles'],
        kind: 'enums',
        options: merchantRoles,
      },
      release: {
        title: ['发布', 'Release'],
        kind: 'enum',
        options: { off: ['未上线', 'Off'], gray: ['灰度中', 'Gray'], full: ['全量', 'Full'] },
      },
      gray_city_ids: { title: ['灰度城市', 'Gray cities'], kind: 'names', of: 'city' },
      gray_store_ids: { title: ['灰度门店', 'Gray stores'], kind: 'names', of: 'store' },
      min_app_version: { title: ['最低版本', 'Lowest version'] },
    },
  },
}
