import type { ObjectWord } from '#src/areas/log/objectWord.ts'

const brands = { kind: 'names', of: 'brand' } as const
/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  brand_wall: {
    title: ['分类品牌墙', 'Brand wall'],
    fields: {
      brand_id: { title: ['品牌', 'Brand'], kind: 'name', of: 'brand' },
      brands: { title: ['品牌', 'Brands'], ...brands },
      added: { title: ['添加的品牌', 'Added'], ...brands },
      removed: { title: ['移除的品牌', 'Removed'], ...brands },
      pinned_until: {
        title: ['置顶至', 'Pinned until'],
        kind: 'time',
        none: ['未置顶', 'Not pinned'],
      },
      published_at: { title: ['发布时间', 'Published'], kind: 'time' },
    },
  },
}
