/** What a page is of: a city, a category of e-commerce, a brand; 0 where it is of none. */
export type PageKey = { city_id: number; category_id: number; brand_id: number }
export type KeyPart = keyof PageKey
export const keyParts = ['city_id', 'category_id', 'brand_id'] as const satisfies readonly KeyPart[]

/** The key alone of whatever names a page besides. */
export const keyOf = ({ city_id, category_id, brand_id }: PageKey): PageKey => ({
  city_id,
  category_id,
  brand_id,
})
/** Writes a key as one text, the same for the same page of a type. */
export const keyText = (of: PageKey): string => keyParts.map(part => of[part]).join('/')
/** The key whose parts `of` are these numbers, in the same order. */
export const keyFrom = (of: readonly KeyPart[], numbers: readonly number[]): PageKey => ({
  city_id: 0,
  category_id: 0,
  brand_id: 0,
  ...Object.fromEntries(of.map((part, at) => [part, numbers[at] ?? 0])),
})
