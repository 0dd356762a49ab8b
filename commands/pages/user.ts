import { page, type Given, type Section } from '../command.ts'

export const section: Section = {
  key: 'user',
  title: '用户',
  en: 'Users',
  place: 88,
  icon: 'people',
}
export const accountsPage = page('/manage/user/list', '用户账号', 'User accounts', {
  object: 'member',
  keys: 'g u l',
  keepAlive: true,
  follows: ({ type, id, row }: Given) => {
    const of = type === 'member' ? id : row['member_id']
    return typeof of === 'number' && of > 0 ? { member_id: of } : undefined
  },
  alias: ['封禁', '禁言', '注销', '换绑手机', '黑名单', 'bans', 'sanctions', 'accounts'],
})
export const userLogPage = page('/manage/user/log', '用户行为日志', 'User activity log', {
  object: 'user_log',
  keys: 'g u a',
  keepAlive: true,
  follows: ({ type, id, row }: Given) => {
    const of = type === 'member' ? id : row['member_id']
    return typeof of === 'number' && of > 0 ? { member_id: of } : undefined
  },
  alias: ['登录日志', '设备', 'IP 反查', '时间线', '风险分', '不是我操作的', 'timeline', 'devices'],
})
