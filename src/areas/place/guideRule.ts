import type { Text } from '#src/domain/text.ts'

/** Whose the customers of a guide are who leaves a store of a mall for another store. */
export const guideRules = {
  merchant: [
    '同商户内换店随导购，否则留在原门店',
    'The guide’s inside the merchant, else the store’s',
  ],
  guide: ['随导购', 'The guide’s'],
  store: ['留在原门店', 'The store’s'],
} as const satisfies Record<string, Text>
export type GuideRule = keyof typeof guideRules
/** Whether they stay with the guide; a store outside any mall goes by the usual rule. */
export const staysWithGuide = (
  rule: GuideRule | null,
  { from, to }: { from: { merchant_id: number }; to: { merchant_id: number } },
): boolean =>
  (rule ?? 'merchant') === 'merchant' ? from.merchant_id === to.merchant_id : rule === 'guide'
