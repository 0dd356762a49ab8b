import type { Text } from '#src/domain/text.ts'

/** What has rules of its own: the kinds of orders. */
export const configScopes = {
  visitor: ['到店付款', 'Visitor'],
  bulks: ['团购', 'Group-buy'],
  roll_buy: ['拼团', 'Multi-person buy'],
  card: ['卡券', 'Card'],
  voucher: ['代金券', 'Voucher'],
  goods: ['门店商品', 'Store goods'],
  elist: ['电商', 'E-commerce'],
  raise: ['众筹', 'Crowd presale'],
  combo: ['组合', 'Combo'],
  points: ['积分', 'Points'],
  ecard: ['电子卡', 'E-card'],
} as const satisfies Record<string, Text>
export type ConfigScope = keyof typeof configScopes
/** What the operation log calls the rules of a kind, whatever their version. */
export const configId = (scope: ConfigScope): number => Object.keys(configScopes).indexOf(scope) + 1
