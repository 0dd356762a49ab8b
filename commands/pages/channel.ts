import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { page, type Given, type Section } from '../command.ts'

export const section: Section = {
  key: 'channel',
  title: '渠道活码',
  en: 'Live codes',
  place: 84,
  icon: 'chart',
}
export const codesPage = page('/manage/channel/code', '渠道活码', 'Channel codes', {
  object: 'channel_code',
  keys: 'g k c',
  keepAlive: true,
  alias: ['联系我', '二维码', '门店活码', '员工活码', '模拟扫码', 'contact codes', 'live codes'],
})
export const codeEditPage = page('/manage/channel/code/edit', '编辑渠道活码', 'Edit channel code', {
  menu: false,
  object: 'channel_code',
  alias: ['新建活码', '活码班次', '接待成员', '分配规则'],
})
export const statisticsPage = page('/manage/channel/statistics', '渠道统计', 'Channel statistics', {
  keys: 'g k s',
  keepAlive: true,
  alias: ['渠道报表', '渠道成本', 'ROI', '扫码统计', '7 日留存', '渠道漏斗', 'channel report'],
})
export const statDetailPage = page(
  '/manage/channel/statistics/detail',
  '单码统计详情',
  'Channel code detail',
  {
    menu: false,
    keepAlive: true,
    search: z.looseObject({ code_id: id }),
    follows: ({ type, id: of }: Given) => (type === 'channel_code' ? { code_id: of } : undefined),
    alias: ['活码明细', '活码客户', '标注事件', 'figures of a code'],
  },
)
