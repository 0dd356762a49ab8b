import { and, eq } from 'drizzle-orm'
import { brand } from '#src/areas/brand/brand.table.ts'
import { publicWall } from '#src/areas/brandWall/walls.server.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { appliesTo } from '#src/areas/merchant/eCategory.ts'
import { city } from '#src/areas/place/place.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { fullName } from '#src/server/call/tree.ts'
import { countGoods } from './blockGoods.server.ts'
import type { PageKey } from './pageKey.ts'

/** Fewer goods than this make a thin channel. */
const GOODS_FEW = 5
/** What a page is of, as it stands now. */
export type Subject = {
  name: string
  /** What consumers call it: its brand, else its category, else its city. */
  title: string
  /** The category and all below it; undefined for a page of none. */
  categories: readonly number[] | undefined
  /** Why consumers see no page of it at all, whatever was published. */
  gone: Text | undefined
  /** Why nothing may be published of it now. */
  fault: Text | undefined
  /** What whoever publishes should know. */
  warning: Text | undefined
}

/** The category of a page and all below it. */
export const categoriesOf = async (
  db: Db,
  { category_id }: Pick<PageKey, 'category_id'>,
): Promise<readonly number[] | undefined> =>
  category_id > 0
    ? (await eCategoryTree.standing(db)).branch(category_id).map(row => row.id)
    : undefined
const cityNamed = async (db: Db, id: number): Promise<string | undefined> => {
  const [row] = await db.select({ name: city.city_name }).from(city).where(eq(city.id, id))
  return row?.name
}
type Part = { name: string; gone?: Text | undefined }
const categoryPart = async (db: Db, id: number): Promise<Part | undefined> => {
  const tree = await eCategoryTree.standing(db)
  if (!tree.row(id)) return undefined
  return {
    name: fullName(tree, id),
    gone: appliesTo(tree, id).is_shown
      ? undefined
      : ['分类已隐藏，请先在分类配置中显示', 'The category is hidden: show it first'],
  }
}
const brandPart = async (db: Db, id: number): Promise<Part | undefined> => {
  const [row] = await db
    .select({ name: brand.name, state: brand.state })
    .from(brand)
    .where(and(eq(brand.id, id)))
  return (
    row && {
      name: row.name,
      gone:
        row.state === 'on'
          ? undefined
          : ['品牌已停用或已合并', 'The brand is disabled, or merged into another'],
    }
  )
}
const offWall: Text = [
  '品牌不在该分类的品牌墙上，页面不展示；请先上墙并发布品牌墙',
  'The brand is not on the wall of the category, so the page is not shown: put it there first',
]
/** How much is on sale for a page that is of a category. */
const goodsOf = async (
  db: Db,
  of: { key: PageKey; categories: readonly number[]; now: number },
) => {
  const n = await countGoods(db, of, GOODS_FEW)
  const what = of.key.brand_id > 0 ? '该品牌在此分类' : '该分类'
  return {
    fault:
      n === 0
        ? ([`${what}本市没有在售商品，不能发布`, 'Nothing of it is on sale in the city'] as Text)
        : undefined,
    warning:
      n > 0 && n < GOODS_FEW && of.key.brand_id === 0
        ? ([
            `${what}本市在售商品不足 ${GOODS_FEW} 件`,
            `Fewer than ${GOODS_FEW} goods are on sale in the city`,
          ] as Text)
        : undefined,
  }
}
/** What a key stands for; undefined where its city, category or brand is not there. */
export const subjectOf = async (
  db: Db,
  key: PageKey,
  now: number,
): Promise<Subject | undefined> => {
  const { city_id, category_id, brand_id } = key
  const place = city_id > 0 ? await cityNamed(db, city_id) : ''
  const category = category_id > 0 ? await categoryPart(db, category_id) : { name: '' }
  const named = brand_id > 0 ? await brandPart(db, brand_id) : { name: '' }
  if (place === undefined || !category || !named) return undefined
  const categories = await categoriesOf(db, key)
  const isOff =
    category_id > 0 &&
    brand_id > 0 &&
    !(await publicWall(db, key, now)).some(one => one.id === brand_id)
  const gone = category.gone ?? named.gone ?? (isOff ? offWall : undefined)
  const goods = categories && (await goodsOf(db, { key, categories, now }))
  return {
    name: [place, category.name, named.name].filter(Boolean).join(' · '),
    title: named.name || category.name.split(' / ').at(-1) || place,
    categories,
    gone,
    fault: gone ?? goods?.fault,
    warning: goods?.warning,
  }
}
