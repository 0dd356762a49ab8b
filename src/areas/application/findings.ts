import type { Finding, FindingLevel } from '#src/areas/audit/audit.ts'
import {
  holderFault,
  isEnding,
  isOver,
  missingLicenses,
  missingProofs,
  proofs,
  type MerchantState,
} from '#src/areas/merchant/merchant.ts'
import { joined, joinedNames, type Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { ApplicationKind, BodyField, MerchantBody } from './application.ts'
import { storeRules } from './storeFindings.ts'

/** Each rule's level, its sentence with `{values}`, and what it is called on a row. */
const applicationRules = {
  ...storeRules,
  wrong_state: [
    'block',
    '商户当前不可通过此申请（{state}）',
    'The merchant is {state}: it can’t be applied',
    '商户状态不符',
    'Wrong state',
  ],
  proofs_missing: ['block', '资料不全：{names}', 'Missing: {names}', '资料不全', 'Incomplete'],
  licence_expired: [
    'block',
    '营业执照已于 {date} 过期',
    'The licence expired on {date}',
    '执照过期',
    'Licence expired',
  ],
  licence_expiring: [
    'warn',
    '营业执照将于 {date} 到期',
    'The licence ends on {date}',
    '执照将到期',
    'Licence ends soon',
  ],
  contract_over: [
    'block',
    '合同已于 {date} 到期',
    'The contract ended on {date}',
    '合同到期',
    'Contract over',
  ],
  licences_missing: [
    'block',
    '类目要求的资质缺失或过期：{names}',
    'Licences missing or over: {names}',
    '缺少资质',
    'Licences missing',
  ],
  holder: [
    'block',
    '结算账户户名与{of}不一致',
    'The account’s holder is not the {of}',
    '户名不符',
    'Wrong holder',
  ],
  credit_taken: [
    'block',
    '统一社会信用代码已由商户「{name}」使用，BD：{bd}',
    'The credit code is of {name}, whose BD is {bd}',
    '信用代码重复',
    'Credit code taken',
  ],
  black_licence: [
    'block',
    '统一社会信用代码在黑名单中：{why}',
    'The credit code is on the black list: {why}',
    '黑名单主体',
    'Black-listed',
  ],
  black_phone: [
    'flag',
    '联系电话在黑名单中：{why}',
    'The phone is on the black list: {why}',
    '黑名单电话',
    'Black-listed phone',
  ],
  black_bank: [
    'flag',
    '结算账号在黑名单中：{why}',
    'The account is on the black list: {why}',
    '黑名单账户',
    'Black-listed account',
  ],
  same_name: ['flag', '与商户「{names}」同名', 'Named like {names}', '疑似同名', 'Same name'],
  same_phone: [
    'flag',
    '联系电话与商户「{names}」相同',
    'The phone is also that of {names}',
    '电话重复',
    'Same phone',
  ],
  same_bank: [
    'flag',
    '结算账号与商户「{names}」相同',
    'The account is also that of {names}',
    '账户重复',
    'Same account',
  ],
} as const satisfies Record<string, readonly [FindingLevel, string, string, string, string]>
export type ApplicationRule = keyof typeof applicationRules
export type ApplicationFinding = Omit<Finding, 'rule'> & { rule: ApplicationRule }
const ruleOf = (rule: string) =>
  Object.hasOwn(applicationRules, rule) ? applicationRules[rule as ApplicationRule] : undefined
/** A rule's sentence, and what a row says of it. */
export const applicationRuleText = (rule: string): Text => {
  const of = ruleOf(rule)
  return of ? [of[1], of[2]] : [rule, rule]
}
export const shortApplicationRule = (rule: string): Text => {
  const of = ruleOf(rule)
  return of ? [of[3], of[4]] : [rule, rule]
}
export const forbidsApplication = (rule: string): boolean => ruleOf(rule)?.[0] === 'block'

/** Another merchant that has something in common with the one that applies. */
export type Twin = {
  id: number
  name: string
  bd_name: string
  status: MerchantState
  by: ('licence' | 'name' | 'phone' | 'bank')[]
}
export type ApplicationFacts = {
  kind: ApplicationKind
  status: MerchantState
  /** The merchant as it would be. */
  body: MerchantBody
  /** The fields that would be otherwise; of a new merchant all. */
  changed: readonly BodyField[]
  /** The licences that its categories ask for. */
  needed: readonly string[]
  twins: readonly Twin[]
  /** Why its credit code, phone or account is on the black list. */
  black: Readonly<Partial<Record<'licence' | 'phone' | 'card', string>>>
}
const found = (
  rule: ApplicationRule,
  field: BodyField,
  values: Record<string, string> = {},
): ApplicationFinding => ({ rule, level: applicationRules[rule][0], field, values })

const licenceFindings = ({ body, kind, changed, needed }: ApplicationFacts, now: number) => {
  const of: ApplicationFinding[] = []
  const until = body.license_expire_at
  if (until !== null && isOver(until, now))
    of.push(found('licence_expired', 'license_expire_at', { date: dateOf(until) }))
  else if (until !== null && isEnding(until, now))
    of.push(found('licence_expiring', 'license_expire_at', { date: dateOf(until) }))
  const missing = missingLicenses(needed, body.licenses, now)
  const asksLicences =
    kind === 'merchant' || changed.includes('category_ids') || changed.includes('licenses')
  if (missing.length > 0 && asksLicences)
    of.push(found('licences_missing', 'licenses', { names: joinedNames(missing) }))
  return of
}
const newFindings = ({ body, kind, needed }: ApplicationFacts, now: number) => {
  if (kind !== 'merchant') return []
  const lacks = missingProofs(
    { ...body, has_legal_id: Boolean(body.legal_id_no), has_bank_no: Boolean(body.bank_no) },
    needed,
    now,
  ).filter(proof => proof !== 'licenses')
  const of: ApplicationFinding[] = []
  if (lacks.length > 0)
    of.push(
      found('proofs_missing', 'license_image', {
        names: joinedNames(lacks.map(proof => joined(proofs[proof]))),
      }),
    )
  if (body.contract_end_at !== null && isOver(body.contract_end_at, now))
    of.push(found('contract_over', 'contract_end_at', { date: dateOf(body.contract_end_at) }))
  return of
}
const twinFindings = ({ twins }: ApplicationFacts) => {
  const named = (by: Twin['by'][number], rule: ApplicationRule, field: BodyField) => {
    const same = twins.filter(one => one.by.includes(by) && one.status !== 'terminated')
    return same.length === 0
      ? []
      : [found(rule, field, { names: joinedNames(same.map(one => one.name)) })]
  }
  const taken = twins.find(one => one.by.includes('licence') && one.status !== 'terminated')
  return [
    ...(taken
      ? [found('credit_taken', 'license_no', { name: taken.name, bd: taken.bd_name || '—' })]
      : []),
    ...named('name', 'same_name', 'name'),
    ...named('phone', 'same_phone', 'contact_phone'),
    ...named('bank', 'same_bank', 'bank_no'),
  ]
}
const rank: Record<FindingLevel, number> = { block: 0, second: 1, flag: 2, warn: 3 }
/** What the rules say of an application as things stand, the forbidding ones first. */
export const applicationFindings = (of: ApplicationFacts, now: number): ApplicationFinding[] => {
  const { body, black, status, kind } = of
  const isDue = kind === 'merchant' ? status === 'auditing' : status === 'active'
  const all: ApplicationFinding[] = [
    ...(isDue ? [] : [found('wrong_state', 'name', { state: status })]),
    ...newFindings(of, now),
    ...licenceFindings(of, now),
    ...(body.bank_kind !== null && holderFault({ ...body, bank_holder: body.bank_holder ?? '' })
      ? [
          found('holder', 'bank_holder', {
            of: body.bank_kind === 'personal' ? '法人姓名' : '商户名称',
          }),
        ]
      : []),
    ...twinFindings(of),
    ...(black.licence ? [found('black_licence', 'license_no', { why: black.licence })] : []),
    ...(black.phone ? [found('black_phone', 'contact_phone', { why: black.phone })] : []),
    ...(black.card ? [found('black_bank', 'bank_no', { why: black.card })] : []),
  ]
  return all.sort((a, b) => rank[a.level] - rank[b.level])
}
