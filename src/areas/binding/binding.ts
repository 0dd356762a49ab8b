import type { Text } from '#src/domain/text.ts'

/** As what a customer is bound to a seller. */
export const bindingRoles = {
  expert: ['达人', 'Expert'],
  guide: ['导购', 'Store guide'],
} as const satisfies Record<string, Text>
export type BindingRole = keyof typeof bindingRoles

export const bindingSources = {
  link: ['分享链接', 'Shared link'],
  qrcode: ['门店码', 'Code of the store'],
  poster: ['海报', 'Poster'],
  register: ['注册邀请', 'Registration'],
  wecom: ['添加企微', 'Added in WeCom'],
  admin: ['后台绑定', 'By staff'],
} as const satisfies Record<string, Text>
export type BindingSource = keyof typeof bindingSources

export const bindingStates = {
  active: ['绑定中', 'Bound'],
  expired: ['已过期', 'Expired'],
  transferred: ['已转移', 'Transferred'],
  unbound: ['已解绑', 'Unbound'],
} as const satisfies Record<string, Text>
export type BindingState = keyof typeof bindingStates
