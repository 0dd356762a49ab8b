import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { materialKinds, materialStates } from './material.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  dist_material: {
    title: ['推广素材', 'Promotion material'],
    fields: {
      title: { title: ['标题', 'Title'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: materialKinds },
      product_id: { title: ['商品', 'Product'], kind: 'name', of: 'product' },
      files: { title: ['图片与视频', 'Pictures and videos'], kind: 'list' },
      code_area: { title: ['二维码区域', 'Code area'] },
      content: { title: ['文案', 'Text'] },
      mall_ids: { title: ['适用商场', 'Malls'], kind: 'names', of: 'mall' },
      start_at: { title: ['开始时间', 'From'], kind: 'time' },
      end_at: { title: ['结束时间', 'Until'], kind: 'time' },
      sort: { title: ['排序', 'Place'] },
      price_confirmed_at: { title: ['价格确认时间', 'Price confirmed'], kind: 'time' },
      reason: { title: ['原因', 'Reason'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: materialStates },
    },
  },
}
