import { offerKinds } from '#src/areas/product/product.ts'
import { percent } from '#src/domain/money.ts'
import { comma, say, type Lang } from '#src/domain/text.ts'
import type { Tree, TreeRow } from '#src/domain/tree.ts'

export const SHOP_CATEGORY_LEVELS = 3
const { elist: _, ...kinds } = offerKinds
/** The kinds of products that are used in a store. */
export const shopProductKinds = kinds
export type ShopProductKind = keyof typeof shopProductKinds

type CategoryFacts = TreeRow & {
  status: 'on' | 'off'
  commission_bp: number | null
}
/** What holds of a category: its own word, or that of the nearest one above it. */
export const heldOf = (tree: Tree<CategoryFacts>, id: number) => {
  const upwards = tree.upwards(id)
  return {
    /** Null: as each contract agrees. */
    rate_bp: upwards.find(row => row.commission_bp !== null)?.commission_bp ?? null,
    is_shown: upwards.every(row => row.status === 'on'),
  }
}
/** The take rate that a contract begins with: the highest of the categories that have one. */
export const contractRate = (
  tree: Tree<CategoryFacts>,
  category_ids: readonly number[],
): number | null =>
  category_ids.reduce<number | null>((highest, id) => {
    const { rate_bp } = heldOf(tree, id)
    return rate_bp === null ? highest : Math.max(highest ?? 0, rate_bp)
  }, null)
export const rateWords = (bp: number | null, lang: Lang): string =>
  bp === null ? say(['按合同约定', 'as each contract agrees'], lang) : percent(bp)
export const kindWords = (of: readonly ShopProductKind[], lang: Lang): string =>
  of.length === 0
    ? say(['不限', 'All'], lang)
    : of.map(kind => say(shopProductKinds[kind], lang)).join(say(comma, lang))
