import { compareModes } from '#src/domain/overview.ts'
import { orderKinds } from '#src/domain/order.ts'
import { dataIndex as calls } from '#src/modules/system/contract/dataIndex.ts'
import { action, ask, page } from '../command.ts'

export const dataIndex = page('/manage/system/dataIndex', '经营数据总览', 'Operations data overview', { keys: 'g s d', alias: ['总览', '大盘', 'dashboard', 'GMV'] })

const day = { max: 10, min: 10, hint: ['如 2026-11-20', 'Such as 2026-11-20'] } as const
export const dataIndexActions = {
  query: action('system.dataIndex.query', { title: '查询', en: 'Query', key: 'q', at: dataIndex, main: true,
    asks: { from: ask.text({ label: ['开始日期', 'From'], ...day }), to: ask.text({ label: ['结束日期', 'To'], ...day }), kind: ask.choice({ label: ['订单类型', 'Kind of order'], optional: true, options: orderKinds }) } }),
  compare: action('system.dataIndex.compare', { title: '设置对比周期', en: 'Compare with', key: 'c', at: dataIndex, asks: { mode: ask.choice({ label: ['对比', 'Compare with'], options: compareModes }) } }),
  drill: action('system.dataIndex.drill', { title: '查看明细', en: 'Rows behind the number', key: 'o', at: dataIndex }),
  recompute: action(calls.recompute, { title: '重算当日数据', en: 'Count a day again', at: dataIndex, asks: { date: ask.text({ label: ['日期', 'Day'], ...day }), reason: ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 }) }, input: (_, asked) => asked }),
  export: action(calls.export, { title: '导出数据总览', en: 'Export the overview', key: 'shift+e', at: dataIndex }),
}
