import { pageTypes, type PageType } from '#src/areas/scheme/blocks.ts'
import type { Text } from '#src/domain/text.ts'

const parts = ['city_id', 'category_id', 'brand_id'] as const
type Designed = { type: PageType } & { [Part in (typeof parts)[number]]?: number | null }
/** The address at which a page is designed, by what it is of. */
export const designerOf = (of: Designed): string => {
  const search = new URLSearchParams(
    parts.flatMap(part => (of[part] ? [[part, String(of[part])]] : [])),
  )
  const path = `/manage/${pageTypes[of.type].at}`
  return search.size > 0 ? `${path}?${search}` : path
}
/** Pages of which a city has one; others are begun in their own designers, which ask for more. */
export const cityPages = Object.fromEntries(
  Object.entries(pageTypes).flatMap(([type, { title, of }]) =>
    of.join() === 'city_id' ? [[type, title]] : [],
  ),
) as Readonly<Record<PageType, Text>>
