import { expect, it } from 'vitest'
import {
  endsSharing,
  mayCheck,
  payoutsFrozen,
  settleRateAt,
  skipped,
  subMchidFault,
  subMchidOf,
  usualTerms,
} from '#src/areas/settle/settleMerchant.ts'

const AT = 1_800_000_000
const bank = { bank_holder: '甲', bank_name: '乙', bank_no: '6222' }

it('takes a new rate of what is paid from its beginning on', () => {
  const of = { commission_bp: 500, next_commission_bp: 800, rate_from_at: AT }
  expect([AT - 1, AT].map(paid => settleRateAt(of, paid))).toEqual([500, 800])
  expect(settleRateAt(usualTerms(1), AT)).toBeNull()
  expect(settleRateAt({ ...of, next_commission_bp: null }, AT)).toBeNull()
})
it('pays nothing out while a new account waits for its check', () => {
  expect(payoutsFrozen({ pending_change: { bank } })).toBeDefined()
  expect(payoutsFrozen({ pending_change: { freeze_days: 1 } })).toBeUndefined()
  expect(payoutsFrozen({ pending_change: null })).toBeUndefined()
})
it('skips the merchant that risk froze, and closed terms', () => {
  expect(skipped({ status: 'active', merchant_status: 'active' })).toBeUndefined()
  expect(skipped({ status: 'active', merchant_status: 'frozen' })).toBeDefined()
  expect(skipped({ status: 'closed', merchant_status: 'active' })).toBeDefined()
  // What a merchant sold before its contract ended is still settled.
  expect(skipped({ status: 'active', merchant_status: 'terminated' })).toBeUndefined()
})
it('has a change checked by another than asked for it, who is named', () => {
  const of = { pending_by: 4, pending_change: { freeze_days: 1 } }
  expect(mayCheck(of, 5, '林晓')).toBe(true)
  expect(mayCheck(of, 4, '林晓')).toEqual([
    expect.stringContaining('林晓'),
    expect.stringContaining('林晓'),
  ])
  expect(mayCheck({ pending_by: null, pending_change: null }, 4, '')).not.toBe(true)
})
it('shares through a number of 8 to 10 digits alone, and needs none while it does not share', () => {
  const fault = (profit_sharing: boolean, typed: string) =>
    subMchidFault({ profit_sharing, sub_mchid: subMchidOf(typed) })
  expect(fault(true, '')).toBeDefined()
  expect(fault(false, '')).toBeUndefined()
  for (const typed of ['16000001', '1600000109', '１６００ ０００１０９'])
    expect(fault(true, typed)).toBeUndefined()
  for (const typed of ['1600000', '16000001099', '16000001a'])
    expect(fault(false, typed)).toBeDefined()
})
it('knows what takes from splits what they are paid through', () => {
  const on = { profit_sharing: true, sub_mchid: '16000001' }
  const off = { ...on, profit_sharing: false }
  expect(endsSharing(on, off)).toBe(true)
  expect(endsSharing(on, { ...on, sub_mchid: '16000002' })).toBe(true)
  expect(endsSharing(on, on)).toBe(false)
  expect(endsSharing(off, on)).toBe(false)
})
