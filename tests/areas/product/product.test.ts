import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterRefusal, changedFields, timeFault, type Window } from '#src/areas/product/product.ts'
import { gramsOf, keyGrams, searchable } from '#src/domain/search.ts'

const NOW = 1_790_000_000
const DAY = 86_400

describe('changed fields', () => {
  it('names what differs, ignoring the order of stores and SKUs but not of pictures', () => {
    expect(changedFields(null, { title: 'a' })).toEqual([])
    expect(
      changedFields(
        { title: 'a', store_ids: [2, 10, 1], images: ['a', 'b'] },
        { title: 'b', store_ids: [1, 2, 10], images: ['b', 'a'] },
      ),
    ).toEqual(['title', 'images'])
    expect(
      changedFields(
        {
          skus: [
            { code: 'a', name: 'A', price_cents: 1, stock: 1 },
            { code: 'b', name: 'B', price_cents: 1, stock: 1 },
          ],
        },
        {
          skus: [
            { code: 'b', stock: 1, name: 'B', price_cents: 1 },
            { code: 'a', name: 'A', price_cents: 1, stock: 1 },
          ],
        },
      ),
    ).toEqual([])
    expect(changedFields({ brand_id: 3 }, {})).toEqual(['brand_id'])
    expect(changedFields({ brand_id: undefined }, {})).toEqual([])
  })
  it('finds nothing between a thing and itself, and the same names both ways', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (a, b) => {
          expect(changedFields(a, structuredClone(a))).toEqual([])
          expect(changedFields(a, b).sort()).toEqual(changedFields(b, a).sort())
        },
      ),
    )
  })
})

it('a refusal sends a first version back to draft and leaves a later one where it was', () => {
  expect(afterRefusal('auditing', 0)).toBe('draft')
  expect(afterRefusal('auditing', 3)).toBe('off_sale')
  expect(afterRefusal('on_sale', 3)).toBe('on_sale')
})

describe('a change of times', () => {
  const before: Window = {
    sale_start_at: NOW - DAY,
    sale_end_at: NOW + 10 * DAY,
    check_start_at: NOW - DAY,
    check_end_at: NOW + 30 * DAY,
  }
  const facts = {
    state: 'on_sale' as const,
    in_activity: false,
    contract_end_at: null,
    unused_codes: 0,
    promised_until: null,
  }
  const fault = (after: Partial<Window>, more: Partial<Parameters<typeof timeFault>[2]> = {}) =>
    timeFault(before, { ...before, ...after }, { ...facts, ...more }, NOW)
  it('is held to its rules', () => {
    expect(fault({ check_end_at: NOW + 40 * DAY })).toBeNull()
    expect(fault({})).toBe('nothing_changes')
    expect(fault({ sale_end_at: NOW - 2 * DAY })).toBe('sale_end_before_start')
    expect(fault({ check_start_at: NOW + 31 * DAY })).toBe('check_end_before_start')
    expect(fault({ check_end_at: NOW + 9 * DAY })).toBe('check_end_before_sale_end')
    expect(fault({ sale_end_at: NOW - 100, check_end_at: NOW })).toBe('check_end_past')
    expect(fault({ check_end_at: NOW + 40 * DAY }, { in_activity: true })).toBe('in_activity')
    expect(fault({ check_end_at: NOW + 40 * DAY }, { state: 'draft' })).toBe('wrong_state')
    expect(fault({ check_end_at: NOW + 40 * DAY }, { contract_end_at: NOW + 35 * DAY })).toBe(
      'contract_ended',
    )
    expect(fault({ check_end_at: NOW + 20 * DAY }, { contract_end_at: NOW + 15 * DAY })).toBeNull()
  })
  it('never shortens what unused codes were promised', () => {
    const sold = { unused_codes: 3, promised_until: NOW + 25 * DAY }
    expect(fault({ check_end_at: NOW + 24 * DAY }, sold)).toBe('earlier_than_sold_codes')
    expect(fault({ check_end_at: NOW + 25 * DAY }, sold)).toBeNull()
    expect(fault({ check_start_at: NOW + DAY }, sold)).toBe('later_than_sold_codes')
    fc.assert(
      fc.property(
        fc.record({
          sale_start_at: fc.nat(90),
          sale_end_at: fc.nat(90),
          check_start_at: fc.nat(90),
          check_end_at: fc.nat(90),
        }),
        fc.nat(40),
        (days, promised) => {
          const after = Object.fromEntries(
            Object.entries(days).map(([key, n]) => [key, NOW + (n - 30) * DAY]),
          ) as Window
          const until = NOW + promised * DAY
          if (fault(after, { unused_codes: 1, promised_until: until }) === null)
            expect(after.check_end_at >= Math.min(until, before.check_end_at)).toBe(true)
        },
      ),
    )
  })
})

describe('grams', () => {
  it('hold two Chinese characters, digits and full-width letters', () => {
    expect(keyGrams('烤鱼')).toEqual(['烤鱼'])
    expect(keyGrams('鱼')).toEqual(['鱼'])
    expect(gramsOf('蒜香烤鱼 ABC')).toEqual(expect.arrayContaining(['烤鱼', '鱼', 'ab', 'bc']))
    expect(searchable('ＡＢ　Ｃ')).toBe('ab c')
  })
  it('of a part are among the grams of the whole', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (part, before, after) => {
        if (
          /\s/.test(part) ||
          !searchable(part) ||
          searchable(before + part + after).includes(searchable(part)) === false
        )
          return
        const whole = new Set(gramsOf(before + part + after))
        for (const gram of keyGrams(part)) expect(whole).toContain(gram)
      }),
    )
  })
})
