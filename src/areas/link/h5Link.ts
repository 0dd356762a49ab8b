import { momentNamed } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { valuesTyped } from './pageLink.ts'

export const h5States = {
  on: ['生效中', 'On'],
  stopped: ['已停用', 'Stopped'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type H5State = keyof typeof h5States
/** A link counts for what is bought so long after it was opened: the last one clicked within 7 days. */
export const CLICK_COUNTS_S = 7 * DAY
/** Lines that are done at once; more become a job. */
export const BATCH_ROWS_AT_ONCE = 500
export const BATCH_ROWS_MAX = 50_000
/** Characters of a table: a hundred a line. */
export const BATCH_TEXT_MAX = 5_000_000
const LIVES_MAX_S = 2 * 366 * DAY

export const h5State = (
  of: { status: 'on' | 'stopped'; expire_at: number },
  now: number,
): H5State => (of.status === 'on' && of.expire_at <= now ? 'expired' : of.status)
export type H5Verb = 'stop' | 'renew'
export const h5Can = (verb: H5Verb, state: H5State): true | Text =>
  verb === 'stop'
    ? state === 'on' || ['只有生效中的短链可以停用', 'Only a link that is on can be stopped']
    : state !== 'stopped' || [
        '已停用的短链不能续期，请重新生成',
        'A stopped link stays stopped: make a new one',
      ]
/** 2 to 32 of lower-case letters, digits and `_`, a letter first: `sms_0618`. */
export const channelFault = (channel: string): Text | undefined =>
  /^[a-z][a-z0-9_]{1,31}$/.test(channel)
    ? undefined
    : [
        '2–32 位小写字母、数字或下划线，字母开头，如 sms_0618',
        '2 to 32 of a–z, 0–9 and _, a letter first, such as sms_0618',
      ]
/** Every link ends some day: after now, and within two years. */
export const expiryFault = (expire_at: number, now: number): Text | undefined => {
  if (expire_at <= now) return ['到期时间须晚于现在', 'The time has passed']
  if (expire_at > now + LIVES_MAX_S) return ['有效期最长两年', 'Two years at most']
  return undefined
}
/**
 * WeChat's own links end after so many days: beyond, our redirect makes a new one at every visit.
 */
export const renewsItself = (
  of: { type: string; expire_at: number; created_at: number },
  days: number,
): boolean => of.type !== 'h5' && of.expire_at - of.created_at > days * DAY

export type BatchRow = {
  line: number
  name: string
  page_link_id: number
  params: Record<string, string | number>
  channel: string
  expire_at: number
}
/**
 * Lines of `name,link,values,channel,until` (comma or tab, a head line is left out), or the first
 * that can't be read. The day of `until` belongs to it.
 */
export const batchRows = (typed: string): { rows: BatchRow[] } | { bad: string } => {
  const rows: BatchRow[] = []
  // A table of thousands of lines has few days.
  const days = new Map<string, number | undefined>()
  const dayOf = (day: string) => {
    if (!days.has(day)) days.set(day, momentNamed(day))
    return days.get(day)
  }
  for (const [at, raw] of typed
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (raw.trim() === '') continue
    const cells = raw.split(/\t|,|，/).map(cell => cell.trim().replace(/^"(.*)"$/, '$1'))
    const [name = '', link = '', values = '', channel = '', until = ''] = cells
    if (rows.length === 0 && !/^\d+$/.test(link) && !/^\d{4}-/.test(until)) {
      if (at === 0) continue
    }
    const params = valuesTyped(values)
    const day = dayOf(until)
    if (
      cells.length > 5 ||
      name === '' ||
      name.length > 64 ||
      !/^[1-9]\d{0,8}$/.test(link) ||
      params === undefined ||
      channelFault(channel) ||
      day === undefined
    )
      return { bad: raw.slice(0, 60) }
    rows.push({
      line: at + 1,
      name,
      page_link_id: Number(link),
      params,
      channel,
      expire_at: day + DAY - 1,
    })
  }
  return { rows }
}
/** Why a table is refused as a whole, before any line of it is done. */
export const batchFault = (read: ReturnType<typeof batchRows>): Text | undefined => {
  if ('bad' in read) return [`无法识别这一行：${read.bad}`, `Can’t read: ${read.bad}`]
  if (read.rows.length === 0) return ['没有数据行', 'There is no line']
  if (read.rows.length > BATCH_ROWS_MAX)
    return [
      `共 ${read.rows.length} 行，一次最多 ${BATCH_ROWS_MAX} 行，请拆分后分批提交`,
      `${read.rows.length} lines; at most ${BATCH_ROWS_MAX} at a time, split them`,
    ]
  return undefined
}
