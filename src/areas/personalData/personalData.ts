import type { Text } from '#src/domain/text.ts'

/** What becomes of data when its account is closed. */
export const afterClosing = {
  erased: ['注销时抹除', 'Erased'],
  kept: ['依法保留', 'Kept by law'],
} as const satisfies Record<string, Text>
type AfterClosing = keyof typeof afterClosing

export type DataPart = {
  title: Text
  after: AfterClosing
  /** The law by which it is erased or kept, and for how long. */
  law: Text
  /** The references to a member that it has: `table.column`. */
  places: readonly string[]
}
const onRequest: Text = [
  '《个人信息保护法》第四十七条：注销后删除',
  'Personal Information Protection Law, art. 47: deleted when the account is closed',
]
const trade: Text = [
  '《电子商务法》第三十一条：交易信息自交易完成起保存不少于三年',
  'E-Commerce Law, art. 31: records of trade are kept for three years at least',
]
const books: Text = [
  '《会计档案管理办法》：会计凭证、账簿保存三十年',
  'Rules for accounting archives: vouchers and books are kept for thirty years',
]

/**
 * All that is held of a member, part by part: what a copy for the person lists, and what closing the
 * account erases or keeps. Each reference to a member stands in one part; a test asks them all.
 */
export const dataParts = {
  profile: { title: ['账号资料', 'Account'], after: 'erased', law: onRequest, places: [] },
  fields: {
    title: ['完善的资料', 'Profile fields'],
    after: 'erased',
    law: onRequest,
    places: ['profile_field.member_id'],
  },
  tags: {
    title: ['标签', 'Tags'],
    after: 'erased',
    law: onRequest,
    places: ['member_tag_of.member_id'],
  },
  wecom: {
    title: ['企业微信好友', 'WeCom contact'],
    after: 'erased',
    law: onRequest,
    places: ['wecom_customer.member_id', 'wecom_customer.clash_member_id'],
  },
  subscriptions: {
    title: ['直播预约', 'Live rooms subscribed to'],
    after: 'erased',
    law: onRequest,
    places: ['live_subscriber.member_id'],
  },
  orders: {
    title: ['订单', 'Orders'],
    after: 'kept',
    law: trade,
    places: [
      'order.member_id',
      'order_code.holder_id',
      'order_bind.member_id',
      'film_order.member_id',
      'buy_limit_log.member_id',
    ],
  },
  points: {
    title: ['积分流水', 'Points'],
    after: 'kept',
    law: trade,
    places: [
      'points_ledger.member_id',
      'points_lot.member_id',
      'sign_record.member_id',
      'comment_reward.member_id',
      'member_adjust.member_id',
    ],
  },
  growth: {
    title: ['成长值流水', 'Growth'],
    after: 'kept',
    law: trade,
    places: [
      'growth_ledger.member_id',
      'level_hold.member_id',
      'level_notice.member_id',
      'member_achievement.member_id',
    ],
  },
  coupons: {
    title: ['优惠券与兑换码', 'Coupons and codes'],
    after: 'kept',
    law: trade,
    places: ['coupon_grant.member_id', 'redeem_code.member_id', 'redeem_log.member_id'],
  },
  memberships: {
    title: ['付费会员', 'Paid membership'],
    after: 'kept',
    law: trade,
    places: [
      'vip_subscription.member_id',
      'vip_card_order.member_id',
      'vip_card_code.member_id',
      'vip_contract.member_id',
      'vip_notice.member_id',
    ],
  },
  cards: {
    title: ['电子卡', 'E-cards'],
    after: 'kept',
    law: [
      '《单用途商业预付卡管理办法》：购卡人登记信息保存五年以上',
      'Rules for prepaid cards: who bought a card is kept for five years at least',
    ],
    places: [
      'ecard_code.holder_id',
      'ecard_gift.from_id',
      'ecard_gift.to_id',
      'ecard_purchase.member_id',
      'ecard_move.from_id',
      'ecard_move.to_id',
      'ecard_try.member_id',
    ],
  },
  money: {
    title: ['分销、补贴与提现', 'Commission, subsidies and withdrawals'],
    after: 'kept',
    law: books,
    places: [
      'distributor.member_id',
      'dist_binding.member_id',
      'dist_commission.buyer_id',
      'film_pull_record.member_id',
      'subsidy_log.member_id',
      'subsidy_flag.member_id',
    ],
  },
  reviews: {
    title: ['评价', 'Reviews'],
    after: 'kept',
    law: [
      '《电子商务法》第三十九条：不得删除消费者评价；注销后匿名展示',
      'E-Commerce Law, art. 39: reviews are not deleted; they stand without a name',
    ],
    places: ['comment.member_id'],
  },
  log: {
    title: ['行为日志', 'Activity log'],
    after: 'kept',
    law: [
      '《网络安全法》：网络日志留存不少于六个月',
      'Cybersecurity Law: network logs are kept for six months at least',
    ],
    places: ['user_log.member_id'],
  },
  sanctions: {
    title: ['处罚与账号处理', 'Sanctions and what was done with the account'],
    after: 'kept',
    law: [
      '《网络安全法》：违法信息与账号的处置须保存记录',
      'Cybersecurity Law: what was done about unlawful content and accounts is recorded',
    ],
    places: [
      'user_sanction.member_id',
      'risk_hit.member_id',
      'member_closing.member_id',
      'member_merge.from_id',
      'member_merge.to_id',
      'customer_dup.keep_id',
      'member.merged_into',
    ],
  },
  consents: {
    title: ['协议同意记录', 'Agreements consented to'],
    after: 'kept',
    law: [
      '《个人信息保护法》第十四条：处理以同意为据，同意须可证明',
      'Personal Information Protection Law, art. 14: consent must be proved',
    ],
    places: ['agreement_consent.member_id'],
  },
  lists: {
    title: ['名单中的编号', 'Numbers on lists'],
    after: 'kept',
    law: [
      '《个人信息保护法》第四条：注销后编号不再对应到人，不属于个人信息',
      'Personal Information Protection Law, art. 4: a number that leads to nobody is no personal data',
    ],
    places: ['segment_person.member_id', 'wecom_welcome_send.member_id', 'member.inviter_id'],
  },
} as const satisfies Record<string, DataPart>
export type PartKey = keyof typeof dataParts
export const partKeys = Object.keys(dataParts) as PartKey[]
