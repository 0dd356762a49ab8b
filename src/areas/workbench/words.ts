import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { viewShares } from './view.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  layout: {
    title: ['工作台布局', 'Layout'],
    fields: {
      kind: {
        title: ['归属', 'Whose'],
        kind: 'enum',
        options: {
          mine: ['我的', 'Own'],
          team: ['团队', 'Team'],
          role: ['角色推荐', 'Recommended'],
        },
      },
      role_id: { title: ['推荐给', 'Recommended to'], kind: 'name', of: 'role' },
      pages: { title: ['页面', 'Pages'], kind: 'list' },
    },
  },
  saved_view: {
    title: ['视图', 'View'],
    fields: {
      page: { title: ['页面', 'Page'] },
      search: { title: ['筛选', 'Filters'] },
      share: { title: ['共享范围', 'Shared with'], kind: 'enum', options: viewShares },
      role_id: { title: ['角色', 'Role'], kind: 'name', of: 'role' },
      department_id: { title: ['部门', 'Department'], kind: 'name', of: 'department' },
      is_default: { title: ['默认', 'Default'], kind: 'flag' },
    },
  },
}
