import { brandLines, BRAND_LINES_MOST, type BrandLine } from '#src/areas/brand/brandLines.ts'
import { categoriesByName, namesTaken } from '#src/areas/brand/brands.server.ts'
import { searchable } from '#src/domain/search.ts'
import { isLonger, say, type Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { invalid } from '#src/server/call/refuse.ts'

const NAME_MOST = 64
type Judged = { line: BrandLine; category_id: number | undefined; faults: Text[] }
const lengthFaults = ({ name, en_name, company }: BrandLine): Text[] => [
  ...(name === '' || isLonger(name, NAME_MOST)
    ? [['品牌名称须 1–64 字', 'Name: 1 to 64 characters'] as const]
    : []),
  ...(isLonger(en_name, NAME_MOST)
    ? [['英文名最多 64 字', 'English name: at most 64 characters'] as const]
    : []),
  ...(isLonger(company, NAME_MOST)
    ? [['公司最多 64 字', 'Company: at most 64 characters'] as const]
    : []),
]
const categoryFault = (typed: string, found: readonly number[]): Text[] => {
  if (found.length === 1) return []
  if (typed === '') return [['请填写分类', 'Say its category']]
  return found.length === 0
    ? [[`没有分类“${typed}”`, `There is no category ${typed}`]]
    : [
        [
          `有多个分类叫“${typed}”，请写成“上级 / 分类”`,
          `Several are called ${typed}: write “above / ${typed}”`,
        ],
      ]
}
/** Lines of brands, each with what is wrong with it: by itself, beside the others, and here. */
export const judgeBrands = async ({ tx, staff }: WriteContext, text: string): Promise<Judged[]> => {
  const lines = brandLines(text)
  if (lines.length === 0)
    throw invalid({ text: say(['没有可导入的行', 'No lines to import'], staff.lang) })
  if (lines.length > BRAND_LINES_MOST)
    throw invalid({
      text: say(['一次最多 {n} 行', 'At most {n} lines at a time'], staff.lang, {
        n: BRAND_LINES_MOST,
      }),
    })
  const [categories, taken] = [
    await categoriesByName(tx),
    await namesTaken(
      tx,
      lines.map(line => line.name),
    ),
  ]
  const seen = new Set<string>()
  return lines.map(line => {
    const found = categories.get(line.category) ?? []
    const name = searchable(line.name)
    const isTwice = taken.has(line.name) || seen.has(name)
    seen.add(name)
    const faults = [
      ...lengthFaults(line),
      ...(isTwice ? [['品牌已存在或重复', 'It is there already, or stands twice'] as const] : []),
      ...categoryFault(line.category, found),
    ]
    return { line, category_id: found[0], faults }
  })
}
