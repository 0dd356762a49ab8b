import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  agreements,
  confidenceOf,
  dupCan,
  dupFields,
  dupKinds,
  evidenceOf,
  hasNew,
  marksOf,
  PHONE_MOST,
  type Agreement,
  type Compared,
  type DupField,
  type DupKind,
  type Marks,
} from '#src/areas/dedup/dup.ts'
import { asksSecond, UNMERGE_WITHIN } from '#src/areas/member/merge.ts'

const fields = Object.keys(dupFields) as DupField[]
const kind = fc.constantFrom(...(Object.keys(dupKinds) as DupKind[]))
const marks = fc.record(
  Object.fromEntries(
    fields.map(field => [field, fc.constantFrom(...(Object.keys(agreements) as Agreement[]))]),
  ),
) as fc.Arbitrary<Marks>
const value = fc.constantFrom(null, '', '王一', ' 王一', 'unknown', 'male', '13900000000')
const compared = fc.record(
  Object.fromEntries(fields.map(field => [field, value])),
) as fc.Arbitrary<Compared>

describe('confidence', () => {
  it('is a whole number from 0 to 100, and at most 60 by a phone alone', () => {
    fc.assert(
      fc.property(kind, marks, (of, said) => {
        const sure = confidenceOf(of, said)
        expect(Number.isInteger(sure) && sure >= 0 && sure <= 100).toBe(true)
        if (of === 'same_phone') expect(sure).toBeLessThanOrEqual(PHONE_MOST)
        if (of === 'multi_follow') expect(sure).toBe(100)
      }),
    )
  })
  it('never falls by what agrees, and never grows by what differs', () => {
    fc.assert(
      fc.property(kind, marks, fc.constantFrom(...fields), (of, said, field) => {
        const by = (agreement: Agreement) => confidenceOf(of, { ...said, [field]: agreement })
        expect(by('same')).toBeGreaterThanOrEqual(by('unknown'))
        expect(by('differ')).toBeLessThanOrEqual(by('unknown'))
      }),
    )
  })
})
describe('marks', () => {
  it('do not depend on the order, and tell nothing of fewer than two', () => {
    fc.assert(
      fc.property(fc.array(compared, { maxLength: 5 }), all => {
        expect(marksOf(all.toReversed())).toEqual(marksOf(all))
        if (all.length < 2)
          expect(Object.values(marksOf(all)).every(of => of === 'unknown')).toBe(true)
      }),
    )
  })
  it('take names as they read, and an unknown gender as none', () => {
    const one = { unionid: null, phone: null, name: '王一', birthday: null, gender: 'unknown' }
    expect(marksOf([one, { ...one, name: ' 王一 ' }])).toMatchObject({
      name: 'same',
      gender: 'unknown',
    })
  })
})
describe('evidence', () => {
  it('is new only where there is a word that was not known', () => {
    const of = { member_ids: [1, 2], customer_ids: [3], follow_ids: [4], marks: marksOf([]) }
    const seen = evidenceOf(of)
    expect(hasNew(seen, evidenceOf({ ...of, member_ids: [1] }))).toBe(false)
    expect(hasNew(seen, evidenceOf({ ...of, follow_ids: [4, 5] }))).toBe(true)
    expect(hasNew(seen, evidenceOf({ ...of, marks: { ...of.marks, name: 'same' } }))).toBe(true)
  })
})
describe('a merge', () => {
  const none = { balance_cents: 0, withdrawals: 0, sanctions: 0 }
  it('asks a second person for money on both sides, a withdrawal or a sanction', () => {
    expect(asksSecond([none, none])).toBe(false)
    expect(asksSecond([{ ...none, balance_cents: 5 }, none])).toBe(false)
    expect(
      asksSecond([
        { ...none, balance_cents: 5 },
        { ...none, balance_cents: 1 },
      ]),
    ).toBe(true)
    expect(asksSecond([none, { ...none, withdrawals: 1 }])).toBe(true)
    expect(asksSecond([{ ...none, sanctions: 1 }, none])).toBe(true)
  })
  it('is taken back within seven days, and approved by another person', () => {
    const row = {
      kind: 'same_phone' as const,
      status: 'resolved' as const,
      follow_n: 0,
      member_n: 2,
      asked_by: null,
      merged_at: 1000,
    }
    const at = (now: number) => dupCan('undoMerge', row, { me: 1, now })
    expect(at(1000 + UNMERGE_WITHIN)).toBe(true)
    expect(at(1001 + UNMERGE_WITHIN)).not.toBe(true)
    const asked = { ...row, status: 'second' as const, asked_by: 1 }
    expect(dupCan('approveMerge', asked, { me: 1, now: 0 })).not.toBe(true)
    expect(dupCan('approveMerge', asked, { me: 2, now: 0 })).toBe(true)
    expect(dupCan('batchPrimary', { ...row, status: 'pending' }, { me: 1, now: 0 })).not.toBe(true)
  })
})
