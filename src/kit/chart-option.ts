import type { EChartsCoreOption } from 'echarts/core'
import { sharedZero } from './chart-axis.ts'

/** What a series is about, where its colour says it: a failure is red and nothing else is. */
type ChartTone = 'bad' | 'warn' | 'good' | 'muted'
export type ChartSeries = {
  name: string
  /** A value for each category; null leaves a gap. */
  values: readonly (number | null)[]
  /** Points stand beside each other where no way leads from one category to the next. */
  kind?: 'line' | 'points' | 'bar' | 'pie'
  /** The second axis, on the right. */
  right?: boolean
  /** What is compared with, not what is told. */
  faint?: boolean
  tone?: ChartTone
  /** Bars that stand on each other. */
  stacked?: boolean
}
/** A threshold or a mean: a line across, with its words beside it. */
export type ChartLimit = { value: number; label: string; right?: boolean; tone?: ChartTone }
export type ChartData = {
  label: string
  categories: readonly string[]
  series: readonly ChartSeries[]
  limits?: readonly ChartLimit[] | undefined
  /** A value in words, in the tip and in the table; `axis` says it shorter on the axis. */
  format: (value: number) => string
  axis: (value: number) => string
  formatRight: (value: number) => string
  /** The units, above the axes. */
  unit?: string | undefined
  unitRight?: string | undefined
  /** The least between two lines of the axis: 1 where half a thing is none. */
  step?: number | undefined
  stepRight?: number | undefined
  /** The most that there can be of it: a share ends at the whole. */
  most?: number | undefined
  mostRight?: number | undefined
  /** Bars that lie: rankings and stages with long names. */
  lying?: boolean | undefined
}

/**
 * The colours of series and parts that have no tone, from the tokens, so that each theme has its
 * own. None is red, which is a failure's.
 */
const palette = [
  '--m-accent',
  '--m-chart-2',
  '--m-chart-3',
  '--m-chart-4',
  '--m-chart-5',
  '--m-muted',
]
const toneOf: Readonly<Record<ChartTone, string>> = {
  bad: '--m-bad',
  warn: '--m-chart-3',
  good: '--m-chart-2',
  muted: '--m-muted',
}
export type Look = { of: (token: string) => string; font: string }
/** The colours and the font at an element. */
export const lookAt = (element: Element): Look => {
  const style = getComputedStyle(element)
  return { of: name => style.getPropertyValue(name).trim(), font: style.fontFamily }
}

/** Above every series, so that no bar hides what the line says. */
const OVER_ALL = 100
const limitLine = (limits: readonly ChartLimit[], { of }: Look, lying: boolean) => ({
  silent: true,
  symbol: 'none',
  z: OVER_ALL,
  data: limits.map(limit => ({
    ...(lying ? { xAxis: limit.value } : { yAxis: limit.value }),
    lineStyle: { color: of(toneOf[limit.tone ?? 'bad']), type: 'dashed', width: 1 },
    label: {
      formatter: limit.label,
      position: lying ? 'start' : 'insideEndTop',
      color: of(toneOf[limit.tone ?? 'bad']),
      fontSize: 11,
      // Words on bars and lines are read by a ground of their own.
      backgroundColor: of('--m-bg'),
      padding: [1, 4],
      borderRadius: 2,
    },
  })),
})
const seriesOf = (data: ChartData, look: Look) =>
  data.series.map((one, i) => {
    const color = one.tone ? look.of(toneOf[one.tone]) : undefined
    if (one.kind === 'pie')
      return {
        type: 'pie',
        name: one.name,
        // Names of small parts stand above the ring, and the legend above them.
        radius: ['38%', '62%'],
        center: ['50%', '60%'],
        label: { color: look.of('--m-text'), fontSize: 12 },
        data: data.categories.map((name, j) => ({ name, value: one.values[j] ?? 0 })),
      }
    // A limit hangs on the first series of its axis.
    const first = data.series.findIndex(other => Boolean(other.right) === Boolean(one.right)) === i
    const limits = first
      ? (data.limits ?? []).filter(limit => Boolean(limit.right) === Boolean(one.right))
      : []
    const say = one.right ? data.formatRight : data.format
    return {
      type: one.kind === 'bar' ? 'bar' : 'line',
      name: one.name,
      data: [...one.values],
      ...(data.lying ? {} : { yAxisIndex: one.right ? 1 : 0 }),
      tooltip: {
        valueFormatter: (value: unknown) =>
          value === null || value === undefined ? '—' : say(Number(value)),
      },
      symbolSize: 5,
      showSymbol: data.categories.length <= 40,
      barMaxWidth: 28,
      ...(one.stacked && { stack: one.right ? 'right' : 'left' }),
      ...(color && { color, itemStyle: { color }, lineStyle: { color } }),
      ...(one.kind === 'points' && { symbolSize: 9, lineStyle: { width: 0 } }),
      ...(one.faint && {
        lineStyle: { type: 'dashed', width: 1, ...(color && { color }) },
        itemStyle: { opacity: 0.55, ...(color && { color }) },
      }),
      ...(limits.length > 0 && { markLine: limitLine(limits, look, data.lying === true) }),
      z: one.faint ? 1 : 2 + i,
    }
  })
/** The part of its most that would let an axis round itself up past it. */
const NEAR = 0.8
const QUARTER = 0.25
/** Where an axis ends: a limit above all values stays in sight, and a share ends at the whole. */
const topOn = (data: ChartData, right: boolean): object => {
  const limits = (data.limits ?? [])
    .filter(limit => Boolean(limit.right) === right)
    .map(limit => limit.value)
  const most = right ? data.mostRight : data.most
  const values = data.series
    .filter(one => Boolean(one.right) === right)
    .flatMap(one => one.values.map(value => value ?? 0))
  if (most !== undefined && Math.max(...limits, ...values) > most * NEAR)
    return { max: most, interval: most * QUARTER }
  if (limits.length === 0) return {}
  const limit = Math.max(...limits)
  return { max: ({ max }: { max: number }) => (limit > max ? limit * 1.1 : null) }
}
const axesOf = (data: ChartData, { of }: Look) => {
  const [muted, line] = [of('--m-muted'), of('--m-line')]
  const isFree = !data.lying && !data.limits?.length
  const shared = isFree ? sharedZero(data.series) : undefined
  const values = (right: boolean) => {
    return {
      type: 'value' as const,
      splitNumber: 4,
      // Values are whole numbers: counts, cents, basis points.
      minInterval: (right ? data.stepRight : data.step) ?? 1,
      show: !right || data.series.some(one => one.right),
      name: right ? data.unitRight : data.unit,
      nameGap: 10,
      nameTextStyle: { color: muted, fontSize: 11, align: right ? 'right' : 'left' },
      axisLabel: {
        color: muted,
        fontSize: 11,
        hideOverlap: true,
        formatter: right ? data.formatRight : data.axis,
      },
      splitLine: { show: !right, lineStyle: { color: line } },
      ...topOn(data, right),
      ...shared?.[right ? 'right' : 'left'],
    }
  }
  const categories = {
    type: 'category',
    data: [...data.categories],
    axisLabel: {
      color: muted,
      fontSize: 11,
      hideOverlap: true,
      ...(data.lying && { width: 140, overflow: 'truncate' }),
    },
    axisLine: { lineStyle: { color: line } },
    axisTick: { show: false },
    ...(data.lying && { inverse: true }),
  }
  return data.lying
    ? { xAxis: values(false), yAxis: categories }
    : { xAxis: categories, yAxis: [values(false), values(true)] }
}

/** How far the drawing stands below the top: the legend, and units or limits, have a line each. */
const topOf = (data: ChartData, legend: boolean): number => {
  const words = data.lying ? data.limits?.length : (data.unit ?? data.unitRight)
  return 8 + (legend ? 24 : 0) + (words ? 20 : 0)
}

/** What the chart library is told. `titled` adds the title, for a picture that stands by itself. */
export const chartOption = (data: ChartData, look: Look, titled = false): EChartsCoreOption => {
  const pie = data.series[0]?.kind === 'pie'
  const legend = data.series.length > 1 || pie
  const [text, muted, line] = [look.of('--m-text'), look.of('--m-muted'), look.of('--m-line')]
  const head = titled ? 32 : 0
  return {
    animation: false,
    color: palette.map(look.of),
    textStyle: { fontFamily: look.font },
    ...(titled && {
      backgroundColor: look.of('--m-bg'),
      title: { text: data.label, top: 8, left: 8, textStyle: { color: text, fontSize: 14 } },
    }),
    grid: {
      left: titled ? 16 : 4,
      right: titled ? 24 : 8,
      top: head + topOf(data, legend),
      bottom: titled ? 16 : 4,
      containLabel: true,
    },
    legend: {
      show: legend,
      type: 'scroll',
      top: head,
      left: titled ? 8 : 0,
      right: 8,
      itemWidth: 14,
      itemHeight: 8,
      textStyle: { color: muted, fontSize: 12 },
      pageTextStyle: { color: muted },
      pageIconColor: muted,
      pageIconInactiveColor: line,
    },
    // Drawn, not written as HTML: the page allows no inline styles.
    tooltip: {
      trigger: pie ? 'item' : 'axis',
      renderMode: 'richText',
      backgroundColor: look.of('--m-raised'),
      borderColor: line,
      textStyle: { color: text, fontSize: 12 },
      ...(pie && { valueFormatter: (value: unknown) => data.format(Number(value)) }),
    },
    ...(pie ? {} : axesOf(data, look)),
    series: seriesOf(data, look),
  }
}

const shown = (data: ChartData, one: ChartSeries, at: number): string => {
  const value = one.values[at]
  return value === null || value === undefined
    ? '—'
    : (one.right ? data.formatRight : data.format)(value)
}
/** The same values as lines of words: of a category its name and one value a series. */
export const chartRows = (data: ChartData): { name: string; values: string[] }[] =>
  data.categories.map((name, at) => ({
    name,
    values: data.series.map(one => shown(data, one, at)),
  }))
/** A number as a sheet takes it: without the sign of money and the commas between its digits. */
const inCell = (words: string): string => {
  const bare = words.replaceAll(/[¥,]/g, '')
  if (/^-?\d+(\.\d+)?%?$/.test(bare)) return bare
  return words.replaceAll(/\s+/g, ' ')
}
/** The table as tab-separated lines, as a sheet takes them from the clipboard. */
export const chartTsv = (data: ChartData): string =>
  [
    [
      data.label,
      ...data.series.map(one => {
        const unit = one.right ? data.unitRight : data.unit
        return inCell(unit ? `${one.name}（${unit}）` : one.name)
      }),
    ],
    ...chartRows(data).map(row => [
      row.name.replaceAll(/\s+/g, ' '),
      ...row.values.map(value => (value === '—' ? '' : inCell(value))),
    ]),
  ]
    .map(cells => cells.join('\t'))
    .join('\n')
