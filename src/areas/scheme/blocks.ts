import { lengthOf, type Text } from '#src/domain/text.ts'
import { channelKinds } from './channelBlocks.ts'
import type { KeyPart, PageKey } from './pageKey.ts'

/** What a person picked from the library of links, with the values that it asks for. */
export type BlockLink = {
  page_link_id: number
  link_params: Readonly<Record<string, string | number>>
}
export type BlockValue = string | number | readonly number[] | BlockLink
export type BlockProps = Readonly<Record<string, BlockValue>>

type Common = {
  label: Text
  hint?: Text
  optional?: true
  /** Only while another property has this value. */
  only?: readonly [property: string, value: string]
}
/** A field describes one property of a block; the form, the checks and what is stored follow from it. */
export type BlockField = Common &
  (
    | { kind: 'text'; max: number; lines?: number; initial?: string }
    | { kind: 'number'; min: number; max: number; initial: number }
    | { kind: 'choice'; options: Readonly<Record<string, Text>>; initial: string }
    | { kind: 'image' }
    | { kind: 'link' }
    | { kind: 'products'; max: number }
  )
export type BlockOf = {
  title: Text
  /** What it is for, in a line. */
  about: Text
  fields: Readonly<Record<string, BlockField>>
  /** A page has one of it at most. */
  once?: true
  /** It shows rows of what its page is of: without any it is empty, and may not be published unless they are extra. */
  data?: 'needed' | 'extra'
}

const title = { kind: 'text', label: ['标题', 'Title'], max: 12 } as const
const limit = (max: number, initial: number) =>
  ({ kind: 'number', label: ['最多展示', 'Shows at most'], min: 1, max, initial }) as const
const link = { kind: 'link', label: ['跳转链接', 'Link'] } as const

/** Every kind of block, in the order in which they are offered. */
export const blockKinds = {
  search: {
    title: ['搜索框', 'Search'],
    about: ['搜索入口和本市热词', 'Search box with local trending words'],
    once: true,
    data: 'extra',
    fields: {
      hint: {
        kind: 'text',
        label: ['提示文字', 'Hint'],
        max: 20,
        initial: '搜索商场、门店、商品',
      },
      limit: { ...limit(6, 3), label: ['热词数量', 'Hot words'], min: 0 },
    },
  },
  notice: {
    title: ['公告', 'Notice'],
    about: ['一行滚动文字', 'A scrolling line of text'],
    fields: {
      text: { kind: 'text', label: ['内容', 'Words'], max: 60 },
      link: { ...link, optional: true },
    },
  },
  banner: {
    title: ['轮播图', 'Banners'],
    about: ['本市首页已上线的轮播图', 'Online banners of the local home page'],
    once: true,
    data: 'needed',
    fields: { limit: limit(8, 5) },
  },
  icons: {
    title: ['金刚区', 'Icon grid'],
    about: ['本市首页已上线的入口图标', 'Online entries of the local icon grid'],
    once: true,
    data: 'needed',
    fields: {
      columns: {
        kind: 'choice',
        label: ['每行个数', 'In a row'],
        options: { 4: ['4 个', '4'], 5: ['5 个', '5'] },
        initial: '5',
      },
      limit: limit(20, 10),
    },
  },
  area: {
    title: ['活动专区', 'Activity areas'],
    about: ['城市配置中展示的活动专区', 'Areas set for the city'],
    once: true,
    data: 'needed',
    fields: {
      columns: {
        kind: 'choice',
        label: ['每行个数', 'In a row'],
        options: { 2: ['2 个', '2'], 3: ['3 个', '3'], 4: ['4 个', '4'] },
        initial: '2',
      },
      limit: limit(8, 4),
    },
  },
  group: {
    title: ['拼团', 'Group-buys'],
    about: ['在售、可拼团的商品', 'Products on sale as group-buys'],
    once: true,
    data: 'needed',
    fields: { title, limit: limit(10, 4) },
  },
  hot_mall: {
    title: ['热门商圈', 'Hot malls'],
    about: ['城市配置中的热门商圈', 'Popular malls set for the city'],
    once: true,
    data: 'needed',
    fields: { title, limit: limit(10, 6) },
  },
  store: {
    title: ['推荐门店', 'Recommended stores'],
    about: ['城市配置中推荐的门店', 'The stores that the city’s settings recommend'],
    once: true,
    data: 'needed',
    fields: { title, limit: limit(10, 5) },
  },
  coupon: {
    title: ['优惠券', 'Coupons'],
    about: ['可领取的优惠券', 'Coupons that can be claimed'],
    data: 'needed',
    fields: { title, limit: limit(10, 3) },
  },
  product: {
    title: ['商品', 'Products'],
    about: ['猜你喜欢、热卖榜或手选商品', 'Guesses, bestsellers, or products picked by hand'],
    data: 'needed',
    fields: {
      title,
      from: {
        kind: 'choice',
        label: ['商品来源', 'Which'],
        options: {
          guess: ['猜你喜欢', 'Guess you like'],
          sold: ['销量最高', 'Bestsellers'],
          fresh: ['最新上架', 'Newest'],
          picked: ['手动选择', 'Picked by hand'],
        },
        initial: 'guess',
      },
      product_ids: {
        kind: 'products',
        label: ['商品', 'Products'],
        max: 20,
        only: ['from', 'picked'],
        hint: ['按选择顺序展示', 'Shown in the order chosen'],
      },
      limit: limit(20, 6),
    },
  },
  picture: {
    title: ['图片', 'Picture'],
    about: ['一张通栏图片，可跳转', 'One wide picture with a link'],
    fields: {
      image: {
        kind: 'image',
        label: ['图片', 'Picture'],
        hint: ['宽 640 像素以上，不大于 500 KB', '640 pixels wide or more, 500 KB at most'],
      },
      link: { ...link, optional: true },
    },
  },
  text: {
    title: ['标题栏', 'Heading'],
    about: ['分隔上下内容的标题', 'A heading between blocks'],
    fields: {
      text: { kind: 'text', label: ['标题', 'Words'], max: 20 },
      link: { ...link, optional: true },
    },
  },
  gap: {
    title: ['留白', 'Space'],
    about: ['上下内容之间的间隔', 'Room between blocks'],
    fields: {
      height: {
        kind: 'choice',
        label: ['高度', 'Height'],
        options: { small: ['小', 'Small'], medium: ['中', 'Medium'], large: ['大', 'Large'] },
        initial: 'small',
      },
    },
  },
  ...channelKinds,
} as const satisfies Readonly<Record<string, BlockOf>>
export type BlockKind = keyof typeof blockKinds
export const kindOf = (kind: BlockKind): BlockOf => blockKinds[kind]
export type Block = { id: string; kind: BlockKind; props: BlockProps }

/** So many blocks any page has at most; some have room for fewer. */
const BLOCKS_MAX = 40
const ownPages = (Object.keys(blockKinds) as BlockKind[]).filter(kind => !(kind in channelKinds))
const plain = ['notice', 'picture', 'text', 'gap'] as const satisfies readonly BlockKind[]
type PageOf = {
  title: Text
  /** Where it is designed, below the console’s address. */
  at: string
  /** What it is of, in the order of its public address. */
  of: readonly KeyPart[]
  most: number
  holds: readonly BlockKind[]
  /** What a page begins with where nobody has designed one. */
  starts: readonly BlockKind[]
}
/** The pages that are designed: where, of what, and which blocks each may hold. */
export const pageTypes = {
  home: {
    title: ['首页', 'Home'],
    at: 'config/entry/homePage',
    of: ['city_id'],
    most: BLOCKS_MAX,
    holds: ownPages,
    starts: ['search', 'banner', 'hot_mall', 'product'],
  },
  categoryHome: {
    title: ['频道首页', 'Channel home'],
    at: 'config/entry/categoryHome',
    of: ['city_id', 'category_id'],
    most: BLOCKS_MAX,
    holds: [
      'search',
      'subcategory',
      'ranking',
      'brand_wall',
      'product',
      'group',
      'coupon',
      ...plain,
    ],
    starts: ['search', 'subcategory', 'brand_wall', 'product'],
  },
  brand: {
    title: ['品牌主页', 'Brand page'],
    at: 'brand/index/config',
    of: ['brand_id'],
    most: 30,
    holds: [
      'brand_header',
      'story',
      'coupon',
      'product',
      'ranking',
      'group',
      'brand_store',
      'related_brand',
      ...plain,
    ],
    starts: ['brand_header', 'product', 'brand_store'],
  },
  categoryBrand: {
    title: ['分类品牌页', 'Category brand page'],
    at: 'config/entry/categoryBrandConfigPage',
    of: ['city_id', 'category_id', 'brand_id'],
    most: 30,
    holds: [
      'brand_header',
      'product',
      'ranking',
      'group',
      'coupon',
      'story',
      'brand_store',
      'related_brand',
      ...plain,
    ],
    starts: ['brand_header', 'product', 'related_brand'],
  },
} as const satisfies Readonly<Record<string, PageOf>>
export type PageType = keyof typeof pageTypes
export const pageType = (type: PageType): PageOf => pageTypes[type]
/** Where consumers open a page. */
export const addressOf = (type: PageType, key: PageKey): string =>
  `/p/${[type, ...pageType(type).of.map(part => key[part])].join('/')}`

/** The properties that are asked for now, by their names. */
export const fieldsNow = ({ kind, props }: Block): [string, BlockField][] =>
  Object.entries(kindOf(kind).fields).filter(
    ([, { only }]) => only === undefined || props[only[0]] === only[1],
  )
const initialOf = (kind: BlockKind, name: string, field: BlockField): BlockValue | undefined => {
  if (field.kind === 'number' || field.kind === 'choice') return field.initial
  if (field.kind === 'text' && field.initial !== undefined) return field.initial
  return name === 'title' ? kindOf(kind).title[0] : undefined
}
/** A block as it comes from the palette. */
export const newBlock = (kind: BlockKind, id: string): Block => ({
  id,
  kind,
  props: Object.fromEntries(
    Object.entries(kindOf(kind).fields).flatMap(([name, field]) => {
      const value = initialOf(kind, name, field)
      return value === undefined ? [] : [[name, value]]
    }),
  ),
})
/** What is shown where nobody has published a page, and what its first draft begins with. */
export const startOf = (type: PageType): Block[] =>
  pageTypes[type].starts.map(kind => newBlock(kind, `start-${kind}`))
/** Why a kind can't be put on a page that holds these blocks; undefined where it can. */
export const addFault = (
  type: PageType,
  kind: BlockKind,
  blocks: readonly Block[],
): Text | undefined => {
  const { most, holds } = pageType(type)
  if (blocks.length >= most) return [`每页最多 ${most} 个组件`, `At most ${most} blocks a page`]
  if (!holds.includes(kind)) return ['此页面不支持该组件', 'This page does not take it']
  const isThere = kindOf(kind).once && blocks.some(block => block.kind === kind)
  return isThere ? ['每页只能放一个', 'One a page'] : undefined
}

export const isLink = (value: unknown): value is BlockLink =>
  typeof value === 'object' && value !== null && 'page_link_id' in value
const fits = (field: BlockField, value: BlockValue): boolean => {
  switch (field.kind) {
    case 'number':
      return Number.isInteger(value)
    case 'products':
      return Array.isArray(value)
    case 'link':
      return isLink(value)
    default:
      return typeof value === 'string'
  }
}
/** A block with its own properties alone, each of the right form: what is stored of a draft. */
export const cleaned = ({ id, kind, props }: Block): Block => ({
  id,
  kind,
  props: Object.fromEntries(
    Object.entries(kindOf(kind).fields).flatMap(([name, field]) => {
      const value = props[name]
      return value !== undefined && fits(field, value) ? [[name, value]] : []
    }),
  ),
})

export type BlockFault = { block: string; field?: string; text: Text }
const isBlank = (value: BlockValue | undefined): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const valueFault = (field: BlockField, value: BlockValue | undefined): Text | undefined => {
  if (isBlank(value)) return field.optional ? undefined : ['必填', 'Required']
  if (!fits(field, value!)) return ['内容不正确', 'It is not right']
  switch (field.kind) {
    case 'text':
      return lengthOf(value as string) > field.max
        ? [`最多 ${field.max} 个字`, `At most ${field.max} characters`]
        : undefined
    case 'number':
      return (value as number) < field.min || (value as number) > field.max
        ? [`${field.min}–${field.max} 的整数`, `A whole number from ${field.min} to ${field.max}`]
        : undefined
    case 'choice':
      return (value as string) in field.options ? undefined : ['请选择', 'Choose one']
    case 'products':
      return (value as readonly number[]).length > field.max
        ? [`最多 ${field.max} 个`, `At most ${field.max}`]
        : undefined
    default:
      return undefined
  }
}
/** What is wrong with the blocks of a page by themselves, in the order of the page. */
export const blockFaults = (type: PageType, blocks: readonly Block[]): BlockFault[] =>
  blocks.flatMap((block, at): BlockFault[] => {
    const place = addFault(type, block.kind, blocks.slice(0, at))
    return [
      ...(place ? [{ block: block.id, text: place }] : []),
      ...fieldsNow(block).flatMap(([field, of]) => {
        const text = valueFault(of, block.props[field])
        return text ? [{ block: block.id, field, text }] : []
      }),
    ]
  })
