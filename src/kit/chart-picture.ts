import { TitleComponent } from 'echarts/components'
import { use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { initChart } from './chart-core.ts'
import { chartOption, lookAt, type ChartData } from './chart-option.ts'

register([TitleComponent, CanvasRenderer])

const SCALE = 2
/** A chart as a PNG with its title, in the colours that stand at `element`. */
export const chartPicture = (
  data: ChartData,
  element: Element,
  size: { width: number; height: number },
): Promise<Blob> => {
  const canvas = document.createElement('canvas')
  const chart = initChart(canvas as unknown as HTMLElement, null, {
    renderer: 'canvas',
    devicePixelRatio: SCALE,
    ...size,
  })
  chart.setOption(chartOption(data, lookAt(element), true))
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => {
      chart.dispose()
      if (blob) resolve(blob)
      else reject(new Error('the picture could not be made'))
    }, 'image/png'),
  )
}
