import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  awakeAt,
  bindFault,
  isProtected,
  mayChange,
  mayDecideTransfer,
  mayPool,
  spread,
} from '#src/areas/binding/binding.ts'

describe('customers that are spread', () => {
  const world = fc.record({
    sellers: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }),
    owners: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 60 }),
  })
  it('are all given, in numbers that differ by one at most', () => {
    fc.assert(
      fc.property(world, ({ sellers, owners }) => {
        const customers = owners.map((distributor_id, at) => ({ id: at + 1, distributor_id }))
        const given = spread(customers, sellers)
        expect(given.size).toBe(customers.length)
        const counts = sellers.map(
          seller => [...given.values()].filter(one => one === seller).length,
        )
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('stay where they are while there is room', () => {
    fc.assert(
      fc.property(world, ({ sellers, owners }) => {
        const customers = owners.map((distributor_id, at) => ({ id: at + 1, distributor_id }))
        const given = spread(customers, sellers)
        for (const seller of sellers) {
          const own = customers.filter(one => one.distributor_id === seller)
          const kept = own.filter(one => given.get(one.id) === seller).length
          const room = [...given.values()].filter(one => one === seller).length
          expect(kept).toBe(Math.min(own.length, room))
        }
      }),
    )
  })
})
describe('a binding', () => {
  it('is changed while it is active alone', () => {
    expect(mayChange({ status: 'active' })).toBe(true)
    for (const status of ['expired', 'transferred', 'unbound'] as const)
      expect(mayChange({ status })).not.toBe(true)
  })
  it('goes to the pool of a store only where a guide has it', () => {
    expect(mayPool({ status: 'active', role: 'guide' })).toBe(true)
    expect(mayPool({ status: 'active', role: 'expert' })).not.toBe(true)
    expect(mayPool({ status: 'expired', role: 'guide' })).not.toBe(true)
  })
  it('is protected until a moment, and no longer', () => {
    expect(isProtected({ protect_until: 10 }, 9)).toBe(true)
    expect(isProtected({ protect_until: 10 }, 10)).toBe(false)
  })
  it('is to an active seller of the role, and never to oneself', () => {
    const to = { id: 1, name: '甲', kind: 'expert', status: 'active', member_id: 5 }
    const of = { member_id: 9, role: 'expert' as const }
    expect(bindFault(of, to)).toBeUndefined()
    expect(bindFault({ ...of, member_id: 5 }, to)).toBeDefined()
    expect(bindFault({ ...of, role: 'guide' }, to)).toBeDefined()
    for (const status of ['pending', 'frozen', 'quit', 'rejected'])
      expect(bindFault(of, { ...to, status })).toBeDefined()
  })
  it('wakes with its last order, and is never asleep before it began', () => {
    expect(awakeAt({ bind_at: 10, last_order_at: null })).toBe(10)
    expect(awakeAt({ bind_at: 10, last_order_at: 30 })).toBe(30)
    expect(awakeAt({ bind_at: 10, last_order_at: 5 })).toBe(10)
  })
})
it('a transfer is decided once, by another person than asked', () => {
  expect(mayDecideTransfer({ state: 'pending', maker_id: 1 }, 2)).toBe(true)
  expect(mayDecideTransfer({ state: 'pending', maker_id: 1 }, 1)).not.toBe(true)
  for (const state of ['approved', 'rejected', 'lapsed'] as const)
    expect(mayDecideTransfer({ state, maker_id: 1 }, 2)).not.toBe(true)
})
