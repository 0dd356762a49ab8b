import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { followsBy, page, type Given, type Section } from '../command.ts'

export const section: Section = {
  key: 'ecard',
  title: '电子卡',
  en: 'E-cards',
  place: 57,
  icon: 'gift',
}

export const cardList = page('/manage/ecard/list', '电子卡列表', 'E-cards', {
  object: 'ecard',
  keys: 'g e c',
  keepAlive: true,
  follows: followsBy('mid'),
  alias: ['储值卡', '礼品卡', '兑换卡', '卡密', 'gift cards', 'stored value'],
})
export const cardAdd = page('/manage/ecard/list/add', '新增电子卡', 'New e-card', {
  menu: false,
  alias: ['发行电子卡', 'issue a card'],
})
export const cardEdit = page('/manage/ecard/list/edit/:id', '编辑电子卡', 'Edit e-card', {
  menu: false,
  file: 'ecard/pages/list/add.tsx',
  object: 'ecard',
})
export const cardFaces = page('/manage/ecard/list/attr', '电子卡面值规格', 'E-card face values', {
  menu: false,
  object: 'ecard_attr',
  search: z.looseObject({ card_id: id }),
  follows: ({ type, id: of }) => (type === 'ecard' ? { card_id: of } : undefined),
  alias: ['面额', '批量改价', '毛利', 'face values'],
})
export const cardPreview = page('/manage/ecard/list/preview', '电子卡预览', 'E-card preview', {
  menu: false,
  search: z.looseObject({
    id: id.optional(),
    /** Opened by a preview link. */ key: z.string().optional(),
    /** With what is written in its form and not saved. */ draft: z.string().optional(),
  }),
  follows: ({ type, id: of }) => (type === 'ecard' ? { id: of } : undefined),
  alias: ['小程序预览', '卡面预览', 'as buyers see it'],
})
/** Codes of the card of `?card_id=`. */
export const cardCodes = page('/manage/ecard/list/code', '电子卡卡密库', 'E-card code stock', {
  object: 'ecard_code',
  menu: false,
  search: z.looseObject({
    card_id: id,
    /** Opened to import codes at once. */ import: z.coerce.number().optional(),
  }),
  follows: ({ type, id: of }) => (type === 'ecard' ? { card_id: of } : undefined),
  alias: ['卡密', '生成卡密', '导入卡密', '卡密批次', 'codes of an e-card'],
})
export const channels = page('/manage/ecard/channel', '电子卡渠道', 'E-card channels', {
  object: 'ecard_channel',
  keys: 'g e n',
  keepAlive: true,
  alias: ['卡分销', '企业团购', '接口合作方', 'card partners', 'bulk buyers'],
})
export const channelAdd = page(
  '/manage/ecard/channel/add',
  '新增电子卡渠道',
  'New e-card channel',
  {
    menu: false,
    alias: ['开通渠道', 'open a channel'],
  },
)
export const channelEdit = page(
  '/manage/ecard/channel/edit/:id',
  '编辑电子卡渠道',
  'Edit e-card channel',
  { menu: false, file: 'ecard/pages/channel/add.tsx', object: 'ecard_channel' },
)
export const ecardOrders = page('/manage/ecard/order', '电子卡订单', 'E-card orders', {
  object: 'order',
  keys: 'g e o',
  keepAlive: true,
  file: 'order/pages/ecard.tsx',
  alias: ['购卡订单', '礼品卡订单', '补发卡密', 'gift card orders'],
})
export const ecardOrderDetail = page(
  '/manage/ecard/order/detail',
  '电子卡订单详情',
  'E-card order',
  {
    object: 'order',
    menu: false,
    file: 'order/pages/ecard/detail.tsx',
    search: z.looseObject({ id }),
    follows: ({ type, id: order_id, row }: Given) =>
      type === 'order' && row['kind'] === 'ecard' ? { id: order_id } : undefined,
  },
)
export const cardRiskPage = page('/manage/ecard/risk', '电子卡风控', 'E-card risk control', {
  object: 'risk_hit',
  keys: 'g m r',
  keepAlive: true,
  follows: followsBy('member_id'),
  alias: ['礼品卡洗钱', '盗刷', '冻结卡', '可疑交易', 'gift card fraud'],
})
