import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adjustLines } from '#src/areas/distribution/adjusting.server.ts'
import { mayDecideAdjust } from '#src/areas/distribution/sellers.ts'

const sumOf = (kind: string, lines: ReturnType<typeof adjustLines>) =>
  lines.filter(line => line.kind === kind).reduce((sum, line) => sum + line.amount_cents, 0)

test('an adjustment balances, pays off a debt before it pays out, and never overdraws', () => {
  const cents = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }).filter(amount => amount !== 0),
      cents,
      fc.boolean(),
      (amount, has, owes) => {
        // A seller has a balance or a debt, never both.
        const before = { balance_cents: owes ? 0 : has, debt_cents: owes ? has : 0 }
        const lines = adjustLines(7, amount, before)
        expect(lines.reduce((sum, line) => sum + line.amount_cents, 0)).toBe(0)
        expect(lines.every(line => line.amount_cents !== 0)).toBe(true)
        const balance = before.balance_cents - sumOf('distributor_balance', lines)
        const debt = before.debt_cents + sumOf('distributor_debt', lines)
        expect(balance - debt).toBe(before.balance_cents - before.debt_cents + amount)
        expect(balance >= 0 && debt >= 0 && (balance === 0 || debt === 0)).toBe(true)
      },
    ),
  )
})
test('whoever asked for an adjustment does not decide on it', () => {
  expect(mayDecideAdjust({ state: 'pending', maker_id: 1 }, 2)).toBe(true)
  expect(mayDecideAdjust({ state: 'pending', maker_id: 1 }, 1)).not.toBe(true)
  expect(mayDecideAdjust({ state: 'posted', maker_id: 1 }, 2)).not.toBe(true)
  expect(mayDecideAdjust(null, 2)).not.toBe(true)
})
