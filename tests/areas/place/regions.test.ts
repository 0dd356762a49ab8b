import { describe, expect, it } from 'vitest'
import { divisions } from '#src/areas/place/divisions.ts'
import { hasDistrict, regionOf, regionsFor } from '#src/areas/place/regions.server.ts'
import { cityOfAddress } from '#src/areas/shipping/freight.ts'

const words = (of: Partial<Parameters<typeof regionsFor>[0]>) =>
  regionsFor({ level: 'district', ...of }).map(one => one.words)

describe('divisions', () => {
  it('go from a province to a city to a district, a municipality straight to its districts', () => {
    expect(regionsFor({ level: 'district' })).toHaveLength(34)
    expect(words({ parent: '330000' })).toContain('浙江省杭州市')
    expect(regionsFor({ level: 'district', parent: '330100' })).toContainEqual({
      code: '330106',
      name: '西湖区',
      words: '浙江省杭州市西湖区',
      leaf: true,
    })
    expect(words({ parent: '310000' })).toContain('上海市黄浦区')
    expect(words({ parent: '500000' })).toEqual(
      expect.arrayContaining(['重庆市渝中区', '重庆市忠县']),
    )
  })
  it('that a province administers itself stand among its cities, and end the way', () => {
    expect(
      regionsFor({ level: 'district', parent: '420000' }).find(one => one.name === '仙桃市'),
    ).toMatchObject({ words: '湖北省仙桃市', leaf: true })
  })
  it('down to a city end there; a municipality is one', () => {
    const first = regionsFor({ level: 'city' })
    expect(first.find(one => one.name === '上海市')?.leaf).toBe(true)
    expect(first.find(one => one.name === '浙江省')?.leaf).toBe(false)
    expect(
      regionsFor({ level: 'city', parent: '330000' }).find(one => one.name === '杭州市')?.leaf,
    ).toBe(true)
    expect(regionsFor({ level: 'city', keyword: '西湖区' })).toEqual([])
  })
  it.each(['西湖区', '杭州西湖', '浙江省杭州市西湖', 'xihu', 'xhq'])('are found by %s', keyword => {
    expect(words({ keyword })).toContain('浙江省杭州市西湖区')
  })
  it('of a city are its own alone', () => {
    expect(words({ within: '310000', keyword: '西湖' })).toEqual([])
    expect(regionsFor({ level: 'district', within: '330100' }).every(one => one.leaf)).toBe(true)
    expect([hasDistrict('330100', '西湖区'), hasDistrict('330100', '黄浦区')]).toEqual([
      true,
      false,
    ])
  })
  it('are read as they are written, a municipality’s name once or twice', () => {
    expect([
      regionOf('浙江省 杭州市 西湖区'),
      regionOf('北京市北京市朝阳区'),
      regionOf('上海市'),
      regionOf('浙江省杭州市不存在区'),
      regionOf(''),
    ]).toEqual(['330106', '110105', '310000', undefined, undefined])
  })
  it('are each of a city that freight knows', () => {
    const cities = regionsFor({ level: 'district' }).flatMap(province =>
      regionsFor({ level: 'district', parent: province.code }),
    )
    const lost = cities.filter(one => !divisions.has(cityOfAddress(one.words) ?? ''))
    // Those of Taiwan are not delivered to.
    expect(lost.filter(one => !one.code.startsWith('71'))).toEqual([])
  })
})
