import { joined, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

export const logResults = {
  ok: ['成功', 'Done'],
  refused: ['被拒绝', 'Refused'],
  failed: ['失败', 'Failed'],
} as const satisfies Record<string, Text>
export type LogResult = keyof typeof logResults
export const loginEvents = {
  login: ['登录', 'Sign-in'],
  logout: ['退出', 'Sign-out'],
  kicked: ['强制下线', 'Forced off'],
  expired: ['过期', 'Expired'],
} as const satisfies Record<string, Text>
export type LoginEvent = keyof typeof loginEvents
export const loginResults = {
  ok: ['成功', 'Done'],
  bad_password: ['密码错误', 'Wrong password'],
  unknown: ['账号不存在', 'Unknown account'],
  locked: ['账号已锁定', 'Locked'],
  disabled: ['账号停用', 'Disabled'],
  captcha: ['未通过登录验证', 'Failed the sign-in check'],
  ip_banned: ['IP 已封禁', 'IP banned'],
} as const satisfies Record<string, Text>
export type LoginResult = keyof typeof loginResults

/** The name of what the clock or a channel did, in the log. */
export const systemName = joined(['系统', 'System'])

/** The longest period of one question to the operation log and to the sign-in log, in days. */
export const LOG_DAYS = 92
/** A ban of an address lasts at most so long, a lock of an account too. */
export const BAN_HOURS_MAX = 24 * 365

/**
 * From and until as asked, filled in: the last `days` up to now, or up to the end given. Undefined
 * when it is longer than that, or ends before it begins.
 */
export const spanOf = (
  asked: { from?: number | undefined; to?: number | undefined },
  days: number,
  now: number,
): { from: number; to: number } | undefined => {
  const to = asked.to ?? (asked.from === undefined ? now : Math.min(now, asked.from + days * DAY))
  const from = asked.from ?? Math.max(0, to - days * DAY)
  return from > to || to - from > days * DAY ? undefined : { from, to }
}

/** One address in one form: the IPv4 of a mapped IPv6 address, in lower case. */
export const plainIp = (ip: string): string =>
  ip
    .trim()
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
const v4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/
export const isIp = (ip: string): boolean =>
  v4.test(ip) ||
  (/^[0-9a-f:]{2,39}$/.test(ip) &&
    ip.includes(':') &&
    (ip.match(/::/g) ?? []).length <= 1 &&
    !ip.includes(':::'))

type ExportRow = {
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'expired' | 'revoked'
  expires_at: number | null
  extended_days: number
}
/** A file's life may be prolonged by so many days in all. */
export const EXTEND_DAYS_MAX = 30
const from = {
  download: ['done'],
  retry: ['failed'],
  cancel: ['queued', 'running'],
  rerun: ['done', 'failed', 'cancelled', 'expired', 'revoked'],
  revoke: ['done'],
  extend: ['done'],
} as const satisfies Record<string, readonly ExportRow['state'][]>
export type ExportVerb = keyof typeof from
const whyNot: Readonly<Record<ExportVerb, Text>> = {
  download: ['没有可下载的文件', 'There is no file'],
  retry: ['只能重新生成失败的任务', 'Only a failed export can be made again'],
  cancel: ['任务已结束，不能取消', 'It is over already'],
  rerun: ['任务还在进行', 'It is still under way'],
  revoke: ['没有可作废的文件', 'There is no file to revoke'],
  extend: ['没有可延长的文件', 'There is no file to keep'],
}
/** True, or why an export can't have this now. */
export const exportCan = (verb: ExportVerb, row: ExportRow, now: number): true | Text => {
  if (!(from[verb] as readonly string[]).includes(row.state)) return whyNot[verb]
  if (
    (verb === 'download' || verb === 'revoke' || verb === 'extend') &&
    (row.expires_at ?? 0) <= now
  )
    return ['文件已过期', 'The file has expired']
  return true
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/i, '微信'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/OPR\//, 'Opera'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
]
/** Browser and system of a user agent, short; what is not known stays as it is. */
export const deviceOf = (ua: string): string => {
  const of = (list: typeof browsers) => list.find(([form]) => form.test(ua))?.[1]
  return [of(browsers), of(systems)].filter(Boolean).join(' · ') || ua.slice(0, 40)
}
