import { describe, expect, it } from 'vitest'
import { codeLines, secretsCan } from '#src/areas/ecard/code.ts'

describe('lines of a file of codes', () => {
  it('are a number and a secret; case, spaces and full-width signs make no difference', () => {
    expect(codeLines(['ab12 3456,xy-zw 9876', '', 'ＡＢ９９；qwer1234']).good).toEqual([
      { line: 1, card_no: 'AB123456', secret: 'XYZW9876' },
      { line: 3, card_no: 'AB99', secret: 'QWER1234' },
    ])
  })
  it('are told by number and reason where they are none, or there before', () => {
    const { good, bad } = codeLines([
      'NO1234,SECRET11',
      'alone',
      'NO1234,SECRET22',
      'NO5678,secret-11',
      '码,SECRET33',
      'NO9999,!!',
      `${'9'.repeat(25)},SECRET44`,
    ])
    expect(good.map(one => one.line)).toEqual([1])
    expect(bad).toEqual([
      { line: 2, fault: 'form' },
      { line: 3, fault: 'number_twice' },
      { line: 4, fault: 'secret_twice' },
      { line: 5, fault: 'number' },
      { line: 6, fault: 'secret' },
      { line: 7, fault: 'number' },
    ])
  })
})
describe('a file of secrets', () => {
  const asked = { secrets: 'asked', asked_by: 1, done: 5 } as const
  it('takes two people, and goes to the one who asked', () => {
    expect(secretsCan('ask', { secrets: 'none', asked_by: null, done: 5 }, 1)).toBe(true)
    expect(secretsCan('agree', asked, 1)).not.toBe(true)
    expect(secretsCan('agree', asked, 2)).toBe(true)
    expect(secretsCan('fetch', asked, 1)).not.toBe(true)
    const agreed = { ...asked, secrets: 'agreed' } as const
    expect(secretsCan('fetch', agreed, 1)).toBe(true)
    expect(secretsCan('fetch', agreed, 2)).not.toBe(true)
    expect(secretsCan('ask', agreed, 1)).not.toBe(true)
  })
  it('is of no batch without codes', () => {
    expect(secretsCan('ask', { secrets: 'none', asked_by: null, done: 0 }, 1)).not.toBe(true)
    expect(secretsCan('ask', null, 1)).not.toBe(true)
  })
})
