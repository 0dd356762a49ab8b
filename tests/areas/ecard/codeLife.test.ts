import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  codeCan,
  countedAs,
  spentState,
  type CodeLook,
  type CodeVerb,
} from '#src/areas/ecard/codeLife.ts'
import { codeStates, type CodeState } from '#src/areas/ecard/ecard.ts'

const NOW = 1_800_000_000
const look = (of: Partial<CodeLook> = {}): CodeLook => ({
  state: 'sold',
  before_freeze: null,
  holder_id: null,
  shown_at: null,
  activated_at: null,
  valid_until: null,
  face_cents: 100_00,
  balance_cents: 0,
  ...of,
})
const states = Object.keys(codeStates) as CodeState[]
const allowed = (verb: CodeVerb, of: Partial<CodeLook> = {}) =>
  states.filter(state => codeCan(verb, look({ ...of, state }), NOW) === true)

describe('what may be done with a code', () => {
  it.each([
    ['release', {}, ['held']],
    ['sell', {}, ['held']],
    ['refund', {}, ['sold']],
    ['activate', {}, ['sold']],
    ['spend', { activated_at: 1 }, ['active']],
    ['freeze', {}, ['free', 'sold', 'active']],
    ['unfreeze', {}, ['frozen']],
    ['void', {}, ['free']],
    ['extend', { valid_until: NOW - 1 }, ['sold', 'active', 'expired']],
    ['move', {}, ['active']],
    ['expire', { valid_until: NOW }, ['sold', 'active']],
  ] as const)('%s: %j from %j alone', (verb, of, from) => {
    expect(allowed(verb, of)).toEqual(from)
  })
  it('gives no money back for a card that was shown or bound', () => {
    expect(codeCan('refund', look({ shown_at: NOW }), NOW)).toEqual([
      expect.stringContaining('查看'),
      expect.stringContaining('shown'),
    ])
    expect(codeCan('refund', look({ holder_id: 7 }), NOW)).not.toBe(true)
  })
  it('neither activates nor spends a card past its end, and extends none without one', () => {
    expect(codeCan('activate', look({ valid_until: NOW }), NOW)).not.toBe(true)
    expect(codeCan('spend', look({ state: 'active', valid_until: NOW }), NOW)).not.toBe(true)
    expect(codeCan('spend', look({ state: 'active', valid_until: NOW + 1 }), NOW)).toBe(true)
    expect(codeCan('extend', look({ valid_until: null }), NOW)).not.toBe(true)
    expect(codeCan('expire', look({ valid_until: NOW + 1 }), NOW)).not.toBe(true)
  })
  it('voids a frozen card only where nobody bought it', () => {
    expect(codeCan('void', look({ state: 'frozen', before_freeze: 'free' }), NOW)).toBe(true)
    expect(codeCan('void', look({ state: 'frozen', before_freeze: 'sold' }), NOW)).toEqual([
      expect.stringContaining('退款'),
      expect.stringContaining('refunded'),
    ])
  })
  it('tells the loser how the card stands', () => {
    const of = look({ state: 'active', activated_at: NOW - 60, balance_cents: 40_00 })
    expect(codeCan('refund', of, NOW)).toEqual([
      expect.stringMatching(/已激活.*激活，余额 40\.00 元/),
      expect.stringContaining('¥40.00 left'),
    ])
  })
})
it('a code is in one count of its face, and a frozen free one is no stock', () => {
  expect(countedAs({ state: 'frozen', before_freeze: 'free' })).toBe('void_n')
  expect(countedAs({ state: 'frozen', before_freeze: 'active' })).toBe('sold_n')
  expect(states.map(state => countedAs({ state, before_freeze: null }))).toEqual([
    'free_n',
    'held_n',
    'sold_n',
    'sold_n',
    'sold_n',
    'sold_n',
    'void_n',
    'sold_n',
    'void_n',
    'sold_n',
  ])
})
it('is used up exactly when nothing is left', () => {
  fc.assert(fc.property(fc.nat(500_000), left => (spentState(left) === 'used_up') === (left === 0)))
})
