import type { EChartsCoreOption } from 'echarts/core'
import { useCallback, useRef, useState, type KeyboardEvent } from 'react'
import { clause, colon, comma, type Text } from '#src/domain/text.ts'
import type { Look } from './chart-option.ts'
import { useDrawing } from './drawing.ts'
import { linksAt, placesOf, walked, type GraphData, type Step } from './graph-walk.ts'
import { useSay } from './text.ts'
import './chart.css'

type Props = GraphData & {
  label: string
  /** The kinds of nodes, a column each from the left, and what each is called. */
  kinds: Readonly<Record<string, Text>>
  height?: number
}
const tokens = ['--m-accent', '--m-chart-3', '--m-chart-2', '--m-muted']
/** Names are broken where they would leave the picture. */
const LABEL_PX = 104
/** Names are written out while there is room for them. */
const NAMED_MOST = 40
const steps: ReadonlySet<string> = new Set<Step>([
  'ArrowRight',
  'ArrowLeft',
  'ArrowDown',
  'ArrowUp',
  'Home',
  'End',
])
const isStep = (key: string): key is Step => steps.has(key)

/** What the library draws: a column of each kind, and the ties between them. */
const optionOf = (
  { kinds, nodes, links }: GraphData & Pick<Props, 'kinds'>,
  { of, font }: Look,
  say: ReturnType<typeof useSay>,
): EChartsCoreOption => {
  const keys = Object.keys(kinds).filter(kind => nodes.some(node => node.kind === kind))
  const places = placesOf({ nodes, links }, keys)
  return {
    animation: false,
    textStyle: { fontFamily: font, color: of('--m-text') },
    legend: {
      top: 0,
      data: keys.map(key => say(kinds[key]!)),
      textStyle: { color: of('--m-text') },
    },
    tooltip: {},
    series: [
      {
        type: 'graph',
        layout: 'none',
        top: 40,
        bottom: 16,
        left: 16,
        right: LABEL_PX + 16,
        symbol: 'roundRect',
        symbolSize: 12,
        categories: keys.map((key, i) => ({
          name: say(kinds[key]!),
          itemStyle: { color: of(tokens[i % tokens.length]!) },
        })),
        data: nodes.map(node => ({
          ...places.get(node.id),
          id: node.id,
          name: node.name,
          value: node.note,
          category: keys.indexOf(node.kind),
          label: {
            show: nodes.length <= NAMED_MOST,
            position: 'right',
            fontSize: 11,
            lineHeight: 13,
            width: LABEL_PX,
            overflow: 'break',
            color: of('--m-text'),
          },
        })),
        links: links.map(link => ({ source: link.from, target: link.to })),
        lineStyle: { color: of('--m-line'), opacity: 0.9 },
        emphasis: { focus: 'adjacency', lineStyle: { color: of('--m-accent') } },
      },
    ],
  }
}

/**
 * Draws who is tied to whom, in columns by what they are. It takes the focus: → and ← follow the ties, ↑
 * and ↓ go through one column, and what stands there is told. A table beside it has the same.
 */
export const Graph = ({ label, kinds, nodes, links, height = 280 }: Props) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<string | undefined>(undefined)
  const option = useCallback(
    (look: Look) => optionOf({ kinds, nodes, links }, look, say),
    [kinds, links, nodes, say],
  )
  const { chart, failed } = useDrawing(box, option, index => setAt(nodes[index]?.id))
  const here = nodes.find(node => node.id === at)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isStep(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    const next = walked({ nodes, links }, at, event.key)
    chart.current?.dispatchAction({ type: 'downplay', seriesIndex: 0 })
    const index = nodes.findIndex(node => node.id === next)
    chart.current?.dispatchAction({ type: 'highlight', seriesIndex: 0, dataIndex: index })
    setAt(next)
  }
  return (
    <figure className="m-chart">
      <div
        ref={box}
        className="m-chart-box"
        role="application"
        aria-roledescription={say(['关系图', 'graph'])}
        aria-label={say(['{label}。方向键沿关系查看', '{label}. Arrow keys follow its ties'], {
          label,
        })}
        tabIndex={0}
        hidden={failed}
        style={{ height }}
        onBlur={() => chart.current?.dispatchAction({ type: 'downplay', seriesIndex: 0 })}
        onKeyDown={onKeyDown}
      />
      <figcaption role="status" className="m-muted">
        {here &&
          [
            `${say(kinds[here.kind]!)} ${here.name}`,
            here.note,
            ...linksAt({ nodes, links }, here.id).map(
              ({ what, names }) =>
                `${what} ${names.length}${say(colon)}${names.slice(0, 3).join(say(comma))}`,
            ),
          ]
            .filter(Boolean)
            .join(say(clause))}
      </figcaption>
    </figure>
  )
}
