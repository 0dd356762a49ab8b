import { describe, expect, it } from 'vitest'
import {
  allFields,
  agreedFields,
  applicationCan,
  changedOf,
  fieldsOfKind,
  isBatchable,
  kindOfChange,
  type MerchantBody,
} from '#src/areas/application/application.ts'
import { applicationFindings, type ApplicationFacts } from '#src/areas/application/findings.ts'
import { DAY, HOUR } from '#src/domain/time.ts'

const NOW = 1_800_000_000
const body: MerchantBody = {
  name: '上海望湘园餐饮有限公司',
  license_no: '91350100M000100Y43',
  license_image: 'a.webp',
  license_expire_at: null,
  legal_name: '王大明',
  legal_id_no: '11010519491231002X',
  contact_name: '李小红',
  contact_phone: '13900001111',
  city_id: 1,
  category_ids: [1],
  licenses: [],
  bank_kind: 'company',
  bank_holder: '上海望湘园餐饮有限公司',
  bank_name: '招商银行',
  bank_no: '6225880012345678',
  contract_no: 'HT1',
  contract_start_at: NOW - DAY,
  contract_end_at: NOW + 300 * DAY,
  commission_bp: 1000,
  settle_cycle: 'weekly',
  deposit_cents: 0,
}
const facts: ApplicationFacts = {
  kind: 'merchant',
  status: 'auditing',
  body,
  changed: allFields,
  needed: [],
  twins: [],
  black: {},
}
const rulesOf = (more: Partial<ApplicationFacts>) =>
  applicationFindings({ ...facts, ...more }, NOW).map(one => one.rule)

describe('a change', () => {
  it('is every field once: of a kind, or agreed by contract', () => {
    const all = [...Object.values(fieldsOfKind).flat(), ...agreedFields]
    expect(all.toSorted()).toEqual(allFields.toSorted())
  })
  it('is of the gravest of its kinds', () => {
    expect(kindOfChange(['contact_phone', 'bank_no', 'license_no'])).toBe('licence')
    expect(kindOfChange(['contact_phone', 'bank_no'])).toBe('bank')
    expect(kindOfChange(['contact_phone'])).toBe('profile')
    expect(Object.keys(fieldsOfKind).filter(kind => isBatchable(kind as 'bank'))).toEqual([
      'profile',
    ])
  })
  it('is none where nothing became an empty text', () => {
    expect(changedOf({ ...body, contract_no: null }, { contract_no: '' })).toEqual([])
    expect(changedOf(body, { license_expire_at: NOW, name: body.name })).toEqual([
      'license_expire_at',
    ])
  })
})

describe('what the rules say', () => {
  it('is nothing of a sound application', () => expect(rulesOf({})).toEqual([]))
  it.each<[string, Partial<ApplicationFacts>]>([
    ['licence_expired', { body: { ...body, license_expire_at: NOW } }],
    ['licence_expiring', { body: { ...body, license_expire_at: NOW + DAY } }],
    ['contract_over', { body: { ...body, contract_end_at: NOW - 1 } }],
    ['proofs_missing', { body: { ...body, license_image: '' } }],
    ['licences_missing', { needed: ['食品经营许可证'] }],
    ['holder', { body: { ...body, bank_holder: '别的公司' } }],
    ['wrong_state', { status: 'active' }],
    ['wrong_state', { kind: 'bank', status: 'frozen' }],
    ['black_licence', { black: { licence: '冒用' } }],
    ['black_phone', { black: { phone: '冒用' } }],
    ['black_bank', { black: { card: '冒用' } }],
  ])('is %s where that is so', (rule, more) => expect(rulesOf(more)).toEqual([rule]))
  it('forbids a credit code that another has, and points at what else they share', () => {
    const twin = { id: 2, name: '望湘园', bd_name: '', status: 'active' as const }
    expect(rulesOf({ twins: [{ ...twin, by: ['name', 'licence'] }] })).toEqual([
      'credit_taken',
      'same_name',
    ])
    const gone = { ...twin, status: 'terminated' as const }
    expect(rulesOf({ twins: [{ ...gone, by: ['licence', 'phone'] }] })).toEqual([])
  })
})

describe('whoever', () => {
  const waits = { state: 'pending' as const, owner_id: 5, submitted_by: 6 }
  it.each([5, 6])('brought or submitted it does not judge it (%i)', who => {
    for (const verb of ['claim', 'approve', 'reject', 'askMore'] as const)
      expect(applicationCan(verb, waits, who, NOW)).not.toBe(true)
  })
  it('is neither may, unless somebody else holds it', () => {
    expect(applicationCan('approve', waits, 7, NOW)).toBe(true)
    const held = { ...waits, state: 'claimed' as const, claimed_by: 8, claim_until: NOW + HOUR }
    expect(applicationCan('approve', held, 7, NOW)).not.toBe(true)
  })
})
