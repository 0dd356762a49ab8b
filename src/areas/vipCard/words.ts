import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { benefits, planKinds, planStates, refundPolicies } from './vipCard.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  vip_card: {
    title: ['会员卡种', 'VIP card plan'],
    fields: {
      name: { title: ['名称', 'Name'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: planKinds },
      days: { title: ['天数', 'Days'], kind: 'number' },
      price_cents: { title: ['售价', 'Price'], kind: 'money' },
      first_price_cents: { title: ['首购价', 'First price'], kind: 'money' },
      original_cents: { title: ['原价', 'Original price'], kind: 'money' },
      auto_renew: { title: ['自动续费', 'Renews by itself'], kind: 'flag' },
      contract_template: { title: ['扣款模板号', 'Contract template'] },
      cover: { title: ['封面', 'Cover'] },
      buy_limit: { title: ['每人限购', 'For one member'], kind: 'number' },
      stock: { title: ['库存', 'Stock'], kind: 'number' },
      refund_policy: { title: ['退款规则', 'Refund'], kind: 'enum', options: refundPolicies },
      benefits: { title: ['权益', 'Benefits'], kind: 'enums', options: benefits },
      gift_coupon_ids: { title: ['开卡礼券', 'Gift coupons'], kind: 'list' },
      status: { title: ['状态', 'State'], kind: 'enum', options: planStates },
      off_reason: { title: ['下架原因', 'Why off sale'] },
      order: { title: ['顺序', 'Order'], kind: 'list' },
    },
  },
}
