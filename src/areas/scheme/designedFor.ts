import type { PageType } from './blocks.ts'

/** What a page of each type is of besides its city: nothing, or what its own designer asks for. */
const designedFor: Readonly<Record<PageType, readonly ('category_id' | 'brand_id')[]>> = {
  home: [],
}
/** True of a type of which a city has one page: it can be begun by naming the city alone. */
export const isOfCity = (type: PageType): boolean => designedFor[type].length === 0
