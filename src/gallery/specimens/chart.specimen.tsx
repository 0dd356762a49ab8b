import { yuan } from '#src/domain/money.ts'
import { Chart } from '#src/kit/chart.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const days = ['11-14', '11-15', '11-16', '11-17', '11-18', '11-19', '11-20']
const sold = [12_00, 15_50, 9_90, null, 22_00, 31_00, 28_80]
export const specimen: Specimen = {
  part: 'chart',
  title: ['图表', 'Charts'],
  states: [
    {
      name: ['折线，与上周相比', 'Lines beside the week before'],
      draw: () => (
        <Chart
          label="成交额"
          categories={days}
          format={yuan}
          series={[
            { name: '本周', values: sold },
            { name: '上周', values: [...sold].reverse(), faint: true },
          ]}
        />
      ),
    },
    {
      name: ['柱与右轴', 'Bars and a second axis'],
      draw: () => (
        <Chart
          label="订单与退款率"
          categories={days}
          formatRight={value => `${value}%`}
          series={[
            { name: '订单', kind: 'bar', values: [3, 5, 8, 2, 9, 4, 6] },
            { name: '退款率', right: true, values: [1, 2, 1, 0, 3, 2, 1] },
          ]}
        />
      ),
    },
    {
      name: ['饼图，长名称', 'A pie, long names'],
      draw: () => (
        <Chart
          label="按门店"
          categories={longNames}
          series={[{ name: '订单', kind: 'pie', values: [3, 2, 1] }]}
        />
      ),
    },
    {
      name: ['没有数据', 'No data'],
      draw: () => <Chart label="成交额" categories={[]} series={[{ name: '本周', values: [] }]} />,
    },
  ],
}
