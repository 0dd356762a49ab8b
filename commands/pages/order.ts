import { z } from 'zod'
import { configId } from '#src/areas/order/configScope.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { id } from '#src/contract/shapes.ts'
import { followsBy, page, type Given, type Page, type Section } from '../command.ts'
import { filmDetailPage } from './film.ts'

export const section: Section = {
  key: 'order',
  title: '订单',
  en: 'Orders',
  place: 30,
  icon: 'order',
  opens: 'visitor',
}

/** The page of one order follows the orders of its kind. */
const ordersOf =
  (kind: OrderKind) =>
  ({ type, id, row }: Given) =>
    type === 'order' && row['kind'] === kind ? { id } : undefined

export const bulks = page('/manage/order/bulks', '团购订单', 'Group-buy orders', {
  object: 'order',
  keys: 'g o b',
  keepAlive: true,
  alias: ['查订单', '券码查询', 'deals'],
})
export const bulksDetail = page('/manage/order/bulks/detail', '团购订单详情', 'Group-buy order', {
  object: 'order',
  menu: false,
  follows: ordersOf('bulks'),
  search: z.looseObject({ id }),
})
export const combo = page('/manage/order/combo', '组合套餐订单', 'Combo orders', {
  object: 'order',
  keys: 'g o m',
  keepAlive: true,
  alias: ['套餐', '组合购', 'bundle'],
})
export const comboDetail = page('/manage/order/combo/detail', '组合套餐订单详情', 'Combo order', {
  object: 'order',
  menu: false,
  follows: ordersOf('combo'),
  search: z.looseObject({ id }),
})
export const comboRefund = page('/manage/order/combo/refund', '组合套餐退款', 'Combo refunds', {
  object: 'refund',
  keys: 'g o n',
  keepAlive: true,
  alias: ['套餐退款', 'bundle refund'],
})
export const card = page('/manage/order/card', '卡券订单', 'Card orders', {
  object: 'order',
  keys: 'g o k',
  keepAlive: true,
  alias: ['次卡', '预付卡', 'prepaid'],
})
export const cardDetail = page('/manage/order/card/detail', '卡券订单详情', 'Card order', {
  object: 'order',
  menu: false,
  follows: ordersOf('card'),
  search: z.looseObject({ id }),
})
export const elist = page('/manage/order/elist', '电商订单', 'E-commerce orders', {
  object: 'order',
  keys: 'g o e',
  keepAlive: true,
  alias: ['寄件', '快递', '物流', 'shipping'],
})
export const elistDetail = page('/manage/order/elist/Detail', '电商订单详情', 'E-commerce order', {
  object: 'order',
  menu: false,
  follows: ordersOf('elist'),
  search: z.looseObject({ id }),
})
export const goods = page('/manage/order/goods', '门店商品订单', 'Store goods orders', {
  object: 'order',
  keys: 'g o g',
  keepAlive: true,
  alias: ['自提', '门店配送', '提货码', 'pick-up'],
})
export const goodsDetail = page(
  '/manage/order/goods/detail',
  '门店商品订单详情',
  'Store goods order',
  { object: 'order', menu: false, follows: ordersOf('goods'), search: z.looseObject({ id }) },
)
export const raiseList = page('/manage/order/raiseList', '众筹预售订单', 'Crowd presale orders', {
  object: (row: { id: number; kind?: string }) => [row.kind ? 'order' : 'raise_batch', row.id],
  keys: 'g o w',
  keepAlive: true,
  alias: ['众筹', '预售', '定金', '尾款', 'campaign', 'presale'],
})
export const raiseListDetail = page(
  '/manage/order/raiseList/detail',
  '众筹预售订单详情',
  'Crowd presale order',
  { object: 'order', menu: false, follows: ordersOf('raise'), search: z.looseObject({ id }) },
)
export const pointsShopList = page(
  '/manage/order/pointsShopList',
  '积分商城订单',
  'Points-shop orders',
  { object: 'order', keys: 'g o j', keepAlive: true, alias: ['积分兑换', '兑换订单', 'exchange'] },
)
export const pointsShopDetail = page(
  '/manage/order/pointsShopList/detail',
  '积分商城订单详情',
  'Points-shop order',
  { object: 'order', menu: false, follows: ordersOf('points'), search: z.looseObject({ id }) },
)
export const eRefund = page('/manage/order/eRefund', '电商售后单', 'E-commerce after-sales', {
  object: 'refund',
  keys: 'g o a',
  keepAlive: true,
  alias: ['退货', 'after-sale'],
})
export const eRefundDetail = page(
  '/manage/order/eRefund/detail',
  '电商售后详情',
  'After-sale detail',
  {
    object: 'refund',
    menu: false,
    search: z.looseObject({ id }),
    follows: ({ type, id: at }) => (type === 'refund' ? { id: at } : undefined),
  },
)
export const rollBuy = page('/manage/order/rollBuy', '拼团订单', 'Multi-person orders', {
  object: (row: { id: number; kind?: string }) => [row.kind ? 'order' : 'roll_group', row.id],
  keys: 'g o p',
  keepAlive: true,
  alias: ['拼团', '成团', '团长', 'group buying'],
})
export const rollBuyDetail = page(
  '/manage/order/rollBuy/detail',
  '拼团订单详情',
  'Multi-person order',
  { object: 'order', menu: false, follows: ordersOf('roll_buy'), search: z.looseObject({ id }) },
)
export const config = page('/manage/order/config', '到店订单规则', 'In-store order rules', {
  object: row => ['order_config', configId(row.kind) || row.id],
  keys: 'g o r',
  alias: ['支付时限', '自动退款', '结算冻结', 'order config', 'pay timeout'],
})
export const settings = page(
  '/manage/order/settings',
  '电商订单设置',
  'E-commerce order settings',
  {
    object: row =>
      'mode' in row ? ['freight_template', row.id] : ['order_config', configId(row.kind) || row.id],
    keys: 'g o s',
    alias: ['运费模板', '不配送区域', '寄件人', '发货承诺', 'freight', 'shipping'],
  },
)
export const voucher = page('/manage/order/voucher', '代金券订单', 'Voucher orders', {
  object: 'order',
  keys: 'g o v',
  keepAlive: true,
  alias: ['抵用券', 'vouchers'],
})
export const voucherDetail = page(
  '/manage/order/voucher/detail',
  '代金券订单详情',
  'Voucher order',
  { object: 'order', menu: false, follows: ordersOf('voucher'), search: z.looseObject({ id }) },
)
export const bulksVerify = page(
  '/manage/order/bulks/verify',
  '团购核销记录',
  'Group-buy redemptions',
  {
    follows: followsBy('store_id'),
    object: 'verify_record',
    keys: 'g o u',
    keepAlive: true,
    alias: ['核销对账', 'redemptions'],
  },
)
export const rollBuyVerify = page(
  '/manage/order/rollBuy/verify',
  '拼团核销记录',
  'Multi-person redemptions',
  { follows: followsBy('store_id'), object: 'verify_record', keepAlive: true, alias: ['拼团对账'] },
)
export const voucherVerify = page(
  '/manage/order/voucher/verify',
  '代金券核销记录',
  'Voucher redemptions',
  {
    follows: followsBy('store_id'),
    object: 'verify_record',
    keepAlive: true,
    alias: ['账单', '套现', 'bills'],
  },
)
export const visitor = page('/manage/order/visitor', '游客订单', 'Visitor orders', {
  object: 'order',
  keys: 'g o y',
  keepAlive: true,
  alias: ['扫码买单', '买单', '非会员', 'guest'],
})
export const visitorDetail = page('/manage/order/visitor/detail', '游客订单详情', 'Visitor order', {
  object: 'order',
  menu: false,
  follows: ordersOf('visitor'),
  search: z.looseObject({ id }),
})

/** The pages of one order, by the order's kind; orders of other kinds have none. */
export const orderDetails = {
  bulks: bulksDetail,
  card: cardDetail,
  combo: comboDetail,
  elist: elistDetail,
  goods: goodsDetail,
  points: pointsShopDetail,
  raise: raiseListDetail,
  roll_buy: rollBuyDetail,
  visitor: visitorDetail,
  voucher: voucherDetail,
} as const satisfies Partial<Record<OrderKind, unknown>>
/** The page of one order of a kind; undefined where that kind has none. */
export const orderDetailOf = (kind: string): Page | undefined => {
  if (kind === 'film') return filmDetailPage
  return kind in orderDetails ? orderDetails[kind as keyof typeof orderDetails] : undefined
}
