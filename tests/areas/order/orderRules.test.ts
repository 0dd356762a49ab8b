import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configId, configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { ruleFault, rulesFaults } from '#src/areas/order/orderRuleFaults.ts'
import { ruleFields, type RuleField } from '#src/areas/order/orderRuleFields.ts'
import {
  copiedRules,
  rulesAtFirst,
  rulesFor,
  sectionsOf,
  shopScopes,
  storeScopes,
  type OrderRules,
  type RuleName,
} from '#src/areas/order/orderRules.ts'
import { ruleWords, rulesDiff, sameRule } from '#src/areas/order/orderRuleWords.ts'
import { divisions, provinces } from '#src/areas/place/divisions.ts'
import {
  areasOf,
  areaWords,
  cityOfAddress,
  freightFaults,
  freightGap,
  type FreightTemplate,
} from '#src/areas/shipping/freight.ts'

const scopes = Object.keys(configScopes) as ConfigScope[]
const names = Object.keys(ruleFields) as RuleName[]
const rules = (more: Partial<OrderRules> = {}): OrderRules => ({ ...rulesAtFirst, ...more })

describe('the table of rules', () => {
  it('has every rule, in a section of each kind that has it, once', () => {
    expect([...names].sort()).toEqual(Object.keys(rulesAtFirst).sort())
    for (const scope of scopes)
      expect(
        sectionsOf(scope)
          .flatMap(one => one.fields)
          .sort(),
      ).toEqual([...rulesFor(scope)].sort())
    expect([...storeScopes, ...shopScopes].sort()).toEqual([...scopes].sort())
    expect(new Set(scopes.map(configId)).size).toBe(scopes.length)
  })
  it('finds nothing wrong with what an installation begins with', () => {
    for (const scope of scopes) expect(rulesFaults(scope, rulesAtFirst)).toEqual({})
  })
  it.each(names.filter(name => 'min' in ruleFields[name] && ruleFields[name].kind !== 'days'))(
    '%s holds at its bounds and not beyond',
    name => {
      const field = ruleFields[name] as RuleField & { min: number; max: number }
      const step = field.kind === 'percent' ? 100 : 1
      expect([field.min, field.max].map(value => ruleFault(name, value))).toEqual([
        undefined,
        undefined,
      ])
      for (const value of [
        field.min - step,
        field.max + step,
        field.min + 0.5,
        Number.NaN,
        undefined,
      ])
        expect(ruleFault(name, value)?.[0], String(value)).toMatch(/须为/)
    },
  )
  it('keeps to what was asked for: 5–1440 minutes, 1–72 hours, 0–30 and 0–7 days, 3–30 days', () => {
    const bounds = (name: RuleName) => {
      const { min, max } = ruleFields[name] as RuleField & { min: number; max: number }
      return [min, max]
    }
    expect([
      bounds('pay_timeout_min'),
      bounds('group_hours'),
      bounds('hold_days'),
      bounds('expired_refund_days'),
      bounds('auto_receive_d'),
    ]).toEqual([
      [5, 1440],
      [1, 72],
      [0, 30],
      [0, 7],
      [3, 30],
    ])
  })
  it('lets nobody take a redemption back after its money is free, nor a merchant longer than the platform', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 720 }),
        fc.integer({ min: 0, max: 720 }),
        fc.integer({ min: 0, max: 30 }),
        (merchant_reverse_h, platform_reverse_h, hold_days) => {
          const sound =
            Object.keys(
              rulesFaults('bulks', rules({ merchant_reverse_h, platform_reverse_h, hold_days })),
            ).length === 0
          expect(sound).toBe(
            merchant_reverse_h <= platform_reverse_h && platform_reverse_h <= hold_days * 24,
          )
        },
      ),
    )
  })
  it('lets nobody raise what is agreed to by itself above their own limit, and leaves what stands', () => {
    const of = (auto_approve_limit_cents: number, was: number) =>
      'auto_approve_limit_cents' in
      rulesFaults('bulks', rules({ auto_approve_limit_cents }), {
        refund_limit_cents: 100,
        was: rules({ auto_approve_limit_cents: was }),
      })
    expect([of(100, 0), of(101, 0), of(101, 101), of(101, 500)]).toEqual([false, true, false, true])
  })
  it('tells a change in words, and which of them concern refunds', () => {
    expect(
      rulesDiff(
        'bulks',
        rules(),
        rules({ expired_refund_days: null, pay_timeout_min: 30, group_hours: 2 }),
      ).map(({ field, before, after, refund }) => [field, before[0], after[0], refund]),
    ).toEqual([
      ['pay_timeout_min', '15 分钟', '30 分钟', false],
      ['expired_refund_days', '1 天', '不自动退', true],
    ])
    for (const name of names)
      for (const text of ruleWords(name, rulesAtFirst[name]))
        expect(text).not.toMatch(/undefined|NaN|\[object/)
  })
  it('copies what two kinds have in common, and nothing else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...scopes), fc.constantFrom(...scopes), (to, from) => {
        const source = rules({
          pay_timeout_min: 99,
          group_hours: 9,
          auto_receive_d: 29,
          hold_days: 29,
        })
        const copied = copiedRules(to, from, rulesAtFirst, source)
        for (const name of names)
          expect(copied[name]).toEqual(
            rulesFor(to).includes(name) && rulesFor(from).includes(name)
              ? source[name]
              : rulesAtFirst[name],
          )
      }),
    )
  })
})

describe('a sender', () => {
  const one = {
    name: '仓',
    phone: '13800001111',
    area: '330100',
    address: '1 号',
    courier: '',
    customer_no: '',
    is_default: true,
  }
  it('is whole, and one of several is the default', () => {
    expect(ruleFault('senders', [one])).toBeUndefined()
    expect(ruleFault('senders', [one, one])?.[0]).toContain('默认')
    expect(ruleFault('senders', [{ ...one, phone: '1' }])?.[0]).toMatch(/^第 1 个：/)
    expect(ruleFault('senders', [{ ...one, area: '330106' }])?.[0]).toContain('城市')
    expect(
      ruleFault(
        'senders',
        Array.from({ length: 11 }, (_, n) => ({ ...one, is_default: n === 0 })),
      )?.[0],
    ).toContain('最多')
  })
})

describe('a value of a rule', () => {
  it('is the same in whatever order its keys are kept', () => {
    expect([
      sameRule([{ a: 1, b: [2] }], [{ b: [2], a: 1 }]),
      sameRule([{ a: 1, b: [2] }], [{ b: [3], a: 1 }]),
      sameRule([1, 2], [2, 1]),
    ]).toEqual([true, false, false])
  })
})

describe('places in words', () => {
  it.each([
    ['上海市静安区', '310000'],
    ['浙江省杭州市西湖区', '330100'],
    ['浙江杭州', '330100'],
    ['吉林市昌邑区', '220200'],
    ['吉林省长春市', '220100'],
    ['吉林长春', '220100'],
    ['广西南宁市', '450100'],
    ['新疆维吾尔自治区 喀什地区', '653100'],
    ['330106', '330100'],
    ['海南州', '632500'],
    ['海南省海口市', '460100'],
    ['重庆市渝北区', '500000'],
    ['苏州工业园区', '320500'],
  ])('%s begins with its city', (area, code) => {
    expect([area, cityOfAddress(area)]).toEqual([area, code])
  })
  it('that are none are not guessed', () => {
    expect(['月球', '', '999999', '文汇路 1 号'].map(cityOfAddress)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
  it('of every city are found again, with and without its province', () => {
    for (const { name, children } of provinces)
      for (const city of children)
        expect([name, city.city_name, cityOfAddress(`${name}${city.city_name}某某路`)]).toEqual([
          name,
          city.city_name,
          city.adcode,
        ])
  })
  it('are read back as they are written', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...provinces.map(one => one.adcode), ...divisions.keys()), {
          minLength: 1,
          maxLength: 40,
        }),
        codes => {
          const words = areaWords(codes)
          const { areas, unknown } = areasOf(words)
          expect([unknown, areaWords(areas)]).toEqual([[], words])
        },
      ),
    )
    expect(areasOf('江苏，浙江省 火星')).toEqual({ areas: ['320000', '330000'], unknown: ['火星'] })
  })
  it('that a template forgets are what makes it whole', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...provinces.map(one => one.adcode)), {
          minLength: 1,
          maxLength: 34,
        }),
        codes => {
          const fee = { first: 1, first_cents: 1, next: 1, next_cents: 1 }
          const template: FreightTemplate = {
            mode: 'piece',
            regions: [{ areas: codes, ...fee }],
            free_rules: [],
            no_delivery: [],
          }
          const gap = freightGap(template)
          expect(
            freightFaults({
              ...template,
              regions: [...template.regions, ...(gap.length > 0 ? [{ areas: gap, ...fee }] : [])],
            }),
          ).toEqual([])
          expect(gap.length === 0).toBe(freightFaults(template).length === 0)
        },
      ),
    )
  })
})
