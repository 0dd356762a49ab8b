import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { alphabetWords } from '#src/areas/secret/secretCode.ts'
import { batchStates, bearers, codeKinds, codeStates } from './redeemCode.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  code_batch: {
    title: ['兑换码批次', 'Code batch'],
    fields: {
      name: { title: ['名称', 'Name'] },
      partner: { title: ['合作方', 'Partner'] },
      contract_no: { title: ['合同号', 'Contract'] },
      code_kind: { title: ['码类型', 'Kind'], kind: 'enum', options: codeKinds },
      alphabet: { title: ['字符', 'Signs'], kind: 'enum', options: alphabetWords },
      length: { title: ['码长', 'Length'], kind: 'number' },
      prefix: { title: ['前缀', 'Prefix'] },
      quantity: { title: ['批准数量', 'Codes approved'], kind: 'number' },
      start_at: { title: ['开始', 'From'], kind: 'time' },
      end_at: { title: ['结束', 'Until'], kind: 'time' },
      use_limit: { title: ['可用次数', 'Uses'], kind: 'number' },
      limit_member: { title: ['每会员限兑', 'A member'], kind: 'number' },
      limit_phone: { title: ['每手机号限兑', 'A phone'], kind: 'number' },
      limit_device: { title: ['每设备限兑', 'A device'], kind: 'number' },
      new_only: { title: ['仅新会员', 'New members only'], kind: 'flag' },
      mall_ids: { title: ['适用商场', 'Malls'], kind: 'names', of: 'mall' },
      bearer: { title: ['成本承担', 'Who bears it'], kind: 'enum', options: bearers },
      coupon_ids: { title: ['优惠券', 'Coupons'], kind: 'list' },
      points: { title: ['积分', 'Points'], kind: 'number' },
      points_days: { title: ['积分有效天数', 'Days of the points'], kind: 'number' },
      goods: { title: ['实物奖品', 'Prize'] },
      goods_cents: { title: ['实物单件成本', 'What a prize costs'], kind: 'money' },
      vip_card_id: { title: ['会员卡种', 'Plan of the days'], kind: 'number' },
      vip_days: { title: ['会员时长（天）', 'Membership days'], kind: 'number' },
      vip_cents: { title: ['会员时长单码成本', 'What the days of a code cost'], kind: 'money' },
      ecard_attr_id: { title: ['电子卡面值编号', 'Face of the e-card'], kind: 'number' },
      ecard_cents: { title: ['电子卡单码成本', 'What the e-card of a code costs'], kind: 'money' },
      budget_cents: { title: ['预算', 'Budget'], kind: 'money' },
      note: { title: ['备注', 'Note'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: batchStates },
      amendment: { title: ['待审核的变更', 'Change in audit'], kind: 'list' },
      generate: { title: ['生成', 'Made'], kind: 'number' },
      import: { title: ['导入', 'Imported'], kind: 'number' },
      void: { title: ['作废范围', 'Places voided'], kind: 'number' },
      run_no: { title: ['次序', 'Run'], kind: 'number' },
      exported: { title: ['导出', 'Exported'], kind: 'number' },
      exported_from: { title: ['导出起始序号', 'Exported from'], kind: 'number' },
      exported_to: { title: ['导出截止序号', 'Exported to'], kind: 'number' },
    },
  },
  redeem_code: {
    title: ['兑换码', 'Redeem code'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: codeStates },
      end_at: { title: ['有效期至', 'Good until'], kind: 'time' },
      member_id: { title: ['会员', 'Member'], kind: 'name', of: 'member' },
      result: { title: ['结果', 'Result'] },
      goods: { title: ['实物奖品', 'Prize'] },
      handed_at: { title: ['核销时间', 'Handed over'], kind: 'time' },
      handed_store_id: { title: ['核销门店', 'Store'], kind: 'name', of: 'store' },
      until: { title: ['限制至', 'Locked until'], kind: 'time' },
    },
  },
  redeem_log: {
    title: ['兑换记录', 'Redemption'],
    fields: {
      revoked_at: { title: ['撤销时间', 'Taken back'], kind: 'time' },
      reissued_at: { title: ['补发时间', 'Given anew'], kind: 'time' },
    },
  },
  code_bill: {
    title: ['合作方账单', 'Partner’s bill'],
    fields: {
      successes: { title: ['成功次数', 'Redeemed'], kind: 'number' },
      revokes: { title: ['撤销次数', 'Taken back'], kind: 'number' },
      amount_cents: { title: ['金额', 'Amount'], kind: 'money' },
    },
  },
  code_partner: {
    title: ['合作方接口', 'Partner’s API access'],
    fields: {
      name: { title: ['合作方', 'Partner'] },
      ip_list: { title: ['IP 白名单', 'Allowed IPs'], kind: 'list' },
      status: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { on: ['启用', 'On'], off: ['已停用', 'Stopped'] },
      },
      reason: { title: ['原因', 'Why'] },
      app_key: { title: ['接口密钥编号', 'API key'] },
      old_key_until: { title: ['旧密钥失效', 'Old key ends'], kind: 'time' },
    },
  },
  redeem_block: {
    title: ['兑换限制', 'Redemption lock'],
    fields: {
      member_id: { title: ['会员', 'Member'], kind: 'name', of: 'member' },
      until: { title: ['限制至', 'Locked until'], kind: 'time' },
    },
  },
}
