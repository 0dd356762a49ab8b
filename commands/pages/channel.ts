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
export const channelWelcomePage = page(
  '/manage/channel/welcome',
  '好友欢迎语',
  'New-friend welcomes',
  {
    object: 'wecom_welcome',
    keys: 'g k w',
    keepAlive: true,
    alias: ['新好友消息', '加好友自动回复', '活码欢迎语', '命中检查', '分时段', 'welcome messages'],
  },
)
export const groupsWelcomePage = page(
  '/manage/channel/groupsWelcome',
  '入群欢迎语',
  'Chat welcome messages',
  {
    object: 'wecom_group_welcome',
    keys: 'g k j',
    alias: ['进群欢迎', '群欢迎语模板', '社群欢迎语', '通知群主', 'group welcome templates'],
  },
)
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
export const joinCodesPage = page('/manage/channel/customerGroup', '群活码', 'Group-join codes', {
  object: 'wecom_join_way',
  keys: 'g k q',
  keepAlive: true,
  alias: ['入群活码', '进群二维码', '群满切换', '自动建群', '轮换群', 'join codes', 'group QR'],
})
export const joinCodePage = page(
  '/manage/channel/customerGroup/detail',
  '群活码详情',
  'Group-join code',
  {
    menu: false,
    object: 'wecom_join_way',
    search: z.looseObject({ id }),
    follows: ({ type, id: of }: Given) => (type === 'wecom_join_way' ? { id: of } : undefined),
    alias: ['群轮换看板', '切换记录', '进退群', '群成员', 'rotation of a join code'],
  },
)
