import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { followsBy, page, type Given, type Section } from '../command.ts'

export const section: Section = {
  key: 'distribution',
  title: '分销',
  en: 'Distribution',
  place: 75,
  icon: 'people',
}
/** What a row of the lists of sellers is in the operation log: a seller, or a team of theirs. */
const sellerOrTeam = (row: { kind?: string; id: number }) =>
  [row.kind === 'team' ? 'dist_group' : 'distributor', row.id] as const
export const sellersPage = page('/manage/distribution/index', '分销员管理', 'Sellers', {
  search: z.looseObject({
    view: z.enum(['experts', 'guides', 'stores', 'teams']).optional(),
  }),
  object: sellerOrTeam,
  keys: 'g y d',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['达人', '导购', '分销门店', '分销团队', '团长', 'distributors', 'experts', 'teams'],
})
export const invitePage = page(
  '/manage/distribution/index/inviteExpert',
  '邀请达人',
  'Invitations',
  {
    menu: false,
    object: 'dist_invite',
    alias: ['达人邀请', '批量邀请', '邀请链接', 'invite experts'],
  },
)
export const expertDetail = page(
  '/manage/distribution/index/expertDetail',
  '达人详情',
  'Expert detail',
  {
    menu: false,
    object: 'distributor',
    search: z.looseObject({ id }),
    follows: ({ type, id: of }) => (type === 'distributor' ? { id: of } : undefined),
    alias: ['达人账户', '佣金调整', '专属海报', 'account of an expert'],
  },
)
export const groupMembersPage = page(
  '/manage/distribution/index/groupMembers',
  '分销团队成员',
  'Team members',
  {
    menu: false,
    object: 'distributor',
    search: z.looseObject({ group_id: id }),
    follows: ({ type, id: of }) => (type === 'dist_group' ? { group_id: of } : undefined),
    alias: ['移出团队', '转移团队', 'members of a team'],
  },
)
export const teamDetail = page(
  '/manage/distribution/index/group/detail',
  '分销团队详情',
  'Team detail',
  {
    menu: false,
    object: 'dist_group',
    search: z.looseObject({ id }),
    follows: ({ type, id: of }) => (type === 'dist_group' ? { id: of } : undefined),
    alias: ['团队目标', '合并团队', '解散团队', '更换团长', 'team target'],
  },
)
export const commissionPage = page(
  '/manage/distribution/settlementDetails',
  '佣金结算明细',
  'Commission',
  {
    object: 'dist_commission',
    keys: 'g y l',
    keepAlive: true,
    follows: ({ type, id, row }: Given): Record<string, number | string> | undefined => {
      if (type === 'distributor') return { distributor_id: id }
      return type === 'order' && typeof row['order_no'] === 'string'
        ? { order_no: row['order_no'] }
        : undefined
    },
    alias: ['佣金', '分销佣金', '佣金追回', '月底对账', 'commission'],
  },
)
export const distributedPage = page(
  '/manage/distribution/index/product',
  '分销商品',
  'Distributed goods',
  {
    object: 'dist_product',
    keys: 'g y p',
    keepAlive: true,
    follows: followsBy('city_id'),
    alias: ['分销佣金', '佣金比例', '等级加成', '团长奖励', 'commission rates'],
  },
)
export const sellerCustomers = page(
  '/manage/distribution/index/customer',
  '达人客户',
  'Customers',
  {
    object: (row: { id: number; binding_id?: number }) => [
      row.binding_id === undefined ? 'dist_binding' : 'dist_binding_ask',
      row.id,
    ],
    keys: 'g y c',
    keepAlive: true,
    follows: followsBy('member_id'),
    alias: ['客户绑定', '绑定关系', '客户归属', '绑定争议', '导购客户', 'bindings'],
  },
)
/** A page that shows the customers of one guide, whom a linked pane names. */
export const guideCustomers = page(
  '/manage/distribution/index/guideBindingCustomer',
  '导购绑定客户',
  'Guide’s customers',
  {
    menu: false,
    search: z.looseObject({ id }),
    object: 'dist_binding',
    keepAlive: true,
    follows: ({ type, id: of, row }: Given) =>
      type === 'distributor' && row['kind'] === 'guide' ? { id: of } : undefined,
    alias: ['导购客户', '门店客户池', '争议绑定', 'customers of a guide'],
  },
)
/** A page that shows the customers of one team, which a linked pane names. */
export const groupCustomers = page(
  '/manage/distribution/index/group/customer',
  '分销团队客户',
  'Team customers',
  {
    menu: false,
    search: z.looseObject({ group_id: id }),
    object: 'dist_binding',
    keepAlive: true,
    follows: ({ type, id: of }: Given) => (type === 'dist_group' ? { group_id: of } : undefined),
    alias: ['团队客户', '平均分配', 'customers of a team'],
  },
)
/** A page that shows one store guide, whom a linked pane names. */
export const guideDetail = page(
  '/manage/distribution/index/guideDetail',
  '导购详情',
  'Guide detail',
  {
    menu: false,
    search: z.looseObject({ id }),
    object: 'distributor',
    follows: ({ type, id: of, row }: Given) =>
      type === 'distributor' && row['kind'] === 'guide' ? { id: of } : undefined,
    alias: ['导购业绩', '导购离职', '更换门店', '企微成员', 'one guide'],
  },
)
/** A page that shows one distributing store, which a linked pane names. */
export const distStoreDetail = page(
  '/manage/distribution/index/distStoreDetail',
  '分销门店详情',
  'Distributing store',
  {
    menu: false,
    search: z.looseObject({ id }),
    object: 'distributor',
    follows: ({ type, id: of, row }: Given) =>
      type === 'distributor' && row['kind'] === 'store' ? { id: of } : undefined,
    alias: ['分销门店', '跨店分销', '可分销商品', '暂停分销', 'a store that sells for others'],
  },
)
export const commissionPayouts = page(
  '/manage/distribution/withdrawal',
  '佣金提现审核',
  'Commission withdrawals',
  {
    object: 'withdrawal',
    keys: 'g y w',
    keepAlive: true,
    follows: followsBy('city_id'),
    alias: ['达人提现', '导购提现', '佣金打款', 'commission payouts'],
  },
)
export const splitPage = page(
  '/manage/distribution/splitOrders',
  '分账订单',
  'Profit-sharing orders',
  {
    object: 'dist_split_order',
    keys: 'g y o',
    keepAlive: true,
    follows: followsBy('city_id'),
    alias: ['微信分账', '分账失败', '分账回退', 'profit sharing'],
  },
)
export const rankingPage = page('/manage/distribution/ranking', '分销排行榜', 'Ranking', {
  object: (row: { id: number; view: string }) =>
    row.view === 'live' ? undefined : ['dist_rank', row.id],
  keys: 'g y r',
  keepAlive: true,
  follows: followsBy('city_id'),
  alias: ['榜单', '排名', '榜单奖励', '销售排名', 'leaderboard'],
})
export const materialPage = page(
  '/manage/distribution/material',
  '推广素材',
  'Promotion materials',
  {
    object: 'dist_material',
    keys: 'g y m',
    keepAlive: true,
    follows: ({ type, id: of }: Given) => (type === 'product' ? { product_id: of } : undefined),
    alias: ['海报', '分销海报', '文案', '素材下线', '过期价格', 'posters', 'promotion texts'],
  },
)
