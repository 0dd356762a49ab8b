import { freightPayers, type FreightPayer } from '#src/areas/afterSalePolicy/policy.ts'
import { percent } from '#src/domain/money.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Tree, TreeRow } from '#src/domain/tree.ts'

export const E_CATEGORY_LEVELS = 3
export const COMMISSION_MAX_BP = 5000
/** How goods of a category may be asked back; orders keep what held when they were placed. */
export type ReturnPolicy = { days: number; exempt: boolean; payer: FreightPayer }

/** Licences that a category may ask a merchant for. */
export const licenceNames = [
  '食品经营许可证',
  '酒类流通备案',
  '化妆品备案',
  '出版物经营许可证',
  '医疗器械经营备案',
  '强制性产品认证',
  '进口报关单',
  '商标授权书',
] as const

export type CategoryFacts = TreeRow & {
  name: string
  status: 'on' | 'off'
  searchable: boolean
  commission_bp: number | null
}
/** What holds for products of a category: its own word, or that of the nearest one above it. */
export const appliesTo = (tree: Tree<CategoryFacts>, id: number) => {
  const upwards = tree.upwards(id)
  const hiding = upwards.filter(row => row.status === 'off')
  return {
    /** Null: what each product agreed. */
    commission_bp: upwards.find(row => row.commission_bp !== null)?.commission_bp ?? null,
    is_shown: hiding.length === 0,
    is_searched: hiding.every(row => row.searchable),
  }
}
export const commissionWords = (bp: number | null, lang: Lang): string =>
  bp === null ? say(['按商品约定', 'Per product'], lang) : percent(bp)
export const returnWords = (policy: ReturnPolicy, lang: Lang): string =>
  say(['{n} 天 · 运费{payer}', '{n} days, freight: {payer}'], lang, {
    n: policy.days,
    payer: say(freightPayers[policy.payer], lang),
  }) + (policy.exempt ? say(['（不适用七天无理由）', ' (exempt from the seven)'], lang) : '')
