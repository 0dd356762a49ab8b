import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { masked } from '#src/domain/mask.ts'
import { phoneFault, phoneRule } from '#src/domain/phone.ts'
import {
  emailFault,
  genderOf,
  idFault,
  limited,
  passwordFault,
  passwordPattern,
  widthOf,
  wrongPlace,
} from '#src/domain/validate.ts'

const digits = (n: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: n, maxLength: n }).map(all => all.join(''))
const day = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
  .map(([m, d]) => `${String(m).padStart(2, '0')}${String(d).padStart(2, '0')}`)
const id18 = fc
  .tuple(
    fc.integer({ min: 1, max: 9 }),
    digits(5),
    fc.integer({ min: 1900, max: 2026 }),
    day,
    digits(3),
    fc.constantFrom(...'0123456789Xx'),
  )
  .map(([a, b, year, date, serial, check]) => `${a}${b}${year}${date}${serial}${check}`)

describe('what a form refuses (specification, section 5)', () => {
  test('a phone is a mobile number of 11 digits; empty says so', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), digits(9), (second, tail) => {
        expect(phoneFault(`1${second}${tail}`)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(
        fc.string().filter(text => !/1\d/.test(text.normalize('NFKC')) && text.trim() !== ''),
        text => {
          expect(phoneFault(text)).toBe(phoneRule)
        },
      ),
    )
    expect(phoneFault(' ')?.[0]).toBe('手机号不能为空')
    for (const wrong of [
      '2380000000',
      '1380000000',
      '138000000001',
      '10000000000',
      '+1 13800000000',
    ])
      expect(phoneFault(wrong), wrong).toBeDefined()
  })
  test('a password has 6 to 16 letters, digits or signs: the pattern’s 16 holds where the message of the specification says 12', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'abcXYZ019!@#$%^&*()_+-='),
          minLength: 6,
          maxLength: 16,
        }),
        text => {
          expect(passwordFault(text)).toBeUndefined()
        },
      ),
    )
    fc.assert(
      fc.property(fc.string(), text => {
        expect(passwordFault(text) === undefined).toBe(passwordPattern.test(text))
      }),
    )
    for (const wrong of ['', 'abc12', 'a'.repeat(17), '密码密码密码', 'abc 123'])
      expect(passwordFault(wrong), wrong).toBeDefined()
  })
  test('e-mail', () => {
    for (const right of ['a@b.cn', 'first.last+tag@sub.example.com', 'x_1%y@a-b.co'])
      expect(emailFault(right), right).toBeUndefined()
    for (const wrong of [
      'a@b',
      '@b.cn',
      'a@',
      'a b@c.cn',
      'a@-b.cn',
      'a@b..cn',
      '.a@b.cn',
      'a.@b.cn',
      'a@b.c',
      '甲@b.cn',
      `${'a'.repeat(70)}@b.cn`,
    ])
      expect(emailFault(wrong), wrong).toBeDefined()
    expect(emailFault('')?.[0]).toBe('邮箱不能为空')
  })
  test('an ID number has 18 characters, or 15 digits, with a month and a day', () => {
    fc.assert(
      fc.property(id18, id => {
        expect(idFault(id)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(id18, id => {
        expect(idFault(id.slice(0, 6) + id.slice(8, 17))).toBeUndefined()
      }),
    )
    for (const wrong of [
      '',
      '31010119901332123X',
      '310101199003',
      '310101199003078515x',
      'a10101199003078515',
      '010101199003078515',
    ])
      expect(idFault(wrong), wrong).toBeDefined()
  })
  test('the 17th character tells the gender', () => {
    fc.assert(
      fc.property(id18, id => {
        expect(genderOf(id)).toBe('13579'.includes(id[16]!) ? 'male' : 'female')
      }),
    )
  })
})

describe('a length-limited input', () => {
  const on = { tag: 'INPUT', type: 'text' }
  test('never holds more than its limit, a double-byte character counting as 2, and is left alone when it fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, max) => {
        const held = limited(text, { max, on })
        expect(widthOf(held)).toBeLessThanOrEqual(max)
        if (widthOf(text) <= max) expect(held).toBe(text)
        expect(limited(held, { max, on })).toBe(held)
      }),
    )
  })
  test('in integer mode what is no digit goes as it is typed, full-width digits become plain ones', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(limited(text, { max: 100, integer: true, on })).toMatch(/^\d*$/)
      }),
    )
    expect([
      limited('1a2-3', { max: 9, integer: true, on }),
      limited('１２３', { max: 9, integer: true, on }),
      limited('12345', { max: 3, integer: true, on }),
    ]).toEqual(['123', '123', '123'])
  })
  test('bound in the wrong place it says so', () => {
    for (const wrong of [
      { tag: 'DIV' },
      { tag: 'SELECT' },
      { tag: 'INPUT', type: 'checkbox' },
      { tag: 'INPUT', type: 'radio' },
    ])
      expect(() => limited('x', { max: 1, on: wrong })).toThrow(wrongPlace)
    for (const right of [{ tag: 'TEXTAREA' }, { tag: 'INPUT' }, { tag: 'input', type: 'tel' }])
      expect(limited('x', { max: 1, on: right })).toBe('x')
  })
})

describe('masking', () => {
  test('a phone loses its middle 4 digits, an ID number its middle 8, whatever they are', () => {
    fc.assert(
      fc.property(digits(10), tail => {
        const phone = `1${tail}`
        expect(masked('phone', phone)).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`)
      }),
    )
    fc.assert(
      fc.property(id18, id => {
        expect(masked('id_no', id)).toBe(`${id.slice(0, 6)}********${id.slice(14)}`)
      }),
    )
    fc.assert(
      fc.property(digits(15), id => {
        expect(masked('id_no', id).match(/\*/g)).toHaveLength(8)
      }),
    )
  })
  test('what is masked already stays as it is: a star anywhere, a dash in a number', () => {
    for (const rule of [
      'phone',
      'id_no',
      'name',
      'bank',
      'address',
      'code',
      'amount',
      'all',
    ] as const) {
      fc.assert(
        fc.property(fc.string({ minLength: 1 }), text => {
          const once = masked(rule, text)
          if (once.includes('*')) expect(masked(rule, once)).toBe(once)
        }),
      )
    }
    expect([
      masked('phone', '138-1234-5678'),
      masked('bank', '6222----3334'),
      masked('name', '-'),
    ]).toEqual(['138-1234-5678', '6222----3334', '-'])
  })
  test('an address with a dash, and a landline, are in clear and are masked', () => {
    expect(masked('address', '南京西路1266号3-201室')).toBe('南京西路12****')
    expect(masked('phone', '021-62345678')).toBe('021*****5678')
  })
})
