import {
  auditQueues,
  auditStates,
  auditTabs,
  queueNames,
  rejectCodes,
} from '#src/areas/audit/audit.ts'
import { liveChannels, liveStates, replayStates } from '#src/areas/broadcast/broadcast.ts'
import { verifyKinds } from '#src/areas/code/verifier.ts'
import { bannerStates, positionNames } from '#src/areas/content/banner.ts'
import { contactTypes, scenes } from '#src/areas/content/contact.ts'
import { shareTypes } from '#src/areas/content/shareCard.ts'
import { rowJobStates } from '#src/areas/export/rowJob.ts'
import { reportTemplates } from '#src/areas/figures/report.ts'
import { groupStates, rewardStates } from '#src/areas/group/rollGroup.ts'
import { h5States } from '#src/areas/link/h5Link.ts'
import { linkHealths, linkTypes } from '#src/areas/link/pageLink.ts'
import { mallKinds } from '#src/areas/mall/mall.ts'
import { blocks } from '#src/areas/mall/recommend.ts'
import { bindStates } from '#src/areas/member/visitor.ts'
/**
 * What the operation log calls things: every object type that a handler logs, and every field of
 * its `before` and `after`, in both languages and with the kind that says how a value is read
 * (cents as yuan, unix seconds as a time, codes by their labels, ids by the name of what they stand
 * for).
 *
 * A module adds its object types here, by the names its handlers give to `log({ object_type, … })`
 * and the wire names of `before` and `after`:
 *
 * banner: { title: ['轮播图', 'Banner'], fields: { title: { title: ['标题', 'Title'] }, position: {
 * title: ['位置', 'Position'], kind: 'enum', options: positions }, start_at: { title: ['开始', 'From'],
 * kind: 'time' }, city_ids: { title: ['城市', 'Cities'], kind: 'names', of: 'city' }, } },
 *
 * `guard` names the field rule (table field_key) a value falls under where it isn't
 * `<object_type>.<field>`. A type or field that is not here is still shown: by the common names
 * below, by what its ending says (`_cents`, `_at`, `_bp`), and under the strictest rule of any
 * guarded field of that name.
 */
import { agreementStates, agreementTypes } from '#src/areas/merchant/agreement.ts'
import {
  notifyChannels,
  warningLevels,
  warningMetricNames,
  warningOperators,
  warningStates,
} from '#src/areas/notice/warning.ts'
import { orderStatuses, timesAskStates } from '#src/areas/order/order.ts'
import { ruleFields, type RuleField } from '#src/areas/order/orderRules.ts'
import { menuTypes, merchantRoles } from '#src/areas/people/menu.ts'
import { blockOrders, hotModes, hotStyles } from '#src/areas/place/city.ts'
import { fieldNames } from '#src/areas/product/fields.ts'
import { offerKinds, productStates } from '#src/areas/product/product.ts'
import { raiseStates } from '#src/areas/raise/raise.ts'
import {
  refundRejects,
  refundStates,
  refundTypes,
  returnConditions,
} from '#src/areas/refund/refund.ts'
import {
  listTypes,
  riskActions,
  riskLists,
  riskScenes,
  riskStates,
  ruleStates,
} from '#src/areas/risk/risk.ts'
import { freightModes } from '#src/areas/shipping/freight.ts'
import { viewShares } from '#src/areas/workbench/view.ts'
import { masked, maskRules, type MaskRule } from '#src/domain/mask.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'

/** What an id may stand for; the server finds the name. */
export type Named =
  | 'page_link'
  | 'admin'
  | 'city'
  | 'mall'
  | 'store'
  | 'merchant'
  | 'brand'
  | 'category'
  | 'department'
  | 'role'
  | 'product'
  | 'member'
  | 'menu'
  | 'notify_group'
/** What a key may stand for: a right, or a guarded field. */
type Keyed = 'perm' | 'field'
export type FieldWord = { title: Text; guard?: string } & (
  | { kind?: 'text' | 'number' | 'money' | 'time' | 'percent' | 'flag' | 'list' }
  | { kind: 'enum' | 'enums'; options: Readonly<Record<string, Text>> }
  | { kind: 'name' | 'names'; of: Named }
  | { kind: 'keys'; of: Keyed }
  /** An object: what each key says. */
  | { kind: 'rules'; of: Keyed; options: Readonly<Record<string, Text>> }
)
export type ObjectWord = { title: Text; fields: Readonly<Record<string, FieldWord>> }

const onOff = { on: ['启用', 'On'], off: ['停用', 'Off'] } as const satisfies Record<string, Text>
const scopes = {
  inherit: ['随角色', 'As the roles say'],
  all: ['全部', 'All'],
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
const staffStates = {
  active: ['在职', 'Active'],
  disabled: ['已停用', 'Disabled'],
  left: ['已离职', 'Left'],
} as const satisfies Record<string, Text>
export const exportStates = {
  queued: ['排队中', 'Queued'],
  running: ['生成中', 'Running'],
  done: ['已完成', 'Done'],
  failed: ['失败', 'Failed'],
  cancelled: ['已取消', 'Cancelled'],
  expired: ['已过期', 'Expired'],
  revoked: ['已作废', 'Revoked'],
} as const satisfies Record<string, Text>

/** Fields that mean the same wherever they stand. */
const common: Readonly<Record<string, FieldWord>> = {
  is_recommend: { title: ['推荐', 'Recommended'], kind: 'flag' },
  drop_reason: { title: ['移除原因', 'Why taken off'] },
  name: { title: ['名称', 'Name'] },
  title: { title: ['标题', 'Title'] },
  status: {
    title: ['状态', 'Status'],
    kind: 'enum',
    options: {
      ...onOff,
      ...staffStates,
      draft: ['草稿', 'Draft'],
      online: ['已上线', 'Online'],
      offline: ['已下线', 'Offline'],
      ended: ['已结束', 'Ended'],
      open: ['开放', 'Open'],
      paused: ['暂停', 'Paused'],
      preparing: ['筹备中', 'Preparing'],
      closed: ['已关闭', 'Closed'],
    },
  },
  state: { title: ['状态', 'State'] },
  sort: { title: ['排序', 'Order'], kind: 'number' },
  order: { title: ['顺序', 'Order'], kind: 'list' },
  remark: { title: ['备注', 'Remark'] },
  note: { title: ['说明', 'Note'] },
  reason: { title: ['原因', 'Reason'] },
  image: { title: ['图片', 'Picture'] },
  images: { title: ['图片', 'Pictures'], kind: 'list' },
  phone: { title: ['手机号', 'Phone'] },
  email: { title: ['邮箱', 'Email'] },
  address: { title: ['地址', 'Address'] },
  city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
  city_ids: { title: ['城市', 'Cities'], kind: 'names', of: 'city' },
  mid: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
  mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
  store_id: { title: ['门店', 'Store'], kind: 'name', of: 'store' },
  store_ids: { title: ['门店', 'Stores'], kind: 'names', of: 'store' },
  merchant_id: { title: ['商户', 'Merchant'], kind: 'name', of: 'merchant' },
  product_id: { title: ['商品', 'Product'], kind: 'name', of: 'product' },
  member_id: { title: ['会员', 'Member'], kind: 'name', of: 'member' },
  admin_id: { title: ['员工', 'Staff'], kind: 'name', of: 'admin' },
  department_id: { title: ['部门', 'Department'], kind: 'name', of: 'department' },
  category_id: { title: ['类目', 'Category'], kind: 'name', of: 'category' },
  start_at: { title: ['开始时间', 'From'], kind: 'time' },
  end_at: { title: ['结束时间', 'Until'], kind: 'time' },
  until_at: { title: ['有效至', 'Until'], kind: 'time' },
  hours: { title: ['小时数', 'Hours'], kind: 'number' },
  days: { title: ['天数', 'Days'], kind: 'number' },
  from: { title: ['自', 'From'], kind: 'time' },
  to: { title: ['至', 'To'], kind: 'time' },
  ip: { title: ['IP', 'IP'] },
  account: { title: ['账号', 'Account'] },
  version: { title: ['版本', 'Version'], kind: 'number' },
  id: { title: ['编号', 'ID'], kind: 'number' },
  ids: { title: ['编号', 'IDs'], kind: 'list' },
  format: { title: ['文件格式', 'Format'] },
  keyword: { title: ['关键词', 'Keyword'] },
  tasks: { title: ['任务数', 'Tasks'], kind: 'number' },
  ended: { title: ['已结束', 'Ended'], kind: 'flag' },
  mode: { title: ['方式', 'How'] },
  shift_days: { title: ['顺延天数', 'Days on'], kind: 'number' },
  field: { title: ['查看的字段', 'Field seen'], kind: 'keys', of: 'field' },
  block: { title: ['推荐位', 'Board'], kind: 'enum', options: blocks },
  backup_no: { title: ['备份号', 'Backup'] },
  copy_from_mid: { title: ['复制自商场', 'Copied from'], kind: 'name', of: 'mall' },
  copy_to_mids: { title: ['复制到商场', 'Copied to'], kind: 'names', of: 'mall' },
  already: { title: ['此前已完成', 'Done before'], kind: 'flag' },
  contract_no: { title: ['合同号', 'Contract'] },
  page: { title: ['页面', 'Page'] },
  lng: { title: ['经度', 'Longitude'] },
  lat: { title: ['纬度', 'Latitude'] },
  code: { title: ['编码', 'Code'] },
  kind: { title: ['类型', 'Kind'] },
  type: { title: ['类型', 'Type'] },
}
const offerFields: Readonly<Record<string, FieldWord>> = {
  ...Object.fromEntries(Object.entries(fieldNames).map(([key, title]) => [key, { title }])),
  kind: { title: fieldNames.kind, kind: 'enum', options: offerKinds },
  category_id: { title: fieldNames.category_id, kind: 'name', of: 'category' },
  brand_id: { title: fieldNames.brand_id, kind: 'name', of: 'brand' },
  store_ids: { title: fieldNames.store_ids, kind: 'names', of: 'store' },
  images: { title: fieldNames.images, kind: 'list' },
  tags: { title: fieldNames.tags, kind: 'list' },
  unavailable_dates: { title: fieldNames.unavailable_dates, kind: 'list' },
  commission_bp: { title: fieldNames.commission_bp, kind: 'percent' },
  need_booking: { title: fieldNames.need_booking, kind: 'flag' },
  group_leader_free: { title: fieldNames.group_leader_free, kind: 'flag' },
  transferable: { title: fieldNames.transferable, kind: 'flag' },
  combinable: { title: fieldNames.combinable, kind: 'flag' },
}

const menuFields: Readonly<Record<string, FieldWord>> = {
  title: { title: ['名称', 'Title'] },
  type: { title: ['类型', 'Type'], kind: 'enum', options: menuTypes },
  redirect: { title: ['路径', 'Path'] },
  perm: { title: ['权限标识', 'Permission'] },
  visible: { title: ['显示', 'Visible'], kind: 'flag' },
  parent_id: { title: ['上级菜单', 'Under'], kind: 'name', of: 'menu' },
}

export const objects: Readonly<Record<string, ObjectWord>> = {
  product: {
    title: ['商品', 'Product'],
    fields: {
      ...offerFields,
      state: { title: ['状态', 'State'], kind: 'enum', options: productStates },
      off_reason: { title: ['下架原因', 'Why off sale'] },
      live_version: { title: ['线上版本', 'Live version'], kind: 'number' },
    },
  },
  audit_task: {
    title: ['审核任务', 'Audit task'],
    fields: {
      ...offerFields,
      state: { title: ['状态', 'State'], kind: 'enum', options: { ...auditTabs, ...auditStates } },
      claimed_by: { title: ['领取人', 'Claimed by'], kind: 'name', of: 'admin' },
      decided_by: { title: ['审核人', 'Decided by'], kind: 'name', of: 'admin' },
      first_by: { title: ['初审人', 'First look by'], kind: 'name', of: 'admin' },
      reason_code: { title: ['驳回原因', 'Reject reason'], kind: 'enum', options: rejectCodes },
      more_codes: { title: ['其他驳回原因', 'Further reasons'], kind: 'list' },
      looked_by: { title: ['复看人', 'Looked at by'], kind: 'name', of: 'admin' },
      flags: { title: ['机审标记', 'Flags'], kind: 'list' },
      field_marks: { title: ['字段批注', 'Remarks'] },
      claim_until: { title: ['领取到期', 'Claimed until'], kind: 'time' },
    },
  },
  audit_setting: {
    title: ['审核设置', 'Audit settings'],
    fields: Object.fromEntries(
      auditQueues.map(queue => [
        `look_${queue}`,
        {
          title: [`${queueNames[queue][0]}抽检比例`, `Second looks of ${queueNames[queue][1]}`],
          kind: 'percent',
        },
      ]),
    ),
  },
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
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
    },
  },
  city: {
    title: ['城市', 'City'],
    fields: {
      city_name: { title: ['城市名', 'Name'] },
      status: {
        title: ['状态', 'Status'],
        kind: 'enum',
        options: {
          preparing: ['筹备中', 'Preparing'],
          open: ['已开通', 'Open'],
          paused: ['已暂停', 'Paused'],
        },
      },
      is_default: { title: ['默认城市', 'Default'], kind: 'flag' },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      adcode: { title: ['行政区划代码', 'Division code'] },
      lng: { title: ['经度', 'Longitude'] },
      lat: { title: ['纬度', 'Latitude'] },
      opened_at: { title: ['开通时间', 'Opened'], kind: 'time' },
    },
  },
  mall: {
    title: ['商场', 'Mall'],
    fields: {
      name: { title: ['名称', 'Name'] },
      short_name: { title: ['简称', 'Short name'] },
      status: {
        title: ['状态', 'Status'],
        kind: 'enum',
        options: {
          draft: ['草稿', 'Draft'],
          online: ['已上线', 'Online'],
          offline: ['已下线', 'Offline'],
          closed: ['已关闭', 'Closed'],
        },
      },
      close_reason: { title: ['关闭原因', 'Why closed'] },
      is_hot: { title: ['热门商场', 'Hot'], kind: 'flag' },
      open_hours: { title: ['营业时间', 'Hours'] },
      district: { title: ['区域', 'District'] },
      address: { title: ['地址', 'Address'] },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: mallKinds },
      logo: { title: ['标志', 'Logo'] },
      covers: { title: ['封面图', 'Covers'], kind: 'list' },
      intro: { title: ['介绍', 'Introduction'] },
      parking_note: { title: ['停车说明', 'Parking'] },
      facility_note: { title: ['设施说明', 'Facilities'] },
      lng_e6: { title: ['经度', 'Longitude'], kind: 'number' },
      lat_e6: { title: ['纬度', 'Latitude'], kind: 'number' },
      hot_sort: { title: ['热门排序', 'Place among hot ones'], kind: 'number' },
      options: { title: ['运营选项', 'Options'] },
      recommend_title: { title: ['团购推荐位标题', 'Title of the group-buys'] },
      featured_title: { title: ['精选商品标题', 'Title of the featured'] },
      floors: { title: ['楼层顺序', 'Order of floors'], kind: 'list' },
      categories: { title: ['导购分类', 'Guide categories'], kind: 'list' },
      category_settings: { title: ['导购分类设置', 'Settings of the guide'] },
      hot: { title: ['热门内容顺序', 'Order of hot items'], kind: 'list' },
    },
  },
  coupon: { title: ['优惠券', 'Coupon'], fields: {} },
  banner: {
    title: ['轮播图', 'Banner'],
    fields: {
      title: { title: ['标题', 'Title'] },
      position: { title: ['位置', 'Position'], kind: 'enum', options: positionNames },
      image: { title: ['图片', 'Picture'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
      link_params: { title: ['跳转参数', 'Link values'] },
      city_ids: { title: ['投放城市', 'Cities'], kind: 'names', of: 'city' },
      mid: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      audience: { title: ['受众', 'For'] },
      start_at: { title: ['开始时间', 'From'], kind: 'time' },
      end_at: { title: ['结束时间', 'Until'], kind: 'time' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: bannerStates },
    },
  },
  banner_order: {
    title: ['轮播图顺序', 'Order of banners'],
    fields: { position: { title: ['位置', 'Position'], kind: 'enum', options: positionNames } },
  },
  city_setting: {
    title: ['城市配置项', 'City setting'],
    fields: {
      type: { title: ['板块', 'Block'], kind: 'enum', options: blockOrders },
      ref_id: { title: ['门店或商场编号', 'Store or mall'], kind: 'number' },
      sub_title: { title: ['副标题', 'Subtitle'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
      link_params: { title: ['跳转参数', 'Link values'] },
      audience: { title: ['受众', 'For'] },
    },
  },
  city_settings: {
    title: ['城市展示设置', 'City home settings'],
    fields: {
      settings: { title: ['展示设置', 'Settings'] },
      hot_mall: { title: ['热门商圈', 'Hot malls'] },
      home_title: { title: ['首页标题', 'Home title'] },
      service_phone: { title: ['客服电话', 'Service phone'] },
      default_mid: { title: ['默认商场', 'Default mall'], kind: 'name', of: 'mall' },
      show_hot_mall: { title: ['展示热门商圈', 'Hot malls shown'], kind: 'flag' },
      show_re_store: { title: ['展示推荐门店', 'Stores shown'], kind: 'flag' },
      show_act_area: { title: ['展示活动专区', 'Areas shown'], kind: 'flag' },
      block_order: { title: ['板块顺序', 'Order of blocks'], kind: 'enums', options: blockOrders },
      from_city_id: { title: ['来源城市', 'Copied from'], kind: 'name', of: 'city' },
      copied_areas: { title: ['复制专区', 'Areas copied'], kind: 'number' },
      skipped_stores: { title: ['略过门店', 'Stores skipped'], kind: 'number' },
      skipped_malls: { title: ['略过商场', 'Malls skipped'], kind: 'number' },
    },
  },
  city_hot_mall: {
    title: ['热门商圈设置', 'Hot malls'],
    fields: {
      show: { title: ['在首页展示', 'Shown'], kind: 'flag' },
      mode: { title: ['排序方式', 'Order'], kind: 'enum', options: hotModes },
      limit_count: { title: ['展示数量', 'How many'], kind: 'number' },
      style: { title: ['样式', 'Style'], kind: 'enum', options: hotStyles },
      mids: { title: ['商场', 'Malls'], kind: 'names', of: 'mall' },
    },
  },
  page_link: {
    title: ['页面链接', 'Page link'],
    fields: {
      type: { title: ['类型', 'Type'], kind: 'enum', options: linkTypes },
      path: { title: ['路径', 'Path'] },
      params: { title: ['参数', 'Parameters'] },
      appid: { title: ['AppID', 'AppID'] },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      health: { title: ['检测结果', 'Health'], kind: 'enum', options: linkHealths },
    },
  },
  page_link_use: {
    title: ['链接引用', 'Use of a link'],
    fields: { page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' } },
  },
  share_card: {
    title: ['分享卡片', 'Share card'],
    fields: {
      page_type: { title: ['页面类型', 'Page type'], kind: 'enum', options: shareTypes },
      title_tpl: { title: ['标题模板', 'Title'] },
      poster: { title: ['海报', 'Poster'] },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      reward_points: { title: ['奖励积分', 'Points'], kind: 'number' },
      daily_limit: { title: ['每日上限', 'A day'], kind: 'number' },
      reward_budget: { title: ['总预算', 'Budget'], kind: 'number' },
    },
  },
  agreement: {
    title: ['协议文本', 'Agreement'],
    fields: {
      type: { title: ['类型', 'Type'], kind: 'enum', options: agreementTypes },
      state: { title: ['状态', 'State'], kind: 'enum', options: agreementStates },
      content: { title: ['正文', 'Text'] },
      summary: { title: ['变更摘要', 'Summary'] },
      force_consent: { title: ['要求重新同意', 'Consent anew'], kind: 'flag' },
      effective_at: { title: ['生效时间', 'In force from'], kind: 'time' },
      withdraw_reason: { title: ['撤回原因', 'Why withdrawn'] },
    },
  },
  h5_link: {
    title: ['推广短链', 'Short link'],
    fields: {
      name: { title: ['名称', 'Name'] },
      code: { title: ['短码', 'Code'] },
      page_link_id: { title: ['目标', 'Target'], kind: 'name', of: 'page_link' },
      params: { title: ['参数', 'Values'] },
      channel: { title: ['渠道', 'Channel'] },
      expire_at: { title: ['到期时间', 'Until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: h5States },
      stop_reason: { title: ['停用原因', 'Why stopped'] },
    },
  },
  live_room: {
    title: ['直播间', 'Live room'],
    fields: {
      channel: { title: ['渠道', 'Channel'], kind: 'enum', options: liveChannels },
      host_id: { title: ['主播编号', 'Host'], kind: 'number' },
      cover: { title: ['封面图', 'Cover'] },
      share_image: { title: ['分享图', 'Share picture'] },
      background: { title: ['背景图', 'Background'] },
      coupon_ids: { title: ['优惠券编号', 'Coupons'], kind: 'list' },
      comments_on: { title: ['评论', 'Comments'], kind: 'flag' },
      goods_on: { title: ['商品货架', 'Shelf'], kind: 'flag' },
      state: { title: ['状态', 'State'], kind: 'enum', options: liveStates },
      replay_state: { title: ['回放', 'Replay'], kind: 'enum', options: replayStates },
      recommended: { title: ['推荐', 'Recommended'], kind: 'flag' },
      gone: { title: ['已删除', 'Deleted'], kind: 'flag' },
      notices: { title: ['待通知人数', 'To be told'], kind: 'number' },
      product_ids: { title: ['商品', 'Products'], kind: 'names', of: 'product' },
      price_cents: { title: ['直播价', 'Live price'], kind: 'money' },
      stock: { title: ['直播库存', 'Live stock'], kind: 'number' },
      order: { title: ['商品顺序', 'Order of products'], kind: 'names', of: 'product' },
    },
  },
  service_contact: {
    title: ['客服渠道', 'Service contact'],
    fields: {
      scene: { title: ['场景', 'Scene'], kind: 'enum', options: scenes },
      type: { title: ['方式', 'Kind'], kind: 'enum', options: contactTypes },
      value: { title: ['号码或链接', 'Number or link'] },
      qr: { title: ['二维码', 'QR'] },
      hours: { title: ['工作时间', 'Hours'] },
      auto_reply: { title: ['自动回复', 'Auto reply'] },
      expires_at: { title: ['二维码到期', 'QR runs out'], kind: 'time' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
    },
  },
  export_job: {
    title: ['导出任务', 'Export'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: exportStates },
      link: { title: ['取得下载链接', 'Link given'], kind: 'flag' },
      expires_at: { title: ['保存至', 'Kept until'], kind: 'time' },
      downloads: { title: ['下载次数', 'Downloads'], kind: 'number' },
    },
  },
  row_job: {
    title: ['批量任务', 'Job'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: rowJobStates },
      rows: { title: ['行数', 'Rows'], kind: 'number' },
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
  ip_ban: {
    title: ['IP 封禁', 'IP ban'],
    fields: {
      ip: { title: ['IP', 'IP'] },
      until_at: { title: ['封禁至', 'Banned until'], kind: 'time' },
      lifted: { title: ['已解除', 'Lifted'], kind: 'flag' },
    },
  },
  buy_limit_log: {
    title: ['限购拦截', 'Purchase-limit block'],
    fields: {
      result: {
        title: ['结果', 'Result'],
        kind: 'enum',
        options: {
          blocked: ['已拦截', 'Blocked'],
          released: ['已放行', 'Released'],
          used: ['放行已用', 'Release used'],
        },
      },
      release_until: { title: ['放行至', 'Released until'], kind: 'time' },
    },
  },
  risk_list: {
    title: ['黑白名单', 'Black and white list'],
    fields: {
      list: { title: ['名单', 'List'], kind: 'enum', options: riskLists },
      value: { title: ['值', 'Value'] },
      until_at: { title: ['有效至', 'Until'], kind: 'time' },
      type: { title: ['类型', 'Type'], kind: 'enum', options: listTypes },
      phone: { title: ['手机号', 'Phone'], guard: 'member.phone' },
      status: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { on: ['生效', 'On'], removed: ['已移出', 'Taken off'] },
      },
    },
  },
  member: { title: ['会员', 'Member'], fields: {} },
  merchant: { title: ['商户', 'Merchant'], fields: {} },
  order: {
    title: ['订单', 'Order'],
    fields: {
      frozen: { title: ['冻结', 'Frozen'], kind: 'flag' },
      freeze_reason: { title: ['冻结原因', 'Why frozen'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: orderStatuses },
      refund_state: {
        title: ['退款', 'Refund'],
        kind: 'enum',
        options: {
          none: ['无', 'None'],
          refunding: ['退款中', 'Open'],
          part_refunded: ['部分退款', 'In part'],
          refunded: ['已退款', 'Refunded'],
        },
      },
      refund_no: { title: ['退款单号', 'Refund no.'] },
      refund_status: { title: ['退款进度', 'Refund is'], kind: 'enum', options: refundStates },
      amount_cents: { title: ['退款金额', 'Amount'], kind: 'money' },
      valid_until: { title: ['有效期至', 'Valid until'], kind: 'time' },
      codes_sent: { title: ['重发券码', 'Codes sent'], kind: 'number' },
      redeemed_times: { title: ['代核销次数', 'Uses redeemed'], kind: 'number' },
      record_id: { title: ['核销记录', 'Redemption'], kind: 'number' },
      reversed_record: { title: ['撤销核销', 'Redemption taken back'], kind: 'number' },
      times_bonus: { title: ['补偿次数', 'Uses given on top'], kind: 'number' },
      bill_no: { title: ['账单号', 'Bill no.'] },
      bill_cents: { title: ['账单金额', 'Bill'], kind: 'money' },
      reversed_n: { title: ['撤销张数', 'Taken back'], kind: 'number' },
      risk_hit: { title: ['风控命中', 'Risk hit'], kind: 'number' },
      gifts_recalled: { title: ['撤回转赠', 'Gifts recalled'], kind: 'number' },
      tags: { title: ['标签', 'Tags'], kind: 'list' },
      balance_until: { title: ['尾款期限', 'Balance until'], kind: 'time' },
      deposit_back: { title: ['退定金', 'Deposit given back'], kind: 'flag' },
      tracking_no: { title: ['快递单号', 'Tracking no.'] },
      pay_cents: { title: ['应付', 'Due'], kind: 'money' },
      receive_by: { title: ['自动收货', 'Received by itself'], kind: 'time' },
      reissue_no: { title: ['补发订单', 'Sent again as'] },
      print: { title: ['打印', 'Printed'] },
      receiver_name: { title: ['收货人', 'Receiver'], guard: 'order.receiver_name' },
      receiver_phone: { title: ['收货电话', 'Receiver’s phone'], guard: 'order.receiver_phone' },
      receiver_area: { title: ['收货地区', 'Receiver’s place'] },
      receiver_address: {
        title: ['收货地址', 'Receiver’s address'],
        guard: 'order.receiver_address',
      },
      bind_state: { title: ['绑定', 'Binding'], kind: 'enum', options: bindStates },
      times_state: { title: ['补偿申请', 'Uses asked for'], kind: 'enum', options: timesAskStates },
      times_asked: { title: ['申请补偿', 'Uses asked for'], kind: 'number' },
      store_agreed: { title: ['门店同意', 'The store agreed'] },
      ready_at: { title: ['备好时间', 'Ready at'], kind: 'time' },
      dispatched_at: { title: ['出发时间', 'Set out at'], kind: 'time' },
      rider: { title: ['骑手', 'Rider'] },
      promise_at: { title: ['承诺时间', 'Promised for'], kind: 'time' },
      store_id: { title: ['门店', 'Store'], kind: 'name', of: 'store' },
      receiver_changed: { title: ['修改的收货信息', 'Changed of the receiver'], kind: 'list' },
      reminded_at: { title: ['催促时间', 'Urged at'], kind: 'time' },
      points_back: { title: ['退回积分', 'Points given back'], kind: 'number' },
      issue_no: { title: ['发放号', 'Issue no.'] },
      printed_slips: { title: ['打印备货单', 'Slips printed'], kind: 'number' },
      invoice_no: { title: ['发票号', 'Invoice no.'] },
      invoice_cents: { title: ['开票金额', 'Invoiced'], kind: 'money' },
      part: { title: ['子项', 'Part'] },
      policy_override: { title: ['政策例外', 'Exception from the policy'], kind: 'flag' },
    },
  },
  refund: {
    title: ['退款单', 'Refund'],
    fields: {
      state: { title: ['阶段', 'Stage'], kind: 'enum', options: refundStates },
      type: { title: ['类型', 'Type'], kind: 'enum', options: refundTypes },
      amount_cents: { title: ['退款金额', 'Amount'], kind: 'money' },
      claimed_by: { title: ['处理人', 'Held by'], kind: 'name', of: 'admin' },
      claim_until: { title: ['领取到期', 'Held until'], kind: 'time' },
      first_by: { title: ['初审人', 'First'], kind: 'name', of: 'admin' },
      second_by: { title: ['复核人', 'Second'], kind: 'name', of: 'admin' },
      reject_code: { title: ['拒绝原因', 'Why refused'], kind: 'enum', options: refundRejects },
      reject_reason: { title: ['拒绝说明', 'Refused in words'] },
      return_address_id: { title: ['退货地址编号', 'Return address'], kind: 'number' },
      return_courier: { title: ['退货快递', 'Courier back'] },
      return_tracking_no: { title: ['退货单号', 'Number back'] },
      return_received_at: { title: ['收到退货', 'Goods back'], kind: 'time' },
      return_condition: {
        title: ['退货状况', 'Condition'],
        kind: 'enum',
        options: returnConditions,
      },
      deadline_at: { title: ['时限', 'Due'], kind: 'time' },
      intervened: { title: ['平台介入', 'Platform decides'], kind: 'flag' },
      offline: { title: ['线下打款', 'By hand'], kind: 'flag' },
      policy_override: { title: ['政策例外', 'Exception from the policy'], kind: 'flag' },
      offline_account: { title: ['收款账户', 'Account'], guard: 'refund.bank_no' },
      offline_proof: { title: ['打款凭证', 'Proof'] },
      consent: { title: ['买家同意', 'The buyer agrees'] },
      reply: { title: ['回复买家', 'Reply'] },
    },
  },
  roll_group: {
    title: ['拼团', 'Group of buyers'],
    fields: {
      group_state: { title: ['团状态', 'Group is'], kind: 'enum', options: groupStates },
      virtual_n: { title: ['虚拟席位', 'Virtual seats'], kind: 'number' },
      reward_state: {
        title: ['团长免单', 'Leader goes free'],
        kind: 'enum',
        options: rewardStates,
      },
      reward_cents: { title: ['免单金额', 'Reward'], kind: 'money' },
      expire_at: { title: ['成团截止', 'Ends'], kind: 'time' },
    },
  },
  raise_batch: {
    title: ['众筹场次', 'Campaign'],
    fields: {
      raise_state: { title: ['众筹状态', 'Campaign is'], kind: 'enum', options: raiseStates },
      end_at: { title: ['众筹截止', 'Ends'], kind: 'time' },
      ship_at: { title: ['承诺发货', 'To be shipped'], kind: 'time' },
      declare_by: { title: ['提请宣布成功', 'Asked for success'], kind: 'name', of: 'admin' },
      reminded_n: { title: ['提醒人数', 'Reminded'], kind: 'number' },
    },
  },
  risk_rule: {
    title: ['风控规则', 'Risk rule'],
    fields: {
      scene: { title: ['场景', 'Scene'], kind: 'enum', options: riskScenes },
      condition: { title: ['条件', 'Condition'] },
      action: { title: ['动作', 'Action'], kind: 'enum', options: riskActions },
      status: { title: ['状态', 'State'], kind: 'enum', options: ruleStates },
      dry_run_days: { title: ['试跑天数', 'Days tried'], kind: 'number' },
      dry_run_orders: { title: ['会拦截的订单', 'Orders it would stop'], kind: 'number' },
      dry_run_amount_cents: { title: ['涉及金额', 'Their amount'], kind: 'money' },
    },
  },
  risk_hit: {
    title: ['风险命中', 'Risk hit'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: riskStates },
      claimed_by: { title: ['处理人', 'Claimed by'], kind: 'name', of: 'admin' },
      froze: { title: ['冻结订单数', 'Orders frozen'], kind: 'number' },
      unfrozen: { title: ['解冻订单数', 'Orders freed'], kind: 'number' },
    },
  },
  layout: {
    title: ['工作台布局', 'Layout'],
    fields: {
      kind: {
        title: ['归属', 'Whose'],
        kind: 'enum',
        options: {
          mine: ['我的', 'Own'],
          team: ['团队', 'Team'],
          role: ['角色推荐', 'Recommended'],
        },
      },
      role_id: { title: ['推荐给', 'Recommended to'], kind: 'name', of: 'role' },
      pages: { title: ['页面', 'Pages'], kind: 'list' },
    },
  },
  warning_rule: {
    title: ['预警规则', 'Warning rule'],
    fields: {
      metric: { title: ['指标', 'Metric'], kind: 'enum', options: warningMetricNames },
      operator: { title: ['条件', 'Condition'], kind: 'enum', options: warningOperators },
      threshold: { title: ['阈值', 'Threshold'], kind: 'number' },
      window_s: { title: ['窗口（秒）', 'Window (seconds)'], kind: 'number' },
      min_sample: { title: ['最小样本', 'Smallest sample'], kind: 'number' },
      level: { title: ['级别', 'Level'], kind: 'enum', options: warningLevels },
      group_ids: { title: ['接收群组', 'Groups told'], kind: 'names', of: 'notify_group' },
      auto_recover: { title: ['自动恢复', 'Ends by itself'], kind: 'flag' },
      mute_until: { title: ['静默至', 'Muted until'], kind: 'time' },
      mute_reason: { title: ['静默原因', 'Why muted'] },
      scope: { title: ['范围', 'Place'] },
      gone: { title: ['已删除', 'Deleted'], kind: 'flag' },
      copied_from: { title: ['复制自', 'Copied from'], kind: 'number' },
    },
  },
  warning_log: {
    title: ['预警', 'Alarm'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: warningStates },
      level: { title: ['级别', 'Level'], kind: 'enum', options: warningLevels },
      acked_by: { title: ['确认人', 'Acknowledged by'], kind: 'name', of: 'admin' },
      assigned_to: { title: ['负责人', 'Person'], kind: 'name', of: 'admin' },
      handled_by: { title: ['处理人', 'Handled by'], kind: 'name', of: 'admin' },
      acked_at: { title: ['确认时间', 'Acknowledged'], kind: 'time' },
      handled_at: { title: ['处理时间', 'Handled'], kind: 'time' },
      escalated_at: { title: ['升级时间', 'Escalated'], kind: 'time' },
      recovered_at: { title: ['恢复时间', 'Recovered'], kind: 'time' },
      result: { title: ['处理结果', 'Result'] },
      value: { title: ['数值', 'Value'], kind: 'number' },
    },
  },
  notify_group: {
    title: ['通知群组', 'Notification group'],
    fields: {
      channel: { title: ['渠道', 'Channel'], kind: 'enum', options: notifyChannels },
      target: { title: ['目标', 'Target'] },
      members: { title: ['成员', 'Members'], kind: 'names', of: 'admin' },
      roster: { title: ['值班表', 'Roster'] },
      quiet: { title: ['免打扰', 'Quiet hours'] },
      ok: { title: ['送达', 'Arrived'], kind: 'flag' },
      answer: { title: ['渠道回答', 'Answer'] },
    },
  },
  report_sub: {
    title: ['报表订阅', 'Report'],
    fields: {
      mids: { title: ['商场', 'Malls'], kind: 'names', of: 'mall' },
      group_ids: { title: ['接收群组', 'Groups'], kind: 'names', of: 'notify_group' },
      emails: { title: ['接收邮箱', 'E-mail'], kind: 'list' },
      template: { title: ['报表', 'Report'], kind: 'enum', options: reportTemplates },
      schedule: { title: ['发送时间', 'Schedule'] },
      receivers: { title: ['接收', 'Receivers'] },
      scope: { title: ['范围', 'Places'] },
      pause_reason: { title: ['暂停原因', 'Why paused'] },
      period: { title: ['期次', 'Period'] },
      resend: { title: ['补发次数', 'Sent again'], kind: 'number' },
      status: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { on: ['订阅中', 'On'], paused: ['已暂停', 'Paused'] },
      },
      state: {
        title: ['结果', 'Outcome'],
        kind: 'enum',
        options: { ok: ['成功', 'Sent'], failed: ['失败', 'Failed'] },
      },
    },
  },
  verifier: {
    title: ['核销员', 'Verifier'],
    fields: {
      phone: { title: ['手机号', 'Phone'], guard: 'admin.phone' },
      kinds: { title: ['可核销类型', 'Kinds'], kind: 'enums', options: verifyKinds },
      daily_count_limit: { title: ['每日次数', 'Times a day'], kind: 'number' },
      daily_amount_limit_cents: { title: ['每日金额', 'Amount a day'], kind: 'money' },
      openid: { title: ['微信', 'WeChat'] },
      status_reason: { title: ['停用原因', 'Why off'] },
      locked_until: { title: ['锁定至', 'Locked until'], kind: 'time' },
      status: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { active: ['在用', 'On'], disabled: ['停用', 'Off'] },
      },
    },
  },
  mall_floor: {
    title: ['楼层', 'Floor'],
    fields: {
      alias: { title: ['别名', 'Alias'] },
      level_no: { title: ['层号', 'Level'], kind: 'number' },
      map_image: { title: ['平面图', 'Plan'] },
      is_show: { title: ['展示', 'Shown'], kind: 'flag' },
    },
  },
  mall_category: {
    title: ['导购分类', 'Guide category'],
    fields: {
      store_name: { title: ['门店', 'Store'] },
      stores: { title: ['推荐门店数', 'Stores in it'], kind: 'number' },
      parent_id: { title: ['上级分类编号', 'Under'], kind: 'number' },
      icon: { title: ['图标', 'Icon'] },
      shop_category_ids: { title: ['聚合的经营分类', 'Gathers'], kind: 'list' },
      jump_kind: { title: ['打开方式', 'Opens'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
      is_show: { title: ['展示', 'Shown'], kind: 'flag' },
    },
  },
  hot_item: {
    title: ['热门内容', 'Hot item'],
    fields: {
      ref_id: { title: ['目标编号', 'Target'], kind: 'number' },
      badge: { title: ['角标', 'Badge'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
    },
  },
  store: {
    title: ['门店', 'Store'],
    fields: {
      floor_id: { title: ['楼层编号', 'Floor'], kind: 'number' },
      floor: { title: ['楼层', 'Floor'] },
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
  order_config: {
    title: ['订单规则', 'Order rules'],
    fields: Object.fromEntries(
      Object.entries<RuleField>(ruleFields).map(([name, field]): [string, FieldWord] => [
        name,
        field.kind === 'choice'
          ? { title: field.title, kind: 'enum', options: field.options }
          : {
              title: field.title,
              kind: (
                {
                  number: 'number',
                  money: 'money',
                  percent: 'percent',
                  flag: 'flag',
                  days: 'list',
                  areas: 'list',
                  senders: 'list',
                  windows: 'list',
                } as const
              )[field.kind],
            },
      ]),
    ),
  },
  freight_template: {
    title: ['运费模板', 'Freight template'],
    fields: {
      mode: {
        title: ['计费方式', 'Counted'],
        kind: 'enum',
        options: Object.fromEntries(
          Object.entries(freightModes).map(([key, { title }]) => [key, title]),
        ),
      },
      regions: { title: ['地区运费', 'Fees by place'], kind: 'list' },
      free_rules: { title: ['包邮条件', 'Free from'], kind: 'list' },
      no_delivery: { title: ['不配送区域', 'Not delivered to'], kind: 'list' },
    },
  },
  verify_record: {
    title: ['核销记录', 'Redemption'],
    fields: {
      state: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { valid: ['有效', 'Valid'], reversed: ['已撤销', 'Taken back'] },
      },
      abnormal: { title: ['异常', 'Abnormal'], kind: 'flag' },
      settle_cents: { title: ['结算金额', 'Settled'], kind: 'money' },
      bill_no: { title: ['账单号', 'Bill no.'] },
      reversed_n: { title: ['撤销张数', 'Taken back'], kind: 'number' },
      risk_hit: { title: ['风控命中', 'Risk hit'], kind: 'number' },
    },
  },
  order_code: {
    title: ['券码', 'Code'],
    fields: { times_used: { title: ['已用次数', 'Times used'], kind: 'number' } },
  },
  daily_stat: {
    title: ['经营日统计', 'Figures of a day'],
    fields: {
      gmv_cents: { title: ['成交额', 'Sales'], kind: 'money' },
      verified_cents: { title: ['核销额', 'Redeemed'], kind: 'money' },
      refunded_cents: { title: ['退款额', 'Refunded'], kind: 'money' },
    },
  },
  saved_view: {
    title: ['视图', 'View'],
    fields: {
      page: { title: ['页面', 'Page'] },
      search: { title: ['筛选', 'Filters'] },
      share: { title: ['共享范围', 'Shared with'], kind: 'enum', options: viewShares },
      role_id: { title: ['角色', 'Role'], kind: 'name', of: 'role' },
      department_id: { title: ['部门', 'Department'], kind: 'name', of: 'department' },
      is_default: { title: ['默认', 'Default'], kind: 'flag' },
    },
  },
  op_log: { title: ['操作日志', 'Operation log'], fields: {} },
  batch: { title: ['批量操作', 'Batch'], fields: {} },
}

/** The entry of a key that a person may have typed: `__proto__` and its like are no entries. */
export const entryOf = <T>(of: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined

export const objectTitle = (object_type: string): Text =>
  entryOf(objects, object_type)?.title ?? [object_type, object_type]
const bySuffix = (field: string): FieldWord => {
  const title: Text = [field, field]
  return field.endsWith('_cents')
    ? { title, kind: 'money' }
    : field.endsWith('_at') || field.endsWith('_until')
      ? { title, kind: 'time' }
      : field.endsWith('_bp')
        ? { title, kind: 'percent' }
        : { title }
}
/**
 * What a field is called and how its values are read. A field of an offer has its name in any
 * object.
 */
export const fieldWord = (object_type: string, field: string): FieldWord => {
  const own =
    entryOf(entryOf(objects, object_type)?.fields ?? {}, field) ??
    entryOf(common, field) ??
    entryOf(offerFields, field) ??
    bySuffix(field)
  // The ending says what the unit is where nobody said it.
  return own.kind ? own : ({ ...bySuffix(field), ...own } as FieldWord)
}

/**
 * The field that a question of a form sets: by its own name, or by the id of what it is called
 * after.
 */
export const loggedField = (object_type: string, name: string): string | undefined => {
  const own = entryOf(objects, object_type)?.fields
  return (
    own &&
    [name, `${name}_id`, `${name}_ids`].find(field => entryOf(own, field) ?? entryOf(common, field))
  )
}

/**
 * Who reads, as far as guarded values are concerned: the guarded keys there are, each with its
 * mask, and the reader's rule for each.
 */
export type Reader = {
  masks: Readonly<Record<string, MaskRule>>
  mode: (key: string) => 'show' | 'mask' | 'hide'
}
const strictness = { show: 0, mask: 1, hide: 2 } as const
/** The guarded keys that a field of an object falls under. */
export const guardsFor = (
  object_type: string,
  field: string,
  known: readonly string[],
): readonly string[] => {
  const word = entryOf(entryOf(objects, object_type)?.fields ?? {}, field)
  if (word?.guard) return [word.guard]
  const exact = `${object_type}.${field}`
  if (known.includes(exact)) return [exact]
  // A task tells of its product.
  if (object_type === 'audit_task' && known.includes(`product.${field}`))
    return [`product.${field}`]
  return word ? [] : known.filter(key => key.endsWith(`.${field}`))
}
const rule = (
  object_type: string,
  field: string,
  { masks, mode }: Reader,
): { mode: 'show' | 'mask' | 'hide'; mask: MaskRule } => {
  let found: { mode: 'show' | 'mask' | 'hide'; mask: MaskRule } = { mode: 'show', mask: 'all' }
  for (const key of guardsFor(object_type, field, Object.keys(masks))) {
    const now = mode(key)
    if (strictness[now] > strictness[found.mode]) found = { mode: now, mask: masks[key] ?? 'all' }
  }
  return found
}

export type Names = (of: Named | Keyed, id: number | string) => string | undefined
type Around = { object_type: string; lang: Lang; names: Names; reader: Reader }
const plainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A value in words; null for none. What the reader may not see is masked or left out, however deep
 * it stands.
 */
export const valueWords = (
  field: string,
  value: unknown,
  around: Around,
  word: FieldWord = fieldWord(around.object_type, field),
): string | null => {
  const { object_type, lang, names, reader } = around
  if (value === null || value === undefined || value === '') return null
  const { mode, mask } = rule(object_type, field, reader)
  if (mode === 'hide' || (mode === 'mask' && typeof value !== 'string')) return '****'
  if (mode === 'mask') return masked(mask, value as string)
  const nameOf = (id: unknown) =>
    (word.kind === 'name' || word.kind === 'names') && typeof id === 'number'
      ? (names(word.of, id) ?? `#${id}`)
      : String(id)
  const label = (one: unknown) =>
    word.kind === 'enum' || word.kind === 'enums'
      ? say(entryOf(word.options, String(one)) ?? [String(one), String(one)], lang)
      : String(one)
  if (word.kind === 'keys')
    return (
      [value]
        .flat()
        .map(key => names(word.of, String(key)) ?? String(key))
        .join(say(['、', ', '], lang)) || null
    )
  if (word.kind === 'rules' && plainObject(value))
    return (
      Object.entries(value)
        .map(
          ([key, said]) =>
            `${names(word.of, key) ?? key} ${say(entryOf(word.options, String(said)) ?? [String(said), String(said)], lang)}`,
        )
        .join(say(['，', ', '], lang)) || null
    )
  if (Array.isArray(value)) {
    const words = value
      .map(one =>
        plainObject(one)
          ? objectWords(one, around)
          : word.kind === 'names'
            ? nameOf(one)
            : word.kind === 'enums'
              ? label(one)
              : valueWords(field, one, around, word),
      )
      .filter(one => one !== null)
    return words.length > 0 ? words.join(say(['、', ', '], lang)) : null
  }
  if (plainObject(value)) return objectWords(value, around)
  if (typeof value === 'boolean') return say(value ? ['是', 'Yes'] : ['否', 'No'], lang)
  if (typeof value === 'number') {
    if (word.kind === 'money') return `¥${yuan(value)}`
    if (word.kind === 'time') return value === 0 ? null : timeFull(value)
    if (word.kind === 'percent') return percent(value)
    if (word.kind === 'name') return value === 0 ? null : nameOf(value)
  }
  return word.kind === 'enum' ? label(value) : String(value)
}
const objectWords = (value: Record<string, unknown>, around: Around): string | null => {
  const parts = Object.entries(value).flatMap(([key, inner]) => {
    const words = valueWords(key, inner, around)
    return words === null
      ? []
      : [`${say(fieldWord(around.object_type, key).title, around.lang)} ${words}`]
  })
  return parts.length > 0 ? parts.join(say(['，', ', '], around.lang)) : null
}

/** One field of a change, in words. `added` and `removed` tell a list's difference. */
export type Change = {
  field: string
  title: string
  before: string | null
  after: string | null
  added?: string[]
  removed?: string[]
}
const listWords = (field: string, value: unknown, around: Around): string[] =>
  Array.isArray(value) ? value.flatMap(one => valueWords(field, [one], around) ?? []) : []

/**
 * What a row of the log changed, field by field, in words and by the reader's rules: `withheld`
 * fields are not told at all. A change inside a nested object is told by the inner field; a field
 * that is the same on both sides is no change.
 */
export const changesOf = (
  of: { object_type: string; before: unknown; after: unknown },
  lang: Lang,
  names: Names,
  reader: Reader,
): { changes: Change[]; withheld: number } => {
  const around: Around = { object_type: of.object_type, lang, names, reader }
  const known = Object.keys(entryOf(objects, of.object_type)?.fields ?? {})
  const changes: Change[] = []
  let withheld = 0
  const walk = (
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    path: readonly string[],
    titles: readonly string[],
    within?: FieldWord,
  ) => {
    // In the order of the registry: a database keeps keys in one of its own.
    const place = (field: string) => {
      const at = known.indexOf(field)
      return at < 0 ? known.length : at
    }
    for (const field of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(
      (a, b) => place(a) - place(b),
    )) {
      const [was, is] = [before[field], after[field]]
      if (
        JSON.stringify(was ?? null) === JSON.stringify(is ?? null) ||
        (path.length === 0 && (field === 'version' || field === 'request_id'))
      )
        continue
      const { mode } = rule(of.object_type, field, reader)
      const word: FieldWord =
        within?.kind === 'rules'
          ? {
              title: [names(within.of, field) ?? field, names(within.of, field) ?? field],
              kind: 'enum',
              options: within.options,
            }
          : fieldWord(of.object_type, field)
      const title = [...titles, say(word.title, lang)]
      if (
        mode === 'hide' ||
        (mode === 'mask' &&
          [was, is].some(
            value => value !== null && value !== undefined && typeof value !== 'string',
          ))
      ) {
        withheld++
        continue
      }
      if (
        (plainObject(was) || plainObject(is)) &&
        (plainObject(was) || was === undefined || was === null) &&
        (plainObject(is) || is === undefined || is === null)
      ) {
        walk(plainObject(was) ? was : {}, plainObject(is) ? is : {}, [...path, field], title, word)
        continue
      }
      const change: Change = {
        field: [...path, field].join('.'),
        title: title.join(' · '),
        before: valueWords(field, was, around, word),
        after: valueWords(field, is, around, word),
      }
      if (Array.isArray(was) && Array.isArray(is)) {
        const [old, now] = [listWords(field, was, around), listWords(field, is, around)]
        change.added = now.filter(one => !old.includes(one))
        change.removed = old.filter(one => !now.includes(one))
      }
      changes.push(change)
    }
  }
  walk(plainObject(of.before) ? of.before : {}, plainObject(of.after) ? of.after : {}, [], [])
  return { changes, withheld }
}

/** The ids whose names a change needs, by what they stand for. */
export const namesNeeded = (
  object_type: string,
  value: unknown,
  found: Map<Named, Set<number>> = new Map(),
): Map<Named, Set<number>> => {
  if (Array.isArray(value)) for (const one of value) namesNeeded(object_type, one, found)
  if (!plainObject(value)) return found
  for (const [field, inner] of Object.entries(value)) {
    const word = fieldWord(object_type, field)
    if (word.kind === 'name' || word.kind === 'names') {
      const ids = found.get(word.of) ?? new Set<number>()
      for (const id of [inner].flat())
        if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && id <= 2_147_483_647)
          ids.add(id)
      found.set(word.of, ids)
    } else namesNeeded(object_type, inner, found)
  }
  return found
}
