import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { entryPositions, entryStates } from './entryIcon.ts'

const position = { title: ['位置', 'Position'], kind: 'enum', options: entryPositions } as const
/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  entry_icon: {
    title: ['首页入口', 'Home entry'],
    fields: {
      city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
      position,
      title: { title: ['标题', 'Title'] },
      icon: { title: ['图标', 'Icon'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
      link_params: { title: ['跳转参数', 'Link values'] },
      badge: { title: ['角标', 'Badge'], none: ['无', 'None'] },
      badge_until: { title: ['角标截止', 'Badge until'], kind: 'time' },
      audience: { title: ['受众', 'For'] },
      start_at: { title: ['开始时间', 'From'], kind: 'time', none: ['即日', 'Now'] },
      end_at: { title: ['结束时间', 'Until'], kind: 'time', none: ['长期', 'No end date'] },
      status: { title: ['状态', 'Status'], kind: 'enum', options: entryStates },
    },
  },
  entry_order: {
    title: ['首页入口顺序', 'Order of home entries'],
    fields: { position },
  },
}
