import type { Finding, FindingLevel } from '#src/areas/audit/audit.ts'
import { joinedNames, type Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Alike } from './likeness.ts'
import { ENDS_SOON_S, TRADEMARK_NO, classText } from './trademark.ts'

/** A firm that may use a brand, and the paper by which it was allowed to. */
export type ChainLink = { name: string; image: string }
/** A brand as a merchant applies for it. */
export type BrandBody = {
  name: string
  en_name: string
  logo: string
  category_id: number
  /** The owner of the trademark. */
  company: string
  trademark_no: string
  trademark_classes: number[]
  trademark_end_at: number
  trademark_image: string
  /** Whom the owner authorised, in their order; the last is the merchant. Empty where it is the owner. */
  chain: ChainLink[]
  /** Until when the merchant may use it; null: as long as the trademark holds. */
  auth_end_at: number | null
  /** The brand that is to be changed; none where it is new. */
  brand_id?: number | undefined
}
export type BrandField = Exclude<keyof BrandBody, 'brand_id'>
export const brandFields = {
  name: ['品牌名称', 'Name'],
  en_name: ['英文名', 'English name'],
  logo: ['标志', 'Logo'],
  category_id: ['经营分类', 'Category'],
  company: ['商标权人', 'Owner'],
  trademark_no: ['商标注册号', 'Registration'],
  trademark_classes: ['商标类别', 'Classes'],
  trademark_end_at: ['商标有效期', 'Trademark until'],
  trademark_image: ['商标注册证', 'Certificate'],
  chain: ['授权链路', 'Authorisation'],
  auth_end_at: ['授权到期', 'Authorised until'],
} as const satisfies Record<BrandField, Text>
export const allBrandFields = Object.keys(brandFields) as BrandField[]
/** The fields that differ between two submissions, or a submission and what stands. */
export const brandChanges = (
  was: Partial<Record<BrandField, unknown>>,
  next: BrandBody,
): BrandField[] =>
  allBrandFields.filter(
    field => field in was && JSON.stringify(was[field]) !== JSON.stringify(next[field]),
  )

/** Why an application for a brand is refused, in the order of their digits. */
export const brandRefuseCodes = {
  trademark: ['商标注册号或注册证不符', 'Trademark does not match'],
  expired: ['商标或授权已到期', 'Trademark or authorisation over'],
  class: ['商标类别不含经营分类', 'Class does not cover it'],
  chain: ['授权链路不完整', 'Authorisation incomplete'],
  duplicate: ['品牌已存在', 'The brand exists'],
  logo: ['标志不清晰或不符', 'Logo unclear or wrong'],
  risk: ['疑似侵权或仿冒', 'Suspected counterfeit'],
  other: ['其他', 'Other'],
} as const satisfies Record<string, Text>
export type BrandRefuseCode = keyof typeof brandRefuseCodes

/** Takes back what an approval did while nothing was built on it. */
export type BrandUndo = {
  id: number
  /** The version that the approval left. */
  version: number
  /** What it was before; null where the approval made it. */
  before: Record<string, unknown> | null
  authorisation: { id: number; version: number; before: Record<string, unknown> | null }
}

/** Each rule's level, its sentence with `{values}`, and what it is called on a row. */
const rules = {
  merchant_off: [
    'block',
    '商户当前不在营，不能通过',
    'The merchant does not trade',
    '商户不在营',
    'Merchant off',
  ],
  brand_gone: [
    'block',
    '要变更的品牌已停用或已合并',
    'The brand to be changed is off or merged',
    '品牌已停用',
    'Brand is off',
  ],
  trademark_no: [
    'block',
    '商标注册号“{no}”格式不对：应为 5–9 位数字（可带一位字母），国际注册以 G 开头',
    'Registration {no}: 5 to 9 digits, perhaps a letter; G before an international one',
    '注册号格式',
    'Registration format',
  ],
  trademark_over: [
    'block',
    '商标已于 {date} 到期',
    'The trademark expired on {date}',
    '商标已到期',
    'Trademark expired',
  ],
  class_gap: [
    'block',
    '商标类别不含经营分类“{category}”，需要 {needed}',
    '“{category}” needs {needed}',
    '类别不符',
    'Class does not cover',
  ],
  auth_over: [
    'block',
    '授权已于 {date} 到期',
    'The authorisation expired on {date}',
    '授权已到期',
    'Authorisation expired',
  ],
  auth_late: [
    'block',
    '授权到期晚于商标有效期 {date}',
    'The authorisation outlasts the trademark, {date}',
    '授权超期',
    'Outlasts the trademark',
  ],
  chain_broken: [
    'block',
    '授权链路最后一级须为商户“{merchant}”',
    'The last of the chain must be “{merchant}”',
    '授权链路断开',
    'Chain broken',
  ],
  chain_proof: [
    'block',
    '缺少授权书：{names}',
    'Without a paper: {names}',
    '缺少授权书',
    'Paper missing',
  ],
  same_name: [
    'flag',
    '已有品牌“{names}”同名：请并入，或改名并说明区别后新建',
    '“{names}” has that name: join it, or explain and name it otherwise',
    '同名品牌',
    'Same name',
  ],
  alike: [
    'flag',
    '与品牌“{names}”高度相似：请并入，或说明区别后新建',
    'Much like “{names}”: join it, or explain the difference',
    '疑似同一品牌',
    'Similar brand',
  ],
  trademark_taken: [
    'flag',
    '商标注册号已用于品牌“{names}”：请并入，或说明区别后新建',
    'The trademark is that of “{names}”: join it, or explain the difference',
    '商标号重复',
    'Trademark in use',
  ],
  trademark_soon: [
    'warn',
    '商标将于 {date} 到期',
    'The trademark ends on {date}',
    '商标将到期',
    'Trademark ends soon',
  ],
  auth_soon: [
    'warn',
    '授权将于 {date} 到期',
    'The authorisation ends on {date}',
    '授权将到期',
    'Authorisation ends soon',
  ],
  class_unknown: [
    'warn',
    '经营分类“{category}”没有设置商标类别，请人工核对',
    '“{category}” names no classes: check by hand',
    '类别待核对',
    'Check the class',
  ],
} as const satisfies Record<string, readonly [FindingLevel, string, string, string, string]>
export type BrandRule = keyof typeof rules
export type BrandFinding = Omit<Finding, 'rule' | 'field'> & { rule: BrandRule; field: BrandField }
const ruleOf = (rule: string) => (Object.hasOwn(rules, rule) ? rules[rule as BrandRule] : undefined)
/** A rule's sentence, and what a row says of it. */
export const brandRuleText = (rule: string): Text => {
  const of = ruleOf(rule)
  return of ? [of[1], of[2]] : [rule, rule]
}
export const shortBrandRule = (rule: string): Text => {
  const of = ruleOf(rule)
  return of ? [of[3], of[4]] : [rule, rule]
}
export const forbidsBrand = (rule: string): boolean => ruleOf(rule)?.[0] === 'block'
const twinRules = ['same_name', 'alike', 'trademark_taken'] as const satisfies readonly BrandRule[]
/** Whether a brand of its own must be explained, as one like it exists. */
export const mustExplain = (flags: readonly string[]): boolean =>
  flags.some(flag => (twinRules as readonly string[]).includes(flag))

export type BrandFacts = {
  body: BrandBody
  merchant: { name: string; is_active: boolean }
  /** The brand that is to be changed still stands; true of a new one. */
  is_standing: boolean
  category: string
  /** Classes that cover the category; empty where nobody has said. */
  needed: readonly number[]
  /** Others that stand: of the very name, much alike, with the same trademark. */
  twins: Record<(typeof twinRules)[number], readonly Alike[]>
}
const found = (
  rule: BrandRule,
  field: BrandField,
  values: Record<string, string> = {},
): BrandFinding => ({ rule, level: rules[rule][0], field, values })

const trademarkFindings = ({ body, needed, category }: BrandFacts, now: number) => {
  const of: BrandFinding[] = []
  const end = body.trademark_end_at
  if (!TRADEMARK_NO.test(body.trademark_no))
    of.push(found('trademark_no', 'trademark_no', { no: body.trademark_no }))
  if (end <= now) of.push(found('trademark_over', 'trademark_end_at', { date: dateOf(end) }))
  else if (end <= now + ENDS_SOON_S)
    of.push(found('trademark_soon', 'trademark_end_at', { date: dateOf(end) }))
  if (needed.length === 0) of.push(found('class_unknown', 'trademark_classes', { category }))
  else if (!needed.some(one => body.trademark_classes.includes(one)))
    of.push(
      found('class_gap', 'trademark_classes', {
        category,
        needed: needed.map(one => classText(one)[0]).join(' / '),
      }),
    )
  return of
}
const authFindings = ({ body, merchant }: BrandFacts, now: number) => {
  const of: BrandFinding[] = []
  const end = body.auth_end_at
  if (end !== null && end <= now) of.push(found('auth_over', 'auth_end_at', { date: dateOf(end) }))
  else if (end !== null && end <= now + ENDS_SOON_S)
    of.push(found('auth_soon', 'auth_end_at', { date: dateOf(end) }))
  if (end !== null && end > body.trademark_end_at)
    of.push(found('auth_late', 'auth_end_at', { date: dateOf(body.trademark_end_at) }))
  const last = body.chain.at(-1)?.name ?? body.company
  if (last !== merchant.name) of.push(found('chain_broken', 'chain', { merchant: merchant.name }))
  const bare = body.chain.filter(one => one.image === '').map(one => one.name)
  if (bare.length > 0) of.push(found('chain_proof', 'chain', { names: joinedNames(bare) }))
  return of
}
const rank: Record<FindingLevel, number> = { block: 0, second: 1, flag: 2, warn: 3 }
/** What the rules say of an application for a brand as things stand, the forbidding ones first. */
export const brandFindings = (of: BrandFacts, now: number): BrandFinding[] =>
  [
    ...(of.merchant.is_active ? [] : [found('merchant_off', 'name')]),
    ...(of.is_standing ? [] : [found('brand_gone', 'name')]),
    ...trademarkFindings(of, now),
    ...authFindings(of, now),
    ...twinRules.flatMap(rule => {
      const names = joinedNames(of.twins[rule].map(one => one.name))
      return names
        ? [found(rule, rule === 'trademark_taken' ? 'trademark_no' : 'name', { names })]
        : []
    }),
  ].sort((a, b) => rank[a.level] - rank[b.level])
