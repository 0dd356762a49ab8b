import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divisions, provinces } from '#src/areas/place/divisions.ts'
import {
  areaNames,
  cityOfArea,
  freightFaults,
  freightOf,
  type FreightLine,
  type FreightMode,
  type FreightTemplate,
} from '#src/areas/shipping/freight.ts'

const all = provinces.map(province => province.adcode)
const [ZHEJIANG, JIANGSU, SHANGHAI, XIZANG, HANGZHOU, NINGBO] = [
  '330000',
  '320000',
  '310000',
  '540000',
  '330100',
  '330200',
]
const rest = (...without: string[]) => all.filter(code => !without.includes(code))
const fees = { first: 1, first_cents: 800, next: 1, next_cents: 200 }
const template = (more: Partial<FreightTemplate> = {}): FreightTemplate => ({
  mode: 'piece',
  regions: [{ areas: all, ...fees }],
  free_rules: [],
  no_delivery: [],
  ...more,
})
const faults = (of: FreightTemplate) => freightFaults(of).map(({ at, text }) => `${at} ${text[0]}`)
const pieces = (qty: number, price_cents = 100): FreightLine[] => [{ qty, price_cents }]
const centsOf = (of: FreightTemplate, area: string, lines: FreightLine[]) => {
  const said = freightOf(of, area, lines)
  return said.ok ? said.cents : said.why
}

describe('a template', () => {
  it('that covers every place once has no fault', () => {
    expect(faults(template())).toEqual([])
    expect(
      faults(
        template({
          regions: [
            { areas: [ZHEJIANG, JIANGSU, SHANGHAI], ...fees },
            { areas: rest(ZHEJIANG, JIANGSU, SHANGHAI, XIZANG), ...fees },
          ],
          no_delivery: [XIZANG],
        }),
      ),
    ).toEqual([])
  })
  it('names what two groups both have: a whole province by its name, else the cities', () => {
    expect(
      faults(
        template({
          regions: [
            { areas: all, ...fees },
            { areas: [ZHEJIANG], ...fees },
          ],
        }),
      ),
    ).toEqual(['regions.1.areas 与第 1 组重复：浙江省'])
    expect(
      faults(
        template({
          regions: [
            { areas: all, ...fees },
            { areas: [NINGBO, HANGZHOU], ...fees },
          ],
        }),
      ),
    ).toEqual(['regions.1.areas 与第 1 组重复：杭州、宁波'])
    expect(
      faults(
        template({
          regions: [
            { areas: all, ...fees },
            { areas: [SHANGHAI], ...fees },
            { areas: [SHANGHAI], ...fees },
          ],
        }),
      ),
    ).toHaveLength(3)
  })
  it('names the gaps', () => {
    expect(faults(template({ regions: [{ areas: rest(XIZANG, SHANGHAI), ...fees }] }))).toEqual([
      'regions 这些地区没有运费：上海市、西藏自治区。请加入某一组，或设为不配送',
    ])
    expect(
      faults(
        template({
          regions: [
            {
              areas: [
                ...rest(ZHEJIANG),
                ...provinces
                  .find(one => one.adcode === ZHEJIANG)!
                  .children.map(city => city.adcode)
                  .filter(code => code !== NINGBO),
              ],
              ...fees,
            },
          ],
        }),
      )[0],
    ).toContain('宁波。')
    expect(faults(template({ regions: [] }))[0]).toContain('全国')
  })
  it('can’t be free where nothing is delivered', () => {
    expect(
      faults(template({ no_delivery: [XIZANG], free_rules: [{ areas: all, over_cents: 9900 }] })),
    ).toEqual(['free_rules.0.areas 包邮与不配送冲突：西藏自治区'])
    expect(
      faults(template({ no_delivery: [HANGZHOU], free_rules: [{ areas: [ZHEJIANG] }] }))[0],
    ).toContain('杭州')
  })
  it.each<[string, Partial<FreightTemplate>, string]>([
    [
      'a first unit of nothing',
      { regions: [{ areas: all, ...fees, first: 0 }] },
      'regions.0.first ',
    ],
    ['a next unit of nothing', { regions: [{ areas: all, ...fees, next: 0 }] }, 'regions.0.next '],
    ['half a unit', { regions: [{ areas: all, ...fees, next: 0.5 }] }, 'regions.0.next '],
    [
      'a fee below nothing',
      { regions: [{ areas: all, ...fees, first_cents: -1 }] },
      'regions.0.first_cents ',
    ],
    [
      'a fee that is no number',
      { regions: [{ areas: all, ...fees, next_cents: Number.NaN }] },
      'regions.0.next_cents ',
    ],
    [
      'a fee of more than anybody pays',
      { regions: [{ areas: all, ...fees, next_cents: 1_000_001 }] },
      'regions.0.next_cents ',
    ],
    [
      'a place that is none',
      { regions: [{ areas: [...all, '999999'], ...fees }] },
      'regions.0.areas 没有这些地区：999999',
    ],
    [
      'no place',
      {
        regions: [
          { areas: all, ...fees },
          { areas: [], ...fees },
        ],
      },
      'regions.1.areas 请选择地区',
    ],
    ['a place that is none, not delivered to', { no_delivery: ['1'] }, 'no_delivery 没有'],
    [
      'free from nothing',
      { free_rules: [{ areas: all, over_cents: 0 }] },
      'free_rules.0.over_cents ',
    ],
    [
      'free from no piece',
      { free_rules: [{ areas: all, over_units: 0 }] },
      'free_rules.0.over_units ',
    ],
    ['free nowhere', { free_rules: [{ areas: [] }] }, 'free_rules.0.areas 请选择地区'],
  ])('is refused with %s, at its field', (_, more, words) => {
    expect(faults(template(more))).toEqual([expect.stringContaining(words)])
    expect(freightFaults(template(more))[0]!.text[1]).toMatch(/[A-Za-z]/)
  })
  it('that has no fault has a fee for every city that is delivered to, and for no other', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 1, 2), { minLength: all.length, maxLength: all.length }),
        fc.constantFrom(...divisions.keys()),
        (groups, city) => {
          const of = (group: number) => all.filter((_, at) => groups[at] === group)
          const made = template({
            regions: [0, 1]
              .map(of)
              .filter(areas => areas.length > 0)
              .map(areas => ({ areas, ...fees })),
            no_delivery: of(2),
          })
          expect(freightFaults(made)).toEqual([])
          expect(freightOf(made, city, pieces(1))).toMatchObject(
            groups[all.indexOf(`${city.slice(0, 2)}0000`)] === 2
              ? { ok: false, why: 'no_delivery' }
              : { ok: true, cents: 800 },
          )
        },
      ),
      { numRuns: 60 },
    ))
})

describe('the freight', () => {
  it('is the first units’ fee and one for every next unit begun', () => {
    const of = template({
      mode: 'weight',
      regions: [{ areas: all, first: 1000, first_cents: 1000, next: 500, next_cents: 300 }],
    })
    expect(
      [1, 1000, 1001, 1500, 1501, 3000].map(weight_g =>
        centsOf(of, HANGZHOU, [{ qty: 1, price_cents: 1, weight_g }]),
      ),
    ).toEqual([1000, 1000, 1300, 1300, 1600, 2200])
    expect(freightOf(of, HANGZHOU, [{ qty: 2, price_cents: 1, weight_g: 800 }])).toEqual({
      ok: true,
      cents: 1600,
      units: 1600,
      how: [
        '首 1000 克 10.00 元，续 2 × 500 克，每续 3.00 元',
        'First 1000 g ¥10.00, then 2 × 500 g at ¥3.00',
      ],
    })
  })
  it('is the region’s own, by city before its district', () => {
    const of = template({
      regions: [
        { areas: [ZHEJIANG, SHANGHAI], ...fees },
        { areas: rest(ZHEJIANG, SHANGHAI, XIZANG), ...fees, first_cents: 1500 },
      ],
      no_delivery: [XIZANG],
    })
    expect(
      [HANGZHOU, '330106', SHANGHAI, '310101', '110105', '540102'].map(area =>
        centsOf(of, area, pieces(1)),
      ),
    ).toEqual([800, 800, 800, 800, 1500, 'no_delivery'])
    expect(
      ['', '000000', '33', '990000', 'abc', '\0'].map(area => centsOf(of, area, pieces(1))),
    ).toEqual(Array(6).fill('no_place'))
  })
  it('is nothing from the amount or the number on that is free, where both are named from both', () => {
    const of = (rule: { over_cents?: number; over_units?: number }) =>
      template({ free_rules: [{ areas: [ZHEJIANG], ...rule }] })
    expect(
      [9899, 9900].map(price => centsOf(of({ over_cents: 9900 }), HANGZHOU, pieces(1, price))),
    ).toEqual([800, 0])
    expect([2, 3].map(qty => centsOf(of({ over_units: 3 }), HANGZHOU, pieces(qty)))).toEqual([
      1000, 0,
    ])
    expect(
      [pieces(3, 100), pieces(2, 9900), pieces(3, 3300)].map(lines =>
        centsOf(of({ over_cents: 9900, over_units: 3 }), HANGZHOU, lines),
      ),
    ).toEqual([1200, 1000, 0])
    expect(centsOf(of({}), HANGZHOU, pieces(1))).toBe(0)
    expect(centsOf(of({}), SHANGHAI, pieces(1))).toBe(800)
    expect(
      freightOf(of({ over_cents: 9900, over_units: 3 }), HANGZHOU, pieces(3, 3300)),
    ).toMatchObject({
      how: ['杭州满 99.00 元且满 3 件包邮', 'Free to 杭州 from ¥99.00 and 3 pieces'],
    })
  })
  it('is not guessed where a weight is missing, and is nothing for nothing', () => {
    expect(centsOf(template({ mode: 'weight' }), HANGZHOU, pieces(1))).toBe('no_measure')
    expect(
      centsOf(template({ mode: 'volume' }), HANGZHOU, [
        { qty: 1, price_cents: 1, volume_cm3: 1 },
        { qty: 1, price_cents: 1 },
      ]),
    ).toBe('no_measure')
    expect(centsOf(template(), HANGZHOU, [])).toBe(0)
    expect(
      centsOf(template({ mode: 'weight' }), HANGZHOU, [{ qty: 1, price_cents: 1, weight_g: 0 }]),
    ).toBe(800)
    expect(centsOf(template({ regions: [] }), HANGZHOU, pieces(1))).toBe('no_fee')
  })

  const fee = fc.record({
    first: fc.integer({ min: 1, max: 40 }),
    first_cents: fc.nat(5000),
    next: fc.integer({ min: 1, max: 15 }),
    next_cents: fc.nat(900),
  })
  const mode = fc.constantFrom<FreightMode>('piece', 'weight', 'volume')
  const line = fc.record({
    qty: fc.integer({ min: 1, max: 20 }),
    price_cents: fc.nat(90_000),
    weight_g: fc.nat(30),
    volume_cm3: fc.nat(30),
  })
  const place = fc.constantFrom(...divisions.keys())
  it('is never below nothing, never less for more, and the same in whatever order the lines stand', () =>
    fc.assert(
      fc.property(
        fc.record({
          fees: fee,
          mode,
          city: place,
          lines: fc.array(line, { minLength: 1, maxLength: 5 }),
          one: line,
        }),
        ({ fees, mode, city, lines, one }) => {
          const of = template({ mode, regions: [{ areas: all, ...fees }] })
          const [before, after] = [
            centsOf(of, city, lines) as number,
            centsOf(of, city, [...lines, one]) as number,
          ]
          expect(before).toBeGreaterThanOrEqual(0)
          expect(after).toBeGreaterThanOrEqual(before)
          expect(centsOf(of, city, [...lines].reverse())).toBe(before)
        },
      ),
    ))
  it('is the same as when unit after unit is laid on the scales', () =>
    fc.assert(
      fc.property(fee, fc.integer({ min: 1, max: 200 }), (fees, units) => {
        let cents = fees.first_cents
        let room = fees.first
        for (let unit = 0; unit < units; unit++) {
          if (room === 0) {
            cents += fees.next_cents
            room = fees.next
          }
          room--
        }
        expect(
          centsOf(template({ regions: [{ areas: all, ...fees }] }), HANGZHOU, pieces(units)),
        ).toBe(cents)
      }),
    ))
  it('with a free rule is what it is without, or nothing', () =>
    fc.assert(
      fc.property(
        fee,
        fc.integer({ min: 1, max: 50_000 }),
        line,
        place,
        (fees, over_cents, one, city) => {
          const regions = [{ areas: all, ...fees }]
          const goods = one.qty * one.price_cents
          expect(
            centsOf(template({ regions, free_rules: [{ areas: all, over_cents }] }), city, [one]),
          ).toBe(goods >= over_cents ? 0 : centsOf(template({ regions }), city, [one]))
        },
      ),
    ))
})

it('every city is found by its own code and by those of its districts', () => {
  for (const code of divisions.keys()) {
    expect(cityOfArea(code)).toBe(code)
    if (code.endsWith('00') && !code.endsWith('0000'))
      expect(cityOfArea(`${code.slice(0, 4)}02`)).toBe(code)
  }
  expect(areaNames(new Set(divisions.keys()))).toBe('全国')
  expect(areaNames(new Set([HANGZHOU, SHANGHAI]))).toBe('上海市、杭州')
})
