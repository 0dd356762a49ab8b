import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { followsBy, page, type Given, type Section } from '../command.ts'

export const section: Section = {
  key: 'vip',
  title: '会员',
  en: 'Members',
  place: 80,
  icon: 'people',
}

export const membersPage = page('/manage/vip/index', '会员列表', 'Members', {
  object: 'member',
  keys: 'g i m',
  keepAlive: true,
  follows: ({ type, id, row }: Given) => {
    const of = type === 'member' ? id : row['member_id']
    return typeof of === 'number' && of > 0 ? { member_id: of } : undefined
  },
  alias: ['会员', '用户', '积分', '成长值', '等级', '标签', '人群', 'segments', 'points'],
})
export const scorePage = page('/manage/vip/score', '积分中心', 'Points centre', {
  object: 'points_rule',
  keys: 'g i s',
  alias: ['积分概况', '积分任务', '积分成本', '积分预测', '积分对账', '积分到期', 'points centre'],
})
export const scoreDetailPage = page('/manage/vip/score/detail', '积分流水', 'Points ledger', {
  object: 'points_ledger',
  keys: 'g i d',
  keepAlive: true,
  follows: ({ type, id, row }: Given) => {
    const member = type === 'member' ? id : row['member_id']
    return typeof member === 'number' && member > 0 ? { member: String(member) } : undefined
  },
  alias: ['积分明细', '积分去哪了', '冲正积分', '积分批次', '欠分', 'points ledger'],
})
export const scoreRatePage = page('/manage/vip/score/rate', '积分比例与倍率', 'Points rate', {
  object: 'points_rule',
  keys: 'g i r',
  alias: ['积分抵现', '积分倍率', '积分有效期', '会员日', '积分清零', 'points rate'],
})
export const scoreBuyPage = page('/manage/vip/score/buy', '消费送积分', 'Points for spending', {
  object: 'points_rule',
  keys: 'g i b',
  alias: ['消费积分', '购物积分', '积分试算', '补发积分', 'spending points'],
})
export const scoreClockedPage = page(
  '/manage/vip/score/clocked',
  '签到打卡积分',
  'Points for sign-in and check-in',
  {
    menu: false,
    keys: 'g i o',
    object: (row: { id: number; kind?: string; radius_m?: number | null; ladder?: unknown }) => {
      if (row.ladder) return ['points_rule', row.id]
      return [row.kind ? 'sign_record' : 'checkin_spot', row.id]
    },
    follows: followsBy('member_id'),
    alias: ['签到', '打卡', '补签', '连续签到', '到店打卡', '打卡商场', 'check-in'],
  },
)
export const scoreProfilePage = page(
  '/manage/vip/score/userInfo',
  '完善资料送积分',
  'Points for completing profile',
  {
    menu: false,
    keys: 'g i f',
    object: 'points_rule',
    alias: ['完善资料', '资料任务', '生日', '头像', '企微好友', 'profile points'],
  },
)
export const scoreCommentPage = page(
  '/manage/vip/score/comment',
  '评价送积分',
  'Points for reviews',
  {
    menu: false,
    keys: 'g i v',
    object: (row: { id: number; comment_id?: number }) => [
      row.comment_id ? 'comment_reward' : 'points_rule',
      row.id,
    ],
    follows: followsBy('member_id'),
    alias: ['评价', '点评', '晒单', '精选评价', '重复评价', 'review points'],
  },
)
export const vipCards = page('/manage/vip/card', '会员卡种', 'VIP card plans', {
  object: 'vip_card',
  keys: 'g i c',
  keepAlive: true,
  alias: ['付费会员卡', '月卡', '年卡', '权益', 'membership plans'],
})
export const vipDiscountPage = page(
  '/manage/vip/card/discount',
  '会员卡折扣',
  'VIP card discounts',
  {
    // No order is priced by it yet.
    menu: false,
    object: 'vip_card_discount',
    keys: 'g i z',
    keepAlive: true,
    alias: ['会员价', '折扣规则', '补贴分摊', 'member prices'],
  },
)
export const levelRulesPage = page(
  '/manage/vip/rules',
  '等级与成长规则',
  'Level and growth rules',
  {
    keys: 'g i l',
    keepAlive: true,
    // A row is a level of a version, which the log knows as one.
    object: (row: { id: number; ladder_id?: number }) =>
      ['level_ladder', row.ladder_id ?? row.id] as const,
    alias: ['会员等级', '成长值', '等级门槛', '会员协议', 'member levels', 'ladder'],
  },
)
export const growthRecordPage = page(
  '/manage/vip/record',
  '成长与等级记录',
  'Growth and level records',
  {
    keys: 'g i e',
    keepAlive: true,
    object: 'growth_ledger',
    follows: followsBy('member_id'),
    alias: ['成长值流水', '升级', '降级', '等级保护', 'growth ledger', 'level changes'],
  },
)
export const vipNumbers = page('/manage/vip/card/manage', '制卡与卡号', 'VIP numbers', {
  object: row => ['made_n' in row ? 'vip_code_batch' : 'vip_card_code', row.id],
  keys: 'g i n',
  keepAlive: true,
  alias: ['制卡', '会员卡密', '激活码', '卡号', 'card batches'],
})
export const pointsShopPage = page('/manage/vip/pointsShop', '积分商城', 'Points shop', {
  keys: 'g i h',
  keepAlive: true,
  object: (row: { id: number; is?: string }) =>
    [row.is === 'zone' ? 'points_zone' : 'points_goods', row.id] as const,
  alias: ['积分商品', '兑换', '分区', '积分价', 'rewards shop', 'zones'],
})
export const pointsEditPage = page(
  '/manage/vip/pointsShop/edit',
  '积分商品编辑',
  'Edit points-shop goods',
  { menu: false, object: 'points_goods', alias: ['新增积分商品', '改积分价'] },
)
export const pointsDetailPage = page(
  '/manage/vip/pointsShop/Detail',
  '积分商品详情',
  'Points-shop goods',
  {
    menu: false,
    keepAlive: true,
    search: z.looseObject({ id }),
    object: 'points_goods',
    follows: ({ type, id: of }: Given) => (type === 'points_goods' ? { id: of } : undefined),
    alias: ['兑换记录', '库存流水', '补货', 'exchanges'],
  },
)
export const achievePage = page('/manage/vip/achieve', '成就勋章', 'Achievements and badges', {
  object: (row: { id: number; is?: string }) =>
    [row.is === 'owner' ? 'member_achievement' : 'achievement', row.id] as const,
  keys: 'g i j',
  keepAlive: true,
  alias: ['勋章墙', '成就', '徽章', '补发勋章奖励', '季节限定', 'badges', 'badge wall'],
})
export const vipOrderPage = page('/manage/vip/card/order', '购卡订单', 'VIP card orders', {
  object: 'vip_card_order',
  keys: 'g i x',
  keepAlive: true,
  follows: followsBy('member_id'),
  alias: ['会员订单', '续费订单', '购卡退款', '开卡礼券', 'membership orders'],
})
export const paidMembersPage = page('/manage/vip/payment', '付费会员', 'Paid members', {
  object: 'vip_subscription',
  keys: 'g i y',
  keepAlive: true,
  follows: followsBy('member_id'),
  alias: ['会员到期', '自动续费', '连续包月', '退会', '代扣签约', 'subscriptions', 'auto-renew'],
})
export const departmentsPage = page(
  '/manage/vip/weChatDepartment',
  '企微部门',
  'WeCom departments',
  {
    object: 'wecom_department',
    keys: 'g i w',
    alias: ['企业微信', '通讯录', '商场归属', '接待范围', 'wecom directory'],
  },
)
export const advisersPage = page('/manage/vip/weChatContacts', '企微成员', 'WeCom colleagues', {
  object: 'wecom_staff',
  keys: 'g i a',
  keepAlive: true,
  alias: ['顾问', '离职继承', '在职转接', '专属活码', '转接客户', 'advisers'],
})
export const customersPage = page(
  '/manage/vip/weChatCustomerList',
  '企微会员客户',
  'WeCom member customers',
  {
    object: 'wecom_customer',
    keys: 'g i k',
    keepAlive: true,
    follows: followsBy('member_id'),
    alias: ['企微好友', '外部联系人', '企业标签', '客户群发', '关联会员', 'wecom friends'],
  },
)
export const groupsPage = page('/manage/vip/weChatGroupManage', '会员社群', 'Member WeCom groups', {
  object: 'wecom_group',
  keys: 'g i g',
  keepAlive: true,
  alias: ['客户群', '社群运营', '群主', '入群活码', '群发到群', 'group chats'],
})
export const groupPage = page(
  '/manage/vip/weChatGroupManage/detail',
  '会员社群详情',
  'WeCom group detail',
  {
    menu: false,
    object: 'wecom_group',
    search: z.looseObject({ id }),
    follows: ({ type, id: of }: Given) => (type === 'wecom_group' ? { id: of } : undefined),
    alias: ['群成员', '进退群', '群公告', '重复入群', '移除群成员', 'group members'],
  },
)
export const customerPage = page(
  '/manage/vip/weChatCustomerList/detail',
  '企微会员客户详情',
  'WeCom customer detail',
  {
    menu: false,
    object: 'wecom_customer',
    search: z.looseObject({ id }),
    follows: ({ type, id: of }: Given) => (type === 'wecom_customer' ? { id: of } : undefined),
    alias: ['客户时间线', '跟进记录', '客户画像', '转接客户', 'customer 360', 'timeline'],
  },
)
export const welcomingPage = page(
  '/manage/vip/weChatWelcomingMessage',
  '会员欢迎语',
  'Member welcome messages',
  {
    object: 'wecom_welcome',
    keys: 'g i i',
    alias: ['加好友', '自动回复', '命中规则', 'greetings', 'welcome'],
  },
)
