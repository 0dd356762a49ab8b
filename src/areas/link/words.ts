import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'
import { h5States } from './h5Link.ts'
import { linkTypes, linkHealths } from './pageLink.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  page_link: {
    title: ['页面链接', 'Page link'],
    fields: {
      type: { title: ['类型', 'Type'], kind: 'enum', options: linkTypes },
      path: { title: ['路径', 'Path'] },
      params: { title: ['参数', 'Parameters'] },
      appid: { title: ['AppID', 'AppID'] },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      health: { title: ['检测结果', 'Health'], kind: 'enum', options: linkHealths },
    },
  },
  page_link_use: {
    title: ['链接引用', 'Use of a link'],
    fields: { page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' } },
  },
  h5_link: {
    title: ['推广短链', 'Short link'],
    fields: {
      name: { title: ['名称', 'Name'] },
      code: { title: ['短码', 'Code'] },
      page_link_id: { title: ['目标', 'Target'], kind: 'name', of: 'page_link' },
      params: { title: ['参数', 'Values'] },
      channel: { title: ['渠道', 'Channel'] },
      expire_at: { title: ['到期时间', 'Until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: h5States },
      stop_reason: { title: ['停用原因', 'Why stopped'] },
    },
  },
}
