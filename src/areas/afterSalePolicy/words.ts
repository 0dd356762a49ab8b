import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'
import { freightPayers } from './policy.ts'
import { policyTitles } from './policyWords.ts'
import { faults, reasonTypes } from './reason.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  after_sale_config: {
    title: ['售后政策', 'After-sale policy'],
    fields: {
      no_reason_days: { title: policyTitles.no_reason_days, kind: 'number' },
      exempt: { title: policyTitles.exempt, kind: 'flag' },
      freight_payer: { title: policyTitles.freight_payer, kind: 'enum', options: freightPayers },
      evidence_photos: { title: policyTitles.evidence_photos, kind: 'number' },
      merchant_h: { title: policyTitles.merchant_h, kind: 'number' },
      platform_h: { title: policyTitles.platform_h, kind: 'number' },
      auto_agree_cents: { title: policyTitles.auto_agree_cents, kind: 'money' },
      fast_score: { title: policyTitles.fast_score, kind: 'number' },
      fast_limit_cents: { title: policyTitles.fast_limit_cents, kind: 'money' },
      late_day_bp: { title: policyTitles.late_day_bp, kind: 'percent' },
      late_max_cents: { title: policyTitles.late_max_cents, kind: 'money' },
      inherits: { title: ['沿用上级', 'Inherited'], kind: 'flag' },
    },
  },
  after_sale_reason: {
    title: ['售后原因', 'After-sale reason'],
    fields: {
      type: { title: ['用途', 'For'], kind: 'enum', options: reasonTypes },
      text: { title: ['原因', 'Reason'] },
      need_evidence: { title: ['须提供凭证', 'Evidence needed'], kind: 'flag' },
      fault: { title: ['责任方', 'At fault'], kind: 'enum', options: faults },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      order: { title: ['顺序', 'Order'], kind: 'list' },
    },
  },
  return_address: {
    title: ['退货地址', 'Return address'],
    fields: {
      merchant_id: { title: ['商户', 'Merchant'], kind: 'name', of: 'merchant' },
      name: { title: ['收件人', 'Name'] },
      phone: { title: ['电话', 'Phone'] },
      area: { title: ['地区', 'Area'] },
      address: { title: ['详细地址', 'Address'] },
      is_default: { title: ['默认', 'The default'], kind: 'flag' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
    },
  },
}
