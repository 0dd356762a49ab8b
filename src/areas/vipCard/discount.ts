import type { Text } from '#src/domain/text.ts'

/** What a member price is for, from the widest to the narrowest. */
export const discountScopes = {
  all: ['全平台', 'Everything'],
  mall: ['商场', 'Mall'],
  category: ['类目', 'Category'],
  store: ['门店', 'Store'],
  product: ['商品', 'Product'],
} as const satisfies Record<string, Text>
export type DiscountScope = keyof typeof discountScopes
