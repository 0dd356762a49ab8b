import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chartOption, chartTsv, type ChartData } from '#src/kit/chart-option.ts'
import { Chart } from '#src/kit/chart.tsx'

vi.mock('#src/kit/chart-core.ts', () => ({
  initChart: () => ({ on: () => {}, setOption: () => {}, resize: () => {}, dispose: () => {} }),
}))
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const data: ChartData = {
  label: '每日退款',
  categories: ['11-01', '11-02'],
  series: [
    { name: '退款额', values: [123_456, null], tone: 'bad' },
    { name: '退款率', values: [250, 10], right: true },
  ],
  format: cents => `¥${(cents / 100).toLocaleString('en')}`,
  axis: String,
  formatRight: bp => `${bp / 100}%`,
  unit: '元',
}
const look = { of: (token: string) => token, font: 'serif' }

test('a table goes to a sheet as numbers, with its units in the heading', () => {
  expect(chartTsv(data)).toBe('每日退款\t退款额（元）\t退款率\n11-01\t1234.56\t2.5%\n11-02\t\t0.1%')
})
test('a failure is red, axes have their units, and a threshold is a labelled line in sight', () => {
  const option = chartOption(
    { ...data, limits: [{ value: 500, label: '阈值 5%', right: true }] },
    look,
  ) as {
    series: {
      color?: string
      markLine?: { data: { yAxis: number; label: { formatter: string } }[] }
    }[]
    yAxis: { name?: string; max?: (of: { max: number }) => number | null }[]
  }
  expect(option.series[0]).toMatchObject({ color: '--m-bad' })
  expect(option.series[0]!.markLine).toBeUndefined()
  expect(option.series[1]!.markLine!.data[0]).toMatchObject({
    yAxis: 500,
    label: { formatter: '阈值 5%' },
  })
  expect(option.yAxis[0]!.name).toBe('元')
  expect(option.yAxis[1]!.max!({ max: 250 })).toBeGreaterThan(500)
  expect(option.yAxis[1]!.max!({ max: 900 })).toBeNull()
})
test('a threshold of lying bars stands across their axis', () => {
  const option = chartOption(
    { ...data, lying: true, limits: [{ value: 500, label: '平均' }] },
    look,
  ) as { series: { markLine?: { data: { xAxis: number }[] } }[] }
  expect(option.series[0]!.markLine!.data[0]!.xAxis).toBe(500)
})
test('what a limit says stands over bars on a ground of its own', () => {
  const option = chartOption(
    { ...data, limits: [{ value: 500, label: '平均 5%', right: true }] },
    look,
  ) as { series: { z: number; markLine?: { z: number; data: { label: object }[] } }[] }
  const { z, data: lines } = option.series[1]!.markLine!
  for (const series of option.series) expect(z).toBeGreaterThan(series.z)
  expect(lines[0]!.label).toMatchObject({ backgroundColor: '--m-bg' })
})
test('two axes have one line of nought where values go below it', () => {
  const axesOf = (left: number[], right: number[]) => {
    const series = [
      { name: '净增', values: left },
      { name: '扫码', values: right, right: true },
    ]
    return (chartOption({ ...data, series }, look) as { yAxis: { min?: number; max?: number }[] })
      .yAxis
  }
  for (const [left, right] of [
    [
      [-9, 27],
      [0, 240],
    ],
    [
      [3, 4],
      [-12, 0],
    ],
    [
      [-1, 0],
      [-300, 90_000],
    ],
  ] as const) {
    const [one, other] = axesOf([...left], [...right])
    expect(one!.min! / one!.max!).toBeCloseTo(other!.min! / other!.max!, 6)
    expect(one).toSatisfy(({ min, max }) => min <= left[0] && max >= left[1])
    expect(other).toSatisfy(({ min, max }) => min <= right[0] && max >= right[1])
  }
  expect(axesOf([1, 2], [3, 4])[0]).not.toHaveProperty('interval')
})
test('no axis of shares passes the whole, and one of small shares ends where they do', () => {
  const axisOf = (share: number) => {
    const series = [{ name: '退款率', values: [share, null], right: true }]
    const option = chartOption({ ...data, series, mostRight: 10_000 }, look)
    return (option as { yAxis: { max?: number; interval?: number }[] }).yAxis[1]!
  }
  expect(axisOf(10_000)).toMatchObject({ max: 10_000, interval: 2_500 })
  expect(axisOf(9_000).max).toBe(10_000)
  expect(axisOf(2_000).max).toBeUndefined()
})
test('no two of six parts have one colour, and none is red, which is a failure’s', () => {
  const { color } = chartOption(data, look) as { color: string[] }
  expect(new Set(color).size).toBeGreaterThanOrEqual(6)
  expect(color).not.toContain('--m-bad')
  expect(color).not.toContain('--m-chart-6')
})
test('the table takes the place of the drawing by a button that says whether it does', () => {
  render(<Chart {...data} />)
  const button = screen.getByRole('button', { name: '每日退款：表格' })
  const drawing = screen.getByRole('application', { name: /每日退款/ })
  expect(button.getAttribute('aria-pressed')).toBe('false')
  fireEvent.click(button)
  expect(button.getAttribute('aria-pressed')).toBe('true')
  expect(drawing.hidden).toBe(true)
  expect(screen.getByRole('row', { name: '11-01 ¥1,234.56 2.5%' })).toBeTruthy()
})
test('the table is copied as tab-separated lines', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  render(<Chart {...data} />)
  fireEvent.click(screen.getByRole('button', { name: '每日退款：复制表格' }))
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith(chartTsv(data)))
})
