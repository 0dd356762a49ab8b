import { describe, expect, it } from 'vitest'
import { brandFindings, type BrandFacts } from '#src/areas/brand/brandBody.ts'

const now = 1_760_000_000
const DAY = 86_400
const body = {
  name: '炉边',
  en_name: '',
  logo: '',
  category_id: 1,
  company: '炉边餐饮有限公司',
  trademark_no: '12345678',
  trademark_classes: [43],
  trademark_end_at: now + 400 * DAY,
  trademark_image: 'x.webp',
  chain: [],
  auth_end_at: null,
}
const facts = (more: Partial<typeof body> | object = {}, rest: Partial<BrandFacts> = {}) => ({
  body: { ...body, ...more },
  merchant: { name: '炉边餐饮有限公司', is_active: true },
  is_standing: true,
  category: '火锅',
  needed: [43, 30],
  twins: { same_name: [], alike: [], trademark_taken: [] },
  ...rest,
})
const rulesOf = (of: BrandFacts) => brandFindings(of, now).map(one => one.rule)
const link = (name: string, image = 'x.webp') => ({ name, image })

describe('the rules of a brand', () => {
  it('object to nothing that holds', () => {
    expect(rulesOf(facts())).toEqual([])
    const chain = [link('华东总代理'), link('炉边餐饮有限公司')]
    expect(rulesOf(facts({ company: '别家', chain, auth_end_at: now + 300 * DAY }))).toEqual([])
  })
  it('know registrations by their form', () => {
    for (const trademark_no of ['12345', '123456789', '1234567A', 'G123456', 'G12345678A'])
      expect(rulesOf(facts({ trademark_no }))).toEqual([])
    for (const trademark_no of ['1234', '1234567890', 'A1234567', 'G12345', '12-34567', ''])
      expect(rulesOf(facts({ trademark_no }))).toEqual(['trademark_no'])
  })
  it('end a trademark the second it is over, and warn thirty days before', () => {
    expect(rulesOf(facts({ trademark_end_at: now }))).toEqual(['trademark_over'])
    expect(rulesOf(facts({ trademark_end_at: now + 1 }))).toEqual(['trademark_soon'])
    expect(rulesOf(facts({ trademark_end_at: now + 30 * DAY + 1 }))).toEqual([])
  })
  it('let no authorisation outlast the trademark, which it may end with', () => {
    const end = body.trademark_end_at
    expect(rulesOf(facts({ auth_end_at: end }))).toEqual([])
    expect(rulesOf(facts({ auth_end_at: end + 1 }))).toEqual(['auth_late'])
    expect(rulesOf(facts({ auth_end_at: now }))).toEqual(['auth_over'])
  })
  it('want one class that covers the category', () => {
    expect(rulesOf(facts({ trademark_classes: [25, 30] }))).toEqual([])
    expect(rulesOf(facts({ trademark_classes: [25] }))).toEqual(['class_gap'])
    expect(rulesOf(facts({}, { needed: [] }))).toEqual(['class_unknown'])
  })
  it('put what forbids before what warns', () => {
    const twin = [{ id: 1, name: '炉边', percent: 100 }]
    const of = facts(
      { trademark_end_at: now + DAY, company: '别家', chain: [link('中间商', '')] },
      { twins: { same_name: twin, alike: [], trademark_taken: twin } },
    )
    expect(brandFindings(of, now).map(one => one.level)).toEqual([
      'block',
      'block',
      'flag',
      'flag',
      'warn',
    ])
  })
})
