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
      name: ['失败为红，阈值为线，带单位', 'Failures red, a threshold as a line, units'],
      draw: () => (
        <Chart
          label="渠道支付"
          categories={days}
          unit="笔"
          unitRight="失败率"
          formatRight={value => `${value}%`}
          limits={[{ value: 5, label: '阈值 5%', right: true }]}
          series={[
            { name: '成功', kind: 'bar', stacked: true, values: [30, 25, 28, 32, 29, 24, 26] },
            {
              name: '失败',
              kind: 'bar',
              stacked: true,
              tone: 'bad',
              values: [1, 2, 0, 0, 3, 1, 2],
            },
            { name: '失败率', right: true, tone: 'muted', values: [3, 7, 0, 0, 9, 4, 7] },
          ]}
        />
      ),
    },
    {
      name: ['横向柱：排行', 'Lying bars: a ranking'],
      draw: () => (
        <Chart
          label="门店排行"
          lying
          unit="元"
          categories={longNames}
          series={[{ name: '成交额', kind: 'bar', values: [30, 20, 10] }]}
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
