import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bankNoFault,
  creditCheckSign,
  creditCodeFault,
  creditCodeOf,
  nationalIdCheckSign,
  nationalIdFault,
} from '#src/areas/merchant/identity.ts'

const CREDIT = '91350100M000100Y43'
const ID = '11010519491231002X'

describe('a credit code', () => {
  it('is right as the standard’s own example, however it is typed', () => {
    for (const typed of [CREDIT, '9135 0100 m000 100y43', '９１３５０１００M000100Y43'])
      expect(creditCodeFault(typed)).toBeUndefined()
    expect(creditCodeOf(' 9135 0100 m000 100y43 ')).toBe(CREDIT)
  })
  it.each(['', CREDIT.slice(1), `${CREDIT}0`, '91350100I000100Y43', 'X1350100M000100Y43'])(
    'of another form is told the form: %s',
    typed => expect(creditCodeFault(typed)?.[0]).toContain('18 位'),
  )
  it('with any one sign changed is told the check digit', () => {
    const signs = '0123456789ABCDEFGHJKLMNPQRTUWXY'
    for (let at = 8; at < 17; at++)
      for (const sign of signs)
        if (sign !== CREDIT[at])
          expect(creditCodeFault(CREDIT.slice(0, at) + sign + CREDIT.slice(at + 1))?.[0]).toContain(
            '校验位',
          )
  })
  it('whose check digit is made by the rule is right', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^91\d{6}[0-9A-HJ-NP-RTUWXY]{9}$/), first => {
        expect(creditCodeFault(first + creditCheckSign(first))).toBeUndefined()
      }),
    ))
})

describe('the ID number of a legal person', () => {
  it.each([ID, '440524188001010014', '1101 0519 4912 3100 2x'])('%s is right', typed =>
    expect(nationalIdFault(typed)).toBeUndefined(),
  )
  it.each([
    ['nothing', '', '不能为空'],
    ['15 digits', '110105491231002', '18 位'],
    ['a day that is none', '110105194902300020', '出生日期'],
    ['letters', '1101051949123100AX', '格式正确'],
    ['a wrong check digit', '110105194912310021', '校验位'],
  ])('%s is told', (_, typed, words) => expect(nationalIdFault(typed)?.[0]).toContain(words))
  it('with two neighbours changed round is told', () =>
    fc.assert(
      fc.property(fc.integer({ min: 14, max: 15 }), fc.integer({ min: 0, max: 999 }), (at, n) => {
        const first = `31010419800101${String(n).padStart(3, '0')}`
        const no = first + nationalIdCheckSign(first)
        fc.pre(no[at] !== no[at + 1])
        const turned = no.slice(0, at) + no[at + 1]! + no[at]! + no.slice(at + 2)
        expect(nationalIdFault(turned)).toBeDefined()
      }),
    ))
})

it('a bank account has 12 to 19 digits', () => {
  expect(bankNoFault('6222 0000 1111 2222')).toBeUndefined()
  for (const typed of ['', '12345', '6222 0000 1111 222X']) expect(bankNoFault(typed)).toBeDefined()
})
