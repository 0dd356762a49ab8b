import { weekdayOf } from '#src/domain/calendar.ts'
import { isCallable } from '#src/domain/phone.ts'
import { comma, say, semicolon, type Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'

export const scenes = {
  pre_sale: ['售前咨询', 'Pre-sale'],
  refund: ['退款', 'Refund'],
  after_sale: ['电商售后', 'After-sale'],
  merchant: ['商家入驻', 'Merchant joining'],
  complaint: ['投诉建议', 'Complaint'],
} as const satisfies Record<string, Text>
export type Scene = keyof typeof scenes
export const contactTypes = {
  phone: ['电话', 'Phone'],
  wecom: ['企业微信', 'WeCom'],
  chat: ['小程序客服', 'Mini-program chat'],
} as const satisfies Record<string, Text>
export type ContactType = keyof typeof contactTypes
/** `from` and `to` as `09:30`; to `24:00`. Weekdays 1 (Monday) to 7. */
export type Hours = { weekdays: readonly number[]; from: string; to: string }

const WECOM = /^https:\/\/work\.weixin\.qq\.com\/kfid\/(kf[\w-]{6,40})(\?[\w=&%-]*)?$/
/** The WeCom service account that a link names. */
export const wecomAccount = (value: string): string | undefined => WECOM.exec(value)?.[1]

/** What is wrong with a contact's value. `accounts` are the service accounts of the bound corp. */
export const valueFault = (
  type: ContactType,
  value: string,
  accounts: readonly string[],
): Text | undefined => {
  if (type === 'phone')
    return isCallable(value)
      ? undefined
      : ['请填写手机号、400 或座机号码', 'A mobile, 400 or landline number']
  if (type === 'chat')
    return value === '' || /^[\w-]{1,64}$/.test(value)
      ? undefined
      : ['小程序客服只填客服分组标识，可留空', 'The chat group’s name, or nothing']
  const account = wecomAccount(value)
  if (!account)
    return [
      '请填写企业微信客服链接，如 https://work.weixin.qq.com/kfid/kfc…',
      'A WeCom service link such as https://work.weixin.qq.com/kfid/kfc…',
    ]
  return accounts.includes(account)
    ? undefined
    : ['该客服账号不属于已绑定的企业', 'That service account is not of the bound corp']
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/
const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
/**
 * The first fault of working hours: a bad clock, an end not after its start, or two spans of one
 * day that overlap.
 */
export const hoursFault = (hours: readonly Hours[]): Text | undefined => {
  for (const [at, one] of hours.entries()) {
    if (!CLOCK.test(one.from) || !CLOCK.test(one.to) || minutes(one.from) >= minutes(one.to))
      return [
        '每段时间须为 09:00-18:00 的形式，结束晚于开始',
        'A span such as 09:00-18:00, its end after its start',
      ]
    if (one.weekdays.length === 0) return ['每段时间至少选一天', 'A span needs a day']
    if (hours.slice(at + 1).some(other => spansMeet(one, other)))
      return ['同一天的工作时间不能重叠', 'Working hours of one day may not overlap']
  }
  return undefined
}
const spansMeet = (a: Hours, b: Hours): boolean =>
  a.weekdays.some(day => b.weekdays.includes(day)) &&
  minutes(a.from) < minutes(b.to) &&
  minutes(b.from) < minutes(a.to)
/** No hours mean always. */
export const hoursMeet = (a: readonly Hours[], b: readonly Hours[]): boolean =>
  a.length === 0 || b.length === 0 || a.some(one => b.some(other => spansMeet(one, other)))
export const hoursText = (hours: readonly Hours[], lang: 'zh' | 'en'): string => {
  if (hours.length === 0) return say(['全天', 'Always'], lang)
  return hours
    .map(({ weekdays, from, to }) => `${daysText(weekdays, lang)} ${from}-${to}`)
    .join(say(semicolon, lang))
}
const dayNames = {
  zh: ['一', '二', '三', '四', '五', '六', '日'],
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
}
const daysText = (days: readonly number[], lang: 'zh' | 'en'): string => {
  const sorted = [...days].sort((a, b) => a - b)
  const all = sorted.length === 7 ? say(['每天', 'Daily'], lang) : undefined
  const run =
    sorted.length > 2 && sorted.at(-1)! - sorted[0]! === sorted.length - 1
      ? `${dayNames[lang][sorted[0]! - 1]}${lang === 'zh' ? '至' : '–'}${dayNames[lang][sorted.at(-1)! - 1]}`
      : undefined
  return (
    all ??
    `${lang === 'zh' ? '周' : ''}${run ?? sorted.map(day => dayNames[lang][day - 1]).join(say(comma, lang))}`
  )
}

/** True when people are there at `at` (unix seconds). */
export const isOpenAt = (hours: readonly Hours[], at: number): boolean => {
  if (hours.length === 0) return true
  const weekday = weekdayOf(at)
  const minute = Math.floor((at - dayStart(at)) / 60)
  return hours.some(
    one =>
      one.weekdays.includes(weekday) && minutes(one.from) <= minute && minute < minutes(one.to),
  )
}

export const QR_WARN_S = 3 * DAY
export const qrState = (
  expires_at: number | null,
  now: number,
): 'none' | 'ok' | 'expiring' | 'expired' => {
  if (expires_at === null) return 'none'
  if (expires_at <= now) return 'expired'
  return expires_at - now <= QR_WARN_S ? 'expiring' : 'ok'
}

export type Routed = {
  id: number
  city_id: number | null
  mall_id: number
  scene: Scene
  status: 'on' | 'off'
  hours: readonly Hours[]
  priority: number
  expires_at: number | null
}
export const levels = {
  mall: ['商场', 'Mall'],
  city: ['城市', 'City'],
  national: ['全国', 'National'],
} as const satisfies Record<string, Text>
export type Level = keyof typeof levels
export const levelOf = (contact: { city_id: number | null; mall_id: number }): Level => {
  if (contact.mall_id > 0) return 'mall'
  return contact.city_id === null ? 'national' : 'city'
}
const isFor = (contact: Routed, level: Level, ask: { city_id: number; mall_id: number }): boolean =>
  levelOf(contact) === level &&
  (level !== 'mall' || contact.mall_id === ask.mall_id) &&
  (level !== 'city' || contact.city_id === ask.city_id)
export type RouteStep = { level: Level; usable: number[]; expired: number[]; off: number[] }

/**
 * Whom a consumer reaches: the mall's contacts before the city's before the national ones; the
 * first level that has a usable one decides. There the one of the best priority that works at `at`,
 * else the first, out of hours, with its automatic reply.
 */
export const routeOf = <T extends Routed>(
  contacts: readonly T[],
  ask: { scene: Scene; city_id: number; mall_id: number; at: number },
): { chosen: T | undefined; in_hours: boolean; level: Level | undefined; steps: RouteStep[] } => {
  const of = contacts.filter(one => one.scene === ask.scene)
  const steps: RouteStep[] = []
  let chosen: T | undefined
  let level: Level | undefined
  for (const here of ['mall', 'city', 'national'] as const) {
    if (here === 'mall' && ask.mall_id === 0) continue
    const among = of
      .filter(one => isFor(one, here, ask))
      .sort((a, b) => a.priority - b.priority || a.id - b.id)
    const usable = among.filter(
      one => one.status === 'on' && qrState(one.expires_at, ask.at) !== 'expired',
    )
    steps.push({
      level: here,
      usable: usable.map(one => one.id),
      expired: among.filter(one => one.status === 'on' && !usable.includes(one)).map(one => one.id),
      off: among.filter(one => one.status === 'off').map(one => one.id),
    })
    if (chosen || usable.length === 0) continue
    chosen = usable.find(one => isOpenAt(one.hours, ask.at)) ?? usable[0]
    level = here
  }
  return { chosen, level, in_hours: chosen ? isOpenAt(chosen.hours, ask.at) : false, steps }
}
/**
 * True while a consumer of the city reaches somebody in the scene, whatever the hour of the day: by
 * the city's own or a national contact, whose QR has not run out.
 */
export const covered = (
  contacts: readonly Routed[],
  scene: Scene,
  city_id: number,
  at: number,
): boolean =>
  contacts.some(
    one =>
      one.scene === scene &&
      one.status === 'on' &&
      one.mall_id === 0 &&
      (one.city_id === city_id || one.city_id === null) &&
      qrState(one.expires_at, at) !== 'expired',
  )

const SPAN = /^([1-7](?:\s*[-,、至]\s*[1-7])*)\s+(\d{1,2}:\d{2})\s*[-–~至]\s*(\d{1,2}:\d{2})$/
const clock = (text: string) => text.padStart(5, '0')
/**
 * Working hours as they are typed: a line each, `1-5 09:00-18:00`, `6,7 10:00-20:00`; undefined for
 * a line that can't be read. Nothing typed: always.
 */
export const hoursTyped = (
  typed: string,
): { weekdays: number[]; from: string; to: string }[] | undefined => {
  const lines = typed
    .normalize('NFKC')
    .split(/[\n;]/)
    .map(line => line.trim())
    .filter(Boolean)
    .map(line => SPAN.exec(line))
  return lines.some(line => line === null)
    ? undefined
    : lines.map(line => ({
        weekdays: daysTyped(line![1]!),
        from: clock(line![2]!),
        to: clock(line![3]!),
      }))
}
const daysTyped = (typed: string): number[] => {
  const days = new Set<number>()
  for (const part of typed.split(/[,、]/)) {
    const [first, last = first] = part.split(/[-至]/).map(day => Number(day.trim())) as [
      number,
      number?,
    ]
    for (let day = first; day <= last!; day++) days.add(day)
  }
  return [...days].sort((a, b) => a - b)
}
export const hoursWritten = (hours: readonly Hours[]): string =>
  hours
    .map(({ weekdays, from, to }) => {
      const days = [...weekdays].sort((a, b) => a - b)
      return `${days.length > 2 && days.at(-1)! - days[0]! === days.length - 1 ? `${days[0]}-${days.at(-1)}` : days.join(',')} ${from}-${to}`
    })
    .join('\n')
