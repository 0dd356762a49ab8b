import fc from 'fast-check'
import { expect, test } from 'vitest'
import { couponSentence } from '#src/areas/coupon/couponSentence.ts'
import { draftOf, writtenOf } from '#src/modules/coupon/parts/written.ts'

const times = ['claim_start_at', 'claim_end_at', 'use_start_at', 'use_end_at'] as const
const noon = Date.UTC(2026, 10, 22, 4) / 1000

test('a time that is half typed is missing, and the sentence leaves it open', () => {
  const of = { claim_start_at: Number.NaN, claim_end_at: noon }
  expect(writtenOf(of)).toMatchObject({ claim_start_at: 0, claim_end_at: noon })
  const [zh, en] = couponSentence(draftOf('local', of))
  expect(zh).toContain('… 至 2026-11-22 12:00 领取')
  expect(en).toContain('claimable from … to 2026-11-22 12:00')
})
test('whichever times are half typed, the sentence is there', () => {
  const time = fc.constantFrom(Number.NaN, noon)
  fc.assert(
    fc.property(
      fc.record({ claim_start_at: time, claim_end_at: time, use_start_at: time, use_end_at: time }),
      given => {
        const of = { valid_kind: 'fixed' as const, ...given }
        const written = writtenOf(of)
        for (const name of times) expect(written[name]).not.toBeNaN()
        expect(couponSentence(draftOf('local', of))[0]).toContain('领取')
      },
    ),
  )
})
