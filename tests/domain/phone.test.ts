import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { masked } from '#src/domain/mask.ts'
import { callableFault, callableOf, mobileOf, phoneFault } from '#src/domain/phone.ts'

describe('a mobile number', () => {
  test('is brought to its plain form from what people paste', () => {
    for (const typed of [
      '13800138000',
      '+86 138 0013 8000',
      '0086-138-0013-8000',
      '86 13800138000',
      '（+86）138-0013-8000',
      '１３８００１３８０００',
      '138\u200b0013\u202c8000',
      '138·0013·8000',
      ' 138–0013–8000 ',
    ])
      expect([typed, mobileOf(typed)]).toEqual([typed, '13800138000'])
  })
  test('has 11 digits and begins with 13 to 19', () => {
    for (const wrong of [
      '10000000000',
      '12345678901',
      '1380013800',
      '138001380001',
      '2380013800',
      '',
    ])
      expect([wrong, mobileOf(wrong)]).toEqual([wrong, undefined])
    expect(phoneFault('10000000000')).toBeDefined()
    expect(phoneFault(' ')?.[0]).toBe('手机号不能为空')
  })
  test('is not looked for in a text that is far too long', () => {
    const before = performance.now()
    for (const letter of [' ', '-', '1', '+', '('])
      expect(callableOf(letter.repeat(1_000_000))).toBeUndefined()
    expect(performance.now() - before).toBeLessThan(1000)
  })
  test('is its own plain form', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^1[3-9]\d{9}$/), phone => {
        expect(mobileOf(phone)).toBe(phone)
        expect(callableOf(phone)).toBe(phone)
      }),
    )
  })
})

describe('a number to be called by', () => {
  test('may be a landline with its extension, or a 400 number', () => {
    for (const [typed, plain] of [
      ['021-62345678', '021-62345678'],
      ['02162345678', '021-62345678'],
      ['（021）6234 5678', '021-62345678'],
      ['+86 21 6234 5678', '021-62345678'],
      ['0571-8765432', '0571-8765432'],
      ['010-62345678-801', '010-62345678-801'],
      ['021 62345678 转 801', '021-62345678-801'],
      ['021-62345678 ext. 12', '021-62345678-12'],
      ['400-800-1234', '4008001234'],
      ['４００ ８００ １２３４', '4008001234'],
      ['138 0013 8000', '13800138000'],
    ] as const)
      expect([typed, callableOf(typed)]).toEqual([typed, plain])
  })
  test('is none without an area code, nor with too few digits', () => {
    for (const wrong of ['62345678', '12345', '23812345678', '021-1234567', '138123456789', ''])
      expect([wrong, callableOf(wrong)]).toEqual([wrong, undefined])
    expect(callableFault('62345678')).toBeDefined()
  })
  test('loses its middle where it is masked, an extension’s too', () => {
    expect(masked('phone', '021-62345678-801')).not.toContain('62345678')
    expect(masked('phone', '021-62345678')).not.toContain('62345678')
  })
})
