import { ask } from '#commands/command.ts'
import { bankNoFault, creditCodeFault, nationalIdFault } from '#src/areas/merchant/identity.ts'
import {
  bankKinds,
  contractFault,
  holderFault,
  settleCycles,
  type BankKind,
  type SettleCycle,
} from '#src/areas/merchant/merchant.ts'
import type { Sent } from '#src/contract/call.ts'
import { callableFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { shopAdd as calls, MerchantProfile } from '../contract/add.ts'

/** What the form holds; licences by the place of their name among those that categories ask for. */
export type Answers = {
  name: string
  license_no: string
  license_image?: string[]
  license_expire_at?: number
  legal_name: string
  legal_id_no?: string
  contact_name?: string
  contact_phone?: string
  city: string
  categories?: string[]
  bank_kind?: BankKind
  bank_holder?: string
  bank_name?: string
  bank_no?: string
  contract_no?: string
  contract_start_at?: number
  contract_end_at?: number
  rate?: number
  settle_cycle: SettleCycle
  deposit?: number
} & Record<`no_${number}`, string | undefined> &
  Record<`until_${number}`, number | undefined>
type Category = MerchantProfile['categories'][number]
/** The licences that the chosen categories ask for. */
export const neededBy = (all: readonly Category[], chosen: readonly string[] = []): string[] => [
  ...new Set(all.filter(one => chosen.includes(String(one.id))).flatMap(one => one.need_licenses)),
]
/** Every licence that some category asks for, in one order. */
export const namesOf = (all: readonly Category[]): string[] =>
  [...new Set(all.flatMap(one => one.need_licenses))].sort()

/** A value that came masked is not checked, and not sent back. */
const unlessMasked =
  (fault: (value: string) => Text | undefined) =>
  (value: string): Text | undefined =>
    value.includes('*') ? undefined : fault(value)
const own = <K extends string>(key: K, value: string | undefined) =>
  !value || value.includes('*') ? {} : ({ [key]: value } as Record<K, string>)

const text = (key: keyof MerchantProfile, label: Text, max: number, more: object = {}) =>
  ask.text({ label, max, optional: true, initial: rows => rows[0]?.[key] || undefined, ...more })
const time = (key: keyof MerchantProfile, label: Text, more: object = {}) =>
  ask.time({ label, optional: true, initial: rows => rows[0]?.[key] ?? undefined, ...more })

/** May be empty in a draft: the list of what is missing says it (`proofs`). */
const toSubmit = { optional: 'in-draft' } as const

type City = { id: number; city_name: string }
/** The city and the categories, of those that there are. */
const placeAsks = (all: readonly Category[], cities: readonly City[]) => ({
  city: ask.choice({
    label: ['城市', 'City'],
    options: Object.fromEntries(
      cities.map(one => [String(one.id), [one.city_name, one.city_name] as const]),
    ),
    field: 'city_id',
    initial: rows => (rows[0] ? String(rows[0].city_id) : undefined),
  }),
  categories: ask.choices({
    label: ['经营类目', 'Categories'],
    options: Object.fromEntries(all.map(one => [String(one.id), [one.name, one.name] as const])),
    ...toSubmit,
    field: 'category_ids',
    initial: rows => rows[0]?.categories.map((one: Category) => String(one.id)),
  }),
})
/** Two questions a licence, asked while a chosen category wants it. */
const licenceAsks = (all: readonly Category[]) => {
  const asks = namesOf(all).flatMap((name, at) => {
    const shown = (answers: Partial<Answers>) => neededBy(all, answers.categories).includes(name)
    const kept = (rows: readonly MerchantProfile[]) =>
      rows[0]?.licenses.find(one => one.name === name)
    return [
      [
        `no_${at}`,
        ask.text({
          label: [`${name}编号`, `Number of ${name}`],
          max: 40,
          ...toSubmit,
          shown,
          initial: rows => kept(rows)?.no,
        }),
      ],
      [
        `until_${at}`,
        ask.time({
          label: [`${name}有效期`, `${name} until`],
          optional: true,
          shown,
          initial: rows => kept(rows)?.expire_at ?? undefined,
        }),
      ],
    ] as const
  })
  return Object.fromEntries(asks) as Record<string, (typeof asks)[number][1]>
}
const entityAsks = {
  name: text('name', ['商户名称', 'Name'], 60, { optional: false }),
  license_no: text('license_no', ['统一社会信用代码', 'Credit code'], 30, {
    optional: false,
    check: unlessMasked(creditCodeFault),
  }),
  license_image: ask.images({
    label: ['营业执照照片', 'Picture of the licence'],
    max: 1,
    ...toSubmit,
    maxBytes: 5 * 1024 * 1024,
    initial: rows => (rows[0]?.license_image ? [rows[0].license_image] : []),
  }),
  license_expire_at: time('license_expire_at', ['执照有效期', 'Licence until'], {
    hint: ['长期有效留空', 'Empty: no expiry'],
  }),
  legal_name: text('legal_name', ['法人姓名', 'Legal person'], 20, { optional: false }),
  legal_id_no: text('legal_id_no', ['法人身份证号', 'ID number'], 30, {
    ...toSubmit,
    check: unlessMasked(nationalIdFault),
  }),
  contact_name: text('contact_name', ['联系人', 'Contact'], 20, toSubmit),
  contact_phone: text('contact_phone', ['联系电话', 'Phone'], 30, {
    ...toSubmit,
    check: unlessMasked(callableFault),
  }),
}
const bankAsks = {
  bank_kind: ask.choice({
    label: ['账户类型', 'Account type'],
    options: bankKinds,
    ...toSubmit,
    initial: rows => rows[0]?.bank_kind ?? undefined,
  }),
  bank_holder: text('bank_holder', ['户名', 'Account holder'], 60, {
    ...toSubmit,
    check: (bank_holder: string, { bank_kind, name, legal_name }: Answers) =>
      holderFault({ bank_kind: bank_kind ?? null, bank_holder, name, legal_name }),
  }),
  bank_name: text('bank_name', ['开户行', 'Bank'], 60, toSubmit),
  bank_no: text('bank_no', ['结算账号', 'Account'], 30, {
    ...toSubmit,
    check: unlessMasked(bankNoFault),
  }),
  settle_cycle: ask.choice({
    label: ['结算周期', 'Settlement'],
    options: settleCycles,
    initial: rows => rows[0]?.settle_cycle ?? 'weekly',
  }),
  deposit: ask.money({
    label: ['保证金', 'Deposit'],
    optional: true,
    min: 0,
    field: 'deposit_cents',
    initial: rows => rows[0]?.deposit_cents,
  }),
}
const contractAsks = {
  contract_no: text('contract_no', ['合同编号', 'Contract'], 30, toSubmit),
  contract_start_at: time('contract_start_at', ['合同开始', 'Contract from'], toSubmit),
  contract_end_at: time('contract_end_at', ['合同到期', 'Contract until'], {
    ...toSubmit,
    check: (end: number, of: Answers) =>
      contractFault(
        end,
        {
          start_at: of.contract_start_at ?? null,
          current_end_at: null,
          license_expire_at: of.license_expire_at ?? null,
        },
        unixNow(),
      ),
  }),
  rate: ask.number({
    label: ['抽佣比例（%）', 'Take rate (%)'],
    min: 0,
    max: 100,
    places: 2,
    optional: true,
    field: 'commission_bp',
    initial: rows =>
      rows[0]?.commission_bp === undefined ? undefined : rows[0].commission_bp / 100,
  }),
}
/** The questions of the form; those of a licence stand while a chosen category asks for it. */
export const asksFor = (all: readonly Category[], cities: readonly City[]) => ({
  ...entityAsks,
  ...placeAsks(all, cities),
  ...licenceAsks(all),
  ...bankAsks,
  ...contractAsks,
})

/** The licences as they were answered, of those that the chosen categories ask for. */
export const licencesOf = (all: readonly Category[], of: Answers) =>
  namesOf(all).flatMap((name, at) => {
    const no = of[`no_${at}`]
    return no && neededBy(all, of.categories).includes(name)
      ? [{ name, no, expire_at: of[`until_${at}`] ?? null }]
      : []
  })
/** What is sent of the answers. */
export const bodyOf = (all: readonly Category[], of: Answers) =>
  ({
    name: of.name,
    license_no: of.license_no,
    license_image: of.license_image?.[0] ?? '',
    license_expire_at: of.license_expire_at ?? null,
    legal_name: of.legal_name,
    ...own('legal_id_no', of.legal_id_no),
    ...own('contact_name', of.contact_name),
    ...own('contact_phone', of.contact_phone),
    city_id: Number(of.city),
    category_ids: (of.categories ?? []).map(Number),
    licenses: licencesOf(all, of),
    bank_kind: of.bank_kind ?? null,
    bank_holder: of.bank_holder ?? '',
    bank_name: of.bank_name ?? '',
    ...own('bank_no', of.bank_no),
    contract_no: of.contract_no ?? '',
    contract_start_at: of.contract_start_at ?? null,
    contract_end_at: of.contract_end_at ?? null,
    ...(of.rate !== undefined && { commission_bp: Math.round(of.rate * 100) }),
    settle_cycle: of.settle_cycle,
    deposit_cents: of.deposit ?? 0,
  }) satisfies Sent<typeof calls.saveDraft>
