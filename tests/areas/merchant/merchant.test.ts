import { describe, expect, it } from 'vitest'
import {
  contractFault,
  holderFault,
  isEnding,
  maySell,
  missingProofs,
  rateAt,
  rateFromTomorrow,
} from '#src/areas/merchant/merchant.ts'
import { DAY, dayStart } from '#src/domain/time.ts'

const now = 1_790_000_000

describe('a take rate that is agreed', () => {
  const old = { commission_bp: 1000, next_commission_bp: null, commission_from_at: null }
  it('holds from tomorrow on, and the one before until then', () => {
    const agreed = rateFromTomorrow(old, 1200, now)
    const midnight = dayStart(now) + DAY
    expect([rateAt(agreed, now), rateAt(agreed, midnight - 1), rateAt(agreed, midnight)]).toEqual([
      1000, 1000, 1200,
    ])
  })
  it('again on the same day replaces the one that does not hold yet', () => {
    const twice = rateFromTomorrow(rateFromTomorrow(old, 1200, now), 900, now + 60)
    expect([rateAt(twice, now + 60), rateAt(twice, now + DAY)]).toEqual([1000, 900])
    expect(rateFromTomorrow(twice, 1000, now + 90)).toEqual(old)
  })
  it('later keeps what holds by then', () => {
    const agreed = rateFromTomorrow(old, 1200, now)
    expect(rateFromTomorrow(agreed, 800, now + 2 * DAY).commission_bp).toBe(1200)
  })
})

describe('a contract', () => {
  const of = { start_at: now - DAY, current_end_at: now + DAY, license_expire_at: now + 100 * DAY }
  it.each([
    ['in the past', now - 1, of],
    ['not after its present end', now + DAY, of],
    ['before its start', now + 2 * DAY, { ...of, start_at: now + 3 * DAY }],
    ['beyond the licence', now + 101 * DAY, of],
  ])('that ends %s is refused', (_, end, facts) =>
    expect(contractFault(end, facts, now)).toBeDefined(),
  )
  it('that ends later than before, within the licence, is right', () => {
    expect(contractFault(now + 100 * DAY, of, now)).toBeUndefined()
    expect(contractFault(now + 900 * DAY, { ...of, license_expire_at: null }, now)).toBeUndefined()
  })
  it('that is over, or of a merchant that is frozen, sells nothing', () => {
    expect(maySell({ status: 'active', contract_end_at: now }, now)).toBe(false)
    expect(maySell({ status: 'frozen', contract_end_at: null }, now)).toBe(false)
    expect(maySell({ status: 'active', contract_end_at: now + 1 }, now)).toBe(true)
    expect([isEnding(now, now), isEnding(now + DAY, now), isEnding(null, now)]).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('an application', () => {
  const whole = {
    license_image: 'a.jpg',
    has_legal_id: true,
    contact_name: '李小红',
    contact_phone: '13900001111',
    category_ids: [7],
    licenses: [{ name: '食品经营许可证', no: 'JY1', expire_at: now + DAY }],
    bank_kind: 'company' as const,
    has_bank_no: true,
    bank_name: '招商银行',
    contract_no: 'HT1',
    contract_start_at: now,
    contract_end_at: now + DAY,
  }
  it('that is whole lacks nothing; an empty one lacks all, in the order of the form', () => {
    expect(missingProofs(whole, ['食品经营许可证'], now)).toEqual([])
    expect(
      missingProofs(
        {
          ...whole,
          license_image: '',
          has_legal_id: false,
          contact_phone: '',
          category_ids: [],
          licenses: [],
          bank_kind: null,
          contract_no: null,
        },
        ['食品经营许可证'],
        now,
      ),
    ).toEqual([
      'license_image',
      'legal_id_no',
      'contact',
      'categories',
      'licenses',
      'bank',
      'contract',
    ])
  })
  it('lacks a licence that its categories ask for and that is over, or is another one', () => {
    expect(missingProofs(whole, ['食品经营许可证', '卫生许可证'], now)).toEqual(['licenses'])
    expect(missingProofs(whole, ['食品经营许可证'], now + DAY)).toEqual(['licenses'])
  })
  it('has a personal account of the legal person, or a company account of its own name', () => {
    const of = { name: '甲公司', legal_name: '王大明' }
    expect(holderFault({ ...of, bank_kind: 'personal', bank_holder: '王大明' })).toBeUndefined()
    expect(holderFault({ ...of, bank_kind: 'company', bank_holder: '甲公司' })).toBeUndefined()
    expect(holderFault({ ...of, bank_kind: 'personal', bank_holder: '赵四' })).toBeDefined()
    expect(holderFault({ ...of, bank_kind: 'company', bank_holder: '王大明' })).toBeDefined()
    expect(holderFault({ ...of, bank_kind: null, bank_holder: '' })).toBeUndefined()
  })
})
