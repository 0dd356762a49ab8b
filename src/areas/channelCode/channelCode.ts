import type { Text } from '#src/domain/text.ts'

export const codeKinds = {
  single: ['单人活码', 'One member'],
  multi: ['多人活码', 'Several members'],
} as const satisfies Record<string, Text>
export type CodeKind = keyof typeof codeKinds

/** How a code stands. `draft`: WeCom has never taken it. */
export const codeStates = {
  draft: ['草稿', 'Draft'],
  enabled: ['启用中', 'Live'],
  paused: ['已暂停', 'Paused'],
  expired: ['已过期', 'Expired'],
  archived: ['已归档', 'Archived'],
} as const satisfies Record<string, Text>
export type CodeState = keyof typeof codeStates

/** What hinders scans, counted from people, shifts and caps; `wecom_error`: WeCom refused it. */
export const codeHealth = {
  ok: ['正常', 'Good'],
  no_staff: ['无人接待', 'Nobody on duty'],
  all_full: ['已满额', 'All full'],
  staff_invalid: ['员工失效', 'Invalid member'],
  wecom_error: ['企微异常', 'WeCom fault'],
} as const satisfies Record<string, Text>
export type CodeHealth = keyof typeof codeHealth

/** Whether a new contact has to be agreed to by the member. */
export const verifyModes = {
  skip: ['自动通过', 'Accepted automatically'],
  need: ['需要验证', 'Ask first'],
  by_time: ['分时段自动通过', 'Let in at some hours'],
} as const satisfies Record<string, Text>
export type VerifyMode = keyof typeof verifyModes

/** How far WeCom has what is decided here. `waiting`: on its way. */
export const wayStates = {
  none: ['未提交', 'Not asked for'],
  waiting: ['生成中', 'Generating'],
  done: ['已生效', 'Done'],
  failed: ['失败', 'Failed'],
} as const satisfies Record<string, Text>

/** Hours at which new contacts are let in at once: days 1 Monday to 7 Sunday, minutes of a day. */
export type VerifyWindow = { weekdays: number[]; from_min: number; to_min: number }

/** All that a person decides of a code, as its form holds it and as each version keeps it. */
export type CodeBody = {
  name: string
  group_name: string
  kind: CodeKind
  mall_id: number | null
  store_id: number | null
  cost_cents: number
  members: { userid: string; weight: number; day_cap: number | null }[]
  shifts: {
    weekdays: number[]
    from_min: number
    to_min: number
    overnight: boolean
    userids: string[]
  }[]
  backup_userids: string[]
  verify_mode: VerifyMode
  verify_windows: VerifyWindow[]
  /** Tags of the corp that a new contact gets. */
  tag_ids: number[]
  remark_suffix: string
  welcome_id: number | null
  start_at: number | null
  end_at: number | null
}
type Standing = {
  status: CodeState
  /** A version is on its way to WeCom. */
  publishing: boolean
  has_way: boolean
}
export type CodeVerb =
  | 'edit'
  | 'publish'
  | 'pause'
  | 'resume'
  | 'archive'
  | 'batchMember'
  | 'moveGroup'
  | 'download'
  | 'sync'
/** From which states each verb may be done; left out: from all. */
const from: Partial<Record<CodeVerb, readonly CodeState[]>> = {
  edit: ['draft', 'enabled', 'paused', 'expired'],
  publish: ['draft', 'enabled', 'paused', 'expired'],
  pause: ['enabled'],
  resume: ['paused', 'expired'],
  archive: ['draft', 'paused', 'expired'],
  batchMember: ['draft', 'enabled', 'paused', 'expired'],
  moveGroup: ['draft', 'enabled', 'paused', 'expired'],
  sync: ['enabled', 'paused', 'expired'],
}
const refusals: Partial<Record<CodeVerb, Text>> = {
  edit: ['活码已归档，不能再修改', 'It is archived and stays as it is'],
  pause: ['只有启用中的活码可以暂停', 'Only a live code can be paused'],
  resume: ['只有已暂停或已过期的活码可以恢复', 'Only a paused or expired code can be resumed'],
  archive: ['启用中的活码请先暂停再归档', 'Pause a live code before it is archived'],
  sync: ['尚未生成二维码，没有企微配置可校验', 'WeCom has nothing of it yet'],
}
/** Whether a verb may be done to a code, or why not. */
export const codeCan = (verb: CodeVerb, of: Standing): true | Text => {
  const states = from[verb]
  if (states && !states.includes(of.status)) return refusals[verb] ?? refusals.edit!
  if ((verb === 'publish' || verb === 'batchMember') && of.publishing)
    return ['上一次修改正在提交企微，请稍候', 'A version is on its way to WeCom: wait for it']
  if ((verb === 'download' || verb === 'sync') && !of.has_way)
    return ['尚未生成二维码，请先发布', 'It has no QR code yet: publish it first']
  return true
}

/** Where a printed code leads to, below the origin. */
export const scanPath = (state_key: string): string => `/q/${state_key}`
/** Members and backups of a code. */
export const peopleOf = ({ members, backup_userids }: CodeBody): string[] => [
  ...new Set([...members.map(one => one.userid), ...backup_userids]),
]
