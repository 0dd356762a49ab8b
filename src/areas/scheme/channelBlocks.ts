import type { Text } from '#src/domain/text.ts'
import type { BlockField, BlockOf } from './blocks.ts'

const title = { kind: 'text', label: ['标题', 'Title'], max: 12 } as const satisfies BlockField
const limit = (max: number, initial: number) =>
  ({ kind: 'number', label: ['最多展示', 'Shows at most'], min: 1, max, initial }) as const

/** By what a ranking orders goods: each counts only those that have the figure at all. */
const rankings = {
  sold: ['销量榜', 'Most sold'],
  discount: ['折扣榜', 'Most reduced'],
} as const satisfies Readonly<Record<string, Text>>
export type Ranking = keyof typeof rankings
/** A ranking of fewer goods than this says nothing. */
const SAMPLE_LEAST = 3

/** The kinds that show what a category or a brand has. */
export const channelKinds = {
  subcategory: {
    title: ['子分类导航', 'Sub-categories'],
    about: ['有在售商品的下级分类', 'Categories below that have something on sale'],
    once: true,
    data: 'needed',
    fields: { limit: limit(20, 10) },
  },
  ranking: {
    title: ['榜单', 'Ranking'],
    about: ['按规则排名的商品，样本不足不展示', 'Goods in order; too few of them show nothing'],
    data: 'needed',
    fields: {
      title,
      rule: {
        kind: 'choice',
        label: ['排名规则', 'Ranked by'],
        options: rankings,
        initial: 'sold',
      },
      sample: {
        kind: 'number',
        label: ['最少样本', 'Least sample'],
        min: SAMPLE_LEAST,
        max: 100,
        initial: 5,
        hint: ['上榜商品少于此数时不展示', 'With fewer goods that qualify it is not shown'],
      },
      limit: limit(20, 5),
    },
  },
  brand_wall: {
    title: ['品牌墙', 'Brand wall'],
    about: ['该分类已发布的品牌墙', 'The brand wall of the category, as it is published'],
    once: true,
    data: 'needed',
    fields: { title, limit: limit(60, 8) },
  },
  brand_header: {
    title: ['品牌头图', 'Brand header'],
    about: ['品牌标志、名称和关注数', 'Its logo, name and followers'],
    once: true,
    data: 'needed',
    fields: {
      image: {
        kind: 'image',
        label: ['背景图', 'Picture'],
        optional: true,
        hint: ['宽 640 像素以上，不大于 500 KB', '640 pixels wide or more, 500 KB at most'],
      },
    },
  },
  story: {
    title: ['品牌故事', 'Story'],
    about: ['一段品牌介绍', 'A few words on the brand'],
    once: true,
    fields: {
      title,
      text: { kind: 'text', label: ['正文', 'Words'], max: 255, lines: 5 },
    },
  },
  brand_store: {
    title: ['品牌门店', 'Stores of the brand'],
    about: ['该品牌营业中的门店', 'Its stores that are open'],
    once: true,
    data: 'needed',
    fields: { title, limit: limit(20, 5) },
  },
  related_brand: {
    title: ['相关品牌', 'Related brands'],
    about: ['同分类的其他品牌', 'Other brands of the category'],
    once: true,
    data: 'needed',
    fields: { title, limit: limit(12, 6) },
  },
} as const satisfies Readonly<Record<string, BlockOf>>
