import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  mall_floor: {
    title: ['楼层', 'Floor'],
    fields: {
      alias: { title: ['别名', 'Alias'] },
      level_no: { title: ['层号', 'Level'], kind: 'number' },
      map_image: { title: ['平面图', 'Plan'] },
      is_show: { title: ['展示', 'Shown'], kind: 'flag' },
    },
  },
  mall_category: {
    title: ['导购分类', 'Guide category'],
    fields: {
      store_name: { title: ['门店', 'Store'] },
      stores: { title: ['推荐门店数', 'Stores in it'], kind: 'number' },
      parent_id: { title: ['上级分类编号', 'Under'], kind: 'number' },
      icon: { title: ['图标', 'Icon'] },
      shop_category_ids: { title: ['聚合的经营分类', 'Gathers'], kind: 'list' },
      jump_kind: { title: ['打开方式', 'Opens'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
      is_show: { title: ['展示', 'Shown'], kind: 'flag' },
    },
  },
  hot_item: {
    title: ['热门内容', 'Hot item'],
    fields: {
      ref_id: { title: ['目标编号', 'Target'], kind: 'number' },
      badge: { title: ['角标', 'Badge'] },
      page_link_id: { title: ['跳转链接', 'Link'], kind: 'name', of: 'page_link' },
    },
  },
}
