import { describe, expect, it } from 'vitest'
import { forbidsApplication, applicationRuleText } from '#src/areas/application/findings.ts'
import { storeFindings } from '#src/areas/application/storeFindings.ts'
import { allStoreFields, changedStore, type AuditedStore } from '#src/areas/merchant/storeForm.ts'

const facts: Parameters<typeof storeFindings>[0] = {
  kind: 'store',
  merchant: { name: '望湘园', status: 'active' },
  status: 'auditing',
  changed: allStoreFields,
  category: { name: '湘菜', is_leaf: true },
  missing: [],
  unfit: [],
  mall_fits: true,
  neighbour: undefined,
  same: undefined,
  near: [],
  metres: 120,
  has_pin: true,
}
const rules = (more: Partial<typeof facts> = {}) =>
  storeFindings({ ...facts, ...more }).map(one => one.rule)
const change = { kind: 'store_change', status: 'open', changed: ['name'] } as const

describe('what the rules say of a store', () => {
  it('is nothing where all is well', () => {
    expect(rules()).toEqual([])
    expect(rules(change)).toEqual([])
    expect(rules({ ...change, status: 'resting' })).toEqual([])
  })
  it('forbids what may not be approved, before what is only told', () => {
    const all = rules({
      merchant: { name: '望湘园', status: 'frozen' },
      status: 'draft',
      category: { name: '美食', is_leaf: false },
      missing: ['食品经营许可证'],
      mall_fits: false,
      neighbour: '隔壁小馆',
      same: 7,
      near: ['望湘园（万达店）'],
      metres: 501,
    })
    expect(all.slice(-2)).toEqual(['near_store', 'pin_far'])
    expect(all.slice(0, -2).every(forbidsApplication)).toBe(true)
    expect(all.slice(-2).some(forbidsApplication)).toBe(false)
    expect(all).toHaveLength(9)
    for (const rule of all) expect(applicationRuleText(rule)[0]).not.toBe(rule)
  })
  it('judges a category only where it is asked for', () => {
    const unfit = { category: undefined, missing: ['许可证'], unfit: ['双人餐'] }
    expect(rules({ ...change, ...unfit })).toEqual([])
    expect(rules({ ...change, changed: ['category_id'], ...unfit })).toEqual([
      'category_unfit',
      'licences_short',
      'products_unfit',
    ])
  })
  it('is due for a change while the store trades, for a new one while it is in audit', () => {
    expect(rules({ status: 'open' })).toEqual(['store_state'])
    expect(rules({ ...change, status: 'closed' })).toEqual(['store_state'])
  })
  it('tells of a pin from 501 metres on, and of one that is missing', () => {
    expect(rules({ metres: 500 })).toEqual([])
    expect(rules({ metres: 501 })).toEqual(['pin_far'])
    expect(rules({ metres: null, has_pin: false })).toEqual(['pin_missing'])
  })
})

describe('a change of a store', () => {
  it('is what is not as it was, the pin as one', () => {
    const was: AuditedStore = {
      name: '望湘园',
      category_id: 3,
      brand_id: null,
      mall_id: 0,
      floor_id: null,
      door_no: '',
      address: '人民路 1 号',
      pin: { lng_e6: 1, lat_e6: 2 },
    }
    expect(changedStore(was, { ...was, pin: { lng_e6: 1, lat_e6: 2 } })).toEqual([])
    expect(changedStore(was, { ...was, pin: { lng_e6: 1, lat_e6: 3 }, mall_id: 4 })).toEqual([
      'mall_id',
      'pin',
    ])
  })
})
