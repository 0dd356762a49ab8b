import type { Text } from '#src/domain/text.ts'
import { refundPolicies, type RuleName } from './orderRules.ts'

export const units = {
  min: ['分钟', 'min'],
  h: ['小时', 'h'],
  d: ['天', 'days'],
  times: ['次', 'times'],
} as const satisfies Record<string, Text>
/** `refund`: a change of it is a change of what buyers get back, and is confirmed twice. */
export type RuleField = { title: Text; hint?: Text; refund?: true } & (
  | {
      kind: 'number'
      min: number
      max: number
      unit: Text
      /** What an empty one means, where it may be empty. */ none?: Text
    }
  | { kind: 'money'; min: number; max: number }
  | { kind: 'percent'; min: number; max: number }
  | { kind: 'choice'; options: Readonly<Record<string, Text>> }
  | { kind: 'flag' }
  | { kind: 'days'; min: number; max: number; most: number }
  | { kind: 'areas' }
  | { kind: 'senders'; most: number }
)
/**
 * Every rule with its bounds and words: contracts, forms, the log and the tests read this table.
 */
export const ruleFields = {
  pay_timeout_min: {
    title: ['支付时限', 'Time to pay'],
    kind: 'number',
    min: 5,
    max: 1440,
    unit: units.min,
    hint: ['超时未付自动关闭并释放库存', 'Unpaid orders then close and release stock'],
  },
  refund_policy: {
    title: ['未使用退款', 'Refund when unused'],
    kind: 'choice',
    options: refundPolicies,
    refund: true,
  },
  expired_refund_days: {
    title: ['过期自动退', 'Refund after expiry'],
    kind: 'number',
    min: 0,
    max: 7,
    unit: units.d,
    none: ['不自动退', 'Not by itself'],
    hint: ['过期后第几天自动退款；留空为不自动退', 'Days after expiry; leave empty to turn off'],
    refund: true,
  },
  auto_approve_limit_cents: {
    title: ['自动同意退款上限', 'Auto-approve refunds up to'],
    kind: 'money',
    min: 0,
    max: 100_000_00,
    hint: [
      '商户逾期未处理的仅退款，在此金额内自动同意；不能高于你的退款额度',
      'Unanswered refunds without return, up to this; never above your own limit',
    ],
    refund: true,
  },
  merchant_reverse_h: {
    title: ['商户撤销核销', 'Merchant can reverse within'],
    kind: 'number',
    min: 0,
    max: 720,
    unit: units.h,
    hint: ['不能长于平台撤销时限', 'At most the platform limit'],
  },
  platform_reverse_h: {
    title: ['平台撤销核销', 'Platform can reverse within'],
    kind: 'number',
    min: 0,
    max: 720,
    unit: units.h,
    hint: ['不能长于结算冻结期', 'At most the settlement hold'],
  },
  hold_days: {
    title: ['结算冻结期', 'Settlement hold'],
    kind: 'number',
    min: 0,
    max: 30,
    unit: units.d,
    hint: ['核销后款项冻结，期满才可结算', 'After redemption, before settlement'],
  },
  group_hours: {
    title: ['成团时限', 'Time to form'],
    kind: 'number',
    min: 1,
    max: 72,
    unit: units.h,
  },
  remind_days: {
    title: ['到期提醒', 'Reminders'],
    kind: 'days',
    min: 1,
    max: 30,
    most: 5,
    hint: ['到期前几天提醒顾客', 'Days before it expires'],
  },
  ship_promise_h: {
    title: ['发货承诺', 'Shipped within'],
    kind: 'number',
    min: 1,
    max: 720,
    unit: units.h,
    hint: [
      '付款（拼团为成团）后须在此时间内发出或备好',
      'From payment, or from a group’s forming, until shipped or ready',
    ],
  },
  auto_receive_d: {
    title: ['自动确认收货', 'Auto-confirm receipt'],
    kind: 'number',
    min: 3,
    max: 30,
    unit: units.d,
    hint: ['发货后未确认，期满视为收货', 'After shipping, if not confirmed'],
  },
  extend_times: {
    title: ['可延长收货', 'Receipt extensions'],
    kind: 'number',
    min: 0,
    max: 5,
    unit: units.times,
  },
  pickup_refund_days: {
    title: ['逾期未提自动退', 'Refund when not picked up'],
    kind: 'number',
    min: 1,
    max: 30,
    unit: units.d,
    refund: true,
  },
  auto_review_days: {
    title: ['自动好评', 'Auto-review'],
    kind: 'number',
    min: 1,
    max: 60,
    unit: units.d,
    hint: ['收货后未评价，期满自动评价', 'After receipt, if not reviewed'],
  },
  allow_adjust: { title: ['允许改价', 'Allow price changes'], kind: 'flag' },
  adjust_max_bp: {
    title: ['最多优惠', 'Maximum discount'],
    kind: 'percent',
    min: 0,
    max: 9000,
    hint: ['改价最多降低原价的比例', 'How much of the price staff may take off'],
  },
  split_by_supplier: { title: ['按供应商拆单', 'Split by supplier'], kind: 'flag' },
  late_ship_penalty_bp: {
    title: ['逾期发货扣款', 'Penalty for late shipping'],
    kind: 'percent',
    min: 0,
    max: 3000,
    hint: ['按订单商品金额；0 为不扣', 'Of the goods; 0: none'],
  },
  late_ship_penalty_max_cents: {
    title: ['单笔扣款上限', 'Penalty cap'],
    kind: 'money',
    min: 0,
    max: 1_000_00,
  },
  no_delivery: { title: ['不配送区域', 'Not delivered to'], kind: 'areas' },
  senders: { title: ['寄件人', 'Senders'], kind: 'senders', most: 10 },
} as const satisfies Record<RuleName, RuleField>
export const fieldAt = (name: RuleName): RuleField => ruleFields[name]
