import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { lookAt, type Look } from './chart-option.ts'

const darkNow = () => document.documentElement.classList.contains('bp6-dark')

/**
 * Draws into `box` what `option` makes of the look there, in the theme that stands; the library is
 * loaded when a chart is first in sight. Give a stable `option`.
 */
export const useDrawing = (
  box: RefObject<HTMLDivElement | null>,
  option: (look: Look) => EChartsCoreOption,
  onPick: ((index: number) => void) | undefined,
) => {
  const chart = useRef<EChartsType>(undefined)
  const [ready, setReady] = useState<'no' | 'yes' | 'failed'>('no')
  const [dark, setDark] = useState(darkNow)
  const latest = useRef(onPick)
  useEffect(() => {
    latest.current = onPick
  })
  useEffect(() => {
    let live = true
    const node = box.current!
    const seen = new ResizeObserver(() => {
      if (node.clientWidth > 0) chart.current?.resize()
    })
    import('./chart-core.ts').then(
      ({ initChart }) => {
        if (!live) return
        chart.current = initChart(node, null, { renderer: 'svg' })
        chart.current.on('click', event => latest.current?.(event.dataIndex))
        seen.observe(node)
        setReady('yes')
      },
      () => {
        if (live) setReady('failed')
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
  }, [box])
  useEffect(() => {
    if (ready !== 'yes' || !chart.current || !box.current) return
    chart.current.setOption(option(lookAt(box.current)), true)
  }, [ready, dark, box, option])
  return { chart, failed: ready === 'failed' }
}
