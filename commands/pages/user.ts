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
