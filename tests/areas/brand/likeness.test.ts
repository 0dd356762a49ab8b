import { describe, expect, it } from 'vitest'
import { alikePercent, finderOf, plainBrand, storeStem } from '#src/areas/brand/likeness.ts'

describe('a name', () => {
  it('is compared without case, width, marks and what shops add', () => {
    for (const name of ['Ｌｕｃｋｉｎ', 'luckin', 'LUCKIN 官方旗舰店', 'Luck·in', 'luckin品牌'])
      expect(plainBrand(name)).toBe('luckin')
  })
  it('of a store is that of its brand before the mall and the number', () => {
    for (const name of [
      '炉边（云汇天地店）',
      '炉边(云汇天地2号店)',
      '炉边 3号店',
      '炉边【新店】',
      '炉边',
    ])
      expect(storeStem(name)).toBe('炉边')
  })
  it('is alike by the share of letters that stay', () => {
    expect(alikePercent('炉边', '炉边')).toBe(100)
    expect(alikePercent('炉边', '炉端')).toBe(50)
    expect(alikePercent('abcdefgh', 'abcdefgx')).toBe(87)
    expect(alikePercent('', '')).toBe(0)
  })
})

describe('a brand', () => {
  const brands = [
    { id: 1, name: '炉边', en_name: 'Hearthside' },
    { id: 2, name: '炉边小馆', en_name: '' },
    { id: 3, name: '山间', en_name: 'Hearthsides' },
  ]
  it('is found by either name, the most alike first', () => {
    const find = finderOf(brands)
    expect(find('炉边', 85).map(one => one.id)).toEqual([1])
    expect(find('hearthside', 85).map(one => [one.id, one.percent])).toEqual([
      [1, 100],
      [3, 90],
    ])
    expect(find('炉边', 49).map(one => one.id)).toEqual([1, 2])
    expect(find('', 0)).toEqual([])
  })
})
