import { pastedLines } from '#src/domain/lines.ts'

/** A line of the import of brands: what was read. */
export type BrandLine = {
  line: number
  name: string
  en_name: string
  category: string
  company: string
}
/** At most so many at a time. */
export const BRAND_LINES_MOST = 200
/** Pasted or uploaded lines of brands, with or without a heading. */
export const brandLines = (text: string): BrandLine[] =>
  pastedLines(text, /^(品牌|品牌名称|brand|name)$/i).map(
    ({ line, cells: [name = '', en_name = '', category = '', company = ''] }) => ({
      line,
      name,
      en_name,
      category,
      company,
    }),
  )
