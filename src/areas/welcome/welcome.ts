import type { Text } from '#src/domain/text.ts'

/** Whom a rule is for, the narrowest first: that is the order in which they win. */
export const welcomeScopes = {
  code: ['活码专属', 'Channel code'],
  staff: ['员工', 'Adviser'],
  department: ['部门', 'Department'],
  default: ['默认', 'Default'],
} as const satisfies Record<string, Text>
export type WelcomeScope = keyof typeof welcomeScopes

export const welcomeStates = {
  draft: ['草稿', 'Draft'],
  enabled: ['启用中', 'On'],
  disabled: ['已停用', 'Off'],
} as const satisfies Record<string, Text>
export type WelcomeState = keyof typeof welcomeStates

/** What came of a send; `sending` only between the claim and WeCom's answer. */
export const sendOutcomes = {
  sending: ['发送中', 'Under way'],
  sent: ['已发送', 'Sent'],
  missed: ['超时未发送', 'Later than 20 s'],
  taken: ['其他应用已发', 'By another app'],
  refused: ['发送失败', 'Failed'],
  unknown: ['结果未知', 'Not known'],
  none: ['没有可用规则', 'No rule'],
} as const satisfies Record<string, Text>
export type SendOutcome = keyof typeof sendOutcomes
/** How a message to oneself stands. */
export const trialStates = {
  waiting: ['等待发送', 'Waits'],
  sending: ['发送中', 'Under way'],
  sent: ['已发送', 'Sent'],
  failed: ['发送失败', 'Failed'],
  unknown: ['结果未知', 'Not known'],
} as const satisfies Record<string, Text>
export type TrialState = keyof typeof trialStates
/** Why a message of the app did not go, where WeCom gave no errcode. */
export const appFaults = {
  unbound: [
    '您的账号未绑定在职的企微成员，请在“企微通讯录”中绑定',
    'Your account is bound to no member in service: bind it among the WeCom contacts',
  ],
  unseen: [
    '接收人不在应用可见范围内，请在企业微信管理后台调整',
    'The app may not write to this account: widen what it sees in WeCom',
  ],
  no_app: [
    '没有可发消息的应用，请核对 WECOM_CONTACT_SECRET',
    'No app may send: check WECOM_CONTACT_SECRET',
  ],
  empty: ['附件均不可用，没有可发送的内容', 'None of the attachments can be had: nothing to send'],
  owner_left: ['群主已离职或停用', 'The owner has left or is off'],
  picture: ['卡片文件不可用，请更换', 'The file of the card can’t be had: choose another'],
  material: [
    '素材未启用或已过有效期，请更换素材',
    'The material is off or past its end: choose another',
  ],
  none: ['尚未连接企业微信', 'WeCom is not connected'],
  silent: ['企业微信没有应答', 'WeCom gave no answer'],
  left: ['发送时中断，请与企微会话核对', 'It was cut off: look into your chat in WeCom'],
} as const satisfies Record<string, Text>
export type AppFault = keyof typeof appFaults
/** Said of a welcome that a process left between its claim and WeCom's answer. */
export const cutOffWords: Text = [
  '发送时中断，请与客户会话核对',
  'It was cut off: look into the chat with the customer',
]
/** What became of the coupon that comes with a message. */
export const giftStates = {
  none: ['无', 'None'],
  waiting: ['待成为会员', 'Waits for a member'],
  given: ['已发放', 'Given'],
  failed: ['未发放', 'Not given'],
} as const satisfies Record<string, Text>

/** Words that stand for who adds and who is added. */
export const welcomeVariables = ['客户昵称', '员工姓名', '门店名'] as const
export type WelcomeVariable = (typeof welcomeVariables)[number]

export const WELCOME_S = 20
export const WELCOME_BYTES = 4000
export const ATTACHMENTS_MOST = 9
export const PRIORITY_MOST = 999
export const WELCOMES_MOST = 500
export const TARGETS_MOST = 200

type Standing = {
  status: WelcomeState
  is_default: boolean
  base_id: number | null
  hours: readonly unknown[]
  versions_n: number
  codes_n: number
}
export type WelcomeVerb = 'enable' | 'disable' | 'del' | 'addWindow'
const isDefault = ({ is_default }: Standing): Text | undefined =>
  is_default
    ? ['默认欢迎语始终启用，不能停用或删除', 'The default is always on and stays']
    : undefined
const why: Readonly<Record<WelcomeVerb, (of: Standing) => Text | undefined>> = {
  enable: of => (of.status === 'enabled' ? ['已启用', 'It is on already'] : undefined),
  disable: of =>
    isDefault(of) ?? (of.status === 'enabled' ? undefined : ['未启用', 'It is not on']),
  del: of => {
    if (of.codes_n > 0)
      return ['活码正在使用，请先在活码中更换', 'Live codes name it: choose another there first']
    if (of.versions_n > 0)
      return ['请先删除它的分时段内容', 'Delete the messages of its hours first']
    return isDefault(of)
  },
  addWindow: of => {
    if (of.base_id !== null)
      return ['分时段内容下不能再分时段', 'It is a message of some hours itself']
    return of.hours.length > 0
      ? ['只有全天生效的欢迎语可分时段', 'Only a message for any time has some for hours']
      : undefined
  },
}
/** Whether that can be done with a rule, or why not. */
export const welcomeCan = (verb: WelcomeVerb, of: Standing): true | Text => why[verb](of) ?? true
