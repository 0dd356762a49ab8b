import type { Text } from '#src/domain/text.ts'

/** What of its kind stands together in a filter. */
export const facilityGroups = {
  parking: ['停车出行', 'Parking'],
  baby: ['亲子母婴', 'Children'],
  access: ['无障碍', 'Access'],
  pay: ['支付方式', 'Payment'],
  service: ['到店服务', 'Service'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
export type FacilityGroup = keyof typeof facilityGroups

/** What may have it. */
export const facilityScopes = {
  store: ['门店', 'Stores'],
  mall: ['商场', 'Malls'],
  both: ['门店与商场', 'Stores and malls'],
} as const satisfies Record<string, Text>
export type FacilityScope = keyof typeof facilityScopes
export type FacilityHolder = 'store' | 'mall'
export const mayHave = (scope: FacilityScope, holder: FacilityHolder): boolean =>
  scope === 'both' || scope === holder

type Used = { store_count: number; mall_count: number }
/** Why a facility can't be for these alone: what it leaves out has it. */
export const scopeFault = (
  scope: FacilityScope,
  { store_count, mall_count }: Used,
): Text | undefined => {
  if (store_count > 0 && !mayHave(scope, 'store'))
    return [`还有 ${store_count} 家门店使用它，不能去掉门店`, `${store_count} stores have it`]
  if (mall_count > 0 && !mayHave(scope, 'mall'))
    return [`还有 ${mall_count} 个商场使用它，不能去掉商场`, `${mall_count} malls have it`]
  return undefined
}
