import { expect, it } from 'vitest'
import { businesses, type Business } from '#src/areas/ledger/ledger.ts'
import { balanced, partOfBusiness } from '#src/areas/payout/filmStatement.ts'
import { withdrawalCan } from '#src/areas/payout/withdrawing.ts'

it('puts each business into one part, and what is none of the others among the adjustments', () => {
  expect(partOfBusiness('settle')).toBe('income')
  expect(partOfBusiness('refund')).toBe('refunds')
  expect(partOfBusiness('withdraw_back')).toBe('back')
  const others = (Object.keys(businesses) as Business[]).filter(
    biz => !['settle', 'refund', 'withdraw_apply', 'withdraw_back'].includes(biz),
  )
  expect(new Set(others.map(partOfBusiness))).toEqual(new Set(['adjust']))
})
it('closes with what it opened, what came in and what left', () => {
  expect(
    balanced({
      opening_cents: 100,
      income_cents: 1000,
      refunds_cents: 50,
      fee_cents: 6,
      adjust_cents: -4,
      back_cents: 20,
      withdrawn_cents: 500,
    }),
  ).toBe(560)
})
const asked = {
  status: 'pending',
  channel: 'bank',
  need_second: false,
  hold: false,
  canceling: false,
  reviewer_id: null,
  second_reviewer_id: null,
  owner_admin_id: null,
  owner_kind: 'film',
  amount_cents: 100_00,
} as const
it('agrees to a company’s money against an invoice of the same amount alone', () => {
  const may = (more: object) => withdrawalCan('approve', { ...asked, ...more }, 1)
  expect(may({ needs_invoice: true, invoice_cents: null })).toContain('公司主体须先上传发票')
  expect(may({ needs_invoice: true, invoice_cents: 99_99 })).toContain('发票金额与提现金额不一致')
  expect(may({ needs_invoice: true, invoice_cents: 100_00 })).toBe(true)
  expect(may({ needs_invoice: false, invoice_cents: null })).toBe(true)
  expect(withdrawalCan('uploadInvoice', { ...asked, owner_kind: 'merchant' }, 1)).not.toBe(true)
})
