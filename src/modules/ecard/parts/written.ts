import type { CardDraft, CardTemplate } from '#src/areas/ecard/card.ts'
import type { CardType, CodeSource, RefundRule, ValidType } from '#src/areas/ecard/ecard.ts'
import type { Supplier } from '#src/areas/ecard/suppliers.ts'

/** The answers of the form; a question that is not asked has no answer. */
export type CardAnswers = {
  name?: string
  type?: CardType
  named?: boolean
  store_id?: number
  cover?: string[]
  arts?: string[]
  supplier?: Supplier
  source?: CodeSource
  custom_min_cents?: number
  custom_max_cents?: number
  custom_step_cents?: number
  valid_type?: ValidType
  valid_until?: number
  valid_days?: number
  malls?: number[]
  stores?: number[]
  categories?: number[]
  gift?: boolean
  greetings?: string
  limit_order?: number
  limit_day?: number
  limit_person?: number
  refund_rule?: RefundRule
  bonus?: boolean
  notice?: string
  agreement?: string
  stock_alert?: number
  faces?: string
  reason?: string
}
export const linesOf = (typed = ''): string[] =>
  typed
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
/** The values that stand for answers which are still missing. */
const blank: CardDraft = {
  name: '',
  type: 'stored',
  named: false,
  store_id: 0,
  cover: '',
  arts: [],
  supplier: '',
  source: 'generate',
  custom_min_cents: null,
  custom_max_cents: null,
  custom_step_cents: null,
  valid_type: 'none',
  valid_until: null,
  valid_days: null,
  scope: { mall_ids: [], store_ids: [], category_ids: [] },
  gift: false,
  greetings: [],
  limits: { order: null, day: null, person: null },
  refund_rule: 'unused',
  bonus: false,
  notice: '',
  agreement: '',
  stock_alert: 0,
}
/**
 * The fields that are sent of the answers; one that is not answered yet stands as a new card has
 * it.
 */
export const writtenOf = (answers: CardAnswers): CardDraft => {
  const { cover, malls, stores, categories, greetings, faces: _, reason: __, ...rest } = answers
  const { limit_order, limit_day, limit_person, ...own } = rest
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  return {
    ...blank,
    ...(Object.fromEntries(given) as Partial<CardDraft>),
    cover: cover?.[0] ?? '',
    scope: {
      mall_ids: malls ?? [],
      store_ids: stores ?? [],
      category_ids: categories ?? [],
    },
    greetings: linesOf(greetings),
    limits: {
      order: limit_order ?? null,
      day: limit_day ?? null,
      person: limit_person ?? null,
    },
  }
}
/** The answers that a template stands for. */
export const answersOf = (of: CardTemplate): CardAnswers => ({
  type: of.type,
  named: of.named,
  cover: of.cover ? [of.cover] : [],
  arts: [...of.arts],
  ...(of.supplier && { supplier: of.supplier }),
  source: of.source,
  ...given('custom_min_cents', of.custom_min_cents),
  ...given('custom_max_cents', of.custom_max_cents),
  ...given('custom_step_cents', of.custom_step_cents),
  valid_type: of.valid_type,
  ...given('valid_until', of.valid_until),
  ...given('valid_days', of.valid_days),
  malls: of.scope.mall_ids,
  stores: of.scope.store_ids,
  categories: of.scope.category_ids,
  gift: of.gift,
  greetings: of.greetings.join('\n'),
  ...given('limit_order', of.limits.order),
  ...given('limit_day', of.limits.day),
  ...given('limit_person', of.limits.person),
  refund_rule: of.refund_rule,
  bonus: of.bonus,
  notice: of.notice,
  agreement: of.agreement,
  stock_alert: of.stock_alert,
})
const given = <K extends string>(key: K, value: number | null) =>
  value === null ? {} : { [key]: value }
/** The names that fields of the calls have among the questions. */
export const namesHere = { scope: 'malls' } as const

/** The answers that are not asked for of a card that was sold, as they stand. */
export const lockedOf = (was: CardDraft | undefined): CardAnswers =>
  was
    ? {
        type: was.type,
        named: was.named,
        store_id: was.store_id,
        source: was.source,
        ...(was.supplier && { supplier: was.supplier }),
      }
    : {}
