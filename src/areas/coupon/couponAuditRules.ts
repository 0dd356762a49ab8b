import type { FindingLevel } from '#src/areas/audit/audit.ts'
import type { Text } from '#src/domain/text.ts'

/** The steps of a submission as its trail calls them, by the last word of their action. */
export const couponSteps: Readonly<Record<string, Text>> = {
  submit: ['提交审核', 'Submitted'],
  withdraw: ['撤回', 'Withdrawn'],
  claim: ['领取', 'Claimed'],
  claimNext: ['领取', 'Claimed'],
  unclaim: ['退回队列', 'Returned'],
  transfer: ['转交', 'Handed on'],
  approve: ['通过', 'Approved'],
  batchApprove: ['通过', 'Approved'],
  approveKnowing: ['确认负毛利并通过', 'Approved at a loss'],
  finance: ['财务复审通过', 'Approved for finance'],
  reject: ['驳回', 'Refused'],
  batchReject: ['驳回', 'Refused'],
  excludeGoods: ['建议排除商品并驳回', 'Refused for goods'],
  askMore: ['要求补充说明', 'Asked about'],
  escalate: ['转财务复审', 'Handed to finance'],
  comment: ['审核意见', 'Remark'],
  undo: ['撤销决定', 'Decision taken back'],
}

/** The facts of a product that may have changed since the coupon was submitted. */
export const couponGoodsChanges = {
  price: ['提交后改过售价', 'New price since'],
  settle: ['提交后改过结算价', 'New settle price since'],
  new: ['提交后新增', 'New since'],
} as const satisfies Record<string, Text>

/** Why a coupon is refused, in the order of their digits. */
export const couponRefuseCodes = {
  margin: ['毛利为负', 'Negative margin'],
  cost: ['补贴成本过高', 'Costs too much'],
  overlap: ['与在投优惠券冲突', 'Overlaps with another'],
  bearer: ['承担比例或协议有误', 'Bearer or agreement'],
  scope: ['适用范围有误', 'Wrong scope'],
  terms: ['规则不清或有误', 'Unclear terms'],
  time: ['时间设置有误', 'Wrong times'],
  budget: ['超出预算', 'Over the budget'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
export type CouponRefuseCode = keyof typeof couponRefuseCodes

/** Each rule's level, and its sentence with `{values}`. */
const rules = {
  claim_over: [
    'block',
    '领取时间已于 {when} 结束，请驳回后改期',
    'Claiming ended at {when}: reject it so the dates can be changed',
  ],
  no_consent: [
    'block',
    '商户承担 {share}，但没有商户协议号',
    'Merchants bear {share}, but there is no agreement number',
  ],
  over_budget: [
    'block',
    '最大成本 ¥{most} 超过预算 ¥{budget}',
    'Maximum cost ¥{most} exceeds the budget of ¥{budget}',
  ],
  over_period: [
    'block',
    '平台本月预算剩余 ¥{left}，不足 ¥{most}',
    '¥{left} of this month’s budget is left, less than ¥{most}',
  ],
  terms_changed: [
    'block',
    '提交后有 {n} 项规则变化，请创建人撤回后重新提交',
    'Terms changed since submission: {n}. The creator must withdraw and resubmit',
  ],
  over_limit: [
    'second',
    '最大成本 ¥{most}，达到 ¥{limit}，须财务复审',
    'Maximum cost ¥{most}: finance must approve from ¥{limit}',
  ],
  no_bound: [
    'second',
    '没有最高抵扣额，最大成本无法计算，须财务复审',
    'No cap, so the maximum cost is unknown: finance must approve',
  ],
  negative_margin: [
    'flag',
    '用券后有 {n} 件商品毛利为负，通过须确认并说明',
    'Products sold at a loss with this coupon: {n}. Approval needs a reason',
  ],
  overlap: [
    'flag',
    '与 {n} 张在投优惠券范围和时间重叠',
    'Active coupons that overlap in scope and time: {n}',
  ],
  no_goods: ['flag', '适用范围内没有在售商品', 'No products in scope are on sale'],
  goods_changed: ['warn', '提交后 {n} 件商品改过价格', 'Products repriced since submission: {n}'],
} as const satisfies Record<string, readonly [FindingLevel, string, string]>
export type CouponRule = keyof typeof rules
export type CouponFinding = {
  rule: CouponRule
  level: FindingLevel
  values?: Record<string, string | number>
}
export const couponFinding = (
  rule: CouponRule,
  values?: CouponFinding['values'],
): CouponFinding => ({ rule, level: rules[rule][0], ...(values && { values }) })
const known = (rule: string): rule is CouponRule => Object.hasOwn(rules, rule)
/** The rule's sentence, to be filled in with the finding's values by `say`. */
export const couponRuleText = (rule: string): Text =>
  known(rule) ? [rules[rule][1], rules[rule][2]] : [rule, rule]
const short: Record<CouponRule, Text> = {
  claim_over: ['领取已结束', 'Claiming ended'],
  no_consent: ['缺商户协议', 'No agreement'],
  over_budget: ['超出预算', 'Over budget'],
  over_period: ['超出本月预算', 'Over monthly budget'],
  terms_changed: ['规则有变化', 'Terms changed'],
  over_limit: ['须财务复审', 'Needs finance'],
  no_bound: ['成本无上限', 'No cost cap'],
  negative_margin: ['负毛利', 'Sold at a loss'],
  overlap: ['与在投券重叠', 'Overlaps'],
  no_goods: ['无在售商品', 'No products'],
  goods_changed: ['商品改价', 'Repriced'],
}
/** A rule in a few words, for a row. */
export const shortCouponRule = (rule: string): Text => (known(rule) ? short[rule] : [rule, rule])
/** Whether a rule forbids that it is approved. */
export const forbidsCoupon = (rule: string): boolean => known(rule) && rules[rule][0] === 'block'
/** Whether an approval all the same has to be explained. */
export const mustConfirm = (flags: readonly string[]): boolean => flags.includes('negative_margin')
