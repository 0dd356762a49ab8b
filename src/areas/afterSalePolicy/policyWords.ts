import { percent, yuan } from '#src/domain/money.ts'
import { countEn, type Text } from '#src/domain/text.ts'
import { freightPayers, policyNames, type PolicyFields, type PolicyName } from './policy.ts'

export const policyTitles = {
  no_reason_days: ['退货期', 'Return period'],
  exempt: ['七天豁免', 'No 7-day return'],
  freight_payer: ['退货运费', 'Return freight'],
  evidence_photos: ['凭证照片', 'Evidence photos'],
  merchant_h: ['商家时限', 'Merchant limit'],
  platform_h: ['平台时限', 'Platform limit'],
  auto_agree_cents: ['自动同意上限', 'Auto-approve up to'],
  fast_score: ['极速信用分', 'Instant refund score'],
  fast_limit_cents: ['极速退款上限', 'Instant refund cap'],
  late_day_bp: ['逾期日赔', 'Late fee per day'],
  late_max_cents: ['逾期赔付上限', 'Late fee cap'],
} as const satisfies Record<PolicyName, Text>
const units: Partial<Record<PolicyName, readonly [zh: string, one: string, many: string]>> = {
  no_reason_days: ['天', 'day', 'days'],
  evidence_photos: ['张', 'photo', 'photos'],
  merchant_h: ['小时', 'h', 'h'],
  platform_h: ['小时', 'h', 'h'],
  fast_score: ['分', 'point', 'points'],
}

const both = (words: string): Text => [words, words]
/** A field of a policy in business words. */
export const policyWord = (of: PolicyFields, name: PolicyName): Text => {
  switch (name) {
    case 'exempt':
      return of.exempt ? ['是', 'Yes'] : ['否', 'No']
    case 'freight_payer':
      return freightPayers[of.freight_payer]
    case 'auto_agree_cents':
    case 'late_max_cents':
      return both(`¥${yuan(of[name])}`)
    case 'fast_limit_cents':
      return of.fast_limit_cents === 0 ? ['未开启', 'Off'] : both(`¥${yuan(of.fast_limit_cents)}`)
    case 'late_day_bp':
      return of.late_day_bp === 0 ? ['不赔付', 'None'] : both(percent(of.late_day_bp))
    default: {
      const [zh, one, many] = units[name] ?? ['', '', '']
      const n = of[name]
      return [`${n} ${zh}`, countEn(n, one, many)]
    }
  }
}
type PolicyChange = { title: Text; before: Text; after: Text }
/** What differs between two versions, in business words. */
export const policyDiff = (before: PolicyFields, after: PolicyFields): PolicyChange[] =>
  policyNames
    .filter(name => before[name] !== after[name])
    .map(name => ({
      title: policyTitles[name],
      before: policyWord(before, name),
      after: policyWord(after, name),
    }))
