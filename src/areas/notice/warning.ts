import { unitStart } from '#src/domain/calendar.ts'
import { masked } from '#src/domain/mask.ts'
import { mobileOf, phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { emailFault } from '#src/domain/validate.ts'

/**
 * What a rule watches: the kind of its number, and which places it can be narrowed to. Percentages
 * are basis points.
 */
export const warningMetrics = {
  pay_success_rate: {
    text: ['支付成功率', 'Payment success rate'],
    kind: 'percent',
    sample: ['期内下单数', 'orders placed'],
  },
  refund_rate: {
    text: ['退款率', 'Refund rate'],
    kind: 'percent',
    sample: ['期内支付订单数', 'orders paid'],
  },
  stock: {
    text: ['最低可售库存', 'Lowest stock left'],
    kind: 'count',
    sample: ['在售商品数', 'products on sale'],
  },
  audit_age: {
    text: ['审核积压最久（分钟）', 'Oldest audit waiting (minutes)'],
    kind: 'minutes',
    sample: ['待审核数', 'audits waiting'],
  },
  ship_overdue: {
    text: ['超时未发货订单', 'Orders shipped late'],
    kind: 'count',
    sample: ['待发货订单数', 'orders to ship'],
  },
  group_fail_rate: {
    text: ['拼团失败率', 'Groups that failed'],
    kind: 'percent',
    sample: ['期内结束的团数', 'groups ended'],
  },
  export_fail: {
    text: ['导出失败数', 'Exports failed'],
    kind: 'count',
    sample: ['期内导出数', 'exports'],
  },
  points_wrong: {
    text: ['积分账实不符的会员数', 'Members whose points do not add up'],
    kind: 'count',
    sample: ['核对的会员数', 'members checked'],
  },
  login_fail: {
    text: ['登录失败数', 'Sign-ins failed'],
    kind: 'count',
    sample: ['期内登录次数', 'sign-ins'],
  },
  login_new: {
    text: ['新地点或设备登录数', 'Sign-ins from new places or devices'],
    kind: 'count',
    sample: ['期内登录次数', 'sign-ins'],
  },
} as const satisfies Record<
  string,
  { text: Text; kind: 'percent' | 'count' | 'minutes' | 'cents'; sample: Text }
>
export type WarningMetric = keyof typeof warningMetrics
export const warningMetricNames = Object.fromEntries(
  Object.entries(warningMetrics).map(([key, { text }]) => [key, text]),
) as Record<WarningMetric, Text>
/** Metrics of the house, not of a place: they can't be narrowed. */
export const wholeHouse: readonly WarningMetric[] = [
  'export_fail',
  'login_fail',
  'login_new',
  'points_wrong',
]
/** Whether it can be narrowed to one store: an audit is of a merchant. */
export const ofStore = (metric: WarningMetric): boolean =>
  metric !== 'audit_age' && !wholeHouse.includes(metric)

export const warningOperators = {
  gt: ['高于', 'Above'],
  lt: ['低于', 'Below'],
  change_pct: ['较上一窗口变化超过（%）', 'Changed by more than (%)'],
} as const satisfies Record<string, Text>
export type WarningOperator = keyof typeof warningOperators
export const warningLevels = {
  info: ['提示', 'Info'],
  warn: ['警告', 'Warning'],
  serious: ['严重', 'Serious'],
} as const satisfies Record<string, Text>
export type WarningLevel = keyof typeof warningLevels
const rank: Record<WarningLevel, number> = { info: 0, warn: 1, serious: 2 }
export const isHigher = (level: WarningLevel, than: WarningLevel): boolean =>
  rank[level] > rank[than]

export const warningStates = {
  open: ['待处理', 'Open'],
  acked: ['已确认', 'Acknowledged'],
  handled: ['已处理', 'Handled'],
  recovered: ['已恢复', 'Recovered'],
  ignored: ['已忽略', 'Ignored'],
} as const satisfies Record<string, Text>
export type WarningState = keyof typeof warningStates
export type WarningVerb = 'ack' | 'assign' | 'handle' | 'ignore' | 'escalate'
const from: Record<WarningVerb, readonly WarningState[]> = {
  ack: ['open'],
  assign: ['open', 'acked'],
  handle: ['acked', 'recovered'],
  ignore: ['open', 'acked'],
  escalate: ['open', 'acked'],
}
const why: Record<WarningState, Text> = {
  open: ['请先确认该预警', 'Acknowledge it first'],
  acked: ['已确认，不需要重复确认', 'It is acknowledged already'],
  handled: ['已处理完成，不能再改', 'It was handled already'],
  recovered: ['指标已恢复，只能填写处理结果', 'It has recovered; only a result can be written'],
  ignored: ['已忽略，级别上升时会重新打开', 'It was ignored, and reopens when its level rises'],
}
/** True, or why a person can't do this with an alarm in that state. */
export const warningCan = (
  verb: WarningVerb,
  alarm: { state: WarningState; level: WarningLevel },
): true | Text => {
  if (!from[verb].includes(alarm.state)) return why[alarm.state]
  if (verb === 'escalate' && alarm.level === 'serious')
    return ['已是最高级别', 'It has the highest level already']
  return true
}

const WINDOW_MIN_S = 60
const WINDOW_MAX_S = DAY
export const MUTE_MAX_S = 72 * 3600
export const ESCALATE_AFTER_S = 15 * 60

export type WarningCondition = {
  metric: WarningMetric
  operator: WarningOperator
  threshold: number
  window_s: number
  min_sample: number
  city_id?: number | undefined
  mid?: number | undefined
  store_id?: number | undefined
}
/** What is wrong with a rule's condition, at its field. */
export const conditionProblem = (
  rule: WarningCondition,
):
  | { field: 'threshold' | 'window_s' | 'min_sample' | 'city_id' | 'store_id'; text: Text }
  | undefined => {
  const { kind } = warningMetrics[rule.metric]
  if (rule.operator === 'change_pct' && (rule.threshold < 1 || rule.threshold > 1000))
    return {
      field: 'threshold',
      text: ['变化幅度须为 1–1000 的百分数', 'A change is 1 to 1000 percent'],
    }
  if (
    rule.operator !== 'change_pct' &&
    kind === 'percent' &&
    (rule.threshold < 0 || rule.threshold > 10_000)
  )
    return {
      field: 'threshold',
      text: ['百分比须在 0–100 之间', 'A percentage lies between 0 and 100'],
    }
  if (rule.operator !== 'change_pct' && rule.threshold < 0)
    return { field: 'threshold', text: ['不能为负数', 'It may not be negative'] }
  if (rule.window_s < WINDOW_MIN_S || rule.window_s > WINDOW_MAX_S)
    return {
      field: 'window_s',
      text: ['统计窗口须为 1 分钟到 24 小时', 'A window is 1 minute to 24 hours'],
    }
  if (rule.min_sample < 1)
    return {
      field: 'min_sample',
      text: [
        '最小样本至少为 1，否则 1 单退 1 单也会报警',
        'At least 1, or one refund of one order is an alarm',
      ],
    }
  if (
    wholeHouse.includes(rule.metric) &&
    (rule.city_id !== undefined || rule.mid !== undefined || rule.store_id !== undefined)
  )
    return {
      field: 'city_id',
      text: ['该指标不区分城市与门店', 'This number is of the whole house'],
    }
  if (rule.store_id !== undefined && !ofStore(rule.metric))
    return { field: 'store_id', text: ['该指标不区分门店', 'This number is of no store'] }
  return undefined
}
/**
 * Whether a measured number is an alarm. Too small a sample never is; a change needs a number
 * before it that is not zero.
 */
export const fires = (
  rule: Pick<WarningCondition, 'operator' | 'threshold' | 'min_sample'>,
  now: { value: number; sample: number },
  before?: { value: number; sample: number },
): boolean => {
  if (now.sample < rule.min_sample) return false
  if (rule.operator === 'gt') return now.value > rule.threshold
  if (rule.operator === 'lt') return now.value < rule.threshold
  if (!before || before.sample < rule.min_sample || before.value === 0) return false
  return Math.abs(now.value - before.value) * 100 > rule.threshold * before.value
}
/** What an alarm is about, as one key: one open alarm a rule and key. */
export const scopeKey = ({
  city_id,
  mid,
  store_id,
}: Pick<WarningCondition, 'city_id' | 'mid' | 'store_id'>): string =>
  [
    city_id === undefined ? '' : `city:${city_id}`,
    mid === undefined ? '' : `mid:${mid}`,
    store_id === undefined ? '' : `store:${store_id}`,
  ]
    .filter(Boolean)
    .join(' ') || 'all'

export type Shift = { weekdays: readonly number[]; from: string; to: string; admin_id: number }
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const WEEK_MINUTES = 7 * 1440
/**
 * The people of a roster on duty at a minute of the week (Monday 0:00 is 0). A shift that ends before
 * it starts runs into the next day.
 */
const onDuty = (shift: Shift, at: number): boolean =>
  shift.weekdays.some(day => {
    const start = (day - 1) * 1440 + minutes(shift.from)
    const length = (minutes(shift.to) - minutes(shift.from) + 1440) % 1440 || 1440
    return (at - start + WEEK_MINUTES) % WEEK_MINUTES < length
  })
export const weekMinute = (at: number): number => Math.floor((at - unitStart(at, 'isoWeek')) / 60)
export const dutyOf = (roster: readonly Shift[], at: number): number | undefined =>
  roster.find(shift => onDuty(shift, weekMinute(at)))?.admin_id
export type Duty = Omit<Shift, 'weekdays'>
/**
 * The people on duty on each day of the week (1–7), in the order of the roster: what two who change
 * it at once are brought together by.
 */
export const rosterDays = (roster: readonly Shift[]): Record<string, Duty[]> =>
  Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map(day => [
      day,
      roster
        .filter(shift => shift.weekdays.includes(day))
        .map(({ from, to, admin_id }) => ({ from, to, admin_id })),
    ]),
  )
const sameDuty = (a: Duty, b: Duty) =>
  a.from === b.from && a.to === b.to && a.admin_id === b.admin_id
/**
 * The roster of such days: a duty that is the same on several days is one shift, as long as that
 * keeps each day's order, for of two on duty at once the first is meant.
 */
export const rosterOf = (days: Readonly<Record<string, readonly Duty[] | undefined>>): Shift[] => {
  const each = Object.entries(days).flatMap(([day, duties = []]) =>
    duties.map(duty => ({ ...duty, weekdays: [Number(day)] })),
  )
  const together: (Duty & { weekdays: number[] })[] = []
  for (const one of each) {
    const like = together.find(
      shift => sameDuty(shift, one) && !shift.weekdays.includes(one.weekdays[0]!),
    )
    if (like) like.weekdays.push(...one.weekdays)
    else together.push({ ...one, weekdays: [...one.weekdays] })
  }
  return JSON.stringify(rosterDays(together)) === JSON.stringify(rosterDays(each)) ? together : each
}
/**
 * The stretches of a week that nobody of a roster covers: weekday 1–7, from, to (`HH:mm`). Without
 * any shift there is no roster, and so no gap.
 */
export const rosterGaps = (
  roster: readonly Shift[],
): { weekday: number; from: string; to: string }[] => {
  if (roster.length === 0) return []
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const gaps: { weekday: number; from: string; to: string }[] = []
  for (let day = 1; day <= 7; day++) {
    let start: number | undefined
    for (let minute = 0; minute <= 1440; minute++) {
      const covered =
        minute < 1440 && roster.some(shift => onDuty(shift, (day - 1) * 1440 + minute))
      if (!covered && minute < 1440) start ??= minute
      else if (start !== undefined) {
        gaps.push({ weekday: day, from: clock(start), to: clock(minute) })
        start = undefined
      }
    }
  }
  return gaps
}
/**
 * Whether a moment lies in a quiet stretch, which may run over midnight. Serious alarms know no
 * quiet.
 */
export const isQuiet = (
  quiet: { from: string; to: string } | null,
  at: number,
  level: WarningLevel,
): boolean => {
  if (!quiet || level === 'serious') return false
  const now = weekMinute(at) % 1440
  const [start, end] = [minutes(quiet.from), minutes(quiet.to)]
  return start <= end ? now >= start && now < end : now >= start || now < end
}

export const notifyChannels = {
  wecom_robot: ['企业微信群机器人', 'WeCom robot'],
  email: ['邮件列表', 'E-mail list'],
  sms: ['短信列表', 'SMS list'],
} as const satisfies Record<string, Text>
export type NotifyChannel = keyof typeof notifyChannels
/** A WeCom robot takes so many messages a minute, each of so many bytes. */
export const ROBOT_PER_MINUTE = 20
export const ROBOT_BYTES = 2048
const robotPattern = /^https:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[\w-]{8,64}$/
export const robotFault = (url: string): Text | undefined =>
  robotPattern.test(url.trim())
    ? undefined
    : [
        '请填写企业微信群机器人的地址，以 https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key= 开头',
        'A WeCom robot’s address, beginning with https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
      ]
/** A robot's address as it is shown after it was saved. */
export const maskedRobot = (url: string): string =>
  url.replace(/(key=)(.{4}).*(.{4})$/, '$1$2****$3')
/** The addresses of a target that are typed in one line: of mail, or of phones. */
export const addressesOf = (target: string): string[] =>
  target
    .split(/[,，;；\s]+/)
    .filter(Boolean)
    .map(at => mobileOf(at) ?? at)
/**
 * What its channel can't reach of a target, and why: the address at fault, '' where there is none,
 * or where the target is a robot's.
 */
export const targetFault = (
  channel: NotifyChannel,
  target: string,
): { at: string; fault: Text } | undefined => {
  if (channel === 'wecom_robot') {
    const fault = robotFault(target)
    return fault && { at: '', fault }
  }
  const faultOf = channel === 'email' ? emailFault : phoneFault
  const all = addressesOf(target)
  for (const at of all.length > 0 ? all : ['']) {
    const fault = faultOf(at)
    if (fault) return { at, fault }
  }
  return undefined
}
/** A target as it is shown: neither a robot's key nor a whole phone number. */
export const shownTarget = (channel: NotifyChannel, target: string): string => {
  if (channel === 'wecom_robot') return maskedRobot(target)
  const all = addressesOf(target)
  return (channel === 'sms' ? all.map(one => masked('phone', one)) : all).join(', ')
}
export const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/

/** A message that failed is tried so often in all. */
export const TRIES_MAX = 3
/**
 * Seconds from the last of so many tries until the next: the next turn of the minute's timer, then
 * twice as long each time.
 */
export const retryAfter = (tries: number): number => 55 * 2 ** (tries - 1)
/** How one receiver stands: `sent` means that its channel answered. */
export const sendStates = {
  waiting: ['等待送达', 'On its way'],
  sent: ['已送达', 'Delivered'],
  failed: ['未送达', 'Not delivered'],
} as const satisfies Record<string, Text>
export type SendState = keyof typeof sendStates
