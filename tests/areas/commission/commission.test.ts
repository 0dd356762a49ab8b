import { expect, it } from 'vitest'
import { commissionCan, type CommissionFacts } from '#src/areas/commission/commission.ts'

const on: CommissionFacts = {
  status: 'settleable',
  held: false,
  holder: '',
  reason: '',
  role: 'direct',
  split_no: '',
  refundable: null,
}
it('a commission that a split pays is neither settled, held nor cancelled beside it', () => {
  for (const verb of ['settleNow', 'batchSettle', 'hold', 'cancel'] as const) {
    expect([verb, commissionCan(verb, on)]).toEqual([verb, true])
    const said = commissionCan(verb, { ...on, split_no: 'FZ1' })
    expect([verb, said]).toEqual([verb, expect.arrayContaining([expect.stringContaining('FZ1')])])
  }
  const paid = { ...on, status: 'settled' as const, split_no: 'FZ1' }
  expect(commissionCan('clawBack', paid)).toBe(true)
  expect(commissionCan('release', { ...on, held: true, split_no: 'FZ1' })).toBe(true)
})
