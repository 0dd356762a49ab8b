import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, HOUR } from '#src/domain/time.ts'

/** States of a colleague in WeCom, as its directory tells them; `left` once it tells none. */
export const staffStates = {
  active: ['在职', 'Active'],
  inactive: ['未激活', 'Not activated'],
  disabled: ['已禁用', 'Disabled'],
  left: ['已离职', 'Left'],
} as const satisfies Record<string, Text>
export type StaffState = keyof typeof staffStates

export const customerStates = {
  following: ['跟进中', 'Followed'],
  lost: ['已流失', 'Lost'],
  merged: ['已合并', 'Merged'],
} as const satisfies Record<string, Text>
export type CustomerState = keyof typeof customerStates

export const customerTypes = {
  wechat: ['微信用户', 'WeChat'],
  wecom: ['企业微信用户', 'WeCom'],
} as const satisfies Record<string, Text>
export const wecomGenders = {
  unknown: ['未知', 'Unknown'],
  male: ['男', 'Male'],
  female: ['女', 'Female'],
} as const satisfies Record<string, Text>

/** How a relation stands: live, or who or what ended it. */
export const followStates = {
  following: ['跟进中', 'Live'],
  deleted_by_customer: ['客户删除成员', 'Deleted by the customer'],
  deleted_by_staff: ['成员删除客户', 'Deleted by the adviser'],
  transferred: ['已转接', 'Handed over'],
} as const satisfies Record<string, Text>
export type FollowState = keyof typeof followStates

/** How a customer was added. */
export const addWays = {
  unknown: ['未知', 'Unknown'],
  qrcode: ['扫描二维码', 'QR code'],
  phone_search: ['搜索手机号', 'Phone'],
  card: ['名片分享', 'Shared card'],
  group_chat: ['群聊', 'Group chat'],
  address_book: ['手机通讯录', 'Address book'],
  wechat_contact: ['微信联系人', 'WeChat contact'],
  friend_apply: ['来自微信的添加', 'WeChat request'],
  miniprogram: ['小程序', 'Mini program'],
  shared: ['内部成员共享', 'Shared by staff'],
  assigned: ['管理员分配', 'Assigned'],
} as const satisfies Record<string, Text>
export type AddWay = keyof typeof addWays
/** WeCom's own numbers of the ways; every other number is `unknown`. */
export const addWayCodes: Readonly<Record<number, AddWay>> = {
  0: 'unknown',
  1: 'qrcode',
  2: 'phone_search',
  3: 'card',
  4: 'group_chat',
  5: 'address_book',
  6: 'wechat_contact',
  7: 'friend_apply',
  9: 'friend_apply',
  10: 'miniprogram',
  16: 'miniprogram',
  201: 'shared',
  202: 'assigned',
}
/** The number of a way, as WeCom tells it. */
export const codeOfWay = (way: AddWay): number =>
  Number(Object.entries(addWayCodes).find(([, one]) => one === way)?.[0] ?? 0)

export const stages = {
  new: ['新客', 'New'],
  contacted: ['已沟通', 'Contacted'],
  interested: ['有意向', 'Interested'],
  ordered: ['已下单', 'Ordered'],
  repeat: ['复购', 'Repeat'],
  silent: ['沉默', 'Silent'],
} as const satisfies Record<string, Text>

export const transferKinds = {
  on_job: ['在职转接', 'In service'],
  resigned: ['离职继承', 'After leaving'],
  group_chat: ['客户群转接', 'Group chat'],
} as const satisfies Record<string, Text>
export type TransferKind = keyof typeof transferKinds
export const transferStates = {
  waiting: ['接替中', 'Waiting'],
  done: ['已完成', 'Done'],
  refused: ['客户拒绝', 'Refused'],
  cap_reached: ['接替成员已满', 'Receiver full'],
  failed: ['失败', 'Failed'],
  canceled: ['已取消', 'Cancelled'],
} as const satisfies Record<string, Text>
export type TransferState = keyof typeof transferStates

export const groupStates = {
  normal: ['正常', 'Normal'],
  owner_left: ['群主已离职', 'Owner left'],
  transferring: ['转接中', 'Being handed over'],
  dismissed: ['已解散', 'Dismissed'],
} as const satisfies Record<string, Text>
export const joinScenes = {
  invite: ['成员邀请', 'Invited'],
  invite_link: ['邀请链接', 'Link'],
  qrcode: ['扫描群二维码', 'Group code'],
} as const satisfies Record<string, Text>
export type JoinScene = keyof typeof joinScenes
export const quitScenes = {
  self: ['自己退群', 'Left'],
  kicked: ['被移出', 'Removed'],
} as const satisfies Record<string, Text>

/** The people of a department that receive customers. */
export const receiveKinds = {
  all: ['部门全员', 'Everybody in it'],
  some: ['指定成员', 'Some of them'],
  none: ['不接待', 'Nobody'],
} as const satisfies Record<string, Text>

/** What is brought up to date with WeCom at a time. */
export const syncKinds = {
  contacts: ['通讯录', 'Directory'],
  customers: ['客户', 'Customers'],
  groups: ['客户群', 'Group chats'],
  tags: ['企业标签', 'Tags'],
} as const satisfies Record<string, Text>
export type SyncKind = keyof typeof syncKinds
export const syncStates = {
  running: ['同步中', 'Running'],
  done: ['已完成', 'Done'],
  failed: ['失败', 'Failed'],
} as const satisfies Record<string, Text>
/** A further sync begins so many seconds after the last one began. */
export const SYNC_EVERY = 600

/** What differs from the last sync. */
export const changeKinds = {
  added: ['新增', 'New'],
  renamed: ['改名', 'Renamed'],
  moved: ['调整上级', 'Moved'],
  removed: ['企微已删除', 'Removed in WeCom'],
  restored: ['恢复', 'Back'],
  rejected: ['未采用', 'Not taken'],
  state: ['状态变更', 'Status changed'],
  bound: ['关联商场', 'Mall bound'],
  unbound: ['解除关联商场', 'Mall unbound'],
} as const satisfies Record<string, Text>
export type ChangeKind = keyof typeof changeKinds

/** What WeCom tells by its callbacks, and is heard here. */
export const wecomEvents = {
  add_external_contact: ['添加客户', 'Customer added'],
  edit_external_contact: ['客户资料变更', 'Customer edited'],
  del_external_contact: ['成员删除客户', 'Customer removed'],
  del_follow_user: ['客户删除成员', 'Adviser removed'],
  transfer_fail: ['转接失败', 'Hand-over failed'],
  change_external_tag: ['企业标签变更', 'Tags changed'],
  change_external_chat: ['客户群变更', 'Group chat changed'],
} as const satisfies Record<string, Text>

/** Works that are sent to WeCom after the commit; done means that WeCom answered. */
export const taskKinds = {
  tag: ['打标签', 'Tags'],
  remark: ['修改备注', 'Remark'],
  refresh: ['刷新资料', 'Refresh'],
  code: ['生成专属活码', 'Contact code'],
  transfer: ['转接客户', 'Hand-over'],
  group: ['转接客户群', 'Group hand-over'],
  tag_make: ['新建标签', 'New tags'],
  tag_edit: ['修改标签', 'Change of a tag'],
  tag_drop: ['删除标签', 'Deletion of tags'],
} as const satisfies Record<string, Text>
export type TaskKind = keyof typeof taskKinds
export const taskStates = {
  waiting: ['写入中', 'On its way'],
  done: ['已写入', 'Done'],
  failed: ['企微拒绝', 'Rejected by WeCom'],
} as const satisfies Record<string, Text>

/** In-service hand-overs of one customer that may be done within `TRANSFER_DAYS`. */
export const TRANSFERS_MOST = 2
/** Natural days that such hand-overs are counted in, today among them. */
const TRANSFER_DAYS = 90
/** Seconds that a customer has to refuse a hand-over. */
export const TRANSFER_WAIT = 24 * HOUR
/** Customers, or group chats, that one request hands over. */
export const TRANSFER_BATCH = 100
/** Group chats that a new owner takes on one day. */
export const GROUPS_A_DAY = 300
/** What was not read from WeCom for so long is told to be old. */
export const STALE_AFTER = DAY

/** The first second of the natural days that hand-overs are counted in. */
export const countedSince = (now: number): number => dayStart(now) - (TRANSFER_DAYS - 1) * DAY

export type Receiver = { status: StaffState; has_contact_right: boolean; name: string }
/** Whether a colleague may take over customers: true, or why not. */
export const mayReceive = (to: Receiver): true | Text => {
  if (to.status === 'left')
    return [`${to.name} 已离职，不能接收`, `${to.name} has left and can take over nobody`]
  if (to.status !== 'active')
    return [
      `${to.name} ${staffStates[to.status][0]}，不能接收`,
      `${to.name} can take over nobody now: ${staffStates[to.status][1].toLowerCase()}`,
    ]
  return (
    to.has_contact_right || [
      `${to.name} 未开通客户联系，不能接收`,
      `${to.name} has no right to contact customers`,
    ]
  )
}

/** An external id as it may be shown: its beginning and its end. */
export const shortExternal = (external_userid: string): string =>
  external_userid.length <= 8
    ? '****'
    : `${external_userid.slice(0, 4)}****${external_userid.slice(-4)}`

const departmentVerbs = ['bindMall', 'unbindMall', 'setLeader', 'setReceive'] as const
export type DepartmentVerb = (typeof departmentVerbs)[number]
/** Whether that can be done with a department now: true, or why not. */
export const departmentCan = (
  verb: DepartmentVerb,
  row: { is_deleted: boolean; malls: readonly unknown[] },
): true | Text => {
  if (row.is_deleted)
    return [
      '企业微信已删除该部门，仅保留历史',
      'WeCom has removed the department; only its history is kept',
    ]
  if (verb === 'unbindMall' && row.malls.length === 0)
    return ['没有关联商场', 'No mall is bound to it']
  return true
}

/** What the tabs of the list of advisers are of. */
export const staffTabs = {
  handover: ['待继承', 'To hand over'],
  over_cap: ['达到每日上限', 'At daily cap'],
  no_right: ['无客户联系权限', 'No contact right'],
  unbound: ['未绑定后台账号', 'No console account'],
} as const satisfies Record<string, Text>
export type StaffTab = keyof typeof staffTabs
/** The customers of an adviser that a hand-over takes. */
export const transferScopes = {
  all: ['全部客户', 'All customers'],
  matched: ['已关联会员的客户', 'Those matched to a member'],
  unmatched: ['未关联会员的客户', 'Those without a member'],
  silent: ['30 天无沟通的客户', 'No chat for 30 days'],
} as const satisfies Record<string, Text>
export type TransferScope = keyof typeof transferScopes

const staffVerbs = [
  'transferCustomers',
  'inheritCustomers',
  'transferGroups',
  'bindAdmin',
  'setDailyCap',
  'genCode',
] as const
export type StaffVerb = (typeof staffVerbs)[number]
type StaffFacts = {
  status: StaffState
  has_contact_right: boolean
  customer_count: number
  group_count?: number
  code_state?: 'none' | 'waiting' | 'done' | 'failed'
}
const gone: Text = ['成员已离职', 'The colleague has left']
const staffRules: Readonly<Record<StaffVerb, (of: StaffFacts) => true | Text>> = {
  transferCustomers: ({ status, customer_count }) => {
    if (status === 'left')
      return ['成员已离职，请使用离职继承', 'They have left: hand down instead']
    return customer_count > 0 || ['没有跟进中的客户', 'There is no customer to hand over']
  },
  inheritCustomers: ({ status, customer_count }) => {
    if (status !== 'left')
      return ['成员在职，请使用在职转接', 'They are in service: hand over instead']
    return customer_count > 0 || ['客户已全部继承', 'All customers are handed down']
  },
  transferGroups: ({ group_count = 1 }) =>
    group_count > 0 || ['没有客户群', 'They own no group chat'],
  bindAdmin: ({ status }) => status !== 'left' || gone,
  setDailyCap: ({ status, has_contact_right }) => {
    if (status === 'left') return gone
    return has_contact_right || ['未开通客户联系', 'They may not contact customers']
  },
  genCode: ({ status, has_contact_right, code_state }) => {
    if (status !== 'active') return ['仅在职成员可生成活码', 'Only for active colleagues']
    if (!has_contact_right) return ['未开通客户联系', 'They may not contact customers']
    if (code_state === 'waiting') return ['活码生成中', 'A code is on its way']
    return code_state !== 'done' || ['已有专属活码', 'There is a code already']
  },
}
/** Whether that can be done with an adviser now: true, or why not. */
export const staffCan = (verb: StaffVerb, of: StaffFacts): true | Text => staffRules[verb](of)

/** What the tabs of the list of customers are of. */
export const customerTabs = {
  unmatched: ['未关联会员', 'No member'],
  clash: ['关联冲突', 'Conflict'],
  lost_week: ['本周流失', 'Lost this week'],
  silent: ['30 天无沟通', 'No chat for 30 days'],
  several: ['多人跟进', 'Several advisers'],
  refused: ['写入失败', 'Refused by WeCom'],
} as const satisfies Record<string, Text>
export type CustomerTab = keyof typeof customerTabs

const customerVerbs = [
  'matchMember',
  'unmatch',
  'tag',
  'untag',
  'remark',
  'createMass',
  'syncOne',
  'transfer',
  'grantCoupon',
  'addFollow',
  'saveAttrs',
] as const
export type CustomerVerb = (typeof customerVerbs)[number]
type CustomerFacts = {
  state: CustomerState
  member: { account_state: string } | null
  /** Live relations of advisers in service. */
  live_count: number
}
const lostNow: Text = ['客户已流失，没有跟进中的成员', 'The customer is lost: nobody follows them']
const anyLive = ({ live_count, state }: CustomerFacts): true | Text => {
  if (state !== 'following') return lostNow
  return live_count > 0 || ['跟进成员均已离职或停用', 'No adviser in service follows them']
}
const free = (): true => true
const customerRules: Readonly<Record<CustomerVerb, (of: CustomerFacts) => true | Text>> = {
  matchMember: ({ member, state }) => {
    if (state === 'merged') return ['客户已合并', 'The customer was merged']
    return member === null || ['已关联会员，请先解除', 'There is a member: undo that first']
  },
  unmatch: ({ member }) => member !== null || ['未关联会员', 'There is no member'],
  tag: anyLive,
  untag: anyLive,
  remark: anyLive,
  createMass: anyLive,
  syncOne: free,
  transfer: ({ state }) => state === 'following' || lostNow,
  grantCoupon: ({ member }) => {
    if (member === null) return ['未关联会员，不能发券', 'Without a member there is no coupon']
    return member.account_state === 'normal' || ['会员账号状态异常', 'The account is not in order']
  },
  addFollow: free,
  saveAttrs: free,
}
/** Whether that can be done with a customer now: true, or why not. */
export const customerCan = (verb: CustomerVerb, of: CustomerFacts): true | Text =>
  customerRules[verb](of)
