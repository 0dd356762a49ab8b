import type { Text } from '#src/domain/text.ts'

/** The firms that make codes or top up for the platform, by the key that a card names. */
export const suppliers = {
  fulu: ['福禄数科', 'Fulu Digital'],
  yika: ['翼卡云商', 'Yika Cloud'],
  hengtong: ['恒通充值', 'Hengtong Top-up'],
} as const satisfies Record<string, Text>
export type Supplier = keyof typeof suppliers
