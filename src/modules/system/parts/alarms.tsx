import {
  Error as ErrorIcon,
  InfoSign as Info,
  Offline,
  SmallTick,
  Time,
  User,
  WarningSign,
} from '@blueprintjs/icons'
import {
  warningLevels,
  warningMetrics,
  warningOperators,
  warningStates,
  type WarningLevel,
  type WarningMetric,
  type WarningOperator,
  type WarningState,
} from '#src/areas/notice/warning.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { Badge, duration, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

const levels: Record<WarningLevel, [ToneName, typeof Info]> = {
  info: ['info', Info],
  warn: ['warn', WarningSign],
  serious: ['bad', ErrorIcon],
}
const states: Record<WarningState, [ToneName, typeof Info]> = {
  open: ['bad', Time],
  acked: ['warn', User],
  handled: ['good', SmallTick],
  recovered: ['good', SmallTick],
  ignored: ['plain', Offline],
}
export const Level = ({ of }: { of: WarningLevel }) => {
  const say = useSay()
  const [tone, icon] = levels[of]
  return (
    <Badge tone={tone} icon={icon}>
      {say(warningLevels[of])}
    </Badge>
  )
}
export const AlarmState = ({ of }: { of: WarningState }) => {
  const say = useSay()
  const [tone, icon] = states[of]
  return (
    <Badge tone={tone} icon={icon}>
      {say(warningStates[of])}
    </Badge>
  )
}

const MINUTE = 60
type MetricKind = 'percent' | 'count' | 'minutes' | 'cents'
/** A number of a metric in words: 12.5%, ¥1,234.00, 240, 3 天 2 小时. */
export const metricValue = (
  metric: WarningMetric,
  value: number,
  say: ReturnType<typeof useSay>,
): string => {
  const inWords: Readonly<Record<MetricKind, () => string>> = {
    percent: () => percent(value),
    cents: () => `¥${yuan(value)}`,
    minutes: () => duration(value * MINUTE, say),
    count: () => value.toLocaleString(),
  }
  return inWords[warningMetrics[metric].kind]()
}
/** The same in a cell of a list. */
export const MetricValue = ({ of, value }: { of: WarningMetric; value: number }) => (
  <span className="m-num">{metricValue(of, value, useSay())}</span>
)
/** `高于 12%`, with the operator's own unit. */
export const useCondition = () => {
  const say = useSay()
  return ({
    metric,
    operator,
    threshold,
  }: {
    metric: WarningMetric
    operator: WarningOperator
    threshold: number
  }) =>
    `${say(warningOperators[operator]).replace(/（%）| \(%\)/, '')} ${operator === 'change_pct' ? `${threshold}%` : metricValue(metric, threshold, say)}`
}
/** A window in words: 30 分钟 · 6 小时. */
export const useWindow = () => {
  const say = useSay()
  return (seconds: number) =>
    seconds % 3600 === 0
      ? say(['{n} 小时', '{n} h'], { n: seconds / 3600 })
      : say(['{n} 分钟', '{n} min'], { n: seconds / 60 })
}
