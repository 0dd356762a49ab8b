import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'
import { textStates } from '#src/areas/member/texting.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { batchStates, vipCodeStates } from './code.ts'
import { discountScopes } from './discount.ts'
import { extensionStates } from './renewal.ts'
import { benefits, planKinds, planStates, refundPolicies } from './vipCard.ts'
import { vipOrderStates } from './vipOrder.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  vip_card: {
    title: ['会员卡种', 'VIP card plan'],
    fields: {
      name: { title: ['名称', 'Name'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: planKinds },
      days: { title: ['天数', 'Days'], kind: 'number' },
      price_cents: { title: ['售价', 'Price'], kind: 'money' },
      first_price_cents: { title: ['首购价', 'Intro price'], kind: 'money' },
      original_cents: { title: ['原价', 'Original price'], kind: 'money' },
      auto_renew: { title: ['自动续费', 'Auto-renewal'], kind: 'flag' },
      contract_template: { title: ['扣款模板号', 'Contract template'] },
      cover: { title: ['封面', 'Cover'] },
      buy_limit: { title: ['每人限购', 'Limit per member'], kind: 'number' },
      stock: { title: ['库存', 'Stock'], kind: 'number' },
      refund_policy: {
        title: ['退款规则', 'Refund policy'],
        kind: 'enum',
        options: refundPolicies,
      },
      benefits: { title: ['权益', 'Benefits'], kind: 'enums', options: benefits },
      gift_coupon_ids: { title: ['开卡礼券', 'Welcome coupons'], kind: 'list' },
      status: { title: ['状态', 'State'], kind: 'enum', options: planStates },
      off_reason: { title: ['下架原因', 'Reason off sale'] },
      order: { title: ['顺序', 'Order'], kind: 'list' },
    },
  },
  vip_code_batch: {
    title: ['会员卡号批次', 'Batch of VIP numbers'],
    fields: {
      card_id: { title: ['卡种', 'Plan'], kind: 'number' },
      qty: { title: ['数量', 'How many'], kind: 'number' },
      channel: { title: ['渠道', 'Channel'] },
      expire_at: { title: ['有效期至', 'Valid until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: batchStates },
      reject_reason: { title: ['驳回原因', 'Reject reason'] },
      exports: { title: ['导出卡密次数', 'Files of secrets'], kind: 'number' },
    },
  },
  vip_card_code: {
    title: ['会员卡号', 'VIP number'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: vipCodeStates },
      member_id: { title: ['绑定会员', 'Bound to'], kind: 'name', of: 'member' },
      reason: { title: ['原因', 'Reason'] },
    },
  },
  vip_card_order: {
    title: ['购卡订单', 'VIP card order'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: vipOrderStates },
      refund_no: { title: ['退款单号', 'Refund no.'] },
      refund_status: { title: ['退款状态', 'Refund'], kind: 'enum', options: refundStates },
      amount_cents: { title: ['退款金额', 'Refunded'], kind: 'money' },
      gifts_given: { title: ['补发礼券', 'Coupons given'], kind: 'number' },
      note: { title: ['备注', 'Note'] },
    },
  },
  vip_subscription: {
    title: ['付费会员', 'Paid member'],
    fields: {
      end_at: { title: ['到期时间', 'Until'], kind: 'time' },
      days: { title: ['天数', 'Days'], kind: 'number' },
      auto_renew: { title: ['自动续费', 'Auto-renewal'], kind: 'flag' },
      extension: { title: ['延期申请', 'Extension'], kind: 'enum', options: extensionStates },
      charge_no: { title: ['扣款单号', 'Charge no.'] },
      refund_no: { title: ['退款单号', 'Refund no.'] },
      amount_cents: { title: ['退款金额', 'Refunded'], kind: 'money' },
      reminder: { title: ['续费提醒', 'Reminder'], kind: 'enum', options: textStates },
    },
  },
  vip_card_discount: {
    title: ['会员卡折扣', 'VIP card discount'],
    fields: {
      card_id: { title: ['卡种', 'Plan'], kind: 'number' },
      scope: { title: ['范围', 'Scope'], kind: 'enum', options: discountScopes },
      scope_id: { title: ['对象编号', 'For the ID'], kind: 'number' },
      discount_bp: { title: ['折后比例', 'Part of the price'], kind: 'percent' },
      cap_cents: { title: ['单笔封顶', 'Cap per order'], kind: 'money' },
      monthly_times: { title: ['每月次数', 'Uses per month'], kind: 'number' },
      platform_share_bp: { title: ['平台承担', 'Platform bears'], kind: 'percent' },
      merchant_share_bp: { title: ['商户承担', 'Merchant bears'], kind: 'percent' },
      consent_no: { title: ['商户同意书', 'Consent of the merchant'] },
      start_at: { title: ['开始时间', 'From'], kind: 'time' },
      end_at: { title: ['结束时间', 'Until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: onOff },
      off_reason: { title: ['停用原因', 'Reason disabled'] },
    },
  },
}
