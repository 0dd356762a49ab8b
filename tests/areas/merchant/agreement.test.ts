import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  agreementCan,
  agreementStates,
  inForce,
  lineDiff,
  nextVersion,
  textLines,
  type AgreementState,
} from '#src/areas/merchant/agreement.ts'

const line = fc.constantFrom('甲', '乙', '丙', '丁', '')
const lines = fc.array(line, { maxLength: 24 })
const of = (ops: ReturnType<typeof lineDiff>, ...wanted: string[]) =>
  ops.filter(one => wanted.includes(one.op)).map(one => one.text)

describe('the difference of two texts', () => {
  it('holds both texts whole, in order', () =>
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const ops = lineDiff(a, b)
        expect(of(ops, 'same', 'del')).toEqual(a)
        expect(of(ops, 'same', 'add')).toEqual(b)
      }),
    ))
  it('names no change between equal texts, and never calls more than the shorter text the same', () =>
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        expect(lineDiff(a, a).every(one => one.op === 'same')).toBe(true)
        expect(of(lineDiff(a, b), 'same').length).toBeLessThanOrEqual(Math.min(a.length, b.length))
      }),
    ))
  it('is the smallest: one line put in is one line added', () =>
    fc.assert(
      fc.property(lines, fc.nat(24), (a, at) => {
        const b = [...a.slice(0, at), '新', ...a.slice(at)]
        expect(lineDiff(a, b).filter(one => one.op !== 'same')).toEqual([{ op: 'add', text: '新' }])
      }),
    ))
  it('of very long texts without a line in common tells the middle as replaced', () => {
    const [a, b] = ['a', 'b'].map(mark => Array.from({ length: 2100 }, (_, n) => `${mark}${n}`))
    const ops = lineDiff(['同', ...a!], ['同', ...b!])
    expect([of(ops, 'same'), of(ops, 'del').length, of(ops, 'add').length]).toEqual([
      ['同'],
      2100,
      2100,
    ])
  })
})

it('a reader sees HTML as lines', () => {
  expect(
    textLines(
      '<h3>一、说明</h3><p>甲 &amp; 乙<br>丙</p>\n<ul><li>丁&nbsp;</li><li> </li></ul>&lt;p&gt;',
    ),
  ).toEqual(['一、说明', '甲 & 乙', '丙', '丁', '<p>'])
})

describe('a version', () => {
  const states = Object.keys(agreementStates) as AgreementState[]
  it('that is published never changes: only a draft is edited, published or scheduled', () => {
    for (const state of states)
      for (const verb of ['edit', 'publish', 'schedule'] as const)
        expect(agreementCan(verb, { state, effective_at: null }, 100) === true).toBe(
          state === 'draft',
        )
  })
  it('planned for later is not published at once', () => {
    expect(agreementCan('publish', { state: 'draft', effective_at: 101 }, 100)).not.toBe(true)
    expect(agreementCan('publish', { state: 'draft', effective_at: 100 }, 100)).toBe(true)
  })
  it('is withdrawn only before it takes effect', () => {
    expect(agreementCan('withdraw', { state: 'scheduled', effective_at: 101 }, 100)).toBe(true)
    expect(agreementCan('withdraw', { state: 'scheduled', effective_at: 100 }, 100)).not.toBe(true)
    for (const state of states.filter(one => one !== 'scheduled'))
      expect(agreementCan('withdraw', { state, effective_at: 101 }, 100)).not.toBe(true)
  })
  it('binds from its moment on, noted or not', () => {
    const versions = [
      { state: 'superseded' as const, effective_at: 10 },
      { state: 'effective' as const, effective_at: 50 },
      { state: 'scheduled' as const, effective_at: 100 },
      { state: 'draft' as const, effective_at: 60 },
    ]
    expect([99, 100].map(now => inForce(versions, now)?.effective_at)).toEqual([50, 100])
    expect(inForce([versions[0]!, versions[3]!], 100)).toBeUndefined()
  })
  it('has the number after the highest', () =>
    expect([nextVersion([]), nextVersion(['1.0', '10.0', '9.0'])]).toEqual(['1.0', '11.0']))
})
