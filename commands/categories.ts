import { CLASS_LAST } from '#src/areas/brand/trademark.ts'
import { COMMISSION_MAX_BP, licenceNames } from '#src/areas/merchant/eCategory.ts'
import type { Text } from '#src/domain/text.ts'
import { ask } from './command.ts'

/** What categories are asked, of the online mall and of stores alike. */
const PERCENT = /^\d{1,2}(\.\d{1,2})?$/
type Rated = { own_rate_bp: number | null }
/** A rate of its own in percent; without an answer that of the one above holds. */
export const askRate = (label: Text, hint: Text) =>
  ask.text({
    label,
    max: 5,
    optional: true,
    initial: rows => {
      const own = (rows[0] as Rated | undefined)?.own_rate_bp ?? null
      return own === null ? undefined : String(own / 100)
    },
    hint,
    check: typed =>
      PERCENT.test(typed.trim()) && Number(typed) * 100 <= COMMISSION_MAX_BP
        ? undefined
        : ['请填写 0–50 的百分数，最多两位小数', 'A percentage of 0–50, at most two decimals'],
    field: 'commission_bp',
  })
/** The rate as it is sent. */
export const rateOf = (percent: string | undefined): { rate_bp?: number } =>
  percent ? { rate_bp: Math.round(Number(percent) * 100) } : {}
/** Licences that a merchant must hold. */
export const askLicences = ask.choices({
  label: ['商户须持有', 'A merchant must hold'],
  options: Object.fromEntries(licenceNames.map(name => [name, [name, name]])),
  optional: true,
  field: 'need_licenses',
  hint: ['审核新商品时检查', 'Checked when products are audited'],
  initial: rows => rows[0]?.need_licenses,
})
const CLASSES = /^\d{1,2}([,，、\s]+\d{1,2})*$/
/** The numbers of classes of trademarks that were typed. */
export const classesOf = (typed: string | undefined): number[] => [
  ...new Set((typed?.match(/\d+/g) ?? []).map(Number)),
]
/** Classes of trademarks by their numbers. */
export const askClasses = (of: Partial<Parameters<typeof ask.text>[0]>) =>
  ask.text({
    label: ['商标类别', 'Classes'],
    max: 140,
    field: 'trademark_classes',
    check: typed =>
      CLASSES.test(typed.trim()) && classesOf(typed).every(one => one >= 1 && one <= CLASS_LAST)
        ? undefined
        : ['请填 1–45 的类别号，用逗号分隔', 'Numbers of 1–45, a comma between'],
    ...of,
  })
/** Classes of which the trademark of a brand must have one. */
export const askNeededClasses = askClasses({
  label: ['可用商标类别', 'Classes of trademarks'],
  optional: true,
  initial: rows => rows[0]?.trademark_classes.join('，') || undefined,
  hint: ['1–45，如 30，43；审核品牌时检查，留空沿用上级', '1–45: 30, 43; empty: as the one above'],
})
