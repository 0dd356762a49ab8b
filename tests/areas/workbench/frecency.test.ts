import fc from 'fast-check'
import { expect, test } from 'vitest'
import { habit, HALF_LIFE_S, usedAgain, worthAt } from '#src/areas/workbench/frecency.ts'

const at = fc.integer({ min: 1_600_000_000, max: 1_900_000_000 })
const score = fc.record({ score: fc.double({ min: 0.001, max: 10_000, noNaN: true }), at })
const later = fc.integer({ min: 0, max: 40 * HALF_LIFE_S })

test('what was used counts half as much after a week, and one use more is one more', () => {
  fc.assert(
    fc.property(score, later, (one, s) => {
      const now = one.at + s
      expect(worthAt(one, now + HALF_LIFE_S)).toBeCloseTo(worthAt(one, now) / 2, 9)
      expect(worthAt(usedAgain(one, now), now)).toBeCloseTo(worthAt(one, now) + 1, 9)
    }),
  )
})
test('time alone changes no order, and a clock that goes back makes nothing worth more than it was', () => {
  fc.assert(
    fc.property(score, score, later, later, (a, b, s, more) => {
      const now = Math.max(a.at, b.at) + s
      const order = worthAt(a, now) - worthAt(b, now)
      // Where the two are as good as the same, rounding may decide.
      if (Math.abs(order) > 1e-6 * worthAt(a, now))
        expect(Math.sign(worthAt(a, now + more) - worthAt(b, now + more))).toBe(Math.sign(order))
      expect(worthAt(a, a.at - more)).toBe(a.score)
    }),
  )
})
const uses = fc.array(fc.record({ own: fc.nat(200), role: fc.nat(500) }), {
  minLength: 2,
  maxLength: 12,
})
test('a newcomer has the order of their role; whoever has habits has their own where those differ clearly', () => {
  fc.assert(
    fc.property(uses, all => {
      const roleMost = Math.max(...all.map(one => one.role))
      const worth = (one: { own: number; role: number }, ownAll: number) =>
        habit(one.own, ownAll, one.role, roleMost)
      for (const a of all)
        for (const b of all)
          if (a.role > b.role)
            expect(worth({ ...a, own: 0 }, 0)).toBeGreaterThan(worth({ ...b, own: 0 }, 0))
      const ownAll = all.reduce((sum, one) => sum + one.own, 0)
      for (const a of all)
        for (const b of all)
          if (a.own >= b.own + 6) expect(worth(a, ownAll)).toBeGreaterThan(worth(b, ownAll))
      if (roleMost === 0) for (const one of all) expect(worth(one, ownAll)).toBe(one.own)
    }),
  )
})
