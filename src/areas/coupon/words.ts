import { auditStates } from '#src/areas/audit/audit.ts'
import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { couponKinds, couponStates } from '#src/areas/mall/recommend.ts'
import { couponRefuseCodes } from './couponAuditRules.ts'
import { couponApplies, couponClaims, couponPieces, couponValidities } from './couponWords.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  coupon: {
    title: ['优惠券', 'Coupon'],
    fields: {
      name: { title: ['名称', 'Name'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: couponKinds },
      face_cents: { title: ['面额', 'Face'], kind: 'money' },
      threshold_cents: { title: ['使用门槛', 'Minimum spend'], kind: 'money' },
      discount_bp: { title: ['折扣（实付比例）', 'Discount (what is paid)'], kind: 'percent' },
      cap_cents: { title: ['最高减免', 'Maximum off'], kind: 'money' },
      apply_kind: { title: ['适用范围', 'Scope'], kind: 'enum', options: couponApplies },
      apply_ids: { title: ['适用对象编号', 'Applies to'], kind: 'list' },
      exclude_ids: { title: ['排除对象编号', 'Excluded'], kind: 'list', none: ['无', 'None'] },
      city_ids: {
        title: ['适用城市', 'Cities'],
        kind: 'names',
        of: 'city',
        none: ['全部城市', 'All cities'],
      },
      total: { title: ['发放总量', 'Quantity'], kind: 'number' },
      per_member: { title: ['每人限领', 'Limit per member'], kind: 'number' },
      per_day: {
        title: ['每人每天限领', 'Daily limit per member'],
        kind: 'number',
        none: ['不限', 'No limit'],
      },
      claim_kind: { title: ['领取方式', 'Claim method'], kind: 'enum', options: couponClaims },
      claim_start_at: { title: ['领取开始', 'Claim from'], kind: 'time' },
      claim_end_at: { title: ['领取截止', 'Claim until'], kind: 'time' },
      valid_kind: { title: ['有效期', 'Validity'], kind: 'enum', options: couponValidities },
      use_start_at: { title: ['使用开始', 'Valid from'], kind: 'time' },
      use_end_at: { title: ['使用截止', 'Valid until'], kind: 'time' },
      valid_after_days: { title: ['领取后等待天数', 'Starts after days'], kind: 'number' },
      valid_days: { title: ['有效天数', 'Valid days'], kind: 'number' },
      weekdays: {
        title: ['可用星期', 'Days of the week'],
        kind: 'list',
        none: ['每天', 'Every day'],
      },
      level_ids: { title: ['会员等级', 'Levels'], kind: 'list', none: ['不限', 'Any'] },
      vip_only: { title: ['仅限 VIP', 'VIP only'], kind: 'flag' },
      new_only: { title: ['仅限新客', 'New customers only'], kind: 'flag' },
      stackable: { title: ['可与其他优惠同享', 'Combinable with other offers'], kind: 'flag' },
      platform_share_bp: { title: ['平台承担', 'Paid by platform'], kind: 'percent' },
      merchant_share_bp: { title: ['商户承担', 'Paid by merchant'], kind: 'percent' },
      consent_no: { title: ['商户确认或协议编号', 'Consent or agreement no.'] },
      budget_cents: { title: ['预算', 'Budget'], kind: 'money' },
      recommend_text: { title: ['推荐语', 'Tagline'] },
      copy_from_id: { title: ['复制自（券编号）', 'Copied from (id)'], kind: 'number' },
      created_by: { title: ['负责人', 'Owner'], kind: 'name', of: 'admin' },
      claimed_count: { title: ['已领数量', 'Claimed'], kind: 'number' },
      member_id: { title: ['发放给', 'Given to'], kind: 'name', of: 'member' },
      quantity: { title: ['张数', 'Quantity'], kind: 'number' },
      revoked: { title: ['收回张数', 'Taken back'], kind: 'number' },
      piece: { title: ['券状态', 'Coupon state'], kind: 'enum', options: couponPieces },
      status: { title: ['状态', 'State'], kind: 'enum', options: couponStates },
      reason: { title: ['原因', 'Why'] },
    },
  },
  coupon_audit: {
    title: ['优惠券审核', 'Coupon audit'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: auditStates },
      exposure_cents: { title: ['最大成本', 'Maximum cost'], kind: 'money' },
      round: { title: ['轮次', 'Round'], kind: 'number' },
      claimed_by: { title: ['领取人', 'Claimed by'], kind: 'name', of: 'admin' },
      reason_code: {
        title: ['驳回原因', 'Reject reason'],
        kind: 'enum',
        options: couponRefuseCodes,
      },
      leave_out: { title: ['建议排除的商品', 'Products to exclude'], kind: 'list' },
      undone: { title: ['撤销的决定', 'Decision taken back'], kind: 'enum', options: auditStates },
    },
  },
}
