import type { EChartsType } from 'echarts/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSay } from './text.ts'
import './chart.css'

type Series = {
  name: string
  /** One value a category; null leaves a gap. */
  values: readonly (number | null)[]
  kind?: 'line' | 'bar' | 'pie'
  /** The second axis, on the right. */
  right?: boolean
  /** What is compared with, not what is told. */
  faint?: boolean
}
type Props = {
  label: string
  categories: readonly string[]
  series: readonly Series[]
  /** A value in words, in the tip and on the axis; `axis` says it shorter there. */
  format?: (value: number) => string
  axis?: (value: number) => string
  formatRight?: (value: number) => string
  height?: number
  /** What opens when a category is taken, by mouse or by Enter. */
  onPick?: (index: number) => void
}
/** The colours of the series, from the tokens, so that both themes have their own. */
const tones = [
  '--m-accent',
  '--m-chart-2',
  '--m-chart-3',
  '--m-chart-4',
  '--m-chart-5',
  '--m-chart-6',
]
const darkNow = () => document.documentElement.classList.contains('bp6-dark')

/**
 * Lines, bars or a pie. The drawing is loaded when it is first in sight; a table of the same values
 * stands behind it for a screen reader. It takes the focus: ← and → go from category to category
 * and tell its values, Enter picks one.
 */
export const Chart = ({
  label,
  categories,
  series,
  format = String,
  axis: short = format,
  formatRight = format,
  height = 240,
  onPick,
}: Props) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const [ready, setReady] = useState(false)
  const [failed, setFailed] = useState(false)
  const [dark, setDark] = useState(darkNow)
  const [at, setAt] = useState<number | undefined>(undefined)
  const latest = useRef(onPick)
  latest.current = onPick

  useEffect(() => {
    let live = true
    const node = box.current!
    const seen = new ResizeObserver(() => chart.current?.resize())
    import('./chart-core.ts').then(
      ({ initChart }) => {
        if (!live) return
        chart.current = initChart(node, null, { renderer: 'svg' })
        chart.current.on('click', event => latest.current?.(event.dataIndex))
        seen.observe(node)
        setReady(true)
      },
      () => {
        if (live) setFailed(true)
      },
    )
    const theme = new MutationObserver(() => setDark(darkNow()))
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
    return () => {
      live = false
      seen.disconnect()
      theme.disconnect()
      chart.current?.dispose()
      chart.current = undefined
    }
  }, [])

  useEffect(() => {
    if (!ready || !chart.current || !box.current) return
    const style = getComputedStyle(box.current)
    const of = (name: string) => style.getPropertyValue(name).trim()
    const [text, muted, line, raised] = [
      of('--m-text'),
      of('--m-muted'),
      of('--m-line'),
      of('--m-raised'),
    ]
    const pie = series[0]?.kind === 'pie'
    const axis = (right: boolean) => ({
      type: 'value' as const,
      splitNumber: 4,
      show: !right || series.some(one => one.right),
      axisLabel: { color: muted, fontSize: 11, formatter: right ? formatRight : short },
      splitLine: { show: !right, lineStyle: { color: line } },
    })
    chart.current.setOption(
      {
        animation: false,
        color: tones.map(of),
        textStyle: { fontFamily: style.fontFamily },
        grid: { left: 4, right: 8, top: 32, bottom: 4, containLabel: true },
        legend: {
          show: series.length > 1 || pie,
          top: 0,
          left: 0,
          itemWidth: 14,
          itemHeight: 8,
          textStyle: { color: muted, fontSize: 12 },
        },
        // Drawn, not written as HTML: the page allows no inline styles.
        tooltip: {
          trigger: pie ? 'item' : 'axis',
          renderMode: 'richText',
          backgroundColor: raised,
          borderColor: line,
          textStyle: { color: text, fontSize: 12 },
          ...(pie && { valueFormatter: (value: unknown) => format(Number(value)) }),
        },
        ...(pie
          ? {}
          : {
              xAxis: {
                type: 'category',
                data: [...categories],
                axisLabel: { color: muted, fontSize: 11, hideOverlap: true },
                axisLine: { lineStyle: { color: line } },
                axisTick: { show: false },
              },
              yAxis: [axis(false), axis(true)],
            }),
        series: series.map((one, i) => {
          const valueFormatter = (value: unknown) =>
            value === null || value === undefined
              ? '—'
              : (one.right ? formatRight : format)(Number(value))
          if (one.kind === 'pie')
            return {
              type: 'pie',
              name: one.name,
              radius: ['45%', '75%'],
              center: ['50%', '56%'],
              label: { color: text, fontSize: 12 },
              data: categories.map((name, j) => ({ name, value: one.values[j] ?? 0 })),
            }
          return {
            type: one.kind ?? 'line',
            name: one.name,
            data: [...one.values],
            yAxisIndex: one.right ? 1 : 0,
            tooltip: { valueFormatter },
            symbolSize: 5,
            showSymbol: categories.length <= 40,
            barMaxWidth: 28,
            ...(one.faint && {
              lineStyle: { type: 'dashed', width: 1 },
              itemStyle: { opacity: 0.55 },
            }),
            z: one.faint ? 1 : 2 + i,
          }
        }),
      },
      true,
    )
  }, [ready, dark, categories, series, format, short, formatRight])

  const told = useMemo(
    () =>
      at === undefined
        ? ''
        : `${categories[at] ?? ''}：${series
            .map(one => {
              const value = one.values[at]
              return `${one.name} ${value === null || value === undefined ? '—' : (one.right ? formatRight : format)(value)}`
            })
            .join('，')}`,
    [at, categories, series, format, formatRight],
  )
  const go = (to: number) => {
    const next = Math.max(0, Math.min(categories.length - 1, to))
    setAt(next)
    chart.current?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: next })
  }
  return (
    <figure className="m-chart">
      {failed && (
        <p className="m-muted">
          {say(['图表未能加载，数据见下表', 'The chart did not load; the table has its figures'])}
        </p>
      )}
      <div
        ref={box}
        className="m-chart-box"
        role="application"
        aria-roledescription={say(['图表', 'chart'])}
        aria-label={`${label}。${say(['方向键逐项查看', 'Arrow keys go through it'])}`}
        tabIndex={0}
        style={{ height: failed ? 0 : height }}
        onBlur={() => chart.current?.dispatchAction({ type: 'hideTip' })}
        onKeyDown={event => {
          if (event.key === 'ArrowRight') go((at ?? -1) + 1)
          else if (event.key === 'ArrowLeft') go((at ?? categories.length) - 1)
          else if (event.key === 'Home') go(0)
          else if (event.key === 'End') go(categories.length - 1)
          else if (event.key === 'Enter' && at !== undefined && onPick) onPick(at)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <div className="m-sr" role="status">
        {told}
      </div>
      <table className={failed ? 'm-chart-table' : 'm-sr'}>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col" />
            {series.map(one => (
              <th key={one.name} scope="col">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map((category, i) => (
            <tr key={category}>
              <th scope="row">{category}</th>
              {series.map(one => {
                const value = one.values[i]
                return (
                  <td key={one.name}>
                    {value === null || value === undefined
                      ? '—'
                      : (one.right ? formatRight : format)(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
