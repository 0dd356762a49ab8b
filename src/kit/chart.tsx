import { Button } from '@blueprintjs/core'
import { Media, Th, TimelineBarChart } from '@blueprintjs/icons'
import type { EChartsType } from 'echarts/core'
import {
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { clause, colon } from '#src/domain/text.ts'
import {
  chartOption,
  chartRows,
  chartTsv,
  type ChartData,
  type ChartLimit,
  type ChartSeries,
  type Look,
} from './chart-option.ts'
import { saveAs } from './download.ts'
import { useDrawing } from './drawing.ts'
import { quantity } from './show.tsx'
import { useSay } from './text.ts'
import { PaneContext, WorkbenchContext } from './workbench.ts'
import './chart.css'

type Props = {
  label: string
  categories: readonly string[]
  series: readonly ChartSeries[]
  limits?: readonly ChartLimit[] | undefined
  /** A value in words, in the tip and in the table; `axis` says it shorter on the axis. */
  format?: (value: number) => string
  axis?: (value: number) => string
  formatRight?: (value: number) => string
  unit?: string | undefined
  unitRight?: string | undefined
  /** The least between two lines of the axis: 1 unless values are written otherwise. */
  step?: number | undefined
  stepRight?: number | undefined
  /** The most that there can be of it: 10,000 for a share in basis points. */
  most?: number | undefined
  mostRight?: number | undefined
  /** Bars that lie: rankings and stages with long names. */
  lying?: boolean | undefined
  /** Pixels at least: a page that has room to fill says more by `--m-chart-height`. */
  height?: number
  /** What opens when a category is taken, by mouse or by Enter. */
  onPick?: (index: number) => void
}
const PICTURE_HEIGHT = 80
/** Whether the table is shown in the place of the drawing; a pane keeps it with its layout. */
const useTabled = (label: string): [boolean, () => void] => {
  const pane = useContext(PaneContext)
  const key = `chart.${label}`
  const [on, setOn] = useState(() => pane?.memo.get(key) === true)
  return [
    on,
    () => {
      setOn(!on)
      pane?.memo.set(key, !on)
    },
  ]
}

const Tools = ({
  data,
  box,
  tabled,
  toggle,
}: {
  data: ChartData
  box: RefObject<HTMLDivElement | null>
  tabled: boolean
  toggle: () => void
}) => {
  const say = useSay()
  const toast = useContext(WorkbenchContext)?.toast
  const copyTable = () =>
    navigator.clipboard.writeText(chartTsv(data)).then(
      () => toast?.(say(['已复制为表格，可直接粘贴到 Excel', 'Copied as a table']), 'success'),
      () => toast?.(say(['无法访问剪贴板', 'No access to the clipboard']), 'warning'),
    )
  const copyPicture = async () => {
    const node = box.current!
    const { chartPicture } = await import('./chart-picture.ts')
    const picture = await chartPicture(data, node, {
      width: Math.max(640, node.clientWidth),
      height: Math.max(240, node.clientHeight) + PICTURE_HEIGHT,
    })
    try {
      await navigator.clipboard.write([new ClipboardItem({ [picture.type]: picture })])
      toast?.(say(['已复制为图片', 'Copied as a picture']), 'success')
    } catch {
      saveAs(`${data.label}.png`, picture)
      toast?.(
        say([
          '浏览器不允许写入剪贴板，图片已下载',
          'The clipboard was refused, so the picture was downloaded',
        ]),
      )
    }
  }
  const name = (what: string) =>
    say(['{label}：{what}', '{label}: {what}'], { label: data.label, what })
  const [table, copy, picture] = [
    tabled ? say(['显示图表', 'Show the chart']) : say(['显示为表格', 'Show as a table']),
    say(['复制表格', 'Copy the table']),
    say(['复制图片', 'Copy the picture']),
  ]
  return (
    <div className="m-chart-tools">
      <Button
        size="small"
        variant="minimal"
        icon={tabled ? <TimelineBarChart size={12} /> : <Th size={12} />}
        aria-pressed={tabled}
        aria-label={name(say(['表格', 'table']))}
        title={table}
        onClick={toggle}
      />
      <Button
        size="small"
        variant="minimal"
        aria-label={name(copy)}
        title={copy}
        onClick={() => void copyTable()}
      >
        {say(['复制', 'Copy'])}
      </Button>
      <Button
        size="small"
        variant="minimal"
        icon={<Media size={12} />}
        aria-label={name(picture)}
        title={picture}
        onClick={() => void copyPicture()}
      />
    </div>
  )
}

const Table = ({ data, shown }: { data: ChartData; shown: boolean }) => (
  <div className={shown ? 'm-chart-scroll' : 'm-sr'} tabIndex={shown ? 0 : undefined}>
    <table className="m-chart-table">
      <caption className={shown ? 'm-muted' : undefined}>{data.label}</caption>
      <thead>
        <tr>
          <th scope="col" />
          {data.series.map(one => (
            <th key={one.name} scope="col">
              {one.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {chartRows(data).map((row, at) => (
          // Two categories may have the same name.
          <tr key={`${row.name}${at}`}>
            <th scope="row">{row.name}</th>
            {row.values.map((value, i) => (
              <td key={data.series[i]!.name}>{quantity(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const useArrows = (
  data: ChartData,
  chart: RefObject<EChartsType | undefined>,
  onPick: ((index: number) => void) | undefined,
) => {
  const say = useSay()
  const [at, setAt] = useState<number | undefined>(undefined)
  const last = data.categories.length - 1
  const go = (to: number) => {
    const next = Math.max(0, Math.min(last, to))
    setAt(next)
    chart.current?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: next })
  }
  const steps: Readonly<Record<string, () => void>> = {
    ArrowRight: () => go((at ?? -1) + 1),
    ArrowLeft: () => go((at ?? last + 1) - 1),
    Home: () => go(0),
    End: () => go(last),
    ...(at !== undefined && onPick && { Enter: () => onPick(at) }),
  }
  const told = useMemo(() => {
    if (at === undefined) return ''
    const row = chartRows(data)[at]
    return row
      ? `${row.name}${say(colon)}${row.values.map((value, i) => `${data.series[i]!.name} ${value}`).join(say(clause))}`
      : ''
  }, [at, data, say])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    step()
    event.preventDefault()
    event.stopPropagation()
  }
  return { told, onKeyDown }
}

/** What is drawn, the same as long as nothing it is told of changes. */
const useData = ({
  label,
  categories,
  series,
  limits,
  format = String,
  axis = format,
  formatRight = format,
  unit,
  unitRight,
  step = format === String ? 1 : undefined,
  stepRight = formatRight === String ? 1 : undefined,
  most,
  mostRight,
  lying,
}: Omit<Props, 'height' | 'onPick'>): ChartData =>
  useMemo(
    () => ({
      label,
      categories,
      series,
      limits,
      format,
      axis,
      formatRight,
      unit,
      unitRight,
      step,
      stepRight,
      most,
      mostRight,
      lying,
    }),
    [
      label,
      categories,
      series,
      limits,
      format,
      axis,
      formatRight,
      unit,
      unitRight,
      step,
      stepRight,
      most,
      mostRight,
      lying,
    ],
  )

/** Over the lines of a chart that has no value but 0: an empty drawing looks like a broken one. */
const Nothing = ({ of, height }: { of: ChartData; height: string }) => {
  const say = useSay()
  if (of.series.some(one => one.values.some(value => value !== null && value !== 0))) return null
  return (
    <p className="m-chart-none m-muted" style={{ height }}>
      {say(['这段时间没有数据', 'No data for this time'])}
    </p>
  )
}

/**
 * Lines, bars or a pie, with its units and thresholds. The same values are a table for whoever wants
 * to read them, and go to the clipboard as a table or as a picture. It takes the focus: ← and → go
 * from category to category and tell its values, Enter picks one.
 */
export const Chart = ({ height = 240, onPick, ...told }: Props) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const data = useData(told)
  const { label } = data
  const option = useCallback((look: Look) => chartOption(data, look), [data])
  const { chart, failed } = useDrawing(box, option, onPick)
  const [tabled, toggle] = useTabled(label)
  const { told: at, onKeyDown } = useArrows(data, chart, onPick)
  const tall = `max(${height}px, var(--m-chart-height, 0px))`
  return (
    <figure className="m-chart">
      {failed && (
        <p className="m-muted">
          {say(['图表未能加载，数据见下表', 'The chart did not load; the table has its figures'])}
        </p>
      )}
      <Tools data={data} box={box} tabled={tabled} toggle={toggle} />
      <div
        ref={box}
        className="m-chart-box"
        role="application"
        aria-roledescription={say(['图表', 'chart'])}
        aria-label={say(['{label}。方向键逐项查看', '{label}. Arrow keys go through it'], {
          label,
        })}
        tabIndex={0}
        hidden={tabled || failed}
        style={{ height: tall }}
        onBlur={() => chart.current?.dispatchAction({ type: 'hideTip' })}
        onKeyDown={onKeyDown}
      />
      {!tabled && !failed && <Nothing of={data} height={tall} />}
      <div className="m-sr" role="status">
        {at}
      </div>
      <Table data={data} shown={tabled || failed} />
    </figure>
  )
}
